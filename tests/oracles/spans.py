"""A naive twin of the agreement of error spans: sets of characters."""

from __future__ import annotations

ORDER = {"minor": 1, "major": 2, "critical": 2}


def marks(spans):
    """The severity of each marked character; of two, the higher one."""
    found = {}
    for start, end, severity in spans:
        for place in range(start, end):
            found[place] = max(found.get(place, 0), ORDER[severity])
    return found


def agreement(pairs):
    """F1, severity F1, precision and recall of (predicted, human) lists of spans."""
    both = credit = mine = theirs = 0
    for predicted, human in pairs:
        one, other = marks(predicted), marks(human)
        shared = one.keys() & other.keys()
        both += len(shared)
        credit += sum(1 if one[place] == other[place] else 0.5 for place in shared)
        mine, theirs = mine + len(one), theirs + len(other)
    total = mine + theirs
    return (
        2 * both / total if total else None,
        2 * credit / total if total else None,
        both / mine if mine else None,
        both / theirs if theirs else None,
    )
