"""`paradigm_overlap`: the overlap of grammars with a gold grammar (PARADIGM §4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from otherwords.build.engine.base import Engine
from otherwords.build.grammar.shared_rules import (
    Matching,
    Overlap,
    Share,
    check_counts,
    overlaps,
    size_thresholds,
)
from otherwords.build.grammar.shared_rules import sweep as sweep_grammar
from otherwords.build.grammar.table import TYPES, Grammar, grammar_of
from otherwords.errors import InputError, UsageError
from otherwords.study.agreement.system_correlation import (
    Human,
    correlations,
    human_records,
    human_tables,
    read_human,
)
from otherwords.study.paradigm.stages import Resources, check_files
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

GOLD = "(gold)"
COUNT_FEATURE = "count"
_GRAMMAR = Column("grammar", left=True)


@dataclass(frozen=True)
class Matched:
    """The overlap with labels (`strict`) or without, with gold rules seen at least `min_count`
    times; of the whole grammar, or of a part in a sweep.
    """

    strict: bool
    min_count: int
    overlap: Overlap

    def __str__(self) -> str:
        return f"{'strict' if self.strict else 'non-strict'} >= {self.min_count}"


@dataclass(frozen=True)
class GrammarOverlap:
    """All overlaps of a grammar with the gold one."""

    rules: int
    whole: Sequence[Matched]
    sweep: Sequence[Matched] = ()


@dataclass(frozen=True)
class OverlapRules:
    """Which rules count; the defaults are those of Tables 3 to 5.

    Parameters
    ----------
    count_feature
        The feature of the gold grammar that has its counts (default: `count`).
    lexical
        A rule is lexical if its `source` side, or `both` sides, are one word.
    identity
        Count rules with equal sides. The paper considers "non-identical paraphrases" (§3).
    """

    count_feature: str | None = None
    lexical: Literal["source", "both"] = "source"
    identity: bool = False

    def matching(self, *, strict: bool) -> Matching:
        return Matching(strict, self.lexical, self.identity)


@dataclass(frozen=True)
class Sweep:
    """Rules added in the order of a feature (Figure 4).

    They are added in `points` steps of equal size; the smallest values are the best unless `above`.
    `grammars` names the grammars to sweep (default: all).
    """

    feature: str
    points: int = 10
    above: bool = False
    grammars: Sequence[str] = ()


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
    rules: OverlapRules = OverlapRules(),
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
        Limits of the engine.
    """
    if not grammars:
        raise UsageError("no grammar is given to compare with the gold one")
    check_files([gold, *grammars.values()])
    people = read_human(human, list(grammars)) if human is not None else {}
    results = {}
    with resources.engine() as engine:
        known = grammar_of(gold, engine.folder)
        counts = rules.count_feature or COUNT_FEATURE
        has_counts = rules.count_feature is not None or counts in known.features
        min_counts = [1, 2] if has_counts else [1]
        check_counts(known, min_counts, counts)
        for name, file in grammars.items():
            with resources.engine() as own:  # its files are removed before the next grammar
                grammar = grammar_of(file, own.folder)
                whole = _whole(grammar, known, own, rules, min_counts, counts)
                parts = [] if sweep is None else _sweep(grammar, known, own, rules, sweep, counts)
            results[name] = GrammarOverlap(grammar.rows, whole, parts)
            resources.progress(1)
    if not next(iter(results.values())).whole[0].overlap.total.gold:
        raise InputError("no rule here counts: there are none, or all have equal sides", path=gold)
    settings = f"lexical:{rules.lexical}|identity:{'yes' if rules.identity else 'no'}"
    settings += f"|count:{counts}"
    if sweep is not None:
        settings += f"|sweep:{sweep.feature}|best:{'most' if sweep.above else 'least'}"
    feature = None if sweep is None else sweep.feature
    return OverlapResult(results, f"paradigm-overlap|v:1|{settings}", by_type, feature, people)


def _whole(
    grammar: Grammar,
    gold: Grammar,
    engine: Engine,
    rules: OverlapRules,
    min_counts: Sequence[int],
    count_feature: str,
) -> list[Matched]:
    result = []
    for strict in (True, False):
        by_count = overlaps(
            grammar,
            gold,
            min_counts,
            engine=engine,
            matching=rules.matching(strict=strict),
            count_feature=count_feature,
        )
        pairs = zip(min_counts, by_count, strict=True)
        result += [Matched(strict, least, overlap) for least, overlap in pairs]
    return result


def _sweep(
    grammar: Grammar,
    gold: Grammar,
    engine: Engine,
    rules: OverlapRules,
    sweep: Sweep,
    count_feature: str,
) -> list[Matched]:
    thresholds = size_thresholds(
        grammar, sweep.feature, sweep.points, above=sweep.above, identity=rules.identity
    )
    by_threshold = sweep_grammar(
        grammar,
        gold,
        sweep.feature,
        thresholds,
        engine=engine,
        above=sweep.above,
        matching=rules.matching(strict=True),
        count_feature=count_feature,
    )
    return [Matched(True, 1, overlap) for _, overlap in by_threshold]
