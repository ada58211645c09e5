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
from otherwords.metrics.pem import FEATURES, HIGH, LOW, PemFeatures, Regression
from otherwords.metrics.registry import metric
from otherwords.metrics.rewrite import Join, Measured, RewriteFeatures
from otherwords.models.seen import filter_of
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.agreement.human_scores import (
    Scale,
    Scales,
    criteria_of,
    is_control,
    judged_set,
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
    warn_few,
)
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.language import check_english

FEWEST = 4  # least number of originals: two on either side of a fold
ALPHAS = (0.5, 0.7, 1.0, 1.4, 2.0)
REWARDS = tuple(step / 10 for step in range(11))
INNER_FOLDS = 3  # folds that choose hyper-parameters within each fold


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs with an overall score on the scale of 1-5, and the controls of their originals."""

    originals: list[str]
    paraphrases: list[str]
    overall: Array
    names: list[str]  # names of the rows, for the report
    controls: list[Control]

    @property
    def rewrites(self) -> list[str]:
        """The paraphrases, then the controls."""
        return [*self.paraphrases, *(control.hypothesis for control in self.controls)]

    @property
    def sources(self) -> list[str]:
        return [*self.originals, *(control.source for control in self.controls)]

    @property
    def targets(self) -> Array:
        return np.array([*self.overall, *(control.scores["overall"] for control in self.controls)])

    @property
    def groups(self) -> NDArray[np.int64]:
        """The number of each row's original."""
        numbers = {text: number for number, text in enumerate(dict.fromkeys(self.sources))}
        return np.array([numbers[text] for text in self.sources])

    @property
    def is_judged(self) -> NDArray[np.bool_]:
        return np.arange(len(self.sources)) < len(self.originals)


@dataclass(frozen=True)
class PemTrainingResult(Tabular):
    """The evaluation of a trained regression, cross-validated by original."""

    pairs: int
    originals: int
    controls: dict[str, float]  # kind -> mean score
    learnt: dict[str, float]  # the kernel, or how criteria are joined
    pearson: float  # with human scores
    low: float  # lower end of the 95 % interval
    high: float
    error: float  # root mean square, on the scale of 1-5
    folds: int
    seed: int
    residuals: list[dict[str, Any]]
    embedded: float | None = None  # Pearson of the embedded metric on the same pairs

    def tables(self) -> Iterator[Table]:
        rows: list[list[Cell]] = []
        rows.append(["Pearson with human scores", Number(self.pearson, self.low, self.high)])
        if self.embedded is not None:
            rows.append(["Pearson of the embedded metric", self.embedded])
        rows.append(["root mean square error, on 1-5", self.error])
        for kind, mean in self.controls.items():
            rows.append([f"mean score of held-out {kind} controls", mean])
        columns = [Column("figure", left=True), Column("value", decimals=3, interval="range")]
        learnt = ", ".join(f"{name} {value:g}" for name, value in self.learnt.items())
        caption = f"trained on {self.pairs} pairs of {self.originals} originals ({learnt})"
        yield Table("training", columns, rows, caption)

    def notes(self) -> list[str]:
        return [f"cross-validated by original, {self.folds} folds; 95 % interval by resampling"]

    def warnings(self) -> Iterator[str]:
        yield from warn_few(self.pairs)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


OVERALL = Reading("overall")


def train_pem(
    paths: Sequence[str],
    output: str,
    features: PemFeatures | RewriteFeatures | None = None,
    *,
    reading: Reading = OVERALL,
    kinds: Sequence[str] = DEFAULT,
    validation: Validation = Validation(),  # noqa: B008 - frozen
) -> PemTrainingResult:
    """Train a metric of paraphrases on the judged rows of files.

    Parameters
    ----------
    paths, reading
        Files of judged rows, and how they are read.
    output
        The model file to write.
    features
        Those of `pem`, whose regression is trained (default), or of `otherwords-rewrite`, whose
        join is.
    kinds
        Kinds of controls to add.
    validation
        How the result is cross-validated.
    """
    require("sklearn")
    features = features or PemFeatures()
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
    regression, result = train(judged, features, **vars(validation))
    regression.save(output)
    embedded = metric("pem" if isinstance(features, PemFeatures) else "otherwords-rewrite")
    statistics = embedded.statistics(judged.paraphrases, sources=judged.originals)
    return replace(result, embedded=pearson(embedded.segment_scores(statistics), judged.overall))


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
    )


Learn = Callable[[NDArray[np.bool_]], tuple[Join | Regression, dict[str, float], Array]]


def points_of(judged: JudgedPairs, features: PemFeatures, *, threads: int = 1) -> Points:
    """Make the points of the regression: the judged pairs, then their controls."""
    table = features.measure(judged.rewrites, judged.sources, threads)
    return Points(table, judged.targets, judged.groups, judged.is_judged)


def learner_of(
    judged: JudgedPairs,
    features: PemFeatures | RewriteFeatures,
    *,
    grid: Sequence[Kernel] = GRID,
    seed: int = 0,
    threads: int = 1,
) -> Learn:
    """Measure the pairs, and return how to learn from some of them: from a mask of rows to the
    model, its numbers and all rows' scores.
    """
    provenance: dict[str, Any] = {
        "pairs": len(judged.originals),
        "controls": sorted({control.kind for control in judged.controls}),
        "seed": seed,
    }
    if isinstance(features, PemFeatures):
        return _paper_learner(
            points_of(judged, features, threads=threads), features, grid, provenance
        )
    measured = features.measure(judged.rewrites, judged.sources, threads)
    provenance["meaning"] = features.meaning.signature
    targets, start = judged.targets, Join.load()

    def learn(rows: NDArray[np.bool_]) -> tuple[Join, dict[str, float], Array]:
        join = fit_join(start, measured.where(rows), targets[rows], provenance)
        numbers = {"alpha": join.alpha, "reward_difference": join.reward}
        return join, numbers, LOW + (HIGH - LOW) * join.score(measured)

    return learn


def _paper_learner(
    points: Points, features: PemFeatures, grid: Sequence[Kernel], provenance: Mapping[str, Any]
) -> Learn:
    """The paper's: support vector regression, its kernel chosen by cross-validation."""

    def learn(rows: NDArray[np.bool_]) -> tuple[Regression, dict[str, float], Array]:
        regression, kernel = fit_paper(points.where(rows), features, grid, provenance)
        return regression, asdict(kernel), regression.predict(points.features)

    return learn


def fit_paper(
    points: Points, features: PemFeatures, grid: Sequence[Kernel], provenance: Mapping[str, Any]
) -> tuple[Regression, Kernel]:
    """Choose a kernel, and fit the regression; `provenance` has the seed."""
    kernel = choose(points, grid, folds=INNER_FOLDS, seed=provenance["seed"])
    full = {
        **provenance,
        "features": list(FEATURES),
        "settings": features.pivots.settings,
        "model": features.pivots.model.digest,
        "kernel": asdict(kernel),
    }
    return fit(points, kernel, full), kernel


def fit_join(
    start: Join, measured: Measured, targets: Array, provenance: Mapping[str, Any]
) -> Join:
    """Choose the join that agrees best with the targets.

    Because sets are small, only `alpha` and the reward of difference are chosen, from a grid. The
    first of equal candidates is the one nearest to `start`.
    """

    def agreement(candidate: Join) -> tuple[float, float]:
        r = pearson(candidate.score(measured), targets)
        away = abs(candidate.reward - start.reward) + abs(candidate.alpha - start.alpha)
        return (-2.0 if r is None else round(r, 3)), -away

    plain = replace(start, provenance=provenance, digest="", seen=None)
    return max((replace(plain, alpha=a, reward=r) for a in ALPHAS for r in REWARDS), key=agreement)


def train(
    judged: JudgedPairs,
    features: PemFeatures | RewriteFeatures,
    *,
    grid: Sequence[Kernel] = GRID,
    folds: int = 5,
    seed: int = 0,
    threads: int = 1,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Join | Regression, PemTrainingResult]:
    """Learn from all pairs, and evaluate on held-out originals.

    All choices are repeated within each fold, so that the evaluation is not optimistic.
    """
    originals = len(set(judged.originals))
    if originals < FEWEST:
        raise InputError(f"{originals} originals are judged; training needs at least {FEWEST}")
    learn = learner_of(judged, features, grid=grid, seed=seed, threads=threads)
    fold = folds_of(judged.groups, folds, seed)
    predicted = np.empty(len(fold))
    for number in range(folds):
        predicted[fold == number] = learn(fold != number)[2][fold == number]
        tick()
    model, numbers, _ = learn(np.ones(len(fold), bool))
    seen = filter_of(zip(judged.paraphrases, judged.originals, strict=True))
    return replace(model, seen=seen), _report(judged, predicted, numbers, folds, seed)


def _report(
    judged: JudgedPairs, predicted: Array, numbers: dict[str, float], folds: int, seed: int
) -> PemTrainingResult:
    size = len(judged.originals)
    mine, targets, groups = predicted[:size], judged.overall, judged.groups[:size]
    low, high = interval(mine, targets, groups, seed=seed)
    scored = list(zip(judged.controls, predicted[size:], strict=True))
    return PemTrainingResult(
        pairs=len(mine),
        originals=len(np.unique(groups)),
        controls={
            kind: float(np.mean([score for control, score in scored if control.kind == kind]))
            for kind in dict.fromkeys(control.kind for control in judged.controls)
        },
        learnt=numbers,
        pearson=pearson(mine, targets) or 0.0,
        low=low,
        high=high,
        error=float(np.sqrt(((mine - targets) ** 2).mean())),
        folds=folds,
        seed=seed,
        residuals=[
            {"name": name, "human": said, "predicted": score}
            for name, said, score in zip(judged.names, targets.tolist(), mine.tolist(), strict=True)
        ],
    )
