"""Segment-level Pearson with people on the development sets: the tables of docs/results.md.

python -m bench.agreement
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import otherwords
from bench.data import rows
from bench.meteor import Meteor
from otherwords.corpus.rows import Row
from otherwords.meta.correlation import pearson

METRICS = ("maxsim", "paraeval", "paraeval-w", "bleu", "chrf", "chrf++", "ter")


@dataclass(frozen=True)
class JudgedSet:
    """A set, its human criterion, and what hypotheses are compared with."""

    name: str
    criterion: str
    against: str = "references"


SETS = (
    JudgedSet("mt/wmt15-daseg", "da"),
    JudgedSet("mt/wmt13-esen-da", "da"),
    JudgedSet("mt/mlqe-eten", "da"),
    JudgedSet("mt/mqm21-zhen", "mqm"),
    JudgedSet("paraphrase/parabank", "overall", "source"),
    JudgedSet("paraphrase/twitter-para-dev", "overall", "source"),
    JudgedSet("similarity/stsb-en-dev", "adequacy", "source"),
)


def by_metric(name: str, segments: Sequence[Row], against: str) -> np.ndarray:
    """Segment scores, higher is better."""
    result = otherwords.score(
        name,
        [row.hypothesis for row in segments],
        [row.references for row in segments] if against == "references" else None,
        [row.source for row in segments],
        against=against,
    )
    return result.segments if result.metric.traits.higher_is_better else -result.segments


def by_meteor(running: Meteor, segments: Sequence[Row], against: str) -> np.ndarray:
    """METEOR's segment scores."""
    targets = [row.references if against == "references" else (row.source,) for row in segments]
    return np.array(
        [
            running.score(str(row.hypothesis), [str(one) for one in several])
            for row, several in zip(segments, targets, strict=True)
        ]
    )


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """A Markdown table."""
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def shown(scores: np.ndarray, people: np.ndarray) -> str:
    """Correlation to three decimals."""
    r = pearson(scores, people)
    return "n/a" if r is None else f"{r:.3f}"


def main() -> None:
    """Print all tables."""
    scorers: dict[str, Callable[[Sequence[Row], str], np.ndarray]] = {
        name: lambda segments, against, name=name: by_metric(name, segments, against)
        for name in METRICS
    }
    running = Meteor() if Meteor.available() else None
    if running is not None:
        scorers["METEOR 1.5"] = lambda segments, against: by_meteor(running, segments, against)
    languages(rows("mt/wmt15-daseg"), scorers)
    development_sets(scorers)
    sweep(rows("mt/wmt15-daseg"))
    if running is not None:
        running.close()


def languages(segments: Sequence[Row], scorers: dict[str, Callable[..., np.ndarray]]) -> None:
    """wmt15-daseg by language pair, and the mean over them."""
    pairs = [str(row.item).split(":")[0] for row in segments]
    people = np.array([row.human["da"] for row in segments])
    lines = []
    for name, scorer in scorers.items():
        scores = scorer(segments, "references")
        found = []
        for pair in dict.fromkeys(pairs):
            mine = np.array([one == pair for one in pairs])
            found.append(pearson(scores[mine], people[mine]) or 0.0)
        lines.append([name, *(f"{r:.3f}" for r in [*found, float(np.mean(found))])])
    print("### wmt15-daseg, by language pair\n")
    table(["metric", *dict.fromkeys(pairs), "mean"], lines)


def development_sets(scorers: dict[str, Callable[..., np.ndarray]]) -> None:
    """Every metric on every set, over all its rows (TER, which is slow, on the small ones)."""
    print("### All development sets\n")
    columns: dict[str, list[str]] = {name: [] for name in scorers}
    for judged in SETS:
        segments = [row for row in rows(judged.name) if judged.criterion in row.human]
        people = np.array([row.human[judged.criterion] for row in segments])
        for name, scorer in scorers.items():
            too_slow = name == "ter" and len(segments) > 2000
            columns[name].append(
                "-" if too_slow else shown(scorer(segments, judged.against), people)
            )
    header = [f"{s.name.split('/')[1]} {s.criterion}" for s in SETS]
    table(["metric", *header], [[name, *values] for name, values in columns.items()])


def sweep(segments: Sequence[Row]) -> None:
    """The paper's sweep of alpha (MAXSIM §4)."""
    people = np.array([row.human["da"] for row in segments])
    print("### MAXSIM's alpha on wmt15-daseg, over all rows\n")
    alphas = [round(0.05 * step, 2) for step in range(21)]
    values = []
    for alpha in alphas:
        result = otherwords.score(
            "maxsim",
            [row.hypothesis for row in segments],
            [row.references for row in segments],
            alpha=alpha,
        )
        values.append(shown(result.segments, people))
    table(["alpha", "Pearson"], [[f"{a:.2f}", v] for a, v in zip(alphas, values, strict=True)])


if __name__ == "__main__":
    main()
