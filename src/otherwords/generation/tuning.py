"""PRO: weights that make a metric of the decoder's outputs better (Hopkins & May 2011).

In every iteration the sentences are decoded, the outputs are added to those of the iterations
before, pairs of outputs of a sentence are sampled, and a logistic regression learns from the
differences of their features which of the two the metric prefers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError, require
from otherwords.generation.decoder import Decoder
from otherwords.generation.weights import check_weights
from otherwords.io.arguments import check_number, check_whole
from otherwords.scoring.scores import score
from otherwords.stats.draws import resample
from otherwords.stats.intervals import percentiles
from otherwords.tables import Column, Number, Table, Tabular

__all__ = ["Iteration", "Pro", "TuningResult", "parse_goal", "tune"]

Array = NDArray[np.float64]
References = Sequence[Sequence[str]]
RESAMPLES = 1000


@dataclass(frozen=True)
class Pro:
    """The options of PRO, with the values of the paper's section 4 where it has them."""

    iterations: int = 8
    k: int = 200  # outputs of each sentence and iteration
    samples: int = 5000  # pairs drawn of each sentence (Γ)
    kept: int = 50  # of them, those that differ most (Ξ)
    least: float = 0.05  # difference of the metric, as a share of its spread (α)
    interpolation: float = 0.5  # share of the new weights (Ψ)
    held_out: float = 0.2  # of the sentences: the best iteration is chosen on these
    strength: float = 1.0  # of the regression's penalty
    seed: int = 0

    def __post_init__(self) -> None:
        for name, most in (
            ("iterations", 1000),
            ("k", 100_000),
            ("samples", 10**7),
            ("kept", 10**6),
        ):
            check_whole(name, getattr(self, name), 1, most)
        check_number("least", self.least, 0, 1)
        check_number("interpolation", self.interpolation, 0.001, 1)
        check_number("held_out", self.held_out, 0, 0.9)
        check_number("strength", self.strength, 0, 1e9)
        check_whole("seed", self.seed, 0, 2**63 - 1)


@dataclass(frozen=True)
class Iteration:
    """The metric on the sentences tuned on and on those held out, and the weights."""

    number: int
    tuned: float
    held_out: float | None
    weights: Mapping[str, float]


@dataclass(frozen=True)
class TuningResult(Tabular):
    """The curve, the weights of the best iteration, and the gain with its interval."""

    metric: str
    curve: tuple[Iteration, ...]
    best: int
    before: Number
    after: Number
    gain: Number
    on: str  # which sentences the last three are of

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the best iteration."""
        return dict(self.curve[self.best].weights)

    def tables(self) -> list[Table]:
        """The curve; before and after."""
        curve = Table(
            "curve",
            [Column("iteration"), Column("tuned", decimals=3), Column("held out", decimals=3)],
            [[str(one.number), one.tuned, one.held_out] for one in self.curve],
            caption=f"{self.metric} after each iteration; {self.best} is the best",
        )
        figures = Table(
            "gain",
            [Column("weights"), Column(self.metric, decimals=3)],
            [["before", self.before], ["after", self.after], ["difference", self.gain]],
            caption=f"On the {self.on} sentences, with 95 % intervals",
        )
        return [curve, figures]

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
        return {**super().to_dict(), "weights": self.weights}


def parse_goal(given: Sequence[str]) -> str | dict[str, float]:
    """A metric to raise, or several with shares.

    >>> parse_goal(["bleu"]), parse_goal(["precis=0.7", "pem=0.3"])
    ('bleu', {'precis': 0.7, 'pem': 0.3})
    """
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    shares = {}
    for one in given:
        name, _, text = one.partition("=")
        try:
            shares[name] = float(text)
        except ValueError as error:
            raise UsageError(f"several metrics need shares, NAME=SHARE, not '{one}'") from error
    return shares


class _Lists:
    """All outputs of each sentence that any iteration made, with features and gains."""

    def __init__(self, names: Sequence[str], sentences: int) -> None:
        self.names = list(names)
        self._places = {name: place for place, name in enumerate(self.names)}
        self.known: list[dict[tuple[str, bytes], None]] = [{} for _ in range(sentences)]
        self.features: list[list[Array]] = [[] for _ in range(sentences)]
        self.targets: list[list[str]] = [[] for _ in range(sentences)]
        self.gains: list[list[float]] = [[] for _ in range(sentences)]

    def add(self, sentence: int, target: str, features: Mapping[str, float]) -> None:
        row = np.zeros(len(self.names))
        for name, value in features.items():
            if name in self._places:
                row[self._places[name]] = value
        key = (target, row.tobytes())
        if key not in self.known[sentence]:
            self.known[sentence][key] = None
            self.features[sentence].append(row)
            self.targets[sentence].append(target)


def tune(
    decoder: Decoder,
    sentences: Sequence[str],
    references: References,
    *,
    metric: str | Mapping[str, float] = "bleu",
    pro: Pro | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> TuningResult:
    """Weights for a decoder, by PRO, starting from those that it has.

    `metric` is a segment metric of the registry, or several with their shares. The decoder keeps
    the weights of the best iteration.
    """
    require("sklearn")
    pro = pro or Pro()
    if len(sentences) != len(references):
        raise UsageError(f"{len(sentences)} sentences but {len(references)} lists of references")
    if len(sentences) < 2:
        raise UsageError("at least two sentences are needed")
    goal = _Goal(metric, sentences, references, threads)
    rng = np.random.Generator(np.random.PCG64(pro.seed))
    held = _held_out(len(sentences), pro, rng)
    tuned = [i for i in range(len(sentences)) if not held[i]]
    start = check_weights(decoder.weights)
    lists = _Lists(list(start), len(sentences))
    curve: list[Iteration] = []
    outputs: list[list[str]] = []
    for number in range(pro.iterations + 1):
        decoded = decoder.decode(sentences, k=pro.k, threads=threads)
        best = [one.outputs[0].target if one.outputs else "" for one in decoded]
        outputs.append(best)
        rest = np.flatnonzero(held)
        curve.append(
            Iteration(
                number,
                goal.corpus(best, tuned),
                goal.corpus(best, rest.tolist()) if len(rest) else None,
                dict(decoder.weights),
            )
        )
        progress(1)
        if number == pro.iterations:
            break
        for i in tuned:
            for output in decoded[i].outputs:
                lists.add(i, output.target, output.features)
        goal.fill(lists, tuned)
        pairs = _sampled(lists, tuned, pro, rng)
        if pairs is None:
            break
        decoder.reweight(_next(decoder.weights, lists.names, pairs, pro))
    sign = goal.sign
    chosen = max(
        range(len(curve)),
        key=lambda k: (sign * (curve[k].tuned if not held.any() else curve[k].held_out or 0), -k),
    )
    decoder.reweight(curve[chosen].weights)
    judged = np.flatnonzero(held).tolist() if held.any() else tuned
    before, after, gain = goal.difference(outputs[0], outputs[chosen], judged, pro.seed)
    on = "held-out" if held.any() else "tuned"
    return TuningResult(goal.name, tuple(curve), chosen, before, after, gain, on)


class _Goal:
    """A metric, or several with their shares, of outputs."""

    def __init__(
        self,
        metric: str | Mapping[str, float],
        sentences: Sequence[str],
        references: References,
        threads: int,
    ) -> None:
        self.shares = {metric: 1.0} if isinstance(metric, str) else check_weights(metric)
        if not self.shares:
            raise UsageError("a metric is needed")
        for name, share in self.shares.items():
            if share <= 0:
                raise UsageError(f"the share of {name} must be above 0, not {share:g}")
        self.name = "+".join(self.shares)
        self.sentences, self.references, self.threads = sentences, references, threads
        self.sign = 1.0
        if len(self.shares) == 1:
            [name] = self.shares
            result = self._result(name, [sentences[0]], [0])
            self.sign = 1.0 if result.metric.traits.higher_is_better else -1.0

    def _result(self, name: str, texts: Sequence[str], rows: Sequence[int]) -> Any:
        return score(
            name,
            list(texts),
            references=[list(self.references[i]) for i in rows],
            sources=[self.sentences[i] for i in rows],
            threads=self.threads,
        )

    def corpus(self, texts: Sequence[str], rows: Sequence[int]) -> float:
        """The metric over these sentences."""
        chosen = [texts[i] for i in rows]
        found = 0.0
        for name, share in self.shares.items():
            result = self._result(name, chosen, rows)
            found += self._part(share, result) * float(result.corpus)
        return found

    def _part(self, share: float, result: Any) -> float:
        """The share in the sum that is shown: one where lower is better counts against others."""
        counts_against = len(self.shares) > 1 and not result.metric.traits.higher_is_better
        return -share if counts_against else share

    def fill(self, lists: _Lists, rows: Sequence[int]) -> None:
        """The gains of outputs that have none yet, all in one call."""
        places = [
            (i, place) for i in rows for place in range(len(lists.gains[i]), len(lists.targets[i]))
        ]
        if not places:
            return
        texts = [lists.targets[i][place] for i, place in places]
        sums = np.zeros(len(texts))
        for name, share in self.shares.items():
            result = self._result(name, texts, [i for i, _ in places])
            better = 1.0 if result.metric.traits.higher_is_better else -1.0
            sums += share * better * result.segments
        for (i, _), value in zip(places, sums, strict=True):
            lists.gains[i].append(float(value))

    def difference(
        self, before: Sequence[str], after: Sequence[str], rows: Sequence[int], seed: int
    ) -> tuple[Number, Number, Number]:
        """The metric of both, and the difference, with intervals over sentences."""
        draws = list(resample(len(rows), RESAMPLES, seed=seed))
        sums = [np.zeros(len(draws) + 1) for _ in range(2)]
        for name, share in self.shares.items():
            for place, texts in enumerate((before, after)):
                result = self._result(name, [texts[i] for i in rows], rows)
                whole = range(len(rows))
                for d, draw in enumerate([whole, *draws]):
                    statistics = result.statistics[list(draw)]
                    value = float(result.metric.aggregate(statistics))
                    sums[place][d] += self._part(share, result) * value
        return tuple(map(_with_interval, (sums[0], sums[1], sums[1] - sums[0])))  # type: ignore[return-value]


def _with_interval(values: Array) -> Number:
    low, high = percentiles(values[1:], 0.95)
    return Number(float(values[0]), float(low), float(high), float(high - low) / 2)


def _held_out(count: int, pro: Pro, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which sentences the best iteration is chosen on; none if that would leave fewer than two."""
    held = np.zeros(count, dtype=bool)
    size = round(pro.held_out * count)
    if size >= 2 and count - size >= 2:
        held[rng.permutation(count)[:size]] = True
    return held


def _sampled(
    lists: _Lists, rows: Sequence[int], pro: Pro, rng: np.random.Generator
) -> Array | None:
    """Differences of features, better minus worse, one row for each pair that is kept."""
    spread = np.std([gain for i in rows for gain in lists.gains[i]])
    if not spread > 0:
        return None
    found = []
    for i in rows:
        gains = np.array(lists.gains[i])
        if len(gains) < 2:
            continue
        left, right = rng.integers(0, len(gains), (2, pro.samples))
        difference = gains[left] - gains[right]
        sizes = np.abs(difference)
        order = np.argsort(-sizes, kind="stable")[: pro.kept]
        order = order[sizes[order] > pro.least * spread]
        features = np.array(lists.features[i])
        sign = np.sign(difference[order])[:, None]
        found.append(sign * (features[left[order]] - features[right[order]]))
    pairs = np.concatenate(found) if found else np.empty((0, len(lists.names)))
    return pairs if len(pairs) else None


def _next(
    weights: Mapping[str, float], names: Sequence[str], pairs: Array, pro: Pro
) -> dict[str, float]:
    """The old weights and those of the regression, both of the same length, interpolated."""
    from sklearn.linear_model import LogisticRegression

    scale = pairs.std(axis=0)
    scale[scale == 0] = 1
    rows = np.concatenate([pairs, -pairs]) / scale
    labels = np.repeat([1, 0], len(pairs))
    strength = 1 / (pro.strength or 1e-9)
    model = LogisticRegression(C=strength, fit_intercept=False, max_iter=1000, tol=1e-6)
    new = model.fit(rows, labels).coef_[0] / scale
    old = np.array([weights[name] for name in names])
    size = float(np.abs(old).sum()) or 1.0
    new *= size / (float(np.abs(new).sum()) or 1.0)
    mixed = pro.interpolation * new + (1 - pro.interpolation) * old
    return dict(zip(names, map(float, mixed), strict=True))
