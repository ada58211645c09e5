"""Texts of several sentences: how they are aligned, read in passages, and scored."""

from __future__ import annotations

import json
import time
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import Rules, gate
from otherwords.metrics import sentence_alignment
from otherwords.metrics.meaning import Meaning
from otherwords.metrics.passages import Passage, TextPair, blank_markup
from otherwords.metrics.sentence_alignment import LEAST, Points, align_sentences, find_path
from otherwords.models.encoder import Encoder
from otherwords.scoring.detectors import Detector

DATA = Path(__file__).parent / "data"
TEXTS = [json.loads(line) for line in (DATA / "texts.jsonl").read_text("utf-8").splitlines()]

ORIGINAL = (
    "The bridge was closed in March after cracks were found. Engineers had warned the city twice. "
    "Repairs will cost nine million euros. Until then, buses take a longer route."
)
RIGHT = (
    "In March, the bridge was shut because cracks had been discovered. Engineers had given the "
    "city two warnings. Fixing it will cost nine million euros. Buses run longer routes until then."
)


@pytest.fixture(scope="module")
def metric():
    return Meaning()


def points(rows):
    vectors = np.array(rows, np.float64).reshape(len(rows), -1)
    norms = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return Points(vectors / norms, np.zeros((len(rows), 4)), np.ones(len(rows)))


def align(left, right):
    encoder = Encoder.load("encoder", "sentence")
    sides = (Points.of(side, encoder.encode(side).astype(np.float64)) for side in (left, right))
    return [tuple(group) for group in align_sentences(*sides)]


def best_by_trying(similarities):
    """The largest sum of any set of pairs in the order of both texts."""
    rows, columns = similarities.shape
    sums = [0.0]
    for size in range(1, min(rows, columns) + 1):
        for left in combinations(range(rows), size):
            for right in combinations(range(columns), size):
                sums.append(sum(similarities[i, j] for i, j in zip(left, right, strict=True)))
    return max(sums)


vectors = st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=5)


@given(vectors, vectors)
def test_the_path_is_the_best_of_all(left, right):
    mine, theirs = points(left), points(right)
    similarities = mine.rows @ theirs.rows.T - LEAST
    path = find_path(mine, theirs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(path))
    total = sum(similarities[pair] for pair in path)
    assert total == pytest.approx(best_by_trying(similarities))


@given(vectors, vectors)
def test_every_sentence_is_in_one_group(left, right):
    groups = align_sentences(points(left), points(right))
    for side, size in ((0, len(left)), (1, len(right))):
        assert sorted(i for group in groups for i in range(*group[side])) == list(range(size))


def test_a_narrow_search_finds_what_a_full_one_finds(monkeypatch):
    rng = np.random.default_rng(2)
    left = rng.normal(size=(400, 12))
    kept = np.concatenate([left[:150], rng.normal(size=(60, 12)), left[190:]])
    sides = points(left), points(kept + 0.1 * rng.normal(size=kept.shape))
    narrow = align_sentences(*sides)
    monkeypatch.setattr(sentence_alignment, "_CELLS", 1 << 30)
    assert narrow == align_sentences(*sides)


A = "The bakery on Mill Street opens at six in the morning."
B = "Its owner learnt the trade in Vienna."
C = "On Sundays there is live music in the garden."
D = "Dogs are welcome as long as they stay on the lead."


@pytest.mark.parametrize(
    ("left", "right", "groups"),
    [
        ([A, B, C], [A, B, C], [((0, 1), (0, 1)), ((1, 2), (1, 2)), ((2, 3), (2, 3))]),
        ([A, B, C], [A, C], [((0, 1), (0, 1)), ((1, 2), (0, 0)), ((2, 3), (1, 2))]),
        ([A, C], [A, D, C], [((0, 1), (0, 1)), ((1, 2), (2, 3)), ((2, 2), (1, 2))]),
        (
            [A, B, C, D],
            [D, A, B, C],
            [((0, 1), (1, 2)), ((1, 2), (2, 3)), ((2, 3), (3, 4)), ((3, 4), (0, 1))],
        ),
        (
            ["On Sundays there is live music in the garden, and dogs are welcome on the lead.", A],
            ["There is live music in the garden on Sundays.", "Dogs are welcome on the lead.", A],
            [((0, 1), (0, 2)), ((1, 2), (2, 3))],
        ),
    ],
    ids=["same", "dropped", "added", "moved", "split"],
)
def test_sentences_are_aligned(left, right, groups):
    assert align(left, right) == groups


def test_a_faithful_text_passes_and_one_wrong_sentence_blocks_it(metric):
    twice = RIGHT.replace(
        "Engineers had given the city two warnings", "No engineer had warned them"
    )
    dropped = RIGHT.replace(" Fixing it will cost nine million euros.", "")
    right, wrong, missing = metric.measure([RIGHT, twice, dropped], [ORIGINAL] * 3, 1)
    limit = metric.model.limit("normal")
    assert right[0] > limit > max(wrong[0], missing[0])
    assert missing[2] > max(right[2], 0.5)


BRIEF = "The bridge was closed in March after cracks were found. Engineers had warned the city."


@pytest.mark.parametrize(
    ("rewrite", "is_right"),
    [
        ("In March, cracks made them close the bridge. The city was warned by engineers.", True),
        ("The bridge was closed in March after cracks were found. No one had warned.", False),
        ("The bridge was opened in March after cracks were found. They had warned.", False),
    ],
)
def test_a_brief_text_is_read_whole_too(metric, rewrite, is_right):
    """Its score lies between the lowest passage and the whole; the gate judges by the passage."""
    [judged] = metric.judge([rewrite], [BRIEF])
    assert judged.whole is not None
    assert len(judged.passages) == 2
    low, high = sorted([judged.lowest, judged.whole])
    assert low < judged.scores[0] < high
    assert (judged.lowest > metric.model.limit("normal")) == is_right
    assert Detector().contradicted([(rewrite, BRIEF)]) == [not is_right]
    assert metric.details(rewrite, BRIEF)["whole"] == pytest.approx(judged.whole, abs=1e-6)


def test_moved_sentences_are_shown(metric):
    original = "The door is red. Lunch is at noon. Nobody saw the thief."
    rewrite = "Lunch is at noon. The door is red. No one saw the thief."
    passages = metric.details(rewrite, original)["passages"]
    assert [passage.get("moved", False) for passage in passages] == [True, True, False]


def test_a_long_text_is_not_read_whole(metric):
    judged = metric.judge(
        [" ".join([RIGHT] * 3), "He left."], [" ".join([ORIGINAL] * 3), "He ran."]
    )
    assert [one.whole for one in judged] == [None, None]


def test_findings_point_into_the_text(metric):
    wrong = RIGHT.replace("nine million", "ninety million")
    [found] = metric.findings(wrong, ORIGINAL)
    assert (found.kind, found.verdict) == ("money", "contradicted")
    assert wrong[slice(*found.hypothesis)] == found.hypothesis_text == "ninety million euros"
    assert ORIGINAL[slice(*found.reference)] == found.reference_text == "nine million euros"
    sentence = "Engineers had warned the city twice."
    [found] = metric.findings(
        RIGHT.replace("Engineers had given the city two warnings. ", ""), ORIGINAL
    )
    assert (found.verdict, found.reference_text) == ("missing", sentence)
    assert ORIGINAL[slice(*found.reference)] == sentence
    assert found.hypothesis[0] == found.hypothesis[1] == RIGHT.index(" Engineers")


def test_a_name_may_become_a_pronoun(metric):
    original = "Anna Berg called the clinic. Anna Berg asked for a new date. The nurse was kind."
    rewrite = "Anna Berg rang the clinic. She requested another date. The nurse was friendly."
    [judged] = metric.judge([rewrite], [original])
    assert judged.differences == []
    assert not Detector().contradicted([(rewrite, original)])[0]
    pair = TextPair(rewrite, original)
    words = [word for side in (0, 1) for word in pair.words(side)]
    vectors = metric.encoder.encode(words, 1, {})
    questions = [pair.question(passage) for passage in pair.passages(vectors)]
    assert questions[1][0] == "Anna Berg requested another date."


def test_a_pronoun_after_two_names_is_not_resolved():
    pair = TextPair("Anna rang Tom Hill. He left.", "Anna called Tom Hill. Anna left.")
    passage = Passage((20, 28), (22, 32))
    assert pair.question(passage)[0] == "He left."


def test_the_closing_of_a_letter_may_change_but_not_the_name_in_its_greeting(metric):
    original = (
        "Dear Tessa,\n\nThe keys are with the porter. He leaves at noon.\n\nWarm regards,\nBo"
    )
    rewrite = original.replace("Warm regards", "All the best")
    [judged] = metric.judge([rewrite], [original])
    assert judged.lowest == 1.0
    assert [passage.rewrite for passage in judged.passages][-1] == (len(rewrite) - 2, len(rewrite))
    [judged] = metric.judge([rewrite.replace("Tessa", "Ingrid")], [original])
    assert judged.lowest == judged.rows[0, 0] < metric.model.limit("normal")


def test_numbers_that_change_places_are_found(metric):
    original = "The small room holds 12 people. Lunch is at noon. The large room holds 40 people."
    rewrite = "The small room holds 40 people. Lunch is at noon. The large room holds 12 people."
    [judged] = metric.judge([rewrite], [original])
    assert [(d.original_text, d.rewrite_text) for d in judged.differences] == [
        ("12", "40"),
        ("40", "12"),
    ]


def test_scores_do_not_depend_on_batch_or_threads(metric):
    texts = [text["right"] for text in TEXTS[:3]] + [RIGHT]
    originals = [text["text"] for text in TEXTS[:3]] + [ORIGINAL]
    together = metric.measure(texts, originals, 2)
    alone = [metric.measure([a], [b], 1)[0] for a, b in zip(texts, originals, strict=True)]
    np.testing.assert_array_equal(together, np.array(alone))


def test_markup_is_not_read_as_text(metric):
    original = "- **Pay** the [invoice](https://a.example/7) by Friday.\n- Keep the `receipt`."
    rewrite = "Pay the [invoice](https://a.example/7) by Friday. Keep the receipt."
    assert metric.measure([rewrite], [original], 1)[0, 0] > 0.95
    assert metric.measure([rewrite.replace("/7", "/8")], [original], 1)[0, 0] < 0.9
    [finding] = metric.findings(rewrite.replace("/7", "/8"), original)
    assert (finding.kind, finding.hypothesis_text) == ("url", "https://a.example/8")


def test_code_is_compared_as_it_is(metric):
    original = "Start the server like this.\n\n```\nserve --port 80\n```\n\nThen open the page."
    changed = original.replace("--port 80", "--port  80")
    [finding] = metric.findings(changed, original)
    assert (finding.kind, finding.verdict) == ("code", "contradicted")
    assert changed[slice(*finding.hypothesis)] == "serve --port  80\n"
    assert "with other white space" in finding.sentence()
    reworded = original.replace("Then open the page", "After that, open the page")
    assert not Detector().contradicted([(reworded, original)])[0]


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("Read [it](https://a.org/1).", "url"),
        ("Read <https://a.org/1>.", "url"),
        ("Read <a class='x' href=\"https://a.org/1\">it</a>.", "url"),
        ("Look: <img src='/img/plan1.png'>", "file"),
        ("Write to <ops1@example.com>.", "email"),
    ],
)
def test_a_changed_target_of_a_link_is_a_changed_value(markup, kind):
    pair = TextPair(markup.replace("1", "2"), markup)
    assert [(found.verdict, found.kind) for _, found in pair.differences([pair.whole])] == [
        ("changed", kind)
    ]


@pytest.mark.parametrize(
    "text", ["<a href=", '<a href="', "<a", ' href="b"', "<a@", "[a](", "*a ", "~~a "]
)
def test_markup_without_an_end_is_read_in_linear_time(text):
    def seconds(size):
        long = "<a" + text * (size // len(text))
        start = time.process_time()
        blank_markup(long, with_targets=True)
        return time.process_time() - start

    assert seconds(80_000) < 8 * seconds(20_000) + 0.05


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict", "left", "right"),
    [
        ("a\nb\nc\n", "a\nx\nc\n", "changed", "b\n", "x\n"),
        ("a\nc\n", "a\nb\nc\n", "missing", "", "b\n"),
        ("a\na\n", "a\n", "added", "a\n", ""),
    ],
)
def test_only_the_lines_of_code_that_changed_are_shown(mine, theirs, verdict, left, right):
    texts = [f"Run this.\n\n```\n{code}```\n" for code in (mine, theirs)]
    pair = TextPair(*texts)
    [(_, found)] = pair.differences([pair.whole])
    assert (found.verdict, found.rewrite_text, found.original_text) == (verdict, left, right)
    assert texts[0][slice(*found.rewrite)] == left
    assert texts[1][slice(*found.original)] == right


@settings(max_examples=50)
@given(st.text("ab*_`[](<>)#->\n .", max_size=60))
def test_blanking_keeps_every_offset(text):
    blank = blank_markup(text)
    assert len(blank) == len(text)
    assert all(new in (old, " ") for new, old in zip(blank, text, strict=True))


@settings(max_examples=25)
@given(st.text("ab. \n#`3", max_size=60), st.text("ab. \n#`3", max_size=60))
def test_any_text_has_passages_inside_it(rewrite, original):
    pair = TextPair(rewrite, original)
    vectors = {word: np.ones(3) for side in (0, 1) for word in pair.words(side)}
    for passage in pair.passages(vectors):
        for text, (begin, end) in zip(pair.texts, passage.spans, strict=True):
            assert 0 <= begin <= end <= len(text)


def test_written_texts():
    """Most wrong twins are blocked and most right rewrites pass; each wrong one has one error."""
    detector = Detector()
    right = [(text["right"], text["text"]) for text in TEXTS]
    wrong = [(twin["text"], text["text"]) for text in TEXTS for twin in text["wrong"]]
    assert sum(detector.contradicted(right)) <= 1
    assert sum(detector.contradicted(wrong)) >= 13


def test_the_gate_names_the_sentence():
    text = next(text for text in TEXTS if text["id"] == "news-library")
    added = next(twin for twin in text["wrong"] if twin["kind"] == "addition")
    result = gate(
        None, [added["text"]], sources=[text["text"]], rules=Rules(no_contradictions=True)
    )
    assert [c.finding.hypothesis_text for c in result.contradictions] == [added["words"]]
