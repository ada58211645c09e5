"""Rows as JSON objects, one a line: the format that holds everything there is to score."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from otherwords.corpus.rows import Candidates, Judgement, Pair, Row
from otherwords.errors import InputError
from otherwords.io.files import read_lines

__all__ = ["has_pairs", "parse_row", "read_candidates", "read_jsonl", "read_pairs"]

T = TypeVar("T")

_MEANT = {
    "candidate": "hypothesis",
    "hyp": "hypothesis",
    "hypo": "hypothesis",
    "hypotheses": "hypothesis",
    "mt": "hypothesis",
    "output": "hypothesis",
    "paraphrase": "hypothesis",
    "prediction": "hypothesis",
    "translation": "hypothesis",
    "ref": "reference",
    "refs": "references",
    "src": "source",
    "sources": "source",
    "original": "source",
    "docid": "doc",
    "doc_id": "doc",
}
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}


def read_jsonl(path: str | Path) -> Iterator[Row]:
    """The rows of a JSONL file, one at a time.

    Keys: `hypothesis` (the only one that must be there), `references` (a list, or a single
    string) or `reference`, `source`, `system`, `item` or `id`, `doc`, `human` (name ->
    number), `judges` (a list of such objects, each with its `judge` if known), `systems` (a
    list), `langs`. `null` means not known, also within the list of references and among the human
    scores; other keys are ignored. Blank lines are skipped: a row stands for itself, so that
    nothing can slip out of step.
    """
    for number, line in _numbered(path):
        yield parse_row(line, str(path), number)


def read_candidates(path: str | Path) -> Iterator[Candidates]:
    """Sources with their candidates, in order of appearance; a file has lines of one form.

    A line is either `source` with `candidates` (a list) and, if there are any, `references`
    and `item` or `id`: such lines are read one at a time. Or it is a row with a `source`, as
    `read_jsonl` reads them: rows are grouped by the text of the source when all are read.
    """
    before: type | None = None
    by_source: dict[Any, list[Row]] = {}
    for number, line in _numbered(path):
        found = _parse(_candidates_or_row, line, str(path), number)
        if before not in (None, type(found)):
            message = "lines with 'candidates' and lines with 'hypothesis' are mixed; use one form"
            raise InputError(message, path=path, line=number)
        before = type(found)
        if isinstance(found, Candidates):
            yield found
        else:
            by_source.setdefault(found.source, []).append(found)
    if before is None:
        raise InputError("there are no candidates here", path=path)
    yield from (_grouped(rows) for rows in by_source.values())


def read_pairs(path: str | Path) -> Iterator[Pair]:
    """Better/worse judgements: `better` and `worse` instead of a hypothesis, with what both are
    compared with as in `read_jsonl`, and the `judge` if known.
    """
    for number, line in _numbered(path):
        yield _parse(_pair, line, str(path), number)


def has_pairs(path: str | Path) -> bool:
    """Whether the first line is a better/worse judgement and not a row."""
    for number, line in _numbered(path):
        value = _parse(lambda value, path, number: value, line, str(path), number)
        return "hypothesis" not in value and "better" in value
    return False


def _pair(value: dict[str, Any], path: str, number: int) -> Pair:
    for key in ("better", "worse"):
        if key not in value:
            raise _RowError("E203", f"no key '{key}'; {_keys(value)}")
    common = {key: found for key, found in value.items() if key not in ("better", "worse")}
    better, worse = (
        _row({**common, "hypothesis": _string(value, key)}, path, number)
        for key in ("better", "worse")
    )
    if common.get("item") is None:  # the id is of the pair, not of the segment
        better, worse = replace(better, item=None), replace(worse, item=None)
    return Pair(better, worse, _name(value, "judge"))


def _grouped(rows: list[Row]) -> Candidates:
    items = {row.item for row in rows}
    return Candidates(rows[0].source or "", tuple(rows), items.pop() if len(items) == 1 else None)


def _numbered(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(read_lines(path), 1):
        if line and not line.isspace():
            yield number, line


def parse_row(line: str, path: str, number: int) -> Row:
    """The row in one line of JSON.

    >>> parse_row('{"hypothesis": "A cat .", "references": "One cat .", "id": 7}', "a", 1)
    Row(hypothesis='A cat .', references=('One cat .',), source=None, system='system',
        item='7', doc=None, human={}, judges=(), systems=(), id='7', langs=None, path='a', line=1)
    """
    return _parse(_row, line, path, number)


def _parse(reader: Callable[[dict[str, Any], str, int], T], line: str, path: str, number: int) -> T:
    try:
        return reader(_object(line, number), path, number)
    except _RowError as error:
        raise InputError(
            error.message, path=path, line=number, column=error.column, code=error.code
        ) from error.__cause__


class _RowError(Exception):
    def __init__(self, code: str | None, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.column = code, message, column


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
        if "\\u" in line:  # only an escape can bring in half of a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        message = f"not JSON: {_looks_like(line, number) or error.msg}"
        raise _RowError("E201", message, error.colno) from error
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise _RowError("E206", f"{half} is half of a surrogate pair, not a character") from error
    except (RecursionError, ValueError) as error:
        raise _RowError("E201", "not JSON: nested too deep, or a number too long") from error
    if not isinstance(value, dict):
        hint = _looks_like(line, number)
        found = hint or f"found {_kind(value)}"
        raise _RowError("E202", f"each line must be a JSON object; {found}")
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


def _row(value: dict[str, Any], path: str, number: int) -> Row:
    if "hypothesis" not in value:
        raise _RowError("E203", f"no key 'hypothesis'; {_nearest(value)}")
    for key in value.keys() & _MEANT.keys():
        _refuse_alias(key, value)
    return Row(
        _string(value, "hypothesis"),
        _references(value),
        _string(value, "source", None),
        _string(value, "system", "system"),
        _name(value, "item") or _name(value, "id"),
        _name(value, "doc"),
        _human(value.get("human")),
        path,
        number,
        judges=_judges(value.get("judges")),
        systems=_systems(value.get("systems")),
        id=_label(value.get("id")),
        langs=_label(value.get("langs")),
    )


def _candidates_or_row(value: dict[str, Any], path: str, number: int) -> Candidates | Row:
    if "candidates" in value:
        return _candidates(value, path, number)
    if "hypothesis" not in value:
        raise _RowError("E203", f"no key 'candidates' (a list) or 'hypothesis'; {_keys(value)}")
    row = _row(value, path, number)
    if row.source is None:
        raise _RowError("E203", "no 'source': candidates are compared within their source")
    return row


def _candidates(value: dict[str, Any], path: str, number: int) -> Candidates:
    if "hypothesis" in value:
        raise _RowError(None, "both 'candidates' and 'hypothesis' are given; keep one")
    for key in value.keys() & _MEANT.keys():
        if _MEANT[key] != "hypothesis":
            _refuse_alias(key, value)
    source, texts, references = _string(value, "source"), value["candidates"], _references(value)
    if not isinstance(texts, list):
        raise _wrong("candidates", "a list of strings", texts)
    if not texts:
        raise _RowError(None, "the list of candidates is empty")
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise _wrong(f"candidates[{place}]", "a string", text)
    rows = tuple(Row(text, references, source, path=path, line=number) for text in texts)
    return Candidates(source, rows, _name(value, "item") or _name(value, "id"))


def _nearest(value: Mapping[str, Any]) -> str:
    known = [key for key in value if _MEANT.get(key.lower()) == "hypothesis"]
    known += difflib.get_close_matches("hypothesis", value, n=1)
    if known:
        return f"rename {known[0]!r} to 'hypothesis'?"
    return _keys(value)


def _keys(value: Mapping[str, Any]) -> str:
    return f"the keys are: {', '.join(map(repr, value))}"[:200] if value else "the object is empty"


def _refuse_alias(key: str, value: Mapping[str, Any]) -> None:
    """A key that was surely meant for one of ours must not be ignored in silence."""
    meant = _MEANT[key]
    present = {"reference", "references"} if meant.startswith("reference") else {meant}
    if not present & value.keys():
        raise _RowError("E207", f"the key '{key}' is not known; did you mean '{meant}'?")


def _string(value: Mapping[str, Any], key: str, default: Any = ...) -> Any:
    found = value.get(key)
    if isinstance(found, str):
        return found
    if found is None and default is not ...:
        return default
    raise _wrong(key, "a string", found)


def _name(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    if found is None or isinstance(found, str):
        return found
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    raise _wrong(key, "a string or a whole number", found)


def _label(found: Any) -> str | None:
    """A name that only some commands ask for: others must not fail for its sake."""
    return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else None


def _references(value: Mapping[str, Any]) -> tuple[str, ...]:
    many, one = value.get("references"), _string(value, "reference", None)
    if one is not None:
        if many is not None:
            raise _RowError("E208", "both 'reference' and 'references' are given; keep one")
        return (one,)
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


def _human(found: Any) -> dict[str, float]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _wrong("human", "an object of name and number", found)
    return _scores("human", found)


def _judges(found: Any) -> tuple[Judgement, ...]:
    if found is None:
        return ()
    if not isinstance(found, list):
        raise _wrong("judges", "a list of objects", found)
    return tuple(_judgement(f"judges[{place}]", one) for place, one in enumerate(found))


def _judgement(where: str, found: Any) -> Judgement:
    if not isinstance(found, dict):
        raise _wrong(where, "an object of name and number", found)
    scores = {name: score for name, score in found.items() if name != "judge"}
    return Judgement(_scores(where, scores), _name(found, "judge"))


def _systems(found: Any) -> tuple[str, ...]:
    if found is None:
        return ()
    if not isinstance(found, list):
        raise _wrong("systems", "a list of strings", found)
    for place, name in enumerate(found):
        if not isinstance(name, str):
            raise _wrong(f"systems[{place}]", "a string", name)
    return tuple(dict.fromkeys(found))


def _scores(where: str, found: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: _number(f"{where}[{name!r}]", score)
        for name, score in found.items()
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


def _wrong(key: str, wanted: str, found: Any) -> _RowError:
    return _RowError("E204", f"{key} must be {wanted}; found {_kind(found)}")


def _kind(found: Any) -> str:
    if found is None:
        return "null"
    if type(found) in _KINDS:
        return _KINDS[type(found)]
    return f"the number {found:.6g}" if isinstance(found, float) else "a whole number"
