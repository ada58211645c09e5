"""`paradigm_overlap`: the overlap of grammars with a gold grammar (PARADIGM §4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from otherwords.build.grammar.shared_rules import Share, check_counts
from otherwords.build.grammar.table import TYPES, grammar_of
from otherwords.errors import UsageError
from otherwords.study.agreement.system_correlation import (
    Human,
    correlations,
    human_document,
    human_records,
    human_tables,
    read_human,
)
from otherwords.study.paradigm.stages import (
    GrammarOverlap,
    Matched,
    OverlapRules,
    OverlapWork,
    Resources,
    RuleMatching,
    Sweep,
    check_files,
)
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

GOLD = "(gold)"
COUNT_FEATURE = "count"
_GRAMMAR = Column("grammar", left=True)


@dataclass(frozen=True)
class OverlapResult(Tabular):
    """The overlap of grammars with a gold grammar, by each way to match rules."""

    grammars: Mapping[str, GrammarOverlap]
    signature: str
    by_type: bool
    feature: str | None
    human: Human

    @property
    def matchings(self) -> list[RuleMatching]:
        """The ways in which rules were matched."""
        return [matched.matching for matched in next(iter(self.grammars.values())).whole]

    @cached_property
    def correlations(self) -> dict[str, dict[str, Number]]:
        """Spearman's rho of precision and recall with human scores."""
        scores: dict[str, dict[str, float | None]] = {}
        for name, grammar in self.grammars.items():
            for matched in grammar.whole:
                for what in ("precision", "recall"):
                    value = getattr(matched.overlap.total, what)
                    scores.setdefault(f"{what}, {matched.matching}", {})[name] = value
        return correlations(scores, self.human)

    def tables(self) -> Iterator[Table]:
        matchings = [str(matching) for matching in self.matchings]
        first = next(iter(self.grammars.values()))
        rows: list[list[Cell]] = [[GOLD, "", *(part.overlap.total.gold for part in first.whole)]]
        for name, grammar in self.grammars.items():
            shares = [_recall(part.overlap.total) for part in grammar.whole]
            rows.append([name, grammar.rules, *shares])
        yield Table(
            "recall",
            [_GRAMMAR, Column("rules"), *map(Column, matchings)],
            rows,
            "rules shared with the gold grammar (relative recall)",
        )
        yield Table(
            "precision",
            [_GRAMMAR, *(Column(name, decimals=4, best="highest") for name in matchings)],
            [
                [name, *(part.overlap.total.precision for part in grammar.whole)]
                for name, grammar in self.grammars.items()
            ],
            "lower bound on precision",
        )
        if self.by_type:
            yield from self._types()
        if self.feature is not None:
            yield self._sweep(self.feature)
        yield from human_tables(self.correlations)

    def _types(self) -> Iterator[Table]:
        types = list(reversed(TYPES))  # in the paper's order
        for place, matching in enumerate(self.matchings):
            each = {name: part.whole[place].overlap.types for name, part in self.grammars.items()}
            gold = next(iter(each.values()))
            yield Table(
                f"types-{place + 1}",
                [_GRAMMAR, *map(Column, types)],
                [
                    [GOLD, *(gold[kind].gold for kind in types)],
                    *(
                        [name, *(_recall(shares[kind]) for kind in types)]
                        for name, shares in each.items()
                    ),
                ],
                f"by type, {matching}",
            )

    def _sweep(self, feature: str) -> Table:
        scores = [Column(name, decimals=4) for name in ("precision", "recall")]
        rows: list[list[Cell]] = []
        for name, grammar in self.grammars.items():
            for part in grammar.sweep:
                share = part.overlap.total
                label: list[Cell] = [name, str(part.matching), part.threshold]
                rows.append([*label, share.grammar, share.precision, share.recall])
        return Table(
            "sweep",
            [_GRAMMAR, Column("matching"), Column("threshold"), Column("rules"), *scores],
            rows,
            f"{feature}: a growing number of rules",
        )

    def records(self) -> list[Table]:
        names = "grammar rules matching min_count threshold type grammar_rules gold_rules common"
        columns = [Column(name) for name in (*names.split(), "precision", "recall")]
        rows: list[list[Cell]] = []
        for name, grammar in self.grammars.items():
            for part in (*grammar.whole, *grammar.sweep):
                strict = "strict" if part.matching.strict else "non-strict"
                label: list[Cell] = [name, grammar.rules, strict, part.matching.min_count]
                for kind, share in _shares(part).items():
                    counts = share.grammar, share.gold, share.common
                    scores = Number(share.precision), Number(share.recall)
                    row = [*label, part.threshold, kind, *counts, *scores, self.signature]
                    rows.append(row)
        signed = [*columns, Column("signature", hidden=True)]
        return [Table("overlap", signed, rows), *human_records(self.correlations, self.signature)]

    def notes(self) -> list[str]:
        return [self.signature]

    def to_dict(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "grammars": [
                {
                    "grammar": name,
                    "rules": part.rules,
                    "overlap": [*map(_document, part.whole)],
                    **({"sweep": [*map(_document, part.sweep)]} if self.feature else {}),
                }
                for name, part in self.grammars.items()
            ],
            **human_document(self.correlations),
        }


def _recall(share: Share) -> str:
    return f"{share.common:,} ({share.recall:.1%})"


def _shares(matched: Matched) -> dict[str, Share]:
    return {"all": matched.overlap.total, **matched.overlap.types}


def _document(matched: Matched) -> dict[str, Any]:
    at = {} if matched.threshold is None else {"threshold": matched.threshold}
    strict = "strict" if matched.matching.strict else "non-strict"
    counted = {
        name: asdict(share)
        | {what: number_dict(Number(getattr(share, what))) for what in ("precision", "recall")}
        for name, share in _shares(matched).items()
    }
    return {"matching": strict, "min_count": matched.matching.min_count, **at, **counted}


def paradigm_overlap(
    gold: str,
    grammars: Mapping[str, str],
    *,
    rules: OverlapRules = OverlapRules(),  # noqa: B008 - frozen
    sweep: Sweep | None = None,
    by_type: bool = False,
    human: str | None = None,
    resources: Resources = Resources(),  # noqa: B008 - frozen
) -> OverlapResult:
    """Compare the rules of grammars with those of a gold grammar.

    Parameters
    ----------
    gold, grammars
        Files; grammars by name.
    rules, sweep
        How rules are matched, and the sweep of Figure 4.
    by_type
        Show lexical, phrasal and syntactic rules separately (Table 5).
    human
        A file of human scores of the grammars (Table 7).
    resources
        Limits of the engine, and the folder of finished work.
    """
    if not grammars:
        raise UsageError("no grammar is given to compare with the gold one")
    check_files([gold, *grammars.values()])
    people = read_human(human, list(grammars)) if human is not None else {}
    with resources.folder() as cache, resources.engine() as engine:
        known = grammar_of(gold, engine.folder)
        counts = rules.count_feature or COUNT_FEATURE
        has_counts = rules.count_feature is not None or counts in known.features
        min_counts = sorted(set(rules.min_counts)) or ([1, 2] if has_counts else [1])
        check_counts(known, min_counts, counts)  # before the stage, to name the user's file
        work = OverlapWork(cache, str(known.path), rules, min_counts, counts, sweep, resources)
        results = {name: work.grammar(file) for name, file in grammars.items()}
    settings = f"lexical:{rules.lexical}|identity:{'yes' if rules.identity else 'no'}"
    settings += f"|count:{counts}"
    if sweep is not None:
        settings += f"|sweep:{sweep.feature}|best:{'most' if sweep.above else 'least'}"
    feature = None if sweep is None else sweep.feature
    return OverlapResult(results, f"paradigm-overlap|v:1|{settings}", by_type, feature, people)
