"""PEM's human evaluation (Liu, Dahlmeier & Ng 2010, §5.2-§6.2, Tables 1-3) on any judged set."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Array, Metric
from otherwords.metrics.registry import create
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import by_row, evaluate, segment_keys
from otherwords.stats.arrays import numbered
from otherwords.stats.coefficients import pearson
from otherwords.stats.estimates import Resampling, rounded
from otherwords.study.agreement.judged import (
    FIVE,
    JudgedSet,
    Scale,
    criteria_of,
    judged_set,
    rows_with_scores,
)
from otherwords.study.papers.pem_resamples import MeansDrawn, Originals
from otherwords.study.papers.pem_result import FEWEST, Correlation, PemLine, PemTables

__all__ = [
    "CRITERIA",
    "HIGH",
    "Restriction",
    "between_judges",
    "of_criteria",
    "of_metric",
    "of_restricted",
    "originals_of",
    "parse_restriction",
    "pem_tables",
    "tables_of",
]

CRITERIA = ("adequacy", "fluency", "dissimilarity")
_NEAR = 1e-9  # a score mapped onto the threshold reaches it even if its last bit differs

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Restriction:
    """A criterion restricted to rows where others reach a threshold, on the scale 1-5 (PEM
    §5.3)."""

    criterion: str
    thresholds: Mapping[str, float]

    @property
    def mentions(self) -> tuple[str, ...]:
        """All criteria that it needs."""
        return (self.criterion, *self.thresholds)

    def __str__(self) -> str:
        return ", ".join(f"{name} >= {least:g}" for name, least in self.thresholds.items())


HIGH = Restriction("dissimilarity", {"adequacy": 4.0, "fluency": 4.0})  # PEM §5.3


def parse_restriction(text: str) -> Restriction | None:
    """The criterion and the thresholds of others.

    >>> str(parse_restriction("dissimilarity:adequacy>=4,fluency>=3.5"))
    'adequacy >= 4, fluency >= 3.5'
    """
    if text.strip() == "none":
        return None
    criterion, _, conditions = text.partition(":")
    thresholds = {}
    for condition in conditions.split(","):
        name, reaches, least = condition.partition(">=")
        if not (criterion.strip() and name.strip() and reaches):
            raise UsageError(f"a restriction is CRITERION:OTHER>=SCORE,... or none, not '{text}'")
        try:
            number: float | str = float(least)
        except ValueError:
            number = least
        thresholds[name.strip()] = check_number(f"the least {name.strip()}", number, 1, 5)
    return Restriction(criterion.strip(), thresholds)


def pem_tables(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = (),
    human: str = "overall",
    *,
    criteria: Sequence[str] | None = None,
    restriction: Restriction | None = HIGH,
    scales: Mapping[str, Scale] | None = None,
    scale: Scale | None = None,
    control_scale: Scale = FIVE,
    controls: bool = True,
    resampling: Resampling | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> PemTables:
    """PEM's Tables 1-3 of rows with human scores, and Table 3 of metrics (names, or by label).

    `criteria` are those of Table 2: PEM's and all others there are unless given. `restriction`
    makes its last line. `scale` is the judges' scale of all criteria but those of `scales`,
    `control_scale` that of the controls; rows of controls count unless `controls` is false.
    `resampling` makes intervals, originals resampled with all their rows.

    >>> rows = [Row(text, system=text, source="a cat", human={"overall": n, "fluency": n % 3})
    ...         for n, text in enumerate("abcd", 1)]
    >>> pem_tables(rows, scale=Scale(0, 5)).criteria[0].one
    'fluency'
    """
    kept, _, left_out = rows_with_scores(rows, [human], controls=controls)
    made = metrics if isinstance(metrics, Mapping) else {name: create(name) for name in metrics}
    wanted = [*CRITERIA, *criteria_of(kept)] if criteria is None else criteria
    wanted = [name for name in dict.fromkeys(wanted) if name != human]
    mentioned = restriction.mentions if restriction else ()
    judged = judged_set(
        kept,
        list(dict.fromkeys([human, *wanted, *mentioned])),
        scales=scales,
        scale=scale,
        control_scale=control_scale,
    )
    statistics: Mapping[str, Array] = {}
    if made:
        scored = evaluate(kept, made, threads=threads, any_language=any_language, progress=progress)
        statistics = by_row(kept, scored)
        left_out += cautions(made, scored)
    both = {label: (metric, statistics[label]) for label, metric in made.items()}
    originals = None if resampling is None else originals_of(kept, resampling)
    return tables_of(judged, human, wanted, restriction, both, left_out, originals=originals)


def originals_of(rows: Sequence[Row], resampling: Resampling) -> Originals:
    """The original of each row: its item, or what it is compared with."""
    return Originals(numbered(segment_keys(rows)), resampling)


def tables_of(
    judged: JudgedSet,
    human: str,
    criteria: Sequence[str],
    restriction: Restriction | None,
    metrics: Mapping[str, tuple[Metric, Array]],
    remarks: Sequence[str] = (),
    *,
    originals: Originals | None = None,
) -> PemTables:
    """All three tables: `metrics` are by label, each with its statistics of the rows."""
    judges = between_judges(judged, human, originals)
    notes = [*remarks, *_on_rows(judged), *_on_judges(judged, human)]
    there = [name for name in criteria if _is_judged(judged, name)]
    notes += [
        f"{name} is left out: {_lacking(judged, name)}" for name in criteria if name not in there
    ]
    found = of_criteria(judged, human, there, originals)
    if restriction is not None:
        possible, said = _possible(judged, human, restriction)
        notes += said
        found += [of_restricted(judged, human, possible, originals)] if possible else []
    lines = []
    for label, (metric, statistics) in metrics.items():
        lines += of_metric(judged, human, label, metric, statistics, originals)
        if not metric.traits.higher_is_better:
            notes.append(f"{label}: lower is better; its correlations are not reversed")
    signatures = {label: metric.signature for label, (metric, _) in metrics.items()}
    return PemTables(
        human,
        judges,
        found,
        lines,
        notes,
        signatures,
        originals.resampling if originals else None,
        originals.size if originals else 0,
    )


def between_judges(
    judged: JudgedSet, human: str, originals: Originals | None = None
) -> list[PemLine]:
    """Table 1: each pair of judges, on the rows that both judged, without controls (PEM §5.2)."""
    scores = _by_name(judged, human)
    return [
        _line(judged, one, other, scores[one], scores[other], ~judged.controls, originals=originals)
        for one, other in combinations(scores, 2)
        if _shared(judged, scores[one], scores[other])
    ]


def of_criteria(
    judged: JudgedSet, human: str, criteria: Sequence[str], originals: Originals | None = None
) -> list[PemLine]:
    """Table 2: each criterion with the overall score, mean of the judges (PEM §5.3)."""
    return [
        _line(judged, name, human, judged.human[name], judged.human[human], originals=originals)
        for name in criteria
    ]


def of_restricted(
    judged: JudgedSet, human: str, restriction: Restriction, originals: Originals | None = None
) -> PemLine:
    """Table 2's last line: a criterion where others are high, controls included (PEM §5.3)."""
    among = np.ones(len(judged.controls), dtype=bool)
    for name, least in restriction.thresholds.items():
        among &= judged.human[name] >= least - _NEAR
    name = restriction.criterion
    scores, overall, where = judged.human[name], judged.human[human], str(restriction)
    return _line(judged, name, human, scores, overall, among, where=where, originals=originals)


def of_metric(
    judged: JudgedSet,
    human: str,
    label: str,
    metric: Metric,
    statistics: Array,
    originals: Originals | None = None,
) -> list[PemLine]:
    """Table 3: a metric with the mean human score, and with each judge without controls (§6.2).

    The score of a system is the metric's corpus score over the rows that count.
    """

    def of_system(rows: NDArray[np.intp]) -> float:
        return metric.aggregate(statistics[rows])

    drawn = None if originals is None else originals.scores(metric, statistics, judged.systems)
    scores = metric.segment_scores(statistics)
    people: list[tuple[str | None, Array]] = [(None, judged.human[human])]
    people += _by_name(judged, human).items()
    return [
        _line(
            judged,
            label,
            judge,
            scores,
            theirs,
            None if judge is None else ~judged.controls,
            of_system=of_system,
            drawn=drawn,
            originals=originals,
        )
        for judge, theirs in people
    ]


def _line(
    judged: JudgedSet,
    one: str,
    other: str | None,
    x: Array,
    y: Array,
    among: Rows | None = None,
    *,
    of_system: Callable[[NDArray[np.intp]], float] | None = None,
    where: str = "",
    originals: Originals | None = None,
    drawn: MeansDrawn | None = None,
) -> PemLine:
    """Both correlations on the rows `among` which both sides are known for."""
    known = np.isfinite(x) & np.isfinite(y)
    if among is not None:
        known &= among
    mean_x = of_system or (lambda rows: _mean(x[rows]))
    parts = {name: rows[known[rows]] for name, rows in judged.systems.items() if known[rows].any()}
    means = {name: (mean_x(rows), _mean(y[rows])) for name, rows in parts.items()}
    points = np.array([*means.values()]).reshape(-1, 2)
    sentence, system = _correlation(x[known], y[known]), _correlation(points[:, 0], points[:, 1])
    if originals is not None:
        mine = drawn or originals.means(x, judged.systems)
        theirs = originals.means(y, judged.systems)
        sentence = _within(sentence, originals.of_rows(x, y, known))
        system = _within(system, originals.of_systems(mine, theirs, known))
    pairs = np.column_stack([x[known], y[known]])
    return PemLine(one, other, sentence, system, where, pairs, means)


def _correlation(x: Array, y: Array) -> Correlation:
    return Correlation(pearson(x, y) if len(x) >= FEWEST else None, len(x))


def _within(found: Correlation, interval: tuple[float, float] | None) -> Correlation:
    if found.r is None or interval is None:
        return found
    return replace(found, low=rounded(interval[0]), high=rounded(interval[1]))


def _mean(scores: Array) -> float:
    return math.fsum(scores) / len(scores)


def _by_name(judged: JudgedSet, human: str) -> dict[str, Array]:
    """What each judge known by name gave for this criterion."""
    return {judge: mine[human] for judge, mine in judged.judges.items() if human in mine}


def _shared(judged: JudgedSet, one: Array, other: Array) -> bool:
    return bool(np.any(np.isfinite(one) & np.isfinite(other) & ~judged.controls))


def _is_judged(judged: JudgedSet, name: str) -> bool:
    """Whether a row has it that is not a control; a set of controls alone is a set like others."""
    among = ~judged.controls if not judged.controls.all() else judged.controls
    return name in judged.human and bool(np.isfinite(judged.human[name][among]).any())


def _lacking(judged: JudgedSet, name: str) -> str:
    scores = judged.human.get(name)
    there = scores is not None and bool(np.isfinite(scores).any())
    return "only controls have it" if there else "no row has it"


def _on_rows(judged: JudgedSet) -> list[str]:
    """The scales, and how many rows are controls."""
    shown = [f"{name} {scale}" for name, scale in judged.scales.items() if _is_judged(judged, name)]
    notes = [f"scales, mapped linearly onto 1:5: {', '.join(shown)}"]
    if judged.controls.any():
        notes.append(f"controls: {int(judged.controls.sum())} of {len(judged.controls)} rows")
    return notes


def _on_judges(judged: JudgedSet, human: str) -> list[str]:
    """What cannot be said of single judges, and why."""
    scores = _by_name(judged, human)
    notes = []
    if not scores:
        why = "the judges have no names" if judged.anonymous else "the rows name no judges"
        notes.append(f"single judges are left out: {why}")
    elif judged.anonymous:
        notes.append(f"{judged.anonymous} judgements without a name count in the mean only")
    if len(scores) == 1:
        notes.append("inter-judge correlation is left out: there is one judge")
    apart = sum(not _shared(judged, scores[a], scores[b]) for a, b in combinations(scores, 2))
    if apart:
        notes.append(f"pairs of judges left out because they share no row: {apart}")
    return notes


def _possible(
    judged: JudgedSet, human: str, restriction: Restriction
) -> tuple[Restriction | None, list[str]]:
    """The restriction as far as the set has its criteria, and what was left out."""
    name = restriction.criterion
    if name == human or not _is_judged(judged, name):
        why = "it is the overall score itself" if name == human else _lacking(judged, name)
        return None, [f"{name} where {restriction} is left out: {why}"]
    kept = {n: least for n, least in restriction.thresholds.items() if _is_judged(judged, n)}
    if not kept:
        return None, [f"{name} where {restriction} is left out: no row has these criteria"]
    lacking = [n for n in restriction.thresholds if n not in kept]
    notes = [f"{name} is not restricted by {n}: {_lacking(judged, n)}" for n in lacking]
    return Restriction(name, kept), notes
