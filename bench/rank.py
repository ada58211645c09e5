"""The human score of the candidate that a metric puts first: the table of docs/results/rank.md.

python -m bench.rank
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

import otherwords
from bench.agreement import table
from bench.data import DATA
from otherwords.corpus.inputs import read_candidates
from otherwords.corpus.rows import Candidates
from otherwords.scoring.rank import rank

SETS = ("shakespeare-dev", "parabank", "twitter-para-dev")
METRICS = ("otherwords-rewrite", "meaning", "pinc", "chrf")
CRITERION = "overall"
TIMED = "parabank"


def sources(name: str) -> list[Candidates]:
    """The sources of a set that have several candidates, all of them judged."""
    found = read_candidates(DATA / "paraphrase" / f"{name}.jsonl.gz")
    return [
        one
        for one in found
        if len(one.rows) > 1 and all(CRITERION in row.human for row in one.rows)
    ]


def chosen(groups: list[Candidates], metric: str) -> float:
    """The mean human score of the candidates that a metric puts first."""
    found = rank(groups, otherwords.metric(metric, against="source"), top=1, any_language=True)
    places = [one.ranked[0].place - 1 for one in found]
    return float(np.mean([people(one)[place] for one, place in zip(groups, places, strict=True)]))


def people(group: Candidates) -> list[float]:
    """The human scores of the candidates."""
    return [row.human[CRITERION] for row in group.rows]


def agreement() -> None:
    """First candidates by metric, then the worst, the mean and the best there are."""
    lines = []
    for name in SETS:
        groups = sources(name)
        ends = [float(np.mean([pick(people(one)) for one in groups])) for pick in (min, np.mean)]
        best = float(np.mean([max(people(one)) for one in groups]))
        scores = [*ends, *(chosen(groups, metric) for metric in METRICS), best]
        size = sum(len(one.rows) for one in groups)
        lines.append([name, str(len(groups)), str(size), *(f"{score:.3f}" for score in scores)])
    table(["set", "sources", "candidates", "worst", "any", *METRICS, "best"], lines)


def copying(name: str) -> None:
    """How new the candidates are that judges like best, and all of them."""
    best, every = [], []
    for group in sources(name):
        texts, judged = [row.hypothesis for row in group.rows], np.array(people(group))
        new = otherwords.score("pinc", texts, sources=[group.source] * len(texts)).segments
        best.append(new[judged == judged.max()].mean())
        every.append(new.mean())
    print(f"PINC, {name}: {np.mean(best):.2f} of the best, {np.mean(every):.2f} of all\n")


def seconds(job: Callable[[], object]) -> float:
    """How long a job takes."""
    start = perf_counter()
    job()
    return perf_counter() - start


def speed() -> None:
    """Ranking compared with scoring alone, one thread, the best of five runs in turn."""
    groups, metric = sources(TIMED), otherwords.metric("otherwords-rewrite")
    rows = [row for one in groups for row in one.rows]
    texts, origins = [row.hypothesis for row in rows], [row.source for row in rows]
    jobs = (
        lambda: rank(groups, metric),
        lambda: otherwords.score(metric, texts, sources=origins),
    )
    runs = [[seconds(job) for job in jobs] for _ in range(5)]
    ranked, scored = (len(rows) / min(times) for times in zip(*runs, strict=True))
    print(
        f"otherwords-rewrite, {TIMED}: {ranked:,.0f} candidates/s ranked, "
        f"{scored:,.0f} pairs/s scored: "
        f"{ranked / scored:.2f} of that speed"
    )


if __name__ == "__main__":
    agreement()
    copying(TIMED)
    speed()
