"""Scores of another program, read from files (`--scores`), as a metric like any other."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.corpus.jsonl import jsonl_records
from otherwords.corpus.parallel import number_of, read_blocks, split_name
from otherwords.corpus.records import cell_records
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import read_lines
from otherwords.io.values import parse_float
from otherwords.metrics.base import Explanation, MeanMetric, Metric, Traits, text_of
from otherwords.metrics.inputs import Segments
from otherwords.stats.arrays import Array

Key = tuple[str, str]
SYSTEM = "\0"
_NAMES = ("id", "system", "item")
_ROWS = "hypothesis reference references source doc human judges systems langs".split()
_LEVEL = re.compile(r"\.(seg|sys|doc|domain)\.score(\.gz)?$")  # a file of mt-metrics-eval
_Lines = Iterable[tuple[int, str]]


class OutsideMetric(MeanMetric):
    """Scores of another program by row: by its `id`, by its system and item, or by its place in the
    input. The score of a system is the mean over its rows. `source` names the file. Scores of
    systems (`system_key`) apply to all their rows, so nothing can be tested.

    >>> comet = OutsideMetric("comet", {("mine", "1"): 0.8, ("mine", "2"): 0.6}, source="comet.tsv")
    >>> comet.of_rows([Row("a cat", system="mine", item="2")])[:, 0].tolist(), comet.signature
    ([0.6], 'comet|given:comet.tsv')
    """

    columns = ("score", "rows")

    def __init__(
        self,
        label: str,
        scores: Mapping[Key, float],
        *,
        higher_is_better: bool = True,
        source: str = "",
    ) -> None:
        self.name = label  # type: ignore[misc]  # set on the object, not the class
        low, high = min(scores.values(), default=-np.inf), max(scores.values(), default=np.inf)
        self.traits = Traits(low, high, higher_is_better)  # type: ignore[misc]
        self.scores, self.source = scores, source
        self.by_segment = not any(of == SYSTEM for of, _ in scores)
        super().__init__()

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(
            OutsideMetric, higher_is_better=self.traits.higher_is_better, source=self.source
        )
        return make, (self.name, self.scores)

    @property
    def signature(self) -> str:
        signature = f"{self.name}|given:{self.source}" if self.source else f"{self.name}|given"
        return signature if self.traits.higher_is_better else f"{signature}|better:lower"

    def signature_parts(self) -> dict[str, str]:
        return {"given": self.source}

    def known(self, rows: Sequence[Row]) -> Array:
        """Statistics [rows, 2], NaN where a row has no score."""
        statistics = np.ones((len(rows), 2))
        for place, row in enumerate(rows):
            names = (place_key(row), row_key(row), ("", row.id or ""), system_key(row.system))
            statistics[place, 0] = next((self.scores[n] for n in names if n in self.scores), np.nan)
        return statistics

    def of_rows(self, rows: Sequence[Row], threads: int = 1) -> Array:
        """The statistics of rows; a row without a score is refused."""
        statistics = self.known(rows)
        for place in np.flatnonzero(np.isnan(statistics[:, 0]))[:1]:
            row = rows[place]
            name = f"segment '{row.item}' of '{row.system}'" if row.item else "this segment"
            message = f"there is no score of {name} by {self.name} ({self.source or 'given'})"
            raise InputError(message, path=row.path, line=row.line)
        return statistics

    def explain_row(self, row: Row) -> Explanation:
        """The score and the texts: how it was computed is not known here."""
        score = float(self.of_rows([row])[0, 0])
        targets = row.references or (() if row.source is None else (row.source,))
        texts = text_of(row.hypothesis), tuple(map(text_of, targets))
        return Explanation(self.name, score, {self.source or "given": score}, *texts)

    def check(self, *texts: Any) -> Segments:
        """Refuse new text: the scores were computed elsewhere."""
        raise UsageError(f"{self.name} was computed elsewhere and cannot score new text")

    def compute(self, segments: Segments, threads: int) -> Array:
        raise UsageError(f"{self.name} was computed elsewhere and cannot score new text")


def row_key(row: Row) -> Key:
    """What identifies a row in addition to its id: system and item."""
    return row.system, row.item or ""


def system_key(system: str) -> Key:
    """The key of a score of a whole system."""
    return SYSTEM, system


def place_key(row: Row) -> Key:
    """The key of a row if scores follow the order of rows: file and line."""
    return row_key(row) if row.line is None else (f"{row.path}\0", f"{row.system}\0{row.line}")


def add_outside_scores(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    files: Sequence[str],
    lower_is_better: Collection[str] = (),
    *,
    systems: bool = False,
) -> dict[str, Metric]:
    """The metrics, and those of files of scores (FILE or NAME=FILE), by label.

    Files of scores of systems (`.sys.score`) are refused unless `systems`.
    """
    by_label = dict(metrics)
    for file in files:
        for label, metric in read_outside_scores(file, rows, lower=lower_is_better).items():
            if not (systems or metric.by_segment):
                raise UsageError(
                    f"{file}: scores of segments are needed (.seg.score); those of systems are for "
                    "meta --level system"
                )
            if label in by_label:
                raise UsageError(
                    f"{file}: there is another metric '{label}'; give one of them a name: NAME=FILE"
                )
            by_label[label] = metric
    outside = [label for label in by_label if label not in metrics]
    for name in lower_is_better:
        if not files:
            raise UsageError("`lower_is_better` goes with `scores`")
        if name not in outside:
            raise UsageError(f"`lower_is_better`: no `scores` have '{name}'; {near(name, outside)}")
    return by_label


def read_outside_scores(
    file: str, rows: Sequence[Row], *, lower: Collection[str] = ()
) -> dict[str, OutsideMetric]:
    """The metrics of FILE, or the one of NAME=FILE, by their names.

    The file has one of these forms, by its first line:

    - a score per line, in the order of the rows, which all come from one file;
    - mt-metrics-eval's `SYSTEM SCORE`: the scores of a system in the order of its rows; systems
      that have no rows are left out; in a file `*.sys.score` one score for each system;
    - TSV with a header, or JSONL: `id`, or `system` and `item`, name the row (`item` alone if there
      is one system; without any, lines are in the order of the rows), and every other column that
      is no field of rows is a metric; `score` is named after the file. Unknown and duplicate rows
      are refused. `None`, `null` and an empty cell are missing scores.

    `lower` lists the metrics for which lower scores are better. NAME chooses a column, or names the
    only one.
    """
    name, path = split_name(file)
    first, lines = _first(path)
    cells = first.split()
    if len(cells) == 1 and _is_score(cells[0]):
        columns = {_stem(path): _in_order(((n, line.strip()) for n, line in lines), rows, path)}
    elif len(cells) == 2 and _is_score(cells[1]):
        columns = {_stem(path): _blocks(rows, path)}
    else:
        columns = _columns(_records(first, lines, path), rows, path, name)
    if name is not None and name not in columns:
        if len(columns) > 1:
            hint = near(name, columns)
            raise InputError(f"there are several columns of scores; {hint}", path=path)
        columns = {name: next(iter(columns.values()))}
    return {
        label: OutsideMetric(
            label, scores, higher_is_better=label not in lower, source=Path(path).name
        )
        for label, scores in columns.items()
    }


def read_systems(path: str) -> dict[str, float]:
    """Scores by system: mt-metrics-eval's `SYSTEM SCORE`, each system once."""
    by_system = read_blocks(path)
    for system, scores in by_system.items():
        if len(scores) > 1:
            message = f"'{system}' has {len(scores)} scores; one of the whole system is wanted here"
            raise InputError(message, path=path)
    return {system: score for system, [score] in by_system.items() if not math.isnan(score)}


def _first(path: str) -> tuple[str, _Lines]:
    """The first line that is not empty, and all lines with their numbers."""
    lines = enumerate(read_lines(path), 1)
    head: list[tuple[int, str]] = []
    for number, line in lines:
        head.append((number, line))
        if line.strip():
            return line, chain(head, lines)
    raise InputError("there are no scores here", path=path)


def _in_order(cells: _Lines, rows: Sequence[Row], path: str) -> dict[Key, float]:
    """A score for each row, in their order."""
    scores = [number_of("score", cell, path, number) for number, cell in cells]
    _check_order(len(scores), rows, path)
    return _scores(rows, scores)


def _blocks(rows: Sequence[Row], path: str) -> dict[Key, float]:
    """The scores of each system, in the order of its rows."""
    level = _LEVEL.search(path)
    if level and level[1] in ("doc", "domain"):
        raise InputError("scores of segments are needed (.seg.score)", path=path)
    by_system = read_blocks(path)
    mine: dict[str, list[Row]] = {}
    for row in rows:
        mine.setdefault(row.system, []).append(row)
    if by_system.keys().isdisjoint(mine):
        raise InputError(
            f"no system here has rows: {', '.join(list(by_system)[:5])}; the rows are of "
            f"{', '.join(list(mine)[:5])}",
            path=path,
        )
    if level and level[1] == "sys":
        return {system_key(system): score for system, score in read_systems(path).items()}
    by_row: dict[Key, float] = {}
    for system, scores in by_system.items():
        if system in mine:
            _check_count(len(scores), len(mine[system]), f"rows of '{system}'", path)
            by_row |= _scores(mine[system], scores)
    return by_row


def _columns(
    numbered: Iterable[tuple[int, Mapping[str, Any]]],
    rows: Sequence[Row],
    path: str,
    wanted: str | None,
) -> dict[str, dict[Key, float]]:
    """The scores of each column of a table, or of the one that is wanted."""
    ids = Counter(("", row.id) for row in rows if row.id is not None)
    known = ids + Counter(row_key(row) for row in rows)
    alone = {row.system for row in rows} if len({row.system for row in rows}) == 1 else set()
    records = list(numbered)
    if not records:
        raise InputError("there are no scores here", path=path)
    named = any(name in record for _, record in records for name in _NAMES)
    if not named:
        _check_order(len(records), rows, path)
    columns: dict[str, dict[Key, float]] = {}
    seen: dict[Key, int] = {}
    for place, (number, record) in enumerate(records):
        key = _key(record, alone, path, number) if named else place_key(rows[place])
        shown = key[1] if key[0] == "" else f"{key[1]}' of system '{key[0]}"
        if named and known[key] != 1:
            message = f"no row is called '{shown}'"
            if key in known:
                message = f"{known[key]} rows are called '{shown}'; name them by id"
            raise InputError(message, path=path, line=number)
        if key in seen:
            message = f"this row has scores already, in line {seen[key]}"
            raise InputError(message, path=path, line=number)
        seen[key] = number
        for name in record:
            if name in (*_NAMES, *_ROWS) or (wanted in record and name != wanted):
                continue
            scores = columns.setdefault(_stem(path) if name == "score" else name, {})
            score = number_of(name, record[name], path, number)
            if not math.isnan(score):
                scores[key] = score
    if not any(columns.values()):
        raise InputError("there is no column of scores, only names", path=path, line=1)
    return columns


def _scores(rows: Sequence[Row], scores: Sequence[float]) -> dict[Key, float]:
    pairs = zip(map(place_key, rows), scores, strict=True)
    return {key: score for key, score in pairs if not math.isnan(score)}


def _check_order(scores: int, rows: Sequence[Row], path: str) -> None:
    """Refuse scores without names, unless all rows come from one file and their number fits."""
    if len({row.path for row in rows}) > 1:
        raise InputError(
            "scores without names are for one system or one file of rows; here the system must "
            "stand before each score (SYSTEM SCORE)",
            path=path,
        )
    _check_count(scores, len(rows), "rows", path)


def _check_count(scores: int, rows: int, what: str, path: str) -> None:
    if scores != rows:
        raise InputError(f"there are {scores:,} scores here for {rows:,} {what}", path=path)


def _records(first: str, lines: _Lines, path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Numbered records of JSONL, or of TSV with a header."""
    if first.lstrip().startswith("{"):
        records = jsonl_records(lines, path)
    else:
        header = [name.strip() for name in first.split("\t")]
        if any(map(_is_score, header)) or not all(header):
            wanted = "the header must name the columns, with id, or system and item, among them"
            raise InputError(f"{wanted}; found: {', '.join(header)[:100]}", path=path, line=1)
        records = cell_records(((n, line) for n, line in lines if line.strip()), path, "tsv")
    for number, record in records:
        if isinstance(record, InputError):
            raise record
        yield number, record


def _key(record: Mapping[str, Any], alone: set[str], path: str, number: int) -> Key:
    names = {name: str(record[name]) for name in _NAMES if record.get(name) not in (None, "")}
    if "id" in names:
        return "", names["id"]
    if "item" in names and ("system" in names or alone):
        return names.get("system") or next(iter(alone)), names["item"]
    keys = near("id", record) if record else "the line is empty"
    raise InputError(f"no id, and no system and item; {keys}", path=path, line=number)


def _is_score(cell: str) -> bool:
    try:
        parse_float(cell)
    except ValueError:
        return cell == "None"
    return True


def _stem(path: str) -> str:
    """The name of a file without its endings.

    >>> _stem("out/comet.tsv.gz"), _stem("COMET-refA.refB.seg.score")
    ('comet', 'COMET-refA.refB')
    """
    name = Path(path).name
    return _LEVEL.sub("", name) if _LEVEL.search(name) else name.split(".")[0] or "score"
