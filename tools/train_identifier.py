"""Trains the embedded identifier of languages on the bitexts and on STS-B in eight languages.

    python tools/train_identifier.py --data ../shared/data [--output FILE]

Each language has the same weight. Every tenth line is left out; `python -m bench.languages
identifier` measures on those lines.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from otherwords.models import container
from otherwords.text.identifier import BITS, KIND, UNIT, hash_ngrams

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/language.owm"
BITEXTS = {
    "de": ("europarl-de", "tatoeba-deu", "docs-de", "bible-deu-eng"),
    "es": ("europarl-es", "tatoeba-spa", "docs-es", "bible-spa-eng"),
    "fr": ("europarl-fr", "tatoeba-fra", "docs-fr", "bible-fra-eng"),
    "zh": ("newscommentary-zh", "tatoeba-cmn", "docs-zh", "bible-cmn-eng"),
}
STSB = ("de", "es", "fr", "it", "ja", "pt", "ru", "zh")
MOST = 4000  # lines of a file and language
SMOOTHING = 0.5
LARGEST = 127  # weight


def lines(data: Path, *, left_out: bool) -> Iterator[tuple[str, str]]:
    """Language and text: every tenth line of each file if `left_out`, else the others."""
    for language, names in BITEXTS.items():
        for name in names:
            with gzip.open(data / "bitext" / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
                rows = [line.rstrip("\n").split("\t")[:2] for line in file]
            for place, (english, foreign) in enumerate(rows[:: max(1, len(rows) // MOST)]):
                if (place % 10 == 0) == left_out:
                    yield "en", english
                    yield language, foreign
    for language in STSB:
        path = data / "languages" / f"stsb-{language}-train.jsonl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for place, line in enumerate(file):
                if (place % 10 == 0) == left_out:
                    yield language, json.loads(line)["hypothesis"]


def main() -> None:
    """Count n-grams, and write the logarithms of their shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    counts: dict[str, np.ndarray] = {}
    for language, text in lines(arguments.data, left_out=False):
        mine = counts.setdefault(language, np.zeros(1 << BITS))
        np.add.at(mine, hash_ngrams(text), 1)
    languages = sorted(counts)
    table = np.column_stack([counts[language] for language in languages])
    shares = np.log((table + SMOOTHING) / (table.sum(axis=0) + SMOOTHING * len(table)))
    weights = shares - shares.mean(axis=1, keepdims=True)
    weights = np.clip(np.round(weights * UNIT), -LARGEST, LARGEST).astype(np.int8)
    container.write(arguments.output, KIND, {"weights": weights}, {"languages": languages})
    print(f"{arguments.output}: {arguments.output.stat().st_size:,} bytes, {', '.join(languages)}")


if __name__ == "__main__":
    main()
