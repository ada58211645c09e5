"""Two texts as passages that belong together: how a model of short texts reads long ones.

Sentences are aligned, Markdown and HTML are blanked out, code is compared as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from otherwords.metrics.pairs import plain
from otherwords.metrics.sentence_alignment import LARGEST, Points, align_sentences
from otherwords.stats.arrays import Array
from otherwords.text.sentences import is_closing, is_courtesy, split_sentences
from otherwords.text.values import NUMERIC, Difference, compare_values, read_values

Span = tuple[int, int]

NEAR = 2  # sentences that may cover one without a counterpart
MOST_WORDS = 120  # a longer sentence is cut
BRIEF = 100  # words of two texts together that are read whole, too
_AROUND = 512  # sentences of the other text on each side that are compared with one
_WORD = re.compile(r"\S+")
_PRONOUN = re.compile(r"(?:He|She|It|They)\b")
_GAP = re.compile(r"\s+(?=[.,;:!?])")  # where markup stood before a mark
_CODE = re.compile(r"`{3}|~{3}|<pre\b", re.I)
_MARKS = re.compile(
    r"!?\[(?P<label>[^\[\]\n]*)\](?P<target>\([^()\s]*(?:[ ]\"[^\"\n]*\")?\))"
    r"|(?<!\w)(?P<mark>\*{1,3}|_{1,3}|~~|`+)(?=\S)(?P<inner>[^\n]{1,1000}?)(?<=\S)(?P=mark)(?!\w)"
    r"|<(?P<address>(?:(?:https?|ftp|mailto|tel):|[\w.+-]+@)[^<>\s]+)>"
    # Atomic, so that a tag without an end is not searched again from each of its targets.
    r"|</?[A-Za-z](?>(?:[^<>\n]*?\s(?:href|src)=(?P<quote>[\"'])(?P<href>[^<>\"'\n]*)(?P=quote))?)"
    r"[^<>\n]*>"
    r"|^[ \t]*(?:(?:\#{1,6}|[-+*•]|\d{1,3}[.)])[ \t]+|>)",
    re.M,
)


def blank_markup(text: str, *, with_targets: bool = False) -> str:
    """The text with spaces in place of Markdown and HTML; targets of links may be kept.

    >>> blank_markup("**Pay** [here](https://a.org)!")
    '  Pay    here                 !'
    """
    return _MARKS.sub(lambda mark: _blank(mark, with_targets), text)


def _blank(mark: re.Match[str], with_targets: bool) -> str:
    kept = [" "] * len(mark[0])
    targets = "target", "href"
    for name in ("label", "inner", "address", *(targets if with_targets else ())):
        if mark[name]:
            begin = mark.start(name) - mark.start()
            inside = blank_markup(mark[name], with_targets=with_targets)
            kept[begin : begin + len(inside)] = inside
    return "".join(kept)


class Passage(NamedTuple):
    """Spans of a rewrite and of its original that belong together.

    Where one text has no counterpart, its span is empty and marks the place; `near` are its
    sentences that are most similar.
    """

    rewrite: Span
    original: Span
    near: tuple[Span, ...] = ()

    @property
    def spans(self) -> tuple[Span, Span]:
        return self.rewrite, self.original

    @property
    def alone(self) -> int | None:
        """The side that has no counterpart: 0 for the rewrite, 1 for the original."""
        return (0 if self.rewrite[0] < self.rewrite[1] else 1) if self.near else None

    def has(self, rewrite: Span, original: Span) -> bool:
        """Whether it holds spans of both texts; one of them may be empty."""
        inside = [
            mine[0] <= span[0] < span[1] <= mine[1]
            for mine, span in ((self.rewrite, rewrite), (self.original, original))
            if span[0] < span[1]
        ]
        return bool(inside) and all(inside)


class TextPair:
    """A rewrite and its original, split into sentences and blocks of code."""

    def __init__(self, rewrite: str, original: str) -> None:
        self.texts = rewrite, original
        self._blanked = blank_markup(rewrite), blank_markup(original)
        self.sentences: list[list[Span]] = []
        self.code: list[list[Span]] = []
        for text in self.texts:
            spans = split_sentences(text)
            self.code.append([span for span in spans if _CODE.match(text, *span)])
            prose = (span for span in spans if not _CODE.match(text, *span))
            self.sentences.append([piece for span in prose for piece in _cut(text, span)])
        sizes = sorted(len(spans) for spans in self.sentences)
        is_short = sizes[0] == 0 or (sizes[0] == 1 and sizes[1] <= LARGEST)
        self.is_long = not is_short or (sizes[0] > 0 and any(self.code))
        words = sum(len(_WORD.findall(text)) for text in self.texts) if self.is_long else 0
        self.is_brief = 0 < words <= BRIEF and not any(self.code)

    def read(self, side: int, *spans: Span) -> str:
        """The words of spans of one text, as a model reads them."""
        words = " ".join(plain(self._blanked[side][slice(*span)]).strip() for span in spans)
        return words if self._blanked[side] == self.texts[side] else _GAP.sub("", words)

    def words(self, side: int) -> list[str]:
        """The sentences of one text, as a model reads them."""
        return [self.read(side, span) for span in self.sentences[side]]

    @property
    def whole(self) -> Passage:
        """Both texts as one passage."""
        return Passage((0, len(self.texts[0])), (0, len(self.texts[1])))

    def passages(self, vectors: Mapping[str, Array]) -> list[Passage]:
        """The passages in the order of the original; the whole texts if they are short.

        `vectors` has those of the sentences.
        """
        if not self.is_long:
            return [self.whole]
        mine, theirs = self.sentences
        rewrite, original = (
            Points.of(words, np.array([vectors[word] for word in words]))
            for words in (self.words(0), self.words(1))
        )
        rows = rewrite.rows, original.rows
        ends: dict[int, int] = {}  # by sentence of the rewrite: where its original ends
        last = 0  # where the rewrite of the sentence before ends
        passages = []
        for (a, b), (c, d) in align_sentences(original, rewrite):
            near: tuple[Span, ...] = ()
            if c == d:
                here, there = (last, last), (theirs[a][0], theirs[b - 1][1])
                near = _nearest(rows[1][a], rows[0], mine, a / len(theirs))
            elif a == b:
                place = ends.get(c - 1, 0)
                here, there = (mine[c][0], mine[d - 1][1]), (place, place)
                near = _nearest(rows[0][c], rows[1], theirs, c / len(mine))
            else:
                here, there = (mine[c][0], mine[d - 1][1]), (theirs[a][0], theirs[b - 1][1])
                last = here[1]
            ends |= dict.fromkeys(range(c, d), there[1])
            passages.append(Passage(here, there, near))
        return [passage for passage in passages if not self._is_courtesy(passage)] or passages

    def _is_courtesy(self, passage: Passage) -> bool:
        """Whether it opens or ends a letter without a counterpart, or ends both."""
        side = passage.alone
        if side is not None:
            return is_courtesy(self.read(side, passage.spans[side]))
        return all(is_closing(self.read(side, passage.spans[side])) for side in (0, 1))

    def question(self, passage: Passage) -> tuple[str, str]:
        """The words of both texts that are compared for a passage."""
        spans = [[passage.rewrite], [passage.original]]
        if passage.alone is not None:
            spans[1 - passage.alone] = list(passage.near)
        rewrite, original = self.read(0, *spans[0]), self.read(1, *spans[1])
        return (
            self._resolve(0, passage.rewrite, rewrite, original),
            self._resolve(1, passage.original, original, rewrite),
        )

    def _resolve(self, side: int, span: Span, words: str, other: str) -> str:
        """The words with the name that a pronoun at their beginning stands for: the first of the
        other text's words, if it is the only name in the sentence before.
        """
        pronoun = _PRONOUN.match(words)
        if pronoun is None or span[0] == 0:
            return words
        before = [place for place in self.sentences[side] if place[1] <= span[0]]
        names = {
            value.text
            for place in before[-1:]
            for value in read_values(self.read(side, place))
            if value.kind == "name"
        }
        if len(names) == 1 and other.startswith(name := names.pop()):
            return name + words[pronoun.end() :]
        return words

    def differences(self, passages: Sequence[Passage]) -> list[tuple[int, Difference]]:
        """The values that differ, each with the place of its passage.

        A value is missing or new only if the whole other text lacks it: a name may stand in another
        sentence, or as a pronoun. A changed number counts wherever its new value stands.
        """
        texts = [
            _without(blank_markup(text, with_targets=True), code)
            for text, code in zip(self.texts, self.code, strict=True)
        ]
        everywhere = compare_values(texts[1], texts[0])
        differences = [(0, block) for block in self._changed_code()]
        if not self.is_long:
            return differences + [(0, value) for value in everywhere]
        gone = {key for value in everywhere for key in _keys(value)}
        for place, (here, there, near) in enumerate(passages):
            if not near:
                for value in compare_values(texts[1][slice(*there)], texts[0][slice(*here)]):
                    is_changed = value.verdict == "changed" and value.kind in NUMERIC
                    if is_changed or _keys(value) <= gone:
                        differences.append((place, _shift(value, here[0], there[0])))
        gone -= {key for _, value in differences for key in _keys(value)}
        for value in everywhere:
            for key in sorted(gone & _keys(value)):
                differences += self._lone(key[0], value, passages)
        return differences

    def _lone(
        self, side: int, value: Difference, passages: Sequence[Passage]
    ) -> Iterator[tuple[int, Difference]]:
        """One side of a difference, if it stands in a passage and says enough without the other."""
        span = value.original if side else value.rewrite
        for place, passage in enumerate(passages):
            begin, end = passage.spans[side]
            if begin <= span[0] < end:
                words = self.texts[side][begin:end]
                alone = compare_values(words, "") if side else compare_values("", words)
                told = any(_keys(value) & _keys(other) for other in alone)
                if told or value.verdict != "changed":
                    words = self.texts[side][slice(*span)]
                    missing = Difference(value.kind, "missing", span, (0, 0), words, "")
                    added = Difference(value.kind, "added", (0, 0), span, "", words)
                    yield place, missing if side else added

    def _changed_code(self) -> Iterator[Difference]:
        """Blocks of code that only one of the texts has, in pairs by their order."""
        blocks = [
            [(self.texts[side][slice(*span)], span) for span in self.code[side]] for side in (0, 1)
        ]
        mine, theirs = (
            [block for block in blocks[side] if block[0] not in dict(blocks[1 - side])]
            for side in (0, 1)
        )
        for new, lost in zip_longest(mine, theirs, fillvalue=("", (0, 0))):
            new, lost = _changed_lines(new, lost)
            verdict = "changed" if new[0] and lost[0] else "missing" if lost[0] else "added"
            yield Difference("code", verdict, lost[1], new[1], lost[0], new[0])


def _changed_lines(
    new: tuple[str, Span], lost: tuple[str, Span]
) -> tuple[tuple[str, Span], tuple[str, Span]]:
    """Two different blocks with their places, without the lines at both ends that are the same."""
    blocks = [block[0].splitlines(keepends=True) for block in (new, lost)]
    head = tail = 0
    while head < min(map(len, blocks)) and blocks[0][head] == blocks[1][head]:
        head += 1
    while tail < min(map(len, blocks)) - head and blocks[0][-1 - tail] == blocks[1][-1 - tail]:
        tail += 1
    begin, cut = len("".join(blocks[0][:head])), len("".join(blocks[0][len(blocks[0]) - tail :]))
    (a, b), (c, d) = new[1], lost[1]
    return (
        (new[0][begin : len(new[0]) - cut], (a + begin, b - cut)),
        (lost[0][begin : len(lost[0]) - cut], (c + begin, d - cut)),
    )


def _keys(value: Difference) -> set[tuple[int, str, str]]:
    """The sides of a difference: the text (0 for the rewrite), the kind, the words."""
    sides = enumerate((value.rewrite_text, value.original_text))
    return {(side, value.kind, words) for side, words in sides if words}


def _shift(value: Difference, rewrite: int, original: int) -> Difference:
    """The difference with offsets into whole texts; an empty span marks the place."""
    return value._replace(
        rewrite=(value.rewrite[0] + rewrite, value.rewrite[1] + rewrite),
        original=(value.original[0] + original, value.original[1] + original),
    )


def _without(text: str, spans: Sequence[Span]) -> str:
    """The text with spaces in place of some spans."""
    for begin, end in spans:
        text = text[:begin] + " " * (end - begin) + text[end:]
    return text


def _cut(text: str, span: Span) -> Iterator[Span]:
    """The sentence, in several parts if it is very long."""
    words = [word.span() for word in _WORD.finditer(text, *span)]
    if len(words) <= MOST_WORDS + MOST_WORDS // 2:
        yield span
    else:
        for begin in range(0, len(words), MOST_WORDS):
            yield words[begin][0], words[begin : begin + MOST_WORDS][-1][1]


def _nearest(row: Array, others: Array, spans: list[Span], share: float) -> tuple[Span, ...]:
    """The most similar of the sentences around a place."""
    begin = max(0, int(share * len(others)) - _AROUND)
    best = np.argsort(-(others[begin : begin + 2 * _AROUND] @ row), kind="stable")[:NEAR]
    return tuple(spans[begin + place] for place in sorted(best.tolist()))
