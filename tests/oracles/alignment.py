"""Word alignment from its definitions: every alignment is enumerated, nothing is pruned."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import product

from scipy.special import digamma

Link = tuple[int, int]
WINDOW = 50
FLOOR = 1e-9


def model1_posteriors(emission):
    """p(a_j = i) of IBM model 1; emission[j][i] = t(observed word j | position i).

    Brown et al. (1993), without the empty word: every alignment of all words is as likely as the
    product of its translations.
    """
    weights = Counter()
    positions = range(len(emission[0]))
    for alignment in product(positions, repeat=len(emission)):
        weight = math.prod(emission[j][i] for j, i in enumerate(alignment))
        for j, i in enumerate(alignment):
            weights[j, i] += weight
    total = sum(weights[0, i] for i in positions)
    return {cell: weight / total for cell, weight in weights.items()}


def initial_jumps():
    """Weights of jumps i - i' and of first jumps, before training."""
    inner = {d: 1 / (1 + abs(d - 1) ** 1.5) + 1e-3 for d in range(-WINDOW, WINDOW + 1)}
    first = {d: 1 / d + 1e-3 for d in range(1, WINDOW + 1)}
    return _normalised(inner), _normalised(first)


def learnt_jumps(inner_counts, first_counts):
    """Expected jumps, and ten more as they are before training."""
    return tuple(
        _normalised({d: counts[d] + 10 * p for d, p in start.items()})
        for counts, start in zip((inner_counts, first_counts), initial_jumps(), strict=True)
    )


def _normalised(weights):
    total = sum(weights.values())
    return {d: w / total for d, w in weights.items()}


def _clip(jump):
    return max(-WINDOW, min(WINDOW, jump))


def hmm(emission, null_emission, jumps, null_probability):
    """Posteriors p(a_j = i), and expected jumps inside and at the start of the sentence.

    The chain of Vogel et al. (1996) with the empty word of Och & Ney (2003): it remembers the
    position before it, and before the first real word one that a first jump might have reached.
    A path says for every word the position in memory and whether the word comes from it.
    """
    inner, first = jumps
    positions = range(len(emission[0]))
    starts = sum(first[_clip(i + 1)] for i in positions)
    posteriors, inner_counts, first_counts = Counter(), Counter(), Counter()
    total = 0.0
    for path in _paths(len(emission), positions):
        weight = 1.0
        for j, (i, real) in enumerate(path):
            if j == 0:
                weight *= first[_clip(i + 1)] / starts
            elif real:
                before = path[j - 1][0]
                weight *= inner[_clip(i - before)]
                weight /= sum(inner[_clip(k - before)] for k in positions)
            if real:
                weight *= (1 - null_probability) * emission[j][i]
            else:
                weight *= null_probability * null_emission[j]
        total += weight
        for j, (i, real) in enumerate(path):
            if real:
                posteriors[j, i] += weight
                if j == 0:
                    first_counts[_clip(i + 1)] += weight
                else:
                    inner_counts[_clip(i - path[j - 1][0])] += weight
    return tuple(
        Counter({key: weight / total for key, weight in counts.items()})
        for counts in (posteriors, inner_counts, first_counts)
    )


def _paths(words, positions):
    for real in product((False, True), repeat=words):
        for memory in product(positions, repeat=words):
            if all(real[j] or memory[j] == memory[j - 1] for j in range(1, words)):
                yield list(zip(memory, real, strict=True))


def exp_digamma(x):
    """e^psi(x), and nothing for what is next to nothing."""
    return math.exp(digamma(x)) if x >= 0.02 else 0.0


class Aligner:
    """Both directions trained together on (left words, right words) pairs, with dictionaries."""

    def __init__(
        self, pairs, *, null_probability=0.2, alpha=0.1, stem_weight=2.0, stem=None, evidence=None
    ):
        self.pairs = pairs
        self.null_probability = null_probability
        self.alpha = alpha
        self.stem_weight = stem_weight
        self.stem = stem or (lambda word: word[:5])
        self.evidence = evidence or {}
        self.entries = sorted({(e, f) for left, right in pairs for e in left for f in right})
        self.share = [_shares(side) for side in zip(*pairs, strict=True)]
        self.to_right = {pair: 1 + self.evidence.get(pair, 0) for pair in self.entries}
        self.to_left = dict(self.to_right)
        self.jumps = [initial_jumps(), initial_jumps()]

    def model1(self, sparse):
        """One iteration: shared counts are the geometric means of both directions' posteriors."""
        counts = defaultdict(float)
        for left, right in self.pairs:
            there = model1_posteriors([[self.to_right[e, f] for e in left] for f in right])
            back = model1_posteriors([[self.to_left[e, f] for f in right] for e in left])
            for (i, e), (j, f) in product(enumerate(left), enumerate(right)):
                counts[e, f] += math.sqrt(there[j, i] * back[i, j])
        self.maximise(counts, sparse)

    def hmm(self):
        """One iteration: shared counts are the products of both directions' posteriors."""
        counts = defaultdict(float)
        jumps = [[Counter(), Counter()], [Counter(), Counter()]]
        for left, right in self.pairs:
            there, back = self._directions(left, right, 0.0)
            for (i, e), (j, f) in product(enumerate(left), enumerate(right)):
                counts[e, f] += there[0][j, i] * back[0][i, j]
            for totals, found in zip(jumps, (there, back), strict=True):
                totals[0].update(found[1])
                totals[1].update(found[2])
        self.jumps = [learnt_jumps(*totals) for totals in jumps]
        self.maximise(counts, True)

    def _directions(self, left, right, null_floor):
        null_right = [self.share[1].get(f, 0) + null_floor for f in right]
        null_left = [self.share[0].get(e, 0) + null_floor for e in left]
        there = [[self.to_right.get((e, f), 0) + FLOOR for e in left] for f in right]
        back = [[self.to_left.get((e, f), 0) + FLOOR for f in right] for e in left]
        return (
            hmm(there, null_right, self.jumps[0], self.null_probability),
            hmm(back, null_left, self.jumps[1], self.null_probability),
        )

    def maximise(self, counts, sparse):
        """t = w(count + prior) / w(sum of these), w(x) = e^psi(x) if sparse and x if not."""
        counts = {pair: counts[pair] + self.evidence.get(pair, 0) for pair in self.entries}
        alpha = self.alpha if sparse else 0.0
        weigh = exp_digamma if sparse else float
        stems, rows, columns = Counter(), Counter(), Counter()
        row_sizes, column_sizes = Counter(), Counter()
        left_stems, right_stems = Counter(), Counter()
        for (e, f), count in counts.items():
            stems[self.stem(e), self.stem(f)] += count
            left_stems[self.stem(e)] += count
            right_stems[self.stem(f)] += count
            rows[e] += count
            columns[f] += count
            row_sizes[e] += 1
            column_sizes[f] += 1
        for (e, f), count in counts.items():
            both = stems[self.stem(e), self.stem(f)]
            right = left = 0.0
            if both:
                right = self._part(1, f) * both / left_stems[self.stem(e)]
                left = self._part(0, e) * both / right_stems[self.stem(f)]
            whole = weigh(rows[e] + alpha * row_sizes[e] + self.stem_weight)
            other = weigh(columns[f] + alpha * column_sizes[f] + self.stem_weight)
            there = weigh(count + alpha + self.stem_weight * right)
            back = weigh(count + alpha + self.stem_weight * left)
            self.to_right[e, f] = min(1.0, there / whole) if whole > 1e-12 else 0.0
            self.to_left[e, f] = min(1.0, back / other) if other > 1e-12 else 0.0

    def _part(self, side, word):
        """Share of the word among those of its stem."""
        shares = self.share[side]
        whole = sum(p for other, p in shares.items() if self.stem(other) == self.stem(word))
        return shares[word] / whole

    def link_posteriors(self, left, right):
        """The geometric mean of both directions' posteriors of every link."""
        there, back = self._directions(left, right, FLOOR)
        return {
            (i, j): math.sqrt(there[0][j, i] * back[0][i, j])
            for i, j in product(range(len(left)), range(len(right)))
        }


def _shares(sentences):
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word: count / counts.total() for word, count in counts.items()}


def symmetrise(forward: set[Link], backward: set[Link], heuristic: str) -> set[Link]:
    """Koehn's description (Statistical Machine Translation, 2010, figure 4.14)."""
    if heuristic == "union":
        return forward | backward
    alignment = forward & backward
    if heuristic != "intersection":
        _grow_diag(alignment, forward | backward)
    if heuristic.startswith("grow-diag-final"):
        how = all if heuristic.endswith("and") else any
        for direction in (forward, backward):
            for e, f in sorted(direction):
                if how(_alone(alignment, e, f)):
                    alignment.add((e, f))
    return alignment


def _alone(alignment, e, f):
    return e not in {i for i, _ in alignment}, f not in {j for _, j in alignment}


def _grow_diag(alignment, union):
    neighbours = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
    added = True
    while added:
        added = False
        for e, f in product(range(20), range(20)):
            if (e, f) not in alignment:
                continue
            for down, across in neighbours:
                new = (e + down, f + across)
                if new in union and new not in alignment and any(_alone(alignment, *new)):
                    alignment.add(new)
                    added = True


def aer(proposed, sure, possible):
    """Och & Ney (2003): precision, recall, F1 and alignment error rate of sets of links."""
    a = {(s, *link) for s, links in enumerate(proposed) for link in links}
    s = {(n, *link) for n, links in enumerate(sure) for link in links}
    p = s | {(n, *link) for n, links in enumerate(possible) for link in links}
    precision = len(a & p) / len(a) if a else 1.0
    recall = len(a & s) / len(s) if s else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, f1, 1 - (len(a & s) + len(a & p)) / (len(a) + len(s))
