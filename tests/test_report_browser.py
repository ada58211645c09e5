"""Reports in a real browser: offline, on a phone, in the dark, by keyboard, with hostile text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.cli import main
from tests.browser import screenshot, tab

pytestmark = pytest.mark.browser

JUDGED = Path(__file__).parents[1] / "examples" / "translation" / "judged.jsonl"
EVIL = "<img src=x onerror=\"document.title='hit'\"></script><script>document.title='hit'</script>"

# Every text that is seen against the ground that is behind it, as WCAG has contrast.
CONTRAST = """() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const [r, g, b, a] = parts(getComputedStyle(node).backgroundColor);
      if (a === undefined || a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const ink = node.namespaceURI.endsWith("svg") ? style.fill : style.color;
    if (node.namespaceURI.endsWith("svg") && !["text", "tspan"].includes(node.tagName)) continue;
    const [a, b] = [light(parts(ink)), light(behind(node))].sort((x, y) => y - x);
    const words = node.tagName + ": " + node.textContent.slice(0, 40);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(words);
  }
  return low;
}"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A report on our own example, with one row that tries to break out."""
    folder = tmp_path_factory.mktemp("report")
    rows = JUDGED.read_text(encoding="utf-8").splitlines()
    evil = {"item": EVIL, "system": EVIL, "references": [EVIL], "hypothesis": "x " + EVIL}
    rows.append(json.dumps(evil | {"human": {"adequacy": 1, "fluency": 5}}))
    (folder / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    output = folder / "page.html"
    metrics = ["-m", "maxsim,bleu,chrf", "--human", "adequacy", "--resamples", "50"]
    assert main(["report", str(folder / "rows.jsonl"), *metrics, "-o", str(output)]) == 0
    return output


@pytest.fixture
def opened(chromium, page_file):
    def open_it(**options):
        return tab(chromium, page_file.as_uri(), **options)

    return open_it


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_light_and_dark(opened, scheme):
    with opened(color_scheme=scheme, offline=True) as page:
        page.goto(page.address)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate(CONTRAST) == []
        assert page.title() == "rows"
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


def test_hostile_text_is_shown_and_not_run(opened):
    with opened() as page:
        page.goto(page.address)
        assert page.locator("img, script").count() == 0
        assert page.title() == "rows"
        assert page.get_by_text("<img src=x onerror=").count() > 0


def test_a_phone_shows_it_without_scrolling_sideways(opened):
    with opened() as page:
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(page.address)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        sizes = page.evaluate(
            """[...document.querySelectorAll('svg.plot')].map(one => {
              const box = one.getBoundingClientRect();
              return box.width / one.viewBox.baseVal.width * 12;
            })"""
        )
        assert min(sizes) >= 10  # pixels of the letters in plots


def test_keys_reach_links_tables_and_examples(opened):
    with opened() as page:
        page.goto(page.address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == "A"
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        page.keyboard.press("Enter")
        assert page.url.endswith("#agreement")
        example = page.locator("#disagreements ~ details summary").first
        example.focus()
        page.keyboard.press("Enter")
        assert page.locator("#disagreements ~ details .ow-spans").first.is_visible()
        table = page.locator(".scroll").first
        table.focus()
        assert table.evaluate("node => node === document.activeElement")


def test_every_plot_and_table_has_a_name(opened):
    with opened() as page:
        page.goto(page.address)
        plots = page.get_by_role("img").count()
        assert plots == page.locator("svg.plot").count() > 10
        assert page.locator("svg.plot title:empty").count() == 0
        assert page.locator(".scroll table").count() == page.locator(".scroll caption").count() > 5


def test_screenshots(chromium, tmp_path):
    output, folder = tmp_path / "report.html", JUDGED.parent
    metrics = ["-m", "maxsim,bleu,chrf", "--human", "adequacy", "--title", "Four translations"]
    metrics += ["--resamples", "300"]
    assert main(["report", str(JUDGED), *metrics, "-o", str(output)]) == 0
    with tab(chromium, output.as_uri()) as page:
        page.goto(page.address)
        screenshot(page, "report")
    with tab(chromium, output.as_uri(), color_scheme="dark") as page:
        page.set_viewport_size({"width": 390, "height": 760})
        page.goto(page.address + "#scatter")
        screenshot(page, "report-phone")
    files = [str(folder / name) for name in ("careful.txt", "free.txt")]
    pages = tmp_path / "compare.html"
    against = ["-r", str(folder / "reference.txt"), "--html", str(pages), "-o", str(tmp_path / "x")]
    against += ["--resamples", "300"]
    assert main(["compare", *files, *against]) == 0
    with tab(chromium, pages.as_uri()) as page:
        page.goto(page.address + "#examples")
        page.locator("#examples ~ details summary").first.click()
        assert page.locator(".ow-spans").first.is_visible()
        screenshot(page, "compare")
