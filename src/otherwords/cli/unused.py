"""Options that would do nothing in a call are refused."""

from __future__ import annotations

from typing import Any

from otherwords.errors import UsageError

__all__ = ["refuse_idle"]


def refuse_idle(useful: bool, wanted: str, **options: Any) -> None:
    """Refuse options that do nothing because another one (`wanted`) is missing.

    >>> refuse_idle(False, "--ci", confidence=0.9)
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: --confidence does nothing without --ci
    """
    for name, value in options.items():
        if value is not None and value is not False and not useful:
            raise UsageError(f"--{name.replace('_', '-')} does nothing without {wanted}")
