"""The alignment page in a real browser: mouse, keys, reload, hostile text, adjudication."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from otherwords.cli import main
from otherwords.study.studio import Log, read_log
from otherwords.study.studio.alignment import ALIGNMENT, AlignmentLog, AlignmentRow, links_of
from otherwords.study.studio.alignment_page import align_page, read_gold_rows
from otherwords.study.studio.annotators import find_two, rows_to_adjudicate
from tests.browser import look_at, running, screenshot, tab, violations

pytestmark = pytest.mark.browser
EXAMPLE = Path(__file__).parents[1] / "examples" / "alignment" / "pairs.jsonl"
NO_LINKS = {"sure": [], "possible": []}


def rows_of(*pairs):
    return [
        AlignmentRow({"source": a.split(), "target": b.split(), **NO_LINKS}, NO_LINKS)
        for a, b in pairs
    ]


def opened(page):
    page.goto(page.address)
    ready(page)


def ready(page):
    page.wait_for_selector("body[data-ready]")


def at_row(page, number):
    page.wait_for_url(f"**#{number}")
    ready(page)


def saved(page):
    page.locator("#saved", has_text="Saved").wait_for()


def cell(page, i, j):
    return page.locator(f'td[data-i="{i}"][data-j="{j}"]')


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, one, other):
    page.mouse.move(*middle(one))
    page.mouse.down()
    page.mouse.move(*middle(other), steps=8)
    page.mouse.up()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture
def desk(chromium, tmp_path):
    """A tab on the page of an annotator, whose work can be looked at in the log."""

    @contextmanager
    def opening(rows=None, annotator="ann", name="work.log", **options):
        path = tmp_path / name
        with Log(path, ALIGNMENT) as log:
            found = AlignmentLog(log.events, log.path)
            if rows is not None:
                found.add_rows(rows, log)
            pages = [align_page(log, annotator, found)]
            with running(pages) as address, tab(chromium, address, **options) as page:
                opened(page)
                page.links = lambda row=0: links_in(path, annotator, row)
                page.log = path
                yield page

    return opening


def links_in(path, annotator="ann", row=0):
    """What is on the disk."""
    marks = AlignmentLog(read_log(path), str(path)).work(annotator, row).marks
    return links_of(marks)


def test_a_click_goes_through_the_marks(desk):
    with desk(rows_of(("a b c", "x y"))) as page:
        for wanted in ({"sure": ["1-1"]}, {"possible": ["1-1"]}, {}):
            cell(page, 1, 1).click()
            saved(page)
            assert page.links() == NO_LINKS | wanted
        assert "none" in cell(page, 1, 1).get_attribute("class")


def test_drawing_over_cells_is_one_change(desk):
    with desk(rows_of(("a b c", "x y z"))) as page:
        drag(page, cell(page, 0, 1), cell(page, 2, 1))
        saved(page)
        assert page.links()["sure"] == ["0-1", "1-1", "2-1"]
        cell(page, 0, 0).click()
        page.click("#undo")
        page.click("#undo")
        saved(page)
        assert page.links() == NO_LINKS
        page.click("#redo")
        saved(page)
        assert page.links()["sure"] == ["0-1", "1-1", "2-1"]


def test_keys_alone(desk):
    with desk(rows_of(("a b c", "x y"), ("d", "z"))) as page:
        press(page, "s", "ArrowDown", "ArrowRight", "p", "ArrowRight", "ArrowDown", "Space")
        saved(page)
        assert page.links() == {"sure": ["0-0", "2-1"], "possible": ["1-1"]}
        assert cell(page, 2, 1).evaluate("cell => cell === document.activeElement")
        press(page, "Space", "Space", "ArrowUp", "p")  # possible, none; p on a possible one: none
        saved(page)
        assert page.links() == {"sure": ["0-0"], "possible": []}
        press(page, "u", "u")
        saved(page)
        assert page.links() == {"sure": ["0-0"], "possible": ["1-1", "2-1"]}
        press(page, "r")
        saved(page)
        assert page.links()["possible"] == ["1-1"]
        press(page, "Enter")
        at_row(page, 2)
        page.expect("#count").to_have_text("1 of 2 done")
        press(page, "s", "b")
        at_row(page, 1)
        assert page.locator("#done").get_attribute("aria-pressed") == "true"
        press(page, "x")
        saved(page)
        page.expect("#count").to_have_text("0 of 2 done")
        assert page.links(1)["sure"] == ["0-0"]
        press(page, "n")
        at_row(page, 2)


def test_enter_that_is_held_finishes_one_row(desk):
    with desk(rows_of(("a", "x"), ("b", "y"), ("c", "z"))) as page:
        for _ in range(4):
            page.keyboard.down("Enter")
        at_row(page, 2)
        saved(page)
        assert AlignmentLog(read_log(page.log), str(page.log)).done("ann") == [0]


def test_help_and_buttons_by_keys(desk):
    with desk(rows_of(("a", "x"), ("b", "y"))) as page:
        press(page, "?")
        assert page.locator("#keys").is_visible()
        press(page, "s")  # keys of the page rest while the help is open
        press(page, "Escape")
        assert not page.locator("#keys").is_visible()
        page.focus("#next")
        press(page, "Space")
        at_row(page, 2)
        assert page.links() == NO_LINKS
        assert page.links(1) == NO_LINKS
        # Every control is reached by the tab key alone.
        reached = set()
        page.evaluate("document.activeElement.blur()")
        for _ in range(20):
            press(page, "Tab")
            reached.add(
                page.evaluate("document.activeElement.id || document.activeElement.tagName")
            )
        assert {"back", "rows", "matrix-view", "lines-view", "done", "help", "TD"} <= reached


def test_two_lines_with_the_mouse(desk):
    with desk(rows_of(("a b c", "x y z"))) as page:
        page.click("#lines-view")
        word = lambda side, n: page.locator(f'.word[data-side="{side}"][data-index="{n}"]')  # noqa: E731
        drag(page, word(0, 0), word(1, 2))
        drag(page, word(1, 1), word(0, 1))
        saved(page)
        assert page.links()["sure"] == ["0-2", "1-1"]
        word(0, 2).click()
        word(1, 2).click()
        saved(page)
        assert page.links()["sure"] == ["0-2", "1-1", "2-2"]
        x, y = middle(page.locator('line[data-link="1-1"]'))
        page.mouse.click(x, y + 30)
        saved(page)
        assert page.links() == {"sure": ["0-2", "2-2"], "possible": ["1-1"]}
        assert page.locator("line.possible").count() == 1
        drag(page, word(0, 0), word(0, 1))  # along one line: nothing
        page.click("#undo")
        saved(page)
        assert page.links()["sure"] == ["0-2", "1-1", "2-2"]


def test_two_lines_with_keys(desk):
    with desk(rows_of(("a b c", "x y"))) as page:
        press(page, "v", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "s")
        saved(page)
        assert page.links()["sure"] == ["2-1"]
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label == "y: c (sure)"
        press(page, "v", "p")
        saved(page)
        assert page.links()["possible"] == ["2-1"]


def test_a_reload_in_the_middle_loses_nothing(desk):
    with desk(rows_of(("a b", "x y"), ("c d", "z w"))) as page:
        press(page, "n")
        at_row(page, 2)
        press(page, "s", "ArrowDown", "p", "u")
        saved(page)
        page.reload()
        ready(page)
        page.wait_for_url("**#2")
        assert "sure" in cell(page, 0, 0).get_attribute("class")
        press(page, "r")  # what was undone can still be redone, and undone
        saved(page)
        assert page.links(1) == {"sure": ["0-0"], "possible": ["1-0"]}
        press(page, "u", "u")
        saved(page)
        assert page.links(1) == NO_LINKS


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_seen_is_what_is_on_the_disk(desk, seed):
    choose = random.Random(seed)
    arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
    keys = [*arrows, *arrows, "s", "p", "Space", "u", "u", "r", "v", "x", "n", "b"]
    with desk(rows_of(("a b c", "x y"), ("d e", "z w v"))) as page:
        for _ in range(60):
            if choose.random() < 0.8:
                press(page, choose.choice(keys))
                continue
            ready(page)  # keys that were pressed while a row was loading have been heard
            if page.locator("#matrix").is_visible():
                cell(page, choose.randrange(2), choose.randrange(2)).click()
        ready(page)
        saved(page)
        for _ in range(2):
            row = int(page.evaluate("location.hash").lstrip("#")) - 1
            assert seen(page) == page.links(row)
            page.reload()
            ready(page)


def seen(page):
    """The links that the matrix shows."""
    marked = "cells => cells.map(cell => [cell.dataset.i, cell.dataset.j, cell.className])"
    cells = page.locator("td[data-i]").evaluate_all(marked)
    return {
        mark: [f"{i}-{j}" for i, j, classes in cells if mark in classes.split()]
        for mark in ("sure", "possible")
    }


def test_two_windows_do_not_overwrite_each_other(desk):
    with desk(rows_of(("a b", "x y")), faults=["409"]) as page:
        other = page.context.new_page()
        other.address = page.address
        opened(other)
        press(other, "s")
        saved(other)
        cell(page, 1, 1).click()
        page.wait_for_selector("#trouble:not([hidden])")
        assert "another window" in page.locator("#trouble").text_content()
        assert page.links()["sure"] == ["0-0"]
        assert "sure" in cell(page, 0, 0).get_attribute("class")
        cell(page, 1, 1).click()
        saved(page)
        assert page.links()["sure"] == ["0-0", "1-1"]


def test_a_server_that_is_gone_for_a_while(chromium, tmp_path):
    """What is done meanwhile is kept, said not to be saved, and saved when it is back."""
    path = tmp_path / "work.log"
    gone = ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    with Log(path, ALIGNMENT) as log, ExitStack() as stack:
        found = AlignmentLog(log.events, log.path)
        found.add_rows(rows_of(("a b", "x y")), log)
        pages = [align_page(log, "ann", found)]
        with running(pages) as address:
            page = stack.enter_context(tab(chromium, address, gone))
            opened(page)
        press(page, "s", "ArrowDown", "s")
        page.wait_for_selector("#trouble:not([hidden])")
        assert links_in(path) == NO_LINKS
        stack.enter_context(running(pages, int(address.rpartition(":")[2][:-1])))
        saved(page)
        assert not page.locator("#trouble").is_visible()
        assert links_in(path)["sure"] == ["0-0", "1-0"]


@contextmanager
def command(path):
    """`otherwords studio align` in a separate process, killed in the end; its address."""
    code = "from otherwords.cli import entry; entry()"
    options = ["--jsonl", EXAMPLE, "--annotator", "ann", "--log", path]
    words = [sys.executable, "-c", code, "studio", "align", *map(str, options)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield next(word for word in process.stdout.readline().split() if "http" in word)
        finally:
            process.kill()


def test_an_open_tab_goes_on_after_a_kill_and_a_restart(chromium, tmp_path):
    """Nothing typed meanwhile is lost: the port is the same, and the new address lets in again."""
    path = tmp_path / "work.log"
    gone = ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    gone.append("403")  # the tab may try again before its browser is let in
    with ExitStack() as stack:
        with command(path) as address:
            page = stack.enter_context(tab(chromium, address, gone))
            opened(page)
            assert "ticket" not in page.evaluate("location.href")
            cell(page, 0, 1).click()
            saved(page)
        before = links_in(path)["sure"]
        assert "0-1" in before
        cell(page, 1, 0).click()
        page.wait_for_selector("#trouble:not([hidden])")
        assert links_in(path)["sure"] == before
        with command(path) as again:
            assert again.partition("?")[0] == address.partition("?")[0]
            page.context.new_page().goto(again)
            saved(page)
            assert not page.locator("#trouble").is_visible()
            assert "1-0" in links_in(path)["sure"]


def test_every_width_and_axe(desk, tmp_path):
    with desk(read_gold_rows(str(EXAMPLE))[0]) as page:
        assert violations(page) == []
        look_at(page, "studio-align", tmp_path)
        press(page, "v")
        assert violations(page) == []
        look_at(page, "studio-lines", tmp_path)


def test_rows_of_300_words(desk):
    """Only the cells around what is seen are drawn; all can be reached and marked."""
    words = " ".join(f"w{n}" for n in range(300))
    with desk(rows_of((words, words))) as page:
        drawn = page.locator("#matrix td[data-i]")
        assert 100 < drawn.count() < 4000
        page.evaluate("document.getElementById('matrix').scrollTo(1e6, 1e6)")
        cell(page, 299, 299).click()
        saved(page)
        assert page.links(0)["sure"] == ["299-299"]
        press(page, *["ArrowUp", "ArrowLeft"] * 30, "s")
        saved(page)
        assert page.links(0)["sure"] == ["269-269", "299-299"]
        assert drawn.count() < 4000


HOSTILE = [
    "<img src=x onerror=document.title='pwned'>",
    "</script><script>document.title='pwned'</script>",
    "&lt;b&gt;",
    "\u202emirrored",
    "\U0001f600",
    "\u05e9\u05dc\u05d5\u05dd",
    "",
    "w" * 300,
]


def test_text_with_html_in_it_is_text(desk):
    links = {"sure": ["0-0"], "possible": ["1-1"]}
    value = {"source": HOSTILE, "target": HOSTILE, "id": HOSTILE[1], "domain": HOSTILE[0], **links}
    with desk([AlignmentRow(value, links)], annotator=HOSTILE[0]) as page:
        for _ in range(2):
            assert page.locator("img").count() == 0
            assert page.locator("script").count() == 1
            press(page, "ArrowDown", "ArrowRight", "s", "v")
            saved(page)
        assert page.title() == "Alignment · otherwords studio"
        heads = page.locator("th[scope=row]").all_text_contents()
        assert heads == HOSTILE
        assert page.locator("#annotator").text_content() == HOSTILE[0]
        assert HOSTILE[1] in page.locator("#about").text_content()
        assert page.locator(".word[data-side='0']").all_text_contents() == HOSTILE


def test_rows_without_words_and_long_ones(desk):
    long = " ".join(f"w{n}" for n in range(60))
    with desk(rows_of(("a", ""), ("", ""), (long, long))) as page:
        press(page, "s", "Space", "ArrowDown", "v", "s", "v")
        assert "no words" in page.locator("#current").text_content()
        press(page, "n")
        at_row(page, 2)
        press(page, "n")
        at_row(page, 3)
        cell(page, 59, 59).click()
        saved(page)
        assert page.links(2)["sure"] == ["59-59"]
        # Back by keys, the place is never below the heads of the rows and columns.
        press(page, *["ArrowUp", "ArrowLeft"] * 40)
        box = cell(page, 19, 19).bounding_box()
        top = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('td').dataset.i",
            [box["x"] + 3, box["y"] + 3],
        )
        assert top == "19"


def test_a_page_of_elsewhere_cannot_write(desk, chromium):
    with desk(rows_of(("a", "x"))) as page:
        foreign = chromium.new_context().new_page()
        foreign.set_content("<title>elsewhere</title>")
        outcome = foreign.evaluate(
            """async (address) => {
                const body = JSON.stringify({row: 0, step: 0, cells: [[0, 0, "sure"]]});
                const url = address + "api/align/set";
                const send = (more) => fetch(url, {method: "POST", body, ...more})
                    .then((answer) => answer.status, () => "refused");
                return [await send({}), await send({mode: "no-cors"}),
                        await send({headers: {"content-type": "application/json"}})];
            }""",
            page.address,
        )
        assert outcome == ["refused"] * 3
        foreign.context.close()
        assert len(read_log(page.log)) == 2


def test_on_a_phone_in_the_dark(desk):
    phone = {"viewport": {"width": 380, "height": 700}, "has_touch": True, "color_scheme": "dark"}
    with desk(read_gold_rows(str(EXAMPLE))[0], **phone) as page:
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 380
        cell(page, 0, 0).tap()
        saved(page)
        assert "0-0" in page.links()["sure"]
        assert not page.locator("#guideline").get_attribute("open")
        # A finger that turns out to scroll changes nothing.
        before = page.links()
        finger = {"pointerType": "touch", "button": 0, "bubbles": True}
        cell(page, 1, 0).dispatch_event("pointerdown", finger)
        assert "sure" in cell(page, 1, 0).get_attribute("class")
        cell(page, 1, 0).dispatch_event("pointercancel", finger)
        assert "none" in cell(page, 1, 0).get_attribute("class")
        cell(page, 2, 0).tap()
        saved(page)
        before["sure"] = sorted([*before["sure"], "2-0"], key=lambda x: [*map(int, x.split("-"))])
        assert page.links() == before


def contrast(page, selector, ground="body"):
    """WCAG's contrast of an element's text with the ground."""
    return page.evaluate(
        """([selector, ground]) => {
            const light = (text) => {
                const linear = (x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
                const [r, g, b] = text.match(/[\\d.]+/g).map((part) => linear(part / 255));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const one = light(getComputedStyle(document.querySelector(selector)).color);
            const other = light(getComputedStyle(document.querySelector(ground)).backgroundColor);
            return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        }""",
        [selector, ground],
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(desk, scheme):
    links = {"sure": ["0-0"], "possible": ["0-1"]}
    with desk(
        [AlignmentRow({"source": ["a"], "target": ["x", "y"]}, links)], color_scheme=scheme
    ) as page:
        for selector in ("body", ".quiet", "td.sure .sign", "td.possible .sign", "#trouble"):
            assert contrast(page, selector) >= 4.5, selector
        for selector in ("#help", "#undo", "#matrix-view", "#back"):
            assert contrast(page, selector, selector) >= 4.5, selector


def test_two_annotators_and_an_adjudicator(desk, tmp_path, capsys):
    rows = read_gold_rows(str(EXAMPLE))[0]
    with desk(rows, "ann", "a.log") as page:
        press(page, "Enter")
        at_row(page, 2)
        screenshot(page, "studio-align")
        press(page, "v")
        screenshot(page, "studio-lines")
        press(page, "Enter", "Enter")
        at_row(page, 4)
        press(page, "Enter")
        saved(page)
    with desk(rows, "bob", "b.log") as page:
        cell(page, 11, 10).click()  # possible to ann: none now
        cell(page, 4, 2).click()  # sure, to bob alone
        cell(page, 9, 6).click()  # sure to ann: possible now
        press(page, "Enter")
        saved(page)
    logs = [str(tmp_path / name) for name in ("a.log", "b.log")]
    assert main(["studio", "agreement", *logs, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    scores = {(line["links"], line["statistic"]): line["score"] for line in found["agreement"]}
    assert scores["sure", "recall"]["value"] == pytest.approx(9 / 10)
    with desk(rows_to_adjudicate(*find_two(*logs)), "eve", "third.log") as page:
        assert page.locator("h1").text_content() == "Adjudication"
        assert page.locator("td.differs").count() == 3
        assert "3 word pairs differ" in page.locator("#about").text_content()
        assert "ann: none · bob: sure" in page.locator("#current").text_content()
        screenshot(page, "studio-adjudicate")
        press(page, "2", "d", "1", "d", "2")
        saved(page)
        links = links_in(page.log, "eve")
        assert "4-2" in links["sure"]
        assert "9-6" in links["sure"]
        assert "11-10" not in links["possible"]
        page.click("text=All as ann")
        saved(page)
        assert links_in(page.log, "eve") == links_in(logs[0], "ann")
        page.click("text=All as bob")
        page.click("#lines-view")
        press(page, "Enter")
        saved(page)
        assert links_in(page.log, "eve") == links_in(logs[1], "bob")
    assert main(["studio", "export", "--log", str(tmp_path / "third.log")]) == 0
    [exported] = map(json.loads, capsys.readouterr().out.splitlines())
    assert exported["id"] == "bridge-1"
    assert exported["sure"] == links_in(logs[1], "bob")["sure"]


def test_more_words_are_pointed_at_and_the_end_is_shown(desk):
    words = " ".join(f"word{number}" for number in range(60))
    with desk(rows_of((words, words))) as page:
        page.expect("#more").to_have_text("Scroll for more words: → ↓")
        page.evaluate("document.querySelector('#matrix').scrollTo(9999, 9999)")
        page.expect("#more").to_have_text("Scroll for more words: ← ↑")
        assert page.is_hidden("#finished")
        press(page, "Enter")
        page.expect("#finished").to_be_visible()
        assert page.evaluate("document.activeElement.id") == "finished"
        press(page, "x")
        page.expect("#finished").to_be_hidden()


def test_screenshots_are_small():
    docs = Path(__file__).parents[1] / "docs"
    for name in ("studio-align", "studio-lines", "studio-adjudicate"):
        assert 0 < os.path.getsize(docs / f"{name}.png") < 150_000
