"""What the learned combination `otherwords-mt` is worth on language pairs it has not seen.

    python -m bench.combine [agreement|systems|ablation|speed]

Every figure is nested: the language pair or set of a column is held out of the fit and of the
choice of the settings. Peers' figures of ../shared/data/README.md are not run again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import cache

import numpy as np
from tools.combine_data import SETS, SYSTEMS, Judged, chosen_rows, pairs_of, read, table_of
from tools.train_combine import FAMILIES, Choice, chosen, fitted, predicted
from tools.train_combine import agreement as agreement_of

import otherwords
from bench.agreement import table
from bench.data import DATA, rows, system_scores
from bench.speed import fresh
from otherwords.corpus.rows import Row
from otherwords.stats.coefficients import pearson
from otherwords.study.training.combine import Domain, measure
from otherwords.study.training.regression import resampled

PAIRS = ("cs-en", "de-en", "fi-en", "ru-en")
OTHERS = ("es-en", "et-en", "zh-en")
PEERS = {  # ../shared/data/README.md
    "sentence BLEU": (0.493, 0.529, 0.525, 0.535, 0.447, None, 0.212),
    "chrF": (0.551, 0.604, 0.575, 0.610, 0.453, None, 0.210),
    "chrF++": (0.561, 0.606, 0.587, 0.619, 0.469, None, 0.214),
    "ROUGE-L": (0.552, 0.606, 0.615, 0.598, 0.446, None, 0.256),
    "METEOR 1.5": (0.565, 0.601, 0.588, 0.590, 0.484, None, 0.259),
    "MiniLM-F1 (neural)": (0.642, 0.665, 0.687, 0.680, 0.534, None, 0.235),
}
OURS = ("maxsim", "paraeval-f", "chrf++", "encoder-f1")


@cache
def read_once() -> Judged:
    """The statistics of all sets."""
    return read(DATA, FAMILIES)


def nested(judged: Judged) -> dict[str, np.ndarray]:
    """For each domain the scores by a combination that has seen nothing of it."""
    found = {}
    domains = judged.statistics.domains
    for domain in domains:
        others = [one for one in domains if one is not domain]
        model = fitted(judged, others, chosen(judged, others))
        found[domain.name] = domain.best(predicted(judged, model, domain.rows))
    return found


def shown(domains: Sequence[Domain], scores: dict[str, np.ndarray]) -> dict[str, float]:
    """Pearson by domain."""
    return {d.name: pearson(scores[d.name], d.people) or 0.0 for d in domains}


def line(name: str, values: Sequence[float | None]) -> list[str]:
    """A line of the table: four pairs, their mean, the other sets."""
    cells = ["-" if value is None else f"{value:.3f}" for value in values]
    known = [value for value in values[:4] if value is not None]
    return [name, *cells[:4], f"{np.mean(known):.3f}", *cells[4:]]


HEADER = ["metric", *PAIRS, "mean", "wmt13 es-en", "mlqe et-en", "mqm21 zh-en"]


def agreement() -> None:
    """The claim: each language pair held out of everything."""
    judged = read_once()
    domains = {domain.name: domain for domain in judged.statistics.domains}
    scores = nested(judged)
    ours = shown(list(domains.values()), scores)
    lines = [line(name, values) for name, values in PEERS.items()]
    lines += [line(name, _by_metric(name)) for name in OURS]
    lines.append(line("otherwords-mt, held out", [ours[name] for name in (*PAIRS, *OTHERS)]))
    print("### Pearson with human scores, each language pair held out of fit and choice\n")
    table(HEADER, lines)
    draws = [
        resampled(scores[name], domains[name].people, domains[name].items, seed=0) for name in PAIRS
    ]
    low, high = np.quantile(np.mean(draws, axis=0), [0.025, 0.975])
    print(f"95 % interval of the mean of the four pairs: {low:.3f} to {high:.3f}\n")
    print(f"mean over segments whose reference no other pair has: {_unshared(domains, scores):.3f}")
    others = [domain for domain in judged.statistics.domains if domain.name != "es-en"]
    alone = fitted(judged, others, Choice(0.1, 0.0))  # fr-en has most of es-en's references
    r = agreement_of(judged, alone, domains["es-en"])
    print(f"es-en without fr-en's better/worse pairs: {r:.3f}\n")
    _unjudged(judged)


def _unshared(domains: dict[str, Domain], scores: dict[str, np.ndarray]) -> float:
    """WMT's language pairs have some English sentences in common."""
    texts: dict[str, list[str]] = {pair: [] for pair in PAIRS}
    for row in rows("mt/wmt15-daseg"):
        texts[str(row.langs)].append(str(row.references[0]))
    found = []
    for pair in PAIRS:
        seen = {text for other in PAIRS if other != pair for text in texts[other]}
        kept = np.array([text not in seen for text in texts[pair]])
        found.append(pearson(scores[pair][kept], domains[pair].people[kept]) or 0.0)
    return float(np.mean(found))


def _by_metric(name: str) -> list[float]:
    found: dict[str, float] = {}
    for one, human in SETS.items():
        judged = [row for row in rows(f"mt/{one}") if human in row.human]
        scores = otherwords.score(
            name,
            [row.hypothesis for row in judged],
            [row.references for row in judged],
            against="references",
        ).segments
        people = np.array([row.human[human] for row in judged])
        for langs in dict.fromkeys(row.langs for row in judged):
            mine = np.array([row.langs == langs for row in judged])
            found[str(langs)] = pearson(scores[mine], people[mine]) or 0.0
    return [found[pair] for pair in (*PAIRS, *OTHERS)]


def _unjudged(judged: Judged) -> None:
    """Sets of other kinds: better/worse pairs left out of training, paraphrases, similarity."""
    domains = judged.statistics.domains
    model = fitted(judged, domains, Choice(0.1, 0.0))
    better, worse = (predicted(judged, model, rows) for rows in judged.preferences)
    print("### Kinds of sets that were left out\n")
    lines = [
        ["wmt13-fren-rr, share of better/worse pairs in order", f"{(better > worse).mean():.3f}"]
    ]
    model = fitted(judged, domains, chosen(judged, domains))
    for name, human in (("paraphrase/parabank", "overall"), ("similarity/stsb-en-dev", "adequacy")):
        other = measure(rows(name), human, FAMILIES, against="source")
        [domain] = other.domains
        r = agreement_of(judged, model, domain)
        lines.append([f"{name} {human}, Pearson", f"{r:.3f}"])
    table(["set", "otherwords-mt"], lines)


PEERS_OF_SYSTEMS = ("chrf", "bleu", "maxsim", "encoder-f1")


def systems() -> None:
    """Whole systems: Pearson with their human scores, and pairs of systems in the right order."""
    judged = read_once()
    print("### Whole systems, their language pair held out: Pearson / pairs in the right order\n")
    sets = {name: _system_rows(langs, name) for langs, name in SYSTEMS.items()}
    sets["mqm21-zhen"] = _judged_systems()
    lines = [[name] for name in (*PEERS_OF_SYSTEMS, "otherwords-mt, held out")]
    for langs, several, people in sets.values():
        names = np.array([row.system for row in several])
        texts = [row.hypothesis for row in several], [row.references for row in several]
        for line, metric in zip(lines, PEERS_OF_SYSTEMS, strict=False):
            line.append(_of_systems(otherwords.score(metric, *texts).segments, names, people))
        others = [one for one in judged.statistics.domains if one.name != langs]
        model = fitted(judged, others, chosen(judged, others))
        scores = predicted(judged, model, table_of(pairs_of(several), FAMILIES))
        lines[-1].append(_of_systems(scores, names, people))
    table(["metric", *sets], lines)


def _system_rows(langs: str, name: str) -> tuple[str, list[Row], dict[str, float]]:
    people = system_scores(f"mt/{name}-human")
    return langs, chosen_rows(rows(f"mt/{name}"), people), people


def _judged_systems() -> tuple[str, list[Row], dict[str, float]]:
    judged = rows("mt/mqm21-zhen")
    names = dict.fromkeys(str(row.system) for row in judged)
    people = {
        name: float(np.mean([row.human["mqm"] for row in judged if row.system == name]))
        for name in names
    }
    return "zh-en", judged, people


def _of_systems(scores: np.ndarray, names: np.ndarray, people: dict[str, float]) -> str:
    means = np.array([scores[names == name].mean() for name in people])
    human = np.array(list(people.values()))
    one, other = np.triu_indices(len(human), 1)
    right = (means[one] - means[other]) * (human[one] - human[other]) > 0
    return f"{pearson(means, human):.3f} / {right.mean():.3f}"


def ablation() -> None:
    """Without a family of statistics."""
    judged = read_once()
    print("### Without a family, each language pair held out of fit and choice\n")
    lines = []
    for name in (None, *judged.statistics.families):
        some = judged if name is None else judged.without(name)
        found = shown(some.statistics.domains, nested(some))
        title = "all" if name is None else f"without {name}"
        lines.append(line(title, [found[pair] for pair in (*PAIRS, *OTHERS)]))
    table(HEADER, lines)


def speed() -> None:
    """CPU seconds per 1,000 segments of about 32 words, start-up apart."""
    long = [row for row in rows("mt/mqm21-zhen") if 28 <= len(str(row.hypothesis).split()) <= 36]
    long = long[:1000]
    hypotheses = [str(row.hypothesis) for row in long]
    references = [[str(one) for one in row.references] for row in long]
    words = np.mean([len(str(text).split()) for text in hypotheses])
    print(f"### CPU seconds per 1,000 segments ({len(long)} of {words:.1f} words), best of 3\n")
    found = {}
    for name in ("chrf", "maxsim", "encoder-f1", "facts", "otherwords-mt"):
        otherwords.score(name, hypotheses[:10], references[:10])
        times = []
        for number in range(3):
            given = fresh(hypotheses, number), [fresh(several, number) for several in references]
            begin = time.process_time()
            otherwords.score(name, *given)
            times.append(time.process_time() - begin)
        found[name] = min(times) / len(long) * 1000
    table(
        ["metric", "seconds", "ratio to chrF"],
        [[name, f"{value:.2f}", f"{value / found['chrf']:.2f}"] for name, value in found.items()],
    )


PARTS = {
    "agreement": agreement,
    "systems": systems,
    "ablation": ablation,
    "speed": speed,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
