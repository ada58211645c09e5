"""What new users did, and what they must get: an answer, or one line that says what to do."""

from __future__ import annotations

import json
import random
import re
import subprocess

import numpy as np
import pytest

import otherwords
from otherwords import Rules
from otherwords.corpus.rows import Row
from otherwords.errors import OtherwordsError
from otherwords.metrics.registry import metric_class, option_names
from otherwords.scoring.catalogue import describe_metric
from otherwords.stats.intervals import Resampling, Sampled, estimate
from otherwords.stats.significance import benjamini_hochberg, holm
from otherwords.study.agreement import agreement
from otherwords.study.agreement.arrays import Scoring
from otherwords.study.report.page import star_p
from otherwords.study.studio.judgement_page import TaskOptions, open_judgement_pages
from otherwords.tables.table import shown_p

REFERENCES = ["The cat sat on the mat.", "A dog ran off.", "The place is open."]
OUTPUTS = ["A cat sat on the mat.", "A dog ran away.", "The place is shut."]


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    row = {"hypothesis": "a", "references": ["a"], "system": "x", "item": "1"}
    judged = json.dumps({**row, "human": {"a": 1, "b": 2}})
    for name, lines in (("ref.txt", REFERENCES), ("sys.txt", OUTPUTS), ("judged.jsonl", [judged])):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


TWO = otherwords.compare("chrf", {"a": OUTPUTS, "b": REFERENCES}, REFERENCES)
FAR, GAIN = Rules(fail_under={"chrf": 300}), Rules(min_delta={"chrf": 1})
SCORE = ["score", "-m", "bleu", "-r", "ref.txt", "sys.txt"]


def test_the_advice_for_another_encoding_works(texts, refused, ok):
    (texts / "latin.txt").write_bytes("\n".join([*OUTPUTS[:2], "Café."]).encode("latin1"))
    message = refused("score", "-m", "bleu", "-r", "ref.txt", "latin.txt")
    command = message.partition("convert the file: ")[2].strip()
    subprocess.run(command, shell=True, check=True, cwd=texts)
    assert (texts / "new.txt").read_text().endswith("Café.")
    ok("score", "-m", "bleu", "-r", "ref.txt", "new.txt")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["score", "-m", "bleu", "chrf", "-r", "ref.txt", "sys.txt"], "-m NAME,NAME"),
        (["score", "-ref", "ref.txt", "sys.txt"], "there is no option -ref; did you mean --ref"),
        ([*SCORE, "--set", "tokenizr=none"], "did you mean 'tokenizer'?"),
        ([*SCORE, "--set", "xyz=1"], "choose from: "),
        ([*SCORE, "--set", "case=true", "--set", "case=true"], "two settings of case"),
        (["gate", "sys.txt", "-r", "ref.txt", "--significance", "0,6"], "decimals have a point"),
        (["gate", "sys.txt", "-s", "ref.txt", "--fail-under", "0,6"], "decimals have a point"),
        (["gate", "sys.txt", "-s", "ref.txt", "--fail-under"], "requires an argument"),
        (["gate", "sys.txt", "-s", "ref.txt", "--min-meaning"], "; see otherwords gate -h"),
        (["compare", "rows.jsonl"], "or rows with --rows rows.jsonl"),
        (["gate", "sys.txt", "-s", "ref.txt", "--min-meaning", "2"], "--min-meaning must be"),
        (["score", "sys.txt", "--columns", "source=x"], "--columns does nothing without --rows"),
        (["meta", "--rows", "judged.jsonl", "-m", "mup"], "name one with --human: a, b"),
        (["metrics", "maxsin"], "did you mean 'maxsim'?"),
    ],
)
def test_slips_of_the_command_line(texts, refused, argv, message):
    assert message in refused(*argv)


def test_a_spreadsheet_is_exported_first(texts, refused):
    (texts / "rows.xlsx").write_bytes(b"PK\x03\x04 and so on")
    assert "save a spreadsheet as CSV in UTF-8" in refused("score", "--rows", "rows.xlsx")


def test_metrics_may_have_a_space_between_them(texts, ok):
    out = ok("score", "-m", "bleu chrf", "-r", "ref.txt", "sys.txt", "--signatures")
    assert "chrf|" in out


def test_one_metric_is_shown_with_its_options(ok):
    shown = {
        line.split()[0]: line.split()[1:] for line in ok("metrics", "maxsim").splitlines() if line
    }
    assert shown["alpha"] == ["0.8"]
    assert shown["against"] == ["references"]


@pytest.mark.parametrize("name", ["paraeval-p", "paraeval-f", "paraeval-summary", "pem", "bleu"])
def test_defaults_that_are_shown_are_those_that_are_used(name):
    shown = describe_metric(name).options or {}
    assert None not in shown.values()  # a user cannot tell what None is
    options = {option: value for option, value in shown.items() if "(" not in str(value)}
    assert otherwords.metric(name, **options).signature == otherwords.metric(name).signature


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: otherwords.rank([("a cat", ["one cat"])], ["pinc", "chrf"]), "by one metric"),
        (lambda: Rules(min_meaning=2), "`min_meaning` must be a number"),
        (lambda: otherwords.gate("chrf", OUTPUTS, REFERENCES, rules=FAR), "`fail_under` of chrf"),
        (lambda: otherwords.gate("chrf", OUTPUTS, REFERENCES, rules=GAIN), "`min_delta` compares"),
        (lambda: agreement(judged(2, human="ab"), ["mup"]), "name one with `human`: a, b"),
        (lambda: otherwords.rank(5), "sources must be pairs"),
        (lambda: TWO["a"], r"choose from: \('a', 'chrf'\)"),
        (lambda: otherwords.gate("chrf", OUTPUTS, REFERENCES, rules=None), "rules must be Rules"),
        (lambda: otherwords.score("chrf", OUTPUTS, REFERENCES, sampling=5), "must be a Sampling"),
        (lambda: otherwords.score(["chrf"], OUTPUTS, REFERENCES)["foo"], "choose from: chrf"),
        (
            lambda: otherwords.score("chrf", ["a"], [float("nan")]),
            "segment 1 must be text, not nan",
        ),
        (lambda: otherwords.score("chrf", ["a"], [["a", float("nan")]]), "of segment 1"),
        (lambda: otherwords.score("chrf", ["a", "b"], [["a"], [None]]), "segment 2 has no ref"),
        (lambda: otherwords.score("chrf", {"out": ["a"], "ref": ["a"]}), "rename one of them"),
    ],
)
def test_slips_in_python(call, message):
    with pytest.raises(OtherwordsError, match=message):
        call()


def test_references_that_can_be_read_once_serve_every_system():
    systems = {"a": OUTPUTS, "b": REFERENCES}
    several = [[text] for text in REFERENCES]
    wanted = otherwords.compare("chrf", systems, several).to_dict()
    assert otherwords.compare("chrf", systems, iter(several)).to_dict() == wanted
    assert otherwords.compare("chrf", systems, [iter(s) for s in several]).to_dict() == wanted


def test_a_translation_is_in_the_language_of_its_reference_not_of_its_source(texts, run):
    """Sets of WMT have sources in another language."""
    source = "Der Hund ist nicht da und die Katze ist auch nicht mehr da."
    row = {"item": "1", "source": source, "references": ["The dog is not here and the cat left."]}
    outputs = {"a": "The dog is gone and so is the cat now.", "b": "", "c": ""}
    lines = [json.dumps({**row, "system": a, "hypothesis": b}) for a, b in outputs.items()]
    (texts / "rows.jsonl").write_text("\n".join(lines) + "\n")
    _, out, err = run("compare", "-m", "chrf", "--rows", "rows.jsonl")
    assert "a: " not in err
    assert err.count("b: 1 of 1 outputs scored as an empty one") == 1
    assert "outputs" not in out


def test_several_systems_are_compared_in_a_sentence():
    systems = {"a": REFERENCES * 9, "b": [f"{text} No." for text in REFERENCES * 9]}
    result = otherwords.compare("chrf", {**systems, "c": REFERENCES * 9}, REFERENCES * 9)
    assert result.verdict == "c is level with a by chrf; b is worse."


def test_one_option_names_a_built_model_for_pem_and_paraeval():
    for name in ("pem.adequacy", "paraeval-p", "paraeval-f", "otherwords-rewrite", "fluency"):
        assert "model" in option_names(metric_class(name))
    result = otherwords.score(
        ["pem.adequacy", "paraeval-p"], OUTPUTS, REFERENCES, OUTPUTS, model="paraphrase"
    )
    assert "model:" in result["paraeval-p"].signature


# Statistics


def judged(systems, segments=40, seed=3, human=("da",)):
    """Rows whose human score and hypothesis follow the quality of the system and chance."""
    chance = random.Random(seed)
    words = "the cat sat on a mat while one dog ran over green hills and rain fell".split()
    taste = [chance.gauss(0, 0.2) for _ in range(systems)]
    rows = []
    for number in range(segments):
        reference = chance.choices(words, k=12)
        for system in range(systems):
            quality = 0.5 + 0.4 * system / systems
            kept = [word if chance.random() < quality else "lost" for word in reference]
            score = quality + taste[system] + chance.gauss(0, 0.1)
            texts = " ".join(kept), (" ".join(reference),)
            rows.append(
                Row(
                    *texts, system=f"s{system}", item=str(number), human=dict.fromkeys(human, score)
                )
            )
    return rows


def width_of(**options):
    result = agreement(judged(6), ["mup"], resampling=Resampling(resamples=200), **options)
    found = result.metric("mup").estimates["system", "pearson"]
    return found.high - found.low, result


def test_intervals_over_systems_resample_systems():
    wide, result = width_of(scoring=Scoring(any_language=True))
    narrow, fixed = width_of(unit="segments", scoring=Scoring(any_language=True))
    assert narrow < wide / 2
    assert "intervals over systems resample systems and segments" in result.remarks
    assert "intervals over systems hold for these systems, not for others" in fixed.remarks
    assert "fewer than 15 systems: intervals over systems are rough" in result.remarks


def test_a_value_is_within_its_interval():
    result = agreement(
        judged(4, 60),
        ["mup"],
        resampling=Resampling(resamples=50),
        scoring=Scoring(any_language=True),
    )
    for found in result.metric("mup").estimates.values():
        assert found.low <= found.value <= found.high
    draws = np.linspace(0.9, 0.99, 100)
    top = estimate(Sampled(1.0, 9, draws), Resampling(resamples=100))
    assert (top.value, top.high) == (1.0, 1.0)


@pytest.mark.parametrize(("p", "shown"), [(0.0499, "0.0499"), (0.05, "0.050"), (0.0494, "0.049")])
def test_a_starred_p_is_shown_below_the_level(p, shown):
    assert shown_p(p) == f"= {shown}"
    assert star_p(p) == shown.removeprefix("0") + "*" * (p < 0.05)


def test_the_correction_of_p_can_be_chosen(texts, ok):
    for number in range(3):
        lines = [text.replace("a", "ab", number) for text in REFERENCES * 4]
        (texts / f"s{number}.txt").write_text("\n".join(lines) + "\n")
    (texts / "ref.txt").write_text("\n".join(REFERENCES * 4) + "\n")
    argv = ["score", "-m", "bleu", "-r", "ref.txt", "s0.txt", "s1.txt", "s2.txt"]
    argv += ["--paired", "bootstrap", "-f", "json"]

    def numbers(*options):
        systems = json.loads(ok(*argv, *options))["systems"][1:]
        return [system["scores"]["bleu"]["comparison"] for system in systems]

    plain = [one["p"] for one in numbers("--correction", "none")]
    assert all("adjusted" not in one for one in numbers("--correction", "none"))
    for name, correct in (("holm", holm), ("bh", benjamini_hochberg)):
        found = numbers("--correction", name)
        assert [one["adjusted"] for one in found] == list(correct(dict(enumerate(plain))).values())
    assert numbers() == numbers("--correction", "holm")
    assert "corrected (Benjamini-Hochberg)" in ok(*argv[:-2], "--correction", "bh")
    assert "two-sided; * p < 0.05" in ok(*argv[:-2], "--correction", "none")


def test_a_table_for_a_paper_names_all_systems_and_explains_its_stars(texts, ok):
    (texts / "ref.txt").write_text("\n".join(REFERENCES * 9) + "\n")
    for number, word in enumerate(["", " indeed", " or no"]):
        lines = [text + word for text in REFERENCES * 9]
        (texts / f"s{number}.txt").write_text("\n".join(lines) + "\n")
    systems = ["s0.txt", "s1.txt", "s2.txt"]
    options = ["-m", "chrf", "-r", "ref.txt", "-f", "latex"]
    for argv in (
        ["score", "--paired", "randomization", *systems],
        ["compare", *systems],
        ["compare", *systems[:2]],
    ):
        lines = [line for line in ok(*argv, *options).splitlines() if line[:1] != "%"]
        tables = "\n".join(lines)
        assert all(name[:-4] in tables for name in systems if name in argv)
        assert "*" in tables.partition("\\caption")[0]
        assert re.search(r"\\caption\{.*two-sided.*\* (p \$<\$|below) 0\.05", tables)


def test_only_the_corpus_is_tested_in_a_comparison():
    rows = judged(2, 60)
    result = otherwords.compare(["mup", "chrf"], rows, any_language=True).with_examples(
        detailed=True
    )
    tables = {table.name: table for table in result.tables() if hasattr(table, "columns")}
    tested = [name for name, table in tables.items() if "p" in [c.name for c in table.columns]]
    assert tested == ["corpus"]
    assert {"length-mup", "class", "frequency"} <= set(tables)
    explored = [name for name, table in tables.items() if "exploratory" in str(table.notes)]
    assert explored == [name for name in tables if name != "corpus"]


def test_training_shows_the_embedded_metric_and_warns_of_few_rows(texts, run):
    chance = random.Random(2)
    words = "the old cat sat on a mat while one dog ran over green hills and rain fell".split()
    lines = []
    for number in range(12):
        source = " ".join(chance.choices(words, k=9))
        for quality in (5, 3, 1):
            kept = [w if chance.random() < quality / 5 else "blue" for w in source.split()]
            row = {"item": str(number), "source": source, "hypothesis": " ".join(kept)}
            lines.append({**row, "references": [source], "human": {"overall": quality}})
    (texts / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines))
    for kind, shown in (
        ("rewrite", "Pearson of the embedded metric"),
        ("combine", "otherwords-mt"),
    ):
        argv = ["train", kind, "--rows", "rows.jsonl", "-o", "x.owm", "--human", "overall"]
        code, out, err = run(*argv, "--folds", "3", "--any-language", "--report", "report.json")
        assert (code, shown in out) == (0, True), err
        assert "only 36 rows: train on 50 or more" in err
        assert -1 <= json.loads((texts / "report.json").read_text())["embedded"] <= 1


# The studio


def test_exported_judgements_have_the_keys_of_the_input(texts, ok, refused):
    row = {"system": "a", "item": "7", "source": "a cat", "hypothesis": "one cat"}
    row |= {"id": "r1", "langs": "de-en", "topic": "pets", "human": {"old": 3}}
    (texts / "rows.jsonl").write_text(json.dumps(row) + "\n")
    options = TaskOptions(rows=["rows.jsonl"], controls=(), criteria=("overall",))
    with open_judgement_pages("ann.log", ["ann"], options) as [page]:
        page.writes["score"]({"place": 0, "criterion": "overall", "score": 4})
    exported = json.loads(ok("studio", "export", "--log", "ann.log"))
    judges = [{"judge": "ann", "overall": 4}]
    assert exported == {**row, "human": {"overall": 4}, "judges": judges}
    assert "studio judges" in refused("studio", "agreement", "ann.log")


def test_a_compression_does_not_contradict_its_sentence(texts, ok):
    (texts / "text.txt").write_text("I am afraid of your big dog, Bob.\n")
    rules = [
        "[X] ||| am afraid of ||| fear no ||| cheap=3",
        "[X] ||| am afraid of ||| fear ||| cheap=1",
        "[X] ||| big ||| |||",
    ]
    (texts / "rules.txt").write_text("\n".join(rules[:2]) + "\n")
    (texts / "weights.txt").write_text("cheap 5\n")
    words = "i am afraid of your big dog , bob . fear no <unk>".split()
    lines = ["\\data\\", f"ngram 1={len(words) + 2}", "", "\\1-grams:", "-1 <s>", "-1 </s>"]
    (texts / "lm.arpa").write_text(
        "\n".join([*lines, *(f"-1 {w}" for w in words), "", "\\end\\", ""])
    )
    argv = ["compress", "text.txt", "-g", "rules.txt", "--lm", "lm.arpa", "-w", "weights.txt"]
    assert ok(*argv, "--ratio", "0.9") == "I fear your big dog, Bob.\n"
    assert ok(*argv, "--ratio", "0.9", "--unchecked") == "I fear no your big dog, Bob.\n"


def test_a_segment_is_explained_by_its_id(texts, ok, refused):
    rows = [
        {"item": item, "hypothesis": text, "references": [text], "system": "a"}
        for item, text in (("2", "a cat sat"), ("doc-7", "a dog ran"))
    ]
    (texts / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    argv = ["score", "-m", "mup", "--rows", "rows.jsonl", "--any-language", "--explain"]
    assert "a dog ran" in ok(*argv, "doc-7")
    assert ok(*argv, "doc-7") == ok(*argv, "id=doc-7") == ok(*argv, "2")  # the second segment
    assert "a cat sat" in ok(*argv, "id=2")
    assert "there is no segment with the id 'doc-8'" in refused(*argv, "doc-8")


def test_a_group_shows_the_options_of_its_default_command(ok):
    shown = ok("meta", "--help")
    assert "--resample-by" in shown
    assert "recognition" in shown
