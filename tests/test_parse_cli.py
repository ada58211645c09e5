"""`otherwords parse`: text in, brackets out."""

from __future__ import annotations

import io
import sys

import pytest

from otherwords.build.trees.parser import Parser
from otherwords.build.trees.tree import parse_tree, parse_trees
from tests.interrupt import interrupted

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


# Mistakes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tokenizer", "moses"], "unknown tokenizer"),
        (["--model", "{text}"], "not an otherwords model"),
        (["--model", "missing.owm"], "no such file"),
        (["-o", "{text}"], "both read and written"),
    ],
)
def test_mistakes_are_reported(refused, text, options, message):
    assert message in refused("parse", text, *(option.format(text=text) for option in options))


def test_standard_input_is_read_once(refused):
    assert "only once" in refused("parse", "-", "-")


def test_bad_bytes_are_reported_with_their_place(refused, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"fine\nnot \xff\n")
    assert "bad.txt:2:5" in refused("parse", path, "-o", tmp_path / "out.mrg")
    assert not (tmp_path / "out.mrg").exists()


def test_ctrl_c_is_answered_within_a_second(brackets):
    """All of this text would take half a minute."""
    sentence = (
        "The man who lived in the house near the river left early , because a storm was near ."
    )
    text = brackets(f"{sentence}\n" * 10_000, "long.txt")
    ready = (
        "from otherwords.build.trees.parser import parse_files\n"
        f"trees = parse_files([{str(text)!r}])\nnext(trees)"
    )
    assert interrupted(ready, "list(trees)") < 5  # below one on a machine that is not busy
