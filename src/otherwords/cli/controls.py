"""`otherwords controls`: make artificial paraphrases with known scores from originals."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument, option
from otherwords.corpus.formats import parse_columns
from otherwords.errors import UsageError
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.training.controls import (
    CONTROL_KINDS,
    DEFAULT,
    make_controls,
    parse_kinds,
)
from otherwords.tables.tabular import Format


def controls_command(
    *,
    to: Destination,
    originals: str | None = argument(
        "Text, one sentence per line; - is standard input.", "ORIGINALS"
    ),
    jsonl: str | None = options.read(
        "Read rows; their sources are the originals.", "--rows", "--jsonl"
    ),
    columns: options.ColumnNames = None,
    kinds: str = option(
        f"Make these kinds, separated by commas: {', '.join(CONTROL_KINDS)}.",
        default=",".join(DEFAULT),
    ),
    seed: int | None = option("Set the seed of the controls (default: 0)."),
    scale: str = option("Write scores on this scale.", metavar="LOW:HIGH", default="1:5"),
) -> int:
    """Make control paraphrases with fixed scores for every original of a corpus (PEM §5.1)."""
    path = originals or jsonl
    if path is None or (originals and jsonl):
        raise UsageError("give either a file of originals (- for standard input) or --rows")
    to.check(path)
    options.refuse_idle(jsonl is not None, "--rows", columns=columns)
    result = make_controls(
        path,
        jsonl=jsonl is not None,
        columns=parse_columns(columns),
        kinds=parse_kinds(kinds),
        seed=options.or_default(seed, 0),
        scale=Scale.parse(scale),
    )
    to.show(result, default=Format.jsonl)
    return 0
