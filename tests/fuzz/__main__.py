"""The command: run targets for a time, print what happened, write failures as files."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from pathlib import Path

from tests.fuzz.harness import Failure, Harness, Options, Tally, outcome, write_failures


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=math.inf, help="wall-clock time")
    parser.add_argument("--inputs", type=float, default=math.inf, help="total number of inputs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--only", default="", help="targets with one of these in their name: a,b")
    parser.add_argument("--failures", type=Path, default=Path("build/fuzz-failures"))
    parser.add_argument("--slice", type=float, default=0.5, help="CPU seconds of a target's turn")
    parser.add_argument("--record", type=Path, help="append the counts to this file of JSON lines")
    parser.add_argument("--sum", type=Path, help="only print the sums of such a file")
    parser.add_argument("--repeat", nargs=2, metavar=("TARGET", "NUMBER"), help="one input again")
    options = parser.parse_args(argv)
    if options.repeat:
        return repeat(options.repeat[0], int(options.repeat[1]), options.seed)
    if options.sum:
        print(table(recorded(options.sum)))
        return 0
    parts = options.only.split(",")
    sanitized = "asan" in os.environ.get("LD_PRELOAD", "")
    given = Options(options.seed, limit=not sanitized)
    harness = Harness(given)
    tallies = harness.run(
        seconds=options.seconds if options.inputs < math.inf or options.seconds < math.inf else 60,
        inputs=options.inputs,
        only=lambda name: any(part in name for part in parts),
        first=options.first,
        slice_cpu=options.slice,
        progress=lambda line: print(line, file=sys.stderr, flush=True),
    )
    for path in write_failures(tallies, given, options.failures):
        print(path)
    print(table(tallies))
    if options.record:
        with options.record.open("a", encoding="utf-8") as file:
            file.write(json.dumps({name: counts(one) for name, one in tallies.items()}) + "\n")
    return int(any(tally.failures for tally in tallies.values()))


def counts(tally: Tally) -> tuple[int, int, int, float]:
    """Inputs that were accepted, refused and failed, and CPU seconds."""
    return tally.accepted, tally.refused, len(tally.failures), round(tally.cpu, 2)


def recorded(path: Path) -> dict[str, Tally]:
    """The sums of all runs that were recorded in a file."""
    found: dict[str, Tally] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        for name, (accepted, refused, failed, cpu) in json.loads(line).items():
            tally = found.setdefault(name, Tally())
            tally.accepted += accepted
            tally.refused += refused
            tally.cpu += cpu
            tally.failures += [Failure(name, -1, "recorded")] * failed
    return found


def table(tallies: dict[str, Tally]) -> str:
    rows = [
        (name, one.inputs, one.accepted, one.refused, len(one.failures), round(one.cpu, 1))
        for name, one in tallies.items()
    ]
    total = ("total", *(round(sum(column), 1) for column in list(zip(*rows, strict=True))[1:]))
    lines = [("target", "inputs", "accepted", "refused", "failures", "CPU s"), *rows, total]
    return "\n".join(f"{line[0]:30}" + "".join(f"{one:>11}" for one in line[1:]) for line in lines)


def repeat(name: str, number: int, seed: int) -> int:
    """Run one input in this process; what it does is seen as it is."""
    from tests.fuzz.targets import all_targets

    with tempfile.TemporaryDirectory() as folder:
        target = next(one for one in all_targets(Path(folder)) if one.name == name)
        made = target.input(seed, number)
        print(made if isinstance(made, bytes) else repr(made)[:2000])
        print(*outcome(target, made, Path(folder)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
