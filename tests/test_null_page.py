"""docs/results/null.md has every simulated rate, and what it concludes follows from them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench import null

PAGE = (Path(__file__).parents[1] / "docs/results/null.md").read_text(encoding="utf-8")
TEXT, _, REST = PAGE.partition("<!-- printed by: python -m bench.null -->")
BLOCK = REST.partition("<!-- end -->")[0]
# Two standard errors of a rate of .05 in 200 runs.
HIGHEST = 0.05 + 2 * (0.05 * 0.95 / 200) ** 0.5


def table(name):
    """The lines of a table on the page, by head."""
    shown = BLOCK.partition(f"\n{null.TABLES[name].__doc__}\n")[2].lstrip().partition("\n\n")[0]
    heads, _, *lines = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in shown.splitlines()
    ]
    return [dict(zip(heads, line, strict=True)) for line in lines]


@pytest.mark.parametrize("name", null.TABLES)
def test_every_table_is_published(name):
    assert [*table(name)[0]] == list(next(null.TABLES[name](1)))


def test_sizes_and_kinds_of_differences():
    lines = table("systems")
    assert {(line["differences"], int(line["segments"])) for line in lines} == {
        (kind, size) for kind in null.KINDS for size in (2, 5, 10, 20, 50, 200)
    }
    assert [int(line["documents"]) for line in table("documents")] == [4, 6, 10, 20]


def test_what_the_page_concludes():
    too_many = {
        (line["differences"], line["segments"])
        for line in table("systems")
        if float(line["randomization"]) > HIGHEST
    }
    assert too_many == {("skewed", "10")}
    bootstrap = {line["segments"]: float(line["bootstrap"]) for line in table("systems")[:6]}
    assert bootstrap["10"] > HIGHEST >= bootstrap["200"]
    for line in table("documents"):
        assert float(line["documents ignored"]) > 0.4
        assert float(line["randomization"]) <= HIGHEST
    [family] = table("families")
    assert max(float(family[name]) for name in ("holm", "bh")) <= HIGHEST < float(family["none"])
    assert max(float(line["any star"]) for line in table("pages")) <= HIGHEST
    systems = [line for line in table("metrics") if line["level"] == "system"]
    for line in systems:
        assert float(line["systems fixed: interval holds"]) < 0.6
        assert float(line["interval holds"]) > 0.85
    five, nine, twenty = systems
    assert float(five["perm-systems"]) == 0
    for test in ("perm-systems", "williams"):
        assert float(twenty[test]) <= HIGHEST < float(nine[test])


def test_a_table_is_what_the_command_prints(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["null", "orders"])
    null.main()
    assert capsys.readouterr().out.strip() in BLOCK


@pytest.mark.long
def test_all_tables_are_what_the_command_prints(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["null"])
    null.main()
    assert capsys.readouterr().out.strip() == BLOCK.strip()


def test_the_text_has_no_rates_of_its_own():
    """Below the level and the errors of a rate, which are arithmetic."""
    assert set(re.findall(r"(?<![\w.])\.\d+", TEXT)) <= {".05", ".95", ".015", ".02"}
