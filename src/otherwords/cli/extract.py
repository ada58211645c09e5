"""`otherwords extract phrases`: an aligned bitext in, its phrase pairs out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.bitexts import (
    BitextTokenizer,
    Case,
    Memory,
    Temporary,
    Threads,
    read_bitext,
    tell,
)
from otherwords.cli.output import check_output, emit_bytes, file_wanted
from otherwords.errors import UsageError
from otherwords.io.files import STDIN


class PhraseFormat(StrEnum):
    """Output formats of phrase pairs."""

    moses = "moses"
    parquet = "parquet"
    extract = "extract"


def phrases_command(
    bitext: Annotated[
        str, typer.Option("--bitext", help="Two columns with a tab or ||| between them.")
    ],
    alignment: Annotated[
        str, typer.Option("--alignment", help="Links i-j of each line, from 0, left first.")
    ],
    max_length: Annotated[
        int, typer.Option("--max-length", help="Words of a phrase.", min=1, max=7)
    ] = 4,
    form: Annotated[
        PhraseFormat | None,
        typer.Option(
            "--format",
            "-f",
            help="A scored table (moses; parquet if so named), or every pair (extract).",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write here instead of printing.")
    ] = None,
    tokenizer: BitextTokenizer = "auto",
    case: Case = False,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Extract all phrase pairs consistent with a word alignment; the left column is the source."""
    from otherwords.bitext.links import read_links
    from otherwords.phrases.extraction import extract_lines

    if bitext == alignment == STDIN:
        raise UsageError(
            "standard input can be read only once: give --bitext or --alignment a file"
        )
    check_output(output, *bitext.split(","), alignment)
    if form is None:
        named = output is not None and output.endswith(".parquet")
        form = PhraseFormat.parquet if named else PhraseFormat.moses
    target = file_wanted(output) if form is PhraseFormat.parquet else output
    text, report = read_bitext([bitext], tokenizer, case)
    left, right = text
    links = read_links(alignment, text, bitext)
    tell(report)
    if form is PhraseFormat.extract:
        emit_bytes(
            extract_lines(left, right, links, max_length=max_length, threads=threads), output
        )
        return 0
    from otherwords.engine import Engine
    from otherwords.phrases.moses import moses_lines
    from otherwords.phrases.table import build_table

    with Engine(threads=threads, memory_gb=memory, temporary=temporary) as engine:
        path = str(engine.folder / "table.parquet") if form is PhraseFormat.moses else target
        table = build_table(left, right, links, str(path), max_length=max_length, engine=engine)
        if form is PhraseFormat.moses:
            emit_bytes(moses_lines(table), output)
    return 0
