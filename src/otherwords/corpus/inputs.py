"""Rows from whatever files a user has: text side by side, JSONL, WMT."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from otherwords.corpus.parallel import read_parallel, split_name
from otherwords.corpus.rows import Row
from otherwords.corpus.wmt import looks_wmt, read_wmt
from otherwords.corpus.wmt import rows as wmt_rows
from otherwords.errors import InputError, UsageError

__all__ = ["first_row", "read_rows"]


def read_rows(
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
    jsonl: Sequence[str] = (),
) -> Iterator[Row]:
    """The rows of text files that run side by side, of WMT files, or of JSONL.

    A system is FILE or NAME=FILE.
    """
    if jsonl:
        if systems or references or source or docs:
            raise UsageError("--jsonl rows carry everything; give no other files beside them")
        from otherwords.corpus.jsonl import read_jsonl

        return chain.from_iterable(read_jsonl(path) for path in jsonl)
    if not systems:
        raise UsageError("no system output is given (files, - for standard input, or --jsonl)")
    files = [split_name(system)[1] for system in systems]
    if all_wmt([path for path in (*files, *references, source) if path is not None], docs):
        return _wmt(systems, references, source)
    return read_parallel(systems, references, source, docs)


def all_wmt(paths: Sequence[str], docs: str | None) -> bool:
    """Whether these are WMT files; they cannot be mixed with text, nor have other documents."""
    wmt = [path for path in paths if looks_wmt(path)]
    if wmt and len(wmt) != len(paths):
        plain = next(path for path in paths if path not in wmt)
        raise UsageError(f"{wmt[0]} is a WMT file but {plain} is not; they cannot be paired")
    if wmt and docs:
        raise UsageError("WMT files know their documents; --docs is for plain text")
    return bool(wmt)


def _wmt(systems: Sequence[str], references: Sequence[str], source: str | None) -> Iterator[Row]:
    if len(references) > 1:
        raise UsageError("give one WMT file of references; it may hold several of them")
    reference = read_wmt(references[0]) if references else None
    origin = read_wmt(source) if source else None
    for system in systems:
        name, path = split_name(system)
        file = read_wmt(path)
        if name is not None and len(file.systems) != 1:
            raise UsageError(f"{path} has {len(file.systems)} systems with names of their own")
        for row in wmt_rows(file, reference, origin):
            yield row if name is None else replace(row, system=name)


def first_row(rows: Iterable[Row]) -> tuple[Row, Iterator[Row]]:
    """The first row, to see what there is to compare with, and all of the rows."""
    iterator = iter(rows)
    first = next(iterator, None)
    if first is None:
        raise InputError("there is nothing to score: the files have no segments")
    return first, chain([first], iterator)
