"""Naive twins of what `meta judge` measures: by all pairs and by counting."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations


def fleiss(items):
    """Fleiss' kappa of lists of labels, the same number for each item."""
    raters = len(items[0])
    labels = [label for item in items for label in item]
    by_chance = sum((labels.count(label) / len(labels)) ** 2 for label in set(labels))
    agreed = sum(
        sum(one == other for one, other in combinations(item, 2)) / math.comb(raters, 2)
        for item in items
    ) / len(items)
    return math.nan if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def usual(answers):
    """The most frequent answer; None if two are equally frequent."""
    ranked = Counter(answers).most_common(2)
    divided = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return None if divided else ranked[0][0]


def rates(pairs, positive):
    """Accuracy, true positive and true negative rate of (people, judge); None without items."""

    def share(hits):
        return sum(hits) / len(hits) if hits else None

    return (
        share([one == other for one, other in pairs]),
        share([other == positive for one, other in pairs if one == positive]),
        share([other != positive for one, other in pairs if one != positive]),
    )
