"""Grammars: rules extracted and pairs parsed per CPU second, compared with Thrax, cdec and Joshua.

The peers' figures are those of ../shared/data/README.md, measured on another day on the same kind
of machine: these programs cannot be run here. All is one thread, in CPU seconds.
Parsing is also timed by sentence length, each pair with the grammar of all of them.

python -m bench.grammar [--pairs 2000] [--sync-pairs 2000] [--extraction]
"""

from __future__ import annotations

import argparse
import compileall
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

import otherwords
from bench.data import DATA
from bench.figures import Figure, peak, record
from bench.phrases import command
from otherwords.build.bitext import Aligner, Bitext, encode, pharaoh, read_links
from otherwords.build.bitext.pairs import read_text_pairs
from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import Grammar, SyncParser, build_grammar, overlap
from otherwords.build.grammar.extraction import extract_rules
from otherwords.build.grammar.index import GrammarIndex
from otherwords.build.grammar.sync_parser import Parse
from otherwords.build.grammar.table import write_grammar

THRAX = 44 / 467_208  # CPU seconds a rule: Hiero, 2,000 pairs
THRAX_LARGE = 477 / 5_900_000  # the same: 31,854 pairs
CDEC = 3.3 / 100  # CPU seconds a pair: short pairs, 5,000 rules each
JOSHUA = 5.2 / 20  # CPU seconds a pair: 25,000 rules
FASTER = 10  # than Thrax, at least
LIMIT = 1000  # megabytes


def compile_modules() -> None:
    """Bytecode of our modules, as an installed package has: commands should not compile them."""
    compileall.compile_dir(Path(otherwords.__file__).parent, quiet=1)


def write_corpus(folder: Path, pairs: int) -> tuple[Path, Path]:
    """French and English of Multi30k as tokens, and our links between them."""
    rows = read_text_pairs([str(DATA / "bitext" / "multi30k-en-fr.tsv.gz")])
    text = Bitext(encode(rows.right[:pairs], "words"), encode(rows.left[:pairs], "penn"))
    links, _ = Aligner.train(text).align(text, heuristic="grow-diag-final-and")
    bitext, alignment = folder / "bitext.tsv", folder / "links.txt"
    with bitext.open("w", encoding="utf-8") as out:
        for number in range(text.size):
            sides = (" ".join(side.sentence(number)) for side in text)
            out.write("\t".join(sides) + "\n")
    alignment.write_text("".join(f"{line}\n" for line in pharaoh(links)))
    return bitext, alignment


def extraction(bitext: Path, alignment: Path, folder: Path) -> None:
    """The kernel, the grammar with its features, and the whole command."""
    rows = read_text_pairs([str(bitext)])
    text = Bitext(*(encode(side, "none") for side in (rows.left, rows.right)))
    links = read_links(str(alignment), text, str(bitext))
    start = time.process_time()
    for _ in extract_rules(*text, links):
        pass
    kernel = time.process_time() - start
    start = time.process_time()
    with DuckEngine() as engine:
        grammar = build_grammar(*text, links, folder / "g.parquet", engine=engine)
    whole = time.process_time() - start
    print(f"Hiero, {text.size:,} pairs: {grammar.rows:,} rules")
    print(f"  kernel                 {kernel:6.2f} CPU s, {grammar.rows / kernel:10,.0f} rules/s")
    lines = [("grammar with features", whole)]
    shared = ("--bitext", bitext, "--alignment", alignment, "--tokenizer", "none")
    for form, out in (("parquet", "c.parquet"), ("joshua", "c.txt")):
        seconds, megabytes = command("extract", "grammar", *shared, "-f", form, "-o", folder / out)
        lines.append((f"command, {form}", seconds))
        print(f"  command, {form:13} peak {megabytes:.0f} MB")
    thrax = THRAX_LARGE if text.size > 10_000 else THRAX
    for what, seconds in lines:
        ratio = thrax / (seconds / grammar.rows)
        print(f"  {what:22} {seconds:6.2f} CPU s, {ratio:5.1f} x Thrax per rule")
    each = 1e6 * seconds / grammar.rows
    print(f"  {each:.1f} CPU µs a rule as text")
    job = f"extract grammar, {grammar.rows:,} rules"
    shown = f"{each:.1f} µs per rule", f"Thrax {1e6 * thrax:.0f} µs per rule"
    record(Figure(job, *shown, 1e6 * thrax / each, seconds, megabytes, least=FASTER))
    record_memory(job, seconds, megabytes)
    pivoted = ("grammar", "pivot", folder / "c.parquet", "--min-step", "0.01", "-o")
    seconds, megabytes = command(*pivoted, folder / "p.parquet")
    rows_out = Grammar.open(folder / "p.parquet").rows
    each = 1e6 * seconds / grammar.rows
    print(
        f"  grammar pivot          {seconds:6.2f} CPU s, {each:5.1f} µs a rule,"
        f" {rows_out:,} paraphrases, peak {megabytes:.0f} MB"
    )
    record_memory(f"grammar pivot, {grammar.rows:,} rules", seconds, megabytes)


def record_memory(job: str, seconds: float, megabytes: float) -> None:
    """What a command takes of the memory that it may take."""
    shown = f"{megabytes:.0f} MB", f"limit {LIMIT} MB"
    record(Figure(job, *shown, megabytes / LIMIT, seconds, megabytes, most=1.0))


def peers_pairs() -> None:
    """The forty pairs of cdec with their own rules, read and parsed."""
    path = DATA / "grammar" / "cdec-sync-40.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    reading = parsing = 0.0
    right = 0
    for row in rows:
        start = time.process_time()
        parser = SyncParser(row["rules"], pass_through="all")
        reading += time.process_time() - start
        start = time.process_time()
        found = parser.parse([row["source"]], [row["target"]])
        parsing += time.process_time() - start
        right += (found[0].verdict == "accepted") == row["reachable"]
    rules = sum(len(row["rules"]) for row in rows)
    print(f"cdec's {len(rows)} pairs, {rules / len(rows):,.0f} rules each: {right} verdicts equal")
    for what, seconds in (("parse", parsing), ("read the rules and parse", reading + parsing)):
        each = seconds / len(rows)
        print(f"  {what:25} {1000 * each:7.2f} ms per pair, {CDEC / each:6.1f} x cdec")


def parsing(folder: Path, most: int) -> None:
    """Pairs of the corpus with the whole grammar, by the length of the source."""
    rows = read_text_pairs([str(folder / "bitext.tsv")])
    start = time.process_time()
    loaded = GrammarIndex.of(folder / "c.txt")
    print(f"{loaded.size:,} rules, loaded from text in {time.process_time() - start:.1f} CPU s")
    groups: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for source, target in list(zip(rows.left, rows.right, strict=True))[:most]:
        groups[min(len(source.split()) // 5 * 5, 25)].append((source, target))
    for length, pairs in sorted(groups.items()):
        found, each = timed(loaded, pairs)
        accepted = sum(one.verdict == "accepted" for one in found)
        limited = sum(one.verdict in ("steps", "time") for one in found)
        print(
            f"  {length:2}-{length + 4 if length < 25 else '':2} words: {len(pairs):5} pairs,"
            f" {accepted / len(pairs):5.1%} derived, {limited} at the limit,"
            f" {1 / each:8,.0f} pairs/s, {JOSHUA / each:7.1f} x Joshua"
        )


def timed(index: GrammarIndex, pairs: list[tuple[str, str]]) -> tuple[list[Parse], float]:
    """The verdicts on pairs, and CPU seconds a pair."""
    parser = SyncParser(index, pass_through="unknown")
    start = time.process_time()
    found = parser.parse([source for source, _ in pairs], [target for _, target in pairs])
    return found, (time.process_time() - start) / len(pairs)


def write_large(folder: Path, copies: int, gold_rules: int) -> None:
    """A large grammar, copies of ours under other labels, and a gold one, a part of it."""
    ours = Grammar.open(folder / "g.parquet")

    def relabelled() -> Iterator[pa.RecordBatch]:
        for copy in range(copies):
            for batch in ours.batches():
                label = pa.array([f"X{copy}"] * len(batch), pa.string())
                yield batch.set_column(0, "lhs", label)

    write_grammar(relabelled(), folder / "large.parquet", ours.features)

    def part() -> Iterator[pa.RecordBatch]:
        left = gold_rules
        for batch in relabelled():
            yield batch.slice(0, left)
            left -= min(left, len(batch))
            if not left:
                return

    write_grammar(part(), folder / "gold.parquet", ours.features)


def overlap_alone(folder: Path) -> None:
    """The overlap in a separate process, for its memory."""
    start = time.process_time()
    with DuckEngine(memory_gb=0.5) as engine:
        found = overlap(
            Grammar.open(folder / "large.parquet"),
            Grammar.open(folder / "gold.parquet"),
            engine=engine,
        )
    print(
        f"overlap of {found.total.grammar:,} rules with {found.total.gold:,}:"
        f" {found.total.common:,} common, {time.process_time() - start:.1f} CPU s,"
        f" peak {peak():.0f} MB"
    )


def main() -> None:
    """Print every figure of docs/grammar.md."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=int, default=2000)
    arguments.add_argument("--sync-pairs", type=int, default=2000)
    arguments.add_argument(
        "--extraction", action="store_true", help="Extraction and pivoting alone."
    )
    arguments.add_argument("--alone", help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.alone:
        overlap_alone(Path(args.alone))
        return
    compile_modules()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bitext, alignment = write_corpus(folder, args.pairs)
        extraction(bitext, alignment, folder)
        if args.extraction:
            return
        peers_pairs()
        parsing(folder, args.sync_pairs)
        write_large(folder, max(1, 24_000 // args.pairs), 300_000)
        sys.stdout.flush()
        alone = [sys.executable, "-m", "bench.grammar", "--alone", str(folder)]
        subprocess.run(alone, check=True)
    print(f"peak of this process {peak():.0f} MB")


if __name__ == "__main__":
    main()
