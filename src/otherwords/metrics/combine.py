"""A learned combination of statistics (`otherwords train combine`), and the embedded one,
`otherwords-mt`: the human score that a translation would get.

The statistics are those of `combine_features`; docs/combine.md describes how they are joined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from otherwords.encoders.neural import NeuralEncoder
from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import NEURAL_AT_ONCE, Array, Span, Traits
from otherwords.metrics.combine_features import NEURAL, BothSides, columns_of, resources
from otherwords.metrics.combine_model import Combination
from otherwords.metrics.facts.comparison import comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import cached, register
from otherwords.models.seen import SeenByEither
from otherwords.text.sentence import Sentence, Text, tokenize

if TYPE_CHECKING:
    from otherwords.metrics.pair import Pair

__all__ = ["Combine", "OtherwordsMt", "combine", "otherwords_mt"]

EMBEDDED = "otherwords-mt"
DECISIVE = "findings/decisive"  # findings that `strict` counts
SHARE_OF_PAIR = 0.3  # the exponent of the metric `pair`: best on judged sets
LEAST_SAME = 0.01  # of a probability by `pair`: a score near 0 would hide the rest
_WRONG = 0.499  # what `strict` gives at most to a text with such a finding; others have more


@register
class Combine(PairMetric):
    """A combination that `otherwords train combine` wrote: `model` is its file.

    0 is unrelated text, 1 a copy of the reference. Of several references the one that gives the
    best score counts. With `strict` every text that contradicts its reference, or certainly omits
    or adds something, scores below 0.5, and every other text 0.5 or more. `encoder`, "auto" or a
    path, is the neural encoder of a combination that was trained with the family `neural`
    (docs/neural.md). With `pair` the score S becomes S^0.7 P^0.3, where P is the probability by the
    metric `pair` that both mean the same (docs/pair.md); it is `True`, or the folder of the weights
    that the metric needs.
    """

    name = "combine"
    version = 3
    traits = Traits(low=0.0, high=1.0, english=True)
    columns = ("score", "segments")
    retrain = "otherwords train combine"

    def __init__(
        self,
        *,
        model: str | Path | None = None,
        strict: bool = False,
        case: bool = False,
        encoder: str | Path | None = None,
        pair: bool | str | Path = False,
        **common: Any,
    ) -> None:
        if model is None:
            raise UsageError(
                f"{self.name} needs a file that `otherwords train combine` wrote: --set model=FILE "
                "(in Python: model=FILE); the embedded combination is the metric otherwords-mt"
            )
        super().__init__(
            model=model, strict=strict, case=case, encoder=encoder, pair=pair, **common
        )
        self.strict = check_flag("strict", strict)
        self.case = check_flag("case", case)
        self.encoder = "auto" if encoder is None else encoder
        self.combination = Combination.load(combination_for(model, encoder))
        if encoder is not None and NEURAL not in self.combination.families:
            raise UsageError("encoder needs a combination that was trained with `neural`")
        self.seen = self.combination.seen
        self.pair = self._opened_pair(pair)
        if self.pair is not None or NEURAL in self.combination.families:
            self.at_once = NEURAL_AT_ONCE
        self._resources = resources(self.combination.families, self.encoder)
        self._require_its_resources()
        if self.strict and DECISIVE not in self.combination.statistics:
            raise UsageError("strict needs a combination that was trained with `findings`")
        if common.get("against") is None:  # as it was trained
            self.against = self.combination.provenance.get("against", self.against)

    def _opened_pair(self, pair: bool | str | Path) -> Pair | None:
        if not isinstance(pair, (str, Path)):
            if not check_flag("pair", pair):
                return None
            pair = self.encoder
        from otherwords.metrics.pair import Pair

        found = Pair(encoder=pair)
        self.retrain = ""  # type: ignore[misc]  # of this object: it does not train the pair model
        self.teacher = found.teacher
        models = (self.combination.seen, found.model.trained.seen)
        self.seen = SeenByEither(tuple(one for one in models if one is not None))
        return found

    def _require_its_resources(self) -> None:
        wanted = self.combination.provenance.get("resources")
        if wanted != self._resources:
            raise UsageError(
                f"the combination was trained with the models {wanted}, these are "
                f"{self._resources}; train it again with `otherwords train combine`"
            )

    def signature_parts(self) -> dict[str, str]:
        """The combination, and the models behind its statistics."""
        options = {"case": "kept" if self.case else "folded"}
        options |= {"strict": "yes"} if self.strict else {}
        found = {**options, "combination": self.combination.digest, **self._resources}
        if NEURAL in found:
            found[NEURAL] = NeuralEncoder.load(self.encoder).signature
        if self.pair is not None:
            found |= {"pair": f"{SHARE_OF_PAIR}-{self.pair.model.signature}"}
        return found

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The score of each pair; a copy is 1, a text without a word 0."""
        texts = BothSides(left, right, threads, case=self.case, encoder=self.encoder)
        rows = self._rows(texts)
        scores = self.combination.scores(rows, threads)
        if self.pair is not None:
            same = np.maximum(self.pair.measure(left, right, threads)[:, 0], LEAST_SAME)
            scores = np.maximum(scores, 0.0) ** (1 - SHARE_OF_PAIR) * same**SHARE_OF_PAIR
        if self.strict:
            wrong = rows[:, self.combination.statistics.index(DECISIVE)] > 0
            scores = np.where(wrong, _WRONG * scores, 0.5 + 0.5 * scores)
        return np.select([texts.copies, texts.empty], [1.0, 0.0], scores)[:, None]

    def _rows(self, texts: BothSides) -> Array:
        columns = columns_of(texts, self.combination.families)
        if tuple(columns) != self.combination.statistics:
            raise ModelError("the combination was trained with other statistics; train it again")
        return np.column_stack(list(columns.values()))

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """The score that statistics alone would give, and the findings that hold it down."""
        combination = self.combination
        rows = self._rows(BothSides([hypothesis], [target], case=self.case, encoder=self.encoder))
        plain = float(replace(combination, ceiling=None).scores(rows)[0])
        [compared] = comparer(case=self.case).compare([(hypothesis, target)])
        found: dict[str, Any] = {"without findings": plain}
        if self.pair is not None:
            [same] = self.pair.measure([hypothesis], [target], 1)[:, 0].tolist()
            found["probability of the same meaning"] = same
        if combination.ceiling is not None:
            found["certainty of an error"] = round(float(combination.certainty(rows)[0]), 4)
        return found | {"findings": [[asdict(finding) for finding in compared.findings]]}

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """The same words in the hypothesis and each reference, and what differs."""
        differing = cached("facts", {"case": self.case}).matches(segments)
        [hypothesis], [targets] = segments.hypotheses, segments.targets
        return tuple(
            tuple(sorted([*spans, *_same(hypothesis, target)], key=_place))
            for spans, target in zip(differing, targets, strict=True)
        )


def combination_for(model: str | Path, encoder: str | Path | None) -> str | Path:
    """The embedded combination that goes with a neural encoder, unless another one is asked for.

    >>> combination_for("otherwords-mt", "auto"), combination_for("my.owm", "auto")
    ('otherwords-mt-neural', 'my.owm')
    """
    return f"{EMBEDDED}-neural" if encoder is not None and model == EMBEDDED else model


def _place(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
    return span.hypothesis, span.reference


def _same(hypothesis: Text, reference: Text) -> Iterator[Span]:
    """Spans of the same words in the same order."""
    one, other = (
        text if isinstance(text, Sentence) else tokenize(text) for text in (hypothesis, reference)
    )
    left, right = ([token.lower() for token in side.tokens] for side in (one, other))
    for i, j, size in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        if size > 0:
            mine = one.spans[i][0], one.spans[i + size - 1][1]
            theirs = other.spans[j][0], other.spans[j + size - 1][1]
            texts = one.text[slice(*mine)], other.text[slice(*theirs)]
            yield Span("same words", 1.0, mine, theirs, *texts)


@register
class OtherwordsMt(Combine):
    """The embedded combination, for translations into English."""

    name = "otherwords-mt"

    def __init__(self, *, model: str | Path = EMBEDDED, **options: Any) -> None:
        super().__init__(model=model, **options)


def combine(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """The score of one segment by a combination that you trained; `model` is its file.

    >>> combine("The cat sat on the mat.", "The cat sat on the mat.", model="otherwords-mt")
    1.0
    """
    return cached("combine", options).score_one(hypothesis, references)


def otherwords_mt(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """The score of one translation.

    >>> otherwords_mt("The cat sat on the mat.", "The cat sat on the mat.")
    1.0
    """
    return cached("otherwords-mt", options).score_one(hypothesis, references)
