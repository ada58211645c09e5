"""The judged sets of ../shared/data that benchmarks read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.rows import Row

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def rows(name: str) -> list[Row]:
    """All rows of a set such as `mt/wmt15-daseg`."""
    path = DATA / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is not here: benchmarks need the data folder beside the repository")
    return list(read_jsonl(str(path)))


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
