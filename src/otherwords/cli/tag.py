"""`otherwords tag`: text in, Penn part-of-speech tags out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.output import emit
from otherwords.cli.texts import Files, Output, TokenizerOption, annotated
from otherwords.corpus.conllu import write_conllu
from otherwords.text.sentence import Sentence

__all__ = ["tag_command"]


class TagFormat(StrEnum):
    """Output formats of the tagger."""

    text = "text"
    tsv = "tsv"
    jsonl = "jsonl"
    conllu = "conllu"


def tag_command(
    files: Files = None,
    tokenizer: TokenizerOption = "penn",
    form: Annotated[
        TagFormat, typer.Option("--format", "-f", help="text: word/TAG; tsv: a token a line.")
    ] = TagFormat.text,
    output: Output = None,
) -> int:
    """Tag English text with Penn part-of-speech tags, a line a segment."""
    emit(_lines(annotated(files, tokenizer, case=True), form), output)
    return 0


def _lines(sentences: Iterator[Sentence], form: TagFormat) -> Iterator[str]:
    if form is TagFormat.conllu:
        yield from write_conllu(sentence for sentence in sentences if sentence.tokens)
        return
    for sentence in sentences:
        pairs = list(zip(sentence.tokens, sentence.tags or (), strict=True))
        if form is TagFormat.text:
            yield " ".join(f"{token}/{tag}" for token, tag in pairs)
        elif form is TagFormat.tsv:
            yield from (f"{token}\t{tag}" for token, tag in pairs)
            yield ""
        else:
            shown = {"text": sentence.text, "tokens": sentence.tokens, "tags": sentence.tags}
            yield json.dumps(shown, ensure_ascii=False)
