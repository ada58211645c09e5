"""Judged rows, and human scores of systems: their files."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from otherwords.corpus.columns import Chosen
from otherwords.corpus.eval_sets import number_of
from otherwords.corpus.inputs import has_pairs, read_pairs, read_rows
from otherwords.corpus.rows import Pair, Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, paths_of, read_bytes
from otherwords.scoring.score_files import read_systems

__all__ = ["read_judged", "read_system_scores"]


def read_judged(paths: Sequence[str], columns: Chosen | None = None) -> list[Row] | list[Pair]:
    """The rows of files, or better/worse pairs if the first line is one.

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
    if paths and paths[0] != STDIN and has_pairs(paths[0], columns=columns):
        return list(chain.from_iterable(read_pairs(path, columns=columns) for path in paths))
    return list(chain.from_iterable(read_rows(path, columns=columns) for path in paths))


def read_system_scores(path: str) -> dict[str, float]:
    """Human scores by system: one JSON object of names and numbers, or mt-metrics-eval's
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
        document = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a JSON object of systems and scores: {error}", path=path) from error
    if not isinstance(document, dict) or not document:
        raise InputError("not a JSON object of systems and scores", path=path)
    scores = {name: number_of(name, value, path, None) for name, value in document.items()}
    return {name: score for name, score in scores.items() if not math.isnan(score)}
