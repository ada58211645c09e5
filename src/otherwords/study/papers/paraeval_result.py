"""ParaEval's tables as a result: the lines of all tables in every format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import Array, Metric
from otherwords.stats.drawn import FEWEST
from otherwords.stats.estimates import Estimate, Resampling
from otherwords.study.agreement.numbers import (
    coefficient_column,
    estimate_dict,
    number_of,
    resampling_dict,
)
from otherwords.study.agreement.sums import JudgedRows
from otherwords.tables.table import Block, Cell, Column, Lines, Number, Table
from otherwords.tables.tabular import Tabular

__all__ = ["COEFFICIENTS", "MetricVariant", "ParaEvalLine", "ParaEvalTables", "no_value"]

COEFFICIENTS = {"system": ("spearman", "pearson", "accuracy"), "segment": ("pearson", "kendall")}
_POINTS = {"system": "systems", "segment": "rows"}


@dataclass(frozen=True)
class MetricVariant:
    """A metric with its own options and references, and the statistics of each row.

    `reference` is the number of the only reference used, from 1; `known` are the rows that have it.
    """

    label: str
    metric: Metric
    statistics: Array = field(repr=False)
    reference: int | None = None
    known: NDArray[np.bool_] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class ParaEvalLine:
    """A variant's agreement with a human score: estimates by level and coefficient."""

    human: str
    variant: MetricVariant
    estimates: Mapping[tuple[str, str], Estimate]


@dataclass(frozen=True)
class ParaEvalTables(Tabular):
    """The lines of ParaEval's tables, with the notes that explain them."""

    lines: Sequence[ParaEvalLine]
    resampling: Resampling
    judged: JudgedRows = field(repr=False)
    remarks: Sequence[str]

    def signature(self, line: ParaEvalLine) -> str:
        """That of the metric, with what a line depends on next to it."""
        reference = line.variant.reference
        only = "" if reference is None else f"|reference:{reference}"
        resampled = self.resampling.signature(self.judged.unit)
        return f"{line.variant.metric.signature}{only}|{resampled}"

    @property
    def signatures(self) -> list[str]:
        """Those of all lines."""
        return list(dict.fromkeys(map(self.signature, self.lines)))

    def tables(self) -> Iterator[Block]:
        """A table for each human score and level; none where no line has enough points."""
        for human in self.judged.human:
            mine = [line for line in self.lines if line.human == human]
            for level, names in COEFFICIENTS.items():
                caption = f"{level.capitalize()} level, {human}"
                most = max(line.estimates[level, names[0]].size for line in mine)
                if most < FEWEST:
                    reason = no_value(most, level)
                    yield Lines(f"{human}-{level}", [f"{caption}: n/a ({reason})"])
                    continue
                columns = [
                    Column("metric", "", left=True),
                    *map(coefficient_column, names),
                    Column(_POINTS[level]),
                ]
                rows = [self._cells(line, level) for line in mine]
                yield Table(f"{human}-{level}", columns, rows, caption)

    def _cells(self, line: ParaEvalLine, level: str) -> list[Cell]:
        estimates = [line.estimates[level, name] for name in COEFFICIENTS[level]]
        shown = [self._number(one) for one in estimates]
        return [self._label(line), *shown, estimates[0].size]

    def _number(self, one: Estimate) -> Number:
        """The value, or with the paper's intervals the mean of the resamples, as the paper has."""
        number = number_of(one, self.resampling)
        if self.resampling.kind == "paper" and one.mean is not None:
            return replace(number, value=one.mean)
        return number

    def _label(self, line: ParaEvalLine) -> str:
        label, reference = line.variant.label, line.variant.reference
        if reference is not None:
            return f"{label}, reference {reference}"
        single = any(one.variant.reference is not None for one in self.lines)
        return f"{label}, all references" if single else label

    def notes(self) -> list[str]:
        """How the intervals are made, what was left out, the signatures."""
        how = self.resampling
        resamples = f"{how.resamples} resamples of {self.judged.size} {self.judged.unit}"
        if how.kind == "percentile":
            both = "scores and human scores resampled together"
            intervals = f"intervals: {how.confidence:.4g} of {resamples}, {both}"
        else:
            intervals = (
                f"figures: means over {resamples}, compared with the human scores of the whole "
                f"set; intervals: Student's t of that mean, {how.confidence:.4g}, as the paper "
                "has them (too narrow)"
            )
        return [intervals, *self.remarks, *self.signatures]

    def records(self) -> Iterator[Table]:
        """A row for each line and coefficient."""
        head = "human metric reference level coefficient estimate mean size reason signature"
        rows: list[list[Cell]] = []
        for line in self.lines:
            variant, signature = line.variant, self.signature(line)
            reference = "all" if variant.reference is None else variant.reference
            for (level, name), one in line.estimates.items():
                left: list[Cell] = [line.human, variant.label, reference, level, name]
                numbers: list[Cell] = [number_of(one, self.resampling), one.mean, one.size]
                rows.append([*left, *numbers, one.reason or None, signature])
        yield Table("lines", [*map(Column, head.split())], rows)

    def to_dict(self) -> dict[str, Any]:
        """Line by line, the coefficients by level."""
        how, judged = self.resampling, self.judged
        return {
            "paper": "paraeval",
            "resampling": resampling_dict(how, judged.unit, judged.size, kind=how.kind),
            "lines": [self._record(line) for line in self.lines],
            "notes": list(self.remarks),
            "signatures": self.signatures,
        }

    def _record(self, line: ParaEvalLine) -> dict[str, Any]:
        levels = {
            level: {
                name: estimate_dict(line.estimates[level, name], self.resampling) for name in names
            }
            for level, names in COEFFICIENTS.items()
        }
        label, reference = line.variant.label, line.variant.reference
        return {"human": line.human, "metric": label, "reference": reference, **levels}


def no_value(size: int, level: str) -> str:
    """Why a coefficient of so many points has no value.

    >>> no_value(1, "system"), no_value(9, "segment")
    ('1 system', 'constant')
    """
    if size >= FEWEST:
        return "constant"
    return f"{size} {_POINTS[level].removesuffix('s') if size == 1 else _POINTS[level]}"
