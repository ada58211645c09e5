"""Which metric agrees with people: any metrics on any judged set, with intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from otherwords.corpus.rows import Pair, Row
from otherwords.errors import UsageError, near
from otherwords.meta.arrays import (
    Group,
    arrays_of_pairs,
    arrays_of_rows,
    rows_that_count,
    score,
)
from otherwords.meta.comparison import (
    Difference,
    adjusted,
    segment_difference,
    system_difference,
)
from otherwords.meta.levels import (
    BETTER_WORSE,
    SOFT,
    JudgedArrays,
    Scored,
    segment_level,
    sums_of,
    system_level,
)
from otherwords.meta.panel import MOST, Panel, panel
from otherwords.meta.remarks import on_estimates, on_groups, on_metrics
from otherwords.meta.systems import Unit
from otherwords.metrics.base import Array, Metric
from otherwords.stats.differences import pairs_of
from otherwords.stats.drawn import FEWEST
from otherwords.stats.draws import Counts, Draws
from otherwords.stats.estimates import Estimate, Resampling, Sampled, estimate
from otherwords.stats.preferences import Ties

__all__ = [
    "COEFFICIENTS",
    "Agreement",
    "Difference",
    "Evaluation",
    "Group",
    "Level",
    "Ties",
    "Unit",
    "evaluate",
    "evaluate_pairs",
]

Level = Literal["segment", "system", "both"]

COEFFICIENTS: dict[str, tuple[str, ...]] = {
    "segment": ("pearson", "spearman", "kendall", "accuracy", BETTER_WORSE),
    "system": ("pearson", "spearman", "accuracy", SOFT),
}


@dataclass(frozen=True)
class Agreement:
    """A metric's agreement with people: estimates by level and coefficient.

    `segments` are its scores of the rows and `systems` those of the systems, as the metric gives
    them, NaN where there is none. Estimates take a metric whose lower scores are better the other
    way round, so that more is always more agreement. `threshold` is the difference up to which
    accuracy takes two of its scores as tied.
    """

    label: str
    signature: str
    higher_is_better: bool
    segments: Array = field(repr=False)
    systems: Array = field(repr=False)
    estimates: Mapping[tuple[str, str], Estimate]
    threshold: float = 0.0


@dataclass(frozen=True)
class Evaluation:
    """All that was found on a judged set.

    `people[i]` is the human score of `rows[i]`, NaN if it has none; `system_people` are those
    of `systems`. `unit` is what was drawn, `size` how many of them there are. `judges` is what
    the people agree on among themselves, if they are known by name.
    """

    human: str
    rows: Sequence[Row] = field(repr=False)
    people: Array = field(repr=False)
    systems: Sequence[str]
    system_people: Array = field(repr=False)
    metrics: Sequence[Agreement]
    differences: Sequence[Difference]
    judges: Panel | None
    coefficients: Mapping[str, Sequence[str]]
    group: Group
    resampling: Resampling | None
    unit: Unit
    size: int
    notes: Sequence[str]

    def metric(self, label: str) -> Agreement:
        """The agreement of the metric of that label."""
        return next(one for one in self.metrics if one.label == label)


def evaluate(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    human: str,
    *,
    level: Level = "both",
    group: Group = "none",
    coefficients: Sequence[str] | None = None,
    system_human: Mapping[str, float] | None = None,
    unit: Unit | None = None,
    resampling: Resampling | None = None,
    compare: str | None = None,
    ties: Ties = "against",
    margin: float = 0.0,
    trials: int = 1000,
    seed: int = 0,
    controls: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    scored: Sequence[Scored] | None = None,
) -> Evaluation:
    """Agreement of metrics, by label, with the human score of that name.

    `group` says within what coefficients of segments are taken, to be averaged. `system_human`
    are scores of systems where rows have none. `unit` is what is drawn: documents if the rows
    have them, else segments. `compare` is the label of a metric that all others are compared
    with, or `"all"` for all pairs of metrics, by `trials` of permutation tests. `ties` and
    `margin` are those of the better/worse tau. Rows of controls are left out unless `controls`.
    `scored` spares the scoring where it was done before, on the rows that count.
    """
    names = _coefficients(level, coefficients)
    _check(metrics, compare, group)
    kept, notes = rows_that_count(rows, human, system_human, controls)
    if group == "langs" and all(row.langs is None for row in kept):
        raise UsageError("no row has `langs`, so there is nothing to group by")
    arrays = arrays_of_rows(
        kept,
        human,
        group=group,
        unit=unit,
        system_human=system_human,
        ties=ties,
        margin=margin,
        paired=BETTER_WORSE in names.get("segment", ()),
    )
    return _evaluated(
        kept,
        replace(arrays, trials=trials, seed=seed),
        _Request(human, group, names, resampling, compare, threads),
        scored or score(kept, metrics, threads, any_language, progress),
        notes,
    )


def evaluate_pairs(
    pairs: Sequence[Pair],
    metrics: Mapping[str, Metric],
    *,
    group: Group = "none",
    unit: Unit | None = None,
    resampling: Resampling | None = None,
    compare: str | None = None,
    ties: Ties = "against",
    trials: int = 1000,
    seed: int = 0,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """The same for better/worse judgements: how often metrics prefer what people prefer."""
    _check(metrics, compare, group)
    rows, arrays = arrays_of_pairs(pairs, group=group, unit=unit, ties=ties)
    return _evaluated(
        rows,
        replace(arrays, trials=trials, seed=seed),
        _Request(BETTER_WORSE, group, {"segment": (BETTER_WORSE,)}, resampling, compare, threads),
        score(rows, metrics, threads, any_language, progress),
        [],
    )


@dataclass(frozen=True)
class _Request:
    """What is asked about metrics that are scored already."""

    human: str
    group: Group
    names: Mapping[str, Sequence[str]]
    resampling: Resampling | None
    compare: str | None
    threads: int


def _evaluated(
    rows: Sequence[Row],
    arrays: JudgedArrays,
    asked: _Request,
    scored: Sequence[Scored],
    notes: Sequence[str],
) -> Evaluation:
    judged, resampling = arrays.judged, asked.resampling
    blocks: Draws | Sequence[Counts] = []
    if resampling is not None and judged.size > 1:
        blocks = Draws(judged.size, resampling.resamples, resampling.seed).kept()
    sampled: dict[str, dict[str, dict[str, Sampled]]] = {}
    found = []
    for one in scored:
        sampled[one.label], threshold = _sample(one, arrays, asked, blocks)
        found.append(_agreement(one, arrays, sampled[one.label], resampling, threshold))
    differences: list[Difference] = []
    if asked.compare is not None:
        by_label = {one.label: one for one in scored}
        for left, right in pairs_of(list(by_label), asked.compare):
            both = by_label[left], by_label[right]
            differences += _compare(*both, arrays, asked, sampled, blocks)
    every = np.ones((1, judged.size), dtype=np.uint16)
    people = sums_of(scored[0], arrays, np.arange(len(rows))).people(every)[0]
    judges = panel(rows, asked.human, scored, judged, blocks, resampling)
    notes = [*notes, *on_groups(rows, asked.group), *on_metrics(scored)]
    if judges is not None and len(judges.judges) > MOST:
        notes.append(f"single judges are left out: there are {len(judges.judges)}")
    return Evaluation(
        asked.human,
        rows,
        arrays.people,
        list(judged.systems),
        np.asarray(people),
        found,
        adjusted(differences),
        judges,
        asked.names,
        asked.group,
        resampling,
        judged.unit,
        judged.size,
        [*notes, *on_estimates(found, judged, resampling)],
    )


def _coefficients(level: Level, wanted: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    if level not in ("segment", "system", "both"):
        raise UsageError(f"level must be segment, system or both, not {level!r}")
    levels = {one: n for one, n in COEFFICIENTS.items() if level in ("both", one)}
    if wanted is None:
        return levels
    known = list(dict.fromkeys(name for names in levels.values() for name in names))
    if not wanted:
        raise UsageError(f"name some coefficients: {', '.join(known)}")
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no coefficient '{name}'; {near(name, known)}")
    chosen = {one: tuple(n for n in names if n in wanted) for one, names in levels.items()}
    return {one: names for one, names in chosen.items() if names}


def _check(metrics: Mapping[str, Metric], compare: str | None, group: str) -> None:
    if not metrics:
        raise UsageError("there is no metric to evaluate")
    if group not in ("none", "item", "system", "langs"):
        raise UsageError(f"group must be none, item, system or langs, not {group!r}")
    if compare is not None and compare != "all" and compare not in metrics:
        raise UsageError(f"the baseline '{compare}' is no metric here; {near(compare, metrics)}")
    if compare is not None and len(metrics) < 2:
        raise UsageError("a comparison needs two metrics at least")


def _sample(
    scored: Scored, arrays: JudgedArrays, asked: _Request, blocks: Draws | Sequence[Counts]
) -> tuple[dict[str, dict[str, Sampled]], float]:
    found: dict[str, dict[str, Sampled]] = {}
    threshold = 0.0
    if "segment" in asked.names:
        found["segment"], threshold = segment_level(
            scored, arrays, asked.names["segment"], blocks, threads=asked.threads
        )
    if "system" in asked.names:
        found["system"] = system_level(scored, arrays, asked.names["system"], blocks)
    return found, threshold


def _agreement(
    scored: Scored,
    arrays: JudgedArrays,
    sampled: Mapping[str, Mapping[str, Sampled]],
    resampling: Resampling | None,
    threshold: float,
) -> Agreement:
    every = np.ones((1, arrays.judged.size), dtype=np.uint16)
    sums = sums_of(scored, arrays, np.arange(len(arrays.people)))
    estimates = {
        (level, name): estimate(
            one,
            resampling,
            alone=arrays.judged.size < 2,
            reason=_reason(level, name, one, arrays) if not np.isfinite(one.value) else "",
        )
        for level, by_name in sampled.items()
        for name, one in by_name.items()
    }
    return Agreement(
        scored.label,
        scored.metric.signature,
        scored.metric.traits.higher_is_better,
        scored.sign * scored.segments,
        sums.scores(every)[0],
        estimates,
        threshold,
    )


def _reason(level: str, name: str, sampled: Sampled, arrays: JudgedArrays) -> str:
    """Why there is no value."""
    if arrays.system_human is not None and (level == "segment" or name == SOFT):
        return "segments were not judged"
    if name == BETTER_WORSE:
        return "no pairs"
    points = "system" if level == "system" else "row"
    if sampled.size < FEWEST:
        return f"{sampled.size} {points}{'' if sampled.size == 1 else 's'}"
    return "constant" if sampled.left_out <= 1 else "no group has a value"


def _compare(
    one: Scored,
    other: Scored,
    arrays: JudgedArrays,
    asked: _Request,
    sampled: Mapping[str, Mapping[str, Mapping[str, Sampled]]],
    blocks: Draws | Sequence[Counts],
) -> list[Difference]:
    """Both metrics on the rows that both have."""
    both = one.known & other.known
    of = []
    for scored in (one, other):
        if (scored.known == both).all():
            of.append(sampled[scored.label])
        else:
            of.append(_sample(scored.among(both), arrays, asked, blocks)[0])
    shared = one.among(both), other.among(both)
    found: list[Difference] = []
    if "segment" in asked.names:
        found += segment_difference(
            *shared,
            arrays,
            (of[0]["segment"], of[1]["segment"]),
            asked.resampling,
            threads=asked.threads,
        )
    if "system" in asked.names:
        by_system = of[0]["system"], of[1]["system"]
        found += system_difference(*shared, arrays, by_system, asked.resampling)
    return found
