"""The neural encoder compared with sentence-transformers, and metrics with and without it.

    python -m bench.neural [equality] [speed] [size] [bits] [agreement] [--encoder PATH]
                           [--peer PYTHON --folder FOLDER]

`--encoder` is "auto" unless given; `--peer` is a Python with sentence-transformers and torch, and
`--folder` the folder of the model that it reads. Speeds are CPU seconds of one thread in the same
run. In `agreement`, metrics that learn are trained on the other sets or language pairs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tools.encoder_reference import STEP, sentences, stored

from bench.agreement import SETS, table
from bench.data import rows
from otherwords.encoders.finding import find_encoder
from otherwords.encoders.neural import NeuralEncoder, pack_encoder
from otherwords.encoders.static import StaticEncoder
from otherwords.stats.coefficients import pearson
from otherwords.stats.resampling import resample

RUN = Path(__file__).with_name("neural_run.py")
PACKAGES = ("onnxruntime", "tokenizers", "safetensors", "onnx")
Given = argparse.Namespace


def equality(given: Given) -> None:
    """The largest difference from sentence-transformers' numbers."""
    texts = sentences()
    ours = NeuralEncoder.load(given.encoder).sentence_vectors(texts)[:, ::STEP]
    apart = np.abs(ours - stored())
    print(
        f"{len(texts)} sentences: largest difference {apart.max():.1e}, mean {apart.mean():.1e}\n"
    )


def speed(given: Given) -> None:
    """CPU seconds and memory for segments of about 32 words."""
    texts = [str(row.hypothesis) for row in rows("mt/mqm21-zhen")]
    texts = [text for text in texts if 28 <= len(text.split()) <= 36][: given.segments]
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        full, small = (str(Path(folder) / f"{bits}.owm") for bits in (32, 8))
        for path, bits in ((full, 32), (small, 8)):
            pack_encoder(given.folder or given.encoder, path, bits=bits)
        runs = {"ours, 32 bits": (sys.executable, "ours", full)}
        runs["ours, 8 bits"] = (sys.executable, "ours", small)
        if given.peer:
            runs["sentence-transformers"] = (given.peer, "peer", given.folder)
        found: dict[str, list[dict[str, float]]] = {}
        for _ in range(given.times):
            for name, (python, which, model) in runs.items():
                command = [python, str(RUN), "encode", which, model, str(given.threads)]
                done = _run(command, json.dumps(texts))
                found.setdefault(name, []).append(done)
    best = {name: min(one["cpu"] for one in several) for name, several in found.items()}
    for name, several in found.items():
        ratio = best.get("sentence-transformers", np.nan) / best[name]
        size = max(one["memory"] for one in several)
        wall = min(one["wall"] for one in several)
        lines.append([name, f"{best[name]:.2f}", f"{wall:.2f}", f"{ratio:.2f}", f"{size:.0f}"])
    head = f"{len(texts)} segments, {given.threads} threads"
    table([head, "CPU seconds", "wall seconds", "times as fast", "peak MB"], lines)


def _run(command: list[str], text: str = "") -> dict[str, float]:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def size(given: Given) -> None:
    """Megabytes that are installed; NumPy is left out, for we need it anyway."""
    found = {"otherwords[neural]": _run([sys.executable, str(RUN), "size", *PACKAGES])}
    if given.peer:
        peer = [given.peer, str(RUN), "size", "sentence-transformers"]
        found["sentence-transformers"] = _run(peer)
    lines = []
    for name, packages in found.items():
        packages.pop("numpy", None)
        largest = sorted(packages, key=lambda one: -packages[one])[:3]
        shown = ", ".join(f"{one} {packages[one]:.0f}" for one in largest)
        lines.append([name, str(len(packages)), f"{sum(packages.values()):.0f}", shown])
    table(["install", "packages", "MB", "largest"], lines)


def bits(given: Given) -> None:
    """What 8 bits change: cosines of pairs, and agreement with human scores."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "8.owm")
        pack_encoder(given.folder or given.encoder, path, bits=8)
        small = NeuralEncoder.load(path)
        lines = []
        for name, human in (
            ("similarity/stsb-en-dev", "adequacy"),
            ("paraphrase/shakespeare-dev", "adequacy"),
        ):
            judged = [row for row in rows(name) if human in row.human][: given.segments]
            people = np.array([row.human[human] for row in judged])
            texts = [str(row.hypothesis) for row in judged] + [str(row.source) for row in judged]
            pairs = np.arange(len(judged)), np.arange(len(judged)) + len(judged)
            found = [
                one.cosines(texts, *pairs) for one in (NeuralEncoder.load(given.encoder), small)
            ]
            apart = np.abs(found[0] - found[1])
            r = [f"{pearson(one, people):.4f}" for one in found]
            lines.append([name, *r, f"{apart.mean():.4f}", f"{apart.max():.4f}"])
    header = ["cosine", "Pearson, 32 bits", "8 bits", "mean difference", "largest"]
    table(header, lines)


def agreement(given: Given) -> None:
    """Pearson with human scores, with and without the encoder, with 95 % intervals."""
    _unlearned(given)
    _pem(given)
    _mt()


def _unlearned(given: Given) -> None:
    lines: dict[str, list[str]] = {}
    for judged in SETS:
        segments = [row for row in rows(judged.name) if judged.criterion in row.human]
        people = np.array([row.human[judged.criterion] for row in segments])
        texts = [str(row.hypothesis) for row in segments]
        targets = [
            str(row.references[0] if judged.against == "references" else row.source)
            for row in segments
        ]
        langs = np.array([str(row.langs) for row in segments])
        pairs = np.arange(len(texts)), np.arange(len(texts)) + len(texts)
        compared = NeuralEncoder.load(given.encoder).compare(texts + targets, *pairs)
        precision, recall = compared[:, 1], compared[:, 5]
        columns = {
            "vectors": StaticEncoder.load().cosines(texts + targets, *pairs),
            "encoder-cos": compared[:, 0],
            "encoder-f1": 2 * precision * recall / np.maximum(precision + recall, 1e-12),
        }
        for name, scores in columns.items():
            lines.setdefault(name, []).append(_shown(scores, people, langs))
    table(["metric", *(one.short for one in SETS)], [[name, *c] for name, c in lines.items()])


def _shown(scores: np.ndarray, people: np.ndarray, groups: np.ndarray) -> str:
    """The mean over language pairs, with its interval over segments."""
    drawn = []
    places = [np.flatnonzero(groups == one) for one in np.unique(groups)]
    for some in places:
        draws = resample(len(some), 1000, 0)
        drawn.append([pearson(scores[some[d]], people[some[d]]) or 0.0 for d in draws])
    low, high = np.quantile(np.mean(drawn, axis=0), [0.025, 0.975])
    mean = np.mean([pearson(scores[some], people[some]) or 0.0 for some in places])
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"


def _pem(given: Given) -> None:
    from tools import train_pem as training

    from bench.data import DATA
    from bench.rewrite import groups_of, scores_of, shown
    from otherwords.metrics.rewrite import RewriteFeatures

    lines: dict[str, list[str]] = {}
    for label, encoder in (("", None), (", encoder", given.encoder)):
        features = RewriteFeatures(encoder=encoder)
        samples = training.samples_of(DATA, features)
        for name in training.JOINED:
            one = samples[name]
            others = {other: sample for other, sample in samples.items() if other != name}
            join = training.train(others, features)
            columns = {
                f"otherwords-rewrite{label}": scores_of(join, one.measured),
                f"meaning{label}": join.meaning(one.measured.meaning),
            }
            other = one.measured.difference > 0
            people, groups = one.judged.human, groups_of(one)
            for metric, scores in columns.items():
                cells = lines.setdefault(metric, [])
                cells.append(shown(scores, people, groups))
                if name == "parabank":
                    _, kept = np.unique(groups[other], return_inverse=True)
                    cells.append(shown(scores[other], people[other], kept))
    header = ["parabank", "parabank without copies", "twitter-para-dev", "shakespeare-dev"]
    print("each set left out of training\n")
    table(["metric", *header], [[name, *cells] for name, cells in lines.items()])


def _mt() -> None:
    from tools.combine_data import read
    from tools.train_combine import FAMILIES, NEURAL_FAMILIES

    from bench.combine import OTHERS, PAIRS, nested
    from bench.data import DATA
    from otherwords.study.training.regression import resampled

    lines = []
    for label, families in (("", FAMILIES), (", encoder", NEURAL_FAMILIES)):
        judged = read(DATA, families)
        scores = nested(judged)
        domains = {one.name: one for one in judged.statistics.domains}
        found = {
            name: resampled(scores[name], one.people, one.items, seed=0)
            for name, one in domains.items()
        }
        exact = {name: pearson(scores[name], one.people) or 0.0 for name, one in domains.items()}
        mean = np.mean([exact[pair] for pair in PAIRS])
        low, high = np.quantile(np.mean([found[pair] for pair in PAIRS], axis=0), [0.025, 0.975])
        cells = [f"{mean:.3f} [{low:.3f}, {high:.3f}]"]
        for name in (*PAIRS, *OTHERS):
            low, high = np.quantile(found[name], [0.025, 0.975])
            cells.append(f"{exact[name]:.3f} [{low:.3f}, {high:.3f}]")
        lines.append([f"otherwords-mt{label}", *cells])
    print("each language pair held out of fit and choice\n")
    table(["metric", "mean of wmt15", *PAIRS, *OTHERS], lines)


PARTS: dict[str, Callable[[Given], None]] = {
    "equality": equality,
    "speed": speed,
    "size": size,
    "bits": bits,
    "agreement": agreement,
}


def main() -> None:
    """Print what is asked for, else all."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []])
    arguments.add_argument("--encoder", default="auto")
    arguments.add_argument("--peer", help="a Python with sentence-transformers")
    arguments.add_argument("--folder", help="the model's folder, for the peer")
    arguments.add_argument("--segments", type=int, default=1000)
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--times", type=int, default=3)
    given = arguments.parse_args()
    given.folder = given.folder or str(find_encoder("auto"))
    for part in given.parts or PARTS:
        print(f"### {part}\n")
        PARTS[part](given)


if __name__ == "__main__":
    main()
