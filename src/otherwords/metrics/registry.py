"""The register of metrics: every class of this package that is decorated with `register`."""

from __future__ import annotations

import inspect
import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric

__all__ = ["create", "find", "register", "registered"]

_METRICS: dict[str, type[Metric]] = {}


def register(metric: type[Metric]) -> type[Metric]:
    """Class decorator: makes the metric known under its name."""
    if metric.name in _METRICS:
        raise UsageError(f"there is a metric '{metric.name}' already")
    _METRICS[metric.name] = metric
    return metric


@cache
def _import_all() -> None:
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")


def registered() -> dict[str, type[Metric]]:
    """All metrics by name, in alphabetical order."""
    _import_all()
    return dict(sorted(_METRICS.items()))


def find(name: str) -> type[Metric]:
    """The class of a metric.

    >>> find("maxsin")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: unknown metric 'maxsin'; did you mean 'maxsim'?
    """
    known = registered()
    if name not in known:
        raise UsageError(f"unknown metric '{name}'; {near(str(name), known)}")
    return known[name]


def create(name: str, **options: Any) -> Metric:
    """The metric of that name with its options set.

    >>> create("maxsim", alpha=0.9).name
    'maxsim'
    """
    metric = find(name)
    known = option_names(metric)
    for option in options:
        if option not in known:
            raise UsageError(f"{name} has no option '{option}'; {near(option, known)}")
    return metric(**options)


def option_names(metric: type[Metric]) -> list[str]:
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
    return sorted({p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY})
