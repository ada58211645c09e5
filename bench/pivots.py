"""How well pivots agree with human scores, and what each bitext adds to them.

    python -m bench.pivots MODEL...
    python -m bench.pivots --sets fr

For every judged set, over all its rows: Pearson's r of `pem.adequacy` with the human scores, by
each pivot language of a model and by all of them. With `--sets`, models of one language are built
from the first 10,000 pairs of each of its bitexts: of all, without each, and of each alone.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from tools.build_paraphrase import BITEXTS

from bench.data import DATA, rows
from otherwords.build.pipeline.model import Build, build_model
from otherwords.corpus.rows import Row
from otherwords.metrics.pem import PemAdequacy
from otherwords.metrics.pivots import Bags
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.models.pivot_packing import Packing
from otherwords.stats.coefficients import pearson

SETS = {
    "paraphrase/parabank": "overall",
    "paraphrase/twitter-para-dev": "overall",
    "similarity/stsb-en-dev": "adequacy",
    "mt/wmt15-daseg": "da",
    "mt/mlqe-eten": "da",
}
# What `--sets` packs: frequent phrases, without the choice of rows that the embedded model has.
PACKING = Packing(
    min_probability=0.03, top=8, min_count=3, min_phrase_count=60, key_bytes=3, quantise=True
)
ALL = {
    **vars(Bags(orders=1, edge_threshold=0.0, ngram_threshold=0.0, renormalise=True)),
    "languages": ["de", "es", "fr", "zh"],
}
FIRST = 10_000  # pairs of a bitext, with --sets


@cache
def judged(name: str) -> tuple[list[Row], np.ndarray]:
    """The rows of a set that have the human score, and that score."""
    found = [row for row in rows(name) if SETS[name] in row.human]
    return found, np.array([row.human[SETS[name]] for row in found])


def agreement(metric: PemAdequacy, name: str) -> float:
    """Pearson's r of a metric on one set; translations against the first reference."""
    segments, people = judged(name)
    targets = [row.references[0] if "mt/" in name else row.source for row in segments]
    scores = metric.statistics([row.hypothesis for row in segments], sources=targets)
    return pearson(metric.segment_scores(scores), people) or 0.0


def show(label: str, metric: PemAdequacy, size: int) -> None:
    """A line of the table."""
    values = [agreement(metric, name) for name in SETS]
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
        build_model(output, Build({language: bitexts}, packing=PACKING), cache=folder / "cache")
        show(label, PemAdequacy(model=output, **ALL), output.stat().st_size)


def first_pairs(name: str, folder: Path) -> str:
    """A file with the first pairs of a bitext."""
    path = folder / f"{name}.tsv"
    with gzip.open(DATA / "bitext" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
        path.write_text("".join(islice(lines, FIRST)), encoding="utf-8")
    return str(path)


def _bytes(model: ParaphraseModel, section: str) -> int:
    return sum(array.nbytes for array in model.model.section(section).values())


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("models", nargs="*")
    arguments.add_argument("--sets", choices=list(BITEXTS))
    given = arguments.parse_args()
    head()
    for path in given.models:
        model = ParaphraseModel.load(path)
        for language in model.languages:
            metric = PemAdequacy(model=path, **{**ALL, "languages": [language]})
            show(f"{Path(path).stem} {language}", metric, _bytes(model, f"pivot/{language}"))
        show(f"{Path(path).stem} all", PemAdequacy(model=path, **ALL), _bytes(model, "pivot"))
        paper = PemAdequacy(model=path)
        show(f"{Path(path).stem}, paper's bags", paper, _bytes(model, "pivot"))
    if given.sets:
        with tempfile.TemporaryDirectory() as folder:
            each_set(given.sets, Path(folder))


if __name__ == "__main__":
    main()
