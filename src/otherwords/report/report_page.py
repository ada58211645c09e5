"""A report put together: which metric to trust, which system is better, and where to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otherwords.report.agreement import agreement_section
from otherwords.report.data import ReportData
from otherwords.report.disagreements import disagreement_section
from otherwords.report.page import Section, document, list_html
from otherwords.report.people import criterion_section, length_section, scatter_section
from otherwords.report.plot import Plot
from otherwords.report.spans import plain_html
from otherwords.report.scores import score_section, significance_section
from otherwords.tables.plain import Table

__all__ = ["Report", "build"]


@dataclass(frozen=True)
class Report:
    """A page in its parts."""

    title: str
    lead: str
    sections: Sequence[Section]

    @property
    def html(self) -> str:
        """The whole page."""
        return document(self.title, self.lead, self.sections)

    @property
    def plots(self) -> list[Plot]:
        """All plots of the page."""
        return [plot for section in self.sections for plot in section.plots]

    @property
    def tables(self) -> list[Table]:
        """All tables of the page."""
        return [table for section in self.sections for table in section.tables]


def build(found: ReportData, *, title: str = "Metrics and systems", examples: int = 3) -> Report:
    """The report on what was found; `examples` says how many disagreements each way."""
    sections = [
        agreement_section(found),
        score_section(found),
        significance_section(found),
        scatter_section(found),
        length_section(found),
        criterion_section(found),
        disagreement_section(found, shown=examples),
        _signatures(found),
    ]
    systems = f"{len(found.names)} system{'' if len(found.names) == 1 else 's'}"
    people = f", human score {found.human}" if found.human else ", no human scores"
    lead = f"{len(found.rows):,} segments of {systems}, {len(found.metrics)} metrics{people}"
    return Report(title, lead, [section for section in sections if section is not None])


def _signatures(found: ReportData) -> Section:
    drawn = found.resampling.signature(found.judged.unit)
    lines = dict.fromkeys(f"{one.signature}|{drawn}" for one in found.metrics.values())
    notes = "".join(f"<p>{plain_html(note)}</p>" for note in found.notes)
    return Section("signatures", "Signatures", html=notes + list_html(lines))
