"""Which sentence pairs a synchronous grammar derives (PARADIGM §4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from otherwords.build.grammar.index import GrammarIndex, Rules, words_of_text
from otherwords.errors import InputError
from otherwords.io.arguments import check_flag, check_number, check_whole

__all__ = ["Derivation", "Parse", "Step", "SyncParser", "Verdict", "derivation_of"]

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
    """The verdict on a pair, and the steps that it took."""

    verdict: Verdict
    steps: int


@dataclass(frozen=True)
class Derivation:
    """A constituent that spans words of both sentences, ends excluded, and its parts.

    `rule` is the number of its rule, from 0; `None` for a word that stands for itself.
    """

    label: str
    source: tuple[int, int]
    target: tuple[int, int]
    rule: int | None
    children: tuple[Derivation, ...] = ()


class SyncParser:
    """Parses sentence pairs with a grammar, in the manner of Dyer (2010).

    Rules are given as such, as lines of text, as a path of a file of them, or as a grammar on
    disk, and indexed in memory; or as an index on disk (`GrammarIndex.open`),
    of which each pair loads what it can use.

    With `glue`, a pair is derived by a sequence of constituents of any labels in the same order
    on both sides, as by S -> X and S -> S X; without, by one constituent with the label `goal`.
    `identity` adds X -> w | w for every word w of both sentences, `pass_through` only for words
    that no rule has on its source side. `max_steps` bounds the work on a pair, the same on every
    machine; `max_seconds` does so by the clock.

    >>> rules = ["[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]", "[X] ||| king ||| queen"]
    >>> parser = SyncParser(rules, identity=True)
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
        identity: bool = False,
        pass_through: bool = False,
        max_steps: int = 10_000_000,
        max_seconds: float = 0.0,
    ) -> None:
        self.glue = check_flag("glue", glue)
        self.goal = goal
        self.identity = check_flag("identity", identity)
        self.pass_through = check_flag("pass_through", pass_through)
        self.max_steps = check_whole("max_steps", max_steps, 1, 2**53)
        self.max_seconds = check_number("max_seconds", max_seconds, 0, 1e9)
        self.index = rules if isinstance(rules, GrammarIndex) else GrammarIndex.of(rules)

    @property
    def options(self) -> dict[str, Any]:
        """The options that it was made with."""
        names = ("glue", "goal", "identity", "pass_through", "max_steps", "max_seconds")
        return {name: getattr(self, name) for name in names}

    @property
    def size(self) -> int:
        """Number of rules."""
        return self.index.size

    def parse(
        self,
        sources: Sequence[str | Sequence[str]],
        targets: Sequence[str | Sequence[str]],
        *,
        threads: int = 1,
    ) -> list[Parse]:
        """A parse for every pair; a sentence is its words, or their text with spaces between."""
        if len(sources) != len(targets):
            raise InputError(f"there are {len(sources)} sources but {len(targets)} targets")
        sides = [[words_of_text(one) for one in side] for side in (sources, targets)]
        with self.index.reporting_damage():
            verdicts, steps = self.index.native.parse(
                sides[0], sides[1], self.options, check_whole("threads", threads, 1, 1024)
            )
        pairs = zip(verdicts.tolist(), steps.tolist(), strict=True)
        return [Parse(_VERDICTS[verdict], count) for verdict, count in pairs]

    def derive(
        self, source: str | Sequence[str], target: str | Sequence[str]
    ) -> tuple[Parse, tuple[Derivation, ...]]:
        """The verdict on a pair and, if it is accepted, the constituents of a derivation.

        There is one constituent without glue, and a sequence with it. Children are in the order
        of the source.

        >>> parser = SyncParser(["[X] ||| [X,1] b ||| c [X,1]", "[X] ||| a ||| d"])
        >>> parser.derive("a b", "c d")[1][0].children[0].target
        (1, 2)
        """
        words = [words_of_text(side) for side in (source, target)]
        with self.index.reporting_damage():
            verdict, count, steps = self.index.native.derive(words[0], words[1], self.options)
        return Parse(_VERDICTS[verdict], count), derivation_of(steps)


def derivation_of(steps: Sequence[Step]) -> tuple[Derivation, ...]:
    """The constituents of steps that come each before its children, with their depths."""
    levels: dict[int, list[Derivation]] = {}
    for rule, label, i, j, s, t, depth in reversed(steps):
        children = tuple(reversed(levels.pop(depth + 1, [])))
        number = None if rule < 0 else rule
        levels.setdefault(depth, []).append(Derivation(label, (i, j), (s, t), number, children))
    return tuple(reversed(levels.get(0, [])))
