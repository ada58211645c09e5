"""Builds the embedded paraphrase models: pivot tables of four languages by stems and a language
model, or with --surface the Chinese table of words as they are (ParaEval §3.2).

    python -m tools.build_paraphrase --data ../shared/data [--surface] [--cache FOLDER]

The bitexts and the limits are chosen by `python -m bench.pivots`, which prints how well pivots
from each of them agree with human scores. The Bibles are paired with other English translations of
the same verses too: one foreign verse with several English ones is what pivots live on, and the
older of them know words that parliament and software do not. The result is the same for any number
of threads.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from tools.select_pivots import Selection, select

from otherwords.build.engine.stages import Event
from otherwords.build.lm.estimation import Estimation
from otherwords.build.pipeline.model import Build, Step, build_model, build_steps
from otherwords.models.pivot_packing import Packing

OUTPUT = Path(__file__).parent.parent / "src/otherwords/models/paraphrase.owm"
SURFACE = OUTPUT.with_name("surface.owm")
BITEXTS = {
    "fr": ["europarl-fr", "tatoeba-fra", "docs-fr", "bible-fra-eng", "multi30k-en-fr"],
    "de": ["europarl-de", "tatoeba-deu", "docs-de", "bible-deu-eng", "multi30k-en-de"],
    "es": ["europarl-es", "tatoeba-spa", "docs-es", "bible-spa-eng"],
    "zh": ["newscommentary-zh", "tatoeba-cmn", "mdn-zh", "k8s-zh", "docs-zh", "bible-cmn-eng"],
}
BIBLES = {
    "fr": "bible-fra-eng",
    "de": "bible-deu-eng",
    "es": "bible-spa-eng",
    "zh": "bible-cmn-eng",
}
VERSIONS = ["BBE", "KJV", "YLT"]  # Bible in Basic English, King James, Young's Literal
# Words as they are: no software, no English of long ago.
SURFACE_BITEXTS = {"zh": ["newscommentary-zh", "tatoeba-cmn", "bible-cmn-eng"]}
SURFACE_VERSIONS = ["BBE"]
LM = ["europarl-fr", "europarl-de", "tatoeba-fra", "tatoeba-deu", "tatoeba-spa"]
LM += ["multi30k-en-de", "newscommentary-zh", "docs-zh", "bible-spa-eng"]
LM_BYTES = 4_500_000
SELECTION = Selection()  # of each language, by `tools.select_pivots`
PACKING = Packing(key_bytes=3, quantise=True)


def main() -> None:
    """Build the model and say how large it is."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--cache", help="keeps finished stages")
    arguments.add_argument("--surface", action="store_true", help="Chinese, words not stemmed")
    arguments.add_argument("--output", type=Path, help="(default: in the package)")
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()

    stem = "none" if given.surface else "porter"
    output = given.output or (SURFACE if given.surface else OUTPUT)
    steps = build_steps(
        threads=given.threads,
        memory_gb=4,
        stem=stem,
        lm=Estimation(max_bytes=LM_BYTES, min_count=3),
    )
    steps = replace(steps, select=selecting(given.data, threads=given.threads))
    with tempfile.TemporaryDirectory() as folder:
        wanted = sources(given.data, Path(folder), surface=given.surface)
        build_model(output, wanted, steps, cache=given.cache or folder, notify=report)
    output.with_name(output.name + ".log.jsonl").unlink()
    print(f"{output}: {output.stat().st_size:,} bytes")


def selecting(data: Path, *, threads: int = 1) -> Step:
    """The step that chooses the rows of each language."""
    files = {
        language: {"bible": str(data / "bitext" / f"{name}.tsv.gz")}
        for language, name in BIBLES.items()
    }
    run = partial(select, threads=threads, memory_gb=4)
    return Step(run, parameters={"selection": asdict(SELECTION)}, files=files)


def sources(data: Path, folder: Path, *, surface: bool) -> Build:
    """All files that the model is built from; those of more Bibles are written to the folder."""

    def paths(names: list[str]) -> list[str]:
        return [str(data / "bitext" / f"{name}.tsv.gz") for name in names]

    verses = translations(data / "multi" / "bible-en-multi.jsonl.gz")
    pivots = {
        language: paths(names)
        + [
            pair_version(verses, version, data / "bitext" / f"{BIBLES[language]}.tsv.gz", folder)
            for version in (SURFACE_VERSIONS if surface else VERSIONS)
        ]
        for language, names in (SURFACE_BITEXTS if surface else BITEXTS).items()
    }
    return Build(pivots, [] if surface else paths(LM), packing=PACKING)


def translations(path: Path) -> dict[str, dict[str, str]]:
    """The English translations of every verse, found by the one that the bitexts have."""
    verses: dict[str, dict[str, str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            texts = json.loads(line)["texts"]
            if "BSB" in texts:
                verses.setdefault(texts["BSB"], texts)
    return verses


def pair_version(
    verses: dict[str, dict[str, str]], version: str, bitext: Path, folder: Path
) -> str:
    """A bitext of another English version with the same foreign verses."""
    path = folder / f"{bitext.name.split('.')[0]}-{version}.tsv"
    with (
        gzip.open(bitext, "rt", encoding="utf-8") as pairs,
        path.open("w", encoding="utf-8") as out,
    ):
        for pair in pairs:
            english, _, foreign = pair.partition("\t")
            text = verses.get(english, {}).get(version)
            if text:
                out.write(f"{' '.join(text.split())}\t{foreign}")
    return str(path)


def report(event: Event) -> None:
    """A line for each finished stage."""
    if event.what != "progress":
        print(f"{event.stage}: {event.what}", flush=True)


if __name__ == "__main__":
    main()
