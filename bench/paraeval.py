"""ParaEval on the development sets: what paraphrases, weights and exact matching bring.

python -m bench.paraeval [agreement] [weights] [choice] [matching] [identity]
    [lengths] [speed]
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

import otherwords
from bench.data import rows
from bench.meteor import Meteor, paraphrases
from bench.speed import ROUNDS, fresh_rows, timed
from otherwords.corpus.rows import Row
from otherwords.metrics.base import Metric
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import accuracy_each, pearson, spearman_each
from otherwords.stats.resampling import resample

WMT15, MQM = "mt/wmt15-daseg", "mt/mqm21-zhen"
SETS = {WMT15: "da", "mt/wmt13-esen-da": "da", "mt/mlqe-eten": "da", MQM: "mqm"}
TABLES: dict[str, dict[str, str]] = {
    "no paraphrases": {"model": "none"},
    "1 pivot (fr)": {"languages": "fr"},
    "2 pivots (+ de)": {"languages": "fr,de"},
    "3 pivots (+ es)": {"languages": "fr,de,es"},
    "4 pivots (+ zh)": {},
    "METEOR's table": {"model": paraphrases()},
}
VARIANTS: dict[str, tuple[str, dict[str, float]]] = {
    "precision": ("paraeval-p", {}),
    "recall": ("paraeval-r", {}),
    "F": ("paraeval-f", {"idf": 0, "power": 0, "alpha": 0.5}),
    "weighted precision": ("paraeval-f", {"alpha": 0.0}),
    "weighted recall": ("paraeval-f", {"alpha": 1.0}),
    "weighted F": ("paraeval-f", {}),
}


def statistics_of(metric: Metric, segments: list[Row]) -> Array:
    """One row per segment."""
    return metric.statistics(
        [row.hypothesis for row in segments], [row.references for row in segments], threads=2
    )


def people(name: str, segments: list[Row]) -> Array:
    """The human scores of a set."""
    return np.array([row.human[SETS[name]] for row in segments])


def by_pair(scores: Array, segments: list[Row]) -> dict[str, float]:
    """Pearson with human scores for each language pair of wmt15-daseg."""
    judged = people(WMT15, segments)
    pairs = np.array([pair_of(row) for row in segments])
    return {
        pair: pearson(scores[pairs == pair], judged[pairs == pair]) or 0.0
        for pair in sorted(set(pairs))
    }


def pair_of(row: Row) -> str:
    """The language pair, which the name of the item begins with."""
    return str(row.item).split(":")[0]


def mean_of_pairs(scores: Array, segments: list[Row]) -> float:
    """The figure that peers are compared by on wmt15-daseg."""
    return float(np.mean(list(by_pair(scores, segments).values())))


def on_set(name: str, scores: Array, segments: list[Row]) -> float:
    """Segment-level Pearson; the mean over language pairs on wmt15-daseg."""
    if name == WMT15:
        return mean_of_pairs(scores, segments)
    return pearson(scores, people(name, segments)) or 0.0


def over_systems(metric: Metric, found: Array, segments: list[Row]) -> tuple[float, float, float]:
    """System-level Pearson, Spearman and pairwise accuracy."""
    names = np.array([row.system for row in segments])
    judged = people(MQM, segments)
    systems = sorted(set(names))
    mine = np.array([[metric.aggregate(found[names == one]) for one in systems]])
    theirs = np.array([[judged[names == one].mean() for one in systems]])
    return (
        pearson(mine[0], theirs[0]) or 0.0,
        float(spearman_each(mine, theirs)[0]),
        float(accuracy_each(mine, theirs)[0]),
    )


def job(metric: Metric, segments: list[Row]) -> Callable[[], object]:
    """Statistics on one thread, to be timed."""
    hypotheses = [row.hypothesis for row in segments]
    references = [row.references for row in segments]
    return lambda: metric.statistics(hypotheses, references)


def row_of(*cells: str | Sequence[float | str]) -> str:
    """A line of a table; numbers with three decimals."""
    *texts, figures = cells
    shown = [one if isinstance(one, str) else f"{one:.3f}" for one in figures]
    return f"| {' | '.join([*map(str, texts), *shown])} |"


def agreement() -> None:
    """Every variant with every table."""
    wmt, mqm = rows(WMT15), rows(MQM)
    print("wmt15-daseg: Pearson of segments by language pair; mqm21-zhen: over 8 systems\n")
    print("| paraphrases | score | cs-en | de-en | fi-en | ru-en | mean | mqm21 segments |", end="")
    print(" systems: Pearson | Spearman | pairwise accuracy |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (label, table), (name, (metric_name, options)) in product(TABLES.items(), VARIANTS.items()):
        metric = otherwords.metric(metric_name, **table, **options)
        pairs = by_pair(metric.segment_scores(statistics_of(metric, wmt)), wmt)
        found = statistics_of(metric, mqm)
        figures = [
            *pairs.values(),
            float(np.mean(list(pairs.values()))),
            on_set(MQM, metric.segment_scores(found), mqm),
            *over_systems(metric, found, mqm),
        ]
        print(row_of(label, name, figures))


def weights() -> None:
    """The two weights, one at a time and together, with the embedded pivots and METEOR's table."""
    sets = {name: rows(name) for name in SETS}
    print("Pearson of segments (wmt15-daseg: mean of language pairs), F with alpha 0.8\n")
    print(row_of("paraphrases", "matches", "words", [short(name) for name in sets]))
    print("|---|---|---|" + "---|" * len(sets))
    for label in ("no paraphrases", "4 pivots (+ zh)", "METEOR's table"):
        for power, idf in product((0.0, 0.25), (0.0, 0.5)):
            if label == "no paraphrases" and power:
                continue
            # Without weights for matches only likely paraphrases may count.
            least = {"min_probability": 0.1 if power == 0 and "pivots" in label else None}
            metric = otherwords.metric("paraeval-f", **TABLES[label], **least, power=power, idf=idf)
            cells = [
                on_set(name, metric.segment_scores(statistics_of(metric, segments)), segments)
                for name, segments in sets.items()
            ]
            print(row_of(label, "p^1/4" if power else "1", "idf^1/2" if idf else "1", cells))
    against_meteor(sets)


def short(name: str) -> str:
    """A set without its folder."""
    return name.split("/")[1]


def against_meteor(sets: dict[str, list[Row]]) -> None:
    """The weighted F against METEOR 1.5, with an interval of the difference."""
    if not Meteor.available():
        print("\nMETEOR 1.5 is left out: no Java or no pycocoevalcap here")
        return
    running = Meteor()
    print("\nparaeval-f less METEOR 1.5, 95 % interval over 1,000 draws of segments (of items)\n")
    for name, segments in sets.items():
        theirs = np.array(
            [running.score(str(r.hypothesis), [str(one) for one in r.references]) for r in segments]
        )
        for label in ("4 pivots (+ zh)", "METEOR's table"):
            metric = otherwords.metric("paraeval-f", **TABLES[label])
            mine = metric.segment_scores(statistics_of(metric, segments))
            low, high = difference(name, mine, theirs, segments)
            a, b = on_set(name, mine, segments), on_set(name, theirs, segments)
            interval = f"[{low:+.3f}, {high:+.3f}]"
            print(f"{short(name):14} {label:16} {a:.3f} - {b:.3f} = {a - b:+.3f} {interval}")
    running.close()


def difference(name: str, mine: Array, theirs: Array, segments: list[Row]) -> tuple[float, float]:
    """The interval of the difference in agreement, the rows of an item drawn together."""
    places: dict[str, list[int]] = {}
    for place, row in enumerate(segments):
        places.setdefault(str(row.item), []).append(place)
    groups = [np.array(group) for group in places.values()]
    found = []
    for draw in resample(len(groups), 1000, seed=0):
        drawn = np.concatenate([groups[number] for number in draw])
        there = [segments[place] for place in drawn]
        found.append(on_set(name, mine[drawn], there) - on_set(name, theirs[drawn], there))
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def grid() -> Iterator[dict[str, float]]:
    """What the weighted variant's options were chosen from."""
    names = ("min_probability", "power", "idf", "alpha")
    for values in product((0.001, 0.01, 0.1), (0.0, 0.25, 0.5, 1.0), (0.0, 0.5, 1.0), (0.5, 0.8)):
        yield dict(zip(names, values, strict=True))


def choice() -> None:
    """What choosing the options on the set itself is worth: chosen on three language pairs of
    wmt15-daseg, measured on the fourth.
    """
    wmt = rows(WMT15)
    tried = []
    for options in grid():
        metric = otherwords.metric("paraeval-f", **options)
        tried.append((options, by_pair(metric.segment_scores(statistics_of(metric, wmt)), wmt)))
    held_out = []
    for pair in tried[0][1]:
        best = max(tried, key=lambda one: sum(r for other, r in one[1].items() if other != pair))
        held_out.append(best[1][pair])
        print(f"{pair}: {best[1][pair]:.3f} with {best[0]}, chosen on the other three")
    metric = otherwords.metric("paraeval-f")
    default = mean_of_pairs(metric.segment_scores(statistics_of(metric, wmt)), wmt)
    best = max(np.mean(list(one[1].values())) for one in tried)
    print(f"mean, chosen on others: {np.mean(held_out):.3f}")
    print(f"defaults: {default:.3f}; best of all: {best:.3f}")


def matching() -> None:
    """Exact against greedy: matched words, agreement, time."""
    wmt = rows(WMT15)
    for label in ("4 pivots (+ zh)", "METEOR's table"):
        for name in ("paraeval-f", "paraeval-summary"):
            found, seconds = {}, {}
            for how in ("exact", "greedy"):
                metric = otherwords.metric(name, **TABLES[label], matching=how)
                found[how] = statistics_of(metric, wmt)
                seconds[how] = min(timed(job(metric, wmt)) for _ in range(3))
            exact, greedy = found["exact"], found["greedy"]
            fewer = greedy[:, 0] < exact[:, 0] - 1e-9
            print(
                f"{label:16} {name:17} proven {exact[:, -2].mean():.2%}; greedy finds fewer in "
                f"{fewer.mean():.1%} of segments, "
                f"{1 - greedy[:, 0].sum() / exact[:, 0].sum():.2%} fewer words; "
                f"Pearson {mean_of_pairs(metric.segment_scores(exact), wmt):.3f} exact, "
                f"{mean_of_pairs(metric.segment_scores(greedy), wmt):.3f} greedy; exact takes "
                f"{seconds['exact'] / seconds['greedy']:.2f} x the time"
            )


def identity() -> None:
    """Words of a set that match themselves, charged to the set or not: one reference, and two."""
    for name, variant in product((WMT15, "mt/mlqe-eten"), ("paraeval-p", "paraeval-f")):
        segments = rows(name)
        found, seconds, agreed = {}, {}, {}
        for how in ("set", "word"):
            metric = otherwords.metric(variant, identity=how)
            found[how] = statistics_of(metric, segments)
            seconds[how] = min(timed(job(metric, segments)) for _ in range(3))
            agreed[how] = on_set(name, metric.segment_scores(found[how]), segments)
        lower = found["set"][:, 0] < found["word"][:, 0] - 1e-9
        print(
            f"{name:15} {variant:10} set finds fewer in {lower.mean():.2%} of segments; Pearson "
            f"{agreed['set']:.4f} set, {agreed['word']:.4f} word; proven "
            f"{found['set'][:, -2].mean():.2%}, {found['word'][:, -2].mean():.2%}; set takes "
            f"{seconds['set'] / seconds['word']:.2f} x the time"
        )


def lengths() -> None:
    """Paraphrases of at least so many words (§4.2)."""
    sets = {name: rows(name) for name in SETS}
    print(
        "| paraphrases | score | least words | " + " | ".join(short(name) for name in sets) + " |"
    )
    print("|---|---|---|" + "---|" * len(sets))
    for label, variant, least in product(
        ("4 pivots (+ zh)", "METEOR's table"), ("precision", "F", "weighted F"), (1, 2, 3, 4)
    ):
        name, options = VARIANTS[variant]
        metric = otherwords.metric(name, **TABLES[label], **options, min_length=least)
        cells = [
            on_set(one, metric.segment_scores(statistics_of(metric, segments)), segments)
            for one, segments in sets.items()
        ]
        print(row_of(label, variant, str(least), cells))


def speed() -> None:
    """Raw text to statistics on one thread, against MAXSIM in the same run."""
    wmt = rows(WMT15)
    metrics = {
        "maxsim": otherwords.metric("maxsim"),
        "paraeval-f": otherwords.metric("paraeval-f"),
        "paraeval-p": otherwords.metric("paraeval-p"),
        "paraeval-f, METEOR's table": otherwords.metric("paraeval-f", model=paraphrases()),
        "paraeval-f, no paraphrases": otherwords.metric("paraeval-f", model="none"),
        "paraeval-summary": otherwords.metric("paraeval-summary"),
    }
    taken = []
    for number in range(ROUNDS + 1):  # the first one loads the models
        texts = fresh_rows(wmt, number)
        taken.append({name: timed(job(metric, texts)) for name, metric in metrics.items()})
    seconds = {name: statistics.median(times[name] for times in taken[1:]) for name in metrics}
    print(f"{len(wmt)} segments of wmt15-daseg, one thread, median of {ROUNDS} rounds in turns")
    for name, value in seconds.items():
        ratio = seconds["maxsim"] / value
        print(f"{name:27} {len(wmt) / value:7.0f} segments/s   {ratio:.2f} of maxsim")


def main() -> None:
    """Run the parts that are named, or all."""
    every = (agreement, weights, choice, matching, identity, lengths, speed)
    parts = {part.__name__: part for part in every}
    wanted = sys.argv[1:] or list(parts)
    for name in wanted:
        if name not in parts:
            sys.exit(f"no part '{name}'; there are {', '.join(parts)}")
    for name in wanted:
        print(f"\n## {name}\n", flush=True)
        parts[name]()


if __name__ == "__main__":
    main()
