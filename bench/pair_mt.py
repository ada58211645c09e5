"""`otherwords-mt` with the pair model: its score joined with the probability of "same".

    python -m bench.pair_mt [--model PATH] [--rows 1500] [--items 30]

The score S, scaled to 0-1, becomes S**(1 - w) * P(same)**w. The judged sets are of those that
neither was trained on (`otherwords-mt` was trained on WMT's); each is scored with the weight w that
is best on the others, by the sum of Pearson's r. DEMETR and the crossed sets take the weight of all
judged sets: it is chosen without them.
"""

from __future__ import annotations

import argparse

import numpy as np

from bench import crossed
from bench.agreement import table
from bench.data import rows
from bench.pair import CROSSED, EXAMPLES, JUDGED, demetr_items, over_kinds, scores
from bench.pair_pem import WEIGHTS, joined
from otherwords.stats.coefficients import pearson
from otherwords.stats.draws import Stream

Pairs = list[tuple[str, str]]


def scaled(pairs: Pairs) -> np.ndarray:
    """`otherwords-mt` of pairs, from 0 to 1."""
    found = np.asarray(scores("otherwords-mt", pairs), float)
    return np.clip(found / (100 if found.max() > 1.5 else 1), 1e-3, 1)


def compared(items: int) -> dict[str, tuple[Pairs, Pairs]]:
    """By name of a comparison the pairs that should be above and those that should be below."""
    found: dict[str, tuple[Pairs, Pairs]] = {}
    some = [one for one in demetr_items(items) if one["severity"] == "critical"]
    for name, one, right in (
        ("plain", "human_translation", "translation"),
        ("swapped", "translation", "human_translation"),
    ):
        above = [(item[one], item[right]) for item in some]
        below = [(item[one], item["perturbed"]) for item in some]
        found[f"DEMETR critical, {name}"] = (above, below)
    for name, file in CROSSED.items():
        read = crossed.read(EXAMPLES / file)
        places = {cell: n for n, cell in enumerate(crossed.CANDIDATES)}
        for high, low in crossed.COMPARISONS:
            sides = [
                [(item.source, item.texts[places[cell]]) for item in read] for cell in (high, low)
            ]
            found[f"{name}: {high} > {low}"] = (sides[0], sides[1])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="pair")
    parser.add_argument("--rows", type=int, default=1500, help="of each judged set")
    parser.add_argument("--items", type=int, default=30, help="of each kind of DEMETR")
    given = parser.parse_args()
    pair = "pair" if given.model == "pair" else f"pair:model={given.model}"
    human, mt, same = {}, {}, {}
    for name, (path, criterion) in JUDGED.items():
        judged = [one for one in rows(path) if criterion in one.human]
        judged = Stream(0).shuffled(judged)[: given.rows]
        pairs = [(str(one.source or one.references[0]), str(one.hypothesis)) for one in judged]
        human[name] = np.array([one.human[criterion] for one in judged])
        mt[name], same[name] = scaled(pairs), scores(pair, pairs)
    agreed = {
        (name, w): pearson(joined(mt[name], same[name], w), human[name]) or 0.0
        for name in human
        for w in WEIGHTS
    }

    def best(names: list[str]) -> float:
        return max(WEIGHTS, key=lambda w: sum(agreed[name, w] for name in names))

    lines = []
    for name in human:
        w = best([other for other in human if other != name])
        alone, with_it = agreed[name, 0.0], agreed[name, w]
        lines.append([f"{name}, Pearson", f"{alone:.3f}", f"{with_it:.3f}", f"{w:.1f}"])
    w = best(list(human))
    kinds = [one for one in demetr_items(given.items) if one["severity"] == "critical"]
    names = np.array([f"critical {one['kind']}" for one in kinds])
    for name, sides in compared(given.items).items():
        cells = []
        for weight in (0.0, w):
            high, low = (joined(scaled(some), scores(pair, some), weight) for some in sides)
            wins = high > low
            share = over_kinds(wins, names, "critical") if "DEMETR" in name else wins.mean()
            cells.append(f"{share:.3f}")
        lines.append([name, *cells, f"{w:.1f}"])
    table(["", "otherwords-mt", "with pair", "weight"], lines)


if __name__ == "__main__":
    main()
