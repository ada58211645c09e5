"""The register of metrics: which module has each, found without importing the others."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric, Traits

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "cached",
    "create",
    "every_name",
    "find",
    "metric",
    "metric_names",
    "option_names",
    "plugin_problems",
    "register",
    "registered",
]

PLUGINS = "otherwords.metrics"  # the group of entry points of other packages' metrics

MODULES: Mapping[str, str] = {
    "bleu": "sacre",
    "bp-bleu": "incremental",
    "chrf": "sacre",
    "chrf++": "sacre",
    "combine": "combine",
    "difference": "difference",
    "encoder-cos": "encoder",
    "encoder-f1": "encoder",
    "facts": "facts",
    "fluency": "fluency",
    "gm": "incremental",
    "ibleu": "ibleu",
    "maxsim": "maxsim",
    "meaning": "meaning",
    "mup": "incremental",
    "otherwords-mt": "combine",
    "otherwords-rewrite": "rewrite",
    "pair": "pair",
    "paraeval-f": "paraeval",
    "paraeval-p": "paraeval",
    "paraeval-r": "paraeval",
    "paraeval-summary": "paraeval",
    "pem": "pem",
    "pem.adequacy": "pem",
    "pem.dissimilarity": "pem",
    "pem.fluency": "pem",
    "pinc": "pinc",
    "precis": "precis",
    "rouge-l": "rouge",
    "ter": "sacre",
    "vectors": "vectors",
    "vectors-f1": "vectors",
}

# Metrics that users of other tools ask for: their scores can be compared, not computed.
ELSEWHERE = frozenset(
    "bartscore bertscore bleurt cider comet comet-kiwi cometkiwi gemba laser meteor metricx "
    "moverscore nist parascore prism rouge rouge-1 rouge-2 sari sbert spice xcomet yisi".split()
)

_METRICS: dict[str, type[Metric]] = {}
_KEPT = 64  # metric objects that `cached` keeps


def register(metric: type[Metric]) -> type[Metric]:
    """Class decorator that registers the metric under its name."""
    if metric.name in _METRICS:
        raise UsageError(f"there is a metric '{metric.name}' already")
    _METRICS[metric.name] = metric
    return metric


def metric_names() -> list[str]:
    """The names of our metrics in alphabetical order; imports none of them.

    >>> "maxsim" in metric_names()
    True
    """
    return sorted({*MODULES, *_METRICS})


def every_name() -> list[str]:
    """The same with the metrics of other packages."""
    return sorted({*metric_names(), *_plugins()})


def registered() -> dict[str, type[Metric]]:
    """All metrics by name, in alphabetical order, without the plug-ins that cannot be loaded."""
    broken = plugin_problems()
    return {name: find(name) for name in every_name() if name in MODULES or name not in broken}


def list_metrics() -> dict[str, Traits]:
    """The traits of every metric by name.

    >>> list_metrics()["maxsim"].range
    (0.0, 1.0)
    """
    return {name: metric.traits for name, metric in registered().items()}


def plugin_problems() -> dict[str, str]:
    """Why the metrics of other packages that cannot be used cannot, by name."""
    found = {}
    for name in _plugins():
        try:
            _load(name)
        except UsageError as error:
            found[name] = str(error)
    return found


@cache
def _plugins() -> dict[str, EntryPoint]:
    """The entry points of other packages' metrics by name.

    To look for them takes as long as to import a small package: only an unknown name and the list
    of all metrics need it.
    """
    from importlib.metadata import entry_points

    return {one.name.lower(): one for one in entry_points(group=PLUGINS)}


def _load(name: str) -> type[Metric]:
    """The class that an entry point names, or one line on what is wrong with it."""
    entry = _plugins()[name]
    where = f"the metric '{name}' of the package {entry.dist.name if entry.dist else entry.value}"
    if name in MODULES:
        raise UsageError(
            f"{where} has the name of a metric of otherwords, which is used instead; rename it"
        )
    try:
        metric = entry.load()
    except Exception as error:  # another package's code may raise anything
        reason = str(error).partition("\n")[0]
        raise UsageError(f"{where} cannot be loaded: {type(error).__name__}: {reason}") from error
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise UsageError(f"{where} is not a subclass of otherwords.metrics.Metric: {entry.value}")
    wrong = sorted(metric.__abstractmethods__)
    wrong += [one for one in ("name", "traits", "columns") if not hasattr(metric, one)]
    if wrong:
        raise UsageError(f"{where} lacks {', '.join(wrong)}")
    if metric.name != name:
        raise UsageError(f"{where} calls itself '{metric.name}'; both names must be the same")
    if _METRICS.setdefault(name, metric) is not metric:
        raise UsageError(f"{where} has the name of another metric; rename it")
    return metric


def find(name: str) -> type[Metric]:
    """The class of a metric; upper and lower case are the same.

    >>> find("maxsin")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: unknown metric 'maxsin'; did you mean 'maxsim'?
    """
    key = name.lower() if isinstance(name, str) else name
    if key in MODULES and key not in _METRICS:
        import_module(f"{__package__}.{MODULES[key]}")
    if key not in _METRICS and key in _plugins():
        return _load(key)
    if key not in _METRICS:
        raise UsageError(_unknown(str(name)))
    return _METRICS[key]


def _unknown(name: str) -> str:
    known = every_name()
    if name.lower() in ELSEWHERE and name.lower() not in known:
        return (
            f"there is no metric '{name}' in otherwords; choose from: {', '.join(known)}. "
            f"Compute {name} with its own program and bring the scores of its segments by "
            f"--scores {name.lower()}=FILE, in score, compare, gate, meta and report"
        )
    if "," in name:
        return f"unknown metric '{name}'; give several metrics as a list: {name.split(',')}"
    return f"unknown metric '{name}'; {near(name, known)}"


def create(name: str, **options: Any) -> Metric:
    """The metric of that name with its options set.

    >>> create("maxsim", alpha=0.9).name
    'maxsim'
    """
    metric = find(name)
    known = option_names(metric)
    for option in options:
        if option not in known:
            raise UsageError(f"{metric.name} has no option '{option}'; {near(option, known)}")
    return metric(**options)


def metric(name: str, **options: Any) -> Metric:
    """A metric with its options set; the same object for the same name and options.

    >>> metric("maxsim", alpha=0.5).signature
    'maxsim|v:1|alpha:0.5|n:3|case:folded|tok:penn|tagger:...|lexicon:...'
    """
    return cached(name, options)


def cached(name: str, options: Mapping[str, Any]) -> Metric:
    """What `create` makes, made once for the same name and options.

    A path among the options is opened again when its file has changed.

    >>> cached("maxsim", {"alpha": 0.9}) is cached("MAXSIM", {"alpha": 0.9})
    True
    """
    try:
        return _cached(find(name).name, *[_Option(key, options[key]) for key in sorted(options)])
    except _NoKeyError:
        return create(name, **options)


class _NoKeyError(TypeError):
    """An option that cannot be looked up."""


class _Option:
    """An option as the key of a cache: its type counts (1 is not True), and its file if it has one.

    The value itself goes to the metric, so a list stays the list that the caller gave.
    """

    __slots__ = ("key", "name", "value")

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value
        if isinstance(value, (list, tuple)):
            self.value = list(value)  # the caller may change the list
            self.key: tuple[Any, ...] = (name, list, tuple((type(one), one) for one in value))
        elif isinstance(value, (str, os.PathLike)):
            self.key = (name, type(value), value, _state(value))
        elif value is None or isinstance(value, (bool, int, float)):
            self.key = (name, type(value), value)
        else:
            raise _NoKeyError(name)

    def __hash__(self) -> int:
        try:
            return hash(self.key)
        except TypeError as error:
            raise _NoKeyError(self.name) from error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Option) and self.key == other.key


def _state(value: str | os.PathLike[str]) -> tuple[int, ...] | None:
    """What changes with a file of that name; none if there is no such file."""
    try:
        found = os.stat(value)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@lru_cache(maxsize=_KEPT)
def _cached(name: str, *options: _Option) -> Metric:
    return create(name, **{one.name: one.value for one in options})


def shared_options(names: Sequence[str], options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of each of several metrics: each goes to the metrics that have it.

    >>> shared_options(["maxsim", "bleu"], {"alpha": 0.9, "case": True})
    {'maxsim': {'alpha': 0.9, 'case': True}, 'bleu': {'case': True}}
    """
    known = {name: option_names(find(name)) for name in names}
    for option in options:
        if not any(option in of_metric for of_metric in known.values()):
            union = {one for of_metric in known.values() for one in of_metric}
            hint = near(option, union)
            raise UsageError(f"none of {', '.join(names)} has an option '{option}'; {hint}")
    return {
        name: {option: value for option, value in options.items() if option in known[name]}
        for name in names
    }


@cache
def option_names(metric: type[Metric]) -> tuple[str, ...]:
    """The options a metric takes.

    >>> "alpha" in option_names(find("maxsim"))
    True
    """
    makers = [vars(one)["__init__"] for one in metric.__mro__ if "__init__" in vars(one)]
    parameters = [
        parameter
        for maker in makers
        if maker is not object.__init__
        for parameter in inspect.signature(maker).parameters.values()
    ]
    names = {p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}
    return tuple(sorted(names))
