"""Tests that cannot be won by rewarding overlap or difference.

    python -m bench.contrast demetr recognition partial [-m METRIC[:OPTION=VALUE,...] ...]

demetr: the share of DEMETR's items in the right order, by severity and kind. Plain: against the
human translation, the translation is above its perturbed twin. Swapped: against the translation,
the human translation (same meaning, other words) is above the perturbed one (same words, wrong).
Joint: both on the same item.
recognition: AUC, and F1 at the threshold that is best on the other half of the set (the halves
are by item), on msrp, twitter-url (graded: at least 4 of 6 judges) and paws-qqp.
partial: correlation with human scores given the overlap of n-grams (chrF and BLEU), so that
overlap alone scores 0.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

import otherwords
from bench.agreement import table
from bench.data import DATA, rows
from otherwords.errors import OtherwordsError
from otherwords.metrics.registry import metric_class, option_names
from otherwords.scoring.choice import parse_settings

METRICS = ("meaning", "otherwords-mt", "maxsim", "chrf", "bleu", "pinc")
SETS = {
    "twitter-para-dev": ("paraphrase/twitter-para-dev", "overall"),
    "parabank": ("paraphrase/parabank", "overall"),
    "shakespeare-dev": ("paraphrase/shakespeare-dev", "adequacy"),
    "stsb-dev": ("similarity/stsb-en-dev", "adequacy"),
}
OVERLAP = ("chrf", "bleu")


def scores(metric: str, hypotheses: Sequence[str], targets: Sequence[str]) -> np.ndarray:
    """Segment scores by a metric such as `maxsim` or `maxsim:alpha=0.5`; higher is better."""
    name, _, settings = metric.partition(":")
    known = option_names(metric_class(name))
    options = parse_settings([one for one in settings.split(",") if one], known)
    result = otherwords.score(
        name,
        list(hypotheses),
        sources=list(targets),
        against="source",
        any_language=True,
        **options,
    )
    return result.segments if result.metric.traits.higher_is_better else -result.segments


def demetr(metrics: Sequence[str]) -> None:
    """Plain, swapped and joint, mean over kinds and by kind."""
    with gzip.open(DATA / "contrast" / "demetr-dev.jsonl.gz", "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    kinds = np.array([f"{one['severity']} {one['kind']}" for one in items])
    names = sorted(set(kinds))
    found: dict[str, dict[str, np.ndarray]] = {}
    for metric in metrics:
        human, machine, wrong = (
            [one[key] for one in items] for key in ("human_translation", "translation", "perturbed")
        )
        plain = scores(metric, machine, human) > scores(metric, wrong, human)
        swapped = scores(metric, human, machine) > scores(metric, wrong, machine)
        found[metric] = {"plain": plain, "swapped": swapped, "joint": plain & swapped}
    for severity in ("critical", "major", "minor"):
        mine = [name for name in names if name.startswith(severity)]
        print(f"### DEMETR {severity}, mean over {len(mine)} kinds\n")
        lines = [
            [metric, *(f"{np.mean([v[kinds == k].mean() for k in mine]):.2f}" for v in by.values())]
            for metric, by in found.items()
        ]
        table(["metric", "plain", "swapped", "joint"], lines)
    print("### DEMETR by kind, plain / swapped / joint\n")
    lines = [
        [
            name,
            *("/".join(f"{v[kinds == name].mean():.2f}" for v in found[m].values()) for m in found),
        ]
        for name in names
    ]
    table(["kind", *found], lines)


def recognition(metrics: Sequence[str]) -> None:
    """AUC and F1 of separating paraphrases from others."""
    sets = {
        "msrp": (rows("paraphrase/msrp"), 0.5),
        "twitter-url": (
            [one for one in rows("paraphrase/twitter-url") if "graded" in str(one.id)],
            0.6,
        ),
        "paws-qqp": (rows("contrast/paws-qqp-train"), 0.5),
    }
    print("### Recognition: AUC, F1 (threshold)\n")
    lines = []
    for metric in metrics:
        cells = [metric]
        for judged, level in sets.values():
            truth = np.array([one.human["paraphrase"] >= level for one in judged])
            values = scores(
                metric, [str(one.hypothesis) for one in judged], [str(one.source) for one in judged]
            )
            half = np.array([zlib.crc32(str(one.item).encode()) % 2 == 0 for one in judged])
            cells.append(f"{auc(values, truth):.3f}, {held_out_f1(values, truth, half)}")
        lines.append(cells)
    table(["metric", *sets], lines)


def auc(values: np.ndarray, truth: np.ndarray) -> float:
    """The chance that a paraphrase is above another pair; ties count one half.

    >>> auc(np.array([3.0, 2.0, 1.0]), np.array([True, False, False]))
    1.0
    """
    order = np.argsort(values, kind="stable")
    _, place, sizes = np.unique(values[order], return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    ranks = np.empty(len(values))
    ranks[order] = (ends - (sizes - 1) / 2)[place]
    positive = int(truth.sum())
    above = ranks[truth].sum() - positive * (positive + 1) / 2
    return float(above / (positive * (len(truth) - positive)))


def held_out_f1(values: np.ndarray, truth: np.ndarray, half: np.ndarray) -> str:
    """F1 with, for each half, the threshold that is best on the other; and the two thresholds."""
    said = np.zeros(len(values), dtype=bool)
    used = []
    for mine in (half, ~half):
        candidates = np.unique(np.quantile(values[~mine], np.linspace(0.01, 0.99, 99)))
        best = max(candidates, key=lambda level: f1(values[~mine] >= level, truth[~mine]))
        said[mine] = values[mine] >= best
        used.append(f"{best:.3g}")
    return f"{f1(said, truth):.3f} ({' / '.join(used)})"


def f1(said: np.ndarray, truth: np.ndarray) -> float:
    """F1 of the positive class."""
    right = float((said & truth).sum())
    return 2 * right / max(float(said.sum() + truth.sum()), 1.0)


def partial(metrics: Sequence[str]) -> None:
    """Correlation with human scores that is left when n-gram overlap is known."""
    print("### Pearson with human scores, and partial given overlap (chrF, BLEU)\n")
    lines: list[list[Any]] = [[metric] for metric in metrics]
    for name, criterion in SETS.values():
        judged = [one for one in rows(name) if criterion in one.human]
        people = np.array([one.human[criterion] for one in judged])
        texts = (
            [str(one.hypothesis) for one in judged],
            [str(one.source or one.references[0]) for one in judged],
        )
        given = np.column_stack([scores(one, *texts) for one in OVERLAP])
        for line, metric in zip(lines, metrics, strict=True):
            values = scores(metric, *texts)
            plain = np.corrcoef(values, people)[0, 1]
            rest = np.corrcoef(residual(values, given), residual(people, given))[0, 1]
            explained = 1 - residual(values, given).var() / values.var()
            line.append(f"{plain:.3f}, {rest:.3f} (R2 {explained:.2f})")
    table(["metric", *SETS], lines)


def residual(values: np.ndarray, given: np.ndarray) -> np.ndarray:
    """What a cubic of the given columns does not explain."""
    columns = [np.ones(len(values))]
    columns += [given[:, one] ** power for one in range(given.shape[1]) for power in (1, 2, 3)]
    design = np.column_stack(columns)
    design[:, 1:] /= np.abs(design[:, 1:]).max(axis=0)
    return values - design @ np.linalg.lstsq(design, values, rcond=None)[0]


def main() -> None:
    """Print the tables that are asked for."""
    parts = {"demetr": demetr, "recognition": recognition, "partial": partial}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*parts, []], default=[])
    parser.add_argument("-m", "--metric", action="append", help=f"default: {', '.join(METRICS)}")
    given = parser.parse_args()
    for part in given.parts or parts:
        parts[part](given.metric or METRICS)


if __name__ == "__main__":
    try:
        main()
    except OtherwordsError as error:
        print(f"bench.contrast: {error}", file=sys.stderr)
        sys.exit(2)
