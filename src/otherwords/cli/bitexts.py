"""Options shared by the commands that build resources from bitexts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

from otherwords.cli.options import Output, Threads, limit, read, refuse_idle, running, written
from otherwords.errors import UsageError
from otherwords.io.files import STDIN
from otherwords.io.values import parse_float

if TYPE_CHECKING:
    from otherwords.build.bitext.links import AlignedFiles
    from otherwords.build.engine.base import Engine
    from otherwords.corpus.problems import Finding


GrammarFormat = Literal["joshua", "parquet"]  # Output formats of grammars.
PassThrough = Literal["all", "unknown", "none"]  # Words that may stay as they are.


BitextTokenizer = Annotated[
    str,
    read(
        "Tokenize both sides, or LEFT,RIGHT: auto, penn, words, characters, jieba, none.",
        "--tokenizer",
    ),
]
Case = Annotated[bool, read("Keep case (default: fold it).", "--case")]
GoldBase = Annotated[
    int | None,
    read("Count gold positions from 0 or from 1 (default: 0).", "--gold-base", min=0, max=1),
]
MaxLength = Annotated[int, limit("Limit phrases to this many words.", "--max-length", min=1, max=7)]
Memory = Annotated[
    float,
    running("Use this many GB of memory for tables before they go to disk.", "--memory", min=0.05),
]
Temporary = Annotated[
    str | None,
    running("Write temporary files into this folder (default: the system's).", "--temporary"),
]
MinStep = Annotated[
    float,
    limit("Drop steps with a lower p(f|e1) or p(e2|f).", "--min-step", min=0, max=1),
]
MinProbability = Annotated[
    float, limit("Drop paraphrases with a lower p(e2|e1).", "--min-probability", min=0, max=1)
]


@dataclass(frozen=True)
class AlignedBitext:
    """A bitext with its word alignment."""

    bitext: str = read("Read this bitext: two columns separated by a tab or |||.")
    alignment: str = read("Read links i-j, one line per sentence pair, from 0, left column first.")
    tokenizer: BitextTokenizer = "auto"
    case: Case = False

    @property
    def files(self) -> list[str]:
        return [*self.bitext.split(","), self.alignment]

    def open(self) -> AlignedFiles:
        from otherwords.build.bitext.links import AlignedFiles

        return AlignedFiles(**vars(self))


@dataclass(frozen=True)
class GrammarOutput:
    """The file or standard output for a grammar, and its format."""

    form: GrammarFormat | None = written(
        "Write this format (default: by the name of -o, else joshua).", "--format", "-f"
    )
    output: Output = None


EngineName = Literal["duckdb", "spark"]  # Engines for relational work.


EngineChoice = Annotated[
    EngineName, running("Run tables and kernels on this machine, or on Spark.", "--engine")
]
Master = Annotated[
    str | None,
    running(
        "Use this cluster, or this server of Spark Connect: spark://host:7077, sc://host:15002 "
        "(default: local[*]).",
        "--master",
    ),
]
Shared = Annotated[
    str | None,
    running(
        "Keep tables in this folder or URL, which all machines of the cluster see.", "--shared"
    ),
]


@dataclass(frozen=True)
class Machine:
    """Limits on the resources of relational work."""

    threads: Threads = 1
    memory: Memory = 2.0
    temporary: Temporary = None

    def engine(self) -> Engine:
        """Open the engine; use it as a context."""
        from otherwords.build.engine.duck import DuckEngine

        return DuckEngine(threads=self.threads, memory_gb=self.memory, temporary=self.temporary)


@dataclass(frozen=True)
class Machines(Machine):
    """Limits on the resources of relational work, on this machine or on Spark."""

    where: EngineChoice = "duckdb"
    master: Master = None
    shared: Shared = None

    def engine(self) -> Engine:
        return self.spark() or super().engine()

    def spark(self) -> Engine | None:
        """Start Spark, if it was chosen."""
        on_spark = self.where == "spark"
        refuse_idle(on_spark, "--engine spark", master=self.master, shared=self.shared)
        if not on_spark:
            return None
        from otherwords.build.engine.spark import SparkEngine

        return SparkEngine.start(self.master, shared=self.shared, temporary=self.temporary)


@dataclass(frozen=True)
class PivotMachines(Machines):
    """`Machines` for pivoting a grammar, which stays below 1 GB in total."""

    memory: Memory = 0.5


def target(output: str | None) -> str | BinaryIO:
    """Return the name of the output file, or standard output."""
    return sys.stdout.buffer if output is None or output == STDIN else output


def files_by_name(options: Sequence[str], unnamed: str | None = None) -> dict[str, list[str]]:
    """Group the files of NAME=FILE by name; `unnamed` names files without one.

    >>> files_by_name(["fr=a.tsv", "fr=b.en,b.fr", "c.tsv"], "table{}")
    {'fr': ['a.tsv', 'b.en,b.fr'], 'table3': ['c.tsv']}
    """
    files: dict[str, list[str]] = {}
    for place, option in enumerate(options, 1):
        name, equals, file = option.partition("=")
        if unnamed is not None and (not equals or "/" in name):
            name, file = unnamed.format(place), option
        if not name or not file:
            raise UsageError(f"a file is named NAME=FILE, for example fr=fr.tsv.gz, not '{option}'")
        files.setdefault(name, []).append(file)
    return files


def numbers_by_name(options: Sequence[str] | None, what: str) -> dict[str, float]:
    """Read options NAME=NUMBER.

    >>> numbers_by_name(["fr=2"], "a weight")
    {'fr': 2.0}
    """
    numbers = {}
    for option in options or []:
        name, _, value = option.rpartition("=")
        try:
            numbers[name] = parse_float(value)
        except ValueError:
            name = ""
        if not name:
            raise UsageError(f"{what} is NAME=NUMBER, not '{option}'")
    return numbers


def warn(finding: Finding) -> None:
    """Print a finding about a line on standard error."""
    print(finding, file=sys.stderr)
