"""Paraphrase grammars by pivoting a bilingual grammar (Ganitkevitch et al. 2011).

Two rules with the same label and the same foreign side make a paraphrase of their English sides,
whose nonterminals correspond as they do through the foreign side:
p(e2|e1) = sum over f of p(f|e1) p(e2|f).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords import _native
from otherwords.engine import Engine
from otherwords.errors import InputError, OtherwordsError, UsageError, near
from otherwords.grammar.numbered import Block, Ordered, in_order, stage_blocks
from otherwords.grammar.table import Grammar, write_grammar
from otherwords.io.arguments import check_flag, check_number
from otherwords.models.strings import Strings

__all__ = ["PIVOT_FEATURES", "pivot_grammar"]

PROBABILITIES = ("e_given_f_phrase", "f_given_e_phrase")
PIVOT_FEATURES = (*PROBABILITIES, "pivots", "word_difference", "character_difference")
SIDES = ("source", "target")
_UNIT = "POWER(CAST(2 AS DOUBLE), 60)"  # sums are of whole numbers: their order does not matter

# A step is p(f | e) forward and p(e | f) backward. `word_order` is the number of the order of the
# nonterminals of the first English side, in which those of the second are numbered.
_PARAPHRASES = """
SELECT *
FROM (
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
) AS paraphrases
WHERE p_target > 0 AND p_source > 0 AND p_target >= {min_probability} AND {identity}
"""
_LABELS = """
SELECT id, MIN(text) AS text, MIN(check_hash) <> MAX(check_hash) AS clash FROM labels GROUP BY id
"""
_ENGLISH = """
SELECT id, text, clash, LENGTH(text) AS characters,
       LENGTH(text) - LENGTH(REPLACE(text, ' ', '')) AS spaces
FROM (
    SELECT id, MIN(text) AS text, MIN(check_hash) <> MAX(check_hash) AS clash
    FROM (SELECT id, check_hash, text FROM first_sides UNION ALL
          SELECT id, check_hash, text FROM second_sides) AS sides
    WHERE id IN (SELECT source FROM paraphrases UNION SELECT target FROM paraphrases)
    GROUP BY id
) AS english
"""
_CLASHES = """
SELECT foreign_side
FROM (SELECT foreign_side, foreign_check FROM first_steps UNION ALL
      SELECT foreign_side, foreign_check FROM second_steps) AS sides
GROUP BY foreign_side HAVING MIN(foreign_check) <> MAX(foreign_check)
"""
_GRAMMAR = """
SELECT label_places.place AS lhs, sources.place AS source, targets.place AS target,
       0 - LN(LEAST(p_target, CAST(1 AS DOUBLE))) AS f0,
       0 - LN(LEAST(p_source, CAST(1 AS DOUBLE))) AS f1, pivots
FROM paraphrases
JOIN label_places ON paraphrases.lhs = label_places.id
JOIN english AS sources ON paraphrases.source = sources.id
JOIN english AS targets ON paraphrases.target = targets.id
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
    sql = _PARAPHRASES.format(
        unit=_UNIT,
        min_step=f"{min_step:.17g}",
        min_probability=f"{min_probability:.17g}",
        identity="TRUE" if identity else "source <> target",
    )
    signature = (
        f"grammar-pivot|v:2|foreign:{foreign}|min-step:{min_step:.17g}"
        f"|min-probability:{min_probability:.17g}|identity:{'yes' if identity else 'no'}"
    )
    rows = _paraphrases(grammar, engine, foreign, sql)
    return write_grammar(rows, path, PIVOT_FEATURES, {"signature": signature})


def _paraphrases(
    grammar: Grammar, engine: Engine, foreign: str, sql: str
) -> Iterator[pa.RecordBatch]:
    """Each rule once as a first step, and as a second one for every order of nonterminals."""
    orders: set[tuple[int, ...]] = set()
    if not stage_blocks(_steps(grammar, foreign, "first", orders), engine):
        return
    stage_blocks(_steps(grammar, foreign, "second", orders), engine)
    if engine.run(_CLASHES).read_all().num_rows:
        raise OtherwordsError("two different foreign sides of this grammar have the same hash")
    engine.stage("paraphrases", sql)
    labels = in_order("label_places", _LABELS, engine)
    english = in_order("english", _ENGLISH, engine)
    for rows in engine.streamed(engine.run(_GRAMMAR)):
        yield _finished(rows, labels, english)


def _steps(
    grammar: Grammar, foreign: str, which: str, orders: set[tuple[int, ...]]
) -> Iterator[Block]:
    """The steps of a pass over the grammar; the first notes the orders that second ones need."""
    english = "target" if foreign == "source" else "source"
    backward, forward = (grammar.column(name) for name in PROBABILITIES)
    if foreign == "target":
        backward, forward = forward, backward
    wanted = None if which == "first" else [list(order) for order in sorted(orders)]
    for batch in grammar.batches():
        rules = batch.filter(pc.and_(pc.is_valid(batch[forward]), pc.is_valid(batch[backward])))
        costs = rules[forward].to_numpy(), rules[backward].to_numpy()
        if (wrong := np.minimum(*costs) < 0).any():
            first = int(np.argmax(wrong))
            cost = next(one[first] for one in costs if one[first] < 0)
            raise InputError(
                f"a phrase probability is a negative logarithm, not {cost:g}: it would be above 1",
                path=grammar.name,
            )
        texts = [Strings.of(rules[name]) for name in ("lhs", foreign, english)]
        columns = [(one.bytes, one.bounds) for one in texts]
        steps, sides, labels, met = _native.pivot_steps(columns, *costs, wanted)
        orders.update(map(tuple, met))
        first_only = {"labels": labels} if wanted is None else {}
        yield {f"{which}_steps": steps, f"{which}_sides": sides, **first_only}


def _finished(rows: pa.RecordBatch, labels: Ordered, english: Ordered) -> pa.RecordBatch:
    """Texts in place of numbers, and differences in length.

    Both sides of a paraphrase have the same nonterminals: what differs is their words, and the
    spaces between symbols, which Thrax counts as characters.
    """
    source, target = (rows[side].to_numpy() for side in SIDES)
    lengths = (english.columns[name] for name in ("spaces", "characters"))
    values = [
        *(rows[name] for name in ("f0", "f1", "pivots")),
        *(pa.array(length[target] - length[source]) for length in lengths),
    ]
    return pa.RecordBatch.from_pydict(
        {
            "lhs": labels.at(rows["lhs"]),
            **{side: english.at(rows[side]) for side in SIDES},
            "alignment": pa.array([""] * len(rows)),
            "relation": pa.nulls(len(rows), pa.string()),
            **{f"f{place}": value.cast(pa.float64()) for place, value in enumerate(values)},
        }
    )
