"""Pruning of grammars by features, to the best rules of a source, and to the best labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.build.engine.base import Engine, sql_number
from otherwords.build.grammar.table import KIND, Grammar, drop_labels, rule_schema
from otherwords.errors import UsageError
from otherwords.io.arguments import check_flag, check_number, check_whole

_MOST = 2**53

_PRUNE = """
WITH kept AS (
    SELECT * FROM rules WHERE {conditions}
), variants AS (
    SELECT *, ROW_NUMBER() OVER (
        PARTITION BY plain_source, plain_target ORDER BY {rank} place_in_file
    ) AS variant
    FROM kept
), ranked AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY source ORDER BY {rank} place_in_file) AS place
    FROM variants
    WHERE variant <= {labels}
)
SELECT {columns} FROM ranked WHERE place <= {top} ORDER BY place_in_file
"""


def prune_grammar(
    grammar: Grammar,
    path: str | Path,
    *,
    engine: Engine,
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    labels: int | None = None,
    top: int | None = None,
    rank_by: str | None = None,
    descending: bool = False,
) -> Grammar:
    """Keep the rules whose features are within bounds, and the best among these.

    Rules stay in the order of the file. A rule that lacks a feature is left out.

    Parameters
    ----------
    grammar, path, engine
        The grammar, the output file and the engine.
    at_least, at_most
        Bounds of features.
    labels
        Number of best rules to keep among those that differ only in labels (PARADIGM §5.6).
    top
        Number of best rules to keep of each source side, after `labels`.
    rank_by, descending
        The best have the smallest value of this feature, or the largest if `descending`; ties
        are broken by their order in the file.
    """
    check_flag("descending", descending)
    for name, value in (("labels", labels), ("top", top)):
        if value is not None:
            check_whole(name, value, 1, _MOST)
            if rank_by is None:
                raise UsageError(f"{name} needs a feature to rank by")
    bounds = [
        f"{grammar.column(name)} {sign} {sql_number(check_number(name, value, -1e300, 1e300))}"
        for sign, wanted in ((">=", at_least), ("<=", at_most))
        for name, value in (wanted or {}).items()
    ]
    rank = ""
    if rank_by is not None:
        bounds.append(f"{grammar.column(rank_by)} IS NOT NULL")
        rank = f"{grammar.column(rank_by)} {'DESC' if descending else 'ASC'},"
    schema = _schema(grammar)
    engine.put("rules", _number_rules(grammar, schema), schema)
    sql = _PRUNE.format(
        conditions=" AND ".join(bounds) or "TRUE",
        rank=rank,
        labels=labels or _MOST,
        top=top or _MOST,
        columns=", ".join(rule_schema(grammar.features).names),
    )
    best = {"labels": labels, "top": top, "rank-by": rank_by, "descending": descending}
    metadata = {
        **grammar.metadata,
        "kind": KIND,
        "features": list(grammar.features),
        "pruning": {"at-least": dict(at_least or {}), "at-most": dict(at_most or {}), **best},
    }
    engine.write(sql, path, metadata, schema=rule_schema(grammar.features))
    return Grammar.open(path)


def _schema(grammar: Grammar) -> pa.Schema:
    schema = rule_schema(grammar.features)
    for name in ("plain_source", "plain_target"):
        schema = schema.append(pa.field(name, pa.large_string()))
    return schema.append(pa.field("place_in_file", pa.int64()))


def _number_rules(grammar: Grammar, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Add the number of each row, and its sides without labels."""
    first = 0
    for batch in grammar.batches():
        sides = [drop_labels(batch[name]) for name in ("source", "target")]
        places = pc.add(pa.array(range(len(batch)), pa.int64()), first)
        yield pa.RecordBatch.from_arrays([*batch.columns, *sides, places], schema=schema)
        first += len(batch)
