"""Outputs that are no rewrites, and rows that cannot be scored: found, counted, never fatal."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords.corpus.rows import Row
from otherwords.corpus.validation import validate_files
from otherwords.errors import LanguageError, UsageError
from otherwords.metrics.registry import metric_names
from otherwords.text import outputs
from otherwords.text.outputs import CODES, find_faults, is_other_language

ORIGINAL = "The library will be closed on Monday for repairs."
GOOD = "Because of repairs, nobody can use the library on Monday."
FRENCH = "La bibliothèque sera fermée lundi pour des travaux dans la grande salle."
LISTS = Path(__file__).parent / "data" / "outputs.jsonl"

# Written for this test; not in the lists.
BAD = {
    "empty": ["", " \n", "\u200b", "null", "N/A"],
    "markup-only": ["---", "<p></p>", "1.\n2.", "**"],
    "language": [FRENCH, "Книга закрыта в понедельник", "qwk zzrt plmx vbnn trrw"],
    "refusal": [
        "I'm sorry, but as an AI language model I can't do this.",
        "Unfortunately, I am unable to process this request.",
        "Please share the text you would like me to rephrase.",
        "How can I assist you today?",
    ],
    "preface": [
        f"Here is the rewritten text:\n\n{GOOD}",
        f"Sure! Here's a simpler version: {GOOD}",
        f"Paraphrase: {GOOD}",
        f"Certainly!\n\n{GOOD}",
        f"Original: {ORIGINAL}\nRewrite: {GOOD}",
        f"Here is the rewritten text: {ORIGINAL}",
        f"Translation: {GOOD}",
        f"{ORIGINAL}\n{GOOD}",
        f"1. {GOOD}\n2. {ORIGINAL}",
    ],
    "remark": [f"{GOOD}\n\nLet me know if you'd like another version!"],
    "template": [
        "On Monday the {{building}} is closed for repairs.",
        "On Monday the library is closed.<|im_end|>",
        "[INSERT NAME] is closed on Monday for repairs.",
        "On Monday the library is closed. TODO",
    ],
    "loop": [
        "The library is closed. The library is closed. The library is closed.",
        "On Monday Monday Monday Monday Monday the library is closed.",
        "clo" * 20,
        f"{GOOD} {GOOD}",
        f"{ORIGINAL} {ORIGINAL}",
    ],
    "damaged": ["On Monday the libr\ufffdry is closed.", "On Monday\x00 the library is closed."],
    "cut-off": [
        "Because of repairs, nobody can use the",
        "Repairs are planned. On Monday the library will",
        "On Monday the repai",
        "Because of repairs, nobody can use the library on Mon-",
        "Because of repairs, nobody can use the library on Monday (",
        "Nobody can use the library, because of repairs,",
    ],
}


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_found_with_its_place(code):
    for text in BAD[code]:
        faults = find_faults(text, ORIGINAL)
        assert code in [fault.code for fault in faults], text
        for fault in faults:
            begin, end = fault.span
            assert 0 <= begin <= end <= len(text)
            assert "\n" not in fault.reason
    assert find_faults(GOOD, ORIGINAL) == []


@pytest.mark.parametrize(
    ("output", "original"),
    [
        ("I am sorry, but I cannot help you with that.", "Sorry, I can't help you with this."),
        ("AI models can't rewrite this text.", "This text cannot be rewritten by an AI model."),
        ("Dear {name}, thanks.", "Dear {name}, thank you."),
        ("Please fill in TODO.", "Replace TODO, please."),
        ("train's late, see you at the", "the train is late, see you at the"),
        ("back at seven", "I'll be back at 7"),
        ("Rewritten text: none", "The rewritten text: nothing"),
        ("No, no, no, no, no!", "No, no, no, no, no, no!"),
        ("...", "…"),
        (FRENCH, "La salle de lecture est fermée pour des travaux lundi et mardi."),
        ("Here is the e-mail:\nHi Ann", "Here is the message:\nHello Ann"),
        ("42", "42."),
        ("We will be closed all day today.\nBest wishes,", "Closed all day today, sorry.\nBest,"),
        ("We will be closed all day today.\nBest wishes,", "We are closed all day. Best wishes"),
        (f"{ORIGINAL} Sorry about that.", ORIGINAL),
        (f"{GOOD} {GOOD}", f"{ORIGINAL} {ORIGINAL}"),
    ],
)
def test_what_the_original_has_too_is_no_fault(output, original):
    assert find_faults(output, original) == []


def test_hand_made_lists():
    """At least the share that was measured on the half that the rules were not written with."""
    least = {"empty": 0.95, "preface": 0.75, "refusal": 0.7, "cut": 0.65, "language": 0.8}
    least |= {"loop": 0.95, "template": 0.85}
    codes = {"empty": {"empty", "markup-only"}, "cut": {"cut-off"}}
    by_kind: dict[str, list[dict[str, str]]] = {}
    for line in LISTS.read_text("utf-8").splitlines():
        by_kind.setdefault(json.loads(line)["kind"], []).append(json.loads(line))
    for row in by_kind.pop("right"):
        assert find_faults(row["rewrite"], row["original"]) == []
    assert set(by_kind) == set(least)
    for kind, rows in by_kind.items():
        assert len(rows) >= 40
        for half in (rows[::2], rows[1::2]):
            found = [{f.code for f in find_faults(r["rewrite"], r["original"])} for r in half]
            right = sum(bool(mine & codes.get(kind, {kind})) for mine in found)
            assert right / len(half) >= least[kind], (kind, right, len(half))


@pytest.mark.parametrize(
    "text", ["&amp;", "(", "A", "a-", "a b ", "{{ ", "<!--", "1.\n", "i cannot "]
)
def test_time_grows_with_the_length(text):
    """Four times the text takes about four times as long, not sixteen."""

    def seconds(long):  # the least of three: other programs may run
        times = []
        for _ in range(3):
            start = time.process_time()
            for output, original in ((long, ORIGINAL), (ORIGINAL, long), (long, long)):
                find_faults(output, original)
            times.append(time.process_time() - start)
        return min(times)

    assert seconds(text * (40_000 // len(text))) < 10 * seconds(text * (10_000 // len(text))) + 0.1


# Scores


@pytest.fixture
def rows():
    outputs = [GOOD, "", FRENCH, GOOD, "I'm sorry, but I cannot rewrite this.", GOOD]
    originals = [ORIGINAL, ORIGINAL, ORIGINAL, FRENCH, ORIGINAL, ORIGINAL]
    return outputs, originals


def test_one_row_does_not_fail_the_others(rows):
    outputs, originals = rows
    result = otherwords.score("difference", outputs, sources=originals)
    alone = otherwords.score("difference", [GOOD], sources=[ORIGINAL]).corpus
    lowest = result.metric.traits.low
    scores = result.segments
    assert scores[[1, 2]].tolist() == [lowest, lowest]
    assert np.isnan(scores[3])
    assert scores[[0, 5]].tolist() == [alone, alone]
    # The mean of the five that have a score.
    assert result.corpus == pytest.approx(np.nansum(scores) / 5)
    assert [(p.item, p.code, p.scored) for p in result.problems] == [
        ("1", "empty", "as empty"),
        ("2", "language", "as empty"),
        ("3", "input-language", "not"),
        ("4", "refusal", "as it is"),
    ]
    described = result.to_dict()["segments"]
    assert described[3]["score"] is None
    assert described[1]["problem"]["reason"] == "the output is empty"
    assert "problem" not in described[0]
    json.dumps(described, allow_nan=False)
    assert "4 with a problem" in repr(result)
    frame = result.to_frame()
    assert frame["problem"].tolist() == ["", "empty", "language", "input-language", "refusal", ""]


@pytest.mark.parametrize(
    ("original", "output"),
    [
        ("Le train pour Lyon part aujourd'hui de la voie 3.", "Le train de Lyon partira voie 3."),
        ("El tren a Sevilla sale hoy de la vía 3.", "Hoy sale de la vía 3 el tren a Sevilla."),
    ],
)
def test_words_that_are_also_english_do_not_make_a_text_english(original, output):
    assert is_other_language(original)
    assert find_faults(output, original) == []


def test_a_short_original_in_the_language_of_the_output_is_not_called_english():
    original, output = "Ein Mann spielt Gitarre.", "Der Mann spielt auf der Gitarre und singt dazu."
    assert is_other_language(output)
    assert not is_other_language(original)
    assert find_faults(output, original) == []


def test_metrics_of_any_language_score_every_row(rows):
    outputs, originals = rows
    both = otherwords.score(["chrf", "maxsim"], outputs, originals)
    alone = otherwords.score("chrf", outputs, originals)
    assert both["chrf"].corpus == alone.corpus
    assert np.isfinite(both["chrf"].segments).all()
    assert np.isnan(both["maxsim"].segments[3])
    assert otherwords.score("maxsim", outputs, originals, any_language=True).segments[2] > 0


# PEM defines its fluency and dissimilarity for an empty text; `combine` needs a model.
@pytest.mark.parametrize(
    "name", sorted({*metric_names()} - {"pem.fluency", "pem.dissimilarity", "combine"})
)
def test_an_empty_output_has_the_lowest_score(name):
    metric = otherwords.metric(name)
    lowest = {"ter": 100.0, "ibleu": 0.0}.get(name, metric.traits.low)
    assert metric.score_one("", [ORIGINAL], ORIGINAL) == pytest.approx(lowest, abs=1e-9)


def test_texts_that_are_too_long_for_a_metric():
    """Some metrics take time and memory that grow with the square of the length."""
    long = "a " * 5001
    result = otherwords.score("ter", [ORIGINAL, long, ORIGINAL], [ORIGINAL, ORIGINAL, long])
    assert result.segments[:2].tolist() == [0.0, 100.0]
    assert np.isnan(result.segments[2])
    assert result.corpus == 50.0  # 9 edits for 18 words
    assert [(p.code, p.scored) for p in result.problems] == [
        ("too-long", "as empty"),
        ("too-long", "not"),
    ]
    assert otherwords.score("mup", [long], [long]).corpus == 1.0


@pytest.mark.parametrize("name", ["facts", "otherwords-mt", "paraeval-f", "rouge-l", "ter"])
@pytest.mark.parametrize("text", ["5% ", "5%", "word ", "(", "a. "])
def test_no_text_takes_time_by_the_square_of_its_length(name, text):
    """36 kB of "5% " took more than 8 GB: a text of more than 5,000 words and marks has a reason
    and no score, whether there are spaces between them or not.
    """
    long = text * (36_000 // len(text))
    result = otherwords.score(name, [ORIGINAL, ORIGINAL], [ORIGINAL, long], any_language=True)
    assert np.isnan(result.segments[1])
    assert [(p.code, p.scored) for p in result.problems] == [("too-long", "not")]


def test_agreement_and_reports_leave_out_texts_that_are_too_long(tmp_path, run, refused):
    """One line of 36 kB of "5% " took 3 GB and more in `meta` and `report`."""
    long = "5% " * 12_000
    texts = [ORIGINAL, GOOD, f"{GOOD} So it was.", long]
    with (tmp_path / "rows.jsonl").open("w") as file:
        for place, text in enumerate(texts):
            row = {"item": str(place), "hypothesis": GOOD, "references": [text]}
            print(json.dumps({**row, "system": "one", "human": {"da": place + 1}}), file=file)
    said = "one: 1 of 4 segments without a score by metrics that cannot read them"
    meta = ["meta", "--human", "da", "-m", "otherwords-mt", "--rows", tmp_path / "rows.jsonl"]
    code, out, err = run(*meta)
    assert (code, said in err) == (0, True), err
    assert "otherwords-mt: rows without a score, left out: 1" in out
    code, _, err = run("report", tmp_path / "rows.jsonl", "-o", tmp_path / "page.html")
    assert (code, said in err) == (0, True), err
    pem = [
        "meta",
        "paper",
        "pem",
        "--human",
        "da",
        "-m",
        "facts",
        "--rows",
        tmp_path / "rows.jsonl",
    ]
    assert "a text has 24,000 words, more than 5,000" in refused(*pem)


def test_a_wrong_file_is_still_an_error():
    with pytest.raises(LanguageError, match="the references of hypotheses"):
        otherwords.score("maxsim", [GOOD] * 3, [FRENCH] * 3)
    with pytest.raises(LanguageError, match="the text of hypotheses"):
        otherwords.score("maxsim", [FRENCH] * 3, [ORIGINAL] * 3)


def test_problems_are_listed_with_their_lines(rows, tmp_path, run, refused):
    path = write(tmp_path, *rows)
    said = refused("score", "--strict-input", "-m", "difference", "--rows", path)
    assert said == f"otherwords: {path}:2: empty: the output is empty\n"
    code, out, said = run("score", "-m", "difference", "-f", "jsonl", "--rows", path)
    assert code == 0
    problems = [json.loads(line) for line in out.splitlines()]
    problems = [line for line in problems if line["table"] == "problems"]
    assert [(line["line"], line["code"]) for line in problems] == [
        (2, "empty"),
        (3, "language"),
        (4, "input-language"),
        (5, "refusal"),
    ]
    assert "2 of 6 outputs scored as an empty one (empty 1, language 1)" in said
    assert "1 of 6 segments without a score" in said
    assert "1 of 6 outputs no rewrite of the original (refusal 1)" in said


def write(folder, outputs, originals, system="s"):
    path = folder / f"{system}.jsonl"
    lines = [
        json.dumps({"system": system, "item": str(n), "hypothesis": text, "source": original})
        for n, (text, original) in enumerate(zip(outputs, originals, strict=True))
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_threads_and_batches_do_not_matter(rows, monkeypatch):
    outputs, originals = rows
    one = otherwords.score("difference", outputs, sources=originals)
    monkeypatch.setattr("otherwords.scoring.stream.BATCH", 2)
    two = otherwords.score("difference", outputs, sources=originals, threads=2)
    assert one.segments.tolist()[:3] == two.segments.tolist()[:3]
    assert one.problems == two.problems
    assert one.corpus == two.corpus


def test_compare_leaves_no_row_out_silently(rows):
    """A system that answers in French loses by it; a French source counts for neither."""
    outputs, originals = rows
    systems = {"good": [GOOD] * 6, "mixed": outputs}
    result = otherwords.compare("difference", systems, sources=originals)
    contrast = result["good", "difference"]
    assert len(result.comparisons[0].pair) == 5
    score = otherwords.score("difference", [GOOD], sources=[ORIGINAL]).corpus
    assert contrast.scores[0] == pytest.approx(score)
    assert contrast.scores[1] < score
    said = " ".join(result.warnings())
    assert "mixed: 2 of 6 outputs scored as an empty one" in said
    assert "good: 1 of 6 segments without a score" in said


def test_paired_tests_of_score_leave_out_the_same_rows(rows):
    outputs, originals = rows
    listed = [
        Row(text, (), original, system, str(n))
        for system, texts in (("good", [GOOD] * 6), ("mixed", outputs))
        for n, (text, original) in enumerate(zip(texts, originals, strict=True))
    ]
    sampling = otherwords.Sampling(test="randomization", resamples=200)
    result = otherwords.score("difference", listed, sampling=sampling)
    cells = result.numbers
    assert cells["mixed"].difference == pytest.approx(cells["mixed"].value - cells["good"].value)
    good, mixed = result.of("good"), result.of("mixed")
    assert good.corpus == pytest.approx(np.nanmean(good.segments))
    assert mixed.corpus == cells["mixed"].value
    # Every resample has a score: the row without one is never drawn.
    assert cells["good"].low == cells["good"].high == good.corpus
    texts, originals = [GOOD, GOOD, GOOD], [ORIGINAL, FRENCH, ORIGINAL]
    two = otherwords.score(
        "difference", texts, sources=originals, sampling=otherwords.Sampling(resamples=100)
    )
    assert two.numbers["hypotheses"].low == two.corpus


# The gate


def gate(outputs, originals, **rules):
    rules.setdefault("no_contradictions", True)
    return otherwords.gate(None, outputs, sources=originals, rules=otherwords.Rules(**rules))


@pytest.mark.parametrize("code", CODES)
def test_the_gate_fails(code):
    result = gate([GOOD, BAD[code][0]], [ORIGINAL] * 2)
    assert not result.passed
    assert code in [problem.code for problem in result.problems]
    assert not next(check for check in result.checks if check.rule == "outputs").passed


def test_gibberish_and_empty_lines_fail(tmp_path, run):
    (tmp_path / "source.txt").write_text(f"{ORIGINAL}\n" * 3)
    (tmp_path / "out.txt").write_text(f"{GOOD}\n\nqwk zzrt plmx vbnn trrw\n")
    command = ["gate", "--no-contradictions", "-s", tmp_path / "source.txt", tmp_path / "out.txt"]
    code, out, _ = run(*command)
    assert code == 1
    assert "out.txt:2" in out
    assert "the output is empty" in out


def test_a_gate_passes_only_if_every_row_was_judged():
    result = gate([GOOD, GOOD], [ORIGINAL, FRENCH])
    assert not result.passed
    assert [check.rule for check in result.checks if check.passed is False] == ["judged"]
    assert gate([GOOD, GOOD], [ORIGINAL] * 2).passed


def test_a_corpus_rule_does_not_hide_an_empty_output():
    rules = otherwords.Rules(fail_under="chrf=1")
    result = otherwords.gate("chrf", [ORIGINAL] * 9 + [""], [ORIGINAL] * 10, rules=rules)
    assert [check.passed for check in result.checks] == [True, False]


def test_outputs_can_be_allowed_and_accepted(tmp_path, run):
    outputs = [GOOD, f"Paraphrase: {GOOD}", "Paraphrase: " + ORIGINAL]
    path = write(tmp_path, outputs, [ORIGINAL] * 3)
    assert gate(outputs, [ORIGINAL] * 3, allow="preface, loop").passed
    command = ["gate", "--no-contradictions", "--rows", path]
    code, out, _ = run(*command, "-f", "jsonl")
    assert code == 1
    lines = [line for line in out.splitlines() if json.loads(line)["table"] == "problems"]
    (tmp_path / "accepted.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert run(*command, "--accept", tmp_path / "accepted.jsonl")[0] == 0
    assert run(*command, "--allow", "preface")[0] == 0
    (tmp_path / "accepted.jsonl").write_text(f"{lines[0]}\n")
    assert run(*command, "--accept", tmp_path / "accepted.jsonl")[0] == 1
    for code in ("empty", "language", "nothing"):
        with pytest.raises(UsageError, match="allow is refusal"):
            otherwords.Rules(allow=code)


def test_validate_lists_them(tmp_path):
    outputs = [BAD[code][0] for code in CODES]
    path = write(tmp_path, outputs, [ORIGINAL] * len(outputs))
    codes = [one.code for one in validate_files([path]).findings if one.severity == "warning"]
    assert set(codes) >= {"W504", *(f"W{number}" for number in range(521, 529))}


@pytest.mark.parametrize("kind", ["refusal", "inability"])
def test_no_phrase_lacks_a_key_word(kind):
    # What is searched for phrases is a text with a key word: every phrase must have one.
    generator = random.Random(kind)

    def said(phrase):
        for word in phrase.split():
            if word == "...":
                yield from generator.choices(["every", "re-"], k=generator.randrange(3))
            elif not word.endswith("?") or generator.random() < 0.5:
                choice = generator.choice(word.rstrip("?").split("|"))
                lists = outputs._lists()
                yield from said(generator.choice(lists[choice])) if choice.isupper() else [choice]

    for phrase in outputs._lists()[kind] * 20:
        text = generator.choice([" ", ", ", " *"]).join(said(phrase))
        assert outputs._finder(kind).search(text), text
        assert not outputs._key_words(kind).isdisjoint(outputs._RUN.findall(text)), text
