"""Trains the combination of `otherwords-mt` for references that are not in English.

    python tools/train_languages.py --data ../shared/data [--output FILE]

Judged translations out of English (`languages/`): every set has the same weight. The statistics
know no language. `python -m bench.languages` measures them on languages left out.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from otherwords.corpus.inputs import read_rows
from otherwords.study.training.combine import (
    Domain,
    Fitted,
    Statistics,
    TrainingPool,
    combination_of,
    fit,
    measure,
)

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/otherwords-mt-others.owm"
FAMILIES = ("chrf++", "length")
PENALTY = 0.1
SETS = {
    "mqm21-en-de": "mqm",
    "mqm21-en-ru": "mqm",
    "mlqe-en-de": "da",
    "mlqe-en-zh": "da",
    "bio-en-de": "mqm",
    "bio-en-es": "mqm",
    "bio-en-fr": "mqm",
    "bio-en-ru": "mqm",
    "bio-en-zh": "mqm",
}


def read(data: Path, families: tuple[str, ...] = FAMILIES) -> dict[str, Statistics]:
    """The statistics of each set."""
    return {
        name: measure(list(read_rows(data / "languages" / f"{name}.jsonl.gz")), human, families)
        for name, human in SETS.items()
    }


def fit_sets(sets: list[Domain]) -> Fitted:
    """The weights that some sets give."""
    return fit(TrainingPool([domain.data for domain in sets]), PENALTY)


def main() -> None:
    """Train on all sets and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    sets = read(arguments.data)
    domains = [domain for statistics in sets.values() for domain in statistics.domains]
    joined = replace(
        next(iter(sets.values())),
        domains=domains,
        copies=np.concatenate([statistics.copies for statistics in sets.values()]),
        unrelated=np.concatenate([statistics.unrelated for statistics in sets.values()]),
        pairs=[pair for statistics in sets.values() for pair in statistics.pairs],
    )
    sizes = {name: len(statistics.domains[0].people) for name, statistics in sets.items()}
    provenance = {"penalty": PENALTY, "sets": sizes}
    combination_of(fit_sets(domains), joined, provenance).save(arguments.output)
    size = arguments.output.stat().st_size
    print(f"{arguments.output}: {size:,} bytes, {sum(sizes.values()):,} segments")


if __name__ == "__main__":
    main()
