"""Text as numbers of words: what the estimation of a language model reads."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, UsageError
from otherwords.text.tokenizer import check_tokenizer

__all__ = ["TextEncoder", "keeps_case"]

_BATCH = 4096  # sentences that are held as strings at a time


class TextEncoder:
    """Reads sentences and keeps the numbers of their words.

    `<s>`, `</s>` and `<unk>` are the model's own; in a text they are refused, as KenLM's
    lmplz does, or left out with `skip_symbols`.

    >>> encoder = TextEncoder("penn")
    >>> encoder.add(["The dog.", "", "The cat."])
    >>> tokens, bounds, words = encoder.take()
    >>> tokens.tolist(), bounds.tolist(), words
    ([0, 1, 2, 0, 3, 2], [0, 3, 3, 6], ['the', 'dog', '.', 'cat'])
    """

    def __init__(
        self, tokenizer: str = "penn", *, case: bool | None = None, skip_symbols: bool = False
    ) -> None:
        self.tokenizer = check_tokenizer(tokenizer)
        self.case = keeps_case(tokenizer, case)
        self._skip = skip_symbols
        self._native = _native.EncodedText(self.tokenizer, self.case)

    def add(self, sentences: Iterable[str], *, path: str | None = None) -> None:
        """Add sentences; `path` is their file, one per line, for errors."""
        if isinstance(sentences, str):
            raise UsageError("give a list of sentences, not one string")
        done = 0
        unread = iter(sentences)
        while batch := list(islice(unread, _BATCH)):
            try:
                refused = self._native.add(batch, self._skip)
            except UnicodeEncodeError as error:
                raise InputError("a text has a lone surrogate", path=path) from error
            except TypeError as error:
                raise UsageError("the sentences must be strings") from error
            if refused is not None:
                place, word = refused
                raise InputError(
                    f"the text holds the reserved word {word}; "
                    "remove it, or leave such words out with --skip-symbols",
                    path=path or "sentence",
                    line=done + place + 1,
                )
            done += len(batch)

    def take(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], list[str]]:
        """The tokens, the bounds of the sentences and the words; call it once, at the end."""
        words = self._native.words()
        tokens, bounds = self._native.take()
        return tokens, bounds, words


def keeps_case(tokenizer: str, case: bool | None) -> bool:
    """Whether case is kept: if not said, only in text that is tokenized already.

    >>> keeps_case("penn", None), keeps_case("none", None), keeps_case("none", False)
    (False, True, False)
    """
    return tokenizer == "none" if case is None else case
