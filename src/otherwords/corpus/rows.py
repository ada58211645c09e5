"""The unit of evaluation: a hypothesis with all that it may be compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from otherwords.text.sentence import Text

__all__ = ["Candidates", "Judgement", "Pair", "Row"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The scores of a row by one judge, by criterion, with the judge's name if it is known."""

    scores: Mapping[str, float]
    judge: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One hypothesis of one system.

    `item` names the segment (the same for all systems), `doc` the document that bootstrap
    resampling keeps together, `human` the human scores by name, `judges` the scores of each judge.
    `systems` are all systems that produced this text, if known. `id` names the row itself, `langs`
    the languages (`cs-en`). `path` and `line` are the place of the hypothesis in the input.
    """

    hypothesis: Text
    references: tuple[Text, ...] = ()
    source: Text | None = None
    system: str = "system"
    item: str | None = None
    doc: str | None = None
    human: Mapping[str, float] = field(default_factory=dict)
    judges: tuple[Judgement, ...] = field(default=(), kw_only=True)
    systems: tuple[str, ...] = field(default=(), kw_only=True)
    id: str | None = field(default=None, kw_only=True)
    langs: str | None = field(default=None, kw_only=True)
    path: str | None = field(default=None, compare=False)
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The hypotheses for one source, in the order of the input; `item` names the source."""

    source: Text
    rows: tuple[Row, ...]
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts for the same segment, of which a judge prefers one."""

    better: Row
    worse: Row
    judge: str | None = None
