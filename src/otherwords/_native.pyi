"""What native/ offers to Python; see the bindings.cpp of each folder there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def hash_words(words: Sequence[str]) -> NDArray[np.uint64]: ...
def lower(text: str) -> str: ...
def has_alphanumeric(text: str) -> bool: ...
def token_spans(text: str, tokenizer: str) -> list[tuple[int, int]]: ...

class Lexicon:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    def lemmatize(self, words: list[str], tags: list[str], keep_case: bool) -> list[str]: ...
    def synonyms(self, a: str, b: str) -> bool: ...
    def __contains__(self, lemma: str) -> bool: ...

class Columns:
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...

def annotate(
    texts: Sequence[Any],
    tagger: Tagger,
    lexicon: Lexicon,
    tokenizer: str,
    keep_case: bool,
    threads: int,
) -> Columns: ...
def pack(
    lengths: list[int],
    tags: list[str],
    lemmas: list[str],
    words: list[bool],
    heads: list[int],
    relations: list[str],
) -> Columns: ...
def maxsim_counts(
    columns: Columns,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    lexicon: Lexicon,
    orders: int,
    dependencies: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def maxsim_matches(
    columns: Columns, left: int, right: int, lexicon: Lexicon, orders: int, dependencies: bool
) -> list[tuple[int, int, int, int, float]]: ...
