"""The contract of every metric.

    statistics(hypotheses, references, sources) -> array [segments, columns]
    aggregate(array)                            -> the corpus score
    segment_scores(array)                       -> a score for each segment

A corpus score depends on the array through its column sums alone. So arrays of parts of a
corpus can be stacked, and a bootstrap resample is a sum of rows: intervals and significance
do not read the text again.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from otherwords.errors import MetricError, UsageError
from otherwords.metrics.inputs import Against, Segments, check_needs
from otherwords.stats.arrays import Array, column_sums
from otherwords.text.sentence import Text

if TYPE_CHECKING:
    from otherwords.corpus.rows import Row
    from otherwords.models.seen import Seen, SeenByEither


Cost = Literal["fast", "medium", "slow"]

_SLACK = 1e-6  # tolerance at the ends of a range, because sums are rounded
NEURAL_AT_ONCE = 256  # segments: a neural encoder takes some seconds for them


@dataclass(frozen=True)
class Traits:
    """Properties of a metric that hold for any text; the common test suite checks them."""

    low: float
    high: float
    higher_is_better: bool = True
    symmetric: bool = False
    against: Against = "references"
    needs_source: bool = False
    english: bool = False

    @property
    def range(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def needs_references(self) -> bool:
        """Whether it compares with references by default."""
        return self.against == "references"


# What two spans say of each other. Drawings have one colour and one sign for each.
Verdict = Literal["same", "equivalent", "contradicted", "missing", "added", "unknown"]
SIDES: Mapping[Against, tuple[str, str]] = {
    "source": ("rewrite", "original"),
    "references": ("text", "reference"),
}  # what readers call the hypothesis and the text that it is compared with


@dataclass(frozen=True)
class Span:
    """Words of the hypothesis and of the reference that belong together, or words of one side only.

    `hypothesis` and `reference` are character offsets into the two texts. A span is empty where one
    side has nothing; it then marks the place. `weight` says how much it counts, or how certain it
    is.
    """

    kind: str
    verdict: Verdict
    weight: float
    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    hypothesis_text: str
    reference_text: str

    def sentence(self, against: Against = "source") -> str:
        """What the span says, for readers; `against` decides what the two texts are called.

        >>> Span("date", "contradicted", 1.0, (0, 8), (0, 7), "13 March", "3 March").sentence()
        'The rewrite says "13 March"; the original says "3 March".'
        >>> Span("words", "missing", 1.0, (0, 0), (0, 6), "", "before").sentence("references")
        'The text does not say "before".'
        """
        mine, theirs = SIDES[against]
        left, right = (
            re.sub(r"^[,;:] |(?<=\w)[,;]$", "", " ".join(text.split()))
            for text in (self.hypothesis_text, self.reference_text)
        )
        match bool(left), bool(right), self.verdict:
            case False, False, "missing":
                return f"The {mine} leaves out something that the {theirs} says."
            case False, False, "added":
                return f"The {mine} says something that the {theirs} does not say."
            case False, False, _:
                return f"The {mine} does not say the same as the {theirs}."
            case False, True, _:
                return f'The {mine} does not say "{right}".'
            case True, False, _:
                return f'The {mine} adds "{left}".'
            case _, _, "same" | "equivalent":
                return f'"{left}" says the same as "{right}".'
            case _, _, "unknown":
                return f'"{left}" may not say the same as "{right}".'
        if left == right:
            return f'The {mine} has "{left}" with other white space than the {theirs}.'
        return f'The {mine} says "{left}"; the {theirs} says "{right}".'


@dataclass(frozen=True)
class Explanation:
    """Why a segment has its score: the numbers behind it and, if any, what matched.

    `matches[r]` are the spans of the hypothesis and of reference r; `details` are further values of
    the metric, as they are written to JSON. `against` says what the references are.
    """

    metric: str
    score: float
    components: Mapping[str, float]
    hypothesis: str
    references: tuple[str, ...]
    matches: tuple[tuple[Span, ...], ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    against: Against = "references"
    matches_all: bool = False  # whether words without a match are missing or added

    def _repr_html_(self) -> str:
        from otherwords.metrics.drawing import CSS, draw

        return f"<style>{CSS}</style>\n{draw(self)}"


class Metric(ABC):
    """A metric with its options set. Subclasses fill in the abstract methods.

    `against` overrides what the hypothesis is compared with: `"references"` or `"source"`.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    traits: ClassVar[Traits]
    use: ClassVar[str] = ""  # when to use it, in one line
    cost: ClassVar[Cost | None] = None  # compared with sacreBLEU's BLEU (`python -m bench.costs`)
    unset: ClassVar[Mapping[str, Any]] = {}  # what options that are None stand for; (...): no value
    columns: tuple[str, ...]
    parts: ClassVar[Mapping[str, Traits]] = {}  # columns that are always shown with the score
    by_segment: bool = True  # whether segments have their own scores
    seen: Seen | SeenByEither | None = None  # the rows that it was trained on
    retrain: ClassVar[str] = ""  # the command that trains such a metric
    at_once: int = 4096  # segments in a batch
    longest: ClassVar[int | None] = (
        None  # words and marks of the longest text, if cost is quadratic
    )
    matches_all: ClassVar[bool] = False  # whether words without a match are missing or added
    has_findings: ClassVar[bool] = False  # whether matches include places where meaning differs

    def __init__(self, *, against: Against | None = None, **options: Any) -> None:
        if against not in (None, "references", "source"):
            raise UsageError(f"against must be 'references' or 'source', not {against!r}")
        self.against: Literal["references", "source"] = against or self.traits.against
        self.options: dict[str, Any] = {"against": against, **options}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.signature}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.options)

    @cached_property
    def signature(self) -> str:
        parts = {"v": str(self.version), **self.signature_parts()}
        if self.against != self.traits.against:
            parts["against"] = self.against
        return "|".join([self.name, *(f"{key}:{value}" for key, value in parts.items())])

    @abstractmethod
    def signature_parts(self) -> dict[str, str]:
        """Options and resource hashes that the scores depend on."""

    def statistics(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Any] | None = None,
        sources: Sequence[Text | None] | None = None,
        *,
        threads: int = 1,
    ) -> Array:
        return self.run(self.check(hypotheses, references, sources), threads)

    def check(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Any] | None = None,
        sources: Sequence[Text | None] | None = None,
    ) -> Segments:
        """The segments with what this metric compares them with, or a clear error."""
        return Segments.check(
            hypotheses,
            references,
            sources,
            metric=self.name,
            against=self.against,
            needs_source=self.traits.needs_source,
        )

    def check_rows(self, rows: Sequence[Row]) -> Segments:
        """The same for rows; an error names the file and the line of the row."""
        references = [row.references for row in rows]
        sources = [row.source for row in rows]
        needs_source = self.against == "source" or self.traits.needs_source
        if not all(references) or (needs_source and None in sources):
            for row in rows:
                check_needs(row, self.name, self.against, needs_source=self.traits.needs_source)
        compared = references if self.against == "references" else None
        return self.check([row.hypothesis for row in rows], compared, sources)

    def of_rows(self, rows: Sequence[Row], threads: int = 1) -> Array:
        return self.run(self.check_rows(rows), threads)

    def run(self, segments: Segments, threads: int) -> Array:
        """The statistics of `compute`; `MetricError` where a metric does not keep its contract."""
        try:
            statistics = self.compute(segments, threads)
        except SystemExit as error:
            raise MetricError(f"the metric {self.name} tried to end the program") from error
        except OSError as error:
            raise MetricError(f"the metric {self.name} failed: {error}") from error
        if (kind := np.asarray(statistics).dtype.kind) not in "biuf":
            what = {"c": "complex numbers"}.get(kind, "no numbers")
            raise MetricError(f"the statistics that the metric {self.name} gave are {what}")
        if np.shape(statistics) != (len(segments.hypotheses), len(self.columns)):
            raise MetricError(
                f"the metric {self.name} gave statistics of the shape {np.shape(statistics)} for "
                f"{len(segments.hypotheses)} segments and {len(self.columns)} columns"
            )
        if not np.isfinite(statistics).all():
            raise MetricError(f"the metric {self.name} gave a statistic that is not finite")
        return statistics

    @abstractmethod
    def compute(self, segments: Segments, threads: int) -> Array:
        """The statistics of segments that have been checked."""

    @abstractmethod
    def from_sums(self, sums: Array) -> float:
        """The score of a corpus whose columns have these sums."""

    def aggregate(self, statistics: Array) -> float:
        """The corpus score. Sums are exact, so the order of the segments does not matter."""
        return self.score_of_sums(column_sums(statistics))

    def score_of_sums(self, sums: Array) -> float:
        """As `from_sums`; a score that is no number or out of the metric's range is refused."""
        score = self.from_sums(sums)
        low, high = (
            bound + sign * _SLACK * max(1.0, abs(bound))
            for bound, sign in ((self.traits.low, -1), (self.traits.high, 1))
        )
        if not (isinstance(score, Real) and low <= score <= high and abs(score) < math.inf):
            raise MetricError(f"the metric {self.name} gave the score {score!r:.40}")
        return float(score)

    def corpus_scores(self, sums: Array) -> Array:
        """The scores of several corpora: `from_sums` of each row."""
        return np.array([self.from_sums(row) for row in sums], dtype=np.float64)

    def segment_scores(self, statistics: Array) -> Array:
        return self.corpus_scores(statistics)

    def score_one(
        self, hypothesis: Text, references: Any = None, source: Text | None = None
    ) -> float:
        """The score of one segment.

        >>> from otherwords.metrics.maxsim import MaxSim
        >>> MaxSim().score_one("a boy bought a car", "a boy purchased a car")
        1.0
        """
        several = None if references is None else [references]
        return float(self.segment_scores(self.statistics([hypothesis], several, [source]))[0])

    def explain(
        self,
        hypothesis: Text,
        references: Any = None,
        source: Text | None = None,
    ) -> Explanation:
        """The score of one segment, taken apart."""
        several = None if references is None else [references]
        return self.explain_segment(self.check([hypothesis], several, [source]))

    def explain_row(self, row: Row) -> Explanation:
        """The score of one row, taken apart."""
        return self.explain_segment(self.check_rows([row]))

    def explain_segment(self, segment: Segments) -> Explanation:
        row = self.run(segment, threads=1)
        return Explanation(
            self.name,
            float(self.segment_scores(row)[0]),
            dict(zip(self.columns, row[0].tolist(), strict=True)),
            text_of(segment.hypotheses[0]),
            tuple(text_of(target) for target in segment.targets[0]),
            self.matches(segment),
            against=self.against,
            matches_all=self.matches_all,
        )

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return ()


class MeanMetric(Metric):
    """A metric whose corpus score is the mean of its segment scores.

    The first column is the segment's score, the last one 1; others are its components.
    """

    place = 0  # the column of the score

    def from_sums(self, sums: Array) -> float:
        return float(sums[self.place] / sums[-1])

    def corpus_scores(self, sums: Array) -> Array:
        if type(self).from_sums is not MeanMetric.from_sums:
            return super().corpus_scores(sums)
        return np.asarray(sums[:, self.place] / sums[:, -1])

    def segment_scores(self, statistics: Array) -> Array:
        return statistics[:, self.place].copy()


class Part(MeanMetric):
    """A column of a mean metric as a separate metric; it reads the same statistics."""

    def __init__(self, whole: MeanMetric, column: str) -> None:
        super().__init__(against=whole.against)
        self.name = f"{whole.name}.{column}"  # type: ignore[misc]  # set on the object
        self.whole, self.place = whole, whole.columns.index(column)
        self.columns = whole.columns
        self.traits = whole.parts[column]  # type: ignore[misc]  # set on the object, not the class

    def __reduce__(self) -> tuple[Any, ...]:
        return Part, (self.whole, self.columns[self.place])

    @cached_property
    def signature(self) -> str:
        return self.whole.signature

    def signature_parts(self) -> dict[str, str]:
        return self.whole.signature_parts()

    def compute(self, segments: Segments, threads: int) -> Array:
        return self.whole.compute(segments, threads)


def text_of(text: Text) -> str:
    """The raw string of a text.

    >>> text_of("a cat")
    'a cat'
    """
    return text if isinstance(text, str) else text.text


def _rebuild(metric: type[Metric], options: dict[str, Any]) -> Metric:
    return metric(**options)
