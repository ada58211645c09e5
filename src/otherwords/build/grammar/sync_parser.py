"""Synchronous parsing: which sentence pairs a grammar derives (PARADIGM §4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import pyarrow as pa
from numpy.typing import NDArray

from otherwords.build.engine.base import Engine
from otherwords.build.grammar.index import GrammarIndex, Rules, words_of_text
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_flag, check_number, check_whole

PASS_THROUGH = ("all", "unknown", "none")
Step = tuple[int, str, int, int, int, int, int]  # rule or -1, label, both spans, depth


class Verdict(StrEnum):
    """The verdict on a pair; reaching a limit is not a rejection."""

    rejected = "rejected"
    accepted = "accepted"
    steps = "steps"
    time = "time"
    too_long = "too long"


_VERDICTS = tuple(Verdict)


class Parse(NamedTuple):
    """The verdict on a pair, and the number of steps to it."""

    verdict: Verdict
    steps: int


@dataclass(frozen=True)
class Derivation:
    """A constituent over spans of both sentences, ends excluded, with its children.

    `rule` is the number of its rule, from 0; `None` for a word that stands for itself.
    """

    label: str
    source: tuple[int, int]
    target: tuple[int, int]
    rule: int | None
    children: tuple[Derivation, ...] = ()


class SyncParser:
    """Parses sentence pairs with a grammar, in the manner of Dyer (2010).

    Rules, lines of text, the path of a file of rules or a grammar on disk are indexed in memory.

    With `glue`, a pair is derived by a sequence of constituents of any labels in the same order
    on both sides, as by S -> X and S -> S X; without, by one constituent with the label `goal`.
    `pass_through` adds X -> w | w for all words w of both sentences, for unknown ones, which no
    rule has on its source side, or for none. `max_steps` limits the work on a pair, with the same
    result on every machine; `max_seconds` limits its time.

    >>> rules = ["[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]", "[X] ||| king ||| queen"]
    >>> parser = SyncParser(rules, pass_through="all")
    >>> pairs = [("king 's horse", "the horse of queen"), ("king 's horse", "queen 's cow")]
    >>> [parse.verdict.value for parse in parser.parse(*zip(*pairs))]
    ['accepted', 'rejected']
    """

    def __init__(
        self,
        rules: Rules | GrammarIndex,
        *,
        glue: bool = True,
        goal: str = "S",
        pass_through: str = "none",
        max_steps: int = 10_000_000,
        max_seconds: float = 0.0,
    ) -> None:
        self.glue = check_flag("glue", glue)
        self.goal = goal
        if pass_through not in PASS_THROUGH:
            raise UsageError(f"pass_through must be one of {', '.join(PASS_THROUGH)}")
        self.pass_through = pass_through
        self.max_steps = check_whole("max_steps", max_steps, 1, 2**53)
        self.max_seconds = check_number("max_seconds", max_seconds, 0, 1e9)
        self.index = rules if isinstance(rules, GrammarIndex) else GrammarIndex.of(rules)

    @property
    def options(self) -> dict[str, Any]:
        """The options as arguments of the kernel."""
        names = ("glue", "goal", "pass_through", "max_steps", "max_seconds")
        return {name: getattr(self, name) for name in names}

    @property
    def size(self) -> int:
        return self.index.size

    def parse(
        self,
        sources: Sequence[str | Sequence[str]],
        targets: Sequence[str | Sequence[str]],
        *,
        threads: int = 1,
    ) -> list[Parse]:
        """Parse every pair; a sentence is a list of words, or text with spaces between them."""
        if len(sources) != len(targets):
            raise InputError(f"there are {len(sources)} sources but {len(targets)} targets")
        sides = [[words_of_text(text) for text in side] for side in (sources, targets)]
        verdicts, steps = self.index.native.parse(
            sides[0], sides[1], self.options, check_whole("threads", threads, 1, 1024)
        )
        pairs = zip(verdicts.tolist(), steps.tolist(), strict=True)
        return [Parse(_VERDICTS[verdict], count) for verdict, count in pairs]

    def derive(
        self, source: str | Sequence[str], target: str | Sequence[str]
    ) -> tuple[Parse, tuple[Derivation, ...]]:
        """Return the verdict on a pair and, if it is accepted, the constituents of a derivation.

        Without glue there is one constituent, with glue a sequence. Children are in the order of
        the source.

        >>> parser = SyncParser(["[X] ||| [X,1] b ||| c [X,1]", "[X] ||| a ||| d"])
        >>> parser.derive("a b", "c d")[1][0].children[0].target
        (1, 2)
        """
        words = [words_of_text(side) for side in (source, target)]
        verdict, count, steps = self.index.native.derive(words[0], words[1], self.options)
        return Parse(_VERDICTS[verdict], count), derivation_of(steps)


def derivation_of(steps: Sequence[Step]) -> tuple[Derivation, ...]:
    """Build constituents from steps, each before its children, with their depths."""
    levels: dict[int, list[Derivation]] = {}
    for rule, label, i, j, s, t, depth in reversed(steps):
        children = tuple(reversed(levels.pop(depth + 1, [])))
        number = None if rule < 0 else rule
        levels.setdefault(depth, []).append(Derivation(label, (i, j), (s, t), number, children))
    return tuple(reversed(levels.get(0, [])))


AT_ONCE = 256  # pairs per batch, the smallest unit of a task
_PAIRS = pa.schema({"place": pa.int64(), "source": pa.string(), "target": pa.string()})
_PARSES = pa.schema({"place": pa.int64(), "verdict": pa.string(), "steps": pa.int64()})


def parse_rows(
    engine: Engine, parser: SyncParser, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[Parse]:
    """Parse pairs of tokenized sentences on an engine.

    The whole index of the grammar is sent to the workers.
    """
    rows = pa.RecordBatchReader.from_batches(_PAIRS, _batches(pairs))
    kernel = ParseKernel(parser.index.arrays, parser.options)
    engine.map("parsed_pairs", rows, kernel, _PARSES)
    parses = engine.run("SELECT verdict, steps FROM parsed_pairs ORDER BY place")
    return [
        Parse(Verdict(verdict), steps)
        for batch in parses
        for verdict, steps in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def _batches(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
) -> Iterator[pa.RecordBatch]:
    """Yield rows of sentences with one word per line."""
    for begin in range(0, len(pairs), AT_ONCE):
        block = pairs[begin : begin + AT_ONCE]
        sides = (["\n".join(pair[side]) for pair in block] for side in (0, 1))
        yield pa.RecordBatch.from_arrays(
            [pa.array(range(begin, begin + len(block)), pa.int64()), *map(pa.array, sides)],
            schema=_PAIRS,
        )


@dataclass(frozen=True)
class ParseKernel:
    """Parses rows of sentence pairs with an indexed grammar."""

    arrays: dict[str, NDArray[Any]]
    options: dict[str, Any]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        parser = SyncParser(GrammarIndex(self.arrays), **self.options)
        for batch in batches:
            sides = (
                [text.split("\n") for text in batch[name].to_pylist()]
                for name in ("source", "target")
            )
            parses = parser.parse(*sides)
            columns = {
                "place": batch["place"],
                "verdict": [parse.verdict.value for parse in parses],
                "steps": [parse.steps for parse in parses],
            }
            yield pa.RecordBatch.from_pydict(columns, schema=_PARSES)
