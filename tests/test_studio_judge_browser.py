"""The page of judgements in a real browser."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import pytest

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.study.studio.judgement import JUDGEMENT, Task, replay_scores, sample_pairs
from otherwords.study.studio.judgement_page import Session, judge_page
from otherwords.study.studio.log import Log, read_log
from tests.browser import look_at, screenshot, violations

pytestmark = pytest.mark.browser

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "judgement" / "rows.jsonl"
CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")
NASTY = "<img src=x onerror=\"document.title='hurt'\"></script><script>alert(1)</script>&amp;"


@pytest.fixture
def studio(browser_page, tmp_path):
    """A tab on the judgements of rows; `log` is their log."""

    @contextmanager
    def opened(rows=None, criteria=CRITERIA, task=(), **options):
        pairs = sample_pairs(rows if rows is not None else read_rows(EXAMPLE))
        path = tmp_path / "judge.log"
        with Log(path, JUDGEMENT) as log:
            session = Session(log, "Ann", Task(tuple(pairs), criteria, **dict(task)))
            with browser_page([judge_page(session)], **options) as page:
                page.log, page.session = path, session
                page.goto(page.address)
                page.expect("input:focus").to_have_count(1)
                yield page

    return opened


def counted(page, text: str) -> None:
    page.expect("#count").to_contain_text(text)


def saved(page) -> None:
    page.expect("#saved").to_have_text("saved")


def open_pair(page) -> None:
    """Wait for a pair of which nothing was said."""
    page.expect("input:checked").to_have_count(0)


def test_a_pair_with_the_keyboard_alone(studio):
    with studio() as page:
        session = page.session
        first = session.task.pairs[session.order[0]]
        assert page.inner_text("#original") == first.original
        assert page.inner_text("#text") == first.text
        for point in "4523":
            page.keyboard.press(point)
        assert page.evaluate("document.activeElement.id") == "next"
        counted(page, "pair 1 of 26, 1 judged")
        page.keyboard.press("Enter")
        counted(page, "pair 2 of 26, 1 judged")
        page.keyboard.press("5")
        page.keyboard.press("Tab")  # past fluency
        page.keyboard.press("1")
        page.keyboard.press("Enter")  # fluency and overall are open: stays, and goes there
        page.expect("input:focus").to_have_attribute("name", "fluency")
        counted(page, "pair 2 of 26, 1 judged")
        page.keyboard.press("ArrowRight")  # as radio buttons do
        page.keyboard.press("u")
        page.expect("[name=fluency]:checked").to_have_count(0)
        page.keyboard.press("2")
        page.keyboard.press("3")
        counted(page, "pair 2 of 26, 2 judged")
        page.keyboard.press("b")
        counted(page, "pair 1 of 26, 2 judged")
        scores = page.evaluate(
            "[...document.querySelectorAll(':checked')].map(one => one.name + one.value)"
        )
        assert scores == ["adequacy4", "fluency5", "dissimilarity2", "overall3"]
        said = replay_scores(read_log(page.log))["Ann"]
        assert said[session.order[0]] == dict(zip(CRITERIA, (4, 5, 2, 3), strict=True))
        assert said[session.order[1]] == dict(zip(CRITERIA, (5, 2, 1, 3), strict=True))


def test_a_reload_in_the_middle_goes_on_there(studio):
    with studio() as page:
        for point in "4523":
            page.keyboard.press(point)
        page.keyboard.press("Enter")
        counted(page, "pair 2 of 26, 1 judged")
        page.keyboard.press("2")
        saved(page)
        text = page.inner_text("#text")
        page.reload()
        counted(page, "pair 2 of 26, 1 judged")
        assert page.inner_text("#text") == text
        assert page.is_checked("input[name=adequacy][value='2']")
        page.expect("input:focus").to_have_attribute("name", "fluency")
        page.keyboard.press("u")  # what was said before the reload can be taken back
        open_pair(page)


def test_the_mouse_and_the_end(studio):
    rows = [Row("Leave now.", source="Go away.")]
    with studio(rows, criteria=("overall",)) as page:  # with a copy and deleted words
        for number in range(1, 4):
            counted(page, f"pair {number} of 3, {number - 1} judged")
            assert page.is_hidden("#finished")
            page.click("label:has(input[value='3'])")
            counted(page, f"pair {number} of 3, {number} judged")
            if number < 3:
                page.click("#next")
        page.wait_for_selector("#finished", state="visible")
        page.click("#undo")
        page.wait_for_selector("#finished", state="hidden")
        page.click("#help")
        assert page.is_visible("#keys")
        page.keyboard.press("3")  # not for the page behind the help
        page.keyboard.press("Escape")
        counted(page, "pair 3 of 3, 2 judged")


def test_text_is_text(studio):
    with studio([Row(NASTY, source="שלום <b>עולם</b> 👩‍👩‍👧")]) as page:
        seen = set()
        for _ in range(2):
            seen |= {page.inner_text("#original"), page.inner_text("#text")}
            for point in "1111":
                page.keyboard.press(point)
            page.keyboard.press("Enter")
            open_pair(page)
        seen |= {page.inner_text("#original"), page.inner_text("#text")}
        assert {NASTY, "שלום <b>עולם</b> 👩‍👩‍👧"} <= seen
        assert page.title().startswith("Judgements")
        assert page.locator("main img, main script, main b").count() == len(CRITERIA) * 5


def test_nothing_tells_the_system(studio):
    with studio() as page:
        received = []
        page.on("response", lambda response: received.append(response.text()))
        page.reload()
        counted(page, "pair 1 of 26, 0 judged")
        for _ in range(3):
            for point in "4523":
                page.keyboard.press(point)
            page.keyboard.press("Enter")
            open_pair(page)
        answers = [text for text in received if text.startswith("{")]
        assert len(answers) > 15
        for secret in ("north", "south", "west", "control", '"s1"'):
            assert not [text for text in received if secret in text]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens_and_pictures(studio, scheme):
    with studio(color_scheme=scheme) as page:
        page.keyboard.press("4")
        saved(page)
        if scheme == "light":
            page.set_viewport_size({"width": 1000, "height": 600})
            screenshot(page, "studio-judge")
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_width_and_axe(studio, tmp_path):
    with studio() as page:
        assert violations(page) == []
        look_at(page, "studio-judge", tmp_path)


def test_a_server_that_is_away_for_a_while_loses_nothing(studio):
    with studio(faults=["ERR_INTERNET_DISCONNECTED"]) as page:
        page.context.set_offline(True)
        page.keyboard.press("4")
        page.expect("#trouble").to_be_visible()
        page.context.set_offline(False)
        saved(page)
        assert replay_scores(read_log(page.log))["Ann"][page.session.order[0]] == {"adequacy": 4}


def test_two_windows_do_not_overwrite_each_other(studio):
    with studio(faults=["409"]) as page:
        page.session.score({"place": 0, "criterion": "overall", "score": 1})  # another window
        page.keyboard.press("4")
        page.expect("#trouble").to_contain_text("another window saved a judgement first")
        page.expect("input[name=overall][value='1']:checked").to_have_count(1)
        page.expect("input[name=adequacy]:checked").to_have_count(0)
        page.expect("input:focus").to_have_attribute("name", "adequacy")
        page.keyboard.press("4")
        counted(page, "pair 1 of 26, 0 judged")
        page.expect("input:checked").to_have_count(2)


def test_a_full_disk_is_reported_and_the_page_shows_what_is_saved(studio, monkeypatch):
    def full(event):
        raise InputError("cannot be written: No space left on device")

    with studio(faults=["400"]) as page:
        with monkeypatch.context() as patched:
            patched.setattr(page.session.log, "append", full)
            page.keyboard.press("4")
            page.expect("#trouble").to_contain_text("No space left")
            open_pair(page)
        page.expect("input:focus").to_have_attribute("name", "adequacy")
        page.keyboard.press("5")
        page.expect("#trouble").to_be_hidden()
        saved(page)
        assert replay_scores(read_log(page.log))["Ann"][page.session.order[0]] == {"adequacy": 5}


def test_keys_that_are_typed_ahead_are_meant_for_the_next_pair(studio):
    with studio() as page:
        page.context.new_cdp_session(page).send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 150, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        for key in ["1", "2", "3", "4", "Enter", "5", "4", "3", "2"]:
            page.keyboard.press(key)
        counted(page, "pair 2 of 26, 2 judged")
        saved(page)
        said = [page.locator(f"[name={name}]:checked").input_value() for name in CRITERIA]
        assert said == ["5", "4", "3", "2"]


def test_a_key_that_is_held_is_one_score(studio):
    with studio() as page:
        for _ in range(4):
            page.keyboard.down("4")
        page.expect("input:focus").to_have_attribute("name", "fluency")
        page.expect("input:checked").to_have_count(1)


def test_a_server_that_is_away_is_reported_when_going_on(studio):
    with studio(faults=["ERR_INTERNET_DISCONNECTED"]) as page:
        for point in "4523":
            page.keyboard.press(point)
        counted(page, "pair 1 of 26, 1 judged")
        page.context.set_offline(True)
        page.keyboard.press("Enter")
        page.expect("#trouble").to_be_visible()


def test_no_point_looks_chosen_before_one_is(studio):
    """The question has the focus; of its points none stands out until it is chosen."""
    style = "getComputedStyle(document.querySelector('label:has(input:focus)')).outlineStyle"
    with studio() as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        page.expect("input:focus").to_have_attribute("value", "1")
        assert page.evaluate(style) == "none"
        page.keyboard.press(" ")
        page.expect("input:focus:checked").to_have_count(1)
        assert page.evaluate(style) == "solid"


def test_errors_a_comment_and_points_up_to_a_hundred(studio):
    rows = [Row("Leave 😀 now please.", source="Go away.")]
    wide = {"low": 0, "high": 100, "spans": True}
    with studio(rows, criteria=("meaning", "overall"), task=wide) as page:
        session = page.session
        while page.inner_text("#text") != rows[0].hypothesis:
            page.keyboard.type("50")
            page.keyboard.press("Enter")
            page.keyboard.type("50")
            page.keyboard.press("Enter")  # both are answered: to the next pair
            page.expect("#criteria fieldset[data-answer='']").to_have_count(2)
        place = session.next_place
        page.focus("#text")
        page.keyboard.press("Control+Home")
        for _ in range(len("Leave ")):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift+ArrowRight")  # the smiling face, two units of JavaScript
        page.keyboard.press("x")  # nothing can be typed
        page.keyboard.press("3")
        page.expect("#text mark.critical").to_have_text("😀")
        page.evaluate("getSelection().selectAllChildren(document.querySelector('#text'))")
        page.click("#spans button.minor")
        page.expect("#text mark").to_have_count(1)  # instead of the one that it covers
        page.click("#spans button:has-text('Remove')")
        page.expect("#text mark").to_have_count(0)
        page.click("#undo")
        page.expect("#text mark.minor").to_have_text("Leave 😀 now please.")
        page.click("#comment summary")
        page.fill("#comment textarea", "1 of 2")
        page.fill("fieldset[data-criterion=meaning] input[type=number]", "101")
        page.keyboard.press("Enter")
        page.expect("fieldset[data-criterion=meaning]").to_have_attribute("data-answer", "")
        page.fill("fieldset[data-criterion=meaning] input[type=number]", "87")
        page.keyboard.press("Enter")
        page.expect("fieldset[data-criterion=meaning]").to_have_attribute("data-answer", "87")
        saved(page)
        page.reload()
        page.expect("#text mark.minor").to_have_count(1)
        page.expect("#comment textarea").to_have_value("1 of 2")
        page.expect("fieldset[data-criterion=meaning] input[type=range]").to_have_value("87")
        assert violations(page) == []
        assert session.notes[session.order[place]] == {
            "spans": [[0, 19, "minor"]],
            "comment": "1 of 2",
        }
