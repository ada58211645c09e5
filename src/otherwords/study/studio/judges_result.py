"""`check_judges`: how each judge did on the controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from otherwords.study.studio.judged import read_judgements
from otherwords.study.studio.reliability import Check, Reliability
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular

__all__ = ["JudgesResult", "check_judges"]


@dataclass(frozen=True)
class JudgesResult(Tabular):
    """The checks of every judge; a judge who fails one is flagged."""

    judges: Sequence[Reliability]

    def tables(self) -> list[Table]:
        """One judge per row."""
        names = "judge pairs controls checks failed flagged".split()
        rows: list[list[Cell]] = [
            [
                *(one.judge, one.pairs, one.controls, len(one.checks), len(one.failed)),
                one.flagged if one.checks else None,
            ]
            for one in self.judges
        ]
        return [Table("judges", [Column(name, left=name == "judge") for name in names], rows)]

    def notes(self) -> list[str]:
        """The checks that were failed, and judges without checks."""
        notes = [f"{one.judge}: {check}" for one in self.judges for check in one.failed]
        return notes + [
            f"{one.judge}: too few controls were judged for a check"
            for one in self.judges
            if not one.checks
        ]

    def to_dict(self) -> dict[str, Any]:
        """Judges with all of their checks."""
        return {
            "judges": [
                {
                    "judge": one.judge,
                    "pairs": one.pairs,
                    "controls": one.controls,
                    "flagged": one.flagged,
                    "checks": [_check(check) for check in one.checks],
                }
                for one in self.judges
            ]
        }


def _check(check: Check) -> dict[str, Any]:
    return {**vars(check), "passed": check.passed}


def check_judges(logs: Sequence[str]) -> JudgesResult:
    """Check the judges of one or more logs by their scores of the controls (PARADIGM §6)."""
    return JudgesResult(read_judgements(logs).reliability())
