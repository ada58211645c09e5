"""Pack BERT-type encoders into our model format (`otherwords.models.encoder` opens it).

Reading a sentence-transformers folder needs no framework: we read config.json, model.safetensors,
tokenizer.json or vocab.txt, and the pooling from modules.json. Linear layers get 8-bit weights with
one scale per output. Embeddings get 8 or 4 bits with one scale per row. Biases and norms keep their
precision.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.models import container
from otherwords.models.arrays import hash_words
from otherwords.models.encoder import KIND, POOLINGS

Arrays = Mapping[str, NDArray[Any]]

SPECIAL = ("[UNK]", "[CLS]", "[SEP]")
LANES, STEP = 16, 4  # outputs and inputs in a panel of weights
SHORTEST = 8  # the smallest allowed limit on word pieces per text
_FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}  # safetensors names
_PARTS = {  # parts of a layer: our names and those of BertModel
    "qkv": ("attention.self.query", "attention.self.key", "attention.self.value"),
    "out": ("attention.output.dense",),
    "norm1": ("attention.output.LayerNorm",),
    "up": ("intermediate.dense",),
    "down": ("output.dense",),
    "norm2": ("output.LayerNorm",),
}


@dataclass(frozen=True)
class Vocabulary:
    """Word pieces in the order of their embeddings, and how text becomes pieces.

    `lower` lower-cases letters, `strip` removes accents, `chinese` makes every Chinese character
    a word.
    """

    pieces: tuple[str, ...]
    lower: bool = True
    strip: bool = True
    chinese: bool = True


@dataclass(frozen=True)
class Stack:
    """Transformer layers on embeddings, with the pooling of their states.

    `weights` has `words.weight`, `positions.weight`, `types.weight`, `norm.weight`, and for each
    layer `layers.0.qkv.weight`, `out`, `norm1`, `up`, `down`, `norm2`; all but the tables also have
    a `bias`. `head` has the weight and bias of linear layers with GELU between them. `pooling` is
    `mean` (over all states), `first` (the state of [CLS]), or `pair` (the first state, the mean of
    the first text's states and the mean of the second text's, concatenated). Weights of linear
    layers are rounded to whole numbers from -`levels` to `levels`; few levels compress better.
    """

    weights: Arrays
    heads: int
    longest: int = 512
    pooling: str = "mean"
    unit: bool = True
    epsilon: float = 1e-12
    levels: int = 127
    head: tuple[tuple[NDArray[Any], NDArray[Any]], ...] = field(default=())

    @property
    def layers(self) -> int:
        names = (re.match(r"layers\.(\d+)\.", name) for name in self.weights)
        return 1 + max((int(match[1]) for match in names if match), default=-1)

    def first_layers(self, count: int) -> Stack:
        """Drop all but the first `count` layers."""
        check_whole("layers", count, 1, self.layers)
        dropped = tuple(f"layers.{i}." for i in range(count, self.layers))
        weights = {name: a for name, a in self.weights.items() if not name.startswith(dropped)}
        return replace(self, weights=weights)


def pack_folder(path: str | Path, *, layers: int | None = None, bits: int = 8) -> container.Model:
    """Pack a sentence-transformers folder, or its first `layers`; the stack is named `sentence`.

    A value of the embeddings has 8 or 4 `bits`.
    """
    stack, vocabulary = read_folder(path)
    if layers is not None:
        stack = stack.first_layers(layers)
    weights = hashlib.sha256(_bytes(Path(path) / "model.safetensors")).hexdigest()
    source = {"name": Path(path).name, "weights": weights}
    return pack_encoder({"sentence": stack}, vocabulary, bits=bits, source=source)


def pack_encoder(
    stacks: Mapping[str, Stack],
    vocabulary: Vocabulary,
    *,
    bits: int = 8,
    keep: Iterable[str] | None = None,
    source: Mapping[str, Any] | None = None,
) -> container.Model:
    """Pack one or more stacks that share the embeddings of words and positions.

    The first stack is the default. Its `words.weight` has one row per word piece; those to `keep`
    are by default all that text can contain. `source` is recorded as provenance.
    """
    if bits not in (4, 8):
        raise UsageError(f"bits must be 4 or 8, not {bits!r}")
    shared = next(iter(stacks.values())).weights
    for name, stack in stacks.items():
        _check_stack(name, stack)
        for table in ("words.weight", "positions.weight"):
            if not np.array_equal(shared[table], stack.weights[table]):
                raise UsageError(f"stack '{name}' has other {table}; stacks share their embeddings")
    words, positions = shared["words.weight"], shared["positions.weight"]
    if len(words) != len(vocabulary.pieces):
        raise ModelError(f"{len(words)} embeddings for {len(vocabulary.pieces)} word pieces")
    rows, arrays = _pieces(vocabulary, keep)
    arrays |= _characters(vocabulary)
    arrays |= _embedding("words", words[rows], bits)
    longest = max(stack.longest for stack in stacks.values())
    arrays |= _embedding("positions", positions[:longest], 8)
    for name, stack in stacks.items():
        arrays |= _stack(f"stacks/{name}", stack)
    provenance = {
        "what": "a BERT-type encoder with 8-bit weights, packed by otherwords",
        "bits of embeddings": bits,
        "word pieces": len(rows),
        "unicode": unicodedata.unidata_version,
        **(source or {}),
    }
    return container.in_memory("encoder", KIND, arrays, provenance)


def read_folder(path: str | Path) -> tuple[Stack, Vocabulary]:
    """Read the stack and the vocabulary of a sentence-transformers folder."""
    folder = Path(path)
    if not folder.is_dir():
        raise ModelError(f"{path}: there is no such folder with an encoder")
    config = _json(folder / "config.json")
    kind = config.get("model_type")
    if kind != "bert":
        raise ModelError(f"{folder}: a model of type {kind}; BERT and MiniLM can be read")
    expected = {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}
    for name, value in expected.items():
        if config.get(name, value) != value:
            raise ModelError(f"{folder}: {name} is {config[name]!r}; only {value!r} can be read")
    layers, heads = config.get("num_hidden_layers"), config.get("num_attention_heads")
    epsilon = config.get("layer_norm_eps", 1e-12)
    if type(layers) is not int or type(heads) is not int or not isinstance(epsilon, float):
        raise ModelError(f"{folder / 'config.json'}: the shape of the model is not there")
    weights = _bert_weights(folder / "model.safetensors", layers)
    pooling, unit = _pooling(folder)
    limits = _json(folder / "sentence_bert_config.json", optional=True)
    positions = len(weights["positions.weight"])
    longest = limits.get("max_seq_length") or positions
    longest = min(longest, positions) if type(longest) is int else 0
    if longest < SHORTEST:
        raise ModelError(f"{folder}: texts of {longest} word pieces; {SHORTEST} are needed")
    stack = Stack(weights, heads, longest, pooling, unit, epsilon)
    _check_stack(str(folder), stack)
    return stack, _vocabulary(folder)


def _bert_weights(path: Path, layers: int) -> dict[str, NDArray[Any]]:
    arrays = {name.removeprefix("bert."): a for name, a in _read_safetensors(path).items()}
    tables = {"words": "word", "positions": "position", "types": "token_type"}
    try:
        weights = {
            f"{name}.weight": arrays[f"embeddings.{theirs}_embeddings.weight"]
            for name, theirs in tables.items()
        }
        for end in ("weight", "bias"):
            weights[f"norm.{end}"] = arrays[f"embeddings.LayerNorm.{end}"]
            for layer in range(layers):
                for name, theirs in _PARTS.items():
                    parts = [arrays[f"encoder.layer.{layer}.{part}.{end}"] for part in theirs]
                    weights[f"layers.{layer}.{name}.{end}"] = np.concatenate(parts)
    except KeyError as error:
        raise ModelError(f"{path}: these are not the weights of config.json: no {error}") from error
    except ValueError as error:
        raise ModelError(f"{path}: queries, keys and values do not fit") from error
    return weights


def _read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Read all floating-point arrays; they follow a JSON header, which follows its length."""
    data = _bytes(path)
    size = int.from_bytes(data[:8], "little")
    arrays = {}
    try:
        if size > len(data) - 8:
            raise ValueError("the header is longer than the file")
        header = json.loads(data[8 : 8 + size])
        for name, entry in header.items():
            if name == "__metadata__" or entry["dtype"] not in _FLOATS:
                continue
            begin, end = entry["data_offsets"]
            if not 0 <= begin <= end <= len(data) - 8 - size:
                raise ValueError(f"{name} is not inside of the file")
            raw = np.frombuffer(data[8 + size + begin : 8 + size + end], _FLOATS[entry["dtype"]])
            if entry["dtype"] == "BF16":  # the upper half of a float32
                raw = (raw.astype(np.uint32) << 16).view(np.float32)
            arrays[name] = raw.astype(np.float32, copy=False).reshape(entry["shape"])
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"{path}: the weights are damaged: {error}") from error
    return arrays


def _pooling(folder: Path) -> tuple[str, bool]:
    """Read how states are pooled, and whether the vector is normalised to length 1."""
    pooling, unit = "mean", False
    modes = {"mean_tokens": "mean", "mean": "mean", "cls_token": "first", "cls": "first"}
    for module in _json(folder / "modules.json", optional=True, kind=list):
        kind = str(module.get("type", "")).rpartition(".")[2] if isinstance(module, dict) else ""
        if kind == "Pooling":
            name = str(module.get("path", ""))
            if not re.fullmatch(r"[\w-]*", name):
                raise ModelError(f"{folder / 'modules.json'}: {name!r:.40} is no name of a folder")
            config = _json(folder / name / "config.json")
            chosen = [key.removeprefix("pooling_mode_") for key, on in config.items() if on is True]
            if isinstance(config.get("pooling_mode"), str):  # as newer releases write it
                chosen.append(config["pooling_mode"])
            chosen = [key for key in chosen if key != "include_prompt"]
            if len(chosen) != 1 or chosen[0] not in modes:
                what = ", ".join(chosen) or "none"
                raise ModelError(f"{folder}: pooling by {what}; mean and cls can be read")
            pooling = modes[chosen[0]]
        elif kind == "Normalize":
            unit = True
        elif kind != "Transformer":
            raise ModelError(f"{folder}: a module {kind!r:.40}; it cannot be read")
    return pooling, unit


def _vocabulary(folder: Path) -> Vocabulary:
    """Read tokenizer.json, or vocab.txt and tokenizer_config.json."""
    path = folder / "tokenizer.json"
    if not path.is_file():
        lines = _bytes(folder / "vocab.txt").decode("utf-8", "replace").splitlines()
        config = _json(folder / "tokenizer_config.json", optional=True)
        lower = config.get("do_lower_case", True) is True
        strip = config.get("strip_accents")
        chinese = config.get("tokenize_chinese_chars", True) is True
        return Vocabulary(tuple(lines), lower, lower if strip is None else strip is True, chinese)
    tokenizer = _json(path)
    model, normalizer = tokenizer.get("model"), tokenizer.get("normalizer")
    if not isinstance(model, dict) or not isinstance(normalizer, dict):
        raise ModelError(f"{path}: a WordPiece model with BERT's normalizer is needed")
    if (
        model.get("type", "WordPiece") != "WordPiece"
        or model.get("continuing_subword_prefix", "##") != "##"
        or model.get("max_input_chars_per_word", 100) != 100
        or not isinstance(model.get("vocab"), dict)
        or normalizer.get("type") != "BertNormalizer"
        or normalizer.get("clean_text", True) is not True
    ):
        kinds = f"{model.get('type')} after {normalizer.get('type')}"
        raise ModelError(f"{path}: this is {kinds}; BERT's WordPiece can be read")
    pieces = {row: piece for piece, row in model["vocab"].items() if type(row) is int}
    if len(pieces) != len(model["vocab"]) or {*pieces} != {*range(len(pieces))}:
        raise ModelError(f"{path}: the numbers of the word pieces have gaps")
    lower, strip = normalizer.get("lowercase") is not False, normalizer.get("strip_accents")
    return Vocabulary(
        tuple(pieces[row] for row in range(len(pieces))),
        lower,
        lower if strip is None else strip is True,
        normalizer.get("handle_chinese_chars") is not False,
    )


def _check_stack(name: str, stack: Stack) -> None:
    """Refuse weights that are missing, have the wrong shape or are not finite."""
    weights = stack.weights
    try:
        width = weights["norm.weight"].size
        parts: dict[str, tuple[int, ...]] = {"norm": (width,)}
        for layer in (f"layers.{i}" for i in range(max(stack.layers, 1))):
            inner = weights[f"{layer}.up.bias"].size
            parts |= {f"{layer}.qkv": (3 * width, width), f"{layer}.out": (width, width)}
            parts |= {f"{layer}.up": (inner, width), f"{layer}.down": (width, inner)}
            parts |= {f"{layer}.norm1": (width,), f"{layer}.norm2": (width,)}
        shapes = {f"{part}.weight": shape for part, shape in parts.items()}
        shapes |= {f"{part}.bias": shape[:1] for part, shape in parts.items()}
        for table in ("words.weight", "positions.weight", "types.weight"):
            shapes[table] = (len(weights[table]), width)
        for part, shape in shapes.items():
            if weights[part].shape != shape:
                raise ModelError(f"{name}: {part} has the shape {weights[part].shape}, not {shape}")
    except KeyError as error:
        raise ModelError(f"{name}: the weights have no {error}") from error
    if stack.heads < 1 or width % stack.heads or width % 2:
        raise ModelError(f"{name}: a width of {width} cannot be divided by {stack.heads} heads")
    if stack.pooling not in POOLINGS:
        raise UsageError(f"pooling must be one of {', '.join(POOLINGS)}, not {stack.pooling!r}")
    if not SHORTEST <= stack.longest <= len(weights["positions.weight"]):
        raise ModelError(f"{name}: texts of {stack.longest} word pieces do not fit its positions")
    if stack.pooling == "pair" and (len(weights["types.weight"]) < 2 or not stack.head):
        raise ModelError(f"{name}: a pair model needs two types of tokens and a head")
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise ModelError(f"{name}: the weights are damaged: some are not numbers")


def _pieces(
    vocabulary: Vocabulary, keep: Iterable[str] | None
) -> tuple[NDArray[np.intp], dict[str, NDArray[Any]]]:
    """Return the rows of the pieces sorted by hash, and the arrays for looking pieces up."""
    missing = [piece for piece in SPECIAL if piece not in vocabulary.pieces]
    if missing:
        raise ModelError(f"the vocabulary has no piece {missing[0]}")
    chosen = None if keep is None else {*keep}
    names = {
        piece: row
        for row, piece in enumerate(vocabulary.pieces)
        if piece in SPECIAL
        or ((chosen is None or piece in chosen) and not re.fullmatch(r"\[\w+\]|", piece))
    }
    hashes = hash_words(list(names))
    order = np.argsort(hashes)
    place = {name: i for i, name in enumerate(np.array(list(names), object)[order])}
    longest = max(len(piece.encode()) for piece in names)
    return np.array(list(names.values()))[order], {
        "pieces/listed": hashes[order],
        "pieces/longest": np.array([longest], np.uint32),
        "pieces/special": np.array([place[name] for name in SPECIAL], np.uint32),
    }


# The same bits as in native/core/encoder/wordpiece.hpp.
_REMOVED, _BLANK, _PUNCTUATION, _CHINESE = 1, 2, 4, 8
_CHINESE_RANGES = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)  # the same as in the `tokenizers` library
_HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic
_SURROGATES = range(0xD800, 0xE000)


def _characters(vocabulary: Vocabulary) -> dict[str, NDArray[Any]]:
    """Classify and fold all characters as BERT's basic tokenizer does.

    This uses Python's version of Unicode. The `tokenizers` library has an older one, so about 500
    rare characters differ.
    """
    classes = np.zeros(0x110000, np.uint8)
    folds: dict[int, str] = {}
    for code in range(0x110000):
        if code in _SURROGATES:
            continue
        character = chr(code)
        category = unicodedata.category(character)
        if character in "\t\n\r" or category in ("Zs", "Zl", "Zp"):
            classes[code] = _BLANK
            continue
        if category in ("Cc", "Cf", "Co") or code == 0xFFFD:
            classes[code] = _REMOVED
            continue
        becomes = character
        if vocabulary.strip:
            parts = unicodedata.normalize("NFD", character)
            becomes = "".join(part for part in parts if unicodedata.category(part) != "Mn")
        if vocabulary.lower:
            becomes = "".join(part.lower() for part in becomes)
        is_sign = 0x20 < code < 0x7F and not character.isalnum()
        if is_sign or category.startswith("P"):
            classes[code] |= _PUNCTUATION
        if not becomes:
            classes[code] |= _REMOVED
        elif becomes != character and code >= 0x80 and code not in _HANGUL:
            folds[code] = becomes
    if vocabulary.chinese:
        for begin, end in _CHINESE_RANGES:
            classes[begin : end + 1] |= _CHINESE
    starts = np.flatnonzero(np.diff(classes, prepend=np.uint8(255)))
    keys = sorted(folds)
    return {
        "characters/modes": np.array([vocabulary.lower, vocabulary.strip], np.uint8),
        "characters/starts": starts.astype(np.uint32),
        "characters/classes": classes[starts],
        "characters/fold_keys": np.array(keys, np.uint32),
        "characters/fold_bounds": np.cumsum([0, *(len(folds[k]) for k in keys)]).astype(np.uint16),
        "characters/fold_values": np.array([ord(c) for k in keys for c in folds[k]], np.uint32),
    }


def _stack(name: str, stack: Stack) -> dict[str, NDArray[Any]]:
    weights = stack.weights
    settings = (
        *(stack.layers, stack.heads, stack.longest, POOLINGS.index(stack.pooling)),
        *(stack.unit, len(stack.head)),
    )
    arrays = {
        f"{name}/settings": np.array(settings, np.uint32),
        f"{name}/epsilon": np.array([max(stack.epsilon, 1e-20)], np.float32),
        f"{name}/types": _flat(weights["types.weight"][:2]),
        f"{name}/norm/weight": _flat(weights["norm.weight"]),
        f"{name}/norm/bias": _flat(weights["norm.bias"]),
    }
    for layer in range(stack.layers):
        theirs, ours = f"layers.{layer}", f"{name}/layers/{layer}"
        for part in ("qkv", "out", "up", "down"):
            weight, bias = (weights[f"{theirs}.{part}.{end}"] for end in ("weight", "bias"))
            arrays |= _linear(f"{ours}/{part}", weight, bias, stack.levels)
        for part, norm in (("norm1", "attention_norm"), ("norm2", "norm")):
            for end in ("weight", "bias"):
                arrays[f"{ours}/{norm}/{end}"] = _flat(weights[f"{theirs}.{part}.{end}"])
    for place, (weight, bias) in enumerate(stack.head):
        arrays |= _linear(f"{name}/head/{place}", weight, bias, stack.levels)
    return arrays


def _linear(
    name: str, weight: NDArray[Any], bias: NDArray[Any], levels: int
) -> dict[str, NDArray[Any]]:
    """Quantise to 8 bits with one scale per output, in panels of 16 outputs times 4 inputs."""
    scales = np.abs(weight).max(axis=1).astype(np.float32) / np.float32(levels)
    codes = np.rint(weight / np.where(scales > 0, scales, 1)[:, None]).clip(-levels, levels)
    outputs, inputs = weight.shape
    padded = np.zeros((outputs + -outputs % LANES, inputs + -inputs % STEP), np.int8)
    padded[:outputs, :inputs] = codes
    panels = padded.reshape(-1, LANES, padded.shape[1] // STEP, STEP).transpose(0, 2, 1, 3)
    return {
        f"{name}/panels": panels.reshape(-1),
        f"{name}/scales": scales,
        f"{name}/bias": _flat(bias),
    }


def _embedding(name: str, rows: NDArray[Any], bits: int) -> dict[str, NDArray[Any]]:
    """Quantise with one scale per row, and with 4 bits also one factor per dimension."""
    if bits == 8:
        scales = np.abs(rows).max(axis=1) / 127
        codes = np.rint(rows / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
        columns = np.empty(0)
    else:
        columns = np.maximum(np.sqrt((rows.astype(np.float64) ** 2).mean(axis=0)), 1e-8)
        levels, scales = _four_bits(rows / columns)
        half = rows.shape[1] // 2
        codes = levels[:, :half] | levels[:, half:] << 4
    return {
        f"{name}/codes": codes.reshape(-1).view(np.uint8),
        f"{name}/scales": _flat(scales),
        f"{name}/columns": _flat(columns),
    }


def _four_bits(
    rows: NDArray[np.float64], rounds: int = 8
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Find levels 0 to 15 and a scale for each row: level l stands for (l - 7.5) scale.

    Each round takes the best levels for the scale, then the best scale for the levels (least
    squares).
    """
    scales = np.maximum(np.abs(rows).max(axis=1) / 9, 1e-12)
    for _ in range(rounds):
        centred = np.rint(rows / scales[:, None] - 0.5).clip(-8, 7) + 0.5
        scales = np.maximum((rows * centred).sum(axis=1) / (centred**2).sum(axis=1), 1e-12)
    return (centred + 7.5).astype(np.uint8), scales


def _flat(array: NDArray[Any]) -> NDArray[np.float32]:
    return np.ascontiguousarray(array, np.float32).reshape(-1)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: cannot read it: {error.strerror}") from error


def _json(path: Path, *, optional: bool = False, kind: type = dict) -> Any:
    if optional and not path.is_file():
        return kind()
    try:
        value = json.loads(_bytes(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: this is not JSON: {error}") from error
    if not isinstance(value, kind):
        raise ModelError(f"{path}: a JSON {'object' if kind is dict else 'list'} is needed")
    return value
