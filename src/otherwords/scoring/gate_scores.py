"""What a gate reads and finds: the files of a system and its baseline, scores that are stored for
later tests, and the segments that break a rule.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.corpus.formats import Chosen, named_kind
from otherwords.corpus.inputs import read_inputs, read_rows
from otherwords.corpus.parallel import named_files, split_name
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, OtherwordsError, UsageError, near
from otherwords.io.files import STDIN, packed_write, read_bytes, read_lines, starts_with
from otherwords.io.values import load_json
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.facts import Finding
from otherwords.metrics.inputs import Against
from otherwords.metrics.meaning import Meaning
from otherwords.scoring.detectors import Detector
from otherwords.scoring.seen import Familiarity, find_familiar
from otherwords.scoring.stream import ANNOTATED, evaluate, rows_by_system
from otherwords.stats.arrays import Array, column_sums

Key = tuple[str, ...]

_BATCH = 512
_KEYS = {
    "contradictions": "hypothesis target kind hypothesis_text target_text".split(),
    "problems": "hypothesis code".split(),
}
_KIND = "otherwords-baseline"
_VERSION = 1
_MAGIC = f'{{"{_KIND}":'.encode()
_HEAD = 4096
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class StoredMetric:
    """The corpus score by one metric, and the statistics of the segments."""

    score: float
    signature: str
    statistics: Array


@dataclass(frozen=True, eq=False)
class StoredScores:
    """The scores of one system by metrics.

    `keys` are hashes of the texts that each segment is compared with; a paired test matches the
    segments of two systems by them. `name` is the system, or the file of the scores. `familiarity`
    marks metrics that were trained on the rows; it is not stored.
    """

    name: str
    keys: Sequence[str]
    metrics: Mapping[str, StoredMetric]
    familiarity: Mapping[str, Familiarity] = field(default_factory=dict)

    def write(self, path: str | Path) -> None:
        """Write to a file, all or nothing; gzip if its name ends in .gz."""
        from otherwords import __version__

        head = {_KIND: _VERSION, "otherwords": __version__, "system": self.name}
        metrics = {
            label: {
                "signature": stored.signature,
                "score": stored.score,
                "statistics": [
                    [_short(x) for x in column] for column in stored.statistics.T.tolist()
                ],
            }
            for label, stored in self.metrics.items()
        }
        document = {**head, "keys": list(self.keys), "metrics": metrics}
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        with packed_write(path) as file:
            file.write(text.encode("utf-8", "backslashreplace") + b"\n")

    def matching(self, other: StoredScores, label: str) -> Array:
        """The statistics of `other` by a metric, in the order of these segments.

        Refused where the two do not have the same segments or the same signature.
        """
        if label not in other.metrics:
            raise _lacking(other.name, label, other.metrics)
        mine, theirs = self.metrics[label], other.metrics[label]
        if mine.signature != theirs.signature:
            raise UsageError(
                f"the signatures of {label} differ, so its scores cannot be compared: "
                f"{self.name} has {mine.signature}, {other.name} has {theirs.signature}; "
                "score the baseline again with these options and this version"
            )
        where = {key: place for place, key in enumerate(other.keys)}
        missing = [place for place, key in enumerate(self.keys, 1) if key not in where]
        if missing or len(self.keys) != len(other.keys):
            where_first = (
                f"segment {missing[0]} of {self.name} is not in {other.name}"
                if missing
                else f"segment {self._first_missing(other)} of {other.name} is not in {self.name}"
            )
            raise UsageError(
                f"the segments differ, so the scores cannot be compared: {self.name} has "
                f"{len(self.keys)}, {other.name} has {len(other.keys)}; {where_first} "
                "(segments are the same if their references and sources are)"
            )
        return np.asarray(theirs.statistics[[where[key] for key in self.keys]])

    def _first_missing(self, other: StoredScores) -> int:
        mine = set(self.keys)
        return next(place for place, key in enumerate(other.keys, 1) if key not in mine)


def score_system(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> StoredScores:
    """Score the rows of one system.

    >>> from otherwords.metrics.bleu import Mup
    >>> scores = score_system([Row("a cat", ("the cat",))], {"mup": Mup()})
    >>> scores.metrics["mup"].score, len(scores.keys)
    (0.5, 1)
    """
    if not rows:
        raise InputError("there is nothing to score: the system has no segments")
    keys = list(_content_keys(rows))
    if not metrics:
        return StoredScores(rows[0].system, keys, {})
    how: dict[str, Any] = {"threads": threads, "any_language": any_language, "progress": progress}
    [scored] = evaluate(rows, metrics, find_problems=True, **how)
    suffix = ANNOTATED if scored.annotated else ""
    by_metric = {
        label: StoredMetric(
            metric.aggregate(scored.statistics[label]),
            metric.signature + suffix,
            scored.statistics[label],
        )
        for label, metric in metrics.items()
    }
    return StoredScores(rows[0].system, keys, by_metric, find_familiar(metrics, [scored]))


def is_stored(path: str) -> bool:
    """Whether a file holds stored scores, or should by its name (JSON, and no list of rows)."""
    if path.lower().removesuffix(".gz").endswith(".json"):
        return read_bytes(path, _HEAD).lstrip()[:1] != b"["
    if starts_with(path, _GZIP):
        return read_bytes(path, len(_MAGIC)) == _MAGIC
    return starts_with(path, _MAGIC)


def read_scores(path: str | Path, metrics: Mapping[str, Metric]) -> StoredScores:
    """Scores by these metrics from a file that `StoredScores.write` made.

    The corpus scores are computed again from the statistics, so that a changed file is noticed.
    """
    name = str(path)
    try:
        document = load_json(read_bytes(path))
        if document[_KIND] != _VERSION:
            raise _broken(name, f"its version is {document[_KIND]!r}, not {_VERSION}")
        keys, stored = [str(key) for key in document["keys"]], dict(document["metrics"])
        for label in metrics:
            if label not in stored:
                raise _lacking(name, label, stored)
        by_metric = {
            label: _metric(stored[label], len(keys), metric, f"{name}: {label}")
            for label, metric in metrics.items()
        }
    except UnicodeDecodeError as error:
        raise _broken(name, "it is not UTF-8") from error
    except ValueError as error:
        if isinstance(error, OtherwordsError):
            raise
        raise _broken(name, "it is not whole") from error
    except (KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise _broken(name, "a part is missing or has another type") from error
    if len(set(keys)) != len(keys) or not keys:
        raise _broken(name, "its segments have no unique keys")
    return StoredScores(name, keys, by_metric)


def _metric(stored: Any, segments: int, metric: Metric, where: str) -> StoredMetric:
    signature, score = str(stored["signature"]), float(stored["score"])
    statistics = np.array(stored["statistics"], dtype=np.float64).T
    if statistics.ndim != 2 or len(statistics) != segments or not np.isfinite(statistics).all():
        raise _broken(where, "its statistics do not fit its segments")
    # Only the same signature promises the same columns; another one is refused where it is used.
    if signature.removesuffix(ANNOTATED) == metric.signature:
        fits = statistics.shape[1] == len(metric.columns)
        again = metric.from_sums(column_sums(statistics)) if fits else math.nan
        if not math.isclose(again, score, rel_tol=1e-9, abs_tol=1e-9):
            raise _broken(where, "its score is not that of its statistics")
    return StoredMetric(score, signature, statistics)


def _broken(where: str, why: str) -> InputError:
    return InputError(f"this baseline cannot be read: {why}; save it again", path=where)


def _lacking(name: str, label: str, known: Iterable[str]) -> UsageError:
    return UsageError(f"{name} has no scores by {label}; it has: {', '.join(known) or 'none'}")


def _content_keys(rows: Sequence[Row]) -> Iterator[str]:
    """A hash of each row's references and source, numbered where rows have the same ones."""
    times: Counter[str] = Counter()
    for row in rows:
        texts = [text_of(text) for text in row.references]
        source = "" if row.source is None else "\0\0" + text_of(row.source)
        content = ("\0".join(texts) + source).encode("utf-8", "backslashreplace")
        digest = hashlib.blake2b(content, digest_size=8).hexdigest()
        times[digest] += 1
        yield digest if times[digest] == 1 else f"{digest}.{times[digest]}"


def _short(value: float) -> float | int:
    """Whole numbers as integers, which halves the size of the file."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value


# Segments that break a rule


@dataclass(frozen=True)
class Contradiction:
    """A finding that a segment contradicts what it is compared with (`target`)."""

    item: str
    path: str | None
    line: int | None
    finding: Finding
    hypothesis: str
    target: str
    against: Against = "source"

    @property
    def sentence(self) -> str:
        """What is wrong, for readers."""
        return self.finding.sentence(self.against)

    @property
    def key(self) -> Key:
        """What makes it the same finding in another run: both texts, the kind, both spans."""
        spans = self.finding.hypothesis_text, self.finding.reference_text
        return self.hypothesis, self.target, self.finding.kind, *spans

    def to_dict(self) -> dict[str, Any]:
        finding = self.finding
        return {
            "item": self.item,
            "path": self.path,
            "line": self.line,
            "kind": finding.kind,
            "verdict": finding.verdict,
            "weight": finding.weight,
            "sentence": self.sentence,
            "hypothesis_text": finding.hypothesis_text,
            "target_text": finding.reference_text,
            "hypothesis_span": list(finding.hypothesis),
            "target_span": list(finding.reference),
            "hypothesis": self.hypothesis,
            "target": self.target,
        }


@dataclass(frozen=True)
class Offence:
    """A segment whose score by a metric is below the limit of a rule."""

    rule: str
    item: str
    path: str | None
    line: int | None
    score: float
    limit: float
    hypothesis: str
    target: str


def find_contradictions(
    rows: Sequence[Row],
    detector: Detector,
    against: Against,
    *,
    unread: Container[int] = (),
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Contradiction]:
    """Find the contradictions in each row, except in those at the places of `unread`.

    With several references, only the one that the row contradicts least counts.

    >>> rows = [Row("He paid 30 euros.", source="He paid 20 euros.", item="7")]
    >>> [contradiction] = find_contradictions(rows, Detector(), "source")
    >>> contradiction.item, contradiction.finding.kind, contradiction.finding.hypothesis_text
    ('7', 'money', '30 euros')
    """
    contradictions = []
    metric = Meaning(against=against)
    read = [(place, row) for place, row in enumerate(rows) if place not in unread]
    for begin in range(0, len(read), _BATCH):
        batch = read[begin : begin + _BATCH]
        segments = metric.check_rows([row for _, row in batch])
        for (place, row), (target, findings) in zip(
            batch, detector.least_contradicted(segments, threads), strict=True
        ):
            contradictions += [
                Contradiction(
                    *_place(row, place + 1), finding, text_of(row.hypothesis), target, against
                )
                for finding in findings
            ]
        progress(len(batch))
    return contradictions


def read_accepted(path: str | Path) -> frozenset[Key]:
    """Keys of contradictions and problems that the user accepts: lines of `gate -f jsonl`.

    Lines of the other tables of that output are skipped.
    """
    accepted: set[Key] = set()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = load_json(line)
            keys = _KEYS.get(row.get("table", "contradictions"))
            if keys is not None:
                accepted.add(tuple(str(row[key]) for key in keys))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = "this is not a contradiction as `otherwords gate -f jsonl` prints it"
            raise InputError(message, path=path, line=number) from error
    return frozenset(accepted)


def find_offences(
    rows: Sequence[Row],
    rule: str,
    metric: Metric,
    limit: float,
    *,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Offence]:
    """The rows whose score by the metric is below the limit of a rule."""
    how: dict[str, Any] = {"threads": threads, "any_language": any_language, "progress": progress}
    [scored] = evaluate(rows, {rule: metric}, find_problems=True, **how)
    scores = scored.segment_scores(rule, metric).tolist()
    return [
        Offence(
            rule, *_place(row, place), score, limit, text_of(row.hypothesis), _target(row, metric)
        )
        for place, (row, score) in enumerate(zip(rows, scores, strict=True), 1)
        if score < limit
    ]


def _place(row: Row, number: int) -> tuple[str, str | None, int | None]:
    return row.item or str(number), row.path, row.line


def _target(row: Row, metric: Metric) -> str:
    if metric.against == "source":
        return text_of(row.source or "")
    return text_of(row.references[0]) if row.references else ""


# Files


@dataclass(frozen=True)
class GateInput:
    """The rows of the system; the baseline's rows, or the file that its scores are stored in."""

    rows: list[Row]
    baseline: list[Row] | str | None = None

    @property
    def all_rows(self) -> list[Row]:
        return [*self.rows, *(self.baseline if isinstance(self.baseline, list) else ())]


def read_gate_input(
    system: str | None,
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
    rows: Sequence[str] = (),
    baseline: str | None = None,
    columns: Chosen | None = None,
) -> GateInput:
    """Read what a gate needs.

    `system` is FILE or NAME=FILE (text, WMT, or rows by its name: JSONL, CSV, ...), with `rows` the
    name of a system of these. `baseline` is a file of stored scores, another system's output, or
    with `rows` the name of another system. `columns` names the columns of rows.
    """
    file = None if baseline is None else split_name(baseline)[1]
    stored = file if file is not None and is_stored(file) else None
    if rows:
        every = read_inputs([], references, source, docs, rows, columns)
        return _from_rows(system, every, baseline, stored)
    if system is None:
        raise UsageError("no system output is given (a file, - for standard input, or `rows`)")
    files = [system, *([baseline] if baseline is not None and stored is None else [])]
    named = named_files(files)
    if columns and not any(map(_has_rows, named.values())):
        raise UsageError("`columns` does nothing without a file of rows")
    others = [path for path in (*references, source, docs) if path is not None]
    # The other files are read once with each system.
    if [*named.values(), *others * len(files)].count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    read = [
        _one_system(name, path, references, source, docs, columns) for name, path in named.items()
    ]
    return GateInput(read[0], read[1] if len(files) > 1 else stored)


def _from_rows(
    system: str | None, rows: Iterable[Row], baseline: str | None, stored: str | None
) -> GateInput:
    by_system = rows_by_system(rows)
    if not by_system:
        raise InputError("there is nothing to score: the files have no segments")
    before = None if stored is not None else baseline
    for name in (system, before):
        if name is not None and name not in by_system:
            kind = " (nor is it a stored baseline)" if os.path.exists(name) else ""
            raise UsageError(f"the rows have no system '{name}'{kind}; {near(name, by_system)}")
    if system is None:
        rest = [name for name in by_system if name != before]
        if len(rest) != 1:
            listed = ", ".join(by_system)
            raise UsageError(f"name the system to check; the rows are of: {listed}")
        [system] = rest
    if system == before:
        raise UsageError(f"'{system}' cannot be its own baseline")
    return GateInput(by_system[system], stored if before is None else by_system[before])


def _one_system(
    name: str,
    path: str,
    references: Sequence[str],
    source: str | None,
    docs: str | None,
    columns: Chosen | None,
) -> list[Row]:
    if _has_rows(path):
        rows = _with_texts(list(read_rows(path, columns=columns)), path, references, source, docs)
    else:
        rows = list(read_inputs([path], references, source, docs))
    if not rows:
        raise InputError(f"there is nothing to score: {name} has no segments")
    systems = list(dict.fromkeys(row.system for row in rows))
    if len(systems) > 1:
        named = [*systems[:3], *["..."] * (len(systems) > 3)]
        raise UsageError(
            f"{path} has {len(systems)} systems ({', '.join(named)}), and one is checked; name it "
            "and give the file with `rows`"
        )
    return [replace(row, system=name) for row in rows]


def _has_rows(path: str) -> bool:
    return named_kind(path) in ("jsonl", "json", "csv", "tsv", "parquet")


def _with_texts(
    rows: list[Row], path: str, references: Sequence[str], source: str | None, docs: str | None
) -> list[Row]:
    """Rows with references, source and document from text files with one line per row."""

    def lines(file: str) -> list[str]:
        texts = list(read_lines(file))
        if len(texts) != len(rows):
            message = f"there are {len(texts)} segments here and {len(rows)} rows in {path}"
            raise InputError(message, path=file)
        return texts

    def put(name: str, values: Iterable[Any]) -> None:
        for place, value in enumerate(values):
            row = rows[place]
            if getattr(row, name) not in ((), None, value):
                message = f"this row has its own {name}, which differs from the file given with it"
                raise InputError(message, path=row.path, line=row.line)
            rows[place] = replace(row, **{name: value})

    if references:
        put("references", zip(*map(lines, references), strict=True))
    for name, file in {"source": source, "doc": docs}.items():
        if file is not None:
            put(name, lines(file))
    return rows
