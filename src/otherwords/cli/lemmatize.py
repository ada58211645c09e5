"""`otherwords lemmatize`: text in, base forms out."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from otherwords.cli.output import emit
from otherwords.cli.texts import Files, Output, TextFormat, TokenizerOption, annotated
from otherwords.text.sentence import Sentence

__all__ = ["lemmatize_command"]


def lemmatize_command(
    files: Files = None,
    tokenizer: TokenizerOption = "penn",
    case: Annotated[bool, typer.Option("--case", help="Keep the case of names.")] = False,
    form: Annotated[TextFormat, typer.Option("--format", "-f")] = TextFormat.text,
    output: Output = None,
) -> int:
    """Reduce English words to their base forms (WordNet's morphy), a line a segment."""
    emit((_line(one, form) for one in annotated(files, tokenizer, case=case)), output)
    return 0


def _line(sentence: Sentence, form: TextFormat) -> str:
    lemmas = sentence.lemmas or ()
    if form is TextFormat.text:
        return " ".join(lemmas)
    shown = {"text": sentence.text, "tokens": sentence.tokens, "lemmas": lemmas}
    return json.dumps(shown, ensure_ascii=False)
