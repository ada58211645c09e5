"""The engine: SQL over named tables, and kernels over their rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

# Maps batches of rows to batches of other rows. On a cluster a kernel must be picklable, must not
# depend on how rows are split into batches, and sees rows in any order.
Kernel = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
# Probabilities are summed as whole multiples of its inverse, so that their order does not matter.
UNIT = "POWER(CAST(2 AS DOUBLE), 60)"


def sql_number(value: float) -> str:
    """Write a number in SQL, with all its digits."""
    return f"CAST('{value!r}' AS DOUBLE)"


def sql_text(value: str) -> str:
    """Quote a text in SQL."""
    return "'" + value.replace("'", "''") + "'"


class Engine(ABC):
    """Runs relational work: DuckDB on this machine, or Spark on a cluster.

    The SQL uses only what both support with the same results (docs/decisions/spark.md lists the
    exceptions), so callers need not distinguish them.
    """

    folder: Path  # temporary files on this machine, removed when the engine closes
    threads: int  # threads for kernels on this machine
    distributed: bool  # kernels run in other processes and keep their state there

    @abstractmethod
    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        """Name the concatenation of Parquet files as a table."""

    @abstractmethod
    def put(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Make a table from rows of this process."""

    @abstractmethod
    def map(
        self, name: str, source: str | pa.RecordBatchReader, kernel: Kernel, schema: pa.Schema
    ) -> None:
        """Make a table from the output of a kernel over a query or rows of this process."""

    @abstractmethod
    def run(self, sql: str) -> pa.RecordBatchReader:
        """Return the result of a query in batches."""

    @abstractmethod
    def stage(self, name: str, sql: str) -> None:
        """Store the result of a query as a table, on disk until the engine closes."""

    @abstractmethod
    def number(self, name: str, column: str, sql: str) -> None:
        """Store the result of a query with an `id` per row; ids sort as the column does."""

    @abstractmethod
    def write(
        self,
        sql: str,
        path: str | Path,
        metadata: Mapping[str, Any] | None = None,
        *,
        schema: pa.Schema | None = None,
    ) -> int:
        """Write the result of a query to Parquet, in its order; returns the number of rows.

        The columns are those of the result unless a schema names others.
        """

    @abstractmethod
    def close(self) -> None:
        """Forget the tables and remove temporary files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
