"""Antonyms of a WordNet `dict/` folder, as pairs of single words.

`direct` are WordNet's own antonym pointers, and the adverbs of adjectives that are antonyms.
`indirect` are words near them: the other words of both synonym sets, and adjectives that are
similar to one of the two. Indirect pairs are kept only if both words occur in WordNet's
sense-tagged text (`cntlist.rev`); most of the others are words that nobody writes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

Pairs = set[tuple[str, str]]

_CLASSES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_ANTONYM, _SIMILAR, _DERIVED_FROM = "!", "&", "\\"


class Pointer(NamedTuple):
    """A relation of a synset; word numbers count from 1, 0 stands for all words."""

    symbol: str
    target: tuple[str, str]
    mine: int
    theirs: int


class Synset(NamedTuple):
    """The words of a synset, lower-cased, and its relations."""

    words: list[str]
    pointers: list[Pointer]

    def members(self, number: int) -> list[str]:
        """The word of that number, or all."""
        return self.words[number - 1 : number] if number else self.words


def opposites(folder: Path) -> tuple[Pairs, Pairs]:
    """Direct and indirect antonyms, each pair in alphabetical order."""
    synsets = dict(synsets_of(folder))
    direct: Pairs = set()
    indirect: Pairs = set()
    adverbs: dict[str, set[str]] = defaultdict(set)
    for synset in synsets.values():
        near = [w for p in synset.pointers if p.symbol == _SIMILAR for w in synsets[p.target].words]
        for pointer in synset.pointers:
            other = synsets[pointer.target]
            if pointer.symbol == _ANTONYM:
                theirs = other.members(pointer.theirs)
                direct |= _pairs(synset.members(pointer.mine), theirs)
                indirect |= _pairs(synset.words, other.words) | _pairs(near, theirs)
            elif pointer.symbol == _DERIVED_FROM and pointer.mine and pointer.theirs:
                adverbs[other.words[pointer.theirs - 1]].update(synset.members(pointer.mine))
    for a, b in sorted(direct):
        direct |= _pairs(adverbs[a], adverbs[b])
    used = _used(folder)
    return direct, {pair for pair in indirect - direct if used.issuperset(pair)}


def synsets_of(folder: Path) -> Iterator[tuple[tuple[str, str], Synset]]:
    """All synsets by class and offset."""
    for name, letter in _CLASSES.items():
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue  # the licence
            fields = line.split(" | ")[0].split(" ")
            end = 4 + 2 * int(fields[3], 16)
            words = [word.split("(")[0].lower() for word in fields[4:end:2]]
            pointers = [
                Pointer(symbol, (word_class, offset), int(ends[:2], 16), int(ends[2:], 16))
                for symbol, offset, word_class, ends in _fours(fields[end + 1 :], int(fields[end]))
            ]
            yield (letter, fields[0]), Synset(words, pointers)


def _fours(fields: list[str], count: int) -> Iterator[tuple[str, str, str, str]]:
    for start in range(0, 4 * count, 4):
        symbol, offset, word_class, ends = fields[start : start + 4]
        yield symbol, offset, "a" if word_class == "s" else word_class, ends


def _pairs(some: Iterable[str], others: Iterable[str]) -> Pairs:
    theirs = [word for word in others if "_" not in word]
    mine = [word for word in some if "_" not in word]
    return {(min(a, b), max(a, b)) for a in mine for b in theirs if a != b}


def _used(folder: Path) -> set[str]:
    path = folder / "cntlist.rev"
    if not path.is_file():
        return set()
    return {line.split("%")[0] for line in path.read_text(encoding="utf-8").splitlines()}
