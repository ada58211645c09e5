"""The part of a report that shows where a metric and human scores disagree most, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Metric, text_of
from otherwords.scoring.stream import explain_row
from otherwords.stats.drawn import midranks
from otherwords.study.report import spans
from otherwords.study.report.data import ReportData
from otherwords.study.report.page import Section, example_html
from otherwords.study.report.spans import plain_html

__all__ = ["Disagreement", "disagreement_section", "disagreements"]


@dataclass(frozen=True)
class Disagreement:
    """A row with its score, its human score, and the share of rows below it by each."""

    row: Row
    score: float
    human: float
    ranks: tuple[float, float]


def disagreements(
    found: ReportData, label: str, *, shown: int = 3
) -> tuple[list[Disagreement], list[Disagreement]]:
    """The rows that the metric ranks too high by most, and those that it ranks too low."""
    people = found.judged.human[found.human or ""]
    better = found.better(label)
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(better))
    if len(known) < 2:
        return [], []
    ranks = midranks(np.stack([better[known], people[known]])) / (len(known) - 1)
    gaps = ranks[0] - ranks[1]

    def at(place: int) -> Disagreement:
        row = int(known[place])
        score = float(found.scores(label)[row])
        shares = float(ranks[0, place]), float(ranks[1, place])
        return Disagreement(found.rows[row], score, float(people[row]), shares)

    high = [int(place) for place in np.argsort(-gaps, kind="stable")[:shown] if gaps[place] > 0]
    low = [int(place) for place in np.argsort(gaps, kind="stable")[:shown] if gaps[place] < 0]
    return [at(place) for place in high], [at(place) for place in low]


def disagreement_section(found: ReportData, *, shown: int = 3) -> Section | None:
    """For each metric the worst disagreements both ways, with drawn explanations."""
    if found.human is None or shown == 0:
        return None
    parts = [part for label in found.metrics for part in _of_metric(found, label, shown)]
    lead = (
        "<p>Rows by how far apart the metric and the human score rank them. A rank is the share of "
        "rows with a lower score.</p>"
    )
    html = "\n".join([lead, *parts])
    return Section("disagreements", "Worst disagreements", html=html) if parts else None


def _of_metric(found: ReportData, label: str, shown: int) -> Iterator[str]:
    metric = found.metrics[label]
    sides = disagreements(found, label, shown=shown)
    ways = "ranks higher than the human score", "ranks lower than the human score"
    for words, side in zip(ways, sides, strict=True):
        if side:
            yield f"<h3>{plain_html(f'{label} {words}')}</h3>"
        for one in side:
            yield _example(metric, label, found.human or "", one)


def _example(metric: Metric, label: str, human: str, one: Disagreement) -> str:
    name = one.row.system if one.row.item is None else f"{one.row.system}, {one.row.item}"
    mine, theirs = (f"{100 * rank:.0f} %" for rank in one.ranks)
    summary = (
        f"{name}: {label} {one.score:.4g} (rank {mine}), {human} {one.human:.4g} (rank {theirs})"
    )
    source = one.row.source
    drawn = spans.draw(explain_row(metric, one.row, any_language=True))
    return example_html(summary, [drawn], source=None if source is None else text_of(source))
