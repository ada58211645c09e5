"""Overlap of grammars against sets of rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import Matching, overlap, read_grammar, sweep
from otherwords.errors import InputError, UsageError
from tests.oracles.rule import Nonterminal, Rule, parse_rule, write_rules


def grammar(folder, name, rules):
    rules = [parse_rule(rule) if isinstance(rule, str) else rule for rule in rules]
    write_rules(rules, folder / f"{name}.txt")
    return read_grammar(folder / f"{name}.txt", folder / f"{name}.parquet")


def collapsed(rule):
    sides = (
        tuple(Nonterminal("X", s.index) if isinstance(s, Nonterminal) else s for s in side)
        for side in (rule.source, rule.target)
    )
    return Rule("X", *sides)


@st.composite
def random_rule(draw):
    slots = [
        Nonterminal(label, k + 1)
        for k, label in enumerate(draw(st.lists(st.sampled_from(["X", "NP", "A/B"]), max_size=2)))
    ]
    words = st.lists(st.sampled_from(["a", "[X]", "x[N,1]", "[N,1]"]), max_size=2)
    sides = []
    for _ in range(2):
        symbols = [*slots, *draw(words)] or ["a"]
        sides.append(tuple(draw(st.permutations(symbols))))
    count = float(draw(st.integers(1, 3)))
    return Rule(draw(st.sampled_from(["X", "NP"])), *sides, {"count": count})


@settings(max_examples=30)
@given(
    st.lists(random_rule(), max_size=12),
    st.lists(random_rule(), max_size=12),
    st.booleans(),
    st.integers(1, 2),
)
def test_overlap_is_that_of_sets(tmp_path_factory, ours, gold, strict, least):
    folder = tmp_path_factory.mktemp("overlap")
    grammars = grammar(folder, "ours", ours), grammar(folder, "gold", gold)

    def plain(rule):
        return Rule(rule.lhs, rule.source, rule.target) if strict else collapsed(rule)

    wanted = (
        {plain(rule) for rule in ours},
        {plain(rule) for rule in gold if rule.features["count"] >= least},
    )
    if least > 1 and not gold:
        return
    with DuckEngine() as engine:
        found = overlap(*grammars, engine=engine, matching=Matching(strict=strict), min_count=least)
    sets = (*wanted, wanted[0] & wanted[1])
    total = found.total
    assert [total.grammar, total.gold, total.common] == [len(one) for one in sets]
    for name, share in found.types.items():
        sizes = [sum(rule.type == name for rule in one) for one in sets]
        assert [share.grammar, share.gold, share.common] == sizes


def shares(folder, ours, gold, min_count=1, **matching):
    with DuckEngine() as engine:
        return overlap(
            grammar(folder, "ours", ours),
            grammar(folder, "gold", gold),
            engine=engine,
            matching=Matching(**matching),
            min_count=min_count,
        )


def test_the_examples_of_section_4(tmp_path):
    hiero = ["[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]"]
    syntax = ["[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1]"]
    assert shares(tmp_path, hiero, syntax).total.common == 0
    assert shares(tmp_path, hiero, syntax, strict=False).total.common == 1
    answers = ["[NN] ||| answer ||| reply", "[VB] ||| answer ||| reply"]
    assert shares(tmp_path, answers, answers).total.common == 2
    loose = shares(tmp_path, answers, answers, strict=False)
    assert (loose.total.common, loose.total.gold, loose.total.recall) == (1, 1, 1.0)


def test_categories_and_shares(tmp_path):
    rules = ["[DT] ||| some ||| some people", "[VP] ||| step down ||| resign", "[X] ||| a ||| b"]
    found = shares(tmp_path, rules, rules[:2])
    assert (found.types["lexical"].grammar, found.types["lexical"].common) == (2, 1)
    assert (found.types["phrasal"].gold, found.types["syntactic"].gold) == (1, 0)
    assert (found.total.precision, found.total.recall) == (2 / 3, 1.0)
    ppdb = shares(tmp_path, rules, rules, lexical="both")
    assert (ppdb.types["lexical"].gold, ppdb.types["phrasal"].gold) == (1, 2)
    empty = shares(tmp_path, [], [])
    assert (empty.total.precision, empty.total.recall) == (None, None)  # 0 of 0 rules


def test_parts_of_a_grammar(tmp_path):
    ours = ["[A] ||| a ||| b ||| p=3", "[B] ||| a ||| b ||| p=1", "[A] ||| c ||| d ||| p=2"]
    gold = ["[A] ||| a ||| b", "[C] ||| a ||| b"]
    files = grammar(tmp_path, "ours", ours), grammar(tmp_path, "gold", gold)
    with DuckEngine() as engine:
        parts = sweep(*files, "p", [0, 1, 2, 3], engine=engine)
        assert [(value, one.total.grammar, one.total.common) for value, one in parts] == [
            (0, 0, 0),
            (1, 1, 0),
            (2, 2, 0),
            (3, 3, 1),
        ]
        parts = sweep(
            *files, "p", [1, 3], engine=engine, matching=Matching(strict=False), above=True
        )
        assert [(one.total.grammar, one.total.common) for _, one in parts] == [(2, 1), (1, 1)]
        with pytest.raises(InputError, match="no feature 'q'"):
            sweep(*files, "q", [1], engine=engine)
        with pytest.raises(InputError, match="no feature 'count'"):
            overlap(*files, engine=engine, min_count=2)
        with pytest.raises(UsageError, match="lexical"):
            Matching(lexical="target")
