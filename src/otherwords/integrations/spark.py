"""Metrics and tokenizers over Spark DataFrames: executors score and tokenize their rows.

Each executor maps a metric's model once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import DataType, DoubleType, StringType, StructField, StructType

import otherwords
from otherwords.build.bitext.corpus import check_tokenizers, choose_tokenizer, encode
from otherwords.build.engine.spark import map_rows
from otherwords.errors import UsageError, near

_LOOKED_AT = 100  # rows scored first, so that mistakes are reported before Spark starts


def score(
    frame: DataFrame,
    metric: str,
    *,
    hypothesis: str = "hypothesis",
    references: str | None = "references",
    source: str | None = "source",
    into: str | None = None,
    **options: Any,
) -> DataFrame:
    """The rows of a DataFrame with their score by a metric, in a column named after the metric.

    `hypothesis`, `references` (texts or arrays of texts) and `source` name columns. A DataFrame
    without a column `references` or `source` is scored without them; other names must be those of
    its columns, and None leaves them out. `into` names the new column.
    Scores are those of `otherwords.score(metric, ..., **options)`; the rows keep their columns, and
    are scored when Spark needs them. The package must be installed where Python workers run.
    """
    name = into or metric
    types = _with_column(frame, hypothesis, name, DoubleType())
    columns = {
        "references": _find_optional(frame, references, "references"),
        "sources": _find_optional(frame, source, "source"),
    }
    scorer = _Scorer(metric, name, hypothesis, columns, options)
    for _ in scorer(frame.limit(_LOOKED_AT).toArrow().to_batches()):
        pass
    # The language was checked on the first rows; small batches may be too short for that.
    scorer = replace(scorer, options={**options, "any_language": True})
    return map_rows(frame, scorer, types)


def tokenize(
    frame: DataFrame,
    column: str = "text",
    *,
    tokenizer: str = "auto",
    case: bool = True,
    into: str = "tokens",
) -> DataFrame:
    """The rows of a DataFrame with the tokens of a column of texts, separated by spaces.

    The tokens are those of `align` and `extract`, which read this column with
    `--tokenizer none`; without `case` they are in lower case. `auto` looks at the first rows. A
    missing text stays missing. The package must be installed where Python workers run.
    """
    names = check_tokenizers(tokenizer)
    if names[0] != names[1]:
        raise UsageError(f"a column has one tokenizer; '{tokenizer}' names two")
    types = _with_column(frame, column, into, StringType())
    if not isinstance(frame.schema[column].dataType, StringType):
        dtype = frame.schema[column].dataType.simpleString()
        raise UsageError(f"the column '{column}' holds {dtype}; texts (string) are needed")
    first = frame.select(column).dropna().limit(_LOOKED_AT).toArrow()[0].to_pylist()
    chosen = choose_tokenizer(first) if tokenizer == "auto" else tokenizer
    encode(first, chosen)  # reports mistakes before Spark starts
    return map_rows(frame, _Tokenizer(column, into, chosen, case), types)


def _find_optional(frame: DataFrame, column: str | None, usual: str) -> str | None:
    """The column if the DataFrame has it. Only a column of the usual name may be missing."""
    if column is None or (column == usual and column not in frame.columns):
        return None
    return _check_column(frame, column)


def _check_column(frame: DataFrame, column: str) -> str:
    if column not in frame.columns:
        raise UsageError(f"there is no column '{column}'; {near(column, frame.columns)}")
    return column


def _with_column(frame: DataFrame, column: str, new: str, kind: DataType) -> StructType:
    """The columns of a DataFrame and a new one that is computed from `column`."""
    _check_column(frame, column)
    for old in frame.columns:
        if old.lower() == new.lower():  # Spark ignores the case of column names
            raise UsageError(f"there is a column '{old}' already; name another one with into=")
    return StructType([*frame.schema.fields, StructField(new, kind)])


@dataclass(frozen=True)
class _Scorer:
    """Adds a column of scores to batches of rows."""

    metric: str
    name: str
    hypothesis: str
    columns: dict[str, str | None]
    options: dict[str, Any]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = {
                what: batch[column].to_pylist()
                for what, column in self.columns.items()
                if column is not None
            }
            hypotheses = batch[self.hypothesis].to_pylist()
            if hypotheses:
                result = otherwords.score(self.metric, hypotheses, **texts, **self.options)
                yield batch.append_column(self.name, pa.array(result.segments, pa.float64()))


@dataclass(frozen=True)
class _Tokenizer:
    """Adds a column of tokens to batches of rows."""

    column: str
    name: str
    tokenizer: str
    case: bool

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = batch[self.column].to_pylist()
            side = encode((text or "" for text in texts), self.tokenizer, case=self.case)
            tokens = [
                None if text is None else " ".join(side.sentence(row))
                for row, text in enumerate(texts)
            ]
            yield batch.append_column(self.name, pa.array(tokens, pa.string()))
