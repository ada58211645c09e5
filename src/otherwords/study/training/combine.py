"""Training a combination of statistics on judged translations: `otherwords train combine`.

Human scores are standardised within a domain (a language pair, or a set), and all domains have the
same weight. The result is evaluated on held-out domains or items, which neither the regression nor
the choice of its settings has seen.

The ridge regression is fitted to deviations from the means of a domain, because human scores are
deviations too; so it learns nothing from how difficult a domain is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import paths_of
from otherwords.metrics.base import text_of
from otherwords.metrics.mt import FARTHEST, Combination, weighted_sums
from otherwords.metrics.mt_statistics import (
    FAMILIES,
    BothSides,
    check_families,
    columns_of,
    resources,
)
from otherwords.metrics.registry import metric
from otherwords.models.seen import filter_of
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.training.regression import Reading, Validation, folds_of, resampled, warn_few
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.language import check_english
from otherwords.text.sentence import Text

PENALTIES = (0.03, 0.1, 0.3, 1.0)  # among which training chooses
FEWEST = 10  # least number of judged segments in a domain
INNER_FOLDS = 3
ANCHORS = 200  # number of copies, and of unrelated pairs, that fix the scale
INSIDE = 0.95  # share of the copies, and of the unrelated pairs, within the scale

Group = Literal["langs", "item"]


class Data(NamedTuple):
    """Statistics with the human score of each row; only ratios of weights matter."""

    rows: Array
    people: Array
    weights: Array


class TrainingPool:
    """Domains on one scale."""

    def __init__(self, domains: Sequence[Data]) -> None:
        self.domains = [
            data._replace(weights=data.weights / data.weights.sum()) for data in domains
        ]

    @cached_property
    def center(self) -> Array:
        """The mean of the domains' means."""
        means = [data.weights @ data.rows for data in self.domains]
        return single(np.mean(means, axis=0))

    @cached_property
    def scale(self) -> Array:
        variances = [
            data.weights @ (data.rows - data.weights @ data.rows) ** 2 for data in self.domains
        ]
        deviations = np.sqrt(np.mean(variances, axis=0))
        return single(np.where(deviations > 1e-9, deviations, 1.0))

    def standard(self, rows: Array) -> Array:
        """Standardise and clip rows."""
        return np.asarray(np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST))

    @cached_property
    def moments(self) -> tuple[Array, Array]:
        """Mean over the domains of X'X and X'y, both as deviations from their means."""
        squares, products = [], []
        for data in self.domains:
            rows = self.standard(data.rows)
            rows = rows - data.weights @ rows
            people = data.people - data.weights @ data.people
            weighted = rows * data.weights[:, None]
            squares.append(weighted.T @ rows)
            products.append(weighted.T @ people)
        return np.mean(squares, axis=0), np.mean(products, axis=0)


@dataclass(frozen=True)
class Fitted:
    """A regression with the scale of its statistics."""

    center: Array
    scale: Array
    weights: Array

    def predict(self, rows: Array) -> Array:
        """Predict human scores, in standard deviations."""
        standard = np.clip((rows - self.center) / self.scale, -FARTHEST, FARTHEST)
        return weighted_sums(standard, self.weights)


def fit(pool: TrainingPool, penalty: float) -> Fitted:
    """Fit the weights to all domains, with numbers rounded as in a file."""
    square, product = pool.moments
    weights = np.linalg.solve(square + penalty * np.eye(len(product)), product)
    return Fitted(pool.center, pool.scale, single(weights))


def single(numbers: NDArray[Any]) -> Array:
    """Round to single precision, as in the file: last digits of a double depend on threads."""
    return np.ascontiguousarray(numbers.astype(np.float32), np.float64)


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

    domains: list[dict[str, Any]]  # name, segments, pearson, low, high, penalties
    pearson: float  # mean over the domains
    low: float  # lower end of the 95 % interval, items resampled
    high: float
    best_statistic: str  # the single statistic with the best mean over the domains
    best_pearson: float
    penalty: float
    group: str
    folds: int
    seed: int
    embedded: float | None = None  # mean Pearson of otherwords-mt

    def tables(self) -> Iterator[Table]:
        segments = sum(part["segments"] for part in self.domains)
        rows: list[list[Cell]] = [
            [part["name"], part["segments"], Number(part["pearson"], part["low"], part["high"])]
            for part in self.domains
        ]
        rows.append(["mean", segments, Number(self.pearson, self.low, self.high)])
        rows.append([f"{self.best_statistic} alone", segments, self.best_pearson])
        if self.embedded is not None:
            rows.append(["otherwords-mt, embedded", segments, self.embedded])
        columns = [
            Column("domain", left=True),
            Column("segments"),
            Column("pearson", decimals=3, interval="range"),
        ]
        caption = (
            f"Pearson with human scores, ridge {self.penalty:g}, trained on {segments} segments"
        )
        yield Table("training", columns, rows, caption)

    def notes(self) -> list[str]:
        by_item = f"{self.folds} parts by item"
        held = "each domain held out in turn" if self.group == "langs" else by_item
        return [
            f"cross-validated ({held}); 95 % intervals by resampling items",
            f"{self.best_statistic}: the best single statistic, chosen with hindsight",
        ]

    def warnings(self) -> Iterator[str]:
        yield from warn_few(sum(part["segments"] for part in self.domains))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def train_combination(
    paths: Sequence[str],
    output: str,
    *,
    reading: Reading = Reading("da"),  # noqa: B008 - frozen
    families: Sequence[str] | None = None,
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
        Families of statistics (default: all).
    group
        The unit that is held out: `langs` (default if there are several) or `item`.
    against
        Compare with the `references` or with the `source`.
    """
    paths = paths_of(paths)
    _check_choice("against", against, ("references", "source"))
    _check_choice("group", group or "item", ("langs", "item"))
    rows = [row for path in paths for row in read_rows(path, columns=reading.columns)]
    if not reading.any_language:
        check_english([row.hypothesis for row in rows], f"the text of the hypotheses of {paths[0]}")
    wanted = list(FAMILIES) if families is None else families
    threads = validation.threads
    statistics = measure(rows, reading.human, wanted, against=against, threads=threads)
    by: Any = group or ("langs" if len(statistics.domains) > 1 else "item")
    folds, seed, tick = validation.folds, validation.seed, validation.tick
    combination, result = train(statistics, group=by, folds=folds, seed=seed, tick=tick)
    combination.save(output)
    if against != "references":
        return result
    return replace(result, embedded=_score_embedded(rows, reading.human, threads))


def _score_embedded(rows: Sequence[Row], human: str, threads: int) -> float | None:
    """The mean over domains of the embedded metric's correlation with the human score."""
    domains: dict[str | None, list[Row]] = {}
    for row in rows:
        if human in row.human:
            domains.setdefault(row.langs, []).append(row)
    embedded = metric("otherwords-mt")
    found = [
        pearson(
            embedded.segment_scores(embedded.of_rows(mine, threads)),
            np.array([row.human[human] for row in mine]),
        )
        for mine in domains.values()
    ]
    known = [r for r in found if r is not None]
    return float(np.mean(known)) if known else None


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
    group: Group = "langs",
    folds: int = 5,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Combination, CombinationTrainingResult]:
    """Train a combination on all domains, and evaluate it by cross-validation."""
    domains = statistics.domains
    if group == "langs" and len(domains) < 2:
        raise UsageError(
            f"`group` langs needs two language pairs, and there is only '{domains[0].name}'; "
            "give rows with `langs`, or `group` item"
        )
    pool = TrainingPool([domain.data for domain in domains])
    predicted = [np.zeros(len(domain.people)) for domain in domains]
    chosen: list[list[float]] = [[] for _ in domains]
    for training, tests in held_out(domains, group, folds, seed):
        penalty = choose(training, group, seed)
        model = fit(TrainingPool([domain.data for domain in training]), penalty)
        for place, mask in tests:
            test = domains[place].where(mask)
            predicted[place][mask] = test.best(model.predict(test.rows))
            chosen[place].append(penalty)
        tick()
    penalty = choose(domains, group, seed)
    provenance = {
        "penalty": penalty,
        "domains": {domain.name: len(domain.people) for domain in domains},
        "seed": seed,
    }
    return (
        combination_of(fit(pool, penalty), statistics, provenance),
        _report(statistics, predicted, chosen, penalty, group, folds, seed),
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
        fitted.weights,
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


def choose(domains: Sequence[Domain], group: Group, seed: int) -> float:
    """Choose the penalty that agrees best with held-out human scores; the first at ties."""
    inner: Group = group if group == "item" or len(domains) > 1 else "item"
    totals = dict.fromkeys(PENALTIES, 0.0)
    for training, tests in held_out(domains, inner, INNER_FOLDS, seed):
        pool = TrainingPool([domain.data for domain in training])
        for penalty in PENALTIES:
            model = fit(pool, penalty)
            for place, mask in tests:
                test = domains[place].where(mask)
                r = pearson(test.best(model.predict(test.rows)), test.people) or 0.0
                totals[penalty] += r * len(test.people) / len(domains[place].people)
    return max(PENALTIES, key=lambda penalty: round(totals[penalty], 6))


def _report(
    statistics: Statistics,
    predicted: Sequence[Array],
    chosen: Sequence[Sequence[float]],
    penalty: float,
    group: Group,
    folds: int,
    seed: int,
) -> CombinationTrainingResult:
    lines, draws = [], []
    for domain, scores, penalties in zip(statistics.domains, predicted, chosen, strict=True):
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
                "penalties": list(dict.fromkeys(penalties)),
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
        penalty=penalty,
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
