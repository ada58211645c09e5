"""Which systems are better than which others, by one metric or by human scores, beyond chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from otherwords.stats.families import Family, FamilyTest, clusters
from otherwords.tables.table import LEVEL

__all__ = ["Standing", "listed", "p_bound", "spelled"]

_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Standing:
    """The systems by one measure, best first, with the tests of all pairs."""

    label: str
    names: Sequence[str]
    family: Family
    higher_is_better: bool = True

    def beats(self, one: str, other: str) -> bool:
        """Whether one system is significantly better than the other."""
        found = self.family.between(one, other)
        return found is not None and found.differs(LEVEL) and self._gain(found) > 0

    def _gain(self, test: FamilyTest) -> float:
        return test.difference if self.higher_is_better else -test.difference

    def p(self, pairs: Iterable[tuple[str, str]]) -> float:
        """The largest corrected p of these pairs."""
        tests = (self.family.between(*pair) for pair in pairs)
        return max((one.adjusted for one in tests if one is not None), default=1.0)

    @cached_property
    def groups(self) -> list[list[str]]:
        """Systems in clusters, best first."""
        return clusters(self.family, higher_is_better=self.higher_is_better)

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The number of each system's cluster, from 1."""
        return {name: place for place, group in enumerate(self.groups, 1) for name in group}

    @property
    def tied_with_best(self) -> list[str]:
        """The systems that are not significantly worse than the best one."""
        best = self.names[0]
        return [name for name in self.names[1:] if not self.beats(best, name)]


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names as a sentence has them.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a and 3 others')
    """
    shown = list(names) or [""]
    if len(shown) > most:
        left = len(shown) - most + 1
        shown = [*shown[: most - 1], f"{spelled(left) if left > 9 else left} others"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def spelled(number: int) -> str:
    """A small number in words.

    >>> spelled(7), spelled(40)
    ('seven', '40')
    """
    return _WORDS[number] if number < len(_WORDS) else str(number)


def p_bound(p: float) -> str:
    """The round level that p is below.

    >>> p_bound(0.0004).split(), p_bound(0.004)[-3:], p_bound(0.03)[-3:]
    (['p', '<', '.001'], '.01', '.05')
    """
    level = next((level for level in (".001", ".01") if p < float(level)), ".05")
    return f"p < {level}".replace(" ", "\N{NO-BREAK SPACE}")
