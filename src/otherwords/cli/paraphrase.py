"""`otherwords paraphrase`, `compress` and `tune`: sentences decoded by a grammar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from otherwords.cli.bitexts import PassThrough
from otherwords.cli.options import (
    Seed,
    Threads,
    limit,
    or_default,
    read,
    written,
)
from otherwords.cli.output import Destination, check_output
from otherwords.cli.parameters import argument, option
from otherwords.cli.progress import counting

if TYPE_CHECKING:
    from otherwords.build.generation.files import DecoderFiles


searched = partial(option, panel="Search")
Sentences = Annotated[str, argument("Sentences, one per line; - is standard input.", "FILE")]


@dataclass(frozen=True)
class Decoding:
    """A grammar, a language model, weights, and how they are searched."""

    grammar: list[str] = read(
        "Use this grammar: Joshua, Thrax or PPDB text, or Parquet; repeatable.",
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
    pop_limit: int = searched(
        "Keep this many candidates of each label and span; 0 keeps all.", min=0, default=200
    )
    span_limit: int = searched("Limit the words that a rule covers.", default=10)
    pass_through: PassThrough = searched(
        "Allow these words to pass through unchanged.", default="all"
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

        search = Search(self.pop_limit, self.span_limit, self.pass_through, self.glue)
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
    threads: Threads = 1,
) -> int:
    """Paraphrase sentences with a synchronous grammar, a language model and weights."""
    from otherwords.build.generation.files import paraphrase_file

    to.check(file, *decoding.files)
    with counting("sentences decoded") as progress:
        result = paraphrase_file(
            file,
            decoding.open(),
            k=k,
            unique=unique,
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
    unchecked: bool = searched(
        "Keep outputs that contradict their sentence, or change or add a value."
    ),
    threads: Threads = 1,
) -> int:
    """Shorten sentences with a synchronous grammar, to a share of their characters.

    Outputs that contradict their sentence, or change or add a value, are left out.
    """
    from otherwords.build.generation.files import compress_file

    to.check(file, *decoding.files)
    result = compress_file(
        file, decoding.open(), ratio=ratio, checked=not unchecked, threads=threads
    )
    to.show(result)
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
    metric: str = option("Maximise this metric.", "-m", "--metric", default="bleu"),
    iterations: int = limit("Decode all sentences this many times.", default=8),
    k: int = limit("Learn from this many outputs of each sentence and iteration.", default=200),
    unique: bool = limit("Learn only from outputs with different words."),
    held_out: float = limit(
        "Hold out this share of the sentences to choose the best weights on.", default=0.2
    ),
    seed: Seed = None,
    threads: Threads = 1,
) -> int:
    """Tune the weights of a decoder so that a metric rises (PRO, Hopkins & May 2011)."""
    from otherwords.build.generation.decoder import write_weights
    from otherwords.build.generation.files import tune_file
    from otherwords.build.generation.tuning import Pro

    to.check(file, *references, *decoding.files)
    check_output(save, file, *references, *decoding.grammar, decoding.lm, to.output)
    pro = Pro(
        iterations=iterations, k=k, unique=unique, held_out=held_out, seed=or_default(seed, 0)
    )
    with counting("iterations") as progress:
        result = tune_file(
            file,
            references,
            decoding.open(),
            metric=metric,
            pro=pro,
            threads=threads,
            progress=progress,
        )
    write_weights(result.weights, save)
    to.show(result)
    return 0
