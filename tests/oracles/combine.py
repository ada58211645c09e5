"""What the statistics of a combination are, written from their definitions, slowly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations


def overlap(left, right, order):
    """Precision and recall of n-grams with clipped counts; of nothing, 1 if both have nothing."""
    bags = [
        Counter(tuple(side[i : i + order]) for i in range(len(side) - order + 1))
        for side in (left, right)
    ]
    common = sum((bags[0] & bags[1]).values())
    sizes = [sum(bag.values()) for bag in bags]
    return tuple(
        common / size if size else float(not other)
        for size, other in ((sizes[0], sizes[1]), (sizes[1], sizes[0]))
    )


def longest_common(left, right):
    """The textbook table."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


def kendall(places):
    """Share of pairs that are in order."""
    pairs = list(combinations(places, 2))
    return sum(a < b for a, b in pairs) / len(pairs) if pairs else 0.5


def chunks(links):
    """Maximal runs of links that are next to each other on both sides."""
    known = set(links)
    return sum((i - 1, j - 1) not in known for i, j in links)


def ridge(domains, penalty):
    """Weights that minimise the mean over domains of the mean squared error on standardised,
    clipped, domain-centred rows plus penalty times their squares: by gradient descent.
    """
    import numpy as np

    means = [rows.mean(axis=0) for rows, _ in domains]
    center = np.mean(means, axis=0)
    variance = np.mean([rows.var(axis=0) for rows, _ in domains], axis=0)
    scale = np.where(variance > 1e-18, np.sqrt(variance), 1.0)
    prepared = []
    for rows, people in domains:
        standard = np.clip((rows - center) / scale, -6, 6)
        prepared.append((standard - standard.mean(axis=0), people - people.mean()))
    weights = np.zeros(len(center))
    step = 1 / (penalty + max(np.linalg.norm(x, 2) ** 2 / len(x) for x, _ in prepared))
    for _ in range(20000):
        slope = penalty * weights
        for x, y in prepared:
            slope = slope + x.T @ (x @ weights - y) / len(x) / len(prepared)
        weights = weights - step * slope
    return center, scale, weights
