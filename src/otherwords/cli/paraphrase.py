"""`otherwords paraphrase`, `compress` and `tune`: sentences decoded by a grammar."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from otherwords.cli.options import (
    Seed,
    Threads,
    limit,
    or_default,
    read,
    refuse_idle,
    scored,
    written,
)
from otherwords.cli.output import Destination, check_output
from otherwords.cli.paradigm import Resume
from otherwords.cli.parameters import argument, option
from otherwords.cli.progress import counting

if TYPE_CHECKING:
    from otherwords.build.generation.files import DecoderFiles


searched = partial(option, panel="Search")
Sentences = Annotated[str, argument("Sentences, one per line; - is standard input.", "FILE")]


class SearchKind(StrEnum):
    """Kinds of search."""

    cube = "cube"
    full = "full"


class PassThrough(StrEnum):
    """Words that may stay as they are."""

    all = "all"
    unknown = "unknown"
    none = "none"


@dataclass(frozen=True)
class Decoding:
    """A grammar, a language model, weights, and how they are searched."""

    grammar: list[str] = read(
        "Use this grammar: Joshua, Thrax or PPDB text, Parquet, or an index; repeatable.",
        "--grammar",
        "-g",
    )
    lm: str = read("Use this language model: ARPA or packed.")
    weights: str = read(
        "Read feature weights: JSON, or one 'name value' per line.", "--weights", "-w"
    )
    tokenizer: str = read(
        "Tokenize with penn; none if the text is tokenized already.", default="penn"
    )
    case: bool = read("Keep case (default: fold it).")
    search: SearchKind = searched(
        "Search with cube pruning (cube) or exhaustively (full).", default=SearchKind.cube
    )
    pop_limit: int | None = searched(
        "Keep this many candidates of each label and span (default: 200)."
    )
    span_limit: int = searched("Limit the words that a rule covers.", default=10)
    pass_through: PassThrough = searched(
        "Allow these words to pass through unchanged.", default=PassThrough.all
    )
    glue: bool = searched(
        "Join neighbouring spans that no rule joins.", "--glue/--no-glue", default=True
    )

    @property
    def files(self) -> list[str]:
        return [*self.grammar, self.lm, self.weights]

    def open(self) -> DecoderFiles:
        from otherwords.build.generation.decoder import Search
        from otherwords.build.generation.files import DecoderFiles

        cube = self.search is SearchKind.cube
        refuse_idle(cube, "--search cube", pop_limit=self.pop_limit)
        limit = or_default(self.pop_limit, 200) if cube else None
        search = Search(limit, self.span_limit, self.pass_through, self.glue)
        return DecoderFiles(self.grammar, self.lm, self.weights, search, self.tokenizer, self.case)


def paraphrase_command(
    *,
    decoding: Decoding,
    to: Destination,
    file: Sentences = "-",
    k: int = written(
        "Print this many outputs of each sentence.",
        "--k",
        "-k",
        "-n",
        "--n",
        metavar="K",
        default=1,
    ),
    unique: bool = written("Print only outputs with different words."),
    rerank: str | None = scored(
        "Order the outputs by a metric that compares with the source, such as otherwords-rewrite."
    ),
    margin: float | None = scored(
        "Allow reranked outputs to fall this far below the decoder's best in adequacy, "
        "fluency, vectors and facts; 1: any (default: 0.02)."
    ),
    without_contradictions: bool | None = scored("Leave out outputs that contradict the source."),
    threads: Threads = 1,
) -> int:
    """Paraphrase sentences with a synchronous grammar, a language model and weights."""
    from otherwords.build.generation.files import Reranking, paraphrase_file

    options = {"margin": margin, "without_contradictions": without_contradictions}
    refuse_idle(rerank is not None, "--rerank", **options)
    reranking = None
    if rerank is not None:
        margin = or_default(margin, Reranking.margin)
        reranking = Reranking(rerank, margin, bool(without_contradictions))
    to.check(file, *decoding.files)
    with counting("sentences decoded") as progress:
        result = paraphrase_file(
            file,
            decoding.open(),
            k=k,
            unique=unique,
            rerank=reranking,
            threads=threads,
            progress=progress,
        )
    to.show(result)
    return 0


def compress_command(
    *,
    decoding: Decoding,
    to: Destination,
    file: Sentences = "-",
    ratio: float = limit(
        "Limit the characters of an output to this share of its sentence.", default=0.7
    ),
    threads: Threads = 1,
) -> int:
    """Shorten sentences with a synchronous grammar, to a share of their characters."""
    from otherwords.build.generation.files import compress_file

    to.check(file, *decoding.files)
    to.show(compress_file(file, decoding.open(), ratio=ratio, threads=threads))
    return 0


def tune_command(
    *,
    decoding: Decoding,
    to: Destination,
    file: str = argument("Sentences, one per line.", "FILE"),
    references: list[str] = read(
        "Read references, one segment per line; repeatable.", "-r", "--references"
    ),
    save: str = written("Write the weights to this file: JSON if it ends in .json, else text."),
    metric: list[str] | None = option(
        "Maximise this metric: NAME, or a mixture NAME=SHARE,... (default: bleu).", "-m", "--metric"
    ),
    iterations: int = limit("Decode all sentences this many times.", default=8),
    k: int = limit("Learn from this many outputs of each sentence and iteration.", default=200),
    unique: bool = limit("Learn only from outputs with different words."),
    held_out: float = limit(
        "Hold out this share of the sentences to choose the best weights on.", default=0.2
    ),
    resume: Resume = None,
    seed: Seed = None,
    threads: Threads = 1,
) -> int:
    """Tune the weights of a decoder so that a metric rises (PRO, Hopkins & May 2011)."""
    from otherwords.build.generation.decoder import write_weights
    from otherwords.build.generation.files import tune_file
    from otherwords.build.generation.tuning import Pro, parse_goal

    to.check(file, *references, *decoding.files)
    check_output(save, file, *references, *decoding.grammar, decoding.lm, to.output)
    goal = parse_goal(metric or ["bleu"])
    pro = Pro(
        iterations=iterations, k=k, unique=unique, held_out=held_out, seed=or_default(seed, 0)
    )
    with counting("iterations") as progress:
        result = tune_file(
            file,
            references,
            decoding.open(),
            metric=goal,
            pro=pro,
            resume=resume,
            threads=threads,
            progress=progress,
        )
    write_weights(result.weights, save)
    to.show(result)
    return 0
