"""ParaEval §4.1 and §4.3: how far humans stand from systems, which paraphrase table is best."""

from __future__ import annotations

import json

import pytest

import otherwords
from otherwords.cli import main
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.stats.intervals import Resampling
from otherwords.study.papers import paraeval_tables, rank_humans

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


def test_references_among_systems_by_hand():
    [found] = rank_humans(rows(), ["paraeval-p"]).lines
    humans = [by_hand([one[k] for one in REFERENCES], k) for k in range(2)]
    systems = {name: (by_hand(texts, 0) + by_hand(texts, 1)) / 2 for name, texts in SYSTEMS.items()}
    assert list(found.references.values()) == pytest.approx(humans)
    assert found.systems == pytest.approx(systems)
    pairs = [(human, system) for human in humans for system in systems.values()]
    assert found.above == sum((h > s) + (h == s) / 2 for h, s in pairs) / 4
    assert list(found.ranked.values()) == sorted(found.ranked.values(), reverse=True)


def test_lower_is_better_is_turned():
    some = [row for row in rows() if row.system == "bad"]
    found = rank_humans(some, ["ter"])
    [line] = found.lines
    assert line.references["reference 1"] < line.systems["bad"]
    assert line.above == 1.0
    assert list(line.ranked)[-1] == "bad"
    assert "ter: a reference scores better than a system in 100% of all pairs" in found.notes()


def test_what_humans_need():
    with pytest.raises(InputError, match="no row has two references"):
        rank_humans([Row("a", ("b",))], ["bleu"])
    with pytest.raises(UsageError, match="must compare with references"):
        rank_humans(rows(), ["pinc"])


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


def test_agreement_by_paraphrase_table(judged, tables):
    """§4.3: the better the paraphrases, the better the agreement."""
    swept = ("model", [*tables, "none", "paraphrase"])
    found = paraeval_tables(judged, ["paraeval-p"], sweep=swept, resampling=Resampling(100))
    bad, good, none, own = (line.estimates["segment", "pearson"].value for line in found.lines)
    assert good > 0.9
    assert good > none > bad
    assert own > none
    assert "|pivots:zh|" in found.lines[3].variant.metric.signature


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
    swept = ["-m", "paraeval-p", "--sweep", f"model={','.join(tables)},none", "--resamples", "9"]
    assert main([*command, *swept]) == 0
    assert "paraeval-p, model none" in capsys.readouterr().out
    for more, message in [
        (["--humans"], "no row has two references"),
        (["--humans", "--sweep", "min_length=1,2"], "--humans cannot be combined with"),
        (["--humans", "--resamples", "9"], "--resamples does nothing without tables of agreement"),
    ]:
        assert main([*command, *more]) == 2
        assert message in capsys.readouterr().err


def test_figure_5_is_drawn(tmp_path, capsys):
    """Systems and references by rank: the upper left corner has the best ones."""
    path = tmp_path / "rows.jsonl"
    found = [
        {"hypothesis": row.hypothesis, "references": row.references, "system": row.system}
        for row in rows()
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in found))
    command = ["meta", "paper", "paraeval", "--rows", str(path)]
    folder = tmp_path / "figures"
    assert main([*command, "--humans", "-m", "mup", "--plots", str(folder)]) == 0
    capsys.readouterr()
    [drawing] = folder.glob("*.svg")
    assert drawing.name == "figure5-mup.svg"
    text = drawing.read_text(encoding="utf-8")
    assert all(name in text for name in ("good", "bad", "reference 1", "reference 2"))
    assert main([*command, "--plots", str(folder)]) == 2
    assert "--plots" in capsys.readouterr().err


@pytest.mark.data
def test_humans_stand_above_systems(shared, capsys):
    """Two translators of the same news against one system."""
    rows = str(shared / "mt" / "mlqe-eten.jsonl.gz")
    assert main(["meta", "paper", "paraeval", "--rows", rows, "--humans", "-f", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    for ranking in (table for name, table in document.items() if name.startswith("ranking")):
        assert [one["translation"] for one in ranking][-1] == "system"
