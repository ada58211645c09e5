"""The share of words that a rewrite changed; a misspelling does not count as a change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.metrics.base import Traits
from otherwords.metrics.pairs import PairMetric, Pairs, Pool, Reading, read
from otherwords.metrics.registry import register
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.arrays import Array
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Text
from otherwords.text.stemmer import stem

_SHORTEST = 3  # letters of the shortest word that can be misspelt
_LONG = 6  # letters from which two edits can be a misspelling
_TAGS = ("NNS", "VBZ", "VBD", "VBG", "JJR", "JJS")  # inflections to undo before looking words up
_REMEMBERED = 200_000  # words in the cache
_SEEN = 3  # least count in a pivot table that makes a word known


@register
class Difference(PairMetric):
    """The share of words that the rewrite replaced, 0 to 1: 1 - max(precision, recall) of stems.

    Words that were only added or only removed do not count: a copy with a preface, or the first
    half of a text, says nothing in other words; nor does an empty text. A misspelt word counts as
    the word of the other text that it stands for. `pem.dissimilarity` takes longer n-grams and
    other stems.
    """

    name = "difference"
    version = 3
    cost = "fast"
    use = "How much a rewrite differs in words."
    traits = Traits(low=0.0, high=1.0, symmetric=True, against="source", english=True)
    columns = ("difference", "segments")

    def __init__(self, *, tokenizer: str = "penn", case: bool = False, **common: Any) -> None:
        super().__init__(tokenizer=tokenizer, case=case, **common)
        self.reading = Reading(tokenizer, case)

    def signature_parts(self) -> dict[str, str]:
        return {**self.reading.signature}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        pairs = Pairs.of_pool(*spelt_alike(*read([left, right], self.reading)), self.reading)
        sums = _native.word_overlap(
            pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, 1, threads
        )
        common, mine, theirs = sums.reshape(-1, 3).T
        fewest = np.minimum(mine, theirs)
        kept = np.divide(common, fewest, out=np.ones(len(fewest)), where=fewest > 0)
        return np.asarray(np.maximum(1 - kept, 0.0)[:, None])


def spelt_alike(
    pool: Pool, places: Sequence[NDArray[np.int64]]
) -> tuple[Pool, list[NDArray[np.int64]]]:
    """The pool with a corrected copy of each text that misspells words of the other text.

    A word is misspelt if nothing knows it, the other text does not have it, and a known word that
    only the other text has is one edit away (two from six letters on).
    """
    left, right = places
    known = np.array(_are_known(pool.words), bool)
    if known.all():
        return pool, list(places)
    unknown = _unknown(pool, known)
    places = [left.copy(), right.copy()]
    added: dict[tuple[int, ...], int] = {}
    is_known = known.tolist()
    none: set[int] = set()
    for pair, texts in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        unknown_left, unknown_right = (unknown.get(text, none) for text in texts)
        if unknown_left == unknown_right:
            continue
        common = unknown_left & unknown_right
        both = [pool.tokens[pool.bounds[text] : pool.bounds[text + 1]].tolist() for text in texts]
        for side, doubtful in enumerate((unknown_left - common, unknown_right - common)):
            if not doubtful:
                continue
            mine, theirs = both[side], both[1 - side]
            corrected = _correct(pool.words, is_known, doubtful, mine, theirs)
            if corrected != mine:
                number = added.setdefault(tuple(corrected), len(pool.bounds) - 1 + len(added))
                places[side][pair] = number
    if not added:
        return pool, places
    sizes = [len(text) for text in added]
    tokens = [np.array(text, np.uint32) for text in added]
    bounds = np.concatenate([pool.bounds, pool.bounds[-1] + np.cumsum(sizes)])
    lines = [" ".join(pool.words[token] for token in text) for text in added]
    whole = np.concatenate([pool.tokens, *tokens])
    return pool._replace(texts=[*pool.texts, *lines], tokens=whole, bounds=bounds), places


def _unknown(pool: Pool, known: NDArray[np.bool_]) -> dict[int, set[int]]:
    """The unknown words of each text that has any."""
    places = np.flatnonzero(~known[pool.tokens])
    texts = np.searchsorted(pool.bounds, places, side="right") - 1
    by_text: dict[int, set[int]] = {}
    for text, token in zip(texts.tolist(), pool.tokens[places].tolist(), strict=True):
        by_text.setdefault(text, set()).add(token)
    return by_text


def _correct(
    words: Sequence[str],
    known: Sequence[bool],
    doubtful: set[int],
    mine: list[int],
    theirs: list[int],
) -> list[int]:
    """Replace each doubtful word of a text by the word of the other text that it misspells."""
    ours = set(mine)
    targets = [token for token in dict.fromkeys(theirs) if known[token] and token not in ours]
    right = {token: _find_nearest(words, token, targets) for token in doubtful}
    return [right.get(token, token) for token in mine]


def _find_nearest(words: Sequence[str], token: int, targets: Sequence[int]) -> int:
    word = words[token].lower()
    if len(word) < _SHORTEST:
        return token
    limit = 2 if len(word) >= _LONG else 1
    near = [
        (edits(word, words[target].lower(), limit), place)
        for place, target in enumerate(targets)
        if abs(len(words[target]) - len(word)) <= limit
    ]
    if not near or min(near)[0] > limit:
        return token
    return targets[min(near)[1]]


@cache
def _knowledge() -> tuple[Lexicon, list[Any], dict[str, bool]]:
    tables = [table for _, table in sorted(ParaphraseModel.load().pivots.items())]
    return Lexicon.load(), [table.native for table in tables], {}


def _are_known(words: Sequence[str]) -> list[bool]:
    """Whether the lexicon or a pivot table has each word, or it cannot be misspelt."""
    lexicon, tables, memory = _knowledge()
    if len(memory) > _REMEMBERED:
        memory.clear()
    flags = [len(word) < _SHORTEST or not word.isalpha() or memory.get(word) for word in words]
    new = [word for word, known in zip(words, flags, strict=True) if known is None]
    lower = [word.lower() for word in new]
    bases = [lexicon.lemmatize(lower, [tag] * len(lower)) for tag in _TAGS]
    learnt = {
        word: any(form in lexicon for form in forms) or any(t.count(root) >= _SEEN for t in tables)
        for word, root, *forms in zip(new, stem(lower), lower, *bases, strict=True)
    }
    memory.update(learnt)
    return [
        learnt[word] if known is None else known for word, known in zip(words, flags, strict=True)
    ]


def edits(a: str, b: str, limit: int) -> int:
    """Edit distance with transpositions (optimal string alignment), `limit` + 1 if it is more.

    >>> edits("bcak", "back", 2), edits("house", "mouse", 2), edits("abc", "xyz", 1)
    (1, 1, 2)
    """
    if len(set(a) ^ set(b)) > 2 * limit:  # an edit adds or removes two letters at most
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        here = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, here[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            here.append(cost)
        if min(here) > limit:
            return limit + 1
        before, row = row, here
    return min(row[-1], limit + 1)
