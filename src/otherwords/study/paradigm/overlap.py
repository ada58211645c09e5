"""`paradigm_overlap`: the overlap of grammars with a gold grammar (PARADIGM §4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from otherwords.build.grammar.shared_rules import Share, check_counts
from otherwords.build.grammar.table import TYPES, grammar_of
from otherwords.errors import InputError, UsageError
from otherwords.study.agreement.system_correlation import (
    Human,
    correlations,
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
    Sweep,
    check_files,
)
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
    def matchings(self) -> list[str]:
        """The ways in which rules were matched."""
        return [str(matched) for matched in next(iter(self.grammars.values())).whole]

    @cached_property
    def correlations(self) -> dict[str, dict[str, Number]]:
        """Spearman's rho of precision and recall with human scores."""
        scores: dict[str, dict[str, float | None]] = {}
        for name, grammar in self.grammars.items():
            for matched in grammar.whole:
                for what in ("precision", "recall"):
                    value = getattr(matched.overlap.total, what)
                    scores.setdefault(f"{what}, {matched}", {})[name] = value
        return correlations(scores, self.human)

    def tables(self) -> Iterator[Table]:
        first = next(iter(self.grammars.values()))
        rows: list[list[Cell]] = [[GOLD, *(part.overlap.total.gold for part in first.whole)]]
        for name, grammar in self.grammars.items():
            rows.append([name, *(str(part.overlap.total) for part in grammar.whole)])
        yield Table(
            "recall",
            [_GRAMMAR, *map(Column, self.matchings)],
            rows,
            "rules shared with the gold grammar (relative recall)",
        )
        yield self.precision("lower bound on precision: shared rules, divided by rules")
        if self.by_type:
            yield from self._types()
        yield from human_tables(self.correlations)

    def precision(self, caption: str) -> Table:
        """Make the table of precision, next to the numbers of rules that it is a share of."""
        cells: list[list[Cell]] = []
        for name, grammar in self.grammars.items():
            sizes = {part.strict: part.overlap.total.grammar for part in grammar.whole}
            shares = [Number(part.overlap.total.precision) for part in grammar.whole]
            cells.append([name, sizes[True], sizes[False], *shares])
        rules = [Column("rules"), Column("unlabelled", "rules without labels")]
        scores = [Column(name, decimals=4, best="highest") for name in self.matchings]
        return Table("precision", [_GRAMMAR, *rules, *scores], cells, caption)

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
                        [name, *(str(shares[kind]) for kind in types)]
                        for name, shares in each.items()
                    ),
                ],
                f"by type, {matching}",
            )

    def records(self) -> list[Table]:
        names = "grammar rules matching min_count type grammar_rules gold_rules common"
        columns = [Column(name) for name in (*names.split(), "precision", "recall")]
        rows: list[list[Cell]] = []
        for name, grammar in self.grammars.items():
            for part in grammar.whole:
                strict = "strict" if part.strict else "non-strict"
                label: list[Cell] = [name, grammar.rules, strict, part.min_count]
                for kind, share in _shares(part).items():
                    counts = share.grammar, share.gold, share.common
                    scores = Number(share.precision), Number(share.recall)
                    row = [*label, kind, *counts, *scores, self.signature]
                    rows.append(row)
        signed = [*columns, Column("signature", hidden=True)]
        return [Table("overlap", signed, rows), *human_records(self.correlations, self.signature)]

    def notes(self) -> list[str]:
        notes = []
        for name, grammar in self.grammars.items():
            if (counted := grammar.whole[0].overlap.total.grammar) < grammar.rules:
                total = f"{counted:,} of {grammar.rules:,} rules count"
                notes.append(f"{name}: {total}; the others have equal sides or are there twice")
        return [*notes, self.signature]


def _shares(matched: Matched) -> dict[str, Share]:
    return {"all": matched.overlap.total, **matched.overlap.types}


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
        min_counts = [1, 2] if has_counts else [1]
        check_counts(known, min_counts, counts)  # before the stage, to name the user's file
        work = OverlapWork(cache, str(known.path), rules, min_counts, counts, sweep, resources)
        results = {name: work.grammar(file) for name, file in grammars.items()}
    if not next(iter(results.values())).whole[0].overlap.total.gold:
        raise InputError("no rule here counts: there are none, or all have equal sides", path=gold)
    settings = f"lexical:{rules.lexical}|identity:{'yes' if rules.identity else 'no'}"
    settings += f"|count:{counts}"
    if sweep is not None:
        settings += f"|sweep:{sweep.feature}|best:{'most' if sweep.above else 'least'}"
    feature = None if sweep is None else sweep.feature
    return OverlapResult(results, f"paradigm-overlap|v:1|{settings}", by_type, feature, people)
