"""The packed table of paraphrases against a dictionary, and against damage."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.models import container
from otherwords.models.paraphrase_table import KIND, Packer, ParaphraseTable, pack
from tests.oracles.paraphrase_table import ParaphraseTable as Oracle
from tests.oracles.paraphrase_table import normal

ROUNDING = 2 ** (1 / 32)  # half a step of 1/16 of a power of two
LEAST = 2 ** (-255 / 16)

WORDS = st.sampled_from("the The a car AUTO auto É é 車 x".split())
SPACES = st.sampled_from([" ", "  ", "\t", "\u00a0"])
PHRASES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
    st.tuples(WORDS, SPACES, WORDS, SPACES).map("".join),
    st.integers(15, 18).map(lambda words: " ".join("y" * words)),
)
ROWS = st.lists(
    st.tuples(PHRASES, PHRASES, st.one_of(st.just(0.0), st.just(1.0), st.floats(1e-7, 1.0))),
    max_size=30,
)


def packed(rows):
    columns = zip(*rows, strict=True) if rows else [[], [], []]
    return pack(*map(list, columns))


def rounded(p):
    return pytest.approx(max(p, LEAST), rel=ROUNDING - 1 + 1e-9) if p else 0


@given(ROWS)
@settings(max_examples=120)
def test_says_what_a_dictionary_says(rows):
    oracle, made = Oracle(rows), packed(rows)
    table = ParaphraseTable.of(made)
    assert (len(table), table.pairs) == (len(oracle.phrases), len(oracle.probabilities))
    assert table.longest == oracle.longest
    asked = [*{phrase for a, b, _ in rows for phrase in (a, b)}, "not there", ""]
    for a in asked:
        targets = table.native.targets(a)
        numbers = [number for number, _ in targets]
        assert numbers == sorted(set(numbers))
        paraphrases = oracle.paraphrases(a)
        assert len(targets) == len(paraphrases)
        for b in asked:
            assert table.probability(a, b) == rounded(oracle.probability(a, b))
        for b, p in paraphrases.items():
            (number,) = table.native.lookup(_native.hash_words([b]))
            assert dict(targets)[number] == rounded(p)
    skipped = sum(made.provenance["skipped"].values())
    assert made.provenance["pairs"] + skipped == made.provenance["rows"] == len(rows)


@given(ROWS, st.randoms(), st.integers(1, 7))
@settings(max_examples=40)
def test_neither_order_nor_batches_matter(rows, random, size):
    shuffled = list(rows)
    random.shuffle(shuffled)
    packer = Packer()
    for start in range(0, len(rows), size):
        packer.add(*map(list, zip(*shuffled[start : start + size], strict=True)))
    one, two = packed(rows), packer.packed()
    assert ParaphraseTable.of(one).digest == ParaphraseTable.of(two).digest
    assert one.provenance == two.provenance


def test_normal_phrases():
    keys, words = _native.phrase_keys(["  A\tCar \u3000", "a car", "", " \u200b", "É"])
    assert keys[0] == keys[1] == _native.hash_words(["a car"])[0]
    assert words.tolist() == [2, 2, 0, 0, 1]
    assert keys[4] == _native.hash_words(["é"])[0]


def generated(pairs, seed=1):
    random = np.random.default_rng(seed)
    places = random.integers(0, pairs // 3 + 1, (pairs, 2)).tolist()
    return [f"e{a} w" for a, _ in places], [f"e{b} w" for _, b in places], random.random(pairs)


def test_many_look_ups_at_once():
    table = ParaphraseTable.of(pack(*generated(5_000)))
    names = [f"e{i} w" for i in range(2_000)]
    keys = _native.hash_words(names)
    found = table.native.lookup(keys)
    assert len(set(found[found >= 0].tolist())) == len(table)
    assert found.tolist() == [table.native.lookup(keys[i : i + 1])[0] for i in range(len(keys))]
    assert (table.native.lookup(_native.hash_words(["absent"])) == -1).all()


def test_thousands_of_pairs():
    columns = generated(20_000)
    oracle = Oracle(zip(*columns, strict=True))
    table = ParaphraseTable.of(pack(*columns))
    assert table.pairs == len(oracle.probabilities)
    for (a, b), p in list(oracle.probabilities.items())[::7]:
        assert table.probability(a, b) == rounded(p)
        assert table.probability(b, a) == rounded(oracle.probability(b, a))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("", "b", 1), "row 2: a phrase is empty"),
        (("a", " \u00a0", 1), "row 2: a phrase is empty"),
        (("a", "b", -0.1), "row 2: -0.1 is not a probability"),
        (("a", "b", 1.1), "row 2: 1.1 is not a probability"),
        (("a", "b", float("nan")), "row 2: nan is not a probability"),
    ],
)
def test_rows_that_are_refused(row, message):
    with pytest.raises(InputError, match=message):
        packed([("ok", "fine", 1), row])
    with pytest.raises(InputError, match="1 phrases, 2 paraphrases, 1 probabilities"):
        pack(["a"], ["b", "c"])


@given(st.data())
@settings(max_examples=200)
def test_damaged_arrays_never_crash(data):
    arrays = dict(pack(*generated(60)).arrays)
    name = data.draw(st.sampled_from(sorted(arrays)))
    damaged = arrays[name].copy()
    raw = damaged.view(np.uint8)
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(damaged)))
    arrays[name] = damaged[:cut] if data.draw(st.booleans()) else damaged
    try:
        table = ParaphraseTable(container.in_memory("x", KIND, arrays, {}))
    except ModelError:
        return
    assert table.longest <= 16
    names = [f"e{i} w" for i in range(22)]
    for a in names:
        assert all(0 < p <= 1 for _, p in table.native.targets(a))
        assert all(0 <= table.probability(a, b) <= 1 for b in names)
    keys = np.arange(0, 2**64, 2**57 + 12345, dtype=np.uint64)
    assert np.all(table.native.lookup(keys) < len(table))


def test_arrays_of_another_type_are_refused():
    arrays = pack(*generated(10)).arrays
    for name, array in arrays.items():
        others = {other: arrays[other] for other in arrays if other != name}
        for broken in ({**others, name: array.astype(np.float32)}, others):
            with pytest.raises(ModelError, match=name):
                ParaphraseTable(container.in_memory("x", KIND, broken, {}))


def test_a_lone_surrogate():
    with pytest.raises(InputError, match="surrogate"):
        ParaphraseTable.of(pack(["a"], ["b"])).probability("\ud800", "b")


# --- files and names ------------------------------------------------------------------------


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("a car\tan auto\t0.5\n")
    return path


def test_a_text_file_is_read_again_when_it_changes(text):
    first = ParaphraseTable.load(text)
    assert first.probability("a car", "an auto") == 0.5
    assert first.model.provenance["source"] == "pairs.tsv"
    assert ParaphraseTable.load(str(text)).digest == first.digest
    text.write_text("a car\tan auto\t0.25\n")
    assert ParaphraseTable.load(text).probability("a car", "an auto") == 0.25
    assert ParaphraseTable.load(text, "tsv").pairs == 1


def test_a_packed_file(tmp_path):
    path = tmp_path / "t.owm"
    made = pack(["a car"], ["an auto"], [0.5])
    container.write(path, KIND, made.arrays, made.provenance)
    table = ParaphraseTable.load(path)
    assert table.probability("A  car", "an auto") == 0.5
    assert table.digest == ParaphraseTable.of(made).digest
    container.write(path, "lexicon", made.arrays, {})
    with pytest.raises(ModelError, match="a paraphrase-table model is needed"):
        ParaphraseTable.load(path)
    with pytest.raises(InputError, match="no such file; a file of paraphrases is needed"):
        ParaphraseTable.load(tmp_path / "none")
    with pytest.raises(InputError, match="this is a directory"):
        ParaphraseTable.load(tmp_path)


def test_opening_needs_no_tables(text):
    code = (
        "import sys\nfrom otherwords.models.paraphrase_table import ParaphraseTable\n"
        "ParaphraseTable.load(sys.argv[1])\n"
        "assert not {'duckdb', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, text], check=True)


def test_normal_in_the_oracle():
    assert normal(" A\u00a0 Car\t") == "a car"
