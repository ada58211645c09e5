"""Damage, full disks and signals: nothing lost, nothing let in, nothing silently wrong."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest

from otherwords.errors import InputError
from otherwords.models.paraphrase_files import read_sets
from otherwords.study.agreement.human_scores import read_system_scores
from otherwords.study.studio.alignment import ALIGNMENT, AlignmentLog, AlignmentRow
from otherwords.study.studio.judgement import JUDGEMENT, PairToJudge, Task
from otherwords.study.studio.judgement_page import Session
from otherwords.study.studio.log import Log, read_log
from otherwords.study.studio.page import ConflictError
from tests.call_inputs import FILES
from tests.fuzz import seeds
from tests.fuzz.harness import Harness, Options, outcome
from tests.fuzz.readers import text_targets
from tests.test_damaged_tables import run


def command(*arguments):
    return [sys.executable, "-m", "otherwords", *map(str, arguments)]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 1 MB; making one needs rights that not everybody has."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_temporary_disk(small_disk, tmp_path):
    text = tmp_path / "grammar.txt"
    text.write_text("".join(f"[X] ||| a{k} b{k} ||| c{k} d{k} ||| p=1\n" for k in range(99_000)))
    call = ("grammar", "prune", text, "--at-least", "p=1", "--temporary", small_disk)
    done = subprocess.run(command(*call, "-o", tmp_path / "x.gz"), capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"otherwords: {small_disk}/")
    assert "cannot be written: No space left" in done.stderr
    assert list(small_disk.iterdir()) == []


def test_a_full_disk_for_the_output(small_disk, tmp_path):
    text = tmp_path / "grammar.txt"
    text.write_text("".join(f"[X] ||| a{k} b{k} ||| c{k} d{k}\n" for k in range(99_000)))
    output = small_disk / "out.txt"
    done = subprocess.run(
        command("grammar", "convert", text, "-o", output), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "cannot be written: No space left" in done.stderr
    assert list(small_disk.iterdir()) == []


def test_an_encoding_that_makes_half_characters(tmp_path, capsys):
    path = tmp_path / "set.xml"
    path.write_bytes(
        b"<?xml version='1.0' encoding='unicode_escape'?><dataset><doc><src><p><seg id='1'>"
        b"\\ud800</seg></p></src></doc></dataset>"
    )
    code, found = run(capsys, "score", "-m", "chrf", path)
    assert code == 2
    assert "names an encoding that this file cannot have: 'unicode_escape'" in found.err


def test_entities_are_refused_whatever_expat_allows(tmp_path, capsys):
    path = tmp_path / "set.xml"
    path.write_text("<?xml version='1.0'?>\n<!DOCTYPE d [<!ENTITY a 'x'>]>\n<dataset/>")
    code, found = run(capsys, "score", "-m", "chrf", path)
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}:2: this XML declares an entity")


def test_a_score_that_was_not_written_is_not_acknowledged(tmp_path):
    """A full disk, then the page asks again with the step that it knew before."""
    pairs = [PairToJudge(f"original {k}", f"paraphrase {k}") for k in range(2)]
    with Log(tmp_path / "judge.log", JUDGEMENT) as log:
        session = Session(log, "Ann", Task(tuple(pairs), ("adequacy",)))
        first = {"place": 0, "criterion": "adequacy", "score": 3, "step": 0}
        session.score(first)
        file, log._file = log._file, os.open("/dev/full", os.O_RDWR)
        with pytest.raises(InputError):
            session.score({**first, "place": 1, "step": 1})
        os.close(log._file)
        log._file = file
        with pytest.raises(ConflictError):
            session.score({**first, "place": 1, "step": 0})
        session.score({**first, "place": 1, "step": 1})
    assert [event.get("score") for event in read_log(tmp_path / "judge.log")][-2:] == [3, 3]


def test_a_link_that_was_not_written_is_not_acknowledged(tmp_path):
    """The same on the page of alignments."""
    links: dict[str, list[str]] = {"sure": [], "possible": []}
    row = AlignmentRow({"source": ["a", "b"], "target": ["c"], **links}, links)
    with Log(tmp_path / "align.log", ALIGNMENT) as log:
        found = AlignmentLog(log.events, log.path)
        found.add_rows([row], log)
        first = {"row": 0, "step": 0, "cells": [[0, 0, "sure"]]}
        found.write(log, "set", "ann", first)
        file, log._file = log._file, os.open("/dev/full", os.O_RDWR)
        with pytest.raises(InputError, match="nothing is saved"):
            found.write(log, "set", "ann", {**first, "step": 1, "cells": [[1, 0, "sure"]]})
        os.close(log._file)
        log._file = file
        assert found.work("ann", 0).step == 1
        with pytest.raises(ConflictError):
            found.write(log, "set", "ann", {**first, "cells": [[1, 0, "sure"]]})
        found.write(log, "set", "ann", {**first, "step": 1, "cells": [[1, 0, "sure"]]})
    again = AlignmentLog(read_log(tmp_path / "align.log"), "align.log").work("ann", 0)
    assert again.marks == {(0, 0): "sure", (1, 0): "sure"}


# What fuzzing found


def test_a_carriage_return_in_the_first_line(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_bytes(b",\rs\n")
    assert run(capsys, "validate", path)[0] == 1
    code, found = run(capsys, "score", "-m", "chrf", "--rows", path)
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}:1: ")


def test_an_arpa_file_with_a_logarithm_that_is_none(tmp_path, capsys):
    path, text = tmp_path / "lm.arpa", tmp_path / "text.txt"
    path.write_text(seeds.ARPA.replace("-0.2218\n", "1e9\n"))
    text.write_text("the ship\n")
    code, found = run(capsys, "lm", "query", path, text)
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}: 'weights_1' holds a logarithm")
    path.write_text("")
    assert f"{path}:1: no" in run(capsys, "lm", "query", path, text)[1].err


@pytest.mark.parametrize(
    "word", [b"\xed\xa0\x80", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xf4\x90\x80\x80"]
)
def test_an_arpa_file_with_bytes_that_only_look_like_utf8(word, tmp_path, capsys):
    """Half of a surrogate pair, longer forms than needed, numbers beyond Unicode."""
    path, text = tmp_path / "lm.arpa", tmp_path / "text.txt"
    path.write_bytes(seeds.ARPA.encode().replace(b"\tship\t", b"\t" + word + b"\t"))
    text.write_text("the ship\n")
    code, found = run(capsys, "lm", "query", path, text)
    assert code == 2
    assert found.err == f"otherwords: {path}:12: a word is not UTF-8\n"


def test_sets_that_are_empty(tmp_path):
    path = tmp_path / "sets.tsv"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="there is no paraphrase set"):
        read_sets(path)


def test_seeds_of_the_fuzzer_are_sound(tmp_path):
    """Else it would only test what is refused at once."""
    for target in text_targets():
        for seed in target.make.keywords["seeds"]:
            assert outcome(target, seed, tmp_path)[0] == "accepted" or target.name == "logs"


def test_a_crash_of_native_code_is_survived():
    """The child process of the fuzzer dies of one input; the inputs after it are run."""
    harness = Harness(Options(limit=False, hang=1, module="tests.fuzz.dying"))
    tallies = harness.run(inputs=40, slice_cpu=0.001)
    assert {one.what for one in tallies["dies"].failures} == {"SIGSEGV"}
    assert tallies["dies"].failures[0].number == 3
    assert [one.what for one in tallies["hangs"].failures][:1] == ["more than 1 s of CPU time"]
    assert harness.inputs >= 40


@pytest.mark.parametrize("format", ["jsonl", "json", "csv", "parquet"])
def test_convert_writes_no_infinity(format, tmp_path, capsys):
    path, output = tmp_path / "rows.jsonl", tmp_path / f"out.{format}"
    path.write_text('{"hypothesis": "a"}\n{"hypothesis": "b", "mine": Infinity}\n')
    code, found = run(capsys, "convert", path, "-o", output)
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}:2: a field holds NaN or an infinity")
    assert list(tmp_path.iterdir()) == [path]


def test_half_a_character_in_a_log(tmp_path, capsys):
    path = tmp_path / "align.log"
    path.write_text(FILES["align.log"].replace('"early"', '"\\ud800"', 1))
    code, found = run(capsys, "studio", "export", "--log", path, "--annotator", "ann")
    assert code == 2
    assert found.err.startswith(f"otherwords: {path}:2: this is no event of a log of the studio")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"scale": [1, 5]', '"scale": [1.0, 5]'),
        ('"scale": [1, 5]', '"scale": [true, 5]'),
        ('"seed": 0', '"seed": "0"'),
        ('"score": 4', '"score": 4.0'),
        ('"score": 4', '"score": true'),
        ('"pair": 1', '"pair": true'),
    ],
)
def test_numbers_of_a_log_of_judgements(before, after, tmp_path, capsys):
    path = tmp_path / "judge.log"
    log = FILES["judge.log"]
    assert before in log
    path.write_text(log.replace(before, after))
    for command in (["export", "--log", path], ["judges", path]):
        code, found = run(capsys, "studio", *command)
        assert code == 2
        assert found.err.startswith(
            (f"otherwords: {path}: a damaged ", f"otherwords: {path}: a judgement ")
        )
        assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{" + '"a": [' * 5000, "this is not JSON"),
        ('{"p": 1' + "0" * 400 + "}", "must be from -1e9 to 1e9"),
        ('{"p": NaN}', "must be a number"),
        ('{"p": true}', "must be a number"),
        ("{}", "there are no weights here"),
    ],
)
def test_weights_that_are_none(content, reason, tmp_path, capsys):
    for name in ("text.txt", "hiero.txt"):
        (tmp_path / name).write_text(FILES[name])
    (tmp_path / "lm.arpa").write_text(seeds.ARPA)
    weights = tmp_path / "weights.json"
    weights.write_text(content)
    model = ["-g", tmp_path / "hiero.txt", "--lm", tmp_path / "lm.arpa", "-w", weights]
    for command in ("paraphrase", "compress"):
        code, found = run(capsys, command, tmp_path / "text.txt", *model)
        assert code == 2
        assert found.err.startswith(f"otherwords: {weights}: ")
        assert reason in found.err
        assert found.err.count("\n") == 1


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\u202eb", "a\udcffb"])
def test_names_of_files_that_break_lines(name, tmp_path, capsys, monkeypatch):
    """One line, whatever a file is called; nothing in it steers a terminal."""
    monkeypatch.chdir(tmp_path)
    for arguments in (["tokenize", name], ["score", "-m", "chrf", name, "-r", name], [name]):
        code, found = run(capsys, *arguments)
        assert code == 2
        assert found.err.startswith("otherwords: ")
        assert found.err.count("\n") == 1
        assert found.err.rstrip("\n").isprintable()


def test_output_that_is_no_file(tmp_path, monkeypatch, capsys):
    """An error of the system does not need a descriptor of standard output."""
    text = tmp_path / "text.txt"
    text.write_text("It rains.\n")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert run(capsys, "tokenize", text, "-o", tmp_path / ("x" * 300))[0] == 2


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\u2028b", "a\x85b"])
def test_names_inside_files_that_break_lines(name, tmp_path, capsys):
    """Errors of the library are one line too, whatever a system or a column is called."""
    path = tmp_path / "systems.json"
    path.write_text(json.dumps({name: "none", "free": 2}))
    with pytest.raises(InputError) as caught:
        read_system_scores(path)
    assert str(caught.value).isprintable()
    assert "not a number" in str(caught.value)


@pytest.mark.parametrize("wrong", [["a"], {"a": 1}, None, 3, "\ud800"])
@pytest.mark.parametrize("place", ["control", "item", "doc", "source", "systems", "references"])
def test_a_log_of_judgements_with_other_types(place, wrong, tmp_path, capsys):
    path = tmp_path / "judge.log"
    first, *rest = FILES["judge.log"].splitlines()
    for number, line in enumerate(rest):
        event = json.loads(line)
        if event["kind"] != "pair":
            continue
        if place == "control":
            event[place] = wrong
        else:
            event["origins"][0][place] = [wrong] if place == "systems" else wrong
        rest[number] = json.dumps(event)
    path.write_text("\n".join([first, *rest]) + "\n")
    for command in (["export", "--log", path], ["judges", path]):
        code, found = run(capsys, "studio", *command)
        if code:
            assert found.err.startswith(f"otherwords: {path}"), found.err
            assert found.err.count("\n") == 1


def test_a_log_of_judgements_of_no_system(tmp_path, capsys):
    path = tmp_path / "judge.log"
    lines = FILES["judge.log"].splitlines()
    place = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == "pair")
    event = json.loads(lines[place])
    event["origins"][0]["systems"] = []
    lines[place] = json.dumps(event)
    path.write_text("\n".join(lines) + "\n")
    for command in (["export", "--log", path], ["judges", path]):
        code, found = run(capsys, "studio", *command)
        assert code == 2
        assert found.err.startswith(f"otherwords: {path}: a damaged ")
        assert found.err.count("\n") == 1


def test_a_directory_as_the_output(tmp_path, capsys):
    """A name with a slash at its end is no file, above all not one that is there."""
    rules, old = tmp_path / "rules.txt", tmp_path / "old"
    rules.write_text(seeds.RULES)
    old.write_text("kept")
    for command in (["convert"], ["prune", "--rank-by", "p", "--top", "1"]):
        for name in ("old/", "new/"):
            arguments = [*command, rules, "-o", f"{tmp_path}/{name}"]
            code, found = run(capsys, "grammar", *arguments)
            assert code == 2, arguments
            assert found.err.startswith(f"otherwords: {tmp_path}/{name}: ")
    assert sorted(tmp_path.iterdir()) == [old, rules]
    assert old.read_text() == "kept"


@pytest.mark.parametrize("format", ["text", "jsonl", "tsv", "json"])
def test_a_source_without_candidates_is_reported(format, tmp_path, capsys):
    """Rows of candidates have none of it, so that it would be missing silently."""
    path = tmp_path / "candidates.jsonl"
    sources = {"kept": ["He paid 2 euros ."], "gone": ["He paid 3 euros .", "He paid 4 euros ."]}
    rows = [{"source": "He paid 2 euros .", "id": k, "candidates": v} for k, v in sources.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, found = run(capsys, "rank", path, "-m", "pinc", "--no-contradictions", "-f", format)
    assert code == 0
    assert found.err == "all candidates contradict the source and are left out: 'gone'\n"
