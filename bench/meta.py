"""Meta-evaluation with intervals: ours against SciPy called for each draw, in the same run.

OPENBLAS_NUM_THREADS=1 python -m bench.meta
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr

from otherwords.corpus.rows import Row
from otherwords.scoring.outside_scores import OutsideMetric
from otherwords.stats.intervals import Resampling
from otherwords.stats.resampling import resample
from otherwords.study.agreement import AgreementResult, Coefficients, Comparisons, agreement

RESAMPLES = 1000
PEER_DRAWS = 5  # of which the time of all is reckoned
SHAPES = ((1, 10_000, 10), (8, 650, 7), (20, 500, 10))  # systems, segments, metrics


def timed(work: Callable[[], object]) -> float:
    """CPU seconds that the work takes: one thread, so those of a machine that is ours alone."""
    start = time.process_time()
    work()
    return time.process_time() - start


def judged(
    systems: int, segments: int, metrics: int, *, ties: bool
) -> tuple[list[Row], dict[str, OutsideMetric]]:
    """A made set: metrics that see some of what people see, who may give few different scores."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(systems, 1)) / 5 + rng.normal(size=(systems, segments))
    people = np.minimum(np.round(3 * quality), 0) if ties else quality  # as MQM: 0 is best
    names = [
        (f"s{system}", str(segment)) for system in range(systems) for segment in range(segments)
    ]
    rows = [
        Row("", system=system, item=item, human={"da": float(score)})
        for (system, item), score in zip(names, people.ravel(), strict=True)
    ]
    made = {}
    for number in range(metrics):
        scores = (quality + 2 * rng.normal(size=quality.shape)).ravel().tolist()
        made[f"m{number}"] = OutsideMetric(f"m{number}", dict(zip(names, scores, strict=True)))
    return rows, made


def by_scipy(found: AgreementResult) -> None:
    """Pearson, Spearman and Kendall over segments and systems, rows repeated for each draw."""
    items = [row.item for row in found.rows]
    place = {item: number for number, item in enumerate(dict.fromkeys(items))}
    units = np.array([place[item] for item in items])
    by_unit = [np.flatnonzero(units == unit) for unit in range(found.size)]
    systems = np.array([found.systems.index(row.system) for row in found.rows])
    scores, people = found.metrics[0].segments, found.people
    for draw in resample(found.size, PEER_DRAWS, 0):
        rows = np.concatenate([by_unit[unit] for unit in draw])
        parts = [rows[systems[rows] == number] for number in range(len(found.systems))]
        means = [(scores[part].mean(), people[part].mean()) for part in parts]
        if len(means) > 2:
            spearmanr(means)
            pearsonr(*zip(*means, strict=True))
        for coefficient in (pearsonr, spearmanr, kendalltau):
            coefficient(scores[rows], people[rows])


def main() -> None:
    """Print the seconds of each shape of a judged set."""
    how = Resampling(resamples=RESAMPLES)
    for ties in (False, True):
        for systems, segments, metrics in SHAPES:
            rows, made = judged(systems, segments, metrics, ties=ties)
            found: list[AgreementResult] = []
            ours = timed(
                lambda r=rows, m=made, f=found: f.append(agreement(r, m, "da", resampling=how))
            )
            peer = timed(lambda f=found: by_scipy(f[0])) * metrics * RESAMPLES / PEER_DRAWS
            print(
                f"{systems:2} systems x {segments:5} segments x {metrics:2} metrics x {RESAMPLES} "
                f"draws, human scores {'with' if ties else 'without'} ties: all coefficients "
                f"{ours:6.2f} s, three of them with SciPy {peer:6.1f} s ({peer / ours:.0f} x)"
            )
    rows, made = judged(1, 10_000, 2, ties=False)
    tests = timed(
        lambda: agreement(
            rows,
            made,
            "da",
            comparisons=Comparisons(compare="m0"),
            coefficients=Coefficients(level="segment"),
        )
    )
    one = timed(
        lambda: agreement(
            rows,
            made,
            "da",
            comparisons=Comparisons(compare="m0"),
            coefficients=Coefficients(level="segment", names=["pearson"]),
        )
    )
    print(
        f"two metrics on 10,000 segments, {RESAMPLES} permutations: Pearson {one:.2f} s, "
        f"with Spearman, Kendall and better/worse {tests:.2f} s"
    )


if __name__ == "__main__":
    main()
