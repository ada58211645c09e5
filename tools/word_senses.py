"""What a form can be, as far as WordNet and morphy know: eight bits for the tagger's lexicon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.models.container import embedded, read
from otherwords.text.lexicon import Lexicon

__all__ = ["senses"]

_NOUN, _VERB, _ADJECTIVE, _ADVERB = 1, 2, 4, 8  # WordClass of native/core/text/lexicon.hpp
_BASE_FORM = _NOUN | _VERB | _ADJECTIVE | _ADVERB
# Of each inflected form: its bit, a tag of which morphy takes the ending off, the class that
# the lemma must have.
_INFLECTED = [(16, "NNS", _NOUN), (32, "VBZ", _VERB), (64, "VBD", _VERB), (128, "VBG", _VERB)]


def senses(forms: list[str]) -> NDArray[np.uint8]:
    """Bits of the classes that each form has as a lemma, and of those it is an inflection in.

    >>> senses(["dogs", "ran", "well", "xyzzy"]).tolist() == [16 | 32, 64, 1 | 2 | 4 | 8, 0]
    True
    """
    lower = [_native.lower(form) for form in forms]
    bits = _classes(lower) & _BASE_FORM
    for bit, tag, word_class in _INFLECTED:
        lemmas = Lexicon.load().lemmatize(lower, [tag] * len(lower))
        changed = np.array([a != b for a, b in zip(lemmas, lower, strict=True)], dtype=bool)
        fits = np.array([_may_be(tag, form) for form in lower], dtype=bool)
        bits[changed & fits & (_classes(lemmas) & word_class > 0)] |= bit
    return bits


def _may_be(tag: str, form: str) -> bool:
    """Whether the ending does not show that the form is another one of a verb's."""
    if tag == "VBZ":
        return form.endswith("s")
    if tag == "VBG":
        return form.endswith("ing")
    return tag != "VBD" or not form.endswith(("s", "ing"))


def _classes(words: list[str]) -> NDArray[np.uint8]:
    """The classes that WordNet has each word in; 0 for a word it does not have."""
    arrays = read(embedded("lexicon"), "lexicon").arrays
    hashes = _native.hash_words(words)
    at = np.minimum(np.searchsorted(arrays["words"], hashes), len(arrays["words"]) - 1)
    found = arrays["words"][at] == hashes
    return np.where(found, arrays["classes"][at], 0).astype(np.uint8)
