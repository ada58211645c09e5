"""Recognition of paraphrases: AUC and F1 against scikit-learn's, thresholds by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, roc_auc_score

import otherwords
from otherwords.cli import main
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.stats.intervals import Resampling
from otherwords.stats.resampling import Resamples
from otherwords.study.agreement import Scoring, measure_recognition
from otherwords.study.agreement.recognition import auc, best_threshold

LABELLED = [
    ("The ship changed its course.", "The boat altered its course.", 1),
    ("The ship changed its course.", "The captain was asleep.", 0),
    ("It rained all day.", "It rained the whole day.", 1),
    ("It rained all day.", "We had lunch.", 0),
    ("She wrote a letter.", "She wrote him a letter.", 1),
    ("She wrote a letter.", "He wrote a long book.", 0),
    ("They left early.", "They left early today.", 1),
    ("They left early.", "They arrived late.", 0),
]
ROWS = [
    Row(hypothesis, source=source, item=source, human={"paraphrase": float(label)})
    for source, hypothesis, label in LABELLED
]
AGAINST_SOURCE = {name: otherwords.metric(name, against="source") for name in ("chrf", "ter")}


def every(size):
    return np.ones((1, size), np.uint16)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_auc_is_that_of_scikit_learn(points):
    scores = np.array([float(score) for score, _ in points])
    labels = np.array([label for _, label in points])
    found = auc(scores, labels, np.arange(len(points)), every(len(points)))[0]
    if labels.all() or not labels.any():
        assert np.isnan(found)
    else:
        assert found == pytest.approx(roc_auc_score(labels, scores))


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=12))
def test_no_threshold_is_better(points):
    scores = np.array([float(score) for score, _ in points])
    labels = np.array([label for _, label in points])
    chosen = f1_score(labels, scores >= best_threshold(scores, labels), zero_division=0)
    others = [f1_score(labels, scores >= one, zero_division=0) for one in scores]
    assert chosen == pytest.approx(max(others))


def test_a_given_threshold():
    chrf, ter = measure_recognition(ROWS, AGAINST_SOURCE, threshold=50).lines
    metric = AGAINST_SOURCE["chrf"]
    scores = metric.segment_scores(
        metric.statistics([row.hypothesis for row in ROWS], sources=[row.source for row in ROWS])
    )
    labels = [label for *_, label in LABELLED]
    assert chrf.f1.value == pytest.approx(f1_score(labels, scores >= 50))
    assert chrf.auc.value == pytest.approx(roc_auc_score(labels, scores))
    assert chrf.threshold == 50
    assert ter.threshold == 50  # lower is better: at most 50
    assert ter.auc.value > 0.5


def test_thresholds_are_learnt_from_other_items():
    """Scores 100, between, 0: without its own item the middle one misses the threshold of 100."""
    texts = [("a b c d", 1), ("a b c z", 1), ("x y z w", 0)]
    rows = [
        Row(text, source="a b c d", item=str(n), human={"paraphrase": float(label)})
        for n, (text, label) in enumerate(texts)
    ]
    found = measure_recognition(rows, AGAINST_SOURCE, scoring=Scoring(any_language=True))
    assert found.notes()[0].startswith("thresholds with the best F1")
    assert found.lines[0].f1.value == pytest.approx(2 / 3)  # one of two paraphrases is called so
    assert 0 < found.lines[0].threshold < 100
    assert found.lines[0].auc.value == 1.0


def test_intervals_resample_items():
    found = measure_recognition(
        ROWS, AGAINST_SOURCE, threshold=50, resampling=Resampling(resamples=300)
    )
    line = found.lines[0]
    metric = AGAINST_SOURCE["chrf"]
    scores = metric.segment_scores(
        metric.statistics([row.hypothesis for row in ROWS], sources=[row.source for row in ROWS])
    )
    labels = np.array([label for *_, label in LABELLED])
    expected = []
    for times in Resamples(4, 300, 0):
        for one in times:
            places = np.repeat(np.arange(8), np.repeat(one, 2))
            expected.append(roc_auc_score(labels[places], scores[places]))
    low, high = np.quantile(expected, [0.025, 0.975])
    assert (line.auc.low, line.auc.high) == pytest.approx((low, high))
    assert line.f1.low <= line.f1.value <= line.f1.high


def test_labels_that_are_refused():
    half = Row("a", source="b", human={"paraphrase": 0.5}, path="x.jsonl", line=3)
    with pytest.raises(InputError, match=r"x.jsonl:3: the label paraphrase is 0.5, not 0 or 1"):
        measure_recognition([*ROWS, half], AGAINST_SOURCE)
    found = measure_recognition([*ROWS, half], AGAINST_SOURCE, positive=0.5)
    assert found.shown[0].caption == "Recognition of paraphrase: 5 of 9 pairs"
    with pytest.raises(UsageError, match="all 4 labels of paraphrase are the same"):
        measure_recognition(ROWS[::2], AGAINST_SOURCE)
    with pytest.raises(UsageError, match="name the labels with `human`"):
        measure_recognition([Row("a", source="b", human={"x": 1.0, "y": 0.0})], AGAINST_SOURCE)


def test_by_command(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text(
        "".join(
            json.dumps({"source": s, "hypothesis": h, "item": s, "human": {"paraphrase": label}})
            + "\n"
            for s, h, label in LABELLED
        )
    )
    command = ["meta", "recognition", "--rows", str(path), "-m", "chrf", "--threshold", "50"]
    assert main([*command, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    chrf = measure_recognition(ROWS, AGAINST_SOURCE, threshold=50).lines[0]
    assert found["recognition"][0]["auc"]["value"] == pytest.approx(chrf.auc.value)
    assert "|against:source" in found["recognition"][0]["signature"]
    assert main([*command, "--confidence", "0.9"]) == 2
    assert "--confidence does nothing without --ci" in capsys.readouterr().err


@pytest.mark.data
@pytest.mark.parametrize("name", ["paraphrase/msrp", "contrast/paws-qqp-train"])
def test_real_sets(shared, capsys, name):
    """Words in another order are no paraphrases of each other: bags of words know nothing there."""
    rows = str(shared / f"{name}.jsonl.gz")
    assert main(["meta", "recognition", "--rows", rows, "-m", "pinc,meaning", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    by_name = {one["metric"]: one["auc"]["value"] for one in found["recognition"]}
    if name.endswith("msrp"):
        assert by_name["meaning"] > 0.7
    else:
        assert by_name["meaning"] > 0.55  # pairs with the same words, and trained on


def test_one_item_has_no_others_to_choose_a_threshold_on(tmp_path, refused, ok):
    path = tmp_path / "one.jsonl"
    path.write_text(
        '{"hypothesis": "It rains.", "source": "It rains.", "item": "1", "human": {"label": 1}}\n'
        '{"hypothesis": "Cats sleep.", "source": "It rains.", "item": "1", "human": {"label": 0}}\n'
    )
    command = ["meta", "recognition", "--rows", path, "-m", "chrf", "--against", "source"]
    assert "all 2 rows are of one; give more items, or --threshold" in refused(*command)
    assert "1.0000" in ok(*command, "--threshold", "50")


def test_as_many_parts_as_items():
    found = measure_recognition(ROWS[:4], AGAINST_SOURCE, scoring=Scoring(any_language=True))
    assert "on the other items, 2 parts;" in found.notes()[0]


def test_no_rows_are_no_rows(tmp_path, refused):
    (tmp_path / "e.jsonl").write_text("")
    for command in (["recognition"], ["agreement"], ["paper", "pem"], ["paper", "maxsim"]):
        line = refused("meta", *command, "--rows", tmp_path / "e.jsonl", "-m", "chrf")
        assert "there are no rows" in line
