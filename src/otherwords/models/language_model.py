"""The language model that is queried: n-grams packed into a reverse trie (docs/decisions/lm.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.io.files import STDIN, read_bytes
from otherwords.models.container import CHECKED_ON_OPENING, MAGIC, read, write
from otherwords.models.index import hash_words
from otherwords.text.tokenizer import check_tokenizer, tokenize

__all__ = ["KIND", "LanguageModel", "Scores"]

KIND = "language"
_MAX_THREADS = 1024
_LARGEST = 1e6  # logarithm, either way


@dataclass(frozen=True)
class Scores:
    """What a text scores, sentence by sentence."""

    log10: NDArray[np.float64]  # probability of the sentence and its end
    tokens: NDArray[np.uint32]  # without the end
    unknown: NDArray[np.uint32]  # tokens that the model does not know
    log10_unknown: NDArray[np.float64]  # their part of `log10`

    def perplexity(self, *, unknown: bool = True) -> float:
        """Perplexity over tokens and sentence ends, with or without unknown words.

        0 for no text at all.
        """
        total, count = self.log10.sum(), int(self.tokens.sum()) + len(self.tokens)
        if not unknown:
            total -= self.log10_unknown.sum()
            count -= int(self.unknown.sum())
        return float(10 ** min(-total / count, 300.0)) if count else 0.0


class LanguageModel:
    """An n-gram model with back-off, estimated here or read from a file.

    `tokenizer` and `case` describe how the training text was read; texts to score are read in the
    same way.
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        *,
        words: list[str] | None = None,
        tokenizer: str = "penn",
        case: bool = False,
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        _check_weights(arrays)
        self.native = _native.PackedLm(dict(arrays))
        self.arrays = arrays
        self.words = words  # in the order of their hashes; unknown if read from a packed file
        self.tokenizer = check_tokenizer(tokenizer)
        self.case = case
        self.provenance = dict(provenance or {})

    @classmethod
    def from_table(
        cls, table: _native.NgramTable, words: list[str], *, quantize: int = 0, **options: Any
    ) -> LanguageModel:
        """A model of n-grams whose words are in the order of their hashes."""
        arrays = table.pack(hash_words(words), quantize)
        return cls(arrays, words=words, **options)

    @classmethod
    def load(
        cls, path: str | Path, *, tokenizer: str | None = None, case: bool | None = None
    ) -> LanguageModel:
        """The model of an ARPA file (plain or gzip) or of our packed file, by its content.

        A packed file knows its tokenizer and case. An ARPA file does not: `penn` unless
        given, and case is kept if the text is tokenized already or the model has capitals.
        """
        if str(path) != STDIN and read_bytes(path, len(MAGIC)) == MAGIC:
            return cls._load_packed(Path(path), tokenizer, case)
        from otherwords.build.lm.arpa import read_arpa

        table, words = read_arpa(path)
        tokenizer = tokenizer or "penn"
        if case is None:
            case = tokenizer == "none" or any(word != _native.lower(word) for word in words)
        try:
            return cls.from_table(table, words, tokenizer=tokenizer, case=case)
        except ValueError as error:
            raise InputError(str(error), path=path) from error

    @classmethod
    def _load_packed(cls, path: Path, tokenizer: str | None, case: bool | None) -> LanguageModel:
        model = read(path, KIND)
        known = model.provenance
        try:
            return cls(
                model.arrays,
                tokenizer=tokenizer or known.get("tokenizer", "penn"),
                case=bool(known.get("case", False)) if case is None else case,
                provenance=known,
            )
        except (ValueError, TypeError, RuntimeError) as error:
            if isinstance(error, UsageError):
                raise
            raise ModelError(f"{path}: the language model is damaged: {error}") from error

    @property
    def sizes(self) -> list[int]:
        """The number of n-grams of each length; that of single words first."""
        return [int(size) for size in self.arrays["sizes"]]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.sizes)

    @property
    def nbytes(self) -> int:
        """The bytes of the packed arrays: the size of the file, but for its header."""
        return sum(array.nbytes for array in self.arrays.values())

    @cached_property
    def digest(self) -> str:
        """The hash of the model's numbers, the same in memory and in a packed file."""
        content = hashlib.sha256()
        for name in sorted(self.arrays):
            content.update(f"{name}:{self.arrays[name].dtype.str};".encode())
            content.update(np.ascontiguousarray(self.arrays[name]).data)
        return content.hexdigest()

    @property
    def signature(self) -> str:
        """What a score's signature says of the model."""
        case = "mixed" if self.case else "lc"
        return f"{self.order}-gram.{self.tokenizer}.{case}.{self.digest[:8]}"

    def score(
        self, sentences: Sequence[str] | Sequence[Sequence[str]], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """The log10 probability of each sentence, its end included.

        A sentence is a text, which is tokenized as the model was, or a list of tokens.
        """
        return self.scores(sentences, threads=threads).log10

    def unknowns(
        self, sentences: Sequence[str] | Sequence[Sequence[str]], *, threads: int = 1
    ) -> NDArray[np.uint32]:
        """The number of words in each sentence that the model does not know."""
        return self.scores(sentences, threads=threads).unknown

    def scores(
        self, sentences: Sequence[str] | Sequence[Sequence[str]], *, threads: int = 1
    ) -> Scores:
        """All that `score`, `unknowns` and perplexities come from."""
        threads = check_whole("threads", threads, 1, _MAX_THREADS)
        if isinstance(sentences, str):
            raise UsageError("give a list of sentences, not one string")
        try:
            if not len(sentences) or isinstance(sentences[0], str):
                texts = cast("list[str]", list(sentences))
                return Scores(*self.native.score_texts(texts, self.tokenizer, self.case, threads))
            bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
            tokens = [token for sentence in sentences for token in sentence]
            return Scores(*self.native.score_tokens(tokens, bounds, self.case, threads))
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(f"a sentence is not text or a list of tokens: {error}") from error

    def tokens(self, sentence: str | Sequence[str]) -> list[tuple[str, float, int]]:
        """Each token and the end: log10 probability and the length of the n-gram it comes from.

        An unknown word comes from an n-gram of length 0.
        """
        given = tokenize(sentence, self.tokenizer).tokens if isinstance(sentence, str) else sentence
        try:
            rows = self.native.score_each(list(given), self.case)
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(f"a token is not text: {error}") from error
        from otherwords.build.lm.arpa import RESERVED

        return [
            (word, log10, 0 if unknown else length)
            for word, (log10, length, unknown) in zip([*given, RESERVED[2]], rows, strict=True)
        ]

    def pruned(self, threshold: float) -> LanguageModel:
        """Without the n-grams whose loss raises perplexity by less than a factor 1 + threshold.

        Stolcke 1998, with the model's own probabilities of histories; `estimate` does better,
        because it has their counts.
        """
        threshold = check_number("prune_entropy", threshold, 0, 1)
        return self._with(
            self.native.unpack(contexts=True).pruned(threshold), 0, prune_entropy=threshold
        )

    def quantized(self, bits: int = 8) -> LanguageModel:
        """With probabilities and back-offs as codes of a few bits, a table for each order."""
        bits = check_whole("quantize", bits, 2, 8)
        return self._with(self.native.unpack(), bits, quantize=bits)

    def _with(self, table: _native.NgramTable, bits: int, **changes: float) -> LanguageModel:
        return LanguageModel.from_table(
            table,
            self._words(),
            quantize=bits,
            tokenizer=self.tokenizer,
            case=self.case,
            provenance={**self.provenance, **changes},
        )

    def save(self, path: str | Path) -> None:
        """Write the model: as ARPA if the name ends in `.arpa` or `.arpa.gz`, else packed."""
        if str(path).endswith((".arpa", ".arpa.gz")):
            from otherwords.build.lm.arpa import write_arpa

            write_arpa(path, self.native.unpack(), self._words())
            return
        provenance = {**self.provenance, "tokenizer": self.tokenizer, "case": self.case}
        write(path, KIND, self.arrays, provenance)

    def _words(self) -> list[str]:
        if self.words is None:
            raise UsageError(
                "a packed language model has hashes, not words: estimate it again, "
                "or start from an ARPA file"
            )
        return self.words


def _check_weights(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Refuse logarithms that are none; those of a large model are left to its checksums."""
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.nbytes > CHECKED_ON_OPENING:
            continue
        if not (np.abs(array) <= _LARGEST).all():
            raise ValueError(f"'{name}' holds a logarithm that is out of range")
