"""Soft matching as docs/vectors.md defines it, word by word, in plain Python."""

from __future__ import annotations

import math

MIXES = (0.0, 0.5)
FUNCTION_BELOW = 6.0
SIGN = 0.3 * 9.0


def features(hypothesis, reference, vector, information, known):
    """All columns of one pair of lists of (word, stem); `vector` etc. are functions of a stem."""
    if not hypothesis or not reference:
        return [float(not hypothesis and not reference)] * 35
    columns, f1 = [], []
    for mix in MIXES:
        left = [_mixed(hypothesis, i, mix, vector) for i in range(len(hypothesis))]
        right = [_mixed(reference, i, mix, vector) for i in range(len(reference))]
        p = _summaries(
            [max(_cosine(a, b) for b in right) for a in left], hypothesis, information, known
        )
        r = _summaries(
            [max(_cosine(a, b) for a in left) for b in right], reference, information, known
        )
        columns += p + r
        f1.append(2 * p[0] * r[0] / (p[0] + r[0]) if p[0] + r[0] else 0.0)
    means = [_mean_vector(side, vector, information) for side in (hypothesis, reference)]
    return [*columns, *f1, _cosine(*means)]


def _is_word(word):
    return any(c.isalnum() for c in word)


def _weight(token, information):
    return information(token[1]) if _is_word(token[0]) else SIGN


def _mixed(text, place, mix, vector):
    total = list(vector(text[place][1]))
    for neighbour in (place - 1, place + 1):
        if 0 <= neighbour < len(text):
            total = [a + mix * b for a, b in zip(total, vector(text[neighbour][1]), strict=True)]
    return total


def _mean_vector(text, vector, information):
    rows = [[_weight(t, information) * x for x in vector(t[1])] for t in text]
    return [sum(column) for column in zip(*rows, strict=True)]


def _cosine(a, b):
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
    return dot / lengths if lengths else 0.0


def _mean(values):
    return sum(values) / len(values) if values else 1.0


def _summaries(best, text, information, known):
    best = [min(max(value, 0.0), 1.0) for value in best]
    weights = [_weight(token, information) for token in text]
    function, content, signs, lost = [], [], [], 0.0
    for value, (word, stem) in zip(best, text, strict=True):
        if not _is_word(word):
            signs.append(value)
        elif information(stem) < FUNCTION_BELOW:
            function.append(value)
        else:
            content.append(value)
        if not known(stem):
            lost += 1 - value
    total = sum(weights)
    return [
        sum(w * v for w, v in zip(weights, best, strict=True)) / total,
        _mean(best),
        math.sqrt(sum(w * v * v for w, v in zip(weights, best, strict=True)) / total),
        _mean(sorted(best)[: max(1, len(best) // 4)]),
        _mean(function),
        _mean(content),
        _mean(signs),
        1 - lost / len(best),
    ]
