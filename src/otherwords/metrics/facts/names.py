"""Names: another name in the same place contradicts."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import Pair, Slot
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.evidence import are_same_name, folded
from otherwords.metrics.facts.reading import Side

__all__ = ["find"]

_TIGHT = 0.83
_SAME = 0.6  # share of the content that is the same where names contradict each other


def find(calls: Calls) -> None:
    """Compare the names of both sides of every slot."""
    pair = calls.pair
    for slot in pair.slots:
        if not slot.closed or slot.a[0] == slot.a[1] or slot.b[0] == slot.b[1]:
            continue
        mine, theirs = _names(pair.a, slot.a), _names(pair.b, slot.b)
        if not mine or not theirs or not calls.free(slot.a, slot.b):
            continue
        a, b = (mine[0][0], mine[-1][1]), (theirs[0][0], theirs[-1][1])
        if _alike(pair, a, b):
            calls.add("name", "equivalent", 0.8, a, b)
        elif (
            slot.tight >= 0.5
            and (pair.sameness >= _SAME or slot.tight >= _TIGHT)
            and _only_names(pair, slot)
        ):
            calls.add("name", "contradicted", 0.4 + 0.6 * slot.tight, a, b)


def _names(side: Side, units: Units) -> list[Units]:
    """Runs of names among the units."""
    found: list[Units] = []
    for unit in range(*units):
        if not side.is_name(unit):
            continue
        if found and found[-1][1] == unit:
            found[-1] = (found[-1][0], unit + 1)
        else:
            found.append((unit, unit + 1))
    return found


def _only_names(pair: Pair, slot: Slot) -> bool:
    """Whether names are most of the content on both sides of the slot."""
    for side, units in ((pair.a, slot.a), (pair.b, slot.b)):
        content = [u for u in range(*units) if side.content[u]]
        if sum(side.is_name(u) for u in content) < 0.5 * len(content):
            return False
    return True


def _alike(pair: Pair, a: Units, b: Units) -> bool:
    """Whether the names can be the same: initials, spellings, parts of each other."""
    one = [pair.a.forms[u] for u in range(*a)]
    other = [pair.b.forms[u] for u in range(*b)]
    if _initials(one) == "".join(other).replace(".", "") or _initials(other) == "".join(
        one
    ).replace(".", ""):
        return True
    x, y = (folded("".join(words)) for words in (one, other))
    if x in y or y in x:
        return True
    return are_same_name(x, y) or any(
        are_same_name(p, q) for p in one for q in other if min(len(p), len(q)) >= 4
    )


def _initials(words: list[str]) -> str:
    return "".join(word[:1] for word in words if word[:1].isupper()) if len(words) > 1 else "?"
