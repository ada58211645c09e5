"""The documentation site is built without a warning and without a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from tools.write_reference import PARTS, api_pages, command_pages

import otherwords
from otherwords.cli.app import COMMANDS
from tests.browser import tab, violations

ROOT = Path(__file__).parents[1]
PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
OFFLINE = """
import socket, sys
def refuse(*_):
    raise OSError("the site must not need a network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from zensical.main import cli
cli(sys.argv[1:])
"""
LOADED = re.compile(  # what a browser fetches when it shows a page
    r"""<(?:script|img|iframe|source|video|audio)[^>]*\ssrc=["']?(?:https?:)?//"""
    r"""|<link[^>]*rel=["']?(?:stylesheet|preconnect|preload|icon)[^>]*href=["']?(?:https?:)?//"""
    r"""|@import\s+url\(["']?(?:https?:)?//"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("zensical", reason="pip install 'otherwords[docs]'")
    folder = tmp_path_factory.mktemp("site")
    for name in ("docs", "tools", "examples"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    (folder / "src").symlink_to(PACKAGE)
    env = {**os.environ, "PYTHONPATH": PACKAGE}
    for line in (
        [sys.executable, "tools/write_reference.py", "docs/reference"],
        [sys.executable, "-c", OFFLINE, "build", "--strict"],
    ):
        done = subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "build" / "site"


@pytest.mark.long
def test_the_site_has_all_kinds_of_pages_and_loads_nothing(site):
    pages = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    wanted = ("start", "which-metric", "guides/rewrites", "reference/api/score", "papers/pem")
    assert {f"{name}.html" for name in wanted} <= set(pages)
    for name, path in pages.items():
        assert not LOADED.search(path.read_text(encoding="utf-8")), name
    score = pages["reference/commands/score.html"].read_text(encoding="utf-8")
    assert "--paired" in score
    assert "<svg" in pages["reference/gallery/report.html"].read_text(encoding="utf-8")
    assert "careful" in pages["reference/gallery/compare.html"].read_text(encoding="utf-8")
    api = pages["reference/api/otherwords.html"].read_text(encoding="utf-8")
    assert "otherwords.scoring.score.score" in api


@pytest.mark.long
def test_links_of_the_site_lead_somewhere(site):
    pages = [path for path in site.rglob("*.html") if path.name != "404.html"]  # served from /
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    ids = {path: set(re.findall(r'\bid="?([^"\s>]+)', text)) for path, text in texts.items()}
    followed = 0
    for path, text in texts.items():
        shown = re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)
        for link in re.findall(r'(?:href|src)="?([^"\s>]+)', shown):
            if re.match(r"[a-z]+:|//|#__", link):  # of other sites, and of the theme's menu
                continue
            name, _, anchor = unquote(link).partition("#")
            target = Path(os.path.normpath(path.parent / name)) if name else path
            assert target.exists(), f"{path.name}: {link}"
            if anchor and target in ids and "gallery" not in target.parts:  # reports have states
                assert anchor in ids[target], f"{path.name}: {link}"
            followed += 1
    assert followed > 10_000


def test_every_command_and_package_is_in_the_reference():
    pages = dict(command_pages())
    assert len(pages) == len(COMMANDS)
    text = "\n".join(pages.values())
    for tree in COMMANDS.values():
        for name in tree:
            assert f"## `otherwords {name}`" in text
    assert {f"api/{part}.md" for part in PARTS} < {name for name, _ in api_pages()}


def test_every_generated_page_is_in_the_navigation():
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name, _ in (*command_pages(), *api_pages()):
        assert f"reference/{name}" in listed


@pytest.mark.long
@pytest.mark.browser
def test_the_front_page_and_the_search_work_from_a_disk(site, chromium):
    home = site / "index.html"
    with tab(chromium, f"{site.as_uri()}/") as page:  # nothing comes from elsewhere
        page.goto(home.as_uri())
        pairs = page.frame_locator("iframe.pairs").locator("details[name=pair]")
        pairs.last.wait_for()
        assert pairs.count() == 6
        assert "13 March" in pairs.nth(1).inner_text()
        page.keyboard.press("Control+k")
        page.locator("input:focus").wait_for()
        page.keyboard.type("contradictions", delay=30)
        page.locator("a[href*='gate.html?h=contradictions']").first.wait_for()
        assert page.locator("a[href*='decisions/']").count() == 0


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize("name", ["index", "start", "guides/frameworks", "reference/api/score"])
@pytest.mark.parametrize(("width", "scheme"), [(1400, "dark"), (390, "light")])
def test_axe_finds_nothing(site, chromium, name, width, scheme):
    address = f"{site.as_uri()}/"
    own = (
        "'null'",
        "net::ERR_FAILED",
        "preload assets",
    )  # axe asks for the styles, which a disk refuses
    looks = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with tab(chromium, address, own, bypass_csp=True, **looks) as page:
        page.goto(f"{address}{name}.html", timeout=300_000)
        page.locator("nav.md-code__nav[aria-label]").first.wait_for(state="attached")
        assert violations(page, least="minor") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
