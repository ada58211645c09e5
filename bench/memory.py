"""Peak memory of scoring a million segments from files.

python -m bench.memory [--segments 1000000]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.data import rows


def write_corpus(folder: Path, segments: int) -> tuple[Path, Path]:
    """Real segments over and over, each made different so that nothing is scored only once."""
    source = rows("mt/wmt15-daseg")
    system, reference = folder / "system.txt", folder / "reference.txt"
    with system.open("w", encoding="utf-8") as out, reference.open("w", encoding="utf-8") as ref:
        for number in range(segments):
            row = source[number % len(source)]
            out.write(f"{row.hypothesis} Number {number}.\n")
            ref.write(f"{row.references[0]} Number {number} .\n")
    return system, reference


def main() -> None:
    """Run the command in a process of its own and ask the system for its peak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=1_000_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        system, reference = write_corpus(Path(folder), args.segments)
        run = "from otherwords.cli import entry; entry()"
        command = [sys.executable, "-c", run, "score", "-m", "maxsim", "-r", str(reference)]
        start = time.perf_counter()
        subprocess.run([*command, str(system)], check=True)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{args.segments} segments: peak {peak:.0f} MB, {args.segments / seconds:.0f} segments/s")


if __name__ == "__main__":
    main()
