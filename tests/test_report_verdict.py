"""The sentence that a report begins with, from tests made by hand."""

from __future__ import annotations

from itertools import combinations

import pytest

from otherwords.stats.significance import Family, FamilyTest
from otherwords.study.report.data import Standing
from otherwords.study.report.page import interval_decimals
from otherwords.study.report.verdict import sentence


def standing(label: str, scores: dict[str, float], apart: float, p: float = 0.004) -> Standing:
    """Systems that differ if their scores are at least so far apart."""
    tests = {
        (one, other): FamilyTest(gap, q := p if abs(gap) >= apart else 0.5, q, 1000)
        for one, other in combinations(scores, 2)
        for gap in [scores[one] - scores[other]]
    }
    order = sorted(scores, key=lambda name: -scores[name])
    return Standing(label, order, Family(scores, tests, 0.05, "bootstrap"))


EIGHT = {"Online-W": 1.0} | {f"S{n}": 5 + n / 10 for n in range(7)}


def said(*standings: Standing, who: str = " by ") -> str:
    names = list(standings[0].names)
    return sentence(standings, names, who).replace("\N{NO-BREAK SPACE}", " ")


def test_one_is_worse_than_all_others():
    """The example of the issue."""
    both = standing("otherwords-mt", EIGHT, 2), standing("chrf", EIGHT, 2)
    assert said(*both) == (
        "Online-W is worse than all seven others by otherwords-mt and chrf (p < .01); "
        "the other seven do not differ significantly."
    )


def test_nobody_stands_out():
    assert said(standing("chrf", EIGHT, 9)) == "the eight systems do not differ significantly."


def test_one_is_better_than_all_others():
    scores = {"a": 9.0, "b": 5.0, "c": 4.9, "d": 4.8}
    assert said(standing("bleu", scores, 1, p=0.0002)) == (
        "a is better than all three others by bleu (p < .001); "
        "the other three do not differ significantly."
    )


def test_a_leader_that_is_not_significantly_better_than_some():
    scores = {"a": 9.0, "b": 8.8, "c": 5.0, "d": 4.9}
    assert said(standing("bleu", scores, 1)) == (
        "a is first by bleu, better than c and d (p < .01) but not significantly better than b."
    )


def test_metrics_that_disagree_are_named_apart():
    one = standing("maxsim", {"a": 9.0, "b": 5.0}, 1, p=0.04)
    other = standing("chrf", {"a": 5.0, "b": 5.1}, 1)
    assert said(one, other) == (
        "a is better than b by maxsim (p < .05); by chrf the two do not differ significantly."
    )
    swapped = standing("chrf", {"a": 5.0, "b": 9.0}, 1, p=0.04)
    assert said(one, swapped) == (
        "a is better than b by maxsim (p < .05); b is better than a by chrf (p < .05)."
    )


def test_of_the_rest_one_is_better():
    scores = {"a": 9.0, "b": 7.0, "c": 5.0, "d": 3.0}
    assert said(standing("bleu", scores, 1), who="") == (
        "a is better than all three others (p < .01); d is worse than all three others (p < .01); "
        "of the other two, b is better than c (p < .01)."
    )


def test_lower_is_better():
    scores = {"a": 0.9, "b": 0.3}
    test = FamilyTest(0.6, 0.001, 0.001, 1000)
    ter = Standing("ter", ["b", "a"], Family(scores, {("a", "b"): test}, 0.05, "bootstrap"), False)
    assert said(ter) == "b is better than a by ter (p < .01)."
    assert ter.groups == [["b"], ["a"]]


@pytest.mark.parametrize(
    ("halves", "decimals"),
    [([2.285], 1), ([0.0229], 3), ([0.5], 2), ([12.0, 30.0], 0), ([1e-9], 6), ([], None)],
)
def test_digits_of_an_interval(halves, decimals):
    """Two digits of the half interval: 77.2 ± 2.3, .772 ± .023."""
    assert interval_decimals((0.0, -half, half) for half in halves) == decimals
