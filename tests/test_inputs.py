"""Rows in every format that users have: the same rows, the same scores, one line for bad input."""

from __future__ import annotations

import csv
import doctest
import gzip
import io
import json
import random
import re
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords import score
from otherwords.corpus.formats import ALIASES, FIELDS, parse_columns
from otherwords.corpus.inputs import read_candidates, read_inputs, read_pairs, read_rows
from otherwords.corpus.problems import CODES
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError

WORDS = (
    'the a fox hare "old" dog runs, sleeps; jumps over under lazy quick brown and or Füchse & <b> '
    "never always home's 3.5 % #"
).split(" ")
SIZE = 1000


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Rows of two systems with one reference, a source and a document each, of made-up text."""
    stream = random.Random(16)

    def text() -> str:
        return "the " + " ".join(stream.choices(WORDS, k=stream.randint(4, 20)))

    found = []
    for number in range(1, SIZE // 2 + 1):
        reference, source, doc = text(), text(), f"d{number // 50}"
        for system in ("one", "two"):
            hypothesis = "a " + " ".join(w for w in reference.split() if stream.random() > 0.2)
            found.append(Row(hypothesis, (reference,), source, system, str(number), doc))
    return found


def record(row: Row) -> dict:
    return {
        "source": row.source,
        "mt": row.hypothesis,
        "ref": row.references[0],
        "system": row.system,
        "item": row.item,
        "doc": row.doc,
    }


def write_jsonl(rows, path):
    path.write_text("".join(json.dumps(record(row)) + "\n" for row in rows))


def write_json(rows, path):
    path.write_text(json.dumps([record(row) for row in rows], indent=1, ensure_ascii=False))


def write_csv(rows, path, delimiter=","):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(record(rows[0])), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(map(record, rows))


def write_semicolons(rows, path):
    write_csv(rows, path, ";")


def write_raw_tsv(rows, path):
    lines = [list(record(rows[0])), *(record(row).values() for row in rows)]
    path.write_text("".join("\t".join(line) + "\n" for line in lines))


def write_pandas_tsv(rows, path):
    pd.DataFrame(map(record, rows)).to_csv(path, sep="\t", index=False)


def write_quoted_tsv(rows, path):
    frame = pd.DataFrame(map(record, rows))
    frame.to_csv(path, sep="\t", index=False, quoting=csv.QUOTE_ALL)


def write_gzip(rows, path):
    write_csv(rows, path)
    path.write_bytes(gzip.compress(path.read_bytes()))


def write_parquet(rows, path):
    table = pa.Table.from_pylist([record(row) for row in rows])
    pq.write_table(table, path, row_group_size=300)


def write_wmt(rows, path):
    def escaped(text):
        return text.replace("&", "&amp;").replace("<", "&lt;")

    lines = ["<?xml version='1.0' encoding='UTF-8'?>", "<dataset id='x'>"]
    for doc in dict.fromkeys(row.doc for row in rows):
        lines.append(f"<doc id='{doc}'>")
        inside = [row for row in rows if row.doc == doc]
        streams = {
            "src lang='de'": {row.item: row.source for row in inside},
            "ref lang='en' translator='A'": {row.item: row.references[0] for row in inside},
            **{
                f"hyp system='{name}'": {r.item: r.hypothesis for r in inside if r.system == name}
                for name in ("one", "two")
            },
        }
        for tag, segments in streams.items():
            lines.append(f"<{tag}>")
            lines += [f"<seg id='{i}'>{escaped(text)}</seg>" for i, text in segments.items()]
            lines.append(f"</{tag.split()[0]}>")
        lines.append("</doc>")
    path.write_text("\n".join([*lines, "</dataset>"]))


FILES = {
    "rows.jsonl": write_jsonl,
    "jsonl.json": write_jsonl,
    "rows.json": write_json,
    "array.jsonl": write_json,
    "rows.csv": write_csv,
    "semicolons.csv": write_semicolons,
    "rows.csv.gz": write_gzip,
    "rows.tsv": write_raw_tsv,
    "pandas.tsv": write_pandas_tsv,
    "quoted.tsv": write_quoted_tsv,
    "rows.parquet": write_parquet,
    "rows.xml": write_wmt,
    "no-name": write_csv,
    "no-name-tsv": write_raw_tsv,
    "no-name-parquet": write_parquet,
    "no-name-json": write_json,
}


class Dataset:
    """What a Hugging Face `Dataset` shows: the names of its columns, and each by name."""

    def __init__(self, columns: dict[str, list]) -> None:
        self.column_names = list(columns)
        self._columns = columns

    def __getitem__(self, name: str) -> list:
        return self._columns[name]


def columns_of(rows) -> dict[str, list]:
    return {name: [record(row)[name] for row in rows] for name in record(rows[0])}


OBJECTS = {
    "pandas": lambda rows: pd.DataFrame(map(record, rows)),
    "arrow": lambda rows: pa.Table.from_pylist([record(row) for row in rows]),
    "dataset": lambda rows: Dataset(columns_of(rows)),
    "mapping": columns_of,
    "list of dicts": lambda rows: [record(row) for row in rows],
    "iterator of dicts": lambda rows: map(record, rows),
}


def scores(rows) -> dict:
    found = score(["mup", "chrf"], rows, any_language=True)
    return {
        "segments": [one.to_dict() for one in [found.by_segment()]],
        "corpus": {key: number.value for key, number in found.cells.items()},
    }


@pytest.fixture(scope="module")
def expected(rows):
    return scores(iter(rows))


@pytest.mark.parametrize("name", FILES)
def test_the_same_rows_from_every_file(tmp_path, rows, name):
    path = tmp_path / name
    FILES[name](rows, path)
    found = list(read_rows(path))
    if name == "rows.xml":
        key = {(row.system, row.item.split(":")[1]): row for row in found}
        found = [key[row.system, row.item] for row in rows]
        assert [row.doc for row in found] == [row.doc for row in rows]
        assert [(r.hypothesis, r.references, r.source) for r in found] == [
            (r.hypothesis, r.references, r.source) for r in rows
        ]
    else:
        assert found == rows


@pytest.mark.parametrize("name", OBJECTS)
def test_the_same_rows_from_every_object(rows, name):
    assert list(read_rows(OBJECTS[name](rows))) == rows


@pytest.mark.parametrize("module", ["polars", "datasets"])
def test_the_same_rows_from_other_libraries(rows, module):
    library = pytest.importorskip(module)
    if module == "polars":
        assert list(read_rows(library.DataFrame(columns_of(rows)))) == rows
    else:
        assert list(read_rows(library.Dataset.from_dict(columns_of(rows)))) == rows


def test_the_same_scores_from_every_form(tmp_path, rows, expected):
    for name, write in FILES.items():
        write(rows, tmp_path / name)
        found = scores(read_rows(tmp_path / name))
        assert found["corpus"] == pytest.approx(expected["corpus"], abs=1e-12), name
        if name != "rows.xml":  # WMT names a segment by its document too
            assert found == expected, name
    for name, make in OBJECTS.items():
        assert scores(read_rows(make(rows))) == expected, name


def test_the_same_scores_from_text_side_by_side(tmp_path, rows, expected):
    one = [row for row in rows if row.system == "one"]
    texts = {
        "one.txt": [row.hypothesis for row in one],
        "two.txt": [row.hypothesis for row in rows if row.system == "two"],
        "ref.txt": [row.references[0] for row in one],
        "src.txt": [row.source for row in one],
        "docs.txt": [row.doc for row in one],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    paths = {name: str(tmp_path / name) for name in texts}
    found = read_inputs(
        [paths["one.txt"], paths["two.txt"]],
        [paths["ref.txt"]],
        paths["src.txt"],
        paths["docs.txt"],
    )
    assert scores(found) == expected


def test_columns_of_a_frame_go_to_score(rows):
    frame = pd.DataFrame(map(record, rows[:50]))
    listed = score("chrf", [r.hypothesis for r in rows[:50]], [r.references[0] for r in rows[:50]])
    assert score("chrf", frame["mt"], references=frame["ref"]).corpus == listed.corpus


@pytest.mark.parametrize("name", ["rows.csv", "rows.tsv", "rows.json", "rows.parquet", "rows.xml"])
def test_standard_input(tmp_path, monkeypatch, rows, name):
    FILES[name](rows[:8], tmp_path / name)
    content = (tmp_path / name).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert len(list(read_rows("-"))) == 8


@pytest.fixture
def made(tmp_path):
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def read(path, **options) -> list[Row]:
    return list(read_rows(path, **options))


def test_cells(made):
    path = made(
        "a.csv",
        "hypothesis,references,source,human.da,item,systems\n"
        'a,"[""b"", null, """"]",,1.5,7,"[""x"", ""y""]"\n'
        '"two\nlines",[sic] said,c,,8,\n'
        ",d,,,9,\n",
    )
    assert read(path) == [
        Row("a", ("b", ""), human={"da": 1.5}, item="7", systems=("x", "y")),
        Row("two\nlines", ("[sic] said",), "c", item="8"),
        Row("", ("d",), item="9"),
    ]
    assert [row.line for row in read(path)] == [2, 3, 5]


def test_chosen_columns(made):
    path = made("a.csv", "original,paraphrase,hypothesis,r1,r2,score\na,b,x,c,,3\n")
    chosen = parse_columns(
        ["hypothesis=paraphrase,source=original", "references=r1,references=r2,human.da=score"]
    )
    assert read(path, columns=chosen) == [Row("b", ("c",), "a", human={"da": 3.0})]
    frame = pd.DataFrame({"para": ["b"], "orig": ["a"]})
    assert read(frame, columns={"hypothesis": "para", "source": "orig"}) == [Row("b", (), "a")]
    assert read(made("x", "orig,para\na,b\n"), columns={"hypothesis": "para"}) == [Row("b")]


def test_missing_values_of_frames():
    frame = pd.DataFrame(
        {"mt": ["a", "b"], "ref": ["c", None], "id": [1, None], "human.da": [2.5, float("nan")]}
    )
    assert read(frame) == [Row("a", ("c",), item="1", id="1", human={"da": 2.5}), Row("b")]


def test_lists_of_references_in_frames_and_parquet(tmp_path):
    frame = pd.DataFrame({"prediction": ["a"], "references": [["b", "c"]]})
    frame.to_parquet(tmp_path / "a.parquet")
    for source in (frame, tmp_path / "a.parquet"):
        assert read(source) == [Row("a", ("b", "c"))]


def test_pairs_and_candidates_from_tables(made):
    (pair,) = read_pairs(made("a.csv", "better,worse,ref,judge\na,b,c,J\n"))
    assert (pair.better, pair.worse, pair.judge) == (Row("a", ("c",)), Row("b", ("c",)), "J")
    (found,) = read_candidates(made("b.csv", 'source,candidates\na,"[""b"", ""c""]"\n'))
    assert [row.hypothesis for row in found.rows] == ["b", "c"]
    (found,) = read_candidates(made("c.tsv", "src\tmt\na\tb\na\tc\n"))
    assert [row.hypothesis for row in found.rows] == ["b", "c"]


BAD: dict[str, tuple[str, str | bytes, int | None, str]] = {
    "csv in jsonl": ("a.jsonl", "mt,ref\na,b\n", 1, "this is CSV, not JSONL; .*end in .csv"),
    "tsv in csv": ("a.csv", "mt\tref\na\tb\n", 1, "this is TSV, not CSV"),
    "csv in tsv": ("a.tsv", "mt,ref\na,b\n", 1, "this is CSV, not TSV"),
    "jsonl in csv": ("a.csv", '{"mt": "a"}\n', 1, "this is JSONL, not CSV"),
    "array in csv": ("a.csv", '[{"mt": "a"}]', 1, "this is a JSON array, not CSV"),
    "csv in parquet": ("a.parquet", "mt,ref\na,b\n", 1, "this is CSV, not Parquet"),
    "text in parquet": ("a.parquet", "Foxes sleep.\n", 1, "this is not Parquet"),
    "parquet in csv": ("a.csv", b"PAR1xxxx", 1, "this is Parquet, not CSV"),
    "xml in csv": ("a.csv", "<dataset></dataset>", 1, "this is XML or SGML, not CSV"),
    "text": ("a.txt", "Foxes sleep.\nHares run.\n", 1, "this is text, not rows: give it as"),
    "no hypothesis": ("a.csv", "text,label\na,1\n", 1, "no column .* are: 'text', 'label'; choose"),
    "two columns": (
        "a.csv",
        "mt,output\na,b\n",
        2,
        "'mt' and 'output' could both .* hypothesis=mt",
    ),
    "same name": ("a.csv", "mt,ref,ref\na,b,c\n", 1, "two columns are named 'ref'"),
    "cells": ("a.csv", "mt,ref\na,b\nc,d,e\n", 3, "3 cells here but 2 columns"),
    "tsv cells": ("a.tsv", "mt\tref\na\tb\nc\n", 3, "1 cells here but 2 columns"),
    "quote": ("a.csv", 'mt,ref\na,"b\nc,d\n', 2, 'begins with " is not closed'),
    "after quote": ("a.csv", 'mt,ref\na,b\n"a" b,c\n', 3, "text after the closing"),
    "human": ("a.csv", "mt,human.da\na,good\n", 2, r"human\['da'\] must be a number; found a str"),
    "human nan": ("a.csv", "mt,human.da\na,nan\n", 2, r"human\['da'\] is nan"),
    "latin1": ("a.csv", b"mt,ref\na,caf\xe9\n", 2, "byte 0xe9 is not UTF-8"),
    "utf-16": ("a.csv", "mt,ref\na,b\n".encode("utf-16"), None, "UTF-16 text"),
    "not json": ("a.json", '[{"mt": "a", "ref": "b"},\n{"mt" "b"}]', 2, "not JSON: Expecting ':'"),
    "open array": ("a.json", '[{"mt": "a", "ref": "b"}\n', 1, "the array is not closed"),
    "comma": ("a.json", '[{"mt": "a", "ref": "b"}\n{"mt": "b"}]', 2, "a comma is missing"),
    "last comma": ("a.json", '[{"mt": "a", "ref": "b"},\n]', 2, "a comma before ]"),
    "after array": ("a.json", '[{"mt": "a", "ref": "b"}]\nmore', 2, "text after the closing ]"),
    "element": ("a.json", '[{"mt": "a", "ref": "b"},\n3]', 2, "each element must be a JSON object"),
    "half": ("a.json", '[{"mt": "a\\ud800"}]', 1, "half of a surrogate pair"),
    "cut parquet": ("a.parquet", b"PAR1" + b"x" * 100, None, "cannot be read as Parquet"),
    "wmt": ("a.xml", "<?xml version='1.0'?>\n<dataset></doc>", 2, "not well-formed XML"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_one_line(made, refused, case):
    name, content, line, message = BAD[case]
    path = made(name, content)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    message = str(caught.value).replace("`columns`", "--columns")
    assert message in refused("score", "-m", "mup", "--rows", path)
    assert caught.value.code in CODES


BAD_OBJECTS = {
    "no hypothesis": (lambda: pd.DataFrame({"x": ["a"]}), "DataFrame:1: no column .* are: 'x'"),
    "type": (lambda: pd.DataFrame({"mt": ["a", 3]}), "DataFrame:2: hypothesis must be a string"),
    "list": (lambda: {"mt": [["a"]]}, "dict:1: hypothesis must be a string; found a list"),
    "bytes": (lambda: {"mt": [b"a"]}, "hypothesis must be a string; found bytes"),
    "lengths": (lambda: {"mt": ["a"], "ref": []}, "dict: .*differ in length: 0 values in 'ref'"),
    "text": (lambda: {"mt": "a"}, "the column 'mt' must be a list"),
    "names": (lambda: pd.DataFrame([["a"]]), "name of a column must be a string, not 0"),
    "half": (lambda: {"mt": ["\ud800"]}, "dict:1: .*half of a surrogate pair"),
    "rows": (lambda: ["a"], "list:1: each row must be a mapping"),
    "nothing": (lambda: 3, "rows are a file, an object with columns or a list"),
    "splits": (lambda: type("D", (), {"column_names": {"train": []}})(), r"sets \('train'\)"),
}


@pytest.mark.parametrize("case", BAD_OBJECTS)
def test_bad_objects(case):
    make, message = BAD_OBJECTS[case]
    with pytest.raises((InputError, UsageError), match=message):
        read(make())


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("paraphrase", "--columns takes FIELD=COLUMN"),
        ("hypothesis=", "--columns takes FIELD=COLUMN"),
        ("hypotheses=x", "there is no field 'hypotheses'; did you mean 'hypothesis'"),
        ("source=a,source=b", "'source' is one column"),
        ("hypothesis=x", "no column 'x', which --columns names; the columns are: 'mt', 'ref'"),
    ],
)
def test_wrong_columns(made, refused, chosen, message):
    path = made("a.csv", "mt,ref\na,b\n")
    assert message in refused("score", "-m", "mup", "--rows", path, "--columns", chosen)


def test_rows_and_columns_where_they_do_nothing(made, refused):
    path, text = made("a.csv", "mt,ref\na,b\n"), made("a.txt", "a\n")
    assert "--rows has everything" in refused("score", "--rows", path, text)
    assert "--columns does nothing" in refused("score", text, "-r", text, "--columns", "source=x")
    assert "give rows with --rows" in refused("score", "-m", "mup", path, "-r", text)
    with pytest.raises(UsageError, match="unknown format 'cvs'; did you mean 'csv'"):
        read(path, format="cvs")


COMMANDS = {
    "score": ["score", "-m", "mup", "--rows"],
    "jsonl": ["score", "-m", "mup", "--jsonl"],
    "compare": ["compare", "-m", "mup", "--resamples", "9", "--rows"],
    "meta": ["meta", "-m", "mup", "--rows"],
    "rank": ["rank", "-m", "mup"],
    "references": ["references", "-m", "mup", "--resamples", "9", "--rows"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_take_any_format(tmp_path, monkeypatch, ok, rows, command):
    monkeypatch.chdir(tmp_path)
    for place, row in enumerate(rows[:60]):
        more = {"human": {"da": place * 7 % 13}, "references": [row.references[0], "a fox"]}
        line = {**record(row), **more}
        del line["ref"]
        with Path("rows.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
    first = ok(*COMMANDS[command], "rows.jsonl", "--any-language", "-f", "json")
    assert json.loads(first)
    for name in ("rows.json", "rows.csv", "rows.tsv", "rows.parquet"):
        ok("convert", "rows.jsonl", "-o", name)
        assert ok(*COMMANDS[command], name, "--any-language", "-f", "json") == first


def test_report_takes_a_table(tmp_path, ok, rows):
    write_csv(rows[:60], tmp_path / "rows.csv")
    write_jsonl(rows[:60], tmp_path / "rows.jsonl")
    pages = []
    for name in ("rows.csv", "rows.jsonl"):
        options = ["-m", "mup", "--resamples", "9", "--any-language", "-o", tmp_path / "r.html"]
        ok("report", tmp_path / name, *options)
        pages.append((tmp_path / "r.html").read_text())
    assert pages[0] == pages[1]


def test_python_of_the_manual():
    manual = (Path(__file__).parents[1] / "docs" / "inputs.md").read_text()
    block = re.search(r"```python\n(.*?)```", manual, re.DOTALL)[1]
    test = doctest.DocTestParser().get_doctest(block, {}, "inputs", "inputs.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_names_of_the_manual():
    manual = (Path(__file__).parents[1] / "docs" / "inputs.md").read_text()
    names = {name for several in ALIASES.values() for name in several}
    assert all(f"`{name}`" in manual for name in (*FIELDS, *names))


def test_controls_and_training_take_tables(tmp_path, monkeypatch, ok, run, refused):
    monkeypatch.chdir(tmp_path)
    table = "original,paraphrase,score\n" + "".join(
        f"The {word} fox sleeps at home.,A {word} fox is asleep at home.,{place % 5 + 1}\n"
        for place, word in enumerate("red old big shy sly wet hot sad mad odd new shy".split())
    )
    Path("a.csv").write_text(table)
    columns = "source=original,hypothesis=paraphrase,human.overall=score"
    ok("convert", "a.csv", "--columns", columns, "-o", "a.jsonl")
    from_table = ok("controls", "--rows", "a.csv", "--columns", columns)
    assert from_table == ok("controls", "--jsonl", "a.jsonl") != ""
    train = ["train", "rewrite", "--folds", "2", "--rows"]
    for argv in (["a.csv", "--columns", columns, "-o", "one.pem"], ["a.jsonl", "-o", "two.pem"]):
        code, _, warning = run(*train, *argv)
        assert (code, warning[:12]) == (0, "only 12 rows")
    assert Path("one.pem").read_bytes() == Path("two.pem").read_bytes()
    assert "--columns does nothing" in refused("controls", "a.csv", "--columns", columns)


def test_the_gate_takes_tables(tmp_path, monkeypatch, ok, rows):
    monkeypatch.chdir(tmp_path)
    write_csv([row for row in rows[:60] if row.system == "one"], Path("one.csv"))
    write_csv(rows[:60], Path("both.csv"))
    limits = ["-m", "mup", "--fail-under", "0", "--any-language", "-f", "json"]
    alone = json.loads(ok("gate", "one.csv", *limits))
    columns = ["--columns", "hypothesis=mt,references=ref"]
    assert json.loads(ok("gate", "one", "--rows", "both.csv", *columns, *limits)) == alone
