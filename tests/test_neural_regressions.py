"""Regressions and combinations with a neural encoder; a tiny model with random weights serves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="the extra `neural` is not installed")
pytest.importorskip("tokenizers", reason="the extra `neural` is not installed")

import otherwords
from otherwords import UsageError
from otherwords.encoders.neural import NeuralEncoder
from otherwords.models.container import embedded
from tests import tiny_encoder as tiny

TEXTS = ["The cat sat on the mat.", "He bought a small car."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.write_folder(tmp_path_factory.mktemp("tiny") / "model")


@pytest.mark.parametrize("name", ["otherwords-rewrite", "meaning", "otherwords-mt"])
def test_regressions_of_another_encoder_are_refused(folder, name):
    with pytest.raises(UsageError, match="was trained with"):
        otherwords.metric(name, encoder=str(folder))


def test_options_that_do_not_go_with_an_encoder(folder):
    with pytest.raises(UsageError, match="pem has no option 'encoder'"):
        otherwords.metric("pem", encoder=str(folder))
    with pytest.raises(UsageError, match="this is static vectors"):
        otherwords.metric("otherwords-rewrite", regression="otherwords-rewrite-neural")
    with pytest.raises(UsageError, match="encoder needs a combination"):
        otherwords.metric("combine", encoder=str(folder), model=Path(embedded("otherwords-mt")))


def test_a_regression_for_an_encoder_of_ones_own(folder, tmp_path, ok):
    rows = [
        {"source": f"{one} cat sat on the mat.", "hypothesis": text, "human": {"overall": score}}
        for one in ("The", "A small", "His", "Her", "My", "One")
        for text, score in (("The cat sat on a mat.", 4), ("He bought a car.", 1), ("A dog.", 2))
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    ok(
        *("train", "rewrite", "--jsonl", tmp_path / "rows.jsonl", "-o", tmp_path / "my.pem"),
        *("--set", f"encoder={folder}", "--scale", "1:5"),
    )
    options = {"encoder": str(folder), "regression": str(tmp_path / "my.pem")}
    metric = otherwords.metric("otherwords-rewrite", **options)
    assert NeuralEncoder.load(folder).signature in metric.signature
    assert 0 <= metric.statistics(["A cat."], sources=["The cat sat."])[0, 0] <= 1
    with pytest.raises(UsageError, match="this is static vectors"):
        otherwords.metric("otherwords-rewrite", regression=options["regression"])


def test_a_combination_with_an_encoder(tiny_package, tmp_path, monkeypatch, folder):
    from otherwords.metrics.mt_statistics import BothSides, columns_of
    from otherwords.study.training.combine import train_combination

    monkeypatch.syspath_prepend(str(tiny_package))
    words = tiny.WORDS
    rows = [
        {
            "hypothesis": f"The {words[i % 15]} sat on the {words[i * 7 % 15]} again.",
            "references": [f"The {words[i % 15]} sat on the mat once more."],
            "human": {"da": (i * 7 % 15) / 15},
        }
        for i in range(30)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    output = str(tmp_path / "my.owm")
    train_combination([str(tmp_path / "rows.jsonl")], output, families=["words", "neural"])
    metric = otherwords.metric("combine", model=output)
    assert NeuralEncoder.load(folder).signature in metric.signature
    assert (
        otherwords.metric("combine", model=output, encoder=str(folder)).signature
        == metric.signature
    )
    columns = columns_of(BothSides(TEXTS[:2], [TEXTS[1], TEXTS[1]]), ["neural"])
    assert columns["neural/f"][1] == columns["neural/cosine"][1] == 1
    assert 0 <= metric.statistics([TEXTS[0]], [[TEXTS[1]]])[0, 0] <= 1
