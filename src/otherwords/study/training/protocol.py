"""PEM's experiment end to end (Liu, Dahlmeier & Ng 2010, §5.1, §6): add controls to a judged set,
train a regression on the first two thirds of the originals, and test it on the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, require
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.pem import Pem, PemFeatures
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement.arrays import Scoring, metrics_by_label
from otherwords.study.agreement.human_scores import CONTROL, FIVE, Scales, criteria_of, is_control
from otherwords.study.papers.pem import PemTables, pem_tables
from otherwords.study.training.pem import (
    FEWEST,
    INNER_FOLDS,
    JudgedPairs,
    fit_paper,
    judged_pairs,
    points_of,
)
from otherwords.study.training.regression import GRID, Kernel, Points
from otherwords.text.language import check_english

LABEL = "pem"


def pem_protocol(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = (),
    human: str = "overall",
    *,
    scales: Scales = Scales(),  # noqa: B008 - frozen
    settings: Mapping[str, Any] | None = None,
    resampling: Resampling | None = None,
    seed: int = 0,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> PemTables:
    """Compute PEM's Tables 1 and 2 on all rows with controls, and Table 3 on the last third.

    Controls among the rows are replaced by new ones for every original, with the scores of §5.1.
    Cost, gamma and epsilon are chosen by cross-validation on the training part.

    Parameters
    ----------
    rows, metrics, human, scales, resampling, scoring
        As in `papers.pem_tables`; `metrics` are tested together with PEM.
    settings
        Options of `PemFeatures` (default: the paper's features).
    seed
        The seed of the controls and of cross-validation.
    """
    require("sklearn")
    judged_rows = [row for row in rows if not is_control(row)]
    scale = scales.criteria.get(human, scales.others)
    judged = judged_pairs(judged_rows, human, scale=scale, seed=seed)
    if not scoring.any_language:
        check_english(judged.originals, "the text of the sources")
        check_english(judged.paraphrases, "the text of the hypotheses")
    every = _with_controls([row for row in judged_rows if human in criteria_of([row])], judged)
    points = points_of(judged, PemFeatures(**(settings or {})), threads=scoring.threads)
    number = int(points.groups.max()) + 1
    last = points.groups >= 2 * number / 3
    if (last & points.judged).sum() < FEWEST or len(np.unique(points.groups[~last])) < INNER_FOLDS:
        raise InputError(f"{number} originals are too few to train on two thirds of them")
    with TemporaryDirectory() as folder:
        pem, kernel = _train(points.where(~last), settings or {}, seed, folder)
    tables = partial(
        pem_tables,
        human=human,
        scales=replace(scales, controls=FIVE),
        resampling=resampling,
        scoring=scoring,
    )
    result = tables(every)
    held_out = [every[place] for place in np.flatnonzero(last)]
    tested = tables(held_out, {LABEL: pem, **metrics_by_label(metrics)})
    training = len(np.unique(points.groups[~last]))
    fitted = ", ".join(f"{name} {value:g}" for name, value in asdict(kernel).items())
    remark = (
        f"Table 3: trained on the first {training} of {number} originals with their controls "
        f"({int((~last).sum())} pairs; {fitted}), tested on the last {number - training} "
        f"({int(last.sum())} pairs, {int((last & ~points.judged).sum())} of them controls)"
    )
    return replace(
        result,
        metrics=tested.metrics,
        remarks=[*result.remarks, remark],
        signatures=tested.signatures,
    )


def _with_controls(rows: Sequence[Row], judged: JudgedPairs) -> list[Row]:
    """Add the controls of the originals as rows of the same items."""
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


def _train(
    points: Points, settings: Mapping[str, Any], seed: int, folder: str
) -> tuple[Pem, Kernel]:
    """Train PEM on these points; return it with its hyper-parameters."""
    provenance = {"pairs": int(points.judged.sum()), "seed": seed}
    regression, kernel = fit_paper(points, PemFeatures(**settings), GRID, provenance)
    path = Path(folder) / "trained.owm"
    regression.save(path)
    options = {name: settings[name] for name in ("model", "tokenizer", "case") if name in settings}
    return Pem(regression=path, **options), kernel
