"""The words of `words.tsv`, by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")


class Words(NamedTuple):
    """What a lower-case word can mean in a value."""

    numbers: dict[str, int]  # zero to ninety
    scales: dict[str, float]  # hundred and above
    suffixes: dict[str, float]  # letters that scale the digits before them
    ordinals: dict[str, int]
    parts: dict[str, int]  # third: 3
    holds: dict[str, tuple[float, bool]]  # dozen: 12, and whether it is surely a number
    decades: dict[str, int]
    units: dict[str, tuple[str, float]]  # hour: ("s", 3600)
    currencies: dict[str, tuple[str, float]]
    months: dict[str, tuple[int, bool]]
    weekdays: dict[str, tuple[int, bool]]
    about: frozenset[str]
    seasons: frozenset[str]  # words of time without a value
    reckoning: frozenset[str]  # words beside which numbers are derived: fewer, each, total
    titles: frozenset[str]
    common: frozenset[str]  # words with a capital that name no one
    related: dict[str, frozenset[str]]  # german: the groups of names it belongs to
    emoji: dict[str, str]


@cache
def words() -> Words:
    """The lists, read on first use."""
    lists: dict[str, dict[str, list[str]]] = defaultdict(dict)
    table = Path(__file__).with_name("words.tsv").read_text("utf-8")
    for line in table.splitlines():
        if line and not line.startswith("#"):
            kind, word, *values = line.split("\t")
            lists[kind][word] = values

    def parse(kind: str, value: Callable[..., _T]) -> dict[str, _T]:
        return {word: value(*values) for word, values in lists[kind].items()}

    groups = [names.split() for names in lists["related"]]
    return Words(
        numbers=parse("small", int) | parse("tens", int),
        scales=parse("scale", float),
        suffixes=parse("suffix", float),
        ordinals=parse("ordinal", int),
        parts=parse("part", int),
        holds=parse("holds", lambda value: (float(value.strip("~")), "~" not in value)),
        decades=parse("decade", int),
        units=parse("unit", lambda dimension, factor: (dimension, float(factor))),
        currencies=parse("currency", lambda code, factor: (code, float(factor))),
        months=parse("month", lambda value: (int(value.strip("~")), "~" not in value)),
        weekdays=parse("weekday", lambda value: (int(value.strip("~")), "~" not in value)),
        about=frozenset(lists["about"]),
        seasons=frozenset(lists["season"]),
        reckoning=frozenset(lists["reckon"]),
        titles=frozenset(lists["title"]),
        common=frozenset(lists["common"]),
        related={
            name: frozenset(names[0] for names in groups if name in names)
            for name in chain.from_iterable(groups)
        },
        emoji=parse("emoji", str),
    )
