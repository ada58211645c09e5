"""Whether two texts mean the same, by a model that reads both at once (extra `neural`).

`docs/pair.md` describes it; `otherwords.encoders.PairModel` computes the probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.pair import CERTAIN, PairModel, probability
from otherwords.encoders.pair_model import FINDINGS, OUTPUTS, joined
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import (
    NEURAL_AT_ONCE,
    Array,
    Explanation,
    MeanMetric,
    Span,
    Traits,
    text_of,
)
from otherwords.metrics.facts import FEATURES, Finding, finding_features
from otherwords.metrics.facts.comparison import comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pair_edits import MOST, Edit, edits
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import cached, register
from otherwords.text.sentence import Text

__all__ = ["Pair", "Turn", "pair", "turns"]

SHOWN = 3  # edits of an explanation
FEW = 12  # edits that are tried where many contradictions are listed
WORK = 100_000  # characters that are read to explain a pair: of long texts fewer edits are tried
LIKELY = 0.5  # the probability of a contradiction from which on it is called one
LEAST = 1e-6  # of a probability, where odds are compared
_LOWER = Traits(low=0.0, high=1.0, higher_is_better=False, english=True)


@dataclass(frozen=True)
class Turn:
    """An edit of a pair with the probability of "same" after it, and how much that is more."""

    edit: Edit
    same: float
    change: float


@register
class Pair(PairMetric):
    """The probability that two texts mean the same. Further columns are the probabilities that the
    hypothesis contradicts the reference, omits something, or adds something. Of several references
    the one with the highest probability of "same" counts.

    `model` is the path of a pair model, `encoder` that of the weights it starts from ("auto": an
    installed package), `bits` 8 or 32. With `facts` the findings of the metric `facts` count as
    well; without it only the model counts. Case is ignored: the model reads lower case.
    """

    name = "pair"
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    parts: ClassVar[Mapping[str, Traits]] = {
        "contradicted": _LOWER,
        "missing": _LOWER,
        "added": _LOWER,
    }
    columns = ("same", "contradicted", "missing", "added", "segments")
    at_once = NEURAL_AT_ONCE

    def __init__(
        self,
        *,
        model: str | Path = "pair",
        encoder: str | Path = "auto",
        bits: int = 8,
        facts: bool = True,
        **common: Any,
    ) -> None:
        super().__init__(model=model, encoder=encoder, bits=bits, facts=facts, **common)
        self.facts = check_flag("facts", facts)
        self.model = PairModel.load(model, encoder, bits=bits)
        self.seen, self.teacher = self.model.trained.seen, self.model.teacher

    def signature_parts(self) -> dict[str, str]:
        """The model, and what finds facts."""
        more = {f"facts-{name}": value for name, value in comparer().signature.items()}
        joined = {"facts": "yes" if self.facts else "no"}
        return {**joined, "model": self.model.signature, **(more if self.facts else {})}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """Four probabilities of each pair."""
        texts = [[text_of(one) for one in side] for side in (left, right)]
        if not self.facts:
            return self.model.probabilities(*texts, threads=threads)
        measured = self.model.measured(*texts, threads=threads)
        logits = measured[:, : len(OUTPUTS)]
        slope, shift = self.model.trained.calibration.T
        scaled = slope * logits + shift
        asked = np.flatnonzero(np.abs(logits[:, 0]) < CERTAIN)
        found = finding_features([(texts[0][i], texts[1][i]) for i in asked], threads)
        counted = [*found[:, [FEATURES.index(name) for name in FINDINGS]].T]
        counted += [*joined(measured[asked]).T]
        for place, (slope, *weights, shift) in enumerate(self.model.trained.findings):
            scaled[asked, place] = slope * logits[asked, place] + shift
            for column, weight in zip(counted, weights, strict=True):  # in order, row by row
                scaled[asked, place] += weight * column
        return probability(scaled)

    def explain_segment(self, segment: Segments) -> Explanation:
        """The probabilities with the edits that change the verdict most."""
        found = MeanMetric.explain_segment(self, segment)
        place, turned = self._turned(segment)
        details: dict[str, Any] = {
            "verdict": self.verdict(list(found.components.values())),
            "turns": [
                {
                    "edit": one.edit.kind,
                    "hypothesis_text": found.hypothesis[slice(*one.edit.hypothesis)],
                    "reference_text": found.references[place][slice(*one.edit.reference)],
                    "same": one.same,
                    "change": round(one.change, 6),
                }
                for one in turned
            ],
        }
        unread = self.model.unread(found.hypothesis, found.references[place])
        if unread:
            details["unread"] = unread
        return replace(found, details=details)

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """The spans of the edits that change the verdict most, in the best reference."""
        best, turned = self._turned(segments)
        hypothesis = text_of(segments.hypotheses[0])
        targets = [text_of(target) for target in segments.targets[0]]
        spans = tuple(
            Span(
                one.edit.kind,
                abs(one.change),
                one.edit.hypothesis,
                one.edit.reference,
                hypothesis[slice(*one.edit.hypothesis)],
                targets[best][slice(*one.edit.reference)],
            )
            for one in turned
        )
        return tuple(spans if place == best else () for place in range(len(targets)))

    def verdict(self, probabilities: Sequence[float]) -> str:
        """What the model says: "same" from its threshold on, else the most likely of the others."""
        if probabilities[0] >= self.model.trained.threshold:
            return self.columns[0]
        return self.columns[1 + int(np.argmax(probabilities[1:4]))]

    def contradicted(self, rows: Array) -> NDArray[np.bool_]:
        """Of rows of probabilities those that say: a contradiction. "Same" is below the model's
        threshold, and "contradicted" is more likely than not.
        """
        return np.asarray((rows[:, 0] < self.model.trained.threshold) & (rows[:, 1] >= LIKELY))

    def finding(self, hypothesis: str, reference: str) -> Finding:
        """The contradiction as `facts` would list it: its spans are those of the edit that makes
        "same" most likely.
        """
        [weight] = self.measure([hypothesis], [reference], 1)[:, 1].tolist()
        turned = [one.edit for one in turns(self, hypothesis, reference, FEW)[:1]]
        one, other = (turned[0].hypothesis, turned[0].reference) if turned else ((0, 0), (0, 0))
        texts = hypothesis[slice(*one)], reference[slice(*other)]
        return Finding("pair", "contradicted", weight, one, other, *texts)

    def _turned(self, segment: Segments) -> tuple[int, list[Turn]]:
        """The reference that counts, and the edits that change its verdict most."""
        [hypothesis], [targets] = segment.hypotheses, segment.targets
        best = int(np.argmax(self.measure([hypothesis] * len(targets), targets, 1)[:, 0]))
        return best, turns(self, text_of(hypothesis), text_of(targets[best]))[:SHOWN]


def turns(metric: Pair, hypothesis: str, reference: str, most: int = MOST) -> list[Turn]:
    """Edits by how much they change the verdict, most first: of texts that do not mean the same
    those that make "same" more likely, of others those that make it less likely. The `most` most
    likely edits are tried, of long texts fewer.
    """
    most = min(most, max(SHOWN, WORK // (len(hypothesis) + len(reference) + 1)))
    made: dict[tuple[str, str], Edit] = {}  # several edits may give the same texts
    for one in edits(hypothesis, reference)[:most]:
        made.setdefault(one.apply(hypothesis, reference), one)
    tried, after = list(made.values()), list(made)
    left, right = zip((hypothesis, reference), *after, strict=True)
    rows = metric.measure(left, right, 1)
    before, same = rows[0, 0], rows[1:, 0]
    sign = -1 if metric.verdict(rows[0].tolist()) == "same" else 1
    gains = sign * (_odds(same) - _odds(rows[:1, 0]))
    order = [place for place in np.argsort(-gains, kind="stable") if gains[place] > 0]
    return [Turn(tried[i], float(same[i]), float(same[i] - before)) for i in order]


def _odds(probability: Array) -> Array:
    kept = np.clip(probability, LEAST, 1 - LEAST)
    return np.asarray(np.log(kept / (1 - kept)))


def pair(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """The probability that one segment means the same as its best reference."""
    return cached("pair", options).score_one(hypothesis, references)
