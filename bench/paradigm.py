"""PARADIGM's Tables 2 to 6 and Figure 4 on free data, by the commands that a user would run.

    python -m bench.paradigm [--folder FOLDER] [--plot FILE.svg]

News is mtref-dev, translations of one sentence with links by hand, nine tenths of its groups; the
Bible is 300 verses, each in four of eleven versions, aligned by us; pivots go through French and
German, from Tatoeba and from Multi30k. All trees are by the embedded parser. The gold grammar is
that of edinburgh-train. FOLDER keeps grammars and finished work, so that a run goes on.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import shlex
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Any

from bench.data import DATA
from bench.plot import Point, plot
from otherwords.bitext import Aligner, Bitext, encode, pharaoh
from otherwords.cli import main as otherwords
from otherwords.diagnostics.folds import own_grammar, source_trees
from otherwords.diagnostics.pair_groups import pairs_of, read_pair_groups
from otherwords.engine import Engine

VERSES, TESTED_VERSES = 300, 100
VERSIONS = 4  # of each verse, as LDC's texts have four translations
SAMT_PAIRS = 300  # such grammars are ten times as large
PIVOTS = {
    "tatoeba": (6000, {"fr": "tatoeba-fra", "de": "tatoeba-deu"}),
    "multi30k": (1000, {"fr": "multi30k-en-fr", "de": "multi30k-en-de"}),
}
COST = "e_given_f_phrase"  # -ln p(target|source)
SIZES = {"small": 1.5, "large": 3.0}  # largest cost; the whole is the xl


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Tells the CPU seconds of a step."""
    start = time.process_time()
    yield
    print(f"{what}: {time.process_time() - start:.0f} CPU s", flush=True)


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


def split_bible(folder: Path) -> tuple[Path, Path]:
    """Verses from all over the Bible, each in the next four of the versions that it has."""
    rows = jsonl(DATA / "multi" / "bible-en-multi.jsonl.gz")
    total = VERSES + TESTED_VERSES
    chosen = rows[:: len(rows) // total][:total]
    for number, row in enumerate(chosen):
        names = sorted(row["texts"])
        first = number * VERSIONS % len(names)
        kept = (names[first:] + names[:first])[:VERSIONS]
        row["texts"] = {name: row["texts"][name] for name in kept}
    tested = chosen[:: total // TESTED_VERSES]
    train = [row for row in chosen if row not in tested]
    paths = folder / "bible-train.jsonl", folder / "bible-test.jsonl"
    return write_rows(paths[0], train), write_rows(paths[1], tested)


def monolingual(folder: Path, name: str, pairs: Path, kinds: Sequence[str]) -> dict[str, Path]:
    """Grammars of sentence pairs by their own links, or by our aligner's."""
    groups = read_pair_groups(str(pairs))
    trees = source_trees(groups)
    found = {}
    for kind in kinds:
        path = folder / f"{name}-{kind}.parquet"
        used = pairs_of(groups)[: SAMT_PAIRS if kind == "samt" else None]
        with timed(f"{name}-{kind}, {len(used):,} pairs"), Engine() as engine:
            if not path.exists():
                given = None if kind == "hiero" else trees
                own_grammar(used, path, engine=engine, kind=kind, trees=given)
        found[f"{name}-{kind}"] = path
    return found


def pivoted(folder: Path, name: str) -> Path:
    """Paraphrases through French and German, whose words are told apart by their language."""
    path = folder / f"pivot-{name}.parquet"
    if path.exists():
        return path
    most, corpora = PIVOTS[name]
    pairs, links = [], []
    for language, corpus in corpora.items():
        with gzip.open(DATA / "bitext" / f"{corpus}.tsv.gz", "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t")[:2] for line in islice(lines, most)]
        english, foreign = zip(*rows, strict=True)
        text = Bitext(encode(foreign, "words"), encode(english, "penn", case=True))
        folded = Bitext(text.left, encode(english, "penn"))
        links += pharaoh(Aligner.train(folded).align(folded)[0])
        for number in range(text.size):
            words = [f"{word}@{language}" for word in text.left.sentence(number)]
            pairs.append(" ".join(words) + "\t" + " ".join(text.right.sentence(number)))
    bitext, alignment = folder / f"{name}.tsv", folder / f"{name}.links"
    bitext.write_text("".join(f"{pair}\n" for pair in pairs), encoding="utf-8")
    alignment.write_text("".join(f"{line}\n" for line in links), encoding="utf-8")
    files = ("--bitext", bitext, "--alignment", alignment, "--tokenizer", "none")
    bilingual = folder / f"{name}-bilingual.parquet"
    run("extract", "grammar", *files, "--kind", "syntax", "-o", bilingual)
    run("grammar", "pivot", bilingual, "--min-step", "0.01", "-o", path)
    return path


def pivot_grammars(folder: Path) -> dict[str, Path]:
    """Both pivot grammars, Tatoeba's in three sizes as PPDB comes in."""
    found = {}
    for name in PIVOTS:
        with timed(f"pivot-{name}"):
            found[f"pivot-{name}"] = pivoted(folder, name)
    for size, cost in SIZES.items():
        path = folder / f"pivot-tatoeba-{size}.parquet"
        whole = found["pivot-tatoeba"]
        if not path.exists():
            run("grammar", "prune", whole, "--at-most", f"{COST}={cost}", "-o", path)
        found[f"pivot-tatoeba-{size}"] = path
    return dict(sorted(found.items()))


def indexed(folder: Path, grammars: dict[str, Path]) -> list[str]:
    """The grammars as indices, which all tests open."""
    named = []
    for name, path in grammars.items():
        index = folder / f"{name}.index"
        if not index.exists():
            run("grammar", "index", path, "-o", index)
        named.append(f"{name}={index}")
    return named


def overlaps(folder: Path, gold: Path, grammars: dict[str, Path], svg: Path | None) -> None:
    """Tables 2 to 5 and Figure 4."""
    named = [f"{name}={path}" for name, path in grammars.items()]
    options = ("paradigm", "overlap", "--gold", gold, "--no-identity")
    options = (*options, "--resume", folder / "work")
    with timed("overlap"):
        print(run(*options, *named, "--by-type"))
    swept = [f"pivot-{name}={grammars[f'pivot-{name}']}" for name in PIVOTS]
    arguments = (*options, *swept, "--sweep", COST, "--points", 10, "--matching", "strict")
    with timed("sweep"):
        print(run(*arguments))
    if svg is not None:
        svg.write_text(figure4(json.loads(run(*arguments, "-f", "json"))), encoding="utf-8")


def figure4(document: dict[str, Any]) -> str:
    """Precision and recall by the size of the grammar."""
    panels = {
        title: {
            one["grammar"]: [
                Point(part["all"]["grammar"], part["all"][what]) for part in one["sweep"]
            ]
            for one in document["grammars"]
        }
        for what, title in (("precision", "precision, at least"), ("recall", "relative recall"))
    }
    return plot(panels, [one["grammar"] for one in document["grammars"]])


def coverages(folder: Path, tests: dict[str, Path], grammars: dict[str, Path]) -> None:
    """Table 6, with words unknown to the grammar passed through, and with all words."""
    with timed("indices"):
        named = indexed(folder, grammars)
    for name, path in tests.items():
        for words in ("--pass-through", "--identity"):
            options = (words, "--ci", "--max-seconds", 5, "--resume", folder / "work")
            with timed(f"coverage of {name}, {words}"):
                print(run("paradigm", "coverage", "--pairs", path, *named, *options))


def main() -> None:
    """Print all tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--folder", type=Path)
    arguments.add_argument("--plot", type=Path)
    args = arguments.parse_args()
    start = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        folder = args.folder or Path(name)
        folder.mkdir(exist_ok=True)
        news, bible = split_news(folder), split_bible(folder)
        kinds = ("hiero", "syntax", "samt")
        gold_rows = DATA / "alignment" / "edinburgh-train.jsonl.gz"
        gold = monolingual(folder, "gold", gold_rows, ("hiero", "syntax"))
        grammars = monolingual(folder, "news", news[0], kinds)
        grammars |= monolingual(folder, "bible", bible[0], kinds)
        grammars |= pivot_grammars(folder)
        overlaps(folder, gold["gold-syntax"], grammars, args.plot)
        coverages(folder, {"news": news[1], "bible": bible[1]}, {**gold, **grammars})
    print(f"all: {time.process_time() - start:.0f} CPU s")


if __name__ == "__main__":
    main()
