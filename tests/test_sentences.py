"""Sentences of a text: hand-made cases, properties, growth on hostile input."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.text.sentences import split_sentences

# What stands in ⟦ ⟧ is white space or markup between sentences.
CASES = {
    "plain": "He left.⟦ ⟧She stayed.⟦ ⟧Why?⟦ ⟧Nobody knows!",
    "titles": "Dr. Lee met Mr. and Mrs. Smith at St. Mary's.⟦ ⟧Prof. Gray came later.",
    "initials": "J. R. R. Tolkien and George W. Bush never met.⟦ ⟧So did I.⟦ ⟧That is all.",
    "dotted": "The U.S. Senate met at 10 a.m. on Monday.⟦ ⟧He lives in the U.S.⟦ ⟧He likes it.",
    "companies": "Acme Inc. bought Widget Ltd. in May.⟦ ⟧It paid $3.5 million.",
    "inside": "Use a tool, e.g. Excel, i.e. a spreadsheet.⟦ ⟧Compare cf. Smith et al. for more.",
    "number": "See No. 5 on p. 12, Fig. 3 and vol. 2.⟦ ⟧The answer is no.⟦ ⟧I am sure.",
    "decimals": "It costs 3.50 euros or 1.000.000 dong.⟦ ⟧Version 2.0.1 is out.",
    "number at the end": "She was born in 1998.⟦ ⟧12 people came.",
    "etc": "Bring pens, paper, etc.⟦ ⟧Lunch is free.⟦ ⟧Pens etc. are on the table.",
    "quotes": 'He said, "I am tired.⟦ ⟧I want to sleep."⟦ ⟧Then he left.',
    "quotes and speaker": '"Go away!" she said.⟦ ⟧"Why?" Mr. Lee asked.⟦ ⟧“Because.”',
    "curly": "“It is late.”⟦ ⟧‘Good night.’⟦ ⟧He slept.",
    "brackets": "He left (it was late. Very late.) and slept.⟦ ⟧(She did not.)⟦ ⟧We did.",
    "bracket at the end": "We met once (in May, I think!).⟦ ⟧It was fun.",
    "ellipsis": "Well... I do not know.⟦ ⟧Wait... what?⟦ ⟧Fine… maybe.",
    "marks": "What?!⟦ ⟧No way!!!⟦ ⟧Really??⟦ ⟧yes",
    "lower case": "i went home. it was late".replace(". ", ".⟦ ⟧"),
    "url": "See https://example.com/a.b?c=d. It works.".replace(". It", ".⟦ ⟧It"),
    "email address": "Write to j.smith@example.co.uk or call.⟦ ⟧We answer at www.example.org.",
    "file": "Open config.yaml and set a.b.c to 1.⟦ ⟧Restart.",
    "smiley": "That was great :)⟦ ⟧See you soon!⟦ ⟧Thanks a lot! ;-)⟦ ⟧Bye",
    "emoji": "We won 🎉⟦ ⟧Come and see.",
    "footnotes": "It was built in 1932.[4]⟦ ⟧It burnt down in 1950. [5] [6]⟦ ⟧Nobody knows why.",
    "heading": "⟦# ⟧The first part⟦\n⟧It starts here.⟦\n\n## ⟧The second part⟦\n\n⟧It ends.",
    "setext": "Title⟦\n=====\n\n⟧Text follows here.",
    "list": "You need:⟦\n- ⟧flour⟦\n- ⟧two eggs. Fresh ones.".replace("s. F", "s.⟦ ⟧F")
    + "⟦\n* ⟧milk",
    "numbered": "⟦1. ⟧Open the door.⟦\n2. ⟧Go in.⟦\n3) ⟧Sit down⟦\na) ⟧here",
    "inline number": "⟦1. ⟧Open the door.⟦ ⟧2. Go in.",
    "tasks": "⟦- [ ] ⟧buy milk⟦\n- [x] ⟧call Anna",
    "list item over two lines": "⟦- ⟧a long item that goes on until the line is full and "
    "then some\n"
    "  more words on the next line⟦\n- ⟧another",
    "bold": "**Note.**⟦ ⟧It is late.⟦ ⟧_Really?_⟦ ⟧Yes.",
    "link": "Read [the guide. Part 1](http://a.b/c.html) first.⟦ ⟧Then start.",
    "inline code": "Call `a.b. C` now.⟦ ⟧Done.".replace("a.b. C", "a.b()"),
    "code": "Run this:⟦\n\n⟧```sh\nls. Then\n\ncd /tmp. Now\n```⟦\n\n⟧It works.",
    "code without end": "Run this:⟦\n⟧```\nls. A b.\nC d.",
    "tildes": "~~~\nA. B.\n```\nC.\n~~~⟦\n⟧After.",
    "table": "⟦| ⟧name⟦ | ⟧price⟦ |\n|---|---|\n| ⟧tea⟦ | ⟧two euros. Cheap⟦ |⟧".replace(
        "s. C", "s.⟦ ⟧C"
    ),
    "quotation": "⟦> ⟧He wrote this.⟦\n> ⟧And this.⟦\n\n⟧I answered.",
    "rule": "One⟦\n\n---\n\n⟧Two⟦\n***\n⟧Three",
    "html": "⟦<h1>⟧Title⟦</h1>\n<p>⟧It is <b>late.</b>⟦ ⟧Go home.⟦</p><ul><li>⟧one⟦</li><li>⟧two"
    "⟦</li></ul>⟧",
    "html line break": "one⟦<br>⟧two⟦<br />⟧three",
    "html comment": "Before.⟦ <!-- not. Text. --> ⟧After.",
    "pre": "See:⟦ ⟧<pre>A. B.\n\nC.</pre>⟦ ⟧End.",
    "letter": "Dear Ms. Jones,⟦\n\n⟧thank you for your letter.⟦ ⟧I will call you.⟦\n\n⟧Kind "
    "regards,⟦\n⟧"
    "Tom Brown⟦\n⟧Sales",
    "letter without empty lines": "Hi Anna,⟦\n⟧could you please send me the report that you "
    "mentioned on "
    "Monday, if it is done⟦\n⟧Thanks and best wishes,⟦\n⟧Tom",
    "signature": "See you then.⟦\n\n-- \n⟧Tom Brown⟦\n⟧Head of Sales, Example Ltd., 12 Long "
    "Street, London "
    "N1 and elsewhere⟦\n⟧tel. 12345",
    "chat": "hey are you there⟦\n⟧yes⟦\n⟧ok see you at 7 then⟦\n⟧dont be late lol",
    "wrapped": "This line was wrapped by a mail program because it had become too\n"
    "long, and so was this one, which also has more than sixty characters\n"
    "in it. Here".replace(". H", ".⟦ ⟧H") + " is the end.",
    "long lines": "A line with many words that says one thing and has no mark at its end"
    + " at all" * 12
    + "⟦\n⟧Another one",
    "windows": "one⟦\r\n⟧two⟦\r\n\r\n⟧three.⟦ ⟧Four.",
    "chinese": "你好。⟦⟧我很好！⟦⟧你呢？",
    "speech in a row": '"Stop."⟦ ⟧"Why?"⟦ ⟧"Because."',
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_hand_made(name: str) -> None:
    marked = CASES[name]
    text = re.sub(r"⟦(.*?)⟧", r"\1", marked, flags=re.S)
    wanted = [piece for piece in re.split(r"⟦.*?⟧", marked, flags=re.S) if piece]
    assert [text[start:end] for start, end in split_sentences(text)] == wanted


PIECES = st.sampled_from(
    'a B. Dr. 3.5 " ( ) [ ] ... ! ? … \n \n\n # - * 1. > ``` ~~~ | --- <p> </p> <!-- --> <pre> '
    "</pre> <b> & http://x.y/z :) 。 é 中 e.g. I No. _ ` \u2028 \r\n \t i Hi, Thanks \n--".split(
        " "
    )
)
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=30).flatmap(
    lambda pieces: st.sampled_from(["", " ", "\n"]).map(lambda joint: joint.join(pieces))
)
LETTERS = st.text(alphabet="ab cD.,!?\"'()\n", max_size=80)


@given(TEXTS)
def test_spans_are_ordered_and_trimmed(text: str) -> None:
    position = 0
    for start, end in split_sentences(text):
        assert position <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        position = end


@given(LETTERS)
def test_text_without_markup_is_covered(text: str) -> None:
    covered = set().union(*(range(start, end) for start, end in split_sentences(text)))
    lines = text.splitlines(keepends=True)
    position = 0
    for line in lines:
        if any(c.isalnum() for c in line) and not re.match(r"[ \t]*\(?[a-zA-Z]\)[ \t]", line):
            missed = [c for i, c in enumerate(line, position) if i not in covered and c.strip()]
            assert not missed, (text, missed)
        position += len(line)


HOSTILE = (
    ".",
    "!\"",
    "(",
    "( a. B",
    "(.)",
    "a. B ",
    "<",
    "<a",
    "<!--",
    "<pre>",
    "<b>",
    "```\n",
    "> ",
    "# ",
    "\n",
    "- a\n",
    "|",
    "| a ",
    " ",
    "\t",
    "Dr. ",
    "1. ",
    "a\n",
    '."',
    ". [1]",
    ".</b>",
    ". <b>",
    "*",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z and more\n",
    "…",
    ":) ",
    "&nbsp;",
    ". \"",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_length(piece: str) -> None:
    """Eight times the text takes at most 24 times as long: n log n, or noise, but not n squared."""

    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            split_sentences(text)
            best = min(best, time.process_time() - started)
        return best

    assert seconds(160_000) < 24 * max(seconds(20_000), 0.002)
