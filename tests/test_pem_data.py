"""PEM on judged sets: what issue 4 must show.

No test of generalisation: the embedded regression was trained on these very rows.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest

import otherwords
from otherwords.metrics.pem import PemAdequacy
from otherwords.metrics.pivots import Bags
from otherwords.metrics.rewrite import OtherwordsRewrite
from otherwords.study.training.controls import controls_of

SETS = ("parabank", "twitter-para-dev", "shakespeare-dev")


@pytest.fixture(scope="module")
def scored(shared):
    """Of each judged set: rows, their statistics, and scores of the copies and random controls."""
    metric = OtherwordsRewrite()

    def overall(pairs):
        left, right = zip(*pairs, strict=True)
        return metric.statistics(left, sources=right)

    sets = {}
    for name in SETS:
        path = shared / "paraphrase" / f"{name}.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines][::6]
        originals = list(dict.fromkeys(row["source"] for row in rows))
        random = controls_of([(None, text) for text in originals], kinds=["random"])
        sets[name] = SimpleNamespace(
            rows=rows,
            human=np.array([row["human"]["overall"] for row in rows]),
            scores=overall([(row["hypothesis"], row["source"]) for row in rows]),
            copies=dict(zip(originals, overall([(o, o) for o in originals]).T[0], strict=True)),
            random=overall([(made.hypothesis, made.source) for made in random])[:, 0],
        )
    return sets


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_copies_and_unrelated_text(scored, name):
    judged = scored[name]
    copies = np.array(list(judged.copies.values()))
    assert 0.125 < copies.mean() < 0.375
    assert judged.random.mean() < 0.15
    assert judged.random.mean() < judged.scores[:, 0].mean()
    assert judged.random.mean() < copies.mean()


@pytest.mark.data
def test_a_copy_seldom_beats_the_best_rated_paraphrase(scored):
    """The best-rated paraphrase that is no copy; of several with that score their mean."""
    beaten = []
    for judged in scored.values():
        others = defaultdict(list)
        for row, human, score in zip(judged.rows, judged.human, judged.scores[:, 0], strict=True):
            if row["hypothesis"].lower().split() != row["source"].lower().split():
                others[row["source"]].append((human, score))
        for source, pairs in others.items():
            top = max(human for human, _ in pairs)
            best = np.mean([score for human, score in pairs if human == top])
            beaten.append(judged.copies[source] > best)
    assert len(beaten) > 750
    assert np.mean(beaten) < 0.35  # tweets that share little more than a topic


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "peer"),
    [("parabank", 0.530), ("twitter-para-dev", 0.420)],  # chrF++, ROUGE-L (the data's README)
)
def test_meaning_leads_peers_without_a_neural_model(scored, name, peer):
    judged = scored[name]
    sources = [row["source"] for row in judged.rows]
    hypotheses = [row["hypothesis"] for row in judged.rows]
    found = otherwords.score("meaning", hypotheses, sources=sources).segments
    known = np.isfinite(found)  # a row in Spanish has no score
    assert known.sum() >= len(found) - 2
    assert np.corrcoef(found[known], judged.human[known])[0, 1] > peer
    assert found[known].tolist() == judged.scores[known, 1].tolist()


@pytest.mark.data
@pytest.mark.parametrize("bags", [Bags(), Bags(orders=1, edge_threshold=0.0, ngram_threshold=0.0)])
def test_adequacy_of_real_text_is_symmetric(scored, bags):
    rows = scored["twitter-para-dev"].rows
    left, right = ([row[side] for row in rows] for side in ("hypothesis", "source"))
    metric = PemAdequacy(**vars(bags))
    there = metric.statistics(left, sources=right)
    assert there.tobytes() == metric.statistics(right, sources=left, threads=2).tobytes()
    assert there.tobytes() == metric.statistics(left, sources=right, threads=5).tobytes()
    assert 0 <= there[:, 0].min() < there[:, 0].max() <= 1
    assert set(metric.statistics(left, sources=left)[:, 0]) == {1.0}


@pytest.mark.data
def test_overall_where_dissimilarity_counts(scored):
    """In-sample, as all of this file."""
    judged = scored["shakespeare-dev"]
    overall, meaning = (np.corrcoef(judged.scores[:, k], judged.human)[0, 1] for k in (0, 1))
    assert overall > 0.40 > meaning  # which does not reward difference
