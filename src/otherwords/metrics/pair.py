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

SHOWN = 3  # edits in an explanation
FEW = 12  # edits tried per pair when many contradictions are listed
WORK = 100_000  # characters read to explain a pair; long texts get fewer edits
LIKELY = 0.5  # least probability of a contradiction that is reported
LEAST = 1e-6  # probabilities are clipped to this before odds are taken
MOST = 48  # edits tried per pair
WORDS = 400  # words of each text that are searched: about what a pair model reads
LONGEST = 8  # words in a span that is replaced as a whole
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]+")
Place = tuple[int, int]
_LOWER = Traits(low=0.0, high=1.0, higher_is_better=False, english=True)


@dataclass(frozen=True)
class Turn:
    """An edit of a pair, the probability of "same" after it, and the change in it."""

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
        texts = [[text_of(text) for text in side] for side in (left, right)]
        if not self.facts:
            return self.model.probabilities(*texts, threads=threads)
        measured = self.model.measured(*texts, threads=threads)
        logits = measured[:, : len(OUTPUTS)]
        slope, shift = self.model.trained.calibration.T
        scaled = slope * logits + shift
        doubtful = np.flatnonzero(np.abs(logits[:, 0]) < CERTAIN)
        features = finding_features([(texts[0][i], texts[1][i]) for i in doubtful], threads)
        inputs = [*features[:, [FEATURES.index(name) for name in FINDINGS]].T]
        inputs += [*joined(measured[doubtful]).T]
        for place, (slope, *weights, shift) in enumerate(self.model.trained.findings):
            scaled[doubtful, place] = slope * logits[doubtful, place] + shift
            for column, weight in zip(inputs, weights, strict=True):  # in order, row by row
                scaled[doubtful, place] += weight * column
        return probability(scaled)

    def explain_segment(self, segment: Segments) -> Explanation:
        explained = MeanMetric.explain_segment(self, segment)
        place, best_turns = self._turns(segment)
        details: dict[str, Any] = {
            "verdict": self.verdict(list(explained.components.values())),
            "turns": [
                {
                    "edit": turn.edit.kind,
                    "hypothesis_text": explained.hypothesis[slice(*turn.edit.hypothesis)],
                    "reference_text": explained.references[place][slice(*turn.edit.reference)],
                    "same": turn.same,
                    "change": round(turn.change, 6),
                }
                for turn in best_turns
            ],
        }
        unread = self.model.unread(explained.hypothesis, explained.references[place])
        if unread:
            details["unread"] = unread
        return replace(explained, details=details)

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        best, best_turns = self._turns(segments)
        hypothesis = text_of(segments.hypotheses[0])
        targets = [text_of(target) for target in segments.targets[0]]
        spans = tuple(
            Span(
                turn.edit.kind,
                abs(turn.change),
                turn.edit.hypothesis,
                turn.edit.reference,
                hypothesis[slice(*turn.edit.hypothesis)],
                targets[best][slice(*turn.edit.reference)],
            )
            for turn in best_turns
        )
        return tuple(spans if place == best else () for place in range(len(targets)))

    def verdict(self, probabilities: Sequence[float]) -> str:
        """The verdict: "same" from the model's threshold on, else the most likely other column."""
        if probabilities[0] >= self.model.trained.threshold:
            return self.columns[0]
        return self.columns[1 + int(np.argmax(probabilities[1:4]))]

    def contradicted(self, rows: Array) -> NDArray[np.bool_]:
        """Which rows of probabilities report a contradiction: "same" is below the model's
        threshold, and "contradicted" is more likely than not.
        """
        return np.asarray((rows[:, 0] < self.model.trained.threshold) & (rows[:, 1] >= LIKELY))

    def finding(self, hypothesis: str, reference: str) -> Finding:
        """The contradiction as a finding of `facts`, with the spans of the edit that makes "same"
        most likely.
        """
        [weight] = self.measure([hypothesis], [reference], 1)[:, 1].tolist()
        best = turns(self, hypothesis, reference, FEW)
        edit = best[0].edit if best else Edit((0, 0), (0, 0))
        texts = hypothesis[slice(*edit.hypothesis)], reference[slice(*edit.reference)]
        return Finding("pair", "contradicted", weight, edit.hypothesis, edit.reference, *texts)

    def _turns(self, segment: Segments) -> tuple[int, list[Turn]]:
        """The best reference, and the edits that change its verdict most."""
        [hypothesis], [targets] = segment.hypotheses, segment.targets
        best = int(np.argmax(self.measure([hypothesis] * len(targets), targets, 1)[:, 0]))
        return best, turns(self, text_of(hypothesis), text_of(targets[best]))[:SHOWN]


def turns(metric: Pair, hypothesis: str, reference: str, most: int = MOST) -> list[Turn]:
    """The edits that change the verdict, the largest change first.

    If the texts do not mean the same, these edits make "same" more likely; otherwise less likely.
    At most `most` edits are tried, fewer for long texts.
    """
    most = min(most, max(SHOWN, WORK // (len(hypothesis) + len(reference) + 1)))
    by_texts: dict[tuple[str, str], Edit] = {}  # different edits may give the same texts
    for edit in edits(hypothesis, reference)[:most]:
        by_texts.setdefault(edit.apply(hypothesis, reference), edit)
    tried, after = list(by_texts.values()), list(by_texts)
    left, right = zip((hypothesis, reference), *after, strict=True)
    rows = metric.measure(left, right, 1)
    before, same = rows[0, 0], rows[1:, 0]
    sign = -1 if metric.verdict(rows[0].tolist()) == "same" else 1
    gains = sign * (_odds(same) - _odds(rows[:1, 0]))
    order = [place for place in np.argsort(-gains, kind="stable") if gains[place] > 0]
    return [Turn(tried[i], float(same[i]), float(same[i] - before)) for i in order]


def _odds(probability: Array) -> Array:
    clipped = np.clip(probability, LEAST, 1 - LEAST)
    return np.asarray(np.log(clipped / (1 - clipped)))


@dataclass(frozen=True)
class Edit:
    """Replaces a span of the hypothesis by a span of the reference; either may be empty. With
    `shortens`, removes the span from the reference instead.
    """

    hypothesis: Place
    reference: Place
    shortens: bool = False

    @property
    def kind(self) -> str:
        """The kind of edit, as an explanation names it.

        >>> Edit((0, 3), (0, 4)).kind, Edit((0, 3), (4, 4)).kind, Edit((3, 3), (0, 4)).kind
        ('replaced', 'removed', 'inserted')
        """
        if self.shortens:
            return "removed from the reference"
        if self.hypothesis[0] == self.hypothesis[1]:
            return "inserted"
        return "removed" if self.reference[0] == self.reference[1] else "replaced"

    def apply(self, hypothesis: str, reference: str) -> tuple[str, str]:
        """Both texts after the edit.

        >>> Edit((3, 8), (3, 8)).apply("He hired her.", "He fired her.")
        ('He fired her.', 'He fired her.')
        """
        begin, end = self.reference
        if self.shortens:
            return hypothesis, _splice(reference, self.reference, "")
        return _splice(hypothesis, self.hypothesis, reference[begin:end]), reference


def edits(hypothesis: str, reference: str) -> list[Edit]:
    """At most `MOST` edits to try, the most promising first: findings of `facts`, spans that
    differ, single words in these, then all other words.

    >>> one, other = "He hired her in May.", "He fired her in May."
    >>> [(one[slice(*e.hypothesis)], other[slice(*e.reference)]) for e in edits(one, other)][:2]
    [('hired', 'fired'), ('hired', '')]
    """
    both = (*_edit_findings(hypothesis, reference), *_edit_words(hypothesis, reference))
    return list(dict.fromkeys(both))[:MOST]


def _edit_findings(hypothesis: str, reference: str) -> Iterator[Edit]:
    ends = (places[-1][1] if places else 0 for places in map(_places, (hypothesis, reference)))
    for finding in findings(hypothesis[: next(ends)], reference[: next(ends)]):
        if finding.verdict != "equivalent" and any(
            begin < end for begin, end in (finding.hypothesis, finding.reference)
        ):
            yield Edit(finding.hypothesis, finding.reference)


def _edit_words(hypothesis: str, reference: str) -> Iterator[Edit]:
    """Edits of spans of words that differ, of their words, and of all words."""
    mine, theirs = _places(hypothesis), _places(reference)
    words = [
        [text[slice(*place)].lower() for place in places]
        for text, places in ((hypothesis, mine), (reference, theirs))
    ]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    changed = [opcode for opcode in matcher.get_opcodes() if opcode[0] != "equal"]
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
    """The span of some words; without words, the empty span before the next one."""
    if begin < end:
        return places[begin][0], places[end - 1][1]
    here = places[begin][0] if begin < len(places) else places[-1][1] if places else 0
    return here, here


def _splice(text: str, place: Place, new: str) -> str:
    before, after = text[: place[0]].rstrip(), text[place[1] :].lstrip()
    tight = after[:1] in ("", ".", ",", ";", ":", "!", "?")
    inside = f"{before} {new}".strip() if new else before
    return inside + after if tight else f"{inside} {after}".strip()
