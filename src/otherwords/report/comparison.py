"""Two systems side by side, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherwords.metrics.base import text_of
from otherwords.report import spans
from otherwords.report.page import (
    Section,
    document,
    example_html,
    list_html,
)
from otherwords.report.plot import Plot, curves
from otherwords.report.spans import plain_html
from otherwords.scoring.comparison import ComparisonResult, Example
from otherwords.tables import Table

__all__ = ["page", "plots"]

_HEADINGS = {
    "corpus": "Scores",
    "length": "By length",
    "class": "By word class",
    "frequency": "By frequency",
    "words": "Words",
}


def page(found: ComparisonResult) -> str:
    """The whole page as HTML."""
    one, other = found.pair.names
    lead = f"{len(found.pair):,} segments, {len(found.metrics)} metrics; otherwords compare"
    return document(f"{one} and {other}", lead, list(_sections(found)))


def _sections(found: ComparisonResult) -> Iterator[Section]:
    by_heading: dict[str, list[Table]] = {}
    for table in found.contrasts():
        kind = _HEADINGS.get(table.name.split("-")[0], "N-grams")
        by_heading.setdefault(kind, []).append(table)
    for heading, several in by_heading.items():
        drawn = plots(found) if heading == "By length" else []
        yield Section(heading.lower().replace(" ", "-"), heading, drawn, several)
    yield Section("examples", "Examples", html="\n".join(_examples(found)))
    notes = "".join(f"<p>{plain_html(note)}</p>" for note in found.remarks)
    yield Section("signatures", "Signatures", html=notes + list_html(found.signatures))


def plots(found: ComparisonResult) -> list[Plot]:
    """The systems' scores by length, one plot per metric."""
    drawn = []
    for label, contrasts in found.lengths.items():
        series = {
            system: [
                (one.scores[side], *(one.intervals[side] if one.intervals else (None, None)))
                for one in contrasts
            ]
            for side, system in enumerate(found.pair.names)
        }
        share = f"{100 * found.resampling.confidence:g} %"
        drawn.append(
            curves(
                f"length-{label}",
                f"{label} by length",
                f"Corpus score of the segments of each length, with {share} bootstrap intervals",
                [one.name for one in contrasts],
                series,
                ("length in tokens", label),
            )
        )
    return drawn


def _examples(found: ComparisonResult) -> Iterator[str]:
    for system, examples in zip(found.pair.names, found.examples, strict=True):
        if examples:
            words = f"{system} is better, by {found.example_metric}"
            yield f"<h3>{plain_html(words)}</h3>"
            yield from _shown(found.pair.names, examples)
    if not any(found.examples):
        yield "<p>There is no segment on which the systems differ.</p>"


def _shown(names: Sequence[str], examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        one, other = example.scores
        drawings = [
            f"<h4>{plain_html(system)}</h4>\n{spans.draw(explanation)}"
            for system, explanation in zip(names, example.explanations, strict=True)
        ]
        source = example.rows[0].source
        yield example_html(
            f"segment {example.item}: {one:.4f} against {other:.4f}",
            drawings,
            source=None if source is None else text_of(source),
        )
