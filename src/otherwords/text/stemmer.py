"""Porter stems, from the Snowball project's own library."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from otherwords import _native

__all__ = ["stem"]


def stem(words: Sequence[str]) -> list[str]:
    """Porter stems of the words, lower-cased; a word that is all ending is kept.

    >>> stem(["Paraphrases", "running", "happily", "s"])
    ['paraphras', 'run', 'happili', 's']
    """
    lower = [_native.lower(word) for word in words]
    stems: list[str] = _stemmer().stemWords(lower)
    return [short or word for short, word in zip(stems, lower, strict=True)]


_KEPT = threading.local()


def _stemmer() -> Any:
    """The stemmer of this thread: it keeps the stems of frequent words, for one thread alone."""
    try:
        return _KEPT.stemmer
    except AttributeError:
        import Stemmer

        _KEPT.stemmer = Stemmer.Stemmer("porter")
        return _KEPT.stemmer
