"""The tables of `otherwords meta` in every output format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from otherwords import __version__
from otherwords.cli.output import Format, align, latex_table, rendered, tsv_line
from otherwords.meta.judges import FEWEST, Agreement, Correlation, Tables
from otherwords.metrics.base import Metric

__all__ = ["render"]

MEAN = "human mean"


def render(found: Tables, metrics: Mapping[str, Metric], form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form,
        found,
        metrics,
        document=_document,
        records=_records,
        tsv=_tsv,
        latex=_latex,
        text=_text,
    )


def _text(found: Tables, metrics: Mapping[str, Metric]) -> Iterator[str]:
    for title, table in _tables(found):
        yield title
        yield from align(table)
        yield ""
    yield from found.notes
    yield from _signatures(metrics)


def _latex(found: Tables, metrics: Mapping[str, Metric]) -> Iterator[str]:
    for title, table in _tables(found):
        yield _comment(title)
        yield from latex_table(table)
    for line in (*found.notes, *_signatures(metrics)):
        yield _comment(line)


def _comment(line: str) -> str:
    """A line that LaTeX skips, and only one."""
    return "% " + tsv_line([line])


def _tables(found: Tables) -> Iterator[tuple[str, list[list[str]]]]:
    """The tables that have any line, with their titles."""
    human = found.human
    titles: list[tuple[str, Sequence[Agreement]]] = [
        (f"Table 1: Pearson of judges with each other, {human}, without controls", found.judges),
        (f"Table 2: Pearson of criteria with {human}", found.criteria),
        (f"Table 3: Pearson of metrics with {human}; judges without controls", found.metrics),
    ]
    for title, agreements in titles:
        if agreements:
            head = ["", "sentence", "rows", "system", "systems"]
            yield title, [head, *(_line(one, found.human) for one in agreements)]


def _line(agreement: Agreement, human: str) -> list[str]:
    sentence, system = agreement.sentence, agreement.system
    return [
        _name(agreement, human),
        _shown(sentence, "row"),
        str(sentence.size),
        _shown(system, "system"),
        str(system.size),
    ]


def _name(agreement: Agreement, human: str) -> str:
    if agreement.where:
        return f"{agreement.one} ({agreement.where})"
    if agreement.other == human:
        return agreement.one
    return f"{agreement.one}, {agreement.other or MEAN}"


def _shown(correlation: Correlation, what: str) -> str:
    if correlation.r is not None:
        return f"{correlation.r:.4f}"
    if correlation.size >= FEWEST:
        return "n/a (constant)"
    return f"n/a ({correlation.size} {what}{'' if correlation.size == 1 else 's'})"


def _document(found: Tables, metrics: Mapping[str, Metric]) -> dict[str, Any]:
    return {
        "otherwords": __version__,
        "human": found.human,
        "judges": [_between(one, "judge", "other") for one in found.judges],
        "criteria": [_between(one, "criterion", "with") for one in found.criteria],
        "metrics": [_between(one, "metric", "judge") for one in found.metrics],
        "notes": list(found.notes),
        "signatures": {label: metric.signature for label, metric in metrics.items()},
    }


def _between(agreement: Agreement, one: str, other: str) -> dict[str, Any]:
    where = {"where": agreement.where} if agreement.where else {}
    sentence, system = agreement.sentence, agreement.system
    return {
        one: agreement.one,
        other: agreement.other,
        **where,
        "sentence": {"pearson": sentence.r, "rows": sentence.size},
        "system": {"pearson": system.r, "systems": system.size},
    }


def _records(found: Tables, metrics: Mapping[str, Metric]) -> Iterator[dict[str, Any]]:
    document = _document(found, metrics)
    for table in ("judges", "criteria", "metrics"):
        for record in document[table]:
            signed = (
                {"signature": metrics[record["metric"]].signature} if "metric" in record else {}
            )
            yield {"table": table, **record, **signed}
    yield from ({"table": "notes", "note": note} for note in found.notes)


def _tsv(found: Tables, metrics: Mapping[str, Metric]) -> Iterator[str]:
    header = "table one other where sentence rows system systems signature".split()
    yield tsv_line(header)
    lines = {"judges": found.judges, "criteria": found.criteria, "metrics": found.metrics}
    for table, agreements in lines.items():
        for a in agreements:
            numbers = [_exact(a.sentence), a.sentence.size, _exact(a.system), a.system.size]
            signature = metrics[a.one].signature if table == "metrics" else ""
            yield tsv_line([table, a.one, a.other or MEAN, a.where, *numbers, signature])
    for note in found.notes:
        yield tsv_line(["notes", note, *[""] * (len(header) - 2)])


def _exact(correlation: Correlation) -> str:
    return "" if correlation.r is None else repr(correlation.r)


def _signatures(metrics: Mapping[str, Metric]) -> list[str]:
    return list(dict.fromkeys(metric.signature for metric in metrics.values()))
