"""Growth with the size of a bitext: CPU seconds and peak memory of align, phrases, pivot, Hiero.

python -m bench.growth [align] [phrases] [pivot] [hiero] [fast_align] [eflomal] [--text fr]
                       [--sizes 5000,20000,80000,350000] [--threads 1] [--prune 0]
                       [--iterations 5] [--folder FOLDER]
python -m bench.growth constants [--text europarl] [--sizes 4000,16000,64000]

--text fr         all French sets, 350,000 pairs
--text europarl   the first pairs of French Europarl, up to 130,000 of 24 words
--text all        all sets of all languages, 1.19 million pairs (foreign words share a vocabulary)
--text synthetic  made: 22 words per side, a vocabulary that grows by Heaps' law, any size

Smaller sizes are samples of the text, so that all have the same mixture. Every run is a process of
its own, whose usage the system reports; one thread unless --threads. The exponent of growth is the
slope between the smallest and the largest size of a job, on logarithmic scales; "at the end" is the
slope of its last step. Links for phrases and rules are those of `align`, which is therefore run for
them too.

--folder FOLDER   keeps texts, results and figures: a run that was stopped goes on where it was, and
                  the table has all that the folder has for this text and these options

constants         what training the aligner costs: bytes per pair and per pair of words, nanoseconds
                  per cell (left words times right words of a pair) of each kind of iteration
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from bench.alignment import FRENCH, bitext, show
from bench.data import DATA
from bench.phrases import command
from otherwords import _build
from otherwords.build.bitext import Aligner, Bitext, Training, read_bitext

JOBS = ("align", "phrases", "pivot", "hiero", "fast_align", "eflomal")
WORDS = 22  # of a synthetic sentence
HEAPS = 0.6  # exponent of the growth of the synthetic vocabulary
OFFSET = 10.0  # of its Zipf-Mandelbrot law: the first word is 6 in 100
LITERAL = 0.7  # share of synthetic words that are translated as usual
AT_ONCE = 20_000
TEXT = "text.tsv"
FIGURES = "figures.jsonl"

Used = tuple[float, float]  # CPU seconds, megabytes


def real(name: str, most: int) -> list[str]:
    """Lines of tokens `left TAB right` of all sets of that name, in random order.

    Of a name that has only one set its first lines are taken.
    """
    every = sorted(path.name.removesuffix(".tsv.gz") for path in DATA.glob("bitext/*.tsv.gz"))
    names = {"all": every, "fr": list(FRENCH), "europarl": ["europarl-fr"]}[name]
    chinese = [one for one in names if "zh" in one or "cmn" in one]
    others = [one for one in names if one not in chinese]
    lines = [
        line
        for tokenizer, some in (("characters", chinese), ("words", others))
        if some
        for line in tokens_of(bitext(some, tokenizer, most if len(names) == 1 else None))
    ]
    random.Random(1).shuffle(lines)
    return lines


def tokens_of(text: Bitext) -> Iterator[str]:
    """One line per pair, tokens with spaces between them."""
    for number in range(text.size):
        yield "\t".join(" ".join(side.sentence(number)) for side in text)


def synthetic(pairs: int) -> Iterator[str]:
    """Words by Zipf and Mandelbrot, and right sentences that mostly translate them one by one."""
    chance = np.random.default_rng(1)

    def ranks(size: tuple[int, int]) -> np.ndarray:
        # p(rank) falls with the power 1 / HEAPS: as many words as tokens to the power HEAPS
        return (OFFSET * (chance.random(size) ** (-HEAPS / (1 - HEAPS)) - 1)).astype(np.int64)

    for begin in range(0, pairs, AT_ONCE):
        count = min(AT_ONCE, pairs - begin)
        left, other = ranks((count, WORDS)), ranks((count, WORDS))
        right = np.where(chance.random(left.shape) < LITERAL, left, other)
        places = np.argsort(np.arange(WORDS) + chance.normal(0, 1.5, right.shape), axis=1)
        right = np.take_along_axis(right, places, axis=1)
        for one, two in zip(left.tolist(), right.tolist(), strict=True):
            yield " ".join(f"e{w}" for w in one) + "\t" + " ".join(f"f{w}" for w in two)


def prepare(name: str, sizes: Sequence[int], folder: Path) -> None:
    """Writes a folder with the text of each size, or with all there is if that is less."""
    lines = [] if name == "synthetic" else real(name, max(sizes))
    for size in sizes:
        place = folder / str(size)
        if not (place / TEXT).exists():
            place.mkdir(exist_ok=True)
            write(synthetic(size) if name == "synthetic" else iter(lines[:size]), place)


def prepared(name: str, sizes: Sequence[int], folder: Path) -> list[tuple[int, Path]]:
    """The same by another process: what this one holds would count as memory of those it starts."""
    if any(not (folder / str(size) / TEXT).exists() for size in sizes):
        code = (
            "import sys; from pathlib import Path; from bench.growth import prepare;"
            " prepare(sys.argv[1], list(map(int, sys.argv[3:])), Path(sys.argv[2]))"
        )
        run = [sys.executable, "-c", code, name, str(folder), *map(str, sizes)]
        subprocess.run(run, check=True)
    places = [folder / str(size) for size in sizes]
    return [(line_count(place / TEXT), place) for place in places]


def line_count(path: Path) -> int:
    """How many pairs a text has: less than asked for if there are no more."""
    with path.open("rb") as file:
        return sum(1 for _ in file)


def write(lines: Iterator[str], folder: Path) -> None:
    """One pair per line; under its name when it is whole."""
    partial = folder / f"{TEXT}.partial"
    with partial.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)
    partial.rename(folder / TEXT)


def peer(name: str, folder: Path) -> Used:
    """Both directions by a peer, in a process of its own (fast_align from PyPI systran-align)."""
    path = folder / "text.bars"  # the text as peers read it
    lines = (folder / TEXT).open(encoding="utf-8")
    with lines, path.open("w", encoding="utf-8") as out:
        out.writelines(line.replace("|||", "¦").replace("\t", " ||| ") for line in lines)
    code = (
        "import sys; from pathlib import Path; import bench.alignment as b;"
        " getattr(b, sys.argv[1])(Path(sys.argv[2]), Path(sys.argv[3]))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, name, str(path), str(folder)])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Figures:
    """What jobs have used, by job and size, kept in a file of one line per job."""

    def __init__(self, folder: Path, about: str) -> None:
        self.path = folder / FIGURES
        self.about = about  # the text and the options: figures of others are left alone
        self.used: dict[str, dict[int, Used]] = {}
        for line in self.path.read_text().splitlines() if self.path.exists() else ():
            self._add(json.loads(line))

    def _add(self, row: dict[str, Any]) -> None:
        if row["about"] == self.about:
            self.used.setdefault(row["job"], {})[row["pairs"]] = (row["cpu"], row["mb"])

    def run(self, job: str, size: int, work: Callable[[], Used]) -> None:
        """Does the job, unless it is done."""
        if size in self.used.get(job, {}):
            return
        cpu, mb = work()
        row = {"about": self.about, "job": job, "pairs": size, "cpu": cpu, "mb": mb}
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        self._add(row)
        print(f"{self.about}, {size:,} pairs: {job} {cpu:.1f} s {mb:.0f} MB", flush=True)

    def show(self) -> None:
        """Two rows per job, one column per size, exponents last."""
        sizes = sorted({size for used in self.used.values() for size in used})
        table = [["", *(f"{size:,}" for size in sizes), "exponent", "at the end"]]
        for job, used in self.used.items():
            done = [size for size in sizes if size in used]
            for what, place in (("CPU s", 0), ("MB", 1)):
                form = ",.1f" if place == 0 else ",.0f"
                values = [used[size][place] for size in done]
                cells = [f"{used[size][place]:{form}}" if size in used else "" for size in sizes]
                slopes = [exponent(done, values), exponent(done[-2:], values[-2:])]
                table.append([f"{job}, {what}", *cells, *slopes])
        print(f"\n{self.about}; columns: pairs")
        show(table)


def measure(
    jobs: Sequence[str], size: int, folder: Path, figures: Figures, options: argparse.Namespace
) -> None:
    """The usage of every job on the text of the folder."""
    text, links, phrases = folder / TEXT, folder / "links.txt", folder / "phrases.parquet"
    given = ("--tokenizer", "none", "--threads", str(options.threads))
    linked = ("--bitext", text, "--alignment", links, *given)
    more = ("--prune", str(options.prune), "--iterations", str(options.iterations))
    work: dict[str, Callable[[], Used]] = {
        "align": lambda: command("align", text, *given, *more, "-o", links),
        "phrases": lambda: command("extract", "phrases", *linked, "-o", phrases),
        "pivot": lambda: command(
            *("pivot", phrases, "--min-step", "0.001", "-o", folder / "paraphrases.parquet")
        ),
        "hiero": lambda: command("extract", "grammar", *linked, "-o", folder / "grammar.parquet"),
        "fast_align": lambda: peer("fast_align", folder),
        "eflomal": lambda: peer("eflomal", folder),
    }
    needed = {*jobs, "align", *(["phrases"] if "pivot" in jobs else [])}
    for job in JOBS:
        if job in needed:
            figures.run(job, size, work[job])


def peak_bytes() -> int:
    """The largest memory of this process so far (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def peak_from_here() -> int:
    """Count the peak again; what is used now."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak_bytes()


def training_constants(path: str) -> None:
    """In a process of its own: what is known about one training, as JSON."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as small:  # loads what is loaded once
        small.write("a b\tc d\n")
        small.flush()
        pair, _ = read_bitext([small.name], "none")
        Aligner.train(pair).align(pair)
    empty = peak_from_here()
    text, _ = read_bitext([path], "none")
    reading = peak_bytes() - empty
    times = [time.process_time()]
    before = peak_from_here()
    aligner = Aligner.train(text, Training(3, 2), tick=lambda: times.append(time.process_time()))
    grown = peak_bytes() - before
    peak_from_here()
    links, _ = aligner.align(text)
    aligning = peak_bytes() - empty
    met = len(_build.cooccurring(text.left.native, text.right.native, 1000)[0])
    cells = int((np.diff(text.left.bounds) * np.diff(text.right.bounds)).sum())
    first, model1, _, _, hmm = (1e9 * took / cells for took in np.diff(times).tolist())
    found = {
        "pairs": text.size,
        "words of both sides per pair": sum(len(side.tokens) for side in text) / text.size,
        "bytes of text per pair": sum(s.tokens.nbytes + s.bounds.nbytes for s in text) / text.size,
        "cells per pair": cells / text.size,
        "bytes of cells per pair, if they were kept": 4 * cells / text.size,
        "pairs of words that meet": met,
        "peak bytes of training per such pair, besides the text": grown / met,
        "share of such pairs in the finished table": len(aligner.arrays["right"]) / met,
        "links per pair": int(links.bounds[-1]) / text.size,
        "peak MB while reading": reading / 1e6,
        "peak MB while linking": aligning / 1e6,
        "ns per cell: table and first iteration": first,
        "ns per cell: iteration of IBM 1": model1,
        "ns per cell: iteration of the HMMs": hmm,
    }
    print(json.dumps(found))


def constants(texts: Sequence[tuple[int, Path]]) -> None:
    """A column per size."""
    code = "import sys; from bench.growth import training_constants as t; t(sys.argv[1])"
    found: list[dict[str, float]] = []
    for _, place in texts:
        run = [sys.executable, "-c", code, str(place / TEXT)]
        found.append(json.loads(subprocess.check_output(run)))
        print(found[-1], flush=True)
    table = [[key, *(f"{one[key]:,.4g}" for one in found)] for key in found[0] if key != "pairs"]
    sizes = [int(one["pairs"]) for one in found]
    show([["pairs", *(f"{size:,}" for size in sizes)], *table])
    met = [one["pairs of words that meet"] for one in found]
    last = exponent(sizes[-2:], met[-2:])
    print(f"pairs of words that meet: power {exponent(sizes, met)} of the pairs; at the end {last}")


def exponent(sizes: Sequence[int], values: Sequence[float]) -> str:
    """The slope on logarithmic scales, from the first to the last."""
    if len(sizes) < 2:
        return ""
    return f"{math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0]):.2f}"


def main() -> None:
    """One row per size as it is done, then the table with the exponents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join(JOBS))
    parser.add_argument("--text", choices=("fr", "europarl", "all", "synthetic"), default="fr")
    parser.add_argument("--sizes", default="5000,20000,80000,350000")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--prune", type=float, default=0.0)
    parser.add_argument("--folder", help="keep all results there; go on with them")
    parser.add_argument("--iterations", type=int, default=5, help="of each model of align")
    args = parser.parse_args()
    if unknown := set(args.jobs) - {*JOBS, "constants"}:
        parser.error(f"no such job: {', '.join(sorted(unknown))}")
    wanted = [int(size) for size in args.sizes.split(",")]
    about = f"{args.text}, threads {args.threads}, align --prune {args.prune:g}"
    about += f" --iterations {args.iterations}"
    with ExitStack() as stack:
        whole = Path(args.folder or stack.enter_context(tempfile.TemporaryDirectory()))
        folder = whole / f"{args.text}-{args.threads}-{args.prune:g}-{args.iterations}"
        folder.mkdir(parents=True, exist_ok=True)
        texts = prepared(args.text, wanted, folder)
        if "constants" in args.jobs:
            constants(texts)
            return
        figures = Figures(folder, about)
        for size, place in texts:
            measure(args.jobs or JOBS, size, place, figures, args)
    figures.show()


if __name__ == "__main__":
    main()
