"""Fluency: the embedded model prefers sentences to their broken twins, and says so honestly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otherwords.build.lm import estimate
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.metrics.fluency import (
    FEATURES,
    FluencyModel,
    Join,
    Readers,
    quantize,
    write,
)
from otherwords.models import container
from otherwords.models.container import embedded
from otherwords.models.paraphrase_model import ParaphraseModel

WHOLE = [
    "The committee approved the new budget on Monday.",
    "She told her brother that the train would be late.",
    "Prices have risen since the factory closed.",
    "He wants to buy a small house near the sea.",
]


@pytest.fixture(scope="module")
def model() -> FluencyModel:
    return FluencyModel.open()


@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        (WHOLE[0], "The committee the new budget on Monday."),  # verb
        (WHOLE[0], "Approved the new budget on Monday."),  # subject
        (WHOLE[1], "She told her that the train would be late late."),  # noun, repetition
        (WHOLE[1], "Her brother late that told train the be would she."),  # order
        (WHOLE[2], "Prices have risne since the factroy closed."),  # spelling
        (WHOLE[3], "He wants to buy a small near the sea."),  # noun
        (WHOLE[3], "He wants to buy small house near sea."),  # determiners
        (WHOLE[3], "He wants to buy an small house near the sea."),  # article
        ("Give me a hand right away.", "Give me an hand right away."),
        ("Give me a hand right away.", "Give me a hands right away."),
        (WHOLE[0], "committee, approved, budget, Monday"),  # keywords
        (WHOLE[1], "She brother told her that the late train would late be."),  # near order
        (WHOLE[2], "Prices the have since on factory risen it closed to."),  # salad
        (WHOLE[3], "He wants to buy buy buy a small house near near the sea."),
    ],
)
def test_a_sentence_is_above_its_broken_twin(model: FluencyModel, whole: str, broken: str) -> None:
    good, bad = model.score([whole, broken])
    assert good > bad


def test_scores_are_probabilities_and_logits_their_odds(model: FluencyModel) -> None:
    texts = [*WHOLE, "", "!!!", "x" * 5000, "a " * 3000, "\x00", "naïve café 東京"]
    scores, logits = model.score(texts), model.logits(texts)
    assert np.isfinite(logits).all()
    assert ((scores > 0) & (scores < 1)).all()
    assert np.allclose(np.log(scores / (1 - scores)), logits)


def test_neither_batch_nor_threads_change_a_score(model: FluencyModel) -> None:
    many = [f"{text} {n}" for n in range(3000) for text in WHOLE]
    together = model.logits(many)
    assert np.array_equal(together, model.logits(many, threads=3))
    alone = [model.logits([text])[0] for text in many[:40]]
    assert together[:40].tolist() == alone


def test_tokens_given_with_spaces_are_read_as_they_are(model: FluencyModel) -> None:
    spaced = "She can not come ."
    assert model.logits([spaced], tokenizer="none") == model.logits(["She can not come."])
    with pytest.raises(UsageError, match="unknown tokenizer"):
        model.logits([spaced], tokenizer="moses")


def test_no_sentences_give_no_scores(model: FluencyModel) -> None:
    assert model.score([]).shape == (0,)


def test_features_are_means_over_tokens_and_the_end() -> None:
    """A model of units in which everything is equally probable: five events, log10 1/5."""
    words = ParaphraseModel.load().language_model
    assert words is not None
    units = estimate(["the /NN the /VBZ"], order=1, tokenizer="none", case=True)
    flat = np.full(units.sizes[0], -1.0, np.float32)
    readers = Readers(units, flat, words)
    [row] = readers.features(["the the dog"])
    found = dict(zip(FEATURES, row, strict=True))
    tokens = units.tokens(["the", "the", "/NN"])
    assert found["unit"] == pytest.approx(sum(p for _, p, _ in tokens) / 4)
    assert found["unit_slor"] == pytest.approx(found["unit"] + 1)
    assert found["once"] == pytest.approx(-1 / 4)  # one of three words and the end repeats
    assert found["verb"] == -1
    assert readers.features(["she sleeps"])[0, FEATURES.index("verb")] == 0
    assert found["unit_surprise_low"] == pytest.approx(0, abs=1e-6)  # no context, no surprise


def test_the_join_is_a_weighted_sum() -> None:
    join = Join(np.full(len(FEATURES), 0.5), -1.0)
    assert join.logits(np.ones((1, len(FEATURES)))).tolist() == [len(FEATURES) / 2 - 1]
    assert join.logits(np.full((1, len(FEATURES)), -1e9)).tolist() == [-30.0]  # never beyond


def test_weights_never_reward_what_is_worse(model: FluencyModel) -> None:
    for join in (model.ngrams, model.joined):
        assert (join.weights >= 0).all()
        assert (join.weights > 0).any()


def test_the_context_is_summed_in_whole_numbers(model: FluencyModel) -> None:
    """The same in integers, one text at a time; so no order of sums can change a bit."""
    context = model.context
    for text in WHOLE:
        [states] = context.encoder.states([text], ends=True)
        codes = quantize(states, context.steps).astype(np.int64)
        pairs = np.concatenate([codes[:-1], codes[1:]], axis=1)
        units = np.maximum(pairs @ context.weights.astype(np.int64) + context.bias, 0)
        assert np.abs(pairs).sum(axis=1).max() * 127 < 2**24  # exact in single precision
        rows = [*(units.sum(axis=0) / len(units)), *units.max(axis=0)]
        expected = context.pooled[-1]
        for value, weight in zip(rows, context.pooled[:-1], strict=True):
            expected += value * weight
        assert context.logits([text]).tolist() == [expected]


def test_the_number_of_the_n_grams_has_no_context(model: FluencyModel) -> None:
    """`otherwords-mt` was fitted with it."""
    expected = model.ngrams.logits(model.readers.features(WHOLE))
    assert model.ngram_logits(WHOLE).tolist() == expected.tolist()
    assert model.ngrams_digest not in ("", model.digest)


def test_a_written_model_scores_as_the_one_it_was_made_of(
    model: FluencyModel, tmp_path: Path
) -> None:
    path = tmp_path / "own.owm"
    write(path, model, {"made": "here", "ngrams": "0"})
    assert np.array_equal(FluencyModel.open(path).logits(WHOLE), model.logits(WHOLE))


def test_wrong_input_and_models_are_refused(model: FluencyModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not Unicode"):
        model.score(["\ud800"])
    arrays = dict(container.read(embedded("fluency"), "fluency").arrays)
    arrays["weights"] = arrays["weights"][:-1]
    file = container.read(embedded("fluency"), "fluency")
    container.write(tmp_path / "bad.owm", "fluency", arrays, file.provenance)
    with pytest.raises(ModelError, match="8 weights of 9 features"):
        FluencyModel.open(tmp_path / "bad.owm")
    other = {**file.provenance, "encoder": "0" * 12}
    container.write(tmp_path / "other.owm", "fluency", dict(file.arrays), other)
    with pytest.raises(ModelError, match="trained with another encoder"):
        FluencyModel.open(tmp_path / "other.owm")
