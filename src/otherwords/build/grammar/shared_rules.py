"""How much of a gold grammar another grammar has (PARADIGM §4.2 and §4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.build.engine.base import Engine
from otherwords.build.grammar.table import Grammar, rule_schema
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole

__all__ = [
    "TYPES",
    "Overlap",
    "Share",
    "check_counts",
    "overlap",
    "overlaps",
    "rule_types",
    "size_thresholds",
    "sweep",
    "unlabelled",
]

TYPES = ("lexical", "phrasal", "syntactic")
LEXICAL = ("both", "source")
_NONTERMINAL = r" \[[^ \[\]]+,([1-9][0-9]{0,2})\] "

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
class Share:
    """Numbers of rules: of the grammar, of the gold, and of both."""

    grammar: int
    gold: int
    common: int

    @property
    def precision(self) -> float:
        """The lower bound on precision: the share of the grammar that is gold."""
        return self.common / self.grammar if self.grammar else 0.0

    @property
    def recall(self) -> float:
        """Relative recall: the share of the gold that the grammar has."""
        return self.common / self.gold if self.gold else 0.0


@dataclass(frozen=True)
class Overlap:
    """The overlap of two grammars, of all rules and by their type."""

    total: Share
    types: Mapping[str, Share]


def overlap(
    grammar: Grammar,
    gold: Grammar,
    *,
    engine: Engine,
    strict: bool = True,
    min_count: int = 1,
    count_feature: str = "count",
    lexical: str = "source",
    identity: bool = True,
) -> Overlap:
    """The rules that two grammars share.

    Rules are compared by their left-hand side and sides. If not `strict`, all labels are one,
    and rules that become equal are one rule, in both grammars. Gold rules that were seen less
    than `min_count` times are removed before anything else. A rule is `lexical` if it has no
    nonterminals and one word on its source side, or on both sides. Without `identity`, rules
    with equal sides count in neither grammar.
    """
    return overlaps(
        grammar,
        gold,
        [min_count],
        engine=engine,
        strict=strict,
        count_feature=count_feature,
        lexical=lexical,
        identity=identity,
    )[0]


def overlaps(
    grammar: Grammar,
    gold: Grammar,
    min_counts: Sequence[int],
    *,
    engine: Engine,
    strict: bool = True,
    count_feature: str = "count",
    lexical: str = "source",
    identity: bool = True,
) -> list[Overlap]:
    """The overlap with the gold rules that were seen so often, for several such numbers."""
    _stage_gold(gold, engine, (strict, lexical, identity), min_counts, count_feature)
    _stage(grammar, "candidate", engine, (strict, lexical, identity))
    return [_counted(engine, least) for least in min_counts]


def sweep(
    grammar: Grammar,
    gold: Grammar,
    feature: str,
    thresholds: Sequence[float],
    *,
    engine: Engine,
    above: bool = False,
    strict: bool = True,
    min_count: int = 1,
    count_feature: str = "count",
    lexical: str = "source",
    identity: bool = True,
) -> list[tuple[float, Overlap]]:
    """The overlap of growing parts of a grammar (PARADIGM, Figure 4).

    A part has the rules whose feature is at most a threshold, or at least if `above`; of rules
    that are one without their labels, the best counts. Rules without the feature are in no part.
    """
    check_flag("above", above)
    values = [check_number("threshold", value, -1e300, 1e300) for value in thresholds]
    column = grammar.column(feature)
    _stage_gold(gold, engine, (strict, lexical, identity), [min_count], count_feature)
    _stage(grammar, "candidate", engine, (strict, lexical, identity), column, above)
    sign = ">=" if above else "<="
    return [
        (value, _counted(engine, min_count, f"{sign} CAST('{value!r}' AS DOUBLE)"))
        for value in values
    ]


def size_thresholds(
    grammar: Grammar, feature: str, points: int, *, above: bool = False, identity: bool = True
) -> list[float]:
    """Thresholds of a feature that take equal steps in the size of the grammar, as Figure 4 does.

    The last one takes in all rules that have the feature. Where many rules have the same value,
    steps that would be the same are one.
    """
    check_whole("points", points, 1, 1000)
    column = grammar.column(feature)
    batches = (_different(batch, identity) for batch in grammar.batches())
    parts = [batch[column].drop_null().to_numpy() for batch in batches]
    values = np.sort(np.concatenate([np.zeros(0), *parts]))
    if above:
        values = values[::-1]
    places = [len(values) * step // points - 1 for step in range(1, points + 1)]
    return list(dict.fromkeys(float(values[place]) for place in places if place >= 0))


_How = tuple[bool, str, bool]  # strict, lexical, identity


def _stage_gold(
    gold: Grammar, engine: Engine, how: _How, min_counts: Sequence[int], feature: str
) -> None:
    """The different gold rules; those that are one without their labels as often as the best."""
    if check_counts(gold, min_counts, feature):
        _stage(gold, "gold", engine, how, gold.column(feature), above=True)
    else:
        _stage(gold, "gold", engine, how)


def check_counts(gold: Grammar, min_counts: Sequence[int], feature: str) -> bool:
    """Whether counts of rules are needed; refused where the grammar has none."""
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
    how: _How,
    column: str | None = None,
    above: bool = False,
) -> None:
    """The different rules of a grammar as a table of the engine, each with its best value."""
    strict, lexical, identity = how
    check_flag("strict", strict)
    check_flag("identity", identity)
    if lexical not in LEXICAL:
        raise UsageError(f"unknown value of lexical '{lexical}'; {near(lexical, LEXICAL)}")
    names = ("lhs", "source", "target", *([column] if column else []))
    schema = pa.schema([rule_schema(grammar.features).field(one) for one in names])
    rules = (batch.select(names) for batch in grammar.batches())
    reader = pa.RecordBatchReader.from_batches(schema, rules)
    engine.map(f"{name}_rows", reader, partial(_keys, how=how, column=column), _KEYS)
    best = "MAX" if above else "MIN"
    engine.stage(
        name,
        f"SELECT lhs, source, target, type, {best}(value) AS value FROM {name}_rows "
        "GROUP BY lhs, source, target, type",
    )


def _keys(
    batches: Iterable[pa.RecordBatch], how: _How, column: str | None
) -> Iterator[pa.RecordBatch]:
    strict, lexical, identity = how
    for whole in batches:
        batch = _different(whole, identity)
        sides = [_spaced(batch[name]) for name in ("source", "target")]
        types = rule_types(batch, lexical)
        lhs = batch["lhs"].cast(pa.large_string())
        if not strict:
            sides = [unlabelled(batch[name]) for name in ("source", "target")]
            lhs = pa.array(["X"] * len(batch), pa.large_string())
        value = pa.nulls(len(batch), pa.float64()) if column is None else batch[column]
        yield pa.RecordBatch.from_arrays([lhs, *sides, types, value], schema=_KEYS)


def _different(batch: pa.RecordBatch, identity: bool) -> pa.RecordBatch:
    """The rules, without those whose sides are the same unless `identity`."""
    return batch if identity else batch.filter(pc.not_equal(batch["source"], batch["target"]))


def unlabelled(side: pa.Array) -> pa.Array:
    """Sides with one label for all; for comparing, not for reading."""
    return pc.replace_substring_regex(_spaced(side), _NONTERMINAL, r" [X,\1] ")


def _spaced(side: pa.Array) -> pa.Array:
    """Two spaces between symbols and one at each end: every symbol has its own around it."""
    wide = pc.replace_substring(side, " ", "  ")
    return pc.binary_join_element_wise("", wide, "", " ").cast(pa.large_string())


def rule_types(batch: pa.RecordBatch, lexical: str = "source") -> pa.Array:
    """The type of each row of a grammar (PARADIGM, Figure 2)."""
    sides = [_spaced(batch[name]) for name in ("source", "target")]
    is_word = [pc.invert(pc.match_substring(side, "  ")) for side in sides]
    single = pc.and_(*is_word) if lexical == "both" else is_word[0]
    words = pc.if_else(single, "lexical", "phrasal")
    return pc.if_else(pc.match_substring_regex(sides[0], _NONTERMINAL), "syntactic", words)


def _counted(engine: Engine, least: int, bound: str = "") -> Overlap:
    """Rules of both whose value is within a bound, with the gold seen so often at least."""
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
    found = engine.run(f"SELECT type, COUNT(*) AS n FROM ({rows}) AS rows GROUP BY type")
    return {row["type"]: row["n"] for row in found.read_all().to_pylist()}
