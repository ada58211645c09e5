"""BLEU's three steps on lists of words, by the definitions (ParaEval §2, Papineni et al. 2002)."""

from __future__ import annotations

import math
from fractions import Fraction


def ngrams(words, n):
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def clipped(hypothesis, references, n):
    """How many of the hypothesis' n-grams count, each at most as often as one reference has it."""
    mine = ngrams(hypothesis, n)
    return sum(
        min(mine.count(gram), max(ngrams(reference, n).count(gram) for reference in references))
        for gram in set(mine)
    )


def precision(segments, n):
    """A ratio of sums over (hypothesis, references); none if there is no n-gram."""
    total = sum(len(ngrams(hypothesis, n)) for hypothesis, _ in segments)
    return Fraction(sum(clipped(h, rs, n) for h, rs in segments), total) if total else None


def closest_length(hypothesis, references):
    """The length that differs least from the hypothesis', the shorter one of two."""
    return min((abs(len(one) - len(hypothesis)), len(one)) for one in references)[1]


def lengths(segments):
    return (
        sum(len(hypothesis) for hypothesis, _ in segments),
        sum(closest_length(h, rs) for h, rs in segments),
    )


def mup(segments):
    words, reference_words = lengths(segments)
    return precision(segments, 1) if words else float(reference_words == 0)


def gm(segments, orders):
    words, reference_words = lengths(segments)
    if not words:
        return float(reference_words == 0)
    known = [p for n in range(1, orders + 1) if (p := precision(segments, n)) is not None]
    product = 1.0
    for one in known:
        product *= float(one)
    return product ** (1 / len(known))


def bp_bleu(segments, orders):
    words, reference_words = lengths(segments)
    if not words:
        return float(reference_words == 0)
    brevity = 1.0 if words > reference_words else math.exp(1 - reference_words / words)
    return brevity * gm(segments, orders)
