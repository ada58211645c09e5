"""Training PEM on judged paraphrases (PEM §5.1, §6.1): `otherwords train pem`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.columns import Chosen
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import paths_of
from otherwords.meta.judged import (
    CONTROL,
    Scale,
    criteria_of,
    is_control,
    judged_set,
    systems_of,
)
from otherwords.metrics.base import Array, text_of
from otherwords.metrics.pem import PemAdequacy, PemFeatures
from otherwords.metrics.pem_paper import PaperFeatures
from otherwords.metrics.pem_regression import FEATURES, HIGH, LOW, Regression
from otherwords.metrics.presets import expanded
from otherwords.models.seen import filter_of
from otherwords.stats.coefficients import pearson
from otherwords.tables import Column, Number, Table, Tabular
from otherwords.tables.table import Cell
from otherwords.text.language import check_english
from otherwords.training.controls import CONTROL_KINDS, DEFAULT, Control, controls_of
from otherwords.training.regression import (
    GRID,
    Kernel,
    Points,
    choose,
    cross_validate,
    fit,
    interval,
)

__all__ = [
    "JudgedPairs",
    "PemTrainingResult",
    "Split",
    "join",
    "judged_pairs",
    "points_of",
    "train",
    "train_pem",
]

ADEQUACY_POWER = 0.85  # least squares on the criteria of shakespeare-dev's own judges
FEWEST = 4  # originals: two on either side of a fold
FEWEST_SYSTEMS = 3  # two points always lie on a line
INNER_FOLDS = 3  # of the choice of hyper-parameters within each fold


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs with an overall score on the scale of 1-5, and the controls of their originals."""

    originals: list[str]
    paraphrases: list[str]
    overall: Array
    names: list[str]  # of the rows, for the report
    controls: list[Control]
    systems: Sequence[tuple[str, ...]] = ()  # that produced each of the paraphrases, if known


@dataclass(frozen=True)
class Split:
    """The paper's split (PEM §6.1): Pearson on the last third of the originals, trained on the
    others. With controls it is what the paper reports (§6.2): .8073, over systems .9867.
    """

    pairs: int  # judged, of the last third
    controls: int
    systems: int  # without controls
    sentence: float | None  # of the judged pairs alone
    sentence_controls: float | None  # and of their controls
    system: float | None  # over the means of systems, three at least
    system_controls: float | None  # each kind of control being one more


@dataclass(frozen=True)
class PemTrainingResult(Tabular):
    """How far to trust a trained regression; all figures are cross-validated by original."""

    pairs: int
    originals: int
    controls: dict[str, float]  # kind -> mean score
    kernel: dict[str, float]
    pearson: float  # with what was learnt
    low: float  # of its 95 % interval
    high: float
    people: float  # Pearson with human scores: differs only where meaning was joined
    error: float  # root mean square, on the scale of 1-5
    split: Split | None  # the paper's own; None if there are too few originals
    folds: int
    seed: int
    # name, human, target (another where meaning was joined), predicted
    residuals: list[dict[str, Any]]

    def tables(self) -> Iterator[Table]:
        """One row per figure."""
        rows: list[list[Cell]] = []
        learnt = "human scores"
        if self.people != self.pearson:
            learnt = "meaning joined with dissimilarity"
            rows.append(["Pearson with human scores for meaning", self.people])
        rows.append([f"Pearson with {learnt}", Number(self.pearson, self.low, self.high)])
        rows.append(["root mean square error, on 1-5", self.error])
        if self.split is not None:
            rows += self._split_rows(self.split)
        for kind, mean in self.controls.items():
            rows.append([f"mean score of held-out {kind} controls", mean])
        columns = [Column("figure", left=True), Column("value", decimals=3, interval="range")]
        kernel = ", ".join(f"{name} {value:g}" for name, value in self.kernel.items())
        caption = f"trained on {self.pairs} pairs of {self.originals} originals ({kernel})"
        yield Table("training", columns, rows, caption)

    def _split_rows(self, split: Split) -> list[list[Cell]]:
        """With and without controls, over sentences and over systems, as far as there are any."""
        start = "Pearson on the last third of the originals"
        rows: list[list[Cell]] = [[f"{start}, without controls", split.sentence]]
        if split.controls:
            rows.append([f"{start}, with controls", split.sentence_controls])
        systems = f"{start}, over {split.systems} system{'s' * (split.systems != 1)}"
        if split.systems >= FEWEST_SYSTEMS:
            rows.append([systems, Number(split.system)])
        if split.system_controls is not None:
            kinds = f" and {len(self.controls)} kind{'s' * (len(self.controls) != 1)} of controls"
            rows.append([systems + kinds, Number(split.system_controls)])
        return rows

    def notes(self) -> list[str]:
        """How the figures were made."""
        notes = [f"cross-validated by original, {self.folds} folds; 95 % interval by resampling"]
        if self.split is not None:
            notes.append("last third: trained on the first two thirds of the originals")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """All figures and residuals."""
        return asdict(self)


def train_pem(
    paths: Sequence[str],
    output: str,
    *,
    columns: Chosen | None = None,
    human: str = "overall",
    scale: Scale | None = None,
    meaning: bool = False,
    kinds: Sequence[str] = DEFAULT,
    preset: str | None = None,
    model: str = "paraphrase",
    settings: Mapping[str, Any] | None = None,
    folds: int = 5,
    seed: int = 0,
    threads: int = 1,
    any_language: bool = False,
    tick: Callable[[], None] = lambda: None,
) -> PemTrainingResult:
    """Train PEM's regression on the judged rows of files and write it to `output`.

    `columns` is that of `read_rows`.

    `settings` are options of the features (`PemFeatures`); with `preset="paper"` the features are
    the paper's three (`PaperFeatures`), and so are the controls. For the others see `judged_pairs`
    and `train`. `tick` is called after each fold.
    """
    paths = paths_of(paths)
    for kind in kinds:
        if kind not in CONTROL_KINDS:
            raise UsageError(
                f"unknown control '{kind}'; choose from: {', '.join(CONTROL_KINDS)}, or none"
            )
    features = features_of(preset, model, settings or {})
    if preset is not None and (meaning or tuple(kinds) != DEFAULT):
        raise UsageError(
            f"preset={preset} learns overall scores with the controls {', '.join(DEFAULT)}"
        )
    rows = [row for path in paths for row in read_rows(path, columns=columns)]
    judged = judged_pairs(rows, human, scale=scale, kinds=kinds, seed=seed)
    if not any_language:
        check_english(judged.originals, f"the text of the sources of {paths[0]}")
        check_english(judged.paraphrases, f"the text of the hypotheses of {paths[0]}")
    regression, found = train(
        judged, features, meaning=meaning, folds=folds, seed=seed, threads=threads, tick=tick
    )
    regression.save(output)
    return found


def features_of(
    preset: str | None, model: str, settings: Mapping[str, Any]
) -> PemFeatures | PaperFeatures:
    """The features of the default form, or those of the paper."""
    if preset is None:
        return PemFeatures(model=model, **settings)
    own = {} if model == "paraphrase" else {"model": model}
    return PaperFeatures(**expanded(PemAdequacy, preset, {**settings, **own}))


def join(adequacy: Array, fluency: Array, dissimilarity: Array) -> Array:
    """How judges join criteria, each 0 to 1, into an overall score of 1 to 5.

    1 + 4 a^0.85 sqrt(f) (1/4 + 3/4 d): a text that means something else is worth 1 whatever it
    looks like, a copy 2, and dissimilarity separates the good from the mediocre only where
    adequacy and fluency are high (PEM Table 2). The controls fix the quarters; `docs/pem.md`
    says where the powers come from.

    >>> join(np.array([1.0, 0, 1]), np.ones(3), np.array([0.0, 1, 1])).tolist()
    [2.0, 1.0, 5.0]
    """
    share = adequacy**ADEQUACY_POWER * np.sqrt(fluency) * (0.25 + 0.75 * dissimilarity)
    return np.asarray(LOW + (HIGH - LOW) * share)


def judged_pairs(
    rows: Sequence[Row],
    human: str,
    *,
    scale: Scale | None = None,
    kinds: Sequence[str] = DEFAULT,
    seed: int = 0,
) -> JudgedPairs:
    """The rows that have that score, mapped onto 1-5, with controls of their originals.

    Rows that are controls themselves are left out: controls are made anew.
    """
    for row in rows:
        if row.source is None:
            message = "training needs the original sentence: this row has no source"
            raise InputError(message, path=row.path, line=row.line)
    rows = [row for row in rows if not is_control(row)]
    scores = judged_set(rows, [human], scale=scale).human[human]
    kept = [i for i in range(len(rows)) if np.isfinite(scores[i])]
    if not kept:
        known = ", ".join(criteria_of(rows)) or "none at all"
        raise InputError(f"no row has a human score '{human}'; there are: {known}")
    originals = [text_of(rows[i].source or "") for i in kept]
    return JudgedPairs(
        originals,
        [text_of(rows[i].hypothesis) for i in kept],
        scores[kept],
        [rows[i].item or str(i + 1) for i in kept],
        controls_of([(None, text) for text in dict.fromkeys(originals)], kinds=kinds, seed=seed)
        if kinds
        else [],
        [systems_of(rows[i]) for i in kept],
    )


def points_of(
    judged: JudgedPairs,
    features: PemFeatures | PaperFeatures,
    *,
    meaning: bool = False,
    threads: int = 1,
) -> Points:
    """The points to regress: the judged pairs, then their controls.

    With `meaning` the judges rated meaning only, so that a copy scores top: their score is the
    adequacy, and becomes an overall score by `join` with our own dissimilarity.
    """
    made = judged.controls
    left = [*judged.paraphrases, *(control.hypothesis for control in made)]
    right = [*judged.originals, *(control.source for control in made)]
    measured = features.of(left, right, threads)
    size = len(judged.originals)
    overall = judged.overall
    if meaning:
        adequacy = (overall - LOW) / (HIGH - LOW)
        overall = join(adequacy, np.ones(size), measured[:size, FEATURES.index("ngram_difference")])
    numbers = {text: number for number, text in enumerate(dict.fromkeys(right))}
    return Points(
        measured,
        measured,
        np.array([*overall, *(control.scores["overall"] for control in made)]),
        np.ones(len(left)),
        np.array([numbers[text] for text in right]),
        np.arange(len(left)) < size,
    )


def train(
    judged: JudgedPairs,
    features: PemFeatures | PaperFeatures,
    *,
    meaning: bool = False,
    grid: Sequence[Kernel] = GRID,
    folds: int = 5,
    seed: int = 0,
    threads: int = 1,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Regression, PemTrainingResult]:
    """The regression of all pairs, and how well it does on originals that it has not seen.

    The hyper-parameters are chosen anew within each fold, so that the report does not flatter.
    """
    points = points_of(judged, features, meaning=meaning, threads=threads)
    originals = len(np.unique(points.groups))
    if originals < FEWEST:
        raise InputError(f"{originals} originals are judged; training needs {FEWEST} at least")

    def kernel_for(some: Points) -> Kernel:
        return choose(some, grid, folds=INNER_FOLDS, seed=seed)

    predicted = cross_validate(points, kernel_for, folds=folds, seed=seed, tick=tick)
    kernel = kernel_for(points)
    provenance = {
        "features": list(features.names),
        "settings": features.settings,
        "model": features.model.digest,
        "kernel": asdict(kernel),
        "pairs": int(points.judged.sum()),
        "controls": sorted({control.kind for control in judged.controls}),
        "seed": seed,
    }
    # Controls are not among them: nobody judged those.
    seen = filter_of(zip(judged.paraphrases, judged.originals, strict=True))
    regression = replace(fit(points, kernel, provenance), seen=seen)
    return regression, _report(judged, points, predicted, kernel, kernel_for, folds, seed)


def _report(
    judged: JudgedPairs,
    points: Points,
    predicted: Array,
    kernel: Kernel,
    kernel_for: Callable[[Points], Kernel],
    folds: int,
    seed: int,
) -> PemTrainingResult:
    mine, targets = predicted[points.judged], points.targets[points.judged]
    groups = points.groups[points.judged]
    low, high = interval(mine, targets, groups, seed=seed)
    return PemTrainingResult(
        pairs=len(mine),
        originals=len(np.unique(groups)),
        controls=_control_means(judged.controls, predicted[~points.judged]),
        kernel=asdict(kernel),
        pearson=pearson(mine, targets) or 0.0,
        low=low,
        high=high,
        people=pearson(mine, judged.overall) or 0.0,
        error=float(np.sqrt(((mine - targets) ** 2).mean())),
        split=_split(judged, points, kernel_for),
        folds=folds,
        seed=seed,
        residuals=[
            {"name": name, "human": said, "target": target, "predicted": score}
            for name, said, target, score in zip(
                judged.names, judged.overall.tolist(), targets.tolist(), mine.tolist(), strict=True
            )
        ],
    )


def _control_means(made: Sequence[Control], predicted: Array) -> dict[str, float]:
    kinds = list(dict.fromkeys(control.kind for control in made))
    of_kind: dict[str, NDArray[np.bool_]] = {
        kind: np.array([control.kind == kind for control in made]) for kind in kinds
    }
    return {kind: float(predicted[rows].mean()) for kind, rows in of_kind.items()}


def _split(
    judged: JudgedPairs, points: Points, kernel_for: Callable[[Points], Kernel]
) -> Split | None:
    """The first two thirds of the originals against the last third."""
    last = points.groups >= 2 * (points.groups.max() + 1) / 3
    training, pairs = points.where(~last), last & points.judged
    if pairs.sum() < FEWEST or len(np.unique(training.groups)) < 2:
        return None
    predicted = fit(training, kernel_for(training)).predict(points.measured)
    systems = [*(judged.systems or [("",)] * len(judged.names))]
    systems += [(CONTROL + control.kind,) for control in judged.controls]

    def over_systems(rows: NDArray[np.bool_]) -> tuple[int, float | None]:
        places: dict[str, list[int]] = {}
        for place in np.flatnonzero(rows).tolist():
            for name in systems[place]:
                places.setdefault(name, []).append(place)
        mine, theirs = (
            np.array([column[some].mean() for some in places.values()])
            for column in (predicted, points.targets)
        )
        return len(places), pearson(mine, theirs) if len(places) >= FEWEST_SYSTEMS else None

    made = last & ~points.judged
    number, of_systems = over_systems(pairs)
    return Split(
        pairs=int(pairs.sum()),
        controls=int(made.sum()),
        systems=number,
        sentence=pearson(predicted[pairs], points.targets[pairs]),
        sentence_controls=pearson(predicted[last], points.targets[last]) if made.any() else None,
        system=of_systems,
        system_controls=over_systems(last)[1] if made.any() else None,
    )
