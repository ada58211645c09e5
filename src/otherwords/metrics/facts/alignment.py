"""Which unit of one text stands for which of the other, and what is left between them.

Words that are the same, in form, lemma or stem, are linked first, each where its neighbours agree
most; then words of which there is evidence (`evidence.py`); then function words beside linked
neighbours. What stays unlinked falls into slots: stretches of both texts between the same
neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from otherwords.metrics.facts.evidence import NONE, OPPOSITE, SPELLING, VECTOR, Evidence, Word
from otherwords.metrics.facts.poles import ENDS
from otherwords.metrics.facts.reading import Side

__all__ = ["LEMMA", "SAME", "STEM", "Pair", "Slot", "align", "tightness"]

STEM, LEMMA, SAME = 10, 11, 12  # kinds of links above those of evidence
_IDENTITY = {SAME: 1.0, LEMMA: 0.97, STEM: 0.93}
_NEAR = ((1, 0.5), (2, 0.3), (3, 0.2))  # neighbours and what they count
_CONTEXT = 0.6  # what neighbours count beside the words themselves
_DISTORTION = 0.3
_LEAST = 0.62  # score of a link by evidence
_REACH = 3  # units of context on either side of a slot


@dataclass(frozen=True)
class Slot:
    """Unlinked units of both texts, [begin, end) each, with the same neighbours.

    `tight` is 1 if the three units on either side are the same in both texts, 0 if none is;
    `closed` if the neighbours on both sides are linked to each other, so that what stands in one
    text stands for what stands in the other.
    """

    a: tuple[int, int]
    b: tuple[int, int]
    tight: float
    closed: bool


@dataclass
class Pair:
    """Two texts and the links between their units."""

    a: Side
    b: Side
    to_b: list[int] = field(default_factory=list)
    to_a: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)  # of each unit of a: how it is linked
    scores: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.size_a, self.size_b = len(self.a), len(self.b)
        self.to_b = [-1] * len(self.a)
        self.to_a = [-1] * len(self.b)
        self.kinds = [NONE] * len(self.a)
        self.scores = [0.0] * len(self.a)

    def link(self, i: int, j: int, kind: int, score: float) -> None:
        """Link unit i of a with unit j of b."""
        self.to_b[i], self.to_a[j], self.kinds[i], self.scores[i] = j, i, kind, score

    def unlink(self, i: int) -> None:
        """Take the link of unit i of a away."""
        self.to_a[self.to_b[i]] = -1
        self.to_b[i], self.kinds[i], self.scores[i] = -1, NONE, 0.0

    def same(self, i: int, j: int) -> bool:
        """Whether the units are linked as the same word; both ends count as the same."""
        if 0 <= i < self.size_a and 0 <= j < self.size_b:
            return self.to_b[i] == j and self.kinds[i] >= STEM
        return (i < 0 and j < 0) or (i >= self.size_a and j >= self.size_b)

    def linked(self, i: int, j: int) -> bool:
        """Whether the units are linked; both ends count as linked."""
        if 0 <= i < self.size_a and 0 <= j < self.size_b:
            return self.to_b[i] == j
        return (i < 0 and j < 0) or (i >= self.size_a and j >= self.size_b)

    def context(self, i: int, j: int) -> float:
        """Share of the three units on either side of unit i of a and j of b that are the same."""
        return tightness(self, (i, i + 1), (j, j + 1))

    @cached_property
    def sameness(self) -> float:
        """Share of the content of both texts that is linked as the same words."""
        total = self.a.total + self.b.total
        if total <= 0:
            return 1.0
        same = sum(
            self.a.weights[i] + self.b.weights[j]
            for i, j in enumerate(self.to_b)
            if j >= 0 and self.kinds[i] >= STEM
        )
        return same / total

    @cached_property
    def unlinked(self) -> float:
        """Share of the content of both texts that has no link at all."""
        total = self.a.total + self.b.total
        linked = sum(
            self.a.weights[i] + self.b.weights[j] for i, j in enumerate(self.to_b) if j >= 0
        )
        return max(0.0, 1.0 - linked / total) if total > 0 else 0.0

    @cached_property
    def slots(self) -> list[Slot]:
        """All stretches that are not linked, in the order of a, then those of b alone."""
        return _slots(self)


def align(pairs: Sequence[tuple[Side, Side]], evidence: Evidence) -> list[Pair]:
    """Link the units of each pair of texts."""
    linked = [Pair(a, b) for a, b in pairs]
    for pair in linked:
        _link_same(pair)
    _link_alike(linked, evidence)
    for pair in linked:
        _link_function_words(pair)
        _link_within_slots(pair)
        _link_misspelt(pair, evidence)
    return linked


def _link_same(pair: Pair) -> None:
    """Content words and numbers that are the same, best context first."""
    a, b = pair.a, pair.b
    if a.words == b.words:
        for unit in range(len(a)):
            pair.link(unit, unit, SAME, 1.0)
        return
    found: dict[int, int] = {}
    width = len(b) + 8
    for kind, mine, theirs in (
        (SAME, a.words, b.words),
        (LEMMA, a.lemmas, b.lemmas),
        (STEM, a.stems, b.stems),
    ):
        places: dict[str, list[int]] = {}
        for j, word in enumerate(theirs):
            places.setdefault(word, []).append(j)
        for i, word in enumerate(mine):
            for j in places.get(word, ()):
                found.setdefault(i * width + j, kind)
    for i, number in a.numbers.items():
        for j, other in b.numbers.items():
            if number.equals(other):
                found.setdefault(i * width + j, LEMMA)
    scored = []
    for key, kind in found.items():
        i, j = divmod(key, width)
        if not (a.content[i] or b.content[j]):
            continue
        near = 0.0
        for step, count in _NEAR:
            near += count * ((key - step * (width + 1)) in found)
            near += count * ((key + step * (width + 1)) in found)
        distortion = abs(i / pair.size_a - j / pair.size_b)
        score = _IDENTITY[kind] + _CONTEXT * near / 2 - _DISTORTION * distortion
        scored.append((-round(score, 9), i, j, kind))
    scored.sort()
    for score, i, j, kind in scored:
        if pair.to_b[i] < 0 and pair.to_a[j] < 0:
            pair.link(i, j, kind, -score)


def _link_alike(pairs: Sequence[Pair], evidence: Evidence) -> None:
    """Content words that are left, by evidence and context."""
    candidates: list[tuple[int, int, int]] = []
    left: list[Word] = []
    right: list[Word] = []
    for number, pair in enumerate(pairs):
        mine = [i for i, j in enumerate(pair.to_b) if j < 0 and _open(pair.a, i, pair.b)]
        theirs = [j for j, i in enumerate(pair.to_a) if i < 0 and _open(pair.b, j, pair.a)]
        words = [_word(pair.b, j) for j in theirs]
        for i in mine:
            word = _word(pair.a, i)
            for j, other in zip(theirs, words, strict=True):
                candidates.append((number, i, j))
                left.append(word)
                right.append(other)
    similarity, kinds = evidence.of(left, right)
    scored: dict[int, list[tuple[float, int, int, int]]] = {}
    for k in np.flatnonzero(kinds).tolist():
        number, i, j = candidates[k]
        pair, kind = pairs[number], int(kinds[k])
        if kind != OPPOSITE and not (pair.a.content[i] and pair.b.content[j]):
            continue
        near = 0.0
        for step, count in _NEAR:
            near += count * pair.linked(i - step, j - step)
            near += count * pair.linked(i + step, j + step)
        distortion = abs(i / pair.size_a - j / pair.size_b)
        score = float(similarity[k]) + _CONTEXT * near / 2 - _DISTORTION * distortion
        if kind == VECTOR and pair.a.tags[i][:2] != pair.b.tags[j][:2]:
            score -= 0.1
        if score >= _LEAST:
            scored.setdefault(number, []).append((-round(score, 6), i, j, kind))
    for number, rows in scored.items():
        pair = pairs[number]
        for score, i, j, kind in sorted(rows):
            if pair.to_b[i] < 0 and pair.to_a[j] < 0:
                pair.link(i, j, kind, -score)


def _open(side: Side, unit: int, other: Side) -> bool:
    """Whether evidence is looked for: words with content, and function words that have opposites
    and are not in the other text themselves.
    """
    if side.content[unit]:
        return unit not in side.numbers
    return side.lemmas[unit] in ENDS and side.lemmas[unit] not in other.lemmas


def _word(side: Side, unit: int) -> Word:
    return Word(side.words[unit], side.lemmas[unit], side.stems[unit], side.is_name(unit))


def _link_function_words(pair: Pair) -> None:
    """Function words and punctuation that are the same, beside neighbours that are linked."""
    a, b = pair.a, pair.b
    places: dict[str, list[int]] = {}
    for j, word in enumerate(b.lemmas):
        if pair.to_a[j] < 0 and not b.content[j]:
            places.setdefault(word, []).append(j)
    for _ in range(2):  # the second time along links of the first
        scored = []
        for i, word in enumerate(a.lemmas):
            if pair.to_b[i] >= 0 or a.content[i]:
                continue
            for j in places.get(word, ()):
                if pair.to_a[j] >= 0:
                    continue
                near = 0.0
                for step, count in _NEAR:
                    near += count * (
                        pair.linked(i - step, j - step) + pair.linked(i + step, j + step)
                    )
                if near > 0:
                    scored.append((-round(near, 6), abs(i - j), i, j))
        for _, _, i, j in sorted(scored):
            if pair.to_b[i] < 0 and pair.to_a[j] < 0:
                pair.link(i, j, SAME, 1.0)


def _link_within_slots(pair: Pair) -> None:
    """Function words that are the same and stand in the same slot, in order."""
    for slot in _slots(pair):
        j = slot.b[0]
        for i in range(*slot.a):
            if pair.a.content[i]:
                continue
            for place in range(j, slot.b[1]):
                if pair.a.words[i] == pair.b.words[place] and pair.to_a[place] < 0:
                    pair.link(i, place, SAME, 1.0)
                    j = place + 1
                    break


def _link_misspelt(pair: Pair, evidence: Evidence) -> None:
    """Function words of which one side has a form that nothing knows, in the same slot."""
    for slot in _slots(pair):
        for i in range(*slot.a):
            one = _word(pair.a, i)
            for j in range(*slot.b):
                free = pair.to_b[i] < 0 and pair.to_a[j] < 0
                if free and evidence.is_misspelt(one, _word(pair.b, j)):
                    pair.link(i, j, SPELLING, 1.0)


def _slots(pair: Pair) -> list[Slot]:
    slots = []
    taken: set[tuple[int, int]] = set()
    for begin, end in _runs(pair.to_b):
        before = pair.to_b[begin - 1] if begin else -1
        after = pair.to_b[end] if end < len(pair.a) else len(pair.b)
        run, closed = _between(pair.to_a, before, after)
        if closed:
            taken.add(run)
        tight = tightness(pair, (begin, end), run)
        slots.append(Slot((begin, end), run, tight if closed else min(tight, 0.5), closed))
    for begin, end in _runs(pair.to_a):
        if (begin, end) in taken:
            continue
        before = pair.to_a[begin - 1] if begin else -1
        after = pair.to_a[end] if end < len(pair.b) else len(pair.a)
        run, closed = _between(pair.to_b, before, after)
        tight = tightness(pair, run, (begin, end))
        slots.append(Slot(run, (begin, end), tight if closed else min(tight, 0.5), closed))
    return slots


def _runs(links: list[int]) -> list[tuple[int, int]]:
    runs, begin = [], -1
    for place, link in enumerate([*links, 0]):
        if link < 0 and begin < 0:
            begin = place
        elif link >= 0 and begin >= 0:
            runs.append((begin, place))
            begin = -1
    return runs


def _between(links: list[int], before: int, after: int) -> tuple[tuple[int, int], bool]:
    """What stands on the other side between two neighbours, and whether nothing there is linked."""
    if before < after and all(link < 0 for link in links[before + 1 : after]):
        return (before + 1, after), True
    place = before + 1 if before >= 0 else max(after, 0)
    return (place, place), False


def tightness(pair: Pair, a: tuple[int, int], b: tuple[int, int]) -> float:
    """Share of the three units on either side of the two stretches that are the same."""
    count = 0
    for back in range(1, _REACH + 1):
        if not pair.same(a[0] - back, b[0] - back):
            break
        count += 1
        if a[0] - back < 0:
            count = _REACH
            break
    for on in range(_REACH):
        if not pair.same(a[1] + on, b[1] + on):
            break
        count += 1
        if a[1] + on >= pair.size_a:
            count += _REACH - 1 - on
            break
    return count / (2 * _REACH)
