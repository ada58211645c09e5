"""Pronouns and questions: small words that change what is said."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import Slot
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.finding import Verdict
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

_PERSONS = (
    frozenset("he him his himself".split()),
    frozenset("she her hers herself".split()),
    frozenset("i me my mine myself".split()),
    frozenset("you your yours yourself".split()),
    frozenset("we us our ours ourselves".split()),
    frozenset("they them their theirs themselves it its itself".split()),
)
_TIGHT = 0.5


def find(calls: Calls) -> None:
    """All kinds of this module."""
    _questions(calls)
    for slot in calls.pair.slots:
        if slot.closed and slot.tight >= _TIGHT and calls.free(slot.a, slot.b):
            _pronouns(calls, slot)


def _questions(calls: Calls) -> None:
    """A question against a statement."""
    pair = calls.pair
    asks = [_asks(side) for side in (pair.a, pair.b)]
    if asks[0] == asks[1] or not len(pair.a) or not len(pair.b):
        return
    ends = [(len(side) - 1, len(side)) for side in (pair.a, pair.b)]
    if pair.sameness >= 0.5:
        calls.add("question", "contradicted", 0.5 + 0.5 * pair.sameness, ends[0], ends[1])
    else:  # it may be a rhetorical one
        calls.add("question", "unknown", 0.3, ends[0], ends[1])


def _asks(side: Side) -> bool:
    """Whether the last mark of the text is a question mark."""
    for word in reversed(side.words):
        if word == "?" or any(map(str.isalnum, word)) or word in (".", "!"):
            return word == "?"
    return False


def _pronouns(calls: Calls, slot: Slot) -> None:
    pair = calls.pair
    for i in range(*slot.a):
        for j in range(*slot.b):
            one, other = _person(pair.a.words[i]), _person(pair.b.words[j])
            if one < 0 or other < 0 or one == other or not calls.free((i, i + 1), (j, j + 1)):
                continue
            sex = {one, other} == {0, 1}
            weight = (0.4 + 0.6 * slot.tight) if sex else 0.4 * slot.tight
            verdict: Verdict = "contradicted" if sex else "unknown"
            calls.add("pronoun", verdict, weight, (i, i + 1), (j, j + 1))


def _person(word: str) -> int:
    return next((number for number, words in enumerate(_PERSONS) if word in words), -1)
