"""A BERT encoder in plain PyTorch, for training; `native/core/encoder` runs what is trained."""

from __future__ import annotations

from pathlib import Path

import torch
import torch.nn.functional as nnf
from safetensors.torch import load_file
from torch import nn

WIDTH, LAYERS, HEADS, INNER = 384, 6, 12, 1536  # all-MiniLM-L6-v2


class Layer(nn.Module):
    """Attention and a feed-forward network, each followed by a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(
        self, states: torch.Tensor, mask: torch.Tensor | None, dropout: float
    ) -> torch.Tensor:
        """States of all positions after this layer."""
        texts, length, width = states.shape
        split = self.qkv(states).view(texts, length, 3, HEADS, width // HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        # Plain products: on the CPU the backward pass of the fused attention is ten times slower.
        scores = (query * (width // HEADS) ** -0.5) @ key.transpose(-1, -2)
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e4)
        mixed = scores.softmax(-1).to(value.dtype) @ value
        mixed = self.out(mixed.transpose(1, 2).reshape(texts, length, width))
        states = self.norm1(states + nnf.dropout(mixed, dropout, self.training))
        inner = self.down(nnf.gelu(self.up(states)))
        return self.norm2(states + nnf.dropout(inner, dropout, self.training))


class Bert(nn.Module):
    """Embeddings and layers; texts of a batch are padded behind their ends."""

    def __init__(self, vocabulary: int = 30522, positions: int = 512) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH)
        self.positions = nn.Embedding(positions, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(
        self, ids: torch.Tensor, types: torch.Tensor, lengths: torch.Tensor, dropout: float = 0.0
    ) -> torch.Tensor:
        """The last states of all positions."""
        places = torch.arange(ids.shape[1])
        states = self.words(ids) + self.positions(places)[None] + self.types(types)
        states = nnf.dropout(self.norm(states), dropout, self.training)
        mask = None
        if int(lengths.min()) < ids.shape[1]:
            mask = (places[None] < lengths[:, None])[:, None, None, :]
        for layer in self.layers:
            states = layer(states, mask, dropout)
        return states


def load_minilm(folder: Path) -> Bert:
    """The weights of all-MiniLM-L6-v2 from its folder."""
    weights = load_file(str(folder / "model.safetensors"))
    weights = {name.removeprefix("bert."): value for name, value in weights.items()}
    state = {
        "words.weight": weights["embeddings.word_embeddings.weight"],
        "positions.weight": weights["embeddings.position_embeddings.weight"],
        "types.weight": weights["embeddings.token_type_embeddings.weight"],
    }
    names = {
        "out": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    for kind in ("weight", "bias"):
        state[f"norm.{kind}"] = weights[f"embeddings.LayerNorm.{kind}"]
        for number in range(LAYERS):
            above = f"encoder.layer.{number}"
            heads = [f"{above}.attention.self.{part}.{kind}" for part in ("query", "key", "value")]
            state[f"layers.{number}.qkv.{kind}"] = torch.cat([weights[name] for name in heads])
            for ours, theirs in names.items():
                state[f"layers.{number}.{ours}.{kind}"] = weights[f"{above}.{theirs}.{kind}"]
    model = Bert()
    model.load_state_dict(state)
    return model
