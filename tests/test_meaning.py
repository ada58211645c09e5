"""`meaning`: what must hold whatever was learnt, and a few pairs that any good model gets right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bench.meaning_forms import FORMS, Answered
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import Rules, gate
from otherwords.errors import ModelError, UsageError
from otherwords.metrics.edits import Edit, edits_of, try_edits
from otherwords.metrics.meaning import STRICTNESS, Answers, Meaning, MeaningModel
from otherwords.models import container
from otherwords.models.container import embedded
from otherwords.scoring.detectors import Detector

ORIGINAL = "The committee approved the budget after a long debate."
RIGHT = "Following lengthy discussion, the panel passed the budget."
WRONG = "The committee rejected the budget after a long debate."
ADDED = "The committee approved the budget after a long debate, and the mayor resigned."
MISSING = "The committee held a long debate."


@pytest.fixture(scope="module")
def metric():
    return Meaning()


def scores(metric, *rewrites, original=ORIGINAL):
    return metric.measure(list(rewrites), [original] * len(rewrites), 1)


def test_right_is_above_wrong(metric):
    rows = scores(metric, RIGHT, WRONG, ADDED, MISSING)
    right, wrong, added, missing = rows
    assert right[0] > max(wrong[0], added[0], missing[0])
    assert wrong[1] > 0.5 > right[1]
    assert added[3] > added[2]
    assert missing[2] > missing[3]


@pytest.mark.parametrize("copy", [ORIGINAL, ORIGINAL.lower(), f"  {ORIGINAL}  "])
def test_a_copy_is_the_same(metric, copy):
    assert scores(metric, copy).tolist() == [[1.0, 0.0, 0.0, 0.0]]


def test_a_changed_value_counts(metric):
    original = "Send 40 euros to Anna Berg by 4 March."
    right, amount, name = scores(
        metric,
        "By 4 March, please transfer EUR 40 to Anna Berg.",
        "By 4 March, please transfer EUR 400 to Anna Berg.",
        "By 4 March, please transfer EUR 40 to Clara Hall.",
        original=original,
    )
    assert right[0] > amount[0]
    assert right[0] > name[0]
    without = Meaning(values=False)
    [ignored] = scores(without, "Send 50 euros to Anna Berg by 4 March.", original=original)
    [counted] = scores(metric, "Send 50 euros to Anna Berg by 4 March.", original=original)
    assert counted[0] < ignored[0]


def test_scores_do_not_depend_on_the_batch(metric):
    texts = [RIGHT, WRONG, ADDED, MISSING, ORIGINAL, RIGHT]
    together = scores(metric, *texts)
    alone = np.concatenate([scores(metric, text) for text in texts])
    np.testing.assert_array_equal(together, alone)
    two = metric.measure(texts, [ORIGINAL] * len(texts), 2)
    np.testing.assert_array_equal(together, two)


@settings(max_examples=30)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_probabilities(left, right):
    surrogates = any("\ud800" <= c <= "\udfff" for c in left + right)
    if surrogates:
        return
    [row] = Meaning().measure([left], [right], 1)
    assert np.isfinite(row).all()
    assert ((row >= 0) & (row <= 1)).all()


def test_a_higher_answer_never_lowers_meaning():
    """Each direction of entailment, similarity, cosine, and fewer differing values."""
    model = MeaningModel.load()
    draw = np.random.default_rng(3)
    logits = draw.normal(scale=3, size=(2, 200, 3))
    answers = Answers(*logits, *draw.uniform(size=(2, 200)))
    values = draw.integers(0, 4, 200).astype(float)
    meaning = model.join(answers, values)
    assert ((meaning > 0) & (meaning < 1)).all()
    entailed = np.add(logits, [1.0, 0.0, 0.0])
    for higher in (
        answers._replace(forward=entailed[0]),
        answers._replace(backward=entailed[1]),
        answers._replace(similar=np.sqrt(answers.similar)),
        answers._replace(cosine=np.sqrt(answers.cosine)),
    ):
        assert (model.join(higher, values) > meaning).all()
    assert (model.join(answers, np.zeros(200)) >= meaning).all()


def test_the_formula():
    """meaning = (p q) ** (e / 2) * (t cosine + (1 - t) similar) ** (1 - e) * v ** values."""
    numbers = {"temperature": 2.0, "entailment": 0.5, "topic": 0.25, "value": 0.5}
    model = replace(MeaningModel.load(), **numbers)
    forward, backward = np.array([[2.0, 0, 0]]), np.array([[0, 4.0, 0]])
    p, q = np.e / (np.e + 2), 1 / (np.e**2 + 2)  # logits divided by 2
    expected = (p * q) ** 0.25 * (0.25 * 0.8 + 0.75 * 0.4) ** 0.5 * 0.5
    found = model.join(Answers(forward, backward, np.array([0.4]), np.array([0.8])), np.ones(1))
    assert found == pytest.approx([expected])


def test_missing_and_new_values_count_half(metric):
    """Of what a changed value takes off."""
    plain = Meaning(values=False)
    original = "Send 40 euros to Anna Berg."
    shares = []
    for rewrite in ("Send 50 euros to Anna Berg.", "Send 40 euros.", "Send 40 euros to Anna Berg!"):
        [[with_values, *_]], [[without, *_]] = (
            scores(one, rewrite, original=original) for one in (metric, plain)
        )
        shares.append(with_values / without)
    value = metric.model.value
    assert shares == pytest.approx([value, value**0.5, 1.0], abs=1e-4)


def test_the_bench_of_forms_reads_as_the_metric_does(metric):
    answered = Answered(metric.encoder, [(ORIGINAL, RIGHT), (ORIGINAL, WRONG)], [1, 0])
    found = FORMS["`meaning`"](answered)
    assert found == pytest.approx(scores(metric, RIGHT, WRONG)[:, 0], abs=1e-6)
    assert answered.right.tolist() == [True, False]


def test_strictness_orders_the_limits():
    limits = [MeaningModel.load().limit(name) for name in STRICTNESS]
    assert limits == sorted(limits)
    with pytest.raises(UsageError, match="strictness must be low, normal or high, not 'hard'"):
        MeaningModel.load().limit("hard")


def test_the_order_of_the_texts_does_not_matter(metric):
    """Only missing and added content change places."""
    there, back = (
        metric.measure([RIGHT, ADDED], [ORIGINAL] * 2, 1),
        metric.measure([ORIGINAL] * 2, [RIGHT, ADDED], 1),
    )
    np.testing.assert_array_equal(there, back[:, [0, 1, 3, 2]])


def test_a_model_of_another_encoder_is_refused(tmp_path):
    model = container.read(embedded("meaning"))
    path = tmp_path / "meaning.owm"
    container.write(path, model.kind, model.arrays, {**model.provenance, "encoder": "other"})
    with pytest.raises(UsageError, match="trained with the encoder other"):
        Meaning(model=path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("numbers", 0.0), ("numbers", np.nan), ("numbers", np.inf), ("limits", 1e9), ("alarms", -1.0)],
)
def test_damaged_models_are_refused(tmp_path, name, value):
    model = container.read(embedded("meaning"))
    array = np.array(model.arrays[name], copy=True)
    array[0] = value
    path = tmp_path / "meaning.owm"
    container.write(path, model.kind, {**model.arrays, name: array}, model.provenance)
    with pytest.raises(ModelError, match="the model of meaning is damaged"):
        Meaning(model=path)


def test_the_gate_names_the_words():
    rules = Rules(no_contradictions=True)
    original = "He paid 20 euros."
    result = gate(None, ["He paid 30 euros."], sources=[original], rules=rules)
    assert not result.passed
    [found] = result.contradictions
    assert (found.finding.hypothesis_text, found.finding.reference_text) == (
        "30 euros",
        "20 euros",
    )
    result = gate(None, [WRONG], sources=[ORIGINAL], rules=rules)
    assert [c.finding.hypothesis_text for c in result.contradictions] == ["rejected"]
    assert gate(None, [RIGHT, ORIGINAL], sources=[ORIGINAL] * 2, rules=rules).passed


def test_a_strict_detector_finds_all_that_a_lenient_one_finds():
    pairs = [(text, ORIGINAL) for text in (RIGHT, WRONG, ADDED, MISSING, ORIGINAL)]
    low, normal, high = (np.array(Detector(name).contradicted(pairs)) for name in STRICTNESS)
    assert (low <= normal).all()
    assert (normal <= high).all()
    assert normal[[1, 4]].tolist() == [True, False]


def test_edits_point_at_the_words_that_matter():
    turns = try_edits(
        lambda left, right: np.array([float("fired" in text) for text in left]),
        "He hired her in May.",
        "He fired her in May.",
        most=20,
    )
    assert turns[0].edit == Edit((3, 8), (3, 8))
    assert turns[0].change == 1.0


@given(st.text("ab .,", max_size=40), st.text("ab .,", max_size=40))
def test_edits_stay_inside_their_texts(left, right):
    for edit in edits_of(left, right):
        assert 0 <= edit.hypothesis[0] <= edit.hypothesis[1] <= len(left)
        assert 0 <= edit.reference[0] <= edit.reference[1] <= len(right)
        edit.apply(left, right)
