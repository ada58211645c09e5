"""Changed sentences: a text misspelt, repeated, cut, negated or with one fact or word exchanged.

Used by the training of fluency (`tools/train_fluency.py`) and the gaming benchmark
(`bench.gaming`). A change never returns the original text, up to case and spacing; it returns None
if there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from otherwords import _native
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.stats.resampling import Stream
from otherwords.study.training.controls import without
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, tokenize
from otherwords.text.tagger import Tagger

Change = Callable[[Sentence, Stream], "str | None"]
_LINES = Path(__file__).with_name("opposites.txt").read_text("utf-8").splitlines()[1:]
OPPOSITES: dict[str, str] = dict(line.split("\t") for line in _LINES)
TRIES = 100
EVERY = 6  # one in six words is misspelt or repeated
_FINITE = ("MD", "VBZ", "VBP", "VBD")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_BE = ("am", "is", "are", "was", "were", "'m", "'re")
_AUXILIARIES = (*_BE, "do", "does", "did")
_PERFECT = ("has", "have", "had", "'ve")
_NOT = ("not", "n't")
_CLIPPED = {"ca": "can", "wo": "will", "sha": "shall"}  # tokens before n't
_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty"
    " fifty sixty seventy eighty ninety hundred thousand million billion"
).split()
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def changed(texts: Sequence[str], kind: str, *, seed: int = 0) -> list[str | None]:
    """Change each text in one way of `CHANGES`; None where there is nothing to change.

    >>> changed(["Ann sold two cars.", "Ben paid."], "name")
    ['Ben sold two cars.', 'Ann paid.']
    >>> changed(["Ann sold two cars.", "He did not pay."], "negated")
    ['Ann did not sell two cars.', 'He did pay.']
    >>> changed(["Ann sold two cars."], "no-subject")
    ['Sold two cars.']
    """
    if kind not in CHANGES:
        raise UsageError(f"unknown kind of change '{kind}'; {near(str(kind), CHANGES)}")
    seed = check_whole("seed", seed, 0, 2**63)
    stream = Stream(seed, list(CHANGES).index(kind))
    return list(apply([tokenize(text) for text in texts], stream, kind=kind))


def apply(sentences: Sequence[Sentence], stream: Stream, *, kind: str) -> Iterator[str | None]:
    """Yield the changed texts of sentences; untagged sentences are tagged if needed."""
    if kind == "name":
        yield from _rename(_tag(sentences), stream)
        return
    change = CHANGES[kind]
    for sentence in _tag(sentences) if kind in _TAGGED else sentences:
        text = change(sentence, stream)
        yield text if text and folded(text) != folded(sentence.text) else None


def folded(text: str) -> str:
    """Remove case and spaces, to decide whether two texts are the same."""
    return _native.lower("".join(text.split()))


def _tag(sentences: Sequence[Sentence]) -> list[Sentence]:
    tags = Tagger.load().tag([list(sentence.tokens) for sentence in sentences])
    return [
        sentence if sentence.tags else replace(sentence, tags=tuple(sentence_tags))
        for sentence, sentence_tags in zip(sentences, tags, strict=True)
    ]


def _draw_one(places: Sequence[int], stream: Stream) -> int:
    (drawn,) = stream.below([len(places)])
    return places[drawn]


def _splice(sentence: Sentence, words: dict[int, str]) -> str:
    """Replace some tokens of the text; capitalized tokens stay capitalized."""
    text, end = "", 0
    for place, word in sorted(words.items()):
        begin = sentence.spans[place][0]
        if sentence.text[begin : begin + 1].isupper():
            word = word[:1].upper() + word[1:]
        text += sentence.text[end:begin] + word
        end = sentence.spans[place][1]
    return text + sentence.text[end:]


def _recapitalise(text: str, sentence: Sentence) -> str:
    """Capitalize the text if the sentence starts with a capital."""
    return text[:1].upper() + text[1:] if sentence.text.lstrip()[:1].isupper() else text


def _draw_some(places: list[int], sentence: Sentence, stream: Stream) -> list[int]:
    """Draw one place for every `EVERY` words of the sentence, at least one."""
    return stream.shuffled(places)[: max(1, len(sentence.tokens) // EVERY)]


def _misspell(sentence: Sentence, stream: Stream) -> str | None:
    """Misspell some words of at least four letters."""
    long = [n for n, token in enumerate(sentence.tokens) if len(token) > 3 and token.isalpha()]
    return _splice(
        sentence,
        {n: _slip(sentence.tokens[n], stream) for n in _draw_some(long, sentence, stream)},
    )


def _slip(word: str, stream: Stream) -> str:
    """Misspell a word: drop or double a letter, swap two, or hit a neighbouring key."""
    lexicon = Lexicon.load()
    slipped = word
    for _ in range(TRIES):
        way, place = stream.below([4, len(word) - 1])
        place += 1  # first letters are rarely wrong
        before, letter, after = word[:place], word[place], word[place + 1 :]
        if way == 0:
            slipped = before + after
        elif way == 1:
            slipped = before + letter + letter + after
        elif way == 2:
            slipped = before[:-1] + letter + before[-1] + after
        else:
            row = next((row for row in _KEYBOARD if letter in row), letter)
            slipped = before + row[row.find(letter) - 1] + after
        if slipped != word and _native.lower(slipped) not in lexicon.native:
            break
    return slipped


def _repeat(sentence: Sentence, stream: Stream) -> str | None:
    """Repeat some words."""
    words = [n for n, token in enumerate(sentence.tokens) if _native.has_alphanumeric(token)]
    again = {n: sentence.tokens[n] for n in _draw_some(words, sentence, stream)}
    return _splice(sentence, {n: f"{word} {word}" for n, word in again.items()})


def _double(sentence: Sentence, _: Stream) -> str | None:
    return f"{sentence.text} {sentence.text}" if sentence.tokens else None


def _halve(sentence: Sentence, _: Stream) -> str | None:
    """Keep the first half of the words and the final punctuation mark."""
    words = [n for n, token in enumerate(sentence.tokens) if _native.has_alphanumeric(token)]
    if len(words) < 2:
        return None
    last = words[len(words) // 2]
    end = len(sentence.tokens) - 1
    return without(sentence, {n for n in range(last, end + 1) if n != end or n in words})


def _negate(sentence: Sentence, _: Stream) -> str | None:
    """Remove a negation if there is one, else negate the first finite verb."""
    tokens, tags = [_native.lower(token) for token in sentence.tokens], sentence.tags or ()
    for n, token in enumerate(tokens):
        if token in (*_NOT, "never"):
            clipped = n > 0 and token == "n't" and tokens[n - 1] in _CLIPPED
            text = without(sentence, {n})
            if clipped:
                verb = sentence.tokens[n - 1]
                begin = sentence.spans[n - 1][0]
                text = f"{text[:begin]}{_CLIPPED[tokens[n - 1]]}{text[begin + len(verb) :]}"
            return text
    for n, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
        following = tags[n + 1] if n + 1 < len(tags) else ""
        perfect = token in _PERFECT and following in ("VBN", "RB")
        if tag == "MD" or (tag in _FINITE and (token in _AUXILIARIES or perfect)):
            return _splice(sentence, {n: f"{sentence.tokens[n]} not"})
        if tag in _FINITE and token.isalpha():
            support = {"VBZ": "does", "VBP": "do", "VBD": "did"}[tag]
            [lemma] = Lexicon.load().lemmatize([token], [tag])
            return _splice(sentence, {n: f"{support} not {lemma}"})
    return None


def _change_number(sentence: Sentence, stream: Stream) -> str | None:
    numbers = [
        n
        for n, token in enumerate(sentence.tokens)
        if any(c.isdigit() for c in token) or _native.lower(token) in _NUMBERS
    ]
    if not numbers:
        return None
    n = _draw_one(numbers, stream)
    word = sentence.tokens[n]
    if _native.lower(word) in _NUMBERS:
        others = [other for other in _NUMBERS if other != _native.lower(word)]
        small = len(_NUMBERS) - 4  # two thousand, not two thousand fifteen
        here = _NUMBERS.index(_native.lower(word))
        others = others[:small] if here < small else others[small:]
        (drawn,) = stream.below([len(others)])
        return _splice(sentence, {n: others[drawn]})
    digit = _draw_one([i for i, c in enumerate(word) if c.isdigit()], stream)
    (step,) = stream.below([8])
    old = int(word[digit]) if word[digit].isascii() else 0
    new = next(d for d in (1 + (old + step + k) % 9 for k in range(2)) if d != old)
    return _splice(sentence, {n: f"{word[:digit]}{new}{word[digit + 1 :]}"})


def _oppose(sentence: Sentence, stream: Stream) -> str | None:
    """Replace one word by its opposite."""
    known = [n for n, token in enumerate(sentence.tokens) if _native.lower(token) in OPPOSITES]
    if not known:
        return None
    n = _draw_one(known, stream)
    return _splice(sentence, {n: OPPOSITES[_native.lower(sentence.tokens[n])]})


def _rename(sentences: Sequence[Sentence], stream: Stream) -> Iterator[str | None]:
    """Replace one name in each sentence by a name from another sentence."""
    runs = [_names(sentence) for sentence in sentences]
    pool = list(
        dict.fromkeys(
            sentence.text[sentence.spans[begin][0] : sentence.spans[end - 1][1]]
            for sentence, names in zip(sentences, runs, strict=True)
            for begin, end in names
        )
    )
    for sentence, names in zip(sentences, runs, strict=True):
        if not names or len(pool) < 2:
            yield None
            continue
        begin, end = names[_draw_one(range(len(names)), stream)]
        first, last = sentence.spans[begin][0], sentence.spans[end - 1][1]
        name = sentence.text[first:last]
        for _ in range(TRIES):
            other = pool[_draw_one(range(len(pool)), stream)]
            if not set(folded(other).split()) & {folded(name)}:
                break
        text = sentence.text[:first] + other + sentence.text[last:]
        yield text if folded(text) != folded(sentence.text) else None


def _names(sentence: Sentence) -> list[tuple[int, int]]:
    """Find runs of capitalized proper nouns."""
    runs: list[tuple[int, int]] = []
    for n, (token, tag) in enumerate(zip(sentence.tokens, sentence.tags or (), strict=True)):
        if tag not in ("NNP", "NNPS") or not token[:1].isupper():
            continue
        if runs and runs[-1][1] == n:
            runs[-1] = (runs[-1][0], n + 1)
        else:
            runs.append((n, n + 1))
    return runs


def _remove(places: Callable[[Sentence], list[list[int]]]) -> Change:
    """Make a change that deletes one of the groups of tokens that `places` finds."""

    def remove(sentence: Sentence, stream: Stream) -> str | None:
        groups = places(sentence)
        if not groups:
            return None
        (drawn,) = stream.below([len(groups)])
        return _recapitalise(without(sentence, set(groups[drawn])), sentence)

    return remove


def _with_tags(*wanted: str) -> Callable[[Sentence], list[list[int]]]:
    """Make a function that finds single words with one of these tags."""

    def places(sentence: Sentence) -> list[list[int]]:
        return [
            [n]
            for n, tag in enumerate(sentence.tags or ())
            if tag in wanted and sentence.tokens[n][:1].isalnum()
        ]

    return places


def _subjects(sentence: Sentence) -> list[list[int]]:
    """Find the pronoun or noun before each finite verb, alone and with its noun phrase."""
    tags = sentence.tags or ()
    groups: list[list[int]] = []
    for n in range(1, len(tags)):
        if tags[n] not in _FINITE or tags[n - 1] not in ("PRP", *_NOUNS):
            continue
        groups.append([n - 1])
        begin = n - 1
        while begin > 0 and tags[begin - 1] in ("DT", "PRP$", "JJ", "CD", *_NOUNS):
            begin -= 1
        if begin < n - 1 and tags[n - 1] != "PRP":
            groups.append(list(range(begin, n)))
    return groups


# The position of a kind selects its stream of random numbers, so add new kinds at the end.
CHANGES: dict[str, Change] = {
    "misspelt": _misspell,
    "repeated": _repeat,
    "doubled": _double,
    "halved": _halve,
    "negated": _negate,
    "number": _change_number,
    "name": lambda sentence, stream: next(_rename([sentence], stream)),
    "antonym": _oppose,
    "no-subject": _remove(_subjects),
    "no-verb": _remove(_with_tags("VB", "VBZ", "VBP", "VBD", "VBG", "VBN")),
    "no-noun": _remove(_with_tags("NN", "NNS")),
    "no-determiner": _remove(_with_tags("DT", "PRP$")),
    "no-preposition": _remove(_with_tags("IN", "TO")),
}
_TAGGED = ("negated", "no-subject", "no-verb", "no-noun", "no-determiner", "no-preposition")
