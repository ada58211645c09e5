"""Agreement of a metric with people, on a set and on draws of it, by loops and by SciPy."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import scipy.stats


def midranks(values):
    """One plus the number of lower values, plus half the number of other equal ones."""
    return [
        1 + sum(v < value for v in values) + (sum(v == value for v in values) - 1) / 2
        for value in values
    ]


def known(x, y):
    """The pairs of which both sides are known."""
    return [
        (a, b) for a, b in zip(x, y, strict=True) if not (math.isnan(float(a)) or math.isnan(b))
    ]


def correlation(name, x, y):
    """SciPy's; NaN for fewer than three points or a constant side."""
    pairs = known(x, y)
    if len(pairs) < 3 or any(len(set(side)) < 2 for side in zip(*pairs, strict=True)):
        return math.nan
    function = {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall": scipy.stats.kendalltau,
    }[name]
    return function(*zip(*pairs, strict=True)).statistic


def accuracy(x, y):
    """The share of pairs with an order in y that have the same one in x."""
    pairs = known(x, y)
    answers = []
    for (x1, y1), (x2, y2) in combinations(pairs, 2):
        if y1 != y2:
            answers.append((x1 < x2 and y1 < y2) or (x1 > x2 and y1 > y2))
    return sum(answers) / len(answers) if len(pairs) >= 3 and answers else math.nan


def coefficients(rows, metric, human_means=None):
    """All coefficients of rows (system, statistics, human score), which may be there twice."""
    systems = sorted({system for system, _, _ in rows})
    scores, people = [], []
    for name in systems:
        mine = [row for row in rows if row[0] == name]
        score = metric.aggregate(np.array([statistics for _, statistics, _ in mine]))
        scores.append(round(score, 12))
        mean = math.fsum(human for _, _, human in mine) / len(mine)
        people.append(round(mean if human_means is None else human_means[name], 12))
    upward = scores if metric.traits.higher_is_better else [-score for score in scores]
    segments = [metric.segment_scores(np.array([row[1]]))[0] for row in rows]
    said = [human for _, _, human in rows]
    return {
        ("system", "spearman"): correlation("spearman", scores, people),
        ("system", "pearson"): correlation("pearson", scores, people),
        ("system", "accuracy"): accuracy(upward, people),
        ("segment", "pearson"): correlation("pearson", segments, said),
        ("segment", "kendall"): correlation("kendall", segments, said),
    }
