"""METEOR 1.5 (Denkowski & Lavie 2014), the Java original inside the package pycocoevalcap."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path


def _folder() -> Path:
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        raise RuntimeError("pycocoevalcap is not installed (extra `bench`)")
    return Path(package.submodule_search_locations[0]) / "meteor"


def paraphrases() -> str:
    """METEOR's table of English paraphrases."""
    return str(_folder() / "data" / "paraphrase-en.gz")


class Meteor:
    """A running METEOR, spoken to by its line protocol; start-up is over when it answers."""

    def __init__(self) -> None:
        command = ["java", "-Xmx2G", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en"]
        self.process = subprocess.Popen(
            [*command, "-norm"],
            cwd=_folder(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    @staticmethod
    def available() -> bool:
        """Is there a Java and the package?"""
        return shutil.which("java") is not None and find_spec("pycocoevalcap") is not None

    def score(self, hypothesis: str, references: Sequence[str]) -> float:
        """The segment score."""
        clean = [" ".join(text.replace("|||", "").split()) for text in [*references, hypothesis]]
        statistics = self._ask(f"SCORE ||| {' ||| '.join(clean)}")
        value = self._ask(f"EVAL ||| {statistics}")
        self._read()  # the score of the whole, the same for one segment
        return float(value)

    def _ask(self, line: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
