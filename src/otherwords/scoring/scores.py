"""`otherwords.score`: a metric on a corpus, and the result with all that derives from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from otherwords.errors import UsageError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Array, Explanation, Metric
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import create
from otherwords.stats.intervals import Interval, interval
from otherwords.text.language import check_english
from otherwords.text.sentence import Text

__all__ = ["Result", "made", "require_english", "score"]


GIVEN = "|input:annotated"  # tokens, and whatever else they had, are the caller's


@dataclass(frozen=True, eq=False)
class Result:
    """What a metric says of a corpus.

    `segments` has a score for each hypothesis; `statistics` the rows that both the corpus
    and the segment scores were made from.
    """

    metric: Metric
    corpus: float
    segments: Array
    signature: str
    statistics: Array = field(repr=False)
    inputs: Segments = field(repr=False)

    def explain(self, i: int) -> Explanation:
        """Why segment i (from 0) has its score."""
        if not isinstance(i, (int, np.integer)) or not -len(self.segments) <= i < len(
            self.segments
        ):
            raise UsageError(
                f"there is no segment {i}; they run from 0 to {len(self.segments) - 1}"
            )
        return self.metric.explain_segment(self.inputs.pick(i))

    @property
    def parts(self) -> dict[str, Array]:
        """What the metric always tells beside its score, for each segment (of PEM: adequacy,
        fluency, dissimilarity).
        """
        places = {name: self.metric.columns.index(name) for name in self.metric.parts}
        return {name: self.statistics[:, place].copy() for name, place in places.items()}

    def interval(
        self,
        *,
        confidence: float = 0.95,
        resamples: int = 1000,
        seed: int = 0,
        docs: Sequence[str] | None = None,
    ) -> Interval:
        """Bootstrap interval of the corpus score, over segments or whole documents."""
        return interval(
            self.metric.from_sums,
            self.statistics,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            docs=docs,
        )


def score(
    metric: str | Metric,
    hypotheses: Sequence[Text],
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> Result:
    """Score hypotheses with a metric; `references[i]` is a text or a list of texts.

    >>> result = score("maxsim", ["A boy bought a car."], references=["A boy bought the car."])
    >>> round(result.corpus, 3), result.segments.shape
    (0.888, (1,))
    """
    scorer = made(metric, options)
    threads = check_whole("threads", threads, 1, 1024)
    segments = scorer.check(hypotheses, references, sources)
    if not any_language:
        require_english(scorer, segments)
    statistics = scorer.compute(segments, threads)
    return Result(
        scorer,
        scorer.aggregate(statistics),
        scorer.segment_scores(statistics),
        scorer.signature + (GIVEN if segments.is_annotated else ""),
        statistics,
        segments,
    )


def made(metric: str | Metric, options: Mapping[str, Any]) -> Metric:
    """The metric itself, or the one of that name with its options set."""
    if not isinstance(metric, Metric):
        return create(metric, **options)
    if options:
        raise UsageError(f"the metric is made already; {', '.join(options)} cannot be set any more")
    return metric


def require_english(metric: Metric, segments: Segments, name: str = "hypotheses") -> None:
    """Refuse text that is plainly not English, if the metric needs English."""
    if not metric.traits.english:
        return
    targets = [target for several in segments.targets for target in several[:1]]
    role = "sources" if metric.against == "source" else "references"
    check_english(segments.hypotheses, f"the text of {name}, given to {metric.name},")
    check_english(targets, f"the text of the {role} of {name}, given to {metric.name},")
