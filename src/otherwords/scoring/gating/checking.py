"""Apply the rules of a gate to a system: `otherwords.gate`, and the same for rows of files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Metric
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import create
from otherwords.scoring.detectors import detectors_of
from otherwords.scoring.gating.gate_result import Check, GateResult
from otherwords.scoring.gating.offences import (
    Contradiction,
    Key,
    Offence,
    below,
    contradictions,
    read_accepted,
)
from otherwords.scoring.gating.rules import Limits, Rules
from otherwords.scoring.gating.stored import StoredScores, read_scores, score_system
from otherwords.scoring.scores import Several, made_all
from otherwords.scoring.seen import NOT_NEW
from otherwords.stats.significance import FamilyTest, Test, compare_family, holm, least_p
from otherwords.tables.table import Number
from otherwords.text.sentence import Text

__all__ = ["gate", "gate_rows"]

_SEGMENTS = {
    "min-adequacy": ("meaning", "min_adequacy"),
    "min-difference": ("difference", "min_difference"),
}


def gate(
    metric: str | Metric | Several | None,
    hypotheses: Sequence[Text],
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    baseline: str | Path | StoredScores | Sequence[Text] | None = None,
    fail_under: Limits = None,
    min_delta: Limits = None,
    fail_if_worse: bool = False,
    significance: float = 0.05,
    no_contradictions: bool = False,
    detector: str = "facts",
    detector_encoder: str | Path | None = None,
    accept: str | Path | None = None,
    min_adequacy: float | None = None,
    min_difference: float | None = None,
    docs: Sequence[str] | None = None,
    test: Test = "randomization",
    resamples: int = 1000,
    resamples_max: int = 100_000,
    seed: int = 0,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> GateResult:
    """Check texts by rules; `Rules` describes each of them.

    `metric` is one or several, or `None` if all rules are about segments. `baseline` is a file
    that `result.scores.write(path)` made, or the texts of another system for the same segments.

    >>> rewrites, originals = ["He paid 30 euros."], ["He paid 20 euros."]
    >>> result = gate(None, rewrites, sources=originals, no_contradictions=True)
    >>> result.passed, result.contradictions[0].finding.kind
    (False, 'number')
    """
    rules = Rules(
        fail_under=fail_under,
        min_delta=min_delta,
        fail_if_worse=fail_if_worse,
        significance=significance,
        no_contradictions=no_contradictions,
        detector=detector,
        detector_encoder=detector_encoder,
        accept=accept,
        min_adequacy=min_adequacy,
        min_difference=min_difference,
    )
    if metric is None and options:
        raise UsageError(f"options are for metrics, but no metric is named: {', '.join(options)}")
    metrics = {} if metric is None else made_all(metric, options)
    rows = _rows(hypotheses, references, sources, docs)
    before: str | Path | StoredScores | Sequence[Row] | None
    if baseline is None or isinstance(baseline, (str, Path, StoredScores)):
        before = baseline
    else:
        before = _rows(baseline, references, sources, docs)
    return gate_rows(
        rows,
        metrics,
        rules,
        baseline=before,
        test=test,
        resamples=resamples,
        resamples_max=resamples_max,
        seed=seed,
        threads=threads,
        any_language=any_language,
    )


def gate_rows(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    rules: Rules,
    *,
    baseline: str | Path | StoredScores | Sequence[Row] | None = None,
    name: str = "system",
    baseline_name: str = "baseline",
    against: str | None = None,
    test: Test = "randomization",
    resamples: int = 1000,
    resamples_max: int = 100_000,
    seed: int = 0,
    shown: int = 50,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> GateResult:
    """Apply the rules to the rows of one system; the baseline is a file of stored scores, such
    scores, or the rows of another system.

    >>> from otherwords.scoring.choice import choose_metrics
    >>> rows = [Row("a cat", ("the cat",))]
    >>> gate_rows(rows, choose_metrics("mup"), Rules(fail_under=0.6)).passed
    False
    """
    _refuse_idle(rules, metrics, baseline is not None)
    floors, deltas = rules.floors(metrics), rules.deltas(metrics)
    accepted = frozenset() if rules.accept is None else read_accepted(rules.accept)
    docs = _docs(rows, name)
    if rules.fail_if_worse:
        units = len(rows) if docs is None else len(set(docs))
        most = max(resamples, resamples_max)
        _check_resolution(units, most, len(metrics), rules.significance)
    how: dict[str, Any] = {"threads": threads, "any_language": any_language, "progress": progress}
    # A baseline file is read first: if it cannot be used, nothing need be scored.
    before = read_scores(baseline, metrics) if isinstance(baseline, (str, Path)) else baseline
    scores = score_system(rows, metrics, name=name, **how)
    if before is not None and not isinstance(before, StoredScores):
        before = score_system(before, metrics, name=baseline_name, **how)
    tests: dict[str, FamilyTest] = {}
    if before is not None:
        matched = {label: scores.matching(before, label) for label in metrics}
        if rules.fail_if_worse:
            tests = {
                label: compare_family(
                    metrics[label].from_sums,
                    {"new": scores.metrics[label].statistics, "old": matched[label]},
                    test=test,
                    trials=resamples,
                    trials_max=resamples_max,
                    level=rules.significance,
                    seed=seed,
                    docs=docs,
                    comparisons=max(len(metrics), 2),  # more than one: trials may grow
                ).tests["new", "old"]
                for label in metrics
            }
    checks = _score_checks(scores, before, metrics, rules, floors, deltas, tests, test)
    segment_checks, contradicted, offences, signatures = _segment_rules(
        rows, rules, accepted, against, name, how
    )
    notes = [
        note for label, one in scores.familiarity.items() for note in one.remarks(label, NOT_NEW)
    ]
    if tests:
        unit = "documents" if docs is not None else "segments"
        several = "s" if len(tests) > 1 else ""
        notes.append(
            f"p: paired {test} of {unit}, {_trials(tests)} trials, seed {seed}, two-sided, "
            f"corrected for {len(tests)} metric{several} (Holm); level {rules.significance:g}"
        )
    if accepted:
        notes.append(f"{len(accepted):,} contradictions are accepted by {rules.accept}")
    return GateResult(
        scores,
        [*checks, *segment_checks],
        contradicted,
        offences,
        None if before is None else before.name,
        {label: one.signature for label, one in scores.metrics.items()} | signatures,
        notes,
        shown,
    )


def _trials(tests: Mapping[str, FamilyTest]) -> str:
    """The trials of all tests; of those that went on, the most."""
    made = {one.trials for one in tests.values()}
    return f"{'up to ' * (len(made) > 1)}{max(made):,}"


def _score_checks(
    scores: StoredScores,
    before: StoredScores | None,
    metrics: Mapping[str, Metric],
    rules: Rules,
    floors: Mapping[str, float],
    deltas: Mapping[str, float],
    tests: Mapping[str, FamilyTest],
    test: Test,
) -> list[Check]:
    adjusted = holm({label: one.p for label, one in tests.items()})
    checks: list[Check] = []
    for label, metric in metrics.items():
        value = scores.metrics[label].score
        known: dict[str, Any] = {"score": Number(value)}
        sign = 1 if metric.traits.higher_is_better else -1
        gain = 0.0
        if before is not None:
            known["baseline"] = before.metrics[label].score
            gain = sign * (value - before.metrics[label].score)
        found = len(checks)
        if label in floors:
            limit = floors[label]
            bound = "at least" if sign > 0 else "at most"
            passed = sign * value >= sign * limit
            checks.append(Check("fail-under", label, passed, f"{bound} {limit:g}", limit, **known))
        if label in deltas:
            limit = deltas[label]
            wanted = f"better by at least {limit:g}" if limit > 0 else _loss(limit)
            checks.append(Check("min-delta", label, gain >= limit, wanted, limit, **known))
        if label in tests:
            one = tests[label]
            known["score"] = Number(
                value,
                difference=one.difference,
                p=one.p,
                adjusted=adjusted[label],
                test=test,
                trials=one.trials,
                is_floor=one.is_floor,
            )
            worse = gain < 0 and adjusted[label] < rules.significance
            wanted = f"not worse at p < {rules.significance:g}"
            checks.append(
                Check("fail-if-worse", label, not worse, wanted, rules.significance, **known)
            )
        if len(checks) == found:
            checks.append(Check("none", label, None, "", **known))
    return checks


def _loss(limit: float) -> str:
    return "not worse" if limit == 0 else f"worse by at most {-limit:g}"


def _segment_rules(
    rows: Sequence[Row],
    rules: Rules,
    accepted: Set[Key],
    against: str | None,
    name: str,
    how: dict[str, Any],
) -> tuple[list[Check], list[Contradiction], list[Offence], dict[str, str]]:
    """The rules about every segment: checks, what broke them, signatures."""
    checks: list[Check] = []
    found: list[Contradiction] = []
    offences: list[Offence] = []
    signatures: dict[str, str] = {}
    if rules.no_contradictions:
        # References, if there are any, are what a text must not contradict; else its source.
        compared = against or _compared_with(rows)
        detectors = detectors_of(rules.detector, rules.detector_encoder, against=compared)
        for label, detector in detectors.items():
            here = contradictions(rows, detector, name=name, **how)
            here = [one for one in here if one.key not in accepted]
            items = len({(one.path, one.line, one.item, one.hypothesis) for one in here})
            checks.append(
                Check("no-contradictions", label, not here, "none contradicted", offending=items)
            )
            signatures[label] = detector.signature
            found += here
    for rule, (metric_name, field) in _SEGMENTS.items():
        limit = getattr(rules, field)
        if limit is None:
            continue
        metric = create(metric_name, **({} if against is None else {"against": against}))
        broken = below(rows, rule, metric, limit, name=name, **how)
        wanted = f"every segment at least {limit:g}"
        checks.append(Check(rule, metric_name, not broken, wanted, limit, offending=len(broken)))
        offences += broken
        signatures[metric_name] = metric.signature
    return checks, found, offences, signatures


def _compared_with(rows: Sequence[Row]) -> str:
    return "references" if rows and rows[0].references else "source"


def _refuse_idle(rules: Rules, metrics: Mapping[str, Metric], has_baseline: bool) -> None:
    if rules.need_baseline and not has_baseline:
        name = next(name for name in rules.names if name in ("min-delta", "fail-if-worse"))
        raise UsageError(f"{name} compares with a baseline, and none is given: --baseline FILE")
    if not metrics and (rules.need_metrics or has_baseline):
        what = next(iter(rules.names), "baseline") if rules.need_metrics else "baseline"
        raise UsageError(f"{what} is about scores of the corpus, and no metric is named")


def _check_resolution(units: int, trials: int, metrics: int, significance: float) -> None:
    """The smallest p, corrected for the metrics, must be able to reach the level."""
    check_whole("resamples", trials, 1, 10**7)
    many = f"{metrics} metrics" if metrics > 1 else "one metric"
    cannot = f"fail-if-worse cannot reach p < {significance:g} for {many} with"
    if metrics / (trials + 1) >= significance:
        least = math.floor(metrics / significance)
        raise UsageError(f"{cannot} {trials} resamples; at least {least} are needed")
    if metrics * least_p(units) >= significance:
        raise UsageError(f"{cannot} {units} segments or documents; use more, or min-delta")


def _docs(rows: Sequence[Row], name: str) -> list[str] | None:
    docs = [row.doc for row in rows if row.doc is not None]
    if docs and len(docs) != len(rows):
        raise UsageError(f"some segments of {name} have a document id and others have none")
    return docs or None


def _rows(
    hypotheses: Sequence[Text],
    references: Sequence[Any] | None,
    sources: Sequence[Text | None] | None,
    docs: Sequence[str] | None,
) -> list[Row]:
    checked = Segments.check(
        hypotheses,
        references if references is not None else sources,
        sources,
        metric="gate",
        against="references",
        needs_source=False,
    )
    several = checked.targets if references is not None else [()] * len(checked.hypotheses)
    if docs is not None and len(docs) != len(checked.hypotheses):
        raise UsageError(f"{len(checked.hypotheses)} hypotheses but {len(docs)} docs")
    return [
        Row(text, targets, source, item=str(place + 1), doc=None if docs is None else docs[place])
        for place, (text, targets, source) in enumerate(
            zip(checked.hypotheses, several, checked.sources, strict=True)
        )
    ]
