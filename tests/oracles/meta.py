"""Meta-evaluation by loops, from the definitions: pairs, ties, groups, judges, permutations."""

from __future__ import annotations

import math
from itertools import combinations, product

from tests.oracles.agreement import accuracy, correlation, known


def pair_kinds(x, y, epsilon=0.0):
    """Concordant, discordant, tied in x alone, in y alone, in both, over the known points."""
    counts = [0] * 5
    for (x1, y1), (x2, y2) in combinations(known(x, y), 2):
        tied_x, tied_y = abs(x1 - x2) <= epsilon, y1 == y2
        if tied_x and tied_y:
            counts[4] += 1
        elif tied_x:
            counts[2] += 1
        elif tied_y:
            counts[3] += 1
        else:
            counts[0 if (x1 < x2) == (y1 < y2) else 1] += 1
    return counts


def with_ties(x, y, epsilon=0.0):
    """Deutsch, Foster & Freitag (2023): agreed orders and agreed ties over all pairs."""
    counts = pair_kinds(x, y, epsilon)
    return (counts[0] + counts[4]) / sum(counts) if sum(counts) else math.nan


def mean_known(values):
    """The mean of what is there."""
    there = [value for value in values if not math.isnan(value)]
    return math.fsum(there) / len(there) if there else math.nan


def calibrated(groups):
    """The best mean accuracy over groups (x, y) and all thresholds that make a difference."""
    gaps = {0.0}
    for x, y in groups:
        gaps |= {abs(a - b) for (a, _), (b, _) in combinations(known(x, y), 2)}
    return max(mean_known([with_ties(x, y, gap) for x, y in groups]) for gap in sorted(gaps))


def better_worse(pairs, ties="wrong"):
    """WMT's tau of (score of the better, score of the worse)."""
    right = sum(b > w for b, w in pairs)
    wrong = sum(b < w for b, w in pairs)
    tied = sum(b == w for b, w in pairs)
    if ties == "wrong":
        return (right - wrong - tied) / len(pairs) if pairs else math.nan
    total = right + wrong + (tied if ties == "neutral" else 0)
    return (right - wrong) / total if total else math.nan


def soft_accuracy(x, y):
    """Thompson et al. (2024) with every permutation; rows are systems, all of the same length."""
    found = []
    for one, other in combinations(range(len(x)), 2):
        p = []
        for side in (x, y):
            gaps = [a - b for a, b in zip(side[one], side[other], strict=True)]
            truth = sum(gaps)
            chance = [
                sum(s * g for s, g in zip(signs, gaps, strict=True))
                for signs in product((1, -1), repeat=len(gaps))
            ]
            better = sum(c > truth + 1e-9 for c in chance)
            same = sum(abs(c - truth) <= 1e-9 for c in chance)
            p.append((better + same / 2) / len(chance))
        found.append(1 - abs(p[0] - p[1]))
    return sum(found) / len(found)


def alpha(judgements, measure):
    """Krippendorff's alpha by all pairs of judgements; None is missing."""
    units = [[v for v in unit if v is not None] for unit in zip(*judgements, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    times = {v: values.count(v) for v in values}

    def far(a, b):
        if measure == "nominal":
            return float(a != b)
        if measure == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(n for v, n in times.items() if low <= v <= high)
        return (between - (times[a] + times[b]) / 2) ** 2

    n = len(values)
    observed = sum(
        sum(far(a, b) for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j)
        / (len(unit) - 1)
        for unit in units
    )
    expected = sum(
        far(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j
    ) / (n - 1)
    return 1 - observed / expected if expected else math.nan


def perm_both(x, y, z, coefficient):
    """The share of all exchanges of x and y whose difference is at least as large."""
    truth = abs(coefficient(x, z) - coefficient(y, z))
    found = []
    for swapped in product((False, True), repeat=len(x)):
        a = [w if s else v for v, w, s in zip(x, y, swapped, strict=True)]
        b = [v if s else w for v, w, s in zip(x, y, swapped, strict=True)]
        gap = coefficient(a, z) - coefficient(b, z)
        found.append(abs(0 if math.isnan(gap) else gap) >= truth - 1e-12)
    return sum(found) / len(found)


def segment_level(name, rows, group):
    """A coefficient of rows (system, item, langs, score, human), some of them missing."""
    keys = {
        "none": lambda row: "",
        "item": lambda row: (row[2], row[1]),
        "system": lambda row: row[0],
        "langs": lambda row: row[2],
    }
    groups = {}
    for row in rows:
        if not math.isnan(row[4]):
            groups.setdefault(keys[group](row), []).append(row)
    sides = [([r[3] for r in mine], [r[4] for r in mine]) for mine in groups.values()]
    if name == "accuracy":
        return calibrated(sides)
    return mean_known([correlation(name, x, y) for x, y in sides])


def derived_pairs(rows, margin=0.0):
    """Scores of the better and the worse of two rows of one item."""
    found = []
    for a, b in combinations(rows, 2):
        if (a[1], a[2]) == (b[1], b[2]) and not any(math.isnan(r[4]) for r in (a, b)):
            better, worse = (a, b) if a[4] > b[4] else (b, a)
            if better[4] > worse[4] and better[4] - worse[4] >= margin:
                found.append((better[3], worse[3]))
    return [pair for pair in found if not any(map(math.isnan, pair))]


def system_level(name, rows):
    """A coefficient of the means of systems, over rows that have both scores."""
    systems = {}
    for row in rows:
        if not (math.isnan(row[3]) or math.isnan(row[4])):
            systems.setdefault(row[0], []).append(row)
    means = [
        [round(math.fsum(r[n] for r in mine) / len(mine), 12) for mine in systems.values()]
        for n in (3, 4)
    ]
    return accuracy(*means) if name == "accuracy" else correlation(name, *means)
