"""The page of scored pairs."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.rows import Row
from otherwords.metrics.registry import create
from otherwords.studio.server import app
from otherwords.studio.show import MOST, ShownRows, show_page
from tests.browser import screenshot

TEXT = Path(__file__).resolve().parents[1] / "examples" / "translation" / "reference.txt"
EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "judgement" / "rows.jsonl"
NASTY = "<img src=x onerror=\"document.title='hurt'\"></script><script>alert(1)</script>&amp;"
BASE = "http://127.0.0.1:8125"


@pytest.fixture(scope="module")
def metrics():
    return {name: create(name) for name in ("maxsim", "paraeval", "pem")}


@pytest.fixture(scope="module")
def scored(metrics):
    return ShownRows.of(list(read_jsonl(EXAMPLE)), metrics)


@pytest.fixture
def client(scored):
    with TestClient(app([show_page(scored)]), BASE) as client:
        yield client


def get(client, key, **query):
    return client.get(f"/api/show/{key}", params=query)


def test_sorted_by_any_score(client, scored):
    assert get(client, "state").json() == {
        "metrics": ["maxsim", "paraeval", "pem"],
        "systems": ["north", "south", "west"],
        "total": 24,
    }
    rows = get(client, "list").json()["rows"]
    assert [row["row"] for row in rows] == list(range(24))
    for place, label in enumerate(scored.metrics):
        up = [row["scores"][place] for row in get(client, "list", sort=label).json()["rows"]]
        down = get(client, "list", sort=label, down="1").json()["rows"]
        assert up == sorted(up)
        assert [row["scores"][place] for row in down] == sorted(up, reverse=True)
        assert up == pytest.approx(sorted(scored.scores[label]), rel=1e-5)


def test_filtered_by_text_and_system(client):
    found = get(client, "list", text="HARVEST").json()
    assert {row["item"] for row in found["rows"]} == {"s8"}
    assert found["found"] == 3
    found = get(client, "list", text="harvest", system="west").json()
    assert [row["system"] for row in found["rows"]] == ["west"]
    assert get(client, "list", text="nowhere to be seen").json() == {"found": 0, "rows": []}
    assert len(get(client, "list", **{"from": "20"}).json()["rows"]) == 4


def test_all_metrics_are_explained(client):
    found = get(client, "explain", row=0).json()
    assert [html.startswith('<section class="ow-spans"') for html in found["html"]] == [True] * 3
    assert "<mark" in found["html"][0]


@pytest.mark.parametrize(
    ("key", "query", "message"),
    [
        ("list", {"sort": "maxim"}, "no metric 'maxim' to sort by; did you mean 'maxsim'?"),
        ("list", {"from": "-1"}, "from must be a whole number from 0 to 24"),
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
    assert "pem needs a source" in refused("studio", "show", TEXT, "-r", TEXT, "-m", "pem")
    pages = []
    monkeypatch.setattr(
        "otherwords.cli.studio_show.run", lambda found, port, opened: pages.append(found) or 0
    )
    assert ok("studio", "show", "--jsonl", EXAMPLE, "-m", "pinc") == ""
    assert pages[0][0].reads["state"]({})["total"] == 24


# In a browser


@pytest.fixture
def studio(browser_page):
    @contextmanager
    def opened(scored, **options):
        from playwright.sync_api import expect

        with browser_page([show_page(scored)], **options) as page:
            page.expect = lambda selector: expect(page.locator(selector))
            page.goto(page.address)
            page.expect("#rows tr").not_to_have_count(0)
            yield page

    return opened


@pytest.mark.browser
def test_sort_filter_open_and_reload(studio, scored):
    with studio(scored) as page:
        page.click("th button:text('maxsim')")
        page.expect("th[aria-sort=ascending]").to_have_text("maxsim")
        page.click("th button:text('maxsim')")
        page.expect("th[aria-sort=descending]").to_have_text("maxsim")
        page.fill("#text", "committee")
        page.expect("#rows tr").to_have_count(3)
        page.expect("#count").to_have_text("3 of 24 pairs")
        page.click("#rows tr:first-child button")
        page.expect("#drawn > .ow-spans").to_have_count(3)
        title = page.inner_text("#opened-title")
        screenshot(page, "studio-show")
        page.reload()
        page.expect("#rows tr").to_have_count(3)
        page.expect("#drawn > .ow-spans").to_have_count(3)
        assert page.inner_text("#opened-title") == title
        assert page.input_value("#text") == "committee"
        page.select_option("#system", "west")
        page.expect("#rows tr").to_have_count(1)


@pytest.mark.browser
def test_with_the_keyboard_alone(studio, scored):
    with studio(scored) as page:
        page.keyboard.press("n")
        page.expect("#opened-title").to_have_text("s1, north")
        page.keyboard.press("n")
        page.expect("#opened-title").to_have_text("s1, south")
        page.keyboard.press("b")
        page.expect("#opened-title").to_have_text("s1, north")
        page.expect("tr[aria-current=true]").to_have_count(1)
        page.keyboard.press("Escape")
        page.expect("#opened").to_be_hidden()
        page.keyboard.press("Tab")  # from the row's button to the next one
        page.keyboard.press("Enter")
        page.expect("#opened-title").to_have_text("s1, south")


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_text_and_phones_are_narrow(studio, metrics, scheme):
    rows = [Row(NASTY, (NASTY, "x" * 3000), f"{NASTY} שלום", system="<b>"), Row("", ("",), "")]
    with studio(ShownRows.of(rows, metrics, any_language=True), color_scheme=scheme) as page:
        page.keyboard.press("n")
        page.expect("#drawn > .ow-spans").to_have_count(3)
        assert page.inner_text("#rows tr:first-child button") == NASTY
        page.expect("#drawn .ow-text").not_to_have_count(0)
        assert page.locator("#drawn img, #drawn script").count() == 0
        assert page.title().startswith("Scores")
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_many_rows_come_in_parts(studio):
    rows = [Row(f"word {number}", (f"word {number}",)) for number in range(MOST + 5)]
    with studio(ShownRows.of(rows, {"pinc": create("pinc", against="references")})) as page:
        page.expect("#rows tr").to_have_count(MOST)
        page.click("#more")
        page.expect("#rows tr").to_have_count(MOST + 5)
        page.expect("#more").to_be_hidden()


@pytest.mark.browser
def test_trouble_goes_when_it_is_over(studio, scored):
    with studio(scored, faults=["ERR_FAILED", "Failed to load"]) as page:
        page.route("**/api/show/explain*", lambda route: route.abort())
        page.keyboard.press("n")
        page.expect("#trouble").to_be_visible()
        page.unroute("**/api/show/explain*")
        page.keyboard.press("n")
        page.expect("#drawn > .ow-spans").to_have_count(3)
        page.expect("#trouble").to_be_hidden()
