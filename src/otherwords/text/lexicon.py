"""WordNet as numbers: base forms (morphy) and synonyms over all senses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.models import container, embedded

__all__ = ["Lexicon"]


class Lexicon:
    """A compiled WordNet; the embedded one unless a path is given.

    >>> lexicon = Lexicon.load()
    >>> lexicon.lemmatize(["Geese", "were", "better"], ["NNS", "VBD", "JJR"])
    ['goose', 'be', 'good']
    >>> lexicon.are_synonyms("car", "automobile"), lexicon.are_synonyms("car", "tree")
    (True, False)
    >>> "goose" in lexicon
    True
    """

    def __init__(self, model: container.Model) -> None:
        self.model = model
        try:
            self.native = _native.Lexicon(dict(model.arrays))
        except ValueError as error:
            raise ModelError(f"{model.path}: {error}") from error

    @classmethod
    def load(cls, path: str | Path | None = None) -> Lexicon:
        """Open a lexicon file (`tools/compile_lexicon.py` makes them); opened once a process."""
        return _load(embedded("lexicon") if path is None else Path(path))

    @property
    def digest(self) -> str:
        """What signatures say of the lexicon."""
        return self.model.short_digest

    def lemmatize(
        self, words: Sequence[str], tags: Sequence[str], *, case: bool = False
    ) -> list[str]:
        """Base forms of words with their Penn tags; lower-cased unless `case` is kept.

        WordNet's morphy (morph(7WN)), steered by the tag: endings come off only where the
        tag says that one was added. `docs/text.md` says what it gets wrong.
        """
        if len(words) != len(tags):
            raise InputError(f"{len(words)} words but {len(tags)} tags")
        return self.native.lemmatize(list(words), list(tags), case)

    def are_synonyms(self, a: str, b: str) -> bool:
        """Syn of MAXSIM eq. 1: do the synonym sets, each with its own word, share a word?

        All senses, all parts of speech; so words can be synonyms without sharing a sense.
        """
        return self.native.synonyms(_native.lower(a), _native.lower(b))

    def __contains__(self, word: str) -> bool:
        """Is the lemma one of WordNet's?"""
        return _native.lower(word) in self.native


@cache
def _load(path: Path) -> Lexicon:
    return Lexicon(container.read(path, "lexicon"))
