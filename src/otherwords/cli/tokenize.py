"""`otherwords tokenize`: text in, tokens out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.bitexts import written
from otherwords.cli.texts import Files, Output, TextForm, TextFormat, annotate

__all__ = ["tokenize_command"]


def tokenize_command(
    files: Files = None,
    offsets: Annotated[
        bool, written("--offsets", help="Print begin:end, in characters, with every token.")
    ] = False,
    form: TextForm = TextFormat.text,
    output: Output = None,
) -> int:
    """Split English text into Penn Treebank tokens, one segment per line."""
    from otherwords.corpus import token_lines

    return annotate(files, lambda lines: token_lines(lines, form, offsets=offsets), output)
