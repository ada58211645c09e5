"""Argmax PEM (PEM §7): does reranking by PEM help by measures that PEM does not know?

    python -m bench.paraphrasing FOLDER [--bitext FILE] [--sentences 100] [--teacher FOLDER]

FOLDER has what docs/paraphrasing.md makes: `pivot.parquet`, `lm.owm` and the bitext `small.tsv`
they come from. Sentences of 8 to 16 words from another part of FILE (Tatoeba) are paraphrased; none
of them is in the training text. Printed are means with 95 % intervals over sentences of the
decoder's best output, of any of its first 100, of the best of these by PEM, and of the same without
outputs in which `facts` finds a contradiction. With --teacher (tools/teacher.py says how to get it)
MiniLM's cosine with the source stands beside them; it is not wholly independent, as the vectors in
PEM's adequacy are distilled from it. Without torch here, run the same command once without and
once, in an environment that has torch, with --teacher: outputs are kept in FOLDER.
Then the ten sentences of examples/generation are shown with their scores.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BITEXT = ROOT.parent / "shared" / "data" / "bitext" / "tatoeba-deu.tsv.gz"
EXAMPLES = ROOT / "examples" / "generation"
WAYS: dict[str, dict[str, Any]] = {
    "decoder": {},
    "any of 100": {"k": 100, "unique": True},
    "by PEM": {"rerank": "pem"},
    "by PEM, no contradictions": {"rerank": "pem", "without_contradictions": True},
}
METRICS = ("pem", "pem-adequacy", "pem-fluency", "pem-dissimilarity", "pinc", "vectors", "facts")


def sentences(bitext: Path, known: Path, most: int) -> list[str]:
    """English lines from all over the file that the training text does not have."""
    seen = {line.split("\t")[0] for line in known.read_text(encoding="utf-8").splitlines()}
    with gzip.open(bitext, "rt", encoding="utf-8") as lines:
        texts = dict.fromkeys(line.split("\t")[0] for line in lines)
    fitting = [text for text in texts if text not in seen and 8 <= len(text.split()) <= 16]
    return fitting[:: max(1, len(fitting) // most)][:most]


def paraphrased(folder: Path, text: Path) -> dict[str, list[dict[str, Any]]]:
    """Source and best output of each line, by each way."""
    from otherwords.generation import paraphrase_file

    found = {}
    rng = random.Random(0)
    for way, options in WAYS.items():
        result = paraphrase_file(
            text, [folder / "pivot.parquet"], folder / "lm.owm", EXAMPLES / "weights.txt", **options
        )
        found[way] = [
            {
                "source": one.source,
                "output": rng.choice(one.outputs).target if one.outputs else one.source,
            }
            for one in result.decoded
        ]
    return found


def scored(rows: list[dict[str, Any]]) -> dict[str, list[float]]:
    """The scores of each output against its source; facts as whether it finds a contradiction."""
    from otherwords.scoring.scores import score

    outputs, sources = ([row[name] for row in rows] for name in ("output", "source"))
    found = {}
    for name in METRICS:
        result = score(name, outputs, sources=sources, against="source")
        found[name] = result.segments.tolist()
        if name == "facts":
            column = result.metric.columns.index("contradicted")
            found["contradicted"] = (result.statistics[:, column] > 0).astype(float).tolist()
    return found


def minilm(rows: list[dict[str, Any]], folder: Path) -> list[float]:
    """MiniLM's cosine of output and source."""
    sys.path.insert(0, str(ROOT / "tools"))
    from teacher import Teacher

    teacher = Teacher(folder)
    one, other = (teacher.sentence_vectors([row[k] for row in rows]) for k in ("output", "source"))
    return [float(value) for value in (one * other).sum(axis=1)]


def mean(values: list[float]) -> str:
    """The mean with half its interval, by the normal distribution."""
    half = 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return f"{np.mean(values):.3f} ± {half:.3f}"


def table(header: list[str], lines: list[list[str]]) -> None:
    """A Markdown table; bench.agreement's would import the whole library."""
    for cells in (header, ["---"] * len(header), *lines):
        print("| " + " | ".join(cells) + " |")
    print()


def main() -> None:
    """Make the outputs if they are not there, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bitext", type=Path, default=BITEXT)
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("--teacher", type=Path)
    args = parser.parse_args()
    kept = args.folder / f"paraphrased-{args.sentences}.json"
    if not kept.exists():
        text = args.folder / "sentences.txt"
        lines = sentences(args.bitext, args.folder / "small.tsv", args.sentences)
        text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        made = {
            name: [
                {"way": way, "rows": rows, "scores": scored(rows)}
                for way, rows in paraphrased(args.folder, path).items()
            ]
            for name, path in (("held out", text), ("own", EXAMPLES / "sentences.txt"))
        }
        kept.write_text(json.dumps(made), encoding="utf-8")
    made = json.loads(kept.read_text(encoding="utf-8"))
    for one in [*made["held out"], *made["own"]] if args.teacher else ():
        one["scores"] = {**one["scores"], "MiniLM-cos": minilm(one["rows"], args.teacher)}
    names = list(made["held out"][0]["scores"])
    lines = [[one["way"], *(mean(one["scores"][n]) for n in names)] for one in made["held out"]]
    print(f"{len(made['held out'][0]['rows'])} sentences\n")
    table(["output", *names], lines)
    shown = [name for name in ("pem", "contradicted", "MiniLM-cos") if name in names]
    for one in (made["own"][0], made["own"][2]):
        print(one["way"] + "\n")
        rows = zip(one["rows"], *(one["scores"][name] for name in shown), strict=True)
        cells = [[r["source"], r["output"], *(f"{v:.2f}" for v in values)] for r, *values in rows]
        table(["source", "output", *shown], cells)


if __name__ == "__main__":
    main()
