"""Trains the embedded regressions of `otherwords-rewrite` and of `pem`.

    python tools/train_rewrite.py --data ../shared/data [--output FILE] [--model FILE]
    python tools/train_rewrite.py --pem --data ../shared/data
    python tools/train_rewrite.py --encoder auto --data ../shared/data

The second makes the regression of `pem`, as PEM §5.1 and §6.1 train it: three features
of judged pairs and of their controls, here those of shakespeare-dev, the one set whose judges
counted dissimilarity. The third makes the one of `encoder=`: cosines of a neural encoder take the
place of those of the static vectors. The rest of this text is about the first and the third.

**Meaning** (`metrics.meaning`) is a sum of features with weights that are never negative.
They are learnt from comparisons, by logistic regression on differences:

- two pairs of a judged set with the same n-gram overlap, of which judges rate one higher. Overlap
  is the same, so it earns nothing by itself;
- a good paraphrase or a copy against the same text with a change of meaning (negated, another
  number or name, an antonym, half of it, doubled) or against another sentence of the set;
- a good paraphrase against its *original* with such a change: the same words, another meaning.

**The join** (`metrics.rewrite`) has a handful of numbers. `LEVEL`, `ALPHA`, `BETA` were chosen by
hand from a few on the three sets whose overall scores are known (docs/rewrite.md); calibration is
isotonic regression of human overall scores on the joined share, the sets weighing the same.
`python -m bench.rewrite` reports what comes of it, each set scored by what the others taught.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.rows import Row
from otherwords.metrics.base import text_of
from otherwords.metrics.difference import difference
from otherwords.metrics.meaning import FEATURES, TERMS, terms_of
from otherwords.metrics.pairs import read as read_texts
from otherwords.metrics.rewrite import (
    HIGH,
    LOW,
    Join,
    Measured,
    RewriteFeatures,
    difference_share,
)
from otherwords.models.seen import filter_of, pair_hash
from otherwords.stats.resampling import Stream
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.training.changes import changed
from otherwords.study.training.pem import calibrated, error_quantiles, overall_of, train_pem

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/otherwords-rewrite.owm"
PEM_OUTPUT = OUTPUT.with_name("pem.owm")
NEURAL_OUTPUT = OUTPUT.with_name("otherwords-rewrite-neural.owm")

STRATA = 12  # of overlap, in each set
COMPARISONS = 6000  # pairs of pairs of a set
ORIGINALS = 700  # of a set whose paraphrases are changed
ENCODED = 4000  # rows of a set that a neural encoder sees
GOOD = 2 / 3  # share of the scale from which on a paraphrase is good
CHANGES = ("negated", "number", "name", "antonym", "halved", "doubled", "random")
# What a set's comparisons with changed texts weigh next to those of judged pairs.
NEAR, FAR = 0.5, 0.05
RIDGE = 0.002
LEAST = 0.05  # weight of what is contradicted, missing or added, in standard deviations
LEVEL, SPREAD = 5.0, 2.0  # of the logistic curve, in units of the sum
ALPHA, BETA, REWARD = 0.9, 0.23, 0.6
NEURAL_FORM = 2.0, 0.1, 0.3  # the same with a neural encoder: meaning counts more
MONOTONE = ("contradicted", "missing", "added")


class Source(NamedTuple):
    """A judged set: where it is, what its judges were asked, and what it weighs."""

    path: str
    criterion: str  # that adequacy is learnt from
    scale: Scale
    weight: float
    wanted: Callable[[str], bool] = lambda _: True  # ids that are used


def _one_in_five(name: str) -> bool:
    """Of twitter-url the rows of its training part, every fifth."""
    return "train" in name and int(name.rsplit("-", 1)[-1].rsplit(":", 1)[-1] or 0) % 5 == 0


SOURCES = {
    "parabank": Source("paraphrase/parabank", "overall", Scale(0, 100), 1.5),
    "twitter-para-dev": Source("paraphrase/twitter-para-dev", "overall", Scale(0, 1), 1.5),
    "shakespeare-dev": Source("paraphrase/shakespeare-dev", "adequacy", Scale(1, 4), 1.0),
    "stsb-en-train": Source("similarity/stsb-en-train", "adequacy", Scale(0, 5), 1.5),
    "twitter-url": Source("paraphrase/twitter-url", "paraphrase", Scale(0, 1), 0.7, _one_in_five),
    "paws-qqp-train": Source("contrast/paws-qqp-train", "paraphrase", Scale(0, 1), 0.5),
}
JOINED = ("parabank", "twitter-para-dev", "shakespeare-dev")  # sets with overall scores
NEURAL_SETS = (*JOINED, "stsb-en-train")  # what a neural encoder sees
EVALUATED = "paraphrase/msrp"  # STS-B has some of its pairs: they are left out
UNCHANGED = ("paws-qqp-train",)  # its sentences are changes themselves


@dataclass(frozen=True)
class JudgedSet:
    """Pairs with human adequacy (0-1) and, if judges were asked, an overall score (1-5)."""

    name: str
    paraphrases: list[str]
    originals: list[str]
    adequacy: np.ndarray
    overall: np.ndarray | None
    human: np.ndarray  # what agreement is measured with
    fluency: np.ndarray


@dataclass(frozen=True)
class Contrasts:
    """Good paraphrases and copies of a set, and changed versions that must be below them."""

    paraphrases: list[str]
    originals: list[str]
    kinds: list[str]
    near: dict[str, np.ndarray]  # kind -> rows (better, worse): the text and its changed twin
    far: dict[str, np.ndarray]  # kind -> rows: a paraphrase and its original, changed


class Sample(NamedTuple):
    """A set measured: its pairs, its comparisons at the same overlap, its contrasts."""

    judged: JudgedSet
    measured: Measured
    overlap: np.ndarray  # n-grams in common, up to 1 and 4 words
    comparisons: np.ndarray  # rows (better, worse)
    gaps: np.ndarray  # by how much judges rate the first one higher
    contrasts: Contrasts | None
    changed: Measured | None


def main(argv: Sequence[str] | None = None) -> None:
    """Train on everything and write the file."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--pem", action="store_true", help="train the regression of `pem`")
    arguments.add_argument("--output", type=Path)
    arguments.add_argument("--model", default="paraphrase")
    arguments.add_argument("--encoder", help="`auto`, or the path of a neural encoder")
    given = arguments.parse_args(argv)
    neural = NEURAL_OUTPUT if given.encoder else OUTPUT
    output = given.output or (PEM_OUTPUT if given.pem else neural)
    if given.pem:
        rows = given.data / "paraphrase" / "shakespeare-dev.jsonl.gz"
        train_pem([str(rows)], str(output), model=given.model)
    else:
        features = RewriteFeatures(model=given.model, encoder=given.encoder)
        samples = samples_of(given.data, features)
        pairs = [
            pair
            for one in samples.values()
            for pair in zip(one.judged.paraphrases, one.judged.originals, strict=True)
        ]
        replace(train(samples, features), seen=filter_of(pairs)).save(output)
    print(f"{output}: {output.stat().st_size:,} bytes")


def read(data: Path, name: str, most: int | None = None) -> JudgedSet:
    """One of the judged sets; of those without overall scores about `most` rows, spread evenly."""
    source = SOURCES[name]
    rows = [
        row
        for row in read_jsonl(data / f"{source.path}.jsonl.gz")
        if source.criterion in row.human and source.wanted(str(row.id))
    ]
    if name == "stsb-en-train":
        rows = _without(rows, data / f"{EVALUATED}.jsonl.gz")
    if most is not None and name not in JOINED:
        rows = rows[:: -(-len(rows) // most)]

    def share(criterion: str, scale: Scale) -> np.ndarray:
        values = np.array([row.human.get(criterion, np.nan) for row in rows])
        return np.clip((values - scale.low) / (scale.high - scale.low), 0, 1)

    whole = share("overall", source.scale) if name == "shakespeare-dev" else None
    fluency = share("fluency", Scale(0, 2)) if name == "parabank" else np.ones(len(rows))
    adequacy = share(source.criterion, source.scale)
    return JudgedSet(
        name,
        [text_of(row.hypothesis) for row in rows],
        [text_of(row.source or row.references[0]) for row in rows],
        adequacy,
        None if whole is None else LOW + (HIGH - LOW) * whole,
        adequacy if whole is None else whole,
        np.nan_to_num(fluency, nan=1.0),
    )


def _without(rows: list[Row], path: Path) -> list[Row]:
    """The rows whose pair is not in that file, which is kept for evaluation."""
    known = {pair_hash(text_of(r.hypothesis), text_of(r.source or "")) for r in read_jsonl(path)}
    return [
        row
        for row in rows
        if pair_hash(text_of(row.hypothesis), text_of(row.source or "")) not in known
    ]


def samples_of(
    data: Path, features: RewriteFeatures, names: Sequence[str] = tuple(SOURCES)
) -> dict[str, Sample]:
    """All sets, measured; a neural encoder sees fewer of them, for it takes its time."""
    if features.encoder is not None:
        some = {name: read(data, name, ENCODED) for name in names if name in NEURAL_SETS}
        return {name: sample_of(one, features, ORIGINALS // 2) for name, one in some.items()}
    return {name: sample_of(read(data, name), features) for name in names}


def sample_of(one: JudgedSet, features: RewriteFeatures, originals: int = ORIGINALS) -> Sample:
    """One set, measured."""
    measured = features.measure(one.paraphrases, one.originals)
    reading = features.meaning.reading
    pooled = read_texts([one.paraphrases, one.originals], reading)
    different = [difference(pooled, reading, orders=orders) for orders in (1, 4)]
    overlap = 2.0 - different[0] - different[1]
    rows = comparisons_of(one.adequacy, overlap)
    gaps = one.adequacy[rows[:, 0]] - one.adequacy[rows[:, 1]]
    contrasts = contrasts_of(one, originals)
    return Sample(
        one,
        measured,
        overlap,
        rows,
        gaps,
        contrasts,
        contrasts and features.measure(contrasts.paraphrases, contrasts.originals),
    )


def comparisons_of(adequacy: np.ndarray, overlap: np.ndarray, strata: int = STRATA) -> np.ndarray:
    """Pairs of rows (better, worse) within strata of the same overlap, sampled at random."""
    size = len(adequacy)
    ranks = np.argsort(np.argsort(overlap, kind="stable"), kind="stable")
    stratum = ranks * strata // size
    found = []
    for number in range(-(-2 * COMPARISONS // size) + 1):
        for place in range(strata):
            rows = np.flatnonzero(stratum == place).tolist()
            stream = 2 * (number * strata + place)
            one, other = (np.array(Stream(0, stream + k).shuffled(rows)) for k in (0, 1))
            higher = adequacy[one] > adequacy[other]
            found.append(np.column_stack([one[higher], other[higher]]))
    rows = np.concatenate(found)
    return rows[Stream(1, 0).shuffled(list(range(len(rows))))[:COMPARISONS]]


def contrasts_of(one: JudgedSet, originals: int = ORIGINALS) -> Contrasts | None:
    """The best paraphrase of each original, if it is good, with changed versions of both."""
    if one.name in UNCHANGED:
        return None
    best: dict[str, int] = {}
    for row, original in enumerate(one.originals):
        held = best.get(original)
        good = one.adequacy[row] >= GOOD and one.paraphrases[row].lower() != original.lower()
        if good and (held is None or one.adequacy[row] > one.adequacy[held]):
            best[original] = row
    chosen = Stream(2, 0).shuffled(list(best))[:originals]
    if len(chosen) < 2:
        return None
    good = [one.paraphrases[best[original]] for original in chosen]
    left, right, kinds = [*good, *chosen], [*chosen, *chosen], ["good"] * len(chosen)
    kinds += ["copy"] * len(chosen)
    near: dict[str, list[tuple[int, int]]] = {}
    far: dict[str, list[tuple[int, int]]] = {}
    for kind, worse in _changed(chosen, good):
        for place, text in enumerate(worse):
            if text is None:
                continue
            item = place % len(chosen)
            near.setdefault(kind, []).append((place_of_text(place, len(chosen)), len(left)))
            if place < len(chosen) and kind != "doubled":
                far.setdefault(kind, []).append((item, len(left)))
            left.append(text)
            right.append(chosen[item])
            kinds.append(kind)
    return Contrasts(
        left,
        right,
        kinds,
        {kind: np.array(rows) for kind, rows in near.items()},
        {kind: np.array(rows) for kind, rows in far.items()},
    )


def place_of_text(place: int, size: int) -> int:
    """The row of the unchanged text: a copy for a changed original, else the paraphrase."""
    return size + place if place < size else place - size


def _changed(originals: list[str], good: list[str]) -> Iterator[tuple[str, list[str | None]]]:
    """The originals and then the paraphrases, changed in each way."""
    for kind in CHANGES:
        if kind == "random":  # the next original, and the paraphrase of the next original
            yield kind, [text for side in (originals, good) for text in [*side[1:], side[0]]]
        else:
            yield kind, changed([*originals, *good], kind)


def train(samples: Mapping[str, Sample], features: RewriteFeatures) -> Join:
    """The join of all sets."""
    form = None if features.encoder is None else NEURAL_FORM
    weights = fit_weights(samples)
    provenance: dict[str, Any] = {
        "features": list(FEATURES),
        "settings": features.meaning.pivots.settings,
        "model": features.meaning.pivots.model.digest,
        **features.meaning.trained_with,
        "pairs": {name: len(one.judged.originals) for name, one in samples.items()},
        "changes": list(CHANGES),
        "seed": 0,
    }
    return joined(weights, samples, provenance, form)


def fit_weights(samples: Mapping[str, Sample], changes: Sequence[str] = CHANGES) -> np.ndarray:
    """Nonnegative weights by logistic regression on differences of features."""
    from scipy.optimize import minimize

    rows, sizes = [], []
    for name, one in samples.items():
        weight = SOURCES[name].weight
        table = terms_of(one.measured.meaning)
        rows.append(table[one.comparisons[:, 0]] - table[one.comparisons[:, 1]])
        counted = np.minimum(one.gaps / one.judged.adequacy.std(), 2.0)
        sizes.append(weight * counted / counted.sum())
        if one.contrasts is None or one.changed is None:
            continue
        table = terms_of(one.changed.meaning)
        for total, kinds in ((NEAR, one.contrasts.near), (FAR, one.contrasts.far)):
            for kind in (kind for kind in changes if kind in kinds):
                better, worse = kinds[kind].T
                rows.append(table[better] - table[worse])
                each = weight * total / len(changes) / len(better)
                sizes.append(np.full(len(better), each))
    tables = [terms_of(one.measured.meaning) for one in samples.values()]
    scale = np.concatenate(tables).std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    differences, weights = np.concatenate(rows) / scale, np.concatenate(sizes)
    weights = weights / weights.sum()

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        margins = differences @ values
        gradient = -differences.T @ (weights / (1 + np.exp(margins)))
        value = weights @ np.logaddexp(0, -margins) + RIDGE / 2 * values @ values
        return float(value), gradient + RIDGE * values

    bounds = [(LEAST if name in MONOTONE else 0.0, None) for name in TERMS]
    start = np.full(len(TERMS), LEAST)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return np.round(found.x / scale / SPREAD, 6)


def joined(
    weights: np.ndarray,
    samples: Mapping[str, Sample],
    provenance: Mapping[str, Any],
    form: tuple[float, float, float] | None = None,
) -> Join:
    """The join with these weights, calibrated on those of the sets that have overall scores."""
    level = LEVEL / SPREAD
    alpha, beta, reward = form or (ALPHA, BETA, REWARD)
    plain = Join(
        weights=weights,
        level=level,
        alpha=alpha,
        beta=beta,
        reward=reward,
        knots=LINE,
        errors=np.zeros(2),
        provenance=provenance,
    )
    chosen = [one for name, one in samples.items() if name in JOINED]
    shares = [plain.share(one.measured) for one in chosen]
    targets = [target_of(one, plain) for one in chosen]
    each = [np.full(len(one), 1 / len(one)) for one in shares]
    knots = calibrated(*map(np.concatenate, (shares, targets, each)))
    whole = replace(plain, knots=knots)
    errors = [np.abs(whole.score(s) - t) for s, t in zip(shares, targets, strict=True)]
    return replace(whole, errors=error_quantiles(np.concatenate(errors), np.concatenate(each)))


LINE = np.array([[0.0, 1.0], [LOW, HIGH]])


def target_of(one: Sample, join: Join) -> np.ndarray:
    """The human overall score; where judges scored meaning only, joined with our dissimilarity."""
    if one.judged.overall is not None:
        return one.judged.overall
    share = difference_share(one.measured.difference, join.reward, join.beta)
    return overall_of(one.judged.adequacy, one.judged.fluency, share)


if __name__ == "__main__":
    main()
