"""Argmax PEM (PEM §7): does reranking by PEM help by measures that PEM does not know?

    python -m bench.paraphrasing FOLDER [--bitext FILE] [--sentences 200] [--teacher FOLDER]
        [--fresh]

FOLDER has what docs/paraphrasing.md makes: `pivot.parquet`, `lm.owm` and the bitext `small.tsv`
they come from. Sentences of 8 to 16 words from another part of FILE (Tatoeba) are paraphrased; none
of them is in the training text. With --teacher (tools/teacher.py says how to get it) MiniLM's
cosine with the source stands next to our scores; it is not wholly independent of them, as the
vectors in PEM's adequacy are distilled from it.

First table: means with 95 % intervals over sentences of the decoder's best output, of any of its
first 100, of the best of these by PEM alone, and of the best by PEM as `--rerank pem` chooses.
Second table: ways to keep the meaning, each with several strengths, as differences from the
decoder's best output with bootstrap intervals. An output counts only if the named measures fall at
most so much below those of the decoder's best output, or are at least so high. Sentences with even
and with odd numbers stand apart; the default was chosen with both in sight.
Then the ten sentences of examples/generation are shown with their scores.
With --fresh, the default alone is compared with the decoder's best output, on other sentences.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation import (
    Decoded,
    DecoderFiles,
    Reranking,
    read_sentences,
)
from otherwords.scoring.score import score

ROOT = Path(__file__).resolve().parents[1]
BITEXT = ROOT.parent / "shared" / "data" / "bitext" / "tatoeba-deu.tsv.gz"
EXAMPLES = ROOT / "examples" / "generation"
LISTED = 100  # outputs of each sentence
SENTENCES = 200
METRICS = ("otherwords-rewrite", "meaning", "fluency", "difference", "pinc", "vectors", "facts")
ALL = ("meaning", "fluency", "vectors", "facts")
FORMS: dict[str, tuple[tuple[str, ...], tuple[float, ...]]] = {
    "PEM alone": ((), (1,)),
    "adequacy, below the decoder's": (("meaning",), (0, 0.02, 0.05)),
    "vectors, below the decoder's": (("vectors",), (0, 0.01, 0.02)),
    "adequacy and vectors, below the decoder's": (("meaning", "vectors"), (0, 0.02, 0.05)),
    "adequacy, fluency, vectors, facts, below the decoder's": (ALL, (0, 0.01, 0.02, 0.05, 0.1)),
}
LEAST = {"adequacy at least": ("meaning", (0.9, 0.95, 0.97))}
MODEL = ("the model's total, below the best", (0.5, 1, 2))
RESAMPLES = 2000

Array = NDArray[np.float64]
Rows = list[dict[str, Any]]


def sentences(bitext: Path, known: Path, most: int, fresh: bool) -> list[str]:
    """English lines from all over the file that the training text does not have."""
    seen = {line.split("\t")[0] for line in known.read_text(encoding="utf-8").splitlines()}
    with gzip.open(bitext, "rt", encoding="utf-8") as lines:
        texts = dict.fromkeys(line.split("\t")[0] for line in lines)
    fitting = [text for text in texts if text not in seen and 8 <= len(text.split()) <= 16]
    if fresh:
        shown = set(_spread(fitting, SENTENCES))
        fitting = [text for text in fitting if text not in shown]
    return _spread(fitting, most)


def _spread(texts: list[str], most: int) -> list[str]:
    """So many from all over a list."""
    return texts[:: max(1, len(texts) // most)][:most]


def listed(folder: Path, text: Path) -> list[Decoded]:
    """The best outputs of each line, of different words."""
    lines = read_sentences(text)
    files = DecoderFiles([folder / "pivot.parquet"], folder / "lm.owm", EXAMPLES / "weights.txt")
    decoder, _ = files.open(lines)
    return decoder.decode(lines, k=LISTED, unique=True, derivations=False)


def ways(found: list[Decoded]) -> dict[str, Rows]:
    """Source and chosen output of each sentence, by each way."""
    rng = random.Random(0)
    chosen = {
        "decoder": [one.outputs[0] for one in found],
        "any of 100": [rng.choice(one.outputs) for one in found],
        "by PEM alone": [Reranking("otherwords-rewrite", 1).best(one).outputs[0] for one in found],
        "by PEM, default": [Reranking("otherwords-rewrite").best(one).outputs[0] for one in found],
    }
    return {
        way: [
            {"source": one.source, "output": output.target}
            for one, output in zip(found, outputs, strict=True)
        ]
        for way, outputs in chosen.items()
    }


def scored(rows: Rows) -> dict[str, list[float]]:
    """The scores of each output against its source; facts as whether it finds a contradiction."""
    outputs, sources = ([row[name] for row in rows] for name in ("output", "source"))
    found = {}
    for name in METRICS:
        result = score(name, outputs, sources=sources, against="source")
        found[name] = result.segments.tolist()
        if name == "facts":
            column = result.metric.columns.index("contradicted")
            found["contradicted"] = (result.statistics[:, column] > 0).astype(float).tolist()
    return found


def forms(found: list[Decoded]) -> dict[str, list[int]]:
    """The place of the chosen output in each list, by form and strength."""
    rows = [
        {"source": one.source, "output": output.target} for one in found for output in one.outputs
    ]
    scores = {name: np.array(values) for name, values in scored(rows).items()}
    scores["total"] = np.array([output.total for one in found for output in one.outputs])
    ends = np.cumsum([len(one.outputs) for one in found])
    places = [range(end - len(one.outputs), end) for one, end in zip(found, ends, strict=True)]
    chosen: dict[str, list[int]] = {"decoder": [0] * len(found)}

    def choose(name: str, measures: tuple[str, ...], margin: float | None, least: float) -> None:
        best = []
        for some in places:
            kept = np.ones(len(some), dtype=bool)
            for measure in measures:
                values = scores[measure][some]
                kept &= values >= (least if margin is None else values[0] - margin)
            kept[0] = True  # the decoder's own
            best.append(int(np.argmax(np.where(kept, scores["otherwords-rewrite"][some], -np.inf))))
        chosen[name] = best

    for form, (measures, margins) in FORMS.items():
        for margin in margins:
            choose(f"{form} | {margin:g}", measures, margin, 0)
    for form, (measure, values) in LEAST.items():
        for least in values:
            choose(f"{form} | {least:g}", (measure,), None, least)
    for margin in MODEL[1]:
        choose(f"{MODEL[0]} | {margin:g}", ("total",), margin, 0)
    return chosen


def minilm(rows: Rows, folder: Path) -> list[float]:
    """MiniLM's cosine of output and source."""
    sys.path.insert(0, str(ROOT / "tools"))
    from teacher import Teacher

    texts = list(dict.fromkeys(row[name] for row in rows for name in ("output", "source")))
    vectors = dict(zip(texts, Teacher(folder).sentence_vectors(texts), strict=True))
    return [float(vectors[row["output"]] @ vectors[row["source"]]) for row in rows]


def mean(values: list[float]) -> str:
    """The mean with half its interval, by the normal distribution."""
    half = 1.96 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return f"{np.mean(values):.3f} ± {half:.3f}"


def change(values: Array) -> str:
    """The mean difference with its bootstrap interval."""
    draws = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5])
    return f"{values.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def trade_off(found: list[Decoded], teacher: Path | None) -> None:
    """What each form and strength changes, on the even sentences and on the odd ones."""
    chosen = forms(found)
    kept = {
        name: [
            {"source": one.source, "output": one.outputs[place].target}
            for one, place in zip(found, places, strict=True)
        ]
        for name, places in chosen.items()
    }
    flat = [row for rows in kept.values() for row in rows]
    everything = {name: np.array(values) for name, values in scored(flat).items()}
    if teacher is not None:
        everything["MiniLM-cos"] = np.array(minilm(flat, teacher))
    names = [one for one in ("otherwords-rewrite", "MiniLM-cos", "fluency") if one in everything]
    size = len(found)
    base = {name: values[:size] for name, values in everything.items()}
    for part, title in ((0, "even sentences"), (1, "odd sentences")):
        lines = []
        for place, name in enumerate(kept):
            rows = slice(place * size, (place + 1) * size)
            mine = {key: values[rows] for key, values in everything.items()}
            differences = [change((mine[key] - base[key])[part::2]) for key in names]
            form, _, strength = name.partition(" | ")
            other = np.array(chosen[name][part::2]) > 0
            contradicted = f"{mine['contradicted'][part::2].mean():.3f}"
            lines.append([form, strength, *differences, contradicted, f"{other.mean():.2f}"])
        print(f"{len(found[part::2])} {title}\n")
        header = ["kept if", "by at most", *names, "contradicted", "other than the decoder's"]
        table(header, lines)


def compared(found: list[Decoded], teacher: Path | None) -> None:
    """What the default changes."""
    both = []
    for outputs in (
        [one.outputs[0] for one in found],
        [Reranking("otherwords-rewrite").best(one).outputs[0] for one in found],
    ):
        rows = [
            {"source": one.source, "output": output.target}
            for one, output in zip(found, outputs, strict=True)
        ]
        scores = scored(rows)
        if teacher is not None:
            scores["MiniLM-cos"] = minilm(rows, teacher)
        both.append({name: np.array(values) for name, values in scores.items()})
    lines = [
        [name, f"{before.mean():.3f}", f"{after.mean():.3f}", change(after - before)]
        for (name, before), after in zip(both[0].items(), both[1].values(), strict=True)
    ]
    table(["score", "decoder", "by PEM, default", "difference"], lines)


def table(header: list[str], lines: list[list[str]]) -> None:
    """A Markdown table."""
    for cells in (header, ["---"] * len(header), *lines):
        print("| " + " | ".join(cells) + " |")
    print()


def main() -> None:
    """Decode, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bitext", type=Path, default=BITEXT)
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    parser.add_argument("--teacher", type=Path)
    parser.add_argument("--fresh", action="store_true")
    args = parser.parse_args()
    text = args.folder / "sentences.txt"
    lines = sentences(args.bitext, args.folder / "small.tsv", args.sentences, args.fresh)
    text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if args.fresh:
        print(f"{len(lines)} other sentences\n")
        compared(listed(args.folder, text), args.teacher)
        return
    found, own = listed(args.folder, text), listed(args.folder, EXAMPLES / "sentences.txt")
    print(f"{len(found)} sentences\n")
    shown = []
    for lists in (found, own):
        made = {way: (rows, scored(rows)) for way, rows in ways(lists).items()}
        for rows, scores in made.values() if args.teacher else ():
            scores["MiniLM-cos"] = minilm(rows, args.teacher)
        shown.append(made)
    names = list(shown[0]["decoder"][1])
    cells = [[way, *(mean(scores[n]) for n in names)] for way, (_, scores) in shown[0].items()]
    table(["output", *names], cells)
    trade_off(found, args.teacher)
    names = [name for name in ("otherwords-rewrite", "contradicted", "MiniLM-cos") if name in names]
    for way in ("decoder", "by PEM alone", "by PEM, default"):
        rows, scores = shown[1][way]
        both = zip(rows, *(scores[name] for name in names), strict=True)
        print(way + "\n")
        cells = [[r["source"], r["output"], *(f"{v:.2f}" for v in values)] for r, *values in both]
        table(["source", "output", *names], cells)


if __name__ == "__main__":
    main()
