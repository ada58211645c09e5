"""A learned combination: from the statistics of a pair to what people would say of it.

The file holds numbers only: how statistics are standardised, and the coefficients of a line,
support vectors, or trees. `otherwords train combine` makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from otherwords import _native
from otherwords.errors import ModelError, UsageError
from otherwords.metrics.base import Array
from otherwords.metrics.combine_features import check_families
from otherwords.models import container, find
from otherwords.models.seen import Seen

__all__ = ["Combination", "Line", "Radial", "Regressor", "Trees"]

KIND = "combination"
DIGITS = 9  # of a score that are kept: beyond them processors differ
FARTHEST = 6.0  # deviations from the mean that a statistic may be: one alone decides nothing


@dataclass(frozen=True)
class Line:
    """A weighted sum (ridge regression)."""

    weights: Array

    def predict(self, rows: Array, threads: int) -> Array:
        """The sum of each row, added up in an order that does not depend on the other rows."""
        return np.asarray((rows * self.weights).sum(axis=1))

    def fits(self, width: int) -> bool:
        """Whether it is for rows of that width."""
        return self.weights.shape == (width,)


@dataclass(frozen=True)
class Radial:
    """Support vectors with a radial basis function."""

    support: Array
    coefficients: Array
    kernel: Array  # gamma, bias

    def predict(self, rows: Array, threads: int) -> Array:
        """The value of each row."""
        gamma, bias = self.kernel.tolist()
        rows = np.ascontiguousarray(rows)
        return _native.predict_rbf(self.support, self.coefficients, gamma, bias, rows, threads)

    def fits(self, width: int) -> bool:
        """Whether it is for rows of that width."""
        size = len(self.coefficients)
        return self.support.shape == (size, width) and self.kernel.shape == (2,)


@dataclass(frozen=True)
class Trees:
    """The sum of binary trees whose nodes are numbered through.

    A node asks whether statistic `feature` is at most `threshold` and goes on to `yes` or `no`;
    a leaf leads to itself.
    """

    roots: Array
    feature: Array
    threshold: Array
    yes: Array
    no: Array
    value: Array

    def predict(self, rows: Array, threads: int) -> Array:
        """All rows go down all trees at once, a level a step."""
        feature, yes, no = (column.astype(np.int64) for column in (self.feature, self.yes, self.no))
        node = np.broadcast_to(self.roots.astype(np.int64), (len(rows), len(self.roots)))
        for _ in range(len(feature)):
            asked = rows[np.arange(len(rows))[:, None], feature[node]]
            step = np.where(asked <= self.threshold[node], yes[node], no[node])
            if np.array_equal(step, node):
                break
            node = step
        return np.asarray(self.value[node].sum(axis=1))

    def fits(self, width: int) -> bool:
        """Whether it is for rows of that width, and every way down ends."""
        size = len(self.feature)
        columns = (self.threshold, self.yes, self.no, self.value)
        if self.roots.ndim != 1 or any(column.shape != (size,) for column in columns):
            return False
        here = np.arange(size)
        leaf = (self.yes == here) & (self.no == here)
        ahead = (self.yes > here) & (self.no > here) & (self.yes < size) & (self.no < size)
        inside = (self.roots >= 0) & (self.roots < size)
        known = (self.feature >= 0) & (self.feature < width)
        return bool((leaf | ahead).all() and inside.all() and known.all())


Regressor = Line | Radial | Trees
MAKERS: Mapping[str, type[Line] | type[Radial] | type[Trees]] = {
    "ridge": Line,
    "svr": Radial,
    "boosting": Trees,
}


@dataclass(frozen=True)
class Combination:
    """A regression on standardised statistics, and the scale of its scores.

    `ends` are the raw values that become 0 (unrelated text) and 1 (a copy of the reference).
    """

    statistics: tuple[str, ...]  # family/name
    families: tuple[str, ...]
    center: Array
    scale: Array
    ends: Array
    regressor: Regressor
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def raw(self, rows: Array, threads: int = 1) -> Array:
        """What people are predicted to say, in standard deviations of their scores."""
        standard = np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST)
        return self.regressor.predict(standard, threads)

    def scores(self, rows: Array, threads: int = 1) -> Array:
        """From 0 to 1."""
        low, high = self.ends.tolist()
        shares = (self.raw(rows, threads) - low) / (high - low)
        return np.asarray(np.clip(np.round(shares, DIGITS), 0.0, 1.0))

    def contributions(self, row: Array) -> dict[str, float]:
        """What each statistic adds to the score of an average pair: how the score changes if
        the statistic is set to its mean. For a line they sum, with the average, to the score.
        """
        low, high = self.ends.tolist()
        changed = np.repeat(row[None, :], len(row), axis=0)
        np.fill_diagonal(changed, self.center)
        added = (self.raw(row[None, :])[0] - self.raw(changed)) / (high - low)
        return dict(zip(self.statistics, np.round(added, DIGITS).tolist(), strict=True))

    @property
    def average(self) -> float:
        """The score of a pair whose statistics are all at their means."""
        return float(self.scores(self.center[None, :])[0])

    @classmethod
    def load(cls, name_or_path: str | Path) -> Combination:
        """Open a file, or the embedded combination of that name."""
        if not isinstance(name_or_path, (str, Path)):
            raise UsageError(f"model must be a name or a path, not {name_or_path!r}")
        model = container.read(find(name_or_path), KIND)
        try:
            maker = MAKERS[model.provenance["regressor"]]
            numbers = {
                name: np.ascontiguousarray(array, np.float64)
                for name, array in model.section("regressor").items()
            }
            combination = cls(
                tuple(model.provenance["statistics"]),
                check_families(model.provenance["families"]),
                model.arrays["center"].astype(np.float64),
                model.arrays["scale"].astype(np.float64),
                model.arrays["ends"].astype(np.float64),
                maker(**numbers),
                model.provenance,
                model.short_digest,
                Seen.of_arrays(model.arrays),
            )
            combination._check()
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise ModelError(f"{model.path}: the combination is damaged: {error}") from error
        return combination

    def _check(self) -> None:
        width = len(self.statistics)
        if self.center.shape != (width,) or self.scale.shape != (width,):
            raise ValueError("its arrays do not fit its statistics")
        numbers = [self.center, self.scale, self.ends, *vars(self.regressor).values()]
        if not all(np.isfinite(array).all() for array in numbers) or not (self.scale > 0).all():
            raise ValueError("its numbers are out of range")
        if self.ends.shape != (2,) or not self.ends[0] < self.ends[1]:
            raise ValueError("its scale is no scale")
        if not self.regressor.fits(width):
            raise ValueError("its coefficients do not fit its statistics")

    def save(self, path: str | Path) -> None:
        """Write the numbers, in single precision, and how they came about."""
        numbers = {"center": self.center, "scale": self.scale, "ends": self.ends}
        numbers |= {f"regressor/{name}": found for name, found in vars(self.regressor).items()}
        arrays: dict[str, Any] = {name: one.astype(np.float32) for name, one in numbers.items()}
        arrays |= self.seen.arrays if self.seen else {}
        [kind] = [name for name, maker in MAKERS.items() if isinstance(self.regressor, maker)]
        provenance = {
            **self.provenance,
            "regressor": kind,
            "statistics": list(self.statistics),
            "families": list(self.families),
        }
        container.write(path, KIND, arrays, provenance)
