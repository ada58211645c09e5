"""The ONNX graph of a BERT encoder, built from its weights (Devlin et al. 2019, §3).

The graph has the fused operators of onnxruntime. All texts of a batch have the same length, so
that nothing is padded or masked and the vectors of a text do not depend on its neighbours in the
batch. Weights stay outside of the graph: it names them, and a session gets them separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Weights = Mapping[str, NDArray[Any]]
Ranges = Mapping[str, tuple[NDArray[np.float32], NDArray[np.float32]]]

OPSET, IR_VERSION = 20, 10
RUNTIME = "com.microsoft"  # the domain of onnxruntime's own operators
INPUT, OUTPUT = "input_ids", "states"
# Products of two neighbours are added in 16 bits on processors without VNNI. With 7 bits of
# activations times 8 of weights they never overflow: all processors give the same numbers.
LEVELS, WEIGHT_LEVELS = 127, 127
MIDDLE, NEAR_ZERO = 64, 16  # the level of 0: of values around it, of what GELU leaves
LEAST = 0.02  # of the mean step: the least step of a dimension that hardly moves


@dataclass(frozen=True)
class Shape:
    """The size of an encoder."""

    layers: int
    heads: int
    epsilon: float


@dataclass(frozen=True)
class Graph:
    """A serialised graph and the arrays that it names."""

    model: bytes
    arrays: dict[str, NDArray[Any]]


def activations(shape: Shape) -> list[str]:
    """The names of what is multiplied with weights, in order."""
    inside = [f"{layer}.{part}" for layer in range(shape.layers) for part in _PARTS]
    return ["embedded", *inside[:-1]]


_PARTS = ("attended", "middle", "wide", "out")


def build(
    shape: Shape, weights: Weights, ranges: Ranges | None = None, shown: Sequence[str] = ()
) -> Graph:
    """The graph of these weights; `shown` are activations that it returns in addition to its
    output.

    With the `ranges` of all activations (lowest and highest value of each dimension) matrices are
    multiplied in whole numbers of 8 bits.
    """
    return Builder(weights, ranges).build(shape, shown)


class Builder:
    """Puts the graph together, node by node. What has only some of the layers, or reads more than
    one text, overrides `given`, `begin`, `layers`, `compared` and `finish`, and names its output.
    """

    output = OUTPUT

    def __init__(self, weights: Weights, ranges: Ranges | None) -> None:
        from onnx import TensorProto, helper

        self.helper, self.tensor = helper, TensorProto
        self.weights, self.ranges = weights, ranges
        self.nodes: list[Any] = []
        self.arrays: dict[str, NDArray[Any]] = {}

    def build(self, shape: Shape, shown: Sequence[str] = ()) -> Graph:
        """The graph; `shown` are activations that it returns in addition to its output."""
        x = self.begin(shape)
        for layer in self.layers(shape):
            x = self._layer(layer, x, shape)
        self.node("Identity", [self.finish(x)], self.output)
        make, kinds = self.helper, self.tensor
        inputs = [
            make.make_tensor_value_info(name, kind, dimensions)
            for name, kind, dimensions in self.given()
        ]
        outputs = [
            make.make_tensor_value_info(name, kinds.FLOAT, None) for name in (self.output, *shown)
        ]
        named = [self._outside(name, array) for name, array in self.arrays.items()]
        graph = make.make_graph(self.nodes, "encoder", inputs, outputs, initializer=named)
        versions = [make.make_opsetid("", OPSET), make.make_opsetid(RUNTIME, 1)]
        model = make.make_model(graph, opset_imports=versions, ir_version=IR_VERSION)
        return Graph(model.SerializeToString(deterministic=True), self.arrays)

    def given(self) -> list[tuple[str, int, list[str | int]]]:
        """Names, types and dimensions of the inputs."""
        return [(INPUT, self.tensor.INT64, ["texts", "length"])]

    def layers(self, shape: Shape) -> range:
        """The layers that the graph has."""
        return range(shape.layers)

    def begin(self, shape: Shape) -> str:
        """Word pieces, places and the type of their segment, added and normalised."""
        every = self.array("embeddings.places", self.places())
        pieces = self._pieces(self.weights["embeddings.word_embeddings.weight"])
        size = self.node("Shape", [INPUT], "length", start=1, end=2)
        zero = self.array("zero", np.zeros(1, np.int64))
        here = self.node("Slice", [every, zero, size], "places")
        summed = self.node("Add", [pieces, here], "sum")
        scale, bias = (self.weight(f"embeddings.LayerNorm.{one}") for one in ("weight", "bias"))
        return self.node(
            "LayerNormalization", [summed, scale, bias], "embedded", epsilon=shape.epsilon, axis=-1
        )

    def places(self) -> NDArray[Any]:
        """The vectors of places, with the type of the first segment."""
        places = self.weights["embeddings.position_embeddings.weight"]
        kinds = self.weights["embeddings.token_type_embeddings.weight"]
        return np.asarray(places + kinds[0])

    def compared(self, layer: int) -> list[str]:
        """What is added to the comparisons of an attention: its further inputs."""
        return []

    def finish(self, x: str) -> str:
        """What becomes of the last layer."""
        return x

    def _pieces(self, table: NDArray[Any]) -> str:
        """The vectors of the word pieces; in 8 bits each has its own step."""
        if self.ranges is None:
            return self.node("Gather", [self.array("pieces.table", table), INPUT], "pieces")
        largest = np.maximum(table.max(axis=1, keepdims=True), -table.min(axis=1, keepdims=True))
        scale = (largest / 127).clip(1e-12).astype(np.float32)
        levels = table / scale  # the largest array: no further copy of it is held
        codes = self.array("pieces.codes", np.rint(levels, out=levels).astype(np.int8))
        found = self.node("Gather", [codes, INPUT], "pieces.found")
        real = self.node("Cast", [found], "pieces.real", to=self.tensor.FLOAT)
        steps = self.node("Gather", [self.array("pieces.scale", scale), INPUT], "pieces.steps")
        return self.node("Mul", [real, steps], "pieces")

    def _layer(self, layer: int, x: str, shape: Shape) -> str:
        name = f"encoder.layer.{layer}"
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        weight, bias = (
            np.concatenate([self.weights[f"{part}.{one}"] for part in parts])
            for one in ("weight", "bias")
        )
        joint = self._product(f"{layer}.joint", x, weight)
        three = [f"{layer}.{one}" for one in ("query", "key", "value")]
        self.node("Split", [joint], three, axis=2, num_outputs=3)
        attended = self.node(
            "MultiHeadAttention",
            [*three, self.array(f"{layer}.joint.bias", bias), *self.compared(layer)],
            f"{layer}.attended",
            RUNTIME,
            num_heads=shape.heads,
        )
        x = self._added(f"{name}.attention.output", attended, x, f"{layer}.middle", shape)
        inner = f"{name}.intermediate.dense"
        wide = self._product(f"{layer}.inner", x, self.weights[f"{inner}.weight"])
        wide = self.node("BiasGelu", [wide, self.weight(f"{inner}.bias")], f"{layer}.wide", RUNTIME)
        return self._added(f"{name}.output", wide, x, f"{layer}.out", shape)

    def _added(self, name: str, x: str, before: str, output: str, shape: Shape) -> str:
        """A dense layer, added to what was before it, normalised."""
        made = self._product(f"{output}.dense", x, self.weights[f"{name}.dense.weight"])
        scale, shift, bias = (
            self.weight(f"{name}.{one}")
            for one in ("LayerNorm.weight", "LayerNorm.bias", "dense.bias")
        )
        biased = self.node("Add", [made, bias], f"{output}.biased")
        summed = self.node("Add", [before, biased], f"{output}.sum")
        inputs = [summed, scale, shift]
        return self.node("LayerNormalization", inputs, output, epsilon=shape.epsilon, axis=-1)

    def _product(self, name: str, x: str, weight: NDArray[Any]) -> str:
        """x times a matrix [outputs, inputs]."""
        if self.ranges is None:
            return self.node("MatMul", [x, self.array(f"{name}.weight", weight.T)], name)
        low, high = self.ranges[x]
        zero = NEAR_ZERO if x.endswith("wide") else MIDDLE
        steps = np.maximum(high / (LEVELS - zero), -low / zero)
        steps = np.maximum(steps, LEAST * steps.mean()).astype(np.float32)
        stretched = weight * steps  # the levels of a dimension count its step
        scale = (np.abs(stretched).max(axis=1) / WEIGHT_LEVELS).clip(1e-12).astype(np.float32)
        codes = np.rint(stretched / scale[:, None]).astype(np.int8)
        one = self.array("one", np.ones((), np.float32))
        origin = self.array(f"zero{zero}", np.full((), zero, np.uint8))
        if f"{x}.steps" not in self.arrays:
            inverse = self.array(f"{x}.steps", (1 / steps).astype(np.float32))
            self.node("Mul", [x, inverse], f"{x}.levels")
            self.node("QuantizeLinear", [f"{x}.levels", one, origin], f"{x}.codes")
        inputs = [f"{x}.codes", self.array(f"{name}.codes", codes.T), one]
        inputs += [self.array(f"{name}.scale", scale), origin]
        return self.node("MatMulIntegerToFloat", inputs, name, RUNTIME)

    def node(
        self,
        kind: str,
        inputs: Sequence[str],
        outputs: str | list[str],
        domain: str = "",
        **more: Any,
    ) -> str:
        """Add a node; the name of its first output."""
        several = [outputs] if isinstance(outputs, str) else outputs
        self.nodes.append(self.helper.make_node(kind, inputs, several, domain=domain, **more))
        return several[0]

    def weight(self, name: str) -> str:
        """Add a weight as it is."""
        return self.array(name, self.weights[name])

    def array(self, name: str, array: NDArray[Any]) -> str:
        self.arrays[name] = np.asarray(array, order="C")
        return name

    def _outside(self, name: str, array: NDArray[Any]) -> Any:
        """A tensor whose numbers are given to the session."""
        tensor = self.tensor(name=name, dims=array.shape)
        tensor.data_type = self.helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor.data_location = self.tensor.EXTERNAL
        place = tensor.external_data.add()
        place.key, place.value = "location", "outside"
        return tensor
