"""PARADIGM's section 6 as one command: grammars as compression systems, next to grammar scores.

    python -m bench.compression FOLDER [--pairs 1000] [--grammar-pairs N] [--systems NAME ...]
        [--tables-only] [--judgements FILE]

Every grammar is tuned to PRECIS by PRO on the same pairs of long and short sentences, from uniform
weights, and compresses others. The pairs come from `bench.compression_pairs` over the
Bible in eleven versions and the MSR corpus; no grammar is made from a group that they belong to.
The tables show the outputs' scores next to PARADIGM's and ParaMetric's scores of the same grammars.
With human scores of the systems (a table of names and scores, or rows that `otherwords studio
export` writes) rank correlations follow, with the exact p over all orders of the systems.

`--grammar-pairs` makes each monolingual grammar of its first N sentence pairs only.
FOLDER keeps everything that is made (pairs, language model, grammars, weights, outputs), so that a
run goes on where another stopped; `--systems` makes only some systems and prints no tables,
`--tables-only` makes none and prints the tables of those that are there.
`outputs.jsonl` has all outputs as rows for `otherwords studio judge --together`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from bench import paradigm
from bench.agreement import table
from bench.compression_pairs import Part, compression_records
from bench.data import DATA
from bench.paradigm import jsonl, run, timed, write_rows
from otherwords.build.engine import DuckEngine
from otherwords.build.generation import Decoder, Pro, Search, read_weights, tune, write_weights
from otherwords.build.generation.tuning import Goal
from otherwords.build.grammar import Grammar
from otherwords.build.grammar.pruning import prune_grammar
from otherwords.build.lm import LanguageModel, load_model
from otherwords.scoring.score import score
from otherwords.study.agreement.system_correlation import correlations, read_human
from otherwords.study.paradigm import paradigm_coverage, paradigm_overlap
from otherwords.study.paradigm.stages import Parsing, Resources
from otherwords.study.parametric import GroupResampling, parametric
from otherwords.text.sentence import tokenize

TARGETS = 20  # of each source side, by p(target|source), as decoders take
POP_LIMIT = 30
PRO = Pro(iterations=4, k=40, samples=1000, kept=50)  # 800 sentences give enough pairs
LONGEST = 40  # words of a long sentence
STEPS = 1_000_000  # of a parse
PARSED = 12  # words of both sides of pairs that are parsed
LM_LINES = 40_000  # of Europarl
COSTS = ("e_given_f_phrase", "f_given_e_phrase", "e_given_f_lex", "f_given_e_lex", "rarity")
UNIFORM = {
    **dict.fromkeys(COSTS, -1.0),
    "LanguageModel": 1.0,
    "LanguageModel_OOV": -1.0,
    "Glue": -1.0,
    "PassThrough": -1.0,
    "PhrasePenalty": -1.0,
    "IdentityRule": -1.0,
    "WordDifference": 0.0,
    "CharacterDifference": 0.0,
}
PARTS: tuple[Part, ...] = ("tune", "test")
SIDES = ("source", "hypothesis")
SYSTEMS = (
    "bible Hiero", "bible Syntax", "MSR Hiero", "MSR Syntax", "pivot-small", "pivot-large",
    "ParaMetric Hiero", "ParaMetric Syntax",
)  # fmt: skip
METRICS = ("bleu", "precis", "pinc", "otherwords-rewrite", "meaning", "fluency", "difference",
           "facts")  # fmt: skip
GOLD = "ParaMetric Syntax"


# ---- sentences


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows that `write_rows` has written."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def words(text: str) -> str:
    """Lower-cased words with spaces between them; those of the MSR corpus are such words."""
    return " ".join(tokenize(text).tokens).lower()


@cache
def compressions(part: Part) -> tuple[dict[str, Any], ...]:
    """All pairs of the MSR corpus and the Bible, in an order that says nothing."""
    found = []
    for file in (DATA / "paraphrase" / "msrp.jsonl.gz", DATA / "multi" / "bible-en-multi.jsonl.gz"):
        rows = compression_records([str(file)], part)
        found.append(sorted(rows, key=lambda row: _key(row["id"] + row["source"])))
    return tuple(row for two in zip_longest(*found) for row in two if row is not None)


def _name(row: Mapping[str, Any]) -> str:
    """The verse or pair that a row is of."""
    return str(row["id"].partition("#")[0])


def make_pairs(folder: Path, count: int) -> dict[str, list[dict[str, Any]]]:
    """Pairs of long and short sentences to tune and to test on, one of each group.

    The MSR corpus and the Bible in turn, as long as both have some; without the gold set's.
    """
    files = {part: folder / f"{part}-{count}.jsonl" for part in PARTS}
    if not all(path.exists() for path in files.values()):
        gold = jsonl(DATA / "alignment" / "edinburgh-train.jsonl.gz")
        known = {_key(" ".join(row[side])) for row in gold for side in ("source", "target")}
        verses = {row["id"] for row in paradigm.bible_rows()}
        for part, path in files.items():
            found: dict[str, dict[str, Any]] = {}
            for row in compressions(part):
                if (
                    len(found) < count
                    and _name(row) not in verses
                    and known.isdisjoint(_key(row[side]) for side in SIDES)
                    and len(words(row["source"]).split()) <= LONGEST
                ):
                    found.setdefault(row["item"], row)
            write_rows(path, list(found.values()))
    return {part: read_rows(path) for part, path in files.items()}


def _key(text: str) -> str:
    """A text without what tokenizers change, hashed, so that its order says nothing."""
    plain = "".join(letter for letter in text.lower() if letter.isalnum())
    return hashlib.blake2b(plain.encode(), digest_size=12).hexdigest()


def language_model(folder: Path) -> LanguageModel:
    """A trigram model of parliament, and of the Bible and MSR without all pairs for compression."""
    path = folder / "lm.owm"
    if not path.exists():
        text = folder / "lm.txt"
        with text.open("w", encoding="utf-8") as file:
            file.writelines(words(line) + "\n" for line in _lines())
        run("lm", "estimate", text, "--order", 3, "--tokenizer", "none", "-o", path)
    return load_model(path, tokenizer="none")


def _lines() -> Iterator[str]:
    with gzip.open(DATA / "bitext" / "europarl-fr.tsv.gz", "rt", encoding="utf-8") as lines:
        yield from (line.split("\t")[0] for line in islice(lines, LM_LINES))
    held = {_name(row) for row in compressions("all")}
    for number, row in enumerate(jsonl(DATA / "multi" / "bible-en-multi.jsonl.gz")):
        if row["id"] not in held:
            names = sorted(row["texts"])
            yield row["texts"][names[number % len(names)]]
    for row in jsonl(DATA / "paraphrase" / "msrp.jsonl.gz"):
        if _held().isdisjoint([_key(row["source"]), _key(row["hypothesis"])]):
            yield row["source"]


@cache
def _held() -> frozenset[str]:
    """The sentences of the MSR corpus that are in pairs for compression, whichever are taken."""
    rows = [row for row in compressions("all") if row["id"].startswith("msrp")]
    return frozenset(_key(row[side]) for row in rows for side in SIDES)


# ---- grammars


def make_grammars(folder: Path, wanted: Sequence[str], most: int | None) -> None:
    """The grammars as bench.paradigm makes them, without the pairs for compression."""
    gold = DATA / "alignment" / "edinburgh-train.jsonl.gz"
    if any(one.startswith("MSR") for one in wanted):
        paradigm.monolingual(folder, "MSR", msr(folder), most, tokenizer="none")
    if any(one.startswith("ParaMetric") for one in wanted):
        paradigm.monolingual(folder, "ParaMetric", gold, most, possible=True)
    if any(one.startswith("bible") for one in wanted):
        paradigm.monolingual(folder, "bible", paradigm.bible(folder), most)
    if any(one.startswith("pivot") for one in wanted):
        paradigm.pivot_grammars(folder)


def msr(folder: Path) -> Path:
    """The pairs of the MSR corpus in which no sentence is held out."""
    lines = paradigm.msr(folder).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if _held().isdisjoint(map(_key, line.rstrip("\n").split("\t")))]
    path = folder / "msr-kept.tsv"
    path.write_text("".join(kept), encoding="utf-8")
    return path


def grammar_file(folder: Path, system: str) -> Path:
    """The file of a grammar, whole."""
    return folder / f"{system.replace(' ', '-')}.parquet".lower()


def pruned(folder: Path, system: str) -> Path:
    """The grammar with few targets of each source side."""
    path = folder / f"{grammar_file(folder, system).stem}-top{TARGETS}.parquet"
    if not path.exists():
        with timed(f"{system}, pruning"), DuckEngine() as engine:
            whole = Grammar.open(grammar_file(folder, system))
            prune_grammar(whole, path, engine=engine, top=TARGETS, rank_by=paradigm.COST)
    return path


# ---- systems


def outputs_file(folder: Path, system: str, count: int) -> Path:
    """The outputs of a system for so many pairs."""
    return folder / f"{grammar_file(folder, system).stem}-{count}.outputs.jsonl"


def compressed(
    folder: Path, system: str, pairs: Mapping[str, list[dict[str, Any]]], count: int
) -> list[dict[str, Any]]:
    """The outputs of a system, with uniform and with tuned weights, kept in a file."""
    path = outputs_file(folder, system, count)
    tuned = folder / f"{grammar_file(folder, system).stem}-{count}.weights.json"
    if path.exists():
        return read_rows(path)
    texts = {part: [words(row["source"]) for row in rows] for part, rows in pairs.items()}
    short = {part: [words(row["hypothesis"]) for row in rows] for part, rows in pairs.items()}
    model = language_model(folder)
    search = Search(pop_limit=POP_LIMIT)
    file = pruned(folder, system)
    if not tuned.exists():
        with timed(f"{system}, tuning on {count} pairs"):
            decoder = Decoder(file, model, UNIFORM, sentences=texts["tune"], search=search)
            references = [[text] for text in short["tune"]]
            result = tune(decoder, texts["tune"], references, metric="precis", pro=PRO)
            print("".join(f"{line}\n" for line in result.render("text")), end="")
            write_weights(result.weights, tuned)
    outputs = []
    with timed(f"{system}, decoding {count} sentences twice"):
        decoder = Decoder(file, model, UNIFORM, sentences=texts["test"], search=search)
        for weights in (UNIFORM, read_weights(tuned)):
            decoder.reweight(weights)
            found = decoder.decode(texts["test"])
            outputs.append([one.outputs[0].target if one.outputs else "" for one in found])
    rows = [
        {
            "id": f"{system}:{row['id']}",
            "item": row["id"],
            "system": system,
            "source": source,
            "references": [reference],
            "hypothesis": after,
            "uniform": before,
        }
        for row, source, reference, before, after in zip(
            pairs["test"], texts["test"], short["test"], *outputs, strict=True
        )
    ]
    write_rows(path, rows)
    return rows


def measures(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The scores of the outputs of one system."""
    texts = [row["hypothesis"] for row in rows]
    sources, references = [row["source"] for row in rows], [row["references"] for row in rows]
    length = [sum(map(len, side)) for side in (texts, sources)]
    found = {"ratio": length[0] / length[1]}
    for name in METRICS:
        given = (
            {"sources": sources}
            if name == "facts"
            else {"sources": sources, "references": references}
        )
        result = score(name, texts, **given, **({"against": "source"} if name == "facts" else {}))
        found[name] = float(result.corpus)
        if name == "facts":
            column = result.metric.columns.index("contradicted")
            found["contradicted"] = float((result.statistics[:, column] > 0).mean())
    return found


def gain(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """PRECIS on the test pairs with uniform and tuned weights, and the difference's interval."""
    goal = Goal(
        "precis",
        [row["source"] for row in rows],
        [row["references"] for row in rows],
        1,
    )
    numbers = goal.difference(
        [row["uniform"] for row in rows], [row["hypothesis"] for row in rows], range(len(rows)), 0
    )
    before, after, change = numbers
    interval = f"{change.value:+.2f} [{change.low:+.2f}, {change.high:+.2f}]"
    return [f"{before.value:.2f}", f"{after.value:.2f}", interval]


# ---- grammars as PARADIGM and ParaMetric score them


def grammar_scores(folder: Path, systems: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """PARADIGM's precision, recall and length of parsed pairs, ParaMetric's of the phrases."""
    path = folder / "grammar-scores.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    for system in systems:
        if system not in known:
            with timed(f"{system}, scores of the grammar"):
                known[system] = _scores_of(folder, system)
            path.write_text(json.dumps(known))
    return {system: known[system] for system in systems}


def _scores_of(folder: Path, system: str) -> dict[str, float | None]:
    file, gold = (str(grammar_file(folder, name)) for name in (system, GOLD))
    kept = Resources(resume=folder / "work")
    overlap = paradigm_overlap(gold, {system: file})
    whole = {str(one): one.overlap.total for one in overlap.grammars[system].whole}
    rows = jsonl(DATA / "alignment" / "mtref-dev.jsonl.gz")
    short = [row for row in rows if max(len(row["source"]), len(row["target"])) <= PARSED]
    pairs = write_rows(folder / "parsed.jsonl", short)
    parsing = Parsing(max_steps=STEPS)
    small = {system: str(pruned(folder, system))}
    covered = paradigm_coverage(str(pairs), small, parsing=parsing, resources=kept)
    metric = parametric(
        DATA / "alignment" / "mtref-dev.jsonl.gz",
        tables={system: phrases_of(file)},
        resampling=GroupResampling(2),
    )
    return {
        "rules": Grammar.open(file).rows,
        "precision": whole["strict >= 1"].precision,
        "recall": whole["strict >= 1"].recall,
        "parsed": covered.grammars[0].coverage["all"].value,
        "length": covered.grammars[0].coverage["length"].value,
        "lb-precision": metric.of(system, "lb-precision").value,
        "rel-recall": metric.of(system, "rel-recall").value,
    }


def phrases_of(file: str) -> Any:
    """The rules without nonterminals as lists of paraphrases, with p >= .01 as ParaMetric asks."""
    grammar = Grammar.open(file)
    cost = grammar.column(paradigm.COST)
    lists: dict[str, set[str]] = {}
    for batch in grammar.batches():
        columns = (batch[name].to_pylist() for name in ("source", "target", cost))
        for source, target, value in zip(*columns, strict=True):
            if "[" not in source and source != target and value <= -math.log(0.01):
                lists.setdefault(source, set()).add(target)
    return lambda phrase, sentence: lists.get(phrase, ())


# ---- tables


def tables(folder: Path, count: int, judgements: str | None) -> None:
    """All scores of all systems, and their correlation with human scores."""
    scores: dict[str, dict[str, float | None]] = {}
    gains = []
    written = []
    files = {system: outputs_file(folder, system, count) for system in SYSTEMS}
    systems = [system for system, path in files.items() if path.exists()]
    if missing := [system for system in SYSTEMS if system not in systems]:
        print(f"not made yet: {', '.join(missing)}")
    for system in systems:
        rows = read_rows(files[system])
        written += rows
        scores[system] = dict(measures(rows))
        gains.append([system, *gain(rows)])
    write_rows(folder / "outputs.jsonl", written)
    print(f"\nPRECIS on the {len(rows)} test pairs, from uniform weights to tuned ones\n")
    table(["grammar", "uniform", "tuned", "difference, 95 % interval"], gains)
    _show("Outputs", scores, OUTPUT_DECIMALS)
    grammar = grammar_scores(folder, systems)
    _show("Grammars: PARADIGM (strict, seen once) and ParaMetric", grammar, GRAMMAR_DECIMALS)
    if judgements is not None:
        by_score: dict[str, dict[str, float | None]] = {}
        for system in systems:
            for name, value in {**scores[system], **grammar[system]}.items():
                by_score.setdefault(name, {})[system] = value
        found = correlations(by_score, read_human(judgements, SYSTEMS))
        criteria = list(next(iter(found.values())))
        print("Spearman's rho with human scores (exact two-sided p over all orders)\n")
        lines = [
            [name, *(_rho(several[one]) for one in criteria)] for name, several in found.items()
        ]
        table(["score", *criteria], lines)


OUTPUT_DECIMALS = {"bleu": 1, "precis": 1}
GRAMMAR_DECIMALS = {"rules": 0, "precision": 4, "recall": 4, "length": 1}


def _show(
    title: str, scores: Mapping[str, Mapping[str, float | None]], decimals: Mapping[str, int]
) -> None:
    names = list(next(iter(scores.values())))
    lines = [
        [system, *("n/a" if v is None else f"{v:,.{decimals.get(k, 3)}f}" for k, v in one.items())]
        for system, one in scores.items()
    ]
    print(title + "\n")
    table(["grammar", *names], lines)
    sys.stdout.flush()


def _rho(number: Any) -> str:
    if number.value is None:
        return "n/a"
    return f"{number.value:+.2f} (p = {number.p:.4f})"


def main() -> None:
    """Make what is not there, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--grammar-pairs", type=int)
    parser.add_argument("--systems", nargs="*", choices=SYSTEMS, default=())
    parser.add_argument("--tables-only", action="store_true")
    parser.add_argument("--judgements")
    args = parser.parse_args()
    args.folder.mkdir(exist_ok=True)
    pairs = make_pairs(args.folder, args.pairs)
    for part, rows in pairs.items():
        msr = sum(row["id"].startswith("msrp") for row in rows)
        print(f"{part}: {len(rows)} pairs, {msr} of them from MSR, the others from the Bible")
    wanted = () if args.tables_only else args.systems or SYSTEMS
    make_grammars(args.folder, wanted, args.grammar_pairs)
    for system in wanted:
        compressed(args.folder, system, pairs, args.pairs)
    if not args.systems or args.tables_only:
        tables(args.folder, args.pairs, args.judgements)


if __name__ == "__main__":
    main()
