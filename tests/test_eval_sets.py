"""Test sets in mt-metrics-eval's folders: read, scored, written, and read again."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace

import pytest

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.parallel import find_eval_sets
from otherwords.integrations.mt_metrics_eval import only_set, write_metric_scores
from otherwords.scoring.choice import parse_metrics
from otherwords.scoring.outside_scores import read_outside_scores
from otherwords.scoring.sampling import Sampling
from otherwords.scoring.score import score

REF_A = ["The cat sat on the mat.", "It rained all day.", "She sold the old house.", "Nobody came."]
REF_B = ["A cat was sitting on the mat.", "The rain never stopped.", "She sold it.", "None came."]
SYSTEMS = {
    "alpha": ["The cat sat on a mat.", "It was raining all day.", "She sold the house.", "No one."],
    "beta": ["Cat on mat.", "Rain day.", "House sold by her.", "Nobody came there."],
    "gamma": ["A dog ran.", "It was dry.", "He bought a car.", "All came."],
}
MQM = {
    "alpha": ["0.0", "-1.0", "-1.0", "-5.0"],
    "beta": ["-5.0", "-6.0", "None", "-1.0"],
    "gamma": ["-25.0", "-20.0", "-20.0", "-15"],
}


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "set99"

    def put(name, lines):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    put("sources/de-en.txt", ["Die Katze.", "Regen.", "Das Haus.", "Niemand."])
    put("documents/de-en.docs", ["news\tone", "news\tone", "social\ttwo", "social\ttwo"])
    put("references/de-en.refA.txt", REF_A)
    put("references/de-en.refB.txt", REF_B)
    for name, lines in {**SYSTEMS, "refA": REF_A}.items():
        put(f"system-outputs/de-en/{name}.txt", lines)
    blocks = {**MQM, "refA": ["0", "0", "0", "0"]}
    put("human-scores/de-en.mqm.seg.score", (f"{s}\t{x}" for s in blocks for x in blocks[s]))
    means = {"alpha": -1.75, "beta": -4, "gamma": -20, "refA": 0}
    put("human-scores/de-en.mqm.sys.score", (f"{s}\t{x}" for s, x in means.items()))
    put("human-scores/de-en.mqm.doc.score", ["alpha\t-0.5", "alpha\t-3"])
    return root


def test_rows(folder):
    rows = list(read_rows(folder))
    assert [row.system for row in rows[::4]] == ["alpha", "beta", "gamma"]  # not the reference
    row = rows[2]
    assert (row.hypothesis, row.source) == ("She sold the house.", "Das Haus.")
    assert row.references == ("She sold the old house.", "She sold it.")
    assert (row.item, row.doc, row.langs) == ("3", "two", "de-en")
    assert row.human == {"mqm": -1.0}
    assert rows[6].human == {}  # None
    assert (row.path, row.line) == (str(folder / "system-outputs/de-en/alpha.txt"), 3)
    assert rows == list(read_rows(folder / "de-en"))


def test_a_reference_is_chosen_by_its_name(folder):
    rows = list(read_rows(folder / "de-en", columns={"references": ["refB"]}))
    assert [row.system for row in rows[::4]] == ["alpha", "beta", "gamma", "refA"]
    assert {len(row.references) for row in rows} == {1}
    (one,) = find_eval_sets(folder, {"references": ["refB"]})
    assert one.reference_name == "refB"
    (every,) = find_eval_sets(folder)
    assert every.reference_name == "all"


def test_several_language_pairs(folder):
    for name in ("sources/{}.txt", "references/{}.refA.txt"):
        shutil.copy(folder / name.format("de-en"), folder / name.format("cs-en"))
    shutil.copytree(folder / "system-outputs/de-en", folder / "system-outputs/cs-en")
    rows = list(read_rows(folder))
    assert {row.langs for row in rows} == {"cs-en", "de-en"}
    assert len(rows) == 2 * 12
    assert {row.doc for row in rows if row.langs == "cs-en"} == {None}
    assert len(list(read_rows(folder / "cs-en"))) == 12


def test_round_trip(folder, tmp_path):
    """Written scores, read again, are the scores; and those of the same metric have its tests."""
    rows = list(read_rows(folder / "de-en"))
    metrics = parse_metrics("maxsim,bleu,difference", {}, row=rows[0])
    result = score(metrics, rows, any_language=True)
    written = write_metric_scores(result, only_set([str(folder / "de-en")]), folder)
    names = {str(path.relative_to(folder / "metric-scores" / "de-en")) for path in written}
    assert names == {
        f"{name}.{level}.score"
        for name in ("maxsim-all", "bleu-all", "difference-src")
        for level in ("seg", "sys")
    }
    assert written == sorted(folder.glob("metric-scores/de-en/*"), key=written.index)
    path = folder / "metric-scores/de-en/bleu-all.sys.score"
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    assert {s: float(x) for s, x in lines} == {
        one.system: result.cells[one.system, "bleu"].value for one in result.systems
    }
    again = read_outside_scores(str(folder / "metric-scores/de-en/maxsim-all.seg.score"), rows)
    given = score({**metrics, **again}, rows, sampling=Sampling(resamples=50), any_language=True)
    for one in given.systems:
        mine, theirs = (given.cells[one.system, label] for label in ("maxsim", "maxsim-all"))
        # Intervals end at the range of a metric, which is not known of scores from outside.
        assert replace(mine, low=theirs.low, high=theirs.high) == theirs
        assert mine.low <= theirs.low <= theirs.high <= mine.high
        assert (
            one.statistics["maxsim"][:, 0].tolist() == one.statistics["maxsim-all"][:, 0].tolist()
        )


def test_commands(ok, folder, tmp_path):
    argv = ["--rows", folder / "de-en", "--any-language"]
    refs = ["--columns", "references=refA"]
    ok("score", *argv, *refs, "-m", "chrf", "--metric-scores", folder)
    scores = folder / "metric-scores/de-en/chrf-refA.seg.score"
    assert [line.split("\t")[0] for line in scores.read_text().splitlines()[::4]] == list(SYSTEMS)
    argv += [*refs, "-m", "chrf", "--scores", scores]
    out = json.loads(ok("meta", *argv, "--human", "mqm", "--level", "segment", "-f", "json"))
    mine, theirs = out["metrics"]
    assert theirs["metric"] == "chrf-refA"
    assert mine["segment"] == theirs["segment"]
    assert mine["segment"]["pearson"]["size"] == 11  # one has no human score
    ok("report", folder / "de-en", "--any-language", "-m", "chrf", "--scores", scores,
       "--human", "mqm", "--resamples", "20", "-o", tmp_path / "page.html")  # fmt: skip
    assert "chrf-refA" in (tmp_path / "page.html").read_text()
    assert "chrf-refA" in ok("compare", "alpha", "beta", *argv, "--resamples", "20")


def test_human_scores_of_systems(ok, folder):
    argv = ["meta", "--rows", folder, "-m", "chrf", "--any-language", "--level", "system"]
    path = folder / "human-scores/de-en.mqm.sys.score"
    out = json.loads(ok(*argv, "--system-human", path, "-f", "json"))
    assert out["metrics"][0]["system"]["pearson"]["value"] > 0.5


def test_scores_of_systems(ok, refused, folder):
    """Agreement of systems alone; nothing is tested."""
    argv = ["--rows", folder / "de-en", "--any-language", "-m", "chrf"]
    change(folder / "human-scores/de-en.mqm.seg.score", "None", "-4")
    ok("score", *argv, "--metric-scores", folder)
    path = folder / "metric-scores/de-en/chrf-all.sys.score"
    meta = ["meta", *argv, "--human", "mqm", "--scores", path, "--compare", "all", "-f", "json"]
    out = json.loads(ok(*meta, "--ci", "--resamples", "20"))
    ours, theirs = out["metrics"]
    for name in ("pearson", "spearman", "accuracy"):
        assert theirs["system"][name]["value"] == pytest.approx(ours["system"][name]["value"])
    assert theirs["system"]["soft-accuracy"]["value"] is None
    assert theirs["segment"]["pearson"]["value"] is None
    assert not out.get("differences")
    for command in (["score", *argv], ["compare", "alpha", "beta", *argv]):
        assert "those of systems are for meta --level system" in refused(*command, "--scores", path)


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_what_does_not_fit(refused, folder):
    argv = ["score", "-m", "mup", "--any-language", "--rows"]
    assert "there is no language pair 'de-fr'" in refused(*argv, folder / "de-fr")
    assert "no reference 'refC'" in refused(*argv, folder, "--columns", "references=refC")
    message = refused(*argv, folder, "--columns", "source=x")
    assert "--columns source: of a test set only the references can be chosen" in message
    message = refused(*argv, folder.parent / "rows.jsonl", "--metric-scores", folder)
    assert "of one language pair" in message
    human = folder / "human-scores/de-en.mqm.seg.score"
    change(human, "gamma\t-25.0\n", "")
    assert f"{human}: 'gamma' has 3 scores for 4 segments" in refused(*argv, folder)
    change(human, "gamma\t", "gama\t-1\ngama\t")
    assert f"{human}: there is no system 'gama'; did you mean 'gamma'?" in refused(*argv, folder)
    docs = folder / "documents/de-en.docs"
    change(docs, "news\tone", "one")
    assert f"{docs}:1: a line is DOMAIN DOCUMENT" in refused(*argv, folder)
    beta = folder / "system-outputs/de-en/beta.txt"
    beta.write_text("one\n")
    docs.unlink()
    human.unlink()
    message = refused(*argv, folder)
    assert f"{beta}: there are 1 lines here but 4 in sources/de-en.txt" in message


def test_system_names_with_blanks_cannot_be_written(refused, folder):
    (folder / "system-outputs/de-en/beta.txt").rename(folder / "system-outputs/de-en/be ta.txt")
    (folder / "human-scores/de-en.mqm.seg.score").unlink()
    argv = ["score", "-m", "mup", "--any-language", "--rows", folder, "--metric-scores", folder]
    assert "'be ta' has a blank or a slash" in refused(*argv)


def test_means_of_the_fixture(folder):
    """The human scores of systems are the means of those of segments."""
    for system, said in MQM.items():
        known = [float(one) for one in said if one != "None"]
        assert math.isclose(
            sum(known) / len(known), {"alpha": -1.75, "beta": -4, "gamma": -20}[system]
        )
