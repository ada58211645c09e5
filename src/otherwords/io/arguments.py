"""Checks of arguments; an error names the argument."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from otherwords.errors import UsageError


def check_number(name: str, value: Any, low: float, high: float) -> float:
    """Return the value as a number from `low` to `high`, or raise `UsageError`.

    >>> check_number("alpha", 0.8, 0, 1)
    0.8
    """
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not low <= number <= high:
        raise UsageError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
    return number


def check_flag(name: str, value: Any) -> bool:
    """Return the value as a bool, or raise `UsageError`.

    >>> check_flag("case", True)
    True
    """
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name} must be true or false, not {value!r}")
    return bool(value)


def check_whole(name: str, value: Any, low: int, high: int) -> int:
    """Return the value as a whole number from `low` to `high`, or raise `UsageError`.

    >>> check_whole("orders", 3.0, 1, 9)
    3
    """
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        if low <= value <= high:
            return int(value)
    elif (number := check_number(name, value, low, high)) == int(number):
        return int(number)
    raise UsageError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
