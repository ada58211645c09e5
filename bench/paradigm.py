"""PARADIGM's Tables 1 to 6 and Figure 4 on its own data and on free data, next to its figures.

    python -m bench.papers paradigm [--folder FOLDER]

MSR is the paper's MSR corpus (paraphrase/msrp), aligned by us. ParaMetric, the gold grammar, is
edinburgh-train, most of the paper's, with links by hand. News, in place of the paper's LDC texts,
is mtref-dev, translations of one sentence with links by hand, nine tenths of its groups; the other
tenth is the test set. The Bible, in place of French literature, is 300 verses, each in four of
eleven versions, aligned by us; pivots, in place of PPDB, go through French and German, from
6,000 lines of Tatoeba each. Trees are by the embedded parser, syntax grammars of `--kind paradigm`.
FOLDER keeps grammars and finished work, so that a run goes on, and gets figure4.svg. At the end:
how many rules 500 pairs of mtref-dev have by links by hand, by GIZA++'s, and by ours.
"""

from __future__ import annotations

import gzip
import io
import json
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from bench.data import DATA
from bench.published import print_table, show
from otherwords.build.bitext import Aligner, Bitext, Training, encode, pharaoh
from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import limits_of
from otherwords.cli import main as otherwords
from otherwords.study.paradigm.pairs import (
    PairGroup,
    PairsFile,
    SentencePair,
    as_bitext,
    own_grammar,
    pairs_of,
    read_pair_groups,
    source_trees,
)

VERSES = 300
VERSIONS = 4  # of each verse, as LDC's texts have four translations
PIVOT_PAIRS = 6000
PIVOTS = {"fr": "tatoeba-fra", "de": "tatoeba-deu"}
COST = "e_given_f_phrase"  # -ln p(target|source)
SIZES = {"small": 1.5, "large": 3.0}  # largest cost; the whole is the xl
PAPER_WORDS = {"MSR": (5_801, 219_492), "ParaMetric": (970, 21_944)}  # Table 1


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Report the CPU seconds of a step."""
    start = time.process_time()
    yield
    print(f"{what}: {time.process_time() - start:.0f} CPU s", file=sys.stderr, flush=True)


def run(*argv: object) -> str:
    """What an otherwords command prints."""
    words = [str(one) for one in argv]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with redirect_stdout(out):
        code = otherwords(words)
    if code:
        raise SystemExit(f"otherwords {shlex.join(words)} ended with {code}")
    out.flush()
    out.seek(0)
    return out.read()


def jsonl(path: Path) -> list[Any]:
    """The rows of a packed file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_rows(path: Path, rows: Sequence[Any]) -> Path:
    """Rows as JSONL."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def split_news(folder: Path) -> tuple[Path, Path]:
    """mtref-dev: nine tenths of the groups to learn from, every tenth to test."""
    rows = jsonl(DATA / "alignment" / "mtref-dev.jsonl.gz")
    names = list(dict.fromkeys(row["group"] for row in rows))
    tested = set(names[::10])
    train = write_rows(folder / "news-train.jsonl", [r for r in rows if r["group"] not in tested])
    return train, write_rows(folder / "news-test.jsonl", [r for r in rows if r["group"] in tested])


def bible_rows() -> list[Any]:
    """Verses from all over the Bible, each in the next four of the versions that it has."""
    rows = jsonl(DATA / "multi" / "bible-en-multi.jsonl.gz")
    chosen = rows[:: len(rows) // VERSES][:VERSES]
    for number, row in enumerate(chosen):
        names = sorted(row["texts"])
        first = number * VERSIONS % len(names)
        kept = (names[first:] + names[:first])[:VERSIONS]
        row["texts"] = {name: row["texts"][name] for name in kept}
    return chosen


def bible(folder: Path) -> Path:
    """The file of these verses."""
    return write_rows(folder / "bible.jsonl", bible_rows())


def msr(folder: Path) -> Path:
    """All pairs of the MSR corpus, those that people did not call paraphrases too, as Table 1."""
    path = folder / "msr.tsv"
    rows = jsonl(DATA / "paraphrase" / "msrp.jsonl.gz")
    lines = (f"{row['source']}\t{row['hypothesis']}\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def monolingual(
    folder: Path,
    name: str,
    pairs: Path,
    most: int | None = None,
    tokenizer: str | None = None,
    possible: bool = False,
    sizes: list[list[object]] | None = None,
) -> dict[str, Path]:
    """Grammars of sentence pairs, the first `most` of them, by their own links or our aligner's.
    Adds a row of Table 1 to `sizes`.
    """
    files = {f"{name} {kind}": folder / f"{name}-{kind}.parquet".lower() for kind in KINDS}
    file = PairsFile(str(pairs), tokenizer)
    groups = read_pair_groups(file, possible=possible)
    found = pairs_of(groups)[:most]
    if sizes is not None:
        words = sum(len(pair.source) + len(pair.target) for pair in found)
        sizes.append([name, len(found), words, *PAPER_WORDS.get(name, ("", ""))])
    if all(path.exists() for path in files.values()):
        return files
    with timed(f"{name}, parsing and aligning"):
        trees = source_trees([PairGroup(name, tuple(found))])
        aligned = with_links(found)
    for kind, path in zip(KINDS, files.values(), strict=True):
        with timed(f"{name} {kind}"), DuckEngine() as engine:
            own_grammar(
                aligned,
                path,
                engine=engine,
                kind=kind.lower(),
                trees=None if kind == "Hiero" else trees,
                limits=limits_of("paradigm" if kind == "Syntax" else kind.lower()),
            )
    return files


KINDS = ("Hiero", "Syntax")


def with_links(pairs: Sequence[SentencePair]) -> list[SentencePair]:
    """The pairs with their links, or with those of an aligner that is trained on them."""
    if all(pair.links is not None for pair in pairs):
        return list(pairs)
    text = as_bitext(pairs)
    links, _ = Aligner.train(text, Training(monolingual=True)).align(text)
    return [replace(pair, links=tuple(links.sentence(number))) for number, pair in enumerate(pairs)]


def pivoted(folder: Path) -> Path:
    """Paraphrases through French and German, whose words are marked by their language."""
    path = folder / "pivot.parquet"
    if path.exists():
        return path
    pairs, links = [], []
    for language, corpus in PIVOTS.items():
        with gzip.open(DATA / "bitext" / f"{corpus}.tsv.gz", "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t")[:2] for line in islice(lines, PIVOT_PAIRS)]
        english, foreign = zip(*rows, strict=True)
        text = Bitext(encode(foreign, "words"), encode(english, "penn", case=True))
        folded = Bitext(text.left, encode(english, "penn"))
        links += pharaoh(Aligner.train(folded).align(folded)[0])
        for number in range(text.size):
            words = [f"{word}@{language}" for word in text.left.sentence(number)]
            pairs.append(" ".join(words) + "\t" + " ".join(text.right.sentence(number)))
    bitext, alignment = folder / "pivot.tsv", folder / "pivot.links"
    bitext.write_text("".join(f"{pair}\n" for pair in pairs), encoding="utf-8")
    alignment.write_text("".join(f"{line}\n" for line in links), encoding="utf-8")
    files = ("--bitext", bitext, "--alignment", alignment, "--tokenizer", "none")
    bilingual = folder / "pivot-bilingual.parquet"
    run("extract", "grammar", *files, "--kind", "paradigm", "-o", bilingual)
    run("grammar", "pivot", bilingual, "--min-step", "0.01", "-o", path)
    return path


def pivot_grammars(folder: Path) -> dict[str, Path]:
    """The pivot grammar in three sizes, as PPDB comes in."""
    with timed("pivot"):
        found = {"pivot-xl": pivoted(folder)}
        for size, cost in SIZES.items():
            path = folder / f"pivot-{size}.parquet"
            if not path.exists():
                options = ("--at-most", f"{COST}={cost}", "-o", path)
                run("grammar", "prune", found["pivot-xl"], *options)
            found[f"pivot-{size}"] = path
    return {name: found[name] for name in ("pivot-small", "pivot-large", "pivot-xl")}


def tables(folder: Path, gold: Path, test: Path, grammars: dict[str, Path]) -> None:
    """Tables 2 to 6 and Figure 4 by the command that a user would run."""
    named = " ".join(f"{name.replace(' ', '-')}={path.name}" for name, path in grammars.items())
    figure = f"--sweep {COST} --figure pivot-xl --plot figure4.svg"
    parsing = f"--pairs {test.name} --ci --resume work"
    (folder / "figure4.svg").touch()
    (folder / "work").mkdir(exist_ok=True)
    show(folder, f"meta paper paradigm --gold {gold.name} {named} {figure} {parsing}")


def by_links(most: int = 500) -> None:
    """The rules of the same pairs by three alignments: words without links make most of them."""
    rows = jsonl(DATA / "alignment" / "mtref-dev.jsonl.gz")[:most]
    giza = {
        row["id"]: row["alignments"]["giza"]
        for row in jsonl(DATA / "alignment" / "mtref-dev-giza.jsonl.gz")
    }
    with tempfile.TemporaryDirectory() as name:
        groups = read_pair_groups(str(write_rows(Path(name) / "rows.jsonl", rows)), possible=True)
        trees = source_trees(groups)
        order = {tuple(map(str.lower, row["source"] + row["target"])): row["id"] for row in rows}
        pairs = pairs_of(groups)
        named = [giza[order[pair.source + pair.target]] for pair in pairs]
        theirs = [tuple(tuple(map(int, link.split("-"))) for link in one) for one in named]
        alignments = {
            "by hand": pairs,
            "GIZA++": [replace(pair, links=one) for pair, one in zip(pairs, theirs, strict=True)],
            "ours": with_links([replace(pair, links=None) for pair in pairs]),
        }
        lines: list[list[object]] = []
        for label, aligned in alignments.items():
            free = sum(len(pair.source) - len({i for i, _ in pair.links or ()}) for pair in aligned)
            share = free / sum(len(pair.source) for pair in aligned)
            line: list[object] = [label, f"{share:.1%}"]
            for kind in KINDS:
                path = Path(name) / f"{kind}.parquet"
                given = None if kind == "Hiero" else trees
                limits = limits_of("paradigm" if kind == "Syntax" else kind.lower())
                limits = replace(limits, identity=kind == "Hiero")
                with DuckEngine() as engine:
                    made = own_grammar(
                        aligned,
                        path,
                        engine=engine,
                        kind=kind.lower(),
                        trees=given,
                        limits=limits,
                    )
                line.append(made.rows)
            lines.append(line)
        head = ("links", "source words without a link", *(f"{kind} rules" for kind in KINDS))
        print_table(f"Rules of {most} pairs of mtref-dev by links", head, lines)


def print_tables(folder: Path) -> None:
    """Print all tables."""
    train, test = split_news(folder)
    parametric = DATA / "alignment" / "edinburgh-train.jsonl.gz"
    sizes: list[list[object]] = []
    grammars = monolingual(folder, "MSR", msr(folder), tokenizer="none", sizes=sizes)
    grammars |= monolingual(folder, "ParaMetric", parametric, possible=True, sizes=sizes)
    grammars |= monolingual(folder, "news", train, possible=True, sizes=sizes)
    grammars |= monolingual(folder, "bible", bible(folder), sizes=sizes)
    head = ("corpus", "pairs", "words of both sides", "paper: pairs", "words")
    print_table("Table 1: text", head, sizes)
    grammars |= pivot_grammars(folder)
    with timed("tables"):
        tables(folder, grammars["ParaMetric Syntax"], test, grammars)
    by_links()
