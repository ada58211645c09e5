"""What two words of one language say about each other before any text is seen.

Identical words, words of one stem, words with a synonym in common, words spelt alike and words
that other languages translate alike are likely to mean the same. Each kind is worth some
pseudo-counts in the prior of the translation table (docs/decisions/bitext.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.bitext.corpus import Bitext
from otherwords.models import container, embedded
from otherwords.models.pivot_table import PivotTable
from otherwords.text.lexicon import Lexicon
from otherwords.text.stemmer import stem

__all__ = ["Evidence", "monolingual", "nothing"]

IDENTICAL = 5.0
SAME_STEM = 2.0
SYNONYM = 1.0
ALIKE = 0.5
PIVOTED = 60.0  # times the probability of the paraphrase
_LEAST = 0.001  # such probability
_PREFIX = 5
_TAGS = ("NNS", "VBD", "JJR")


class Evidence(NamedTuple):
    """Pairs of word ids and the pseudo-counts that they are worth."""

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    counts: NDArray[np.float32]


def nothing() -> Evidence:
    """No evidence: what is right for two languages."""
    ids = np.zeros(0, np.uint32)
    return Evidence(ids, ids, np.zeros(0, np.float32))


def monolingual(bitext: Bitext, max_words: int) -> Evidence:
    """Evidence for the pairs of words that stand together in a bitext of English and English.

    >>> from otherwords.build.bitext.corpus import encode
    >>> found = monolingual(Bitext(encode(["big cars"]), encode(["large car"])), 100)
    >>> sorted(found.counts.tolist())[-1] > 2
    True
    """
    left, right = bitext
    lefts, rights = _native.cooccurring(left.native, right.native, max_words)
    counts = np.zeros(len(lefts), np.float32)
    for worth, mask in (
        (ALIKE, _same(_prefixes(left.words), _prefixes(right.words), lefts, rights)),
        (SYNONYM, _synonyms(list(left.words), list(right.words), lefts, rights)),
        (SAME_STEM, _same(stem(left.words), stem(right.words), lefts, rights)),
        (IDENTICAL, _same(list(left.words), list(right.words), lefts, rights)),
    ):
        counts[mask] = worth
    counts += _pivoted(stem(left.words), stem(right.words), lefts, rights)
    found = counts > 0
    return Evidence(lefts[found], rights[found], counts[found])


Mask = NDArray[np.bool_]
Ids = NDArray[np.uint32]


def _same(left: list[str], right: list[str], lefts: Ids, rights: Ids) -> Mask:
    """Which pairs have the same form; the empty one is like no other."""
    ids: dict[str, int] = {"": 0}
    one = np.array([ids.setdefault(form, len(ids)) for form in left], np.int64)
    other = np.array([ids.setdefault(form, len(ids)) for form in right], np.int64)
    mask: Mask = (one[lefts] == other[rights]) & (one[lefts] > 0)
    return mask


def _prefixes(words: Sequence[str]) -> list[str]:
    return [w[:_PREFIX] if len(w) >= _PREFIX and w.isalpha() else "" for w in words]


def _synonyms(left: list[str], right: list[str], lefts: Ids, rights: Ids) -> Mask:
    native = Lexicon.load().native
    mask = np.zeros(len(lefts), np.bool_)
    for tag in _TAGS:
        one, other = (native.lemmatize(words, [tag] * len(words), False) for words in (left, right))
        mask |= native.synonym_mask(one, other, lefts, rights).astype(np.bool_)
    return mask


def _pivoted(left: list[str], right: list[str], lefts: Ids, rights: Ids) -> NDArray[np.float32]:
    """Paraphrases by the embedded pivot tables (Bannard & Callison-Burch 2005), not identity."""
    model = container.read(embedded("paraphrase"), "paraphrase")
    tables = [PivotTable.open(model.section(f"pivot/{name}")) for name in model.sections("pivot")]
    total = np.zeros(len(lefts), np.float32)
    for table in tables:
        total += table.native.paraphrase_probabilities(left, right, lefts, rights)
    mean = total / np.float32(len(tables))
    mean[(mean < _LEAST) | _same(left, right, lefts, rights)] = 0
    worth: NDArray[np.float32] = np.float32(PIVOTED) * mean
    return worth
