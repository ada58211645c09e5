"""Similarity of meaning by a transformer encoder: the cosine of two texts, and greedy matching of
their word pieces (docs/encoder.md).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.metrics.base import Span, Traits, Verdict, text_of
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import register
from otherwords.models.encoder import Encoder
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

SHOWN = 0.3  # lowest cosine of a match in an explanation


class _EncoderMetric(PairMetric):
    """Base class of both metrics: the encoder, spans of matched words."""

    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    matches_all = True
    unset: ClassVar[Mapping[str, Any]] = {"encoder": "(embedded)"}

    def __init__(self, *, encoder: str | Path | None = None, **common: Any) -> None:
        super().__init__(encoder=encoder, **common)
        self.encoder = Encoder.load(encoder)

    def signature_parts(self) -> dict[str, str]:
        return {"encoder": self.encoder.digest}

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        hypothesis = text_of(segments.hypotheses[0])
        return tuple(self._spans(hypothesis, text_of(target)) for target in segments.targets[0])

    def _spans(self, hypothesis: str, reference: str) -> tuple[Span, ...]:
        left, right = self.encoder.pieces(hypothesis), self.encoder.pieces(reference)
        if not left.names or not right.names:
            return ()
        partners, cosines, *_ = self.encoder.links(hypothesis, reference)
        mine, theirs = _words(left.names), _words(right.names)
        spans = []
        for word in range(mine[-1] + 1):
            places = np.flatnonzero(mine == word)
            best = places[np.argmax(cosines[places])]
            partner = np.flatnonzero(theirs == theirs[partners[best]])
            if cosines[best] < SHOWN:
                continue
            left_span = left.spans[places[0]][0], left.spans[places[-1]][1]
            right_span = right.spans[partner[0]][0], right.spans[partner[-1]][1]
            same = [left.names[i] for i in places] == [right.names[j] for j in partner]
            kind = "same word" if same else "similar word"
            texts = hypothesis[slice(*left_span)], reference[slice(*right_span)]
            verdict: Verdict = "same" if same else "equivalent"
            spans.append(Span(kind, verdict, float(cosines[best]), left_span, right_span, *texts))
        return tuple(spans)


@register
class EncoderCos(_EncoderMetric):
    """The cosine of the texts' vectors; a negative one is 0. Of several references the best counts.

    Two texts without a word are the same: 1. `encoder` is the path of a file that `otherwords model
    encoder` wrote; the embedded one is all-MiniLM-L6-v2.
    """

    name = "encoder-cos"
    version = 2
    cost = "slow"
    use = "Similarity of meaning, also in different words; does not check facts."
    columns = ("score", "segments")

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        cosines = self.encoder.cosines(*_pool(left, right), threads=threads)
        return cosines.clip(0, 1)[:, None]


@register
class EncoderF1(_EncoderMetric):
    """BERTScore (Zhang et al. 2020, §3): each word piece in its context is matched with the piece
    of highest cosine. Precision is over the hypothesis, recall over the reference; of several
    references the one with the best F1 counts.

    With `idf`, pieces that occur in fewer texts have more weight. It is a text file, one segment
    per line (BERTScore uses the references), or `True` for the frequencies in English text that the
    embedded encoder has.
    """

    name = "encoder-f1"
    version = 2
    cost = "slow"
    use = "The same word by word (BERTScore); the explanation shows which words match."
    columns = ("score", "precision", "recall", "segments")

    def __init__(self, *, idf: bool | str | Path = False, **common: Any) -> None:
        super().__init__(idf=idf, **common)
        self.weights = self._weights(idf)

    def _weights(self, idf: bool | str | Path) -> NDArray[np.float32] | None:
        if idf is False:
            return None
        if idf is True:
            if self.encoder.rarity is None:
                raise UsageError("this encoder has no frequencies of its own; set idf to a file")
            return self.encoder.rarity
        if not isinstance(idf, (str, Path)):
            raise UsageError(f"idf must be true, false or a path, not {idf!r}")
        lines = list(read_lines(idf))
        if not any(line.strip() for line in lines):
            raise InputError("there are no segments here to count word pieces in", path=idf)
        counts, number = np.unique(self.encoder.count(lines), return_inverse=True)
        weights = [math.log((len(lines) + 1) / (count + 1)) for count in counts.tolist()]
        return np.array(weights, np.float32)[number]

    def signature_parts(self) -> dict[str, str]:
        idf = "no"
        if self.weights is not None:
            idf = hashlib.sha256(self.weights.tobytes()).hexdigest()[:8]
        return {"idf": idf, **super().signature_parts()}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """F1, precision and recall of each pair."""
        pool = _pool(left, right)
        matched = self.encoder.match(*pool, weights=self.weights, threads=threads)
        precision, recall = matched.left[:, 0].clip(0, 1), matched.right[:, 0].clip(0, 1)
        f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        return np.column_stack([f1, precision, recall])


def _pool(
    left: Sequence[Text], right: Sequence[Text]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct texts, and the places of each pair's texts among them."""
    numbers: dict[str, int] = {}
    places = [
        np.array([numbers.setdefault(text_of(text), len(numbers)) for text in side], np.int64)
        for side in (left, right)
    ]
    return list(numbers), places[0], places[1]


def _words(pieces: Sequence[str]) -> NDArray[np.int64]:
    """The number of the word that each piece belongs to.

    >>> _words(["un", "##do", "it"]).tolist()
    [0, 0, 1]
    """
    return np.cumsum([not piece.startswith("##") for piece in pieces]) - 1
