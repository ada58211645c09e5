"""The results of `otherwords paradigm overlap` in every output format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from otherwords import __version__
from otherwords.cli.output import Format, align, latex_table, rendered, tsv_line
from otherwords.cli.paradigm_tables import human_document, human_table
from otherwords.diagnostics.paradigm_stages import GrammarOverlap, Matched, Matching
from otherwords.diagnostics.table7 import Human, correlations
from otherwords.grammar.shared_rules import TYPES, Share

__all__ = ["OverlapFindings", "render"]

GOLD = "(gold)"


@dataclass(frozen=True)
class OverlapFindings:
    """All that one run has to say."""

    grammars: Mapping[str, GrammarOverlap]
    settings: str
    by_type: bool
    feature: str | None
    human: Human

    @property
    def matchings(self) -> list[Matching]:
        """When rules were the same."""
        return [one.matching for one in next(iter(self.grammars.values())).whole]

    @property
    def signature(self) -> str:
        """Version and options."""
        return f"paradigm-overlap|v:1|{self.settings}"

    @property
    def correlations(self) -> dict[str, dict[str, float | None]]:
        """Spearman of precision and recall with human scores."""
        scores: dict[str, dict[str, float | None]] = {}
        for name, found in self.grammars.items():
            for one in found.whole:
                for what in ("precision", "recall"):
                    value = getattr(one.overlap.total, what)
                    scores.setdefault(f"{what}, {one.matching}", {})[name] = value
        return correlations(scores, self.human) if self.human else {}


def render(found: OverlapFindings, form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form, found, document=_document, records=_records, tsv=_tsv, latex=_latex, text=_text
    )


def _text(found: OverlapFindings) -> Iterator[str]:
    for title, table in _tables(found):
        yield title
        yield from align(table)
        yield ""
    yield found.signature


def _latex(found: OverlapFindings) -> Iterator[str]:
    for title, table in _tables(found):
        yield "% " + tsv_line([title])
        yield from latex_table(table)
    yield "% " + found.signature


def _tables(found: OverlapFindings) -> Iterator[tuple[str, list[list[str]]]]:
    """The paper's Tables 3 and 4 side by side, precision; Tables 5 and 7, Figure 4 if wanted."""
    columns = [str(matching) for matching in found.matchings]
    first = next(iter(found.grammars.values()))
    sizes = [f"{one.overlap.total.gold:,}" for one in first.whole]
    yield (
        "rules of the gold grammar that each has (relative recall)",
        [
            ["grammar", "rules", *columns],
            [GOLD, "", *sizes],
            *(
                [name, f"{one.rules:,}", *(_recalled(part.overlap.total) for part in one.whole)]
                for name, one in found.grammars.items()
            ),
        ],
    )
    yield (
        "lower bound on precision",
        [
            ["grammar", *columns],
            *(
                [name, *(f"{part.overlap.total.precision:.4f}" for part in one.whole)]
                for name, one in found.grammars.items()
            ),
        ],
    )
    if found.by_type:
        yield from _types(found)
    if found.feature is not None:
        yield f"{found.feature}: ever more rules", _sweep(found)
    if found.human:
        yield human_table(found.correlations)


def _recalled(share: Share) -> str:
    return f"{share.common:,} ({share.recall:.1%})"


def _types(found: OverlapFindings) -> Iterator[tuple[str, list[list[str]]]]:
    types = list(reversed(TYPES))  # as the paper has them
    for place, matching in enumerate(found.matchings):
        each = {name: one.whole[place].overlap.types for name, one in found.grammars.items()}
        gold = next(iter(each.values()))
        yield (
            f"by type, {matching}",
            [
                ["grammar", *types],
                [GOLD, *(f"{gold[kind].gold:,}" for kind in types)],
                *(
                    [name, *(_recalled(mine[kind]) for kind in types)]
                    for name, mine in each.items()
                ),
            ],
        )


def _sweep(found: OverlapFindings) -> list[list[str]]:
    rows = [["grammar", "matching", "threshold", "rules", "precision", "recall"]]
    for name, one in found.grammars.items():
        for part in one.sweep:
            share = part.overlap.total
            numbers = [f"{part.threshold:g}", f"{share.grammar:,}"]
            scores = [f"{share.precision:.4f}", f"{share.recall:.4f}"]
            rows.append([name, str(part.matching), *numbers, *scores])
    return rows


def _document(found: OverlapFindings) -> dict[str, Any]:
    document: dict[str, Any] = {
        "otherwords": __version__,
        "signature": found.signature,
        "grammars": [
            {
                "grammar": name,
                "rules": one.rules,
                "overlap": [_part(part) for part in one.whole],
                **({"sweep": [_part(part) for part in one.sweep]} if found.feature else {}),
            }
            for name, one in found.grammars.items()
        ],
    }
    return document | human_document(found.correlations)


def _part(one: Matched) -> dict[str, Any]:
    at = {} if one.threshold is None else {"threshold": one.threshold}
    shares = {"all": one.overlap.total, **one.overlap.types}
    counted = {name: _numbers(share) for name, share in shares.items()}
    matching = "strict" if one.matching.strict else "non-strict"
    return {"matching": matching, "min_count": one.matching.min_count, **at, **counted}


def _numbers(share: Share) -> dict[str, Any]:
    return asdict(share) | {"precision": share.precision, "recall": share.recall}


def _records(found: OverlapFindings) -> Iterator[dict[str, Any]]:
    for name, one in found.grammars.items():
        for part in (*one.whole, *one.sweep):
            for kind, share in (("all", part.overlap.total), *part.overlap.types.items()):
                yield {
                    "grammar": name,
                    "rules": one.rules,
                    "matching": "strict" if part.matching.strict else "non-strict",
                    "min_count": part.matching.min_count,
                    "threshold": part.threshold,
                    "type": kind,
                    "grammar_rules": share.grammar,
                    "gold_rules": share.gold,
                    "common": share.common,
                    "precision": share.precision,
                    "recall": share.recall,
                    "signature": found.signature,
                }


def _tsv(found: OverlapFindings) -> Iterator[str]:
    records = list(_records(found))
    yield tsv_line(records[0])
    for record in records:
        yield tsv_line("" if cell is None else cell for cell in record.values())
