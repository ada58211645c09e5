"""What ParaMetric's §8 leaves to future work: translations that suffice, and human scores.

    python -m bench.papers parametric [--folder FOLDER]

`translations`: gold lists of 1 to 9 translations of 50 verses. `held_out`: how often tables that
were made from tested sentences are recognised (§5). `human`: Spearman's rho of LB-Precision and
Rel-Recall with human scores over systems. FOLDER keeps tables and gold rows.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.data import DATA
from bench.parametric import (
    VERSIONS,
    Row,
    gold_rows,
    groups_of,
    is_held_out,
    monolingual_table,
    write_gold,
)
from bench.published import print_table, show
from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.corpus import Bitext, encode
from otherwords.build.bitext.gold import Gold, read_gold
from otherwords.build.bitext.links import pharaoh
from otherwords.build.engine import DuckEngine
from otherwords.build.phrases.table import equivalent_pairs
from otherwords.study.agreement.system_correlation import correlations
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
            monolingual_table(equivalent_pairs(learnt), table, engine)
    files = f"--gold {gold.name} --table monolingual={table.name}"
    show(folder, f"meta paper parametric {files} --translations 9", since="**Gold lists")


def held_out(folder: Path) -> None:
    """The warning of tables that were made from tested sentences: how often it is right."""
    rows = gold_rows("edinburgh-train")
    tested = [row for row in rows if is_held_out(row)]
    learnt = [row for row in rows if not is_held_out(row)]
    gold = read_gold(str(write_gold(folder, "edinburgh", tested)))
    made = {
        "other rows": learnt,
        "other rows and every second of these": learnt + tested[::2],
        "these rows alone": tested,
    }
    lines: list[list[object]] = []
    for name, chosen in made.items():
        table = folder / f"made-from-{name.replace(' ', '-')}.parquet"
        groups = [[" ".join(sentence) for sentence in one] for one in groups_of(chosen).values()]
        if not table.exists():
            with DuckEngine(temporary=folder) as engine:
                monolingual_table(equivalent_pairs(groups), table, engine)
        seen = []
        for possible in (False, True):
            found = parametric(
                gold,
                tables={"t": table},
                rules=PhraseRules(possible=possible),
                resampling=GroupResampling(1),
            )
            seen.append(sum(len(one.groups) for one in found.seen))
        lines.append([name, *seen])
    caption = f"Groups of {len(gold)} tested that a table is reported to have seen (§5)"
    print_table(caption, ("table made from", "by sure links", "sure and possible"), lines)


def human(_: Path) -> None:
    """ParaMetric's scores against human scores of the same systems (§8), links by our aligner.

    A system's list for a phrase is what its own output has there. Gold are references, or for
    ParaBank, which has none, outputs of others that people gave 80 of 100 and more.
    """
    table: list[list[object]] = []
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
            proposed = partial(own_list, lists, {})
            found = parametric(gold, tables={system: proposed}, resampling=GroupResampling(1))
            overall = [rows[one]["human"]["overall"] for one in mine]
            scores[system] = {"human": sum(overall) / len(overall), "outputs": len(mine)}
            for score in ("lb-precision", "rel-recall"):
                scores[system][score] = found.of(system, score).value or 0.0
        people = {system: one["human"] for system, one in scores.items()}
        names = ("lb-precision", "rel-recall")
        listed = {name: {system: one[name] for system, one in scores.items()} for name in names}
        rhos = [rho["human"].value for rho in correlations(listed, {"human": people}).values()]
        table.append([name, len(items), len(systems), *(f"{rho:.2f}" for rho in rhos)])
    head = ("judged set", "sentences", "systems", "LB-Precision", "Rel-Recall")
    print_table("Spearman's rho with human scores of systems (§8)", head, table)


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
