"""Exports the work in logs as rows that other commands read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from otherwords.errors import UsageError
from otherwords.study.studio.alignment import links_of
from otherwords.study.studio.annotators import find_annotator
from otherwords.study.studio.judgement import JUDGEMENT
from otherwords.study.studio.judges import make_rows, read_judgements
from otherwords.study.studio.log import purpose_of, read_log


@dataclass(frozen=True)
class ExportedRows:
    """Gold alignments (`parametric`, `align`) or judged rows (`meta`, `train`), with warnings."""

    rows: Sequence[dict[str, Any]]
    warnings: Sequence[str] = ()

    def lines(self) -> Iterator[bytes]:
        return ((json.dumps(row, ensure_ascii=False) + "\n").encode() for row in self.rows)


def export_rows(
    logs: Sequence[str],
    *,
    annotator: str | None = None,
    everything: bool = False,
    drop_flagged: bool = False,
    controls: bool = True,
) -> ExportedRows:
    """Export a log of alignments, or one or more logs of judgements.

    For alignments, `annotator` chooses whose, and `everything` includes rows that are not marked as
    done. For judgements, `drop_flagged` leaves out judges who fail the controls, and
    `controls=False` leaves out the controls.
    """
    if purpose_of(read_log(logs[0])) == JUDGEMENT:
        if annotator is not None or everything:
            raise UsageError(f"{logs[0]} has judgements; `annotator` and `all` are for alignments")
        return _export_judgements(logs, drop_flagged, controls)
    if drop_flagged or not controls:
        wrong = "`drop_flagged` and `no_controls` are for judgements"
        raise UsageError(f"{logs[0]} has alignments; {wrong}")
    if len(logs) > 1:
        raise UsageError(f"{logs[0]} has alignments; export one log at a time")
    return ExportedRows(_export_alignments(logs[0], annotator, everything))


def _export_alignments(log: str, annotator: str | None, everything: bool) -> list[dict[str, Any]]:
    """The rows with all of their keys; links count from 0."""
    who = find_annotator(log, annotator)
    rows = range(len(who.log.rows)) if everything else who.log.done(who.name)
    if not rows:
        raise UsageError(f"{log}: {who.name} has marked no row as done; `all` exports all rows")
    return [{**who.log.rows[row].value, **links_of(who.marks(row))} for row in rows]


def _export_judgements(logs: Sequence[str], drop_flagged: bool, controls: bool) -> ExportedRows:
    judged = read_judgements(logs)
    flagged = [judge for judge in judged.reliability() if judge.flagged]
    without = [judge.judge for judge in flagged] if drop_flagged else []
    rows = list(make_rows(judged, without=without, controls=controls))
    if not rows:
        raise UsageError(f"{logs[0]}: there is no judgement to export")
    fate = "left out" if drop_flagged else "kept; --drop-flagged leaves such judges out"
    warnings = [f"{j.judge} fails the controls and is {fate}: {j.failed[0]}" for j in flagged]
    return ExportedRows(rows, warnings)
