"""MAXSIM word for word from the paper, with SciPy's assignment solver."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment


def similarity(a, b, synonyms):
    """S of eq. 1; a and b are (lemma, tag)."""
    return ((a[1] == b[1]) + synonyms(a[0], b[0])) / 2


def left_to_right(left, right, equal):
    """Take out pairs of equal items, first come first served; returns their number."""
    found = 0
    for item in list(left):
        for other in right:
            if equal(item, other):
                left.remove(item)
                right.remove(other)
                found += 1
                break
    return found


def bipartite(left, right, weight):
    if not left or not right:
        return 0.0
    weights = np.array([[weight(a, b) for b in right] for a in left])
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return float(weights[rows, columns].sum())


def ngram_counts(system, reference, n, synonyms):
    """matched, n-grams of the system, n-grams of the reference."""
    # Positions make equal n-grams distinct items of a list.
    left = [(i, tuple(system[i : i + n])) for i in range(len(system) - n + 1)]
    right = [(i, tuple(reference[i : i + n])) for i in range(len(reference) - n + 1)]
    sizes = len(left), len(right)

    def lemmas(item):
        return [lemma for lemma, _ in item[1]]

    def weight(a, b):
        scores = [similarity(x, y, synonyms) for x, y in zip(a[1], b[1], strict=True)]
        return 0.0 if 0 in scores else sum(scores) / n

    matched = float(left_to_right(left, right, lambda a, b: a[1] == b[1]))
    matched += left_to_right(left, right, lambda a, b: lemmas(a) == lemmas(b))
    matched += bipartite(left, right, weight)
    return matched, *sizes


def triple_counts(system, reference, synonyms):
    """ACL-08: HLT: (Syn(dependents) + I(relations) + Syn(heads)) / 3.

    Triples are (relation, head, dependent), head and dependent (lemma, tag).
    """

    def syn(a, b):
        return a[0] == b[0] or bool(synonyms(a[0], b[0]))

    def weight(a, b):
        return ((a[0] == b[0]) + syn(a[1], b[1]) + syn(a[2], b[2])) / 3

    return bipartite(system, reference, weight), len(system), len(reference)


def f_score(matched, system, reference, alpha):
    if matched == 0:
        return 0.0
    p, r = matched / system, matched / reference
    return p * r / (alpha * p + (1 - alpha) * r)


def maxsim(system, reference, synonyms, alpha=0.8, orders=3):
    """§2.2: 1/N of the sum of F_1 to F_N; two texts without words are equal."""
    if not system and not reference:
        return 1.0
    counts = [ngram_counts(system, reference, n, synonyms) for n in range(1, orders + 1)]
    return sum(f_score(*one, alpha) for one in counts) / orders
