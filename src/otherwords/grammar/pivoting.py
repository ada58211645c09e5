"""Paraphrase grammars by pivoting a bilingual grammar (Ganitkevitch et al. 2011).

Two rules with the same label and the same foreign side make a paraphrase of their English sides,
whose nonterminals correspond as they do through the foreign side:
p(e2|e1) = sum over f of p(f|e1) p(e2|f).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from otherwords.engine import Engine, write_parquet
from otherwords.errors import InputError, UsageError, near
from otherwords.grammar.table import KIND, Grammar, rule_schema
from otherwords.io.arguments import check_flag, check_number

__all__ = ["PIVOT_FEATURES", "pivot_grammar"]

PROBABILITIES = ("e_given_f_phrase", "f_given_e_phrase")
PIVOT_FEATURES = (*PROBABILITIES, "pivots", "word_difference", "character_difference")
SIDES = ("source", "target")
_NONTERMINAL = re.compile(r"\[([^\s\[\]]+),([1-9][0-9]{0,2})\]")
_UNIT = "POWER(CAST(2 AS DOUBLE), 60)"  # sums are of whole numbers: their order does not matter

_STEPS = pa.schema(
    {
        "lhs": pa.large_string(),
        "foreign_side": pa.large_string(),
        "word_order": pa.string(),  # of the nonterminals of the first English side
        "english": pa.large_string(),
        "forward": pa.float64(),  # p(f | e)
        "backward": pa.float64(),  # p(e | f)
    }
)

# Both sides of a paraphrase have the same nonterminals: what differs in length is their words,
# and the spaces between symbols, which Thrax counts as characters.
_PIVOT = """
WITH paraphrases AS (
    SELECT first.lhs AS lhs, first.english AS source, second.english AS target,
           CAST(SUM(CAST(FLOOR(first.forward * second.backward * {unit}) AS BIGINT)) AS DOUBLE)
               / {unit} AS p_target,
           CAST(SUM(CAST(FLOOR(second.forward * first.backward * {unit}) AS BIGINT)) AS DOUBLE)
               / {unit} AS p_source,
           COUNT(*) AS pivots
    FROM first_steps AS first
    JOIN second_steps AS second
      ON first.lhs = second.lhs AND first.foreign_side = second.foreign_side
     AND first.word_order = second.word_order
    WHERE first.forward >= {min_step} AND second.backward >= {min_step}
    GROUP BY first.lhs, first.english, second.english
)
SELECT lhs, source, target, CAST('' AS VARCHAR) AS alignment, CAST(NULL AS VARCHAR) AS relation,
       0 - LN(LEAST(p_target, CAST(1 AS DOUBLE))) AS f0,
       0 - LN(LEAST(p_source, CAST(1 AS DOUBLE))) AS f1, CAST(pivots AS DOUBLE) AS f2,
       CAST(LENGTH(REPLACE(source, ' ', '')) - LENGTH(source)
            - LENGTH(REPLACE(target, ' ', '')) + LENGTH(target) AS DOUBLE) AS f3,
       CAST(LENGTH(target) - LENGTH(source) AS DOUBLE) AS f4
FROM paraphrases
WHERE p_target > 0 AND p_source > 0 AND p_target >= {min_probability} AND {identity}
ORDER BY lhs, source, target
"""


def pivot_grammar(
    grammar: Grammar,
    path: str | Path,
    *,
    engine: Engine,
    foreign: str = "source",
    min_step: float = 0.0,
    min_probability: float = 0.0,
    identity: bool = True,
) -> Grammar:
    """The paraphrase grammar of the other side than `foreign` of a bilingual grammar.

    It needs the features `e_given_f_phrase` and `f_given_e_phrase` (negative logarithms, e being
    the target), and has the same: p(target|source) and p(source|target); the number of `pivots`;
    and `word_difference` and `character_difference`, target minus source (PARADIGM §6). Steps with
    a smaller probability than `min_step` are left out, and paraphrases below `min_probability`.
    """
    if foreign not in SIDES:
        raise UsageError(f"unknown side '{foreign}'; {near(foreign, SIDES)}")
    check_number("min_step", min_step, 0, 1)
    check_number("min_probability", min_probability, 0, 1)
    check_flag("identity", identity)
    _stage(grammar, engine, foreign)
    sql = _PIVOT.format(
        unit=_UNIT,
        min_step=f"{min_step:.17g}",
        min_probability=f"{min_probability:.17g}",
        identity="TRUE" if identity else "source <> target",
    )
    signature = (
        f"grammar-pivot|v:2|foreign:{foreign}|min-step:{min_step:.17g}"
        f"|min-probability:{min_probability:.17g}|identity:{'yes' if identity else 'no'}"
    )
    metadata = {"kind": KIND, "features": list(PIVOT_FEATURES), "signature": signature}
    engine.write(sql, path, metadata, schema=rule_schema(PIVOT_FEATURES))
    return Grammar.open(path)


def _stage(grammar: Grammar, engine: Engine, foreign: str) -> None:
    """Each rule once as a first step, and as a second one for every order of nonterminals."""
    english = "target" if foreign == "source" else "source"
    backward, forward = (grammar.column(name) for name in PROBABILITIES)
    if foreign == "target":
        backward, forward = forward, backward
    columns = ["lhs", foreign, english, forward, backward]
    rows = [(name, f"{name}_steps") for name in ("first", "second")]
    orders = {_order(_symbols(row[2])) for row in _rows(grammar, ["lhs", foreign, english])}
    for which, name in rows:
        file = engine.folder / f"{name}.parquet"
        wanted = None if which == "first" else sorted(orders)
        write_parquet(file, _STEPS, _steps(grammar, columns, wanted))
        engine.table(name, file)


def _rows(grammar: Grammar, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Rows with the nonterminals numbered by the foreign side, which is the second column."""
    for batch in grammar.batches():
        for lhs, foreign, english, *rest in zip(
            *(batch[name].to_pylist() for name in columns), strict=True
        ):
            if None in rest:
                continue
            order = _order(_symbols(foreign))
            sides = (_renumbered(side, order) for side in (foreign, english))
            yield (lhs, *sides, *rest)


def _steps(
    grammar: Grammar, columns: Sequence[str], orders: Sequence[tuple[int, ...]] | None
) -> Iterator[pa.RecordBatch]:
    rows = []
    for lhs, foreign, english, *costs in _rows(grammar, columns):
        own = _order(_symbols(english))
        chances = [_probability(float(cost), grammar) for cost in costs]
        for order in [own] if orders is None else orders:
            if len(order) == len(own):
                text = _renumbered(english, order)
                rows.append((lhs, foreign, " ".join(map(str, order)), text, *chances))
        if len(rows) >= 1 << 16:
            yield _batch(rows)
            rows = []
    yield _batch(rows)


def _probability(cost: float, grammar: Grammar) -> float:
    if cost < 0:
        message = f"a phrase probability is a negative logarithm, not {cost:g}: it would be above 1"
        raise InputError(message, path=grammar.name)
    return math.exp(-cost)


def _batch(rows: list[tuple[object, ...]]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True) if rows else ([] for _ in _STEPS)
    arrays = [pa.array(list(one), kind.type) for one, kind in zip(columns, _STEPS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=_STEPS)


def _symbols(side: str) -> list[re.Match[str]]:
    return [found for word in side.split(" ") if (found := _NONTERMINAL.fullmatch(word))]


def _order(nonterminals: Sequence[re.Match[str]]) -> tuple[int, ...]:
    """The numbers of nonterminals in the order in which they stand."""
    return tuple(int(found[2]) for found in nonterminals)


def _renumbered(side: str, order: Sequence[int]) -> str:
    """The side with each nonterminal's number replaced by its place, from 1, in `order`.

    >>> _renumbered("[NP,2] of [NN,1]", (2, 1))
    '[NP,1] of [NN,2]'
    """
    if tuple(order) == tuple(range(1, len(order) + 1)):
        return side
    places = {number: place for place, number in enumerate(order, 1)}
    words = []
    for word in side.split(" "):
        found = _NONTERMINAL.fullmatch(word)
        words.append(f"[{found[1]},{places[int(found[2])]}]" if found else word)
    return " ".join(words)
