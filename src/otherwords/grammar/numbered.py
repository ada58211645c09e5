"""Texts of rules as numbers in SQL: tables join, group and sort numbers, and get texts at the end.

The kernel gives a text the same number, a hash of it, wherever it meets it. `in_order` gives the
different texts of a table their places in sorted order, which sort as the texts do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from otherwords.engine import Engine
from otherwords.errors import OtherwordsError
from otherwords.phrases.extraction import packed_texts

__all__ = ["Block", "Ordered", "column", "in_order", "stage_blocks"]

Block = Mapping[str, Mapping[str, Any]]  # the tables of a stretch of text: their columns by name


class Ordered(NamedTuple):
    """The different texts of a table, sorted, and what else is known of each."""

    texts: pa.Array
    columns: Mapping[str, NDArray[Any]]

    def at(self, places: pa.Array) -> pa.Array:
        """The texts at these places."""
        return self.texts.take(places)


def stage_blocks(blocks: Iterable[Block], engine: Engine) -> bool:
    """The tables of all blocks, one block after the other, as tables of the engine, if any."""
    with ExitStack() as stack:
        writers: dict[str, pq.ParquetWriter] = {}
        for block in blocks:
            for name, columns in block.items():
                rows = pa.table({key: column(value) for key, value in columns.items()})
                if name not in writers:
                    writers[name] = stack.enter_context(_writer(name, rows.schema, engine))
                writers[name].write_table(rows)
    for name in writers:
        engine.table(name, _path(name, engine))
    return bool(writers)


def column(value: Any) -> pa.Array:
    """A column of a block: numbers, or the bytes and bounds of texts."""
    return packed_texts(*value) if isinstance(value, tuple) else pa.array(value)


def in_order(name: str, sql: str, engine: Engine) -> Ordered:
    """The texts of a query in their order, which the engine has as the table `name` from now on.

    The query has the columns `id`, `text` and `clash` (whether two texts have that number), and
    any others; the table has a `place`, from 0 on, instead of the text.
    """
    rows = engine.run(f"SELECT * FROM ({sql}) AS texts ORDER BY text")
    kept = [field for field in rows.schema if field.name not in ("text", "clash")]
    schema = pa.schema([*kept, pa.field("place", pa.int64())])
    texts: list[pa.Array] = []
    others: list[pa.RecordBatch] = []
    with _writer(name, schema, engine) as writer:
        for batch in rows:
            if pc.any(batch["clash"]).as_py():
                raise OtherwordsError(f"two different {name} of this grammar have the same hash")
            start = sum(map(len, texts))
            places = pa.array(np.arange(start, start + len(batch)))
            columns = [*(batch[field.name] for field in kept), places]
            others.append(pa.RecordBatch.from_arrays(columns, schema=schema))
            writer.write_batch(others[-1])
            texts.append(batch["text"].cast(pa.large_string()))
    engine.table(name, _path(name, engine))
    known = pa.Table.from_batches(others, schema)
    return Ordered(
        pa.chunked_array(texts, pa.large_string()).combine_chunks(),
        {field.name: known[field.name].to_numpy() for field in kept if field.name != "id"},
    )


def _path(name: str, engine: Engine) -> Any:
    return engine.folder / f"{name}.parquet"


def _writer(name: str, schema: pa.Schema, engine: Engine) -> pq.ParquetWriter:
    return pq.ParquetWriter(
        _path(name, engine), schema, compression="lz4", use_dictionary=False, write_statistics=False
    )
