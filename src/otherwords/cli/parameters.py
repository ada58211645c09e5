"""Options and arguments as commands declare them, and the click command that they make.

    def show(file: Annotated[str, Argument(help="Rows.", metavar="FILE")], seed: Seed = 0) -> int

A parameter whose type is a dataclass is a group: the command has all of the group's options.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import partial
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from otherwords.errors import UsageError

__all__ = ["Argument", "Option", "make_command"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,99}")
_MANDATORY = inspect.Parameter.empty


class Option:
    """How an option is written and described; `names` default to that of the parameter."""

    def __init__(
        self,
        *names: str,
        help: str = "",
        panel: str = "Options",
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        show_default: bool = True,
        complete: Callable[[str], list[str]] | None = None,
    ) -> None:
        self.names, self.help, self.panel, self.metavar = names, help, panel, metavar
        self.low, self.high = min, max
        self.show_default, self.complete = show_default, complete


@dataclass(frozen=True)
class Argument:
    """How an argument is described."""

    help: str
    metavar: str


class _Value(click.ParamType):  # type: ignore[type-arg]
    """Text, a number or a member of an enumeration, refused in one line if it is wrong."""

    def __init__(self, kind: type, option: Option | None) -> None:
        self.kind = kind
        self.low = option.low if option else None
        self.high = option.high if option else None
        self.complete = option.complete if option else None
        self.choices = [str(member.value) for member in kind] if issubclass(kind, Enum) else []
        self.name = "|".join(self.choices) or kind.__name__

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as its kind."""
        if isinstance(value, self.kind) and not isinstance(value, str):
            return value
        name = max(param.opts, key=len)
        if self.choices:
            if value not in self.choices:
                wanted = ", ".join(self.choices)
                raise UsageError(f"{name} must be one of {wanted}, not '{value}'")
            return self.kind(value)
        if self.kind is int:
            if not _WHOLE.fullmatch(value):
                raise UsageError(f"{name} must be a whole number, not '{value}'")
            return self._check_range(int(value), name)
        if self.kind is float:
            try:
                number = float(value)
            except ValueError as error:
                raise UsageError(f"{name} must be a number, not '{value}'") from error
            return self._check_range(number, name)
        return value

    def _check_range(self, value: float, name: str) -> float:
        if self.low is not None and not value >= self.low:  # NaN is refused too
            raise UsageError(f"{name} must be at least {self.low:g}, not {value}")
        if self.high is not None and not value <= self.high:
            raise UsageError(f"{name} must be at most {self.high:g}, not {value}")
        return value

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        """What the value may be."""
        if self.complete is not None:
            return [CompletionItem(text) for text in self.complete(incomplete)]
        return [CompletionItem(text) for text in self.choices if text.startswith(incomplete)]


class _Option(click.Option):
    """An option with the panel of `--help` that it stands in."""

    def __init__(self, *names: Any, panel: str, span: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.panel, self.span = panel, span

    def get_help_record(self, ctx: Any) -> tuple[str, str] | None:
        """The names and the help, with the default and the range."""
        record = super().get_help_record(ctx)
        if record is None or not self.span:
            return record
        text = record[1]
        shown = f"; {self.span}]" if text.endswith("]") else f"  [{self.span}]"
        return record[0], text.removesuffix("]") + shown if text.endswith("]") else text + shown


class _Argument(click.Argument):
    """An argument with a help text."""

    def __init__(self, *names: Any, purpose: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.purpose = purpose


class _Command(click.Command):
    """A command whose help groups options in panels."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage: arguments as their help names them, those that may be left out in brackets."""
        arguments = [one for one in self.get_params(ctx) if isinstance(one, _Argument)]
        names = [str(one.metavar) if one.required else f"[{one.metavar}]" for one in arguments]
        return ["[OPTIONS]", *names]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each panel."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, _Argument):
                required = "  [required]" if parameter.required else ""
                panels["Arguments"].append((str(parameter.metavar), parameter.purpose + required))
            elif record := parameter.get_help_record(ctx):
                panels.setdefault(getattr(parameter, "panel", "Options"), []).append(record)
        panels["Options"] = panels.pop("Options")  # the last
        for panel, rows in panels.items():
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


def make_command(name: str, function: Callable[..., int], **settings: Any) -> click.Command:
    """The command that calls a function with the values of its parameters.

    >>> @dataclass(frozen=True)
    ... class Sampling:
    ...     seed: Annotated[int, Option(help="Set the seed.")] = 0
    >>> def show(sampling: Sampling) -> int:
    ...     return sampling.seed
    >>> make_command("show", show).main(["--seed", "3"], standalone_mode=False)
    3
    """
    groups: dict[str, Any] = {}
    parameters: list[click.Parameter] = []
    for parameter in _parameters(function):
        group = parameter.annotation
        if isinstance(group, type) and is_dataclass(group):
            groups[parameter.name] = group
            parameters += map(_click, _parameters(group))
        else:
            parameters.append(_click(parameter))

    def run(**values: Any) -> int:
        values = {key: None if value == () else value for key, value in values.items()}
        for group_name, kind in groups.items():
            members = kind.__dataclass_fields__
            values[group_name] = kind(**{key: values.pop(key) for key in members if key in values})
        return function(**values)

    documentation = inspect.getdoc(function)
    return _Command(name, callback=run, params=parameters, help=documentation, **settings)


def _parameters(of: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(of, eval_str=True).parameters.values())


def _click(parameter: inspect.Parameter) -> click.Parameter:
    """The click parameter of a parameter declared with `Annotated`."""
    annotation, declared = parameter.annotation, None
    if get_origin(annotation) is Annotated:
        annotation, declared = get_args(annotation)
    if get_origin(annotation) in (Union, UnionType):
        [annotation] = [kind for kind in get_args(annotation) if kind is not NoneType]
    is_list = get_origin(annotation) is list
    kinds = get_args(annotation)  # of a list or a tuple
    kind = kinds[0] if kinds else annotation
    required = parameter.default is _MANDATORY
    default = None if required else getattr(parameter.default, "value", parameter.default)
    # click takes `default=None` of a required option for a value
    given: dict[str, Any] = {} if required else {"default": default}
    if isinstance(declared, Argument):
        return _Argument(
            [parameter.name],
            purpose=declared.help,
            metavar=declared.metavar,
            type=_Value(kind, None),
            nargs=-1 if is_list else 1,
            required=required,
            **given,
        )
    option = declared or Option()
    names = option.names or ("--" + parameter.name.replace("_", "-"),)
    make = partial(_Option, [parameter.name, *names], help=option.help, panel=option.panel)
    if kind is bool:
        return make(is_flag=True, default=default, show_default=default is True, span="")
    value = _Value(kind, option)
    return make(
        type=value,
        metavar=option.metavar or f"<{value.name}>",
        multiple=is_list,
        nargs=1 if is_list else max(len(kinds), 1),
        required=required,
        **given,
        show_default=option.show_default and default is not None,
        span=_span(option),
    )


def _span(option: Option) -> str:
    """The range of a number as the help shows it."""
    if option.high is None:
        return "" if option.low is None else f"x>={option.low}"
    return f"x<={option.high}" if option.low is None else f"{option.low}<=x<={option.high}"
