"""One measurement of `bench.neural` in a separate process, in ours or in the peer's environment.

python bench/neural_run.py encode ours|peer MODEL THREADS < texts.json
python bench/neural_run.py size PACKAGE...
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from importlib.metadata import PackageNotFoundError, distribution


def encode(which: str, model: str, threads: str) -> dict[str, float]:
    """CPU and wall-clock seconds of encoding after a first batch, and the peak of memory."""
    texts = json.load(sys.stdin)
    run = ours(model, int(threads)) if which == "ours" else peer(model, int(threads))
    run(texts[:8])
    cpu, wall = time.process_time(), time.perf_counter()
    run([f"{text} " for text in texts])
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def ours(model: str, threads: int):
    """Our encoder."""
    from otherwords.encoders.neural import NeuralEncoder

    encoder = NeuralEncoder.load(model)
    return lambda texts: encoder.sentence_vectors(texts, threads=threads)


def peer(model: str, threads: int):
    """sentence-transformers on torch."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    encoder = SentenceTransformer(model, device="cpu")
    return lambda texts: encoder.encode(texts, show_progress_bar=False)


def size(*packages: str) -> dict[str, float]:
    """Megabytes of the files of packages and of all that they require."""
    known: dict[str, float] = {}
    wanted = list(packages)
    while wanted:
        name = re.split(r"[^\w.-]", wanted.pop())[0].lower().replace("_", "-")
        if name in known:
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:  # of another platform
            continue
        paths = [one.locate() for one in found.files or []]
        known[name] = sum(path.stat().st_size for path in paths if path.is_file()) / 1e6
        wanted += [one for one in found.requires or [] if "extra ==" not in one]
    return known


if __name__ == "__main__":
    print(json.dumps({"encode": encode, "size": size}[sys.argv[1]](*sys.argv[2:])))
