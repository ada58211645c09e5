"""`otherwords controls`: originals in, artificial paraphrases with known scores out."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from otherwords.cli.output import check_output, emit_bytes
from otherwords.corpus.jsonl import parse_row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.training.controls import DEFAULT, Control, controls

__all__ = ["controls_command", "parse_kinds"]

Original = tuple[str | None, str]


def controls_command(
    originals: Annotated[
        str | None,
        typer.Argument(metavar="ORIGINALS", help="Text, a sentence a line; - is standard input."),
    ] = None,
    jsonl: Annotated[
        str | None, typer.Option("--jsonl", help="Judged rows: their sources are the originals.")
    ] = None,
    kinds: Annotated[
        str, typer.Option("--kinds", help="Of copy, random, unigram, shuffle, deleted; commas.")
    ] = ",".join(DEFAULT),
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draws.", min=0)] = 0,
    scale: Annotated[
        str, typer.Option("--scale", help="LOW:HIGH of your judgements.", metavar="LOW:HIGH")
    ] = "1:5",
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write here instead of printing.")
    ] = None,
) -> int:
    """Make control paraphrases with fixed scores for every original of a corpus (PEM §5.1)."""
    path = _only(originals, jsonl)
    check_output(output, path)
    wanted, ends = parse_kinds(kinds), _scale(scale)
    found = dict.fromkeys(_rows(path) if jsonl else _lines(path))
    if not found:
        raise InputError("there are no originals here", path=path)
    try:
        made = controls(found, kinds=wanted, seed=seed, scale=ends)
    except InputError as error:
        raise InputError(error.message, path=path) from error
    emit_bytes(_json(made, list(found)), output)
    _tell_missing(made, wanted, len(found))
    return 0


def _only(originals: str | None, jsonl: str | None) -> str:
    path = originals or jsonl
    if path is None or (originals and jsonl):
        raise UsageError("give either a file of originals (- for standard input) or --jsonl")
    return path


def parse_kinds(names: str) -> list[str]:
    """Kinds of controls, named with commas between them.

    >>> parse_kinds("copy, random")
    ['copy', 'random']
    """
    kinds = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not kinds:
        raise UsageError("no kind of control is named; for example --kinds copy,random")
    return kinds


def _scale(text: str) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in text.split(":"))
    except ValueError as error:
        raise UsageError(f"a scale is LOW:HIGH, for example 0:100, not '{text}'") from error
    return low, high


def _lines(path: str) -> Iterator[Original]:
    return ((None, line) for line in read_lines(path) if line and not line.isspace())


def _rows(path: str) -> Iterator[Original]:
    """Item and source of each row; the row's `id`, unlike its `item`, does not name an original."""
    for number, line in enumerate(read_lines(path), 1):
        if not line or line.isspace():
            continue
        row = parse_row(line, path, number)
        if row.source is None:
            raise InputError("no 'source': controls need the original", path=path, line=number)
        named = json.loads(line).get("item") not in (None, "")
        yield (row.item if named else None), str(row.source)


def _json(made: list[Control], originals: list[Original]) -> Iterator[bytes]:
    places = {original: place for place, original in enumerate(originals, 1)}
    for control in made:
        place = places[control.item, control.source]
        row = {
            "id": f"{place}:control-{control.kind}",
            "item": f"original:{place}" if control.item is None else control.item,
            "system": f"control-{control.kind}",
            "source": control.source,
            "hypothesis": control.hypothesis,
            "human": dict(control.scores),
        }
        yield (json.dumps(row, ensure_ascii=False) + "\n").encode()


def _tell_missing(made: list[Control], kinds: list[str], originals: int) -> None:
    counts = Counter(control.kind for control in made)
    for kind in kinds:
        if missing := originals - counts[kind]:
            print(f"{missing} of {originals} originals have no {kind} control", file=sys.stderr)
