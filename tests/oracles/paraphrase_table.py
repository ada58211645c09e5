"""A table of paraphrases as a dictionary, straight from the definition; nothing is rounded."""

from __future__ import annotations


def normal(phrase):
    return " ".join(phrase.lower().split())


class ParaphraseTable:
    def __init__(self, rows):
        """Rows are (phrase, paraphrase, p(paraphrase|phrase)); of repeated ones the best."""
        self.probabilities = {}
        for a, b, p in rows:
            pair = normal(a), normal(b)
            usable = pair[0] != pair[1] and max(len(one.split()) for one in pair) <= 16 and p > 0
            if usable:
                self.probabilities[pair] = max(p, self.probabilities.get(pair, 0))

    @property
    def phrases(self):
        return {phrase for pair in self.probabilities for phrase in pair}

    @property
    def longest(self):
        return max((len(phrase.split()) for phrase in self.phrases), default=0)

    def probability(self, a, b):
        return self.probabilities.get((normal(a), normal(b)), 0)

    def paraphrases(self, a):
        return {b: p for (phrase, b), p in self.probabilities.items() if phrase == normal(a)}
