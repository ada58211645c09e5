"""Pairs of equivalent sentences of which one is shorter, to tune and test compression on.

PARADIGM (section 6) takes pairs of translations of the same text whose lengths have a ratio of
.67 to .75.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from otherwords.corpus.inputs import read_records
from otherwords.errors import InputError

__all__ = ["HIGH", "LOW", "Part", "compression_pairs", "compression_records"]

LOW, HIGH = 0.67, 0.75
Part = Literal["tune", "test", "all"]


def compression_pairs(
    groups: Iterable[Sequence[str]], low: float = LOW, high: float = HIGH
) -> Iterator[tuple[int, str, str]]:
    """Pairs whose numbers of characters have such a ratio: group, long sentence, short sentence.

    Every sentence of a group is the long one of at most one pair, that whose ratio is nearest the
    middle.

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
) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The pairs of files as numbered records: `source` is the long sentence, `references` the short
    one, which is also the `hypothesis` of the system `reference`.

    A record of a file has `texts` by name (translations of the same text), or a `source` and a
    `hypothesis`; those with a human `paraphrase` score of 0 are left out. Groups that share a
    sentence are one `item`; the hash of its name puts it into the part to tune or to test on.
    """
    places: list[tuple[str, int, str]] = []
    groups: list[list[str]] = []
    for path in inputs:
        for number, record in read_records(path):
            texts = _texts(record, path, number)
            if len(texts) > 1:
                places.append((path, number, str(record.get("id") or record.get("item") or number)))
                groups.append(texts)
    items = _joined(groups)
    pairs: dict[int, int] = {}
    for group, long, short in compression_pairs(groups, low, high):
        path, number, name = places[group]
        item = places[items[group]][2]
        if part in ("all", part_of(item)):
            count = pairs[group] = pairs.get(group, 0) + 1
            yield path, number, {
                "id": f"{name}#{count}",
                "item": item,
                "system": "reference",
                "source": long,
                "hypothesis": short,
                "references": [short],
            }  # fmt: skip


def part_of(item: str) -> Part:
    """The part that a group belongs to, by a hash of its name.

    >>> part_of("GEN 1:1"), part_of("GEN 1:2")
    ('tune', 'test')
    """
    digest = hashlib.blake2b(item.encode("utf-8"), digest_size=8).digest()
    return "test" if digest[0] % 2 else "tune"


def _texts(record: dict[str, Any], path: str, number: int) -> list[str]:
    """The sentences of a record that say the same."""
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


def _joined(groups: Sequence[Sequence[str]]) -> list[int]:
    """For each group the first of those that it shares sentences with, directly or not."""
    first = list(range(len(groups)))

    def root(group: int) -> int:
        while first[group] != group:
            first[group] = first[first[group]]
            group = first[group]
        return group

    owner: dict[str, int] = {}
    for number, group in enumerate(groups):
        for text in group:
            one, other = sorted((root(owner.setdefault(text, number)), root(number)))
            first[other] = one
    return [root(number) for number in range(len(groups))]
