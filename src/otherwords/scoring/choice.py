"""Metrics as users name them: in Python by name, list or mapping; on the command line by names with
commas, settings, and defaults by task.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_number
from otherwords.io.values import parse_float
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.inputs import check_needs
from otherwords.metrics.registry import metric as make_metric
from otherwords.metrics.registry import metric_class, option_names
from otherwords.text.outputs import is_other_language

TRANSLATION = ("otherwords-mt", "maxsim", "chrf")
OTHER_LANGUAGE = ("otherwords-mt", "chrf++")  # translations into other languages than English
PARAPHRASE = ("otherwords-rewrite",)
PENN = "penn"
OWN_TOKENIZER = {"bleu", "ibleu", "precis"}  # sacreBLEU's, where others have Penn's

Metrics = (
    str
    | Metric
    | list[str]
    | list[Metric]
    | list[str | Metric]
    | tuple[str | Metric, ...]
    | Mapping[str, Any]
)


def make_metrics(metrics: Metrics, options: Mapping[str, Any] | None = None) -> dict[str, Metric]:
    """The metrics by name or by the labels of a mapping; options go to those that have them.

    >>> list(make_metrics(["BLEU", "maxsim"], {"alpha": 0.9}))
    ['bleu', 'maxsim']
    """
    options = options or {}
    if isinstance(metrics, str):
        metric = make_metric(metrics, **options)
        return {metric.name: metric}
    if not isinstance(metrics, (Metric, list, tuple, Mapping)):
        raise UsageError(f"name a metric or a list of metrics, not {metrics!r:.60}")
    if not isinstance(metrics, Mapping):
        listed = [metrics] if isinstance(metrics, Metric) else metrics
        labelled: list[tuple[str | None, Any]] = [(None, metric) for metric in listed]
    else:
        labelled = list(metrics.items())
    if not labelled:
        raise UsageError("name at least one metric")
    names = {
        metric: metric_class(metric).name
        for _, metric in labelled
        if not isinstance(metric, Metric)
    }
    if options and not names:
        raise UsageError(
            f"pass options together with the metric's name: {labelled[0][1].name!r} and "
            f"{', '.join(options)}, not an object that has its options already"
        )
    own = _share_options(list(dict.fromkeys(names.values())), options) if options else {}
    by_label: dict[str, Metric] = {}
    for label, metric_or_name in labelled:
        metric = (
            metric_or_name
            if isinstance(metric_or_name, Metric)
            else make_metric(metric_or_name, **own.get(names[metric_or_name], {}))
        )
        label = metric.name if label is None else label
        if label in by_label:
            raise UsageError(
                f"'{label}' is named twice; give a mapping of labels to metrics instead"
            )
        by_label[label] = metric
    return by_label


def _share_options(names: Sequence[str], options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of each of several metrics: each goes to the metrics that have it.

    >>> _share_options(["maxsim", "bleu"], {"alpha": 0.9, "case": True})
    {'maxsim': {'alpha': 0.9, 'case': True}, 'bleu': {'case': True}}
    """
    known = {name: option_names(metric_class(name)) for name in names}
    for option in options:
        if not any(option in of_metric for of_metric in known.values()):
            union = {name for of_metric in known.values() for name in of_metric}
            hint = near(option, union)
            raise UsageError(f"none of {', '.join(names)} has an option '{option}'; {hint}")
    return {
        name: {option: value for option, value in options.items() if option in known[name]}
        for name in names
    }


def default_metrics(row: Row, against: str | None = None) -> tuple[str, ...]:
    """The default metrics of a task, which depends on the texts to compare with.

    >>> default_metrics(Row("a cat", references=("the cat",)))
    ('otherwords-mt', 'maxsim', 'chrf')
    >>> default_metrics(Row("a cat", source="the cat"))
    ('otherwords-rewrite',)
    >>> default_metrics(Row("eine Katze", references=("Die Katze schläft nicht auf dem Sofa.",)))
    ('otherwords-mt', 'chrf++')
    """
    if row.references and against != "source":
        return OTHER_LANGUAGE if is_other_language(text_of(row.references[0])) else TRANSLATION
    if row.source is not None and against != "references":
        return PARAPHRASE
    missing = "there is nothing to compare with; give `references` or a `source`"
    raise InputError(missing, path=row.path, line=row.line)


def split_names(names: str | Sequence[str]) -> list[str]:
    """Names with commas or spaces between them, each once.

    >>> split_names(["BLEU,maxsim", "bleu"])
    ['bleu', 'maxsim']
    """
    listed = [names] if isinstance(names, str) else names
    every = (name.lower() for group in listed for name in group.replace(",", " ").split())
    return list(dict.fromkeys(every))


def parse_metrics(
    names: str | Sequence[str],
    common: Mapping[str, Any] | None = None,
    settings: Sequence[str] = (),
    *,
    row: Row | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Metric]:
    """Metrics by label, for names with commas or spaces between them or several such lists.

    `common` goes to every metric that has such an option; a setting `metric.option=value` to that
    metric, `option=value` to all that have it. `row` is the first row to be scored: missing
    references or sources are refused before any metric is made.

    >>> metrics = parse_metrics("BLEU,maxsim", settings=["maxsim.alpha=0.9"])
    >>> list(metrics), metrics["maxsim"].options["alpha"]
    (['bleu', 'maxsim'], 0.9)
    """
    wanted = split_names(names)
    if not wanted:
        raise UsageError("no metric is named; for example `metrics` maxsim,bleu")
    chosen = _settings(settings, wanted)
    for option, value in (common or {}).items():
        having = [name for name in wanted if option in option_names(metric_class(name))]
        flag = "--" + option.replace("_", "-")
        if not having:
            raise UsageError(
                f"{flag} does nothing here: it is not an option of {', '.join(wanted)}"
            )
        if (option, value) == ("tokenizer", PENN) and OWN_TOKENIZER.issuperset(having):
            reason = "the tokenizer of sacreBLEU is used for raw text"
            raise UsageError(f"{flag} {PENN} does nothing for {', '.join(having)}: {reason}")
    by_name = {name: _options(name, common or {}, chosen[name]) for name in wanted}
    metrics: dict[str, Metric] = {}
    for name, options in by_name.items():
        if row is not None:
            traits = metric_class(name).traits
            against = options.get("against") or traits.against
            check_needs(row, name, against, needs_source=traits.needs_source)
    for name, options in by_name.items():
        metrics[name] = make_metric(name, **options)  # the first use of a large table packs it
        progress(1)
    return metrics


def _options(name: str, common: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a metric: the common ones that it has, and those chosen for it."""
    known = option_names(metric_class(name))
    options = {key: value for key, value in common.items() if key in known}
    if name in OWN_TOKENIZER and options.get("tokenizer") == PENN:
        del options["tokenizer"]
    return {**options, **chosen}


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
        first, last, step = (parse_float(part) for part in span.split(":"))
    except ValueError as error:
        raise UsageError(f"a sweep is option=first:last:step, not '{sweep}'") from error
    check_number("the sweep's step", step, 1e-9, 1e9)
    steps = math.floor((check_number("the sweep's end", last, first, 1e9) - first) / step + 1e-9)
    if steps > 1000:
        raise UsageError(f"a sweep of {steps + 1} values; at most 1001 are allowed")
    return [round(first + i * step, 12) for i in range(steps + 1)]


def _settings(settings: Sequence[str], wanted: Sequence[str]) -> dict[str, dict[str, Any]]:
    chosen: dict[str, dict[str, Any]] = {name: {} for name in wanted}
    _refuse_twice(settings)
    for setting in settings:
        key, equals, value = setting.partition("=")
        metric, dot, option = key.rpartition(".")
        metric = metric.lower()
        if not equals or (dot and metric not in chosen):
            raise UsageError(f"a setting is [metric.]option=value with a metric of -m: '{setting}'")
        owners = [metric] if dot else [n for n in wanted if option in option_names(metric_class(n))]
        if not owners:
            known = {known for n in wanted for known in option_names(metric_class(n))}
            raise UsageError(f"none of the metrics has an option '{option}'; {near(option, known)}")
        for name in owners:
            chosen[name][option] = parse_value(value)
    return chosen


def _refuse_twice(settings: Sequence[str]) -> None:
    keys = [setting.partition("=")[0].strip().lower() for setting in settings]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise UsageError(f"there are two settings of {key}: '{settings[place]}' is the second")


def parse_settings(settings: Sequence[str], known: Sequence[str]) -> dict[str, Any]:
    """Parse settings of the form `option=value`; `known` lists the options that exist.

    >>> parse_settings(["orders=4", "stem=false"], ["orders", "stem"])
    {'orders': 4, 'stem': False}
    """
    chosen = {}
    _refuse_twice(settings)
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
    try:
        number = parse_float(text)
    except ValueError:
        return text
    return int(text) if text.lstrip("+-").isdigit() else number
