"""Holes: content that one of two texts lacks although all else is the same.

A statement, a member of a list or a restriction that is left out changes what is said. Words that
the rest implies do not: "bake in the oven".
"""

from __future__ import annotations

from otherwords.metrics.facts.alignment import STEM, Pair, Slot
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.reading import Side
from otherwords.metrics.facts.words import LIGHT

__all__ = ["is_certain", "is_replaced"]

_TIGHT = 0.66  # how much of the surroundings is the same
_REST = 0.93  # share of the content outside the hole that must be the same
_JOINING = frozenset("and or but nor , ; plus".split())
_CLAUSES = frozenset("if unless when whenever because while who which whose where provided".split())
_EMPTY = frozenset("the a an , ; and or of 's - that".split())  # what can stand in a hole
_RELATED = 0.33  # cosine from which on the rest may imply a word
_UNRELATED = 0.28
_TIGHTER = 0.83
_FEW = 2  # words that replace each other
_STRONG = ("NN", "VB", "JJ", "CD")


def is_certain(calls: Calls, slot: Slot) -> bool:
    """Whether what stands on one side of the slot is said nowhere on the other."""
    pair = calls.pair
    if not slot.closed or slot.tight < _TIGHT:
        return False
    mine, theirs = slot.a, slot.b
    side, other = pair.a, pair.b
    if _is_empty(pair.a, slot.a):
        mine, theirs, side, other = slot.b, slot.a, pair.b, pair.a
    if not _is_empty(other, theirs) or not _is_rest_same(pair, slot):
        return False
    strong = [u for u in range(*mine) if _is_strong(side, u)]
    if not strong:
        return False
    if _is_joined(side, mine) or any(side.lemmas[u] in _CLAUSES for u in range(*mine)):
        return True
    around = [side.words[u] for u in range(len(side)) if side.content[u] and u not in range(*mine)]
    return all(calls.evidence.relatedness(side.words[u], around) < _RELATED for u in strong)


def is_replaced(calls: Calls, slot: Slot, mine: Units, theirs: Units) -> bool:
    """Whether a noun or an adjective stands in the place of one that has nothing to do with it,
    and all else is the same.
    """
    pair = calls.pair
    if not slot.closed or slot.tight < _TIGHTER or not _is_rest_same(pair, slot):
        return False
    words = []
    for side, units in ((pair.a, mine), (pair.b, theirs)):
        strong = [u for u in range(*units) if side.content[u]]
        if len(strong) > _FEW or not all(_is_strong(side, u) for u in strong):
            return False
        words.append([side.words[u] for u in strong])
    ends = pair.a.tags[mine[1] - 1][:2], pair.b.tags[theirs[1] - 1][:2]
    if ends not in (("NN", "NN"), ("JJ", "JJ")):
        return False
    return all(calls.evidence.relatedness(word, words[1]) < _UNRELATED for word in words[0])


def _is_empty(side: Side, units: Units) -> bool:
    return all(side.words[u] in _EMPTY for u in range(*units))


def _is_strong(side: Side, unit: int) -> bool:
    if side.lemmas[unit] in LIGHT or not side.content[unit]:
        return False
    return side.tags[unit].startswith(_STRONG) and side.weights[unit] > 0.3


def _is_joined(side: Side, units: Units) -> bool:
    """Whether the units are a member of a list or a clause that is joined to the rest."""
    if any(side.words[u] in _JOINING for u in range(*units)):
        return True
    before = side.words[units[0] - 1] if units[0] else ""
    after = side.words[units[1]] if units[1] < len(side) else ""
    return before in _JOINING and after in _JOINING


def _is_rest_same(pair: Pair, slot: Slot) -> bool:
    """Whether the words outside the slot are the same in the same order, but for small words."""
    last, same, total = -1, 0.0, 0.0
    for side, links, units in ((pair.a, pair.to_b, slot.a), (pair.b, pair.to_a, slot.b)):
        for unit, weight in enumerate(side.weights):
            if units[0] <= unit < units[1]:
                continue
            total += weight
            link = links[unit]
            if link < 0:
                continue
            if pair.kinds[unit if side is pair.a else link] >= STEM:
                same += weight
            if side is pair.a and weight > 0:
                if link < last:
                    return False
                last = link
    return total > 0 and same >= _REST * total
