"""The results of `otherwords score` in every output format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from otherwords import __version__
from otherwords.cli.output import Format, align, indented, latex_table, tsv_line
from otherwords.metrics.base import Explanation, Metric
from otherwords.scoring.stream import SystemScores
from otherwords.stats.intervals import Interval
from otherwords.stats.paired import Comparison
from otherwords.tables.plain import Table, decimals

__all__ = [
    "Cell",
    "Report",
    "explanation_lines",
    "latex_lines",
    "render",
    "render_explanations",
]


@dataclass(frozen=True)
class Cell:
    """A system under a metric: the score and what is known of its certainty."""

    score: float
    interval: Interval | None = None
    comparison: Comparison | None = None


@dataclass(frozen=True)
class Report:
    """All that one run of `otherwords score` has to say. Keys of `cells`: system, metric."""

    metrics: Mapping[str, Metric]
    systems: Sequence[SystemScores]
    cells: Mapping[tuple[str, str], Cell]
    human: Mapping[tuple[str, str], tuple[float, int]]  # criterion, metric: Pearson, segments
    baseline: str | None = None
    settings: str = ""  # seed and resamples, where they matter
    unit: str = "system"  # what is scored


def render(report: Report, form: Format, *, segments: bool, by_metric: bool) -> Iterable[str]:
    """The lines to print. `by_metric` turns the table: a row a metric."""
    if segments:
        return _segments(report, form)
    if form is Format.json:
        return [json.dumps(_document(report), indent=2, ensure_ascii=False)]
    if form is Format.jsonl:
        return (json.dumps(one, ensure_ascii=False) for one in _records(report))
    if form is Format.tsv:
        return _tsv(report)
    table = _table(report, by_metric=by_metric)
    return _latex(report, table) if form is Format.latex else _text(report, table)


def number(value: float, metric: Metric) -> str:
    """Two decimals on a scale of 100, four on a scale of 1 or 5."""
    return decimals(value, metric.traits.high)


def _shown(cell: Cell, metric: Metric) -> str:
    text = number(cell.score, metric)
    if cell.interval is not None:
        half = (cell.interval.high - cell.interval.low) / 2
        text += f" ± {number(half, metric)}"
    if cell.comparison is not None:
        text += f" (p = {cell.comparison.p:.3f}){'*' if cell.comparison.p < 0.05 else ' '}"
    return text


def _table(report: Report, *, by_metric: bool) -> list[list[str]]:
    names = [system.system for system in report.systems]
    if by_metric:
        criteria = list(dict.fromkeys(criterion for criterion, _ in report.human))
        header = ["metric", *names, *(f"r({criterion})" for criterion in criteria)]
        rows = [
            [
                label,
                *(_shown(report.cells[name, label], metric) for name in names),
                *(_agreement(report, criterion, label) for criterion in criteria),
            ]
            for label, metric in report.metrics.items()
        ]
        return [header, *rows]
    return [
        [report.unit, *report.metrics],
        *(
            [name, *(_shown(report.cells[name, label], m) for label, m in report.metrics.items())]
            for name in names
        ),
    ]


def _text(report: Report, table: list[list[str]]) -> Iterator[str]:
    yield from align(table)
    if report.human and table[0][0] == report.unit:
        yield ""
        for criterion in dict.fromkeys(criterion for criterion, _ in report.human):
            shown = [f"{label} {_agreement(report, criterion, label)}" for label in report.metrics]
            sizes = [size for (name, _), (_, size) in report.human.items() if name == criterion]
            yield f"Pearson with {criterion}, {sizes[0]} segments: " + ", ".join(shown)
    yield ""
    if report.baseline is not None:
        yield f"p: against {report.baseline}, two-sided; * p < 0.05"
    around = [cell.interval for cell in report.cells.values() if cell.interval]
    if around:
        yield f"±: half the {100 * around[0].confidence:g} % bootstrap interval"
    for metric in {m.signature: m for m in report.metrics.values()}.values():
        yield metric.signature + report.settings


def _latex(report: Report, table: list[list[str]]) -> Iterator[str]:
    yield from latex_table(table)
    for metric in {m.signature: m for m in report.metrics.values()}.values():
        yield f"% {metric.signature}{report.settings}"


def _agreement(report: Report, criterion: str, label: str) -> str:
    known = report.human.get((criterion, label))
    return "n/a" if known is None else f"{known[0]:.4f}"


def _document(report: Report) -> dict[str, Any]:
    document: dict[str, Any] = {
        "otherwords": __version__,
        "signatures": {
            label: metric.signature + report.settings for label, metric in report.metrics.items()
        },
        f"{report.unit}s": [
            {
                report.unit: system.system,
                "segments": len(system.items),
                "scores": {
                    label: _cell(report.cells[system.system, label]) for label in report.metrics
                },
            }
            for system in report.systems
        ],
    }
    if report.baseline is not None:
        document["baseline"] = report.baseline
    if report.human:
        document["human"] = _agreements(report)
    return document


def _agreements(report: Report) -> list[dict[str, Any]]:
    """How far each metric agrees with each human criterion."""
    return [
        {"criterion": criterion, "metric": label, "pearson": r, "segments": size}
        for (criterion, label), (r, size) in report.human.items()
    ]


def _cell(cell: Cell) -> dict[str, Any]:
    shown: dict[str, Any] = {"score": cell.score}
    if cell.interval is not None:
        shown["interval"] = asdict(cell.interval)
    if cell.comparison is not None:
        shown["comparison"] = asdict(cell.comparison)
    return shown


def _records(report: Report) -> Iterator[dict[str, Any]]:
    for (system, label), cell in report.cells.items():
        signature = report.metrics[label].signature + report.settings
        yield {report.unit: system, "metric": label, **_cell(cell), "signature": signature}
    yield from _agreements(report)


def _tsv(report: Report) -> Iterator[str]:
    header = [report.unit, "metric", "score"]
    with_interval = any(cell.interval for cell in report.cells.values())
    header += ["low", "high"] if with_interval else []
    header += ["difference", "p"] if report.baseline is not None else []
    criteria = list(dict.fromkeys(criterion for criterion, _ in report.human))
    header += [f"pearson {criterion}" for criterion in criteria]
    yield tsv_line([*header, "signature"])
    for (system, label), cell in report.cells.items():
        row: list[object] = [system, label, repr(cell.score)]
        if cell.interval is not None:
            row += [repr(cell.interval.low), repr(cell.interval.high)]
        if report.baseline is not None:
            compared = cell.comparison
            row += [repr(compared.difference), repr(compared.p)] if compared else ["", ""]
        known = [report.human.get((criterion, label)) for criterion in criteria]
        row += ["" if one is None else repr(one[0]) for one in known]
        yield tsv_line([*row, report.metrics[label].signature + report.settings])


def _segments(report: Report, form: Format) -> Iterator[str]:
    """Every metric for every segment of every system."""
    if form is Format.json:
        document = _document(report)
        for system, shown in zip(report.systems, document[f"{report.unit}s"], strict=True):
            scores = _segment_scores(report, system)
            shown["items"] = list(system.items)
            shown["segment_scores"] = {label: s.tolist() for label, s in scores.items()}
        yield json.dumps(document, indent=2, ensure_ascii=False)
        return
    if form in (Format.tsv, Format.text):
        yield tsv_line([report.unit, "item", *report.metrics])
    for system in report.systems:
        columns = [scores.tolist() for scores in _segment_scores(report, system).values()]
        for row, item in enumerate(system.items):
            values = [column[row] for column in columns]
            if form is Format.jsonl:
                scores_here = dict(zip(report.metrics, values, strict=True))
                one = {report.unit: system.system, "item": item, "scores": scores_here}
                yield json.dumps(one, ensure_ascii=False)
            else:
                yield tsv_line([system.system, item, *map(repr, values)])


def _segment_scores(report: Report, system: SystemScores) -> dict[str, np.ndarray[Any, Any]]:
    return {
        label: metric.segment_scores(system.statistics[label])
        for label, metric in report.metrics.items()
    }


def render_explanations(
    explained: Sequence[tuple[str, Explanation]], form: Format
) -> Iterator[str]:
    """Explanations of one segment, each with its system's name."""
    documents = [{"system": system, **asdict(explanation)} for system, explanation in explained]
    if form is Format.json:
        yield json.dumps(documents, indent=2, ensure_ascii=False)
        return
    if form is Format.jsonl:
        yield from (json.dumps(document, ensure_ascii=False) for document in documents)
        return
    for system, explanation in explained:
        yield from explanation_lines(system, explanation)


def explanation_lines(system: str, explanation: Explanation) -> Iterator[str]:
    """An explanation as people read it, and an empty line."""
    yield f"{system}  {explanation.metric} {explanation.score:.4f}"
    yield f"  hypothesis  {explanation.hypothesis}"
    parts = ", ".join(f"{name} {value:.4g}" for name, value in explanation.components.items())
    yield f"  made of     {parts}"
    for place, reference in enumerate(explanation.references):
        yield f"  reference   {reference}"
        for span in explanation.matches[place] if explanation.matches else ():
            same = f"{span.hypothesis_text} = {span.reference_text}"
            yield f"    {span.weight:.2f}  {same}  [{span.kind}]"
    yield from indented(_readable(explanation.details))
    yield ""


def latex_lines(table: Table) -> Iterator[str]:
    """A table with its caption and note as comments."""
    yield f"% {tsv_line([table.caption])}"
    yield from latex_table([table.head, *table.rows])
    if table.note:
        yield f"% {tsv_line([table.note])}"


def _readable(details: Any) -> Any:
    """Numbers of four digits; lists of phrases with bars between them."""
    if isinstance(details, float):
        return float(f"{details:.4g}")
    if isinstance(details, list):
        return " | ".join(map(str, details))
    return {key: _readable(value) for key, value in details.items()} if details else details
