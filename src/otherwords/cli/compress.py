"""`otherwords compress`: sentences in, shorter ones out."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.decoding import Decoding
from otherwords.cli.options import Threads, limit
from otherwords.cli.output import Destination

__all__ = ["compress_command"]


def compress_command(
    decoding: Decoding,
    to: Destination,
    file: Annotated[
        str, typer.Argument(help="Sentences, one per line; - is standard input.", metavar="FILE")
    ] = "-",
    ratio: Annotated[
        float, limit("--ratio", help="Characters of an output, as a share of the sentence's.")
    ] = 0.7,
    threads: Threads = 1,
) -> int:
    """Shorten sentences with a synchronous grammar, to a share of their characters."""
    from otherwords.generation import ParaphraseResult, compress, read_sentences

    to.check(file, *decoding.files)
    sentences = read_sentences(file, decoding.tokenizer, case=decoding.case)
    decoder = decoding.decoder(sentences)
    found = compress(decoder, sentences, ratio=ratio, threads=threads)
    to.show(ParaphraseResult(tuple(found), tuple(decoder.idle_weights)))
    return 0
