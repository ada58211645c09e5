"""`otherwords compare` from the command line."""

from __future__ import annotations

import json

import pytest

from otherwords.scoring.compare import compare
from otherwords.scoring.sampling import Sampling
from otherwords.stats.significance import holm

REFERENCE = ["The cat runs home.", "A dog saw the old man.", "She reads & writes."]
GOOD = ["The cat runs home.", "A dog saw an old man.", "She reads & writes."]
POOR = ["Cat is running.", "A dog saw the old man.", "<b>She</b> write_s 5 % \\x."]
FAST = ["--resamples", "20", "--examples", "2", "-m", "chrf,maxsim"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in (("ref", REFERENCE), ("good", GOOD), ("poor", POOR)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    rows = [
        {"system": name, "item": str(i), "hypothesis": text, "references": [REFERENCE[i]]}
        for name, texts in (("good", GOOD), ("poor", POOR), ("third", POOR))
        for i, text in enumerate(texts)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_text_shows_all_parts(files, ok):
    out = ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "--all", "--signatures")
    for words in (
        "good and poor are level by chrf and maxsim.",
        "good and poor, 3 segments",
        "chrf by length of the reference",
        "Words by word class",
        "Words by frequency in the references",
        "Words that good gets right more often",
        "Segments that good does better (chrf)",
        "Segments that poor does better (chrf)",
        "corrected for the lines of the table (Holm)",
        "|ar:20-160|bs:20|",  # two metrics need 4 * 2 / .05 trials
    ):
        assert words in out


def test_text_is_short_unless_all_is_asked_for(files, ok):
    out = ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST)
    lines = out.splitlines()
    assert lines[0] == "good and poor are level by chrf and maxsim."
    assert len(lines) <= 40
    assert "Segments that good does better (chrf)" in out
    assert "Segments that poor does better (chrf)" in out
    assert lines.count("segment 1: 100.0 against 0.0") < 2
    assert "|v:" not in out
    assert not {"Words by word class", "chrf by length"} & set(lines)


def test_many_long_segments_and_systems_stay_below_40_lines():
    long = [f"segment {n} " + "has some words and goes on and on " * 9 for n in range(30)]
    systems = {f"s{n}": [text[n + 3 :] for text in long] for n in range(45)}

    def lines(*names: str) -> list[str]:
        chosen = {name: systems[name] for name in names}
        result = compare(["chrf", "ter", "bleu"], chosen, long, sampling=Sampling(resamples=20))
        shown = list(result.render(width=80, signatures=False))
        assert len(shown) <= 40
        assert max(map(len, shown)) <= 80
        return shown

    assert "Segments that s0 does better (chrf)" in lines("s0", "s9")
    several = lines(*systems)
    assert several[0] == "44 systems are worse than s0 by chrf."
    assert "Differences of 44 systems from s0, 30 segments, the best 20" in several


def test_files_and_jsonl_say_the_same(files, ok):
    texts = json.loads(ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "-f", "json"))
    rows = json.loads(ok("compare", "--jsonl", "rows.jsonl", "good", "poor", *FAST, "-f", "json"))
    for part in ("corpus", "lengths", "classes", "frequencies", "ngrams", "notes"):
        assert texts[part] == rows[part]
    first = texts["corpus"][0]
    assert first["systems"] == ["good", "poor"]
    assert [first[part] for part in ("first_better", "same", "second_better")] == [2, 0, 1]


def test_names_of_systems_and_default_metrics(files, ok):
    argv = [
        "compare",
        "a=good.txt",
        "b=poor.txt",
        "-r",
        "ref.txt",
        "--resamples",
        "9",
        "-f",
        "json",
    ]
    found = json.loads(ok(*argv))
    assert [one["systems"] for one in found["corpus"]] == [["a", "b"]] * 3
    assert [one["metric"] for one in found["corpus"]] == ["otherwords-mt", "maxsim", "chrf"]
    assert {example["metric"] for example in found["examples"]} == {"otherwords-mt"}


def test_scores_are_those_of_score(files, ok):
    found = json.loads(ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "-f", "json"))
    scored = json.loads(
        ok("score", "good.txt", "poor.txt", "-r", "ref.txt", "-m", "chrf,maxsim", "-f", "json")
    )
    for one in found["corpus"]:
        mine = [system["scores"][one["metric"]]["value"] for system in scored["systems"]]
        assert [one["first"]["value"], one["second"]["value"]] == mine
        assert one["difference"]["value"] == pytest.approx(mine[0] - mine[1])
        assert one["difference"]["interval"]["resamples"] == 20
        assert set(one["difference"]["comparison"]) == {"p", "adjusted", "test", "trials"}


def test_jsonl_and_tsv_have_a_record_a_line(files, ok):
    lines = ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "-f", "jsonl")
    tables = [json.loads(line)["table"] for line in lines.splitlines()]
    assert tables[-3:] == ["notes"] * 3  # few segments, and the signatures
    tables = tables[:-3]
    assert set(tables) == {"corpus", "lengths", "classes", "frequencies", "ngrams", "examples"}
    tsv = ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "-f", "tsv").splitlines()
    assert len({len(line.split("\t")) for line in tsv}) == 1
    assert len(tsv) == len(tables) + 1


def test_latex_escapes(files, ok):
    out = ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "--all", "-f", "latex")
    assert out.count("\\begin{tabular}") == out.count("\\end{tabular}") > 5
    assert "reads \\& writes" in out
    printed = [line for line in out.splitlines() if not line.startswith("%")]
    assert not any("reads & writes" in line for line in printed)


def test_page_is_written_whole_and_escaped(files, ok):
    ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "--html", "page.html")
    page = (files / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert "<b>She" not in page
    assert "&lt;b&gt;She" in page
    ok("compare", "good.txt", "poor.txt", "-r", "ref.txt", *FAST, "--html", "again.html")
    assert (files / "again.html").read_text() == page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.txt", "-r", "ref.txt"], "compare needs at least two systems; good.txt is one"),
        (["good.txt", "poor.txt", "-r", "ref.txt", "--baseline", "goood"], "did you mean 'good'"),
        (["--jsonl", "rows.jsonl", "good", "--baseline", "good"], "only one: good"),
        (["--jsonl", "rows.jsonl", "good", "por"], "did you mean 'poor'"),
        (["good.txt", "poor.txt"], "chrf needs a reference"),
        (["good.txt", "poor.txt", "-r", "ref.txt", "--examples-by", "bleu"], "--examples-by"),
        (["good.txt", "poor.txt", "-r", "ref.txt", "--html", "good.txt"], "both read and written"),
        (["good.txt", "poor.txt", "-r", "ref.txt", "--html", "x", "-o", "x"], "another name"),
        (["good.txt", "poor.txt", "-r", "ref.txt", "--confidence", "2"], "confidence"),
        (["good.txt", "gone.txt", "-r", "ref.txt"], "gone.txt"),
    ],
)
def test_mistakes_are_refused(files, refused, arguments, message):
    before = sorted(path.name for path in files.iterdir())
    assert message in refused("compare", *arguments, "-m", "chrf")
    assert sorted(path.name for path in files.iterdir()) == before
    assert (files / "good.txt").read_text().splitlines() == GOOD


def test_several_systems_are_compared_with_a_baseline(files, ok):
    argv = ["compare", "--rows", "rows.jsonl", "-m", "chrf,maxsim", "--examples", "1"]
    found = json.loads(ok(*argv, "--baseline", "poor", "-f", "json"))
    every = found["corpus"]
    assert [one["systems"] for one in every[::2]] == [["good", "poor"], ["third", "poor"]]
    # Of two systems it is the same, but p is corrected for one system and not for two.
    alone = json.loads(ok(*argv, "good", "poor", "-f", "json"))
    for several, one in zip(every[:2], alone["corpus"], strict=True):
        assert (several["first"], several["second"]) == (one["first"], one["second"])
        both = several["difference"]["comparison"], one["difference"]["comparison"]
        assert both[0]["p"] == both[1]["p"]
    tests = [line["difference"]["comparison"] for line in every]
    adjusted = holm({str(n): one["p"] for n, one in enumerate(tests)})
    assert [one["adjusted"] for one in tests] == pytest.approx(list(adjusted.values()))


def test_the_first_of_several_is_the_baseline(files, ok):
    out = ok("compare", "good.txt", "poor.txt", "NEW=ref.txt", "-r", "ref.txt", *FAST, "--all")
    assert "Differences of 2 systems from good" in out
    assert "poor and good, " in out
    assert "NEW and good, " in out
    lines = ok(
        "compare", "good.txt", "poor.txt", "NEW=ref.txt", "-r", "ref.txt", *FAST, "-f", "tsv"
    )
    names = {line.split("\t")[1] for line in lines.splitlines() if line.startswith("corpus\t")}
    assert names == {'["poor", "good"]', '["NEW", "good"]'}


def test_many_systems_and_metrics_can_differ(tmp_path, ok):
    """26 tests of 500 trials cannot come below .052; they get 4 * 26 / .05 = 2,080."""
    words = "river stone winter music garden letter harbour captain".split()
    rows = [
        {"system": f"s{place:02}", "item": str(n), "references": [f"the {word} is {n} miles away"]}
        | {"hypothesis": f"the {word} is {n} miles away" if place else f"a {word}"}
        for place in range(27)
        for n, word in enumerate(words * 2)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    argv = ["compare", "--rows", tmp_path / "rows.jsonl", "-m", "mup", "--resamples", "500"]
    found = json.loads(ok(*argv, "--examples", "0", "-f", "json"))["corpus"]
    tests = [one["difference"]["comparison"] for one in found]
    assert {one["trials"] for one in tests} == {2080}
    assert all(one["adjusted"] < 0.05 for one in tests)
