"""Score the rows of systems, or explain a segment of each: `otherwords score` from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from otherwords.corpus.rows import Coverage, Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Explanation, Metric
from otherwords.scoring.coverage import check_once, checked_ahead, common_segments, coverage
from otherwords.scoring.extremes import explanation_lines, extremes
from otherwords.scoring.score_result import ScoreResult
from otherwords.scoring.seen import fair, familiar
from otherwords.scoring.stream import GIVEN, SystemScores, evaluate, explain_row, with_parts
from otherwords.scoring.uncertainty import Uncertainty, clusters_of
from otherwords.tables.table import Column, Lines, Number, Table
from otherwords.tables.tabular import Tabular

if TYPE_CHECKING:
    from otherwords.stats.significance import Test

__all__ = ["ExplanationResult", "explain_rows", "score_rows", "summarise"]


def score_rows(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    *,
    ci: bool = False,
    confidence: float = 0.95,
    paired: Test | None = None,
    baseline: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
    resamples_max: int = 100_000,
    common: bool = False,
    worst: int = 0,
    best: int = 0,
    by: str | None = None,
    texts: bool = False,
    by_metric: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> ScoreResult:
    """Score all systems with all metrics: `ci` adds intervals, `paired` tests against `baseline`.

    With three or more systems p-values are corrected for their number (Holm), by up to
    `resamples_max` trials, and systems without a significant difference form one of the `clusters`.
    Tests use the segments that both systems have; `common` scores only those that all systems have.
    A metric that was trained on these rows gets no tests. `worst` and `best` segments of each
    system, by the metric `by` (the first), are given with texts and explanations; `texts` keeps
    those of all segments for `by_segment`.

    >>> from otherwords.scoring.choice import choose_metrics
    >>> rows = [Row("a cat sat", ("the cat sat",)), Row("a dog ran", ("a dog ran",))]
    >>> round(score_rows(rows, choose_metrics("mup")).cells["system", "mup"].value, 3)  # 5 / 6
    0.833
    """
    wanted = Uncertainty(ci, confidence, paired, resamples, seed, resamples_max)
    if by is not None and by not in metrics:
        raise UsageError(f"--examples-by is one of the metrics; {near(by, metrics)}")
    scored = evaluate(
        checked_ahead(rows),
        metrics,
        threads=threads,
        any_language=any_language,
        keep=texts or worst > 0 or best > 0,
        progress=progress,
    )
    check_once(scored)
    covered = coverage(scored)
    if common:
        scored = common_segments(scored)
    names = {one.system: one for one in scored}
    if baseline is not None and baseline not in names:
        hint = near(baseline, names)
        raise UsageError(f"there is no system '{baseline}' to be the baseline; {hint}")
    if paired is not None and len(scored) == 1:
        raise UsageError(f"a paired test needs two systems; there is only {scored[0].system}")
    first = scored[0] if baseline is None else names[baseline]
    grouped = (ci or paired) and len(scored) > 2 and not by_metric
    return summarise(
        metrics,
        scored,
        wanted,
        first,
        by_metric=by_metric,
        grouped=bool(grouped),
        coverage=None if common else covered,
        remarks=_left_out(covered) if common else (),
        extremes=extremes(metrics, scored, worst=worst, best=best, by=by),
        texts=texts,
    )


def _left_out(covered: Coverage | None) -> list[str]:
    if covered is None:
        return []
    left_out = max(covered.segments.values()) - covered.common
    return [f"scored: the {covered.common:,} segments that all systems have, {left_out:,} fewer"]


def summarise(
    metrics: Mapping[str, Metric],
    scored: Sequence[SystemScores],
    wanted: Uncertainty,
    baseline: SystemScores,
    *,
    grouped: bool = False,
    **more: Any,
) -> ScoreResult:
    """The scores of systems, the parts of metrics included, from their statistics.

    `grouped` adds clusters.
    """
    shown, systems = with_parts(metrics, scored)
    first = systems[scored.index(baseline)]
    given = GIVEN if any(one.annotated for one in systems) else ""
    by_document = any(one.docs for one in systems)
    known = familiar(metrics, scored)
    tested, untested = fair(shown, known), replace(wanted, test=None)
    numbers = {
        label: (wanted if label in tested else untested).numbers(label, metric, systems, first)
        for label, metric in shown.items()
    }
    cells = {(one.system, label): numbers[label][one.system] for one in systems for label in shown}
    return ScoreResult(
        shown,
        systems,
        cells,
        _agreement(systems, shown),
        first.system if wanted.test else None,
        given + wanted.signature(by_document=by_document, tests=list(cells.values())),
        familiarity=known,
        clusters=clusters_of(fair(metrics, known), scored, wanted) if grouped else {},
        **more,
    )


def _agreement(
    systems: Sequence[SystemScores], shown: Mapping[str, Metric]
) -> dict[tuple[str, str], Number]:
    """Segment-level Pearson of each metric with each human criterion, over all systems' rows.

    Lower-is-better metrics are reversed, so that higher agreement is always higher. There is none
    over fewer than three segments, and none where all scores are the same.
    """
    criteria = dict.fromkeys(name for system in systems for name in system.human)
    if not criteria:
        return {}
    from otherwords.stats.coefficients import FEWEST, pearson

    found: dict[tuple[str, str], Number] = {}
    for criterion in criteria:
        judged = [system for system in systems if criterion in system.human]
        people = np.concatenate([system.human[criterion] for system in judged])
        size = int(np.isfinite(people).sum())
        reason = f"fewer than {FEWEST} segments" if size < FEWEST else "all scores are the same"
        for label, metric in shown.items():
            scores = np.concatenate([metric.segment_scores(s.statistics[label]) for s in judged])
            r = pearson(scores if metric.traits.higher_is_better else -scores, people)
            found[criterion, label] = Number(r, size=size, reason="" if r is not None else reason)
    return found


@dataclass(frozen=True)
class ExplanationResult(Tabular):
    """Why one segment of each system has its score, by each metric."""

    explained: Sequence[tuple[str, Explanation]]

    def tables(self) -> Iterator[Lines]:
        """A block of text for each explanation."""
        for system, explanation in self.explained:
            yield Lines("explanation", list(explanation_lines(system, explanation)))

    def records(self) -> Iterable[Table]:
        """One row per explanation."""
        found = self.to_dict()["explanations"]
        columns = [Column(name) for name in found[0]]
        return [Table("explanations", columns, [list(one.values()) for one in found])]

    def to_dict(self) -> dict[str, Any]:
        """The explanations with their systems."""
        return {
            "explanations": [
                {"system": system, **_lists(asdict(explanation))}
                for system, explanation in self.explained
            ]
        }


def _lists(value: Any) -> Any:
    """Lists instead of tuples, for JSON."""
    if isinstance(value, dict):
        return {key: _lists(one) for key, one in value.items()}
    return [_lists(one) for one in value] if isinstance(value, (list, tuple)) else value


def explain_rows(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    number: int,
    *,
    findings: bool = False,
    any_language: bool = False,
) -> ExplanationResult:
    """Explain the scores of segment `number` (from 1) of each system; with `findings` also what
    differs, span by span.

    >>> from otherwords.scoring.choice import choose_metrics
    >>> found = explain_rows([Row("a cat", ("the cat",))], choose_metrics("mup"), 1)
    >>> found.explained[0][1].score
    0.5
    """
    seen: dict[str, int] = {}
    explained = []
    for row in rows:
        seen[row.system] = seen.get(row.system, 0) + 1
        if seen[row.system] == number:
            explained += [
                (row.system, explain_row(metric, row, findings=findings, any_language=any_language))
                for metric in metrics.values()
            ]
    if not explained:
        most = max(seen.values(), default=0)
        raise UsageError(f"there is no segment {number}; they run from 1 to {most}")
    return ExplanationResult(explained)
