"""MAXSIM's Table 2 and its sweep of alpha, against scores of systems one by one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

import otherwords
from otherwords.cli import main
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.stats.intervals import Resampling
from otherwords.study.papers import maxsim_tables

REFERENCES = [
    ["The old man walked slowly to the market.", "An old man went to market at a slow pace."],
    ["She wrote a long letter to her brother.", "To her brother she wrote a lengthy letter."],
    ["They will build a new bridge next year.", "A new bridge will be built next year."],
]
SYSTEMS = {
    "copy": [one[0] for one in REFERENCES],
    "short": ["The old man.", "She wrote.", "They will build."],
    "long": [f"{one[0]} {one[0]} And more of it." for one in REFERENCES],
    "swapped": ["Market the to walked.", "A brother wrote her letter.", "A year will build."],
    "other": ["It rains.", "Dogs sleep.", "We sing."],
}
HUMAN = {"copy": (5, 4), "short": (3, 1), "long": (4, 3), "swapped": (2, 5), "other": (1, 2)}


def rows(langs="de-en", humans=("adequacy", "preference")):
    return [
        Row(
            text,
            tuple(REFERENCES[place]),
            system=system,
            item=f"{langs} {place}",
            langs=langs,
            human={
                name: float(HUMAN[system][n] + (place if n else -place))
                for n, name in enumerate(humans)
            },
        )
        for system, texts in SYSTEMS.items()
        for place, text in enumerate(texts)
    ]


def by_hand(alpha, human, references=REFERENCES):
    scores = [
        otherwords.score("maxsim", texts, references=references, alpha=alpha).corpus
        for texts in SYSTEMS.values()
    ]
    return float(spearmanr(scores, [HUMAN[system][human] for system in SYSTEMS]).statistic)


def values(record):
    return {name: number["value"] for name, number in record.items()}


def test_table_2_and_the_sweep():
    found = maxsim_tables(rows())
    assert list(found.lines[0].with_human) == ["adequacy", "preference", "average"]
    table2 = {line.metric: line.with_human for line in found.lines}
    assert list(table2) == [
        "maxsim, alpha 0.9 (Table 2)",
        "maxsim, alpha 0.8 (submission)",
        "bleu",
    ]
    for label, alpha in (("maxsim, alpha 0.9 (Table 2)", 0.9), ("bleu", None)):
        if alpha is not None:
            adequacy, preference = by_hand(alpha, 0), by_hand(alpha, 1)
            assert table2[label]["adequacy"].value == pytest.approx(adequacy)
            assert table2[label]["preference"].value == pytest.approx(preference)
            assert table2[label]["average"].value == pytest.approx((adequacy + preference) / 2)
    document = found.to_dict()
    sweep = {one.pop("alpha"): values(one) for one in document["sweep"]}
    assert [f"{alpha:g}" for alpha in sweep] == [f"{n / 20:g}" for n in range(21)]
    for alpha in (0.0, 0.5, 1.0):
        assert sweep[alpha]["adequacy"] == pytest.approx(by_hand(alpha, 0))
    best = max(one["average"] for one in sweep.values())
    best_alphas = [f"{alpha:g}" for alpha, one in sweep.items() if one["average"] == best]
    assert f"highest average at alpha {', '.join(best_alphas)}" in document["notes"]
    assert found.lines[0].signature.startswith("maxsim|v:2|alpha:0.9|")


def test_language_pairs_are_ranked_apart():
    one = maxsim_tables(rows(), ())
    both = maxsim_tables([*rows(), *rows("fr-en")], ())
    assert both.shown[0].caption == "Table 2: Spearman over systems (5 de-en + 5 fr-en)"
    assert both.to_dict()["sweep"] == one.to_dict()["sweep"]  # the mean of two that are the same


def test_a_reference_alone():
    found = maxsim_tables(rows(), (), reference=2)
    alone = by_hand(0.9, 0, [one[1:] for one in REFERENCES])
    assert found.lines[0].with_human["adequacy"].value == pytest.approx(alone)
    with pytest.raises(InputError, match="this row has no reference 3; it has 2"):
        maxsim_tables(rows(), (), reference=3)


def test_human_scores_of_systems(tmp_path):
    people = {system: float(scores[0]) for system, scores in HUMAN.items()}
    path = tmp_path / "human.json"
    path.write_text(json.dumps(people))
    plain = [
        Row(row.hypothesis, row.references, system=row.system, item=row.item) for row in rows()
    ]
    found = maxsim_tables(plain, (), system_human=str(path))
    assert found.lines[0].with_human["human"].value == pytest.approx(by_hand(0.9, 0))
    with pytest.raises(UsageError, match="fewer than 3 systems of the rows have a human score"):
        maxsim_tables(plain, (), system_human={"copy": 1.0})
    # Table 2 has adequacy, preference and their average; so has a table of both.
    table = tmp_path / "human.tsv"
    lines = [f"{system}\t{scores[0]}\t{scores[1]}" for system, scores in HUMAN.items()]
    table.write_text("\n".join(["system\tadequacy\tpreference", *lines]))
    line = maxsim_tables(plain, (), system_human=str(table)).lines[0].with_human
    rhos = [by_hand(0.9, 0), by_hand(0.9, 1)]
    expected = [*rhos, sum(rhos) / 2]
    assert [rho.value for rho in line.values()] == pytest.approx(expected)
    assert list(line)[:2] == ["adequacy", "preference"]
    table.write_text("system\tadequacy\nnobody\t1\n")
    with pytest.raises(InputError, match=r"human.tsv:2: the system 'nobody' is not one of: "):
        maxsim_tables(plain, (), system_human=str(table))


def test_intervals_resample_segments():
    found = maxsim_tables(rows(), (), resampling=Resampling(resamples=50))
    for one in found.lines[0].with_human.values():
        assert one.low <= one.value <= one.high or np.isclose(one.low, one.high)


def test_by_command(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text(
        "".join(
            json.dumps(
                {
                    "hypothesis": row.hypothesis,
                    "references": list(row.references),
                    "system": row.system,
                    "item": row.item,
                    "human": dict(row.human),
                }
            )
            + "\n"
            for row in rows()
        )
    )
    command = ["meta", "paper", "maxsim", "--rows", str(path)]
    assert main([*command, "--sweep", "alpha=0.8,0.9", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sweep"][1]["adequacy"]["value"] == pytest.approx(by_hand(0.9, 0))
    assert main([*command, "--sweep", "orders=1,2"]) == 2
    assert "--sweep varies alpha here, not orders" in capsys.readouterr().err


def sgml(kind, texts):
    """A file of NIST: one document per segment, attributes without quotes, a headline."""
    docs = "".join(
        f"<DOC docid=d{number} sysid={name}>\n<hl>\n<seg id=1> {text} </seg>\n</hl>\n</DOC>\n"
        for name, lines in texts.items()
        for number, text in enumerate(lines, 1)
    )
    return f"<{kind} setid=mt06 srclang=Chinese trglang=English>\n{docs}</{kind}>\n"


def test_from_nist_files_to_both_papers_tables(ok, refused, tmp_path, monkeypatch):
    """Two reference files, system outputs, and human scores of systems as NIST gives them out."""
    monkeypatch.chdir(tmp_path)
    systems = {
        "a": ["A boy bought a big car", "He left early"],
        "b": ["A boy has bought car", "He go early"],
        "c": ["Boy car", "early left"],
    }
    references = {
        "r1": ["A boy purchased a large car", "He left early"],
        "r2": ["The boy bought an automobile", "He went away early"],
    }
    Path("systems.sgm").write_text(sgml("tstset", systems))
    for name, lines in references.items():
        Path(f"{name}.sgm").write_text(sgml("refset", {name: lines}))
    Path("human.tsv").write_text("system\tadequacy\tpreference\na\t4\t3\nb\t3\t2\nc\t1\t1\n")
    given = ("systems.sgm", "-r", "r1.sgm", "-r", "r2.sgm")
    ok("convert", *given, "-o", "rows.jsonl")
    asked = ("--rows", "rows.jsonl", "--system-human", "human.tsv", "-f", "json")
    table = json.loads(ok("meta", "paper", "maxsim", *asked))["table2"][0]
    # c has hardly a word, b fewer than a: MAXSIM ranks them as both human scores do.
    assert [table[name]["value"] for name in ("adequacy", "preference", "average")] == [1, 1, 1]
    lines = json.loads(ok("meta", "paper", "paraeval", *asked, "-m", "bleu"))["lines"]
    assert list(dict.fromkeys(line["human"] for line in lines)) == ["adequacy", "preference"]
    Path("r2.sgm").write_text(sgml("refset", {"r2": references["r2"][:1]}))
    said = refused("convert", *given, "-o", "rows.jsonl")
    assert "r2.sgm: reference 'r2' lacks segment '1' of document 'd2'" in said
