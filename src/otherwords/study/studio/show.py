"""The page that shows scored rows: to search, filter, open and export, each score explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Array, Metric
from otherwords.scoring.stream import by_row, evaluate, explain_row
from otherwords.study.agreement.human_scores import criteria_of, score_of
from otherwords.study.report.rows import Measure, row_data
from otherwords.study.report.spans import draw
from otherwords.study.studio.page import Page, asked

__all__ = ["ShownRows", "show_page"]

MOST = 200_000  # rows of a page


class ShownRows:
    """Rows with the scores of metrics by their labels."""

    def __init__(
        self,
        rows: Sequence[Row],
        metrics: Mapping[str, Metric],
        scores: Mapping[str, Array],
        *,
        any_language: bool = False,
        threads: int = 1,
    ) -> None:
        import numpy as np

        self._rows = rows
        self._metrics = metrics
        self._any_language = any_language
        measures = [
            Measure(label, scores[label], one.against, one.traits.higher_is_better)
            for label, one in metrics.items()
        ]
        measures += [
            Measure(f"human: {name}", np.array([score_of(row, name) for row in rows]))
            for name in criteria_of(rows)
        ]
        facts = not any_language
        self._data = row_data(rows, measures, facts=facts, threads=threads, most=MOST).to_dict()

    @classmethod
    def of(
        cls,
        rows: Sequence[Row],
        metrics: Mapping[str, Metric],
        *,
        threads: int = 1,
        any_language: bool = False,
        progress: Callable[[int], None] = lambda done: None,
    ) -> ShownRows:
        """Score the rows with all metrics."""
        scored = evaluate(
            rows, metrics, threads=threads, any_language=any_language, progress=progress
        )
        statistics = by_row(rows, scored)
        scores = {
            label: metric.segment_scores(statistics[label]) for label, metric in metrics.items()
        }
        return cls(rows, metrics, scores, any_language=any_language, threads=threads)

    def rows(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """All rows, as the script of a report reads them."""
        return self._data

    def explain(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """The explanations of a row by all metrics, drawn, as HTML."""
        row = self._rows[asked(query, "row", len(self._rows))]
        drawn = [
            draw(explain_row(metric, row, any_language=self._any_language))
            for metric in self._metrics.values()
        ]
        return {"html": drawn}


def show_page(scored: ShownRows) -> Page:
    """The page at /show."""
    return Page("show", "show.html", reads={"rows": scored.rows, "explain": scored.explain})
