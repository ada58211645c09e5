"""What no other kind has called: words that are missing, added, replaced, or in disorder."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import SAME, STEM, Pair, Slot
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

_WINDOW = 5  # units on either side that say how reworded a place is
_REPLACED = 0.6  # what a replaced word loses in a context that is the same


def find(calls: Calls) -> None:
    """Call the content of every slot, then links between different words, then disorder."""
    for slot in calls.pair.slots:
        mine = _content(calls.pair.a, slot.a, calls.called_a)
        theirs = _content(calls.pair.b, slot.b, calls.called_b)
        if mine and theirs:
            _replaced(calls, slot, mine, theirs)
        elif mine:
            weight = _certainty(calls.pair, slot)
            calls.add("words", "added", weight, mine, slot.b)
        elif theirs:
            weight = _certainty(calls.pair, slot)
            calls.add("words", "missing", weight, slot.a, theirs)
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


def _disorder(calls: Calls) -> None:
    """The same words in hardly any of their old neighbourhoods: the text has been shuffled."""
    pair = calls.pair
    linked = [(i, j) for i, j in enumerate(pair.to_b) if j >= 0 and pair.kinds[i] == SAME]
    if len(linked) < 6 or len(linked) < 0.8 * max(len(pair.a), len(pair.b)):
        return
    kept = sum(pair.to_b[i + 1] == j + 1 for i, j in linked if i + 1 < len(pair.a))
    share = kept / (len(linked) - 1)
    if share < 0.4:
        whole = (0, len(pair.a)), (0, len(pair.b))
        calls.add("order", "unknown", 1 - share, *whole)
