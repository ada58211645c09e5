"""A pair model with random numbers: updates of a base's top layers and a head."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from otherwords.encoders.bert_folder import read_folder
from otherwords.models import container

OUTPUTS = ["same", "contradicted", "missing", "added"]
HIDDEN, RANK = 8, 3


def arrays(base, layers, seed=0, size=0.05):
    """A matrix that is replaced, low-rank updates, vectors and a head for weights of a base."""
    generator = np.random.default_rng(seed)

    def real(*shape):
        return generator.normal(0, size, shape).astype(np.float32)

    def codes(*shape):
        return generator.integers(-127, 128, shape).astype(np.int8)

    top = f"encoder.layer.{layers - 1}"
    found = {}
    replaced = f"{top}.attention.self.query.weight"
    scale = np.abs(base[replaced]).max(axis=1) / 127
    found[f"matrix/{replaced}/codes"] = np.rint(base[replaced] / scale[:, None]).astype(np.int8)
    found[f"matrix/{replaced}/scale"] = (scale * 1.1).astype(np.float32)
    for name in (f"{top}.output.dense.weight", "encoder.layer.0.intermediate.dense.weight"):
        outputs, inputs = base[name].shape
        for part, shape in (("a", (RANK, inputs)), ("b", (outputs, RANK))):
            found[f"low/{name}/{part}/codes"] = codes(*shape)
            found[f"low/{name}/{part}/scale"] = np.full(shape[0], 0.002, np.float32)
    changed = f"{top}.output.LayerNorm.weight"
    found[f"vector/{changed}"] = base[changed] + real(*base[changed].shape)
    width = len(base["embeddings.LayerNorm.weight"])
    found["head/dense/weight"] = real(HIDDEN, 2 * width) * np.float32(10)
    found["head/dense/bias"] = real(HIDDEN)
    found["head/out/weight"] = real(4, HIDDEN) * np.float32(10)
    found["head/out/bias"] = real(4)
    found["calibration"] = np.array([[1.0, 0.1], [0.9, -0.2], [1.1, 0.0], [1.2, 0.3]])
    return found


def provenance(base, **more):
    return {"base": base, "outputs": OUTPUTS, "threshold": 0.5, "layers": 1, "seed": 0, **more}


def write_pair(path: Path, folder: Path, seed=0, **more) -> Path:
    """A model file for the base in a folder."""
    found = read_folder(folder)
    made = arrays(found.weights, found.shape.layers, seed)
    container.write(path, "pair", made, provenance(found.digest, **more))
    return path


def merged(base, found):
    """The weights of the whole model, plainly: what the definition of the file says."""
    weights = {name: array.astype(np.float64) for name, array in base.items()}
    for key, array in found.items():
        section, _, name = key.partition("/")
        if section == "matrix" and name.endswith("/codes"):
            name = name.removesuffix("/codes")
            weights[name] = array * found[f"matrix/{name}/scale"][:, None].astype(np.float64)
        elif section == "low" and name.endswith("/a/codes"):
            name = name.removesuffix("/a/codes")
            a, b = (
                found[f"low/{name}/{part}/codes"]
                * found[f"low/{name}/{part}/scale"][:, None].astype(np.float64)
                for part in "ab"
            )
            weights[name] = weights[name] + b @ a
        elif section == "vector":
            weights[name] = array.astype(np.float64)
        elif section == "head":
            weights[key] = array.astype(np.float64)
    return weights
