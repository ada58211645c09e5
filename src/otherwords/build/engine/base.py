"""The engine: SQL over named tables, and kernels over their rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

# Batches of rows in, batches of other rows out. What runs on a cluster must be picklable, must not
# depend on how rows are split into batches, and sees rows in any order.
Kernel = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class Engine(ABC):
    """Where relational work runs: DuckDB on this machine, or Spark on many.

    The SQL uses only what both support with the same results (docs/decisions/spark.md lists the
    exceptions), so callers need not distinguish them.
    """

    folder: Path  # temporary files on this machine, removed when the engine closes
    threads: int  # what kernels may use on this machine
    distributed: bool  # kernels run in other processes, and what they keep stays there

    @abstractmethod
    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        """Give Parquet files, one after the other, a name in the SQL."""

    @abstractmethod
    def put(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Make a table of rows of this process."""

    @abstractmethod
    def map(
        self, name: str, source: str | pa.RecordBatchReader, kernel: Kernel, schema: pa.Schema
    ) -> None:
        """Make a table of what a kernel makes of rows: those of a query, or of this process."""

    @abstractmethod
    def run(self, sql: str) -> pa.RecordBatchReader:
        """Return the result of a query, a batch at a time."""

    @abstractmethod
    def stage(self, name: str, sql: str) -> None:
        """Make a table of the result of a query, on disk until the engine closes."""

    @abstractmethod
    def number(self, name: str, column: str, sql: str) -> None:
        """Make a table of the rows of a query with an `id` each; ids sort as the column does."""

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

        Parameters
        ----------
        sql
            The query.
        path
            The file, or with a slash at its end a folder of files, one after the other in this
            order, which a cluster writes faster than one file.
        metadata
            Stored in the file.
        schema
            The columns (default: those of the result).
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
