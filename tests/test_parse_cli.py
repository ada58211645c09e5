"""`otherwords parse`: brackets out, trees from elsewhere, scores against gold."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import sys
import threading
import time

import pytest

from otherwords.build.trees.parser import Parser, check_trees, parse_files
from otherwords.build.trees.tree import parse_tree, parse_trees
from otherwords.text.sentence import Sentence

TEXT = "The cats sleep.\n\nGo (now)!\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def brackets(tmp_path):
    def written(content, name="trees.mrg"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return written


@pytest.fixture
def command(tmp_path):
    """A parser command: a Python program that reads sentences and prints brackets."""

    def written(program):
        path = tmp_path / "their_parser.py"
        path.write_text("import sys\n" + program)
        return shlex.join([sys.executable, str(path)])

    return written


FLAT = """
for line in sys.stdin:
    words = [w.replace("(", "-LRB-").replace(")", "-RRB-") for w in line.split()]
    print("(X " + " ".join(f"(T {w})" for w in words) + ")")
"""


def test_a_tree_a_line(ok, text):
    lines = ok("parse", text).splitlines()
    assert [parse_tree(line).words for line in lines] == [
        ("The", "cats", "sleep", "."),
        (),
        ("Go", "(", "now", ")", "!"),
    ]
    assert lines == [str(tree) for tree in Parser.load().parse(TEXT.splitlines())]


def test_standard_input_threads_and_files(ok, text, tmp_path, monkeypatch):
    class Piped:
        buffer = io.BufferedReader(io.BytesIO(TEXT.encode()))

    monkeypatch.setattr(sys, "stdin", Piped)
    out = tmp_path / "out.mrg"
    assert ok("parse", "--threads", 2) == ok("parse", text)
    assert ok("parse", text, "-o", out) == ""
    assert out.read_text() == ok("parse", text)


def test_pretty_trees_are_the_same_trees(ok, text):
    pretty = ok("parse", text, "--pretty")
    assert "\n  " in pretty
    plain = ok("parse", text)
    assert list(parse_trees(pretty.split("\n"))) == list(parse_trees(plain.split("\n")))


def test_tokenised_text_is_taken_as_it_is(ok, brackets):
    path = brackets("can't .\n", "tokens.txt")
    assert parse_tree(ok("parse", path, "--tokenizer", "none")).words == ("can't", ".")


def test_many_sentences_come_in_order(ok, brackets):
    lines = [f"Word {number} works ." for number in range(2500)]
    out = ok("parse", brackets("\n".join(lines) + "\n", "many.txt"), "--threads", 2)
    assert [" ".join(parse_tree(line).words) for line in out.splitlines()] == lines


# Trees from elsewhere


def test_a_command_parses_instead(ok, text, command):
    lines = ok("parse", text, "--parser", command(FLAT)).splitlines()
    assert lines == [
        "(X (T The) (T cats) (T sleep) (T .))",
        "(ROOT)",
        "(X (T Go) (T -LRB-) (T now) (T -RRB-) (T !))",
    ]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("sys.exit('no model')", "failed with code 1: no model"),
        ("print('(X (T The))')", "1 trees for 3 sentences"),
        ("print('parsing...')", "nothing but brackets"),
        ("print('(X (T a))\\n(X (T b))')", "word 1 is 'a' in the tree and 'The' in the text"),
        ("sys.stdout.buffer.write(b'\\xff')", "not UTF-8"),
    ],
)
def test_commands_that_fail_are_reported(refused, text, command, program, message):
    assert message in refused("parse", text, "--parser", command(program))


@pytest.mark.parametrize("name", ["no-such-parser-here", "", "'unclosed"])
def test_commands_that_are_none_are_refused(refused, text, name):
    assert "parser" in refused("parse", text, "--parser", name)


GOOD = "(S (NP (DT The) (NNS cats)) (VP (VBP sleep))\n (. .))\n(S (VB Go) (X -LRB-) (RB now) (X )))"


def test_a_file_of_brackets_is_checked_against_the_text(run, ok, text, brackets):
    good = brackets(GOOD.replace("(X ))", "(X -RRB-) (. !)"))
    assert ok("parse", text, "--trees", good).splitlines()[1] == "(ROOT)"
    bad = brackets(
        "(S (NP (DT The) (NNS cats)) (VP (VBP sleep))\n (. .))\n()\n(S (VB Go) (RB then))\n"
    )
    code, out, err = run("parse", text, "--trees", bad)
    assert (code, err) == (1, "")
    assert out == f"{bad}:4: word 2 is 'then' in the tree and '(' in the text\n"


def test_all_mismatches_are_reported_and_nothing_is_written(run, brackets, tmp_path):
    text = brackets("a b\nc\nd\n", "text.txt")
    trees = brackets("(X (T a))\n(X (T c))\n(X (T e))\n")
    out = tmp_path / "out.mrg"
    code, printed, _ = run("parse", text, "--trees", trees, "-o", out)
    assert code == 1
    assert [line.split(":")[-2] for line in printed.splitlines()] == ["1", "3"]
    assert not out.exists()


def test_the_number_of_trees_must_be_that_of_the_sentences(run, text, brackets):
    code, out, _ = run("parse", text, "--trees", brackets("(X (T a))"))
    assert (code, "1 trees for 3 sentences (2 with words)" in out) == (1, True)


def test_escapes_are_no_mismatch():
    sentence = Sentence.from_tokens(['"', "1/2", "("])
    tree = parse_tree("(X (`` ``) (CD 1\\/2) (-LRB- -LRB-))")
    assert check_trees([(tree, 1)], [sentence])[1] == []


# Scores


GOLD = """(ROOT (S (NP-SBJ (DT The) (NNS cats)) (VP (VBP sleep)) (. .)))
(ROOT (NP (NN tea)))
"""


def test_scores_of_a_file_against_gold(ok, brackets):
    gold = brackets(GOLD, "gold.mrg")
    flat = brackets("(S (DT The) (NN cats) (VP (VBP sleep)) (. .))\n(NP (NN tea))\n")
    shown = json.loads(ok("parse", "--trees", flat, "--gold", gold, "--format", "json"))
    assert shown["counts"]["matched"] == 3  # S, VP and NP of the four in gold
    assert shown["scores"] == {
        "precision": 1.0,
        "recall": 0.75,
        "f1": pytest.approx(6 / 7),
        "tags": 0.75,
        "exact": 0.5,
    }
    assert shown["settings"]["equal"] == {"PRT": "ADVP"}


def test_without_text_the_words_of_gold_are_parsed(ok, brackets):
    gold = brackets(GOLD, "gold.mrg")
    shown = ok("parse", "--gold", gold).splitlines()
    assert shown[0].split() == ["precision", "recall", "f1", "tags", "exact"]
    assert shown[3].startswith("2 sentences, 4 gold")
    assert "function labels ignored" in shown[4]


def test_settings_are_explicit(ok, brackets):
    gold = brackets("(VP (VB go) (PRT-X (RP on)) (. .))", "gold.mrg")
    guess = brackets("(VP (VB go) (ADVP (RP on) (. .)))")

    def matched(*options):
        command = ("parse", "--trees", guess, "--gold", gold, "-f", "json", *options)
        return json.loads(ok(*command))["counts"]["matched"]

    assert matched() == 2
    assert matched("--equal", "") == 1
    assert matched("--punctuation", "") == 1
    assert matched("--functions") == 1
    assert matched("--functions", "--equal", "PRT-X=ADVP") == 2


def test_the_text_must_be_that_of_gold(refused, brackets):
    gold = brackets(GOLD, "gold.mrg")
    text = brackets("The dogs sleep.\ntea\n", "text.txt")
    assert "gold.mrg:1: word 2" in refused("parse", text, "--gold", gold)
    short = brackets("The cats sleep.\n", "short.txt")
    assert "2 gold trees but 1 sentences" in refused("parse", short, "--gold", gold)


# Mistakes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--equal", "PRT", "--gold", "{gold}"], "A=B"),
        (["--tokenizer", "moses"], "unknown tokenizer"),
        (["--parser", "cat", "--trees", "{gold}"], "give only one of"),
        (["--gold", "missing.mrg"], "no such file"),
        (["--punctuation", "."], "--punctuation does nothing without"),
        (["--functions"], "--functions does nothing without"),
        (["-f", "json"], "--format does nothing without"),
        (["--trees", "{bad}"], "bad.mrg:2"),
        (["--gold", "{bad}"], "bad.mrg:2"),
        (["--model", "{gold}"], "not an otherwords model"),
        (["--model", "missing.owm"], "no such file"),
        (["-o", "{text}"], "both read and written"),
    ],
)
def test_mistakes_are_reported(refused, text, brackets, options, message):
    paths = {
        "text": str(text),
        "gold": str(brackets(GOLD, "gold.mrg")),
        "bad": str(brackets("(NN tea)\n(NP (NN", "bad.mrg")),
    }
    assert message in refused("parse", text, *(option.format(**paths) for option in options))


def test_standard_input_is_read_once(refused, text):
    for options in (["--trees", "-"], [text, "--trees", "-", "--gold", "-"], ["-", "-"]):
        assert "only once" in refused("parse", *options)


def test_bad_bytes_are_reported_with_their_place(refused, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"fine\nnot \xff\n")
    assert "bad.txt:2:5" in refused("parse", path, "-o", tmp_path / "out.mrg")
    assert not (tmp_path / "out.mrg").exists()


@pytest.mark.usefixtures("no_collection")
def test_ctrl_c_is_answered_within_a_second(brackets):
    """All of this text would take half a minute."""
    sentence = (
        "The man who lived in the house near the river left early , because a storm was near ."
    )
    text = brackets(f"{sentence}\n" * 10_000, "long.txt")
    begun = []

    def interrupt():
        begun.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    parsed = parse_files([str(text)])
    next(parsed)
    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(parsed)
    timer.join()
    assert time.perf_counter() - begun[0] < 5  # below one on a machine that is not busy
