"""Language models: time against KenLM in the same run, and size against perplexity.

python -m bench.lm [speed|sizes]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.data import DATA
from otherwords.build.lm import Estimation, estimate, save_model
from otherwords.build.lm.estimation import TextEncoder, estimate_ids
from otherwords.io.files import read_lines

ROUNDS = 9
KENLM_SECONDS = 0.64  # lmplz, 5-gram, 430k words: the data README, reference machine
TRAINING = (
    "europarl-fr europarl-de europarl-es newscommentary-zh tatoeba-fra tatoeba-deu tatoeba-spa "
    "bible-deu-eng docs-es docs-fr multi30k-en-de"
).split()
THRESHOLDS = (0.0, 1e-9, 3e-9, 1e-8, 3e-8, 1e-7)
BUDGETS = (6_000_000, 5_000_000, 4_000_000)


def english(name: str) -> Iterator[str]:
    """The English side of a bitext."""
    return (line.split("\t")[0] for line in read_lines(DATA / "bitext" / f"{name}.tsv.gz"))


def cpu_seconds(work: Callable[[], object]) -> float:
    """What the work takes of the processor, on all threads."""
    start = time.process_time()
    work()
    return time.process_time() - start


def first_words(lines: Iterator[str], count: int) -> list[str]:
    """Lines of some number of words in all."""
    taken: list[str] = []
    for line in lines:
        taken.append(line)
        count -= len(line.split())
        if count <= 0:
            break
    return taken


def estimation() -> None:
    """A 5-gram model of 430k words, from text to ARPA."""
    text = first_words(english("europarl-fr"), 430_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lm.arpa"

        def work() -> None:
            save_model(estimate(text, order=5, tokenizer="none"), path)

        seconds = statistics.median(cpu_seconds(work) for _ in range(5))
        alone = statistics.median(
            cpu_seconds(lambda: estimate(text, order=5, tokenizer="none")) for _ in range(5)
        )
    print(f"5-gram of 430k words: {seconds:.2f} CPU s with the ARPA file, {alone:.2f} without")
    print(f"  (lmplz on the reference machine: {KENLM_SECONDS} CPU s)")


def querying() -> None:
    """The same ARPA file, the same text, in turns: lmplz's numbers and the time they take."""
    lines = list(english("multi30k-en-de"))
    model = estimate(lines[:20000], order=4, tokenizer="none")
    golden = np.loadtxt(DATA / "lm" / "kenlm-order4.tsv")[:, 0]
    error = np.abs(model.score(lines[-200:]) - golden).max()
    print(f"largest difference to lmplz on 200 sentences: {error:.1e}")
    quantised = estimate(lines[:20000], order=4, tokenizer="none", quantize=8)
    jobs: dict[str, Callable[[], object]] = {
        "ours": lambda: model.score(lines),
        "ours, 8 bits": lambda: quantised.score(lines),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lm.arpa"
        save_model(model, path)
        try:
            import kenlm

            peer = kenlm.Model(str(path))
            jobs["kenlm module"] = lambda: [peer.score(line) for line in lines]
        except ImportError:
            print("the kenlm module is not here; it is left out")
        rounds = [{name: cpu_seconds(job) for name, job in jobs.items()} for _ in range(ROUNDS)]
    tokens = sum(len(line.split()) for line in lines)
    for name in jobs:
        seconds = statistics.median(one[name] for one in rounds)
        ratio = statistics.median(one[name] / one["ours"] for one in rounds)
        print(f"{name:14} {tokens / seconds / 1e6:6.2f} M tokens/s   {ratio:5.2f} x our time")


def split_text() -> tuple[TextEncoder, list[str]]:
    """The distinct English lines of the bitexts, encoded, and one in 500 of them kept apart."""
    lines = dict.fromkeys(line for name in TRAINING for line in english(name))
    apart = [line for line in lines if zlib.crc32(line.encode()) % 500 == 0]
    encoder = TextEncoder("penn")
    encoder.add(line for line in lines if zlib.crc32(line.encode()) % 500)
    return encoder, apart


def sizes() -> None:
    """Packed models of several sizes, and their perplexity on lines kept apart."""
    encoder, apart = split_text()
    tokens, bounds, words = encoder.take()
    print(f"{len(tokens):,} tokens of training text; perplexity on {len(apart):,} other lines")
    print(f"{'model':38} {'n-grams':>11} {'bytes':>12} {'bytes/n-gram':>12} {'perplexity':>10}")

    def show(name: str, **options: Any) -> None:
        start = time.process_time()
        settings = Estimation(**options)
        model = estimate_ids(tokens, bounds, words, settings, tokenizer="penn", case=False)
        seconds = time.process_time() - start
        count, perplexity = sum(model.sizes), model.scores(apart).perplexity()
        print(
            f"{name:38} {count:11,} {model.nbytes:12,} {model.nbytes / count:12.2f} "
            f"{perplexity:10.1f}   ({seconds:.1f} s)",
            flush=True,
        )

    show("4-gram, floats")
    # Rarer words are unknown words: their perplexities compare only with each other.
    for threshold in THRESHOLDS:
        show(f"8 bits, entropy {threshold:g}", quantize=8, prune_entropy=threshold)
    show("8 bits, words from 2 on", quantize=8, min_count=2)
    for budget in BUDGETS:
        name = f"8 bits, words from 2 on, {budget:,} bytes"
        show(name, quantize=8, min_count=2, max_bytes=budget)


def main() -> None:
    """Print the figures of docs/results/lm.md."""
    wanted = sys.argv[1:] or ["speed", "sizes"]
    if "speed" in wanted:
        querying()
        estimation()
    if "sizes" in wanted:
        sizes()


if __name__ == "__main__":
    main()
