"""Trains the n-gram part of fluency: a 5-gram of units and the function that joins the evidence.

    python tools/train_fluency.py --data ../shared/data --output ngrams.owm [--threads N]
    python tools/train_context.py --data ../shared/data --ngrams ngrams.owm

The second command adds what the encoder sees, and writes the embedded model.

Units are function words as they are and the tags of all others; the model of them is estimated on
all English text that is not set aside. The join is fitted on sentences that neither this model nor
that of words has seen, each against its twins: misspelt, with words repeated, cut in half,
shuffled, without a subject, verb, noun, determiner or preposition (`changes.py`).
No text of a development set is used. The same input gives the same bytes for any number of threads.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from changes import changed
from otherwords import _native
from otherwords.build.lm import Estimation, LanguageModel
from otherwords.build.lm.estimation import estimate_ids
from otherwords.metrics.fluency import FEATURES, KIND, Join, Readers
from otherwords.models import container
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.resampling import Stream
from otherwords.text.sentence import tokenize
from otherwords.text.tagger import Tagger
from raw_text import english_lines
from treebank import read_treebank

ORDER, BYTES, BITS = 5, 1_430_000, 6
LONGEST = 600  # characters of a line
CLOSED = 50, 0.3  # a function word: so often with a closed tag, and in this share of its uses
LEFT_OUT = (  # sets that metrics are judged on
    "similarity/stsb-en-dev",
    "mt/wmt15-daseg",
    "mt/wmt13-esen-da",
    "mt/mlqe-eten",
    "mt/mqm21-zhen",
    "paraphrase/parabank",
    "paraphrase/twitter-para-dev",
    "paraphrase/shakespeare-dev",
    "paraphrase/msrp",
    "contrast/demetr-dev",
)
OPEN_TAGS = tuple("NN VB JJ RB CD FW UH GW AFX ADD LS SYM NFP".split())
KEPT = """be is are was were been being am 's 're 'm have has had having 've 'd do does did not n't
so very too more most as there here then when how why just only also even if than never ever now
still no yes please let one ones other such same own many much few several""".split()
HELD = {"stsb": 0.5, "wmt": 0.5, "treebank": 0.3, "twitter": 0.25}  # share set aside for the join
DRAWN = {"stsb": 3000, "wmt": 2500, "treebank": 6000, "twitter": 3000}
KINDS = ("misspelt", "repeated", "halved", "shuffle")
KINDS += ("no-subject", "no-verb", "no-noun", "no-determiner", "no-preposition")
PENALTY = 0.1


def folded(text: str) -> str:
    """Letters and digits in lower case: what makes two texts the same."""
    return "".join(c for c in text.lower() if c.isalnum())


def set_aside(data: Path) -> set[str]:
    """All texts of the sets that metrics are judged on, folded."""
    return {
        folded(text)
        for name in LEFT_OUT
        for row in _rows(data / f"{name}.jsonl.gz")
        for value in row.values()
        for text in (value if isinstance(value, list) else [value])
        if isinstance(text, str)
    }


def lines(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Where a sentence comes from and its tokens; each sentence once, no judged one."""
    out = set_aside(data)
    seen: set[str] = set()
    for kind, text in _texts(data):
        line = " ".join(text.split())
        if line and line not in seen and len(line) <= LONGEST and folded(line) not in out:
            seen.add(line)
            yield kind, list(tokenize(line).tokens) if kind != "treebank" else line.split(" ")


def _texts(data: Path) -> Iterator[tuple[str, str]]:
    yield from (("bitext", line) for line in english_lines(data / "bitext"))
    for row in _rows(data / "similarity/stsb-en-train.jsonl.gz"):
        yield from (("stsb", row[side]) for side in ("source", "hypothesis"))
    for row in _rows(data / "paraphrase/twitter-url.jsonl.gz"):
        if "graded" not in row["id"]:
            yield from (("twitter", row[side]) for side in ("source", "hypothesis"))
    for row in _rows(data / "mt/wmt13-fren-rr.jsonl.gz"):
        yield "wmt", row["reference"]
    for pair in ("deen", "zhen"):
        for row in _rows(data / f"mt/sys-wmt21-{pair}.jsonl.gz"):
            yield from (("wmt", reference) for reference in row["references"])
    for sentence in read_treebank(data / "tagged" / "train.conll.gz"):
        yield "treebank", " ".join(sentence.forms)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        yield from map(json.loads, file)


def _key(tokens: Sequence[str]) -> bytes:
    return hashlib.blake2b(" ".join(tokens).encode()).digest()


def divide(data: Path) -> tuple[list[list[str]], list[str]]:
    """Text for the model of units, and sentences that are set aside for the join."""
    text: list[list[str]] = []
    held: dict[str, list[list[str]]] = {kind: [] for kind in HELD}
    for kind, tokens in lines(data):
        if kind in HELD and _key(tokens)[0] < HELD[kind] * 256:
            held[kind].append(tokens)
        else:
            text.append(tokens)
    return text, [
        " ".join(tokens)
        for kind, some in held.items()
        for tokens in sorted((one for one in some if 4 <= len(one) <= 50), key=_key)[: DRAWN[kind]]
    ]


def unit_model(
    sentences: list[list[str]], threads: int
) -> tuple[LanguageModel, NDArray[np.float32]]:
    """The model of units, and log10 of how frequent each unit is."""
    tagger = Tagger.load()
    tags = tagger.native.tag_codes(sentences, threads)
    words = [_native.lower(token) for sentence in sentences for token in sentence]
    often, closed = CLOSED
    is_open = [name.startswith(OPEN_TAGS) for name in tagger.tags]
    uses = Counter(words)
    function = Counter(word for word, tag in zip(words, tags, strict=True) if not is_open[tag])
    kept = {w for w, n in function.items() if n >= often and n > closed * uses[w]} | set(KEPT)
    numbers: dict[str, int] = {}
    names = [f"/{name}" for name in tagger.tags]
    ids = np.array(
        [
            numbers.setdefault(word if word in kept else names[tag], len(numbers))
            for word, tag in zip(words, tags, strict=True)
        ],
        np.uint32,
    )
    bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    settings = Estimation(order=ORDER, quantize=BITS, max_bytes=BYTES)
    units = estimate_ids(ids, bounds, list(numbers), settings, threads=threads)
    counts = np.full(units.sizes[0], 0.5)
    ordered = {word: place for place, word in enumerate(units.words or (), 3)}
    for unit, number in zip(numbers, np.bincount(ids), strict=True):
        counts[ordered[unit]] += number
    counts[2] += len(sentences)  # ends of sentences
    return units, np.log10(counts / counts.sum()).astype(np.float32)


def twins(sentences: Sequence[str], kind: str) -> list[str | None]:
    """Each sentence broken in one way."""
    if kind != "shuffle":
        return changed(sentences, kind)
    stream = Stream(0)
    return [" ".join(stream.shuffled(sentence.split())) for sentence in sentences]


def differences(readers: Readers, held: Sequence[str], threads: int) -> dict[str, Any]:
    """The features of intact sentences less those of their twins, by kind; and the intact ones."""
    whole = readers.features(held, threads=threads)
    found = {}
    for kind in KINDS:
        broken = twins(held, kind)
        there = [n for n, text in enumerate(broken) if text]
        features = readers.features([str(broken[n]) for n in there], threads=threads)
        found[kind] = whole[there] - features, features
    return {"whole": whole, "kinds": found}


def fit(measured: dict[str, Any], *, without: str | None = None) -> Join:
    """Pairwise logistic regression with weights that are not negative; every kind weighs the same.

    The bias puts the middle between the mean intact sentence and the mean broken one.
    """
    spread = measured["whole"].std(axis=0)
    kept = {kind: found for kind, found in measured["kinds"].items() if kind != without}
    rows = np.concatenate([gaps for gaps, _ in kept.values()]) / spread
    weights = np.concatenate([np.full(len(gaps), 1 / len(gaps)) for gaps, _ in kept.values()])
    weights /= weights.sum()

    def loss(join: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = rows @ join
        wrong = 1 / (1 + np.exp(margins))
        value = float(weights @ np.logaddexp(0, -margins) + PENALTY * join @ join)
        return value, -(weights * wrong) @ rows + 2 * PENALTY * join

    start = np.full(len(FEATURES), 0.1)
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(start))
    join = Join(best.x / spread, 0.0)
    middle = np.mean(
        [
            join.logits(measured["whole"]).mean(),
            np.mean([join.logits(features).mean() for _, features in kept.values()]),
        ]
    )
    return Join(join.weights, -float(middle))


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    text, held = divide(given.data)
    units, frequencies = unit_model(text, given.threads)
    words = ParaphraseModel.load()
    assert words.language_model is not None
    readers = Readers(units, frequencies, words.language_model)
    join = fit(differences(readers, held, given.threads))
    provenance = {
        "sentences": len(text),
        "tokens": sum(map(len, text)),
        "held": len(held),
        "kinds": list(KINDS),
        "features": list(FEATURES),
        "units": units.provenance,
        "tagger": readers.tagger.digest,
        "words": words.digest,
    }
    arrays = {f"units/{name}": array for name, array in units.arrays.items()}
    arrays |= {
        "frequencies": frequencies,
        "weights": join.weights.astype(np.float64),
        "bias": np.array([join.bias]),
    }
    container.write(given.output, KIND, arrays, provenance)
    print(f"{given.output}: {given.output.stat().st_size:,} bytes")
    print(
        {name: round(float(weight), 3) for name, weight in zip(FEATURES, join.weights, strict=True)}
    )


if __name__ == "__main__":
    main()
