"""Reference vectors for the neural encoder, made by sentence-transformers from our own sentences.

    pip install torch==2.13.0 sentence-transformers
    python tools/encoder_reference.py FOLDER  # writes tests/neural_reference.npz

The sentences are those of examples/crossed*.jsonl. Of each of their vectors every 12th number is
kept, in millionths; `tests/test_neural_weights.py` and `python -m bench.neural equality` compare.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "tests" / "neural_reference.npz"
SENTENCES, STEP, UNIT = 1000, 12, 1e-6


def sentences() -> list[str]:
    """Sentences of our own, in order."""
    found: dict[str, None] = {}
    for name in ("crossed-heldout.jsonl", "crossed.jsonl"):
        for line in (ROOT / "examples" / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found |= dict.fromkeys([row["source"], row["hypothesis"], *row["references"]])
    return list(found)[:SENTENCES]


def stored() -> np.ndarray:
    """The reference: one row per sentence."""
    with np.load(OUTPUT) as found:
        return found["vectors"] * UNIT


def main() -> None:
    """Write the file."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    model = SentenceTransformer(sys.argv[1], device="cpu")
    vectors = model.encode(sentences(), normalize_embeddings=True, show_progress_bar=False)
    numbers = np.rint(vectors[:, ::STEP].astype(np.float64) / UNIT).astype(np.int32)
    np.savez_compressed(OUTPUT, vectors=numbers)
    print(f"{OUTPUT}: {OUTPUT.stat().st_size:,} bytes, {numbers.shape}")


if __name__ == "__main__":
    main()
