"""`otherwords tokenize`: text in, tokens out."""

from __future__ import annotations

from otherwords.cli.options import written
from otherwords.cli.texts import Files, Output, TextForm, TextFormat, annotate, named_form

__all__ = ["tokenize_command"]


def tokenize_command(
    *,
    files: Files = None,
    offsets: bool = written("Print begin:end, in characters, for each token."),
    form: TextForm = None,
    output: Output = None,
) -> int:
    """Split English text into Penn Treebank tokens, one segment per line."""
    from otherwords.corpus.annotation import token_lines

    chosen = named_form(form, output, TextFormat.text)
    return annotate(files, lambda lines: token_lines(lines, chosen, offsets=offsets), output)
