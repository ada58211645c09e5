"""The pages of the papers name tests that are there and commands that exist."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from bench import papers
from bench.papers import PAPERS
from bench.published import pem_tables

from otherwords.cli import main

ROOT = Path(__file__).parents[1]
PAGES = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/papers").glob("*.md")
}
# Every section, table, figure and equation of a paper, and the proposals of its last section.
PARTS = {
    "pem": (
        "§1 §2 §3 §4.1 §4.2 §4.3 §4.4 §4.5 §5.1 §5.2 §5.3 §6.1 §6.2 §7 §8 "
        "Tables:1-3 Figures:1-5 eq.:1-2",
        ["paraphrases of real", "syntactic", "other language", "several", "argmax", "BPNG in"],
    ),
    "maxsim": (
        "§1 §2 §2.1 §2.1.1 §2.1.2 §2.2 §3.1 §3.2 §3.3 §4 §5 Tables:1-2 Figures:1-2 eq.:1-2",
        ["speed", "1/N with N = 3", "several references"],
    ),
    "paraeval": (
        "§1 §2.1 §2.2 §3.1 §3.2 §3.3 §4.1 §4.2 §4.3 §5.1 §5.2 §5.3 §6 §7 Tables:1-6 Figures:1-5",
        ["weights", "longer paraphrases", "context"],
    ),
    "paradigm": (
        "§1 §2 §2.1 §3 §4.1 §4.2 §4.3 §5.1 §5.2 §5.3 §5.4 §5.5 §5.6 §6 §7 Tables:1-7 Figures:1-4",
        ["PRECIS, PINC", "PRO to PRECIS", "length ratio"],
    ),
    "parametric": (
        "§1 §2 §3 §4 §5 §6 §7.1 §7.2 §7.3 §8 Tables:1-3 Figures:1-3",
        ["LB-Precision =", "Align-Precision =", "human scores", "how many translations"],
    ),
}


def numbers_of(cells, kind):
    """The numbers that the cells name: `Tables 5, 6` has 5 and 6."""
    pattern = {"eq.": r"eq\. ([\d, ]+)"}.get(kind, rf"{kind[:-1]}s? ([\d, ]+)")
    return {int(n) for found in re.findall(pattern, cells) for n in re.findall(r"\d+", found)}


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_part_of_the_paper_has_a_row(name):
    placed = PAGES[name].partition("## Where each part of the paper is")[2].partition("\n## ")[0]
    cells = "\n".join(re.findall(r"^\| (.+?) \|", placed, re.MULTILINE))
    named, proposals = PARTS[name]
    for part in named.split():
        kind, _, bounds = part.partition(":")
        if bounds:
            first, last = map(int, bounds.split("-"))
            assert set(range(first, last + 1)) <= numbers_of(cells, kind), part
        else:
            assert re.search(rf"{re.escape(part)}(?!\.?\d)", cells), part
    for part in proposals:
        assert part in cells, part
    untested = re.findall(r"^\|(.+)\|\s*\|$", placed, re.MULTILINE)
    for row in untested:
        assert re.search("background|summary|not done|not available", row), row
    for title in ("What differs", "The paper's figures and ours"):
        assert title in PAGES[name]


@pytest.mark.parametrize("name", sorted(PARTS))
def test_named_tests_are_there(name):
    last = ""
    for file, test in re.findall(r"`(test_\w+\.py)?(?:::(test_\w+))?`", PAGES[name]):
        last = file or last
        if not last:
            continue
        path = ROOT / "tests" / last
        assert path.is_file(), last
        if test:
            assert f"def {test}(" in path.read_text(encoding="utf-8"), (last, test)


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("name", sorted(PARTS))
def test_figures_are_what_the_command_prints(name, tmp_path, capsys):
    """Every figure of ours on the page is in the block that `bench.papers` prints."""
    first = f"<!-- printed by: python -m bench.papers {name} -->"
    [block] = re.findall(re.escape(first) + r"\n(.*?)<!-- end -->", PAGES[name], re.DOTALL)
    if name == "pem" and find_spec("jieba") is None:  # the extra `bench`
        pem_tables(tmp_path)
        block, *_ = block.partition("```sh\notherwords build")
    else:
        PAPERS[name](tmp_path)
    assert capsys.readouterr().out.strip() == block.strip()
    if name == "paradigm":
        figure = (ROOT / "docs/paradigm-figure4.svg").read_bytes()
        assert (tmp_path / "figure4.svg").read_bytes() == figure


def test_one_command_prints_every_paper_that_can_be_printed(monkeypatch, capsys):
    """A paper whose program is missing is named; the papers after it are printed."""

    def fail(folder):
        print("Table 1")
        raise SystemExit("build ...: exit code 2")

    monkeypatch.setattr(papers, "PAPERS", {"pem": fail, "maxsim": lambda folder: print("Table 2")})
    with pytest.raises(SystemExit) as ended:
        papers.main([])
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == ["== pem", "Table 1", "== maxsim", "Table 2"]
    assert printed.err == "pem: build ...: exit code 2\n"


@pytest.mark.parametrize("name", sorted(PARTS))
def test_there_is_a_block_for_the_figures(name):
    first = f"<!-- printed by: python -m bench.papers {name} -->"
    [block] = re.findall(re.escape(first) + r"\n(.*?)<!-- end -->", PAGES[name], re.DOTALL)
    assert block.count("|--:|") >= 2  # tables


@pytest.mark.parametrize("name", sorted(PARTS))
def test_text_about_the_figures_has_none_of_its_own(name):
    """What is said below the block would not be compared with any command."""
    said = PAGES[name].partition("<!-- end -->")[2]
    assert re.findall(r"(?<![\w§.])\d*\.\d+", said) == []


def first_column(page, caption):
    """The first figure of each line of the page's first table with this caption."""
    table = PAGES[page].partition(f"**{caption}**")[2].partition("\n\n**")[0]
    lines = re.findall(r"^\| ([^|]+?) \| \**(-?[\d.]+)", table.partition("```")[0], re.MULTILINE)
    return {label.replace("\\", ""): float(figure) for label, figure in lines}


def test_what_the_page_of_paraeval_concludes():
    rho = first_column("paraeval", "System level, human")
    everything = {name: rho[f"{name}, all references"] for name in ("paraeval-r", "paraeval-p")}
    single = {
        name: [rho[f"{name}, reference {number}"] for number in (1, 2)]
        for name in ("paraeval-p", "bleu", "mup", "gm", "bp-bleu")
    }
    # Tables 1 and 2: ParaEval above BLEU, recall above precision.
    assert everything["paraeval-r"] > everything["paraeval-p"] > rho["bleu, all references"]
    # Tables 5 and 6: the inversion is there with the brevity penalty, and not without it.
    for name in ("bleu", "bp-bleu"):
        assert min(single[name]) > rho[f"{name}, all references"]
    for name in ("mup", "gm"):
        assert max(single[name]) < rho[f"{name}, all references"]
    assert max(single["paraeval-p"]) < everything["paraeval-p"]  # Table 3
    rest = PAGES["paraeval"].partition("--sweep min_length=1,2,3 --resamples")[2]
    swept = re.findall(r"paraeval-p, \S+ (\w+) \| \**(-?[\d.]+)", rest)
    by_option = {value: float(figure) for value, figure in swept}
    assert by_option["1"] > max(by_option["2"], by_option["3"])  # §4.2 does not reproduce
    assert by_option["surface"] > by_option["paraphrase"] > by_option["none"]  # §4.3


def test_what_the_page_of_maxsim_concludes():
    """MAXSIM is above BLEU, and an alpha above .5 is best."""
    systems = [f"Table 2: Spearman over systems ({which})" for which in ("19 de-en", "8 zh-en")]
    for caption in (*systems, "Segment level, da"):
        *of_maxsim, bleu = first_column("maxsim", caption).values()
        assert min(of_maxsim) > bleu
    swept = first_column("maxsim", "MAXSIM by alpha: Spearman over systems (§4)")
    assert len(swept) == 11
    assert float(max(swept, key=swept.__getitem__)) > 0.5


PAPER = {"maxsim": 2008, "paradigm": 2014, "paraeval": 2006, "parametric": 2008, "pem": 2010}
NUMBER = r"(?<![\w.,])(?:\d*\.\d+|\d{1,3}(?:,\d{3})+)(?![\w.]*\d)"
NOT_THE_PAPERS = {
    "paraeval": {".001"},  # an option
    # Sizes of our pivots; a share and a sum of the paper's figures.
    "paradigm": {"6,000", "12,000", "18.6", "47,729"},
}


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(PARTS))
def test_figures_outside_the_block_are_those_of_the_paper(name, shared):
    """Decimals and large numbers, rounded as the page has them."""
    paper = (shared.parent / "papers" / f"{name}-{PAPER[name]}.txt").read_text(encoding="utf-8")
    known = [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\.?\d*|\.\d+", paper)]
    text = re.sub(r"<!-- printed by.*?<!-- end -->|```.*?```|§[\d.]+", "", PAGES[name], flags=re.S)
    for number in set(re.findall(NUMBER, text)) - NOT_THE_PAPERS.get(name, set()):
        value, decimals = float(number.replace(",", "")), len(number.partition(".")[2])
        near = min(known, key=lambda one: abs(one - value))
        assert abs(near - value) <= 0.500001 * 10**-decimals, number


@pytest.mark.parametrize("name", sorted(PARTS))
def test_commands_and_options_exist(name, capsys):
    """Every command of a page, in blocks and in the text, has options that its command has."""
    text = re.sub(r"\\\n\s*", "", PAGES[name])
    commands = re.findall(r"^otherwords ([^\n]*)$", text, re.MULTILINE)
    commands += re.findall(r"`(?:otherwords )?([a-z][a-z ]*--[a-z][^`]*)`", text)
    assert commands
    for command in commands:
        words = command.split()
        path = [word for word in words[: _first_option(words)] if re.fullmatch(r"[a-z]+", word)]
        assert main([*path, "--help"]) == 0, command
        known = capsys.readouterr().out
        for option in [word for word in words if re.match(r"--?[a-z]", word)]:
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), (command, option)
    for bench in re.findall(r"python -m bench\.(\w+)", text):
        assert (ROOT / "bench" / f"{bench}.py").exists(), bench


def _first_option(words):
    return next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
