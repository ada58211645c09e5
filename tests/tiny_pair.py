"""A pair model with random numbers: the top layers of a base, changed a little, and a head."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from otherwords.encoders.bert_folder import read_folder
from otherwords.encoders.pair_graph import TOP
from otherwords.models import container

OUTPUTS = ["same", "contradicted", "missing", "added"]
HIDDEN = 8


def arrays(base, layers, heads, seed=0, size=0.05):
    """The arrays of a file for weights of a base."""
    generator = np.random.default_rng(seed)

    def real(*shape):
        return generator.normal(0, size, shape).astype(np.float32)

    def matrix(name, weight):
        scale = (np.abs(weight).max(axis=1) / 127).astype(np.float32)
        codes = np.rint(weight / scale[:, None]).astype(np.int8)
        return {f"{name}/codes": codes, f"{name}/scale": scale}

    found = {}
    top = tuple(f"encoder.layer.{layer}." for layer in range(layers - TOP, layers))
    for name, weight in sorted(base.items()):
        if name.startswith(top) and weight.ndim == 2:
            found |= matrix(f"matrix/{name}", weight + real(*weight.shape))
        elif name.startswith(top):
            found[f"vector/{name}"] = weight + real(*weight.shape)
    width = len(base["embeddings.LayerNorm.weight"])
    found["join/across"] = real(TOP, heads) * np.float32(20)
    found["join/cover"] = real(2, width) * np.float32(10)
    found |= matrix("head/dense/weight", real(HIDDEN, 6 * width) * np.float32(5))
    found["head/dense/bias"] = real(HIDDEN)
    found["head/wrong/weight"] = real(1, width) * np.float32(10)
    found["head/wrong/bias"] = real(1)
    found["head/numbers/weight"] = real(HIDDEN, 9) * np.float32(10)
    found["head/out/weight"] = real(3, HIDDEN + 9) * np.float32(4)
    found["head/out/bias"] = real(3) + np.array([0, 2, 0], np.float32)  # rather a contradiction
    found["calibration"] = np.array([[1.0, 0.1], [0.9, -0.2], [1.1, 0.0], [1.2, 0.3]])
    # slope; six counts of findings; eight measures; shift
    more = [0.3, -0.2, 0.1, 0.2, -0.1, 0.3, 0.2, -0.1]
    found["findings"] = np.array(
        [
            [0.9, -1.0, -0.5, -0.25, -0.2, -0.1, -0.3, *more, 0.2],
            [0.8, 1.0, 0.5, 0.25, 0.2, 0.1, 0.3, *(-one for one in more), 0.1],
        ]
    )
    return found


def provenance(base, **more):
    return {"base": base, "outputs": OUTPUTS, "threshold": 0.5, "layers": 1, "seed": 0, **more}


def write_pair(path: Path, folder: Path, seed=0, **more) -> Path:
    """A model file for the base in a folder."""
    found = read_folder(folder)
    made = arrays(found.weights, found.shape.layers, found.shape.heads, seed)
    container.write(path, "pair", made, provenance(found.digest, **more))
    return path


def merged(found):
    """The weights of the trained part, plainly: what the definition of the file says."""
    weights = {}
    for key, array in found.items():
        name = key.removeprefix("matrix/").removeprefix("vector/")
        if name.endswith("/codes"):
            scale = found[f"{key.removesuffix('/codes')}/scale"][:, None]
            weights[name.removesuffix("/codes")] = array * scale.astype(np.float64)
        else:
            weights[name] = array.astype(np.float64)
    return weights
