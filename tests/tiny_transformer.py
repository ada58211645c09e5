"""Transformer encoders of a few kilobytes with random weights."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from tools.pack_encoder import pair_stack

from otherwords.build.encoders import Stack, Vocabulary, pack_encoder

WORDS = "the cat sat on mat he bought a small car prices rose in may ship of course".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *dict.fromkeys([*WORDS, *LETTERS, *".,?!'%"])]
PIECES += [f"##{letter}" for letter in LETTERS]


def random_stack(seed=0, width=32, heads=4, inner=64, layers=2, places=40, **settings) -> Stack:
    rng = np.random.default_rng(seed)

    def drawn(*shape):
        return rng.normal(0, 0.3, shape).astype(np.float32)

    weights = {
        "words.weight": drawn(len(PIECES), width),
        "positions.weight": drawn(places, width),
        "types.weight": drawn(2, width),
    }
    sizes = {"norm": (width,)}
    for i in range(layers):
        sizes |= {f"layers.{i}.qkv": (3 * width, width), f"layers.{i}.out": (width, width)}
        sizes |= {f"layers.{i}.up": (inner, width), f"layers.{i}.down": (width, inner)}
        sizes |= {f"layers.{i}.norm1": (width,), f"layers.{i}.norm2": (width,)}
    for name, size in sizes.items():
        weights[f"{name}.weight"] = drawn(*size) + (len(size) == 1)
        weights[f"{name}.bias"] = drawn(size[0])
    return Stack(weights, heads, **{"longest": places, **settings})


def checkpoint(seed=0, **shape):
    """The arrays of a pair model as its training keeps them, and the stack they stand on."""
    stack = random_stack(seed, **shape)
    rng = np.random.default_rng(seed)
    width = stack.weights["norm.weight"].size
    state = {f"bert.{name}": array for name, array in stack.weights.items()}
    for name, size in (("pool", (width, 3 * width)), ("head", (7, width))):
        state[f"{name}.weight"] = rng.normal(0, 0.2, size)
        state[f"{name}.bias"] = rng.normal(0, 0.2, size[0])
    return state, stack


@cache
def packed_pair():
    """Two stacks on one table: sentences by one layer, pairs by two of their own."""
    state, stack = checkpoint(places=30)
    sentence = replace(stack.first_layers(1), longest=20)
    stacks = {"sentence": sentence, "pair": pair_stack(state, heads=4, longest=30)}
    return pack_encoder(stacks, Vocabulary(tuple(PIECES)))
