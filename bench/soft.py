"""What soft matching by word vectors is worth: the tables of docs/vectors.md.

python -m bench.soft
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from bench.agreement import SETS, JudgedSet, by_metric, shown, table
from bench.data import rows
from otherwords.corpus.rows import Row
from otherwords.metrics.soft import FEATURES, soft_features

OTHERS = ("paraeval-w", "chrf++", "pem-adequacy", "maxsim", "bleu")
ALONE = ("soft0-f", "soft0.5-f", "soft0.5-r-weighted", "soft-cosine")
# By the last part of the columns' names.
GROUPS = {
    "weighted means": ("weighted",),
    "and plain means": ("weighted", "mean"),
    "and words without a vector": ("weighted", "mean", "unknown"),
    "and word classes": ("weighted", "mean", "unknown", "function", "content", "signs"),
    "all": tuple({name.split("-")[-1] for name in FEATURES}),
}
PENALTIES = 10.0 ** np.arange(-1, 3.5, 0.5)
MT = SETS[:4]


class Judged:
    """A set with people's scores, other metrics and the soft columns, a row a segment."""

    def __init__(self, judged: JudgedSet) -> None:
        segments = [row for row in rows(judged.name) if judged.criterion in row.human]
        self.name = judged.name.split("/")[1]
        self.people = np.array([row.human[judged.criterion] for row in segments])
        self.pairs = np.array([str(row.item).split(":")[0] for row in segments])
        started = time.process_time()
        self.soft = soft_columns(segments, judged.against)
        self.speed = len(segments) / (time.process_time() - started)
        if judged in MT:
            self.others = np.column_stack(
                [by_metric(name, segments, judged.against) for name in OTHERS]
            )


def soft_columns(segments: Sequence[Row], against: str) -> np.ndarray:
    """Means over the references."""
    targets = [row.references if against == "references" else (row.source,) for row in segments]
    several = np.array([len(one) for one in targets])
    hypotheses = [str(row.hypothesis) for row in segments]
    found = soft_features(
        [text for text, number in zip(hypotheses, several, strict=True) for _ in range(number)],
        [str(text) for one in targets for text in one],
    )
    return np.add.reduceat(found, np.cumsum(several) - several) / several[:, None]


def ridge(train: np.ndarray, people: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Predictions of a ridge regression, its penalty chosen on the training part."""
    from sklearn.linear_model import RidgeCV

    center, scale = train.mean(axis=0), np.maximum(train.std(axis=0), 1e-9)
    fitted = RidgeCV(PENALTIES).fit((train - center) / scale, people)
    return fitted.predict((test - center) / scale)


def left_out(features: np.ndarray, judged: Judged) -> list[float]:
    """Pearson on each language pair of a ridge that was trained on the others."""
    found = []
    for pair in dict.fromkeys(judged.pairs):
        out = judged.pairs == pair
        guesses = ridge(features[~out], judged.people[~out], features[out])
        found.append(float(np.corrcoef(guesses, judged.people[out])[0, 1]))
    return found


def main() -> None:
    """Print all tables."""
    every = [Judged(judged) for judged in SETS]
    print("### Columns alone, over all rows\n")
    lines = [
        [name, *(shown(one.soft[:, FEATURES.index(name)], one.people) for one in every)]
        for name in ALONE
    ]
    speeds = ["segments a CPU second", *(f"{one.speed:,.0f}" for one in every)]
    table(["column", *(one.name for one in every)], [*lines, speeds])

    first, *others = every[: len(MT)]
    print("### Ridge over five metrics and soft columns, trained on wmt15-daseg\n")
    header = [*dict.fromkeys(first.pairs), "mean", *(one.name for one in others)]
    lines = []
    for name, parts in {"five metrics alone": (), **GROUPS}.items():
        kept = [i for i, column in enumerate(FEATURES) if column.split("-")[-1] in parts]
        mine, *theirs = [np.column_stack([one.others, one.soft[:, kept]]) for one in every[:4]]
        pairs = left_out(mine, first)
        applied = [
            shown(ridge(mine, first.people, features), one.people)
            for features, one in zip(theirs, others, strict=True)
        ]
        lines.append([name, *(f"{r:.3f}" for r in [*pairs, float(np.mean(pairs))]), *applied])
    table(["columns", *header], lines)


if __name__ == "__main__":
    main()
