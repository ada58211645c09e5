"""Changes to text, JSON, bytes and arrays that keep most of their structure."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

# Numbers at the ends of types, and what readers take for numbers but should not.
NUMBERS = (
    "0 -0 1 -1 2 7 255 65536 2147483648 4294967296 9223372036854775808 1e308 1e309 -1e400 1e-320 "
    "nan NaN inf -Infinity 0x10 1_000 ١٢ ½ 1,5 .5 5. 1e 00 +1 1e-7 0.999999999 1.0000001"
).split()
WORDS = [
    "", " ", "\t", "the", "[X,1]", "[X]", "[X,2]", "[,1]", "|||", "||", "=", "::", "{}", "[]",
    "null", "true", '"', "'", "\\", "\\u0000", "\\ud800", "\x00", "\x07", "\x0b", "\x1f", "\x7f",
    "\x85", "\xa0", "\xad", "\u0301", "\u0130", "\u200b", "\u2028", "\u202e", "\ufeff", "\ufffe",
    "\U0001f469\u200d\U0001f4bb", "\U00020000", "ß", "İ", "ǆ", "ﬃ", "中文", "עברית", "a" * 300,
    "a " * 200, "(" * 50, "[" * 50, "<s>", "</s>", "<unk>", "\\data\\", "\\end\\", "-LRB-", "0-0",
    "1-", "-1-2", "3-4-5", "0?1", "<seg id='1'>", "</seg>", "<!-- ", "]]>", "&amp;", "&#0;",
    "&#xd800;", "&bogus;", "#", "1-2\tx", "1.1", "<!DOCTYPE x>",
]  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_FIELDS = (" ||| ", "\t", ",", " ", "=", ":", "-", "(", ")", '"', "<", ">", "\\")
_BYTES = [
    b"\x00",
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
    b"\r",
    b"\n",
]
_BYTES += [b"\r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PAR1", b"\x1a", b"\x80"]


def text(rng: Random, seeds: list[bytes]) -> bytes:
    """One of the seeds after one to four changes, some of its lines from another seed."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        change = rng.choices((_line, _field, _number, _word, _json, _raw, _whole), _WEIGHTS)[0]
        data = change(rng, data, seeds)
        if len(data) > 1 << 16:
            data = data[: 1 << 16]
    return data


_WEIGHTS = (3, 5, 4, 3, 4, 3, 0.6)


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) or [b""]


def _line(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    lines = _lines(data)
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(7):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[other])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            lines[place] = lines[place].rstrip(b"\r\n")
        case 4:
            lines.insert(place, b"\n")
        case 5:
            lines[place] = rng.choice(_lines(rng.choice(seeds)))
        case 6:
            lines[place:] = []
    return b"".join(lines)


def _on_line(
    rng: Random, data: bytes, change: Callable[[str], str], wanted: str | None = None
) -> bytes:
    """Change the text of one line; bytes that are no UTF-8 stay."""
    lines = _lines(data)
    places = [k for k, one in enumerate(lines) if wanted is None or wanted.encode() in one]
    if not places:
        return data
    place = rng.choice(places)
    line = lines[place].rstrip(b"\r\n")
    end = lines[place][len(line) :]
    changed = change(line.decode("utf-8", "surrogateescape"))
    lines[place] = _bytes(changed) + end
    return b"".join(lines)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a surrogate pair, which some programs do write
        return text.encode("utf-8", "surrogatepass")


def _field(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    found = [one for one in _FIELDS if one.encode() in data]
    if not found:
        return _word(rng, data, seeds)
    separator = rng.choice(found)

    def change(line: str) -> str:
        parts = line.split(separator)
        place, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(6):
            case 0:
                del parts[place]
            case 1:
                parts.insert(place, parts[other])
            case 2:
                parts[place], parts[other] = parts[other], parts[place]
            case 3:
                parts[place] = rng.choice(WORDS)
            case 4:
                parts[place] = rng.choice(NUMBERS)
            case 5:
                parts[place] = ""
        return separator.join(parts)

    return _on_line(rng, data, change, separator)


def _number(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    def change(line: str) -> str:
        found = list(_NUMBER.finditer(line))
        if not found:
            return line
        one = rng.choice(found)
        return line[: one.start()] + rng.choice(NUMBERS) + line[one.end() :]

    return _on_line(rng, data, change)


def _word(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    def change(line: str) -> str:
        begin = rng.randint(0, len(line))
        end = begin + rng.choice((0, 0, 1, 3))
        return line[:begin] + rng.choice(WORDS) + line[end:]

    return _on_line(rng, data, change)


def _json(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    def change(line: str) -> str:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return line
        return json.dumps(json_value(rng, value), ensure_ascii=rng.random() < 0.5)

    return _on_line(rng, data, change, "{") if b"{" in data else _field(rng, data, seeds)


def json_value(rng: Random, value: Any) -> Any:
    """A JSON value with one place changed."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        match rng.randrange(6):
            case 0:
                return {k: v for k, v in value.items() if k != key}
            case 1:
                return {**value, rng.choice([*value, *WORDS[:20]]): json_value(rng, value[key])}
            case _:
                return {**value, key: json_value(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        changed = [json_value(rng, value[place])]
        match rng.randrange(4):
            case 0:
                changed = []
            case 1:
                changed = [value[place], value[place]]
        return [*value[:place], *changed, *value[place + 1 :]]
    nested: Any = []
    for _ in range(rng.choice((1, 3, 60))):
        nested = [nested]
    new = [None, True, False, 0, -1, 2**31, 2**63, 10**30, 1.5, -0.0, math.nan, math.inf, -1e308]
    return rng.choice([*new, "", " ", "x", rng.choice(WORDS), [], {}, {"a": 1}, nested, [1, "a"]])


def _raw(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    begin = rng.randint(0, len(data))
    match rng.randrange(6):
        case 0:
            return flipped(rng, data)
        case 1:
            return data[:begin] + rng.choice(_BYTES) + data[begin:]
        case 2:
            return data[:begin] + data[begin + rng.choice((1, 4, 40)) :]
        case 3:
            return data[:begin]
        case 4:
            end = min(len(data), begin + rng.choice((4, 40, 400)))
            return data[:end] + data[begin:end] + data[end:]
        case _:
            other = rng.choice(seeds)
            return data[:begin] + other[rng.randint(0, len(other)) :]


def _whole(rng: Random, data: bytes, seeds: list[bytes]) -> bytes:
    match rng.randrange(6):
        case 0:
            return gzip.compress(data, 1, mtime=0)
        case 1:
            return flipped(rng, gzip.compress(data, 1, mtime=0))
        case 2:
            return data.replace(b"\n", b"\r\n")
        case 3:
            return data.decode("utf-8", "replace").encode("utf-16")
        case 4:
            return b"\xef\xbb\xbf" + data
        case _:
            return b""


def flipped(rng: Random, data: bytes, bits: int = 1) -> bytes:
    """The bytes with some bits turned."""
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(bits):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def array(rng: Random, values: np.ndarray) -> np.ndarray:
    """An array with bits turned, values set to the ends of their type, cut, extended or retyped."""
    kind = rng.random()
    if values.ndim == 0 or values.size == 0 or kind < 0.03:
        return np.zeros(rng.choice((0, 1, 5)), values.dtype)
    if kind < 0.12:
        return values[: rng.randrange(len(values) + 1)].copy()
    if kind < 0.17:
        return np.concatenate([values, values[:1]])
    if kind < 0.2:
        with np.errstate(invalid="ignore"):
            return values.astype(rng.choice(list("u1 u4 i8 f4 f8".split())))
    if kind < 0.22:
        return values.reshape(-1, 1) if rng.random() < 0.5 else values.reshape(1, -1)
    changed = values.copy(order="C")
    flat = changed.reshape(-1)
    count = rng.choice((1, 1, 3, max(1, flat.size // 10)))
    # Ends of an array hold counts and bounds that much depends on.
    places = [rng.choice((0, -1)) if rng.random() < 0.2 else rng.randrange(flat.size)]
    places += [rng.randrange(flat.size) for _ in range(min(count, 2000) - 1)]
    if kind < 0.6:
        raw, width = flat.view(np.uint8), flat.itemsize
        for place in places:
            at = (place % flat.size) * width + rng.randrange(width)
            raw[at] ^= 1 << rng.randrange(8)
    elif kind < 0.9:
        flat[places] = _extreme(rng, flat.dtype)
    else:
        one, other = rng.randrange(flat.size), rng.randrange(flat.size)
        flat[one], flat[other] = flat[other], flat[one]
    return changed


def _extreme(rng: Random, dtype: np.dtype) -> Any:
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        return dtype.type(
            rng.choice([0, -1, 1, math.nan, math.inf, -math.inf, limits.max, limits.tiny])
        )
    if dtype.kind == "b":
        return rng.random() < 0.5
    limits = np.iinfo(dtype)
    return dtype.type(
        rng.choice([0, 1, 7, limits.max, limits.min, limits.max // 2, limits.max - 1])
    )
