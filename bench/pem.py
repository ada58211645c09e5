"""PEM against people: the tables of docs/results.md.

    python -m bench.pem [agreement] [copies] [joining] [ablation] [adequacy] [recognition]

All figures of `pem` are cross-validated by original sentence: the regression that scores a pair
has seen none of that original's. How originals are dealt into folds matters on a small set, so
`agreement` does it several times. The judged sets are those of tools/train_pem.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np
from tools.train_pem import KERNEL, JudgedPairs, control_kinds, points_of, read, together

from bench.agreement import by_meteor, by_metric, table
from bench.data import DATA, rows
from bench.meteor import Meteor
from otherwords.corpus.rows import Row
from otherwords.meta.judged import Scale, judged_set
from otherwords.metrics.pem import PemFeatures, criteria
from otherwords.metrics.pem_features import PAPER
from otherwords.metrics.pem_regression import CRITERIA, FEATURES, HIGH, LOW
from otherwords.metrics.registry import create
from otherwords.stats.coefficients import pearson
from otherwords.stats.draws import resample
from otherwords.training.pem import ADEQUACY_POWER, join
from otherwords.training.regression import Points, cross_validate, fit

PEERS: dict[str, dict[str, object]] = {  # all compare with the source
    "chrf": {},
    "chrf++": {},
    "chrf++, case folded": {"case": False},
    "bleu": {},
    "maxsim": {},
    "pinc": {},
}
PARTS_OF_PEM = ("pem-adequacy", "pem-fluency", "pem-dissimilarity")
CHANGED = FEATURES.index("ngram_difference")
FOLDS = 5
DEALS = 5  # of originals into folds
ABLATIONS: dict[str, dict[str, object]] = {
    "as embedded": {},
    "pivots of German alone": {"languages": ["de"]},
    "pivots of Spanish alone": {"languages": ["es"]},
    "pivots of French alone": {"languages": ["fr"]},
    "pivots of Chinese alone": {"languages": ["zh"]},
    "words not stemmed (the tables are)": {"stem": False},
    "edges not renormalised": {"renormalise": False},
    "edges > 0.1": {"edge_threshold": 0.1},
    "n-grams of up to 2": {"orders": 2},
    "n-grams of up to 4": {"orders": 4},
    "phrases of 1 word": {"longest": 1},
    "the paper's bags": vars(PAPER),
    "the paper's bags, renormalised": {**vars(PAPER), "renormalise": True},
}


def by_set(sets: Sequence[JudgedPairs], points: dict[str, Points], scores: np.ndarray):
    """The scores of each set: of its judged pairs, then of its controls."""
    ends = np.cumsum([len(points[one.name].targets) for one in sets])
    parts = np.split(scores, ends[:-1])
    return {
        one.name: (part[: len(one.human)], part[len(one.human) :])
        for one, part in zip(sets, parts, strict=True)
    }


def held_out(sets: Sequence[JudgedPairs], points: dict[str, Points], seed: int = 0):
    """Cross-validated scores of all sets."""
    scores = cross_validate(together(points), lambda _: KERNEL, folds=FOLDS, seed=seed)
    return by_set(sets, points, scores)


def left_out(sets: Sequence[JudgedPairs], points: dict[str, Points]) -> dict[str, np.ndarray]:
    """Scores of each set's pairs by a regression that has seen the other sets only."""
    found = {}
    for one in sets:
        others = {name: part for name, part in points.items() if name != one.name}
        regression = fit(together(others), KERNEL)
        found[one.name] = regression.predict(points[one.name].measured[: len(one.human)])
    return found


def shown(scores: np.ndarray, people: np.ndarray, groups: np.ndarray | None = None) -> str:
    """Pearson's r, with its 95 % interval if the originals are given.

    Of scores in several rows, one a deal, the mean of their r and the range of them.
    """
    deals = np.atleast_2d(scores)
    found = [pearson(one, people) or 0.0 for one in deals]
    text = f"{np.mean(found):.3f}"
    if len(found) > 1:
        text += f" ({min(found):.3f} to {max(found):.3f})"
    if groups is None:
        return text
    low, high = np.quantile(resampled(deals, people, groups), [0.025, 0.975])
    return f"{text} [{low:.3f}, {high:.3f}]"


def resampled(deals: np.ndarray, people: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The mean r over the deals, for each of 1,000 draws of originals."""
    names, place = np.unique(groups, return_inverse=True)
    members = [np.flatnonzero(place == number) for number in range(len(names))]
    found = []
    for draw in resample(len(names), 1000, 0):
        drawn = np.concatenate([members[number] for number in draw])
        found.append(np.mean([pearson(one[drawn], people[drawn]) or 0.0 for one in deals]))
    return np.array(found)


def peer(name: str, segments: Sequence[Row]) -> np.ndarray:
    """Segment scores of a metric against the source."""
    metric = create(name.split(",")[0], against="source", **PEERS.get(name, {}))
    sources = [row.source for row in segments]
    statistics = metric.statistics([row.hypothesis for row in segments], None, sources)
    return metric.segment_scores(statistics)


def agreement(sets: Sequence[JudgedPairs], features: PemFeatures) -> None:
    """PEM and peers on overall quality, with intervals over originals."""
    points = points_of(sets, features)
    dealt = [held_out(sets, points, seed) for seed in range(DEALS)]
    scores = {one.name: np.array([deal[one.name][0] for deal in dealt]) for one in sets}
    others = left_out(sets, points)
    lines: dict[str, list[str]] = {}
    running = Meteor() if Meteor.available() else None
    for one in sets:
        size = len(one.human)
        measured, groups = points[one.name].measured[:size], points[one.name].groups[:size]
        columns = {
            "pem, cross-validated": scores[one.name],
            "pem, the set left out of training": others[one.name],
            **dict(zip(PARTS_OF_PEM, criteria(measured).T, strict=True)),
        }
        segments = [row for row in rows(f"paraphrase/{one.name}") if "overall" in row.human]
        columns |= {name: peer(name, segments) for name in PEERS}
        if running is not None:
            columns["METEOR 1.5"] = by_meteor(running, segments, "source")
        changed = measured[:, CHANGED] > 1e-6
        for name, column in columns.items():
            lines.setdefault(name, []).append(shown(column, one.human, groups))
            if one.name == "parabank":
                lines[name].append(shown(column[..., changed], one.human[changed]))
        rivals = [name for name in columns if not name.startswith("pem")]
        best = max(rivals, key=lambda name: pearson(columns[name], one.human) or 0)
        for name in ("pem, cross-validated", "pem-adequacy"):
            gap = difference(columns[name], columns[best], one.human, groups)
            print(f"{one.name}: {name} less {best}: {gap}")
    if running is not None:
        running.close()
    print()
    header = ["parabank", "parabank without copies", "twitter-para-dev", "shakespeare-dev"]
    table(["metric", *header], [[name, *cells] for name, cells in lines.items()])


def difference(mine: np.ndarray, other: np.ndarray, people: np.ndarray, groups: np.ndarray) -> str:
    """The difference of two correlations and its 95 % interval, originals resampled."""
    mine, other = np.atleast_2d(mine), np.atleast_2d(other)
    gaps = resampled(mine, people, groups) - resampled(other, people, groups)
    low, high = np.quantile(gaps, [0.025, 0.975])
    gap = np.mean([pearson(one, people) or 0 for one in mine]) - (pearson(other[0], people) or 0)
    return f"{gap:+.3f} [{low:+.3f}, {high:+.3f}]"


def copies(sets: Sequence[JudgedPairs], features: PemFeatures) -> None:
    """What the controls score, and how often a copy beats the best-rated paraphrase."""
    points = points_of(sets, features)
    scores = held_out(sets, points)
    lines, lost, compared = [], 0, 0
    shown_kinds = list(dict.fromkeys(control_kinds(sets[0])))
    for one in sets:
        mine, controls = scores[one.name]
        kinds = np.array(control_kinds(one))
        means = [
            f"{controls[kinds == kind].mean():.2f}" if kind in kinds else "-"
            for kind in shown_kinds
        ]
        worse, size = copy_wins(one, points[one.name], mine, controls[kinds == "copy"])
        lost, compared = lost + worse, compared + size
        lines.append([one.name, f"{mine.mean():.2f}", *means, f"{worse} of {size}"])
    table(["set", "judged pairs", *shown_kinds, "copy beats best"], lines)
    print(
        f"a copy beats the best-rated paraphrase of {lost} of {compared} originals, "
        f"{100 * lost / compared:.1f} %\n"
    )


def copy_wins(
    one: JudgedPairs, points: Points, mine: np.ndarray, copied: np.ndarray
) -> tuple[int, int]:
    """Originals whose copy scores no less than their best-rated paraphrase; and all originals."""
    size = len(one.human)
    groups, changed = points.groups[:size], points.measured[:size, CHANGED] > 1e-6
    of_group = dict(zip(dict.fromkeys(groups.tolist()), copied, strict=True))
    worse = compared = 0
    for group in of_group:
        mates = np.flatnonzero((groups == group) & changed)
        if len(mates):
            best = mates[one.human[mates] == one.human[mates].max()]
            worse += bool(of_group[group] >= mine[best].mean())
            compared += 1
    return worse, compared


def joining(sets: Sequence[JudgedPairs], features: PemFeatures) -> None:
    """How far `training.pem.join` says what people say, given people's own criteria."""
    found = judged_set(
        rows("paraphrase/shakespeare-dev"),
        ["adequacy", "dissimilarity", "overall"],
        scale=Scale(1, 4),
    ).human
    shares = {name: (scores - LOW) / (HIGH - LOW) for name, scores in found.items()}
    ones = np.ones(len(shares["overall"]))
    for power in (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0):
        linear = join(shares["adequacy"] ** (power / ADEQUACY_POWER), ones, shares["dissimilarity"])
        error = np.sqrt(((linear - found["overall"]) ** 2).mean())
        print(f"power {power:.2f}: r {pearson(linear, found['overall']):.3f}, error {error:.3f}")
    measured = features.of(sets[-1].paraphrases, sets[-1].originals)[:, CHANGED]
    for name, values in (("1 - target F1", measured**2), ("its root", measured)):
        print(f"people's dissimilarity with {name}: {pearson(values, found['dissimilarity']):.3f}")
    bank = sets[0]
    measured = features.of(bank.paraphrases, bank.originals)
    joined = join(bank.adequacy, bank.fluency, measured[:, CHANGED])
    itself = pearson(joined, bank.human)
    print(f"parabank, meaning joined with dissimilarity, with meaning: {itself:.3f}")
    fluency = pearson(criteria(measured)[:, 1], bank.fluency)
    print(f"parabank, pem-fluency with people's fluency: {fluency:.3f}\n")


def ablation(sets: Sequence[JudgedPairs], features: PemFeatures) -> None:
    """PEM with parts taken out, and pivot F1 by itself, on each set."""
    lines = []
    for name, options in ABLATIONS.items():
        points = points_of(sets, PemFeatures(**options))
        lines.append([name, *_cells(sets, points)])
    base = points_of(sets, features)
    for criterion, names in CRITERIA.items():
        lines.append([f"{criterion} alone", *_cells(sets, _only(base, names), adequacy=False)])
    for criterion, names in CRITERIA.items():
        rest = [name for name in FEATURES if name not in names]
        lines.append([f"without {criterion}", *_cells(sets, _only(base, rest), adequacy=False)])
    for left_out in ("pivot_spread", "pivot_bigram_f1"):
        rest = [name for name in FEATURES if name != left_out]
        lines.append([f"without {left_out}", *_cells(sets, _only(base, rest), adequacy=False)])
    header = [f"{what} {one.name}" for what in ("pem", "pivot F1") for one in sets]
    table(["", *header], lines)


def _cells(sets, points: dict[str, Points], *, adequacy: bool = True) -> list[str]:
    scores = held_out(sets, points)
    cells = [shown(scores[one.name][0], one.human) for one in sets]
    pivots = [shown(points[one.name].measured[: len(one.human), 0], one.human) for one in sets]
    return cells + (pivots if adequacy else [""] * len(sets))


def _only(points: dict[str, Points], names: Sequence[str]) -> dict[str, Points]:
    """The same points with all other features made constant."""
    kept = np.array([name in names for name in FEATURES])
    return {
        name: part._replace(
            features=np.where(kept, part.features, 0.0),
            measured=np.where(kept, part.measured, 0.0),
        )
        for name, part in points.items()
    }


def adequacy(sets: Sequence[JudgedPairs], features: PemFeatures) -> None:
    """The bag of pivot n-grams as a metric of translation and of similarity."""
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
        for metric in ("pem-adequacy", "maxsim", "chrf", "chrf++", "bleu"):
            scores = by_metric(metric, segments, against)
            found = [
                pearson(scores[split == one], people[split == one]) for one in np.unique(split)
            ]
            lines.setdefault(metric, []).append(f"{np.mean(found):.3f}")
    header = [name.split("/")[1] for name in judged]
    header[0] += " (mean of 4)"
    table(["metric", *header], [[name, *cells] for name, cells in lines.items()])


def recognition(sets: Sequence[JudgedPairs], features: PemFeatures) -> None:
    """Paraphrase recognition on Twitter-Para: three or more of five said yes, against one or none.

    The threshold of each metric is chosen on the other folds, by F1.
    """
    segments = [
        row for row in rows("paraphrase/twitter-para-dev") if not 0.3 < row.human["overall"] < 0.5
    ]
    labels = np.array([row.human["overall"] > 0.5 for row in segments])
    _, groups = np.unique([str(row.source) for row in segments], return_inverse=True)
    lines = []
    for name in ("pem-adequacy", *PEERS):
        scores = peer(name, segments)
        found = recognised(scores, labels, groups)
        lines.append([name, *(f"{value:.3f}" for value in found)])
    print(f"{len(labels)} pairs, {labels.mean():.3f} of them paraphrases\n")
    table(["metric", "area under ROC", "precision", "recall", "F1"], lines)


def recognised(
    scores: np.ndarray, labels: np.ndarray, groups: np.ndarray
) -> tuple[float, float, float, float]:
    """Area under the ROC curve, then cross-validated precision, recall and F1."""
    from scipy.stats import rankdata

    ranks = rankdata(scores)
    yes, no = int(labels.sum()), int((~labels).sum())
    area = (ranks[labels].sum() - yes * (yes + 1) / 2) / (yes * no)
    said = np.zeros(len(labels), bool)
    for fold in range(FOLDS):
        test = groups % FOLDS == fold
        said[test] = scores[test] >= best_threshold(scores[~test], labels[~test])
    hits = int((said & labels).sum())
    precision, recall = hits / max(said.sum(), 1), hits / yes
    return area, precision, recall, 2 * hits / (said.sum() + yes)


def best_threshold(scores: np.ndarray, labels: np.ndarray) -> float:
    """The threshold with the best F1."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    f1 = 2 * hits / (np.arange(1, len(labels) + 1) + labels.sum())
    return float(scores[order][np.argmax(f1)])


PARTS: dict[str, Callable[[Sequence[JudgedPairs], PemFeatures], None]] = {
    "agreement": agreement,
    "copies": copies,
    "joining": joining,
    "ablation": ablation,
    "adequacy": adequacy,
    "recognition": recognition,
}


def main() -> None:
    """Print the tables asked for, else all."""
    sets, features = read(DATA), PemFeatures()
    print(create("pem").signature, "\n")
    for name in sys.argv[1:] or PARTS:
        print(f"### {name}\n")
        PARTS[name](sets, features)


if __name__ == "__main__":
    main()
