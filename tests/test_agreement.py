"""Coefficients of agreement against SciPy and loops, with ties and missing values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords._native import pair_counts, pair_counts_each, spearman_rho, tie_threshold
from otherwords.stats.coefficients import (
    FEWEST,
    accuracy_each,
    midranks,
    pairs_resampled,
    pearson,
    pearson_each,
    pearson_resampled,
    rows_resampled,
    settle,
    spearman_each,
    tau_b,
)
from otherwords.stats.intervals import interval_of_mean, percentiles
from tests.oracles import agreement as oracle

SCORES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, 0.1, -3.5, float("nan")])


@st.composite
def sides(draw, values=SCORES):
    size = draw(st.integers(1, 9))
    several = st.lists(st.lists(values, min_size=size, max_size=size), min_size=3, max_size=3)
    return np.array(draw(several)), np.array(draw(several))


@given(sides())
def test_each_draw_is_as_scipy_has_it(pair):
    x, y = pair
    for name, function in (("pearson", pearson_each), ("spearman", spearman_each)):
        expected = [oracle.correlation(name, a, b) for a, b in zip(x, y, strict=True)]
        np.testing.assert_allclose(function(x, y), expected, atol=1e-12)
    expected = [oracle.accuracy(a, b) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(accuracy_each(x, y), expected, atol=1e-12)


@given(sides())
def test_midranks(pair):
    for values in pair[0]:
        kept = values[np.isfinite(values)].tolist()
        ranks = midranks(values[None])[0]
        assert (1 + ranks[np.isfinite(values)]).tolist() == oracle.midranks(kept)
        assert np.isnan(ranks[np.isnan(values)]).all()


def kendall_resampled(x, y, units, times, threads=1):
    tau = tau_b(pairs_resampled(settle(x), y, units, times, threads=threads))
    return np.where(rows_resampled(units, times) >= FEWEST, tau, np.nan)


@given(st.data())
def test_drawn_rows_are_rows_repeated(data):
    size = data.draw(st.integers(3, 14))
    column = st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 7.0]), min_size=size, max_size=size)
    x, y = np.array(data.draw(column)), np.array(data.draw(column))
    units = np.array(data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)))
    times = np.array(
        data.draw(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1)),
        dtype=np.uint16,
    )
    repeated = [np.repeat(np.arange(size), draw[units]) for draw in times]
    for name, function in (("pearson", pearson_resampled), ("kendall", kendall_resampled)):
        expected = [oracle.correlation(name, x[rows], y[rows]) for rows in repeated]
        np.testing.assert_allclose(function(x, y, units, times), expected, atol=1e-9)


def test_kendall_by_hand():
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 2.0])
    whole = np.ones((1, 4), dtype=np.uint16)
    # Concordant 12, 13, 14; discordant 23, 24; tied 34: (3 - 2) / sqrt(6 * 5).
    assert kendall_resampled(x, y, np.arange(4), whole)[0] == pytest.approx(1 / np.sqrt(30))


def test_kendall_does_not_depend_on_threads():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 40, 300).astype(float), rng.normal(size=300)
    times = rng.integers(0, 4, (57, 100)).astype(np.uint16)
    units = np.arange(300) % 100
    one, many = (kendall_resampled(x, y, units, times, threads=n) for n in (1, 5))
    assert one.tobytes() == many.tobytes()


def test_kernels_refuse_what_is_out_of_range():
    row, times = np.zeros(3, dtype=np.uint32), np.ones((2, 1), dtype=np.uint16)
    score = np.zeros(3)
    with pytest.raises(ValueError, match="a rank is higher"):
        pair_counts(score, row + 9, row, times, 0.0, 1)
    with pytest.raises(ValueError, match="a unit that is not there"):
        pair_counts(score, row, row + 1, times, 0.0, 1)
    with pytest.raises(ValueError, match="needed for every row"):
        pair_counts(score, row[:2], row, times, 0.0, 1)
    with pytest.raises(ValueError, match="has no score"):
        pair_counts(score + np.nan, row, row, times, 0.0, 1)
    with pytest.raises(ValueError, match="a rank is higher"):
        spearman_rho(row + 9, row, row, times, 1)
    with pytest.raises(ValueError, match="a unit that is not there"):
        spearman_rho(row, row, row + 1, times, 1)
    with pytest.raises(ValueError, match="needed for every row"):
        spearman_rho(row, row[:2], row, times, 1)
    with pytest.raises(ValueError, match="same shape"):
        pair_counts_each(np.zeros((1, 2)), np.zeros((1, 3)), 0.0, 1)
    with pytest.raises(ValueError, match="more points than there are"):
        tie_threshold(score, score, np.array([2, 2], dtype=np.uint32), 100)
    assert pair_counts(score[:0], row[:0], row[:0], times, 0.0, 1).tolist() == [0] * 10
    assert np.isnan(spearman_rho(row[:0], row[:0], row[:0], times, 1)).all()


def test_scores_that_differ_by_rounding_are_tied():
    x = np.array([[0.3, 0.1 + 0.2, 0.4, 0.5]])
    assert x[0, 0] != x[0, 1]
    assert midranks(x).tolist() == [[0, 1, 2, 3]]
    y = np.array([[2.0, 1.0, 3.0, 4.0]])
    assert spearman_each(x, y)[0] == pytest.approx(
        oracle.correlation("spearman", [1, 1, 2, 3], y[0])
    )
    assert accuracy_each(x, y)[0] == pytest.approx(5 / 6)
    assert np.isnan(pearson_each(x[:, :2].repeat(2, axis=1), y)).all()


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_tiny_and_huge_values(size):
    x, y = np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]])
    assert pearson_each(x * size, y)[0] == pytest.approx(0.5)
    assert spearman_each(x * size, y)[0] == pytest.approx(0.5)
    times = np.ones((1, 3), dtype=np.uint16)
    assert pearson_resampled(x[0] * size, y[0], np.arange(3), times)[0] == pytest.approx(0.5)


def test_pearson_is_that_of_the_other_tables():
    x, y = np.random.default_rng(5).normal(size=(2, 50)) + 1000
    times = np.ones((1, 50), dtype=np.uint16)
    assert pearson_each(x[None], y[None])[0] == pytest.approx(pearson(x, y), abs=1e-12)
    assert pearson_resampled(x, y, np.arange(50), times)[0] == pytest.approx(
        pearson(x, y), abs=1e-12
    )


def test_interval_of_the_mean_by_hand():
    # Mean .6, deviations -.1 0 .1 0: s = sqrt(.02 / 3); t(.975, 3) = 3.1824 from any table.
    low, high = interval_of_mean(np.array([0.5, 0.6, 0.7, 0.6]), 0.95)
    reach = 3.1824 * np.sqrt(0.02 / 3) / 2
    assert (low, high) == pytest.approx((0.6 - reach, 0.6 + reach), abs=1e-5)


def test_interval_of_the_mean_shrinks_with_the_draws_and_percentiles_do_not():
    draws = np.random.default_rng(6).normal(0.7, 0.1, 100_000)
    for make, ratio in ((interval_of_mean, 10), (percentiles, 1)):
        (low, high), (lower, higher) = make(draws[:1000], 0.95), make(draws, 0.95)
        assert (high - low) / (higher - lower) == pytest.approx(ratio, rel=0.15)


def test_percentile_intervals_cover_the_truth():
    # 300 samples of 80 pairs with correlation .6: about 285 of 300 intervals hold it.
    rng = np.random.default_rng(7)
    inside = 0
    for _ in range(300):
        x = rng.normal(size=80)
        y = 0.6 * x + 0.8 * rng.normal(size=80)
        times = rng.multinomial(80, np.full(80, 1 / 80), size=300).astype(np.uint16)
        low, high = percentiles(pearson_resampled(x, y, np.arange(80), times), 0.95)
        inside += low <= 0.6 <= high
    assert 0.89 < inside / 300 < 0.99
