"""A server of Spark Connect gives what DuckDB gives, by the commands and from Python."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.on_spark import JAVA, NO_JAVA, sentences

pyspark = pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
pytest.importorskip("grpc", reason="Spark Connect needs pyspark[connect]: grpcio, pandas, pyarrow")
if NO_JAVA:
    pytest.skip("the server needs Java", allow_module_level=True)

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("spark")]

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
START = 120  # seconds
SCORE = """
import sys
from otherwords.build.engine.spark import SparkEngine
from otherwords.integrations.spark import score

with SparkEngine.start(sys.argv[1], shared=sys.argv[2]) as engine:
    rows = [("A man is sleeping .", "A man sleeps .")]
    frame = engine.session.createDataFrame(rows, "source STRING, hypothesis STRING")
    print(score(frame, "pinc").collect()[0]["pinc"])
engine.session.stop()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = Path(pyspark.__file__).parent
    binding = {"binding.port": port, "binding.address": "127.0.0.1"}
    settings = [f"spark.connect.grpc.{name}={value}" for name, value in binding.items()]
    settings.append("spark.ui.enabled=false")
    options = [part for setting in settings for part in ("--conf", setting)]
    program = [home / "bin" / "spark-submit", "--class", SERVER, "--master", "local[2]"]
    log = (tmp_path_factory.mktemp("server") / "log").open("wb")
    with log, subprocess.Popen(
        [*program, *options, "spark-internal"],
        env={**os.environ, **JAVA, "SPARK_HOME": str(home)},
        stdout=log,
        stderr=log,
    ) as running:  # fmt: skip
        try:
            _wait_for(port, running)
            yield f"sc://127.0.0.1:{port}"
        finally:
            running.terminate()


def _wait_for(port, running):
    for _ in range(START):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert running.poll() is None, "the server has ended"
            time.sleep(1)
    raise AssertionError("the server does not answer")


def command(*words, cwd):
    program = [sys.executable, "-W", "ignore", "-m", "otherwords", *map(str, words)]
    done = subprocess.run(program, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands_give_the_same_bytes(server, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "b.tsv").write_text("".join(f"{one}\t{two}\n" for one, two in sentences(40)))
    command("align", "b.tsv", "-o", "links.txt", cwd=tmp_path)
    spark = ("--engine", "spark", "--master", server, "--shared", "shared")
    for name, more in (("here", ()), ("there", spark)):
        aligned = ("--bitext", "b.tsv", "--alignment", "links.txt", *more)
        command("extract", "phrases", *aligned, "-o", f"{name}.parquet", cwd=tmp_path)
        command("extract", "grammar", *aligned, "-o", f"{name}.gz", cwd=tmp_path)
    for ending in ("parquet", "gz"):
        here, there = (tmp_path / f"{name}.{ending}" for name in ("here", "there"))
        assert here.read_bytes() == there.read_bytes()
    assert list((tmp_path / "shared").iterdir()) == []


def test_scores_of_a_frame(server, tmp_path):
    call = [sys.executable, "-W", "ignore", "-c", SCORE, server, str(tmp_path)]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == pytest.approx(0.7291666666666666)
