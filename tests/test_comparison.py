"""Two systems side by side: pairing, contrasts, words, n-grams, examples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.scoring.compare import compare, select_systems
from otherwords.scoring.compare_pair import (
    CLASSES,
    Contrast,
    TwoSystems,
    Words,
    bucket_name,
    contrast_classes,
    contrast_frequencies,
    contrast_metric,
    correct,
    find_phrases,
)
from otherwords.scoring.sampling import Sampling
from otherwords.text.sentence import Sentence
from tests.oracles import comparison as oracle

FEW = Sampling(resamples=50)
TAGS = {"cat": "NN", "dog": "NNS", "runs": "VBZ", "saw": "VBD", "the": "DT", ".": "."}


def rows_of(system, texts, reference="the cat runs .", **more):
    return [
        Row(text, (reference,), system=system, item=str(i), **more) for i, text in enumerate(texts)
    ]


def sentence(words):
    return Sentence.from_tokens(words, tags=[TAGS[word] for word in words])


def pair_of(rows, names=()):
    systems = select_systems(rows, names)
    [one] = compare("mup", systems, sampling=FEW, any_language=True).comparisons
    return one.pair


def test_systems_are_paired_by_segment_in_the_order_of_the_first():
    rows = rows_of("one", "abc") + rows_of("two", "de")[::-1] + rows_of("third", "x")
    pair = pair_of(rows, ["one", "two"])
    assert [(a.hypothesis, b.hypothesis) for a, b in zip(pair.left, pair.right, strict=True)] == [
        ("a", "d"),
        ("b", "e"),
    ]
    assert pair.left_out == 1


def test_rows_without_names_are_paired_by_what_they_are_compared_with():
    one = [Row("a", ("r",), system="one"), Row("b", ("s",), system="one")]
    two = [Row("s", ("s",), system="two"), Row("d", ("r",), system="two")]
    pair = pair_of(one + two)
    assert [row.hypothesis for row in pair.right] == ["d", "s"]
    result = compare("mup", one + two, sampling=FEW, any_language=True)
    assert result["one", "mup"].scores == (0.0, 0.5)  # the statistics follow the rows
    assert result.comparisons[0].scores["mup"][1].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("rows", "names", "message"),
    [
        (rows_of("one", "a"), [], "only one: one"),
        ([], [], "nothing to compare"),
        (rows_of("one", "a") + rows_of("two", "b"), ["one", "tow"], "did you mean 'two'"),
        (rows_of("one", "a") + rows_of("two", "b"), ["one", "one"], "only one: one"),
        (rows_of("system", "a") * 2 + rows_of("two", "b"), [], "several rows"),
        ([*rows_of("one", "a"), Row("b", ("b",), system="two", item="2")], [], "share no"),
    ],
)
def test_what_cannot_be_paired_is_refused(rows, names, message):
    with pytest.raises((UsageError, InputError), match=message):
        pair_of(rows, names)


def test_randomization_of_few_segments_is_that_of_all_exchanges():
    metric = otherwords.metric("pinc", against="references")
    texts = ["the cat runs", "a dog", "the cat", "x y z", "the cat runs ."]
    both = [*texts, *["the cat runs ."] * 5]
    left, right = np.split(metric.statistics(both, [["the cat runs ."]] * 10), 2)
    found = contrast_metric("pinc", metric, left, right, Sampling(resamples=20000))
    exact = oracle.exact_randomization(
        list(left), list(right), lambda some: metric.aggregate(np.array(some))
    )
    assert found.p == pytest.approx(exact, abs=0.015)
    assert found.difference == pytest.approx(metric.aggregate(left) - metric.aggregate(right))
    assert found.low <= found.difference <= found.high


def test_one_segment_proves_nothing():
    metric = otherwords.metric("chrf")
    left, right = (metric.statistics([text], [["the cat"]]) for text in ("the cat", "a dog"))
    found = contrast_metric("chrf", metric, left, right, FEW)
    assert (found.p, found.low, found.high, found.intervals) == (1.0, None, None, None)


def test_documents_are_exchanged_whole():
    metric = otherwords.metric("chrf")
    texts = ["the cat", "the cat", "the cat"]
    left = metric.statistics(texts, [["the cat"]] * 3)
    right = metric.statistics(["a dog"] * 3, [["the cat"]] * 3)
    found = contrast_metric("chrf", metric, left, right, FEW, ["d", "d", "d"])
    assert (found.p, found.low) == (1.0, None)


def test_holm_by_hand():
    # .01 x 3, then .03 x 2, then .04 x 1, never falling.
    contrasts = [Contrast(str(p), 3, (0.0, 0.0), 0.0, p, p) for p in (0.01, None, 0.04, 0.03)]
    assert [one.adjusted for one in correct(contrasts)] == [0.03, None, 0.06, 0.06]
    assert correct([]) == []


def class_of(tag):
    return next((name for name, tags in CLASSES.items() if tag in tags.split()), "other")


words = st.lists(st.sampled_from(sorted(TAGS)), max_size=6)
segments = st.lists(st.tuples(words, words, st.lists(words, min_size=1, max_size=2)), min_size=1)


@settings(max_examples=40)
@given(segments)
def test_words_by_class_are_those_of_the_oracle(several):
    built = [(sentence(a), sentence(b), tuple(map(sentence, refs))) for a, b, refs in several]
    tagged = [
        [[(word, TAGS[word]) for word in side] for side in (a, b)]
        + [[[(word, TAGS[word]) for word in ref] for ref in refs]]
        for a, b, refs in several
    ]
    for found in contrast_classes(Words.of(built)):
        kind = found.contrast.name
        for side in (0, 1):
            mine = [(segment[side], segment[2]) for segment in tagged]
            recall, precision = oracle.recall_precision(mine, class_of, kind)
            assert found.recall[side] == pytest.approx(recall)
            assert found.precision[side] == pytest.approx(precision)
            assert found.contrast.scores[side] == pytest.approx(oracle.f1(recall, precision))
        assert found.contrast.p is None


@settings(max_examples=40)
@given(segments)
def test_exchanging_the_systems_turns_the_differences_round(several):
    there = [(sentence(a), sentence(b), tuple(map(sentence, refs))) for a, b, refs in several]
    back = [(b, a, refs) for a, b, refs in there]
    there, back = Words.of(there), Words.of(back)
    for one, other in zip(contrast_frequencies(there), contrast_frequencies(back), strict=True):
        assert one.contrast.difference == -other.contrast.difference
    for length, (mine, theirs) in find_phrases(there).items():
        swapped = find_phrases(back)[length]
        assert [p.words for p in mine] == [p.words for p in swapped[1]]
        assert [p.words for p in theirs] == [p.words for p in swapped[0]]


def test_frequency_counts_references_by_hand():
    # "cat" three times in the references, "dog" once.
    refs = (sentence(["cat", "cat", "cat", "dog"]),)
    found = {
        one.contrast.name: one
        for one in contrast_frequencies(
            Words.of([(sentence(["cat", "dog"]), sentence(["cat", "saw"]), refs)])
        )
    }
    assert set(found) == {"1", "3"}
    assert (found["3"].words, found["3"].recall) == (3, (1 / 3, 1 / 3))
    assert found["1"].recall == (1.0, 0.0)
    assert found["1"].precision == (1.0, 0.0)  # "saw" is in no bucket


def test_a_word_class_where_the_tags_differ_counts_where_each_stands():
    # "saw" is a noun in the reference and a verb in the hypothesis: recalled noun, precise verb.
    noun = Sentence.from_tokens(["saw"], tags=["NN"])
    verb = Sentence.from_tokens(["saw"], tags=["VBD"])
    found = {one.contrast.name: one for one in contrast_classes(Words.of([(verb, noun, (noun,))]))}
    assert found["noun"].recall == (1.0, 1.0)
    assert found["noun"].precision == (0.0, 1.0)


def test_ngrams_are_clipped_and_ordered_by_segments():
    ref = (sentence(["the", "cat"]),)
    some = [(sentence(["the", "the", "cat"]), sentence(["cat", "the"]), ref)] * 7
    found = find_phrases(Words.of(some))
    unigrams, bigrams = found[1], found[2]
    assert unigrams == ([], [])  # both have the words, and the second "the" is clipped
    ((only,), none) = bigrams
    assert none == []
    assert (only.words, only.references) == (("the", "cat"), 7)
    assert (only.right, only.segments) == ((7, 0), (7, 0))


def test_buckets_cover_all_lengths():
    starts = (0, 10, 20)
    assert [bucket_name(starts, place) for place in range(3)] == ["0-9", "10-19", "20+"]


def test_examples_are_the_largest_differences_both_ways():
    good, bad = "the cat runs .", "nothing of it"
    rows = rows_of("one", [good, bad, good]) + rows_of("two", [bad, good, good])
    [pair] = compare("ter", rows, sampling=FEW).comparisons  # lower is better
    better, worse = pair.examples
    assert [one.item for one in better] == ["0"]
    assert [one.item for one in worse] == ["1"]
    assert better[0].difference > 0 > worse[0].difference
    assert better[0].explanations[0].hypothesis == good


def test_findings_hold_together():
    one = ["the cat runs .", "a dog saw the cat .", ""]
    two = ["the dog runs .", "a dog saw the cat .", "the"]
    result = compare(["maxsim", "chrf"], rows_of("one", one) + rows_of("two", two), sampling=FEW)
    [found] = result.with_examples(by="chrf", shown=1).comparisons
    assert [c.name for c in found.corpus] == ["maxsim", "chrf"]
    assert all(sum(wins) == 3 for wins in found.wins.values())
    for label, contrasts in found.lengths.items():
        assert sum(c.size for c in contrasts) == 3
        whole = next(c for c in found.corpus if c.name == label)
        assert contrasts[0].scores == whole.scores  # all have the same length
    assert found.example_metric == "chrf"
    numbers = [n for c in found.corpus for n in (*c.scores, c.difference, c.p, c.adjusted)]
    assert all(math.isfinite(number) for number in numbers)
    assert "|ar:50|bs:50|" in found.signature("chrf")
    with pytest.raises(UsageError, match="one of the metrics"):
        result.with_examples(by="bleu")


def test_a_foreign_text_has_no_word_classes():
    text = "Il pleut des cordes et nous avons pas de parapluie pour les enfants"
    rows = [Row(text, (text,), system=name, item="1") for name in ("one", "two")]
    [found] = compare("chrf", rows, sampling=FEW).comparisons
    assert found.classes == []
    assert found.remarks[-1] == "word classes are left out: the text is not English"
    assert found.examples == ([], [])


def test_a_paired_bootstrap_is_named():
    rows = rows_of("one", ["the cat runs .", "a", "b"]) + rows_of("two", ["a", "the cat .", "c"])
    result = compare("chrf", rows, sampling=Sampling(resamples=50, test="bootstrap"))
    assert "p: paired bootstrap, two-sided" in str(result)
    assert any("|paired-bs:50|bs:50|" in note for note in result.notes())
    assert result.to_dict()["corpus"][0]["difference"]["comparison"]["test"] == "bootstrap"


def test_a_pair_knows_its_documents_only_if_all_are_known():
    rows = [Row("a", doc="x"), Row("b")]
    assert TwoSystems(("one", "two"), rows, rows).docs is None
    assert TwoSystems(("one", "two"), rows[:1], rows[:1]).docs == ["x"]
