"""ROUGE-L through rouge-score."""

from __future__ import annotations

import otherwords


def test_the_example_of_the_paper():
    """Lin (2004), §3.1: the first candidate has 3 words of 4 in order, the second 2 of 4."""
    reference = "police killed the gunman"
    candidates = ["police kill the gunman", "the gunman kill police"]
    found = otherwords.score("rouge-l", candidates, [reference] * 2)
    assert found.segments.tolist() == [0.75, 0.5]
    assert found.corpus == 0.625
    assert otherwords.metric("rouge-l", stem=True).score_one(candidates[0], reference) == 1.0


def test_precision_recall_and_the_best_reference():
    # Longest common subsequence "a b": 2 of 2 words of the hypothesis, 2 of 4 of the reference.
    row = otherwords.metric("rouge-l").statistics(["a b"], [["a x b y", "z"]])[0]
    assert row.tolist() == [2 * 1 * 0.5 / 1.5, 1.0, 0.5, 1.0]
