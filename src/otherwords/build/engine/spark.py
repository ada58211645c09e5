"""Spark as the engine: tables are Parquet files in shared storage."""

from __future__ import annotations

import posixpath
import re
import shutil
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs as fs
import pyarrow.parquet as pq
from pyspark import SparkContext, SparkFiles, cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, functions

from otherwords.build.engine.base import Engine, Kernel
from otherwords.build.engine.parquet import describe_parts, parts_of, row_count, write_parquet
from otherwords.build.engine.spark_start import cause, check_java, check_master, start_session
from otherwords.errors import InputError, OtherwordsError, UsageError
from otherwords.io.processes import UNFINISHED, remove_stale, umask, unique_name, working_folder

PART = 1 << 16  # rows per file that this process writes for the executors
_PACKAGE = "otherwords-package"
_TRACEBACK = "Traceback (most recent call last):"  # the error comes last
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:: |$)")
_TYPES = {
    pa.string(): "STRING",
    pa.large_string(): "STRING",
    pa.int32(): "INT",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
    pa.bool_(): "BOOLEAN",
    pa.list_(pa.int32()): "ARRAY<INT>",
}


class SparkEngine(Engine):
    """Runs SQL and kernels on the executors of a Spark session.

    `shared` is a folder or URL that this process and all executors can read and write. It holds
    the tables until the engine closes; a local session needs none. `ship` sends the package to
    executors without it (they need pyarrow, NumPy and the same platform). Tables are private to
    this engine: it neither sees nor replaces views of the session.
    """

    distributed = True
    threads = 1

    def __init__(
        self,
        session: SparkSession,
        *,
        shared: str | Path | None = None,
        ship: bool = False,
        temporary: str | Path | None = None,
    ) -> None:
        self.session = session
        self._session = session.newSession()
        context = session.sparkContext
        if shared is None and not str(context.master).startswith("local"):
            raise UsageError("a cluster needs a folder or URL that all its machines see: --shared")
        self._stack = ExitStack()
        self.folder = self._stack.enter_context(working_folder(temporary))
        where = str(self.folder if shared is None else shared)
        try:
            self._files, self._root, self._url = _storage(where)
            with _usable(where):
                self._files.create_dir(self._root)
        except UsageError:
            self._stack.close()
            raise
        self._package = ship_package(context) if ship else None
        if isinstance(self._files, fs.LocalFileSystem):
            UNFINISHED.add(self._root)  # a signal removes it
        self._places = 0
        self._inputs: dict[str, Path] = {}  # input files by their copies

    @classmethod
    def start(
        cls,
        master: str | None = None,
        *,
        shared: str | Path | None = None,
        temporary: str | Path | None = None,
    ) -> SparkEngine:
        """Start a session that ends with the process; a cluster's executors get the package."""
        check_java()
        if master is not None:
            check_master(master)
        if shared is not None:
            _check_storage(str(shared))  # first, because starting a session takes seconds
        session = start_session(master)
        ship = not str(session.sparkContext.master).startswith("local[")
        return cls(session, shared=shared, ship=ship, temporary=temporary)

    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        tables = [paths] if isinstance(paths, (str, Path)) else list(paths)
        place = self._place(name)
        with self._reporting():
            self._files.create_dir(f"{self._root}/{place}")
            for number, part in enumerate(part for path in tables for part in parts_of(path)):
                copy = f"{place}/part-{number:05d}.parquet"
                self._inputs[copy] = part
                path = f"{self._root}/{copy}"
                with part.open("rb") as here, self._files.open_output_stream(path) as there:
                    shutil.copyfileobj(here, there, 1 << 20)
            self._view(name, self._session.read.parquet(_literal(f"{self._url}/{place}")))

    def put(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        self._view(name, self._write_rows(name, batches, schema))

    def map(
        self, name: str, source: str | pa.RecordBatchReader, kernel: Kernel, schema: pa.Schema
    ) -> None:
        with self._reporting():
            if isinstance(source, str):
                rows = self._session.sql(source)
            else:
                rows = self._write_rows(f"{name}_source", source, source.schema)
            result = map_rows(rows, _Cast(kernel, schema), _types(schema), self._package)
            self._view(name, self._store(name, result))

    def run(self, sql: str) -> pa.RecordBatchReader:
        return self._stream(self._result(sql))

    def stage(self, name: str, sql: str) -> None:
        with self._reporting():
            self._view(name, self._store(name, self._session.sql(sql)))

    def number(self, name: str, column: str, sql: str) -> None:
        with self._reporting():
            rows = self._session.sql(sql).sort(column)
            numbered = rows.withColumn("id", functions.monotonically_increasing_id())
            self._view(name, self._store(name, numbered))

    def write(
        self,
        sql: str,
        path: str | Path,
        metadata: Mapping[str, Any] | None = None,
        *,
        schema: pa.Schema | None = None,
    ) -> int:
        """Write the result as a Parquet file, or as a folder of files if the name ends in /."""
        if not str(path).endswith("/"):
            rows = self._stream(self._result(sql))
            return write_parquet(path, schema or rows.schema, rows, metadata)
        folder = Path(path)
        if folder.exists():
            raise UsageError(f"{path}: this exists; a folder of results must be a new one")
        with working_folder(folder.parent, prefix=f".{folder.name[:40]}.") as partial:
            parts = self._result(sql)
            columns = schema or self._stream(parts).schema
            with self._reporting():
                for part in parts:
                    self._copy(part, partial / posixpath.basename(part))
                describe_parts(partial, columns, metadata or {})
                partial.chmod(0o777 & ~umask())
                partial.rename(folder)
        return row_count(path)

    def close(self) -> None:
        try:
            with self._reporting(), suppress(FileNotFoundError):
                self._files.delete_dir(self._root)
        finally:
            UNFINISHED.discard(self._root)
            self._stack.close()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn errors of Spark and of its storage into ours."""
        from py4j.protocol import Py4JError

        try:
            yield
        except (PySparkException, Py4JError, pa.ArrowException, OSError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> OtherwordsError:
        """Turn an error into one line that names the input file at fault, if any."""
        lines = str(error).splitlines()
        starts = [number for number, line in enumerate(lines) if line == _TRACEBACK]
        last = lines[starts[-1] + 1 :] if starts else []
        reason = next(filter(_RAISED.match, last), None) or cause(error)
        for copy, path in self._inputs.items():
            if any(copy in line for line in lines):
                return InputError(f"Spark cannot read it: {reason}", path=path)
        return OtherwordsError(f"Spark says: {reason}")

    def _place(self, name: str) -> str:
        """Name a new folder for a table; the old one of that name may still be in use."""
        self._places += 1
        return f"{name}-{self._places}"

    def _write_rows(
        self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema
    ) -> DataFrame:
        """Write rows of this process to files that tasks can read in parallel."""
        place = self._place(name)
        with self._reporting():
            self._files.create_dir(f"{self._root}/{place}")
            for number, batch in enumerate(_cut(batches, schema)):
                path = f"{self._root}/{place}/part-{number:05d}.parquet"
                with self._files.open_output_stream(path) as out:
                    pq.write_table(pa.Table.from_batches([batch]), out, compression="zstd")
            url = _literal(f"{self._url}/{place}")
            return self._session.read.schema(_types(schema)).parquet(url)

    def _store(self, name: str, rows: DataFrame) -> DataFrame:
        """Write rows to files, and return the table that reads them."""
        url = f"{self._url}/{self._place(name)}"
        rows.write.parquet(url)
        return self._session.read.schema(rows.schema).parquet(_literal(url))

    def _view(self, name: str, rows: DataFrame) -> None:
        with self._reporting():
            rows.createOrReplaceTempView(name)

    def _result(self, sql: str) -> list[str]:
        """Run a query, and return the files of its result in order."""
        place = self._place("result")
        with self._reporting():
            self._session.sql(sql).write.parquet(f"{self._url}/{place}")
            files = self._files.get_file_info(fs.FileSelector(f"{self._root}/{place}"))
        return sorted(file.path for file in files if file.path.endswith(".parquet"))

    def _stream(self, parts: Sequence[str]) -> pa.RecordBatchReader:
        with self._reporting(), self._files.open_input_file(parts[0]) as file:
            schema = pq.read_schema(file).remove_metadata()

        def batches() -> Iterator[pa.RecordBatch]:
            for part in parts:
                with self._reporting(), self._files.open_input_file(part) as file:
                    for batch in pq.ParquetFile(file).iter_batches(PART):
                        yield batch.cast(schema)

        return pa.RecordBatchReader.from_batches(schema, batches())

    def _copy(self, source: str, target: Path) -> None:
        with self._files.open_input_stream(source) as here, target.open("wb") as there:
            shutil.copyfileobj(here, there, 1 << 20)


def _storage(where: str) -> tuple[fs.FileSystem, str, str]:
    """Return the file system of a folder or URL, and the path and URL of a new folder below it.

    The folder must exist: otherwise we would not know whether to remove it afterwards.
    """
    if not where:
        raise UsageError("the shared folder has an empty name: give a folder or URL")
    name, url = unique_name(), where.rstrip("/")
    with _usable(where):
        if "://" in where:
            files, root = fs.FileSystem.from_uri(url.replace("s3a://", "s3://", 1))  # Hadoop's name
        else:
            files, root = fs.LocalFileSystem(), str(Path(where).absolute())
        # Buckets have no folders.
        if files.type_name != "s3" and files.get_file_info(root).type != fs.FileType.Directory:
            raise FileNotFoundError("there is no such folder")
    if isinstance(files, fs.LocalFileSystem):
        remove_stale(Path(root))
        url = f"file://{root.rstrip('/')}"  # Spark does not decode %20
    return files, f"{root.rstrip('/')}/{name}", f"{url}/{name}"


def _check_storage(where: str) -> None:
    """Refuse a folder or URL that cannot be written."""
    files, root, _ = _storage(where)
    with _usable(where):
        files.create_dir(root)
        files.delete_dir(root)


@contextmanager
def _usable(where: str) -> Iterator[None]:
    """Turn errors of the shared storage into ones that name it."""
    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        if where.startswith(("hdfs://", "viewfs://")):
            reason += "; Arrow needs JAVA_HOME, HADOOP_HOME and Hadoop's CLASSPATH for it"
        raise UsageError(f"{where}: the shared folder cannot be used: {reason}") from error


def map_rows(rows: DataFrame, kernel: Kernel, types: Any, package: str | None = None) -> DataFrame:
    """Run a kernel on the executors; each receives it once.

    `types` are Spark's types of the new columns; `package` is the name from `ship_package`.
    """
    pickled: Callable[[Kernel], bytes] = cloudpickle.dumps
    sent = rows.sparkSession.sparkContext.broadcast(pickled(kernel))
    with warnings.catch_warnings():  # about pandas, which no row passes through
        warnings.filterwarnings("ignore", "PySpark does not yet fully", FutureWarning)
        return rows.mapInArrow(_on_executors(sent, package), types)


def _on_executors(sent: Any, package: str | None) -> Kernel:
    """Wrap the kernel in a function that can be unpickled without this package."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if package is not None:
            import sys

            from pyspark import SparkFiles

            folder = SparkFiles.get(package)
            if folder not in sys.path:
                sys.path.insert(0, folder)
        import pickle

        yield from pickle.loads(sent.value)(batches)

    return run


@dataclass(frozen=True)
class _Cast:
    """A kernel whose strings are cast to the type that Spark accepts."""

    kernel: Kernel
    schema: pa.Schema

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        plain = {pa.large_string(): pa.string()}
        types = pa.schema([(f.name, plain.get(f.type, f.type)) for f in self.schema])
        for batch in self.kernel(batches):
            yield batch.cast(types)


def ship_package(context: SparkContext) -> str:
    """Send the package to all executors; returns its name there.

    The archive stays as long as the context: executors that start later need it too.
    """
    import otherwords

    package = Path(otherwords.__file__).parent
    file = Path(SparkFiles.getRootDirectory()) / f"{_PACKAGE}.zip"
    if not file.exists():
        with zipfile.ZipFile(file, "w") as archive:
            for part in sorted(package.rglob("*")):
                if part.is_file() and "__pycache__" not in part.parts:
                    archive.write(part, part.relative_to(package.parent))
        context.addArchive(f"{file}#{_PACKAGE}")
    return _PACKAGE


def _literal(url: str) -> str:
    """Escape characters that Spark would read as a pattern."""
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", url)


def _types(schema: pa.Schema) -> str:
    """Write columns with the types of Spark SQL."""
    return ", ".join(f"`{field.name}` {_TYPES[field.type]}" for field in schema)


def _cut(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for start in range(0, len(batch), PART):
            yield batch.slice(start, PART).cast(schema)
