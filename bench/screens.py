"""Pictures of every page and of the terminal, and what axe finds on them.

    python -m bench.screens FOLDER [NAME...]

Reports, a comparison, the studio and, if `make docs` was run, pages of the site: at 1400, 820
and 390 pixels, light and dark. Commands: at 80 and 120 columns, light and dark. All texts are
those of `examples/`. The table at the end has the height of each page, what reaches beyond the
window, and what axe finds; the exit code is 1 if there is any. NAMEs choose some of the screens.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
WIDTHS, COLUMNS = (1400, 820, 390), (80, 120)
THEMES = {"light": DEFAULT_TERMINAL_THEME, "dark": MONOKAI}
OTHERWORDS = [sys.executable, "-m", "otherwords"]
MT, REWRITES = "examples/translation", "examples/paraphrase"
SYSTEMS = [f"{MT}/{name}.txt" for name in ("careful", "literal", "free", "careless")]
TEXTS = [f"{REWRITES}/{name}.txt" for name in ("rewritten", "copied", "wrong")]
FEW = ["--resamples", "300"]
JUDGED = ["report", f"{MT}/judged.jsonl", "--human", "adequacy", *FEW]
PAGES = {
    "report": JUDGED,
    "report-row": JUDGED,
    "report-rewrites": ["report", "-s", f"{REWRITES}/original.txt", *TEXTS, *FEW],
    "report-one": ["report", "-s", f"{REWRITES}/original.txt", TEXTS[0], *FEW],
    "compare": ["compare", "-r", f"{MT}/reference.txt", *SYSTEMS[:2], *FEW],
}
STUDIO = {
    "try": ["try"],
    "align": ["align", "--jsonl", "examples/alignment/pairs.jsonl", "--annotator", "ann"],
    "judge": ["judge", "--rows", "examples/judgement/rows.jsonl", "--judge", "ann"],
    "together": [
        "judge",
        "--rows",
        "examples/judgement/rows.jsonl",
        "--judge",
        "ann",
        "--together",
    ],
}
SITE = {
    "site": "index.html",
    "site-guide": "guides/frameworks.html",
    "site-metrics": "metrics.html",
}
TERMINAL = {
    "help": ["--help"],
    "try-command": ["try", "The museum opens on 3 March.", "The museum opens on 13 March."],
    "score": ["score", "-r", f"{MT}/reference.txt", *SYSTEMS],
    "compare-command": ["compare", "-r", f"{MT}/reference.txt", *SYSTEMS[:2]],
    "rank": ["rank", "examples/candidates.jsonl"],
    "meta": ["meta", "--rows", f"{MT}/judged.jsonl", "--human", "adequacy", "--ci", *FEW],
    "metrics": ["metrics"],
    "error": ["score", "-r", f"{MT}/reference.txt", "no-such-file.txt"],
}


@dataclass(frozen=True)
class Screen:
    """A page at one width and in one scheme."""

    name: str
    width: int
    scheme: str
    height: int
    faults: Sequence[str]


class Studio:
    """The screens, taken one after the other into a folder."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._folder = folder
        self.screens: list[Screen] = []

    def take(self, name: str, address: str, prepare: Callable[[Page], Any] | None = None) -> None:
        """A page at all widths, light and dark."""
        context = self._browser.new_context(bypass_csp=True)
        page = context.new_page()
        page.set_default_timeout(300_000)  # a machine with other work is slow
        for scheme in THEMES:
            page.emulate_media(color_scheme=scheme)
            page.goto(address)  # some pages choose their colours when they are loaded
            if prepare is not None:
                prepare(page)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                self._keep(page, name, width, scheme)
        context.close()

    def _keep(self, page: Page, name: str, width: int, scheme: str) -> None:
        wide, height = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        found = Axe().run(page).response["violations"]
        faults = [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]
        faults += [f"{wide} px wide"] if wide > width else []
        page.screenshot(path=self._folder / f"{name}-{width}-{scheme}.png", full_page=True)
        self.screens.append(Screen(name, width, scheme, height, faults))

    def print(self, name: str, columns: int, printed: str) -> None:
        """What a command prints, as on a light and on a dark terminal."""
        for scheme, theme in THEMES.items():
            console = Console(record=True, width=columns, file=io.StringIO())
            console.print(Text.from_ansi(printed))
            page = self._browser.new_page(viewport={"width": 9 * columns + 40, "height": 300})
            page.set_content(console.export_html(theme=theme, inline_styles=True))
            lines = printed.rstrip().splitlines()
            widest = max((len(Text.from_ansi(line)) for line in lines), default=0)
            faults = [f"{widest} columns wide"] if widest > columns else []
            page.screenshot(path=self._folder / f"{name}-{columns}-{scheme}.png", full_page=True)
            page.close()
            self.screens.append(Screen(name, columns, scheme, len(lines), faults))


def run(*arguments: str) -> None:
    """Run a command of ours, which must succeed."""
    subprocess.run([*OTHERWORDS, *arguments], cwd=ROOT, check=True, capture_output=True)


def on_terminal(columns: int, arguments: Sequence[str]) -> str:
    """What a command prints on a terminal that is so wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
    names = {"TERM": "xterm-256color", "COLUMNS": str(columns)}
    kept = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [*OTHERWORDS, *arguments], cwd=ROOT, env=kept | names, stdout=slave, stderr=slave
    )
    os.close(slave)
    parts = []
    try:
        while part := os.read(master, 65536):
            parts.append(part)
    except OSError:  # the terminal is closed when its last program ends
        pass
    os.close(master)
    process.wait()
    return b"".join(parts).decode("utf-8", "replace").replace("\r\n", "\n").replace("\x1b[K", "")


@contextmanager
def served(arguments: Sequence[str]) -> Iterator[str]:
    """The address of a page of the studio while it is served."""
    command = [*OTHERWORDS, "studio", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield next(word for word in process.stdout.readline().split() if "://" in word)
        finally:
            process.terminate()


def open_row(page: Page) -> None:
    """Open the second row of a report."""
    page.locator("#explorer tbody tr").nth(1).click()
    page.locator(".opened .ow-spans").first.wait_for()


def type_texts(page: Page) -> None:
    """Fill both boxes of the try page, and wait for the answer."""
    page.get_by_label("Original").fill("The museum opens on 3 March.")
    page.get_by_label("Rewrite").fill("The museum opens its doors on 13 March.")
    page.locator("#verdict:has-text(':')").wait_for()


def take_all(studio: Studio, folder: Path, wanted: Callable[[str], bool]) -> None:
    """Take all pages and commands that are wanted; what they need goes into the folder."""
    prepared = {"report-row": open_row, "try": type_texts}
    for name, arguments in PAGES.items():
        if wanted(name):
            file = folder / f"{name}.html"
            written = ["--html", str(file), "-o", os.devnull]
            run(*arguments, *(written if name == "compare" else ["-o", str(file)]))
            studio.take(name, file.as_uri(), prepared.get(name))
    for name, arguments in STUDIO.items():
        if wanted(name):
            log = [] if name == "try" else ["--log", str(folder / f"{name}.log")]
            with served([*arguments, *log]) as address:
                studio.take(name, address, prepared.get(name))
    for name, path in SITE.items():
        site = ROOT / "build" / "site" / path
        if site.exists() and wanted(name):
            studio.take(name, site.as_uri())
    for name, arguments in TERMINAL.items():
        for columns in COLUMNS:
            if wanted(name):
                studio.print(name, columns, on_terminal(columns, arguments))


def main(folder: str, *names: str) -> int:
    """Take the screens, print a table of them; 1 if one has a fault."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as program, tempfile.TemporaryDirectory() as pages:
        browser = program.chromium.launch(executable_path=chromium, args=root)
        studio = Studio(browser, target)
        take_all(studio, Path(pages), lambda name: not names or name in names)
        browser.close()
    print(f"{'screen':<18}{'width':>6}  {'scheme':<7}{'height':>7}  faults")
    for one in studio.screens:
        faults = "; ".join(one.faults) or "none"
        print(f"{one.name:<18}{one.width:>6}  {one.scheme:<7}{one.height:>7}  {faults}")
    return int(any(one.faults for one in studio.screens))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("python -m bench.screens FOLDER [NAME...]")
    sys.exit(main(*sys.argv[1:]))
