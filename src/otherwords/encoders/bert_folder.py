"""A folder with a BERT sentence encoder, as sentence-transformers writes it, read without it.

config.json                  the shape model.safetensors            the weights; or model.onnx, an
exported graph tokenizer.json               how text becomes word pieces modules.json, 1_Pooling/,
sentence_bert_config.json    pooling and the longest text, if present
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_graph import Shape
from otherwords.errors import ModelError

POOLING = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
MODULES = ("Transformer", "Pooling", "Normalize")
SHORTEST, LONGEST = 3, 512  # word pieces of a text; the longest where the folder does not say
LARGEST = {"num_hidden_layers": 1000, "num_attention_heads": 1000, "hidden_size": 1 << 16}
_NAME = re.compile(r"[\w.-]*")
_DENSE = (
    *("attention.self.query", "attention.self.key", "attention.self.value"),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)


@dataclass(frozen=True)
class Settings:
    """How texts are read and states become one vector."""

    pooling: str = "mean"
    longest: int = LONGEST
    lower: bool = False

    def __post_init__(self) -> None:
        if self.pooling not in POOLING.values() or type(self.lower) is not bool:
            raise ValueError("its settings are out of range")
        if type(self.longest) is not int or not SHORTEST <= self.longest <= LONGEST:
            raise ValueError(f"texts of {self.longest!r:.20} word pieces")

    @property
    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Folder:
    """What is in the folder: weights, or the bytes of a graph."""

    path: Path
    shape: Shape
    settings: Settings
    tokenizer: bytes
    weights: Mapping[str, NDArray[Any]] | None
    graph: bytes | None
    digest: str  # of weights or graph, and tokenizer


def read_folder(path: str | Path) -> Folder:
    """The encoder in a folder, or an error that names what is missing or unsupported."""
    folder = Path(path)
    if not folder.is_dir():
        raise ModelError(f"{path}: there is no such folder with an encoder")
    shape, width = _shape(folder)
    tokenizer = _bytes(folder / "tokenizer.json")
    settings = _settings(folder)
    weights, graph = None, None
    if (folder / "model.safetensors").is_file():
        file = folder / "model.safetensors"
        weights = _weights(file, shape, width)
        settings = _within(settings, weights, file)
    else:
        file = _exported(folder)
        graph = _bytes(file)
    digest = _digest(file)
    digest.update(tokenizer)
    return Folder(folder, shape, settings, tokenizer, weights, graph, digest.hexdigest())


def _exported(folder: Path) -> Path:
    for name in ("model.onnx", "onnx/model.onnx"):
        if (folder / name).is_file():
            return folder / name
    pickled = (folder / "pytorch_model.bin").is_file()
    found = "its weights are a pickle, which is not read" if pickled else "it has no weights"
    raise ModelError(f"{folder}: {found}; model.safetensors or model.onnx is needed")


def _shape(folder: Path) -> tuple[Shape, int]:
    path = folder / "config.json"
    config = _json(path)
    kind = config.get("model_type")
    if kind != "bert":
        raise ModelError(f"{path}: this is a model of type {kind}; BERT and MiniLM can be read")
    wanted = {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}
    for name, value in wanted.items():
        if config.get(name, value) != value:
            raise ModelError(f"{path}: {name} is {config[name]!r}; only {value!r} can be read")
    try:
        layers, heads, width = (config[name] for name in LARGEST)
        if not all(type(size) is int for size in (layers, heads, width)):
            raise TypeError("whole numbers are needed")
        shape = Shape(layers, heads, float(config.get("layer_norm_eps", 1e-12)))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{path}: the shape of the model is not there: {error}") from error
    sizes = zip((layers, heads, width), LARGEST.values(), strict=True)
    if not all(0 < size <= largest for size, largest in sizes):
        raise ModelError(f"{path}: its sizes are out of range")
    if width % heads or not 0 < shape.epsilon < 1:
        raise ModelError(f"{path}: the sizes in it do not fit together")
    return shape, width


def _settings(folder: Path) -> Settings:
    limits = _json(folder / "sentence_bert_config.json", optional=True)
    config = _json(folder / "tokenizer_config.json", optional=True)
    longest = limits.get("max_seq_length") or config.get("model_max_length") or LONGEST
    longest = longest if type(longest) is int and SHORTEST <= longest < LONGEST else LONGEST
    pooling = "mean"
    for module in _json(folder / "modules.json", optional=True, kind=list):
        if not isinstance(module, dict):
            raise ModelError(f"{folder / 'modules.json'}: a module is a JSON object")
        kind = str(module.get("type", "")).rpartition(".")[2]
        if kind not in MODULES:
            known, shown = ", ".join(MODULES), kind if kind.isidentifier() else f"{kind!r:.40}"
            raise ModelError(f"{folder}: it has a module {shown}; only {known} can be read")
        if kind == "Pooling":
            name = module.get("path", "")
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                message = f"{name!r:.40} is not the name of a folder"
                raise ModelError(f"{folder / 'modules.json'}: {message}")
            pooling = _pooling(folder / name / "config.json")
    return Settings(pooling, longest, limits.get("do_lower_case") is True)


def _pooling(path: Path) -> str:
    config = _json(path)
    chosen = [
        name for name, on in config.items() if name.startswith("pooling_mode_") and on is True
    ]
    known = [POOLING.get(name) for name in chosen]
    if config.get("pooling_mode") in POOLING.values():  # as newer releases write it
        known = [config["pooling_mode"]]
    if len(known) != 1 or known[0] is None:
        raise ModelError(
            f"{path}: unsupported pooling: {chosen or 'nothing'}; mean and cls can be read"
        )
    return known[0]


def _weights(path: Path, shape: Shape, width: int) -> dict[str, NDArray[Any]]:
    """The weights by their names in BertModel, in single precision."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        found = load_file(path)
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, OverflowError) as error:
        reason = str(error).partition("\n")[0]
        raise ModelError(f"{path}: the weights are damaged: {reason}") from error
    named = {name.removeprefix("bert."): array for name, array in found.items()}
    missing = [name for name in _names(shape) if name not in named]
    if missing:
        raise ModelError(
            f"{path}: these are not the weights of config.json: {missing[0]} is missing"
        )
    weights = {name: named[name].astype(np.float32, copy=False) for name in _names(shape)}
    inner = weights["encoder.layer.0.intermediate.dense.bias"].size
    for name, array in weights.items():
        sizes = _sizes(name, width, inner)
        fits = array.ndim == len(sizes) and array.size and array.shape[-len(sizes) :] == sizes
        if name.endswith("_embeddings.weight"):  # of any number of rows
            fits = array.ndim == 2 and array.size and array.shape[1:] == sizes[1:]
        if not fits:
            raise ModelError(f"{path}: {name} has the shape {array.shape}, not {sizes}")
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise ModelError(f"{path}: the weights are damaged: some are not numbers")
    return weights


def _names(shape: Shape) -> list[str]:
    tables = [f"embeddings.{one}_embeddings.weight" for one in ("word", "position", "token_type")]
    norms = ["embeddings.LayerNorm"]
    dense = []
    for layer in range(shape.layers):
        name = f"encoder.layer.{layer}"
        dense += [f"{name}.{part}" for part in _DENSE]
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    return tables + [f"{name}.{part}" for name in norms + dense for part in ("weight", "bias")]


def _sizes(name: str, width: int, inner: int) -> tuple[int, ...]:
    """The shape of an array of weights; an embedding has any number of rows."""
    if name.endswith(".bias") or ".LayerNorm." in name or name.startswith("embeddings.LayerNorm"):
        return (inner if ".intermediate." in name else width,)
    if ".intermediate." in name:
        return inner, width
    return (width, width) if ".attention." in name or "embeddings" in name else (width, inner)


def _within(settings: Settings, weights: Mapping[str, NDArray[Any]], path: Path) -> Settings:
    """No text is longer than there are places."""
    places = len(weights["embeddings.position_embeddings.weight"])
    if places < SHORTEST:
        raise ModelError(f"{path}: it has positions for {places} word pieces only")
    return Settings(settings.pooling, min(settings.longest, places), settings.lower)


def _digest(path: Path) -> Any:
    """SHA-256 of a file that need not be in memory at once."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
    except OSError as error:
        raise ModelError(f"{path}: cannot read it: {error.strerror}") from error
    return digest


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: cannot read it: {error.strerror}") from error


def _json(path: Path, *, optional: bool = False, kind: type = dict) -> Any:
    if optional and not path.is_file():
        return kind()
    try:
        found = json.loads(_bytes(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: this is not JSON: {error}") from error
    if not isinstance(found, kind):
        raise ModelError(f"{path}: a JSON {'object' if kind is dict else 'list'} is needed")
    return found
