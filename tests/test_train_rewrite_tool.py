"""tools/train_rewrite.py runs from the tree as it is, on judged sets of a few rows of our own."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from tools import train_rewrite

from otherwords.corpus.jsonl import read_jsonl
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
    for name, source in train_rewrite.SOURCES.items():
        criteria = {source.criterion: (source.scale.low, source.scale.high)}
        if name == "shakespeare-dev":
            criteria["overall"] = (1, 4)
        path = tmp_path / "data" / f"{source.path}.jsonl.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        found = list(rows(criteria))
        if name == "twitter-url":
            found = [{**row, "id": f"twitter-url-train:{5 * n}"} for n, row in enumerate(found)]
        with gzip.open(path, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in found)
    judged = list(rows({"paraphrase": (0, 1)}))
    with gzip.open(tmp_path / "data/paraphrase/msrp.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write(json.dumps({**judged[0], "id": "msrp:0"}) + "\n")
    return tmp_path / "data"


def test_trains_a_regression_that_scores(data, tmp_path, capsys):
    for name in ("one.owm", "two.owm"):
        train_rewrite.main(["--data", str(data), "--output", str(tmp_path / name)])
        assert name in capsys.readouterr().out
    assert (tmp_path / "one.owm").read_bytes() == (tmp_path / "two.owm").read_bytes()
    metric = OtherwordsRewrite(regression=tmp_path / "one.owm")
    found = metric.join.provenance
    known = dict.fromkeys(train_rewrite.SOURCES, 3 * len(ORIGINALS))
    assert found["pairs"] == {**known, "stsb-en-train": 3 * len(ORIGINALS) - 1}  # one is msrp's
    judged = [row for row in read_jsonl(data / "paraphrase" / "parabank.jsonl.gz") if row.human]
    assert metric.seen.share([(row.hypothesis, row.source) for row in judged]) == 1
    scores = metric.statistics([ORIGINALS[0], ORIGINALS[1]], sources=[ORIGINALS[0]] * 2)[:, 0]
    assert scores[0] > scores[1]  # a copy is worth more than another sentence


def test_comparisons_are_within_a_stratum_and_in_order():
    draw = np.random.default_rng(0)
    adequacy, overlap = draw.random(500), draw.random(500)
    found = train_rewrite.comparisons_of(adequacy, overlap, 5)
    better, worse = found.T
    assert (adequacy[better] > adequacy[worse]).all()
    stratum = np.argsort(np.argsort(overlap)) // 100
    assert (stratum[better] == stratum[worse]).all()
    assert set(stratum[better]) == set(range(5))
    assert found.tolist() == train_rewrite.comparisons_of(adequacy, overlap, 5).tolist()


def test_changed_texts_are_below_the_text_that_was_changed(data):
    one = train_rewrite.read(data, "parabank")
    made = train_rewrite.contrasts_of(one)
    texts = list(zip(made.paraphrases, made.originals, strict=True))
    for kind, pairs in made.near.items():
        for better, worse in pairs:
            assert made.kinds[better] in ("good", "copy")
            assert made.kinds[worse] == kind
            assert texts[better][1] == texts[worse][1]  # of the same original
            assert texts[better][0] != texts[worse][0]
    assert {made.kinds[better] for pairs in made.far.values() for better, _ in pairs} == {"good"}
    assert {"negated", "random"} <= set(made.near)


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
