"""Training on judged paraphrases (PEM §5.1, §6.1): `otherwords train pem` and `train rewrite`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, require
from otherwords.io.files import paths_of
from otherwords.metrics.base import text_of
from otherwords.metrics.meaning import FEATURES as MEANING
from otherwords.metrics.meaning import REGRESSION, regression_for
from otherwords.metrics.pem import FEATURES, HIGH, LOW, PemFeatures, Regression
from otherwords.metrics.rewrite import Join, Measured, RewriteFeatures, difference_share
from otherwords.models.seen import filter_of
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.agreement.human_scores import (
    CONTROL,
    Scale,
    Scales,
    criteria_of,
    is_control,
    judged_set,
    systems_of,
)
from otherwords.study.training.controls import CONTROL_KINDS, DEFAULT, Control, controls_of
from otherwords.study.training.regression import (
    GRID,
    Kernel,
    Points,
    Reading,
    Validation,
    choose,
    fit,
    folds_of,
    interval,
)
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.language import check_english

ADEQUACY_POWER = 0.85  # least squares on the criteria of shakespeare-dev's judges
FEWEST = 4  # least number of originals: two on either side of a fold
FEWEST_SYSTEMS = 3  # two points always lie on a line
ALPHAS = (0.5, 0.7, 1.0, 1.4, 2.0)
REWARDS = tuple(step / 10 for step in range(11))
KNOTS = 6  # points of the calibration line
STRAIGHT = 0.5  # share of a straight line in the calibration
INNER_FOLDS = 3  # folds that choose hyper-parameters within each fold


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs with an overall score on the scale of 1-5, and the controls of their originals."""

    originals: list[str]
    paraphrases: list[str]
    overall: Array
    names: list[str]  # names of the rows, for the report
    controls: list[Control]
    systems: Sequence[tuple[str, ...]] = ()  # systems that produced each paraphrase, if known


@dataclass(frozen=True)
class Split:
    """The paper's split (PEM §6.1): Pearson on the last third of the originals, trained on the
    others. With controls the paper reports .8073, and .9867 over systems (§6.2).
    """

    pairs: int  # judged pairs of the last third
    controls: int
    systems: int  # without controls
    sentence: float | None  # on the judged pairs
    sentence_controls: float | None  # on the judged pairs and their controls
    system: float | None  # over the means of at least three systems
    system_controls: float | None  # with each kind of control as another system


@dataclass(frozen=True)
class PemTrainingResult(Tabular):
    """The evaluation of a trained regression, cross-validated by original."""

    pairs: int
    originals: int
    controls: dict[str, float]  # kind -> mean score
    learnt: dict[str, float]  # the kernel, or how criteria are joined
    pearson: float  # with the targets of training
    low: float  # lower end of the 95 % interval
    high: float
    people: float  # Pearson with human scores; differs only if meaning was joined
    error: float  # root mean square, on the scale of 1-5
    split: Split | None  # the paper's own; None if there are too few originals
    folds: int
    seed: int
    # name, human, target (differs from human if meaning was joined), predicted
    residuals: list[dict[str, Any]]

    def tables(self) -> Iterator[Table]:
        rows: list[list[Cell]] = []
        target = "human scores"
        if self.people != self.pearson:
            target = "meaning joined with dissimilarity"
            rows.append(["Pearson with human scores for meaning", self.people])
        rows.append([f"Pearson with {target}", Number(self.pearson, self.low, self.high)])
        rows.append(["root mean square error, on 1-5", self.error])
        if self.split is not None:
            rows += self._split_rows(self.split)
        for kind, mean in self.controls.items():
            rows.append([f"mean score of held-out {kind} controls", mean])
        columns = [Column("figure", left=True), Column("value", decimals=3, interval="range")]
        learnt = ", ".join(f"{name} {value:g}" for name, value in self.learnt.items())
        caption = f"trained on {self.pairs} pairs of {self.originals} originals ({learnt})"
        yield Table("training", columns, rows, caption)

    def _split_rows(self, split: Split) -> list[list[Cell]]:
        """Make the rows of the split: with and without controls, over sentences and systems."""
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
        notes = [f"cross-validated by original, {self.folds} folds; 95 % interval by resampling"]
        if self.split is not None:
            notes.append("last third: trained on the first two thirds of the originals")
        return notes

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


OVERALL = Reading("overall")


def train_pem(
    paths: Sequence[str],
    output: str,
    *,
    reading: Reading = OVERALL,
    kinds: Sequence[str] = DEFAULT,
    model: str = "paraphrase",
    settings: Mapping[str, Any] | None = None,
    validation: Validation = Validation(),  # noqa: B008 - frozen
) -> PemTrainingResult:
    """Train PEM's regression on the judged rows of files.

    Parameters
    ----------
    paths, reading
        Files of judged rows, and how they are read.
    output
        The model file to write.
    kinds
        Kinds of controls to add.
    model, settings
        The paraphrase model, and options of `PemFeatures`.
    validation
        How the result is cross-validated.
    """
    require("sklearn")
    features = PemFeatures(model=model, **(settings or {}))
    return _train_files(paths, output, features, reading, kinds, validation)


def train_rewrite(
    paths: Sequence[str],
    output: str,
    *,
    reading: Reading = OVERALL,
    meaning: bool = False,
    kinds: Sequence[str] = DEFAULT,
    model: str = "paraphrase",
    settings: Mapping[str, Any] | None = None,
    validation: Validation = Validation(),  # noqa: B008 - frozen
) -> PemTrainingResult:
    """Train the join of `otherwords-rewrite` on the judged rows of files.

    Parameters
    ----------
    paths, output, reading, kinds, model, validation
        As in `train_pem`.
    meaning
        Whether human scores rate meaning only, so that a copy has the highest score.
    settings
        Options of `RewriteFeatures`.
    """
    require("sklearn")
    features = RewriteFeatures(model=model, **(settings or {}))
    return _train_files(paths, output, features, reading, kinds, validation, meaning)


def _train_files(
    paths: Sequence[str],
    output: str,
    features: PemFeatures | RewriteFeatures,
    reading: Reading,
    kinds: Sequence[str],
    validation: Validation,
    meaning: bool = False,
) -> PemTrainingResult:
    rows = [row for path in paths_of(paths) for row in read_rows(path, columns=reading.columns)]
    for kind in kinds:
        if kind not in CONTROL_KINDS:
            raise UsageError(
                f"unknown control '{kind}'; choose from: {', '.join(CONTROL_KINDS)}, or none"
            )
    judged = judged_pairs(
        rows, reading.human, scale=reading.scale, kinds=kinds, seed=validation.seed
    )
    if not reading.any_language:
        check_english(judged.originals, f"the text of the sources of {rows[0].path}")
        check_english(judged.paraphrases, f"the text of the hypotheses of {rows[0].path}")
    regression, result = train(judged, features, meaning=meaning, **vars(validation))
    regression.save(output)
    return result


def overall_of(adequacy: Array, fluency: Array, share: Array) -> Array:
    """Join criteria, each 0 to 1, into an overall score of 1 to 5, as judges do.

    1 + 4 a^0.85 sqrt(f) s, with s from dissimilarity (`difference_share`): a text with another
    meaning scores 1 regardless of its form, and dissimilarity separates the good from the mediocre
    only where adequacy and fluency are high (PEM Table 2).

    >>> overall_of(np.array([1.0, 0, 1]), np.ones(3), np.array([0.25, 1, 1])).tolist()
    [2.0, 1.0, 5.0]
    """
    return np.asarray(LOW + (HIGH - LOW) * adequacy**ADEQUACY_POWER * np.sqrt(fluency) * share)


def judged_pairs(
    rows: Sequence[Row],
    human: str,
    *,
    scale: Scale | None = None,
    kinds: Sequence[str] = DEFAULT,
    seed: int = 0,
) -> JudgedPairs:
    """Select the rows that have the score, mapped onto 1-5, and make controls of their originals.

    Rows that are controls themselves are replaced by these.
    """
    for row in rows:
        if row.source is None:
            message = "training needs the original sentence: this row has no source"
            raise InputError(message, path=row.path, line=row.line)
    rows = [row for row in rows if not is_control(row)]
    scores = judged_set(rows, [human], Scales(others=scale)).human[human]
    places = [i for i in range(len(rows)) if np.isfinite(scores[i])]
    if not places:
        known = ", ".join(criteria_of(rows)) or "none at all"
        raise InputError(f"no row has a human score '{human}'; there are: {known}")
    originals = [text_of(rows[i].source or "") for i in places]
    return JudgedPairs(
        originals,
        [text_of(rows[i].hypothesis) for i in places],
        scores[places],
        [rows[i].item or str(i + 1) for i in places],
        controls_of([(None, text) for text in dict.fromkeys(originals)], kinds=kinds, seed=seed)
        if kinds
        else [],
        [systems_of(rows[i]) for i in places],
    )


@dataclass(frozen=True)
class Task:
    """Targets of pairs and their controls, and how to learn from some of them.

    `learn` takes a mask of training rows and returns the model, its numbers and all rows' scores.
    """

    targets: Array
    groups: NDArray[np.int64]
    judged: NDArray[np.bool_]
    learn: Callable[[NDArray[np.bool_]], tuple[Join | Regression, dict[str, float], Array]]


def points_of(judged: JudgedPairs, features: PemFeatures, *, threads: int = 1) -> Points:
    """Make the points of the regression: the judged pairs, then their controls."""
    controls = judged.controls
    left = [*judged.paraphrases, *(control.hypothesis for control in controls)]
    right = [*judged.originals, *(control.source for control in controls)]
    table = features.measure(left, right, threads)
    numbers = {text: number for number, text in enumerate(dict.fromkeys(right))}
    return Points(
        table,
        table,
        np.array([*judged.overall, *(control.scores["overall"] for control in controls)]),
        np.ones(len(left)),
        np.array([numbers[text] for text in right]),
        np.arange(len(left)) < len(judged.originals),
    )


def task_of(
    judged: JudgedPairs,
    features: PemFeatures | RewriteFeatures,
    *,
    meaning: bool = False,
    grid: Sequence[Kernel] = GRID,
    seed: int = 0,
    threads: int = 1,
) -> Task:
    """Measure the judged pairs, then their controls.

    With `meaning` the judges rated meaning only, so that a copy has the highest score: `overall_of`
    joins their score, as adequacy, with our own dissimilarity.
    """
    controls, size = judged.controls, len(judged.originals)
    left = [*judged.paraphrases, *(control.hypothesis for control in controls)]
    right = [*judged.originals, *(control.source for control in controls)]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(right))}
    groups = np.array([numbers[text] for text in right])
    is_judged = np.arange(len(left)) < size
    fixed = [control.scores["overall"] for control in controls]
    is_pem = isinstance(features, PemFeatures)
    pivots = features.pivots if isinstance(features, PemFeatures) else features.meaning.pivots
    provenance = {
        "features": list(FEATURES if is_pem else MEANING),
        "settings": pivots.settings,
        "model": pivots.model.digest,
        "pairs": size,
        "controls": sorted({control.kind for control in controls}),
        "seed": seed,
    }
    if isinstance(features, PemFeatures):
        return _paper_task(points_of(judged, features, threads=threads), grid, seed, provenance)
    measured = features.measure(left, right, threads)
    provenance |= features.meaning.trained_with
    start = Join.load(regression_for(REGRESSION, features.encoder))
    overall = judged.overall
    if meaning:
        share = difference_share(measured.difference[:size], start.reward, start.beta)
        overall = overall_of((overall - LOW) / (HIGH - LOW), np.ones(size), share)
    targets = np.array([*overall, *fixed])

    def learn(rows: NDArray[np.bool_]) -> tuple[Join, dict[str, float], Array]:
        joint = fit_join(start, measured.where(rows), targets[rows], provenance)
        numbers = {"alpha": joint.alpha, "reward_difference": joint.reward}
        return joint, numbers, joint.score(joint.share(measured))

    return Task(targets, groups, is_judged, learn)


def _paper_task(
    points: Points, grid: Sequence[Kernel], seed: int, provenance: Mapping[str, Any]
) -> Task:
    """Make the paper's task: support vector regression, its kernel chosen by cross-validation."""

    def learn(rows: NDArray[np.bool_]) -> tuple[Regression, dict[str, float], Array]:
        some = points.where(rows)
        kernel = choose(some, grid, folds=INNER_FOLDS, seed=seed)
        regression = fit(some, kernel, {**provenance, "kernel": asdict(kernel)})
        return regression, asdict(kernel), regression.predict(points.measured)

    return Task(points.targets, points.groups, points.judged, learn)


def fit_join(
    start: Join, measured: Measured, targets: Array, provenance: Mapping[str, Any]
) -> Join:
    """Fit and calibrate the join that agrees best with the targets.

    Because sets are small, weights and level of adequacy stay those of `start`. Only `alpha` and
    the reward of difference are chosen, from a grid; the calibration is isotonic.
    """

    def agreement(candidate: Join) -> tuple[float, float]:
        r = pearson(candidate.share(measured), targets)
        away = abs(candidate.reward - start.reward) + abs(candidate.alpha - start.alpha)
        return (-2.0 if r is None else round(r, 3)), -away

    plain = replace(start, provenance=provenance, digest="", seen=None)
    best = max((replace(plain, alpha=a, reward=r) for a in ALPHAS for r in REWARDS), key=agreement)
    shares = best.share(measured)
    best = replace(best, knots=calibrated(shares, targets, np.ones(len(targets))))
    errors = np.abs(best.score(shares) - targets)
    return replace(best, errors=error_quantiles(errors, np.ones(len(errors))))


def calibrated(shares: Array, targets: Array, weights: Array) -> Array:
    """Compute the knots of a strictly rising calibration line, by isotonic regression.

    It starts at (0, 1) and ends at (1, 5). It is averaged with the straight line between these, so
    that different shares keep different scores.

    >>> shares, targets = np.array([0.2, 0.4, 0.6]), np.array([2.0, 1.0, 4.0])
    >>> calibrated(shares, targets, np.ones(3)).round(2).tolist()
    [[0.0, 0.2, 0.4, 0.6, 1.0], [1.0, 1.65, 2.05, 3.7, 5.0]]
    """
    from sklearn.isotonic import IsotonicRegression

    places = np.unique(np.concatenate([[0.0], _quantiles(shares, weights, KNOTS), [1.0]]))
    model = IsotonicRegression(y_min=LOW, y_max=HIGH, out_of_bounds="clip")
    model.fit(shares, np.clip(targets, LOW, HIGH), sample_weight=weights)
    levels = np.asarray(model.predict(places), np.float64)
    levels[0], levels[-1] = LOW, HIGH
    line = LOW + (HIGH - LOW) * places
    return np.array([places, np.round((1 - STRAIGHT) * levels + STRAIGHT * line, 6)])


def error_quantiles(errors: Array, weights: Array) -> Array:
    """Compute quantiles of absolute errors from 0 to 1, in steps of 1 %."""
    return np.round(_quantiles(errors, weights, 101), 6)


def _quantiles(values: Array, weights: Array, number: int) -> Array:
    order = np.argsort(values, kind="stable")
    ranks = np.cumsum(weights[order]) / weights.sum()
    places = np.searchsorted(ranks, np.linspace(0, 1, number) - 1e-12)
    return np.asarray(values[order][np.minimum(places, len(values) - 1)])


def train(
    judged: JudgedPairs,
    features: PemFeatures | RewriteFeatures,
    *,
    meaning: bool = False,
    grid: Sequence[Kernel] = GRID,
    folds: int = 5,
    seed: int = 0,
    threads: int = 1,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Join | Regression, PemTrainingResult]:
    """Learn from all pairs, and evaluate on held-out originals.

    All choices are repeated within each fold, so that the evaluation is not optimistic. Errors for
    intervals come from held-out pairs.
    """
    task = task_of(judged, features, meaning=meaning, grid=grid, seed=seed, threads=threads)
    originals = len(np.unique(task.groups))
    if originals < FEWEST:
        raise InputError(f"{originals} originals are judged; training needs at least {FEWEST}")
    predicted = np.empty(len(task.targets))
    fold = folds_of(task.groups, folds, seed)
    for number in range(folds):
        predicted[fold == number] = task.learn(fold != number)[2][fold == number]
        tick()
    model, numbers, _ = task.learn(np.ones(len(task.targets), bool))
    if isinstance(model, Join):
        errors = np.abs(predicted - task.targets)[task.judged]
        model = replace(model, errors=error_quantiles(errors, np.ones(len(errors))))
    seen = filter_of(zip(judged.paraphrases, judged.originals, strict=True))
    return replace(model, seen=seen), _report(judged, task, predicted, numbers, folds, seed)


def _report(
    judged: JudgedPairs,
    task: Task,
    predicted: Array,
    numbers: dict[str, float],
    folds: int,
    seed: int,
) -> PemTrainingResult:
    mine, targets = predicted[task.judged], task.targets[task.judged]
    groups = task.groups[task.judged]
    low, high = interval(mine, targets, groups, seed=seed)
    return PemTrainingResult(
        pairs=len(mine),
        originals=len(np.unique(groups)),
        controls=_control_means(judged.controls, predicted[~task.judged]),
        learnt=numbers,
        pearson=pearson(mine, targets) or 0.0,
        low=low,
        high=high,
        people=pearson(mine, judged.overall) or 0.0,
        error=float(np.sqrt(((mine - targets) ** 2).mean())),
        split=_split(judged, task),
        folds=folds,
        seed=seed,
        residuals=[
            {"name": name, "human": said, "target": target, "predicted": score}
            for name, said, target, score in zip(
                judged.names, judged.overall.tolist(), targets.tolist(), mine.tolist(), strict=True
            )
        ],
    )


def _control_means(controls: Sequence[Control], predicted: Array) -> dict[str, float]:
    kinds = list(dict.fromkeys(control.kind for control in controls))
    of_kind: dict[str, NDArray[np.bool_]] = {
        kind: np.array([control.kind == kind for control in controls]) for kind in kinds
    }
    return {kind: float(predicted[rows].mean()) for kind, rows in of_kind.items()}


def _split(judged: JudgedPairs, task: Task) -> Split | None:
    """Train on the first two thirds of the originals, and test on the last third."""
    last = task.groups >= 2 * (task.groups.max() + 1) / 3
    pairs = last & task.judged
    if pairs.sum() < FEWEST or len(np.unique(task.groups[~last])) < 2:
        return None
    predicted = task.learn(~last)[2]
    systems = [*(judged.systems or [("",)] * len(judged.names))]
    systems += [(CONTROL + control.kind,) for control in judged.controls]

    def over_systems(rows: NDArray[np.bool_]) -> tuple[int, float | None]:
        places: dict[str, list[int]] = {}
        for place in np.flatnonzero(rows).tolist():
            for name in systems[place]:
                places.setdefault(name, []).append(place)
        mine, theirs = (
            np.array([column[some].mean() for some in places.values()])
            for column in (predicted, task.targets)
        )
        return len(places), pearson(mine, theirs) if len(places) >= FEWEST_SYSTEMS else None

    controls = last & ~task.judged
    number, of_systems = over_systems(pairs)
    return Split(
        pairs=int(pairs.sum()),
        controls=int(controls.sum()),
        systems=number,
        sentence=pearson(predicted[pairs], task.targets[pairs]),
        sentence_controls=pearson(predicted[last], task.targets[last]) if controls.any() else None,
        system=of_systems,
        system_controls=over_systems(last)[1] if controls.any() else None,
    )
