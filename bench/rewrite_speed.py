"""PEM's speed and memory, against sacreBLEU's chrF in the same run.

python -m bench.rewrite_speed
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from functools import partial

import otherwords
from bench.data import rows
from bench.figures import Figure, record
from bench.speed import ROUNDS, fresh, timed

LOAD = """
import time
import otherwords.scoring.score
from otherwords.metrics.rewrite import OtherwordsRewrite
start = time.perf_counter()
metric = OtherwordsRewrite()
metric.statistics(["A cat sat down."], sources=["The cat took a seat."])
print(f"{1000 * (time.perf_counter() - start):.1f}")
"""
SCORE = """
import sys
from pathlib import Path
from otherwords.cli import main
main(sys.argv[1:])
status = Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


def main() -> None:
    """Rounds in turns, so that a busy moment of the machine hits both alike."""
    segments = [row for row in rows("paraphrase/parabank") if row.source]
    pairs = [(str(row.hypothesis), str(row.source)) for row in segments]
    hypotheses, sources = zip(*pairs, strict=True)
    metric = otherwords.metric("otherwords-rewrite")
    chrf = otherwords.metric("chrf", against="source")
    taken: dict[str, list[float]] = {"otherwords-rewrite": [], "chrf (sacreBLEU)": []}
    for number in range(ROUNDS + 1):
        texts, others = fresh(hypotheses, number), fresh(sources, number)
        for times, one in zip(taken.values(), (metric, chrf), strict=True):
            times.append(timed(partial(one.statistics, texts, sources=others)))
    # The first round has loaded the models.
    seconds = {name: statistics.median(times[1:]) for name, times in taken.items()}
    mine, chrf_seconds = seconds.values()
    for name, value in seconds.items():
        speed = f"{value:6.2f} CPU s {len(pairs) / value:8.0f} pairs/s"
        print(f"{name:18} {speed}   otherwords-rewrite is {value / mine:5.1f} x as fast")
    loads = [
        float(subprocess.run([sys.executable, "-c", LOAD], check=True, capture_output=True).stdout)
        for _ in range(ROUNDS)
    ]
    print(f"models opened and a first pair scored in {statistics.median(loads):.1f} ms")
    path = str(segments[0].path)
    command = [sys.executable, "-c", SCORE, "score", "-m", "otherwords-rewrite", "--jsonl", path]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    peak = int(printed.split()[-1]) / 1024
    print(f"peak memory of scoring {len(pairs)} pairs from a file: {peak:.0f} MB")
    shown = [f"{name} {len(pairs) / value:,.0f} pairs/s" for name, value in seconds.items()]
    record(Figure("otherwords-rewrite", *shown, chrf_seconds / mine, mine, peak))
    print(otherwords.__version__, metric.signature)


if __name__ == "__main__":
    main()
