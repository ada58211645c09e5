"""What must be known to read an evaluation: rows, groups and resamples that do not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from otherwords.corpus.rows import Row
from otherwords.stats.estimates import Estimate, Resampling
from otherwords.study.agreement.agreement_result import MetricAgreement
from otherwords.study.agreement.arrays import Group
from otherwords.study.agreement.levels import ScoredRows
from otherwords.study.agreement.sums import JudgedRows

__all__ = ["on_estimates", "on_groups", "on_metrics"]


def on_groups(rows: Sequence[Row], group: Group) -> list[str]:
    """Language pairs that are mixed."""
    langs = list(dict.fromkeys(row.langs for row in rows if row.langs))
    if len(langs) > 1 and group in ("none", "system"):
        return [f"rows of {len(langs)} language pairs are taken together, not grouped by langs"]
    return []


def on_metrics(scored: Sequence[ScoredRows]) -> list[str]:
    """Scores that are reversed, rows that have none, and rows that a metric was trained on."""
    notes = []
    for one in scored:
        notes += one.familiarity.remarks(one.label)
        if one.sign < 0:
            notes.append(f"{one.label}: lower is better, so its scores are reversed")
        if lacking := int((~one.known).sum()):
            notes.append(f"{one.label}: rows without a score, left out: {lacking}")
    return notes


def on_estimates(
    found: Sequence[MetricAgreement], judged: JudgedRows, resampling: Resampling | None
) -> list[str]:
    """Groups that were left out, and resamples without a value."""
    notes = []
    if resampling is not None and judged.size < 2:
        notes.append(f"there are no intervals: the set is a single one of the {judged.unit}")
    for one in found:
        for level in dict.fromkeys(level for level, _ in one.estimates):
            mine = {name: x for (at, name), x in one.estimates.items() if at == level}
            notes += _on_level(f"{one.label}, {level} level", mine, resampling)
    return notes


def _on_level(
    where: str, estimates: Mapping[str, Estimate], resampling: Resampling | None
) -> list[str]:
    """Coefficients that lack the same number of groups or resamples share a note."""
    groups: dict[tuple[int, int], list[str]] = {}
    draws: dict[int, list[str]] = {}
    for name, one in estimates.items():
        if one.value is not None and one.left_out:
            groups.setdefault((one.left_out, one.groups + one.left_out), []).append(name)
        if one.low is not None and resampling is not None and one.defined < resampling.resamples:
            draws.setdefault(resampling.resamples - one.defined, []).append(name)
    return [
        f"{where}: {lacking} of {every} groups have no {', '.join(names)}, and are left out"
        for (lacking, every), names in groups.items()
    ] + [
        f"{where}: {lacking} resamples have no {', '.join(names)}, and are left out"
        for lacking, names in draws.items()
    ]
