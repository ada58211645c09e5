"""The quality of a rewrite of an original, 0 to 1: meaning, fluency and difference in one.

    score = M ** alpha * F * (c + (1 - c) * D ** (2 r beta)),  c = (1 - r) ** 2

Meaning is necessary: a text that says something else is worth 0, regardless of its form. So is
fluency, F: a text that is more likely intact than not, or as fluent as its original, loses nothing;
a word salad loses all. Difference is what makes a paraphrase out of a copy; the option
`reward_difference` (r), 0 to 1, says how much of it is asked for: c is the share that is left to a
copy. At 0 only meaning and fluency count; at 1 a copy is worth nothing. The five numbers were
fitted to human scores; `otherwords train rewrite` fits them to others. docs/rewrite.md describes
the metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from otherwords.io.arguments import check_number
from otherwords.metrics.base import NEURAL_AT_ONCE, Span, Traits
from otherwords.metrics.difference import Difference
from otherwords.metrics.fluency import Fluency, FluencyModel, intactness
from otherwords.metrics.inputs import Segments
from otherwords.metrics.meaning import DIGITS, LARGEST, Meaning
from otherwords.metrics.pairs import PairMetric, Reading, read
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.models.container import Model, load_once
from otherwords.models.seen import Seen, SeenByEither
from otherwords.stats.arrays import Array, logistic
from otherwords.text.sentence import Text

KIND = "otherwords-rewrite"
_NUMBERS = ("alpha", "beta", "slack", "sharpness", "reward")


class Measured(NamedTuple):
    """What is measured of pairs, the input of the join."""

    meaning: Array
    fluency: Array
    lost: Array  # log odds of fluency below the original's, or below even odds; 0 or less
    difference: Array

    def where(self, rows: NDArray[np.bool_]) -> Measured:
        return Measured(*(column[rows] for column in self))


@dataclass(frozen=True, kw_only=True)
class Join:
    """How the three parts become one score.

    `slack` is how many log odds of fluency a rewrite may lose before half of its score is gone, and
    `sharpness` how suddenly it goes.
    """

    alpha: float
    beta: float
    slack: float
    sharpness: float
    reward: float  # the default of `reward_difference`
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    @classmethod
    def load(cls, name_or_path: str | Path = KIND) -> Self:
        """Open a file that `otherwords train rewrite` wrote, or the embedded one by its name."""
        return load_once(KIND, name_or_path, cls._of, "join")

    @classmethod
    def _of(cls, model: Model) -> Self:
        numbers = dict(zip(_NUMBERS, map(float, model.arrays["join"]), strict=True))
        if not all(0 <= number <= LARGEST for number in numbers.values()):  # no NaN either
            raise ValueError("its numbers are out of range")
        if numbers["reward"] > 1:
            raise ValueError("its reward of difference is above 1")
        seen = Seen.of_arrays(model.arrays)
        return cls(**numbers, provenance=model.provenance, digest=model.short_digest, seen=seen)

    def save(self, path: str | Path) -> None:
        numbers = np.array([getattr(self, name) for name in _NUMBERS])
        container.write(
            path,
            KIND,
            {"join": numbers, **(self.seen.arrays if self.seen else {})},
            self.provenance,
        )

    def factors(self, measured: Measured, reward: float | None = None) -> dict[str, Array]:
        """What each part leaves of a score; their product is the score.

        >>> join = Join(alpha=1, beta=0.5, slack=5, sharpness=2, reward=0.5, provenance={})
        >>> half, one, none = np.array([0.5]), np.ones(1), np.zeros(1)
        >>> parts = join.factors(Measured(half, one, none, half))
        >>> {name: round(float(share[0]), 4) for name, share in parts.items()}
        {'meaning': 0.5, 'fluency': 1.0, 'difference': 0.7803}
        """
        reward = self.reward if reward is None else reward
        copy = (1.0 - reward) ** 2
        power = 2 * reward * self.beta
        different = measured.difference
        left = logistic(self.sharpness * (measured.lost + self.slack))
        return {
            "meaning": measured.meaning**self.alpha,
            "fluency": np.asarray(left / logistic(np.float64(self.sharpness * self.slack))),
            "difference": copy + (1.0 - copy) * np.where(different > 0, different**power, 0.0),
        }

    def score(self, measured: Measured, reward: float | None = None) -> Array:
        """The joined score, 0 to 1."""
        return np.asarray(np.prod(list(self.factors(measured, reward).values()), axis=0))


class RewriteFeatures:
    """Measures pairs for the join: meaning, fluency, difference."""

    OPTIONS = ("values",)

    def __init__(self, *, model: str | Path = "paraphrase", values: bool = True) -> None:
        self.model = model
        self.meaning, self.different = Meaning(values=values), Difference()

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Measured:
        """What is measured of each pair: rewrite on the left, original on the right."""
        reading = Reading(stem=False)
        mine, theirs = intactness(read([left, right], reading), reading, self.model, threads)
        return Measured(
            self.meaning.measure(left, right, threads)[:, 0],
            logistic(mine),
            np.minimum(mine - np.minimum(theirs, 0.0), 0.0),
            self.different.measure(left, right, threads)[:, 0],
        )


@register
class OtherwordsRewrite(PairMetric):
    """The overall quality of a rewrite, 0 to 1.

    `reward_difference`, 0 to 1, sets how much different words are rewarded: at 0 only meaning and
    fluency count, at 1 a copy scores 0. With `values` (default) numbers, dates and names must
    survive. `join` is a file that `otherwords train rewrite` wrote. `model` is the paraphrase model
    whose language model reads the words.
    """

    name = "otherwords-rewrite"
    version = 3
    cost = "slow"
    use = "Rewrites: meaning, fluency, difference in one."
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
    columns = ("overall", "meaning", "fluency", "difference", "segments")
    retrain = "otherwords train rewrite"
    parts: ClassVar[dict[str, Traits]] = {
        "meaning": Meaning.traits,
        "fluency": Fluency.traits,
        "difference": Difference.traits,
    }
    at_once = NEURAL_AT_ONCE
    has_findings = True
    unset: ClassVar[Mapping[str, Any]] = {"reward_difference": "(that of join)"}

    def __init__(
        self,
        *,
        reward_difference: float | None = None,
        values: bool = True,
        join: str | Path = KIND,
        model: str | Path = "paraphrase",
        **common: Any,
    ) -> None:
        super().__init__(
            reward_difference=reward_difference, values=values, join=join, model=model, **common
        )
        self.join = Join.load(join)
        self.features = RewriteFeatures(model=model, values=values)
        reward = self.join.reward if reward_difference is None else reward_difference
        self.reward = check_number("reward_difference", reward, 0, 1)
        sets = tuple(
            seen for seen in (self.join.seen, self.features.meaning.model.seen) if seen is not None
        )
        self.seen = SeenByEither(sets) if sets else None

    def signature_parts(self) -> dict[str, str]:
        return {
            "reward": f"{self.reward:.12g}",
            "join": self.join.digest or "unsaved",
            "fluency": FluencyModel.open(words=self.features.model).digest,
            **{f"meaning-{k}": v for k, v in self.features.meaning.signature_parts().items()},
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The overall score, then its parts: meaning, fluency, difference."""
        measured = self.features.measure(left, right, threads)
        scores = np.round(self.join.score(measured, self.reward), DIGITS)
        return np.column_stack([scores, measured.meaning, measured.fluency, measured.difference])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.features.meaning.matches(segments)

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        factors = self.join.factors(self.features.measure([hypothesis], [target]), self.reward)
        return {
            "factors": {name: round(float(value[0]), 4) for name, value in factors.items()},
            **self.features.meaning.details(hypothesis, target),
        }
