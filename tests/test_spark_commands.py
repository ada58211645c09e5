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
        "paradigm overlap --gold grammar.parquet grammar.parquet --sweep rarity -f json",
        "paradigm coverage --pairs pairs.jsonl grammar.parquet --identity -f json",
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
    command = ("paradigm", "coverage", "--pairs", "pairs.jsonl", "--folds", "3", "-f", "json")
    found = json.loads(ok(*command, "--derivations", "here.jsonl"))
    ok(*command, "--derivations", "there.jsonl", *SPARK)
    accepted = sum(grammar["verdicts"]["accepted"] for grammar in found["grammars"])
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


def test_folders_of_results_are_new_and_whole(folder, ok, refused):
    ok("pivot", "table.parquet", "-o", "parts/", *SPARK)
    assert ok("pivot", "table.parquet").count("\n") > 10
    again = refused("pivot", "table.parquet", "-o", "parts/", *SPARK)
    assert again == "otherwords: parts/: this exists; a folder of results must be a new one\n"
    text = refused("pivot", "table.parquet", "-o", "texts/", "-f", "tsv", *SPARK)
    assert text == "otherwords: texts/: a folder of files holds Parquet, not tsv\n"
    nowhere = refused("pivot", "table.parquet", "-o", "/proc/parts/", *SPARK)
    assert "no temporary directory can be made in /proc" in nowhere
    assert sorted(one.name for one in folder.iterdir() if one.name.startswith(".")) == []
    assert (folder / "parts" / "_common_metadata").exists()


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
