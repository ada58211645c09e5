"""`otherwords parametric` from the command line."""

from __future__ import annotations

import json
import math

import pytest

from otherwords.build.bitext import read_gold
from otherwords.cli import main
from otherwords.study.parametric import Counted, ParametricResult, parametric

ROWS = [
    {"source": "he quit".split(), "target": "he resigned".split(), "group": "1"},
    {"source": "he quit".split(), "target": "he left".split(), "group": "1"},
    {"source": "she wept".split(), "target": "she cried".split(), "group": "2"},
]
GOLD = [
    row | {"sure": ["0-0", "1-1"], "possible": [], "domain": domain}
    for row, domain in zip(ROWS, ["news", "news", "novels"], strict=True)
]
# Pairs of up to two words: quit | resigned, he quit | he resigned, the same with left, and
# wept | cried, she wept | she cried. The table knows one of these six and one wrong one.
TABLE = "quit\tresigned\t0.5\nwept\tlaughed\t0.2\nwept\tcried\t0.009\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, GOLD)))
    (tmp_path / "good.pharaoh").write_text("0-0 1-1\n" * 3)
    (tmp_path / "poor.pharaoh").write_text("0-0 1-1\n0-0\n0-1 1-0\n")
    (tmp_path / "table.tsv").write_text(TABLE)
    return tmp_path


def scores(out, system="good", domain="all"):
    """The scores of a system, of the longest phrases."""
    return {
        one["metric"]: one["score"]["value"]
        for one in json.loads(out)["scores"]
        if (one["system"], one["domain"]) == (system, domain)
    }


def test_gold_against_itself_is_perfect_everywhere(files, ok):
    found = scores(
        ok("parametric", "--gold", "gold.jsonl", "--alignments", "good.pharaoh", "-f", "json")
    )
    assert found.pop("aer") == 0
    assert set(found.values()) == {1.0}
    assert len(found) == 5


def test_a_table_by_hand(files, ok):
    out = ok("parametric", "--gold", "gold.jsonl", "--table", "t=table.tsv", "-f", "json")
    found = scores(out, "t")
    assert (found["lb-precision"], found["rel-recall"]) == (1 / 2, 1 / 6)
    assert "align-precision" not in found
    (part,) = parametric("gold.jsonl", tables={"t": "table.tsv"}).parts
    assert part.counted[0] == Counted(
        right_pairs=0,
        proposed_pairs=0,
        gold_pairs=3,
        right_listed=1,
        proposed_listed=2,
        gold_listed=3,
    )
    argv = ["--min-probability", "0", "-f", "json"]
    found = scores(ok("parametric", "--gold", "gold.jsonl", "--table", "t=table.tsv", *argv), "t")
    assert (found["lb-precision"], found["rel-recall"]) == (2 / 3, 2 / 6)


LONG = [
    {
        "source": "they asked him to step down".split(),
        "target": "they urged him to quit his post".split(),
        "sure": ["0-0", "1-1", "2-2", "3-3", "4-4", "5-5", "5-6"],
        "group": str(number),
    }
    for number in range(3)
]


def test_a_table_made_from_tested_sentences_is_a_warning(files, capsys):
    """§5: lists come from other text. Three words per side are hardly ever right by chance."""
    gold = files / "long.jsonl"
    gold.write_text("\n".join(map(json.dumps, LONG)))
    own = [
        "asked him to\turged him to\t1",
        "they asked him\tthey urged him\t1",
        "they asked him to\tthey urged him to\t1",
        "asked\turged\t1",
    ]
    (files / "own.tsv").write_text("\n".join(own) + "\n")
    (files / "other.tsv").write_text("asked\turged\t1\nasked him to\tbegged him to\t1\n")
    argv = ["parametric", "--gold", "long.jsonl", "--table", "own.tsv", "--table", "other.tsv"]
    assert main(argv) == 0
    err = capsys.readouterr().err
    assert "own: this table seems to be built from 3 of the 3 groups that it is tested on" in err
    assert "other" not in err


def test_links_and_table_of_one_name_are_one_system(files, ok):
    argv = ["--alignments", "mine=poor.pharaoh", "--table", "mine=table.tsv"]
    out = ok("parametric", "--gold", "gold.jsonl", *argv, "-f", "json")
    found = scores(out, "mine")
    assert {one["system"] for one in json.loads(out)["scores"]} == {"mine"}
    assert found["rel-recall"] == 1 / 6
    # 1-1 of row 1 gives two pairs. Row 2: "he" has a link alone, so that what stands next to
    # it may join it on one side or on both: he | he left, he quit | he, he quit | he left.
    # Row 3, crossed: she | cried, wept | she, and she wept | she cried, which is right.
    assert found["align-precision"] == (2 + 1 + 1) / (2 + 3 + 3)
    assert found["align-recall"] == 4 / 6
    assert found["link-recall"] == 3 / 6


def test_domains_and_lengths(files, ok):
    argv = ["parametric", "--gold", "gold.jsonl", "--alignments", "poor.pharaoh"]
    out = ok(*argv, "--by", "domain", "--by", "length", "--max-length", "2")
    lines = [line.split() for line in out.split("\n")]
    assert lines[0][:3] == ["system", "domain", "words"]
    assert [line[:4] for line in lines[1:7]] == [
        ["poor", domain, "<=", length] for length in "12" for domain in ("all", "news", "novels")
    ]
    assert "gold: 3 sentence pairs in 2 groups, 6 phrase pairs of up to 2 words" in out
    found = scores(ok(*argv, "--by", "domain", "-f", "json"), "poor", "novels")
    assert found["align-precision"] == 1 / 3


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_every_format_has_every_score(files, ok, test):
    argv = ["parametric", "--gold", "gold.jsonl", "--alignments", "good.pharaoh"]
    argv += ["--alignments", "poor.pharaoh", "--table", "table.tsv", "--paired", test]
    argv += ["--resamples", "50"]
    text = ok(*argv)
    assert "p: against good, two-sided" in text
    assert "(p = " in text
    assert "nan" not in text
    records = [json.loads(line) for line in ok(*argv, "-f", "jsonl").splitlines()]
    assert len(records) == 2 * (2 * 5 + 4) + 2 * 5
    values = [one["score"]["value"] for one in records]
    assert all(value is None or math.isfinite(value) for value in values)
    tested = [one["score"] for one in records if one["system"] == "poor"]
    assert all(set(one["interval"]) == {"low", "high", "confidence", "resamples"} for one in tested)
    assert all(
        (one["comparison"]["test"], one["comparison"]["trials"]) == (test, 50) for one in tested
    )
    rows = [line.split("\t") for line in ok(*argv, "-f", "tsv").splitlines()]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == len(records) + 1
    assert ok(*argv, "-f", "latex").count("\\begin{tabular}") == 2
    assert ok(*argv, "-o", "out.txt") == ""
    assert (files / "out.txt").read_text() == ok(*argv, "--signatures")
    assert ok(*argv, "--baseline", "poor") != text


def test_the_function_gives_what_the_command_prints(files, ok):
    argv = ["--gold", "gold.jsonl", "--alignments", "poor.pharaoh", "--table", "t=table.tsv"]
    result = parametric(
        "gold.jsonl", alignments={"poor": "poor.pharaoh"}, tables={"t": "table.tsv"}
    )
    assert isinstance(result, ParametricResult)
    assert "\n".join(result.render("csv")) + "\n" == ok("parametric", *argv, "-f", "csv")
    assert ok("parametric", *argv, "-o", "out.md") == ""
    assert (files / "out.md").read_text().startswith("| system | words |")
    assert result.of("t", "lb-precision").value == 1 / 2
    gold = read_gold("gold.jsonl")
    links = [[(0, 0), (1, 1)], [(0, 0)], [(0, 1), (1, 0)]]
    again = parametric(gold, alignments={"poor": links}, tables={"t": "table.tsv"})
    assert again.to_dict() == result.to_dict()


def test_the_same_seed_gives_the_same_bytes(files, ok):
    argv = ["parametric", "--gold", "gold.jsonl", "--alignments", "poor.pharaoh", "-f", "json"]
    assert ok(*argv) == ok(*argv)
    assert ok(*argv) != ok(*argv, "--seed", "1")


def test_possible_links_and_case(files, ok):
    row = {"source": ["Big", "dog"], "target": ["big", "hound"], "sure": ["1-1"]}
    (files / "gold.jsonl").write_text(json.dumps(row | {"possible": ["0-0"]}))
    (files / "both.pharaoh").write_text("0-0 1-1\n")
    argv = ["parametric", "--gold", "gold.jsonl", "--alignments", "both.pharaoh", "-f", "json"]
    # Sure: dog | hound with or without the words before them, four pairs of which two are found.
    assert scores(ok(*argv, "--sure-only"), "both")["align-recall"] == 2 / 4
    assert scores(ok(*argv), "both")["align-recall"] == 1.0
    assert "3 phrase pairs" in json.loads(ok(*argv, "--case"))["notes"][0]  # one is Big | big


BAD = [
    (["--gold", "gold.jsonl"], "no system"),
    (["--gold", "none.jsonl", "--table", "table.tsv"], "no such file"),
    (["--gold", "gold.jsonl", "--table", "none.tsv"], "no such file"),
    (["--gold", "gold.jsonl", "--table", "x="], "FILE or NAME=FILE"),
    (["--gold", "gold.jsonl", "--table", "a=table.tsv", "--table", "a=b"], "two files"),
    (["--gold", "-", "--table", "-"], "only once"),
    (["--gold", "table.tsv", "--table", "table.tsv"], "is text without links"),
    (["--gold", "gold.jsonl", "--table", "good.pharaoh"], "not a table of paraphrases"),
    (["--gold", "gold.jsonl", "--alignments", "table.tsv"], "is not a link"),
    (["--gold", "gold.jsonl", "--alignments", "short"], "2 lines here but 3"),
    (["--gold", "gold.jsonl", "--alignments", "long"], "more lines"),
    (["--gold", "gold.jsonl", "--alignments", "wide"], "past the end"),
    (["--gold", "empty", "--table", "table.tsv"], "no rows"),
    (["--gold", "gold.jsonl", "--table", "table.tsv", "-o", "table.tsv"], "read and written"),
    (["--gold", "gold.jsonl", "--table", "table.tsv", "--baseline", "table"], "--paired"),
    (
        "--gold gold.jsonl --table table.tsv --table x=table.tsv --paired bootstrap "
        "--baseline tabel".split(),
        "did you mean 'table'",
    ),
    (["--gold", "gold.jsonl", "--table", "table.tsv", "--paired", "bootstrap"], "two systems"),
    (
        "--gold gold.jsonl --alignments good.pharaoh --min-probability 0.1".split(),
        "--min-probability does nothing without --table",
    ),
    (["--gold", "gold.jsonl", "--table", "table.tsv", "--resamples", "0"], "resamples"),
    (["--gold", "gold.jsonl", "--table", "table.tsv", "--confidence", "9"], "confidence"),
    (["--gold", "plain.jsonl", "--table", "table.tsv", "--by", "domain"], "has a domain"),
    (["--gold", "gold.jsonl", "--table", "table.tsv", "--max-length", "0"], "max-length"),
]


@pytest.mark.parametrize(("argv", "message"), BAD)
def test_mistakes_are_reported(files, refused, argv, message):
    (files / "empty").write_text("")
    (files / "short").write_text("0-0\n0-0\n")
    (files / "long").write_text("0-0\n" * 4)
    (files / "wide").write_text("0-0\n0-9\n0-0\n")
    plain = [{k: v for k, v in row.items() if k != "domain"} for row in GOLD]
    (files / "plain.jsonl").write_text("\n".join(map(json.dumps, plain)))
    assert message in refused("parametric", *argv)
    assert (files / "table.tsv").read_text() == TABLE


def test_help(capsys):
    assert main(["parametric", "--help"]) == 0
    assert "--sure-only" in capsys.readouterr().out
