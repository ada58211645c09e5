"""PARADIGM's Tables 2 to 7 and Figure 4 on any grammars, next to the figures of the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from otherwords.build.grammar.shared_rules import Share
from otherwords.build.grammar.table import TYPES
from otherwords.errors import UsageError, near
from otherwords.study.agreement.system_correlation import (
    Correlations,
    human_records,
    human_tables,
)
from otherwords.study.paradigm.coverage import CoverageResult, paradigm_coverage
from otherwords.study.paradigm.overlap import (
    GOLD,
    Matched,
    OverlapResult,
    OverlapRules,
    Sweep,
    paradigm_overlap,
)
from otherwords.study.paradigm.pairs import PairsFile
from otherwords.study.paradigm.stages import Parsing, Resources
from otherwords.study.parametric.estimates import GroupResampling
from otherwords.tables.table import Block, Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular


@dataclass(frozen=True)
class PublishedRow:
    """A grammar of the paper: its number of rules, its gold rules, and its coverage.

    `strict` and `loose` count shared gold rules seen at least once and twice (Tables 3 and 4),
    `types` syntactic, phrasal and lexical ones (Table 5). `coverage` is the percentage of all
    pairs, and of groups with any parsed pair (Table 6).
    """

    rules: int
    strict: tuple[int, int] | None = None
    loose: tuple[int, int] | None = None
    types: tuple[int, int, int] | None = None
    coverage: tuple[float, float] | None = None


PAPER = {
    "LDC Hiero": PublishedRow(52_784_462, (5_840, 416), (41_346, 5_323), None, (9.5, 33.0)),
    "Lit. Hiero": PublishedRow(3_288_546, (6_152, 359), (36_873, 4_606), None, (1.8, 9.6)),
    "MSR Hiero": PublishedRow(2_456_513, (10_012, 315), (58_970, 6_741), None, (1.7, 9.2)),
    "ParaMetric Hiero": PublishedRow(584_944),
    "LDC Syntax": PublishedRow(
        23_978_477, (48_833, 7_748), (37_231, 5_055), (36_375, 8_806, 3_652), (9.1, 30.2)
    ),
    "Lit. Syntax": PublishedRow(715_154, (14_431, 1_960), (19_530, 3_121), None, (2.0, 10.7)),
    "MSR Syntax": PublishedRow(
        406_115, (21_197, 2_053), (28_016, 3_564), (7_734, 11_254, 2_209), (1.9, 10.4)
    ),
    "ParaMetric Syntax": PublishedRow(
        317_772, (317_772, 21_709), (200_385, 20_699), (238_646, 73_320, 5_806), (1.7, 9.8)
    ),
    "PPDB-v0.2-small": PublishedRow(1_292_224, (15_831, 5_673), (13_003, 3_661), None, (1.8, 3.3)),
    "PPDB-v0.2-large": PublishedRow(9_456_356, (31_277, 8_245), (22_431, 4_837), None, (2.5, 4.5)),
    "PPDB-v0.2-xl": PublishedRow(
        46_592_161, (47_720, 10_049), (31_294, 5_590), (40_822, 3_765, 3_142), (3.5, 6.2)
    ),
}


@dataclass(frozen=True)
class FigurePoint:
    """A part of a grammar: its rules, lower bound on precision, and relative recall."""

    rules: int
    precision: float | None
    recall: float | None


_GOLD = PAPER["ParaMetric Syntax"]
# Figure 4 is a drawing without numbers. PPDB's sizes and shared rules are in Tables 2 and 3.
PAPER_FIGURE4 = {
    f"paper: {name}": [
        FigurePoint(row.rules, row.strict[0] / row.rules, row.strict[0] / _GOLD.rules)
    ]
    for name, row in PAPER.items()
    if name.startswith("PPDB") and row.strict is not None
}
PAPER_CRITERIA = ("meaning", "grammar")
PAPER_RHO = {  # Table 7; which overlap the paper's precision and recall are is not said
    "bleu": (-0.7, -0.1),
    "precis": (-0.6, 0.2),
    "pinc": (0.1, 0.4),
    "precision, strict >= 1": (0.6, 0.1),
    "recall, strict >= 1": (0.1, 0.4),
    "length": (-0.3, 0.4),
}
_TYPES = tuple(reversed(TYPES))  # in the paper's order
_GRAMMAR = Column("grammar", left=True)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


_BY_NAME = {_plain(name): row for name, row in PAPER.items()}


def published_row(name: str) -> PublishedRow | None:
    """Find the paper's row with this name; case and punctuation do not matter.

    >>> published_row("msr-syntax").rules
    406115
    """
    return _BY_NAME.get(_plain(name))


@dataclass(frozen=True)
class ParadigmTables(Tabular):
    """Tables 2 to 5 and Figure 4 of overlap, Table 6 of coverage, Table 7 of both."""

    overlap: OverlapResult
    swept: OverlapResult | None
    coverage: CoverageResult | None

    @property
    def names(self) -> list[str]:
        return list(self.overlap.grammars)

    @cached_property
    def correlations(self) -> Correlations:
        """Spearman's rho of all scores with human scores (Table 7)."""
        covered = {} if self.coverage is None else self.coverage.correlations
        return {**self.overlap.correlations, **covered}

    def tables(self) -> Iterator[Block]:
        yield Table(
            "table-2",
            [
                _GRAMMAR,
                Column("rules"),
                Column("different", "with different sides"),
                Column("paper"),
            ],
            [
                [GOLD, "", self._whole(self.names[0], strict=True).gold, _GOLD.rules],
                *([name, *self._sizes(name), _shown(name, "rules")] for name in self.names),
            ],
            "Table 2: size of the grammars",
        )
        yield self._shares(3, "strict", strict=True)
        yield self._shares(4, "not strict", strict=False)
        yield self._by_type()
        yield self.overlap.precision("Lower bound on precision (§4.3)")
        if self.swept is not None:
            yield self._figure(self.swept)
        if self.coverage is not None:
            yield self._coverage()
        yield from map(_with_table7, human_tables(self.correlations))

    def _sizes(self, name: str) -> tuple[int, int]:
        grammar = self.overlap.grammars[name]
        return grammar.rules, self._whole(name, strict=True).grammar

    def _matches(self, name: str, strict: bool) -> list[Matched]:
        """Return the overlaps, sorted by how often the gold rules were seen: once, twice."""
        whole = self.overlap.grammars[name].whole
        return [matched for matched in whole if matched.strict == strict]

    def _whole(self, name: str, strict: bool) -> Share:
        return self._matches(name, strict)[0].overlap.total

    def _shares(self, number: int, how: str, *, strict: bool) -> Table:
        kind = "strict" if strict else "loose"
        counts = [matched.min_count for matched in self._matches(self.names[0], strict)]
        golds = [matched.overlap.total.gold for matched in self._matches(self.names[0], strict)]
        published = getattr(_GOLD, kind)
        rows: list[list[Cell]] = [[GOLD, *map(_count, golds), *map(_count, published)]]
        for name in self.names:
            ours = [str(matched.overlap.total) for matched in self._matches(name, strict)]
            rows.append([name, *ours, *_published(name, kind, published)])
        columns = [Column(f"freq. >= {count}") for count in counts]
        columns += [Column(f"paper, >= {count}") for count in (1, 2)]
        caption = f"Table {number}: overlap with the gold grammar, {how}"
        return Table(f"table-{number}", [_GRAMMAR, *columns], rows, caption)

    def _by_type(self) -> Table:
        def types(name: str) -> Mapping[str, Share]:
            return self._matches(name, True)[0].overlap.types

        golds = [_count(types(self.names[0])[kind].gold) for kind in _TYPES]
        assert _GOLD.types is not None
        rows: list[list[Cell]] = [[GOLD, *golds, *map(_count, _GOLD.types)]]
        for name in self.names:
            ours = [str(types(name)[kind]) for kind in _TYPES]
            rows.append([name, *ours, *_published(name, "types", _GOLD.types)])
        columns = [*map(Column, _TYPES), *(Column(f"paper, {kind}") for kind in _TYPES)]
        return Table("table-5", [_GRAMMAR, *columns], rows, "Table 5: strict overlap by type")

    def _figure(self, swept: OverlapResult) -> Table:
        scores = [Column(name, decimals=4) for name in ("precision", "recall")]
        return Table(
            "figure-4",
            [_GRAMMAR, Column("rules"), *scores],
            [
                [name, point.rules, Number(point.precision), Number(point.recall)]
                for name, points in {**self.figure4, **PAPER_FIGURE4}.items()
                for point in points
            ],
            f"Figure 4: a growing number of rules, the best by {swept.feature} first; "
            "the paper's sizes by its Tables 2 and 3",
        )

    @property
    def figure4(self) -> dict[str, list[FigurePoint]]:
        """Precision and recall of growing parts of each grammar, by strict overlap."""
        if self.swept is None:
            return {}
        shares = {
            name: [matched.overlap.total for matched in grammar.sweep]
            for name, grammar in self.swept.grammars.items()
        }
        return {
            name: [FigurePoint(part.grammar, part.precision, part.recall) for part in parts]
            for name, parts in shares.items()
        }

    def _coverage(self) -> Table:
        assert self.coverage is not None
        shares = [Column(name, f"% ({name})", decimals=1, scale=100) for name in ("all", "any")]
        published = [Column(f"paper_{name}", f"paper, {name}") for name in ("all", "any")]
        rows: list[list[Cell]] = []
        for grammar in self.coverage.grammars:
            row = published_row(grammar.name)
            paper = ("", "") if row is None or row.coverage is None else row.coverage
            numbers = (grammar.coverage[name] for name in ("all", "any", "length"))
            rows.append([grammar.name, *numbers, *paper])
        columns = [_GRAMMAR, *shares, Column("length", decimals=1), *published]
        return Table("table-6", columns, rows, "Table 6: parse coverage")

    def records(self) -> list[Table]:
        parts = [part for part in (self.overlap, self.coverage) if part is not None]
        tables = [table for part in parts for table in part.records() if table.name != "human"]
        if self.swept is not None:
            tables.append(self._figure(self.swept))
        return [*tables, *human_records(self.correlations, self.overlap.signature)]

    def notes(self) -> list[str]:
        return [*self.overlap.notes(), *([] if self.coverage is None else self.coverage.notes())]


def _with_table7(human: Table) -> Table:
    """Add the paper's rho of five systems to each score that it has."""
    paper = [Column(f"paper, {name}", decimals=1, signed=True) for name in PAPER_CRITERIA]
    rows = [[*row, *PAPER_RHO.get(str(row[0]), ("", ""))] for row in human.rows]
    columns = [*human.columns, *paper]
    return replace(human, columns=columns, rows=rows, caption=f"Table 7: {human.caption}")


def _count(number: int) -> str:
    return f"{number:,}"


def _shown(name: str, what: str) -> Cell:
    row = published_row(name)
    return "" if row is None else getattr(row, what)


def _published(name: str, what: str, gold: Sequence[int]) -> list[Cell]:
    """Return the paper's numbers for a grammar, each with its share of the gold grammar."""
    row = published_row(name)
    numbers = None if row is None else getattr(row, what)
    if numbers is None:
        return [""] * len(gold)
    pairs = zip(numbers, gold, strict=True)
    return [f"{number:,} ({number / whole:.1%})" for number, whole in pairs]


def paradigm_tables(
    gold: str,
    grammars: Mapping[str, str],
    *,
    pairs: str | PairsFile | None = None,
    sweep: Sweep | None = None,
    paraphrases: Mapping[str, str] | None = None,
    human: str | None = None,
    max_seconds: float = 0.0,
    count_feature: str | None = None,
    resampling: GroupResampling | None = None,
    resources: Resources = Resources(),  # noqa: B008 - frozen
) -> ParadigmTables:
    """Compute PARADIGM's tables for grammars and a gold grammar.

    Grammars with the name of a row of the paper ("MSR Hiero") are shown next to its figures.

    Parameters
    ----------
    gold, grammars, count_feature
        Files, grammars by name; the feature of the gold grammar that has its counts.
    pairs, paraphrases, max_seconds
        Sentence pairs for Table 6, sentences generated with grammars, and the time limit per pair.
    sweep
        Adds Figure 4.
    human
        A file of human scores of the grammars, for Table 7.
    resampling, resources
        As in `paradigm_coverage`.
    """
    if pairs is None and paraphrases:
        raise UsageError("paraphrases does nothing without sentence pairs")
    rules = OverlapRules(count_feature=count_feature)
    for name in sweep.grammars if sweep else ():
        if name not in grammars:
            raise UsageError(f"there is no grammar '{name}' to sweep; {near(name, grammars)}")
    overlap = paradigm_overlap(
        gold, grammars, rules=rules, by_type=True, human=human, resources=resources
    )
    figure = None
    if sweep is not None:
        drawn = {name: grammars[name] for name in sweep.grammars or grammars}
        figure = paradigm_overlap(gold, drawn, rules=rules, sweep=sweep, resources=resources)
    covered = None
    if pairs is not None:
        covered = paradigm_coverage(
            pairs,
            grammars,
            parsing=Parsing(max_seconds=max_seconds),
            paraphrases=paraphrases,
            human=human,
            resampling=resampling,
            resources=resources,
        )
    return ParadigmTables(overlap, figure, covered)
