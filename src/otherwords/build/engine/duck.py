"""DuckDB as the engine: tables are Parquet files, results stream, memory is limited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from otherwords.build.engine.base import Engine, Kernel, sql_text
from otherwords.build.engine.parquet import write_parquet
from otherwords.errors import InputError, OtherwordsError
from otherwords.io.arguments import check_number, check_whole
from otherwords.io.processes import working_folder

BATCH = 1 << 16


class DuckEngine(Engine):
    """Runs SQL over named Parquet tables within a memory limit; the rest spills to disk.

    >>> with DuckEngine() as engine:
    ...     engine.run("SELECT 6 * 7 AS answer").read_all().to_pylist()
    [{'answer': 42}]
    """

    distributed = False

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
        self._inputs: dict[str, list[str]] = {}  # input files by table
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
        with suppress(duckdb.InvalidInputException):  # raised in a notebook that cannot show a bar
            self._connection.execute("SET enable_progress_bar = false")  # it would go to stdout

    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        files = [Path(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
        self._inputs[name] = [str(file) for file in files if self.folder not in file.parents]
        quoted = ", ".join(sql_text(self._plain(part)) for part in files)
        try:
            self._connection.execute(
                f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet([{quoted}])"
            )
        except duckdb.Error as error:
            failure = self._failure(error, name)
            del self._inputs[name]
            raise failure from error

    def put(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        path = self.folder / f"{name}.parquet"
        write_parquet(path, schema, batches, fast=[])
        self.table(name, path)

    def map(
        self, name: str, source: str | pa.RecordBatchReader, kernel: Kernel, schema: pa.Schema
    ) -> None:
        rows = self.run(source) if isinstance(source, str) else source
        self.put(name, kernel(rows), schema)

    def _plain(self, path: Path) -> str:
        """Return the path, or a link to it if DuckDB would read its name as a pattern."""
        if not set("*?[") & set(str(path)):
            return str(path)
        link = self.folder / f"link-{sum(1 for _ in self.folder.glob('link-*'))}"
        link.symlink_to(path.resolve())
        return str(link)

    def run(self, sql: str) -> pa.RecordBatchReader:
        try:
            reader = self._connection.sql(sql).to_arrow_reader(BATCH)
        except duckdb.Error as error:
            raise self._failure(error, *self._inputs) from error
        return pa.RecordBatchReader.from_batches(reader.schema, self._stream(reader))

    def stage(self, name: str, sql: str) -> None:
        rows = self.run(sql)
        self.put(name, rows, rows.schema)

    def number(self, name: str, column: str, sql: str) -> None:
        place = f"ROW_NUMBER() OVER (ORDER BY {column}) - 1"
        self.stage(name, f"SELECT *, {place} AS id FROM ({sql}) AS rows")

    def write(
        self,
        sql: str,
        path: str | Path,
        metadata: Mapping[str, Any] | None = None,
        *,
        schema: pa.Schema | None = None,
    ) -> int:
        rows = self.run(sql)
        return write_parquet(path, schema or rows.schema, rows, metadata)

    def _stream(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a result, and turn errors of DuckDB into ours."""
        try:
            yield from reader
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            raise self._failure(error, *self._inputs) from error

    def _failure(self, error: Exception, *tables: str) -> OtherwordsError:
        """Turn an error of DuckDB into one line that names the file at fault."""
        files = [file for table in tables for file in self._inputs.get(table, [])]
        reason = str(error).partition("\n")[0]
        if not files or isinstance(error, (duckdb.OutOfMemoryException, duckdb.IOException)):
            return OtherwordsError(f"the database says: {reason}")
        return InputError(f"the database cannot read it: {reason}", path=", ".join(files))

    def close(self) -> None:
        self._connection.close()
        self._stack.close()
