"""Grammars as text: Joshua's, Thrax's and PPDB's lines, plain or `.gz`, one at a time."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherwords import _build
from otherwords.build.engine.parquet import is_parquet
from otherwords.build.grammar.rule import (
    Rule,
    alignment_text,
    checked_sides,
    parse_alignment,
    parse_features,
    parse_lhs,
    parse_rule,
    split_fields,
    words_of,
)
from otherwords.build.grammar.table import Grammar, rule_schema, write_grammar
from otherwords.errors import InputError
from otherwords.io.files import STDIN, open_bytes, packed_write, read_lines, starts_with
from otherwords.io.processes import working_folder
from otherwords.models.container import MAGIC
from otherwords.models.strings import Strings

__all__ = [
    "batch_lines",
    "batch_text",
    "grammar_of",
    "read_grammar",
    "read_rules",
    "text_chunks",
    "write_rules",
]

BATCH = 1 << 16
_CHUNK = 1 << 13  # lines of text in memory at a time
_MOST_FEATURES = 1000
TEXTS = ("lhs", "source", "target", "alignment", "relation")  # columns before the features


def read_rules(path: str | Path) -> Iterator[Rule]:
    """The rules of a text file, one at a time; empty lines are skipped.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "grammar.txt")
    ...     _ = path.write_text('[X] ||| put off ||| postponed ||| p=0.5\\n')
    ...     [dict(rule.features) for rule in read_rules(path)]
    [{'p': 0.5}]
    """
    name = str(path)
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            try:
                yield parse_rule(line)
            except InputError as error:
                raise InputError(error.message, path=name, line=number) from error


def write_rules(rules: Iterable[Rule], path: str | Path) -> None:
    """Write rules as text, packed if the name ends with `.gz`."""
    with packed_write(path) as file:
        for rule in rules:
            file.write(f"{rule}\n".encode())


def grammar_of(path: str | Path, folder: str | Path) -> Grammar:
    """A grammar from a Parquet file, or from text by way of a Parquet file in `folder`."""
    name = str(path)
    if is_parquet(name):
        return Grammar.open(path)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".parquet", delete=False) as file:
        return read_grammar(path, file.name)


def read_grammar(path: str | Path, parquet: str | Path) -> Grammar:
    """Turn a grammar of text into a Parquet file, never holding more than a block of it.

    The file is read twice, first for the names of its features.
    """
    if starts_with(str(path), MAGIC):
        what = "this is an index of a grammar, which has no features; `paradigm coverage` takes it"
        raise InputError(what, path=str(path))
    if str(path) != STDIN:
        return _read_grammar(str(path), str(path), parquet)
    with working_folder() as folder:
        copy = folder / "copy"
        with open_bytes(path) as lines, copy.open("wb") as out:
            shutil.copyfileobj(lines, out)
        return _read_grammar(str(copy), STDIN, parquet)


def _read_grammar(path: str, name: str, parquet: str | Path) -> Grammar:
    features = _feature_names(path, name)
    metadata = {"signature": "grammar-text|v:1"}
    made = write_grammar(_batches(path, name, features), parquet, features, metadata)
    return replace(made, name=name)


def _feature_names(path: str, name: str) -> tuple[str, ...]:
    """All names of features, in the order in which they come."""
    names: dict[str, None] = {}
    known: set[tuple[str, ...]] = set()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            fields = split_fields(line)
            found = _names(fields[3]) if len(fields) > 3 else ()
        except InputError as error:
            raise InputError(error.message, path=name, line=number) from error
        if found not in known:
            names.update(dict.fromkeys(found))
            if len(known) < _MOST_FEATURES:
                known.add(found)
        if len(names) > _MOST_FEATURES:
            message = f"there are more than {_MOST_FEATURES} different features"
            raise InputError(message, path=name, line=number)
    return tuple(names)


def _names(text: str) -> tuple[str, ...]:
    words = words_of(text)
    if "=" not in text:
        return tuple(map(str, range(len(words))))
    return tuple(word.rpartition("=")[0] or str(place) for place, word in enumerate(words))


def _batches(path: str, name: str, features: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    rows: list[tuple[Any, ...]] = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            rows.append(_row(line, features))
        except InputError as error:
            raise InputError(error.message, path=name, line=number) from error
        if len(rows) == BATCH:
            yield _batch(rows, features)
            rows = []
    yield _batch(rows, features)


def _row(line: str, features: tuple[str, ...]) -> tuple[Any, ...]:
    fields = split_fields(line)
    source, target = checked_sides(fields[1], fields[2])
    links = alignment_text(parse_alignment(fields[4])) if len(fields) > 4 and fields[4] else ""
    relation = (fields[5] or None) if len(fields) > 5 else None
    values = _values(fields[3], features) if len(fields) > 3 else [None] * len(features)
    return (parse_lhs(fields[0]), source, target, links, relation, *values)


def _values(text: str, features: tuple[str, ...]) -> list[float | None]:
    """The values of a line's features in the order of `features`."""
    if "=" not in text:
        try:
            values = [float(word) for word in words_of(text)]
        except ValueError:
            values = [math.nan]  # refused below
        if all(map(math.isfinite, values)) and _are_places(features):
            return [*values, *[None] * (len(features) - len(values))]
    named = parse_features(text)
    return [named.get(feature) for feature in features]


@lru_cache(16)
def _are_places(features: tuple[str, ...]) -> bool:
    return features == tuple(str(place) for place in range(len(features)))


def _batch(rows: list[tuple[Any, ...]], features: Sequence[str]) -> pa.RecordBatch:
    schema = rule_schema(features)
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    arrays = [pa.array(list(one), kind.type) for one, kind in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def batch_text(batch: pa.RecordBatch, features: Sequence[str]) -> bytes:
    """The lines of the rows of a grammar, each with its end."""
    texts = [Strings.of(batch[name].fill_null("")) for name in TEXTS]
    values = [
        column.fill_null(math.nan).to_numpy(zero_copy_only=False)
        for column in batch.columns[len(TEXTS) :]
    ]
    columns = [(text.bytes, text.bounds) for text in texts]
    return _build.rule_lines(columns, list(features), values)


def text_chunks(batches: Iterable[pa.RecordBatch], features: Sequence[str]) -> Iterator[bytes]:
    """The lines of the rows of a grammar, many at a time."""
    schema = rule_schema(features)
    for batch in batches:
        rows = batch.cast(schema)
        for start in range(0, len(rows), _CHUNK):
            yield batch_text(rows.slice(start, _CHUNK), features)


def batch_lines(batch: pa.RecordBatch, features: Sequence[str]) -> list[str]:
    """The lines of the rows of a grammar.

    >>> from otherwords.build.grammar.table import rule_schema
    >>> rows = [{"lhs": "X", "source": "a", "target": "b", "f0": 1.0, "f1": 0.25}]
    >>> batch_lines(pa.RecordBatch.from_pylist(rows, schema=rule_schema(["p", "q"])), ["p", "q"])
    ['[X] ||| a ||| b ||| p=1 q=0.25']
    """
    return batch_text(batch, features).decode().split("\n")[:-1]
