"""A pair model: it reads two texts at once and says whether both mean the same (extra `neural`).

The package has what was trained; the encoder that it starts from is the user's, as for
`NeuralEncoder`. `docs/pair.md` describes both.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import Folder, read_folder
from otherwords.encoders.bert_graph import INPUT
from otherwords.encoders.finding import MINILM, find_encoder, require_extra
from otherwords.encoders.neural import batches
from otherwords.encoders.neural_model import (
    FULL,
    SMALL,
    runtime,
    session_of,
    tokenizer_of,
    usable,
)
from otherwords.encoders.pair_graph import GIVEN, NUMBERS
from otherwords.encoders.pair_graph import SWAPPED as SWAPPED_NUMBERS
from otherwords.encoders.pair_model import (
    KIND,
    OUTPUTS,
    SWAPPED,
    States,
    Trained,
    feeds,
    find_trained,
    graphs_of,
    open_trained,
)
from otherwords.encoders.static import StaticEncoder, check_texts
from otherwords.errors import UnreadWarning, UsageError
from otherwords.io.arguments import check_whole
from otherwords.models.container import open_once
from otherwords.stats.arrays import logistic

TOGETHER = 256  # pairs whose word pieces are held at once
KEPT = 1 << 17  # pairs whose numbers are kept
PIECES = 1 << 14  # word pieces whose states are kept for texts that come again
DIGITS = 6  # of a probability that are kept: beyond them processors differ
CERTAIN = 1e9  # the logit of what needs no model
EQUAL, MISSING, ADDED = (
    np.append(np.where(np.arange(len(OUTPUTS)) == place, CERTAIN, -CERTAIN), [0.0] * GIVEN)
    for place in (0, 2, 3)
)
ROW = len(EQUAL)  # what is kept of a pair: logits, and the numbers of `measures`
EXCHANGED = [*SWAPPED, *(len(OUTPUTS) + place for place in SWAPPED_NUMBERS[:GIVEN])]

Array = NDArray[np.float64]
Pair = tuple[str, str]
Ids = list[int]


class PairModel:
    """Probabilities of `OUTPUTS` for pairs of texts: a text and what it is compared with.

    The encoder reads each text by itself, once; the trained layers read both together. They are
    symmetric by construction: exchanging the texts exchanges the logits of `missing` and `added`
    and changes nothing else. Texts, and pairs, of one length are computed together, one batch per
    thread at a time; the numbers depend neither on the batch nor on the threads. Logits of pairs
    and the states of some texts are cached, so repeated texts cost less.
    """

    def __init__(self, trained: Trained, folder: Folder, *, bits: int = SMALL) -> None:
        require_extra()
        if bits not in (FULL, SMALL):
            raise UsageError(f"bits must be 32 or 8, not {bits}")
        self.trained, self.bits = trained, bits
        self.runtime = f"onnxruntime-{runtime().__version__}"
        texts, pairs = graphs_of(trained, folder, bits)
        with usable(folder.path):
            self.reading = session_of(texts.model, texts.arrays)
            self.session = session_of(pairs.model, pairs.arrays)
            self.longest = folder.settings.longest
            self.tokenizer = tokenizer_of(folder.tokenizer, self.longest)
            self.tokenizer.no_truncation()
        self._unknown = self.tokenizer.token_to_id("[UNK]")  # BERT's, as all of its folder
        self.lower = folder.settings.lower
        self.teacher = StaticEncoder.load().teacher if folder.digest == MINILM else None
        self._kept: dict[Pair, Array] = {}
        self._states: dict[str, States] = {}
        self._has_warned = False

    @classmethod
    def load(
        cls,
        model: str | Path = KIND,
        encoder: str | Path = "auto",
        *,
        bits: int = SMALL,
    ) -> PairModel:
        """Open the embedded pair model, or that of a file, with the encoder that it starts from:
        a folder, or with "auto" that of an installed package; opened once per process.
        """
        if not isinstance(model, (str, Path)):
            raise UsageError(f"model must be 'pair' or a path, not {model!r}")
        if type(bits) is not int or bits not in (FULL, SMALL):
            raise UsageError(f"bits must be 32 or 8, not {bits}")
        require_extra()
        folder = find_encoder(encoder)
        if folder.is_file():
            raise UsageError(f"{encoder}: a pair model needs the folder of the weights, not a file")
        path = find_trained(model)
        return open_once(
            (cls, path, folder, bits),
            [path, folder],
            lambda: cls(open_trained(path), read_folder(folder), bits=bits),
        )

    @property
    def signature(self) -> str:
        digests = f"{self.trained.model.short_digest}-{self.trained.base[:8]}"
        return f"pair-{digests}-{self.bits}bit-{self.runtime}"

    def probabilities(
        self,
        left: Sequence[str],
        right: Sequence[str],
        *,
        threads: int = 1,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Array:
        """One row per pair: the probabilities of `OUTPUTS`, `left` being compared with `right`.

        Texts of the same word pieces are the same if the model knows and reads all of them. Of a
        text without a word all is missing, next to one all is added; the model is not asked.
        """
        slope, shift = self.trained.calibration.T
        return probability(
            slope * self.logits(left, right, threads=threads, progress=progress) + shift
        )

    def logits(
        self,
        left: Sequence[str],
        right: Sequence[str],
        *,
        threads: int = 1,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Array:
        """The numbers behind the probabilities, not calibrated; `CERTAIN` without a model."""
        return self.measured(left, right, threads=threads, progress=progress)[:, : len(OUTPUTS)]

    def measured(
        self,
        left: Sequence[str],
        right: Sequence[str],
        *,
        threads: int = 1,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Array:
        """Logits, and beside them what the untrained encoder says of the pair (`measures`)."""
        check_whole("threads", threads, 1, 1024)
        left, right = check_texts(left), check_texts(right)
        if len(left) != len(right):
            raise UsageError(f"{len(left)} texts on the left but {len(right)} on the right")
        out = np.empty((len(left), ROW))
        for begin in range(0, len(left), TOGETHER):
            here = slice(begin, begin + TOGETHER)
            pairs = list(zip(left[here], right[here], strict=True))
            out[here] = self._of(pairs, threads)
            progress(len(pairs))
        return out

    def unread(self, one: str, other: str) -> int:
        """Word pieces at the ends of texts that the encoder has no place for."""
        return sum(max(0, len(self._all(text)) - self.longest) for text in (one, other))

    def _of(self, pairs: list[Pair], threads: int) -> Array:
        """Rows of some pairs, those that are not kept computed."""
        keys = [min(pair, pair[::-1]) for pair in pairs]
        found: dict[Pair, Any] = {key: self._kept[key] for key in keys if key in self._kept}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        ids = {text: self._ids(text) for key in missing for text in key}
        found |= {key: self._without_a_model(*key, ids) for key in missing}
        asked = [key for key in missing if found[key] is None]
        found |= dict(zip(asked, self._computed(asked, ids, threads), strict=True))
        for key in missing:
            self._keep(key, found[key])
        return np.array(
            [
                found[key] if key == pair else found[key][EXCHANGED]
                for key, pair in zip(keys, pairs, strict=True)
            ]
        )

    def _without_a_model(self, one: str, other: str, ids: dict[str, Ids]) -> Array | None:
        """Rows that need no model: of equal texts, and of texts without a piece but the marks of
        begin and end.

        Texts that differ only in words that the model does not know or in what it does not read are
        not equal; case and spaces never count.
        """
        left, right = ids[one], ids[other]
        if left == right:
            is_read = len(left) < self.longest and self._unknown not in left
            return EQUAL if is_read or self._normal(one) == self._normal(other) else None
        if len(left) == 2:
            return MISSING
        return ADDED if len(right) == 2 else None

    def _computed(self, pairs: list[Pair], ids: dict[str, Ids], threads: int) -> Array:
        """The rows of pairs; the second text of each is the reference."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        states = {text: self._states[text] for text in texts if text in self._states}
        new = [text for text in texts if text not in states]
        read = _together(
            [len(ids[text]) for text in new],
            threads,
            lambda some: self._read([ids[new[i]] for i in some]),
        )
        states |= {text: (ids[text], *read[place]) for place, text in enumerate(new)}
        rows = [(states[other], states[one]) for one, other in pairs]
        found = _together(
            [len(one[0]) + len(other[0]) for one, other in rows],
            threads,
            lambda some: self.run([rows[i] for i in some]),
        )
        for text in new:
            self._states[text] = states[text]
        while sum(len(one[0]) for one in self._states.values()) > PIECES:
            del self._states[next(iter(self._states))]
        return np.array(found, np.float64).reshape(-1, ROW)

    def _read(self, ids: Sequence[Ids]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """States below the top layers and after them, of texts of one length."""
        after, below = self.reading.run(None, {INPUT: np.array(ids, np.int64)})
        return list(zip(below, after, strict=True))

    def run(self, pairs: Sequence[tuple[States, States]]) -> NDArray[np.float32]:
        """The rows of pairs of one length."""
        given = feeds(pairs)
        return np.concatenate([self.session.run(None, given)[0], given[NUMBERS]], axis=1)

    def _normal(self, text: str) -> list[str]:
        """The words of a text as the tokenizer takes them."""
        lower = text.lower() if self.lower else text
        normalizer = self.tokenizer.normalizer
        return (lower if normalizer is None else normalizer.normalize_str(lower)).split()

    def _all(self, text: str) -> Ids:
        encoded: Ids = self.tokenizer.encode(text.lower() if self.lower else text).ids
        return encoded

    def _ids(self, text: str) -> Ids:
        ids = self._all(text)
        if len(ids) <= self.longest:
            return ids
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"the pair model reads {self.longest - 2} word pieces of a text, and not the rest "
                "of longer ones: split them into sentences",
                UnreadWarning,
                stacklevel=6,  # who asked the model
            )
        return [*ids[: self.longest - 1], ids[-1]]

    def _keep(self, key: Pair, row: Array) -> None:
        self._kept[key] = row
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


def _together(
    sizes: Sequence[int], threads: int, compute: Callable[[list[int]], Iterable[Any]]
) -> list[Any]:
    """What is computed of things, those of one size together."""
    out: list[Any] = [None] * len(sizes)
    together = list(batches(sizes))
    with ThreadPoolExecutor(max(1, min(threads, len(together)))) as pool:
        for some, made in zip(together, pool.map(compute, together), strict=True):
            for place, one in zip(some, made, strict=True):
                out[place] = one
    return out


def probability(scaled: Array) -> Array:
    """The probability of calibrated logits.

    >>> probability(np.array([0.0, 1e9]))
    array([0.5, 1. ])
    """
    return np.asarray(np.round(logistic(np.clip(scaled, -50, 50)), DIGITS))
