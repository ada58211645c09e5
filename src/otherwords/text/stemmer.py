"""Porter stems, from the Snowball project's own library."""

from __future__ import annotations

from collections.abc import Sequence

import Stemmer

from otherwords import _native

__all__ = ["stem"]


def stem(words: Sequence[str]) -> list[str]:
    """Porter stems of the words, lower-cased.

    >>> stem(["Paraphrases", "running", "happily"])
    ['paraphras', 'run', 'happili']
    """
    stems: list[str] = Stemmer.Stemmer("porter").stemWords([_native.lower(w) for w in words])
    return stems
