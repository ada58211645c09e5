"""Trains the embedded combination, `otherwords-mt`.

    python tools/train_combine.py --data ../shared/data [--output FILE]

Judged translations of several years and language pairs, standardised within each pair, every pair
of the same weight: wmt15-daseg (cs, de, fi, ru), wmt13-esen-da, mlqe-eten, mqm21-zhen; and
differences: better/worse pairs of wmt13-fren-rr, translations that we have damaged, whole systems
of sys-wmt21-deen and -zhen (`tools/combine_data.py`). The penalty and the weight of the
better/worse pairs are chosen on language pairs held out. `python -m bench.combine` reports what
comes of it; docs/decisions/combine.md has the decisions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tools.combine_data import Judged, read

from otherwords.metrics.mt import Ceiling, Combination, certainty
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.training.combine import (
    Domain,
    Fitted,
    TrainingPool,
    combination_of,
    single,
)

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/otherwords-mt.owm"
FAMILIES = (
    "words",
    "stems",
    "characters",
    "classes",
    "fluency",
    "length",
    "order",
    "findings",
    "encoder",
)
LOWERING = (  # findings that may lower a score but never raise it
    "contradicted",
    "missing",
    "added",
    "unknown",
    "repeated",
    "misspelt",
    "decisive",
    "strong",
    "weak",
    "values",
    "polarity",
    "structure",
    "hole",
    "surplus",
)
PENALTIES = (0.1, 0.3)
PREFERENCES = (0.1, 0.3, 1.0)
DAMAGE = 0.5  # deviations of human scores that one word less or more costs
DAMAGED = 0.5  # weight of these
SYSTEMS = 6.0  # weight of whole systems
SPREAD = 0.15  # deviation of systems among deviations of segments
CEILING = Ceiling(0.25, 0.9)


class Differences(NamedTuple):
    """Moments of differences D between translations whose scores differ by t: D'D / n, D't / n.
    `weight` is that of all differences together, relative to a domain.
    """

    square: Array
    product: Array
    weight: float = 1.0

    @classmethod
    def of(cls, rows: Array, people: Array | float = 1.0, weight: float = 1.0) -> Differences:
        """Compute the moments from differences of statistics (rows) and of human scores."""
        scores = np.broadcast_to(people, len(rows))
        return cls(rows.T @ rows / len(rows), rows.T @ scores / len(rows), weight)


def fit(
    pool: TrainingPool,
    penalty: float,
    differences: Sequence[Differences] = (),
    lowering: NDArray[np.bool_] | None = None,
) -> Fitted:
    """Fit the weights to all domains and differences, with numbers rounded as in a file.

    Statistics of `lowering` may lower a score but never raise it: they are dropped until none has a
    positive weight.
    """
    square, product = pool.moments
    for moments in differences:
        square = square + moments.weight * moments.square / np.outer(pool.scale, pool.scale)
        product = product + moments.weight * moments.product / pool.scale
    free = np.ones(len(product), bool)
    while True:
        weights = np.zeros(len(product))
        system = square[np.ix_(free, free)] + penalty * np.eye(int(free.sum()))
        weights[free] = np.linalg.solve(system, product[free])
        wrong = (weights > 0) & (False if lowering is None else lowering)
        if not wrong.any():
            return Fitted(pool.center, pool.scale, single(weights))
        free &= ~wrong


@dataclass(frozen=True)
class Choice:
    """What is chosen on language pairs held out."""

    penalty: float
    preferences: float


CHOICES = tuple(Choice(p, q) for p in PENALTIES for q in PREFERENCES)


def main() -> None:
    """Train on everything and write the file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    given = arguments.parse_args()
    train(read(given.data, FAMILIES)).save(given.output)
    print(f"{given.output}: {given.output.stat().st_size:,} bytes")


def fitted(judged: Judged, domains: Sequence[Domain], choice: Choice) -> Fitted:
    """The line of some domains, the systems of their language pairs, and all that is not judged
    by language pair.
    """
    [line] = _lines(judged, domains, [choice])
    return line


def _lines(judged: Judged, domains: Sequence[Domain], choices: Sequence[Choice]) -> list[Fitted]:
    pool = TrainingPool([domain.data for domain in domains])
    names = {domain.name for domain in domains}
    others = [Differences.of(judged.contrasts.differences, DAMAGE, DAMAGED)]
    others += [
        Differences.of(systems.rows, SPREAD * systems.people, SYSTEMS)
        for langs, systems in judged.systems.items()
        if langs in names
    ]
    preferences = Differences.of(judged.preferences.differences)
    bounded = {f"findings/{name}" for name in LOWERING}
    lowering = np.array([name in bounded for name in judged.statistics.names])
    return [
        fit(
            pool,
            choice.penalty,
            [preferences._replace(weight=choice.preferences), *others],
            lowering,
        )
        for choice in choices
    ]


def predicted(judged: Judged, model: Fitted, rows: Array) -> Array:
    """Raw scores of rows under the ceiling, as far as the statistics for it are there."""
    names = judged.statistics.names
    raw = model.predict(rows)
    if not {"findings", "order"} <= set(judged.statistics.families):
        return raw
    return CEILING.apply(raw, certainty(dict(zip(names, rows.T, strict=True))))


def agreement(judged: Judged, model: Fitted, domain: Domain) -> float:
    """Pearson with the human scores of a domain."""
    return pearson(domain.best(predicted(judged, model, domain.rows)), domain.people) or 0.0


def chosen(judged: Judged, domains: Sequence[Domain]) -> Choice:
    """The choice that agrees best with the human scores of each domain held out in turn."""
    found = np.zeros(len(CHOICES))
    for domain in domains:
        others = [one for one in domains if one is not domain]
        lines = _lines(judged, others, CHOICES)
        found += [agreement(judged, line, domain) for line in lines]
    return CHOICES[int(np.argmax(np.round(found, 6)))]


def train(judged: Judged) -> Combination:
    """The combination of all domains."""
    domains = judged.statistics.domains
    choice = chosen(judged, domains)
    provenance = {
        "choice": vars(choice),
        "domains": {domain.name: len(domain.people) for domain in domains},
        "better/worse pairs": len(judged.preferences.better),
        "damaged translations": len(judged.contrasts.worse),
        "systems": {langs: len(systems.people) for langs, systems in judged.systems.items()},
    }
    combination = combination_of(fitted(judged, domains, choice), judged.statistics, provenance)
    return replace(combination, ceiling=CEILING)


if __name__ == "__main__":
    main()
