"""The sentence that a report begins with, from tests made by hand."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import otherwords
from otherwords.corpus.rows import Row
from otherwords.stats.intervals import Resampling
from otherwords.stats.significance import Family, FamilyTest
from otherwords.study.report import build
from otherwords.study.report.data import Standing
from otherwords.study.report.verdict import describe, name_leader
from otherwords.tables.table import interval_decimals


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


def words(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_example_of_the_issue():
    """Best first, and who is level with it, by which metric."""
    scores = {"Facebook-AI": 9.0, "Online-A": 8.8, "Online-W": 5.0}
    metrics = standing("maxsim", scores, 1), standing("chrf", scores, 0.1)
    assert name_leader(metrics) == "Facebook-AI leads by chrf; level with Online-A by maxsim."


def test_one_is_worse_than_all_others():
    both = standing("otherwords-mt", EIGHT, 2), standing("chrf", EIGHT, 2)
    assert name_leader(both) == "Online-W is worst; the other seven are level."


def test_nobody_stands_out():
    assert name_leader([standing("chrf", EIGHT, 9)]) == "The eight systems are level by chrf."
    two = {"a": 1.0, "b": 2.0}
    assert name_leader([standing("chrf", two, 9)]) == "b and a are level by chrf."


def test_one_is_better_than_all_others():
    scores = {"a": 9.0, "b": 5.0, "c": 4.9, "d": 4.8}
    many = [standing(name, scores, 1) for name in ("bleu", "chrf", "ter")]
    assert name_leader(many) == "a leads by all three metrics."
    assert words(describe(many[0])) == "a is first, better than b, c and d (p < .01)"


def test_a_leader_that_is_level_with_many():
    scores = {f"s{n}": 9 - n / 10 for n in range(6)} | {"z": 1.0, "y": 8.95}
    said = name_leader([standing("bleu", scores, 0.35), standing("chrf", scores, 0.25)])
    assert said == "s0 leads; level with four others by bleu; level with three others by chrf."
    scores = {"a": 9.0, "b": 8.8, "c": 5.0, "d": 4.9}
    assert words(describe(standing("bleu", scores, 1))) == (
        "a is first, better than c and d (p < .01), level with b"
    )


def test_metrics_that_disagree():
    one = standing("maxsim", {"a": 9.0, "b": 7.0}, 1)
    other = standing("chrf", {"a": 5.0, "b": 9.0}, 1)
    level = standing("bleu", {"a": 5.0, "b": 5.1}, 1)
    assert name_leader([one, other]) == "a leads by maxsim; b leads by chrf."
    assert name_leader([one, level]) == "a leads by maxsim; level with b by bleu."


def test_a_headline_has_at_most_twenty_words():
    """Metrics without end, each with another set of systems that are level."""
    scores = {f"S{n}": 20 - n for n in range(12)}
    many = [standing(f"metric-{n}", scores, n + 0.5) for n in range(9)]
    assert 5 < len(name_leader(many).split()) <= 20


def test_lower_is_better():
    scores = {"a": 0.9, "b": 0.3}
    test = FamilyTest(0.6, 0.001, 0.001, 1000)
    ter = Standing("ter", ["b", "a"], Family(scores, {("a", "b"): test}, 0.05, "bootstrap"), False)
    assert name_leader([ter]) == "b leads by ter."
    assert ter.groups == [["b"], ["a"]]


def test_one_system_has_a_verdict_too():
    """What people say of the metrics or, without people, how the scores are spread."""
    texts = ["the old man", "the old dog", "a dog runs", "xyz"]
    rows = [
        Row(text, ("the old man",), item=str(n), human={"da": 9.0 - n})
        for n, text in enumerate(texts)
    ]
    few = Resampling(resamples=20)
    judged = build(rows, ["chrf", "ter"], "da", resampling=few).verdict
    assert re.fullmatch(r"(chrf|ter) agrees best with da: Pearson 0.\d\d over 4 segments.", judged)
    spread = build(rows, ["chrf"], resampling=few)
    scores = [otherwords.score("chrf", [text], ["the old man"]).segments[0] for text in texts]
    low, middle, high = (f"{value:.1f}" for value in np.percentile(scores, [25, 50, 75]))
    assert spread.verdict == (
        f"By chrf, half of the 4 segments score {low} to {high}; the median is {middle}."
    )
    assert "spread-chrf" in [plot.name for plot in spread.plots]


@pytest.mark.parametrize(
    ("halves", "decimals"),
    [([2.285], 1), ([0.0229], 3), ([0.5], 2), ([12.0, 30.0], 0), ([1e-9], 6), ([], None)],
)
def test_digits_of_an_interval(halves, decimals):
    """Two digits of the half interval: 77.2 ± 2.3, .772 ± .023."""
    assert interval_decimals((0.0, -half, half) for half in halves) == decimals
