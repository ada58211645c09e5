"""Metrics on the rows that they were trained on are marked, and decide nothing (issue 16)."""

import json
import random
from dataclasses import replace

import pytest

import otherwords
from otherwords import Rules, Sampling, score
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.metrics.mt import Combine
from otherwords.scoring.seen import LEAST
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement import (
    Coefficients,
    Comparisons,
    Scoring,
    agreement,
    measure_recognition,
)
from otherwords.study.agreement.human_scores import Scale, Scales
from otherwords.study.papers import maxsim_tables, paraeval_tables, pem_tables
from otherwords.study.report import Layout, build
from otherwords.study.training import Validation, train_combination
from otherwords.tables.table import Table
from otherwords.tables.tabular import Tabular

NOUNS = "ship car house tree dog river road bridge letter garden window teacher".split()
VERBS = "left stopped vanished moved arrived waited".split()
MARK = "trained on 100 % of these rows"
FEW = Resampling(resamples=50)
SAMPLED = Sampling(resamples=50)
TESTED = Sampling(confidence=None, test="bootstrap", resamples=50)


def translations(seed, size=36):
    """Two systems, of which the second replaces more words; people see nothing else."""
    chance = random.Random(seed)
    for number in range(size):
        reference = f"The {seed} {NOUNS[number % 12]} {VERBS[number % 6]} near the market {number}."
        for system, most in (("good", 2), ("poor", 5)):
            words, wrong = reference.split(), number % most
            for place in chance.sample(range(7), wrong):
                words[place] = chance.choice(["potato", "guitar", "purple", "kettle"])
            yield Row(
                " ".join(words),
                (reference,),
                system=system,
                item=f"{seed}:{number}",
                human={"da": chance.random() - wrong},
            )


def written(rows, path):
    lines = [
        {"system": r.system, "item": r.item, "hypothesis": r.hypothesis}
        | {"references": list(r.references), "human": dict(r.human)}
        for r in rows
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    return written(translations(1), tmp_path_factory.mktemp("judged") / "judged.jsonl")


@pytest.fixture(scope="module")
def model(judged):
    path = judged.with_name("my.owm")
    train_combination(
        [str(judged)], str(path), families=["words"], group="item", validation=Validation(2)
    )
    return str(path)


@pytest.fixture
def metrics(model):
    return {"mine": Combine(model=model), "chrf": otherwords.metric("chrf")}


SEEN, OTHERS = list(translations(1)), list(translations(2))


def scores_of(result: Tabular) -> Table:
    """The first table that readers see."""
    return next(block for block in result.tables() if isinstance(block, Table))


def test_score_marks_it_and_does_not_test_it(metrics):
    found = score(metrics, SEEN, sampling=TESTED)
    assert found.cells["poor", "chrf"].p is not None
    assert found.cells["poor", "mine"].p is None
    text = str(found)
    assert MARK in text
    assert "otherwords train combine" in text
    assert "mine (seen in training)" in text
    assert found.to_dict()["seen"] == {"mine": {"trained_on": 1.0}}
    [table] = found.records()
    assert {row[1]: row[3] for row in table.rows} == {"mine": 1.0, "chrf": None}
    columns = {one.name: one.best for one in scores_of(found).columns}
    assert (columns["mine"], columns["chrf"]) == (None, "highest")


def test_parts_are_marked_with_their_whole(metrics):
    whole = otherwords.metric("facts", against="references")
    whole.seen = metrics["mine"].seen
    found = score({"found": whole}, SEEN, sampling=TESTED)
    parts = [f"found.{part}" for part in whole.parts]
    assert len(parts) > 1
    assert all(found.cells["poor", label].p is None for label in ("found", *parts))
    [table] = found.records()
    assert {row[1]: row[3] for row in table.rows} == dict.fromkeys(("found", *parts), 1.0)
    columns = scores_of(found).columns[1:]
    assert all("seen in training" in one.head and one.best is None for one in columns)
    assert str(found).count(MARK) == 1


def test_other_rows_are_tested_as_ever(metrics):
    found = score(metrics, OTHERS, sampling=TESTED)
    assert found.cells["poor", "mine"].p is not None
    assert "trained on" not in str(found)
    assert "seen" not in found.to_dict()


def test_clusters_leave_it_out(metrics):
    three = SEEN + [replace(r, system="third") for r in SEEN if r.system == "good"]
    found = score(metrics, three, sampling=SAMPLED)
    assert list(found.clusters) == ["chrf"]


@pytest.mark.parametrize(("seen", "is_marked"), [(0, False), (1, True), (36, True)])
def test_a_share_of_the_rows(metrics, seen, is_marked):
    """One of 72 rows is more than one in a hundred."""
    mixed = SEEN[:seen] + OTHERS[seen:]
    found = score(metrics, mixed)
    assert ("seen" in found.to_dict()) == is_marked
    if is_marked:
        assert found.to_dict()["seen"]["mine"]["trained_on"] == pytest.approx(seen / 72)


def test_one_row_of_very_many_is_no_mark(metrics):
    many = [row for seed in range(2, 5) for row in translations(seed)]
    assert 1 / len(many) < LEAST
    assert "seen" not in score(metrics, [SEEN[0], *many[1:]]).to_dict()


def test_common_segments_alone_count(metrics):
    """The rows that --common leaves out are not those that are scored."""
    mixed = OTHERS + [row for row in SEEN if row.system == "good"]
    assert "seen" in score(metrics, mixed).to_dict()
    assert "seen" not in score(metrics, mixed).common().to_dict()


def test_meta_compares_the_others_alone(metrics):
    metrics["bleu"] = otherwords.metric("bleu")
    how = {
        "coefficients": Coefficients(level="segment", names=["pearson"]),
        "comparisons": Comparisons("all", trials=100),
    }
    found = agreement(SEEN, metrics, "da", scoring=Scoring(any_language=True), **how)
    assert {(one.one, one.other) for one in found.differences} == {("chrf", "bleu")}
    assert any(MARK in note for note in found.notes())
    assert found.to_dict()["metrics"][0]["trained_on"] == 1.0
    table = scores_of(found)
    assert sorted(row[1].counts for row in table.rows) == [False, True, True]
    other = agreement(OTHERS, metrics, "da", scoring=Scoring(any_language=True), **how)
    assert len(other.differences) == 3
    assert not any("trained on" in note for note in other.notes())


def test_a_report_has_no_star_for_it(metrics):
    page = build(
        SEEN,
        metrics,
        "da",
        resampling=FEW,
        scoring=Scoring(any_language=True),
        layout=Layout(examples=1),
    )
    names = [table.name for table in page.tables]
    assert "significance-chrf" in names
    assert "significance-mine" not in names
    agreed = next(table for table in page.tables if table.name == "agreement-segment")
    assert [row[0] for row in agreed.rows] == ["mine (seen in training)", "chrf"]  # best first
    assert page.html.count(MARK) >= 2  # under both tables
    other = build(
        OTHERS,
        metrics,
        "da",
        resampling=FEW,
        scoring=Scoring(any_language=True),
        layout=Layout(examples=1),
    )
    assert "significance-mine" in [table.name for table in other.tables]


def test_compare_gives_no_p(metrics):
    result = otherwords.compare(metrics, SEEN, sampling=SAMPLED, any_language=True)
    [found] = result.comparisons
    assert [one.p is None for one in found.corpus] == [True, False]
    assert all(one.p is None for one in found.lengths["mine"])
    assert any(MARK in note for note in result.notes())
    assert "comparison" not in result.to_dict()["corpus"][0]["difference"]


def test_python(metrics):
    texts = {s: [r.hypothesis for r in SEEN if r.system == s] for s in ("good", "poor")}
    references = [r.references[0] for r in SEEN if r.system == "good"]
    result = otherwords.score(metrics["mine"], texts["good"], references=references)
    assert result.trained_on == 1.0
    assert MARK in str(result)
    found = otherwords.compare(list(metrics.values()), texts, references=references)
    assert found["good", "combine"].p is None
    assert found["good", "chrf"].p is not None
    assert MARK in str(found)


def test_gate_says_so(metrics):
    rows = [row for row in SEEN if row.system == "good"]
    assert MARK in str(otherwords.gate(metrics, rows, rules=Rules(), any_language=True))


def test_the_command(ok, judged, model, tmp_path):
    argv = ["-m", "combine", "-m", "chrf", "--set", f"combine.model={model}"]
    out = ok("score", "--rows", judged, *argv, "--paired", "bootstrap", "--resamples", "50")
    assert MARK in out
    other = written(OTHERS, tmp_path / "others.jsonl")
    out = ok("score", "--rows", other, *argv, "--paired", "bootstrap", "--resamples", "50")
    assert "trained on" not in out


@pytest.mark.data
@pytest.mark.parametrize(
    ("metric", "name", "share"),
    [
        ("otherwords-mt", "mt/mqm21-zhen", 1.0),
        ("otherwords-mt", "mt/wmt15-daseg", 1.0),
        ("otherwords-rewrite", "paraphrase/parabank", 1.0),
        ("otherwords-rewrite", "mt/mlqe-eten", 0.0),
    ],
)
def test_embedded_models(shared, metric, name, share):
    rows = list(read_rows(str(shared / f"{name}.jsonl.gz")))[:300]
    made = otherwords.metric(metric)
    pairs = [(r.hypothesis, r.references[0] if r.references else r.source) for r in rows]
    assert made.seen.share(pairs) == pytest.approx(share, abs=0.02)


def test_tables_of_papers_and_recognition_say_it(metrics):
    """None of them marks a best score or tests; the note is all they have."""

    def found(rows):
        labelled = [replace(row, human={"label": float(row.human["da"] > -0.5)}) for row in rows]
        yield pem_tables(
            rows,
            metrics,
            "da",
            scoring=Scoring(any_language=True),
            scales=Scales(others=Scale(-9, 9)),
        )
        yield maxsim_tables(rows, metrics, alphas=[0.5], scoring=Scoring(any_language=True))
        yield paraeval_tables(rows, metrics, resampling=FEW, scoring=Scoring(any_language=True))
        yield measure_recognition(labelled, metrics, scoring=Scoring(any_language=True))

    for tables in found(SEEN):
        [note] = [note for note in tables.notes() if MARK in note]
        assert note.startswith("mine: ")
        assert "so its scores are not those of new text" in note
    for tables in found(OTHERS):
        assert not [note for note in tables.notes() if "trained on" in note]
