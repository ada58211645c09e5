"""The tagger, plainly: features as lists, weights as a dictionary, Viterbi over pairs of tags.

Follows native/core/text/tagger_features.hpp and tagger_decoding.hpp; knows only the characters
whose class Python and native/core/text/unicode.hpp agree on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MASK = 2**64 - 1
_BASIS = 0xCBF29CE484222325
_CANDIDATES = 5
_TEMPLATES = [
    "folded",
    "fine_cluster",
    "middle_cluster",
    "coarse_cluster",
    "neighbour_suffix",
    "neighbour_shape",
    "cased",
    "shape",
    "capitals_shape",
    "tail",
    "prefix",
    "suffix",
    "place_shape",
    "place_shape_cluster",
    "place_shape_capitals",
    "bigram_before",
    "bigram_after",
    "word_cluster_before",
    "word_cluster_after",
    "cluster_trigram",
    "suffix_cluster_before",
    "suffix_cluster_after",
    "clusters_around",
    "senses",
    "senses_suffix",
]


def _mix(h: int) -> int:
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h ^= h >> 33
        h = h * factor & _MASK
    return h ^ h >> 33


def _hash_bytes(data: bytes) -> int:
    h = _BASIS
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & _MASK
    return _mix(h)


def _hash_chars(text: str) -> int:
    return _hash_bytes(b"".join(ord(c).to_bytes(3, "little") for c in text))


def _normal(text: str) -> str:
    return "".join("0" if c in "0123456789" else "'" if c in "‘’" else c for c in text)


def _feature(template: str, *values: int, variant: int = 0) -> int:
    number = _TEMPLATES.index(template) + 1
    key = (number * 8 + variant) * 0x9E3779B97F4A7C15 & _MASK
    for value in values:
        key = _mix(key + value & _MASK)
    return key


def _shape(form: str) -> int:
    classes = ""
    for c in form:
        name = (
            "d" if c in "0123456789"
            else "X" if c.isupper()
            else "x" if c.isalpha()
            else c if c.isascii()
            else "*"
        )  # fmt: skip
        if not classes.endswith(name) and len(classes) < 8:
            classes += name
    return _hash_bytes(classes.encode())


@dataclass(frozen=True)
class _Word:
    form: str
    cased: int
    folded: int
    tail: int
    shape: int
    prefix: list[int]
    suffix: list[int]
    clusters: tuple[int, int, int]
    capitals: int
    senses: int

    def suffix_of(self, length: int) -> int:
        return self.suffix[length - 1] if len(self.suffix) >= length else 0

    def has_upper(self) -> bool:
        return any(c.isupper() for c in self.form)

    def has_lower(self) -> bool:
        return any(c.isalpha() and not c.isupper() for c in self.form)


_END = _hash_bytes(b"\n")
_OUTSIDE = _Word("", _END, _END, 0, _END, [], [], (0, 0, 0), 0, 0)


class TaggerOracle:
    """Tags like the kernel, from the same arrays."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.names = bytes(arrays["tag_names"]).decode().split("\n")
        self.margin = int(arrays["margin"][0])
        side = len(self.names) + 1
        self.bigrams = arrays["bigrams"].reshape(side, side)
        self.trigrams = arrays["trigrams"].reshape(side, side, side)
        bounds = arrays["row_bounds"].tolist()
        self.rows = {
            key: list(
                zip(
                    arrays["row_tags"][begin:end].tolist(),
                    arrays["row_weights"][begin:end].tolist(),
                    strict=True,
                )
            )
            for key, begin, end in zip(
                arrays["feature_keys"].tolist(), bounds[:-1], bounds[1:], strict=True
            )
        }
        coarser = arrays["coarser_clusters"].reshape(2, -1)
        self.usage = {
            key: ((fine, int(coarser[0, fine]), int(coarser[1, fine])), capitals, senses)
            for key, fine, capitals, senses in zip(
                arrays["word_keys"].tolist(),
                arrays["word_clusters"].tolist(),
                arrays["word_capitals"].tolist(),
                arrays["word_senses"].tolist(),
                strict=True,
            )
        }

    def tag(self, tokens: list[str]) -> list[str]:
        words = [self._word(token) for token in tokens]
        lattice = [self._candidates(words, i) for i in range(len(words))]
        return [self.names[tag] for tag in self._best_path(lattice)]

    def _word(self, form: str) -> _Word:
        low = _normal(form.lower())
        unknown = ((0xFFFF,) * 3, 0xFF, 0xFF)
        clusters, capitals, senses = self.usage.get(_hash_chars(low), unknown)
        tail = low.rpartition("-")[2] if "-" in low else ""
        return _Word(
            form,
            _hash_chars(_normal(form)),
            _hash_chars(low),
            _hash_chars(tail) if tail else 0,
            _shape(form),
            [_hash_chars(low[:k]) for k in range(1, 5) if k < len(low)],
            [_hash_chars(low[-k:][::-1]) for k in range(1, 6) if k < len(low)],
            clusters,
            capitals,
            senses,
        )

    def _candidates(self, words: list[_Word], i: int) -> list[tuple[int, int]]:
        """(score, tag), best first, the lower tag first among equals."""
        scores = np.zeros(len(self.names), dtype=np.int64)
        for key in _features(words, i):
            for tag, weight in self.rows.get(key, ()):
                scores[tag] += weight
        ranked = sorted((-int(score), tag) for tag, score in enumerate(scores))
        least = -ranked[0][0] - self.margin
        return [(-minus, tag) for minus, tag in ranked if -minus >= least][:_CANDIDATES]

    def _best_path(self, lattice: list[list[tuple[int, int]]]) -> list[int]:
        end = len(self.names)
        # (tag before, tag) -> score and path; dictionaries keep the order of candidates, and
        # the first of equal scores wins, as in the kernel.
        paths: dict[tuple[int, int], tuple[int, list[int]]] = {(end, end): (0, [])}
        for candidates in [*lattice, [(0, end)]]:
            extended: dict[tuple[int, int], tuple[int, list[int]]] = {}
            for (before2, before), (score, path) in paths.items():
                for word_score, tag in candidates:
                    total = score + word_score + int(self.bigrams[before, tag])
                    total += int(self.trigrams[before2, before, tag])
                    if (before, tag) not in extended or total > extended[before, tag][0]:
                        extended[before, tag] = (total, [*path, tag])
            paths = extended
        _, best = max(paths.values(), key=lambda entry: entry[0])
        return best[:-1]


def _features(words: list[_Word], i: int) -> list[int]:
    def at(offset: int) -> _Word:
        return words[i + offset] if 0 <= i + offset < len(words) else _OUTSIDE

    word, before, after = at(0), at(-1), at(1)
    first = next((j for j, w in enumerate(words) if w.has_upper() or w.has_lower()), len(words))
    place = _casing(words) * 2 + (i == first)
    keys = []
    for offset in range(-2, 3):
        keys += _word_features(at(offset), offset)
    keys += [
        _feature("cased", word.cased),
        _feature("shape", word.shape),
        _feature("capitals_shape", word.capitals, word.shape),
        _feature("place_shape", place, word.shape),
        _feature("place_shape_cluster", place, word.shape, word.clusters[0]),
        _feature("place_shape_capitals", place, word.shape, word.capitals),
        _feature("bigram_before", before.folded, word.folded),
        _feature("bigram_after", word.folded, after.folded),
        _feature("word_cluster_before", word.folded, before.clusters[0]),
        _feature("word_cluster_after", word.folded, after.clusters[0]),
        _feature("cluster_trigram", before.clusters[1], word.clusters[1], after.clusters[1]),
        _feature("suffix_cluster_before", word.suffix_of(3), before.clusters[1]),
        _feature("suffix_cluster_after", word.suffix_of(3), after.clusters[1]),
        _feature("clusters_around", before.clusters[1], after.clusters[1]),
        _feature("senses_suffix", word.senses, word.suffix_of(2)),
    ]
    keys += [_feature("tail", word.tail)] if word.tail else []
    keys += [_feature("prefix", h, variant=k) for k, h in enumerate(word.prefix)]
    keys += [_feature("suffix", h, variant=k) for k, h in enumerate(word.suffix)]
    return keys


def _word_features(word: _Word, offset: int) -> list[int]:
    variant = offset + 2
    levels = ("fine_cluster", "middle_cluster", "coarse_cluster")
    keys = [_feature("folded", word.folded, variant=variant)]
    keys += [
        _feature(level, c, variant=variant) for level, c in zip(levels, word.clusters, strict=True)
    ]
    if abs(offset) <= 1:
        keys.append(_feature("senses", word.senses, variant=variant))
    if abs(offset) == 1:
        keys.append(_feature("neighbour_suffix", word.suffix_of(3), variant=variant))
        keys.append(_feature("neighbour_shape", word.shape, variant=variant))
    return keys


def _casing(words: list[_Word]) -> int:
    lettered = [word for word in words if word.has_upper() or word.has_lower()]
    capitalised = sum(word.form[:1].isupper() for word in words)
    if not any(word.has_upper() for word in lettered):
        return 1
    if len(lettered) < 2:
        return 0
    if not any(word.has_lower() for word in lettered):
        return 2
    return 3 if len(lettered) >= 4 and capitalised * 10 >= len(lettered) * 7 else 0
