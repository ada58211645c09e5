"""Word alignment and its peers, eflomal and fast_align (PyPI systran-align), in the same run.

python -m bench.alignment [zh] [fr] [en] [speed] [memory] [prune] [--small] [--ours]

zh, fr    alignment error rate with all bitext of the language and the gold sentences; every
          aligner has the same tokens. --small: of French the first 30,000 lines of Europarl
en        English and English: also precision and recall on links between different words
--ours    zh, fr and en without the peers, which take most of the time
speed     CPU seconds of aligning and symmetrising two bitexts, from files of tokens
memory    peak memory for a million pairs of 20 words
prune     error rate, CPU seconds and peak memory of our command for thresholds of --prune;
          --small: without Chinese
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from bench.data import DATA
from otherwords.build.bitext import (
    Aligner,
    Bitext,
    Gold,
    Links,
    Training,
    agreement,
    encode,
    read_gold,
    read_links,
    symmetrise,
)
from otherwords.build.bitext.alignment import GoldText, join_bitexts
from otherwords.build.bitext.gold import LinkAgreement, between_different_words
from otherwords.build.bitext.links import SYMMETRISATIONS
from otherwords.build.bitext.pairs import read_text_pairs
from otherwords.io.files import read_lines
from otherwords.tables.formats import aligned

CHINESE = ("newscommentary-zh", "tatoeba-cmn", "mdn-zh", "k8s-zh", "docs-zh", "bible-cmn-eng")
FRENCH = ("europarl-fr", "tatoeba-fra", "docs-fr", "bible-fra-eng", "multi30k-en-fr")
LONGEST = 200  # tokens; longer pairs nobody gets
SMALL = 30_000
THRESHOLDS = (0.0, 1e-4, 1e-3, 3e-3, 1e-2)
MILLION = 1_000_000


def bitext(names: Sequence[str], foreign: str, lines: int | None = None) -> Bitext:
    """The pairs of some files, English first, in lower case, as all aligners get them."""
    left: list[str] = []
    right: list[str] = []
    for name in names:
        pairs = read_text_pairs([str(DATA / "bitext" / f"{name}.tsv.gz")], longest=LONGEST)
        left += pairs.left[:lines]
        right += pairs.right[:lines]
    return fit(Bitext(encode(left, "penn"), encode(right, foreign)))


def fit(text: Bitext) -> Bitext:
    """The pairs that every aligner takes: words on both sides, and not too many."""
    sizes = [np.diff(side.bounds) for side in text]
    kept = np.flatnonzero((np.minimum(*sizes) > 0) & (np.maximum(*sizes) <= LONGEST))
    return Bitext(
        *(
            encode([" ".join(side.sentence(number)) for number in kept.tolist()], "none")
            for side in text
        )
    )


def write_text(text: Bitext, path: Path) -> None:
    """`left ||| right`, the form that all of them read."""
    with path.open("w", encoding="utf-8") as out:
        for number in range(text.size):
            left, right = (" ".join(side.sentence(number)) for side in text)
            out.write(f"{left.replace('|||', '¦')} ||| {right.replace('|||', '¦')}\n")


def children() -> float:
    """CPU seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def eflomal(path: Path, folder: Path) -> tuple[Path, Path]:
    """Runs eflomal; the links of both directions."""
    there, back = folder / "eflomal.there", folder / "eflomal.back"
    program = Path(sys.executable).parent / "eflomal-align"
    command = [str(program), "--overwrite", "-i", path, "-f", there, "-r", back]
    subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    return there, back


def fast_align(path: Path, folder: Path, first: int | None = None) -> Path:
    """Runs fast_align both ways with the options its authors advise; the links of `first` pairs.

    systran-align gives both directions only as grow-diag-final-and.
    """
    import systran_align

    there, back = (str(folder / f"fast_align.{way}") for way in ("there", "back"))
    systran_align.generate_alignment_probabilities(
        str(path), there, back, favor_diagonal=True, optimize_tension=True, variational_bayes=True
    )
    aligner = systran_align.Aligner(there, back)
    links = folder / "fast_align.links"
    with path.open(encoding="utf-8") as lines, links.open("w") as out:
        for line in islice(lines, first):
            left, right = (side.split() for side in line.rstrip("\n").split(" ||| "))
            found = aligner.align(left, right)["alignments"]
            out.write(" ".join(f"{i}-{j}" for i, j in found) + "\n")
    return links


def head(path: Path, text: Bitext, folder: Path) -> Links:
    """The links of the first pairs, those of the text."""
    short = folder / "head.links"
    lines = islice(read_lines(path), text.size)
    short.write_text("".join(f"{line}\n" for line in lines))
    return read_links(str(short), text, "the gold sentences")


def everyone(
    gold: Bitext, more: Bitext, *, monolingual: bool, peers: bool
) -> Iterator[tuple[str, Links]]:
    """The links of the gold sentences by every aligner, trained on them and on more."""
    text = join_bitexts(gold, more)
    ours = Aligner.train(text, Training(monolingual=monolingual))
    yield "otherwords", ours.align(gold)[0]
    yield "otherwords grow-diag-final-and", ours.align(gold, heuristic="grow-diag-final-and")[0]
    del ours
    if not peers:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "text"
        write_text(text, path)
        there, back = (head(links, gold, folder) for links in eflomal(path, folder))
        for heuristic in SYMMETRISATIONS:
            yield f"eflomal {heuristic}", symmetrise(there, back, heuristic)
        links = fast_align(path, folder, gold.size)
        yield "fast_align grow-diag-final-and", head(links, gold, folder)


def show(table: list[list[str]]) -> None:
    """A table with a line between it and the next."""
    left = [place == 0 for place in range(len(table[0]))]
    print("\n".join(aligned(table, left)), end="\n\n", flush=True)


def numbers(score: LinkAgreement) -> list[str]:
    """Error rate, precision and recall as printed."""
    return [f"{value:.4f}" for value in (score.aer, score.precision, score.recall)]


def bilingual(title: str, name: str, text: Bitext, foreign: str, *, peers: bool) -> None:
    """Alignment error rates on a gold set whose source is foreign; our left is English."""
    rows = [row.swapped() for row in read_gold(str(DATA / "alignment" / f"{name}.jsonl.gz"))]
    judged = GoldText.of(rows, ("penn", foreign), case=False)
    print(f"{title}: {name}, {len(rows)} sentence pairs; trained with {text.size:,} more")
    table = [["aligner", "AER", "precision", "recall"]]
    for aligner, links in everyone(judged.bitext, text, monolingual=False, peers=peers):
        table.append([aligner, *numbers(agreement(judged.links(links), rows))])
    show(table)


def giza(rows: int) -> list[list[tuple[int, int]]]:
    """GIZA++'s links of mtref-dev, row by row."""
    given = {}
    for line in read_lines(DATA / "alignment" / "mtref-dev-giza.jsonl.gz"):
        row = json.loads(line)
        links = row["alignments"]["giza"]
        given[row["id"]] = [tuple(map(int, link.split("-"))) for link in links]
    ids = [json.loads(line)["id"] for line in read_lines(DATA / "alignment" / "mtref-dev.jsonl.gz")]
    assert len(ids) == rows
    return [given[name] for name in ids]


def english(*, peers: bool) -> None:
    """English and English; each set by itself is all that there is to train on, then both."""
    names = ("edinburgh-train", "mtref-dev")
    golds = {name: read_gold(str(DATA / "alignment" / f"{name}.jsonl.gz")) for name in names}
    texts = {name: GoldText.of(rows, ("penn", "penn"), case=False) for name, rows in golds.items()}
    for name, other in (names, names[::-1]):
        rows, judged = golds[name], texts[name]
        print(f"English and English: {name}, {len(rows)} pairs; trained with those of {other} too")
        heads = ["aligner", "AER", "precision", "recall"]
        table = [[*heads, "different: precision", "recall", "F1"]]
        found = everyone(judged.bitext, texts[other].bitext, monolingual=True, peers=peers)
        proposed = [(aligner, judged.links(links)) for aligner, links in found]
        if name == "mtref-dev":
            proposed.append(("GIZA++ (given)", giza(len(rows))))
        alone = Aligner.train(judged.bitext, Training(monolingual=True)).align(judged.bitext)[0]
        proposed.append(("otherwords, this set alone", judged.links(alone)))
        for aligner, links in proposed:
            table.append([aligner, *numbers(agreement(links, rows)), *different(links, rows)])
        show(table)


def different(links: Sequence[Sequence[tuple[int, int]]], rows: Sequence[Gold]) -> list[str]:
    """Precision, recall and F1 on links between different words."""
    score = between_different_words(links, rows)
    return [f"{value:.4f}" for value in (score.precision, score.recall, score.f1)]


def command(*argv: str | Path) -> tuple[float, float, float]:
    """CPU seconds, seconds and peak megabytes of our command line in a separate process."""
    run = "from otherwords.cli import entry; entry()"
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", run, *map(str, argv)])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {' '.join(map(str, argv))}")
    seconds = time.perf_counter() - start
    return usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024


def speed() -> None:
    """CPU seconds from a file of tokens to a file of links, one thread, one after the other."""
    for name, foreign in (("bible-spa-eng", "words"), ("tatoeba-fra", "words")):
        text = bitext([name], foreign)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            path = folder / "text"
            write_text(text, path)
            jobs: dict[str, Callable[[], float]] = {
                "otherwords": lambda p=path, f=folder: ours_timed(p, f),
                "eflomal": lambda p=path, f=folder, t=text: eflomal_timed(p, f, t),
                "fast_align, both directions": lambda p=path, f=folder: fast_align_timed(p, f),
            }
            seconds = {job: work() for job, work in jobs.items()}
        words = len(text.left.tokens)
        print(f"{name}: {text.size:,} pairs, {words:,} English tokens, one thread")
        table = [["aligner", "CPU seconds", "x ours"]]
        for job, value in seconds.items():
            table.append([job, f"{value:.1f}", f"{value / seconds['otherwords']:.2f}"])
        show(table)


def ours_timed(path: Path, folder: Path) -> float:
    """CPU seconds of `otherwords align`, Python's start and reading included."""
    return command("align", "--tokenizer", "none", path, "-o", folder / "links")[0]


def eflomal_timed(path: Path, folder: Path, text: Bitext) -> float:
    """CPU seconds of eflomal, and of our symmetrisation of what it wrote."""
    before = children()
    files = eflomal(path, folder)
    used = children() - before
    there, back = (read_links(str(links), text, str(path)) for links in files)
    start = time.process_time()
    symmetrise(there, back)
    return used + time.process_time() - start


def fast_align_timed(path: Path, folder: Path) -> float:
    """CPU seconds of fast_align in this process, all threads of it."""
    start = time.process_time()
    fast_align(path, folder)
    return time.process_time() - start


def prune(*, small: bool) -> None:
    """What pruning changes, on every development set with the text that it is trained with."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        french = [str(DATA / "bitext" / f"{name}.tsv.gz") for name in FRENCH]
        if small:
            french = [str(folder / "europarl.tsv")]
            lines = islice(read_lines(DATA / "bitext" / f"{FRENCH[0]}.tsv.gz"), SMALL)
            Path(french[0]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        sets = {"fren-hansards-dev": french, "edinburgh-train": [], "mtref-dev": []}
        if not small:
            sets["zhen-gold-dev"] = [str(DATA / "bitext" / f"{name}.tsv.gz") for name in CHINESE]
        for name, texts in sets.items():
            gold = DATA / "alignment" / f"{name}.jsonl.gz"
            out = folder / "agreement.json"
            table = [["--prune", "AER", "precision", "recall", "CPU s", "peak MB"]]
            for threshold in THRESHOLDS:
                used, _, peak = command(
                    *("align", "--gold", gold, *texts, "--prune", str(threshold)),
                    *("-f", "json", "-o", out),
                )
                found = json.loads(out.read_text(encoding="utf-8"))["agreement"][0]
                scores = [f"{found[key]:.4f}" for key in ("aer", "precision", "recall")]
                table.append([f"{threshold:g}", *scores, f"{used:.1f}", f"{peak:.0f}"])
            print(f"{name}, trained on it and {len(texts)} files")
            show(table)


def noisy_pairs(path: Path, pairs: int, words: int, noise: float) -> None:
    """Europarl over and over, `words` a side, where some are exchanged for any other."""
    text = bitext(["europarl-fr"], "words")
    kept = [n for n in range(text.size) if min(len(s.sentence(n)) for s in text) >= words]
    sides = [[side.sentence(n)[:words] for n in kept] for side in text]
    chance = random.Random(1)
    every = [[side.words[word] for word in side.tokens.tolist()] for side in text]

    def line(number: int, side: int) -> str:
        tokens = sides[side][number % len(kept)]
        return " ".join(
            chance.choice(every[side]) if chance.random() < noise else token for token in tokens
        )

    with path.open("w", encoding="utf-8") as out:
        for number in range(pairs):
            out.write(f"{line(number, 0)}\t{line(number, 1)}\n")


def memory(noise: float) -> None:
    """Peak memory of our command for a million pairs of 20 words."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "text.tsv"
        noisy_pairs(path, MILLION, 20, noise)
        used, seconds, peak = command(
            *("align", "--tokenizer", "none", path, "-o", Path(temporary) / "links")
        )
    print(f"{MILLION:,} pairs of 20 words, {noise:.0%} of them noise: peak {peak:,.0f} MB")
    print(f"({used:.0f} CPU seconds, {seconds:.0f} seconds, one thread)\n", flush=True)


def main() -> None:
    """Print the tables that are asked for, all of them by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("zh", "fr", "en", "speed", "memory", "prune")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    parser.add_argument("--small", action="store_true", help="30,000 lines of French")
    parser.add_argument("--ours", action="store_true", help="leave the peers out")
    parser.add_argument("--noise", type=float, default=0.05, help="share of words exchanged")
    args = parser.parse_args()
    if unknown := set(args.parts) - set(parts):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    wanted = args.parts or parts
    if "zh" in wanted:
        text = bitext(CHINESE, "characters")
        title = "Chinese, cut to characters"
        bilingual(title, "zhen-gold-dev", text, "characters", peers=not args.ours)
    if "fr" in wanted:
        text = bitext(FRENCH[:1], "words", SMALL) if args.small else bitext(FRENCH, "words")
        bilingual("French", "fren-hansards-dev", text, "words", peers=not args.ours)
    if "en" in wanted:
        english(peers=not args.ours)
    if "speed" in wanted:
        speed()
    if "memory" in wanted:
        memory(args.noise)
    if "prune" in wanted:
        prune(small=args.small)


if __name__ == "__main__":
    main()
