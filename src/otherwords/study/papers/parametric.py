"""ParaMetric's Tables 2 and 3 on any gold alignments, and the future work of its §8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from otherwords.build.bitext.gold import Gold, GoldFile
from otherwords.errors import UsageError
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN
from otherwords.study.agreement.system_correlation import (
    Correlations,
    Human,
    correlations,
    human_records,
    human_tables,
    read_human,
)
from otherwords.study.parametric.estimates import GroupResampling
from otherwords.study.parametric.result import (
    Alignments,
    ParametricResult,
    Paraphrases,
    PhraseRules,
    parametric,
    systems_of,
)
from otherwords.study.parametric.scorer import ALIGN, LISTS, ParaMetric, Paraphraser
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular


@dataclass(frozen=True)
class GroupSize:
    """Gold lists from a number of translations: their paraphrases, and the systems' scores."""

    translations: int
    gold: float
    right: tuple[float, ...]  # number of proposed paraphrases that are gold, by system
    proposed: tuple[int, ...]

    @property
    def precision(self) -> list[float | None]:
        pairs = zip(self.right, self.proposed, strict=True)
        return [right / proposed if proposed else None for right, proposed in pairs]

    @property
    def recall(self) -> list[float | None]:
        return [right / self.gold if self.gold else None for right in self.right]


@dataclass(frozen=True)
class GroupSizes:
    """Gold lists from 1, 2, ... translations, over the groups that have the largest number."""

    systems: tuple[str, ...]
    groups: int
    sizes: tuple[GroupSize, ...]

    def share(self, size: GroupSize) -> float:
        """Return the share of the largest size's paraphrases that a size has."""
        return size.gold / self.sizes[-1].gold if self.sizes[-1].gold else 0.0


def group_sizes(scorer: ParaMetric, systems: Sequence[Paraphraser], most: int) -> GroupSizes:
    """Compute gold lists from 1 to `most` translations, over the groups with at least `most`."""
    check_whole("translations", most, 2, 10_000)
    chosen = [number for number, group in enumerate(scorer.groups) if len(group.rows) >= most]
    if not chosen:
        largest = max(len(group.rows) for group in scorer.groups)
        raise UsageError(f"no group has {most} translations; the largest has {largest}")
    lists = [scorer.lists(system) for system in systems]
    sums = [[0.0] * (1 + len(systems)) for _ in range(most)]
    for number in chosen:
        rows = scorer.groups[number].rows
        seen = Counter(pair for row in rows for pair in scorer.gold_pairs[row])
        for place in range(most):
            chances = [1 - comb(len(rows) - m, place + 1) / comb(len(rows), place + 1)
                       for m in range(len(rows) + 1)]  # fmt: skip
            sums[place][0] += sum(chances[m] for m in seen.values())
            for column, by_group in enumerate(lists, 1):
                sums[place][column] += sum(chances[seen[pair]] for pair in by_group[number])
    proposed = tuple(sum(len(by_group[number]) for number in chosen) for by_group in lists)
    sizes = tuple(
        GroupSize(place + 1, gold, tuple(right), proposed)
        for place, (gold, *right) in enumerate(sums)
    )
    return GroupSizes(tuple(system.name for system in systems), len(chosen), sizes)


_SCORES = (*ALIGN, *LISTS)
_NAMES = dict(
    zip(_SCORES, ("Align-Prec", "Align-Recall", "LB-Precision", "Rel-Recall"), strict=True)
)
# Table 3 by length, then by score; the last length is Table 2. Parallel corpora: Bannard &
# Callison-Burch 2005; syntactic alignment: Pang et al. 2003; monolingual SMT: Quirk et al. 2004.
PAPER_SYSTEMS = ("parallel corpora", "syntactic alignment", "monolingual SMT")
PAPER = (
    ((0.54, 0.48, 0.64), (0.24, 0.18, 0.56), (0.15, 0.25, 0.59), (0.20, 0.16, 0.02)),
    ((0.56, 0.56, 0.69), (0.19, 0.13, 0.52), (0.15, 0.31, 0.66), (0.18, 0.10, 0.03)),
    ((0.59, 0.60, 0.71), (0.14, 0.12, 0.49), (0.15, 0.32, 0.66), (0.13, 0.06, 0.02)),
    ((0.60, 0.63, 0.72), (0.12, 0.11, 0.48), (0.14, 0.33, 0.68), (0.09, 0.04, 0.01)),
    ((0.62, 0.65, 0.73), (0.11, 0.10, 0.46), (0.14, 0.33, 0.68), (0.07, 0.03, 0.01)),
)


@dataclass(frozen=True)
class ParametricTables(Tabular):
    """Tables 2 and 3 next to the paper's figures; group sizes and human scores on request."""

    result: ParametricResult
    human: Human
    sizes: GroupSizes | None

    @property
    def systems(self) -> list[str]:
        return [part.system for part in self.result.parts]

    @cached_property
    def correlations(self) -> Correlations:
        """Spearman's rho of the four scores with human scores of the systems (§8)."""
        scores = {
            _NAMES[name]: {system: self.result.of(system, name).value for system in self.systems}
            for name in _SCORES
        }
        return correlations(scores, self.human)

    def tables(self) -> Iterator[Table]:
        columns = [
            *(Column(name, decimals=3) for name in self.systems),
            *(Column(f"paper: {name}", decimals=2) for name in PAPER_SYSTEMS),
        ]
        last = len(PAPER)
        yield Table(
            "table-2",
            [Column("score", left=True), *columns],
            [[_NAMES[name], *self._row(name, last)] for name in _SCORES],
            "Table 2: summary",
        )
        yield Table(
            "table-3",
            [Column("score", left=True), Column("words"), *columns],
            [
                [_NAMES[name], "1" if length == 1 else f"<= {length}", *self._row(name, length)]
                for name in _SCORES
                for length in range(1, last + 1)
            ],
            "Table 3: by the length of phrases",
        )
        if self.sizes is not None:
            yield _sizes_table(self.sizes)
        yield from human_tables(self.correlations)

    def _row(self, name: str, length: int) -> list[Cell]:
        ours: list[Cell] = [self.result.of(system, name, length) for system in self.systems]
        return [*ours, *PAPER[length - 1][_SCORES.index(name)]]

    def records(self) -> list[Table]:
        sized = [] if self.sizes is None else [_sizes_table(self.sizes)]
        return [
            *self.result.records(),
            *sized,
            *human_records(self.correlations, self.result.signature),
        ]

    def notes(self) -> list[str]:
        return self.result.notes()

    def warnings(self) -> list[str]:
        return self.result.warnings()


def _sizes_table(sizes: GroupSizes) -> Table:
    scores = [
        Column(f"{name} {score}", decimals=4)
        for name in sizes.systems
        for score in ("LB-Precision", "Rel-Recall")
    ]
    rows: list[list[Cell]] = [
        [
            *(size.translations, size.gold, sizes.share(size)),
            *(x for pair in zip(size.precision, size.recall, strict=True) for x in pair),
        ]
        for size in sizes.sizes
    ]
    return Table(
        "translations",
        [
            Column("translations"),
            Column("paraphrases", decimals=1),
            Column("share", "% of the last", decimals=1, scale=100),
            *scores,
        ],
        rows,
        f"Gold lists of so many translations, {sizes.groups:,} groups (§8)",
    )


def parametric_tables(
    gold: str | GoldFile | Sequence[Gold],
    *,
    alignments: Mapping[str, Alignments] | None = None,
    tables: Mapping[str, Paraphrases] | None = None,
    human: str | None = None,
    translations: int | None = None,
    case: bool = False,
    resampling: GroupResampling = GroupResampling(),  # noqa: B008 - frozen
    progress: Callable[[int], None] = lambda done: None,
) -> ParametricTables:
    """Compute ParaMetric's Tables 2 and 3, next to the paper's figures.

    Parameters
    ----------
    gold, alignments, tables, resampling, progress
        As in `parametric`.
    human
        A file of human scores of the systems, for Spearman's rho of the four scores (§8).
    translations
        Add gold lists from 1 up to this many translations, over the groups that have them (§8).
    case
        Keep case.
    """
    aligned, listed = dict(alignments or {}), dict(tables or {})
    names = list(dict.fromkeys([*aligned, *listed]))
    people = read_human(human, names) if human is not None else {}
    sizes = None
    if translations is not None:
        if STDIN in listed.values():
            raise UsageError("tables are read twice: give files, not '-'")
        file = GoldFile(gold) if isinstance(gold, str) else gold
        gold = file.read() if isinstance(file, GoldFile) else list(file)
        scorer = ParaMetric(gold, case=case)
        sizes = group_sizes(scorer, list(systems_of(scorer, {}, listed)), translations)
    result = parametric(
        gold,
        alignments=aligned,
        tables=listed,
        rules=PhraseRules(case=case),
        resampling=resampling,
        by=["length"],
        progress=progress,
    )
    return ParametricTables(result, people, sizes)
