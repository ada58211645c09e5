"""A real browser and a real server, for tests of the studio's pages.

    @pytest.mark.browser
    def test_it(browser_page, tmp_path):
        with browser_page([Page("name", "name.html", ...)]) as page:
            page.goto(page.address)

On leaving, the page must have had no error on its console and no request to another host.
OTHERWORDS_SCREENSHOTS=docs makes `screenshot(page, "studio-align")` write docs/studio-align.png.
"""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from otherwords.study.studio.server import Access, cookie_name

CHROMIUM = shutil.which("chromium")
WIDTH, HEIGHT = 1000, 760
KEY = "of the tests"


@contextmanager
def running(pages, port: int = 0):
    """The address at which the pages are served by a thread of this process."""
    from otherwords.study.studio.server import app, listen, server

    with listen(port) as bound:
        uvicorn = server(app(pages, access=Access(KEY)))
        thread = threading.Thread(target=uvicorn.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}/"
        finally:
            uvicorn.should_exit = True
            thread.join(10)
            assert not thread.is_alive()


@pytest.fixture(scope="module")
def chromium():
    """The browser, or the test is skipped. Not for the session: while it runs so does its loop,
    and other tests may want one of their own.
    """
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=60_000)  # a machine with other work is slow
    arguments = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with playwright.sync_playwright() as program:
        browser = program.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def browser_page(chromium):
    """A context manager that gives a tab, with the studio's `address`, for pages of the studio."""

    @contextmanager
    def opened(pages, *, faults=(), **options):
        with running(pages) as address, tab(chromium, address, faults, **options) as page:
            yield page

    return opened


@contextmanager
def tab(browser, address: str, faults=(), **options):
    """A tab whose troubles are reported in the end, but for those with one of `faults` in them.

    It is let in to a studio that is `running`; an address with a ticket lets it in by itself.
    `page.expect("#count").to_have_text("1 of 2")` waits for what a key or a click leads to.
    """
    from playwright.sync_api import expect

    size = {"viewport": {"width": WIDTH, "height": HEIGHT}}
    context = browser.new_context(**size | options)
    own = address.partition("?")[0]
    if own.startswith("http") and own == address:
        name = cookie_name(int(own.rpartition(":")[2].strip("/")))
        context.add_cookies([{"name": name, "value": KEY, "url": own}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.set_default_navigation_timeout(180_000)
    page.address = address
    page.expect = lambda selector: expect(page.locator(selector))
    troubles = []
    page.on("console", lambda message: _note(troubles, message.type, message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: _check(troubles, request.url, own))
    try:
        yield page
        left = [text for text in troubles if not any(fault in text for fault in faults)]
        assert not left, left
    finally:
        context.close()


def let_in(client) -> None:
    """Give a test client the cookie of a studio with the tests' key."""
    client.cookies.set(cookie_name(client.base_url.port), KEY)


def _note(troubles, kind: str, text: str) -> None:
    if kind in ("error", "warning"):
        troubles.append(text)


def _check(troubles, url: str, address: str) -> None:
    if not url.startswith((address, "data:", "blob:")):
        troubles.append(f"a request to {url}")


WIDTHS = {"desktop": 1400, "tablet": 820, "phone": 390}
PAPER = 718  # A4 without its margins

# Tables that reach beyond the window, or beyond a place that would cut them or let them scroll.
CUT = """() => [...document.querySelectorAll("table")].filter(table => {
  if (!table.checkVisibility() || table.matches("[role=grid]")) return false; // a grid scrolls
  const { left, right } = table.getBoundingClientRect();
  if (left < -1 || right > innerWidth + 1) return true;
  for (let node = table; node !== document.body; node = node.parentElement) {
    const cuts = getComputedStyle(node).overflowX !== "visible";
    if (cuts && node.scrollWidth > node.clientWidth + 1) return true;
  }
  return false;
}).map(table => `${table.className}: ${table.caption?.textContent ?? ""}`)"""


def look_at(page, name: str, folder: Path) -> None:
    """Screenshots on a desktop and a phone, light and dark, and a PDF; nothing may be cut."""
    for device, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            path = folder / f"{name}-{device}-{scheme}.png"
            page.screenshot(path=path, full_page=True, timeout=60_000)
        assert page.evaluate(CUT) == [], (name, device)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, device)
    page.emulate_media(color_scheme="light", media="print")
    page.set_viewport_size({"width": PAPER, "height": 1000})
    assert page.evaluate(CUT) == [], (name, "paper")
    page.emulate_media(color_scheme="light", media="screen")
    page.pdf(path=folder / f"{name}.pdf", format="A4")
    assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")


IMPACTS = ["minor", "moderate", "serious", "critical"]


def violations(page, least: str = "serious") -> list[str]:
    """What axe finds that is at least so serious, each with its first element."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in IMPACTS[IMPACTS.index(least) :]
    ]


def screenshot(page, name: str) -> None:
    """Write NAME.png to the folder that OTHERWORDS_SCREENSHOTS names, if it does."""
    folder = os.environ.get("OTHERWORDS_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")
