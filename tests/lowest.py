"""A handful of commands with the lowest declared versions of all dependencies (`make test-lowest`).

    python -m tests.lowest pins      the requirements: NAME==LOWEST of pyproject.toml, one per line
    python -m tests.lowest commands  run by the interpreter that has them

A release of a dependency may break the command line without an error: each command is known to
work by its output and exit code.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "examples" / "translation"
FILES = ("-r", str(TEXTS / "reference.txt"), str(TEXTS / "careful.txt"))
# Arguments, exit code, and what the output must have.
COMMANDS = (
    (["--version"], 0, "otherwords "),
    (["--help"], 0, "Score system outputs"),
    (["score", "--help"], 0, "--paired"),
    (["metrics"], 0, "maxsim"),
    (["score", "-m", "bleu,chrf,ter,maxsim", "--ci", *FILES], 0, "careful"),
    (["compare", "-m", "chrf", *FILES, str(TEXTS / "free.txt")], 0, "free"),
    (["gate", "-m", "chrf", "--fail-under", "1", *FILES], 0, "Gate passed"),
    (["gate", "-m", "chrf", "--fail-under", "99", *FILES], 1, "Gate failed"),
    (["gate", "-m", "chrf", "--fail-under", "x", *FILES], 2, ""),
    (["score", "-m", "chrff", *FILES], 2, "did you mean 'chrf'"),
    (["validate", str(TEXTS / "careful.txt")], 0, "nothing found"),
    (["tokenize", str(TEXTS / "careful.txt")], 0, " ."),
)


def pins() -> list[str]:
    """The lowest version of each dependency, as pip takes it.

    >>> pins()[0]
    'numpy==1.26.0'
    """
    with (ROOT / "pyproject.toml").open("rb") as file:
        declared = tomllib.load(file)["project"]["dependencies"]
    lowest = [re.match(r"([\w-]+)>=([\d.]+)", text) for text in declared]
    return [f"{match[1]}=={match[2]}" for match in lowest if match]


def main(what: str) -> int:
    if what == "pins":
        print(*pins(), sep="\n")
        return 0
    failed = 0
    for words, code, said in COMMANDS:
        command = [sys.executable, "-m", "otherwords", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "examples")
        if done.returncode != code or said not in done.stdout + done.stderr:
            failed += 1
            print(f"FAILED ({done.returncode}, not {code}): otherwords {' '.join(words)}")
            print(done.stdout[-500:], done.stderr[-500:])
    print(f"{len(COMMANDS) - failed} of {len(COMMANDS)} commands as they should be")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
