"""DuckDB as the engine: tables are Parquet files, results stream, memory is limited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import pyarrow as pa

from otherwords.engine.parquet import write_parquet
from otherwords.errors import OtherwordsError
from otherwords.io.arguments import check_number, check_whole
from otherwords.io.temporary import working_folder

__all__ = ["Engine"]

BATCH = 1 << 16


class Engine:
    """Runs SQL over named Parquet tables, within so much memory; the rest spills to disk.

    The SQL is kept to what DuckDB and Spark SQL both understand (docs/decisions/phrases.md
    lists what that leaves out), so that another engine needs these methods and nothing else.

    >>> with Engine() as engine:
    ...     engine.run("SELECT 6 * 7 AS answer").read_all().to_pylist()
    [{'answer': 42}]
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        memory_gb: float = 2.0,
        temporary: str | Path | None = None,
    ) -> None:
        check_whole("threads", threads, 1, 1024)
        check_number("memory_gb", memory_gb, 0.05, 1e6)
        self._stack = ExitStack()
        self.folder = self._stack.enter_context(working_folder(temporary))
        self.threads = threads
        self._connection = duckdb.connect(
            config={
                "threads": threads,
                "memory_limit": f"{int(memory_gb * 1000)}MB",
                "temp_directory": str(self.folder / "spill"),
                "preserve_insertion_order": False,
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
            }
        )
        with suppress(duckdb.InvalidInputException):  # in a notebook that cannot show one anyway
            self._connection.execute("SET enable_progress_bar = false")  # it would go to stdout

    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        """Give Parquet files, one after the other, a name in the SQL."""
        files = [paths] if isinstance(paths, (str, Path)) else list(paths)
        quoted = ", ".join(_quoted(self._plain(Path(path))) for path in files)
        try:
            self._connection.execute(
                f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet([{quoted}])"
            )
        except duckdb.Error as error:
            raise _told(error) from error

    def view(self, name: str, table: str) -> None:
        """Give a table another name in the SQL, which may have been that of another table."""
        self._connection.execute(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM {table}")

    def _plain(self, path: Path) -> str:
        """The path, or a link to it if the database would take its name for a pattern."""
        if not set("*?[") & set(str(path)):
            return str(path)
        link = self.folder / f"link-{sum(1 for _ in self.folder.glob('link-*'))}"
        link.symlink_to(path.resolve())
        return str(link)

    def run(self, sql: str) -> pa.RecordBatchReader:
        """The result of a query, a batch at a time."""
        try:
            return self._connection.sql(sql).to_arrow_reader(BATCH)
        except duckdb.Error as error:
            raise _told(error) from error

    def write(
        self,
        sql: str,
        path: str | Path,
        metadata: Mapping[str, Any] | None = None,
        *,
        schema: pa.Schema | None = None,
    ) -> int:
        """The result of a query as a Parquet file; returns the number of its rows."""
        reader = self.run(sql)
        return write_parquet(path, schema or reader.schema, self.streamed(reader), metadata)

    def stage(self, name: str, sql: str) -> int:
        """The result of a query as a table of that name, on disk until the engine closes."""
        path = self.folder / f"{name}.parquet"
        rows = self.write(sql, path)
        self.table(name, path)
        return rows

    @staticmethod
    def streamed(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        """The batches of a result; the database's errors on the way are ours."""
        try:
            yield from reader
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            raise _told(error) from error

    def close(self) -> None:
        """Forget the tables and remove what was spilled."""
        self._connection.close()
        self._stack.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _told(error: Exception) -> OtherwordsError:
    return OtherwordsError(f"the database says: {str(error).splitlines()[0]}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
