"""Fit `otherwords-rewrite` (the join of its parts) and `pem` (its regression) to human scores.

    python -m tools.train_rewrite --data ../shared/data          # the join
    python -m tools.train_rewrite --data ../shared/data --pem    # PEM's regression

The join has five numbers (`metrics.rewrite.Join`). The reward of difference is the paper's: a copy
has a quarter of the scale (PEM §5.1: overall 2 of 1 to 5). The others are chosen from a grid by the
mean Pearson correlation with the sets' overall scores; the printed table has each set left out.
Copies are left out where judges rated meaning only. Few texts of these sets are damaged, so their
judges say little about fluency. Therefore good rewrites are damaged by `damage.py`, and only joins
are chosen from by which these controls are worth at most two fifths of the whole rewrites.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from tools.damage import damaged
from tools.inference_data import read_rows

from otherwords.metrics.fluency import FluencyModel
from otherwords.metrics.rewrite import Join, Measured, RewriteFeatures
from otherwords.models.seen import filter_of
from otherwords.stats.coefficients import pearson
from otherwords.study.training.pem import train_pem

MODELS = Path("src/otherwords/models")
SETS = ("parabank", "twitter-para-dev", "shakespeare-dev")
MOST = 1500  # rows of a set
ALPHAS = (0.5, 0.7, 1.0, 1.4, 2.0)
BETAS = (0.1, 0.2, 0.3, 0.5, 0.8)
SLACKS = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
SHARPNESSES = (1.0, 2.0, 3.0)
REWARD = 0.5
CONTROLS = 4  # one control for so many rows: the best rated
WORTH = 0.4  # most of a good rewrite's score that damage may leave
DAMAGES = ("walk", "salad", "shuffle", "shuffle near", "list", "splice", "repeat")


class Judged(NamedTuple):
    """A set with its measured pairs and overall human scores, best first, and its controls."""

    measured: Measured
    scores: np.ndarray
    pairs: list[tuple[str, str]]
    controls: Measured


def judged_set(data: Path, name: str, features: RewriteFeatures, threads: int) -> Judged:
    """Read and measure a set without copies."""
    rows = [
        row
        for row in read_rows(data / "paraphrase" / f"{name}.jsonl.gz")
        if row["source"].lower().split() != row["hypothesis"].lower().split()
    ]
    rows = rows[:: max(1, len(rows) // MOST)]
    rows.sort(key=lambda row: -row["human"]["overall"])
    pairs = [(row["hypothesis"], row["source"]) for row in rows]
    measured, controls = (
        features.measure(*map(list, zip(*some, strict=True)), threads)
        for some in (pairs, damaged_pairs(pairs))
    )
    scores = np.array([row["human"]["overall"] for row in rows], float)
    return Judged(measured, scores, pairs, controls)


def damaged_pairs(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Controls of the first pairs: the rewrite damaged, with words of other rewrites."""
    random = Random(0)
    others = [word for rewrite, _ in pairs for word in rewrite.split()]
    best = pairs[: len(pairs) // CONTROLS]
    made = [
        (damaged(rewrite.split(), DAMAGES[number % len(DAMAGES)], random, others), original)
        for number, (rewrite, original) in enumerate(best)
        if len(rewrite.split()) > 3
    ]
    return [(" ".join(words), original) for words, original in made if words]


def fit(sets: dict[str, Judged]) -> Join:
    """The join with the best mean correlation of those that notice damage."""
    joins = [
        Join(
            alpha=alpha,
            beta=beta,
            slack=slack,
            sharpness=sharpness,
            reward=REWARD,
            provenance={},
        )
        for alpha, beta, slack, sharpness in product(ALPHAS, BETAS, SLACKS, SHARPNESSES)
    ]
    candidates = [
        join for join in joins if np.mean([_worth(join, s) for s in sets.values()]) <= WORTH
    ]
    return max(candidates, key=lambda join: np.mean([_agreement(join, s) for s in sets.values()]))


def _worth(join: Join, judged: Judged) -> float:
    """What damage leaves of the score of good rewrites."""
    good = join.score(judged.measured)[: len(judged.pairs) // CONTROLS]
    return float(join.score(judged.controls).mean() / good.mean())


def _agreement(join: Join, judged: Judged) -> float:
    return pearson(join.score(judged.measured), judged.scores) or 0.0


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, print the figures, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pem", action="store_true", help="fit the regression of `pem`")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args(argv)
    output = given.output or MODELS / ("pem.owm" if given.pem else "otherwords-rewrite.owm")
    if given.pem:
        rows = given.data / "paraphrase" / "shakespeare-dev.jsonl.gz"
        train_pem([str(rows)], str(output))
        print(output)
        return
    features = RewriteFeatures()
    sets = {name: judged_set(given.data, name, features, given.threads) for name in SETS}
    for name in SETS:
        others = {other: judged for other, judged in sets.items() if other != name}
        meaning = pearson(sets[name].measured.meaning, sets[name].scores)
        print(
            f"{name:18} left out {_agreement(fit(others), sets[name]):.3f}; meaning {meaning:.3f}"
        )
    best = fit(sets)
    for name, judged in sets.items():
        print(
            f"{name:18} all sets {_agreement(best, judged):.3f}, "
            f"damage leaves {_worth(best, judged):.2f}"
        )
    numbers = ("alpha", "beta", "slack", "sharpness")
    print(", ".join(f"{name} {getattr(best, name):g}" for name in numbers))
    replace(
        best,
        provenance={
            "what": "how meaning, fluency and difference become the score of a rewrite",
            "meaning": features.meaning.signature,
            "fluency": FluencyModel.open().digest,
            "sets": list(SETS),
        },
        seen=filter_of(pair for judged in sets.values() for pair in judged.pairs),
    ).save(output)
    print(output)


if __name__ == "__main__":
    main()
