"""Repeated words, words that are misspelt, and capitals."""

from __future__ import annotations

from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.evidence import SPELLING
from otherwords.metrics.facts.reading import Side

__all__ = ["find_capitals", "find_repetitions", "find_spellings"]

_LONGEST = 6  # words of a repeated phrase
_DOUBLED = frozenset("very had that really so far long no ha bye blah".split())  # on purpose


def find_repetitions(calls: Calls) -> None:
    """A phrase that one text says twice in a row and the other does not."""
    pair = calls.pair
    mine, theirs = _repeated(pair.a), _repeated(pair.b)
    known_a = {_words(pair.a, units) for units in mine}
    known_b = {_words(pair.b, units) for units in theirs}
    for units in mine:
        if _words(pair.a, units) not in known_b:
            for unit in range(*units):
                if pair.to_b[unit] >= 0:
                    _move_a(calls, unit)
            place = _place(pair.to_b, units[0])
            calls.add("repetition", "added", 1.0, units, (place, place))
    for units in theirs:
        if _words(pair.b, units) not in known_a:
            for unit in range(*units):
                if pair.to_a[unit] >= 0:
                    _move_b(calls, unit)
            place = _place(pair.to_a, units[0])
            calls.add("repetition", "missing", 1.0, (place, place), units)


def _repeated(side: Side) -> list[Units]:
    """The second and later copies of phrases that stand twice in a row."""
    found: list[Units] = []
    end = 0
    last: dict[str, int] = {}
    for begin, word in enumerate(side.words):
        before = last.get(word, -_LONGEST)
        last[word] = begin
        if begin < end or begin - before > _LONGEST:
            continue
        for length in range(begin - before, min(_LONGEST, begin, len(side) - begin) + 1):
            words = side.words[begin : begin + length]
            if words != side.words[begin - length : begin]:
                continue
            if not any(any(map(str.isalpha, word)) for word in words):
                continue
            if length == 1 and (words[0] in _DOUBLED or words[0][:1] == "#"):
                continue
            found.append((begin, begin + length))
            end = begin + length
            break
    return found


def _words(side: Side, units: Units) -> tuple[str, ...]:
    return tuple(side.words[units[0] : units[1]])


def _move_a(calls: Calls, unit: int) -> None:
    """Give the link of a repeated unit to its first copy, if that has none."""
    pair = calls.pair
    other, kind, score = pair.to_b[unit], pair.kinds[unit], pair.scores[unit]
    pair.unlink(unit)
    last = max((u for u in range(unit) if pair.a.words[u] == pair.a.words[unit]), default=unit)
    if pair.to_b[last] < 0:
        pair.link(last, other, kind, score)


def _move_b(calls: Calls, unit: int) -> None:
    pair = calls.pair
    mine = pair.to_a[unit]
    kind, score = pair.kinds[mine], pair.scores[mine]
    pair.unlink(mine)
    last = max((u for u in range(unit) if pair.b.words[u] == pair.b.words[unit]), default=unit)
    if pair.to_a[last] < 0:
        pair.link(mine, last, kind, score)


def _place(links: list[int], unit: int) -> int:
    for back in range(unit - 1, -1, -1):
        if links[back] >= 0:
            return links[back] + 1
    return 0


def find_spellings(calls: Calls) -> None:
    """Links between a known form and an unknown one that is close to it."""
    pair = calls.pair
    for i, kind in enumerate(pair.kinds):
        j = pair.to_b[i]
        if kind == SPELLING and calls.free((i, i + 1), (j, j + 1)):
            calls.add("spelling", "equivalent", 0.3, (i, i + 1), (j, j + 1))


def find_capitals(calls: Calls) -> None:
    """The same word, written with other capitals."""
    pair = calls.pair
    for i, j in enumerate(pair.to_b):
        if j < 0 or not calls.free((i, i + 1), (j, j + 1)):
            continue
        one, other = pair.a.forms[i], pair.b.forms[j]
        if one != other and one.lower() == other.lower():
            calls.add("case", "unknown", 0.3, (i, i + 1), (j, j + 1))
