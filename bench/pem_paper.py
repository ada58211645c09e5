"""PEM's protocol on shakespeare-dev: what its bags, its pivots and its one split are worth.

    python -m bench.pem_paper [--data ../shared/data] [--model FILE] [--less FILE] [--longest N]

The paper trains on the first 200 of 300 originals and tests on the rest (§6.1). Here there are 99
originals, so that one split rests on 33 of them. This trains the paper's three features as the
paper does, with the paper's bags and with single pivot words, through Chinese and all pivots:

- on the paper's split, as `otherwords meta paper pem --protocol` does;
- on other random splits of the same size, to see how far one split can be from another;
- by cross-validation of all originals, for several orders of the folds.

`--less` names another paraphrase model, whose cross-validated correlation is subtracted; the
difference has an interval, originals resampled. `--longest` limits the words of a phrase.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.data import DATA
from otherwords.corpus.inputs import read_rows
from otherwords.metrics.pem import PemFeatures
from otherwords.metrics.pivots import Bags
from otherwords.stats.coefficients import pearson
from otherwords.stats.resampling import resample
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.training.pem import INNER_FOLDS, judged_pairs, points_of
from otherwords.study.training.regression import (
    GRID,
    Kernel,
    Points,
    choose,
    cross_validate,
    fit,
    folds_of,
)

WORDS = {"orders": 1, "edge_threshold": 0.0, "ngram_threshold": 0.0, "renormalise": True}
BAGS = {"the paper's bags": vars(Bags()), "single pivot words": WORDS}
PIVOTS: dict[str, str | None] = {"Chinese": "zh", "all pivots": None}
SPLITS, ORDERS = 12, 5
KERNEL = Kernel(1.0, 0.3, 0.1)  # of the cross-validation, so that only features differ


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=DATA)
    arguments.add_argument("--model", default="paraphrase")
    arguments.add_argument("--less")
    arguments.add_argument("--longest", type=int, default=Bags.longest)
    given = arguments.parse_args(argv)
    rows = list(read_rows(str(given.data / "paraphrase" / "shakespeare-dev.jsonl.gz")))
    judged = judged_pairs(rows, "overall", scale=Scale(1, 4))
    head = ["features", "split, judged", "with controls", "random splits, judged", "with controls"]
    head += ["cross-validated", *([f"less {Path(given.less).name}"] if given.less else [])]
    print("| " + " | ".join(head) + " |")
    print("|---" * (7 if given.less else 6) + "|")
    for pivots, languages in PIVOTS.items():
        for bags, settings in BAGS.items():
            options = {**settings, "longest": given.longest}
            points = points_of(
                judged, PemFeatures(model=given.model, languages=languages, **options)
            )
            cells = [f"{bags}, {pivots}", *_splits(points), _shown(_validated(points))]
            if given.less:
                other = points_of(
                    judged, PemFeatures(model=given.less, languages=languages, **options)
                )
                cells.append(_difference(points, _validated(points), _validated(other)))
            print("| " + " | ".join(cells) + " |", flush=True)


def _splits(points: Points) -> list[str]:
    """On the paper's split, then mean and deviation over random ones: judged pairs, and all."""
    number = int(points.groups.max()) + 1
    parts = [points.groups >= 2 * number / 3]
    for seed in range(SPLITS):
        parts.append(folds_of(points.groups, 3, seed) == 0)
    found = np.array([_split(points, last) for last in parts])
    first, others = found[0], found[1:]
    spread = [
        f"{one:.3f} ± {by:.3f}" for one, by in zip(others.mean(0), others.std(0), strict=True)
    ]
    return [*(f"{one:.3f}" for one in first), *spread]


def _split(points: Points, last: np.ndarray) -> tuple[float, float]:
    training = points.where(~last)
    kernel = choose(training, GRID, folds=INNER_FOLDS, seed=0)
    scores = fit(training, kernel).predict(points.features)
    return tuple(
        pearson(scores[rows], points.targets[rows]) or 0.0 for rows in (last & points.judged, last)
    )  # type: ignore[return-value]


def _validated(points: Points) -> list[np.ndarray]:
    """The judged pairs' scores, by regressions that have not seen their originals."""
    return [
        cross_validate(points, lambda _: KERNEL, folds=5, seed=seed)[points.judged]
        for seed in range(ORDERS)
    ] + [points.targets[points.judged]]


def _shown(validated: list[np.ndarray]) -> str:
    *scores, people = validated
    found = [pearson(one, people) or 0.0 for one in scores]
    return f"{np.mean(found):.3f} ({min(found):.3f} to {max(found):.3f})"


def _difference(points: Points, mine: list[np.ndarray], other: list[np.ndarray]) -> str:
    """Of the correlations of mean scores, with an interval."""
    people, groups = mine[-1], points.groups[points.judged]
    one, two = (np.mean(each[:-1], axis=0) for each in (mine, other))
    rows = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    draws = []
    for draw in resample(len(rows), 1000, 0):
        some = np.concatenate([rows[place] for place in draw])
        draws.append(
            (pearson(one[some], people[some]) or 0) - (pearson(two[some], people[some]) or 0)
        )
    low, high = np.quantile(draws, [0.025, 0.975])
    whole = (pearson(one, people) or 0) - (pearson(two, people) or 0)
    return f"{whole:+.3f} [{low:+.3f}, {high:+.3f}]"


if __name__ == "__main__":
    main()
