"""Interpolated modified Kneser-Ney estimation, as in KenLM's lmplz.

Chen & Goodman 1998; Heafield, Pouzyrevsky, Clark & Koehn 2013. The kernel is
native/build/lm/estimate.cpp; docs/decisions/lm.md lists the choices that the papers leave open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _build
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.models.arrays import hash_words
from otherwords.models.language_model import RESERVED, LanguageModel
from otherwords.text.sentence import check_tokenizer

MAX_ORDER = 10
FALLBACK = [0.5, 1.0, 1.5]  # KenLM's discounts for texts too small to compute them
_BATCH = 4096  # sentences held as strings at a time


class TextEncoder:
    """Reads sentences and numbers their words.

    The symbols `<s>`, `</s>` and `<unk>` belong to the model. In a text they are refused, as by
    KenLM's lmplz, or left out with `skip_symbols`. Unless `case` says otherwise, case is kept only
    in text that is already tokenized.

    >>> encoder = TextEncoder("penn")
    >>> encoder.add(["The dog.", "", "The cat."])
    >>> tokens, bounds, words = encoder.take()
    >>> tokens.tolist(), bounds.tolist(), words
    ([0, 1, 2, 0, 3, 2], [0, 3, 3, 6], ['the', 'dog', '.', 'cat'])
    """

    def __init__(
        self, tokenizer: str = "penn", *, case: bool | None = None, skip_symbols: bool = False
    ) -> None:
        self.tokenizer = check_tokenizer(tokenizer)
        self.case = tokenizer == "none" if case is None else case
        self._skip = skip_symbols
        self._native = _build.EncodedText(self.tokenizer, self.case)

    def add(self, sentences: Iterable[str], *, path: str | None = None) -> None:
        """Add sentences; errors name `path`, their file, and the line."""
        if isinstance(sentences, str):
            raise UsageError("give a list of sentences, not one string")
        done = 0
        unread = iter(sentences)
        while batch := list(islice(unread, _BATCH)):
            try:
                refused = self._native.add(batch, self._skip)
            except UnicodeEncodeError as error:
                raise InputError("a text has a lone surrogate", path=path) from error
            except TypeError as error:
                raise UsageError("the sentences must be strings") from error
            if refused is not None:
                place, word = refused
                raise InputError(
                    f"the text holds the reserved word {word}; remove it",
                    path=path or "sentence",
                    line=done + place + 1,
                )
            done += len(batch)

    def take(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], list[str]]:
        """Return the tokens, the sentence bounds and the words; call it once, at the end."""
        words = self._native.words()
        tokens, bounds = self._native.take()
        return tokens, bounds, words


@dataclass(frozen=True)
class Estimation:
    """The settings of an estimation.

    Parameters
    ----------
    order
        The length of the longest n-grams.
    prune
        One threshold per order, the last for all further orders: n-grams of at most that raw count
        are dropped, as with `--prune` of lmplz.
    prune_entropy
        The threshold of Stolcke 1998.
    quantize
        Bits of a probability, 0 for floats.
    max_bytes
        Prune by entropy until the packed model is no larger.
    min_count
        Words that are rarer count as unknown.
    """

    order: int = 4
    prune: Sequence[float] = ()
    prune_entropy: float = 0.0
    quantize: int = 0
    max_bytes: int | None = None
    min_count: int = 1

    def __post_init__(self) -> None:
        check_whole("order", self.order, 1, MAX_ORDER)
        if check_whole("quantize", self.quantize, 0, 8) == 1:
            raise UsageError("quantize must be 0 (not at all) or from 2 to 8 bits")
        check_number("prune_entropy", self.prune_entropy, 0, 1)
        check_whole("min_count", self.min_count, 1, 2**31)
        if self.max_bytes is not None:
            check_whole("max_bytes", self.max_bytes, 1, 2**60)
        if len(self.prune) > self.order:
            raise UsageError(
                f"{len(self.prune)} thresholds of pruning for a model of order {self.order}"
            )
        counts = self.prune_counts
        if counts[0] != 0:
            raise UsageError("single words are not pruned: the first threshold must be 0")
        if counts != sorted(counts):
            raise UsageError("thresholds of pruning must not fall from one order to the next")

    @property
    def prune_counts(self) -> list[int]:
        """The threshold of each order.

        >>> Estimation(prune=[0, 1]).prune_counts
        [0, 1, 1, 1]
        """
        counts = [check_whole("prune", threshold, 0, 2**31) for threshold in self.prune] or [0]
        return counts + counts[-1:] * (self.order - len(counts))


def estimate(
    sentences: Iterable[str],
    *,
    tokenizer: str = "penn",
    case: bool | None = None,
    threads: int = 1,
    **options: Any,
) -> LanguageModel:
    """Estimate a language model from sentences.

    Parameters
    ----------
    sentences
        Raw text, one sentence each.
    tokenizer, case
        How `TextEncoder` reads the sentences.
    threads
        The number of threads; the model does not depend on it.
    **options
        The fields of `Estimation`.

    >>> model = estimate(["a b", "a c"], order=2, tokenizer="none")
    >>> model.sizes
    [6, 5]
    """
    settings = Estimation(**options)
    encoder = TextEncoder(tokenizer, case=case)
    encoder.add(sentences)
    return estimate_ids(
        *encoder.take(), settings, tokenizer=tokenizer, case=encoder.case, threads=threads
    )


def estimate_ids(
    tokens: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    words: Sequence[str],
    settings: Estimation | None = None,
    *,
    tokenizer: str = "none",
    case: bool = True,
    threads: int = 1,
) -> LanguageModel:
    """Estimate a language model from sentences whose words are numbered.

    `tokens` are the numbers of all words, `bounds` the ends of sentences among them. The model
    keeps how the text was read; it does not depend on the number of threads.
    """
    settings = settings or Estimation()
    check_whole("threads", threads, 1, 1024)
    if len(bounds) < 2:
        raise InputError("there is no text to estimate a language model from")
    numbers, known = _number_words(tokens, words, settings)
    bits, threshold = settings.quantize, settings.prune_entropy
    counts = settings.prune_counts
    vocabulary_size = len(RESERVED) + len(known)
    table, discounts = _build.estimate_lm(
        numbers, bounds, vocabulary_size, settings.order, counts, FALLBACK, threads
    )
    if settings.max_bytes is not None:
        needed = table.threshold_for(bits, settings.max_bytes)
        if needed < 0:
            raise UsageError(
                f"the words alone need more than {settings.max_bytes} bytes; raise min_count"
            )
        threshold = max(threshold, needed)
    if threshold > 0:
        table = table.pruned(threshold)
    provenance = {
        "sentences": len(bounds) - 1,
        "tokens": len(tokens),
        "prune": counts,
        "prune_entropy": threshold,
        "quantize": bits,
        "min_count": settings.min_count,
        "discounts": [list(amounts) for *amounts, _ in discounts],
        "fallback": [order for order, (*_, used) in enumerate(discounts, 1) if used],
    }
    return LanguageModel(
        table.pack(hash_words(known), bits),
        words=known,
        tokenizer=tokenizer,
        case=case,
        provenance=provenance,
    )


def _number_words(
    tokens: NDArray[np.uint32], words: Sequence[str], settings: Estimation
) -> tuple[NDArray[np.uint32], list[str]]:
    """Renumber tokens as the kernel does, by the hashes of words; also return the words."""
    if len(tokens) and int(tokens.max()) >= len(words):
        raise UsageError("a token is not among the words")
    is_known = np.bincount(tokens, minlength=len(words)) >= settings.min_count
    by_hash = np.argsort(hash_words(words), kind="stable")
    by_hash = by_hash[is_known[by_hash]]
    numbers = np.zeros(len(words), dtype=np.uint32)
    numbers[by_hash] = np.arange(len(by_hash), dtype=np.uint32) + len(RESERVED)
    return numbers[tokens], [words[i] for i in by_hash]
