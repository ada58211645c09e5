"""otherwords-rewrite: meaning, and how it is joined with difference and fluency."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords import ModelError, UsageError
from otherwords.metrics.difference import Difference
from otherwords.metrics.fluency import Fluency
from otherwords.metrics.meaning import FAULTS, FEATURES, TERMS, WITNESSES, Meaning
from otherwords.metrics.rewrite import Join, OtherwordsRewrite, RewriteFeatures, gate_of
from otherwords.models import container
from otherwords.text.values import values_of

ORIGINAL = "The company will hire two hundred workers if the new factory is approved."
REWORDED = "Two hundred workers will be taken on by the firm should the new plant get approval."
WRONG = "The company will hire two thousand workers if the new factory is approved."
TYPOS = "The compnay will hire two hundred workres if the new factroy is approved."
UNRELATED = "Rain fell on the hills all day."


@pytest.fixture(scope="module")
def join():
    return Join.load("otherwords-rewrite")


def scores(metric, *texts, column=0):
    rows = metric.statistics(list(texts), sources=[ORIGINAL] * len(texts))
    return rows[:, column].tolist()


SHARES = st.lists(st.floats(0, 1), min_size=len(FEATURES), max_size=len(FEATURES))
AGAINST = [FEATURES.index(n) for n in (*WITNESSES["findings"], *FAULTS) if n != "equivalent"]


def row_of(values):
    signs = np.array([-1.0 if place in AGAINST else 1.0 for place in range(len(FEATURES))])
    return signs * np.array(values)


@settings(max_examples=200, deadline=None)
@given(SHARES, st.sampled_from(range(len(FEATURES))), st.floats(0, 1))
def test_meaning_never_falls_with_a_feature(values, place, more):
    """By construction: more that is contradicted, missing or added never raises meaning."""
    join = Join.load("otherwords-rewrite")
    low, high = row_of(values), row_of(values)
    high[place] = max(low[place], row_of([more] * len(values))[place])
    below, above = join.meaning(np.array([low, high]))
    assert 0 <= below <= above <= 1


TEXTS = [
    "She left the house early.",
    "Nobody knew why the ship had changed its course.",
    "Zxqv frobnicates!",
]


def test_the_score_is_its_parts_joined():
    """M ** alpha * consistency * (c + (1 - c) * D ** beta) * gate, calibrated; what contradicts
    or repeats is no difference.
    """
    left, right = TEXTS, ["She did not leave early.", "No one knew why.", "A different thing!"]
    left, right = [*left, "He paid 30 euros euros."], [*right, "He paid 20 euros."]
    found = OtherwordsRewrite().statistics(left, sources=right)
    parts = [
        metric.statistics(left, sources=right)[:, 0]
        for metric in (Meaning(), Fluency(), Difference())
    ]
    assert found[:, 1:4].T.tolist() == [part.tolist() for part in parts]
    meaning, fluency, different = parts
    theirs = Fluency().statistics(right, sources=right)[:, 0]
    gain = np.log(fluency / (1 - fluency)) - np.log(theirs / (1 - theirs))
    measured = RewriteFeatures().measure(left, right)
    row = dict(zip(FEATURES, measured.meaning.T, strict=True))
    join = OtherwordsRewrite().join
    consistency = (1 + 0.5 * row["clash"]) * (1 + 0.5 * row["missing"])
    assert consistency.min() < 1
    faults = 1.2 * row["repeated"] + 10 * row["misspelt"] + 0.3 * row["disorder"]
    consistency *= np.exp(faults + 4 * row["shortened"])
    copy = (1 - join.reward) ** 2
    honest = different + 1.2 * row["contrary"] + row["repeated"] + row["one_sided"]
    honest = np.maximum(honest, 0)
    assert (honest < different).any()
    shape = copy + (1 - copy) * honest ** (2 * join.reward * join.beta)
    share = meaning**join.alpha * consistency * shape
    judged = join.score(share * gate_of(gain))
    assert found[:, 0].tolist() == pytest.approx(((judged - 1) / 4).tolist(), abs=1e-6)


def test_contradicted_missing_and_added_have_weights(join):
    for name in ("contradicted", "missing", "added"):
        assert join.weights[TERMS.index(name)] > 0


def test_meaning_counts_before_words():
    assert scores(OtherwordsRewrite(), REWORDED)[0] > max(
        scores(OtherwordsRewrite(), ORIGINAL, WRONG, TYPOS, UNRELATED)
    )
    close, other = scores(Meaning(), ORIGINAL, WRONG)
    assert close == 1 > other


def test_a_misspelt_copy_is_no_rewording():
    exact, typos, plain = (
        otherwords.score(name, [text], sources=[ORIGINAL]).corpus
        for name, text in (
            ("difference", ORIGINAL),
            ("difference", TYPOS),
            ("pem.dissimilarity", TYPOS),
        )
    )
    assert exact == typos == 0 < plain


@pytest.mark.parametrize(
    "text",
    [
        f"{ORIGINAL} {ORIGINAL}",
        "The company company will hire two two hundred workers if the new factory is is approved.",
        "The company will hire two hundred workers.",
        "approved the will hundred factory new company if two is the hire workers .",
        "The company will not hire two hundred workers if the new factory is approved.",
        WRONG,
        TYPOS,
    ],
)
def test_a_changed_copy_is_worth_no_more_than_a_copy(text):
    copy, changed, reworded = scores(OtherwordsRewrite(), ORIGINAL, text, REWORDED)
    assert changed < copy < reworded


def test_codes_are_numbers():
    original = "Directive 91/440 opened the railways to all firms."
    wrong = original.replace("91", "99")
    metric = otherwords.metric("otherwords-rewrite")
    copy, changed = metric.statistics([original, wrong], sources=[original] * 2)[:, 0]
    assert changed < copy


def test_strict_wrong_facts_are_below_everything_else():
    metric = OtherwordsRewrite(strict=True)
    short = ORIGINAL.replace(" if the new factory is approved", "")
    wrong, unsaid = scores(metric, WRONG, short)  # a condition left out is as bad as a wrong number
    assert max(wrong, unsaid) < 0.5 <= min(scores(metric, REWORDED, UNRELATED))
    [wrong, right] = scores(Meaning(strict=True), WRONG, REWORDED)
    assert wrong < 0.5 <= right


def test_reward_difference_goes_from_meaning_to_difference():
    texts = (ORIGINAL, REWORDED, UNRELATED)
    meaning, usual, difference = (
        scores(OtherwordsRewrite(reward_difference=reward), *texts) for reward in (0, 0.6, 1)
    )
    assert meaning[0] == 1  # a copy keeps all of the meaning
    assert 0.15 < usual[0] < 0.35
    assert difference[0] == 0
    assert usual == scores(OtherwordsRewrite(), *texts)
    assert max(one[2] for one in (meaning, usual, difference)) < 0.3
    assert "reward:0.6|" in OtherwordsRewrite().signature
    assert "reward:0|" in OtherwordsRewrite(reward_difference=0).signature


def test_interval_holds_the_score():
    metric = OtherwordsRewrite(interval=0.9)
    assert metric.columns[-3:] == ("low", "high", "segments")
    result = otherwords.score(metric, [REWORDED, ORIGINAL], sources=[ORIGINAL] * 2)
    low, high = result.statistics[:, 4], result.statistics[:, 5]
    assert (low >= 0).all()
    assert (low < result.segments).all()
    assert (result.segments < high).all()
    assert (high <= 1).all()
    narrow = otherwords.score(
        "otherwords-rewrite", [REWORDED], sources=[ORIGINAL], interval=0.5
    ).statistics[0]
    assert low[0] < narrow[4] < narrow[5] < high[0]


def test_explanation_has_the_three_witnesses_and_the_findings():
    explained = OtherwordsRewrite().explain(WRONG, source=ORIGINAL)
    details = explained.details
    assert set(details["taken away"]) == set(WITNESSES)
    assert max(details["taken away"].values()) <= 0
    kinds = {(found["kind"], found["verdict"]) for found in details["findings"][0]}
    assert ("number", "contradicted") in kinds
    assert set(details["factors"]) == {"meaning", "consistency", "difference", "fluency"}
    row = Meaning().statistics([WRONG], sources=[ORIGINAL])[0]
    assert row[1:4].tolist() == pytest.approx(list(details["taken away"].values()), abs=1e-4)


@pytest.mark.parametrize(
    "options",
    [
        {"reward_difference": 1.5},
        {"reward_difference": "much"},
        {"strict": 1},
        {"interval": 0},
        {"interval": 1.0},
    ],
)
def test_options_out_of_range(options):
    with pytest.raises(UsageError):
        OtherwordsRewrite(**options)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("40 people and ninety dogs", {40, 90}),
        ("two hundred and 1,500", {200, 1500}),
        ("twenty one of a dozen", {20, 12}),
        ("thirty five", {35}),
        ("no one knows", set()),
        ("3.5 % of $ 2 million", {3.5, 2e6}),
    ],
)
def test_numbers_of_a_text(text, values):
    assert values_of(text.split()) == values


def test_round_trip(join, tmp_path):
    join.save(tmp_path / "a.pem")
    again = Join.load(tmp_path / "a.pem")
    again.save(tmp_path / "b.pem")
    assert (tmp_path / "a.pem").read_bytes() == (tmp_path / "b.pem").read_bytes()
    assert again.weights.tolist() == join.weights.tolist()


DAMAGE = {
    "negative weights": {"weights": -np.ones(len(TERMS))},
    "too few weights": {"weights": np.ones(3)},
    "no numbers": {"join": np.full(4, np.nan)},
    "three numbers": {"join": np.ones(3)},
    "falling knots": {"knots": np.array([[0.0, 1.0], [5.0, 1.0]])},
    "flat knots": {"knots": np.ones(4)},
    "errors in disorder": {"errors": np.array([1.0, 0.0])},
    "a reward of 2": {"join": np.array([1.0, 1.0, 0.3, 2.0])},
}


@pytest.mark.parametrize("kind", list(DAMAGE))
def test_damaged_files(join, tmp_path, kind):
    join.save(tmp_path / "a.pem")
    whole = container.read(tmp_path / "a.pem")
    arrays = {**whole.arrays, **DAMAGE[kind]}
    container.write(tmp_path / "b.pem", "otherwords-rewrite", arrays, whole.provenance)
    with pytest.raises(ModelError, match=r"b\.pem: the regression is damaged"):
        OtherwordsRewrite(regression=tmp_path / "b.pem")


def test_other_features_are_refused(join, tmp_path):
    other = {**join.provenance, "features": ["length"]}
    replace(join, provenance=other).save(tmp_path / "a.pem")
    with pytest.raises(ModelError, match="trained on other features"):
        OtherwordsRewrite(regression=tmp_path / "a.pem")


def test_an_encoder_that_is_no_name_is_refused(join, tmp_path):
    replace(join, provenance={**join.provenance, "encoder": 7}).save(tmp_path / "a.pem")
    with pytest.raises(ModelError, match=r"a\.pem: the regression is damaged"):
        OtherwordsRewrite(regression=tmp_path / "a.pem")
