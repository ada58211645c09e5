"""PRÉCIS against its definition."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import otherwords
from otherwords.errors import UsageError
from otherwords.metrics.precis import Precis
from tests.oracles import precis as oracle

WORDS = st.lists(st.sampled_from("abc"), min_size=4, max_size=9)
LONG = "the people want their king to step down from the throne today".split()
SHORT = "the people want the king to step down".split()  # 8 of 12 words


def precis(candidate, references, source, **options):
    return otherwords.metric("precis", **options).score_one(candidate, references, source)


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4),
    st.none() | st.floats(0, 2),
    st.floats(0, 10),
)
def test_it_is_bleu_and_a_penalty(rows, target, severity):
    candidates, references, sources = zip(*rows, strict=True)
    wanted = oracle.precis(candidates, references, sources, target, severity)
    metric = Precis(target=target, severity=severity, tokenizer="none")
    sides = [[" ".join(words) for words in side] for side in (candidates, references, sources)]
    found = metric.aggregate(metric.statistics(*sides))
    if wanted:  # sacreBLEU smooths orders without a match, the definition does not
        assert found == pytest.approx(wanted)


def test_within_the_target_it_is_bleu():
    text = [" ".join(SHORT)], [" ".join(SHORT)], [" ".join(LONG)]
    for target in (None, 8 / 12, 0.9):
        metric = Precis(target=target)
        assert metric.aggregate(metric.statistics(*text)) == pytest.approx(100)


def test_each_ninth_of_the_source_too_much_costs_as_much_again():
    # The ratio is 1, the target 2/3: exp(5 (2/3 - 1)); BLEU of a copy against itself is 100.
    whole = " ".join(LONG)
    assert precis(whole, whole, whole, target=2 / 3) == pytest.approx(100 * math.exp(-5 / 3))
    assert precis(whole, whole, whole, target=2 / 3, severity=0) == pytest.approx(100)


def test_without_a_target_the_reference_sets_it():
    # BLEU of the longer text is what it is; 12/12 words against 8/12 wanted.
    bleu = otherwords.score("bleu", [" ".join(LONG)], references=[" ".join(SHORT)], case=False)
    found = otherwords.score(
        "precis", [" ".join(LONG)], references=[" ".join(SHORT)], sources=[" ".join(LONG)]
    )
    assert found.corpus == pytest.approx(bleu.corpus * math.exp(5 * (8 / 12 - 1)))
    assert found.segments[0] == pytest.approx(bleu.segments[0] * math.exp(5 * (8 / 12 - 1)))


def test_an_empty_source_cannot_be_made_shorter():
    assert precis("a b c d", "a b c d", "") == 0
    assert precis("", "a", "") == 0


def test_options_are_checked_and_signed():
    assert "|target:0.75|severity:5|" in Precis(target=0.75).signature
    assert "|target:reference|" in Precis().signature
    for options in ({"target": -1}, {"severity": float("nan")}, {"target": "much"}):
        with pytest.raises(UsageError):
            Precis(**options)
    with pytest.raises(UsageError, match="precis needs sources"):
        otherwords.score("precis", ["a"], references=["a"])
