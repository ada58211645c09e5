"""Outputs ordered by a metric, among those that keep the meaning."""

from __future__ import annotations

import pytest

from otherwords.build.generation import Decoded, Output, Reranking
from otherwords.scoring.score import score

OUTPUTS = (  # of the first as the source, as a decoder may order them
    "the children were playing in the garden after dinner .",
    "the kids were playing in the garden after dinner .",
    "the children played in the yard after dinner .",
    "the men were not sleeping under the car before noon .",
)


def reranked(k=10, **options):
    outputs = tuple(Output(text, -place, {}, []) for place, text in enumerate(OUTPUTS))
    return Reranking("pinc", **options).best(Decoded(OUTPUTS[0], outputs), k).outputs


def test_a_metric_alone_prefers_what_means_something_else():
    assert [one.target for one in reranked(1, margin=1)] == [OUTPUTS[3]]


@pytest.mark.parametrize("margin", [0, 0.02, 0.05, 0.3])
def test_outputs_that_lose_more_than_the_margin_come_last(margin):
    lost = dict.fromkeys(OUTPUTS, 0.0)
    for name in ("meaning", "fluency", "vectors", "facts"):
        sources = [OUTPUTS[0]] * len(OUTPUTS)
        values = score(name, list(OUTPUTS), sources=sources, against="source").segments
        for text, value in zip(OUTPUTS, values, strict=True):
            lost[text] = max(lost[text], values[0] - value)
    found = reranked(margin=margin)
    for one in found:
        assert one.features["loss"] == pytest.approx(lost[one.target])
    losses = [one.features["loss"] for one in found]
    keys = [
        (loss if loss > margin else 0, -one.features["pinc"])
        for loss, one in zip(losses, found, strict=True)
    ]
    assert keys == sorted(keys)
    assert found[0].features["loss"] <= margin
    assert found[-1].target == OUTPUTS[3]
