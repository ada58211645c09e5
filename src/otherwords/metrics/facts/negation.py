"""Negation: a word that is denied in one text and not in the other."""

from __future__ import annotations

from typing import NamedTuple

from otherwords.metrics.facts.alignment import STEM, Pair, tightness
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.evidence import OPPOSITE
from otherwords.metrics.facts.finding import Verdict
from otherwords.metrics.facts.reading import Side

__all__ = ["Cue", "cues", "find"]

_CUES = frozenset(
    """not n't never no without neither nor nobody nothing none nowhere hardly
    rarely seldom cannot unless""".split()
)
_WITH_TO = frozenset("fail refuse decline neglect omit forget".split())
# Words that can say the same as a negation; where one is left over, nothing is contradicted.
_IMPLICIT = frozenset(
    """fail refuse lack avoid prevent deny reject unable impossible unlikely absence absent stop
    cease exclude forbid ban prohibit miss decline little few only instead rather free too but
    except otherwise zero end halt escape resist doubt skip omit forget neglect rule despite
    although though least far short before until nor without dismiss quit leave abandon exempt
    incapable scarce rare rarely seldom hardly barely less drop forgo abstain oppose against
    ignorant unaware empty vain""".split()
)
_HARMLESS = {
    "not": {"only", "just", "merely", "simply", "to", "necessarily", "least"},
    "no": {"matter", "doubt", "wonder", "sooner", "less", "fewer", "more", "later", "than"},
    "nothing": {"but", "less"},
    "none": {"other"},
}
_RAISING = frozenset("think believe expect suppose seem appear want".split())
_REST = 0.55  # share of the content that is the same where the context need not be
_SCOPE = 5  # units that a negation can reach


class Cue(NamedTuple):
    """A negation: its unit, and the units that it may deny, the likeliest first."""

    unit: int
    scope: tuple[int, ...]


def cues(side: Side) -> list[Cue]:
    """The negations of a text."""
    found: list[Cue] = []
    for unit, lemma in enumerate(side.lemmas):
        word = side.words[unit]
        verb = lemma in _WITH_TO and _next(side, unit) == "to"
        if not (verb or word in _CUES or lemma in _CUES):
            continue
        if _is_harmless(side, unit, word) or (word == "nor" and found):
            continue
        found.append(Cue(unit, _scope(side, unit)))
    return found


def _next(side: Side, unit: int) -> str:
    return side.words[unit + 1] if unit + 1 < len(side) else ""


def _is_harmless(side: Side, unit: int, word: str) -> bool:
    after = _next(side, unit)
    if after in _HARMLESS.get(word, ()):
        return True
    if word == "no" and (after in (".", ",", "") or side.forms[unit + 1][:1].isdigit()):
        return True  # No. 4; "no," as an answer
    before = side.words[unit - 1] if unit else ""
    if word == "not" and before == "or":
        return after in (".", ",", "?", "") or "whether" in side.words[:unit]
    return word == "not" and before in ("if", "why")


def _scope(side: Side, unit: int) -> tuple[int, ...]:
    ahead: list[int] = []
    reach = _SCOPE
    if any(lemma in _RAISING for lemma in side.lemmas[unit + 1 : unit + 3]):
        reach += 3  # "I do not think that he left" denies that he left
    for place in range(unit + 1, min(len(side), unit + 1 + reach)):
        if side.words[place] in (",", ";", ".", ":", "but"):
            break
        if (
            side.tags[place].startswith(("VB", "NN", "JJ", "CD"))
            and (side.content[place] or side.lemmas[place] == "have")
            and side.words[place] != "one"
        ):
            ahead.append(place)
        if len(ahead) == 2 + (reach > _SCOPE):
            break
    behind = [
        place
        for place in range(max(0, unit - 2), unit)
        if side.tags[place].startswith("VB") and side.content[place]
    ]
    if not ahead and not behind:
        behind = [place for place in range(max(0, unit - 3), unit) if side.content[place]][-1:]
    return (*ahead, *reversed(behind))


def find(calls: Calls) -> None:
    """Match the negations of both texts; call those that are left over."""
    pair = calls.pair
    mine = [cue for cue in cues(pair.a) if cue.unit not in calls.called_a]
    theirs = [cue for cue in cues(pair.b) if cue.unit not in calls.called_b]
    free_a = [cue for cue in mine if not _claim(pair, cue, theirs)]
    free_b = theirs  # _claim has taken the matched ones out
    flip_a, flip_b = _flipped(pair, free_a, free_b)
    free_a, free_b = _without_double(free_a), _without_double(free_b)
    for cue in free_a:
        if cue.unit not in flip_a:
            _call(calls, cue, pair.to_b, pair.a, pair.b, is_a=True)
    for cue in free_b:
        if cue.unit not in flip_b:
            _call(calls, cue, pair.to_a, pair.b, pair.a, is_a=False)


def _claim(pair: Pair, cue: Cue, theirs: list[Cue]) -> bool:
    """Take the negation of the other text that denies the same; whether there is one."""
    for other in theirs:
        if pair.to_b[cue.unit] == other.unit:
            theirs.remove(other)
            return True
    linked = pair.to_b[cue.unit]
    if linked >= 0 and (pair.b.lemmas[linked] in _IMPLICIT or pair.a.lemmas[cue.unit] in _WITH_TO):
        return pair.kinds[cue.unit] != OPPOSITE
    targets = {pair.to_b[unit] for unit in cue.scope} - {-1}
    for other in theirs:
        if targets & set(other.scope):
            theirs.remove(other)
            return True
    # The same slot, or places that correspond although nothing denied is linked.
    for other in theirs:
        if not targets and not any(pair.to_a[unit] >= 0 for unit in other.scope):
            theirs.remove(other)
            return True
    return False


def _flipped(pair: Pair, mine: list[Cue], theirs: list[Cue]) -> tuple[set[int], set[int]]:
    """Negations of a word that is linked to its opposite: not cheap, expensive."""
    flip_a, flip_b = set(), set()
    for cue in mine:
        for unit in cue.scope:
            if pair.to_b[unit] >= 0 and pair.kinds[unit] == OPPOSITE:
                flip_a.add(cue.unit)
                break
    for cue in theirs:
        for unit in cue.scope:
            if pair.to_a[unit] >= 0 and pair.kinds[pair.to_a[unit]] == OPPOSITE:
                flip_b.add(cue.unit)
                break
    return flip_a, flip_b


def _without_double(left: list[Cue]) -> list[Cue]:
    """Two negations close to each other cancel out."""
    if len(left) >= 2 and left[1].unit - left[0].unit <= _SCOPE:
        return left[2:]
    return left


def _call(calls: Calls, cue: Cue, links: list[int], here: Side, there: Side, *, is_a: bool) -> None:
    pair = calls.pair
    heads = [unit for unit in cue.scope[:2] if links[unit] >= 0]
    place = _place(links, cue.unit, len(there))
    mine, hole = (cue.unit, cue.unit + 1), (place, place)
    context = _context(pair, mine, hole, is_a=is_a)
    implicit = any(
        there.lemmas[unit] in _IMPLICIT or _is_negative_form(there.lemmas[unit])
        for unit in range(max(0, place - 6), min(len(there), place + 7))
        if (pair.to_a if is_a else pair.to_b)[unit] < 0
    )
    same = any(_kind(pair, unit, is_a=is_a) >= STEM for unit in heads)
    same = same and (context >= 0.33 or pair.sameness >= _REST)
    sure = (same or context >= 0.66) and not implicit
    verdict: Verdict = "contradicted" if sure and heads else "unknown"
    weight = 0.6 + 0.4 * context if sure and heads else 0.3 + 0.2 * context
    head = heads[0] if heads else cue.unit
    units = (min(head, cue.unit), max(head, cue.unit) + 1)
    if heads:
        hole = (links[head], links[head] + 1)
    if is_a:
        calls.add("negation", verdict, weight, units, hole)
    else:
        calls.add("negation", verdict, weight, hole, units)


def _kind(pair: Pair, unit: int, *, is_a: bool) -> int:
    return pair.kinds[unit] if is_a else pair.kinds[pair.to_a[unit]]


def _place(links: list[int], unit: int, length: int) -> int:
    """Where the unit would stand on the other side: behind what its left neighbour is linked to."""
    for back in range(unit - 1, -1, -1):
        if links[back] >= 0:
            return links[back] + 1
    return 0


def _context(pair: Pair, mine: tuple[int, int], hole: tuple[int, int], *, is_a: bool) -> float:
    return tightness(pair, mine, hole) if is_a else tightness(pair, hole, mine)


def _is_negative_form(lemma: str) -> bool:
    return len(lemma) > 6 and lemma.startswith(("un", "in", "im", "dis", "non", "ir"))
