"""The quality of a rewrite of an original, 0 to 1: meaning, fluency and difference in one.

    share = M ** alpha * consistency * (c + (1 - c) * D ** beta) * gate
    score = calibration(share)

Meaning is necessary: a text that says something else is worth 0, regardless of its form. Difference
is what makes a paraphrase out of a copy. `reward_difference` (r), 0 to 1, says how much of it is
asked for: c = (1 - r)**2 is the share that is left to a copy, and beta grows with r. At 0 only
meaning counts; at 1 a copy is worth nothing. The regression is a model file that holds numbers
only; `otherwords train rewrite` makes one. docs/rewrite.md describes the metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.io.arguments import check_flag, check_number
from otherwords.io.processes import in_order
from otherwords.metrics.base import NEURAL_AT_ONCE, Span, Traits
from otherwords.metrics.difference import Difference, difference
from otherwords.metrics.fluency import Fluency, FluencyModel, intactness
from otherwords.metrics.inputs import Segments
from otherwords.metrics.meaning import (
    DECISIVE,
    DIGITS,
    FEATURES,
    KIND,
    LARGEST,
    REGRESSION,
    Meaning,
    MeaningFeatures,
    MeaningWeights,
    rank_strictly,
    regression_for,
    witnesses,
)
from otherwords.metrics.pairs import PairMetric, read
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.stats.arrays import Array, logistic
from otherwords.text.sentence import Text

LOW, HIGH = 1.0, 5.0  # the scale of the judges that the regression learnt from (PEM §5.1)
SLACK = 5.5  # log odds that a paraphrase may lose against its original: the gate is half open
CLASH = MISSING = 0.5  # the largest share of a score that each can take away
# How fast faults of form and repetition close a score: exp(-rate * share).
RATES = {"repeated": 1.2, "misspelt": 10.0, "disorder": 0.3, "shortened": 4.0}
CONTRARY = 1.2  # what a contradicted share of 1 takes from D
STRETCHES = 4  # of pairs per thread, since some take longer than others
LEAST_PAIRS = 256  # in a stretch
_NUMBERS = ("level", "alpha", "beta", "reward")


def gate_of(gain: Array) -> Array:
    """1 for a paraphrase as fluent as its original, falling towards 0 the less fluent it is.

    >>> gate_of(np.array([2.0, 0.0, -3.0, -5.5, -12.0])).round(2).tolist()
    [1.0, 1.0, 0.93, 0.5, 0.0]
    """
    lost = np.minimum(gain, 0.0)
    return np.asarray(logistic(lost + SLACK) / logistic(SLACK))


def consistency_of(features: Array) -> Array:
    """What contradictions, missing words and faults of form leave of a score, beyond what adequacy
    lost by them.

    Judges forgive little in a text that they must rely on; n-gram overlap forgives nearly all.
    """
    by_name = dict(zip(FEATURES, features.T, strict=True))
    faults = sum(rate * by_name[name] for name, rate in RATES.items())
    kept = (1.0 + CLASH * by_name["clash"]) * (1.0 + MISSING * by_name["missing"])
    return np.asarray(kept * np.exp(faults))


def reworded(difference: Array, features: Array) -> Array:
    """The part of D that is a rewording: words that contradict, repeat, or were only removed or
    only added earn nothing.
    """
    by_name = dict(zip(FEATURES, features.T, strict=True))
    unearned = CONTRARY * by_name["contrary"] + by_name["repeated"] + by_name["one_sided"]
    return np.asarray(np.maximum(difference + unearned, 0.0))


def difference_share(difference: Array, reward: float, beta: float) -> Array:
    """c + (1 - c) D**beta: what dissimilarity leaves of a score.

    >>> difference_share(np.array([0.0, 1.0]), 0.5, 0.3).tolist()
    [0.25, 1.0]
    """
    copy = (1.0 - reward) ** 2
    return copy + (1.0 - copy) * np.where(difference > 0, difference ** (2 * reward * beta), 0.0)


class Measured(NamedTuple):
    """What is measured of pairs, the input of the join."""

    meaning: Array  # rows of `meaning.FEATURES`
    fluency: Array
    gain: Array  # of its log odds over the original's
    difference: Array

    def where(self, rows: NDArray[np.bool_]) -> Measured:
        return Measured(*(column[rows] for column in self))


@dataclass(frozen=True, kw_only=True)
class Join(MeaningWeights):
    """A trained join; `knots` are shares and the scores that they stand for, both rising."""

    alpha: float
    beta: float  # at a reward of 1/2
    reward: float  # where none is asked for
    knots: Array  # [2, n]
    errors: Array  # quantiles 0 to 1 of the absolute errors of held-out pairs, in steps of 1 %

    @classmethod
    def _read(cls, model: container.Model) -> dict[str, Any]:
        arrays = model.arrays
        return {
            **super()._read(model),
            **dict(zip(_NUMBERS, map(float, arrays["join"]), strict=True)),
            "knots": arrays["knots"].astype(np.float64),
            "errors": arrays["errors"].astype(np.float64),
        }

    def _check(self) -> None:
        super()._check()
        if self.knots.ndim != 2 or len(self.knots) != 2 or not (np.diff(self.knots) >= 0).all():
            raise ValueError("its calibration is not increasing")
        if self.errors.ndim != 1 or len(self.errors) < 2 or not (np.diff(self.errors) >= 0).all():
            raise ValueError("its errors are not sorted")
        arrays = (self.knots, self.errors, np.array([self.alpha, self.beta, self.reward]))
        in_range = all((np.abs(array) <= LARGEST).all() for array in arrays)  # no NaN either
        if not in_range or min(self.alpha, self.beta) < 0 or not 0 <= self.reward <= 1:
            raise ValueError("its numbers are out of range")

    def share(self, measured: Measured, reward: float | None = None) -> Array:
        """The joined share, 0 to 1, before calibration."""
        return np.asarray(np.prod(list(self.factors(measured, reward).values()), axis=0))

    def factors(self, measured: Measured, reward: float | None = None) -> dict[str, Array]:
        """What each part leaves of a score; their product is the share."""
        reward = self.reward if reward is None else reward
        return {
            "meaning": self.meaning(measured.meaning) ** self.alpha,
            "consistency": consistency_of(measured.meaning),
            "difference": difference_share(
                reworded(measured.difference, measured.meaning), reward, self.beta
            ),
            "fluency": gate_of(measured.gain),
        }

    def score(self, share: Array) -> Array:
        """Shares on the judges' scale of 1 to 5."""
        return np.clip(np.round(np.interp(share, *self.knots), DIGITS), LOW, HIGH)

    def interval(self, scores: Array, level: float) -> tuple[Array, Array]:
        """Both ends of the interval of human scores at that level (split conformal prediction)."""
        steps = np.linspace(0, 1, len(self.errors))
        width = float(np.interp(level, steps, self.errors))
        return np.maximum(scores - width, LOW), np.minimum(scores + width, HIGH)

    def save(self, path: str | Path) -> None:
        arrays = {
            "weights": self.weights,
            "join": np.array([getattr(self, name) for name in _NUMBERS]),
            "knots": self.knots,
            "errors": self.errors,
            **(self.seen.arrays if self.seen else {}),
        }
        container.write(path, KIND, arrays, self.provenance)


class RewriteFeatures:
    """Measures pairs for the join: what meaning rests on, fluency, difference."""

    OPTIONS = ("tokenizer", "case", "encoder")

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        encoder: str | Path | None = None,
        tokenizer: str = "penn",
        case: bool = False,
    ) -> None:
        self.model, self.encoder = model, encoder
        self.meaning = MeaningFeatures(model=model, encoder=encoder, tokenizer=tokenizer, case=case)

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Measured:
        """What is measured of each pair: paraphrase on the left, original on the right."""
        # Threads take stretches of pairs, so that the work of one in Python is done beside the
        # kernels of another. A neural encoder has threads of its own, and texts that come with
        # their tokens decide how all of them are read.
        size = max(LEAST_PAIRS, -(-len(left) // (STRETCHES * max(threads, 1))))
        whole = threads <= 1 or self.encoder is not None or len(left) <= size
        if whole or {str} != set(map(type, chain(left, right))):
            return self._measure(left, right, threads)
        self._measure(left[:1], right[:1], 1)  # models are opened by one thread
        parts = in_order(
            lambda begin: self._measure(left[begin : begin + size], right[begin : begin + size], 1),
            range(0, len(left), size),
            threads,
        )
        return Measured(*map(np.concatenate, zip(*parts, strict=True)))

    def _measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Measured:
        reading = self.meaning.reading
        pooled = read([left, right], reading)
        mine, theirs = intactness(pooled, reading, self.model, threads)
        meaning = self.meaning.measure(left, right, threads, pooled)
        different = difference(pooled, reading, threads=threads)
        return Measured(meaning, logistic(mine), mine - theirs, different)


@register
class OtherwordsRewrite(PairMetric):
    """The overall quality of a rewrite, 0 to 1.

    `reward_difference`, 0 to 1, sets how much different words are rewarded: at 0 only meaning
    counts, at 1 a copy gets the lowest score; by default a copy scores about 0.25. With `strict`
    every pair with a decisive finding scores below 0.5, and every other pair 0.5 or more.
    `interval`, such as 0.9, adds the ends between which human scores lie with that probability.
    `encoder`, "auto" or a path, takes the vectors of a neural encoder (docs/neural.md).
    `regression` is a file that `otherwords train rewrite` wrote, `model` the paraphrase model that
    it was trained with.
    """

    name = "otherwords-rewrite"
    cost = "medium"
    use = "Rewrites: meaning, fluency, difference in one."
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
    columns: tuple[str, ...] = ("overall", "meaning", "fluency", "difference", "segments")
    retrain = "otherwords train rewrite"
    parts: ClassVar[dict[str, Traits]] = {
        "meaning": Meaning.traits,
        "fluency": Fluency.traits,
        "difference": Difference.traits,
    }

    def __init__(
        self,
        *,
        regression: str | Path = REGRESSION,
        reward_difference: float | None = None,
        strict: bool = False,
        interval: float | None = None,
        encoder: str | Path | None = None,
        model: str | Path = "paraphrase",
        tokenizer: str = "penn",
        case: bool = False,
        **common: Any,
    ) -> None:
        options: dict[str, Any] = {
            "model": model,
            "encoder": encoder,
            "tokenizer": tokenizer,
            "case": case,
        }
        super().__init__(
            regression=regression,
            reward_difference=reward_difference,
            strict=strict,
            interval=interval,
            **options,
            **common,
        )
        self.join = Join.load(regression_for(regression, encoder))
        self.seen = self.join.seen
        self.features = RewriteFeatures(**options)
        self.join.require(self.features.meaning)
        self.at_once = self.at_once if encoder is None else NEURAL_AT_ONCE
        reward = self.join.reward if reward_difference is None else reward_difference
        self.reward = check_number("reward_difference", reward, 0, 1)
        self.strict = check_flag("strict", strict)
        self.level = None if interval is None else check_number("interval", interval, 0.01, 0.99)
        if self.level is not None:
            self.columns = (*self.columns[:-1], "low", "high", "segments")
            ends = dict.fromkeys(("low", "high"), self.traits)
            self.parts = {**self.parts, **ends}  # type: ignore[misc]  # of this object

    def signature_parts(self) -> dict[str, str]:
        strict = {"strict": "yes"} if self.strict else {}
        return {
            "reward": f"{self.reward:.12g}",
            **strict,
            **self.features.meaning.signature,
            "fluency": FluencyModel.open().digest,
            "regression": self.join.digest or "unsaved",
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The overall score, then its parts: meaning, fluency, difference."""
        measured = self.features.measure(left, right, threads)
        judged = self.join.score(self.join.share(measured, self.reward))
        scores = [judged]
        if self.level is not None:
            scores += self.join.interval(judged, self.level)
        shares = [(score - LOW) / (HIGH - LOW) for score in scores]
        if self.strict:
            decisive = measured.meaning[:, DECISIVE] < 0
            shares = [rank_strictly(share, decisive) for share in shares]
        meaning = self.join.meaning(measured.meaning)
        return np.column_stack(
            [shares[0], meaning, measured.fluency, measured.difference, *shares[1:]]
        )

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.features.meaning.pivots.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        measured = self.features.measure([hypothesis], [target])
        factors = self.join.factors(measured, self.reward)
        return {
            "factors": {name: round(float(value[0]), 4) for name, value in factors.items()},
            **witnesses(self.features.meaning, self.join, hypothesis, target),
            **self.features.meaning.pivots.details(hypothesis, target),
        }
