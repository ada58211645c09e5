"""`otherwords-mt` predicts the human score of a translation; `combine` is any other combination of
statistics that `otherwords train combine` learned.

The statistics are those of `mt_statistics`; docs/combine.md describes how they are joined. A
combination is a file of numbers: how statistics are standardised, the coefficients of a line,
support vectors or trees, and how far findings bound a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from otherwords import _native
from otherwords.encoders.neural import NeuralEncoder
from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import NEURAL_AT_ONCE, Span, Traits
from otherwords.metrics.facts import comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.mt_statistics import (
    NEURAL,
    BothSides,
    check_families,
    columns_of,
    resources,
)
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import metric, register
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.seen import Seen, SeenByEither
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Sentence, Text, tokenize

if TYPE_CHECKING:
    from otherwords.metrics.pair import Pair


KIND = "combination"
DIGITS = 9  # decimals kept in a score; beyond these, results differ between processors
CLOSE = 0.85, 0.97  # shares of common words in order from which closeness rises from 0 to 1
FARTHEST = 6.0  # standard deviations at which a statistic is clipped: none decides alone


@dataclass(frozen=True)
class Line:
    """A weighted sum (ridge regression)."""

    weights: Array

    def predict(self, rows: Array, threads: int) -> Array:
        """The sum of each row, in an order of addition that does not depend on other rows."""
        return np.asarray((rows * self.weights).sum(axis=1))

    def fits(self, width: int) -> bool:
        """Whether rows of this width can be predicted."""
        return self.weights.shape == (width,)


@dataclass(frozen=True)
class Radial:
    """Support vectors with a radial basis function."""

    support: Array
    coefficients: Array
    kernel: Array  # gamma, bias

    def predict(self, rows: Array, threads: int) -> Array:
        gamma, bias = self.kernel.tolist()
        rows = np.ascontiguousarray(rows)
        return _native.predict_rbf(self.support, self.coefficients, gamma, bias, rows, threads)

    def fits(self, width: int) -> bool:
        size = len(self.coefficients)
        return self.support.shape == (size, width) and self.kernel.shape == (2,)


@dataclass(frozen=True)
class Trees:
    """The sum of binary trees, their nodes in common arrays.

    From a node the path goes to `yes` if statistic `feature` is at most `threshold`, else to `no`;
    a leaf leads to itself.
    """

    roots: Array
    feature: Array
    threshold: Array
    yes: Array
    no: Array
    value: Array

    def predict(self, rows: Array, threads: int) -> Array:
        """All rows go down all trees at once, one level per step."""
        feature, yes, no = (column.astype(np.int64) for column in (self.feature, self.yes, self.no))
        node = np.broadcast_to(self.roots.astype(np.int64), (len(rows), len(self.roots)))
        for _ in range(len(feature)):
            asked = rows[np.arange(len(rows))[:, None], feature[node]]
            step = np.where(asked <= self.threshold[node], yes[node], no[node])
            if np.array_equal(step, node):
                break
            node = step
        return np.asarray(self.value[node].sum(axis=1))

    def fits(self, width: int) -> bool:
        """Whether rows of this width can be predicted, and every path ends in a leaf."""
        size = len(self.feature)
        columns = (self.threshold, self.yes, self.no, self.value)
        if self.roots.ndim != 1 or any(column.shape != (size,) for column in columns):
            return False
        here = np.arange(size)
        leaf = (self.yes == here) & (self.no == here)
        ahead = (self.yes > here) & (self.no > here) & (self.yes < size) & (self.no < size)
        inside = (self.roots >= 0) & (self.roots < size)
        known = (self.feature >= 0) & (self.feature < width)
        return bool((leaf | ahead).all() and inside.all() and known.all())


Regressor = Line | Radial | Trees
MAKERS: Mapping[str, type[Line] | type[Radial] | type[Trees]] = {
    "ridge": Line,
    "svr": Radial,
    "boosting": Trees,
}


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
    """A regression on standardised statistics, and the scale of its scores.

    `ends` are the raw values that become 0 (unrelated text) and 1 (a copy of the reference).
    """

    statistics: tuple[str, ...]  # family/name
    families: tuple[str, ...]
    center: Array
    scale: Array
    ends: Array
    regressor: Regressor
    provenance: Mapping[str, Any]
    ceiling: Ceiling | None = None
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    def raw(self, rows: Array, threads: int = 1) -> Array:
        """The predicted human scores, in standard deviations."""
        standard = np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST)
        raw = self.regressor.predict(standard, threads)
        return raw if self.ceiling is None else self.ceiling.apply(raw, self.certainty(rows))

    def certainty(self, rows: Array) -> Array:
        """The certainty of an error, from rows of statistics."""
        return certainty(dict(zip(self.statistics, rows.T, strict=True)))

    def scores(self, rows: Array, threads: int = 1) -> Array:
        return self.scaled(self.raw(rows, threads))

    def scaled(self, raw: Array) -> Array:
        """Raw values on the scale of scores."""
        low, high = self.ends.tolist()
        return np.asarray(np.clip(np.round((raw - low) / (high - low), DIGITS), 0.0, 1.0))

    @classmethod
    def load(cls, name_or_path: str | Path) -> Combination:
        """Open a file, or the embedded combination of that name."""
        if not isinstance(name_or_path, (str, Path)):
            raise UsageError(f"model must be a name or a path, not {name_or_path!r}")
        model = container.read(find(name_or_path), KIND)
        try:
            maker = MAKERS[model.provenance["regressor"]]
            numbers = {
                name: np.ascontiguousarray(array, np.float64)
                for name, array in model.section("regressor").items()
            }
            limits = model.arrays.get("ceiling")
            combination = cls(
                tuple(model.provenance["statistics"]),
                check_families(model.provenance["families"]),
                model.arrays["center"].astype(np.float64),
                model.arrays["scale"].astype(np.float64),
                model.arrays["ends"].astype(np.float64),
                maker(**numbers),
                model.provenance,
                None if limits is None else Ceiling(*map(float, limits)),
                model.short_digest,
                Seen.of_arrays(model.arrays),
            )
            combination._check()
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise ModelError(f"{model.path}: the combination is damaged: {error}") from error
        return combination

    def _check(self) -> None:
        if self.provenance.get("against", "references") not in ("references", "source"):
            raise ValueError("it was trained against neither references nor sources")
        width = len(self.statistics)
        if self.center.shape != (width,) or self.scale.shape != (width,):
            raise ValueError("its arrays do not fit its statistics")
        numbers = [self.center, self.scale, self.ends, *vars(self.regressor).values()]
        if not all(np.isfinite(array).all() for array in numbers) or not (self.scale > 0).all():
            raise ValueError("its numbers are out of range")
        if self.ends.shape != (2,) or not self.ends[0] < self.ends[1]:
            raise ValueError("its scale is not a range")
        if self.ceiling is not None:
            if not 0.0 <= self.ceiling.strength <= 1.0 or not np.isfinite(self.ceiling.level):
                raise ValueError("its ceiling is missing")
            self.certainty(self.center[None, :])  # KeyError without findings
        if not self.regressor.fits(width):
            raise ValueError("its coefficients do not fit its statistics")

    def save(self, path: str | Path) -> None:
        numbers = {"center": self.center, "scale": self.scale, "ends": self.ends}
        if self.ceiling is not None:
            numbers["ceiling"] = np.array([self.ceiling.level, self.ceiling.strength])
        numbers |= {f"regressor/{name}": array for name, array in vars(self.regressor).items()}
        arrays: dict[str, Any] = {name: array.astype(np.float32) for name, array in numbers.items()}
        arrays |= self.seen.arrays if self.seen else {}
        [kind] = [name for name, maker in MAKERS.items() if isinstance(self.regressor, maker)]
        provenance = {
            **self.provenance,
            "regressor": kind,
            "statistics": list(self.statistics),
            "families": list(self.families),
        }
        container.write(path, KIND, arrays, provenance)


EMBEDDED = "otherwords-mt"
DECISIVE = "findings/decisive"  # the findings that `strict` counts
SHARE_OF_PAIR = 0.3  # exponent of the metric `pair`: best on judged sets
LEAST_SAME = 0.01  # lowest probability of `pair` that counts: a factor near 0 would hide the rest
_WRONG = 0.499  # highest score of a text with a decisive finding under `strict`


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
    cost = "slow"
    use = "A combination trained on your own judgements (train combine)."
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
        self.pair = self._open_pair(pair)
        if self.pair is not None or NEURAL in self.combination.families:
            self.at_once = NEURAL_AT_ONCE
        self._resources = resources(self.combination.families, self.encoder)
        self._check_resources()
        if self.strict and DECISIVE not in self.combination.statistics:
            raise UsageError("strict needs a combination that was trained with `findings`")
        if common.get("against") is None:  # compare as in training
            self.against = self.combination.provenance.get("against", self.against)

    def _open_pair(self, pair: bool | str | Path) -> Pair | None:
        if not isinstance(pair, (str, Path)):
            if not check_flag("pair", pair):
                return None
            pair = self.encoder
        from otherwords.metrics.pair import Pair

        opened = Pair(encoder=pair)
        self.retrain = ""  # type: ignore[misc]  # `train combine` does not train the pair model
        self.teacher = opened.teacher
        sets = (self.combination.seen, opened.model.trained.seen)
        self.seen = SeenByEither(tuple(seen for seen in sets if seen is not None))
        return opened

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
        parts = {**options, "combination": self.combination.digest, **self._resources}
        if NEURAL in parts:
            parts[NEURAL] = NeuralEncoder.load(self.encoder).signature
        if self.pair is not None:
            parts |= {"pair": f"{SHARE_OF_PAIR}-{self.pair.model.signature}"}
        return parts

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The score of each pair: 1 for a copy, 0 for a text without words."""
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
        combination = self.combination
        rows = self._rows(BothSides([hypothesis], [target], case=self.case, encoder=self.encoder))
        plain = float(replace(combination, ceiling=None).scores(rows)[0])
        [compared] = comparer(case=self.case).compare([(hypothesis, target)])
        shown: dict[str, Any] = {"without findings": plain}
        if self.pair is not None:
            [same] = self.pair.measure([hypothesis], [target], 1)[:, 0].tolist()
            shown["probability of the same meaning"] = same
        if combination.ceiling is not None:
            shown["certainty of an error"] = round(float(combination.certainty(rows)[0]), 4)
        return shown | {"findings": [[asdict(finding) for finding in compared.findings]]}

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        differing = metric("facts", case=self.case).matches(segments)
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
    """Spans of common words in the same order."""
    first, second = (
        text if isinstance(text, Sentence) else tokenize(text) for text in (hypothesis, reference)
    )
    left, right = ([token.lower() for token in side.tokens] for side in (first, second))
    for i, j, size in SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
        if size > 0:
            mine = first.spans[i][0], first.spans[i + size - 1][1]
            theirs = second.spans[j][0], second.spans[j + size - 1][1]
            texts = first.text[slice(*mine)], second.text[slice(*theirs)]
            yield Span("same words", 1.0, mine, theirs, *texts)


@register
class OtherwordsMt(Combine):
    """The embedded combination, for translations into English."""

    name = "otherwords-mt"
    cost = "slow"
    use = "Translations into English; trained on human scores."

    def __init__(self, *, model: str | Path = EMBEDDED, **options: Any) -> None:
        super().__init__(model=model, **options)
