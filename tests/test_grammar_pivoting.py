"""Paraphrase grammars by pivoting, and pruning, against loops over rules."""

from __future__ import annotations

import math
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import pivot_grammar, prune_grammar
from otherwords.errors import InputError, UsageError
from tests.oracles.rule import Nonterminal, Rule, parse_rule, rules_of
from tests.test_grammar_overlap import collapsed, grammar

PROBABILITIES = ("e_given_f_phrase", "f_given_e_phrase")


@st.composite
def bilingual(draw):
    """Rules with one label, so that nonterminals can be numbered in either way."""
    slots = [
        Nonterminal(draw(st.sampled_from("AB")), k + 1) for k in range(draw(st.integers(0, 2)))
    ]
    foreign, english = (
        tuple(draw(st.permutations([*slots, *draw(st.lists(st.sampled_from(words), max_size=1))])))
        for words in ("fg", ("d", "été", "&#91;"))
    )
    costs = {name: draw(st.sampled_from([0.0, 0.5, 1.25])) for name in PROBABILITIES}
    return Rule(draw(st.sampled_from("XY")), foreign or ("f",), english or ("e",), costs)


def renumber(side, order):
    return tuple(
        Nonterminal(s.label, order.index(s.index) + 1) if isinstance(s, Nonterminal) else s
        for s in side
    )


def indices(side):
    return [s.index for s in side if isinstance(s, Nonterminal)]


def brute_pivot(rules, foreign):
    """All pairs of rules, their nonterminals joined through the foreign side."""
    sums = defaultdict(lambda: [0.0, 0.0, 0])
    steps = []
    for rule in rules:
        f, e = (rule.source, rule.target) if foreign == "source" else (rule.target, rule.source)
        backward, forward = (math.exp(-rule.features[name]) for name in PROBABILITIES)
        if foreign == "target":
            backward, forward = forward, backward
        order = indices(f)
        steps.append((rule.lhs, renumber(f, order), renumber(e, order), forward, backward))
    for lhs, f, e1, forward1, backward1 in steps:
        for lhs2, f2, e2, forward2, backward2 in steps:
            if (lhs, f) == (lhs2, f2):
                order = indices(e1)
                total = sums[lhs, renumber(e1, order), renumber(e2, order)]
                total[0] += forward1 * backward2
                total[1] += forward2 * backward1
                total[2] += 1
    return sums


def numbered(rule):
    """The rule with its nonterminals in the order of its source side."""
    order = indices(rule.source)
    return rule.lhs, renumber(rule.source, order), renumber(rule.target, order)


@settings(max_examples=40)
@given(
    st.lists(bilingual(), max_size=8, unique_by=numbered),
    st.booleans(),
)
def test_pivoting_is_that_of_all_pairs(tmp_path_factory, rules, is_source):
    folder = tmp_path_factory.mktemp("pivot")
    foreign = "source" if is_source else "target"
    wanted = brute_pivot(rules, foreign)
    if not rules:
        return
    with DuckEngine() as engine:
        found = pivot_grammar(
            grammar(folder, "g", rules), folder / "p.parquet", engine=engine, foreign=foreign
        )
    rows = {(rule.lhs, rule.source, rule.target): rule.features for rule in rules_of(found)}
    assert rows.keys() == wanted.keys()
    for key, (target, source, pivots) in wanted.items():
        assert rows[key]["pivots"] == pivots
        assert rows[key]["e_given_f_phrase"] == pytest.approx(-math.log(min(target, 1)), abs=1e-9)
        assert rows[key]["f_given_e_phrase"] == pytest.approx(-math.log(min(source, 1)), abs=1e-9)
        words, characters = zip(*map(lengths, key[1:]), strict=True)
        assert rows[key]["word_difference"] == words[1] - words[0]
        assert rows[key]["character_difference"] == characters[1] - characters[0]


def lengths(side):
    """Words, and characters as Thrax counts them: of words, and one space between symbols."""
    words = [symbol for symbol in side if not isinstance(symbol, Nonterminal)]
    return len(words), len("".join(words)) + len(side) - 1


def test_pivoting_matches_nonterminals(tmp_path):
    costs = "e_given_f_phrase=0 f_given_e_phrase=0"
    rules = [
        f"[NP] ||| le [NN,1] de [NP,2] ||| the [NN,1] of [NP,2] ||| {costs}",
        f"[NP] ||| le [NN,1] de [NP,2] ||| [NP,2] 's [NN,1] ||| {costs}",
    ]
    with DuckEngine() as engine:
        found = pivot_grammar(
            grammar(tmp_path, "g", rules), tmp_path / "p", engine=engine, identity=False
        )
    assert [" ||| ".join(line.split(" ||| ")[:3]) for line in found.lines()] == [
        "[NP] ||| [NP,1] 's [NN,2] ||| the [NN,2] of [NP,1]",
        "[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1]",
    ]


@settings(max_examples=40)
@given(
    st.lists(bilingual(), min_size=1, max_size=12),
    st.none() | st.integers(1, 2),
    st.none() | st.integers(1, 2),
    st.booleans(),
)
def test_pruning_is_that_of_loops(tmp_path_factory, rules, labels, top, descending):
    folder = tmp_path_factory.mktemp("prune")
    sign = -1 if descending else 1
    kept = [rule for rule in rules if rule.features["f_given_e_phrase"] <= 1]
    for number, group in ((labels, lambda r: collapsed(r)), (top, lambda r: r.source)):
        ranked = sorted(kept, key=lambda r: sign * r.features["e_given_f_phrase"])
        seen = defaultdict(int)
        chosen = set()
        for rule in ranked:
            key = group(rule)
            key = (key.source, key.target) if isinstance(key, Rule) else key
            seen[key] += 1
            if number is None or seen[key] <= number:
                chosen.add(id(rule))
        kept = [rule for rule in kept if id(rule) in chosen]
    with DuckEngine() as engine:
        found = prune_grammar(
            grammar(folder, "g", rules),
            folder / "p.parquet",
            engine=engine,
            at_most={"f_given_e_phrase": 1},
            labels=labels,
            top=top,
            rank_by="e_given_f_phrase",
            descending=descending,
        )
    assert rules_of(found) == kept


def test_mistakes_are_reported(tmp_path):
    one = grammar(tmp_path, "g", [parse_rule("[X] ||| a ||| b ||| p=1")])
    with DuckEngine() as engine:
        with pytest.raises(InputError, match="e_given_f_phrase"):
            pivot_grammar(one, tmp_path / "p", engine=engine)
        with pytest.raises(UsageError, match="side"):
            pivot_grammar(one, tmp_path / "p", engine=engine, foreign="left")
        with pytest.raises(UsageError, match="rank by"):
            prune_grammar(one, tmp_path / "p", engine=engine, top=1)
        with pytest.raises(InputError, match="no feature"):
            prune_grammar(one, tmp_path / "p", engine=engine, at_least={"q": 1})
        for cost in (-0.5, -800):
            text = f"[X] ||| a ||| b ||| e_given_f_phrase=0 f_given_e_phrase={cost}"
            with pytest.raises(InputError, match="negative logarithm"):
                pivot_grammar(
                    grammar(tmp_path, "n", [parse_rule(text)]), tmp_path / "p", engine=engine
                )
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize("foreign", ["source", "target"])
def test_a_rule_that_is_there_twice(tmp_path, foreign):
    costs = "e_given_f_phrase=0.5 f_given_e_phrase=0.5"
    rules = [parse_rule(f"[X] ||| {one} ||| {costs}") for one in ("c ||| cat", "c ||| feline")]
    again = parse_rule(f"[X] ||| c ||| feline ||| {costs.replace('5', '7')}")
    with DuckEngine() as engine:
        pivot_grammar(grammar(tmp_path, "g", rules), tmp_path / "p", engine=engine, foreign=foreign)
        side = "feline" if foreign == "source" else "c"
        with pytest.raises(InputError, match=f"side '{side}' is there twice"):
            pivot_grammar(
                grammar(tmp_path, "n", [*rules, again]),
                tmp_path / "q",
                engine=engine,
                foreign=foreign,
            )
    assert not (tmp_path / "q").exists()
