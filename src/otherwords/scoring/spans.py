"""Error spans in the form of xCOMET and ESA: text, start, end, severity, confidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from otherwords.corpus.parallel import count_segments
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.base import Explanation, Metric
from otherwords.metrics.facts import Finding
from otherwords.metrics.registry import metric_classes
from otherwords.scoring.stream import explain_row
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular


@dataclass(frozen=True)
class ErrorSpan:
    """An error in a hypothesis: its characters from `start` to before `end`.

    `severity` is major for what changes the meaning, else minor. Something that is left out has no
    characters; `start` is then its place.
    """

    text: str
    start: int
    end: int
    severity: str
    confidence: float


def error_spans(explanation: Explanation) -> tuple[ErrorSpan, ...]:
    """The findings of a metric as error spans, by the reference that finds fewest.

    >>> from otherwords.metrics.facts import Facts
    >>> [span] = error_spans(Facts().explain("He paid 30 euros.", ["He paid 20 euros."]))
    >>> span.text, span.start, span.end, span.severity
    ('30', 8, 10, 'major')
    """
    by_reference = [
        [span for span in spans if isinstance(span, Finding)] for spans in explanation.matches
    ]
    best = min(by_reference, key=lambda found: sum(f.weight for f in found), default=[])
    return tuple(
        ErrorSpan(
            finding.hypothesis_text,
            *finding.hypothesis,
            "major" if finding.decisive else "minor",
            round(finding.weight, 4),
        )
        for finding in sorted(best, key=lambda finding: finding.hypothesis)
    )


@dataclass(frozen=True)
class SegmentSpans:
    """The error spans that a metric finds in a segment of a system."""

    system: str
    item: str
    metric: str
    score: float
    hypothesis: str
    error_spans: tuple[ErrorSpan, ...]


@dataclass(frozen=True)
class SpanTables(Tabular):
    """The error spans of all segments: one line per span; as JSON, one object per segment."""

    segments: Sequence[SegmentSpans]

    def tables(self) -> Iterator[Table]:
        names = "system item metric severity confidence start end text".split()
        rows: list[list[Cell]] = [
            [
                *(of.system, of.item, of.metric, span.severity, span.confidence),
                *(span.start, span.end, span.text),
            ]
            for of in self.segments
            for span in of.error_spans
        ]
        columns = [Column(n, left=n not in ("confidence", "start", "end")) for n in names]
        caption = f"Error spans: {len(rows):,} in {count_segments(len(self.segments))}"
        yield Table("spans", columns, rows, caption)

    def records(self) -> Iterator[Table]:
        records = [asdict(segment) for segment in self.segments]
        rows = [[*list(r.values())[:-1], list(r["error_spans"])] for r in records]
        yield Table("spans", [Column(name) for name in SegmentSpans.__dataclass_fields__], rows)

    def to_dict(self) -> dict[str, Any]:
        return {"segments": [asdict(segment) for segment in self.segments]}


def find_spans(rows: Iterable[Row], metrics: Mapping[str, Metric]) -> SpanTables:
    """Find the error spans of rows by each metric; a metric without findings is refused.

    >>> from otherwords.metrics.facts import Facts
    >>> row = Row("He paid 30 euros.", ("He paid 20 euros.",))
    >>> find_spans([row], {"facts": Facts()}).segments[0].error_spans[0].text
    '30'
    """
    for label, metric in metrics.items():
        if not metric.has_findings:
            known = [name for name, each in metric_classes().items() if each.has_findings]
            raise UsageError(f"{label} has no findings to show as spans; use {', '.join(known)}")
    seen: dict[str, int] = {}
    segments = []
    for row in rows:
        seen[row.system] = seen.get(row.system, 0) + 1
        item = row.item or str(seen[row.system])
        for label, metric in metrics.items():
            found = explain_row(metric, row, any_language=True)
            spans = error_spans(found)
            segments.append(
                SegmentSpans(row.system, item, label, found.score, found.hypothesis, spans)
            )
    return SpanTables(segments)
