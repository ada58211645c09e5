"""Frames go into every function that takes rows, and keep their index."""

from __future__ import annotations

from importlib.util import find_spec

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

import otherwords
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.records import is_frame
from otherwords.errors import InputError, UsageError
from otherwords.study.agreement import agreement

COLUMNS = {
    "hypothesis": ["the cat sat", "a dog ran", "it rains", "a cat", "the dog", "it snows"],
    "reference": ["the cat sat down", "the dog ran", "it rained"] * 2,
    "system": list("aaabbb"),
    "human.da": [3.0, 2.0, 5.0, 1.0, 1.0, 2.0],
}


class Capsule:
    """An object with the Arrow PyCapsule interface and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def polars(columns):
    import polars

    return polars.DataFrame(columns)


def duck(columns):
    table = pa.table(columns)
    return duckdb.connect().from_arrow(table)


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pytest.param(
        polars, marks=pytest.mark.skipif(find_spec("polars") is None, reason="no polars")
    ),
    "table": pa.table,
    "reader": lambda columns: pa.table(columns).to_reader(),
    "duckdb": duck,
    "capsule": lambda columns: Capsule(pa.table(columns)),
}


@pytest.fixture(params=FRAMES.values(), ids=FRAMES)
def frame(request):
    return request.param


@pytest.fixture(scope="module")
def rows():
    return list(read_rows(COLUMNS))


def test_every_function_reads_a_frame(frame, rows):
    assert is_frame(frame(COLUMNS))
    scored, wanted = otherwords.score("chrf", frame(COLUMNS)), otherwords.score("chrf", rows)
    for name in "ab":
        assert scored.of(name).segments.tolist() == wanted.of(name).segments.tolist()
    found, wanted = (otherwords.compare("chrf", given) for given in (frame(COLUMNS), rows))
    assert found["a", "chrf"].difference == wanted["a", "chrf"].difference
    found, wanted = (agreement(given, ["chrf"]) for given in (frame(COLUMNS), rows))
    assert str(found) == str(wanted)
    one = {name: values[:3] for name, values in COLUMNS.items()}
    rules = otherwords.Rules(fail_under=1)
    found = otherwords.gate("chrf", frame(one), rules=rules, baseline=frame(one))
    assert found.scores.metrics["chrf"].score == otherwords.score("chrf", rows[:3]).corpus


def test_candidates_of_a_frame_are_ranked(frame):
    source, texts = "It rained.", ["It snowed.", "Rain fell."]
    [wanted] = otherwords.rank([(source, texts)])
    for columns in (
        {"source": [source] * 2, "hypothesis": texts},
        {"source": [source], "candidates": [texts]},
    ):
        [found] = otherwords.rank(frame(columns))
        assert [one.hypothesis for one in found.ranked] == [one.hypothesis for one in wanted.ranked]


def test_judgements_of_pairs_in_a_frame(frame):
    columns = {"better": ["the cat sat"], "worse": ["a dog"], "reference": ["the cat sat"]}
    result = agreement(frame(columns), ["chrf"])
    assert result.metric("chrf").estimates["segment", "better-worse"].value == 1.0


def test_segments_keep_the_index_of_pandas(rows):
    frame = pd.DataFrame(COLUMNS, index=list("uvwxyz"))
    mixed = frame.iloc[[0, 3, 1, 4, 2, 5]]  # the systems alternate
    found = otherwords.score("chrf", mixed).to_frame()
    assert sorted(found.index) == list("uvwxyz")
    assert found["system"].to_dict() == frame["system"].to_dict()
    for name, place in zip("uvwxyz", range(6), strict=True):
        alone = otherwords.score("chrf", [rows[place].hypothesis], [rows[place].references])
        assert found.loc[name, "chrf"] == alone.corpus
    columns = otherwords.score("chrf", frame["hypothesis"], frame["reference"]).to_frame()
    assert columns.index.tolist() == list("uvwxyz")


def test_a_column_is_no_frame():
    for column in (pd.Series(["a"]), pa.array(["a"]), pa.chunked_array([["a"]]), ["a"]):
        assert not is_frame(column)
        assert otherwords.score("mup", column, column).corpus == 1.0


def test_a_column_of_human_scores_has_a_name():
    columns = {"hypothesis": ["it rained"], "reference": ["it rains"], "da": [3.0]}
    with pytest.raises(UsageError, match=r"a column of a table with such scores is human\.NAME$"):
        agreement(pd.DataFrame(columns), ["chrf"], "da")


def test_wrong_frames_are_refused():
    with pytest.raises(UsageError, match="a gate checks one system; these rows are of 2"):
        otherwords.gate("chrf", pd.DataFrame(COLUMNS), rules=otherwords.Rules(fail_under=1))
    with pytest.raises(InputError, match="no column is named 'hypothesis'"):
        otherwords.score("chrf", Capsule(pa.table({"x": ["a"]})))
