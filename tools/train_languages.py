"""Trains the combinations of `otherwords-mt` for references that are not in English.

    python tools/train_languages.py --data ../shared/data [--multilingual] [--output FILE]

With `--multilingual`, the one of the package otherwords-multilingual, which must be installed.
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

ROOT = Path(__file__).parent.parent
OUTPUT = ROOT / "src/otherwords/models/otherwords-mt-others.owm"
COMPANION = ROOT / "multilingual/src/otherwords_multilingual/otherwords-mt-multilingual.owm"
FAMILIES = ("chrf++", "length")
WITH_ENCODER = (*FAMILIES, "multilingual")
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
    parser.add_argument("--multilingual", action="store_true")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    output = arguments.output or (COMPANION if arguments.multilingual else OUTPUT)
    sets = read(arguments.data, WITH_ENCODER if arguments.multilingual else FAMILIES)
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
    combination_of(fit_sets(domains), joined, provenance).save(output)
    size = output.stat().st_size
    print(f"{output}: {size:,} bytes, {sum(sizes.values()):,} segments")


if __name__ == "__main__":
    main()
