"""Rows as JSON objects, one per line: the format that can hold every field."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from otherwords.corpus.formats import Columns
from otherwords.corpus.records import Record, json_fault
from otherwords.corpus.rows import Candidates, Judgement, Pair, Row
from otherwords.errors import InputError
from otherwords.io.values import DuplicateKeyError, load_json

T = TypeVar("T")

# Names that probably mean a field, but are too vague to be accepted silently.
_VAGUE = {
    "hypo": "hypothesis",
    "hypotheses": "hypothesis",
    "paraphrase": "hypothesis",
    "translation": "hypothesis",
    "sources": "source",
    "original": "source",
}
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}


def _pair(record: dict[str, Any], path: str, number: int) -> Pair:
    for key in ("better", "worse"):
        if key not in record:
            raise _RowError("E203", f"no key '{key}'; {_keys(record)}")
    common = {key: value for key, value in record.items() if key not in ("better", "worse")}
    better, worse = (
        _row({**common, "hypothesis": _string(record, key)}, path, number)
        for key in ("better", "worse")
    )
    if common.get("item") is None:  # the id names the pair, not the segment
        better, worse = replace(better, item=None), replace(worse, item=None)
    return Pair(better, worse, _name(record, "judge"))


def jsonl_records(lines: Iterable[tuple[int, str]], path: str) -> Iterator[Record]:
    """The object of each line that is not blank, or the error in it."""
    for number, line in lines:
        if line and not line.isspace():
            try:
                yield number, _object(line, number)
            except _RowError as error:
                yield number, error.at(path, number)


def renamed(record: dict[str, Any], columns: Columns, path: str, number: int) -> dict[str, Any]:
    """Rename a record's columns to fields; a name that probably means one is refused."""
    try:
        fields = columns.renamed(record)
    except InputError as error:
        raise InputError(error.message, path=path, line=number, code=error.code) from error
    if not columns.chosen and not fields.keys().isdisjoint(("hypothesis", "candidates", "better")):
        for key in sorted(record.keys() & _VAGUE.keys()):
            meant = _VAGUE[key]
            if meant != "hypothesis" and meant not in fields:
                advice = f"did you mean '{meant}'? (--columns {meant}={key})"
                message = f"the key '{key}' is not known; {advice}"
                raise InputError(message, path=path, line=number, code="E207")
    return fields


def row_of(record: dict[str, Any], path: str, number: int) -> Row:
    """Make a row from a record."""
    return _parse(_row, record, path, number)


def pair_of(record: dict[str, Any], path: str, number: int) -> Pair:
    """Make a better/worse judgement from a record."""
    return _parse(_pair, record, path, number)


def candidates_or_row(record: dict[str, Any], path: str, number: int) -> Candidates | Row:
    """Make a source with its candidates, or a row, from a record."""
    return _parse(_candidates_or_row, record, path, number)


def _parse(
    reader: Callable[[dict[str, Any], str, int], T], record: dict[str, Any], path: str, number: int
) -> T:
    try:
        return reader(record, path, number)
    except _RowError as error:
        raise error.at(path, number) from error.__cause__


class _RowError(Exception):
    def __init__(self, code: str | None, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.column = code, message, column

    def at(self, path: str, line: int) -> InputError:
        """The error as users see it."""
        return InputError(self.message, path=path, line=line, column=self.column, code=self.code)


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        value = load_json(line)
        if "\\u" in line:  # only an escape can contain half of a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        message = f"not JSON: {_looks_like(line, number) or json_fault(error)}"
        raise _RowError("E201", message, error.colno) from error
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise _RowError("E206", f"{half} is half of a surrogate pair, not a character") from error
    except DuplicateKeyError as error:
        raise _RowError("E215", str(error)) from error
    except (RecursionError, ValueError) as error:
        raise _RowError("E201", "not JSON: nested too deep, or a number too long") from error
    if not isinstance(value, dict):
        hint = _looks_like(line, number)
        problem = hint or f"found {_kind(value)}"
        raise _RowError("E202", f"each line must be a JSON object; {problem}")
    return value


def _looks_like(line: str, number: int) -> str | None:
    start = line.lstrip()
    if number == 1 and start.startswith("["):
        return "this looks like a JSON array; make it JSONL, for example with jq -c '.[]'"
    if number == 1 and start.rstrip() == "{":
        return "this looks like indented JSON; put each object on one line, as jq -c . does"
    if start.startswith("<"):
        return "this looks like XML"
    return None


def _row(record: dict[str, Any], path: str, number: int) -> Row:
    if "hypothesis" not in record:
        raise _RowError("E203", f"no key 'hypothesis'; {_nearest(record)}")
    return Row(
        _string(record, "hypothesis"),
        _references(record),
        _string(record, "source", None),
        _string(record, "system", "system"),
        _name(record, "item") or _name(record, "id"),
        _name(record, "doc"),
        _human(record.get("human")),
        path,
        number,
        judges=_judges(record.get("judges")),
        systems=_systems(record.get("systems")),
        id=_label(record.get("id")),
        langs=_label(record.get("langs")),
    )


def _candidates_or_row(record: dict[str, Any], path: str, number: int) -> Candidates | Row:
    if "candidates" in record:
        return _candidates(record, path, number)
    if "hypothesis" not in record:
        raise _RowError("E203", f"no key 'candidates' (a list) or 'hypothesis'; {_keys(record)}")
    row = _row(record, path, number)
    if row.source is None:
        raise _RowError("E203", "no 'source': candidates are compared within their source")
    return row


def _candidates(record: dict[str, Any], path: str, number: int) -> Candidates:
    if "hypothesis" in record:
        raise _RowError(None, "both 'candidates' and 'hypothesis' are given; keep one")
    source, texts, references = _string(record, "source"), record["candidates"], _references(record)
    if not isinstance(texts, list):
        raise _wrong("candidates", "a list of strings", texts)
    if not texts:
        raise _RowError(None, "the list of candidates is empty")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise _wrong(f"candidates[{place}]", "a string", text)
    rows = tuple(Row(text, references, source, path=path, line=number) for text in texts)
    return Candidates(source, rows, _name(record, "item") or _name(record, "id"))


def _nearest(record: Mapping[str, Any]) -> str:
    known = [key for key in record if _VAGUE.get(key.lower()) == "hypothesis"]
    import difflib  # a slow import

    known += difflib.get_close_matches("hypothesis", record, n=1)
    if known:
        return f"rename {known[0]!r} to 'hypothesis'? (or `columns` hypothesis={known[0]})"
    return _keys(record)


def _keys(record: Mapping[str, Any]) -> str:
    return (
        f"the keys are: {', '.join(map(repr, record))}"[:200] if record else "the object is empty"
    )


def _string(record: Mapping[str, Any], key: str, default: Any = ...) -> Any:
    value = record.get(key)
    if isinstance(value, str):
        return value
    if value is None and default is not ...:
        return default
    raise _wrong(key, "a string", value)


def _name(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise _wrong(key, "a string or a whole number", value)


def _label(value: Any) -> str | None:
    """A name that only some commands need; others must not fail because of it."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _references(record: Mapping[str, Any]) -> tuple[str, ...]:
    many, single = record.get("references"), _string(record, "reference", None)
    if single is not None:
        if many is not None:
            raise _RowError("E208", "both 'reference' and 'references' are given; keep one")
        return (single,)
    if many is None:
        return ()
    if isinstance(many, str):
        return (many,)
    if not isinstance(many, list):
        raise _wrong("references", "a list of strings", many)
    for position, text in enumerate(many):
        if text is not None and not isinstance(text, str):
            raise _wrong(f"references[{position}]", "a string or null", text)
    return tuple(text for text in many if text is not None)


def _human(value: Any) -> dict[str, float]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong("human", "an object of name and number", value)
    return _scores("human", value)


def _judges(value: Any) -> tuple[Judgement, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong("judges", "a list of objects", value)
    return tuple(_judgement(f"judges[{place}]", judgement) for place, judgement in enumerate(value))


def _judgement(where: str, value: Any) -> Judgement:
    if not isinstance(value, dict):
        raise _wrong(where, "an object of name and number", value)
    scores = {name: score for name, score in value.items() if name != "judge"}
    return Judgement(_scores(where, scores), _name(value, "judge"))


def _systems(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong("systems", "a list of strings", value)
    for place, name in enumerate(value):
        if not isinstance(name, str):
            raise _wrong(f"systems[{place}]", "a string", name)
    return tuple(dict.fromkeys(value))


def _scores(where: str, value: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: _number(f"{where}[{name!r}]", score)
        for name, score in value.items()
        if score is not None
    }


def _number(where: str, score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise _wrong(where, "a number", score)
    try:
        number = float(score)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _RowError("E205", f"{where} is {number}; a score must be a finite number")
    return number


def _wrong(key: str, wanted: str, value: Any) -> _RowError:
    return _RowError("E204", f"{key} must be {wanted}; found {_kind(value)}")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if type(value) in _KINDS:
        return _KINDS[type(value)]
    if isinstance(value, float):
        return f"the number {value:.6g}"
    return "a whole number" if isinstance(value, int) else f"{type(value).__name__}"
