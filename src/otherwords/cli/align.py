"""`otherwords align`: link the words of a bitext."""

from __future__ import annotations

from functools import partial
from typing import Literal

from otherwords.cli.bitexts import BitextTokenizer, Case, GoldBase, warn
from otherwords.cli.options import Threads, or_default, read, refuse_idle, written
from otherwords.cli.output import Destination, check_output, emit_bytes
from otherwords.cli.parameters import argument, option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

training = partial(option, panel="Training")
compared = partial(option, panel="Comparison with gold links")


# Ways to combine both directions into one alignment.
Heuristic = Literal[
    "posterior", "intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"
]


def align_command(
    *,
    to: Destination,
    bitext: list[str] | None = argument(
        "Files of two columns (tab or |||), or LEFT,RIGHT (default: standard input).", "BITEXT..."
    ),
    through: list[str] | None = read(
        "Align the left columns of BITEXT and of this bitext through their right "
        "columns, which are the same text; repeatable.",
        metavar="BITEXT",
    ),
    tokenizer: BitextTokenizer = "auto",
    case: Case = False,
    model: str | None = read("Align with this saved aligner."),
    iterations: int | None = training(
        "Train each model for this many iterations (default: 5).", min=1, max=100
    ),
    monolingual: bool | None = training(
        "Use similar words as evidence, since both sides are in English (default: "
        "decided by the words).",
        "--monolingual/--bilingual",
    ),
    prune: float | None = training(
        "Leave out word pairs with a smaller share of both words' co-occurrences, "
        "to save memory (default: 0).",
        min=0,
        max=0.1,
    ),
    save: str | None = training("Write the trained aligner to this file."),
    gold: str | None = compared(
        "Align the sentences of this JSONL file and print the agreement with its links."
    ),
    alignment: str | None = compared("Score these links i-j instead of aligning (with --gold)."),
    gold_base: GoldBase = None,
    gold_swap: bool | None = compared(
        "Match the gold source with the right column (default: decided by the words).",
        "--gold-swap/--no-gold-swap",
    ),
    heuristic: Heuristic = written(
        "Choose links by their posterior, or by a symmetrisation.", default="posterior"
    ),
    threshold: float | None = written(
        "Keep links with a higher posterior than this (default: 0.3).", min=0, max=1
    ),
    posteriors: bool = written("Print links with posteriors, i-j:p."),
    threads: Threads = 1,
) -> int:
    """Align the words of a bitext: Pharaoh links i-j, from 0, left column first."""
    from otherwords.build.bitext.alignment import (
        AlignmentSettings,
        align_files,
        align_through,
        judge_aligner,
        judge_links,
    )

    inputs = [file for pair in (*(bitext or []), *(through or [])) for file in pair.split(",")]
    to.check(*inputs, gold, alignment, model)
    check_output(save, *inputs, gold, to.output)
    if save is not None and save == to.output:
        raise UsageError(f"{save} cannot be both the aligner and the links")
    by_posterior = heuristic == "posterior"
    refuse_idle(by_posterior, "--heuristic posterior", threshold=threshold)
    least = or_default(threshold, 0.3)
    settings = AlignmentSettings(
        model,
        save,
        iterations,
        monolingual,
        tokenizer,
        case,
        heuristic,
        least,
        threads,
        prune,
    )
    if gold is None:
        judging = {"alignment": alignment, "gold_base": gold_base, "gold_swap": gold_swap}
        refuse_idle(False, "--gold", format=to.form, **judging)
        align = partial(align_files, bitext or ["-"])
        if through is not None:
            refuse_idle(False, "links of one bitext", posteriors=posteriors)
            align = partial(align_through, bitext or ["-"], through)
        with counting("iterations") as done:
            aligned = align(settings, warn=warn, tick=lambda: done(1))
        lines = aligned.lines(posteriors=posteriors)
        emit_bytes((f"{line}\n".encode() for line in lines), to.output)
        return 0
    if through is not None:
        raise UsageError("--through prints links; compare them with --alignment and --gold")
    if posteriors:
        raise UsageError("--posteriors prints links; with --gold the agreement is printed")
    base = or_default(gold_base, 0)
    if alignment is not None:
        if bitext or settings != AlignmentSettings(threads=threads):
            raise UsageError(
                "--alignment gives the links to score; leave out BITEXT and options of training"
            )
        to.show(judge_links(alignment, gold, base=base))
        return 0
    with counting("iterations") as done:
        agreement = judge_aligner(
            gold, bitext or [], settings, base=base, swap=gold_swap, warn=warn, tick=lambda: done(1)
        )
    to.show(agreement)
    return 0
