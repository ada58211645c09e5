"""What each metric costs, relative to sacreBLEU's BLEU: `python -m bench.costs`.

CPU time on one thread, 1,000 segments of wmt15-daseg, the best of three runs. Reading and tagging
the text counts, loading models does not. Metrics that compare with a source get the reference as
one. The classes are those of `otherwords metrics`; a metric that is in another one is marked.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from pathlib import Path

import otherwords
from otherwords.scoring.catalogue import describe_metrics

ROWS = 1000
CLASSES = {"fast": 1.0, "medium": 3.0, "slow": float("inf")}  # times BLEU, at most


def main() -> None:
    """Print a line for each metric."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    path = parser.parse_args().data / "mt" / "wmt15-daseg.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(next(lines)) for _ in range(ROWS)]
    texts = [row["hypothesis"] for row in rows], [row["references"][0] for row in rows]
    for one in describe_metrics().metrics:
        if one.name == "combine":
            continue  # a model of the user's own
        unit = seconds("bleu", *texts)  # measured with each, as a machine's speed changes
        ratio = seconds(one.name, *texts) / unit
        found = next(name for name, most in CLASSES.items() if ratio <= most)
        mark = "" if found == one.cost else f"  declared {one.cost}"
        print(f"{one.name:20} {ratio:6.2f} x BLEU  {ROWS / ratio / unit:8,.0f}/s  {found}{mark}")


def seconds(name: str, hypotheses: list[str], references: list[str]) -> float:
    """The best time of three runs."""
    found = []
    for size in (5, ROWS, ROWS, ROWS):  # the first loads what the metric needs
        given = {"references": references[:size], "sources": references[:size]}
        start = time.process_time()
        otherwords.score(name, hypotheses[:size], any_language=True, **given)
        found.append(time.process_time() - start)
    return min(found[1:])


if __name__ == "__main__":
    main()
