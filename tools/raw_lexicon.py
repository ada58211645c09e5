"""What the tagger knows of words: classes and capitals from raw text, senses from WordNet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _build
from otherwords.models.arrays import bucket_bounds
from raw_text import BOUNDARY, RawText
from word_senses import senses

__all__ = ["LexiconOptions", "lexicon_arrays"]

# Word numbers of the clustering (see native/build/training/word_clusters.hpp).
_SENTENCE_END, _RARE, _FIRST_WORD = 0, 1, 2
_CAPITAL_STEPS = np.array([0.02, 0.2, 0.5, 0.8, 0.98])
_TOO_FEW_TO_SAY = len(_CAPITAL_STEPS) + 1


@dataclass(frozen=True)
class LexiconOptions:
    """How the lexicon is made: numbers of word classes, sweeps, least count of a word.

    A word that WordNet has needs no more than one occurrence.
    """

    classes: int = 512
    middle: int = 96
    coarse: int = 24
    iterations: int = 10
    least_count: int = 2


@dataclass(frozen=True)
class _Words:
    """The folded words that WordNet has or that occur often enough, and which each form is.

    The forms of a rare word have the number `len(keys)`.
    """

    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    senses: NDArray[np.uint8]
    of_form: NDArray[np.int64]


def lexicon_arrays(text: RawText, options: LexiconOptions) -> dict[str, NDArray[Any]]:
    """The lexicon of a tagger model."""
    words = _known_words(text, options.least_count)
    clusters, coarser = _clusters(text, words, options)
    return {
        "word_keys": words.keys,
        "word_buckets": bucket_bounds(words.keys),
        "word_clusters": clusters,
        "coarser_clusters": coarser,
        "word_capitals": _capitals(text, words),
        "word_senses": words.senses,
    }


def _known_words(text: RawText, least_count: int) -> _Words:
    keys, first, folded = np.unique(
        _build.folded_word_keys(text.forms), return_index=True, return_inverse=True
    )
    occurrences = text.tokens[text.tokens != BOUNDARY]
    counts = np.bincount(folded[occurrences], minlength=len(keys))
    # One form of a word will do: they differ in case and digits alone.
    bits = senses([text.forms[form] for form in first])
    kept = np.flatnonzero((counts >= least_count) | (bits > 0))
    position = np.full(len(keys), len(kept), dtype=np.int64)
    position[kept] = np.arange(len(kept))
    return _Words(keys[kept], counts[kept], bits[kept], position[folded])


def _clusters(
    text: RawText, words: _Words, options: LexiconOptions
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    size = len(words.keys)
    by_frequency = np.lexsort((words.keys, -words.counts))
    number = np.full(size + 1, _RARE, dtype=np.uint32)
    number[by_frequency] = np.arange(size, dtype=np.uint32) + _FIRST_WORD
    number_of_form = np.append(number[words.of_form], np.uint32(_SENTENCE_END))
    word_class, coarser = _build.cluster_words(
        number_of_form[text.tokens],
        size + _FIRST_WORD,
        classes=options.classes,
        levels=[options.middle, options.coarse],
        iterations=options.iterations,
    )
    return word_class[number[:-1]], coarser


def _capitals(text: RawText, words: _Words) -> NDArray[np.uint8]:
    """The share of capitals among a word's occurrences after a lower-cased word, in steps.

    There a capital marks a name; after a full stop or in a heading it does not.
    """
    is_lower = np.array([*(form.islower() for form in text.forms), False])
    inside = text.tokens[1:][is_lower[text.tokens[:-1]]]
    inside = inside[inside != BOUNDARY]
    is_capital = np.array([form[:1].isupper() for form in text.forms], dtype=bool)
    bins = len(words.keys) + 1
    total = np.bincount(words.of_form[inside], minlength=bins)[:-1]
    capitals = np.bincount(words.of_form[inside[is_capital[inside]]], minlength=bins)[:-1]
    steps = np.digitize(capitals / np.maximum(total, 1), _CAPITAL_STEPS)
    return np.where(total < 3, _TOO_FEW_TO_SAY, steps).astype(np.uint8)
