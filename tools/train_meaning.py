"""Fit the model of meaning: how the pair model's answers and values become one score.

    python -m tools.train_meaning --data ../shared/data

Reads the pairs that `tools.train_inference` kept out and asks the stack `pair` of the embedded
encoder. The temperature is that of the highest likelihood on judged inference. The other three
numbers of `metrics.meaning.MeaningModel` are chosen from a grid, by AUC on judgements of
equivalence and Pearson correlation with graded ones. The limits of `gate` are chosen on right pairs
among them: with the findings of values, this share of right rewrites is blocked. Printed are also
the shares that the gate blocks, and the agreement with each set by numbers fitted without it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tools.inference_data import HELD_OUT, LABELS, Pair, read_pairs, read_rows

from otherwords.metrics.meaning import STRICTNESS, WEIGHTS, MeaningModel, PairReader
from otherwords.metrics.pairs import plain
from otherwords.models.seen import filter_of
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.text.values import compare_values

ALARMS = {"low": 0.02, "normal": 0.05, "high": 0.10}  # right rewrites that may be blocked
# Sources of right rewrites that the limits are chosen on.
RIGHT = ("written-rc", "written-rf", "free-rc", "free-rf", "paws-wiki", "paws-qqp", "detoxified")
MOST = 1500  # pairs of a source
SCORED = {"parabank": "overall", "twitter-para-dev": "overall", "shakespeare-dev": "adequacy"}
TEMPERATURES = np.arange(1.0, 4.01, 0.1).round(1).tolist()
ENTAILMENT = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
TOPIC = (0.0, 0.25)  # with more, near copies that are wrong pass the gate
VALUE = (0.6, 0.7, 0.8)  # no weaker: few of the pairs have a changed value, and it must count
EQUIVALENCE = 2.0  # the weight of the mean AUC, relative to that of the mean correlation


def select(pairs: Sequence[Pair]) -> list[Pair]:
    """Held-out pairs, at most `MOST` of each source and kind of judgement."""
    counts: Counter[tuple[str, str]] = Counter()
    chosen = []
    for pair in pairs:
        if pair.fold == HELD_OUT and pair.value != LABELS["not_entailment"]:
            counts[pair.source, pair.kind] += 1
            if counts[pair.source, pair.kind] <= MOST:
                chosen.append(pair)
    return chosen


def read_scored(data: Path) -> list[Pair]:
    """Pairs with scores of several judges, from 0 to 1."""
    pairs = []
    for name, criterion in SCORED.items():
        rows = read_rows(data / "paraphrase" / f"{name}.jsonl.gz")
        scores = np.array([row["human"][criterion] for row in rows], float)
        shares = (scores - scores.min()) / (scores.max() - scores.min())
        for row, share in list(zip(rows, shares.tolist(), strict=True))[:MOST]:
            pairs.append(Pair(row["source"], row["hypothesis"], "graded", share, name, HELD_OUT))
    return pairs


def auc(scores: Array, right: Array) -> float:
    """The share of (right, wrong) pairs in the right order; ties count half."""
    good, bad = np.sort(scores[right]), scores[~right]
    below = np.searchsorted(good, bad, "left") + np.searchsorted(good, bad, "right")
    return float(1 - below.sum() / (2 * len(good) * len(bad)))


class Judged:
    """Pairs with the pair model's answers, by kind of judgement."""

    def __init__(self, pairs: Sequence[Pair], reader: PairReader, threads: int) -> None:
        originals, rewrites = ([plain(pair[side]) for pair in pairs] for side in (0, 1))
        self.answers = reader.ask(rewrites, originals, threads)
        values = [compare_values(a, b) for a, b in zip(originals, rewrites, strict=True)]
        verdicts = [[value.verdict for value in differences] for differences in values]
        self.valued = np.array([len(said) > 0 for said in verdicts])
        self.changed = np.array(["changed" in said for said in verdicts])
        self.weights = np.array([sum(map(WEIGHTS.__getitem__, said)) for said in verdicts], float)
        self.targets = np.array([pair.value for pair in pairs], float)
        self.sources = np.array([pair.source for pair in pairs])
        self.kinds = np.array([pair.kind for pair in pairs])
        # Written groups have one source for each kind of rewrite, all right or all wrong.
        self.sets = np.array(
            [
                name.split("-")[0] if name.startswith(("written-", "free-")) else name
                for name in self.sources
            ]
        )

    def meaning(self, model: MeaningModel) -> Array:
        return model.join(self.answers, self.weights)

    def likelihood(self, temperature: float) -> float:
        """The mean log likelihood of judged inference, each source with the same weight."""
        rows = self.kinds == "forward"
        probabilities = _model(temperature).probabilities(self.answers.forward[rows])
        logs = np.log(probabilities[np.arange(rows.sum()), self.targets[rows].astype(int)])
        return float(
            np.mean([logs[self.sources[rows] == s].mean() for s in set(self.sources[rows])])
        )

    def agree(self, scores: Array, rows: NDArray[np.bool_]) -> float:
        """The AUC or correlation of scores with the judgements of one set and kind."""
        targets = self.targets[rows]
        if (self.kinds[rows] == "graded").all():
            return pearson(scores[rows], targets) or 0.0
        return auc(scores[rows], targets == 1)

    def agreement(self, model: MeaningModel, left_out: str = "") -> float:
        """The weighted sum of mean AUC and mean correlation over sets."""
        scores = self.meaning(model)
        found: dict[str, list[float]] = {"same": [], "graded": []}
        for kind, figures in found.items():
            for name in sorted(set(self.sets[self.kinds == kind]) - {left_out}):
                rows = (self.sets == name) & (self.kinds == kind)
                if self.targets[rows].std() > 0:
                    figures.append(self.agree(scores, rows))
        return EQUIVALENCE * float(np.mean(found["same"])) + float(np.mean(found["graded"]))

    def fit(self, temperature: float, left_out: str = "") -> MeaningModel:
        """The model with the best agreement."""
        grid = [_model(temperature, *numbers) for numbers in product(ENTAILMENT, TOPIC, VALUE)]
        return max(grid, key=lambda model: self.agreement(model, left_out))

    def is_blocked_by_values(self, strictness: str) -> NDArray[np.bool_]:
        return self.changed if strictness == "low" else self.valued

    def limits(self, model: MeaningModel) -> Array:
        """The limits that block these shares of right pairs, each source with the same weight."""
        right = (self.kinds == "same") & (self.targets == 1) & np.isin(self.sources, RIGHT)
        counts = Counter(self.sources[right].tolist())
        weight = np.array([1 / counts[name] for name in self.sources[right]]) / len(counts)
        meaning = self.meaning(model)[right]
        limits = []
        for name, alarms in ALARMS.items():
            blocked = self.is_blocked_by_values(name)[right]
            left = max(alarms - float(weight[blocked].sum()), 0.005)
            order = np.argsort(np.where(blocked, 2.0, meaning), kind="stable")
            place = int(np.searchsorted(np.cumsum(weight[order]), left))
            limits.append(float(meaning[order][place]))
        return np.array(limits)


def _model(temperature: float, *numbers: float) -> MeaningModel:
    entailment, topic, value = numbers or (0.0, 0.0, 1.0)
    return MeaningModel(
        temperature=temperature,
        entailment=entailment,
        topic=topic,
        value=value,
        limits=np.zeros(len(STRICTNESS)),
        alarms=np.array(list(ALARMS.values())),
        provenance={},
    )


def report_gate(judged: Judged, model: MeaningModel) -> None:
    """Print which shares of wrong and right pairs the gate blocks, by source."""
    meaning = judged.meaning(model)
    for name in STRICTNESS:
        blocked = (meaning < model.limit(name)) | judged.is_blocked_by_values(name)
        for source in sorted(set(judged.sources[judged.kinds == "same"])):
            rows = (judged.sources == source) & (judged.kinds == "same")
            shares = [
                f"{what} blocked {blocked[rows & (judged.targets == target)].mean():.3f}"
                for what, target in (("wrong", 0), ("right", 1))
                if (rows & (judged.targets == target)).any()
            ]
            print(f"{name:8} {model.limit(name):.3f} {source:18} {', '.join(shares)}")


def report_left_out(judged: Judged, temperature: float) -> None:
    """Print the agreement with each set by numbers fitted without it."""
    for kind, agree in (("same", "AUC"), ("graded", "Pearson")):
        for name in sorted(set(judged.sets[judged.kinds == kind])):
            rows = (judged.sets == name) & (judged.kinds == kind)
            if judged.targets[rows].std() > 0:
                model = judged.fit(temperature, left_out=name)
                found = judged.agree(judged.meaning(model), rows)
                print(f"{name:18} {agree} {found:.3f} by numbers fitted without it")


def main() -> None:
    """Fit, print the figures, and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--encoder", default="encoder")
    parser.add_argument("--out", type=Path, default=Path("src/otherwords/models/meaning.owm"))
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    everything = read_pairs(arguments.data, Path(__file__).parent / "pair_written")
    scored = read_scored(arguments.data)
    reader = PairReader(arguments.encoder)
    judged = Judged(select(everything) + scored, reader, arguments.threads)
    temperature = max(TEMPERATURES, key=judged.likelihood)
    model = judged.fit(temperature)
    print(
        f"temperature {temperature:g}, entailment {model.entailment:g}, topic {model.topic:g}, "
        f"value {model.value:g}"
    )
    limits = judged.limits(model)
    report_gate(judged, replace(model, limits=limits))
    report_left_out(judged, temperature)
    trained = [*(pair for pair in everything if pair.fold != HELD_OUT), *scored]
    replace(
        model,
        limits=limits,
        provenance={
            "what": "how the answers of the pair model become the score of meaning",
            "encoder": reader.digest,
            "pairs": len(judged.targets),
        },
        seen=filter_of((pair.first, pair.second) for pair in trained),
    ).save(arguments.out)


if __name__ == "__main__":
    main()
