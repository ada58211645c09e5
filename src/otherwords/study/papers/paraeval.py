"""ParaEval's tables (Zhou, Lin & Hovy 2006, Tables 1-3, 5 and 6, §4.2) on any judged set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Array, Metric
from otherwords.metrics.registry import create, find, option_names
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import by_row, evaluate, segment_keys
from otherwords.stats.draws import Counts, Draws
from otherwords.stats.estimates import Resampling, Sampled, estimate
from otherwords.stats.segments import SegmentScores, correlation_each
from otherwords.study.agreement.judged import rows_with_scores
from otherwords.study.agreement.sums import JudgedRows, SystemSums, judged_rows, system_sums
from otherwords.study.papers.paraeval_result import (
    COEFFICIENTS,
    MetricVariant,
    ParaEvalLine,
    ParaEvalTables,
    no_value,
)

__all__ = ["METRICS", "correlate", "lines", "paraeval_tables"]

METRICS = ("paraeval-p", "paraeval-r", "paraeval", "bleu", "mup", "gm", "bp-bleu")


def paraeval_tables(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = METRICS,
    humans: Sequence[str] | None = None,
    *,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    sweep: tuple[str, Sequence[Any]] | None = None,
    single: bool = False,
    controls: bool = True,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> ParaEvalTables:
    """Agreement of metrics, names or by label, with human scores, all there are unless named.

    `sweep` is an option with its values: each makes a variant of every metric that has it.
    `single` scores with each reference alone as well as with all. Rows of controls count unless
    `controls` is false.
    """
    rows, humans, left_out = rows_with_scores(rows, humans, controls=controls)
    made = metrics if isinstance(metrics, Mapping) else {name: create(name) for name in metrics}
    scorers = dict(made) if sweep is None else _swept(made, *sweep)
    judged = judged_rows(rows, humans, segment_keys(rows))
    asked, notes = _references(rows, scorers, single)
    variants: list[MetricVariant] = []
    for reference, kept in asked:
        chosen = {
            label: metric
            for label, metric in scorers.items()
            if reference is None or metric.against == "references"
        }
        shown = [_with_reference(rows[place], reference) for place in kept]
        scored = evaluate(
            shown, chosen, threads=threads, any_language=any_language, progress=progress
        )
        found = by_row(shown, scored)
        left_out += cautions(chosen, scored) if reference is None else []
        variants += [
            _variant(label, metric, found[label], reference, kept, len(rows))
            for label, metric in chosen.items()
        ]
    order = list(scorers)
    variants.sort(key=lambda one: order.index(one.label))  # its references stay in order
    correlated = lines(judged, variants, resampling, threads=threads)
    remarks = [*left_out, *notes, *_on_lines(judged, correlated, resampling)]
    return ParaEvalTables(correlated, resampling, judged, remarks)


def _swept(metrics: Mapping[str, Metric], option: str, values: Sequence[Any]) -> dict[str, Metric]:
    """A metric for each value of an option; one that does not have it is taken once, as it is."""
    known = {label: option_names(find(metric.name)) for label, metric in metrics.items()}
    if not any(option in options for options in known.values()):
        every = sorted({one for options in known.values() for one in options})
        raise UsageError(f"none of the metrics has an option '{option}'; {near(option, every)}")
    found: dict[str, Metric] = {}
    for label, metric in metrics.items():
        if option not in known[label]:
            found[label] = metric
            continue
        for value in values:
            shown = f"{value:g}" if isinstance(value, float) else value
            variant = create(metric.name, **{**metric.options, option: value})
            found[f"{label}, {option} {shown}"] = variant
    return found


def _variant(
    label: str,
    metric: Metric,
    statistics: Array,
    reference: int | None,
    kept: list[int],
    size: int,
) -> MetricVariant:
    """What the metric found in the rows that were kept; the others count for nothing."""
    known = np.zeros(size, dtype=bool)
    known[kept] = True
    whole = np.zeros((size, statistics.shape[1]))
    whole[kept] = statistics
    return MetricVariant(label, metric, whole, reference, known)


def _with_reference(row: Row, reference: int | None) -> Row:
    if reference is None:
        return row
    return replace(row, references=(row.references[reference - 1],))


def _references(
    rows: Sequence[Row], scorers: Mapping[str, Metric], single: bool
) -> tuple[list[tuple[int | None, list[int]]], list[str]]:
    """What to score with: each reference alone and the rows that have it, then all."""
    every: tuple[int | None, list[int]] = (None, list(range(len(rows))))
    if not single:
        return [every], []
    if not any(metric.against == "references" for metric in scorers.values()):
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


def _on_lines(
    judged: JudgedRows, made: Sequence[ParaEvalLine], resampling: Resampling
) -> list[str]:
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
                notes.append(f"{what}: no value in {lacking} resamples, which are left out")
    lower = [line.variant.label for line in made if not line.variant.metric.traits.higher_is_better]
    return notes + [
        f"{label}: lower is better; its correlations are shown as they are, "
        "and accuracy reverses its scores"
        for label in dict.fromkeys(lower)
    ]


def lines(
    judged: JudgedRows,
    variants: Sequence[MetricVariant],
    resampling: Resampling,
    *,
    threads: int = 1,
) -> list[ParaEvalLine]:
    """Every variant with every human score. The resamples are the same for all of them."""
    found = []
    for human in judged.human:
        for variant in variants:
            sampled = correlate(
                judged,
                human,
                variant.metric,
                variant.statistics,
                known=variant.known,
                resamples=resampling.resamples,
                seed=resampling.seed,
                fixed_human=resampling.kind == "paper",
                threads=threads,
            )
            alone = judged.size < 2  # every resample is the set itself
            estimates = {
                (level, name): estimate(
                    sampled[level, name],
                    resampling,
                    alone=alone,
                    reason=no_value(sampled[level, name].size, level),
                )
                for level, names in COEFFICIENTS.items()
                for name in names
            }
            found.append(ParaEvalLine(human, variant, estimates))
    return found


def correlate(
    judged: JudgedRows,
    human: str,
    metric: Metric,
    statistics: Array,
    *,
    known: NDArray[np.bool_] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    fixed_human: bool = False,
    threads: int = 1,
) -> dict[tuple[str, str], Sampled]:
    """All coefficients by level and name.

    `known` are the rows that have statistics (all unless given). In each resample systems are
    scored again from the sums of their statistics, and their human scores averaged again, unless
    these are fixed at those of the whole set, as ParaEval's were (§4.1). Accuracy reverses a metric
    whose lower scores are better; correlations are as they are.
    """
    there = np.ones(len(statistics), dtype=bool) if known is None else known
    people = judged.human[human]
    sums = system_sums(judged, people, metric, statistics, there)
    drawn = sums.with_fixed() if fixed_human else sums
    scores = np.full(len(statistics), np.nan)
    scores[there] = metric.segment_scores(statistics[there])
    segments = SegmentScores(scores, people, judged.units, [np.arange(len(scores))])
    every = np.ones((1, judged.size), dtype=np.uint16)
    blocks = [
        {**_of_systems(drawn, times), **_of_segments(segments, times, threads)}
        for times in Draws(judged.size, resamples, seed)
    ]
    whole = _of_systems(sums, every)
    for name in COEFFICIENTS["segment"]:
        whole["segment", name] = segments.by_group(name, threads=threads)
    return {
        name: Sampled(
            float(whole[name][0]),
            sums.systems if name[0] == "system" else segments.size,
            np.concatenate([block[name] for block in blocks]),
        )
        for name in whole
    }


def _of_systems(sums: SystemSums, times: Counts) -> dict[tuple[str, str], Array]:
    scores, people = sums.scores(times), sums.people(times)
    upward = scores if sums.metric.traits.higher_is_better else -scores
    return {
        ("system", name): correlation_each(name, upward if name == "accuracy" else scores, people)
        for name in COEFFICIENTS["system"]
    }


def _of_segments(
    segments: SegmentScores, times: Counts, threads: int
) -> dict[tuple[str, str], Array]:
    found = segments.drawn(COEFFICIENTS["segment"], times, threads=threads)
    return {("segment", name): draws for name, draws in found.items()}
