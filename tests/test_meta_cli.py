"""`otherwords meta` as a user meets it."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import otherwords
from otherwords.study import agreement as meta
from otherwords.study import papers

TEXTS = ["the cat sat on the mat", "a cat was on a mat", "one dog ran", "the mat sat on a cat"]
SCORES = [(2, 1), (5, 4), (1, 2), (3, 3)]


@pytest.fixture
def rows(tmp_path):
    """Four rows each of three systems, by two judges."""
    path = tmp_path / "rows.jsonl"
    lines = []
    for shift, system in enumerate("abc"):
        for place, text in enumerate(TEXTS):
            first, second = SCORES[(place + shift) % 4]
            judges = [{"judge": "A", "overall": first}, {"judge": "B", "overall": second}]
            human = {"overall": (first + second) / 2, "adequacy": 1 + (place + shift) % 5}
            human |= {"fluency": 4 + shift / 2, "dissimilarity": 5 - place}
            one = {"hypothesis": text, "source": TEXTS[0], "system": system, "id": place}
            lines.append(json.dumps({**one, "human": human, "judges": judges}))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def controls(tmp_path):
    path = tmp_path / "controls.jsonl.gz"
    scores = {"copy": (5, 5, 1, 2), "random": (1, 5, 5, 1), "unigram": (1, 1, 5, 1)}
    names = ("adequacy", "fluency", "dissimilarity", "overall")
    lines = [
        {
            "hypothesis": TEXTS[0] if kind == "copy" else "completely other words here",
            "source": TEXTS[0],
            "system": f"control-{kind}",
            "human": dict(zip(names, values, strict=True)),
        }
        for kind, values in scores.items()
    ]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    return path


def test_text(ok, rows, controls):
    out = ok(
        "meta",
        "paper",
        "pem",
        "--jsonl",
        rows,
        "--jsonl",
        controls,
        "-m",
        "pinc,ter",
        "--against",
        "source",
        "--signatures",
    )
    lines = out.splitlines()
    titles = [line for line in lines if line.startswith("Table ")]
    assert titles == [
        "Table 1: Pearson between judges, overall, without controls",
        "Table 2: Pearson of criteria with overall",
        "Table 3: Pearson of metrics with overall; judges without controls",
    ]
    # Every system has the same four pairs of scores: 2 1, 5 4, 1 2, 3 3.
    # Deviations -.75 2.25 -1.75 .25 and -1.5 1.5 -.5 .5: 5.5 / sqrt(8.75 * 5) = .8315.
    assert "A, B    0.8315    12  n/a (constant)        3" in lines
    assert "controls: 3 of 15 rows" in lines
    assert lines[-2:] == [line for line in lines if line.startswith(("pinc|", "ter|"))]
    assert "nan" not in out


def test_criteria_that_only_controls_have_are_ignored(ok, rows, controls):
    """Nobody judged fluency: controls alone neither make a line of it nor restrict by it."""
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    for line in lines:
        del line["human"]["fluency"]
    rows.write_text("\n".join(map(json.dumps, lines)))
    command = ["meta", "paper", "pem", "--jsonl", rows, "--jsonl", controls, "-f", "json"]
    document = json.loads(ok(*command))
    assert [one["name"] for one in document["criteria"]] == [
        "adequacy",
        "dissimilarity",
        "dissimilarity",
    ]
    last = document["criteria"][-1]
    assert last["where"] == "adequacy >= 4"
    # Of four rows, adequacy is 1 + (place + shift) % 5; the copy is a control with 5.
    among = [line for line in lines if line["human"]["adequacy"] >= 4]
    x, y = ([line["human"][name] for line in among] for name in ("dissimilarity", "overall"))
    assert last["rows"] == len(among) + 1
    assert last["sentence"]["value"] == pytest.approx(np.corrcoef([*x, 1], [*y, 2])[0, 1])
    assert "fluency is left out: only controls have it" in document["notes"]
    assert "dissimilarity is not restricted by fluency: only controls have it" in document["notes"]
    # Controls by themselves are a set like any other.
    alone = json.loads(ok("meta", "paper", "pem", "--jsonl", controls, "-f", "json"))
    assert "fluency" in [one["name"] for one in alone["criteria"]]


def test_json_counts_controls_or_not(ok, rows, controls):
    files = ["--jsonl", rows, "--jsonl", controls, "-m", "pinc", "-f", "json"]
    document = json.loads(ok("meta", "paper", "pem", *files))
    assert document["criteria"][0]["rows"] == 15
    assert [one["other"] for one in document["metrics"]] == [None, "A", "B"]
    assert [one["rows"] for one in document["metrics"]] == [15, 12, 12]
    assert document["metrics"][0]["signature"].startswith("pinc|")
    without = json.loads(ok("meta", "paper", "pem", *files, "--no-controls"))
    assert without == json.loads(
        ok("meta", "paper", "pem", "--jsonl", rows, "-m", "pinc", "-f", "json")
    )
    assert without["judges"] == document["judges"]


def test_from_python_as_from_the_command(ok, rows):
    found = papers.pem_tables(meta.read_judged([str(rows)]), ["pinc"])
    command = ["meta", "paper", "pem", "--jsonl", rows, "-m", "pinc"]
    for form in ("text", "markdown", "latex", "tsv", "csv", "json", "jsonl", "html"):
        assert ok(*command, "--signatures", "-f", form) == "\n".join(found.render(form)) + "\n"


def test_pearson_is_that_of_segment_scores(ok, rows):
    judged = [json.loads(line) for line in rows.read_text().splitlines()]
    texts, sources = ([row[side] for row in judged] for side in ("hypothesis", "source"))
    scores = otherwords.score("pinc", texts, sources=sources).segments
    expected = np.corrcoef(scores, [row["human"]["overall"] for row in judged])[0, 1]
    found = json.loads(ok("meta", "paper", "pem", "--jsonl", rows, "-m", "pinc", "-f", "json"))
    assert found["metrics"][0]["sentence"]["value"] == pytest.approx(expected)


def test_tsv_and_jsonl_say_the_same_as_json(ok, rows):
    command = ["meta", "paper", "pem", "--jsonl", rows, "-m", "pinc,chrf", "--against", "source"]
    document = json.loads(ok(*command, "-f", "json"))
    records = [json.loads(line) for line in ok(*command, "-f", "jsonl").splitlines()]
    notes = [r["note"] for r in records if r["table"] == "notes"]
    assert notes == document["notes"]
    head, *table = (line.split("\t") for line in ok(*command, "-f", "tsv").splitlines())
    names = "table name other where sentence rows system systems signature".split()
    assert head == names
    assert {len(line) for line in table} == {9}
    for name in ("judges", "criteria", "metrics"):
        for level, size, place in (("sentence", "rows", 4), ("system", "systems", 6)):
            expected = [one[level]["value"] for one in document[name]]
            mine = [r for r in records if r["table"] == name]
            assert [r[level]["value"] for r in mine] == expected
            assert [r[size] for r in mine] == [one[size] for one in document[name]]
            shown = [line[place] for line in table if line[0] == name]
            assert shown == ["" if r is None else repr(r) for r in expected]


def test_latex(ok, rows):
    out = ok("meta", "paper", "pem", "--jsonl", rows, "-m", "pinc", "-f", "latex")
    assert out.count("\\begin{tabular}{lrrrr}") == out.count("\\end{tabular}") == 3
    assert "% pinc|v:1" in out


def test_without_metrics_there_are_two_tables(ok, rows):
    assert "Table 3" not in ok("meta", "paper", "pem", "--jsonl", rows)


def test_rows_without_the_score_are_left_out_and_counted(ok, rows):
    with rows.open("a") as file:
        file.write('\n{"hypothesis": "not judged and without a source"}')
    out = ok("meta", "paper", "pem", "--jsonl", rows, "-m", "pinc")
    assert "rows without overall, left out: 1" in out


def test_output_file_and_threads(ok, rows, tmp_path):
    command = [
        "meta",
        "paper",
        "pem",
        "--jsonl",
        rows,
        "-m",
        "pinc,maxsim",
        "--against",
        "source",
    ]
    printed = ok(*command, "--signatures")
    target = tmp_path / "out.txt"
    assert ok(*command, "--threads", "3", "-o", target) == ""
    assert target.read_text() == printed


def test_bad_input(refused, rows, tmp_path):
    bad = tmp_path / "bad.jsonl"
    assert "no row has the human score 'overal'; did you mean 'overall'?" in refused(
        "meta", "paper", "pem", "--jsonl", rows, "--human", "overal"
    )
    bad.write_text("")
    assert "there are no rows" in refused("meta", "paper", "pem", "--jsonl", bad)
    bad.write_text('{"hypothesis": "a", "judges": [{"judge": "A", "overall": NaN}]}')
    assert f"{bad}:1: judges[0]['overall'] is nan" in refused(
        "meta", "paper", "pem", "--jsonl", bad
    )
    bad.write_text('{"hypothesis": "a", "human": {"overall": 70}}')
    assert "overall runs from 70 to 70; give each its scale" in refused(
        "meta", "paper", "pem", "--jsonl", bad
    )
    assert f"{bad}:1: the score overall is 70" in refused(
        "meta", "paper", "pem", "--jsonl", bad, "--scale", "0:9"
    )
    bad.write_text('{"hypothesis": "a", "human": {"overall": 3}}')
    assert f"{bad}:1: pinc needs a source" in refused(
        "meta", "paper", "pem", "--jsonl", bad, "-m", "pinc"
    )
    bad.write_text('{"hypothesis": "a", "system": "control-copy", "human": {"overall": 3}}')
    assert "all rows are controls" in refused(
        "meta", "paper", "pem", "--jsonl", bad, "--no-controls"
    )
    assert "no such file" in refused("meta", "paper", "pem", "--jsonl", tmp_path / "none.jsonl")


def test_bad_options(refused, rows):
    assert "both read and written" in refused("meta", "paper", "pem", "--jsonl", rows, "-o", rows)
    assert "a scale is LOW:HIGH" in refused("meta", "paper", "pem", "--jsonl", rows, "--scale", "5")
    assert "--set does nothing without -m" in refused(
        "meta", "paper", "pem", "--jsonl", rows, "--set", "case=true"
    )
    assert "did you mean 'pinc'?" in refused("meta", "paper", "pem", "--jsonl", rows, "-m", "pink")
    assert "no metric is named" in refused("meta", "paper", "pem", "--jsonl", rows, "-m", "")
    assert "jsonl" in refused("meta")


def test_rows_that_are_read_twice(refused, rows):
    assert "rows.jsonl:1: 'a' has the id '0' twice" in refused(
        "meta", "--jsonl", rows, "--jsonl", rows, "-m", "bleu", "--human", "overall"
    )


def test_options_that_would_do_nothing(refused, rows, tmp_path):
    human = tmp_path / "human.json"
    human.write_text('{"a": 1, "b": 2, "c": 3}')
    asked = ("meta", "--jsonl", rows, "-m", "bleu")
    for options, message in (
        (
            ("--level", "system", "--group", "item"),
            "--group does nothing without --level segment or both",
        ),
        (("--level", "system", "--ties", "ignored"), "--ties does nothing without --level segment"),
        (
            ("--level", "segment", "--system-human", human),
            "--system-human does nothing without --level system",
        ),
        (("--human", "overall", "--group", "langs"), "no row has `langs`"),
        (("--human", "overall", "--coefficients", ""), "name some coefficients: pearson"),
    ):
        assert message in refused(*asked, *options)


def test_each_command_has_its_own_options_alone(ok):
    helped = {name: ok("meta", *name.split(), "--help") for name in ("agreement", "paper pem")}
    assert "--protocol" in helped["paper pem"]
    assert "--protocol" not in helped["agreement"]
    assert "--resample-by" in helped["agreement"]
    assert "--resample-by" not in helped["paper pem"]
