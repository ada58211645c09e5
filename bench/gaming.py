"""Can a metric of paraphrases be won by a text that is no paraphrase?

    python -m bench.gaming [-m METRIC[:OPTION=VALUE,...] ...] [--rows N] [--attack N]

For every original, the best-rated candidate that is no copy and in the top third of its scale (in
the crossed set: right-far) must score above versions of the original and of the candidate itself
that are misspelt, doubled, halved, shuffled, negated and so on (`tools/changes.py`), above copies
with a preface or an ending, keyword lists, the first half, the prompt echoed back, refusals, and
an unrelated sentence. Originals without such a candidate are left out and counted. Printed is the
share of originals where it is above; a tie is a loss. PINC and chrF are there to show which of
these tests mere difference or mere overlap passes.

The search attack starts from N originals of the crossed set and makes 200 greedy edits, each the
best of ten random ones, that raise `otherwords-rewrite`; printed is what wins.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.agreement import table
from bench.contrast import scores
from bench.crossed import CANDIDATES, FILE, read
from bench.data import rows
from otherwords.errors import OtherwordsError
from otherwords.stats.resampling import Stream
from otherwords.study.training.controls import controls_of
from otherwords.text.sentence import tokenize

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from changes import CHANGES, changed, folded

METRICS = ("otherwords-rewrite", "meaning", "encoder-cos", "chrf", "pinc")
SETS = {  # human score, lowest and highest value
    "paraphrase/parabank": ("overall", 0.0, 100.0),
    "paraphrase/twitter-para-dev": ("overall", 0.0, 1.0),
    "paraphrase/shakespeare-dev": ("overall", 1.0, 4.0),
}
KINDS = (
    *("misspelt", "repeated", "doubled", "halved", "shuffle"),
    *("negated", "number", "name", "antonym"),
)
STEPS, PROPOSALS, EXAMPLES = 200, 10, 5
SHORT = 4  # letters of the longest word that a keyword list leaves out
PADDED: dict[str, Callable[[str], str]] = {
    "preface": lambda text: f"In other words: {text}",
    "ending": lambda text: f"{text.rstrip('.!?')}, as they say.",
    "echo": lambda text: f"Rewrite the following text: {text} Here is the rewritten text: {text}",
    "keywords": lambda text: ", ".join(w.strip(".,;:!?") for w in text.split() if len(w) > SHORT),
    "cut off": lambda text: " ".join(text.split()[: max(1, len(text.split()) // 2)]),
    "refusal": lambda text: "I'm sorry, but as an AI language model I cannot help with that.",
    "empty": lambda text: "",
}

Scorer = Callable[[Sequence[str], Sequence[str]], np.ndarray]


@dataclass(frozen=True)
class Good:
    """An original and a good paraphrase of it."""

    origin: str
    original: str
    paraphrase: str


@dataclass(frozen=True)
class Attack:
    """Texts that must lose, of one kind: which original each is of."""

    name: str
    places: list[int]
    texts: list[str]


def best_rated(name: str) -> tuple[list[Good], int]:
    """Originals of a judged set with their best candidate, and how many have none."""
    criterion, low, high = SETS[name]
    best: dict[str, tuple[float, str]] = {}
    originals = set()
    for row in rows(name):
        original, text = str(row.source), str(row.hypothesis)
        originals.add(original)
        human = row.human.get(criterion)
        if human is None or folded(text) == folded(original):
            continue
        if human >= low + (high - low) * 2 / 3 and human > best.get(original, (-np.inf, ""))[0]:
            best[original] = human, text
    short = name.split("/")[1]
    return [Good(short, original, text) for original, (_, text) in best.items()], len(
        originals
    ) - len(best)


def crossed(path: Path) -> list[Good]:
    """Originals of the crossed set with their thorough, right rewordings."""
    far = CANDIDATES.index("right-far")
    return [Good("crossed", item.source, item.texts[far]) for item in read(path)]


def attacks(good: Sequence[Good]) -> list[Attack]:
    """All texts that must lose, by kind."""
    found = []
    sides = {
        "original": [one.original for one in good],
        "paraphrase": [one.paraphrase for one in good],
    }
    for kind in KINDS:
        found += [_attack(f"{kind} {side}", kind, texts) for side, texts in sides.items()]
    for name, change in PADDED.items():
        places = [k for k, one in enumerate(good) if change(one.original) != one.original]
        found.append(Attack(name, places, [change(good[place].original) for place in places]))
    return [*found, _attack("unrelated", "random", sides["original"])]


def _attack(name: str, kind: str, texts: Sequence[str]) -> Attack:
    if kind in CHANGES:
        made = dict(zip(texts, changed(texts, kind), strict=True))
    else:
        controls = controls_of([(None, text) for text in texts], kinds=[kind])
        made = {control.source: control.hypothesis for control in controls}
    places = [place for place, text in enumerate(texts) if made.get(text) is not None]
    return Attack(name, places, [str(made[texts[place]]) for place in places])


def withstood(scorer: Scorer, good: Sequence[Good], attack: Attack, won: np.ndarray) -> np.ndarray:
    """Where the paraphrase is above the attack; `won` are the scores of the paraphrases."""
    originals = [good[place].original for place in attack.places]
    return won[attack.places] > scorer(attack.texts, originals)


def metric_scorer(metric: str) -> Scorer:
    """A metric against the original, higher is better."""
    return lambda texts, originals: scores(metric, texts, originals)


def tables(scorers: dict[str, Scorer], good: list[Good]) -> None:
    """One table of all metrics, then one per metric by set."""
    made = attacks(good)
    origins = list(dict.fromkeys(one.origin for one in good))
    results: dict[str, list[np.ndarray]] = {}
    for name, scorer in scorers.items():
        won = scorer([one.paraphrase for one in good], [one.original for one in good])
        results[name] = [withstood(scorer, good, attack, won) for attack in made]
    print("### Share of originals whose good paraphrase is above the attack\n")
    lines = [
        [attack.name, str(len(attack.places)), *(f"{results[n][k].mean():.3f}" for n in results)]
        for k, attack in enumerate(made)
    ]
    lowest = [f"{min(found.mean() for found in results[name]):.3f}" for name in results]
    table(["attack", "texts", *results], [*lines, ["lowest", "", *lowest]])
    first = next(iter(results))
    print(f"### {first} by set\n")
    lines = []
    for attack, found in zip(made, results[first], strict=True):
        where = np.array([good[place].origin for place in attack.places])
        cells = [
            f"{found[where == o].mean():.3f} ({(where == o).sum()})" if (where == o).any() else ""
            for o in origins
        ]
        lines.append([attack.name, *cells])
    table(["attack", *origins], lines)


def edits(text: str, vocabulary: Sequence[str], stream: Stream) -> list[tuple[str, str]]:
    """Random small edits of a text with their kinds."""
    made = []
    for _ in range(PROPOSALS):
        tokens = list(tokenize(text).tokens)
        if not tokens:
            break
        way, place, word = stream.below([6, len(tokens), len(vocabulary)])
        name = ("delete", "replace", "insert", "swap", "repeat", "misspell")[way]
        if name == "delete":
            del tokens[place]
        elif name == "replace":
            tokens[place] = vocabulary[word]
        elif name == "insert":
            tokens.insert(place, vocabulary[word])
        elif name == "swap":
            tokens.insert(max(place - 1, 0), tokens.pop(place))
        elif name == "repeat":
            tokens.insert(place, tokens[place])
        else:
            [typed] = changed([tokens[place]], "misspelt", seed=word)
            tokens[place] = typed or tokens[place]
        made.append((name, " ".join(tokens)))
    return made


def search(scorer: Scorer, good: Sequence[Good]) -> None:
    """Greedy edits that raise a metric, from the original on."""
    vocabulary = sorted({token for one in good for token in tokenize(one.original).tokens})
    originals = [one.original for one in good]
    texts, stream = list(originals), Stream(0)
    start = best = scorer(texts, originals)
    used: Counter[str] = Counter()
    for _ in range(STEPS):
        proposed = [
            (place, kind, text)
            for place, one in enumerate(texts)
            for kind, text in edits(one, vocabulary, stream)
        ]
        found = scorer([text for *_, text in proposed], [originals[p] for p, *_ in proposed])
        best = best.copy()
        chosen: dict[int, str] = {}
        for (place, kind, text), value in zip(proposed, found, strict=True):
            if value > best[place]:
                best[place], texts[place], chosen[place] = value, text, kind
        used.update(chosen.values())
    rivals = scorer([one.paraphrase for one in good], originals)
    print(f"### Search attack: {STEPS} greedy edits of {len(good)} originals\n")
    table(
        ["", "copy", "found by search", "good paraphrase", "search above paraphrase"],
        [
            [
                "otherwords-rewrite",
                f"{start.mean():.2f}",
                f"{best.mean():.2f}",
                f"{rivals.mean():.2f}",
                f"{(best >= rivals).mean():.3f}",
            ]
        ],
    )
    print("Edits that were taken:", ", ".join(f"{kind} {n}" for kind, n in used.most_common()))
    for place in np.argsort(rivals - best, kind="stable")[:EXAMPLES]:
        print(f"\n- {originals[place]}\n  {best[place]:.2f} {texts[place]}")
        print(f"  {rivals[place]:.2f} {good[place].paraphrase}")


def main() -> None:
    """Print the tables and the search attack."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-m", "--metric", action="append", help=f"default: {', '.join(METRICS)}")
    parser.add_argument(
        "--crossed", type=Path, default=FILE, help="default: examples/crossed.jsonl"
    )
    parser.add_argument(
        "--rows", type=int, default=200, help="originals of each set (default: 200)"
    )
    parser.add_argument("--attack", type=int, default=40, help="originals attacked (default: 40)")
    given = parser.parse_args()
    scorers = {metric: metric_scorer(metric) for metric in given.metric or METRICS}
    ours = crossed(given.crossed)
    good: list[Good] = []
    for name in SETS:
        found, absent = best_rated(name)
        good += found[: given.rows]
        print(f"{name}: {len(found)} originals, {absent} without a good paraphrase")
    print(f"crossed: {len(ours)} originals\n")
    tables(scorers, [*good, *ours[: given.rows]])
    if given.attack:
        search(
            scorers.get("otherwords-rewrite") or metric_scorer("otherwords-rewrite"),
            ours[: given.attack],
        )


if __name__ == "__main__":
    try:
        main()
    except OtherwordsError as error:
        print(f"bench.gaming: {error}", file=sys.stderr)
        sys.exit(2)
