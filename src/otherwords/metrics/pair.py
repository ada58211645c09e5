"""Whether two texts mean the same, by a model that reads both at once (extra `neural`).

`docs/pair.md` describes it; `otherwords.encoders.PairModel` computes the probabilities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.pair import CERTAIN, PairModel, probability
from otherwords.encoders.pair_model import FINDINGS, OUTPUTS, joined
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import NEURAL_AT_ONCE, Explanation, MeanMetric, Span, Traits, text_of
from otherwords.metrics.facts import FEATURES, Finding, comparer, finding_features, findings
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

SHOWN = 3  # edits of an explanation
FEW = 12  # edits that are tried where many contradictions are listed
WORK = 100_000  # characters that are read to explain a pair: of long texts fewer edits are tried
LIKELY = 0.5  # the probability of a contradiction from which on it is called one
LEAST = 1e-6  # of a probability, where odds are compared
MOST = 48  # edits that are tried for one pair
WORDS = 400  # of each text whose differences are looked for: about what a pair model reads
LONGEST = 8  # words of a span that is replaced as a whole
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]+")
Place = tuple[int, int]
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
    cost = "slow"
    use = "Whether both texts mean the same, by a neural model of pairs (`neural`)."
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
        more = {f"facts-{name}": value for name, value in comparer().signature.items()}
        joined = {"facts": "yes" if self.facts else "no"}
        return {**joined, "model": self.model.signature, **(more if self.facts else {})}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
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


@dataclass(frozen=True)
class Edit:
    """A span of the hypothesis gives way to a span of the reference, either of which may be empty;
    or, with `shortens`, a span of the reference is left out of the reference.
    """

    hypothesis: Place
    reference: Place
    shortens: bool = False

    @property
    def kind(self) -> str:
        """What is done.

        >>> Edit((0, 3), (0, 4)).kind, Edit((0, 3), (4, 4)).kind, Edit((3, 3), (0, 4)).kind
        ('replaced', 'removed', 'inserted')
        """
        if self.shortens:
            return "removed from the reference"
        if self.hypothesis[0] == self.hypothesis[1]:
            return "inserted"
        return "removed" if self.reference[0] == self.reference[1] else "replaced"

    def apply(self, hypothesis: str, reference: str) -> tuple[str, str]:
        """Both texts after it.

        >>> Edit((3, 8), (3, 8)).apply("He hired her.", "He fired her.")
        ('He fired her.', 'He fired her.')
        """
        begin, end = self.reference
        if self.shortens:
            return hypothesis, _spliced(reference, self.reference, "")
        return _spliced(hypothesis, self.hypothesis, reference[begin:end]), reference


def edits(hypothesis: str, reference: str) -> list[Edit]:
    """At most `MOST` edits that are worth a try, the most likely first: what `facts` finds, spans
    that differ, single words of these, then the other words.

    >>> one, other = "He hired her in May.", "He fired her in May."
    >>> [(one[slice(*e.hypothesis)], other[slice(*e.reference)]) for e in edits(one, other)][:2]
    [('hired', 'fired'), ('hired', '')]
    """
    found = dict.fromkeys(_where_facts_differ(hypothesis, reference))
    found |= dict.fromkeys(_differences(hypothesis, reference))
    return list(found)[:MOST]


def _where_facts_differ(hypothesis: str, reference: str) -> Iterator[Edit]:
    ends = (places[-1][1] if places else 0 for places in map(_places, (hypothesis, reference)))
    for one in findings(hypothesis[: next(ends)], reference[: next(ends)]):
        if one.verdict != "equivalent" and any(
            begin < end for begin, end in (one.hypothesis, one.reference)
        ):
            yield Edit(one.hypothesis, one.reference)


def _differences(hypothesis: str, reference: str) -> Iterator[Edit]:
    """Spans of words that differ, their words, all words."""
    mine, theirs = _places(hypothesis), _places(reference)
    one, other = (
        [text[slice(*place)].lower() for place in places]
        for text, places in ((hypothesis, mine), (reference, theirs))
    )
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    changed = [found for found in matcher.get_opcodes() if found[0] != "equal"]
    for _, a, b, c, d in changed:
        if max(b - a, d - c) <= LONGEST:
            yield Edit(_span(mine, a, b), _span(theirs, c, d))
    left = [place for _, a, b, _, _ in changed for place in mine[a:b]]
    right = [place for *_, c, d in changed for place in theirs[c:d]]
    for some, others in ((left, right), (mine, theirs)):
        yield from (Edit(place, (0, 0)) for place in some)
        yield from (Edit((0, 0), place, shortens=True) for place in others)


def _places(text: str) -> list[Place]:
    return [word.span() for word in islice(_WORD.finditer(text), WORDS)]


def _span(places: list[Place], begin: int, end: int) -> Place:
    """From the first word to the last; the place between two words if there is none."""
    if begin < end:
        return places[begin][0], places[end - 1][1]
    here = places[begin][0] if begin < len(places) else places[-1][1] if places else 0
    return here, here


def _spliced(text: str, place: Place, new: str) -> str:
    before, after = text[: place[0]].rstrip(), text[place[1] :].lstrip()
    tight = after[:1] in ("", ".", ",", ";", ":", "!", "?")
    inside = f"{before} {new}".strip() if new else before
    return inside + after if tight else f"{inside} {after}".strip()
