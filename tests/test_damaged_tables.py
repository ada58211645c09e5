"""Damaged, changed and foreign Parquet files and grammars: refused by name, never read wrongly."""

from __future__ import annotations

import os
import random
import re
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.build.engine import DuckEngine
from otherwords.build.engine.parquet import ROW_GROUP, write_parquet
from otherwords.build.grammar.index import GrammarIndex
from otherwords.build.grammar.table import Grammar, read_grammar, rule_schema
from otherwords.build.phrases.table import SCHEMA, PhraseTable
from otherwords.cli import main
from otherwords.corpus.inputs import read_rows
from otherwords.errors import InputError, OtherwordsError
from tests.call_inputs import FILES

RULES = [
    "[X] ||| the [X,1] of [X,2] ||| [X,2] 's [X,1] ||| p=0.5 q=1 ||| 0-1",
    "[NP] ||| house ||| home ||| p=0.25 q=2",
    "[VP] ||| said [S,1] ||| told [S,1] ||| p=0.125",
]
ROW = {
    "source": "house", "target": "Haus", "p_source": 0.5, "lex_source": 0.5, "p_target": 0.25,
    "lex_target": 0.5, "alignment": "0-0", "count_target": 4, "count_source": 8, "count": 2,
}  # fmt: skip


def phrase_table(path, **changes):
    rows = [ROW, {**ROW, "source": "home"}, {**ROW, "source": "hut", **changes}]
    batches = [pa.RecordBatch.from_pylist(rows, schema=SCHEMA)]
    write_parquet(path, SCHEMA, batches, {"kind": "phrase-table"})
    return path


@pytest.fixture
def grammar(tmp_path):
    text = tmp_path / "grammar.txt"
    text.write_text("".join(f"{rule} ||| \n" for rule in RULES * 100))
    path = tmp_path / "grammar.parquet"
    read_grammar(text, path)
    return path


def run(capsys, *arguments):
    code = main([str(one) for one in arguments])
    return code, capsys.readouterr()


def test_bit_flips_in_parquet_are_found(grammar, capsys):
    code, sound = run(capsys, "grammar", "convert", grammar)
    assert code == 0
    whole = grammar.read_bytes()
    rng = random.Random(1)
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        grammar.write_bytes(damaged)
        code, found = run(capsys, "grammar", "convert", grammar)
        assert code == 2 or found.out == sound.out
        if code == 2:
            assert found.err.startswith(f"otherwords: {grammar}")
            assert found.err.count("\n") == 1


@pytest.mark.parametrize("command", ["pack", "pivot", "grammar"])
def test_damaged_parquet_names_the_input(command, grammar, tmp_path, capsys):
    table = phrase_table(tmp_path / "table.parquet")
    path = grammar if command == "grammar" else table
    data = bytearray(path.read_bytes())
    data[40:80] = bytes(40)
    path.write_bytes(data)
    output = tmp_path / "out.parquet"
    arguments = {
        "pack": ["model", "pack", path, "-o", tmp_path / "out.owm"],
        "pivot": ["pivot", f"de={path}", "-o", output],
        "grammar": ["grammar", "prune", path, "--rank-by", "p", "--top", "1", "-o", output],
    }
    code, found = run(capsys, *arguments[command])
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}: cannot be read as Parquet")
    assert not output.exists()


@pytest.fixture
def rows(tmp_path, capsys):
    """Rows as `convert` writes them."""
    text, path = tmp_path / "rows.jsonl", tmp_path / "rows.parquet"
    text.write_text(FILES["paraphrased.jsonl"])
    assert run(capsys, "convert", text, "-o", path)[0] == 0
    return path


def test_every_byte_of_parquet_is_covered(grammar, rows):
    """Headers of pages and footers too: a flipped bit that still parses is refused."""
    for path, read in ((grammar, Grammar.open), (rows, lambda path: list(read_rows(path)))):
        read(path)
        whole = path.read_bytes()
        for place in range(len(whole) % 3, len(whole), 3):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << place % 8
            path.write_bytes(damaged)
            with pytest.raises(InputError):
                read(path)


def test_parquet_that_another_program_wrote_again(rows, tmp_path, capsys):
    """Arrow takes our metadata along, and the digest in it is that of another file."""
    copy = tmp_path / "copy.parquet"
    pq.write_table(pq.read_table(rows).slice(1), copy)
    assert run(capsys, "validate", copy)[0] == 0
    again = tmp_path / "again.parquet"
    assert run(capsys, "convert", copy, "-o", again)[0] == 0
    assert run(capsys, "validate", again)[0] == 0


def test_parquet_through_a_pipe(rows, tmp_path, capsys):
    """There is no digest, as nothing can be written twice; it is read as before."""
    pipe, copy = tmp_path / "pipe", tmp_path / "copy.parquet"
    os.mkfifo(pipe)
    with copy.open("wb") as out, subprocess.Popen(["cat", pipe], stdout=out) as reader:
        assert run(capsys, "convert", rows, "-f", "parquet", "-o", pipe)[0] == 0
        assert reader.wait(30) == 0
    assert pq.read_table(copy).to_pylist() == pq.read_table(rows).to_pylist()
    assert run(capsys, "convert", rows, "-f", "parquet", "-o", os.devnull)[0] == 0
    assert run(capsys, "validate", copy)[0] == 0


def test_bit_flips_in_rows_are_found(rows, capsys):
    """Names of columns are in the footer, which has no checksum."""
    commands = [["score", "--rows", rows, "-m", "pinc", "-f", "jsonl"], ["convert", rows]]
    sound = [run(capsys, *words)[1].out for words in commands]
    whole = rows.read_bytes()
    rng = random.Random(2)
    size = int.from_bytes(whole[-8:-4], "little")  # of the footer
    places = [rng.randrange(len(whole)) for _ in range(20)]
    places += [len(whole) - 8 - rng.randrange(size) for _ in range(40)]
    places += [at.start() + 1 for at in re.finditer(b"system|human.ov|hypothesis", whole)]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        rows.write_bytes(damaged)
        for words, wanted in zip(commands, sound, strict=True):
            code, found = run(capsys, *words)
            assert code == 2 or found.out == wanted, place
            if code == 2:
                assert found.err.startswith(f"otherwords: {rows}")
                assert found.err.count("\n") == 1


def test_numbers_of_rows_that_differ(rows, capsys):
    """Those of the file, of its groups and of the columns in them, each one less."""
    whole = rows.read_bytes()
    sound = run(capsys, "convert", rows)[1].out
    count = pq.ParquetFile(rows).metadata.num_rows
    places = [at.end() - 1 for at in re.finditer(re.escape(bytes([0x16, 2 * count])), whole)]
    assert len(places) > 2  # fields of Thrift: a number is written twofold
    for place in places:
        data = bytearray(whole)
        data[place] -= 2
        rows.write_bytes(data)
        code, found = run(capsys, "convert", rows)
        assert code == 2 or found.out == sound
        if code == 2:
            assert found.err.startswith(f"otherwords: {rows}: cannot be read as Parquet: ")


def test_parquet_of_other_programs_and_changed_by_them(rows, tmp_path, capsys):
    """Columns that somebody renamed on purpose are read as they are now."""
    table = pq.read_table(rows)
    names = ["text" if name == "hypothesis" else name for name in table.schema.names]
    other = tmp_path / "other.parquet"
    pq.write_table(table.rename_columns(names), other)
    assert run(capsys, "convert", other)[0] == 2
    pq.write_table(table.drop_columns(["item"]), other, store_schema=False)
    assert run(capsys, "convert", other)[0] == 0
    pq.write_table(table.drop_columns(["item"]), other)
    assert run(capsys, "convert", other)[0] == 0


def test_what_the_database_cannot_read_is_named(tmp_path):
    """Files that were taken away or damaged after they were checked."""
    path = phrase_table(tmp_path / "table.parquet")
    with DuckEngine() as engine:
        engine.table("phrases", path)
        data = bytearray(path.read_bytes())
        data[8:200] = bytes(192)
        path.write_bytes(data)
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}: the database cannot"):
            list(engine.run("SELECT * FROM phrases"))
        path.write_bytes(b"PAR1 and nothing else PAR1")
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}: the database cannot"):
            engine.table("phrases", path)
    with DuckEngine() as engine, pytest.raises(OtherwordsError, match=r"^the database says"):
        engine.run("SELECT nothing")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("p_source", -1.0), ("p_target", 2.0), ("p_target", None), ("p_source", float("nan")),
        ("count", -3), ("source", None), ("target", None),
    ],
)  # fmt: skip
def test_values_of_a_phrase_table_are_checked(column, value, tmp_path, capsys):
    path = phrase_table(tmp_path / "table.parquet", **{column: value})
    code, found = run(capsys, "pivot", f"de={path}", "-o", tmp_path / "out.tsv")
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}: row 3: column '{column}' holds ")
    with pytest.raises(InputError, match="row 3"):
        list(PhraseTable.open(path).batches())


def test_rows_that_lack_what_may_be_missing_are_read(tmp_path):
    lacking = dict.fromkeys(["alignment", "count", "count_source", "count_target"])
    path = phrase_table(tmp_path / "table.parquet", **lacking)
    assert sum(map(len, PhraseTable.open(path).batches())) == 3


def test_batches_that_do_not_divide_a_row_group(tmp_path):
    """Types that the schema changes, and a remainder that has been changed already."""
    schema = pa.schema([pa.field("n", pa.int64(), nullable=False)])
    size = ROW_GROUP // 3 + 1
    batches = (
        pa.RecordBatch.from_arrays([pa.array([k] * size, pa.int32())], names=["n"])
        for k in range(7)
    )
    path = tmp_path / "numbers.parquet"
    assert write_parquet(path, schema, batches) == 7 * size
    found = pq.read_table(path)["n"].to_pylist()
    assert found == [k for k in range(7) for _ in range(size)]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"source": None}, "column 'source' holds None"),
        ({"lhs": "X Y"}, "a label is empty or has brackets or spaces"),
        ({"source": "a [X,7]", "target": "b [X,1]"}, "do not have the same nonterminals"),
        ({"source": "a [X,0]", "target": "b [X,0]"}, "'[X,0]' is not a nonterminal"),
        ({"source": "a [X]", "target": "b [X]"}, "'[X]' is not a nonterminal"),
        ({"source": "[X,1] [X,1]", "target": "[X,1] [X,1]"}, "occurs twice on one side"),
        ({"target": ""}, "a side of the rule is empty"),
        ({"source": "a  b"}, "a word of the rule is empty"),
        ({"f0": float("inf")}, "column 'f0' holds inf"),
    ],
)
def test_rows_of_a_grammar_are_checked(changes, reason, tmp_path, capsys):
    schema = rule_schema(["p"])
    rows = [{"lhs": "X", "source": "a", "target": "b", "f0": 0.5}]
    rows += [{**rows[0], **changes}]
    path = tmp_path / "grammar.parquet"
    batch = pa.RecordBatch.from_pylist(rows, schema=schema)
    write_parquet(path, schema, [batch], {"kind": "grammar", "features": ["p"]})
    code, found = run(capsys, "grammar", "convert", path)
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}: row 2: ")
    assert reason in found.err


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("[X] ||| a [X,0] ||| b [X,0]", "is not a nonterminal"),
        ("[X] ||| a [X] ||| b [X]", "is not a nonterminal"),
        ("[X] ||| a ||| b ||| p=1 p=2", "the feature 'p' occurs twice"),
        ("[X] ||| a ||| b ||| 0=1 0=1", "the feature '0' occurs twice"),
    ],
)
def test_lines_of_a_grammar_are_checked(rule, reason, tmp_path, capsys):
    path = tmp_path / "grammar.txt"
    path.write_text(f"[X] ||| a ||| b\n{rule}\n")
    code, found = run(capsys, "grammar", "convert", path)
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}:2: ")
    assert reason in found.err
    if "nonterminal" in reason:  # the parser reads no features
        with pytest.raises(InputError, match=f"{path}:2: .*{reason}"):
            GrammarIndex.of(path)


def test_a_column_of_parquet_whose_name_is_not_utf8(grammar, capsys):
    data = grammar.read_bytes()
    grammar.write_bytes(data.replace(b"alignment", b"align\xeeent"))
    code, found = run(capsys, "grammar", "convert", grammar)
    assert code == 2
    assert found.err.startswith(f"otherwords: {grammar}: cannot be read as Parquet")


def test_a_page_of_parquet_that_is_passed_over(grammar, capsys):
    """The kind of a page is in its header, which no checksum covers."""
    data = bytearray(grammar.read_bytes())
    [place, *_] = [m.start() for m in re.finditer(rb"\x15\x00\x15.{1,3}\x15.{1,3}\x15", data, re.S)]
    data[place + 1] = 16  # a kind that there is not
    grammar.write_bytes(data)
    code, found = run(capsys, "grammar", "convert", grammar)
    assert code == 2
    assert found.err.startswith(f"otherwords: {grammar}: cannot be read as Parquet: ")
