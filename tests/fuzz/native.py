"""Runs build/fuzz/fuzz_readers, which `make fuzz-native` builds, on seeds of each native reader.

python -m tests.fuzz.native SECONDS
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.fuzz import seeds

ROOT = Path(__file__).resolve().parents[2] / "build" / "fuzz"
# By the first byte of an input, as in native.cpp.
READERS = [
    [seeds.ARPA],
    [seeds.RULES, "[X] ||| a ||| b\n"],
    [seeds.RULES, "[X] ||| a ||| b ||| p=1 q=-0.5\n"],
    ["X\tthe [X,1]\t[X,1] b", "NP\thouse\thome"],
    *([[*seeds.TEXT, "“It’s 1,234.5 can't-do’s,” (she) said... U.S.A. 中文"]] * 4),
]


def main(seconds: int) -> int:
    corpus = ROOT / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, texts in enumerate(READERS):
        for place, text in enumerate(texts):
            (corpus / f"seed-{number}-{place}").write_bytes(bytes([number]) + text.encode())
    options = [f"-max_total_time={seconds}", "-max_len=4096", "-rss_limit_mb=2048", "-timeout=10"]
    options += [f"-artifact_prefix={ROOT}/failure-", "-print_final_stats=1", "-verbosity=0"]
    return subprocess.run([ROOT / "fuzz_readers", *options, corpus]).returncode


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
