"""`otherwords extract grammar` from files to files."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from otherwords.build.grammar import Grammar
from tests.oracles.rule import parse_rule, rules_of
from tests.test_grammar_extraction import LINKS, PEOPLE, SOME, TREE


@pytest.fixture
def files(tmp_path):
    (tmp_path / "b.tsv").write_text(f"{' '.join(SOME)}\t{' '.join(PEOPLE)}\n")
    (tmp_path / "a.txt").write_text(" ".join(f"{i}-{j}" for i, j in sorted(LINKS)) + "\n")
    (tmp_path / "t.txt").write_text(TREE + "\n")
    return tmp_path


def command(folder, *more):
    given = ["--bitext", folder / "b.tsv", "--alignment", folder / "a.txt", "--tokenizer", "none"]
    return ["extract", "grammar", *given, *more]


def test_a_grammar_in_both_formats(files, ok):
    more = ["--kind", "samt", "--trees", files / "t.txt", "--tree-side", "left", "--no-identity"]
    lines = ok(*command(files, *more)).splitlines()
    rules = [parse_rule(line) for line in lines]
    assert any(
        str(rule).startswith("[S/VP] ||| [NNS,1] expect him to ||| [NNS,1] want") for rule in rules
    )
    assert not any(rule.source == rule.target for rule in rules)
    assert ok(*command(files, *more, "-o", files / "g.parquet")) == ""
    assert rules_of(Grammar.open(files / "g.parquet")) == rules
    assert ok(*command(files, *more, "-o", files / "g.gz")) == ""
    with gzip.open(files / "g.gz", "rt", encoding="utf-8") as packed:
        assert packed.read().splitlines() == lines


def test_labels_and_the_grammar_of_the_paper(files, ok, refused):
    trees = ["--trees", files / "t.txt", "--tree-side", "left"]
    slashed = ok(*command(files, *trees, "--labels", "constituent, slash"))
    assert "[S/VP] ||| [NNS,1] expect him to" in slashed
    assert "+" not in {letter for line in slashed.splitlines() for letter in line.split(" ||| ")[0]}
    named = ok(*command(files, *trees, "--kind", "syntax", "--labels", "slash,constituent"))
    assert named == slashed
    paper = ok(*command(files, *trees, "--kind", "paradigm"))
    assert set(_sides(paper)) < set(_sides(slashed))
    limits = ["--phrase-length", "10", "--no-adjacent"]
    assert ok(*command(files, *trees, "--labels", "constituent,slash", *limits)) == paper
    assert "one label X" in refused(*command(files, "--kind", "hiero", "--labels", "constituent"))
    assert "add constituent" in refused(*command(files, "--labels", "slash"))


def _sides(text):
    return [tuple(line.split(" ||| ")[:3]) for line in text.splitlines()]


@pytest.mark.parametrize("side", ["left", "right"])
def test_without_trees_the_english_is_parsed(files, ok, side):
    words = {"left": SOME, "right": PEOPLE}[side]
    (files / "words.txt").write_text(" ".join(words) + "\n")
    ok("parse", files / "words.txt", "--tokenizer", "none", "-o", files / "ours.txt")
    more = ["--kind", "samt", "--tree-side", side]
    ours = ok(*command(files, *more, "--trees", files / "ours.txt"))
    assert ok(*command(files, *more)) == ours
    assert "[VP]" in ours


def test_a_column_that_is_not_english_is_not_parsed(tmp_path, refused):
    english = "The old man went to the market and bought a loaf of bread."
    french = "Le vieil homme est allé au marché et il a acheté une miche de pain."
    (tmp_path / "b.tsv").write_text(f"{english}\t{french}\n" * 6, encoding="utf-8")
    (tmp_path / "a.txt").write_text("0-0\n" * 6)
    found = refused(*command(tmp_path, "--kind", "samt"))
    assert "b.tsv: the right column, which is to be parsed, does not look like English" in found


def test_a_few_names_are_no_other_language(tmp_path, ok):
    names = "Al Pacino visited Los Angeles with Dan ."
    (tmp_path / "b.tsv").write_text(f"{names}\t{names}\n")
    (tmp_path / "a.txt").write_text("0-0 1-1\n")
    assert "pacino" in ok(*command(tmp_path, "--kind", "samt"))


def test_limits_are_options(files, ok):
    rules = [parse_rule(line) for line in ok(*command(files, "--arity", "0")).splitlines()]
    assert {rule.arity for rule in rules} == {0}
    short = ok(*command(files, "--phrase-length", "1", "--min-count", "2"))
    assert [parse_rule(line).source for line in short.splitlines()] == [("him",), ("to",)]


def test_mistakes_are_reported(files, refused):
    piped = ["--bitext", "-", "--alignment", files / "a.txt", "--kind", "samt"]
    assert "name a file, or give trees" in refused("extract", "grammar", *piped)
    assert "uses no trees" in refused(*command(files, "--trees", files / "t.txt"))
    assert "-o" in refused(*command(files, "--format", "parquet"))
    samt = ["--kind", "samt", "--trees", files / "t.txt"]
    assert "t.txt:1: the tree has 'want'" in refused(*command(files, *samt))
    (files / "t.txt").write_text("(S (NN one))\n")
    assert "t.txt:1: the tree has 1 words" in refused(*command(files, *samt))
    (files / "t.txt").write_text("(S (NN one)\n")
    assert "t.txt:1: this tree is not closed" in refused(*command(files, *samt))
    (files / "t.txt").write_text("\n\n")
    assert "t.txt:2: there are more lines" in refused(*command(files, *samt))
    (files / "t.txt").write_text("")
    assert "t.txt:1: there are 0 lines" in refused(*command(files, *samt))
    (files / "a.txt").write_text("0-99\n")
    assert "a.txt:1" in refused(*command(files))


def test_a_sentence_may_have_no_tree(files, ok):
    (files / "t.txt").write_text("(())\n")
    more = ["--kind", "syntax", "--trees", files / "t.txt"]
    rules = [parse_rule(line) for line in ok(*command(files, *more)).splitlines()]
    assert {(rule.lhs, rule.arity) for rule in rules} == {("X", 0)}


def test_a_tree_may_be_a_word_with_its_tag(tmp_path, ok):
    (tmp_path / "b.tsv").write_text("Hund\tdog\n")
    (tmp_path / "a.txt").write_text("0-0\n")
    (tmp_path / "t.txt").write_text("(NN dog)\n")
    more = ["--kind", "syntax", "--trees", tmp_path / "t.txt"]
    (line,) = ok(*command(tmp_path, *more)).splitlines()
    assert line.startswith("[NN] ||| hund ||| dog |||")


@pytest.mark.data
def test_the_command_gives_thrax_grammar(shared, tmp_path, ok):
    with gzip.open(shared / "grammar" / "thrax-samt-60.input.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split(" ||| ") for line in lines]
    words = [" ".join(re.findall(r"([^\s()]+)\)", tree)) for _, tree, _ in rows]
    bitext = "".join(f"{row[0]}\t{right}\n" for row, right in zip(rows, words, strict=True))
    (tmp_path / "b.tsv").write_text(bitext)
    (tmp_path / "t.txt").write_text("".join(f"{tree}\n" for _, tree, _ in rows))
    (tmp_path / "a.txt").write_text("".join(f"{links}\n" for *_, links in rows))
    more = ["--kind", "samt", "--trees", tmp_path / "t.txt", "--case"]
    found = {tuple(line.split(" ||| ")[:3]) for line in ok(*command(tmp_path, *more)).splitlines()}
    with gzip.open(shared / "grammar" / "thrax-samt-60.rules.gz", "rt", encoding="utf-8") as lines:
        assert found == {tuple(line.split(" ||| ")[:3]) for line in lines}


RULES = [
    "[NP] ||| le [NN,1] ||| the [NN,1] ||| e_given_f_phrase=0 f_given_e_phrase=0 count=3",
    "[NP] ||| le [NN,1] ||| a [NN,1] ||| e_given_f_phrase=1 f_given_e_phrase=0 count=2",
    "[NN] ||| chat ||| cat ||| e_given_f_phrase=0.5 f_given_e_phrase=0 count=1",
]


@pytest.fixture
def rules(tmp_path):
    (tmp_path / "g.txt").write_text("".join(f"{rule}\n" for rule in RULES))
    return tmp_path / "g.txt"


def test_grammars_are_converted(rules, ok):
    parquet, text = rules.with_name("g.parquet"), rules.with_name("back.gz")
    assert ok("grammar", "convert", rules, "-o", parquet) == ""
    assert ok("grammar", "convert", parquet, "-o", text) == ""
    assert gzip.decompress(text.read_bytes()) == rules.read_bytes()
    assert ok("grammar", "convert", parquet).splitlines() == RULES


def test_grammars_are_described(rules, ok):
    document = json.loads(ok("grammar", "info", rules, "-f", "json"))
    assert document["rules"] == 3
    assert document["left-hand sides"] == 2
    assert document["types"] == {"lexical": 1, "phrasal": 0, "syntactic": 2}
    assert document["features"]["count"] == {"rules": 3, "min": 1.0, "max": 3.0}
    assert ok("grammar", "info", rules).splitlines()[1].split() == ["rules", "3"]
    rules.write_text("")
    assert json.loads(ok("grammar", "info", rules, "-f", "json"))["features"] == {}


def test_grammars_are_pruned(rules, ok):
    assert ok("grammar", "prune", rules, "--at-least", "count=2").splitlines() == RULES[:2]
    best = ok("grammar", "prune", rules, "--top", "1", "--rank-by", "count", "--descending")
    assert best.splitlines() == [RULES[0], RULES[2]]


def test_grammars_are_pivoted(rules, ok):
    lines = ok("grammar", "pivot", rules, "--no-identity").splitlines()
    assert [parse_rule(line).target[0] for line in lines] == ["the", "a"]
    found = parse_rule(lines[0]).features  # a -> the
    assert found == {
        "e_given_f_phrase": 0,
        "f_given_e_phrase": pytest.approx(1),
        "pivots": 1,
        "word_difference": 0,
        "character_difference": 2,
    }


def test_mistakes_of_grammar_commands_are_reported(rules, refused):
    assert "NAME=NUMBER" in refused("grammar", "prune", rules, "--at-least", "count")
    assert "g.txt: there is no feature" in refused("grammar", "prune", rules, "--at-most", "p=1")
    assert "without --rank-by" in refused("grammar", "prune", rules, "--top", "1")
    assert "-o" in refused("grammar", "convert", rules, "-f", "parquet")
    assert "both read and written" in refused("grammar", "convert", rules, "-o", rules)
    rules.write_text("[X] ||| a\n")
    for command in ("info", "convert", "prune", "pivot"):
        assert "g.txt:1: a rule has 3 to 6 fields" in refused("grammar", command, rules)
