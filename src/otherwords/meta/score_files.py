"""Judged rows, scores that other programs computed, and human scores of systems: their files."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from otherwords.corpus.columns import Chosen
from otherwords.corpus.inputs import has_pairs, read_pairs, read_rows
from otherwords.corpus.rows import Pair, Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN, paths_of, read_bytes, read_lines
from otherwords.meta.given import Given, Key, row_key
from otherwords.metrics.base import Metric

__all__ = ["read_given", "read_judged", "read_system_scores", "with_given"]

_NAMES = ("id", "system", "item")


def read_judged(paths: Sequence[str], columns: Chosen | None = None) -> list[Row] | list[Pair]:
    """The rows of files, or better/worse pairs if the first line is one."""
    paths = paths_of(paths)
    if STDIN in paths and len(paths) > 1:
        raise UsageError("standard input can be read once, and by itself")
    if paths and paths[0] != STDIN and has_pairs(paths[0], columns=columns):
        return list(chain.from_iterable(read_pairs(path, columns=columns) for path in paths))
    return list(chain.from_iterable(read_rows(path, columns=columns) for path in paths))


def with_given(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    paths: Sequence[str],
    lower_is_better: Collection[str] = (),
) -> dict[str, Metric]:
    """The metrics, and those of files of scores, by label."""
    found = dict(metrics)
    for path in paths:
        for label, metric in read_given(path, rows, lower=lower_is_better).items():
            if label in found:
                raise UsageError(f"{path}: there is another metric '{label}'; rename one of them")
            found[label] = metric
    outside = [label for label in found if label not in metrics]
    for name in lower_is_better:
        if not paths:
            raise UsageError("--lower-is-better goes with --scores")
        if name not in outside:
            raise UsageError(f"--lower-is-better: no --scores have '{name}'; {near(name, outside)}")
    return found


def read_given(path: str, rows: Sequence[Row], *, lower: Collection[str] = ()) -> dict[str, Given]:
    """The metrics of a TSV file with a header, or of a JSONL file, by their names.

    A line has `id`, or `system` and `item`, to name the row (`item` alone if there is one
    system), and one column per metric; one that is called `score` is named after the file. An empty
    cell or `null` is no score. Names of no row, and rows that come twice, are refused. `lower`
    are the metrics whose lower scores are better.
    """
    ids = {("", row.id) for row in rows if row.id is not None}
    known = ids | {row_key(row) for row in rows}
    alone = {row.system for row in rows} if len({row.system for row in rows}) == 1 else set()
    found: dict[str, dict[Key, float]] = {}
    seen: dict[Key, int] = {}
    for number, record in _records(path):
        key = _key(record, alone, path, number)
        if key not in known:
            shown = key[1] if key[0] == "" else f"{key[1]}' of system '{key[0]}"
            raise InputError(f"no row is called '{shown}'", path=path, line=number)
        if key in seen:
            message = f"this row has scores already, in line {seen[key]}"
            raise InputError(message, path=path, line=number)
        seen[key] = number
        for name, value in record.items():
            if name not in _NAMES:
                scores = found.setdefault(_stem(path) if name == "score" else name, {})
                if value is not None and value != "":
                    scores[key] = _number(name, value, path, number)
    if not seen:
        raise InputError("there are no scores here", path=path)
    if not any(found.values()):
        raise InputError("there is no column of scores beside the names", path=path, line=1)
    return {
        name: Given(name, scores, higher_is_better=name not in lower, source=Path(path).name)
        for name, scores in found.items()
    }


def read_system_scores(path: str) -> dict[str, float]:
    """Human scores by system: one JSON object of names and numbers."""
    content = read_bytes(path)
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a JSON object of systems and scores: {error}", path=path) from error
    if not isinstance(document, dict) or not document:
        raise InputError("not a JSON object of systems and scores", path=path)
    return {
        name: _number(name, value, path, None)
        for name, value in document.items()
        if value is not None
    }


def _records(path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Numbered lines as objects, whichever of the two formats the file has."""
    header: list[str] | None = None
    as_json = False
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        if header is None and not as_json:
            as_json = line.lstrip().startswith("{")
            if not as_json:
                header = _header(line, path, number)
                continue
        if as_json:
            yield number, _object(line, path, number)
        elif header is not None:
            cells = line.split("\t")
            if len(cells) != len(header):
                message = f"{len(cells)} columns here, but {len(header)} in the header"
                raise InputError(message, path=path, line=number)
            yield number, dict(zip(header, (cell.strip() for cell in cells), strict=True))


def _header(line: str, path: str, number: int) -> list[str]:
    header = [name.strip() for name in line.split("\t")]
    if "id" not in header and "item" not in header:
        wanted = "the header must name the columns, with id, or system and item, among them"
        raise InputError(f"{wanted}; found: {', '.join(header)[:100]}", path=path, line=number)
    if len(set(header)) != len(header) or not all(header):
        raise InputError("a column has no name, or two have the same", path=path, line=number)
    return header


def _object(line: str, path: str, number: int) -> Mapping[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", path=path, line=number) from error
    if not isinstance(record, dict):
        raise InputError("each line must be a JSON object", path=path, line=number)
    return record


def _key(record: Mapping[str, Any], alone: set[str], path: str, number: int) -> Key:
    """What the line is about."""
    names = {name: str(record[name]) for name in _NAMES if record.get(name) not in (None, "")}
    if "id" in names:
        return "", names["id"]
    if "item" in names and ("system" in names or alone):
        return names.get("system") or next(iter(alone)), names["item"]
    keys = near("id", record) if record else "the line is empty"
    raise InputError(f"no id, and no system and item; {keys}", path=path, line=number)


def _number(name: str, value: Any, path: str, line: int | None) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        shown = json.dumps(value, ensure_ascii=False, default=str)[:60]
        raise InputError(f"the score '{name}' is {shown}, not a number", path=path, line=line)
    return number


def _stem(path: str) -> str:
    return Path(path).name.split(".")[0] or "score"
