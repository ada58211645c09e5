"""Metrics and their options as the command line names them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherwords.arguments import check_number
from otherwords.cli.progress import counting
from otherwords.corpus.files import STDIN
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric
from otherwords.metrics.registry import create, find, option_names

__all__ = [
    "AnyLanguage",
    "Case",
    "Confidence",
    "Documents",
    "MetricNames",
    "Output",
    "ReferenceFiles",
    "Resamples",
    "Seed",
    "Settings",
    "SourceFile",
    "Threads",
    "Tokenizer",
    "build_metrics",
    "common_options",
    "files_of",
    "named_files",
    "parse_settings",
    "parse_sweep",
    "shown_value",
]

BASELINES = ("bleu", "chrf", "chrf++")

# Options that commands share.
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="[metric.]option=value; may be repeated.")
]
Output = Annotated[
    str | None, typer.Option("-o", "--output", help="Write here instead of printing.")
]
Documents = Annotated[
    str | None, typer.Option("--docs", help="Document ids, one a segment: resampled together.")
]
MetricNames = Annotated[
    str, typer.Option("-m", "--metrics", help="Metrics, with commas between them.")
]
ReferenceFiles = Annotated[
    list[str] | None, typer.Option("-r", "--reference", help="References; may be repeated.")
]
SourceFile = Annotated[str | None, typer.Option("-s", "--source", help="Source segments.")]
Resamples = Annotated[int, typer.Option(help="Bootstrap resamples, or trials.")]
Confidence = Annotated[float, typer.Option(help="Confidence of the intervals.")]
Seed = Annotated[int, typer.Option(help="Seed of the resampling.")]
Case = Annotated[
    bool | None,
    typer.Option("--case/--no-case", help="Keep or fold case (each metric has its default)."),
]
Tokenizer = Annotated[str | None, typer.Option(help="penn, or none if the text is tokenized.")]
Threads = Annotated[int, typer.Option(help="Threads of our kernels.", min=1, max=1024)]
AnyLanguage = Annotated[
    bool, typer.Option("--any-language", help="Do not check that the text is English.")
]


def common_options(**options: Any) -> dict[str, Any]:
    """The options that were given, for every metric that has them.

    >>> common_options(case=True, tokenizer=None)
    {'case': True}
    """
    return {name: value for name, value in options.items() if value is not None}


def build_metrics(
    names: str, common: Mapping[str, Any], settings: Sequence[str], sweep: str | None
) -> dict[str, Metric]:
    """Metrics by label, for names with commas between them.

    `common` goes to every metric that has such an option; a setting `metric.option=value`
    to that metric, `option=value` to all that have it. A sweep makes a metric of each value.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
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
