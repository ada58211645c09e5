"""`otherwords paraphrase`: sentences in, their paraphrases by a grammar out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.decoding import Decoding
from otherwords.cli.options import Threads, given, refuse_idle, scored, written
from otherwords.cli.output import Destination
from otherwords.cli.parameters import Argument
from otherwords.cli.progress import counting

__all__ = ["paraphrase_command"]


def paraphrase_command(
    decoding: Decoding,
    to: Destination,
    file: Annotated[
        str, Argument(help="Sentences, one per line; - is standard input.", metavar="FILE")
    ] = "-",
    k: Annotated[
        int,
        written(
            "--k", "-k", "-n", "--n", help="Print this many outputs of each sentence.", metavar="K"
        ),
    ] = 1,
    unique: Annotated[
        bool, written("--unique", help="Print only outputs with different words.")
    ] = False,
    rerank: Annotated[
        str | None,
        scored(
            "--rerank",
            help="Order the outputs by a metric that compares with the source, such as "
            "otherwords-rewrite.",
        ),
    ] = None,
    margin: Annotated[
        float | None,
        scored(
            "--margin",
            help="Allow reranked outputs to fall this far below the decoder's best in adequacy, "
            "fluency, vectors and facts; 1: any (default: 0.02).",
        ),
    ] = None,
    without_contradictions: Annotated[
        bool | None,
        scored("--without-contradictions", help="Leave out outputs that contradict the source."),
    ] = None,
    threads: Threads = 1,
) -> int:
    """Paraphrase sentences with a synchronous grammar, a language model and weights."""
    from otherwords.build.generation.files import paraphrase_file
    from otherwords.build.generation.reranking import Reranking

    options = {"margin": margin, "without_contradictions": without_contradictions}
    refuse_idle(rerank is not None, "--rerank", **options)
    reranking = None
    if rerank is not None:
        margin = given(margin, Reranking.margin)
        reranking = Reranking(rerank, margin, bool(without_contradictions))
    to.check(file, *decoding.files)
    with counting("sentences decoded") as progress:
        result = paraphrase_file(
            file,
            decoding.grammar,
            decoding.lm,
            decoding.weights,
            k=k,
            unique=unique,
            search=decoding.options(),
            tokenizer=decoding.tokenizer,
            case=decoding.case,
            rerank=reranking,
            threads=threads,
            progress=progress,
        )
    to.show(result)
    return 0
