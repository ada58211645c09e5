"""What `otherwords meta` evaluates: metrics by name, scores from files, rows or pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from otherwords.cli.options import build_metrics
from otherwords.cli.progress import counting
from otherwords.corpus.jsonl import has_pairs, read_jsonl, read_pairs
from otherwords.corpus.rows import Pair, Row
from otherwords.errors import UsageError, near
from otherwords.meta.evaluation import Evaluation, evaluate, evaluate_pairs
from otherwords.meta.judged import criteria_of
from otherwords.meta.score_files import read_given, read_system_scores
from otherwords.metrics.base import Metric

__all__ = ["Asked", "agreement"]

SYSTEM_HUMAN = "human"  # the name of human scores that only systems have


@dataclass(frozen=True)
class Asked:
    """Whose agreement, with what: files and names as the user gave them."""

    jsonl: Sequence[str]
    metrics: str
    human: str | None
    scores: Sequence[str]
    lower: str
    system_human: str | None


def agreement(
    asked: Asked,
    common: Mapping[str, Any],
    settings: Sequence[str],
    **options: Any,
) -> Evaluation:
    """Read everything, score it, and evaluate the metrics; `options` are those of `evaluate`."""
    if "-" in asked.jsonl and len(asked.jsonl) > 1:
        raise UsageError("standard input can be read once, and by itself")
    given = {key: value for key, value in options.items() if value is not None}
    ours = build_metrics(asked.metrics, common, settings, None) if asked.metrics else {}
    if not ours and (common or settings):
        raise UsageError("--against and --set are for metrics; name some with -m")
    if asked.jsonl[0] != "-" and has_pairs(asked.jsonl[0]):
        pairs = list(chain.from_iterable(read_pairs(path) for path in asked.jsonl))
        return _of_pairs(asked, pairs, ours, given)
    rows = list(chain.from_iterable(read_jsonl(path) for path in asked.jsonl))
    systems = None if asked.system_human is None else read_system_scores(asked.system_human)
    human = _human(asked, rows)
    metrics = _with_given(asked, rows, ours)
    with counting("segments scored") as progress:
        return evaluate(rows, metrics, human, system_human=systems, progress=progress, **given)


def _of_pairs(
    asked: Asked, pairs: Sequence[Pair], ours: Mapping[str, Metric], options: dict[str, Any]
) -> Evaluation:
    """Better/worse pairs have no scores, no systems and no controls."""
    refused = {
        "--human": asked.human,
        "--system-human": asked.system_human,
        "--margin": options.pop("margin", None),
        "--coefficients": options.pop("coefficients", None),
        "--level system": "" if options.pop("level") != "system" else "system",
    }
    for option, value in refused.items():
        if value:
            raise UsageError(f"{option} does not go with better/worse pairs")
    options.pop("controls")
    rows = [row for pair in pairs for row in (pair.better, pair.worse)]
    if asked.scores:
        raise UsageError("--scores does not go with better/worse pairs: their texts have no ids")
    with counting("segments scored") as progress:
        return evaluate_pairs(pairs, ours, progress=progress, **options) if rows else _nothing()


def _nothing() -> Evaluation:
    raise UsageError("there are no pairs")


def _human(asked: Asked, rows: Sequence[Row]) -> str:
    """The human score asked for, or the only one there is."""
    if asked.human is not None:
        return asked.human.strip()
    if asked.system_human is not None:
        return SYSTEM_HUMAN
    known = criteria_of(rows)
    if len(known) == 1:
        return known[0]
    if not known:
        raise UsageError(f"{', '.join(asked.jsonl)}: there are no human scores at all")
    raise UsageError(f"there are several human scores; name one with --human: {', '.join(known)}")


def _with_given(asked: Asked, rows: Sequence[Row], ours: Mapping[str, Metric]) -> dict[str, Metric]:
    lower = [name.strip() for name in asked.lower.split(",") if name.strip()]
    found: dict[str, Metric] = dict(ours)
    for path in asked.scores:
        for label, metric in read_given(path, rows, lower=lower).items():
            if label in found:
                raise UsageError(f"{path}: there is another metric '{label}'; rename one of them")
            found[label] = metric
    outside = [label for label in found if label not in ours]
    for name in lower:
        if name not in outside:
            raise UsageError(f"--lower-is-better: no --scores have '{name}'; {near(name, outside)}")
    return found
