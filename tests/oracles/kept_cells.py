"""The aligner's training with every cell kept: the entry of each cell of each sentence pair.

Arithmetic is the kernel's, in its order and precision (single, counts as whole multiples of 2^-32),
so that tables must agree byte by byte. Plain and slow.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np

F = np.float32
FIXED = 2.0**32
WINDOW = 50
REACH = 1000
UNSEEN = F(1e-9)
NEGLIGIBLE = F(1e-6)
LEAST = F(1e-7)


def exp_digamma(x):
    if x < 0.02:
        return 0.0
    shift = 0.0
    while x < 6:
        shift += 1 / x
        x += 1
    inverse = 1 / x
    square = inverse * inverse
    psi = math.log(x) - inverse / 2 - square * (1 / 12 - square * (1 / 120 - square / 252))
    return math.exp(psi - shift)


def normalised(weights):
    total = 0.0
    for weight in weights:
        total += weight
    return [weight / total for weight in weights]


def initial_jumps():
    jumps = range(-WINDOW, WINDOW + 1)
    inner = [1 / (1 + abs(jump - 1) ** 1.5) + 1e-3 for jump in jumps]
    first = [0.0 if jump < 1 else 1 / jump + 1e-3 for jump in jumps]
    return normalised(inner), normalised(first)


def learnt_jumps(counts):
    pairs = zip(counts, initial_jumps(), strict=True)
    return tuple(
        normalised([count / FIXED + weight * 10 for count, weight in zip(c, w, strict=True)])
        for c, w in pairs
    )


def bucket(jump):
    return min(max(jump, -WINDOW), WINDOW) + WINDOW


def running_sum(values):
    total = F(0)
    for value in values:
        total = total + value
    return total


class Chain:
    """One direction of a sentence pair: forward, backward, posteriors and expected jumps."""

    def __init__(self, emission, null_emission, jumps, null_probability):
        inner, first = jumps
        observed, n = emission.shape
        null = F(null_probability)
        weight = [F(inner[bucket(d)]) for d in range(-n, n + 1)]  # of a jump d, at d + n

        sums = [0.0]  # of the weights of jumps from -1,000 on, the longest of the kernel's table
        for d in range(-REACH, n):
            sums.append(sums[-1] + float(F(inner[bucket(d)])))
        leave = [(F(1) - null) * F(1 / (sums[REACH - i + n] - sums[REACH - i])) for i in range(n)]
        starts = [F(first[bucket(i + 1)]) for i in range(n)]
        total = 0.0
        for start in starts:
            total += float(start)
        real, mass, scale = [], [], []
        for j in range(observed):
            empty = null * null_emission[j]
            if j == 0:
                start = [F(1 / total) * s for s in starts]
                new = [(F(1) - null) * start[i] * emission[0][i] for i in range(n)]
                all_ = [new[i] + empty * start[i] for i in range(n)]
            else:
                new = [F(0)] * n
                for i in range(n):
                    if mass[-1][i] > NEGLIGIBLE:
                        factor = mass[-1][i] * leave[i]
                        new = [new[k] + factor * weight[k - i + n] for k in range(n)]
                new = [new[i] * emission[j][i] for i in range(n)]
                all_ = [new[i] + empty * mass[-1][i] for i in range(n)]
            scale.append(F(1) / running_sum(all_))
            real.append([x * scale[-1] for x in new])
            mass.append([x * scale[-1] for x in all_])
        self.posterior = np.zeros((observed, n), F)
        expected = [F(0)] * (2 * n - 1)
        future = [F(1)] * n
        for j in reversed(range(observed)):
            self.posterior[j] = [real[j][i] * future[i] for i in range(n)]
            if j == 0:
                break
            empty = null * null_emission[j] * scale[j]
            following = [F(0)] * n
            before = mass[j - 1]
            leaving = [before[k] * leave[k] if before[k] > NEGLIGIBLE else F(0) for k in range(n)]
            for i in range(n):
                if self.posterior[j][i] <= NEGLIGIBLE:
                    continue
                factor = emission[j][i] * future[i] * scale[j]
                for k in range(n):
                    following[k] += factor * weight[i - k + n]
                    expected[n - 1 - i + k] += leaving[k] * weight[i - k + n] * factor
            future = [following[i] * leave[i] + empty * future[i] for i in range(n)]
        inner_sum, first_sum = [F(0)] * (2 * WINDOW + 1), [F(0)] * (2 * WINDOW + 1)
        for x, value in enumerate(expected):
            inner_sum[bucket(n - 1 - x)] += value
        for i in range(n):
            first_sum[bucket(i + 1)] += self.posterior[0][i]
        self.jumps = [[int(float(v) * FIXED) for v in part] for part in (inner_sum, first_sum)]


class Trainer:
    """Entries are numbered; `cells[s][i][j]` is the entry of a cell."""

    def __init__(self, pairs, *, null_probability=0.2, alpha=0.1, stem_weight=2.0):
        self.pairs = pairs
        self.null_probability, self.alpha, self.stem_weight = null_probability, alpha, stem_weight
        self.entries = {}
        self.cells = [
            [[self.entries.setdefault((e, f), len(self.entries)) for f in right] for e in left]
            for left, right in pairs
        ]
        self.share = [_shares(side) for side in zip(*pairs, strict=True)]
        self.part = [_parts(shares) for shares in self.share]
        self.to_right = [F(1)] * len(self.entries)
        self.to_left = [F(1)] * len(self.entries)
        self.jumps = [initial_jumps(), initial_jumps()]

    def model1(self, sparse):
        counts = [0] * len(self.entries)
        for cells in self.cells:
            left = [
                F(1) / max(running_sum(self.to_left[k] for k in row), F(1e-30)) for row in cells
            ]
            columns = list(zip(*cells, strict=True))
            right = [
                F(1) / max(running_sum(self.to_right[k] for k in c), F(1e-30)) for c in columns
            ]
            for (i, row), j in product(enumerate(cells), range(len(columns))):
                k = row[j]
                both = self.to_right[k] * right[j] * self.to_left[k] * left[i]
                if both > F(1e-12):
                    counts[k] += int(float(np.sqrt(both)) * FIXED)
        self.maximise(counts, sparse)

    def hmm(self):
        counts = [0] * len(self.entries)
        jumps = [[[0] * (2 * WINDOW + 1), [0] * (2 * WINDOW + 1)] for _ in range(2)]
        for (left, right), cells in zip(self.pairs, self.cells, strict=True):
            if not left or not right:
                continue
            there = np.array([[self.to_right[k] + UNSEEN for k in row] for row in cells], F).T
            back = np.array([[self.to_left[k] + UNSEEN for k in row] for row in cells], F)
            chains = [
                Chain(
                    there, [self.share[1][f] for f in right], self.jumps[0], self.null_probability
                ),
                Chain(back, [self.share[0][e] for e in left], self.jumps[1], self.null_probability),
            ]
            for totals, chain in zip(jumps, chains, strict=True):
                for total, found in zip(totals, chain.jumps, strict=True):
                    total[:] = [a + b for a, b in zip(total, found, strict=True)]
            for i, j in product(range(len(left)), range(len(right))):
                both = chains[0].posterior[j][i] * chains[1].posterior[i][j]
                if both > F(1e-6):
                    counts[cells[i][j]] += int(float(both) * FIXED)
        self.jumps = [learnt_jumps(totals) for totals in jumps]
        self.maximise(counts, True)

    def maximise(self, counts, sparse):
        alpha = self.alpha if sparse else 0.0
        weigh = exp_digamma if sparse else float
        rows, columns, stems, lefts, rights = (Counter() for _ in range(5))
        row_sizes, column_sizes = Counter(), Counter()
        for (e, f), k in self.entries.items():
            rows[e] += counts[k]
            columns[f] += counts[k]
            stems[e[:5], f[:5]] += counts[k]
            lefts[e[:5]] += counts[k]
            rights[f[:5]] += counts[k]
            row_sizes[e] += 1
            column_sizes[f] += 1

        def share(total, size):
            whole = weigh(float(total) / FIXED + alpha * size + self.stem_weight)
            return 1 / whole if whole > 1e-12 else 0.0

        for (e, f), k in self.entries.items():
            right = left = float(counts[k]) / FIXED + alpha
            if both := float(stems[e[:5], f[:5]]):
                weight = self.stem_weight
                right += weight * float(self.part[1][f]) * both / float(lefts[e[:5]])
                left += weight * float(self.part[0][e]) * both / float(rights[f[:5]])
            self.to_right[k] = F(min(1.0, weigh(right) * share(rows[e], row_sizes[e])))
            self.to_left[k] = F(min(1.0, weigh(left) * share(columns[f], column_sizes[f])))

    def table(self):
        """t in both directions of every pair of words that is likely enough."""
        return {
            pair: (float(self.to_right[k]), float(self.to_left[k]))
            for pair, k in self.entries.items()
            if max(self.to_right[k], self.to_left[k]) > LEAST
        }


def _shares(sentences):
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word: F(count / max(1, counts.total())) for word, count in counts.items()}


def _parts(shares):
    """Share of a word among those of its stem; words as they first come."""
    sums = Counter()
    for word, share in shares.items():
        sums[word[:5]] += float(share)
    return {word: F(float(share) / sums[word[:5]]) for word, share in shares.items()}
