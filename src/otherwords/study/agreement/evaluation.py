"""Which metric agrees with human scores: any metrics on any judged set, intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, cast

import numpy as np

from otherwords.corpus.rows import Pair, Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Array, Metric
from otherwords.metrics.registry import create
from otherwords.scoring.score_files import with_given
from otherwords.stats.coefficients import (
    FEWEST,
    MEASURES,
    krippendorff_resampled,
    pearson_resampled,
)
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.preferences import Ties
from otherwords.stats.resampling import Counts, Resamples
from otherwords.stats.significance import pairs_of, trials_for
from otherwords.study.agreement.coefficients import (
    BETTER_WORSE,
    SOFT,
    Group,
    JudgedArrays,
    JudgedRows,
    ScoredRows,
    Unit,
    arrays_of_pairs,
    arrays_of_rows,
    rows_that_count,
    score,
    segment_level,
    sums_of,
    system_level,
)
from otherwords.study.agreement.comparison import (
    Difference,
    adjusted,
    resolved,
    segment_difference,
    system_difference,
)
from otherwords.study.agreement.human_scores import (
    criteria_of,
    is_control,
    no_scores,
    read_system_scores,
)
from otherwords.study.agreement.result import AgreementResult, MetricAgreement, Panel
from otherwords.tables.table import LEVEL

__all__ = [
    "COEFFICIENTS",
    "DEFAULT",
    "MOST",
    "Level",
    "agreement",
    "judge_scores",
    "on_estimates",
    "on_groups",
    "on_metrics",
    "panel",
]

MOST = 20  # judges who are looked at one by one

_VALUES = 32  # more different scores than that are numbers, and neither names nor ranks


def judge_scores(rows: Sequence[Row], human: str) -> dict[str, Array]:
    """What each judge known by name gave each row, NaN if nothing, the mean if twice."""
    found: dict[str, Array] = {}
    times: dict[str, Array] = {}
    for place, row in enumerate(rows):
        for one in row.judges if not is_control(row) else ():
            if one.judge is not None and human in one.scores:
                sums = found.setdefault(one.judge, np.zeros(len(rows)))
                sums[place] += one.scores[human]
                times.setdefault(one.judge, np.zeros(len(rows)))[place] += 1
    return {
        judge: np.where(times[judge] > 0, found[judge] / np.maximum(times[judge], 1), np.nan)
        for judge in sorted(found)
    }


def panel(
    rows: Sequence[Row],
    human: str,
    scored: Sequence[ScoredRows],
    judged: JudgedRows,
    blocks: Iterable[Counts],
    resampling: Resampling | None,
) -> Panel | None:
    """The agreement of the judges of the rows; `None` if no judge has a name."""
    judges = judge_scores(rows, human)
    if not judges:
        return None

    def correlated(x: Array, y: Array) -> Estimate:
        return _correlated(x, y, judged, blocks, resampling)

    single = judges if len(judges) <= MOST else {}
    pairs = {
        (one, other): correlated(judges[one], judges[other])
        for one, other in combinations(single, 2)
        if (np.isfinite(judges[one]) & np.isfinite(judges[other])).any()
    }
    return Panel(
        judges,
        pairs,
        _alphas(np.array(list(judges.values())), judged, blocks, resampling),
        {
            (one.label, judge): correlated(one.segments, theirs)
            for one in scored
            for judge, theirs in single.items()
        },
        len(single) * (len(single) - 1) // 2 - len(pairs),
    )


def _correlated(
    x: Array, y: Array, judged: JudgedRows, blocks: Iterable[Counts], resampling: Resampling | None
) -> Estimate:
    rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    args = x[rows], y[rows], judged.units[rows]
    every = np.ones((1, judged.size), dtype=np.uint16)
    value = float(pearson_resampled(*args, every)[0])
    draws = [pearson_resampled(*args, times) for times in blocks]
    sampled = Sampled(value, len(rows), np.concatenate([*draws, np.zeros(0)]))
    reason = "constant" if len(rows) >= FEWEST else f"{len(rows)} rows"
    return estimate(sampled, resampling, alone=judged.size < 2, reason=reason)


def _alphas(
    judgements: Array, judged: JudgedRows, blocks: Iterable[Counts], resampling: Resampling | None
) -> dict[str, Estimate]:
    there = np.isfinite(judgements)
    size = int((there.sum(axis=0) >= 2).sum())
    few = len(np.unique(judgements[there])) <= _VALUES
    every = np.ones((1, judged.size), dtype=np.uint16)
    found: dict[str, Estimate] = {}
    for measure in MEASURES if few else ("interval",):
        draws = [
            krippendorff_resampled(judgements, measure, times[:, judged.units])
            for times in (every, *blocks)
        ]
        sampled = Sampled(float(draws[0][0]), size, np.concatenate([*draws[1:], np.zeros(0)]))
        reason = "constant" if size else "no row has two judgements"
        found[measure] = estimate(sampled, resampling, alone=judged.size < 2, reason=reason)
    return found


def on_groups(rows: Sequence[Row], group: Group) -> list[str]:
    """Language pairs that are mixed."""
    langs = list(dict.fromkeys(row.langs for row in rows if row.langs))
    if len(langs) > 1 and group in ("none", "system"):
        return [f"rows of {len(langs)} language pairs are taken together, not grouped by langs"]
    return []


def on_metrics(scored: Sequence[ScoredRows]) -> list[str]:
    """Scores that are reversed, rows that have none, and rows that a metric was trained on."""
    notes = []
    for one in scored:
        notes += one.familiarity.remarks(one.label)
        if one.sign < 0:
            notes.append(f"{one.label}: lower is better, so its scores are reversed")
        if lacking := int((~one.known).sum()):
            notes.append(f"{one.label}: rows without a score, left out: {lacking}")
    return notes


def on_estimates(
    found: Sequence[MetricAgreement], judged: JudgedRows, resampling: Resampling | None
) -> list[str]:
    """Groups that were left out, and resamples without a value."""
    notes = []
    if resampling is not None and judged.size < 2:
        notes.append(f"there are no intervals: the set is a single one of the {judged.unit}")
    for one in found:
        for level in dict.fromkeys(level for level, _ in one.estimates):
            mine = {name: x for (at, name), x in one.estimates.items() if at == level}
            notes += _on_level(f"{one.label}, {level} level", mine, resampling)
    return notes


def _on_level(
    where: str, estimates: Mapping[str, Estimate], resampling: Resampling | None
) -> list[str]:
    """Coefficients that lack the same number of groups or resamples share a note."""
    groups: dict[tuple[int, int], list[str]] = {}
    draws: dict[int, list[str]] = {}
    for name, one in estimates.items():
        if one.value is not None and one.left_out:
            groups.setdefault((one.left_out, one.groups + one.left_out), []).append(name)
        if one.low is not None and resampling is not None and one.defined < resampling.resamples:
            draws.setdefault(resampling.resamples - one.defined, []).append(name)
    return [
        f"{where}: {lacking} of {every} groups have no {', '.join(names)}, and are left out"
        for (lacking, every), names in groups.items()
    ] + [
        f"{where}: {lacking} resamples have no {', '.join(names)}, and are left out"
        for lacking, names in draws.items()
    ]


Level = Literal["segment", "system", "both"]

DEFAULT = ("maxsim", "paraeval", "bleu", "chrf")
SYSTEM_HUMAN = "human"  # the name of human scores that only systems have

COEFFICIENTS: dict[str, tuple[str, ...]] = {
    "segment": ("pearson", "spearman", "kendall", "accuracy", BETTER_WORSE),
    "system": ("pearson", "spearman", "accuracy", SOFT),
}


def agreement(
    rows: Sequence[Row] | Sequence[Pair],
    metrics: Mapping[str, Metric] | Sequence[str] | None = None,
    human: str | None = None,
    *,
    scores: Sequence[str] = (),
    lower_is_better: Collection[str] = (),
    system_human: Mapping[str, float] | str | None = None,
    level: Level = "both",
    group: Group = "none",
    coefficients: Sequence[str] | None = None,
    unit: Unit | None = None,
    resampling: Resampling | None = None,
    compare: str | None = None,
    ties: Ties = "wrong",
    margin: float | None = None,
    trials: int = 1000,
    resamples_max: int = 100_000,
    seed: int = 0,
    controls: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    scored: Sequence[ScoredRows] | None = None,
) -> AgreementResult:
    """Agreement of metrics with the human score of that name, or the only one of the rows.

    `metrics` are names, or metrics by label; `scores` are files of scores that other programs
    computed, `lower_is_better` those of their metrics whose lower scores are better.
    `system_human` are scores of systems where rows have none, or a JSON file of them. `group`
    says within what coefficients of segments are taken, to be averaged. `unit` is what is
    resampled: documents if the rows have them, else segments. `compare` is the label of a metric
    that all others are compared with, or `"all"` for all pairs of metrics, by `trials` of
    permutation tests, or up to `resamples_max` where the number of comparisons needs more (so too
    for the bootstrap). `ties` and `margin` are those of the better/worse tau. Rows of controls
    are left out unless `controls`. `scored` skips the scoring where it was done before, on the
    rows that count. A metric that was trained on these rows is marked and not compared.

    Better/worse pairs instead of rows show how often metrics prefer what the judges prefer.

    >>> texts = {"a cat sat": 5, "the cat sat there": 4, "it sat": 2, "no": 1}
    >>> rows = [Row(text, ("a cat sat",), human={"da": da}) for text, da in texts.items()]
    >>> found = agreement(rows, ["chrf"], "da", any_language=True)
    >>> round(found.metric("chrf").estimates["segment", "pearson"].value, 2)
    0.96
    """
    if metrics is None:
        metrics = () if scores else DEFAULT
    if isinstance(metrics, str):
        metrics = (metrics,)
    made = metrics if isinstance(metrics, Mapping) else {name: create(name) for name in metrics}
    if rows and isinstance(rows[0], Pair):
        refused = {
            "human": human,
            "system_human": system_human,
            "scores": scores,
            "margin": margin,
            "coefficients": coefficients,
            "level system": "system" if level == "system" else None,
        }
        for option, value in refused.items():
            if value:
                name = f"--{option.replace('_', '-')}"
                raise UsageError(f"{name} does not go with better/worse pairs")
        pairs = cast(Sequence[Pair], rows)
        found, arrays = arrays_of_pairs(pairs, group=group, unit=unit, ties=ties)
        names: Mapping[str, Sequence[str]] = {"segment": (BETTER_WORSE,)}
        human, notes = BETTER_WORSE, list[str]()
        _check(made, compare, group)
    else:
        given = cast(Sequence[Row], rows)
        names = _coefficients(level, coefficients)
        if isinstance(system_human, str):
            system_human = read_system_scores(system_human)
        human = _human(given, human, system_human)
        made = with_given(given, made, scores, lower_is_better, systems=True)
        _check(made, compare, group)
        found, notes = rows_that_count(given, human, system_human, controls)
        arrays = arrays_of_rows(
            found,
            human,
            group=group,
            unit=unit,
            system_human=system_human,
            ties=ties,
            margin=margin or 0.0,
            paired=BETTER_WORSE in names.get("segment", ()),
        )
    tests = len(pairs_of(list(made), compare)) if compare is not None else 1
    most = trials_for(tests, LEVEL, trials, resamples_max)
    return _evaluated(
        found,
        replace(arrays, trials=trials, seed=seed, trials_max=most),
        _Request(human, group, names, resampling, compare, threads, resamples_max),
        scored or score(found, made, threads, any_language, progress),
        notes,
    )


def _human(rows: Sequence[Row], human: str | None, system_human: Mapping[str, float] | None) -> str:
    """The human score that is named, or the only one there is."""
    if human is not None:
        return human.strip()
    if system_human is not None:
        return SYSTEM_HUMAN
    known = criteria_of(rows)
    if len(known) == 1:
        return known[0]
    if not known:
        raise no_scores(rows)
    raise UsageError(f"there are several human scores; name one with --human: {', '.join(known)}")


@dataclass(frozen=True)
class _Request:
    """What is asked about metrics that are scored already."""

    human: str
    group: Group
    names: Mapping[str, Sequence[str]]
    resampling: Resampling | None
    compare: str | None
    threads: int
    resamples_max: int


def _evaluated(
    rows: Sequence[Row],
    arrays: JudgedArrays,
    asked: _Request,
    scored: Sequence[ScoredRows],
    notes: Sequence[str],
) -> AgreementResult:
    judged, resampling = arrays.judged, asked.resampling
    blocks: Resamples | Sequence[Counts] = []
    if resampling is not None and judged.size > 1:
        blocks = Resamples(judged.size, resampling.resamples, resampling.seed).kept()
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
            if not any(one.familiarity.is_marked or not one.metric.by_segment for one in both):
                differences += _compare(*both, arrays, asked, sampled, blocks)
        if resampling is not None and judged.size > 1:

            def sample(
                one: ScoredRows,
                names: Mapping[str, Sequence[str]],
                more: Resamples | Sequence[Counts],
            ) -> dict[str, dict[str, Sampled]]:
                return _sample(one, arrays, replace(asked, names=names), more)[0]

            differences = resolved(
                differences, by_label, sample, resampling, judged.size, asked.resamples_max
            )
    every = np.ones((1, judged.size), dtype=np.uint16)
    people = sums_of(scored[0], arrays, np.arange(len(rows))).people(every)[0]
    judges = panel(rows, asked.human, scored, judged, blocks, resampling)
    notes = [*notes, *on_groups(rows, asked.group), *on_metrics(scored)]
    if judges is not None and len(judges.judges) > MOST:
        notes.append(f"single judges are left out: there are {len(judges.judges)}")
    return AgreementResult(
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
        arrays.trials,
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
        raise UsageError(
            f"the baseline '{compare}' is not one of the metrics; {near(compare, metrics)}"
        )
    if compare is not None and len(metrics) < 2:
        raise UsageError("a comparison needs at least two metrics")


def _sample(
    scored: ScoredRows, arrays: JudgedArrays, asked: _Request, blocks: Resamples | Sequence[Counts]
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
    scored: ScoredRows,
    arrays: JudgedArrays,
    sampled: Mapping[str, Mapping[str, Sampled]],
    resampling: Resampling | None,
    threshold: float,
) -> MetricAgreement:
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
    return MetricAgreement(
        scored.label,
        scored.metric.signature,
        scored.metric.traits.higher_is_better,
        scored.sign * scored.segments,
        sums.scores(every)[0],
        estimates,
        threshold,
        scored.familiarity,
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
    one: ScoredRows,
    other: ScoredRows,
    arrays: JudgedArrays,
    asked: _Request,
    sampled: Mapping[str, Mapping[str, Mapping[str, Sampled]]],
    blocks: Resamples | Sequence[Counts],
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
