"""tools/train_pem.py runs from the tree as it is, on judged sets of a few rows of our own."""

from __future__ import annotations

import gzip
import json

import pytest
from tools import train_pem

from otherwords import UsageError
from otherwords.corpus.jsonl import read_jsonl
from otherwords.metrics.pem import Pem
from otherwords.metrics.pem_regression import Regression
from otherwords.training import train_pem as train

ORIGINALS = [
    "The old man walked slowly to the market.",
    "She wrote a long letter to her brother.",
    "They will build a new bridge next year.",
    "The children were playing in the garden.",
    "Nobody knew where the key was.",
    "Rain fell on the village all night.",
]
CHANGES = [("the", "a"), ("old", "aged"), ("new", "modern"), ("long", "lengthy"), ("was", "is")]


def rows(criteria):
    """Three paraphrases of each original: a copy, one with other words, another sentence."""
    for place, original in enumerate(ORIGINALS):
        changed = original
        for word, other in CHANGES:
            changed = changed.replace(f" {word} ", f" {other} ")
        unrelated = ORIGINALS[place - 1]
        for rank, hypothesis in enumerate([unrelated, changed, original]):
            human = {name: low + (high - low) * rank / 2 for name, (low, high) in criteria.items()}
            yield {
                "id": f"{place}.{rank}",
                "item": str(place),
                "source": original,
                "hypothesis": hypothesis,
                "human": human,
            }


@pytest.fixture
def data(tmp_path):
    """A data folder with the three judged sets that the tool reads."""
    folder = tmp_path / "data" / "paraphrase"
    folder.mkdir(parents=True)
    for name, scales in train_pem.SCALES.items():
        criteria = {criterion: (scale.low, scale.high) for criterion, scale in scales.items()}
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows(criteria))
    return folder.parent


def test_trains_a_regression_that_scores(data, tmp_path, capsys):
    for name in ("one.owm", "two.owm"):
        train_pem.main(["--data", str(data), "--output", str(tmp_path / name)])
        assert name in capsys.readouterr().out
    assert (tmp_path / "one.owm").read_bytes() == (tmp_path / "two.owm").read_bytes()
    found = Regression.load(tmp_path / "one.owm").provenance
    assert found["controls"] == ["copy", "random", "unigram", "shuffle", "scrambled"]
    assert found["pairs"] == dict.fromkeys(train_pem.SCALES, 3 * len(ORIGINALS))
    metric = Pem(regression=tmp_path / "one.owm")
    judged = [row for row in read_jsonl(data / "paraphrase" / "parabank.jsonl.gz") if row.human]
    assert metric.seen.share([(row.hypothesis, row.source) for row in judged]) == 1
    scores = metric.statistics([ORIGINALS[0], ORIGINALS[1]], sources=[ORIGINALS[0]] * 2)[:, 0]
    assert scores[0] > scores[1]  # a copy is worth more than another sentence


def test_every_control_has_a_weight(data):
    for one in train_pem.read(data):
        kinds = set(train_pem.control_kinds(one))
        assert kinds <= train_pem.CONTROL_WEIGHT.keys()
        assert set(train_pem.CONTROLS) <= kinds


def test_trains_the_regression_of_the_paper(data, tmp_path, capsys):
    for name in ("one.owm", "two.owm"):
        train_pem.main(["--preset", "paper", "--data", str(data), "--output", str(tmp_path / name)])
        assert name in capsys.readouterr().out
    assert (tmp_path / "one.owm").read_bytes() == (tmp_path / "two.owm").read_bytes()
    found = Regression.load(tmp_path / "one.owm")
    assert found.features == ("pivot_f1", "fluency", "target_f1")
    assert found.provenance["controls"] == ["copy", "random", "unigram"]
    assert found.settings["languages"] == ["zh"]
    metric = Pem(regression=tmp_path / "one.owm", preset="paper")
    scores = metric.statistics([ORIGINALS[0], ORIGINALS[1]], sources=[ORIGINALS[0]] * 2)[:, 0]
    assert scores[0] > scores[1]


def test_the_embedded_regression_of_the_paper_is_of_this_tree():
    assert Pem(preset="paper").regression.provenance["pairs"] == 297


def test_options_beside_the_preset_are_refused(data, tmp_path):
    rows = [str(data / "paraphrase" / "shakespeare-dev.jsonl.gz")]
    output = str(tmp_path / "my.pem")
    for options, message in [
        ({"settings": {"orders": 2}}, "preset=paper fixes orders at 4"),
        ({"settings": {"languages": "fr"}}, "preset=paper fixes languages at zh"),
        ({"meaning": True}, "preset=paper learns overall scores"),
        ({"kinds": ("copy",)}, "with the controls copy, random, unigram"),
    ]:
        with pytest.raises(UsageError, match=message):
            train(rows, output, preset="paper", **options)
