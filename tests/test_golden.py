"""Scores that papers fix or other programs compute, end to end: text in, number out."""

from __future__ import annotations

from pathlib import Path

import pytest
import sacrebleu

import otherwords

FOLDER = Path(__file__).parents[1] / "examples" / "translation"
SYSTEMS = ["careful", "free", "literal"]
FIGURE_1 = ["The cat is on the mat.", "There is a cat on the mat."]
FIGURE_4 = ["the bombing resulted in an explosion", "there was an explosion"]
BLOWN_UP = ["blown up", "bombing", "explosion"]


def lines(name: str) -> list[str]:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()


# --- the papers


@pytest.mark.parametrize(
    ("metric", "hypothesis", "references", "value"),
    [
        # ParaEval, Figure 1: modified unigram precision.
        ("mup", "the the the the the the the.", FIGURE_1, 2 / 7),
        ("paraeval-p", "the the the the the the the.", FIGURE_1, 2 / 7),
        # MAXSIM §3: identical sentences of three words or more score 1, in any case.
        ("maxsim", "The cat sat.", ["The cat sat."], 1.0),
        ("maxsim", "the CAT sat down", ["The cat sat down."], 1.0),
    ],
)
def test_numbers_of_papers(metric, hypothesis, references, value):
    assert otherwords.score(metric, [hypothesis], [references]).corpus == pytest.approx(value)


@pytest.mark.parametrize(
    ("hypothesis", "references", "words", "value"),
    [
        ("blown up bombing was happening", FIGURE_4, BLOWN_UP, 4 / 5),
        ("blown up bombing was happening", FIGURE_4, [], 2 / 5),
        ("car car", ["a car", "an automobile"], ["car", "automobile"], 1 / 2),
        ("blown up blown up", ["bombing", "explosion"], BLOWN_UP, 2 / 4),
    ],
)
def test_figure_4_of_paraeval(tmp_path, hypothesis, references, words, value):
    table = tmp_path / "set.tsv"
    pairs = [f"{one}\t{other}\n" for one in words for other in words if one != other]
    table.write_text("".join(pairs), encoding="utf-8")
    options = {"model": str(table) if words else "none"}
    result = otherwords.score("paraeval-p", [hypothesis], [references], **options)
    assert result.corpus == pytest.approx(value)


@pytest.mark.parametrize(
    ("candidate", "source", "value"),
    [
        ("a b c d", "a b c d", 0.0),
        ("e f g h", "a b c d", 1.0),
        # New n-grams (Chen & Dolan 2011): 1 of 4, 1 of 3, 1 of 2, 1 of 1.
        ("a b c e", "a b c d", (1 / 4 + 1 / 3 + 1 / 2 + 1) / 4),
    ],
)
def test_pinc(candidate, source, value):
    assert otherwords.score("pinc", [candidate], sources=[source]).corpus == pytest.approx(value)


# --- other programs, in the same run


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("metric", "peer"),
    [
        ("bleu", sacrebleu.corpus_bleu),
        ("chrf", sacrebleu.corpus_chrf),
        ("ter", sacrebleu.corpus_ter),
        ("chrf++", lambda *texts: sacrebleu.corpus_chrf(*texts, word_order=2)),
    ],
)
def test_sacrebleu(metric, peer, system):
    texts, references = lines(system), lines("reference")
    expected = peer(texts, [references]).score
    assert otherwords.score(metric, texts, references).corpus == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("system", SYSTEMS)
def test_rouge(system):
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
    texts, references = lines(system), lines("reference")
    result = otherwords.score("rouge-l", texts, references)
    expected = [
        scorer.score(reference, text)["rougeL"].fmeasure
        for text, reference in zip(texts, references, strict=True)
    ]
    assert result.segments.tolist() == pytest.approx(expected)
