"""Trains the embedded combination, `otherwords-mt`.

    python tools/train_combine.py --data ../shared/data [--output FILE]

Judged translations of several years and language pairs, standardised within each pair, every pair
of the same weight: wmt15-daseg (cs, de, fi, ru), wmt13-esen-da, mlqe-eten, mqm21-zhen; and
better/worse pairs of wmt13-fren-rr. The penalty and the weight of the better/worse pairs are
chosen on language pairs held out. `python -m bench.combine` reports what comes of it.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from otherwords.corpus.jsonl import read_jsonl
from otherwords.metrics.combine_features import FAMILIES, BothSides, columns_of
from otherwords.metrics.combine_model import Combination
from otherwords.stats.coefficients import pearson
from otherwords.training.combine import Domain, Statistics, combination_of, measure
from otherwords.training.combine_fit import Fitted, PreferenceMoments, Setting, TrainingPool, fit

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/otherwords-mt.owm"
SETS = {
    "wmt15-daseg": "da",
    "wmt13-esen-da": "da",
    "mlqe-eten": "da",
    "mqm21-zhen": "mqm",
}
PENALTIES = (0.03, 0.1, 0.3)
PREFERENCES = (0.0, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class Choice:
    """What is chosen on language pairs held out."""

    penalty: float
    preferences: float


CHOICES = tuple(Choice(p, q) for p in PENALTIES for q in PREFERENCES)


@dataclass(frozen=True)
class Judged:
    """All that is trained on: domains of all sets, and differences of better and worse."""

    statistics: Statistics
    better: np.ndarray
    worse: np.ndarray

    @cached_property
    def preferences(self) -> PreferenceMoments:
        """What the better translations have more of."""
        return PreferenceMoments.of(self.better - self.worse, 1.0)

    def without(self, family: str) -> Judged:
        """The same without the statistics of a family."""
        kept = np.array([name.split("/")[0] != family for name in self.statistics.names])
        one = self.statistics
        return Judged(
            Statistics(
                tuple(name for name, here in zip(one.names, kept, strict=True) if here),
                tuple(name for name in one.families if name != family),
                [replace(domain, rows=domain.rows[:, kept]) for domain in one.domains],
                one.copies[:, kept],
                one.unrelated[:, kept],
            ),
            self.better[:, kept],
            self.worse[:, kept],
        )


def main() -> None:
    """Train on everything and write the file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    given = arguments.parse_args()
    combination = train(read(given.data))
    combination.save(given.output)
    print(f"{given.output}: {given.output.stat().st_size:,} bytes")


def read(data: Path, families: Sequence[str] = tuple(FAMILIES)) -> Judged:
    """The statistics of all sets."""
    sets = [
        measure(list(read_jsonl(data / "mt" / f"{name}.jsonl.gz")), human, families)
        for name, human in SETS.items()
    ]
    better, worse, pairs = _preferences(data / "mt" / "wmt13-fren-rr.jsonl.gz", families)
    joined = Statistics(
        sets[0].names,
        sets[0].families,
        [domain for one in sets for domain in one.domains],
        np.concatenate([one.copies for one in sets]),
        np.concatenate([one.unrelated for one in sets]),
        pairs=[pair for one in sets for pair in one.pairs] + pairs,
    )
    return Judged(joined, better, worse)


def _preferences(
    path: Path, families: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, list[tuple[str, str]]]:
    """The statistics of the better and of the worse translation of each pair, and all texts."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    places: dict[tuple[str, str], int] = {}
    better, worse = (
        [places.setdefault((pair[side], pair["reference"]), len(places)) for pair in pairs]
        for side in ("better", "worse")
    )
    texts = BothSides([left for left, _ in places], [right for _, right in places])
    table = np.column_stack(list(columns_of(texts, families).values()))
    return table[better], table[worse], list(places)


def fitted(judged: Judged, domains: Sequence[Domain], choice: Choice) -> Fitted:
    """The line of some domains and the better/worse pairs."""
    [line] = _lines(judged, domains, [choice])
    return line


def _lines(judged: Judged, domains: Sequence[Domain], choices: Sequence[Choice]) -> list[Fitted]:
    pool = TrainingPool([domain.data for domain in domains])
    return [
        fit(
            pool,
            Setting("ridge", choice.penalty),
            judged.preferences._replace(weight=choice.preferences),
        )
        for choice in choices
    ]


def agreement(model: Fitted, domain: Domain) -> float:
    """Pearson with the people of a domain."""
    return pearson(domain.best(model.predict(domain.rows)), domain.people) or 0.0


def chosen(judged: Judged, domains: Sequence[Domain]) -> Choice:
    """The choice that agrees best with the people of each domain held out in turn."""
    found = np.zeros(len(CHOICES))
    for domain in domains:
        others = [one for one in domains if one is not domain]
        lines = _lines(judged, others, CHOICES)
        found += [agreement(line, domain) for line in lines]
    return CHOICES[int(np.argmax(np.round(found, 6)))]


def train(judged: Judged) -> Combination:
    """The combination of all domains."""
    domains = judged.statistics.domains
    choice = chosen(judged, domains)
    provenance = {
        "choice": vars(choice),
        "domains": {domain.name: len(domain.people) for domain in domains},
        "better/worse pairs": len(judged.better),
    }
    return combination_of(fitted(judged, domains, choice), judged.statistics, provenance)


if __name__ == "__main__":
    main()
