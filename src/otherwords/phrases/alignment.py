"""The links inside a phrase pair: as bits, as text, and in the order that breaks ties."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from otherwords.phrases.aligned import LONGEST

__all__ = ["links_text", "order_key"]


@lru_cache(1 << 18)
def links_text(links: int) -> str:
    """The links as Moses prints them, by target word, then by source word.

    >>> links_text(0b11 | 1 << 7)
    '0-0 1-0 0-1'
    """
    bits = (bit for bit in range(links.bit_length()) if links >> bit & 1)
    return " ".join(f"{bit % LONGEST}-{bit // LONGEST}" for bit in bits)


@lru_cache(1 << 18)
def order_key(links: int) -> int:
    """A number that sorts alignments as Moses does, which of equally frequent ones takes the last.

    Moses compares, target word by target word, the sorted source words it is linked to.

    >>> order_key(0b11) < order_key(0b10), order_key(0b01 << 7) < order_key(0b01)
    (True, True)
    """
    width = len(_places())
    key = 0
    for word in range(LONGEST):
        key = key * width + _places()[links >> word * LONGEST & width - 1]
    return key


@cache
def _places() -> dict[int, int]:
    """The place of each set of source words, as bits, among all sets in their sorted order."""
    return {links: place for place, links in enumerate(_sets(0, 0))}


def _sets(prefix: int, first: int) -> Iterator[int]:
    yield prefix
    for word in range(first, LONGEST):
        yield from _sets(prefix | 1 << word, word + 1)
