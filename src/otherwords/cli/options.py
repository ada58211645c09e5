"""Metrics and their options as the command line names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from otherwords.cli.progress import counting
from otherwords.corpus.columns import parse_columns
from otherwords.corpus.parallel import named_files
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.base import Metric
from otherwords.scoring.choice import (
    choose_metrics,
    files_of,
    parse_settings,
    parse_sweep,
    shown_value,
)
from otherwords.tables import Format

__all__ = [
    "Against",
    "AgainstOption",
    "AnyLanguage",
    "Baseline",
    "Case",
    "ColumnNames",
    "Confidence",
    "Documents",
    "Form",
    "Intervals",
    "MetricNames",
    "Output",
    "Paired",
    "PairedTest",
    "Preset",
    "ReferenceFiles",
    "Resamples",
    "ResamplesMax",
    "Rows",
    "Seed",
    "Settings",
    "SourceFile",
    "Threads",
    "Tokenizer",
    "build_metrics",
    "check_most",
    "common_options",
    "complete_metrics",
    "files_of",
    "given",
    "named_files",
    "parse_columns",
    "parse_settings",
    "parse_sweep",
    "refuse_idle",
    "renamed",
    "shown_value",
]

_T = TypeVar("_T")

# Options that mean the same thing in every command are declared here, once. The panels are those
# of `--help`.
INPUT, METRICS, STATISTICS, OUTPUT = "Input", "Metrics", "Statistics", "Output"


class Against(StrEnum):
    """What hypotheses are compared with."""

    references = "references"
    source = "source"


class Paired(StrEnum):
    """Paired significance tests."""

    bootstrap = "bootstrap"
    randomization = "randomization"


ReferenceFiles = Annotated[
    list[str] | None,
    typer.Option("-r", "--reference", help="Reference file; repeatable.", rich_help_panel=INPUT),
]
SourceFile = Annotated[
    str | None,
    typer.Option("-s", "--source", help="Source file, one per line.", rich_help_panel=INPUT),
]
Rows = Annotated[
    list[str] | None,
    typer.Option(
        "--rows",
        "--jsonl",
        help="Rows: JSONL, JSON, CSV, TSV, Parquet or WMT XML; repeatable.",
        rich_help_panel=INPUT,
    ),
]
ColumnNames = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        help="Columns of the rows: FIELD=COLUMN,... (default: by their names).",
        rich_help_panel=INPUT,
    ),
]
Documents = Annotated[
    str | None,
    typer.Option(
        "--docs", help="Document ids, one per segment: resampled together.", rich_help_panel=INPUT
    ),
]
AnyLanguage = Annotated[
    bool,
    typer.Option(
        "--any-language", help="Do not check that the text is English.", rich_help_panel=INPUT
    ),
]


def complete_metrics(incomplete: str) -> list[str]:
    """What the last of several names of metrics may be, for the completion of the shell.

    >>> complete_metrics("bleu,max")
    ['bleu,maxsim']
    """
    from otherwords.metrics.registry import metric_names

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in metric_names() if name.startswith(last.lower())]


MetricNames = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--metrics",
        help="Metrics, separated by commas; repeatable (default: by what there is to compare).",
        autocompletion=complete_metrics,
        rich_help_panel=METRICS,
    ),
]
AgainstOption = Annotated[
    Against | None,
    typer.Option(
        "--against", help="Compare with these (default: by metric).", rich_help_panel=METRICS
    ),
]
Case = Annotated[
    bool | None,
    typer.Option(
        "--case/--no-case", help="Keep or fold case (default: by metric).", rich_help_panel=METRICS
    ),
]
Tokenizer = Annotated[
    str | None,
    typer.Option(help="penn, or none if the text is tokenized.", rich_help_panel=METRICS),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Set [METRIC.]OPTION=VALUE; repeatable.", rich_help_panel=METRICS),
]
Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help="Use the metrics as their papers describe them: paper (MAXSIM also: paper-table2).",
        rich_help_panel=METRICS,
    ),
]
Intervals = Annotated[
    bool, typer.Option("--ci", help="Print bootstrap intervals.", rich_help_panel=STATISTICS)
]
Confidence = Annotated[
    float | None,
    typer.Option(help="Confidence of the intervals (default: 0.95).", rich_help_panel=STATISTICS),
]
Resamples = Annotated[
    int | None,
    typer.Option(help="Resamples or trials (default: 1000).", rich_help_panel=STATISTICS),
]
ResamplesMax = Annotated[
    int | None,
    typer.Option(
        help="Most trials of a test, where many tests need more (default: 100000).",
        rich_help_panel=STATISTICS,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(help="Seed of the resampling (default: 0).", rich_help_panel=STATISTICS),
]
PairedTest = Annotated[
    Paired | None,
    typer.Option(
        "--paired", help="Test each system against the baseline.", rich_help_panel=STATISTICS
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline", help="Baseline of the tests (default: the first).", rich_help_panel=STATISTICS
    ),
]
Form = Annotated[
    Format | None,
    typer.Option(
        "--format",
        "-f",
        help="Output format (default: by the name of -o, else text).",
        rich_help_panel=OUTPUT,
    ),
]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", help="Write to this file.", rich_help_panel=OUTPUT),
]
Threads = Annotated[int, typer.Option(help="Threads.", min=1, max=1024)]


def given(value: _T | None, default: _T) -> _T:
    """The value of an option, or its default; `None` says that it was not given."""
    return default if value is None else value


def common_options(**options: Any) -> dict[str, Any]:
    """The options that were given, for every metric that has them.

    >>> common_options(case=True, tokenizer=None)
    {'case': True}
    """
    return {
        name: value.value if isinstance(value, StrEnum) else value
        for name, value in options.items()
        if value is not None
    }


def build_metrics(
    names: str | Sequence[str],
    common: Mapping[str, Any],
    settings: Sequence[str] | None,
    sweep: str | None = None,
    *,
    row: Row | None = None,
) -> dict[str, Metric]:
    """The metrics that options ask for, by label."""
    with counting("metrics ready") as progress:
        return choose_metrics(names, common, settings or [], sweep, row=row, progress=progress)


def refuse_idle(useful: bool, wanted: str, **options: Any) -> None:
    """Refuse options that do nothing because another one (`wanted`) is missing.

    >>> refuse_idle(False, "--ci", confidence=0.9)
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: --confidence does nothing without --ci
    """
    for name, value in options.items():
        if value is not None and value is not False and not useful:
            raise UsageError(f"--{name.replace('_', '-')} does nothing without {wanted}")


def check_most(resamples: int | None, resamples_max: int | None) -> None:
    """Refuse a largest number of trials that is below the number asked for."""
    if resamples_max is not None and resamples_max < given(resamples, 1000):
        raise UsageError(
            f"--resamples-max is {resamples_max}, below --resamples ({given(resamples, 1000)})"
        )


def renamed(option: str, now: str) -> Any:
    """A hidden option that went away; its use fails with the new form."""

    def refuse(value: Any) -> Any:
        if value:
            raise UsageError(f"{option} is now {now}")
        return value

    return typer.Option(option, hidden=True, callback=refuse)
