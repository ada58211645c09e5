"""ARPA files, plain or gzip: the text format that n-gram toolkits exchange."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

from otherwords import _native
from otherwords.errors import InputError
from otherwords.io.files import BOM, atomic_write, read_bytes

__all__ = ["RESERVED", "read_arpa", "write_arpa"]

RESERVED = ("<unk>", "<s>", "</s>")  # words 0, 1 and 2 of every model
_BLOCK = 1 << 16  # n-grams that are written at a time


def read_arpa(path: str | Path) -> tuple[_native.NgramTable, list[str]]:
    """The n-grams of an ARPA file, and its words in the order of their hashes.

    Missing back-offs are 0, a missing `<unk>` has probability -100 (as in KenLM).
    """
    table, words, line, problem = _native.read_arpa(read_bytes(path).removeprefix(BOM))
    if table is None:
        raise InputError(problem, path=path, line=max(line, 1))
    return table, words


def write_arpa(path: str | Path, table: _native.NgramTable, words: list[str]) -> None:
    """Write an ARPA file, completely or not at all; gzip if its name ends in `.gz`."""
    with atomic_write(path) as out:
        if not str(path).endswith(".gz"):
            out.writelines(_blocks(table, words))
            return
        with gzip.GzipFile("", "wb", 6, out, mtime=0) as packed:
            packed.writelines(_blocks(table, words))


def _blocks(table: _native.NgramTable, words: list[str]) -> Iterator[bytes]:
    named = [*RESERVED, *words]
    counts = [f"ngram {length}={size}\n" for length, size in enumerate(table.sizes, 1)]
    yield ("\\data\\\n" + "".join(counts)).encode()
    for length, size in enumerate(table.sizes, 1):
        yield f"\n\\{length}-grams:\n".encode()
        for begin in range(0, size, _BLOCK):
            yield table.arpa_block(named, length, begin, begin + _BLOCK)
    yield b"\n\\end\\\n"
