"""`otherwords references`: each set of references against the others."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import otherwords
from otherwords import InputError
from otherwords.scoring.sampling import Sampling
from otherwords.study.agreement.references import (
    DEFAULT_METRIC,
    Translated,
    leave_one_out,
    score_references,
)
from tests.oracles import incremental as oracle

EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
SETS = [str(EXAMPLES / f"{name}.txt") for name in ("reference", "careful", "free")]
MUP = ("references", "-m", "mup")
WORDS = st.lists(st.sampled_from("a b c d".split()), min_size=1, max_size=6)


def write(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def rows(path, *values):
    return write(path, *(json.dumps({"hypothesis": "x", **value}) for value in values))


def scores(out):
    """Score by reference of JSON output."""
    return {
        one["reference"]: one["scores"]["mup"]["value"] for one in json.loads(out)["references"]
    }


def quality(references, name, **options):
    """The score of each set of references; those of a segment are a list, None where one lacks."""
    segments = [
        Translated({f"reference {k}": text for k, text in enumerate(texts, 1) if text}, str(number))
        for number, texts in enumerate(references)
    ]
    scorer = otherwords.metric(name, against="references")
    results = score_references(segments, {"": scorer}, **options)
    return [
        SimpleNamespace(
            name=system.system,
            segments=len(system.items),
            score=results.cells[system.system, ""].value,
        )
        for system in results.systems
    ]


@pytest.fixture
def three(tmp_path):
    """Of A 4 of 5 words are in B or C, of B 4 of 6, of C 2 of 3."""
    return [
        write(tmp_path / "A.txt", "a b c", "d e"),
        write(tmp_path / "B.txt", "a b x", "d y f"),
        write(tmp_path / "C.txt", "c", "f z"),
    ]


def test_by_hand(ok, three):
    expected = {"A": 4 / 5, "B": 4 / 6, "C": 2 / 3}
    assert scores(ok(*MUP, *three, "-f", "json")) == expected
    texts = [["a b c", "a b x", "c"], ["d e", "d y f", "f z"]]
    assert [one.score for one in quality(texts, "mup")] == list(expected.values())


@given(st.lists(st.lists(WORDS, min_size=3, max_size=3), min_size=1, max_size=6))
def test_each_against_the_others(segments):
    found = quality(
        [[" ".join(one) for one in several] for several in segments],
        "mup",
        sampling=Sampling(resamples=1),
    )
    for k, one in enumerate(found):
        pairs = [(several[k], several[:k] + several[k + 1 :]) for several in segments]
        assert one.score == float(oracle.mup(pairs))
        assert (one.name, one.segments) == (f"reference {k + 1}", len(segments))


@given(st.lists(st.lists(WORDS, min_size=2, max_size=2), min_size=1, max_size=6))
def test_of_two_sets_the_shorter_one_is_more_precise(segments):
    """They match in the same words, whichever is the hypothesis."""
    first, second = quality(
        [[" ".join(one) for one in pair] for pair in segments],
        "mup",
        sampling=Sampling(resamples=1),
    )
    words = [sum(len(pair[k]) for pair in segments) for k in (0, 1)]
    assert first.score * words[0] == pytest.approx(second.score * words[1])


def test_interval_is_that_of_score(ok, tmp_path):
    """Table 4 of the paper, line by line, is `score` with the other references."""
    lines = ok(*MUP, *SETS, "-f", "tsv", "--confidence", "0.9", "--resamples", "200").splitlines()
    assert lines[0].split("\t")[:5] == ["reference", "metric", "score", "score_low", "score_high"]
    others = ["-r", SETS[1], "-r", SETS[2]]
    options = ["--ci", "--confidence", "0.9", "--resamples", "200", "-f", "tsv"]
    assert ok("score", "-m", "mup", *others, SETS[0], *options).splitlines()[1] == lines[1]
    assert "|bs:200|conf:0.9|seed:0" in lines[1]


def test_formats(ok, tmp_path):
    text = ok(*MUP, *SETS)
    assert text.splitlines()[0].split() == ["reference", "mup"]
    assert "±: half the 95 % bootstrap interval" in text
    assert "\\begin{tabular}{lr}\n\\toprule\nreference &" in ok(*MUP, *SETS, "-f", "latex")
    records = [json.loads(line) for line in ok(*MUP, *SETS, "-f", "jsonl").splitlines()]
    assert [one["reference"] for one in records] == ["reference", "careful", "free"]
    for score in (one["score"] for one in records):
        assert score["interval"]["low"] <= score["value"] <= score["interval"]["high"]
    target = tmp_path / "out.txt"
    assert ok(*MUP, *SETS, "-o", target) == ""
    assert target.read_text(encoding="utf-8") == ok(*MUP, *SETS, "--signatures")
    segments = ok(*MUP, *SETS, "--segments", "-f", "tsv").splitlines()
    assert segments[0].split("\t") == ["reference", "item", "mup"]
    assert len(segments) == 1 + 3 * 20


def test_options_reach_the_metric(ok, three):
    assert "|n:2|case:kept|tok:none|punct:kept" in ok(
        *("references", "-m", "gm", *three, "--set", "case=true", "--tokenizer", "none"),
        *("--set", "orders=2", "--set", "gm.punctuation=true", "--signatures"),
    )
    assert "pinc" in ok("references", "-m", "mup,pinc", *three)  # compared with references too


def test_threads_do_not_matter(ok):
    command = ("references", "-m", "maxsim,mup", *SETS, "-f", "json")
    assert ok(*command) == ok(*command, "--threads", "3")


def test_best_is_the_baseline(ok):
    out = json.loads(ok(*MUP, *SETS, "--paired", "randomization", "-f", "json"))
    assert out["baseline"] == "careful"
    assert "comparison" not in out["references"][1]["scores"]["mup"]
    worst = out["references"][2]["scores"]["mup"]["comparison"]
    assert worst["difference"] < 0
    assert worst["p"] < 0.05
    out = json.loads(ok("references", "-m", "ter", *SETS, "--paired", "bootstrap", "-f", "json"))
    assert out["baseline"] == "reference"  # the fewest edits


def test_documents(ok, refused, tmp_path):
    docs = write(tmp_path / "docs.txt", *(i // 5 for i in range(20)))
    plain = ok(*MUP, *SETS, "-f", "tsv").splitlines()[1].split("\t")
    by_doc = ok(*MUP, *SETS, "-f", "tsv", "--docs", docs).splitlines()[1].split("\t")
    assert plain[:3] == by_doc[:3]
    assert plain[3:5] != by_doc[3:5]
    assert by_doc[-1].endswith("|by:doc")
    assert "--docs does nothing without" in refused(*MUP, *SETS, "--docs", docs, "--segments")


def test_jsonl_rows(ok, run, three, tmp_path):
    """The systems of an item share its references; it counts once."""
    items = [["a b c", "a b x", "c"], ["d e", "d y f", "f z"]]
    path = rows(
        tmp_path / "rows.jsonl",
        *(
            {"item": str(i), "system": system, "references": texts}
            for system in ("one", "two")
            for i, texts in enumerate(items)
        ),
    )
    expected = list(scores(ok(*MUP, *three, "-f", "json")).values())
    out = ok(*MUP, "--jsonl", path, "-f", "json")
    assert scores(out) == dict(
        zip(["reference 1", "reference 2", "reference 3"], expected, strict=True)
    )
    assert json.loads(out)["references"][0]["segments"] == 2
    single = rows(tmp_path / "single.jsonl", {"references": "alone"}, {"reference": "alone too"})
    code, out, err = run(*MUP, "--jsonl", path, "--jsonl", single, "-f", "json")
    assert (code, list(scores(out).values())) == (0, expected)
    assert "fewer than two references are left out: 2 of 4" in err


def test_jsonl_rows_without_items(ok, tmp_path):
    texts = {"references": ["a b", "a"]}
    values = [{**texts, "system": system} for system in ("one", "one", "two", "two")]
    out = ok(*MUP, "--jsonl", rows(tmp_path / "rows.jsonl", *values), "-f", "json")
    assert json.loads(out)["references"][0]["segments"] == 2  # a sentence that comes twice


def test_other_references_of_an_item_are_another_segment(ok, tmp_path):
    values = [{"item": "1", "references": several} for several in (["a", "b"], ["a", "a"])]
    path = rows(tmp_path / "rows.jsonl", *values)
    out = ok(*MUP, "--jsonl", path, "-f", "json", "--paired", "bootstrap")
    assert scores(out) == {"reference 1": 0.5, "reference 2": 0.5}


def test_null_keeps_the_places(ok, tmp_path):
    path = rows(
        tmp_path / "rows.jsonl",
        {"references": ["a", None, "a"]},
        {"references": ["b", "c", "b"]},
    )
    out = ok(*MUP, "--jsonl", path, "-f", "json")
    assert scores(out) == {"reference 1": 1.0, "reference 2": 0.0, "reference 3": 1.0}
    assert [one.segments for one in quality([["a", None, "a"], ["b", "c", "b"]], "mup")] == [
        2,
        2,
        1,
    ]


def test_wmt_files(ok, refused, tmp_path):
    def refset(name, translator, *texts):
        segments = "".join(f"<seg id={i}>{text}</seg>" for i, text in enumerate(texts, 1))
        document = f'<doc sysid="{translator}" docid="d">{segments}</doc>'
        text = f'<refset setid="s" srclang="de" trglang="en">{document}</refset>'
        return write(tmp_path / name, text)

    one, two = refset("1.sgm", "ref", "a b c", "d e"), refset("2.sgm", "ref", "a b x", "d y f")
    out = ok(*MUP, one, two, refset("3.sgm", "C", "c", "f z"), "-f", "json")
    assert scores(out) == {"ref": 4 / 5, f"{two}:ref": 4 / 6, "C": 2 / 3}
    assert "|by:doc" in out
    assert "no segment has two references" in refused(*MUP, one)
    assert "the same references are given twice" in refused(*MUP, one, one, one)
    assert "is a WMT file but" in refused(*MUP, one, SETS[0])
    assert "WMT files name their documents" in refused(*MUP, one, two, "--docs", SETS[0])
    source = write(tmp_path / "src.sgm", one.read_text().replace("refset", "srcset"))
    assert f"{source}: there are no references here" in refused(*MUP, source, one)


def test_wrong_input(refused, tmp_path):
    empty, short = write(tmp_path / "empty.txt"), write(tmp_path / "short.txt", "one", "two")
    other = write(tmp_path / "none.txt")
    assert "give two or more files of references" in refused(*MUP, SETS[0])
    assert "give two or more files of references" in refused(*MUP)
    assert f"{short}:3: this file has 2 segments, but" in refused(*MUP, SETS[0], short)
    assert "nothing to score" in refused(*MUP, empty, other)
    assert "two files are given" in refused(*MUP, SETS[0], SETS[0])
    assert "two files are given" in refused(*MUP, "-", "-", SETS[0])
    assert "no such file" in refused(*MUP, SETS[0], tmp_path / "no.txt")
    assert "--rows has everything" in refused(*MUP, SETS[0], "--jsonl", short)
    assert f"{short}:1" in refused(*MUP, "--jsonl", short)
    assert "nothing to score" in refused(*MUP, "--jsonl", empty)
    single = rows(tmp_path / "single.jsonl", {"references": ["alone", None]})
    assert f"{single}: no segment has two references" in refused(*MUP, "--jsonl", single)
    assert "unknown metric 'mupp'" in refused("references", "-m", "mupp", *SETS)
    assert "--seed does nothing without intervals" in refused(
        *(*MUP, *SETS, "--segments", "--seed", "1")
    )
    assert "confidence must be" in refused(*MUP, *SETS, "--confidence", "nan")
    assert "needs a source" in refused("references", "-m", "ibleu", *SETS)


def test_output_is_all_or_nothing(refused, tmp_path):
    target = tmp_path / "out.txt"
    short = write(tmp_path / "short.txt", "one", "two")
    refused(*MUP, SETS[0], short, "-o", target)
    assert not target.exists()
    assert "is both read and written" in refused(*MUP, SETS[0], short, "-o", short)
    assert short.read_text() == "one\ntwo\n"


def test_foreign_text(refused, tmp_path):
    path = write(tmp_path / "fr.txt", *["Le maire a dit que le vieux pont serait fermé."] * 20)
    message = refused("references", "-m", "maxsim", path, SETS[0])
    assert f"the text of {path}, given to maxsim, does not look like English" in message


def test_default_metric(run):
    """It is looked up when it is needed, by its name."""
    assert DEFAULT_METRIC == "paraeval-p"
    _, out, err = run("references", *SETS)
    assert DEFAULT_METRIC in out + err


def test_python(three):
    with pytest.raises(InputError, match="no segment has two references"):
        quality([["a"], ["b", None]], "mup")
    with pytest.raises(InputError, match="nothing to score"):
        quality([], "mup")
    assert quality([["a b", "a c"]], "pinc")[0].score == 0.75  # against references all the same
    left: list[Translated] = []
    segments = [Translated({"A": "a"}, "1"), Translated({"A": "a", "B": "b"}, "2")]
    assert [row.item for row in leave_one_out(segments, left.append)] == ["2", "2"]
    assert [segment.item for segment in left] == ["1"]


@pytest.mark.data
def test_two_references_of_real_text(ok, shared):
    path = shared / "mt" / "mlqe-eten.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        segments = {(row["item"], *row["references"]) for row in map(json.loads, lines)}
    out = json.loads(ok(*MUP, "--jsonl", path, "--paired", "bootstrap", "-f", "json"))
    assert [one["segments"] for one in out["references"]] == [len(segments)] * 2
    assert all(0.5 < one["scores"]["mup"]["value"] < 0.9 for one in out["references"])


def test_help_names_the_default_metric(ok):
    assert "Default metric: paraeval-p." in " ".join(ok("references", "--help").split())
