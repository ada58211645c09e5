"""Scores of systems by metrics, with intervals and tests: what `otherwords score` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import Metric
from otherwords.scoring.stream import SystemScores, shared_segments
from otherwords.stats.intervals import interval
from otherwords.stats.paired import Test, compare
from otherwords.tables import Column, Lines, Number, Table, Tabular
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Block, Cell, decimals_of, shown

__all__ = ["ScoreResult", "SegmentResult", "Uncertainty", "score_column"]


@dataclass(frozen=True)
class Uncertainty:
    """What is wanted beside bare scores: bootstrap intervals (`ci`), paired tests (`test`).

    >>> Uncertainty(ci=True, resamples=200).signature()
    '|bs:200|conf:0.95|seed:0'
    """

    ci: bool = False
    confidence: float = 0.95
    test: Test | None = None
    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("confidence", self.confidence, 0.5, 0.9999)
        check_whole("resamples", self.resamples, 1, 10**7)
        check_whole("seed", self.seed, 0, 2**63)

    def signature(self, *, by_document: bool = False) -> str:
        """What intervals and tests depend on beside the scores."""
        parts = [f"|bs:{self.resamples}|conf:{self.confidence:g}"] if self.ci else []
        if self.test:
            name = "ar" if self.test == "randomization" else "paired-bs"
            parts.append(f"|{name}:{self.resamples}")
        parts += [f"|seed:{self.seed}"] if parts else []
        return "".join(parts) + ("|by:doc" if parts and by_document else "")

    def number(
        self, label: str, metric: Metric, system: SystemScores, baseline: SystemScores
    ) -> Number:
        """A system's score by a metric, with its interval and its test against the baseline."""
        statistics = system.statistics[label]
        known: dict[str, Any] = {}
        if self.ci:
            around = interval(
                metric.from_sums,
                statistics,
                confidence=self.confidence,
                resamples=self.resamples,
                seed=self.seed,
                docs=system.docs,
            )
            known |= vars(around)
        if self.test and baseline is not system:
            mine, theirs = shared_segments(system, baseline)
            known |= vars(
                compare(
                    metric.from_sums,
                    statistics[mine],
                    baseline.statistics[label][theirs],
                    test=self.test,
                    trials=self.resamples,
                    seed=self.seed,
                    docs=None if system.docs is None else [system.docs[row] for row in mine],
                )
            )
        return Number(metric.aggregate(statistics), **known)


@dataclass(frozen=True, eq=False)
class ScoreResult(Tabular):
    """Systems under metrics. Keys of `cells` are system and metric, of `human` (Pearson's
    correlation with human scores) criterion and metric.

    `settings` end each signature. `unit` is what is scored; `by_metric` gives readers one row per
    metric. `remarks` say what was left out.
    """

    metrics: Mapping[str, Metric]
    systems: Sequence[SystemScores]
    cells: Mapping[tuple[str, str], Number]
    human: Mapping[tuple[str, str], Number]
    baseline: str | None = None
    settings: str = ""
    unit: str = "system"
    by_metric: bool = False
    remarks: Sequence[str] = ()

    @property
    def criteria(self) -> list[str]:
        """The human scores that rows have."""
        return list(dict.fromkeys(criterion for criterion, _ in self.human))

    def signature(self, label: str) -> str:
        """That of a metric, with what intervals and tests depend on."""
        return self.metrics[label].signature + self.settings

    def by_segment(self) -> SegmentResult:
        """The same with the score of each segment."""
        return SegmentResult(**vars(self))

    def tables(self) -> Iterator[Block]:
        """One row per system, or per metric; then the agreement with human scores."""
        levels = {cell.confidence for cell in self.cells.values() if cell.confidence is not None}
        notes = [f"±: half the {100 * level:g} % bootstrap interval" for level in levels]
        if self.by_metric:
            yield Table("scores", *self._by_metric(), notes=notes, baseline=self.baseline)
            return
        columns = [Column(self.unit, left=True)]
        columns += [score_column(label, metric) for label, metric in self.metrics.items()]
        rows: list[list[Cell]] = [
            [one.system, *(self.cells[one.system, label] for label in self.metrics)]
            for one in self.systems
        ]
        yield Table("scores", columns, rows, notes=notes, baseline=self.baseline)
        if self.human:
            yield Lines("human", [self._agreement(criterion) for criterion in self.criteria])

    def _by_metric(self) -> tuple[list[Column], list[list[Cell]]]:
        names = [one.system for one in self.systems]
        # Metrics of a sweep share a scale, so one column has one number of decimals.
        decimals = max(decimals_of(metric.traits.high) for metric in self.metrics.values())
        columns = [Column("metric", left=True)]
        columns += [Column(name, decimals=decimals) for name in names]
        columns += [Column(f"r({criterion})", decimals=4) for criterion in self.criteria]
        return columns, [
            [
                label,
                *(self.cells[name, label] for name in names),
                *(self.human[criterion, label].value for criterion in self.criteria),
            ]
            for label in self.metrics
        ]

    def _agreement(self, criterion: str) -> str:
        numbers = [(label, self.human[criterion, label]) for label in self.metrics]
        values = [f"{n} {shown(one.value, Column('r', decimals=4))}" for n, one in numbers]
        return f"Pearson with {criterion}, {numbers[0][1].size} segments: " + ", ".join(values)

    def records(self) -> Iterable[Table]:
        """One row per system and metric."""
        columns = [Column(self.unit), Column("metric"), Column("score")]
        columns += [Column(f"pearson {criterion}") for criterion in self.criteria]
        rows = [
            [
                *(system, label, cell),
                *(self.human[criterion, label].value for criterion in self.criteria),
                self.signature(label),
            ]
            for (system, label), cell in self.cells.items()
        ]
        return [Table("scores", [*columns, Column("signature")], rows)]

    def notes(self) -> Sequence[str]:
        """The signatures."""
        return list(dict.fromkeys(map(self.signature, self.metrics)))

    def warnings(self) -> Sequence[str]:
        """What was left out."""
        return self.remarks

    def to_dict(self) -> dict[str, Any]:
        """Systems with their scores, signatures, and the agreement with human scores."""
        document: dict[str, Any] = {
            "signatures": {label: self.signature(label) for label in self.metrics},
            f"{self.unit}s": [self._system(one) for one in self.systems],
        }
        if self.baseline is not None:
            document["baseline"] = self.baseline
        if self.human:
            document["human"] = [
                {"criterion": criterion, "metric": label, "pearson": number_dict(one)}
                for (criterion, label), one in self.human.items()
            ]
        return document

    def _system(self, one: SystemScores) -> dict[str, Any]:
        scores = {label: number_dict(self.cells[one.system, label]) for label in self.metrics}
        return {self.unit: one.system, "segments": len(one.items), "scores": scores}


@dataclass(frozen=True, eq=False)
class SegmentResult(ScoreResult):
    """The score of every segment by every metric."""

    def tables(self) -> Iterator[Block]:
        """One row per segment."""
        columns = [Column(self.unit, left=True), Column("item", left=True)]
        columns += [score_column(label, metric) for label, metric in self.metrics.items()]
        yield Table("segments", columns, self._rows())

    def records(self) -> Iterable[Table]:
        """The same; rows are made while they are read."""
        return [table for table in self.tables() if isinstance(table, Table)]

    def _rows(self) -> Iterator[list[Cell]]:
        for one in self.systems:
            columns = [scores.tolist() for scores in self._scores(one).values()]
            for item, *values in zip(one.items, *columns, strict=True):
                yield [one.system, item, *values]

    def _scores(self, one: SystemScores) -> dict[str, Any]:
        return {
            label: metric.segment_scores(one.statistics[label])
            for label, metric in self.metrics.items()
        }

    def _system(self, one: SystemScores) -> dict[str, Any]:
        scores = {label: values.tolist() for label, values in self._scores(one).items()}
        return {**super()._system(one), "items": list(one.items), "segment_scores": scores}


def score_column(label: str, metric: Metric) -> Column:
    """The column of a metric's scores."""
    best = "highest" if metric.traits.higher_is_better else "lowest"
    return Column(label, decimals=decimals_of(metric.traits.high), best=best)  # type: ignore[arg-type]
