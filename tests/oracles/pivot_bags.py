"""PEM's bags of pivot-language n-grams (PEM §4.2 and §4.3), as the paper says it."""

from __future__ import annotations

from collections import defaultdict
from math import log


def segment(words, count, total, longest=4):
    """The phrases whose counts N(p) / sum N have the largest product; N(w) = 0 counts as 1/2."""
    best = [(0.0, 0)] + [(float("-inf"), 0)] * len(words)
    for end in range(1, len(words) + 1):
        for begin in range(max(0, end - longest), end):
            seen = count(" ".join(words[begin:end]))
            if not seen and end - begin > 1:
                continue
            score = best[begin][0] + log((seen or 0.5) / total)
            if score > best[end][0]:
                best[end] = score, begin
    phrases = []
    end = len(words)
    while end:
        begin = best[end][1]
        phrases.append(words[begin:end])
        end = begin
    return phrases[::-1]


def network(phrases, edges, threshold=0.1):
    """For each phrase its likely translations, else its likeliest one, else itself."""
    columns = []
    for phrase in phrases:
        found = sorted(edges(" ".join(phrase)), key=lambda edge: -edge[1])
        likely = [edge for edge in found if edge[1] > threshold] or found[:1]
        columns.append(likely or [(tuple(phrase), 1.0)])
    return columns


def bag(columns, longest=4, threshold=0.01):
    """The weight of every n-gram: the sum over its places of the product of its edges."""
    weights = defaultdict(float)

    def extend(gram, weight, column, words):
        for word in words:
            gram = (*gram, word)
            weights[gram] += weight
            if len(gram) == longest:
                return
        if column < len(columns):
            for target, probability in columns[column]:
                extend(gram, weight * probability, column + 1, target)

    for column, choices in enumerate(columns):
        for target, probability in choices:
            for begin in range(len(target)):
                extend((), probability, column + 1, target[begin:])
    return {gram: weight for gram, weight in weights.items() if weight > threshold}


def f1(one, other):
    """Twice the weight in common over the weight of both."""
    common = sum(min(weight, other.get(gram, 0.0)) for gram, weight in one.items())
    total = sum(one.values()) + sum(other.values())
    return 2 * common / total if total else 0.0
