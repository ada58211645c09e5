"""The evalb scorer: by hand, against a plain oracle, and its settings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.build.trees.tree import ROOTS, Tree, parse_tree
from otherwords.errors import InputError
from tests.oracles import trees as oracle

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from evalb import PUNCTUATION, Counts, Settings, score_tree

GOLD = parse_tree(
    "(ROOT (S (NP-SBJ (PRP I)) (VP (VBD gave) (PRT (RP up)) (PP (IN with) (NP (NN tea)))) (. .)))"
)
GUESS = parse_tree(
    "(ROOT (S (NP (PRP I)) (VP (VBD gave) (ADVP (RB up) (PP (IN with) (NP (NN tea))))) (. .)))"
)


def test_brackets_are_counted_by_hand():
    # gold: S NP VP ADVP(2,3) PP NP; guess: S NP VP ADVP(2,5) PP NP. The full stop is out.
    counts = score_tree(GOLD, GUESS)
    assert (counts.matched, counts.gold, counts.guessed) == (5, 6, 6)
    assert (counts.tags, counts.words) == (4, 5)
    assert (counts.exact, counts.crossing) == (0, 0)
    assert counts.f1 == pytest.approx(10 / 12)


def test_punctuation_that_counts_changes_spans_and_tags():
    counts = score_tree(GOLD, GUESS, Settings(punctuation=frozenset()))
    assert (counts.matched, counts.tags, counts.words) == (5, 5, 6)
    moved = parse_tree("(ROOT (S (NP (PRP I)) (VP (VBD go) (. .))))")
    plain = parse_tree("(ROOT (S (NP (PRP I)) (VP (VBD go)) (. .)))")
    assert score_tree(plain, moved).exact == 1
    assert score_tree(plain, moved, Settings(punctuation=frozenset())).matched == 2


def test_equal_labels_and_functions_are_settings():
    particle = parse_tree("(VP (VB go) (PRT (RP on)))")
    adverb = parse_tree("(VP (VB go) (ADVP (RP on)))")
    assert score_tree(particle, adverb).matched == 2
    assert score_tree(particle, adverb, Settings(equal={})).matched == 1
    subject = parse_tree("(NP-SBJ (NN tea))")
    assert score_tree(subject, parse_tree("(NP (NN tea))")).exact == 1
    assert score_tree(subject, parse_tree("(NP (NN tea))"), Settings(functions=True)).exact == 0


def test_two_brackets_alike_count_twice():
    gold = parse_tree("(NP (NP (NN tea)))")
    assert score_tree(gold, parse_tree("(NP (NN tea))")).matched == 1
    assert score_tree(gold, gold).matched == 2


def test_crossing_brackets():
    gold = parse_tree("(S (X (A a) (B b)) (C c))")
    assert score_tree(gold, parse_tree("(S (A a) (X (B b) (C c)))")).crossing == 1


@pytest.mark.parametrize(
    ("guess", "message"),
    [("(NP (NN tea) (NN cup))", "1 words and the parse 2"), ("(NP (NN cup))", "word 1")],
)
def test_parses_of_other_words_are_refused(guess, message):
    with pytest.raises(InputError, match=message):
        score_tree(parse_tree("(NP (NN tea))"), parse_tree(guess))


def test_nothing_scores_zero_and_not_nan():
    empty = Counts()
    values = (empty.precision, empty.recall, empty.f1, empty.tag_accuracy, empty.exact_match)
    assert values == (0.0,) * 5
    assert score_tree(Tree("ROOT"), Tree("ROOT")).exact == 1


TAGS = st.sampled_from(["NN", "VB", ",", ".", "``"])
LABELS = st.sampled_from(["S", "NP", "PRT", "ADVP", "ROOT"])


@st.composite
def two_trees(draw):
    """Two trees over the same words."""
    tags = draw(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=7))

    def tree(which):
        nodes = [Tree(pair[which], (), f"w{i}") for i, pair in enumerate(tags)]
        for _ in range(draw(st.integers(0, 6))):
            begin = draw(st.integers(0, len(nodes) - 1))
            end = draw(st.integers(begin + 1, len(nodes)))
            nodes[begin:end] = [Tree(draw(LABELS), nodes[begin:end])]
        return Tree("ROOT", nodes)

    return tree(0), tree(1)


@given(two_trees())
def test_counts_are_those_of_the_oracle(pair):
    gold, guess = pair
    equal = {"PRT": "ADVP"}
    counts = score_tree(gold, guess)
    nested = [oracle.read(str(tree))[0] for tree in pair]
    expected = oracle.score(*nested, PUNCTUATION, ROOTS, equal)
    assert (counts.matched, counts.gold, counts.guessed) == expected


@given(two_trees())
def test_swapping_swaps_precision_and_recall_of_plain_settings(pair):
    settings = Settings(punctuation=frozenset())
    one, other = score_tree(*pair, settings), score_tree(*reversed(pair), settings)
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert score_tree(pair[0], pair[0]).exact == 1


def test_traces_do_not_count():
    gold = parse_tree(
        "(S (NP-SBJ-1 (DT The) (NN cat)) (VP (VBZ tries) (S (NP (-NONE- *-1)) (VP (TO to)))))"
    )
    guess = parse_tree("(S (NP (DT The) (NN cat)) (VP (VBZ tries) (S (VP (TO to)))))")
    assert score_tree(gold, guess).f1 == 1
    assert score_tree(gold, guess).words == 4


def test_equal_labels_are_classes():
    for equal in ({"PRT": "ADVP", "ADVP": "PRT"}, {"PRT": "X", "X": "ADVP"}):
        settings = Settings(equal=equal)
        assert settings.label("PRT") == settings.label("ADVP")
        assert settings.label("NP") == "NP"
