"""Judgements: what is put before judges, the log of what they say, who fails, what comes out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.jsonl import row_of
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.study.agreement.human_scores import Scale, is_control
from otherwords.study.studio.judgement import (
    JUDGEMENT,
    Origin,
    PairToJudge,
    Task,
    sample_pairs,
)
from otherwords.study.studio.judgement_page import (
    Session,
    TaskOptions,
    judge_page,
    open_judgement_pages,
)
from otherwords.study.studio.judges import agreement_on, check_judge, make_rows, read_judgements
from otherwords.study.studio.log import Log
from otherwords.study.studio.server import Access, app
from tests.browser import KEY, let_in

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "judgement" / "rows.jsonl"
CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")
SYSTEMS = ("north", "south", "west")
BASE = "http://127.0.0.1:8124"


@pytest.fixture
def task() -> Task:
    return Task(tuple(sample_pairs(read_rows(EXAMPLE))), CRITERIA)


@pytest.fixture
def client(tmp_path, task):
    with Log(tmp_path / "judge.log", JUDGEMENT) as log:
        page = judge_page(Session(log, "Ann", task))
        with TestClient(app([page], access=Access(KEY)), BASE) as client:
            let_in(client)
            yield client


# What is judged


def test_a_text_of_several_systems_is_one_pair():
    pairs = sample_pairs(read_rows(EXAMPLE), kinds=[])
    assert len(pairs) == 22  # 24 rows, and two texts twice
    shared = [pair for pair in pairs if len(pair.origins[0].systems) > 1]
    assert [pair.origins[0].systems for pair in shared] == [("south", "west")] * 2


def test_controls_of_every_kind():
    pairs = sample_pairs(read_rows(EXAMPLE), share=0.35)
    made = [pair for pair in pairs if pair.control]
    assert len(made) == 12  # 22 / (1 - .35) - 22 = 11.8
    kinds = Counter(pair.control for pair in made)
    assert kinds == {"copy": 3, "random": 3, "reference": 3, "deleted": 3}
    sources = {row.source: row.references[0] for row in read_rows(EXAMPLE)}
    for pair in made:
        assert pair.origins[0].systems == (f"control-{pair.control}",)
        if pair.control == "copy":
            assert pair.text == pair.original
        if pair.control == "random":
            assert pair.text in sources.keys() - {pair.original}
        if pair.control == "reference":
            assert pair.text == sources[pair.original]
        if pair.control == "deleted":
            whole, left = pair.original.strip(".").split(), pair.text.strip(".").split()
            assert len(left) == (len(whole) + 1) // 2
            assert pair.text.endswith(".")
            rest = iter(whole)
            assert all(word in rest for word in left)  # in their order
    assert [pair.origins[0].item for pair in made if pair.control == "copy"] != ["s1"] * 3


def test_a_small_set_has_one_control_of_each_kind():
    pairs = sample_pairs(read_rows(EXAMPLE), share=0.01, sample=5)
    assert Counter(pair.control for pair in pairs)[None] == 5
    assert len(pairs) == 9


def test_controls_that_cannot_be_made_are_left_out():
    pairs = sample_pairs([Row("Go.", source="Go.")])
    assert [pair.control for pair in pairs] == [None]  # the copy is what the system said
    pairs = sample_pairs([Row("Leave now.", source="Go away.")])
    assert [pair.control for pair in pairs] == [None, "copy", "deleted"]


def test_systems_samples_and_references():
    rows = list(read_rows(EXAMPLE))
    assert len(sample_pairs(rows, systems=["north"], kinds=[])) == 8
    one, other = (sample_pairs(rows, sample=6, seed=seed, kinds=[]) for seed in (0, 1))
    assert one == sample_pairs(rows, sample=6, seed=0, kinds=[])
    assert one != other
    by_reference = sample_pairs(rows, against="references", kinds=["reference", "copy"])
    assert {pair.original for pair in by_reference} == {row.references[0] for row in rows}
    assert Counter(pair.control for pair in by_reference)["reference"] == 0  # there is no second
    with pytest.raises(UsageError, match=r"there is no system 'nroth' in the rows; .*'north'"):
        sample_pairs(rows, systems=["nroth"])
    with pytest.raises(UsageError, match="unknown kind of control 'copies'"):
        sample_pairs(rows, kinds=["copies"])
    with pytest.raises(InputError, match="f:3: this row has no source to judge it by"):
        sample_pairs([Row("a", ("b",), path="f", line=3)])
    with pytest.raises(InputError, match="nothing to judge"):
        sample_pairs([Row("a", source="b", system="control-copy")])


def test_each_judge_has_an_order_of_their_own(task):
    ann, bob = task.order("Ann"), task.order("Bob")
    assert sorted(ann) == sorted(bob) == list(range(len(task.pairs)))
    assert ann != bob
    assert ann == task.order("Ann")
    assert ann != sorted(ann)


# The page


def test_the_page_does_not_know_the_systems(client, task):
    answers = [client.get(address).text for address in ("/judge", "/api/judge/state")]
    for place in range(len(task.pairs)):
        answers.append(client.get("/api/judge/pair", params={"place": place}).text)
        answer = client.post(
            "/api/judge/score", json={"place": place, "criterion": "overall", "score": 3}
        )
        assert answer.status_code == 200
        answers.append(answer.text)
    answers.append(client.post("/api/judge/undo", json={}).text)
    pair = set(json.loads(answers[2]))
    said = {"scores", "notes", "done", "skipped", "total", "undo", "step", "left"}
    assert pair == {"place", "original", "text", *said}
    assert not [name for name in (*SYSTEMS, "control", "s1") for one in answers if name in one]
    for answer in answers[2:]:
        for secret in ("copy", "random", "deleted", "reference", "item"):
            assert secret not in answer


def test_scores_are_saved_changed_and_taken_back(client, tmp_path):
    def post(key, **body):
        return client.post(f"/api/judge/{key}", json=body)

    assert post("undo").json()["error"] == "there is nothing to undo"
    assert post("score", place=2, criterion="fluency", score=4).json()["scores"] == {"fluency": 4}
    assert post("score", place=2, criterion="fluency", score=2).json()["scores"] == {"fluency": 2}
    for criterion in CRITERIA:
        found = post("score", place=0, criterion=criterion, score=5).json()
    assert (found["done"], found["undo"]) == (1, True)
    assert client.get("/api/judge/state").json()["place"] == 1
    found = post("undo").json()
    assert (found["place"], found["criterion"], found["done"]) == (0, "overall", 0)
    for _ in range(4):
        found = post("undo").json()
    assert (found["place"], found["scores"]) == (2, {"fluency": 4})
    with pytest.raises(InputError, match="in use by another studio"):
        Log(tmp_path / "judge.log", JUDGEMENT)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"criterion": "fluency", "score": 3}, "place must be a whole number from 0 to 25"),
        (
            {"place": 99, "criterion": "fluency", "score": 3},
            "place must be a whole number from 0 to 25",
        ),
        (
            {"place": -1, "criterion": "fluency", "score": 3},
            "place must be a whole number from 0 to 25",
        ),
        ({"place": 0, "criterion": "beauty", "score": 3}, "this criterion is not judged here"),
        ({"place": 0, "criterion": ["fluency"], "score": 3}, "this criterion is not judged here"),
        ({"place": 0, "criterion": "fluency", "score": 6}, "a whole number from 1 to 5"),
        ({"place": 0, "criterion": "fluency", "score": 2.5}, "a whole number from 1 to 5"),
        ({"place": 0, "criterion": "fluency", "score": True}, "a whole number from 1 to 5"),
        ({"place": 0, "criterion": "fluency", "score": None}, "a whole number from 1 to 5"),
    ],
)
def test_wrong_scores_are_refused(client, body, message):
    answer = client.post("/api/judge/score", json=body)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize("place", ["", "26", "-1", "x", "\u0663", "9" * 5000])
def test_there_is_no_such_pair(client, place):
    answer = client.get("/api/judge/pair", params={"place": place})
    assert answer.status_code == 400
    assert "place must be a whole number from 0 to 25" in answer.json()["error"]


def test_a_killed_session_goes_on(tmp_path, task):
    path = tmp_path / "judge.log"
    with Log(path, JUDGEMENT) as log:
        session = Session(log, "Ann", task)
        for criterion in CRITERIA:
            session.score({"place": 0, "criterion": criterion, "score": 2})
        session.score({"place": 1, "criterion": "overall", "score": 3})
        session.undo({})
        session.score({"place": 1, "criterion": "fluency", "score": 1})
    path.write_bytes(path.read_bytes() + b'{"kind": "score", "judge": "An')  # a torn line
    with Log(path, JUDGEMENT) as log:
        again = Session(log, "Ann")
        assert again.state({})["place"] == 1
        assert again.pair({"place": "1"})["scores"] == {"fluency": 1}
        assert again.undo({})["scores"] == {}
        other = Session(log, "Bob")
        assert other.state({})["done"] == 0


def test_a_torn_list_of_pairs_is_begun_anew(tmp_path, task):
    path = tmp_path / "judge.log"
    with Log(path, JUDGEMENT) as log:
        Session(log, "Ann", task)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:10]))
    with Log(path, JUDGEMENT) as log:
        with pytest.raises(InputError, match="nothing was judged here yet"):
            Session(log, "Ann")
        assert Session(log, "Ann", task).task == task
    with Log(path, JUDGEMENT) as log:
        assert Session(log, "Ann").task == task


def test_a_log_keeps_to_its_task(tmp_path, task):
    with Log(tmp_path / "judge.log", JUDGEMENT) as log:
        Session(log, "Ann", task)
        with pytest.raises(InputError, match="begun with other criteria; take a new log"):
            Session(log, "Ann", Task(task.pairs, CRITERIA[:2]))
        with pytest.raises(InputError, match="begun with other pairs and digest"):
            Session(log, "Ann", Task(task.pairs[1:], CRITERIA))


def test_what_is_sent_twice_is_done_once_and_late_windows_are_refused(client):
    def post(key, **body):
        return client.post(f"/api/judge/{key}", json=body)

    first = {"place": 0, "criterion": "fluency", "score": 4, "step": 0}
    assert post("score", **first).json()["step"] == 1
    assert post("score", **first).json()["step"] == 1  # its answer was lost
    late = post("score", **{**first, "score": 2})
    assert (late.status_code, "another window saved a judgement first" in late.text) == (409, True)
    assert post("score", **{**first, "score": 5, "step": 1}).json()["scores"] == {"fluency": 5}
    once, again = (post("undo", step=2).json() for _ in range(2))
    assert once == again
    assert once["scores"] == {"fluency": 4}
    assert post("undo", step=3).json()["scores"] == {}


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "score", "pair": 0, "criterion": "fluency", "score": 3},
        {"kind": "score", "judge": "Ann", "pair": 99, "criterion": "fluency", "score": 3},
        {"kind": "score", "judge": "Ann", "pair": "x", "criterion": "fluency", "score": 3},
        {"kind": "score", "judge": "Ann", "pair": [0], "criterion": "fluency", "score": 3},
        {"kind": "score", "judge": "Ann", "pair": 0, "criterion": "beauty", "score": 3},
        {"kind": "score", "judge": "Ann", "pair": 0, "criterion": "fluency", "score": 7},
        {"kind": "score", "judge": "Ann", "pair": 0, "criterion": "fluency", "score": "3"},
        {"kind": "score", "judge": 7, "pair": 0, "criterion": "fluency", "score": 3},
        {"kind": "score", "judge": ["Ann"], "pair": 0, "criterion": "fluency", "score": 3},
    ],
)
def test_damaged_events_are_reported(tmp_path, task, refused, event):
    path = tmp_path / "judge.log"
    with Log(path, JUDGEMENT) as log:
        Session(log, "Ann", task)
        log.append(event)
        with pytest.raises(InputError, match=r"damaged|not here"):
            Session(log, "Ann")
    assert str(path) in refused("studio", "export", "--log", path)
    assert str(path) in refused("studio", "judges", path)


def test_damaged_pairs_are_reported(tmp_path, refused):
    path = tmp_path / "judge.log"
    head = {"criteria": ["overall"], "scale": [1, 5], "seed": 0, "pairs": 1, "digest": ""}
    for pair in ({}, {"original": "a", "text": "b", "control": None, "origins": [{}]}):
        path.unlink(missing_ok=True)
        with Log(path, JUDGEMENT) as log:
            log.extend([{"kind": "pair", **pair}, {"kind": "task", **head}])
        assert f"{path}: a damaged event" in refused("studio", "judges", path)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_a_judge_has_a_name(tmp_path, task, name):
    with Log(tmp_path / "log", JUDGEMENT) as log, pytest.raises(UsageError, match="needs a name"):
        Session(log, name, task)


steps = st.lists(
    st.one_of(
        st.just(None), st.tuples(st.integers(0, 4), st.sampled_from(CRITERIA), st.integers(1, 5))
    ),
    max_size=25,
)


@settings(max_examples=25)
@given(steps)
def test_the_log_replays_to_what_the_judge_saw(tmp_path_factory, said):
    """Undo is a stack of states, whatever was done between."""
    task = Task(tuple(PairToJudge(f"a{n}", "b") for n in range(5)), CRITERIA)
    states: list[dict[tuple[int, str], int]] = [{}]
    path = tmp_path_factory.mktemp("log") / "judge.log"
    with Log(path, JUDGEMENT) as log:
        session = Session(log, "Ann", task)
        for step in said:
            if step is not None:
                place, criterion, score = step
                session.score({"place": place, "criterion": criterion, "score": score})
                states.append({**states[-1], (session.order[place], criterion): score})
            elif len(states) > 1:
                session.undo({})
                states.pop()
    with Log(path, JUDGEMENT) as log:
        again = Session(log, "Ann")
    found = {
        (pair, name): score for pair, some in again.scores.items() for name, score in some.items()
    }
    assert found == states[-1]
    exported = read_judgements([str(path)]).scores.get("Ann", {})
    assert {pair: some for pair, some in exported.items() if some} == {
        pair: some for pair, some in again.scores.items() if some
    }


# Who fails the controls


TRUE = {  # what an attentive judge means, on 1-5: adequacy, fluency, dissimilarity, overall
    "copy": (5, 4.5, 1, 2),
    "random": (1, 4.5, 5, 1),
    "reference": (4.5, 4.5, 3.5, 4),
    "deleted": (2.5, 1.5, 2.5, 1.5),
    None: (3.5, 3.5, 3, 3),
}


def simulated(task: Task, kind: str, seed: int):
    """The scores of a judge who is attentive, careless, or always in the middle or at an end."""
    random = np.random.default_rng(seed)
    scores = {}
    for number, pair in enumerate(task.pairs):
        meant = np.array(TRUE[pair.control]) + random.normal(0, 0.9, 4)
        drawn = {
            "good": np.clip(np.rint(meant), 1, 5),
            "careless": random.integers(1, 6, 4),
            "middle": np.full(4, 3),
            "kind": np.full(4, 5),
        }[kind]
        scores[number] = dict(zip(CRITERIA, drawn.astype(int).tolist(), strict=True))
    return scores


def flagged(task: Task, kind: str, judges: int) -> int:
    return sum(
        check_judge("x", task.pairs, simulated(task, kind, seed), Scale(1, 5)).flagged
        for seed in range(judges)
    )


def test_good_judges_pass_and_careless_ones_are_flagged():
    task = Task(tuple(sample_pairs(read_rows(EXAMPLE), share=0.35)), CRITERIA)
    assert flagged(task, "good", 200) <= 4
    assert flagged(task, "careless", 200) >= 196
    assert flagged(task, "middle", 1) == 1
    assert flagged(task, "kind", 1) == 1


def test_one_control_of_a_kind_is_not_enough():
    pairs = [PairToJudge("a", "a", "copy"), PairToJudge("a", "b")]
    scores = {0: {"adequacy": 1}, 1: {"adequacy": 1}}
    found = check_judge("Ann", pairs, scores, Scale(1, 5))
    assert (found.pairs, found.controls, found.checks, found.flagged) == (1, 1, (), False)


def test_broken_sentences_must_be_below_whole_ones():
    pairs = [PairToJudge("a b", "a", "deleted")] * 2 + [PairToJudge("a b", "c d")] * 2
    scale = Scale(0, 4)

    def check(deleted: int, real: int):
        scores = {n: {"fluency": deleted if n < 2 else real} for n in range(4)}
        return check_judge("Ann", pairs, scores, scale)

    assert not check(1, 2).flagged
    (failed,) = check(2, 2).failed  # on 1-5
    assert str(failed) == "fluency of the systems 3.00, of deleted 3.00, not higher"
    assert check(3, 2).flagged
    copies = [*pairs, *[PairToJudge("a b", "a b", "copy")] * 2]
    scores = {n: {"fluency": score} for n, score in enumerate([2, 2, 1, 1, 3, 3])}
    assert not check_judge("Ann", copies, scores, scale).flagged  # bad systems are no measure


def test_copies_and_unrelated_sentences_must_be_a_point_apart():
    pairs = [PairToJudge("a b", "a b", "copy")] * 2 + [PairToJudge("a b", "c d", "random")] * 2

    def check(criterion: str, *given: int):
        scores = {n: {criterion: score} for n, score in enumerate(given)}
        return check_judge("Ann", pairs, scores, Scale(1, 5)).flagged

    assert not check("adequacy", 5, 5, 4, 3)  # generous, but attentive
    assert not check("adequacy", 3, 2, 1, 1)  # strict
    assert check("adequacy", 5, 5, 4, 4)
    assert check("adequacy", 1, 1, 5, 5)
    assert not check("dissimilarity", 1, 1, 5, 5)
    assert check("dissimilarity", 5, 5, 1, 1)
    assert not check("fluency", 1, 1, 5, 5)  # says nothing


# What comes out


def judge_all(path, task, judges: dict[str, str], seed: int = 0) -> None:
    """All scores of simulated judges, written at once: a disk takes its time for each."""
    with Log(path, JUDGEMENT) as log:
        for judge, kind in judges.items():
            Session(log, judge, task)
            log.extend(
                {"kind": "score", "judge": judge, "pair": pair, "criterion": name, "score": score}
                for pair, given in simulated(task, kind, seed + len(judge)).items()
                for name, score in given.items()
            )


@pytest.fixture
def log(tmp_path):
    task = Task(tuple(sample_pairs(read_rows(EXAMPLE), share=0.35)), CRITERIA)
    path = tmp_path / "judge.log"
    judge_all(path, task, {"Ann": "good", "Barbara": "good", "Bo": "careless"})
    return path


def test_export_has_the_rows_of_the_input_with_what_people_said(log, run, tmp_path):
    output = tmp_path / "judged.jsonl.gz"
    code, out, err = run("studio", "export", "--log", log, "-o", output)
    assert (code, out) == (0, "")
    assert err.startswith("Bo fails the controls and is kept; --drop-flagged leaves such")
    rows = list(read_rows(output))
    real = [row for row in rows if not is_control(row)]
    assert len(rows) == 22 + 12
    given = {(row.item, row.system): row for row in read_rows(EXAMPLE)}
    for row in real:
        for system in row.systems or (row.system,):
            known = given.pop((row.item, system))
            assert (row.hypothesis, row.source) == (known.hypothesis, known.source)
            assert row.references == known.references
        assert [one.judge for one in row.judges] == ["Ann", "Barbara", "Bo"]
        for name in CRITERIA:
            said = [one.scores[name] for one in row.judges]
            assert row.human[name] == pytest.approx(sum(said) / 3)
    assert not given
    assert {row.system for row in rows if is_control(row)} == {
        f"control-{kind}" for kind in ("copy", "random", "reference", "deleted")
    }


def test_judges_who_fail_can_be_dropped(log, run):
    code, out, err = run("studio", "export", "--log", log, "--drop-flagged", "--no-controls")
    assert code == 0
    assert "Bo fails the controls and is left out: " in err
    rows = [row_of(json.loads(line), "x", 1) for line in out.splitlines()]
    assert len(rows) == 22
    assert all([one.judge for one in row.judges] == ["Ann", "Barbara"] for row in rows)


def test_logs_of_several_judges_are_joined(tmp_path, task):
    for judge in ("Ann", "Bob"):
        judge_all(tmp_path / f"{judge}.log", task, {judge: "good"})
    joined = read_judgements([str(tmp_path / f"{judge}.log") for judge in ("Bob", "Ann")])
    rows = list(make_rows(joined))
    assert len(rows) == len(task.pairs)
    assert all([one["judge"] for one in row["judges"]] == ["Ann", "Bob"] for row in rows)
    judge_all(tmp_path / "other.log", Task(task.pairs, CRITERIA, 0, 9), {})
    with Log(tmp_path / "other.log", JUDGEMENT) as other:
        Session(other, "Cy", Task(task.pairs, CRITERIA, 0, 9))
    with pytest.raises(InputError, match=r"judged on the scale 0:9, but .* on 1:5"):
        read_judgements([str(tmp_path / "Ann.log"), str(tmp_path / "other.log")])


def test_a_text_of_several_logs_counts_for_all_systems_that_produced_it(tmp_path):
    logs = []
    for system in "AB":
        rows = [Row("Leave now.", source="Go away.", system=system, item="1")]
        task = Task(tuple(sample_pairs(rows, kinds=[])), ("overall",))
        logs.append(str(tmp_path / f"{system}.log"))
        with Log(logs[-1], JUDGEMENT) as log:
            Session(log, "Ann", task).score({"place": 0, "criterion": "overall", "score": 4})
    (row,) = make_rows(read_judgements(logs))
    assert (row["system"], row["systems"]) == ("A", ["A", "B"])


def test_meta_reads_it(log, run, ok, tmp_path):
    output = tmp_path / "judged.jsonl"
    run("studio", "export", "--log", log, "-o", output)
    found = json.loads(ok("meta", "paper", "pem", "--jsonl", output, "-m", "pinc", "-f", "json"))
    assert {one[key] for one in found["judges"] for key in ("name", "other")} == {
        "Ann",
        "Barbara",
        "Bo",
    }
    assert any("controls: 12 of 34 rows" in note for note in found["notes"])


def test_train_pem_reads_it(log, run, tmp_path):
    output = tmp_path / "judged.jsonl"
    run("studio", "export", "--log", log, "-o", output, "--drop-flagged")
    code, out, err = run(
        "train", "rewrite", "--jsonl", output, "-o", tmp_path / "my.owm", "--folds", 2
    )
    assert code == 0, err
    assert "trained on 22 pairs of 8 originals" in out.replace("\n", " ")


def test_the_table_of_judges(log, ok):
    lines = ok("studio", "judges", log).splitlines()
    assert lines[0].split() == "judge pairs controls of checks failed flagged".split()
    assert lines[1].split() == ["Ann", "22", "12", "34", "5", "0", "no"]
    assert lines[3].split()[-1] == "yes"
    assert any(line.startswith("Bo: ") for line in lines)
    found = json.loads(ok("studio", "judges", log, "-f", "json"))["judges"]
    assert [one["flagged"] for one in found] == [False, False, True]
    assert "Bo" in ok("studio", "judges", log, "-f", "latex")
    assert ok("studio", "judges", log, "-f", "tsv").count("\t") == 24
    assert len(ok("studio", "judges", log, "-f", "jsonl").splitlines()) == 3


def test_bad_requests(refused, tmp_path, log):
    begin = ("studio", "judge", "--judge", "Ann", "--log", tmp_path / "new.log")
    rows = (*begin, "--jsonl", EXAMPLE)
    assert "is a new log; give the rows to judge with --rows" in refused(*begin)
    assert not (tmp_path / "new.log").exists()
    assert "unknown criterion 'adequancy'" in refused(*rows, "--criteria", "adequancy")
    assert "no criterion" in refused(*rows, "--criteria", ",")
    assert "within 0 to 100" in refused(*rows, "--scale", "0:101")
    assert "leave out --together" in refused(*rows, "--spans", "--together")
    everywhere = refused(*rows, "--bind", "0.0.0.0")
    assert "name the one that judges open with --address" in everywhere
    assert "--address is like https://" in refused(*rows, "--address", "judges.example.org")
    assert "whole numbers" in refused(*rows, "--scale", "1:4.5")
    assert "share" in refused(*rows, "--share", "2")
    idle = refused(*rows, "--control-kinds", "none", "--share", "0.2")
    assert "--share does nothing without controls" in idle
    resumed = ("studio", "judge", "--judge", "Ann", "--log", log)
    assert "--criteria does nothing without --rows" in refused(*resumed, "--criteria", "overall")
    assert "needs a name" in refused("studio", "judge", "--judge", " ", "--log", log)
    assert "log of the studio" in refused("studio", "export", "--log", EXAMPLE)
    assert "in use" in refused_while_open(refused, log)
    export = ("studio", "export", "--log", log)
    assert "--annotator and --all are for alignments" in refused(*export, "--annotator", "Ann")
    assert "are for alignments" in refused(*export, "--all")
    with Log(tmp_path / "empty.log", JUDGEMENT) as empty:
        Session(empty, "Ann", Task((PairToJudge("a", "b"),), CRITERIA))
    message = refused("studio", "export", "--log", tmp_path / "empty.log", "-o", tmp_path / "out")
    assert "there is no judgement to export" in message
    assert not (tmp_path / "out").exists()


def refused_while_open(refused, log):
    with Log(log, JUDGEMENT):
        return refused("studio", "judge", "--judge", "Ann", "--log", log)


# The start, the lead


def test_too_few_controls_are_reported_at_the_start(tmp_path):
    """22 pairs have 4 controls, one of each kind, by which no judge can be checked."""
    rows = [json.loads(line) for line in EXAMPLE.read_text(encoding="utf-8").splitlines()]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    said = []
    few = TaskOptions([str(tmp_path / "rows.jsonl")])
    with open_judgement_pages(str(tmp_path / "few.log"), ["Ann"], few, warn=said.append):
        pass
    [message] = said
    assert "too few to check a judge by" in message
    assert "raise --share" in message
    said.clear()
    many = TaskOptions([str(EXAMPLE)], share=0.4)
    with open_judgement_pages(str(tmp_path / "many.log"), ["Ann"], many, warn=said.append):
        pass
    assert said == []


def test_the_lead_sets_the_instructions(tmp_path):
    (tmp_path / "how.txt").write_text("Read both.\n\nThen judge.\n", encoding="utf-8")
    log, ours = str(tmp_path / "judge.log"), TaskOptions([str(EXAMPLE)])
    theirs = replace(ours, instructions=str(tmp_path / "how.txt"))
    with open_judgement_pages(log, ["Ann"], theirs) as [page]:
        assert page.reads["state"]({})["instructions"] == "Read both.\n\nThen judge."
    with open_judgement_pages(log, ["Bob"]) as [page]:  # kept by the log
        assert "Then judge." in page.reads["state"]({})["instructions"]
    with (
        pytest.raises(InputError, match="other instructions"),
        open_judgement_pages(log, ["Cy"], ours),
    ):
        pass


def test_the_time_that_is_left(tmp_path, task):
    """After 8 gaps of 10 seconds, each pair of 4 scores takes 40."""
    with Log(tmp_path / "judge.log", JUDGEMENT) as log:
        session = Session(log, "Ann", task)
        assert session.state({})["left"] is None
        place = 0
        for number in range(9):
            place, name = divmod(number, 4)
            session.score({"place": place, "criterion": CRITERIA[name], "score": 3})
        start = datetime(2026, 1, 1, tzinfo=UTC)
        session._times = [start + timedelta(seconds=10 * n) for n in range(9)]
        session._times.append(start + timedelta(hours=9))  # a pause does not count
        assert session.state({})["left"] == (len(task.pairs) - 2) * 40


def test_a_page_for_the_lead(tmp_path, task, ok):
    path = tmp_path / "judge.log"
    with Log(path, JUDGEMENT) as log:
        for judge in ("Ann", "Bob"):
            session = Session(log, judge, task)
            for place in range(3):
                for name in CRITERIA:
                    score = 1 + session.order[place] % 5
                    session.score({"place": place, "criterion": name, "score": score})
    ok("studio", "judges", path, "--html", tmp_path / "lead.html", "-o", tmp_path / "x")
    page = (tmp_path / "lead.html").read_text(encoding="utf-8")
    assert f"{len(task.pairs)} pairs, 2 judges" in page
    assert "mean of Ann" in page
    assert page.count('<tr><th scope="row">Ann') == 1


def test_agreement_of_judges_is_krippendorffs(tmp_path, task):
    """By hand: two judges of two pairs with the same scores agree wholly."""
    path = tmp_path / "judge.log"
    with Log(path, JUDGEMENT) as log:
        for judge, shift in (("Ann", 0), ("Bob", 1)):
            session = Session(log, judge, task)
            for pair in (0, 1):
                place = session.order.index(pair)
                session.score({"place": place, "criterion": "adequacy", "score": 1 + 3 * pair})
                session.score({"place": place, "criterion": "fluency", "score": 2 + shift})
    found = read_judgements([str(path)])
    first = agreement_on(found, "adequacy")
    assert (first.alpha, first.pairs, first.means) == (1.0, 2, {"Ann": 2.5, "Bob": 2.5})
    # Scores 2 3 / 2 3: observed disagreement 1, expected 2/3 of it: alpha = 1 - 1 / (2 / 3).
    assert agreement_on(found, "fluency").alpha == pytest.approx(-0.5)
    last = agreement_on(found, "overall")
    assert (last.alpha, last.pairs, last.means) == (None, 0, {})


# Notes, errors and several judges


ERRORS = [[0, 5, "minor"], [6, 9, "critical"]]


@pytest.fixture
def noted(tmp_path):
    """A log of two judges with scores of 0 to 100, errors, a comment and a pair that is skipped."""
    pairs = [PairToJudge("It rained.", "Heavy rain fell.", None, (Origin(("a",), "1"),))]
    pairs.append(PairToJudge("Go.", "Leave now.", None, (Origin(("a",), "2"),)))
    path = tmp_path / "noted.log"
    with Log(path, JUDGEMENT) as log:
        task = Task(tuple(pairs), ("overall",), 0, 100, spans=True)
        ann, bob = (Session(log, name, task) for name in ("Ann", "Bob"))
        first, second = (ann.order.index(pair) for pair in (0, 1))
        ann.note({"place": first, "note": "spans", "value": ERRORS[::-1]})
        ann.note({"place": first, "note": "comment", "value": " Too strong. "})
        ann.score({"place": first, "criterion": "overall", "score": 87})
        found = ann.note({"place": second, "note": "skip", "value": True})
        assert (found["done"], found["skipped"], found["notes"]) == (2, 1, {"skip": True})
        bob.score({"place": bob.order.index(0), "criterion": "overall", "score": 40})
    return path


def test_errors_comments_and_skipped_pairs_come_out(noted, ok):
    [row] = map(json.loads, ok("studio", "export", "--log", noted).splitlines())
    assert row["human"] == {"overall": 63.5}
    assert row["judges"] == [{"judge": "Ann", "overall": 87}, {"judge": "Bob", "overall": 40}]
    assert row["errors"] == [
        {"judge": "Ann", "text": "Heavy", "start": 0, "end": 5, "severity": "minor"},
        {"judge": "Ann", "text": "rai", "start": 6, "end": 9, "severity": "critical"},
    ]
    assert row["comments"] == [{"judge": "Ann", "comment": "Too strong."}]
    assert "Ann skipped 1 pairs" in ok("studio", "judges", noted)


def test_notes_last_and_are_undone(noted):
    with Log(noted, JUDGEMENT) as log:
        ann = Session(log, "Ann")
        first, second = (ann.order.index(pair) for pair in (0, 1))
        assert ann.pair({"place": str(first)})["notes"] == {
            "spans": ERRORS,
            "comment": "Too strong.",
        }
        assert ann.is_skipped(second)
        found = ann.undo({})  # the last step was to skip
        assert (found["place"], found["criterion"], found["notes"]) == (second, "skip", {})
        ann.note({"place": second, "note": "skip", "value": True})
        ann.score({"place": second, "criterion": "overall", "score": 0})
        assert not ann.is_skipped(second)  # scored after all


@pytest.mark.parametrize(
    ("note", "value"),
    [
        ("skip", 1),
        ("comment", "x" * 2001),
        ("mood", "good"),
        ("spans", [[0, 99, "minor"]]),
        ("spans", [[3, 3, "minor"]]),
        ("spans", [[0, 3, "terrible"]]),
        ("spans", [[True, 3, "minor"]]),
        ("spans", "all"),
    ],
)
def test_wrong_notes_are_refused_and_damaged_ones_reported(noted, refused, note, value):
    with Log(noted, JUDGEMENT) as log:
        ann = Session(log, "Ann")
        size = len(log.events)
        with pytest.raises(InputError):
            ann.note({"place": 0, "note": note, "value": value})
        assert len(log.events) == size
        log.append({"kind": "note", "judge": "Ann", "pair": 0, "note": note, "value": value})
    assert "a damaged event" in refused("studio", "judges", noted)


def test_errors_are_noted_only_where_they_are_asked_for(client):
    answer = client.post("/api/judge/note", json={"place": 0, "note": "spans", "value": []})
    assert (answer.status_code, "not asked for" in answer.text) == (400, True)


def test_agreement_is_in_the_text_and_in_json(log, ok):
    text = ok("studio", "judges", log)
    found = json.loads(ok("studio", "judges", log, "-f", "json"))["agreement"]
    assert list(found) == list(CRITERIA)
    [line] = [line.split() for line in text.splitlines() if line.startswith("adequacy ")]
    assert line[1:3] == [f"{found['adequacy']['alpha']:.2f}", "34"]


def test_judges_elsewhere_have_a_link_each(tmp_path):
    """Two judges at once through a proxy with TLS: each sees their own scores, in one log."""
    from otherwords.study.studio import server

    log, options = str(tmp_path / "judge.log"), TaskOptions([str(EXAMPLE)])
    site = server.Site("0.0.0.0", "https://judges.example.org")
    with open_judgement_pages(log, ["Ann", "Bob"], options) as pages:
        keys = server.keep_keys(log, ["Ann", "Bob"])
        assert server.keep_keys(log, ["Bob", "Cy"])["Bob"] == keys["Bob"]  # after a restart
        assert Path(f"{log}.links").stat().st_mode & 0o077 == 0
        doors = [
            (Access(key, key, once=False), server._make_routes([page]))
            for key, page in zip(keys.values(), pages, strict=True)
        ]
        guard = server._Guard(doors, site)
        for name, score in (("Ann", 5), ("Bob", 2)):
            with TestClient(guard, "https://judges.example.org") as client:
                assert client.get("/judge").status_code == 403
                opened = client.get(f"/?ticket={keys[name]}")
                assert opened.status_code == 200
                assert "Secure" in opened.history[0].headers["set-cookie"]
                body = {"place": 0, "criterion": "overall", "score": score}
                foreign = {"origin": "http://judges.example.org"}
                assert client.post("/api/judge/score", json=body, headers=foreign).is_error
                own = {"origin": "https://judges.example.org"}
                assert client.post("/api/judge/score", json=body, headers=own).is_success
                assert client.get("/api/judge/state").json()["judge"] == name
                assert client.get("/judge", headers={"host": "127.0.0.1"}).status_code == 421
    said = read_judgements([log]).scores
    assert {name: list(by_pair.values()) for name, by_pair in said.items()} == {
        "Ann": [{"overall": 5}],
        "Bob": [{"overall": 2}],
    }
