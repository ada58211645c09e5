"""Modality and tense of verbs: may, must, will, plan to, appear to, or plainly so."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import STEM, Pair, tightness
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.negation import cues
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

# What is said of a statement, by words and lemmas before the verb or in its place.
_FORCES = {
    "maybe": """may might perhaps possibly maybe possible conceivably potentially""",
    "likely": "probably likely presumably probable",
    "sure": """certainly definitely surely clearly certain undoubtedly inevitably sure bound
        guaranteed doubtless unquestionably obviously""",
    "can": "can could ca able capable",
    "free": "allowed permitted entitled free authorised authorized welcome eligible",
    "should": "should ought advised recommended supposed encouraged urged",
    "must": "must required obliged obligated compelled forced mandatory compulsory need",
    "need not": "optional voluntary",
    "seem": "appear seem apparently reportedly allegedly seemingly suspected",
    "known": "known proven confirmed shown",
    "intent": """plan hope intend want try aim attempt seek consider wish propose threaten promise
        plans planning""",
    "refuse": "refuse decline refusing",
    "future": "will shall 'll wo would 'd going",
}
_FORCE = {word: name for name, words in _FORCES.items() for word in words.split()}
_ORDER = tuple(_FORCES)  # the first of these that stands before a verb counts
_LEXICAL = frozenset(word for word, name in _FORCE.items() if name != "future")
_POSSIBLE = ("possib", "likel", "potential", "chance", "probab")
_VERBAL = frozenset("be have do".split())
_TIGHT = 0.5
_TIGHTER = 0.66
_POLITE = {"could", "would"}  # in requests
# Changes that contradict in a tight context; in one that is tighter.
_UNSURE = (
    {"maybe", "must"},
    {"maybe", "fact"},
    {"maybe", "future"},
    {"maybe", "past"},
    {"maybe", "sure"},
    {"likely", "sure"},
    {"seem", "known"},
    {"seem", "sure"},
    {"must", "free"},
    {"must", "need not"},
    {"refuse", "future"},
    {"refuse", "past"},
    {"refuse", "fact"},
    {"refuse", "must"},
    {"refuse", "intent"},
)
_STRONG = (
    {"must", "can"},
    {"can", "future"},
    {"intent", "fact"},
    {"intent", "past"},
    {"must", "should"},
    {"free", "should"},
    {"can", "should"},
    {"maybe", "should"},
    {"free", "future"},
    {"future", "should"},
    {"need not", "should"},
    {"likely", "fact"},
    {"likely", "past"},
    {"seem", "fact"},
    {"maybe", "known"},
)


def find(calls: Calls) -> None:
    """Words of another force in the same place; then verbs that are the same."""
    _words(calls)
    _verbs(calls)


def _words(calls: Calls) -> None:
    """Possible and certain, required and advised, perhaps and clearly."""
    pair = calls.pair
    for i, word in enumerate(pair.a.words):
        one = _FORCE.get(word) or _FORCE.get(pair.a.lemmas[i])
        if one is None or (pair.to_b[i] >= 0 and pair.kinds[i] >= STEM):
            continue
        for j, other_word in enumerate(pair.b.words):
            other = _FORCE.get(other_word) or _FORCE.get(pair.b.lemmas[j])
            if other is None or other == one or (pair.to_a[j] >= 0 and pair.to_a[j] != i):
                continue
            if not calls.free((i, i + 1), (j, j + 1)):
                continue
            context = pair.context(i, j)
            kinds = {one, other}
            if {word, other_word} == _POLITE or _excused(pair, kinds, other):
                continue
            if context >= _TIGHTER and (kinds in _UNSURE or kinds in _STRONG):
                calls.add("modality", "contradicted", 0.3 + 0.6 * context, (i, i + 1), (j, j + 1))


def _verbs(calls: Calls) -> None:
    pair = calls.pair
    for i, j in enumerate(pair.to_b):
        if j < 0 or pair.kinds[i] < STEM or not pair.a.tags[i].startswith("VB"):
            continue
        if not pair.b.tags[j].startswith("VB") or pair.context(i, j) < 1 / 6:
            continue
        one, other = _mood(pair.a, i), _mood(pair.b, j)
        if one[0] == other[0] or not calls.free(one[1], other[1]):
            continue
        kinds = {one[0], other[0]}
        if _excused(pair, kinds, other[0]):
            continue
        if {*pair.a.words[slice(*one[1])], *pair.b.words[slice(*other[1])]} >= _POLITE:
            continue
        if kinds == {"future", "past"} and _would(pair, one[1], other[1]):
            continue
        _call(calls, kinds, tightness(pair, one[1], other[1]), one[1], other[1])


def _call(calls: Calls, kinds: set[str], context: float, a: Units, b: Units) -> None:
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


def _excused(pair: Pair, kinds: set[str], other: str) -> bool:
    """Whether the other text says the same elsewhere: that it is possible, or would not be done."""
    if "refuse" in kinds:
        return bool(cues(pair.a if other == "refuse" else pair.b))
    return "maybe" in kinds and _is_possible(pair.a if other == "maybe" else pair.b)


def _is_possible(side: Side) -> bool:
    """Whether the text says in other words that something is possible."""
    return any(
        _FORCE.get(word) in ("maybe", "likely") or word.startswith(_POSSIBLE) for word in side.words
    )


def _would(pair: Pair, a: Units, b: Units) -> bool:
    """Whether the future is one seen from the past."""
    return bool({"would", "'d"} & {*pair.a.words[slice(*a)], *pair.b.words[slice(*b)]})


def _mood(side: Side, verb: int) -> tuple[str, Units]:
    """What is said of the verb, and the words that say it."""
    begin = verb
    while begin and (
        side.tags[begin - 1] in ("MD", "RB", "TO")
        or side.lemmas[begin - 1] in _VERBAL
        or (
            (side.lemmas[begin - 1] in _LEXICAL or side.words[begin - 1] in _LEXICAL)
            and side.tags[begin] == "TO"
        )
    ):
        begin -= 1
        if verb - begin > 4:
            break
    before = side.words[begin:verb]
    units = (begin, verb + 1)
    if _has_to(before):
        return "must", units
    forces = {_FORCE.get(side.words[u]) or _FORCE.get(side.lemmas[u]) for u in range(begin, verb)}
    for name in _ORDER:
        if name in forces:
            return name, units
    if side.tags[begin] == "VBD" or (side.tags[verb] == "VBD" and "to" not in before):
        return "past", units
    return "fact", units


def _has_to(before: list[str]) -> bool:
    return before[-1:] == ["to"] and bool({"have", "has", "had", "need", "needs"} & set(before))
