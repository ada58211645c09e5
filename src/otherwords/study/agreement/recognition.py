"""Paraphrase recognition (PEM §1, §7): does a metric's score separate paraphrases from other pairs?

Human scores are labels here, 0 or 1. The area under the ROC curve needs no threshold. Precision,
recall, F1 and accuracy need one: a fixed threshold, or one learnt by cross-validation over items.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Metric
from otherwords.scoring.seen import cautions, seen_rows
from otherwords.scoring.stream import segment_keys
from otherwords.stats.arrays import Array, numbered
from otherwords.stats.intervals import Estimate, Resampling
from otherwords.stats.resampling import Counts
from otherwords.study.agreement.arrays import Scoring, estimate_over, metrics_by_label
from otherwords.study.agreement.human_scores import (
    criteria_of,
    no_scores,
    rows_with_scores,
    score_of,
)
from otherwords.study.agreement.result import LineTables, number_of
from otherwords.tables.table import Cell, Column, Number, Table

SHARES = ("precision", "recall", "accuracy")
FOLDS = 5  # the threshold of each fold of items is learnt from the others
DEFAULT = ("meaning", "maxsim", "bleu", "chrf")


@dataclass(frozen=True)
class Recognised:
    """The results of a metric; a learnt `threshold` is that of the whole set."""

    metric: str
    signature: str
    auc: Estimate
    f1: Estimate
    precision: float
    recall: float
    accuracy: float
    threshold: float
    seen: float  # share of the rows that the metric was trained on


def measure_recognition(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = DEFAULT,
    human: str | None = None,
    *,
    threshold: float | None = None,
    positive: float | None = None,
    resampling: Resampling | None = None,
    controls: bool = False,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> LineTables[Recognised]:
    """Measure how well metrics (names, or metrics by label) recognise paraphrases.

    Parameters
    ----------
    rows, human
        Rows with labels of 0 and 1, and the name of the label; optional if there is only one.
    threshold
        A pair whose score is at least this is called a paraphrase. By default each fifth of the
        items gets the threshold with the best F1 on the others.
    positive
        Human scores of at least this value count as 1.
    resampling
        How items are resampled for intervals (default: no intervals).

    >>> rows = [Row(text, source="it rains", item=text, human={"paraphrase": float(label)})
    ...         for text, label in [("it rains now", 1), ("it rains a lot", 1), ("cats sleep", 0)]]
    >>> from otherwords.metrics.registry import metric
    >>> bleu = metric("bleu", against="source")
    >>> result = measure_recognition(rows, {"bleu": bleu}, threshold=20,
    ...                              scoring=Scoring(any_language=True))
    >>> result.lines[0].auc.value
    1.0
    """
    known = criteria_of(rows)
    if human is None:
        if not known:
            raise no_scores(rows)
        if len(known) > 1:
            raise UsageError(f"name the labels with `human`; there are: {', '.join(known)}")
        [human] = known
    chosen, _, remarks = rows_with_scores(rows, [human], controls=controls)
    labels = _labels(chosen, human, positive)
    if labels.all() or not labels.any():
        raise UsageError(f"all {len(labels)} labels of {human} are the same; both kinds are needed")
    by_label = metrics_by_label(metrics)
    if threshold is not None:
        check_number("threshold", threshold, -1e9, 1e9)
    statistics, scored = scoring.score(chosen, by_label)
    items = numbered(segment_keys(chosen))
    if threshold is None and len(set(items.tolist())) < 2:
        raise UsageError(
            f"the threshold is chosen on other items, and all {len(chosen)} rows are of one; give "
            "more items, or `threshold`"
        )
    lines, remarks = [], [*remarks, *cautions(by_label, scored)]
    for label, metric in by_label.items():
        if not metric.traits.higher_is_better:
            remarks.append(f"{label}: lower is better, so a paraphrase is at most its threshold")
        lines.append(
            _line(label, metric, chosen, statistics[label], labels, items, threshold, resampling)
        )
    pairs, paraphrases, parts = len(labels), int(labels.sum()), min(FOLDS, int(items.max()) + 1)
    always = 2 * paraphrases / (pairs + paraphrases)
    notes = [
        "thresholds are as given: a score of at least the threshold is a paraphrase"
        if threshold is not None
        else f"thresholds with the best F1 on the other items, {parts} parts; the last column has "
        "that of all",
        f"labelling every pair as a paraphrase has F1 {always:.4f}",
        *remarks,
    ]
    if resampling is not None:
        notes.append(f"intervals: items resampled, {resampling.signature('segments')}")
    caption = f"Recognition of {human}: {paraphrases:,} of {pairs:,} pairs"
    table = _table(lines, caption, resampling)
    return LineTables(lines, [table], [*notes, *(line.signature for line in lines)])


def _table(lines: Sequence[Recognised], caption: str, resampling: Resampling | None) -> Table:
    columns = [
        Column("metric", "", left=True),
        Column("auc", "AUC", decimals=4, best="highest", interval="range"),
        Column("f1", "F1", decimals=4, best="highest", interval="range"),
        *(Column(name, decimals=4) for name in (*SHARES, "threshold")),
        *(Column(name, hidden=True) for name in ("seen", "signature")),
    ]
    rows: list[list[Cell]] = [
        [
            line.metric,
            number_of(line.auc, resampling),
            number_of(line.f1, resampling),
            *(getattr(line, name) for name in SHARES),
            *(Number(line.threshold), line.seen, line.signature),
        ]
        for line in lines
    ]
    return Table("recognition", columns, rows, caption)


def _labels(rows: Sequence[Row], human: str, positive: float | None) -> NDArray[np.bool_]:
    scores = np.array([score_of(row, human) for row in rows])
    if positive is not None:
        return np.asarray(scores >= positive)
    for row, score in zip(rows, scores.tolist(), strict=True):
        if score not in (0.0, 1.0):
            message = (
                f"the label {human} is {score:g}, not 0 or 1; `positive` says from which score on "
                "a pair is a paraphrase"
            )
            raise InputError(message, path=row.path, line=row.line)
    return np.asarray(scores == 1)


def _line(
    label: str,
    metric: Metric,
    rows: Sequence[Row],
    statistics: Array,
    labels: NDArray[np.bool_],
    items: NDArray[np.intp],
    threshold: float | None,
    resampling: Resampling | None,
) -> Recognised:
    sign = 1.0 if metric.traits.higher_is_better else -1.0
    scores = sign * metric.segment_scores(statistics)
    if threshold is None:
        called = np.zeros(len(scores), bool)
        for fold in range(FOLDS):
            mine = items % FOLDS == fold
            if mine.any():
                called[mine] = scores[mine] >= best_threshold(scores[~mine], labels[~mine])
        used = best_threshold(scores, labels)
    else:
        used = sign * threshold
        called = scores >= used
    units = int(items.max()) + 1, resampling, len(scores)
    right = int((called & labels).sum())
    return Recognised(
        label,
        metric.signature,
        estimate_over(lambda times: auc(scores, labels, items, times), *units),
        estimate_over(lambda times: _f1(called, labels, items, times), *units),
        right / max(int(called.sum()), 1),
        right / int(labels.sum()),
        float((called == labels).mean()),
        sign * used + 0.0,
        0.0 if metric.seen is None else float(seen_rows(rows, metric).mean()),
    )


def auc(scores: Array, labels: NDArray[np.bool_], items: NDArray[np.intp], times: Counts) -> Array:
    """Compute the area under the ROC curve in each resample of items: the share of pairs of a
    positive and a negative in the right order. Ties count half; NaN if a class is missing.

    >>> scores, labels = np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False])
    >>> auc(scores, labels, np.arange(4), np.ones((1, 4), np.uint16)).tolist()
    [0.875]
    """
    order = np.argsort(scores, kind="stable")
    _, level = np.unique(scores[order], return_inverse=True)
    starts = np.flatnonzero(np.r_[True, np.diff(level) > 0])
    areas = np.empty(len(times))
    for draw, counts in enumerate(times):
        weights = counts[items[order]].astype(np.float64)
        of_label = labels[order]
        yes = np.add.reduceat(np.where(of_label, weights, 0.0), starts)
        no = np.add.reduceat(np.where(of_label, 0.0, weights), starts)
        below = np.cumsum(no) - no
        both = yes.sum() * no.sum()
        areas[draw] = (yes * (below + no / 2)).sum() / both if both else np.nan
    return areas


def _f1(
    called: NDArray[np.bool_],
    labels: NDArray[np.bool_],
    items: NDArray[np.intp],
    times: Counts,
) -> Array:
    """Compute F1 in each resample of items; NaN where no pair is or is called a paraphrase."""
    size = times.shape[1]
    hits, both = (
        times.astype(np.float64) @ np.bincount(items, weights, size)
        for weights in ((called & labels).astype(float), called.astype(float) + labels)
    )
    values: Array = np.full(len(times), np.nan)
    return np.divide(2 * hits, both, out=values, where=both > 0)


def best_threshold(scores: Array, labels: NDArray[np.bool_]) -> float:
    """Find the threshold with the best F1; the highest one if several are equal.

    >>> best_threshold(np.array([0.1, 0.5, 0.7, 0.9]), np.array([False, True, False, True]))
    0.5
    """
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    f1 = 2 * hits / (np.arange(1, len(scores) + 1) + labels.sum())
    # Pairs with the same score must get the same label.
    last = np.r_[np.diff(scores[order]) != 0, True]
    return float(scores[order][last][int(np.argmax(np.round(f1[last], 12)))])
