"""Judged pairs of texts for the model of meaning: inference, equivalence, graded similarity.

Only sets whose terms allow an embedded model; `rewrites/` is for evaluation alone. Beside what
people judged there are sentences with the same translation (Tatoeba) and verses of the Bible in two
versions: free rewordings, each with a twin that is negated or has an opposite, a name or a number
exchanged. Of rewordings, none shares a text with another set.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from tools.changes import changed

FREE = (
    *("snli", "mnli", "wanli", "scitail", "paws-wiki", "cannot", "fool-me-twice"),
    *("counterfactual", "semi-automatic", "monli-scone", "detoxified"),
)
LABELS = {"entailment": 0, "neutral": 1, "contradiction": 2, "not_entailment": 3}
FOLDS = 20
HELD_OUT = 0  # this fold is never trained on
VERSIONS = ("BSB", "BBE", "WEB", "OEB", "Noyes")  # of the Bible, in modern English
LONGEST_VERSE = 220  # characters
MOST_VERSES = 12_000  # pairs
MOST_SHARED = 0.5  # words that two rewordings share, of all their words
LEAST_WORDS = 5
TWINS = ("negated", "antonym", "name", "number")  # of `tools.changes`


class Pair(NamedTuple):
    """Two texts and what people said of them.

    `kind` is "forward" (`value` is one of `LABELS`, from the first text to the second), "same" (1
    equivalent, 0 different) or "graded" (0 to 1). Pairs with a text in common are in one fold.
    """

    first: str
    second: str
    kind: str
    value: float
    source: str
    fold: int = -1


def read_pairs(data: Path, written: Path) -> list[Pair]:
    """All pairs, with their folds: the shared data, and the written groups of a folder."""
    inference = (pair for name in FREE for pair in _inference(data, name))
    pairs = _with_folds([*inference, *_others(data), *_written(written)])
    known = {_plain(text) for pair in pairs for text in pair[:2]}
    rewordings = [*_written(written / "free", "free"), *_translations(data), *_verses(data)]
    return pairs + [
        pair for pair in _with_folds(rewordings) if known.isdisjoint(map(_plain, pair[:2]))
    ]


def read_rows(path: Path) -> list[dict]:
    """The rows of a JSONL file, plain or gzip."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _inference(data: Path, name: str) -> Iterator[Pair]:
    for row in read_rows(data / "inference" / f"{name}.jsonl.gz"):
        texts, label = (row["premise"], row["hypothesis"]), row["label"]
        if label in LABELS:
            yield Pair(*texts, "forward", LABELS[label], name)
        else:
            yield Pair(*texts, "same", label == "equivalent", name)


def _others(data: Path) -> Iterator[Pair]:
    for row in read_rows(data / "similarity/stsb-en-train.jsonl.gz"):
        value = row["human"]["adequacy"] / 5
        yield Pair(row["source"], row["hypothesis"], "graded", value, "stsb")
    for row in read_rows(data / "paraphrase/twitter-url.jsonl.gz"):
        value = row["human"]["paraphrase"]
        yield Pair(row["source"], row["hypothesis"], "graded", value, "twitter-url")
    for row in read_rows(data / "contrast/paws-qqp-train.jsonl.gz"):
        value = row["human"]["paraphrase"]
        yield Pair(row["source"], row["hypothesis"], "same", value, "paws-qqp")
    yield from _demetr(read_rows(data / "contrast/demetr-dev.jsonl.gz"))


def _demetr(rows: Iterable[dict]) -> Iterator[Pair]:
    """Translations and their perturbed twins; a text with words removed may still follow from the
    whole, so only the other direction is judged.
    """
    seen = set()
    for row in rows:
        if row["severity"] == "minor":
            continue
        human, whole, wrong = row["human_translation"], row["translation"], row["perturbed"]
        if row["item"] not in seen:
            seen.add(row["item"])
            yield Pair(human, whole, "same", 1, "demetr")
        if row["kind"].endswith("_removed"):
            yield Pair(wrong, whole, "forward", LABELS["not_entailment"], "demetr")
        elif row["kind"] == "addition":
            yield Pair(whole, wrong, "forward", LABELS["not_entailment"], "demetr")
        else:
            yield Pair(whole, wrong, "same", 0, "demetr")
        yield Pair(human, wrong, "same", 0, "demetr")


def _written(folder: Path, name: str = "written") -> Iterator[Pair]:
    """Groups of an original and rewrites: right and wrong, close and far (rc, wc, rf, wf)."""
    for path in sorted(folder.glob("*.jsonl")):
        for row in read_rows(path):
            for key in ("rc", "wc", "rf", "wf"):
                if row.get(key):
                    yield Pair(row["text"], row[key], "same", key[0] == "r", f"{name}-{key}")
            for other, value in (("wf", 0), ("wc", 0), ("rc", 1)):
                if row.get("rf") and row.get(other):
                    yield Pair(row["rf"], row[other], "same", value, f"{name}-rf-{other}")


def _translations(data: Path) -> Iterator[Pair]:
    """Sentences of Tatoeba with the same translation, in other words."""
    english = defaultdict(set)
    for path in sorted((data / "bitext").glob("tatoeba-*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                sentence, translation = line.rstrip("\n").split("\t")[:2]
                english[path.name, translation].add(sentence)
    pairs = {
        pair for group in english.values() for pair in combinations(sorted(group), 2) if _far(*pair)
    }
    yield from _with_twins(sorted(pairs), "tatoeba")


def _verses(data: Path) -> Iterator[Pair]:
    """Verses in two versions, in other words."""
    pairs = []
    for row in read_rows(data / "multi/bible-en-multi.jsonl.gz"):
        texts = [row["texts"][name] for name in VERSIONS if name in row["texts"]]
        far = [pair for pair in combinations(texts, 2) if _far(*pair)]
        pairs += sorted(far, key=lambda pair: _fold(" ".join(pair)))[:1]
    short = [pair for pair in pairs if max(map(len, pair)) <= LONGEST_VERSE]
    step = max(1, len(short) // MOST_VERSES)
    yield from _with_twins(short[::step], "bible")


def _far(first: str, second: str) -> bool:
    """Whether two texts share few words."""
    one, other = (set(_plain(text).split()) for text in (first, second))
    return min(len(one), len(other)) >= LEAST_WORDS and (
        len(one & other) <= MOST_SHARED * len(one | other)
    )


def _with_twins(pairs: list[tuple[str, str]], source: str) -> Iterator[Pair]:
    for number, kind in enumerate(TWINS):
        some = pairs[number :: len(TWINS)]
        twins = changed([second for _, second in some], kind)
        for (first, second), twin in zip(some, twins, strict=True):
            yield Pair(first, second, "same", 1, source)
            if twin is not None:
                yield Pair(first, twin, "same", 0, source)


def _with_folds(pairs: list[Pair]) -> list[Pair]:
    """Fold by connected component: texts that share a premise, or any text of an equal pair."""
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        parent.setdefault(key, key)
        while parent[key] != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    for pair in pairs:
        first = root(_plain(pair.first))
        if pair.kind == "same" or pair.source == "counterfactual":
            parent[first] = root(_plain(pair.second))
    return [pair._replace(fold=_fold(root(_plain(pair.first)))) for pair in pairs]


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def _fold(key: str) -> int:
    return int(hashlib.blake2b(key.encode(), digest_size=4).hexdigest(), 16) % FOLDS
