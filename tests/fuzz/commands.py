"""Targets: every command line of `tests.calls`, with an input file or an argument damaged.

What must hold: exit code 0, 1 or 2; with 2 nothing but one line that says why; no NaN in JSON.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from otherwords.cli import main
from otherwords.errors import InputError
from tests.calls import MODEL, Workspace
from tests.fuzz import mutators
from tests.fuzz.harness import Target
from tests.more_calls import extended

SLOW = ("train-", "meta-paper", "paradigm-coverage-folds", "report", "compare-page", "build")


# Words that are wrong nearly everywhere. None is a path outside of the folder.
_WRONG = [
    *("", " ", "-", "--", "=", ",", ":", "a=b", "=x", "x=", "x,y", "0", "-1", "1.5", "nan", "inf"),
    *("-inf", "1e999", "9" * 30, "0x10", "1:2", "2:1", "nan:nan", "nowhere", "nowhere/x", "folder"),
    *(".", "empty.txt", "text.txt", "lm.arpa", "examples", "é", "\u202e", "\udcff", "a\nb", "%s"),
    *(
        "{}",
        "{0}",
        "*",
        "~",
        "None",
        "null",
        "true",
        "source",
        "bleu",
        "otherwords-rewrite",
        "auto",
        "none",
    ),
]
_WRONG_OUTPUTS = ["", " ", ".", "folder", "nowhere/x", "-", "a\nb", "x" * 300, "out.gz", "out.json"]
_ENDS = ["", " ", "x", ",", "=", ",,", "=1", ".gz", "/", "\n"]


class Damaged(NamedTuple):
    """A call and the file that is changed for it."""

    name: str
    file: str
    content: bytes


class _Calls:
    """The calls of `tests.calls` in a folder that holds their inputs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "commands"

    @functools.cached_property
    def workspace(self) -> Workspace:
        self.folder.mkdir()
        return extended(self.folder)

    @functools.cached_property
    def calls(self) -> dict[str, tuple[list[str], list[str]]]:
        """The words of each call, and the files among them that it reads."""
        found = {}
        for name, (_, words) in self.workspace.calls.items():
            wrong = "wrong" in name or name.startswith(("help ", "data-", *SLOW))
            if wrong or words[0] == "--version":
                continue
            parts = [part for word in words for part in re.split("[=,]", word)]
            read = [p for p in parts if (self.folder / p).is_file() or p in self.workspace.makers]
            read = [p for p in read if f">{p}" not in words]
            if read:
                found[name] = (words, read)
        return found

    def make(self, rng: Random) -> Damaged:
        name = rng.choice(sorted(self.calls))
        file = rng.choice(self.calls[name][1])
        if not (self.folder / file).exists():
            self.workspace.run(self.workspace.makers[file])
        content = (self.folder / file).read_bytes()
        if content.startswith((MODEL, b"PAR1")):
            changed = mutators.flipped(rng, content, rng.choice((1, 3)))
            if rng.random() < 0.2:
                changed = changed[: rng.randrange(len(changed))]
        else:
            changed = mutators.text(rng, [content])
        return Damaged(name, file, changed)

    def make_words(self, rng: Random) -> tuple[str, ...]:
        """The words of a call, one or two of them changed."""
        words = list(self.calls[rng.choice(sorted(self.calls))][0])
        for _ in range(rng.choice((1, 1, 2))):
            place = rng.randrange(1, len(words)) if len(words) > 1 else 0
            written = words[place].startswith(">")
            match rng.randrange(5):
                case 0:
                    del words[place]
                case 1:
                    words.insert(place, words[rng.randrange(len(words))])
                case 2 if not written:
                    words[place] += rng.choice(_ENDS)
                case 3 if "=" in words[place] and not written:
                    words[place] = words[place].partition("=")[0] + "=" + rng.choice(_WRONG)
                case _:
                    words[place] = rng.choice(_WRONG_OUTPUTS if written else _WRONG)
            if not words:
                break
        return tuple(words)

    def run_words(self, words: tuple[str, ...], folder: Path) -> Any:
        """Calls in a copy of the folder, as a wrong option may name an input as its output."""
        place = self.folder.with_name("arguments")
        shutil.copytree(self.folder, place, symlinks=True)
        for name in {one for _, read in self.calls.values() for one in read}:
            if name in words and not (place / name).exists():
                self.workspace.run(self.workspace.makers[name])
                shutil.copyfile(self.folder / name, place / name)
        (place / "folder").mkdir()
        (place / "empty.txt").write_bytes(b"")
        argv = [("1" if word == "*" else word).removeprefix(">") for word in words]
        try:
            code, printed, said = _call(argv, place)
        finally:
            shutil.rmtree(place)
        check(code, printed, said, argv)
        if code == 2:
            raise InputError(said.strip().splitlines()[-1])

    def run(self, damaged: Damaged, folder: Path) -> Any:
        words = self.calls[damaged.name][0]
        whole = self.folder / "whole"
        path = self.folder / damaged.file
        shutil.copyfile(path, whole)
        path.write_bytes(damaged.content)
        argv = [("1" if word == "*" else word).removeprefix(">") for word in words]
        # Outputs go elsewhere, so that the next call finds its inputs.
        outputs = [word[1:] for word in words if word.startswith(">")]
        argv = [f"out-{word}" if word in outputs else word for word in argv]
        try:
            code, printed, said = _call(argv, self.folder)
        finally:
            shutil.copyfile(whole, path)
            for name in outputs:
                for one in self.folder.glob(f"out-{name}*"):
                    shutil.rmtree(one) if one.is_dir() else one.unlink()
        check(code, printed, said, argv)
        if code == 2:
            raise InputError(said.strip().splitlines()[-1])


def check(code: int, printed: str, said: str, argv: list[str]) -> None:
    """What every call of a command must hold to."""
    assert code in (0, 1, 2), f"exit code {code} of {argv}"
    assert "Traceback" not in said
    if code == 2:
        last = said.splitlines()[-1] if said else ""
        assert last.startswith("otherwords: "), f"{argv}: no line says why: {said!r:.200}"
        assert printed == "" or "-o" not in argv, f"{argv}: output beside an error"
    if code == 0 and "json" in argv:
        json.loads(printed, parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} in JSON")


def _call(argv: list[str], folder: Path) -> tuple[int, str, str]:
    printed, said = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(printed, "utf-8", write_through=True)
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(said),
    ):
        code = main(argv)
        out.flush()
    return code, printed.getvalue().decode(), said.getvalue()


def command_targets(folder: Path) -> Iterator[Target]:
    """All commands as one target each way: a call costs more than a reader does."""
    calls = _Calls(folder)
    yield Target("commands", calls.make, calls.run)
    yield Target("arguments", calls.make_words, calls.run_words)
