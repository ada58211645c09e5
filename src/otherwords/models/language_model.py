"""Querying an n-gram language model packed into a reverse trie (docs/decisions/lm.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.models.container import CHECKED_ON_OPENING

KIND = "language"
RESERVED = ("<unk>", "<s>", "</s>")  # words 0, 1 and 2 of every model
_LARGEST = 1e6  # absolute value of a logarithm


@dataclass(frozen=True)
class Scores:
    """Log10 probabilities and counts, one per sentence."""

    log10: NDArray[np.float64]  # probability of the sentence and its end
    tokens: NDArray[np.uint32]  # without the end
    unknown: NDArray[np.uint32]  # tokens that the model does not know
    log10_unknown: NDArray[np.float64]  # their part of `log10`

    def perplexity(self, *, unknown: bool = True) -> float:
        """Perplexity over tokens and sentence ends, with or without unknown words; 0 if empty."""
        total, count = self.log10.sum(), int(self.tokens.sum()) + len(self.tokens)
        if not unknown:
            total -= self.log10_unknown.sum()
            count -= int(self.unknown.sum())
        return float(10 ** min(-total / count, 300.0)) if count else 0.0


class LanguageModel:
    """An n-gram model with back-off; `otherwords.build.lm` estimates, reads and writes them.

    Parameters
    ----------
    arrays
        The packed n-grams, as `docs/models.md` describes them.
    words
        The vocabulary in the order of its hashes; None for a packed file, which has only hashes.
    tokenizer, case
        How the training text was read. Texts to score are read in the same way.
    provenance
        What the model file says about its origin.
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
        for name, array in arrays.items():
            if array.dtype.kind != "f" or array.nbytes > CHECKED_ON_OPENING:
                continue  # the checksums cover the logarithms of large models
            if not (np.abs(array) <= _LARGEST).all():
                raise ValueError(f"'{name}' holds a logarithm that is out of range")
        self.native = _native.PackedLm(dict(arrays))
        self.arrays = arrays
        self.words = words
        self.tokenizer = tokenizer
        self.case = case
        self.provenance = dict(provenance or {})
        _native.token_spans("", tokenizer)  # refuses an unknown tokenizer

    @property
    def sizes(self) -> list[int]:
        """The number of n-grams of each order, from unigrams up."""
        return [int(size) for size in self.arrays["sizes"]]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.sizes)

    @property
    def nbytes(self) -> int:
        """The size of the packed arrays: the file without its header."""
        return sum(array.nbytes for array in self.arrays.values())

    @cached_property
    def digest(self) -> str:
        """The hash of the model's arrays, the same in memory and in a packed file."""
        content = hashlib.sha256()
        for name in sorted(self.arrays):
            content.update(f"{name}:{self.arrays[name].dtype.str};".encode())
            content.update(np.ascontiguousarray(self.arrays[name]).data)
        return content.hexdigest()

    @property
    def signature(self) -> str:
        case = "mixed" if self.case else "lc"
        return f"{self.order}-gram.{self.tokenizer}.{case}.{self.digest[:8]}"

    def score(
        self, sentences: Sequence[str] | Sequence[Sequence[str]], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """The log10 probability of each sentence, its end included.

        A sentence is a text, which is tokenized as in training, or a list of tokens.
        """
        return self.scores(sentences, threads=threads).log10

    def scores(
        self, sentences: Sequence[str] | Sequence[Sequence[str]], *, threads: int = 1
    ) -> Scores:
        """The log10 probabilities with the counts of tokens and unknown words."""
        threads = check_whole("threads", threads, 1, 1024)
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
        """For each token and the sentence end, log10 probability and n-gram length.

        An unknown word has length 0.
        """
        try:
            if isinstance(sentence, str):
                spans = _native.token_spans(sentence, self.tokenizer)
                sentence = [sentence[begin:end] for begin, end in spans]
            rows = self.native.score_each(list(sentence), self.case)
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(f"a token is not text: {error}") from error
        return [
            (word, log10, 0 if unknown else length)
            for word, (log10, length, unknown) in zip([*sentence, RESERVED[2]], rows, strict=True)
        ]
