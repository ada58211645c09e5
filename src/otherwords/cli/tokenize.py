"""`otherwords tokenize`: text in, tokens out."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from otherwords.cli.output import emit
from otherwords.cli.texts import Files, Output, TextFormat, lines_of
from otherwords.text.sentence import Sentence
from otherwords.text.tokenizer import tokenize

__all__ = ["tokenize_command"]


def tokenize_command(
    files: Files = None,
    offsets: Annotated[
        bool, typer.Option("--offsets", help="Show begin:end (characters) with every token.")
    ] = False,
    form: Annotated[TextFormat, typer.Option("--format", "-f")] = TextFormat.text,
    output: Output = None,
) -> int:
    """Split English text into Penn Treebank tokens, a line a segment."""
    emit((_line(tokenize(line), offsets, form) for line in lines_of(files)), output)
    return 0


def _line(sentence: Sentence, offsets: bool, form: TextFormat) -> str:
    if form is TextFormat.jsonl:
        return json.dumps(
            {"text": sentence.text, "tokens": sentence.tokens, "spans": sentence.spans},
            ensure_ascii=False,
        )
    if offsets:
        pairs = zip(sentence.tokens, sentence.spans, strict=True)
        return " ".join(f"{token}:{begin}:{end}" for token, (begin, end) in pairs)
    return " ".join(sentence.tokens)
