"""Commands with `--engine spark`: they print and write what they do on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from otherwords.io.processes import unique_name
from tests.on_spark import JAVA, NO_JAVA, sentences

pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
if NO_JAVA:
    pytest.skip("Spark needs Java", allow_module_level=True)

from otherwords.build.engine.spark import SparkEngine

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("spark")]


@pytest.fixture(autouse=True)
def several_tasks(monkeypatch):
    """Tables of few rows have several files, which are shared by two cores."""
    monkeypatch.setattr("otherwords.build.phrases.extraction._ROWS_AT_ONCE", 15)
    monkeypatch.setattr("otherwords.build.grammar.sync_parser.AT_ONCE", 3)


@pytest.fixture
def folder(spark_session, ok, tmp_path, monkeypatch):
    """A bitext, its links, sentence pairs in groups, a phrase table and a grammar."""
    monkeypatch.chdir(tmp_path)
    pairs = sentences(40)
    (tmp_path / "b.tsv").write_text("".join(f"{left}\t{right}\n" for left, right in pairs))
    ok("align", "b.tsv", "--tokenizer", "none", "-o", "links")
    linked = ("--bitext", "b.tsv", "--alignment", "links", "--tokenizer", "none")
    ok("extract", "phrases", *linked, "-o", "table.parquet")
    ok("extract", "grammar", *linked, "-o", "grammar.parquet")
    rows = []
    for number, (left, right) in enumerate(pairs):
        source, target = left.split(), [word[::-1] for word in right.split()]
        links = [f"{k}-{k}" for k in range(len(source))]
        rows.append({"source": source, "target": target, "sure": links, "group": str(number // 3)})
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "shared").mkdir()
    return tmp_path


LINKED = "--bitext b.tsv --alignment links --tokenizer none"
SPARK = ("--engine", "spark", "--master", "local[2]", "--shared", "shared")


@pytest.mark.parametrize(
    "command",
    [
        f"extract phrases {LINKED}",
        f"extract grammar {LINKED}",
        f"extract grammar {LINKED} --kind samt --tree-side left",
        f"extract grammar {LINKED} --kind syntax --tree-side left",
        "pivot table.parquet --min-step .001 --top 3",
        "pivot table.parquet --sets",
        "grammar prune grammar.parquet --top 1 --rank-by rarity",
        "grammar pivot grammar.parquet --min-step .01",
        "paradigm overlap --gold grammar.parquet grammar.parquet -f json",
        "paradigm coverage --pairs pairs.jsonl grammar.parquet -f json",
        "paradigm coverage --pairs pairs.jsonl --folds 2 --kind hiero --kind samt -f json",
        "paradigm coverage --pairs b.tsv --folds 2 -f json",
    ],
)
def test_the_same_output(command, folder, ok):
    """Byte for byte; nothing is left in shared storage."""
    here = ok(*command.split())
    assert ok(*command.split(), *SPARK) == here
    assert len(here) > 300
    assert list((folder / "shared").iterdir()) == []


def test_folds_give_the_same_derivations(folder, ok):
    """Of every pair that the grammar of the other folds derives."""
    other = {"big": "large", "cat": "feline"}
    rows = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    for row in rows:
        row["target"] = [other.get(word, word) for word in row["source"]]
    (folder / "synonyms.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = ("paradigm", "coverage", "--pairs", "synonyms.jsonl", "--folds", "3", "-f", "json")
    found = json.loads(ok(*command, "--derivations", "here.jsonl"))
    ok(*command, "--derivations", "there.jsonl", *SPARK)
    differing = sum(row["source"] != row["target"] for row in rows)
    shares = [row["score"]["value"] for row in found["coverage"] if row["metric"] == "all"]
    accepted = sum(round(share * differing) for share in shares)
    assert accepted > 10
    lines = (folder / "here.jsonl").read_bytes()
    assert lines.count(b"\n") == accepted
    assert (folder / "there.jsonl").read_bytes() == lines


def test_a_build_gives_the_same_model(folder, run):
    """The same bytes, in two caches."""
    models = []
    for name, more in (("here", ()), ("there", SPARK)):
        code, _, errors = run(*("build", "--pivot", "fr=b.tsv", "--lm", "b.tsv", "-o", name, *more))
        assert code == 0, errors
        models.append((folder / name).read_bytes())
    assert models[0] == models[1]
    assert len(models[0]) > 1000


def test_one_session_has_one_master(folder, refused):
    line = refused("pivot", "table.parquet", "--engine", "spark", "--master", "local[1]")
    assert line == "otherwords: this process has a Spark session on local[2], not on local[1]\n"


def test_tables_of_a_killed_process_are_removed(folder, spark_session):
    done = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    name = unique_name().replace(str(os.getpid()), done.stdout.decode().strip())
    (folder / "shared" / name / "table-1").mkdir(parents=True)
    with SparkEngine(spark_session, shared=folder / "shared"):
        (own,) = (folder / "shared").iterdir()
        assert own.name != name
    assert list((folder / "shared").iterdir()) == []


LISTENING = """
import os, socket, struct
from contextlib import suppress
from pathlib import Path
from otherwords.build.engine.spark import SparkEngine
with SparkEngine.start("local[2]") as engine:
    engine.session.range(10).count()
    mine = {os.getpid()}
    for _ in range(3):  # Java is a child of a child
        for status in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # a process that has ended
                number, _, rest = status.read_text().partition(" (")
                if int(rest.rpartition(") ")[2].split()[1]) in mine:
                    mine.add(int(number))
    inodes = set()
    for number in mine:
        with suppress(OSError):
            for link in list(Path(f"/proc/{number}/fd").iterdir()):
                with suppress(OSError):  # a file that was closed meanwhile
                    inodes.add(os.readlink(link))
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and f"socket:[{cells[9]}]" in inodes:
                print(cells[1].partition(":")[0])
    print("secret", len(engine.session.sparkContext.getConf().get("spark.authenticate.secret")))
"""


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="sockets are listed on Linux")
def test_a_local_session_listens_on_this_machine_alone():
    done = subprocess.run(
        [sys.executable, "-c", LISTENING],
        env={**os.environ, **JAVA},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    *addresses, secret = done.stdout.split("\n")[:-1]
    assert secret == "secret 64"
    loopback = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
    assert addresses
    assert set(addresses) <= loopback


def alone(folder, *argv):
    """A command in a process of its own, where Spark starts."""
    environment = {**os.environ, **JAVA}
    environment.pop("HADOOP_CONF_DIR", None)
    environment.pop("YARN_CONF_DIR", None)
    return subprocess.run(
        [sys.executable, "-m", "otherwords", *argv],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def test_java_prints_nothing(folder, ok):
    """Neither its warnings when all is well, nor its traces when Spark does not start."""
    here = ok("pivot", "table.parquet")
    done = alone(folder, "pivot", "table.parquet", *SPARK)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == here
    failed = alone(folder, "pivot", "table.parquet", "--engine", "spark", "--master", "yarn")
    assert failed.returncode == 2
    (line,) = failed.stderr.splitlines()
    assert line.startswith("otherwords: Spark does not start on yarn: ")
    assert "YARN_CONF_DIR" in line
