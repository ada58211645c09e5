"""Coefficients of arrays with ties and missing values: loops, SciPy and published numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords._native import pair_counts, pair_counts_each, tie_threshold
from otherwords.errors import InputError, UsageError
from otherwords.stats import coefficients
from otherwords.stats.coefficients import (
    kendall,
    krippendorff_alpha,
    krippendorff_resampled,
    pairs_resampled,
    pearson,
    spearman_resampled,
    with_ties,
)
from otherwords.stats.preferences import Preferences, better_worse
from otherwords.stats.segments import (
    SegmentScores,
    mean_known,
    soft_accuracy_resampled,
    soft_pairs,
)
from otherwords.stats.significance import (
    bootstrap_test,
    holm,
    permutation_test,
    swaps,
    williams,
)
from tests.oracles import agreement
from tests.oracles import meta as oracle

NAN = float("nan")
# Multiples of 1/8, so that differences are exact and ties are what they look like.
VALUES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 1.0, -0.5, -0.875, NAN])
PEOPLE = st.sampled_from([0.0, 1.0, 2.0, 3.0, NAN])


@st.composite
def sides(draw, low=1, high=12):
    size = draw(st.integers(low, high))
    x = draw(st.lists(VALUES, min_size=size, max_size=size))
    return np.array(x), np.array(draw(st.lists(PEOPLE, min_size=size, max_size=size)))


def as_value(found):
    return math.nan if found is None else found


def tie_calibrated_accuracy(scores, people):
    """The accuracy with ties and the threshold that maximises it, of one group."""
    x, y = (np.asarray(side, dtype=float) for side in (scores, people))
    both = SegmentScores(x, y, np.arange(len(x)), [np.arange(len(x))])
    return float(both.by_group("accuracy")[0]), both.threshold


def better_worse_tau(better, worse, ties="wrong"):
    size = len(better)
    zeros = np.zeros(size, dtype=np.intp)
    pairs = Preferences(np.arange(size), size + np.arange(size), zeros, zeros, zeros)
    scores = np.array([*better, *worse], dtype=float)
    return better_worse(scores, pairs, np.ones((1, 1), dtype=np.uint16), ties=ties)[0]


def soft_accuracy(scores, people, **options):
    return float(mean_known(soft_pairs(scores, people, **options).ravel()))


@given(sides())
def test_correlations_are_those_of_scipy(pair):
    for name in ("pearson", "spearman", "kendall"):
        found = as_value(getattr(coefficients, name)(*pair))
        np.testing.assert_allclose(found, agreement.correlation(name, *pair), atol=1e-11)
    expected = agreement.accuracy(*pair)
    np.testing.assert_allclose(
        coefficients.accuracy_each(*(side[None] for side in pair))[0], expected, atol=1e-11
    )


@given(sides(), st.sampled_from([0.0, 0.125, 0.25, 0.6]))
def test_pairs_are_counted(pair, epsilon):
    x, y = pair
    assert pair_counts_each(x[None], y[None], epsilon, 1).tolist() == oracle.pair_kinds(
        x, y, epsilon
    )


@given(st.data())
def test_drawn_pairs_leave_out_copies(data):
    size = data.draw(st.integers(2, 8))
    x = np.array(data.draw(st.lists(VALUES.filter(math.isfinite), min_size=size, max_size=size)))
    y = np.array(data.draw(st.lists(PEOPLE.filter(math.isfinite), min_size=size, max_size=size)))
    units = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    times = np.array([data.draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))], np.uint16)
    rows = np.repeat(np.arange(size), times[0][units])
    expected = [0] * 5
    for i, a in enumerate(rows):
        for b in rows[:i]:
            if a != b:
                for kind, one in enumerate(oracle.pair_kinds(x[[a, b]], y[[a, b]], 0.25)):
                    expected[kind] += one
    assert pairs_resampled(x, y, units, times, epsilon=0.25).tolist() == [expected]


@given(sides())
def test_ties_are_calibrated(pair):
    found, threshold = tie_calibrated_accuracy(*pair)
    expected = oracle.calibrated([pair])
    np.testing.assert_allclose(found, expected, atol=1e-11)
    if not math.isnan(found):
        assert oracle.with_ties(*pair, threshold + 1e-9) == pytest.approx(expected)


def test_ties_are_calibrated_by_hand():
    # People: a tie, then 2 above both. The metric is right on the two orders; calling
    # differences up to 1 tied makes all three right.
    assert tie_calibrated_accuracy([1, 2, 9], [1, 1, 2]) == (1.0, 1.0)
    # Nothing to win without ties of people: the smallest threshold is 0.
    assert tie_calibrated_accuracy([1, 2, 9], [1, 2, 3]) == (1.0, 0.0)
    assert math.isnan(tie_calibrated_accuracy([1], [1])[0])


def test_one_threshold_serves_all_groups_alike():
    rng = np.random.default_rng(5)
    for _ in range(20):
        groups = [(rng.integers(0, 9, n) / 8, rng.integers(0, 3, n) * 1.0) for n in (2, 4, 7)]
        x, y = (np.concatenate([one[side] for one in groups]) for side in (0, 1))
        best = tie_threshold(x, y, np.array([2, 4, 7], dtype=np.uint32), 2**22)
        found = oracle.mean_known([oracle.with_ties(*one, best) for one in groups])
        assert found == pytest.approx(oracle.calibrated(groups))


def test_a_sample_of_pairs_finds_nearly_the_same_threshold():
    rng = np.random.default_rng(6)
    quality = rng.normal(size=400)
    x, y = quality + 0.3 * rng.normal(size=400), np.round(quality)
    sizes = np.array([400], dtype=np.uint32)
    exact, sampled = (tie_threshold(x, y, sizes, limit) for limit in (10**6, 20_000))
    accuracy = [oracle.with_ties(x, y, one) for one in (0.0, exact, sampled)]
    assert accuracy[0] < accuracy[2] <= accuracy[1]
    assert accuracy[1] - accuracy[2] < 0.01
    assert tie_threshold(x, y, sizes, 20_000) == sampled


@given(st.lists(st.tuples(VALUES, VALUES), max_size=9))
def test_better_worse(pairs):
    better, worse = ([pair[side] for pair in pairs] for side in (0, 1))
    there = [pair for pair in pairs if not any(map(math.isnan, pair))]
    for ties in ("wrong", "neutral", "ignored"):
        found = better_worse_tau(better, worse, ties=ties)
        np.testing.assert_allclose(found, oracle.better_worse(there, ties), atol=1e-11)


def test_better_worse_by_hand():
    better, worse = [3, 2, 2, 1], [1, 1, 2, 2]  # right, right, tied, wrong
    assert better_worse_tau(better, worse) == 0.0  # (2 - 1 - 1) / 4
    assert better_worse_tau(better, worse, ties="neutral") == 0.25  # (2 - 1) / 4
    assert better_worse_tau(better, worse, ties="ignored") == pytest.approx(1 / 3)
    with pytest.raises(UsageError, match="ties must be"):
        better_worse_tau(better, worse, ties="for")


def test_wrong_shapes_are_refused():
    for function in (pearson, kendall):
        with pytest.raises(InputError, match="same length"):
            function([1, 2], [1, 2, 3])


# Krippendorff, Computing Krippendorff's alpha-reliability (2011): four observers, twelve units.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def as_array(judgements):
    return np.array([[NAN if v is None else v for v in one] for one in judgements], dtype=float)


def test_alpha_as_published():
    for measure, expected in (("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)):
        found = krippendorff_alpha(as_array(PUBLISHED), measure)
        assert round(found, 3) == expected


@given(
    st.lists(
        st.lists(st.sampled_from([1, 2, 3, 5, None]), min_size=5, max_size=5),
        min_size=2,
        max_size=4,
    )
)
def test_alpha_is_that_of_loops(judgements):
    for measure in ("nominal", "ordinal", "interval"):
        several = [u for u in zip(*judgements, strict=True) if sum(v is not None for v in u) > 1]
        expected = oracle.alpha(judgements, measure) if several else math.nan
        found = as_value(krippendorff_alpha(as_array(judgements), measure))
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_drawn_alpha_is_that_of_rows_repeated():
    judgements = as_array(PUBLISHED)
    times = np.random.default_rng(8).multinomial(12, np.full(12, 1 / 12), 5).astype(np.uint16)
    for measure in ("nominal", "ordinal", "interval"):
        expected = [
            as_value(krippendorff_alpha(judgements[:, np.repeat(np.arange(12), one)], measure))
            for one in times
        ]
        np.testing.assert_allclose(krippendorff_resampled(judgements, measure, times), expected)
    with pytest.raises(UsageError, match="measure must be"):
        krippendorff_alpha(judgements, "ratio")


def test_williams_as_published():
    # The manual of R's psych, r.test(n=103, r12=.4, r13=.5, r23=.1): t = -.89, p < .37.
    assert williams(0.4, 0.5, 0.1, 103) == pytest.approx(0.37, abs=0.006)
    assert williams(0.4, 0.5, 0.1, 103) == williams(0.5, 0.4, 0.1, 103)
    # By hand, n = 13: K = 1 - .25 - .01 - .25 + .05 = .54; the mean of r is .3;
    # t = .4 sqrt(12 * 1.5 / (2 * .54 * 12 / 10 + .09 * .125)) = 1.4842, 10 degrees of freedom.
    assert williams(0.5, 0.1, 0.5, 13) == pytest.approx(0.1686, abs=2e-4)
    assert williams(0.5, 0.5, 1.0, 13) == 1.0
    assert williams(0.9, 0.1, 0.1, 3) is None


def test_holm_by_hand():
    # Sorted .01 .02 .03 .04: times 4 3 2 1 = .04 .06 .06 .04, never falling.
    p = {"a": 0.04, "b": 0.01, "c": 0.03, "d": 0.02}
    assert holm(p) == {"a": 0.06, "b": 0.04, "c": 0.06, "d": 0.06}
    assert holm({"a": 0.7, "b": 0.6}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


@pytest.mark.parametrize("name", ["pearson", "kendall"])
def test_permutations_are_those_of_all_exchanges(name):
    rng = np.random.default_rng(9)
    z = rng.normal(size=9)
    x, y = z + rng.normal(size=9), z + 2 * rng.normal(size=9)
    x, y = ((side - side.mean()) / side.std() for side in (x, y))
    each = {"pearson": pearson, "kendall": kendall}[name]

    def coefficient(tables):
        return np.array([as_value(each(one, z)) for one in tables])

    exact = oracle.perm_both(x, y, z, lambda a, b: agreement.correlation(name, a, b))
    found = permutation_test(x, y, coefficient, trials=3000, seed=0).p
    assert found == pytest.approx(exact, abs=0.04)
    assert found == permutation_test(5 * x + 2, y, coefficient, trials=3000, seed=0).p


def test_coins_are_fair_and_of_the_seed():
    blocks = list(swaps(700, 3000, 0))
    assert len(blocks) > 1  # blocks do not show
    coins = np.vstack(blocks)
    assert coins.shape == (700, 3000)
    assert abs(coins.mean() - 0.5) < 0.002
    assert not (np.vstack(list(swaps(700, 3000, 1))) == coins).all()


def test_p_of_draws():
    assert bootstrap_test(np.linspace(-1, 1, 999)).p == 1.0
    assert bootstrap_test(np.ones(999)).p == 0.002
    assert bootstrap_test(np.array([NAN, 1.0])) is None


def test_soft_accuracy_is_that_of_all_permutations():
    rng = np.random.default_rng(10)
    people = rng.normal(size=(4, 8)) + np.arange(4)[:, None] / 2
    scores = people + rng.normal(size=(4, 8))
    expected = oracle.soft_accuracy(scores.tolist(), people.tolist())
    assert soft_accuracy(scores, people, trials=20_000) == pytest.approx(expected, abs=0.01)
    assert soft_accuracy(people, people) == 1.0
    # People have A far above B and the metric B far above A: p is near 0 and near 1.
    assert soft_accuracy(-10 * people[[0, 3]], 10 * people[[0, 3]]) < 0.1


def test_soft_accuracy_takes_shared_segments_and_any_order_of_systems():
    rng = np.random.default_rng(11)
    people = rng.normal(size=(3, 40))
    scores = people + rng.normal(size=(3, 40))
    whole = soft_accuracy(scores, people)
    turned = soft_accuracy(scores[::-1], people[::-1])
    assert turned == pytest.approx(whole, abs=1e-12)
    lacking = scores.copy()
    lacking[0, 30:] = NAN
    pairs = soft_pairs(lacking, people)
    assert pairs[1, 2] == soft_pairs(scores, people)[1, 2]
    assert pairs[0, 1] != soft_pairs(scores, people)[0, 1]
    assert np.isnan(soft_accuracy(scores[:1], people[:1]))
    assert np.isnan(soft_accuracy(scores * NAN, people))
    assert np.isnan(soft_accuracy(scores, people * 0 + 3))
    assert np.isnan(
        soft_accuracy_resampled(
            scores, people * 0 + 3, np.ones((1, people.shape[1])), np.ones((1, len(people)))
        )[0]
    )


def test_drawn_soft_accuracy_is_near_the_permutations():
    rng = np.random.default_rng(12)
    people = rng.normal(size=(5, 200)) + np.arange(5)[:, None] / 8
    scores = people + rng.normal(size=(5, 200))
    drawn = soft_accuracy_resampled(scores, people, np.ones((1, 200)), np.ones((1, len(scores))))
    assert drawn[0] == pytest.approx(soft_accuracy(scores, people, trials=20_000), abs=0.005)


def test_kernels_do_not_depend_on_threads():
    rng = np.random.default_rng(13)
    x, y = rng.integers(0, 40, 300) / 64, rng.integers(0, 9, 300) * 1.0
    times = rng.integers(0, 4, (57, 100)).astype(np.uint16)
    units = np.arange(300) % 100
    for function in (
        lambda threads: with_ties(
            pairs_resampled(x, y, units, times, epsilon=0.05, threads=threads)
        ),
        lambda threads: spearman_resampled(x, y, units, times, threads=threads),
        lambda threads: pair_counts_each(x.reshape(30, 10), y.reshape(30, 10), 0.1, threads),
    ):
        assert function(1).tobytes() == function(5).tobytes()


def test_counts_of_a_large_set_are_those_of_a_matrix():
    rng = np.random.default_rng(14)
    x, y = rng.integers(0, 500, 1500) / 512, rng.integers(0, 30, 1500).astype(np.uint32)
    once = np.ones((1, 1500), dtype=np.uint16)
    found = pair_counts(x, y, np.arange(1500, dtype=np.uint32), once, 0.01, 1)
    gaps, order = x[:, None] - x[None], np.sign(y[:, None] - y[None].astype(int))
    signs = np.where(np.abs(gaps) <= 0.01, 0, np.sign(gaps))
    upper = np.triu_indices(1500, 1)
    signs, order = signs[upper], order[upper]
    expected = [
        ((signs == order) & (signs != 0)).sum(),
        ((signs == -order) & (signs != 0)).sum(),
        ((signs == 0) & (order != 0)).sum(),
        ((signs != 0) & (order == 0)).sum(),
        ((signs == 0) & (order == 0)).sum(),
    ]
    assert found.tolist() == expected
