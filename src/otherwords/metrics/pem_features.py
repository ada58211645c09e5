"""What PEM measures of a pair of sentences: pivot F1, language model, target F1 (PEM §4).

The bags of pivot n-grams are made in native/metrics/pivot_bags.cpp; here texts become words and
the bags' overlaps become numbers. `docs/pem.md` tells where the defaults come from.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.arguments import check_flag, check_number, check_whole
from otherwords.bitext.corpus import encode
from otherwords.errors import InputError, ModelError, UsageError, near
from otherwords.metrics.base import Array
from otherwords.models import find
from otherwords.models.paraphrase import ParaphraseModel
from otherwords.models.pivot_table import PivotTable
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem
from otherwords.text.tokenizer import check_tokenizer, tokenize

__all__ = ["PAPER", "Bags", "Pairs", "Reading", "fluency", "pivot_f1", "pivot_overlap", "word_f1"]


MOST_WORDS = 1 << 22  # of a text: the weights of more would not fit the kernel's whole numbers


@dataclass(frozen=True)
class Bags:
    """How the bags of pivot n-grams are made (PEM §4.2, §4.3, §6.1).

    Phrases of up to `longest` words, n-grams of up to `orders` words, translations likelier than
    `edge_threshold` (or the likeliest one), n-grams that weigh more than `ngram_threshold`;
    `renormalise` makes the translations of a phrase sum to 1.
    """

    longest: int = 4
    orders: int = 1
    edge_threshold: float = 0.0
    ngram_threshold: float = 0.0
    renormalise: bool = True

    def __post_init__(self) -> None:
        for name, most in (("longest", 16), ("orders", 8)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), 1, most))
        for name in ("edge_threshold", "ngram_threshold"):
            object.__setattr__(self, name, check_number(name, getattr(self, name), 0, 1))
        check_flag("renormalise", self.renormalise)

    @property
    def native(self) -> _native.BagOptions:
        """As the kernel takes them."""
        return _native.BagOptions(
            self.longest, self.orders, self.edge_threshold, self.ngram_threshold, self.renormalise
        )

    @property
    def signature(self) -> dict[str, str]:
        """Every one of them."""
        return {
            "longest": str(self.longest),
            "orders": str(self.orders),
            "edge": f"{self.edge_threshold:.12g}",
            "ngram": f"{self.ngram_threshold:.12g}",
            "renorm": "yes" if self.renormalise else "no",
        }


PAPER = Bags(orders=4, edge_threshold=0.1, ngram_threshold=0.01, renormalise=False)


@dataclass(frozen=True)
class Reading:
    """How raw text becomes words: Penn tokens, case folded, Porter stems (PEM §6.1)."""

    tokenizer: str = "penn"
    case: bool = False
    stem: bool = True

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        check_flag("case", self.case)
        check_flag("stem", self.stem)

    @property
    def signature(self) -> dict[str, str]:
        """What the words depend on."""
        return {
            "case": "kept" if self.case else "folded",
            "tok": self.tokenizer,
            "stem": "porter" if self.stem else "no",
        }

    def forms(self, words: Sequence[str]) -> list[str]:
        """The words as bags hold them; with `case`, a word with capitals is left as it is."""
        forms = stem(words) if self.stem else [_native.lower(word) for word in words]
        if not self.case:
            return forms
        return [
            form if word == _native.lower(word) else word
            for word, form in zip(words, forms, strict=True)
        ]

    def words(self, text: Text) -> list[str]:
        """The words of one text."""
        return self.forms(tokens_of(text, self.tokenizer))


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
        cuts = self.bounds[1:-1]
        words = [part.tobytes() for part in np.split(self.tokens, cuts)]
        numbers: dict[bytes, int] = {}
        sentences = np.array([numbers.setdefault(one, len(numbers)) for one in words])
        return np.asarray(sentences[self.left] == sentences[self.right])

    @classmethod
    def of(cls, left: Sequence[Text], right: Sequence[Text], reading: Reading) -> Pairs:
        """Read both sides. If any text came with its own tokens, all are taken as tokens."""
        given = any(isinstance(text, Sentence) for text in (*left, *right))
        tokenized = given or reading.tokenizer == "none"
        lines = [
            [_line(text, reading.tokenizer) if tokenized else plain(str(text)) for text in side]
            for side in (left, right)
        ]
        numbers: dict[str, int] = {}
        sides = [
            np.array([numbers.setdefault(line, len(numbers)) for line in side], np.int64)
            for side in lines
        ]
        tokenizer = "none" if tokenized else reading.tokenizer
        tokens, bounds, words = encode(list(numbers), tokenizer, case=reading.case)
        if len(bounds) > 1 and int(np.diff(bounds).max()) > MOST_WORDS:
            raise InputError(f"a text has more than {MOST_WORDS:,} words; split it")
        forms: dict[str, int] = {}
        mapped = np.array(
            [forms.setdefault(form, len(forms)) for form in reading.forms(words)], np.uint32
        )
        if len(tokens):
            tokens = mapped[tokens]
        return cls(list(numbers), tokenized, tokens, bounds, list(forms), *sides)


def plain(text: str) -> str:
    """The text without what is typography only: curly quotes, one-character ellipses, soft
    hyphens, decomposed letters.

    >>> print(plain("\\u201cIt\\u2019s late\\u2026\\u201d"))
    "It's late..."
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)


_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2026: "...", 0xAD: None}


def tokens_of(text: Text, tokenizer: str) -> tuple[str, ...]:
    """The tokens of a text, or those that it came with."""
    return tokenize(plain(text), tokenizer).tokens if isinstance(text, str) else text.tokens


def _line(text: Text, tokenizer: str) -> str:
    tokens = tokens_of(text, tokenizer)
    return " ".join(tokens)


@lru_cache(maxsize=8)
def _opened(path: Path, changed: int) -> ParaphraseModel:
    return ParaphraseModel.load(path)


def open_model(name_or_path: str | Path) -> ParaphraseModel:
    """The paraphrase model, opened once for all metrics that use it."""
    if not isinstance(name_or_path, (str, Path)):
        raise UsageError(f"model must be a name or a path, not {name_or_path!r}")
    path = find(name_or_path)
    return _opened(path.resolve(), path.stat().st_mtime_ns)


def choose_languages(model: ParaphraseModel, wanted: str | Sequence[str] | None) -> list[str]:
    """The pivot languages to use: all that the model has, or those that are named."""
    known = model.languages
    if not known:
        raise ModelError(f"{model.model.path}: the model has no pivot language")
    if wanted is None:
        return sorted(known)
    names = wanted.split(",") if isinstance(wanted, str) else wanted
    listed = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
    if not listed or not names:
        raise UsageError(f"languages must be names such as 'fr,zh', not {wanted!r}")
    for name in names:
        if name not in known:
            raise UsageError(f"the model has no pivot language '{name}'; {near(name, known)}")
    return sorted(set(names))


def f1(sums: Array, same: NDArray[np.bool_]) -> Array:
    """2 |common| / (|left| + |right|) for rows of these three.

    Where both bags are empty, 1 if the sentences are the same and 0 if they are not.

    >>> rows = np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> f1(rows, np.array([False, True, False])).tolist()
    [0.5, 1.0, 0.0]
    """
    common, total = sums[..., 0], sums[..., 1] + sums[..., 2]
    nothing = np.broadcast_to(same.reshape(same.shape + (1,) * (common.ndim - 1)), common.shape)
    return np.divide(2 * common, total, out=nothing.astype(np.float64), where=total > 0)


def pivot_overlap(
    pairs: Pairs, tables: Mapping[str, PivotTable], bags: Bags, threads: int
) -> tuple[Array, Array]:
    """What the bags of each pair have in common: [pairs, languages, orders, (common, left, right)],
    and which languages count: [pairs, languages].

    A language whose table knows no phrase of either sentence says nothing of them and does not
    count, unless none of the languages does.
    """
    overlaps, known = [], []
    for table in tables.values():
        sums, found = _native.pivot_overlap(
            table.native,
            float(table.total),
            bags.native,
            pairs.tokens,
            pairs.bounds,
            pairs.words,
            pairs.left,
            pairs.right,
            threads,
        )
        overlaps.append(sums.reshape(-1, bags.orders, 3))
        known.append(found.astype(bool))
    counts = np.stack(known, axis=1)
    counts |= ~counts.any(axis=1, keepdims=True)
    return np.stack(overlaps, axis=1), counts.astype(np.float64)


def pivot_f1(
    pairs: Pairs, tables: Mapping[str, PivotTable], bags: Bags, threads: int
) -> tuple[Array, Array]:
    """The pivot-language F1 of each pair: [pairs, languages], and which of them count."""
    overlaps, counts = pivot_overlap(pairs, tables, bags, threads)
    return f1(overlaps.sum(axis=2), pairs.same), counts


def mean_and_spread(values: Array, weights: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of each row over the values that count."""
    size = weights.sum(axis=1)
    mean = (values * weights).sum(axis=1) / size
    spread = np.sqrt(((values - mean[:, None]) ** 2 * weights).sum(axis=1) / size)
    return mean, spread


def word_f1(pairs: Pairs, orders: int, threads: int) -> Array:
    """The target-language F1 of the sentences' own n-grams of up to 1, 2, ... words (PEM §4.4)."""
    sums = _native.word_overlap(
        pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, orders, threads
    )
    return f1(sums.reshape(-1, orders, 3).cumsum(axis=1), pairs.same)


def fluency(pairs: Pairs, model: ParaphraseModel, threads: int) -> tuple[Array, Array]:
    """log10 Pr(S) / length(S) of both sides of each pair (PEM §4.4).

    The end of the sentence is an event like every word: length counts it, so that an empty
    sentence has a score too. The model's probability of an unknown word is that of all of them
    together; the one that stands there gets 1 / V of it, V being the size of the vocabulary.
    """
    lm = model.language_model
    if lm is None:
        raise ModelError(
            f"{model.model.path}: the model has no language model, which fluency needs; "
            "build one with --lm"
        )
    sentences: Any = [text.split() for text in pairs.texts] if pairs.tokenized else pairs.texts
    scores = lm.scores(sentences, threads=threads)
    unknown = np.log10(max(lm.sizes[0], 1)) * scores.unknown
    normalised = (scores.log10 - unknown) / (scores.tokens + 1)
    return normalised[pairs.left], normalised[pairs.right]
