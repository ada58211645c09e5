"""Weights of a decoder's features: JSON, or lines of `name value`, `name=value`, `name: value`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from otherwords.errors import InputError, UsageError
from otherwords.io.files import packed_write, read_bytes, read_lines

__all__ = ["check_weights", "read_weights", "write_weights"]

LARGEST = 1e9  # features have 32 bits, so no total can overflow


def read_weights(path: str | Path) -> dict[str, float]:
    """The weights in a file; empty lines and lines that begin with # are skipped.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "weights.txt")
    ...     _ = path.write_text('LanguageModel 0.2\\n# a comment\\nGlue -1\\n')
    ...     read_weights(path)
    {'LanguageModel': 0.2, 'Glue': -1.0}
    """
    name = str(path)
    if read_bytes(path, 64).lstrip().startswith(b"{"):
        try:
            found = json.loads(read_bytes(path))
        except (ValueError, RecursionError) as error:
            raise InputError(f"this is not JSON: {error}", path=name) from error
        if not found:
            raise InputError("there are no weights here", path=name)
        try:
            return check_weights(found)
        except UsageError as error:
            raise InputError(str(error), path=name) from error
    weights: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), 1):
        words = line.replace("=", " ").split()
        if not words or line.startswith("#"):
            continue
        try:
            [feature, text] = words
            feature, value = feature.removesuffix(":"), float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError("a name and a number are needed", path=name, line=number)
        if abs(value) > LARGEST:
            message = f"the weight of '{feature}' must be from -1e9 to 1e9, not {text}"
            raise InputError(message, path=name, line=number)
        if feature in weights:
            raise InputError(f"'{feature}' has a weight already", path=name, line=number)
        weights[feature] = value
    if not weights:
        raise InputError("there are no weights here", path=name)
    return weights


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights as numbers, refused if one is not a number.

    >>> check_weights({"LanguageModel": 1})
    {'LanguageModel': 1.0}
    """
    checked = {}
    for name, value in dict(weights).items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or value != value:
            raise UsageError(f"the weight of '{name}' must be a number, not {value!r:.40}")
        if abs(value) > LARGEST:
            raise UsageError(f"the weight of '{name}' must be from -1e9 to 1e9, not {value!r:.40}")
        checked[str(name)] = float(value)
    return checked


def write_weights(weights: Mapping[str, float], path: str | Path) -> None:
    """Write weights: JSON if the name ends in .json, else one `name value` per line.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "weights.txt")
    ...     write_weights({"Glue": -1.0}, path)
    ...     read_weights(path)
    {'Glue': -1.0}
    """
    checked = check_weights(weights)
    with packed_write(path) as file:
        if str(path).endswith((".json", ".json.gz")):
            file.write((json.dumps(checked, indent=2) + "\n").encode())
        else:
            file.writelines(f"{name} {value!r}\n".encode() for name, value in checked.items())
