"""ParaEval §4.1 and §4.3: how far humans stand from systems, which paraphrase table is best."""

from __future__ import annotations

import json

import pytest

import otherwords
from otherwords.cli import main
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.stats.intervals import Resampling
from otherwords.study.papers import human_distance, rank_tables

REFERENCES = [
    ("The old man walked to the market.", "The old man went to the market."),
    ("She wrote a letter to her brother.", "She wrote her brother a letter."),
    ("They will build a bridge.", "They will build a new bridge."),
]
SYSTEMS = {
    "good": ["The old man goes to the market.", "She wrote a letter.", "They build a bridge."],
    "bad": ["Market old.", "Letter the.", "A build of them."],
}


def rows():
    return [
        Row(text, REFERENCES[place], system=system, item=str(place))
        for system, texts in SYSTEMS.items()
        for place, text in enumerate(texts)
    ]


def by_hand(texts, left_out):
    others = [[one[1 - left_out]] for one in REFERENCES]
    return otherwords.score("paraeval-p", texts, references=others).corpus


def test_distance_of_humans_by_hand():
    [found] = human_distance(rows(), ["paraeval-p"]).lines
    humans = [by_hand([one[k] for one in REFERENCES], k) for k in range(2)]
    systems = {name: (by_hand(texts, 0) + by_hand(texts, 1)) / 2 for name, texts in SYSTEMS.items()}
    assert list(found.references.values()) == pytest.approx(humans)
    assert found.systems == pytest.approx(systems)
    good, bad = systems["good"], systems["bad"]
    deviation = abs(good - bad) / 2**0.5
    expected = {
        "margin": min(humans) - max(good, bad),
        "gap": (sum(humans) / 2 - (good + bad) / 2) / deviation,
        "above": sum((h > s) + (h == s) / 2 for h in humans for s in (good, bad)) / 4,
    }
    values = {name: one.value for name, one in found.distances.items()}
    assert values == pytest.approx(expected)


def test_lower_is_better_is_turned():
    some = [row for row in rows() if row.system == "bad"]
    [found] = human_distance(some, ["ter"]).lines
    assert found.references["reference 1"] < found.systems["bad"]
    assert found.distances["above"].value == 1.0
    assert found.distances["margin"].value > 0


def test_intervals_and_one_system():
    some = [row for row in rows() if row.system == "good"]
    found = human_distance(some, ["bleu"], resampling=Resampling(resamples=40))
    margin = found.lines[0].distances["margin"]
    assert margin.low <= margin.value <= margin.high
    assert found.lines[0].distances["gap"].value is None
    assert "fewer than two systems" in "\n".join(found.render("text"))


def test_what_humans_need():
    with pytest.raises(InputError, match="no row has two references"):
        human_distance([Row("a", ("b",))], ["bleu"])
    with pytest.raises(UsageError, match="must compare with references"):
        human_distance(rows(), ["pinc"])


# --- tables

JUDGED = [
    ("He bought a car.", "He bought an automobile.", 5.0),
    ("He bought a tree.", "He bought an automobile.", 2.0),
    ("The car is red.", "The automobile is red.", 4.5),
    ("The sky is red.", "The automobile is red.", 1.0),
    ("A car came.", "An automobile came.", 5.0),
    ("A bird came.", "An automobile came.", 1.5),
]


@pytest.fixture
def judged():
    return [
        Row(text, (reference,), item=str(n), human={"da": score})
        for n, (text, reference, score) in enumerate(JUDGED)
    ]


@pytest.fixture
def tables(tmp_path):
    good, bad = tmp_path / "good.tsv", tmp_path / "bad.tsv"
    good.write_text("car\tautomobile\na\tan\n")
    bad.write_text("tree\tautomobile\nsky\tautomobile\nbird\tautomobile\n")
    return [str(bad), str(good)]


def test_tables_are_ranked_by_agreement(judged, tables):
    bad, good = tables
    found = rank_tables(judged, tables, resampling=Resampling(resamples=100))
    assert [one.table for one in found.lines] == [good, "none", bad]
    assert found.document["by"] == "segment"
    best, none, worst = found.lines
    plain = none.segment.value
    assert best.gain.value == pytest.approx(best.segment.value - plain)
    assert best.gain.value > 0 > worst.gain.value
    assert best.gain.low <= best.gain.value <= best.gain.high
    assert none.gain.value is None
    assert best.segment.value > 0.9


def test_the_embedded_table_is_ranked_by_its_chinese_pivots(judged, tables):
    found = rank_tables(judged, [*tables, "paraphrase"])
    by_name = {one.table: one.signature for one in found.lines}
    assert "|pivots:zh|" in by_name["paraphrase"]


def test_by_command(judged, tables, tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text(
        "".join(
            json.dumps({"hypothesis": text, "references": [reference], "human": {"da": score}})
            + "\n"
            for text, reference, score in JUDGED
        )
    )
    command = ["meta", "paper", "paraeval", "--rows", str(path)]
    assert main([*command, "--tables", ",".join(tables), "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["table"] for one in found["tables"]] == [tables[1], "none", tables[0]]
    for more, message in [
        (["--humans"], "no row has two references"),
        (["--humans", "--tables", "x"], "--humans cannot be combined with"),
        (["--tables", "x", "--sweep", "min_length=1,2"], "--tables cannot be combined with"),
        (["--tables", tables[0], "-m", "paraeval-f,paraeval-p"], "one metric ranks the tables"),
    ]:
        assert main([*command, *more]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.data
def test_humans_stand_above_systems(shared, capsys):
    """Two translators of the same news against one system."""
    rows = str(shared / "mt" / "mlqe-eten.jsonl.gz")
    assert main(["meta", "paper", "paraeval", "--rows", rows, "--humans", "-f", "json"]) == 0
    for one in json.loads(capsys.readouterr().out)["distances"]:
        assert one["above"]["value"] == 1.0
        assert one["margin"]["interval"]["low"] > 0
