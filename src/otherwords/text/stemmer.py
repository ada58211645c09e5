"""Porter stems, from the Snowball project's own library."""

from __future__ import annotations

from collections.abc import Sequence

import Stemmer

from otherwords import _native

__all__ = ["stem"]


def stem(words: Sequence[str]) -> list[str]:
    """Porter stems of the words, lower-cased; a word that is all ending is kept.

    >>> stem(["Paraphrases", "running", "happily", "s"])
    ['paraphras', 'run', 'happili', 's']
    """
    lower = [_native.lower(word) for word in words]
    stems: list[str] = Stemmer.Stemmer("porter").stemWords(lower)
    return [short or word for short, word in zip(stems, lower, strict=True)]
