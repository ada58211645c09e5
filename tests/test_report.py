"""Reports: their data, plots, tables, pages."""

from __future__ import annotations

import base64
import gzip
import hashlib
import itertools
import json
import math
import random
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.drawing import layers_of
from otherwords.stats.intervals import Resampling, bootstrap, percentiles
from otherwords.study.agreement.arrays import Scoring
from otherwords.study.report import plot as plots
from otherwords.study.report.data import gather
from otherwords.study.report.evidence import find_disagreements
from otherwords.study.report.page import Section, document, table_html
from otherwords.study.report.plot import (
    Plot,
    histogram,
    jitter,
    ranking,
    scatter,
    stacked,
    standalone,
)
from otherwords.study.report.report import Layout, assemble, build
from otherwords.study.report.style import DARK, LIGHT, SERIES
from otherwords.tables.table import Column, Table

CHRF = {"chrf": otherwords.metric("chrf")}
FEW = Resampling(resamples=30)
WORDS = "the a old man dog cat saw runs home reads writes slowly often".split()
EVIL = '</title><script>alert(1)</script><img src=x onerror="alert(2)">&'


def judged_rows(systems=3, segments=12, seed=0, **more):
    """Systems that change more and more words, and people who see that."""
    chance = random.Random(seed)
    rows = []
    for item in range(segments):
        reference = [chance.choice(WORDS) for _ in range(3 + 2 * item)]
        for system in range(systems):
            changed = [
                chance.choice(WORDS) if chance.random() < 0.1 + 0.25 * system else word
                for word in reference
            ]
            same = sum(a == b for a, b in zip(changed, reference, strict=True)) / len(reference)
            human = {"da": float(round(4 * same)), "fluency": float(chance.randrange(1, 5))}
            rows.append(
                Row(
                    " ".join(changed),
                    (" ".join(reference),),
                    system=f"system {system}",
                    item=str(item),
                    human=human,
                    **more,
                )
            )
    return rows


@pytest.fixture(scope="module")
def evidence():
    metrics = {name: otherwords.metric(name) for name in ("maxsim", "chrf", "ter")}
    return gather(judged_rows(), metrics, "da", resampling=FEW, scoring=Scoring(any_language=True))


@pytest.fixture(scope="module")
def report(evidence):
    return assemble(evidence, Layout(title=EVIL))


def test_systems_have_their_corpus_scores(evidence):
    for label, metric in evidence.metrics.items():
        for number, name in enumerate(evidence.names):
            mine = evidence.judged.systems[name]
            statistics = evidence.scored[label].statistics[mine]
            drawn = evidence.systems[label]
            assert drawn.values[number] == pytest.approx(metric.aggregate(statistics))
            expected = percentiles(bootstrap(metric.corpus_scores, statistics, resamples=30), 0.95)
            assert drawn.around(number, 0.95)[1:] == pytest.approx(expected)


def test_the_test_of_metrics_keeps_the_rows_of_a_segment_together(report):
    notes = {table.name: " ".join(table.notes) for table in report.tables}
    assert "p of the paired bootstrap" in notes["agreement-significance-segment"]


def test_people_have_their_means(evidence):
    for number, mine in enumerate(evidence.judged.systems.values()):
        mean = np.mean([evidence.rows[row].human["da"] for row in mine])
        assert evidence.people["da"].values[number] == pytest.approx(mean)


def test_best_system_first_also_where_lower_is_better(evidence):
    assert evidence.ranked("chrf")[0] == evidence.ranked("ter")[0] == 0


def test_the_parts_of_a_judged_report(report):
    names = [section.name for section in report.sections]
    expected = "rows pair significance agreement scatter disagreements scores signatures"
    assert names == expected.split()
    assert {plot.name for plot in report.plots} >= {
        "agreement-segment",
        "pair-maxsim",
        "differences-maxsim",
        "scatter-maxsim",
        "scatter-systems-ter",
    }
    assert {table.name for table in report.tables} >= {
        "agreement-segment",
        "agreement-system",
        "agreement-significance-segment",
        "scores",
        "significance-chrf",
    }
    for table in report.tables:
        assert {len(row) for row in table.rows} == {len(table.columns)}, table.name


def test_without_people_there_is_no_scatter():
    rows = [Row(r.hypothesis, r.references, system=r.system, item=r.item) for r in judged_rows()]
    found = gather(rows, CHRF, resampling=FEW)
    report = assemble(found)
    names = [section.name for section in report.sections]
    assert names == ["rows", "pair", "significance", "scores", "signatures"]
    assert "no human scores" in report.html


def test_one_system_and_one_segment_make_a_page_too():
    rows = [Row("the cat", ("the cat",), human={"da": 1.0})]
    found = gather(rows, CHRF, "da", resampling=FEW)
    page = assemble(found).html
    own = re.sub(r'<style>.*</style>|<script type="module">.*</script>', "", page, flags=re.S)
    assert "nan" not in own.lower()


def test_rows_that_lack_the_score_are_left_out_and_reported():
    rows = [*judged_rows(), Row("a", ("b",), system="system 0", item="x")]
    found = gather(rows, CHRF, "da", resampling=FEW)
    assert len(found.rows) == len(rows) - 1
    assert "rows without da, left out: 1" in found.notes


@pytest.mark.parametrize(
    ("rows", "human", "message"),
    [
        ([], None, "no rows"),
        ([Row("a", ("b",), system="control-copy")], None, "are controls"),
        (judged_rows(), "dea", "did you mean 'da'"),
        ([Row("a", ("b",))], "da", "no human scores at all"),
    ],
)
def test_what_cannot_be_reported_is_refused(rows, human, message):
    with pytest.raises(UsageError, match=message):
        gather(rows, CHRF, human, resampling=FEW)


def test_worst_disagreements_by_hand():
    # By chrf 0 is best and 3 worst; people have it the other way round for 0 and 3.
    texts = ["the old man", "the old dog", "a dog", "xyz"]
    people = [1.0, 3.0, 2.0, 4.0]
    rows = [
        Row(text, ("the old man",), item=str(i), human={"da": said})
        for i, (text, said) in enumerate(zip(texts, people, strict=True))
    ]
    found = gather(rows, CHRF, "da", resampling=FEW)
    high, low = find_disagreements(found, "chrf", shown=1)
    assert (high[0].row.item, high[0].ranks) == ("0", (1.0, 0.0))
    assert (low[0].row.item, low[0].ranks) == ("3", (0.0, 1.0))


def test_forty_systems_have_all_their_tests():
    rows = judged_rows(systems=40, segments=3)
    found = gather(
        rows,
        CHRF,
        "da",
        resampling=FEW,
        scoring=Scoring(any_language=True),
    )
    report = assemble(found, Layout(examples=0))
    (matrix,) = (table for table in report.tables if table.name == "significance-chrf")
    assert len(matrix.rows) == 40
    assert 'class="triangle flow"' in table_html(matrix)  # which needs no width
    assert "disagreements" not in [section.name for section in report.sections]


def test_a_large_scatter_is_sampled_and_reported(monkeypatch):
    monkeypatch.setattr("otherwords.study.report.correlation.POINTS", 10)
    found = gather(
        judged_rows(),
        CHRF,
        "da",
        resampling=FEW,
        scoring=Scoring(any_language=True),
    )
    drawn = next(plot for plot in assemble(found).plots if plot.name == "scatter-chrf")
    assert "36 texts of 12 segments" in drawn.caption
    assert "10 of them sampled at random" in drawn.caption
    assert drawn.svg.count('class="m"') == 10


def test_rows_beyond_a_limit_are_sampled_by_segment_and_reported(monkeypatch, evidence):
    monkeypatch.setattr("otherwords.study.report.report.SHOWN", 10)
    page = assemble(evidence)
    assert "3 of 12 segments, sampled at random." in page.html
    data = json.loads(re.search(r'id="row-data">(.*?)</script>', page.html, re.S)[1])
    assert [len(data[name]) for name in ("rows", "items", "systems")] == [9, 3, 3]
    for number, item, _, text, scores, _ in data["rows"]:
        row = evidence.rows[number]
        assert (text, data["items"][item]["name"]) == (row.hypothesis, row.item)
        assert scores[1] == pytest.approx(evidence.scores("chrf")[number], rel=1e-5)
        assert scores[3] == row.human["da"]


def test_spans_of_rows_are_those_of_the_metric(evidence):
    """What the page has compressed is what `matches` gives, for the rows that were asked for."""
    page = assemble(evidence, Layout(explained=6)).html
    blocks = re.findall(r'class="spans"[^>]*>(.*?)</script>', page)
    found = {}
    for block in blocks:
        found |= json.loads(gzip.decompress(base64.b64decode(block)))
    assert len(found) == 6
    marked = 0
    for number, by_metric in found.items():
        row = evidence.rows[int(number)]
        explained = otherwords.metric("maxsim").explain(row.hypothesis, row.references)
        assert set(by_metric) == {"maxsim"}  # chrf and ter name no matches
        drawn = layers_of(explained, 0)["1-gram"]
        assert by_metric["maxsim"][0] == [
            [span.verdict, span.sentence("references"), *span.hypothesis, *span.reference]
            for span in drawn
            if span.verdict != "same"
        ]
        marked += len(by_metric["maxsim"][0])
    assert marked > 0
    assert 'class="spans"' not in assemble(evidence, Layout(explained=0)).html


def test_the_same_rows_make_the_same_bytes(evidence, report):
    metrics = {name: otherwords.metric(name) for name in ("maxsim", "chrf", "ter")}
    found = gather(
        judged_rows(), metrics, "da", resampling=FEW, scoring=Scoring(2, any_language=True)
    )
    assert assemble(found, Layout(title=EVIL)).html == report.html


class Checker(HTMLParser):
    """Tags that open and close, and what a page must not have."""

    VOID = frozenset("meta link br img".split())

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.ids = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_sound_and_harmless(report):
    page = Checker(report.html)
    assert page.open == []
    kinds = [value for name, value in page.attributes if name == "type"]
    assert kinds.count("module") == 1  # the one script that runs, named by its hash
    assert set(kinds) == {"application/json", "application/gzip", "module"}
    [policy] = [v for k, v in page.attributes if k == "content" and "default-src" in v]
    assert "unsafe" not in policy
    code = report.html.rpartition('<script type="module">')[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "img" not in page.tags
    assert len(set(page.ids)) == len(page.ids)
    links = [value for name, value in page.attributes if name in ("href", "src")]
    assert all(link == "data:," or link[1:] in page.ids for link in links)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "style"]
    drawn = [plot for section in report.sections for plot in section.plots]
    assert page.tags.count("desc") == len(drawn)
    assert "http://" not in report.html.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in report.html


def test_every_plot_is_xml_by_itself(report):
    for one in report.plots:
        root = ET.fromstring(standalone(one))
        assert root.get("width") == "360"
        assert f'height="{root.get("viewBox").split()[3]}"' in standalone(one)
        assert "nan" not in one.svg
        assert "var(" not in standalone(one)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_contrast_is_at_least_4_5(palette):
    ground = luminance(palette["ground"])
    for name, colour in palette.items():
        if name in ("text", "quiet", "accent") or name[1:].isdigit():
            light, dark = sorted([luminance(colour), ground], reverse=True)
            # Text needs 4.5, marks 3 (WCAG 1.4.3, 1.4.11).
            assert (light + 0.05) / (dark + 0.05) >= (3 if name[1:].isdigit() else 4.5), name


# Machado, Oliveira & Fernandes (2009), severity 1: protanopia, deuteranopia, tritanopia.
BLIND = {
    "protan": ".152286 1.052583 -.204868 .114503 .786281 .099216 -.003882 -.048116 1.051998",
    "deutan": ".367322 .860646 -.227968 .280085 .672501 .047413 -.01182 .04294 .968881",
    "tritan": "1.255528 -.076749 -.178779 -.078411 .930809 .147602 .004733 .691367 .3039",
}


def lab(colour, simulated):
    """CIE L*a*b* (D65) of a colour as somebody sees it."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    matrix = np.array(simulated.split(), dtype=float).reshape(3, 3)
    linear = np.clip(matrix @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ratios = np.array(to_xyz) @ linear / [0.9505, 1.0, 1.089]
    x, y, z = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("kind", BLIND)
def test_series_stay_apart_for_colour_blind_readers(palette, kind):
    seen = [lab(palette[f"c{n}"], BLIND[kind]) for n in range(SERIES)]
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(one - other) > 12  # 2.3 is just noticeable


def test_jitter_keeps_points_apart_and_leaves_the_rest():
    values = np.array([1.0, 2.0, 2.0, 4.0])
    moved = jitter(values)
    assert np.abs(moved - values).max() <= 0.3
    assert len(set(moved)) == 4
    many = np.arange(100.0)
    assert jitter(many) is many
    assert jitter(np.ones(3)).tolist() == [1.0, 1.0, 1.0]


def test_jitter_is_the_same_every_time():
    values = np.array([1.0, 2.0] * 5)
    assert jitter(values).tolist() == jitter(values).tolist()


@pytest.mark.parametrize("values", [[0.0], [5.0, 5.0], [-1e-9, 1e-9], [1e6, -1e6], [0.3, 0.7]])
def test_axes_hold_any_values(values):
    axis = plots._Axis(*plots._spread(values), 0.0, 100.0)
    assert all(0 <= axis(value) <= 100 for value in values)
    ticks = axis.ticks()
    assert 1 <= len(ticks) <= 12
    assert len(set(ticks.values())) == len(ticks)


@pytest.mark.parametrize("width", [60.0, 100.0, 300.0])
@pytest.mark.parametrize("values", [[-1.0, 1.0], [0.5501, 0.5502], [-12000.0, 3.0]])
def test_labels_of_ticks_do_not_meet(values, width):
    axis = plots._Axis(*plots._spread(values), 0.0, width)
    ticks = axis.ticks()
    for (one, words), (other, more) in itertools.pairwise(ticks.items()):
        assert axis(other) - axis(one) > plots.LETTER * (len(words) + len(more)) / 2


@pytest.mark.parametrize("label", [EVIL, "", "名前" * 30, "a\x00b\ud800"])
def test_any_name_can_be_drawn(label):
    drawn = [
        scatter("s", label, label, [(1.0, 2.0), (2.0, 1.0)], (label, label), [label, label]),
        ranking("r", label, label, [(label, (1.0, None, None)), (label, (2.0, 1.0, 3.0))], label),
        histogram("h", label, label, [1.0, -0.5, 2.0], label, (0, 1)),
        stacked("b", label, label, {label: [1, 0, 2], "x": [0, 0, 0]}, (label, "minor", "major")),
    ]
    for one in drawn:
        ET.fromstring(standalone(one))


def test_points_are_where_the_numbers_are():
    drawn = ranking("r", "t", "c", [("a", (3.0, 2.0, 4.0)), ("b", (1.0, 0.0, 2.0))], "score")
    bars = re.findall(r'class="e" d="M([\d.]+) [\d.]+H([\d.]+)', drawn.svg)
    (low_a, high_a), (low_b, high_b) = [(float(low), float(high)) for low, high in bars]
    assert math.isclose(high_a - low_a, high_b - low_b, abs_tol=0.2)
    assert math.isclose(low_a, high_b, abs_tol=0.2)  # both are at 2


def test_tables_are_escaped_and_labelled():
    columns = [Column("<x>", left=True), Column("n")]
    table = Table("t", columns, [["<b>", 1], ["\x00", 2]], "A & B", ["note <i>"])
    html = table_html(table)
    assert "<caption>A &amp; B</caption>" in html
    assert '<th scope="col">&lt;x&gt;</th><th scope="col" class="number">n</th>' in html
    assert '<th scope="row">&lt;b&gt;</th><td class="number" data-head="n">1</td>' in html
    assert '<th scope="row">\ufffd</th>' in html
    assert "note &lt;i&gt;" in html


def test_a_section_may_be_empty():
    page = document("t", "l", [Section("a", "A")])
    assert '<h2 id="a">A</h2>' in page
    assert Plot("n", "t", "c", "<svg/>").name == "n"


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        {
            "system": row.system,
            "item": row.item,
            "hypothesis": row.hypothesis,
            "references": list(row.references),
            "human": row.human,
        }
        for row in judged_rows()
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


FAST = ["-m", "chrf,maxsim", "--resamples", "20", "--any-language"]


def test_command_writes_page_plots_and_tables(rows, ok):
    more = ["--human", "da", "--plots", "plots", "--tables", "tables"]
    out = ok("report", "rows.jsonl", *FAST, *more)
    assert out == "report.html: system 0 leads by chrf; level with system 1 by maxsim.\n"
    assert "<title>rows</title>" in (rows / "report.html").read_text()
    names = {path.name for path in (rows / "plots").iterdir()}
    assert {"scatter-chrf.svg", "pair-chrf.svg", "differences-chrf.svg"} <= names
    table = (rows / "tables" / "scores.tex").read_text()
    assert "system 0" in table
    assert "\\begin{tabular}" in table
    first = (rows / "report.html").read_bytes()
    ok("report", "rows.jsonl", *FAST, "--human", "da", "-o", "again.html", "--threads", "2")
    assert (rows / "again.html").read_bytes() == first


def test_scores_from_elsewhere_are_metrics_too(rows, ok):
    lines = ["system\titem\tmine"]
    lines += [f"{row.system}\t{row.item}\t{len(row.hypothesis)}" for row in judged_rows()]
    (rows / "given.tsv").write_text("\n".join(lines))
    ok("report", "rows.jsonl", *FAST, "--human", "da", "--scores", "given.tsv")
    page = (rows / "report.html").read_text()
    assert "mine against da, segments" in page
    assert "mine ranks higher than the human score" in page


def test_a_report_from_python_is_that_of_the_command(rows, ok):
    ok("report", "rows.jsonl", *FAST, "--human", "da", "--tables", "tables")
    page = build(
        judged_rows(),
        ["chrf", "maxsim"],
        "da",
        layout=Layout("rows"),
        resampling=Resampling(resamples=20),
        scoring=Scoring(any_language=True),
    )
    page.write(rows / "python.html", tables=str(rows / "again"))
    assert (rows / "python.html").read_bytes() == (rows / "report.html").read_bytes()
    for path in (rows / "tables").iterdir():
        assert path.read_bytes() == (rows / "again" / path.name).read_bytes()


def test_the_best_scores_are_bold(report):
    (table,) = (one for one in report.tables if one.name == "scores")
    best = {column.name: column.best for column in table.columns}
    assert best["chrf"] == "highest"
    assert best["ter"] == "lowest"
    assert "<strong>" in table_html(table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rows.jsonl", "--human", "dda"], "did you mean 'da'"),
        (["rows.jsonl", "-o", "rows.jsonl"], "both read and written"),
        (["rows.jsonl", "-o", "no/page.html"], "there is no directory"),
        (["rows.jsonl", "--tables", "rows.jsonl"], "this is a file"),
        (["rows.jsonl", "--tables", "no/tables"], "there is no directory"),
        (["rows.jsonl", "--lower-is-better", "x"], "--scores"),
        (["rows.jsonl", "--resamples", "0"], "resamples"),
        (["gone.jsonl"], "gone.jsonl"),
    ],
)
def test_mistakes_are_refused(rows, refused, arguments, message):
    before = (rows / "rows.jsonl").read_bytes()
    assert message in refused("report", *arguments, "-m", "chrf", "--any-language")
    assert [path.name for path in rows.iterdir()] == ["rows.jsonl"]
    assert (rows / "rows.jsonl").read_bytes() == before


@pytest.mark.data
def test_shakespeare_as_the_command_meta_has_it(shared, tmp_path, ok):
    """PINC with overall is .3731 over segments (docs/meta.md, by Pearson's formula alone)."""
    output = tmp_path / "page.html"
    rows = shared / "paraphrase" / "shakespeare-dev.jsonl.gz"
    more = ["-m", "pinc", "--human", "overall", "--resamples", "20", "-o", output]
    ok("report", rows, *more, "--tables", tmp_path / "tables")
    lines = (tmp_path / "tables" / "agreement-segment.tex").read_text().splitlines()
    assert any(line.startswith("pinc & 0.37 [") for line in lines)


def test_text_files_and_human_scores_of_systems(ok, refused, tmp_path):
    folder = Path(__file__).resolve().parents[1] / "examples" / "translation"
    human = tmp_path / "human.json"
    human.write_text(json.dumps({"careful": 4, "literal": 3, "free": 2, "careless": 1}))
    systems = [folder / f"{name}.txt" for name in ("careful", "literal", "free", "careless")]
    argv = ["report", "-r", folder / "reference.txt", *systems, "-m", "chrf", "--resamples", "20"]
    out = ok(*argv, "--system-human", human, "-o", tmp_path / "page.html")
    assert out == f"{tmp_path / 'page.html'}: careful leads by chrf.\n"
    page = (tmp_path / "page.html").read_text()
    assert "<title>careful, literal, free, careless</title>" in page
    assert "Which metric agrees with human scores" in page
    both = refused(*argv, "--system-human", human, "--human", "da", "-o", tmp_path / "other.html")
    assert "give human or system-human, not both" in both


def test_the_metrics_fit_the_rows(ok, tmp_path):
    folder = Path(__file__).resolve().parents[1] / "examples" / "paraphrase"
    files = ["-s", folder / "original.txt", folder / "copied.txt", folder / "rewritten.txt"]
    ok("report", *files, "--resamples", "20", "--explained", "0", "-o", tmp_path / "page.html")
    assert "otherwords-rewrite" in (tmp_path / "page.html").read_text()


def test_a_system_has_one_colour_in_all_plots(evidence, report):
    """Each system by its rank: in tables, by metric and human score, and against another."""
    colours: dict[str, set[str]] = {}
    for name in ("scatter-systems-chrf", "scatter-systems-ter"):
        (drawn,) = (plot for plot in report.plots if plot.name == name)
        groups = re.findall(r'<g class="(c\d)"><[^>]*data-tip="(.*?)"', drawn.svg)
        for colour, system in groups:
            colours.setdefault(system, set()).add(colour)
    for colour, system in re.findall(r'<svg class="dot (c\d)".*?</svg>(.*?)</th>', report.html):
        colours.setdefault(system, set()).add(colour)
    assert colours == {f"system {n}": {f"c{n}"} for n in range(3)}
    assert evidence.series == {f"system {n}": n for n in range(3)}


def test_differences_by_segment_are_counted(report, evidence):
    (drawn,) = (plot for plot in report.plots if plot.name == "pair-maxsim")
    scores = evidence.scores("maxsim")
    one, other = (scores[evidence.judged.systems[f"system {n}"]] for n in (0, 1))
    won = f"better on {(one > other).sum()}, system 1 on {(one < other).sum()}, even on"
    assert won in drawn.caption
    (bars,) = (plot for plot in report.plots if plot.name == "differences-maxsim")
    counts = [int(count) for count in re.findall(r'data-tip="about [^:]*: (\d+)"', bars.svg)]
    assert sum(counts) == 12


def test_faults_are_none_minor_or_major(ok, tmp_path):
    texts = ["He paid 20 euros.", "He paid 30 euros.", ""]
    rows = [
        {"system": "mine", "item": str(n), "references": ["He paid 20 euros."], "hypothesis": text}
        for n, text in enumerate(texts)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    more = ["-m", "chrf", "--resamples", "20", "--plots", tmp_path / "plots"]
    ok("report", tmp_path / "rows.jsonl", *more, "-o", tmp_path / "page.html")
    drawn = (tmp_path / "plots" / "faults.svg").read_text()
    tips = re.findall(r'data-tip="mine, (\w+): (\d)', drawn)
    assert tips == [("none", "1"), ("minor", "0"), ("major", "2")]


def test_p_values_are_shades_with_numbers(report):
    """A cell has the number for those who point at it; LaTeX has it in sight."""
    (matrix,) = (table for table in report.tables if table.name == "significance-chrf")
    html = table_html(matrix)
    cells = re.findall(r'<td class="p(\d)" data-head="[^"]*"><span>(.*?)</span></td>', html)
    assert [text for _, text in cells] == [
        cell.replace("<", "&lt;") for row in matrix.rows for cell in row[1:] if cell
    ]
    assert {level for level, text in cells if text.endswith("*")} <= {"1", "2", "3"}
