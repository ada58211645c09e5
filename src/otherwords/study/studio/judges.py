"""Turns logs of judgements into judged rows, and checks the judges.

A judge who fails the controls is flagged (PARADIGM §6); `docs/studio.md` has the rule and its
reasons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np

from otherwords.errors import InputError
from otherwords.metrics.drawing import plain_html
from otherwords.stats.coefficients import krippendorff_alpha
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.report.page import Section, document
from otherwords.study.studio.judgement import (
    JUDGEMENT,
    REFERENCE,
    Notes,
    Origin,
    PairToJudge,
    Scores,
    join_origins,
    read_events,
    replay_notes,
)
from otherwords.study.studio.log import read_log
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular

FEWEST = 2  # texts of a kind that a check needs; a single one may be a slip
APART = 1.0  # points on the scale of 1-5 between kinds that nobody can confuse
# The kind that must score lower, the kinds that must score higher, the criterion, the margin.
_CONTRASTS = (
    ("random", ("copy",), "adequacy", APART),
    ("random", ("copy",), "meaning", APART),
    ("copy", ("random",), "dissimilarity", APART),
    ("random", (REFERENCE,), "overall", APART),
    ("deleted", (REFERENCE,), "meaning", 0.0),
    ("deleted", ("copy", REFERENCE), "fluency", 0.0),
    ("deleted", ("copy", REFERENCE), "grammaticality", 0.0),
    ("deleted", (REFERENCE,), "overall", 0.0),
)


@dataclass(frozen=True)
class LoggedJudgements:
    """The pairs of all logs, each once, and every judge's scores and notes of them."""

    pairs: tuple[PairToJudge, ...]
    criteria: tuple[str, ...]
    scale: Scale
    scores: dict[str, Scores]
    notes: dict[str, Notes]

    def reliability(self) -> list[Reliability]:
        return [
            check_judge(judge, self.pairs, scores, self.scale)
            for judge, scores in self.scores.items()
        ]


def read_judgements(paths: Sequence[str]) -> LoggedJudgements:
    """Read one or more logs, which may have different pairs but must have the same scale.

    A pair in several logs becomes one pair with the origins of all.
    """
    places: dict[tuple[str, str, str | None], int] = {}
    pairs: list[PairToJudge] = []
    criteria: dict[str, None] = {}
    scores: dict[str, Scores] = {}
    notes: dict[str, Notes] = {}
    scale: Scale | None = None
    for path in paths:
        events = read_log(path, JUDGEMENT)
        task, said = read_events(events, path)
        if task is None:
            raise InputError("nothing was judged here yet", path=path)
        if scale not in (None, task.scale):
            message = f"judged on the scale {task.scale}, but {paths[0]} on {scale}; export apart"
            raise InputError(message, path=path)
        scale = task.scale
        criteria.update(dict.fromkeys(task.criteria))
        here = []
        for pair in task.pairs:
            key = pair.original, pair.text, pair.control
            if key not in places:
                places[key] = len(pairs)
                pairs.append(pair)
            before = pairs[places[key]]
            pairs[places[key]] = replace(
                before, origins=join_origins((*before.origins, *pair.origins))
            )
            here.append(places[key])
        _add_answers(scores, said, here)
        _add_answers(notes, replay_notes(events, task.pairs), here)
    assert scale is not None
    by_judge = dict(sorted(scores.items())), dict(sorted(notes.items()))
    return LoggedJudgements(tuple(pairs), tuple(criteria), scale, *by_judge)


def _add_answers(
    known: dict[str, dict[int, dict[str, Any]]],
    said: Mapping[str, Mapping[int, Mapping[str, Any]]],
    places: Sequence[int],
) -> None:
    """Add the answers of a log, whose pairs are at these places among all pairs."""
    for judge, by_pair in said.items():
        mine = known.setdefault(judge, {})
        for number, answers in by_pair.items():
            mine[places[number]] = {**mine.get(places[number], {}), **answers}


def make_rows(
    judged: LoggedJudgements, *, without: Collection[str] = (), controls: bool = True
) -> Iterator[dict[str, Any]]:
    """Rows of the judged JSONL; the system of a control is `control-` with its kind.

    Judges in `without` are left out. The errors and comments of a text follow its scores.
    """
    for number, pair in enumerate(judged.pairs):
        said = [
            {"judge": judge, **{name: given[name] for name in judged.criteria if name in given}}
            for judge, scores in judged.scores.items()
            if judge not in without and (given := scores.get(number))
        ]
        if said and (controls or pair.control is None):
            notes = {
                judge: by_pair.get(number, {})
                for judge, by_pair in judged.notes.items()
                if judge not in without
            }
            more = _noted(pair.text, notes)
            for origin in pair.origins:
                yield {**_judged_row(pair, origin, said, judged.criteria), **more}


def _noted(text: str, notes: Mapping[str, Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The errors that judges marked in a text, and their comments on it.

    >>> _noted("A cat sat.", {"Ann": {"spans": [[2, 5, "major"]]}, "Bob": {"comment": "Good"}})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'errors': [{'judge': 'Ann', 'text': 'cat', 'start': 2, 'end': 5, 'severity': 'major'}],
     'comments': [{'judge': 'Bob', 'comment': 'Good'}]}
    """
    errors = [
        {"judge": judge, "text": text[start:end], "start": start, "end": end, "severity": severity}
        for judge, said in notes.items()
        for start, end, severity in said.get("spans", ())
    ]
    comments = [
        {"judge": judge, "comment": said["comment"]}
        for judge, said in notes.items()
        if "comment" in said
    ]
    return {name: found for name, found in (("errors", errors), ("comments", comments)) if found}


def _judged_row(
    pair: PairToJudge, origin: Origin, said: list[dict[str, Any]], criteria: Sequence[str]
) -> dict[str, Any]:
    known = {"item": origin.item, "doc": origin.doc}
    row: dict[str, Any] = {key: value for key, value in known.items() if value is not None}
    row["system"] = origin.systems[0]
    if len(origin.systems) > 1:
        row["systems"] = list(origin.systems)
    if origin.source is not None:
        row["source"] = origin.source
    if origin.references:
        row["references"] = list(origin.references)
    row["hypothesis"] = pair.text
    row["human"] = {
        name: fmean(given)
        for name in criteria
        if (given := [scores[name] for scores in said if name in scores])
    }
    return {**origin.others, **row, "judges": said}


@dataclass(frozen=True)
class Check:
    """Two kinds of texts that a judge must distinguish, with their means on 1-5 and counts."""

    criterion: str
    lower: str
    higher: str
    lower_mean: float
    higher_mean: float
    lower_texts: int
    higher_texts: int
    margin: float

    @property
    def passed(self) -> bool:
        """Whether the higher mean is higher by more than the margin."""
        return self.higher_mean - self.lower_mean > self.margin

    def __str__(self) -> str:
        least = f", not more than {self.margin:g} higher" if self.margin else ", not higher"
        return (
            f"{self.criterion} of {self.higher} {self.higher_mean:.2f}, "
            f"of {self.lower} {self.lower_mean:.2f}{least}"
        )


@dataclass(frozen=True)
class Reliability:
    """The pairs and controls that a judge scored, and all checks that could be made."""

    judge: str
    pairs: int
    controls: int
    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.passed)

    @property
    def flagged(self) -> bool:
        return bool(self.failed)


def check_judge(
    judge: str, pairs: Sequence[PairToJudge], scores: Scores, scale: Scale
) -> Reliability:
    """Check one judge by the judge's scores of the pairs.

    >>> pairs = [PairToJudge("a b", "c d", "random")] * 2 + [PairToJudge("a b", "a b", "copy")] * 2
    >>> scores = {number: {"adequacy": 4} for number in range(4)}
    >>> [str(check) for check in check_judge("Ann", pairs, scores, Scale(1, 5)).failed]
    ['adequacy of copy 4.00, of random 4.00, not more than 1 higher']
    """
    said = _by_kind(pairs, scores, scale)
    checks = []
    for lower, kinds, criterion, margin in _CONTRASTS:
        low = said.get((lower, criterion), [])
        high = [score for kind in kinds for score in said.get((kind, criterion), [])]
        higher, least = " and ".join(kinds), margin
        if len(high) < FEWEST and lower != "copy":
            # Compare with the systems' texts instead. These may be bad, so there is no margin.
            high, higher, least = said.get((None, criterion), []), "the systems", 0.0
        if len(low) >= FEWEST and len(high) >= FEWEST:
            means = fmean(low), fmean(high)
            checks.append(Check(criterion, lower, higher, *means, len(low), len(high), least))
    judged = [number for number, by_criterion in scores.items() if by_criterion]
    controls = sum(pairs[number].control is not None for number in judged)
    return Reliability(judge, len(judged) - controls, controls, tuple(checks))


def warn_few_controls(
    pairs: Sequence[PairToJudge], criteria: Sequence[str], scale: Scale
) -> str | None:
    """Warn of criteria by which no judge could be checked.

    >>> pairs = [PairToJudge("a b", "c d", "random"), PairToJudge("a b", "b a")]
    >>> warn_few_controls(pairs, ["adequacy"], Scale(1, 5))[:46]
    '1 control among 2 pairs (1 random) is too few '
    """
    kinds = Counter(pair.control for pair in pairs if pair.control is not None)
    scores = {number: dict.fromkeys(criteria, int(scale.low)) for number in range(len(pairs))}
    able = {check.criterion for check in check_judge("", pairs, scores, scale).checks}
    asked = {criterion for *_, criterion, _ in _CONTRASTS}
    left = [name for name in criteria if name in asked and name not in able]
    if not left or not kinds:
        return None
    many = f"{kinds.total()} control{' ' if kinds.total() == 1 else 's '}among {len(pairs)} pairs"
    listed = ", ".join(f"{times} {kind}" for kind, times in sorted(kinds.items()))
    is_ = "is" if kinds.total() == 1 else "are"
    return (
        f"{many} ({listed}) {is_} too few to check a judge by {', '.join(left)}: each kind needs "
        f"{FEWEST}; raise --share, or judge more pairs"
    )


def _by_kind(
    pairs: Sequence[PairToJudge], scores: Scores, scale: Scale
) -> Mapping[tuple[str | None, str], list[float]]:
    """Scores on 1-5 by kind of control (`None`: no control) and criterion."""
    said: dict[tuple[str | None, str], list[float]] = {}
    for number, by_criterion in scores.items():
        for criterion, score in by_criterion.items():
            key = pairs[number].control, criterion
            said.setdefault(key, []).append(scale.to_five(score))
    return said


@dataclass(frozen=True)
class CriterionAgreement:
    """Krippendorff's alpha (interval) of all judges, the number of pairs that two or more judged,
    and the mean score of each judge.
    """

    alpha: float | None
    pairs: int
    means: Mapping[str, float]


@dataclass(frozen=True)
class JudgesResult(Tabular):
    """The checks of every judge, and their agreement; a judge who fails a check is flagged."""

    judges: Sequence[Reliability]
    pairs: int  # in the task, controls included
    agreement: Mapping[str, CriterionAgreement]
    skipped: Mapping[str, int]  # pairs that a judge did not score, if any

    def tables(self) -> list[Table]:
        criteria: list[list[Cell]] = [
            [name, of.alpha, of.pairs, *(of.means.get(judge.judge) for judge in self.judges)]
            for name, of in self.agreement.items()
        ]
        columns = [Column("criterion", left=True), Column("alpha", decimals=2), Column("pairs")]
        columns += [Column(j.judge, f"mean of {j.judge}", decimals=2) for j in self.judges]
        notes = ["alpha: Krippendorff's, interval; pairs: those that two or more judged"]
        caption = "Agreement, controls included"
        return [*self.records(), Table("agreement", columns, criteria, caption, notes)]

    def records(self) -> list[Table]:
        names = "judge pairs controls of checks failed flagged".split()
        rows: list[list[Cell]] = [
            [
                *(judge.judge, judge.pairs, judge.controls, self.pairs),
                *(len(judge.checks), len(judge.failed), judge.flagged if judge.checks else None),
            ]
            for judge in self.judges
        ]
        return [Table("judges", [Column(name, left=name == "judge") for name in names], rows)]

    def notes(self) -> list[str]:
        notes = [f"{judge.judge}: {check}" for judge in self.judges for check in judge.failed]
        unchecked = [judge.judge for judge in self.judges if not judge.checks]
        notes += [f"{name}: too few controls were judged for a check" for name in unchecked]
        return notes + [f"{name} skipped {number} pairs" for name, number in self.skipped.items()]

    def page(self) -> str:
        """The tables and notes as an HTML page."""
        notes = "".join(f"<p>{plain_html(note)}</p>" for note in self.notes())
        section = Section("judges", "Judges and their agreement", tables=self.tables(), html=notes)
        lead = f"{self.pairs:,} pairs, {len(self.judges)} judges; otherwords studio judges"
        return document("Judgements so far", lead, [section])

    def to_dict(self) -> dict[str, Any]:
        return {
            "judges": [
                {
                    "judge": judge.judge,
                    "pairs": judge.pairs,
                    "controls": judge.controls,
                    "flagged": judge.flagged,
                    "checks": [{**vars(check), "passed": check.passed} for check in judge.checks],
                }
                for judge in self.judges
            ],
            "agreement": {name: vars(of) for name, of in self.agreement.items()},
            "skipped": dict(self.skipped),
        }


def check_judges(logs: Sequence[str]) -> JudgesResult:
    """Check the judges of one or more logs by their scores of the controls (PARADIGM §6)."""
    judged = read_judgements(logs)
    agreement = {name: agreement_on(judged, name) for name in judged.criteria}
    skipped = {judge: _count_skipped(judged, judge) for judge in judged.notes}
    skipped = {judge: number for judge, number in skipped.items() if number}
    return JudgesResult(judged.reliability(), len(judged.pairs), agreement, skipped)


def _count_skipped(judgements: LoggedJudgements, judge: str) -> int:
    scores, every = judgements.scores.get(judge, {}), len(judgements.criteria)
    notes = judgements.notes[judge]
    return sum("skip" in said and len(scores.get(n, {})) < every for n, said in notes.items())


def agreement_on(judgements: LoggedJudgements, criterion: str) -> CriterionAgreement:
    """How far all judges agree on a criterion."""
    scores = np.full((len(judgements.scores), len(judgements.pairs)), np.nan)
    for place, by_pair in enumerate(judgements.scores.values()):
        for pair, said in by_pair.items():
            scores[place, pair] = said.get(criterion, np.nan)
    is_shared = np.isfinite(scores).sum(axis=0) > 1
    alpha = krippendorff_alpha(scores[:, is_shared]) if is_shared.any() else None
    means = {
        judge: float(np.nanmean(given))
        for judge, given in zip(judgements.scores, scores, strict=True)
        if np.isfinite(given).any()
    }
    return CriterionAgreement(alpha, int(is_shared.sum()), means)
