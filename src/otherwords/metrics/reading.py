"""How metrics of pairs read raw text: tokens, case, stems; every text once, as numbers of words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Explanation
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import PORTER, check_stemmer, stem
from otherwords.text.tokenizer import check_tokenizer, tokenize

__all__ = ["Pool", "Reading", "as_read", "plain", "read", "running", "sentence_of", "tokens_of"]


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
    def signature(self) -> dict[str, str]:
        """What the words depend on."""
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

    def same(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Whether the words are the same, ignoring case unless it is kept."""
        folds = str if self.case else _native.lower
        return list(map(folds, one)) == list(map(folds, other))

    def words(self, text: Text) -> list[str]:
        """The words of one text."""
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
    given = any(Sentence in set(map(type, column)) for column in columns)
    tokenized = given or reading.tokenizer == "none"
    numbers: dict[str, int] = {}
    places = [
        np.array(
            [
                numbers.setdefault(line, len(numbers))
                for line in _lines(column, reading.tokenizer, tokenized)
            ],
            np.int64,
        )
        for column in columns
    ]
    tokenizer = "none" if tokenized else reading.tokenizer
    try:
        tokens, bounds, words = _native.encode(list(numbers), tokenizer, reading.case)
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error
    return Pool(list(numbers), tokenized, tokens, bounds, list(words)), places


def running(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Where each of the parts of such sizes begins, and the end of all.

    >>> running(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends


def plain(text: str) -> str:
    """The text without what is typography only: curly quotes, one-character ellipses, soft
    hyphens, decomposed letters.

    >>> print(plain("\\u201cIt\\u2019s late\\u2026\\u201d"))
    "It's late..."
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)


_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2026: "...", 0xAD: None}


def as_read(explanation: Explanation) -> Explanation:
    """The explanation with its texts as they were read, except for typography: spans fit these."""
    return replace(
        explanation,
        hypothesis=plain(explanation.hypothesis),
        references=tuple(plain(reference) for reference in explanation.references),
    )


def sentence_of(text: Text, tokenizer: str) -> Sentence:
    """The text tokenized, except for typography, or the sentence that it came as."""
    return tokenize(plain(text), tokenizer) if isinstance(text, str) else text


def tokens_of(text: Text, tokenizer: str) -> tuple[str, ...]:
    """The tokens of a text, or those that it came with."""
    return sentence_of(text, tokenizer).tokens


def _lines(column: Sequence[Text], tokenizer: str, tokenized: bool) -> list[str]:
    if tokenized:
        return [" ".join(tokens_of(text, tokenizer)) for text in column]
    texts = map(str, column)
    return [text if text.isascii() else plain(text) for text in texts]
