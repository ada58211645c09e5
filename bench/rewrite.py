"""otherwords-rewrite and human scores: the tables of docs/results.md.

    python -m bench.rewrite [agreement] [frontier] [coverage] [changes] [ablation] [joining]
        [meaning]

Where a set is one of those that the embedded regression was trained on, it is scored by one that
was trained on the others (tools/train_pem.py): "the set left out". Measuring all sets takes some
minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from tools import train_pem as training

import otherwords
from bench.agreement import by_meteor, by_metric, table
from bench.contrast import residual
from bench.data import DATA, rows
from bench.meteor import Meteor
from otherwords.corpus.rows import Row
from otherwords.metrics.difference import difference
from otherwords.metrics.meaning import FAULTS, FEATURES, WITNESSES
from otherwords.metrics.pairs import read
from otherwords.metrics.rewrite import HIGH, LOW, Join, Measured, RewriteFeatures
from otherwords.stats.coefficients import pearson
from otherwords.stats.resampling import resample
from otherwords.study.agreement.human_scores import Scale, Scales, judged_set
from otherwords.study.training.pem import ADEQUACY_POWER, error_quantiles, overall_of

PEERS: dict[str, dict[str, object]] = {  # all compare with the source
    "chrf": {},
    "chrf++": {},
    "bleu": {},
    "maxsim": {},
    "vectors": {},
    "vectors-f1": {},
    "facts": {},
    "pinc": {},
}
LEVEL = 0.9  # of intervals
REWARDS = tuple(step / 10 for step in range(11))
Samples = Mapping[str, training.Sample]


@cache
def samples() -> dict[str, training.Sample]:
    """All sets that the regression is trained on, measured."""
    return training.samples_of(DATA, RewriteFeatures())


@cache
def left_out(name: str) -> Join:
    """The regression of the other sets."""
    others = {other: one for other, one in samples().items() if other != name}
    return training.train(others, RewriteFeatures())


def scores_of(join: Join, measured: Measured) -> np.ndarray:
    """PEM's scores."""
    return join.score(join.share(measured))


def groups_of(one: training.Sample) -> np.ndarray:
    """The number of each pair's original."""
    return np.unique(one.judged.originals, return_inverse=True)[1]


def shown(scores: np.ndarray, people: np.ndarray, groups: np.ndarray | None = None) -> str:
    """Pearson's r, with its 95 % interval if the originals are given."""
    text = f"{pearson(scores, people) or 0.0:.3f}"
    if groups is None:
        return text
    low, high = np.quantile(resampled(scores, people, groups), [0.025, 0.975])
    return f"{text} [{low:.3f}, {high:.3f}]"


def resampled(scores: np.ndarray, people: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Pearson's r for each of 1,000 resamples of originals."""
    members = [np.flatnonzero(groups == number) for number in range(groups.max() + 1)]
    drawn = (
        np.concatenate([members[number] for number in draw])
        for draw in resample(len(members), 1000, 0)
    )
    return np.array([pearson(scores[some], people[some]) or 0.0 for some in drawn])


def peer(name: str, segments: Sequence[Row]) -> np.ndarray:
    """Segment scores of a metric against the source."""
    metric = otherwords.metric(name, against="source", **PEERS.get(name, {}))
    sources = [row.source for row in segments]
    statistics = metric.statistics([row.hypothesis for row in segments], None, sources)
    return metric.segment_scores(statistics)


def agreement() -> None:
    """PEM and peers on overall quality, with intervals over originals."""
    lines: dict[str, list[str]] = {}
    running = Meteor() if Meteor.available() else None
    for name in training.JOINED:
        one, join = samples()[name], left_out(name)
        measured, people, groups = one.measured, one.judged.human, groups_of(one)
        columns = {
            "otherwords-rewrite, the set left out": scores_of(join, measured),
            "meaning, the set left out": join.meaning(measured.meaning),
            "otherwords-rewrite as embedded": scores_of(embedded(), measured),
            "meaning as embedded": embedded().meaning(measured.meaning),
            "fluency": measured.fluency,
            "difference": measured.difference,
        }
        criterion = training.SOURCES[name].criterion
        segments = [row for row in rows(f"paraphrase/{name}") if criterion in row.human]
        columns |= {f"{name}": peer(name, segments) for name in PEERS}
        if running is not None:
            columns["METEOR 1.5"] = by_meteor(running, segments, "source")
        other = measured.difference > 0
        for metric, column in columns.items():
            lines.setdefault(metric, []).append(shown(column, people, groups))
            if name == "parabank":
                lines[metric].append(shown(column[other], people[other]))
    if running is not None:
        running.close()
    header = ["parabank", "parabank without copies", "twitter-para-dev", "shakespeare-dev"]
    table(["metric", *header], [[name, *cells] for name, cells in lines.items()])


@cache
def embedded() -> Join:
    """The regression that is shipped."""
    return otherwords.metric("otherwords-rewrite").join


def frontier() -> None:
    """What `reward_difference` does: the score of a copy, and Pearson on each set."""
    lines = []
    for reward in REWARDS:
        cells = []
        for name in training.JOINED:
            one = samples()[name]
            join = replace(left_out(name), reward=reward)
            scores = scores_of(join, one.measured)
            cells.append(shown(scores, one.judged.human))
            if name == "parabank":
                other = one.measured.difference > 0
                cells.append(shown(scores[other], one.judged.human[other]))
        [copy] = otherwords.metric("otherwords-rewrite", reward_difference=reward).statistics(
            ["A."], sources=["A."]
        )[:, 0]
        lines.append([f"{reward:.1f}", f"{copy:.2f}", *cells])
    header = ["parabank", "parabank without copies", "twitter-para-dev", "shakespeare-dev"]
    table(["reward_difference", "a copy", *header], lines)


def coverage() -> None:
    """How often the human score is in the interval, by other sets' errors and by the set's own."""
    lines = []
    for name in training.JOINED:
        one, join = samples()[name], left_out(name)
        scores = scores_of(join, one.measured)
        target = training.target_of(one, join)
        half = groups_of(one) % 2 == 0
        errors = np.abs(scores - target)
        by_own = []
        for mine in (half, ~half):
            known = errors[~mine]
            own = replace(join, errors=error_quantiles(known, np.ones(len(known))))
            by_own.append(covered(own, scores[mine], target[mine]))
        cells = [covered(join, scores, target), float(np.mean(by_own))]
        lines.append([name, *(f"{cell:.3f}" for cell in cells), f"{np.mean(errors):.2f}"])
    table(["set", "errors of the other sets", "of the set's other half", "mean error"], lines)


def covered(join: Join, scores: np.ndarray, target: np.ndarray) -> float:
    """The share of targets in their intervals."""
    low, high = join.interval(scores, LEVEL)
    return float(np.mean((low <= target) & (target <= high)))


def changes() -> None:
    """Good paraphrases against changed texts, by a regression that knows this change and by one
    that does not; the set is left out of both.
    """
    lines = []
    for kind in training.CHANGES:
        cells = []
        known = [other for other in training.CHANGES if other != kind]
        for what in ("near", "far"):
            for taught in (training.CHANGES, known):
                found = [_won(name, kind, what, tuple(taught)) for name in training.JOINED]
                values = np.array([value for value in found if value is not None])
                cells.append(
                    f"{values[:, 0].mean():.2f} / {values[:, 1].mean():.2f}" if len(values) else "-"
                )
        lines.append([kind, *cells])
    print("meaning / otherwords-rewrite: share of texts above their changed twin (near), and of")
    print("paraphrases above their changed original (far)\n")
    header = ["near", "near, kind left out", "far", "far, kind left out"]
    table(["change", *header], lines)


@cache
def _taught(name: str, taught: tuple[str, ...]) -> Join:
    others = {other: one for other, one in samples().items() if other != name}
    weights = training.fit_weights(others, taught)
    return training.joined(weights, others, left_out(name).provenance)


def _won(name: str, kind: str, what: str, taught: tuple[str, ...]) -> tuple[float, float] | None:
    one = samples()[name]
    assert one.contrasts is not None
    assert one.changed is not None
    pairs = getattr(one.contrasts, what).get(kind)
    if pairs is None:
        return None
    join = _taught(name, taught)
    adequacy = join.meaning(one.changed.meaning)
    whole = join.share(one.changed)
    above = [float((some[pairs[:, 0]] > some[pairs[:, 1]]).mean()) for some in (adequacy, whole)]
    return above[0], above[1]


def ablation() -> None:
    """The score and its meaning without a witness, without changed texts, without strata."""
    lines = []
    for name, (kept, options) in _ablations().items():
        cells = []
        for held in training.JOINED:
            others = {other: kept(one) for other, one in samples().items() if other != held}
            with _set(**options):
                join = training.train(others, RewriteFeatures())
            one = kept(samples()[held])
            adequacy = join.meaning(one.measured.meaning)
            scores = scores_of(join, one.measured)
            cells.append(
                f"{shown(scores, one.judged.human)}, {shown(adequacy, one.judged.adequacy)}, "
                f"{partial(one, adequacy):.3f}"
            )
        lines.append([name, *cells])
    print(
        "the set left out: otherwords-rewrite with overall, meaning with adequacy, the same "
        "given overlap\n"
    )
    table(["", *training.JOINED], lines)


def partial(one: training.Sample, adequacy: np.ndarray) -> float:
    """Correlation with human adequacy that n-gram overlap does not explain."""
    given = np.column_stack([one.measured.difference, one.overlap])
    mine, people = (residual(values, given) for values in (adequacy, one.judged.adequacy))
    return float(np.corrcoef(mine, people)[0, 1])


def _ablations() -> dict[str, tuple[Callable[[training.Sample], training.Sample], dict]]:
    found: dict[str, tuple[Callable[[training.Sample], training.Sample], dict]] = {
        "as embedded": (lambda one: one, {}),
        "without changed texts": (lambda one: one, {"NEAR": 0.0, "FAR": 0.0}),
        "without changed originals": (lambda one: one, {"FAR": 0.0}),
        "one stratum of overlap": (_unstratified, {}),
    }
    for witness in WITNESSES:
        found[f"without {witness}"] = (lambda one, witness=witness: _without(one, witness), {})
    return found


def _unstratified(one: training.Sample) -> training.Sample:
    comparisons = training.comparisons_of(one.judged.adequacy, np.zeros(len(one.overlap)), 1)
    gaps = one.judged.adequacy[comparisons[:, 0]] - one.judged.adequacy[comparisons[:, 1]]
    return one._replace(comparisons=comparisons, gaps=gaps)


def _without(one: training.Sample, witness: str) -> training.Sample:
    """The sample as if that witness saw copies only."""
    faults = FAULTS if witness == "findings" else ()
    blind = np.array([name in (*WITNESSES[witness], *faults) for name in FEATURES])
    value = 0.0 if witness == "findings" else 1.0

    def seen(measured: Measured) -> Measured:
        return measured._replace(meaning=np.where(blind, value, measured.meaning))

    return one._replace(measured=seen(one.measured), changed=one.changed and seen(one.changed))


class _set:  # noqa: N801  # reads as a statement
    """Constants of the training tool with other values for a while."""

    def __init__(self, **values: object) -> None:
        self.values = values

    def __enter__(self) -> None:
        self.old = {name: getattr(training, name) for name in self.values}
        vars(training).update(self.values)

    def __exit__(self, *_: object) -> None:
        vars(training).update(self.old)


def joining() -> None:
    """How far `training.pem.overall_of` says what people say, given people's own criteria."""
    found = judged_set(
        rows("paraphrase/shakespeare-dev"),
        ["adequacy", "dissimilarity", "overall"],
        scales=Scales(others=Scale(1, 4)),
    ).human
    shares = {name: (scores - LOW) / (HIGH - LOW) for name, scores in found.items()}
    ones = np.ones(len(shares["overall"]))
    left = 0.25 + 0.75 * shares["dissimilarity"]
    for power in (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0):
        linear = overall_of(shares["adequacy"] ** (power / ADEQUACY_POWER), ones, left)
        error = np.sqrt(((linear - found["overall"]) ** 2).mean())
        print(f"power {power:.2f}: r {pearson(linear, found['overall']):.3f}, error {error:.3f}")
    judged, reading = samples()["shakespeare-dev"].judged, RewriteFeatures().meaning.reading
    pooled = read([judged.paraphrases, judged.originals], reading)
    for orders in (1, 2, 4):
        changed = difference(pooled, reading, orders=orders)
        plain, root = (pearson(v, found["dissimilarity"]) for v in (changed, np.sqrt(changed)))
        print(f"human dissimilarity with D of up to {orders} words: {plain:.3f}, root {root:.3f}")
    fluent = samples()["parabank"]
    known = pearson(fluent.measured.fluency, fluent.judged.fluency)
    print(f"parabank, fluency with human fluency: {known:.3f}\n")


def meaning() -> None:
    """meaning as a metric of translation and of similarity."""
    judged = {
        "mt/wmt15-daseg": "da",
        "mt/wmt13-esen-da": "da",
        "mt/mlqe-eten": "da",
        "mt/mqm21-zhen": "mqm",
        "similarity/stsb-en-dev": "adequacy",
    }
    lines: dict[str, list[str]] = {}
    for name, criterion in judged.items():
        segments = [row for row in rows(name) if criterion in row.human]
        people = np.array([row.human[criterion] for row in segments])
        against = "references" if name.startswith("mt/") else "source"
        pairs = np.array([str(row.item).split(":")[0] for row in segments])
        split = pairs if name == "mt/wmt15-daseg" else np.zeros(len(segments))
        for metric in ("meaning", "maxsim", "chrf", "chrf++", "bleu"):
            scores = by_metric(metric, segments, against)
            found = [
                pearson(scores[split == one], people[split == one]) for one in np.unique(split)
            ]
            lines.setdefault(metric, []).append(f"{np.mean(found):.3f}")
    header = [name.split("/")[1] for name in judged]
    header[0] += " (mean of 4)"
    table(["metric", *header], [[name, *cells] for name, cells in lines.items()])


PARTS: dict[str, Callable[[], None]] = {
    "agreement": agreement,
    "frontier": frontier,
    "coverage": coverage,
    "changes": changes,
    "ablation": ablation,
    "joining": joining,
    "meaning": meaning,
}


def main() -> None:
    """Print the tables asked for, else all."""
    print(otherwords.metric("otherwords-rewrite").signature, "\n")
    for name in sys.argv[1:] or PARTS:
        print(f"### {name}\n")
        PARTS[name]()


if __name__ == "__main__":
    main()
