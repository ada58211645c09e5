"""PEM with the pair model: adequacy joined with the probability of "same".

    python -m bench.pair_pem [--model PATH] [--sets parabank,twitter-para-dev,shakespeare-dev]

Adequacy A becomes A**(1 - w) * P(same)**w. Each set is scored by a regression that was trained on
the other sets, and by the weight w that is best on the other sets. Measuring takes some minutes.
"""

from __future__ import annotations

import argparse

import numpy as np
from tools import train_pem as training

from bench.agreement import table
from bench.pem import groups_of, left_out, samples, shown
from otherwords.metrics.pair import Pair
from otherwords.metrics.pem_join import Joint, Measured
from otherwords.stats.coefficients import pearson

WEIGHTS = tuple(step / 10 for step in range(11))
LEAST = 0.01  # what is left of "same" where the model is sure that it is not


def joined(adequacy: np.ndarray, same: np.ndarray, weight: float) -> np.ndarray:
    """Both as one, 0 to 1."""
    return adequacy ** (1 - weight) * np.maximum(same, LEAST) ** weight


def scores(joint: Joint, measured: Measured, same: np.ndarray, weight: float) -> np.ndarray:
    """PEM with the joined adequacy."""
    factors = joint.factors(measured)
    meaning = joined(joint.adequacy(measured.adequacy), same, weight) ** joint.alpha
    others = [value for name, value in factors.items() if name != "meaning"]
    return joint.score(np.prod([meaning, *others], axis=0))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="pair")
    parser.add_argument("--sets", default=",".join(training.JOINED))
    given = parser.parse_args()
    names = given.sets.split(",")
    model = Pair(model=given.model)
    same = {}
    for name in names:
        judged = samples()[name].judged
        same[name] = model.measure(judged.paraphrases, judged.originals, 1)[:, 0]
    agreed = {
        (name, weight): pearson(
            scores(left_out(name), samples()[name].measured, same[name], weight),
            samples()[name].judged.human,
        )
        or 0.0
        for name in names
        for weight in WEIGHTS
    }
    lines: dict[str, list[str]] = {}
    for name in names:
        one, joint = samples()[name], left_out(name)
        weight = max(
            WEIGHTS, key=lambda w: sum(agreed[other, w] for other in names if other != name)
        )
        people, groups = one.judged.human, groups_of(one)
        adequacy = joint.adequacy(one.measured.adequacy)
        columns = {
            "pair": same[name],
            "pem-adequacy": adequacy,
            "pem-adequacy with pair": joined(adequacy, same[name], weight),
            "pem": scores(joint, one.measured, same[name], 0.0),
            "pem with pair": scores(joint, one.measured, same[name], weight),
        }
        for metric, column in columns.items():
            lines.setdefault(metric, []).append(shown(column, people, groups))
        lines.setdefault("weight, by the other sets", []).append(f"{weight:.1f}")
    table(["Pearson, the set left out", *names], [[name, *cells] for name, cells in lines.items()])
    print("\nPearson of pem by weight, the set left out of the regression\n")
    rows = [[f"{w:.1f}", *(f"{agreed[name, w]:.3f}" for name in names)] for w in WEIGHTS]
    table(["weight", *names], rows)


if __name__ == "__main__":
    main()
