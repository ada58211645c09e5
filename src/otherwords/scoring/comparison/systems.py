"""All that is to be said of two systems on the same segments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Array, Metric
from otherwords.scoring.comparison.chosen import examples
from otherwords.scoring.comparison.contrasts import (
    Contrast,
    contrast_metric,
    corrected,
)
from otherwords.scoring.comparison.pairs import TwoSystems, upward
from otherwords.scoring.comparison.result import BaselineComparisons, ComparisonResult
from otherwords.scoring.comparison.words import (
    Segment,
    bucket_name,
    by_class,
    by_frequency,
    phrases,
)
from otherwords.scoring.seen import fair, familiar
from otherwords.scoring.stream import evaluate
from otherwords.stats.intervals import Resampling
from otherwords.text.annotate import Annotator
from otherwords.text.language import is_foreign, words_of

__all__ = ["LENGTHS", "annotated_segments", "compare_systems", "compare_with_baseline"]

LENGTHS = (0, 10, 20, 30, 40, 50, 60)  # where buckets of lengths start


def compare_systems(
    pair: TwoSystems,
    metrics: Mapping[str, Metric],
    *,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    by: str | None = None,
    shown: int = 5,
    tokenizer: str = "penn",
    threads: int = 1,
    any_language: bool = False,
    pairs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> ComparisonResult:
    """Compare two systems by all metrics, by length, by words, and by example.

    `by` is the metric that selects examples (default: the first), `shown` their number in each
    direction. `pairs` is the number of comparisons that corpus tests are corrected for.
    """
    label = next(iter(metrics)) if by is None else by
    if label not in metrics:
        raise UsageError(f"--examples-by is one of the metrics; {near(label, metrics)}")
    scored = evaluate(
        pair.rows, metrics, threads=threads, any_language=any_language, progress=progress
    )
    left, right = (one.statistics for one in scored)
    statistics = {name: (left[name], right[name]) for name in metrics}
    known = familiar(metrics, scored)
    tested = fair(metrics, known)
    segments = annotated_segments(pair, tokenizer)
    notes = [f"segments that only one system has, left out: {pair.left_out}"]
    english = any_language or not is_foreign(words_of([row.hypothesis for row in pair.left[:50]]))
    if not english:
        notes.append("word classes are left out: the text is not English")
    contrasts = [
        contrast_metric(
            *(name, metric, *statistics[name], resampling, pair.docs),
            tested=name in tested,
            comparisons=pairs * len(tested),
        )
        for name, metric in metrics.items()
    ]
    notes += [note for name, one in known.items() for note in one.remarks(name)]
    return ComparisonResult(
        pair,
        metrics,
        resampling,
        corrected(contrasts),
        {name: _wins(metric, *statistics[name]) for name, metric in metrics.items()},
        _by_length(pair, metrics, statistics, segments, resampling, tested),
        by_class(segments, resampling, pair.docs) if english else [],
        by_frequency(segments, resampling, pair.docs),
        phrases(segments, shown=2 * shown),
        label,
        examples(pair, metrics[label], statistics[label], shown=shown),
        notes if pair.left_out else notes[1:],
        {
            name: (metric.segment_scores(left[name]), metric.segment_scores(right[name]))
            for name, metric in metrics.items()
        },
    )


def compare_with_baseline(
    pairs: Sequence[TwoSystems], metrics: Mapping[str, Metric], **options: Any
) -> BaselineComparisons:
    """Compare several systems with one baseline, the second of each pair.

    `options` are those of `compare_systems`. P-values of the corpus are corrected for all systems
    and metrics.
    """
    found = [compare_systems(pair, metrics, pairs=len(pairs), **options) for pair in pairs]
    every = iter(corrected([contrast for one in found for contrast in one.corpus]))
    return BaselineComparisons(
        [replace(one, corpus=[next(every) for _ in one.corpus]) for one in found]
    )


def annotated_segments(pair: TwoSystems, tokenizer: str) -> list[Segment]:
    """The hypotheses and the targets of each segment, tokenized and tagged."""
    annotator = Annotator(tokenizer=tokenizer)
    known = {text: annotator.sentence(text) for several in pair.targets() for text in several}
    return [
        (
            annotator.sentence(one.hypothesis),
            annotator.sentence(other.hypothesis),
            tuple(known[text] for text in targets),
        )
        for one, other, targets in zip(pair.left, pair.right, pair.targets(), strict=True)
    ]


def _wins(metric: Metric, *statistics: Array) -> tuple[int, int, int]:
    left, right = (upward(metric, metric.segment_scores(one)) for one in statistics)
    return int((left > right).sum()), int((left == right).sum()), int((left < right).sum())


def _by_length(
    pair: TwoSystems,
    metrics: Mapping[str, Metric],
    statistics: Mapping[str, tuple[Array, Array]],
    segments: Sequence[Segment],
    resampling: Resampling,
    tested: Collection[str],
) -> dict[str, list[Contrast]]:
    """Contrasts by the length of the first reference, else of the source, in tokens."""
    lengths = np.array([len(targets[0].tokens) if targets else 0 for *_, targets in segments])
    places = np.searchsorted(LENGTHS, lengths, side="right") - 1
    found = {}
    for label, metric in metrics.items():
        left, right = statistics[label]
        found[label] = corrected(
            [
                contrast_metric(
                    bucket_name(LENGTHS, place),
                    metric,
                    left[places == place],
                    right[places == place],
                    resampling,
                    _of(pair.docs, places == place),
                    tested=label in tested,
                    comparisons=len(set(places.tolist())),
                )
                for place in sorted(set(places.tolist()))
            ]
        )
    return found


def _of(docs: Sequence[str] | None, chosen: Array) -> list[str] | None:
    return None if docs is None else [docs[int(place)] for place in np.flatnonzero(chosen)]
