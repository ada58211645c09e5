"""Which language a text is written in, by its character n-grams (Cavnar & Trenkle 1994).

A naive Bayes classifier: each n-gram of one to four letters adds its weight for each language, and
the largest sum wins. N-grams are hashed into buckets and weights are whole numbers, so the answer
is the same on every machine. `tools/train_identifier.py` writes the weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from otherwords.models.container import Model, load_once

KIND = "language"
LONGEST = 4  # letters of an n-gram
BITS = 15  # in the number of a bucket
UNIT = 16  # steps of a weight per unit of the natural logarithm
CERTAIN = 20  # such steps that decide against a language; 0.2 % of English lines reach them
MOST_CHARACTERS = 1000  # read of a text; more would not change the answer
AT_ONCE = 4096  # texts, to bound memory
_EMPTY = 3  # n-grams of two spaces, a text without letters
_NO_LETTERS = re.compile(r"[\W\d_]+")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio (Knuth's hash)


def hash_ngrams(text: str) -> NDArray[np.int64]:
    """The bucket of each n-gram of letters in lower case; a space marks the ends of words.

    >>> len(hash_ngrams("3 km")) - len(hash_ngrams("km"))
    0
    """
    letters = f" {_NO_LETTERS.sub(' ', text[:MOST_CHARACTERS].lower()).strip()} "
    codes = np.frombuffer(letters.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    hashes, buckets = np.zeros(len(codes) + 1, np.uint64), []
    with np.errstate(over="ignore"):
        for length in range(1, LONGEST + 1):
            end = len(codes) - length + 1
            if end <= 0:
                break
            hashes = (hashes[:end] + codes[length - 1 :]) * _FACTOR
            buckets.append(hashes >> np.uint64(64 - BITS))
    return np.concatenate(buckets).astype(np.int64)


@dataclass(frozen=True)
class Identifier:
    """Weights of hashed n-grams: one row per bucket, one column per language."""

    languages: tuple[str, ...]
    weights: NDArray[np.int8]

    @classmethod
    def load(cls, name_or_path: str | Path = KIND) -> Self:
        """Open a file by its path, or the embedded model; opened once per process."""
        return load_once(KIND, name_or_path, cls._of)

    @classmethod
    def _of(cls, model: Model) -> Self:
        languages = tuple(map(str, model.provenance["languages"]))
        weights = model.arrays["weights"]
        if weights.shape != (1 << BITS, len(languages)) or weights.dtype != np.int8:
            raise ValueError("its weights do not fit its languages")
        return cls(languages, weights)

    def identify(self, texts: Sequence[str]) -> list[str]:
        """The code of each text's language, "" for a text without letters.

        >>> Identifier.load().identify(["Das ist ein Haus.", "This is a house.", "42"])
        ['de', 'en', '']
        """
        return [
            self.languages[best] if letters else ""
            for sums, has_letters in self._sums(texts)
            for best, letters in zip(sums.argmax(axis=1), has_letters, strict=True)
        ]

    def is_other(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each text is certainly in another language than English.

        Words with a capital letter are not read: names have no language.

        >>> Identifier.load().is_other(["Wir sehen uns morgen.", "See you tomorrow.", "Anna Berg"])
        array([ True, False, False])
        """
        return self._margins(texts) > CERTAIN * UNIT

    def is_english(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each text is certainly English, read in the same way.

        >>> Identifier.load().is_english(["Wir sehen uns morgen.", "See you tomorrow at the bar."])
        array([False,  True])
        """
        return self._margins(texts) < -CERTAIN * UNIT

    def _margins(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """How far the best other language is ahead of English."""
        place = self.languages.index("en")
        read = [" ".join(w for w in text.split() if not w[0].isupper()) for text in texts]
        parts = [
            np.delete(sums, place, axis=1).max(axis=1) - sums[:, place]
            for sums, _ in self._sums(read)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def _sums(self, texts: Sequence[str]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
        """By batch: the sums of weights by language, and whether each text has letters."""
        for begin in range(0, len(texts), AT_ONCE):
            ngrams = [hash_ngrams(text) for text in texts[begin : begin + AT_ONCE]]
            sizes = np.array([len(buckets) for buckets in ngrams])
            starts = np.cumsum(sizes) - sizes
            weights = self.weights[np.concatenate(ngrams)]
            yield np.add.reduceat(weights, starts, dtype=np.int64), sizes > _EMPTY
