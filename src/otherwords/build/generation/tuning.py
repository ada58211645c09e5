"""PRO: weights that make a metric of the decoder's outputs better (Hopkins & May 2011).

In every iteration the sentences are decoded, the outputs are added to those of the iterations
before, pairs of outputs of a sentence are sampled, and a logistic regression learns from the
differences of their features which of the two the metric prefers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation.decoder import Decoder
from otherwords.build.generation.goals import Goal, Lists, References
from otherwords.build.generation.tuning_work import TuningWork, add_again, added_since
from otherwords.build.generation.weights import check_weights
from otherwords.errors import UsageError, require
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.tables.table import Column, Number, Table
from otherwords.tables.tabular import Tabular

__all__ = ["Iteration", "Pro", "TuningResult", "tune"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pro:
    """The options of PRO, with the values of the paper's section 4 where it has them."""

    iterations: int = 8
    k: int = 200  # outputs of each sentence and iteration
    unique: bool = False  # outputs with different words only
    samples: int = 5000  # pairs sampled from each sentence (Γ)
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
        check_flag("unique", self.unique)
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
    model_warnings: tuple[str, ...] = ()

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

    def warnings(self) -> tuple[str, ...]:
        """What is unexpected about the model."""
        return self.model_warnings

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON object."""
        return {**super().to_dict(), "weights": self.weights}


def tune(
    decoder: Decoder,
    sentences: Sequence[str],
    references: References,
    *,
    metric: str | Mapping[str, float] = "bleu",
    pro: Pro | None = None,
    resume: str | Path | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> TuningResult:
    """Weights for a decoder, by PRO, starting from those that it has.

    `metric` is a segment metric of the registry, or several with their shares. The decoder keeps
    the weights of the best iteration. `resume` is a folder that keeps finished iterations: a killed
    run continues from there with the same result.
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
    once = {**asdict(pro), "iterations": None}  # more iterations go on from fewer
    work = TuningWork(
        resume, [sentences, references, goal.shares, once, start, decoder.description]
    )
    lists = Lists(list(start), len(sentences))
    curve: list[Iteration] = []
    outputs: list[list[str]] = []
    for number in range(pro.iterations + 1):
        done = work.read(number)
        if done is not None:
            decoder.reweight(done["weights"])
            add_again(lists, done["added"])
        else:
            sizes = [len(some) for some in lists.targets]
            best = [""] * len(sentences)
            for rows, k in ((tuned, pro.k), (rest, 1)):
                some = [sentences[i] for i in rows]
                decoded = decoder.decode(
                    some, k=k, unique=pro.unique, derivations=False, threads=threads
                )
                for i, one in zip(rows, decoded, strict=True):
                    best[i] = one.outputs[0].target if one.outputs else ""
                    for output in one.outputs if rows is tuned else ():
                        lists.add(i, output.target, lists.row(output.features))
            goal.fill(lists, tuned)
            added = added_since(lists, sizes)
            done = {"weights": decoder.weights, "best": best, "added": added}
            work.write(number, done)
        outputs.append(done["best"])
        on_tuned = goal.corpus(done["best"], tuned)
        on_rest = goal.corpus(done["best"], rest) if rest else None
        curve.append(Iteration(number, on_tuned, on_rest, dict(decoder.weights)))
        progress(1)
        if number == pro.iterations:
            break
        pairs = _sampled(lists, tuned, pro, number)
        if pairs is None:
            break
        decoder.reweight(_next(decoder.weights, lists.names, pairs, pro))
    chosen = max(
        range(len(curve)),
        key=lambda k: (goal.sign * (curve[k].tuned if not rest else curve[k].held_out or 0), -k),
    )
    decoder.reweight(curve[chosen].weights)
    before, after, gain = goal.difference(outputs[0], outputs[chosen], rest or tuned, pro.seed)
    on = "held-out" if rest else "tuned"
    return TuningResult(goal.name, tuple(curve), chosen, before, after, gain, on)


def _rng(pro: Pro, number: int) -> np.random.Generator:
    """Draws of an iteration, which do not depend on those before it; -1: of the split."""
    return np.random.Generator(np.random.PCG64([pro.seed, number + 1]))


def _held_out(count: int, pro: Pro) -> NDArray[np.bool_]:
    """Which sentences the best iteration is chosen on; none if that would leave fewer than two."""
    held = np.zeros(count, dtype=bool)
    size = round(pro.held_out * count)
    if size >= 2 and count - size >= 2:
        held[_rng(pro, -1).permutation(count)[:size]] = True
    return held


def _sampled(lists: Lists, rows: Sequence[int], pro: Pro, number: int) -> Array | None:
    """Differences of features, better minus worse, one row for each pair that is kept."""
    spread = np.std([gain for i in rows for gain in lists.gains[i]])
    if not spread > 0:
        return None
    rng = _rng(pro, number)
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
