"""Universal Sentence Encoder Multilingual in plain Python, from the arrays of the model."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from otherwords.models.arrays import hash_words

LONGEST = 16  # characters of a piece


def split(arrays, text):
    """The rows of the most probable pieces."""
    text = re.sub(" +", " ", unicodedata.normalize("NFKC", text)).strip()
    if not text:
        return arrays["pieces/unknown"].tolist()
    text = "▁" + text.replace(" ", "▁")
    row_of = dict(zip(arrays["pieces/listed"].tolist(), range(10**6), strict=False))
    scores = arrays["pieces/scores"].astype(float)
    best = [(0.0, [])]
    for end in range(1, len(text) + 1):
        found = []
        for begin in range(max(0, end - LONGEST), end):
            score, rows = best[begin]
            row = row_of.get(int(hash_words([text[begin:end]])[0]))
            if row is not None:
                found.append((score + scores[row], [*rows, row]))
            elif begin == end - 1:
                unknown = int(arrays["pieces/unknown"][0])
                found.append((score + scores.min() - 10, [*rows, unknown]))
        best.append(max(found, key=lambda pair: pair[0]))
    return best[-1][1]


def embed(arrays, row, width=512):
    """One row of the table, bit by bit."""
    sizes = arrays["words/sizes"].astype(int)
    begin = int(sizes[:row].sum())
    bits = np.unpackbits(arrays["words/bits"][begin : begin + sizes[row]])
    group = arrays["words/groups"][row]
    lengths = arrays["words/lengths"].reshape(-1, 64)[group]
    codes, code = {}, 0
    for length in range(1, 13):
        for symbol in np.flatnonzero(lengths == length).tolist():
            codes[length, code] = symbol
            code += 1
        code *= 2
    symbols, length, code = [], 0, 0
    for bit in bits.tolist():
        length, code = length + 1, 2 * code + bit
        if (length, code) in codes:
            symbols.append(codes[length, code])
            length = code = 0
    scale, low = arrays["words/scales"][group], arrays["words/lows"][group]
    return low + scale * np.array(symbols[:width], float)


def linear(arrays, name, rows):
    """y = W x + b, each row of x rounded to 8 bits."""
    outputs = len(arrays[f"{name}/bias"])
    panels = arrays[f"{name}/panels"].reshape(outputs // 16, -1, 16, 4).astype(float)
    weights = panels.transpose(0, 2, 1, 3).reshape(outputs, -1) * arrays[f"{name}/scales"][:, None]
    peaks = np.abs(rows).max(axis=1, keepdims=True) / 127
    return (
        np.rint(rows / np.where(peaks > 0, peaks, 1)) * peaks @ weights.T + arrays[f"{name}/bias"]
    )


def norm(arrays, name, rows):
    centred = rows - rows.mean(axis=1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=1, keepdims=True) + arrays["epsilon"])
    return centred / scale * arrays[f"{name}/weight"] + arrays[f"{name}/bias"]


def encode(arrays, text):
    ends = [arrays["pieces/begin"].tolist(), arrays["pieces/end"].tolist()]
    rows = np.array([embed(arrays, row) for row in ends[0] + split(arrays, text) + ends[1]])
    features = [rows]
    projected = norm(arrays, "project_norm", linear(arrays, "project", rows))
    for order, (size, before) in enumerate(((2, 0), (3, 1), (5, 2))):
        state = np.split(projected, 3, axis=1)[order]
        for layer in (2 * order, 2 * order + 1):
            padded = np.pad(state, ((before, size - 1 - before), (0, 0)))
            windows = np.hstack([padded[k : k + len(rows)] for k in range(size)])
            state = state + np.maximum(linear(arrays, f"convolutions/{layer}", windows), 0)
        features.append(state)
    mean = norm(arrays, "norm", np.hstack(features)).mean(axis=0, keepdims=True)
    text_row = linear(arrays, "mean", mean) * np.sqrt(len(rows))
    dense = [lambda x, k=k: linear(arrays, f"dense/{k}", x) for k in range(6)]
    first = np.maximum(dense[1](text_row) + dense[2](np.maximum(dense[0](text_row), 0)), 0)
    last = np.tanh(dense[4](first) + dense[5](np.maximum(dense[3](first), 0)))[0]
    return last / np.linalg.norm(last)
