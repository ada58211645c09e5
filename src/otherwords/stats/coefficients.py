"""Coefficients of agreement for two lists, or for many resamples of the same points at once.

NaN marks a missing value; a point that one side lacks is left out on both sides. A function for two
lists returns `None` where the coefficient is not defined: fewer than three points, or a constant
side. `..._each` takes arrays [resamples, points]; `..._resampled` takes rows and how often each
resample contains their units. Both return [resamples], NaN where the coefficient is not defined.
Scores that differ only by rounding are tied.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from otherwords._native import pair_counts, pair_counts_each, spearman_rho, tie_threshold
from otherwords.errors import InputError, UsageError
from otherwords.stats.arrays import Array
from otherwords.stats.resampling import Counts

FEWEST = 3  # two points always lie on a line
_DIGITS = 12  # significant digits that a float64 keeps after a long sum
_TINY = 10.0**-_DIGITS
SLACK = 2.5 * _TINY  # a little more than the rounding error in differences of settled scores
_PAIRS = 2**20  # pairs used to calibrate ties; a larger set is sampled
# [draws, 5]: concordant, discordant, tied in x only, in y only, in both
Pairs = NDArray[np.int64]
Measure = Literal["nominal", "ordinal", "interval"]
MEASURES: tuple[Measure, ...] = ("nominal", "ordinal", "interval")
_LEAST_SPREAD = 1e-12


def pearson(scores: ArrayLike, people: ArrayLike) -> float | None:
    """Pearson's correlation.

    >>> pearson([1, 2, 3, float("nan")], [2, 4, 6, 1])
    1.0
    """
    return _first_value(pearson_each(*_sides(scores, people)))


def spearman(scores: ArrayLike, people: ArrayLike) -> float | None:
    """Spearman's rank correlation; ties get their mean rank.

    >>> spearman([0.1, 0.2, 0.3, 0.9], [1, 3, 2, 4])
    0.8
    """
    return _first_value(spearman_each(*_sides(scores, people)))


def kendall(scores: ArrayLike, people: ArrayLike) -> float | None:
    """Kendall's tau-b.

    >>> kendall([1, 2, 3, 4], [1, 3, 2, 2])
    0.182574185835
    """
    return _first_value(kendall_each(*_sides(scores, people)))


def _sides(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    left, right = (np.asarray(side, dtype=np.float64) for side in (x, y))
    if left.ndim != 1 or left.shape != right.shape:
        raise InputError(f"two lists of the same length are needed, not {left.shape} {right.shape}")
    return left[None], right[None]


def _first_value(values: Array) -> float | None:
    value = float(values[0])
    return round(value, 12) + 0.0 if np.isfinite(value) else None


def pearson_each(x: Array, y: Array) -> Array:
    """Pearson's correlation.

    >>> pearson_each(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 4.0, np.nan]]))
    array([nan])
    """
    x, y = _pair_up(_scale(x), _scale(y))
    size = np.isfinite(x).sum(axis=1)
    left, right = _deviations(x, size), _deviations(y, size)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (left * right).sum(axis=1) / np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    return np.where(size >= FEWEST, np.clip(r, -1, 1), np.nan)


def spearman_each(x: Array, y: Array) -> Array:
    """Spearman's rank correlation (ParaEval §4.1): Pearson's correlation of the mid-ranks.

    >>> spearman_each(np.array([[0.1, 0.2, 0.3, 0.9]]), np.array([[1.0, 3.0, 2.0, 4.0]]))
    array([0.8])
    """
    x, y = _pair_up(settle(x), settle(y))
    return pearson_each(midranks(x), midranks(y))


def accuracy_each(x: Array, y: Array) -> Array:
    """The share of pairs that x orders as y does (Kocmi et al. 2021, for systems).

    Pairs tied by human scores (y) do not count. A pair tied only by the metric (x) is wrong.

    >>> accuracy_each(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]])).round(3)
    array([0.667])
    """
    x, y = _pair_up(settle(x), settle(y))
    right, pairs = np.zeros(len(x)), np.zeros(len(x))
    for point in range(x.shape[1] - 1):
        by_x = np.sign(x[:, point, None] - x[:, point + 1 :])
        by_y = np.sign(y[:, point, None] - y[:, point + 1 :])
        ordered = np.isfinite(by_y) & (by_y != 0)
        right += (ordered & (by_x == by_y)).sum(axis=1)
        pairs += ordered.sum(axis=1)
    counts = (np.isfinite(x).sum(axis=1) >= FEWEST) & (pairs > 0)
    return np.where(counts, right / np.maximum(pairs, 1), np.nan)


def midranks(values: Array) -> Array:
    """Ranks from 0 within each resample; ties get their mean rank, NaN stays.

    >>> midranks(np.array([[7.0, 5.0, np.nan, 7.0]]))
    array([[1.5, 0. , nan, 1.5]])
    """
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    steps = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(values), 1), dtype=bool)
    place = np.arange(values.shape[1])
    starts, ends = np.hstack([edge, steps]), np.hstack([steps, edge])
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    last = np.where(ends, place, values.shape[1])[:, ::-1]
    last = np.minimum.accumulate(last, axis=1)[:, ::-1]
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    return np.where(np.isfinite(values), ranks, np.nan)


def pearson_resampled(x: Array, y: Array, units: NDArray[np.intp], times: Counts) -> Array:
    """Pearson's correlation of complete rows for each resample of their units.

    A resample weights rows, so sums of products per unit are enough.
    """
    if len(x) == 0:
        return np.full(len(times), np.nan)
    x, y = _standardise(x), _standardise(y)
    products = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    sums = np.zeros((times.shape[1], products.shape[1]))
    np.add.at(sums, units, products)
    n, sx, sy, sxx, syy, sxy = (times.astype(np.float64) @ sums).T
    with np.errstate(divide="ignore", invalid="ignore"):
        varies = (sxx / n - (sx / n) ** 2, syy / n - (sy / n) ** 2)
        r = (sxy / n - sx / n * sy / n) / np.sqrt(varies[0] * varies[1])
    known = (n >= FEWEST) & (varies[0] > _TINY) & (varies[1] > _TINY)
    return np.where(known, np.clip(r, -1, 1), np.nan)


def spearman_resampled(
    x: Array, y: Array, units: NDArray[np.intp], times: Counts, *, threads: int = 1
) -> Array:
    """Spearman's rank correlation of complete rows for each resample of their units."""
    if len(x) == 0:
        return np.full(len(times), np.nan)
    rho = spearman_rho(_dense(x), _dense(y), units.astype(np.uint32), times, threads)
    return np.where(rows_resampled(units, times) >= FEWEST, rho, np.nan)


def pairs_resampled(
    x: Array,
    y: Array,
    units: NDArray[np.intp],
    times: Counts,
    *,
    epsilon: float = 0.0,
    threads: int = 1,
) -> Pairs:
    """Count concordant, discordant and tied pairs of rows, for each resample of their units.

    Scores of x, which must be settled, are tied if they differ by at most epsilon. A row is not
    paired with its own copies.
    """
    if len(x) == 0:
        return np.zeros((len(times), 5), dtype=np.int64)
    numbers = units.astype(np.uint32)
    return pair_counts(x, _dense(y), numbers, times, epsilon, threads).reshape(-1, 5)


def tau_b(pairs: Pairs) -> Array:
    """Kendall's tau-b (1945) of counted pairs; NaN if a side is constant.

    >>> tau_b(np.array([[3, 2, 0, 1, 0]])).round(4)  # (3 - 2) / sqrt(5 * 6)
    array([0.1826])
    """
    concordant, discordant, tied_x, tied_y, _ = pairs.T.astype(np.float64)
    ordered = concordant + discordant
    base = np.sqrt(ordered + tied_x) * np.sqrt(ordered + tied_y)
    tau = (concordant - discordant) / np.where(base > 0, base, np.nan)
    return np.asarray(np.clip(tau, -1, 1))


def with_ties(pairs: Pairs) -> Array:
    """Pairwise accuracy with ties (Deutsch, Foster & Freitag 2023, acc_eq): the share of pairs
    that both sides order alike or both tie.

    >>> with_ties(np.array([[3, 2, 0, 1, 4]]))
    array([0.7])
    """
    total = pairs.sum(axis=1)
    right = pairs[:, 0] + pairs[:, 4]
    return np.asarray(np.where(total > 0, right / np.maximum(total, 1), np.nan))


def calibrate(x: Array, y: Array, sizes: NDArray[np.intp]) -> float:
    """The epsilon with the highest accuracy with ties, averaged over groups of these sizes.

    x must be settled. Where y has no ties, epsilon is 0. Differences that are equal except for
    rounding are on the same side of it.
    """
    for group in np.split(y, np.cumsum(sizes)[:-1]):
        known = group[np.isfinite(group)]
        if len(np.unique(known)) < len(known):
            return add_slack(tie_threshold(x, y, sizes.astype(np.uint32), _PAIRS))
    return 0.0


def add_slack(epsilon: float) -> float:
    """Raise epsilon by the rounding error of settled scores, so that no tie is missed."""
    return epsilon + SLACK if epsilon > 0 else 0.0


def kendall_each(x: Array, y: Array, *, threads: int = 1) -> Array:
    """Kendall's tau-b.

    >>> kendall_each(np.array([[1.0, 2, 3, 4]]), np.array([[1.0, 3, 2, 2]])).round(4)
    array([0.1826])
    """
    x, y = _pair_up(settle(x), settle(y))
    tau = tau_b(pair_counts_each(x, y, 0.0, threads).reshape(-1, 5))
    return np.where(np.isfinite(x).sum(axis=1) >= FEWEST, tau, np.nan)


def with_ties_each(x: Array, y: Array, epsilon: float, *, threads: int = 1) -> Array:
    """Pairwise accuracy with ties; x must be settled, as when epsilon was calibrated."""
    return with_ties(pair_counts_each(*_pair_up(x, y), epsilon, threads).reshape(-1, 5))


def _dense(values: Array) -> NDArray[np.uint32]:
    ranks = np.unique(settle(values), return_inverse=True)[1]
    return ranks.astype(np.uint32).ravel()


def rows_resampled(units: NDArray[np.intp], times: Counts) -> NDArray[np.intp]:
    """The number of rows in each resample."""
    rows: NDArray[np.intp] = times @ np.bincount(units, minlength=times.shape[1])
    return rows


def _pair_up(x: Array, y: Array) -> tuple[Array, Array]:
    known = np.isfinite(x) & np.isfinite(y)
    return np.where(known, x, np.nan), np.where(known, y, np.nan)


def _scale(values: Array) -> Array:
    """Divide values by the largest of their resample, so that squares stay in range."""
    largest = np.max(np.abs(values), axis=-1, keepdims=True, initial=0, where=np.isfinite(values))
    return np.asarray(values / np.where(largest > 0, largest, 1))


def settle(values: Array) -> Array:
    """Scale values by the largest of their resample, and round off digits lost in long sums."""
    return np.round(_scale(values), _DIGITS)


def _deviations(values: Array, size: NDArray[np.intp]) -> Array:
    """Deviations of scaled values from their mean, scaled to at most 1; 0 if missing."""
    total = np.nansum(values, axis=1, keepdims=True)
    centred = np.nan_to_num(values - total / np.maximum(size, 1)[:, None])
    largest = np.abs(centred).max(axis=1, keepdims=True, initial=0)
    return np.asarray(np.where(largest > _TINY, centred / np.maximum(largest, _TINY), 0))


def _standardise(values: Array) -> Array:
    """Deviations from the mean with a standard deviation of 1; 0 if the values are constant."""
    every = np.full(1, len(values))
    centred = _deviations(_scale(values)[None], every)[0]
    spread = np.sqrt((centred**2).mean())
    return np.asarray(centred / spread if spread > 0 else centred)


def krippendorff_alpha(judgements: Array, measure: Measure = "interval") -> float | None:
    """Alpha of judgements [judges, rows], NaN where a judge did not judge (Krippendorff 2011).

    Alpha is 1 minus the disagreement within rows divided by that of any two judgements. Scores are
    names (`nominal`), ranks (`ordinal`) or numbers (`interval`). `None` if no row has two
    judgements, or if all judgements are equal, so that no disagreement is expected.

    >>> krippendorff_alpha(np.array([[1.0, 2, 3, 3], [1, 2, 3, 4]]), "nominal").__round__(3)
    0.696
    """
    once = np.ones((1, judgements.shape[1]), dtype=np.uint16)
    value = float(krippendorff_resampled(judgements, measure, once)[0])
    return value if np.isfinite(value) else None


def krippendorff_resampled(judgements: Array, measure: Measure, times: Counts) -> Array:
    """Alpha for resamples of the rows, [draws, rows]; NaN where it is not defined."""
    if measure not in MEASURES:
        raise UsageError(f"measure must be one of {', '.join(MEASURES)}, not {measure!r}")
    comparable = np.isfinite(judgements).sum(axis=0) >= 2
    judgements, weights = judgements[:, comparable], times[:, comparable].astype(np.float64)
    if judgements.shape[1] == 0:
        return np.full(len(times), np.nan)
    if measure == "interval":
        return _interval_alpha(judgements, weights)
    values = np.unique(judgements[np.isfinite(judgements)])
    counts = np.array([(judgements == value).sum(axis=0) for value in values], np.float64).T
    return np.array([_table_alpha(counts, measure, row_weights) for row_weights in weights])


def _interval_alpha(judgements: Array, weights: Array) -> Array:
    """Squared differences need only sums, no table of values."""
    largest = np.nanmax(np.abs(judgements)) or 1.0
    there = np.isfinite(judgements)
    scaled = np.where(there, judgements / largest - np.nanmean(judgements / largest), 0)
    size, sums, squares = there.sum(axis=0), scaled.sum(axis=0), (scaled**2).sum(axis=0)
    within = 2 * (size * squares - sums**2) / (size - 1)
    n, total, square, observed = (weights @ np.array([size, sums, squares, within]).T).T
    expected = 2 * (n * square - total**2)  # over n (n - 1)
    known = expected > _LEAST_SPREAD * n**2
    return np.asarray(
        np.where(known, 1 - (n - 1) * observed / np.where(known, expected, 1), np.nan)
    )


def _table_alpha(counts: Array, measure: Measure, weights: Array) -> float:
    """Alpha from how often each row has each value [rows, values]."""
    sizes = counts.sum(axis=1)
    shared = (counts * (weights / (sizes - 1))[:, None]).T @ counts
    coincidences = shared - np.diag((counts * (weights / (sizes - 1))[:, None]).sum(axis=0))
    totals = coincidences.sum(axis=1)
    far = _distances(totals, measure)
    expected = totals @ far @ totals
    if expected <= 0:
        return float("nan")
    return float(1 - (totals.sum() - 1) * (coincidences * far).sum() / expected)


def _distances(totals: Array, measure: Measure) -> Array:
    """Squared differences of values: 1 for names; for ranks, by the judgements between them."""
    if measure == "nominal":
        return 1 - np.eye(len(totals))
    reached = np.cumsum(totals) - totals / 2
    return np.asarray((reached[:, None] - reached[None]) ** 2)


def cohen_kappa_resampled(x: Array, y: Array, times: Counts) -> Array:
    """Cohen's kappa (1960) of two raters' labels for each resample of the rows; NaN if both always
    give the same label.

    >>> x, y = np.array([0.0, 0, 1, 1]), np.array([0.0, 1, 1, 1])
    >>> cohen_kappa_resampled(x, y, np.ones((1, 4), np.uint16)).tolist()
    [0.5]
    """
    values = np.unique(np.concatenate([x, y]))
    left, right = ((values[:, None] == side).astype(np.float64) for side in (x, y))
    weights = times.astype(np.float64)
    size = weights.sum(axis=1)
    by_chance = ((weights @ left.T) * (weights @ right.T)).sum(axis=1) / size
    return _beyond_chance(weights @ (x == y), by_chance, size)


def weighted_kappa_resampled(x: Array, y: Array, times: Counts) -> Array:
    """Cohen's kappa (1968) with squared differences of scores as weights, for each resample.

    >>> x, y = np.array([1.0, 2, 3]), np.array([1.0, 3, 3])
    >>> weighted_kappa_resampled(x, y, np.ones((1, 3), np.uint16)).round(4).tolist()
    [0.8]
    """
    origin = np.concatenate([x, y]).mean()
    left, right = x - origin, y - origin
    rows = np.column_stack([np.ones_like(x), left, right, left**2 + right**2, (x - y) ** 2])
    size, sum_x, sum_y, squares, apart = (times.astype(np.float64) @ rows).T
    expected = squares - 2 * sum_x * sum_y / size
    known = expected > _LEAST_SPREAD * max(float(rows[:, 3].max(initial=0)), _TINY)
    return np.asarray(np.where(known, 1 - apart / np.where(known, expected, 1), np.nan))


def fleiss_kappa_resampled(counts: Array, times: Counts) -> Array:
    """Fleiss' kappa (1971) for each resample of the rows; `counts` has how many raters gave a row
    each label [rows, labels], the same number of raters for every row.

    >>> fleiss_kappa_resampled(np.array([[2.0, 0], [1, 1], [0, 2]]), np.ones((1, 3), np.uint16))
    array([0.33333333])
    """
    raters = counts[0].sum()
    agreed = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    weights = times.astype(np.float64)
    size = weights.sum(axis=1)
    shares = weights @ counts / (size[:, None] * raters)
    return _beyond_chance(weights @ agreed, size * (shares**2).sum(axis=1), size)


def _beyond_chance(agreed: Array, by_chance: Array, size: Array) -> Array:
    """The share of the agreement that chance leaves; NaN where chance leaves none."""
    known = size - by_chance > _TINY * size
    return np.asarray(
        np.where(known, (agreed - by_chance) / np.where(known, size - by_chance, 1), np.nan)
    )
