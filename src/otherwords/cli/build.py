"""`otherwords build`: make one packed model from bitexts."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Literal

from otherwords.cli.bitexts import (
    EngineChoice,
    Machines,
    Master,
    MaxLength,
    Memory,
    Shared,
    files_by_name,
)
from otherwords.cli.options import Threads, limit, or_default, read, refuse_idle, written
from otherwords.cli.output import check_output
from otherwords.cli.progress import stages

Segmentation = Literal["characters", "jieba"]  # Tokens of Chinese and Japanese.


def build_command(
    *,
    output: str = written("Write this model file.", "-o", "--output"),
    pivot: list[str] | None = read(
        "Read this bitext: English in the left column, or two files ENGLISH,FOREIGN; repeatable.",
        metavar="LANG=FILE",
    ),
    lm: list[str] | None = read(
        "Train the language model on this text, or on the left column of a bitext; repeatable."
    ),
    lm_stems: bool = read("Train the language model on stems, as PEM has it (default: words)."),
    segmentation: Segmentation = read(
        "Split Chinese and Japanese text into characters or by jieba.",
        default="characters",
    ),
    stem: str = read("Stem the left column: porter, none, german, ...", default="porter"),
    max_length: MaxLength = 4,
    max_words: int = limit(
        "Skip pairs with sentences longer than this.", min=1, max=1000, default=150
    ),
    keep_duplicates: bool = limit("Count repeated sentence pairs each time (default: once)."),
    min_probability: float = limit("Drop translations with a lower p(f|e).", min=0, default=0.01),
    top: int = limit(
        "Keep at most this many translations of a phrase.", min=1, max=255, default=20
    ),
    min_count: int = limit("Drop English phrases that occur less often.", min=1, default=1),
    order: int | None = limit(
        "Use n-grams of up to this length in the language model (default: 4)."
    ),
    lm_bytes: int | None = limit("Prune the language model to this size in bytes."),
    cache: str | None = written("Keep finished stages in this folder (default: OUTPUT.build)."),
    threads: Threads = 1,
    memory: Memory = 2.0,
    engine: EngineChoice = "duckdb",
    master: Master = None,
    shared: Shared = None,
) -> int:
    """Build a paraphrase model. A build that was stopped continues at its last finished stage."""
    from otherwords.build.bitext.pairs import PairLimits
    from otherwords.build.lm.estimation import Estimation
    from otherwords.build.pipeline.model import Build, build_model, build_steps
    from otherwords.models.pivot_packing import Packing

    pivots = files_by_name(pivot or [])
    files = [file for paths in pivots.values() for path in paths for file in path.split(",")]
    check_output(output, *files, *(lm or []))
    refuse_idle(bool(lm), "--lm", order=order, lm_bytes=lm_bytes, lm_stems=lm_stems)
    wanted = Build(
        pivots,
        lm or [],
        PairLimits(longest=max_words, keep_duplicates=keep_duplicates),
        Packing(min_probability=min_probability, top=top, min_count=min_count),
    )
    spark = Machines(threads, memory, None, engine, master, shared).spark()
    with stages() as notify, spark or nullcontext():
        steps = build_steps(
            threads=threads,
            memory_gb=memory,
            engine=spark,
            max_length=max_length,
            segmentation=segmentation,
            stem=stem,
            lm=Estimation(order=or_default(order, 4), max_bytes=lm_bytes),
            lm_stems=lm_stems,
        )
        build_model(output, wanted, steps, cache=cache, notify=notify)
    return 0
