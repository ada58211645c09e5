"""Two threads beside one, by the clock: `score`, `align`, `parse`, `extract grammar`.

The machine should have nothing else to do, and two cores.

python -m bench.threads [--pairs 8000]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.data import rows
from bench.grammar import write_corpus
from bench.memory import write_corpus as write_segments

GOAL = 1.7


def clock(*argv: str | Path) -> float:
    """Seconds by the clock that a command takes."""
    run = [sys.executable, "-c", "from otherwords.cli import entry; entry()", *map(str, argv)]
    start = time.perf_counter()
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Each command with one thread and with two, the best of three runs in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=8000)
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bitext, links = write_corpus(folder, pairs)
        system, reference = write_segments(folder, 8 * pairs)
        sentences = folder / "sentences.txt"
        texts = [str(row.hypothesis) for row in rows("mt/wmt15-daseg")][: pairs // 4]
        sentences.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        out = folder / "out.parquet"
        commands: dict[str, list[str | Path]] = {
            "score -m maxsim": ["score", "-m", "maxsim", "-r", reference, system],
            "score -m pem": ["score", "-m", "pem", "-s", reference, system],
            "align": ["align", "--bitext", bitext, "--tokenizer", "none", "-o", folder / "links"],
            "parse": ["parse", sentences, "-o", folder / "trees"],
            "extract grammar": [
                *("extract", "grammar", "--bitext", bitext, "--alignment", links),
                *("--tokenizer", "none", "-o", out),
            ],
        }
        print(f"two threads beside one, by the clock (goal {GOAL} x)")
        for what, argv in commands.items():
            taken: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(3):
                for threads, times in taken.items():
                    times.append(clock(*argv, "--threads", str(threads)))
            one, two = (min(times) for times in taken.values())
            print(f"{what:16} {one:6.2f} s {two:6.2f} s   {one / two:4.2f} x")


if __name__ == "__main__":
    main()
