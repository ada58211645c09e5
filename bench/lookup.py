"""Phrase lookups a second on one thread, from a packed pivot table in a mapped model file.

python -m bench.lookup [phrases]

The table is generated (phrases of one to four made-up words, three translations each). Cold: the
first lookups after the file was dropped from the page cache, as far as the system allows. A
Python dictionary of the same phrases is the peer.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.phrases.pivot_packing import pack
from otherwords.models import container
from otherwords.models.pivot_table import PivotTable

PHRASES = 2_200_000
EDGES = 3
LOOKUPS = 2_000_000
ROUNDS = 5


def made_up_phrases(count: int, seed: int) -> list[str]:
    """Different phrases of one to four words."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 5, count).tolist()
    words = random.integers(0, 40_000, (count, 4)).tolist()
    return [
        " ".join([f"w{i}", *(f"x{word}" for word in row[1:length])])
        for i, (row, length) in enumerate(zip(words, lengths, strict=True))
    ]


def write_table(path: Path, phrases: list[str]) -> None:
    """A model file with one pivot table of these phrases."""
    random = np.random.default_rng(2)
    rows = len(phrases) * EDGES
    some = random.integers(0, rows // 4, len(phrases))
    pivots = ((some[:, None] + np.arange(EDGES)) % (rows // 4)).ravel().tolist()
    packed = pack(
        [phrase for phrase in phrases for _ in range(EDGES)],
        [f"f{pivot % 60_000} g{pivot}" for pivot in pivots],
        np.repeat(random.integers(1, 1000, len(phrases)), EDGES),
        random.uniform(0.01, 0.3, rows),
        random.uniform(0.01, 1, rows),
    )
    arrays = {f"pivot/xx/{name}": array for name, array in packed.arrays.items()}
    container.write(path, "paraphrase", arrays, packed.provenance)


def per_second(work: Callable[[], object], lookups: int) -> float:
    """Look-ups a second, the median of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return lookups / statistics.median(seconds)


def forget(path: Path) -> None:
    """Ask the system to drop the file from its page cache."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def opened(path: Path) -> tuple[PivotTable, float]:
    """The table of a file, and the seconds that opening it took."""
    start = time.perf_counter()
    table = PivotTable.open(container.read(path).section("pivot/xx"))
    return table, time.perf_counter() - start


def open_a_gigabyte(folder: Path) -> None:
    """How long a model of 1 GB takes to open, and to verify."""
    path = folder / "large.owm"
    container.write(path, "test", {"numbers": np.zeros(1 << 27, dtype=np.uint64)}, {})
    start = time.perf_counter()
    container.read(path)
    middle = time.perf_counter()
    container.verify(path)
    end = time.perf_counter()
    opening, verifying = (middle - start) * 1e3, end - middle
    size = path.stat().st_size / 1e9
    print(f"{size:.2f} GB: opened in {opening:.1f} ms, verified in {verifying:.1f} s")
    path.unlink()


def sentences(phrases: list[str], words: int = 20) -> list[list[str]]:
    """Phrases put together to sentences."""
    flat = " ".join(phrases).split()
    return [flat[i : i + words] for i in range(0, len(flat) - words, words)]


def show(name: str, rate: float) -> None:
    """One line of the result."""
    print(f"{name:62} {rate / 1e6:7.1f} million/s")


def main() -> None:
    """Print all figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PHRASES
    phrases = made_up_phrases(count, seed=1)
    random = np.random.default_rng(3)
    asked = [phrases[i] for i in random.integers(0, count, LOOKUPS).tolist()]
    present = _native.hash_words(asked)
    absent: NDArray[np.uint64] = random.integers(1, 2**64, LOOKUPS, dtype=np.uint64)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.owm"
        write_table(path, phrases)
        forget(path)
        table, seconds = opened(path)
        start = time.perf_counter()
        table.native.lookup(present[:200_000])
        cold = 200_000 / (time.perf_counter() - start)
        size = path.stat().st_size
        print(f"{count:,} phrases, {count * EDGES:,} translations, {size / 1e6:.0f} MB")
        print(f"opened in {seconds * 1e3:.1f} ms cold, {opened(path)[1] * 1e3:.1f} ms warm")
        show("cold, hits, the first 200,000", cold)
        show("warm, hits", per_second(lambda: table.native.lookup(present), LOOKUPS))
        show("warm, misses", per_second(lambda: table.native.lookup(absent), LOOKUPS))
        text = sentences(asked[:200_000])
        keys = sum(len(words) * 4 for words in text)
        show(
            "warm, all phrases of sentences (lists of words), with hashing",
            per_second(lambda: table.counts(text), keys),
        )
        open_a_gigabyte(Path(folder))
        known = {phrase: (index, 1.0) for index, phrase in enumerate(phrases)}
        dictionary = per_second(lambda: [known.get(phrase) for phrase in asked], LOOKUPS)
        show("Python dictionary, hits, strings made before", dictionary)


if __name__ == "__main__":
    main()
