"""The ONNX graph of the trained part of a pair model: the top layers of BERT, which read the states
of two texts one after the other (DeFormer, Cao et al. 2020), and a small head.

As in `bert_graph`, all pairs of a batch have the same number of pieces; where the second text
begins may differ. What a piece is to another one, of its own text or of the other, is added to
their comparison; texts have no order, so that exchanging them exchanges their outputs.
"""

from __future__ import annotations

import numpy as np

from otherwords.encoders.bert_graph import Builder, Shape

TOP = 2  # layers that read both texts at once
BELOW, COVER, SIDE, NUMBERS, LOGITS = "below", "cover", "side", "numbers", "logits"
BEGIN = "joined"
GIVEN, COUNTED = 7, 9  # numbers of a pair that are given, and with the worst piece of each text
# Sums are taken in steps of eight: where rows begin elsewhere, the order of a sum may change.
EMPTY = 16 - COUNTED
SWAPPED = (0, 2, 1, 4, 3, 6, 5, 8, 7, *range(COUNTED, 16))  # numbers when the texts change places
FAR = -1e4  # what is left out of a maximum
LESS = 4  # the worst piece counts a fourth


def top_activations(shape: Shape) -> list[str]:
    """The names of what is multiplied with weights, in order."""
    layers = range(shape.layers - TOP, shape.layers)
    inside = [
        f"{layer}.{part}" for layer in layers for part in ("attended", "middle", "wide", "out")
    ]
    return [BEGIN, *inside[:-1]]


class TopBuilder(Builder):
    """The states below, marked by what the other text covers; the top layers; the head."""

    output = LOGITS

    def given(self) -> list[tuple[str, int, list[str | int]]]:
        """States, cover and side (0 or 1) of each piece, and numbers of each pair."""
        whole, real = self.tensor.INT64, self.tensor.FLOAT
        place: list[str | int] = ["pairs", "length"]
        width = self.weights["join/cover"].shape[1]
        return [
            (BELOW, real, [*place, width]),
            (COVER, real, [*place, 2]),
            (SIDE, whole, place),
            (NUMBERS, real, ["pairs", GIVEN]),
        ]

    def layers(self, shape: Shape) -> range:
        return range(shape.layers - TOP, shape.layers)

    def begin(self, shape: Shape) -> str:
        """The states with what the other text covers; what is across is found here once."""
        parts = [self.node("Gather", [COVER, self._whole(n)], f"cover.{n}", axis=2) for n in (0, 1)]
        x = BELOW
        for n, part in enumerate(parts):
            vector = self.array(f"join/cover.{n}", self.weights["join/cover"][n])
            wide = self.node("Unsqueeze", [part, self._list(2)], f"cover.{n}.wide")
            made = self.node("Mul", [wide, vector], f"cover.{n}.made")
            x = self.node("Add", [x, made], (BEGIN if n else "covered"))
        rows, columns = (
            self.node("Unsqueeze", [SIDE, self._list(*places)], f"{name}.side")
            for name, places in (("rows", (1, 3)), ("columns", (1, 2)))
        )
        same = self.node("Equal", [rows, columns], "own")
        other = self.node("Not", [same], "other")
        self.node("Cast", [other], "across", to=self.tensor.FLOAT)
        self.first = shape.layers - TOP
        return x

    def compared(self, layer: int) -> list[str]:
        """For each head what it adds for pieces of the other text."""
        weight = self.weights["join/across"][layer - self.first].reshape(1, -1, 1, 1)
        name = self.array(f"{layer}.across.weight", weight)
        return ["", self.node("Mul", ["across", name], f"{layer}.across")]

    def finish(self, x: str) -> str:
        """The logits of the outputs: those that are the same in both orders, lost, gained."""
        wrong = self._dense("head/wrong", x, 3)
        wrong = self.node(
            "Mul", [wrong, self.array("less", np.array(1 / LESS, np.float32))], "wrong"
        )
        sides = [self._side(x, wrong, number) for number in (0, 1)]
        none = self.array("none", np.zeros((1, EMPTY), np.float32))
        empty = self.node("Mul", [sides[0][1], none], "empty")
        counted = [NUMBERS, sides[0][1], sides[1][1], empty]
        numbers = self.node("Concat", counted, "all numbers", axis=1)
        order = self.array("swapped order", np.array(SWAPPED))
        swapped = self.node("Gather", [numbers, order], "swapped numbers", axis=1)
        pools = [pool for pool, _ in sides]
        one = self._outputs("one", pools, numbers)
        other = self._outputs("other", pools[::-1], swapped)
        both = [
            self.node(
                "Gather",
                [made, self.array("both places", np.array([0, 1]))],
                f"{made}.both",
                axis=1,
            )
            for made in (one, other)
        ]
        total = self.node("Add", both, "both.total")
        mean = self.node("Mul", [total, self.array("half", np.array(0.5, np.float32))], "both")
        lost = [
            self.node(
                "Gather", [made, self.array("lost places", np.array([2]))], f"{made}.lost", axis=1
            )
            for made in (one, other)
        ]
        return self.node("Concat", [mean, *lost], "all outputs", axis=1)

    def _side(self, x: str, wrong: str, number: int) -> tuple[str, str]:
        """Of one text the state of [CLS], the mean and the maximum of all; its worst piece."""
        name = f"side.{number}"
        mine = self.node("Equal", [SIDE, self._whole(number)], f"{name}.mine")
        real = self.node("Cast", [mine], f"{name}.real", to=self.tensor.FLOAT)
        along = self._list(1)
        count = self.node("ReduceSum", [real, along], f"{name}.count", keepdims=1)
        share = self.node("Div", [real, count], f"{name}.share")
        row = self.node("Unsqueeze", [share, along], f"{name}.row")
        made = self.node("MatMul", [row, x], f"{name}.made")  # each pair by itself
        mean = self.node("Squeeze", [made, along], f"{name}.mean")
        asked = self.node("Unsqueeze", [mine, self._list(2)], f"{name}.asked")
        far = self.array("far", np.array(FAR, np.float32))
        highest = []
        for what, states in (("states", x), ("wrong", wrong)):
            masked = self.node("Where", [asked, states, far], f"{name}.{what}.masked")
            highest.append(
                self.node("ReduceMax", [masked, along], f"{name}.{what}.highest", keepdims=0)
            )
        place = self.node("ArgMax", [real], f"{name}.place", axis=1, keepdims=1)  # the first one
        first = self.node("GatherND", [x, place], f"{name}.first", batch_dims=1)
        return self.node("Concat", [first, mean, highest[0]], f"{name}.pool", axis=1), highest[1]

    def _outputs(self, name: str, pools: list[str], numbers: str) -> str:
        """Same, contradicted, lost: by one order of the texts."""
        joined = self.node("Concat", pools, f"{name}.joined", axis=1)
        hidden = self.node(
            "Add",
            [
                self._dense("head/dense", joined, 2, name),
                self._dense("head/numbers", numbers, 2, name),
            ],
            f"{name}.sum",
        )
        active = self.node("Gelu", [hidden], f"{name}.active")
        last = self.node("Concat", [active, numbers], f"{name}.last", axis=1)
        return self._dense("head/out", last, 2, name)

    def _dense(self, layer: str, x: str, dimensions: int, name: str = "") -> str:
        """Products and their sums, row by row: a matrix product may round by the batch's size."""
        made = f"{name}.{layer}"
        last, before = self._list(dimensions), self._list(dimensions - 1)
        single = self.node("Unsqueeze", [x, before], f"{made}.row")
        weight = self.weights[f"{layer}/weight"]
        if layer in ("head/numbers", "head/out"):
            weight = np.pad(weight, ((0, 0), (0, EMPTY)))
        weights = self.array(f"{layer}/weight", weight)
        products = self.node("Mul", [single, weights], f"{made}.products")
        summed = self.node("ReduceSum", [products, last], f"{made}.sum", keepdims=0)
        if f"{layer}/bias" not in self.weights:
            return summed
        return self.node("Add", [summed, self.weight(f"{layer}/bias")], made)

    def _list(self, *numbers: int) -> str:
        """Whole numbers as a constant, for what a graph has to know when it is opened."""
        name = f"list {' '.join(map(str, numbers))}"
        if not any(name in one.output for one in self.nodes):
            self.node("Constant", [], name, value_ints=list(numbers))
        return name

    def _whole(self, number: int) -> str:
        return self.array(f"number {number}", np.array(number))
