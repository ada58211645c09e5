"""A packed encoder in NumPy: 8-bit products as whole numbers, the rest in double precision."""

from __future__ import annotations

import math

import numpy as np


def quantise(rows):
    """Codes from -127 to 127 and the scale of each row, in the arithmetic of the file format."""
    rows = np.asarray(rows, np.float32)
    peak = np.abs(rows).max(axis=1)
    factor = np.where(peak > 0, np.float32(127) / np.where(peak > 0, peak, 1), 0).astype(np.float32)
    return np.rint(rows * factor[:, None]).astype(np.int64), peak / np.float32(127)


def unpack(panels, outputs, inputs):
    """The matrix of weights [outputs, inputs] from panels of 16 outputs times 4 inputs."""
    matrix = np.zeros((outputs, inputs), np.int64)
    steps = -(-inputs // 4)
    for o in range(outputs):
        for i in range(inputs):
            matrix[o, i] = panels[(o // 16 * steps + i // 4) * 64 + o % 16 * 4 + i % 4]
    return matrix


def linear(rows, arrays, name):
    bias = arrays[f"{name}/bias"].astype(np.float64)
    weights = unpack(arrays[f"{name}/panels"], bias.size, rows.shape[1])
    codes, scales = quantise(rows)
    sums = codes @ weights.T
    return sums * arrays[f"{name}/scales"].astype(np.float64) * scales[:, None] + bias


def gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def norm(x, arrays, name, epsilon):
    centred = x - x.mean(axis=1, keepdims=True)
    unit = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + epsilon)
    return unit * arrays[f"{name}/weight"] + arrays[f"{name}/bias"]


def embedding(arrays, name, row, width):
    codes, scale = arrays[f"{name}/codes"], float(arrays[f"{name}/scales"][row])
    if codes.size == len(arrays[f"{name}/scales"]) * width:
        return codes.view(np.int8).reshape(-1, width)[row] * scale
    halves = codes.reshape(-1, width // 2)[row]
    levels = np.concatenate([halves & 15, halves >> 4]) - 7.5
    return levels * scale * arrays[f"{name}/columns"]


def states(arrays, stack, rows, second=None):
    """The last layer's states of one text, given as rows of the table of words."""
    at = f"stacks/{stack}"
    layers, heads, *_ = arrays[f"{at}/settings"].tolist()
    epsilon = float(arrays[f"{at}/epsilon"][0])
    width = arrays[f"{at}/norm/weight"].size
    types = arrays[f"{at}/types"].reshape(-1, width)
    second = len(rows) if second is None else second
    x = np.array(
        [
            embedding(arrays, "words", row, width)
            + embedding(arrays, "positions", place, width)
            + types[int(place >= second)]
            for place, row in enumerate(rows)
        ]
    )
    x = norm(x, arrays, f"{at}/norm", epsilon)
    for layer in range(layers):
        name = f"{at}/layers/{layer}"
        q, k, v = np.split(linear(x, arrays, f"{name}/qkv"), 3, axis=1)
        mixed = []
        for head in range(heads):
            here = slice(head * width // heads, (head + 1) * width // heads)
            scores = q[:, here] @ k[:, here].T / math.sqrt(width // heads)
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            mixed.append(weights / weights.sum(axis=1, keepdims=True) @ v[:, here])
        added = linear(np.concatenate(mixed, axis=1), arrays, f"{name}/out")
        x = norm(x + added, arrays, f"{name}/attention_norm", epsilon)
        inner = gelu(linear(x, arrays, f"{name}/up"))
        x = norm(x + linear(inner, arrays, f"{name}/down"), arrays, f"{name}/norm", epsilon)
    return x


def head(arrays, stack, rows, second):
    """A pair's outputs: [CLS], the mean of either side, linear layers with GELU between them."""
    x = states(arrays, stack, rows, second)
    pooled = np.concatenate([x[0], x[:second].mean(axis=0), x[second:].mean(axis=0)])[None]
    count = int(arrays[f"stacks/{stack}/settings"][5])
    for layer in range(count):
        pooled = linear(pooled, arrays, f"stacks/{stack}/head/{layer}")
        if layer + 1 < count:
            pooled = gelu(pooled)
    return pooled[0]
