"""What `otherwords.score` returns: the scores of systems by one metric, or by several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from otherwords.corpus.parallel import count_segments
from otherwords.corpus.rows import Coverage
from otherwords.errors import UnknownLabelError, UsageError, near
from otherwords.metrics.base import Explanation, MeanMetric, Metric, Part
from otherwords.scoring.problems import Problem, describe
from otherwords.scoring.seen import SEEN, Familiarity, find_familiar, select_fair
from otherwords.scoring.stream import (
    ANNOTATED,
    SystemScores,
    common_segments,
    coverage,
    explain_row,
)
from otherwords.stats.arrays import Array, column_sums
from otherwords.tables.table import (
    LEVEL,
    Block,
    Cell,
    Column,
    Lines,
    Number,
    Table,
    decimals_of,
    join_words,
)
from otherwords.tables.tabular import Tabular

if TYPE_CHECKING:
    from otherwords.scoring.explanations import Extreme
    from otherwords.scoring.sampling import Clusters, Sampling


_SHOWN = 40  # characters of a signature in a short form


@dataclass(frozen=True, eq=False, repr=False)
class Result(Tabular):
    """The scores by one metric.

    `corpus` is the score of the corpus, `segments` has one for each hypothesis; `statistics` are
    the rows that both are computed from. They are those of the only system: with several,
    `result.of(name)` is the result of one, and `numbers` has the scores of all. Printing shows
    the table of the command; `to_frame` and `to_dict` have the segment scores.

    >>> import otherwords
    >>> result = otherwords.score("ter", ["the cat sat"], references=["the cat sat down"])
    >>> result
    <Result ter: 25.00 over 1 segment; ter|v:1|case:lc|tok:tercom|norm:no|punct...>
    >>> result.to_dict()["score"], result.to_dict()["segments"]
    ({'value': 25.0}, [{'score': 25.0}])
    """

    label: str
    whole: Results  # all systems, this metric alone

    def __repr__(self) -> str:
        if len(self.whole.systems) > 1:
            return f"<Result {self.label}: {len(self.whole.systems)} systems>"
        segments = count_segments(len(self.segments))
        value = f"{self.corpus:z.{decimals_of(self.metric.traits.high)}f}"
        signature = self.signature
        if len(signature) > _SHOWN:
            signature = signature[:_SHOWN] + "..."
        doubts = f", {len(self.problems):,} with a problem" if self.problems else ""
        return f"<Result {self.metric.name}: {value} over {segments}{doubts}; {signature}>"

    @property
    def metric(self) -> Metric:
        return self.whole.metrics[self.label]

    @property
    def signature(self) -> str:
        return self.whole.signature(self.label)

    @property
    def system(self) -> SystemScores:
        systems = self.whole.systems
        if len(systems) > 1:
            names = ", ".join(system.system for system in systems[:5])
            raise UsageError(f"there are {len(systems)} systems; choose one by of(name): {names}")
        return systems[0]

    def of(self, system: str) -> Result:
        """The result of one of several systems."""
        systems = {system.system: system for system in self.whole.systems}
        if system not in systems:
            raise UsageError(f"there is no system '{system}'; {near(system, systems)}")
        return Result(self.label, replace(self.whole, systems=[systems[system]]))

    @property
    def numbers(self) -> dict[str, Number]:
        """The score of each system, with its interval and test if there is a `Sampling`."""
        cells = self.whole.cells
        return {system.system: cells[system.system, self.label] for system in self.whole.systems}

    @property
    def statistics(self) -> Array:
        return self.system.statistics[self.label]

    @property
    def problems(self) -> list[Problem]:
        """The rows whose output is no rewrite, or that cannot be scored (docs/inputs.md)."""
        return self.whole.problems

    @cached_property
    def corpus(self) -> float:
        return self.metric.aggregate(self.statistics)

    @cached_property
    def segments(self) -> Array:
        return self.system.segment_scores(self.label, self.metric)

    @property
    def parts(self) -> dict[str, Array]:
        """The component scores of each segment (for PEM: adequacy, fluency, dissimilarity)."""
        if not isinstance(self.metric, MeanMetric):
            return {}
        parts = {name: Part(self.metric, name) for name in self.metric.parts}
        return {name: self.system.segment_scores(self.label, part) for name, part in parts.items()}

    @property
    def trained_on(self) -> float:
        """The share of the segments that the metric was trained on, 0 to 1."""
        seen = self.system.seen.get(self.label)
        return 0.0 if seen is None else float(seen.mean())

    def explain(self, i: int) -> Explanation:
        """Why segment i (from 0) has its score."""
        number = len(self.segments)
        if not isinstance(i, (int, np.integer)) or not -number <= i < number:
            raise UsageError(f"there is no segment {i}; they run from 0 to {number - 1}")
        if not self.system.rows:
            raise UsageError("a stream of rows is not kept; give score a list to explain segments")
        return explain_row(self.metric, self.system.rows[i], any_language=True)

    def to_dict(self) -> dict[str, Any]:
        """The scores of the corpus and of the segments, for JSON; of several systems, the document
        of the command.
        """
        if len(self.whole.systems) > 1:
            return self.whole.to_dict()
        scores = {"score": self.segments, **self.parts}
        means = {part: {"value": float(np.nanmean(values))} for part, values in self.parts.items()}
        problems = self.system.problems
        return {
            "metric": self.metric.name,
            "signature": self.signature,
            "score": {"value": self.corpus},
            **({"parts": means} if means else {}),
            "segments": [
                {
                    **{name: _or_none(value) for name, value in zip(scores, row, strict=True)},
                    **({"problem": problems[place].to_dict()} if place in problems else {}),
                }
                for place, row in enumerate(np.column_stack(list(scores.values())).tolist())
            ],
        }

    def to_frame(self, table: str | None = None) -> Any:
        """A pandas DataFrame of the segments, or of a named table."""
        return self.whole.to_frame(table)

    def tables(self) -> Iterable[Block]:
        return self.whole.tables()

    def records(self) -> Iterable[Table]:
        return self.whole.records()

    def notes(self) -> Iterable[str]:
        return self.whole.notes()

    def warnings(self) -> Iterable[str]:
        return self.whole.warnings()


@dataclass(frozen=True, eq=False, repr=False)
class Results(Mapping[str, Result], Tabular):
    """The scores of systems by several metrics: a mapping of labels to results.

    `cells` has the score of each system and metric, with its interval and test if there is a
    `sampling`. With three or more systems, p-values are corrected for their number (Holm), and
    systems without a significant difference form one of the `clusters`. A metric that was trained
    on these rows gets no tests (`familiarity`).

    `unit` is what is scored; `remarks` list what was left out; `extremes` are the worst and best
    segments.

    >>> import otherwords
    >>> text = ["the cat sat down"]
    >>> results = otherwords.score(["bleu", "chrf"], text, references=text)
    >>> list(results), round(results["chrf"].corpus)
    (['bleu', 'chrf'], 100)
    >>> print(results)
    system        bleu    chrf
    hypotheses  100.00  100.00
    """

    metrics: Mapping[str, Metric]
    systems: Sequence[SystemScores]
    sampling: Sampling | None = None
    baseline: str | None = None
    unit: str = "system"
    remarks: Sequence[str] = ()
    extremes: Sequence[Extreme] = ()
    index: Any = None  # the index of the pandas frame or column that was scored

    def __getitem__(self, label: str) -> Result:
        if len(self.metrics) == 1 and label in self.metrics:
            return Result(label, self)
        if label not in self.metrics:
            raise UnknownLabelError(label, self.metrics)
        return Result(label, replace(self, metrics={label: self.metrics[label]}))

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        return "<Results " + ", ".join(repr(result) for result in self.values()) + ">"

    @cached_property
    def problems(self) -> list[Problem]:
        """The rows whose output is no rewrite, or that cannot be scored (docs/inputs.md)."""
        return [problem for system in self.systems for problem in system.problems.values()]

    # Other views of the same scores

    def common(self) -> Results:
        """The scores of the segments that all systems have."""
        if self.coverage is None:
            return self
        left_out = max(self.coverage.segments.values()) - self.coverage.common
        kept = f"scored: the {self.coverage.common:,} segments that all systems have"
        remarks = [*self.remarks, f"{kept}, {left_out:,} fewer"]
        return replace(self, systems=common_segments(self.systems), remarks=remarks)

    def with_extremes(self, worst: int = 0, best: int = 0, by: str | None = None) -> Results:
        """With the worst and best segments of each system, by one metric (the first)."""
        from otherwords.scoring.explanations import find_extremes

        label = next(iter(self.metrics)) if by is None else by
        if label not in self.metrics:
            raise UsageError(f"by is one of the metrics; {near(label, self.metrics)}")
        wanted = {"worst": worst, "best": best}
        return replace(self, extremes=find_extremes(self.metrics, self.systems, wanted, label))  # type: ignore[arg-type]

    def by_segment(self, *, texts: bool = False) -> SegmentScores:
        """The score of every segment; `texts` adds those of the rows, which must be kept."""
        return SegmentScores(self, texts)

    def to_frame(self, table: str | None = None) -> Any:
        """A pandas DataFrame of the segments, with their texts if they are kept and the index of
        the frame that was scored; or of a named table: "scores", "worst", "best".
        """
        if table is not None:
            return super().to_frame(table)
        frame = self.by_segment(texts=all(system.rows for system in self.systems)).to_frame()
        if self.index is not None:
            lines = np.concatenate([s.lines or [0] * len(s.items) for s in self.systems])
            places = lines - 1 if lines.all() else range(len(lines))
            frame.index = self.index[places]
        return frame

    # What is derived from the statistics

    @cached_property
    def metrics_and_parts(self) -> dict[str, Metric]:
        """The metrics and their parts, which tables show."""
        shown: dict[str, Metric] = {}
        for label, metric in self.metrics.items():
            shown[label] = metric
            if isinstance(metric, MeanMetric):
                shown |= {f"{label}.{part}": Part(metric, part) for part in metric.parts}
        return shown

    def segment_scores(self, system: SystemScores, label: str) -> Array:
        return system.segment_scores(self._whole(label), self.metrics_and_parts[label])

    def _whole(self, label: str) -> str:
        """The label of the metric whose statistics are read: `pem` for its part `pem.fluency`."""
        return label if label in self.metrics else label.rpartition(".")[0]

    @cached_property
    def familiarity(self) -> dict[str, Familiarity]:
        """The metrics that were trained on these rows."""
        return find_familiar(self.metrics, self.systems)

    @cached_property
    def coverage(self) -> Coverage | None:
        """Which segments the systems have; `None` if all have the same."""
        several = len(self.systems) > 1 and self.unit == "system"
        return coverage(self.systems) if several else None

    @cached_property
    def cells(self) -> dict[tuple[str, str], Number]:
        """The scores by system and metric."""
        sampling, names = self.sampling, [system.system for system in self.systems]
        tested = (
            select_fair(self.metrics_and_parts, self.familiarity)
            if sampling and sampling.test
            else {}
        )
        first = self.systems[0 if self.baseline is None else names.index(self.baseline)]
        sums = [
            {label: column_sums(system.statistics[label]) for label in self.metrics}
            for system in self.systems
        ]
        numbers: dict[str, list[Number]] = {}
        for label, metric in self.metrics_and_parts.items():
            whole = self._whole(label)
            known: dict[str, dict[str, Any]] = {}
            if sampling is not None and label in tested:
                known = sampling.compare(whole, metric, self.systems, first)
            numbers[label] = [
                Number(
                    metric.score_of_sums(mine[whole]),
                    **({} if sampling is None else sampling.interval(whole, metric, system)),
                    **known.get(system.system, {}),
                )
                for system, mine in zip(self.systems, sums, strict=True)
            ]
        return {
            (system, label): numbers[label][place]
            for place, system in enumerate(names)
            for label in self.metrics_and_parts
        }

    @cached_property
    def _settings(self) -> str:
        """What follows a metric's own signature: annotated input, resampling."""
        suffix = ANNOTATED if any(system.annotated for system in self.systems) else ""
        if self.sampling is None:
            return suffix
        by_document = any(system.docs for system in self.systems)
        tests = list(self.cells.values())
        return suffix + self.sampling.signature(by_document=by_document, tests=tests)

    def signature(self, label: str) -> str:
        return self.metrics_and_parts[label].signature + self._settings

    @cached_property
    def clusters(self) -> dict[str, Clusters]:
        """Systems without a significant difference, by metric."""
        if self.sampling is None or len(self.systems) < 3 or self.unit != "system":
            return {}
        from otherwords.scoring.sampling import find_clusters

        return find_clusters(
            select_fair(self.metrics, self.familiarity), self.systems, self.sampling
        )

    # For readers

    def tables(self) -> Iterator[Block]:
        """The verdict; one row per system, the best first; then clusters, and the worst and
        best segments.
        """
        if verdict := self.verdict:
            yield Lines("verdict", (), verdict)
        tested = None
        if self.sampling is not None and self.sampling.test:
            tested = self.systems[0].system if self.baseline is None else self.baseline
        columns = [Column(self.unit, left=True), *self.columns()]
        rows: list[list[Cell]] = [
            [system.system, *(self.cells[system.system, label] for label in self.metrics_and_parts)]
            for system in self._best_first(next(iter(self.metrics)))
        ]
        yield Table("scores", columns, rows, notes=self._table_notes(), baseline=tested)
        if self.clusters:
            yield self._clusters_table()
        before = None
        for extreme in self.extremes:
            kind = extreme.kind.capitalize()
            caption = f"{kind} segments of {extreme.system} by {extreme.explanation.metric}"
            yield Lines(extreme.kind, list(extreme.lines()), caption if caption != before else "")
            before = caption

    def _best_first(self, label: str) -> list[SystemScores]:
        sign = 1 if self.metrics[label].traits.higher_is_better else -1
        scores = {s.system: self.cells[s.system, label].value or 0.0 for s in self.systems}
        return sorted(self.systems, key=lambda system: -sign * scores[system.system])

    @property
    def verdict(self) -> str:
        """Which systems are best by which metrics; empty for one system."""
        if len(self.systems) < 2 or self.unit != "system":
            return ""
        by_leaders: dict[frozenset[str], tuple[tuple[str, ...], list[str]]] = {}
        for label in select_fair(self.metrics, self.familiarity):
            leaders = self._leaders(label)
            by_leaders.setdefault(frozenset(leaders), (leaders, []))[1].append(label)
        said = [
            f"{join_words(names, 3)} {self._lead(names)} by {join_words(labels)}"
            for names, labels in by_leaders.values()
        ]
        tested = self.clusters or (self.sampling is not None and self.sampling.test)
        return "; ".join(said) + ("." if tested else " (not tested).")

    def _lead(self, names: Sequence[str]) -> str:
        if len(names) == 1:
            return "leads"
        return "are level" if len(names) == len(self.systems) else "lead"

    def _leaders(self, label: str) -> tuple[str, ...]:
        """The best system, and those that do not differ from it significantly."""
        if label in self.clusters:
            return tuple(self.clusters[label].groups[0])
        names = [system.system for system in self._best_first(label)]
        cells = [self.cells[name, label] for name in names]
        tested = len(cells) == 2 and any(cell.p is not None for cell in cells)
        level = tested and not any(cell.is_significant for cell in cells)
        return tuple(
            name
            for name, cell in zip(names, cells, strict=True)
            if level or cell.value == cells[0].value
        )

    def columns(self) -> list[Column]:
        """One for each metric; those trained on these rows are marked, and have no best score."""
        columns = []
        for label, metric in self.metrics_and_parts.items():
            only = len(self.metrics) == 1 and label not in self.metrics
            head = label.rpartition(".")[2] if only else label
            column = Column(label, head, decimals=decimals_of(metric.traits.high))
            if self._whole(label) in self.familiarity:
                column = replace(column, head=head + SEEN)
            else:
                best: Any = "highest" if metric.traits.higher_is_better else "lowest"
                column = replace(column, best=best)
            columns.append(column)
        return columns

    def _table_notes(self) -> list[str]:
        cells = self.cells.values()
        notes = []
        if self.sampling is not None and self.sampling.confidence:
            if any(cell.low is not None for cell in cells):
                level = 100 * self.sampling.confidence
                notes.append(f"±: half the {level:g} % bootstrap interval")
            if any(cell.low is None for cell in cells):
                notes.append("no ±: one segment, or one document, cannot be resampled")
        if self.sampling is not None:
            notes += self.sampling.cautions([len(set(s.docs or s.items)) for s in self.systems])
        undecided = [
            cell.trials or 0
            for cell in cells
            if cell.is_floor and cell.corrected is not None and not cell.is_significant
        ]
        if undecided:
            most = max(undecided)
            notes.append(f"p < ...: not decided by {most:,} trials; raise resamples")
        return notes + [
            note for n, familiarity in self.familiarity.items() for note in familiarity.remarks(n)
        ]

    def _clusters_table(self) -> Table:
        """One row per metric, the best cluster first."""
        most = max(len(clusters.groups) for clusters in self.clusters.values())
        columns = [Column("metric", left=True)]
        columns += [Column(str(number), left=True) for number in range(1, most + 1)]
        rows: list[list[Cell]] = [
            [
                label,
                *(", ".join(names) for names in clusters.groups),
                *[""] * (most - len(clusters.groups)),
            ]
            for label, clusters in self.clusters.items()
        ]
        first = next(iter(self.clusters.values()))
        trials = max(clusters.trials for clusters in self.clusters.values())
        notes = [
            f"clusters: paired {first.test}, all {first.comparisons} pairs, corrected (Holm), up "
            f"to {trials:,} trials; no system of a cluster differs from its best (p < {LEVEL:g})"
        ]
        if unresolved := sum(clusters.unresolved for clusters in self.clusters.values()):
            notes.append(f"pairs that need more trials to be decided: {unresolved}")
        caption = "Systems without a significant difference, best first"
        return Table("clusters", columns, rows, caption, notes)

    def notes(self) -> Sequence[str]:
        return list(dict.fromkeys(map(self.signature, self.metrics_and_parts)))

    def warnings(self) -> Sequence[str]:
        lines = [
            line
            for system in self.systems
            if system.problems
            for line in describe(list(system.problems.values()), len(system.items))
        ]
        if self.coverage is None:
            return [*self.remarks, *lines]
        advice = "; the option common scores the common ones alone" if self.coverage.common else ""
        return [*self.remarks, *lines, self.coverage.warning(f"{self.unit}s") + advice]

    # For programs

    def records(self) -> Iterable[Table]:
        columns = [Column(self.unit), Column("metric"), Column("score")]
        columns += [Column("cluster")] if self.clusters else []
        columns += [Column("trained_on")] if self.familiarity else []
        rows: list[list[Cell]] = []
        for (system, label), cell in self.cells.items():
            row: list[Cell] = [system, label, cell]
            if self.clusters:
                known = self.clusters.get(label)
                row.append(None if known is None else known.number(system))
            if self.familiarity:
                familiarity = self.familiarity.get(self._whole(label))
                row.append(None if familiarity is None else familiarity.share)
            rows.append([*row, self.signature(label)])
        tables = [Table("scores", [*columns, Column("signature")], rows)]
        records = {**self._extremes(), "problems": [p.to_dict() for p in self.problems]}
        for kind, listed in records.items():
            if listed:
                names = [Column(name) for name in listed[0]]
                tables.append(Table(kind, names, [list(record.values()) for record in listed]))
        return tables

    def _extremes(self) -> dict[str, list[dict[str, Any]]]:
        by_kind: dict[str, list[dict[str, Any]]] = {}
        for extreme in self.extremes:
            by_kind.setdefault(extreme.kind, []).append(extreme.to_dict())
        return by_kind

    def to_dict(self) -> dict[str, Any]:
        from otherwords.tables.formats import number_dict

        document: dict[str, Any] = {
            "signatures": {label: self.signature(label) for label in self.metrics_and_parts},
            f"{self.unit}s": [
                {
                    self.unit: system.system,
                    "segments": len(system.items),
                    "scores": {
                        label: number_dict(self.cells[system.system, label])
                        for label in self.metrics_and_parts
                    },
                }
                for system in self.systems
            ],
        }
        if self.sampling is not None and self.sampling.test:
            document["baseline"] = self.baseline or self.systems[0].system
        if self.clusters:
            document["clusters"] = {
                label: clusters.to_dict() for label, clusters in self.clusters.items()
            }
        if self.coverage is not None:
            document["coverage"] = self.coverage.to_dict()
        if self.familiarity:
            document["seen"] = {
                label: familiarity.to_dict() for label, familiarity in self.familiarity.items()
            }
        document |= self._extremes()
        if self.problems:
            document["problems"] = [problem.to_dict() for problem in self.problems]
        return document


@dataclass(frozen=True, eq=False)
class SegmentScores(Tabular):
    """The score of every segment by every metric, with the texts if they are wanted."""

    results: Results
    texts: bool = False

    def tables(self) -> Iterator[Table]:
        columns = [Column(self.results.unit, left=True), Column("item", left=True)]
        if self.texts:
            columns += [Column(name, left=True) for name in ("hypothesis", "references", "source")]
        columns += self.results.columns()
        if self.results.problems:
            columns += [Column("problem", left=True), Column("reason", left=True)]
        yield Table("segments", columns, self._rows())

    def _rows(self) -> Iterator[list[Cell]]:
        from otherwords.scoring.explanations import texts_of

        for system in self.results.systems:
            columns = [scores.tolist() for scores in self._scores(system).values()]
            rows = system.rows if self.texts else [None] * len(system.items)
            found = zip(system.items, rows, *columns, strict=True)
            for place, (item, row, *values) in enumerate(found):
                texts = [] if row is None else texts_of(row).values()
                problem: list[Cell] = []
                if self.results.problems:
                    mine = system.problems.get(place)
                    problem = ["", ""] if mine is None else [mine.code, mine.reason]
                yield [system.system, item, *texts, *map(_or_none, values), *problem]

    def _scores(self, system: SystemScores) -> dict[str, Array]:
        return {
            label: self.results.segment_scores(system, label)
            for label in self.results.metrics_and_parts
        }

    def notes(self) -> Sequence[str]:
        return self.results.notes()

    def warnings(self) -> Sequence[str]:
        return self.results.warnings()

    def to_dict(self) -> dict[str, Any]:
        from otherwords.scoring.explanations import texts_of

        document = self.results.to_dict()
        systems = document[f"{self.results.unit}s"]
        for system, described in zip(self.results.systems, systems, strict=True):
            described["items"] = list(system.items)
            if self.texts:
                described["texts"] = [texts_of(row) for row in system.rows]
            scores = self._scores(system).items()
            described["segment_scores"] = {
                label: list(map(_or_none, values.tolist())) for label, values in scores
            }
        return document


def _or_none(score: float) -> float | None:
    return None if math.isnan(score) else score
