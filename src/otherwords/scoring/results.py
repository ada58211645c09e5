"""What `otherwords.score` returns: the scores of systems by one metric, or by several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from otherwords.corpus.rows import Coverage
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Explanation, MeanMetric, Metric, Part
from otherwords.scoring.seen import SEEN, Familiarity, familiarity_of, find_familiar, select_fair
from otherwords.scoring.stream import (
    ANNOTATED,
    SystemScores,
    common_segments,
    coverage,
    explain_row,
)
from otherwords.stats.arrays import Array
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

if TYPE_CHECKING:
    from otherwords.scoring.explanations import Extreme
    from otherwords.scoring.sampling import Clusters, Sampling
    from otherwords.stats.intervals import Interval
    from otherwords.stats.significance import Comparison, Test


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
        number = len(self.segments)
        value = f"{self.corpus:z.{decimals_of(self.metric.traits.high)}f}"
        signature = self.signature
        if len(signature) > _SHOWN:
            signature = signature[:_SHOWN] + "..."
        segments = "segment" if number == 1 else "segments"
        return f"<Result {self.metric.name}: {value} over {number:,} {segments}; {signature}>"

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

    @cached_property
    def corpus(self) -> float:
        return self.metric.aggregate(self.statistics)

    @cached_property
    def segments(self) -> Array:
        return self.metric.segment_scores(self.statistics)

    @property
    def parts(self) -> dict[str, Array]:
        """The component scores of each segment (for PEM: adequacy, fluency, dissimilarity)."""
        places = {name: self.metric.columns.index(name) for name in self.metric.parts}
        return {name: self.statistics[:, place].copy() for name, place in places.items()}

    @property
    def trained_on(self) -> float:
        """The share of the segments that the metric was trained on, 0 to 1."""
        seen = self.system.seen.get(self.label)
        return 0.0 if seen is None else float(seen.mean())

    def explain(self, i: int, *, findings: bool = False) -> Explanation:
        """Why segment i (from 0) has its score; with `findings` also what differs, span by span,
        in `details["findings"]`, one list per reference (docs/facts.md).
        """
        number = len(self.segments)
        if not isinstance(i, (int, np.integer)) or not -number <= i < number:
            raise UsageError(f"there is no segment {i}; they run from 0 to {number - 1}")
        if not self.system.rows:
            raise UsageError("a stream of rows is not kept; give score a list to explain segments")
        return explain_row(self.metric, self.system.rows[i], findings=findings, any_language=True)

    def interval(
        self,
        *,
        confidence: float = 0.95,
        resamples: int = 1000,
        seed: int = 0,
        docs: Sequence[str] | None = None,
    ) -> Interval:
        """Bootstrap interval of the corpus score, over segments or whole documents."""
        from otherwords.stats.intervals import interval

        return interval(
            self.metric.from_sums,
            self.statistics,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            docs=self.system.docs if docs is None else docs,
        )

    def compare(
        self,
        other: Result,
        *,
        test: Test = "randomization",
        resamples: int = 1000,
        seed: int = 0,
        docs: Sequence[str] | None = None,
    ) -> Comparison:
        """Paired test of this result against another one of the same metric and segments.

        `test` is approximate randomization, as in `otherwords.compare`, or "bootstrap".

        >>> import otherwords
        >>> references = ["the cat sat", "a dog barked", "it rained"]
        >>> a = otherwords.score("chrf", ["the cat sat", "a dog barks", "it rains"], references)
        >>> b = otherwords.score("chrf", ["a cat", "the dog", "it snowed"], references)
        >>> comparison = a.compare(b)
        >>> comparison.difference == a.corpus - b.corpus, 0 < comparison.p <= 1
        (True, True)
        """
        if not isinstance(other, Result):
            raise UsageError(f"a result is compared with another Result, not {other!r:.60}")
        if other.signature != self.signature:
            raise UsageError(
                "the two results were computed in different ways: "
                f"{self.signature} and {other.signature}"
            )
        if len(other.segments) != len(self.segments):
            raise UsageError(
                f"the two results have {len(self.segments)} and {len(other.segments)} segments; "
                "a paired test needs the same ones"
            )
        from otherwords.stats.significance import compare

        return compare(
            self.metric.from_sums,
            self.statistics,
            other.statistics,
            test=test,
            trials=resamples,
            seed=seed,
            docs=self.system.docs if docs is None else docs,
        )

    def to_dict(self) -> dict[str, Any]:
        """The scores of the corpus and of the segments, for JSON; of several systems, the document
        of the command.
        """
        if len(self.whole.systems) > 1:
            return self.whole.to_dict()
        scores = {"score": self.segments, **self.parts}
        means = {part: {"value": float(values.mean())} for part, values in self.parts.items()}
        return {
            "metric": self.metric.name,
            "signature": self.signature,
            "score": {"value": self.corpus},
            **({"parts": means} if means else {}),
            "segments": [
                dict(zip(scores, row, strict=True))
                for row in np.column_stack(list(scores.values())).tolist()
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
    on these rows gets no tests (`familiarity`). `human` are the correlations with human scores.

    `unit` is what is scored; `by_metric` shows one row per metric; `remarks` list what was left
    out; `extremes` are the worst and best segments.

    >>> import otherwords
    >>> text = ["the cat sat down"]
    >>> results = otherwords.score(["bleu", "chrf"], text, references=text)
    >>> list(results), round(results["chrf"].corpus)
    (['bleu', 'chrf'], 100)
    >>> print(results)
    system        bleu    chrf
    hypotheses  100.00  100.00
    <BLANKLINE>
    bleu|v:1|case:mixed|eff:no|tok:13a|smooth:exp|sacrebleu:...
    chrf|v:1|case:mixed|eff:yes|nc:6|nw:0|space:no|sacrebleu:...
    """

    metrics: Mapping[str, Metric]
    systems: Sequence[SystemScores]
    sampling: Sampling | None = None
    baseline: str | None = None
    unit: str = "system"
    by_metric: bool = False
    remarks: Sequence[str] = ()
    extremes: Sequence[Extreme] = ()

    def __getitem__(self, label: str) -> Result:
        if len(self.metrics) == 1 and label in self.metrics:
            return Result(label, self)
        return Result(label, replace(self, metrics={label: self.metrics[label]}))

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __repr__(self) -> str:
        return "<Results " + ", ".join(repr(result) for result in self.values()) + ">"

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
        """A pandas DataFrame of the segments, with their texts if they are kept; or of a named
        table: "scores", "worst", "best".
        """
        if table is None:
            return self.by_segment(texts=all(system.rows for system in self.systems)).to_frame()
        return super().to_frame(table)

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
        return self.metrics_and_parts[label].segment_scores(system.statistics[self._whole(label)])

    def _whole(self, label: str) -> str:
        """The label of the metric whose statistics are read: `pem` for its part `pem.fluency`."""
        return label if label in self.metrics else label.rpartition(".")[0]

    @cached_property
    def familiarity(self) -> dict[str, Familiarity]:
        """The metrics that were trained on these rows, or whose teacher may know them."""
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
        numbers: dict[str, list[Number]] = {}
        for label, metric in self.metrics_and_parts.items():
            whole = self._whole(label)
            known: dict[str, dict[str, Any]] = {}
            if sampling is not None and label in tested:
                known = sampling.compare(whole, metric, self.systems, first)
            numbers[label] = [
                Number(
                    metric.aggregate(system.statistics[whole]),
                    **({} if sampling is None else sampling.interval(whole, metric, system)),
                    **known.get(system.system, {}),
                )
                for system in self.systems
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
        if self.sampling is None or len(self.systems) < 3 or self.by_metric:
            return {}
        if self.unit != "system":
            return {}
        from otherwords.scoring.sampling import find_clusters

        return find_clusters(
            select_fair(self.metrics, self.familiarity), self.systems, self.sampling
        )

    @cached_property
    def human(self) -> dict[tuple[str, str], Number]:
        """Segment-level Pearson of each human criterion with each metric, over all systems' rows.

        Lower-is-better metrics are reversed, so that higher agreement is always higher. It is
        missing with fewer than three segments, and where all scores are the same.
        """
        criteria = dict.fromkeys(name for system in self.systems for name in system.human)
        if not criteria:
            return {}
        from otherwords.stats.coefficients import FEWEST, pearson

        numbers: dict[tuple[str, str], Number] = {}
        for criterion in criteria:
            judged = [system for system in self.systems if criterion in system.human]
            judgements = np.concatenate([system.human[criterion] for system in judged])
            size = int(np.isfinite(judgements).sum())
            reason = f"fewer than {FEWEST} segments" if size < FEWEST else "all scores are the same"
            for label, metric in self.metrics_and_parts.items():
                scores = np.concatenate([self.segment_scores(system, label) for system in judged])
                r = pearson(scores if metric.traits.higher_is_better else -scores, judgements)
                why = "" if r is not None else reason
                numbers[criterion, label] = Number(r, size=size, reason=why)
        return numbers

    @property
    def _criteria(self) -> list[str]:
        return list(dict.fromkeys(criterion for criterion, _ in self.human))

    def _familiarity(self, label: str) -> Familiarity:
        return familiarity_of(label, self.metrics_and_parts[label], self.familiarity)

    # For readers

    def tables(self) -> Iterator[Block]:
        """One row per system, or per metric; then clusters, the agreement with human scores, and
        the worst and best segments.
        """
        tested = None
        if self.sampling is not None and self.sampling.test:
            tested = self.systems[0].system if self.baseline is None else self.baseline
        if self.by_metric:
            columns, rows = self._by_metric()
            yield Table("scores", columns, rows, notes=self._table_notes(), baseline=tested)
            return
        columns = [Column(self.unit, left=True), *self.columns()]
        rows = [
            [system.system, *(self.cells[system.system, label] for label in self.metrics_and_parts)]
            for system in self.systems
        ]
        yield Table("scores", columns, rows, notes=self._table_notes(), baseline=tested)
        if self.clusters:
            yield self._clusters_table()
        if self.human:
            yield Lines("human", [self._agreement(criterion) for criterion in self._criteria])
        before = None
        for extreme in self.extremes:
            kind = extreme.kind.capitalize()
            caption = f"{kind} segments of {extreme.system} by {extreme.explanation.metric}"
            yield Lines(extreme.kind, list(extreme.lines()), caption if caption != before else "")
            before = caption

    def columns(self) -> list[Column]:
        """One for each metric; those trained on these rows are marked, and have no best score."""
        columns = []
        for label, metric in self.metrics_and_parts.items():
            column = Column(label, decimals=decimals_of(metric.traits.high))
            if self._familiarity(label).is_marked:
                column = replace(column, head=label + SEEN)
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
        undecided = [
            cell.trials or 0
            for cell in cells
            if cell.is_floor and cell.corrected is not None and not cell.is_significant
        ]
        if undecided:
            most = max(undecided)
            notes.append(f"p < ...: not decided by {most:,} trials; raise --resamples-max")
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

    def _by_metric(self) -> tuple[list[Column], list[list[Cell]]]:
        names = [system.system for system in self.systems]
        # Metrics of a sweep share a scale, so one column has one number of decimals.
        decimals = max(
            decimals_of(metric.traits.high) for metric in self.metrics_and_parts.values()
        )
        columns = [Column("metric", left=True)]
        columns += [Column(name, decimals=decimals) for name in names]
        columns += [Column(f"r({criterion})", decimals=4) for criterion in self._criteria]
        return columns, [
            [
                self._title(label),
                *(self.cells[name, label] for name in names),
                *(self.human[criterion, label].value for criterion in self._criteria),
            ]
            for label in self.metrics_and_parts
        ]

    def _title(self, label: str) -> str:
        return label + SEEN * self._familiarity(label).is_marked

    def _agreement(self, criterion: str) -> str:
        numbers = [
            (self._title(label), self.human[criterion, label]) for label in self.metrics_and_parts
        ]
        values = [f"{n} {shown(number.value, Column('r', decimals=4))}" for n, number in numbers]
        return f"Pearson with {criterion}, {numbers[0][1].size} segments: " + ", ".join(values)

    def notes(self) -> Sequence[str]:
        return list(dict.fromkeys(map(self.signature, self.metrics_and_parts)))

    def warnings(self) -> Sequence[str]:
        if self.coverage is None:
            return self.remarks
        advice = "; --common scores the common ones alone" if self.coverage.common else ""
        return [*self.remarks, self.coverage.warning(f"{self.unit}s") + advice]

    # For programs

    def records(self) -> Iterable[Table]:
        columns = [Column(self.unit), Column("metric"), Column("score")]
        columns += [Column("cluster")] if self.clusters else []
        columns += [Column("trained_on")] if self.familiarity else []
        columns += [Column(f"pearson {criterion}") for criterion in self._criteria]
        rows: list[list[Cell]] = []
        for (system, label), cell in self.cells.items():
            row: list[Cell] = [system, label, cell]
            if self.clusters:
                known = self.clusters.get(label)
                row.append(None if known is None else known.number(system))
            if self.familiarity:
                familiarity = self._familiarity(label)
                row.append(familiarity.share if familiarity.is_marked else None)
            row += [self.human[criterion, label].value for criterion in self._criteria]
            rows.append([*row, self.signature(label)])
        tables = [Table("scores", [*columns, Column("signature")], rows)]
        for kind, records in self._extremes().items():
            names = [Column(name) for name in records[0]]
            tables.append(Table(kind, names, [list(record.values()) for record in records]))
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
        if self.human:
            document["human"] = [
                {"criterion": criterion, "metric": label, "pearson": number_dict(number)}
                for (criterion, label), number in self.human.items()
            ]
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
        yield Table("segments", [*columns, *self.results.columns()], self._rows())

    def _rows(self) -> Iterator[list[Cell]]:
        from otherwords.scoring.explanations import texts_of

        for system in self.results.systems:
            columns = [scores.tolist() for scores in self._scores(system).values()]
            rows = system.rows if self.texts else [None] * len(system.items)
            for item, row, *values in zip(system.items, rows, *columns, strict=True):
                texts = [] if row is None else texts_of(row).values()
                yield [system.system, item, *texts, *values]

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
            described["segment_scores"] = {label: values.tolist() for label, values in scores}
        return document
