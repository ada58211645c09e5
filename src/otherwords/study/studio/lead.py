"""What the lead of a judging task sees: how far the judges are, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherwords.stats.coefficients import krippendorff_alpha
from otherwords.study.report.page import Section, document, join_names, spell_number, table_html
from otherwords.study.report.spans import plain_html
from otherwords.study.studio.judged import LoggedJudgements, read_judgements
from otherwords.study.studio.reliability import Reliability
from otherwords.tables.table import Cell, Column, Table

__all__ = ["lead_page"]


def lead_page(logs: Sequence[str]) -> str:
    """The page on the judges of some logs, as HTML."""
    found = read_judgements(logs)
    checked = found.reliability()
    top = f'<p class="verdict">{plain_html(_sentence(found, checked))}</p>'
    top += table_html(_progress(found, checked))
    failed = [f"{one.judge}: {check}" for one in checked for check in one.failed]
    notes = "".join(f"<li>{plain_html(note)}</li>" for note in failed) or "<li>none</li>"
    sections = [
        Section("agreement", "Agreement so far", tables=[_agreement(found)]),
        Section("failed", "Checks that were failed", html=f"<ul>{notes}</ul>"),
    ]
    scale = f"scale {found.scale.low:g} to {found.scale.high:g}"
    lead = (
        f"{len(found.pairs):,} pairs, {len(found.scores)} judges, {scale}; otherwords studio judges"
    )
    return document("Judgements so far", lead, sections, top)


def alpha_of(found: LoggedJudgements, criterion: str) -> tuple[float | None, int]:
    """Krippendorff's alpha (interval) of all judges, and the pairs that two or more judged."""
    scores = np.full((len(found.scores), len(found.pairs)), np.nan)
    for place, given in enumerate(found.scores.values()):
        for pair, said in given.items():
            scores[place, pair] = said.get(criterion, np.nan)
    several = np.isfinite(scores).sum(axis=0) > 1
    shared = scores[:, several]
    return (krippendorff_alpha(shared) if several.any() else None), int(several.sum())


def _sentence(found: LoggedJudgements, checked: Sequence[Reliability]) -> str:
    if not found.scores:
        return "Nothing was judged yet."
    done = [_done(found, judge) for judge in found.scores]
    several = "judge has" if len(done) == 1 else "judges have"
    said = f"{spell_number(len(done))} {several} judged {sum(done):,} of "
    said += f"{len(done) * len(found.pairs):,} pairs"
    known = {
        criterion: alpha
        for criterion in found.criteria
        if (alpha := alpha_of(found, criterion)[0]) is not None
    }
    if known:
        worst, best = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
        said += f"; they agree most on {best} (alpha {known[best]:.2f})"
        said += f" and least on {worst} ({known[worst]:.2f})" if worst != best else ""
    flagged = [one.judge for one in checked if one.flagged]
    said += f"; {join_names(flagged)} failed checks by controls" if flagged else ""
    return f"{said[0].upper()}{said[1:]}."


def _done(found: LoggedJudgements, judge: str) -> int:
    return sum(len(given) == len(found.criteria) for given in found.scores[judge].values())


def _progress(found: LoggedJudgements, checked: Sequence[Reliability]) -> Table:
    names = "judge judged of controls checks failed".split()
    rows: list[list[Cell]] = [
        [
            *(one.judge, _done(found, one.judge), len(found.pairs), one.controls),
            *(len(one.checks), len(one.failed)),
        ]
        for one in checked
    ]
    notes = [
        "checks: kinds of controls that nobody can confuse; a judge needs two of each kind",
    ]
    columns = [Column(name, left=name == "judge") for name in names]
    return Table("progress", columns, rows, "Judges", notes)


def _agreement(found: LoggedJudgements) -> Table:
    judges = [Column(judge, f"mean of {judge}", decimals=2) for judge in found.scores]
    rows: list[list[Cell]] = []
    for criterion in found.criteria:
        alpha, several = alpha_of(found, criterion)
        means = [
            float(np.mean(said)) if (said := _said(found, judge, criterion)) else None
            for judge in found.scores
        ]
        rows.append([criterion, alpha, several, *means])
    head = [Column("criterion", left=True), Column("alpha", decimals=2), Column("pairs")]
    notes = ["alpha: Krippendorff's, interval; pairs: those that two or more judged, controls too"]
    return Table("agreement", [*head, *judges], rows, "Agreement by criterion", notes)


def _said(found: LoggedJudgements, judge: str, criterion: str) -> list[int]:
    return [said[criterion] for said in found.scores[judge].values() if criterion in said]
