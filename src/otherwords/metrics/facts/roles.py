"""Roles: two phrases that have changed places around the same predicate."""

from __future__ import annotations

from typing import NamedTuple

from otherwords.metrics.facts.alignment import STEM, Pair
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.evidence import OPPOSITE
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

# What may stand between two phrases whose order does not matter.
_JOINING = frozenset("and or , ; & plus be as well the a an both nor / -".split())
_LISTING = frozenset(", and or ( ) ; / &".split())
_DEGREE = frozenset("so very even also only more most just".split())
_SENTENCE_ENDS = frozenset(". ? ! :".split())
_REST = 0.9  # share of the content that is the same where two neighbours are enough
_SYMMETRIC = frozenset(
    """between difference compare comparison versus vs v. similar similarity both meet marry
    equal resemble differ distinguish either neither different versa relationship relation
    connection together combine mix talk speak""".split()
)
_CLASSES = ("NN", "VB", "JJ", "CD", "RB")
_LONGEST = 5  # words of a phrase that changes places
_APART = 12  # units between two phrases


class Chunk(NamedTuple):
    """Units [a, a + size) that stand in the same order as [b, b + size)."""

    a: int
    b: int
    size: int


def find(calls: Calls) -> None:
    """Chunks X and Y, X before Y in one text and behind it in the other, in the same frame."""
    pair = calls.pair
    chunks = _chunks(pair)
    if len(chunks) < 3:
        _voices(calls)
        return
    for number, x in enumerate(chunks):
        if x.size > _LONGEST or not _has_content(pair.a, x):
            continue
        for y in chunks[number + 1 :]:
            if y.a - (x.a + x.size) > _APART:
                break
            if y.b >= x.b or y.size > _LONGEST or not _has_content(pair.a, y):
                continue
            if _changed(pair, x, y):
                if not calls.called_a.isdisjoint(range(x.a, y.a + y.size)):
                    return  # a relation whose ends are exchanged
                converse = _converse(pair, x, y)
                if converse is None:
                    a, b = (x.a, y.a + y.size), (y.b, x.b + x.size)
                    calls.add("roles", "contradicted", 0.8, a, b)
                else:  # taller and shorter, before and after
                    j = pair.to_b[converse]
                    calls.add("roles", "equivalent", 0.8, (converse, converse + 1), (j, j + 1))
                return
    _voices(calls)


def _converse(pair: Pair, x: Chunk, y: Chunk) -> int | None:
    """The unit between the two that is linked to its opposite."""
    near = range(max(0, x.a - 4), min(len(pair.a), y.a + y.size + 2))
    return next((u for u in near if pair.kinds[u] == OPPOSITE), None)


def _voices(calls: Calls) -> None:
    """The same verb between the same phrases, active in one text and passive in the other."""
    pair = calls.pair
    for i, j in enumerate(pair.to_b):
        if j < 0 or pair.kinds[i] < STEM or not pair.a.tags[i].startswith("VB"):
            continue
        one, other = _by_agent(pair.a, i), _by_agent(pair.b, j)
        if (one < 0) == (other < 0):
            continue
        if one >= 0:
            agent, subject = pair.to_b[one], _subject(pair.b, j)
            kept = 0 <= subject < j < agent and pair.to_a[subject] in range(i)
        else:
            agent, subject = pair.to_a[other], _subject(pair.a, i)
            kept = 0 <= subject < i < agent and pair.to_b[subject] in range(j)
        if kept and calls.free((i, i + 1), (j, j + 1)):
            calls.add("roles", "contradicted", 0.8, (i, i + 1), (j, j + 1))
            return


def _by_agent(side: Side, verb: int) -> int:
    """The noun behind "by" of a passive verb, -1 if there is none."""
    if side.tags[verb] not in ("VBN", "VBD") or verb + 2 >= len(side):
        return -1
    if not any(side.lemmas[u] in ("be", "get") for u in range(max(0, verb - 3), verb)):
        return -1
    for by in range(verb + 1, min(len(side) - 1, verb + 7)):
        if side.words[by] == "by":
            nouns = (u for u in range(by + 1, min(len(side), by + 5)) if side.tags[u][:2] == "NN")
            return next(nouns, -1)
        if (
            side.tags[by].startswith("VB")
            or side.words[by] in _SENTENCE_ENDS
            or side.words[by] == ","
        ):
            return -1
    return -1


def _subject(side: Side, verb: int) -> int:
    """The nearest noun before the verb, -1 if there is none."""
    nouns = (u for u in range(verb - 1, max(-1, verb - 5), -1) if side.tags[u][:2] == "NN")
    return next(nouns, -1)


def _chunks(pair: Pair) -> list[Chunk]:
    """Runs of links that keep the order, from left to right."""
    chunks: list[Chunk] = []
    for i, j in enumerate(pair.to_b):
        if j < 0 or pair.kinds[i] < STEM:
            continue
        last = chunks[-1] if chunks else None
        if last and last.a + last.size == i and last.b + last.size == j:
            chunks[-1] = Chunk(last.a, last.b, last.size + 1)
        else:
            chunks.append(Chunk(i, j, 1))
    return chunks


def _has_content(side: Side, chunk: Chunk) -> bool:
    return any(
        side.content[u] and side.tags[u].startswith(_CLASSES)
        for u in range(chunk.a, chunk.a + chunk.size)
    )


def _changed(pair: Pair, x: Chunk, y: Chunk) -> bool:
    """Whether X and Y have each other's neighbours, and what is between them tells them apart."""
    frame = (
        pair.linked(x.a - 1, y.b - 1),
        pair.linked(x.a + x.size, y.b + y.size),
        pair.linked(y.a - 1, x.b - 1),
        pair.linked(y.a + y.size, x.b + x.size),
    )
    between_a = range(x.a + x.size, y.a)
    between_b = range(y.b + y.size, x.b)
    around = [u for u in between_a if pair.to_b[u] in between_b]
    if not around:
        return False
    verb = any(pair.a.tags[u].startswith("VB") for u in around) and pair.sameness >= _REST
    if sum(frame) < (2 if verb and _nominal(pair.a, x) and _nominal(pair.a, y) else 3):
        return False
    if any(pair.a.words[u] in _SENTENCE_ENDS for u in between_a):
        return False
    if _is_coordinated(pair.a, x, y):
        return False
    if all(pair.a.lemmas[u] in _JOINING for u in between_a):
        return False
    if pair.a.words[between_a[0]] in _LISTING and pair.a.words[between_a[-1]] in _LISTING:
        return False
    near = range(max(0, x.a - 6), min(len(pair.a), y.a + y.size + 2))
    if any(pair.a.lemmas[u] in _SYMMETRIC for u in near):
        return False
    return _is_passive(pair.a, between_a) == _is_passive(pair.b, between_b)


def _nominal(side: Side, chunk: Chunk) -> bool:
    return any(side.tags[u].startswith("NN") for u in range(chunk.a, chunk.a + chunk.size))


def _is_coordinated(side: Side, x: Chunk, y: Chunk) -> bool:
    """Whether X and Y stand in two phrases that are joined and alike apart from them: black tea
    or green tea.
    """
    between = side.words[x.a + x.size : y.a]
    for place, word in enumerate(between):
        if word in ("and", "or"):
            behind_x, before_y = between[:place], between[place + 1 :]
            end = y.a + y.size
            if behind_x != side.words[end : end + len(behind_x)]:
                return False
            before = side.words[max(0, x.a - len(before_y)) : x.a]
            return before_y == before or all(w in _JOINING or w in _DEGREE for w in before_y)
    return False


def _is_passive(side: Side, units: range) -> bool:
    """Whether a participle with a form of be, and then by, stands among the units."""
    words = [side.words[u] for u in units]
    return "by" in words and any(side.tags[u] in ("VBN", "VBD") for u in units)
