"""Make the training pairs of the pair model (`tools/train_pair.py`).

    python -m tools.pair_data --data DATA --wordnet WORDNET_DICT --out pairs.jsonl.gz [--seed 0]

DATA is a folder laid out as `../shared/data`. Two sorts of rows come out:

- groups: an original with candidates that are {right, wrong} x {close, far}. Far and right is
  another translation of the same sentence (Bible versions, references of MT, news translations
  of Edinburgh and MTRef, Tatoeba sentences with a common translation) or a judged paraphrase
  (tweets, STS, PAWS). Far and wrong is that text with one fact changed (`tools.pair_wrong`).
  Close are edits of the original itself, harmless (`tools.pair_right`) or not. Text of which
  there is one version only (parliament, news, captions, documentation) has light edits and
  several edits in the places of close and far. So how many words two texts share says nothing
  about the label.
- judged pairs: twitter-url (its ids `train`) and PAWS (four of five items); tweets are sampled
  such that paraphrases and others have the same distribution of overlap.

`tools.pair_natural` makes the pairs that no rule makes.

Every row has `a`, `b`, `same` (0-1), `contradicted`, `missing`, `added` (0, 1 or null where not
known), `source`, `kind`, `cell` and `group`. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.pair_phrase import Draw, Phrase, phrases
from tools.pair_right import edit
from tools.pair_words import Words
from tools.pair_wrong import WRONG, Pool, change

Row = dict[str, Any]
Equals = tuple[str, str]  # two texts that say the same

# How often each kind of change is tried first; kinds that few sentences allow are tried more.
WEIGHTS = {
    "negation": 1.5, "antonym": 1.8, "number": 7.0, "class": 3.0, "name": 2.5, "sister": 1.2,
    "roles": 1.3, "exchange": 1.3, "quantifier": 3.0, "modality": 1.0, "relation": 1.0,
    "link": 5.0, "voice": 2.5, "comparison": 8.0, "tense": 0.7, "unfinished": 1.0,
    "pronoun": 0.6, "question": 0.3,
    "no-modifier": 0.7, "no-noun": 0.5, "no-verb": 0.4, "no-name": 0.5, "no-subject": 0.5,
    "no-adjunct": 0.9, "no-clause": 2.0, "no-conjunct": 1.5, "more-adjunct": 0.9,
    "more-clause": 0.9, "more-word": 0.8, "shuffle": 0.4, "other": 0.5,
}  # fmt: skip
EDITS = {
    "contraction": 1.5, "phrase": 2.0, "synonym": 1.5, "fronting": 2.0, "conjuncts": 2.0,
    "clauses": 3.0, "mirror": 5.0, "possessive": 1.0, "digits": 1.5, "that": 1.0, "opener": 0.15,
    "passive": 3.0, "marks": 0.5, "misspelt": 0.15,
}  # fmt: skip
SPELLING = 0.9  # `same` of a misspelt text
FAR = 0.95  # `same` of another translation: a few are not
HELD = 5  # one PAWS item in so many is left for measuring
BIBLES = ("BSB", "WEB", "BBE", "YLT", "DARBY", "DRA", "KJV", "ASV", "JPS")
LABELS = ("contradicted", "missing", "added")


def lines(path: Path) -> Iterator[Any]:
    """The rows of a JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def english(path: Path) -> list[str]:
    """The English side of a bitext."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.split("\t")[0].strip() for line in file]


def overlap(a: str, b: str) -> float:
    """The share of words that two texts have in common (Jaccard)."""
    one, other = set(a.lower().split()), set(b.lower().split())
    return len(one & other) / max(len(one | other), 1)


def is_short(text: str, low: int = 4, high: int = 26) -> bool:
    """Between so many words."""
    return low <= len(text.split()) <= high


def held_out(item: str) -> bool:
    """Is this PAWS item left for measuring?"""
    return zlib.crc32(item.encode()) % HELD == 0


# Texts that say the same, by source


def bible(data: Path, rng: random.Random) -> list[Equals]:
    """Two versions of a verse that share at most six words in ten."""
    found = []
    for verse in lines(data / "multi" / "bible-en-multi.jsonl.gz"):
        texts = [verse["texts"][one] for one in BIBLES if one in verse["texts"]]
        pairs = [
            (a, b)
            for a in texts[:4]
            for b in texts
            if a != b and is_short(a, 6) and is_short(b, 6) and overlap(a, b) < 0.6
        ]
        if pairs:
            found.append(rng.choice(pairs))
    return found


def aligned(data: Path, rng: random.Random) -> list[Equals]:
    """News translations of Edinburgh's and MTRef's alignments."""
    rows = [
        *lines(data / "alignment" / "mtref-dev.jsonl.gz"),
        *lines(data / "alignment" / "edinburgh-train.jsonl.gz"),
    ]
    found = {(" ".join(row["source"]), " ".join(row["target"])) for row in rows}
    return sorted(pair for pair in found if pair[0] != pair[1] and overlap(*pair) > 0.1)


def references(data: Path, rng: random.Random) -> list[Equals]:
    """The references of WMT 2021 German-English, and each with the output of a drawn system."""
    items: dict[str, list[Any]] = defaultdict(list)
    for row in lines(data / "mt" / "sys-wmt21-deen.jsonl.gz"):
        items[row["item"]].append(row)
    found = []
    for rows in items.values():
        first, *others = rows[0]["references"]
        found += [(first, other) for other in others]
        found += [(rng.choice([first, *others]), rng.choice(rows)["hypothesis"]) for _ in range(2)]
    return sorted({pair for pair in found if pair[0] != pair[1]})


def tatoeba(data: Path, rng: random.Random) -> list[Equals]:
    """English sentences with the same translation."""
    by: dict[str, set[str]] = defaultdict(set)
    for language in ("cmn", "deu", "fra", "spa"):
        with gzip.open(
            data / "bitext" / f"tatoeba-{language}.tsv.gz", "rt", encoding="utf-8"
        ) as file:
            for text, foreign, *_ in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                by[foreign].add(text)
    found = []
    for texts in by.values():
        pairs = [
            (a, b)
            for a in sorted(texts)
            for b in sorted(texts)
            if a != b and is_short(a, 5) and overlap(a, b) < 0.7
        ]
        if pairs:
            found.append(rng.choice(pairs))
    return found


def judged_equal(data: Path, rng: random.Random) -> dict[str, list[Equals]]:
    """Tweets, STS-B pairs and PAWS pairs that judges call paraphrases."""
    tweets = [
        (row["source"], row["hypothesis"])
        for row in lines(data / "paraphrase" / "twitter-url.jsonl.gz")
        if "train" in row["id"] and row["human"]["paraphrase"] == 1
    ]
    similar = [
        (row["source"], row["hypothesis"])
        for row in lines(data / "similarity" / "stsb-en-train.jsonl.gz")
        if row["human"]["adequacy"] >= 4.6
    ]
    paws = [
        (row["source"], row["hypothesis"])
        for row in lines(data / "contrast" / "paws-qqp-train.jsonl.gz")
        if row["human"]["paraphrase"] == 1 and not held_out(row["item"])
    ]
    return {"twitter-url": tweets, "stsb": similar, "paws": paws}


def single(data: Path, *names: str) -> list[str]:
    """English sentences of bitexts, each once."""
    texts = [text for name in names for text in english(data / "bitext" / f"{name}.tsv.gz")]
    kept = [text for text in texts if is_short(text, 7) and text[:1].isalnum() and text.isascii()]
    return list(dict.fromkeys(kept))


# Groups


def weighted(weights: dict[str, float], draw: Draw, without: Iterable[str] = ()) -> list[str]:
    """Kinds in random order, heavy ones rather first."""
    left = {kind: weight for kind, weight in weights.items() if kind not in set(without)}
    order = []
    while left:
        (drawn,) = draw.stream.below([1_000_000])
        level = drawn / 1_000_000 * sum(left.values())
        chosen = next(reversed(left))
        for kind, weight in left.items():
            level -= weight
            if level < 0:
                chosen = kind
                break
        order.append(chosen)
        del left[chosen]
    return order


class Maker:
    """Makes the groups of one source; `pool` is what its sentences lend to each other."""

    def __init__(self, source: str, pool: Pool, leave_out: Sequence[str]) -> None:
        self.source, self.pool, self.leave_out = source, pool, leave_out

    def wrong(self, phrase: Phrase, draw: Draw) -> tuple[str, str] | None:
        """A kind of change and the changed text."""
        for kind in weighted(WEIGHTS, draw, self.leave_out)[:12]:
            text = change(kind, phrase, self.pool, draw)
            if text is not None:
                return kind, text
        return None

    def right(self, phrase: Phrase, draw: Draw, edits: int) -> tuple[str, str] | None:
        """The kinds of harmless edits and the edited text."""
        done: list[str] = []
        while len(done) < edits:
            for kind in weighted(EDITS, draw, done):
                text = edit(kind, phrase, self.pool.words, draw)
                if text is not None:
                    done.append(kind)
                    (phrase,) = phrases([text])
                    break
            else:
                break
        return ("+".join(done), phrase.text) if done else None

    def row(self, a: str, b: str, cell: str, kind: str, group: str) -> Row:
        """A labelled pair."""
        row: Row = {"a": a, "b": b, "source": self.source, "cell": cell, "kind": kind}
        right = cell.startswith("right")
        labels = (0.0, 0.0, 0.0) if right else WRONG[kind][1]
        same = (SPELLING if "misspelt" in kind else FAR if "far" in cell else 1.0) if right else 0.0
        if right and kind == "equal":
            labels = (0.0, None, None)  # a free translation may leave out or add a little
        return {**row, "same": same, **dict(zip(LABELS, labels, strict=True)), "group": group}

    def group(self, name: str, one: Phrase, other: Phrase | None, draw: Draw) -> list[Row]:
        """The candidates of one original."""
        rows: list[Row] = []

        def add(b: str, cell: str, kind: str) -> None:
            if b != one.text:
                rows.append(self.row(one.text, b, cell, kind, name))

        natural = one.text
        if draw.chance(0.2):  # the original is the changed text, so that oddness is no sign
            found = self.wrong(one, draw)
            if found and found[0] not in ("other", "shuffle"):
                kind, text = found
                (one,) = phrases([text])
                kind = {"no": "more-word", "more": "no-modifier"}.get(kind.split("-")[0], kind)
                add(natural, "wrong-close", kind)
                if other is not None:
                    add(other.text, "wrong-far", kind)
                for edits, cell in ((1, "right-close"), (3, "right-far")):
                    made = self.right(one, draw, edits)
                    if made:
                        add(made[1], cell, made[0])
                return rows
        close = self.right(one, draw, 1 + draw.chance(0.4))
        if close:
            add(close[1], "right-close", close[0])
        changed = self.wrong(one, draw)
        if changed:
            add(changed[1], "wrong-close", changed[0])
        if other is not None:
            add(other.text, "right-far", "equal")
            far = other
        else:
            made = self.right(one, draw, 3)
            if not made or made[1] == (close or ("", ""))[1]:
                return rows
            add(made[1], "right-far", made[0])
            (far,) = phrases([made[1]])
        if other is not None and draw.chance(0.3):
            made = self.right(far, draw, 1)
            if made:
                (far,) = phrases([made[1]])
        changed = self.wrong(far, draw)
        if changed:
            add(changed[1], "wrong-far", changed[0])
        return rows


def groups_of(
    source: str,
    pairs: Sequence[tuple[str, str | None]],
    words: Words,
    seed: int,
    leave_out: Sequence[str] = (),
) -> Iterator[Row]:
    """The rows of the groups of one source."""
    ones = phrases([a for a, _ in pairs])
    others = phrases([b or "" for _, b in pairs])
    maker = Maker(source, Pool(ones, words), leave_out)
    for number, (one, (_, second), other) in enumerate(zip(ones, pairs, others, strict=True)):
        draw = Draw(seed, zlib.crc32(source.encode()), number)
        rows = maker.group(f"{source}:{number}", one, other if second else None, draw)
        if len({row["cell"].split("-")[0] for row in rows}) == 2:
            yield from rows


# Judged pairs


def matched(rows: Sequence[Row], rng: random.Random, limit: int) -> list[Row]:
    """As many paraphrases as others in each tenth of overlap; what is in between stays."""
    bins: dict[int, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    between = []
    for row in rows:
        side = 0 if row["same"] > 0.6 else 1 if row["same"] < 0.4 else None
        if side is None:
            between.append(row)
        else:
            bins[min(int(overlap(row["a"], row["b"]) * 10), 9)][side].append(row)
    kept = between
    for one, other in bins.values():
        count = min(len(one), len(other))
        kept += rng.sample(one, count) + rng.sample(other, count)
    rng.shuffle(kept)
    return kept[:limit]


def judged(data: Path, rng: random.Random) -> dict[str, list[Row]]:
    """The judged sets, labelled."""

    def row(found: Any, source: str, same: float) -> Row:
        known = 0.0 if same > 0.9 else None
        labels = dict(zip(LABELS, (known, None, None), strict=True))
        texts = {"a": found["source"], "b": found["hypothesis"], "source": source}
        return {**texts, "cell": "judged", "kind": "judged", "same": same, **labels, "group": ""}

    tweets = [
        row(one, "twitter-url", 0.95 if one["human"]["paraphrase"] else 0.05)
        for one in lines(data / "paraphrase" / "twitter-url.jsonl.gz")
        if "train" in one["id"]
    ]
    paws = [
        row(one, "paws", float(one["human"]["paraphrase"]))
        for one in lines(data / "contrast" / "paws-qqp-train.jsonl.gz")
        if not held_out(one["item"]) and len(one["source"].split()) < 32
    ]
    rng.shuffle(paws)
    return {"twitter-url": matched(tweets, rng, 8000), "paws": paws}


def build(
    data: Path, words: Words, *, seed: int, scale: float, leave_out: Sequence[str] = ()
) -> Iterator[Row]:
    """All rows; `scale` multiplies the number of groups and judged pairs of every source."""
    equal = judged_equal(data, random.Random(seed))
    sources: dict[str, tuple[int, Callable[[], Sequence[tuple[str, str | None]]]]] = {
        "bible": (3500, lambda: bible(data, random.Random(seed))),
        "alignment": (2700, lambda: aligned(data, random.Random(seed))),
        "wmt21-deen": (2600, lambda: references(data, random.Random(seed))),
        "tatoeba": (3500, lambda: tatoeba(data, random.Random(seed))),
        "twitter-url": (1500, lambda: equal["twitter-url"]),
        "stsb": (900, lambda: equal["stsb"]),
        "paws": (900, lambda: equal["paws"]),
        "europarl": (1000, lambda: _alone(single(data, "europarl-fr", "europarl-de"))),
        "captions": (800, lambda: _alone(single(data, "multi30k-en-de"))),
        "news": (900, lambda: _alone(single(data, "newscommentary-zh"))),
        "docs": (600, lambda: _alone(single(data, "docs-es", "docs-fr", "k8s-zh", "mdn-zh"))),
        "everyday": (600, lambda: _alone(single(data, "tatoeba-fra", "tatoeba-spa"))),
    }
    for name, (count, read) in sources.items():
        rng = random.Random(f"{seed} {name}")
        pairs = [
            one for one in read() if is_short(one[0], 4, 32) and is_short(one[1] or one[0], 3, 34)
        ]
        chosen = rng.sample(pairs, min(len(pairs), int(count * scale)))
        yield from groups_of(name, chosen, words, seed, leave_out)
    for rows in judged(data, random.Random(seed)).values():
        yield from rows[: int(len(rows) * min(scale, 1.0))]


def _alone(texts: Sequence[str]) -> list[tuple[str, str | None]]:
    return [(text, None) for text in texts]


def main() -> None:
    """Write the rows and print how many there are of each sort."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, required=True, help="a WordNet 3.0 dict/ folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the rows (default: 1)")
    given = parser.parse_args()
    words = Words(given.wordnet, given.data / "tagged" / "train.conll.gz")
    counts: Counter[tuple[str, str]] = Counter()
    with given.out.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as out:
        for row in build(given.data, words, seed=given.seed, scale=given.scale):
            out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            for name in ("source", "cell", "kind"):
                counts[name, row[name]] += name != "kind" or not row["cell"].startswith("right")
    for (name, value), count in sorted(counts.items()):
        if count:
            print(f"{name}\t{value}\t{count}")


if __name__ == "__main__":
    main()
