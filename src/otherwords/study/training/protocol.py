"""PEM's experiment end to end (Liu, Dahlmeier & Ng 2010, §5.1, §6): controls are added to a judged
set, a regression is trained on the first two thirds of the originals and tested on the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, require
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.pem import Pem
from otherwords.metrics.pem_features import PAPER
from otherwords.metrics.pem_paper import PaperFeatures
from otherwords.metrics.registry import create
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement.human_scores import CONTROL, Scale, criteria_of, is_control
from otherwords.study.papers.pem import HIGH, PemTables, Restriction, pem_tables
from otherwords.study.training.pem import FEWEST, INNER_FOLDS, JudgedPairs, judged_pairs, points_of
from otherwords.study.training.regression import GRID, Kernel, Points, choose, fit
from otherwords.text.language import check_english

__all__ = ["pem_protocol"]

LABEL = "pem"


def pem_protocol(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = (),
    human: str = "overall",
    *,
    criteria: Sequence[str] | None = None,
    restriction: Restriction | None = HIGH,
    scales: Mapping[str, Scale] | None = None,
    scale: Scale | None = None,
    settings: Mapping[str, Any] | None = None,
    grid: Sequence[Kernel] = GRID,
    resampling: Resampling | None = None,
    seed: int = 0,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> PemTables:
    """PEM's Tables 1 and 2 of all rows with their controls, and Table 3 of the last third.

    The features are the paper's (`PaperFeatures`) unless `settings` change them. Cost, gamma and
    epsilon are chosen from `grid` by cross-validation on the training part. Controls among the rows
    are left out: new ones are made for every original, with the scores of §5.1. `metrics` are
    tested together with PEM. For the others see `meta.pem_tables`; `seed` is that of the controls.
    """
    require("sklearn")
    kept = [row for row in rows if not is_control(row)]
    judged = judged_pairs(kept, human, scale=(scales or {}).get(human, scale), seed=seed)
    if not any_language:
        check_english(judged.originals, "the text of the sources")
        check_english(judged.paraphrases, "the text of the hypotheses")
    every = _with_controls([row for row in kept if human in criteria_of([row])], judged)
    points = points_of(judged, PaperFeatures(**(settings or {})), threads=threads)
    number = int(points.groups.max()) + 1
    last = points.groups >= 2 * number / 3
    if (last & points.judged).sum() < FEWEST or len(np.unique(points.groups[~last])) < INNER_FOLDS:
        raise InputError(f"{number} originals are too few to train on two thirds of them")
    with TemporaryDirectory() as folder:
        pem, kernel = _trained(points.where(~last), settings or {}, grid, seed, folder)
    beside = metrics if isinstance(metrics, Mapping) else {name: create(name) for name in metrics}
    shared: dict[str, Any] = {
        "criteria": criteria,
        "restriction": restriction,
        "scales": scales,
        "scale": scale,
        "resampling": resampling,
        "threads": threads,
        "any_language": any_language,
    }
    found = pem_tables(every, (), human, **shared)
    held_out = [every[place] for place in np.flatnonzero(last)]
    tested = pem_tables(held_out, {LABEL: pem, **beside}, human, progress=progress, **shared)
    training = len(np.unique(points.groups[~last]))
    fitted = ", ".join(f"{name} {value:g}" for name, value in asdict(kernel).items())
    remark = (
        f"Table 3: trained on the first {training} of {number} originals with their controls "
        f"({int((~last).sum())} pairs; {fitted}), tested on the last {number - training} "
        f"({int(last.sum())} pairs, {int((last & ~points.judged).sum())} of them controls)"
    )
    return replace(
        found,
        metrics=tested.metrics,
        remarks=[*found.remarks, remark],
        signatures=tested.signatures,
    )


def _with_controls(rows: Sequence[Row], judged: JudgedPairs) -> list[Row]:
    """The judged rows, then the controls of their originals as rows of the same items."""
    items: dict[str, str | None] = {}
    for row in rows:
        items.setdefault(text_of(row.source or ""), row.item)
    return [*rows] + [
        Row(
            control.hypothesis,
            source=control.source,
            system=CONTROL + control.kind,
            item=items[control.source],
            human=control.scores,
        )
        for control in judged.controls
    ]


def _trained(
    points: Points, settings: Mapping[str, Any], grid: Sequence[Kernel], seed: int, folder: str
) -> tuple[Pem, Kernel]:
    """PEM with a regression of these points, and its hyper-parameters."""
    features = PaperFeatures(**settings)
    kernel = choose(points, grid, folds=INNER_FOLDS, seed=seed)
    provenance = {
        "features": list(features.names),
        "settings": features.settings,
        "model": features.model.digest,
        "kernel": asdict(kernel),
        "pairs": int(points.judged.sum()),
        "seed": seed,
    }
    path = Path(folder) / "trained.owm"
    fit(points, kernel, provenance).save(path)
    usual: dict[str, Any] = {**vars(PAPER), "languages": "zh"}
    preset = "paper" if all(usual.get(name) == value for name, value in settings.items()) else None
    reading = {name: features.settings[name] for name in ("tokenizer", "case")}
    model = settings.get("model", "paraphrase")
    if preset is None:
        return Pem(regression=path, model=model, **reading), kernel
    return Pem(regression=path, preset=preset), kernel
