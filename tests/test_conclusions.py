"""What a paper would quote: differences that can be found, what is compared with what."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

import otherwords
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import RepeatWarning, SlowWarning
from otherwords.scoring.compare import compare
from otherwords.scoring.outside_scores import add_outside_scores
from otherwords.scoring.score import score
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement import Coefficients, Comparisons, agreement
from otherwords.study.agreement.arrays import Scoring
from otherwords.study.papers import pem_tables
from otherwords.study.report import build

WORDS = "the cat sat on a mat while one dog ran over green hills and rain fell".split()


def outputs(qualities, size=60, seed=1):
    """Rows of systems that keep so large a share of the words of each reference."""
    chance = random.Random(seed)
    rows = []
    for number in range(size):
        reference = chance.choices(WORDS, k=10)
        for system, quality in qualities.items():
            kept = [word if chance.random() < quality else "lost" for word in reference]
            rows.append(
                Row(" ".join(kept), (" ".join(reference),), system=system, item=f"seg-{number}")
            )
    return rows


def nineteen():
    return {f"s{place:02}": 0.7 if place < 18 else 0.3 for place in range(19)}


def test_nineteen_systems_of_a_report_can_differ():
    # 171 pairs: 1,000 trials could not give a corrected p below 171 / 1001 = .171.
    page = build(outputs(nineteen()), ["mup"], scoring=Scoring(any_language=True))
    [table] = [one for one in page.tables if one.name == "significance-mup"]
    assert {line[0].split()[1] for line in table.rows} == set(nineteen())  # all have a name
    worst = [row[-1] for row in table.rows[:-1]]
    assert all(cell.endswith("*") for cell in worst)
    others = [cell for row in table.rows for cell in row[1:-1] if cell]
    assert sum(cell.endswith("*") for cell in others) <= 1


def test_eight_metrics_can_differ(tmp_path):
    chance = random.Random(1)
    human = [chance.gauss(0, 1) for _ in range(300)]
    rows = [
        Row("a", ("b",), item=str(n), id=str(n), human={"da": said}) for n, said in enumerate(human)
    ]
    # Seven metrics know nothing of the human scores, the last one is close to them.
    names = [f"m{number}" for number in range(8)]
    lines = ["\t".join(["id", *names])]
    for n, said in enumerate(human):
        noise = [chance.gauss(0, 1) for _ in names[:-1]]
        lines.append("\t".join(map(str, [n, *noise, said + chance.gauss(0, 0.5)])))
    path = tmp_path / "scores.tsv"
    path.write_text("\n".join(lines) + "\n")
    found = agreement(
        rows,
        add_outside_scores(rows, {}, [str(path)]),
        "da",
        resampling=Resampling(),
        coefficients=Coefficients(level="segment", names=["pearson"]),
        comparisons=Comparisons(compare="all"),
    )
    best = [one for one in found.differences if one.other == "m7"]
    assert len(found.differences) == 28
    assert len(best) == 7
    # 28 pairs: 1,000 trials could not give a corrected p below 28 / 1001 = .028, and as many
    # resamples none below 2 * 28 / 1001 = .056.
    for test in ("perm-both", "bootstrap"):
        assert all(one.adjusted[test] < 0.02 for one in best)


def test_systems_with_different_segments_are_not_compared_in_silence():
    rows = outputs({"all": 0.7})
    easy = [
        Row(row.references[0], row.references, system="easy", item=row.item) for row in rows[:20]
    ]
    found = score(["mup"], [*rows, *easy], any_language=True)
    [warning] = found.warnings()
    assert "all 60" in warning
    assert "easy 20" in warning
    assert "seg-20" in warning
    assert "the option common" in warning


@pytest.fixture
def written(tmp_path):
    """Writes rows as JSONL."""

    def write(rows, name="rows.jsonl"):
        path = tmp_path / name
        lines = [
            {"system": row.system, "item": row.item, "hypothesis": row.hypothesis,
             "references": list(row.references)}
            for row in rows
        ]  # fmt: skip
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return str(path)

    return write


def easy_and_hard():
    """System b has the easy items alone, on which a is as good."""
    easy = [Row("a cat sat", ("a cat sat",), item=f"easy-{n}") for n in range(12)]
    hard = [Row("no", ("rain fell over green hills",), item=f"hard-{n}") for n in range(10)]
    return [
        *(replace(row, system="a") for row in (*easy, *hard)),
        *(replace(row, system="b") for row in easy),
    ]


def test_only_common_segments(run, written):
    argv = ["score", "--jsonl", written(easy_and_hard()), "-m", "mup", "-f", "json"]
    code, out, err = run(*argv)
    assert code == 0
    assert err == (
        "systems have different segments (a 22, b 12; 12 in common): b lacks 10, the first is "
        "'hard-0'; the option common scores the common ones alone\n"
    )
    found = json.loads(out)
    assert found["coverage"]["lacking"] == [{"system": "b", "missing": 10, "first": "'hard-0'"}]
    assert found["systems"][0]["scores"]["mup"]["value"] == pytest.approx(36 / 46)  # words
    code, out, err = run(*argv, "--common", "--paired", "bootstrap", "--segments")
    assert (code, err) == (0, "scored: the 12 segments that all systems have, 10 fewer\n")
    found = json.loads(out)
    assert [one["scores"]["mup"]["value"] for one in found["systems"]] == [1.0, 1.0]
    assert [one["items"] for one in found["systems"]] == [[f"easy-{n}" for n in range(12)]] * 2


def test_systems_without_a_common_segment(run, refused, written):
    rows = easy_and_hard()
    apart = [row for row in rows if (row.system == "a") == row.item.startswith("hard")]
    argv = ["score", "--jsonl", written(apart), "-m", "mup"]
    code, _, err = run(*argv)
    assert code == 0
    assert "(a 10, b 12; 0 in common)" in err
    assert "no segment in common" in refused(*argv, "--common")
    assert "share no segment" in refused(*argv, "--paired", "bootstrap")


@pytest.mark.parametrize("command", ["score", "compare", "gate", "meta", "report"])
def test_a_second_row_for_a_segment_is_a_segment_of_its_own(run, written, tmp_path, command):
    rows = easy_and_hard()
    path = written([*rows, rows[3]])
    more = {"gate": ["a", "--fail-under", "0.5"], "report": ["-o", str(tmp_path / "x.html")]}
    rows_given = [path] if command == "report" else ["--rows", path]
    argv = [command, *more.get(command, []), *rows_given, "-m", "mup"]
    if command == "meta":
        (tmp_path / "human.json").write_text('{"a": 1, "b": 2}')
        argv += ["--system-human", str(tmp_path / "human.json")]
    code, _, err = run(*argv)
    warning = f"{path}:35: a has a second row for the segment 'easy-3'; 1 row repeats a segment"
    assert (code, err.count(warning)) == (0, 1)


@pytest.mark.parametrize("options", [["maxsim"], ["paraeval"], ["paraeval", "--humans"]])
def test_papers_tables_with_a_second_row_for_a_segment(ok, run, written, tmp_path, options):
    """Two segments of one id give what two segments of different ids give."""
    texts = [("1", "a cat sat"), ("1", "it rained"), ("2", "old men")]
    rows = [
        Row(text + " left" * times, (f"{text} here", text), system=name, item=item)
        for times, name in enumerate("abc")
        for item, text in texts
    ]
    (tmp_path / "human.json").write_text('{"a": 1, "b": 3, "c": 2}')
    if options[-1] != "--humans":
        options = [*options, "--system-human", str(tmp_path / "human.json")]
    argv = ["meta", "paper", *options, "-m", "mup", "--any-language", "--rows"]
    path = written(rows)
    code, out, err = run(*argv, path)
    assert (code, err.count("has a second row for the segment '1'; 3 rows repeat")) == (0, 1), err
    rows = [replace(row, item=row.references[-1]) for row in rows]
    assert ok(*argv, written(rows)) == out


def test_originals_of_one_id_are_resampled_apart():
    """PEM's tables resample originals; those of one id are several if their texts differ."""
    rows = [
        Row(text, source=source, system=name, item=item, human={"overall": 1.0 + place})
        for name in "ab"
        for place, (item, source, text) in enumerate(
            [("1", "a cat", "one cat"), ("1", "it rains", "rain"), ("2", "go", "leave")]
        )
    ]
    apart = [replace(row, item=row.source) for row in rows]
    found, wanted = (
        pem_tables(each, resampling=Resampling(resamples=20)).to_dict() for each in (rows, apart)
    )
    assert found == wanted


def test_repeats_are_matched_between_systems_in_their_order():
    texts = {"a": ["the cat", "a dog"], "b": ["the dog", "the dog"]}
    rows = [
        Row(text, (reference,), system=name, item="1")
        for name, mine in texts.items()
        for text, reference in zip(mine, ["the cat", "a dog"], strict=True)
    ]
    with pytest.warns(RepeatWarning, match="2 rows repeat"):
        result = score("mup", rows)
    assert [list(system.items) for system in result.whole.systems] == [["1", "1 (2)"]] * 2
    with pytest.warns(RepeatWarning):
        [found] = compare("mup", rows).comparisons
    assert found.scores["mup"][1].tolist() == [0.5, 0.5]


def test_unnamed_rows_of_one_item_are_several_texts(ok, tmp_path):
    path = tmp_path / "rows.jsonl"
    row = {"item": "1", "hypothesis": "a cat", "references": ["a cat"]}
    path.write_text(2 * (json.dumps(row) + "\n"))
    assert "1.0000" in ok("score", "--jsonl", str(path), "-m", "mup")


def test_many_systems_against_a_baseline(run, written):
    path = written(outputs(nineteen()))
    argv = ["score", "--jsonl", path, "-m", "mup", "--paired", "bootstrap", "-f", "json"]
    found = json.loads(run(*argv)[1])
    tests = {one["system"]: one["scores"]["mup"].get("comparison") for one in found["systems"]}
    assert tests["s00"] is None
    # 18 tests: 4 * 18 / .05 trials where 1,000 do not decide.
    assert tests["s18"]["trials"] == 1440
    assert tests["s18"]["p"] == pytest.approx(1 / 1441)
    assert tests["s18"]["adjusted"] == pytest.approx(18 / 1441)
    assert all(tests[name]["adjusted"] >= 0.05 for name in list(tests)[1:-1])
    assert "|paired-bs:1000-1440|holm|" in found["signatures"]["mup"]
    clusters = found["clusters"]["mup"]
    assert clusters["groups"][-1] == ["s18"]
    assert (clusters["comparisons"], clusters["unresolved"]) == (171, 0)


def test_what_is_not_decided_is_below_the_floor(ok, written):
    path = written(outputs({f"s{place}": 0.8 - 0.6 * (place == 3) for place in range(4)}))
    argv = ["score", "--jsonl", path, "-m", "mup", "--paired", "bootstrap"]
    sampling = otherwords.Sampling(None, "bootstrap", resamples=20, resamples_max=20)
    out = str(score(["mup"], read_rows(path), sampling=sampling, any_language=True))
    [line] = [line for line in out.splitlines() if line.startswith("s3")]
    assert "(p < 0.143)" in line  # 3 / 21
    assert "not decided by 20 trials; raise resamples" in out
    out = ok(*argv, "--resamples", "20")
    [line] = [line for line in out.splitlines() if line.startswith("s3")]
    assert "(p = 0.012)*" in line  # 3 / 241


def test_one_comparison_is_what_it_was(ok, written):
    path = written(outputs({"a": 0.7, "b": 0.65}))
    for test, name in (("bootstrap", "paired-bs"), ("randomization", "ar")):
        argv = ["score", "--jsonl", path, "-m", "mup", "--paired", test, "-f", "json"]
        found = json.loads(ok(*argv))
        comparison = found["systems"][1]["scores"]["mup"]["comparison"]
        assert set(comparison) == {"difference", "p", "test", "trials"}
        assert comparison["trials"] == 1000
        assert found["signatures"]["mup"].endswith(f"|{name}:1000|seed:0")
        assert "clusters" not in found


def test_ter_of_long_segments_warns_before_it_starts(run, tmp_path):
    long = " ".join(WORDS[n % 7] for n in range(301))
    (tmp_path / "system").write_text(long + "\n")
    argv = ["score", str(tmp_path / "system"), "-r", str(tmp_path / "system"), "-m", "ter"]
    code, out, err = run(*argv)
    assert (code, "0.00" in out) == (0, True)
    assert err.startswith(
        "otherwords: ter: segments of more than 300 tokens: 1 (the longest has 301)"
    )
    assert err.count("\n") == 1
    with pytest.warns(SlowWarning, match="more than 300 tokens: 1"):
        otherwords.score("ter", [long, "a cat"], references=[long, "a cat"], any_language=True)
    (tmp_path / "system").write_text(long.rsplit(" ", 1)[0] + "\n")
    assert run(*argv)[2] == ""


@pytest.mark.parametrize("baseline", [None, "b"])
@pytest.mark.parametrize("metrics", [["mup"], ["mup", "gm", "chrf"]])
@pytest.mark.parametrize("names", ["ab", "abc"])
def test_compare_from_python_is_that_of_the_command(ok, tmp_path, names, metrics, baseline):
    rows = outputs({"a": 0.7, "b": 0.65, "c": 0.3}, size=30)
    texts = {name: [row.hypothesis for row in rows if row.system == name] for name in names}
    references = [row.references[0] for row in rows if row.system == "a"]
    for name, lines in {**texts, "ref": references}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    argv = ["compare", *(tmp_path / f"{name}.txt" for name in names), "-r", tmp_path / "ref.txt"]
    argv += ["--baseline", baseline] if baseline else []
    shown = json.loads(ok(*argv, "-m", ",".join(metrics), "--any-language", "-f", "json"))
    found = otherwords.compare(
        metrics, texts, references, baseline=baseline, any_language=True
    ).to_dict()
    assert shown["corpus"] == found["corpus"]
    # Holm over all metrics and systems: the smallest p is multiplied by their number.
    tests = [part["difference"]["comparison"] for part in shown["corpus"]]
    least = min(tests, key=lambda test: test["p"])
    assert least["adjusted"] == pytest.approx(min(1, len(tests) * least["p"]))
    assert len(tests) == len(metrics) * (len(names) - 1)


def test_a_report_names_different_segments_and_tests_common_ones():
    page = build(easy_and_hard(), ["mup"], scoring=Scoring(any_language=True))
    by_name = {table.name: table for table in page.tables}
    assert any("b lacks 10, the first is 'hard-0'" in note for note in by_name["scores"].notes)
    # b is first by its easy segments, on which a is as good.
    [[name, p]] = by_name["significance-mup"].rows
    assert (name, p) == ("1 b", "1")
    assert "each pair on the segments of both" in " ".join(by_name["significance-mup"].notes)


def test_a_metric_comparison_that_is_not_decided(ok, tmp_path):
    chance = random.Random(2)
    said = [chance.gauss(0, 1) for _ in range(100)]
    rows = [
        {"id": str(n), "hypothesis": "a", "references": ["b"], "human": {"da": one}}
        for n, one in enumerate(said)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [
        "\t".join(map(str, [n, one, chance.gauss(0, 1), chance.gauss(0, 1)]))
        for n, one in enumerate(said)
    ]
    (tmp_path / "scores.tsv").write_text("\n".join(["id\tgood\tbad\tworse", *lines]) + "\n")
    argv = ["meta", "--rows", str(tmp_path / "rows.jsonl"), "--level", "segment",
            "--scores", str(tmp_path / "scores.tsv"), "--coefficients", "kendall",
            "--compare", "all"]  # fmt: skip
    few = ["--trials", "20", "--ci", "--resamples", "20"]
    decided = ok(*argv, *few)
    assert "adjusted for 3 comparisons (Holm), by up to 480 trials" in decided  # 4 * 2 * 3 / .05
    judged = list(read_rows(tmp_path / "rows.jsonl"))
    out = str(
        agreement(
            judged,
            add_outside_scores(judged, {}, [str(tmp_path / "scores.tsv")]),
            coefficients=Coefficients("segment", names=["kendall"]),
            resampling=Resampling(resamples=20),
            comparisons=Comparisons("all", trials=20, resamples_max=20),
        )
    )
    assert "< 0.143" in out  # 3 / 21
    assert "too few trials to decide; raise --trials and --resamples" in out


@pytest.mark.data
def test_a_metric_on_its_training_rows_is_marked(shared):
    rows = list(read_rows(str(shared / "mt" / "mqm21-zhen.jsonl.gz")))[:200]
    found = agreement(
        rows,
        ["otherwords-mt"],
        "mqm",
        coefficients=Coefficients(level="segment", names=["pearson"]),
    )
    assert any("trained on" in note for note in found.notes())


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_few_segments_give_no_small_p(ok, written, test, size):
    """By chance alone all of n segments favour one system in 2 of 2^n cases."""
    reference = "the ship left the harbour early"
    rows = [
        Row(text, (reference,), system=system, item=str(n))
        for system, text in (("good", reference), ("poor", "a dog"))
        for n in range(size)
    ]
    argv = ["score", "--rows", written(rows), "-m", "chrf", "--paired", test, "-f", "json"]
    found = json.loads(ok(*argv))["systems"][1]["scores"]["chrf"]["comparison"]
    assert found["p"] >= 2 / 2**size
