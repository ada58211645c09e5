"""The files of a gate: one system, what it is compared with, and a baseline of any kind."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from otherwords.corpus.formats import Chosen, named_kind
from otherwords.corpus.inputs import read_inputs, read_rows
from otherwords.corpus.parallel import named_files, read_segments, split_name
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN
from otherwords.metrics.base import text_of
from otherwords.scoring.coverage import rows_by_system
from otherwords.scoring.gating.stored import is_stored
from otherwords.text.sentence import Text

__all__ = ["GateInput", "read_gate_input"]


@dataclass(frozen=True)
class GateInput:
    """The rows of the system; the baseline's rows, or the file that its scores are stored in."""

    name: str
    rows: list[Row]
    baseline_name: str = "baseline"
    baseline: list[Row] | str | None = None


def read_gate_input(
    system: str | None,
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
    rows: Sequence[str] = (),
    baseline: str | None = None,
    columns: Chosen | None = None,
) -> GateInput:
    """Read what a gate needs.

    `system` is FILE or NAME=FILE (text, WMT, or rows by its name: JSONL, CSV, ...), with `rows` the
    name of a system of these. `baseline` is a file of stored scores, another system's output, or
    with `rows` the name of another system. `columns` names the columns of rows.
    """
    file = None if baseline is None else split_name(baseline)[1]
    stored = file if file is not None and is_stored(file) else None
    if rows:
        found = read_inputs([], references, source, docs, rows, columns)
        return _from_rows(system, found, baseline, stored)
    if system is None:
        raise UsageError("no system output is given (a file, - for standard input, or --rows)")
    files = [system, *([baseline] if baseline is not None and stored is None else [])]
    named = named_files(files)
    if columns and not any(map(_has_rows, named.values())):
        raise UsageError("--columns does nothing without a file of rows")
    every = [path for path in (*references, source, docs) if path is not None]
    # The other files are read once with each system.
    if [*named.values(), *every * len(files)].count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    read = [
        _one_system(name, path, references, source, docs, columns) for name, path in named.items()
    ]
    names = list(named)
    if len(files) == 1:
        return GateInput(names[0], read[0], baseline=stored)
    return GateInput(names[0], read[0], names[1], read[1])


def _from_rows(
    system: str | None, rows: Iterable[Row], baseline: str | None, stored: str | None
) -> GateInput:
    by_system = rows_by_system(rows)
    if not by_system:
        raise InputError("there is nothing to score: the files have no segments")
    before = None if stored is not None else baseline
    for name in (system, before):
        if name is not None and name not in by_system:
            kind = " (nor is it a stored baseline)" if os.path.exists(name) else ""
            raise UsageError(f"the rows have no system '{name}'{kind}; {near(name, by_system)}")
    if system is None:
        rest = [name for name in by_system if name != before]
        if len(rest) != 1:
            listed = ", ".join(by_system)
            raise UsageError(f"name the system to check; the rows are of: {listed}")
        [system] = rest
    if system == before:
        raise UsageError(f"'{system}' cannot be its own baseline")
    if before is None:
        return GateInput(system, by_system[system], baseline=stored)
    return GateInput(system, by_system[system], before, by_system[before])


def _one_system(
    name: str,
    path: str,
    references: Sequence[str],
    source: str | None,
    docs: str | None,
    columns: Chosen | None,
) -> list[Row]:
    if _has_rows(path):
        rows = list(_with_texts(path, references, source, docs, columns))
    else:
        rows = list(read_inputs([path], references, source, docs))
    if not rows:
        raise InputError(f"there is nothing to score: {name} has no segments")
    systems = list(dict.fromkeys(row.system for row in rows))
    if len(systems) > 1:
        named = [*systems[:3], *["..."] * (len(systems) > 3)]
        raise UsageError(
            f"{path} has {len(systems)} systems ({', '.join(named)}), and one is checked; name it "
            "and give the file with --rows"
        )
    return [replace(row, system=name) for row in rows]


def _has_rows(path: str) -> bool:
    return named_kind(path) in ("jsonl", "json", "csv", "tsv", "parquet")


def _with_texts(
    path: str,
    references: Sequence[str],
    source: str | None,
    docs: str | None,
    columns: Chosen | None,
) -> Iterator[Row]:
    """Rows of a file, with references and source from text files of as many lines."""
    others = [*references, *(one for one in (source, docs) if one is not None)]
    readers = [read_segments(one) for one in others]
    number = 0
    for number, row in enumerate(read_rows(path, columns=columns), 1):
        texts = [
            _next(reader, file, number, path) for reader, file in zip(readers, others, strict=True)
        ]
        several, rest = tuple(texts[: len(references)]), texts[len(references) :]
        if references:
            row = replace(row, references=_same(row, "references", row.references, several))
        if source is not None:
            mine = () if row.source is None else (row.source,)
            row = replace(row, source=_same(row, "source", mine, (rest[0],))[0])
        if docs is not None:
            row = replace(row, doc=text_of(rest[-1]))
        yield row
    for reader, file in zip(readers, others, strict=True):
        if next(reader, None) is not None:
            message = f"there are {number} rows here and more segments in {file}"
            raise InputError(message, path=path)


def _next(reader: Iterator[Text], file: str, number: int, path: str) -> Text:
    found = next(reader, None)
    if found is None:
        message = f"there are {number - 1} segments here and more rows in {path}"
        raise InputError(message, path=file, line=number)
    return found


def _same(row: Row, what: str, mine: tuple[Text, ...], given: tuple[Text, ...]) -> tuple[Text, ...]:
    """Texts of a file, unless the row has its own."""
    if mine and mine != given:
        message = f"this row has its own {what}, which differs from the file that is given with it"
        raise InputError(message, path=row.path, line=row.line)
    return given
