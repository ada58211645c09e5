"""The gaming benchmark: attacks are what they say, and mere difference does not pass them all."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from bench.gaming import (
    KINDS,
    PADDED,
    PROPOSALS,
    Good,
    attacks,
    best_rated,
    edits,
    metric_scorer,
    withstood,
)

from otherwords.stats.resampling import Stream

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from changes import folded

GOOD = [
    Good("ours", "Ann sold two old cars.", "Two used vehicles were bought from Ann."),
    Good("ours", "It is not cold in Rome.", "Rome is warm."),
]


def test_every_kind_attacks_the_original_and_the_paraphrase() -> None:
    made = attacks(GOOD)
    sides = [f"{kind} {side}" for kind in KINDS for side in ("original", "paraphrase")]
    assert [attack.name for attack in made] == [*sides, *PADDED, "unrelated"]
    for attack in made:
        assert len(attack.places) == len(attack.texts)
        for place, text in zip(attack.places, attack.texts, strict=True):
            given = GOOD[place].paraphrase if "paraphrase" in attack.name else GOOD[place].original
            assert folded(text) != folded(given)
    by_name = {attack.name: attack for attack in made}
    assert by_name["unrelated"].texts == [GOOD[1].original, GOOD[0].original]
    assert by_name["number original"].places == [0]
    assert by_name["negated original"].texts[1] == "It is cold in Rome."


def test_difference_and_overlap_each_lose_where_they_must() -> None:
    """PINC prefers unrelated text to every paraphrase, chrF a doubled original."""
    made = {attack.name: attack for attack in attacks(GOOD)}
    for metric, attack in (("pinc", "unrelated"), ("chrf", "repeated original")):
        scorer = metric_scorer(metric)
        won = scorer([one.paraphrase for one in GOOD], [one.original for one in GOOD])
        assert not withstood(scorer, GOOD, made[attack], won).any()


def test_a_tie_is_a_loss() -> None:
    def flat(texts, originals):
        return np.zeros(len(texts))

    [first, *_] = attacks(GOOD)
    assert not withstood(flat, GOOD, first, np.zeros(len(GOOD))).any()


def test_edits_are_the_same_every_time() -> None:
    made = edits("Ann sold cars .", ["red", "Rome"], Stream(0))
    assert made == edits("Ann sold cars .", ["red", "Rome"], Stream(0))
    assert len(made) == PROPOSALS
    assert edits("", ["red"], Stream(0)) == []


@pytest.mark.data
def test_the_best_candidates_are_good_and_no_copies() -> None:
    good, absent = best_rated("paraphrase/shakespeare-dev")
    assert len(good) + absent == 99  # originals of the set
    assert all(folded(one.original) != folded(one.paraphrase) for one in good)
