"""The parser: exact charts, learning, trees for everything, threads, damaged models."""

from __future__ import annotations

import gzip
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _build, _native
from otherwords.build.trees.parser import Parser
from otherwords.build.trees.tree import clean, parse_tree
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models.container import Model, embedded, read, write
from otherwords.text.sentence import Sentence
from otherwords.text.tagger import Tagger
from tests.oracles import chart as oracle

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from evalb import Counts, score_tree

LABELS = ["", "NP", "S", "S+VP", "VP", "@NP", "@S", "@VP"]
TAGS = ["NN", "VB"]
SENTENCES = [
    "The cats sleep .",
    "Yesterday , the old man who lives next door gave my sister a book about whales .",
    "Is that all right ?",
    "( see below )",
    "Go !",
    "naïve 日本 \U0001f600 --- ''",
]


@pytest.fixture(scope="module")
def parser():
    return Parser.load()


# The chart


@st.composite
def charts(draw):
    n = draw(st.integers(1, 5))
    tags = draw(st.lists(st.sampled_from([*TAGS, "??"]), min_size=n, max_size=n))
    cells = n * (n + 1) // 2
    children = len({name.split("+")[0] for name in LABELS}) + len(TAGS) + 1
    parents = len({name.split("+")[-1] for name in LABELS})
    seed = draw(st.integers(0, 2**32))
    noise = np.random.default_rng(seed)

    def table(rows, columns):
        return noise.integers(-20, 20, (rows, columns)).astype(np.float32)

    width = max(len(LABELS), parents)
    return (
        tags,
        *(table(cells, width) for _ in range(3)),
        table(children, parents),
        table(children, parents),
    )


def best_tree(tags, *tables, beam):
    flat = [np.ascontiguousarray(table.reshape(-1)) for table in tables]
    return _native.best_binary_tree(LABELS, TAGS, tags, *flat, beam)


@given(charts())
def test_the_chart_finds_the_best_of_all_trees(scores):
    nodes = best_tree(*scores, beam=1e6)
    tables = [table.tolist() for table in scores[1:]]
    expected = oracle.best_score(LABELS, TAGS, scores[0], *tables)
    assert oracle.score_of(nodes, LABELS, TAGS, scores[0], *tables) == expected


@given(charts(), st.integers(0, 50))
def test_with_any_beam_the_nodes_are_a_binary_tree(scores, beam):
    n = len(scores[0])
    nodes = best_tree(*scores, beam=float(beam))
    spans = {(begin, end) for begin, end, _, _ in nodes}
    assert len(nodes) == len(spans) == 2 * n - 1
    assert nodes[0][:2] == (0, n)
    for begin, end, split, _ in nodes:
        if end - begin > 1:
            assert {(begin, split), (split, end)} <= spans
        else:
            assert split == 0


def test_scores_that_do_not_fit_are_refused():
    zeros = np.zeros(3, dtype=np.float32)
    with pytest.raises(ValueError, match="fit"):
        _native.best_binary_tree(LABELS, TAGS, ["NN"], zeros, zeros, zeros, zeros, zeros, 1.0)


# Learning

TINY = [
    (["a", "dog", "barks"], ["DT", "NN", "VBZ"]),
    (["dogs", "bark"], ["NNS", "VBP"]),
]
TINY_NODES = [
    [(0, 3, 2, "S"), (0, 2, 1, "NP"), (0, 1, 0, ""), (1, 2, 0, ""), (2, 3, 0, "VP")],
    [(0, 2, 1, "S"), (0, 1, 0, "NP"), (1, 2, 0, "VP")],
]


def tiny_arrays(nodes=TINY_NODES, **options):
    flat = [
        (begin, end, split, LABELS.index(label))
        for sentence in nodes
        for begin, end, split, label in sentence
    ]
    words = [words for words, _ in TINY]
    tags = [tags for _, tags in TINY]
    names = sorted({tag for row in tags for tag in row})
    weights = _build.train_parser(
        words,
        tags,
        np.array(flat, dtype=np.int32).reshape(-1),
        LABELS,
        names,
        Tagger.load().native,
        **{"epochs": 5, "cutoff": 1, "least": 1, "least_best": 1, **options},
    )
    return {
        "label_names": np.frombuffer("\n".join(LABELS).encode(), dtype=np.uint8),
        "tag_names": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        "beam": np.array([1000], dtype=np.int32),
        **weights,
    }


def tiny_parser(path, arrays):
    write(path, "parser", arrays, {})
    return Parser(read(path, "parser"))


def test_what_was_learnt_is_known(tmp_path):
    parser = tiny_parser(tmp_path / "tiny.owm", tiny_arrays())
    given_tags = [Sentence.from_tokens(words, tags=tags) for words, tags in TINY]
    assert [str(tree) for tree in parser.parse(given_tags)] == [
        "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks))))",
        "(ROOT (S (NP (NNS dogs)) (VP (VBP bark))))",
    ]


def test_training_twice_gives_the_same_numbers():
    one, other = tiny_arrays(), tiny_arrays()
    assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    "nodes",
    [
        [TINY_NODES[0][:4], TINY_NODES[1]],  # one is missing
        [[*TINY_NODES[0][:4], (1, 2, 0, "VP")], TINY_NODES[1]],  # one is there twice
        [[(0, 3, 3, "S"), *TINY_NODES[0][1:]], TINY_NODES[1]],
        [[(0, 9, 2, "S"), *TINY_NODES[0][1:]], TINY_NODES[1]],
        [[*TINY_NODES[0][:4], (2, 3, 2, "VP")], TINY_NODES[1]],
        [[(0, 3, -1, "S"), *TINY_NODES[0][1:]], TINY_NODES[1]],
    ],
)
def test_trees_that_are_none_are_not_learnt_from(nodes):
    with pytest.raises(ValueError, match=r"node|span|root|split|word|negative"):
        tiny_arrays(nodes)


def test_options_that_are_none_are_refused():
    with pytest.raises(ValueError, match="no option"):
        tiny_arrays(depth=3)
    with pytest.raises(ValueError, match="start at 1"):
        tiny_arrays(epochs=0)


# Models


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("left_rules", lambda a: a[:-1]),
        ("right_rules", lambda a: a[:-1]),
        ("features", lambda a: a[::-1].copy()),
        ("features", lambda a: a[:-2]),
        ("rows", lambda a: a[:-1]),
        ("rows", lambda a: np.full_like(a, 200)),
        ("rows", lambda a: a.astype(np.uint32)),
        ("beam", lambda a: np.array([-1], dtype=np.int32)),
        ("beam", lambda a: np.array([], dtype=np.int32)),
        ("label_names", lambda a: np.frombuffer(b"NP\nS", dtype=np.uint8)),
        ("label_names", lambda a: a[:0]),
        ("feature_buckets", lambda a: a[:-1]),
        ("feature_buckets", lambda a: a[::-1].copy()),
        ("feature_buckets", lambda a: a[:0]),
    ],
)
def test_damaged_models_are_refused(tmp_path, name, change):
    arrays = tiny_arrays()
    arrays[name] = change(arrays[name])
    with pytest.raises(ModelError, match="damaged"):
        tiny_parser(tmp_path / "broken.owm", arrays)


def test_a_model_without_an_array_or_of_another_kind_is_refused(tmp_path):
    arrays = tiny_arrays()
    del arrays["beam"]
    with pytest.raises(ModelError, match="beam"):
        tiny_parser(tmp_path / "broken.owm", arrays)
    with pytest.raises(ModelError, match="a parser model is needed"):
        Parser.load(embedded("tagger"))


@settings(max_examples=30)
@given(st.data())
def test_no_weights_make_it_crash(data):
    """Whatever the numbers are that pass the checks, there is a tree."""
    arrays = tiny_arrays()
    noise = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for name, low, high in (
        ("left_rules", -32768, 32767),
        ("right_rules", -32768, 32767),
    ):
        old = arrays[name]
        arrays[name] = noise.integers(low, high, len(old)).astype(old.dtype)
    symbols = noise.integers(0, len(LABELS), len(arrays["rows"]))
    weights = noise.integers(0, 256, len(arrays["rows"]))
    arrays["rows"] = (symbols + 256 * weights).astype(np.uint16)
    arrays["beam"] = np.array([data.draw(st.integers(0, 100))], dtype=np.int32)
    parser = Parser(Model(embedded("parser"), "parser", "", {}, arrays))
    words = data.draw(st.lists(st.sampled_from(["a", "dog", "dogs", "bark", "."]), max_size=12))
    assert parser.parse([words])[0].words == tuple(words)


def test_the_embedded_model_is_small():
    assert embedded("parser").stat().st_size < 6_000_000


# Trees for everything


@settings(max_examples=30)
@given(st.lists(st.lists(st.text(min_size=1, max_size=5), max_size=12), max_size=4))
def test_every_sentence_gets_a_tree_of_its_words(texts):
    sentences = [[t for t in text if is_token(t)] for text in texts]
    trees = Parser.load().parse(sentences)
    for tree, words in zip(trees, sentences, strict=True):
        assert tree.label == "ROOT"
        assert tree.words == tuple(words)
        if len(words) > 1:
            assert len(tree.children) == 1


def is_token(token):
    try:
        Sentence.from_tokens([token])
    except InputError:
        return False
    return True


def test_tags_are_the_taggers_unless_they_are_given(parser):
    text = SENTENCES[1].split()
    assert list(parser.parse([text])[0].tags) == Tagger.load().tag(text)
    tagged = Sentence.from_tokens(["can", "can"], tags=["MD", "VB"])
    assert parser.parse([tagged, ["so"]])[0].tags == ("MD", "VB")


def test_unknown_tags_and_words_are_no_trouble(parser):
    odd = Sentence.from_tokens(["xq", "zzz", "(", "qqq"], tags=["A", "@NP", "-LRB-", "\u00e9"])
    assert parser.parse([odd])[0].words == odd.tokens


def test_labels_are_phrases_and_no_chains_or_intermediate_ones(parser):
    labels = {
        node.label for tree in parser.parse(SENTENCES) for node in tree.nodes() if node.word is None
    }
    assert {"ROOT", "S", "NP", "VP"} <= labels
    assert not any("+" in label or "@" in label or not label for label in labels)


def test_the_same_trees_for_any_number_of_threads(parser):
    rng = random.Random(7)
    words = " ".join(SENTENCES).split()
    texts = [rng.choices(words, k=rng.randrange(30)) for _ in range(200)]
    one = parser.parse(texts)
    assert all(parser.parse(texts, threads=threads) == one for threads in (2, 3, 8))
    assert parser.parse(texts[::-1]) == one[::-1]


@pytest.mark.parametrize("length", [199, 200, 201, 2000])
def test_long_sentences_get_trees(parser, length):
    words = (SENTENCES[1].split() * (length // 17 + 1))[:length]
    tree = parser.parse([words])[0]
    assert tree.words == tuple(words)
    assert len(tree.children) == 1


def test_long_sentences_without_punctuation_are_cut_anywhere(parser):
    words = ["dog"] * 450
    tree = parser.parse([words])[0]
    assert tree.words == tuple(words)
    assert len(tree.children[0].children) == 3


def test_raw_text_is_tokenised(parser):
    assert parser.parse(["It can't."])[0].words == ("It", "ca", "n't", ".")
    assert parser.parse(["It can't."], tokenizer="none")[0].words == ("It", "can't.")


def test_no_sentences_no_trees(parser):
    assert parser.parse([]) == []
    assert [str(tree) for tree in parser.parse(["", []])] == ["(ROOT)", "(ROOT)"]


def test_mistakes_of_callers_are_reported(parser):
    with pytest.raises(UsageError, match="list of sentences"):
        parser.parse("It works.")
    with pytest.raises(UsageError, match="threads"):
        parser.parse(["It works."], threads=0)
    with pytest.raises(UsageError, match="tokenizer"):
        parser.parse(["It works."], tokenizer="moses")
    with pytest.raises(InputError):
        parser.parse([["\ud800"]])
    with pytest.raises(InputError, match="no tag"):
        parser.parse([Sentence.from_tokens(["tea"], tags=[""])])


@pytest.mark.data
def test_held_out_trees_are_found(parser, shared):
    held_out = set(read(embedded("parser")).provenance["treebank"]["held_out"])
    gold = []
    with gzip.open(shared / "trees" / "train.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            document, tree = line.rstrip("\n").split("\t")
            if document in held_out:
                gold.append(tree)
    gold = [clean(parse_tree(tree)) for tree in gold[::4]]
    guesses = parser.parse([tree.words for tree in gold])
    assert sum(map(score_tree, gold, guesses), Counts()).f1 > 0.8
