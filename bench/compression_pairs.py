"""Pairs of a long and a short sentence of the same meaning, for compression (PARADIGM §6).

    python -m bench.compression_pairs tune|test|all FILE... > pairs.jsonl

A file has rows with named `texts` (versions of one text), or with a `source` and a `hypothesis`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from otherwords.corpus.inputs import read_records
from otherwords.errors import InputError

LOW, HIGH = 0.67, 0.75
Part = Literal["tune", "test", "all"]


def compression_pairs(
    groups: Iterable[Sequence[str]], low: float = LOW, high: float = HIGH
) -> Iterator[tuple[int, str, str]]:
    """Pairs with a length ratio (in characters) from `low` to `high`: group, long, short.

    Every sentence of a group is the long one of at most one pair: the pair whose ratio is nearest
    the middle.

    >>> list(compression_pairs([["a b c d e f g", "a b c d e", "a b"]]))
    [(0, 'a b c d e f g', 'a b c d e')]
    """
    middle = (low + high) / 2
    for number, group in enumerate(groups):
        for long in dict.fromkeys(group):
            fitting = [
                (abs(len(short) / len(long) - middle), short)
                for short in dict.fromkeys(group)
                if long and low <= len(short) / len(long) <= high
            ]
            if fitting:
                yield number, long, min(fitting)[1]


def compression_records(
    inputs: Sequence[str], part: Part = "all", low: float = LOW, high: float = HIGH
) -> Iterator[dict[str, Any]]:
    """Compression pairs as rows: `source` is the long sentence, `references` the short
    one, which is also the `hypothesis` of the system `reference`.

    An input record has `texts` by name (translations of the same text), or a `source` and a
    `hypothesis`; those with a human `paraphrase` score of 0 are left out. Groups that share a
    sentence form one `item`; a hash of its name decides whether it is for tuning or testing.
    """
    names: list[str] = []
    groups: list[list[str]] = []
    for path in inputs:
        for number, record in read_records(path):
            texts = _texts(record, path, number)
            if len(texts) > 1:
                names.append(str(record.get("id") or record.get("item") or number))
                groups.append(texts)
    items = _join_groups(groups)
    pairs: dict[int, int] = {}
    for group, long, short in compression_pairs(groups, low, high):
        item = names[items[group]]
        if part in ("all", part_of(item)):
            count = pairs[group] = pairs.get(group, 0) + 1
            yield {
                "id": f"{names[group]}#{count}",
                "item": item,
                "system": "reference",
                "source": long,
                "hypothesis": short,
                "references": [short],
            }  # fmt: skip


def part_of(item: str) -> Part:
    """The part (`tune` or `test`) of a group, by a hash of its name.

    >>> part_of("GEN 1:1"), part_of("GEN 1:2")
    ('tune', 'test')
    """
    digest = hashlib.blake2b(item.encode("utf-8"), digest_size=8).digest()
    return "test" if digest[0] % 2 else "tune"


def _texts(record: dict[str, Any], path: str, number: int) -> list[str]:
    """The equivalent sentences of a record."""
    if "texts" in record:
        named = record["texts"]
        texts = list(named.values()) if isinstance(named, dict) else None
    else:
        human = record.get("human")
        if isinstance(human, dict) and human.get("paraphrase") == 0:
            return []
        texts = [record.get("source"), record.get("hypothesis")]
    if texts is None or not all(isinstance(text, str) for text in texts):
        message = "texts by name are needed, or a source and a hypothesis"
        raise InputError(message, path=path, line=number, code="E203")
    return texts


def _join_groups(groups: Sequence[Sequence[str]]) -> list[int]:
    """For each group, the first group that it shares sentences with, directly or indirectly."""
    first = list(range(len(groups)))

    def root(group: int) -> int:
        while first[group] != group:
            first[group] = first[first[group]]
            group = first[group]
        return group

    owner: dict[str, int] = {}
    for number, group in enumerate(groups):
        for text in group:
            earlier, later = sorted((root(owner.setdefault(text, number)), root(number)))
            first[later] = earlier
    return [root(number) for number in range(len(groups))]


if __name__ == "__main__":
    for row in compression_records(sys.argv[2:], sys.argv[1]):  # type: ignore[arg-type]
        print(json.dumps(row, ensure_ascii=False))
