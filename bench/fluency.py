"""What the fluency model is worth: the tables of docs/results/fluency.md.

    python -m bench.fluency [twins] [grammar] [people] [casual] [speed]

twins: how often the intact sentence is above its twin, by kinds of DEMETR whose twin is broken.
grammar: BLiMP's minimal pairs in the right order by field, and the AUC of CoLA's judgements.
people: Pearson with human scores, and how often human translations are above those of systems.
casual: absolute and relative fluency of the best-rated paraphrases, by set.
speed: sentences per CPU second.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.agreement import table
from bench.data import DATA, rows
from bench.gaming import SETS, best_rated
from otherwords.metrics.fluency import FEATURES, FluencyModel
from otherwords.stats.arrays import logistic
from otherwords.stats.coefficients import pearson

BROKEN = (  # DEMETR's kinds whose perturbed sentence is worse English
    *("subj_removed", "verb_removed", "noun_removed", "adj_adv_removed", "ne_removed"),
    *("conj_removed", "shuffled", "word_swap", "repeat2", "repeat4", "misspelled", "char_removed"),
    *("pos_shift", "case", "function_word", "addition"),
)
JUDGED = {
    "paraphrase/parabank": "fluency",
    "mt/wmt15-daseg": "da",
    "mt/wmt13-esen-da": "da",
    "mt/mlqe-eten": "da",
}

Scorer = Callable[[Sequence[str]], np.ndarray]


def scorers() -> dict[str, Scorer]:
    """The word 4-gram as PEM has it, single features, and the join."""
    model = FluencyModel.open()

    def words(texts: Sequence[str]) -> np.ndarray:
        found = model.readers.words.scores(list(texts))
        unknown = np.log10(model.readers.words.sizes[0]) * found.unknown
        return (found.log10 - unknown) / (found.tokens + 1)

    def feature(name: str) -> Scorer:
        return lambda texts: model.readers.features(texts)[:, FEATURES.index(name)]

    return {
        "word 4-gram": words,
        "word SLOR": feature("word_slor"),
        "unit 5-gram": feature("unit"),
        "unit SLOR": feature("unit_slor"),
        "n-grams": model.ngram_logits,
        "context": model.context.logits,
        "joined": model.logits,
    }


def demetr() -> list[dict[str, Any]]:
    """The items of DEMETR's development part."""
    return _read("contrast/demetr-dev")


def _read(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def twins() -> None:
    """Intact above broken, by kind."""
    items = demetr()
    kinds = np.array([item["kind"] for item in items])
    found = {}
    for name, scorer in scorers().items():
        whole = scorer([item["translation"] for item in items])
        found[name] = whole > scorer([item["perturbed"] for item in items])
    print("### DEMETR: intact sentence above its broken twin\n")
    lines = [
        [
            kind,
            str((kinds == kind).sum()),
            *(f"{one[kinds == kind].mean():.3f}" for one in found.values()),
        ]
        for kind in BROKEN
    ]
    table(["kind", "items", *found], lines)


def grammar() -> None:
    """Linguists' minimal pairs and judgements."""
    pairs, judged = (_read(f"fluency/{name}") for name in ("blimp", "cola"))
    is_right = np.array([row["acceptable"] == 1 for row in judged])
    lines = []
    for name, scorer in scorers().items():
        above = scorer([row["good"] for row in pairs]) > scorer([row["bad"] for row in pairs])
        found = scorer([row["text"] for row in judged])
        right, wrong = np.sort(found[is_right]), found[~is_right]
        area = 1 - np.searchsorted(right, wrong).mean() / len(right)
        lines.append([name, f"{above.mean():.3f}", f"{area:.3f}"])
    print("### BLiMP: right sentence above the wrong one; CoLA: AUC\n")
    table(["", f"BLiMP ({len(pairs)})", f"CoLA ({len(judged)})"], lines)


def people() -> None:
    """Agreement with human scores; human translations against systems."""
    print("### Pearson with human scores\n")
    judged = {name: [row for row in rows(name) if c in row.human] for name, c in JUDGED.items()}
    lines = []
    for name, scorer in scorers().items():
        cells = []
        for where, some in judged.items():
            human = np.array([row.human[JUDGED[where]] for row in some])
            cells.append(f"{pearson(scorer([str(row.hypothesis) for row in some]), human):.3f}")
        lines.append([name, *cells])
    table(["", *(f"{name.split('/')[1]} {criterion}" for name, criterion in JUDGED.items())], lines)
    print("### Human translation above the system's\n")
    translated = {
        "wmt15-daseg": [
            (str(row.references[0]), str(row.hypothesis)) for row in judged["mt/wmt15-daseg"]
        ],
        "demetr-dev": list(
            dict.fromkeys((one["human_translation"], one["translation"]) for one in demetr())
        ),
    }
    lines = []
    for name, scorer in scorers().items():
        cells = [
            f"{(scorer([a for a, _ in pairs]) > scorer([b for _, b in pairs])).mean():.3f}"
            for pairs in translated.values()
        ]
        lines.append([name, *cells])
    table(["", *translated], lines)


def casual() -> None:
    """Fluency of good paraphrases, in absolute terms and against their originals."""
    model = FluencyModel.open()
    lines = []
    for name in SETS:
        good, _ = best_rated(name)
        texts, originals = (
            [getattr(one, side) for one in good] for side in ("paraphrase", "original")
        )
        cells = [name.split("/")[1], str(len(good))]
        for values in (
            model.score(originals),
            model.score(texts),
            logistic(model.logits(texts) - model.logits(originals)),
        ):
            low, middle = np.quantile(values, [0.1, 0.5])
            cells.append(f"{middle:.2f} ({low:.2f})")
        lines.append(cells)
    print("### Best-rated paraphrases: median (10th percentile)\n")
    table(["set", "originals", "original", "paraphrase", "relative"], lines)


def speed() -> None:
    """Sentences per CPU second on one thread."""
    model = FluencyModel.open()
    texts = list(dict.fromkeys(item["translation"] for item in demetr()))
    texts += list(dict.fromkeys(str(row.hypothesis) for row in rows("paraphrase/parabank")))
    model.logits(texts[:100])
    begin = time.process_time()
    model.logits(texts)
    seconds = time.process_time() - begin
    tokens = sum(len(text.split()) for text in texts)
    print(
        f"{len(texts) / seconds:,.0f} sentences of {tokens / len(texts):.1f} words per CPU second"
    )


PARTS = {part.__name__: part for part in (twins, grammar, people, casual, speed)}


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    for name in parser.parse_args().parts or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
