"""`otherwords meta --paper pem`: PEM's Tables 1-3 on a judged set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from otherwords.cli.progress import counting
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.io.arguments import check_number
from otherwords.meta.judged import Scale, criteria_of, judged_set
from otherwords.meta.judges import Restriction, Tables, tables
from otherwords.metrics.base import Metric
from otherwords.scoring.stream import by_row, evaluate

__all__ = ["PEM", "RESTRICTION", "parse_restriction", "parse_scale", "pem_tables"]

RESTRICTION = "dissimilarity:adequacy>=4,fluency>=4"
PEM = ("adequacy", "fluency", "dissimilarity")


def pem_tables(
    rows: Sequence[Row],
    human: str,
    criteria: str | None,
    restriction: Restriction | None,
    scales: Sequence[tuple[str, Scale]],
    control_scale: Scale,
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
) -> Tables:
    """All tables; the criteria are names with commas between them, or all there are."""
    wanted = _criteria(criteria, human, rows)
    mentioned = restriction.mentions if restriction else ()
    judged = judged_set(
        rows,
        list(dict.fromkeys([human, *wanted, *mentioned])),
        scales={name: one for name, one in scales if name},
        scale=next((one for name, one in reversed(scales) if not name), None),
        control_scale=control_scale,
    )
    statistics = {}
    if metrics:
        with counting("segments scored") as progress:
            scored = evaluate(
                rows, metrics, threads=threads, any_language=any_language, progress=progress
            )
        statistics = by_row(rows, scored)
    both = {label: (metric, statistics[label]) for label, metric in metrics.items()}
    return tables(judged, human, wanted, restriction, both)


def parse_scale(text: str) -> tuple[str, Scale]:
    """The criterion, empty for all of them, and its scale.

    >>> parse_scale("overall=0:100")
    ('overall', Scale(low=0.0, high=100.0))
    """
    name, _, span = text.rpartition("=")
    try:
        low, high = (float(part) for part in span.split(":"))
    except ValueError as error:
        raise UsageError(f"a scale is [CRITERION=]LOW:HIGH, not '{text}'") from error
    return name.strip(), Scale(low, high)


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
        number = _number(least)
        thresholds[name.strip()] = check_number(f"the least {name.strip()}", number, 1, 5)
    return Restriction(criterion.strip(), thresholds)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _criteria(names: str | None, human: str, rows: Sequence[Row]) -> list[str]:
    """The criteria asked for; else those of PEM, then what else the rows have."""
    wanted = [*PEM, *criteria_of(rows)] if names is None else names.split(",")
    stripped = dict.fromkeys(name.strip() for name in wanted)
    return [name for name in stripped if name and name != human]
