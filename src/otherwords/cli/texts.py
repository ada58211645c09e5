"""Options of the commands that annotate text, each declared once, and how they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Annotated, TypeVar

from otherwords.cli.options import Output, read, written
from otherwords.cli.output import check_output, emit
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.io.files import STDIN, counted, lines_of

__all__ = ["Files", "Output", "TextForm", "TextTokenizer", "annotate", "named_form"]


class TextFormat(StrEnum):
    """Output formats of the text tools."""

    text = "text"
    jsonl = "jsonl"


Files = Annotated[
    list[str] | None,
    argument("Text files, one segment per line (default: standard input).", "FILE..."),
]
TextTokenizer = Annotated[
    str, read("Tokenize with penn; none if the text is tokenized already.", "--tokenizer")
]
TextForm = Annotated[
    TextFormat | None,
    written("Write this format (default: by the name of -o, else text).", "--format", "-f"),
]
_Form = TypeVar("_Form", bound=StrEnum)


def named_form(form: _Form | None, output: str | None, default: _Form) -> _Form:
    """The format that is asked for, else the one that the output's name ends with.

    >>> named_form(None, "x.jsonl.gz", TextFormat.text), named_form(None, None, TextFormat.text)
    (<TextFormat.jsonl: 'jsonl'>, <TextFormat.text: 'text'>)
    """
    if form is not None:
        return form
    ending = (output or "").lower().removesuffix(".gz").rpartition(".")[2]
    return next((one for one in type(default) if one.value == ending), default)


def annotate(
    files: list[str] | None,
    annotated: Callable[[Iterator[str]], Iterable[str]],
    output: str | None,
    what: str = "segments",
) -> int:
    """Write what a function makes of the lines of files, and count them on a terminal."""
    check_output(output, *(files or []))
    with counting(what, streamed=output is None) as done:
        emit(annotated(counted(lines_of(files or [STDIN]), done)), output)
    return 0
