"""Which rows of a phrase table the embedded pivots keep (tools/select_pivots.py)."""

from __future__ import annotations

import gzip

import numpy as np
import pyarrow as pa
import pytest
from tools import select_pivots
from tools.select_pivots import Selection, chosen, folded, forms, in_bible, likely, mixed, part_of

from otherwords.build.bitext.corpus import Bitext, encode
from otherwords.build.bitext.links import Links
from otherwords.build.engine import DuckEngine
from otherwords.build.phrases.table import build_table
from otherwords.models.paraphrase_model import PivotTable
from otherwords.models.pivot_packing import Packing, pack

ROWS = [  # e, f, N(e), N(f), c(e, f), c in verses, N(e) in verses
    ("forward", "avant", 50, 60, 40, 0, 0),
    ("put", "mettre", 90, 80, 60, 0, 0),
    ("put forth", "étendre", 64, 70, 64, 64, 64),
    ("put forward", "présentée", 40, 30, 15, 0, 0),
    ("put forward", "présenter", 40, 60, 20, 0, 0),
    ("put it", "mettre", 80, 80, 80, 0, 0),
]
NAMES = ["source", "target", "count_source", "count_target", "count"]
NAMES += ["verse_count", "verse_source"]


@pytest.fixture
def table():
    columns = zip(*ROWS, strict=True)
    found = pa.table({name: list(column) for name, column in zip(NAMES, columns, strict=True)})
    return select_pivots.table_of(found)


def as_dict(table, rows):
    return {
        (table.phrases[e], table.pivots[f]): p
        for e, f, p in zip(rows.phrase, rows.pivot, rows.forward, strict=True)
    }


def test_words_of_one_stem_are_one(table):
    side = encode(["présenter présenter présentée étendre avant mettre"], "words")
    one = folded(table, forms(side, "fr"))
    found = as_dict(one, one.rows)
    assert found["put forward", "présenter"] == pytest.approx(35 / 40)
    assert ("put forward", "présentée") not in found
    assert one.pivot_seen[one.pivots.index("présenter")] == 90
    assert forms(side, "zh") == {}


def test_registers_weigh_as_the_roots_of_their_counts():
    # 81 of 100 in the Bible, 2 of 4 elsewhere: (10 x .81 + 2 x .5) / (10 + 2)
    shares = mixed(*(np.array([float(n)]) for n in (81, 100, 2, 4)))
    assert shares[0] == pytest.approx((10 * 0.81 + 2 * 0.5) / 12)
    only = mixed(*(np.array([float(n)]) for n in (0, 0, 3, 4)))
    assert only[0] == pytest.approx(3 / 4)


def test_phrases_that_are_no_sum_of_their_words_come_first(table):
    rows = likely(table, Selection())
    kept = {table.phrases[place] for place in chosen(table, rows, phrases=2)}
    # `put it` is nothing but `put`: D = 0, and it is the most frequent of the three.
    assert kept == {"forward", "put", "put forth", "put forward"}
    assert {table.phrases[place] for place in chosen(table, rows, phrases=0)} == {"forward", "put"}


def test_unlikely_and_surplus_translations_go(table):
    assert len(likely(table, Selection(min_probability=0.4)).phrase) == 5
    assert len(likely(table, Selection(top=1)).phrase) == 5


def test_verses_are_found_and_counted(tmp_path):
    bible = tmp_path / "bible.tsv.gz"
    with gzip.open(bible, "wt", encoding="utf-8") as out:
        out.write("He put it there.\til le  mit\n")
    pairs = ["they put it\tils mettent", "he did put it\til le mit"]
    verses = in_bible(pairs, str(bible))
    assert verses.tolist() == [False, True]
    left = encode([pair.split("\t")[0] for pair in pairs], "penn")
    right = encode([pair.split("\t")[1] for pair in pairs], "words")
    links = Links(
        np.array([0, 1, 0, 2, 3], np.uint32),
        np.array([0, 1, 0, 2, 1], np.uint32),
        np.array([0, 2, 5], np.int64),
    )
    one, other, kept = part_of(Bitext(left, right), links, verses)
    assert one.sentence(0) == ["he", "did", "put", "it"]
    assert other.sentence(0) == ["il", "le", "mit"]
    assert kept.sentence(0) == [(0, 0), (2, 2), (3, 1)]
    with DuckEngine() as engine:
        build_table(left, right, links, tmp_path / "all.parquet", engine=engine)
        engine.table("phrases", tmp_path / "all.parquet")
        found, totals = select_pivots.rows_of(engine, one, other, kept, Selection(least=(1, 1)))
    rows = {(row["source"], row["target"]): row for row in found.to_pylist()}
    assert rows["put", "mit"]["verse_count"] == rows["put", "mit"]["count"] > 0
    assert rows["put", "mettent"]["verse_count"] == 0
    assert len(totals) == 4


def test_totals_of_the_whole_table_are_kept():
    packed = pack(["a"], ["x"], [3], [1.0], [1.0], Packing(), totals=[30, 20])
    assert PivotTable(packed.arrays).total == 50
    with pytest.raises(ValueError, match="totals"):
        pack(["a"], ["x"], [3], [1.0], [1.0], Packing(), totals=[2])
