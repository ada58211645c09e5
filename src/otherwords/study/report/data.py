"""The data of a report: rows with their scores, systems with their resamples and their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Coverage, Row, find_coverage
from otherwords.errors import UsageError
from otherwords.metrics.base import Metric
from otherwords.scoring.stream import number_repeats, paired_keys, segment_keys
from otherwords.stats.arrays import Array, FromSums
from otherwords.stats.intervals import Resampling, percentiles
from otherwords.stats.resampling import Resamples
from otherwords.stats.significance import Family, clusters, compare_family
from otherwords.study.agreement.arrays import (
    JudgedRows,
    ScoredRows,
    Scoring,
    judged_rows,
    rows_that_count,
    score_rows,
    system_sums,
)
from otherwords.study.agreement.evaluation import Coefficients, Comparisons, agreement
from otherwords.study.agreement.human_scores import criteria_of, is_control
from otherwords.study.agreement.result import AgreementResult
from otherwords.study.report.plot import Estimated
from otherwords.tables.table import LEVEL


@dataclass(frozen=True)
class Standing:
    """The systems by one measure, best first, with the tests of all pairs."""

    label: str
    names: Sequence[str]
    family: Family
    higher_is_better: bool = True

    def beats(self, one: str, other: str) -> bool:
        """Whether one system is significantly better than the other."""
        test = self.family.between(one, other)
        return (
            test is not None
            and test.differs(LEVEL)
            and (test.difference > 0 if self.higher_is_better else test.difference < 0)
        )

    def p(self, pairs: Iterable[tuple[str, str]]) -> float:
        """The largest corrected p of these pairs."""
        tests = (self.family.between(*pair) for pair in pairs)
        return max((test.adjusted for test in tests if test is not None), default=1.0)

    @cached_property
    def groups(self) -> list[list[str]]:
        return clusters(self.family, higher_is_better=self.higher_is_better)

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The number of each system's cluster, from 1."""
        return {name: place for place, group in enumerate(self.groups, 1) for name in group}


@dataclass(frozen=True)
class ResampledScores:
    """The score of each system on the whole set and on each resample, NaN if it has none."""

    values: Array
    draws: Array = field(repr=False)

    def order(self, *, higher_is_better: bool = True) -> list[int]:
        """The systems' numbers, best first, without systems that have no score."""
        values = self.values if higher_is_better else -self.values
        best = np.argsort(-values, kind="stable")
        return [int(system) for system in best if np.isfinite(values[system])]

    def around(self, system: int, confidence: float) -> Estimated:
        """The score of a system with its interval."""
        known = self.draws[np.isfinite(self.draws[:, system]), system]
        value = float(self.values[system])
        return (value, None, None) if len(known) < 2 else (value, *percentiles(known, confidence))


@dataclass(frozen=True)
class ReportData:
    """The data behind a report.

    `scored` has the scores of rows by metric, `systems` the corpus scores of the systems, and
    `people` their mean human scores by criterion. `coverage` is set if systems have different
    segments.
    """

    rows: Sequence[Row] = field(repr=False)
    metrics: Mapping[str, Metric]
    human: str | None
    resampling: Resampling
    judged: JudgedRows = field(repr=False)
    scored: Mapping[str, ScoredRows] = field(repr=False)
    systems: Mapping[str, ResampledScores] = field(repr=False)
    people: Mapping[str, ResampledScores] = field(repr=False)
    agreement: AgreementResult | None = field(repr=False)
    notes: Sequence[str]
    coverage: Coverage | None = None
    scoring: Scoring = Scoring()  # noqa: RUF009 - frozen

    @property
    def names(self) -> list[str]:
        return list(self.judged.systems)

    @property
    def share(self) -> str:
        """The confidence of the intervals, in words."""
        return f"{100 * self.resampling.confidence:g} %"

    @cached_property
    def segments(self) -> int:
        """The number of segments, each of which may have rows of several systems."""
        return len(set(paired_keys(self.rows)))

    @cached_property
    def series(self) -> dict[str, int]:
        """The number that gives each system its colour and shape in all plots, best first."""
        ranked = self.ranked(self.first)
        every = dict.fromkeys([*ranked, *range(len(self.names))])
        return {self.names[system]: place for place, system in enumerate(every)}

    def is_seen(self, label: str) -> bool:
        """Whether a metric was trained on these rows."""
        return self.scored[label].familiarity.is_marked

    def on_training(self) -> list[str]:
        """Remarks on metrics trained on these rows or distilled from a model that may know them."""
        return [note for n, rows in self.scored.items() for note in rows.familiarity.remarks(n)]

    def better(self, label: str) -> Array:
        """The scores of rows by a metric, negated if lower is better; NaN if there is none."""
        return self.scored[label].segments

    def scores(self, label: str) -> Array:
        """The scores of rows as the metric gives them; NaN if there is none."""
        return self.scored[label].sign * self.scored[label].segments

    def family(self, label: str, systems: Sequence[int]) -> Family:
        """Tests of all pairs of these systems by a metric, on the segments that both have."""
        rows = self.scored[label]
        return self._family(rows.metric.corpus_scores, rows.statistics, rows.known, systems)

    def family_of_people(self, name: str, systems: Sequence[int]) -> Family:
        """Tests of all pairs of these systems by the mean human score of that name."""
        said = self.judged.human[name]
        statistics = np.column_stack([said, np.ones(len(said))])
        return self._family(_mean, statistics, np.isfinite(said), systems)

    def _family(
        self,
        from_sums: FromSums,
        statistics: Array,
        known: NDArray[np.bool_],
        systems: Sequence[int],
    ) -> Family:
        units = self.judged.units
        place: dict[tuple[int, str], int] = {}
        segments = np.array(
            [
                place.setdefault((int(unit), key), len(place))
                for unit, key in zip(units, segment_keys(self.rows), strict=True)
            ],
            dtype=np.intp,
        )
        arrays = {}
        for number in systems:
            rows = self.judged.systems[self.names[number]]
            mine = rows[known[rows]]
            sums = np.full((len(place), statistics.shape[1]), np.nan)
            sums[segments[mine]] = 0
            np.add.at(sums, segments[mine], statistics[mine])
            arrays[self.names[number]] = sums
        docs = [str(unit) for unit, _ in place] if self.judged.unit == "documents" else None
        return compare_family(
            from_sums,
            arrays,
            trials=self.resampling.resamples,
            level=LEVEL,
            seed=self.resampling.seed,
            docs=docs,
        )

    @cached_property
    def standings(self) -> list[Standing]:
        """The systems by each metric that was not trained on these rows."""
        if len(self.names) < 2 or self.judged.size < 2:
            return []
        return [
            self._standing(
                label, self.ranked(label), self.family, self.metrics[label].traits.higher_is_better
            )
            for label in self.metrics
            if not self.is_seen(label)
        ]

    @cached_property
    def human_standing(self) -> Standing | None:
        if self.human is None or len(self.names) < 2 or self.judged.size < 2:
            return None
        order = self.people[self.human].order()
        return self._standing(self.human, order, self.family_of_people, True)

    def _standing(
        self,
        label: str,
        order: Sequence[int],
        tested: Callable[[str, Sequence[int]], Family],
        higher: bool,
    ) -> Standing:
        names = [self.names[system] for system in order]
        return Standing(label, names, tested(label, order), higher)

    @property
    def lead(self) -> Standing | None:
        """The standing that orders the systems: of the first metric that may be tested."""
        return self.standings[0] if self.standings else None

    @property
    def first(self) -> str:
        """The label of the metric that orders the systems."""
        fair = [label for label in self.metrics if not self.is_seen(label)]
        return next(iter([*fair, *self.metrics]))

    def ranked(self, label: str) -> list[int]:
        higher = self.metrics[label].traits.higher_is_better
        return self.systems[label].order(higher_is_better=higher)


def _mean(sums: Array) -> Array:
    return np.asarray(sums[:, 0] / sums[:, 1])


def gather(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    human: str | None = None,
    *,
    system_human: Mapping[str, float] | str | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    controls: bool = False,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> ReportData:
    """Score the rows and resample their units.

    `human` is the main human score; `system_human` has those of systems where segments have none,
    or is the JSON file that has them. With `controls`, the rows of controls are kept.
    """
    if human is not None and system_human is not None:
        raise UsageError("give human or system-human, not both")
    selected, notes = _select_rows(list(number_repeats(rows)), human, controls)
    keys = paired_keys(selected)
    judged = judged_rows(selected, _criteria(selected, human), keys)
    scored = score_rows(selected, metrics, scoring)
    systems, people = _resample_systems(judged, scored, resampling)
    agreed = None
    if human is not None or system_human is not None:
        by = human, system_human
        agreed = _agreement(selected, *by, resampling, scored, scoring.threads)
        notes = [*notes, *agreed.remarks]
    return ReportData(
        selected,
        metrics,
        human,
        resampling,
        judged,
        {rows.label: rows for rows in scored},
        systems,
        people,
        agreed,
        notes,
        _coverage(selected, keys, judged),
        scoring,
    )


def _coverage(rows: Sequence[Row], keys: Sequence[str], judged: JudgedRows) -> Coverage | None:
    def name_segment(system: str, place: int) -> str:
        item = rows[judged.systems[system][place]].item
        return f"segment {place + 1} of {system}" if item is None else repr(item)

    return find_coverage(
        {name: [keys[n] for n in mine] for name, mine in judged.systems.items()}, name_segment
    )


def _select_rows(
    rows: Sequence[Row], human: str | None, controls: bool
) -> tuple[list[Row], list[str]]:
    """The rows to use, only those with the human score if one is named, and notes on the others."""
    if human is not None:
        return rows_that_count(rows, human, None, controls)
    selected = [row for row in rows if controls or not is_control(row)]
    if not selected:
        raise UsageError("all rows are controls" if rows else "there are no rows")
    left_out = len(rows) - len(selected)
    return selected, [f"rows of controls, left out: {left_out}"] if left_out else []


def _criteria(rows: Sequence[Row], human: str | None) -> list[str]:
    """The main human score, then the others; empty without a main one."""
    return [] if human is None else [human, *(n for n in criteria_of(rows) if n != human)]


def _agreement(
    rows: Sequence[Row],
    human: str | None,
    system_human: Mapping[str, float] | str | None,
    resampling: Resampling,
    scored: Sequence[ScoredRows],
    threads: int,
) -> AgreementResult:
    """All coefficients, but tests of Pearson's alone, because tests take time."""

    def compute(compare: str | None, coefficients: Sequence[str] | None) -> AgreementResult:
        return agreement(
            rows,
            scored,
            human,
            system_human=system_human,
            resampling=resampling,
            controls=True,
            coefficients=Coefficients(names=coefficients),
            comparisons=Comparisons(
                compare=compare, trials=resampling.resamples, seed=resampling.seed
            ),
            scoring=Scoring(threads=threads),
        )

    whole = compute(None, None)
    if len(scored) < 2:
        return whole
    return replace(whole, differences=compute("all", ["pearson"]).differences)


def _resample_systems(
    judged: JudgedRows, scored: Sequence[ScoredRows], resampling: Resampling
) -> tuple[dict[str, ResampledScores], dict[str, ResampledScores]]:
    """Scores of systems on the set and on resamples, by metric and by human score."""
    every = np.ones((1, judged.size), dtype=np.uint16)
    blocks = Resamples(judged.size, resampling.resamples, resampling.seed)
    times = np.concatenate([every, *(blocks if judged.size > 1 else ())])
    no_scores = np.zeros(len(judged.units))
    systems, people = {}, {}
    for rows in scored:
        sums = system_sums(judged, no_scores, rows.metric, rows.statistics, rows.known)
        scores = sums.scores(times)
        systems[rows.label] = ResampledScores(scores[0], scores[1:])
    first, every_row = scored[0], np.ones(len(judged.units), dtype=bool)
    for name, human in judged.human.items():
        sums = system_sums(judged, human, first.metric, first.statistics, every_row)
        means = sums.people(times)
        people[name] = ResampledScores(means[0], means[1:])
    return systems, people
