"""`otherwords gate`: rules, baselines, segments that break a rule."""

from __future__ import annotations

import gzip
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import otherwords
from otherwords import Rules, Sampling
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.stats.significance import compare, holm

REFERENCE = [
    "The cat runs home.",
    "A dog saw the old man.",
    "She reads & writes.",
    "We left early.",
    "The bus was late again.",
    "Prices rose by 3 percent.",
    "It rained all day.",
    "They sold the house.",
]
GOOD = [*REFERENCE[:6], "It was raining all day.", "They sold a house."]
POOR = [f"{line.split()[0]} is not {line.split()[-1]}" for line in REFERENCE]
ORIGINALS = ["He paid 20 euros for the two tickets.", "Nobody expected the team to win the match."]
REWRITES = ["He paid 30 euros for the two tickets.", "Nobody thought the team would win the game."]

RULES = ["--fail-under", "0.1", "--no-contradictions", "-f", "json"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    texts = {"ref": REFERENCE, "good": GOOD, "poor": POOR, "orig": ORIGINALS, "rew": REWRITES}
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    rows = [
        {"system": name, "item": str(i), "hypothesis": text, "references": [REFERENCE[i]]}
        for name, lines in (("good", GOOD), ("poor", POOR))
        for i, text in enumerate(lines)
    ]
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    bare = [{"hypothesis": text, "item": f"r{i}"} for i, text in enumerate(REWRITES)]
    (tmp_path / "rew.jsonl").write_text("\n".join(map(json.dumps, bare)))
    return tmp_path


def checks(out):
    return {(one["rule"], one["metric"]): one for one in json.loads(out)["checks"]}


def test_fail_under(files, run):
    argv = ["gate", "good.txt", "-r", "ref.txt", "-m", "chrf", "--fail-under"]
    score = otherwords.score("chrf", GOOD, REFERENCE).corpus
    code, out, err = run(*argv, f"{score - 0.01}")
    assert (code, err) == (0, "")
    assert "Gate passed: good, 8 segments" in out
    code, out, _ = run(*argv, f"{score + 0.01}", "-f", "json")
    assert code == 1
    assert not json.loads(out)["passed"]
    assert checks(out)["fail-under", "chrf"]["score"]["value"] == score


def test_lower_is_better(files, run):
    argv = ["gate", "good.txt", "-r", "ref.txt", "-m", "ter", "--baseline", "poor.txt"]
    ter = otherwords.score("ter", GOOD, REFERENCE).corpus
    assert run(*argv, "--fail-under", ter + 1)[0] == 0
    code, out, _ = run(*argv, "--fail-under", ter - 1)
    assert code == 1
    assert "at most" in out
    assert run(*argv, "--min-delta", "10")[0] == 0  # lower by more than 10
    argv[1], argv[-1] = "poor.txt", "good.txt"
    assert run(*argv, "--min-delta", "0")[0] == 1
    assert run(*argv, "--fail-if-worse")[0] == 1


def test_limits_by_metric(files, run, refused):
    argv = ["gate", "good.txt", "-r", "ref.txt", "-m", "chrf,mup"]
    code, out, _ = run(*argv, "--fail-under", "chrf=1", "--fail-under", "MUP=0.99", "-f", "json")
    assert code == 1
    assert {key: one["passed"] for key, one in checks(out).items()} == {
        ("fail-under", "chrf"): True,
        ("fail-under", "mup"): False,
    }
    assert run(*argv, "--fail-under", "chrf=1,mup=0.1")[0] == 0
    assert "must name its metric (METRIC=VALUE)" in refused(*argv, "--fail-under", "1")
    assert "bleu, which is not scored" in refused(*argv, "--fail-under", "bleu=1")
    assert "two limits for mup" in refused(*argv, "--fail-under", "mup=1,mup=0.5")
    assert "fail-under of mup must be a number from 0 to 1" in refused(
        *argv, "--fail-under", "mup=60"
    )
    message = "fail-under of chrf must be a number from 0 to 100, not 'high'"
    assert message in refused(*argv, "--fail-under", "chrf=high")
    assert "fail-under of chrf must be a number" in refused(*argv, "--fail-under", "chrf=nan")


@pytest.mark.parametrize("name", ["base.json", "base.json.gz"])
def test_a_stored_baseline_is_as_good_as_its_texts(files, run, name):
    """The paired test on stored statistics is that on the texts."""
    common = ["-r", "ref.txt", "-m", "chrf,maxsim"]
    code, out, err = run("gate", "good.txt", *common, "--save-baseline", name)
    assert (code, err) == (0, "")
    assert "No rules: good" in out
    (files / "good.txt").rename(files / "moved.txt")
    rules = ["--fail-if-worse", "--min-delta", "chrf=-100", "-f", "json"]
    stored = run("gate", "poor.txt", *common, "--baseline", name, *rules)
    texts = run("gate", "poor.txt", *common, "--baseline", "moved.txt", *rules)
    assert stored[0] == texts[0] == 1
    assert checks(stored[1]) == checks(texts[1])
    assert json.loads(stored[1])["baseline"] == name
    opened = gzip.open if name.endswith(".gz") else open
    with opened(files / name, "rt", encoding="utf-8") as file:
        content = file.read()
    assert not any(line in content for line in GOOD + REFERENCE)
    first = (files / name).read_bytes()
    run("gate", "good=moved.txt", *common, "--save-baseline", name)
    assert (files / name).read_bytes() == first


def test_fail_if_worse_is_the_paired_test_corrected(files, run):
    argv = ["-r", "ref.txt", "-m", "chrf,maxsim", "--fail-if-worse", "--resamples", "300"]
    code, out, _ = run("gate", "poor.txt", *argv, "--baseline", "good.txt", "-f", "json")
    assert code == 1
    expected = {}
    for name in ("chrf", "maxsim"):
        metric = otherwords.metric(name)
        poor, good = (metric.statistics(texts, REFERENCE) for texts in (POOR, GOOD))
        expected[name] = compare(metric.corpus_scores, poor, good, test="randomization", trials=300)
    adjusted = holm({name: one.p for name, one in expected.items()})
    for name, one in expected.items():
        found = checks(out)["fail-if-worse", name]["score"]["comparison"]
        assert found["p"] == one.p
        assert found["adjusted"] == adjusted[name]
        assert found["difference"] == pytest.approx(one.difference)
    # A gain is no failure, however significant; nor is a loss that is not.
    assert run("gate", "good.txt", *argv, "--baseline", "poor.txt")[0] == 0
    strict = [*argv, "--resamples", "10000", "--significance", "0.02", "--paired", "bootstrap"]
    code, out, _ = run("gate", "good.txt", *strict, "--baseline", "ref.txt")
    assert code == 0
    assert "level 0.02" in out
    assert "paired bootstrap of segments, 10,000 trials" in out


def test_what_cannot_be_significant_is_refused(files, refused):
    argv = ["gate", "good.txt", "-r", "ref.txt", "--baseline", "poor.txt", "--fail-if-worse"]
    few = Rules(fail_if_worse=True, sampling=Sampling(resamples=30, resamples_max=30))
    with pytest.raises(UsageError, match="for 2 metrics with 30 resamples; at least 40 are needed"):
        otherwords.gate(["chrf", "mup"], ["a"] * 50, ["b"] * 50, rules=few, baseline=["b"] * 50)
    for test in ("bootstrap", "randomization"):  # all of 8 agree by chance in 2 / 2^8 = .0078
        said = refused(*argv, "-m", "chrf", "--paired", test, "--significance", "0.005")
        assert "with 8 segments or documents" in said
    (files / "docs.txt").write_text("a\na\na\na\nb\nb\nb\nb\n")
    assert "with 2 segments or documents; use more, or --min-delta" in refused(
        *argv, "-m", "chrf", "--docs", "docs.txt"
    )


def test_trials_grow_where_the_level_needs_them(files, run):
    """30 trials reach no p below .065 for two metrics; 160 = 4 * 2 / .05 reach .012."""
    argv = ["-r", "ref.txt", "-m", "chrf,mup", "--fail-if-worse", "--resamples", "30"]
    code, out, _ = run("gate", "poor.txt", *argv, "--baseline", "good.txt", "-f", "json")
    assert code == 1
    made = {name: one["score"]["comparison"] for (_, name), one in checks(out).items()}
    assert {one["trials"] for one in made.values()} == {160}
    assert all(1 / 161 <= one["p"] <= one["adjusted"] < 0.05 for one in made.values())


def test_documents_are_exchanged_whole():
    docs = [f"d{i // 2}" for i in range(12)]
    good, poor = [*GOOD, *GOOD[:4]], [*POOR, *POOR[:4]]
    references = [*REFERENCE, *REFERENCE[:4]]
    new, old = (
        [Row(*texts, doc=doc) for *texts, doc in zip(side, zip(references), docs, strict=True)]
        for side in (poor, good)
    )
    rules = Rules(fail_if_worse=True, sampling=Sampling(resamples=200))
    result = otherwords.gate("chrf", new, rules=rules, baseline=old)
    metric = otherwords.metric("chrf")
    tables = [metric.statistics(texts, references) for texts in (poor, good)]
    expected = compare(metric.corpus_scores, *tables, test="randomization", trials=200, docs=docs)
    assert result.checks[0].score.p == expected.p
    assert "of documents" in result.remarks[0]


def test_signatures_that_differ_are_refused(files, ok, refused):
    common = ["-r", "ref.txt", "-m", "maxsim"]
    ok("gate", "good.txt", *common, "--save-baseline", "base.json")
    message = refused(
        *(
            "gate",
            "good.txt",
            *common,
            "--set",
            "case=true",
            "--baseline",
            "base.json",
            "--min-delta",
            "0",
        )
    )
    assert "the signatures of maxsim differ" in message
    assert "good has maxsim|v:2|alpha:0.8|n:3|case:kept" in message
    assert "base.json has maxsim|v:2|alpha:0.8|n:3|case:folded" in message
    assert "base.json has no scores by chrf; it has: maxsim" in refused(
        *("gate", "good.txt", "-r", "ref.txt", "-m", "chrf"),
        *("--baseline", "base.json", "--min-delta", "0"),
    )


def test_segments_that_differ_are_refused(files, ok, refused):
    ok("gate", "good.txt", "-r", "ref.txt", "-m", "chrf", "--save-baseline", "base.json")
    argv = ["gate", "poor.txt", "-r", "ref.txt", "-m", "chrf", "--baseline", "base.json"]
    argv += ["--min-delta", "0"]
    changed = [*REFERENCE[:4], "Another bus.", *REFERENCE[5:]]
    (files / "ref.txt").write_text("\n".join(changed))
    message = refused(*argv)
    assert "poor has 8, base.json has 8; segment 5 of poor is not in base.json" in message
    (files / "ref.txt").write_text("\n".join(REFERENCE[:7]))
    (files / "poor.txt").write_text("\n".join(POOR[:7]))
    message = refused(*argv)
    assert "poor has 7, base.json has 8; segment 8 of base.json is not in poor" in message


def test_segments_in_another_order_are_brought_together(files, run):
    argv = ["-r", "ref.txt", "-m", "chrf"]
    assert run("gate", "good.txt", *argv, "--save-baseline", "base.json")[0] == 0
    (files / "ref.txt").write_text("\n".join(reversed(REFERENCE)))
    (files / "poor.txt").write_text("\n".join(reversed(POOR)))
    argv += ["--baseline", "base.json", "--fail-if-worse", "-f", "json"]
    one = checks(run("gate", "poor.txt", *argv)[1])
    (files / "good.txt").write_text("\n".join(reversed(GOOD)))
    argv[argv.index("base.json")] = "good.txt"
    assert checks(run("gate", "poor.txt", *argv)[1]) == one


def test_a_failed_gate_saves_no_baseline(files, run):
    argv = ["gate", "poor.txt", "-r", "ref.txt", "-m", "chrf", "--save-baseline", "base.json"]
    code, _, err = run(*argv, "--fail-under", "99")
    assert code == 1
    assert err == "base.json is not written: the gate failed\n"
    assert not (files / "base.json").exists()
    assert run(*argv, "--fail-under", "1")[0] == 0
    # The bar may be raised in place.
    argv[1] = "good.txt"
    before = (files / "base.json").read_bytes()
    assert run(*argv, "--baseline", "base.json", "--min-delta", "1")[0] == 0
    assert (files / "base.json").read_bytes() != before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "it is not whole"),
        (lambda text: text.replace('baseline":1', 'baseline":2'), "its version is 2, not 1"),
        (lambda text: text.replace('"keys"', '"other"'), "a part is missing"),
        (lambda text: '{"systems": []}', "a part is missing"),
        (lambda text: '{"a":' * 100_000, "a part is missing"),
        (lambda text: "[1]", "must be a JSON object"),
        (lambda text: "[" * 100_000, "nested too deep"),
        (
            lambda text: text.replace("[[", "[[1" + "0" * 400 + ",", 1),
            "this baseline cannot be read",
        ),
        (lambda text: text.replace('"score":', '"score":NaN,"x":'), "not that of its statistics"),
        (lambda text: text.replace('"score":', '"score":1'), "not that of its statistics"),
        (lambda text: text.replace('"statistics":[[', '"statistics":[[5,'), "is not whole"),
        (lambda text: text.replace('"statistics":[[', '"statistics":[],"x":[['), "do not fit"),
    ],
)
def test_damaged_baselines(files, ok, refused, change, message):
    ok("gate", "good.txt", "-r", "ref.txt", "-m", "chrf", "--save-baseline", "base.json")
    path = files / "base.json"
    path.write_text(change(path.read_text()))
    argv = ["gate", "poor.txt", "-r", "ref.txt", "-m", "chrf", "--baseline", "base.json"]
    reported = refused(*argv, "--min-delta", "0")
    assert message in reported
    assert reported.startswith("otherwords: base.json")


def test_rows_of_jsonl(files, run, refused):
    argv = ["gate", "--jsonl", "rows.jsonl", "-m", "chrf", "--min-delta", "0"]
    assert run(*argv, "good", "--baseline", "poor")[0] == 0
    assert run(*argv, "--baseline", "good")[0] == 1  # the other system of two
    texts = ["gate", "poor.txt", "-r", "ref.txt", "-m", "chrf", "--min-delta", "0", "-f", "json"]
    from_files = checks(run(*texts, "--baseline", "good.txt")[1])
    assert checks(run(*argv, "poor", "--baseline", "good", "-f", "json")[1]) == from_files
    assert "name the system to check; the rows are of: good, poor" in refused(
        "gate", "--jsonl", "rows.jsonl", "-m", "chrf", "--fail-under", "1"
    )
    assert "the rows have no system 'god'; did you mean 'good'?" in refused(
        *argv, "good", "--baseline", "god"
    )
    assert "its own baseline" in refused(*argv, "good", "--baseline", "good")
    assert "rows.jsonl has 2 systems (good, poor)" in refused(
        "gate", "rows.jsonl", "-m", "chrf", "--fail-under", "1"
    )


def test_rows_of_other_formats(files, run, refused):
    lines = [f'"{text}","{source}"' for text, source in zip(REWRITES, ORIGINALS, strict=True)]
    (files / "rew.csv").write_text("\n".join(["new,old", *lines]) + "\n")
    rows = [{"hypothesis": t, "source": s} for t, s in zip(REWRITES, ORIGINALS, strict=True)]
    (files / "rew.json").write_text(json.dumps(rows))
    wanted = run("gate", "rew.txt", "-s", "orig.txt", "-m", "difference", *RULES)
    columns = ["--columns", "hypothesis=new,source=old"]
    for argv in (["rew.csv", *columns], ["--rows", "rew.csv", *columns], ["rew.json"]):
        code, out, _ = run("gate", *argv, "-m", "difference", *RULES)
        assert code == 1
        assert checks(out) == checks(wanted[1])
    argv = ["gate", "rew.txt", "-s", "orig.txt", "-m", "pinc", "--min-delta", "0"]
    assert run(*argv, "--baseline", "old=rew.json")[0] == 0
    assert "--columns does nothing" in refused(
        *("gate", "rew.txt", "-s", "orig.txt", "--no-contradictions", *columns)
    )


def test_contradictions_with_both_spans(files, run):
    argv = ["gate", "--source", "orig.txt", "--no-contradictions"]
    for name, place, item in (("rew.txt", "rew.txt:1", "1"), ("rew.jsonl", "rew.jsonl:1", "r0")):
        code, out, err = run(*argv, name)
        assert (code, err) == (1, "")
        [line] = [line for line in out.splitlines() if place in line]
        assert line.split()[:2] == [item, place]
        assert re.search('The rewrite says "[^"]*30[^"]*"; the original says "[^"]*20', line)
    code, out, _ = run(*argv, "rew.txt", "-f", "json")
    [found] = json.loads(out)["contradictions"]
    begin, end = found["hypothesis_span"]
    assert "30" in REWRITES[0][begin:end]
    begin, end = found["target_span"]
    assert "20" in ORIGINALS[0][begin:end]
    assert checks(out)["no-contradictions", "meaning"]["offending"] == 1
    (files / "rew.txt").write_text(f"{ORIGINALS[0]}\n{REWRITES[1]}\n")
    assert run(*argv, "rew.txt")[0] == 0


def test_accepted_contradictions(files, run, refused):
    argv = ["gate", "-s", "orig.txt", "rew.txt", "--no-contradictions"]
    assert run(*argv, "-o", "found.jsonl")[0] == 1
    code, out, _ = run(*argv, "--accept", "found.jsonl")
    assert code == 0
    assert "1 findings are accepted by found.jsonl" in out
    # Found by its texts, wherever they stand; another text is another finding.
    (files / "rew.txt").write_text("\n".join(reversed(REWRITES)))
    (files / "orig.txt").write_text("\n".join(reversed(ORIGINALS)))
    assert run(*argv, "--accept", "found.jsonl")[0] == 0
    (files / "rew.txt").write_text(f"{REWRITES[1]}\nHe paid 40 euros for the two tickets.\n")
    assert run(*argv, "--accept", "found.jsonl")[0] == 1
    (files / "found.jsonl").write_text('\n{"kind": "number"}\n')
    assert "found.jsonl:2: this is not a contradiction" in refused(*argv, "--accept", "found.jsonl")


def test_one_reference_that_agrees_is_enough():
    references = [["He paid 20 euros.", "He paid 30 euros."]]
    rules = Rules(no_contradictions=True)
    assert otherwords.gate(None, ["He paid 30 euros."], references, rules=rules).passed
    result = otherwords.gate(None, ["He paid 40 euros."], references, rules=rules)
    assert not result
    assert len(result.contradictions) == 1


def test_limits_of_every_segment(files, run):
    scores = {
        name: otherwords.score(name, REWRITES, sources=ORIGINALS).segments
        for name in ("meaning", "difference")
    }
    for option, name in zip(("--min-meaning", "--min-difference"), scores, strict=True):
        worst = int(np.argmin(scores[name]))
        limit = float(np.mean(scores[name]))
        argv = ["gate", "-s", "orig.txt", "rew.jsonl", option, f"{limit}"]
        code, out, _ = run(*argv, "-f", "json")
        assert code == 1
        [found] = json.loads(out)["offences"]
        assert found["item"] == f"r{worst}"
        assert found["score"] == scores[name][worst]
        assert found["hypothesis"] == REWRITES[worst]
        code, out, _ = run(*argv)
        assert REWRITES[worst] in out
        assert REWRITES[1 - worst] not in out
        argv[-1] = f"{min(scores[name])}"
        assert run(*argv)[0] == 0


def test_readers_see_the_first_segments_programs_all(files, run):
    (files / "orig.txt").write_text("".join(f"He paid {i} euros.\n" for i in range(10, 19)))
    (files / "rew.txt").write_text("".join(f"He paid {i} euros.\n" for i in range(30, 39)))
    argv = ["gate", "-s", "orig.txt", "rew.txt", "--no-contradictions", "--examples", "4"]
    _, out, _ = run(*argv)
    assert "Contradictions (the first 4 of 9; -f json has all)" in out
    assert sum("rew.txt:" in line for line in out.splitlines()) == 4
    assert len(json.loads(run(*argv, "-f", "json")[1])["contradictions"]) == 9
    rows = [json.loads(line) for line in run(*argv, "-f", "jsonl")[1].splitlines()]
    assert sum(row["table"] == "contradictions" for row in rows) == 9


def test_summary_of_github(files, run, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "summary.md"))
    (files / "summary.md").write_text("before\n")
    argv = ["gate", "poor.txt", "-r", "ref.txt", "-m", "chrf", "--fail-under", "90"]
    code, out, _ = run(*argv, "-f", "markdown")
    assert code == 1
    assert "| fail-under | chrf |" in out
    assert (files / "summary.md").read_text() == "before\n" + out + "\n"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files))
    code, _, err = run(*argv)
    assert code == 2
    assert err.startswith(f"otherwords: {files}: cannot be written")


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "tsv", "csv", "jsonl", "html"])
def test_all_formats(files, run, form):
    argv = ["gate", "poor.txt", "-r", "ref.txt", "-m", "chrf", "--baseline", "good.txt"]
    code, out, _ = run(*argv, "--fail-if-worse", "--no-contradictions", "-f", form)
    assert code == 1
    assert "fail-if-worse" in out
    assert "contradict" in out
    assert "nan" not in out.lower()


def test_sarif_has_one_result_for_each_fault(files, run):
    argv = ["gate", "rew.txt", "-s", "orig.txt", "-m", "otherwords-rewrite", "--fail-under", "1"]
    code, out, _ = run(*argv, "--no-contradictions", "--min-difference", "1", "-f", "sarif")
    assert code == 1
    document = json.loads(out)
    assert document["version"] == "2.1.0"
    [done] = document["runs"]
    assert done["tool"]["driver"]["name"] == "otherwords"
    rules = [rule["id"] for rule in done["tool"]["driver"]["rules"]]
    assert rules == ["fail-under", "outputs", "no-contradictions", "min-difference"]
    rules.remove("outputs")  # which is kept
    assert [found["ruleId"] for found in done["results"]] == [*rules, "min-difference"]
    corpus, money, *_ = done["results"]
    assert corpus["message"]["text"].endswith("wanted: at least 1")
    assert "locations" not in corpus
    assert money["message"]["text"] == 'The rewrite says "30 euros"; the original says "20 euros".'
    place = {"artifactLocation": {"uri": "rew.txt"}, "region": {"startLine": 1}}
    assert money["locations"] == [{"physicalLocation": place}]


def test_reports_name_outputs_that_are_no_rewrite_and_segments_that_were_not_judged(files, run):
    (files / "orig.txt").write_text("He paid 20 euros.\nWir haben gestern den Vertrag gesehen.\n")
    (files / "rew.txt").write_text("\nWir haben den Vertrag gestern gesehen.\n")
    argv = ["gate", "rew.txt", "-s", "orig.txt", "--no-contradictions"]
    _, out, _ = run(*argv, "-f", "sarif")
    [done] = json.loads(out)["runs"]
    said = [(found["ruleId"], found["message"]["text"]) for found in done["results"]]
    assert said[:2] == [
        ("outputs", "the output is empty"),
        ("judged", "the source is not English"),
    ]
    lines = [
        found["locations"][0]["physicalLocation"]["region"]["startLine"]
        for found in done["results"][:2]
    ]
    assert lines == [1, 2]
    _, out, _ = run(*argv, "-f", "junit")
    messages = [found.get("message") for found in ElementTree.fromstring(out).iter("failure")]
    assert messages[:2] == [
        "segment 1: the output is empty",
        "segment 2: the source is not English",
    ]


def test_junit_has_one_case_for_each_check(files, run):
    (files / "rew.txt").write_text("He paid <30> & \x01 euros.\nNobody thought so.\n")
    argv = ["gate", "rew.txt", "-s", "orig.txt", "--no-contradictions", "--min-meaning", "0"]
    code, _, err = run(*argv, "-o", "found.xml")
    assert code == 1
    assert err.startswith("Gate failed")
    suite = ElementTree.parse(files / "found.xml").getroot()
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "3", "2")
    damaged, failed, passed = suite
    assert damaged.get("name") == "outputs text"
    assert failed.get("name") == "no-contradictions meaning"
    assert failed[0].get("message").startswith("segment 1: The ")
    assert list(passed) == []


def test_formats_of_checks_are_for_the_gate(files, refused):
    message = refused("score", "good.txt", "-r", "ref.txt", "-m", "chrf", "-f", "sarif")
    assert "sarif is a format of `gate` alone" in message


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["good.txt", "-r", "ref.txt", "--min-delta", "0", "-m", "chrf"], "and none is given"),
        (["good.txt", "-r", "ref.txt", "--fail-if-worse", "-m", "chrf"], "and none is given"),
        (["--no-contradictions"], "no system output is given"),
        (["rew.txt", "--no-contradictions"], "meaning needs a source"),
        (["rew.txt", "-s", "orig.txt", "--min-meaning", "1.5"], "min-meaning must be a number"),
        (
            ["rew.txt", "-s", "orig.txt", "--no-contradictions", "--set", "case=true"],
            "--set does nothing",
        ),
        (["rew.txt", "-s", "orig.txt", "--no-contradictions", "--seed", "1"], "--fail-if-worse"),
        (
            ["rew.txt", "-s", "orig.txt", "--no-contradictions", "--significance", "0.1"],
            "--significance does nothing without --fail-if-worse",
        ),
        (
            ["good.txt", "-r", "ref.txt", "-m", "chrf", "--save-baseline", "ref.txt"],
            "is both read and written",
        ),
        (
            ["good.txt", "-r", "ref.txt", "-m", "chrf", "--save-baseline", "no/base.json"],
            "there is no directory",
        ),
        (
            ["good.txt", "-r", "ref.txt", "-m", "chrf", "--save-baseline", "x", "-o", "x"],
            "a separate file",
        ),
        (
            ["good.txt", "-r", "ref.txt", "-m", "chrf", "--baseline", "no.txt", "--min-delta", "0"],
            "no.txt: there is no such file",
        ),
        (
            [
                "good.txt",
                "-r",
                "ref.txt",
                "-m",
                "chrf",
                "--baseline",
                "no.json",
                "--min-delta",
                "0",
            ],
            "no.json: there is no such file",
        ),
        (["rew.jsonl", "-s", "ref.txt", "--no-contradictions"], "ref.txt: there are"),
        (
            ["rows.jsonl", "-s", "orig.txt", "--no-contradictions"],
            "orig.txt: there are 2 segments",
        ),
        (
            ["good.txt", "-r", "-", "-m", "chrf", "--baseline", "poor.txt", "--min-delta", "0"],
            "standard input (-) can be read only once",
        ),
        (["empty.txt", "-s", "empty.txt", "--no-contradictions"], "empty has no segments"),
        (["empty.txt", "-r", "empty.txt", "--fail-under", "1"], "empty has no segments"),
    ],
)
def test_wrong_calls(files, refused, argv, message):
    assert message in refused("gate", *argv)


def test_texts_in_two_places_must_agree(files, run, refused):
    rows = [{"hypothesis": text, "source": text} for text in ORIGINALS]
    (files / "own.jsonl").write_text("\n".join(map(json.dumps, rows)))
    argv = ["gate", "own.jsonl", "--no-contradictions", "-s"]
    assert run(*argv, "orig.txt")[0] == 0
    (files / "orig.txt").write_text(f"{ORIGINALS[0]}\nOther words.\n")
    assert "own.jsonl:2: this row has its own source" in refused(*argv, "orig.txt")


def test_python(tmp_path):
    rules = Rules(fail_under={"chrf": 50, "mup": 0.5})
    result = otherwords.gate(["chrf", "mup"], GOOD, REFERENCE, rules=rules)
    assert result.passed
    result.scores.write(tmp_path / "base.json")
    again = otherwords.gate(
        ["mup"], POOR, REFERENCE, baseline=tmp_path / "base.json", rules=Rules(min_delta=-0.01)
    )
    assert not again
    assert again.checks[0].difference == pytest.approx(
        otherwords.score("mup", POOR, REFERENCE).corpus - result.checks[1].score.value
    )
    assert len(again.to_frame("checks")) == 1
    assert again.baseline == str(tmp_path / "base.json")
    with pytest.raises(UsageError, match="options are for metrics"):
        otherwords.gate(None, GOOD, REFERENCE, rules=Rules(no_contradictions=True), alpha=1)
    with pytest.raises(UsageError, match="no metric is named"):
        otherwords.gate(None, GOOD, REFERENCE, rules=Rules(fail_under=1))
    with pytest.raises(InputError, match="8 hypotheses but 2 references"):
        otherwords.gate("chrf", GOOD, REFERENCE[:2], rules=Rules(fail_under=1))
    with pytest.raises(InputError, match="nothing to score"):
        otherwords.gate("mup", [], [], rules=Rules(fail_under=1))


def test_one_segment_is_not_plural():
    rules = otherwords.Rules(no_contradictions=True)
    result = otherwords.gate(None, ["A cat sat."], sources=["A cat sat."], rules=rules)
    assert result.caption() == "Gate passed: system, 1 segment"
