"""Scores of systems by metrics, with intervals and tests: what `otherwords score` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from otherwords.corpus.rows import Coverage
from otherwords.metrics.base import Metric
from otherwords.scoring.extremes import Extreme, texts_of
from otherwords.scoring.seen import SEEN, Familiarity, familiarity_of
from otherwords.scoring.stream import SystemScores, column_of
from otherwords.scoring.uncertainty import Clusters
from otherwords.tables.formats import number_dict
from otherwords.tables.table import (
    LEVEL,
    Block,
    Cell,
    Column,
    Lines,
    Number,
    Table,
    decimals_of,
    shown,
)
from otherwords.tables.tabular import Tabular

__all__ = ["ScoreResult", "SegmentResult"]


@dataclass(frozen=True, eq=False)
class ScoreResult(Tabular):
    """The scores of systems by metrics. Keys of `cells` are system and metric, of `human`
    (Pearson's correlation with human scores) criterion and metric.

    `settings` are appended to each signature. `unit` is what is scored; `by_metric` shows one row
    per metric. `remarks` list what was left out. `clusters` are by metric; there is a `coverage` if
    systems have different segments. `familiarity` marks metrics that were trained on these rows.
    `extremes` are the worst and best segments; `texts` says whether segments have theirs.
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
    clusters: Mapping[str, Clusters] = field(default_factory=dict)
    coverage: Coverage | None = None
    familiarity: Mapping[str, Familiarity] = field(default_factory=dict)
    extremes: Sequence[Extreme] = ()
    texts: bool = False

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
        if "|bs:" in self.settings and any(one.low is None for one in self.cells.values()):
            notes.append("no ±: one segment, or one document, cannot be resampled")
        notes += self._on_tests()
        notes += [note for n, one in self.familiarity.items() for note in one.remarks(n)]
        if self.by_metric:
            yield Table("scores", *self._by_metric(), notes=notes, baseline=self.baseline)
            return
        columns = [Column(self.unit, left=True)]
        columns += self._columns()
        rows: list[list[Cell]] = [
            [one.system, *(self.cells[one.system, label] for label in self.metrics)]
            for one in self.systems
        ]
        yield Table("scores", columns, rows, notes=notes, baseline=self.baseline)
        if self.clusters:
            yield self._clusters()
        if self.human:
            yield Lines("human", [self._agreement(criterion) for criterion in self.criteria])
        yield from self._examples()

    def _examples(self) -> Iterator[Lines]:
        """The worst and the best segments, each with its texts and the reasons."""
        before = None
        for one in self.extremes:
            caption = (
                f"{one.kind.capitalize()} segments of {one.system} by {one.explanation.metric}"
            )
            yield Lines(one.kind, list(one.lines()), caption if caption != before else "")
            before = caption

    def _is_seen(self, label: str) -> bool:
        """Whether a metric was trained on these rows."""
        return self._familiarity(label).is_marked

    def _familiarity(self, label: str) -> Familiarity:
        return familiarity_of(label, self.metrics[label], self.familiarity)

    def _title(self, label: str) -> str:
        return label + SEEN * self._is_seen(label)

    def _columns(self) -> list[Column]:
        columns = [column_of(label, metric.traits) for label, metric in self.metrics.items()]
        return [
            replace(one, head=self._title(one.name), best=None) if self._is_seen(one.name) else one
            for one in columns
        ]

    def _on_tests(self) -> list[str]:
        """Tests that need more trials than were allowed."""
        open_tests = [
            cell
            for cell in self.cells.values()
            if cell.is_floor and cell.corrected is not None and not cell.is_significant
        ]
        if not open_tests:
            return []
        most = max(cell.trials or 0 for cell in open_tests)
        return [f"p < ...: not decided by {most:,} trials; raise --resamples-max"]

    def _clusters(self) -> Table:
        """One row per metric, the best cluster first."""
        most = max(len(one.groups) for one in self.clusters.values())
        columns = [Column("metric", left=True)]
        columns += [Column(str(number), left=True) for number in range(1, most + 1)]
        rows: list[list[Cell]] = [
            [label, *(", ".join(names) for names in one.groups), *[""] * (most - len(one.groups))]
            for label, one in self.clusters.items()
        ]
        first = next(iter(self.clusters.values()))
        trials = max(one.trials for one in self.clusters.values())
        notes = [
            f"clusters: paired {first.test}, all {first.comparisons} pairs, corrected (Holm), up "
            f"to {trials:,} trials; no system of a cluster differs from its best (p < {LEVEL:g})"
        ]
        if unresolved := sum(one.unresolved for one in self.clusters.values()):
            notes.append(f"pairs that need more trials to be decided: {unresolved}")
        caption = "Systems without a significant difference, best first"
        return Table("clusters", columns, rows, caption, notes)

    def _by_metric(self) -> tuple[list[Column], list[list[Cell]]]:
        names = [one.system for one in self.systems]
        # Metrics of a sweep share a scale, so one column has one number of decimals.
        decimals = max(decimals_of(metric.traits.high) for metric in self.metrics.values())
        columns = [Column("metric", left=True)]
        columns += [Column(name, decimals=decimals) for name in names]
        columns += [Column(f"r({criterion})", decimals=4) for criterion in self.criteria]
        return columns, [
            [
                self._title(label),
                *(self.cells[name, label] for name in names),
                *(self.human[criterion, label].value for criterion in self.criteria),
            ]
            for label in self.metrics
        ]

    def _agreement(self, criterion: str) -> str:
        numbers = [(self._title(label), self.human[criterion, label]) for label in self.metrics]
        values = [f"{n} {shown(one.value, Column('r', decimals=4))}" for n, one in numbers]
        return f"Pearson with {criterion}, {numbers[0][1].size} segments: " + ", ".join(values)

    def records(self) -> Iterable[Table]:
        """One row per system and metric."""
        columns = [Column(self.unit), Column("metric"), Column("score")]
        columns += [Column("cluster")] if self.clusters else []
        columns += [Column("trained_on")] if self.familiarity else []
        columns += [Column(f"pearson {criterion}") for criterion in self.criteria]
        rows = [
            [
                *(system, label, cell),
                *([self._cluster(system, label)] if self.clusters else []),
                *([self._share(label)] if self.familiarity else []),
                *(self.human[criterion, label].value for criterion in self.criteria),
                self.signature(label),
            ]
            for (system, label), cell in self.cells.items()
        ]
        tables = [Table("scores", [*columns, Column("signature")], rows)]
        for kind in dict.fromkeys(one.kind for one in self.extremes):
            mine = [one.to_dict() for one in self.extremes if one.kind == kind]
            names = [Column(name) for name in mine[0]]
            tables.append(Table(kind, names, [list(one.values()) for one in mine]))
        return tables

    def _share(self, label: str) -> float | None:
        return self._familiarity(label).share if self._is_seen(label) else None

    def _cluster(self, system: str, label: str) -> int | None:
        return self.clusters[label].number(system) if label in self.clusters else None

    def notes(self) -> Sequence[str]:
        """The signatures."""
        return list(dict.fromkeys(map(self.signature, self.metrics)))

    def warnings(self) -> Sequence[str]:
        """What was left out, and systems that are not scored on the same segments."""
        if self.coverage is None:
            return self.remarks
        advice = "; --common scores the common ones alone" if self.coverage.common else ""
        return [*self.remarks, self.coverage.warning(f"{self.unit}s") + advice]

    def to_dict(self) -> dict[str, Any]:
        """Systems with their scores, signatures, and the agreement with human scores."""
        document: dict[str, Any] = {
            "signatures": {label: self.signature(label) for label in self.metrics},
            f"{self.unit}s": [self._system(one) for one in self.systems],
        }
        if self.baseline is not None:
            document["baseline"] = self.baseline
        if self.clusters:
            document["clusters"] = {label: one.to_dict() for label, one in self.clusters.items()}
        if self.coverage is not None:
            document["coverage"] = self.coverage.to_dict()
        if self.familiarity:
            document["seen"] = {label: one.to_dict() for label, one in self.familiarity.items()}
        for kind in dict.fromkeys(one.kind for one in self.extremes):
            document[kind] = [one.to_dict() for one in self.extremes if one.kind == kind]
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
        if self.texts:
            columns += [Column(name, left=True) for name in ("hypothesis", "references", "source")]
        yield Table("segments", [*columns, *self._columns()], self._rows())

    def records(self) -> Iterable[Table]:
        """The same; rows are made while they are read."""
        return [table for table in self.tables() if isinstance(table, Table)]

    def _rows(self) -> Iterator[list[Cell]]:
        for one in self.systems:
            columns = [scores.tolist() for scores in self._scores(one).values()]
            rows = one.rows if self.texts else [None] * len(one.items)
            for item, row, *values in zip(one.items, rows, *columns, strict=True):
                texts = [] if row is None else texts_of(row).values()
                yield [one.system, item, *texts, *values]

    def _scores(self, one: SystemScores) -> dict[str, Any]:
        return {
            label: metric.segment_scores(one.statistics[label])
            for label, metric in self.metrics.items()
        }

    def _system(self, one: SystemScores) -> dict[str, Any]:
        scores = {label: values.tolist() for label, values in self._scores(one).items()}
        texts = {"texts": [texts_of(row) for row in one.rows]} if self.texts else {}
        return {**super()._system(one), "items": list(one.items), **texts, "segment_scores": scores}
