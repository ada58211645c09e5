"""Options and arguments as commands declare them, and the click command made from them.

    def show(file: str = argument("Rows.", "FILE"), seed: Seed = 0) -> int: ...

`Seed` is `Annotated[int, option("Set the seed.")]`, for options that several commands have. A
parameter whose type is a dataclass is a group: the command has all of the group's options.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import click
from click.exceptions import Exit
from click.shell_completion import CompletionItem

from otherwords.errors import OtherwordsError, UsageError
from otherwords.io.values import parse_float

_WHOLE = re.compile(r"[+-]?[0-9]{1,99}")
_MANDATORY = inspect.Parameter.empty
_METAVARS = {str: "TEXT", int: "N", float: "NUMBER"}


@dataclass(frozen=True)
class _Declared:
    """How an option is written and described; an argument has a metavar and no panel."""

    help: str
    names: tuple[str, ...] = ()
    panel: str | None = None
    metavar: str | None = None
    min: float | None = None
    max: float | None = None
    show_default: bool = True
    complete: Callable[[str], list[str]] | None = None
    default: Any = None


def option(help: str, *names: str, panel: str = "Options", **details: Any) -> Any:
    """An option: the default of a parameter, or the second part of `Annotated`.

    Its name is the parameter's unless `names` are given. Details are `metavar`, `min`, `max`,
    `default`, `show_default` and `complete`, a function that completes values in a shell.
    """
    return _Declared(help, names, panel, **details)


def argument(help: str, metavar: str, **details: Any) -> Any:
    """An argument, which has no name on the command line."""
    return _Declared(help, metavar=metavar, **details)


class _Value(click.ParamType):  # type: ignore[type-arg]
    """Text, a number or one of several words, refused in one line if it is wrong."""

    def __init__(self, kind: Any, declared: _Declared) -> None:
        if get_origin(kind) is Literal:
            self.kind: Any = str
            self.choices = [str(choice) for choice in get_args(kind)]
        else:
            self.kind = kind
            self.choices = [str(member) for member in kind] if issubclass(kind, Enum) else []
        self.low, self.high, self.complete = declared.min, declared.max, declared.complete
        self.name = "|".join(self.choices) or kind.__name__

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
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
                number = parse_float(value)
            except ValueError as error:
                hint = "; decimals have a point" if "," in value else ""
                raise UsageError(f"{name} must be a number, not '{value}'{hint}") from error
            return self._check_range(number, name)
        return value

    def _check_range(self, value: float, name: str) -> float:
        if self.low is not None and not value >= self.low:  # NaN is refused too
            raise UsageError(f"{name} must be at least {self.low:g}, not {value}")
        if self.high is not None and not value <= self.high:
            raise UsageError(f"{name} must be at most {self.high:g}, not {value}")
        return value

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        if self.complete is not None:
            return [CompletionItem(text) for text in self.complete(incomplete)]
        return [CompletionItem(text) for text in self.choices if text.startswith(incomplete)]


class _Option(click.Option):
    """An option that knows its panel in `--help`."""

    def __init__(self, names: list[str], declared: _Declared, **settings: Any) -> None:
        super().__init__(names, help=declared.help, **settings)
        self.panel, self.low, self.high = declared.panel, declared.min, declared.max

    def get_help_record(self, ctx: Any) -> tuple[str, str] | None:
        """The names and the help, with the default and the range."""
        record = super().get_help_record(ctx)
        if record is None or self.is_flag or (self.low is None and self.high is None):
            return record
        if self.high is None:
            span = f"from {self.low}"
        else:
            span = f"to {self.high:,}" if self.low is None else f"{self.low} to {self.high:,}"
        text = record[1]
        shown = f"; {span}]" if text.endswith("]") else f"  [{span}]"
        return record[0], text.removesuffix("]") + shown


class _Argument(click.Argument):
    """An argument with a help text."""

    def __init__(self, *names: Any, purpose: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.purpose = purpose


class _Command(click.Command):
    """A command whose help groups options in panels."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse a long option with one dash, which click would split into short ones."""
        known = [name for parameter in self.get_params(ctx) for name in parameter.opts]
        for arg in args:
            if re.match("-[a-z]{3}", arg):
                for name in known:
                    if name.startswith(f"-{arg}"):
                        raise UsageError(f"there is no option {arg}; did you mean {name}?")
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # not every error of click knows its command
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; where the library names an argument, its errors name the option."""
        try:
            return super().invoke(ctx)
        except OtherwordsError as error:
            error.args = (self._with_options(str(error.args[0])), *error.args[1:])
            raise

    def _with_options(self, message: str) -> str:
        options: dict[str, str] = {}
        for parameter in self.params:
            long = [name for name in parameter.opts if name.startswith("--")]
            for name in [*long, *parameter.secondary_opts]:
                options[name[2:].replace("-", "_")] = name
            if long:
                options.setdefault(str(parameter.name), long[0])
        return re.sub(r"`(\w+)`", lambda match: options.get(match[1], match[0]), message)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage: arguments as their help names them, optional ones in brackets."""
        arguments = [
            parameter for parameter in self.get_params(ctx) if isinstance(parameter, _Argument)
        ]
        names = [
            str(parameter.metavar) if parameter.required else f"[{parameter.metavar}]"
            for parameter in arguments
        ]
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
    ...     seed: int = option("Set the seed.", default=0)
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
        try:
            return function(**values)
        except Exit as error:  # a plug-in's: no function of ours ends the program so
            raise RuntimeError("a command must return its exit code") from error

    documentation = inspect.getdoc(function)
    return _Command(name, callback=run, params=parameters, help=documentation, **settings)


def _parameters(of: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(of, eval_str=True).parameters.values())


def _click(parameter: inspect.Parameter) -> click.Parameter:
    """The click parameter of a declared parameter."""
    annotation, declared, default = parameter.annotation, parameter.default, None
    if get_origin(annotation) is Annotated:
        annotation, shared = get_args(annotation)
        declared, default = shared, declared
    else:
        default = declared.default
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    [kind] = [each for each in kinds if each is not NoneType]
    is_list = get_origin(kind) is list
    members = () if get_origin(kind) is Literal else get_args(kind)  # of a list or a tuple
    kind = members[0] if members else kind
    required = default is _MANDATORY or (default is None and NoneType not in kinds)
    # click would take `default=None` as the value of a required parameter
    settings: dict[str, Any] = (
        {"required": True} if required else {"default": default, "required": False}
    )
    if declared.panel is None:
        value, nargs = _Value(kind, declared), -1 if is_list else 1
        names, purpose = [parameter.name], declared.help
        settings |= {"type": value, "nargs": nargs, "metavar": declared.metavar}
        return _Argument(names, purpose=purpose, **settings)
    names = [parameter.name, *(declared.names or ("--" + parameter.name.replace("_", "-"),))]
    if kind is bool:
        default = False if required else default
        return _Option(names, declared, is_flag=True, default=default, show_default=default is True)
    value = _Value(kind, declared)
    shown = declared.show_default and not required and default is not None
    metavar, nargs = (
        declared.metavar or _METAVARS.get(kind, f"<{value.name}>"),
        1 if is_list else max(len(members), 1),
    )
    settings |= {"type": value, "metavar": metavar, "show_default": shown}
    settings |= {"multiple": is_list, "nargs": nargs}
    return _Option(names, declared, **settings)
