"""What engines share, without Spark: kernels over parts, folders of files, what is missing."""

from __future__ import annotations

import math
import pickle
import re
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords import _build
from otherwords.build import engine as engine_package
from otherwords.build.bitext.corpus import encode
from otherwords.build.bitext.links import Links
from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import SyncParser, build_grammar, limits_of
from otherwords.build.grammar.sync_parser import parse_rows
from otherwords.build.grammar.table import escape
from otherwords.build.grammar.trees import parse_nodes
from otherwords.build.phrases import build_table
from otherwords.build.phrases.extraction import aligned_text, linked_words, put_aligned
from otherwords.build.pipeline import Build, build_model
from otherwords.errors import UsageError

ENGLISH = ["the old man sees the dog", "a dog sees the old man", "the man sees", "", "the old dog"]
FOREIGN = ["l homme vieux voit le chien", "un chien voit le vieux", "l homme voit", "rien", "chien"]
LINKS = ["0-0 1-2 2-1 3-3 4-4 5-5", "0-0 1-1 2-2 3-3 4-4 5-4", "0-0 1-1 2-2", "", "2-0"]


class InParts(DuckEngine):
    """Kernels see two rows at a time, and do not share what they keep."""

    distributed = True

    def map(self, name, source, kernel, schema):
        rows = self.run(source) if isinstance(source, str) else source
        parts = (batch.slice(at, 2) for batch in rows for at in range(0, len(batch), 2))
        made = (one for part in parts for one in pickle.loads(pickle.dumps(kernel))([part]))
        self.put(name, made, schema)


@pytest.fixture
def aligned():
    left, right = encode(ENGLISH, "none"), encode(FOREIGN, "none")
    pairs = [[tuple(map(int, one.split("-"))) for one in line.split()] for line in LINKS]
    ends = np.array([end for line in pairs for end in sorted(line)], np.uint32).reshape(-1, 2)
    bounds = np.cumsum([0, *map(len, pairs)])
    return left, right, Links(*(np.ascontiguousarray(ends[:, k]) for k in (0, 1)), bounds)


def test_words_linked_in_parts_are_those_of_the_whole(aligned):
    left, right, _ = aligned
    with InParts() as engine:
        put_aligned(engine, *aligned)
        lexicon = linked_words(engine, len(left.words), len(right.words))
    whole = aligned_text(*aligned).word_links().table()
    for one, other in zip(lexicon[:3], whole, strict=True):
        assert one.tolist() == other.tolist()
    again = _build.WordLinks(*lexicon).table()
    assert [one.tolist() for one in again] == [one.tolist() for one in whole]


@pytest.mark.parametrize(
    ("left", "right", "times", "message"),
    [
        ([1, 0], [0, 0], [1, 1], "not in order"),
        ([0, 0], [1, 1], [1, 1], "not in order"),
        ([0, 3], [0, 0], [1, 1], "outside"),
        ([0], [4], [1], "outside"),
        ([0], [0], [0], "outside"),
        ([0, 1], [0], [1], "differ in length"),
    ],
)
def test_linked_words_that_cannot_be(left, right, times, message):
    ids = (np.array(one, np.uint32) for one in (left, right))
    with pytest.raises(ValueError, match=message):
        _build.WordLinks(*ids, np.array(times, np.int64), 2, 3)


def test_phrases_of_parts_are_those_of_the_whole(aligned, tmp_path):
    with InParts() as engine:
        parts = build_table(*aligned, tmp_path / "parts", engine=engine)
    with DuckEngine(threads=2) as engine:
        whole = build_table(*aligned, tmp_path / "whole", engine=engine)
    assert whole.rows == parts.rows > 20
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("kind", ["hiero", "samt"])
@pytest.mark.parametrize("changes", [{}, {"min_count": 2, "identity": False}], ids=["all", "some"])
def test_rules_of_texts_are_those_of_numbers(kind, changes, aligned, tmp_path):
    for name, chosen in (("numbers", DuckEngine), ("texts", InParts)):
        with chosen() as engine:
            trees = parse_nodes(aligned[0], engine)
            grammar = build_grammar(
                *aligned,
                tmp_path / name,
                engine=engine,
                kind=kind,
                trees=trees,
                tree_side="left",
                limits=limits_of(kind, **changes),
            )
    assert grammar.rows > 5
    assert (tmp_path / "texts").read_bytes() == (tmp_path / "numbers").read_bytes()


def test_parses_of_parts_are_those_of_the_parser(monkeypatch):
    monkeypatch.setattr("otherwords.build.grammar.sync_parser.AT_ONCE", 7)
    rules = ["[X] ||| a [X,1] ||| [X,1] b", "[X] ||| a ||| b", f"[X] ||| b ||| {escape('[a]')}"]
    parser = SyncParser(rules, pass_through="all", max_steps=12)
    sentences = [words for size in range(4) for words in product("ab", repeat=size)]
    pairs = [*product(sentences, sentences), (("b",), ("[a]",))]
    with InParts() as engine:
        found = parse_rows(engine, parser, pairs)
        assert parse_rows(engine, parser, []) == []
    assert found == parser.parse(*zip(*pairs, strict=True))
    assert {parse.verdict for parse in found} >= {"accepted", "rejected", "steps"}


def test_features_of_counts():
    """Thrax computes -ln p in single precision."""
    count, both, source, target = (
        np.array(one, np.int64) for one in ([1, 3], [2, 3], [4, 3], [8, 9])
    )
    e_given_f, f_given_e, rarity = _build.count_features(count, both, source, target)
    assert e_given_f.tolist() == [np.float32(math.log(2)), 0.0]
    third = np.float32(3 / 9)
    assert f_given_e.tolist() == [np.float32(math.log(4)), -np.float32(math.log(third))]
    assert rarity.tolist() == [1.0, math.exp(-2)]
    assert _build.costs(np.array([1.0, 0.5, 1.0000000000000002])).tolist() == [
        0.0,
        math.log(2),
        0.0,
    ]
    with pytest.raises(ValueError, match="differ in length"):
        _build.count_features(count, both, source, target[:1])


def test_a_name_that_is_too_long_is_that_of_the_input(run, tmp_path):
    code, _, errors = run("pivot", "a" * 300, "-o", tmp_path / "out.parquet")
    message = "cannot be opened: File name too long"
    assert (code, errors) == (2, f"otherwords: {'a' * 300}: {message}\n")


def test_outputs_that_are_folders_are_refused_first(run, tmp_path):
    """Before any work: here even before the input, which is not there, is opened."""
    out = f"{tmp_path}/new/"
    linked = ("--bitext", "no.tsv", "--alignment", "no.links")
    for command in (
        *(("extract", "phrases", *linked), ("extract", "grammar", *linked), ("pivot", "no.tsv")),
        *(("grammar", "prune", "no.txt"), ("grammar", "pivot", "no.txt"), ("align", "no.tsv")),
        *(("build", "--pivot", "fr=no.tsv"), ("lm", "estimate", "no.txt")),
    ):
        code, _, errors = run(*command, "-o", out)
        message = f"{out}: this names a directory; the output must be a file"
        assert (code, errors) == (2, f"otherwords: {message}\n")
    with pytest.raises(UsageError, match="a model is one file"):
        build_model(out, Build({"fr": ["no.tsv"]}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--master", "--shared"])
def test_options_of_spark_need_it(option, run, tmp_path):
    (tmp_path / "t.tsv").write_text("a ||| b ||| 1 1 1 1\n")
    code, _, errors = run("pivot", tmp_path / "t.tsv", option, "x")
    assert (code, errors) == (2, f"otherwords: {option} does nothing without --engine spark\n")


@pytest.fixture
def java(monkeypatch, tmp_path):
    """A program of that name: what is refused here is refused before it is started."""
    program = tmp_path / "home" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))


def refused(run, folder, *options):
    """The line that `pivot --engine spark` is refused with."""
    pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
    (folder / "t.tsv").write_text("a ||| b ||| 1 1 1 1\n")
    before = sorted(folder.iterdir())
    code, _, errors = run("pivot", folder / "t.tsv", "--engine", "spark", *options)
    assert code == 2
    assert sorted(folder.iterdir()) == before
    (line,) = errors.splitlines()
    return line.removeprefix("otherwords: ")


def test_without_java_there_is_one_line(run, tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    message = f"JAVA_HOME is {tmp_path}, where there is no bin/java; Spark needs Java 17 or later"
    assert refused(run, tmp_path) == message
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    message = "Spark needs Java 17 or later: install it, or set JAVA_HOME"
    assert refused(run, tmp_path) == message


def test_a_shared_folder_that_cannot_be_used(java, run, tmp_path):
    (tmp_path / "file").write_text("")
    missing = tmp_path / "nowhere"
    for folder in (missing, tmp_path / "file", missing.as_uri()):
        line = refused(run, tmp_path, "--shared", folder)
        assert line == f"{folder}: the shared folder cannot be used: there is no such folder"
    line = refused(run, tmp_path, "--shared", "")
    assert line == "the shared folder has an empty name: give a folder or URL"
    for folder in ("/proc", "nothing://here", "hdfs://nowhere.invalid/tmp"):
        line = refused(run, tmp_path, "--shared", folder)
        assert line.startswith(f"{folder}: the shared folder cannot be used: ")
    assert "JAVA_HOME, HADOOP_HOME" in line


def test_without_pyspark_there_is_one_line(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "otherwords.build.engine.spark", raising=False)
    monkeypatch.delitem(vars(engine_package), "SparkEngine", raising=False)
    (tmp_path / "t.tsv").write_text("a ||| b ||| 1 1 1 1\n")
    code, _, errors = run("pivot", tmp_path / "t.tsv", "--engine", "spark")
    assert code == 2
    assert errors.splitlines()[0].endswith("install it with: pip install 'otherwords[spark]'")
    assert len(errors.splitlines()) == 1


def test_sql_has_no_function_whose_last_bit_is_a_librarys():
    """EXP and LN are those of kernels; POWER is used for 2 to the 60, which is exact."""
    package = Path(otherwords.__file__).parent
    function = re.compile(r"\b(EXP|LN|LOG|LOG2|LOG10|POWER|SIN|COS|TAN|TANH)\s*\(")
    texts = {
        path: path.read_text(encoding="utf-8").replace("POWER(CAST(2 AS DOUBLE), 60)", "")
        for path in package.rglob("*.py")
    }
    assert sum("SELECT" in text for text in texts.values()) > 5
    assert [path for path, text in texts.items() if function.search(text)] == []


def test_windows_are_of_parts_of_a_table():
    """A window over all rows would be sorted by one task of Spark; DuckDB numbers rows with one."""
    package = Path(otherwords.__file__).parent
    found = [
        (path.relative_to(package).as_posix(), window)
        for path in sorted(package.rglob("*.py"))
        for window in re.findall(r"\bOVER\s*\(\s*(\w+)", path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 5
    whole = [path for path, first in found if first != "PARTITION"]
    assert whole == ["build/engine/duck.py"]
