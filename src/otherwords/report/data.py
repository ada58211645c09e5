"""What a report is made of: rows with their scores, systems with their draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from otherwords.comparison.contrasts import Resampling
from otherwords.comparison.pairs import targets_of, upward
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.evaluation import by_row, evaluate, segment_keys
from otherwords.meta.bootstrap import percentiles
from otherwords.meta.judged import criteria_of, is_control
from otherwords.meta.systems import JudgedRows, draw_counts, judged_rows
from otherwords.metrics.base import Array, Metric
from otherwords.report.plot import Estimated
from otherwords.text.sentence import Sentence
from otherwords.text.tokenizer import tokenize

__all__ = ["LENGTHS", "Evidence", "gather"]

LENGTHS = (0, 10, 20, 30, 40, 50)  # where buckets of lengths start


@dataclass(frozen=True)
class Drawn:
    """A score of each system on the whole set and on each draw, NaN where it has none."""

    values: Array
    draws: Array = field(repr=False)

    def around(self, system: int, confidence: float) -> Estimated:
        """The score of a system with its interval."""
        known = self.draws[np.isfinite(self.draws[:, system]), system]
        value = float(self.values[system])
        return (value, None, None) if len(known) < 2 else (value, *percentiles(known, confidence))


@dataclass(frozen=True)
class Evidence:
    """All that a report derives from.

    `scores` are those of rows by metric, as the metric gives them; `systems` the corpus scores of
    the systems of `judged`, and `people` their mean human scores by criterion. `lengths` are
    numbers of buckets, by the tokens of the first reference, else of the source.
    """

    rows: Sequence[Row] = field(repr=False)
    metrics: Mapping[str, Metric]
    human: str | None
    resampling: Resampling
    judged: JudgedRows = field(repr=False)
    statistics: Mapping[str, Array] = field(repr=False)
    scores: Mapping[str, Array] = field(repr=False)
    systems: Mapping[str, Drawn] = field(repr=False)
    people: Mapping[str, Drawn] = field(repr=False)
    lengths: NDArray[np.intp] = field(repr=False)
    notes: Sequence[str]

    @property
    def names(self) -> list[str]:
        """The systems."""
        return list(self.judged.systems)

    @property
    def share(self) -> str:
        """The confidence of the intervals, in words."""
        return f"{100 * self.resampling.confidence:g} %"

    def better(self, label: str) -> Array:
        """The scores of rows by a metric, turned so that more is better."""
        return upward(self.metrics[label], self.scores[label])

    def ranked(self, label: str) -> list[int]:
        """The systems' numbers, best first; those without a score are left out."""
        values = upward(self.metrics[label], self.systems[label].values)
        order = np.argsort(-values, kind="stable")
        return [int(system) for system in order if np.isfinite(values[system])]


def gather(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    human: str | None = None,
    *,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    controls: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Evidence:
    """Score the rows and draw their units; `human` is the score of people that counts most.

    Rows of controls are left out unless `controls`.
    """
    kept = [row for row in rows if controls or not is_control(row)]
    if not kept:
        raise UsageError("there are no rows but controls" if rows else "there are no rows")
    left_out = len(rows) - len(kept)
    criteria = _criteria(kept, human)
    scored = evaluate(
        kept, metrics, threads=threads, any_language=any_language, progress=progress
    )
    statistics = by_row(kept, scored)
    judged = judged_rows(kept, criteria, segment_keys(kept))
    systems, people = _drawn(judged, metrics, statistics, resampling)
    starts = np.array([_length(row) for row in kept])
    return Evidence(
        kept,
        metrics,
        human,
        resampling,
        judged,
        statistics,
        {label: metric.segment_scores(statistics[label]) for label, metric in metrics.items()},
        systems,
        people,
        np.searchsorted(LENGTHS, starts, side="right") - 1,
        [f"rows of controls, left out: {left_out}"] if left_out else [],
    )


def _criteria(rows: Sequence[Row], human: str | None) -> list[str]:
    """The human score that counts, then the others; none without it."""
    known = criteria_of(rows)
    if human is None:
        return []
    if human not in known:
        hint = near(human, known) if known else "there are no human scores at all"
        raise UsageError(f"no row has the human score '{human}'; {hint}")
    return [human, *(name for name in known if name != human)]


def _length(row: Row) -> int:
    targets = targets_of(row)
    if not targets:
        return 0
    first = targets[0]
    return len(first.tokens if isinstance(first, Sentence) else tokenize(first).tokens)


def _drawn(
    judged: JudgedRows,
    metrics: Mapping[str, Metric],
    statistics: Mapping[str, Array],
    resampling: Resampling,
) -> tuple[dict[str, Drawn], dict[str, Drawn]]:
    """Scores of systems on the set and on draws, by metrics and by people."""
    every = np.ones((1, judged.size), dtype=np.uint16)
    blocks = [every]
    if judged.size > 1:
        blocks += draw_counts(judged.size, resampling.resamples, resampling.seed)
    times = np.concatenate(blocks).astype(np.float64)
    systems = {
        label: _of_metric(judged, metric, statistics[label], times)
        for label, metric in metrics.items()
    }
    return systems, {name: _of_people(judged, name, times) for name in judged.human}


def _sums(judged: JudgedRows, values: Array, times: Array) -> Array:
    """Sums of the rows' values for each draw and system."""
    found = np.zeros((len(times), len(judged.systems), values.shape[1]))
    for system, mine in enumerate(judged.systems.values()):
        units = np.zeros((judged.size, values.shape[1]))
        np.add.at(units, judged.units[mine], values[mine])
        found[:, system] = times @ units
    return found


def _of_metric(judged: JudgedRows, metric: Metric, statistics: Array, times: Array) -> Drawn:
    sums = _sums(judged, statistics, times)
    there = _sums(judged, np.ones((len(statistics), 1)), times)[..., 0] > 0
    scores = np.full(there.shape, np.nan)
    for draw, system in np.argwhere(there):
        scores[draw, system] = metric.from_sums(sums[draw, system])
    exact = [metric.aggregate(statistics[mine]) for mine in judged.systems.values()]
    return Drawn(np.array(exact), scores[1:])


def _of_people(judged: JudgedRows, name: str, times: Array) -> Drawn:
    said = judged.human[name]
    known = np.isfinite(said)
    both = np.stack([np.where(known, said, 0.0), known], axis=1)
    sums = _sums(judged, both, times)
    means = np.divide(
        sums[..., 0], sums[..., 1], out=np.full(sums.shape[:2], np.nan), where=sums[..., 1] > 0
    )
    return Drawn(means[0], means[1:])
