"""Judged rows: their human scores, the scales of these, and the files that hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.formats import Chosen
from otherwords.corpus.inputs import has_pairs, read_pairs, read_rows
from otherwords.corpus.parallel import number_of
from otherwords.corpus.rows import Pair, Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN, is_stream, paths_of, read_bytes
from otherwords.io.values import load_json, parse_float
from otherwords.scoring.outside_scores import read_systems
from otherwords.stats.arrays import Array

NO_SCORES = "there are no human scores at all; a column of a table with such scores is human.NAME"

CONTROL = "control-"  # prefix of the names of artificial systems (PEM §5.1)


@dataclass(frozen=True)
class Scale:
    """The lowest and the highest score that judges could give.

    >>> Scale(0, 100).to_five(75)
    4.0
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.high - self.low) and self.low < self.high):
            raise UsageError(f"a scale runs from a lower to a higher number, not {self}")

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Parse LOW:HIGH."""
        try:
            low, high = (parse_float(end) for end in text.split(":"))
        except ValueError as error:
            raise UsageError(f"a scale is LOW:HIGH, for example 0:100, not '{text}'") from error
        return cls(low, high)

    def __str__(self) -> str:
        return f"{self.low:g}:{self.high:g}"

    def holds(self, score: float) -> bool:
        return self.low <= score <= self.high

    def to_five(self, score: float) -> float:
        """Map a score linearly onto 1-5."""
        return score if self == FIVE else 1 + 4 * (score - self.low) / (self.high - self.low)

    def from_five(self, score: float) -> float:
        """Map a score on 1-5 linearly onto this scale."""
        return self.low + (score - 1) * (self.high - self.low) / 4


FIVE = Scale(1, 5)


def parse_scale(text: str) -> tuple[str, Scale]:
    """Parse a criterion (empty for all of them) and its scale.

    >>> parse_scale("overall=0:100")
    ('overall', Scale(low=0.0, high=100.0))
    """
    name, _, span = text.rpartition("=")
    return name.strip(), Scale.parse(span)


@dataclass(frozen=True)
class JudgedSet:
    """Human scores on a scale of 1-5, one array per criterion, NaN where a row has none.

    `systems` has the rows of each system; a row counts for every system that produced it.
    `human` has the means over judges, `judges` the scores of each named judge, and `scales` the
    scales that the scores were mapped from.
    """

    systems: Mapping[str, NDArray[np.intp]]
    controls: NDArray[np.bool_]
    human: Mapping[str, Array]
    judges: Mapping[str, Mapping[str, Array]]
    scales: Mapping[str, Scale]
    anonymous: int = 0  # judgements without the judge's name


def criteria_of(rows: Iterable[Row]) -> list[str]:
    """Return the names of all human scores, in order of first appearance."""
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row.human))
        for judgement in row.judges:
            names.update(dict.fromkeys(judgement.scores))
    return list(names)


@dataclass(frozen=True)
class Scales:
    """The scales of human scores: for named criteria, for all others, and for controls.

    A criterion without a scale must have scores from 1 to 5, which are kept as they are. Controls
    have their own scale, because no judge gave their scores.
    """

    criteria: Mapping[str, Scale] = field(default_factory=dict)
    others: Scale | None = None
    controls: Scale = FIVE


def judged_set(
    rows: Sequence[Row],
    criteria: Sequence[str],
    scales: Scales = Scales(),
) -> JudgedSet:
    """Map the human scores of rows onto the scale of 1-5.

    The score of a row is that in `human`, else the mean of its judges' scores.
    """
    _check_names(scales.criteria, rows)
    known = {name: scales.criteria.get(name, scales.others) for name in criteria}
    controls = [is_control(row) for row in rows]
    _check_known([row for row, control in zip(rows, controls, strict=True) if not control], known)
    used = {name: scale or FIVE for name, scale in known.items()}
    human: dict[str, Array] = {}
    judges: dict[str, dict[str, Array]] = {}
    for name in criteria:
        said = [
            _said(row, name, scales.controls if control else used[name])
            for row, control in zip(rows, controls, strict=True)
        ]
        human[name] = np.array([mean for mean, _ in said])
        for judge in {judge for _, by_judge in said for judge in by_judge}:
            scores = [by_judge.get(judge, math.nan) for _, by_judge in said]
            judges.setdefault(judge, {})[name] = np.array(scores)
    return JudgedSet(
        rows_of_systems(rows),
        np.array(controls, dtype=bool),
        human,
        dict(sorted(judges.items())),
        used,
        sum(judgement.judge is None for row in rows for judgement in row.judges),
    )


def score_of(row: Row, name: str) -> float:
    """Return the unmapped score: that in `human`, else the mean of the judges; NaN if none.

    >>> from otherwords.corpus.rows import Judgement
    >>> score_of(Row("a", judges=(Judgement({"da": 3}), Judgement({"da": 4}))), "da")
    3.5
    """
    if name in row.human:
        return row.human[name]
    return _mean([judgement.scores[name] for judgement in row.judges if name in judgement.scores])


def systems_of(row: Row) -> tuple[str, ...]:
    """Return all systems that produced the row."""
    return row.systems or (row.system,)


def is_control(row: Row) -> bool:
    """Whether the row is a control."""
    return all(system.startswith(CONTROL) for system in systems_of(row))


def _check_names(scales: Mapping[str, Scale], rows: Sequence[Row]) -> None:
    known = criteria_of(rows) if scales else []
    for name in scales:
        if name not in known:
            raise UsageError(
                f"a scale is given for '{name}', which no row has; {near(name, known)}"
            )


def _check_known(rows: Sequence[Row], people: Mapping[str, Scale | None]) -> None:
    """Refuse scores outside of 1-5 without a scale, all criteria in one message."""
    outside = []
    for name in (name for name, scale in people.items() if scale is None):
        scores = [score for row in rows for score in _scores(row, name)]
        if scores and not (FIVE.holds(min(scores)) and FIVE.holds(max(scores))):
            outside.append(f"{name} runs from {min(scores):g} to {max(scores):g}")
    if outside:
        hint = f"give each its scale, as in {outside[0].split(' runs')[0]}=0:100"
        raise UsageError(f"scores outside of the scale 1:5: {', '.join(outside)}; {hint}")


def _scores(row: Row, name: str) -> list[float]:
    mean = [row.human[name]] if name in row.human else []
    return mean + [j.scores[name] for j in row.judges if name in j.scores]


def _said(row: Row, name: str, scale: Scale) -> tuple[float, dict[str, float]]:
    """Return the mean score of a row, or NaN, and the score of each named judge.

    Several scores by the same judge are averaged.
    """
    by_judge: dict[str | None, list[float]] = {}
    for judgement in row.judges:
        if name in judgement.scores:
            score = _map_score(row, name, scale, judgement.scores[name])
            by_judge.setdefault(judgement.judge, []).append(score)
    everybody = [score for scores in by_judge.values() for score in scores]
    if name in row.human:
        everybody = [_map_score(row, name, scale, row.human[name])]
    named = {judge: _mean(scores) for judge, scores in by_judge.items() if judge is not None}
    return _mean(everybody), named


def _map_score(row: Row, name: str, scale: Scale, score: float) -> float:
    if not scale.holds(score):
        whose = " of the controls" if is_control(row) else ""
        message = f"the score {name} is {score:g}, outside of the scale {scale}{whose}"
        raise InputError(message, path=row.path, line=row.line)
    return scale.to_five(score)


def _mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores) if scores else math.nan


def rows_of_systems(rows: Sequence[Row]) -> dict[str, NDArray[np.intp]]:
    """Return the row numbers of each system."""
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for system in systems_of(row):
            places.setdefault(system, []).append(place)
    return {system: np.array(mine, dtype=np.intp) for system, mine in places.items()}


def no_scores(rows: Sequence[Row]) -> UsageError:
    """Return the error for rows without human scores, or for no rows."""
    if not rows:
        return UsageError("there are no rows: the files have no segments")
    where = ", ".join(dict.fromkeys(row.path for row in rows if row.path))
    return UsageError(f"{f'{where}: ' if where else ''}{NO_SCORES}")


def rows_with_scores(
    rows: Sequence[Row], humans: Sequence[str] | None, *, controls: bool
) -> tuple[list[Row], list[str], list[str]]:
    """Return the rows with any of the human scores, the names of these, and remarks.

    Without names, all human scores are used. `controls` keeps control rows.
    """
    known = criteria_of(rows)
    wanted = list(dict.fromkeys(known if humans is None else humans))
    if not known:
        raise no_scores(rows)
    for human in wanted:
        if human not in known:
            raise UsageError(f"no row has the human score '{human}'; {near(human, known)}")
    chosen = [row for row in rows if not set(wanted).isdisjoint(criteria_of([row]))]
    lacking = len(rows) - len(chosen)
    left_out = [f"rows without {', '.join(wanted)}, left out: {lacking}"] if lacking else []
    chosen = [row for row in chosen if controls or not is_control(row)]
    if not chosen:
        raise UsageError("all rows are controls, and `no_controls` leaves them out")
    return chosen, wanted, left_out


def read_judged(paths: Sequence[str], columns: Chosen | None = None) -> list[Row] | list[Pair]:
    """Read the rows of files, or better/worse pairs if the first line is one.

    A pipe is read once: it has rows.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.jsonl")
    ...     _ = path.write_text('{"hypothesis": "a cat", "human": {"da": 70}}\\n')
    ...     [row.human for row in read_judged([str(path)])]
    [{'da': 70.0}]
    """
    paths = paths_of(paths)
    if STDIN in paths and len(paths) > 1:
        raise UsageError("standard input can be read only once; give it alone")
    if paths and not is_stream(paths[0]) and has_pairs(paths[0], columns=columns):
        return list(chain.from_iterable(read_pairs(path, columns=columns) for path in paths))
    return list(chain.from_iterable(read_rows(path, columns=columns) for path in paths))


def read_system_scores(path: str) -> dict[str, float]:
    """Read human scores by system: one JSON object of names and numbers, or mt-metrics-eval's
    `SYSTEM SCORE` lines in a file `*.sys.score`.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "human.json")
    ...     _ = path.write_text('{"north": 70, "south": 64.5}\\n')
    ...     read_system_scores(str(path))
    {'north': 70.0, 'south': 64.5}
    """
    if Path(path).name.endswith((".sys.score", ".sys.score.gz")):
        return read_systems(path)
    content = read_bytes(path)
    try:
        document = load_json(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a JSON object of systems and scores: {error}", path=path) from error
    if not isinstance(document, dict) or not document:
        raise InputError("not a JSON object of systems and scores", path=path)
    scores = {name: number_of(name, value, path, None) for name, value in document.items()}
    return {name: score for name, score in scores.items() if not math.isnan(score)}
