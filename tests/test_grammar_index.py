"""The index of a grammar: the rules of a pair, and the verdicts of the parser."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.grammar import SyncParser, read_grammar
from otherwords.build.grammar.index import GrammarIndex
from otherwords.errors import InputError, UsageError
from tests.oracles import sync as oracle
from tests.oracles.fits import fits
from tests.oracles.rule import Nonterminal, Rule, read_rules
from tests.test_sync_parser import LONGEST, every_pair, random_rule

words = st.lists(st.sampled_from("abc"), max_size=5)


@settings(max_examples=60)
@given(st.lists(random_rule(), max_size=8), words, words)
def test_a_pair_loads_the_rules_that_fit(rules, source, target):
    wanted = [number for number, rule in enumerate(rules) if fits(rule, source, target)]
    assert GrammarIndex.of(rules).usable(source, target) == wanted


@settings(max_examples=40)
@given(st.lists(random_rule(), max_size=6), st.booleans(), st.booleans())
def test_verdicts_are_those_of_brute_force(rules, glue, identity):
    free = [Rule("X", (word,), (word,)) for word in "ab"] if identity else []
    language = oracle.language([*rules, *free], LONGEST - 1)
    wanted = oracle.glued(language, LONGEST - 1) if glue else language.get("X", set())
    pairs = every_pair()
    parser = SyncParser(rules, glue=glue, goal="X", pass_through="all" if identity else "none")
    found = parser.parse(*zip(*pairs, strict=True))
    accepted = {p for p, parse in zip(pairs, found, strict=True) if parse.verdict == "accepted"}
    assert accepted == wanted


def renumbered(rule):
    """The rule with its nonterminals numbered by the source."""
    slots = [symbol.index for symbol in rule.source if isinstance(symbol, Nonterminal)]
    sides = (
        tuple(
            symbol
            if isinstance(symbol, str)
            else Nonterminal(symbol.label, slots.index(symbol.index) + 1)
            for symbol in side
        )
        for side in oracle.sides(rule)
    )
    return Rule(rule.lhs, *sides)


@settings(max_examples=50)
@given(st.lists(random_rule(), max_size=6))
def test_rules_come_back(rules):
    index = GrammarIndex.of(rules)
    found = [index.rule(number) for number in range(index.size)]
    assert found == [str(renumbered(rule)) for rule in rules]


def test_the_same_rules_give_the_same_arrays(tmp_path):
    rules = [f"[X] ||| a{k % 7} [X,1] b{k % 5} ||| c{k % 3} [X,1]" for k in range(200)]
    (tmp_path / "g").write_text("".join(f"{rule} ||| {k}\n" for k, rule in enumerate(rules)))
    grammar = read_grammar(tmp_path / "g", tmp_path / "g.parquet")
    sources = (rules, grammar, tmp_path / "g", str(tmp_path / "g.parquet"))
    first, *others = [GrammarIndex.of(source).arrays for source in sources]
    for arrays in others:
        assert arrays.keys() == first.keys()
        assert all(np.array_equal(arrays[name], first[name]) for name in first)


def test_text_is_read_a_stretch_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("otherwords.build.grammar.index.STRETCH", 7)
    lines = [f"[X] ||| wörd{k} ||| {'v' * k} x" for k in range(20)]
    with gzip.open(tmp_path / "g.gz", "wb") as file:
        file.write(("\ufeff" + "\r\n\r\n".join(lines)).encode())
    index = GrammarIndex.of(tmp_path / "g.gz")
    assert [index.rule(k) for k in range(index.size)] == [" ".join(line.split()) for line in lines]
    for bad, place in (
        (b"\n\n[X] ||| a\n", ":3: "),
        (b"\n[X] ||| \xff ||| b", ":2:9: "),
        (b"\0", ":1:1: "),
    ):
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises(InputError, match=place):
            GrammarIndex.of(tmp_path / "bad")
    with pytest.raises(InputError, match="no such file"):
        GrammarIndex.of(tmp_path / "nowhere")


def test_no_rules_and_no_words():
    empty = GrammarIndex.of([])
    assert empty.size == 0
    assert empty.usable("a", "b") == []
    assert SyncParser(empty, pass_through="all").parse(["a"], ["a"])[0].verdict == "accepted"
    abstract = GrammarIndex.of(["[X] ||| [X,1] [X,2] ||| [X,2] [X,1]"])
    assert abstract.usable("a b", "b a") == [0]
    assert abstract.usable("a b", "a") == abstract.usable("", "") == []
    parser = SyncParser(abstract, pass_through="all", glue=False, goal="X")
    assert parser.parse(["a b"], ["b a"])[0].verdict == "accepted"
    assert parser.parse([""], [""])[0].verdict == "rejected"


@pytest.mark.parametrize("length", [62, 63, 64, 127, 128, 256, 1023])
def test_places_of_long_sentences(length):
    index = GrammarIndex.of(["[X] ||| y [X,1] z ||| z [X,1]", "[X] ||| w z ||| z"])
    source = ["y", *["w"] * (length - 2), "z"]
    assert index.usable(source, ["z", *["w"] * (length - 1)]) == [0, 1]
    assert index.usable(source, ["w"] * (length - 1) + ["z"]) == [1]
    assert index.usable([*source[1:], "y"], ["z", "w"]) == [1]


def test_mistakes_are_reported():
    with pytest.raises(InputError, match=r"rule 2: .*three fields"):
        GrammarIndex.of(["[X] ||| a ||| b", "[X] ||| a"])
    with pytest.raises(InputError, match="65,535"):
        GrammarIndex.of([f"[X] ||| {'a ' * 65_536}||| b"])
    with pytest.raises(UsageError, match="no rule 1"):
        GrammarIndex.of(["[X] ||| a ||| b"]).rule(1)


@settings(max_examples=150)
@given(st.data())
def test_damaged_arrays_never_crash(data):
    """Arrays sent to workers pass through another program."""
    rules = ["[X] ||| a [X,1] ||| [X,1] b", "[X] ||| [X,1] ||| [X,1]", "[Y] ||| a ||| b"]
    arrays = {name: array.copy() for name, array in GrammarIndex.of(rules).arrays.items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    place = data.draw(st.integers(0, len(array) - 1))
    low = np.iinfo(array.dtype).min
    array[place] = data.draw(
        st.one_of(st.integers(0, 9), st.just(np.iinfo(array.dtype).max), st.just(low))
    )
    if data.draw(st.booleans()):
        arrays[name] = array[: data.draw(st.integers(0, len(array)))]
    with suppress(ValueError, RuntimeError, InputError):
        parser = SyncParser(GrammarIndex(arrays), pass_through="all", max_steps=10_000)
        parser.parse(["a a", "b"], ["a b", "b"])
        parser.derive("a a", "a b")
        for number in range(parser.size):
            parser.index.rule(number)


@pytest.mark.data
def test_verdicts_are_those_of_cdec(shared):
    with gzip.open(shared / "grammar" / "cdec-sync-40.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    # All pairs from one index: each must find at least what it finds in its own grammar.
    together = SyncParser((rule for row in rows for rule in row["rules"]), pass_through="all")
    for row in rows:
        pair = [row["source"]], [row["target"]]
        found = SyncParser(row["rules"], pass_through="all").parse(*pair)
        assert (found[0].verdict == "accepted") == row["reachable"]
        assert not row["reachable"] or together.parse(*pair)[0].verdict == "accepted"


@pytest.mark.data
@pytest.mark.parametrize("name", ["bn-en-hiero", "bn-en-samt"])
def test_a_real_grammar(shared, tmp_path, name):
    path = shared / "grammar" / f"{name}.joshua.gz"
    index = GrammarIndex.of(path)
    assert index.size == {"bn-en-hiero": 15_917, "bn-en-samt": 168_939}[name]
    rules = [rule for rule, _ in zip(read_rules(path), range(1500), strict=False)]
    phrases = [rule for rule in rules if not rule.arity]
    sides = [
        [[w for rule in phrases[k : k + 3] for w in oracle.sides(rule)[side]] for side in range(2)]
        for k in range(0, min(len(phrases), 90), 9)
    ]
    sources, targets = ([pair[side] for pair in sides] for side in range(2))
    for options in ({"glue": True}, {"glue": False, "goal": "X", "pass_through": "all"}):
        found = SyncParser(index, **options).parse(sources, targets)
        assert found == SyncParser(index, **options).parse(sources, targets, threads=3)
    for source, target in sides[:2]:
        usable = set(index.usable(source, target))
        assert {k for k, rule in enumerate(rules) if fits(rule, source, target)} == {
            k for k in usable if k < len(rules)
        }
