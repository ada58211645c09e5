"""The overlap of a grammar with a gold grammar (PARADIGM §4.2 and §4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.build.engine.base import Engine, sql_number
from otherwords.build.grammar.table import (
    TYPES,
    Grammar,
    drop_labels,
    rule_schema,
    rule_types,
    space_symbols,
)
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole

LEXICAL = ("both", "source")

_KEYS = pa.schema(
    {
        "lhs": pa.large_string(),
        "source": pa.large_string(),
        "target": pa.large_string(),
        "type": pa.string(),
        "value": pa.float64(),
    }
)


@dataclass(frozen=True)
class Matching:
    """Which rules count, and when two are the same.

    Parameters
    ----------
    strict
        Compare labels. Otherwise labels are ignored, and rules that become equal are merged.
    lexical
        A rule without nonterminals is lexical if it has one word on its `source` side, or on
        `both` sides.
    identity
        Count rules with equal sides.
    """

    strict: bool = True
    lexical: str = "source"
    identity: bool = True

    def __post_init__(self) -> None:
        check_flag("strict", self.strict)
        check_flag("identity", self.identity)
        if self.lexical not in LEXICAL:
            lexical = self.lexical
            raise UsageError(f"unknown value of lexical '{lexical}'; {near(lexical, LEXICAL)}")


@dataclass(frozen=True)
class Share:
    """Numbers of rules in the grammar, in the gold grammar, and in both."""

    grammar: int
    gold: int
    common: int

    @property
    def precision(self) -> float | None:
        """The lower bound on precision: the share of the grammar that is gold."""
        return self.common / self.grammar if self.grammar else None

    @property
    def recall(self) -> float | None:
        """Relative recall: the share of the gold that the grammar has."""
        return self.common / self.gold if self.gold else None

    def __str__(self) -> str:
        """The shared rules, and their share of the gold."""
        return f"{self.common:,} ({'n/a' if self.recall is None else f'{self.recall:.1%}'})"


@dataclass(frozen=True)
class Overlap:
    """The overlap of two grammars, over all rules and by type."""

    total: Share
    types: Mapping[str, Share]


def overlap(
    grammar: Grammar,
    gold: Grammar,
    *,
    engine: Engine,
    matching: Matching | None = None,
    min_count: int = 1,
    count_feature: str = "count",
) -> Overlap:
    """Count the rules that two grammars share.

    Parameters
    ----------
    grammar, gold
        The grammars; rules are compared by their left-hand side and sides.
    engine
        The engine that does the work.
    matching
        Which rules count, and when two are the same.
    min_count
        Drop gold rules with a smaller count first.
    count_feature
        The feature with the counts of gold rules.
    """
    return overlaps(
        grammar, gold, [min_count], engine=engine, matching=matching, count_feature=count_feature
    )[0]


def overlaps(
    grammar: Grammar,
    gold: Grammar,
    min_counts: Sequence[int],
    *,
    engine: Engine,
    matching: Matching | None = None,
    count_feature: str = "count",
) -> list[Overlap]:
    """Count the overlap for each of several values of `min_count`; see `overlap`."""
    matching = matching or Matching()
    _stage_gold(gold, engine, matching, min_counts, count_feature)
    _stage(grammar, "candidate", engine, matching)
    return [_count_overlap(engine, least) for least in min_counts]


def sweep(
    grammar: Grammar,
    gold: Grammar,
    feature: str,
    thresholds: Sequence[float],
    *,
    engine: Engine,
    above: bool = False,
    matching: Matching | None = None,
    min_count: int = 1,
    count_feature: str = "count",
) -> list[tuple[float, Overlap]]:
    """Count the overlap of growing parts of a grammar (PARADIGM, Figure 4).

    Parameters
    ----------
    feature, thresholds, above
        A part has the rules whose feature is at most a threshold, or at least if `above`. Merged
        rules get the best of their values. Rules without the feature are in no part.
    grammar, gold, engine, matching, min_count, count_feature
        As in `overlap`.
    """
    matching = matching or Matching()
    check_flag("above", above)
    values = [check_number("threshold", value, -1e300, 1e300) for value in thresholds]
    column = grammar.column(feature)
    _stage_gold(gold, engine, matching, [min_count], count_feature)
    _stage(grammar, "candidate", engine, matching, column, above)
    sign = ">=" if above else "<="
    return [
        (value, _count_overlap(engine, min_count, f"{sign} {sql_number(value)}"))
        for value in values
    ]


def size_thresholds(
    grammar: Grammar, feature: str, points: int, *, above: bool = False, identity: bool = True
) -> list[float]:
    """Find thresholds of a feature that grow the grammar in equal steps (Figure 4).

    There are at most `points` of them; the last one includes all rules that have the feature. With
    `above`, rules are added from the largest value down.
    """
    check_whole("points", points, 1, 1000)
    column = grammar.column(feature)
    batches = (_drop_identical(batch, identity) for batch in grammar.batches())
    parts = [batch[column].drop_null().to_numpy() for batch in batches]
    values = np.sort(np.concatenate([np.zeros(0), *parts]))
    if above:
        values = values[::-1]
    places = [len(values) * step // points - 1 for step in range(1, points + 1)]
    return list(dict.fromkeys(float(values[place]) for place in places if place >= 0))


def _stage_gold(
    gold: Grammar, engine: Engine, matching: Matching, min_counts: Sequence[int], feature: str
) -> None:
    """Stage the distinct gold rules; merged rules get the largest of their counts."""
    if check_counts(gold, min_counts, feature):
        _stage(gold, "gold", engine, matching, gold.column(feature), above=True)
    else:
        _stage(gold, "gold", engine, matching)


def check_counts(gold: Grammar, min_counts: Sequence[int], feature: str) -> bool:
    """Return whether counts of rules are needed; refuse a grammar that lacks them."""
    if max(check_whole("min_count", least, 1, 2**53) for least in min_counts) == 1:
        return False
    if feature not in gold.features:
        message = f"rule counts are not known: there is no feature '{feature}'"
        raise InputError(message, path=gold.name)
    return True


def _stage(
    grammar: Grammar,
    name: str,
    engine: Engine,
    matching: Matching,
    column: str | None = None,
    above: bool = False,
) -> None:
    """Stage the distinct rules of a grammar, each with its best value."""
    names = ("lhs", "source", "target", *([column] if column else []))
    schema = pa.schema([rule_schema(grammar.features).field(name) for name in names])
    rules = (batch.select(names) for batch in grammar.batches())
    reader = pa.RecordBatchReader.from_batches(schema, rules)
    engine.map(f"{name}_rows", reader, partial(_keys, matching=matching, column=column), _KEYS)
    best = "MAX" if above else "MIN"
    engine.stage(
        name,
        f"SELECT lhs, source, target, type, {best}(value) AS value FROM {name}_rows "
        "GROUP BY lhs, source, target, type",
    )


def _keys(
    batches: Iterable[pa.RecordBatch], matching: Matching, column: str | None
) -> Iterator[pa.RecordBatch]:
    for whole in batches:
        batch = _drop_identical(whole, matching.identity)
        sides = [space_symbols(batch[name]) for name in ("source", "target")]
        types = rule_types(batch, matching.lexical)
        lhs = batch["lhs"].cast(pa.large_string())
        if not matching.strict:
            sides = [drop_labels(batch[name]) for name in ("source", "target")]
            lhs = pa.array(["X"] * len(batch), pa.large_string())
        value = pa.nulls(len(batch), pa.float64()) if column is None else batch[column]
        yield pa.RecordBatch.from_arrays([lhs, *sides, types, value], schema=_KEYS)


def _drop_identical(batch: pa.RecordBatch, identity: bool) -> pa.RecordBatch:
    """Drop rules with two equal sides, unless `identity`."""
    return batch if identity else batch.filter(pc.not_equal(batch["source"], batch["target"]))


def _count_overlap(engine: Engine, least: int, bound: str = "") -> Overlap:
    """Count rules within a bound, and gold rules with at least the `least` count."""
    seen = f"gold.value >= {least}" if least > 1 else "TRUE"
    within = f"candidate.value {bound}" if bound else "TRUE"
    common = (
        "SELECT candidate.type AS type FROM candidate JOIN gold ON candidate.lhs = gold.lhs "
        "AND candidate.source = gold.source AND candidate.target = gold.target "
        f"WHERE {within} AND {seen}"
    )
    counts = [
        _by_type(engine, f"SELECT type FROM candidate WHERE {within}"),
        _by_type(engine, f"SELECT type FROM gold WHERE {seen}"),
        _by_type(engine, common),
    ]
    types = {name: Share(*(count.get(name, 0) for count in counts)) for name in TYPES}
    return Overlap(Share(*(sum(count.values()) for count in counts)), types)


def _by_type(engine: Engine, rows: str) -> dict[str, int]:
    counts = engine.run(f"SELECT type, COUNT(*) AS n FROM ({rows}) AS rows GROUP BY type")
    return {row["type"]: row["n"] for row in counts.read_all().to_pylist()}
