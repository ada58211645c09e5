"""Wrong files for every command: other kinds, other encodings, folders, devices, closed pipes.

    python -m tests.wrong_files            every call with every wrong input and output
    python -m tests.wrong_files --every 9  one of nine, for tests

Every command line of `tests.calls` and `tests.more_calls` runs with each of its inputs replaced
by each wrong file, as a user without rights, and prints into a full device and into a closed pipe.
What must hold: exit code 0, 1 or 2, with 2 one printable line that says why, nothing left behind.
"""

from __future__ import annotations

import argparse
import codecs
import gzip
import os
import re
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import otherwords.cli
from tests.fuzz.commands import SLOW
from tests.more_calls import extended
from tests.reliability import MARK, _load_all

NOBODY = 65534
ENCODINGS = ("utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1", "idna")
PATIENCE = 60  # seconds of CPU time
WRONG_OUTPUTS = ("/dev/full", "directory", "nowhere/x")
WORDS = "The old ship left early because a storm was near , and nobody saw it again .\n"


def wrong_files(folder: Path) -> dict[str, Path]:
    """Files that no command expects, by what they are."""
    folder.mkdir()
    contents = {
        "empty": b"",
        "blank": b"\n\n\n",
        "binary": bytes(range(256)) * 40,
        "zeros": bytes(5000),
        "UTF-16": WORDS.encode("utf-16"),
        "Latin-1": "caf\u00e9 na\u00efve\n".encode("latin-1") * 3,
        "no end": WORDS.strip().encode(),
        "one line": WORDS.replace("\n", " ").encode() * 3000,
        "CRLF": (WORDS.strip() + "\r\n").encode() * 3,
        "gzip": gzip.compress(WORDS.encode() * 3, mtime=0),
        "half gzip": gzip.compress(os.urandom(500), mtime=0)[:200],
        "JSON": b'{"a": [1, {"b": null}]}\n',
        "deep JSON": b"[" * 100_000,
        "model": b"otherwords-model\n" + bytes(100),
        "Parquet": b"PAR1" + bytes(100) + b"PAR1",
        "unreadable": WORDS.encode(),
    }
    found = {}
    for name, content in contents.items():
        found[name] = folder / name.replace(" ", "-")
        found[name].write_bytes(content)
    found["unreadable"].chmod(0)
    found["folder"] = folder / "directory"
    found["folder"].mkdir()
    for name, target in (("loop", "loop"), ("dangling", "nowhere"), ("link", "CRLF")):
        found[name] = folder / name
        found[name].symlink_to(target)
    return {**found, "device": Path("/dev/null")}


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed to standard output and error."""

    code: int
    out: str
    said: str


class Attack:
    """A folder with the inputs of all calls, in which commands run as nobody."""

    def __init__(self, root: Path) -> None:
        self.root, self.inputs, self.out = root, root / "inputs", root / "out"
        self.inputs.mkdir()
        self.workspace = extended(self.inputs, ("1",))
        self.wrong = wrong_files(root / "wrong")
        for maker in dict.fromkeys(self.workspace.makers.values()):
            if not maker.startswith(SLOW):
                self.workspace.run(maker)
        for path in (root, *root.rglob("*")):
            if not path.is_symlink() and path.name != "unreadable":
                path.chmod(path.stat().st_mode | 0o055 if path.is_dir() else 0o644)
        _load_all()
        for name in ENCODINGS:  # nobody may not read where Python keeps them
            codecs.lookup(name)

    def calls(self) -> Iterator[tuple[str, list[str], list[int]]]:
        """The name and the words of each call, and the places of files that it reads."""
        for name, (_, words) in self.workspace.calls.items():
            if "wrong" in name or name.startswith(("help ", "data-", "version", *SLOW)):
                continue
            argv = ["1" if word == "*" else word for word in words]
            read = [k for k, word in enumerate(argv) if self._file_of(word)]
            yield name, argv, read

    def _file_of(self, word: str) -> str:
        """The input that a word names, alone or behind `x=`."""
        path = word.rpartition("=")[2]
        return path if (self.inputs / path).is_file() else ""

    def run(self, words: list[str], stdout: str = "") -> Ended:
        """Run a command as nobody in a child that has loaded all modules."""
        self.out.mkdir(exist_ok=True)
        self.out.chmod(0o777)
        files = [self.root / name for name in ("stdout", "stderr")]
        child = os.fork()
        if child == 0:
            self._child(words, stdout, files)
        _, status = os.waitpid(child, 0)
        out, said = (file.read_text(encoding="utf-8", errors="replace") for file in files)
        return Ended(os.waitstatus_to_exitcode(status), out, said)

    def _child(self, words: list[str], stdout: str, files: list[Path]) -> None:
        code = 70
        try:
            os.chdir(self.inputs)
            for number, file in enumerate(files, 1):
                os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            if stdout == "closed":
                reader, writer = os.pipe()
                os.dup2(writer, 1)
                os.close(reader)
            elif stdout:
                os.dup2(os.open(stdout, os.O_WRONLY), 1)
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            os.environ |= {"TMPDIR": str(self.out), "XDG_CACHE_HOME": str(self.out / "cache")}
            tempfile.tempdir = None
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            argv = [f"{self.out}/{word[1:]}" if word.startswith(">") else word for word in words]
            code = otherwords.cli.main(argv)
            sys.stdout.flush()
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)


def problems(ended: Ended, *, left: list[str], codes: tuple[int, ...] = (0, 1, 2)) -> list[str]:
    """What is wrong with the way in which a command ended."""
    found = []
    if ended.code not in codes:
        found.append(f"exit code {ended.code}")
    if "Traceback" in ended.said or "Error:" in ended.said:
        found.append("a traceback")
    last = ended.said.rstrip("\n").rpartition("\n")[2]
    if ended.code == 2 and not (last.startswith("otherwords: ") and last.isprintable()):
        found.append("no line that says why")
    if re.search(r"\bnan\b|\bNaN\b", ended.out):
        found.append("NaN")
    return found + [f"{name} is left" for name in left]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.wrong_files", description=__doc__)
    parser.add_argument("names", nargs="*", help="only calls with one of these in their name")
    parser.add_argument("--every", type=int, default=1, help="one case of so many")
    options = parser.parse_args(argv)
    codes: Counter[int] = Counter()
    failed = turn = 0
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(Path(folder))

        def judge(label: str, words: list[str], stdout: str = "", **allowed: object) -> None:
            nonlocal failed, turn
            turn += 1
            if turn % options.every:
                return
            ended = attack.run(words, stdout)
            codes[ended.code] += 1
            left = [one.name for one in attack.out.rglob("*") if MARK in one.name]
            for one in problems(ended, left=left, **allowed):  # type: ignore[arg-type]
                failed += 1
                print(f"{label}: {one}: {ended.said[-500:]!r}\n    {' '.join(words)}", flush=True)

        for name, words, read in attack.calls():
            if options.names and not any(one in name for one in options.names):
                continue
            for place in read:
                before, equals, _ = words[place].rpartition("=")
                for kind, path in attack.wrong.items():
                    changed = [*words[:place], f"{before}{equals}{path}", *words[place + 1 :]]
                    judge(f"{name}, {kind} for {words[place]}", changed)
            judge(f"{name}, full", words, "/dev/full")
            judge(f"{name}, closed pipe", words, "closed", codes=(0, 1, 2, 141))
            for place, word in enumerate(words):
                for target in ("/dev/full", "directory", "nowhere/x") if word[:1] == ">" else ():
                    changed = [
                        *words[:place],
                        str(attack.root / "wrong" / target),
                        *words[place + 1 :],
                    ]
                    judge(f"{name}, {target} as output", changed)
    counts = ", ".join(
        f"{number:,} with exit code {code}" for code, number in sorted(codes.items())
    )
    print(f"{sum(codes.values()):,} calls ({counts}): {failed} problems")
    return int(failed > 0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads do not live on in a child
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
