"""A pair model: it reads two texts at once and says whether both mean the same (extra `neural`).

The package has what was trained; the encoder that it starts from is the user's, as for
`NeuralEncoder`. `docs/pair.md` describes both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.base import check_texts
from otherwords.encoders.bert_folder import Folder, read_folder
from otherwords.encoders.bert_graph import INPUT
from otherwords.encoders.finding import MINILM, find_encoder, require_extra
from otherwords.encoders.neural import batches
from otherwords.encoders.neural_model import FULL, SMALL, session_of, tokenizer_of
from otherwords.encoders.pair_graph import TYPES
from otherwords.encoders.pair_model import (
    KIND,
    OUTPUTS,
    SWAPPED,
    Trained,
    graph_of,
    joined,
    open_trained,
)
from otherwords.encoders.static import StaticEncoder
from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.models import changed_at

__all__ = ["PairModel"]

TOGETHER = 256  # pairs whose word pieces are held at once
KEPT = 1 << 17  # pairs whose numbers are kept
DIGITS = 6  # of a probability that are kept: beyond them processors differ
CERTAIN = 1e9  # the logit of what needs no model
EQUAL, MISSING, ADDED = (np.where(np.arange(4) == place, CERTAIN, -CERTAIN) for place in (0, 2, 3))

Array = NDArray[np.float64]
Pair = tuple[str, str]
Ids = list[int]


class PairModel:
    """Probabilities of `OUTPUTS` for pairs of texts: a text and what it is compared with.

    The model reads each pair in both orders and takes the mean of the logits, so that exchanging
    the texts exchanges those of `missing` and `added` and changes nothing else. Without
    `both_orders` it reads the pair once, the text that is last in the order of characters before
    the other: half of the time, and still symmetric. Pairs of one length are computed
    together, one batch per thread at a time; the numbers depend neither on the batch nor on the
    threads. Logits are kept, so that a pair that comes again costs nothing.
    """

    def __init__(
        self, trained: Trained, folder: Folder, *, bits: int = SMALL, both_orders: bool = True
    ) -> None:
        require_extra()
        import onnxruntime

        if bits not in (FULL, SMALL):
            raise UsageError(f"bits must be 32 or 8, not {bits}")
        self.trained, self.bits = trained, bits
        self.both_orders = check_flag("both_orders", both_orders)
        self.runtime = f"onnxruntime-{onnxruntime.__version__}"
        graph = graph_of(trained, folder, bits)
        try:
            self.session = session_of(graph.model, graph.arrays)
            self.tokenizer = tokenizer_of(folder.tokenizer, folder.settings.longest)
            self.tokenizer.no_truncation()
        except Exception as error:  # the libraries raise what they like
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ModelError(f"{folder.path}: this encoder cannot be used: {reason}") from error
        self.lower = folder.settings.lower
        self.longest = len(graph.arrays["embeddings.places"])
        self.teacher = StaticEncoder.load().teacher if folder.digest == MINILM else None
        self._kept: dict[Pair, Array] = {}

    @classmethod
    def load(
        cls,
        model: str | Path = KIND,
        encoder: str | Path = "auto",
        *,
        bits: int = SMALL,
        both_orders: bool = True,
    ) -> PairModel:
        """Open the embedded pair model, or that of a file, with the encoder that it starts from:
        a folder, or with "auto" that of an installed package; opened once per process.
        """
        if not isinstance(model, (str, Path)):
            raise UsageError(f"model must be 'pair' or a path, not {model!r}")
        if isinstance(bits, bool) or bits not in (FULL, SMALL):
            raise UsageError(f"bits must be 32 or 8, not {bits}")
        require_extra()
        trained = open_trained(model)
        folder = find_encoder(encoder)
        if folder.is_file():
            raise UsageError(f"{encoder}: a pair model needs the folder of the weights, not a file")
        both = check_flag("both_orders", both_orders)
        stamps = changed_at(trained.model.path), changed_at(folder)
        return _load(trained.model.path, folder, bits, both, stamps)

    @property
    def signature(self) -> str:
        """Digests of what was trained and of the base, the precision, and the runtime."""
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

        Texts of the same word pieces are the same. Of a text without a word all is missing, beside
        one all is added; the model is not asked.
        """
        left, right = check_texts(left), check_texts(right)
        if len(left) != len(right):
            raise UsageError(f"{len(left)} texts on the left but {len(right)} on the right")
        out = np.empty((len(left), len(OUTPUTS)))
        for begin in range(0, len(left), TOGETHER):
            here = slice(begin, begin + TOGETHER)
            pairs = list(zip(left[here], right[here], strict=True))
            out[here] = self._of(pairs, threads)
            progress(len(pairs))
        return out

    def unread(self, one: str, other: str) -> int:
        """Word pieces at the end of the longer text that the model has no place for."""
        return max(0, sum(len(self._ids(text)) for text in (one, other)) - 1 - self.longest)

    def _of(self, pairs: list[Pair], threads: int) -> Array:
        """Probabilities of some pairs, those that are not kept computed."""
        keys = [min(pair, pair[::-1]) for pair in pairs]
        found: dict[Pair, Any] = {key: self._kept[key] for key in keys if key in self._kept}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        ids = {text: self._ids(text) for key in missing for text in key}
        found |= {key: _without_a_model(*(ids[text] for text in key)) for key in missing}
        asked = [key for key in missing if found[key] is None]
        logits = self._computed([(ids[one], ids[other]) for one, other in asked], threads)
        found |= dict(zip(asked, logits, strict=True))
        for key in missing:
            self._keep(key, found[key])
        logits = np.array(
            [
                found[key] if key == pair else found[key][SWAPPED]
                for key, pair in zip(keys, pairs, strict=True)
            ]
        )
        slope, shift = self.trained.calibration.T
        scaled = np.clip(slope * logits + shift, -50, 50)
        return np.asarray(np.round(1 / (1 + np.exp(-scaled)), DIGITS))

    def _computed(self, pairs: list[tuple[Ids, Ids]], threads: int) -> Array:
        """The mean of the logits of both orders; a reference comes before its hypothesis."""
        usual = [(other, one) for one, other in pairs]
        if not self.both_orders:
            return self._logits(usual, threads)
        found = self._logits(usual + pairs, threads)
        return np.asarray((found[: len(pairs)] + found[len(pairs) :, SWAPPED]) / 2)

    def _logits(self, ids: list[tuple[Ids, Ids]], threads: int) -> Array:
        """Logits of pairs as they are ordered."""
        rows = [joined(one, other, self.longest) for one, other in ids]
        out = np.empty((len(rows), len(OUTPUTS)))
        together = list(batches([len(row) for row, _ in rows]))
        with ThreadPoolExecutor(max(1, min(threads, len(together)))) as pool:
            done = pool.map(lambda some: self.run([rows[i] for i in some]), together)
            for some, logits in zip(together, done, strict=True):
                out[some] = logits
        return out

    def run(self, rows: Sequence[tuple[Ids, Ids]]) -> NDArray[np.float32]:
        """The logits of rows of one length."""
        ids, types = (np.array(one, np.int64) for one in zip(*rows, strict=True))
        logits: NDArray[np.float32] = self.session.run(None, {INPUT: ids, TYPES: types})[0]
        return logits

    def _ids(self, text: str) -> Ids:
        encoded: Ids = self.tokenizer.encode(text.lower() if self.lower else text).ids
        return encoded

    def _keep(self, key: Pair, row: Array) -> None:
        self._kept[key] = row
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


def _without_a_model(one: Ids, other: Ids) -> Array | None:
    """Logits that need no model: of equal texts, and of texts without a piece but [CLS] and [SEP].

    >>> _without_a_model([1, 2], [1, 5, 2]).argmax()
    np.int64(2)
    """
    if one == other:
        return EQUAL
    if len(one) == 2:
        return MISSING
    return ADDED if len(other) == 2 else None


@lru_cache(maxsize=2)
def _load(path: Path, folder: Path, bits: int, both: bool, stamps: tuple[int, int]) -> PairModel:
    return PairModel(open_trained(path), read_folder(folder), bits=bits, both_orders=both)
