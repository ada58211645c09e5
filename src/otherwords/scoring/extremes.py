"""The segments with the worst and the best scores, each with its texts and the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Explanation, Metric, text_of
from otherwords.scoring.stream import SystemScores, explain_row
from otherwords.tables.formats import indented

__all__ = ["Extreme", "explanation_lines", "extremes", "texts_of"]

Kind = Literal["worst", "best"]


@dataclass(frozen=True)
class Extreme:
    """One of the worst or best segments of a system, by the metric that explains it."""

    kind: Kind
    system: str
    item: str
    row: Row
    scores: Mapping[str, float]
    explanation: Explanation

    def lines(self) -> Iterator[str]:
        """For readers: the scores by all metrics, then the explanation by one."""
        scores = ", ".join(f"{name} {value:.4f}" for name, value in self.scores.items())
        yield f"segment {self.item}: {scores}"
        if self.row.source is not None and self.row.references:
            yield f"  source      {text_of(self.row.source)}"
        yield from explanation_lines(self.system, self.explanation)

    def to_dict(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "system": self.system,
            "item": self.item,
            **texts_of(self.row),
            "scores": dict(self.scores),
            "explanation": asdict(self.explanation),
        }


def texts_of(row: Row) -> dict[str, Any]:
    """The texts of a row as strings.

    >>> texts_of(Row("a cat", ("the cat",)))
    {'hypothesis': 'a cat', 'references': ['the cat'], 'source': None}
    """
    return {
        "hypothesis": text_of(row.hypothesis),
        "references": [text_of(one) for one in row.references],
        "source": None if row.source is None else text_of(row.source),
    }


def extremes(
    metrics: Mapping[str, Metric],
    systems: Sequence[SystemScores],
    *,
    worst: int = 0,
    best: int = 0,
    by: str | None = None,
) -> list[Extreme]:
    """The `worst` segments of each system, the worst first, then the `best`, the best first.

    `by` is the label of the metric that decides, the first one by default. Of equal scores the
    first segment counts more.
    """
    label = next(iter(metrics)) if by is None else by
    wanted: dict[Kind, int] = {"worst": worst, "best": best}
    return [
        one
        for kind, number in wanted.items()
        for system in systems
        for one in _of_system(metrics, system, label, kind, number)
    ]


def _of_system(
    metrics: Mapping[str, Metric], system: SystemScores, label: str, kind: Kind, number: int
) -> Iterator[Extreme]:
    if not number:
        return
    scores = {name: one.segment_scores(system.statistics[name]) for name, one in metrics.items()}
    rising = metrics[label].traits.higher_is_better == (kind == "worst")
    order = np.argsort(scores[label] if rising else -scores[label], kind="stable")
    for place in order[:number].tolist():
        row = system.rows[place]
        yield Extreme(
            kind,
            system.system,
            system.items[place],
            row,
            {name: float(values[place]) for name, values in scores.items()},
            explain_row(metrics[label], row, any_language=True),
        )


def explanation_lines(system: str, explanation: Explanation) -> Iterator[str]:
    """An explanation for readers."""
    yield f"{system}  {explanation.metric} {explanation.score:.4f}"
    yield f"  hypothesis  {explanation.hypothesis}"
    parts = ", ".join(f"{name} {value:.4g}" for name, value in explanation.components.items())
    yield f"  parts       {parts}"
    for place, reference in enumerate(explanation.references):
        yield f"  reference   {reference}"
        for span in explanation.matches[place] if explanation.matches else ():
            same = f"{span.hypothesis_text} = {span.reference_text}"
            yield f"    {span.weight:.2f}  {same}  [{span.kind}]"
    details = dict(explanation.details)
    for found in details.pop("findings", []):
        yield from ("  finding     " + _finding(one) for one in found)
    yield from indented(_readable(details))


def _finding(one: Mapping[str, Any]) -> str:
    """A finding for readers: verdict, weight, kind, and both spans."""
    spans = f"{one['hypothesis_text'] or '-'} <> {one['reference_text'] or '-'}"
    return f"{one['verdict']} {one['weight']:.2f}  {spans}  [{one['kind']}]"


def _readable(details: Any) -> Any:
    """Numbers of four digits; lists of phrases with bars between them."""
    if isinstance(details, float):
        return float(f"{details:.4g}")
    if isinstance(details, dict):
        return {key: _readable(value) for key, value in details.items()}
    if not isinstance(details, list):
        return details
    if any(isinstance(one, dict) for one in details):
        return [_readable(one) for one in details]
    return " | ".join(map(str, details))
