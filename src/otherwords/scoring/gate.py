"""`otherwords.gate`: rules that a system must keep, and what breaks them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.parallel import count_segments
from otherwords.corpus.records import is_frame
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Metric
from otherwords.metrics.inputs import Against, Segments, kept
from otherwords.metrics.registry import metric as make_metric
from otherwords.scoring.choice import Metrics, make_metrics, parse_value
from otherwords.scoring.detectors import Detector, find_detector
from otherwords.scoring.gate_scores import (
    Contradiction,
    Key,
    Offence,
    StoredScores,
    find_contradictions,
    find_offences,
    read_accepted,
    read_scores,
    score_system,
)
from otherwords.scoring.outside_scores import OutsideMetric
from otherwords.scoring.problems import Problem, Reading, find_problem, is_unreadable
from otherwords.scoring.sampling import Sampling, check_sampling
from otherwords.scoring.seen import NOT_NEW
from otherwords.stats.significance import FamilyTest, compare_family, holm, least_p
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Cell, Column, Number, Table, shown_p
from otherwords.tables.tabular import Format, Tabular
from otherwords.text.outputs import CODES
from otherwords.text.sentence import Text

Limits = float | str | Sequence[str] | Mapping[str, float] | None

_FAR = 1e9  # the largest limit for metrics whose range has no end
_ALLOWED = [code for code in CODES if code not in ("empty", "markup-only", "language")]
_SEGMENTS = {
    "min-meaning": ("meaning", "min_meaning"),
    "min-difference": ("difference", "min_difference"),
}


@dataclass(frozen=True)
class Rules:
    """The rules of a gate.

    Limits are a number for a single metric, `metric=number`, several of these (a list, or with
    commas), or a mapping.

    Parameters
    ----------
    fail_under
        Bounds of scores: from below, or from above for metrics whose lower scores are better.
    min_delta
        The least improvement over the baseline, negative to allow a loss.
    fail_if_worse
        Fail a metric whose loss against the baseline is significant: `True` for the level 0.05
        over all metrics, or another level.
    sampling
        How the paired test of `fail_if_worse` resamples (default: approximate randomization).
    no_contradictions
        No segment may say something else than what it is compared with: `True`, or how strictly
        this is judged ("low", "normal", "high").
    allow
        Codes of outputs that pass although they are no rewrites: "refusal", "preface", "remark",
        "template", "loop", "cut-off", "damaged". Without them every output must be a rewrite.
    accept
        A file of accepted contradictions and outputs: lines of `gate -f jsonl`.
    min_meaning, min_difference
        Least scores of every segment.
    segment_against
        What the rules about segments compare with: "references" or "source" (default:
        references, if any).

    >>> Rules(fail_under="chrf=50,bleu=30", no_contradictions=True).names
    ['fail-under', 'no-contradictions']
    """

    fail_under: Limits = None
    min_delta: Limits = None
    fail_if_worse: bool | float = False
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    no_contradictions: bool | str | Detector = False
    allow: str | Sequence[str] = ()
    accept: str | Path | None = None
    min_meaning: float | None = None
    min_difference: float | None = None
    segment_against: Against | None = None

    def __post_init__(self) -> None:
        self.detector  # noqa: B018 - refuses an unknown one
        for code in self.allowed:
            if code not in _ALLOWED:
                raise UsageError(f"allow is {', '.join(_ALLOWED)}, not '{code}'")
        check_sampling(self.sampling)
        check_number("significance", self.significance, 1e-6, 0.5)
        for name in ("min_meaning", "min_difference"):
            if getattr(self, name) is not None:
                check_number(f"`{name}`", getattr(self, name), 0, 1)

    @property
    def significance(self) -> float:
        """The level of `fail_if_worse`."""
        return 0.05 if isinstance(self.fail_if_worse, bool) else self.fail_if_worse

    @cached_property
    def detector(self) -> Detector | None:
        """How contradictions are found; `None` if they are allowed."""
        return find_detector(self.no_contradictions)

    @property
    def allowed(self) -> list[str]:
        """The codes of `allow`."""
        listed = [self.allow] if isinstance(self.allow, str) else self.allow
        return [code.strip() for text in listed for code in text.split(",")]

    @property
    def names(self) -> list[str]:
        values = {
            "fail-under": self.fail_under,
            "min-delta": self.min_delta,
            "fail-if-worse": self.fail_if_worse or None,
            "no-contradictions": self.detector,
            "min-meaning": self.min_meaning,
            "min-difference": self.min_difference,
        }
        return [
            name for name, value in values.items() if value is not None and value not in ([], {})
        ]

    @property
    def need_metrics(self) -> bool:
        """Whether a rule is about corpus scores."""
        return bool({"fail-under", "min-delta", "fail-if-worse"} & set(self.names))

    @property
    def need_baseline(self) -> bool:
        """Whether a rule compares with a baseline."""
        return bool({"min-delta", "fail-if-worse"} & set(self.names))

    def limits(self, metrics: Mapping[str, Metric]) -> tuple[dict[str, float], dict[str, float]]:
        """The limits of `fail_under` and of `min_delta` by metric."""
        floors, deltas = {}, {}
        for label, value in _by_metric("`fail_under`", self.fail_under, metrics).items():
            low, high = _range(metrics[label])
            floors[label] = check_number(f"`fail_under` of {label}", value, low, min(high, _FAR))
        for label, value in _by_metric("`min_delta`", self.min_delta, metrics).items():
            low, high = _range(metrics[label])
            width = min(high - low, _FAR)
            deltas[label] = check_number(f"`min_delta` of {label}", value, -width, width)
        return floors, deltas


def _range(metric: Metric) -> tuple[float, float]:
    """The possible scores; those of other programs are not known by the scores in a file."""
    return (-_FAR, _FAR) if isinstance(metric, OutsideMetric) else metric.traits.range


def _by_metric(rule: str, limits: Limits, metrics: Mapping[str, Metric]) -> dict[str, object]:
    if limits is None:
        return {}
    if isinstance(limits, Mapping):
        pairs: list[tuple[str, object]] = list(limits.items())
    else:
        single = isinstance(limits, (int, float, str))
        listed = [limits] if single else list(limits)  # type: ignore[arg-type]
        pairs = [_pair(rule, part, metrics) for text in listed for part in str(text).split(",")]
    by_label: dict[str, object] = {}
    for label, value in pairs:
        if label not in metrics:
            raise UsageError(
                f"{rule} is about {label}, which is not scored; {near(label, metrics)}"
            )
        if label in by_label:
            raise UsageError(f"{rule} has two limits for {label}; decimals have a point (0.6)")
        by_label[label] = value
    return by_label


def _pair(rule: str, text: str, metrics: Mapping[str, Metric]) -> tuple[str, object]:
    label, equals, value = text.rpartition("=")
    if equals:
        return label.strip().lower(), parse_value(value.strip())
    if len(metrics) != 1:
        known = ", ".join(metrics)
        raise UsageError(f"{rule} {text} must name its metric (METRIC=VALUE): {known} are scored")
    return next(iter(metrics)), parse_value(value.strip())


def gate(
    metric: Metrics | None,
    hypotheses: Any,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    rules: Rules,
    baseline: str | Path | StoredScores | Sequence[Text] | Sequence[Row] | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> GateResult:
    """Check the texts of a system by rules.

    Parameters
    ----------
    metric
        A name or a `Metric`, several of them, or `None` if all rules are about segments.
    hypotheses
        A list of texts; or rows, which have their references and sources: a list of `Row`, or a
        DataFrame.
    references, sources
        As in `otherwords.score`.
    rules
        What the system must keep.
    baseline
        A file that `result.scores.write(path)` made, such scores, or the texts or rows of another
        system for the same segments.
    threads, any_language, progress
        As in `otherwords.score`.
    **options
        Options of the metrics; each goes to the metrics that have it.

    >>> rewrites, originals = ["He paid 30 euros."], ["He paid 20 euros."]
    >>> result = gate(None, rewrites, sources=originals, rules=Rules(no_contradictions=True))
    >>> result.passed, result.contradictions[0].finding.kind
    (False, 'money')
    """
    if not isinstance(rules, Rules):
        raise UsageError(f"rules must be Rules, not {rules!r:.60}")
    references, sources = kept(references), kept(sources)
    if metric is None and options:
        raise UsageError(f"options are for metrics, but no metric is named: {', '.join(options)}")
    metrics = make_metrics(metric, options) if metric else {}
    rows = _rows("system", hypotheses, references, sources)
    name = rows[0].system
    _refuse_idle(rules, metrics, baseline is not None)
    floors, deltas = rules.limits(metrics)
    accepted = frozenset() if rules.accept is None else read_accepted(rules.accept)
    docs = _docs(rows, name)
    if rules.fail_if_worse:
        units = len(rows) if docs is None else len(set(docs))
        _check_resolution(units, len(metrics), rules)
    how: dict[str, Any] = {
        "threads": threads,
        "any_language": any_language,
        "progress": progress or (lambda done: None),
    }
    # A baseline file is read first: if it cannot be used, nothing need be scored.
    before = read_scores(baseline, metrics) if isinstance(baseline, (str, Path)) else baseline
    scores = score_system(rows, metrics, **how)
    if before is not None and not isinstance(before, StoredScores):
        before = score_system(_rows("baseline", before, references, sources), metrics, **how)
    tests = {} if before is None else _test(scores, before, metrics, rules, docs)
    checks = _check_scores(scores, before, metrics, rules, floors, deltas, tests)
    reading = _reading(rows, rules, metrics, any_language)
    problems = _find_problems(rows, reading, rules, accepted)
    segment_checks, contradictions, offences, signatures = _check_segments(
        rows, rules, accepted, problems, how
    )
    remarks = [
        *(n for label, seen in scores.familiarity.items() for n in seen.remarks(label, NOT_NEW)),
        *([_describe(tests, rules, "segments" if docs is None else "documents")] if tests else []),
        *([f"{len(accepted):,} findings are accepted by {rules.accept}"] if accepted else []),
        *_remark_on_language(rows, reading),
    ]
    return GateResult(
        scores,
        [*checks, *_check_problems(problems, bool(segment_checks)), *segment_checks],
        contradictions,
        offences,
        list(problems.values()),
        None if before is None else before.name,
        {label: stored.signature for label, stored in scores.metrics.items()} | signatures,
        remarks,
    )


def _test(
    scores: StoredScores,
    before: StoredScores,
    metrics: Mapping[str, Metric],
    rules: Rules,
    docs: Sequence[str] | None,
) -> dict[str, FamilyTest]:
    """The paired test of each metric for `fail_if_worse`; the segments must always be the same."""
    matched = {label: scores.matching(before, label) for label in metrics}
    sampling = rules.sampling
    return {
        label: compare_family(
            metrics[label].corpus_scores,
            {"new": scores.metrics[label].statistics, "old": matched[label]},
            test=sampling.test or "randomization",
            trials=sampling.resamples,
            trials_max=sampling.resamples_max,
            level=rules.significance,
            seed=sampling.seed,
            docs=docs,
            comparisons=max(len(metrics), 2),  # more than one: trials may grow
        ).tests["new", "old"]
        for label in (metrics if rules.fail_if_worse else ())
    }


def _describe(tests: Mapping[str, FamilyTest], rules: Rules, unit: str) -> str:
    counts = {test.trials for test in tests.values()}
    trials = f"{'up to ' * (len(counts) > 1)}{max(counts):,}"
    several = "s" if len(tests) > 1 else ""
    return (
        f"p: paired {rules.sampling.test or 'randomization'} of {unit}, {trials} trials, seed "
        f"{rules.sampling.seed}, two-sided, corrected for {len(tests)} metric{several} (Holm); "
        f"level {rules.significance:g}"
    )


def _check_scores(
    scores: StoredScores,
    before: StoredScores | None,
    metrics: Mapping[str, Metric],
    rules: Rules,
    floors: Mapping[str, float],
    deltas: Mapping[str, float],
    tests: Mapping[str, FamilyTest],
) -> list[Check]:
    adjusted = holm({label: test.p for label, test in tests.items()})
    checks: list[Check] = []
    for label, metric in metrics.items():
        value = scores.metrics[label].score
        known: dict[str, Any] = {"score": Number(value)}
        sign = 1 if metric.traits.higher_is_better else -1
        gain = 0.0
        if before is not None:
            known["baseline"] = before.metrics[label].score
            gain = sign * (value - before.metrics[label].score)
        number = len(checks)
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
            test = tests[label]
            known["score"] = Number(
                value,
                difference=test.difference,
                p=test.p,
                adjusted=adjusted[label],
                test=rules.sampling.test or "randomization",
                trials=test.trials,
                is_floor=test.is_floor,
            )
            worse = gain < 0 and adjusted[label] < rules.significance
            wanted = f"not worse at p < {rules.significance:g}"
            checks.append(
                Check("fail-if-worse", label, not worse, wanted, rules.significance, **known)
            )
        if len(checks) == number:
            checks.append(Check("none", label, None, "", **known))
    return checks


def _loss(limit: float) -> str:
    return "not worse" if limit == 0 else f"worse by at most {-limit:g}"


def _reading(
    rows: Sequence[Row], rules: Rules, metrics: Mapping[str, Metric], any_language: bool
) -> Reading:
    """How the rows are read by the metrics and by the rules about segments."""
    original = _original(rows, rules)
    english = {metric.against for metric in metrics.values() if metric.traits.english}
    if rules.detector is not None:
        english.add(original)
    if rules.min_meaning is not None or rules.min_difference is not None:
        english.add(rules.segment_against or "source")
    return Reading(original, sorted(english), any_language)


def _original(rows: Sequence[Row], rules: Rules) -> Against:
    """What a text must not contradict: references, if there are any; else its source."""
    return rules.segment_against or ("references" if rows[0].references else "source")


def _remark_on_language(rows: Sequence[Row], reading: Reading) -> Iterator[str]:
    """What is not checked in segments whose original is not English."""
    if reading.any_language:
        return
    against: Against = reading.original or "references"
    if others := sum(is_unreadable(row, against) for row in rows):
        said = f"{others:,} of {len(rows):,} segments are not English: "
        if reading.english:
            yield (
                f"{said}rules and metrics for English cannot judge them; a limit for chrf++ or "
                "otherwords-mt can (--fail-under)"
            )
        else:
            yield (
                f"{said}their meaning, numbers, dates, names and negation are not checked, and no "
                "refusals, prefaces and remarks are found in other languages"
            )


def _find_problems(
    rows: Sequence[Row], reading: Reading, rules: Rules, accepted: Set[Key]
) -> dict[int, Problem]:
    """The problems that the rules do not allow, by the places of their rows."""
    named = ((place, find_problem(row, reading)) for place, row in enumerate(rows))
    return {
        place: replace(problem, item=rows[place].item or str(place + 1))
        for place, problem in named
        if problem is not None and not _is_allowed(problem, rules, accepted)
    }


def _is_allowed(problem: Problem, rules: Rules, accepted: Set[Key]) -> bool:
    """An output that was not read cannot be accepted."""
    is_accepted = problem.key in accepted and problem.scored == "as it is"
    return is_accepted or problem.code in rules.allowed


def _check_problems(problems: Mapping[int, Problem], shown: bool) -> list[Check]:
    """Every output must be a rewrite, and every row judged; what is kept is shown beside other
    rules about segments.
    """
    unjudged = sum(problem.scored == "not" for problem in problems.values())
    bad = len(problems) - unjudged
    checks = []
    if bad or shown:
        checks.append(Check("outputs", "text", not bad, "every output a rewrite", offending=bad))
    if unjudged:
        checks.append(Check("judged", "text", False, "every segment judged", offending=unjudged))
    return checks


def _check_segments(
    rows: Sequence[Row],
    rules: Rules,
    accepted: Set[Key],
    problems: Mapping[int, Problem],
    how: dict[str, Any],
) -> tuple[list[Check], list[Contradiction], list[Offence], dict[str, str]]:
    """The rules about every segment: checks, what broke them, signatures."""
    checks: list[Check] = []
    contradictions: list[Contradiction] = []
    offences: list[Offence] = []
    signatures: dict[str, str] = {}
    against = {} if rules.segment_against is None else {"against": rules.segment_against}
    if rules.detector is not None:
        unread = {place for place, problem in problems.items() if problem.scored != "as it is"}
        contradictions = find_contradictions(
            rows,
            rules.detector,
            _original(rows, rules),
            unread=unread,
            threads=how["threads"],
            progress=how["progress"],
        )
        contradictions = [c for c in contradictions if c.key not in accepted]
        items = len({(c.path, c.line, c.item, c.hypothesis) for c in contradictions})
        wanted = "none contradicted"
        checks.append(Check("no-contradictions", "meaning", not items, wanted, offending=items))
        signatures["meaning"] = rules.detector.metric.signature
    for rule, (metric_name, name) in _SEGMENTS.items():
        limit = getattr(rules, name)
        if limit is None:
            continue
        metric = make_metric(metric_name, **against)
        broken = find_offences(rows, rule, metric, limit, **how)
        wanted = f"every segment at least {limit:g}"
        checks.append(Check(rule, metric_name, not broken, wanted, limit, offending=len(broken)))
        offences += broken
        signatures[metric_name] = metric.signature
    return checks, contradictions, offences, signatures


def _argument(rule: str) -> str:
    """The argument of a rule, for an error."""
    return f"`{rule.replace('-', '_')}`"


def _refuse_idle(rules: Rules, metrics: Mapping[str, Metric], has_baseline: bool) -> None:
    if rules.need_baseline and not has_baseline:
        name = next(name for name in rules.names if name in ("min-delta", "fail-if-worse"))
        raise UsageError(f"{_argument(name)} compares with a baseline, and none is given")
    if not metrics and (rules.need_metrics or has_baseline):
        what = next(iter(rules.names), "baseline") if rules.need_metrics else "baseline"
        raise UsageError(f"{_argument(what)} is about scores of the corpus, and no metric is named")


def _check_resolution(units: int, metrics: int, rules: Rules) -> None:
    """Refuse a test whose smallest possible p, corrected for the metrics, is above the level."""
    trials = max(rules.sampling.resamples, rules.sampling.resamples_max)
    significance = rules.significance
    many = f"{metrics} metrics" if metrics > 1 else "one metric"
    cannot = f"`fail_if_worse` cannot reach p < {significance:g} for {many} with"
    if metrics / (trials + 1) >= significance:
        least = math.floor(metrics / significance)
        raise UsageError(f"{cannot} {trials} resamples; at least {least} are needed")
    if metrics * least_p(units) >= significance:
        raise UsageError(f"{cannot} {units} segments or documents; use more, or `min_delta`")


def _docs(rows: Sequence[Row], name: str) -> list[str] | None:
    docs = [row.doc for row in rows if row.doc is not None]
    if docs and len(docs) != len(rows):
        raise UsageError(f"some segments of {name} have a document id and others have none")
    return docs or None


def _rows(
    system: str,
    hypotheses: Any,
    references: Sequence[Any] | None,
    sources: Sequence[Text | None] | None,
) -> Sequence[Row]:
    if is_frame(hypotheses):
        hypotheses = list(read_rows(hypotheses))
    if isinstance(hypotheses, (list, tuple)) and any(isinstance(row, Row) for row in hypotheses):
        several = {row.system for row in hypotheses}
        if len(several) > 1:
            raise UsageError(f"a gate checks one system; these rows are of {len(several)}")
        return hypotheses
    checked = Segments.check(
        hypotheses,
        references if references is not None else sources,
        sources,
        metric="gate",
        against="references",
        needs_source=False,
    )
    compared = checked.targets if references is not None else [()] * len(checked.hypotheses)
    texts = zip(checked.hypotheses, compared, checked.sources, strict=True)
    return [
        Row(text, targets, source, system, str(place))
        for place, (text, targets, source) in enumerate(texts, 1)
    ]


@dataclass(frozen=True)
class Check:
    """The outcome of a rule, for a metric's corpus score or for all segments.

    `offending` counts the segments that break it. `score` has the test against the baseline where
    there was one. `passed` is `None` where a metric has no rule.
    """

    rule: str
    metric: str
    passed: bool | None
    wanted: str
    limit: float | None = None
    score: Number | None = None
    baseline: float | None = None
    offending: int | None = None

    @property
    def difference(self) -> float | None:
        """The score less that of the baseline."""
        if self.score is None or self.score.value is None or self.baseline is None:
            return None
        return self.score.value - self.baseline

    def to_dict(self) -> dict[str, Any]:
        document = {
            "rule": self.rule,
            "metric": self.metric,
            "passed": self.passed,
            "limit": self.limit,
            "score": None if self.score is None else number_dict(self.score),
            "baseline": self.baseline,
            "difference": self.difference,
            "offending": self.offending,
        }
        return {name: value for name, value in document.items() if value is not None}


@dataclass(frozen=True, eq=False)
class GateResult(Tabular):
    """The checks of a system with the segments that broke a rule.

    `scores` can be stored as the next baseline. `shown` limits the segments in tables for readers;
    formats for programs have all of them.
    """

    scores: StoredScores
    checks: Sequence[Check]
    contradictions: Sequence[Contradiction] = ()
    offences: Sequence[Offence] = ()
    problems: Sequence[Problem] = ()
    baseline: str | None = None
    signatures: Mapping[str, str] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    shown: int = 50

    @property
    def passed(self) -> bool:
        return all(check.passed is not False for check in self.checks)

    @property
    def reasons(self) -> list[str]:
        """Why outputs are no rewrites, and what they say wrongly, for readers."""
        sentences = (contradiction.sentence for contradiction in self.contradictions)
        return list(dict.fromkeys([*(problem.reason for problem in self.problems), *sentences]))

    @property
    def system(self) -> str:
        return self.scores.name

    def __bool__(self) -> bool:
        return self.passed

    def tables(self) -> Iterator[Table]:
        columns = [Column("check", left=True), Column("metric", left=True), Column("found")]
        columns += [Column("baseline"), Column("difference"), Column("p")]
        columns += [Column("wanted", left=True), Column("result", left=True)]
        rows = [_shown_check(check) for check in self.checks]
        used = [place for place in range(len(columns)) if any(row[place] != "" for row in rows)]
        yield Table(
            "checks",
            [columns[place] for place in used],
            [[row[place] for place in used] for row in rows],
            caption=self.caption(),
        )
        for name, caption, mine in (
            ("problems", "Outputs that are no rewrites", lambda p: p.scored != "not"),
            ("unjudged", "Segments that cannot be judged", lambda p: p.scored == "not"),
        ):
            rows = [[p.item, _where(p), p.code, p.reason] for p in filter(mine, self.problems)]
            if rows:
                columns = [Column(c, left=True) for c in ("segment", "where", "problem", "reason")]
                yield self._cut(name, caption, columns, rows)
        if self.contradictions:
            rows = [
                [contradiction.item, _where(contradiction), contradiction.sentence]
                for contradiction in self.contradictions
            ]
            columns = [Column(name, left=True) for name in ("segment", "where", "reason")]
            yield self._cut("contradictions", "Contradictions", columns, rows)
        for rule in dict.fromkeys(offence.rule for offence in self.offences):
            rows = [
                [offence.item, _where(offence), offence.score, offence.hypothesis]
                for offence in self.offences
                if offence.rule == rule
            ]
            columns = [Column("segment", left=True), Column("where", left=True)]
            columns += [Column("score", decimals=4), Column("text", left=True)]
            yield self._cut(rule, f"Segments below {rule}", columns, rows)

    def caption(self) -> str:
        failed = sum(check.passed is False for check in self.checks)
        ruled = sum(check.passed is not None for check in self.checks)
        if not ruled:
            return f"No rules: {self.system}, {count_segments(len(self.scores.keys))}"
        verdict = "passed" if self.passed else f"failed ({failed} of {ruled} checks)"
        against = "" if self.baseline is None else f" against {self.baseline}"
        return f"Gate {verdict}: {self.system}{against}, {count_segments(len(self.scores.keys))}"

    def _cut(self, name: str, caption: str, columns: list[Column], rows: list[list[Cell]]) -> Table:
        if len(rows) > self.shown:
            caption += f" (the first {self.shown:,} of {len(rows):,}; -f json has all)"
        return Table(name, columns, rows[: self.shown], caption=caption)

    def records(self) -> Iterator[Table]:
        yield Table(
            "checks",
            [Column(name) for name in "rule metric passed limit score baseline offending".split()],
            [
                [c.rule, c.metric, c.passed, c.limit, c.score, c.baseline, c.offending]
                for c in self.checks
            ],
        )
        for name, records in self._broken.items():
            if records:
                rows = [list(record.values()) for record in records]
                yield Table(name, [Column(key) for key in records[0]], rows)

    @property
    def _broken(self) -> dict[str, list[dict[str, Any]]]:
        """The segments that broke a rule, as data."""
        return {
            "contradictions": [contradiction.to_dict() for contradiction in self.contradictions],
            "offences": [asdict(offence) for offence in self.offences],
            "problems": [problem.to_dict() for problem in self.problems],
        }

    def render(
        self, form: Format | str = Format.text, *, width: int | None = None, signatures: bool = True
    ) -> Iterator[str]:
        from otherwords.scoring.gate_reports import junit, sarif

        if form == Format.sarif:
            yield json.dumps(sarif(self), indent=2, ensure_ascii=False)
        elif form == Format.junit:
            yield from junit(self)
        else:
            yield from super().render(form, width=width, signatures=signatures)

    def notes(self) -> Sequence[str]:
        return [*self.remarks, *dict.fromkeys(self.signatures.values())]

    def to_dict(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "system": self.system,
            "baseline": self.baseline,
            "segments": len(self.scores.keys),
            "checks": [check.to_dict() for check in self.checks],
            **self._broken,
            "signatures": dict(self.signatures),
        }


def _shown_check(check: Check) -> list[Cell]:
    p = None if check.score is None else check.score.corrected
    result = {True: "passed", False: "failed", None: "no rule"}[check.passed]
    value = "" if check.score is None else _shown_score(check)
    if check.offending is not None:
        value = count_segments(check.offending)
    return [
        *(check.rule, check.metric, value),
        "" if check.baseline is None else f"{check.baseline:#.4g}",
        "" if check.difference is None else f"{check.difference:+#.4g}",
        "" if p is None else shown_p(p).removeprefix("= "),
        *(check.wanted, result),
    ]


def _shown_score(check: Check) -> str:
    """The score in four digits, or in as many as tell it from the limit that it misses."""
    value = None if check.score is None else check.score.value
    if value is None:
        return "n/a"
    text = f"{value:#.4g}"
    return f"{value:.10g}" if check.passed is False and float(text) == check.limit else text


def _where(segment: Contradiction | Offence | Problem) -> str:
    return ":".join(str(part) for part in (segment.path, segment.line) if part is not None)
