"""Correlation of PARADIGM's scores and other metrics with human scores (§6, Table 7)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines, starts_with
from otherwords.io.values import parse_float
from otherwords.metrics.registry import metric
from otherwords.scoring.stream import evaluate
from otherwords.stats.coefficients import FEWEST, spearman, spearman_each
from otherwords.study.agreement.human_scores import is_control, read_system_scores, systems_of
from otherwords.tables.table import Cell, Column, Number, Table

METRICS = ("bleu", "precis", "pinc")
MOST_EXACT = 9  # systems; they have 362,880 orders
Human = Mapping[str, Mapping[str, float]]  # scores of systems, by criterion
Correlations = Mapping[str, Mapping[str, Number]]  # rho by score, then by criterion
OF_SYSTEMS = "human"  # the criterion of scores that have no name


def paraphrase_scores(path: str, *, threads: int = 1) -> dict[str, float | None]:
    """Score the sentences that a system generated with its grammar: BLEU, PRÉCIS and PINC.

    Rows have a `source`, a `hypothesis` and `references`; without references there is only PINC.
    """
    rows = [replace(row, system="") for row in read_rows(path)]
    for row in rows:
        if row.source is None:
            message = "this row has no source"
            raise InputError(message, path=path, line=row.line)
    has_references = bool(rows) and all(row.references for row in rows)
    wanted = METRICS if has_references else ("pinc",)
    metrics = {name: metric(name) for name in wanted}
    (scored,) = evaluate(rows, metrics, threads=threads, any_language=True)
    scores = {name: metric.aggregate(scored.statistics[name]) for name, metric in metrics.items()}
    return {name: scores.get(name) for name in METRICS}


def scores_of_systems(
    rows: Sequence[Row],
    system_human: Mapping[str, float] | str | None,
    humans: Sequence[str] | None,
) -> Human | None:
    """Return human scores of systems by criterion, given or in a file; they replace those of rows.

    A file is a JSON object of names and numbers, or a table as `read_human` reads it.
    """
    if system_human is None:
        return None
    if humans is not None:
        raise UsageError("give human scores of systems or human scores of rows, not both")
    known = {system for row in rows for system in systems_of(row)}
    if not isinstance(system_human, str):
        scores: Human = {OF_SYSTEMS: system_human}
    elif system_human.endswith((".tsv", ".tsv.gz")):
        scores = read_human(system_human, sorted(known))
    else:
        scores = {OF_SYSTEMS: read_system_scores(system_human)}
    if any(len(known & by_system.keys()) < FEWEST for by_system in scores.values()):
        raise UsageError(f"fewer than {FEWEST} systems of the rows have a human score")
    return scores


def read_human(path: str, systems: Sequence[str]) -> Human:
    """Read human scores, one system per line: its name and a score per criterion, with tabs.

    The first line may name the criteria. A file `*.json` is an object of systems and scores. A
    system that is not among `systems` is an error, because its name is likely misspelt; systems
    without scores are left out of the correlation. From judged rows (JSONL, as `studio export`
    writes them) each system gets the mean of its rows, without controls.
    """
    if path.endswith(".json"):
        by_system = read_system_scores(path)
        for system in by_system.keys() - set(systems):
            raise InputError(f"the system '{system}' {_none_of(systems)}", path=path)
        return {OF_SYSTEMS: by_system}
    if starts_with(path, b"{"):
        return _read_means(path, systems)
    rows = [
        (number, line.split("\t"))
        for number, line in enumerate(read_lines(path), 1)
        if line.strip()
    ]
    if not rows:
        raise InputError("there are no human scores here", path=path, code="E105")
    number = len(rows[0][1]) - 1
    names = [OF_SYSTEMS] if number == 1 else [f"human {n}" for n in range(1, number + 1)]
    if all(_number(cell) is None for cell in rows[0][1][1:]):
        names = [cell.strip() for cell in rows.pop(0)[1][1:]]
    by_criterion: dict[str, dict[str, float]] = {name: {} for name in names}
    if not names or len(by_criterion) < len(names):
        raise InputError("each criterion needs a unique name", path=path, line=1)
    for line, (system, *cells) in rows:
        scores = [score for score in map(_number, cells) if score is not None]
        if not len(cells) == len(names) == len(scores) or not all(map(math.isfinite, scores)):
            message = f"a system and {len(names)} numbers are needed, with tabs between them"
            raise InputError(message, path=path, line=line)
        if system not in systems or system in by_criterion[names[0]]:
            wrong = "occurs twice" if system in systems else _none_of(systems)
            raise InputError(f"the system '{system}' {wrong}", path=path, line=line)
        for name, score in zip(names, scores, strict=True):
            by_criterion[name][system] = score
    return by_criterion


def _none_of(systems: Sequence[str]) -> str:
    return f"is not one of: {', '.join(systems)}"


def _read_means(path: str, systems: Sequence[str]) -> Human:
    """Read judged rows; return the mean score of each system's rows by criterion."""
    by_criterion: dict[str, dict[str, list[float]]] = {}
    for row in read_rows(path):
        if is_control(row):
            continue
        for system in systems_of(row):
            if system not in systems:
                message = f"the system '{system}' {_none_of(systems)}"
                raise InputError(message, path=path, line=row.line)
            for name, score in row.human.items():
                by_criterion.setdefault(name, {}).setdefault(system, []).append(score)
    if not by_criterion:
        raise InputError("there are no human scores here", path=path, code="E105")
    return {
        name: {system: math.fsum(scores) / len(scores) for system, scores in by_system.items()}
        for name, by_system in by_criterion.items()
    }


def _number(cell: str) -> float | None:
    """Parse a number, finite or not; `None` if the cell is not one."""
    try:
        return parse_float(cell)
    except ValueError:
        return None


def correlations(
    scores: Mapping[str, Mapping[str, float | None]], human: Human
) -> dict[str, dict[str, Number]]:
    """Compute Spearman's rho of each score (by name, then by system) with each criterion.

    Without human scores the result is empty. Only systems with both scores count. p is exact, over
    all orders of the systems.
    """
    if not human:
        return {}
    return {
        name: {criterion: _correlate(mine, theirs) for criterion, theirs in human.items()}
        for name, mine in scores.items()
    }


def _correlate(scores: Mapping[str, float | None], human: Mapping[str, float]) -> Number:
    both = {name: score for name, score in scores.items() if score is not None and name in human}
    mine, theirs = list(both.values()), [human[name] for name in both]
    p = exact_p(mine, theirs)
    test = None if p is None else "permutation"
    return Number(spearman(mine, theirs), p=p, test=test, size=len(mine))


def exact_p(scores: Sequence[float], human: Sequence[float]) -> float | None:
    """Compute the share of all orders of the systems whose rho is at least as far from 0.

    `None` where rho is not defined, and for more than nine systems, which have too many orders.

    >>> exact_p([1, 2, 3], [3, 5, 9]), exact_p([1, 2, 3, 4, 5], [2, 1, 3, 5, 9])
    (0.3333333333333333, 0.08333333333333333)
    """
    if not 3 <= len(scores) <= MOST_EXACT:
        return None
    orders = np.array(list(permutations(human)))
    rho = np.abs(spearman_each(np.array([scores]).repeat(len(orders), 0), orders))
    return None if np.isnan(rho[0]) else float(np.mean(rho >= rho[0] - 1e-9))


def human_tables(rhos: Correlations) -> list[Table]:
    """Make a table of Spearman's rho like Table 7, one score per line, if there are any."""
    if not rhos:
        return []
    criteria = list(next(iter(rhos.values())))
    columns = [
        column
        for name in criteria
        for column in (Column(name, decimals=2, signed=True), Column(f"p {name}", "p", decimals=3))
    ]
    rows: list[list[Cell]] = [
        [name, *(cell for rho in by_name.values() for cell in (replace(rho, p=None), rho.p))]
        for name, by_name in rhos.items()
    ]
    caption = "Spearman's rho with human scores; p is exact, over all orders of the systems"
    return [Table("human", [Column("score", left=True), *columns], rows, caption)]


def human_records(rhos: Correlations, signature: str) -> list[Table]:
    """Make records of Spearman's rho, one score and criterion per row."""
    rows: list[list[Cell]] = [
        [name, criterion, rho, signature]
        for name, by_criterion in rhos.items()
        for criterion, rho in by_criterion.items()
    ]
    columns = [Column(name) for name in ("score", "criterion", "spearman")]
    return [Table("human", [*columns, Column("signature", hidden=True)], rows)] if rows else []
