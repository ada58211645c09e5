"""Spark as the engine: tables are Parquet files in shared storage."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.fs as fs
import pyarrow.parquet as pq
from pyspark import SparkContext, SparkFiles, cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from otherwords.build.engine.base import Engine, Kernel
from otherwords.build.engine.parquet import write_parquet
from otherwords.errors import InputError, OtherwordsError, UsageError
from otherwords.io.processes import UNFINISHED, remove_stale, unique_name, working_folder

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

# We raise and report failures once; at level ERROR Spark would print traces as well.
_QUIET = {"ui.enabled": "false", "ui.showConsoleProgress": "false", "log.level": "FATAL"}
_LOOPBACK = {
    "driver.host": "127.0.0.1",
    "driver.bindAddress": "127.0.0.1",
    "authenticate": "true",
    "network.crypto.enabled": "true",
}
_JAVA_RAISED = re.compile(r"(?:[\w.$]*(?:Error|Exception)|Error): (.+)")  # in a trace of Java
_STANDARD_ERROR = 2
CONNECT = "sc://"  # the master of a session of Spark Connect


def is_connect(master: str | None) -> bool:
    """Whether a master is the address of a server of Spark Connect."""
    return master is not None and master.startswith(CONNECT)


def _master(session: SparkSession) -> str:
    """Return the master of a session; a session of Spark Connect does not know it."""
    try:
        return str(session.sparkContext.master)
    except PySparkException:
        return CONNECT


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
        if shared is None and not _master(session).startswith("local"):
            raise UsageError("a cluster needs a folder or URL that all its machines see: `shared`")
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
        self._package = ship_package(session.sparkContext) if ship else None
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
        """Start a session that ends with the process; a cluster's executors get the package.

        A master `sc://host:port` is a server of Spark Connect. It needs no Java here; its executors
        must have the package.
        """
        if not is_connect(master):
            check_java()
        if shared is not None:
            _check_storage(str(shared))  # first, because starting a session takes seconds
        session = start_session(master)
        ship = not _master(session).startswith(("local[", CONNECT))
        return cls(session, shared=shared, ship=ship, temporary=temporary)

    def table(self, name: str, paths: str | Path | Sequence[str | Path]) -> None:
        files = [Path(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
        place = self._place(name)
        with self._reporting():
            self._files.create_dir(f"{self._root}/{place}")
            for number, file in enumerate(files):
                copy = f"{place}/part-{number:05d}.parquet"
                self._inputs[copy] = file
                path = f"{self._root}/{copy}"
                with file.open("rb") as here, self._files.open_output_stream(path) as there:
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
            numbered = rows.selectExpr("*", "monotonically_increasing_id() AS id")
            self._view(name, self._store(name, numbered))

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

    def close(self) -> None:
        try:
            with self._reporting(), suppress(FileNotFoundError):
                self._files.delete_dir(self._root)
            if _master(self.session) == CONNECT:  # else its channel may hang when Python ends
                self._session.stop()
        finally:
            UNFINISHED.discard(self._root)
            self._stack.close()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Turn errors of Spark and of its storage into ours."""
        from py4j.protocol import Py4JError  # comes with PySpark, whose absence is reported first

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
    """Run a kernel on the executors. It goes with the function, which Spark broadcasts if large.

    `types` are Spark's types of the new columns; `package` is the name from `ship_package`.
    """
    pickled: Callable[[Kernel], bytes] = cloudpickle.dumps
    sent = pickled(kernel)
    with warnings.catch_warnings():  # about pandas, which no row passes through
        warnings.filterwarnings("ignore", "PySpark does not yet fully", FutureWarning)
        return rows.mapInArrow(_on_executors(sent, package), types)


def _on_executors(sent: bytes, package: str | None) -> Kernel:
    """Wrap the kernel in a function that can be unpickled without this package."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if package is not None:
            import sys

            from pyspark import SparkFiles

            folder = SparkFiles.get(package)
            if folder not in sys.path:
                sys.path.insert(0, folder)
        import pickle

        yield from pickle.loads(sent)(batches)

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


def start_session(master: str | None) -> SparkSession:
    """Start the session of this process on a master; it ends with the process.

    Everything that Java prints goes to a temporary file, because none of it is about the user's
    input. If Java does not start, the reason is read from that file.
    """
    from py4j.protocol import Py4JError

    chosen = "local[*]" if master is None else master
    builder = SparkSession.builder.appName("otherwords")
    builder = builder.remote(chosen) if is_connect(master) else builder.master(chosen)
    settings = {} if is_connect(master) else _QUIET
    if chosen.startswith("local"):  # all its processes are on this machine
        settings = {**_QUIET, **_LOOPBACK, "authenticate.secret": secrets.token_hex(32)}
        os.environ["SPARK_LOCAL_IP"] = _LOOPBACK["driver.host"]
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", value)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with _aside() as printed:
        try:
            session = builder.getOrCreate()
        except (PySparkException, Py4JError, OSError) as error:
            reason = _printed_reason(printed) or _root_cause(error)
            raise OtherwordsError(f"Spark does not start on {chosen}: {reason}") from error
    running = _master(session)
    if master is not None and not is_connect(master) and running != master:
        raise UsageError(f"this process has a Spark session on {running}, not on {master}")
    return session


@contextmanager
def _aside() -> Iterator[IO[bytes]]:
    """Redirect standard error of this process and its children to a temporary file."""
    with tempfile.TemporaryFile() as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            stderr = os.dup(_STANDARD_ERROR)
        except OSError:  # standard error is closed
            yield file
            return
        os.dup2(file.fileno(), _STANDARD_ERROR)
        try:
            yield file
        finally:
            os.dup2(stderr, _STANDARD_ERROR)
            os.close(stderr)


def _printed_reason(file: IO[bytes]) -> str | None:
    """Return the first error that Java printed."""
    file.seek(0)
    match = _JAVA_RAISED.search(file.read().decode(errors="replace"))
    return None if match is None else match[1].strip()


def check_java() -> None:
    """Refuse a missing Java in one line, where Spark would print a trace."""
    home = os.environ.get("JAVA_HOME")
    if home is None and shutil.which("java") is None:
        raise OtherwordsError("Spark needs Java 17 or later: install it, or set JAVA_HOME")
    if home is not None and shutil.which("java", path=str(Path(home) / "bin")) is None:
        raise OtherwordsError(
            f"JAVA_HOME is {home}, where there is no bin/java; Spark needs Java 17 or later"
        )


def cause(error: Exception) -> str:
    """Return the first line of an error, or of the Java exception behind it."""
    java = getattr(error, "java_exception", None)
    text = str(error) if java is None else str(java.getMessage() or java.toString())
    return (text.strip().splitlines() or [type(error).__name__])[0]


def _root_cause(error: Exception) -> str:
    """Return the root cause in a chain of Java exceptions."""
    java = getattr(error, "java_exception", None)
    if java is None:
        return cause(error)
    while (deeper := java.getCause()) is not None:
        java = deeper
    return str(java.toString()).splitlines()[0]
