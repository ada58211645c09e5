"""The ONNX graph of a pair model: BERT reads two texts at once (Devlin et al. 2019, fig. 4a), a
small head reads its last layer.

As in `bert_graph`, all pairs of a batch have the same length; where the second text begins may
differ, for the types of the pieces are an input.
"""

from __future__ import annotations

from otherwords.encoders.bert_graph import INPUT, Builder

__all__ = ["LOGITS", "TYPES", "PairBuilder"]

TYPES, LOGITS = "token_type_ids", "logits"


class PairBuilder(Builder):
    """BERT, then the head: the state of [CLS] beside the mean of all states, one hidden layer."""

    inputs = (INPUT, TYPES)
    output = LOGITS

    def typed(self, x: str) -> str:
        """The type of the second text takes the place of the first one's."""
        kinds = self.weights["embeddings.token_type_embeddings.weight"]
        apart = self.array("embeddings.types", kinds[:2] - kinds[0])
        return self.node("Add", [x, self.node("Gather", [apart, TYPES], "types")], "typed")

    def finish(self, x: str) -> str:
        """The logits of the outputs."""
        first = self.node(
            "Gather", [x, self.node("Constant", [], "first", value_int=0)], "cls", axis=1
        )
        along = self.node("Constant", [], "along", value_ints=[1])
        mean = self.node("ReduceMean", [x, along], "mean", keepdims=0)
        joined = self.node("Concat", [first, mean], "joined", axis=1)
        hidden = self.node("Gelu", [self._dense("head/dense", joined)], "head.hidden")
        return self._dense("head/out", hidden)

    def _dense(self, name: str, x: str) -> str:
        """Products and their sums, row by row: a matrix product may round by the batch's size."""
        last = self.node("Constant", [], f"{name}.last", value_ints=[2])
        single = self.node("Unsqueeze", [x, "along"], f"{name}.row")
        made = self.node("Mul", [single, self.weight(f"{name}/weight")], f"{name}.products")
        summed = self.node("ReduceSum", [made, last], f"{name}.sum", keepdims=0)
        return self.node("Add", [summed, self.weight(f"{name}/bias")], name)
