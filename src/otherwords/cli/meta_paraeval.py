"""`otherwords meta --paper paraeval`: metrics scored on a judged set as ParaEval's tables want."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from otherwords.cli.options import build_metrics, parse_sweep, shown_value
from otherwords.cli.progress import counting
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.meta.paraeval import Line, Variant, lines
from otherwords.meta.systems import JudgedRows, judged_rows
from otherwords.metrics.base import Array, Metric
from otherwords.metrics.registry import create, find, option_names
from otherwords.scoring.stream import by_row, evaluate, segment_keys
from otherwords.stats.estimates import Resampling

__all__ = ["METRICS", "Findings", "Scorer", "paraeval_findings", "swept"]

METRICS = "paraeval-p,paraeval-r,paraeval,bleu,mup,gm,bp-bleu"  # Tables 1-3, 5 and 6


class Scorer(NamedTuple):
    """A metric with its name and, in a sweep, the option that makes it differ."""

    name: str
    setting: str
    metric: Metric

    @property
    def label(self) -> str:
        """Name and setting."""
        return f"{self.name}, {self.setting}" if self.setting else self.name


@dataclass(frozen=True)
class Findings:
    """The lines of the tables, and all that must be known to read them."""

    lines: Sequence[Line]
    resampling: Resampling
    judged: JudgedRows
    notes: Sequence[str]

    def signature(self, line: Line) -> str:
        """That of the metric, with what a line depends on beside it."""
        reference = line.variant.reference
        only = "" if reference is None else f"|reference:{reference}"
        drawn = self.resampling.signature(self.judged.unit)
        return f"{line.variant.metric.signature}{only}|{drawn}"

    @property
    def signatures(self) -> list[str]:
        """Those of all lines."""
        return list(dict.fromkeys(self.signature(line) for line in self.lines))


def paraeval_findings(
    rows: Sequence[Row],
    humans: Sequence[str],
    scorers: Sequence[Scorer],
    resampling: Resampling,
    *,
    single: bool = False,
    threads: int = 1,
    any_language: bool = False,
) -> Findings:
    """Agreement of metrics with human scores; every row has one of these at least."""
    judged = judged_rows(rows, humans, segment_keys(rows))
    asked, notes = _references(rows, scorers, single)
    variants: list[Variant] = []
    with counting("segments scored") as progress:
        for reference, kept in asked:
            chosen = [one for one in scorers if reference is None or _has_references(one)]
            shown = [_with_reference(rows[place], reference) for place in kept]
            scored = evaluate(
                shown,
                {one.label: one.metric for one in chosen},
                threads=threads,
                any_language=any_language,
                progress=progress,
            )
            found = by_row(shown, scored)
            variants += [_variant(one, found[one.label], reference, kept, rows) for one in chosen]
    order = [one.label for one in scorers]
    variants.sort(key=lambda one: order.index(one.label))  # its references stay in order
    with counting("lines correlated") as progress:
        made = lines(judged, variants, resampling, threads=threads, progress=progress)
    return Findings(made, resampling, judged, [*notes, *_on_lines(judged, made, resampling)])


def _variant(
    scorer: Scorer, statistics: Array, reference: int | None, kept: list[int], rows: Sequence[Row]
) -> Variant:
    """What the metric found in the rows that were kept; the others count for nothing."""
    known = np.zeros(len(rows), dtype=bool)
    known[kept] = True
    whole = np.zeros((len(rows), statistics.shape[1]))
    whole[kept] = statistics
    return Variant(scorer.label, scorer.metric, whole, reference, known)


def _has_references(scorer: Scorer) -> bool:
    return scorer.metric.against == "references"


def _with_reference(row: Row, reference: int | None) -> Row:
    if reference is None:
        return row
    return replace(row, references=(row.references[reference - 1],))


def _references(
    rows: Sequence[Row], scorers: Sequence[Scorer], single: bool
) -> tuple[list[tuple[int | None, list[int]]], list[str]]:
    """What to score with: each reference by itself and the rows that have it, then all."""
    every: tuple[int | None, list[int]] = (None, list(range(len(rows))))
    if not single:
        return [every], []
    if not any(map(_has_references, scorers)):
        raise UsageError("--references single is for metrics that compare with references")
    most = max(len(row.references) for row in rows)
    if most < 2:
        return [every], ["no row has more than one reference: all are the same as single ones"]
    asked, notes = [], []
    for number in range(1, most + 1):
        kept = [place for place, row in enumerate(rows) if len(row.references) >= number]
        if len(kept) < len(rows):
            lacking = len(rows) - len(kept)
            notes.append(f"rows without reference {number}, left out of its lines: {lacking}")
        asked.append((number, kept))
    return [*asked, every], notes


def _on_lines(judged: JudgedRows, made: Sequence[Line], resampling: Resampling) -> list[str]:
    """What must be known to read the lines."""
    notes = []
    for human, scores in judged.human.items():
        if lacking := int(np.isnan(scores).sum()):
            notes.append(f"rows without {human}, left out of its lines: {lacking}")
    if judged.size < 2:
        notes.append(f"there are no intervals: the set is a single one of the {judged.unit}")
    for line in made:
        for (level, name), one in line.estimates.items():
            lacking = resampling.resamples - one.defined
            if one.value is not None and lacking:
                what = f"{line.variant.label}, {line.human}, {level} {name}"
                notes.append(f"{what}: no value in {lacking} draws, which are left out")
    lower = [line.variant.label for line in made if not _is_higher_better(line)]
    return notes + [
        f"{label}: lower is better; its correlations are shown as they are, "
        "and accuracy takes it the right way round"
        for label in dict.fromkeys(lower)
    ]


def _is_higher_better(line: Line) -> bool:
    return line.variant.metric.traits.higher_is_better


def swept(
    names: str, common: dict[str, Any], settings: Sequence[str], sweep: str | None
) -> list[Scorer]:
    """The metrics; a sweep makes one of each value of an option.

    A metric that does not have the option is taken once, as it is.
    """
    made = build_metrics(names, common, settings, None)
    if sweep is None:
        return [Scorer(name, "", metric) for name, metric in made.items()]
    option, values = parse_sweep(sweep)
    known = {name: option_names(find(name)) for name in made}
    if not any(option in options for options in known.values()):
        every = sorted({one for options in known.values() for one in options})
        raise UsageError(f"none of the metrics has an option '{option}'; {near(option, every)}")
    found = []
    for name, metric in made.items():
        if option not in known[name]:
            found.append(Scorer(name, "", metric))
            continue
        for value in values:
            variant = create(name, **{**metric.options, option: value})
            found.append(Scorer(name, f"{option} {shown_value(value)}", variant))
    return found
