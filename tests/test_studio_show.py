"""The page of scored pairs."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import otherwords
from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.rows import Row
from otherwords.study.studio.scores_page import make_scores_page
from otherwords.study.studio.server import Access, app
from tests.browser import KEY, let_in, look_at, screenshot, violations

TEXT = Path(__file__).resolve().parents[1] / "examples" / "translation" / "reference.txt"
EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "judgement" / "rows.jsonl"
NASTY = "<img src=x onerror=\"document.title='hurt'\"></script><script>alert(1)</script>&amp;"
BASE = "http://127.0.0.1:8125"


@pytest.fixture(scope="module")
def metrics():
    return {
        name: otherwords.metric(name) for name in ("maxsim", "paraeval-f", "otherwords-rewrite")
    }


@pytest.fixture(scope="module")
def scored(metrics):
    return make_scores_page(list(read_jsonl(EXAMPLE)), metrics)


@pytest.fixture
def client(scored):
    with TestClient(app([scored], access=Access(KEY)), BASE) as client:
        let_in(client)
        yield client


def get(client, key, **query):
    return client.get(f"/api/show/{key}", params=query)


def test_all_rows_with_scores_and_human_scores(client, scored):
    found = get(client, "rows").json()
    assert [one["name"] for one in found["measures"][:3]] == [
        "maxsim",
        "paraeval-f",
        "otherwords-rewrite",
    ]
    assert found["systems"] == ["north", "south", "west"]
    assert [row[0] for row in found["rows"]] == list(range(24))
    assert found["note"] == "All 24 rows."
    given = [json.loads(line) for line in EXAMPLE.read_text(encoding="utf-8").splitlines()]
    assert [row[3] for row in found["rows"]] == [one["hypothesis"] for one in given]
    assert found["items"][0]["source"] == given[0]["source"]


def test_all_metrics_are_explained(client):
    found = get(client, "explain", row=0).json()
    assert [html.startswith('<section class="ow-spans"') for html in found["html"]] == [True] * 3
    assert "<mark" in found["html"][0]


@pytest.mark.parametrize(
    ("key", "query", "message"),
    [
        ("explain", {}, "row must be a whole number from 0 to 23"),
        ("explain", {"row": "24"}, "row must be a whole number from 0 to 23"),
        ("explain", {"row": "²"}, "row must be a whole number"),
    ],
)
def test_bad_requests(client, key, query, message):
    answer = get(client, key, **query)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_the_command(refused, tmp_path, monkeypatch, ok):
    assert "no system output is given" in refused("studio", "show")
    assert "otherwords-rewrite needs a source" in refused(
        "studio", "show", TEXT, "-r", TEXT, "-m", "otherwords-rewrite"
    )
    pages = []
    monkeypatch.setattr(
        "otherwords.cli.studio._run", lambda shown, port, opened: pages.append(shown) or 0
    )
    assert ok("studio", "show", "--jsonl", EXAMPLE, "-m", "pinc") == ""
    assert pages[0][0].reads["rows"]({})["total"] == 24


# In a browser


@pytest.fixture
def studio(browser_page):
    @contextmanager
    def opened(scored, **options):
        with browser_page([scored], **options) as page:
            page.goto(page.address)
            page.expect(".list tbody tr").not_to_have_count(0)
            yield page

    return opened


@pytest.mark.browser
def test_sort_filter_open_and_reload(studio, scored, tmp_path):
    with studio(scored) as page:
        page.set_viewport_size({"width": 1400, "height": 900})
        page.click("th button:text-is('maxsim')")
        page.expect("th[aria-sort=descending]").to_have_text("maxsim")
        page.click("th button:text-is('maxsim')")
        page.expect("th[aria-sort=ascending]").to_have_text("maxsim")
        page.get_by_label("Text").fill("committee")
        page.expect(".list tbody tr").to_have_count(3)
        page.expect("[role=status]").to_have_text("3 of 24 rows")
        page.click(".list tbody tr:first-child td.text button")
        page.expect(".opened .ow-spans").to_have_count(3)
        page.expect(".opened .who b").to_have_count(3)  # all systems side by side
        box = page.locator(".opened").bounding_box()
        assert box["x"] > 400
        assert box["y"] < 600  # next to the list, not below it
        title = page.inner_text(".opened h3")
        screenshot(page, "studio-show")
        page.reload()
        page.expect(".list tbody tr").to_have_count(3)
        page.expect(".opened .ow-spans").to_have_count(3)
        assert page.inner_text(".opened h3") == title
        assert page.get_by_label("Text").input_value() == "committee"
        page.get_by_label("System").select_option("west")
        page.expect(".list tbody tr").to_have_count(1)
        assert violations(page) == []
        look_at(page, "studio-show", tmp_path)


@pytest.mark.browser
def test_with_the_keyboard_alone(studio, scored):
    with studio(scored) as page:
        page.keyboard.press("n")
        page.expect(".opened .this b").to_have_text("north")
        page.keyboard.press("n")
        page.expect(".opened .this b").to_have_text("south")
        page.keyboard.press("b")
        page.expect(".opened .this b").to_have_text("north")
        page.expect("tr[aria-current=true]").to_have_count(1)
        page.keyboard.press("Escape")
        page.expect(".opened").to_be_hidden()
        page.keyboard.press("Tab")  # from the row's button to the next one
        page.keyboard.press("Enter")
        page.expect(".opened .this b").to_have_text("south")


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_text_and_phones_are_narrow(studio, metrics, scheme):
    rows = [Row(NASTY, (NASTY, "x" * 3000), f"{NASTY} שלום", system="<b>"), Row("", ("",), "")]
    with studio(make_scores_page(rows, metrics, any_language=True), color_scheme=scheme) as page:
        page.keyboard.press("n")
        page.expect(".opened .ow-spans").to_have_count(3)
        assert page.inner_text(".list tbody tr:first-child td.text button") == NASTY
        page.expect(".opened .ow-text").not_to_have_count(0)
        assert page.locator(".opened img, .opened script").count() == 0
        assert page.title().startswith("Scores")
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_many_rows_come_in_parts(studio):
    rows = [Row(f"word {number}", (f"word {number}",)) for number in range(65)]
    with studio(
        make_scores_page(rows, {"pinc": otherwords.metric("pinc", against="references")})
    ) as page:
        page.expect(".list tbody tr").to_have_count(10)
        page.click(".more")
        page.expect(".list tbody tr").to_have_count(60)
        page.click(".more")
        page.expect(".list tbody tr").to_have_count(65)
        page.expect(".more").to_be_hidden()


@pytest.mark.browser
def test_trouble_goes_when_it_is_over(studio, scored):
    with studio(scored, faults=["ERR_INTERNET_DISCONNECTED"]) as page:
        page.context.set_offline(True)
        page.keyboard.press("n")
        page.expect(".opened .error").to_be_visible()
        page.context.set_offline(False)
        page.keyboard.press("n")
        page.expect(".opened .ow-spans").to_have_count(3)
        page.expect(".opened .error").to_have_count(0)
