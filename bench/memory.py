"""Memory and CPU of scoring a million segments from files, and the kernel's own CPU.

python -m bench.memory [--segments 1000000] [--metrics maxsim] [--ci]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import otherwords
from bench.data import rows
from bench.figures import Figure, record
from bench.phrases import command

LIMIT = 600  # megabytes, for a million segments
MOST = 1.3  # times the kernel's own time


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


def kernel_seconds(system: Path, reference: Path, most: int = 50_000) -> float:
    """CPU seconds a segment of MAXSIM's kernels alone: reading of text and matching."""
    from otherwords.metrics.maxsim import MaxSim

    with system.open(encoding="utf-8") as lines, reference.open(encoding="utf-8") as others:
        pairs = list(zip(map(str.strip, lines), map(str.strip, others), strict=True))[:most]
    metric = MaxSim()
    segments = metric.check([one for one, _ in pairs], [(other,) for _, other in pairs], None)
    metric.counts(segments.pick(0), 1)  # models loaded
    start = time.process_time()
    metric.counts(segments, 1)
    return (time.process_time() - start) / len(pairs)


def main() -> None:
    """Run the command in a process of its own, whose usage the system reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=1_000_000)
    parser.add_argument("--metrics", default="maxsim")
    parser.add_argument("--ci", action="store_true", help="Bootstrap intervals as well.")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        system, reference = write_corpus(Path(folder), args.segments)
        # What resamples take of memory does not depend on their number.
        given = ["-m", args.metrics, *(["--ci", "--resamples", "100"] if args.ci else [])]
        seconds, peak = command("score", *given, "-r", reference, "-s", reference, system)
        print(
            f"{args.metrics}, {args.segments:,} segments: {seconds:.1f} CPU s,"
            f" {args.segments / seconds:,.0f} segments/s, peak {peak:.0f} MB (limit {LIMIT})"
        )
        job = f"score -m {' '.join(given[1:])}, {args.segments:,} lines"
        shown = f"{peak:.0f} MB", f"limit {LIMIT} MB"
        record(Figure(job, *shown, peak / LIMIT, seconds, peak, most=1.0))
        if args.metrics == "maxsim":
            kernel = args.segments * kernel_seconds(system, reference)
            print(
                f"the kernel alone: {kernel:.1f} CPU s; the command {seconds / kernel:.2f} x that"
            )
            shown = f"{seconds:.1f} s", f"kernel {kernel:.1f} s"
            record(Figure(job, *shown, seconds / kernel, seconds, peak, most=MOST))
    print(otherwords.__version__)


if __name__ == "__main__":
    main()
