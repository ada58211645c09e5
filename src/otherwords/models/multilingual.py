"""Universal Sentence Encoder Multilingual, the model of the package `otherwords-multilingual`.

A text is cut into pieces of a unigram model; their embeddings and convolutions over neighbours are
averaged, and dense layers make a vector of them. Run by the kernel in native/core/encoder: the same
file and text give the same bytes on every machine and with any number of threads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import ModelError, UsageError, require
from otherwords.io.arguments import check_whole
from otherwords.models.container import Model, load_once
from otherwords.models.encoder import check_texts

KIND = "averaging"
PACKAGE = "otherwords_multilingual"
# A text of a language that the model was not trained on is spelt in many improbable pieces.
MOST_COST = 4.2  # nats per character
MOST_DENSE_COST = 15.0  # the same where characters are syllables or words
ALLOWANCE = 15.0  # nats for one rare word
_DENSE = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def companion(name: str = "multilingual") -> Path | None:
    """A model of the companion package, if it is installed."""
    spec = find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    return Path(folders[0]) / f"{name}.owm" if folders else None


class MultilingualEncoder:
    """Vectors of texts in Arabic, Chinese, Dutch, English, French, German, Italian, Japanese,
    Korean, Polish, Portuguese, Russian, Spanish, Thai and Turkish.

    Parameters
    ----------
    model
        An opened model file of the kind `averaging`.
    instructions
        `plain`, `avx2` or `avx512` (default: the fastest available). Results do not depend on it.
    """

    def __init__(self, model: Model, *, instructions: str = "") -> None:
        self.digest = model.short_digest
        try:
            self._native = _native.AveragingEncoder(dict(model.arrays), instructions)
        except (ValueError, TypeError, RuntimeError) as error:
            if "instructions" in str(error):
                raise UsageError(str(error)) from error
            raise ModelError(f"{model.path}: the encoder model is damaged: {error}") from error
        self._costs = -model.arrays["pieces/scores"].astype(np.float64)
        self._costs[model.arrays["pieces/unknown"]] = self._costs.max() + 10.0

    @classmethod
    def load(cls, path: str | Path | None = None) -> MultilingualEncoder:
        """Open a file (default: that of the companion package); opened once per process."""
        if path is None:
            require(PACKAGE)
        return load_once(KIND, path or companion() or "", cls, "encoder model")

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> NDArray[np.float32]:
        """One vector of length 1 per text."""
        flat = self._native.encode(check_texts(texts), check_whole("threads", threads, 1, 4096))
        return flat.reshape(len(texts), self._native.outputs)

    def cosines(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """The cosine of each pair (texts[left], texts[right])."""
        rows = self.encode(texts, threads=threads)
        return _native.unit_cosines(rows.reshape(-1), rows.shape[1], left, right)

    def pieces(self, text: str) -> NDArray[np.uint32]:
        """The rows of the text's pieces."""
        return self._native.pieces(check_texts([text])[0])

    def knows(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each text looks like one of the encoder's languages.

        Czech and Hindi do not; short texts of related languages may.
        """
        return np.array([self._knows(text) for text in texts], bool)

    def _knows(self, text: str) -> bool:
        characters = len("".join(text.split()))
        is_dense = len(_DENSE.findall(text)) > characters / 3
        most = characters * (MOST_DENSE_COST if is_dense else MOST_COST) + ALLOWANCE
        return bool(self._costs[self.pieces(text)].sum() < most)
