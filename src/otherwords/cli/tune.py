"""`otherwords tune`: sentences and references in, weights for a decoder out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.decoding import Decoding
from otherwords.cli.options import Seed, Threads, given, limit, read, written
from otherwords.cli.output import Destination, check_output
from otherwords.cli.paradigm import Resume
from otherwords.cli.parameters import Argument, Option
from otherwords.cli.progress import counting

__all__ = ["tune_command"]


def tune_command(
    decoding: Decoding,
    to: Destination,
    file: Annotated[str, Argument(help="Sentences, one per line.", metavar="FILE")],
    references: Annotated[
        list[str],
        read("-r", "--references", help="Read references, one segment per line; repeatable."),
    ],
    save: Annotated[
        str,
        written(
            "--save", help="Write the weights to this file: JSON if it ends in .json, else text."
        ),
    ],
    metric: Annotated[
        list[str] | None,
        Option(
            "-m",
            "--metric",
            help="Maximise this metric: NAME, or a mixture NAME=SHARE,... (default: bleu).",
        ),
    ] = None,
    iterations: Annotated[
        int, limit("--iterations", help="Decode all sentences this many times.")
    ] = 8,
    k: Annotated[
        int, limit("--k", help="Learn from this many outputs of each sentence and iteration.")
    ] = 200,
    unique: Annotated[
        bool, limit("--unique", help="Learn only from outputs with different words.")
    ] = False,
    held_out: Annotated[
        float,
        limit(
            "--held-out", help="Hold out this share of the sentences to choose the best weights on."
        ),
    ] = 0.2,
    resume: Resume = None,
    seed: Seed = None,
    threads: Threads = 1,
) -> int:
    """Tune the weights of a decoder so that a metric rises (PRO, Hopkins & May 2011)."""
    from otherwords.build.generation.files import tune_file
    from otherwords.build.generation.goals import parse_goal
    from otherwords.build.generation.tuning import Pro
    from otherwords.build.generation.weights import write_weights

    to.check(file, *references, *decoding.files)
    check_output(save, file, *references, *decoding.grammar, decoding.lm, to.output)
    goal = parse_goal(metric or ["bleu"])
    pro = Pro(iterations=iterations, k=k, unique=unique, held_out=held_out, seed=given(seed, 0))
    with counting("iterations") as progress:
        result = tune_file(
            file,
            references,
            decoding.grammar,
            decoding.lm,
            decoding.weights,
            metric=goal,
            pro=pro,
            search=decoding.options(),
            tokenizer=decoding.tokenizer,
            case=decoding.case,
            resume=resume,
            threads=threads,
            progress=progress,
        )
    write_weights(result.weights, save)
    to.show(result)
    return 0
