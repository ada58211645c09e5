"""What the metrics `vectors` and `vectors-f1` are worth: the tables of docs/results/vectors.md.

    python -m bench.vectors [--teacher FOLDER]

Segment-level Pearson with human scores (the mean over language pairs), the partial correlation
given n-gram overlap (chrF and its square), and pairs per CPU second. With `--teacher`
(tools/teacher.py says how to get it) MiniLM's cosine and F1 stand next to them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import otherwords
from bench.agreement import JudgedSet, table
from bench.data import rows
from otherwords.corpus.rows import Row

SETS = (
    JudgedSet("similarity/stsb-en-dev", "adequacy", "source"),
    JudgedSet("mt/wmt15-daseg", "da"),
    JudgedSet("mt/wmt13-esen-da", "da"),
    JudgedSet("paraphrase/twitter-para-dev", "overall", "source"),
    JudgedSet("paraphrase/parabank", "overall", "source"),
    JudgedSet("paraphrase/shakespeare-dev", "adequacy", "source"),
)
METRICS = {
    "vectors": ("vectors", {}),
    "vectors-f1": ("vectors-f1", {}),
    "vectors-f1 mix=0": ("vectors-f1", {"mix": 0}),
    "vectors-f1 mix=0 weighted=no": ("vectors-f1", {"mix": 0, "weighted": False}),
    "chrf": ("chrf", {}),
}
Scorer = Callable[[Sequence[Row], str], np.ndarray]


def main() -> None:
    """Print both tables."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--teacher", type=Path)
    given = arguments.parse_args()
    scorers = {name: ours(*metric) for name, metric in METRICS.items()}
    if given.teacher:
        scorers |= peers(given.teacher)
    plain: dict[str, list[str]] = {name: [name] for name in scorers}
    partial: dict[str, list[str]] = {name: [name] for name in scorers}
    pairs = dict.fromkeys(scorers, 0)
    seconds = dict.fromkeys(scorers, 0.0)
    for judged in SETS:
        segments = [row for row in rows(judged.name) if judged.criterion in row.human]
        human = np.array([row.human[judged.criterion] for row in segments])
        groups = np.array([str(row.langs) for row in segments])
        overlap = scorers["chrf"](segments, judged.against)
        for name, scorer in scorers.items():
            started = time.process_time()
            found = scorer(segments, judged.against)
            seconds[name] += time.process_time() - started
            pairs[name] += len(segments)
            each = [np.corrcoef(found[groups == g], human[groups == g])[0, 1] for g in set(groups)]
            plain[name].append(f"{np.mean(each):.3f}")
            partial[name].append(f"{given_overlap(found, human, overlap):.3f}")
    header = [judged.name.split("/")[1] for judged in SETS]
    for name, line in plain.items():
        line.append(f"{pairs[name] / seconds[name]:,.0f}")
    table(["Pearson", *header, "pairs per CPU second"], list(plain.values()))
    del partial["chrf"]
    table(["partial, given chrF", *header], list(partial.values()))


def ours(name: str, options: dict[str, object]) -> Scorer:
    """Segment scores of one of our metrics."""

    def scored(segments: Sequence[Row], against: str) -> np.ndarray:
        return otherwords.score(
            name,
            [row.hypothesis for row in segments],
            [row.references for row in segments] if against == "references" else None,
            [row.source for row in segments],
            against=against,
            **options,
        ).segments

    return scored


def peers(folder: Path) -> dict[str, Scorer]:
    """MiniLM's cosine and its F1 without weights, with the first reference."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
    from teacher import Teacher, greedy_f1

    teacher = Teacher(folder)

    def sides(segments: Sequence[Row], against: str) -> tuple[list[str], list[str]]:
        targets = [row.references[0] if against == "references" else row.source for row in segments]
        return [str(row.hypothesis) for row in segments], [str(text) for text in targets]

    def cosine(segments: Sequence[Row], against: str) -> np.ndarray:
        one, other = map(teacher.sentence_vectors, sides(segments, against))
        return (one * other).sum(axis=1)

    def f1(segments: Sequence[Row], against: str) -> np.ndarray:
        one, other = map(teacher.token_vectors, sides(segments, against))
        return np.array([greedy_f1(a, b) for a, b in zip(one, other, strict=True)])

    return {"MiniLM-cos": cosine, "MiniLM-F1": f1}


def given_overlap(found: np.ndarray, human: np.ndarray, overlap: np.ndarray) -> float:
    """The correlation of what overlap and its square do not explain."""
    known = np.column_stack([np.ones(len(overlap)), overlap, overlap**2])
    rest = [one - known @ np.linalg.lstsq(known, one, rcond=None)[0] for one in (found, human)]
    return float(np.corrcoef(*rest)[0, 1])


if __name__ == "__main__":
    main()
