"""Reports in a real browser: offline, on a phone, in the dark, by keyboard, with hostile text."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
from pathlib import Path

import pytest

from otherwords.cli import main
from otherwords.corpus.inputs import read_rows
from tests.browser import look_at, screenshot, tab, violations

pytestmark = pytest.mark.browser

JUDGED = Path(__file__).parents[1] / "examples" / "translation" / "judged.jsonl"
EVIL = "<img src=x onerror=\"document.title='hit'\"></script><script>document.title='hit'</script>"

# Every text that is seen against the ground that is behind it, as WCAG has contrast.
CONTRAST = """() => {
  const parts = colour => {
    const numbers = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith("color(") ? numbers.map((n, i) => (i < 3 ? n * 255 : n)) : numbers;
  };
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

COUNT = "#explorer [role=status]"
WORDS = "the a old man dog cat saw runs home reads writes slowly often in garden green two".split()


def made_rows(systems: int, segments: int, human: bool, seed: int = 0):
    """Systems that change more and more words of sentences of ours, and people who see that."""
    chance = random.Random(seed)
    for item in range(segments):
        reference = [chance.choice(WORDS) for _ in range(5 + item % 25)]
        for system in range(systems):
            rate = 0.1 + 0.5 * system / systems
            changed = [chance.choice(WORDS) if chance.random() < rate else w for w in reference]
            same = sum(a == b for a, b in zip(changed, reference, strict=True)) / len(reference)
            row = {
                "item": f"sentence {item + 1}",
                "doc": f"story {item // 2 + 1}",
                "system": f"System-{system + 1:02}",
                "references": [" ".join(reference)],
                "hypothesis": " ".join(changed),
            }
            if human:
                row["human"] = {"da": float(round(6 * same + chance.random()))}
            yield row


def write_report(folder: Path, rows, *more: str) -> Path:
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    output = folder / "page.html"
    more = ["--resamples", "60", *more]
    assert main(["report", str(folder / "rows.jsonl"), *more, "-o", str(output)]) == 0
    return output


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A report on our own example, with one row that tries to break out."""
    rows = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]
    evil = {"item": EVIL, "system": EVIL, "references": [EVIL], "hypothesis": "x " + EVIL}
    rows.append(evil | {"human": {"adequacy": 1, "fluency": 5}})
    more = ["-m", "otherwords-mt,maxsim,chrf", "--human", "adequacy", "--title", "rows"]
    return write_report(tmp_path_factory.mktemp("report"), rows, *more)


@pytest.fixture(scope="module")
def eight(tmp_path_factory):
    """A report of eight systems with documents and human scores."""
    more = ["-m", "maxsim,bleu,chrf", "--human", "da", "--any-language", "--title", "eight"]
    return write_report(tmp_path_factory.mktemp("eight"), made_rows(8, 30, human=True), *more)


@pytest.fixture
def opened(chromium, page_file):
    def open_it(**options):
        return tab(chromium, page_file.as_uri(), **options)

    return open_it


@pytest.fixture
def page(chromium, eight):
    with tab(chromium, eight.as_uri(), accept_downloads=True) as page:
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(page.address)
        yield page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_light_and_dark(opened, scheme):
    with opened(color_scheme=scheme, offline=True) as page:
        page.goto(page.address + "#row=1")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate(CONTRAST) == []
        assert page.title() == "rows"
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, scheme):
    with opened(color_scheme=scheme, bypass_csp=True) as page:
        page.goto(page.address + "#row=1")
        page.locator(".opened .ow-spans").first.wait_for()
        assert violations(page) == []


def test_hostile_text_is_shown_and_not_run(opened):
    with opened() as page:
        page.goto(page.address)
        assert page.locator("img").count() == 0
        assert page.locator("script[type=module]").count() == 1
        last = page.locator("#explorer tbody tr").count()
        page.get_by_label("Text", exact=True).fill("onerror")
        page.locator("#explorer td.text button").click()
        page.locator(".opened .ow-spans").first.wait_for()
        assert page.title() == "rows"
        assert page.get_by_text("<img src=x onerror=").count() > 0
        assert last > 5


def test_it_answers_first(page):
    """The verdict and all systems are on the first screen, before anything else."""
    verdict = page.locator(".verdict")
    assert verdict.inner_text().startswith("System-01 leads")
    assert len(verdict.inner_text().split()) <= 20
    assert re.search(r"p\s<\s\.\d+", page.locator(".also").inner_text())
    assert "30 segments, 8 systems" in page.locator("header").inner_text()
    for place in (verdict, page.locator(".forest tr").last):
        box = place.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] < 900
    assert page.locator(".forest tbody tr").count() == 8


def test_numbers_have_the_precision_of_their_intervals(page):
    for cell in page.locator(".forest td").all_inner_texts():
        _, half = cell.split(" ± ")
        digits = half.replace(".", "").lstrip("0")
        assert 1 <= len(digits) <= 3, cell


def test_tables_sort(page):
    table = page.locator(".forest")
    names = "tbody th"
    before = table.locator(names).all_inner_texts()
    table.get_by_role("button", name="system").click()
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    down = table.locator(names).all_inner_texts()
    assert [name[-9:] for name in down] == [f"System-{n:02}" for n in range(1, 9)]
    assert sorted(down) == sorted(before)
    table.get_by_role("button", name="system").click()
    assert table.locator(names).all_inner_texts() == down[::-1]
    table.get_by_role("button", name="chrf").click()  # the best first
    scores = [
        float(one.split(" ±")[0]) for one in table.locator("td:nth-child(4)").all_inner_texts()
    ]
    assert scores == sorted(scores, reverse=True)


def listed(page, column: int) -> list[str]:
    return page.locator(f"#explorer tbody tr td:nth-child({column})").all_inner_texts()


def test_rows_sort_search_and_filter(page):
    page.expect(COUNT).to_have_text("30 of 30 segments, 240 texts")
    page.locator("#explorer").get_by_role("button", name="chrf").click()
    scores = [float(one) for one in listed(page, 6)]
    assert scores == sorted(scores, reverse=True)
    page.get_by_label("System", exact=True).select_option("System-03")
    page.expect(COUNT).to_have_text("30 of 30 segments, 30 texts")
    assert set(listed(page, 2)) == {"System-03"}
    page.get_by_text("More filters").click()
    page.get_by_label("Document").select_option("story 2")
    page.expect(COUNT).to_have_text("2 of 30 segments, 2 texts")
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Text", exact=True).fill("sentence 12")
    page.expect(COUNT).to_have_text("1 of 30 segments, 8 texts")
    page.get_by_label("Text", exact=True).fill("")
    page.get_by_label("Score or length").select_option("length")
    page.get_by_label("from").fill("29")
    page.expect(COUNT).to_have_text("1 of 30 segments, 8 texts")  # one sentence of 29 words
    page.get_by_role("button", name="Clear").click()
    page.expect(COUNT).to_have_text("30 of 30 segments, 240 texts")


def test_filters_are_chips(page):
    """Each filter in use is a chip that takes it away; a link brings them back."""
    chips = page.locator(".chips")
    assert chips.inner_text() == ""
    page.get_by_label("System", exact=True).select_option("System-03")
    page.get_by_label("Text", exact=True).fill("garden")
    page.get_by_role("button", name="Different").click()
    expected = ["Text: garden ×", "System: System-03 ×", "Clear"]
    assert chips.locator("button").all_inner_texts() == expected
    page.reload()
    assert chips.locator("button").all_inner_texts() == expected
    assert page.locator(".modes [aria-pressed=true]").inner_text().startswith("Different")
    chips.get_by_role("button", name="Remove filter Text").click()
    assert page.get_by_label("Text", exact=True).input_value() == ""
    assert chips.locator("button").all_inner_texts() == expected[1:]
    chips.get_by_role("button", name="Clear").click()
    page.expect(COUNT).to_have_text("30 of 30 segments, 240 texts")
    assert chips.inner_text() == ""


def test_failures_and_differences(opened):
    """Failures are texts that contradict, are empty or copied; the worst comes first."""
    with opened() as page:
        page.goto(page.address)
        rows = page.evaluate("JSON.parse(document.getElementById('row-data').textContent).rows")
        failing = [row for row in rows if {"contradicted", "empty", "copy"} & set(row[5])]
        page.get_by_role("button", name="Failures").click()
        many = f"{len(failing)} text{'s' if len(failing) > 1 else ''}"
        page.expect(COUNT).to_have_text(re.compile(rf"^\d+ of \d+ segments, {many}$"))
        worst = min(failing, key=lambda row: row[4][0])
        assert worst[3] in page.locator("#explorer tbody tr").first.inner_text()
        page.get_by_role("button", name="Different").click()
        page.expect(COUNT).to_have_text(re.compile(r"^20 of 21 segments"))  # one has one system


def test_keys_find_open_star_and_mark(page, tmp_path):
    """Ctrl-K finds; s, w and c note; the export has the notes, and so has the page later."""
    page.keyboard.press("Control+k")
    page.keyboard.type("system: system-04")
    page.keyboard.press("Enter")
    page.expect(COUNT).to_have_text("30 of 30 segments, 30 texts")
    page.keyboard.press("n")
    page.keyboard.press("s")
    page.keyboard.press("w")
    page.keyboard.press("c")
    page.keyboard.type("a dog, not a cat")
    page.keyboard.press("Tab")
    assert page.locator(".desk [aria-pressed=true]").count() == 2
    page.reload()
    page.keyboard.press("Control+k")
    page.keyboard.type("flag: starred")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.expect(COUNT).to_have_text("1 of 30 segments, 1 text")
    assert "a dog, not a cat" in page.locator("#explorer tbody tr").inner_text()
    for kind in ("JSONL", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=kind).click()
        download.value.save_as(tmp_path / kind)
    noted = json.loads((tmp_path / "JSONL").read_text())
    [line] = csv.DictReader((tmp_path / "CSV").read_text().splitlines())
    for row, star in ((noted, True), (line, "true")):
        assert (row["star"], row["mark"], row["comment"]) == (star, "wrong", "a dog, not a cat")


def test_rows_by_difference(page):
    page.get_by_text("More filters").click()
    page.get_by_label("Difference of").select_option("systems:System-01")
    page.get_by_label("and", exact=True).select_option("systems:System-08")
    page.get_by_label("Score or length").select_option("chrf")
    page.expect(COUNT).to_have_text("30 of 30 segments, 30 texts")
    page.locator("#explorer").get_by_role("button", name="difference").click()
    found = [float(one) for one in listed(page, 8)]
    assert found == sorted(found, reverse=True)
    page.get_by_label("at least").fill(f"{found[4]}")
    page.expect(COUNT).to_have_text(re.compile("^[45] of 30 "))  # shown numbers are rounded
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Difference of").select_option("scores:chrf")
    page.get_by_label("and", exact=True).select_option("scores:human: da")
    page.get_by_label("at least").fill("5")
    page.expect(COUNT).to_have_text(re.compile(r", (?!240|0)\d+ texts$"))


def test_a_row_opens_beside_the_list(page):
    page.locator("#explorer tbody tr").nth(2).locator("td.name").first.click()  # a whole row
    opened = page.locator(".opened")
    assert opened.is_visible()
    box = opened.bounding_box()
    assert box["x"] > 500
    assert 0 <= box["y"] < 500
    assert opened.locator(".who b").all_inner_texts()[1:] == [
        f"System-{n:02}"
        for n in range(1, 9)
        if n != int(opened.locator(".who b").first.inner_text()[-2:])
    ]
    assert opened.locator("mark.differs").count() > 3
    drawn = opened.locator(".ow-spans")
    drawn.first.wait_for()
    assert [text.split()[0] for text in drawn.locator("h4").all_inner_texts()] == [
        "maxsim",
        "bleu",
        "chrf",
    ]
    texts = drawn.nth(0).locator(".ow-text").all_inner_texts()
    marked = drawn.nth(0).locator("mark").count()
    assert (marked > 0) == (texts[0] != texts[1])  # the same words are not marked
    page.keyboard.press("n")
    drawn.nth(0).locator("mark").first.wait_for()
    title = opened.locator("h3").inner_text()
    page.keyboard.press("b")
    page.keyboard.press("Escape")
    assert not opened.is_visible()
    assert title


def test_a_link_leads_to_a_row(page, chromium, eight):
    page.goto("about:blank")
    page.goto(f"{page.address}#row=17")
    assert page.locator(".opened h3").inner_text() == "sentence 3"
    assert page.locator(".opened .who b").first.inner_text() == "System-02"
    assert page.locator("tr[aria-current]").count() == 1 or page.locator(".more").is_visible()
    page.goto("about:blank")
    page.goto(f"{page.address}#text=garden&system=System-05&sort=chrf")
    assert set(listed(page, 2)) == {"System-05"}
    assert page.get_by_label("Text", exact=True).input_value() == "garden"


@pytest.mark.parametrize("kind", ["JSONL", "CSV"])
def test_filtered_rows_are_exported(page, kind, tmp_path):
    page.get_by_label("System", exact=True).select_option("System-02")
    with page.expect_download() as download:
        page.get_by_role("button", name=kind).click()
    download.value.save_as(tmp_path / f"rows.{kind.lower()}")
    given = [row for row in made_rows(8, 30, human=True) if row["system"] == "System-02"]
    text = (tmp_path / f"rows.{kind.lower()}").read_text(encoding="utf-8")
    if kind == "JSONL":
        rows = [json.loads(line) for line in text.splitlines()]
        assert [row["human"] for row in rows] == [one["human"] for one in given]
        assert set(rows[0]["scores"]) == {"maxsim", "bleu", "chrf"}
        assert list(read_rows(tmp_path / "rows.jsonl"))  # every command reads it
    else:
        rows = list(csv.DictReader(text.splitlines()))
        assert [float(row["human: da"]) for row in rows] == [one["human"]["da"] for one in given]
    assert [row["hypothesis"] for row in rows] == [one["hypothesis"] for one in given]
    assert [row["doc"] for row in rows] == [one["doc"] for one in given]


def test_points_say_what_they_are_and_lead_to_their_row(page):
    point = page.locator("svg [data-row='20']").first
    point.scroll_into_view_if_needed()
    point.dispatch_event("pointerover", {"clientX": 50, "clientY": 50, "bubbles": True})
    given = list(made_rows(8, 30, human=True))[20]
    assert page.locator(".tip").inner_text() == f"{given['system']}: {given['hypothesis']}"
    point.dispatch_event("click", {"bubbles": True})
    assert page.locator(".opened h3").inner_text() == given["item"]
    page.wait_for_url("**#*row=20*")


def test_without_scripts_every_number_is_there(chromium, eight):
    with tab(chromium, eight.as_uri(), java_script_enabled=False) as page:
        page.goto(page.address)
        assert page.locator(".verdict").is_visible()
        assert page.locator(".forest tbody tr").count() == 8
        data = json.loads(re.search(r'id="row-data">(.*?)</script>', eight.read_text(), re.S)[1])
        rows = page.locator("noscript table.list tr:has(th[scope=row])")
        assert rows.count() == len(data["rows"]) == 240
        numbers = rows.locator("td.number").all_inner_texts()
        decimals = [measure["decimals"] for measure in data["measures"]]
        assert decimals == [3, 1, 1, 0]
        assert [float(one) for one in numbers] == [
            pytest.approx(score, abs=0.51 * 10 ** -decimals[place])
            for row in data["rows"]
            for place, score in enumerate(row[4])
        ]
        assert page.locator("noscript table.list").is_visible()
        assert page.locator("#significance").is_visible()
        assert page.locator(".triangle td.p3, .triangle td.p2, .triangle td.p1").count() > 5


def test_a_phone_shows_it_without_scrolling_sideways(opened):
    with opened() as page:
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(page.address + "#row=2")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        sizes = page.evaluate(
            """[...document.querySelectorAll('svg.plot')].map(one => {
              const box = one.getBoundingClientRect();
              return box.width / one.viewBox.baseVal.width * 12;
            })"""
        )
        assert min(sizes) >= 10  # pixels of the letters in plots


def test_keys_reach_links_and_examples(opened):
    with opened() as page:
        page.goto(page.address)
        link = page.locator("nav a").first
        link.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**#rows")
        for place in (
            "#disagreements ~ details > summary",
            "#disagreements ~ [open] details summary",
        ):
            page.locator(place).first.focus()
            page.keyboard.press("Enter")
        assert page.locator("#disagreements ~ details .ow-spans").first.is_visible()


def test_every_plot_and_table_has_a_name(opened):
    with opened() as page:
        page.goto(page.address)
        plots = page.get_by_role("img").count()
        assert plots == page.locator("svg.plot").count() > 5
        assert page.locator("svg.plot title:empty").count() == 0
        tables = page.locator(".table table:not(.list)").count()
        assert tables == page.locator(".table caption").count() > 5


def test_points_of_systems_have_a_key(page):
    """Names of systems are all below the plot, apart from each other."""
    keys = page.evaluate(
        """() => [...document.querySelectorAll("svg.plot")]
          .filter(svg => svg.querySelector(".points [data-tip]"))
          .map(svg => {
            const names = [...svg.querySelectorAll(".points [data-tip]")]
              .map(one => one.dataset.tip);
            return [...svg.querySelectorAll("text")]
              .filter(text => names.includes(text.textContent))
              .map(text => { const b = text.getBoundingClientRect();
                return [text.textContent, b.left, b.right, b.top, b.bottom]; });
          })"""
    )
    assert len(keys) == 3
    for key in keys:
        assert sorted(one[0] for one in key) == [f"System-{n:02}" for n in range(1, 9)]
        for place, one in enumerate(key):
            for other in key[place + 1 :]:
                across = one[1] < other[2] and other[1] < one[2]
                assert not (across and one[3] + 2 < other[4] and other[3] + 2 < one[4])


def test_eight_systems_fit_a_few_screens_and_sheets(page):
    """Before anything is opened: below 6,000 pixels, and fewer than 10 sheets of paper."""
    assert page.evaluate("document.documentElement.scrollHeight") < 6000
    sheets = page.pdf(format="A4").count(b"/Type /Page\n")
    assert 1 < sheets < 10


def test_names_do_not_break(page):
    """Names of systems and segments are on one line at every width."""
    for width in (1400, 820, 390):
        page.set_viewport_size({"width": width, "height": 900})
        heights = page.evaluate(
            """() => [...document.querySelectorAll(".forest tbody th, .triangle tbody th, td.name")]
              .filter(one => one.checkVisibility())
              .map(one => one.getBoundingClientRect().height
                / parseFloat(getComputedStyle(one).lineHeight))"""
        )
        assert len(heights) > 30
        assert max(heights) < 2.6, width  # with the space around one line


@pytest.mark.long
def test_forty_systems_fit_every_width(chromium, tmp_path):
    rows = made_rows(40, 6, human=True)
    more = ["-m", "bleu,chrf", "--human", "da", "--any-language"]
    output = write_report(tmp_path, rows, *more)
    with tab(chromium, output.as_uri()) as page:
        page.goto(page.address)
        look_at(page, "forty", tmp_path)


SETS = {
    "eight-systems": ("mt/mqm21-zhen", "otherwords-mt,maxsim,chrf", "mqm"),
    "nineteen-systems": ("mt/sys-wmt21-deen", "maxsim,bleu,chrf", None),
    "paraphrases": ("paraphrase/shakespeare-dev", "otherwords-rewrite,pinc,ibleu", "overall"),
}


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_real_sets_fit_every_width(chromium, tmp_path, shared, name):
    """Screenshots and PDFs go to a temporary folder: the texts are not ours."""
    path, metrics, human = SETS[name]
    more = ["-m", metrics, *(["--human", human] if human else [])]
    with gzip.open(shared / f"{path}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    kept = set(random.Random(0).sample(sorted({row["item"] for row in rows}), 30))
    output = write_report(tmp_path, [row for row in rows if row["item"] in kept], *more)
    with tab(chromium, output.as_uri(), bypass_csp=True) as page:
        page.goto(page.address)
        look_at(page, name, tmp_path)
        page.goto(page.address + "#row=3")
        page.reload()
        look_at(page, f"{name}-row", tmp_path)
        assert violations(page) == []


def test_screenshots(chromium, tmp_path):
    output = tmp_path / "report.html"
    more = ["--human", "adequacy", "--title", "Four translations", "--resamples", "300"]
    assert main(["report", str(JUDGED), *more, "-o", str(output)]) == 0
    with tab(chromium, output.as_uri()) as page:
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(page.address)
        look_at(page, "report", tmp_path)
        page.set_viewport_size({"width": 1400, "height": 900})
        page.evaluate("scrollTo(0, 0)")
        screenshot(page, "report")
    with tab(chromium, output.as_uri(), color_scheme="dark") as page:
        page.set_viewport_size({"width": 390, "height": 760})
        page.goto(page.address + "#scatter")
        screenshot(page, "report-phone")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """A comparison of two systems with a third, as a page."""
    folder = tmp_path_factory.mktemp("compare")
    files = [str(JUDGED.parent / name) for name in ("careful.txt", "free.txt", "literal.txt")]
    output = folder / "compare.html"
    more = ["-r", str(JUDGED.parent / "reference.txt"), "--html", str(output), "-o", f"{folder}/x"]
    assert main(["compare", *files, *more, "--resamples", "300"]) == 0
    return output


def test_a_comparison_fits_and_leads_to_rows(chromium, compared, tmp_path):
    with tab(chromium, compared.as_uri(), bypass_csp=True) as page:
        page.goto(page.address)
        assert "careful" in page.locator(".verdict").inner_text()
        assert page.locator(".forest").count() == 2  # each against the baseline
        every = page.locator(COUNT).inner_text().split()[2]
        page.get_by_text("By word class").first.click()
        line = page.locator("table:has(caption:text('Words by word class')) tbody tr").first
        line.locator("td").first.click()  # a whole row
        page.expect(COUNT).to_have_text(re.compile(rf"^(?!{every} )[1-9]\d* of {every} segments"))
        assert page.locator(".chips button").first.inner_text() == "Chosen segments ×"
        folded = page.locator("details details:has-text('Recall and precision')").first
        assert not folded.locator("table").is_visible()
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert violations(page) == []
        look_at(page, "compare", tmp_path)


def test_a_bucket_of_lengths_leads_to_its_rows(chromium, compared):
    with tab(chromium, compared.as_uri()) as page:
        page.goto(page.address)
        page.get_by_text("By length").first.click()
        line = page.locator("details table tbody tr").first
        size = int(line.locator("td").first.inner_text())
        line.locator("a").click()
        page.expect(COUNT).to_have_text(re.compile(f"^{size} of .* {3 * size} texts$"))


def test_pairs_of_spans_are_numbered_without_gaps(chromium, compared):
    with tab(chromium, compared.as_uri()) as page:
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(page.address)
        page.locator("#explorer tbody tr:has-text('announced')").first.click()
        page.locator(".opened .ow-added").first.wait_for()
        pairs = page.locator(".opened .ow-pair")
        numbers = [
            {int(number) for number in pair.locator("sup").all_inner_texts()}
            for pair in pairs.all()
        ]
        assert any(numbers)
        assert all(found == set(range(1, len(found) + 1)) for found in numbers)


def test_screenshot_of_a_comparison(chromium, compared):
    with tab(chromium, compared.as_uri()) as page:
        page.set_viewport_size({"width": 1400, "height": 900})
        page.goto(page.address)
        screenshot(page, "compare")
