"""Agreement with human scores as tables and as documents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.scoring.seen import SEEN, UNFAMILIAR, Familiarity
from otherwords.stats.arrays import Array
from otherwords.stats.intervals import Estimate, Resampling
from otherwords.study.agreement.arrays import Group, Unit
from otherwords.study.agreement.coefficients import BETTER_WORSE, Difference
from otherwords.tables.formats import number_dict
from otherwords.tables.table import LEVEL, Block, Cell, Column, Lines, Number, Table, shown_p
from otherwords.tables.tabular import Tabular


def coefficient_column(name: str, head: str | None = None) -> Column:
    """A column of coefficients with their intervals."""
    return Column(name, head, decimals=4, best="highest", interval="range")


def number_of(one: Estimate, resampling: Resampling | None) -> Number:
    """An estimate as a cell of a table.

    >>> number_of(Estimate(0.5, 8, 0.51, 0.4, 0.6, 990), Resampling(resamples=1000)).resamples
    990
    """
    if one.low is None or resampling is None:
        return Number(one.value, reason=one.reason)
    confidence = resampling.confidence
    return Number(one.value, one.low, one.high, confidence=confidence, resamples=one.defined)


def estimate_dict(one: Estimate, resampling: Resampling | None) -> dict[str, Any]:
    """An estimate as a JSON object: `resamples` of the interval are those that have a value.

    >>> estimate_dict(Estimate(None, 2, reason="2 rows"), None)
    {'value': None, 'reason': '2 rows', 'size': 2}
    """
    found = number_dict(number_of(one, resampling)) | {"size": one.size}
    if one.mean is not None:
        found["mean"] = one.mean  # of the resamples
    if one.value is not None and (one.groups > 1 or one.left_out):
        found |= {"groups": one.groups, "left_out": one.left_out}
    return found


def resampling_dict(
    resampling: Resampling | None, unit: str, size: int, **more: Any
) -> Mapping[str, Any] | None:
    """How all intervals of a document are made; `size` counts the units that were resampled."""
    if resampling is None:
        return None
    return {
        **more,
        "confidence": resampling.confidence,
        "resamples": resampling.resamples,
        "seed": resampling.seed,
        "by": unit,
        "size": size,
    }


Line = TypeVar("Line")


@dataclass(frozen=True)
class LineTables(Tabular, Generic[Line]):
    """Lines of estimates with the tables that show them, notes on these, and a JSON document."""

    lines: Sequence[Line]
    shown: Sequence[Table]
    said: Sequence[str]
    document: Mapping[str, Any]

    def tables(self) -> Sequence[Table]:
        return self.shown

    def notes(self) -> list[str]:
        return list(self.said)

    def to_dict(self) -> dict[str, Any]:
        return dict(self.document)


POINTS = {"segment": "rows", "system": "systems"}
_GROUPS = {"item": "item", "system": "system", "langs": "language pair"}


@dataclass(frozen=True)
class MetricAgreement:
    """A metric's agreement with human scores: estimates by level and coefficient.

    `segments` are its scores of the rows and `systems` those of the systems, as the metric gives
    them, NaN where there is none. Estimates reverse a metric whose lower scores are better, so that
    higher is always more agreement. `threshold` is the difference up to which accuracy treats two
    scores as tied. `familiarity` marks a metric that was trained on these rows.
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
        """An estimate for a table; it is not the best one where the metric is marked."""
        number = number_of(self.estimates[level, name], resampling)
        return replace(number, counts=not self.familiarity.is_marked)


@dataclass(frozen=True)
class Panel:
    """The agreement of judges with names, without controls. With more than twenty judges there are
    no figures for single judges. `pairs` are Pearson's correlations of two judges, `alpha`
    Krippendorff's by measure, and `metrics` Pearson's correlations of a metric, by its label, with
    a judge.
    """

    judges: Mapping[str, Array] = field(repr=False)
    pairs: Mapping[tuple[str, str], Estimate]
    alpha: Mapping[str, Estimate]
    metrics: Mapping[tuple[str, str], Estimate]
    apart: int = 0  # pairs of judges without a row in common


@dataclass(frozen=True)
class AgreementResult(Tabular):
    """Agreement of metrics with human scores on a judged set.

    `people[i]` is the human score of `rows[i]`, NaN if it has none; `system_people` are those of
    `systems`. `unit` is what was resampled, `size` how many of them there are; `trials` are those
    of the permutation tests. `judges` is the agreement among judges, if they have names. `remarks`
    list what was left out.
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
        """The agreement of the metric of that label."""
        return next(one for one in self.metrics if one.label == label)

    @property
    def signatures(self) -> list[str]:
        how = f"|{self.resampling.signature(self.unit)}" if self.resampling else ""
        return list(dict.fromkeys(f"{one.signature}{how}" for one in self.metrics))

    def distributions(self) -> Iterator[str]:
        """All resampled values: a JSON object for each metric, level and coefficient."""
        for one in self.metrics:
            for (level, name), estimate in one.estimates.items():
                if estimate.draws is not None:
                    values = [_finite(value) for value in estimate.draws]
                    record = {"metric": one.label, "level": level, "coefficient": name}
                    yield json.dumps({**record, "draws": values}, ensure_ascii=False)

    def tables(self) -> Iterator[Block]:
        for level, names in self.coefficients.items():
            yield self._level(level, names)
        for level, names in self.coefficients.items():
            for name in names:
                mine = [
                    one
                    for one in self.differences
                    if (one.level, one.coefficient) == (level, name) and one.value is not None
                ]
                if mine:
                    yield self._differences(level, name, mine)
        if self.judges is not None:
            yield from self._judges(self.judges)

    def notes(self) -> list[str]:
        found = []
        if self.resampling is not None and self.size > 1:
            how = self.resampling
            resamples = f"{how.resamples} resamples of {self.size} {self.unit}"
            found.append(f"intervals: {how.confidence:.4g} of {resamples}")
        if self.group != "none":
            each = _GROUPS[self.group]
            found.append(f"segment level: means over the coefficients of each {each}")
        thresholds = [f"{one.label} {one.threshold:.4g}" for one in self.metrics if one.threshold]
        if thresholds:
            listed = ", ".join(thresholds)
            found.append(f"accuracy ties scores that differ by no more than: {listed}")
        compared = len({(one.one, one.other) for one in self.differences})
        if compared:
            several = f", adjusted for {compared} comparisons (Holm)" if compared > 1 else ""
            grown = self._most_trials()
            trials = f", by up to {grown:,} trials" if grown else ""
            found.append(f"p-values are two-sided{several}{trials}")
            if any(_is_unresolved(one, test) for one in self.differences for test in one.tests):
                found.append("< ...: too few trials to decide; raise --resamples-max")
        return [*found, *self.remarks, *self.signatures]

    def _most_trials(self) -> int:
        """The most trials of a test if that took more than were asked for, else 0."""
        asked = max(self.trials, self.resampling.resamples if self.resampling else 0)
        made = [test.trials for one in self.differences for test in one.tests.values()]
        return max((trials for trials in made if trials > asked), default=0)

    def _level(self, level: str, names: Sequence[str]) -> Block:
        """A table of one level; coefficients that no metric has are named in its caption."""
        caption = f"{level.capitalize()} level, {self.human}"
        shown: list[str] = []
        lacking: dict[str, list[str]] = {}
        for name in names:
            estimates = [one.estimates[level, name] for one in self.metrics]
            if all(one.value is None for one in estimates):
                lacking.setdefault(estimates[0].reason, []).append(name)
            else:
                shown.append(name)
        if not shown and len(lacking) == 1:
            return Lines(level, [f"{caption}: n/a ({next(iter(lacking))})"])
        for reason, several in lacking.items():
            caption += f"; {', '.join(several)} n/a ({reason})"
        if not shown:
            return Lines(level, [caption])
        counted = {"pairs" if name == BETTER_WORSE else POINTS[level]: name for name in shown}
        columns = [
            Column("metric", "", left=True),
            *map(coefficient_column, shown),
            *map(Column, counted),
        ]
        rows: list[list[Cell]] = []
        for one in self.metrics:
            numbers = [one.number(level, name, self.resampling) for name in shown]
            sizes = [one.estimates[level, name].size for name in counted.values()]
            rows.append([one.title, *numbers, *sizes])
        return Table(level, columns, rows, caption)

    def _differences(self, level: str, name: str, found: Sequence[Difference]) -> Table:
        tests = list(dict.fromkeys(test for one in found for test in one.p))
        columns = [
            Column("pair", "", left=True),
            Column("difference", decimals=4, signed=True, interval="range"),
            *(Column(f"p {test}") for test in tests),
        ]
        rows = [
            [f"{one.one} - {one.other}", self._gap(one), *(_p(one, test) for test in tests)]
            for one in found
        ]
        caption = f"Differences of {name}, {level} level"
        return Table(f"differences-{level}-{name}", columns, rows, caption)

    def _gap(self, one: Difference) -> Number:
        if one.low is None or self.resampling is None or one.draws is None:
            return Number(one.value)
        resamples = int(np.isfinite(one.draws).sum())
        confidence = self.resampling.confidence
        return Number(one.value, one.low, one.high, confidence=confidence, resamples=resamples)

    def _judges(self, judges: Panel) -> Iterator[Table]:
        if judges.alpha and any(one.value is not None for one in judges.alpha.values()):
            columns = [Column("measure", "", left=True), coefficient_column("alpha")]
            rows = [self._line(name, one) for name, one in judges.alpha.items()]
            caption = f"Krippendorff's alpha of {len(judges.judges)} judges, {self.human}"
            yield Table("alpha", [*columns, Column("rows")], rows, caption)
        for name, caption, pairs in (
            ("judges", "Pearson between judges", judges.pairs),
            ("metrics-judges", "Pearson of metrics with each judge", judges.metrics),
        ):
            if pairs:
                columns = [Column("pair", "", left=True), coefficient_column("pearson")]
                rows = [self._line(f"{one}, {other}", x) for (one, other), x in pairs.items()]
                yield Table(name, [*columns, Column("rows")], rows, f"{caption}, {self.human}")

    def _line(self, label: str, one: Estimate) -> list[Cell]:
        return [label, number_of(one, self.resampling), one.size]

    def records(self) -> Iterator[Table]:
        head = "level coefficient one other".split()
        marked = any(one.familiarity.is_marked for one in self.metrics)

        def share(one: MetricAgreement) -> list[Cell]:
            return [one.familiarity.to_dict().get("trained_on")] if marked else []

        rows = [
            [level, name, one.label, self.human, *self._numbers(x), *share(one), one.signature]
            for one in self.metrics
            for (level, name), x in one.estimates.items()
        ]
        numbers = "estimate mean size left_out reason".split()
        last = [*["trained_on"] * marked, "signature"]
        yield Table("metrics", [*map(Column, [*head, *numbers, *last])], rows)
        tests = [
            [one.level, one.coefficient, one.one, one.other, self._gap(one), *test]
            for one in self.differences
            for test in self._tests(one) or [[None] * 4]
        ]
        if tests:
            names = [*head, *"difference test p adjusted trials".split()]
            yield Table("differences", [*map(Column, names)], tests)
        if self.judges is not None:
            alphas = [(f"alpha-{name}", None, None, x) for name, x in self.judges.alpha.items()]
            pairs = {**self.judges.pairs, **self.judges.metrics}
            pearsons = [("pearson", one, other, x) for (one, other), x in pairs.items()]
            lines = [
                ["segment", name, one, other, *self._numbers(x)]
                for name, one, other, x in [*alphas, *pearsons]
            ]
            yield Table("judges", [*map(Column, [*head, *numbers])], lines)

    def _numbers(self, one: Estimate) -> list[Cell]:
        number = number_of(one, self.resampling)
        return [number, one.mean, one.size, one.left_out, one.reason or None]

    def _tests(self, one: Difference) -> list[list[Cell]]:
        return [[test, p, one.adjusted[test], self._trials(one, test)] for test, p in one.p.items()]

    def _trials(self, one: Difference, test: str) -> int | None:
        made = one.tests.get(test)
        if made is None:
            return None
        # Resamples without a value are counted with the intervals.
        least = self.resampling.resamples if test == "bootstrap" and self.resampling else 0
        return max(made.trials, least)

    def to_dict(self) -> dict[str, Any]:
        return {
            "human": self.human,
            "group": self.group,
            "resampling": resampling_dict(self.resampling, self.unit, self.size),
            "rows": len(self.rows),
            "systems": self._by_system(self.system_people),
            "metrics": [self._metric(one) for one in self.metrics],
            "differences": [self._difference(one) for one in self.differences],
            "judges": self._panel(),
            "notes": list(self.remarks),
            "signatures": self.signatures,
        }

    def _by_system(self, scores: Array) -> dict[str, float | None]:
        return dict(zip(self.systems, map(_finite, scores), strict=True))

    def _metric(self, one: MetricAgreement) -> dict[str, Any]:
        levels: dict[str, dict[str, Any]] = {}
        for (level, name), estimate in one.estimates.items():
            levels.setdefault(level, {})[name] = estimate_dict(estimate, self.resampling)
        return {
            "metric": one.label,
            "higher_is_better": one.higher_is_better,
            "threshold": one.threshold,
            **levels,
            "systems": self._by_system(one.systems),
            **one.familiarity.to_dict(),
            "signature": one.signature,
        }

    def _difference(self, one: Difference) -> dict[str, Any]:
        tests = [
            {"p": p, "adjusted": adjusted, "test": test}
            | ({} if trials is None else {"trials": trials})
            for test, p, adjusted, trials in self._tests(one)
        ]
        return {
            "level": one.level,
            "coefficient": one.coefficient,
            "one": one.one,
            "other": one.other,
            **number_dict(self._gap(one)),
            "comparisons": tests,
        }

    def _panel(self) -> dict[str, Any] | None:
        if self.judges is None:
            return None

        def listed(
            pairs: Mapping[tuple[str, str], Estimate], one: str, other: str
        ) -> list[dict[str, Any]]:
            return [
                {one: a, other: b, "pearson": estimate_dict(x, self.resampling)}
                for (a, b), x in pairs.items()
            ]

        alpha = {name: estimate_dict(x, self.resampling) for name, x in self.judges.alpha.items()}
        return {
            "names": list(self.judges.judges),
            "alpha": alpha,
            "pairs": listed(self.judges.pairs, "one", "other"),
            "pairs_without_rows": self.judges.apart,
            "metrics": listed(self.judges.metrics, "metric", "judge"),
        }


def _p(one: Difference, test: str) -> str | None:
    if test not in one.adjusted:
        return None
    p = shown_p(one.adjusted[test], is_floor=_is_floor(one, test))
    return p.removeprefix("= ")


def _is_floor(one: Difference, test: str) -> bool:
    return test in one.tests and one.tests[test].is_floor


def _is_unresolved(one: Difference, test: str) -> bool:
    return _is_floor(one, test) and one.adjusted.get(test, 0.0) >= LEVEL


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
