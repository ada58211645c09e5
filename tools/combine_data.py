"""What `otherwords-mt` is trained on, as statistics (`tools/train_combine.py`).

- domains: judged translations, by language pair;
- preferences: better/worse pairs of wmt13-fren-rr;
- contrasts: translations of the same set with one word removed or added by us, which are worse
  than they were;
- systems: mean statistics of whole systems and their human scores.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.metrics.mt_statistics import BothSides, columns_of
from otherwords.stats.arrays import Array
from otherwords.stats.resampling import Stream
from otherwords.study.training.combine import Statistics, measure
from otherwords.text.sentence import tokenize
from otherwords.text.tagger import Tagger

SETS = {
    "wmt15-daseg": "da",
    "wmt13-esen-da": "da",
    "mlqe-eten": "da",
    "mqm21-zhen": "mqm",
}
SYSTEMS = {"de-en": "sys-wmt21-deen", "zh-en": "sys-wmt21-zhen"}
ITEMS = 300  # segments of each set of systems that are measured
CONTRASTS = 1000  # translations of which one has a word less, another a word more
FEWEST = 6  # tokens of such a translation


Pairs = list[tuple[str, str]]  # hypothesis, reference


class Compared(NamedTuple):
    """Statistics of better and of worse translations, row by row."""

    better: Array
    worse: Array

    @property
    def differences(self) -> Array:
        """What the better ones have more of."""
        return self.better - self.worse

    def of(self, kept: NDArray[np.bool_]) -> Compared:
        """The same with some of the columns."""
        return Compared(self.better[:, kept], self.worse[:, kept])


class Systems(NamedTuple):
    """Mean statistics of each system, and the human scores, standardised."""

    rows: Array
    people: Array

    def of(self, kept: NDArray[np.bool_]) -> Systems:
        """The same with some of the columns."""
        return Systems(self.rows[:, kept], self.people)


@dataclass(frozen=True)
class Judged:
    """All that is trained on."""

    statistics: Statistics
    preferences: Compared
    contrasts: Compared
    systems: dict[str, Systems]  # by language pair

    def without(self, family: str) -> Judged:
        """The same without the statistics of a family."""
        one = self.statistics
        kept = np.array([name.split("/")[0] != family for name in one.names])
        return Judged(
            replace(
                one,
                names=tuple(name for name, here in zip(one.names, kept, strict=True) if here),
                families=tuple(name for name in one.families if name != family),
                domains=[replace(domain, rows=domain.rows[:, kept]) for domain in one.domains],
                copies=one.copies[:, kept],
                unrelated=one.unrelated[:, kept],
            ),
            self.preferences.of(kept),
            self.contrasts.of(kept),
            {langs: systems.of(kept) for langs, systems in self.systems.items()},
        )


def read(data: Path, families: Sequence[str]) -> Judged:
    """The statistics of all sets."""
    sets = [
        measure(list(read_rows(data / "mt" / f"{name}.jsonl.gz")), human, families)
        for name, human in SETS.items()
    ]
    with gzip.open(data / "mt" / "wmt13-fren-rr.jsonl.gz", "rt", encoding="utf-8") as file:
        ranked = [json.loads(line) for line in file]
    better, worse = (
        [(pair[side], pair["reference"]) for pair in ranked] for side in ("better", "worse")
    )
    good = list(dict.fromkeys(better))[:: max(1, len(set(better)) // CONTRASTS)][:CONTRASTS]
    preferences = _compared(better, worse, families)
    systems = {langs: _system_rows(data, name) for langs, name in SYSTEMS.items()}
    pairs = [pair for one in sets for pair in one.pairs] + list(dict.fromkeys(better + worse))
    joined = replace(
        sets[0],
        domains=[domain for one in sets for domain in one.domains],
        copies=np.concatenate([one.copies for one in sets]),
        unrelated=np.concatenate([one.unrelated for one in sets]),
        pairs=pairs + [pair for rows, _ in systems.values() for pair in pairs_of(rows)],
    )
    return Judged(
        joined,
        preferences,
        _compared(*_contrasts(good), families),
        {langs: _systems_of(*found, families) for langs, found in systems.items()},
    )


def _compared(better: Pairs, worse: Pairs, families: Sequence[str]) -> Compared:
    places = {pair: place for place, pair in enumerate(dict.fromkeys(better + worse))}
    table = table_of(list(places), families)
    return Compared(
        table[[places[pair] for pair in better]], table[[places[pair] for pair in worse]]
    )


def table_of(pairs: Pairs, families: Sequence[str]) -> Array:
    """The statistics of pairs, a row each."""
    texts = BothSides([left for left, _ in pairs], [right for _, right in pairs])
    return np.column_stack(list(columns_of(texts, families).values()))


def _system_rows(data: Path, name: str) -> tuple[list[Row], dict[str, float]]:
    """The rows of a set that are used, and the systems' scores."""
    scores = json.loads((data / "mt" / f"{name}-human.json").read_text(encoding="utf-8"))
    return chosen_rows(read_rows(data / "mt" / f"{name}.jsonl.gz"), scores), scores


def chosen_rows(rows: Iterable[Row], scores: Container[str]) -> list[Row]:
    """Those of `ITEMS` segments spread over a set, of systems with a human score."""
    every = list(rows)
    items = list(dict.fromkeys(row.item for row in every))
    kept = set(items[:: max(1, len(items) // ITEMS)][:ITEMS])
    return [row for row in every if row.item in kept and row.system in scores]


def pairs_of(rows: Iterable[Row]) -> Pairs:
    """Each hypothesis with its first reference."""
    return [(str(row.hypothesis), str(row.references[0])) for row in rows]


def _systems_of(rows: list[Row], scores: dict[str, float], families: Sequence[str]) -> Systems:
    """The mean statistics of the systems."""
    table = table_of(pairs_of(rows), families)
    names = np.array([row.system for row in rows])
    means = np.array([table[names == system].mean(axis=0) for system in scores])
    people = np.array(list(scores.values()))
    return Systems(means - means.mean(axis=0), (people - people.mean()) / people.std())


def _contrasts(good: Pairs) -> tuple[Pairs, Pairs]:
    """Translations, and the same with a content word removed, or one of the next added."""
    sentences = [tokenize(hypothesis) for hypothesis, _ in good]
    tags = Tagger.load().tag([list(sentence.tokens) for sentence in sentences])
    content = [
        [number for number, tag in enumerate(row) if tag.startswith(("NN", "VB", "JJ", "RB"))]
        for row in tags
    ]
    stream = Stream(0)
    better: Pairs = []
    worse: Pairs = []
    for place, (text, reference) in enumerate(good):
        following = (place + 1) % len(good)
        mine, theirs = content[place], content[following]
        if len(sentences[place].tokens) < FEWEST or not mine or not theirs:
            continue
        here, there = stream.below([len(mine), len(theirs)])
        begin, end = sentences[place].spans[mine[here]]
        word = sentences[following].tokens[theirs[there]]
        removed = text[:begin].rstrip() + text[end:]
        for made in (removed, f"{text[:begin]}{word} {text[begin:]}"):
            better.append((text, reference))
            worse.append((made, reference))
    return better, worse
