"""What is fitted after the pair model is trained, on pairs that were kept out of its training: the
calibration of its outputs, the join with what else is known of a pair, and the threshold.

The join is a logistic regression. It learns whether a pair means the same, and within groups that
right candidates are above wrong ones: the order of two texts that are equally far counts as much as
the label of one. Every source counts the same, and within one the labels as often as in its own
text (`NATURAL`): what training matched is weighted back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.pair_model import JOINED, OUTPUTS

__all__ = ["calibrated", "joined", "report", "threshold"]

Row = Mapping[str, Any]
Array = NDArray[np.float64]
NATURAL = {"twitter-url": 0.22, "paws": 0.31}  # share of paraphrases among the judged pairs
FORCE = 3.0  # how strongly weights are held at their start, in pairs
ORDER = 4.0  # weight of all comparisons within groups, beside that of all labels
# Of each comparison of cells how much it counts. Between a far and a close text the model decides,
# and coverage can only do harm; between two that are equally far coverage helps.
CELLS = {
    ("right-far", "wrong-far"): 1.0,
    ("right-far", "wrong-close"): 0.1,
    ("right-close", "wrong-close"): 1.0,
    ("right-close", "wrong-far"): 0.2,
}


def fitted(design: Array, truth: Array, weight: Array, start: Array) -> Array:
    """The weights of a logistic regression by Newton's method, held near `start`.

    The last column is the shift. Columns are scaled, so that the force on each is the same.
    """
    scale = np.maximum(np.sqrt(np.average(design**2, axis=0, weights=weight)), 1e-9)
    design, start = design / scale, start * scale
    force = np.array([*[FORCE] * (design.shape[1] - 1), 1e-3])
    found = start.copy()
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ found, -50, 50)))
        hessian = design.T @ (design * (weight * p * (1 - p))[:, None]) + np.diag(force)
        gradient = design.T @ (weight * (p - truth)) + force * (found - start)
        found -= np.linalg.solve(hessian, gradient)
    return np.asarray(found / scale)


def weights_of(rows: Sequence[Row], truth: Array) -> Array:
    """Of each row what it counts: sources the same, labels as often as in natural text."""
    sources = [str(row["source"]) for row in rows]
    judged = [row["source"] in NATURAL and row["cell"] == "judged" for row in rows]
    found = np.ones(len(rows))
    for source, share in NATURAL.items():
        mine = np.array(
            [one and row["source"] == source for one, row in zip(judged, rows, strict=True)]
        )
        if mine.any() and 0 < truth[mine].mean() < 1:
            have = truth[mine].mean()
            found[mine] = np.where(truth[mine] >= 0.5, share / have, (1 - share) / (1 - have))
    counts: Counter[str] = Counter()
    for source, one in zip(sources, found, strict=True):
        counts[source] += one
    return found * np.array([len(rows) / len(counts) / counts[source] for source in sources])


def comparisons(rows: Sequence[Row]) -> tuple[list[int], list[int], Array]:
    """Right and wrong rows of the same group by number, and what each comparison counts; those of
    every source count the same."""
    groups: dict[str, list[int]] = {}
    for n, row in enumerate(rows):
        if row["group"]:
            groups.setdefault(row["group"], []).append(n)
    right, wrong, counted = [], [], []
    for some in groups.values():
        for one in some:
            for other in some:
                weight = CELLS.get((rows[one]["cell"], rows[other]["cell"]))
                if weight is not None:
                    right.append(one)
                    wrong.append(other)
                    counted.append(weight)
    counts: Counter[str] = Counter()
    for one, weight in zip(right, counted, strict=True):
        counts[rows[one]["source"]] += weight
    each = [
        weight / counts[rows[one]["source"]] for one, weight in zip(right, counted, strict=True)
    ]
    return right, wrong, np.array(each)


def calibrated(logits: Array, rows: Sequence[Row]) -> Array:
    """Of each output slope and shift (Platt)."""
    found = np.tile([1.0, 0.0], (len(OUTPUTS), 1))
    for place, name in enumerate(OUTPUTS):
        known = [n for n, row in enumerate(rows) if row[name] is not None]
        truth = np.array([rows[n][name] for n in known])
        if len(known) >= 20 and truth.min() <= 0.5 <= truth.max():
            design = np.column_stack([logits[known, place], np.ones(len(known))])
            weight = weights_of([rows[n] for n in known], truth)
            found[place] = fitted(design, truth, weight, found[place])
    return found


def joined(logits: Array, more: Array, rows: Sequence[Row]) -> Array:
    """For same and contradicted: slope, the weights of `JOINED`, and shift."""
    found = np.zeros((2, len(JOINED) + 2))
    found[:, 0] = 1
    right, wrong, counted = comparisons(rows)
    for place in range(2):
        known = [n for n, row in enumerate(rows) if row[OUTPUTS[place]] is not None]
        truth = np.array([rows[n][OUTPUTS[place]] for n in known])
        if len(known) < 20 or not truth.min() <= 0.5 <= truth.max():
            continue
        design = np.column_stack([logits[:, place], more, np.ones(len(rows))])
        weight = weights_of([rows[n] for n in known], truth)
        whole, labels = design[known], truth
        if place == 0 and right:
            whole = np.concatenate([whole, design[right] - design[wrong]])
            labels = np.concatenate([truth, np.ones(len(right))])
            weight = np.concatenate([weight, counted * ORDER * len(known) / counted.sum()])
        found[place] = fitted(whole, labels, weight, found[place])
        if place == 0 and right:  # the order made it too sure or not sure enough
            stated = np.column_stack([design[known] @ found[place], np.ones(len(known))])
            slope, shift = fitted(
                stated, truth, weights_of([rows[n] for n in known], truth), np.array([1.0, 0.0])
            )
            found[place] *= slope
            found[place, -1] += shift
    return found


def threshold(probabilities: Array, rows: Sequence[Row]) -> float:
    """The level of P(same) that gets most right, sources counting the same."""
    known = [n for n, row in enumerate(rows) if row["same"] is not None]
    truth = np.array([rows[n]["same"] for n in known])
    weight = weights_of([rows[n] for n in known], truth)
    levels = np.linspace(0.05, 0.95, 91)
    right = [
        np.average((probabilities[known] >= level) == (truth >= 0.5), weights=weight)
        for level in levels
    ]
    best = np.flatnonzero(np.array(right) >= max(right) - 1e-9)
    return float(round(levels[best[len(best) // 2]], 2))


def report(rows: Sequence[Row], same: Array) -> None:
    """Within the groups kept, the share of right candidates above wrong ones, by sort of source."""
    right, wrong, _ = comparisons(rows)
    won: dict[tuple[str, str], list[bool]] = {}
    for one, other in zip(right, wrong, strict=True):
        source = rows[one]["source"]
        sort = source if source.startswith("written") else "generated"
        name = f"{rows[one]['cell']} > {rows[other]['cell']}"
        won.setdefault((sort, name), []).append(bool(same[one] > same[other]))
    for (sort, name), some in sorted(won.items()):
        print(f"kept {sort}: {name}\t{np.mean(some):.3f}\t{len(some)}")
