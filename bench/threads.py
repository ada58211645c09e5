"""Two threads next to one: `score`, `align`, `parse`, `extract grammar`.

Each command runs with one thread and with two, in turns, several times. Printed are the best clock
times and their ratio, which needs two cores that have nothing else to do, and figures in CPU
seconds, which other work on the machine changes little:

- CPU: what the command takes with one thread and with two; threads that get in each other's way
  take more.
- busiest: of the two threads of a run the one that works longer, and how many times less that is
  than one thread alone takes. No clock can show more.
- Amdahl: the most that two threads can gain, from the share of CPU time that eight threads divide.

python -m bench.threads [COMMAND ...] [--pairs 8000] [--rounds 3]

--rounds 0 prints Amdahl's figure alone. All of it takes less than four minutes on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.grammar import write_corpus
from bench.memory import write_corpus as write_segments

GOAL = 1.7
MANY = 8  # threads of the run that shows what they can divide

# The command, and at its end the CPU seconds of the process and of its first thread.
RUN = """
import atexit, resource, sys
def report():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_THREAD)]
    print(*(one.ru_utime + one.ru_stime for one in used), file=sys.stderr)
atexit.register(report)
from otherwords.cli import entry
entry()
"""

Command = list[str | Path]


class Taken(NamedTuple):
    """Seconds of a run: by the clock, of CPU, and of CPU of its first thread."""

    clock: float
    cpu: float
    first: float

    @property
    def busiest(self) -> float:
        """CPU seconds of the thread of two that works longer."""
        return max(self.first, self.cpu - self.first)


def run(argv: Command, threads: int) -> Taken:
    """A command in a process of its own."""
    command = [sys.executable, "-c", RUN, *map(str, argv), "--threads", str(threads)]
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    start = time.perf_counter()
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **alone}
    )
    clock = time.perf_counter() - start
    return Taken(clock, *map(float, done.stderr.split()[-2:]))


def bound(argv: Command) -> float:
    """How many times faster two threads can be; the first thread takes its part of the work too."""
    many = run(argv, MANY)
    divided = (many.cpu - many.first) * MANY / (MANY - 1)
    return many.cpu / (many.cpu - divided / 2)


def commands(folder: Path, pairs: int) -> dict[str, Command]:
    """The commands by name, with texts for each so that they take some seconds."""
    bitext, links = write_corpus(folder, pairs)
    few, many = folder / "few", folder / "many"
    few.mkdir()
    many.mkdir()
    system, reference = write_segments(many, 8 * pairs)
    output, source = write_segments(few, 2 * pairs)
    sentences = folder / "sentences.txt"
    with output.open(encoding="utf-8") as lines:
        sentences.write_text("".join(islice(lines, pairs)), encoding="utf-8")
    tokens = ("--tokenizer", "none")
    return {
        "score-maxsim": ["score", "-m", "maxsim", "-r", reference, system],
        "score-pem": ["score", "-m", "pem", "-s", source, output],
        "align": ["align", bitext, *tokens, "-o", folder / "links"],
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
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        every = commands(Path(name), args.pairs)
        if unknown := [one for one in args.commands if one not in every]:
            parser.error(f"no command is named {', '.join(unknown)}; there are {', '.join(every)}")
        print(f"two threads compared with one (goal {GOAL} x), best of {args.rounds} rounds")
        head = (("clock s", 15), ("ratio", 7), ("CPU s", 15), ("busiest", 9), ("ratio", 7))
        print(" " * 14 + "".join(f"{name:>{width}}" for name, width in head) + "  Amdahl")
        for what in args.commands or every:
            argv = every[what]
            rounds = [(run(argv, 1), run(argv, 2)) for _ in range(args.rounds)]
            print(f"{what:14}{shown(rounds)}{bound(argv):8.2f}", flush=True)


def shown(rounds: list[tuple[Taken, Taken]]) -> str:
    """The best of all rounds: clock, CPU, and the busiest of two threads."""
    if not rounds:
        return " " * 53
    (clock, clock_of_two), (cpu, cpu_of_two) = (
        [min(getattr(one[k], field) for one in rounds) for k in (0, 1)]
        for field in ("clock", "cpu")
    )
    busiest = min(two.busiest for _, two in rounds)
    return (
        f"{clock:7.2f} {clock_of_two:7.2f}{clock / clock_of_two:7.2f}"
        f"{cpu:7.2f} {cpu_of_two:7.2f}{busiest:9.2f}{cpu / busiest:7.2f}"
    )


if __name__ == "__main__":
    main()
