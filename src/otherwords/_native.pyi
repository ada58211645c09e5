"""Types of the native core (native/*.cpp)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

def hash_words(words: list[str]) -> NDArray[np.uint64]: ...

class Tagger:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    @property
    def tag_names(self) -> list[str]: ...
    def tag(self, sentences: list[list[str]], threads: int = 1) -> list[list[str]]: ...
    def tag_codes(self, sentences: list[list[str]], threads: int = 1) -> NDArray[np.uint8]: ...

def train_tagger(
    sentences: list[list[str]],
    tags: NDArray[np.uint8],
    tag_count: int,
    lexicon: dict[str, NDArray[Any]],
    **options: int,
) -> dict[str, NDArray[Any]]: ...
def folded_word_keys(words: list[str]) -> NDArray[np.uint64]: ...
def cluster_words(
    text: NDArray[np.uint32],
    vocabulary: int,
    *,
    classes: int,
    levels: list[int],
    iterations: int,
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]: ...
