"""The packed table of paraphrases: phrase -> paraphrases with p(paraphrase|phrase).

ParaEval (§3) looks phrases up in it. It is packed from pairs of any origin; the native side
(native/core/models/paraphrase_table.hpp) reads it from a mapped file. It stores hashes of phrases,
never their text. `docs/models.md` describes its layout.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.io.files import STDIN, starts_with
from otherwords.models import container
from otherwords.models.arrays import bucket_bounds, check_bounds, check_index, check_range
from otherwords.models.container import MAGIC, Model
from otherwords.models.paraphrase_files import PairFile
from otherwords.models.pivot_packing import Packed, code_probabilities

KIND = "paraphrase-table"
VERSION = 1  # of packing, in the provenance
LONGEST_PHRASE = 16  # words; mirrors native/core/models/paraphrase_table.hpp
_SLACK = 1e-6  # by how much a probability may exceed 1
_MOST = 2**32 - 1  # phrases, pairs


class ParaphraseTable:
    """Phrases and their paraphrases; p(b|a) keeps the direction of its source.

    Phrases are taken in lower case, with single spaces between their words. Look-ups never
    write: any number of threads may share a table.

    >>> packed = pack(["a car", "an auto"], ["an auto", "a car"], [0.5, 1])
    >>> table = ParaphraseTable.of(packed)
    >>> table.probability("a car", "an auto"), table.probability("an auto", "A car")
    (0.5, 1.0)
    >>> len(table), table.pairs, table.longest
    (2, 2, 2)
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        arrays = model.arrays
        try:
            self.native = _native.ParaphraseTable(dict(arrays))
            check_index("keys", arrays["keys"], arrays["buckets"])
            check_bounds("targets", arrays["bounds"], len(arrays["targets"]))
            check_range("targets", arrays["targets"], len(arrays["keys"]))
            if len(arrays["keys"]) and arrays["longest"][0] == 0:
                raise ValueError("the longest phrase has no words")
        except ValueError as error:
            raise ModelError(f"{model.path}: {error}") from error

    @classmethod
    def of(cls, packed: Packed, name: str = "packed in memory") -> ParaphraseTable:
        """A table that is not in a file."""
        return cls(container.in_memory(name, KIND, packed.arrays, packed.provenance))

    @classmethod
    def load(cls, path: str | Path, form: str = "auto") -> ParaphraseTable:
        """Open a packed file or a text file of pairs.

        A text file (see `models.paraphrase_files`) is packed whenever it is opened; a file of
        `otherwords model pack` opens at once.
        """
        path = find_table(path)
        if starts_with(path, MAGIC):
            return cls(container.read(path, KIND))
        return cls.of(pack_file(PairFile(path, form)), str(path))

    @property
    def digest(self) -> str:
        return self.model.short_digest

    def __len__(self) -> int:
        """The number of phrases, on either side of a pair."""
        return len(self.native)

    @property
    def pairs(self) -> int:
        return self.native.pairs

    @property
    def longest(self) -> int:
        return self.native.longest

    def probability(self, a: str, b: str) -> float:
        """p(b|a), within 2.2 %; 0 if the pair is not in the table."""
        try:
            return self.native.probability(a, b)
        except UnicodeEncodeError as error:
            raise InputError("a lone surrogate in a phrase") from error


class Packer:
    """Collects batches of pairs, keeping only hashes and codes in memory."""

    def __init__(self) -> None:
        self.rows = 0
        self.skipped: Counter[str] = Counter()
        self._longest = 0
        self._phrases: list[NDArray[np.uint64]] = []
        self._paraphrases: list[NDArray[np.uint64]] = []
        self._codes: list[NDArray[np.uint8]] = []

    def add(
        self,
        phrases: Sequence[str],
        paraphrases: Sequence[str],
        probabilities: ArrayLike,
        *,
        path: str | Path | None = None,
        lines: Sequence[int] | None = None,
    ) -> None:
        """Add the pairs (a, b, p(b|a)); errors name `path` and the pair's line."""
        values = np.asarray(probabilities, dtype=np.float64)
        if not len(phrases) == len(paraphrases) == values.size or values.ndim != 1:
            raise InputError(
                f"{len(phrases)} phrases, {len(paraphrases)} paraphrases, "
                f"{values.size} probabilities"
            )
        a, words_a = _native.phrase_keys(list(phrases))
        b, words_b = _native.phrase_keys(list(paraphrases))

        def refuse(bad: NDArray[np.bool_], message: str) -> None:
            if bad.any():
                row = int(np.argmax(bad))
                where = "" if lines else f"row {self.rows + row + 1}: "
                message = where + message.format(values[row])
                raise InputError(message, path=path, line=lines[row] if lines else None)

        refuse((words_a == 0) | (words_b == 0), "a phrase is empty")
        refuse(~((values >= 0) & (values <= 1 + _SLACK)), "{:g} is not a probability, 0 to 1")
        words = np.maximum(words_a, words_b)
        long, same, never = words > LONGEST_PHRASE, a == b, values == 0
        self.rows += len(values)
        self.skipped["pairs_of_long_phrases"] += int(long.sum())
        self.skipped["pairs_of_equal_phrases"] += int((same & ~long).sum())
        self.skipped["pairs_of_probability_0"] += int((never & ~same & ~long).sum())
        valid = ~(long | same | never)
        self._longest = max(self._longest, int(words[valid].max(initial=0)))
        self._phrases.append(a[valid])
        self._paraphrases.append(b[valid])
        self._codes.append(code_probabilities(np.minimum(values[valid], 1.0)))

    def packed(self) -> Packed:
        """The arrays of all pairs, whatever order they were added in."""
        both = np.concatenate([*self._phrases, *self._paraphrases, np.empty(0, np.uint64)])
        codes = np.concatenate([*self._codes, np.empty(0, np.uint8)])
        keys, numbers = np.unique(both, return_inverse=True)
        if max(len(keys), len(codes)) > _MOST:
            raise InputError("more than four billion phrases or pairs")
        # As one number per pair, a single sort orders paraphrases within phrases.
        size = np.uint64(max(1, len(keys)))
        pairs = numbers[: len(codes)].astype(np.uint64) * size
        pairs += numbers[len(codes) :].astype(np.uint64)
        pairs, codes = _likeliest(pairs, codes)
        phrases = (pairs // size).astype(np.int64)
        degrees = np.bincount(phrases, minlength=len(keys))
        self.skipped["repeated_pairs"] = len(both) // 2 - len(pairs)
        provenance = {
            "phrases": len(keys),
            "pairs": len(pairs),
            "longest": self._longest,
            "rows": self.rows,
            "skipped": {reason: count for reason, count in self.skipped.items() if count},
        }
        arrays: dict[str, NDArray[Any]] = {
            "keys": keys,
            "buckets": bucket_bounds(keys),
            "bounds": np.r_[0, np.cumsum(degrees)].astype(np.uint32),
            "targets": (pairs % size).astype(np.uint32),
            "codes": codes,
            "longest": np.array([self._longest], dtype=np.uint32),
        }
        return Packed(arrays, provenance)


def _likeliest(
    pairs: NDArray[np.uint64], codes: NDArray[np.uint8]
) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """The sorted distinct pairs with their highest probability (lowest code)."""
    order = np.argsort(pairs)
    pairs, codes = pairs[order], codes[order]
    first = np.flatnonzero(np.r_[True, pairs[1:] != pairs[:-1]][: len(pairs)])
    if len(first):
        codes = np.minimum.reduceat(codes, first)
    return pairs[first], codes


def pack(
    phrases: Sequence[str], paraphrases: Sequence[str], probabilities: ArrayLike | None = None
) -> Packed:
    """Pack pairs of phrases with p(paraphrase|phrase), by default 1.

    >>> pack(["a car"], ["an  Auto"]).provenance["pairs"]
    1
    """
    packer = Packer()
    packer.add(
        phrases, paraphrases, np.ones(len(phrases)) if probabilities is None else probabilities
    )
    return packer.packed()


def pack_file(file: PairFile) -> Packed:
    """Pack a file of pairs; the provenance has its name, without the folder, and its format."""
    packer = Packer()
    for batch in file:
        packer.add(*batch[:3], path=file.path, lines=batch.lines)
    packer.skipped.update(file.skipped)
    packed = packer.packed()
    source = {"source": file.path.name, "format": file.form, "packing": VERSION}
    return Packed(packed.arrays, {**source, **packed.provenance})


def find_table(path: str | Path) -> Path:
    """The path of an existing table, or of standard input."""
    if str(path) != STDIN and not os.path.exists(path):
        raise InputError("there is no such file; a file of paraphrases is needed", path=path)
    return Path(path)
