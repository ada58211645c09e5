"""Where commands spend their CPU time: shares of samples by library, and the functions on top.

python -m bench.profiles [COMMAND ...] [--pairs 1500]

Needs `perf` of the Linux kernel's tools. Functions of the native module have names if it is linked
without `-Wl,-s`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench.grammar import compile_modules
from bench.threads import Command, commands

FREQUENCY = 400  # samples per CPU second
SHOWN = 6  # functions
LIBRARIES = {
    "native code": r"/_native\.",
    "kernel of the system": r"^\[",
    "Python": r"libpython|/python3[^/]*$",
    "libc, libstdc++": r"/(libc|libm|libstdc\+\+|ld-linux)[^/]*$",
    "DuckDB": r"duckdb",
    "Arrow": r"arrow|parquet",
    "NumPy": r"numpy",
}
CODE = "from otherwords.cli import entry; entry()"
SAMPLE = re.compile(r"\s*[0-9a-f]+ (.*) \((.*)\)$")


def profiled(folder: Path, pairs: int) -> dict[str, Command]:
    """The commands of `bench.threads`, and those that have one thread."""
    every = commands(folder, pairs)
    system = every["score-maxsim"][-1]
    *_, source, output = every["score-pem"]
    grammar, paraphrases = folder / "grammar.parquet", folder / "paraphrases.parquet"
    run([*every["extract"][:-1], grammar])
    intervals = ["score", "-m", "pinc,bleu", "--ci", "--resamples", "100", "-r", source]
    return {
        **every,
        "score-ci": [*intervals, "-s", source, output],
        "tag": ["tag", system, "-o", folder / "tagged"],
        "pivot": ["grammar", "pivot", grammar, "--min-step", "0.01", "-o", paraphrases],
    }


def run(argv: Command, *before: str) -> None:
    """A command in a process of its own; its results are not shown."""
    command = [*before, sys.executable, "-c", CODE, *map(str, argv)]
    subprocess.run(command, check=True, capture_output=True)


def library(path: str) -> str:
    """What a sample's file belongs to."""
    return next((name for name, one in LIBRARIES.items() if re.search(one, path)), "others")


def samples(argv: Command, folder: Path) -> list[tuple[str, str]]:
    """Function and library of each sample of a command."""
    data = str(folder / "perf.data")
    options = ("-N", "-e", "cpu-clock", "-F", str(FREQUENCY), "-o", data)
    run(argv, "perf", "record", *options)
    script = ["perf", "script", "-i", data, "-F", "ip,sym,dso"]
    lines = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    lines = lines.replace("(anonymous namespace)::", "")
    found = (SAMPLE.match(line) for line in lines.splitlines())
    return [(one[1].split("(")[0], library(one[2])) for one in found if one]


def main() -> None:
    """Print two lines for each command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs="*", metavar="COMMAND")
    parser.add_argument("--pairs", type=int, default=1500)
    args = parser.parse_args()
    compile_modules()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = profiled(folder, args.pairs)
        if unknown := [one for one in args.commands if one not in every]:
            parser.error(f"no command is named {', '.join(unknown)}; there are {', '.join(every)}")
        for what in args.commands or every:
            taken = samples(every[what], folder)
            for counts, most in (
                (Counter(one for _, one in taken), len(LIBRARIES)),
                (Counter(one for one, _ in taken if one != "[unknown]"), SHOWN),
            ):
                shares = [(one, 100 * n / len(taken)) for one, n in counts.most_common(most)]
                shown = ", ".join(f"{one} {share:.0f} %" for one, share in shares if share >= 1)
                print(f"{what:13} {len(taken) / FREQUENCY:5.1f} CPU s: {shown}", flush=True)


if __name__ == "__main__":
    main()
