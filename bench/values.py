"""How often values are reported on right rewrites, and how often on wrong ones.

    python -m bench.values [--half report|develop|all] [--most N] [--show N] [--set NAME] [--speed]

Right pairs have the same meaning: a finding is a false alarm. Wrong pairs have a changed value:
a finding is right. Pairs are divided in halves by a hash of the original: rules are developed on
one and reported on the other. In a wrong pair whose `kind` is a name, both texts may hold the same
names in other places: no value is changed there, and the sets `... (name gone)` leave these pairs
out. `--show` prints pairs with findings of right sets and without of wrong ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.agreement import table
from bench.data import DATA
from otherwords.text.values import compare_values, read_values

ROOT = Path(__file__).resolve().parents[1]
Texts = tuple[str, str]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)


def _written(folder: str, sides: str, kinds: tuple[str, ...] = ()) -> list[Texts]:
    rows = [row for path in sorted((ROOT / folder).glob("*.jsonl")) for row in _rows(path)]
    return [
        (row["text"], row[side])
        for row in rows
        for side in sides.split()
        if not kinds or row["kind"] in kinds
    ]


def _crossed(systems: str, kinds: tuple[str, ...] = ()) -> list[Texts]:
    rows = [
        row for path in sorted((ROOT / "examples").glob("crossed*.jsonl")) for row in _rows(path)
    ]
    return [
        (row["source"], row["hypothesis"])
        for row in rows
        if row["system"] in systems.split() and (not kinds or row["kind"] in kinds)
    ]


def _inference(name: str, label: str) -> list[Texts]:
    rows = _rows(DATA / "inference" / f"{name}.jsonl.gz")
    return [(row["premise"], row["hypothesis"]) for row in rows if row["label"] == label]


def _judged(name: str, score: str, least: float) -> list[Texts]:
    rows = _rows(DATA / f"{name}.jsonl.gz")
    return [(row["source"], row["hypothesis"]) for row in rows if row["human"][score] >= least]


def _demetr(kind: str) -> list[Texts]:
    rows = _rows(DATA / "contrast/demetr-dev.jsonl.gz")
    return [(row["translation"], row["perturbed"]) for row in rows if row["kind"] == kind]


def _name_gone(pairs: list[Texts]) -> list[Texts]:
    """Pairs in which a name of the original is gone: names are not only exchanged."""
    name = re.compile(r"(?<=[a-z,;] )[A-Z]\w{3,}")
    return [
        (original, rewrite)
        for original, rewrite in pairs
        if not all(word[:4].lower() in rewrite.lower() for word in name.findall(original))
    ]


def right_sets() -> dict[str, list[Texts]]:
    """Pairs of the same meaning."""
    return {
        "written, close": _written("tools/pair_written", "rc"),
        "written, free": _written("tools/pair_written", "rf"),
        "written held, close": _written("tools/pair_written/held", "rc"),
        "written held, free": _written("tools/pair_written/held", "rf"),
        "crossed, close": _crossed("right-close"),
        "crossed, free": _crossed("right-far"),
        "paws-wiki": _inference("paws-wiki", "equivalent"),
        "medical-questions": _inference("medical-questions", "equivalent"),
        "detoxified": _inference("detoxified", "equivalent"),
        "apt-train": _judged("rewrites/apt-train", "same", 1),
        "stsb-dev": _judged("similarity/stsb-en-dev", "adequacy", 4.8),
    }


def wrong_sets() -> dict[str, list[Texts]]:
    """Pairs with another meaning, most of them by a changed value."""
    sets = {}
    for kind in ("number", "name"):
        for side, word in (("wc", "close"), ("wf", "free")):
            pairs = _written("tools/pair_written", side, (kind,))
            sets[f"written {kind}, {word}"] = pairs
            if kind == "name":
                sets[f"written name, {word} (name gone)"] = _name_gone(pairs)
        sets[f"written held {kind}"] = _written("tools/pair_written/held", "wc wf", (kind,))
        sets[f"crossed {kind}"] = _crossed("wrong-close wrong-far", (kind,))
    return sets | {
        "refuted-claims": _inference("refuted-claims", "different"),
        "demetr numbers_replaced": _demetr("numbers_replaced"),
        "demetr ne_replaced": _demetr("ne_replaced"),
        "demetr ne_removed": _demetr("ne_removed"),
    }


def _half(pairs: list[Texts], half: str, most: int) -> list[Texts]:
    wanted = {"develop": (0,), "report": (1,), "all": (0, 1)}[half]
    chosen = [pair for pair in pairs if zlib.crc32(pair[0].encode()) % 2 in wanted]
    return chosen[:: max(1, len(chosen) // most)] if most else chosen


def measure(name: str, pairs: list[Texts], show: int, right: bool) -> list[str]:
    """One row: pairs, the share with a finding, and the share by kind and verdict."""
    flagged, kinds = 0, Counter[str]()
    for original, rewrite in pairs:
        findings = compare_values(original, rewrite)
        flagged += bool(findings)
        kinds.update({f"{one.kind} {one.verdict}" for one in findings})
        if show and bool(findings) == right:
            show -= 1
            print(f"[{name}]\n  {original}\n  {rewrite}")
            for one in findings:
                print(
                    f"    {one.kind} {one.verdict}: {one.original_text!r} -> {one.rewrite_text!r}"
                )
    count = max(len(pairs), 1)
    common = ", ".join(f"{kind} {100 * n / count:.1f}" for kind, n in kinds.most_common(5))
    return [name, str(len(pairs)), f"{100 * flagged / count:.1f}", common]


def speed() -> None:
    """Prints sentences per second of reading and of comparing, in one thread."""
    pairs = right_sets()["paws-wiki"][:2000]
    length = sum(len(text.split()) for pair in pairs for text in pair) / len(pairs) / 2
    started = time.process_time()
    for pair in pairs:
        for text in pair:
            read_values(text)
    reading = 2 * len(pairs) / (time.process_time() - started)
    started = time.process_time()
    for pair in pairs:
        compare_values(*pair)
    comparing = len(pairs) / (time.process_time() - started)
    print(
        f"{length:.0f} words: {reading:.0f} texts read, {comparing:.0f} pairs compared per second"
    )


def main() -> None:
    """Prints one table of right sets and one of wrong sets."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--half", choices=["develop", "report", "all"], default="report")
    parser.add_argument("--most", type=int, default=0, help="pairs per set (default: all)")
    parser.add_argument("--show", type=int, default=0, help="errors to print per set (default: 0)")
    parser.add_argument("--set", default="", help="only sets whose name contains this")
    parser.add_argument("--speed", action="store_true", help="measure only speed")
    options = parser.parse_args()
    if options.speed:
        return speed()
    for title, sets in (("right", right_sets()), ("wrong", wrong_sets())):
        rows = [
            measure(name, _half(pairs, options.half, options.most), options.show, title == "right")
            for name, pairs in sets.items()
            if options.set in name or options.set == title
        ]
        if rows:
            table([f"{title} pairs", "pairs", "% with a finding", "% by kind"], rows)
    return None


if __name__ == "__main__":
    main()
