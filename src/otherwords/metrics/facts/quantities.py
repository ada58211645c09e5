"""Numbers, dates and units that one text has and the other has not."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import STEM, Pair, tightness
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.finding import Verdict
from otherwords.metrics.facts.measures import Measure, measures
from otherwords.metrics.facts.numbers import Number

__all__ = ["find"]

_COMPATIBLE = (
    {"count", "ordinal"},
    {"count", "share"},
    {"count", "time"},
    {"count", "decade"},
    {"multiple", "share"},
    {"multiple", "count"},
)

_TIGHT = 0.5


def find(calls: Calls) -> None:
    """Pair the numbers that are left: two in the same place contradict each other."""
    _measures(calls)
    pair = calls.pair
    mine = [i for i in calls.unlinked_a() if i in pair.a.numbers]
    theirs = [j for j in calls.unlinked_b() if j in pair.b.numbers]
    scored = []
    for i in mine:
        for j in theirs:
            if _compatible(pair.a.numbers[i], pair.b.numbers[j]):
                near = _nearness(pair, i, j)
                if near > 0:
                    scored.append((-near, abs(i - j), i, j))
    for near, _, i, j in sorted(scored):
        if calls.free((i, i + 1), (j, j + 1)):
            weak = pair.a.numbers[i].vague or pair.b.numbers[j].vague
            sure = -near >= (0.66 if weak else 0.33)
            verdict: Verdict = "contradicted" if sure else "unknown"
            weight = max(0.5, min(1.0, 0.6 - near)) if sure else 0.4
            calls.add("number", verdict, weight, (i, i + 1), (j, j + 1))


def _measures(calls: Calls) -> None:
    """Measures of the same quantity in other units; other quantities of the same unit."""
    pair = calls.pair
    theirs = measures(pair.b)
    for one in measures(pair.a):
        for other in theirs:
            a, b = (one.begin, one.end), (other.begin, other.end)
            if not calls.free(a, b) or _is_linked(pair, one, other):
                continue
            if one.equals(other):
                if pair.to_b[one.unit] in (-1, other.unit):
                    calls.add("number", "equivalent", 0.9, a, b)
            elif pair.to_b[one.unit] == other.unit and pair.kinds[one.unit] >= STEM:
                context = tightness(pair, a, b)
                if context >= _TIGHT and not _numbers(pair, one, other):
                    calls.add("number", "contradicted", 0.5 + 0.5 * context, a, b)


def _numbers(pair: Pair, one: Measure, other: Measure) -> bool:
    """Whether both measures begin with a number, which are compared as such."""
    return (
        one.begin in pair.a.numbers
        and other.begin in pair.b.numbers
        and (one.end - one.begin == other.end - other.begin)
    )


def _is_linked(pair: Pair, one: Measure, other: Measure) -> bool:
    """Whether the measures are the same words."""
    return one.end - one.begin == other.end - other.begin and all(
        pair.same(one.begin + step, other.begin + step) for step in range(one.end - one.begin)
    )


def _compatible(a: Number, b: Number) -> bool:
    return a.kind == b.kind or {a.kind, b.kind} in _COMPATIBLE


def _nearness(pair: Pair, i: int, j: int) -> float:
    """How much of the surroundings of the two numbers is linked."""
    near = pair.context(i, j)
    for step in (1, 2):
        if _content_link(pair, i + step, j + step):
            near += 0.33
            break
    for step in (1, 2):
        if _content_link(pair, i - step, j - step):
            near += 0.2
            break
    return near


def _content_link(pair: Pair, i: int, j: int) -> bool:
    if not (0 <= i < len(pair.a) and 0 <= j < len(pair.b)):
        return False
    return pair.to_b[i] == j and pair.a.content[i]
