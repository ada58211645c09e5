"""`otherwords pivot`: phrase tables in, paraphrases out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import Memory, Temporary, Threads
from otherwords.cli.output import check_output, emit_bytes, file_wanted
from otherwords.errors import UsageError
from otherwords.io.files import STDIN

if TYPE_CHECKING:
    from otherwords.engine import Engine
    from otherwords.phrases import Paraphrases, PhraseTable

__all__ = ["pivot_command"]

_PARQUET = b"PAR1"


class PivotFormat(StrEnum):
    """Output formats of paraphrases."""

    parquet = "parquet"
    tsv = "tsv"


class Side(StrEnum):
    """Which side of the tables is English."""

    source = "source"
    target = "target"


class Average(StrEnum):
    """Over which languages the mean is taken."""

    known = "known"
    all = "all"


def pivot_command(
    tables: Annotated[
        list[str],
        typer.Argument(
            help="Phrase tables, Parquet or Moses text. NAME=FILE names the pivot language; "
            "tables of one language are added up.",
            metavar="[NAME=]TABLE...",
        ),
    ],
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write here; TSV is printed without it.")
    ] = None,
    form: Annotated[
        PivotFormat | None, typer.Option("--format", "-f", help="Output format.")
    ] = None,
    english: Annotated[
        Side, typer.Option("--english", help="The side of the tables that is English.")
    ] = Side.source,
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="NAME=NUMBER for each language; equal.")
    ] = None,
    average: Annotated[
        Average, typer.Option("--average", help="Mean over languages that know the phrase, or all.")
    ] = Average.known,
    identity: Annotated[
        bool, typer.Option("--identity", help="Keep a phrase as its own paraphrase.")
    ] = False,
    sets: Annotated[
        bool, typer.Option("--sets", help="Sets of phrases that share a foreign phrase.")
    ] = False,
    min_count: Annotated[
        int, typer.Option("--min-count", help="Times a phrase pair was seen.", min=1)
    ] = 1,
    min_step: Annotated[
        float, typer.Option("--min-step", help="Least p(f|e1) and p(e2|f).", min=0, max=1)
    ] = 0.0,
    max_length: Annotated[
        int | None, typer.Option("--max-length", help="Words of an English phrase.", min=1)
    ] = None,
    min_probability: Annotated[
        float, typer.Option("--min-probability", help="Least p(e2|e1).", min=0, max=1)
    ] = 0.0,
    top: Annotated[
        int | None, typer.Option("--top", help="Paraphrases of a phrase, the best.", min=1)
    ] = None,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Find paraphrases: English phrases that share foreign translations."""
    from otherwords.engine import Engine
    from otherwords.phrases import Pruning, paraphrase_sets, pivot

    form = form or _form(output)
    if form is PivotFormat.parquet:
        file_wanted(output)
    if sets and (weight or identity or average is not Average.known):
        raise UsageError("--sets has no --weight, --average or --identity")
    pruning = Pruning(min_count, min_step, max_length, min_probability, top)
    languages = _by_language(tables)
    check_output(output, *(file for files in languages.values() for file in files))
    weights = _weights(weight)
    with Engine(threads=threads, memory_gb=memory, temporary=temporary) as engine:
        opened = {
            name: [_opened(file, engine) for file in files] for name, files in languages.items()
        }
        to_file = form is PivotFormat.parquet
        path = str(output) if to_file else str(engine.folder / "result.parquet")
        if sets:
            found = paraphrase_sets(opened, path, engine=engine, english=english, pruning=pruning)
        else:
            found = pivot(
                opened,
                path,
                engine=engine,
                english=english,
                weights=weights,
                average=average,
                identity=identity,
                pruning=pruning,
            )
        if not to_file:
            emit_bytes(_lines(found), output)
    return 0


def _form(output: str | None) -> PivotFormat:
    """TSV for the terminal, for pipes and for names that say so; else Parquet."""
    text = output is None or output == STDIN or output.endswith((".tsv", ".tsv.gz", ".txt"))
    return PivotFormat.tsv if text else PivotFormat.parquet


def _by_language(tables: Sequence[str]) -> dict[str, list[str]]:
    """Files by pivot language; one without a name is a language of its own."""
    languages: dict[str, list[str]] = {}
    for place, table in enumerate(tables, 1):
        name, equals, file = table.partition("=")
        if not equals or "/" in name:
            name, file = f"table{place}", table
        if not name or not file:
            raise UsageError(f"a table is FILE or NAME=FILE, not '{table}'")
        languages.setdefault(name, []).append(file)
    return languages


def _weights(weights: Sequence[str] | None) -> dict[str, float] | None:
    if not weights:
        return None
    found = {}
    for weight in weights:
        name, equals, value = weight.partition("=")
        try:
            found[name] = float(value)
        except ValueError as error:
            raise UsageError(f"a weight is NAME=NUMBER, not '{weight}'") from error
        if not equals:
            raise UsageError(f"a weight is NAME=NUMBER, not '{weight}'")
    return found


def _opened(file: str, engine: Engine) -> PhraseTable:
    """A table as it is, or Moses text turned into one."""
    from otherwords.phrases import PhraseTable, read_moses

    if _is_parquet(file):
        return PhraseTable.open(file)
    place = sum(1 for _ in engine.folder.glob("moses-*.parquet"))
    return read_moses(file, engine.folder / f"moses-{place}.parquet")


def _is_parquet(file: str) -> bool:
    # A pipe can be read only once; what cannot be opened is told by the reader of text.
    if not Path(file).is_file():
        return False
    with open(file, "rb") as raw:
        return raw.read(len(_PARQUET)) == _PARQUET


def _lines(found: Paraphrases) -> Iterator[bytes]:
    """The rows with tabs between the columns, below their names."""
    yield ("\t".join(found.columns) + "\n").encode()
    for batch in found.batches():
        columns = (column.to_pylist() for column in batch.columns)
        rows = zip(*columns, strict=True)
        yield "".join(
            "\t".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows
        ).encode()
