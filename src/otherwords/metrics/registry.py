"""The registry of metrics: a file in this folder registers the metrics that it defines.

`metric(name, **options)` makes a metric. A name is looked for in the file that is called like it or
like a word of it (`maxsim` in maxsim.py, `paraeval-p` in paraeval.py, `otherwords-mt` in mt.py), so
that one metric does not import the others; if it is not there, all files are imported.
"""

from __future__ import annotations

import inspect
import os
import re
from functools import cache
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric, Traits

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


PLUGINS = "otherwords.metrics"  # the group of entry points of other packages' metrics

# Metrics that users of other tools ask for: their scores can be compared, not computed.
ELSEWHERE = frozenset(
    "bartscore bertscore bleurt cider comet comet-kiwi cometkiwi gemba laser meteor metricx "
    "moverscore nist parascore prism rouge rouge-1 rouge-2 sari sbert spice xcomet yisi".split()
)
KEPT = 64  # metric objects that `metric` keeps

_CLASSES: dict[str, type[Metric]] = {}
_OBJECTS: dict[Any, Metric] = {}  # the most recently used one comes last
_LOCK = Lock()


def register(metric: type[Metric]) -> type[Metric]:
    """Class decorator that registers the metric under its name."""
    if metric.name in _CLASSES:
        raise UsageError(f"there is a metric '{metric.name}' already")
    _CLASSES[metric.name] = metric
    return metric


def metric(name: str, **options: Any) -> Metric:
    """A metric with its options set; the same object for the same name and options.

    A path among the options is opened again when its file has changed.

    >>> metric("maxsim", alpha=0.5).signature
    'maxsim|v:2|alpha:0.5|n:3|case:folded|tok:treebank|tagger:...|lexicon:...'
    >>> metric("maxsim", alpha=0.5) is metric("MAXSIM", alpha=0.5)
    True
    """
    kind = metric_class(name)
    for option in options:
        if option not in (known := option_names(kind)):
            raise UsageError(f"{kind.name} has no option '{option}'; {near(option, known)}")
    options = {
        option: list(value) if isinstance(value, (list, tuple)) else value
        for option, value in options.items()
    }
    try:
        key = kind, tuple((option, *_key(options[option])) for option in sorted(options))
        hash(key)
    except TypeError:  # an option that has no key
        return kind(**options)
    with _LOCK:
        instance = _OBJECTS.pop(key, None)
    instance = instance or kind(**options)
    with _LOCK:
        _OBJECTS[key] = instance
        while len(_OBJECTS) > KEPT:
            del _OBJECTS[next(iter(_OBJECTS))]
    return instance


def _key(value: Any) -> tuple[Any, ...]:
    """A key for the value of an option, with its type (1 is not True) and the state of its file."""
    if isinstance(value, list):
        return list, *((type(member), member) for member in value)
    if isinstance(value, (str, os.PathLike)):
        return type(value), value, _state(value)
    if value is None or isinstance(value, (bool, int, float)):
        return type(value), value
    raise TypeError(value)


def _state(value: str | os.PathLike[str]) -> tuple[int, ...] | None:
    """What differs once the file of that name has changed; `None` if there is no such file."""
    try:
        file = os.stat(value)
    except (OSError, ValueError):
        return None
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns


def metric_class(name: str) -> type[Metric]:
    """The class of a metric; upper and lower case are the same.

    >>> metric_class("maxsin")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: unknown metric 'maxsin'; did you mean 'maxsim'?
    """
    key = name.lower() if isinstance(name, str) else name
    if key not in _CLASSES:
        _import_files_for(str(key))
    if key not in _CLASSES and key in _plugins():
        return _load(key)
    if key not in _CLASSES:
        raise UsageError(_unknown(str(name)))
    return _CLASSES[key]


def metric_classes() -> dict[str, type[Metric]]:
    """All metrics by name, in alphabetical order, without the plug-ins that cannot be loaded."""
    broken = plugin_problems()
    ours = _own_names()
    return {
        name: metric_class(name) for name in metric_names() if name in ours or name not in broken
    }


def metric_names() -> list[str]:
    """The names of all metrics, those of other packages included.

    >>> "maxsim" in metric_names()
    True
    """
    return sorted({*_own_names(), *_plugins()})


def list_metrics() -> dict[str, Traits]:
    """The traits of every metric by name.

    >>> list_metrics()["maxsim"].range
    (0.0, 1.0)
    """
    return {name: metric.traits for name, metric in metric_classes().items()}


@cache
def option_names(metric: type[Metric]) -> tuple[str, ...]:
    """The options a metric takes.

    >>> "alpha" in option_names(metric_class("maxsim"))
    True
    """
    return tuple(sorted(option_defaults(metric)))


def option_defaults(metric: type[Metric]) -> dict[str, Any]:
    """The options a metric takes with their defaults, its own before those of all metrics.

    >>> option_defaults(metric_class("maxsim"))["alpha"]
    0.8
    """
    makers = [vars(kind)["__init__"] for kind in metric.__mro__ if "__init__" in vars(kind)]
    parameters = [
        parameter
        for maker in makers
        if maker is not object.__init__
        for parameter in inspect.signature(maker).parameters.values()
    ]
    keywords = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    return {p.name: p.default for p in reversed(keywords)}


@cache
def _files() -> tuple[str, ...]:
    from pkgutil import iter_modules

    return tuple(module.name for module in iter_modules([os.path.dirname(__file__)]))


def _import_files_for(name: str) -> None:
    words = re.split(r"\W+", name)
    for file in dict.fromkeys(["_".join(words), *words]):
        if file in _files():
            import_module(f"{__package__}.{file}")
        if name in _CLASSES:
            return
    _own_names()


@cache
def _own_names() -> frozenset[str]:
    """The names of the metrics in this folder; imports all of them."""
    for file in _files():
        import_module(f"{__package__}.{file}")
    return frozenset(
        name for name, kind in _CLASSES.items() if kind.__module__.startswith(f"{__package__}.")
    )


def plugin_problems() -> dict[str, str]:
    """The metrics of other packages that cannot be used: the reasons by name."""
    problems = {}
    for name in _plugins():
        try:
            _load(name)
        except UsageError as error:
            problems[name] = str(error)
    return problems


@cache
def _plugins() -> dict[str, EntryPoint]:
    """The entry points of other packages' metrics by name.

    Looking for them takes as long as importing a small package, so only an unknown name and the
    list of all metrics do it.
    """
    from importlib.metadata import entry_points

    return {entry.name.lower(): entry for entry in entry_points(group=PLUGINS)}


def _load(name: str) -> type[Metric]:
    """The class that an entry point names, or one line on what is wrong with it."""
    entry = _plugins()[name]
    where = f"the metric '{name}' of the package {entry.dist.name if entry.dist else entry.value}"
    if name in _own_names():
        raise UsageError(
            f"{where} has the name of a metric of otherwords, which is used instead; rename it"
        )
    try:
        metric = entry.load()
    except (Exception, SystemExit) as error:  # another package's code may raise anything
        reason = str(error).partition("\n")[0]
        raise UsageError(f"{where} cannot be loaded: {type(error).__name__}: {reason}") from error
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise UsageError(f"{where} is not a subclass of otherwords.metrics.Metric: {entry.value}")
    wrong = sorted(metric.__abstractmethods__)
    wrong += [name for name in ("name", "traits", "columns") if not hasattr(metric, name)]
    if wrong:
        raise UsageError(f"{where} lacks {', '.join(wrong)}")
    if not isinstance(metric.traits, Traits):
        raise UsageError(f"{where} has traits that are not of the class Traits")
    if metric.name != name:
        raise UsageError(f"{where} calls itself '{metric.name}'; both names must be the same")
    if _CLASSES.setdefault(name, metric) is not metric:
        raise UsageError(f"{where} has the name of another metric; rename it")
    return metric


def _unknown(name: str) -> str:
    known = metric_names()
    if name.lower() in ELSEWHERE and name.lower() not in known:
        return (
            f"there is no metric '{name}' in otherwords; choose from: {', '.join(known)}. "
            f"Compute {name} with its own program and give the scores of its segments to score, "
            f"compare, gate, meta or report: --scores {name.lower()}=FILE on the command line"
        )
    if "," in name:
        return f"unknown metric '{name}'; give several metrics as a list: {name.split(',')}"
    return f"unknown metric '{name}'; {near(name, known)}"
