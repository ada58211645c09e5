"""Outputs that are no rewrite: how many are found, and how many good rewrites are taken for one.

    python -m bench.outputs [--show N]

Found: the hand-made lists of tests/data/outputs.jsonl. Rules and phrases were written with the even
rows of each kind. The odd rows were not read, but their counts were seen while phrases were added:
they are not fully blind.

False alarms: rewrites that people judged to say the same, and English translations of the same
Bible verse (every tenth verse). The thresholds were set on these sets.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from bench.agreement import table
from bench.data import DATA, rows
from otherwords.metrics.base import text_of
from otherwords.text.outputs import find_faults

LISTS = Path(__file__).parents[1] / "tests" / "data" / "outputs.jsonl"
CODES = {"empty": {"empty", "markup-only"}, "cut": {"cut-off"}}  # where the kind is no code
GOOD = {
    "rewrites/apt-train": ("same", 1.0),
    "rewrites/simpeval-past": ("overall", 70.0),
    "paraphrase/msrp": ("paraphrase", 1.0),
    "paraphrase/parabank": ("overall", 80.0),
    "paraphrase/shakespeare-dev": ("adequacy", 3.5),
    "paraphrase/twitter-para-dev": ("overall", 0.8),
    "paraphrase/twitter-url": ("paraphrase", 0.8),
}


def good_rewrites() -> Iterator[tuple[str, str, str]]:
    """The set, an original, and a rewrite that says the same."""
    for name, (criterion, least) in GOOD.items():
        for row in rows(name):
            if row.source is not None and row.human[criterion] >= least:
                yield name, text_of(row.source), text_of(row.hypothesis)
    name = "multi/bible-en-multi"
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in islice(file, 0, None, 10):
            first, *others = json.loads(line)["texts"].values()
            yield from ((name, first, other) for other in others)


def measure_lists() -> None:
    """Print how many of the hand-made outputs are found, and with the right code."""
    listed: dict[str, list[dict[str, str]]] = {}
    for line in LISTS.read_text("utf-8").splitlines():
        row = json.loads(line)
        listed.setdefault(row["kind"], []).append(row)
    lines = []
    for kind, mine in listed.items():
        cells = [kind]
        for half in (mine[::2], mine[1::2]):
            found = [
                {fault.code for fault in find_faults(row["rewrite"], row["original"])}
                for row in half
            ]
            right = sum(bool(codes & CODES.get(kind, {kind})) for codes in found)
            cells += [f"{right} of {len(half)}", str(sum(map(bool, found)))]
        lines.append(cells)
    table(["kind", "written with", "any code", "held out", "any code"], lines)


def measure_alarms(show: int) -> None:
    """Print the share of good rewrites with a fault."""
    counts: dict[str, Counter[str]] = {}
    for name, original, rewrite in good_rewrites():
        faults = find_faults(rewrite, original)
        mine = counts.setdefault(name, Counter())
        mine.update(["all", *(["any"] if faults else []), *(fault.code for fault in faults)])
        if faults and show > 0:
            show -= 1
            print(f"{original!r}\n  {rewrite!r}\n  {faults[0].code}: {faults[0].reason}")
    lines = []
    for name, mine in counts.items():
        total, alarms = mine.pop("all"), mine.pop("any", 0)
        codes = ", ".join(f"{code} {count}" for code, count in mine.most_common())
        lines.append([name, f"{total:,}", f"{100 * alarms / total:.2f} %", codes])
    table(["set", "rewrites", "false alarms", "codes"], lines)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--show", type=int, default=0, help="print this many false alarms")
    measure_lists()
    measure_alarms(parser.parse_args().show)


if __name__ == "__main__":
    main()
