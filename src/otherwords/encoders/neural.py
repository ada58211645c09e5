"""A neural encoder: the vectors of a BERT model, computed by onnxruntime (extra `neural`).

    otherwords model encoder FOLDER -o minilm.owm      # once; FOLDER itself is taken as well

Nothing is fetched: the model is a folder or file of the user, or an installed package that carries
one. `docs/neural.md` describes all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import Settings, read_folder
from otherwords.encoders.bert_graph import INPUT
from otherwords.encoders.finding import MINILM, find_encoder, require_extra
from otherwords.encoders.neural_model import (
    FULL,
    KIND,
    converted,
    open_model,
    runtime,
    session_of,
    tokenizer_of,
    usable,
)
from otherwords.encoders.static import Array, StaticEncoder, Tokens, check_texts
from otherwords.errors import ModelError, UsageError
from otherwords.models import container
from otherwords.models.container import open_once

TOGETHER = 512  # word pieces of a batch: about what fits a processor's cache
TEXTS = 256  # texts whose states are held at once
SUMMARIES = ("mean", "lowest", "least", "lost")
SIDES = ("precision", "recall")
COMPARED = ("cosine", *(f"{side}-{what}" for side in SIDES for what in SUMMARIES))
LARGEST = 1e9  # number of a state: its square fits 32 bits
KEPT = 96 << 20  # bytes of vectors that are kept for texts that come again

Pairs = NDArray[np.int64]
Progress = Callable[[int], None]


class NeuralEncoder:
    """Unit vectors of word pieces in their context and of sentences.

    A sentence's vector is the mean of the states of all pieces, the special ones with them, or the
    first one, as the model's folder says. Texts of the same length are computed together, one batch
    per thread at a time; the numbers depend neither on the batch nor on the threads. Vectors are
    cached, so a repeated text costs nothing.
    """

    def __init__(self, model: container.Model) -> None:
        require_extra()
        self.model = model
        self.runtime = f"onnxruntime-{runtime().__version__}"
        with usable(model.path):
            self.settings = Settings(**model.provenance["settings"])
            self.bits = int(model.provenance["bits"])
            self.weights = str(model.provenance["weights"])  # the digest, the same for all bits
            data = model.arrays["tokenizer"].tobytes()
            self.tokenizer = tokenizer_of(data, self.settings.longest)
            graph = model.arrays["graph"].tobytes()
            self.session = session_of(graph, model.section("weights"))
            self._inputs = [one.name for one in self.session.get_inputs()]
            self.dimensions = int(self.states(np.array([[0, 0, 0]])).shape[2])
        self.teacher = StaticEncoder.load().teacher if self.weights == MINILM else None
        self._sentences = _Kept()
        self._tokens = _Kept()

    @classmethod
    def load(cls, encoder: str | Path = "auto") -> NeuralEncoder:
        """Open a file of `otherwords model encoder`, a folder, or with "auto" the model of an
        installed package; opened once per process.
        """
        require_extra()
        path = find_encoder(encoder)
        return open_once((cls, path), [path], lambda: cls(open_model(path)))

    @property
    def signature(self) -> str:
        return f"neural-{self.model.short_digest}-{self.bits}bit-{self.runtime}"

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The word pieces of each text, all of the same weight."""
        return [self._of(one) for one in self._encoded(check_texts(texts))]

    def sentence_vectors(
        self, texts: Sequence[str], *, threads: int = 1, progress: Progress = lambda done: None
    ) -> Array:
        """One unit vector per text; zeros for a text without a piece."""
        texts = check_texts(texts)
        out = np.empty((len(texts), self.dimensions), np.float32)
        for some in _blocks(len(texts)):
            found = self._computed(self._sentences, [texts[i] for i in some], threads)
            for place in some:
                out[place] = found[texts[place]]
            progress(len(some))
        return out

    def token_vectors(
        self, texts: Sequence[str], *, threads: int = 1, progress: Progress = lambda done: None
    ) -> list[Array]:
        """For each text one unit vector per piece, without the special ones."""
        texts = check_texts(texts)
        out: list[Array] = []
        for some in _blocks(len(texts)):
            found = self._computed(self._tokens, [texts[i] for i in some], threads)
            out += [found[texts[place]][1:-1] for place in some]
            progress(len(some))
        return out

    def cosines(
        self, texts: Sequence[str], left: Pairs, right: Pairs, *, threads: int = 1
    ) -> NDArray[np.float64]:
        """The cosine of the vectors of each pair (texts[left], texts[right]); 1 for the same text,
        0 where one of two texts has no piece.
        """
        vectors = self.sentence_vectors(texts, threads=threads)
        found = (vectors[left].astype(np.float64) * vectors[right]).sum(axis=1)
        return np.where(left == right, 1.0, found)

    def match(
        self,
        texts: Sequence[str],
        left: Pairs,
        right: Pairs,
        *,
        idf: dict[int, float] | None = None,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Precision and recall of greedy matching for the pairs (texts[left], texts[right]).

        As BERTScore has it (Zhang et al. 2020, §3): every piece takes the partner of highest
        cosine, the special pieces may be partners and count nothing themselves. `idf` weighs
        pieces by their numbers. Two texts without a piece match fully, one alone not at all.
        """
        rows = []
        for (one, other), (mine, theirs) in zip(
            self.best_cosines(texts, left, right, threads=threads),
            self._weights(texts, left, right, idf),
            strict=True,
        ):
            rows.append((_mean(one, mine, len(other)), _mean(other, theirs, len(one))))
        return np.array(rows, np.float64).reshape(-1, 2)

    def best_cosines(
        self, texts: Sequence[str], left: Pairs, right: Pairs, *, threads: int = 1
    ) -> Iterator[tuple[Array, Array]]:
        """For each pair the highest cosine of each piece of the left text and of the right one."""
        texts = check_texts(texts)
        for some in _blocks(len(left)):
            pairs = [(texts[left[i]], texts[right[i]]) for i in some]
            found = self._computed(self._tokens, [text for pair in pairs for text in pair], threads)
            for one, other in pairs:
                if one == other:
                    copy = np.ones(len(found[one]) - 2, np.float32)
                    yield copy, copy
                    continue
                cosines = found[one] @ found[other].T
                yield cosines.max(axis=1)[1:-1], cosines.max(axis=0)[1:-1]

    def compare(
        self, texts: Sequence[str], left: Pairs, right: Pairs, *, threads: int = 1
    ) -> NDArray[np.float64]:
        """One row per pair with all of `COMPARED`: the cosine of the texts' vectors, and for both
        sides what the best cosines of the pieces are like: the mean, the mean of the lowest
        quarter, the least, and the share below one half.
        """
        matched = [
            [*_summaries(one, len(other)), *_summaries(other, len(one))]
            for one, other in self.best_cosines(texts, left, right, threads=threads)
        ]
        found = np.array(matched, np.float64).reshape(len(left), -1)
        return np.column_stack([self.cosines(texts, left, right, threads=threads), found])

    def links(self, one: str, other: str, *, mix: float = 0.0) -> tuple[NDArray[Any], ...]:
        """For the pieces of both texts the number of the best partner and its cosine.

        Partners and cosines of `one`, then those of `other`; special pieces are left out, and
        nothing is mixed in, for vectors know their context. Next to a text without a piece all
        cosines are 0.
        """
        left, right = self.token_vectors([one, other])
        cosines = left @ right.T
        if not cosines.size:
            kinds = np.intp, cosines.dtype
            return tuple(np.zeros(len(side), kind) for side in (left, right) for kind in kinds)
        return (
            cosines.argmax(axis=1),
            cosines.max(axis=1),
            cosines.argmax(axis=0),
            cosines.max(axis=0),
        )

    def idf(self, lines: Sequence[str]) -> dict[int, float]:
        """Weights of pieces by the number of lines that have them (Zhang et al. 2020, §3):
        log((1 + lines) / (1 + lines with the piece)); a piece in none of them has the number -1.
        """
        found: dict[int, int] = {}
        for one in self._encoded(check_texts(lines)):
            for piece in set(one.ids[1:-1]):
                found[piece] = found.get(piece, 0) + 1
        whole = np.log(len(lines) + 1)
        return {-1: whole} | {piece: float(whole - np.log(n + 1)) for piece, n in found.items()}

    def _weights(
        self, texts: Sequence[str], left: Pairs, right: Pairs, idf: dict[int, float] | None
    ) -> Iterator[tuple[Array | None, Array | None]]:
        if idf is None:
            yield from ((None, None) for _ in left)
            return
        weights = [
            np.array([idf.get(piece, idf[-1]) for piece in one.ids[1:-1]], np.float32)
            for one in self._encoded(texts)
        ]
        yield from ((weights[i], weights[j]) for i, j in zip(left, right, strict=True))

    def _computed(self, kept: _Kept, texts: Sequence[str], threads: int) -> dict[str, Array]:
        """The vectors of these texts, those that are not kept computed."""
        found = {text: kept.found[text] for text in texts if text in kept.found}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        ids = [one.ids for one in self._encoded(missing)]
        together = list(batches([len(one) for one in ids]))
        with ThreadPoolExecutor(max(1, min(threads, len(together)))) as pool:
            done = pool.map(lambda some: self.states(np.array([ids[i] for i in some])), together)
            for some, states in zip(together, done, strict=True):
                pooled = states[:, 0] if self.settings.pooling == "cls" else states.mean(axis=1)
                pooled = unit(pooled) * (states.shape[1] > 2)
                for place, rows, vector in zip(some, states, pooled, strict=True):
                    text = missing[place]
                    self._sentences.add(text, vector.copy())
                    if kept is self._tokens:
                        kept.add(text, unit(rows))
                    found[text] = kept.found[text]
        return found

    def states(self, ids: NDArray[np.int64]) -> Array:
        """The last layer of texts of one length."""
        feeds = {INPUT: ids, "attention_mask": np.ones_like(ids), "token_type_ids": 0 * ids}
        with usable(self.model.path):
            states: Array = self.session.run(None, {name: feeds[name] for name in self._inputs})[0]
            if states.shape[:2] != ids.shape or not (np.abs(states) <= LARGEST).all():
                raise ModelError("it gives vectors that are no numbers, or not one for each piece")
        return states

    def _encoded(self, texts: Sequence[str]) -> list[Any]:
        encode = self.tokenizer.encode  # encode_batch would take all cores
        with usable(self.model.path):
            return [encode(text.lower() if self.settings.lower else text) for text in texts]

    def _of(self, encoded: Any) -> Tokens:
        pieces, spans = encoded.tokens[1:-1], encoded.offsets[1:-1]
        ones = (1.0,) * len(pieces)
        return Tokens(tuple(pieces), tuple(spans), ones, ones, (True,) * len(pieces))


@dataclass(frozen=True)
class PackedEncoder:
    """A model file that was written."""

    path: Path
    size: int
    signature: str

    def __str__(self) -> str:
        return f"{self.path}: {self.size:,} bytes, {self.signature}"


def pack_encoder(folder: str | Path, output: str | Path, *, bits: int = FULL) -> PackedEncoder:
    """Convert the encoder of a folder (or "auto") into a model file, in 32 or 8 bits."""
    require_extra()
    path = find_encoder(folder)
    if path.is_file():
        raise UsageError(f"{folder}: a folder is needed; this is a file")
    model = converted(read_folder(path), bits)
    encoder = NeuralEncoder(model)  # it works, or nothing is written
    container.write(output, KIND, model.arrays, model.provenance)
    return PackedEncoder(Path(output), Path(output).stat().st_size, encoder.signature)


class _Kept:
    """Vectors of texts, the latest of them up to `KEPT` bytes."""

    def __init__(self) -> None:
        self.found: dict[str, Array] = {}
        self.size = 0

    def add(self, text: str, array: Array) -> None:
        self.found[text] = array
        self.size += array.nbytes
        while self.size > KEPT and len(self.found) > 1:
            self.size -= self.found.pop(next(iter(self.found))).nbytes


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts that are computed together: of one length, short ones first.

    >>> list(batches([3, 300, 3, 300]))
    [[0, 2], [1], [3]]
    """
    places: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        places.setdefault(length, []).append(place)
    for length in sorted(places):
        step = max(1, TOGETHER // length)
        yield from (places[length][k : k + step] for k in range(0, len(places[length]), step))


def _blocks(size: int) -> Iterator[range]:
    return (range(start, min(start + TEXTS, size)) for start in range(0, size, TEXTS))


def _mean(best: Array, weights: Array | None, others: int) -> float:
    """The weighted mean of best cosines; of nothing, 1 if the other side is nothing as well."""
    if not len(best) or not others:
        return float(len(best) == others)
    if weights is None or not weights.any():
        return float(best.mean())
    return float(best @ weights / weights.sum())


def _summaries(best: Array, others: int) -> list[float]:
    if not len(best) or not others:
        same = float(len(best) == others)
        return [same, same, same, 1 - same]
    ordered = np.sort(best)
    lowest = ordered[: -(-len(best) // 4)]
    return [float(best.mean()), float(lowest.mean()), float(ordered[0]), float((best < 0.5).mean())]


def unit(rows: Array) -> Array:
    """Rows of length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-12))
