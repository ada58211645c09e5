"""The part of a report that says which metric agrees with human scores, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.study.agreement.comparison import Difference
from otherwords.study.agreement.result import AgreementResult, MetricAgreement
from otherwords.study.report.data import ReportData
from otherwords.study.report.page import Matrix, Section
from otherwords.study.report.plot import Estimated, Plot, ranking
from otherwords.tables.table import LEVEL, Column, Number, Table, shown_p

__all__ = ["agreement_section", "shade", "starred_p"]

_TESTS = {
    "perm-both": "PERM-BOTH",
    "perm-systems": "permutation of systems",
    "williams": "Williams' test",
    "bootstrap": "the paired bootstrap",
}
# The test that is shown of those that were made, the best one first. Several systems' rows of one
# segment are not independent, as the others take them to be over segments.
_ORDER = {
    "segment": ("bootstrap", "perm-both", "williams"),
    "system": ("perm-both", "perm-systems", "williams", "bootstrap"),
}


def agreement_section(found: ReportData) -> Section | None:
    """Every coefficient of every metric with its interval, and which differences are chance."""
    if found.agreement is None:
        return None
    levels = found.agreement.coefficients
    plots = [_plot(found, level, names[0]) for level, names in levels.items()]
    tables = [_table(found, found.agreement, level, names) for level, names in levels.items()]
    for level, names in levels.items():
        tables += [_matrix(found.agreement, level, name) for name in names[:1]]
    return Section(
        "agreement",
        "Which metric agrees with human scores",
        [plot for plot in plots if plot is not None],
        [table for table in tables if table.rows],
    )


def _table(
    found: ReportData, agreement: AgreementResult, level: str, names: Sequence[str]
) -> Table:
    columns = [Column(name, decimals=2, best="highest", interval="range") for name in names]
    rows: list[list[Number]] = [
        [one.number(level, name, agreement.resampling) for name in names]
        for one in _ordered(agreement, level, names[0])
    ]
    labels = [one.title for one in _ordered(agreement, level, names[0])]
    known = any(number.value is not None for row in rows for number in row)
    return Table(
        f"agreement-{level}",
        [Column("metric", left=True), *columns],
        [[label, *row] for label, row in zip(labels, rows, strict=True)] if known else [],
        f"Agreement with {agreement.human}, {level} level",
        [
            f"[low, high]: {found.share} bootstrap interval over {agreement.unit}; more is more "
            "agreement: scores of metrics whose lower scores are better are reversed",
            *found.on_training(),
        ],
    )


def _ordered(agreement: AgreementResult, level: str, name: str) -> list[MetricAgreement]:
    """The metrics, best first; those without a value, or trained on these rows, last."""

    def key(one: MetricAgreement) -> tuple[bool, float]:
        value = one.estimates[level, name].value
        return one.familiarity.is_marked, 2.0 if value is None else -value

    return sorted(agreement.metrics, key=key)


def _plot(found: ReportData, level: str, name: str) -> Plot | None:
    assert found.agreement is not None
    lines: list[tuple[str, Estimated]] = []
    for one in _ordered(found.agreement, level, name):
        estimate = one.estimates[level, name]
        if estimate.value is not None:
            lines.append((one.title, (estimate.value, estimate.low, estimate.high)))
    if not lines:
        return None
    words = f"{name.capitalize()} with {found.agreement.human}, {level} level"
    caption = f"Metrics, best first, with {found.share} bootstrap intervals"
    return ranking(f"agreement-{level}", words, caption, lines, f"{name}, {level} level")


def _matrix(agreement: AgreementResult, level: str, name: str) -> Matrix:
    """Does the metric of the row agree better than that of the column?"""
    order = [one.label for one in _ordered(agreement, level, name) if not one.familiarity.is_marked]
    by_pair: dict[frozenset[str], Difference] = {
        frozenset((one.one, one.other)): one
        for one in agreement.differences
        if (one.level, one.coefficient) == (level, name)
    }
    tests = [
        test for test in _ORDER[level] if any(test in one.adjusted for one in by_pair.values())
    ]
    test = tests[0] if tests else ""
    rows = [
        [
            row,
            *(
                _p(by_pair, row, column, test) if place < other else ""
                for other, column in enumerate(order)
                if other
            ),
        ]
        for place, row in enumerate(order[:-1])
    ]
    levels = [[_shade(by_pair, row, column, test) for column in order[1:]] for row in order[:-1]]
    return Matrix(
        f"agreement-significance-{level}",
        [Column("metric", "", left=True), *map(Column, order[1:])],
        rows if test else [],
        f"Does the row agree better than the column? {name}, {level} level",
        [
            f"p of {_TESTS.get(test, test)}, two-sided, corrected for all pairs of metrics "
            "(Holm); * below 0.05; n/a where the test cannot be made"
        ],
        levels=levels,
    )


def _shade(by_pair: dict[frozenset[str], Difference], one: str, other: str, test: str) -> int:
    found = by_pair.get(frozenset((one, other)))
    return shade(None if found is None else found.adjusted.get(test))


def _p(by_pair: dict[frozenset[str], Difference], one: str, other: str, test: str) -> str:
    found = by_pair.get(frozenset((one, other)))
    return starred_p(None if found is None else found.adjusted.get(test))


def shade(p: float | None) -> int:
    """How dark the cell of a p-value is: one step each below .05, .01 and .001.

    >>> shade(0.03), shade(0.0001), shade(None)
    (1, 3, 0)
    """
    return 0 if p is None else sum(p < level for level in (LEVEL, 0.01, 0.001))


def starred_p(p: float | None, *, is_floor: bool = False) -> str:
    """A p-value with three decimals, and a star below 0.05.

    >>> starred_p(0.0312), starred_p(0.0001), starred_p(1.0), starred_p(None)
    ('.031*', '<.001*', '1', 'n/a')
    """
    if p is None:
        return "n/a"
    text = shown_p(p, is_floor=is_floor).removeprefix("= ").replace("< ", "<").replace("0.", ".")
    return ("1" if text == "1.000" else text) + ("*" if p < LEVEL else "")
