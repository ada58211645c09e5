"""Numbers and JSON in files, read without guesses."""

from __future__ import annotations

import json
from typing import Any


class DuplicateKeyError(ValueError):
    """An object of JSON has the same key twice; a reader cannot know which value is meant."""


def parse_float(text: str) -> float:
    """Parse a number in ASCII digits; unlike `float`, without `_` and other scripts' digits.

    >>> parse_float("1e3")
    1000.0
    >>> parse_float("1_0")
    Traceback (most recent call last):
    ValueError: not a number: 1_0
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"not a number: {text}")
    return float(text)


def load_json(text: str | bytes) -> Any:
    """Parse JSON; a key that an object has twice is refused.

    >>> load_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    otherwords.io.values.DuplicateKeyError: the key 'a' is there twice
    """
    return json.loads(text, object_pairs_hook=unique_keys)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of the pairs of a JSON object."""
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise DuplicateKeyError(f"the key {twice!r} is there twice")
    return values
