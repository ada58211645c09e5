"""Paraphrase tables ranked by the agreement with human scores that ParaEval reaches with each
(ParaEval §4.3): "the paraphrases used are of sufficient quality" if the comparison is good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.registry import create
from otherwords.stats.drawn import FEWEST
from otherwords.stats.estimates import Estimate, Resampling, rounded
from otherwords.stats.intervals import percentiles
from otherwords.study.agreement.numbers import (
    coefficient_column,
    estimate_dict,
    number_of,
    resampling_dict,
)
from otherwords.study.papers.paraeval import paraeval_tables
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

__all__ = ["RankedTable", "RankedTables", "rank_tables"]

NONE = "none"  # what paraphrases are worth is the difference from words alone


@dataclass(frozen=True)
class RankedTable:
    """A table's agreement over systems and segments, and what it adds to words alone."""

    table: str
    signature: str
    system: Estimate  # Spearman
    segment: Estimate  # Pearson
    gain: Number  # over `none`, of the coefficient that tables are ranked by


@dataclass(frozen=True)
class RankedTables(Tabular):
    """Paraphrase tables, the best one first. `by` is the level that they are ranked by."""

    human: str
    metric: str
    by: str
    lines: Sequence[RankedTable]
    resampling: Resampling
    units: int
    unit: str
    remarks: Sequence[str]

    def tables(self) -> Iterator[Table]:
        """One row per table."""
        columns = [
            Column("table", left=True),
            coefficient_column("system", "Spearman, systems"),
            coefficient_column("segment", "Pearson, segments"),
            Column("gain", f"gain over {NONE}", decimals=4, signed=True, interval="range"),
        ]
        rows: list[list[Cell]] = [
            [
                one.table,
                number_of(one.system, self.resampling),
                number_of(one.segment, self.resampling),
                one.gain,
            ]
            for one in self.lines
        ]
        caption = (
            f"Paraphrase tables by the agreement of {self.metric} with {self.human}, ranked by "
            f"{self.by}s (ParaEval §4.3)"
        )
        yield Table("tables", columns, rows, caption)

    def notes(self) -> list[str]:
        """How the intervals are made, then the signatures."""
        how = f"intervals: {self.units} {self.unit} resampled, {self.resampling.resamples} times"
        return [how, *self.remarks, *(one.signature for one in self.lines)]

    def to_dict(self) -> dict[str, Any]:
        """All figures."""
        return {
            "paper": "paraeval",
            "human": self.human,
            "metric": self.metric,
            "by": self.by,
            "tables": [
                {
                    "table": one.table,
                    "system": {"spearman": estimate_dict(one.system, self.resampling)},
                    "segment": {"pearson": estimate_dict(one.segment, self.resampling)},
                    "gain": {"value": one.gain.value, "low": one.gain.low, "high": one.gain.high},
                    "signature": one.signature,
                }
                for one in self.lines
            ],
            "resampling": resampling_dict(self.resampling, self.unit, self.units),
            "notes": list(self.remarks),
        }


def rank_tables(
    rows: Sequence[Row],
    tables: Sequence[str],
    human: str | None = None,
    *,
    metric: str = "paraeval-p",
    options: Mapping[str, Any] | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    controls: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> RankedTables:
    """Paraphrase tables (names or paths) by the agreement of ParaEval with a human score.

    They are ranked by Spearman over systems, or by Pearson over segments where there are fewer than
    three systems. `none` (words only) is always included, and the gain is relative to it.
    """
    listed = list(dict.fromkeys([*tables, NONE]))
    if len(listed) < 2:
        raise UsageError("name the tables to rank, for example paraphrase,meteor,mine.tsv")
    made = {name: create(metric, **_options(options or {}, name)) for name in listed}
    found = paraeval_tables(
        rows,
        made,
        None if human is None else [human],
        resampling=resampling,
        controls=controls,
        threads=threads,
        any_language=any_language,
        progress=progress,
    )
    if len(found.judged.human) > 1:
        names = ", ".join(found.judged.human)
        raise UsageError(f"tables are ranked by one human score; name it with --human: {names}")
    [judged] = found.judged.human
    by = ("system", "spearman")
    if max(line.estimates[by].size for line in found.lines) < FEWEST:
        by = ("segment", "pearson")
    base = next(line for line in found.lines if line.variant.label == NONE).estimates[by]
    lines = [
        RankedTable(
            line.variant.label,
            line.variant.metric.signature,
            line.estimates["system", "spearman"],
            line.estimates["segment", "pearson"],
            _gain(line.estimates[by], base, resampling, line.variant.label == NONE),
        )
        for line in found.lines
    ]
    values = {line.variant.label: line.estimates[by].value for line in found.lines}
    lines.sort(key=lambda one: (-_known(values[one.table]), listed.index(one.table)))
    judgements = found.judged
    return RankedTables(
        judged, metric, by[0], lines, resampling, judgements.size, judgements.unit, found.remarks
    )


def _options(options: Mapping[str, Any], table: str) -> dict[str, Any]:
    """The options with another table; chosen pivot languages are those of their own model."""
    mine = {name: value for name, value in options.items() if name != "languages"}
    same = str(options.get("table", "paraphrase")) == table
    return {**(options if same else mine), "table": table}


def _known(value: float | None) -> float:
    return -2.0 if value is None else value


def _gain(mine: Estimate, base: Estimate, resampling: Resampling, itself: bool) -> Number:
    """The difference of two coefficients, resampled together."""
    if itself or mine.value is None or base.value is None:
        return Number(None)
    difference = rounded(mine.value - base.value)
    if mine.draws is None or base.draws is None:
        return Number(difference)
    drawn = mine.draws - base.draws
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2:
        return Number(difference)
    low, high = percentiles(drawn, resampling.confidence)
    return Number(difference, rounded(low), rounded(high), confidence=resampling.confidence)
