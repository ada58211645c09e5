"""Pivoting phrase tables in files: `otherwords pivot`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import PARQUET, check_form, is_parquet
from otherwords.build.phrases.moses import read_moses
from otherwords.build.phrases.pivoting import Paraphrases, paraphrase_sets, pivot
from otherwords.build.phrases.pruning import Pruning
from otherwords.build.phrases.table import PhraseTable
from otherwords.errors import UsageError, near
from otherwords.io.files import Target, write_to

__all__ = ["PIVOT_FORMATS", "pivot_tables"]

PIVOT_FORMATS = ("tsv", PARQUET)
_TEXT = (".tsv", ".tsv.gz", ".txt")


def pivot_tables(
    tables: Mapping[str, Sequence[str]],
    output: Target,
    *,
    engine: Engine,
    form: str | None = None,
    english: str = "source",
    weights: Mapping[str, float] | None = None,
    average: str = "known",
    identity: bool = False,
    sets: bool = False,
    pruning: Pruning | None = None,
) -> None:
    """Write the paraphrases of the phrase tables (Parquet or Moses text) of each pivot language.

    `sets` writes the sets of phrases that share a foreign phrase instead. `form` is `tsv` or
    `parquet`; unless given, TSV for an open file and names that say so, else Parquet. For the
    other options see `pivot`.
    """
    form = _form(form, output)
    if sets and (weights or identity or average != "known"):
        raise UsageError("sets of paraphrases have no weights, average or identity")
    opened = {name: [_opened(one, engine) for one in files] for name, files in tables.items()}
    path = str(output) if form == PARQUET else str(engine.folder / "result.parquet")
    if sets:
        found = paraphrase_sets(opened, path, engine=engine, english=english, pruning=pruning)
    else:
        found = pivot(
            opened,
            path,
            engine=engine,
            english=english,
            weights=weights or None,
            average=average,
            identity=identity,
            pruning=pruning,
        )
    if form != PARQUET:
        with write_to(output) as file:
            file.writelines(_lines(found))


def _form(form: str | None, output: Target) -> str:
    if form is None:
        is_file = isinstance(output, (str, Path))
        form = PARQUET if is_file and not str(output).endswith(_TEXT) else "tsv"
    if form not in PIVOT_FORMATS:
        raise UsageError(f"unknown format '{form}'; {near(form, PIVOT_FORMATS)}")
    check_form(form, output)
    return form


def _opened(file: str, engine: Engine) -> PhraseTable:
    """A table as it is, or one read from Moses text."""
    if is_parquet(file):
        return PhraseTable.open(file)
    place = sum(1 for _ in engine.folder.glob("moses-*.parquet"))
    return read_moses(file, engine.folder / f"moses-{place}.parquet")


def _lines(found: Paraphrases) -> Iterator[bytes]:
    """The rows with tabs between the columns, below their names."""
    yield ("\t".join(found.columns) + "\n").encode()
    for batch in found.batches():
        columns = (column.to_pylist() for column in batch.columns)
        rows = zip(*columns, strict=True)
        yield "".join(
            "\t".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows
        ).encode()
