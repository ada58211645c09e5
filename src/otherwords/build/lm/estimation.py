"""Interpolated modified Kneser-Ney estimation, as KenLM's lmplz does it.

Chen & Goodman 1998; Heafield, Pouzyrevsky, Clark & Koehn 2013. The kernel is
native/lm/estimate.cpp; docs/decisions/lm.md lists the choices that the papers leave open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.lm.arpa import RESERVED
from otherwords.build.lm.text import TextEncoder
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.models.index import hash_words
from otherwords.models.language_model import LanguageModel

__all__ = ["FALLBACK", "MAX_ORDER", "estimate", "estimate_ids"]

MAX_ORDER = 10
FALLBACK = (0.5, 1.0, 1.5)  # discounts where the text is too small to compute them; KenLM's
_FIRST = len(RESERVED)


def estimate(
    sentences: Iterable[str],
    *,
    order: int = 4,
    tokenizer: str = "penn",
    case: bool | None = None,
    skip_symbols: bool = False,
    **options: Any,
) -> LanguageModel:
    """A language model of the sentences; further options are those of `estimate_ids`.

    >>> model = estimate(["a b", "a c"], order=2, tokenizer="none")
    >>> model.sizes
    [6, 5]
    """
    encoder = TextEncoder(tokenizer, case=case, skip_symbols=skip_symbols)
    encoder.add(sentences)
    tokens, bounds, words = encoder.take()
    return estimate_ids(
        tokens, bounds, words, order=order, tokenizer=tokenizer, case=encoder.case, **options
    )


def estimate_ids(
    tokens: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    words: Sequence[str],
    *,
    order: int = 4,
    prune: Sequence[float] = (),
    prune_entropy: float = 0.0,
    quantize: int = 0,
    max_bytes: int | None = None,
    min_count: int = 1,
    vocabulary: Collection[str] | None = None,
    fallback: Sequence[float] = FALLBACK,
    threads: int = 1,
    tokenizer: str = "none",
    case: bool = True,
) -> LanguageModel:
    """A language model of sentences given as numbers of words.

    `prune`: n-grams of at most that raw count are dropped, a threshold for each order, the
    last for the orders that follow. `prune_entropy`: the threshold of Stolcke 1998.
    `quantize`: bits of a probability, 0 for floats. `max_bytes`: prune by entropy until the
    packed model is no larger. Words rarer than `min_count` or not in `vocabulary` count as
    unknown. `tokenizer` and `case` say how the text was read; they are kept with the model.
    """
    order = check_whole("order", order, 1, MAX_ORDER)
    threads = check_whole("threads", threads, 1, 1024)
    bits = check_whole("quantize", quantize, 0, 8)
    if bits == 1:
        raise UsageError("quantize must be 0 (not at all) or from 2 to 8 bits")
    threshold = check_number("prune_entropy", prune_entropy, 0, 1)
    thresholds = _count_thresholds(prune, order)
    fallback = [check_number("a discount", amount, 0, i) for i, amount in enumerate(fallback, 1)]
    if len(fallback) != 3:
        raise UsageError(f"fallback needs three discounts, not {len(fallback)}")
    if len(bounds) < 2:
        raise InputError("there is no text to estimate a language model from")
    numbers, kept = _numbered(tokens, words, min_count, vocabulary)
    table, discounts = _native.estimate_lm(
        numbers, bounds, len(kept) + _FIRST, order, thresholds, fallback, threads
    )
    if max_bytes is not None:
        needed = table.threshold_for(bits, check_whole("max_bytes", max_bytes, 1, 2**60))
        if needed < 0:
            raise UsageError(f"the words alone need more than {max_bytes} bytes; raise min_count")
        threshold = max(threshold, needed)
    if threshold > 0:
        table = table.pruned(threshold)
    provenance = {
        "sentences": len(bounds) - 1,
        "tokens": len(tokens),
        "prune": thresholds,
        "prune_entropy": threshold,
        "quantize": bits,
        "min_count": min_count,
        "discounts": [list(amounts) for *amounts, _ in discounts],
        "fallback": [order for order, (*_, used) in enumerate(discounts, 1) if used],
    }
    return LanguageModel.from_table(
        table, kept, quantize=bits, tokenizer=tokenizer, case=case, provenance=provenance
    )


def _count_thresholds(prune: Sequence[float], order: int) -> list[int]:
    """One threshold an order, as lmplz reads `--prune`.

    >>> _count_thresholds([0, 1], 4)
    [0, 1, 1, 1]
    """
    given = [check_whole("prune", threshold, 0, 2**31) for threshold in prune] or [0]
    if len(given) > order:
        raise UsageError(f"{len(given)} thresholds of pruning for a model of order {order}")
    if given[0] != 0:
        raise UsageError("single words are not pruned: the first threshold must be 0")
    if given != sorted(given):
        raise UsageError("thresholds of pruning must not fall from one order to the next")
    return given + given[-1:] * (order - len(given))


def _numbered(
    tokens: NDArray[np.uint32],
    words: Sequence[str],
    min_count: int,
    vocabulary: Collection[str] | None,
) -> tuple[NDArray[np.uint32], list[str]]:
    """The tokens as the kernel numbers them, words by their hashes, and the words that stay."""
    min_count = check_whole("min_count", min_count, 1, 2**31)
    if len(tokens) and int(tokens.max()) >= len(words):
        raise UsageError("a token is not among the words")
    stays = np.bincount(tokens, minlength=len(words)) >= min_count
    if vocabulary is not None:
        known = set(vocabulary)
        stays &= np.fromiter((word in known for word in words), bool, len(words))
    hashes = hash_words(words)
    ranked = np.argsort(hashes, kind="stable")
    ranked = ranked[stays[ranked]]
    numbers = np.zeros(len(words), dtype=np.uint32)
    numbers[ranked] = np.arange(_FIRST, _FIRST + len(ranked), dtype=np.uint32)
    return numbers[tokens], [words[i] for i in ranked]
