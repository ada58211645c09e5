"""Builds the embedded paraphrase model: pivot tables of four languages and a language model.

    python tools/build_paraphrase.py --bitext ../shared/data/bitext [--cache FOLDER] [--threads N]

The bitexts and the limits are chosen by `python -m bench.pivots`, which prints how well pivots
from each of them agree with people. What comes out is the same for any number of threads.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from otherwords.models.pivot_packing import Packing
from otherwords.pipeline.build import Build, build
from otherwords.pipeline.stages import Event
from otherwords.pipeline.steps import build_steps

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/paraphrase.owm"
BITEXTS = {
    "fr": ["europarl-fr", "tatoeba-fra", "docs-fr", "bible-fra-eng", "multi30k-en-fr"],
    "de": ["europarl-de", "tatoeba-deu", "docs-de", "bible-deu-eng", "multi30k-en-de"],
    "es": ["europarl-es", "tatoeba-spa", "docs-es", "bible-spa-eng"],
    "zh": ["newscommentary-zh", "tatoeba-cmn", "mdn-zh", "k8s-zh", "docs-zh", "bible-cmn-eng"],
}
LM = ["europarl-fr", "europarl-de", "tatoeba-fra", "tatoeba-deu", "tatoeba-spa"]
LM += ["multi30k-en-de", "newscommentary-zh", "docs-zh", "bible-spa-eng"]
LM_BYTES = 4_500_000
PACKING = Packing(min_probability=0.03, top=8, min_count=40, key_bytes=3)


def main() -> None:
    """Build the model and say how large it is."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bitext", type=Path, required=True)
    arguments.add_argument("--cache", help="keeps finished stages")
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()

    def paths(names: list[str]) -> list[str]:
        return [str(given.bitext / f"{name}.tsv.gz") for name in names]

    wanted = Build(
        {language: paths(names) for language, names in BITEXTS.items()},
        paths(LM),
        packing=PACKING,
    )
    steps = build_steps(threads=given.threads, memory_gb=4, lm_bytes=LM_BYTES, lm_min_count=3)
    with tempfile.TemporaryDirectory() as folder:
        build(given.output, wanted, steps, given.cache or folder, tell)
    given.output.with_name(given.output.name + ".log.jsonl").unlink()
    print(f"{given.output}: {given.output.stat().st_size:,} bytes")


def tell(event: Event) -> None:
    """A line for each finished stage."""
    if event.what != "progress":
        print(f"{event.stage}: {event.what}", flush=True)


if __name__ == "__main__":
    main()
