"""How often simulated judges are flagged by the controls of `otherwords studio judge`.

python -m bench.judging

Attentive judges mean what the texts deserve, with noise of a standard deviation of .9 points.
Needs no data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from otherwords.study.agreement.human_scores import Scale
from otherwords.study.studio.judgement import CONTROLS, PairToJudge, Scores
from otherwords.study.studio.judges import check_judge

JUDGES = 500
NOISE = 0.9
CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")
DESERVED: dict[str | None, tuple[float, ...]] = {
    "copy": (5, 4.5, 1, 2),
    "random": (1, 4.5, 5, 1),
    "reference": (4.5, 4.5, 3.5, 4),
    "deleted": (2.5, 1.5, 2.5, 1.5),
    None: (3.5, 3.5, 3, 3),
}

Judge = Callable[[np.random.Generator, str | None], np.ndarray]


def attentive(random: np.random.Generator, kind: str | None, bias: float = 0.0) -> np.ndarray:
    """What the text deserves, with noise; `bias` makes a judge generous or strict."""
    meant = np.array(DESERVED[kind]) + bias + random.normal(0, NOISE, len(CRITERIA))
    return np.clip(np.rint(meant), 1, 5)


def careless(random: np.random.Generator, kind: str | None) -> np.ndarray:
    """Any key."""
    return random.integers(1, 6, len(CRITERIA)).astype(float)


def tired(random: np.random.Generator, kind: str | None) -> np.ndarray:
    """Any key every other time."""
    return careless(random, kind) if random.random() < 0.5 else attentive(random, kind)


def reversed_scale(random: np.random.Generator, kind: str | None) -> np.ndarray:
    """Takes 1 for the best."""
    return 6 - attentive(random, kind)


JUDGED_AS: dict[str, Judge] = {
    "attentive": attentive,
    "attentive, a point generous": lambda random, kind: attentive(random, kind, 1.0),
    "attentive, a point strict": lambda random, kind: attentive(random, kind, -1.0),
    "any key": careless,
    "any key every other time": tired,
    "always the middle": lambda random, kind: np.full(len(CRITERIA), 3.0),
    "always the top": lambda random, kind: np.full(len(CRITERIA), 5.0),
    "takes 1 for the best": reversed_scale,
}


def flagged(judge: Judge, of_each: int, criteria: Sequence[str]) -> float:
    """The share of judges who are flagged after so many controls of each kind."""
    pairs = [PairToJudge("a b", "c d", kind) for kind in CONTROLS for _ in range(of_each)]
    pairs += [PairToJudge("a b", "c d")] * 20
    found = 0
    for seed in range(JUDGES):
        random = np.random.default_rng(seed)
        scores: Scores = {}
        for number, pair in enumerate(pairs):
            said = dict(
                zip(CRITERIA, judge(random, pair.control).astype(int).tolist(), strict=True)
            )
            scores[number] = {name: said[name] for name in criteria}
        found += check_judge("x", pairs, scores, Scale(1, 5)).flagged
    return found / JUDGES


# The rule that we do not have: on which side of the middle the mean of a kind must be.
SIDES = (
    ("copy", "adequacy", 1),
    ("copy", "dissimilarity", -1),
    ("random", "adequacy", -1),
    ("random", "dissimilarity", 1),
    ("random", "overall", -1),
)


def flagged_by_values(judge: Judge, of_each: int) -> float:
    """The share of judges whose mean of some kind lies on the wrong side of the middle."""
    found = 0
    for seed in range(JUDGES):
        random = np.random.default_rng(seed)
        means = {
            kind: np.mean([judge(random, kind) for _ in range(of_each)], axis=0)
            for kind in ("copy", "random")
        }
        found += any(
            side * (means[kind][CRITERIA.index(name)] - 3) <= 0 for kind, name, side in SIDES
        )
    return found / JUDGES


def main() -> None:
    """One line per kind of judge, one column per number of controls."""
    print("a rule on values, all four criteria; controls of each kind:")
    for name in list(JUDGED_AS)[:3]:
        shares = [flagged_by_values(JUDGED_AS[name], n) for n in (2, 3, 5, 10)]
        print(f"{name:30}" + "".join(f"{share:8.1%}" for share in shares))
    for criteria in (CRITERIA, ("adequacy", "fluency"), ("overall",)):
        print(f"judged: {', '.join(criteria)}; controls of each kind:")
        print(f"{'':30}" + "".join(f"{n:>8}" for n in (2, 3, 5, 10)))
        for name, judge in JUDGED_AS.items():
            shares = [flagged(judge, n, criteria) for n in (2, 3, 5, 10)]
            print(f"{name:30}" + "".join(f"{share:8.1%}" for share in shares))


if __name__ == "__main__":
    main()
