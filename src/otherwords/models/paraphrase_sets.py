"""Paraphrase sets as `otherwords pivot --sets` writes them: phrases that share a foreign phrase.

ParaEval (§3.2) joins "all English phrases that have the same translation". A set is read as what
it came from, a foreign phrase with its English ones, so that it is clipped as one phrase (§3.3).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from otherwords.build.phrases.pivot_packing import pack
from otherwords.errors import InputError
from otherwords.io.files import STDIN, read_lines, starts_with
from otherwords.models import container
from otherwords.models.paraphrase_model import KIND, ParaphraseModel

__all__ = ["is_sets", "read_sets"]

COLUMNS = ["language", "foreign", "phrase", "probability", "count"]
_PARQUET = b"PAR1"

Row = tuple[str, str, str, float, int]


def is_sets(path: str | Path) -> bool:
    """Whether the first line says that the file has sets of paraphrases."""
    if str(path) == STDIN:
        return False
    with suppress(OSError, InputError):
        if starts_with(path, _PARQUET):
            from otherwords.build.engine.parquet import metadata_of, open_parquet

            with open_parquet(path, {}, "paraphrase table") as file:
                return metadata_of(file).get("kind") == "paraphrase-sets"
        return next(read_lines(path), "").split("\t") == COLUMNS
    return False


def read_sets(path: str | Path) -> ParaphraseModel:
    """The sets of each language as a pivot table, phrases in lower case as they are written.

    p(foreign | phrase) is the share of the phrase's counts, or the same for all its sets where
    there are none.
    """
    rows: dict[str, dict[tuple[str, str], tuple[float, int]]] = defaultdict(dict)
    for language, foreign, phrase, probability, count in _rows(path):
        before = rows[language].get((phrase.lower(), foreign), (0.0, 0))
        joined = min(before[0] + probability, 1.0), before[1] + count
        rows[language][phrase.lower(), foreign] = joined  # `A car` and `a car` are one phrase
    if not rows:
        raise InputError("there is no paraphrase set", path=path)
    arrays: dict[str, NDArray[Any]] = {}
    for language, pairs in sorted(rows.items()):
        totals: dict[str, int] = defaultdict(int)
        for (phrase, _), (_, count) in pairs.items():
            totals[phrase] += count
        packed = pack(
            [phrase for phrase, _ in pairs],
            [foreign for _, foreign in pairs],
            [totals[phrase] for phrase, _ in pairs],
            [count / totals[phrase] for (phrase, _), (_, count) in pairs.items()],
            [probability for probability, _ in pairs.values()],
        )
        arrays |= {f"pivot/{language}/{name}": array for name, array in packed.arrays.items()}
    return ParaphraseModel(container.in_memory(str(path), KIND, arrays, {}))


def _rows(path: str | Path) -> Iterator[Row]:
    if starts_with(path, _PARQUET):
        from otherwords.build.phrases.pivoting import Paraphrases

        for batch in Paraphrases.open(path).batches():
            for language, foreign, phrase, probability, count in zip(
                *(column.to_pylist() for column in batch.columns), strict=True
            ):
                yield language, foreign, phrase, probability, count or 1
        return
    lines = read_lines(path)
    next(lines, None)
    for number, line in enumerate(lines, 2):
        try:
            yield _row(line)
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from error


def _row(line: str) -> Row:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{len(cells)} columns; the first line names {len(COLUMNS)}")
    language, foreign, phrase, share, counted = cells
    if not (language.isidentifier() and foreign.strip() and phrase.strip()):
        raise ValueError("a language, a foreign phrase and a phrase are needed")
    try:
        probability, count = float(share), int(counted or 1)
    except ValueError as error:
        raise ValueError(f"'{share:.40}' and '{counted:.40}' must be numbers") from error
    if not (math.isfinite(probability) and 0 < probability <= 1 and count >= 1):
        raise ValueError(f"probability {share:.40} and count {counted:.40} are out of range")
    return language, foreign, phrase, probability, count
