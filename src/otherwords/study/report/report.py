"""The report: which metric to trust, which system is better, and where to look."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.files import atomic_write, make_folder
from otherwords.metrics.base import Metric
from otherwords.metrics.registry import metric
from otherwords.scoring.outside_scores import add_outside_scores
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement.arrays import Scoring
from otherwords.study.report.correlation import criterion_section, length_section, scatter_section
from otherwords.study.report.data import ReportData, gather
from otherwords.study.report.evidence import (
    agreement_section,
    disagreement_section,
    score_section,
    significance_section,
)
from otherwords.study.report.page import Section, document, list_html
from otherwords.study.report.plot import Plot, standalone
from otherwords.study.report.rows import EXPLAINED, SHOWN, Measure, row_data, spans_html
from otherwords.study.report.spans import plain_html
from otherwords.study.report.verdict import verdict_html
from otherwords.tables.formats import latex
from otherwords.tables.table import Table

DEFAULT = ("maxsim", "bleu", "chrf")
PlotFormat = Literal["svg", "png", "both"]
SCALE = 2.0  # PNG pixels per SVG unit


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

    @property
    def html(self) -> str:
        return document(self.title, self.lead, self.sections, self.top)

    @property
    def plots(self) -> list[Plot]:
        """All plots of the page, and those that are only written to files."""
        return [plot for section in self.sections for plot in (*section.plots, *section.files)]

    @property
    def tables(self) -> list[Table]:
        return [table for section in self.sections for table in section.tables]

    def write(
        self,
        path: str | Path | None = None,
        *,
        plots: str | None = None,
        plot_format: PlotFormat = "svg",
        tables: str | None = None,
    ) -> None:
        """Write the page, the plots, and the tables as LaTeX, each if its path is given."""
        check_folders(plots, plot_format, tables)
        if plots is not None:
            write_plots(self.plots, plots, plot_format)
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
    metrics: Mapping[str, Metric] | Sequence[str] = DEFAULT,
    human: str | None = None,
    *,
    scores: Sequence[str] = (),
    lower_is_better: Collection[str] = (),
    layout: Layout = Layout(),
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    resamples_max: int = 100_000,
    controls: bool = False,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> ReportPage:
    """Make the report on rows of one or more systems.

    Parameters
    ----------
    rows, metrics
        What is scored, and by which metrics: names, or metrics by their labels.
    human : str, optional
        The human score that metrics are compared with.
    scores, lower_is_better
        Files of scores that other programs computed, and those whose lower scores are better.
    layout : Layout
        The title, and how many examples the page has.
    resampling, resamples_max, controls, scoring
        As for `gather`.

    >>> rows = [Row("a cat", ("the cat",), system=name) for name in ("one", "two")]
    >>> page = build(rows, ["chrf"], scoring=Scoring(any_language=True))
    >>> [table.name for table in page.tables]
    ['scores']
    """
    by_label = metrics if isinstance(metrics, Mapping) else {name: metric(name) for name in metrics}
    data = gather(
        rows,
        add_outside_scores(rows, by_label, scores, lower_is_better),
        human,
        resampling=resampling,
        resamples_max=resamples_max,
        controls=controls,
        scoring=scoring,
    )
    return assemble(data, layout)


def assemble(data: ReportData, layout: Layout = Layout()) -> ReportPage:
    """Assemble the report from its data."""
    sections = [
        _rows(data, layout.explained),
        significance_section(data),
        agreement_section(data),
        scatter_section(data),
        length_section(data),
        criterion_section(data),
        disagreement_section(data, shown=layout.examples),
        score_section(data),
        _signatures(data),
    ]
    systems = f"{len(data.names)} system{'' if len(data.names) == 1 else 's'}"
    people = f", human score {data.human}" if data.human else ", no human scores"
    many = f"{len(data.metrics)} metric{'' if len(data.metrics) == 1 else 's'}"
    lead = f"{len(data.rows):,} segments of {systems}, {many}{people}"
    known = [section for section in sections if section is not None]
    return ReportPage(layout.title, lead, known, verdict_html(data))


def _rows(data: ReportData, explained: int) -> Section:
    """All rows to search, filter, open and export."""
    measures = [
        Measure(label, data.scores(label), metric.against, metric.traits.higher_is_better)
        for label, metric in data.metrics.items()
    ]
    measures += [Measure(f"human: {name}", scores) for name, scores in data.judged.human.items()]
    facts, threads = not data.scoring.any_language, data.scoring.threads
    rows = row_data(data.rows, measures, facts=facts, threads=threads, most=SHOWN)
    return Section("rows", "Rows", html=rows.html(spans_html(rows, data.metrics, explained)))


def write_plots(plots: Sequence[Plot], folder: str, form: PlotFormat = "svg") -> None:
    """Write every plot into a folder, under its name."""
    make_folder(folder)
    taken: set[str] = set()
    for plot in plots:
        name, svg = _file_name(plot.name, taken), standalone(plot)
        if form != "png":
            _write(Path(folder) / f"{name}.svg", svg.rstrip("\n") + "\n")
        if form != "svg":
            import vl_convert

            _write(Path(folder) / f"{name}.png", bytes(vl_convert.svg_to_png(svg, scale=SCALE)))


def check_folders(plots: str | None, plot_format: PlotFormat, tables: str | None) -> None:
    """Refuse folders that cannot be made and plots that cannot be drawn, before any work."""
    for folder in (plots, tables):
        if folder is None:
            continue
        path = Path(folder)
        if path.exists() and not path.is_dir():
            raise UsageError(f"{folder}: this is a file; plots and tables go into a folder")
        if not path.parent.is_dir():
            raise UsageError(f"{folder}: there is no directory {path.parent}; make it first")
    if plots is not None and plot_format != "svg":
        try:
            import vl_convert  # noqa: F401
        except ImportError as error:
            message = "PNG needs the extra [report]: pip install 'otherwords[report]'; or ask for"
            raise UsageError(f"{message} SVG alone with --plot-format svg") from error


def _write(path: Path, content: str | bytes) -> None:
    with atomic_write(path) as file:
        if isinstance(content, str):  # the name of a system need not be valid Unicode
            content = content.encode("utf-8", "backslashreplace")
        file.write(content)


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
    return Section("signatures", "Signatures", html=notes + list_html(lines))
