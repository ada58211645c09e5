"""PRO: tuning the weights of a decoder for a metric (Hopkins & May 2011).

Each iteration decodes the sentences, adds the outputs to those of earlier iterations, samples pairs
of outputs of the same sentence, and trains a logistic regression on the differences of their
features to predict which of the two the metric prefers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation.decoder import Decoder, check_weights
from otherwords.errors import UsageError, require
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.scoring.results import Result
from otherwords.scoring.score import score
from otherwords.stats.intervals import percentiles
from otherwords.stats.resampling import resample
from otherwords.tables.table import Column, Number, Table
from otherwords.tables.tabular import Tabular

Array = NDArray[np.float64]
References = Sequence[Sequence[str]]
RESAMPLES = 1000


@dataclass(frozen=True)
class Pro:
    """The options of PRO; defaults are those of the paper's section 4 where it gives them."""

    iterations: int = 8
    k: int = 200  # outputs per sentence and iteration
    unique: bool = False  # only outputs with different words
    samples: int = 5000  # pairs sampled from each sentence (Γ)
    kept: int = 50  # the pairs with the largest difference that are kept (Ξ)
    least: float = 0.05  # minimum metric difference, as a share of its spread (α)
    interpolation: float = 0.5  # share of the new weights (Ψ)
    held_out: float = 0.2  # share of sentences for choosing the best iteration
    strength: float = 1.0  # penalty of the regression
    seed: int = 0

    def __post_init__(self) -> None:
        for name, most in (
            ("iterations", 1000),
            ("k", 100_000),
            ("samples", 10**7),
            ("kept", 10**6),
        ):
            check_whole(name, getattr(self, name), 1, most)
        check_flag("unique", self.unique)
        check_number("least", self.least, 0, 1)
        check_number("interpolation", self.interpolation, 0.001, 1)
        check_number("held_out", self.held_out, 0, 0.9)
        check_number("strength", self.strength, 0, 1e9)
        check_whole("seed", self.seed, 0, 2**63 - 1)


@dataclass(frozen=True)
class Iteration:
    """The metric on the tuning sentences and on the held-out ones, and the weights."""

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
    on: str  # the sentences of `before`, `after` and `gain`
    model_warnings: tuple[str, ...] = ()

    @property
    def weights(self) -> dict[str, float]:
        return dict(self.curve[self.best].weights)

    def tables(self) -> list[Table]:
        curve = Table(
            "curve",
            [Column("iteration"), Column("tuned", decimals=3), Column("held out", decimals=3)],
            [[str(step.number), step.tuned, step.held_out] for step in self.curve],
            caption=f"{self.metric} after each iteration; {self.best} is the best",
        )
        figures = Table(
            "gain",
            [Column("weights"), Column(self.metric, decimals=3)],
            [["before", self.before], ["after", self.after], ["difference", self.gain]],
            caption=f"On the {self.on} sentences, with 95 % intervals",
        )
        return [curve, figures]

    def warnings(self) -> tuple[str, ...]:
        return self.model_warnings

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "weights": self.weights}


def tune(
    decoder: Decoder,
    sentences: Sequence[str],
    references: References,
    *,
    metric: str = "bleu",
    pro: Pro | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> TuningResult:
    """Tune the weights of a decoder by PRO, starting from its current ones.

    The decoder keeps the weights of the best iteration.

    Parameters
    ----------
    decoder
        The decoder.
    sentences, references
        The sentences, and the references of each.
    metric
        A segment metric to improve.
    pro
        The options of PRO.
    threads
        The number of threads; results do not depend on it.
    progress
        Called with 1 after each iteration.
    """
    require("sklearn")
    pro = pro or Pro()
    if len(sentences) != len(references):
        raise UsageError(f"{len(sentences)} sentences but {len(references)} lists of references")
    if len(sentences) < 2:
        raise UsageError("at least two sentences are needed")
    goal = Goal(metric, sentences, references, threads)
    held = _held_out(len(sentences), pro)
    tuned = [i for i in range(len(sentences)) if not held[i]]
    rest = np.flatnonzero(held).tolist()
    start = check_weights(decoder.weights)
    lists = Lists(list(start), len(sentences))
    curve: list[Iteration] = []
    outputs: list[list[str]] = []
    for number in range(pro.iterations + 1):
        best = _decode(decoder, sentences, (tuned, rest), lists, goal, pro)
        outputs.append(best)
        on_tuned = goal.corpus(best, tuned)
        on_rest = goal.corpus(best, rest) if rest else None
        curve.append(Iteration(number, on_tuned, on_rest, dict(decoder.weights)))
        progress(1)
        if number == pro.iterations:
            break
        pairs = _sample_pairs(lists, tuned, pro, number)
        if pairs is None:
            break
        decoder.reweight(_learn(decoder.weights, lists.names, pairs, pro))
    chosen = max(
        range(len(curve)),
        key=lambda k: (goal.sign * (curve[k].tuned if not rest else curve[k].held_out or 0), -k),
    )
    decoder.reweight(curve[chosen].weights)
    before, after, gain = goal.difference(outputs[0], outputs[chosen], rest or tuned, pro.seed)
    on = "held-out" if rest else "tuned"
    return TuningResult(goal.name, tuple(curve), chosen, before, after, gain, on)


def _decode(
    decoder: Decoder,
    sentences: Sequence[str],
    parts: tuple[Sequence[int], Sequence[int]],
    lists: Lists,
    goal: Goal,
    pro: Pro,
) -> list[str]:
    """Decode all sentences, add the outputs of the tuning sentences to the lists, and return the
    best output of each sentence.
    """
    tuned, rest = parts
    best = [""] * len(sentences)
    for rows, k in ((tuned, pro.k), (rest, 1)):
        decoded = decoder.decode(
            [sentences[i] for i in rows],
            k=k,
            unique=pro.unique,
            derivations=False,
            threads=goal.threads,
        )
        for i, sentence in zip(rows, decoded, strict=True):
            best[i] = sentence.outputs[0].target if sentence.outputs else ""
            for output in sentence.outputs if rows is tuned else ():
                lists.add(i, output.target, output.features)
    goal.fill(lists, tuned)
    return best


def _rng(pro: Pro, number: int) -> np.random.Generator:
    """Return an independent generator for an iteration; -1 stands for the split."""
    return np.random.Generator(np.random.PCG64([pro.seed, number + 1]))


def _held_out(count: int, pro: Pro) -> NDArray[np.bool_]:
    """Choose the held-out sentences; none if that would leave fewer than two."""
    held = np.zeros(count, dtype=bool)
    size = round(pro.held_out * count)
    if size >= 2 and count - size >= 2:
        held[_rng(pro, -1).permutation(count)[:size]] = True
    return held


def _sample_pairs(lists: Lists, rows: Sequence[int], pro: Pro, number: int) -> Array | None:
    """Return differences of features, better minus worse, one row per pair kept."""
    outputs = [lists.outputs(i) for i in rows]
    spread = np.std(np.concatenate([gains for gains, _ in outputs]))
    if not spread > 0:
        return None
    rng = _rng(pro, number)
    differences = []
    for gains, features in outputs:
        if len(gains) < 2:
            continue
        left, right = rng.integers(0, len(gains), (2, pro.samples))
        difference = gains[left] - gains[right]
        sizes = np.abs(difference)
        order = np.argsort(-sizes, kind="stable")[: pro.kept]
        order = order[sizes[order] > pro.least * spread]
        sign = np.sign(difference[order])[:, None]
        differences.append(sign * (features[left[order]] - features[right[order]]))
    pairs = np.concatenate(differences) if differences else np.empty((0, len(lists.names)))
    return pairs if len(pairs) else None


def _learn(
    weights: Mapping[str, float], names: Sequence[str], pairs: Array, pro: Pro
) -> dict[str, float]:
    """Interpolate the old weights and those of the regression, scaled to the same norm."""
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


class Lists:
    """The outputs of all iterations for each sentence: their words, features and gains."""

    def __init__(self, names: Sequence[str], sentences: int) -> None:
        self.names = list(names)
        self.features: list[dict[tuple[str, bytes], Array]] = [{} for _ in range(sentences)]
        self.gains: dict[tuple[int, str], float] = {}  # by sentence and output words

    def add(self, sentence: int, target: str, features: Mapping[str, float]) -> None:
        """Add an output, unless it is already there with the same features."""
        row = np.array([features.get(name, 0.0) for name in self.names])
        self.features[sentence].setdefault((target, row.tobytes()), row)

    def outputs(self, sentence: int) -> tuple[Array, Array]:
        """Return the gains and the features of a sentence's outputs."""
        rows = self.features[sentence]
        gains = [self.gains[sentence, target] for target, _ in rows]
        return np.array(gains), np.array(list(rows.values()))


class Goal:
    """The metric that PRO improves, on sentences with their references."""

    def __init__(
        self, metric: str, sentences: Sequence[str], references: References, threads: int
    ) -> None:
        self.name = metric
        self.sentences, self.references, self.threads = sentences, references, threads
        higher = self._result([sentences[0]], [0]).metric.traits.higher_is_better
        self.sign = 1.0 if higher else -1.0

    def _result(self, texts: Sequence[str], rows: Sequence[int]) -> Result:
        return score(
            self.name,
            list(texts),
            references=[list(self.references[i]) for i in rows],
            sources=[self.sentences[i] for i in rows],
            threads=self.threads,
        )

    def corpus(self, texts: Sequence[str], rows: Sequence[int]) -> float:
        return float(self._result([texts[i] for i in rows], rows).corpus)

    def fill(self, lists: Lists, rows: Sequence[int]) -> None:
        """Score the outputs that have no gain yet, all in one call."""
        # Different derivations, also of different iterations, yield the same words.
        wanted = dict.fromkeys((i, text) for i in rows for text, _ in lists.features[i])
        new = [output for output in wanted if output not in lists.gains]
        if new:
            result = self._result([text for _, text in new], [i for i, _ in new])
            gains = self.sign * np.asarray(result.segments)
            lists.gains.update(zip(new, map(float, gains), strict=True))

    def difference(
        self, before: Sequence[str], after: Sequence[str], rows: Sequence[int], seed: int
    ) -> tuple[Number, Number, Number]:
        """Return the metric before and after and the difference, with bootstrap intervals."""
        draws = [range(len(rows)), *resample(len(rows), RESAMPLES, seed=seed)]
        values = []
        for texts in (before, after):
            result = self._result([texts[i] for i in rows], rows)
            aggregate, statistics = result.metric.aggregate, result.statistics
            values.append(np.array([float(aggregate(statistics[list(draw)])) for draw in draws]))
        gain = values[1] - values[0]
        return _with_interval(values[0]), _with_interval(values[1]), _with_interval(gain)


def _with_interval(values: Array) -> Number:
    low, high = percentiles(values[1:], 0.95)
    return Number(float(values[0]), float(low), float(high), float(high - low) / 2)
