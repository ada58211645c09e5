"""Quantifiers, modality, tense, pronouns and questions: small words that change what is said."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import STEM, Pair, Slot, tightness
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.finding import Verdict
from otherwords.metrics.facts.negation import cues
from otherwords.metrics.facts.reading import Side
from otherwords.metrics.facts.words import QUANTITIES

__all__ = ["find"]

_MAYBE = frozenset("may might perhaps possibly maybe probably likely".split())
_CAN = frozenset("can could ca able".split())
_POSSIBLE = ("possib", "likel", "potential", "chance", "probab")
_MUST = frozenset("must should shall need ought required obliged".split())
_FUTURE = frozenset("will shall 'll wo would 'd".split())
_PERSONS = (
    frozenset("he him his himself".split()),
    frozenset("she her hers herself".split()),
    frozenset("i me my mine myself".split()),
    frozenset("you your yours yourself".split()),
    frozenset("we us our ours ourselves".split()),
    frozenset("they them their theirs themselves it its itself".split()),
)
_TIGHT = 0.5
_TIGHTER = 0.66
# Changes of mood that contradict in a tight context, and in one that is the same on both sides.
_UNSURE = ({"maybe", "must"}, {"maybe", "fact"}, {"maybe", "future"}, {"maybe", "past"})
_STRONG = ({"must", "can"}, {"can", "future"}, {"intent", "fact"}, {"intent", "past"})
_CLOSE = ({2, 3}, {3, 4})  # levels of quantity that are said of the same things
_INTENT = frozenset("plan hope intend want try aim attempt seek consider wish propose".split())


def find(calls: Calls) -> None:
    """All kinds of this module."""
    _questions(calls)
    _linked_quantifiers(calls)
    for slot in calls.pair.slots:
        if slot.closed and slot.tight >= _TIGHT and calls.free(slot.a, slot.b):
            _quantifiers(calls, slot)
            _pronouns(calls, slot)
    _verbs(calls)


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


def _quantifiers(calls: Calls, slot: Slot) -> None:
    mine, theirs = (
        [u for u in range(*units) if side.lemmas[u] in QUANTITIES]
        for side, units in ((calls.pair.a, slot.a), (calls.pair.b, slot.b))
    )
    if not mine or not theirs:
        return
    _quantities(calls, mine[0], theirs[0], slot.tight)


def _linked_quantifiers(calls: Calls) -> None:
    """Quantifiers that evidence has linked, because they stand in the same contexts."""
    pair = calls.pair
    for i, kind in enumerate(pair.kinds):
        if 0 < kind < STEM:
            j = pair.to_b[i]
            if pair.a.lemmas[i] in QUANTITIES and pair.b.lemmas[j] in QUANTITIES:
                _quantities(calls, i, j, pair.context(i, j))


def _quantities(calls: Calls, i: int, j: int, tight: float) -> None:
    a, b = calls.pair.a, calls.pair.b
    levels = _level(a, i), _level(b, j)
    if levels[0] == levels[1] or set(levels) in _CLOSE or tight < _TIGHT:
        return
    if 0 in levels and len(cues(a)) + len(cues(b)) > 1:
        return  # never fails, always
    if calls.free((i, i + 1), (j, j + 1)):
        calls.add("quantifier", "contradicted", 0.4 + 0.6 * tight, (i, i + 1), (j, j + 1))


def _level(side: Side, unit: int) -> int:
    if side.lemmas[unit] in ("few", "little") and unit and side.words[unit - 1] == "a":
        return 2  # a few
    return QUANTITIES[side.lemmas[unit]]


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


def _verbs(calls: Calls) -> None:
    """Modality and tense of verbs that are the same in both texts."""
    pair = calls.pair
    for i, j in enumerate(pair.to_b):
        if j < 0 or pair.kinds[i] < STEM or not pair.a.tags[i].startswith("VB"):
            continue
        if not pair.b.tags[j].startswith("VB") or pair.context(i, j) < 1 / 6:
            continue
        one, other = _mood(pair.a, i), _mood(pair.b, j)
        if one[0] == other[0]:
            continue
        a, b = one[1], other[1]
        if not calls.free(a, b):
            continue
        kinds = {one[0], other[0]}
        context = tightness(pair, a, b)
        if "maybe" in kinds and _is_possible(pair.a if other[0] == "maybe" else pair.b):
            continue
        if kinds == {"future", "past"} and _would(pair, a, b):
            continue
        _call_mood(calls, kinds, context, a, b)


def _call_mood(calls: Calls, kinds: set[str], context: float, a: Units, b: Units) -> None:
    """What a change of mood means: changes that alter what is claimed contradict."""
    sure = 0.3 + 0.6 * context
    if (kinds in _UNSURE and context >= _TIGHT) or (kinds in _STRONG and context >= _TIGHTER):
        calls.add("modality", "contradicted", sure, a, b)
    elif kinds == {"future", "past"} and context >= _TIGHT:
        calls.add("tense", "contradicted", sure, a, b)
    elif "must" in kinds and context >= _TIGHTER:
        calls.add("modality", "unknown", 0.4 * context, a, b)
    elif kinds == {"fact", "past"} and context >= _TIGHT:
        calls.add("tense", "unknown", 0.3 * context, a, b)


def _is_possible(side: Side) -> bool:
    """Whether the text says in other words that something is possible."""
    return any(w in _MAYBE or w.startswith(_POSSIBLE) for w in side.words)


def _would(pair: Pair, a: Units, b: Units) -> bool:
    """Whether the future is one seen from the past."""
    return bool({"would", "'d"} & {*pair.a.words[slice(*a)], *pair.b.words[slice(*b)]})


def _mood(side: Side, verb: int) -> tuple[str, Units]:
    """What is said of the verb: maybe, must, future, past or fact; and the words that say it."""
    begin = verb
    while begin and (
        side.tags[begin - 1] in ("MD", "RB", "TO")
        or side.lemmas[begin - 1] in _VERBAL
        or (side.lemmas[begin - 1] in _INTENT and side.tags[begin] == "TO")
    ):
        begin -= 1
        if verb - begin > 4:
            break
    before = side.words[begin:verb]
    units = (begin, verb + 1)
    if any(word in _MAYBE for word in before):
        return "maybe", units
    if any(word in _CAN for word in before):
        return "can", units
    if any(word in _FUTURE for word in before):
        return "future", units
    if any(word in _MUST for word in before) or _has_to(before):
        return "must", units
    if any(lemma in _INTENT for lemma in side.lemmas[begin:verb]):
        return "intent", units
    finite = side.tags[begin]
    if finite == "VBD" or (side.tags[verb] == "VBD" and "to" not in before):
        return "past", units
    return "fact", units


_VERBAL = frozenset("be have do".split())


def _has_to(before: list[str]) -> bool:
    return before[-1:] == ["to"] and bool({"have", "has", "had", "need", "needs"} & set(before))
