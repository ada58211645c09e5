"""ParaEval's clip of paraphrase sets (§3.3): a word of a set that matches itself, read two ways."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords.errors import UsageError
from otherwords.metrics.paraeval import ParaEvalF, ParaEvalPrecision
from otherwords.text.stemmer import stem
from tests.oracles import paraeval_sets as oracle
from tests.oracles.paraeval import Pairs, Pivots
from tests.paraeval_inputs import FIGURE_1, FIGURE_4, SET_OF_FIGURE_4, text, write


def paraeval_precision(hypothesis, references, **options):
    return otherwords.metric("paraeval-p", **options).score_one(hypothesis, references)


CAR = [["car", "automobile"]]
BOMB = [SET_OF_FIGURE_4]
PLAIN = {"tokenizer": "none", "min_probability": 0}
VOCABULARY = "a b c d ,".split()
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=6)
REFERENCES = st.lists(WORDS, min_size=1, max_size=3)
PHRASES = ["a", "b", "c", "d", "a b", "b c", "c d a", "a ,"]
SETS = st.lists(st.sets(st.sampled_from(PHRASES), min_size=2, max_size=4), min_size=1, max_size=3)


def as_pairs(sets):
    """Every two phrases of a set; only disjoint sets are the same thing as their pairs."""
    return Pairs({pair: 1.0 for one in sets for pair in permutations(one, 2)})


def as_pivots(sets):
    """One translation for each set."""
    table = {}
    for number, one in enumerate(sets):
        for phrase in one:
            table.setdefault(phrase, {})[f"f{number}"] = (0.5, 0.5)
    return Pivots({"zh": table})


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets") / "table.owm"
    return lambda relation: write(path, relation)


# Worked out by hand: candidate, references, sets, words found as `set` and as `word` read it.
READINGS = [
    # The set's clip is 1, so the second car finds nothing; as a word it is in the first reference.
    ("car car", ["a car", "an automobile"], CAR, 1, 2),
    ("car automobile", ["a car", "an automobile"], CAR, 1, 2),
    # One reference with both: the clip is 2.
    ("car automobile", ["a car", "an automobile or a car"], CAR, 2, 2),
    ("car car", ["a car", "an automobile or a car"], CAR, 2, 2),
    ("blown up blown up", ["bombing", "explosion"], BOMB, 2, 2),
    ("bombing bombing", ["a bombing", "an explosion"], BOMB, 1, 2),
    (*FIGURE_4, BOMB, 4, 4),
    (*FIGURE_4, [], 2, 2),
    (FIGURE_1[0].rstrip("."), [one.rstrip(".").lower() for one in FIGURE_1[1]], [], 2, 2),
    # Two sets that share a word are two phrases: one of the banks is of each.
    ("bank bank", ["shore", "lender"], [["bank", "shore"], ["bank", "lender"]], 2, 2),
    ("bank bank", ["bank", "lender"], [["bank", "shore"], ["bank", "lender"]], 1, 2),
    # Two translations that join the same phrases are one set.
    ("car car", ["a car", "an automobile"], CAR + CAR, 1, 2),
    # The words of a longer phrase are not phrases of the set: they are matched as words.
    ("blown up blown up", ["blown up", "explosion"], BOMB, 4, 4),
]


@pytest.mark.parametrize(("candidate", "references", "sets", "as_set", "as_word"), READINGS)
def test_both_readings_by_hand(table, candidate, references, sets, as_set, as_word):
    lists = candidate.split(), [one.split() for one in references]
    # Pivots know stems; disjoint sets are the same thing as their pairs.
    stems = [[" ".join(stem(phrase.split())) for phrase in one] for one in sets]
    relations = ([as_pivots(stems)] if sets else []) + ([as_pairs(sets)] if len(sets) == 1 else [])
    for identity, found in (("set", as_set), ("word", as_word)):
        assert oracle.matched(*lists, sets, identity) == found
        for path in map(table, relations) if relations else ["none"]:
            options = {"model": path, "identity": identity, "matching": "exact"}
            assert paraeval_precision(candidate, references, **options) == found / len(lists[0])


# Tier after tier, as §3.3 has it: words that paraphrases leave have their own clip.
TIERS = [
    ("car car", ["a car", "an automobile"], CAR, 1),
    ("car automobile", ["a car", "an automobile"], CAR, 2),
    ("automobile car", ["a car"], CAR, 1),  # the reference has one word for both
    ("car car", ["a car and an automobile"], CAR, 2),
    ("blown up blown up", ["bombing", "explosion"], BOMB, 2),
    ("bombing bombing", ["a bombing", "an explosion"], BOMB, 1),
    (*FIGURE_4, BOMB, 4),
]


@pytest.mark.parametrize(("candidate", "references", "sets", "found"), TIERS)
def test_words_that_are_left_have_their_own_clip(table, candidate, references, sets, found):
    path = table(as_pairs(sets))
    for several in permutations(references):
        expected = found / len(candidate.split())
        assert paraeval_precision(candidate, list(several), model=path) == expected


@st.composite
def disjoint_sets(draw):
    phrases = draw(st.permutations(PHRASES))
    cut = draw(st.integers(2, 6))
    return [one for one in (set(phrases[:cut]), set(phrases[cut:])) if len(one) > 1]


@settings(max_examples=400)
@given(WORDS, REFERENCES, disjoint_sets())
def test_default_equals_the_tiers_of_the_paper(table, candidate, references, sets):
    metric = ParaEvalPrecision(model=table(as_pivots(sets)), **PLAIN)
    row = metric.statistics([text(candidate)], [list(map(text, references))])[0]
    assert row[0] == oracle.in_tiers(candidate, references, sets)


FEW = st.lists(st.sampled_from("abc"), min_size=1, max_size=3)


@settings(max_examples=300)
@given(FEW, st.lists(FEW, min_size=2, max_size=3), SETS)
def test_references_in_any_order(table, candidate, references, sets):
    """Clips are maxima over references (§2.1, §3.3), so their order decides nothing."""
    metric = ParaEvalPrecision(model=table(as_pivots([*sets, {"a", "b", "c"}])), **PLAIN)
    several = [list(map(text, order)) for order in permutations(references)]
    rows = metric.statistics([text(candidate)] * len(several), several)
    assert len(set(rows[:, 0])) == 1


def test_a_choice_between_references_is_made_by_their_texts(table):
    """`auto` takes the car of `a car`, which is first in the alphabet; nothing is left for `car`.

    The other choice, `automobile`, would give 2/2: by the order given the score would be either.
    """
    path = table(as_pairs([["car", "automobile", "auto"]]))
    for references in (["a car", "an automobile"], ["an automobile", "a car"]):
        assert paraeval_precision("auto car", references, model=path) == 1 / 2


def test_default_is_the_set_and_the_signature_says_so(table):
    path = table(as_pairs(CAR))
    segment = ["car car"], [["a car", "an automobile"]]
    for name, version in (("paraeval-p", 3), ("paraeval-f", 2)):
        default, one, other = (
            otherwords.score(name, *segment, model=path, **options)
            for options in ({}, {"identity": "set"}, {"identity": "word"})
        )
        assert default.signature == one.signature != other.signature
        assert f"|v:{version}|" in default.signature
        assert "identity:word" in other.signature
        assert default.corpus == one.corpus < other.corpus
    with pytest.raises(UsageError, match="unknown identity 'sets'; did you mean 'set'"):
        otherwords.metric("paraeval-p", identity="sets")


@settings(max_examples=150)
@given(WORDS, REFERENCES, SETS, st.sampled_from(["set", "word"]))
def test_kernel_equals_the_sets_of_the_paper(table, candidate, references, sets, identity):
    """Sets that overlap as they like, each the phrases of one translation (§3.2)."""
    metric = ParaEvalPrecision(
        model=table(as_pivots(sets)), identity=identity, matching="exact", **PLAIN
    )
    row = metric.statistics([text(candidate)], [list(map(text, references))])[0]
    assert row[0] == oracle.matched(candidate, references, sets, identity)
    assert row[3] == 1


@settings(max_examples=100)
@given(WORDS, REFERENCES, st.permutations(VOCABULARY[:4]), st.sampled_from([1, 2]), st.booleans())
def test_set_reading_is_substitution(table, candidate, references, words, cut, paired):
    """Disjoint sets of words: one symbol for each set, then modified unigram precision."""
    sets = [words[: cut + 1], words[2:]] if cut == 1 else [words[:3]]
    relation = as_pairs(sets) if paired else as_pivots(sets)
    metric = ParaEvalPrecision(model=table(relation), matching="exact", **PLAIN)
    row = metric.statistics([text(candidate)], [list(map(text, references))])[0]
    assert row[0] == oracle.substituted(candidate, references, sets)
    assert row[0] == oracle.matched(candidate, references, sets, "set")


@settings(max_examples=80)
@given(WORDS, REFERENCES, SETS)
def test_set_reading_is_the_stricter_one(table, candidate, references, sets):
    """And the same with a single reference, where a set has no more matches than phrases."""
    path = table(as_pivots(sets))
    mine, theirs = text(candidate), list(map(text, references))
    for several in (theirs, theirs[:1]):
        found = [
            ParaEvalF(model=path, identity=identity, idf=0, **PLAIN).statistics([mine], [several])[
                0
            ]
            for identity in ("set", "word")
        ]
        assert found[0][0] <= found[1][0]
        assert found[0][3:5].tolist() == found[1][3:5].tolist()  # recall has one reference
        if len(several) == 1:
            assert found[0].tolist() == found[1].tolist()
