"""How often findings of `facts` fire, by kind, on wrong and on right text, and as a detector.

    python -m bench.facts [--items N] [--data FOLDER] [--file SET ...] [--only crossed|unseen]

Wrong text: DEMETR's perturbed translations against the translation. Right text: its human
translations against the translation, ParaBank's best paraphrases, PAWS' paraphrases; and the
crossed set of `examples/` or others, also written ones (tools/pair_written). Both kinds of text:
the sets that no rule was written for (`UNSEEN`), a random sample of each. `contradicted` is the
share of pairs with at least one contradiction, `decisive` that with a finding that `strict` counts;
`missing`, `added` and `replaced` count findings of weight 0.5 and more.

As a detector: a pair is called wrong if it has a decisive finding. Precision and recall are those
for as many right as wrong pairs, so that they do not depend on the sizes of the sets.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import data
from otherwords.metrics.facts import Compared, comparer

CROSSED = Path(__file__).resolve().parents[1] / "examples" / "crossed.jsonl"
# Nothing was adjusted because of these kinds. They are not held out: a few items of every kind
# were read before the findings were written, and the rates of all kinds were printed along the way.
NOT_ADJUSTED = (
    "addition",
    "adj_adv_removed",
    "antonym",
    "case",
    "conj_removed",
    "function_word",
    "ne_removed",
    "ne_replaced",
    "negation",
    "noun_removed",
    "numbers_replaced",
    "pos_shift",
    "question",
    "tense",
    "verb_removed",
    "word_swap",
)
LEAST = 0.5  # weight of a finding that counts as missing, added or replaced
COLUMNS = ("contradicted", "missing", "added", "unknown")
SHOWN = ("decisive", *COLUMNS)

# Sets that no rule was written for: column of the label, value for wrong pairs, for right ones.
# Rows of `counterfactual` are about inference from premise to hypothesis: what the hypothesis
# leaves out is no error, so its column `contradicted` is the one to read.
UNSEEN = {
    "rewrites/apt-train": ("same", 0, 1),
    "inference/refuted-claims": ("label", "different", None),
    "inference/paws-wiki": ("label", "different", "equivalent"),
    "inference/medical-questions": ("label", "different", "equivalent"),
    "inference/counterfactual": ("label", "contradiction", "entailment"),
}

# Cells of a crossed set, and their columns in a written one.
CELLS = {"right-close": "rc", "wrong-close": "wc", "right-far": "rf", "wrong-far": "wf"}

Pair = tuple[str, str]


def read(name: str) -> Iterator[dict[str, Any]]:
    """The rows of a set of ../shared/data as they are in the file."""
    path = data.DATA / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is not here: benchmarks need the data folder (CONTRIBUTING.md)")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def fires(compared: Compared) -> set[str]:
    """The columns that count the pair."""
    found = {"decisive"} if any(finding.decisive for finding in compared.findings) else set()
    found |= {
        finding.verdict
        for finding in compared.findings
        if finding.verdict == "contradicted"
        or (finding.verdict in COLUMNS and finding.weight >= LEAST)
    }
    return found


def show(name: str, pairs: Sequence[Pair]) -> float:
    """One line: the rates, the kinds that contradict, the speed. The rate of decisive findings."""
    start = time.process_time()
    compared = comparer().compare(pairs)
    seconds = time.process_time() - start
    rates: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for one in compared:
        rates.update(fires(one))
        kinds.update({f.kind for f in one.findings if f.verdict == "contradicted"})
    size = max(len(pairs), 1)
    cells = [f"{rates[column] / size:>12.3f}" for column in SHOWN]
    named = ", ".join(f"{kind} {count / size:.3f}" for kind, count in kinds.most_common(5))
    speed = f"{size / seconds:>6.0f}/s" if seconds else ""
    print(f"{name:<26}{len(pairs):>6}{''.join(cells)}{speed}  {named}")
    return rates["decisive"] / size


def detector(name: str, wrong: float, right: float) -> None:
    """Precision, recall and F1 of decisive findings, for as many right as wrong pairs."""
    precision = wrong / (wrong + right) if wrong + right else 0.0
    f1 = 2 * precision * wrong / (precision + wrong) if precision + wrong else 0.0
    print(f"{name:<44} precision {precision:.3f}  recall {wrong:.3f}  F1 {f1:.3f}")


def heading(title: str) -> None:
    """The title of a table and the names of its columns."""
    names = "".join(f"{name:>12}" for name in ("decisive", *COLUMNS[:3], "replaced"))
    print(f"\n{title:<26}{'pairs':>6}{names}")


def demetr(items: int) -> None:
    """Perturbed translations by kind, and human translations as right text."""
    by_kind: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    human: dict[str, str] = {}
    for row in read("contrast/demetr-dev"):
        by_kind[row["severity"], row["kind"]].append((row["perturbed"], row["translation"]))
        human.setdefault(row["translation"], row["human_translation"])
    heading("DEMETR, right text")
    right = show("human translation", [(good, given) for given, good in human.items()][:items])
    rates: dict[str, list[float]] = defaultdict(list)
    for severity in ("critical", "major", "minor"):
        heading(f"DEMETR, {severity}")
        for (level, kind), pairs in sorted(by_kind.items()):
            if level == severity:
                name = kind + ("*" if kind in NOT_ADJUSTED else "")
                rates[severity].append(show(name, pairs[:items]))
    print("\nAs a detector, right text: human translations; mean over kinds")
    for severity, found in rates.items():
        detector(f"DEMETR {severity}", sum(found) / len(found), right)
    print("* nothing was adjusted because of this kind; items of every kind had been read before")


def others(items: int) -> None:
    """PAWS by its labels, ParaBank by its ratings."""
    heading("other sets")
    paws: dict[int, list[Pair]] = defaultdict(list)
    for row in read("contrast/paws-qqp-train"):
        paws[int(row["human"]["paraphrase"])].append((row["hypothesis"], row["source"]))
    show("PAWS, paraphrases", paws[1][:items])
    show("PAWS, no paraphrases", paws[0][:items])
    rated = list(read("paraphrase/parabank"))
    best = [row for row in rated if row["human"]["overall"] >= 90]
    worst = [row for row in rated if row["human"]["overall"] <= 30]
    for name, rows in (("ParaBank, 90 and above", best), ("ParaBank, 30 and below", worst)):
        pairs = [(row["hypothesis"], row["source"]) for row in rows]
        show(name, [pair for pair in pairs if pair[0] != pair[1]][:items])


def unseen(items: int) -> None:
    """Right and wrong pairs of sets that no rule was written for, sampled with a fixed seed."""
    heading("sets not seen")
    for name, (column, *values) in UNSEEN.items():
        pairs: dict[Any, list[Pair]] = defaultdict(list)
        for row in read(name):
            original = row.get("premise") or row["source"]
            pairs[{**row, **row.get("human", {})}[column]].append((row["hypothesis"], original))
        for which, value in zip(("wrong", "right"), values, strict=True):
            if value is not None:
                some = pairs[value]
                chosen = random.Random(1).sample(some, min(items, len(some)))
                show(f"{name.split('/')[1]}, {which}", chosen)


def candidates(row: dict[str, Any]) -> Iterator[tuple[str, Pair]]:
    """The cell and the pair of each candidate of a row: one of a crossed set, four of a written one
    (`text`, and `rc`, `wc`, `rf`, `wf`: right or wrong, close or far).
    """
    if "text" not in row:
        yield row["system"], (row["hypothesis"], row["source"])
        return
    for cell, key in CELLS.items():
        yield cell, (row[key], row["text"])


def crossed(items: int, paths: Sequence[Path]) -> None:
    """Crossed sets: right and wrong, close and far, and close ones by kind of change."""
    cells: dict[str, list[Pair]] = defaultdict(list)
    for path in paths:
        if not path.exists():
            sys.exit(f"{path} is not here")
        with path.open(encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                for cell, pair in candidates(row):
                    cells[cell].append(pair)
                    if cell.endswith("close"):
                        cells[f"{cell}, {row['kind'].replace('_', ' ')}"].append(pair)
    heading("crossed set")
    rates = {cell: show(cell, pairs[:items]) for cell, pairs in sorted(cells.items())}
    print("\nAs a detector, by decisive findings")
    for cell in ("close", "far"):
        detector(f"crossed, {cell}", rates[f"wrong-{cell}"], rates[f"right-{cell}"])


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=500, help="Pairs of each row (default: 500)")
    parser.add_argument("--data", type=Path, default=data.DATA, help="Folder of the sets")
    parser.add_argument(
        "--file", type=Path, nargs="+", default=[CROSSED], help="Crossed or written sets"
    )
    parser.add_argument("--only", choices=("crossed", "unseen"), help="Print this part alone")
    given = parser.parse_args()
    items, data.DATA = given.items, given.data
    if given.only is None:
        demetr(items)
        others(items)
    if given.only != "crossed":
        unseen(items)
    if given.only != "unseen":
        crossed(items, given.file)


if __name__ == "__main__":
    main()
