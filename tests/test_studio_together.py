"""All outputs for one input at once: what is shown, the log, the checks, the export, the page."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from otherwords.corpus.inputs import read_rows
from otherwords.errors import InputError, UsageError
from otherwords.study.studio import TaskOptions, open_judgement_pages
from otherwords.study.studio.judgement import JUDGEMENT, Task, sample_originals
from otherwords.study.studio.judgement_page import TogetherSession, together_page
from otherwords.study.studio.judges import read_judgements
from otherwords.study.studio.log import Log, read_log

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "judgement" / "rows.jsonl"
CRITERIA = ("meaning", "grammaticality")
SYSTEMS = ("north", "south", "west")


def task(**options) -> Task:
    pairs = sample_originals(read_rows(EXAMPLE), **options)
    return Task(tuple(pairs), CRITERIA, together=True)


def judge_all(session: TogetherSession, points) -> None:
    """Score everything; `points` gives a score of a pair and a criterion."""
    for place, number in enumerate(session.order):
        for criterion in CRITERIA:
            score = points(session.task.pairs[number], criterion)
            session.score({"place": place, "criterion": criterion, "score": score})


def careful(pair, criterion) -> int:
    return {"reference": 5, "deleted": 1}.get(pair.control, 3 + (criterion == "meaning"))


def test_every_original_has_its_texts_and_both_controls():
    pairs = sample_originals(read_rows(EXAMPLE))
    assert Counter(pair.control for pair in pairs) == {None: 22, "reference": 8, "deleted": 8}
    assert len({pair.original for pair in pairs}) == 8
    some = sample_originals(read_rows(EXAMPLE), sample=3, systems=["north"])
    assert Counter(pair.control for pair in some) == {None: 3, "reference": 3, "deleted": 3}
    assert some == sample_originals(read_rows(EXAMPLE), sample=3, systems=["north"])


def test_the_texts_of_an_original_stand_together_in_random_order(tmp_path):
    orders = []
    for judge in ("Ann", "Bob"):
        with Log(tmp_path / f"{judge}.log", JUDGEMENT) as log:
            session = TogetherSession(log, judge, task())
            assert len(session.inputs) == 8
            shown = [session.input({"input": str(n)}) for n in range(8)]
            orders.append([[text["text"] for text in one["texts"]] for one in shown])
            for one in shown:
                expected = {p.text for p in session.task.pairs if p.original == one["original"]}
                assert {text["text"] for text in one["texts"]} == expected
                # Nothing of its origin.
                assert set(one["texts"][0]) == {"place", "text", "scores", "notes"}
    assert orders[0] != orders[1]
    assert sorted(map(sorted, orders[0])) == sorted(map(sorted, orders[1]))
    last = [one[-1] for one in orders[0]]
    assert not all(text in {p.text for p in task().pairs if p.control} for text in last)


def test_progress_counts_inputs_and_undo_goes_back(tmp_path):
    path = tmp_path / "judge.log"
    with Log(path, JUDGEMENT) as log:
        session = TogetherSession(log, "Ann", task())
        for place in session.inputs[0]:
            for criterion in CRITERIA:
                found = session.score({"place": place, "criterion": criterion, "score": 4})
        assert (found["done"], found["total"], found["input"]) == (1, 8, 0)
        assert session.state({})["place"] == 1
        found = session.undo({})
        assert (found["input"], found["criterion"], found["done"]) == (0, CRITERIA[-1], 0)
        with pytest.raises(InputError, match="input must be a whole number from 0 to 7"):
            session.input({"input": "8"})
    with Log(path, JUDGEMENT) as log:  # the log knows how it was begun
        assert TogetherSession(log, "Bob").task == task()
        with pytest.raises(InputError, match="begun with other together"):
            TogetherSession(log, "Bob", Task(task().pairs, CRITERIA))


def test_the_log_says_which_page_it_is_of(tmp_path):
    log = str(tmp_path / "judge.log")
    with open_judgement_pages(
        log, ["Ann"], TaskOptions([str(EXAMPLE)], criteria=CRITERIA, together=True)
    ) as [page]:
        assert page.name == "together"
    with open_judgement_pages(log, ["Bob"]) as [page]:
        assert page.name == "together"
    other = str(tmp_path / "other.log")
    with open_judgement_pages(other, ["Ann"], TaskOptions([str(EXAMPLE)])) as [page]:
        assert page.name == "judge"


def test_judges_who_fail_the_controls_and_what_comes_out(tmp_path, ok, run):
    log = tmp_path / "judge.log"
    with Log(log, JUDGEMENT) as opened:
        judge_all(TogetherSession(opened, "Ann", task()), careful)
        judge_all(TogetherSession(opened, "Bob"), lambda pair, criterion: 3)
    checks = {one.judge: one for one in read_judgements([str(log)]).reliability()}
    assert not checks["Ann"].flagged
    assert {check.criterion for check in checks["Ann"].checks} == set(CRITERIA)
    assert checks["Bob"].flagged
    assert str(checks["Bob"].failed[0]) == "meaning of reference 3.00, of deleted 3.00, not higher"
    judged = tmp_path / "judged.jsonl"
    code, _, err = run("studio", "export", "--log", log, "--drop-flagged", "-o", judged)
    assert code == 0
    assert "Bob fails the controls and is left out" in err
    rows = list(map(json.loads, judged.read_text().splitlines()))
    assert {name for row in rows for name in row.get("systems", [row["system"]])} == {
        *SYSTEMS, "control-reference", "control-deleted",
    }  # fmt: skip
    assert {tuple(row["human"].values()) for row in rows if row["system"] == "north"} == {(4, 3)}
    out = ok("meta", "--rows", judged, "-m", "chrf", "--human", "meaning", "-f", "json")
    assert json.loads(out)
    grammars = {}
    for count, name in enumerate(SYSTEMS, 1):  # of three gold rules one, two, three
        grammars[name] = tmp_path / f"{name}.txt"
        rules = [f"[X] ||| w{n} ||| v{n} ||| count=1\n" for n in range(count)]
        grammars[name].write_text("".join(rules))
    overlap = ("paradigm", "overlap", "--gold", grammars["west"])
    named = [f"{name}={path}" for name, path in grammars.items()]
    scored = []
    for row in rows:
        place = SYSTEMS.index(row["system"]) if row["system"] in SYSTEMS else 0
        scored.append({**row, "human": {"meaning": 5 - place}, "judges": [], "systems": []})
    judged.write_text("".join(json.dumps(row) + "\n" for row in scored))
    found = json.loads(ok(*overlap, *named, "--system-human", judged, "-f", "json"))
    # recall rises with what meaning falls; two of six orders of three systems are as far from 0
    (rho,) = (x["spearman"] for x in found["human"] if x["score"] == "recall, strict >= 1")
    assert (rho["value"], rho["comparison"]["p"]) == (-1, pytest.approx(1 / 3))
    judged.write_text(json.dumps({**rows[0], "system": "nobody", "systems": []}) + "\n")
    wrong = run(*overlap, *named, "--system-human", judged)
    assert wrong[0] == 2
    assert "judged.jsonl:1: the system 'nobody' is not one of: north, south, west" in wrong[2]


def test_options(tmp_path, refused):
    log = tmp_path / "judge.log"
    begun = ("studio", "judge", "--judge", "Ann", "--log", log, "--together")
    assert "--together does nothing without --rows" in refused(*begun)
    wrong = refused(*begun, "--rows", EXAMPLE, "--share", "0.2")
    assert "--together adds its own controls" in wrong
    with pytest.raises(UsageError, match="no system 'nroth'"):
        sample_originals(read_rows(EXAMPLE), systems=["nroth"])


@pytest.fixture
def studio(browser_page, tmp_path):
    from contextlib import contextmanager

    @contextmanager
    def opened(**options):
        path = tmp_path / "judge.log"
        with Log(path, JUDGEMENT) as log:
            session = TogetherSession(log, "Ann", task(sample=2))
            with browser_page([together_page(session)], **options) as page:
                page.log, page.session = path, session
                page.goto(page.address)
                page.expect("input:focus").to_have_count(1)
                yield page

    return opened


@pytest.mark.browser
def test_two_inputs_with_the_keyboard_alone(studio):
    with studio() as page:
        received = []
        page.on("response", lambda response: received.append(response.text()))
        first = page.session.input({"input": "0"})
        assert page.inner_text("#original") == first["original"]
        shown = page.locator("#texts .sentence").all_inner_texts()
        assert shown == [text["text"] for text in first["texts"]]
        count = len(shown) * len(CRITERIA)
        page.keyboard.press("Enter")  # nothing is judged: stays
        page.expect("#count").to_contain_text("original 1 of 2, 0 judged")
        for number in range(count):
            page.keyboard.press(str(1 + number % 5))
        assert page.evaluate("document.activeElement.id") == "next"
        page.expect("#count").to_contain_text("original 1 of 2, 1 judged")
        page.keyboard.press("u")  # the last score
        page.expect("#count").to_contain_text("original 1 of 2, 0 judged")
        page.expect("input:checked").to_have_count(count - 1)
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        page.expect("#count").to_contain_text("original 2 of 2, 1 judged")
        page.expect("input:checked").to_have_count(0)
        page.click("#texts li:nth-child(2) label:has(input[value='4'])")
        page.expect("#saved").to_have_text("saved")
        page.reload()
        page.expect("#count").to_contain_text("original 2 of 2, 1 judged")
        page.expect("input:checked").to_have_count(1)
        page.keyboard.press("b")
        page.expect("#count").to_contain_text("original 1 of 2, 1 judged")
        page.expect("input:checked").to_have_count(count)
        for secret in (*SYSTEMS, "control", '"s1"'):
            assert not [text for text in received if secret in text]
    scores = [event["score"] for event in read_log(page.log) if event["kind"] == "score"]
    assert scores == [*(1 + n % 5 for n in range(count)), None, 2, 4]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens_and_pictures_of_outputs_together(studio, scheme):
    from tests.browser import screenshot

    with studio(color_scheme=scheme) as page:
        page.keyboard.press("4")
        page.expect("#saved").to_have_text("saved")
        if scheme == "light":
            page.set_viewport_size({"width": 1000, "height": 700})
            screenshot(page, "studio-together")
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_the_original_and_the_points_stay_in_view_and_what_is_skipped_is_done(studio):
    with studio() as page:
        page.set_viewport_size({"width": 900, "height": 500})
        fields = page.locator("fieldset[data-criterion]")
        fields.last.locator("input").first.focus()
        page.expect("#original").to_be_in_viewport()
        page.expect(".anchors.asked").to_contain_text("5 as a careful writer would say it")
        field, held = fields.last.bounding_box(), page.locator("#held").bounding_box()
        assert field["y"] >= held["y"] + held["height"] - 1
        page.keyboard.press("s")
        page.expect("#count").to_contain_text("original 2 of 2, 0 judged, 1 skipped")
        page.keyboard.press("s")
        page.expect("#finished").to_be_visible()
        page.expect("#finished").to_contain_text("All done: 0 judged, 2 skipped")
        page.keyboard.press("u")
        page.expect("#finished").to_be_hidden()
