"""`otherwords extract grammar` from files to files."""

from __future__ import annotations

import gzip
import re

import pytest

from otherwords.grammar import Grammar, parse_rule
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
    assert not any(rule.is_identity for rule in rules)
    assert ok(*command(files, *more, "-o", files / "g.parquet")) == ""
    assert list(Grammar.open(files / "g.parquet").rules()) == rules
    assert ok(*command(files, *more, "-o", files / "g.gz")) == ""
    with gzip.open(files / "g.gz", "rt", encoding="utf-8") as packed:
        assert packed.read().splitlines() == lines


def test_limits_are_options(files, ok):
    rules = [parse_rule(line) for line in ok(*command(files, "--arity", "0")).splitlines()]
    assert {rule.arity for rule in rules} == {0}
    short = ok(*command(files, "--phrase-length", "1", "--min-count", "2"))
    assert [parse_rule(line).source for line in short.splitlines()] == [("him",), ("to",)]


def test_mistakes_are_told(files, refused):
    assert "needs --trees" in refused(*command(files, "--kind", "samt"))
    assert "no use for trees" in refused(*command(files, "--trees", files / "t.txt"))
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
