"""The tables of `otherwords meta --paper paraeval` in every output format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from otherwords import __version__
from otherwords.cli.meta_paraeval import Findings
from otherwords.cli.output import Format, align, latex_table, rendered, tsv_line
from otherwords.meta.paraeval import COEFFICIENTS, Line
from otherwords.stats.drawn import FEWEST
from otherwords.stats.estimates import Estimate

__all__ = ["render"]

_POINTS = {"system": "systems", "segment": "rows"}


def render(found: Findings, form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form,
        found,
        document=_document,
        records=_records,
        tsv=_tsv,
        latex=_latex,
        text=_text,
    )


def _text(found: Findings) -> Iterator[str]:
    for title, table in _tables(found):
        yield title
        yield from align(table) if table else ()
        yield ""
    yield _about_intervals(found)
    yield from found.notes
    yield from found.signatures


def _latex(found: Findings) -> Iterator[str]:
    for title, table in _tables(found):
        yield _comment(title)
        yield from latex_table(table) if table else ()
    for line in (_about_intervals(found), *found.notes, *found.signatures):
        yield _comment(line)


def _comment(line: str) -> str:
    return "% " + tsv_line([line])


def _tables(found: Findings) -> Iterator[tuple[str, list[list[str]]]]:
    """A table for each human score and level; none where no line has enough points."""
    for human in found.judged.human:
        mine = [line for line in found.lines if line.human == human]
        for level, names in COEFFICIENTS.items():
            title = f"{level.capitalize()} level, {human}"
            most = max(line.estimates[level, names[0]].size for line in mine)
            if most < FEWEST:
                yield f"{title}: {_few(most, _POINTS[level])}", []
                continue
            head = ["", *names, _POINTS[level]]
            yield title, [head, *(_cells(found, line, level) for line in mine)]


def _cells(found: Findings, line: Line, level: str) -> list[str]:
    estimates = [line.estimates[level, name] for name in COEFFICIENTS[level]]
    shown = [_cell(found, one, _POINTS[level]) for one in estimates]
    return [_label(found, line), *shown, str(estimates[0].size)]


def _label(found: Findings, line: Line) -> str:
    label, reference = line.variant.label, line.variant.reference
    if reference is not None:
        return f"{label}, reference {reference}"
    single = any(one.variant.reference is not None for one in found.lines)
    return f"{label}, all references" if single else label


def _cell(found: Findings, one: Estimate, points: str) -> str:
    if one.value is None:
        return _few(one.size, points) if one.size < FEWEST else "n/a (constant)"
    value = one.mean if found.resampling.kind == "paper" and one.mean is not None else one.value
    around = "n/a" if one.low is None else f"{one.low:.4f}, {one.high:.4f}"
    return f"{value:.4f} [{around}]"


def _few(size: int, points: str) -> str:
    return f"n/a ({size} {points[:-1] if size == 1 else points})"


def _about_intervals(found: Findings) -> str:
    how, judged = found.resampling, found.judged
    drawn = f"{how.resamples} draws of {judged.size} {judged.unit}"
    if how.kind == "percentile":
        return f"intervals: {how.confidence:.4g} of {drawn}, scores and human scores drawn together"
    return (
        f"figures: means over {drawn}, compared with the human scores of the whole set; intervals: "
        f"Student's t of that mean, {how.confidence:.4g}, as the paper has them (too narrow)"
    )


def _document(found: Findings) -> dict[str, Any]:
    how, judged = found.resampling, found.judged
    return {
        "otherwords": __version__,
        "paper": "paraeval",
        "interval": {
            "kind": how.kind,
            "confidence": how.confidence,
            "resamples": how.resamples,
            "seed": how.seed,
            "drawn": judged.unit,
            "size": judged.size,
        },
        "lines": [_record(line) for line in found.lines],
        "notes": list(found.notes),
        "signatures": found.signatures,
    }


def _record(line: Line) -> dict[str, Any]:
    levels: dict[str, Any] = {}
    for level, names in COEFFICIENTS.items():
        estimates = {name: line.estimates[level, name] for name in names}
        levels[level] = {name: _numbers(one) for name, one in estimates.items()}
        levels[level][_POINTS[level]] = next(iter(estimates.values())).size
    label, reference = line.variant.label, line.variant.reference
    return {"human": line.human, "metric": label, "reference": reference, **levels}


def _numbers(one: Estimate) -> dict[str, float | int | None]:
    return {
        "value": one.value,
        "mean": one.mean,
        "low": one.low,
        "high": one.high,
        "draws": one.defined,
    }


def _records(found: Findings) -> Iterator[dict[str, Any]]:
    for line in found.lines:
        yield {"table": "lines", **_record(line), "signature": found.signature(line)}
    yield from ({"table": "notes", "note": note} for note in found.notes)


def _tsv(found: Findings) -> Iterator[str]:
    """A line a coefficient, so that a spreadsheet can turn it as it likes."""
    header = "human metric reference level coefficient value mean low high points signature".split()
    yield tsv_line(header)
    for line in found.lines:
        variant = line.variant
        reference = "all" if variant.reference is None else variant.reference
        for (level, name), one in line.estimates.items():
            numbers = [
                "" if n is None else repr(n) for n in (one.value, one.mean, one.low, one.high)
            ]
            left = [line.human, variant.label, reference, level, name]
            yield tsv_line([*left, *numbers, one.size, found.signature(line)])
    for note in found.notes:
        yield tsv_line(["notes", note, *[""] * (len(header) - 2)])
