"""`meta judge`: an LLM judge against people; oracles are scikit-learn, SciPy and naive twins."""

from __future__ import annotations

import hashlib
import json
import math
import random
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from otherwords.errors import InputError, UsageError
from otherwords.scoring.calibration import Requirement
from otherwords.stats.coefficients import (
    cohen_kappa_resampled,
    fleiss_kappa_resampled,
    weighted_kappa_resampled,
)
from otherwords.stats.intervals import Resampling, wilson
from otherwords.study.agreement import measure_judge
from otherwords.study.studio.judgement import JUDGEMENT, Task, sample_pairs
from otherwords.study.studio.judgement_page import Session
from otherwords.study.studio.log import Log
from tests.oracles import judge as oracle
from tests.oracles.meta import alpha
from tests.test_studio_judgements import EXAMPLE, read_rows

FEW = Resampling(resamples=20)


def labelled(*pairs, **more):
    return [{"human": one, "judge": other, **more} for one, other in pairs]


def values(records, **options):
    result = measure_judge(records, resampling=FEW, **options)
    return {name: estimate.value for name, estimate in result.measures.items()}


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


# Coefficients


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_cohen_kappa_is_that_of_scikit_learn(pairs):
    x, y = (np.array(side, float) for side in zip(*pairs, strict=True))
    whole = np.ones((1, len(pairs)), np.uint16)
    [found] = cohen_kappa_resampled(x, y, whole)
    if len({*x, *y}) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(cohen_kappa_score(x, y))


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_weighted_kappa_is_that_of_scikit_learn(pairs):
    x, y = (np.array(side, float) for side in zip(*pairs, strict=True))
    [found] = weighted_kappa_resampled(x, y, np.ones((1, len(pairs)), np.uint16))
    if len({*x, *y}) == 1:
        assert math.isnan(found)
    else:
        expected = cohen_kappa_score(x, y, weights="quadratic", labels=[1, 2, 3, 4, 5])
        assert found == pytest.approx(expected)


@given(st.data(), st.integers(2, 4), st.integers(1, 12))
def test_fleiss_kappa_against_the_naive_twin(data, raters, size):
    item = st.lists(st.integers(0, 2), min_size=raters, max_size=raters)
    items = data.draw(st.lists(item, min_size=size, max_size=size))
    counts = np.array([[answers.count(label) for label in range(3)] for answers in items], float)
    [found] = fleiss_kappa_resampled(counts, np.ones((1, size), np.uint16))
    assert found == pytest.approx(oracle.fleiss(items), nan_ok=True)


def test_a_resample_is_the_set_with_repeated_rows():
    rng = random.Random(3)
    x, y = (np.array([rng.randrange(3) for _ in range(12)], float) for _ in range(2))
    times = np.array([[rng.randrange(4) for _ in range(12)] for _ in range(5)], np.uint16)
    for draw in times:
        again = np.repeat(np.arange(12), draw)
        for kappa, weights in (
            (cohen_kappa_resampled, None),
            (weighted_kappa_resampled, "quadratic"),
        ):
            [found] = kappa(x, y, draw[None])
            expected = cohen_kappa_score(x[again], y[again], weights=weights, labels=[0, 1, 2])
            assert found == pytest.approx(expected)


@pytest.mark.parametrize(("hits", "size"), [(0, 5), (3, 7), (7, 7), (40, 100)])
def test_wilson_is_that_of_scipy(hits, size):
    expected = scipy.stats.binomtest(hits, size).proportion_ci(0.9, method="wilson")
    assert wilson(hits, size, 0.9) == pytest.approx((expected.low, expected.high))


# Measures


answers = st.lists(st.sampled_from(["pass", "fail"]), min_size=1, max_size=3)


@settings(max_examples=60)
@given(st.lists(st.tuples(answers, answers), min_size=3, max_size=12))
def test_labels_against_the_naive_twin(items):
    records = [{"human": one, "judge": other} for one, other in items]
    found = values(records)
    first = [max(other, key=lambda a, o=other: (o.count(a), -o.index(a))) for _, other in items]
    people = [oracle.usual(one) for one, _ in items]
    pairs = [(one, other) for one, other in zip(people, first, strict=True) if one is not None]
    expected = oracle.rates(pairs, "pass") if pairs else (None, None, None)
    if any("pass" in answer for item in items for answer in item):
        assert [found["accuracy"], found["tpr"], found["tnr"]] == pytest.approx(list(expected))
    code = {"pass": 1, "fail": 0}
    joined = [
        [code[a] for a in (*one, judge)] for (one, _), judge in zip(items, first, strict=True)
    ]
    widest = max(map(len, joined))
    padded = [said + [None] * (widest - len(said)) for said in joined]
    expected_alpha = alpha(list(zip(*padded, strict=True)), "nominal")
    shown = math.nan if found["alpha"] is None else found["alpha"]
    assert shown == pytest.approx(expected_alpha, nan_ok=True)


def test_rates_by_hand():
    pairs = [*[("yes", "yes")] * 6, *[("yes", "no")] * 2, *[("no", "no")] * 3, ("no", "yes")]
    found = values(labelled(*pairs))
    assert found["accuracy"] == 9 / 12
    assert (found["tpr"], found["tnr"]) == (6 / 8, 3 / 4)
    assert (found["base-rate"], found["judge-rate"]) == pytest.approx((8 / 12, 7 / 12))
    one, other = zip(*pairs, strict=True)
    assert found["kappa"] == pytest.approx(cohen_kappa_score(one, other))


def test_scores():
    pairs = [(1, 2), (2, 2), (3, 5), (4, 4), (5, 4)]
    found = values(labelled(*pairs))
    people, judge = zip(*pairs, strict=True)
    weighted = cohen_kappa_score(people, judge, weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert found["weighted-kappa"] == pytest.approx(weighted)
    assert found["pearson"] == pytest.approx(scipy.stats.pearsonr(people, judge).statistic)
    assert found["spearman"] == pytest.approx(scipy.stats.spearmanr(people, judge).statistic)
    assert found["shift"] == pytest.approx(0.4)
    assert found["alpha"] == pytest.approx(alpha([people, judge], "interval"))
    assert not {"accuracy", "kappa", "tpr"} & found.keys()
    cut = measure_judge(labelled(*pairs), positive=4, resampling=FEW)
    assert cut.positive == "at least 4"
    assert cut.measures["accuracy"].value == 0.8  # 3 is below, 5 is not


def test_self_consistency_counts_pairs_of_repeats():
    records = [
        {"id": "a", "human": "pass", "judge": ["pass", "pass", "fail"]},
        *({"id": "b", "human": "fail", "judge": "fail"} for _ in range(2)),
        {"id": "c", "human": "fail", "judge": "pass"},
    ]
    assert values(records)["self-consistency"] == pytest.approx((1 / 3 + 1) / 2)


def test_position_and_swaps():
    records = [
        {"id": "1", "human": "A", "judge": "A", "first": "A"},
        {"id": "1", "human": "A", "judge": "B", "first": "B"},  # follows the position
        {"id": "2", "human": "B", "judge": "B", "first": "A"},
        {"id": "2", "human": "B", "judge": "B", "first": "B"},
        {"id": "3", "human": "B", "judge": "tie", "first": "A"},  # no choice
    ]
    found = values(records)
    # Item 1: the judge chose the first text twice, people once; item 2: both once of two.
    assert found["position-bias"] == pytest.approx((0.5 + 0) / 2)
    assert found["swap-consistency"] == 0.5


def test_length_bias_of_choices():
    texts = {"text.A": "short", "text.B": "much longer"}
    records = [
        {"id": "1", "human": "A", "judge": "B", **texts},
        {"id": "2", "human": "A", "judge": "A", **texts},
        {"id": "3", "human": "B", "judge": "B", **texts},
        {"id": "4", "human": "A", "judge": "B", "text": {"A": "equal", "B": "equal"}},
    ]
    assert values(records)["length-bias"] == pytest.approx(1 / 3)


def test_length_correlation_of_single_texts():
    rows = [
        ("no", "yes", "x" * 9),
        ("yes", "yes", "x" * 5),
        ("no", "no", "x" * 4),
        ("yes", "no", "x"),
    ]
    records = [{"human": one, "judge": other, "output": text} for one, other, text in rows]
    expected = scipy.stats.spearmanr([1, 0, 0, -1], [9, 5, 4, 1]).statistic
    assert values(records)["length-correlation"] == pytest.approx(expected)


def test_corrected_prevalence():
    known = labelled(
        *[("yes", "yes")] * 8, *[("yes", "no")] * 2, *[("no", "no")] * 9, ("no", "yes")
    )
    unknown = [{"judge": label} for label in ["yes"] * 6 + ["no"] * 4]
    # tpr .8, tnr .9: (.6 + .9 - 1) / (.8 + .9 - 1)
    assert values([*known, *unknown])["prevalence"] == pytest.approx(0.5 / 0.7)
    worse = labelled(("yes", "no"), ("no", "yes"))
    found = measure_judge([*worse, *unknown], resampling=FEW).measures["prevalence"]
    assert (found.value, found.reason) == (None, "the judge is no better than chance")


def test_disagreements_are_worst_first():
    records = [
        {"id": "a", "human": ["no", "no", "yes"], "judge": "yes"},
        {"id": "b", "human": "yes", "judge": "yes"},
        {"id": "c", "human": ["no", "no"], "judge": ["yes", "yes"]},
        {"id": "d", "human": ["no", "yes"], "judge": "yes"},
    ]
    result = measure_judge(records, resampling=FEW)
    assert [(d.item, d.distance) for d in result.disagreements] == [
        ("c", 1.0),
        ("a", pytest.approx(2 / 3)),
        ("d", 0.5),
    ]
    assert result.disagreements[0].judge == "yes x2"
    assert "items on which people are divided, only in alpha and fleiss: 1" in result.remarks
    assert len(list(result.records())[1].rows) == 3
    assert len(list(replace(result, shown=1).tables())[1].rows) == 1


def test_frames_and_tables_say_the_same(tmp_path):
    records = labelled(("yes", "no"), ("yes", "yes"), ("no", "no"), ("No ", "YES"))
    frame = pd.DataFrame(records)
    frame.to_csv(tmp_path / "answers.csv", index=False)
    frame.to_parquet(tmp_path / "answers.parquet")
    expected = values(records)
    for source in (
        frame,
        write(tmp_path / "answers.jsonl", records),
        tmp_path / "answers.csv",
        str(tmp_path / "answers.parquet"),
    ):
        assert values(source) == expected


def test_columns_of_several_people_and_runs():
    records = [{"ann": "yes", "ben": "no", "run1": "yes", "run2": "yes"}] * 2
    records += [{"ann": "no", "ben": "no", "run1": "no", "run2": "yes"}]
    result = measure_judge(records, human=["ann", "ben"], judge=["run1", "run2"], resampling=FEW)
    assert result.measures["self-consistency"].value == pytest.approx(2 / 3)
    assert result.measures["accuracy"].size == 1  # people are divided on two


def test_three_labels_have_no_rates_without_a_positive_one():
    records = labelled(("a", "a"), ("b", "c"), ("c", "c"))
    assert "tpr" not in values(records)
    assert values(records, positive="C")["tpr"] == 1.0


@pytest.mark.parametrize(
    ("records", "options", "message"),
    [
        ([{"human": "yes"}], {}, "no record has an answer of the judge in 'judge'"),
        ([{"judge": "yes"}], {}, "no item has answers of both"),
        (labelled(("yes", "no")), {"positive": "good"}, "no answer is 'good'"),
        (labelled((1, 2), (3, 4)), {"positive": "good"}, "positive is the least of them"),
        (labelled(("yes", {"label": "no"})), {}, "must be a label or a number, not {'label'"),
        (labelled(("yes", "no")), {"human": "people"}, "in 'people' and 'judge'"),
        (labelled(("yes", "no"), id="1"), {"humans": [{"id": "2", "human": "no"}]}, "in common"),
    ],
)
def test_wrong_calls(records, options, message):
    with pytest.raises((InputError, UsageError), match=message):
        measure_judge(records, **options)


def test_other_human_answers_in_a_repeat_are_refused():
    with pytest.raises(InputError, match="'1' has other human answers"):
        measure_judge([*labelled(("yes", "no"), id="1"), *labelled(("no", "no"), id="1")])


def test_items_without_answers_and_people_who_are_all_divided(recwarn):
    records = [{"human": ["yes", "no"], "judge": "yes"}, {"judge": "no"}, {"id": "x"}]
    result = measure_judge(records, resampling=FEW)
    assert (result.measures["kappa"].value, result.measures["kappa"].size) == (None, 0)
    assert "items without an answer of the judge, left out: 1" in result.remarks
    assert not recwarn


# The command, the studio, the gate


@pytest.fixture
def answered(tmp_path):
    pairs = [("pass", "pass")] * 6 + [("fail", "fail")] * 3 + [("fail", "pass")]
    return write(tmp_path / "answers.jsonl", labelled(*pairs))


@pytest.fixture
def calibration(answered, ok, tmp_path):
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Is this right?")
    path = tmp_path / "judge.json"
    ok(
        *("meta", "judge", answered, "--name", "grader", "--model", "small-1"),
        *("--prompt", prompt, "--resamples", 50, "-o", path),
    )
    return path


def test_the_command(answered, ok):
    out = ok("meta", "judge", answered, "--resamples", 50)
    assert "judge against people, 10 items" in out
    assert "Disagreements, worst first: 1 of 10 items" in out


def test_the_calibration_is_tied_to_judge_model_and_prompt(calibration):
    document = json.loads(calibration.read_text())
    assert (document["judge"], document["model"]) == ("grader", "small-1")
    assert document["prompt"] == hashlib.sha256(b"Is this right?").hexdigest()
    kappa = cohen_kappa_score(["p"] * 6 + ["f"] * 4, ["p"] * 6 + ["f"] * 3 + ["p"])
    assert document["measures"]["kappa"]["value"] == pytest.approx(kappa)


def test_bad_files_are_refused(refused, tmp_path):
    path = write(tmp_path / "answers.jsonl", [{"human": "yes"}])
    assert "no record has an answer of the judge" in refused("meta", "judge", path)
    path.write_text("yes no\n")
    assert "answers.jsonl:1" in refused("meta", "judge", path)
    assert "missing.csv" in refused("meta", "judge", tmp_path / "missing.csv")


def test_logs_of_the_studio_are_the_human_side(ok, tmp_path):
    task = Task(tuple(sample_pairs(read_rows(EXAMPLE), kinds=[])), ("adequacy",))
    with Log(tmp_path / "judge.log", JUDGEMENT) as log:
        for judge, shift in (("Ann", 0), ("Ben", 1)):
            session = Session(log, judge, task)
            for place, number in enumerate(session.order):
                score = min(1 + number % 5 + shift, 5)
                session.score({"place": place, "criterion": "adequacy", "score": score})
    rows = ok("studio", "export", "--log", tmp_path / "judge.log")
    answers = [
        {"system": row["system"], "item": row["item"], "judge": row["judges"][0]["adequacy"]}
        for row in map(json.loads, rows.splitlines())
    ]
    path = write(tmp_path / "answers.jsonl", answers)
    command = ("meta", "judge", path, "--resamples", 20, "-f", "json", "--humans")
    document = json.loads(ok(*command, tmp_path / "judge.log"))
    assert document["items"] == len(answers)
    # Ben gives one point more than Ann, but 5 at most; the judge answers as Ann does.
    shares = [0.5 * (answer["judge"] < 5) for answer in answers]
    assert document["measures"]["shift"]["value"] == pytest.approx(-np.mean(shares))
    (tmp_path / "rows.jsonl").write_text(rows)
    exported = json.loads(ok(*command, tmp_path / "rows.jsonl"))
    assert exported["measures"] == document["measures"]


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "same.txt"
    path.write_text("She left.\n")
    return path, "-s", path


def test_the_gate_requires_agreement(run, calibration, texts, tmp_path):
    need = ("gate", *texts, "--require-agreement", calibration)
    code, out, _ = run(*need, "kappa=.7,tpr=.9")
    assert code == 0
    assert "no-contradictions" in out  # the default rule still holds
    code, out, _ = run(*need, "kappa=.9,tpr=.9")
    assert code == 1
    [line] = [line for line in out.splitlines() if "failed" in line and "require" in line]
    assert "kappa" in line
    assert "at least 0.9" in line
    code, out, _ = run(*need, "kappa=.9", "-f", "junit")
    assert 'name="require-agreement kappa"><failure message="kappa is 0.7826; wanted: at' in out


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (
            "kappa=.6,model=other",
            "the model must be 'other', but the calibration is about 'small-1'",
        ),
        ("kappa=.6,judge=other", "the judge must be 'other'"),
        ("kappa=.6,prompt=PROMPT", "the prompt must be"),
        ("kapa=.6", "'kapa' was not measured"),
        ("kappa", "MEASURE=VALUE"),
        ("model=small-1", "names no measure"),
        ("kappa=7", "must be a number from -1 to 1"),
    ],
)
def test_the_gate_refuses_other_calibrations(
    refused, calibration, texts, tmp_path, wanted, message
):
    (tmp_path / "other.txt").write_text("Is this wrong?")
    wanted = wanted.replace("PROMPT", str(tmp_path / "other.txt"))
    assert message in refused("gate", *texts, "--require-agreement", calibration, wanted)


def test_a_matching_prompt_passes(calibration, tmp_path):
    wanted = {"kappa": 0.5, "prompt": str(tmp_path / "prompt.txt")}
    [check] = Requirement(calibration, wanted).check()
    assert (check.metric, check.limit, check.passed) == ("kappa", 0.5, True)


def test_the_scores_must_be_of_the_judge(run, refused, calibration, texts, tmp_path):
    (tmp_path / "grader.txt").write_text("0.9\n")
    need = ("gate", *texts, "--require-agreement", calibration, "kappa=.7", "--scores")
    code, out, _ = run(*need, f"grader={tmp_path / 'grader.txt'}", "--fail-under", "grader=.5")
    assert code == 0, out
    other = refused(*need, f"comet={tmp_path / 'grader.txt'}", "--fail-under", "comet=.5")
    assert "this is about the judge 'grader', but the scores are of comet" in other


def test_a_file_that_is_no_calibration(refused, texts, tmp_path):
    path = tmp_path / "judge.json"
    for text in ("[]", "{", '{"measures": 3}'):
        path.write_text(text)
        message = refused("gate", *texts, "--require-agreement", path, "kappa=.6")
        assert "not a calibration" in message


ANSWERS = [("pass", "pass"), ("pass", "fail"), ("fail", "fail")]


def write_answers(path, pairs, **more):
    records = [{"human": one, "judge": other, **more} for one, other in pairs]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize("answer", [math.inf, -math.inf, 10**400, "1e400"])
def test_an_answer_that_is_no_finite_number_is_refused(refused, tmp_path, answer):
    path = write_answers(tmp_path / "a.jsonl", [*ANSWERS, ("pass", answer)])
    assert "a.jsonl:4: an answer must be a label or a finite number" in refused(
        "meta", "judge", path
    )


def test_an_answer_that_is_nan_is_no_answer(ok, tmp_path):
    path = write_answers(tmp_path / "a.jsonl", [*ANSWERS, ("pass", math.nan)])
    out = ok("meta", "judge", path)
    assert "3 items" in out
    assert "items without an answer of the judge, left out: 1" in out


@pytest.mark.parametrize("names", [{"pass": "yes", "fail": "no"}, {"pass": 1, "fail": 0}])
def test_labels_that_are_never_the_same_are_refused(refused, tmp_path, names):
    pairs = [(names[one], other) for one, other in ANSWERS]
    message = refused("meta", "judge", write_answers(tmp_path / "a.jsonl", pairs))
    assert "people and the judge have no label in common" in message


def test_an_object_as_answer_has_a_place(refused, tmp_path):
    path = write_answers(tmp_path / "a.jsonl", [*ANSWERS, ("pass", [{"a": 1}])])
    assert "a.jsonl:4: an answer must be a label" in refused("meta", "judge", path)


def test_options_shown_first_that_are_no_answers_are_counted(ok, tmp_path):
    path = write_answers(tmp_path / "a.jsonl", ANSWERS, first="C")
    assert "options shown first, none of them an answer: 1" in ok("meta", "judge", path)


def test_a_calibration_with_no_finite_value_is_refused(refused, calibration, texts):
    document = json.loads(calibration.read_text())
    text = calibration.read_text().replace(str(document["measures"]["kappa"]["value"]), "1e999")
    calibration.write_text(text)
    said = refused("gate", *texts, "--require-agreement", calibration, "kappa=.7")
    assert "'kappa' has no value" in said


def test_a_measure_is_required_once(refused, calibration, texts):
    said = refused("gate", *texts, "--require-agreement", calibration, "kappa=.9,kappa=.1")
    assert "require-agreement has two values for kappa" in said
