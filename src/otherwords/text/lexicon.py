"""WordNet as numbers: base forms (morphy), synonyms over all senses, antonyms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.models import container
from otherwords.models.arrays import check_index, check_range, check_utf8
from otherwords.models.container import Arrays, Loadable, Model

NONE = 2**32 - 1  # marks a lemma that is no other word's synonym


def synsets_path(lexicon: Path) -> Path:
    """The file next to a lexicon that distinguishes synonyms of one synset from others.

    >>> synsets_path(Path("my.owm")).name
    'my-synsets.owm'
    """
    return lexicon.with_name(f"{lexicon.stem}-synsets.owm")


class Lexicon(Loadable):
    """A compiled WordNet; the embedded one unless a path is given.

    `antonyms` holds the sorted upper halves of the hashes of near antonyms and of antonyms.

    >>> lexicon = Lexicon.load()
    >>> lexicon.lemmatize(["Geese", "were", "better"], ["NNS", "VBD", "JJR"])
    ['goose', 'be', 'good']
    >>> lexicon.native.synonyms("car", "automobile"), lexicon.native.synonyms("car", "tree")
    (True, False)
    >>> "goose" in lexicon
    True
    """

    kind = "lexicon"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        try:
            self.native = _native.Lexicon(dict(model.arrays))
            arrays = model.arrays
            check_index("words", arrays["words"], arrays["word_buckets"])
            check_index("exceptions", arrays["exceptions"], arrays["exception_buckets"])
            # Synonyms are numbered without gaps.
            check_range("synonyms", arrays["synonyms"], len(arrays["synonyms"]))
            check_utf8(arrays["lemmas"], arrays["exception_bounds"])
            self.antonyms = [arrays["near_antonyms"], arrays["antonyms"]]
            for name in ("antonym_counts", "antonyms", "near_antonyms"):
                if arrays[name].dtype != np.uint32 or arrays[name].ndim != 1:
                    raise ValueError(f"lexicon: array '{name}' has another type")
            if arrays["antonym_counts"].tolist() != [*map(len, reversed(self.antonyms))]:
                raise ValueError("lexicon: antonyms do not fit their counts")
            if any((hashes[1:] < hashes[:-1]).any() for hashes in self.antonyms):
                raise ValueError("lexicon: antonyms are not in order")
        except (KeyError, ValueError) as error:
            raise ModelError(f"{model.path}: {error}") from error

    def lemmatize(
        self, words: Sequence[str], tags: Sequence[str], *, case: bool = False, own: bool = True
    ) -> list[str]:
        """The base forms of words with these Penn tags; lower-cased unless `case`.

        WordNet's morphy (morph(7WN)), guided by the tag: an ending is removed only where the
        tag implies one. `own` adds our forms of function words and the plurals of words that
        WordNet lacks. `docs/text.md` lists the known errors.

        >>> Lexicon.load().lemmatize(["these", "are"], ["DT", "VBP"], own=False)
        ['these', 'be']
        """
        if len(words) != len(tags):
            raise InputError(f"{len(words)} words but {len(tags)} tags")
        return self.native.lemmatize(list(words), list(tags), case, not own)

    @cached_property
    def strict(self) -> _native.Lexicon:
        """The same lexicon, where two words are synonyms only if they share a synset.

        >>> Lexicon.load().strict.synonyms("car", "automobile")
        True
        >>> lexicon = Lexicon.load()
        >>> lexicon.native.synonyms("be", "know"), lexicon.strict.synonyms("be", "know")
        (True, False)
        """
        return self.strict_of(container.read(synsets_path(self.model.path), "synsets"))

    def strict_of(self, synsets: container.Model) -> _native.Lexicon:
        """The same lexicon with the synsets of this model."""
        own, arrays = synsets.arrays.get("own"), self.model.arrays
        fits = own is not None and own.shape == arrays["words"].shape and own.dtype == np.uint32
        if own is None or not fits or synsets.provenance.get("lexicon") != self.model.digest:
            raise ModelError(f"{synsets.path}: this was made with another lexicon")
        numbered = own[own != NONE]
        try:
            check_range("own", numbered, int(arrays["synonyms"].max(initial=0)) + 1)
        except ValueError as error:
            raise ModelError(f"{synsets.path}: {error}") from error
        return _native.Lexicon({**arrays, **_pair_synonyms(arrays, own)})

    def __contains__(self, word: str) -> bool:
        return _native.lower(word) in self.native


def _pair_synonyms(arrays: Arrays, own: NDArray[np.uint32]) -> dict[str, Any]:
    """Synonym sets made of pairs: two words share a set if each is the other's synonym."""
    bounds, synonyms = arrays["synonym_bounds"].astype(np.int64), arrays["synonyms"]
    words = np.repeat(np.arange(len(own)), np.diff(bounds))
    word_of = np.full(int(synonyms.max(initial=0)) + 1, -1, np.int64)
    known = np.flatnonzero(own < len(word_of))
    word_of[own[known]] = known
    others = word_of[synonyms]
    valid = (others >= 0) & (others != words)
    left, right = words[valid], others[valid]
    keys = np.minimum(left, right) * len(own) + np.maximum(left, right)
    _, pairs = np.unique(keys, return_inverse=True)
    order = np.lexsort((pairs, left))
    counts = np.bincount(left, minlength=len(own))
    return {
        "synonym_bounds": np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        "synonyms": pairs[order].astype(np.uint32),
    }
