"""Phrase pairs and phrase tables against the definitions."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.bitext import Links, Side
from otherwords.build.engine import DuckEngine
from otherwords.build.phrases import (
    PhraseTable,
    build_table,
    extract,
    phrase_spans,
    read_moses,
    write_moses,
)
from otherwords.build.phrases.extraction import order_keys
from otherwords.errors import InputError, UsageError
from tests.oracles import phrases as oracle


def side(sentences) -> Side:
    ids: dict[str, int] = {}
    tokens = [ids.setdefault(word, len(ids)) for words in sentences for word in words]
    bounds = [0, *accumulate(len(words) for words in sentences)]
    return Side(np.array(tokens, np.uint32), np.array(bounds, np.int64), list(ids))


def arrays(pairs) -> tuple[Side, Side, Links]:
    """The aligned bitext of a list of (left words, right words, set of links)."""
    flat = [link for _, _, links in pairs for link in sorted(links)]
    bounds = [0, *accumulate(len(links) for _, _, links in pairs)]
    ends = np.array(flat, np.uint32).reshape(-1, 2)
    links = Links(ends[:, 0], ends[:, 1], np.array(bounds, np.int64))
    return side([left for left, _, _ in pairs]), side([right for _, right, _ in pairs]), links


@st.composite
def sentence_pair(draw, longest=7, words="abc"):
    left = draw(st.lists(st.sampled_from(words), max_size=longest))
    right = draw(st.lists(st.sampled_from(words.upper()), max_size=longest))
    every = [(i, j) for i in range(len(left)) for j in range(len(right))]
    links = draw(st.sets(st.sampled_from(every), max_size=8)) if every else set()
    return left, right, links


bitexts = st.lists(sentence_pair(), max_size=6)


def make_table(pairs, path, *, threads=1, longest=4) -> PhraseTable:
    with DuckEngine(threads=threads) as engine:
        return build_table(*arrays(pairs), path, engine=engine, max_length=longest)


def rows_of(table) -> list[dict]:
    return [row for batch in table.batches() for row in batch.to_pylist()]


# Koehn, Statistical Machine Translation (2010), figure 5.4: a pair with an unaligned comma.
GEHT = "michael geht davon aus , dass er im haus bleibt".split()
ASSUMES = "michael assumes that he will stay in the house".split()
LINKS = {(0, 0), (1, 1), (1, 2), (1, 3), (2, 5), (3, 6), (4, 9), (5, 9), (6, 7), (7, 7), (8, 8)}
PHRASES = """michael = michael; michael assumes = michael geht davon aus; michael assumes =
michael geht davon aus ,; michael assumes that = michael geht davon aus , dass;
michael assumes that he = michael geht davon aus , dass er; michael assumes that he will stay in
the house = michael geht davon aus , dass er im haus bleibt; assumes = geht davon aus; assumes =
geht davon aus ,; assumes that = geht davon aus , dass; assumes that he = geht davon aus , dass
er; assumes that he will stay in the house = geht davon aus , dass er im haus bleibt; that = dass;
that = , dass; that he = dass er; that he = , dass er; that he will stay in the house = dass er im
haus bleibt; that he will stay in the house = , dass er im haus bleibt; he = er; he will stay in
the house = er im haus bleibt; will stay = bleibt; will stay in the house = im haus bleibt; in the
= im; in the house = im haus; house = haus"""


def test_the_phrase_pairs_of_koehns_book():
    found = [
        (" ".join(ASSUMES[i1 : i2 + 1]), " ".join(GEHT[j1 : j2 + 1]))
        for i1, i2, j1, j2 in phrase_spans(LINKS, len(ASSUMES), len(GEHT)).tolist()
    ]
    pairs = " ".join(PHRASES.split()).split("; ")
    assert len(pairs) == 24
    assert sorted(found) == sorted(tuple(pair.split(" = ")) for pair in pairs)


@settings(deadline=None)
@given(sentence_pair())
def test_the_phrase_pairs_of_nltk(pair):
    from nltk.translate.phrase_based import phrase_extraction

    left, right, links = pair
    theirs = phrase_extraction(" ".join(left), " ".join(right), links) if links else ()
    # Without a limit: with one, NLTK lets too long phrases through.
    ours = phrase_spans(links, len(left), len(right)).tolist()
    assert {((a, b + 1), (c, d + 1)) for a, b, c, d in ours} == {pair[:2] for pair in theirs}


@settings(deadline=None)
@given(sentence_pair(), st.integers(1, 8))
def test_spans_are_those_of_the_definition(pair, longest):
    left, right, links = pair
    ours = [tuple(box) for box in phrase_spans(links, len(left), len(right), longest).tolist()]
    assert len(ours) == len(set(ours))
    assert set(ours) == oracle.boxes(links, len(left), len(right), longest)


@settings(deadline=None)
@given(sentence_pair())
def test_minimal_spans_hold_no_other(pair):
    left, right, links = pair
    ours = phrase_spans(links, len(left), len(right), minimal=True).tolist()
    everything = oracle.boxes(links, len(left), len(right), 99)
    assert ours == sorted(ours)
    assert {tuple(box) for box in ours} == oracle.minimal(everything)
    assert len(ours) == len(oracle.minimal(everything))


def test_spans_refuse_what_is_no_alignment():
    for links in ([(0, 2)], [(2, 0)], [(-1, 0)]):
        with pytest.raises(InputError, match="outside of 2 and 2 words"):
            phrase_spans(links, 2, 2)
    with pytest.raises(UsageError, match="max_length"):
        phrase_spans([], 2, 2, 0)


@settings(deadline=None)
@given(bitexts, st.integers(1, 7))
def test_batches_count_the_phrase_pairs(pairs, longest):
    found: Counter = Counter()
    for batch in extract(*arrays(pairs), max_length=longest):
        for row in batch.to_pylist():
            found[row["source"], row["target"], row["alignment"]] += row["count"]
    expected = Counter(
        (s, t, " ".join(f"{i}-{j}" for i, j in sorted(links, key=lambda link: link[::-1])))
        for s, t, links in oracle.instances(pairs, longest)
    )
    assert found == expected


@settings(max_examples=25, deadline=None)
@given(st.lists(sentence_pair(5, "ab"), max_size=5), st.integers(1, 5))
def test_scores_are_those_of_the_definition(tmp_path_factory, pairs, longest):
    table = make_table(pairs, tmp_path_factory.mktemp("t") / "t.parquet", longest=longest)
    rows = rows_of(table)
    assert [(row["source"], row["target"]) for row in rows] == sorted(
        oracle.phrase_table(pairs, longest)
    )
    for row in rows:
        expected = oracle.phrase_table(pairs, longest)[row["source"], row["target"]]
        links = {tuple(map(int, link.split("-"))) for link in row["alignment"].split()}
        assert links == expected[4]
        scores = [row[name] for name in ("p_source", "lex_source", "p_target", "lex_target")]
        assert scores == pytest.approx([float(score) for score in expected[:4]], rel=1e-12)
        assert (row["count_target"], row["count_source"], row["count"]) == expected[5:]


def test_scores_by_hand(tmp_path):
    # "a" is linked to X twice and to Y once; "b" once to Y; "c" to nothing.
    pairs = [
        (["a"], ["X"], {(0, 0)}),
        (["a", "b"], ["X", "Y"], {(0, 0), (0, 1), (1, 1)}),
        (["a", "c"], ["X"], {(0, 0)}),
    ]
    rows = {
        (row["source"], row["target"]): row for row in rows_of(make_table(pairs, tmp_path / "t"))
    }
    assert set(rows) == {("a", "X"), ("a b", "X Y"), ("a c", "X")}
    both = rows["a b", "X Y"]
    # w(X|a) = 3/4, w(Y|a) = 1/4, w(Y|b) = 1; w(a|X) = 1, w(a|Y) = w(b|Y) = 1/2
    assert both["lex_target"] == pytest.approx(3 / 4 * (1 / 4 + 1) / 2)
    assert both["lex_source"] == pytest.approx((1 + 1 / 2) / 2 * 1 / 2)
    # p(X|a) = 2/2, p(a|X) = 2/3; c is explained by NULL: w(c|NULL) = 1
    assert (rows["a", "X"]["p_target"], rows["a", "X"]["p_source"]) == (1, pytest.approx(2 / 3))
    assert rows["a c", "X"]["lex_source"] == 1
    assert [rows["a", "X"][name] for name in ("count_target", "count_source", "count")] == [3, 2, 2]


def test_alignments_sort_as_moses_sorts_them():
    def by_target(links):
        return [[s for s in range(7) if links >> (7 * t + s) & 1] for t in range(7)]

    rng = np.random.default_rng(3)
    some = [int(x) & (1 << 49) - 1 for x in rng.integers(0, 2**49, 300)]
    some += [1 << k for k in range(49)] + [0, 3, 5, 7 << 7]
    keys = dict(zip(some, order_keys(np.array(some)).tolist(), strict=True))
    assert sorted(some, key=keys.__getitem__) == sorted(some, key=by_target)


def random_pairs(sentences, longest, seed):
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(sentences):
        lengths = rng.integers(0, longest, 2)
        left, right = ([f"w{k}" for k in rng.zipf(1.3, n) % 50] for n in lengths)
        links = set()
        if all(lengths):
            links = {(int(rng.integers(len(left))), int(rng.integers(len(right)))) for _ in left}
        pairs.append((left, right, links))
    return pairs


def test_threads_do_not_matter(tmp_path, monkeypatch):
    monkeypatch.setattr("otherwords.build.phrases.extraction.BLOCK_TOKENS", 500)
    pairs = random_pairs(300, 20, 1)
    blocks = len(list(extract(*arrays(pairs))))
    assert blocks > 5
    files = []
    for threads in (1, 3):
        path = tmp_path / f"{threads}.parquet"
        make_table(pairs, path, threads=threads)
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_blocks_do_not_matter(tmp_path, monkeypatch):
    pairs = random_pairs(200, 15, 2)
    whole = rows_of(make_table(pairs, tmp_path / "whole"))
    monkeypatch.setattr("otherwords.build.phrases.extraction.BLOCK_TOKENS", 100)
    assert rows_of(make_table(pairs, tmp_path / "parts")) == whole


def test_long_lines_and_empty_ones(tmp_path):
    words = [f"w{k % 700}" for k in range(5000)]
    none = (words, words, set())
    some = (words, words, {(0, 0), (4999, 4999)})  # nearly everything unaligned
    one = (words, ["x"], {(k, 0) for k in range(5000)})
    diagonal = (words, words, {(k, k) for k in range(5000)})

    def number(pairs, longest=4):
        batches = extract(*arrays(pairs), max_length=longest)
        return sum(sum(batch["count"].to_pylist()) for batch in batches)

    assert number([none, ([], [], set()), one, ([], words, set())]) == 0
    # at either end: n words with one link at the edge, so 7 x 7 boxes
    assert number([some], 7) == 2 * 7 * 7
    assert number([diagonal]) == 4 * 5000 - (1 + 2 + 3)
    table = make_table([none, some, one, diagonal], tmp_path / "t")
    assert all(np.isfinite(row["lex_source"]) for row in rows_of(table)[:1000])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a: (a[0], a[1], a[2]._replace(left=np.array([0, 9], np.uint32))), "past the end"),
        (lambda a: (a[0], a[1], a[2]._replace(left=np.array([1, 0], np.uint32))), "not sorted"),
        (lambda a: (a[0], a[1], a[2]._replace(right=np.array([0], np.uint32))), "one end only"),
        (lambda a: (a[0], a[1], a[2]._replace(bounds=np.array([0, 1, 2]))), "2"),
        (lambda a: (a[0]._replace(tokens=np.array([7, 7], np.uint32)), *a[1:]), "no word"),
        (lambda a: (a[0]._replace(bounds=np.array([0, 5])), *a[1:]), "bounds"),
        (lambda a: (a[0]._replace(bounds=np.array([], np.int64)), *a[1:]), "bounds"),
        (lambda a: (a[0]._replace(words=["\ud800", "b"]), *a[1:]), "surrogates"),
        (lambda a: (a[0]._replace(tokens=[0, -1]), *a[1:]), "not an aligned bitext"),
    ],
)
def test_arrays_that_do_not_fit(change, message):
    good = arrays([(["a", "b"], ["X", "Y"], {(0, 0), (1, 1)})])
    assert list(extract(*good))
    with pytest.raises(InputError, match=message):
        list(extract(*change(good)))


def test_lengths_are_checked():
    good = arrays([(["a"], ["X"], {(0, 0)})])
    for longest in (0, 8, 2.5, "4"):
        with pytest.raises(UsageError, match="max_length must be"):
            list(extract(*good, max_length=longest))


@pytest.fixture(scope="module")
def thrax(shared):
    """The sentence pairs of grammar/thrax-hiero-100, and the rules without nonterminals."""
    folder = shared / "grammar"
    with gzip.open(folder / "thrax-hiero-100.input.gz", "rt", encoding="utf-8") as file:
        fields = [[field.split() for field in line.split(" ||| ")] for line in file]
    pairs = [
        (left, right, {tuple(map(int, link.split("-"))) for link in links})
        for left, right, links in fields
    ]
    with gzip.open(folder / "thrax-hiero-100.rules.gz", "rt", encoding="utf-8") as file:
        rules = [tuple(line.split(" ||| ")[1:3]) for line in file]
    return pairs, {rule for rule in rules if "[X,1]" not in rule[0]}


@pytest.mark.data
def test_the_phrase_pairs_of_thrax(thrax):
    """Thrax keeps those whose first and last words are aligned, of up to ten words."""
    pairs, rules = thrax
    ours = set()
    for left, right, links in pairs:
        lefts, rights = ({link[side] for link in links} for side in (0, 1))
        for i1, i2, j1, j2 in phrase_spans(links, len(left), len(right), 10).tolist():
            if {i1, i2} <= lefts and {j1, j2} <= rights:
                ours.add((" ".join(left[i1 : i2 + 1]), " ".join(right[j1 : j2 + 1])))
    assert len(rules) == 4911
    assert ours == rules


@pytest.mark.data
def test_real_sentences_against_the_definition(thrax):
    pairs = thrax[0][:30]
    found: Counter = Counter()
    for batch in extract(*arrays(pairs), max_length=4):
        for row in batch.to_pylist():
            found[row["source"], row["target"]] += row["count"]
    assert found == Counter(pair[:2] for pair in oracle.instances(pairs, 4))


# Moses text


@settings(max_examples=10, deadline=None)
@given(bitexts)
def test_a_table_written_and_read_is_the_same(tmp_path_factory, pairs):
    folder = tmp_path_factory.mktemp("m")
    table = make_table(pairs, folder / "t.parquet")
    for name in ("t.txt", "t.txt.gz"):
        write_moses(table, folder / name)
        again = read_moses(folder / name, folder / "again.parquet")
        assert rows_of(again) == rows_of(table)


def test_moses_fields(tmp_path):
    pairs = [(["|||", "b"], ["X", "Y"], {(0, 0), (1, 0)}), (["b"], ["X"], {(0, 0)})]
    table = make_table(pairs, tmp_path / "t")
    path = tmp_path / "table.txt"
    write_moses(table, path)
    # w(||||X) = 1/3, w(b|X) = 2/3; w(X|.) = 1, w(Y|NULL) = 1
    assert path.read_text() == (
        "b ||| X ||| 0.5 0.6666666666666666 1 1 ||| 0-0 ||| 2 1 1\n"
        "&#124;&#124;&#124; b ||| X ||| 0.5 0.2222222222222222 0.5 1"
        " ||| 0-0 1-0 ||| 2 2 1\n"
        "&#124;&#124;&#124; b ||| X Y ||| 1 0.2222222222222222 0.5 1"
        " ||| 0-0 1-0 ||| 1 2 1\n"
    )
    assert {row["source"] for row in rows_of(read_moses(path, tmp_path / "u"))} == {"b", "||| b"}


def test_moses_as_moses_writes_it(tmp_path):
    path = tmp_path / "moses.txt"
    path.write_text(
        "le ||| the ||| 0.5 0.4 1 0.3 2.718 ||| 0-0  ||| 4 2 2 ||| |||\na ||| b ||| 1 1 1 1\n"
    )
    first, second = rows_of(read_moses(path, tmp_path / "t"))
    assert (first["p_source"], first["lex_target"], first["count"]) == (0.5, 0.3, 2)
    assert (second["alignment"], second["count"]) == ("", None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a ||| b", "2 fields"),
        ("", "1 fields"),
        ("a ||| ||| 1 1 1 1", "a phrase is empty"),
        ("a ||| b ||| 1 1 1", "3 scores"),
        ("a ||| b ||| 1 1 1 x", "'x' is not a probability"),
        ("a ||| b ||| 1 1 1 nan", "'nan' is not a probability"),
        ("a ||| b ||| 1 1 1 1.5", "not a probability"),
        ("a ||| b ||| 1 1 1 1 ||| 0:0", "'0:0' is not a link"),
        ("a ||| b ||| 1 1 1 1 ||| 0-1", "link 0-1 points past the end"),
        ("a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 2", "cannot be"),
        ("a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 inf", "not a whole number"),
    ],
)
def test_bad_lines_of_a_moses_table(tmp_path, line, message):
    path = tmp_path / "bad.txt"
    path.write_text(f"a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n{line}\n")
    with pytest.raises(InputError, match=message) as caught:
        read_moses(path, tmp_path / "t.parquet")
    assert (caught.value.path, caught.value.line) == (str(path), 2)
    assert not (tmp_path / "t.parquet").exists()


def test_files_that_are_no_tables(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    for content in (b"", b"PAR1", b"text"):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(InputError, match="Parquet"):
            PhraseTable.open(tmp_path / "x")
    with pytest.raises(InputError, match="no such file"):
        PhraseTable.open(tmp_path / "none")
    with pytest.raises(InputError, match="directory"):
        PhraseTable.open(tmp_path)
    pq.write_table(pa.table({"source": ["a"]}), tmp_path / "x")
    with pytest.raises(InputError, match="no column 'target'"):
        PhraseTable.open(tmp_path / "x")
    pq.write_table(pa.table({"source": [1]}), tmp_path / "x")
    with pytest.raises(InputError, match="holds int64, not string"):
        PhraseTable.open(tmp_path / "x")
