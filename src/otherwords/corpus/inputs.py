"""Rows and records from files of any format, frames, lists of mappings, and parallel files."""

from __future__ import annotations

import io
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from otherwords.corpus.formats import (
    HEAD,
    TITLES,
    Chosen,
    Columns,
    Format,
    check_kind,
    detect,
    named_kind,
    shown,
    sniff,
)
from otherwords.corpus.jsonl import (
    candidates_or_row,
    jsonl_records,
    pair_of,
    renamed,
    row_of,
)
from otherwords.corpus.parallel import find_eval_sets, read_parallel, split_name
from otherwords.corpus.records import (
    Record,
    cell_records,
    from_cells,
    from_strings,
    json_records,
    object_records,
    parquet_records,
)
from otherwords.corpus.rows import Candidates, Pair, Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN, lines_in, open_bytes, paths_of
from otherwords.io.values import DuplicateKeyError

_TABLES = ("csv", "tsv", "parquet")
_TEXTS = {"hypothesis", "candidates", "better"}


def read_rows(
    source: Any, *, format: Format | None = None, columns: Chosen | None = None
) -> Iterator[Row]:
    """The rows of a file, of an object with columns, or of a list of mappings; `read_inputs` reads
    parallel files.

    A file is JSONL, a JSON array, CSV, TSV, Parquet, or WMT XML or SGML, by its name or
    else by its content, unless `format` is given; a folder is a test set of mt-metrics-eval. An
    object with columns is a frame of pandas or Polars, a Hugging Face `Dataset`, an Arrow table, or
    a mapping of names to lists. `columns` names the column of a field (`{"hypothesis":
    "paraphrase"}`) if its name is not recognised.

    >>> rows = read_rows({"mt": ["a cat", "a dog"], "ref": ["the cat", "the dog"]})
    >>> [(row.hypothesis, row.references) for row in rows]
    [('a cat', ('the cat',)), ('a dog', ('the dog',))]
    """
    with closing(_open_source(source, format, columns)) as records:
        path = _title(source)
        for number, record in records:
            yield record if isinstance(record, Row) else row_of(record, path, number)


def read_records(
    source: Any, *, format: Format | None = None, columns: Chosen | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The numbered records of JSON, a table or an object, with columns renamed to fields. Other
    columns keep their names.
    """
    for number, record in _open_source(source, format, columns, others=True):
        if isinstance(record, Row):
            raise InputError("there are no records here", path=_title(source))
        yield number, record


def read_plain_records(source: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """The numbered records of JSON, a table or an object under their own names; they need not be
    rows.

    >>> list(read_plain_records([{"human": "pass", "judge": "fail"}]))
    [(1, {'human': 'pass', 'judge': 'fail'})]
    """
    records: Iterable[Record]
    if not isinstance(source, (str, Path)):
        records = object_records(source)
    else:
        with open_bytes(str(source), parquet=True) as stream:
            head = stream.peek(HEAD).lstrip()
            kind = named_kind(str(source)) or ("json" if head[:1] == b"[" else "jsonl")
            if kind == "wmt":
                message = f"this is {TITLES[kind]}; give JSONL, JSON, CSV, TSV or Parquet"
                raise InputError(message, path=str(source), code="E212")
            records = list(records_of(stream, str(source), kind))
    for number, record in records:
        if isinstance(record, InputError):
            raise record
        yield number, record


def read_records_or_rows(
    path: str, columns: Chosen | None = None
) -> Iterator[tuple[int, dict[str, Any] | Row]]:
    """As `read_records`, but rows for formats that have only rows (WMT)."""
    return _open_source(path, None, columns, others=True)


def read_pairs(source: Any, *, columns: Chosen | None = None) -> Iterator[Pair]:
    """Better/worse judgements: `better` and `worse` instead of a hypothesis, the `judge` if known,
    and the other fields of `read_rows`.

    >>> [pair] = read_pairs([{"better": "a cat", "worse": "cat a", "reference": "the cat"}])
    >>> pair.better.hypothesis, pair.worse.hypothesis
    ('a cat', 'cat a')
    """
    for number, record in read_records(source, columns=columns):
        yield pair_of(record, _title(source), number)


def has_pairs(source: Any, *, columns: Chosen | None = None) -> bool:
    """Whether the first record is a better/worse judgement and not a row."""
    with closing(_open_source(source, None, columns)) as records:
        for _, record in records:
            return not isinstance(record, Row) and (
                "hypothesis" not in record and "better" in record
            )
    return False


def read_candidates(source: Any, *, columns: Chosen | None = None) -> Iterator[Candidates]:
    """Sources with their candidates, in order of appearance; a file has records of one form.

    A record either has a `source` and `candidates` (a list), and may have `references` and `item`
    or `id`; such records are read one at a time. Or it is a row with a `source`, as in `read_rows`;
    rows are grouped by the text of the source after all are read.

    >>> [found] = read_candidates([{"source": "a cat", "candidates": ["one cat", "a dog"]}])
    >>> [row.hypothesis for row in found.rows]
    ['one cat', 'a dog']
    """
    before: type | None = None
    by_source: dict[Any, list[Row]] = {}
    path = _title(source)
    for number, record in _open_source(source, None, columns):
        entry = record if isinstance(record, Row) else candidates_or_row(record, path, number)
        if before not in (None, type(entry)):
            message = "lines with 'candidates' and lines with 'hypothesis' are mixed; use one form"
            raise InputError(message, path=path, line=number)
        before = type(entry)
        if isinstance(entry, Candidates):
            yield entry
        elif entry.source is None:
            raise InputError("no 'source': candidates are compared within it", path=path)
        else:
            by_source.setdefault(entry.source, []).append(entry)
    if before is None:
        raise InputError("there are no candidates here", path=path)
    yield from (_group(rows) for rows in by_source.values())


def _group(rows: list[Row]) -> Candidates:
    items = {row.item for row in rows}
    return Candidates(rows[0].source or "", tuple(rows), items.pop() if len(items) == 1 else None)


def _title(source: Any) -> str:
    return str(source) if isinstance(source, (str, Path)) else type(source).__name__


def _open_source(
    source: Any, format: Format | None, columns: Chosen | None, *, others: bool = False
) -> Generator[tuple[int, dict[str, Any] | Row]]:
    """Records with columns renamed to fields, or rows for formats that have only rows."""
    names = Columns(columns or {})
    if not isinstance(source, (str, Path)):
        if format is not None:
            raise UsageError("format is for files; leave it out for an object")
        yield from _name_fields(object_records(source), names, _title(source), "object")
        return
    path = str(source)
    if format is not None and format not in TITLES:
        raise UsageError(f"unknown format '{format}'; {near(format, TITLES)}")
    if not Path(path).is_file() and (sets := find_eval_sets(path, columns)):
        yield from enumerate(chain.from_iterable(eval_set.rows() for eval_set in sets), 1)
        return
    with open_bytes(path, parquet=True) as stream:
        head = stream.peek(HEAD)
        kind = format or detect(path, head, columns)
        check_kind(path, kind, head)
        if kind == "text" and head.lstrip()[:1] in (b"", b"{"):
            kind = "jsonl"  # empty, or an object without a hypothesis
        if kind == "wmt":
            from otherwords.corpus import wmt

            yield from enumerate(wmt.rows(wmt.wmt_of(stream.read(), path)), 1)
        elif kind == "text":
            advice = "give it as a system output, as references or as a source, or add a header"
            message = f"this is text, not rows: {advice}"
            raise InputError(message, path=path, line=1, code="E212")
        else:
            used = None if others else names
            yield from _name_fields(records_of(stream, path, kind, used), names, path, kind)


def records_of(
    stream: io.BufferedReader, path: str, kind: Format, names: Columns | None = None
) -> Iterator[Record]:
    """The records of an open file; without `names` all columns are read."""
    if kind == "parquet":
        return parquet_records(stream, path, *([names.used] if names else []))
    lines = lines_in(stream, path)
    if kind == "json":
        return json_records("\n".join(lines), path)
    numbered = enumerate(lines, 1)
    return jsonl_records(numbered, path) if kind == "jsonl" else cell_records(numbered, path, kind)


def _name_fields(
    records: Iterable[Record], names: Columns, path: str, kind: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    for place, (number, record) in enumerate(records):
        if isinstance(record, InputError):
            raise record
        yield number, fields_of(record, names, path, number, kind, first=not place)


def fields_of(
    record: dict[str, Any],
    names: Columns,
    path: str,
    number: int,
    kind: str,
    *,
    first: bool = False,
) -> dict[str, Any]:
    """Rename a record's columns to fields and parse its cells; `first` checks for a hypothesis."""
    fields = renamed(record, names, path, number)
    if first and kind in (*_TABLES, "object") and _TEXTS.isdisjoint(fields):
        advice = "choose with `columns` hypothesis=NAME"
        advice = "rename one of them" if kind == "object" else advice
        message = f"no column is named 'hypothesis'; {shown(record)}; {advice}"
        raise InputError(message, path=path, line=1, code="E203")
    try:
        if kind in ("csv", "tsv"):
            return from_cells(fields)
        return from_strings(fields) if kind in ("parquet", "object") else fields
    except DuplicateKeyError as error:
        raise InputError(str(error), path=path, line=number, code="E215") from error


def read_inputs(
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
    rows: Sequence[str] = (),
    columns: Chosen | None = None,
) -> Iterator[Row]:
    """The rows that a command's options name: parallel text, one segment per line, or WMT files; or
    `--rows`. A system is FILE or NAME=FILE.
    """
    systems, references, rows = map(paths_of, (systems, references, rows))
    if rows:
        if systems or references or source or docs:
            raise UsageError("`rows` has everything; give no other files with it")
        if rows.count(STDIN) > 1:
            raise UsageError("standard input (-) can be read only once")

        return chain.from_iterable(map(partial(read_rows, columns=columns), rows))
    if columns:
        raise UsageError("`columns` does nothing without `rows`")
    if not systems:
        raise UsageError("no system output is given (files, - for standard input, or `rows`)")
    paths = [split_name(system)[1] for system in systems]
    if all_wmt([path for path in (*paths, *references, source) if path is not None], docs):
        return _wmt(systems, references, source)
    return read_parallel(systems, references, source, docs)


def is_text(system: str, columns: Chosen | None = None) -> bool:
    """Whether FILE or NAME=FILE is text rather than rows."""
    name, path = split_name(system)
    if name is not None or not Path(path).is_file():
        return name is not None
    with open_bytes(path, parquet=True) as stream:
        head = stream.peek(HEAD)
    return detect(path, head, columns) == "text" and head.lstrip()[:1] not in (b"{", b"[")


def all_wmt(paths: Sequence[str], docs: str | None) -> bool:
    """Whether all are WMT files, which cannot be mixed with text or have a file of documents."""
    wmt = [path for path in paths if _is_wmt_or_text(path)]
    if wmt and len(wmt) != len(paths):
        plain = next(path for path in paths if path not in wmt)
        raise UsageError(f"{wmt[0]} is a WMT file but {plain} is not; they cannot be paired")
    if wmt and docs:
        raise UsageError("WMT files name their documents; `docs` is for plain text")
    return bool(wmt)


def _is_wmt_or_text(path: str) -> bool:
    """Whether a file is WMT XML or SGML, by its content; a pipe, which is read once, by its name.

    A file of rows is refused.
    """
    if not Path(path).is_file():
        return named_kind(path) == "wmt"
    with open_bytes(path, parquet=True) as stream:
        kind = sniff(stream.peek(HEAD))
    if kind == "parquet" or (kind == named_kind(path) and kind != "wmt"):
        raise UsageError(f"{path} is {TITLES[kind]}, not text; give rows with `rows` {path}")
    return kind == "wmt"


def _wmt(systems: Sequence[str], references: Sequence[str], source: str | None) -> Iterator[Row]:
    from otherwords.corpus import wmt

    translations = [wmt.read_wmt(path) for path in references]
    for translation in translations:
        if not translation.references:
            message = "no references here; they must be in <ref> or <refset>"
            raise InputError(message, path=translation.path, code="E406")
    origin = wmt.read_wmt(source) if source else None
    for system in systems:
        name, path = split_name(system)
        file = wmt.read_wmt(path)
        if name is not None and len(file.systems) != 1:
            raise UsageError(f"{path} has {len(file.systems)} systems, which have names already")
        for row in wmt.rows(file, translations, origin):
            yield row if name is None else replace(row, system=name)


def first_row(rows: Iterable[Row]) -> tuple[Row, Iterator[Row]]:
    """Peek at the first row; returns it and all rows."""
    iterator = iter(rows)
    first = next(iterator, None)
    if first is None:
        raise InputError("there is nothing to score: the files have no segments")
    return first, chain([first], iterator)
