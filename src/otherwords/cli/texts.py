"""`otherwords tokenize`, `tag` and `lemmatize`: tokens, tags or base forms of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal

from otherwords.cli.bitexts import Case
from otherwords.cli.options import Output, read, written
from otherwords.cli.output import check_output, emit
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.io.files import STDIN, counted, lines_of

TextFormat = Literal["text", "jsonl"]  # Output formats of the text tools.


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


def choose_form(form: str | None, output: str | None, *known: str) -> str:
    """Choose the requested format, else the one that the output's name ends with, else the first.

    >>> choose_form(None, "x.jsonl.gz", "text", "jsonl"), choose_form(None, None, "text", "jsonl")
    ('jsonl', 'text')
    """
    ending = (output or "").lower().removesuffix(".gz").rpartition(".")[2]
    return form or (ending if ending in known else known[0])


def annotate(
    files: list[str] | None,
    annotated: Callable[[Iterator[str]], Iterable[str]],
    output: str | None,
    what: str = "segments",
) -> int:
    """Apply a function to the lines of files, write the results, and show progress."""
    check_output(output, *(files or []))
    with counting(what, streamed=output is None) as done:
        emit(annotated(counted(lines_of(files or [STDIN]), done)), output)
    return 0


def tokenize_command(
    *,
    files: Files = None,
    offsets: bool = written("Print begin:end, in characters, for each token."),
    form: TextForm = None,
    output: Output = None,
) -> int:
    """Split English text into Penn Treebank tokens, one segment per line."""
    from otherwords.text.annotator import token_lines

    chosen = choose_form(form, output, "text", "jsonl")
    return annotate(files, lambda lines: token_lines(lines, chosen, offsets=offsets), output)


TagFormat = Literal["text", "tsv", "jsonl"]  # Output formats of the tagger.


def tag_command(
    *,
    files: Files = None,
    tokenizer: TextTokenizer = "penn",
    form: TagFormat | None = written(
        "Write word/TAG (text), one token per line (tsv) or jsonl (default: by the name of -o, "
        "else text).",
        "--format",
        "-f",
    ),
    output: Output = None,
) -> int:
    """Tag English text with Penn part-of-speech tags, one segment per line."""
    from otherwords.text.annotator import tag_lines

    chosen = choose_form(form, output, "text", "tsv", "jsonl")
    return annotate(files, lambda lines: tag_lines(lines, chosen, tokenizer=tokenizer), output)


def lemmatize_command(
    *,
    files: Files = None,
    tokenizer: TextTokenizer = "penn",
    case: Case = False,
    form: TextForm = None,
    output: Output = None,
) -> int:
    """Reduce English words to their base forms (WordNet's morphy), one segment per line."""
    from otherwords.text.annotator import lemma_lines

    chosen = choose_form(form, output, "text", "jsonl")
    return annotate(
        files, lambda lines: lemma_lines(lines, chosen, tokenizer=tokenizer, case=case), output
    )
