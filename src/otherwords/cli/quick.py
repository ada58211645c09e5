"""Option values without the validation library of the command-line library.

Recent releases of typer convert every value with pydantic, whose import costs more than most
commands. Texts, numbers and names of choices are converted here, and refused in one line if they
are wrong; other types are left to typer.
"""

from __future__ import annotations

import re
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from otherwords.errors import UsageError

__all__ = ["convert_quickly"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,99}")


class _NotPlainError(ValueError):
    """A value that typer has to convert, or to refuse."""


class _Quick:
    """What typer asks to convert the values of a parameter."""

    def __init__(self, annotation: Any, low: float | None, high: float | None) -> None:
        self.annotation, self.low, self.high = annotation, low, high

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value, converted here if that is plain, else by typer."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        try:
            return self._within(_converted(value, self.annotation))
        except ValueError as error:
            if not isinstance(error, _NotPlainError):
                raise UsageError(f"{max(param.opts, key=len)} {error}") from error
            param._runtime_param = None  # typer makes its own when there is none
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)

    def _within(self, value: Any) -> Any:
        for one in value if isinstance(value, list) else [value]:
            if self.low is not None and not one >= self.low:  # not a number is refused, too
                raise ValueError(f"must be at least {self.low:g}, not {one}")
            if self.high is not None and not one <= self.high:
                raise ValueError(f"must be at most {self.high:g}, not {one}")
        return value


def convert_quickly(parameters: list[Any]) -> list[Any]:
    """The parameters, which convert plain values themselves where typer lets them."""
    for parameter in parameters:
        described = getattr(parameter, "type_descriptor", None)
        if described is None or getattr(parameter, "_runtime_param", described) is not None:
            continue  # a release that converts in another way
        details = described.parameter_info
        if (
            getattr(details, "parser", None) is None
            and getattr(details, "click_type", None) is None
        ):
            low, high = getattr(details, "min", None), getattr(details, "max", None)
            parameter._runtime_param = _Quick(described.annotation, low, high)
    return parameters


def _converted(value: Any, annotation: Any) -> Any:
    """The value as the type that is wanted.

    >>> _converted("3", int | None), _converted(("a", "b"), list[str]), _converted("3.", float)
    (3, ['a', 'b'], 3.0)
    """
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        annotation = kinds[0] if len(kinds) == 1 else None
    if get_origin(annotation) is list and isinstance(value, (list, tuple)):
        [kind] = get_args(annotation)
        return [_converted(one, kind) for one in value]
    if not isinstance(annotation, type):
        raise _NotPlainError
    if issubclass(annotation, Enum):
        return _member(value, annotation)
    if type(value) is annotation and annotation in (str, int, float, bool):
        return value
    if isinstance(value, str):
        if annotation is int:
            if not _WHOLE.fullmatch(value):
                raise ValueError(f"must be a whole number, not '{value}'")
            return int(value)
        if annotation is float:
            return _decimal(value)
    raise _NotPlainError


def _decimal(value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise ValueError(f"must be a number, not '{value}'") from error


def _member(value: Any, choices: type[Enum]) -> Any:
    for choice in choices:
        if value is choice or (type(value) is str and value == choice.value):
            return choice
    if type(value) is not str:
        raise _NotPlainError
    names = [str(choice.value) for choice in choices]
    raise ValueError(f"must be one of {', '.join(names)}, not '{value}'")
