"""False findings and power of paired tests, and the coverage of intervals, on simulated systems.

    python -m bench.significance [--runs 200] [--segments 200]
    python -m bench.significance small [--runs 400]

Segments have a difficulty that all systems share and independent noise, as real outputs do.
`any false` is the share of runs in which any two equal systems are called different (.05 is the
level that Holm's correction promises at most), `found` the share of pairs with the one worse
system that are found, for 2, 8 and 20 systems (these in half of the runs) and a worse system that
lies `shift` below. About two minutes of CPU.

`small` has few segments, with scores from 0 to 1 (a Beta distribution whose mean is the segment's
difficulty): how often the 95 % interval of a mean holds the true mean, how often two equal systems
are called different at the level .05, and how often `score --ci` splits three equal systems into
clusters. About two minutes of CPU.
"""

from __future__ import annotations

import argparse

import numpy as np

from otherwords.stats.intervals import bootstrap, interval, percentiles
from otherwords.stats.significance import clusters, compare, compare_family


def mean(sums: np.ndarray) -> np.ndarray:
    """The mean of a column of scores next to a column of ones."""
    return sums[:, 0] / sums[:, 1]


def simulated(systems: int, segments: int, shift: float, seed: int) -> dict[str, np.ndarray]:
    """Statistics of systems, the last of which is worse."""
    generator = np.random.default_rng(seed)
    difficulty = generator.normal(size=segments)
    return {
        f"s{place:02}": np.column_stack(
            [
                difficulty
                + generator.normal(0, 0.5, segments)
                - (shift if place == systems - 1 else 0.0),
                np.ones(segments),
            ]
        )
        for place in range(systems)
    }


def bounded(systems: int, segments: int, seed: int) -> list[np.ndarray]:
    """Statistics of equal systems with scores from 0 to 1, skewed as those of metrics are."""
    generator = np.random.default_rng(seed)
    difficulty = generator.beta(4, 2, segments)
    scores = generator.beta(10 * difficulty, 10 * (1 - difficulty), (systems, segments))
    return [np.column_stack([mine, np.ones(segments)]) for mine in scores]


def small(runs: int) -> None:
    """Print the table of few segments."""
    print(f"{runs} runs, 500 resamples, level .05; the true mean is 2/3")
    print("segments  percentile  interval  randomization  bootstrap  clusters")
    for size in (2, 3, 5, 8, 10, 20, 50, 100):
        counts = np.zeros(5)
        for run in range(runs):
            one, other, third = bounded(3, size, run)
            around = interval(mean, one, resamples=500)
            low, high = percentiles(bootstrap(mean, one, resamples=500), 0.95)
            counts[0] += low <= 2 / 3 <= high
            counts[1] += around.low <= 2 / 3 <= around.high
            for place, test in enumerate(("randomization", "bootstrap"), 2):
                counts[place] += compare(mean, one, other, test=test, trials=500).p < 0.05
            family = compare_family(mean, {"a": one, "b": other, "c": third}, trials=500)
            counts[4] += len(clusters(family)) > 1
        shares = "  ".join(f"{share:9.3f}" for share in counts / runs)
        print(f"{size:8}  {shares}", flush=True)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("table", nargs="?", choices=["families", "small"], default="families")
    arguments.add_argument("--runs", type=int, default=200)
    arguments.add_argument("--segments", type=int, default=200)
    given = arguments.parse_args()
    if given.table == "small":
        small(given.runs)
        return
    print(f"{given.runs} runs of {given.segments} segments, level .05")
    print("systems  shift  any false  found  trials of a pair (mean)")
    for count in (2, 8, 20):
        for shift in (0.0, 0.2, 0.4):
            runs = given.runs if count < 20 else max(20, given.runs // 2)
            false, found, trials = 0, [], []
            for run in range(runs):
                family = compare_family(mean, simulated(count, given.segments, shift, run))
                worse = f"s{count - 1:02}"
                equal = [t for pair, t in family.tests.items() if not shift or worse not in pair]
                real = [t for pair, t in family.tests.items() if shift and worse in pair]
                false += any(one.differs(0.05) for one in equal)
                found += [one.differs(0.05) for one in real]
                trials += [one.trials for one in family.tests.values()]
            power = f"{np.mean(found):5.2f}" if found else "  n/a"
            line = f"{count:7}  {shift:5.1f}  {false / runs:9.3f}  {power}  {np.mean(trials):8,.0f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
