"""`otherwords convert`: what goes in comes out of every format again."""

from __future__ import annotations

import csv
import gzip
import json

import pyarrow.parquet as pq
import pytest
from bench.compression_pairs import compression_records
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.corpus.conversion import convert_rows
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Judgement, Row
from otherwords.errors import InputError

ROWS = [
    {
        "hypothesis": "a, \"b\" 'c'",
        "references": ["d", "", "[x]"],
        "source": "e",
        "system": "s",
        "item": "1",
        "human": {"da": 1.5, "mqm": -3},
        "judges": [{"judge": "A", "da": 2}],
        "systems": ["s", "t"],
        "domain": "news",
        "length": 7,
    },
    {"hypothesis": "", "references": ["[only]"], "system": "t", "item": "1", "id": 4},
    {"hypothesis": '"x ""y"" z"', "source": "Füchse 🦊", "human": {"da": 0}},
]
FORMATS = ["jsonl", "json", "csv", "tsv", "parquet"]


@pytest.fixture
def start(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.mark.parametrize("second", FORMATS)
@pytest.mark.parametrize("first", FORMATS)
def test_there_and_back(tmp_path, ok, start, first, second):
    expected = list(read_rows(start))
    assert expected[0].judges == (Judgement({"da": 2.0}, "A"),)
    one, two = tmp_path / f"one.{first}", tmp_path / f"two.{second}"
    assert ok("convert", start, "-o", one) == ""
    ok("convert", one, "-o", two)
    assert list(read_rows(one)) == list(read_rows(two)) == expected


@pytest.mark.parametrize("format", FORMATS)
def test_other_columns_are_kept_and_names_are_those_of_fields(tmp_path, ok, start, format):
    one, again = tmp_path / f"one.{format}", tmp_path / "again.jsonl"
    ok("convert", start, "-o", one)
    ok("convert", one, "-o", again)
    first = json.loads(again.read_text().split("\n")[0])
    assert (first["domain"], str(first["length"])) == ("news", "7")
    assert first["references"] == ["d", "", "[x]"]


def test_columns_are_renamed(tmp_path, ok):
    (tmp_path / "a.tsv").write_text("src\tpara\tdate\tref1\tref2\na\tb\t2020\tc\td\n")
    out = ok("convert", tmp_path / "a.tsv", "--columns", "hypothesis=para")
    expected = {"hypothesis": "b", "source": "a", "references": ["c", "d"], "date": "2020"}
    assert json.loads(out) == expected


def test_types_of_parquet(tmp_path, ok, start):
    ok("convert", start, "-o", tmp_path / "a.parquet")
    schema = pq.read_schema(tmp_path / "a.parquet")
    assert str(schema.field("references").type).startswith("list<")
    assert str(schema.field("human.da").type) == "double"
    assert str(schema.field("length").type) == "int64"


def test_csv_is_what_others_read(tmp_path, ok, start):
    ok("convert", start, "-o", tmp_path / "a.csv.gz")
    text = gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).decode()
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["hypothesis"] for row in rows] == [row["hypothesis"] for row in ROWS]
    assert rows[0]["human.mqm"] == "-3"


def test_text_side_by_side_and_back(tmp_path, ok):
    (tmp_path / "a.csv").write_text(
        "system,mt,ref1,ref2,src,doc\n"
        "A/1,a one,r one,q one,s one,d1\nB,b one,r one,q one,s one,d1\n"
        "A/1,a two,r two,q two,s two,d2\nB,b two,r two,q two,s two,d2\n"
    )
    folder = tmp_path / "texts"
    ok("convert", tmp_path / "a.csv", "-o", f"{folder}/")
    files = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.txt")}
    assert files == {
        "systems/A_1.txt": "a one\na two\n",
        "systems/B.txt": "b one\nb two\n",
        "reference1.txt": "r one\nr two\n",
        "reference2.txt": "q one\nq two\n",
        "source.txt": "s one\ns two\n",
        "docs.txt": "d1\nd2\n",
    }
    back = tmp_path / "back.csv"
    systems = [f"A/1={folder}/systems/A_1.txt", folder / "systems/B.txt"]
    systems[0] = f"A={folder}/systems/A_1.txt"
    references = ["-r", folder / "reference1.txt", "-r", folder / "reference2.txt"]
    ok("convert", *systems, *references, "-s", folder / "source.txt", "-o", back)
    assert [(row.system, row.hypothesis, row.references) for row in read_rows(back)] == [
        ("A", "a one", ("r one", "q one")),
        ("B", "b one", ("r one", "q one")),
        ("A", "a two", ("r two", "q two")),
        ("B", "b two", ("r two", "q two")),
    ]


def test_wmt_and_text_alone(tmp_path, ok):
    (tmp_path / "a.sgm").write_text(
        "<tstset><doc docid=d sysid=s><seg id=1>a &amp; b</seg></doc></tstset>"
    )
    assert json.loads(ok("convert", tmp_path / "a.sgm")) == {
        "hypothesis": "a & b",
        "system": "s",
        "item": "d:1",
        "doc": "d",
    }
    (tmp_path / "b.txt").write_text("Foxes sleep.\n")
    assert ok("convert", tmp_path / "b.txt", "-f", "csv") == (
        "hypothesis,system,item\nFoxes sleep.,b,1\n"
    )


def test_nothing_in_nothing_out(tmp_path, ok):
    (tmp_path / "a.csv").write_text("mt,ref\n")
    for name in ("b.jsonl", "b.json", "b.csv", "b.tsv", "b.parquet"):
        ok("convert", tmp_path / "a.csv", "-o", tmp_path / name)
        assert list(read_rows(tmp_path / name)) == []
    assert json.loads((tmp_path / "b.json").read_text()) == []


def test_wrong_output(tmp_path, refused, start):
    def wrong(*options):
        return refused("convert", start, *options)

    assert "has no format; let it end in" in wrong("-o", tmp_path / "out.xyz")
    assert "cannot go to standard output" in wrong("-f", "parquet")
    assert "cannot go to standard output" in wrong("-f", "text")
    assert "leave .gz out" in wrong("-o", tmp_path / "a.parquet.gz")
    assert "both read and written" in wrong("-o", start)
    assert "no directory" in wrong("-o", tmp_path / "none" / "a.csv")
    assert "to a new folder, but this one exists" in wrong("-o", f"{tmp_path}/")
    assert "--columns is for rows" in wrong("-r", start, "--columns", "source=x")


def test_systems_with_one_file_name_are_named(tmp_path, refused):
    path = tmp_path / "a.jsonl"
    path.write_text(
        "".join(f'{{"system": "{name}", "hypothesis": "a"}}\n' for name in ("A/B", "A:B"))
    )
    line = refused("convert", path, "-o", f"{tmp_path}/texts/")
    assert "'A/B' and 'A:B' would have the same file name, A_B.txt" in line


def test_text_that_cannot_be_written(tmp_path, refused):
    path = tmp_path / "a.jsonl"
    path.write_text('{"mt": "a"}\n{"mt": "a\\tb\\nc"}\n')
    message = refused("convert", path, "-o", tmp_path / "a.tsv")
    assert f"{path}:2: 'hypothesis' has a character that TSV cannot hold" in message
    assert f"{path}:2: the hypothesis has a line end" in refused(
        "convert", path, "-o", f"{tmp_path}/t/"
    )
    path.write_text('{"mt": "a", "ref": "b"}\n{"mt": "a"}\n')
    assert f"{path}:2: this row has other" in refused("convert", path, "-o", f"{tmp_path}/t/")
    path.write_text('{"mt": "a", "system": "x"}\n{"mt": "b"}\n{"mt": "c"}\n')
    assert "'x' has 1 segments, but others have 2" in refused(
        "convert", path, "-o", f"{tmp_path}/t/"
    )
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.jsonl"]


def test_nothing_half_written(tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_text("mt,ref\na,b\nc\n")
    for name in ("b.jsonl", "b.json", "b.csv", "b.tsv", "b.parquet"):
        assert f"{path}:3: 1 cells" in refused("convert", path, "-o", tmp_path / name)
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3), st.none() | texts), min_size=1))
def test_any_text_survives(tmp_path_factory, found):
    folder = tmp_path_factory.mktemp("any")
    rows = [Row(one, tuple(several), source or None) for one, several, source in found]
    records = [
        {"hypothesis": row.hypothesis, "references": list(row.references), "source": row.source}
        for row in rows
    ]
    (folder / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    names = ["a.json", "a.csv", "a.parquet"]
    flat = "".join(one + "".join(several) + (source or "") for one, several, source in found)
    if not {"\t", "\n"} & set(flat):
        names.append("a.tsv")
    for name in names:
        convert_rows([str(folder / "a.jsonl")], str(folder / name))
        assert list(read_rows(folder / name)) == rows


GROUPS = [
    {"id": "v1", "texts": {"A": "0123456789", "B": "abcdefg", "C": "x"}},
    {"id": "v2", "texts": {"A": "the same text", "B": "the text"}},
    {"source": "abcdefg", "hypothesis": "abcde", "human": {"paraphrase": 1}, "item": "p1"},
    {"source": "a longer one", "hypothesis": "a long one", "human": {"paraphrase": 0}},
    {"source": "0123456789 ", "hypothesis": "01234567", "item": "p3"},
]


def test_compressions_are_split_by_group(tmp_path):
    path = tmp_path / "groups.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in GROUPS))
    rows = list(compression_records([str(path)]))
    # 7/10 and 5/7 lie in .67 to .75; 8/13 and 8/11 (.727): the last one does; v1 and p1 share a
    # sentence and are one group
    found = [(row["item"], row["source"], row["references"]) for row in rows]
    assert found == [
        ("v1", "0123456789", ["abcdefg"]),
        ("v1", "abcdefg", ["abcde"]),
        ("p3", "0123456789 ", ["01234567"]),
    ]
    tuned, tested = (
        {row["item"] for row in compression_records([str(path)], part)} for part in ("tune", "test")
    )
    assert tuned | tested == {"v1", "p3"}
    assert not tuned & tested
    [row] = compression_records([str(path)], "all", 0.6, 0.65)
    assert (row["source"], row["hypothesis"]) == ("the same text", "the text")
    path.write_text('{"id": "x"}\n')
    with pytest.raises(InputError, match=r"groups\.jsonl:1: texts by name"):
        list(compression_records([str(path)]))


def test_truth_values_become_parquet(ok, tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"hypothesis": "a", "checked": true}\n{"hypothesis": "b", "checked": false}\n')
    ok("convert", str(rows), "-o", str(tmp_path / "rows.parquet"))
    ok("convert", str(tmp_path / "rows.parquet"), "-o", str(tmp_path / "again.jsonl"))
    again = (tmp_path / "again.jsonl").read_text().splitlines()
    assert [json.loads(line)["checked"] for line in again] == [True, False]
