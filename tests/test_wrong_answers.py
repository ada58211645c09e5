"""Inputs that once gave a wrong answer with exit code 0."""

from __future__ import annotations

import gzip
import json
import os
import threading
import unicodedata
from pathlib import Path

import pytest

import otherwords
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.parallel import read_blocks
from otherwords.corpus.rows import Row
from otherwords.corpus.validation import validate_files
from otherwords.errors import InputError, NormalFormWarning, UsageError
from otherwords.io import files

REFERENCES = ["The cat sat on the mat.", "A dog barked.", "It rained all day long."]
OTHERS = ["Prices rose by a third.", "The bank was closed.", "Nobody knew the answer."]


def write_rows(path: Path, *systems: tuple[str, list[str], list[str]]) -> Path:
    lines = [
        json.dumps(
            {
                "system": name,
                "item": str(n),
                "hypothesis": text,
                "references": [reference],
                "human": {"da": n},
            }
        )
        for name, texts, references in systems
        for n, (text, reference) in enumerate(zip(texts, references, strict=True))
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


# Pairs of segments that are not the same


@pytest.fixture
def unlike(tmp_path):
    """Two perfect systems, each by its own references."""
    return write_rows(tmp_path / "rows.jsonl", ("a", REFERENCES, REFERENCES), ("b", OTHERS, OTHERS))


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "-m", "chrf", "--rows"],
        ["score", "-m", "chrf", "--paired", "randomization", "--rows"],
        ["report", "-m", "chrf", "-o", "report.html"],
        ["meta", "--human", "da", "--rows"],
    ],
)
def test_segments_with_other_references_are_not_paired(unlike, command, refused):
    said = refused(*command, unlike)
    assert "the segment '0' of " in said
    assert "has other references or another source" in said


def test_validate_finds_segments_with_other_references(unlike):
    findings = validate_files([unlike]).findings
    assert [(one.code, one.line) for one in findings if one.code == "W520"] == [
        ("W520", 4),
        ("W520", 5),
        ("W520", 6),
    ]


def test_systems_with_other_references_are_not_compared():
    systems = {
        name: [Row(text, (text,), None, name, str(n)) for n, text in enumerate(texts)]
        for name, texts in (("one", REFERENCES), ("other", OTHERS))
    }
    with pytest.raises(InputError, match="other references"):
        otherwords.compare("chrf", systems)


def test_systems_are_compared_by_segment():
    """Every one of ten segments is a little better: p is 2 / 2^10 however the rows are ordered."""
    references = [" ".join("abcdefghij"[: n + 1]) for n in range(10)]
    good = [Row(text, (text,), None, "good", text) for text in references]
    worse = [Row(f"{text} x", (text,), None, "worse", text) for text in references[::-1]]
    found = otherwords.compare("mup", {"good": good, "worse": worse}, any_language=True)
    assert found["good", "mup"].p < 0.01


# Values that have two readings


def test_a_key_twice_is_refused(tmp_path, refused):
    row = '{"hypothesis": "a cat", "references": ["the cat"], "hypothesis": "the cat"}'
    (tmp_path / "rows.jsonl").write_text(f"{row}\n")
    (tmp_path / "rows.json").write_text(f"[{row}]\n")
    (tmp_path / "rows.csv").write_text('hypothesis,human\na,"{""da"": 1, ""da"": 2}"\n')
    for name, line, key in [
        ("jsonl", 1, "hypothesis"),
        ("json", 1, "hypothesis"),
        ("csv", 2, "da"),
    ]:
        said = refused("score", "-m", "mup", "--rows", tmp_path / f"rows.{name}")
        assert f"rows.{name}:{line}: the key '{key}' is there twice" in said
        findings = validate_files([tmp_path / f"rows.{name}"]).findings
        assert "E215" in {one.code for one in findings}


@pytest.mark.parametrize("cell", ["1_0", "١٠", "１０"])
def test_numbers_have_ascii_digits(cell, tmp_path, refused):
    (tmp_path / "rows.csv").write_text(f"hypothesis,reference,human.da\na,b,{cell}\n")
    assert "da" in refused("score", "-m", "mup", "--rows", tmp_path / "rows.csv")
    (tmp_path / "scores.seg.score").write_text(f"one {cell}\n")
    with pytest.raises(InputError, match="not a number"):
        read_blocks(str(tmp_path / "scores.seg.score"))
    with pytest.raises(UsageError):
        otherwords.gate("mup", ["a"], ["a"], rules=otherwords.Rules(fail_under=f"mup={cell}"))


def test_a_quoted_cell_with_tab_and_line_end_is_not_two_rows(tmp_path, refused):
    """As pandas writes the row ("x<TAB>y<LF>z", "w"): both lines have two cells."""
    path = tmp_path / "rows.tsv"
    path.write_text('hypothesis\treference\n"x\ty\nz"\tw\n')
    assert "rows.tsv:2: is this a quoted cell" in refused("score", "-m", "mup", "--rows", path)
    path.write_text('hypothesis\treference\n"x\ty\nz" v\tw\n')  # text after the quote: no CSV
    assert len(list(read_rows(path))) == 2


@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "a\0b", "\r"])
@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out/"])
def test_convert_writes_only_what_it_reads(text, name, tmp_path, refused):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"hypothesis": text, "references": ["c"]}) + "\n")
    assert "rows.jsonl:1:" in refused("convert", path, "-o", f"{tmp_path}/{name}")
    assert not (tmp_path / name).exists()


def test_other_normal_forms_are_reported_once(tmp_path, run):
    composed, split = "Café Müller", unicodedata.normalize("NFD", "Café Müller")
    (tmp_path / "a.txt").write_text(f"{split}\n")
    (tmp_path / "b.txt").write_text(f"{composed}\n")
    command = ["score", "-m", "chrf,mup", "--any-language", "-r", tmp_path / "b.txt"]
    code, _, said = run(*command, tmp_path / "a.txt")
    assert (code, said.count("normal form C")) == (0, 1)
    assert run(*command, tmp_path / "b.txt")[2] == ""
    with pytest.warns(NormalFormWarning):
        otherwords.score("chrf", [split], references=[composed])


# Files that unpack to far more than their size


@pytest.fixture
def bomb(tmp_path):
    """A few kB that unpack to one line of 4 MB."""
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"a" * (4 << 20)))
    return path


COMMANDS = {
    "score": ["score", "-m", "mup", "-r"],
    "compare": ["compare", "-m", "mup", "-r", "BOMB", "one=BOMB"],
    "validate": ["validate"],
    "convert": ["convert", "-o", "out.jsonl"],
    "tag": ["tag"],
    "tokenize": ["tokenize"],
    "estimate": ["lm", "estimate", "-o", "out.owm"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_gzip_bomb_is_refused_early(command, bomb, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    words = [word.replace("BOMB", str(bomb)) for word in COMMANDS[command]]
    texts = [bomb, *([bomb] if command == "score" else [])]
    code, out, err = run("--max-line", "1", *words, *texts)
    assert code == (1 if command == "validate" else 2)
    assert "a line of more than 1,048,576 bytes" in out + err


def test_limits_are_options(tmp_path, run, refused, monkeypatch):
    path = tmp_path / "long.txt"
    path.write_text("a " * (1 << 20) + "\n")
    command = ["validate", path]
    assert run(*command)[0] == 0
    code, out, _ = run("--max-line", "1", *command)
    assert (code, "long.txt:1: E107 a line of more than 1,048,576 bytes" in out) == (1, True)
    assert run(*command)[0] == 0  # the limit was for one command
    monkeypatch.setattr(files, "_SMALL", 1 << 16)
    packed = tmp_path / "many.txt.gz"
    packed.write_bytes(gzip.compress(b"a b c d\n" * (1 << 16)))  # 260 to 1
    convert = ["convert", packed, "-o", tmp_path / "out.jsonl"]
    assert "more than 200 times its size" in refused(*convert)
    assert run("--max-ratio", "999", *convert)[0] == 0
    with pytest.raises(InputError, match="200 times"):
        files.read_bytes(packed)


# Arguments of the library


def test_iterators_are_read_once_for_all_systems_and_metrics():
    two = {"one": REFERENCES, "two": OTHERS}
    listed = otherwords.compare(["mup", "chrf"], two, REFERENCES)
    read = otherwords.compare(["mup", "chrf"], two, iter(REFERENCES))
    assert read["one", "chrf"].scores == listed["one", "chrf"].scores
    both = otherwords.score(["mup", "chrf"], iter(OTHERS), iter(REFERENCES))
    assert both["chrf"].corpus == listed["one", "chrf"].scores[1]
    rules = otherwords.Rules(min_delta="mup=0")
    result = otherwords.gate("mup", REFERENCES, iter(REFERENCES), rules=rules, baseline=OTHERS)
    assert result.passed


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: otherwords.rank([("a", ["b"])], ["mup", "chrf"]), "one metric, not by 2"),
        (lambda: otherwords.gate("mup", ["a"], ["a"], rules=None), "rules must be Rules, not None"),
        (lambda: otherwords.score("mup", ["a"], ["a"], sampling=5), "must be a Sampling, not 5"),
        (lambda: otherwords.compare("mup", [["a"], ["b"]], ["a"], sampling=5), "a Sampling, not 5"),
        (lambda: otherwords.Rules(sampling=5), "must be a Sampling, not 5"),
        (lambda: otherwords.score(["mup"], ["a"], ["a"])["foo"], "there is no result of 'foo'"),
        (lambda: otherwords.compare("mup", [["a"], ["b"]], ["a"])["x", "mup"], "no result of"),
    ],
)
def test_wrong_arguments_are_one_line(call, message):
    with pytest.raises(UsageError, match=message):
        call()


def test_a_result_is_a_mapping():
    results = otherwords.score(["mup"], ["a"], ["a"])
    assert ("foo" in results, results.get("foo")) == (False, None)


def test_names_of_metrics_may_have_spaces(tmp_path, ok, refused):
    (tmp_path / "a.txt").write_text("a cat\n")
    files = ["-r", tmp_path / "a.txt", tmp_path / "a.txt"]
    assert ok("score", "-m", "mup chrf", *files) == ok("score", "-m", "mup,chrf", *files)
    said = refused("score", "-m", "chrf", "--set", "case=true", "--set", "case=false", *files)
    assert "there are two settings of case" in said


# Pipes


def test_rows_from_a_pipe_are_read_once(tmp_path, ok):
    rows = write_rows(tmp_path / "rows.jsonl", ("a", OTHERS, REFERENCES))
    command = ["meta", "--human", "da", "-m", "chrf", "--rows"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(rows.read_text()), daemon=True)
    writer.start()
    assert ok(*command, pipe) == ok(*command, rows)
    writer.join()


# Other languages, and nothing


@pytest.mark.parametrize("metric", ["otherwords-mt", "chrf"])
def test_english_for_a_reference_in_another_language_is_counted(tmp_path, run, metric):
    (tmp_path / "ref").write_text("Der Hund ist nicht da und die Katze auch nicht.\nWir sind da.\n")
    (tmp_path / "sys").write_text("The dog is not here and the cat is gone too.\nWir sind hier.\n")
    code, _, err = run("score", tmp_path / "sys", "-r", tmp_path / "ref", "-m", metric)
    assert code == 0
    assert "1 of 2 outputs no rewrite of the original (language 1)" in err
    assert "sys:1: the output is English, the original is not" in err


def test_a_translation_is_not_in_the_language_of_its_source(tmp_path, run):
    (tmp_path / "ref").write_text("The dog is not here and the cat is gone too.\n")
    (tmp_path / "src").write_text("Der Hund ist nicht da und die Katze auch nicht.\n")
    (tmp_path / "sys").write_text("The dog is not there and neither is the cat.\n")
    texts = (tmp_path / "sys", "-r", tmp_path / "ref", "-s", tmp_path / "src")
    code, _, err = run("score", *texts, "-m", "chrf")
    assert (code, "no rewrite" in err) == (0, False)


@pytest.mark.parametrize("texts", [("", ""), (" ", "She left."), ("-r", "", "She left.")])
def test_nothing_is_no_original_to_try(refused, texts):
    assert "is empty; there is nothing to compare with" in refused("try", *texts)


def test_a_table_explains_its_star_once(tmp_path, ok):
    systems = [(name, REFERENCES, REFERENCES) for name in "abc"]
    out = ok("compare", "-m", "chrf", "--rows", write_rows(tmp_path / "rows.jsonl", *systems))
    assert out.count("* below 0.05") == 1
