"""What an engine does: SQL over named tables, and kernels over their rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

__all__ = ["Engine", "Kernel"]

# Batches of rows in, batches of other rows out. What runs on a cluster must be picklable, must not
# depend on how rows are split into batches, and sees rows in any order.
Kernel = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class Engine(ABC):
    """Where relational work runs: DuckDB on this machine, or Spark on many.

    The SQL uses only what both support with the same results (docs/decisions/spark.md lists the
    exceptions), so callers need not distinguish them.
    """

    folder: Path  # of temporary files on this machine, removed when the engine closes
    threads: int  # that kernels may use on this machine
    distributed: bool  # kernels run in other processes: what they keep stays there

    @abstractmethod
    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        """Give Parquet files, one after the other, a name in the SQL."""

    @abstractmethod
    def put(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Rows of this process as a table of that name."""

    @abstractmethod
    def map(
        self, name: str, source: str | pa.RecordBatchReader, kernel: Kernel, schema: pa.Schema
    ) -> None:
        """What a kernel makes of rows, in batches of that schema, as a table of that name.

        The rows are those of a query, or batches of this process.
        """

    @abstractmethod
    def run(self, sql: str) -> pa.RecordBatchReader:
        """The result of a query, a batch at a time."""

    @abstractmethod
    def stage(self, name: str, sql: str) -> None:
        """The result of a query as a table of that name, on disk until the engine closes."""

    @abstractmethod
    def number(self, name: str, column: str, sql: str) -> None:
        """The rows of a query with an `id` each, as a table; ids sort as the column does."""

    @abstractmethod
    def write(
        self,
        sql: str,
        path: str | Path,
        metadata: Mapping[str, Any] | None = None,
        *,
        schema: pa.Schema | None = None,
    ) -> int:
        """The result of a query as a Parquet file, in its order; returns the number of its rows.

        A path that ends in a slash is that of a folder of files, one after the other in this
        order: what a cluster writes faster than one file.
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
