"""Metrics over Spark DataFrames: executors score their rows, each with the model mapped once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import DoubleType, StructField, StructType

import otherwords
from otherwords.engine.spark import mapped
from otherwords.errors import UsageError, near

__all__ = ["score"]

_LOOKED_AT = 100  # rows that this process scores, so that mistakes are reported before the work


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

    `hypothesis`, `references` (texts or arrays of texts) and `source` name columns; `references`
    and `source` are left out where the DataFrame has no such column. `into` names the new column.
    Scores are those of `otherwords.score(metric, ..., **options)`; the rows keep their columns, and
    are scored when Spark needs them. The package must be installed where Python workers run.
    """
    name = into or metric
    if hypothesis not in frame.columns:
        raise UsageError(f"there is no column '{hypothesis}'; {near(hypothesis, frame.columns)}")
    if name in frame.columns:
        raise UsageError(f"there is a column '{name}' already; name another one with into=")
    given = {
        "references": references if references in frame.columns else None,
        "sources": source if source in frame.columns else None,
    }
    scorer = _Scorer(metric, name, hypothesis, given, options)
    for _ in scorer(frame.limit(_LOOKED_AT).toArrow().to_batches()):
        pass
    # A few rows do not show a language; the first ones have shown theirs.
    scorer = replace(scorer, options={**options, "any_language": True})
    types = StructType([*frame.schema.fields, StructField(name, DoubleType())])
    return mapped(frame, scorer, types)


@dataclass(frozen=True)
class _Scorer:
    """Batches of rows with one more column: their scores."""

    metric: str
    name: str
    hypothesis: str
    given: dict[str, str | None]
    options: dict[str, Any]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts = {
                what: batch[column].to_pylist()
                for what, column in self.given.items()
                if column is not None
            }
            hypotheses = batch[self.hypothesis].to_pylist()
            if hypotheses:
                found = otherwords.score(self.metric, hypotheses, **texts, **self.options)
                yield batch.append_column(self.name, pa.array(found.segments, pa.float64()))
