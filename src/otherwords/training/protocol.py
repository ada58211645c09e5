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
from otherwords.errors import InputError
from otherwords.meta.judged import CONTROL, Scale, criteria_of, is_control, judged_set
from otherwords.meta.papers.pem import (
    CRITERIA,
    HIGH,
    Restriction,
    of_metric,
    originals_of,
    tables_of,
)
from otherwords.meta.papers.pem_result import PemTables
from otherwords.metrics.base import Array, Metric, text_of
from otherwords.metrics.pem import ADEQUACY, Pem
from otherwords.metrics.pem_paper import PaperFeatures
from otherwords.metrics.registry import create
from otherwords.scoring.stream import by_row, evaluate
from otherwords.stats.estimates import Resampling
from otherwords.text.language import check_english
from otherwords.training.pem import FEWEST, INNER_FOLDS, judged_pairs, points_of
from otherwords.training.regression import GRID, Kernel, Points, choose, fit

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
    are left out: they are made anew for every original, with the scores of §5.1. `metrics` are
    tested beside PEM. For the others see `meta.pem_tables`; `seed` is that of the controls.
    """
    kept = [row for row in rows if not is_control(row)]
    of_human = (scales or {}).get(human, scale)
    judged = judged_pairs(kept, human, scale=of_human, seed=seed)
    kept = [row for row in kept if human in criteria_of([row])]
    if not any_language:
        check_english(judged.originals, "the text of the sources")
        check_english(judged.paraphrases, "the text of the hypotheses")
    items: dict[str, str | None] = {}
    for row in kept:
        items.setdefault(text_of(row.source or ""), row.item)
    made = [
        Row(
            control.hypothesis,
            source=control.source,
            system=CONTROL + control.kind,
            item=items[control.source],
            human=control.scores,
        )
        for control in judged.controls
    ]
    points = points_of(judged, PaperFeatures(**(settings or {})), threads=threads)
    last = points.groups >= 2 * (points.groups.max() + 1) / 3
    if (last & points.judged).sum() < FEWEST or len(np.unique(points.groups[~last])) < INNER_FOLDS:
        raise InputError(
            f"{len(np.unique(points.groups))} originals are too few to train on two thirds of them"
        )
    every = [*kept, *made]
    held_out = [every[place] for place in np.flatnonzero(last)]
    with TemporaryDirectory() as folder:
        pem, kernel = _trained(points.where(~last), settings or {}, grid, seed, folder)
    beside = metrics if isinstance(metrics, Mapping) else {name: create(name) for name in metrics}
    scorers: dict[str, Metric] = {LABEL: pem, **beside}
    scored = evaluate(
        held_out, scorers, threads=threads, any_language=any_language, progress=progress
    )
    statistics = by_row(held_out, scored)
    wanted = [*CRITERIA, *criteria_of(kept)] if criteria is None else criteria
    wanted = [name for name in dict.fromkeys(wanted) if name != human]

    def set_of(some: Sequence[Row]) -> Any:
        names = dict.fromkeys([human, *wanted, *(restriction.mentions if restriction else ())])
        return judged_set(some, list(names), scales=scales, scale=scale)

    def originals(some: Sequence[Row]) -> Any:
        return None if resampling is None else originals_of(some, resampling)

    found = tables_of(set_of(every), human, wanted, restriction, {}, originals=originals(every))
    tested, units = set_of(held_out), originals(held_out)
    both: dict[str, tuple[Metric, Array]] = {
        label: (metric, statistics[label]) for label, metric in scorers.items()
    }
    lines = [
        line
        for label, (metric, of_rows) in both.items()
        for line in of_metric(tested, human, label, metric, of_rows, units)
    ]
    number = int(points.groups.max()) + 1
    training = len(np.unique(points.groups[~last]))
    fitted = ", ".join(f"{name} {value:g}" for name, value in asdict(kernel).items())
    remarks = [
        *found.remarks,
        f"Table 3: trained on the first {training} of {number} originals with their controls "
        f"({int((~last).sum())} pairs; {fitted}), tested on the last {number - training} "
        f"({int(last.sum())} pairs, {int((last & ~points.judged).sum())} of them controls)",
    ]
    signatures = {label: metric.signature for label, metric in scorers.items()}
    return replace(found, metrics=lines, remarks=remarks, signatures=signatures)


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
    usual = dict(ADEQUACY["paper"].options)
    preset = "paper" if all(usual.get(name) == value for name, value in settings.items()) else None
    reading = {name: features.settings[name] for name in ("tokenizer", "case")}
    model = settings.get("model", "paraphrase")
    if preset is None:
        return Pem(regression=path, model=model, **reading), kernel
    return Pem(regression=path, preset=preset), kernel
