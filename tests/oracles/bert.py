"""BERT's forward pass (Devlin et al. 2019) and BERTScore (Zhang et al. 2020), plainly."""

from __future__ import annotations

import math

import numpy as np


def states(weights, ids, layers, heads, epsilon=1e-12):
    """The last layer of one text."""
    rows = [
        weights["embeddings.word_embeddings.weight"][piece]
        + weights["embeddings.position_embeddings.weight"][place]
        + weights["embeddings.token_type_embeddings.weight"][0]
        for place, piece in enumerate(ids)
    ]
    x = norm(np.array(rows, np.float64), weights, "embeddings.LayerNorm", epsilon)
    for layer in range(layers):
        x = one_layer(x, weights, layer, heads, epsilon)
    return x


def one_layer(x, weights, layer, heads, epsilon=1e-12, added=None):
    """A layer; `added` has for each head what is added to the comparison of two places."""
    name = f"encoder.layer.{layer}"
    q, k, v = (dense(x, weights, f"{name}.attention.self.{p}") for p in ("query", "key", "value"))
    size = x.shape[1] // heads
    parts = []
    for head in range(heads):
        here = slice(head * size, (head + 1) * size)
        compared = q[:, here] @ k[:, here].T / math.sqrt(size)
        weight = np.exp(compared if added is None else compared + added[head])
        parts.append(weight / weight.sum(axis=1, keepdims=True) @ v[:, here])
    attended = dense(np.concatenate(parts, axis=1), weights, f"{name}.attention.output.dense")
    x = norm(x + attended, weights, f"{name}.attention.output.LayerNorm", epsilon)
    wide = gelu(dense(x, weights, f"{name}.intermediate.dense"))
    made = dense(wide, weights, f"{name}.output.dense")
    return norm(x + made, weights, f"{name}.output.LayerNorm", epsilon)


def pair(base, trained, one, other, layers, heads, top):
    """Logits of a pair by docs/pair.md: the second text is compared with the first."""
    below = [states(base, ids, layers - top, heads) for ids in (one, other)]
    after = [states(base, ids, layers, heads) for ids in (one, other)]
    best, there = [], []
    for mine, theirs, my, their in ((0, 1, one, other), (1, 0, other, one)):
        unit = [rows[1:-1] / np.linalg.norm(rows[1:-1], axis=1)[:, None] for rows in after]
        best.append([max(float(row @ column) for column in unit[theirs]) for row in unit[mine]])
        there.append([float(piece in their[1:-1]) for piece in my[1:-1]])
    cover = [
        np.array([(0.0, 0.0), *zip(there[n], best[n], strict=True), (0.0, 0.0)]) for n in (0, 1)
    ]
    x = np.concatenate(
        [rows + c @ trained["join/cover"] for rows, c in zip(below, cover, strict=True)]
    )
    side = np.array([0] * len(one) + [1] * len(other))
    across = (side[:, None] != side[None, :]).astype(float)
    for place in range(top):
        added = [across * weight for weight in trained["join/across"][place]]
        x = one_layer(x, trained, layers - top + place, heads, added=added)
    mean = [rows.mean(axis=0) for rows in after]
    whole = mean[0] @ mean[1] / np.linalg.norm(mean[0]) / np.linalg.norm(mean[1])
    wrong = (x @ trained["head/wrong/weight"][0] + trained["head/wrong/bias"][0]) / 4
    pools, about = [], []
    for n in (0, 1):
        rows = x[side == n]
        pools.append(np.concatenate([rows[0], rows.mean(axis=0), rows.max(axis=0)]))
        mine = (np.mean(best[n]), min(best[n]), np.mean(there[n]), wrong[side == n].max())
        about.append(mine)
    outputs = []
    for n in (0, 1):
        numbers = np.array([whole, *np.ravel(list(zip(about[n], about[1 - n], strict=True)))])
        states_ = np.concatenate([pools[n], pools[1 - n]])
        hidden = trained["head/dense/weight"] @ states_ + trained["head/dense/bias"]
        hidden = gelu(hidden + trained["head/numbers/weight"] @ numbers)
        outputs.append(
            trained["head/out/weight"] @ np.concatenate([hidden, numbers])
            + trained["head/out/bias"]
        )
    both = (outputs[0][:2] + outputs[1][:2]) / 2
    return np.array([*both, outputs[0][2], outputs[1][2]])


def dense(x, weights, name):
    return x @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


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
