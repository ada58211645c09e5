"""`otherwords extract phrases`: an aligned bitext in, its phrase pairs out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from otherwords.cli.bitexts import (
    BitextFile,
    BitextTokenizer,
    Case,
    LinksFile,
    MaxLength,
    Memory,
    Temporary,
    Threads,
    engine_of,
    target,
    warn,
    written,
)
from otherwords.cli.options import Output
from otherwords.cli.output import check_output


class PhraseFormat(StrEnum):
    """Output formats of phrase pairs."""

    moses = "moses"
    parquet = "parquet"
    extract = "extract"


def phrases_command(
    bitext: BitextFile,
    alignment: LinksFile,
    max_length: MaxLength = 4,
    form: Annotated[
        PhraseFormat | None,
        written(
            "--format",
            "-f",
            help="Scored table (moses, parquet) or every pair (default: by the name of -o).",
        ),
    ] = None,
    output: Output = None,
    tokenizer: BitextTokenizer = "auto",
    case: Case = False,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Extract all phrase pairs consistent with a word alignment; the left column is the source."""
    from otherwords.phrases import extract_phrases

    check_output(output, *bitext.split(","), alignment)
    with engine_of(threads, memory, temporary) as engine:
        extract_phrases(
            bitext,
            alignment,
            target(output),
            engine=engine,
            form=form,
            max_length=max_length,
            tokenizer=tokenizer,
            case=case,
            warn=warn,
        )
    return 0
