"""Stems, from the Snowball project's own library: Porter's of English by default."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from otherwords import _native
from otherwords.errors import UsageError, near

PORTER = "porter"  # the English stemmer of PEM §6.1


def stem(words: Sequence[str], language: str = PORTER) -> list[str]:
    """The stems of the words, lower-cased; a word that is all ending is kept.

    >>> stem(["Paraphrases", "running", "happily", "s"])
    ['paraphras', 'run', 'happili', 's']
    >>> stem(["Häuser", "Haus"], "german")
    ['haus', 'haus']
    """
    lower = [_native.lower(word) for word in words]
    stems: list[str] = _stemmer(language).stemWords(lower)
    return [short or word for short, word in zip(stems, lower, strict=True)]


def check_stemmer(language: Any) -> str:
    """The name of a stemmer, unless Snowball has none of that name."""
    import Stemmer

    known = Stemmer.algorithms(aliases=True)
    if not isinstance(language, str) or language not in known:
        hint = near(str(language), sorted(Stemmer.algorithms()))
        raise UsageError(f"there is no stemmer for '{language}'; {hint}")
    return language


_KEPT = threading.local()


def _stemmer(language: str) -> Any:
    """This thread's stemmer, because one works for one thread alone.

    Its own cache is off: with many words, looking them up takes longer than stemming them.
    """
    kept: dict[str, Any] = _KEPT.__dict__.setdefault("stemmers", {})
    if language not in kept:
        import Stemmer

        kept[language] = Stemmer.Stemmer(check_stemmer(language), 0)
    return kept[language]
