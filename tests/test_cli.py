"""The command line as a user meets it: real files, real processes, wrong input."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from otherwords.cli.app import COMMANDS, Branch

EXAMPLES = Path(__file__).parents[1] / "examples" / "translation"
REFERENCE = str(EXAMPLES / "reference.txt")
SYSTEMS = [str(EXAMPLES / f"{name}.txt") for name in ("careful", "free", "literal", "careless")]


def process(*argv, **options):
    command = [sys.executable, "-c", "from otherwords.cli import entry; entry()", *argv]
    return subprocess.run(command, capture_output=True, check=False, **options)


def test_output_file_is_whole_or_absent(ok, refused, tmp_path):
    target = tmp_path / "scores.tsv"
    assert ok("score", "-r", REFERENCE, SYSTEMS[0], "-f", "tsv", "-o", target) == ""
    written = target.read_text()
    assert written.startswith("system\tmetric\tscore")
    short = tmp_path / "short.txt"
    short.write_text("one line\n")
    refused("score", "-r", REFERENCE, short, "-o", target)
    assert target.read_text() == written
    assert sorted(p.name for p in tmp_path.iterdir()) == ["scores.tsv", "short.txt"]
    assert "there is no directory" in refused(
        "score", "-r", tmp_path / "gone", SYSTEMS[0], "-o", tmp_path / "none" / "x"
    )


def test_output_through_links_and_pipes(ok, refused, tmp_path):
    target, link, pipe = (tmp_path / name for name in ("target.tsv", "link.tsv", "pipe"))
    target.write_text("old")
    link.symlink_to(target)
    ok("score", "-r", REFERENCE, SYSTEMS[0], "-o", link)
    assert link.is_symlink()
    assert "careful" in target.read_text()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ok("score", "-r", REFERENCE, SYSTEMS[0], "-o", pipe)
    assert b"careful" in os.read(reader, 1 << 16)
    os.close(reader)
    assert pipe.is_fifo()
    assert "is a directory" in refused("score", "-r", REFERENCE, SYSTEMS[0], "-o", tmp_path)
    assert "is a directory" in refused("score", "-r", REFERENCE, SYSTEMS[0], "-o", "")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "links form a loop" in refused("score", "-r", REFERENCE, SYSTEMS[0], "-o", loop)
    own = tmp_path / "own.txt"
    own.write_text(Path(SYSTEMS[0]).read_text())
    assert "both read and written" in refused("score", "-r", REFERENCE, own, "-o", own)


@pytest.mark.parametrize("argv", [["score", "-r", REFERENCE, SYSTEMS[0]], ["--help"], ["tokenize"]])
def test_a_full_disk_is_reported(argv):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-c", "from otherwords.cli import entry; entry()", *argv]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, input=b"a b\n", check=False
        )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"No space left" in done.stderr


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_closed_streams(closed):
    program = [sys.executable, "-c", "from otherwords.cli import entry; entry()", "score"]
    code = f"import os; os.close({closed}); argv = {[*program, '-r', REFERENCE, '-']!r}; "
    done = subprocess.run(
        [sys.executable, "-c", code + "os.execv(argv[0], argv)"],
        capture_output=True,
        check=False,
        input=b"one line, too few\n",
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_small_tools(ok, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("The birds didn't fly.\n\nIt works.\n")
    assert ok("tokenize", path) == "The birds did n't fly .\n\nIt works .\n"
    assert ok("tokenize", "--offsets", path).splitlines()[2] == "It:0:2 works:3:8 .:8:9"
    assert json.loads(ok("tokenize", "-f", "jsonl", path).splitlines()[2])["spans"][2] == [8, 9]
    assert ok("tag", path) == "The/DT birds/NNS did/VBD n't/RB fly/VB ./.\n\nIt/PRP works/VBZ ./.\n"
    assert ok("lemmatize", path) == "the bird do not fly .\n\nit work .\n"
    assert ok("tag", "-f", "tsv", path).splitlines()[1] == "birds\tNNS"


def test_standard_input_and_no_terminal_noise():
    done = process("score", "-r", REFERENCE, "-", input=Path(SYSTEMS[0]).read_bytes())
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.splitlines()[1].startswith(b"stdin")


def test_same_bytes_whatever_the_surroundings():
    outputs = set()
    for threads, seed, locale in (("1", "0", "C"), ("2", "123", "C.UTF-8"), ("7", "9", "POSIX")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale}
        done = process(
            "score",
            "-m",
            "maxsim,bleu",
            "-r",
            REFERENCE,
            *SYSTEMS,
            "--ci",
            "--paired",
            "bootstrap",
            "--resamples",
            "100",
            "--threads",
            threads,
            env=environment,
        )
        assert done.returncode == 0
        outputs.add(done.stdout)
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("score -r", "Option '-r' requires an argument; see otherwords score -h"),
        ("convert", "Missing argument 'IN...'; see otherwords convert -h"),
        ("meta", "Missing option '--rows' / '--jsonl'; see otherwords meta agreement -h"),
        ("meta paper", "Missing command; see otherwords meta paper -h"),
    ],
)
def test_a_wrong_call_gets_one_line(refused, line, message):
    assert refused(*line.split()) == f"otherwords: {message}\n"


@pytest.mark.parametrize(("line", "named"), [("score --foo", "'--foo'"), ("gate a b", "(b)")])
def test_a_wrong_option_or_argument_is_named(refused, line, named):
    message = refused(*line.split())  # the words between are those of click's release
    assert message.startswith("otherwords: ")
    assert named in message
    assert message.endswith(f"; see otherwords {line.split()[0]} -h\n")


def test_closed_pipe_leaves_no_traceback():
    reader, writer = os.pipe()
    os.close(reader)
    command = [
        sys.executable,
        "-c",
        "from otherwords.cli import entry; entry()",
        "score",
        "-r",
        REFERENCE,
        "--segments",
        SYSTEMS[0],
    ]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 141


def test_import_is_light():
    code = (
        "import sys, otherwords; "
        "print([m for m in ('sacrebleu', 'click', 'scipy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


@pytest.mark.parametrize(
    ("command", "name", "start"),
    [
        ("tokenize", "x.jsonl", '{"text": "A cat sat."'),
        ("tokenize", "x.jsonl.gz", '{"text": "A cat sat."'),
        ("tokenize", "x.txt.gz", "A cat sat ."),
        ("tokenize", "x", "A cat sat ."),
        ("lemmatize", "x.jsonl", '{"text": "A cat sat."'),
        ("tag", "x.tsv", "A\tDT"),
        ("parse", "x.gz", "(ROOT"),
    ],
)
def test_annotated_text_follows_the_name_of_the_output(ok, tmp_path, command, name, start):
    text = tmp_path / "text.txt"
    text.write_text("A cat sat.\n", encoding="utf-8")
    ok(command, str(text), "-o", str(tmp_path / name))
    written = (tmp_path / name).read_bytes()
    found = gzip.decompress(written) if name.endswith(".gz") else written
    assert found.decode().startswith(start)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("sc", ["score"]),
        ("score --form", ["--format"]),
        ("score --format js", ["json", "jsonl"]),
        ("score -m maxsim,ble", ["maxsim,bleu"]),
        ("rank -m pin", ["pinc"]),
        ("meta ", ["agreement", "recognition", "judge", "spans", "paper"]),
        ("meta --jso", ["--jsonl"]),
        ("meta paper pe", ["pem"]),
        ("meta --paper ", []),
        ("nosuch --f", []),
    ],
)
def test_completion(words, found):
    environment = {
        **os.environ,
        "_OTHERWORDS_COMPLETE": "bash_complete",
        "COMP_WORDS": f"otherwords {words}",
        "COMP_CWORD": str(1 + words.count(" ")),
    }
    command = [sys.executable, "-m", "otherwords"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert [line.partition(",")[2] for line in done.stdout.split()] == found
    assert done.stderr == ""


def command_lines(tree, before=()):
    for name, node in tree.items():
        if isinstance(node, Branch):
            yield from command_lines(node.commands, (*before, name))
        else:
            yield (*before, name)


ALL_COMMANDS = [line for tree in COMMANDS.values() for line in command_lines(tree)]


@pytest.mark.parametrize("line", ALL_COMMANDS, ids=" ".join)
def test_help_of_every_command(ok, line):
    found = ok(*line, "--help")
    assert found.startswith(f"Usage: otherwords {' '.join(line)} [OPTIONS]")
    assert "list[" not in found
    assert " range>" not in found
    assert "{" not in found.splitlines()[0]
    panels = [one for one in found.splitlines() if one.endswith(":") and not one.startswith(" ")]
    assert panels[-1] == "Options:"
    words = " ".join(found.split())
    assert not re.search(r"\(default: ([^)]*)\)\. \[default: ", words), "a default is named twice"
