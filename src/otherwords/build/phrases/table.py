"""The phrase table: counts, translation probabilities and lexical weights of phrase pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import (
    metadata_of,
    open_parquet,
    read_batches,
    row_count,
    table_digest,
)
from otherwords.build.phrases.extraction import (
    COUNTS,
    LONGEST,
    PhraseKernel,
    linked_words,
    put_aligned,
)
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.models.arrays import Strings

# In the order of Moses' five fields. Counts are null if the table had none.
SCHEMA = pa.schema(
    {
        "source": pa.string(),
        "target": pa.string(),
        "p_source": pa.float64(),  # p(source | target)
        "lex_source": pa.float64(),
        "p_target": pa.float64(),  # p(target | source)
        "lex_target": pa.float64(),
        "alignment": pa.string(),
        "count_target": pa.int64(),
        "count_source": pa.int64(),
        "count": pa.int64(),
    }
)

_LIMITS = {
    **dict.fromkeys(("p_source", "lex_source", "p_target", "lex_target"), (0.0, 1.0)),
    **dict.fromkeys(("count_target", "count_source", "count"), (0, 2**62)),
}
_NULLABLE = ("lex_source", "lex_target", "alignment", "count_target", "count_source", "count")

# Relative frequencies (Koehn, Och & Marcu 2003, eq. 5). A pair gets its most frequent
# alignment; ties are broken as in Moses.
_COUNT = """
WITH aligned AS (
    SELECT source, target, alignment_order, MIN(alignment) AS alignment,
           MIN(lex_source) AS lex_source, MIN(lex_target) AS lex_target,
           CAST(SUM(count) AS BIGINT) AS aligned_count
    FROM counts
    GROUP BY source, target, alignment_order
), ranked AS (
    SELECT source, target, alignment, lex_source, lex_target,
           CAST(SUM(aligned_count) OVER (PARTITION BY source, target) AS BIGINT) AS pair_count,
           ROW_NUMBER() OVER (
               PARTITION BY source, target ORDER BY aligned_count DESC, alignment_order DESC
           ) AS place
    FROM aligned
), pairs AS (
    SELECT source, target, alignment, lex_source, lex_target, pair_count
    FROM ranked
    WHERE place = 1
), sources AS (
    SELECT source, CAST(SUM(pair_count) AS BIGINT) AS count_source FROM pairs GROUP BY source
), targets AS (
    SELECT target, CAST(SUM(pair_count) AS BIGINT) AS count_target FROM pairs GROUP BY target
)
SELECT pairs.source, pairs.target,
       CAST(pair_count AS DOUBLE) / CAST(count_target AS DOUBLE) AS p_source, lex_source,
       CAST(pair_count AS DOUBLE) / CAST(count_source AS DOUBLE) AS p_target, lex_target,
       alignment, count_target, count_source, pair_count AS count
FROM pairs
JOIN sources ON pairs.source = sources.source
JOIN targets ON pairs.target = targets.target
ORDER BY pairs.source, pairs.target
"""


@dataclass(frozen=True)
class PhraseTable:
    """A phrase table in a Parquet file: one row per phrase pair, sorted by source and target."""

    path: Path
    rows: int
    metadata: Mapping[str, Any]

    @classmethod
    def open(cls, path: str | Path) -> PhraseTable:
        """Open a Parquet file; refuse it if it lacks a column."""
        with open_parquet(
            path, {field.name: field.type for field in SCHEMA}, "phrase table"
        ) as file:
            return cls(Path(path), row_count(path), metadata_of(file))

    def batches(
        self, columns: Sequence[str] = SCHEMA.names, size: int = 1 << 16
    ) -> Iterator[pa.RecordBatch]:
        """Read the rows, or some columns, up to `size` at a time; refuse wrong values."""
        schema = pa.schema([SCHEMA.field(name) for name in columns])
        return read_batches(
            self.path, schema, "phrase table", size, limits=_LIMITS, nullable=_NULLABLE
        )

    def check(self, *, counts: bool = False) -> None:
        """Refuse a table with wrong values; with `counts`, also one with missing counts."""
        for batch in self.batches():
            if counts and batch["count"].null_count:
                raise InputError(
                    "this table has no counts: it cannot be added to another one, "
                    "nor pruned by count",
                    path=self.path,
                )

    @property
    def digest(self) -> str:
        return table_digest(self.path)


def build_table(
    left: Side,
    right: Side,
    links: Links,
    path: str | Path,
    *,
    engine: Engine,
    max_length: int = 4,
) -> PhraseTable:
    """Extract and count the phrase pairs of an aligned bitext.

    Parameters
    ----------
    left, right, links
        The bitext and its links; left is the source.
    path
        The Parquet file to write.
    engine
        The engine that does the work.
    max_length
        The most words in a phrase of either side, up to 7.
    """
    check_whole("max_length", max_length, 1, LONGEST)
    put_aligned(engine, left, right, links)
    words = Strings.of(left.words), Strings.of(right.words)
    lexicon = linked_words(engine, len(left.words), len(right.words))
    kernel = PhraseKernel(words, lexicon, max_length, engine.threads)
    engine.map("counts", "SELECT * FROM aligned", kernel, COUNTS)
    metadata = {"kind": "phrase-table", "signature": f"phrases|v:1|max-length:{max_length}"}
    engine.write(_COUNT, path, metadata, schema=SCHEMA)
    return PhraseTable.open(path)


def equivalent_pairs(groups: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Pair all different sentences of each group, in both directions (ParaMetric §7.1).

    >>> equivalent_pairs([["a b", "a c", "a b"], ["alone"]])
    [('a b', 'a c'), ('a c', 'a b')]
    """
    return [pair for group in groups for pair in permutations(dict.fromkeys(group), 2)]
