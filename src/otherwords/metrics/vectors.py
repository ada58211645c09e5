"""Closeness of meaning by vectors: the cosine of two texts, and greedy matching of their words.

The vectors come from `otherwords.encoders`; docs/decisions/vectors.md has the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.static import StaticEncoder
from otherwords.io.arguments import check_flag, check_number
from otherwords.metrics.base import Explanation, MeanMetric, Span, Traits, text_of
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

SHOWN = 0.3  # lowest cosine of a match in an explanation
_CAPITALS = re.compile(r"\w*[^\W\d_]\w*")


class VectorMetric(PairMetric):
    """Base class of metrics of vectors: the encoder, case, spans of matched words."""

    mix = 0.0

    def __init__(
        self, *, encoder: str | Path | None = None, case: bool = False, **common: Any
    ) -> None:
        super().__init__(encoder=encoder, case=case, **common)
        self.case = check_flag("case", case)
        self._open(encoder)

    def _open(self, encoder: str | Path | None) -> None:
        self.encoder: Any = StaticEncoder.load(encoder)
        self.seen, self.teacher = self.encoder.seen, self.encoder.teacher

    def signature_parts(self) -> dict[str, str]:
        case = "kept" if self.case else "folded"
        return {"case": case, "encoder": self.encoder.signature}

    def explain_segment(self, segment: Segments) -> Explanation:
        [hypothesis], [targets] = segment.hypotheses, segment.targets
        scores = self.measure([hypothesis] * len(targets), targets, 1)[:, 0]
        explained = MeanMetric.explain_segment(self, segment)
        return replace(explained, details=self.details(hypothesis, targets[int(np.argmax(scores))]))

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        hypothesis = text_of(segments.hypotheses[0])
        return tuple(self._spans(hypothesis, text_of(target)) for target in segments.targets[0])

    def _spans(self, hypothesis: str, reference: str) -> tuple[Span, ...]:
        left, right = self.encoder.tokens([hypothesis, reference])
        if not left.pieces or not right.pieces:
            return ()
        partners, cosines, *_ = self.encoder.links(hypothesis, reference, mix=self.mix)
        mine, theirs = _words(left.pieces), _words(right.pieces)
        spans = []
        for word in range(mine[-1] + 1):
            places = np.flatnonzero(mine == word)
            best = places[np.argmax(cosines[places])]
            partner = np.flatnonzero(theirs == theirs[partners[best]])
            if cosines[best] < SHOWN:
                continue
            left_span = left.spans[places[0]][0], left.spans[places[-1]][1]
            right_span = right.spans[partner[0]][0], right.spans[partner[-1]][1]
            same = [left.pieces[i] for i in places] == [right.pieces[j] for j in partner]
            kind = "same word" if same else "similar word"
            texts = hypothesis[slice(*left_span)], reference[slice(*right_span)]
            spans.append(Span(kind, float(cosines[best]), left_span, right_span, *texts))
        return tuple(spans)

    def pool(
        self, left: Sequence[Text], right: Sequence[Text]
    ) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
        """The distinct texts, and the places of each pair's texts among them."""
        numbers: dict[str, int] = {}
        places = [
            np.array(
                [numbers.setdefault(self._read(text), len(numbers)) for text in side], np.int64
            )
            for side in (left, right)
        ]
        return list(numbers), places[0], places[1]

    def _read(self, text: Text) -> str:
        return with_capitals(text_of(text)) if self.case else text_of(text)


@register
class Vectors(VectorMetric):
    """The cosine of the texts' vectors; a negative one is 0. Of several references the best counts.

    Two texts without a word are the same: 1. `encoder` is the path of an encoder's file.
    """

    name = "vectors"
    cost = "fast"
    use = "Similarity of meaning, also in different words; does not check facts."
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    columns = ("score", "segments")

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        texts, first, second = self.pool(left, right)
        cosines: Array = self.encoder.cosines(texts, first, second, threads=threads)
        return cosines.clip(0, 1)[:, None]

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """The contribution of each word of the hypothesis to the cosine, which is their sum."""
        text, reference = self._read(hypothesis), self._read(target)
        [rows] = self.encoder.token_vectors([text])
        [vector] = self.encoder.sentence_vectors([reference])
        pieces = self.encoder.tokens([text])[0]
        sums = np.asarray(rows * np.array(pieces.weights)[:, None], np.float64)
        length = float(np.linalg.norm(sums.sum(axis=0))) or 1.0
        words = _words(pieces.pieces)
        shares = sums @ vector / length
        contributions = []
        for word in range(words[-1] + 1 if len(words) else 0):
            places = np.flatnonzero(words == word)
            span = slice(pieces.spans[places[0]][0], pieces.spans[places[-1]][1])
            share = float(shares[places].sum())
            contributions.append({"word": text[span], "contribution": round(share, 4)})
        return {"contributions": contributions}


@register
class VectorsF1(VectorMetric):
    """F1 of greedy matching (BERTScore, Zhang et al. 2020): each word piece takes the partner of
    highest cosine. Precision looks at the hypothesis, recall at the reference; pieces weigh by
    their rarity unless `weighted` is false. Of several references the best counts.

    `mix` times the vector of each neighbour is added to a piece's own, so that context counts.
    """

    name = "vectors-f1"
    cost = "fast"
    use = "The same word by word; the explanation shows which words match."
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    columns = ("score", "precision", "recall", "segments")

    def __init__(self, *, mix: float = 0.5, weighted: bool = True, **common: Any) -> None:
        super().__init__(mix=mix, weighted=weighted, **common)
        self.mix = check_number("mix", mix, 0, 1)
        self.weighted = check_flag("weighted", weighted)

    def signature_parts(self) -> dict[str, str]:
        idf = "yes" if self.weighted else "no"
        return {"mix": f"{self.mix:g}", "idf": idf, **super().signature_parts()}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """F1, precision and recall of each pair."""
        texts, first, second = self.pool(left, right)
        matched = self.encoder.match(
            texts, first, second, mix=self.mix, weighted=self.weighted, threads=threads
        )
        precision, recall = matched.T
        f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        return np.column_stack([f1, precision, recall])


def with_capitals(text: str) -> str:
    """Put one sign before each word with capitals, and two before a word in capitals only, so that
    case counts although word pieces are lower case.

    >>> with_capitals("Ann saw NASA, a 3D film and I.")
    '^ Ann saw ^ ^ NASA, a ^ ^ 3D film and ^ ^ I.'
    """

    def mark(word: re.Match[str]) -> str:
        form = word.group()
        if form == form.lower():
            return form
        return ("^ ^ " if form == form.upper() else "^ ") + form

    return _CAPITALS.sub(mark, text)


def _words(pieces: Sequence[str]) -> NDArray[np.int64]:
    """The number of the word that each piece belongs to.

    >>> _words(["un", "##do", "it"]).tolist()
    [0, 0, 1]
    """
    return np.cumsum([not piece.startswith("##") for piece in pieces]) - 1
