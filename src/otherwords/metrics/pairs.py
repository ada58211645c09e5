"""Pairs of texts: how metrics of pairs read raw text, and what they have in common.

Every text is read once, as numbers of words.
"""

from __future__ import annotations

import unicodedata
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Explanation, MeanMetric
from otherwords.metrics.inputs import Segments
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Sentence, Text, check_tokenizer, tokenize
from otherwords.text.stemmer import PORTER, check_stemmer, stem

MOST_WORDS = 1 << 22  # in a text; more would overflow the integer weights of the kernel


@dataclass(frozen=True)
class Reading:
    """How raw text becomes words: Penn tokens, case folded, Porter stems (PEM §6.1).

    `stem` may name another stemmer of Snowball's, `german` for example; nothing that was trained
    on human scores knows its stems.
    """

    tokenizer: str = "penn"
    case: bool = False
    stem: bool | str = True

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        check_flag("case", self.case)
        if isinstance(self.stem, str):
            check_stemmer(self.stem)
        else:
            check_flag("stem", self.stem)

    @property
    def is_english(self) -> bool:
        """Whether words are stemmed as English ones, or not at all."""
        return not isinstance(self.stem, str) or self.stem in ("porter", "english")

    @property
    def signature(self) -> dict[str, str]:
        stemmer = self._stemmer
        return {
            "case": "kept" if self.case else "folded",
            "tok": self.tokenizer,
            "stem": f"{stemmer},uncalibrated" if isinstance(self.stem, str) else stemmer or "no",
        }

    @property
    def _stemmer(self) -> str | None:
        if isinstance(self.stem, str):
            return self.stem
        return PORTER if self.stem else None

    def forms(self, words: Sequence[str]) -> list[str]:
        """The words as bags hold them; with `case`, a word with capitals is left as it is."""
        stemmer = self._stemmer
        forms = stem(words, stemmer) if stemmer else [_native.lower(word) for word in words]
        if not self.case:
            return forms
        return [
            form if word == _native.lower(word) else word
            for word, form in zip(words, forms, strict=True)
        ]

    def same(self, left: Sequence[str], right: Sequence[str]) -> bool:
        """Whether the words are the same, ignoring case unless it is kept."""
        folds = str if self.case else _native.lower
        return list(map(folds, left)) == list(map(folds, right))

    def words(self, text: Text) -> list[str]:
        return self.forms(tokens_of(text, self.tokenizer))


class Pool(NamedTuple):
    """Distinct texts as numbers of words.

    Text i has the words `words[number]` of the numbers tokens[bounds[i] : bounds[i + 1]].
    """

    texts: list[str]
    tokenized: bool  # texts are tokens with spaces between them
    tokens: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    words: list[str]


PoolAndPlaces = tuple[Pool, list[NDArray[np.int64]]]


def read(columns: Sequence[Sequence[Text]], reading: Reading) -> PoolAndPlaces:
    """The distinct texts of all columns, and for each column where its texts are among them.

    Words are folded unless case is kept, and not stemmed. If any text came with its own tokens,
    all are taken as tokens.

    >>> pool, (left, right) = read([["A cat.", "a dog"], ["A cat.", "A cat."]], Reading())
    >>> pool.words, pool.bounds.tolist(), left.tolist(), right.tolist()
    (['a', 'cat', '.', 'dog'], [0, 3, 5], [0, 1], [0, 0])
    """
    has_tokens = any(Sentence in set(map(type, column)) for column in columns)
    tokenized = has_tokens or reading.tokenizer == "none"
    numbers: dict[str, int] = {}
    places = []
    for column in columns:
        if tokenized:
            lines = [" ".join(tokens_of(text, reading.tokenizer)) for text in column]
        else:
            lines = list(map(plain, map(str, column)))
        mine = [numbers.setdefault(line, len(numbers)) for line in lines]
        places.append(np.array(mine, np.int64))
    tokenizer = "none" if tokenized else reading.tokenizer
    try:
        tokens, bounds, words = _native.encode(list(numbers), tokenizer, reading.case)
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error
    return Pool(list(numbers), tokenized, tokens, bounds, list(words)), places


def running(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Where parts of these sizes begin, one after the other, and where the last one ends.

    >>> running(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def plain(text: str) -> str:
    """The text in plain typography, without curly quotes, one-character ellipses, soft hyphens and
    decomposed letters.

    >>> print(plain("\\u201cIt\\u2019s late\\u2026\\u201d"))
    "It's late..."
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)


_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2026: "...", 0xAD: None}


def as_read(explanation: Explanation) -> Explanation:
    """The explanation with its texts as the metric read them (`plain`), which spans refer to."""
    return replace(
        explanation,
        hypothesis=plain(explanation.hypothesis),
        references=tuple(plain(reference) for reference in explanation.references),
    )


def sentence_of(text: Text, tokenizer: str) -> Sentence:
    """The text in plain typography, tokenized; a `Sentence` as it is."""
    return tokenize(plain(text), tokenizer) if isinstance(text, str) else text


def tokens_of(text: Text, tokenizer: str) -> tuple[str, ...]:
    """The tokens of a text, or those that it came with."""
    return sentence_of(text, tokenizer).tokens


class Pairs(NamedTuple):
    """Hypotheses with what each is compared with, as numbers of words; a text is read once."""

    texts: list[str]
    tokenized: bool  # texts are tokens with spaces between them
    tokens: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    words: list[str]
    left: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def same(self) -> NDArray[np.bool_]:
        """Which pairs have the same words on both sides."""
        begins, sizes = self.bounds[:-1], np.diff(self.bounds)
        is_same: NDArray[np.bool_] = np.equal(self.left, self.right)
        alike = sizes[self.left] == sizes[self.right] if len(sizes) else is_same
        for pair in np.flatnonzero(alike & ~is_same).tolist():
            left, right = begins[self.left[pair]], begins[self.right[pair]]
            size = sizes[self.left[pair]]
            words = self.tokens
            is_same[pair] = np.array_equal(words[left : left + size], words[right : right + size])
        return is_same

    @classmethod
    def of(cls, left: Sequence[Text], right: Sequence[Text], reading: Reading) -> Pairs:
        """Read both sides; words are the forms that bags hold."""
        return cls.of_pool(*read([left, right], reading), reading)

    @classmethod
    def of_pool(cls, pool: Pool, places: Sequence[NDArray[np.int64]], reading: Reading) -> Pairs:
        lefts, rights = places
        if len(pool.bounds) > 1 and int(np.diff(pool.bounds).max()) > MOST_WORDS:
            raise InputError(f"a text has more than {MOST_WORDS:,} words; split it")
        forms: dict[str, int] = {}
        mapped = np.array(
            [forms.setdefault(form, len(forms)) for form in reading.forms(pool.words)], np.uint32
        )
        tokens = mapped[pool.tokens] if len(pool.tokens) else pool.tokens
        return cls(pool.texts, pool.tokenized, tokens, pool.bounds, list(forms), lefts, rights)


def f1(sums: Array, same: NDArray[np.bool_]) -> Array:
    """2 |common| / (|left| + |right|) for rows of these three.

    Where both bags are empty, 1 if the sentences are the same and 0 if they are not.

    >>> rows = np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> f1(rows, np.array([False, True, False])).tolist()
    [0.5, 1.0, 0.0]
    """
    common, total = sums[..., 0], sums[..., 1] + sums[..., 2]
    scores = np.empty(common.shape)
    scores[...] = same.reshape(same.shape + (1,) * (common.ndim - 1))
    return np.divide(2 * common, total, out=scores, where=total > 0)


def word_f1(pairs: Pairs, orders: int, threads: int) -> Array:
    """The target-language F1 of the sentences' own n-grams of up to 1, 2, ... words (PEM §4.4)."""
    sums = _native.word_overlap(
        pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, orders, threads
    )
    return f1(sums.reshape(-1, orders, 3).cumsum(axis=1), pairs.same)


class PairMetric(MeanMetric):
    """A metric of pairs: a hypothesis with one of the texts it is compared with.

    Of several references the one that gives the best score counts.
    """

    def compute(self, segments: Segments, threads: int) -> Array:
        sizes = [len(targets) for targets in segments.targets]
        left = [
            hypothesis
            for hypothesis, size in zip(segments.hypotheses, sizes, strict=True)
            for _ in range(size)
        ]
        right = [target for targets in segments.targets for target in targets]
        rows = self.measure(left, right, threads)
        rows = rows if len(rows) == len(sizes) else rows[_best_of_each(rows[:, 0], sizes)]
        return np.column_stack([rows, np.ones(len(rows))])

    @abstractmethod
    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """One row per pair: the score, then its components."""

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        return {}

    def explain_segment(self, segment: Segments) -> Explanation:
        [hypothesis], [targets] = segment.hypotheses, segment.targets
        scores = self.measure([hypothesis] * len(targets), targets, 1)[:, 0]
        best = targets[int(np.argmax(scores))]
        explanation = super().explain_segment(segment)
        return as_read(replace(explanation, details=self.details(hypothesis, best)))


def _best_of_each(scores: Array, sizes: Sequence[int]) -> list[int]:
    """The row of the best score of each segment; the first one if several are equal."""
    ends = np.cumsum(sizes)
    return [
        int(end - size + np.argmax(scores[end - size : end]))
        for end, size in zip(ends.tolist(), sizes, strict=True)
    ]
