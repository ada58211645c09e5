"""Trains the part of fluency that reads the encoder's states, and joins it to the n-grams.

    python tools/train_context.py --data ../shared/data [--output FILE] [--threads N]

Sentences of many sources are set against damaged copies (`damage.py`) and against what a search
finds that raises fluency, likeness and difference together. The search has its own words, seeds and
originals, and it climbs a stand-in for the score: `bench.gaming`, which judges, has others. A
model that saw half of the sources gives the printed figures and the weights of the join. The
embedded model saw all sources. The n-grams stay as they are (`train_fluency.py`).
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from damage import DAMAGES, Words, damaged
from otherwords.metrics.fluency import (
    LAYERS,
    Context,
    FluencyModel,
    Join,
    Readers,
    quantize,
    write,
)
from otherwords.models import container
from otherwords.models.container import Model, find
from otherwords.models.encoder import Encoder
from otherwords.models.language_model import LanguageModel
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.arrays import logistic
from otherwords.text.sentence import tokenize
from train_fluency import _rows, folded, set_aside
from treebank import read_treebank

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/fluency.owm"
STEPS = 24.0  # of a code, per 1.0 of a state
UNITS = 48
EPOCHS, BATCH, RATE, DECAY = 3, 64, 3e-3, 1e-4
DRAWN = 5  # kinds of damage of each sentence
JOINED = 0.15  # share of sentences to which a second one is added
CLIMBERS, CLIMB, PROPOSALS = 160, 60, 8  # originals attacked, steps, edits tried in each
KEPT = (15, 30, CLIMB)  # steps whose texts are trained against
REPEATS = 3  # how often they count
PENALTY = 1e-3
# Sentences of each source, in two halves that do not share a source.
SOURCES = (
    {"tatoeba": 2500, "mnli": 3000, "stsb": 1500, "docs": 1000, "twitter": 1000},
    {"europarl": 2500, "snli": 1500, "wanli": 2000, "treebank": 2000, "news": 1500},
)
UNSEEN = ("snli", "wanli")  # sources of the second half that the n-grams were not trained on
BITEXTS = {"tatoeba": "tatoeba-fra", "europarl": "europarl-de", "docs": "mdn-zh"}
BITEXTS |= {"news": "newscommentary-zh"}
_MARKUP = re.compile(r"[<>{}|`=_]")


@dataclass(frozen=True)
class Item:
    """A sentence, its words as damage sees them, and damaged copies by kind."""

    text: str
    words: Words
    end: str
    damaged: list[tuple[str, str]] = field(default_factory=list)


def texts_of(data: Path, source: str) -> Iterator[str]:
    """The English of a source."""
    if source in BITEXTS:
        path = data / "bitext" / f"{BITEXTS[source]}.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            yield from (row.split("\t", 1)[0] for row in file)
    elif source == "treebank":
        yield from (" ".join(one.forms) for one in read_treebank(data / "tagged/train.conll.gz"))
    else:
        names = {"stsb": "similarity/stsb-en-train", "twitter": "paraphrase/twitter-url"}
        sides = ("source", "hypothesis") if source in names else ("premise", "hypothesis")
        for row in _rows(data / f"{names.get(source, f'inference/{source}')}.jsonl.gz"):
            if "graded" not in str(row.get("id")):
                yield from (row[side] for side in sides)


def items_of(data: Path, source: str, size: int, out: set[str]) -> tuple[list[Item], list[str]]:
    """Sentences of a source with their damaged copies, and words of other sentences."""
    random = Random(source)
    lines = list(dict.fromkeys(" ".join(text.split()) for text in texts_of(data, source)))
    lines = [
        line
        for line in lines
        if 3 <= len(line.split()) <= 40 and len(line) < 300 and not _MARKUP.search(line)
    ]
    random.shuffle(lines)
    lines = [line for line in lines[: 3 * size] if folded(line) not in out]
    others = [word for line in lines[size:] for word in line.split()]
    items = []
    for line, second in zip(lines[:size], lines[size:], strict=False):
        if line[-1] in ".!?" and random.random() < JOINED:
            line = f"{line} {second}"
        item = as_item(line, random)
        if len(item.words) >= 3:
            items.append(replace(item, damaged=damages(item, random, others)))
    return items, others


def as_item(line: str, random: Random) -> Item:
    """Read a sentence as tokens or as words between spaces; one reading must not look damaged."""
    words = list(tokenize(line).tokens) if random.random() < 0.5 else line.split()
    end = ""
    if words[-1] in (".", "!", "?"):
        end = f" {words.pop()}"
    elif words[-1][-1] in ".!?" and random.random() < 0.8:
        end, words[-1] = words[-1][-1], words[-1][:-1]
    return Item(" ".join(words) + end if random.random() < 0.5 else line, words, end)


def damages(item: Item, random: Random, others: Sequence[str]) -> list[tuple[str, str]]:
    """Damaged copies in some ways; sometimes the final stop is missing."""
    made = []
    for kind in random.sample(list(DAMAGES), DRAWN):
        words = damaged(item.words, kind, random, others)
        if words:
            made.append((kind, " ".join(words) + (item.end if random.random() < 0.85 else "")))
    return made


def climb(model: FluencyModel, items: Sequence[Item], others: Sequence[str]) -> list[Item]:
    """What a search finds from each sentence: edits that raise a stand-in for the score."""
    random, encoder = Random("climb"), Encoder.load()
    originals = [" ".join(item.words) + item.end for item in items]
    intact = model.logits(originals)

    def gains(texts: list[str], places: list[int]) -> NDArray[np.float64]:
        both = [*originals, *texts]
        right = np.array(places, np.int64)
        left = np.arange(len(originals), len(both), dtype=np.int64)
        alike = encoder.cosines(both, left, right, threads=2)
        fluent = logistic(np.minimum(model.logits(texts, threads=2) - intact[places], 0) + 2)
        changed = [
            change(text, originals[place]) for text, place in zip(texts, places, strict=True)
        ]
        return np.asarray(alike * fluent * (0.25 + 0.75 * np.array(changed) ** 0.3))

    best = np.full(len(items), 0.25)
    words = [list(item.words) for item in items]
    found: list[list[tuple[str, str]]] = [[] for _ in items]
    for step in range(1, CLIMB + 1):
        proposed = [
            (place, damaged(mine, random.choice(_EDITS), random, _edit_words(items[place], others)))
            for place, mine in enumerate(words)
            for _ in range(PROPOSALS)
        ]
        tried = [(place, made) for place, made in proposed if made]
        texts = [" ".join(made) + items[place].end for place, made in tried]
        for (place, made), gain in zip(tried, gains(texts, [p for p, _ in tried]), strict=True):
            if gain > best[place]:
                best[place], words[place] = gain, made
        if step in KEPT:
            for place, mine in enumerate(words):
                found[place].append(("climb", " ".join(mine) + items[place].end))
    return [replace(item, damaged=made) for item, made in zip(items, found, strict=True)]


_EDITS = ("insert", "replace", "drop content", "drop function", "swap", "misspell", "inflect")


def _edit_words(item: Item, others: Sequence[str]) -> Sequence[str]:
    return [*item.words, *others[: 3 * len(item.words)]]


def change(text: str, original: str) -> float:
    """The share of words that are not the original's."""
    mine, theirs = set(text.lower().split()), set(original.lower().split())
    return 1 - len(mine & theirs) / max(len(mine), len(theirs), 1)


class Codes:
    """The states of texts as whole numbers, text after text."""

    def __init__(self, encoder: Encoder, texts: Sequence[str], threads: int) -> None:
        parts, sizes = [], []
        for begin in range(0, len(texts), 1024):
            states = encoder.states(texts[begin : begin + 1024], ends=True, threads=threads)
            sizes += [len(rows) for rows in states]
            parts.append(quantize(np.concatenate(states), STEPS).astype(np.int8))
        self.rows, self.bounds = np.concatenate(parts), np.cumsum([0, *sizes])

    def neighbours(self, texts: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Two neighbouring states in each row, and how many rows each text has."""
        sizes = self.bounds[texts + 1] - self.bounds[texts] - 1
        starts = np.cumsum(sizes) - sizes
        rows = np.repeat(self.bounds[texts] - starts, sizes) + np.arange(sizes.sum())
        pair = np.concatenate([self.rows[rows], self.rows[rows + 1]], axis=1)
        return pair.astype(np.float32) / np.float32(STEPS), sizes


class Head:
    """A hidden layer over neighbouring states, pooled by mean and maximum; trained by Adam."""

    def __init__(self, width: int, seed: int) -> None:
        drawn = np.random.default_rng(seed)
        self.numbers = {
            "weights": drawn.standard_normal((2 * width, UNITS)) / np.sqrt(2 * width),
            "bias": np.zeros(UNITS),
            "pooled": drawn.standard_normal(2 * UNITS) * 0.3,
            "constant": np.zeros(1),
        }
        self.numbers = {name: array.astype(np.float32) for name, array in self.numbers.items()}
        self.first = {name: np.zeros_like(array) for name, array in self.numbers.items()}
        self.second = {name: np.zeros_like(array) for name, array in self.numbers.items()}
        self.steps = 0

    def learn(self, codes: Codes, texts: NDArray[np.int64], loss: Loss, rate: float) -> None:
        """One step on a batch of texts."""
        rows, sizes = codes.neighbours(texts)
        starts = np.cumsum(sizes) - sizes
        units = np.maximum(rows @ self.numbers["weights"] + self.numbers["bias"], 0)
        means = np.add.reduceat(units, starts) / sizes[:, None]
        maxima = np.maximum.reduceat(units, starts)
        pooled = np.concatenate([means, maxima], axis=1)
        slope = loss.slope(pooled @ self.numbers["pooled"] + self.numbers["constant"][0])
        back = slope[:, None] * self.numbers["pooled"]
        is_largest = (units == np.repeat(maxima, sizes, 0)) & (units > 0)
        ties = np.maximum(np.add.reduceat(is_largest.astype(np.float32), starts), 1)
        inner = np.repeat(back[:, :UNITS] / sizes[:, None], sizes, 0) * (units > 0)
        inner += np.repeat(back[:, UNITS:] / ties, sizes, 0) * is_largest
        slopes = {
            "weights": rows.T @ inner,
            "bias": inner.sum(axis=0),
            "pooled": pooled.T @ slope,
            "constant": np.array([slope.sum()]),
        }
        self.steps += 1
        for name, array in self.numbers.items():
            slope = slopes[name].astype(np.float32)
            self.first[name] += 0.1 * (slope - self.first[name])
            self.second[name] += 0.001 * (slope * slope - self.second[name])
            mean = self.first[name] / (1 - 0.9**self.steps)
            spread = np.sqrt(self.second[name] / (1 - 0.999**self.steps)) + 1e-8
            array -= rate * (mean / spread + DECAY * array)

    def context(self, encoder: Encoder) -> Context:
        """The head in whole numbers."""
        weights = self.numbers["weights"].astype(np.float64)
        scales = np.abs(weights).max(axis=0) / 127
        bias = np.rint(self.numbers["bias"] / scales * STEPS).astype(np.int32)
        pooled = np.tile(scales / STEPS, 2) * self.numbers["pooled"]
        return Context(
            np.rint(weights / scales).astype(np.int8),
            bias,
            np.array([*pooled, float(self.numbers["constant"][0])]),
            STEPS,
            encoder,
        )


@dataclass(frozen=True)
class Loss:
    """Is each text intact, and is each intact text above its damaged copies?"""

    intact: NDArray[np.float32]
    weights: NDArray[np.float32]
    better: NDArray[np.int64]
    worse: NDArray[np.int64]

    def value(self, logits: NDArray[np.float64]) -> float:
        """The mean loss of texts, and of pairs."""
        texts = np.logaddexp(0, np.where(self.intact == 1, -logits, logits))
        pairs = np.logaddexp(0, logits[self.worse] - logits[self.better])
        return float(self.weights @ texts + pairs.mean())

    def slope(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """The derivative of the loss by the logits."""
        slope = self.weights * (logistic(logits) - self.intact)
        wrong = logistic(logits[self.worse] - logits[self.better]) / max(1, len(self.worse))
        np.add.at(slope, self.better, -wrong)
        np.add.at(slope, self.worse, wrong)
        return slope.astype(np.float32)


def train(items: Sequence[Item], threads: int, seed: int = 0) -> Context:
    """Train a head on sentences and their damaged copies."""
    encoder = Encoder.load(stack="sentence", layers=LAYERS)
    groups, texts = [], []
    for item in items:
        groups.append(np.arange(len(texts), len(texts) + 1 + len(item.damaged)))
        texts += [item.text, *(text for _, text in item.damaged)]
    codes, head, random = Codes(encoder, texts, threads), Head(encoder.width, seed), Random(seed)
    steps = EPOCHS * (len(groups) // BATCH)
    for step in range(steps):
        if step % (len(groups) // BATCH) == 0:
            random.shuffle(groups)
        begin = step % (len(groups) // BATCH) * BATCH
        batch = groups[begin : begin + BATCH]
        head.learn(codes, np.concatenate(batch), _loss(batch), RATE * (1 - step / steps))
    return head.context(encoder)


def _loss(batch: Sequence[NDArray[np.int64]]) -> Loss:
    sizes = np.array([len(group) for group in batch])
    better = np.cumsum(sizes) - sizes
    intact = np.zeros(sizes.sum(), np.float32)
    intact[better] = 1
    weights = np.where(intact, np.repeat(sizes - 1, sizes), 1).astype(np.float32)
    worse = np.flatnonzero(intact == 0)
    return Loss(intact, weights / weights.sum(), np.repeat(better, sizes - 1), worse)


def fit_join(model: FluencyModel, items: Sequence[Item], contexts: Sequence[np.ndarray]) -> Join:
    """Fit the join by the loss of the head; no weight is negative."""
    texts = [[item.text, *(text for _, text in item.damaged)] for item in items]
    ngrams = model.readers.features(list(chain(*texts)), threads=2)
    rows = np.column_stack([ngrams, np.concatenate(contexts)])
    spread = rows.std(axis=0)
    scaled = np.column_stack([rows / spread, np.ones(len(rows))])
    ends = np.cumsum([len(group) for group in texts])
    loss = _loss([np.arange(end - len(group), end) for group, end in zip(texts, ends, strict=True)])

    def penalised(join: np.ndarray) -> tuple[float, np.ndarray]:
        logits = scaled @ join
        penalty = PENALTY * join * (np.arange(len(join)) < len(join) - 1)
        value = loss.value(logits) + float(penalty @ join) / 2
        return value, scaled.T @ loss.slope(logits).astype(np.float64) + penalty

    bounds = [(0, None)] * rows.shape[1] + [(None, None)]
    best = minimize(penalised, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds).x
    return Join(best[:-1] / spread, float(best[-1]))


def open_ngrams(path: Path) -> tuple[Readers, Join, Model]:
    """The n-gram part of a file."""
    model, words = container.read(path, "fluency"), ParaphraseModel.load().language_model
    assert words is not None
    units = LanguageModel(model.section("units"), tokenizer="none", case=True)
    readers = Readers(units, np.array(model.arrays["frequencies"]), words)
    weights = np.array(model.arrays["weights"], np.float64)
    return readers, Join(weights, float(model.arrays["bias"][0])), model


def by_kind(rows: dict[str, list[tuple[float, float]]]) -> None:
    """Print how often the intact sentence is above its damaged copy, by the n-grams and joined."""
    print(f"{'kind':15} {'copies':>7} n-grams joined")
    for kind, pairs in sorted(rows.items()):
        ngrams, joined = np.mean(np.array(pairs) > 0, axis=0)
        print(f"{kind:15} {len(pairs):7} {ngrams:.3f}   {joined:.3f}")
    means = np.mean([np.mean(np.array(pairs) > 0, axis=0) for pairs in rows.values()], axis=0)
    print(f"{'mean':15} {'':7} {means[0]:.3f}   {means[1]:.3f}")


def main() -> None:
    """Train, print the figures of sources left out, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--ngrams", type=Path, default=find("fluency"), help="file with n-grams")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    readers, ngrams, file = open_ngrams(given.ngrams)
    out = set_aside(given.data)
    made = [
        {source: items_of(given.data, source, size, out) for source, size in half.items()}
        for half in SOURCES
    ]
    halves = [list(chain(*(items for items, _ in half.values()))) for half in made]
    others = list(chain(*(words for _, words in made[0].values())))
    first = train(halves[0], given.threads)
    model = FluencyModel(readers, ngrams, first, Join(np.zeros(10), 0.0))
    unseen = list(chain(*(made[1][source][0] for source in UNSEEN)))
    answers = answers_of(first, unseen, given.threads)
    model.joined = fit_join(model, unseen, answers)
    report(model, unseen, answers)
    climbers = Random(0).sample(halves[0], CLIMBERS)
    climbed = climb(model, climbers, Random(1).sample(others, 400))
    some, rest = climbed[::2], climbed[1::2]
    model.context = train([*chain(*halves), *some * REPEATS], given.threads)
    items = [*unseen, *rest * REPEATS]
    answers += answers_of(model.context, rest, given.threads) * REPEATS
    model.joined = fit_join(model, items, answers)
    report(model, items, answers)
    provenance = {
        **file.provenance,
        "ngrams": file.provenance.get("ngrams", file.short_digest),
        "context": {
            "sources": [list(half) for half in SOURCES],
            "damage": [*DAMAGES, "climb"],
            "sentences": sum(map(len, halves)),
        },
    }
    write(given.output, model, provenance)
    print(f"{given.output}: {given.output.stat().st_size:,} bytes")


def answers_of(context: Context, items: Sequence[Item], threads: int) -> list[NDArray[np.float64]]:
    """The answers to each sentence and its damaged copies."""
    texts = [[item.text, *(text for _, text in item.damaged)] for item in items]
    flat = context.logits(list(chain(*texts)), threads)
    return np.split(flat, np.cumsum([len(group) for group in texts])[:-1])


def report(
    model: FluencyModel, items: Sequence[Item], answers: Sequence[NDArray[np.float64]]
) -> None:
    """Print the weights of the join and the shares by kind."""
    print("weights", np.round(model.joined.weights, 3).tolist(), round(model.joined.bias, 3))
    rows: dict[str, list[tuple[float, float]]] = {}
    texts = [[item.text, *(text for _, text in item.damaged)] for item in items]
    features = model.readers.features(list(chain(*texts)), threads=2)
    old = model.ngrams.logits(features)
    new = model.joined.logits(np.column_stack([features, np.concatenate(answers)]))
    begin = 0
    for item in items:
        for place, (kind, _) in enumerate(item.damaged, begin + 1):
            rows.setdefault(kind, []).append((old[begin] - old[place], new[begin] - new[place]))
        begin += 1 + len(item.damaged)
    by_kind(rows)


if __name__ == "__main__":
    main()
