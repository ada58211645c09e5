"""How adequacy, dissimilarity and fluency become PEM's score, 1 to 5.

    share = A ** alpha * consistency * (c + (1 - c) * D ** beta) * gate
    score = calibration(share)

Meaning is necessary: a text that says something else is worth 1, regardless of its form. Difference
is what makes a paraphrase out of a copy. `reward_difference` (r), 0 to 1, says how much of it is
asked for: c = (1 - r)**2 is the share that is left to a copy, and beta grows with r. At 0 only
meaning counts; at 1 a copy is worth nothing. A trained join is a model file that holds numbers
only; `otherwords train pem` makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import ModelError, UsageError
from otherwords.metrics.base import Array
from otherwords.metrics.pem_adequacy import FEATURES, LIKENESS, TERMS, adequacy_of, by_witness
from otherwords.metrics.pem_pivots import Pivots
from otherwords.metrics.pem_regression import HIGH, KIND, LOW
from otherwords.models import container
from otherwords.models.seen import Seen

__all__ = ["Joint", "Measured", "as_option", "difference_share", "gate_of", "strictly"]

DIGITS = 9  # of a score that are kept: beyond them processors differ
SLACK = 5.5  # log odds that a paraphrase may lose against its original: the gate is half open
CLASH = MISSING = 0.5  # what they can take from a score
# How fast faults of form and repetition close a score: exp(-rate * share).
RATES = {"repeated": 1.2, "misspelt": 10.0, "disorder": 0.3, "shortened": 4.0}
CONTRARY = 1.2  # what goes of D for a contradicted share of 1
LARGEST = 1e6  # of any number of a regression
STEEPEST = 30.0  # how far the level may be above a copy's sum: exp(-30) can be divided by
BELOW = 0.499  # strict: the upper end of what a wrong pair can have, of 1


def gate_of(gain: Array) -> Array:
    """1 for a paraphrase as fluent as its original, towards 0 the less fluent it is than that.

    >>> gate_of(np.array([2.0, 0.0, -3.0, -5.5, -12.0])).round(2).tolist()
    [1.0, 1.0, 0.93, 0.5, 0.0]
    """
    lost = np.minimum(gain, 0.0)
    return np.asarray((1.0 + np.exp(-SLACK)) / (1.0 + np.exp(-lost - SLACK)))


def consistency_of(features: Array) -> Array:
    """What contradictions, missing words and faults of form leave of a score, beyond what adequacy
    lost by them.

    People forgive little in a text that they are asked to rely on; n-grams forgive nearly all.
    """
    found = dict(zip(FEATURES, features.T, strict=True))
    faults = sum(rate * found[name] for name, rate in RATES.items())
    kept = (1.0 + CLASH * found["clash"]) * (1.0 + MISSING * found["missing"])
    return np.asarray(kept * np.exp(faults))


def reworded(difference: Array, features: Array) -> Array:
    """The part of D that is a rewording: words that contradict, repeat, or were only removed or
    only added earn nothing.
    """
    found = dict(zip(FEATURES, features.T, strict=True))
    none = CONTRARY * found["contrary"] + found["repeated"] + found["one_sided"]
    return np.asarray(np.maximum(difference + none, 0.0))


def difference_share(difference: Array, reward: float, beta: float) -> Array:
    """c + (1 - c) D**beta: what dissimilarity leaves of a score.

    >>> difference_share(np.array([0.0, 1.0]), 0.5, 0.3).tolist()
    [0.25, 1.0]
    """
    copy = (1.0 - reward) ** 2
    return copy + (1.0 - copy) * np.where(difference > 0, difference ** (2 * reward * beta), 0.0)


def strictly(share: Array, wrong: NDArray[np.bool_]) -> Array:
    """Shares of which every wrong one is below every other one."""
    return np.where(wrong, BELOW * share, 0.5 + 0.5 * share)


def as_option(value: Any) -> str:
    """A setting as the command line takes it.

    >>> as_option(["fr", "zh"]), as_option(False), as_option(0.1)
    ('fr,zh', 'false', '0.1')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, list) else str(value)


def _is_option(value: Any) -> bool:
    """Whether it can be given as an option: a value, or a list of names."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return isinstance(value, str | bool | int | float | None)


class Measured(NamedTuple):
    """What the join sees of pairs."""

    adequacy: Array  # rows of `pem_adequacy.FEATURES`
    fluency: Array
    gain: Array  # of its log odds over the original's
    difference: Array

    def where(self, rows: NDArray[np.bool_]) -> Measured:
        """Some of the pairs."""
        return Measured(*(column[rows] for column in self))


@dataclass(frozen=True)
class Joint:
    """A trained join; `knots` are shares and the scores that they stand for, both rising."""

    weights: Array  # of `pem_adequacy.TERMS`
    level: float
    alpha: float
    beta: float  # at a reward of 1/2
    reward: float  # where none is asked for
    knots: Array  # [2, n]
    errors: Array  # quantiles 0 to 1 of the absolute errors of held-out pairs, in steps of 1 %
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def adequacy(self, features: Array) -> Array:
        """A, 0 to 1, of rows of `pem_adequacy.FEATURES`."""
        return np.round(adequacy_of(features, self.weights, self.level), DIGITS)

    def share(self, measured: Measured, reward: float | None = None) -> Array:
        """The joined share, 0 to 1, before calibration."""
        return np.asarray(np.prod(list(self.factors(measured, reward).values()), axis=0))

    def factors(self, measured: Measured, reward: float | None = None) -> dict[str, Array]:
        """What each criterion leaves of a score; their product is the share."""
        reward = self.reward if reward is None else reward
        return {
            "meaning": self.adequacy(measured.adequacy) ** self.alpha,
            "consistency": consistency_of(measured.adequacy),
            "difference": difference_share(
                reworded(measured.difference, measured.adequacy), reward, self.beta
            ),
            "fluency": gate_of(measured.gain),
        }

    def score(self, share: Array) -> Array:
        """Shares on the scale of 1 to 5."""
        return np.clip(np.round(np.interp(share, *self.knots), DIGITS), LOW, HIGH)

    def interval(self, scores: Array, level: float) -> tuple[Array, Array]:
        """Both ends of the interval of human scores at that level (split conformal prediction)."""
        steps = np.linspace(0, 1, len(self.errors))
        width = float(np.interp(level, steps, self.errors))
        return np.maximum(scores - width, LOW), np.minimum(scores + width, HIGH)

    def contributions(self, features: Array) -> Array:
        """What each witness of adequacy subtracts, in units of the logistic curve."""
        return np.round(by_witness(features, self.weights), DIGITS)

    @property
    def settings(self) -> dict[str, Any]:
        """The options that the features had when it was trained."""
        return dict(self.provenance["settings"])

    def require_encoder(self, encoder: Mapping[str, str]) -> None:
        """Cosines of one encoder mean nothing to weights that were learnt from another one's."""
        trained, now = self.provenance.get("encoder"), encoder.get("encoder")
        if trained != now:
            names = [
                f"the encoder {one[:8]}" if one else "static vectors" for one in (trained, now)
            ]
            raise UsageError(
                f"the regression was trained with {names[0]}, this is {names[1]}; give that one, "
                "or train a regression for it: `otherwords train pem --set encoder=PATH`"
            )

    def require(self, pivots: Pivots, hint: str) -> None:
        """Numbers learnt from some features mean nothing of others."""
        wanted = self.provenance["model"]
        if wanted != pivots.model.digest:
            raise UsageError(
                f"the regression was trained with the paraphrase model {wanted}, this one is "
                f"{pivots.model.digest}; give that model, or train a regression with "
                f"`otherwords train pem`; {hint}"
            )
        now, then = pivots.settings, self.settings
        other = [name for name in now if name in then and now[name] != then[name]]
        other = [name for name in other if name not in ("tokenizer", "case")]
        if other:
            had, has = (
                ", ".join(f"{name}={as_option(one[name])}" for name in other) for one in (then, now)
            )
            raise UsageError(
                f"the regression was trained with {had}, not {has}; leave that out; {hint}"
            )

    @classmethod
    def of_model(cls, model: container.Model) -> Joint:
        """The join in a model file."""
        arrays = model.arrays
        try:
            numbers = dict(zip(_NUMBERS, map(float, arrays["join"]), strict=True))
            joint = cls(
                weights=arrays["weights"].astype(np.float64),
                knots=arrays["knots"].astype(np.float64),
                errors=arrays["errors"].astype(np.float64),
                provenance=model.provenance,
                digest=model.short_digest,
                seen=Seen.of_arrays(arrays),
                **numbers,
            )
            joint._check()
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{model.path}: the regression is damaged: {error}") from error
        return joint

    def _check(self) -> None:
        if tuple(self.provenance["features"]) != FEATURES:
            raise ValueError("it was trained on other features")
        if not isinstance(self.provenance["model"], str):
            raise TypeError("it does not say which model it was trained with")
        if not isinstance(self.provenance["settings"], dict):
            raise TypeError("its settings are not an object")
        if not all(_is_option(value) for value in self.settings.values()):
            raise TypeError("a setting is neither a value nor a list of names")
        if not isinstance(self.provenance.get("encoder"), str | None):
            raise TypeError("it does not say which encoder it was trained with")
        if self.weights.shape != (len(TERMS),) or not (self.weights >= 0).all():
            raise ValueError("its weights do not fit the features")
        if self.knots.ndim != 2 or len(self.knots) != 2 or not (np.diff(self.knots) >= 0).all():
            raise ValueError("its calibration is not increasing")
        if self.errors.ndim != 1 or len(self.errors) < 2 or not (np.diff(self.errors) >= 0).all():
            raise ValueError("its errors are not sorted")
        numbers = [self.level, self.alpha, self.beta, self.reward]
        arrays = (self.weights, self.knots, self.errors, np.array(numbers))
        in_range = all((np.abs(one) <= LARGEST).all() for one in arrays)  # no NaN either
        if not in_range or min(self.alpha, self.beta) < 0 or not 0 <= self.reward <= 1:
            raise ValueError("its numbers are out of range")
        if self.level - self.weights[: len(LIKENESS)].sum() > STEEPEST:
            raise ValueError("its level is out of reach, even for a copy")

    def save(self, path: str | Path) -> None:
        """Write the numbers and how they came about."""
        arrays = {
            "weights": self.weights,
            "join": np.array([getattr(self, name) for name in _NUMBERS]),
            "knots": self.knots,
            "errors": self.errors,
            **(self.seen.arrays if self.seen else {}),
        }
        container.write(path, KIND, arrays, self.provenance)


_NUMBERS = ("level", "alpha", "beta", "reward")
