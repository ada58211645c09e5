"""A folder with a BERT encoder of a few kilobytes and random weights, as sentence-transformers
writes it.
"""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

WIDTH, INNER, LAYERS, HEADS, PLACES = 32, 64, 2, 4, 40
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = "the cat dog sat mat small car he bought rain prices rose may ship course".split()
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *LETTERS, *"0123456789.,?!'%"]
PIECES += [f"##{letter}" for letter in [*LETTERS, *"0123456789"]]
CONFIG = {
    "model_type": "bert",
    "hidden_size": WIDTH,
    "intermediate_size": INNER,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
}
TOKENIZER = {
    "normalizer": {"type": "BertNormalizer", "lowercase": True},
    "model": {"type": "WordPiece", "vocab": {piece: i for i, piece in enumerate(PIECES)}},
}


def weights(seed=0):
    """Random weights by their names in BertModel."""
    generator = np.random.default_rng(seed)

    def drawn(*shape):
        return generator.normal(0, 0.3, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": drawn(len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": drawn(PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": drawn(2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            found |= dense(f"{name}.attention.{part}", drawn(WIDTH, WIDTH), drawn(WIDTH))
        found |= dense(f"{name}.intermediate.dense", drawn(INNER, WIDTH), drawn(INNER))
        found |= dense(f"{name}.output.dense", drawn(WIDTH, INNER), drawn(WIDTH))
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    for name in norms:
        found |= dense(name, 1 + drawn(WIDTH), drawn(WIDTH))
    return found


def dense(name, weight, bias):
    return {f"{name}.weight": weight, f"{name}.bias": bias}


def safetensors(arrays):
    """The bytes of a file: the length of a JSON header, the header, the arrays."""
    places = pairwise(accumulate((array.nbytes for array in arrays.values()), initial=0))
    header = {
        name: {"dtype": "F32", "shape": array.shape, "data_offsets": place}
        for (name, array), place in zip(arrays.items(), places, strict=True)
    }
    text = json.dumps(header).encode()
    body = b"".join(array.tobytes() for array in arrays.values())
    return len(text).to_bytes(8, "little") + text + body


def write_folder(folder: Path, seed=0, **config) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**CONFIG, **config}))
    (folder / "model.safetensors").write_bytes(safetensors(weights(seed)))
    (folder / "tokenizer.json").write_text(json.dumps(TOKENIZER))
    return folder
