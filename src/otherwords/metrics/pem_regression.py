"""The paper's regression: from three features of a pair to its overall quality (PEM §4.5).

A trained regression is a model file that holds numbers only: support vectors, their
coefficients, how features were standardised. `otherwords train pem` makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np

from otherwords import _native
from otherwords.errors import ModelError, UsageError
from otherwords.metrics.base import Array
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.seen import Seen

__all__ = [
    "CRITERIA",
    "HIGH",
    "KIND",
    "LOW",
    "PAPER_FEATURES",
    "Regression",
    "open_regression",
    "regression_for",
]

KIND = "pem"
LOW, HIGH = 1.0, 5.0  # the scale of the judges (PEM §5.1)
DIGITS = 9  # of a score that are kept: beyond them processors differ

# What the regression sees: one feature for each criterion (PEM §4.5).
CRITERIA = {"adequacy": "pivot_f1", "fluency": "fluency", "dissimilarity": "target_f1"}
PAPER_FEATURES = tuple(CRITERIA.values())


def open_regression(name_or_path: str | Path) -> container.Model:
    """A file that `otherwords train pem` wrote, or an embedded one, by its name."""
    if not isinstance(name_or_path, (str, Path)):
        raise UsageError(f"regression must be a name or a path, not {name_or_path!r}")
    return container.read(find(name_or_path), KIND)


def regression_for(regression: str | Path, encoder: str | Path | None) -> str | Path:
    """The embedded regression that goes with a neural encoder, unless another one is asked for.

    >>> regression_for("pem", None), regression_for("pem", "auto"), regression_for("my.pem", "auto")
    ('pem', 'pem-neural', 'my.pem')
    """
    return "pem-neural" if encoder is not None and regression == "pem" else regression


@dataclass(frozen=True)
class Regression:
    """Support vector regression with a radial basis function, on standardised features."""

    support: Array  # [vectors, features], standardised
    coefficients: Array
    gamma: float
    bias: float
    center: Array
    scale: Array
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def predict(self, features: Array, threads: int = 1) -> Array:
        """The overall score of each row of features, on the judges' scale."""
        raw = _native.predict_rbf(
            self.support,
            self.coefficients,
            self.gamma,
            self.bias,
            np.ascontiguousarray((features - self.center) / self.scale),
            threads,
        )
        return np.clip(np.round(raw, DIGITS), LOW, HIGH)

    def contributions(self, features: Array) -> dict[str, float]:
        """What each criterion adds to the score of an average pair: exact Shapley values.

        `average`, the score of a pair with the mean features of what was trained on (controls
        included), and the criteria sum to the score.
        """
        names = list(CRITERIA)
        subsets = [set(some) for size in range(4) for some in combinations(names, size)]
        points = np.array([self._mixed(features, some) for some in subsets])
        values = dict(zip(map(frozenset, subsets), self.predict(points), strict=True))
        shown = {"average": float(values[frozenset()])}
        for name in names:
            others = [some for some in subsets if name not in some]
            shown[name] = sum(
                factorial(len(some))
                * factorial(len(names) - len(some) - 1)
                / factorial(len(names))
                * float(values[frozenset({*some, name})] - values[frozenset(some)])
                for some in others
            )
        return shown

    def _mixed(self, features: Array, criteria: set[str]) -> Array:
        """The pair's features for these criteria, the average's for the others."""
        chosen = np.array([criterion in criteria for criterion in CRITERIA])
        return np.where(chosen, features, self.center)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Regression:
        """Open a file, or the embedded regression of that name."""
        return cls.of_model(open_regression(name_or_path))

    @classmethod
    def of_model(cls, model: container.Model) -> Regression:
        """The regression in a model file."""
        arrays = model.arrays
        try:
            support = arrays["support"].astype(np.float64)
            gamma, bias = (float(value) for value in arrays["kernel"])
            regression = cls(
                np.ascontiguousarray(support),
                arrays["coefficients"].astype(np.float64),
                gamma,
                bias,
                arrays["center"],
                arrays["scale"],
                model.provenance,
                model.short_digest,
                Seen.of_arrays(arrays),
            )
            regression._check()
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{model.path}: the regression is damaged: {error}") from error
        return regression

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features that it was trained on, in order."""
        return tuple(self.provenance["features"])

    @property
    def settings(self) -> dict[str, Any]:
        """The options that the features had when it was trained."""
        return dict(self.provenance["settings"])

    def _check(self) -> None:
        if self.features != PAPER_FEATURES:
            raise ValueError("it was trained on other features")
        if not isinstance(self.provenance["model"], str):
            raise TypeError("it does not say which model it was trained with")
        if not isinstance(self.provenance["settings"], dict):
            raise TypeError("its settings are not an object")
        width = len(self.features)
        shapes = self.support.shape[1:], self.center.shape, self.scale.shape
        if shapes != ((width,), (width,), (width,)):
            raise ValueError("its arrays do not fit the features")
        if self.coefficients.shape != self.support.shape[:1]:
            raise ValueError("its coefficients do not fit the support vectors")
        numbers = (self.support, self.coefficients, self.center, self.scale)
        finite = all(np.isfinite(array).all() for array in numbers) and np.isfinite(self.bias)
        if not finite or not (self.scale > 0).all() or not 0 < self.gamma < np.inf:
            raise ValueError("its numbers are out of range")

    def save(self, path: str | Path) -> None:
        """Write the numbers and how they came about."""
        arrays = {
            "support": self.support.astype(np.float32),
            "coefficients": self.coefficients.astype(np.float32),
            "kernel": np.array([self.gamma, self.bias]),
            "center": self.center,
            "scale": self.scale,
            **(self.seen.arrays if self.seen else {}),
        }
        container.write(path, KIND, arrays, self.provenance)
