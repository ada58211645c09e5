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

# One line per class and direction: 1 if what follows is the ground (the cause, the earlier event,
# the condition, the standard of comparison), -1 if it is what comes of it. Lemmas.
_CLASSES = {
    (
        "cause",
        1,
    ): """because|because of|due to|owing to|thanks to|as a result of|cause by|result from
        |stem from|on account of|come from|arise from|in view of|trigger by|follow from|give that
        |as a consequence of|in light of|inasmuch as|seeing that|now that|be to blame""",
    ("cause", -1): """so|therefore|thus|hence|consequently|as a result|lead to|result in|cause
        |so that|that be why|which be why|trigger|bring about|accordingly|give rise to
        |be responsible for|contribute to|which mean that|for this reason|as a consequence
        |because of it|because of this|because of that""",
    ("time", 1): "after|follow|following|once|as soon as|in the wake of|since then|upon|the moment",
    ("time", -1): """after that|after this|thereafter|before|prior to|and then|precede
        |later|then|afterward|afterwards|subsequently|only then|ahead of|up to""",
    ("until", -1): "until|till",
    ("during", 1): "during|in the course of|throughout|in the middle of",
    ("condition", 1): "if|provided that|provided|on condition that|as long as|assuming that",
    ("exception", 1): "unless|except if",
    ("concession", 1): """although|though|even though|despite|in spite of|regardless of|even if
        |irrespective of|notwithstanding|no matter""",
    ("purpose", -1): "in order to|in order that|so as to",
    ("since", 1): "since",
    ("as", 1): "as",
    ("when", 1): "when|whenever|by the time",
    ("while", 1): "while|whilst",
    ("instead", 1): "instead of|rather than|in place of",
    ("besides", 1): "as well as|in addition to|besides|along with|together with",
    ("more", 1): "more than",
    ("more", -1): "less than|few than|fewer than",
}
_CONNECTIVES = {
    " ".join(phrase.split()): key
    for key, phrases in _CLASSES.items()
    for phrase in phrases.split("|")
}
# Classes that one word can stand for another of; all others exclude each other in one place.
_COMPATIBLE = tuple(
    frozenset(pair.split("|"))
    for pair in """since|cause since|time as|cause as|during as|when as|while when|time when|during
    when|condition when|while while|during while|concession while|as cause|purpose
    when|cause condition|time until|time since|when
    since|as while|time as|besides cause|time as|time""".split()
)
_FIRST = frozenset(phrase.split()[0] for phrase in _CONNECTIVES)
_ASKING = frozenset("know ask wonder see decide check ask sure doubt determine as even".split())
_BEHIND = frozenset("later afterward afterwards subsequently thereafter".split())
_LONGEST = 4
_ENDS = frozenset(", ; . : ! ?".split())
_STOPS = frozenset("; . : ! ?".split())
_SYMMETRIC = frozenset({"during", "while", "besides", "as", "when"})
_REST = 0.45  # share of the content that is the same where ends are compared
_WRONG = 1.5  # content that must stand on the wrong end


class Connective(NamedTuple):
    """Where it stands, its class and direction, the units that follow it and those before them."""

    begin: int
    end: int
    name: str
    direction: int
    follows: range
    others: range


def find(calls: Calls) -> None:
    """Compare the one connective of a class in one text with that in the other."""
    pair = calls.pair
    mine, theirs = _connectives(pair.a), _connectives(pair.b)
    _replaced(calls, mine, theirs)
    for one in mine:
        same = [other for other in theirs if other.name == one.name]
        if len(same) > 1:  # of several the one with the same word
            words = pair.a.lemmas[one.begin : one.end]
            same = [o for o in same if pair.b.lemmas[o.begin : o.end] == words]
        if len(same) == 1 and calls.free((one.begin, one.end), (same[0].begin, same[0].end)):
            _compare(calls, one, same[0])


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
            if known[0] == "time" and end < len(side) and side.words[end] == "by":
                known = (known[0], -known[1])  # is followed by
            follows = _follows(side, place, end)
            found.append(Connective(place, end, *known, follows, _others(side, place, follows)))
            step = length
            break
        place += step
    return found


def _is_connective(side: Side, unit: int) -> bool:
    lemma, tag = side.lemmas[unit], side.tags[unit]
    before = side.words[unit - 1] if unit else ""
    if lemma == "so":
        return unit == 0 or before in (",", ";", "and")
    if lemma in ("cause", "precede", "follow", "trigger"):
        return tag.startswith("VB")
    if lemma == "then":
        return before in (",", ";", "and", ".", "only", "but")
    if lemma in _BEHIND:
        return before in (",", ";", "and", ".") or _next(side, unit) in (*_ENDS, "")
    if lemma == "once":
        return tag == "IN"
    if lemma == "as":
        return (
            tag == "IN"
            and (not unit or before == ",")
            and "as" not in side.words[unit + 1 : unit + 4]
        )
    if lemma == "if":
        return not (unit and side.lemmas[unit - 1] in _ASKING)
    if lemma in ("provided", "following", "besides", "upon"):
        return tag in ("IN", "VBG", "VBN", "RB")
    if lemma == "throughout":
        return True
    return tag in ("IN", "RB", "WRB") or lemma in ("because", "although")


def _next(side: Side, unit: int) -> str:
    return side.words[unit + 1] if unit + 1 < len(side) else ""


def _follows(side: Side, begin: int, end: int) -> range:
    """The units up to the end of the clause; of "he left and ate afterwards" those before."""
    stop = end
    while stop < len(side) and side.words[stop] not in _ENDS:
        stop += 1
    if stop == end and side.lemmas[begin] in _BEHIND:
        start = begin
        while start and side.words[start - 1] not in _ENDS and side.words[start - 1] != "and":
            start -= 1
        return range(start, begin)
    return range(end, stop)


def _others(side: Side, begin: int, follows: range) -> range:
    """The other end of the relation: the clause before, or that behind a comma."""
    start = min(begin, follows.start)
    if start == 0 or side.words[start - 1] in _STOPS:
        stop = follows.stop + 1
        while stop < len(side) and side.words[stop] not in _STOPS:
            stop += 1
        return range(min(follows.stop, len(side)), min(stop, len(side)))
    first = start
    while first and side.words[first - 1] not in _STOPS:
        first -= 1
    return range(first, start)


def _compare(calls: Calls, one: Connective, other: Connective) -> None:
    pair = calls.pair
    if one.name in _SYMMETRIC or not one.follows or not other.follows or pair.sameness < _REST:
        return
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
        if (i in one.follows and j in other.follows) or (i in one.others and j in other.others):
            kept += pair.a.weights[i]
        elif (i in one.follows and j in other.others) or (i in one.others and j in other.follows):
            changed += pair.a.weights[i]
    return kept, changed


def _replaced(calls: Calls, mine: list[Connective], theirs: list[Connective]) -> None:
    """A connective of another class or direction in the same place."""
    pair = calls.pair
    for slot in pair.slots:
        if not slot.closed or slot.tight < 0.5 or not calls.free(slot.a, slot.b):
            continue
        one = next((c for c in mine if slot.a[0] <= c.begin < slot.a[1]), None)
        other = next((c for c in theirs if slot.b[0] <= c.begin < slot.b[1]), None)
        if one is None or other is None:
            continue
        if {one.name, other.name} in _COMPATIBLE and one.direction == other.direction:
            continue
        if (one.name, one.direction) != (other.name, other.direction):
            weight = 0.4 + 0.6 * slot.tight
            calls.add(
                "relation", "contradicted", weight, (one.begin, one.end), (other.begin, other.end)
            )
