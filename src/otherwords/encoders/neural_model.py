"""A neural encoder as a model file: graph, weights and tokenizer in one container."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import Folder, read_folder
from otherwords.encoders.bert_graph import INPUT, Ranges, activations, build
from otherwords.errors import ModelError, UsageError
from otherwords.models import container
from otherwords.stats.resampling import Stream

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
        with usable(folder.path), np.errstate(all="ignore"):  # an overflow is found below
            ranges = None if bits == FULL else ranges_of(folder)
            graph = build(folder.shape, folder.weights, ranges)
        for array in graph.arrays.values():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise ModelError(f"{folder.path}: the weights are too large for {bits} bits")
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
    """The tokenizer, which cuts long texts and puts one piece before and one after each."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_str(data.decode())
    _check_templates(json.loads(data).get("post_processor"))
    made.no_padding()
    made.enable_truncation(longest)
    ends = len(made.encode("").ids)
    if ends != 2:
        raise ModelError(f"its tokenizer adds {ends} pieces to a text; [CLS] and [SEP] are needed")
    return made


def _check_templates(processor: Any) -> None:
    """Refuse a template with a piece that it does not define: the library would panic."""
    if not isinstance(processor, dict):
        return
    for one in processor.get("processors", ()):
        _check_templates(one)
    known = processor.get("special_tokens", {})
    for piece in (*processor.get("single", ()), *processor.get("pair", ())):
        name = piece["SpecialToken"]["id"] if "SpecialToken" in piece else None
        if name is not None and name not in known:
            raise ModelError(f"its tokenizer does not define the piece {name!r:.40}")


@contextmanager
def usable(path: str | Path) -> Iterator[None]:
    """Errors that name the encoder, instead of what its libraries raise."""
    try:
        yield
    except BaseException as error:
        panic = type(error).__name__ == "PanicException"  # of a library in Rust
        if not isinstance(error, Exception) and not panic:
            raise
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ModelError(f"{path}: this encoder cannot be used: {reason}") from error


def runtime() -> Any:
    """The module onnxruntime, which else writes an identifier of its own into the home folder."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


def session_of(graph: bytes, weights: Mapping[str, NDArray[Any]]) -> Any:
    """A session for one thread at a time; it shares the memory of the weights."""
    onnxruntime = runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors come as exceptions
    # What else would be fused is slower: SkipLayerNormalization takes six times its parts.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
    options.add_external_initializers(list(weights), values)
    return onnxruntime.InferenceSession(  # a second try would be reported on standard output
        graph, options, providers=["CPUExecutionProvider"], enable_fallback=0
    )


def _codes(data: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)


def ranges_of(folder: Folder) -> Ranges:
    """Ranges on texts of random word pieces."""
    assert folder.weights is not None
    names = activations(folder.shape)
    graph = build(folder.shape, folder.weights, shown=names)
    texts = ({INPUT: np.array([ids])} for ids in _texts(folder))
    return measured(session_of(graph.model, graph.arrays), names, texts)


def measured(session: Any, names: Sequence[str], texts: Iterable[dict[str, Any]]) -> Ranges:
    """Lowest and highest value of each dimension of what weights are multiplied with."""
    found: dict[str, tuple[Any, Any]] = {}
    for feeds in texts:
        for name, value in zip(names, session.run(names, feeds), strict=True):
            low, high = value.min(axis=(0, 1)), value.max(axis=(0, 1))
            if name in found:
                low, high = np.minimum(low, found[name][0]), np.maximum(high, found[name][1])
            found[name] = low, high
    return found


def _texts(folder: Folder) -> Iterator[list[int]]:
    """Texts of words sampled from the vocabulary, as word pieces."""
    made = tokenizer_of(folder.tokenizer, folder.settings.longest)
    words, stream = vocabulary(made), Stream(0)
    for length in LENGTHS:
        for _ in range(TEXTS):
            yield made.encode(" ".join(words[i] for i in stream.below([len(words)] * length))).ids


def vocabulary(tokenizer: Any) -> list[str]:
    """The words that are one piece."""
    words = sorted(word for word in tokenizer.get_vocab() if word.isascii() and word.isalpha())
    if not words:
        raise ModelError("the tokenizer has no word to measure ranges with")
    return words
