"""Agreement with human scores as tables and as documents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.scoring.seen import SEEN, UNFAMILIAR, Familiarity
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import FEWEST
from otherwords.stats.intervals import Estimate, Resampling
from otherwords.study.agreement.arrays import Group, Unit
from otherwords.study.agreement.coefficients import BETTER_WORSE, Difference
from otherwords.tables.formats import number_dict
from otherwords.tables.table import LEVEL, Block, Cell, Column, Lines, Number, Table, shown_p
from otherwords.tables.tabular import Tabular


def coefficient_column(name: str) -> Column:
    """Make a column of coefficients with their intervals."""
    return Column(name, decimals=4, best="highest", interval="range")


POINTS = {"system": "systems", "segment": "rows"}


def no_value(size: int, level: str) -> str:
    """Say why a coefficient over `size` points has no value.

    >>> no_value(1, "system"), no_value(9, "segment")
    ('1 system', 'constant')
    """
    if size >= FEWEST:
        return "constant"
    return f"{size} {POINTS[level].removesuffix('s') if size == 1 else POINTS[level]}"


def number_of(estimate: Estimate, resampling: Resampling | None) -> Number:
    """Turn an estimate into a table cell.

    >>> number_of(Estimate(0.5, 8, 0.51, 0.4, 0.6, 990), Resampling(resamples=1000)).resamples
    990
    """
    if estimate.low is None or resampling is None:
        return Number(estimate.value, reason=estimate.reason)
    low, high, resamples = estimate.low, estimate.high, estimate.defined or None
    confidence = resampling.confidence
    return Number(estimate.value, low, high, confidence=confidence, resamples=resamples)


def estimate_dict(estimate: Estimate, resampling: Resampling | None) -> dict[str, Any]:
    """Turn an estimate into a JSON object; `resamples` counts those that have a value.

    >>> estimate_dict(Estimate(None, 2, reason="2 rows"), None)
    {'value': None, 'reason': '2 rows', 'size': 2}
    """
    document = number_dict(number_of(estimate, resampling)) | {"size": estimate.size}
    if estimate.mean is not None:
        document["mean"] = estimate.mean  # of the resamples
    if estimate.value is not None and (estimate.groups > 1 or estimate.left_out):
        document |= {"groups": estimate.groups, "left_out": estimate.left_out}
    return document


Line = TypeVar("Line")


@dataclass(frozen=True)
class LineTables(Tabular, Generic[Line]):
    """Lines of estimates with the tables that show them, and notes on these."""

    lines: Sequence[Line]
    shown: Sequence[Table]
    said: Sequence[str]

    def tables(self) -> Sequence[Table]:
        return self.shown

    def notes(self) -> list[str]:
        return list(self.said)


_GROUPS = {"item": "item", "system": "system", "langs": "language pair"}


@dataclass(frozen=True)
class MetricAgreement:
    """A metric's agreement with human scores: estimates by level and coefficient.

    `segments` has the metric's scores of the rows and `systems` those of the systems, not reversed,
    NaN where there is none. Estimates reverse a metric whose lower scores are better, so that
    higher always means more agreement. `threshold` is the difference up to which accuracy treats
    two scores as tied. `familiarity` marks a metric that was trained on these rows.
    """

    label: str
    signature: str
    higher_is_better: bool
    segments: Array = field(repr=False)
    systems: Array = field(repr=False)
    estimates: Mapping[tuple[str, str], Estimate]
    threshold: float = 0.0
    familiarity: Familiarity = UNFAMILIAR

    @property
    def title(self) -> str:
        return self.label + SEEN * self.familiarity.is_marked

    def number(self, level: str, name: str, resampling: Resampling | None) -> Number:
        """Make a table cell, which is never highlighted as best if the metric is marked."""
        number = number_of(self.estimates[level, name], resampling)
        return replace(number, counts=not self.familiarity.is_marked)


@dataclass(frozen=True)
class Panel:
    """The agreement of named judges, without controls: Krippendorff's alpha by measure.

    `meta paper pem` compares single judges.
    """

    judges: Mapping[str, Array] = field(repr=False)
    alpha: Mapping[str, Estimate]


@dataclass(frozen=True)
class AgreementResult(Tabular):
    """Agreement of metrics with human scores on a judged set.

    `people[i]` is the human score of `rows[i]`, NaN if it has none; `system_people` has those of
    `systems`. `unit` is the unit of resampling, `size` the number of units, and `trials` that of
    the permutation tests. `judges` is the agreement among named judges. `remarks` lists what was
    left out.
    """

    human: str
    rows: Sequence[Row] = field(repr=False)
    people: Array = field(repr=False)
    systems: Sequence[str]
    system_people: Array = field(repr=False)
    metrics: Sequence[MetricAgreement]
    differences: Sequence[Difference]
    judges: Panel | None
    coefficients: Mapping[str, Sequence[str]]
    group: Group
    resampling: Resampling | None
    unit: Unit
    size: int
    trials: int
    remarks: Sequence[str]

    def metric(self, label: str) -> MetricAgreement:
        """Return the agreement of the metric with this label."""
        return next(metric for metric in self.metrics if metric.label == label)

    @property
    def signatures(self) -> list[str]:
        how = f"|{self.resampling.signature(self.unit)}" if self.resampling else ""
        return list(dict.fromkeys(f"{metric.signature}{how}" for metric in self.metrics))

    def tables(self) -> Iterator[Block]:
        if verdict := self.verdict:
            yield Lines("verdict", (), verdict)
        for level, names in self.coefficients.items():
            yield self._level(level, names)
        for level, names in self.coefficients.items():
            for name in names:
                mine = [
                    diff
                    for diff in self.differences
                    if (diff.level, diff.coefficient) == (level, name) and diff.value is not None
                ]
                if mine:
                    yield self._differences(level, name, mine)
        if self.judges is not None:
            yield from self._judges(self.judges)

    def notes(self) -> list[str]:
        notes = []
        if self.resampling is not None and self.size > 1:
            how = self.resampling
            resamples = f"{how.resamples} resamples of {self.size} {self.unit}"
            notes.append(f"[low, high]: {100 * how.confidence:.4g} % interval, {resamples}")
        if self.group != "none":
            each = _GROUPS[self.group]
            notes.append(f"segment level: means over the coefficients of each {each}")
        thresholds = [f"{m.label} {m.threshold:.2g}" for m in self.metrics if m.threshold]
        if thresholds:
            listed = ", ".join(thresholds)
            notes.append(f"accuracy ties scores that differ by no more than: {listed}")
        compared = len({(diff.one, diff.other) for diff in self.differences})
        if compared:
            adjusted = f", adjusted for {compared} comparisons (Holm)" if compared > 1 else ""
            grown = self._most_trials()
            trials = f", by up to {grown:,} trials" if grown else ""
            notes.append(f"p-values are two-sided{adjusted}{trials}")
            if any(_is_unresolved(diff, test) for diff in self.differences for test in diff.tests):
                notes.append("< ...: too few trials to decide; raise --trials and --resamples")
        return [*notes, *self.remarks, *self.signatures]

    def _most_trials(self) -> int:
        """Return the largest number of trials of a test if it exceeds the requested one, else 0."""
        asked = max(self.trials, self.resampling.resamples if self.resampling else 0)
        counts = [test.trials for diff in self.differences for test in diff.tests.values()]
        return max((trials for trials in counts if trials > asked), default=0)

    def _level(self, level: str, names: Sequence[str]) -> Block:
        """Make the table of a level; its caption names coefficients that no metric has."""
        caption = f"{level.capitalize()} level, {self.human}"
        shown: list[str] = []
        lacking: dict[str, list[str]] = {}
        for name in names:
            estimates = [metric.estimates[level, name] for metric in self.metrics]
            if all(estimate.value is None for estimate in estimates):
                lacking.setdefault(estimates[0].reason, []).append(name)
            else:
                shown.append(name)
        if not shown and len(lacking) == 1:
            return Lines(level, [f"{caption}: n/a ({next(iter(lacking))})"])
        for reason, absent in lacking.items():
            caption += f"; {', '.join(absent)} n/a ({reason})"
        if not shown:
            return Lines(level, [caption])
        counted = {"pairs" if name == BETTER_WORSE else POINTS[level]: name for name in shown}
        columns = [
            Column("metric", "", left=True),
            coefficient_column(shown[0]),
            *(replace(coefficient_column(name), minor=True) for name in shown[1:]),
            *(Column(name, minor=True) for name in counted),
        ]
        rows: list[list[Cell]] = []
        for metric in self._best_first(level, shown[0]):
            numbers = [metric.number(level, name, self.resampling) for name in shown]
            sizes = [metric.estimates[level, name].size for name in counted.values()]
            rows.append([metric.title, *numbers, *sizes])
        return Table(level, columns, rows, caption)

    def _best_first(self, level: str, name: str) -> list[MetricAgreement]:
        def value(metric: MetricAgreement) -> float:
            known = metric.estimates[level, name].value
            return -math.inf if known is None else known

        return sorted(self.metrics, key=value, reverse=True)

    @property
    def verdict(self) -> str:
        """Which metric agrees best, by the first coefficient of each level."""
        said: dict[str, list[str]] = {}
        for level, (name, *_) in self.coefficients.items():
            fair = [m for m in self._best_first(level, name) if not m.familiarity.is_marked]
            best = (fair or self.metrics)[0]
            value = best.estimates[level, name].value
            if value is not None and len(fair) > 1:
                said.setdefault(best.label, []).append(f"{name} {value:.2f} over {level}s")
        parts = [f"{label} ({', '.join(values)})" for label, values in said.items()]
        return f"Best agreement with {self.human}: {'; '.join(parts)}." if said else ""

    def _differences(self, level: str, name: str, differences: Sequence[Difference]) -> Table:
        tests = list(dict.fromkeys(test for diff in differences for test in diff.p))
        columns = [
            Column("pair", "", left=True),
            Column("difference", decimals=4, signed=True, interval="range"),
            *(Column(f"p {test}") for test in tests),
        ]
        rows = [
            [f"{diff.one} - {diff.other}", self._gap(diff), *(_p(diff, test) for test in tests)]
            for diff in differences
        ]
        caption = f"Differences of {name}, {level} level"
        return Table(f"differences-{level}-{name}", columns, rows, caption)

    def _gap(self, diff: Difference) -> Number:
        if diff.low is None or self.resampling is None or diff.draws is None:
            return Number(diff.value)
        resamples = int(np.isfinite(diff.draws).sum())
        confidence = self.resampling.confidence
        return Number(diff.value, diff.low, diff.high, confidence=confidence, resamples=resamples)

    def _judges(self, judges: Panel) -> Iterator[Table]:
        if any(alpha.value is not None for alpha in judges.alpha.values()):
            columns = [Column("measure", "", left=True), coefficient_column("alpha")]
            rows: list[list[Cell]] = [
                [name, number_of(alpha, self.resampling), alpha.size]
                for name, alpha in judges.alpha.items()
            ]
            caption = f"Krippendorff's alpha of {len(judges.judges)} judges, {self.human}"
            yield Table("alpha", [*columns, Column("rows")], rows, caption)

    def records(self) -> Iterator[Table]:
        head = "level coefficient one other".split()
        marked = any(metric.familiarity.is_marked for metric in self.metrics)

        def share(metric: MetricAgreement) -> list[Cell]:
            return [metric.familiarity.to_dict().get("trained_on")] if marked else []

        rows = [
            [level, name, m.label, self.human, *self._numbers(x), *share(m), m.signature]
            for m in self.metrics
            for (level, name), x in m.estimates.items()
        ]
        numbers = "estimate mean size left_out reason".split()
        last = [*["trained_on"] * marked, "signature"]
        yield Table("metrics", [*map(Column, [*head, *numbers, *last])], rows)
        tests = [
            [diff.level, diff.coefficient, diff.one, diff.other, self._gap(diff), *test]
            for diff in self.differences
            for test in self._tests(diff) or [[None] * 4]
        ]
        if tests:
            names = [*head, *"difference test p adjusted trials".split()]
            yield Table("differences", [*map(Column, names)], tests)
        if self.judges is not None:
            lines = [
                ["segment", f"alpha-{name}", None, None, *self._numbers(x)]
                for name, x in self.judges.alpha.items()
            ]
            yield Table("judges", [*map(Column, [*head, *numbers])], lines)

    def _numbers(self, estimate: Estimate) -> list[Cell]:
        number = number_of(estimate, self.resampling)
        return [number, estimate.mean, estimate.size, estimate.left_out, estimate.reason or None]

    def _tests(self, diff: Difference) -> list[list[Cell]]:
        adjusted = diff.adjusted
        return [[test, p, adjusted[test], self._trials(diff, test)] for test, p in diff.p.items()]

    def _trials(self, diff: Difference, test: str) -> int | None:
        resampled = diff.tests.get(test)
        if resampled is None:
            return None
        # The bootstrap also counts resamples without a value, as the intervals do.
        least = self.resampling.resamples if test == "bootstrap" and self.resampling else 0
        return max(resampled.trials, least)

    def to_dict(self) -> dict[str, Any]:
        return {
            "human": self.human,
            "group": self.group,
            "resampling": self._resampling(),
            "rows": len(self.rows),
            "systems": self._by_system(self.system_people),
            "metrics": [self._metric(metric) for metric in self.metrics],
            "differences": [self._difference(diff) for diff in self.differences],
            "judges": self._panel(),
            "notes": list(self.remarks),
            "signatures": self.signatures,
        }

    def _resampling(self) -> dict[str, Any] | None:
        if (how := self.resampling) is None:
            return None
        document = {name: getattr(how, name) for name in ("confidence", "resamples", "seed")}
        return {**document, "by": self.unit, "size": self.size}

    def _by_system(self, scores: Array) -> dict[str, float | None]:
        return dict(zip(self.systems, map(_finite, scores), strict=True))

    def _metric(self, metric: MetricAgreement) -> dict[str, Any]:
        levels: dict[str, dict[str, Any]] = {}
        for (level, name), estimate in metric.estimates.items():
            levels.setdefault(level, {})[name] = estimate_dict(estimate, self.resampling)
        return {
            "metric": metric.label,
            "higher_is_better": metric.higher_is_better,
            "threshold": metric.threshold,
            **levels,
            "systems": self._by_system(metric.systems),
            **metric.familiarity.to_dict(),
            "signature": metric.signature,
        }

    def _difference(self, diff: Difference) -> dict[str, Any]:
        tests = [
            {"p": p, "adjusted": adjusted, "test": test}
            | ({} if trials is None else {"trials": trials})
            for test, p, adjusted, trials in self._tests(diff)
        ]
        return {
            "level": diff.level,
            "coefficient": diff.coefficient,
            "one": diff.one,
            "other": diff.other,
            **number_dict(self._gap(diff)),
            "comparisons": tests,
        }

    def _panel(self) -> dict[str, Any] | None:
        if self.judges is None:
            return None
        alpha = {name: estimate_dict(x, self.resampling) for name, x in self.judges.alpha.items()}
        return {"names": list(self.judges.judges), "alpha": alpha}


def _p(diff: Difference, test: str) -> str | None:
    if test not in diff.adjusted:
        return None
    p = shown_p(diff.adjusted[test], is_floor=_is_floor(diff, test))
    return p.removeprefix("= ")


def _is_floor(diff: Difference, test: str) -> bool:
    return test in diff.tests and diff.tests[test].is_floor


def _is_unresolved(diff: Difference, test: str) -> bool:
    return _is_floor(diff, test) and diff.adjusted.get(test, 0.0) >= LEVEL


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
