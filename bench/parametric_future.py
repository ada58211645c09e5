"""What ParaMetric's §8 leaves to future work: translations that suffice, and human scores.

    python -m bench.parametric_future FOLDER [translations] [held-out] [human]

`translations`: gold lists of 1 to 9 translations of 50 verses. `held-out`: how often tables that
were made from tested sentences are recognised (§5). `human`: Spearman's rho of LB-Precision and
Rel-Recall with human scores over systems. FOLDER keeps tables and gold rows.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.data import DATA
from bench.parametric import VERSIONS, Row, gold_rows, groups_of, is_held_out, shown, write_gold
from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.corpus import Bitext, encode
from otherwords.build.bitext.gold import Gold, read_gold
from otherwords.build.bitext.links import pharaoh
from otherwords.build.engine import DuckEngine
from otherwords.build.phrases.table import equivalent_pairs, monolingual_table
from otherwords.study.agreement.system_correlation import spearman
from otherwords.study.parametric import GroupResampling, PhraseRules, parametric, phrase_pairs
from otherwords.text.sentence import tokenize

ALIGNED, TESTED = 300, 50  # verses in ten versions; the paper aligned 50 groups of ten pairs
PARABANK, GOOD = 100, 80  # items; human score of gold paraphrases


def translations(folder: Path) -> None:
    """How many translations suffice (§8): verses in ten versions, the first with nine others."""
    path = DATA / "multi" / "bible-en-multi.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["texts"] for line in lines]
    whole = [text for text in texts if len(text) == 10 and VERSIONS[0] in text]
    whole = whole[:: len(whole) // ALIGNED][:ALIGNED]
    pairs = [
        (number, tokenize(text[VERSIONS[0]]).tokens, tokenize(text[other]).tokens)
        for number, text in enumerate(whole)
        for other in sorted(text)
        if other != VERSIONS[0]
    ]
    text = Bitext(*(encode([" ".join(pair[side]) for pair in pairs], "none") for side in (1, 2)))
    links, _ = Aligner.train(text, Training(monolingual=True)).align(text)
    rows = [
        {"source": one, "target": other, "sure": marks.split(), "group": str(number)}
        for (number, one, other), marks in zip(pairs, pharaoh(links), strict=True)
        if number < TESTED
    ]
    gold = write_gold(folder, "ten", rows)
    table = folder / "ten-monolingual.parquet"
    learnt = [
        [" ".join(tokenize(verse[name].lower()).tokens) for name in VERSIONS if name in verse]
        for verse in whole[TESTED:]
    ]
    if not table.exists():
        with DuckEngine(temporary=folder) as engine:
            monolingual_table(equivalent_pairs(learnt), table, engine=engine, tokenizer="none")
    print(f"links by our aligner: {TESTED} verses with nine others each; the table is of others")
    argv = ["meta", "paper", "parametric", "--gold", str(gold)]
    shown([*argv, "--table", f"monolingual={table}", "--translations", "9"])


def held_out(folder: Path) -> None:
    """The warning of tables that were made from tested sentences: how often it is right."""
    rows = gold_rows("edinburgh-train")
    tested = [row for row in rows if is_held_out(row)]
    learnt = [row for row in rows if not is_held_out(row)]
    gold = read_gold(str(write_gold(folder, "edinburgh", tested)))
    made = {"others": learnt, "half of them": learnt + tested[::2], "them alone": tested}
    for name, chosen in made.items():
        table = folder / f"made-from-{name.replace(' ', '-')}.parquet"
        groups = [[" ".join(sentence) for sentence in one] for one in groups_of(chosen).values()]
        if not table.exists():
            with DuckEngine(temporary=folder) as engine:
                monolingual_table(equivalent_pairs(groups), table, engine=engine, tokenizer="none")
        for possible in (False, True):
            found = parametric(
                gold,
                tables={"t": table},
                rules=PhraseRules(possible=possible),
                resampling=GroupResampling(1),
            )
            seen = sum(len(one.groups) for one in found.seen)
            links = "sure and possible" if possible else "sure"
            print(f"made from {name}, {links} links: {seen} of {len(gold)} rows seem to be seen")


def human(_: Path) -> None:
    """ParaMetric's scores against human scores of the same systems (§8), links by our aligner.

    A system's list for a phrase is what its own output has there. Gold are references, or for
    ParaBank, which has none, outputs of others that people gave 80 of 100 and more.
    """
    for name, most in (("shakespeare-dev", 1000), ("parabank", PARABANK)):
        with gzip.open(DATA / "paraphrase" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        items = set(list(dict.fromkeys(row["item"] for row in rows))[:most])
        rows = [row for row in rows if row["item"] in items]
        systems = sorted({one for row in rows for one in _systems(row)})
        outputs = linked([(row["source"], row["hypothesis"]) for row in rows])
        good = [(row, one) for row, one in zip(rows, outputs, strict=True)]
        good = [(row, one) for row, one in good if row["human"]["overall"] >= GOOD]
        if rows[0]["references"]:
            first = {row["item"]: row for row in rows}.values()
            aligned = linked([(row["source"], row["references"][0]) for row in first])
            good = [({**row, "system": None}, one) for row, one in zip(first, aligned, strict=True)]
        scores: dict[str, dict[str, float]] = {}
        for system in systems:
            mine = [one for one, row in enumerate(rows) if system in _systems(row)]
            has = {rows[one]["item"] for one in mine}
            gold = [one for row, one in good if row["item"] in has and system not in _systems(row)]
            lists = {" ".join(outputs[one].source): outputs[one] for one in mine}
            table = partial(own_list, lists, {})
            found = parametric(gold, tables={system: table}, resampling=GroupResampling(1))
            overall = [rows[one]["human"]["overall"] for one in mine]
            scores[system] = {"human": sum(overall) / len(overall), "outputs": len(mine)}
            for score in ("lb-precision", "rel-recall"):
                scores[system][score] = found.of(system, score).value or 0.0
        people = {system: one["human"] for system, one in scores.items()}
        for score in ("lb-precision", "rel-recall"):
            rho = spearman({system: one[score] for system, one in scores.items()}, people)
            print(f"{name}, {len(items)} items, {len(systems)} systems: {score} {rho}")


def _systems(row: Row) -> list[str]:
    return [str(one) for one in row.get("systems") or [row["system"]] if one is not None]


def linked(pairs: Sequence[tuple[str, str]]) -> list[Gold]:
    """Pairs of sentences as gold rows, one group for each first sentence, with our links."""
    words = [[tuple(tokenize(text.lower()).tokens) for text in pair] for pair in pairs]
    text = Bitext(*(encode([" ".join(pair[k]) for pair in words], "none") for k in (0, 1)))
    links, _ = Aligner.train(text, Training(monolingual=True)).align(text)
    found = [frozenset(links.sentence(number)) for number in range(len(pairs))]
    return [
        Gold(one, other, marks, marks, " ".join(one))
        for (one, other), marks in zip(words, found, strict=True)
    ]


def own_list(
    outputs: dict[str, Gold], known: dict[str, dict[str, list[str]]], phrase: str, sentence: str
) -> list[str]:
    """What the output for a sentence has in the place of a phrase."""
    if sentence not in known:
        found: dict[str, list[str]] = {}
        if row := outputs.get(sentence):
            for one, other in phrase_pairs(row.source, row.target, row.sure, 5):
                found.setdefault(" ".join(one), []).append(" ".join(other))
        known[sentence] = found
    return known[sentence].get(phrase, [])


PARTS = {"translations": translations, "held-out": held_out, "human": human}


def main() -> None:
    """Run the parts that are named, or all."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for part in given.parts or PARTS:
        print(f"== {part}", flush=True)
        PARTS[part](given.folder)


if __name__ == "__main__":
    main()
