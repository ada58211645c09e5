"""How fast the pair model is, next to the cosine of the encoder that it starts from.

    python -m bench.pair_speed [--model PATH] [--pairs 200] [--times 5]

Pairs of a translation and its reference of about 20 words each; CPU seconds of one thread, all in
one run, the runs of each taken in turns and the best of them counted. Models are opened before, and
nothing is kept from run to run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.agreement import table
from bench.data import rows
from otherwords.encoders.neural import NeuralEncoder, pack_encoder
from otherwords.metrics.pair import Pair

WORDS = range(18, 23)


def _pairs(number: int) -> list[tuple[str, str]]:
    found = ((str(row.hypothesis), str(row.references[0])) for row in rows("mt/mqm21-zhen"))
    wanted = (pair for pair in found if all(len(text.split()) in WORDS for text in pair))
    return list(dict.fromkeys(pair for pair in wanted if pair[0] != pair[1]))[:number]


def _cosines(path: Path) -> Callable[[list[tuple[str, str]]], None]:
    encoder = NeuralEncoder.load(path)

    def run(pairs: list[tuple[str, str]]) -> None:
        encoder._sentences.found.clear()
        encoder._sentences.size = 0
        texts = [text for pair in pairs for text in pair]
        places = np.arange(0, len(texts), 2)
        encoder.cosines(texts, places, places + 1)

    return run


def _pair(model: str, bits: int, *, facts: bool) -> Callable[[list[tuple[str, str]]], None]:
    metric = Pair(model=model, bits=bits, facts=facts)

    def run(pairs: list[tuple[str, str]]) -> None:
        metric.model._kept.clear()
        metric.model._states.clear()
        metric.measure(*zip(*pairs, strict=True), 1)

    return run


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="pair")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    pairs = _pairs(given.pairs)
    with tempfile.TemporaryDirectory() as folder:
        files = {bits: Path(folder) / f"{bits}.owm" for bits in (32, 8)}
        for bits, path in files.items():
            pack_encoder("auto", path, bits=bits)
        runs = {
            "pair, 8 bits": _pair(given.model, 8, facts=True),
            "pair, 8 bits, without facts": _pair(given.model, 8, facts=False),
            "pair, 32 bits": _pair(given.model, 32, facts=True),
            "encoder-cos, 8 bits": _cosines(files[8]),
            "encoder-cos, 32 bits": _cosines(files[32]),
        }
        spent: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(given.times):
            for name, run in runs.items():
                begin = time.process_time()
                run(pairs)
                spent[name].append(time.process_time() - begin)
    peer = min(spent["encoder-cos, 8 bits"])
    lines = [
        [name, f"{len(pairs) / min(several):.0f}", f"{min(several) / peer:.2f}"]
        for name, several in spent.items()
    ]
    words = np.mean([len(text.split()) for pair in pairs for text in pair])
    head = f"{len(pairs)} pairs of {words:.1f} + {words:.1f} words"
    table([head, "pairs per CPU second", "time, encoder-cos in 8 bits = 1"], lines)


if __name__ == "__main__":
    main()
