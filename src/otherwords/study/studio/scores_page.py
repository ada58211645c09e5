"""The page that shows scored rows to search, filter, open and export, and explains each score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.metrics.base import Metric
from otherwords.scoring.stream import by_row, evaluate, explain_row
from otherwords.stats.arrays import Array
from otherwords.study.agreement.human_scores import criteria_of, score_of
from otherwords.study.report.rows import Measure, row_data
from otherwords.study.report.spans import draw
from otherwords.study.studio.page import Page, asked

MOST = 200_000  # rows per page


def make_scores_page(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Page:
    """Score rows, and make the page that shows and explains them.

    Parameters
    ----------
    rows : sequence of Row
        At least one row.
    metrics : mapping of str to Metric
        The metrics by their labels.
    threads : int
        Threads that score.
    any_language : bool
        Whether the text may be of any language.
    progress : callable
        Called with the number of segments that were scored.
    """
    if not rows:
        raise InputError("there is nothing to show: the files have no segments")
    how: Any = {"threads": threads, "any_language": any_language}
    statistics = by_row(rows, evaluate(rows, metrics, progress=progress, **how))
    scores = {label: metric.segment_scores(statistics[label]) for label, metric in metrics.items()}
    return show_page(rows, metrics, scores, **how)


def show_page(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    scores: Mapping[str, Array],
    *,
    any_language: bool = False,
    threads: int = 1,
) -> Page:
    """The page at /show, for rows with their scores by label of the metric."""
    import numpy as np

    measures = [
        Measure(label, scores[label], metric.against, metric.traits.higher_is_better)
        for label, metric in metrics.items()
    ]
    measures += [
        Measure(f"human: {name}", np.array([score_of(row, name) for row in rows]))
        for name in criteria_of(rows)
    ]
    data = row_data(rows, measures, facts=not any_language, threads=threads, most=MOST).to_dict()

    def explain(query: Mapping[str, Any]) -> dict[str, Any]:
        """The explanations of a row by all metrics, as HTML."""
        row = rows[asked(query, "row", len(rows))]
        explanations = (
            explain_row(metric, row, any_language=any_language) for metric in metrics.values()
        )
        return {"html": [draw(explanation) for explanation in explanations]}

    return Page("show", "show.html", reads={"rows": lambda query: data, "explain": explain})
