"""What the training tool makes of trees: binary nodes, and nothing lost."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.trees.tree import Tree, parse_tree

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from binarise import Labels, binary_nodes, chains
from tree_data import Parsed, genre_of, penn_style, split

PHRASES = st.sampled_from(["S", "NP", "VP", "PP", "ADJP", "FRAG"])
LEAVES = st.sampled_from(["NN", "VB", "IN", "DT", "CC"]).map(lambda tag: Tree(tag, (), "w"))
TREES = st.builds(
    Tree,
    PHRASES,
    st.lists(
        st.recursive(
            LEAVES,
            lambda below: st.builds(Tree, PHRASES, st.lists(below, min_size=1, max_size=4)),
            max_leaves=8,
        ),
        min_size=1,
        max_size=4,
    ),
)


def spans_of(nodes):
    """The labelled spans that binary nodes stand for, chains taken apart."""
    return sorted(
        (name, node.begin, node.end)
        for node in nodes
        if node.label and not node.label.startswith("@")
        for name in node.label.split("+")
    )


@settings(max_examples=50)
@given(TREES)
def test_binary_nodes_hold_the_tree_and_no_more(tree):
    nodes = binary_nodes(tree)
    n = len(tree.words)
    assert len(nodes) == 2 * n - 1
    by_span = {(node.begin, node.end): node for node in nodes}
    assert len(by_span) == len(nodes)
    for node in nodes:
        if node.end - node.begin > 1:
            assert {(node.begin, node.split), (node.split, node.end)} <= set(by_span)
        else:
            assert node.split == 0
    assert spans_of(nodes) == sorted((s.label, s.begin, s.end) for s in tree.spans())


@settings(max_examples=50)
@given(TREES)
def test_intermediate_phrases_are_parts_of_their_own(tree):
    nodes = binary_nodes(tree)
    above = {}
    for node in nodes:
        if node.split:
            above[node.begin, node.split] = above[node.split, node.end] = node.label
    for node in nodes:
        if node.label.startswith("@"):
            phrase = above[node.begin, node.end].split("+")[-1]
            assert phrase.removeprefix("@") == node.label[1:]


def test_the_head_is_kept_and_right_siblings_come_first():
    tree = parse_tree("(S (PP (IN In)) (NP (NN tea)) (VP (VB go)) (. .))")
    inner = [(node.begin, node.end) for node in binary_nodes(tree) if node.label == "@S"]
    assert inner == [(2, 4), (1, 4)]


def test_rare_labels_become_others():
    tree = parse_tree("(S (NP (NN tea)) (VP (VB go)))")
    labels = Labels([tree] * 3, 3)
    assert labels.names == ["", "NP", "S", "VP", "@NP", "@S", "@VP"]
    assert labels.names[labels.number("X+VP")] == "VP"
    assert labels.names[labels.number("QP")] == "NP"
    assert labels.names[labels.number("@QP")] == "@NP"
    assert sorted(set(chains(tree))) == ["NP", "S", "VP"]


def test_hyphenated_words_become_one():
    tree = parse_tree("(NP (DT a) (NN tea) (HYPH -) (NN cup) (NN lid))")
    assert str(penn_style(tree)) == "(NP (DT a) (NN tea-cup) (NN lid))"
    apart = parse_tree("(NP (NP (NN tea)) (HYPH -) (NN cup))")
    assert penn_style(apart) == apart


def test_documents_are_held_out_of_every_genre():
    tree = parse_tree("(ROOT (NP (NN tea)))")
    names = [f"GUM_{genre}_{i}" for genre in ("bio", "news") for i in range(16)]
    train, dev = split([Parsed(name, tree) for name in names for _ in range(2)])
    assert {genre_of(parsed.document) for parsed in dev} == {"bio", "news"}
    assert len({parsed.document for parsed in dev}) == 4
    assert not {parsed.document for parsed in train} & {parsed.document for parsed in dev}
    assert split([*train, *dev])[1] == dev
