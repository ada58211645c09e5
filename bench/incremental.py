"""BLEU's three steps: speed next to sacreBLEU's BLEU in the same run, and segment correlation.

python -m bench.incremental
"""

from __future__ import annotations

import statistics

import numpy as np

import otherwords
from bench.data import rows
from bench.speed import timed

METRICS = ("bleu", "mup", "gm", "bp-bleu")
ROUNDS = 5


def main() -> None:
    """Measure in turns, so that a busy moment of the machine hits all alike."""
    segments = rows("mt/wmt15-daseg")
    hypotheses = [row.hypothesis for row in segments]
    references = [row.references for row in segments]
    human = np.array([row.human["da"] for row in segments])
    results = {name: otherwords.score(name, hypotheses, references) for name in METRICS}
    rounds = [
        {
            name: timed(lambda n=name: otherwords.score(n, hypotheses, references))
            for name in METRICS
        }
        for _ in range(ROUNDS)
    ]
    seconds = {name: statistics.median(times[name] for times in rounds) for name in METRICS}
    print(f"{len(segments)} segments of wmt15-daseg, one thread, median of {ROUNDS} rounds")
    for name, result in results.items():
        zeros = np.mean(result.segments == 0)
        print(
            f"{name:8} {len(segments) / seconds[name]:7.0f} segments/s, "
            f"{seconds['bleu'] / seconds[name]:4.2f} x bleu   corpus {result.corpus:7.4f}   "
            f"segments: Pearson {np.corrcoef(result.segments, human)[0, 1]:.4f}, "
            f"{100 * zeros:4.1f} % are 0"
        )


if __name__ == "__main__":
    main()
