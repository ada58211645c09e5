"""What the small text tools share: their input, their output, their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from typing import Annotated

import typer

from otherwords.io.files import STDIN, read_lines
from otherwords.text.annotate import Annotator
from otherwords.text.sentence import Sentence

__all__ = ["Files", "Output", "TextFormat", "TokenizerOption", "annotated", "lines_of"]


class TextFormat(StrEnum):
    """Output formats of the text tools."""

    text = "text"
    jsonl = "jsonl"


Files = Annotated[
    list[str] | None, typer.Argument(help="Text files; standard input if none.", metavar="FILE...")
]
Output = Annotated[
    str | None, typer.Option("-o", "--output", help="Write here instead of printing.")
]
TokenizerOption = Annotated[
    str, typer.Option("--tokenizer", help="penn, or none if the text is tokenized.")
]


def lines_of(files: list[str] | None) -> Iterator[str]:
    """The lines of all files, one after the other."""
    return chain.from_iterable(read_lines(path) for path in files or [STDIN])


def annotated(files: list[str] | None, tokenizer: str, *, case: bool = False) -> Iterator[Sentence]:
    """The lines as sentences with tags and lemmas."""
    annotator = Annotator(tokenizer=tokenizer, case=case)
    return (annotator.sentence(line) for line in lines_of(files))
