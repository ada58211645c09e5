"""PEM's segmentation and bags of pivot n-grams against the paper and brute force (GOLDEN.md)."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _native
from otherwords.metrics.pairs import Pairs, Reading
from otherwords.metrics.pivots import Bags
from tests.oracles import pivot_bags as oracle
from tests.oracles.pivot_bags import bag, f1, network, segment
from tests.pem_inputs import GOLDEN, HELLO, MORNING, table_of

bags_with = partial(Bags, orders=1, edge_threshold=0, ngram_threshold=0, renormalise=True)
PLAIN = Reading("none", case=True, stem=False)


@pytest.fixture
def table():
    return table_of(GOLDEN)


def bag_of(text, table):
    def edges(phrase):
        return [(edge.words, edge.forward) for edge in table.edges(phrase)]

    phrases = segment(text.split(), table.count, table.total)
    return bag(network(phrases, edges, threshold=0), threshold=0)


def test_bags_of_the_paper(table):
    hello, morning = bag_of("Hello , Querrien .", table), bag_of("Morning , sir .", table)
    assert sum(hello.values()) == pytest.approx(10)
    assert sum(morning.values()) == pytest.approx(10)
    assert hello[("Bonjour",)] == pytest.approx(0.9)
    assert hello[("Salut", ",", "Querrien", ".")] == pytest.approx(0.1)
    assert hello[(",", "Querrien")] == pytest.approx(1.0)
    assert f1(hello, morning) == f1(morning, hello) == pytest.approx(0.38)


@pytest.mark.parametrize("renormalise", [False, True])
def test_golden_bags(renormalise):
    table = table_of(GOLDEN)
    options = bags_with(renormalise=renormalise, orders=4)
    bag = dict(_native.pivot_bag(table.native, table.total, options.native, HELLO.split()))
    nine = "Bonjour|Bonjour ,|Bonjour , Querrien|Bonjour , Querrien ."
    one = nine.replace("Bonjour", "Salut")
    always = ",|Querrien|.|, Querrien|Querrien .|, Querrien ."
    expected = dict.fromkeys(nine.split("|"), 0.9) | dict.fromkeys(one.split("|"), 0.1)
    expected |= dict.fromkeys(always.split("|"), 1.0)
    assert bag == pytest.approx(expected, rel=1e-9)
    assert sum(bag.values()) == pytest.approx(10, rel=1e-9)
    other = dict(_native.pivot_bag(table.native, table.total, options.native, MORNING.split()))
    assert (len(other), set(other.values())) == (10, {1.0})


# --- the threshold of edges is strict and on exact values (GOLDEN.md)


def paper_f1(rows, left, right, **packing):
    """F1 of two sentences by the paper's bags."""
    table = table_of(rows, **packing)
    bags = [
        dict(_native.pivot_bag(table.native, table.total, Bags().native, side.split()))
        for side in (left, right)
    ]
    return f1(*bags)


def test_an_edge_of_exactly_the_threshold_falls():
    rows = [("a", "x", 10, 0.1), ("a", "y", 10, 0.9), ("b", "y", 10, 1.0)]
    # a: y .9 alone; b: y 1. In common .9, together 1.9.
    assert paper_f1(rows, "a", "b") == pytest.approx(2 * 0.9 / 1.9, rel=1e-9)
    quantised = paper_f1(rows, "a", "b", quantise=True)
    y = 2 ** (-2 / 16)  # the code nearest to .9
    assert quantised == pytest.approx(2 * y / (y + 1), rel=1e-9)


EDGES = st.one_of(
    st.floats(0.0005, 1),
    st.sampled_from([0.1, 0.01, 0.0999, 0.1001, 0.0099, 0.0101, 1 / 10 + 1e-9]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(EDGES, min_size=1, max_size=5), st.sampled_from([0.1, 0.01]), st.booleans())
def test_what_survives_the_paper_s_thresholds(forward, threshold, quantise):
    rows = [("a", f"x{place}", 10, value) for place, value in enumerate(forward)]
    table = table_of(rows, quantise=quantise)
    bags = bags_with(orders=1, edge_threshold=threshold, ngram_threshold=0, renormalise=False)
    kept = dict(_native.pivot_bag(table.native, table.total, bags.native, ["a"]))
    exact = {f"x{place}": value for place, value in enumerate(forward)}
    expected = {word: value for word, value in exact.items() if value > threshold}
    if expected:
        assert kept.keys() == expected.keys()
    else:  # the most likely one stays; codes may make several the most likely
        ((word, _),) = kept.items()
        assert exact[word] == pytest.approx(max(forward), rel=0.075 if quantise else 0)
    for word, weight in kept.items():
        assert weight == pytest.approx(exact[word], rel=0.038 if quantise else 1e-9)


# --- segmentation and bags against brute force

ENGLISH, FOREIGN = "abcde", "xyza"  # `a` is a word of both, `e` is never in the table
SENTENCES = st.lists(st.sampled_from(ENGLISH), max_size=6)


def phrases_of(letters, most):
    return st.lists(st.sampled_from(letters), min_size=1, max_size=most).map(" ".join)


@st.composite
def tables(draw):
    """Some phrases of 1-4 words with 1-3 translations of 1-3 words each."""
    rows = []
    for phrase in draw(st.lists(phrases_of(ENGLISH[:-1], 4), max_size=8, unique=True)):
        count = draw(st.integers(1, 60))
        pivots = st.lists(phrases_of(FOREIGN, 3), min_size=1, max_size=3, unique=True)
        for pivot in draw(pivots):
            rows.append((phrase, pivot, count, draw(st.floats(0.001, 1))))
    return table_of(rows or [("b c d b c", "x", 1, 1.0)])


BAGS = st.builds(
    Bags,
    longest=st.integers(1, 4),
    orders=st.integers(1, 4),
    edge_threshold=st.sampled_from([0, 0.1, 0.3, 1]),
    ngram_threshold=st.sampled_from([0, 0.01, 0.2]),
    renormalise=st.booleans(),
)


def native_segments(table, bags, words):
    found = _native.pivot_segments(table.native, table.total, bags.native, words)
    return [words[begin:end] for begin, end in found]


def native_bag(table, bags, words):
    found = _native.pivot_bag(table.native, table.total, bags.native, words)
    assert len({gram for gram, _ in found}) == len(found)
    return {tuple(gram.split()): weight for gram, weight in found}


def naive_network(table, bags, words):
    """The columns of the network of the kernel's own segmentation, which is tested apart."""

    def edges(phrase):  # in the order of the table
        return [(target, forward) for target, forward, _ in table.native.edges(phrase)]

    phrases = native_segments(table, bags, words)
    return oracle.network(phrases, edges, bags.edge_threshold, bags.renormalise)


@settings(max_examples=300, deadline=None)
@given(tables(), SENTENCES, st.integers(1, 4))
def test_segmentation_equals_brute_force(table, words, longest):
    found = native_segments(table, bags_with(longest=longest), words)
    assert [word for phrase in found for word in phrase] == words

    def worth(phrases):
        return oracle.worth(phrases, table.count, table.total)

    every = list(oracle.all_segmentations(words, longest))
    assert found in every
    assert worth(found) == max(map(worth, every)) > 0


@settings(max_examples=300, deadline=None)
@given(tables(), SENTENCES, BAGS)
def test_bag_equals_all_paths(table, words, bags):
    columns = naive_network(table, bags, words)
    expected = oracle.bag_of_all_paths(columns, bags.orders)
    found = native_bag(table, bags, words)
    assert found.keys() <= expected.keys()
    for gram, weight in expected.items():
        if abs(weight - bags.ngram_threshold) > 1e-9:  # nearer, rounding decides
            kept = weight if weight > bags.ngram_threshold else 0
            assert found.get(gram, 0) == pytest.approx(kept, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(tables(), SENTENCES, SENTENCES, BAGS)
def test_overlap_equals_the_oracle(table, left, right, bags):
    sums, known = overlap(table, bags, [(left, right)])
    bag, other = (
        oracle.bag(naive_network(table, bags, words), bags.orders, bags.ngram_threshold)
        for words in (left, right)
    )
    near = [
        abs(weight - bags.ngram_threshold)
        for words in (left, right)
        for weight in oracle.bag(naive_network(table, bags, words), bags.orders, -1).values()
    ]
    if min(near, default=1) > 1e-9:
        for order in range(1, bags.orders + 1):
            grams = {gram for gram in {**bag, **other} if len(gram) == order}
            common = sum(min(bag.get(gram, 0), other.get(gram, 0)) for gram in grams)
            totals = [sum(some.get(gram, 0) for gram in grams) for some in (bag, other)]
            assert sums[0, order - 1] == pytest.approx([common, *totals], abs=1e-9)
    segments = [*native_segments(table, bags, left), *native_segments(table, bags, right)]
    assert known[0] == any(table.count(" ".join(phrase)) for phrase in segments)


def overlap(table, bags, pairs, threads=1):
    """[pairs, orders, (common, left, right)] and whether a phrase was known."""
    read = Pairs.of(*([" ".join(pair[side]) for pair in pairs] for side in (0, 1)), PLAIN)
    sums, known = _native.pivot_overlap(
        table.native, table.total, bags.native, *read[2:], threads=threads
    )
    return sums.reshape(len(pairs), bags.orders, 3), known


def test_counts_decide_the_segmentation():
    rows = [("a", "x", 100, 1.0), ("b", "y", 100, 1.0), ("a b", "z", 1, 1.0)]
    assert native_segments(table_of(rows), Bags(), ["a", "b"]) == [["a"], ["b"]]  # 100 * 100 / 201
    rows = [("a", "x", 10, 1.0), ("b", "y", 10, 1.0), ("a b", "z", 5, 1.0)]
    assert native_segments(table_of(rows), Bags(), ["a", "b"]) == [["a", "b"]]  # 10 * 10 / 25 < 5


@pytest.mark.parametrize(("count", "cut"), [(11, 1), (13, 2)])
def test_an_unknown_word_counts_half(count, cut):
    """`a | u v` is worth 6 * 1, `a u | v` half of the count of `a u`, for `v` is unknown."""
    rows = [("a", "x", 6, 1.0), ("u v", "y", 1, 1.0), ("a u", "z", count, 1.0)]
    words = ["a", "u", "v"]
    assert native_segments(table_of(rows), Bags(), words) == [words[:cut], words[cut:]]


def test_at_ties_longer_phrases_win():
    table = table_of([("a", "x", 2, 1.0), ("b", "y", 2, 1.0), ("a b", "z", 1, 1.0)])
    # 2 / 4 * 2 / 4 = 1 / 4
    found = _native.pivot_segments(table.native, 4.0, Bags().native, ["a", "b"])
    assert found == [(0, 2)]


def test_edge_threshold_is_strict():
    table = table_of([("a", "x", 1, 0.5), ("a", "y", 1, 0.25), ("a", "z", 1, 0.125)])
    kept = {0: "xyz", 0.125: "xy", 0.2: "xy", 0.25: "x", 0.4: "x", 0.5: "x", 1: "x"}  # never none
    for threshold, letters in kept.items():
        bag = native_bag(table, bags_with(edge_threshold=threshold, renormalise=False), ["a"])
        assert bag == {(letter,): {"x": 0.5, "y": 0.25, "z": 0.125}[letter] for letter in letters}
        shares = native_bag(table, bags_with(edge_threshold=threshold), ["a"])
        assert shares == pytest.approx({gram: w / sum(bag.values()) for gram, w in bag.items()})


def test_ngram_threshold_is_strict():
    table = table_of([("a", "x", 1, 0.5), ("a", "y", 1, 0.25)])
    for threshold, letters in {0: "xy", 0.2499: "xy", 0.25: "x", 0.5: "", 1: ""}.items():
        bags = bags_with(ngram_threshold=threshold, renormalise=False)
        assert "".join(gram for (gram,) in native_bag(table, bags, ["a"])) == letters
    # The weight of all places together counts, not that of one.
    assert native_bag(table, bags_with(ngram_threshold=0.5, renormalise=False), ["a", "a"]) == {
        ("x",): 1.0
    }


@settings(max_examples=200, deadline=None)
@given(tables(), SENTENCES, SENTENCES, BAGS)
def test_f1_is_symmetric_within_0_and_1(table, left, right, bags):
    sums, known = overlap(table, bags, [(left, right), (right, left), (left, left)])
    assert sums[0][:, [0, 2, 1]].tolist() == sums[1].tolist()
    assert sums[2][:, 0].tolist() == sums[2][:, 1].tolist() == sums[2][:, 2].tolist()
    assert known[0] == known[1]
    assert (sums >= 0).all()
    assert (sums[..., 0] <= np.minimum(sums[..., 1], sums[..., 2])).all()


def random_sentences(seed, size):
    draw = np.random.default_rng(seed)
    return [list(draw.choice(list(ENGLISH), draw.integers(0, 9))) for _ in range(size)]


def test_threads_do_not_change_a_bit():
    draw = np.random.default_rng(3)
    phrases = {" ".join(draw.choice(list("abcd"), draw.integers(1, 5))) for _ in range(60)}
    table = table_of(
        [(phrase, pivot, 5, draw.random()) for phrase in sorted(phrases) for pivot in ("x", "x y")]
    )
    some = random_sentences(4, 150)
    pairs = list(zip(some, some[::-1], strict=True)) + [(some[0], right) for right in some]
    bags = bags_with(orders=4)
    sums, known = overlap(table, bags, pairs)
    assert 0 < sums[:, :, 0].sum() < sums[:, :, 1].sum()
    for threads in (2, 5):
        again, knew = overlap(table, bags, pairs, threads)
        assert again.tobytes() == sums.tobytes()
        assert knew.tobytes() == known.tobytes()
    alone = [overlap(table, bags, [pair])[0][0].tobytes() for pair in pairs]
    assert alone == [row.tobytes() for row in sums]


@pytest.mark.parametrize(
    ("left", "right"), [([0, 0], [0]), ([1], [0]), ([-1], [0]), ([0], [2**40])]
)
def test_pairs_of_sentences_that_are_not_there(left, right):
    table, read = table_of(GOLDEN), Pairs.of(["a"], ["a"], PLAIN)
    sides = [np.array(side, np.int64) for side in (left, right)]
    with pytest.raises(ValueError, match="pair"):
        _native.pivot_overlap(table.native, 1.0, Bags().native, *read[2:5], *sides, threads=1)
