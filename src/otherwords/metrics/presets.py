"""Presets: a metric exactly as a paper describes it, by one option.

    create("pem", preset="paper")

A preset sets options. Only those that it leaves free may be given with it; all else that differs
from what the paper says is refused, so that `preset:paper` in a signature means the paper.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric

__all__ = ["Preset", "expanded", "with_presets"]

M = TypeVar("M", bound=type[Metric])
COMMON = ("against", "tokenizer")  # where text comes from and how it is written


@dataclass(frozen=True)
class Preset:
    """The options of a paper, and those that may be given with them.

    An option named in `unless` is not set where the user gives the other one: the pivot languages
    of the paper say nothing of a table of the user's own.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    free: tuple[str, ...] = ()
    unless: Mapping[str, str] = field(default_factory=dict)


def with_presets(presets: Mapping[str, Preset]) -> Callable[[M], M]:
    """Class decorator: gives the metric the option `preset`."""

    def give(metric: M) -> M:
        metric.presets = presets
        plain = metric.__init__

        @wraps(plain)
        def init(self: Metric, *, preset: str | None = None, **options: Any) -> None:
            if preset is None:
                plain(self, **options)
                return
            chosen = expanded(type(self), preset, options)
            self.preset = preset
            plain(self, **chosen)
            self.options["preset"] = preset

        shown = inspect.signature(plain)
        option = inspect.Parameter("preset", inspect.Parameter.KEYWORD_ONLY, default=None)
        parameters = list(shown.parameters.values())
        init.__signature__ = shown.replace(  # type: ignore[attr-defined]
            parameters=[parameters[0], option, *parameters[1:]]
        )
        metric.__init__ = init  # type: ignore[method-assign]
        return metric

    return give


def expanded(metric: type[Metric], preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the preset, with those given in addition."""
    if not metric.presets:
        raise UsageError(f"{metric.name} has no presets: no paper describes it")
    if preset not in metric.presets:
        raise UsageError(
            f"{metric.name} has no preset '{preset}'; {near(str(preset), metric.presets)}"
        )
    chosen = metric.presets[preset]
    given = {name: value for name, value in options.items() if value is not None}
    defaults = _defaults(metric)
    freed = [
        name
        for name, other in chosen.unless.items()
        if other in given and given[other] != defaults[other]
    ]
    free = (*COMMON, *chosen.free, *freed)
    wanted = {name: value for name, value in chosen.options.items() if name not in free}
    usual = {**defaults, **wanted}
    for name, value in given.items():
        if name not in free and name in usual and value != usual[name]:
            fixed = "" if usual[name] is None else f" at {usual[name]}"
            raise UsageError(
                f"preset={preset} fixes {name}{fixed}; leave out {name}={value}, or the preset. "
                f"Options that go with the preset: {', '.join(sorted(free))}"
            )
    return {**chosen.options, **dict.fromkeys(freed), **given, **wanted}


def _defaults(metric: type[Metric]) -> dict[str, Any]:
    """The defaults of all options of a metric."""
    found: dict[str, Any] = {}
    for one in reversed(metric.__mro__):
        if one is not object and "__init__" in vars(one):
            parameters = inspect.signature(vars(one)["__init__"]).parameters.values()
            found |= {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    return found
