"""PEM's Tables 1-3 (§5.2, §5.3, §6.2) as the paper says them, on rows that are plain dicts."""

from __future__ import annotations

from itertools import combinations
from math import sqrt


def pearson(pairs):
    """(r, number of pairs); r is None for fewer than three pairs, or if a side never changes."""
    n = len(pairs)
    if n < 3:
        return None, n
    mean_x = sum(x for x, _ in pairs) / n
    mean_y = sum(y for _, y in pairs) / n
    var_x = sum((x - mean_x) ** 2 for x, _ in pairs)
    var_y = sum((y - mean_y) ** 2 for _, y in pairs)
    if var_x < 1e-20 or var_y < 1e-20:
        return None, n
    return sum((x - mean_x) * (y - mean_y) for x, y in pairs) / sqrt(var_x * var_y), n


def to_five(score, scale):
    low, high = scale
    return 1 + (score - low) * (5 - 1) / (high - low)


def systems(row):
    return row["systems"] or [row["system"]]


def is_control(row):
    return all(name.startswith("control-") for name in systems(row))


def scale_of(row, scale):
    return (1, 5) if is_control(row) else scale


def by_judge(row, judge, criterion, scale):
    """What one judge gave, or None; twice counts as the mean."""
    given = [
        to_five(said[criterion], scale_of(row, scale))
        for said in row["judges"]
        if said.get("judge") == judge and criterion in said
    ]
    return sum(given) / len(given) if given else None


def mean_of_judges(row, criterion, scale):
    """The score in `human`, else the arithmetic mean of the judges (end of §5.2), else None."""
    if criterion in row["human"]:
        return to_five(row["human"][criterion], scale_of(row, scale))
    given = [to_five(j[criterion], scale_of(row, scale)) for j in row["judges"] if criterion in j]
    return sum(given) / len(given) if given else None


def both_levels(rows, one, other, system_score=None):
    """Pearson over the rows that have both scores, and over what their systems have of them."""
    rows = [row for row in rows if one(row) is not None and other(row) is not None]
    sentence = pearson([(one(row), other(row)) for row in rows])
    points = []
    for name in sorted({name for row in rows for name in systems(row)}):
        mine = [row for row in rows if name in systems(row)]
        average = sum(one(row) for row in mine) / len(mine)
        theirs = sum(other(row) for row in mine) / len(mine)
        points.append((system_score(mine) if system_score else average, theirs))
    return sentence, pearson(points)


def judges_of(rows, criterion):
    names = {j.get("judge") for row in rows for j in row["judges"] if criterion in j}
    return sorted(names - {None})


def table1(rows, human, scale):
    """{(judge, judge): both levels}; "we exclude the three artificial control systems"."""
    people = [row for row in rows if not is_control(row)]
    found = {}
    for a, b in combinations(judges_of(rows, human), 2):
        shared = [
            row
            for row in people
            if by_judge(row, a, human, scale) is not None
            and by_judge(row, b, human, scale) is not None
        ]
        if shared:
            found[a, b] = both_levels(
                shared,
                lambda row, a=a: by_judge(row, a, human, scale),
                lambda row, b=b: by_judge(row, b, human, scale),
            )
    return found


def table2(rows, human, criterion, scale, thresholds=()):
    """A criterion with the overall score, on rows "of at least four" in others."""

    def high(row):
        values = [(mean_of_judges(row, name, scale), least) for name, least in thresholds]
        return all(value is not None and value >= least - 1e-9 for value, least in values)

    return both_levels(
        [row for row in rows if high(row)],
        lambda row: mean_of_judges(row, criterion, scale),
        lambda row: mean_of_judges(row, human, scale),
    )


def table3(rows, human, scale, score, system_score):
    """{judge, or None for the mean: both levels} of a metric."""
    found = {
        None: both_levels(rows, score, lambda row: mean_of_judges(row, human, scale), system_score)
    }
    people = [row for row in rows if not is_control(row)]
    for judge in judges_of(rows, human):
        found[judge] = both_levels(
            people, score, lambda row, j=judge: by_judge(row, j, human, scale), system_score
        )
    return found
