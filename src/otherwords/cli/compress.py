"""`otherwords compress`: sentences in, shorter ones out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.decoding import Decoding
from otherwords.cli.options import Threads, limit
from otherwords.cli.output import Destination
from otherwords.cli.parameters import Argument

__all__ = ["compress_command"]


def compress_command(
    decoding: Decoding,
    to: Destination,
    file: Annotated[
        str, Argument(help="Sentences, one per line; - is standard input.", metavar="FILE")
    ] = "-",
    ratio: Annotated[
        float,
        limit("--ratio", help="Limit the characters of an output to this share of its sentence."),
    ] = 0.7,
    threads: Threads = 1,
) -> int:
    """Shorten sentences with a synchronous grammar, to a share of their characters."""
    from otherwords.build.generation.files import compress_file

    to.check(file, *decoding.files)
    result = compress_file(
        file,
        decoding.grammar,
        decoding.lm,
        decoding.weights,
        ratio=ratio,
        search=decoding.options(),
        tokenizer=decoding.tokenizer,
        case=decoding.case,
        threads=threads,
    )
    to.show(result)
    return 0
