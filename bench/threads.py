"""Two threads next to one: `score`, `align`, `parse`, `extract grammar`.

Each command runs with one thread and with two, in turns. Printed are the best clock times and their
ratio, which needs two cores that have nothing else to do, CPU seconds, which other work on the
machine changes less (threads that get in each other's way take more), and the peak of memory.

python -m bench.threads [COMMAND ...] [--pairs 8000] [--rounds 2]

Texts are long enough that Python's start, about .5 s, is a small share. All of it takes about five
minutes on an idle machine.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.data import DATA
from bench.figures import Figure, record
from bench.grammar import compile_modules, write_corpus
from bench.memory import write_corpus as write_segments

GOAL = 1.7
ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

Command = list[str | Path]


class Taken(NamedTuple):
    """Seconds of a run by the clock and of CPU, and megabytes at its peak."""

    clock: float
    cpu: float
    peak: float


def run(argv: Command, threads: int) -> Taken:
    """A command in a process of its own."""
    code = "from otherwords.cli import entry; entry()"
    command = [sys.executable, "-c", code, *map(str, argv), "--threads", str(threads)]
    if "-o" in argv:  # the system takes some time to remove what another run wrote
        Path(argv[argv.index("-o") + 1]).unlink(missing_ok=True)
    start = time.perf_counter()
    with Path(os.devnull).open("wb") as nothing:
        process = subprocess.Popen(command, stdout=nothing, env={**os.environ, **ALONE})
        _, status, used = os.wait4(process.pid, 0)
    clock = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Taken(clock, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def commands(folder: Path, pairs: int) -> dict[str, Command]:
    """The commands by name, with texts for each so that they take some seconds."""
    bitext, links = write_corpus(folder, 2 * pairs)
    few, many = folder / "few", folder / "many"
    few.mkdir()
    many.mkdir()
    system, reference = write_segments(many, 16 * pairs)
    output, source = write_segments(few, 4 * pairs)
    sentences = folder / "sentences.txt"
    with system.open(encoding="utf-8") as lines:
        sentences.write_text("".join(islice(lines, pairs)), encoding="utf-8")
    speeches = folder / "speeches.tsv"
    with gzip.open(DATA / "bitext" / "europarl-fr.tsv.gz", "rt", encoding="utf-8") as lines:
        speeches.write_text("".join(islice(lines, 2 * pairs)), encoding="utf-8")
    tokens = ("--tokenizer", "none")
    return {
        "score-maxsim": ["score", "-m", "maxsim", "-r", reference, system],
        "score-pem": ["score", "-m", "otherwords-rewrite", "-s", source, output],
        "align": ["align", speeches, "-o", folder / "links"],
        "parse": ["parse", sentences, "-o", folder / "trees"],
        "extract": [
            *("extract", "grammar", "--bitext", bitext, "--alignment", links),
            *(*tokens, "-o", folder / "grammar.txt"),
        ],
    }


def main() -> None:
    """Each command with one thread and with two, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs="*", metavar="COMMAND")
    parser.add_argument("--pairs", type=int, default=8000)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    compile_modules()
    with tempfile.TemporaryDirectory() as name:
        every = commands(Path(name), args.pairs)
        if unknown := [one for one in args.commands if one not in every]:
            parser.error(f"no command is named {', '.join(unknown)}; there are {', '.join(every)}")
        print(f"one thread and two (goal {GOAL} x), best of {args.rounds} rounds")
        print(f"{'':14}{'clock s':>15}{'ratio':>7}{'CPU s':>15}{'peak MB':>15}")
        for what in args.commands or every:
            rounds = [(run(every[what], 1), run(every[what], 2)) for _ in range(args.rounds)]
            one, two = (
                Taken(*map(min, zip(*runs, strict=True))) for runs in zip(*rounds, strict=True)
            )
            print(
                f"{what:14}{one.clock:7.2f} {two.clock:7.2f}{one.clock / two.clock:7.2f}"
                f"{one.cpu:7.2f} {two.cpu:7.2f}{one.peak:7.0f} {two.peak:7.0f}",
                flush=True,
            )
            shown = f"two threads {two.clock:.2f} s", f"one thread {one.clock:.2f} s"
            ratio = one.clock / two.clock
            record(Figure(what, *shown, ratio, two.cpu, two.peak, least=GOAL))


if __name__ == "__main__":
    main()
