"""Meaning against words on the crossed set: examples/crossed.jsonl or another file like it.

    python -m bench.crossed [-m METRIC[:OPTION=VALUE,...] ...] [--file FILE] [--by kind|genre]

Every original has four candidates, {right, wrong} x {close, far}: its meaning is kept or changed,
in a light edit or in a thorough rewording. Each metric compares them with the original. Printed
are the share of originals whose right candidate is above the wrong one (a tie counts one half),
and how far the meaning and the words move the metric: the mean of right minus wrong and of close
minus far, in standard deviations of the metric over all candidates. Brackets are 95 % intervals
of 1,000 resamples of originals. Higher is better everywhere: the sign of TER is reversed.

    python -m bench.crossed -m otherwords-rewrite -m maxsim:alpha=0.5
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import otherwords
from bench.agreement import table
from otherwords.corpus.inputs import read_rows
from otherwords.errors import InputError, OtherwordsError
from otherwords.io.files import read_lines
from otherwords.metrics.registry import metric_class, option_names
from otherwords.scoring.choice import parse_settings
from otherwords.stats.intervals import percentiles
from otherwords.stats.resampling import resample

FILE = Path(__file__).parents[1] / "examples" / "crossed.jsonl"
METRICS = ("otherwords-rewrite", "meaning", "otherwords-mt", "maxsim", "chrf", "bleu", "pinc")
CANDIDATES = ("right-close", "right-far", "wrong-close", "wrong-far")
COMPARISONS = (
    ("right-far", "wrong-close"),
    ("right-far", "wrong-far"),
    ("right-close", "wrong-close"),
)
RESAMPLES = 1000


@dataclass(frozen=True)
class Item:
    """An original, its four candidates in the order of CANDIDATES, and what was changed."""

    name: str
    source: str
    texts: tuple[str, ...]
    kind: str
    genre: str


def read(path: Path) -> list[Item]:
    """The originals of a crossed set, each with exactly one candidate of every kind."""
    found: dict[str, dict[str, Any]] = {}
    extras = _extras(path)
    for row, extra in zip(read_rows(path), extras, strict=True):
        item = found.setdefault(str(row.item), {"source": row.source, **extra})
        if row.system not in CANDIDATES or row.system in item:
            message = f"'system' must be one of {', '.join(CANDIDATES)}, each once per item"
            raise InputError(f"{message}; found {row.system!r}", path=path, line=row.line)
        if row.source is None or row.source != item["source"]:
            raise InputError(f"item {row.item} needs one 'source'", path=path, line=row.line)
        item[row.system] = row.hypothesis
    for name, item in found.items():
        if absent := [one for one in CANDIDATES if one not in item]:
            raise InputError(f"item {name} has no {', '.join(absent)}", path=path)
    if not found:
        raise InputError("there are no rows here", path=path)
    return [
        Item(name, one["source"], tuple(one[c] for c in CANDIDATES), one["kind"], one["genre"])
        for name, one in found.items()
    ]


def _extras(path: Path) -> Iterator[dict[str, str]]:
    """What the reader of rows ignores: the kind of change and the genre."""
    for line in read_lines(path):
        if line.strip():
            row = json.loads(line)
            yield {key: str(row.get(key, "not given")) for key in ("kind", "genre")}


def scores(metric: str, items: Sequence[Item]) -> np.ndarray:
    """Scores by a metric such as `maxsim` or `maxsim:alpha=0.5`, one line per original."""
    name, _, settings = metric.partition(":")
    given = [one for one in settings.split(",") if one]
    options = {"against": "source", **parse_settings(given, option_names(metric_class(name)))}
    result = otherwords.score(
        name,
        [text for item in items for text in item.texts],
        sources=[item.source for item in items for _ in item.texts],
        **options,
    )
    sign = 1 if result.metric.traits.higher_is_better else -1
    return sign * result.segments.reshape(len(items), len(CANDIDATES))


def wins(found: np.ndarray, better: str, worse: str) -> np.ndarray:
    """For each original 1 if the first candidate is above the second, .5 if they are level.

    >>> wins(np.array([[3.0, 1.0, 2.0, 1.0], [3.0, 2.0, 2.0, 1.0]]), "right-far", "wrong-close")
    array([0. , 0.5])
    """
    difference = found[:, CANDIDATES.index(better)] - found[:, CANDIDATES.index(worse)]
    return (np.sign(difference) + 1) / 2


def moved(found: np.ndarray, side: str) -> float:
    """How far `right` against `wrong`, or `close` against `far`, moves a metric, in its sd.

    >>> moved(np.array([[2.0, 0.0, 2.0, 0.0]]), "close"), moved(np.ones((1, 4)), "right")
    (2.0, 0.0)
    """
    on = np.array([side in name.split("-") for name in CANDIDATES])
    spread = float(found.std())
    return float(found[:, on].mean() - found[:, ~on].mean()) / spread if spread else 0.0


def cell(values: np.ndarray, statistic: Callable[[np.ndarray], float] = np.mean) -> str:
    """A statistic of originals with its interval."""
    draws = [statistic(values[draw]) for draw in resample(len(values), RESAMPLES, seed=0)]
    low, high = percentiles(np.array(draws), 0.95)
    return f"{statistic(values):.2f} [{low:.2f}, {high:.2f}]"


def overall(measured: dict[str, np.ndarray]) -> None:
    """The table of all originals."""
    lines = [
        [
            metric,
            *(cell(wins(found, *pair)) for pair in COMPARISONS),
            *(
                cell(found, lambda some, side=side: moved(some, side))
                for side in ("right", "close")
            ),
        ]
        for metric, found in measured.items()
    ]
    header = ["metric", *(" > ".join(pair) for pair in COMPARISONS)]
    table([*header, "right - wrong, sd", "close - far, sd"], lines)


def by_group(measured: dict[str, np.ndarray], groups: Sequence[str], name: str) -> None:
    """One table per comparison, one line per kind of change or genre."""
    labels = np.array(groups)
    for pair in COMPARISONS:
        print(f"### {' > '.join(pair)}, by {name}\n")
        lines = [
            [
                group,
                str(np.sum(labels == group)),
                *(cell(wins(found[labels == group], *pair)) for found in measured.values()),
            ]
            for group in dict.fromkeys(groups)
        ]
        table([name, "originals", *measured], lines)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-m", "--metric", action="append", help=f"default: {', '.join(METRICS)}")
    parser.add_argument("--file", type=Path, default=FILE, help="default: examples/crossed.jsonl")
    parser.add_argument("--by", choices=("kind", "genre"), default="kind")
    given = parser.parse_args()
    items = read(given.file)
    measured = {metric: scores(metric, items) for metric in given.metric or METRICS}
    print(f"### {given.file.name}, {len(items)} originals, {len(items) * 4} candidates\n")
    overall(measured)
    by_group(measured, [getattr(item, given.by) for item in items], given.by)


if __name__ == "__main__":
    try:
        main()
    except OtherwordsError as error:
        print(f"bench.crossed: {error}", file=sys.stderr)
        sys.exit(2)
