"""How well pivots agree with people, and what each bitext adds to them.

    python -m bench.pivots MODEL...
    python -m bench.pivots --sets fr

For every judged set: Pearson's r of the F1 of bags of pivot n-grams (PEM §4.3, the naive twin
in tests/oracles) with the human scores, the mean over the pivot languages of a model. With
`--sets`, models of one language are built from the first 10,000 pairs of each of its bitexts: of
all, without each, and of each alone.
"""

from __future__ import annotations

import argparse
import gzip
import random
import tempfile
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from tests.oracles.pivot_bags import bag, f1, network, segment
from tools.build_paraphrase import BITEXTS, PACKING

from bench.data import DATA, rows
from otherwords.models.paraphrase import ParaphraseModel
from otherwords.models.pivot_table import PivotTable
from otherwords.pipeline.build import Build, build
from otherwords.pipeline.steps import build_steps
from otherwords.text.stemmer import stem
from otherwords.text.tokenizer import tokenize

SETS = {
    "paraphrase/parabank": "overall",
    "paraphrase/twitter-para-dev": "overall",
    "similarity/stsb-en-dev": "adequacy",
    "mt/wmt15-daseg": "da",
    "mt/mlqe-eten": "da",
}
SAMPLE = 1000  # judged pairs of a set
FIRST = 10_000  # pairs of a bitext, with --sets


@cache
def pairs(name: str) -> list[tuple[str, str, float]]:
    """A sample of a set: hypothesis, what it is compared with, human score."""
    found = [
        (str(row.hypothesis), str(row.references[0] if "mt/" in name else row.source), score)
        for row in rows(name)
        if (score := dict(row.human).get(SETS[name])) is not None
    ]
    return random.Random(1).sample(found, min(SAMPLE, len(found)))


def bag_of(text: str, table: PivotTable) -> dict[tuple[str, ...], float]:
    """The bag of pivot n-grams of a sentence."""

    def edges(phrase: str) -> list[tuple[tuple[str, ...], float]]:
        return [(edge.words, edge.forward) for edge in table.edges(phrase)]

    words = stem(tokenize(text).tokens)
    return bag(network(segment(words, table.count, table.total), edges))


def agreement(tables: list[PivotTable], name: str) -> float:
    """Pearson's r of the mean F1 over the tables."""
    judged = pairs(name)
    scores = [
        np.mean([f1(bag_of(one, table), bag_of(other, table)) for table in tables])
        for one, other, _ in judged
    ]
    return float(np.corrcoef(scores, [score for *_, score in judged])[0, 1])


def show(label: str, tables: list[PivotTable], size: int) -> None:
    """A line of the table."""
    values = [agreement(tables, name) for name in SETS]
    cells = " ".join(f"{value:10.3f}" for value in values)
    print(f"{label:22} {size / 1e6:6.2f} {cells} {np.mean(values):8.3f}", flush=True)


def head() -> None:
    """The first line of the table."""
    names = " ".join(f"{name.split('/')[1][:10]:>10}" for name in SETS)
    print(f"{'model':22} {'MB':>6} {names} {'mean':>8}")


def each_set(language: str, folder: Path) -> None:
    """Models of one language from the first pairs of its bitexts: all, all but one, one alone."""
    parts = {name: first_pairs(name, folder) for name in BITEXTS[language]}
    chosen = {"all": list(parts.values())}
    chosen |= {
        f"without {name}": [part for other, part in parts.items() if other != name]
        for name in parts
    }
    chosen |= {f"only {name}": [part] for name, part in parts.items()}
    for label, bitexts in chosen.items():
        output = folder / "model.owm"
        build(output, Build({language: bitexts}, packing=PACKING), build_steps(), folder / "cache")
        table = ParaphraseModel.load(output).pivots[language]
        show(label, [table], output.stat().st_size)


def first_pairs(name: str, folder: Path) -> str:
    """A file with the first pairs of a bitext."""
    path = folder / f"{name}.tsv"
    with gzip.open(DATA / "bitext" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
        path.write_text("".join(islice(lines, FIRST)), encoding="utf-8")
    return str(path)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("models", nargs="*")
    arguments.add_argument("--sets", choices=list(BITEXTS))
    given = arguments.parse_args()
    head()
    for path in given.models:
        model = ParaphraseModel.load(path)
        size = sum(array.nbytes for array in model.model.section("pivot").values())
        for language, table in model.pivots.items():
            part = model.model.section(f"pivot/{language}")
            show(f"{Path(path).stem} {language}", [table], sum(a.nbytes for a in part.values()))
        show(f"{Path(path).stem} all", list(model.pivots.values()), size)
    if given.sets:
        with tempfile.TemporaryDirectory() as folder:
            each_set(given.sets, Path(folder))


if __name__ == "__main__":
    main()
