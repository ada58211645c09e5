"""The judged sets of ../shared/data that benchmarks read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from otherwords.corpus.inputs import read_pairs, read_rows
from otherwords.corpus.rows import Pair, Row
from otherwords.study.agreement.human_scores import read_system_scores

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def rows(name: str) -> list[Row]:
    """All rows of a set such as `mt/wmt15-daseg`."""
    return list(read_rows(_there(f"{name}.jsonl.gz")))


def pairs(name: str) -> list[Pair]:
    """All better/worse pairs of a set such as `mt/wmt13-fren-rr`."""
    return list(read_pairs(_there(f"{name}.jsonl.gz")))


def system_scores(name: str) -> dict[str, float]:
    """Human scores of systems, as in `mt/sys-wmt21-deen-human`."""
    return read_system_scores(_there(f"{name}.json"))


def _there(name: str) -> str:
    path = DATA / name
    if not path.exists():
        sys.exit(f"{path} is not here: benchmarks need the data folder (CONTRIBUTING.md)")
    return str(path)


def tagged(name: str) -> Iterator[list[tuple[str, str, str]]]:
    """Sentences of (form, lemma, tag) of `tagged/<name>`."""
    import gzip

    with gzip.open(DATA / "tagged" / f"{name}.conll.gz", "rt", encoding="utf-8") as file:
        sentence: list[tuple[str, str, str]] = []
        for line in file:
            if line.strip():
                form, lemma, tag, *_ = line.rstrip("\n").split("\t")
                sentence.append((form, lemma, tag))
            elif sentence:
                yield sentence
                sentence = []
        if sentence:
            yield sentence
