"""Support vector regression with hyper-parameters chosen by grouped cross-validation.

All folds keep the pairs of one original sentence together (PEM §6.1: split by original, never by
pair). Features are standardised with the mean and deviation of the training data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.formats import Chosen
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.metrics.pem import Regression
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.stats.resampling import resample
from otherwords.study.agreement.human_scores import Scale


@dataclass(frozen=True)
class Reading:
    """How judged rows are read: their columns, the human score to learn and its scale, and whether
    their text may be in any language.
    """

    human: str
    scale: Scale | None = None
    columns: Chosen | None = None
    any_language: bool = False


@dataclass(frozen=True)
class Validation:
    """How a trained model is cross-validated; `tick` is called after each fold."""

    folds: int = 5
    seed: int = 0
    threads: int = 1
    tick: Callable[[], None] = lambda: None


FEW_ROWS = 50
MOST_TO_CHOOSE = 1500  # most pairs that hyper-parameters are chosen on


def warn_few(rows: int) -> list[str]:
    """A warning if a metric is trained on few rows."""
    if rows >= FEW_ROWS:
        return []
    return [f"only {rows} rows: train on {FEW_ROWS} or more, or keep the embedded metric"]


@dataclass(frozen=True)
class Kernel:
    """The hyper-parameters of the regression."""

    cost: float = 1.0
    gamma: float = 0.3
    epsilon: float = 0.1


GRID = tuple(
    Kernel(cost, gamma, epsilon)
    for cost in (1.0, 10.0)
    for gamma in (0.03, 0.1, 0.3, 1.0)
    for epsilon in (0.1, 0.3)
)


class Points(NamedTuple):
    """The points of a regression: one row per pair. `judged` marks the rows that agreement is
    measured on.
    """

    features: Array
    targets: Array
    groups: NDArray[np.int64]
    judged: NDArray[np.bool_]

    def where(self, rows: NDArray[Any]) -> Points:
        return Points(*(column[rows] for column in self))


def fit(points: Points, kernel: Kernel, provenance: Mapping[str, Any] | None = None) -> Regression:
    """Fit a regression to these points, with support vectors rounded as in its file."""
    from sklearn.svm import SVR

    center = points.features.mean(axis=0)
    scale = points.features.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)  # constant features
    svr = SVR(C=kernel.cost, gamma=kernel.gamma, epsilon=kernel.epsilon, cache_size=500)
    svr.fit((points.features - center) / scale, points.targets)
    return Regression(
        np.ascontiguousarray(svr.support_vectors_.astype(np.float32), np.float64),
        svr.dual_coef_[0].astype(np.float32).astype(np.float64),
        kernel.gamma,
        float(svr.intercept_[0]),
        center,
        scale,
        dict(provenance or {}),
    )


def folds_of(groups: NDArray[np.int64], folds: int, seed: int) -> NDArray[np.int64]:
    """Assign rows to folds by group, in an order that depends on the seed.

    >>> folds_of(np.array([0, 0, 1, 2, 2, 3]), 2, seed=0).tolist()
    [1, 1, 0, 1, 1, 0]
    """
    names = np.unique(groups)
    if len(names) < check_whole("folds", folds, 2, 1000):
        raise InputError(
            f"{len(names)} originals are judged; cross-validation in {folds} folds needs that many"
        )
    order = np.argsort(np.random.PCG64(seed).random_raw(len(names)), kind="stable")
    fold = np.empty(len(names), np.int64)
    fold[order] = np.arange(len(names)) % folds
    return fold[np.searchsorted(names, groups)]


def cross_validate(
    points: Points,
    kernel_for: Callable[[Points], Kernel],
    *,
    folds: int,
    seed: int,
    tick: Callable[[], None] = lambda: None,
) -> Array:
    """Predict the score of each pair by a regression that was not trained on its original."""
    predicted = np.empty(len(points.targets))
    fold = folds_of(points.groups, folds, seed)
    for number in range(folds):
        training, held_out = points.where(fold != number), points.where(fold == number)
        regression = fit(training, kernel_for(training))
        predicted[fold == number] = regression.predict(held_out.features)
        tick()
    return predicted


def choose(points: Points, grid: Sequence[Kernel] = GRID, *, folds: int, seed: int) -> Kernel:
    """Choose the kernel whose cross-validated scores agree best; the first at ties."""
    if len(grid) == 1:
        return grid[0]
    some = _choose_some(points, folds, seed)
    folds = min(folds, len(np.unique(some.groups)))

    def agreement(kernel: Kernel) -> float:
        scores = cross_validate(some, lambda _: kernel, folds=folds, seed=seed)
        r = pearson(scores[some.judged], some.targets[some.judged])
        return -2.0 if r is None else round(r, 6)

    return max(grid, key=agreement)


def _choose_some(points: Points, folds: int, seed: int) -> Points:
    """Return all points or, if there are many, those of at least `folds` random originals."""
    originals = len(np.unique(points.groups))
    parts = min(-(-len(points.targets) // MOST_TO_CHOOSE), originals // folds)
    if parts <= 1:
        return points
    return points.where(folds_of(points.groups, parts, seed) == 0)


def interval(
    scores: Array,
    targets: Array,
    groups: NDArray[np.int64],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> tuple[float, float]:
    """Compute the 95 % interval of Pearson's r, originals resampled with all their pairs."""
    draws = resampled(scores, targets, groups, resamples=resamples, seed=seed)
    if not np.isfinite(draws).any():
        raise InputError("the scores or the judgements do not vary: there is nothing to agree on")
    low, high = np.nanquantile(draws, [0.025, 0.975])
    return float(low), float(high)


def resampled(
    scores: Array,
    targets: Array,
    groups: NDArray[np.int64],
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> Array:
    """Compute Pearson's r in each resample of the groups; NaN where a side is constant."""
    names, place = np.unique(groups, return_inverse=True)
    rows = [np.flatnonzero(place == number) for number in range(len(names))]
    draws = np.full(resamples, np.nan)
    for number, draw in enumerate(resample(len(names), resamples, seed)):
        drawn = np.concatenate([rows[group] for group in draw])
        r = pearson(scores[drawn], targets[drawn])
        draws[number] = np.nan if r is None else r
    return draws
