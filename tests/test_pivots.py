"""Phrases that correspond through pivot languages, as spans."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.metrics.pairs import Pairs
from otherwords.metrics.pem import Pem, PemAdequacy
from otherwords.metrics.pivots import LEAST, pivot_f1
from otherwords.text.sentence import Sentence

OURS = {"orders": 1, "edge_threshold": 0, "ngram_threshold": 0, "renormalise": True}
OURS["languages"] = ["de", "es", "fr", "zh"]
WORDS = (
    "the a committee postponed delayed put off its decision ill sick two members zyxt , .".split()
)


@pytest.fixture(scope="module")
def metric():
    return PemAdequacy(**OURS)


def by_language(explained):
    found = {}
    for span in explained.matches[0]:
        language = span.kind.partition(",")[0].removeprefix("pivot ")
        found.setdefault(language, []).append(span)
    return found


def check(metric, explained):
    """Whatever the texts: spans are phrases of the segmentations, each in one pair, and weigh what
    the metric itself gives to the two phrases."""
    for language, spans in by_language(explained).items():
        for side, phrases in (("hypothesis", "hypothesis"), ("reference", "compared with")):
            text = getattr(explained, side) if side == "hypothesis" else explained.references[0]
            places = sorted(getattr(span, side) for span in spans)
            assert all(one[1] <= other[0] for one, other in pairwise(places))
            said = [getattr(span, f"{side}_text") for span in spans]
            assert said == [text[slice(*getattr(span, side))] for span in spans]
            squeezed = ["".join(one.split()) for one in explained.details[language][phrases]]
            assert {"".join(one.split()) for one in said} <= set(squeezed)
        for span in spans:
            assert span.weight >= LEAST
            pairs = Pairs.of([span.hypothesis_text], [span.reference_text], metric.pivots.reading)
            alone, _ = pivot_f1(pairs, {"": metric.pivots.tables[language]}, metric.pivots.bags, 1)
            assert span.weight == pytest.approx(float(alone[0, 0]), abs=1e-6)


@settings(max_examples=30)
@given(st.lists(st.sampled_from(WORDS), max_size=8), st.lists(st.sampled_from(WORDS), max_size=8))
def test_weights_are_those_of_the_metric(left, right):
    metric = PemAdequacy(**OURS, tokenizer="none")
    check(metric, metric.explain(" ".join(left), source=" ".join(right)))


def test_words_with_the_same_translation_meet(metric):
    explained = metric.explain("Two members were ill today.", source="Today two members were sick.")
    pairs = {(span.hypothesis_text, span.reference_text) for span in explained.matches[0]}
    assert any("ill" in one and "sick" in other for one, other in pairs)
    check(metric, explained)


def test_a_copy_matches_in_full(metric):
    text = "The committee postponed its decision."
    for spans in by_language(metric.explain(text, source=text)).values():
        assert all(span.hypothesis == span.reference for span in spans)
        assert all(span.kind.endswith(", the same words") for span in spans)
        assert all(span.weight == pytest.approx(1) for span in spans)
        assert "".join(span.hypothesis_text for span in spans).replace(" ", "") == text.replace(
            " ", ""
        )


def test_nothing_in_common_and_nothing_at_all(metric):
    assert metric.explain("qqxz", source="vvkj").matches == ((),)
    assert metric.explain("", source="").matches == ((),)


def test_typography_and_given_tokens():
    explained = Pem().explain("It’s “late”…", source='It\'s "late"...')
    assert explained.hypothesis == 'It\'s "late"...'
    for span in explained.matches[0]:
        assert explained.hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
    given = Sentence.from_tokens(["two", "members"])
    found = PemAdequacy().explain(given, source=given)
    assert {span.hypothesis_text for span in found.matches[0]} <= {"two", "members", "two members"}


def test_every_reference_has_its_own(metric):
    explained = PemAdequacy(**OURS, against="references").explain(
        "ill", references=["sick", "qqxz"]
    )
    assert [bool(spans) for spans in explained.matches] == [True, False]


def test_the_papers_bags_too():
    metric = PemAdequacy(tokenizer="none")
    check(metric, metric.explain("two members were ill", source="two members were sick"))


def test_the_example_of_the_paper_comes_out_of_the_embedded_pivots():
    """PEM §4.3: `put forth` and `put forward` share translations."""
    reported = PemAdequacy(**OURS).explain("put forward", source="put forth")
    shared = {language: reported.details[language]["shared"] for language in ("es", "zh")}
    assert shared["es"].keys() == {"presente"}  # the commonest form of presentar
    assert "出" in shared["zh"]
    assert reported.details["es"]["hypothesis"] == ["put forward"]
    assert reported.score > 0
