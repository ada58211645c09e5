"""How alike two words are: WordNet, pivots, spelling and vectors, for many pairs at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders import StaticEncoder
from otherwords.metrics.facts.words import QUANTITIES, are_opposed, category
from otherwords.phrases.paraphrase_model import KIND, open_model
from otherwords.text.lexicon import Lexicon
from otherwords.text.vectors import Vectors

__all__ = ["Evidence", "Likeness", "edits"]

Likeness = Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]]

# What makes two words alike, weakest first.
NONE, VECTOR, FORM, PIVOT, SYNONYM, SPELLING, OPPOSITE = range(7)

_SYNONYM = 0.8
_FORM = 0.6
_SPELLING = 0.75
_OPPOSITE = 0.65
_LEAST_COSINE = 0.42
_LEAST_PIVOT = 0.01


class Found(NamedTuple):
    """Similarity 0 to 1 and kind of evidence for each pair."""

    similarity: NDArray[np.float32]
    kinds: NDArray[np.uint8]


class Evidence:
    """Sources of evidence. `likeness` gives the cosines of pairs of words; the embedded vectors
    of stems unless another encoder is given.
    """

    def __init__(self, lexicon: Lexicon, likeness: Likeness | None = None) -> None:
        self.lexicon = lexicon
        self.vectors = Vectors.load()
        self.encoder = StaticEncoder.load()
        self.model = open_model(KIND)
        self._pivots = [table.native for _, table in sorted(self.model.pivots.items())]
        self._likeness = likeness
        self._known: dict[str, bool] = {}

    def of(self, left: Sequence[Word], right: Sequence[Word]) -> Found:
        """The evidence that left[k] and right[k] mean the same, or the opposite."""
        size = len(left)
        similarity, kinds = np.zeros(size, np.float32), np.zeros(size, np.uint8)
        if not size:
            return Found(similarity, kinds)

        def take(values: NDArray[np.float32], kind: int, where: NDArray[np.bool_]) -> None:
            better = where & (values > similarity)
            similarity[better] = values[better]
            kinds[better] = kind

        stems = [w.stem for w in left], [w.stem for w in right]
        lemmas = [w.lemma for w in left], [w.lemma for w in right]
        names, places = np.unique(np.array([*stems[0], *stems[1]]), return_inverse=True)
        cosine = self._cosine(names.tolist(), places[:size], places[size:], lemmas)
        take(np.float32(0.9) * cosine, VECTOR, cosine >= _LEAST_COSINE)
        form = np.array([_same_root(*pair) for pair in zip(*lemmas, strict=True)], np.float32)
        take(form * _FORM, FORM, form > 0)
        pivot = self._pivot(names.tolist(), places[:size], places[size:])
        take(np.float32(0.5) + np.float32(0.5) * np.sqrt(pivot), PIVOT, pivot >= _LEAST_PIVOT)
        synonym = self._synonyms(lemmas)
        take(np.full(size, _SYNONYM, np.float32), SYNONYM, synonym)
        spelling = np.array([self.is_misspelt(*pair) for pair in zip(left, right, strict=True)])
        take(np.full(size, _SPELLING, np.float32), SPELLING, spelling)
        opposed = self._opposed(lemmas)
        weak = (opposed == 1) & ((kinds == SYNONYM) | (similarity > 0.6))
        opposite = (opposed > 0) & ~weak & ~((kinds == SYNONYM) & (opposed < 3))
        similarity[opposite], kinds[opposite] = _OPPOSITE, OPPOSITE
        return Found(similarity, kinds)

    def _cosine(
        self,
        names: list[str],
        lefts: NDArray[np.int64],
        rights: NDArray[np.int64],
        lemmas: tuple[list[str], list[str]],
    ) -> NDArray[np.float32]:
        if self._likeness is not None:
            return self._likeness(*lemmas)
        rows = self.vectors.lookup(names)
        known = self.vectors.knows(names)
        cosine: NDArray[np.float32] = np.einsum("ij,ij->i", rows[lefts], rows[rights])
        return np.where(known[lefts] & known[rights], cosine, 0).astype(np.float32)

    def _pivot(
        self, names: list[str], lefts: NDArray[np.int64], rights: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Geometric mean of p(b|a) and p(a|b), averaged over the pivot languages."""
        a, b = lefts.astype(np.uint32), rights.astype(np.uint32)
        total = np.zeros(len(a), np.float64)
        for table in self._pivots:
            there = table.paraphrase_probabilities(names, names, a, b)
            back = table.paraphrase_probabilities(names, names, b, a)
            total += np.sqrt(there * back)
        return (total / max(len(self._pivots), 1)).astype(np.float32)

    def _synonyms(self, lemmas: tuple[list[str], list[str]]) -> NDArray[np.bool_]:
        names, places = np.unique(np.array([*lemmas[0], *lemmas[1]]), return_inverse=True)
        words, half = names.tolist(), len(lemmas[0])
        a, b = places[:half].astype(np.uint32), places[half:].astype(np.uint32)
        return self.lexicon.native.synonym_mask(words, words, a, b).astype(bool)

    def _opposed(self, lemmas: tuple[list[str], list[str]]) -> NDArray[np.uint8]:
        """3 by our own list, negated forms and exclusive categories; 2 and 1 by WordNet."""
        pairs = list(zip(*lemmas, strict=True))
        found = self.lexicon.antonymy(pairs)
        for k, (a, b) in enumerate(pairs):
            if a in QUANTITIES or b in QUANTITIES:
                found[k] = 0  # they have a scale of their own
            if are_opposed(a, b) or _is_negated_form(a, b) or _exclude(a, b):
                found[k] = 3
        return found

    def relatedness(self, word: str, words: Sequence[str]) -> float:
        """The highest cosine of the word with one of the others."""
        if not words:
            return 0.0
        others = np.arange(1, len(words) + 1)
        found = self.encoder.cosines([word, *words], np.zeros(len(words), np.int64), others)
        return float(found.max())

    def is_misspelt(self, a: Word, b: Word) -> bool:
        """Whether one is a form that nothing knows, close in spelling to a known one."""
        if a.word[:1] == "#" or b.word[:1] == "#" or min(len(a.word), len(b.word)) < 3:
            return False
        if abs(len(a.word) - len(b.word)) > 2 or a.is_name != b.is_name:
            return False
        longest = max(len(a.word), len(b.word))
        limit = 1 if longest < 6 else 2
        if len(set(a.word) & set(b.word)) < min(len(set(a.word)), len(set(b.word))) - limit:
            return False
        if self.knows(a) == self.knows(b):
            return False
        return edits(a.word, b.word, limit) <= limit

    def knows(self, word: Word) -> bool:
        """Whether lexicon, vectors or pivots have the form."""
        found = self._known.get(word.word)
        if found is None:
            found = self._looks_known(word)
            if len(self._known) > 100_000:
                self._known.clear()
            self._known[word.word] = found
        return found

    def _looks_known(self, word: Word) -> bool:
        if word.lemma in self.lexicon or word.word in self.lexicon:
            return True
        return any(table.count(word.stem) >= 3 for table in self._pivots)


class Word(NamedTuple):
    """What evidence needs to know of a unit."""

    word: str
    lemma: str
    stem: str
    is_name: bool


def edits(a: str, b: str, limit: int) -> int:
    """Edit distance with transpositions (optimal string alignment), `limit` + 1 if it is more.

    >>> edits("bcak", "back", 2), edits("house", "mouse", 2), edits("abc", "xyz", 1)
    (1, 1, 2)
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        here = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, here[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            here.append(cost)
        if min(here) > limit:
            return limit + 1
        before, row = row, here
    return min(row[-1], limit + 1)


_NEGATING = ("un", "in", "im", "ir", "il", "dis", "non", "mis")


def _is_negated_form(a: str, b: str) -> bool:
    """Whether one is the other with a negating prefix, or -less against -ful."""
    short, long = sorted((a, b), key=len)
    if len(short) < 4:
        return False
    for prefix in _NEGATING:
        if long.startswith(prefix) and long[len(prefix) :].lstrip("-") == short:
            return True
    if long.endswith("less") and short.endswith("ful"):
        return long[:-4] == short[:-3]
    return long.endswith("ful") and short.endswith("less") and long[:-3] == short[:-4]


def _exclude(a: str, b: str) -> bool:
    mine, theirs = category(a), category(b)
    return mine is not None and theirs is not None and mine[0] == theirs[0] and mine != theirs


def _same_root(a: str, b: str) -> float:
    """1 where the words share a long beginning (decide, decision; Italy, Italian)."""
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    return float(shared >= 4 and shared >= 0.6 * max(len(a), len(b)) - 1 and a[:1] != "#")
