"""How well pivots agree with people, and what each bitext adds to them.

    python -m bench.pivots MODEL...
    python -m bench.pivots --sets fr

For every judged set: Pearson's r of the F1 of bags of pivot n-grams (PEM §4.3, the naive twin
in tests/oracles) with the human scores, the mean over the pivot languages of a model. With
`--sets`, models of one language without each of its bitexts in turn are built and compared.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from functools import cache
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
SAMPLE = 1000


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


def without_each(language: str, cache_folder: str) -> None:
    """Models of one language: of all its bitexts, and without each."""
    names = BITEXTS[language]
    for left_out in [None, *names]:
        kept = [str(DATA / "bitext" / f"{name}.tsv.gz") for name in names if name != left_out]
        output = Path(cache_folder) / "model.owm"
        build(output, Build({language: kept}, packing=PACKING), build_steps(), cache_folder)
        table = ParaphraseModel.load(output).pivots[language]
        label = "all" if left_out is None else f"without {left_out}"
        show(label, [table], output.stat().st_size)


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
            without_each(given.sets, folder)


if __name__ == "__main__":
    main()
