"""Make the natural training pairs of the pair model: written groups and graded pairs.

    python -m tools.pair_natural --data DATA --wordnet DICT --out natural.jsonl.gz

- written: the groups of `tools/pair_written/*.jsonl`, which a language model wrote for this
  project: an original `text` with candidates that are right and close (`rc`), wrong and close
  (`wc`), right and far (`rf`), wrong and far (`wf`). Each gives two groups: the original with its
  four candidates, and the far rewording as the original of the others, so that close and far
  change places. Close to the far rewording are `wf`, which is wrong, and a harmless edit by rule,
  which is right; without the edit both are left out. So right and wrong are as many among close
  texts as among far ones, and how far a text is does not say whether it is right.
- stsb: all of STS-B train with graded targets.

Rows are those of `tools.pair_data`; rows of one written group have the same `item`.
The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.pair_data import EDITS, FAR, LABELS, Row, lines, weighted
from tools.pair_phrase import Draw, phrases
from tools.pair_right import edit
from tools.pair_words import Words

WRITTEN = Path(__file__).parent / "pair_written"
ALIASES = {"time_order": "time order", "location/direction": "location"}
MISSING, ADDED, CONTRADICTED = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, None, None)
NOT_WORDS = ("marks", "misspelt")  # edits of letters and marks, not of words
GRADED = 1.5  # the exponent that makes similarity from 0 to 1 the target of `same`


def written(files: str = "*") -> Iterator[dict[str, str]]:
    """The written groups of files whose names match, each with its `name`."""
    for path in sorted(WRITTEN.glob(f"{files}.jsonl")):
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file):
                row = json.loads(line)
                row["kind"] = ALIASES.get(row["kind"], row["kind"])
                yield {**row, "name": f"{path.stem}:{number}"}


def edited(rows: Sequence[dict[str, str]], words: Words) -> Iterator[dict[str, str]]:
    """The written groups, each with `edit`, a harmless edit of `rf`, where a rule makes one."""
    for number, (row, far) in enumerate(
        zip(rows, phrases([row["rf"] for row in rows]), strict=True)
    ):
        draw = Draw(0, number)
        made = (edit(kind, far, words, draw) for kind in weighted(EDITS, draw, NOT_WORDS))
        text = next((text for text in made if text is not None), None)
        yield row if text is None else {**row, "edit": text}


def groups_of_written(row: dict[str, str]) -> Iterator[Row]:
    """The rows of one written group."""
    wrong = {"omission": MISSING, "addition": ADDED}.get(row["kind"], CONTRADICTED)
    close = {"edit": "right-close", "wf": "wrong-close"} if "edit" in row else {}
    plan = {
        "text": {"rc": "right-close", "wc": "wrong-close", "rf": "right-far", "wf": "wrong-far"},
        "rf": {**close, "rc": "right-far", "wc": "wrong-far"},
    }
    for one, candidates in plan.items():
        for other, cell in candidates.items():
            right = cell.startswith("right")
            labels = (
                ((0.0, 0.0, 0.0) if cell.endswith("close") else (0.0, None, None))
                if right
                else wrong
            )
            yield {
                "a": row[one], "b": row[other], "source": "written", "cell": cell,
                "kind": "written" if right else row["kind"],
                "same": (FAR if cell.endswith("far") else 1.0) if right else 0.0,
                **dict(zip(LABELS, labels, strict=True)), "group": f"written:{row['name']}:{one}",
                "item": row["name"],
            }  # fmt: skip


def graded(data: Path) -> Iterator[Row]:
    """STS-B train."""
    for one in lines(data / "similarity" / "stsb-en-train.jsonl.gz"):
        same = (one["human"]["adequacy"] / 5) ** GRADED
        labels = (0.0 if same > 0.9 else None, None, None)
        yield {
            "a": one["source"], "b": one["hypothesis"], "source": "stsb", "cell": "judged",
            "kind": "judged", "same": same, **dict(zip(LABELS, labels, strict=True)), "group": "",
        }  # fmt: skip


def build(data: Path, words: Words, files: str) -> Iterator[Row]:
    """All rows."""
    for row in edited(list(written(files)), words):
        yield from groups_of_written(row)
    yield from graded(data)


def main() -> None:
    """Write the rows and print how many there are of each source."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, required=True, help="a WordNet 3.0 dict/ folder")
    parser.add_argument(
        "--written", default="*", help="files of written groups, such as [a-i] (default: all)"
    )
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    words = Words(given.wordnet, given.data / "tagged" / "train.conll.gz")
    counts: Counter[str] = Counter()
    with given.out.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as out:
        for row in build(given.data, words, given.written):
            out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            counts[row["source"]] += 1
    for source, count in sorted(counts.items()):
        print(f"{source}\t{count}")


if __name__ == "__main__":
    main()
