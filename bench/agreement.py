"""Agreement of metrics with human scores on the development sets: tables of docs/results.md.

    python -m bench.agreement [pairs] [sets] [systems] [preferences] [alpha]

Brackets are 95 % intervals of 1,000 draws of segments. Higher is better everywhere: TER is turned
round. METEOR 1.5 is left out where there is no Java.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import otherwords
from bench.data import pairs, rows, system_scores
from bench.meteor import Meteor
from otherwords.corpus.rows import Row
from otherwords.metrics.base import Metric
from otherwords.scoring.outside_scores import OutsideMetric
from otherwords.stats.intervals import Estimate, Resampling
from otherwords.study import agreement as meta
from otherwords.study.agreement import Coefficients, Scoring
from otherwords.study.agreement.arrays import Group

METRICS = (
    "maxsim",
    "paraeval-p",
    "paraeval-f",
    "meaning",
    "bleu",
    "chrf",
    "chrf++",
    "ter",
)
METEOR = "METEOR 1.5"
LEARNED = "otherwords-mt"  # shown only on sets that it was not trained on; see bench.combine
SLOW = ("ter",)  # left out where there are more than so many rows
MANY = 2000


@dataclass(frozen=True)
class JudgedSet:
    """A set, its human criterion, and what hypotheses are compared with."""

    name: str
    criterion: str
    against: str = "references"
    seen: bool = False

    @property
    def short(self) -> str:
        """Its name in a table."""
        return f"{self.name.split('/')[1]} {self.criterion}"


SETS = (
    JudgedSet("mt/wmt15-daseg", "da", seen=True),
    JudgedSet("mt/wmt13-esen-da", "da", seen=True),
    JudgedSet("mt/mlqe-eten", "da", seen=True),
    JudgedSet("mt/mqm21-zhen", "mqm", seen=True),
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


def scorers(
    segments: Sequence[Row], against: str = "references", *, seen: bool = True
) -> Iterator[tuple[str, Metric]]:
    """Every metric for these rows, one after the other; METEOR as scores that are given."""
    for name in METRICS if seen else (LEARNED, *METRICS):
        if name not in SLOW or len(segments) <= MANY:
            yield name, otherwords.metric(name, against=against)
    if Meteor.available():
        running = Meteor()
        scores = by_meteor(running, segments, against).tolist()
        running.close()
        keys = [("", str(row.id)) for row in segments]
        yield METEOR, OutsideMetric(METEOR, dict(zip(keys, scores, strict=True)))


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """A Markdown table."""
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def cell(found: Estimate) -> str:
    """A coefficient with its interval, or why there is none."""
    if found.value is None:
        return found.reason
    return f"{found.value:.3f} [{found.low:.2f}, {found.high:.2f}]"


def language_pairs() -> None:
    """wmt15-daseg by language pair, and the mean over them."""
    segments = rows("mt/wmt15-daseg")
    langs = list(dict.fromkeys(str(row.langs) for row in segments))
    lines = []
    for name, metric in scorers(segments):
        mean = agreement(segments, metric, "da", ["pearson"], group="langs")["pearson"]
        each = [
            agreement(
                [row for row in segments if row.langs == some],
                metric,
                "da",
                ["pearson"],
            )
            for some in langs
        ]
        lines.append([name, *(f"{found['pearson'].value:.3f}" for found in each), cell(mean)])
    table(["Pearson", *langs, "mean"], lines)


def agreement(
    segments: Sequence[Row],
    metric: Metric,
    human: str,
    coefficients: Sequence[str],
    group: Group = "none",
) -> dict[str, Estimate]:
    """Coefficients of segments with their intervals."""
    found = meta.agreement(
        segments,
        {"it": metric},
        human,
        resampling=Resampling(),
        coefficients=Coefficients(level="segment", group=group, names=coefficients),
        scoring=Scoring(any_language=True),
    )
    return {name: found.metrics[0].estimates["segment", name] for name in coefficients}


def development_sets() -> None:
    """Every metric on every set, over all its rows, and the time that it all took."""
    titles = {"pearson": "Pearson", "kendall": "Kendall tau-b"}
    cells: dict[tuple[str, str, str], str] = {}
    seconds: dict[str, float] = {}
    for judged in SETS:
        segments = [row for row in rows(judged.name) if judged.criterion in row.human]
        start = time.process_time()
        for name, metric in scorers(segments, judged.against, seen=judged.seen):
            for key, found in agreement(segments, metric, judged.criterion, [*titles]).items():
                cells[key, name, judged.name] = cell(found)
            seconds[name] = seconds.get(name, 0.0) + time.process_time() - start
            start = time.process_time()
    for key, title in titles.items():
        lines = [
            [
                name,
                *(cells.get((key, name, one.name), "-") for one in SETS),
                f"{seconds[name]:.0f}",
            ]
            for name in seconds
        ]
        table([title, *(one.short for one in SETS), "CPU seconds"], lines)


def systems() -> None:
    """Whole systems, by expert scores of segments or by scores of systems that are given.

    `otherwords-mt` was trained on all of these: `bench.combine systems` has it held out.
    """
    sets = {"mqm21-zhen": "mqm", "sys-wmt21-deen": None, "sys-wmt21-zhen": None}
    titles = {"pearson": "Pearson", "accuracy": "pairwise accuracy"}
    cells: dict[tuple[str, str, str], str] = {}
    for name, human in sets.items():
        segments = rows(f"mt/{name}")
        for label in METRICS:
            if label in SLOW:
                continue
            found = meta.agreement(
                segments,
                {label: otherwords.metric(label, against="references")},
                human or "human",
                system_human=None if human else system_scores(f"mt/{name}-human"),
                resampling=Resampling(),
                coefficients=Coefficients(level="system", names=[*titles]),
                scoring=Scoring(any_language=True),
            ).metrics[0]
            for key in titles:
                cells[label, name, key] = cell(found.estimates["system", key])
    columns = [(name, key) for name in sets for key in titles]
    lines = [
        [label, *(cells[(label, *column)] for column in columns)]
        for label in METRICS
        if label not in SLOW
    ]
    table(["metric", *(f"{name}, {titles[key]}" for name, key in columns)], lines)


def preferences() -> None:
    """How often metrics prefer what judges preferred: wmt13-fren-rr."""
    judged = pairs("mt/wmt13-fren-rr")
    names = [name for name in METRICS if name not in SLOW]
    chosen = {name: otherwords.metric(name, against="references") for name in names}
    found = meta.agreement(
        judged, chosen, resampling=Resampling(), scoring=Scoring(any_language=True)
    )
    lines = [[one.label, cell(next(iter(one.estimates.values())))] for one in found.metrics]
    table(["metric", f"better/worse tau, {len(judged)} pairs"], lines)


def alpha() -> None:
    """The paper's sweep of alpha (MAXSIM §4), on wmt15-daseg over all rows."""
    segments = rows("mt/wmt15-daseg")
    lines = []
    for step in range(21):
        metric = otherwords.metric("maxsim", alpha=round(0.05 * step, 2))
        found = agreement(segments, metric, "da", ["pearson"])["pearson"]
        lines.append([f"{0.05 * step:.2f}", cell(found)])
    table(["alpha", "Pearson"], lines)


PARTS = {
    "pairs": language_pairs,
    "sets": development_sets,
    "systems": systems,
    "preferences": preferences,
    "alpha": alpha,
}


if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
