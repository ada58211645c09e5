"""The packed pivot table against dictionaries, and against damage."""

from __future__ import annotations

import threading

import numpy as np
import pyarrow as arrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models import container
from otherwords.models.arrays import Strings
from otherwords.models.paraphrase_model import PivotTable
from otherwords.models.pivot_packing import Packing, pack
from tests.oracles.pivot_table import PivotTable as Oracle

ROUNDING = 2 ** (1 / 32)  # half a step of 1/16 of a power of two
NEAR_THRESHOLDS = 1.0375  # nearly a whole step, so that a value stays on its side of .1 or .01
LEAST = 2 ** (-255 / 16)

WORDS = st.sampled_from("the a car auto maison voiture ça 車 x".split())
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
PROBABILITIES = st.floats(1e-7, 1.0)


@st.composite
def tables(draw):
    """Rows in any order, one N(e) for each e, each (e, f) once."""
    counts = draw(st.dictionaries(PHRASES, st.integers(1, 2_000_000), max_size=12))
    rows = [
        (phrase, pivot, count, draw(PROBABILITIES), draw(PROBABILITIES))
        for phrase, count in counts.items()
        for pivot in draw(st.sets(PHRASES, min_size=1, max_size=6))
    ]
    return draw(st.permutations(rows))


def packed(rows, **options):
    columns = zip(*rows, strict=True) if rows else [[], [], [], [], []]
    return pack(*map(list, columns), **options)


def near_count(count, quantise=True):
    """Half a step of 1/8 of a power of two, then to the nearest whole number."""
    within = count * (2 ** (1 / 16) - 1) + (0.5 if count else 0)
    return pytest.approx(count, abs=within) if quantise else count


def rounded(p, quantise=True):
    return pytest.approx(max(p, LEAST), rel=NEAR_THRESHOLDS - 1) if quantise else p


@given(tables(), st.sampled_from([2, 3, 4]), st.booleans())
@settings(max_examples=80, deadline=None)
def test_says_what_dictionaries_say(rows, key_bytes, quantise):
    oracle = Oracle(rows)
    packing = Packing(key_bytes=key_bytes, quantise=quantise)
    table = PivotTable(packed(rows, packing=packing).arrays)
    assert len(table) == len(oracle.counts)
    assert table.total == sum(oracle.totals.values())
    for length in range(6):
        assert table.total_of_length(length) == oracle.totals[length]
    phrases = [*oracle.counts, "not there", "car x car x car"]
    for phrase in phrases:
        assert table.count(phrase) == near_count(oracle.count(phrase), quantise)
        expected = oracle.edges(phrase)
        assert {edge.words for edge in table.edges(phrase)} == set(expected)
        for words, forward, backward in table.edges(phrase):
            assert forward == rounded(expected[words][0], quantise)
            assert backward == rounded(expected[words][1], quantise)
    for a in phrases:
        for b in phrases:
            assert table.share_pivot(a, b) == oracle.share_pivot(a, b)
            exact = oracle.paraphrase_probability(a, b)
            if not quantise:
                assert table.paraphrase_probability(a, b) == pytest.approx(min(exact, 1))
                continue
            # Each factor is off by 3.7 % or raised to 2^-15.9; a sum of up to six of them.
            off = NEAR_THRESHOLDS**2
            low, high = exact / off, exact * off + 6 * 2 * LEAST * ROUNDING
            assert min(low, 1) - 1e-12 <= table.paraphrase_probability(a, b) <= min(high, 1)


@given(tables(), st.floats(0, 1), st.integers(1, 4), st.integers(1, 1000))
@settings(max_examples=60, deadline=None)
def test_pruning(rows, min_probability, top, min_count):
    made = packed(rows, packing=Packing(min_probability, top, min_count, quantise=True))
    table = PivotTable(made.arrays)
    oracle = Oracle(rows, min_probability, top, min_count)
    assert len(table) == len(oracle.translations)
    for phrase in oracle.counts:
        expected = sorted(oracle.edges(phrase).values(), reverse=True)
        edges = table.edges(phrase)
        assert len(edges) == len(expected)
        for edge, (forward, _) in zip(edges, expected, strict=True):
            assert edge.forward == rounded(forward)
    dropped = made.provenance["dropped"]
    assert made.provenance["edges"] + sum(dropped.values()) == len(rows)
    assert made.provenance["packing"]["min_probability"] == min_probability


@given(tables(), st.randoms())
@settings(max_examples=20, deadline=None)
def test_the_order_of_rows_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, two = packed(rows), packed(shuffled)
    assert one.provenance == two.provenance
    assert list(one.arrays) == list(two.arrays)
    for name, array in one.arrays.items():
        assert array.tobytes() == two.arrays[name].tobytes(), name


def test_quantised_numbers():
    probabilities = np.exp2(-np.arange(0, 15.5, 0.01))
    names = [f"e{i}" for i in range(len(probabilities))]
    packing = Packing(quantise=True)
    made = pack(names, names, np.ones(len(names)), probabilities, probabilities, packing)
    table = PivotTable(made.arrays)
    for name, p in zip(names, probabilities, strict=True):
        ((_, forward, backward),) = table.edges(name)
        assert forward == backward
        assert [forward > 0.1, forward > 0.01] == [p > 0.1, p > 0.01]
        near = min(abs(p - 0.1) / 0.1, abs(p - 0.01) / 0.01) < 0.03
        step = NEAR_THRESHOLDS if near else ROUNDING * (1 + 1e-12)
        assert p / step <= forward <= p * step
    numbers = [*range(1, 14), 20, 100, 12_345, 1_000_000, 2**31 - 1]
    names = [f"n{number}" for number in numbers]
    ones = np.ones(len(names))
    table = PivotTable(pack(names, names, numbers, ones, ones, packing).arrays)
    assert [table.count(f"n{n}") for n in range(1, 14)] == list(range(1, 14))
    for number in numbers:
        assert table.count(f"n{number}") == near_count(number)


def generated(phrases, seed=1):
    """A table of many phrases, with numbers for words."""
    random = np.random.default_rng(seed)
    english = [f"e{i} w{i % 7}" for i in range(phrases)]
    rows = np.repeat(np.arange(phrases), 2)
    pivots = [f"f{i % (phrases // 2)} g{i % 3}" for i in range(2 * phrases)]
    forward = random.uniform(0.01, 0.5, 2 * phrases)
    counts = np.repeat(random.integers(1, 500, phrases), 2)
    return [english[i] for i in rows], pivots, counts, forward, forward


def test_large_table_false_positives_and_batches():
    columns = generated(20_000)
    made = pack(*columns, Packing(key_bytes=2))
    table = PivotTable(made.arrays)
    collided = made.provenance["dropped"]["rows_of_colliding_phrases"] // 2
    assert len(table) == 20_000 - collided
    # 12 bits of bucket and 16 more: 20,000^2 / 2^29 pairs of phrases look alike.
    assert collided < 8
    absent = _native.hash_words([f"absent {i}" for i in range(200_000)])
    counts, _, _ = table.native.lookup(absent)
    # 4.9 entries per bucket, 2^-16 each: 15 expected.
    assert 2 <= np.count_nonzero(counts) <= 40
    keys = _native.hash_words(sorted(set(columns[0])))
    once = table.native.lookup(keys, threads=1)
    for threads in (2, 3, 8):
        for one, other in zip(once, table.native.lookup(keys, threads=threads), strict=True):
            assert np.array_equal(one, other)
    found, first, end = once
    for name, count, degree in zip(sorted(set(columns[0])), found, end - first, strict=True):
        assert table.count(name) == count
        assert len(table.edges(name)) == degree


def test_all_phrases_of_a_sentence():
    rows = [("the old car", "a", 3, 1.0, 1.0), ("old", "b", 2, 1.0, 1.0), ("car", "c", 1, 1, 1)]
    table = PivotTable(packed(rows).arrays)
    sentences = [["the", "old", "car"], [], ["the"], ["old", "car"]]
    of_first = [[0, 0, 3], [2, 0, 0], [1, 0, 0]]
    assert table.counts(sentences, 3).tolist() == [*of_first, [0, 0, 0], [2, 0, 0], [1, 0, 0]]
    assert table.counts([], 4).shape == (0, 4)
    many = sentences * 500
    assert np.array_equal(table.counts(many), table.counts(many, threads=3))
    with pytest.raises(InputError, match="surrogate"):
        table.counts([["\ud800"]])
    with pytest.raises(UsageError, match="longest"):
        table.counts([["a"]], longest=17)


def test_empty_table():
    table = PivotTable(packed([]).arrays)
    assert len(table) == table.total == table.count("a") == 0
    assert table.edges("a") == []


def test_arrow_columns():
    english, pivots, *numbers = generated(100)
    chunked = arrow.chunked_array([arrow.array(english[:30]), arrow.array(english[30:])])
    sliced = arrow.array(["x", *pivots, "y"]).slice(1, len(pivots))
    assert Strings.of(sliced).hashes.tolist() == _native.hash_words(pivots).tolist()
    plain = pack(english, pivots, *numbers).arrays
    for name, array in pack(chunked, sliced, *map(arrow.array, numbers)).arrays.items():
        assert array.tobytes() == plain[name].tobytes()
    assert len(Strings.of(arrow.chunked_array([], "string")).hashes) == 0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("", "f", 1, 1, 1), "row 2: the phrase '' is not 1 to 16 words"),
        (("a  b", "f", 1, 1, 1), "single spaces"),
        (("e", " f", 1, 1, 1), "the pivot phrase ' f'"),
        (("e", " ".join("f" * 17), 1, 1, 1), "the pivot phrase"),
        (("e", "f", 0, 1, 1), "the count is 0"),
        (("e", "f", float("nan"), 1, 1), "the count is nan"),
        (("e", "f", 1, 0, 1), r"p\(f\|e\) is 0"),
        (("e", "f", 1, 1, float("nan")), r"p\(e\|f\) is nan"),
        (("e", "f", 1, 1, 1.1), r"p\(e\|f\) is 1.1"),
        (("ok", "other", 2, 1, 1), "another count"),
        (("ok", "fine", 1, 1, 1), "row 2: 'ok' has this translation twice"),
    ],
)
def test_rows_that_are_refused(row, message):
    with pytest.raises(InputError, match=message):
        packed([("ok", "fine", 1, 1, 1), row])


def test_options_that_are_refused():
    for name, value in {"min_probability": 2, "top": 0, "min_count": 0, "key_bytes": 5}.items():
        with pytest.raises(UsageError, match=name):
            Packing(**{name: value})
    with pytest.raises(InputError, match="2 rows but 1 counts"):
        pack(["a", "b"], ["c", "d"], [1], [1, 1], [1, 1])


def look_at_everything(table):
    """Whatever the arrays hold: sound types, probabilities, no crash."""
    for phrase in ("e1 w1", "e7 w0", "absent"):
        assert table.count(phrase) >= 0
        for _, forward, backward in table.edges(phrase):
            assert 0 < forward <= 1
            assert 0 < backward <= 1
        assert 0 <= table.paraphrase_probability("e1 w1", phrase) <= 1
    keys = np.arange(0, 2**64, 2**57 + 12345, dtype=np.uint64)
    _, first, end = table.native.lookup(keys)
    assert np.all(first <= end)
    assert np.all(end <= table.native.edge_count)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_arrays_never_crash(data):
    packing = Packing(key_bytes=3, quantise=data.draw(st.booleans()))
    arrays = dict(pack(*generated(60), packing).arrays)
    name = data.draw(st.sampled_from(sorted(arrays)))
    damaged = arrays[name].copy()
    raw = damaged.reshape(-1).view(np.uint8)
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    rows = data.draw(st.integers(0, len(damaged)))
    arrays[name] = damaged[:rows] if data.draw(st.booleans()) else damaged
    try:
        table = PivotTable(arrays)
    except ModelError:
        return
    look_at_everything(table)


def test_arrays_of_another_type_are_refused():
    arrays = pack(*generated(10)).arrays
    for name, array in arrays.items():
        with pytest.raises(ModelError):
            PivotTable({**arrays, name: array.astype(np.float32)})
        with pytest.raises(ModelError):
            PivotTable({other: arrays[other] for other in arrays if other != name})


def test_threads_share_a_mapped_table(tmp_path):
    columns = generated(5_000)
    arrays = pack(*columns).arrays
    path = tmp_path / "t.owm"
    container.write(path, "paraphrase", {f"pivot/fr/{k}": v for k, v in arrays.items()}, {})
    table = PivotTable(container.read(path).section("pivot/fr"))
    names = sorted(set(columns[0]))
    expected = [table.edges(name) for name in names]
    results = []

    def work():
        results.append([table.edges(name) for name in names])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4
