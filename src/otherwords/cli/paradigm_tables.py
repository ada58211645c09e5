"""The results of `otherwords paradigm coverage` in every output format, and Table 7's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from otherwords import __version__
from otherwords.cli.output import Format, align, latex_table, rendered, tsv_line
from otherwords.diagnostics.certainty import Estimate
from otherwords.diagnostics.pair_groups import PairGroup, pairs_of
from otherwords.diagnostics.paradigm import COVERAGE, Coverage
from otherwords.diagnostics.table7 import METRICS, Human, correlations
from otherwords.grammar.sync_parser import Verdict

__all__ = ["CoverageFindings", "Entry", "human_document", "human_table", "render"]

_Correlations = Mapping[str, Mapping[str, float | None]]
_LIMITS = (Verdict.steps, Verdict.time, Verdict.too_long)


@dataclass(frozen=True)
class Entry:
    """A grammar: its size, its coverage, and other metrics of what was made with it."""

    name: str
    rules: int
    estimates: Mapping[str, Estimate]
    covered: Coverage
    others: Mapping[str, float | None]

    @property
    def scores(self) -> dict[str, float | None]:
        """All scores."""
        mine = {name: self.estimates[name].value for name in COVERAGE}
        return mine | {name: self.others[name] for name in METRICS if name in self.others}


@dataclass(frozen=True)
class CoverageFindings:
    """All that one run has to say."""

    entries: Sequence[Entry]
    groups: Sequence[PairGroup]
    signature: str
    human: Human

    @property
    def correlations(self) -> _Correlations:
        """Spearman of all scores with human scores."""
        scores: dict[str, dict[str, float | None]] = {}
        for entry in self.entries:
            for name, value in entry.scores.items():
                scores.setdefault(name, {})[entry.name] = value
        return correlations(scores, self.human) if self.human else {}


def render(found: CoverageFindings, form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form, found, document=_document, records=_records, tsv=_tsv, latex=_latex, text=_text
    )


def human_table(found: _Correlations) -> tuple[str, list[list[str]]]:
    """Spearman's rho, a line a score, as Table 7 has it."""
    criteria = list(next(iter(found.values())))
    rows = [[name, *(_signed(rho[one]) for one in criteria)] for name, rho in found.items()]
    return "Spearman's rho with people", [["score", *criteria], *rows]


def human_document(found: _Correlations) -> dict[str, Any]:
    """The same for JSON; nothing without human scores."""
    return {"human": {name: dict(rho) for name, rho in found.items()}} if found else {}


def _signed(value: float | None) -> str:
    return "n/a" if value is None else f"{value:+.2f}"


def _text(found: CoverageFindings) -> Iterator[str]:
    for title, table in _tables(found):
        yield title
        yield from align(table)
        yield ""
    yield from _notes(found)


def _latex(found: CoverageFindings) -> Iterator[str]:
    for title, table in _tables(found):
        yield "% " + tsv_line([title])
        yield from latex_table(table)
    for note in _notes(found):
        yield "% " + tsv_line([note])


def _tables(found: CoverageFindings) -> Iterator[tuple[str, list[list[str]]]]:
    others = [name for name in METRICS if any(name in entry.others for entry in found.entries)]
    limits = [one for one in _LIMITS if any(e.covered.verdicts[one] for e in found.entries)]
    names = ["grammar", "rules", "% (all)", "% (any)", "length", *others, *limits]
    rows = [[*_cells(entry), *_other(entry, others, limits)] for entry in found.entries]
    yield "sentence pairs that each derives", [names, *rows]
    if found.human:
        yield human_table(found.correlations)


def _cells(entry: Entry) -> list[str]:
    shown = [_shown(entry.estimates[name], 1 if name == "length" else 100) for name in COVERAGE]
    return [entry.name, f"{entry.rules:,}", *shown]


def _shown(one: Estimate, times: float) -> str:
    if one.value is None:
        return "n/a"
    text = f"{times * one.value:.1f}"
    if one.interval is not None:
        text += f" ± {times * (one.interval.high - one.interval.low) / 2:.1f}"
    return text


def _other(entry: Entry, names: Sequence[str], limits: Sequence[Verdict]) -> list[str]:
    values = [entry.others.get(name) for name in names]
    counts = [str(entry.covered.verdicts[one]) for one in limits]
    return [*("n/a" if value is None else f"{value:.2f}" for value in values), *counts]


def _notes(found: CoverageFindings) -> Iterator[str]:
    pairs = pairs_of(found.groups)
    words = sum(len(pair.source) + len(pair.target) for pair in pairs)
    mean = words / (2 * len(pairs))
    yield f"{len(pairs):,} pairs in {len(found.groups):,} groups, {mean:.1f} words a sentence"
    if any(entry.covered.verdicts[one] for entry in found.entries for one in _LIMITS):
        yield "steps, time, too long: pairs that ran into a limit; they count as not derived"
    intervals = [one.interval for entry in found.entries for one in entry.estimates.values()]
    known = [one for one in intervals if one is not None]
    if known:
        yield f"±: half the {100 * known[0].confidence:g} % bootstrap interval over groups"
    yield found.signature


def _document(found: CoverageFindings) -> dict[str, Any]:
    document = {
        "otherwords": __version__,
        "signature": found.signature,
        "pairs": len(pairs_of(found.groups)),
        "groups": len(found.groups),
        "grammars": [_entry(entry) for entry in found.entries],
    }
    return document | human_document(found.correlations)


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "grammar": entry.name,
        "rules": entry.rules,
        "scores": {name: _numbers(one) for name, one in entry.estimates.items()}
        | {name: {"score": value} for name, value in entry.others.items()},
        "verdicts": {verdict.value: count for verdict, count in entry.covered.verdicts.items()},
        "steps": entry.covered.steps,
    }


def _numbers(one: Estimate) -> dict[str, Any]:
    around = {} if one.interval is None else {"interval": asdict(one.interval)}
    return {"score": one.value, **around}


def _records(found: CoverageFindings) -> Iterator[dict[str, Any]]:
    for entry in found.entries:
        yield {**_entry(entry), "signature": found.signature}


def _tsv(found: CoverageFindings) -> Iterator[str]:
    yield tsv_line(["grammar", "rules", "metric", "score", "low", "high", "signature"])
    for entry in found.entries:
        for name, value in entry.scores.items():
            around = entry.estimates[name].interval if name in entry.estimates else None
            numbers = [value, *((around.low, around.high) if around else (None, None))]
            cells = ["" if number is None else repr(number) for number in numbers]
            yield tsv_line([entry.name, entry.rules, name, *cells, found.signature])
