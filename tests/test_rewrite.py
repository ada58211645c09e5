"""`otherwords-rewrite`: the form of the join, and what it must and must not reward."""

from __future__ import annotations

import numpy as np
import pytest

import otherwords
from otherwords.errors import ModelError, UsageError
from otherwords.metrics.fluency import FluencyModel
from otherwords.metrics.rewrite import Join, Measured, RewriteFeatures
from otherwords.models import container
from otherwords.models.container import embedded

ORIGINAL = "The committee approved the budget after a long debate."
RIGHT = "Following lengthy discussion, the panel passed the budget."
JOIN = Join(alpha=0.5, beta=0.3, slack=4.0, sharpness=2.0, reward=0.5, provenance={})


def measured(meaning=1.0, lost=0.0, difference=1.0):
    columns = np.broadcast_arrays(*map(np.atleast_1d, (meaning, 0.5, lost, difference)))
    return Measured(*(np.asarray(column, float) for column in columns))


def overall(*rewrites, **options):
    sources = [ORIGINAL] * len(rewrites)
    return otherwords.score("otherwords-rewrite", list(rewrites), sources=sources, **options)


def test_the_form():
    """M ** alpha * F * (c + (1 - c) D ** (2 r beta)), with c = (1 - r) ** 2."""
    fluent = (1 + np.exp(-2 * 4.0)) / (1 + np.exp(-2 * (4.0 - 3.0)))
    expected = 0.25**0.5 * fluent * (0.25 + 0.75 * 0.5**0.3)
    assert JOIN.score(measured(0.25, -3.0, 0.5)) == pytest.approx([expected])


@pytest.mark.parametrize(("reward", "share"), [(0.0, 1.0), (0.5, 0.25), (1.0, 0.0)])
def test_what_a_copy_is_worth(reward, share):
    """A quarter of the scale by default: PEM §5.1 gives copies 2 on the scale of 1 to 5."""
    assert JOIN.score(measured(difference=0.0), reward) == pytest.approx([share])
    assert overall(ORIGINAL, reward_difference=reward).segments == pytest.approx([share])


@pytest.mark.parametrize("part", ["meaning", "lost", "difference"])
def test_the_score_rises_with_each_part(part):
    low, high = (0.2, 0.9) if part != "lost" else (-5.0, -1.0)
    assert JOIN.score(measured(**{part: high})) > JOIN.score(measured(**{part: low}))


def test_a_fluent_text_loses_little_and_a_salad_nearly_all():
    salad = "budget the passed Following panel discussion lengthy the."
    texts = [RIGHT, "The panel passed the budget after much discussion.", salad]
    first, second, last = JOIN.factors(RewriteFeatures().measure(texts, [ORIGINAL] * 3))["fluency"]
    assert min(first, second) > 0.98
    assert last < 0.02


def test_a_likely_text_is_not_held_against_a_likelier_original():
    found = RewriteFeatures().measure([RIGHT], [ORIGINAL])
    right, original = FluencyModel.open().logits([RIGHT, ORIGINAL])
    assert right < original
    assert found.fluency > 0.5
    assert found.lost.tolist() == [0.0]


def test_a_text_like_its_original_loses_nothing():
    """A telegram may answer a telegram."""
    original = "ARRIVE MONDAY STOP MEET TRAIN STOP"
    found = RewriteFeatures().measure([original], [original])
    assert found.lost.tolist() == [0.0]


def test_padding_and_truncation_earn_nothing():
    """A copy with a preface, an echo, or half of a text has no difference."""
    padded = (
        f"In other words: {ORIGINAL}",
        f"{ORIGINAL[:-1]}, as they say.",
        "The committee approved the budget.",
    )
    sources = [ORIGINAL] * len(padded)
    different = otherwords.score("difference", list(padded), sources=sources).segments
    assert different == pytest.approx([0.0, 0.0, 0.0])
    copy, *others = overall(ORIGINAL, *padded).segments
    assert all(score <= copy for score in others)


def test_a_rewrite_is_above_a_copy_and_a_wrong_text():
    right, copy, wrong = overall(
        RIGHT, ORIGINAL, "Following lengthy discussion, the panel rejected the budget."
    ).segments
    assert right > copy
    assert right > wrong


def test_parts_are_shown():
    explained = overall(RIGHT).explain(0)
    assert set(explained.details["factors"]) == {"meaning", "fluency", "difference"}
    assert explained.components["overall"] == pytest.approx(
        np.prod(list(explained.details["factors"].values())), abs=1e-3
    )


def test_wrong_options():
    with pytest.raises(UsageError, match="reward_difference must be a number from 0 to 1, not 2"):
        otherwords.metric("otherwords-rewrite", reward_difference=2)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_damaged_joins_are_refused(tmp_path, value):
    model = container.read(embedded("otherwords-rewrite"))
    numbers = np.array(model.arrays["join"], copy=True)
    numbers[0] = value
    path = tmp_path / "join.owm"
    container.write(path, model.kind, {**model.arrays, "join": numbers}, model.provenance)
    with pytest.raises(ModelError, match="the join is damaged"):
        otherwords.metric("otherwords-rewrite", join=path)


def test_a_join_is_written_and_read(tmp_path):
    path = tmp_path / "join.owm"
    JOIN.save(path)
    assert Join.load(path) == JOIN
