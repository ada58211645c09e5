"""Explanations drawn as HTML and as text: one colour and one sign for each verdict."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import otherwords
from otherwords.metrics import drawing
from otherwords.metrics.base import Explanation, Span, Verdict
from otherwords.metrics.drawing import draw, text_lines

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


def explained(hypothesis: str, references: tuple[str, ...], *matches: tuple[Span, ...], **more):
    return Explanation(
        "maxsim", 0.5, {"f1": 0.25, "segments": 1.0}, hypothesis, references, matches, **more
    )


def span(
    verdict: Verdict,
    hypothesis: str,
    reference: str,
    left: tuple[int, int],
    right: tuple[int, int],
    kind: str = "word",
) -> Span:
    return Span(kind, verdict, 1.0, left, right, hypothesis[slice(*left)], reference[slice(*right)])


def test_marks_of_both_sides_have_the_same_number_and_same_words_none():
    one, other = "a cat sat", "the cat was sitting"
    html = draw(
        explained(
            one,
            (other,),
            (
                span("same", one, other, (2, 5), (4, 7)),
                span("equivalent", one, other, (6, 9), (12, 19)),
            ),
        )
    )
    seen = Reader(html)
    assert seen.lines == [other, one]
    assert seen.marks == [("ow-equivalent ow-m1", "sitting"), ("ow-equivalent ow-m1", "sat")]
    assert "<li>" in html
    assert "segments" not in html


def test_words_without_a_match_are_missing_and_added_if_the_metric_matches_all_words():
    one, other = "a cat sat", "the cat was sitting"
    matches = (span("same", one, other, (2, 5), (4, 7)),)
    assert Reader(draw(explained(one, (other,), matches))).marks == []
    assert Reader(draw(explained(one, (other,), matches, matches_all=True))).marks == [
        ("ow-missing", "the"),
        ("ow-missing", "was sitting"),
        ("ow-added", "a"),
        ("ow-added", "sat"),
    ]


def test_neighbouring_matches_are_one_phrase():
    one, other = "He purchased a tiny house.", "He bought a small house."
    matches = (
        span("equivalent", one, other, (3, 12), (3, 9)),
        span("equivalent", one, other, (13, 14), (10, 11)),
        span("equivalent", one, other, (15, 19), (12, 17)),
    )
    assert Reader(draw(explained(one, (other,), matches))).marks == [
        ("ow-equivalent ow-m1", "bought a small"),
        ("ow-equivalent ow-m1", "purchased a tiny"),
    ]


def test_a_contradiction_counts_more_than_what_else_is_said_of_its_words():
    one, other = "on 13 March", "on 3 March"
    matches = (
        span("same", one, other, (0, 2), (0, 2)),
        span("equivalent", one, other, (3, 11), (3, 10)),
        span("contradicted", one, other, (3, 5), (3, 4)),
    )
    lines = list(text_lines(explained(one, (other,), matches, against="source")))
    assert lines == [
        "original  on ![3] ~[March]",
        "rewrite   on ![13] ~[March]",
        'The rewrite says "13"; the original says "3".',
        "(! contradicted, ~ other words)",
    ]


def test_each_order_is_a_drawing_of_its_own():
    text = "a b"
    matches = (
        span("same", text, text, (0, 1), (0, 1), "1-gram, lemma"),
        span("same", text, text, (0, 3), (0, 3), "2-gram, lemma"),
    )
    html = draw(explained(text, (text, "c"), matches))
    assert Reader(html).lines == [text, text, text, text, "c", text]
    assert "<summary>2-gram</summary>" in html
    assert "reference 2 of 2" in html


@pytest.mark.parametrize(
    ("verdict", "left", "right", "sentence"),
    [
        ("contradicted", "13", "3", 'The rewrite says "13"; the original says "3".'),
        ("missing", "", "by Friday", 'The rewrite does not say "by Friday".'),
        ("added", "for free", "", 'The rewrite adds "for free".'),
        ("equivalent", "ill", "sick", '"ill" says the same as "sick".'),
        ("unknown", "ill", "tired", '"ill" may not say the same as "tired".'),
        ("contradicted", ", 13", "3,", 'The rewrite says "13"; the original says "3".'),
        (
            "contradicted",
            "a  b",
            "a b",
            'The rewrite has "a b" with other white space than the original.',
        ),
        ("contradicted", "", "", "The rewrite does not say the same as the original."),
        ("missing", "", "", "The rewrite leaves out something that the original says."),
        ("added", "", "", "The rewrite says something that the original does not say."),
    ],
)
def test_sentences(verdict: Verdict, left: str, right: str, sentence: str):
    found = Span("x", verdict, 1.0, (0, len(left)), (0, len(right)), left, right)
    assert found.sentence() == sentence
    called = sentence.replace("rewrite", "text").replace("original", "reference")
    assert found.sentence("references") == called


def test_a_text_keeps_its_lines():
    one, other = "Hi Ann,\n\n- pay 13 now\n- wait", "Dear Ann,\n\n- pay 3 now\n- wait"
    matches = (span("contradicted", one, other, (15, 17), (17, 18)),)
    assert list(text_lines(explained(one, (other,), matches, against="source"))) == [
        "original  Dear Ann,",
        "          - pay ![3] now",
        "          - wait",
        "rewrite   Hi Ann,",
        "          - pay ![13] now",
        "          - wait",
        'The rewrite says "13"; the original says "3".',
        "(! contradicted)",
    ]


def test_a_metric_without_matches_does_not_say_that_nothing_matched():
    found = otherwords.score("chrf", ["The cat sat."], references=["The cat sat down."]).explain(0)
    assert found.score > 49
    assert "nothing" not in draw(found)
    assert list(text_lines(found)) == ["reference  The cat sat down.", "text       The cat sat."]


@pytest.mark.parametrize("text", ["", NASTY, "a\nb\ttab", "שלום עולם", "👩‍👩‍👧 ok", "x" * 5000])
def test_any_text_is_text(text: str):
    match = Span(NASTY, "unknown", 1.0, (0, len(text)), (0, len(text)), text, text)
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
    matches = tuple(Span("word", "added", 1.0, left, right, "l", "r") for left, right in spots)
    seen = Reader(draw(explained(one, (other,), matches)))
    unseen = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
    assert seen.lines == [unseen.sub("\ufffd", text) or "(empty)" for text in (other, one)]
    assert not seen.open


@pytest.mark.parametrize("metric", ["maxsim", "paraeval-f", "paraeval-r", "bleu", "ter", "chrf"])
def test_metrics_against_references(metric: str):
    hypothesis, references = "The boy bought a car.", ["A boy purchased an automobile.", "He left."]
    found = otherwords.score(metric, [hypothesis], references=[references]).explain(0)
    seen = Reader(draw(found))
    assert seen.lines[:2] == [references[0], hypothesis]
    assert (not seen.marks) == (not found.matches)


def test_metrics_against_the_source():
    hypothesis, source = "The boy bought a car.", "A boy purchased an automobile."
    for metric in ("otherwords-rewrite", "meaning", "pinc"):
        found = otherwords.score(metric, [hypothesis], sources=[source]).explain(0)
        html = draw(found)
        assert Reader(html).lines[:2] == [source, hypothesis]
    assert "<summary>factors</summary>" in draw(
        otherwords.score("otherwords-rewrite", [hypothesis], sources=[source]).explain(0)
    )


def test_every_verdict_has_its_look():
    for verdict in get_args(Verdict):
        assert (f".ow-{verdict} {{" in drawing.CSS) == (verdict != "same")
    assert len({look.sign for look in drawing.LOOKS.values()}) == len(drawing.LOOKS)
    assert "prefers-color-scheme: dark" in drawing.CSS


def luminance(colour: str) -> float:
    """WCAG 2's relative luminance."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_of_text_on_every_colour():
    for block in re.findall(r"\.ow-spans \{ (--ow-ink.*?)[\n}]", drawing.CSS):
        named = dict(re.findall(r"--ow-(\w+): (#\w+);", block))
        ink = luminance(named.pop("ink"))
        named.pop("faint"), named.pop("line")
        assert len(named) == len(drawing.LOOKS)
        for colour in named.values():
            low, high = sorted([ink, luminance(colour)])
            assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("metric", "verdicts"),
    [
        ("otherwords-rewrite", {"same", "equivalent"}),
        ("meaning", {"same", "equivalent"}),
        ("pem", {"same", "equivalent"}),
        ("facts", {"equivalent"}),
        ("otherwords-mt", {"same", "equivalent"}),
        ("maxsim", {"same", "equivalent"}),
        ("paraeval-f", {"same", "equivalent"}),
    ],
)
def test_verdicts_of_each_metric_on_a_right_rewrite(metric: str, verdicts: set[str]):
    texts = ["Two members were ill."], ["Two members were sick."]
    found = otherwords.score(metric, texts[0], references=texts[1], sources=texts[1]).explain(0)
    assert {match.verdict for match in found.matches[0]} == verdicts


@pytest.mark.parametrize("metric", ["otherwords-rewrite", "meaning", "facts", "otherwords-mt"])
def test_verdicts_of_each_metric_on_a_wrong_rewrite(metric: str):
    texts = ["We meet on 13 March."], ["We meet on 3 March."]
    found = otherwords.score(metric, texts[0], references=texts[1], sources=texts[1]).explain(0)
    assert "contradicted" in {match.verdict for match in found.matches[0]}
    [reason] = drawing.reasons(found)
    assert "13" in reason
    assert "3" in reason.partition(";")[2]
    assert '<mark class="ow-contradicted' in draw(found)


def test_a_notebook_draws_an_explanation_with_its_style():
    found = otherwords.score("maxsim", ["A cat."], references=["The cat."]).explain(0)
    html = found._repr_html_()
    assert html.startswith("<style>")
    assert draw(found) in html
