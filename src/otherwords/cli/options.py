"""Metrics and their options as the command line names them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from otherwords.cli.progress import counting
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_number
from otherwords.io.files import STDIN
from otherwords.metrics.base import Metric
from otherwords.metrics.registry import create, find, option_names
from otherwords.tables import Format

__all__ = [
    "Against",
    "AgainstOption",
    "AnyLanguage",
    "Baseline",
    "Case",
    "Confidence",
    "Documents",
    "Form",
    "Intervals",
    "MetricNames",
    "Output",
    "Paired",
    "PairedTest",
    "ReferenceFiles",
    "Resamples",
    "Rows",
    "Seed",
    "Settings",
    "SourceFile",
    "Threads",
    "Tokenizer",
    "build_metrics",
    "common_options",
    "files_of",
    "given",
    "named_files",
    "parse_settings",
    "parse_sweep",
    "shown_value",
]

BASELINES = ("bleu", "chrf", "chrf++")

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
        "--jsonl",
        help="Rows with hypothesis, references, source, system, human; repeatable.",
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
MetricNames = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--metrics",
        help="Metrics, separated by commas; repeatable (default: by what there is to compare).",
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
Threads = Annotated[int, typer.Option(help="Threads (default: 1).", min=1, max=1024)]


def given(value: _T | None, default: _T) -> _T:
    """The value of an option, or its default; `None` says that it was not given."""
    return default if value is None else value


def common_options(**options: Any) -> dict[str, Any]:
    """The options that were given, for every metric that has them.

    >>> common_options(case=True, tokenizer=None)
    {'case': True}
    """
    return {name: value for name, value in options.items() if value is not None}


def build_metrics(
    names: str | Sequence[str],
    common: Mapping[str, Any],
    settings: Sequence[str],
    sweep: str | None,
) -> dict[str, Metric]:
    """Metrics by label, for names with commas between them or several such lists.

    `common` goes to every metric that has such an option; a setting `metric.option=value`
    to that metric, `option=value` to all that have it. A sweep makes a metric of each value.
    """
    listed = [names] if isinstance(names, str) else names
    wanted = [name.strip().lower() for one in listed for name in one.split(",") if name.strip()]
    if not wanted:
        raise UsageError("no metric is named; for example -m maxsim,bleu")
    chosen = _settings(settings, wanted)
    metrics: dict[str, Metric] = {}
    # The first use of a large table packs it.
    with counting("metrics ready") as progress:
        for name in dict.fromkeys(wanted):
            for label, options in _variants(name, {**common}, chosen[name], sweep):
                metrics[label] = create(name, **options)
                progress(1)
    return metrics


def _variants(
    name: str, common: dict[str, Any], chosen: Mapping[str, Any], sweep: str | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The options of a metric, or of each value of a sweep, with a label."""
    known = option_names(find(name))
    options = {key: value for key, value in common.items() if key in known}
    if name in ("bleu", "ibleu", "precis") and options.get("tokenizer") == "penn":
        del options["tokenizer"]  # they have sacreBLEU's own
    options |= chosen
    if sweep is None:
        yield name, options
        return
    option, values = parse_sweep(sweep)
    for value in values:
        yield f"{name} {option}={shown_value(value)}", {**options, option: value}


def parse_sweep(sweep: str) -> tuple[str, list[Any]]:
    """The option and the values of `option=value,value,...`, or of `option=first:last:step`.

    >>> parse_sweep("min_length=1,2"), parse_sweep("alpha=0:1:0.5")
    (('min_length', [1, 2]), ('alpha', [0.0, 0.5, 1.0]))
    """
    option, equals, values = sweep.partition("=")
    listed = [value.strip() for value in values.split(",")]
    if not (option.strip() and equals and all(listed)):
        forms = "option=first:last:step or option=value,value,..."
        raise UsageError(f"a sweep is {forms}, not '{sweep}'")
    if len(listed) == 1 and ":" in listed[0]:
        return option.strip(), _steps(sweep, listed[0])
    return option.strip(), [parse_value(value) for value in dict.fromkeys(listed)]


def _steps(sweep: str, span: str) -> list[float]:
    try:
        first, last, step = (float(part) for part in span.split(":"))
    except ValueError as error:
        raise UsageError(f"a sweep is option=first:last:step, not '{sweep}'") from error
    check_number("the sweep's step", step, 1e-9, 1e9)
    steps = math.floor((check_number("the sweep's end", last, first, 1e9) - first) / step + 1e-9)
    if steps > 1000:
        raise UsageError(f"a sweep of {steps + 1} values; at most 1001 are taken")
    return [round(first + i * step, 12) for i in range(steps + 1)]


def shown_value(value: Any) -> str:
    """A value of an option as labels have it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _settings(settings: Sequence[str], wanted: Sequence[str]) -> dict[str, dict[str, Any]]:
    chosen: dict[str, dict[str, Any]] = {name: {} for name in wanted}
    for setting in settings:
        key, equals, value = setting.partition("=")
        metric, dot, option = key.rpartition(".")
        if not equals or (dot and metric not in chosen):
            raise UsageError(f"a setting is [metric.]option=value with a metric of -m: '{setting}'")
        owners = [metric] if dot else [n for n in wanted if option in option_names(find(n))]
        if not owners:
            raise UsageError(f"none of the metrics has an option '{option}'")
        for name in owners:
            chosen[name][option] = parse_value(value)
    return chosen


def files_of(settings: Sequence[str]) -> list[str]:
    """The values of settings, any of which may be a model file that is read.

    >>> files_of(["pem.regression=my.pem", "orders=4"])
    ['my.pem', '4']
    """
    return [setting.partition("=")[2] for setting in settings]


def parse_settings(settings: Sequence[str], known: Sequence[str]) -> dict[str, Any]:
    """Options of one thing, each given as `option=value`.

    >>> parse_settings(["orders=4", "stem=false"], ["orders", "stem"])
    {'orders': 4, 'stem': False}
    """
    chosen = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"a setting is option=value, not '{setting}'")
        if option not in known:
            raise UsageError(f"there is no option '{option}'; {near(option, known)}")
        chosen[option] = parse_value(value)
    return chosen


def parse_value(text: str) -> Any:
    """A number, true or false, or the text itself.

    >>> parse_value("3"), parse_value("0.5"), parse_value("True"), parse_value("penn")
    (3, 0.5, True, 'penn')
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def named_files(files: Sequence[str]) -> dict[str, str]:
    """Files by system, which is named before the file, or else by it.

    >>> named_files(["out/a.tsv.gz", "mine=b.tsv"])
    {'a': 'out/a.tsv.gz', 'mine': 'b.tsv'}
    """
    found: dict[str, str] = {}
    for text in files:
        name, equals, file = text.partition("=")
        if not equals or "/" in name:
            file = text
            name = Path(text.removesuffix(".gz")).stem if text != STDIN else "standard input"
        if not name or not file:
            raise UsageError(f"a system is FILE or NAME=FILE, not '{text}'")
        if name in found:
            raise UsageError(
                f"two files are given for the system '{name}'; name them NAME=FILE: "
                f"{found[name]} and {file}"
            )
        found[name] = file
    return found
