"""bench.compression: its tables from hand-made outputs, grammar scores and judgements."""

from __future__ import annotations

import json

import pytest
from bench import compression

SOURCE = "the old man walked slowly to the market in the morning"
SHORT = "the man walked to the market"


@pytest.fixture
def folder(tmp_path):
    """Eight systems that keep more and more of a sentence, with scores of their grammars."""
    scores = {}
    for place, system in enumerate(compression.SYSTEMS):
        stem = compression.grammar_file(tmp_path, system).stem
        text = " ".join(SOURCE.split()[: 4 + place])
        rows = [
            {
                "id": f"{system}:{n}", "item": str(n), "system": system, "source": SOURCE,
                "references": [SHORT], "hypothesis": text, "uniform": "the",
            }
            for n in range(3)
        ]  # fmt: skip
        compression.write_rows(tmp_path / f"{stem}-3.outputs.jsonl", rows)
        scores[system] = {"rules": 100 + place, "precision": 1 / (1 + place), "length": None}
    (tmp_path / "grammar-scores.json").write_text(json.dumps(scores))
    return tmp_path


def lines_of(capsys) -> dict[str, list[str]]:
    """The cells of all tables by their first cell."""
    found = {}
    for line in capsys.readouterr().out.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found.setdefault(cells[0], []).extend(cells[1:])
    return found


def test_tables_of_hand_made_outputs_and_judgements(folder, capsys):
    people = folder / "human.tsv"
    # Meaning rises with the number of words that are kept; the last two grammars are exchanged
    # for grammaticality: rho = 1 - 6 * 2 / (8 * 63).
    meaning = [1, 2, 3, 4, 5, 6, 7, 8]
    grammatical = [1, 2, 3, 4, 5, 6, 8, 7]
    rows = zip(compression.SYSTEMS, meaning, grammatical, strict=True)
    text = "".join(f"{name}\t{one}\t{other}\n" for name, one, other in rows)
    people.write_text("system\tmeaning\tgrammaticality\n" + text)
    compression.tables(folder, 3, str(people))
    found = lines_of(capsys)
    # Of 8! orders two have 1 and -1, 2 of 40,320; one exchange of neighbours less: 2 + 2 * 7.
    assert found["ratio"] == ["+1.00 (p = 0.0000)", "+0.98 (p = 0.0004)"]
    assert found["rules"] == ["+1.00 (p = 0.0000)", "+0.98 (p = 0.0004)"]
    assert found["precision"][0] == "-1.00 (p = 0.0000)"
    assert found["length"] == ["n/a", "n/a"]
    first = found[compression.SYSTEMS[0]]
    assert first[0] == "0.00"  # PRECIS of the uniform weights' output
    assert first[2].startswith("+")
    ratio = len("the old man walked") / len(SOURCE)
    assert f"{ratio:.3f}" in first
    assert len(compression.read_rows(folder / "outputs.jsonl")) == 3 * len(compression.SYSTEMS)


def test_judged_rows_are_taken_too(folder, capsys):
    judged = [
        {
            "system": system, "item": str(n), "source": SOURCE, "hypothesis": f"{system} {n}",
            "human": {"meaning": 5 - 0.5 * place + n},
        }
        for place, system in enumerate(compression.SYSTEMS)
        for n in (0, 1)
    ]  # fmt: skip
    judged.append({"system": "control-deleted", "hypothesis": "x", "human": {"meaning": 1}})
    path = compression.write_rows(folder / "judged.jsonl", judged)
    compression.tables(folder, 3, str(path))
    found = lines_of(capsys)
    assert found["ratio"] == ["-1.00 (p = 0.0000)"]
    assert found["precision"] == ["+1.00 (p = 0.0000)"]
