"""The part of a report that says which metric agrees with people, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.meta.comparison import Difference
from otherwords.meta.evaluation import Agreement, Evaluation
from otherwords.report.data import Evidence
from otherwords.report.page import Section
from otherwords.report.plot import Estimated, Plot, ranking
from otherwords.stats.estimates import Estimate
from otherwords.tables.plain import Table, p_shown

__all__ = ["agreement_section"]

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


def agreement_section(found: Evidence) -> Section | None:
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
        "Which metric agrees with people",
        [plot for plot in plots if plot is not None],
        [table for table in tables if table.rows],
    )


def _table(found: Evidence, agreement: Evaluation, level: str, names: Sequence[str]) -> Table:
    rows = [
        [one.label, *(_shown(one.estimates.get((level, name))) for name in names)]
        for one in _ordered(agreement, level, names[0])
    ]
    if all(cell.startswith("n/a") for row in rows for cell in row[1:]):
        rows = []
    return Table(
        f"agreement-{level}",
        f"Agreement with {agreement.human}, {level} level",
        ["metric", *names],
        rows,
        f"[low, high]: {found.share} bootstrap interval over {agreement.unit}; more is more "
        "agreement, whichever way a metric's scores run",
    )


def _ordered(agreement: Evaluation, level: str, name: str) -> list[Agreement]:
    """The metrics, best first; those without a value last."""

    def key(one: Agreement) -> float:
        value = one.estimates[level, name].value
        return 2.0 if value is None else -value

    return sorted(agreement.metrics, key=key)


def _shown(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "n/a" + (f" ({estimate.reason})" if estimate and estimate.reason else "")
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:z.3f}"
    return f"{estimate.value:z.3f} [{estimate.low:z.3f}, {estimate.high:z.3f}]"


def _plot(found: Evidence, level: str, name: str) -> Plot | None:
    assert found.agreement is not None
    lines: list[tuple[str, Estimated]] = []
    for one in _ordered(found.agreement, level, name):
        estimate = one.estimates[level, name]
        if estimate.value is not None:
            lines.append((one.label, (estimate.value, estimate.low, estimate.high)))
    if not lines:
        return None
    words = f"{name.capitalize()} with {found.agreement.human}, {level} level"
    caption = f"Metrics, best first, with {found.share} bootstrap intervals"
    return ranking(f"agreement-{level}", words, caption, lines, f"{name}, {level} level")


def _matrix(agreement: Evaluation, level: str, name: str) -> Table:
    """Does the metric of the row agree with people better than that of the column?"""
    order = [one.label for one in _ordered(agreement, level, name)]
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
    return Table(
        f"agreement-significance-{level}",
        f"Does the row agree better than the column? {name}, {level} level",
        ["", *order[1:]],
        rows if test else [],
        f"p of {_TESTS.get(test, test)}, two-sided, corrected for all pairs of metrics (Holm); "
        "* below 0.05; n/a where the test cannot be made",
    )


def _p(by_pair: dict[frozenset[str], Difference], one: str, other: str, test: str) -> str:
    found = by_pair.get(frozenset((one, other)))
    return p_shown(None if found is None else found.adjusted.get(test))
