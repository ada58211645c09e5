"""The index of a grammar on disk: the rules of a pair, and the verdicts of the parser."""

from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.grammar import (
    GrammarIndex,
    Nonterminal,
    Rule,
    SyncParser,
    read_grammar,
    read_rules,
)
from otherwords.errors import DamagedModelError, InputError, ModelError, UsageError
from otherwords.models import container
from tests.oracles import sync as oracle
from tests.oracles.fits import fits
from tests.test_sync_parser import LONGEST, every_pair, random_rule

words = st.lists(st.sampled_from("abc"), max_size=5)


def built(rules, **options):
    """An index that is on disk, whose folder is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        return GrammarIndex.build(rules, Path(folder) / "g.owm", **options)


@settings(max_examples=60)
@given(st.lists(random_rule(), max_size=8), words, words)
def test_a_pair_loads_the_rules_that_fit(rules, source, target):
    wanted = [number for number, rule in enumerate(rules) if fits(rule, source, target)]
    index = built(rules)
    assert index.usable(source, target) == wanted
    assert GrammarIndex.of(rules).usable(source, target) == wanted


@settings(max_examples=40)
@given(st.lists(random_rule(), max_size=6), st.booleans(), st.booleans())
def test_verdicts_are_those_of_brute_force(rules, glue, identity):
    free = [Rule("X", (word,), (word,)) for word in "ab"] if identity else []
    language = oracle.language([*rules, *free], LONGEST - 1)
    wanted = oracle.glued(language, LONGEST - 1) if glue else language.get("X", set())
    pairs = every_pair()
    parser = SyncParser(built(rules), glue=glue, goal="X", identity=identity)
    found = parser.parse(*zip(*pairs, strict=True))
    accepted = {p for p, parse in zip(pairs, found, strict=True) if parse.verdict == "accepted"}
    assert accepted == wanted
    # The steps are equal too: what is at a limit does not depend on where the grammar is.
    in_memory = SyncParser(rules, glue=glue, goal="X", identity=identity)
    assert found == in_memory.parse(*zip(*pairs, strict=True))


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
    index = built(rules)
    assert [index.rule(number) for number in range(index.size)] == list(map(renumbered, rules))


def test_counts_are_reported():
    rules = [
        "[A] ||| a ||| a",
        "[B] ||| a b ||| a",
        "[A] ||| [C,1] a ||| [C,1] a",
        "[X] ||| d ||| e",
    ]
    reported = built(rules).provenance
    assert reported["rules"] == 4
    assert reported["left-hand sides"] == 3
    assert (reported["lexical"], reported["phrasal"], reported["syntactic"]) == (2, 1, 1)
    assert reported["identical sides"] == 2
    assert reported["words"] == 4


def test_the_same_rules_give_the_same_bytes(tmp_path):
    rules = [f"[X] ||| a{k % 7} [X,1] b{k % 5} ||| c{k % 3} [X,1]" for k in range(200)]
    (tmp_path / "g").write_text("".join(f"{rule} ||| {k}\n" for k, rule in enumerate(rules)))
    grammar = read_grammar(tmp_path / "g", tmp_path / "g.parquet")
    one = GrammarIndex.build(rules, tmp_path / "one.owm")
    two = GrammarIndex.build(grammar, tmp_path / "two.owm")
    three = GrammarIndex.build(tmp_path / "g", tmp_path / "three.owm")
    four = GrammarIndex.build(tmp_path / "g.parquet", tmp_path / "four.owm")
    assert one.digest == two.digest == three.digest == four.digest
    assert two.provenance["grammar"] == four.provenance["grammar"] == grammar.digest
    assert container.verify(tmp_path / "two.owm").kind == "grammar-index"


def test_text_is_read_a_stretch_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("otherwords.build.grammar.index.STRETCH", 7)
    lines = [f"[X] ||| wörd{k} ||| {'v' * k} x" for k in range(20)]
    with gzip.open(tmp_path / "g.gz", "wb") as file:
        file.write(("\ufeff" + "\r\n\r\n".join(lines)).encode())
    index = GrammarIndex.build(tmp_path / "g.gz", tmp_path / "g.owm")
    assert [str(index.rule(k)) for k in range(index.size)] == [
        " ".join(line.split()) for line in lines
    ]
    for bad, place in (
        (b"\n\n[X] ||| a\n", ":3: "),
        (b"\n[X] ||| \xff ||| b", ":2:9: "),
        (b"\0", ":1:1: "),
    ):
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises(InputError, match=place):
            GrammarIndex.build(tmp_path / "bad", tmp_path / "bad.owm")
    with pytest.raises(InputError, match="no such file"):
        GrammarIndex.of(tmp_path / "nowhere")


def test_no_rules_and_no_words(tmp_path):
    empty = GrammarIndex.build([], tmp_path / "g.owm")
    assert empty.size == 0
    assert empty.usable("a", "b") == []
    assert SyncParser(empty, identity=True).parse(["a"], ["a"])[0].verdict == "accepted"
    abstract = GrammarIndex.build(["[X] ||| [X,1] [X,2] ||| [X,2] [X,1]"], tmp_path / "h.owm")
    assert abstract.usable("a b", "b a") == [0]
    assert abstract.usable("a b", "a") == abstract.usable("", "") == []
    parser = SyncParser(abstract, identity=True, glue=False, goal="X")
    assert parser.parse(["a b"], ["b a"])[0].verdict == "accepted"
    assert parser.parse([""], [""])[0].verdict == "rejected"


def test_unary_cycles_end_from_disk():
    rules = ["[A] ||| [B,1] ||| [B,1] x", "[B] ||| [A,1] ||| [A,1]", "[A] ||| a ||| b"]
    parser = SyncParser(built(rules), glue=False, goal="A")
    assert parser.parse(["a"], ["b" + " x" * 40])[0].verdict == "accepted"
    assert parser.parse(["a"], ["x b"])[0].verdict == "rejected"


@pytest.mark.parametrize("length", [62, 63, 64, 127, 128, 256, 1023])
def test_places_of_long_sentences(length):
    index = GrammarIndex.of(["[X] ||| y [X,1] z ||| z [X,1]", "[X] ||| w z ||| z"])
    source = ["y", *["w"] * (length - 2), "z"]
    assert index.usable(source, ["z", *["w"] * (length - 1)]) == [0, 1]
    assert index.usable(source, ["w"] * (length - 1) + ["z"]) == [1]
    assert index.usable([*source[1:], "y"], ["z", "w"]) == [1]


def test_mistakes_are_reported(tmp_path):
    with pytest.raises(InputError, match=r"rule 2: .*three fields"):
        GrammarIndex.build(["[X] ||| a ||| b", "[X] ||| a"], tmp_path / "g.owm")
    assert not (tmp_path / "g.owm").exists()
    with pytest.raises(InputError, match="65,535"):
        GrammarIndex.of([f"[X] ||| {'a ' * 65_536}||| b"])
    with pytest.raises(InputError, match="temporary"):
        GrammarIndex.build([], tmp_path / "g.owm", temporary=tmp_path / "nowhere")
    with pytest.raises(InputError, match="nowhere"):
        GrammarIndex.build([], tmp_path / "nowhere" / "g.owm")
    index = GrammarIndex.build(["[X] ||| a ||| b"], tmp_path / "g.owm")
    with pytest.raises(UsageError, match="no rule 1"):
        index.rule(1)
    with pytest.raises(ModelError, match="looks like"):
        GrammarIndex.open(Path(__file__))
    container.write(tmp_path / "other.owm", "lexicon", {}, {})
    with pytest.raises(ModelError, match="lexicon"):
        GrammarIndex.open(tmp_path / "other.owm")


@settings(max_examples=150)
@given(st.data())
def test_damaged_arrays_never_crash(data):
    """Files too large to be checked on opening may hold anything."""
    rules = ["[X] ||| a [X,1] ||| [X,1] b", "[X] ||| [X,1] ||| [X,1]", "[Y] ||| a ||| b"]
    model = GrammarIndex.of(rules).model
    arrays = {name: array.copy() for name, array in model.arrays.items()}
    name = data.draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    place = data.draw(st.integers(0, len(array) - 1))
    low = np.iinfo(array.dtype).min
    array[place] = data.draw(
        st.one_of(st.integers(0, 9), st.just(np.iinfo(array.dtype).max), st.just(low))
    )
    if data.draw(st.booleans()):
        arrays[name] = array[: data.draw(st.integers(0, len(array)))]
    damaged = container.Model(model.path, model.kind, "", {}, arrays)
    try:
        parser = SyncParser(GrammarIndex(damaged), identity=True, max_steps=10_000)
        parser.parse(["a a", "b"], ["a b", "b"])
        parser.derive("a a", "a b")
        for number in range(parser.size):
            parser.index.rule(number)
    except DamagedModelError:
        pass


@pytest.mark.data
def test_verdicts_are_those_of_cdec(shared, tmp_path):
    with gzip.open(shared / "grammar" / "cdec-sync-40.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    # All pairs from one index: each must find at least what it finds in its own grammar.
    together = SyncParser(
        GrammarIndex.build((rule for row in rows for rule in row["rules"]), tmp_path / "all.owm"),
        identity=True,
    )
    for row in rows:
        own = GrammarIndex.build(row["rules"], tmp_path / "g.owm")
        pair = [row["source"]], [row["target"]]
        found = SyncParser(own, identity=True).parse(*pair)
        assert found == SyncParser(row["rules"], identity=True).parse(*pair)
        assert (found[0].verdict == "accepted") == row["reachable"]
        assert not row["reachable"] or together.parse(*pair)[0].verdict == "accepted"


@pytest.mark.data
@pytest.mark.parametrize("name", ["bn-en-hiero", "bn-en-samt"])
def test_a_real_grammar_from_disk(shared, tmp_path, name):
    path = shared / "grammar" / f"{name}.joshua.gz"
    grammar = path if name == "bn-en-samt" else read_grammar(path, tmp_path / "g.parquet")
    index = GrammarIndex.build(grammar, tmp_path / "g.owm", temporary=tmp_path)
    in_memory = GrammarIndex.of(grammar)
    assert index.size == in_memory.size == {"bn-en-hiero": 15_917, "bn-en-samt": 168_939}[name]
    rules = [rule for rule, _ in zip(read_rules(path), range(1500), strict=False)]
    phrases = [rule for rule in rules if not rule.arity]
    sides = [
        [[w for rule in phrases[k : k + 3] for w in oracle.sides(rule)[side]] for side in range(2)]
        for k in range(0, min(len(phrases), 90), 9)
    ]
    sources, targets = ([pair[side] for pair in sides] for side in range(2))
    for options in ({"glue": True}, {"glue": False, "goal": "X", "identity": True}):
        on_disk = SyncParser(index, **options).parse(sources, targets)
        assert on_disk == SyncParser(in_memory, **options).parse(sources, targets)
        assert on_disk == SyncParser(index, **options).parse(sources, targets, threads=3)
    for source, target in sides[:2]:
        usable = set(index.usable(source, target))
        assert {k for k, rule in enumerate(rules) if fits(rule, source, target)} == {
            k for k in usable if k < len(rules)
        }
