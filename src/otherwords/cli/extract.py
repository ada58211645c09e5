"""`otherwords extract phrases`: an aligned bitext in, its phrase pairs out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from otherwords.cli.bitexts import AlignedBitext, Machines, MaxLength, target, warn
from otherwords.cli.options import Output, written

__all__ = ["phrases_command"]


class PhraseFormat(StrEnum):
    """Output formats of phrase pairs."""

    moses = "moses"
    parquet = "parquet"
    extract = "extract"


def phrases_command(
    aligned: AlignedBitext,
    machine: Machines,
    max_length: MaxLength = 4,
    form: Annotated[
        PhraseFormat | None,
        written(
            "--format",
            "-f",
            help="Write a scored table (moses, parquet) or every pair (extract) (default: by the "
            "name of -o).",
        ),
    ] = None,
    output: Output = None,
) -> int:
    """Extract all phrase pairs consistent with a word alignment; the left column is the source."""
    from otherwords.build.phrases.moses import extract_phrases

    machine.check_output(output, *aligned.files)
    with machine.engine() as engine:
        extract_phrases(
            aligned.opened(),
            target(output),
            engine=engine,
            form=form,
            max_length=max_length,
            warn=warn,
        )
    return 0
