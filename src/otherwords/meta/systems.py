"""A metric's agreement with people over systems and over segments, on the set and on draws of it.

What is drawn are units: documents, or segments with the rows of all systems. A draw is how often
each unit was taken, so that sums by unit are all that a coefficient needs of the set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.meta.agreement import (
    Counts,
    accuracy_each,
    kendall_drawn,
    pearson_drawn,
    pearson_each,
    spearman_each,
)
from otherwords.meta.bootstrap import resample
from otherwords.meta.judged import score_of, systems_of
from otherwords.metrics.base import Array, Metric

__all__ = ["COEFFICIENTS", "JudgedRows", "Sampled", "correlate", "draw_counts", "judged_rows"]

COEFFICIENTS = {"system": ("spearman", "pearson", "accuracy"), "segment": ("pearson", "kendall")}
_CELLS, _DRAWS = 2**22, 2**10  # of a block, so that memory does not grow with the draws


@dataclass(frozen=True)
class JudgedRows:
    """Rows as arrays: what people said (NaN if nothing), who wrote them, what is drawn with them.

    `units[row]` is the number of the row's document or segment, `unit` says which of the two.
    """

    human: Mapping[str, Array]
    systems: Mapping[str, NDArray[np.intp]]
    units: NDArray[np.intp]
    unit: str

    @property
    def size(self) -> int:
        """How many units there are."""
        return int(self.units.max()) + 1 if len(self.units) else 0


@dataclass(frozen=True)
class Sampled:
    """A coefficient on the whole set and on each draw, NaN where it has no value.

    `size` counts the points that it is taken over.
    """

    value: float
    size: int
    draws: Array = field(repr=False, compare=False)


def judged_rows(rows: Sequence[Row], criteria: Sequence[str], keys: Sequence[str]) -> JudgedRows:
    """The rows as arrays; `keys` say which rows are of the same segment.

    Documents are drawn where rows have them, else segments.
    """
    documents = _documents(rows)
    place: dict[str, int] = {}
    units = [place.setdefault(name, len(place)) for name in documents or keys]
    systems: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for system in systems_of(row):
            systems.setdefault(system, []).append(number)
    return JudgedRows(
        {name: np.array([score_of(row, name) for row in rows]) for name in criteria},
        {system: np.array(mine, dtype=np.intp) for system, mine in systems.items()},
        np.array(units, dtype=np.intp),
        "documents" if documents else "segments",
    )


def _documents(rows: Sequence[Row]) -> list[str]:
    """The documents of the rows; none if no row has one."""
    found = [row.doc for row in rows if row.doc is not None]
    if found and len(found) != len(rows):
        lacking = next(row for row in rows if row.doc is None)
        message = "this row has no document, but others have one; give it to all or to none"
        raise InputError(message, path=lacking.path, line=lacking.line)
    return found


def draw_counts(size: int, resamples: int, seed: int) -> Iterator[Counts]:
    """How often each of `size` units is taken in each draw, in blocks of draws.

    >>> [block.tolist() for block in draw_counts(3, 2, seed=0)]
    [[[2, 1, 0], [1, 0, 2]]]
    """
    block: list[NDArray[np.intp]] = []
    for draw in resample(size, resamples, seed):
        block.append(np.bincount(draw, minlength=size))
        if len(block) * size >= _CELLS or len(block) == _DRAWS:
            yield np.array(block, dtype=np.uint16)
            block = []
    if block:
        yield np.array(block, dtype=np.uint16)


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

    `known` are the rows that have statistics (all unless given). In each draw systems are scored
    anew from the sums of their statistics, and their human scores averaged anew, unless these
    are fixed at those of the whole set, as ParaEval's were (§4.1). Accuracy takes a metric whose
    lower scores are better the right way round; correlations are as they are.
    """
    sums = _sums(judged, human, metric, statistics, known)
    every = np.ones((1, judged.size), dtype=np.uint16)
    means = sums.human_means(every) if fixed_human else None
    whole = sums.coefficients(every, None, threads)
    blocks = [
        sums.coefficients(times, means, threads)
        for times in draw_counts(judged.size, resamples, seed)
    ]
    return {
        name: Sampled(
            float(whole[name][0]),
            sums.systems if name[0] == "system" else len(sums.scores),
            np.concatenate([block[name] for block in blocks]),
        )
        for name in whole
    }


@dataclass(frozen=True)
class _Sums:
    """What a draw weighs: sums by unit and system, and the scores of rows."""

    metric: Metric
    statistics: Array  # [units, systems, columns]
    human: Array  # [units, systems]
    rows: Array  # [units, systems]: how many
    scores: Array
    people: Array
    units: NDArray[np.intp]

    @property
    def systems(self) -> int:
        """How many systems have a row that counts."""
        return int((self.rows.sum(axis=0) > 0).sum())

    def coefficients(
        self, times: Counts, means: Array | None, threads: int
    ) -> dict[tuple[str, str], Array]:
        """The coefficients of each draw; `means` are human scores to compare with instead."""
        scores = self.system_scores(times)
        people = self.human_means(times) if means is None else np.broadcast_to(means, scores.shape)
        upward = scores if self.metric.traits.higher_is_better else -scores
        rows = self.scores, self.people, self.units, times
        return {
            ("system", "spearman"): spearman_each(scores, people),
            ("system", "pearson"): pearson_each(scores, people),
            ("system", "accuracy"): accuracy_each(upward, people),
            ("segment", "pearson"): pearson_drawn(*rows),
            ("segment", "kendall"): kendall_drawn(*rows, threads=threads),
        }

    def system_scores(self, times: Counts) -> Array:
        """Each system's corpus score in each draw; NaN where a draw has no row of it."""
        weights = times.astype(np.float64)
        units, systems, columns = self.statistics.shape
        sums = (weights @ self.statistics.reshape(units, -1)).reshape(-1, systems, columns)
        scores = np.full(sums.shape[:2], np.nan)
        for draw, system in np.argwhere(weights @ self.rows > 0):
            scores[draw, system] = self.metric.from_sums(sums[draw, system])
        return scores

    def human_means(self, times: Counts) -> Array:
        """Each system's mean human score in each draw; NaN where a draw has no row of it."""
        weights = times.astype(np.float64)
        rows = weights @ self.rows
        return np.where(rows > 0, weights @ self.human / np.maximum(rows, 1), np.nan)


def _sums(
    judged: JudgedRows,
    human: str,
    metric: Metric,
    statistics: Array,
    known: NDArray[np.bool_] | None,
) -> _Sums:
    people = judged.human[human]
    counts = np.isfinite(people) if known is None else np.isfinite(people) & known
    shape = judged.size, len(judged.systems)
    of_statistics = np.zeros((*shape, statistics.shape[1]))
    of_people, of_rows = np.zeros(shape), np.zeros(shape)
    for system, rows in enumerate(judged.systems.values()):
        mine = rows[counts[rows]]
        units = judged.units[mine]
        np.add.at(of_statistics[:, system], units, statistics[mine])
        np.add.at(of_people[:, system], units, people[mine])
        np.add.at(of_rows[:, system], units, 1)
    scores = metric.segment_scores(statistics[counts])
    there = np.isfinite(scores)
    rows = np.flatnonzero(counts)[there]
    return _Sums(
        metric,
        of_statistics,
        of_people,
        of_rows,
        scores[there],
        people[rows],
        judged.units[rows],
    )
