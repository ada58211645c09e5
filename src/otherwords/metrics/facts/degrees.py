"""Degrees of comparison: more, less, most, least, equally, or none of them."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import STEM
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.negation import cues
from otherwords.metrics.facts.reading import Side

__all__ = ["degree", "find"]

_WORDS = {"more": "more", "less": "less", "fewer": "less", "most": "most", "least": "least"}
_TAGS = {"JJR": "more", "RBR": "more", "JJS": "most", "RBS": "most"}
_TIGHT = 0.33


def degree(side: Side, unit: int) -> str:
    """The degree in which the word of a unit is meant."""
    before = side.words[unit - 1] if unit else ""
    if before in _WORDS:
        return _WORDS[before]
    if before == "as" and "as" in side.words[unit + 1 : unit + 4]:
        return "equal"
    return _TAGS.get(side.tags[unit], "base")


def find(calls: Calls) -> None:
    """The same adjective or adverb in another degree: as cheap as, cheaper than."""
    pair = calls.pair
    for i, j in enumerate(pair.to_b):
        if j < 0 or pair.kinds[i] < STEM or pair.a.tags[i][:2] not in ("JJ", "RB"):
            continue
        one, other = degree(pair.a, i), degree(pair.b, j)
        if one == other or "base" in (one, other) or not calls.free((i, i + 1), (j, j + 1)):
            continue
        if {one, other} == {"more", "less"} and pair.a.words[i] == pair.b.words[j]:
            continue  # "more" and "less" themselves are opposites
        context = pair.context(i, j)
        before = sum(pair.same(i - 1 - back, j - 1 - back) for back in (0, 1))
        if context < _TIGHT and not before and pair.sameness < 0.7:
            continue
        denied = bool(cues(pair.a)) != bool(cues(pair.b))
        if denied and "equal" in (one, other) and "less" in (one, other):
            continue
        calls.add("relation", "contradicted", 0.8, (i, i + 1), (j, j + 1))
