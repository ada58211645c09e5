"""The page that shows scored pairs: a list to sort and filter, any of them explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, near
from otherwords.metrics.base import Array, Metric, text_of
from otherwords.report import spans
from otherwords.scoring.stream import by_row, evaluate, explain_row
from otherwords.studio.page import Page, asked

__all__ = ["ShownRows", "show_page"]

MOST = 100  # rows of an answer


class ShownRows:
    """Rows with the scores of metrics by their labels."""

    def __init__(
        self,
        rows: Sequence[Row],
        metrics: Mapping[str, Metric],
        scores: Mapping[str, Array],
        *,
        any_language: bool = False,
    ) -> None:
        self.rows = rows
        self.metrics = metrics
        self.scores = scores
        self.systems = list(dict.fromkeys(row.system for row in rows))
        self._any_language = any_language
        self._folded = [_searched(row) for row in rows]

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
        return cls(rows, metrics, scores, any_language=any_language)

    def state(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """What there is to sort and filter by."""
        return {
            "metrics": list(self.metrics),
            "systems": self.systems,
            "total": len(self.rows),
        }

    def list(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Some rows: those with a text, of a system, in the order of a score or of the input.

        The query's `sort` is a metric (`down` the highest first), `text` what must be in any of
        the texts, `system` one of them, `from` how many to pass over.
        """
        places = self._sorted(query.get("sort", ""), query.get("down", "") == "1")
        wanted, system = str(query.get("text", "")).casefold(), query.get("system", "")
        found = [
            place
            for place in places.tolist()
            if wanted in self._folded[place] and (not system or self.rows[place].system == system)
        ]
        first = asked({"from": "0", **query}, "from", len(self.rows) + 1)
        return {
            "found": len(found),
            "rows": [self._row(place) for place in found[first : first + MOST]],
        }

    def _sorted(self, label: str, down: bool) -> NDArray[np.intp]:
        if not label:
            order = np.arange(len(self.rows))
            return order[::-1] if down else order
        if label not in self.scores:
            raise InputError(f"no metric '{label:.50}' to sort by; {near(label, self.scores)}")
        return np.argsort(-self.scores[label] if down else self.scores[label], kind="stable")

    def _row(self, place: int) -> dict[str, Any]:
        row = self.rows[place]
        return {
            "row": place,
            "item": row.item,
            "system": row.system,
            "hypothesis": text_of(row.hypothesis),
            "scores": [float(f"{scores[place]:.6g}") for scores in self.scores.values()],
        }

    def explain(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """A row with the explanations of all metrics, drawn; HTML of our own making."""
        place = asked(query, "row", len(self.rows))
        row = self.rows[place]
        drawn = [
            spans.draw(explain_row(metric, row, any_language=self._any_language))
            for metric in self.metrics.values()
        ]
        return {**self._row(place), "human": dict(row.human), "html": drawn}


def _searched(row: Row) -> str:
    texts = [row.hypothesis, *row.references, *([] if row.source is None else [row.source])]
    return "\n".join(text_of(text) for text in texts).casefold()


def show_page(scored: ShownRows) -> Page:
    """The page at /show."""
    return Page(
        "show",
        "show.html",
        reads={"state": scored.state, "list": scored.list, "explain": scored.explain},
        styles=spans.CSS,
    )
