"""tools/train_rewrite.py runs from the tree as it is, on judged sets of a few rows of our own."""

from __future__ import annotations

import gzip
import json

import pytest
from tools import train_rewrite

from otherwords.metrics.pem import Pem, Regression
from otherwords.metrics.rewrite import OtherwordsRewrite

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
            share = (0.0, 0.8, 1.0)[rank]
            human = {name: low + (high - low) * share for name, (low, high) in criteria.items()}
            yield {
                "id": f"{place}.{rank}",
                "item": str(place),
                "source": original,
                "hypothesis": hypothesis,
                "human": human,
            }


@pytest.fixture
def data(tmp_path):
    """A data folder with the judged sets that the tool reads."""
    for name in train_rewrite.SETS:
        path = tmp_path / "data" / "paraphrase" / f"{name}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows({"overall": (1, 4)}))
    return tmp_path / "data"


def test_trains_a_join_that_scores(data, tmp_path, capsys):
    for name in ("one.owm", "two.owm"):
        train_rewrite.main(["--data", str(data), "--output", str(tmp_path / name)])
        assert name in capsys.readouterr().out
    assert (tmp_path / "one.owm").read_bytes() == (tmp_path / "two.owm").read_bytes()
    metric = OtherwordsRewrite(join=tmp_path / "one.owm")
    judged = [row for row in rows({"overall": (1, 4)}) if row["hypothesis"] != row["source"]]
    pairs = [(row["hypothesis"], row["source"]) for row in judged]
    assert metric.join.seen.share(pairs) == 1
    scores = metric.statistics([ORIGINALS[0], ORIGINALS[1]], sources=[ORIGINALS[0]] * 2)[:, 0]
    assert scores[0] > scores[1]  # a copy is worth more than another sentence


def test_trains_the_regression_of_the_paper(data, tmp_path, capsys):
    for name in ("one.owm", "two.owm"):
        train_rewrite.main(["--pem", "--data", str(data), "--output", str(tmp_path / name)])
        assert name in capsys.readouterr().out
    assert (tmp_path / "one.owm").read_bytes() == (tmp_path / "two.owm").read_bytes()
    found = Regression.load(tmp_path / "one.owm")
    assert found.provenance["controls"] == ["copy", "random", "unigram"]
    assert found.provenance["settings"]["languages"] == ["zh"]
    metric = Pem(regression=tmp_path / "one.owm")
    scores = metric.statistics([ORIGINALS[0], ORIGINALS[1]], sources=[ORIGINALS[0]] * 2)[:, 0]
    assert scores[0] > scores[1]


def test_the_embedded_regression_of_the_paper_is_of_this_tree():
    assert Pem().regression.provenance["pairs"] == 297
