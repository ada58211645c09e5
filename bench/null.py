"""How often each test that is printed finds a difference where there is none, and how often
intervals hold the true value, on simulated data.

    python -m bench.null [--runs 200] [TABLE ...]

The level is .05 and intervals are of 95 %; resampling tests have 200 trials. Differences of
segments are normal, `ties` (0 in seven of ten segments), `skewed` (exponential, less its mean) or
`heavy` (Student's t with 2 degrees of freedom). Systems with skewed differences are equal in the
mean, but not exchangeable. Below two minutes of CPU.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import MeanMetric, Traits
from otherwords.metrics.inputs import Segments
from otherwords.scoring.compare import compare as compare_systems
from otherwords.scoring.sampling import Sampling
from otherwords.stats.intervals import Resampling, interval
from otherwords.stats.significance import benjamini_hochberg, compare, compare_family
from otherwords.study.agreement import Coefficients, Comparisons, agreement
from otherwords.study.agreement.arrays import ScoredRows
from otherwords.study.agreement.system_correlation import exact_p

LEVEL, TRIALS = 0.05, 200
KINDS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda chance, size: chance.normal(size=size),
    "ties": lambda chance, size: chance.normal(size=size) * (chance.random(size) < 0.3),
    "skewed": lambda chance, size: chance.exponential(size=size) - 1,
    "heavy": lambda chance, size: chance.standard_t(2, size=size),
}
Line = tuple[object, ...]


class Given(MeanMetric):
    """A metric whose scores are simulated."""

    name = "given"
    traits = Traits(low=-1e9, high=1e9)
    columns = ("score", "segments")

    def signature_parts(self) -> dict[str, str]:
        return {}

    def compute(self, segments: Segments, threads: int) -> np.ndarray:
        raise NotImplementedError


def mean(sums: np.ndarray) -> np.ndarray:
    """The mean of a column of scores next to a column of ones."""
    return sums[:, 0] / sums[:, 1]


def as_statistics(scores: np.ndarray) -> np.ndarray:
    """Scores next to a column of ones."""
    return np.column_stack([scores, np.ones(len(scores))])


def two_systems(runs: int) -> Iterator[Line]:
    """`score --paired`, `compare`, `gate --fail-if-worse`, `report`: two systems."""
    yield "differences", "segments", "randomization", "bootstrap", "interval holds"
    for kind, draw in KINDS.items():
        for size in (2, 5, 10, 20, 50, 200):
            found = np.zeros(3)
            for run in range(runs):
                chance = np.random.default_rng([size, run])
                base = chance.normal(size=size)
                gap = draw(chance, size)
                left, right = as_statistics(base + gap), as_statistics(base)
                for place, test in enumerate(("randomization", "bootstrap")):
                    p = compare(mean, left, right, test=test, trials=TRIALS).p
                    found[place] += p < LEVEL
                around = interval(mean, as_statistics(gap), resamples=TRIALS)
                found[2] += around.low <= 0 <= around.high
            yield kind, size, *found / runs


def documents(runs: int) -> Iterator[Line]:
    """The same with 4 to 20 documents of 1 to 30 segments that share half of the variance."""
    yield "documents", "randomization", "bootstrap", "interval holds", "documents ignored"
    for count in (4, 6, 10, 20):
        found = np.zeros(4)
        for run in range(runs):
            chance = np.random.default_rng([count, run])
            sizes = 1 + chance.integers(0, 30, size=count)
            docs = [str(doc) for doc, size in enumerate(sizes) for _ in range(size)]
            gap = np.repeat(chance.normal(size=count), sizes) + chance.normal(size=len(docs))
            base = chance.normal(size=len(docs))
            left, right = as_statistics(base + gap), as_statistics(base)
            for place, test in enumerate(("randomization", "bootstrap")):
                p = compare(mean, left, right, test=test, trials=TRIALS, docs=docs).p
                found[place] += p < LEVEL
            around = interval(mean, as_statistics(gap), resamples=TRIALS, docs=docs)
            found[2] += around.low <= 0 <= around.high
            found[3] += compare(mean, left, right, trials=TRIALS).p < LEVEL
        yield count, *found / runs


def families(runs: int) -> Iterator[Line]:
    """Any finding among all pairs of 5 equal systems on 50 segments, by correction."""
    yield "systems", "none", "bh", "holm"
    found = np.zeros(3)
    for run in range(runs):
        chance = np.random.default_rng([5, run])
        base = chance.normal(size=50)
        systems = {str(n): as_statistics(base + chance.normal(size=50)) for n in range(5)}
        tests = compare_family(mean, systems, trials=TRIALS, trials_max=1000).tests
        p = {pair: test.p for pair, test in tests.items()}
        found += [
            min(p.values()) < LEVEL,
            min(benjamini_hochberg(p).values()) < LEVEL,
            min(test.adjusted for test in tests.values()) < LEVEL,
        ]
    yield 5, *found / runs


def pages(runs: int) -> Iterator[Line]:
    """`compare`: any star on the page of two equal systems by three metrics."""
    yield "segments", "any star"
    words = "the cat sat on a mat while one dog ran over green hills and rain fell".split()
    runs = max(20, runs // 4)
    for size in (10, 50):
        stars = 0
        for run in range(runs):
            chance = np.random.default_rng([size, run])
            rows = []
            for item in range(size):
                reference = chance.choice(words, 12)
                for system in ("a", "b"):
                    kept = [w if chance.random() < 0.7 else "lost" for w in reference]
                    texts = " ".join(kept), (" ".join(reference),)
                    rows.append(Row(*texts, system=system, item=str(item)))
            sampling = Sampling(resamples=TRIALS, resamples_max=1000)
            result = compare_systems(
                ["bleu", "chrf", "mup"], rows, sampling=sampling, any_language=True
            )
            tables = [line for table in result.tables() for line in getattr(table, "rows", ())]
            stars += any(str(cell).endswith("*") for line in tables for cell in line)
        yield size, stars / runs


def judged(
    systems: int, segments: int, chance: np.random.Generator
) -> tuple[list[Row], list[np.ndarray]]:
    """Rows, and the scores of two metrics that are equally good: human scores and both metrics
    share the quality of systems and of segments, and have errors of their own in both.
    """
    quality = chance.normal(size=systems)
    sides = [quality + chance.normal(0, 0.7, systems) for _ in range(3)]
    shared = chance.normal(0, 0.7, (systems, segments))
    people, *metrics = (
        side[:, None] + shared + chance.normal(0, 0.7, shared.shape) for side in sides
    )
    rows = [
        Row("x", ("x",), system=f"s{system}", item=str(item), human={"da": people[system, item]})
        for system in range(systems)
        for item in range(segments)
    ]
    return rows, [scores.ravel() for scores in metrics]


def metrics(runs: int) -> Iterator[Line]:
    """`meta --compare all`: two equally good metrics, Pearson's r; intervals of one metric's r."""
    names = ("williams", "perm-both", "perm-systems", "bootstrap")
    heads = ("level", "systems", "segments", *names, "interval holds")
    yield (*heads, "systems fixed: interval holds")
    runs = max(20, runs // 2)
    sets = [("segment", 1, size) for size in (20, 60, 200)]
    sets += [("system", count, 30) for count in (5, 9, 20)]
    for level, systems, segments in sets:
        truth = 0.5 if level == "segment" else (1 + 0.49 / 30) / (1.49 + 0.98 / 30)
        found, count, held = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0), np.zeros(2)
        for run in range(runs):
            chance = np.random.default_rng([systems, segments, run])
            rows, scores = judged(systems, segments, chance)
            known = np.ones(len(rows), dtype=bool)
            scored = [
                ScoredRows(label, Given(), as_statistics(mine), known, mine)
                for label, mine in zip("ab", scores, strict=True)
            ]
            for place, unit in enumerate((None, "segments")):
                result = agreement(
                    rows,
                    scored,
                    "da",
                    coefficients=Coefficients(level=level, names=("pearson",)),
                    unit=unit,
                    resampling=Resampling(resamples=TRIALS),
                    comparisons=Comparisons("all", trials=TRIALS, resamples_max=TRIALS),
                )
                around = result.metric("a").estimates[level, "pearson"]
                held[place] += around.low <= truth <= around.high
                if unit is None:
                    for test, p in result.differences[0].p.items():
                        found[test] += p < LEVEL
                        count[test] += 1
        rates = [found[name] / count[name] if count[name] else None for name in names]
        yield level, systems, segments, *rates, *held / runs


def orders(runs: int) -> Iterator[Line]:
    """`paradigm --system-human`: the exact p of Spearman's rho over systems."""
    yield "systems", "exact p"
    for systems in (4, 5, 7):
        chance = np.random.default_rng(systems)
        p = [exact_p(*chance.normal(size=(2, systems)).tolist()) for _ in range(runs)]
        yield systems, float(np.mean([one is not None and one < LEVEL for one in p]))


TABLES: dict[str, Callable[[int], Iterator[Line]]] = {
    "systems": two_systems,
    "documents": documents,
    "families": families,
    "pages": pages,
    "metrics": metrics,
    "orders": orders,
}


def main() -> None:
    """Print the tables in Markdown."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    arguments.add_argument("--runs", type=int, default=200)
    given = arguments.parse_args()
    for name in given.tables or TABLES:
        lines = TABLES[name](given.runs)
        heads = next(lines)
        print(f"\n{TABLES[name].__doc__}\n\n| {' | '.join(map(str, heads))} |")
        print("|" + " --: |" * len(heads))
        for line in lines:
            cells = [
                ""
                if cell is None
                else f"{cell:.3f}".lstrip("0")
                if isinstance(cell, float)
                else cell
                for cell in line
            ]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
