"""The regressions of a combination: a line, support vectors, boosted trees.

All domains have the same weight. A line is fitted to deviations from the means of a domain, because
human scores are deviations too; so it learns nothing from how difficult a domain is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError
from otherwords.metrics.mt import (
    FARTHEST,
    Line,
    Radial,
    Regressor,
    Trees,
)
from otherwords.stats.arrays import Array

EPSILON = 0.3  # support vector regression ignores smaller errors
TREE = {"max_depth": 3, "learning_rate": 0.05, "subsample": 0.5, "min_samples_leaf": 20}


@dataclass(frozen=True)
class Setting:
    """A kind of regression and its regularisation: the penalty of a line, the cost of support
    vectors, the number of trees.
    """

    model: str = "ridge"
    value: float = 0.1

    def __str__(self) -> str:
        return f"{self.model} {self.value:g}"


GRIDS: Mapping[str, tuple[Setting, ...]] = {
    "ridge": tuple(Setting("ridge", value) for value in (0.03, 0.1, 0.3, 1.0)),
    "svr": tuple(Setting("svr", value) for value in (0.3, 1.0, 3.0)),
    "boosting": tuple(Setting("boosting", value) for value in (100, 300)),
}
GRID = GRIDS["ridge"]


class Data(NamedTuple):
    """Statistics with the human score of each row; only ratios of weights matter."""

    rows: Array
    people: Array
    weights: Array


class Differences(NamedTuple):
    """Moments of differences D between translations whose scores differ by t: D'D / n, D't / n.
    `weight` is that of all differences together, relative to a domain.
    """

    square: Array
    product: Array
    weight: float = 1.0

    @classmethod
    def of(cls, rows: Array, people: Array | float = 1.0, weight: float = 1.0) -> Differences:
        """Compute the moments from differences of statistics (rows) and of human scores."""
        scores = np.broadcast_to(people, len(rows))
        return cls(rows.T @ rows / len(rows), rows.T @ scores / len(rows), weight)


class TrainingPool:
    """Domains on one scale."""

    def __init__(self, domains: Sequence[Data]) -> None:
        self.domains = [
            data._replace(weights=data.weights / data.weights.sum()) for data in domains
        ]

    @cached_property
    def center(self) -> Array:
        """The mean of the domains' means."""
        means = [data.weights @ data.rows for data in self.domains]
        return _single(np.mean(means, axis=0))

    @cached_property
    def scale(self) -> Array:
        variances = [
            data.weights @ (data.rows - data.weights @ data.rows) ** 2 for data in self.domains
        ]
        deviations = np.sqrt(np.mean(variances, axis=0))
        return _single(np.where(deviations > 1e-9, deviations, 1.0))

    def standard(self, rows: Array) -> Array:
        """Standardise and clip rows."""
        return np.asarray(np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST))

    @cached_property
    def moments(self) -> tuple[Array, Array]:
        """Mean over the domains of X'X and X'y, both as deviations from their means."""
        squares, products = [], []
        for data in self.domains:
            rows = self.standard(data.rows)
            rows = rows - data.weights @ rows
            people = data.people - data.weights @ data.people
            weighted = rows * data.weights[:, None]
            squares.append(weighted.T @ rows)
            products.append(weighted.T @ people)
        return np.mean(squares, axis=0), np.mean(products, axis=0)

    def moments_with(self, differences: Sequence[Differences]) -> tuple[Array, Array]:
        """Add the moments of differences between translations to those of the domains."""
        square, product = self.moments
        scale = self.scale
        for moments in differences:
            square = square + moments.weight * moments.square / np.outer(scale, scale)
            product = product + moments.weight * moments.product / scale
        return square, product

    @cached_property
    def stacked(self) -> Data:
        """All rows, standardised; weights have mean 1 and the same sum in each domain."""
        each = sum(len(data.rows) for data in self.domains) / len(self.domains)
        return Data(
            np.concatenate([self.standard(data.rows) for data in self.domains]),
            np.concatenate([data.people for data in self.domains]),
            np.concatenate([data.weights * each for data in self.domains]),
        )


@dataclass(frozen=True)
class Fitted:
    """A regression with the scale of its statistics."""

    center: Array
    scale: Array
    regressor: Regressor

    def predict(self, rows: Array) -> Array:
        """Predict human scores, in standard deviations."""
        standard = np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST)
        return self.regressor.predict(standard, 1)


def fit(
    pool: TrainingPool,
    setting: Setting,
    differences: Sequence[Differences] = (),
    lowering: NDArray[np.bool_] | None = None,
) -> Fitted:
    """Fit a regression to all domains, with numbers rounded as in its file.

    Only a line can learn from differences, or have statistics that may lower a score but never
    raise it (`lowering`).
    """
    if not differences and lowering is None:
        return Fitted(pool.center, pool.scale, _FITS[setting.model](pool, setting.value))
    if setting.model != "ridge":
        raise UsageError("only ridge regression learns from differences")
    moments = pool.moments_with(differences)
    bounded = np.zeros(len(pool.center), bool) if lowering is None else lowering
    return Fitted(pool.center, pool.scale, _solve(*moments, setting.value, bounded))


def _line(pool: TrainingPool, penalty: float) -> Line:
    return _solve(*pool.moments, penalty, np.zeros(len(pool.center), bool))


def _solve(square: Array, product: Array, penalty: float, lowering: NDArray[np.bool_]) -> Line:
    """Solve for the weights; drop `lowering` statistics until none has a positive weight."""
    free = np.ones(len(product), bool)
    while True:
        weights = np.zeros(len(product))
        system = square[np.ix_(free, free)] + penalty * np.eye(int(free.sum()))
        weights[free] = np.linalg.solve(system, product[free])
        wrong = lowering & (weights > 0)
        if not wrong.any():
            return Line(_single(weights))
        free &= ~wrong


def _radial(pool: TrainingPool, cost: float) -> Radial:
    from sklearn.svm import SVR

    data = pool.stacked
    gamma = 0.1 / data.rows.shape[1]
    svr = SVR(C=cost, gamma=gamma, epsilon=EPSILON, cache_size=500)
    svr.fit(data.rows, data.people, sample_weight=data.weights)
    support, coefficients = _single(svr.support_vectors_), _single(svr.dual_coef_[0])
    return Radial(support, coefficients, _single(np.array([gamma, float(svr.intercept_[0])])))


def _trees(pool: TrainingPool, number: float) -> Trees:
    from sklearn.ensemble import GradientBoostingRegressor

    data = pool.stacked
    model = GradientBoostingRegressor(
        n_estimators=int(number), max_features=0.2, random_state=0, init="zero", **TREE
    )
    model.fit(data.rows, data.people, sample_weight=data.weights)
    columns: dict[str, list[Any]] = {name: [] for name in ("feature", "threshold", "yes", "no")}
    values, roots, size = [], [], 0
    for [estimator] in model.estimators_:
        tree = estimator.tree_
        here = np.arange(tree.node_count)
        leaf = tree.children_left < 0
        columns["feature"].append(np.where(leaf, 0, tree.feature))
        columns["threshold"].append(np.where(leaf, 0.0, tree.threshold))
        columns["yes"].append(size + np.where(leaf, here, tree.children_left))
        columns["no"].append(size + np.where(leaf, here, tree.children_right))
        values.append(TREE["learning_rate"] * tree.value[:, 0, 0])
        roots.append(size)
        size += tree.node_count
    joined = {name: _single(np.concatenate(parts)) for name, parts in columns.items()}
    return Trees(roots=_single(np.array(roots)), value=_single(np.concatenate(values)), **joined)


_FITS: Mapping[str, Callable[[TrainingPool, float], Regressor]] = {
    "ridge": _line,
    "svr": _radial,
    "boosting": _trees,
}


def _single(numbers: NDArray[Any]) -> Array:
    """Round to single precision, as in the file: last digits of a double depend on threads."""
    return np.ascontiguousarray(numbers.astype(np.float32), np.float64)
