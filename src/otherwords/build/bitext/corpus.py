"""A bitext as arrays: the words of each side as ids, sentence by sentence."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, UsageError, near
from otherwords.text.language import is_foreign, words_of

TOKENIZERS = ("auto", "characters", "jieba", "none", "penn", "words")
BLOCK = 1 << 14  # texts held in memory at a time while encoding
_SAMPLE = 200


class Side(NamedTuple):
    """One language of a bitext: word ids, where each sentence starts, and the words."""

    tokens: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    words: Sequence[str]

    @property
    def native(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], int]:
        return self.tokens, self.bounds, len(self.words)

    def sentence(self, number: int) -> list[str]:
        begin, end = self.bounds[number], self.bounds[number + 1]
        return [self.words[word] for word in self.tokens[begin:end]]

    def part(self, begin: int, end: int) -> Side:
        bounds = self.bounds[begin : end + 1]
        return Side(self.tokens[bounds[0] : bounds[-1]], bounds - bounds[0], self.words)

    def renumber(self, words: Sequence[str], ids: dict[str, int]) -> Side:
        """Map each word to the id of its replacement; new ones are added to `ids`."""
        new_ids = np.array([ids.setdefault(word, len(ids)) for word in words], np.uint32)
        tokens = new_ids[self.tokens] if len(self.tokens) else self.tokens
        return Side(tokens, self.bounds, list(ids))


class Bitext(NamedTuple):
    """Two sides with the same sentences in two languages."""

    left: Side
    right: Side

    @property
    def size(self) -> int:
        return len(self.left.bounds) - 1


def encode(texts: Iterable[str], tokenizer: str = "auto", *, case: bool = False) -> Side:
    """Number the words of texts in order of appearance, in lower case unless `case`.

    >>> side = encode(["L'homme qui rit.", "Il rit"], "words")
    >>> side.sentence(0), side.bounds.tolist()
    (["l'", 'homme', 'qui', 'rit', '.'], [0, 5, 7])
    """
    if tokenizer == "auto":
        texts = texts if isinstance(texts, Sequence) else list(texts)
        tokenizer = choose_tokenizer(texts)
    remaining = iter(texts)
    blocks = iter(lambda: list(islice(remaining, BLOCK)), [])
    first = _encode_block(next(blocks, []), tokenizer, case)
    return join_sides(first, (_encode_block(block, tokenizer, case) for block in blocks))


def _encode_block(lines: list[str], name: str, case: bool) -> Side:
    if name == "jieba":
        lines, name = _segment(lines), "none"
    try:
        return Side(*_native.encode(lines, name, case))
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error


def join_sides(first: Side, others: Iterable[Side]) -> Side:
    """Append sides to the first; words are numbered in the order of appearance.

    Arrays grow in place, without a copy.
    """
    tokens, bounds = array("I"), array("q")
    ids: dict[str, int] = {}
    for other in others:
        if not bounds:
            ids = {word: number for number, word in enumerate(first.words)}
            _extend(tokens, first.tokens)
            _extend(bounds, first.bounds)
        mapped = np.array([ids.setdefault(word, len(ids)) for word in other.words], np.uint32)
        _extend(bounds, other.bounds[1:] + len(tokens))
        _extend(tokens, mapped[other.tokens] if len(mapped) else other.tokens)
    if not bounds:
        return first
    return Side(np.frombuffer(tokens, np.uint32), np.frombuffer(bounds, np.int64), list(ids))


def _extend(to: array[int], numbers: NDArray[Any]) -> None:
    to.frombytes(np.ascontiguousarray(numbers).view(np.uint8).data)


def choose_tokenizer(texts: Sequence[str]) -> str:
    """Choose `characters` for Chinese and Japanese, `penn` for English, `words` for the rest.

    >>> choose_tokenizer(["我们 走吧 。"]), choose_tokenizer(["Il pleut et il fait froid"])
    ('characters', 'words')
    """
    sample = texts[:: max(1, len(texts) // _SAMPLE)][:_SAMPLE]
    joined = "".join(sample)
    unspaced = sum(_is_unspaced(c) for c in joined)
    if 3 * unspaced > sum(c.isalpha() for c in joined):
        return "characters"
    return "words" if is_foreign(words_of(sample)) else "penn"


def _is_unspaced(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"


def check_tokenizers(name: str) -> tuple[str, str]:
    """Return the tokenizers of both sides from one name, or two separated by a comma.

    >>> check_tokenizers("penn,characters"), check_tokenizers("none")
    (('penn', 'characters'), ('none', 'none'))
    """
    names = name.split(",")
    for part in names:
        if part not in TOKENIZERS:
            raise UsageError(f"unknown tokenizer '{part}'; {near(part, TOKENIZERS)}")
    if len(names) > 2:
        raise UsageError(f"a bitext has two sides; '{name}' names {len(names)} tokenizers")
    return names[0], names[-1]


def load_jieba() -> Any:
    """Import jieba, which cuts Chinese text into words; no extra of users brings it."""
    try:
        import jieba
    except ImportError as error:
        raise UsageError(
            "the tokenizer 'jieba' needs the package jieba; install it, or take 'characters'"
        ) from error
    jieba.setLogLevel(60)
    return jieba


def _segment(texts: Iterable[str]) -> list[str]:
    jieba = load_jieba()
    return [" ".join(jieba.lcut(text)) for text in texts]
