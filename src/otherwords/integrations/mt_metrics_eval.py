"""Scores of ours as files of mt-metrics-eval: `metric-scores/SRC-TGT/NAME-REF.{seg,sys}.score`.

Its test sets are read by `otherwords.corpus.read_rows`, its files of scores by `--scores`.
"""

from __future__ import annotations

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
    sets = [find_eval_sets(path, columns) for path in paths]
    found = [one for several in sets for one in several]
    if len(found) != 1 or not all(sets):
        raise UsageError(
            "metric-scores are of one language pair of a test set, such as --rows wmt22/en-de; "
            f"here are {len(found)}"
        )
    return found[0]


def write_metric_scores(results: Results, scored: EvalSet, folder: str | Path) -> list[Path]:
    """Write the scores of segments and of systems by each metric; the files that were written.

    `scored` is what was scored. Scores are written as the metric gives them, so those of `ter` are
    better if lower.
    """
    into = Path(folder) / "metric-scores" / scored.langs
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise InputError(message, path=str(into)) from error
    written = []
    for label, metric in results.shown.items():
        reference = "src" if metric.against == "source" else scored.reference_name
        name = into / f"{_checked(label)}-{reference}"
        segments = [
            (one.system, score)
            for one in results.systems
            for score in results.segment_scores(one, label).tolist()
        ]
        systems = [(one.system, results.cells[one.system, label].value) for one in results.systems]
        for level, scores in (("seg", segments), ("sys", systems)):
            path = Path(f"{name}.{level}.score")
            _write(path, scores)
            written.append(path)
    return written


def _write(path: Path, scores: Iterable[tuple[str, float | None]]) -> None:
    with atomic_write(path) as file:
        file.writelines(f"{_checked(system)}\t{score!r}\n".encode() for system, score in scores)


def _checked(name: str) -> str:
    if _UNSAFE.search(name):
        raise UsageError(f"'{name}' has a blank or a slash, which these files cannot hold")
    return name
