"""English for the distillation of vectors: single sentences, and pairs that judges compared.

Sentences are drawn by the hash of their text, so that a draw is the same on every machine and a
larger one contains the smaller. No sentence of a development or evaluation set is drawn.

    python tools/distil_data.py --data ../shared/data --encoder FILE

writes into an encoder's file what it was trained on, which needs no teacher.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.models import container
from otherwords.models.seen import Seen, filter_of
from treebank import read_treebank

__all__ = [
    *("LEFT_OUT", "TEACHER_SAW", "Pair", "folded"),
    *("pairs", "seen_pairs", "set_aside", "singles"),
]

LONGEST = 320  # characters
# Kinds of data that the makers of all-MiniLM-L6-v2 name, each with words in the names of sets that
# are of it or take sentences from it. Its texts are not here, so a set can be known by name alone.
TEACHER_SAW = {
    "SNLI": ["snli", "allnli", "nli"],
    "MultiNLI": ["mnli", "multinli"],
    "QQP": ["qqp", "quora", "paws"],
    "image captions": [
        *("captions", "coco", "mscoco", "flickr", "flickr30k", "multi30k", "sick"),
        *("sts", "stsb", "stsbenchmark"),
    ],
    "simple Wikipedia": ["simplewiki", "wikilarge", "wikismall", "turkcorpus", "turk", "asset"],
    "sentence compression": ["compression", "altlex"],
    "Stack Exchange": ["stackexchange", "stackoverflow", "askubuntu"],
    "WikiAnswers": ["wikianswers", "paralex"],
    "Yahoo Answers": ["yahoo", "yahooanswers"],
    "MS MARCO": ["marco", "msmarco"],
    "Reddit comments": ["reddit"],
    "WikiHow": ["wikihow"],
}
LEFT_OUT = (  # sets that vectors are judged on
    "similarity/stsb-en-dev",
    "mt/wmt15-daseg",
    "mt/wmt13-esen-da",
    "mt/mlqe-eten",
    "mt/mqm21-zhen",
    "paraphrase/parabank",
    "paraphrase/twitter-para-dev",
    "paraphrase/shakespeare-dev",
    "paraphrase/msrp",
    "contrast/demetr-dev",
)
SINGLES = {  # bitexts, by the start of their names: how many English sentences are drawn
    "multi30k": 14_000,
    "tatoeba": 30_000,
    "europarl": 5_000,
    "newscommentary": 5_000,
    "docs": 2_000,
    "k8s": 1_000,
    "mdn": 1_000,
}
TREEBANK = 12_000
PAIRS = {"stsb": 6_000, "twitter": 9_000, "paws": 4_000, "bible": 3_500, "translations": 4_500}


@dataclass(frozen=True)
class Pair:
    """Two texts and, where judges said it, how much they mean the same (0 to 1)."""

    kind: str
    one: str
    other: str
    human: float | None


def pairs(data: Path) -> list[Pair]:
    """Pairs of similar sentences, set by set."""
    out = set_aside(data)
    sets = {
        "stsb": _rated(data / "similarity/stsb-en-train.jsonl.gz", "stsb", "adequacy", 5.0),
        "twitter": _rated(data / "paraphrase/twitter-url.jsonl.gz", "twitter", "paraphrase", 1.0),
        "paws": _rated(data / "contrast/paws-qqp-train.jsonl.gz", "paws", "paraphrase", 1.0),
        "bible": _verses(data / "multi/bible-en-multi.jsonl.gz"),
        "translations": _translations(data / "mt/wmt13-fren-rr.jsonl.gz"),
    }
    drawn: list[Pair] = []
    for kind, some in sets.items():
        found = {
            f"{pair.one}\t{pair.other}": pair
            for pair in some
            if _fits(pair.one, out) and _fits(pair.other, out)
        }
        drawn += [found[key] for key in _draw(found, PAIRS[kind])]
    return drawn


def singles(data: Path) -> list[str]:
    """Single sentences, set by set, each once."""
    out = set_aside(data)
    sets: list[tuple[set[str], int]] = []
    for name, number in SINGLES.items():
        texts: set[str] = set()
        for path in sorted((data / "bitext").glob(f"{name}*.tsv.gz")):
            with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
                texts.update(row.split("\t", 1)[0] for row in file)
        sets.append((texts, number))
    tagged = read_treebank(data / "tagged" / "train.conll.gz")
    sets.append(({" ".join(sentence.forms) for sentence in tagged}, TREEBANK))
    drawn = (
        text
        for texts, number in sets
        for text in _draw((text for text in texts if _fits(text, out)), number)
    )
    return list(dict.fromkeys(drawn))


def set_aside(data: Path) -> set[str]:
    """All texts of the sets that vectors are judged on, folded."""
    return {
        folded(text)
        for name in LEFT_OUT
        for row in _rows(data / f"{name}.jsonl.gz")
        for value in row.values()
        for text in (value if isinstance(value, list) else [value])
        if isinstance(text, str)
    }


def _rated(path: Path, kind: str, score: str, most: float) -> Iterator[Pair]:
    for row in _rows(path):
        if "graded" not in row["id"]:  # the graded part of twitter-url is for evaluation
            human = row["human"][score] / most
            yield Pair(kind, row["source"], row["hypothesis"], human)


def _verses(path: Path) -> Iterator[Pair]:
    for row in _rows(path):
        texts = [" ".join(text.split()) for _, text in sorted(row["texts"].items())]
        if len(texts) > 1:
            one, other = _draw(texts, 2) if len(set(texts)) > 1 else (texts[0], texts[0])
            yield Pair("bible", one, other, None)


def _translations(path: Path) -> Iterator[Pair]:
    for row in _rows(path):
        yield Pair("translations", row["reference"], row["better"], None)
        yield Pair("translations", row["reference"], row["worse"], None)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield json.loads(line)


def _draw(texts: Iterable[str], number: int) -> list[str]:
    return sorted(set(texts), key=lambda text: hashlib.blake2b(text.encode()).digest())[:number]


def _fits(text: str, out: set[str]) -> bool:
    return 2 < len(text) <= LONGEST and folded(text) not in out


def folded(text: str) -> str:
    """Letters and digits in lower case: what makes two texts the same."""
    return "".join(c for c in text.lower() if c.isalnum())


def seen_pairs(some: Iterable[Pair]) -> Seen:
    """The filter of the pairs whose similarity was learnt."""
    return filter_of((pair.one, pair.other) for pair in some)


def main() -> None:
    """Write into an encoder's file what it and its teacher were trained on."""
    arguments = argparse.ArgumentParser(description="What an encoder was trained on.")
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--encoder", type=Path, required=True)
    given = arguments.parse_args()
    model = container.read(given.encoder, "encoder")
    arrays = {name: array.copy() for name, array in model.arrays.items() if "seen/" not in name}
    arrays |= seen_pairs(pairs(given.data)).arrays
    provenance = {**model.provenance, "teacher saw": TEACHER_SAW}
    container.write(given.encoder, model.kind, arrays, provenance)


if __name__ == "__main__":
    main()
