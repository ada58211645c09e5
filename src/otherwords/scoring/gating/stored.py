"""The scores of one system with all that a paired test needs, kept in a file without its texts."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, OtherwordsError, UsageError
from otherwords.io.files import packed_write, read_bytes, starts_with
from otherwords.metrics.base import Array, Metric, text_of
from otherwords.scoring.seen import Familiarity, familiar
from otherwords.scoring.stream import GIVEN, evaluate

__all__ = ["StoredMetric", "StoredScores", "is_stored", "read_scores", "score_system"]

_KIND = "otherwords-baseline"
_VERSION = 1
_MAGIC = f'{{"{_KIND}":'.encode()
_HEAD = 4096
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class StoredMetric:
    """What one metric gave: the corpus score, and the statistics of the segments."""

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
                "signature": one.signature,
                "score": one.score,
                "statistics": [[_short(x) for x in column] for column in one.statistics.T.tolist()],
            }
            for label, one in self.metrics.items()
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
    name: str,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> StoredScores:
    """Score the rows of one system.

    >>> from otherwords.scoring.choice import choose_metrics
    >>> found = score_system([Row("a cat", ("the cat",))], choose_metrics("mup"), name="mine")
    >>> found.metrics["mup"].score, len(found.keys)
    (0.5, 1)
    """
    if not rows:
        raise InputError(f"there is nothing to score: {name} has no segments")
    keys = list(_content_keys(rows))
    if not metrics:
        return StoredScores(name, keys, {})
    together = [replace(row, system=name) for row in rows]
    [scored] = evaluate(
        together, metrics, threads=threads, any_language=any_language, progress=progress
    )
    given = GIVEN if scored.annotated else ""
    return StoredScores(
        name,
        keys,
        {
            label: StoredMetric(
                metric.aggregate(scored.statistics[label]),
                metric.signature + given,
                scored.statistics[label],
            )
            for label, metric in metrics.items()
        },
        familiar(metrics, [scored]),
    )


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
        document = json.loads(read_bytes(path))
        if document[_KIND] != _VERSION:
            raise _broken(name, f"its version is {document[_KIND]!r}, not {_VERSION}")
        keys, stored = [str(key) for key in document["keys"]], dict(document["metrics"])
        for label in metrics:
            if label not in stored:
                raise _lacking(name, label, stored)
        found = {
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
    return StoredScores(name, keys, found)


def _metric(stored: Any, segments: int, metric: Metric, where: str) -> StoredMetric:
    signature, score = str(stored["signature"]), float(stored["score"])
    statistics = np.array(stored["statistics"], dtype=np.float64).T
    if statistics.ndim != 2 or len(statistics) != segments or not np.isfinite(statistics).all():
        raise _broken(where, "its statistics do not fit its segments")
    # Only the same signature promises the same columns; another one is refused where it is used.
    if signature.removesuffix(GIVEN) == metric.signature:
        fits = statistics.shape[1] == len(metric.columns)
        again = metric.aggregate(statistics) if fits else math.nan
        if not math.isclose(again, score, rel_tol=1e-9, abs_tol=1e-9):
            raise _broken(where, "its score is not that of its statistics")
    return StoredMetric(score, signature, statistics)


def _broken(where: str, why: str) -> InputError:
    return InputError(f"this baseline cannot be read: {why}; save it again", path=where)


def _lacking(name: str, label: str, known: Iterable[str]) -> UsageError:
    return UsageError(f"{name} has no scores by {label}; it has: {', '.join(known) or 'none'}")


def _content_keys(rows: Sequence[Row]) -> Iterator[str]:
    """Hashes of references and source; of rows with the same ones, which of them it is."""
    times: Counter[str] = Counter()
    for row in rows:
        texts = [text_of(text) for text in row.references]
        source = "" if row.source is None else "\0\0" + text_of(row.source)
        content = ("\0".join(texts) + source).encode("utf-8", "backslashreplace")
        digest = hashlib.blake2b(content, digest_size=8).hexdigest()
        times[digest] += 1
        yield digest if times[digest] == 1 else f"{digest}.{times[digest]}"


def _short(value: float) -> float | int:
    """Counts without a point: a file of half the size."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value
