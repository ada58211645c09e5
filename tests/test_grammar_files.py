"""Rules and grammars as text and as Parquet: what is read is what was written."""

from __future__ import annotations

import gzip
import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.build.grammar import Grammar, read_grammar
from otherwords.build.grammar import table as module
from otherwords.build.grammar.table import grammar_of
from otherwords.errors import InputError
from tests.oracles.rule import Nonterminal, Rule, rules_of, write_rules

PPDB = (
    "[NP/VP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1] ||| PPDB2.0Score=3.5 p(e|f)=0.25 "
    "Lex(f|e)=-1e-05 ||| 1-2 ||| ForwardEntailment"
)

words = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).filter(
    lambda word: not set(word) & set(" \t") and "&#" not in word
)
labels = st.sampled_from(["X", "NP", "NP/VP", "S\\NP", "A+B+C", "COMMA", "$", "``", "-LRB-"])
numbers = st.floats(allow_nan=False, allow_infinity=False)
names = st.sampled_from(["count", "p(e|f)", "PPDB2.0Score", "a=b"])


@st.composite
def rules(draw):
    nonterminals = [Nonterminal(draw(labels), k + 1) for k in range(draw(st.integers(0, 3)))]
    looks = st.sampled_from(["|||", "[X,1]", "[X]", "&#91;X", "&#124;", "[NP,12]", "=", "="])
    sides = []
    for _ in range(2):
        symbols = [*nonterminals, *draw(st.lists(words | looks, min_size=1, max_size=3))]
        sides.append(tuple(draw(st.permutations(symbols))))
    named = draw(st.dictionaries(names, numbers, max_size=3))
    unnamed = {str(k): value for k, value in enumerate(draw(st.lists(numbers, max_size=3)))}
    links = draw(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=3))
    relation = draw(st.none() | st.sampled_from(["Equivalence", "OtherRelated"]))
    return Rule(
        draw(labels), *sides, draw(st.sampled_from([named, unnamed])), tuple(links), relation
    )


@given(st.lists(rules(), max_size=8))
def test_a_grammar_is_what_its_lines_say(tmp_path_factory, wanted):
    folder = tmp_path_factory.mktemp("grammar")
    write_rules(wanted, folder / "g.gz")
    grammar = read_grammar(folder / "g.gz", folder / "g.parquet")
    assert grammar.rows == len(wanted)
    assert grammar == Grammar.open(folder / "g.parquet")
    assert rules_of(grammar) == wanted


def test_a_line_of_ppdb(tmp_path):
    (tmp_path / "g").write_text(f"{PPDB}\n")
    [rule] = rules_of(read_grammar(tmp_path / "g", tmp_path / "g.parquet"))
    assert rule.lhs == "NP/VP"
    assert rule.source == ("the", Nonterminal("NN", 1), "of", Nonterminal("NP", 2))
    assert rule.target == (Nonterminal("NP", 2), "'s", Nonterminal("NN", 1))
    assert rule.features == {"PPDB2.0Score": 3.5, "p(e|f)": 0.25, "Lex(f|e)": -1e-05}
    assert rule.alignment == ((1, 2),)
    assert rule.relation == "ForwardEntailment"
    assert str(rule) == PPDB


def test_types_after_figure_2(tmp_path):
    sides = ["some ||| some people", "step down ||| resign", "want [VP,1] ||| [VP,1]"]
    (tmp_path / "g").write_text("".join(f"[X] ||| {both}\n" for both in sides))
    [batch] = read_grammar(tmp_path / "g", tmp_path / "g.parquet").batches()
    assert module.rule_types(batch).to_pylist() == ["lexical", "phrasal", "syntactic"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[X] ||| a", "3 to 6 fields"),
        ("X ||| a ||| b ||| 1", "left-hand side"),
        ("[X] ||| ||| b ||| 1", "empty"),
        ("[X] ||| [X,1] ||| b ||| 1", "same nonterminals"),
        ("[X] ||| [X,1] ||| [Y,1] ||| 1", "same nonterminals"),
        ("[X] ||| [X,1] [X,1] ||| [X,1] ||| 1", "twice"),
        ("[X] ||| a ||| b ||| p=x", "not a feature"),
        ("[X] ||| a ||| b ||| =1", "not a feature"),
        ("[X] ||| a ||| b ||| nan", "not a feature"),
        ("[X] ||| a ||| b ||| p=inf", "not a feature"),
        ("[X] ||| a ||| b ||| 1 ||| 0:0", "not a link"),
        ("[X] ||| a ||| b ||| 1 ||| 0-0 ||| Equivalence ||| more", "3 to 6 fields"),
    ],
)
def test_bad_lines_are_reported_with_their_place(tmp_path, line, reason):
    path = tmp_path / "bad.txt"
    path.write_text(f"[X] ||| a ||| b ||| 1\n\n{line}\n")
    with pytest.raises(InputError, match=reason) as error:
        read_grammar(path, tmp_path / "g")
    assert (error.value.path, error.value.line) == (str(path), 3)
    assert not (tmp_path / "g").exists()


def test_damaged_files_are_reported(tmp_path):
    (tmp_path / "g.gz").write_bytes(gzip.compress(f"{PPDB}\n".encode() * 99)[:-20])
    with pytest.raises(InputError, match="truncated"):
        read_grammar(tmp_path / "g.gz", tmp_path / "g.parquet")
    (tmp_path / "not.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError):
        grammar_of(tmp_path / "not.parquet", tmp_path)
    with pytest.raises(InputError, match="no such file"):
        grammar_of(tmp_path / "absent", tmp_path)


def test_rules_may_lack_features_of_others(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 2)
    lines = ["[X] ||| a ||| b ||| p=1", "[X] ||| a ||| c", "[X] ||| a ||| d ||| q=2 p=3"]
    (tmp_path / "g").write_text("\n".join(lines))
    grammar = read_grammar(tmp_path / "g", tmp_path / "g.parquet")
    assert grammar.features == ("p", "q")
    assert grammar.column("q") == "f1"
    with pytest.raises(InputError, match="no feature"):
        grammar.column("r")
    found = [dict(rule.features) for rule in rules_of(grammar)]
    assert found == [{"p": 1.0}, {}, {"p": 3.0, "q": 2.0}]


def test_standard_input_is_read(tmp_path, monkeypatch):
    class Input:
        buffer = io.BytesIO(f"{PPDB}\n".encode())

    monkeypatch.setattr(sys, "stdin", Input)
    assert list(grammar_of("-", tmp_path).lines()) == [PPDB]


@pytest.mark.data
@pytest.mark.parametrize(("name", "rows"), [("bn-en-hiero", 15_917), ("bn-en-samt", 168_939)])
def test_grammars_of_joshua_come_back_equal(shared, tmp_path, name, rows):
    path = shared / "grammar" / f"{name}.joshua.gz"
    grammar = read_grammar(path, tmp_path / "g.parquet")
    assert grammar.rows == rows
    with gzip.open(path, "rt", encoding="utf-8") as before:
        for old, new in zip(before, grammar.lines(), strict=True):
            *sides, features = old.strip().split(" ||| ")
            *found, values = new.split(" ||| ")
            assert found == sides
            assert [*map(float, values.split())] == [*map(float, features.split())]


@pytest.mark.data
def test_glue_grammars_of_joshua_are_read(shared, tmp_path):
    folder = shared / "grammar"
    rules = rules_of(read_grammar(folder / "bn-en-hiero.glue", tmp_path / "g.parquet"))
    assert [rule.lhs for rule in rules] == ["GOAL"] * 3
    assert rules[1].source == (Nonterminal("GOAL", 1), Nonterminal("X", 2))
    assert read_grammar(folder / "bn-en-samt.glue", tmp_path / "s.parquet").rows > 1000
