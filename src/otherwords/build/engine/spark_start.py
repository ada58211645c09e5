"""Starting Spark: check its requirements first, and keep its output off the terminal."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from otherwords.errors import OtherwordsError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


# We raise and report failures once; at level ERROR Spark would print traces as well.
_QUIET = {"ui.enabled": "false", "ui.showConsoleProgress": "false", "log.level": "FATAL"}
_MASTER = re.compile(
    r"local(\[ *(\*|[1-9]\d*) *(, *[1-9]\d* *)?\])?"
    r"|local-cluster\[ *[1-9]\d* *(, *[1-9]\d* *){2}\]"
    r"|(spark|k8s)://\S+|yarn"
)
_PATIENCE = 10.0  # seconds to wait for an answer of the master
_RAISED = re.compile(r"(?:[\w.$]*(?:Error|Exception)|Error): (.+)")  # in a trace of Java
_STANDARD_ERROR = 2


def start_session(master: str | None) -> SparkSession:
    """Start the session of this process on a master; it ends with the process.

    Everything that Java prints goes to a temporary file, because none of it is about the user's
    input. If Java does not start, the reason is read from that file.
    """
    from py4j.protocol import Py4JError  # comes with PySpark, whose absence is reported first
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    chosen = "local[*]" if master is None else master
    builder = SparkSession.builder.master(chosen).appName("otherwords")
    for name, value in _QUIET.items():
        builder = builder.config(f"spark.{name}", value)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with _aside() as printed:
        try:
            session = builder.getOrCreate()
        except (PySparkException, Py4JError, OSError) as error:
            reason = _printed_reason(printed) or _root_cause(error)
            raise OtherwordsError(f"Spark does not start on {chosen}: {reason}") from error
    running = str(session.sparkContext.master)
    if master is not None and running != master:
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
    match = _RAISED.search(file.read().decode(errors="replace"))
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


def check_master(master: str) -> None:
    """Refuse a master that does not answer, which Spark notices only after a minute."""
    if not _MASTER.fullmatch(master):
        raise UsageError(
            f"'{master}' is no Spark master; try local[2], spark://HOST:7077, yarn, k8s://..."
        )
    if not master.startswith("spark://"):
        return
    reason = ""
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), _PATIENCE).close()
        except (OSError, ValueError, OverflowError) as error:
            reason = str(error)
        else:
            return
    raise UsageError(f"no Spark master answers at {master}: {reason}")


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
