"""Draws of a judged set: all coefficients of ParaEval's tables against SciPy, in the same run.

python -m bench.meta
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr

from otherwords.corpus.rows import Row
from otherwords.meta.bootstrap import resample
from otherwords.meta.estimates import Resampling
from otherwords.meta.paraeval import Variant, lines
from otherwords.meta.systems import JudgedRows, judged_rows
from otherwords.metrics.base import Array, Metric
from otherwords.metrics.registry import create

RESAMPLES = 1000
PEER_DRAWS = 10  # of which the time of all is reckoned


def timed(work: Callable[[], object]) -> float:
    """Seconds that the work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def judged(systems: int, segments: int, metrics: int) -> tuple[JudgedRows, list[Variant]]:
    """A made set: metrics that see some of what people see."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(systems, 1)) / 5 + rng.normal(size=(systems, segments))
    rows = [
        Row("", system=f"s{system}", item=str(segment), human={"da": float(score)})
        for system, scores in enumerate(quality)
        for segment, score in enumerate(scores)
    ]
    mean = create("pinc")  # any metric whose score is the mean of its segments'
    variants = []
    for number in range(metrics):
        scores = (quality + 2 * rng.normal(size=quality.shape)).ravel()
        variants.append(Variant(str(number), mean, _statistics(mean, scores)))
    return judged_rows(rows, ["da"], [row.item or "" for row in rows]), variants


def _statistics(mean: Metric, scores: Array) -> Array:
    statistics = np.ones((len(scores), len(mean.columns)))
    statistics[:, 0] = scores
    return statistics


def by_scipy(found: JudgedRows, variant: Variant) -> None:
    """The same coefficients, rows repeated and SciPy called for each draw."""
    by_unit = [np.flatnonzero(found.units == unit) for unit in range(found.size)]
    systems = np.empty(len(found.units), dtype=int)
    for number, rows in enumerate(found.systems.values()):
        systems[rows] = number
    scores, people = variant.statistics[:, 0], found.human["da"]
    for draw in resample(found.size, PEER_DRAWS, 0):
        rows = np.concatenate([by_unit[unit] for unit in draw])
        parts = [rows[systems[rows] == number] for number in range(len(found.systems))]
        means = [(scores[part].mean(), people[part].mean()) for part in parts]
        if len(means) > 2:
            spearmanr(means)
            pearsonr(*zip(*means, strict=True))
        pearsonr(scores[rows], people[rows])
        kendalltau(scores[rows], people[rows])


def main() -> None:
    """Print the seconds of each shape of a judged set."""
    for systems, segments, metrics in ((8, 650, 7), (1, 10_000, 10), (20, 500, 10)):
        found, variants = judged(systems, segments, metrics)
        ours = timed(lambda f=found, v=variants: lines(f, v, Resampling(resamples=RESAMPLES)))
        peer = timed(lambda f=found, v=variants[0]: by_scipy(f, v))
        peer *= metrics * RESAMPLES / PEER_DRAWS
        print(
            f"{systems:2} systems x {segments:5} segments x {metrics:2} metrics x {RESAMPLES} draws"
            f" {ours:6.2f} s, SciPy in a loop {peer:6.1f} s ({peer / ours:.0f} x)"
        )


if __name__ == "__main__":
    main()
