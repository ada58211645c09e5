"""What `gate --no-contradictions` blocks by each detector, and what 8 bits change.

    python -m bench.pair_gate [--model PATH] [FILE ...]

Rows are those of examples/crossed-heldout.jsonl unless files are given: right and wrong rewrites,
close to their source or far from it. Shares of rows that are blocked: high is good for wrong ones,
low for right ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from bench.agreement import table
from otherwords.corpus.jsonl import read_jsonl
from otherwords.metrics.pair import Pair
from otherwords.scoring.detectors import contradicted

ROWS = Path(__file__).parents[1] / "examples" / "crossed-heldout.jsonl"
CELLS = ("wrong-close", "wrong-far", "right-close", "right-far")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=[str(ROWS)])
    parser.add_argument("--model", default="pair")
    given = parser.parse_args()
    rows = [row for file in given.files for row in read_jsonl(file)]
    cells = np.array([row.system for row in rows])
    pairs = [(str(row.hypothesis), str(row.source)) for row in rows]
    small, full = (
        Pair(model=given.model, bits=bits, against="source").measure(*zip(*pairs, strict=True), 1)
        for bits in (8, 32)
    )
    metric = Pair(model=given.model, against="source")
    blocked = {
        "facts": np.array(contradicted("facts", pairs)),
        "pair": metric.contradicted(small),
        "pair, 32 bits": metric.contradicted(full),
    }
    blocked["either"] = blocked["facts"] | blocked["pair"]
    lines = [
        [name, *(f"{found[cells == cell].mean():.2f}" for cell in CELLS)]
        for name, found in blocked.items()
    ]
    table([f"blocked, of {len(rows)} rows", *CELLS], lines)
    level = metric.model.trained.threshold
    agreed = ((small[:, 0] >= level) == (full[:, 0] >= level)).mean()
    apart = np.abs(small[:, 0] - full[:, 0])
    r = np.corrcoef(small[:, 0], full[:, 0])[0, 1]
    print(
        f"\n8 bits beside 32: same side of the threshold in {agreed:.3f} of rows, correlation "
        f"of `same` {r:.4f}, mean difference {apart.mean():.3f}"
    )


if __name__ == "__main__":
    main()
