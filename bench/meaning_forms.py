"""Other ways to join the pair model's answers to `meaning`, and what the answers hold at best.

    python -m bench.meaning_forms [--rows 1500] [--data ../shared/data]

All pairs are read whole. The last row is no metric: for each set, a linear model of all answers is
fitted on four fifths of the set and applied to the rest, five times.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from tools.inference_data import HELD_OUT, read_pairs, read_rows
from tools.train_meaning import auc

from bench import meaning
from bench.agreement import table
from otherwords.metrics.meaning import WEIGHTS, Answers, MeaningModel, PairReader
from otherwords.metrics.pairs import plain
from otherwords.stats.arrays import Array, logistic
from otherwords.stats.coefficients import pearson
from otherwords.text.values import compare_values

CAP = 0.7  # cosines above count as this
MODEL = MeaningModel.load()


class Answered:
    """Judged pairs of texts, the pair model's answers, and the counts of values that differ."""

    def __init__(
        self, reader: PairReader, texts: Sequence[Sequence[str]], targets: Sequence[float]
    ) -> None:
        self.targets = np.array(targets, float)
        originals, rewrites = ([plain(pair[side]) for pair in texts] for side in (0, 1))
        self.answers = reader.ask(rewrites, originals, 2)
        values = [compare_values(a, b) for a, b in zip(originals, rewrites, strict=True)]
        self.counts = np.array(
            [[sum(v.verdict == name for v in one) for name in WEIGHTS] for one in values], float
        )
        self.weights = self.counts @ list(WEIGHTS.values())
        self.folds = np.array([crc32(original.encode()) % 5 for original in originals])

    @property
    def right(self) -> NDArray[np.bool_]:
        return self.targets == 1

    def fit(self) -> Array:
        """The predictions of a linear model of all answers, each by the other four fifths."""
        forward, backward = (MODEL.probabilities(side) for side in self.answers[:2])
        answers = [*np.log(forward).T, *np.log(backward).T, *forward.T, *backward.T]
        answers += [self.answers.similar, np.log(self.answers.similar), self.answers.cosine]
        columns = np.array([*answers, *(self.counts > 0).T]).T
        columns = (columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), 1e-9)
        columns = np.column_stack([columns, np.ones(len(columns))])
        predictions = np.zeros(len(self.targets))
        for fold in range(5):
            rows = self.folds != fold
            weights = _weigh(columns[rows], self.targets[rows])
            predictions[~rows] = columns[~rows] @ weights
        return predictions


def _weigh(columns: Array, targets: Array) -> Array:
    """Weights by ridge regression, or by logistic regression for targets of 0 and 1."""
    penalty = 10.0 * np.eye(columns.shape[1])
    if set(np.unique(targets)) != {0.0, 1.0}:
        return np.linalg.solve(columns.T @ columns + penalty, columns.T @ targets)
    weights = np.zeros(columns.shape[1])
    for _ in range(20):  # Newton's method
        shares = logistic(columns @ weights)
        slope = columns.T @ (targets - shares) - penalty @ weights
        curve = (columns * (shares * (1 - shares))[:, None]).T @ columns + penalty
        weights += np.linalg.solve(curve, slope)
    return weights


def _with_contradiction(pairs: Answered) -> Array:
    """A factor for what both directions call contradicted."""
    sides = (MODEL.probabilities(side)[:, 2] for side in pairs.answers[:2])
    return MODEL.join(pairs.answers, pairs.weights) * (1 - np.minimum(*sides)) ** 0.4


def _with_product(pairs: Answered) -> Array:
    """Cosine and similarity multiplied."""
    similar, cosine = pairs.answers.similar, pairs.answers.cosine
    topic = np.sqrt(similar * cosine)
    answers = pairs.answers._replace(similar=topic, cosine=topic)
    return MODEL.join(answers, pairs.weights)


def _with_cap(pairs: Answered) -> Array:
    cosine = np.minimum(pairs.answers.cosine, CAP) / CAP
    return MODEL.join(pairs.answers._replace(cosine=cosine), pairs.weights)


def _with_minimum(pairs: Answered) -> Array:
    """The less certain direction instead of both."""
    forward, backward = pairs.answers[:2]
    chances = [MODEL.probabilities(side)[:, 0] for side in (forward, backward)]
    lower = np.where((chances[0] < chances[1])[:, None], forward, backward)
    return MODEL.join(Answers(lower, lower, *pairs.answers[2:]), pairs.weights)


Form = Callable[[Answered], Array]
FORMS: dict[str, Form] = {
    "`meaning`": lambda pairs: MODEL.join(pairs.answers, pairs.weights),
    "all values count as one": lambda pairs: MODEL.join(pairs.answers, pairs.counts.sum(axis=1)),
    "only changed values count": lambda pairs: MODEL.join(pairs.answers, pairs.counts[:, 0]),
    "no values": lambda pairs: MODEL.join(pairs.answers, np.zeros(len(pairs.counts))),
    "e = .4": lambda pairs: replace(MODEL, entailment=0.4).join(pairs.answers, pairs.weights),
    "t = .5": lambda pairs: replace(MODEL, topic=0.5).join(pairs.answers, pairs.weights),
    "contradiction as a factor": _with_contradiction,
    "the lower direction": _with_minimum,
    "cosine up to .7": _with_cap,
    "cosine times similarity": _with_product,
    "cosine alone": lambda pairs: pairs.answers.cosine,
}
SAME = ("apt-train", "msrp", "paws-wiki", "medical-questions")


class Sets:
    """The sets of `bench.meaning`, read once."""

    def __init__(self, data: Path, most: int) -> None:
        reader = PairReader()
        everything = read_pairs(data, meaning.ROOT / "tools" / "pair_written")
        kept = [pair for pair in everything if pair.fold == HELD_OUT]
        wiki = [pair for pair in kept if pair.source == "paws-wiki"]
        self.same: dict[str, Answered] = {}
        for name, rows in meaning.equivalence_sets(wiki, data).items():
            *texts, right = zip(*meaning.sample(rows, most), strict=True)
            name = name.removesuffix(" (kept out)")
            self.same[name] = Answered(reader, list(zip(*texts, strict=True)), right)
        self.crossed: list[tuple[Answered, list[dict]]] = []
        for rows in meaning.crossed_sets(kept, most).values():
            right = [row["system"].startswith("right") for row in rows]
            self.crossed.append((Answered(reader, _texts(rows), right), rows))
        self.human: dict[str, Answered] = {}
        for path, criterion in meaning.HUMAN.items():
            rows = meaning.sample(read_rows(data / f"{path}.jsonl.gz"), most)
            scores = [row["human"][criterion] for row in rows]
            self.human[path.split("/")[1]] = Answered(reader, _texts(rows), scores)

    def measure(self, form: Form) -> dict[str, float]:
        """AUC, wins and shares blocked as means over the crossed sets, and correlations."""
        found = {name: auc(form(self.same[name]), self.same[name].right) for name in SAME}
        crossed = [(form(pairs), pairs.right, rows) for pairs, rows in self.crossed]
        over = np.mean([meaning.wins(scores, rows) for scores, _, rows in crossed], axis=0)
        blocked = [meaning.share_blocked(scores, right, 0.1) for scores, right, _ in crossed]
        found |= {"rf>wf": over[0], "rf>wc": over[1], "wrong blocked": float(np.mean(blocked))}
        for name, pairs in self.human.items():
            found[name] = pearson(form(pairs), pairs.targets) or 0.0
        good = [form(self.same[name])[self.same[name].right] for name in meaning.LENIENT]
        limit = np.quantile(np.concatenate(good), meaning.ALARMS)
        found["refuted blocked"] = (form(self.same["refuted-claims"]) < limit).mean()
        return found


def _texts(rows: Sequence[dict]) -> list[tuple[str, str]]:
    return [(row["source"], row["hypothesis"]) for row in rows]


def main() -> None:
    """Print a table of forms by sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=meaning.ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", type=int, default=1500, help="rows of a set")
    given = parser.parse_args()
    sets = Sets(given.data, given.rows)
    found = {name: sets.measure(form) for name, form in FORMS.items()}
    found["fitted on each set"] = sets.measure(Answered.fit) | {"refuted blocked": float("nan")}
    cells = [[name, *(f"{v:.3f}" for v in figures.values())] for name, figures in found.items()]
    table(["form", *found["`meaning`"]], cells)


if __name__ == "__main__":
    main()
