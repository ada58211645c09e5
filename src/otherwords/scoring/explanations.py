"""Why segments have their scores: explanations for readers, and error spans for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from otherwords.corpus.parallel import count_segments
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.base import Explanation, Metric, text_of
from otherwords.metrics.drawing import CSS, draw, text_lines
from otherwords.metrics.facts import Finding
from otherwords.metrics.registry import metric_classes
from otherwords.scoring.stream import SystemScores, explain_row
from otherwords.tables.formats import indented
from otherwords.tables.table import Cell, Column, Lines, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import Text

MOST_PARTS = 8  # numbers behind a score that readers see; JSON has all
LOSSES = ("contradicted", "missing", "added")

Kind = Literal["worst", "best"]


@dataclass(frozen=True)
class Explanations(Tabular):
    """Why one segment of each system has its score, by each metric."""

    explained: Sequence[tuple[str, Explanation]]

    def tables(self) -> Iterator[Lines]:
        for place, (system, explanation) in enumerate(self.explained):
            lines = list(explanation_lines(system, explanation))
            style = "" if place else f"<style>{CSS}</style>\n"
            yield Lines("explanation", lines, html=style + draw(explanation))

    def records(self) -> Iterable[Table]:
        records = self.to_dict()["explanations"]
        columns = [Column(name) for name in records[0]]
        return [Table("explanations", columns, [list(record.values()) for record in records])]

    def to_dict(self) -> dict[str, Any]:
        return {
            "explanations": [
                {"system": system, **_lists(asdict(explanation))}
                for system, explanation in self.explained
            ]
        }


def _lists(value: Any) -> Any:
    """Lists instead of tuples, for JSON."""
    if isinstance(value, dict):
        return {key: _lists(part) for key, part in value.items()}
    return [_lists(part) for part in value] if isinstance(value, (list, tuple)) else value


def explain_rows(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    segment: int | str,
    *,
    any_language: bool = False,
) -> Explanations:
    """Explain the scores of one segment of each system: that of a number within its system, from 1,
    or of an id (`item`).

    >>> from otherwords.metrics.bleu import Mup
    >>> explain_rows([Row("a cat", ("the cat",))], {"mup": Mup()}, 1).explained[0][1].score
    0.5
    """
    seen: dict[str, int] = {}
    explained = []
    for row in rows:
        seen[row.system] = seen.get(row.system, 0) + 1
        if segment == (row.item if isinstance(segment, str) else seen[row.system]):
            explained += [
                (row.system, explain_row(metric, row, any_language=any_language))
                for metric in metrics.values()
            ]
    if not explained:
        if isinstance(segment, str):
            raise UsageError(f"there is no segment with the id '{segment}'")
        most = max(seen.values(), default=0)
        raise UsageError(f"there is no segment {segment}; they run from 1 to {most}")
    return Explanations(explained)


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
        scores = ", ".join(f"{name} {value:.4f}" for name, value in self.scores.items())
        yield f"segment {self.item}: {scores}"
        if self.row.source is not None and self.row.references:
            yield f"  source      {text_of(self.row.source)}"
        yield from explanation_lines(self.system, self.explanation)

    def to_dict(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "item": self.item,
            **texts_of(self.row),
            "scores": dict(self.scores),
            "explanation": asdict(self.explanation),
        }


def find_extremes(
    metrics: Mapping[str, Metric],
    systems: Sequence[SystemScores],
    wanted: Mapping[Kind, int],
    label: str,
) -> list[Extreme]:
    """The worst segments of each system, the worst first, then the best, the best first, by the
    metric of a label; of equal scores the first segment counts more.
    """
    extremes = []
    for kind, number in wanted.items():
        rising = metrics[label].traits.higher_is_better == (kind == "worst")
        for system in systems if number else ():
            scores = {name: system.segment_scores(name, metric) for name, metric in metrics.items()}
            order = np.argsort(scores[label] if rising else -scores[label], kind="stable")
            extremes += [
                Extreme(
                    kind,
                    system.system,
                    system.items[place],
                    system.rows[place],
                    {name: float(values[place]) for name, values in scores.items()},
                    explain_row(metrics[label], system.rows[place], any_language=True),
                )
                for place in order[:number].tolist()
                if np.isfinite(scores[label][place])
            ]
    return extremes


def texts_of(row: Row) -> dict[str, Any]:
    """The texts of a row as strings.

    >>> texts_of(Row("a cat", ("the cat",)))
    {'hypothesis': 'a cat', 'references': ['the cat'], 'source': None}
    """
    return {
        "hypothesis": text_of(row.hypothesis),
        "references": [text_of(reference) for reference in row.references],
        "source": None if row.source is None else text_of(row.source),
    }


def explanation_lines(system: str, explanation: Explanation) -> Iterator[str]:
    """An explanation for readers."""
    yield f"{system}  {explanation.metric} {explanation.score:.4f}"
    components = [name for name in explanation.components if name != "segments"]
    if 1 < len(components) <= MOST_PARTS:
        yield "  " + ", ".join(f"{name} {explanation.components[name]:.4g}" for name in components)
    yield from (f"  {line}" for line in text_lines(explanation))
    details = {name: value for name, value in explanation.details.items() if name != "findings"}
    yield from indented(_readable(details))


def _readable(details: Any) -> Any:
    """Round numbers to four digits, and join lists of phrases with bars."""
    if isinstance(details, float):
        return float(f"{details:.4g}")
    if isinstance(details, dict):
        values = {key: _readable(value) for key, value in details.items()}
        return {key: _on_one_line(value) for key, value in values.items()}
    if not isinstance(details, list):
        return details
    if any(isinstance(value, dict) for value in details):
        return [_readable(value) for value in details]
    return " | ".join(map(str, details))


def _on_one_line(value: Any) -> Any:
    """A few numbers with their names as a string.

    >>> _on_one_line({"neutral": 0.25, "contradiction": 0.5})
    'neutral 0.25, contradiction 0.5'
    """
    if not isinstance(value, dict) or not 0 < len(value) <= MOST_PARTS:
        return value
    if not all(isinstance(number, (int, float)) for number in value.values()):
        return value
    return ", ".join(f"{name} {number:g}" for name, number in value.items())


def losses(pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[dict[str, float]]:
    """Of each pair (hypothesis, reference): the shares that are contradicted, missing and added.

    >>> [shares] = losses([("He paid 30 euros.", "He paid 20 euros.")])
    >>> shares["contradicted"] > 0 == shares["missing"] == shares["added"]
    True
    """
    from otherwords.metrics.facts import FEATURES, finding_features

    rows = finding_features(pairs, threads).tolist()
    places = [FEATURES.index(name) for name in LOSSES]
    return [{name: row[place] for name, place in zip(LOSSES, places, strict=True)} for row in rows]


# Error spans in the form of xCOMET and ESA: text, start, end, severity, confidence


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
