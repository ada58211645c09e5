from __future__ import annotations

import gzip
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import InputError, UsageError
from otherwords.text.sentence import tokenize
from tests.oracles import tokenizer as oracle
from tests.oracles import treebank

PIECES = st.sampled_from(
    [
        "a",
        "I",
        "don",
        "Mr",
        "U.S",
        "no",
        "1",
        "3.14",
        "'",
        "’",
        "n't",
        "s",
        "'s",
        ".",
        "..",
        "-",
        "--",
        ",",
        ":",
        " ",
        "  ",
        "\u00a0",
        '"',
        "“",
        "(",
        ")",
        "é",
        "É",
        "中",
        "$",
        "www.",
        "@",
        "x@y.z",
        "http://",
        "cannot",
        "gonna",
        "'tis",
        "…",
        "—",
        "\u2010",
        "\u00ad",
        "😀",
        "`",
        "t",
        "ll",
        "\u200d",
        "e.g",
        "/",
        "_",
        "\x00",
        "?",
        "!",
        ";",
        "B",
        "Inc",
        "\ufeff",
    ]
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("They can't pay.", "They ca n't pay ."),
        ("Mr. Smith left. He'd gone.", "Mr. Smith left . He 'd gone ."),
        ("Who'd've thought?", "Who 'd 've thought ?"),
        ('"No," he said.', '" No , " he said .'),
        ("It's 1,000 at 10:30.", "It 's 1,000 at 10:30 ."),
        ("The U.S. won; Inc. too.", "The U.S. won ; Inc. too ."),
        ("I cannot -- gonna wait...", "I can not -- gon na wait ..."),
        ("See www.example.com/a?b=1.", "See www.example.com/a?b=1 ."),
        ("Ask a.b@c.org!", "Ask a.b@c.org !"),
        ("the dogs' well-known '90s", "the dogs ' well-known '90s"),
        ("do n't it 's", "do n't it 's"),
        ("don’t “quote” it’s", "do n’t “ quote ” it ’s"),
        ("No. 5 is here. No. Never.", "No. 5 is here . No . Never ."),
    ],
)
def test_treebank_rules(text, tokens):
    assert " ".join(tokenize(text).tokens) == tokens


def check_against_oracle(text):
    sentence = tokenize(text)
    assert list(sentence.spans) == oracle.tokenize(text), text
    assert all(text[b:e] == t for (b, e), t in zip(sentence.spans, sentence.tokens, strict=True))


@settings(max_examples=1500, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_equals_the_oracle_on_pieces(text):
    check_against_oracle(text)


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet=st.characters(max_codepoint=0x2FF, exclude_categories=["Cs"])))
def test_equals_the_oracle_on_any_text(text):
    check_against_oracle(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_loses_nothing_but_white_space(text):
    spans = tokenize(text).spans
    covered = {i for begin, end in spans for i in range(begin, end)}
    assert all(
        text[i].isspace() or text[i] in "\u200b\ufeff" for i in range(len(text)) if i not in covered
    )
    assert all(a[1] <= b[0] for a, b in pairwise(spans))


def test_white_space_tokenizer():
    assert tokenize("don't\tsplit \u00a0 this.", "none").tokens == ("don't", "split", "this.")


def test_long_runs_neither_crash_nor_crawl():
    assert len(tokenize("a" + "'s" * 500_000).tokens) == 500_001
    assert len(tokenize("..--" * 100_000).tokens) == 200_000
    assert len(tokenize("x.y@" * 100_000).tokens) == 100_000  # x.y@x.y and @ in turns


def test_errors():
    with pytest.raises(UsageError, match="did you mean 'penn'"):
        tokenize("x", "pen")
    with pytest.raises(InputError, match="lone surrogate at character 2"):
        tokenize("a\ud800")


@pytest.mark.data
def test_equals_the_oracle_on_real_text(wmt15, shared):
    for row in wmt15[:800]:
        check_against_oracle(row["hypothesis"])
        check_against_oracle(row["references"][0])
    for name in ("tatoeba-fra", "docs-fr"):
        with gzip.open(shared / "bitext" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number % 97 == 0:
                    check_against_oracle(line.split("\t")[0])


@pytest.mark.data
def test_close_to_nltk_on_real_text(wmt15):
    """NLTK's Treebank tokenizer, which takes the text as one sentence and rewrites quotes."""
    from nltk.tokenize import TreebankWordTokenizer

    nltk = TreebankWordTokenizer()
    same = 0
    for row in wmt15:
        theirs = [{"``": '"', "''": '"'}.get(t, t) for t in nltk.tokenize(row["hypothesis"])]
        same += theirs == list(tokenize(row["hypothesis"]).tokens)
    assert same / len(wmt15) > 0.9


WORDS_OF_SCRIPT = "it dog U.S. 43,405 's 'd 'll 'VE n't N'T ... -- cannot Gonna 'tis more'n"
SCRIPT_PIECES = st.sampled_from([*"aT1.,:?!()[]'$@-é  ", '"', *WORDS_OF_SCRIPT.split()])


@settings(max_examples=1500)
@given(st.lists(SCRIPT_PIECES, max_size=12).map("".join))
def test_treebank_tokens_are_those_of_the_script(text):
    assert list(tokenize(text, "treebank").tokens) == treebank.tokenize(text)


def test_typographic_marks_are_read_as_those_of_the_script():
    curly = (
        "\u201cHe doesn\u2019t know it\u2026 it\u2019s Ann\u2019s,\u201d she said \u2014 softly."
    )
    plain = '" He does n\u2019t know it \u2026 it \u2019s Ann \u2019s , " she said \u2014 softly .'
    tokens = tokenize(curly, "treebank").tokens
    assert " ".join(tokens).replace("\u201c", '"').replace("\u201d", '"') == plain
