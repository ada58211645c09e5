"""`otherwords tag`: text in, Penn part-of-speech tags out."""

from __future__ import annotations

from enum import StrEnum

from otherwords.cli.options import written
from otherwords.cli.texts import Files, Output, TextTokenizer, annotate, named_form

__all__ = ["tag_command"]


class TagFormat(StrEnum):
    """Output formats of the tagger."""

    text = "text"
    tsv = "tsv"
    jsonl = "jsonl"
    conllu = "conllu"


def tag_command(
    *,
    files: Files = None,
    tokenizer: TextTokenizer = "penn",
    form: TagFormat | None = written(
        "Write word/TAG (text), one token per line (tsv), jsonl or conllu (default: by "
        "the name of -o, else text).",
        "--format",
        "-f",
    ),
    output: Output = None,
) -> int:
    """Tag English text with Penn part-of-speech tags, one segment per line."""
    from otherwords.corpus.annotation import tag_lines

    chosen = named_form(form, output, TagFormat.text)
    return annotate(files, lambda lines: tag_lines(lines, chosen, tokenizer=tokenizer), output)
