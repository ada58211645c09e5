"""Stems by the Snowball project's own library; the default is Porter's stemmer for English."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from otherwords import _native
from otherwords.errors import UsageError, near

PORTER = "porter"  # the English stemmer of PEM §6.1


def stem(words: Sequence[str], language: str = PORTER) -> list[str]:
    """Stem the words in lower case; a word whose stem would be empty is kept.

    >>> stem(["Paraphrases", "running", "happily", "s"])
    ['paraphras', 'run', 'happili', 's']
    >>> stem(["Häuser", "Haus"], "german")
    ['haus', 'haus']
    """
    lower = [_native.lower(word) for word in words]
    stems: list[str] = _stemmer(language).stemWords(lower)
    return [short or word for short, word in zip(stems, lower, strict=True)]


def check_stemmer(language: Any) -> str:
    """Return the name of a stemmer, or raise an error if Snowball has no such stemmer."""
    import Stemmer

    known = Stemmer.algorithms(aliases=True)
    if not isinstance(language, str) or language not in known:
        hint = near(str(language), sorted(Stemmer.algorithms()))
        raise UsageError(f"there is no stemmer for '{language}'; {hint}")
    return language


_THREAD = threading.local()


def _stemmer(language: str) -> Any:
    """This thread's stemmer: threads cannot share one.

    Its cache is off: with many words, a lookup takes longer than stemming.
    """
    stemmers: dict[str, Any] = _THREAD.__dict__.setdefault("stemmers", {})
    if language not in stemmers:
        import Stemmer

        stemmers[language] = Stemmer.Stemmer(check_stemmer(language), 0)
    return stemmers[language]
