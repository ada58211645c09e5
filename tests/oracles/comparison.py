"""Two systems compared the slow way: words looked up one by one, F1 from its definition."""

from __future__ import annotations

from itertools import product


def right_words(hypothesis, reference):
    """Pairs (place in hypothesis, place in reference) of equal words, each word once, in order."""
    free = list(range(len(reference)))
    pairs = []
    for place, word in enumerate(hypothesis):
        for other in free:
            if reference[other] == word:
                pairs.append((place, other))
                free.remove(other)
                break
    return pairs


def recall_precision(segments, kind_of, kind):
    """Over (hypothesis, references) with words as (form, tag): how many of a kind are right.

    Which of several equal words is the right one does not matter unless their kinds differ, so
    the inputs of this oracle must give a form the same kind everywhere.
    """
    found = needed = right = had = 0
    for hypothesis, references in segments:
        for reference in references:
            forms = [form for form, _ in hypothesis], [form for form, _ in reference]
            pairs = right_words(*forms)
            needed += sum(kind_of(tag) == kind for _, tag in reference)
            had += sum(kind_of(tag) == kind for _, tag in hypothesis)
            found += sum(kind_of(reference[there][1]) == kind for _, there in pairs)
            right += sum(kind_of(hypothesis[here][1]) == kind for here, _ in pairs)
    return found / needed if needed else 0.0, right / had if had else 0.0


def f1(recall, precision):
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def exact_randomization(left, right, score):
    """The share of all ways to exchange segments whose difference is at least as large."""
    truth = abs(score(left) - score(right))
    ways = list(product([False, True], repeat=len(left)))
    extreme = 0
    for way in ways:
        one = [b if swapped else a for a, b, swapped in zip(left, right, way, strict=True)]
        other = [a if swapped else b for a, b, swapped in zip(left, right, way, strict=True)]
        extreme += abs(score(one) - score(other)) >= truth - 1e-12
    return extreme / len(ways)
