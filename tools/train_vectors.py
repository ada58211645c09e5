"""Train the embedded word vectors: raw English and our pivot tables in, `vectors.owm` out.

    python tools/train_vectors.py --data ../shared/data

Two views of a word are joined: its neighbours (positive pointwise mutual information within a
window, Levy & Goldberg 2014) and its translations into four languages (the embedded pivot
tables). Words that have translations in common mean the same; neighbours show the topic. The
same input gives the same bytes on the same machine; on another, sums in another order may move a
few numbers to the next level.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.extmath import randomized_svd

from otherwords.build.bitext.corpus import encode
from otherwords.models.container import write
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.stemmer import stem
from otherwords.text.vectors import Vectors, pack
from raw_text import english_lines
from treebank import read_treebank

OUTPUT = Path(__file__).parents[1] / "src" / "otherwords" / "models" / "vectors.owm"
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Options:
    """How vectors are made; docs/decisions/vectors.md has the reasons."""

    least_count: int = 4
    window: int = 5
    contexts: int = 20_000  # most frequent words that are counted as neighbours
    smoothing: float = 0.75  # of the contexts' probabilities
    rank: int = 200  # of each view
    spectrum: float = 0.25  # power of the singular values of neighbours
    translations: float = 0.8  # weight of translations against neighbours
    dimensions: int = 96


@dataclass(frozen=True)
class Text:
    """Stems by number, the most frequent first; -1 is a sign or a rare word, -2 a boundary."""

    stems: list[str]
    counts: NDArray[np.int64]
    tokens: NDArray[np.int64]


def main() -> None:
    """Train and write."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    given = arguments.parse_args()
    started, options = time.process_time(), Options()
    text = read_text(list(english(given.data)), options.least_count)
    print(f"{len(text.stems)} stems from {(text.tokens > -2).sum()} tokens", flush=True)
    pivots = ParaphraseModel.load("paraphrase")
    vectors = joined(neighbours(text, options), translations(text.stems, pivots, options), options)
    total = int((text.tokens > -2).sum())
    arrays = pack(text.stems, vectors, text.counts, total)
    write(given.output, Vectors.kind, arrays, provenance(given.data, options, pivots, total))
    seconds = time.process_time() - started
    print(f"{given.output.stat().st_size:,} bytes in {seconds:.0f} CPU seconds")


def english(data: Path) -> Iterator[str]:
    """All distinct English lines: bitexts, Bibles, treebank."""
    seen = set()
    for line in english_lines(data / "bitext"):
        seen.add(line)
        yield line
    with gzip.open(data / "multi" / "bible-en-multi.jsonl.gz", "rt", encoding="utf-8") as verses:
        for verse in verses:
            for text in json.loads(verse)["texts"].values():
                line = " ".join(text.split())
                if line not in seen:
                    seen.add(line)
                    yield line
    for sentence in read_treebank(data / "tagged" / "train.conll.gz"):
        yield " ".join(sentence.forms)


def read_text(lines: list[str], least_count: int) -> Text:
    """The lines as numbers of stems that are words and occur often enough."""
    tokens, bounds, words = encode(lines, "penn", case=False)
    forms = stem(list(words))
    number: dict[str, int] = {}
    stems_of_words = np.array([number.setdefault(form, len(number)) for form in forms])
    stems = stems_of_words[tokens]
    counts = np.bincount(stems, minlength=len(number))
    names = list(number)
    is_word = np.array([any(c.isalnum() for c in name) for name in names])
    kept = np.lexsort((names, -counts))
    kept = kept[(counts[kept] >= least_count) & is_word[kept]]
    rank = np.full(len(names), -1)
    rank[kept] = np.arange(len(kept))
    return Text([names[i] for i in kept], counts[kept], np.insert(rank[stems], bounds[1:-1], -2))


def neighbours(text: Text, options: Options) -> Matrix:
    """Vectors by the words around: SVD of positive pointwise mutual information."""
    contexts = min(options.contexts, len(text.stems))
    counts = sp.csr_matrix((len(text.stems), contexts))
    sentence = np.cumsum(text.tokens == -2)
    for distance in range(1, options.window + 1):
        left, right = text.tokens[:-distance], text.tokens[distance:]
        inside = (left >= 0) & (right >= 0) & (sentence[:-distance] == sentence[distance:])
        weight = (options.window + 1 - distance) / options.window
        for word, context in ((left[inside], right[inside]), (right[inside], left[inside])):
            kept = context < contexts
            cells, number = np.unique(word[kept] * contexts + context[kept], return_counts=True)
            places = (cells // contexts, cells % contexts)
            counts = counts + sp.csr_matrix((number * weight, places), shape=counts.shape)
    u, s = svd(positive_information(counts, options.smoothing), options.rank)
    return unit(u * s**options.spectrum)


def positive_information(counts: sp.csr_matrix, smoothing: float) -> sp.csr_matrix:
    """Positive pointwise mutual information, contexts smoothed (Levy, Goldberg & Dagan 2015)."""
    cells = counts.tocoo()
    words = np.asarray(counts.sum(axis=1)).ravel()
    contexts = np.asarray(counts.sum(axis=0)).ravel() ** smoothing
    information = np.log(cells.data * contexts.sum() / (words[cells.row] * contexts[cells.col]))
    kept = information > 0
    places = (cells.row[kept], cells.col[kept])
    return sp.csr_matrix((information[kept], places), shape=counts.shape)


def translations(stems: list[str], pivots: ParaphraseModel, options: Options) -> Matrix:
    """Vectors by translations: SVD of sqrt(p(f|e) p(e|f)), f in any of the languages."""
    columns: dict[tuple[str, tuple[str, ...]], int] = {}
    cells = [
        (row, columns.setdefault((language, edge.words), len(columns)), edge.forward, edge.backward)
        for language, table in pivots.pivots.items()
        for row, name in enumerate(stems)
        for edge in table.edges(name)
    ]
    row, column, forward, backward = map(np.array, zip(*cells, strict=True))
    shared = np.bincount(column) > 1  # the translations of one word alone say nothing of another
    kept = shared[column]
    place = np.cumsum(shared) - 1
    matrix = sp.csr_matrix(
        (np.sqrt(forward * backward)[kept], (row[kept], place[column[kept]])),
        shape=(len(stems), int(shared.sum())),
    )
    return unit(svd(matrix, options.rank)[0])


def joined(neighbours: Matrix, translations: Matrix, options: Options) -> Matrix:
    """Both views side by side, turned to their main axes."""
    both = np.hstack([neighbours, options.translations * translations])
    _, axes = np.linalg.eigh(both.T @ both)
    axes = axes[:, ::-1][:, : options.dimensions]
    largest = np.abs(axes).argmax(axis=0)
    return unit(both @ (axes * np.sign(axes[largest, np.arange(axes.shape[1])])))


def svd(matrix: sp.csr_matrix, rank: int) -> tuple[Matrix, Matrix]:
    """The left singular vectors and the singular values."""
    u, s, _ = randomized_svd(matrix, rank, n_iter=4, random_state=0)
    return u, s


def unit(rows: Matrix) -> Matrix:
    """Rows of length 1; zeros stay zeros."""
    lengths: Matrix = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths, 1e-12)


def provenance(
    data: Path, options: Options, pivots: ParaphraseModel, tokens: int
) -> dict[str, Any]:
    """Where the vectors come from."""
    return {
        "what": "word vectors, trained by tools/train_vectors.py",
        "text": {
            "bitexts": sorted(path.name for path in (data / "bitext").glob("*.tsv.gz")),
            "others": ["bible-en-multi.jsonl.gz", "train.conll.gz"],
            "tokens": tokens,
        },
        "pivots": pivots.digest,
        "options": asdict(options),
    }


if __name__ == "__main__":
    main()
