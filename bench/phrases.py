"""Phrase pairs, phrase tables and pivoting: CPU seconds and peak memory on a real bitext.

Links come from fast_align (PyPI systran-align), or from the diagonal where that is not installed.
Moses' figures are those of ../shared/data/README.md, measured on another day.

python -m bench.phrases [--corpus multi30k-en-fr] [--pairs 30000] [--min-step 0]
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.data import DATA
from otherwords.build.bitext import Bitext, encode, read_links
from otherwords.build.bitext.pairs import read_text_pairs
from otherwords.build.phrases.extraction import extract
from otherwords.text.sentence import tokenize

MOSES_EXTRACT = {4: 4.2 / 1.33, 7: 7.6 / 2.06}  # CPU seconds for a million phrase pairs
MOSES_TABLE = {7: 29 / 2.06}

Pair = tuple[list[str], list[str]]


def sentence_pairs(corpus: str, most: int) -> list[Pair]:
    """Tokens of both sides, in lower case, of pairs of 1 to 100 words."""
    pairs: list[Pair] = []
    with gzip.open(DATA / "bitext" / f"{corpus}.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            left, right = (list(tokenize(text).tokens) for text in line.lower().split("\t")[:2])
            if 0 < len(left) <= 100 and 0 < len(right) <= 100:
                pairs.append((left, right))
            if len(pairs) == most:
                break
    return pairs


def diagonal(pairs: list[Pair]) -> Iterator[str]:
    """Word i of n with the word at the same share of the other side."""
    for left, right in pairs:
        yield " ".join(f"{i}-{i * len(right) // len(left)}" for i in range(len(left)))


def fast_align(pairs: list[Pair], folder: Path) -> Iterator[str]:
    """Both directions, symmetrised, as systran-align does it."""
    import systran_align

    text, there, back = (str(folder / name) for name in ("text", "there", "back"))
    with open(text, "w", encoding="utf-8") as out:
        out.writelines(f"{' '.join(left)} ||| {' '.join(right)}\n" for left, right in pairs)
    systran_align.generate_alignment_probabilities(
        text, there, back, favor_diagonal=True, optimize_tension=True, variational_bayes=True
    )
    aligner = systran_align.Aligner(there, back)
    for left, right in pairs:
        links = aligner.align(left, right)["alignments"]
        yield " ".join(f"{i}-{j}" for i, j in sorted(map(tuple, links)))


def write_corpus(pairs: list[Pair], folder: Path) -> tuple[Path, Path]:
    """The bitext and its links as files."""
    bitext, links = folder / "bitext.tsv", folder / "links.txt"
    with bitext.open("w", encoding="utf-8") as out:
        out.writelines(f"{' '.join(left)}\t{' '.join(right)}\n" for left, right in pairs)
    try:
        lines = list(fast_align(pairs, folder))
    except ImportError:
        print("fast_align is left out (no systran-align here): links on the diagonal")
        lines = list(diagonal(pairs))
    links.write_text("".join(f"{line}\n" for line in lines))
    return bitext, links


# The peak of the program itself: what the system reports of a process counts its parent's as well.
RUN = """
import atexit, sys
from pathlib import Path
from otherwords.cli import entry
peak = Path(sys.argv.pop(1))
atexit.register(lambda: peak.write_text(Path("/proc/self/status").read_text()))
entry()
"""


def command(*argv: str | Path) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a command line in a separate process."""
    with tempfile.TemporaryDirectory() as folder:
        status = Path(folder, "status")
        process = subprocess.Popen([sys.executable, "-c", RUN, str(status), *map(str, argv)])
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
        if process.returncode:
            sys.exit(f"failed: {' '.join(map(str, argv))}")
        lines = status.read_text().splitlines()
    [kilobytes] = (int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return usage.ru_utime + usage.ru_stime, kilobytes / 1024


def kernel(bitext: Path, links: Path, longest: int) -> None:
    """Extraction alone, from arrays in memory."""
    texts = read_text_pairs([str(bitext)])
    text = Bitext(encode(texts.left, "none"), encode(texts.right, "none"))
    aligned = read_links(str(links), text, str(bitext))
    start = time.process_time()
    batches = list(extract(*text, aligned, max_length=longest))
    seconds = time.process_time() - start
    pairs = sum(sum(batch["count"].to_pylist()) for batch in batches)
    rows = sum(map(len, batches))
    ratio = MOSES_EXTRACT[longest] / (seconds / (pairs / 1e6))
    print(f"phrases of up to {longest} words: {pairs:,} pairs, {rows:,} rows after counting")
    print(f"  {seconds / (pairs / 1e6):5.2f} s a million pairs, {ratio:5.1f} x Moses' speed")


def table(bitext: Path, links: Path, longest: int, out: Path) -> None:
    """The whole command: read, extract, count, score, write."""
    for form in ("moses", "parquet"):
        seconds, peak = command(
            *(
                "extract",
                "phrases",
                "--bitext",
                bitext,
                "--alignment",
                links,
                "--tokenizer",
                "none",
            ),
            *("--max-length", str(longest), "-f", form, "-o", out),
        )
        print(f"  command, {form:21} {seconds:6.1f} CPU s, peak {peak:5.0f} MB")


def main() -> None:
    """Print every figure of docs/results/phrases.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", default="multi30k-en-fr")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--min-step", default="0")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs = sentence_pairs(args.corpus, args.pairs)
        words = sum(len(left) for left, _ in pairs)
        bitext, links = write_corpus(pairs, folder)
        print(f"{args.corpus}: {len(pairs):,} sentence pairs, {words:,} English words, one thread")
        out = folder / "table.parquet"
        for longest in (7, 4):
            kernel(bitext, links, longest)
            table(bitext, links, longest, out)
        print(f"Moses, scored table of up to 7 words: {MOSES_TABLE[7]:.1f} CPU s a million pairs")
        seconds, peak = command("pivot", out, "-o", folder / "p", "--min-step", args.min_step)
        print(f"pivot, up to 4 words: {seconds:.1f} CPU s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
