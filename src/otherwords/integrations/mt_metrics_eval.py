"""Write scores as files of mt-metrics-eval: `metric-scores/SRC-TGT/NAME-REF.{seg,sys}.score`.

Its test sets are read by `otherwords.corpus.read_rows`, its files of scores by `--scores`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from otherwords.corpus.formats import Chosen
from otherwords.corpus.parallel import EvalSet, find_eval_sets
from otherwords.errors import InputError, UsageError
from otherwords.io.files import atomic_write
from otherwords.scoring.results import Results

_UNSAFE = re.compile(r"[\s/\x00]")


def only_set(paths: Sequence[str], columns: Chosen | None = None) -> EvalSet:
    """The one language pair that these paths name; `columns` may choose its references."""
    by_path = [find_eval_sets(path, columns) for path in paths]
    sets = [eval_set for group in by_path for eval_set in group]
    if len(sets) != 1 or not all(by_path):
        raise UsageError(
            "metric-scores are of one language pair of a test set, such as --rows wmt22/en-de; "
            f"here are {len(sets)}"
        )
    return sets[0]


def write_metric_scores(results: Results, scored: EvalSet, folder: str | Path) -> list[Path]:
    """Write each metric's segment and system scores of the set `scored`, and return the paths.

    Scores keep the metric's direction: for `ter`, lower is better.
    """
    into = Path(folder) / "metric-scores" / scored.langs
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise InputError(message, path=str(into)) from error
    written = []
    for label, metric in results.metrics_and_parts.items():
        reference = "src" if metric.against == "source" else scored.reference_name
        name = into / f"{_check_name(label)}-{reference}"
        segments = [
            (output.system, None if math.isnan(score) else score)
            for output in results.systems
            for score in results.segment_scores(output, label).tolist()
        ]
        systems = [
            (output.system, results.cells[output.system, label].value) for output in results.systems
        ]
        for level, scores in (("seg", segments), ("sys", systems)):
            path = Path(f"{name}.{level}.score")
            _write(path, scores)
            written.append(path)
    return written


def _write(path: Path, scores: Iterable[tuple[str, float | None]]) -> None:
    with atomic_write(path) as file:
        file.writelines(f"{_check_name(system)}\t{score!r}\n".encode() for system, score in scores)


def _check_name(name: str) -> str:
    if _UNSAFE.search(name):
        raise UsageError(f"'{name}' has a blank or a slash, which these files cannot hold")
    return name
