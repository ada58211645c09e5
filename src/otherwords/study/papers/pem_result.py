"""PEM's tables as a result: the lines of Tables 1-3 in every format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from otherwords.stats.arrays import Array
from otherwords.stats.estimates import Resampling
from otherwords.study.agreement.numbers import resampling_dict
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

__all__ = ["FEWEST", "Correlation", "PemLine", "PemTables"]

FEWEST = 3  # two points always lie on a line


@dataclass(frozen=True)
class Correlation:
    """Pearson's r over `size` points; `None` if they are fewer than three or a side is constant.

    `low` and `high` are the ends of its interval, if one was asked for and can be computed.
    """

    r: float | None
    size: int
    low: float | None = None
    high: float | None = None

    def number(self, points: str) -> Number:
        """The coefficient as a cell, with the reason if there is none; `points` are its points."""
        if self.r is not None or self.size >= FEWEST:
            reason = "" if self.r is not None else "constant"
            return Number(self.r, self.low, self.high, reason=reason)
        return Number(None, reason=f"{self.size} {points}{'' if self.size == 1 else 's'}")


@dataclass(frozen=True)
class PemLine:
    """How one score goes with another, over rows and over the means of systems.

    `other` is a judge or a criterion; `None` is the mean of the judges. `where` says which
    rows count, if not all. `points` are both scores of every row that counts, `means` those of
    every system: what figures show.
    """

    one: str
    other: str | None
    sentence: Correlation
    system: Correlation
    where: str = ""
    points: Array = field(default_factory=lambda: np.zeros((0, 2)), repr=False, compare=False)
    means: Mapping[str, tuple[float, float]] = field(
        default_factory=dict, repr=False, compare=False
    )


@dataclass(frozen=True)
class PemTables(Tabular):
    """PEM's Tables 1, 2 and 3, and what had to be left out of them.

    `signatures` are those of the metrics, by label; `resampling` says how intervals were made, of
    `originals` that were resampled.
    """

    human: str
    judges: Sequence[PemLine]
    criteria: Sequence[PemLine]
    metrics: Sequence[PemLine]
    remarks: Sequence[str]
    signatures: Mapping[str, str]
    resampling: Resampling | None = None
    originals: int = 0

    def tables(self) -> Iterator[Table]:
        """The tables that have any line."""
        columns = [
            Column("line", "", left=True),
            Column("sentence", decimals=4, interval="range"),
            Column("rows"),
            Column("system", decimals=4, interval="range"),
            Column("systems"),
        ]
        captions = {
            "judges": "Table 1: Pearson between judges, {}, without controls",
            "criteria": "Table 2: Pearson of criteria with {}",
            "metrics": "Table 3: Pearson of metrics with {}; judges without controls",
        }
        for name, lines in self._lines().items():
            if lines:
                rows = [[self._label(one), *_cells(one)] for one in lines]
                yield Table(name, columns, rows, captions[name].format(self.human))

    def records(self) -> Iterator[Table]:
        """The lines of all tables; `where` names the rows that count, if not all."""
        head = "one other where sentence rows system systems".split()
        for name, lines in self._lines().items():
            more = ["signature"] if name == "metrics" else []
            rows = [
                [one.one, one.other, one.where or None, *_cells(one)]
                + [self.signatures[one.one] for _ in more]
                for one in lines
            ]
            yield Table(name, [*map(Column, [*head, *more])], rows)

    def notes(self) -> list[str]:
        """What was left out, then the signatures."""
        made = []
        if self.resampling is not None:
            resampled = self.resampling.signature("segments")
            made = [f"intervals: {self.originals} originals resampled, {resampled}"]
        return [*self.remarks, *made, *dict.fromkeys(self.signatures.values())]

    def to_dict(self) -> dict[str, Any]:
        """The lines of each table, by what they compare."""
        return {
            "paper": "pem",
            "human": self.human,
            "judges": [_record(one, "judge", "other") for one in self.judges],
            "criteria": [_record(one, "criterion", "with") for one in self.criteria],
            "metrics": [_record(one, "metric", "judge") for one in self.metrics],
            "notes": list(self.remarks),
            "signatures": dict(self.signatures),
            **self._resampled(),
        }

    def _resampled(self) -> dict[str, Any]:
        made = resampling_dict(self.resampling, "originals", self.originals)
        return {} if made is None else {"resampling": made}

    def _lines(self) -> dict[str, Sequence[PemLine]]:
        return {"judges": self.judges, "criteria": self.criteria, "metrics": self.metrics}

    def _label(self, one: PemLine) -> str:
        if one.where:
            return f"{one.one} ({one.where})"
        return one.one if one.other == self.human else f"{one.one}, {one.other or 'human mean'}"


def _cells(one: PemLine) -> list[Cell]:
    sentence, system = one.sentence, one.system
    return [sentence.number("row"), sentence.size, system.number("system"), system.size]


def _record(line: PemLine, one: str, other: str) -> dict[str, Any]:
    where = {"where": line.where} if line.where else {}
    return {
        one: line.one,
        other: line.other,
        **where,
        "sentence": number_dict(line.sentence.number("row")) | {"size": line.sentence.size},
        "system": number_dict(line.system.number("system")) | {"size": line.system.size},
    }
