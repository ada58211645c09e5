"""Agreement of any metrics with human scores on any judged set, with intervals and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from otherwords.corpus.inputs import has_pairs, read_pairs, read_records, read_rows
from otherwords.corpus.records import is_frame
from otherwords.corpus.rows import Pair, Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric
from otherwords.scoring.choice import default_metrics
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import (
    FEWEST,
    MEASURES,
    krippendorff_resampled,
)
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.preferences import Ties
from otherwords.stats.resampling import Resamples
from otherwords.stats.significance import pairs_of, trials_for
from otherwords.study.agreement.arrays import (
    Group,
    JudgedArrays,
    JudgedRows,
    ScoredRows,
    Scoring,
    Unit,
    arrays_of_pairs,
    arrays_of_rows,
    metrics_by_label,
    once,
    rows_that_count,
    score_rows,
)
from otherwords.study.agreement.coefficients import (
    BETTER_WORSE,
    SOFT,
    Blocks,
    Coefficient,
    Difference,
    adjust,
    resolve,
    sample,
    segment_differences,
    sums_of,
    system_differences,
)
from otherwords.study.agreement.human_scores import (
    criteria_of,
    is_control,
    no_scores,
    read_system_scores,
)
from otherwords.study.agreement.result import AgreementResult, MetricAgreement, Panel, no_value
from otherwords.tables.table import LEVEL

Level = Literal["segment", "system", "both"]

SYSTEM_HUMAN = "human"  # the name of human scores that only systems have
FEW_SYSTEMS = 15  # below this, intervals over systems are rough
_VALUES = 32  # with more distinct scores, only the interval measure of alpha makes sense

COEFFICIENTS: dict[str, tuple[str, ...]] = {
    "segment": ("pearson", "spearman", "kendall", "accuracy", BETTER_WORSE),
    "system": ("pearson", "spearman", "accuracy", SOFT),
}


@dataclass(frozen=True)
class Coefficients:
    """Which coefficients are computed, over which points.

    Parameters
    ----------
    level
        Over segments, systems, or both.
    group
        The groups within which segments are correlated before averaging.
    names
        The coefficients (default: all of `COEFFICIENTS`).
    ties, margin
        How the better/worse tau counts tied scores, and the least difference between the human
        scores of a pair.
    """

    level: Level = "both"
    group: Group = "none"
    names: Sequence[str] | None = None
    ties: Ties = "wrong"
    margin: float | None = None

    def by_level(self) -> dict[str, tuple[str, ...]]:
        if self.level not in ("segment", "system", "both"):
            raise UsageError(f"level must be segment, system or both, not {self.level!r}")
        levels = {
            level: names for level, names in COEFFICIENTS.items() if self.level in ("both", level)
        }
        if self.names is None:
            return levels
        known = list(dict.fromkeys(name for names in levels.values() for name in names))
        if not self.names:
            raise UsageError(f"name some coefficients: {', '.join(known)}")
        for name in self.names:
            if name not in known:
                raise UsageError(f"there is no coefficient '{name}'; {near(name, known)}")
        chosen = {
            level: tuple(name for name in names if name in self.names)
            for level, names in levels.items()
        }
        return {level: names for level, names in chosen.items() if names}


@dataclass(frozen=True)
class Comparisons:
    """Which metrics are compared, and how many trials their tests have.

    `compare` is the label of a metric that all others are compared with, or "all" for all pairs.
    Tests have up to `resamples_max` trials where the number of comparisons needs more.
    """

    compare: str | None = None
    trials: int = 1000
    resamples_max: int = 100_000
    seed: int = 0


def agreement(
    rows: Sequence[Row] | Sequence[Pair],
    metrics: Mapping[str, Metric] | Sequence[str] | Sequence[ScoredRows] | None = None,
    human: str | None = None,
    *,
    system_human: Mapping[str, float] | str | None = None,
    controls: bool = False,
    coefficients: Coefficients = Coefficients(),
    unit: Unit | None = None,
    resampling: Resampling | None = None,
    comparisons: Comparisons = Comparisons(),
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> AgreementResult:
    """Measure the agreement of metrics with human scores, over segments and systems.

    A metric that was trained on these rows is marked and not compared.

    Parameters
    ----------
    rows
        Judged rows; or better/worse pairs, which show how often metrics prefer what judges prefer.
        Either may be a DataFrame with the columns of docs/inputs.md.
    metrics
        Names, metrics by label, or metrics with their scores of the rows that count.
    human
        The name of the human score; optional if the rows have only one.
    system_human
        Scores of systems where rows have none, or a JSON file of them.
    controls
        Whether control rows count.
    coefficients, comparisons
        The coefficients to compute, and the differences to test.
    unit, resampling
        The unit of resampling, and how to resample; without `resampling` there are no intervals.
        By default, documents are resampled if the rows have them, else segments, and over systems
        the systems too.
    scoring
        How rows are scored.

    >>> texts = {"a cat sat": 5, "the cat sat there": 4, "it sat": 2, "no": 1}
    >>> rows = [Row(text, ("a cat sat",), human={"da": da}) for text, da in texts.items()]
    >>> result = agreement(rows, ["chrf"], "da", scoring=Scoring(any_language=True))
    >>> round(result.metric("chrf").estimates["segment", "pearson"].value, 2)
    0.96
    """
    if metrics is None:
        first = rows[0] if rows else Row("", references=("",))
        metrics = default_metrics(first.better if isinstance(first, Pair) else first)
    scored: list[ScoredRows] = []
    if not isinstance(metrics, Mapping) and any(isinstance(entry, ScoredRows) for entry in metrics):
        scored = [entry for entry in metrics if isinstance(entry, ScoredRows)]
        by_label: Mapping[str, Metric] = {entry.label: entry.metric for entry in scored}
    else:
        by_label = metrics_by_label(cast(Mapping[str, Metric] | Sequence[str], metrics))
    _check(by_label, comparisons.compare, coefficients.group)
    if is_frame(rows):
        records = [record for _, record in read_records(rows)]
        rows = list(read_pairs(records)) if has_pairs(records) else list(read_rows(records))
    group, ties, margin = coefficients.group, coefficients.ties, coefficients.margin
    if rows and isinstance(rows[0], Pair):
        refused = {
            "human": human,
            "system-human": system_human,
            "margin": margin,
            "coefficients": coefficients.names,
            "level system": coefficients.level == "system",
        }
        for option, value in refused.items():
            if value:
                raise UsageError(f"--{option} does not go with better/worse pairs")
        pairs = cast(Sequence[Pair], rows)
        chosen, arrays = arrays_of_pairs(pairs, group=group, unit=unit, ties=ties)
        names: Mapping[str, Sequence[str]] = {"segment": (BETTER_WORSE,)}
        human, remarks = BETTER_WORSE, list[str]()
    else:
        judged = cast(Sequence[Row], rows)
        names = coefficients.by_level()
        if isinstance(system_human, str):
            system_human = read_system_scores(system_human)
        human = _human(judged, human, system_human)
        chosen, remarks = rows_that_count(judged, human, system_human, controls)
        arrays = arrays_of_rows(
            chosen,
            human,
            group=group,
            unit=unit,
            system_human=system_human,
            ties=ties,
            margin=margin or 0.0,
            paired=BETTER_WORSE in names.get("segment", ()),
        )
    number = (
        1 if comparisons.compare is None else len(pairs_of(list(by_label), comparisons.compare))
    )
    most = trials_for(number, LEVEL, comparisons.trials, comparisons.resamples_max)
    arrays = replace(arrays, trials=comparisons.trials, trials_max=most, seed=comparisons.seed)
    scored = scored or score_rows(chosen, by_label, scoring)
    work = _Work(chosen, arrays, scored, names, resampling, scoring.threads)
    differences = work.differences(comparisons) if comparisons.compare is not None else []
    return work.result(human, group, differences, remarks)


def _human(rows: Sequence[Row], human: str | None, system_human: Mapping[str, float] | None) -> str:
    """Return the given name, or that of the only human score."""
    if human is not None:
        return human.strip()
    if system_human is not None:
        return SYSTEM_HUMAN
    known = criteria_of(rows)
    if len(known) == 1:
        return known[0]
    if not known:
        raise no_scores(rows)
    raise UsageError(f"there are several human scores; name one with `human`: {', '.join(known)}")


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


class _Work:
    """Computes the coefficients of scored metrics, each once."""

    def __init__(
        self,
        rows: Sequence[Row],
        arrays: JudgedArrays,
        scored: Sequence[ScoredRows],
        names: Mapping[str, Sequence[str]],
        resampling: Resampling | None,
        threads: int,
    ) -> None:
        self.rows, self.arrays, self.scored, self.names = rows, arrays, scored, names
        self.resampling, self.threads = resampling, threads
        self.judged = arrays.judged
        self.blocks: Blocks = []
        if resampling is not None and self.judged.size > 1:
            self.blocks = Resamples(self.judged.size, resampling.resamples, resampling.seed).kept()
        self.sampled = {
            entry.label: sample(entry, arrays, names, self.blocks, threads=threads)
            for entry in scored
        }

    def result(
        self, human: str, group: Group, differences: list[Difference], remarks: Sequence[str]
    ) -> AgreementResult:
        metrics = [self.metric(scored) for scored in self.scored]
        every = np.arange(len(self.rows))
        sums = sums_of(self.scored[0], self.arrays, every)
        judges = _panel(self.rows, human, self.judged, self.blocks, self.resampling)
        remarks = [*remarks, *_on_groups(self.rows, group), *_on_metrics(self.scored)]
        return AgreementResult(
            human,
            self.rows,
            self.arrays.people,
            list(self.judged.systems),
            np.asarray(sums.people(once(self.judged.size))[0]),
            metrics,
            adjust(differences),
            judges,
            self.names,
            group,
            self.resampling,
            self.judged.unit,
            self.judged.size,
            self.arrays.trials,
            [*remarks, *self.on_systems(), *_on_estimates(metrics, self.judged, self.resampling)],
        )

    def on_systems(self) -> list[str]:
        """Remark on what intervals over systems resample, and on few systems."""
        if self.resampling is None or "system" not in self.names:
            return []
        remarks = []
        if self.arrays.resample_systems:
            remarks.append(f"intervals over systems resample systems and {self.judged.unit}")
        else:
            remarks.append("intervals over systems hold for these systems, not for others")
        if len(self.judged.systems) < FEW_SYSTEMS:
            remarks.append(f"fewer than {FEW_SYSTEMS} systems: intervals over systems are rough")
        return remarks

    def metric(self, scored: ScoredRows) -> MetricAgreement:
        sampled, threshold = self.sampled[scored.label]
        sums = sums_of(scored, self.arrays, np.arange(len(self.rows)))
        estimates = {
            key: estimate(
                value,
                self.resampling,
                alone=self.judged.size < 2,
                reason="" if np.isfinite(value.value) else _reason(key, value, self.arrays),
            )
            for key, value in sampled.items()
        }
        return MetricAgreement(
            scored.label,
            scored.metric.signature,
            scored.metric.traits.higher_is_better,
            scored.sign * scored.segments,
            sums.scores(once(self.judged.size))[0],
            estimates,
            threshold,
            scored.familiarity,
        )

    def differences(self, comparisons: Comparisons) -> list[Difference]:
        """Compute the differences of all pairs of metrics that may be compared."""
        by_label = {side.label: side for side in self.scored}
        differences: list[Difference] = []
        for left, right in pairs_of(list(by_label), str(comparisons.compare)):
            pair = by_label[left], by_label[right]
            if not any(side.familiarity.is_marked or not side.metric.by_segment for side in pair):
                differences += self._compare(*pair)
        if self.resampling is None or self.judged.size < 2:
            return differences

        def coefficients(
            scored: ScoredRows, wanted: Iterable[Coefficient], blocks: Blocks
        ) -> Mapping[Coefficient, Sampled]:
            names: dict[str, list[str]] = {}
            for level, name in wanted:
                names.setdefault(level, []).append(name)
            return sample(scored, self.arrays, names, blocks, threads=self.threads)[0]

        size, most = self.judged.size, comparisons.resamples_max
        return resolve(differences, by_label, coefficients, self.resampling, size, most)

    def _compare(self, one: ScoredRows, other: ScoredRows) -> list[Difference]:
        """Compare two metrics on the rows that both have scored."""
        both = one.known & other.known
        first, second = (
            self.sampled[scored.label][0]
            if (scored.known == both).all()
            else sample(
                scored.among(both), self.arrays, self.names, self.blocks, threads=self.threads
            )[0]
            for scored in (one, other)
        )
        shared = one.among(both), other.among(both), self.arrays, (first, second), self.resampling
        segments = segment_differences(*shared, threads=self.threads)
        return segments + (system_differences(*shared) if "system" in self.names else [])


def _reason(coefficient: Coefficient, sampled: Sampled, arrays: JudgedArrays) -> str:
    level, name = coefficient
    if arrays.system_human is not None and (level == "segment" or name == SOFT):
        return "segments were not judged"
    if name == BETTER_WORSE:
        return "no pairs"
    if sampled.size >= FEWEST and sampled.left_out > 1:
        return "no group has a value"
    return no_value(sampled.size, level)


def _panel(
    rows: Sequence[Row],
    human: str,
    judged: JudgedRows,
    blocks: Blocks,
    resampling: Resampling | None,
) -> Panel | None:
    """Measure the agreement of named judges; `None` if no judge has a name."""
    judges = _judge_scores(rows, human)
    if not judges:
        return None

    scores = np.array(list(judges.values()))
    there = np.isfinite(scores)
    size = int((there.sum(axis=0) >= 2).sum())
    few = len(np.unique(scores[there])) <= _VALUES
    alphas: dict[str, Estimate] = {}
    for measure in MEASURES if few else MEASURES[-1:]:
        whole, *draws = (
            krippendorff_resampled(scores, measure, times[:, judged.units])
            for times in (once(judged.size), *blocks)
        )
        sampled = Sampled(float(whole[0]), size, np.concatenate([*draws, np.zeros(0)]))
        reason = "constant" if size else "no row has two judgements"
        alphas[measure] = estimate(sampled, resampling, alone=judged.size < 2, reason=reason)
    return Panel(judges, alphas)


def _judge_scores(rows: Sequence[Row], human: str) -> dict[str, Array]:
    """Return the scores of each named judge, averaged by row; NaN where there is none."""
    sums: dict[str, Array] = {}
    times: dict[str, Array] = {}
    for place, row in enumerate(rows):
        for judgement in row.judges if not is_control(row) else ():
            if judgement.judge is not None and human in judgement.scores:
                score = judgement.scores[human]
                sums.setdefault(judgement.judge, np.zeros(len(rows)))[place] += score
                times.setdefault(judgement.judge, np.zeros(len(rows)))[place] += 1
    return {
        judge: np.where(times[judge] > 0, sums[judge] / np.maximum(times[judge], 1), np.nan)
        for judge in sorted(sums)
    }


def _on_groups(rows: Sequence[Row], group: Group) -> list[str]:
    langs = list(dict.fromkeys(row.langs for row in rows if row.langs))
    if len(langs) > 1 and group in ("none", "system"):
        return [f"rows of {len(langs)} language pairs are taken together, not grouped by langs"]
    return []


def _on_metrics(scored: Sequence[ScoredRows]) -> list[str]:
    """Remark on reversed scores, rows without a score, and rows that a metric was trained on."""
    remarks = []
    for metric in scored:
        remarks += metric.familiarity.remarks(metric.label)
        if metric.sign < 0:
            remarks.append(f"{metric.label}: lower is better, so its scores are reversed")
        if lacking := int((~metric.known).sum()):
            remarks.append(f"{metric.label}: rows without a score, left out: {lacking}")
    return remarks


def _on_estimates(
    metrics: Sequence[MetricAgreement], judged: JudgedRows, resampling: Resampling | None
) -> list[str]:
    """Remark on groups and resamples without a value; metrics and coefficients of a level share a
    remark.
    """
    remarks = []
    fewest: dict[str, int] = {}  # resamples with a value, by level
    if resampling is not None and judged.size < 2:
        remarks.append(f"there are no intervals: the set is a single one of the {judged.unit}")
    for metric in metrics:
        for level in dict.fromkeys(level for level, _ in metric.estimates):
            where = f"{metric.label}, {level} level"
            groups: dict[tuple[int, int], list[str]] = {}
            for (at, name), result in metric.estimates.items():
                if at != level:
                    continue
                if result.value is not None and result.left_out:
                    key = result.left_out, result.groups + result.left_out
                    groups.setdefault(key, []).append(name)
                if result.low is not None and resampling and result.defined < resampling.resamples:
                    fewest[level] = min(result.defined, fewest.get(level, result.defined))
            remarks += [
                f"{where}: {lacking} of {every} groups have no {', '.join(names)}, and are left out"
                for (lacking, every), names in groups.items()
            ]
    for level, defined in fewest.items():
        lacking = (resampling.resamples if resampling else 0) - defined
        remarks.append(
            f"{level} level: up to {lacking} resamples have a constant score, so no coefficient, "
            "and are left out"
        )
    return remarks
