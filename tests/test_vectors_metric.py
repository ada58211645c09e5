"""The metrics `vectors` and `vectors-f1`; tests/test_common.py has what holds for all metrics."""

from __future__ import annotations

import numpy as np
import pytest

import otherwords
from otherwords import UsageError
from otherwords.encoders.static import StaticEncoder
from otherwords.metrics.vectors import Vectors, VectorsF1, with_capitals


def vectors(hypothesis, references, **options):
    return otherwords.metric("vectors", **options).score_one(hypothesis, references)


def vectors_f1(hypothesis, references, **options):
    return otherwords.metric("vectors-f1", **options).score_one(hypothesis, references)


ORIGINAL = "The company will hire two hundred workers."
REWORDED = "Two hundred employees will be taken on by the firm."
UNRELATED = "It rained all night in the mountains."


@pytest.mark.parametrize("name", ["vectors", "vectors-f1"])
def test_a_rewording_is_nearer_than_another_text(name):
    found = otherwords.score(name, [REWORDED, UNRELATED], [ORIGINAL, ORIGINAL]).segments
    assert found[0] > found[1] + 0.2


@pytest.mark.parametrize("name", ["vectors", "vectors-f1"])
def test_the_best_reference_counts(name):
    both = otherwords.score(name, [REWORDED], [[UNRELATED, ORIGINAL]]).corpus
    assert both == otherwords.score(name, [REWORDED], [ORIGINAL]).corpus


def test_the_cosine_is_that_of_the_encoder():
    one, other = StaticEncoder.load().sentence_vectors([ORIGINAL, REWORDED])
    assert vectors(ORIGINAL, REWORDED) == pytest.approx(float(one @ other), abs=1e-6)


def test_contributions_add_up_to_the_cosine():
    explained = otherwords.metric("vectors").explain(REWORDED, ORIGINAL)
    parts = [part["contribution"] for part in explained.details["contributions"]]
    assert sum(parts) == pytest.approx(explained.score, abs=1e-3)


def test_f1_is_that_of_precision_and_recall():
    [[score, precision, recall, one]] = VectorsF1().statistics([REWORDED], [ORIGINAL])
    assert score == pytest.approx(2 * precision * recall / (precision + recall))
    assert one == 1
    [[_, turned, back, _]] = VectorsF1().statistics([ORIGINAL], [REWORDED])
    assert (turned, back) == pytest.approx((recall, precision))


def test_spans_of_an_explanation_fit_the_texts():
    hypothesis, reference = "“Naïve” employees left…", "Naive workers left."
    [spans] = VectorsF1(mix=0).explain(hypothesis, reference).matches
    found = {(span.hypothesis_text, span.reference_text): span for span in spans}
    assert found["Naïve", "Naive"].kind == "same word"
    assert found["employees", "workers"].kind == "similar word"
    for span in spans:
        assert hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
        assert reference[slice(*span.reference)] == span.reference_text
    assert VectorsF1().explain("", reference).matches == ((),)


def test_case_counts_if_asked():
    assert vectors("US", "us") == vectors_f1("US", "us") == 1.0
    assert vectors("US", "us", case=True) < 1
    assert vectors_f1("US", "us", case=True) < 1
    assert with_capitals("a B") == "a ^ ^ B"


def test_neighbours_make_order_count():
    one, other = "the dog bit the man", "the man bit the dog"
    assert vectors_f1(one, other, mix=0) == 1.0
    assert vectors_f1(one, other, mix=0.5) < 0.99


def test_options():
    assert (
        len({VectorsF1(mix=m, weighted=w).signature for m in (0, 0.5) for w in (True, False)}) == 4
    )
    with pytest.raises(UsageError, match="mix must be a number from 0 to 1"):
        VectorsF1(mix=2)
    with pytest.raises(UsageError, match="weighted must be true or false"):
        VectorsF1(weighted="yes")
    assert StaticEncoder.load().signature in Vectors().signature


def test_a_users_own_encoder(tmp_path):
    path = tmp_path / "mine.owm"
    path.write_bytes(StaticEncoder.load().model.path.read_bytes())
    assert vectors(ORIGINAL, REWORDED, encoder=path) == vectors(ORIGINAL, REWORDED)
    assert np.isfinite(vectors_f1(ORIGINAL, REWORDED, encoder=str(path)))
