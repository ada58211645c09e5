"""Relations of clauses: cause, time order, condition, concession and comparison.

A connective has a direction: what follows "because" is the cause, what follows "so" the effect.
Two texts agree if the same content is on the same end of the relation.
"""

from __future__ import annotations

from typing import NamedTuple

from otherwords.metrics.facts.alignment import Pair
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

# Class and direction: 1 if what follows is the ground (the cause, the earlier event, the
# condition, the standard of comparison), -1 if it is what comes of it.
_CONNECTIVES = {
    "because": ("cause", 1),
    "because of": ("cause", 1),
    "due to": ("cause", 1),
    "owing to": ("cause", 1),
    "thanks to": ("cause", 1),
    "as a result of": ("cause", 1),
    "caused by": ("cause", 1),
    "result from": ("cause", 1),
    "stem from": ("cause", 1),
    "so": ("cause", -1),
    "therefore": ("cause", -1),
    "thus": ("cause", -1),
    "hence": ("cause", -1),
    "consequently": ("cause", -1),
    "as a result": ("cause", -1),
    "lead to": ("cause", -1),
    "result in": ("cause", -1),
    "cause": ("cause", -1),
    "after": ("time", 1),
    "after that": ("time", -1),
    "after this": ("time", -1),
    "thereafter": ("time", -1),
    "before": ("time", -1),
    "prior to": ("time", -1),
    "and then": ("time", -1),
    "precede": ("time", -1),
    "follow": ("time", 1),
    "following": ("time", 1),
    "once": ("time", 1),
    "as soon as": ("time", 1),
    "until": ("time", -1),
    "till": ("time", -1),
    "by the time": ("time", -1),
    "later": ("time", -1),
    "then": ("time", -1),
    "afterward": ("time", -1),
    "afterwards": ("time", -1),
    "subsequently": ("time", -1),
    "so that": ("cause", -1),
    "that be why": ("cause", -1),
    "which be why": ("cause", -1),
    "trigger": ("cause", -1),
    "bring about": ("cause", -1),
    "if": ("condition", 1),
    "unless": ("exception", 1),
    "provided that": ("condition", 1),
    "although": ("concession", 1),
    "though": ("concession", 1),
    "even though": ("concession", 1),
    "despite": ("concession", 1),
    "in spite of": ("concession", 1),
    "more than": ("more", 1),
    "less than": ("more", -1),
    "fewer than": ("more", -1),
}
_FIRST = frozenset(phrase.split()[0] for phrase in _CONNECTIVES)
_ASKING = frozenset("know ask wonder see decide check ask sure doubt determine as even".split())
_LONGEST = 4
_ENDS = frozenset(", ; . : ! ?".split())
_WRONG = 1.5  # content that must stand on the wrong end


class Connective(NamedTuple):
    """Where it stands, its class and direction, and the units that follow it."""

    begin: int
    end: int
    name: str
    direction: int
    follows: range


def find(calls: Calls) -> None:
    """Compare the one connective of a class in one text with that in the other."""
    pair = calls.pair
    mine, theirs = _connectives(pair.a), _connectives(pair.b)
    for name in sorted({one.name for one in mine} & {one.name for one in theirs}):
        first = [one for one in mine if one.name == name]
        second = [one for one in theirs if one.name == name]
        if len(first) == len(second) == 1:
            _compare(calls, first[0], second[0])
    _replaced(calls, mine, theirs)


def _connectives(side: Side) -> list[Connective]:
    found = []
    place = 0
    while place < len(side):
        step = 1
        if side.lemmas[place] not in _FIRST:
            place += 1
            continue
        for length in range(min(_LONGEST, len(side) - place), 0, -1):
            phrase = " ".join(side.lemmas[place : place + length])
            known = _CONNECTIVES.get(phrase)
            if known is None or (length == 1 and not _is_connective(side, place)):
                continue
            end = place + length
            if known[0] == "more" and end in side.numbers:
                continue  # more than 200 compares with nothing
            found.append(Connective(place, end, *known, _follows(side, end)))
            step = length
            break
        place += step
    return found


def _is_connective(side: Side, unit: int) -> bool:
    lemma, tag = side.lemmas[unit], side.tags[unit]
    if lemma == "so":
        return unit == 0 or side.words[unit - 1] in (",", ";", "and")
    if lemma in ("cause", "precede", "follow", "trigger"):
        return tag.startswith("VB")
    if lemma in ("later", "then"):
        return unit > 0 and side.words[unit - 1] in (",", ";", "and", ".")
    if lemma == "once":
        return tag == "IN"
    if lemma == "if":
        return not (unit and side.lemmas[unit - 1] in _ASKING)
    return tag in ("IN", "RB") or lemma in ("because", "although")


def _follows(side: Side, begin: int) -> range:
    end = begin
    while end < len(side) and side.words[end] not in _ENDS:
        end += 1
    return range(begin, end)


def _compare(calls: Calls, one: Connective, other: Connective) -> None:
    pair = calls.pair
    kept, changed = _sides(pair, one, other)
    if one.direction != other.direction:
        kept, changed = changed, kept
    units = (one.begin, one.end), (other.begin, other.end)
    if changed >= _WRONG and changed > 3 * kept:
        calls.add("relation", "contradicted", 0.8, *units)
    elif one.direction != other.direction and kept >= _WRONG and kept > 2 * changed:
        calls.add("relation", "equivalent", 0.8, *units)


def _sides(pair: Pair, one: Connective, other: Connective) -> tuple[float, float]:
    """Content that is on the same end of both connectives, and on different ends."""
    kept = changed = 0.0
    for i, j in enumerate(pair.to_b):
        if j < 0 or not pair.a.content[i]:
            continue
        if one.begin <= i < one.end or other.begin <= j < other.end:
            continue
        if (i in one.follows) == (j in other.follows):
            kept += pair.a.weights[i]
        else:
            changed += pair.a.weights[i]
    return kept, changed


def _replaced(calls: Calls, mine: list[Connective], theirs: list[Connective]) -> None:
    """A connective of another class or direction in the same place."""
    pair = calls.pair
    for slot in pair.slots:
        if not slot.closed or slot.tight < 0.5 or not calls.free(slot.a, slot.b):
            continue
        one = next((c for c in mine if slot.a[0] <= c.begin and c.end <= slot.a[1]), None)
        other = next((c for c in theirs if slot.b[0] <= c.begin and c.end <= slot.b[1]), None)
        if one is None or other is None:
            continue
        if (one.name, one.direction) != (other.name, other.direction):
            weight = 0.4 + 0.6 * slot.tight
            calls.add(
                "relation", "contradicted", weight, (one.begin, one.end), (other.begin, other.end)
            )
