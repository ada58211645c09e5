"""PEM's bags of pivot-language n-grams (PEM §4.2 and §4.3), as the paper says it."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise, product
from math import log, prod


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


def all_segmentations(words, longest=4):
    """Every way to cut the words into phrases: each gap between two words is cut or not."""
    for cuts in product([False, True], repeat=max(0, len(words) - 1)):
        bounds = [0, *(place for place, cut in enumerate(cuts, 1) if cut), len(words)]
        phrases = [words[begin:end] for begin, end in pairwise(bounds) if begin < end]
        if all(len(phrase) <= longest for phrase in phrases):
            yield phrases


def worth(phrases, count, total):
    """The product of N(p) / sum N (eq. 2), without rounding; 0 if a phrase is unknown."""
    factors = []
    for phrase in phrases:
        seen = Fraction(count(" ".join(phrase)))
        if not seen and len(phrase) == 1:
            seen = Fraction(1, 2)
        factors.append(seen / max(total, 1))
    return prod(factors, start=Fraction(1))


def network(phrases, edges, threshold=0.1, renormalise=False):
    """For each phrase its likely translations, else its most likely one, else itself."""
    columns = []
    for phrase in phrases:
        found = sorted(edges(" ".join(phrase)), key=lambda edge: -edge[1])
        likely = [edge for edge in found if edge[1] > threshold] or found[:1]
        if renormalise:
            total = sum(probability for _, probability in likely)
            likely = [(target, probability / total) for target, probability in likely]
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


def bag_of_all_paths(columns, longest=4):
    """Expected counts by their definition: sum over all paths of probability x occurrences.

    What pruning took from a column (1 minus the sum of what is left) is a choice of its own, a
    gap that no n-gram crosses: so all paths together have probability 1. Rounding may make a
    gap negative; the sums hold all the same.
    """
    weights = defaultdict(float)
    completed = [
        [*choices, (None, 1 - sum(chance for _, chance in choices))] for choices in columns
    ]
    for path in product(*completed):
        probability = prod(chance for _, chance in path)
        for words in _unbroken(target for target, _ in path):
            for begin in range(len(words)):
                for end in range(begin + 1, min(begin + longest, len(words)) + 1):
                    weights[tuple(words[begin:end])] += probability
    return dict(weights)


def _unbroken(targets):
    """The spans of words between gaps."""
    stretches = [[]]
    for target in targets:
        if target is None:
            stretches.append([])
        else:
            stretches[-1].extend(target)
    return stretches


def word_f1(one, other, longest):
    """F1 of the sentences' own n-grams of up to so many words (PEM §4.4); 1 for two empty ones."""

    def grams(words):
        return Counter(
            tuple(words[begin : begin + n])
            for n in range(1, longest + 1)
            for begin in range(len(words) - n + 1)
        )

    left, right = grams(one), grams(other)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0


def f1(one, other):
    """Twice the weight in common over the weight of both."""
    common = sum(min(weight, other.get(gram, 0.0)) for gram, weight in one.items())
    total = sum(one.values()) + sum(other.values())
    return 2 * common / total if total else 0.0
