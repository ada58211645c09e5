"""`otherwords.score`: one metric or several on a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from otherwords.errors import UsageError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Metric
from otherwords.metrics.inputs import Segments, one_reference
from otherwords.metrics.registry import cached, find, shared_options
from otherwords.scoring.results import Result, Results
from otherwords.scoring.stream import GIVEN, require_english
from otherwords.text.sentence import Text

__all__ = ["Result", "Results", "Several", "made", "made_all", "metric", "result_of", "score"]

Several = (
    list[str] | list[Metric] | list[str | Metric] | tuple[str | Metric, ...] | Mapping[str, Any]
)


@overload
def score(
    metric: str | Metric,
    hypotheses: Sequence[Text] | None = None,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    predictions: Sequence[Text] | None = None,
    reference: Sequence[Text] | None = None,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> Result: ...
@overload
def score(
    metric: Several,
    hypotheses: Sequence[Text] | None = None,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    predictions: Sequence[Text] | None = None,
    reference: Sequence[Text] | None = None,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> Results: ...
def score(
    metric: str | Metric | Several,
    hypotheses: Sequence[Text] | None = None,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    predictions: Sequence[Text] | None = None,
    reference: Sequence[Text] | None = None,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> Result | Results:
    """Score hypotheses with a metric, or with each of a list of metrics.

    `references[i]` is the reference of hypothesis i, or a list of several; `reference` takes one
    reference per hypothesis, and `predictions` is an alias of `hypotheses`. Options are passed to
    the metrics that have them. A mapping of metrics gives each your own name.

    >>> result = score("maxsim", ["A boy bought a car."], references=["A boy bought the car."])
    >>> round(result.corpus, 3), result.segments.shape
    (0.888, (1,))
    >>> both = score(["maxsim", "chrf"], ["A boy left."], references=[["A boy left.", "He left."]])
    >>> {name: round(one.corpus, 2) for name, one in both.items()}
    {'maxsim': 0.58, 'chrf': 100.0}
    """
    given = _one_of("hypotheses", hypotheses, "predictions", predictions)
    if given is None:
        raise UsageError("there is nothing to score: give hypotheses")
    if reference is not None:
        _one_of("references", references, "reference", reference)
        references = one_reference(reference)
    if "source" in options:
        raise UsageError("the sources are given as sources=[...], one per segment, not as source=")
    threads = check_whole("threads", threads, 1, 1024)
    if isinstance(metric, (str, Metric)):
        scorer = made(metric, options)
        return _result(scorer, given, references, sources, threads, any_language)
    scorers = made_all(metric, options)
    return Results(
        {
            label: _result(scorer, given, references, sources, threads, any_language)
            for label, scorer in scorers.items()
        }
    )


def metric(name: str, **options: Any) -> Metric:
    """A metric with its options set; the same object for the same name and options.

    >>> metric("maxsim", alpha=0.5).signature
    'maxsim|v:1|alpha:0.5|n:3|case:folded|tok:penn|tagger:...|lexicon:...'
    """
    return cached(name, options)


def made(metric: str | Metric, options: Mapping[str, Any]) -> Metric:
    """The metric itself, or the one of that name with its options set."""
    if not isinstance(metric, Metric):
        return cached(metric, options)
    if options:
        raise UsageError(
            f"pass options together with the metric's name: {metric.name!r} and "
            f"{', '.join(options)}, not an object that has its options already"
        )
    return metric


def made_all(metrics: Several | str | Metric, options: Mapping[str, Any]) -> dict[str, Metric]:
    """The metrics by name or by the labels of a mapping; options go to those that have them."""
    if isinstance(metrics, (str, Metric)):
        single = made(metrics, options)
        return {single.name: single}
    if not isinstance(metrics, (list, tuple, Mapping)):
        raise UsageError(f"name a metric or a list of metrics, not {metrics!r:.60}")
    if not metrics:
        raise UsageError("name at least one metric")
    labels = list(metrics) if isinstance(metrics, Mapping) else [None] * len(metrics)
    given: list[Any] = list(metrics.values() if isinstance(metrics, Mapping) else metrics)
    names = [None if isinstance(one, Metric) else find(one).name for one in given]
    known = list(dict.fromkeys(name for name in names if name is not None))
    if options and not known:
        made(given[0], options)  # refuses them
    options_of = shared_options(known, options) if options else {}
    found: dict[str, Metric] = {}
    for label, one, name in zip(labels, given, names, strict=True):
        scorer: Metric = one if name is None else cached(name, options_of.get(name, {}))
        key = scorer.name if label is None else label
        if key in found:
            raise UsageError(f"'{key}' is named twice; give a mapping of labels to metrics instead")
        found[key] = scorer
    return found


def _result(
    scorer: Metric,
    hypotheses: Sequence[Text],
    references: Sequence[Any] | None,
    sources: Sequence[Text | None] | None,
    threads: int,
    any_language: bool,
) -> Result:
    segments = scorer.check(hypotheses, references, sources)
    if not any_language:
        require_english(scorer, segments)
    return result_of(scorer, segments, threads)


def result_of(scorer: Metric, segments: Segments, threads: int = 1) -> Result:
    """The result of a metric on segments that have been checked."""
    statistics = scorer.compute(segments, threads)
    return Result(
        scorer,
        scorer.aggregate(statistics),
        scorer.segment_scores(statistics),
        scorer.signature + (GIVEN if segments.is_annotated else ""),
        statistics,
        segments,
    )


def _one_of(name: str, value: Any, other: str, other_value: Any) -> Any:
    if value is not None and other_value is not None:
        raise UsageError(f"give {name} or {other}, not both")
    return other_value if value is None else value
