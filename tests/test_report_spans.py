"""Explanations drawn as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import otherwords
from otherwords.metrics.base import Explanation, Span
from otherwords.study.report import spans
from otherwords.study.report.spans import draw, kind_class

NASTY = """<img src=x onerror="alert(1)"></script>&'\x00"""


class Reader(HTMLParser):
    """What a browser sees: tags in order, attributes, and the lines of text with their marks."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.lines: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self._depth = {"sup": 0, "text": 0}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open.append(tag)
        if ("class", "ow-text") in attrs:
            self.lines.append("")
            self._depth["text"] = len(self.open)
        if tag == "mark":
            self.marks.append((dict(attrs)["class"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"
        if len(self.open) < self._depth["text"]:
            self._depth["text"] = 0

    def handle_data(self, data: str) -> None:
        if not self._depth["text"] or "sup" in self.open:
            return
        self.lines[-1] += data
        if "mark" in self.open:
            kind, text = self.marks[-1]
            self.marks[-1] = kind, text + data


def explained(hypothesis: str, references: tuple[str, ...], *matches: tuple[Span, ...]):
    return Explanation(
        "maxsim", 0.5, {"f1": 0.25, "segments": 1.0}, hypothesis, references, matches
    )


def span(
    kind: str, hypothesis: str, reference: str, left: tuple[int, int], right: tuple[int, int], w=1.0
) -> Span:
    return Span(kind, w, left, right, hypothesis[slice(*left)], reference[slice(*right)])


def test_marks_of_both_sides_have_the_same_number():
    one, other = "a cat sat", "the cat was sitting"
    html = draw(
        explained(
            one,
            (other,),
            (span("word", one, other, (2, 5), (4, 7)), span("x", one, other, (6, 9), (12, 19))),
        )
    )
    seen = Reader(html)
    assert seen.lines == [one, other]
    assert seen.marks == [
        ("ow-exact ow-m1", "cat"),
        ("ow-other ow-m2", "sat"),
        ("ow-exact ow-m1", "cat"),
        ("ow-other ow-m2", "sitting"),
    ]
    assert "<li>" in html
    assert "segments" not in html


def test_overlapping_ngrams_share_their_words():
    text = "a b c"
    matches = (
        span("2-gram, lemma", text, text, (0, 3), (0, 3)),
        span("2-gram, lemma", text, text, (2, 5), (2, 5)),
    )
    seen = Reader(draw(explained(text, (text,), matches)))
    assert seen.lines == [text, text]
    assert [classes for classes, _ in seen.marks[:3]] == [
        "ow-lemma ow-m1",
        "ow-lemma ow-m1 ow-m2",
        "ow-lemma ow-m2",
    ]


def test_each_order_is_a_drawing_of_its_own():
    text = "a b"
    matches = (
        span("1-gram, lemma", text, text, (0, 1), (0, 1)),
        span("2-gram, lemma", text, text, (0, 3), (0, 3)),
    )
    html = draw(explained(text, (text, "c"), matches))
    assert Reader(html).lines == [text, text, text, text, text, "c"]
    assert "<summary>2-gram</summary>" in html
    assert "text 2 of 2" in html
    assert "nothing matched" in html


@pytest.mark.parametrize("text", ["", NASTY, "a\nb\ttab", "שלום עולם", "👩‍👩‍👧 ok", "x" * 5000])
def test_any_text_is_text(text: str):
    match = Span(NASTY, 1.0, (0, len(text)), (0, len(text)), text, text)
    html = draw(
        Explanation(NASTY, 0.5, {NASTY: 1.0}, text, (text,), ((match,),), {NASTY: {NASTY: [text]}})
    )
    seen = Reader(html)
    assert not {"img", "script", "style"} & set(seen.tags)
    assert {name for name, _ in seen.attributes} <= {
        "class", "role", "aria-label", "dir", "title", "scope",
    }  # fmt: skip
    assert not seen.open
    shown = text.replace("\x00", "\ufffd") or "(empty)"
    assert seen.lines == [shown, shown]
    assert "\x00" not in html


places = st.tuples(st.integers(-2, 12), st.integers(-2, 12))


@given(st.text(max_size=10), st.text(max_size=10), st.lists(st.tuples(places, places), max_size=6))
def test_texts_stay_whole_whatever_the_spans(one: str, other: str, spots):
    matches = tuple(Span("word", 1.0, left, right, "l", "r") for left, right in spots)
    seen = Reader(draw(explained(one, (other,), matches)))
    unseen = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
    assert seen.lines == [unseen.sub("\ufffd", text) or "(empty)" for text in (one, other)]
    assert not seen.open


@pytest.mark.parametrize("metric", ["maxsim", "paraeval-f", "paraeval-r", "bleu", "ter", "chrf"])
def test_metrics_against_references(metric: str):
    hypothesis, references = "The boy bought a car.", ["A boy purchased an automobile.", "He left."]
    found = otherwords.score(metric, [hypothesis], references=[references]).explain(0)
    seen = Reader(draw(found))
    assert seen.lines[:2] == [hypothesis, references[0]]
    assert (not seen.marks) == (not found.matches)


def test_metrics_against_the_source():
    hypothesis, source = "The boy bought a car.", "A boy purchased an automobile."
    for metric in ("otherwords-rewrite", "meaning", "pinc"):
        found = otherwords.score(metric, [hypothesis], sources=[source]).explain(0)
        html = draw(found)
        assert Reader(html).lines[:2] == [hypothesis, source]
    assert "<summary>factors</summary>" in draw(
        otherwords.score("otherwords-rewrite", [hypothesis], sources=[source]).explain(0)
    )


def test_every_kind_has_its_look():
    kinds = [
        "1-gram, lemma and tag",
        "word",
        "paraphrase (fr: un)",
        "pivot fr, un chat",
        "dependency",
    ]
    for kind in kinds:
        assert f".ow-{kind_class(kind)} {{" in spans.CSS
    assert "prefers-color-scheme: dark" in spans.CSS


def luminance(colour: str) -> float:
    """WCAG 2's relative luminance."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_of_text_on_every_colour():
    for block in re.findall(r"\.ow-spans \{ (--ow-ink.*?)[\n}]", spans.CSS):
        named = dict(re.findall(r"--ow-(\w+): (#\w+);", block))
        ink = luminance(named.pop("ink"))
        named.pop("faint"), named.pop("line")
        assert len(named) == 8
        for colour in named.values():
            low, high = sorted([ink, luminance(colour)])
            assert (high + 0.05) / (low + 0.05) >= 4.5


def test_kinds_of_each_metric():
    hypothesis, other = "Two members were ill.", "Two members were sick."
    found = otherwords.score("otherwords-rewrite", [hypothesis], sources=[other]).explain(0)
    html = draw(found)
    assert '<mark class="ow-pivot' in html
    assert '<mark class="ow-exact' in html
    assert "<summary>pivot fr</summary>" in html
    found = otherwords.score("maxsim", ["The bridge is wide."], references=["A road was long."])
    assert 'class="ow-tag' in draw(found.explain(0))


@pytest.mark.parametrize(
    ("kind", "look"),
    [
        ("paraphrase (the same words)", "exact"),
        ("pivot de, the same words", "exact"),
        ("pivot de, krank, kranke", "pivot"),
        ("1-gram, synonym and tag", "synonym"),
        ("1-gram, tag only", "tag"),
        ("one-word paraphrase (fr: a, b)", "paraphrase"),
    ],
)
def test_looks(kind: str, look: str):
    assert kind_class(kind) == look
