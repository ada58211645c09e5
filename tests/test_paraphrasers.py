"""The paraphrasers that ParaMetric compares: through a third side, as translation, by syntax."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.build.bitext import Aligner, Bitext, Training, encode
from otherwords.build.bitext.links import Links, compose
from otherwords.build.engine import DuckEngine
from otherwords.build.phrases.lattices import (
    Lattice,
    LatticeEdge,
    syntactic_links,
    syntactic_table,
)
from otherwords.build.phrases.table import build_table, equivalent_pairs
from otherwords.build.trees.tree import Tree, parse_tree
from otherwords.errors import InputError
from otherwords.study.parametric import phrase_pairs, read_paraphrases
from tests.oracles import syntactic as oracle


def as_links(sentences):
    rows = [sorted(links) for links in sentences]
    pairs = [pair for links in rows for pair in links]
    bounds = np.cumsum([0, *map(len, rows)])
    left, right = (np.array([pair[side] for pair in pairs], np.uint32) for side in (0, 1))
    return Links(left, right, bounds)


LINKS = st.lists(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))), min_size=3, max_size=3)


@given(LINKS, LINKS)
def test_composed_links_share_a_word(first, second):
    found = compose(as_links(first), as_links(second))
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        expected = {(i, j) for i, f in one for j, g in other if f == g}
        assert found.sentence(number) == sorted(expected)


@given(LINKS)
def test_composing_the_other_way_turns_the_links(links):
    other = [{(j, i) for i, j in one} for one in links]
    there = compose(as_links(links), as_links(other))
    back = compose(as_links(other), as_links(links))
    for number in range(3):
        assert {(j, i) for i, j in there.sentence(number)} == set(back.sentence(number))


def test_composing_needs_as_many_sentences():
    with pytest.raises(InputError, match="1 and of 2"):
        compose(as_links([set()]), as_links([set(), set()]))


def test_all_pairs_of_eleven_translations():
    """§7.1: 993 groups of eleven sentences give 109,230 pairs."""
    groups = [[f"{number} {one}" for one in range(11)] for number in range(993)]
    assert len(equivalent_pairs(groups)) == 109_230


def test_a_monolingual_table_has_the_paraphrases_of_its_text(tmp_path):
    people = ["he", "she", "the man", "the woman", "my friend", "your uncle"]
    groups = [[f"{who} died today", f"{who} passed away today"] for who in people]
    text = Bitext(*map(encode, zip(*equivalent_pairs(groups), strict=True)))
    links, _ = Aligner.train(text, Training(monolingual=True)).align(text)
    with DuckEngine() as engine:
        table = build_table(*text, links, tmp_path / "table.parquet", engine=engine, max_length=5)
    rows = table.batches()
    found = {
        (row["source"], row["target"]): row["p_target"]
        for batch in rows
        for row in batch.to_pylist()
    }
    assert found["died", "passed away"] > 0.5
    assert found["the man died", "the man passed away"] > 0.5
    lists = read_paraphrases(table.path, {"died", "today"}).lists
    assert "passed away" in lists["died"]
    strict = read_paraphrases(table.path, {"died"}, min_probability=1.0).lists
    assert strict == {} or found["died", "passed away"] == 1.0


FIGURE_2 = [
    "(S (NP (CD 12) (NN persons)) (VP (AUX were) (VP (VB killed))))",
    "(S (NP (CD twelve) (NN people)) (VP (VB died)))",
]


def test_figure_2_gives_the_paraphrases_that_the_paper_names():
    found = Lattice.of(map(parse_tree, FIGURE_2)).paraphrases(3)
    phrases = ["people were killed", "persons died", "persons were killed", "people died"]
    several = [tuple(phrase.split()) for phrase in phrases]
    assert {(a, b) for a in several for b in several if a != b} <= found
    assert (("12",), ("twelve",)) in found
    assert (("died",), ("were", "killed")) in found
    assert (("12",), ("people",)) not in found


def test_figure_2_as_links():
    one, other = map(parse_tree, FIGURE_2)
    assert syntactic_links(one, other) == [(0, 0), (1, 1), (2, 2), (3, 2)]
    pairs = phrase_pairs(one.words, other.words, syntactic_links(one, other))
    assert (("persons", "were", "killed"), ("people", "died")) in pairs


def test_keywords_keep_constituents_apart():
    """Subject and object have changed places: merging them would make dogs paraphrases of cats."""
    trees = [
        "(S (NP (NNS dogs)) (VP (VBP chase) (NP (NNS cats))))",
        "(S (NP (NNS cats)) (VP (VBP flee) (NP (NNS dogs))))",
    ]
    one, other = map(parse_tree, trees)
    assert (("dogs",), ("cats",)) not in Lattice.of([one, other]).paraphrases()
    assert len(syntactic_links(one, other)) == 9


def test_equal_words_at_the_edges_of_alternatives_are_one():
    trees = [
        "(S (NP (PRP he)) (VP (MD will) (VP (VB go) (ADVP (RB now)))) (. .))",
        "(S (NP (PRP he)) (VP (MD will) (RB surely) (VP (VB leave)) (ADVP (RB now))) (. .))",
    ]
    one, other = map(parse_tree, trees)
    found = Lattice.of([one, other]).paraphrases()
    assert (("go",), ("surely", "leave")) in found
    assert syntactic_links(one, other) == [(0, 0), (1, 1), (2, 2), (2, 3), (3, 4), (4, 5)]


LABELS = st.sampled_from(["S", "NP", "VP"])
LEAVES = st.tuples(
    st.sampled_from(["NN", "DT", "VB"]), st.sampled_from(["a", "b", "c", "d", "e", "f"])
)
TREES = st.tuples(
    st.just("S"),
    st.lists(
        st.recursive(
            LEAVES,
            lambda inner: st.tuples(LABELS, st.lists(inner, min_size=1, max_size=2)),
            max_leaves=4,
        ),
        min_size=1,
        max_size=2,
    ),
)


def as_tree(tree):
    label, below = tree
    if isinstance(below, str):
        return Tree(label, (), below)
    return Tree(label, map(as_tree, below))


@given(st.lists(TREES, min_size=1, max_size=3))
def test_a_lattice_has_the_strings_of_the_merged_trees(trees):
    lattice = Lattice.of(map(as_tree, trees))
    assert oracle.sentences(lattice.edges) == oracle.alternatives(trees)


@given(st.lists(TREES, min_size=1, max_size=3), st.integers(1, 4))
def test_paraphrases_are_the_paths_between_two_nodes(trees, longest):
    lattice = Lattice.of(map(as_tree, trees))
    assert lattice.paraphrases(longest) == oracle.paraphrases(lattice.edges, longest)


@given(TREES, TREES)
def test_links_of_merged_trees(one, other):
    """Inside of the sentences; the same the other way round; the diagonal of a sentence itself."""
    left, right = as_tree(one), as_tree(other)
    found = syntactic_links(left, right)
    assert all(0 <= i < len(left.words) and 0 <= j < len(right.words) for i, j in found)
    assert sorted((j, i) for i, j in found) == syntactic_links(right, left)
    assert syntactic_links(left, left) == [(n, n) for n in range(len(left.words))]


@given(TREES, TREES)
def test_phrase_pairs_of_links_are_paths_of_the_lattice(one, other):
    """For two sentences with words of their own, both say the same of single constituents."""
    left = as_tree(one)
    right = as_tree(other).rebuild(
        lambda node, kept: Tree(node.label, kept, node.word and node.word.upper())
    )
    lattice = Lattice.of([left, right], case=True).paraphrases(9)
    for pair in phrase_pairs(
        left.words, right.words, syntactic_links(left, right, case=True), None
    ):
        assert pair in lattice


def test_empty_and_deep_trees():
    assert Lattice.of([]).edges == ()
    assert Lattice.of([parse_tree("(ROOT)")]).paraphrases() == set()
    assert syntactic_links(parse_tree("(ROOT)"), parse_tree("(S (NN a))")) == []
    deep = parse_tree("(NP " * 3000 + "(NN dog)" + ")" * 3000)
    assert Lattice.of([deep, parse_tree("(NN dog)")]).edges == (LatticeEdge(0, "dog", 1),)
    assert syntactic_links(deep, deep) == [(0, 0)]


def test_roots_and_functions_do_not_matter():
    one = parse_tree("(ROOT (S (NP-SBJ (PRP it)) (VP (VBZ works))))")
    other = parse_tree("( (S (NP (PRP it)) (VP (VBZ runs))) )")
    assert syntactic_links(one, other) == [(0, 0), (1, 1)]
    assert (("works",), ("runs",)) in Lattice.of([one, other]).paraphrases()


@pytest.fixture
def tree_file(tmp_path):
    path = tmp_path / "trees.tsv"
    path.write_text("\n".join(f"fire\t{tree}" for tree in FIGURE_2) + "\n")
    return path


def test_extract_lattices(tree_file, ok):
    rows = [
        line.split("\t") for line in ok("extract", "lattices", "--trees", tree_file).splitlines()
    ]
    assert ["people died", "persons were killed", "1.0"] in rows
    assert rows == sorted(rows)
    short = ok("extract", "lattices", "--trees", tree_file, "--max-length", 1)
    assert short.splitlines() == [
        "12\ttwelve\t1.0",
        "people\tpersons\t1.0",
        "persons\tpeople\t1.0",
        "twelve\t12\t1.0",
    ]


def test_extract_lattices_of_raw_sentences(tmp_path, ok, refused):
    path = tmp_path / "text.tsv"
    path.write_text("a\tThe cat sat on the mat.\na\tThe cat sat on the rug.\n")
    found = ok("extract", "lattices", "--trees", path, "--parse", "--max-length", 1)
    assert found == "mat\trug\t1.0\nrug\tmat\t1.0\n"
    path.write_text("The cat sat.\n")
    assert "text.tsv:1: a line is" in refused("extract", "lattices", "--trees", path, "--parse")


def test_extract_links_of_lattices(tree_file, tmp_path, ok):
    assert ok("extract", "lattices", "--trees", tree_file, "--links") == "0-0 1-1 2-2 3-2\n"
    out = tmp_path / "links"
    assert ok("extract", "lattices", "--trees", tree_file, "--links", "-o", out) == ""
    assert out.read_text() == "0-0 1-1 2-2 3-2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no trees"),
        ("(S (NN a))\n", ":1: a line is the name"),
        ("g\t(S (NN a))\ng\t(S (NN a)\n", ":2: "),
        ("g\t(S (NN a)) (S (NN b))\n", "one tree is needed"),
        ("g\tdog\n", "outside of the brackets"),
    ],
)
def test_bad_trees_are_reported(tmp_path, refused, text, message):
    path = tmp_path / "trees.tsv"
    path.write_text(text)
    assert message in refused("extract", "lattices", "--trees", path)


def test_bad_trees_leave_no_output(tmp_path, refused):
    path, out = tmp_path / "trees.tsv", tmp_path / "out"
    path.write_text("g\t(S")
    refused("extract", "lattices", "--trees", path, "-o", out)
    assert not out.exists()
    assert "no such file" in refused("extract", "lattices", "--trees", tmp_path / "none")


def test_the_probability_is_a_share_of_lattices():
    groups = [
        ["(NP (NN car))", "(NP (NN auto))"],
        ["(NP (NN car))", "(NP (NN van))"],
        ["(NP (NN car))"],
        ["(VP (VB drive))"],
    ]
    found = list(syntactic_table([map(parse_tree, group) for group in groups]))
    assert found == [
        ("auto", "car", 1.0),
        ("car", "auto", 1 / 3),
        ("car", "van", 1 / 3),
        ("van", "car", 1.0),
    ]
