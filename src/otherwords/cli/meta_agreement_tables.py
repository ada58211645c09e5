"""The tables of `otherwords meta` in every output format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from otherwords import __version__
from otherwords.cli.output import Format, align, latex_table, rendered, tsv_line
from otherwords.meta.comparison import Difference
from otherwords.meta.evaluation import Agreement, Evaluation
from otherwords.meta.levels import BETTER_WORSE
from otherwords.stats.estimates import Estimate

__all__ = ["distributions", "render"]

POINTS = {"segment": "rows", "system": "systems"}
Table = list[list[str]]


def render(found: Evaluation, form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form, found, document=_document, records=_records, tsv=_tsv, latex=_latex, text=_text
    )


def distributions(found: Evaluation) -> Iterator[bytes]:
    """All draws, a JSON object a line for each metric, level and coefficient."""
    for one in found.metrics:
        for (level, name), estimate in one.estimates.items():
            if estimate.draws is not None:
                draws = [float(x) if np.isfinite(x) else None for x in estimate.draws]
                record = {"metric": one.label, "level": level, "coefficient": name, "draws": draws}
                yield (json.dumps(record, ensure_ascii=False) + "\n").encode()


def _text(found: Evaluation) -> Iterator[str]:
    for title, table in _tables(found):
        yield title
        yield from align(table) if table else ()
        yield ""
    yield from _remarks(found)


def _latex(found: Evaluation) -> Iterator[str]:
    for title, table in _tables(found):
        yield _comment(title)
        yield from latex_table(table) if table else ()
    yield from map(_comment, _remarks(found))


def _comment(line: str) -> str:
    return "% " + tsv_line([line])


def _remarks(found: Evaluation) -> list[str]:
    """All that must be known to read the tables."""
    remarks = []
    if found.resampling is not None and found.size > 1:
        how = found.resampling
        remarks.append(
            f"intervals: {how.confidence:.4g} of {how.resamples} draws of {found.size} {found.unit}"
        )
    if found.group != "none":
        remarks.append(f"segment level: means over the coefficients of each {_singular(found)}")
    thresholds = [f"{one.label} {one.threshold:.4g}" for one in found.metrics if one.threshold]
    if thresholds:
        remarks.append(f"accuracy ties scores that differ by no more than: {', '.join(thresholds)}")
    compared = len({(one.one, one.other) for one in found.differences})
    if compared:
        several = f", adjusted for {compared} comparisons (Holm)" if compared > 1 else ""
        remarks.append(f"p-values are two-sided{several}")
    return [*remarks, *found.notes, *_signatures(found)]


def _singular(found: Evaluation) -> str:
    return {"item": "item", "system": "system", "langs": "language pair"}[found.group]


def _signatures(found: Evaluation) -> list[str]:
    drawn = ""
    if found.resampling is not None:
        drawn = f"|{found.resampling.signature(found.unit)}"
    return list(dict.fromkeys(f"{one.signature}{drawn}" for one in found.metrics))


def _tables(found: Evaluation) -> Iterator[tuple[str, Table]]:
    for level, names in found.coefficients.items():
        yield from _level(found, level, names)
    for level, names in found.coefficients.items():
        for name in names:
            mine = [
                one
                for one in found.differences
                if (one.level, one.coefficient) == (level, name) and one.value is not None
            ]
            if mine:
                yield f"Differences of {name}, {level} level", _differences(mine)
    if found.judges is not None:
        yield from _panel(found)


def _level(found: Evaluation, level: str, names: Sequence[str]) -> Iterator[tuple[str, Table]]:
    """A table of one level; coefficients that no metric has are told in its title."""
    title = f"{level.capitalize()} level, {found.human}"
    shown: list[str] = []
    lacking: dict[str, list[str]] = {}
    for name in names:
        estimates = [one.estimates[level, name] for one in found.metrics]
        if all(one.value is None for one in estimates):
            lacking.setdefault(estimates[0].reason, []).append(name)
        else:
            shown.append(name)
    if not shown and len(lacking) == 1:
        yield f"{title}: n/a ({next(iter(lacking))})", []
        return
    for reason, several in lacking.items():
        title += f"; {', '.join(several)} n/a ({reason})"
    if not shown:
        yield title, []
        return
    counted = {"pairs" if name == BETTER_WORSE else POINTS[level]: name for name in shown}
    table = [["", *shown, *counted]]
    for one in found.metrics:
        sizes = [str(one.estimates[level, name].size) for name in counted.values()]
        table.append([one.label, *(_cell(one.estimates[level, name]) for name in shown), *sizes])
    yield title, table


def _cell(one: Estimate) -> str:
    if one.value is None:
        return f"n/a ({one.reason})"
    return f"{one.value:.4f}" + (f" [{one.low:.4f}, {one.high:.4f}]" if one.low is not None else "")


def _differences(differences: Sequence[Difference]) -> Table:
    tests = list(dict.fromkeys(test for one in differences for test in one.p))
    head = ["", "difference", *(f"p {test}" for test in tests)]
    return [head, *([_pair(one), _gap(one), *_p(one, tests)] for one in differences)]


def _pair(one: Difference) -> str:
    return f"{one.one} - {one.other}"


def _gap(one: Difference) -> str:
    interval = f" [{one.low:+.4f}, {one.high:+.4f}]" if one.low is not None else ""
    return f"{one.value:+.4f}{interval}"


def _p(one: Difference, tests: Sequence[str]) -> list[str]:
    return [f"{one.adjusted[test]:.4f}" if test in one.adjusted else "n/a" for test in tests]


def _panel(found: Evaluation) -> Iterator[tuple[str, Table]]:
    judges = found.judges
    if judges is None:
        return
    if judges.alpha and any(one.value is not None for one in judges.alpha.values()):
        lines = [[name, _cell(one), str(one.size)] for name, one in judges.alpha.items()]
        title = f"Krippendorff's alpha of {len(judges.judges)} judges, {found.human}"
        yield title, [["", "alpha", "rows"], *lines]
    for title, pairs in (
        ("Pearson of judges with each other", judges.pairs),
        ("Pearson of metrics with each judge", judges.metrics),
    ):
        lines = [
            [f"{one}, {other}", _cell(value), str(value.size)]
            for (one, other), value in pairs.items()
        ]
        if lines:
            yield f"{title}, {found.human}", [["", "pearson", "rows"], *lines]


def _document(found: Evaluation) -> dict[str, Any]:
    how = found.resampling
    drawn = None
    if how is not None:
        drawn = {
            "confidence": how.confidence,
            "resamples": how.resamples,
            "seed": how.seed,
            "drawn": found.unit,
            "size": found.size,
        }
    people = dict(zip(found.systems, map(_finite, found.system_people), strict=True))
    return {
        "otherwords": __version__,
        "human": found.human,
        "group": found.group,
        "interval": drawn,
        "rows": len(found.rows),
        "systems": people,
        "metrics": [_metric(found, one) for one in found.metrics],
        "differences": [_difference(one) for one in found.differences],
        "judges": _judges(found),
        "notes": list(found.notes),
        "signatures": _signatures(found),
    }


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _metric(found: Evaluation, one: Agreement) -> dict[str, Any]:
    levels: dict[str, dict[str, Any]] = {}
    for (level, name), estimate in one.estimates.items():
        levels.setdefault(level, {})[name] = _numbers(estimate)
    return {
        "metric": one.label,
        "higher_is_better": one.higher_is_better,
        "threshold": one.threshold,
        **levels,
        "systems": dict(zip(found.systems, map(_finite, one.systems), strict=True)),
        "signature": one.signature,
    }


def _numbers(one: Estimate) -> dict[str, Any]:
    found: dict[str, Any] = {"value": one.value, "size": one.size}
    if one.value is None:
        return {**found, "reason": one.reason}
    if one.low is not None:
        found |= {"mean": one.mean, "low": one.low, "high": one.high, "draws": one.defined}
    if one.groups > 1 or one.left_out:
        found |= {"groups": one.groups, "left_out": one.left_out}
    return found


def _difference(one: Difference) -> dict[str, Any]:
    return {
        "level": one.level,
        "coefficient": one.coefficient,
        "one": one.one,
        "other": one.other,
        "difference": one.value,
        "low": one.low,
        "high": one.high,
        "p": dict(one.p),
        "adjusted": dict(one.adjusted),
    }


def _judges(found: Evaluation) -> dict[str, Any] | None:
    if found.judges is None:
        return None
    judges = found.judges

    def listed(
        pairs: Mapping[tuple[str, str], Estimate], one: str, other: str
    ) -> list[dict[str, Any]]:
        return [{one: a, other: b, "pearson": _numbers(value)} for (a, b), value in pairs.items()]

    return {
        "names": list(judges.judges),
        "alpha": {name: _numbers(one) for name, one in judges.alpha.items()},
        "pairs": listed(judges.pairs, "one", "other"),
        "pairs_without_rows": judges.apart,
        "metrics": listed(judges.metrics, "metric", "judge"),
    }


def _records(found: Evaluation) -> Iterator[dict[str, Any]]:
    document = _document(found)
    for one in document["metrics"]:
        yield {"table": "metrics", "human": found.human, "group": found.group, **one}
    for one in document["differences"]:
        yield {"table": "differences", **one}
    if document["judges"] is not None:
        yield {"table": "judges", **document["judges"]}
    yield from ({"table": "notes", "note": note} for note in found.notes)


def _tsv(found: Evaluation) -> Iterator[str]:
    header = (
        "table level coefficient one other value mean low high size left_out test p adjusted remark"
    ).split()
    yield tsv_line(header)
    for one in found.metrics:
        for (level, name), estimate in one.estimates.items():
            yield _tsv_line("metrics", level, name, one.label, found.human, estimate, one.signature)
    for gap in found.differences:
        left = ["differences", gap.level, gap.coefficient, gap.one, gap.other]
        numbers = [_exact(gap.value), "", _exact(gap.low), _exact(gap.high), "", ""]
        tests = [[test, repr(p), repr(gap.adjusted[test])] for test, p in gap.p.items()]
        for test in tests or [["", "", ""]]:
            yield tsv_line([*left, *numbers, *test, ""])
    if found.judges is not None:
        for name, estimate in found.judges.alpha.items():
            yield _tsv_line("judges", "segment", f"alpha-{name}", "", "", estimate)
        for table, pairs in (("judges", found.judges.pairs), ("judges", found.judges.metrics)):
            for (a, b), estimate in pairs.items():
                yield _tsv_line(table, "segment", "pearson", a, b, estimate)
    for note in found.notes:
        yield tsv_line(["notes", *[""] * (len(header) - 2), note])


def _tsv_line(
    table: str, level: str, name: str, one: str, other: str, estimate: Estimate, remark: str = ""
) -> str:
    numbers = [_exact(n) for n in (estimate.value, estimate.mean, estimate.low, estimate.high)]
    size = [str(estimate.size), str(estimate.left_out)]
    remark = remark if estimate.value is not None else f"n/a ({estimate.reason})"
    return tsv_line([table, level, name, one, other, *numbers, *size, "", "", "", remark])


def _exact(value: float | None) -> str:
    return "" if value is None else repr(value)
