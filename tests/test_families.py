"""Families of paired tests: resolution, correction, agreement with the single test."""

from __future__ import annotations

import numpy as np
import pytest

from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import MeanMetric, Traits
from otherwords.scoring.sampling import Sampling, find_clusters
from otherwords.scoring.stream import SystemScores
from otherwords.stats.intervals import interval
from otherwords.stats.significance import clusters, compare, compare_family, trials_for


def mean(sums):
    return sums[:, 0] / sums[:, 1]


def rows(values):
    return np.column_stack([values, np.ones(len(values))])


def systems(shifts, size=200, seed=1):
    generator = np.random.default_rng(seed)
    difficulty = generator.normal(size=size)
    return {
        f"s{place:02}": rows(difficulty + shift + generator.normal(0, 0.5, size))
        for place, shift in enumerate(shifts)
    }


def test_one_pair_is_the_single_bootstrap():
    two = systems([0, 0.05])
    family = compare_family(mean, two, trials=500)
    [found] = family.tests.values()
    single = compare(mean, two["s00"], two["s01"], trials=500)
    assert (found.p, found.difference) == (single.p, single.difference)
    assert found.adjusted == round(found.p, 12)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_one_bad_system_of_nineteen_is_found(test):
    # 171 pairs: with 1,000 trials the smallest corrected p would be 171 / 1001 = .171.
    family = compare_family(mean, systems([0] * 18 + [-1]), test=test)
    worst = [family.between(f"s{place:02}", "s18") for place in range(18)]
    assert all(found.differs(0.05) and found.difference > 0 for found in worst)
    assert clusters(family)[-1] == ["s18"]
    others = [found for pair, found in family.tests.items() if "s18" not in pair]
    assert sum(found.differs(0.05) for found in others) <= 1


def test_clear_pairs_get_no_more_trials():
    family = compare_family(mean, systems([0, 0, 0, -2]), trials=100, trials_max=100_000)
    same = family.tests["s00", "s01"]
    assert family.tests["s00", "s03"].trials == trials_for(6, 0.05, 100, 100_000) == 480
    assert same.trials <= family.tests["s00", "s03"].trials


def test_what_too_few_trials_cannot_resolve_is_said():
    family = compare_family(mean, systems([0] * 10 + [-3]), trials=100, trials_max=100)
    found = family.tests["s00", "s10"]
    assert found.is_floor
    assert found.is_unresolved(0.05)
    assert not found.differs(0.05)


def test_exchanged_names_change_the_sign_alone():
    two = systems([0, 0.2])
    one = compare_family(mean, two, [("s00", "s01")]).tests["s00", "s01"]
    other = compare_family(mean, two, [("s01", "s00")]).tests["s01", "s00"]
    assert (one.p, one.difference) == (other.p, -other.difference)


def test_documents_are_resampled_together():
    two = systems([0, 0.5], size=40)
    assert compare_family(mean, two).tests["s00", "s01"].differs(0.05)
    docs = [str(place // 10) for place in range(40)]
    # Four documents favour one side by luck in 2 of 16 cases.
    assert compare_family(mean, two, docs=docs).tests["s00", "s01"].p == 2 / 16


def test_two_segments_prove_nothing():
    two = {"a": rows(np.array([1.0, 1.0])), "b": rows(np.array([0.0, 0.0]))}
    assert compare_family(mean, two).tests["a", "b"].p == 0.5


def test_wrong_input():
    with pytest.raises(InputError, match="different numbers of segments"):
        compare_family(mean, {"a": rows([1.0]), "b": rows([1.0, 2.0])})
    with pytest.raises(UsageError, match="unknown test"):
        compare_family(mean, systems([0, 0]), test="t")
    with pytest.raises(UsageError, match="level"):
        compare_family(mean, systems([0, 0]), level=2)


def test_single_and_family_randomization_agree():
    two = systems([0, 0.05])
    [found] = compare_family(mean, two, trials=500, test="randomization").tests.values()
    assert found.p == compare(mean, two["s00"], two["s01"], trials=500, test="randomization").p


def test_a_pair_is_tested_on_the_segments_of_both():
    three = systems([0, 0.3, 0.3])
    easy = three["s01"].copy()
    easy[three["s01"][:, 0] < 0.5] = np.nan  # this system has its best segments alone
    both = np.isfinite(easy).all(axis=1)
    family = compare_family(mean, {**three, "s01": easy})
    found = family.tests["s00", "s01"]
    assert found.size == both.sum() < 200 == family.tests["s00", "s02"].size
    single = compare(mean, three["s00"][both], easy[both])
    assert (found.p, found.difference) == (single.p, single.difference)
    assert family.tests["s00", "s02"].p == compare(mean, three["s00"], three["s02"]).p


def test_systems_without_a_common_segment_are_not_tested():
    one, other = (np.array([[1.0, 1], [1, 1], [1, 1], [1, 1]]) for _ in range(2))
    one[:2], other[2:] = np.nan, np.nan
    family = compare_family(mean, {"a": one, "b": other})
    assert family.between("a", "b") is None
    assert family.scores == {"a": 1.0, "b": 1.0}


@pytest.mark.parametrize(("size", "least"), [(2, 0.90), (5, 0.92), (10, 0.92), (30, 0.92)])
def test_intervals_of_few_segments(size, least):
    """95 % intervals of the mean of normal values: percentiles hold .49, .83, .90 of the means."""
    generator = np.random.default_rng(8)  # Student's interval holds .96 of these means
    held = 0
    for _ in range(400):
        values = generator.normal(size=size)
        around = interval(mean, np.column_stack([values, np.ones(size)]), resamples=400)
        held += around.low <= 0 <= around.high
    assert held / 400 >= least


def test_clusters_of_few_equal_systems():
    """The bootstrap split three equal systems of eight segments in 12 to 17 % of all runs."""
    split = 0
    for run in range(400):
        scores = np.random.default_rng(run).normal(size=(3, 8))
        three = {
            name: SystemScores(
                name,
                {"m": np.column_stack([mine, np.ones(8)])},
                items=(keys := [str(n) for n in range(8)]),
                keys=keys,
                docs=None,
                hashes=[0] * 8,
            )
            for name, mine in zip("abc", scores, strict=True)
        }
        [found] = find_clusters({"m": Mean()}, list(three.values()), SAMPLING).values()
        split += len(found.groups) > 1
    assert split / 400 <= 0.08


SAMPLING = Sampling(test="bootstrap", resamples=200, resamples_max=300)


class Mean(MeanMetric):
    name = "mean"
    traits = Traits(0.0, 1.0)
    columns = ("score", "segments")

    def signature_parts(self):
        return {}

    def compute(self, segments, threads):
        raise NotImplementedError
