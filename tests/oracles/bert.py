"""BERT's forward pass (Devlin et al. 2019) and BERTScore (Zhang et al. 2020), plainly."""

from __future__ import annotations

import math

import numpy as np


def states(weights, ids, layers, heads, epsilon=1e-12, types=None):
    """The last layer of one text, or of a pair with the types of its pieces."""
    kinds = weights["embeddings.token_type_embeddings.weight"]
    rows = [
        weights["embeddings.word_embeddings.weight"][piece]
        + weights["embeddings.position_embeddings.weight"][place]
        + kinds[0 if types is None else types[place]]
        for place, piece in enumerate(ids)
    ]
    x = norm(np.array(rows, np.float64), weights, "embeddings.LayerNorm", epsilon)
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        q, k, v = (
            dense(x, weights, f"{name}.attention.self.{p}") for p in ("query", "key", "value")
        )
        size = x.shape[1] // heads
        parts = []
        for head in range(heads):
            here = slice(head * size, (head + 1) * size)
            weight = np.exp(q[:, here] @ k[:, here].T / math.sqrt(size))
            parts.append(weight / weight.sum(axis=1, keepdims=True) @ v[:, here])
        attended = dense(np.concatenate(parts, axis=1), weights, f"{name}.attention.output.dense")
        x = norm(x + attended, weights, f"{name}.attention.output.LayerNorm", epsilon)
        wide = dense(x, weights, f"{name}.intermediate.dense")
        wide = gelu(wide)
        made = dense(wide, weights, f"{name}.output.dense")
        x = norm(x + made, weights, f"{name}.output.LayerNorm", epsilon)
    return x


def dense(x, weights, name):
    return x @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def head(rows, weights):
    """Logits of a pair: the state of [CLS] beside the mean of all states, one hidden layer."""
    joined = np.concatenate([rows[0], rows.mean(axis=0)])
    hidden = gelu(weights["head/dense/weight"] @ joined + weights["head/dense/bias"])
    return weights["head/out/weight"] @ hidden + weights["head/out/bias"]


def norm(x, weights, name, epsilon):
    centred = x - x.mean(axis=1, keepdims=True)
    unit = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + epsilon)
    return unit * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def bertscore(one, other, mine=None, theirs=None):
    """Precision and recall; rows are states with those of [CLS] and [SEP], which weigh nothing."""

    def side(rows, columns, weights):
        total = 0.0
        weights = [1.0] * (len(rows) - 2) if weights is None else weights
        for row, weight in zip(rows[1:-1], weights, strict=True):
            best = max(
                float(row @ column / np.linalg.norm(row) / np.linalg.norm(column))
                for column in columns
            )
            total += weight * best
        return total / sum(weights)

    return side(one, other, mine), side(other, one, theirs)
