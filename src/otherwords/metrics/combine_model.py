"""A learned combination: from the statistics of a pair to the human score that it would get.

The file holds numbers only: how statistics are standardised, the coefficients of a line, support
vectors, or trees, and how far findings hold a score down. `otherwords train combine` makes one.
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
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.seen import Seen

__all__ = ["Ceiling", "Combination", "Line", "Radial", "Regressor", "Trees", "certainty"]

KIND = "combination"
DIGITS = 9  # of a score that are kept: beyond them processors differ
CLOSE = 0.85, 0.97  # share of words in common, in order, of texts that are hardly and fully close
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
        """All rows go down all trees at once, one level per step."""
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
class Ceiling:
    """What findings do to a raw score: the more certain an error is, the less of what is above
    `level` is kept, none of it at `strength` 1.

    A regression on overlap rates a copy with one wrong word near the top, and few translations
    with human scores are such copies, so that it cannot learn better. An error that is found
    with certainty therefore bounds the score from above.
    """

    level: float
    strength: float

    def apply(self, raw: Array, certainty: Array) -> Array:
        """The raw scores under the ceiling; they stay in order where the certainty is the same.

        >>> Ceiling(0.0, 0.5).apply(np.array([1.0, 1.0, -1.0]), np.array([0.0, 1.0, 1.0])).tolist()
        [1.0, 0.5, -1.0]
        """
        return np.asarray(raw - self.strength * certainty * np.maximum(raw - self.level, 0.0))


def certainty(columns: Mapping[str, Array]) -> Array:
    """From 0 to 1: how certain it is that the hypothesis says something else than the reference.

    A contradiction counts wherever it is. Words that are missing or added count as far as the
    rest of the texts is the same: there nothing else can say what they say.
    """
    contradicted = columns["findings/strong"] + 0.6 * columns["findings/weak"]
    others = columns["findings/hole"] + columns["findings/surplus"]
    alike = np.maximum(columns["order/subsequence-precision"], columns["order/subsequence-recall"])
    least, most = CLOSE
    close = np.clip((alike - least) / (most - least), 0.0, 1.0)
    return np.maximum(np.minimum(contradicted, 1.0), close * np.minimum(contradicted + others, 1.0))


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
    ceiling: Ceiling | None = None
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def raw(self, rows: Array, threads: int = 1) -> Array:
        """The predicted human scores, in standard deviations."""
        standard = np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST)
        raw = self.regressor.predict(standard, threads)
        return raw if self.ceiling is None else self.ceiling.apply(raw, self.certainty(rows))

    def certainty(self, rows: Array) -> Array:
        """How certain an error is, by the findings among the statistics."""
        return certainty(dict(zip(self.statistics, rows.T, strict=True)))

    def scores(self, rows: Array, threads: int = 1) -> Array:
        """From 0 to 1."""
        return self.scaled(self.raw(rows, threads))

    def scaled(self, raw: Array) -> Array:
        """Raw values on the scale of scores."""
        low, high = self.ends.tolist()
        return np.asarray(np.clip(np.round((raw - low) / (high - low), DIGITS), 0.0, 1.0))

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
            limits = model.arrays.get("ceiling")
            combination = cls(
                tuple(model.provenance["statistics"]),
                check_families(model.provenance["families"]),
                model.arrays["center"].astype(np.float64),
                model.arrays["scale"].astype(np.float64),
                model.arrays["ends"].astype(np.float64),
                maker(**numbers),
                model.provenance,
                None if limits is None else Ceiling(*map(float, limits)),
                model.short_digest,
                Seen.of_arrays(model.arrays),
            )
            combination._check()
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise ModelError(f"{model.path}: the combination is damaged: {error}") from error
        return combination

    def _check(self) -> None:
        if self.provenance.get("against", "references") not in ("references", "source"):
            raise ValueError("it was trained against neither references nor sources")
        width = len(self.statistics)
        if self.center.shape != (width,) or self.scale.shape != (width,):
            raise ValueError("its arrays do not fit its statistics")
        numbers = [self.center, self.scale, self.ends, *vars(self.regressor).values()]
        if not all(np.isfinite(array).all() for array in numbers) or not (self.scale > 0).all():
            raise ValueError("its numbers are out of range")
        if self.ends.shape != (2,) or not self.ends[0] < self.ends[1]:
            raise ValueError("its scale is not a range")
        if self.ceiling is not None:
            if not 0.0 <= self.ceiling.strength <= 1.0 or not np.isfinite(self.ceiling.level):
                raise ValueError("its ceiling is missing")
            self.certainty(self.center[None, :])  # KeyError without findings
        if not self.regressor.fits(width):
            raise ValueError("its coefficients do not fit its statistics")

    def save(self, path: str | Path) -> None:
        """Write the numbers, in single precision, and how they came about."""
        numbers = {"center": self.center, "scale": self.scale, "ends": self.ends}
        if self.ceiling is not None:
            numbers["ceiling"] = np.array([self.ceiling.level, self.ceiling.strength])
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
