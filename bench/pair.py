"""The pair model against its goals, next to MiniLM-cos, facts, otherwords-mt and chrF.

    python -m bench.pair [goals] [recognition] [kinds] [judged] [reliability] [-m METRIC ...]
    python -m bench.pair left-out FILE.owm ... [--items N]

goals: crossed sets and written groups kept out (right candidates above wrong ones), DEMETR
(`bench.contrast` defines plain, swapped and joint; means over kinds), AUC of PAWS.
recognition: AUC of MSRP and twitter-url (graded).
kinds: the same by kind of change.
judged: Pearson with human scores on stsb-dev, parabank, twitter-para-dev, and what is left of it
given length and overlap (partial).
reliability: stated probability against the share that is right, in ten bins, on sets that the
model was not trained on.
left-out: models of `tools/train_pair.py --leave-out`, each on what it was not trained on.

A metric is a name with options (`pair:model=FILE,facts=false`). PAWS is measured on the fifth of
its items that `tools/pair_data.py` leaves out of training. `--items` takes so many DEMETR items of
each kind.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bench import contrast, crossed
from bench.agreement import table
from bench.data import DATA, rows
from otherwords.errors import OtherwordsError
from otherwords.models import container
from otherwords.stats.resampling import Stream

METRICS = ("pair", "pair:facts=false", "encoder-cos", "facts", "otherwords-mt", "chrf")
EXAMPLES = Path(__file__).parents[1] / "examples"
CROSSED = {"crossed": "crossed.jsonl", "held-out": "crossed-heldout.jsonl"}
WRITTEN = Path(__file__).parents[1] / "tools" / "pair_written" / "held"
JUDGED = {
    "stsb-dev": ("similarity/stsb-en-dev", "adequacy"),
    "parabank": ("paraphrase/parabank", "overall"),
    "twitter-para-dev": ("paraphrase/twitter-para-dev", "overall"),
}
BINS = 10
Pairs = Sequence[tuple[str, str]]


@cache
def _scores(metric: str, pairs: tuple[tuple[str, str], ...]) -> np.ndarray:
    return contrast.scores(metric, [b for _, b in pairs], [a for a, _ in pairs])


def scores(metric: str, pairs: Pairs) -> np.ndarray:
    """Scores of pairs, higher is better."""
    return _scores(metric, tuple(pairs))


def demetr_items(items: int) -> list[Any]:
    """DEMETR's critical and major items, so many of each kind (0: all)."""
    with gzip.open(DATA / "contrast" / "demetr-dev.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    by: dict[str, list[Any]] = {}
    for one in found:
        if one["severity"] in ("critical", "major"):
            by.setdefault(f"{one['severity']} {one['kind']}", []).append(one)
    return [
        one
        for number, kind in enumerate(sorted(by))
        for one in (Stream(0, number).shuffled(by[kind])[:items] if items else by[kind])
    ]


def written() -> list[crossed.Item]:
    """The written groups that neither training nor the join has seen."""
    found = []
    for path in sorted(WRITTEN.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            texts = (row["rc"], row["rf"], row["wc"], row["wf"])  # as crossed.CANDIDATES
            name = f"{path.stem}:{number}"
            found.append(crossed.Item(name, row["text"], texts, row["kind"], row["genre"]))
    return found


def crossed_wins(metric: str, file: str) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """For each comparison which originals are right, and their kinds."""
    items = crossed.read(EXAMPLES / file) if file else written()
    found = scores(metric, [(item.source, text) for item in items for text in item.texts])
    found = found.reshape(len(items), -1)
    wins = {" > ".join(pair): crossed.wins(found, *pair) for pair in crossed.COMPARISONS}
    return wins, np.array([item.kind for item in items])


def demetr_wins(metric: str, items: Sequence[Any]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Plain, swapped and joint of items, and their kinds."""
    human, machine, wrong = (
        [one[key] for one in items] for key in ("human_translation", "translation", "perturbed")
    )
    plain = scores(metric, list(zip(human, machine, strict=True))) > scores(
        metric, list(zip(human, wrong, strict=True))
    )
    swapped = scores(metric, list(zip(machine, human, strict=True))) > scores(
        metric, list(zip(machine, wrong, strict=True))
    )
    kinds = np.array([f"{one['severity']} {one['kind']}" for one in items])
    return {"plain": plain, "swapped": swapped, "joint": plain & swapped}, kinds


def recognised(name: str) -> tuple[Pairs, np.ndarray]:
    """The pairs of a set and whether they are paraphrases."""
    from tools.pair_data import held_out

    path, level, keep = {
        "PAWS": ("contrast/paws-qqp-train", 0.5, lambda one: held_out(str(one.item))),
        "msrp": ("paraphrase/msrp", 0.5, lambda one: True),
        "twitter-url graded": ("paraphrase/twitter-url", 0.6, lambda one: "graded" in str(one.id)),
    }[name]
    kept = [one for one in rows(path) if keep(one)]
    truth = np.array([one.human["paraphrase"] >= level for one in kept])
    return [(str(one.source), str(one.hypothesis)) for one in kept], truth


def over_kinds(wins: np.ndarray, kinds: np.ndarray, start: str) -> float:
    """The mean over kinds whose name starts so."""
    names = sorted({kind for kind in kinds if kind.startswith(start)})
    return float(np.mean([wins[kinds == kind].mean() for kind in names]))


def goals(metrics: Sequence[str], items: int) -> None:
    """One table of everything that there is a goal for."""
    lines: list[list[str]] = []
    columns: list[str] = []
    for metric in metrics:
        cells: dict[str, str] = {}
        for name, file in {**CROSSED, "written": ""}.items():
            for pair, wins in crossed_wins(metric, file)[0].items():
                cells[f"{name}: {pair}"] = f"{wins.mean():.3f}"
        found, kinds = demetr_wins(metric, demetr_items(items))
        for severity in ("critical", "major"):
            for reading, wins in found.items():
                cells[f"DEMETR {severity}, {reading}"] = f"{over_kinds(wins, kinds, severity):.3f}"
        pairs, truth = recognised("PAWS")
        cells["PAWS, AUC"] = f"{contrast.auc(scores(metric, pairs), truth):.3f}"
        columns = list(cells)
        lines.append(list(cells.values()))
    print("### Goals\n")
    table(
        ["measure", *metrics],
        [[name, *values] for name, *values in zip(columns, *lines, strict=True)],
    )


def recognition(metrics: Sequence[str], items: int) -> None:
    """AUC on sets of paraphrases that no goal is set for."""
    print("### Recognition: AUC\n")
    sets = {name: recognised(name) for name in ("msrp", "twitter-url graded")}
    lines = [
        [metric, *(f"{contrast.auc(scores(metric, p), truth):.3f}" for p, truth in sets.values())]
        for metric in metrics
    ]
    table(["metric", *sets], lines)


def kinds(metrics: Sequence[str], items: int) -> None:
    """Failures by kind: the share that is right."""
    print(
        "### By kind: the three comparisons of both crossed sets; DEMETR plain / swapped / joint\n"
    )
    columns: dict[str, list[str]] = {}
    for metric in metrics:
        both = [crossed_wins(metric, file) for file in CROSSED.values()]
        names = np.concatenate([kind for _, kind in both])
        wins = {pair: np.concatenate([found[pair] for found, _ in both]) for pair in both[0][0]}
        for kind in sorted(set(names)):
            shares = " / ".join(f"{some[names == kind].mean():.2f}" for some in wins.values())
            columns.setdefault(f"crossed {kind}", []).append(shares)
        found, names = demetr_wins(metric, demetr_items(items))
        for kind in sorted(set(names)):
            shares = " / ".join(f"{some[names == kind].mean():.2f}" for some in found.values())
            columns.setdefault(f"DEMETR {kind}", []).append(shares)
    table(["kind", *metrics], [[kind, *cells] for kind, cells in columns.items()])


def judged(metrics: Sequence[str], items: int) -> None:
    """Pearson with human scores, and partial given length and overlap."""
    print("### Pearson with human scores, partial given lengths, partial given overlap\n")
    lines = [[metric] for metric in metrics]
    for name, criterion in JUDGED.values():
        some = [one for one in rows(name) if criterion in one.human]
        people = np.array([one.human[criterion] for one in some])
        pairs = [(str(one.source or one.references[0]), str(one.hypothesis)) for one in some]
        lengths = np.array([[len(a.split()), len(b.split())] for a, b in pairs], float)
        lengths = np.column_stack([lengths, np.abs(lengths[:, 0] - lengths[:, 1])]) + 1
        shared = np.column_stack([scores(one, pairs) for one in contrast.OVERLAP])
        for line, metric in zip(lines, metrics, strict=True):
            values = scores(metric, pairs)
            cells = [np.corrcoef(values, people)[0, 1]]
            for given in (lengths, shared):
                left = contrast.residual(values, given), contrast.residual(people, given)
                cells.append(np.corrcoef(*left)[0, 1])
            line.append(", ".join(f"{cell:.3f}" for cell in cells))
    table(["metric", *JUDGED], lines)


def reliability(metrics: Sequence[str], items: int) -> None:
    """Stated probability of "same" against the share of paraphrases."""
    truths: list[np.ndarray] = []
    pairs: list[tuple[str, str]] = []
    for file in CROSSED.values():
        for item in crossed.read(EXAMPLES / file):
            pairs += [(item.source, text) for text in item.texts]
            truths.append(np.array([name.startswith("right") for name in crossed.CANDIDATES]))
    for name in ("PAWS", "twitter-url graded"):
        some, truth = recognised(name)
        pairs += some
        truths.append(truth)
    truth = np.concatenate(truths)
    for metric in metrics:
        found = scores(metric, pairs)
        place = np.minimum((found * BINS).astype(int), BINS - 1)
        error = sum(
            (place == one).mean() * abs(found[place == one].mean() - truth[place == one].mean())
            for one in range(BINS)
            if (place == one).any()
        )
        print(
            f"### {metric}: reliability on {len(pairs)} pairs,"
            f" expected calibration error {error:.3f}\n"
        )
        lines = [
            [
                f"{one / BINS:.1f} to {(one + 1) / BINS:.1f}",
                str(mine.sum()),
                f"{found[mine].mean():.3f}",
                f"{truth[mine].mean():.3f}",
            ]
            for one in range(BINS)
            if (mine := place == one).any()
        ]
        table(["stated", "pairs", "mean stated", "share same"], lines)


# What each kind of change in training is called in the sets that measure.
SAME_KIND = {
    "negation": ("crossed negation", "DEMETR critical negation"),
    "antonym": ("crossed antonym", "DEMETR critical antonym"),
    "number": ("crossed number", "DEMETR critical numbers_replaced"),
    "name": ("crossed name", "DEMETR critical ne_replaced"),
    "roles": ("crossed roles",),
    "quantifier": ("crossed quantifier",),
    "modality": ("crossed modality",),
    "relation": ("crossed cause", "crossed time order"),
    "comparison": ("crossed comparison",),
    "tense": ("DEMETR major tense",),
    "question": ("DEMETR major question",),
    "no-clause": ("crossed omission",),
    "no-modifier": ("DEMETR critical adj_adv_removed",),
    "no-noun": ("DEMETR critical noun_removed",),
    "no-verb": ("DEMETR critical verb_removed",),
    "no-name": ("DEMETR critical ne_removed",),
    "no-subject": ("DEMETR critical subj_removed",),
    "more-clause": ("crossed addition", "DEMETR critical addition"),
    "shuffle": ("DEMETR critical shuffled",),
}


# The kinds that the two models of docs/results/pair.md leave out.
HALVES = (
    ("negation", "number", "roles", "relation", "no-modifier", "no-noun", "no-verb", "no-name",
     "no-subject"),
    ("antonym", "name", "quantifier", "modality", "comparison", "tense", "question", "more-clause",
     "shuffle"),
)  # fmt: skip


def left_out(paths: Sequence[str], items: int) -> None:
    """Models trained without some kinds or sources: on these, and on all."""
    print(
        "### Left out of training: the three comparisons of both crossed sets; joint; PAWS; STS-B\n"
    )
    lines = []
    for path in paths:
        model, metric = container.read(path), f"pair:model={path},facts=false"
        without = [str(one) for one in model.provenance["left out"]]
        banned = [k for one in without if one.startswith("kind=") for k in one[5:].split(",")]
        both = [crossed_wins(metric, file) for file in CROSSED.values()]
        names = np.concatenate([[f"crossed {kind}" for kind in some] for _, some in both])
        wins = [np.concatenate([found[pair] for found, _ in both]) for pair in both[0][0]]
        found, kind = demetr_wins(metric, demetr_items(items))
        kind = np.array([f"DEMETR {one}" for one in kind])
        cells = [", ".join(without) or "nothing", f"{model.provenance['pairs']:,}"]
        cells.append(" / ".join(f"{some.mean():.2f}" for some in wins))
        cells.append(f"{over_kinds(found['joint'], kind, 'DEMETR critical'):.2f}")
        for half in HALVES:
            on = np.isin(names, [name for one in half for name in SAME_KIND.get(one, ())])
            cells.append(" / ".join(f"{some[on].mean():.2f}" for some in wins))
            on = np.isin(kind, [name for one in half for name in SAME_KIND.get(one, ())])
            cells[-1] += f"; {found['joint'][on].mean():.2f}" + (
                " *" if set(half) <= set(banned) else ""
            )
        pairs, truth = recognised("PAWS")
        cells.append(f"{contrast.auc(scores(metric, pairs), truth):.3f}")
        similar = rows("similarity/stsb-en-dev")
        stated = scores(metric, [(str(one.source), str(one.hypothesis)) for one in similar])
        human = [one.human["adequacy"] for one in similar]
        cells.append(f"{np.corrcoef(stated, human)[0, 1]:.3f}")
        lines.append(cells)
    header = ["left out", "pairs", "crossed", "DEMETR critical joint"]
    halves = ["first half of the kinds: crossed; joint", "second half"]
    table([*header, *halves, "PAWS AUC", "stsb-dev"], lines)
    print("\n* these kinds were left out of the training of this model")


PARTS: dict[str, Callable[[Sequence[str], int], None]] = {
    "goals": goals,
    "recognition": recognition,
    "kinds": kinds,
    "judged": judged,
    "reliability": reliability,
    "left-out": left_out,
}


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help="default: all but left-out FILES")
    parser.add_argument("-m", "--metric", action="append", help=f"default: {', '.join(METRICS)}")
    parser.add_argument("--items", type=int, default=0, help="DEMETR items per kind (default: all)")
    given = parser.parse_args()
    metrics = given.metric or METRICS
    if given.parts[:1] == ["left-out"]:
        left_out(given.parts[1:], given.items)
        return
    for part in given.parts or [part for part in PARTS if part != "left-out"]:
        if part not in PARTS:
            sys.exit(f"bench.pair: '{part}' is none of {', '.join(PARTS)}")
        own = [one for one in metrics if one.startswith("pair")]
        PARTS[part](own if part in ("reliability", "kinds") else metrics, given.items)


if __name__ == "__main__":
    try:
        main()
    except OtherwordsError as error:
        print(f"bench.pair: {error}", file=sys.stderr)
        sys.exit(2)
