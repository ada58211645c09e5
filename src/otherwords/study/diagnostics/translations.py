"""How many translations a group needs: gold lists of 1, 2, ... of them (ParaMetric §8).

Of a group of n sentence pairs, k are chosen at random. A paraphrase that m of the pairs have is
then in the gold list with the probability 1 - C(n - m, k) / C(n, k), so that all sums are
expectations over every choice, not over samples of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from otherwords.errors import UsageError
from otherwords.io.arguments import check_whole
from otherwords.study.diagnostics.groups import PhrasePair
from otherwords.study.diagnostics.parametric_scorer import ParaMetric, Paraphraser

__all__ = ["GroupSize", "GroupSizes", "group_sizes"]


@dataclass(frozen=True)
class GroupSize:
    """Gold lists of so many translations: their paraphrases, and the scores of each system."""

    translations: int
    gold: float
    right: tuple[float, ...]  # proposed paraphrases that are gold, one number per system
    proposed: tuple[int, ...]

    @property
    def precision(self) -> list[float | None]:
        """LB-Precision of each system."""
        pairs = zip(self.right, self.proposed, strict=True)
        return [right / proposed if proposed else None for right, proposed in pairs]

    @property
    def recall(self) -> list[float | None]:
        """Rel-Recall of each system."""
        return [right / self.gold if self.gold else None for right in self.right]


@dataclass(frozen=True)
class GroupSizes:
    """Gold lists of 1, 2, ... translations over the groups that have as many as the last."""

    systems: tuple[str, ...]
    groups: int
    sizes: tuple[GroupSize, ...]
    estimated: float  # paraphrases that ever more translations would have, at least

    def share(self, size: GroupSize) -> float:
        """The paraphrases of a size, of those that the largest has."""
        return size.gold / self.sizes[-1].gold if self.sizes[-1].gold else 0.0

    @property
    def complete(self) -> float:
        """The share of all estimated paraphrases that the whole groups have."""
        return self.sizes[-1].gold / self.estimated if self.estimated else 0.0


def group_sizes(scorer: ParaMetric, systems: Sequence[Paraphraser], most: int) -> GroupSizes:
    """Gold lists of 1 to `most` translations of the groups that have so many or more.

    `estimated` is Chao's lower bound (Chao 1987, for incidence): with Q1 and Q2 paraphrases that
    one and two of a group's n pairs have, (n - 1) / n * Q1 (Q1 - 1) / (2 (Q2 + 1)) were not seen.
    """
    check_whole("translations", most, 2, 10_000)
    chosen = [number for number, group in enumerate(scorer.groups) if len(group.rows) >= most]
    if not chosen:
        largest = max(len(group.rows) for group in scorer.groups)
        raise UsageError(f"no group has {most} translations; the largest has {largest}")
    lists = [scorer.lists(system) for system in systems]
    sums = [[0.0] * (1 + len(systems)) for _ in range(most)]
    unseen = 0.0
    for number in chosen:
        rows = scorer.groups[number].rows
        seen = Counter(pair for row in rows for pair in scorer.gold_pairs[row])
        unseen += _unseen(seen, len(rows))
        for place in range(most):
            chances = [1 - comb(len(rows) - m, place + 1) / comb(len(rows), place + 1)
                       for m in range(len(rows) + 1)]  # fmt: skip
            sums[place][0] += sum(chances[m] for m in seen.values())
            for column, found in enumerate(lists, 1):
                sums[place][column] += sum(chances[seen[pair]] for pair in found[number])
    proposed = tuple(sum(len(found[number]) for number in chosen) for found in lists)
    sizes = tuple(
        GroupSize(place + 1, gold, tuple(right), proposed)
        for place, (gold, *right) in enumerate(sums)
    )
    whole = sum(len(scorer.references(scorer.groups[number])) for number in chosen)
    names = tuple(system.name for system in systems)
    return GroupSizes(names, len(chosen), sizes, whole + unseen)


def _unseen(seen: Counter[PhrasePair], rows: int) -> float:
    once, twice = (sum(count == m for count in seen.values()) for m in (1, 2))
    return (rows - 1) / rows * once * (once - 1) / (2 * (twice + 1))
