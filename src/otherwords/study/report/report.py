"""The report: which metric to trust, which system is better, and where to look."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.files import atomic_write, make_folder
from otherwords.metrics.base import Metric
from otherwords.metrics.drawing import plain_html
from otherwords.metrics.registry import metric
from otherwords.scoring.choice import default_metrics
from otherwords.scoring.outside_scores import add_outside_scores
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement.arrays import Scoring
from otherwords.study.report.correlation import pair_section, scatter_section
from otherwords.study.report.data import ReportData, gather
from otherwords.study.report.evidence import (
    agreement_section,
    disagreement_section,
    score_section,
    significance_section,
)
from otherwords.study.report.page import Section, document, list_html
from otherwords.study.report.plot import Plot, standalone
from otherwords.study.report.rows import EXPLAINED, SHOWN, Measure, RowData, row_data, spans_html
from otherwords.study.report.verdict import headline, verdict_html
from otherwords.tables.formats import latex
from otherwords.tables.table import Table


@dataclass(frozen=True)
class Layout:
    """The title of a page, and how many examples it has.

    `examples` is the number of disagreements of each metric with the human score, each way.
    `explained` is the number of rows whose matched spans are shown.
    """

    title: str = "Metrics and systems"
    examples: int = 3
    explained: int = EXPLAINED


@dataclass(frozen=True)
class ReportPage:
    """A page in its parts."""

    title: str
    lead: str
    sections: Sequence[Section]
    top: str = ""
    verdict: str = ""

    @property
    def html(self) -> str:
        return document(self.title, self.lead, self.sections, self.top)

    @property
    def plots(self) -> list[Plot]:
        return [plot for section in self.sections for plot in section.plots]

    @property
    def tables(self) -> list[Table]:
        return [table for section in self.sections for table in section.tables]

    def write(
        self,
        path: str | Path | None = None,
        *,
        plots: str | None = None,
        tables: str | None = None,
    ) -> None:
        """Write the page, the plots, and the tables as LaTeX, each if its path is given."""
        check_folders(plots, tables)
        if plots is not None:
            write_plots(self.plots, plots)
        if tables is not None:
            self._write_tables(Path(tables))
        if path is not None:
            _write(Path(path), self.html + "\n")

    def _write_tables(self, folder: Path) -> None:
        make_folder(folder)
        taken: set[str] = set()
        for table in self.tables:
            lines = "".join(f"{line}\n" for line in latex([table], ()))
            _write(folder / f"{_file_name(table.name, taken)}.tex", lines)


def build(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] | None = None,
    human: str | None = None,
    *,
    system_human: Mapping[str, float] | str | None = None,
    scores: Sequence[str] = (),
    lower_is_better: Collection[str] = (),
    layout: Layout = Layout(),
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    controls: bool = False,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> ReportPage:
    """Make the report on rows of one or more systems.

    Parameters
    ----------
    rows, metrics
        What is scored, and by which metrics: names, metrics by labels, or the default ones.
    human, system_human
        The human score that metrics are compared with; or scores of systems, or their JSON file.
    scores, lower_is_better
        Files of scores that other programs computed, and those whose lower scores are better.
    layout, resampling, scoring
        Title and examples; how intervals are computed; threads, languages, progress.
    controls
        Keep the rows of controls.

    >>> rows = [Row("a cat", ("the cat",), system=name) for name in ("one", "two")]
    >>> page = build(rows, ["chrf"], scoring=Scoring(any_language=True))
    >>> [table.name for table in page.tables]
    ['scores']
    """
    if metrics is None:
        metrics = default_metrics(rows[0])
    by_label = metrics if isinstance(metrics, Mapping) else {name: metric(name) for name in metrics}
    data = gather(
        rows,
        add_outside_scores(rows, by_label, scores, lower_is_better),
        human,
        system_human=system_human,
        resampling=resampling,
        controls=controls,
        scoring=scoring,
    )
    return assemble(data, layout)


def assemble(data: ReportData, layout: Layout = Layout()) -> ReportPage:
    """Assemble the report from its data."""
    rows = _rows(data)
    explained = rows.html(spans_html(rows, data.metrics, layout.explained))
    sections = [
        Section("rows", "Segments", html=explained),
        pair_section(data, rows.faults()),
        significance_section(data),
        agreement_section(data),
        scatter_section(data),
        disagreement_section(data, shown=layout.examples),
        score_section(data),
        _signatures(data),
    ]
    counts = {"segment": data.segments, "system": len(data.names), "metric": len(data.metrics)}
    lead = ", ".join(f"{size:,} {what}{'s' * (size != 1)}" for what, size in counts.items())
    lead += f", human score {data.human}" if data.human else ", no human scores"
    known = [section for section in sections if section is not None]
    return ReportPage(layout.title, lead, known, verdict_html(data), headline(data))


def _rows(data: ReportData) -> RowData:
    """All rows to search, filter, open and export."""
    measures = [
        Measure(label, data.scores(label), metric.against, metric.traits.higher_is_better)
        for label, metric in data.metrics.items()
    ]
    measures += [Measure(f"human: {name}", scores) for name, scores in data.judged.human.items()]
    facts, threads = not data.scoring.any_language, data.scoring.threads
    return row_data(data.rows, measures, facts=facts, threads=threads, most=SHOWN)


def write_plots(plots: Sequence[Plot], folder: str) -> None:
    """Write every plot into a folder as SVG, under its name."""
    make_folder(folder)
    taken: set[str] = set()
    for plot in plots:
        name = _file_name(plot.name, taken)
        _write(Path(folder) / f"{name}.svg", standalone(plot).rstrip("\n") + "\n")


def check_folders(*folders: str | None) -> None:
    """Refuse folders that cannot be made, before any work."""
    for folder in folders:
        if folder is None:
            continue
        path = Path(folder)
        if path.exists() and not path.is_dir():
            raise UsageError(f"{folder}: this is a file; plots and tables go into a folder")
        if not path.parent.is_dir():
            raise UsageError(f"{folder}: there is no directory {path.parent}; make it first")


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        # The name of a system need not be valid Unicode.
        file.write(text.encode("utf-8", "backslashreplace"))


def _file_name(name: str, taken: set[str]) -> str:
    """A unique file name for a plot or table.

    >>> _file_name("length-maxsim alpha=0.5", set())
    'length-maxsim-alpha-0.5'
    """
    base = re.sub(r"[^\w.+-]+", "-", name).strip("-.") or "part"
    number = 2
    unique = base
    while unique.casefold() in taken:
        unique = f"{base}-{number}"
        number += 1
    taken.add(unique.casefold())
    return unique


def _signatures(data: ReportData) -> Section:
    resampled = data.resampling.signature(data.judged.unit)
    lines = dict.fromkeys(f"{metric.signature}|{resampled}" for metric in data.metrics.values())
    notes = "".join(f"<p>{plain_html(note)}</p>" for note in data.notes)
    return Section("signatures", "Notes", html=notes + list_html(lines))
