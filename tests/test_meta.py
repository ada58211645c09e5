from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import otherwords
from otherwords import InputError, UsageError
from otherwords.stats.coefficients import pearson
from otherwords.stats.intervals import bootstrap, interval, sum_documents
from otherwords.stats.resampling import resample
from otherwords.stats.significance import compare

BLEU = otherwords.metric("bleu")
PINC = otherwords.metric("pinc")  # any metric that is a mean of its first column


def means(values):
    return np.column_stack([values, np.ones(len(values))])


def test_resampling_is_uniform_and_seeded():
    draws = np.concatenate(list(resample(10, 5000, seed=0)))
    counts = np.bincount(draws, minlength=10)
    assert scipy.stats.chisquare(counts).pvalue > 1e-4
    first, again, other = (next(resample(50, 1, seed=s)).tolist() for s in (0, 0, 1))
    assert first == again != other


def test_interval_covers_the_truth():
    # 95 % intervals of the mean of 60 normal values, 400 times: about 380 hold the truth.
    values = np.random.default_rng(1).normal(0.5, 0.1, (400, 60))
    inside = 0
    for trial in values:
        around = interval(PINC.corpus_scores, means(trial), resamples=300)
        inside += around.low <= 0.5 <= around.high
    assert 0.90 < inside / 400 < 0.98


def test_interval_width_is_that_of_the_normal_approximation():
    values = np.random.default_rng(2).normal(0.5, 0.1, 500)
    around = interval(PINC.corpus_scores, means(values), resamples=2000)
    expected = 2 * 1.96 * values.std() / np.sqrt(500)
    assert around.high - around.low == pytest.approx(expected, rel=0.1)


def test_documents_are_kept_together():
    statistics = means(np.array([0.0, 0.0, 1.0, 1.0]))
    docs = ["a", "a", "b", "b"]
    scores = set(bootstrap(PINC.corpus_scores, statistics, resamples=200, docs=docs))
    assert scores == {0.0, 0.5, 1.0}  # never a quarter
    with pytest.raises(InputError, match="4 segments but 3 document ids"):
        sum_documents(statistics, docs[:3])


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_error_of_the_first_kind_is_five_percent(test):
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(300):
        common = rng.normal(size=50)
        a, b = (means(common + rng.normal(size=50)) for _ in range(2))
        rejected += compare(PINC.corpus_scores, a, b, test=test, trials=200).p < 0.05
    assert rejected / 300 < 0.09


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_real_differences_are_found_and_signed(test):
    rng = np.random.default_rng(4)
    base = rng.normal(size=100)
    better = compare(PINC.corpus_scores, means(base + 1), means(base), test=test)
    assert better.difference == pytest.approx(1.0)
    assert better.p == pytest.approx(1 / 1001)
    assert compare(PINC.corpus_scores, means(base), means(base), test=test).p == 1.0


def test_randomization_equals_all_swaps():
    # Five segments: the exact two-sided p over all 2^5 swaps is the limit.
    gaps = np.array([0.3, -0.1, 0.4, 0.2, 0.25])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 5)).reshape(5, -1).T
    exact = np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()) - 1e-12)
    found = compare(
        PINC.corpus_scores, means(gaps), means(np.zeros(5)), test="randomization", trials=20000
    ).p
    assert found == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize(("test", "theirs"), [("bootstrap", "bs"), ("randomization", "ar")])
def test_paired_tests_agree_with_sacrebleu(test, theirs):
    """Other random numbers, so p-values within their sampling error."""
    from sacrebleu.metrics import bleu as sacre
    from sacrebleu.significance import PairedTest

    rng = np.random.default_rng(5)
    words = "the a cat dog sat ran on under mat tree big small".split()
    reference, noise, other = ([rng.choice(words, 12) for _ in range(80)] for _ in range(3))
    systems = [
        [" ".join([*r[:keep], *n[keep:]]) for r, n in zip(reference, wrong, strict=True)]
        for keep, wrong in ((7, noise), (6, other))
    ]
    lines = [" ".join(r) for r in reference]
    named = [("base", systems[1]), ("system", systems[0])]
    _, scores = PairedTest(
        named, {"BLEU": sacre.BLEU(force=True)}, [lines], test_type=theirs, n_samples=3000
    )()
    rows = [BLEU.statistics(system, lines) for system in systems]
    ours = compare(BLEU.corpus_scores, rows[0], rows[1], test=test, trials=3000)
    assert ours.p == pytest.approx(scores["BLEU"][1].p_value, abs=0.03)


def test_seed_zero_is_a_seed():
    rows = means(np.random.default_rng(7).normal(size=40))
    assert interval(PINC.corpus_scores, rows, seed=0) == interval(PINC.corpus_scores, rows, seed=0)
    assert interval(PINC.corpus_scores, rows, seed=0) != interval(PINC.corpus_scores, rows, seed=1)


def test_large_seeds_are_not_rounded():
    first, second = (next(resample(50, 1, seed=2**53 + k)).tolist() for k in (0, 1))
    assert first != second


def test_bad_requests():
    rows = means(np.zeros(3))
    with pytest.raises(UsageError, match="resamples must be"):
        interval(PINC.corpus_scores, rows, resamples=0)
    with pytest.raises(UsageError, match="resamples must be"):
        interval(PINC.corpus_scores, rows, resamples="3")
    with pytest.raises(UsageError, match="confidence must be"):
        interval(PINC.corpus_scores, rows, confidence=float("nan"))
    with pytest.raises(UsageError, match="seed must be"):
        interval(PINC.corpus_scores, rows, seed=-1)
    with pytest.raises(InputError, match="3 segments of one system, 2 of the other"):
        compare(PINC.corpus_scores, rows, rows[:2])


def test_pearson_equals_scipy():
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(2, 100))
    assert pearson(x, y) == pytest.approx(scipy.stats.pearsonr(x, y).statistic)
    missing = y.copy()
    missing[::7] = np.nan
    keep = np.isfinite(missing)
    assert pearson(x, missing) == pytest.approx(scipy.stats.pearsonr(x[keep], y[keep]).statistic)
    assert pearson(x, np.ones(100)) is None
    assert pearson(x[:1], y[:1]) is None


def test_pearson_of_values_that_differ_by_rounding_alone():
    # (0.1 + 0.1 + 0.1) / 3 is not 0.1, and a mean is what system scores are.
    constant = np.array([0.1, (0.1 + 0.1 + 0.1) / 3, 0.1])
    assert len(set(constant)) == 2
    assert pearson(constant, np.array([1.0, 2.0, 3.0])) is None


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_pearson_of_tiny_and_huge_values(size):
    x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    assert pearson(x * size, y) == pytest.approx(0.5)
    assert pearson(x, -y * size) == pytest.approx(-0.5)
