"""Packing, opening and looking up a table of paraphrases; a Python dictionary is the peer.

python -m bench.paraphrases [TABLE]

TABLE is METEOR's (extra `meteor`) unless another is given. Packing and the dictionary of the same
pairs run in separate processes, whose peak of memory the system reports. Cold: after the file
was dropped from the page cache, as far as the system allows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from bench.lookup import forget, per_second, show
from otherwords import _native
from otherwords.build.phrases.paraphrase_files import PairFile
from otherwords.models.paraphrase_table import METEOR, ParaphraseTable, _find

BATCHES = 16  # of pairs whose phrases are looked up
PACK = "from otherwords.cli import entry; entry()"
DICTIONARY = """
import sys
from otherwords.build.phrases.paraphrase_files import PairFile
table = {}
for pairs in PairFile(sys.argv[1]):
    for a, b, p in zip(pairs.phrases, pairs.paraphrases, pairs.probabilities.tolist()):
        table.setdefault(a, {})[b] = p
"""


def measured(code: str, *arguments: str) -> str:
    """Seconds, those of the processor, and peak memory of a Python process."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", code, *arguments])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError("the process failed")
    seconds, busy = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    return f"{seconds:.1f} s ({busy:.1f} s busy), peak {usage.ru_maxrss / 1024:.0f} MB"


def opened(path: Path) -> float:
    """Milliseconds that opening takes, with one lookup."""
    start = time.perf_counter()
    ParaphraseTable.load(path).probability("a car", "a vehicle")
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Print all figures."""
    source = _find(sys.argv[1] if len(sys.argv) > 1 else METEOR)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.owm"
        print("packed:", measured(PACK, "model", "pack", str(source), "-o", str(path)), flush=True)
        print("a dictionary of the same pairs:", measured(DICTIONARY, str(source)))
        size = path.stat().st_size
        forget(path)
        cold = opened(path)
        table = ParaphraseTable.load(path)
        print(f"{size / 1e6:.1f} MB, {size / table.pairs:.1f} bytes per pair")
        print(f"opened, with one look-up: {cold:.1f} ms cold, {opened(path):.2f} ms warm")
        phrases = [
            phrase for pairs in islice(PairFile(source), BATCHES) for phrase in pairs.paraphrases
        ]
    known = dict.fromkeys(phrases, 0)
    present, _ = _native.phrase_keys(phrases)
    absent = _native.hash_words([f"absent {i}" for i in range(len(phrases))])
    count = len(phrases)
    show("phrases, hits", per_second(lambda: table.native.lookup(present), count))
    show("phrases, misses", per_second(lambda: table.native.lookup(absent), count))
    show("Python dictionary, hits", per_second(lambda: [known.get(p) for p in phrases], count))


if __name__ == "__main__":
    main()
