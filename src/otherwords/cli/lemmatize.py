"""`otherwords lemmatize`: text in, base forms out."""

from __future__ import annotations

from otherwords.cli.bitexts import Case
from otherwords.cli.texts import (
    Files,
    Output,
    TextForm,
    TextFormat,
    TextTokenizer,
    annotate,
    named_form,
)

__all__ = ["lemmatize_command"]


def lemmatize_command(
    *,
    files: Files = None,
    tokenizer: TextTokenizer = "penn",
    case: Case = False,
    form: TextForm = None,
    output: Output = None,
) -> int:
    """Reduce English words to their base forms (WordNet's morphy), one segment per line."""
    from otherwords.corpus.annotation import lemma_lines

    chosen = named_form(form, output, TextFormat.text)
    return annotate(
        files, lambda lines: lemma_lines(lines, chosen, tokenizer=tokenizer, case=case), output
    )
