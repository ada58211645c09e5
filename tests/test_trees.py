"""Trees: brackets in and out, spans, cleaning, mistakes reported with their line."""

from __future__ import annotations

import copy
import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.trees.tree import (
    Tree,
    TreeSpan,
    clean,
    clean_label,
    parse_tree,
    parse_trees,
    unescape,
)
from otherwords.errors import InputError
from otherwords.io.files import read_lines
from tests.oracles import trees as oracle

LABELS = st.sampled_from(["S", "NP", "NP-SBJ", "VP", "PP-LOC-1", "ADVP|PRT", "X=2"])
TAGS = st.sampled_from(["NN", "DT", "-LRB-", "PRP$", ".", "``"])
WORDS = st.text(st.characters(blacklist_categories=("Z", "C")), min_size=1, max_size=6).filter(
    lambda word: not any(c.isspace() for c in word) and "-" not in word
)


def trees(words=WORDS):
    leaves = st.builds(lambda tag, word: Tree(tag, (), word), TAGS, words)
    return st.recursive(
        st.builds(lambda label, kids: Tree(label, kids), LABELS, st.lists(leaves, min_size=1)),
        lambda below: st.builds(
            lambda label, kids: Tree(label, kids),
            LABELS,
            st.lists(st.one_of(leaves, below), min_size=1, max_size=4),
        ),
        max_leaves=8,
    )


@given(trees())
def test_what_is_written_is_read_again(tree):
    assert parse_tree(str(tree)) == tree
    assert parse_tree(tree.pretty()) == tree
    assert "\n" not in str(tree)


@given(trees(st.text("abc", min_size=1)))
def test_words_tags_and_spans_are_those_of_the_nested_lists(tree):
    (nested,) = oracle.read(str(tree))
    assert list(zip(tree.tags, tree.words, strict=True)) == oracle.leaves(nested)
    assert [(s.label, s.begin, s.end) for s in tree.spans()] == oracle.spans(nested)


@settings(max_examples=40)
@given(trees(), trees())
def test_equal_trees_have_equal_hashes_and_brackets(one, other):
    assert (one == other) == (str(one) == str(other))
    if one == other:
        assert hash(one) == hash(other)
    assert one == copy.deepcopy(one)


def test_a_tree_is_not_equal_to_its_brackets():
    assert parse_tree("(NN tea)") != "(NN tea)"


def test_brackets_in_words_are_escaped_in_writing_only():
    tree = parse_tree("(NP (-LRB- -LRB-) (NN :-RRB-) (SYM [) (-RRB- -RCB-))")
    assert tree.words == ("(", ":)", "[", "}")
    assert str(tree) == "(NP (-LRB- -LRB-) (NN :-RRB-) (SYM [) (-RRB- }))"


def test_words_of_texts_and_trees_are_compared_without_escapes():
    assert [unescape(w) for w in ("-RSB-", "''", "and\\/or", "\\*", "x")] == [
        "]",
        '"',
        "and/or",
        "*",
        "x",
    ]


@pytest.mark.parametrize(
    ("label", "word"),
    [("N P", None), ("(", None), ("NN", ""), ("NN", "a b"), ("NN", "a\u2003b"), ("", "a")],
)
def test_labels_and_words_that_no_bracket_could_hold_are_refused(label, word):
    with pytest.raises(InputError):
        Tree(label, (), word)


def test_a_node_has_a_word_or_children():
    with pytest.raises(InputError, match="children"):
        Tree("NP", [Tree("NN", (), "tea")], "tea")


def test_several_lines_and_several_trees_a_line():
    lines = ["( (S", "  (VP (VB Go)))", ") (NP (NN tea))", "", "(X (SYM *))"]
    assert [str(tree) for tree in parse_trees(lines)] == [
        "( (S (VP (VB Go))))",
        "(NP (NN tea))",
        "(X (SYM *))",
    ]


@pytest.mark.parametrize("text", ["()", "(())", "(ROOT)", "( ( ) )", "(ROOT )"])
def test_the_tree_of_an_empty_sentence_has_no_words(text):
    tree = parse_tree(text)
    assert (tree.words, tree.children) == ((), ())
    assert parse_tree(str(tree)) == tree


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(S (NP (NN tea))", 1, "not closed"),
        ("(NN tea)\n\n(S\n(NP", 3, "not closed"),
        ("(NN tea))", 1, "outside"),
        ("(NN tea)\ntea", 2, "outside"),
        ("GUM_bio\t(NN tea)", 1, "outside"),
        ("(NP (NN tea)\ncup)", 2, "follows a child"),
        ("(NN tea\ncup)", 2, "second word"),
        ("(NP\n(NN))", 2, "neither a word nor children"),
        ("(NP ())", 1, "neither a word nor children"),
        ("(NN tea (NN cup))", 1, "both a word and children"),
    ],
)
def test_mistakes_are_reported_with_file_and_line(tmp_path, text, line, message):
    path = tmp_path / "trees.mrg"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as error:
        list(parse_trees(read_lines(path), str(path)))
    assert (error.value.path, error.value.line) == (str(path), line)


@given(st.text("()AB \n", max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        trees = list(parse_trees(text.split("\n")))
    except InputError:
        return
    assert all(parse_tree(str(tree)) == tree for tree in trees)


def test_packed_files_with_a_byte_order_mark_are_read(tmp_path):
    path = tmp_path / "trees.mrg.gz"
    path.write_bytes(gzip.compress("\ufeff(NP (NN tea))\r\n(NP (NN cup))\r\n".encode()))
    assert [tree.words for tree in parse_trees(read_lines(path), str(path))] == [("tea",), ("cup",)]


def test_one_tree_means_one():
    with pytest.raises(InputError, match="2 were found"):
        parse_tree("(NN a) (NN b)")


def test_a_tree_may_be_as_deep_as_it_likes():
    depth = 5_000
    tree = parse_tree("(X " * depth + "(NN tea)" + ")" * depth)
    assert len(tree.spans()) == depth
    assert tree.spans()[-1] == TreeSpan("X", 0, 1)
    assert clean(tree) == tree
    assert parse_tree(str(tree)) == tree
    assert hash(tree) == hash(parse_tree(str(tree)))


@pytest.mark.parametrize(
    ("label", "cleaned"),
    [
        ("NP-SBJ-1", "NP"),
        ("NP=3", "NP"),
        ("ADVP|PRT", "ADVP"),
        ("-NONE-", "-NONE-"),
        ("-LRB-", "-LRB-"),
        ("PRP$", "PRP$"),
        ("=", "="),
        ("", ""),
    ],
)
def test_labels_lose_their_functions(label, cleaned):
    assert clean_label(label) == cleaned


def test_traces_go_with_all_that_they_leave_empty():
    tree = parse_tree(
        "(S (NP-SBJ-1 (PRP I)) (VP (VBP try) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB go))))))"
    )
    assert str(clean(tree)) == "(S (NP (PRP I)) (VP (VBP try) (S (VP (TO to) (VP (VB go))))))"
    assert clean(parse_tree("(ROOT (NP (-NONE- *)))")) == Tree("ROOT")


@settings(max_examples=40)
@given(trees())
def test_cleaning_twice_is_cleaning_once(tree):
    assert clean(clean(tree)) == clean(tree)
    assert clean(tree).words == tree.words


@pytest.mark.data
def test_the_treebank_is_read_and_written_as_it_is(shared):
    with gzip.open(shared / "trees" / "train.tsv.gz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number % 40 == 0:
                text = line.rstrip("\n").split("\t")[1]
                assert str(parse_tree(text)) == text


@pytest.mark.parametrize("children", ["b", [3], [None]])
def test_children_are_trees(children):
    with pytest.raises(InputError, match="must be trees"):
        Tree("A", children)
