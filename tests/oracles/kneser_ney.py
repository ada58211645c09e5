"""Modified Kneser-Ney and entropy pruning on dictionaries, straight from the equations.

Chen & Goodman 1998 (discounts: eq. 26), Heafield et al. 2013 (adjusted counts, <s>, <unk>),
Stolcke 1998 (pruning). N-grams are tuples of words; probabilities are not logarithms.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"


def ngrams(sentences, order):
    """Raw counts of the n-grams of each length, of sentences given as lists of words."""
    counts = [Counter() for _ in range(order + 1)]
    for sentence in sentences:
        words = [BEGIN, *sentence, END]
        for n in range(1, order + 1):
            for i in range(len(words) - n + 1):
                counts[n][tuple(words[i : i + n])] += 1
    return counts


def adjust(counts, order):
    """Adjusted counts: raw in the highest order and after <s>, else different left words."""
    adjusted = [Counter() for _ in range(order + 1)]
    for n in range(1, order + 1):
        for gram, count in counts[n].items():
            if n == order or gram[0] == BEGIN:
                adjusted[n][gram] = count
            else:
                adjusted[n][gram] = len({g[0] for g in counts[n + 1] if g[1:] == gram})
    adjusted[1].pop((BEGIN,), None)
    return adjusted


def discounts(adjusted, fallback=(0.5, 1.0, 1.5)):
    """D1, D2, D3+ of one order; one of zero, which would give p = 0, is no discount either."""
    n = Counter(adjusted.values())
    if not (n[1] and n[2] and n[3]):
        return fallback
    y = n[1] / (n[1] + 2 * n[2])
    found = tuple(k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))
    return found if all(1e-6 <= d <= k for k, d in enumerate(found, 1)) else fallback


class KneserNey:
    def __init__(self, sentences, order, prune=()):
        self.order = order
        self.vocabulary = {word for s in sentences for word in s} | {END, UNKNOWN}
        self.counts = ngrams(sentences, order)
        adjusted = adjust(self.counts, order)
        thresholds = [0, *prune, *([prune[-1]] if prune else [0]) * order]
        self.discounts = [None]
        self.probability = {}
        self.backoff = {}
        for n in range(1, order + 1):
            d = discounts(adjusted[n])
            self.discounts.append(d)
            self._estimate(n, adjusted[n], d, thresholds[n] if n > 1 else 0)

    def _estimate(self, n, adjusted, d, threshold):
        groups = defaultdict(dict)
        for gram, count in adjusted.items():
            groups[gram[:-1]][gram] = count
        for context, grams in groups.items():
            total = sum(grams.values())
            left = 0.0
            for gram, count in grams.items():
                dropped = n > 1 and self.counts[n][gram] <= threshold
                left += count if dropped else d[min(count, 3) - 1]
            weight = left / total
            if n == 1:
                for word in self.vocabulary:
                    count = adjusted.get((word,), 0)
                    seen = (count - d[min(count, 3) - 1]) / total if count else 0
                    self.probability[word,] = seen + weight / len(self.vocabulary)
                continue
            self.backoff[context] = weight
            for gram, count in grams.items():
                if self.counts[n][gram] > threshold:
                    lower = self.probability[gram[1:]]
                    self.probability[gram] = (count - d[min(count, 3) - 1]) / total + weight * lower

    def p(self, word, context):
        """The back-off probability of a word after a tuple of words."""
        if word not in self.vocabulary:
            word = UNKNOWN
        context = tuple(w if w in self.vocabulary or w == BEGIN else UNKNOWN for w in context)
        if (*context, word) in self.probability:
            return self.probability[(*context, word)]
        return self.backoff.get(context, 1.0) * self.p(word, context[1:])

    def log10(self, sentence):
        """The log10 probability of a list of words and its end."""
        words = [BEGIN, *sentence, END]
        return sum(
            math.log10(self.p(words[i], tuple(words[max(0, i - self.order + 1) : i])))
            for i in range(1, len(words))
        )

    def prune_by_entropy(self, threshold):
        """Drop n-grams whose loss raises perplexity by less than a factor 1 + threshold.

        Histories are weighed by their raw counts; prefixes and suffixes of what stays stay.
        """
        total = sum(self.counts[1].values())
        kept = set()
        for n in range(self.order, 1, -1):
            grams = [g for g in self.probability if len(g) == n]
            for gram in grams:
                if gram not in kept:
                    history = self.counts[n - 1][gram[:-1]] / total
                    if math.expm1(self._divergence(gram, history)) < threshold:
                        continue
                kept |= {gram, gram[1:], gram[:-1]}
        self.probability = {g: p for g, p in self.probability.items() if len(g) == 1 or g in kept}
        for context in list(self.backoff):
            seen = [g for g in self.probability if len(g) > 1 and g[:-1] == context]
            if seen:
                numerator = 1 - sum(self.probability[g] for g in seen)
                denominator = 1 - sum(self.probability[g[1:]] for g in seen)
                self.backoff[context] = numerator / denominator
            else:
                del self.backoff[context]

    def _divergence(self, gram, history):
        """D(p || p') of Stolcke 1998 by its definition: a sum over the whole vocabulary."""
        context = gram[:-1]
        seen = {g[-1] for g in self.probability if len(g) == len(gram) and g[:-1] == context}
        rest = seen - {gram[-1]}
        numerator = 1 - sum(self.probability[(*context, w)] for w in rest)
        denominator = 1 - sum(self.p(w, context[1:]) for w in rest)
        total = 0.0
        for word in self.vocabulary:
            before = self.p(word, context)
            after = before
            if word not in rest:
                after = numerator / denominator * self.p(word, context[1:])
            total += before * math.log(before / after)
        return history * total
