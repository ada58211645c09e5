"""Size of reports, and how long pages take to open and to draw, in Debian's chromium.

    python -m bench.pages [--rows 20000] [--systems 8]

A page is open when its rows can be read and filtered; a row of the aligner is drawn when the next
frame is painted. Sentences are made of a few words of ours.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from otherwords.cli import main as otherwords

WORDS = "the old man saw a dog in his garden and went home to read two green books slowly".split()

OPENED = """async () => {
  const start = performance.timeOrigin;
  while (!document.querySelector("#explorer tbody tr")) await new Promise(r => setTimeout(r, 1));
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
  return (performance.timeOrigin + performance.now() - start) / 1000;
}"""
FILTERED = """async () => {
  const before = performance.now(), field = document.querySelector("#explorer input[type=search]");
  field.value = "green books";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
  return (performance.now() - before) / 1000;
}"""
DRAWN = """async () => {
  const before = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "b", bubbles: true }));
  while (document.querySelectorAll("#matrix td[data-i]").length < 100)
    await new Promise(r => setTimeout(r, 1));
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
  return (performance.now() - before) / 1000;
}"""


def write_rows(path: Path, rows: int, systems: int) -> None:
    """Systems that change more and more words of a sentence of 30."""
    chance = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for item in range(rows // systems):
            reference = [chance.choice(WORDS) for _ in range(30)]
            for system in range(systems):
                rate = 0.1 + 0.4 * system / systems
                words = [chance.choice(WORDS) if chance.random() < rate else w for w in reference]
                row = {"item": str(item), "system": f"system {system + 1}"}
                row |= {"references": [" ".join(reference)], "hypothesis": " ".join(words)}
                row |= {"human": {"da": round(chance.random() - rate, 2)}}
                file.write(json.dumps(row) + "\n")


def report(browser, folder: Path, rows: int, systems: int) -> None:
    """A report of so many rows."""
    write_rows(folder / "rows.jsonl", rows, systems)
    page, start = folder / "page.html", time.perf_counter()
    more = ["-m", "maxsim,chrf", "--human", "da", "--any-language", "--resamples", "100"]
    otherwords(["report", str(folder / "rows.jsonl"), *more, "-o", str(page)])
    seconds, size = time.perf_counter() - start, page.stat().st_size / 1e6
    print(f"report of {rows:,} rows, {systems} systems: {size:.1f} MB, written in {seconds:.1f} s")
    tab = browser.new_page()
    tab.goto(page.as_uri())
    print(f"  opened in {tab.evaluate(OPENED):.2f} s")
    print(f"  filtered by text in {tab.evaluate(FILTERED):.2f} s")
    tab.close()


def aligner(browser, folder: Path, words: int) -> None:
    """A row of so many words on the page of `studio align`."""
    from tests.browser import running, tab

    from otherwords.study.studio.align_page import align_page
    from otherwords.study.studio.alignments import PURPOSE, AlignmentLog, AlignmentRow
    from otherwords.study.studio.log import Log

    text = [f"word{number}" for number in range(words)]
    none: dict[str, list[str]] = {"sure": [], "possible": []}
    rows = [AlignmentRow({"source": text, "target": text}, none)]
    rows.append(AlignmentRow({"source": ["a"], "target": ["b"]}, none))
    with Log(folder / "align.log", PURPOSE) as log:
        found = AlignmentLog(log.events, log.path)
        found.add_rows(rows, log)
        with running([align_page(log, "ann", found)]) as address, tab(browser, address) as page:
            page.goto(address + "align#2")
            page.wait_for_selector("body[data-ready]")
            print(f"aligner: a row of {words} words drawn in {page.evaluate(DRAWN):.2f} s")


def main() -> int:
    """Print all figures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--systems", type=int, default=8)
    given = parser.parse_args()
    with sync_playwright() as program, tempfile.TemporaryDirectory() as folder:
        path = shutil.which("chromium")
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = program.chromium.launch(executable_path=path, args=options)
        aligner(browser, Path(folder), 300)
        report(browser, Path(folder), given.rows, given.systems)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
