"""Messages for a new user: each names the cause and the next step, and blames the right file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import otherwords
from otherwords import InputError, UsageError
from otherwords.corpus.parallel import read_parallel

EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
REFERENCE, CAREFUL, LITERAL = (
    str(EXAMPLES / f"{name}.txt") for name in ("reference", "careful", "literal")
)


def write(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_a_metric_without_references_names_the_option(refused, tmp_path):
    said = refused("score", "-m", "chrf", CAREFUL)
    assert "chrf needs a reference, and this segment has none; give references" in said
    assert "(on the command line: -r FILE)" in said
    assert "sources (on the command line: -s FILE)" in refused(
        "score", "-m", "otherwords-rewrite", CAREFUL
    )
    rows = write(tmp_path / "rows.jsonl", json.dumps({"hypothesis": "a b"}))
    assert '"references"' in refused("score", "-m", "chrf", "--rows", rows)
    assert '"source"' in refused("score", "-m", "otherwords-rewrite", "--rows", rows)
    both = write(tmp_path / "both.jsonl", json.dumps({"hypothesis": "a b", "source": "a c"}))
    assert "against=source" in refused("score", "-m", "chrf", "--rows", both)


def test_a_missing_file_brings_the_nearest_name(refused, tmp_path):
    there = write(tmp_path / "reference.txt", "one")
    said = refused("score", "-m", "chrf", "-r", tmp_path / "refrence.txt", CAREFUL)
    assert f"refrence.txt: there is no such file; did you mean '{there}'?" in said
    said = refused("score", "-m", "chrf", "-r", tmp_path / "none" / "reference.txt", CAREFUL)
    assert f"there is no such file: there is no folder {tmp_path / 'none'}" in said
    said = refused("score", "-m", "chrf", "-r", tmp_path / "x.jsonl.bz2", CAREFUL)
    assert said.rstrip().endswith("x.jsonl.bz2: there is no such file")


def test_a_missing_file_that_is_there_in_gzip(monkeypatch, tmp_path):
    (tmp_path / "rows.gz").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"did you mean 'rows.gz'\?"):
        list(read_parallel(["rows"]))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"hypothesis": "a', 'a string is not closed, from "a'),
        ('{"hypothesis": "a" "source": "b"}', 'Expecting \',\' delimiter before "source": "b"}'),
        ('{"hypothesis": }', "a value is missing before }"),
        ('{"hypothesis": "a\tb"}', "a control character inside a string"),
        ('{"hypothesis": "a\\qb"}', "a backslash that starts no escape; write it twice: \\\\"),
        ('{"hypothesis": "a"} x', "text after the end of the object: x"),
        ("{'hypothesis': 'a'}", "Expecting property name enclosed in double quotes before 'hyp"),
    ],
)
def test_the_reason_of_a_json_error_is_whole(refused, tmp_path, text, reason):
    rows = write(tmp_path / "rows.jsonl", '{"hypothesis": "a", "source": "b"}', text)
    assert reason in refused("score", "-m", "otherwords-rewrite", "--rows", rows)


def test_the_reason_in_a_json_array(refused, tmp_path):
    rows = write(
        tmp_path / "rows.json", '[{"hypothesis": "a", "references": ["a"]},', '{"hypothesis": "b]'
    )
    assert f'{rows}:2:16: not JSON: a string is not closed, from "b]' in refused(
        "score", "-m", "chrf", "--rows", rows
    )


def test_an_empty_file_is_called_empty(refused, tmp_path):
    empty = write(tmp_path / "empty.txt")
    said = refused("score", "-m", "chrf", "-r", empty, CAREFUL)
    assert f"{empty}: this file is empty, but {CAREFUL} has 20 segments" in said


def counts(tmp_path, *sizes):
    """The error for files named a, b, ... with so many lines; the first is the reference."""
    names = [write(tmp_path / name, *"x" * size) for name, size in zip("abcd", sizes, strict=False)]
    with pytest.raises(InputError) as found:
        list(read_parallel(names[1:], names[:1]))
    return str(found.value).replace(f"{tmp_path}/", "")


def test_the_file_that_differs_from_all_others_is_named(tmp_path):
    assert counts(tmp_path, 3, 2, 2) == (
        "a:3: this file has 3 segments, but b and c have 2: line 3 is one too many"
    )
    assert counts(tmp_path, 2, 2, 4, 2) == (
        "c:3: this file has 4 segments, but b, d and a have 2: line 3 is one too many"
    )
    assert counts(tmp_path, 2, 1, 2) == (
        "b:2: this file has 1 segment, but c and a have 2: line 2 is missing "
        "(an empty segment is an empty line)"
    )


def test_of_two_files_neither_is_blamed(tmp_path):
    said = (
        "b:3: this file has 2 segments, but a has 3: line 3 is missing here or one too many there"
    )
    assert counts(tmp_path, 3, 2) == said
    assert counts(tmp_path, 1, 1, 2, 2).startswith(
        "b:2: this file has 1 segment, but c has 2: line 2 is missing here or one too many there"
    )


def test_a_gate_that_writes_a_file_says_that_it_failed(run, tmp_path):
    out = tmp_path / "found.md"
    argv = ["gate", CAREFUL, "-r", REFERENCE, "-m", "chrf", "-o", out]
    code, printed, said = run(*argv, "--fail-under", "chrf=99")
    assert (code, printed) == (1, "")
    assert said == f"Gate failed (1 of 1 checks): careful, 20 segments; see {out}\n"
    assert run(*argv, "--fail-under", "chrf=50") == (0, "", "")


def test_combine_asks_for_the_trained_file(refused):
    said = refused("score", "-m", "combine", "-r", REFERENCE, CAREFUL)
    assert "combine needs a file that `otherwords train combine` wrote: --set model=FILE" in said
    assert "otherwords-mt" in said
    with pytest.raises(UsageError, match="combine needs a file"):
        otherwords.score("combine", ["a"], ["a"])
    assert otherwords.score("combine", ["a"], ["a"], model="otherwords-mt").corpus == 1.0


def test_python_and_the_command_compare_by_the_same_test(ok):
    systems = {
        name: Path(path).read_text(encoding="utf-8").splitlines()
        for name, path in (("literal", LITERAL), ("careful", CAREFUL))
    }
    references = Path(REFERENCE).read_text(encoding="utf-8").splitlines()
    found = otherwords.compare("chrf", systems, references=references)["literal", "chrf"]
    printed = ok("compare", LITERAL, CAREFUL, "-r", REFERENCE, "-m", "chrf", "-f", "json")
    p = json.loads(printed)["corpus"][0]["difference"]["comparison"]["p"]
    assert found.p == p
