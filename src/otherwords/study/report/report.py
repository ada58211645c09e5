"""A report put together: which metric to trust, which system is better, and where to look."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.files import atomic_write, make_folder
from otherwords.metrics.base import Metric
from otherwords.metrics.registry import metric
from otherwords.scoring.score_files import with_given
from otherwords.stats.intervals import Resampling
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

__all__ = ["DEFAULT", "PlotFormat", "ReportPage", "assemble", "build", "check_folders"]

DEFAULT = ("maxsim", "bleu", "chrf")
PlotFormat = Literal["svg", "png", "both"]
SCALE = 2.0  # of a PNG


@dataclass(frozen=True)
class ReportPage:
    """A page in its parts."""

    title: str
    lead: str
    sections: Sequence[Section]
    top: str = ""

    @property
    def html(self) -> str:
        """The whole page."""
        return document(self.title, self.lead, self.sections, self.top)

    @property
    def plots(self) -> list[Plot]:
        """All plots of the page, and those that are written to files alone."""
        return [plot for one in self.sections for plot in (*one.plots, *one.files)]

    @property
    def tables(self) -> list[Table]:
        """All tables of the page."""
        return [table for section in self.sections for table in section.tables]

    def write(
        self,
        path: str | Path | None = None,
        *,
        plots: str | None = None,
        plot_format: PlotFormat = "svg",
        tables: str | None = None,
    ) -> None:
        """Write the page, every plot into a folder, every table as LaTeX into a folder.

        Each of them only if it is named.
        """
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
    title: str = "Metrics and systems",
    examples: int = 3,
    explained: int = EXPLAINED,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    resamples_max: int = 100_000,
    controls: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> ReportPage:
    """The report on rows: systems by metrics (names, or by label), and with the human score.

    `scores` are files of scores that other programs computed, as for `meta.agreement`.
    `examples` is the number of disagreements of each metric, each way, `explained` that of rows
    whose matched spans the page has. `resamples_max` are the most
    trials of a test, where many tests need more than the resamples. Rows of controls are left
    out unless `controls`.

    >>> rows = [Row("a cat", ("the cat",), system=name) for name in ("one", "two")]
    >>> [table.name for table in build(rows, ["chrf"], any_language=True).tables]
    ['scores']
    """
    made = metrics if isinstance(metrics, Mapping) else {name: metric(name) for name in metrics}
    found = gather(
        rows,
        with_given(rows, made, scores, lower_is_better),
        human,
        resampling=resampling,
        resamples_max=resamples_max,
        controls=controls,
        threads=threads,
        any_language=any_language,
        progress=progress,
    )
    return assemble(found, title=title, examples=examples, explained=explained)


def assemble(
    found: ReportData,
    *,
    title: str = "Metrics and systems",
    examples: int = 3,
    explained: int = EXPLAINED,
    progress: Callable[[int], None] = lambda done: None,
) -> ReportPage:
    """The report on what was found; `examples` says how many disagreements each way, `explained`
    how many rows have the spans that metrics matched.
    """
    sections = [
        _rows(found, explained, progress),
        significance_section(found),
        agreement_section(found),
        scatter_section(found),
        length_section(found),
        criterion_section(found),
        disagreement_section(found, shown=examples),
        score_section(found),
        _signatures(found),
    ]
    systems = f"{len(found.names)} system{'' if len(found.names) == 1 else 's'}"
    people = f", human score {found.human}" if found.human else ", no human scores"
    many = f"{len(found.metrics)} metric{'' if len(found.metrics) == 1 else 's'}"
    lead = f"{len(found.rows):,} segments of {systems}, {many}{people}"
    known = [section for section in sections if section is not None]
    return ReportPage(title, lead, known, verdict_html(found))


def _rows(found: ReportData, explained: int, progress: Callable[[int], None]) -> Section:
    """All rows to search, filter, open and export."""
    measures = [
        Measure(label, found.scores(label), one.against, one.traits.higher_is_better)
        for label, one in found.metrics.items()
    ]
    measures += [Measure(f"human: {name}", said) for name, said in found.judged.human.items()]
    how = {"threads": found.threads, "most": SHOWN}
    data = row_data(found.rows, measures, facts=not found.any_language, **how)
    return Section("rows", "Rows", html=data.html(spans_html(data, found.metrics, explained)))


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
    """Refuse, before any work, folders that cannot be made and plots that cannot be drawn."""
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
    """The name of a plot or table as that of a file; no two of them are the same.

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


def _signatures(found: ReportData) -> Section:
    resampled = found.resampling.signature(found.judged.unit)
    lines = dict.fromkeys(f"{one.signature}|{resampled}" for one in found.metrics.values())
    notes = "".join(f"<p>{plain_html(note)}</p>" for note in found.notes)
    return Section("signatures", "Signatures", html=notes + list_html(lines))
