"""Tells the format of a file from its name and its first bytes."""

from __future__ import annotations

import re
from typing import Literal

from otherwords.corpus.wmt import is_wmt
from otherwords.io.files import BOM

__all__ = ["Format", "detect"]

Format = Literal["text", "jsonl", "conllu", "wmt"]

_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".conllu": "conllu",
    ".sgm": "wmt",
    ".sgml": "wmt",
    ".xml": "wmt",
}
_JSONL = re.compile(rb'\s*\{.*"hypothesis"\s*:', re.DOTALL)
_CONLLU = re.compile(rb"\s*(#[^\n]*\n)*1(-[0-9]+)?\t([^\t\n]*\t){8}")


def detect(name: str, head: bytes) -> Format:
    """The format that the name ends in, or else that the content looks like.

    >>> detect("sys.jsonl.gz", b""), detect("-", b'<tstset setid="x">'), detect("a.txt", b"Hi")
    ('jsonl', 'wmt', 'text')
    """
    stem = name.lower().removesuffix(".gz")
    for ending, format in _ENDINGS.items():
        if stem.endswith(ending):
            return format
    head = head.removeprefix(BOM)
    if is_wmt(head):
        return "wmt"
    if _JSONL.match(head):
        return "jsonl"
    return "conllu" if _CONLLU.match(head) else "text"
