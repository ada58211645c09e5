"""How alike two words are: WordNet, pivots, spelling and vectors, for many pairs at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders import StaticEncoder
from otherwords.metrics.facts.poles import are_poles, share_pole
from otherwords.metrics.facts.words import NATIONS, QUANTITIES, category
from otherwords.phrases.paraphrase_model import KIND, open_model
from otherwords.text.lexicon import Lexicon
from otherwords.text.vectors import Vectors

__all__ = ["Evidence", "are_same_name", "edits", "shared_start"]

# What makes two words alike, weakest first.
NONE, VECTOR, FORM, PIVOT, SYNONYM, SPELLING, OPPOSITE = range(7)

_SYNONYM = 0.8
_FORM = 0.6
_SPELLING = 0.75
_OPPOSITE = 0.65
_POLE = 0.7
_NAME_PIVOT = 0.1
_LEAST_COSINE = 0.42
_LEAST_PIVOT = 0.01


class Found(NamedTuple):
    """Similarity 0 to 1 and kind of evidence for each pair."""

    similarity: NDArray[np.float32]
    kinds: NDArray[np.uint8]


class Evidence:
    """Sources of evidence."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.vectors = Vectors.load()
        self.encoder = StaticEncoder.load()
        self.model = open_model(KIND)
        self._pivots = [table.native for _, table in sorted(self.model.pivots.items())]
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
        cosine = self._cosine(names.tolist(), places[:size], places[size:], left, right)
        take(np.float32(0.9) * cosine, VECTOR, cosine >= _LEAST_COSINE)
        form = np.array([_same_root(*pair) for pair in zip(*lemmas, strict=True)], np.float32)
        take(form * _FORM, FORM, form > 0)
        pivot = self._pivot(names.tolist(), places[:size], places[size:])
        take(np.float32(0.5) + np.float32(0.5) * np.sqrt(pivot), PIVOT, pivot >= _LEAST_PIVOT)
        synonym = self._synonyms(lemmas)
        take(np.full(size, _SYNONYM, np.float32), SYNONYM, synonym)
        pole = np.array([share_pole(*pair) for pair in zip(*lemmas, strict=True)])
        take(np.full(size, _POLE, np.float32), SYNONYM, pole)
        other = np.array([_other_names(*pair) for pair in zip(left, right, strict=True)])
        other &= (kinds != SYNONYM) & (pivot < _NAME_PIVOT)
        similarity[other], kinds[other] = 0.0, NONE
        spelling = np.array([self.is_misspelt(*pair) for pair in zip(left, right, strict=True)])
        take(np.full(size, _SPELLING, np.float32), SPELLING, spelling)
        opposed = self._opposed(lemmas, [w.word for w in left], [w.word for w in right])
        weak = (opposed == 1) & ((kinds == SYNONYM) | (similarity > 0.6))
        opposite = (opposed > 0) & ~weak & ~((kinds == SYNONYM) & (opposed < 3))
        similarity[opposite], kinds[opposite] = _OPPOSITE, OPPOSITE
        return Found(similarity, kinds)

    def _cosine(
        self,
        names: list[str],
        lefts: NDArray[np.int64],
        rights: NDArray[np.int64],
        left: Sequence[Word],
        right: Sequence[Word],
    ) -> NDArray[np.float32]:
        """The higher of the cosines of stems and of forms."""
        rows = self.vectors.lookup(names)
        known = self.vectors.knows(names)
        cosine: NDArray[np.float32] = np.einsum("ij,ij->i", rows[lefts], rows[rights])
        stems = np.where(known[lefts] & known[rights], cosine, 0)
        forms, places = np.unique(np.array([w.word for w in (*left, *right)]), return_inverse=True)
        ids = places.astype(np.int64)
        half = len(left)
        alike = self.encoder.cosines(forms.tolist(), ids[:half], ids[half:])
        return np.maximum(stems, alike).astype(np.float32)

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

    def _opposed(
        self, lemmas: tuple[list[str], list[str]], left: list[str], right: list[str]
    ) -> NDArray[np.uint8]:
        """3 by our own list, negated forms and exclusive categories; 2 and 1 by WordNet."""
        pairs = list(zip(*lemmas, strict=True))
        found = self.lexicon.antonymy(pairs)
        for k, (a, b) in enumerate(pairs):
            if a in QUANTITIES or b in QUANTITIES:
                found[k] = 0  # they have a scale of their own
            if are_poles(a, b) or _is_negated_form(a, b) or _exclude(a, b):
                found[k] = 3
            elif are_poles(left[k], b) or are_poles(a, right[k]) or are_poles(left[k], right[k]):
                found[k] = 3  # participles: crowded, deserted
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
        if abs(len(a.word) - len(b.word)) > 2 or a.is_name != b.is_name or _other_names(a, b):
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


def folded(name: str) -> str:
    """The letters of a name in lower case, without accents."""
    split = name if name.isascii() else unicodedata.normalize("NFKD", name)
    return "".join(c for c in split.lower() if c.isalnum())


def are_same_name(a: str, b: str) -> bool:
    """Whether two words in lower case can be spellings or derivations of one name.

    >>> are_same_name("italy", "italian"), are_same_name("yanukovich", "yanukovych")
    (True, True)
    >>> are_same_name("austria", "australia"), are_same_name("slovakia", "slovenia")
    (False, False)
    """
    a, b = folded(a), folded(b)
    if a == b or frozenset((a, b)) in NATIONS:
        return True
    shared = shared_start(a, b)
    if shared >= 4 and max(len(a), len(b)) - shared <= 3:
        return True
    longest = max(len(a), len(b))
    limit = 0 if longest < 5 else 1 if longest < 8 else 2
    if shared == 0 or min(len(a), len(b)) + 1 < longest:
        limit = min(limit, 1)
    return shared > 0 and edits(a, b, limit) <= limit


def _other_names(a: Word, b: Word) -> bool:
    return a.is_name and b.is_name and not are_same_name(a.word.lower(), b.word.lower())


def shared_start(x: str, y: str) -> int:
    """How many letters the words have in common at their beginning."""
    shared = 0
    for p, q in zip(x, y, strict=False):
        if p != q:
            break
        shared += 1
    return shared


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
    shared = shared_start(a, b)
    if frozenset((a, b)) in NATIONS:
        return 1.0
    return float(shared >= 4 and shared >= 0.6 * max(len(a), len(b)) - 1 and a[:1] != "#")
