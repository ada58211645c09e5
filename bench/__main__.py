"""All benchmarks of speed and memory, each in a separate process, with what each of them took; at
the end a table of the figures that have a peer or a limit.

python -m bench [PART ...]      all parts, or those of these names
python -m bench --quick         a few ratios; exits with 1 if one has fallen by half

All parts together write their table into docs/results/speed.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import FILE, read, table

PAGE = Path(__file__).parents[1] / "docs" / "results" / "speed.md"
BEGIN, END = "<!-- written by: python -m bench -->", "<!-- end -->"

# Each prints its figures next to those of its peers.
PARTS: dict[str, list[str]] = {
    "startup": ["bench.startup"],
    "speed": ["bench.speed"],
    "memory": ["bench.memory"],
    "memory-ci": ["bench.memory", "--metrics", "pinc,bleu", "--ci"],
    "threads": ["bench.threads"],
    "alignment": ["bench.alignment", "speed", "memory"],
    "phrases": ["bench.phrases"],
    "grammar": ["bench.grammar"],
    "hiero": ["bench.grammar", "--pairs", "30008", "--extraction"],
    "lm": ["bench.lm", "speed"],
    "meaning": ["bench.meaning", "speed"],
    "combine": ["bench.combine", "speed"],
    "paraeval": ["bench.paraeval", "speed"],
    "meta": ["bench.meta"],
    "parser": ["bench.parser", "speed", "memory"],
}


def run(module: list[str], figures: Path) -> tuple[int, float, float, float]:
    """Exit code, clock seconds, CPU seconds and peak megabytes of a part and its commands."""
    start = time.perf_counter()
    environment = {**os.environ, FILE: str(figures)}
    process = subprocess.Popen([sys.executable, "-m", *module], env=environment)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    clock = time.perf_counter() - start
    return process.returncode, clock, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def write(figures: str) -> None:
    """Replace the table of the last run."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{figures}\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    """Run the parts one after the other; 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="bench.quick alone")
    args = parser.parse_args()
    if args.quick:
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        return subprocess.run([sys.executable, "-m", "bench.quick"], env=alone).returncode
    chosen = args.parts or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"no part is named {', '.join(unknown)}; there are {', '.join(PARTS)}")
    taken: dict[str, tuple[int, float, float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figures.jsonl")
        path.touch()
        for name in chosen:
            print(f"== {name}: python -m {' '.join(PARTS[name])}", flush=True)
            taken[name] = run(PARTS[name], path)
            print(flush=True)
        figures = read(path)
    print(f"{'part':12} {'clock s':>8} {'CPU s':>8} {'peak MB':>8}")
    for name, (code, clock, cpu, peak) in taken.items():
        failed = f"   failed with exit code {code}" if code else ""
        print(f"{name:12} {clock:8.1f} {cpu:8.1f} {peak:8.0f}{failed}")
    clock, cpu = (sum(one[place] for one in taken.values()) for place in (1, 2))
    print(f"{'all':12} {clock:8.1f} {cpu:8.1f}")
    if figures:
        print(f"\n{table(figures)}")
        if not args.parts:
            write(table(figures))
    return int(any(code for code, *_ in taken.values()))


if __name__ == "__main__":
    sys.exit(main())
