"""Recognises the format of a file by its name and its first bytes."""

from __future__ import annotations

import csv
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Literal

from otherwords.corpus.columns import Chosen, Columns
from otherwords.errors import InputError
from otherwords.io.files import BOM, PARQUET, read_bytes

__all__ = [
    "HEAD",
    "Format",
    "check_kind",
    "delimiter_of",
    "detect",
    "is_wmt",
    "looks_wmt",
    "named_kind",
    "sniff",
]

Format = Literal["text", "jsonl", "json", "csv", "tsv", "parquet", "conllu", "wmt"]

TITLES: dict[Format, str] = {
    "text": "text with one segment per line",
    "jsonl": "JSONL",
    "json": "a JSON array",
    "csv": "CSV",
    "tsv": "TSV",
    "parquet": "Parquet",
    "conllu": "CoNLL-U",
    "wmt": "XML or SGML",
}
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".conllu": "conllu",
    ".sgm": "wmt",
    ".sgml": "wmt",
    ".xml": "wmt",
}
_ENDING = {format: ending for ending, format in reversed(_ENDINGS.items())}
_JSONL = re.compile(rb'\s*\{.*"hypothesis"\s*:', re.DOTALL)
_ARRAY = re.compile(rb"\s*\[\s*(\{|\]\s*$)")
_CONLLU = re.compile(rb"\s*(#[^\n]*\n)*1(-[0-9]+)?\t([^\t\n]*\t){8}")
_WMT = re.compile(rb"<(dataset|refset|srcset|tstset|mteval)\b")
_TEXTS = {"hypothesis", "better", "candidates"}
HEAD = 4096  # bytes that show what a file is


def named_kind(name: str) -> Format | None:
    """The format that the name of a file ends in.

    >>> named_kind("sys.jsonl.gz"), named_kind("a.txt")
    ('jsonl', None)
    """
    stem = name.lower().removesuffix(".gz")
    return next((format for end, format in _ENDINGS.items() if stem.endswith(end)), None)


def is_wmt(path_or_head: str | Path | bytes) -> bool:
    """Whether a file, or the first bytes of one, is WMT XML or mteval SGML, by its content.

    Give the bytes where the file cannot be read twice (a pipe, standard input).

    >>> is_wmt(b'<refset setid="test" trglang="en">'), is_wmt(b"<unk> is unknown")
    (True, False)
    """
    head = path_or_head if isinstance(path_or_head, bytes) else read_bytes(path_or_head, HEAD)
    head = head.removeprefix(BOM).lstrip().lower()
    return head.startswith(b"<?xml") or (head.startswith(b"<") and bool(_WMT.search(head)))


def looks_wmt(path: str) -> bool:
    """Whether a file is one of these: by content, or a pipe (it is read but once) by name."""
    if Path(path).is_file():
        return is_wmt(path)
    return path.endswith((".xml", ".sgm", ".sgml"))


def sniff(head: bytes, columns: Chosen | None = None) -> Format:
    """The format that the first bytes of a file look like; `text` where they look like none.

    A table is one if a name in its first line is that of a hypothesis.

    >>> sniff(b"src,mt,ref\\nx,y,z\\n"), sniff(b'[{"hypothesis": "a"}]'), sniff(b"Yes, mt.\\n")
    ('csv', 'json', 'text')
    """
    if head.startswith(PARQUET):
        return "parquet"
    head = head.removeprefix(BOM)
    if is_wmt(head):
        return "wmt"
    if _ARRAY.match(head):
        return "json"
    if _JSONL.match(head) or _is_row(head, columns):
        return "jsonl"
    return "conllu" if _CONLLU.match(head) else _table(head, columns) or "text"


def detect(name: str, head: bytes, columns: Chosen | None = None) -> Format:
    """The format that the name ends in, or else that the content looks like.

    >>> detect("sys.jsonl.gz", b""), detect("-", b'<tstset setid="x">'), detect("a.txt", b"Hi")
    ('jsonl', 'wmt', 'text')
    """
    named, found = named_kind(name), sniff(head, columns)
    return "json" if named == "jsonl" and found == "json" else named or found


def check_kind(name: str, format: Format, head: bytes) -> None:
    """Refuse content that is plainly of another format than this.

    >>> check_kind("rows.jsonl", "jsonl", b"source,hypothesis\\na,b\\n")
    Traceback (most recent call last):
    ...
    otherwords.errors.InputError: rows.jsonl:1: this is CSV, not JSONL; let its name end in .csv
    """
    found = sniff(head)
    if format == "parquet" and found == "text" and head:
        raise InputError("this is not Parquet", path=name, line=1, code="E212")
    if found not in ("text", format) and {found, format} != {"jsonl", "json"}:
        advice = f"let its name end in {_ENDING[found]}"
        message = f"this is {TITLES[found]}, not {TITLES[format]}; {advice}"
        raise InputError(message, path=name, line=1, code="E212")


def delimiter_of(header: str, format: Format) -> str:
    """What separates the cells: a tab in TSV; in CSV a comma, or `;` if there is no comma."""
    if format == "tsv":
        return "\t"
    return ";" if ";" in header and "," not in header else ","


def _is_row(head: bytes, columns: Chosen | None) -> bool:
    """Whether the first line is a JSON object that has a hypothesis by another name."""
    if not head.lstrip().startswith(b"{"):
        return False
    try:
        value = json.loads(head.lstrip().split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and _has_text(list(value), columns)


def _table(head: bytes, columns: Chosen | None) -> Format | None:
    line = head.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    tables: tuple[Format, ...] = ("tsv", "csv")
    for format in tables:
        mark = delimiter_of(line, format)
        with suppress(csv.Error):  # a CR inside a line, a field without an end
            if mark in line and _has_text(next(csv.reader([line], delimiter=mark), []), columns):
                return format
    return None


def _has_text(names: list[str], columns: Chosen | None) -> bool:
    try:
        return bool(_TEXTS & Columns(columns or {}).renamed(dict.fromkeys(names)).keys())
    except InputError as error:
        return error.code == "E209"  # ambiguous, and so well known
