"""Trains the embedded regression of PEM.

    python tools/train_pem.py --data ../shared/data [--output FILE] [--model FILE]
    python tools/train_pem.py --preset paper --data ../shared/data

The second makes the regression of `preset="paper"`, as PEM §5.1 and §6.1 train it: three features
of judged pairs and of their controls, here those of shakespeare-dev, the one set whose judges
counted dissimilarity. The rest of this text is about the first.

People were asked different things. ParaBank and Twitter-Para ask for meaning (a copy scores top),
shakespeare-dev for overall quality with dissimilarity counted. So the regression learns how
people join criteria, and our measures stand in for the criteria when it is used:

- shakespeare-dev: people's adequacy in place of pivot F1 -> their overall score;
- ParaBank, Twitter-Para: their score for meaning in place of pivot F1 -> the overall score by
  `training.pem.join`;
- the controls of all three (copy, random, unigram; shuffle is ours), and the best-rated paraphrases
  with their words shuffled, worth 1, as we measure them.

Sets differ in how people use the scale. So a set's adequacies are put on the scale of the pivot
F1 by equipercentile linking (Kolen & Brennan 2014): each becomes the pivot F1 of the same rank in
that set. `python -m bench.pem` reports what comes of it, cross-validated by original.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from otherwords.corpus.jsonl import read_jsonl
from otherwords.meta.judged import Scale, judged_set
from otherwords.metrics.base import text_of
from otherwords.metrics.pem import PemFeatures
from otherwords.metrics.pem_regression import FEATURES, HIGH, LOW, Regression
from otherwords.models.seen import filter_of
from otherwords.training.controls import Control, controls_of
from otherwords.training.pem import join, train_pem
from otherwords.training.regression import Kernel, Points, fit

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/pem.owm"
PAPER_OUTPUT = OUTPUT.with_name("pem-paper.owm")
KERNEL = Kernel(cost=3.0, gamma=0.03, epsilon=0.05)
SET_WEIGHT = 300.0  # of all judged pairs of a set together: none of them drowns the others
# The kinds of controls that every original gets; `training.controls` may know more of them.
CONTROLS = ("copy", "random", "unigram", "shuffle")
# Of all controls of a kind in a set together; shuffled words must not make every reordering bad.
CONTROL_WEIGHT = {"copy": 15.0, "random": 15.0, "unigram": 15.0, "shuffle": 3.0, "scrambled": 8.0}
SCRAMBLED = ("parabank", "shakespeare-dev")  # tweets look like that anyhow


@dataclass(frozen=True)
class JudgedPairs:
    """A judged set as the training needs it; criteria are shares of their scale, 0 to 1."""

    name: str
    paraphrases: list[str]
    originals: list[str]
    adequacy: np.ndarray
    fluency: np.ndarray
    overall: np.ndarray | None  # 1-5; none where only meaning was judged
    human: np.ndarray  # what agreement is measured with


SCALES = {
    "parabank": {"overall": Scale(0, 100), "fluency": Scale(0, 2)},
    "twitter-para-dev": {"overall": Scale(0, 1)},
    "shakespeare-dev": {"overall": Scale(1, 4), "adequacy": Scale(1, 4)},
}


def main(argv: Sequence[str] | None = None) -> None:
    """Train on everything and write the file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--preset", choices=["paper"])
    arguments.add_argument("--output", type=Path)
    arguments.add_argument("--model", default="paraphrase")
    given = arguments.parse_args(argv)
    output = given.output or (PAPER_OUTPUT if given.preset else OUTPUT)
    if given.preset:
        rows = given.data / "paraphrase" / "shakespeare-dev.jsonl.gz"
        train_pem([str(rows)], str(output), preset=given.preset, model=given.model)
    else:
        features = PemFeatures(model=given.model)
        sets = read(given.data)
        seen = filter_of(
            pair for one in sets for pair in zip(one.paraphrases, one.originals, strict=True)
        )
        replace(train(points_of(sets, features), features), seen=seen).save(output)
    print(f"{output}: {output.stat().st_size:,} bytes")


def read(data: Path) -> list[JudgedPairs]:
    """The three judged sets."""
    return [_read_set(data / "paraphrase" / f"{name}.jsonl.gz", name) for name in SCALES]


def _read_set(path: Path, name: str) -> JudgedPairs:
    scales = SCALES[name]
    rows = [row for row in read_jsonl(path) if "overall" in row.human]
    found = judged_set(rows, list(scales), scales=scales).human
    shares = {criterion: (scores - LOW) / (HIGH - LOW) for criterion, scores in found.items()}
    only_meaning = "adequacy" not in scales
    return JudgedPairs(
        name,
        [text_of(row.hypothesis) for row in rows],
        [text_of(row.source or "") for row in rows],
        shares["overall" if only_meaning else "adequacy"],
        np.nan_to_num(shares.get("fluency", np.ones(len(rows))), nan=1.0),
        None if only_meaning else found["overall"],
        found["overall"],
    )


def points_of(sets: list[JudgedPairs], features: PemFeatures) -> dict[str, Points]:
    """The points of each set, its controls after its pairs; originals are numbered through all."""
    points: dict[str, Points] = {}
    originals = 0
    for one in sets:
        points[one.name] = _points_of_set(one, features, originals)
        originals = int(points[one.name].groups.max()) + 1
    return points


def _points_of_set(one: JudgedPairs, features: PemFeatures, first: int) -> Points:
    made, size = all_controls(one), len(one.human)
    texts = [*one.originals, *(control.source for control in made)]
    measured = features.of([*one.paraphrases, *(control.hypothesis for control in made)], texts)
    stand_in = measured.copy()
    stand_in[:size, 0] = linked(one.adequacy, measured[:size, 0])
    overall = one.overall
    if overall is None:
        changed = measured[:size, FEATURES.index("ngram_difference")]
        overall = join(stand_in[:size, 0], one.fluency, changed)
    kinds = [control.kind for control in made]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts), first)}
    return Points(
        stand_in,
        measured,
        np.array([*overall, *(control.scores["overall"] for control in made)]),
        np.array(
            [SET_WEIGHT / size] * size
            + [CONTROL_WEIGHT[kind] / kinds.count(kind) for kind in kinds]
        ),
        np.array([numbers[text] for text in texts]),
        np.arange(len(texts)) < size,
    )


def all_controls(one: JudgedPairs) -> list[Control]:
    """The controls of all originals, and their best-rated paraphrases with the words shuffled."""
    originals = list(dict.fromkeys(one.originals))
    made = controls_of([(None, text) for text in originals], kinds=CONTROLS)
    return made + (_scrambled(one) if one.name in SCRAMBLED else [])


def _scrambled(one: JudgedPairs) -> list[Control]:
    best: dict[str, int] = {}
    for row, (original, paraphrase) in enumerate(zip(one.originals, one.paraphrases, strict=True)):
        held = best.get(original)
        if paraphrase != original and (held is None or one.human[row] > one.human[held]):
            best[original] = row
    shuffled = controls_of(
        [(original, one.paraphrases[row]) for original, row in best.items()], kinds=("shuffle",)
    )
    return [replace(made, kind="scrambled", source=str(made.item)) for made in shuffled]


def control_kinds(one: JudgedPairs) -> list[str]:
    """The kind of each control of a set, in the order of its points."""
    return [control.kind for control in all_controls(one)]


def linked(adequacy: np.ndarray, pivot_f1: np.ndarray) -> np.ndarray:
    """For each adequacy the pivot F1 of the same rank; the mean of them at ties."""
    ranks = np.linspace(0, 1, 201)
    people, ours = np.quantile(adequacy, ranks), np.quantile(pivot_f1, ranks)
    levels = np.unique(people)
    return np.interp(adequacy, levels, [ours[people == level].mean() for level in levels])


def together(points: dict[str, Points]) -> Points:
    """The points of all sets."""
    return Points(*(np.concatenate(columns) for columns in zip(*points.values(), strict=True)))


def train(points: dict[str, Points], features: PemFeatures) -> Regression:
    """The regression of all sets."""
    provenance = {
        "features": list(FEATURES),
        "settings": features.settings,
        "model": features.model.digest,
        "kernel": vars(KERNEL),
        "pairs": {name: int(one.judged.sum()) for name, one in points.items()},
        "controls": [*CONTROLS, "scrambled"],
        "seed": 0,
    }
    return fit(together(points), KERNEL, provenance)


if __name__ == "__main__":
    main()
