"""A pivot table as dictionaries, straight from the definitions; nothing is rounded."""

from __future__ import annotations

from collections import defaultdict


class PivotTable:
    def __init__(self, rows, min_probability=0.0, top=255, min_count=1):
        """Rows are (phrase, pivot phrase, N(e), p(f|e), p(e|f))."""
        self.totals = defaultdict(int)
        self.counts = {}
        translations = defaultdict(list)
        for phrase, pivot, count, forward, backward in rows:
            if phrase not in self.counts:
                self.totals[len(phrase.split())] += count
            self.counts[phrase] = count
            translations[phrase].append((pivot, forward, backward))
        self.translations = {}
        for phrase, found in translations.items():
            best = sorted(found, key=lambda one: (-one[1], -one[2]))[:top]
            kept = [one for one in best if one[1] >= min_probability]
            if kept and self.counts[phrase] >= min_count:
                self.translations[phrase] = kept

    def count(self, phrase):
        return self.counts[phrase] if phrase in self.translations else 0

    def edges(self, phrase):
        return {tuple(f.split()): (p, q) for f, p, q in self.translations.get(phrase, [])}

    def paraphrase_probability(self, source, target):
        targets = self.edges(target)
        return sum(p * targets[f][1] for f, (p, _) in self.edges(source).items() if f in targets)

    def share_pivot(self, a, b):
        return bool(self.edges(a).keys() & self.edges(b).keys())
