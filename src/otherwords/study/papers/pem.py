"""PEM's human evaluation (Liu, Dahlmeier & Ng 2010, §5.2-§6.2, Tables 1-3) on any judged set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Metric
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import segment_keys
from otherwords.stats.arrays import Array, numbered
from otherwords.stats.coefficients import FEWEST, pearson, pearson_each, pearson_resampled
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.resampling import Counts, Resamples
from otherwords.study.agreement.arrays import JudgedRows, Scoring, metrics_by_label, system_sums
from otherwords.study.agreement.human_scores import (
    JudgedSet,
    Scales,
    criteria_of,
    judged_set,
    rows_with_scores,
)
from otherwords.study.agreement.result import (
    no_value,
    number_of,
)
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular


@dataclass(frozen=True)
class PemLine:
    """The correlation of two scores, over rows and over the means of systems.

    `other` is a judge or a criterion; `None` is the mean of the judges. `where` says which rows
    count, if not all. For figures, `points` has both scores of every row that counts and `means`
    those of every system.
    """

    name: str
    other: str | None
    sentence: Estimate
    system: Estimate
    where: str = ""
    points: Array = field(default_factory=lambda: np.zeros((0, 2)), repr=False, compare=False)
    means: Mapping[str, tuple[float, float]] = field(
        default_factory=dict, repr=False, compare=False
    )


@dataclass(frozen=True)
class PemTables(Tabular):
    """PEM's Tables 1, 2 and 3, and remarks on what was left out.

    `signatures` has those of the metrics by label; `resampling` says how the `originals`, whose
    number is given, were resampled for intervals.
    """

    human: str
    judges: Sequence[PemLine]
    criteria: Sequence[PemLine]
    metrics: Sequence[PemLine]
    remarks: Sequence[str]
    signatures: Mapping[str, str]
    resampling: Resampling | None = None
    originals: int = 0

    def tables(self) -> Iterator[Table]:
        columns = [
            Column("line", "", left=True),
            Column("sentence", decimals=4, interval="range"),
            Column("rows"),
            Column("system", decimals=4, interval="range"),
            Column("systems"),
        ]
        captions = {
            "judges": "Table 1: Pearson between judges, {}, without controls",
            "criteria": "Table 2: Pearson of criteria with {}",
            "metrics": "Table 3: Pearson of metrics with {}; judges without controls",
        }
        for name, lines in self._lines().items():
            if lines:
                rows = [[self._label(line), *self._cells(line)] for line in lines]
                yield Table(name, columns, rows, captions[name].format(self.human))

    def records(self) -> Iterator[Table]:
        head = "name other where sentence rows system systems".split()
        for name, lines in self._lines().items():
            more = ["signature"] if name == "metrics" else []
            rows = [
                [line.name, line.other, line.where or None, *self._cells(line)]
                + [self.signatures[line.name] for _ in more]
                for line in lines
            ]
            yield Table(name, [*map(Column, [*head, *more])], rows)

    def notes(self) -> list[str]:
        intervals = []
        if self.resampling is not None:
            resampled = self.resampling.signature("segments")
            intervals = [f"intervals: {self.originals} originals resampled, {resampled}"]
        return [*self.remarks, *intervals, *dict.fromkeys(self.signatures.values())]

    def _lines(self) -> dict[str, Sequence[PemLine]]:
        return {"judges": self.judges, "criteria": self.criteria, "metrics": self.metrics}

    def _label(self, line: PemLine) -> str:
        if line.where:
            return f"{line.name} ({line.where})"
        return (
            line.name if line.other == self.human else f"{line.name}, {line.other or 'human mean'}"
        )

    def _cells(self, line: PemLine) -> list[Cell]:
        both = (line.sentence, line.system)
        return [cell for level in both for cell in (number_of(level, self.resampling), level.size)]


Rows = NDArray[np.bool_]
MeansDrawn = Callable[[Rows, Counts], Array]  # [resamples, systems]


@dataclass(frozen=True)
class Originals:
    """The originals of a judged set: `units[row]` is the number of the row's original."""

    units: NDArray[np.intp]
    resampling: Resampling

    @property
    def size(self) -> int:
        return int(self.units.max()) + 1 if len(self.units) else 0

    @cached_property
    def _draws(self) -> Sequence[Counts]:
        return list(Resamples(self.size, self.resampling.resamples, self.resampling.seed))

    def of_rows(self, x: Array, y: Array, known: Rows) -> Array:
        """Compute Pearson's r over rows in each resample."""
        units = self.units[known]
        parts = [pearson_resampled(x[known], y[known], units, times) for times in self._draws]
        return np.concatenate(parts)

    def of_systems(self, x: MeansDrawn, y: MeansDrawn, known: Rows) -> Array:
        """Compute Pearson's r over the means of systems in each resample."""
        return np.concatenate(
            [pearson_each(x(known, times), y(known, times)) for times in self._draws]
        )

    def means(self, values: Array, systems: Mapping[str, NDArray[np.intp]]) -> MeansDrawn:
        """Return a function for each system's mean value in each resample, NaN without rows."""

        def drawn(known: Rows, times: Counts) -> Array:
            means = np.full((len(times), len(systems)), np.nan)
            for place, rows in enumerate(systems.values()):
                mine = rows[known[rows]]
                sums, counts = (
                    times @ np.bincount(self.units[mine], weights, self.size)
                    for weights in (values[mine], None)
                )
                np.divide(sums, counts, out=means[:, place], where=counts > 0)
            return means

        return drawn

    def scores(
        self, metric: Metric, statistics: Array, systems: Mapping[str, NDArray[np.intp]]
    ) -> MeansDrawn:
        """Return a function for the metric's corpus score of each system in each resample."""
        rows = JudgedRows({}, systems, self.units, "segments")

        def drawn(known: Rows, times: Counts) -> Array:
            nobody = np.zeros(len(statistics))
            return system_sums(rows, nobody, metric, statistics, known).scores(times)

        return drawn


CRITERIA = ("adequacy", "fluency", "dissimilarity")
_NEAR = 1e-9  # a score mapped onto the threshold reaches it even if its last bit differs


# The last line of Table 2: dissimilarity where these are high (§5.3).
HIGH = {"adequacy": 4.0, "fluency": 4.0}


def pem_tables(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = (),
    human: str = "overall",
    *,
    scales: Scales = Scales(),  # noqa: B008 - frozen
    controls: bool = True,
    resampling: Resampling | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> PemTables:
    """Compute PEM's Tables 1-3 for rows with human scores.

    Parameters
    ----------
    rows, human
        Judged rows, and the name of the overall score.
    metrics
        Names, or metrics by label, for Table 3.
    scales
        The scales of the judges' scores.
    controls
        Whether control rows count.
    resampling
        How originals, with all their rows, are resampled (default: no intervals).

    >>> from otherwords.study.agreement.human_scores import Scale
    >>> rows = [Row(text, system=text, source="a cat", human={"overall": n, "fluency": n % 3})
    ...         for n, text in enumerate("abcd", 1)]
    >>> pem_tables(rows, scales=Scales(others=Scale(0, 5))).criteria[0].name
    'fluency'
    """
    chosen, _, remarks = rows_with_scores(rows, [human], controls=controls)
    by_label = metrics_by_label(metrics)
    criteria = dict.fromkeys([*CRITERIA, *criteria_of(chosen)])
    wanted = [name for name in criteria if name != human]
    judged = judged_set(chosen, [human, *wanted], scales)
    statistics: Mapping[str, Array] = {}
    if by_label:
        statistics, scored = scoring.score(chosen, by_label)
        remarks += cautions(by_label, scored)
    both = {label: (metric, statistics[label]) for label, metric in by_label.items()}
    originals = None
    if resampling is not None:
        # Several originals may share an id, as in WMT's sets.
        names = zip(segment_keys(chosen), (row.source for row in chosen), strict=True)
        originals = Originals(numbered(names), resampling)
    return tables_of(judged, human, wanted, both, remarks, originals)


def tables_of(
    judged: JudgedSet,
    human: str,
    criteria: Sequence[str],
    metrics: Mapping[str, tuple[Metric, Array]],
    remarks: Sequence[str] = (),
    originals: Originals | None = None,
) -> PemTables:
    """Compute all three tables, from metrics with their statistics of the rows.

    `criteria` are the lines of Table 2. Without `originals` to resample there are no intervals.
    """
    tables = _Lines(judged, human, originals)
    notes = [*remarks, *_on_rows(judged), *_on_judges(judged, human)]
    there = [name for name in criteria if _is_judged(judged, name)]
    notes += [
        f"{name} is left out: {_lacking(judged, name)}" for name in criteria if name not in there
    ]
    table2 = [tables.criterion(name) for name in there]
    thresholds, said = _thresholds(judged)
    if "dissimilarity" in there and thresholds:
        table2.append(tables.restricted(thresholds))
        notes += said
    table3 = []
    for label, (metric, statistics) in metrics.items():
        table3 += tables.metric(label, metric, statistics)
        if not metric.traits.higher_is_better:
            notes.append(f"{label}: lower is better; its correlations are not reversed")
    signatures = {label: metric.signature for label, (metric, _) in metrics.items()}
    resampling = originals.resampling if originals else None
    size = originals.size if originals else 0
    return PemTables(human, tables.judges(), table2, table3, notes, signatures, resampling, size)


@dataclass(frozen=True)
class _Lines:
    """The lines of the tables of a judged set."""

    set: JudgedSet
    human: str
    originals: Originals | None

    def judges(self) -> list[PemLine]:
        """Table 1: each pair of judges, on the rows that both judged, without controls (§5.2)."""
        scores = _by_name(self.set, self.human)
        return [
            self._line(judge, other, scores[judge], scores[other], ~self.set.controls)
            for judge, other in combinations(scores, 2)
            if _shared(self.set, scores[judge], scores[other])
        ]

    def criterion(self, name: str) -> PemLine:
        """Table 2: a criterion with the overall score, mean of the judges (§5.3)."""
        return self._line(name, self.human, self.set.human[name], self.set.human[self.human])

    def restricted(self, thresholds: Mapping[str, float]) -> PemLine:
        """Table 2's last line: dissimilarity where others are high, controls included (§5.3)."""
        among = np.ones(len(self.set.controls), dtype=bool)
        for name, least in thresholds.items():
            among &= self.set.human[name] >= least - _NEAR
        where = ", ".join(f"{name} >= {least:g}" for name, least in thresholds.items())
        scores, overall = self.set.human["dissimilarity"], self.set.human[self.human]
        return self._line("dissimilarity", self.human, scores, overall, among, where=where)

    def metric(self, label: str, metric: Metric, statistics: Array) -> list[PemLine]:
        """Table 3: a metric with the mean human score, and with each judge without controls (§6.2).

        The score of a system is the metric's corpus score over the rows that count.
        """

        def of_system(rows: NDArray[np.intp]) -> float:
            return metric.aggregate(statistics[rows])

        drawn = None
        if self.originals is not None:
            drawn = self.originals.scores(metric, statistics, self.set.systems)
        scores = metric.segment_scores(statistics)
        people: list[tuple[str | None, Array]] = [(None, self.set.human[self.human])]
        people += _by_name(self.set, self.human).items()
        return [
            self._line(
                label,
                judge,
                scores,
                theirs,
                None if judge is None else ~self.set.controls,
                of_system=of_system,
                drawn=drawn,
            )
            for judge, theirs in people
        ]

    def _line(
        self,
        name: str,
        other: str | None,
        x: Array,
        y: Array,
        among: Rows | None = None,
        *,
        of_system: Callable[[NDArray[np.intp]], float] | None = None,
        where: str = "",
        drawn: MeansDrawn | None = None,
    ) -> PemLine:
        """Correlate x and y over rows and systems, on the rows `among` that have both."""
        known = np.isfinite(x) & np.isfinite(y)
        if among is not None:
            known &= among
        mean_x = of_system or (lambda rows: _mean(x[rows]))
        systems = self.set.systems
        parts = {each: rows[known[rows]] for each, rows in systems.items() if known[rows].any()}
        means = {each: (mean_x(rows), _mean(y[rows])) for each, rows in parts.items()}
        points = np.array([*means.values()]).reshape(-1, 2)
        of_rows = of_systems = np.zeros(0)
        if self.originals is not None:
            mine = drawn or self.originals.means(x, systems)
            of_rows = self.originals.of_rows(x, y, known)
            of_systems = self.originals.of_systems(mine, self.originals.means(y, systems), known)
        pairs = np.column_stack([x[known], y[known]])
        sentence = self._estimate(pairs, of_rows, "segment")
        system = self._estimate(points, of_systems, "system")
        return PemLine(name, other, sentence, system, where, pairs, means)

    def _estimate(self, points: Array, draws: Array, level: str) -> Estimate:
        """Pearson's r of points; there is none of fewer than three, or if a side is constant."""
        r = pearson(*points.T) if len(points) >= FEWEST else None
        return estimate(
            Sampled(math.nan if r is None else r, len(points), draws),
            None if self.originals is None else self.originals.resampling,
            alone=self.originals is not None and self.originals.size < 2,
            reason=no_value(len(points), level),
        )


def _mean(scores: Array) -> float:
    return math.fsum(scores) / len(scores)


def _by_name(judged: JudgedSet, human: str) -> dict[str, Array]:
    """Return the scores of each named judge for this criterion."""
    return {judge: mine[human] for judge, mine in judged.judges.items() if human in mine}


def _shared(judged: JudgedSet, mine: Array, theirs: Array) -> bool:
    return bool(np.any(np.isfinite(mine) & np.isfinite(theirs) & ~judged.controls))


def _is_judged(judged: JudgedSet, name: str) -> bool:
    """Whether a row other than a control has the score; in a set of controls only, any row."""
    among = ~judged.controls if not judged.controls.all() else judged.controls
    return name in judged.human and bool(np.isfinite(judged.human[name][among]).any())


def _lacking(judged: JudgedSet, name: str) -> str:
    scores = judged.human.get(name)
    there = scores is not None and bool(np.isfinite(scores).any())
    return "only controls have it" if there else "no row has it"


def _on_rows(judged: JudgedSet) -> list[str]:
    """Remark on the scales, and on how many rows are controls."""
    shown = [f"{name} {scale}" for name, scale in judged.scales.items() if _is_judged(judged, name)]
    notes = [f"scales, mapped linearly onto 1:5: {', '.join(shown)}"]
    if judged.controls.any():
        notes.append(f"controls: {int(judged.controls.sum())} of {len(judged.controls)} rows")
    return notes


def _on_judges(judged: JudgedSet, human: str) -> list[str]:
    """Remark on judges that are left out, and why."""
    scores = _by_name(judged, human)
    notes = []
    if not scores:
        why = "the judges have no names" if judged.anonymous else "the rows name no judges"
        notes.append(f"single judges are left out: {why}")
    elif judged.anonymous:
        notes.append(f"{judged.anonymous} judgements without a name count in the mean only")
    if len(scores) == 1:
        notes.append("inter-judge correlation is left out: there is one judge")
    apart = sum(not _shared(judged, scores[a], scores[b]) for a, b in combinations(scores, 2))
    if apart:
        notes.append(f"pairs of judges left out because they share no row: {apart}")
    return notes


def _thresholds(judged: JudgedSet) -> tuple[dict[str, float], list[str]]:
    """Reduce the thresholds to criteria of the set; return them with remarks on the others."""
    known = {name: least for name, least in HIGH.items() if _is_judged(judged, name)}
    lacking = [name for name in HIGH if name not in known]
    notes = [f"dissimilarity is not restricted by {n}: {_lacking(judged, n)}" for n in lacking]
    return known, notes
