"""chrF and chrF++ against sacreBLEU: the same counts and the same scores, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

import otherwords

TEXT = st.text("aAbB. ,(é😀\u00a0", max_size=14)
SEGMENTS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)


@pytest.mark.parametrize(("name", "word_order"), [("chrf", 0), ("chrf++", 2)])
@pytest.mark.parametrize("case", [True, False])
@given(segments=SEGMENTS)
def test_counts_and_scores_are_sacrebleus(name, word_order, case, segments):
    metric = otherwords.metric(name, case=case)
    peer = CHRF(word_order=word_order, lowercase=not case)
    hypotheses, references = zip(*segments, strict=True)
    counts = metric.statistics(hypotheses, references)
    expected = [
        peer._extract_corpus_statistics([text], [[reference] for reference in mine])[0]
        for text, mine in segments
    ]
    assert counts.tolist() == expected
    scores = [peer._compute_f_score(row) for row in expected]
    assert metric.segment_scores(counts).tolist() == scores
    corpus = peer._compute_f_score(np.sum(expected, axis=0).tolist())
    assert metric.aggregate(counts) == metric.corpus_scores(counts.sum(axis=0)[None])[0] == corpus


def test_threads_change_nothing():
    metric = otherwords.metric("chrf++")
    hypotheses = [f"the cat {number} sat on the mat" for number in range(200)]
    references = [[f"a cat {number % 7} sat", "on the mat"] for number in range(200)]
    one, three = (metric.statistics(hypotheses, references, threads=n) for n in (1, 3))
    assert one.tolist() == three.tolist()
