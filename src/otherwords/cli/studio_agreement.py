"""`otherwords studio agreement`: how far two annotators agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from otherwords.cli.options import Output
from otherwords.cli.output import (
    Format,
    align,
    check_output,
    emit,
    latex_table,
    rendered,
    tsv_line,
)
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.diagnostics.annotators import Aligned, Statistic
    from otherwords.studio.alignment_rows import Annotator

__all__ = ["agreement_command"]

LINKS = {"sure": ("sure",), "sure and possible": ("sure", "possible")}
TITLES = {
    "c-words": "Kupper-Hafner's C, words",
    "c-links": "Kupper-Hafner's C, sentence pairs",
    "c-phrases": "Kupper-Hafner's C, basic phrase pairs",
    "kappa": "Cohen's kappa, word pairs",
    "precision": "precision of the second",
    "recall": "recall of the second",
    "f1": "F1",
}


@dataclass(frozen=True)
class Findings:
    """What was compared, and the statistics by kind of link."""

    annotators: tuple[str, str]
    rows: int
    statistics: dict[str, dict[str, Statistic]]
    signature: str


def agreement_command(
    first: Annotated[str, typer.Argument(metavar="[NAME=]LOG", help="A log of `studio align`.")],
    second: Annotated[
        str | None, typer.Argument(metavar="[[NAME=]LOG]", help="Another one; or one has two.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Rows that are not marked as done as well.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
) -> int:
    """Compare the alignments of two annotators.

    One log may have both. Only rows that both have done are compared.
    """
    from otherwords import __version__
    from otherwords.diagnostics.annotators import annotator_agreement
    from otherwords.studio.alignment_rows import find_two

    check_output(output, first, second)
    one, other = find_two(first, second or first)
    rows = _rows(one, other, everything)
    found = Findings(
        (one.name, other.name),
        len(rows),
        {
            name: annotator_agreement([_aligned(one, other, row, marks) for row in rows])
            for name, marks in LINKS.items()
        },
        f"annotators|rows:{'all' if everything else 'done'}|v:{__version__}",
    )
    lines = rendered(
        form, found, document=_document, records=_records, tsv=_tsv, latex=_latex, text=_text
    )
    emit(lines, output)
    return 0


def _rows(one: Annotator, other: Annotator, everything: bool) -> list[int]:
    from otherwords.studio.alignment_rows import done_by_both

    if everything:
        return list(range(len(one.log.rows)))
    done = done_by_both(one, other)
    if not done:
        raise UsageError(
            f"no row is done by both {one.name} and {other.name}; --all compares all rows"
        )
    return done


def _aligned(one: Annotator, other: Annotator, row: int, kept: tuple[str, ...]) -> Aligned:
    from otherwords.diagnostics.annotators import Aligned

    first, second = (
        frozenset(link for link, mark in who.marks(row).items() if mark in kept)
        for who in (one, other)
    )
    height, width = map(len, one.log.rows[row].sides)
    return Aligned(height, width, first, second)


def _document(found: Findings) -> dict[str, Any]:
    return {
        "signature": found.signature,
        "annotators": found.annotators,
        "rows": found.rows,
        "links": {
            links: {name: asdict(one) for name, one in statistics.items()}
            for links, statistics in found.statistics.items()
        },
    }


def _records(found: Findings) -> Iterator[dict[str, Any]]:
    first, second = found.annotators
    for links, statistics in found.statistics.items():
        for name, one in statistics.items():
            place = {"first": first, "second": second, "links": links, "statistic": name}
            yield {**place, **asdict(one), "signature": found.signature}


def _tsv(found: Findings) -> Iterator[str]:
    names = ["first", "second", "links", "statistic", "value", "observed", "expected", "units"]
    yield tsv_line([*names, "reason", "signature"])
    for record in _records(found):
        cells = [record[name] for name in (*names, "reason", "signature")]
        yield tsv_line(["" if cell is None else cell for cell in cells])


def _table(found: Findings) -> list[list[str]]:
    rows = [
        [title, *(_shown(statistics[name]) for statistics in found.statistics.values())]
        for name, title in TITLES.items()
    ]
    return [["agreement", *found.statistics], *rows]


def _shown(one: Statistic) -> str:
    return "n/a" if one.value is None else f"{one.value:.4f}"


def _latex(found: Findings) -> Iterator[str]:
    yield from latex_table(_table(found))


def _text(found: Findings) -> Iterator[str]:
    first, second = found.annotators
    yield f"{first} and {second}: {found.rows} rows"
    yield from align(_table(found))
    reasons = {
        f"n/a ({links}, {name}): {one.reason}"
        for links, statistics in found.statistics.items()
        for name, one in statistics.items()
        if one.reason is not None
    }
    yield from sorted(reasons)
    yield f"signature: {found.signature}"
