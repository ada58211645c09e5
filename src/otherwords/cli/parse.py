"""`otherwords parse`: parse text into constituency trees."""

from __future__ import annotations

from otherwords.cli.options import Output, Threads, read, written
from otherwords.cli.output import check_output, emit
from otherwords.cli.progress import counting
from otherwords.cli.texts import Files, TextTokenizer
from otherwords.io.files import STDIN


def parse_command(
    *,
    files: Files = None,
    tokenizer: TextTokenizer = "penn",
    model: str | None = read("Use this parser model (default: the embedded one)."),
    output: Output = None,
    pretty: bool = written("Print indented trees (default: one tree per line)."),
    threads: Threads = 1,
) -> int:
    """Parse English text, one sentence per line, into Penn Treebank brackets."""
    from otherwords.build.trees.parser import parse_files

    check_output(output, *(files or []))
    with counting("sentences", streamed=output is None) as done:
        trees = parse_files(
            files or [STDIN], model=model, tokenizer=tokenizer, threads=threads, tick=done
        )
        emit((tree.pretty() if pretty else str(tree) for tree in trees), output)
    return 0
