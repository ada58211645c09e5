"""A neural encoder as a model file: graph, weights and tokenizer in one container."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import Folder, read_folder
from otherwords.encoders.bert_graph import INPUT, Ranges, activations, build
from otherwords.errors import ModelError, UsageError
from otherwords.models import container
from otherwords.stats.draws import Stream

__all__ = ["FULL", "KIND", "converted", "open_model", "session_of", "tokenizer_of"]

KIND = "neural"
FULL, SMALL = 32, 8
LENGTHS = (4, 8, 12, 16, 24, 32, 48)  # of the texts that ranges are measured on, in words
TEXTS = 16  # of each length


def open_model(path: Path) -> container.Model:
    """The model of a file, every byte of it checked, or of a folder, converted in memory."""
    if path.is_dir():
        return converted(read_folder(path))
    if container.kind_of(path) != KIND:
        container.read(path, KIND)  # says what it is instead
    return container.verify(path)


def converted(folder: Folder, bits: int = FULL) -> container.Model:
    """The model of a folder; the same folder gives the same digest."""
    if bits not in (FULL, SMALL):
        raise UsageError(f"bits must be 32 or 8, not {bits}")
    arrays: dict[str, NDArray[Any]] = {}
    if folder.weights is not None:
        ranges = None if bits == FULL else _ranges(folder)
        graph = build(folder.shape, folder.weights, ranges)
        arrays |= {"graph": _codes(graph.model)}
        arrays |= {f"weights/{name}": array for name, array in graph.arrays.items()}
    elif bits == FULL and folder.graph is not None:
        arrays["graph"] = _codes(folder.graph)
    else:
        raise UsageError(f"{folder.path}: 8 bits need model.safetensors, and this has a graph only")
    arrays["tokenizer"] = _codes(folder.tokenizer)
    provenance = {
        "what": "a BERT encoder, converted by `otherwords model encoder`",
        "name": folder.path.name,
        "weights": folder.digest,
        "bits": bits,
        "settings": folder.settings.as_dict,
    }
    return container.in_memory(str(folder.path), KIND, arrays, provenance)


def tokenizer_of(data: bytes, longest: int) -> Any:
    """The tokenizer, which cuts long texts."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_str(data.decode())
    made.no_padding()
    made.enable_truncation(longest)
    return made


def session_of(graph: bytes, weights: Mapping[str, NDArray[Any]]) -> Any:
    """A session for one thread at a time; it shares the memory of the weights."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors come as exceptions
    # What else would be fused is slower: SkipLayerNormalization takes six times its parts.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
    options.add_external_initializers(list(weights), values)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _codes(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)


def _ranges(folder: Folder) -> Ranges:
    """Lowest and highest value of each dimension of what weights are multiplied with, on texts of
    random word pieces.
    """
    assert folder.weights is not None
    names = activations(folder.shape)
    graph = build(folder.shape, folder.weights, shown=names)
    session = session_of(graph.model, graph.arrays)
    found: dict[str, tuple[Any, Any]] = {}
    for ids in _texts(folder):
        values = session.run(names, {INPUT: np.array([ids])})
        for name, value in zip(names, values, strict=True):
            low, high = value.min(axis=(0, 1)), value.max(axis=(0, 1))
            if name in found:
                low, high = np.minimum(low, found[name][0]), np.maximum(high, found[name][1])
            found[name] = low, high
    return found


def _texts(folder: Folder) -> Iterator[list[int]]:
    """Texts of words drawn from the vocabulary, as word pieces."""
    made = tokenizer_of(folder.tokenizer, folder.settings.longest)
    words = sorted(word for word in made.get_vocab() if word.isascii() and word.isalpha())
    if not words:
        raise ModelError("the tokenizer has no word to measure ranges with")
    stream = Stream(0)
    for length in LENGTHS:
        for _ in range(TEXTS):
            yield made.encode(" ".join(words[i] for i in stream.below([len(words)] * length))).ids
