"""Opposites: a word linked to its antonym, or to another member of an exclusive category."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import Pair
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.degrees import degree
from otherwords.metrics.facts.evidence import OPPOSITE
from otherwords.metrics.facts.negation import cues
from otherwords.metrics.facts.words import CONVERSE, category

__all__ = ["find"]

_DATES = {"month", "weekday", "day", "season", "part of day"}
_UNITS = {"length", "mass", "time", "volume", "money", "power"}
_WAYS = ({"to", "from"}, {"by", "to"}, {"towards", "from"}, {"toward", "from"})
_REVERSED = ({"more", "less"}, {"most", "least"}, {"base", "less"})
_CONDITIONS = {"if", "unless"}
_DEGREES = {"more", "less"}
_PARTICLES = frozenset("on off in out up down".split())
_SURE = 0.34  # context from which on opposites contradict each other


def find(calls: Calls) -> None:
    """Call links of opposites; a negation on one side makes them equivalent."""
    pair = calls.pair
    linked = [i for i, kind in enumerate(pair.kinds) if kind == OPPOSITE]
    if not linked:
        return
    denied_a = {unit for cue in cues(pair.a) for unit in cue.scope[:2]}
    denied_b = {unit for cue in cues(pair.b) for unit in cue.scope[:2]}
    for i in linked:
        j = pair.to_b[i]
        if not calls.free((i, i + 1), (j, j + 1)):
            continue
        context = pair.context(i, j)
        if _is_converse(pair, i, j, linked):
            continue
        words = {pair.a.words[i], pair.b.words[j]}
        if words == _CONDITIONS:
            if len(cues(pair.a)) == len(cues(pair.b)):  # if not, unless
                calls.add("negation", "equivalent", 0.7, (i, i + 1), (j, j + 1))
                continue
        elif words == _DEGREES and i + 1 in linked and pair.to_b[i + 1] == j + 1:
            calls.add("relation", "equivalent", 0.7, (i, i + 1), (j, j + 1))
            continue
        elif words <= _PARTICLES and not pair.same(i - 1, j - 1):
            continue
        kind = _kind(pair.a.lemmas[i], pair.b.lemmas[j])
        degrees = {degree(pair.a, i), degree(pair.b, j)}
        if (i in denied_a) != (j in denied_b) or degrees in _REVERSED:
            calls.add("negation", "equivalent", 0.7, (i, i + 1), (j, j + 1))
        elif context >= _SURE:
            calls.add(kind, "contradicted", 0.5 + 0.5 * context, (i, i + 1), (j, j + 1))
        else:
            calls.add(kind, "unknown", 0.3 + 0.3 * context, (i, i + 1), (j, j + 1))


def _is_converse(pair: Pair, i: int, j: int, linked: list[int]) -> bool:
    """Whether "to" and "from" go with verbs such as sell and buy."""
    if {pair.a.words[i], pair.b.words[j]} not in _WAYS:
        return False
    pairs = (frozenset((pair.a.lemmas[u], pair.b.lemmas[pair.to_b[u]])) for u in linked)
    return any(one in CONVERSE for one in pairs)


def _kind(lemma: str, other: str) -> str:
    found, theirs = category(lemma), category(other)
    if found is None or theirs is None or found[0] != theirs[0]:
        return "antonym"
    return "date" if found[0] in _DATES else "unit" if found[0] in _UNITS else "antonym"
