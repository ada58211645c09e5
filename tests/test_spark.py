"""Spark gives what DuckDB gives: every SQL text, every table, the same model; on workers too."""

from __future__ import annotations

import importlib
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import otherwords
from otherwords.build.bitext import Aligner, Training
from otherwords.build.bitext.corpus import Bitext, encode
from otherwords.build.engine import DuckEngine, Engine
from otherwords.build.grammar import Grammar, build_grammar, limits_of, pivot_grammar, prune_grammar
from otherwords.build.grammar.shared_rules import Matching, overlap, sweep
from otherwords.build.grammar.trees import parse_nodes
from otherwords.build.phrases import Pruning, build_table, paraphrase_sets, pivot
from otherwords.errors import OtherwordsError, UsageError
from tests.on_spark import JAVA, NO_JAVA, sentences
from tests.pages import Page

pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
if NO_JAVA:
    pytest.skip("Spark needs Java", allow_module_level=True)

from otherwords.build.engine.spark import SparkEngine
from otherwords.integrations import spark as integration

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("spark")]

ROOT = Path(__file__).parents[1]


@pytest.fixture
def session(spark_session):
    return spark_session


@pytest.fixture(autouse=True)
def several_tasks(monkeypatch):
    """Tables of few rows have several files, which are shared by two cores."""
    monkeypatch.setattr("otherwords.build.phrases.extraction._ROWS_AT_ONCE", 15)


@pytest.fixture(scope="module")
def aligned():
    pairs = sentences(40)
    bitext = Bitext(*(encode(side, "none") for side in zip(*pairs, strict=True)))
    return *bitext, Aligner.train(bitext, Training()).align(bitext)[0]


class Both(Engine):
    """Two engines of which each does everything, and whose every result of SQL is compared."""

    threads = 1

    def __init__(self, session, *, distributed: bool) -> None:
        self._duck = DuckEngine()
        self._spark = SparkEngine(session)
        self.folder = self._duck.folder
        self.distributed = distributed
        self.compared = 0

    def table(self, name, paths):
        for one in (self._duck, self._spark):
            one.table(name, paths)

    def put(self, name, batches, schema):
        rows = pa.Table.from_batches(batches, schema)
        for one in (self._duck, self._spark):
            one.put(name, rows.to_batches(), schema)

    def map(self, name, source, kernel, schema):
        if isinstance(source, str):
            self._compare(source)
            for one in (self._duck, self._spark):
                one.map(name, source, kernel, schema)
            return
        rows = source.read_all()
        for one in (self._duck, self._spark):
            one.map(name, rows.to_reader(), kernel, schema)

    def run(self, sql):
        return self._compare(sql).to_reader()

    def stage(self, name, sql):
        for one in (self._duck, self._spark):
            one.stage(name, sql)
        self._compare(f"SELECT * FROM {name}")

    def number(self, name, column, sql):
        for one in (self._duck, self._spark):
            one.number(name, column, sql)
        self._compare(f"SELECT * FROM {name}")

    def write(self, sql, path, metadata=None, *, schema=None):
        rows = self._duck.write(sql, path, metadata, schema=schema)
        other = self.folder / "other.parquet"
        assert self._spark.write(sql, other, metadata, schema=schema) == rows
        assert Path(path).read_bytes() == other.read_bytes()
        self.compared += 1
        return rows

    def close(self):
        self._spark.close()
        self._duck.close()

    def _compare(self, sql) -> pa.Table:
        """Both answers, whose rows are sorted here: an order that has ties is no difference."""
        here, there = (one.run(sql).read_all() for one in (self._duck, self._spark))
        assert here.column_names == there.column_names
        rows = [
            sorted((tuple(row.values()) for row in one.to_pylist()), key=repr)
            for one in (here, there)
        ]
        assert rows[0] == rows[1], sql
        self.compared += 1
        return here


def work(name, engine, aligned, folder):
    """One piece of work, from the least that it needs."""
    path = folder / f"{name}.parquet"
    if name == "table":
        build_table(*aligned, path, engine=engine)
    elif name in ("pivot", "sets"):
        with DuckEngine() as other:
            table = build_table(*aligned, folder / "one.parquet", engine=other)
        if name == "sets":
            paraphrase_sets({"fr": [table]}, path, engine=engine)
        else:
            pruning = Pruning(top=5, min_step=0.001, min_count=1, max_length=3)
            tables = {"fr": [table], "de": [table, table]}
            pivot(tables, path, engine=engine, pruning=pruning)
    elif name == "hiero":
        limits = limits_of("hiero", min_count=2, identity=False, phrase_length=5)
        build_grammar(*aligned, path, engine=engine, limits=limits)
    elif name == "samt":
        trees = parse_nodes(aligned[0], engine)
        limits = limits_of("samt", phrase_length=4)
        build_grammar(
            *aligned, path, engine=engine, kind="samt", trees=trees, tree_side="left", limits=limits
        )
    else:
        limits = limits_of("hiero", phrase_length=4)
        with DuckEngine() as other:
            grammar = build_grammar(*aligned, folder / "g.parquet", engine=other, limits=limits)
        if name == "grammar-pivot":
            pivot_grammar(grammar, path, engine=engine, min_step=0.01, min_probability=0.001)
        elif name == "prune":
            bounds = {"at_least": {"count": 1}, "at_most": {"f_given_e_phrase": 1.5}}
            prune_grammar(grammar, path, engine=engine, **bounds, labels=1, top=2, rank_by="rarity")
        else:
            assert overlap(grammar, grammar, engine=engine, min_count=2).total.common > 10
            parts = sweep(
                grammar, grammar, "rarity", [0.1, 1], engine=engine, matching=Matching(strict=False)
            )
            assert parts[0][1].total.grammar < parts[1][1].total.grammar


WORKS = ["table", "pivot", "sets", "grammar-pivot", "prune", "overlap"]
DISTRIBUTED = ["hiero", "samt"]  # on one machine the kernel counts rules, without SQL


class Recorded(DuckEngine):
    """Keeps every SQL text that it runs."""

    def __init__(self, *, distributed: bool, texts: set[str]) -> None:
        super().__init__()
        self.distributed = distributed
        self.texts = texts

    def run(self, sql):
        self.texts.add(" ".join(sql.split()))
        return super().run(sql)


def sql_texts():
    """The SQL that modules have as constants, cut where something is put in."""
    for package in ("phrases", "grammar"):
        for path in sorted(Path(otherwords.__file__).parent.glob(f"build/{package}/*.py")):
            module = importlib.import_module(f"otherwords.build.{package}.{path.stem}")
            for name, text in vars(module).items():
                if isinstance(text, str) and re.match(r"\s*(SELECT|WITH)\b", text):
                    parts = re.split(r"\{\w*\}", text)
                    yield f"{module.__name__}.{name}", [" ".join(part.split()) for part in parts]


def test_the_pieces_of_work_run_every_sql_text(aligned, tmp_path):
    """What is compared below is all that there is."""
    run: set[str] = set()
    for distributed, names in ((False, WORKS), (True, DISTRIBUTED)):
        for name in names:
            with Recorded(distributed=distributed, texts=run) as engine:
                work(name, engine, aligned, tmp_path)
    known = dict(sql_texts())
    assert len(known) > 10
    for name, parts in known.items():
        assert any(all(part in text for part in parts) for text in run), name


@pytest.mark.parametrize("name", WORKS)
def test_every_sql_text_gives_the_same_rows(name, session, aligned, tmp_path):
    with Both(session, distributed=False) as engine:
        work(name, engine, aligned, tmp_path)
        assert engine.compared > 0


@pytest.mark.parametrize("name", DISTRIBUTED)
def test_rules_of_texts_are_those_of_numbers(name, session, aligned, tmp_path):
    """The plan for clusters makes, on both engines, the file of the plan for one machine."""
    with Both(session, distributed=True) as engine:
        work(name, engine, aligned, tmp_path)
        assert engine.compared > 2
    (tmp_path / "here").mkdir()
    with DuckEngine() as engine:
        work(name, engine, aligned, tmp_path / "here")
    here, there = tmp_path / "here" / f"{name}.parquet", tmp_path / f"{name}.parquet"
    assert Grammar.open(here).rows > 50
    assert here.read_bytes() == there.read_bytes()


def test_tokens_of_a_frame_are_those_of_encode(session):
    texts = ["L'homme qui rit.", "Il pleut, et il fait froid !", "", None, "Où est-il ?"]
    frame = session.createDataFrame(list(enumerate(texts)), "place INT, text STRING").repartition(3)
    for tokenizer in ("auto", "words", "penn"):
        found = integration.tokenize(frame, tokenizer=tokenizer, case=False)
        rows = sorted(found.toArrow().to_pylist(), key=lambda row: row["place"])
        side = encode([text or "" for text in texts], tokenizer)
        tokens = [" ".join(side.sentence(number)) for number in range(len(texts))]
        expected = [None if text is None else one for text, one in zip(texts, tokens, strict=True)]
        assert [row["tokens"] for row in rows] == expected
    kept = integration.tokenize(frame, into="words").filter("place = 0").toArrow()
    assert kept["words"].to_pylist() == ["L' homme qui rit ."]
    with pytest.raises(UsageError, match="there is no column 'texts'; did you mean 'text'"):
        integration.tokenize(frame, "texts")
    with pytest.raises(UsageError, match="did you mean 'words'"):
        integration.tokenize(frame, tokenizer="word")
    with pytest.raises(UsageError, match="one tokenizer"):
        integration.tokenize(frame, tokenizer="penn,words")
    with pytest.raises(UsageError, match="the column 'place' holds int; texts"):
        integration.tokenize(frame, "place")


def test_troubles_are_one_line(session, tmp_path):
    with (
        SparkEngine(session) as engine,
        pytest.raises(OtherwordsError, match=r"^Spark says: .*nowhere"),
    ):
        engine.run("SELECT nothing FROM nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="the shared folder cannot be used"):
        SparkEngine(session, shared=tmp_path / "file" / "below")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


class Breaks:
    """A kernel that fails, in some way."""

    def __init__(self, how, folder) -> None:
        self.how, self.folder = how, folder

    def __call__(self, batches):
        import os
        import shutil

        for batch in batches:
            if self.how == "remove":
                shutil.rmtree(self.folder)
            elif self.how == "exit":
                os._exit(3)
            elif self.how == "raise":
                raise ValueError("two\nlines")
            elif self.how == "other columns":
                batch = batch.rename_columns(["m"])
            yield batch


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raise", "Spark says: ValueError: two"),
        ("other columns", "Spark says: ValueError: .*'m'"),
        ("exit", "Spark says: "),
        ("remove", "Spark says: "),
    ],
)
def test_a_kernel_that_fails(how, message, session, tmp_path):
    """One line, and nothing is left."""
    rows = pa.table({"n": pa.array([1, 2, 3], pa.int64())})
    with SparkEngine(session, shared=tmp_path) as engine:
        (folder,) = tmp_path.iterdir()
        with pytest.raises(OtherwordsError, match=f"^{message}") as caught:
            engine.map("rows", rows.to_reader(), Breaks(how, folder), rows.schema)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a b%20c#d", "*[a]{b,c}?\\\\"])
@pytest.mark.parametrize("form", [str, Path.as_uri], ids=["folder", "URL"])
def test_any_name_of_a_shared_folder(name, form, session, tmp_path):
    """Neither Spark's patterns nor the characters of a URL mean anything in it."""
    folder = tmp_path / name
    folder.mkdir()
    rows = pa.table({"n": pa.array([1, 2, 3], pa.int64())})
    pq.write_table(rows, tmp_path / "given.parquet")
    with SparkEngine(session, shared=form(folder)) as engine:
        engine.table("given", tmp_path / "given.parquet")
        engine.map("same", rows.to_reader(), iter, rows.schema)
        engine.stage("both", "SELECT n FROM given UNION ALL SELECT n FROM same")
        found = engine.run("SELECT n FROM both ORDER BY n").read_all()
    assert found["n"].to_pylist() == [1, 1, 2, 2, 3, 3]
    assert list(folder.iterdir()) == []


def test_scores_of_a_frame_are_those_of_score(session):
    pairs = [(left, right) for left, _ in sentences(30) for right in (left[::-1], left)]
    rows = [(k, left, right, [right]) for k, (left, right) in enumerate(pairs)]
    frame = session.createDataFrame(
        rows, "place INT, hypothesis STRING, source STRING, references ARRAY<STRING>"
    ).repartition(3)
    scored = integration.score(frame, "otherwords-rewrite", any_language=True)
    scored = integration.score(scored, "chrf", into="letters")
    found = sorted(scored.toArrow().to_pylist(), key=lambda row: row["place"])
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    scores = otherwords.score("otherwords-rewrite", left, sources=right, any_language=True)
    chrf = otherwords.score("chrf", left, references=[[one] for one in right])
    assert [row["otherwords-rewrite"] for row in found] == scores.segments.tolist()
    assert [row["letters"] for row in found] == chrf.segments.tolist()
    with pytest.raises(UsageError, match="did you mean 'hypothesis'"):
        integration.score(frame, "otherwords-rewrite", hypothesis="hypotesis")
    with pytest.raises(UsageError, match="there is a column 'source' already"):
        integration.score(frame, "otherwords-rewrite", into="source")
    with pytest.raises(UsageError, match="did you mean 'pem'"):
        integration.score(frame, "pen")
    with pytest.raises(UsageError, match="there is no column 'sources'; did you mean 'source'"):
        integration.score(frame, "otherwords-rewrite", source="sources")
    with pytest.raises(UsageError, match="there is a column 'references' already"):
        integration.score(frame, "otherwords-rewrite", into="References")  # Spark would find both


WORKER = """
import pickle, sys
import pyarrow as pa

texts = ["A man sleeps ."]
for _ in range(3):  # a worker unpickles what it runs for every task
    with open(sys.argv[1], "rb") as file:
        scorer = pickle.load(file)
    rows = pa.RecordBatch.from_pydict({"hypothesis": texts, "source": texts})
    assert len(list(scorer([rows, rows]))) == 2
with open("/proc/self/maps") as lines:
    print(*sorted(line.split()[-1] for line in lines if ".owm" in line), sep="\\n")
"""


def test_a_worker_maps_a_model_once(tmp_path):
    given = {"references": None, "sources": "source"}
    scorer = integration._Scorer(
        "otherwords-rewrite", "otherwords-rewrite", "hypothesis", given, {"any_language": True}
    )
    (tmp_path / "scorer").write_bytes(pickle.dumps(scorer))
    done = subprocess.run(
        [sys.executable, "-c", WORKER, tmp_path / "scorer"],
        capture_output=True,
        text=True,
        check=True,
    )
    mapped = done.stdout.split()
    assert any(path.endswith("/otherwords-rewrite.owm") for path in mapped)
    assert len(set(mapped)) > 3
    assert len(mapped) == len(set(mapped))


CLUSTER = """
import os, pathlib, signal, sys
import pyarrow as pa
from otherwords.build.engine.spark import SparkEngine

SCORES = pa.schema({"score": pa.float64(), "package": pa.string(), "process": pa.int64()})


class Scored:
    def __init__(self, killed):
        self.killed = killed

    def __call__(self, batches):
        import otherwords

        try:
            os.mkdir(self.killed)
        except FileExistsError:
            pass
        else:  # the parent of the parent of a worker of Python is the executor
            daemon = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text()
            os.kill(int(daemon.rpartition(")")[2].split()[1]), signal.SIGKILL)
        for batch in batches:
            texts = batch["text"].to_pylist()
            found = otherwords.score("otherwords-rewrite", texts, sources=texts)
            rows = [(score, otherwords.__file__, os.getpid()) for score in found.segments]
            columns = dict(zip(SCORES.names, zip(*rows)))
            yield pa.RecordBatch.from_pydict(columns, schema=SCORES)


with SparkEngine.start("local-cluster[2,1,1024]", shared=sys.argv[1]) as engine:
    texts = pa.table({"text": ["A man sleeps .", "The cat sees a dog ."] * 50})
    engine.map("scores", texts.to_reader(10), Scored(sys.argv[1] + "/killed"), SCORES)
    for row in engine.run("SELECT * FROM scores").read_all().to_pylist():
        print(*row.values(), sep="\\t")
"""


def test_workers_get_the_package_and_one_may_die(tmp_path):
    """Two executors; the first task kills the one that it runs on."""
    script = tmp_path / "main.py"
    script.write_text(CLUSTER)
    import pyspark

    environment = {
        **os.environ,
        **JAVA,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_WORKER_DIR": str(tmp_path / "work"),
        "PYTHONPATH": str(Path(otherwords.__file__).parents[1]),
    }
    done = subprocess.run(
        [sys.executable, script, tmp_path],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    texts = ["A man sleeps .", "The cat sees a dog ."]
    scores = otherwords.score("otherwords-rewrite", texts, sources=texts).segments.tolist()
    assert sorted(float(score) for score, _, _ in rows) == sorted(scores * 50)
    assert (tmp_path / "killed").is_dir()
    assert all("otherwords-package" in package for _, package, _ in rows)


def test_the_guide_prints_what_it_shows(session, tmp_path, monkeypatch):
    for name, value in JAVA.items():
        monkeypatch.setenv(name, value)
    assert Page(ROOT / "docs" / "guides" / "spark.md", tmp_path).check() > 2
