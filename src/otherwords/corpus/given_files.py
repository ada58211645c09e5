"""What the options of a command name: parallel text files, WMT files, or files of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from otherwords.corpus.columns import Chosen
from otherwords.corpus.kinds import HEAD, TITLES, detect, looks_wmt, named_kind, sniff
from otherwords.corpus.parallel import read_parallel, split_name
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, open_bytes, paths_of

__all__ = ["SideBySide", "all_wmt", "first_row", "is_text", "read_inputs", "side_by_side"]


@dataclass(frozen=True)
class SideBySide:
    """Parallel files, one segment per line (text, CoNLL-U), or WMT files.

    A system is FILE or NAME=FILE.
    """

    systems: Sequence[str]
    references: Sequence[str] = ()
    source: str | None = None
    docs: str | None = None


def read_inputs(
    systems: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
    rows: Sequence[str] = (),
    columns: Chosen | None = None,
) -> Iterator[Row]:
    """The rows that the options of a command name: text or WMT files, or `--rows`."""
    systems, references, rows = map(paths_of, (systems, references, rows))
    if rows:
        if systems or references or source or docs:
            raise UsageError("--rows has everything; give no other files with it")
        if rows.count(STDIN) > 1:
            raise UsageError("standard input (-) can be read only once")
        from otherwords.corpus.inputs import read_rows

        return chain.from_iterable(map(partial(read_rows, columns=columns), rows))
    if columns:
        raise UsageError("--columns does nothing without --rows")
    if not systems:
        raise UsageError("no system output is given (files, - for standard input, or --rows)")
    return side_by_side(SideBySide(systems, references, source, docs))


def side_by_side(files: SideBySide) -> Iterator[Row]:
    """The rows of text or WMT files."""
    paths = [split_name(system)[1] for system in files.systems]
    given = [path for path in (*paths, *files.references, files.source) if path is not None]
    for path in given:
        _refuse_rows(path)
    if all_wmt(given, files.docs):
        return _wmt(files.systems, files.references, files.source)
    return read_parallel(files.systems, files.references, files.source, files.docs)


def _refuse_rows(path: str) -> None:
    """A file of rows among text files is surely not meant to be read line by line."""
    if not Path(path).is_file():
        return
    with open_bytes(path, parquet=True) as stream:
        found = sniff(stream.peek(HEAD))
    if found == "parquet" or (found == named_kind(path) and found not in ("conllu", "wmt")):
        raise UsageError(f"{path} is {TITLES[found]}, not text; give rows with --rows {path}")


def is_text(system: str, columns: Chosen | None = None) -> bool:
    """Whether FILE or NAME=FILE is text or CoNLL-U, one segment after the other, and not rows."""
    name, path = split_name(system)
    if name is not None or not Path(path).is_file():
        return name is not None
    with open_bytes(path, parquet=True) as stream:
        head = stream.peek(HEAD)
    return detect(path, head, columns) in ("text", "conllu") and head.lstrip()[:1] not in (
        b"{",
        b"[",
    )


def all_wmt(paths: Sequence[str], docs: str | None) -> bool:
    """Whether these are WMT files; they cannot be mixed with text, nor have other documents."""
    wmt = [path for path in paths if looks_wmt(path)]
    if wmt and len(wmt) != len(paths):
        plain = next(path for path in paths if path not in wmt)
        raise UsageError(f"{wmt[0]} is a WMT file but {plain} is not; they cannot be paired")
    if wmt and docs:
        raise UsageError("WMT files name their documents; --docs is for plain text")
    return bool(wmt)


def _wmt(systems: Sequence[str], references: Sequence[str], source: str | None) -> Iterator[Row]:
    from otherwords.corpus.wmt import read_wmt
    from otherwords.corpus.wmt import rows as wmt_rows

    if len(references) > 1:
        raise UsageError("give one WMT file of references; it may hold several of them")
    reference = read_wmt(references[0]) if references else None
    origin = read_wmt(source) if source else None
    for system in systems:
        name, path = split_name(system)
        file = read_wmt(path)
        if name is not None and len(file.systems) != 1:
            raise UsageError(f"{path} has {len(file.systems)} systems, which have names already")
        for row in wmt_rows(file, reference, origin):
            yield row if name is None else replace(row, system=name)


def first_row(rows: Iterable[Row]) -> tuple[Row, Iterator[Row]]:
    """The first row, to see what there is to compare with, and all of the rows."""
    iterator = iter(rows)
    first = next(iterator, None)
    if first is None:
        raise InputError("there is nothing to score: the files have no segments")
    return first, chain([first], iterator)
