"""Training a combination of statistics on judged translations: `otherwords train combine`.

Human scores are standardised within a domain (a language pair, or a set), and all domains have the
same weight. The result is evaluated on held-out domains or items, which neither the regression nor
the choice of its settings has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near, require
from otherwords.io.files import paths_of
from otherwords.metrics.base import text_of
from otherwords.metrics.mt import Combination
from otherwords.metrics.mt_statistics import (
    FAMILIES,
    NEURAL,
    BothSides,
    check_families,
    columns_of,
    resources,
)
from otherwords.models.seen import filter_of
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.training.combine_fit import (
    GRID,
    GRIDS,
    Data,
    Fitted,
    Setting,
    TrainingPool,
    fit,
)
from otherwords.study.training.regression import Reading, Validation, folds_of, resampled
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.language import check_english
from otherwords.text.sentence import Text

FEWEST = 10  # least number of judged segments in a domain
INNER_FOLDS = 3
CHOOSE = "choose"
ANCHORS = 200  # number of copies, and of unrelated pairs, that fix the scale
INSIDE = 0.95  # share of the copies, and of the unrelated pairs, within the scale

Group = Literal["langs", "item"]


@dataclass(frozen=True)
class Domain:
    """Judged segments of one language pair: one row per hypothesis-reference pair, in order."""

    name: str
    rows: Array
    segment: NDArray[np.int64]  # segment number of each row
    people: Array  # standardised human score of each segment
    items: NDArray[np.int64]  # item number of each segment

    def where(self, mask: NDArray[np.bool_]) -> Domain:
        rows = mask[self.segment]
        number = np.cumsum(mask) - 1
        return replace(
            self,
            rows=self.rows[rows],
            segment=number[self.segment[rows]],
            people=self.people[mask],
            items=self.items[mask],
        )

    @property
    def data(self) -> Data:
        """Input of the regression; the references of a segment share its weight."""
        references = np.bincount(self.segment)[self.segment]
        return Data(self.rows, self.people[self.segment], 1.0 / references)

    def best(self, values: Array) -> Array:
        """Return the best value of each segment's rows."""
        starts = np.flatnonzero(np.r_[True, np.diff(self.segment) > 0])
        return np.maximum.reduceat(values, starts)


@dataclass(frozen=True)
class Statistics:
    """Training data: domains, and pairs that fix the scale."""

    names: tuple[str, ...]
    families: tuple[str, ...]
    domains: list[Domain]
    copies: Array
    unrelated: Array
    against: str = "references"
    pairs: Sequence[tuple[str, str]] = ()  # the texts; the model stores their hashes


@dataclass(frozen=True)
class CombinationTrainingResult(Tabular):
    """The evaluation of a trained combination on held-out segments."""

    domains: list[dict[str, Any]]  # name, segments, pearson, low, high, setting
    pearson: float  # mean over the domains
    low: float  # lower end of the 95 % interval, items resampled
    high: float
    best_statistic: str  # the single statistic with the best mean over the domains
    best_pearson: float
    setting: dict[str, Any]
    group: str
    folds: int
    seed: int

    def tables(self) -> Iterator[Table]:
        segments = sum(part["segments"] for part in self.domains)
        rows: list[list[Cell]] = [
            [part["name"], part["segments"], Number(part["pearson"], part["low"], part["high"])]
            for part in self.domains
        ]
        rows.append(["mean", segments, Number(self.pearson, self.low, self.high)])
        rows.append([f"{self.best_statistic} alone", segments, self.best_pearson])
        columns = [
            Column("domain", left=True),
            Column("segments"),
            Column("pearson", decimals=3, interval="range"),
        ]
        setting = f"{self.setting['model']} {self.setting['value']:g}"
        caption = f"Pearson with human scores, {setting}, trained on {segments} segments"
        yield Table("training", columns, rows, caption)

    def notes(self) -> list[str]:
        by_item = f"{self.folds} parts by item"
        held = "each domain held out in turn" if self.group == "langs" else by_item
        return [
            f"cross-validated ({held}); 95 % intervals by resampling items",
            f"{self.best_statistic}: the best single statistic, chosen with hindsight",
        ]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def train_combination(
    paths: Sequence[str],
    output: str,
    *,
    reading: Reading = Reading("da"),  # noqa: B008 - frozen
    families: Sequence[str] | None = None,
    regression: str = "ridge",
    group: str | None = None,
    against: str = "references",
    validation: Validation = Validation(),  # noqa: B008 - frozen
) -> CombinationTrainingResult:
    """Train a combination on the judged rows of files.

    Parameters
    ----------
    paths, reading
        Files of judged rows, and how they are read.
    output
        The model file to write.
    families
        Families of statistics (default: all but the neural one).
    regression
        `ridge`, `svr`, `boosting`, or `choose`: the best one on held-out data.
    group
        The unit that is held out: `langs` (default if there are several) or `item`.
    against
        Compare with the `references` or with the `source`.
    """
    paths = paths_of(paths)
    _check_choice("regression", regression, (*GRIDS, CHOOSE))
    _check_choice("against", against, ("references", "source"))
    _check_choice("group", group or "item", ("langs", "item"))
    if regression != "ridge":
        require("sklearn")
    rows = [row for path in paths for row in read_rows(path, columns=reading.columns)]
    if not reading.any_language:
        check_english([row.hypothesis for row in rows], f"the text of the hypotheses of {paths[0]}")
    wanted = [name for name in FAMILIES if name != NEURAL] if families is None else families
    threads = validation.threads
    statistics = measure(rows, reading.human, wanted, against=against, threads=threads)
    every = tuple(setting for grid in GRIDS.values() for setting in grid)
    grid = every if regression == CHOOSE else GRIDS[regression]
    by: Any = group or ("langs" if len(statistics.domains) > 1 else "item")
    folds, seed, tick = validation.folds, validation.seed, validation.tick
    combination, result = train(statistics, grid=grid, group=by, folds=folds, seed=seed, tick=tick)
    combination.save(output)
    return result


def _check_choice(option: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"unknown {option} '{value}'; {near(value, known)}")


def measure(
    rows: Sequence[Row],
    human: str,
    families: Sequence[str],
    *,
    against: str = "references",
    threads: int = 1,
) -> Statistics:
    """Compute the statistics of the rows that have the human score, by `langs`."""
    families = check_families(families)
    judged = [row for row in rows if human in row.human]
    if not judged:
        known = sorted({name for row in rows for name in row.human})
        raise InputError(
            f"no row has a human score '{human}'; there are: {', '.join(known) or 'none at all'}"
        )
    targets = [_targets(row, against) for row in judged]
    left = [row.hypothesis for row, texts in zip(judged, targets, strict=True) for _ in texts]
    right = [target for texts in targets for target in texts]
    anchors_left, anchors_right, size = _anchors(judged, targets)
    columns = columns_of(BothSides(left + anchors_left, right + anchors_right, threads), families)
    table = np.column_stack(list(columns.values()))
    segment = np.repeat(np.arange(len(judged)), [len(texts) for texts in targets])
    return Statistics(
        tuple(columns),
        families,
        _domains(judged, human, table[: len(left)], segment),
        table[len(left) : len(left) + size],
        table[len(left) + size :],
        against,
        [(text_of(mine), text_of(target)) for mine, target in zip(left, right, strict=True)],
    )


def _targets(row: Row, against: str) -> tuple[Text, ...]:
    texts = row.references if against == "references" else (row.source,)
    known = tuple(text for text in texts if text is not None)
    if not known:
        missing = "reference" if against == "references" else "source"
        raise InputError(f"this row has no {missing} to compare with", path=row.path, line=row.line)
    return known


def _anchors(
    judged: Sequence[Row], targets: Sequence[tuple[Text, ...]]
) -> tuple[list[Text], list[Text], int]:
    """Make copies of references, then pairs of a hypothesis and another segment's reference."""
    places = np.unique(np.linspace(0, len(judged) - 1, ANCHORS).astype(int)).tolist()
    references = [targets[place][0] for place in places]
    half = len(places) // 2
    others = references[half:] + references[:half]
    hypotheses = [judged[place].hypothesis for place in places]
    return references + hypotheses, references + others, len(places)


def _domains(
    judged: Sequence[Row], human: str, table: Array, segment: NDArray[np.int64]
) -> list[Domain]:
    names = [row.langs or "all" for row in judged]
    scores = np.array([row.human[human] for row in judged])
    labels: dict[str, int] = {}
    items = np.array(
        [labels.setdefault(row.item or f"row {i}", len(labels)) for i, row in enumerate(judged)]
    )
    domains = []
    for name in dict.fromkeys(names):
        mine = np.array([other == name for other in names])
        if mine.sum() < FEWEST or not scores[mine].std() > 0:
            raise InputError(
                f"{name}: {mine.sum()} segments are judged, and their scores must differ; "
                f"{FEWEST} are needed"
            )
        people = np.where(mine, (scores - scores[mine].mean()) / scores[mine].std(), 0.0)
        domains.append(Domain(name, table, segment, people, items).where(mine))
    return domains


def train(
    statistics: Statistics,
    *,
    grid: Sequence[Setting] = GRID,
    group: Group = "langs",
    folds: int = 5,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Combination, CombinationTrainingResult]:
    """Train a combination on all domains, and evaluate it by cross-validation."""
    domains = statistics.domains
    if group == "langs" and len(domains) < 2:
        raise UsageError(
            f"--group langs needs two language pairs, and there is only '{domains[0].name}'; "
            "give rows with `langs`, or --group item"
        )
    pool = TrainingPool([domain.data for domain in domains])
    predicted = [np.zeros(len(domain.people)) for domain in domains]
    chosen: list[list[Setting]] = [[] for _ in domains]
    for training, tests in held_out(domains, group, folds, seed):
        setting = choose(training, grid, group, seed)
        model = fit(TrainingPool([domain.data for domain in training]), setting)
        for place, mask in tests:
            test = domains[place].where(mask)
            predicted[place][mask] = test.best(model.predict(test.rows))
            chosen[place].append(setting)
        tick()
    setting = choose(domains, grid, group, seed)
    provenance = {
        "setting": asdict(setting),
        "domains": {domain.name: len(domain.people) for domain in domains},
        "seed": seed,
    }
    return (
        combination_of(fit(pool, setting), statistics, provenance),
        _report(statistics, predicted, chosen, setting, group, folds, seed),
    )


def combination_of(
    fitted: Fitted, statistics: Statistics, provenance: Mapping[str, Any]
) -> Combination:
    """Put a regression on a scale from 0, near the lowest score of unrelated pairs, to 1, near the
    highest score of copies, so that few scores are clipped.
    """
    low = float(np.quantile(fitted.predict(statistics.unrelated), 1 - INSIDE))
    high = float(np.quantile(fitted.predict(statistics.copies), INSIDE))
    ends = np.array([low, high], np.float32).astype(np.float64)
    if not ends[0] < ends[1]:
        raise InputError("the trained model does not score copies above unrelated text")
    against = {} if statistics.against == "references" else {"against": statistics.against}
    return Combination(
        statistics.names,
        statistics.families,
        fitted.center,
        fitted.scale,
        ends,
        fitted.regressor,
        {**provenance, **against, "resources": resources(statistics.families)},
        seen=filter_of(statistics.pairs),
    )


def held_out(
    domains: Sequence[Domain], group: Group, folds: int, seed: int
) -> Iterator[tuple[list[Domain], list[tuple[int, NDArray[np.bool_]]]]]:
    """Yield training domains, and the domains to test on with masks of their segments.

    By `langs` each domain is held out in turn, by `item` each of the folds.
    """
    if group == "langs":
        for place, domain in enumerate(domains):
            others = [other for other in domains if other is not domain]
            yield others, [(place, np.ones(len(domain.people), bool))]
        return
    items = np.concatenate([domain.items for domain in domains])
    ends = np.cumsum([len(domain.items) for domain in domains])
    parts = np.split(folds_of(items, folds, seed), ends[:-1])
    for number in range(folds):
        training = [
            domain.where(part != number) for domain, part in zip(domains, parts, strict=True)
        ]
        tests = [(place, part == number) for place, part in enumerate(parts)]
        yield (
            [domain for domain in training if len(domain.people)],
            [(place, mask) for place, mask in tests if mask.any()],
        )


def choose(domains: Sequence[Domain], grid: Sequence[Setting], group: Group, seed: int) -> Setting:
    """Choose the setting that agrees best with held-out human scores; the first at ties."""
    if len(grid) == 1:
        return grid[0]
    inner: Group = group if group == "item" or len(domains) > 1 else "item"
    totals = dict.fromkeys(grid, 0.0)
    for training, tests in held_out(domains, inner, INNER_FOLDS, seed):
        pool = TrainingPool([domain.data for domain in training])
        for setting in grid:
            model = fit(pool, setting)
            for place, mask in tests:
                test = domains[place].where(mask)
                r = pearson(test.best(model.predict(test.rows)), test.people) or 0.0
                totals[setting] += r * len(test.people) / len(domains[place].people)
    return max(grid, key=lambda setting: round(totals[setting], 6))


def _report(
    statistics: Statistics,
    predicted: Sequence[Array],
    chosen: Sequence[Sequence[Setting]],
    setting: Setting,
    group: Group,
    folds: int,
    seed: int,
) -> CombinationTrainingResult:
    lines, draws = [], []
    for domain, scores, settings in zip(statistics.domains, predicted, chosen, strict=True):
        drawn = resampled(scores, domain.people, domain.items, seed=seed)
        if not np.isfinite(drawn).any():
            raise InputError(f"{domain.name}: the predictions do not vary")
        draws.append(drawn)
        low, high = np.nanquantile(drawn, [0.025, 0.975])
        lines.append(
            {
                "name": domain.name,
                "segments": len(scores),
                "pearson": pearson(scores, domain.people) or 0.0,
                "low": float(low),
                "high": float(high),
                "settings": [str(each) for each in dict.fromkeys(settings)],
            }
        )
    low, high = np.nanquantile(np.mean(draws, axis=0), [0.025, 0.975])
    name, alone = best_statistic(statistics)
    return CombinationTrainingResult(
        domains=lines,
        pearson=float(np.mean([line["pearson"] for line in lines])),
        low=float(low),
        high=float(high),
        best_statistic=name,
        best_pearson=alone,
        setting=asdict(setting),
        group=group,
        folds=len(statistics.domains) if group == "langs" else folds,
        seed=seed,
    )


def best_statistic(statistics: Statistics) -> tuple[str, float]:
    """Find the statistic with the highest mean correlation over the domains, and the mean."""
    means = []
    for column in range(len(statistics.names)):
        values = [
            pearson(domain.best(domain.rows[:, column]), domain.people) or 0.0
            for domain in statistics.domains
        ]
        means.append(float(np.mean(values)))
    best = int(np.argmax(means))
    return statistics.names[best], means[best]
