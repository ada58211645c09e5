"""What no other kind has called: words that are missing, added, replaced, or in disorder."""

from __future__ import annotations

from itertools import pairwise

from otherwords.metrics.facts.alignment import STEM, Pair, Slot
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.holes import is_certain, is_replaced
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

_WINDOW = 5  # units on either side that say how reworded a place is
_SAME_AROUND = 0.83  # context in which small words count
_NEEDED = frozenset("PRP VBZ VBP VBD VB MD WP EX".split())
_SMALL = 0.5
_FEWEST = 5  # content words of a text that can be in disorder
_REST = 0.85  # share of the content that must be the same
_KEPT = 0.35  # share of neighbours that a reordered text keeps at least
_DOUBT = 0.9  # weight of a hole that may be harmless
_OTHER = 0.7  # weight of a word that replaces another one
_REPLACED = 0.6  # what a replaced word loses in a context that is the same


def find(calls: Calls) -> None:
    """Call the content of every slot, then links between different words, then disorder."""
    for slot in calls.pair.slots:
        mine = _content(calls.pair.a, slot.a, calls.called_a)
        theirs = _content(calls.pair.b, slot.b, calls.called_b)
        if mine and theirs:
            _replaced(calls, slot, mine, theirs)
        elif mine:
            weight = 1.0 if is_certain(calls, slot) else min(_DOUBT, _certainty(calls.pair, slot))
            calls.add("words", "added", weight, mine, slot.b)
        elif theirs:
            weight = 1.0 if is_certain(calls, slot) else min(_DOUBT, _certainty(calls.pair, slot))
            calls.add("words", "missing", weight, slot.a, theirs)
        elif slot.closed and slot.tight >= _SAME_AROUND:
            _small_words(calls, slot)
    _equivalent(calls)
    _disorder(calls)


def _content(side: Side, units: Units, called: set[int]) -> Units | None:
    """The stretch from the first to the last content word that is not called yet."""
    found = [u for u in range(*units) if side.weights[u] > 0 and u not in called]
    return (found[0], found[-1] + 1) if found else None


def _certainty(pair: Pair, slot: Slot) -> float:
    """How sure it is that nothing elsewhere says the same: a hole in the same context is one,
    a word inside a rewording hardly.
    """
    same = _unchanged(pair, slot)
    return max(0.1, (0.3 + 0.7 * slot.tight) * same * same) if slot.closed else 0.25 * same


def _unchanged(pair: Pair, slot: Slot) -> float:
    """Share of the words around that are the same in both texts."""
    kept = total = 0.0
    for side, links, units in ((pair.a, pair.to_b, slot.a), (pair.b, pair.to_a, slot.b)):
        near = [
            *range(max(0, units[0] - _WINDOW), units[0]),
            *range(units[1], min(len(side), units[1] + _WINDOW)),
        ]
        for unit in near:
            weight = 0.2 + side.weights[unit]
            total += weight
            link = links[unit]
            if link >= 0:
                kind = pair.kinds[unit if links is pair.to_b else link]
                kept += weight * (1.0 if kind >= STEM else 0.5)
    return kept / total if total else 1.0


def _replaced(calls: Calls, slot: Slot, mine: Units, theirs: Units) -> None:
    """Different words in the same place: nothing says that they mean the same."""
    if is_replaced(calls, slot, mine, theirs):
        calls.add("words", "contradicted", _OTHER, mine, theirs)
        return
    certainty = _certainty(calls.pair, slot)
    calls.add("words", "unknown", max(0.15, _REPLACED * certainty), mine, theirs)


def _equivalent(calls: Calls) -> None:
    """Links between words that are not the same."""
    pair = calls.pair
    for i, kind in enumerate(pair.kinds):
        j = pair.to_b[i]
        if 0 < kind < STEM and calls.free((i, i + 1), (j, j + 1)):
            weight = min(1.0, pair.scores[i])
            calls.add("words", "equivalent", weight, (i, i + 1), (j, j + 1))


def _small_words(calls: Calls, slot: Slot) -> None:
    """A pronoun or a verb without content that one text lacks, all around it being the same."""
    a, b = calls.pair.a, calls.pair.b
    if slot.b[0] == slot.b[1] and any(a.tags[u] in _NEEDED for u in range(*slot.a)):
        calls.add("words", "added", _SMALL, slot.a, slot.b)
    elif slot.a[0] == slot.a[1] and any(b.tags[u] in _NEEDED for u in range(*slot.b)):
        calls.add("words", "missing", _SMALL, slot.a, slot.b)


def _disorder(calls: Calls) -> None:
    """The same words in hardly any of their old neighbourhoods: the text has been shuffled."""
    pair = calls.pair
    mine = [u for u in range(len(pair.a)) if pair.a.content[u]]
    theirs = [u for u in range(len(pair.b)) if pair.b.content[u]]
    if min(len(mine), len(theirs)) < _FEWEST or pair.sameness < _REST:
        return
    place = {unit: number for number, unit in enumerate(theirs)}
    order = [place.get(pair.to_b[unit], -2) for unit in mine]
    kept = sum(two == one + 1 for one, two in pairwise(order)) / (len(order) - 1)
    if kept < _KEPT:
        calls.add("order", "unknown", 1 - kept, (0, len(pair.a)), (0, len(pair.b)))
