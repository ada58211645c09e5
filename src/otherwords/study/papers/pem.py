"""PEM's human evaluation (Liu, Dahlmeier & Ng 2010, §5.2-§6.2, Tables 1-3) on any judged set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Metric
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import segment_keys
from otherwords.stats.arrays import Array, numbered
from otherwords.stats.coefficients import pearson, pearson_each, pearson_resampled
from otherwords.stats.intervals import Resampling, percentiles, round_value
from otherwords.stats.resampling import Counts, Resamples
from otherwords.study.agreement.arrays import JudgedRows, Scoring, metrics_by_label, system_sums
from otherwords.study.agreement.human_scores import (
    JudgedSet,
    Scales,
    criteria_of,
    judged_set,
    rows_with_scores,
)
from otherwords.study.agreement.result import resampling_dict
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

FEWEST = 3  # two points always lie on a line


@dataclass(frozen=True)
class Correlation:
    """Pearson's r over `size` points; `None` if they are fewer than three or a side is constant.

    `low` and `high` bound the interval, if one was requested and can be computed.
    """

    r: float | None
    size: int
    low: float | None = None
    high: float | None = None

    def number(self, points: str) -> Number:
        """Make a cell, with the reason if there is no value; `points` is "row" or "system"."""
        if self.r is not None or self.size >= FEWEST:
            reason = "" if self.r is not None else "constant"
            return Number(self.r, self.low, self.high, reason=reason)
        return Number(None, reason=f"{self.size} {points}{'' if self.size == 1 else 's'}")


@dataclass(frozen=True)
class PemLine:
    """The correlation of two scores, over rows and over the means of systems.

    `other` is a judge or a criterion; `None` is the mean of the judges. `where` says which rows
    count, if not all. For figures, `points` has both scores of every row that counts and `means`
    those of every system.
    """

    one: str
    other: str | None
    sentence: Correlation
    system: Correlation
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
                rows = [[self._label(line), *_cells(line)] for line in lines]
                yield Table(name, columns, rows, captions[name].format(self.human))

    def records(self) -> Iterator[Table]:
        head = "one other where sentence rows system systems".split()
        for name, lines in self._lines().items():
            more = ["signature"] if name == "metrics" else []
            rows = [
                [line.one, line.other, line.where or None, *_cells(line)]
                + [self.signatures[line.one] for _ in more]
                for line in lines
            ]
            yield Table(name, [*map(Column, [*head, *more])], rows)

    def notes(self) -> list[str]:
        intervals = []
        if self.resampling is not None:
            resampled = self.resampling.signature("segments")
            intervals = [f"intervals: {self.originals} originals resampled, {resampled}"]
        return [*self.remarks, *intervals, *dict.fromkeys(self.signatures.values())]

    def to_dict(self) -> dict[str, Any]:
        resampling = resampling_dict(self.resampling, "originals", self.originals)
        return {
            "paper": "pem",
            "human": self.human,
            "judges": [_record(line, "judge", "other") for line in self.judges],
            "criteria": [_record(line, "criterion", "with") for line in self.criteria],
            "metrics": [_record(line, "metric", "judge") for line in self.metrics],
            "notes": list(self.remarks),
            "signatures": dict(self.signatures),
            **({} if resampling is None else {"resampling": resampling}),
        }

    def _lines(self) -> dict[str, Sequence[PemLine]]:
        return {"judges": self.judges, "criteria": self.criteria, "metrics": self.metrics}

    def _label(self, line: PemLine) -> str:
        if line.where:
            return f"{line.one} ({line.where})"
        return line.one if line.other == self.human else f"{line.one}, {line.other or 'human mean'}"


def _cells(line: PemLine) -> list[Cell]:
    sentence, system = line.sentence, line.system
    return [sentence.number("row"), sentence.size, system.number("system"), system.size]


def _record(line: PemLine, one: str, other: str) -> dict[str, Any]:
    where = {"where": line.where} if line.where else {}
    return {
        one: line.one,
        other: line.other,
        **where,
        "sentence": number_dict(line.sentence.number("row")) | {"size": line.sentence.size},
        "system": number_dict(line.system.number("system")) | {"size": line.system.size},
    }


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

    def of_rows(self, x: Array, y: Array, known: Rows) -> tuple[float, float] | None:
        """Compute the interval of Pearson's r over rows."""
        parts = [
            pearson_resampled(x[known], y[known], self.units[known], times) for times in self._draws
        ]
        return self._interval(parts)

    def of_systems(self, x: MeansDrawn, y: MeansDrawn, known: Rows) -> tuple[float, float] | None:
        """Compute the interval of Pearson's r over the means of systems in each resample."""
        parts = [pearson_each(x(known, times), y(known, times)) for times in self._draws]
        return self._interval(parts)

    def _interval(self, parts: Sequence[Array]) -> tuple[float, float] | None:
        draws = np.concatenate(parts)
        draws = draws[np.isfinite(draws)]
        if self.size < 2 or len(draws) < 2:
            return None
        return percentiles(draws, self.resampling.confidence)

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


@dataclass(frozen=True)
class Restriction:
    """A criterion on the rows where others reach a threshold, on the scale 1-5 (PEM §5.3)."""

    criterion: str
    thresholds: Mapping[str, float]

    @property
    def mentions(self) -> tuple[str, ...]:
        return (self.criterion, *self.thresholds)

    def __str__(self) -> str:
        return ", ".join(f"{name} >= {least:g}" for name, least in self.thresholds.items())


HIGH = Restriction("dissimilarity", {"adequacy": 4.0, "fluency": 4.0})  # PEM §5.3


def parse_restriction(text: str) -> Restriction | None:
    """Parse a criterion and the thresholds of others.

    >>> str(parse_restriction("dissimilarity:adequacy>=4,fluency>=3.5"))
    'adequacy >= 4, fluency >= 3.5'
    """
    if text.strip() == "none":
        return None
    criterion, _, conditions = text.partition(":")
    thresholds = {}
    for condition in conditions.split(","):
        name, reaches, least = condition.partition(">=")
        if not (criterion.strip() and name.strip() and reaches):
            raise UsageError(f"a restriction is CRITERION:OTHER>=SCORE,... or none, not '{text}'")
        try:
            number: float | str = float(least)
        except ValueError:
            number = least
        thresholds[name.strip()] = check_number(f"the least {name.strip()}", number, 1, 5)
    return Restriction(criterion.strip(), thresholds)


def pem_tables(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = (),
    human: str = "overall",
    *,
    criteria: Sequence[str] | None = None,
    restriction: Restriction | None = HIGH,
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
    criteria, restriction
        The criteria of Table 2 (default: PEM's and all others of the rows), and its last line.
    scales
        The scales of the judges' scores.
    controls
        Whether control rows count.
    resampling
        How originals, with all their rows, are resampled (default: no intervals).

    >>> from otherwords.study.agreement.human_scores import Scale
    >>> rows = [Row(text, system=text, source="a cat", human={"overall": n, "fluency": n % 3})
    ...         for n, text in enumerate("abcd", 1)]
    >>> pem_tables(rows, scales=Scales(others=Scale(0, 5))).criteria[0].one
    'fluency'
    """
    chosen, _, remarks = rows_with_scores(rows, [human], controls=controls)
    by_label = metrics_by_label(metrics)
    wanted = [*CRITERIA, *criteria_of(chosen)] if criteria is None else criteria
    wanted = [name for name in dict.fromkeys(wanted) if name != human]
    mentioned = restriction.mentions if restriction else ()
    judged = judged_set(chosen, list(dict.fromkeys([human, *wanted, *mentioned])), scales)
    statistics: Mapping[str, Array] = {}
    if by_label:
        statistics, scored = scoring.score(chosen, by_label)
        remarks += cautions(by_label, scored)
    both = {label: (metric, statistics[label]) for label, metric in by_label.items()}
    originals = None
    if resampling is not None:
        originals = Originals(numbered(segment_keys(chosen)), resampling)
    return tables_of(judged, human, wanted, restriction, both, remarks, originals)


def tables_of(
    judged: JudgedSet,
    human: str,
    criteria: Sequence[str],
    restriction: Restriction | None,
    metrics: Mapping[str, tuple[Metric, Array]],
    remarks: Sequence[str] = (),
    originals: Originals | None = None,
) -> PemTables:
    """Compute all three tables.

    Parameters
    ----------
    judged, human, criteria, restriction
        The judged set, its overall score, and the lines of Table 2.
    metrics
        Metrics by label, each with its statistics of the rows.
    originals
        The originals to resample; without them there are no intervals.
    """
    tables = _Lines(judged, human, originals)
    notes = [*remarks, *_on_rows(judged), *_on_judges(judged, human)]
    there = [name for name in criteria if _is_judged(judged, name)]
    notes += [
        f"{name} is left out: {_lacking(judged, name)}" for name in criteria if name not in there
    ]
    table2 = [tables.criterion(name) for name in there]
    if restriction is not None:
        possible, said = _restrict(judged, human, restriction)
        notes += said
        table2 += [tables.restricted(possible)] if possible else []
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
            self._line(one, other, scores[one], scores[other], ~self.set.controls)
            for one, other in combinations(scores, 2)
            if _shared(self.set, scores[one], scores[other])
        ]

    def criterion(self, name: str) -> PemLine:
        """Table 2: a criterion with the overall score, mean of the judges (§5.3)."""
        return self._line(name, self.human, self.set.human[name], self.set.human[self.human])

    def restricted(self, restriction: Restriction) -> PemLine:
        """Table 2's last line: a criterion where others are high, controls included (§5.3)."""
        among = np.ones(len(self.set.controls), dtype=bool)
        for name, least in restriction.thresholds.items():
            among &= self.set.human[name] >= least - _NEAR
        name = restriction.criterion
        scores, overall = self.set.human[name], self.set.human[self.human]
        return self._line(name, self.human, scores, overall, among, where=str(restriction))

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
        one: str,
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
        parts = {name: rows[known[rows]] for name, rows in systems.items() if known[rows].any()}
        means = {name: (mean_x(rows), _mean(y[rows])) for name, rows in parts.items()}
        points = np.array([*means.values()]).reshape(-1, 2)
        sentence, system = _correlation(x[known], y[known]), _correlation(*points.T)
        if self.originals is not None:
            mine = drawn or self.originals.means(x, systems)
            theirs = self.originals.means(y, systems)
            sentence = _within(sentence, self.originals.of_rows(x, y, known))
            system = _within(system, self.originals.of_systems(mine, theirs, known))
        pairs = np.column_stack([x[known], y[known]])
        return PemLine(one, other, sentence, system, where, pairs, means)


def _correlation(x: Array, y: Array) -> Correlation:
    return Correlation(pearson(x, y) if len(x) >= FEWEST else None, len(x))


def _within(correlation: Correlation, interval: tuple[float, float] | None) -> Correlation:
    if correlation.r is None or interval is None:
        return correlation
    return replace(correlation, low=round_value(interval[0]), high=round_value(interval[1]))


def _mean(scores: Array) -> float:
    return math.fsum(scores) / len(scores)


def _by_name(judged: JudgedSet, human: str) -> dict[str, Array]:
    """Return the scores of each named judge for this criterion."""
    return {judge: mine[human] for judge, mine in judged.judges.items() if human in mine}


def _shared(judged: JudgedSet, one: Array, other: Array) -> bool:
    return bool(np.any(np.isfinite(one) & np.isfinite(other) & ~judged.controls))


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


def _restrict(
    judged: JudgedSet, human: str, restriction: Restriction
) -> tuple[Restriction | None, list[str]]:
    """Reduce the restriction to criteria of the set; return it with remarks on the others."""
    name = restriction.criterion
    if name == human or not _is_judged(judged, name):
        why = "it is the overall score itself" if name == human else _lacking(judged, name)
        return None, [f"{name} where {restriction} is left out: {why}"]
    thresholds = {n: least for n, least in restriction.thresholds.items() if _is_judged(judged, n)}
    if not thresholds:
        return None, [f"{name} where {restriction} is left out: no row has these criteria"]
    lacking = [n for n in restriction.thresholds if n not in thresholds]
    notes = [f"{name} is not restricted by {n}: {_lacking(judged, n)}" for n in lacking]
    return Restriction(name, thresholds), notes
