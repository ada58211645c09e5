"""ParaMetric: three paraphrasers on sentences aligned by hand that none of them has seen.

    python -m bench.parametric FOLDER [edinburgh] [mtref] [bible] [speed]
        [--pairs N] [--plot FILE.svg]

Trees are by the embedded parser, pivots from the first N lines of Europarl and of Tatoeba in each
of four languages (60,000 unless said). FOLDER keeps what was made: tables, links and the held-out
gold file, so that a table can be printed again with the `otherwords parametric` command that is
shown above it. The pivots and the monolingual table, which take minutes, are not made again if
they are there.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import sys
import time
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bench.data import DATA
from bench.parametric_plot import plot
from bench.published import print_table, show
from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.corpus import Bitext, encode
from otherwords.build.bitext.gold import Gold, read_gold
from otherwords.build.bitext.links import compose, pharaoh, phrase_spans
from otherwords.build.engine import DuckEngine
from otherwords.build.phrases.lattices import syntactic_links, syntactic_table
from otherwords.build.phrases.table import PhraseTable, build_table, equivalent_pairs
from otherwords.build.trees.parser import Parser
from otherwords.build.trees.tree import Tree
from otherwords.cli import main as otherwords
from otherwords.study.parametric import ParaMetric, phrase_pairs
from otherwords.text.sentence import tokenize

VERSIONS = ("BSB", "WEB", "BBE")  # today's, the World English Bible, Basic English
VERSES = 8000
PAIRS = 60_000  # lines of each bitext
HELD_OUT = 4  # one group of so many
LANGUAGES = {"fr": "tatoeba-fra", "de": "tatoeba-deu", "es": "tatoeba-spa", "zh": "tatoeba-cmn"}
EUROPARL = {"zh": "newscommentary-zh"}  # Chinese was never spoken there
NEAR = 0.5  # share of words in common from which two sentences are held for the same

# Figure 1, its links made again from Table 1 and from what words mean; the matrices are lost.
FIRST = "some want to impeach him and others expect him to step down ."
FIGURE = {
    "some people propose to impeach him , while others want him to resign .": (
        "0-0 0-1 1-2 2-3 3-4 4-5 5-7 6-8 7-9 8-10 9-11 10-12 11-12 12-13"
    ),
    "there are those who propose impeaching him and those who want him to tender his "
    "resignation .": (
        "0-0 0-1 0-2 0-3 1-4 2-5 3-5 4-6 5-7 6-8 6-9 7-10 8-11 9-12 10-13 10-14 10-15 11-13 11-14 "
        "11-15 12-16"
    ),
    "some are proposing an indictment against him and some want him to leave office "
    "voluntarily .": (
        "0-0 1-1 1-2 2-3 2-4 2-5 3-3 3-4 3-5 4-6 5-7 6-8 7-9 8-10 9-11 10-12 10-13 10-14 "
        "11-12 11-13 11-14 12-15"
    ),
}

log = partial(print, file=sys.stderr, flush=True)
Row = dict[str, Any]
Groups = list[list[str]]  # sentences that say the same, words with spaces between them


def gold_rows(name: str) -> list[Row]:
    """The rows of a gold file of the data folder."""
    with gzip.open(DATA / "alignment" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_held_out(row: Row) -> bool:
    """By the first sentence, so that its groups stay together on one side."""
    digest = hashlib.sha256(" ".join(row["source"]).encode()).digest()
    return digest[0] % HELD_OUT == 0


def groups_of(rows: Iterable[Row]) -> dict[str, list[tuple[str, ...]]]:
    """The sentences of each group; a row without one is a group."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for number, row in enumerate(rows):
        mine = found.setdefault(str(row.get("group") or number), [])
        for side in ("source", "target"):
            mine.append(tuple(word.lower() for word in row[side]))
    return found


def unseen(groups: Iterable[list[tuple[str, ...]]], tested: Sequence[Row]) -> Groups:
    """Without the groups that share half of a sentence's words with one that is tested."""
    sides = ("source", "target")
    words = [frozenset(w.lower() for w in row[side]) for row in tested for side in sides]

    def is_near(sentence: frozenset[str]) -> bool:
        return any(len(sentence & one) > NEAR * len(sentence | one) for one in words)

    kept = []
    for group in groups:
        if not any(is_near(frozenset(sentence)) for sentence in group):
            kept.append([" ".join(sentence) for sentence in group])
    return kept


def verses(most: int = VERSES) -> Groups:
    """Verses of the Bible in several versions."""
    path = DATA / "multi" / "bible-en-multi.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["texts"] for line in lines]
    every = texts[:: max(1, len(texts) // most)]
    return [
        [" ".join(tokenize(verse[name].lower()).tokens) for name in VERSIONS if name in verse]
        for verse in every
    ]


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """One line per row."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def as_bitext(rows: Sequence[Row]) -> Bitext:
    """The sentences of gold rows, words as they are."""
    sides = ([" ".join(row[side]) for row in rows] for side in ("source", "target"))
    return Bitext(*(encode(side, "none") for side in sides))


def monolingual_table(pairs: Sequence[tuple[str, str]], path: Path, engine: DuckEngine) -> Aligner:
    """Make the phrase table of pairs of paraphrases; returns the aligner trained on them."""
    text = Bitext(*(encode(side, "none") for side in zip(*pairs, strict=True)))
    aligner = Aligner.train(text, Training(monolingual=True))
    build_table(*text, aligner.align(text)[0], path, engine=engine, max_length=5)
    return aligner


def monolingual(folder: Path, name: str, groups: Groups, rows: Sequence[Row]) -> list[str]:
    """Quirk et al.: an aligner and a phrase table of English and English."""
    pairs = equivalent_pairs(groups)
    table, links = folder / f"{name}-monolingual.parquet", folder / f"{name}-monolingual.links"
    start = time.perf_counter()
    if not links.exists():
        with DuckEngine(temporary=folder) as engine:
            aligner = monolingual_table(pairs, table, engine)
        write_lines(links, pharaoh(aligner.align(as_bitext(rows))[0]))
    took, size = time.perf_counter() - start, PhraseTable.open(table).rows
    log(f"monolingual SMT: {len(pairs)} pairs, {size} phrase pairs, {took:.0f} s")
    return ["--alignments", f"monolingual={links}", "--table", f"monolingual={table}"]


def own_text(folder: Path, name: str, groups: Groups, rows: Sequence[Row]) -> list[str]:
    """An aligner that has also read the sentences that are tested (not their links), as §7.1."""
    path = folder / f"{name}-own-text.links"
    tested = [[" ".join(sentence) for sentence in group] for group in groups_of(rows).values()]
    sides = zip(*equivalent_pairs(groups + tested), strict=True)
    text = Bitext(*(encode(side, "none") for side in sides))
    aligner = Aligner.train(text, Training(monolingual=True))
    write_lines(path, pharaoh(aligner.align(as_bitext(rows))[0]))
    return ["--alignments", f"own-text={path}"]


def syntactic(
    folder: Path,
    name: str,
    trees: Sequence[tuple[Tree, Tree]],
    groups: Sequence[Sequence[Tree]],
) -> list[str]:
    """Pang et al.: links of the merged trees of each row, paraphrases of other lattices."""
    table, links = folder / f"{name}-syntactic.tsv", folder / f"{name}-syntactic.links"
    start = time.perf_counter()
    found = [syntactic_links(*pair) for pair in trees]
    write_lines(links, (" ".join(f"{i}-{j}" for i, j in one) for one in found))
    pairs = list(syntactic_table(groups))
    write_lines(table, (f"{one}\t{other}\t{p!r}" for one, other, p in pairs))
    took = time.perf_counter() - start
    log(f"syntactic alignment: {len(groups)} lattices, {len(pairs)} paraphrases, {took:.0f} s")
    sizes = [len(one.words) * len(other.words) for one, other in trees]
    apart = sum(2 * len(one) > size for one, size in zip(found, sizes, strict=True))
    log(f"pairs of trees with more than half of all word pairs linked: {apart} of {len(trees)}")
    return ["--alignments", f"syntactic={links}", "--table", f"syntactic={table}"]


def pairs_of_trees(rows: Sequence[Row]) -> list[tuple[Tree, Tree]]:
    """The trees of source and target of every row."""
    sides = ("source", "target")
    one, other = (Parser.load().parse([row[side] for row in rows]) for side in sides)
    return list(zip(one, other, strict=True))


def tree_groups(
    rows: Sequence[Row], trees: Sequence[tuple[Tree, Tree]], tested: Sequence[Row]
) -> list[list[Tree]]:
    """The trees of the groups that `unseen` keeps."""
    by_group: dict[str, list[Tree]] = {}
    for number, (row, pair) in enumerate(zip(rows, trees, strict=True)):
        by_group.setdefault(str(row.get("group") or number), []).extend(pair)
    groups = groups_of(rows)
    kept = [key for key in groups if unseen([groups[key]], tested)]
    return [by_group[key] for key in kept]


def pivots(given: argparse.Namespace) -> Path:
    """Paraphrases through four languages, by the commands that a user would run."""
    path = given.folder / f"pivots-{given.pairs}.parquet"
    if path.exists():
        return path
    start, tables = time.perf_counter(), []
    for language, tatoeba in LANGUAGES.items():
        corpora = (f"{EUROPARL.get(language, f'europarl-{language}')}.tsv.gz", f"{tatoeba}.tsv.gz")
        bitext, links = given.folder / f"{language}.tsv", given.folder / f"{language}.links"
        lines: list[str] = []
        for name in corpora:
            with gzip.open(DATA / "bitext" / name, "rt", encoding="utf-8") as text:
                lines += islice((line.rstrip("\n") for line in text), given.pairs)
        write_lines(bitext, lines)
        table = given.folder / f"{language}.parquet"
        run(["align", str(bitext), "-o", str(links)])
        aligned = ["--bitext", str(bitext), "--alignment", str(links)]
        run(["extract", "phrases", *aligned, "-o", str(table)])
        tables.append(f"{language}={table}")
    limits = ["--min-step", "0.005", "--min-count", "2", "--min-probability", "0.01"]
    run(["pivot", *tables, *limits, "-o", str(path)])
    log(f"pivots: {time.perf_counter() - start:.0f} s")
    return path


def run(argv: list[str]) -> None:
    """A command that must succeed."""
    if otherwords(argv):
        raise SystemExit(f"otherwords {' '.join(argv)} failed")


def shown(argv: list[str]) -> None:
    """The command, and what it prints."""
    names = re.sub(r"([ =])[^ =]*/", r"\1", " ".join(argv))
    start, used = time.perf_counter(), time.process_time()
    print(f"\n$ otherwords {names}", flush=True)
    run(argv)
    took, used = time.perf_counter() - start, time.process_time() - used
    print(f"({took:.1f} s, {used:.1f} of CPU)\n", flush=True)


def write_gold(folder: Path, name: str, rows: Sequence[Row]) -> Path:
    """A gold file of these rows."""
    path = folder / f"{name}.jsonl"
    write_lines(path, (json.dumps(row, ensure_ascii=False) for row in rows))
    return path


def edinburgh(given: argparse.Namespace) -> list[str]:
    """All tables of the held-out part of the Edinburgh corpus."""
    tested, systems = edinburgh_systems(given)
    return report(given, "edinburgh", tested, systems)


def edinburgh_systems(given: argparse.Namespace) -> tuple[list[Row], list[str]]:
    """The held-out rows, and the links and tables of the paper's three methods for them."""
    folder, rows, mtref = given.folder, gold_rows("edinburgh-train"), gold_rows("mtref-dev")
    tested = [row for row in rows if is_held_out(row)]
    learnt = [row for row in rows if not is_held_out(row)]
    own, others = (
        unseen(groups_of(learnt).values(), tested),
        unseen(groups_of(mtref).values(), tested),
    )
    log(f"held out: {len(tested)} of {len(rows)} rows; learnt from: {len(own)} others,")
    log(f"{len(others)} of {len(groups_of(mtref))} groups of mtref-dev that are not near them")
    systems = monolingual(folder, "edinburgh", own + others + verses(), tested)
    systems += own_text(folder, "edinburgh", own + others, tested)
    groups = tree_groups(learnt, pairs_of_trees(learnt), tested)
    groups += tree_groups(mtref, pairs_of_trees(mtref), tested)
    systems += syntactic(folder, "edinburgh", pairs_of_trees(tested), groups)
    return tested, [*systems, "--table", f"parallel={pivots(given)}"]


def mtref(given: argparse.Namespace) -> list[str]:
    """The same on mtref-dev, where GIZA++ has aligned the same sentences."""
    folder, rows, tested = given.folder, gold_rows("edinburgh-train"), gold_rows("mtref-dev")
    with gzip.open(DATA / "alignment" / "mtref-dev-giza.jsonl.gz", "rt") as lines:
        giza = {row["id"]: row["alignments"]["giza"] for row in map(json.loads, lines)}
    write_lines(folder / "giza.links", (" ".join(giza[row["id"]]) for row in tested))
    own = unseen(groups_of(rows).values(), tested)
    print(f"learnt from: {len(own)} of {len(rows)} rows of edinburgh-train that are not near them")
    systems = ["--alignments", f"giza={folder / 'giza.links'}"]
    systems += monolingual(folder, "mtref", own + verses(), tested)
    systems += own_text(folder, "mtref", own, tested)
    groups = tree_groups(rows, pairs_of_trees(rows), tested)
    systems += syntactic(folder, "mtref", pairs_of_trees(tested), groups)
    return report(given, "mtref", tested, [*systems, "--table", f"parallel={pivots(given)}"])


def report(
    given: argparse.Namespace, name: str, tested: Sequence[Row], systems: list[str]
) -> list[str]:
    """Print the tables; the plot if it is asked for."""
    gold = write_gold(given.folder, name, tested)
    argv = ["parametric", "--gold", str(gold), *systems, "--sure-only"]
    shown([*argv, "--paired", "bootstrap"])
    shown([*argv, "--by", "length"])
    if len({row["domain"] for row in tested}) > 1:
        shown([*argv, "--by", "domain"])
    shown([option for option in argv if option != "--sure-only"])
    for least in ("0.1", "0") if name == "edinburgh" else ("0.1",):  # without a limit: minutes
        shown([*argv, "--min-probability", least])
    if given.plot:
        records = given.folder / f"{name}.jsonl.scores"
        otherwords([*argv, "-f", "jsonl", "-o", str(records)])
        target = Path(given.plot).with_stem(f"{Path(given.plot).stem}-{name}")
        with records.open(encoding="utf-8") as lines:
            target.write_text(plot([json.loads(line) for line in lines]), encoding="utf-8")
        print(f"plot: {target.name}")
    return systems


def bible(given: argparse.Namespace) -> None:
    """Two English versions aligned through Spanish, and their direct alignment."""
    path = DATA / "multi" / "bible-en-multi.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["texts"] for line in lines]
    other = {text["BSB"]: text["WEB"] for text in texts if "BSB" in text and "WEB" in text}
    with gzip.open(DATA / "bitext" / "bible-spa-eng.tsv.gz", "rt", encoding="utf-8") as lines:
        pairs = (line.rstrip("\n").split("\t")[:2] for line in lines)
        found = list(islice(((e, other[e], f) for e, f in pairs if e in other), 2 * VERSES))
    first, second = (encode([row[side] for row in found], "penn") for side in (0, 1))
    foreign = encode([row[2] for row in found], "words")
    through = []
    for english in (first, second):
        text = Bitext(english, foreign)
        through.append(Aligner.train(text).align(text)[0])
    links = compose(*through)
    text = Bitext(first, second)
    direct, _ = Aligner.train(text, Training(monolingual=True)).align(text)
    rows = []
    for number in range(500):
        mine = [f"{i}-{j}" for i, j in direct.sentence(number)]
        words = {"source": first.sentence(number), "target": second.sentence(number)}
        rows.append({**words, "sure": mine, "possible": [], "domain": "bible"})
    gold = write_gold(given.folder, "bible-direct", rows)
    write_lines(given.folder / "bible.links", islice(pharaoh(links), len(rows)))
    print("links through Spanish; no gold here: the direct alignment is taken for it")
    systems = ["--alignments", f"through-spanish={given.folder / 'bible.links'}"]
    shown(["parametric", "--gold", str(gold), *systems, "--by", "length"])
    with DuckEngine(temporary=given.folder) as engine:
        for name, kept in (("through-spanish", links), ("direct", direct)):
            table = given.folder / f"bible-{name}.parquet"
            made = build_table(first, second, kept, table, engine=engine, max_length=5)
            print(f"{name}: {made.rows} phrase pairs")
    tested = [row for row in gold_rows("edinburgh-train") if is_held_out(row)]
    gold = write_gold(given.folder, "edinburgh", tested)
    tables = [f"bible-{name}" for name in ("through-spanish", "direct")]
    argv = [part for name in tables for part in ("--table", str(given.folder / f"{name}.parquet"))]
    shown(["parametric", "--gold", str(gold), *argv])


def speed(given: argparse.Namespace) -> None:
    """The whole of edinburgh-train with three systems, by the links and tables that were made."""
    rows = gold_rows("edinburgh-train")
    gold = write_gold(given.folder, "whole", rows)
    tables = {
        "monolingual": "edinburgh-monolingual.parquet",
        "syntactic": "edinburgh-syntactic.tsv",
    }
    argv = ["parametric", "--gold", str(gold)]
    aligner = Aligner.train(as_bitext(rows), Training(monolingual=True))
    write_lines(given.folder / "whole.links", pharaoh(aligner.align(as_bitext(rows))[0]))
    for name, table in tables.items():
        if (given.folder / table).exists():
            argv += ["--table", f"{name}={given.folder / table}"]
            argv += ["--alignments", f"{name}={given.folder / 'whole.links'}"]
    argv += ["--table", f"parallel={pivots(given)}"]
    shown([*argv, "--by", "length", "--by", "domain", "--paired", "bootstrap"])


def figure_gold(*, stops: bool = True, comma: bool = False) -> list[Gold]:
    """Figure 1 with or without the full stops, the comma of the first pair linked to `and`."""
    rows = []
    for text, links in FIGURE.items():
        sides = [one.split()[: None if stops else -1] for one in (FIRST, text)]
        ends = {tuple(map(int, link.split("-"))) for link in links.split()}
        if comma and "," in sides[1]:
            ends.add((sides[0].index("and"), sides[1].index(",")))
        kept = frozenset((i, j) for i, j in ends if i < len(sides[0]))
        rows.append(Gold(tuple(sides[0]), tuple(sides[1]), kept, kept, "figure 1"))
    return rows


def figure() -> None:
    """Figure 1's phrase pairs; the paper counts 142."""
    rows = []
    for stops, comma in ((False, True), (False, False), (True, True), (True, False)):
        gold = figure_gold(stops=stops, comma=comma)
        sizes = [len(phrase_pairs(row.source, row.target, row.sure)) for row in gold]
        how = "with" if stops else "without", "linked to `and`" if comma else "not linked"
        rows.append([*how, " + ".join(map(str, sizes)), sum(sizes)])
    head = ("full stops", "comma of the first pair", "pairs of the three", "sum (paper: 142)")
    print_table("Phrase pairs of Figure 1", head, rows)


def readings() -> None:
    """How many gold phrase pairs there are, as the paper's words may be read."""
    lines: list[list[object]] = []
    for name in ("edinburgh-train", "mtref-dev"):
        rows = read_gold(str(DATA / "alignment" / f"{name}.jsonl.gz"))
        for possible in (False, True):
            pairs = sum(map(len, ParaMetric(rows, possible=possible).gold_pairs))
            places = first = 0
            for row in rows:
                one, other = ([word.lower() for word in side] for side in (row.source, row.target))
                links = row.possible if possible else row.sure
                for a, b, c, d in phrase_spans(links, len(one), len(other), 40).tolist():
                    is_pair = b - a < 5 and one[a : b + 1] != other[c : d + 1]
                    first += is_pair
                    places += is_pair and d - c < 5
            used = "sure and possible" if possible else "sure"
            per_row = round(pairs / len(rows))
            lines.append([f"{name}, {used} links", pairs, per_row, places, first])
    head = ("gold", "pairs", "per sentence pair (paper: 28)")
    head += ("by place", "no limit on the second side")
    print_table("Gold phrase pairs of up to five words, by reading", head, lines)


PARTS = {
    "edinburgh": edinburgh,
    "mtref": mtref,
    "bible": bible,
    "speed": speed,
}


def print_tables(folder: Path) -> None:
    """Tables 2 and 3 on the Edinburgh corpus, and what its gold counts depend on."""
    figure()
    readings()
    given = argparse.Namespace(folder=folder, pairs=PAIRS)
    tested, systems = edinburgh_systems(given)
    gold = write_gold(folder, "edinburgh", tested)
    show(folder, " ".join(["meta paper parametric --gold", gold.name, *map(_named, systems)]))


def _named(word: str) -> str:
    name, equals, file = word.rpartition("=")
    return f"{name}{equals}{Path(file).name}"


def main() -> None:
    """Run the parts that are named, or all."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    arguments.add_argument("--pairs", type=int, default=PAIRS)
    arguments.add_argument("--plot")
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for part in given.parts or PARTS:
        print(f"== {part}")
        PARTS[part](given)


if __name__ == "__main__":
    main()
