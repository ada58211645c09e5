"""Two threads beside one, by the clock: `score`, `align`, `parse`, `extract grammar`.

The clock needs two cores and a machine with nothing else to do. Beside it stands what the work
allows (Amdahl's law): the share of CPU time that threads can divide, from a run with eight of them,
which other work on the machine hardly changes.

python -m bench.threads [--pairs 8000] [--rounds 2]
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


def run(argv: list[str | Path], threads: int) -> tuple[float, float, float]:
    """Seconds by the clock of a command, of CPU, and of CPU of its first thread."""
    command = [sys.executable, "-c", RUN, *map(str, argv), "--threads", str(threads)]
    alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    start = time.perf_counter()
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **alone}
    )
    clock = time.perf_counter() - start
    every, first = map(float, done.stderr.split()[-2:])
    return clock, every, first


def bound(argv: list[str | Path]) -> float:
    """How many times faster two threads can be; the first thread takes its part of the work too."""
    _, every, first = run(argv, MANY)
    divided = (every - first) * MANY / (MANY - 1)
    return every / (every - divided / 2)


def main() -> None:
    """Each command with one thread and with two, the best of all rounds, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=8000)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bitext, links = write_corpus(folder, args.pairs)
        few, many = folder / "few", folder / "many"
        few.mkdir()
        many.mkdir()
        system, reference = write_segments(many, 12 * args.pairs)
        output, source = write_segments(few, 2 * args.pairs)
        sentences = folder / "sentences.txt"
        with output.open(encoding="utf-8") as lines:
            sentences.write_text("".join(islice(lines, args.pairs)), encoding="utf-8")
        out = folder / "out.parquet"
        commands: dict[str, list[str | Path]] = {
            "score -m maxsim": ["score", "-m", "maxsim", "-r", reference, system],
            "score -m pem": ["score", "-m", "pem", "-s", source, output],
            "align": ["align", "--bitext", bitext, "--tokenizer", "none", "-o", folder / "links"],
            "parse": ["parse", sentences, "-o", folder / "trees"],
            "extract grammar": [
                *("extract", "grammar", "--bitext", bitext, "--alignment", links),
                *("--tokenizer", "none", "-o", out),
            ],
        }
        print(
            f"two threads compared with one, by the clock (goal {GOAL} x), and what the work allows"
        )
        for what, argv in commands.items():
            taken: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(args.rounds):
                for threads, times in taken.items():
                    times.append(run(argv, threads)[0])
            ratio = ""
            if args.rounds:
                one, two = (min(times) for times in taken.values())
                ratio = f"{one:6.2f} s {two:6.2f} s   {one / two:4.2f} x"
            print(f"{what:16} {ratio}   at most {bound(argv):4.2f} x", flush=True)


if __name__ == "__main__":
    main()
