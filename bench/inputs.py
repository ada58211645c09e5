"""Peak memory and speed of reading, scoring and converting a table of a million rows.

python -m bench.inputs [--rows 1000000] [--formats csv,parquet]
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

LIMIT = 600  # MB
_WORDS = (
    "the a fox hare old dog runs sleeps jumps over under lazy quick brown and never home".split()
)
_READ = """
import sys
from otherwords.corpus.inputs import read_rows
print(sum(1 for row in read_rows(sys.argv[1])), "rows")
"""
_COMMAND = "from otherwords.cli import entry; entry()"


def texts(count: int) -> Iterator[list[str]]:
    """Source, hypothesis and reference of about twenty words, each of them different."""
    size = len(_WORDS)
    for number in range(count):
        words = [_WORDS[(number * step + step) % size] for step in range(1, 20)]
        line = " ".join(words)
        yield [f"{line} .", f"{line} {number}", f"{line} or {number}"]


def write(path: Path, count: int) -> None:
    """A table with these texts; Parquet in one row group, the hardest case for a stream."""
    names = ["source", "hypothesis", "reference"]
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        columns = zip(*texts(count), strict=True)
        table = pyarrow.table(dict(zip(names, map(list, columns), strict=True)))
        pyarrow.parquet.write_table(table, path, row_group_size=count)
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writerow(names)
        writer.writerows(texts(count))


def measure(title: str, command: list[str], count: int) -> float:
    """Run a command in a separate process and print its peak memory and speed."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", *command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"{title} failed")
    peak = usage.ru_maxrss / 1024
    print(f"{title:<24} peak {peak:4.0f} MB  {count / seconds:10,.0f} rows/s", flush=True)
    return peak


def main() -> None:
    """Measure each format; fail if one takes more than the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--formats", default="csv,parquet")
    args = parser.parse_args()
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        for format in args.formats.split(","):
            path = Path(folder) / f"rows.{format}"
            child = os.fork()  # so that what it takes to write the file is not measured
            if not child:
                write(path, args.rows)
                os._exit(0)
            os.waitpid(child, 0)
            size = path.stat().st_size / 1e6
            print(f"{args.rows:,} rows, {size:.0f} MB of {format}")
            other = Path(folder) / ("out.parquet" if format == "csv" else "out.csv")
            score = [_COMMAND, "score", "-m", "mup", "--any-language", "--rows", str(path)]
            convert = [_COMMAND, "convert", str(path), "-o", str(other)]
            peaks.append(measure(f"read {format}", [_READ, str(path)], args.rows))
            peaks.append(measure(f"score {format}", score, args.rows))
            peaks.append(measure(f"convert {format}", convert, args.rows))
            path.unlink()
            other.unlink()
    if max(peaks) > LIMIT:
        raise SystemExit(f"above {LIMIT} MB")


if __name__ == "__main__":
    main()
