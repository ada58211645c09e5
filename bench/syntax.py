"""What the embedded parser's trees do to paraphrase grammars (issue 8, PARADIGM's two measures).

Grammars of mtref-dev's sentence pairs and gold links, nine tenths of its groups, with and without
trees; the pairs of the other groups that they parse synchronously, and their overlap with the
same kind of grammar from edinburgh-train.

python -m bench.syntax
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.data import DATA
from otherwords.build.bitext.gold import Gold, read_gold
from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import Grammar, SyncParser, overlap
from otherwords.build.grammar.sync_parser import Verdict
from otherwords.cli import main as otherwords

KINDS = ("hiero", "syntax", "samt")


def readable(name: str) -> list[Gold]:
    """The rows of a gold set but those with control characters, which a bitext may not have."""
    rows = read_gold(str(DATA / "alignment" / f"{name}.jsonl.gz"))
    return [row for row in rows if all(map(str.isprintable, row.source + row.target))]


def write(rows: Sequence[Gold], folder: Path, name: str) -> None:
    """A bitext of tokens and its sure links."""
    pairs = "".join(f"{' '.join(row.source)}\t{' '.join(row.target)}\n" for row in rows)
    links = "".join(" ".join(f"{i}-{j}" for i, j in sorted(row.sure)) + "\n" for row in rows)
    (folder / f"{name}.tsv").write_text(pairs, encoding="utf-8")
    (folder / f"{name}.links").write_text(links, encoding="utf-8")


def extract(folder: Path, name: str, kind: str) -> Grammar:
    """The grammar of a bitext, the left side parsed for syntactic kinds."""
    path = folder / f"{name}-{kind}.parquet"
    files = ["--bitext", str(folder / f"{name}.tsv"), "--alignment", str(folder / f"{name}.links")]
    options = ["--tokenizer", "none", "--kind", kind, "--tree-side", "left", "-o", str(path)]
    if otherwords(["extract", "grammar", *files, *options]):
        raise SystemExit(f"no grammar of {name}")
    return Grammar.open(path)


def main() -> None:
    """Print one row per kind of grammar."""
    rows = readable("mtref-dev")
    groups = list(dict.fromkeys(row.group for row in rows))
    tested = set(groups[::10])
    held_out = [row for row in rows if row.group in tested]
    sources = [[word.lower() for word in row.source] for row in held_out]
    targets = [[word.lower() for word in row.target] for row in held_out]
    print(f"{len(rows) - len(held_out)} pairs for the grammar, {len(held_out)} to parse")
    print("| grammar | rules | pairs parsed | groups with one | overlap P | R |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name, DuckEngine() as engine:
        folder = Path(name)
        write([row for row in rows if row.group not in tested], folder, "train")
        write(readable("edinburgh-train"), folder, "gold")
        for kind in KINDS:
            grammar, gold = extract(folder, "train", kind), extract(folder, "gold", kind)
            parser = SyncParser(grammar, pass_through="all")
            verdicts = [one.verdict for one in parser.parse(sources, targets, threads=2)]
            parsed = {
                row.group
                for row, verdict in zip(held_out, verdicts, strict=True)
                if verdict is Verdict.accepted
            }
            share = sum(verdict is Verdict.accepted for verdict in verdicts) / len(verdicts)
            common = overlap(grammar, gold, engine=engine).total
            print(
                f"| {kind} | {grammar.rows:,} | {share:.3f} | {len(parsed) / len(tested):.3f} "
                f"| {common.precision:.4f} | {common.recall:.4f} |"
            )


if __name__ == "__main__":
    main()
