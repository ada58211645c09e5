"""`otherwords paradigm coverage`: which sentence pairs grammars derive."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from otherwords.cli.extract_grammar import Kind
from otherwords.cli.options import (
    INPUT,
    OUTPUT,
    Confidence,
    Form,
    Intervals,
    Output,
    Resamples,
    Seed,
    given,
    named_files,
    refuse_idle,
)
from otherwords.cli.output import check_output, show
from otherwords.cli.paradigm import Human, Memory, Resume, Temporary, Threads
from otherwords.cli.progress import counting

__all__ = ["coverage_command"]

FOLDS, PARSER = "Grammars of the pairs themselves", "Parser"


def coverage_command(
    pairs: Annotated[
        str,
        typer.Option(
            "--pairs",
            help="Read sentence pairs: JSONL of gold alignments or of texts, or two columns.",
            rich_help_panel=INPUT,
        ),
    ],
    grammars: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=]FILE...",
            help="Grammars: Joshua, Thrax or PPDB text, .gz, Parquet or an index.",
        ),
    ] = None,
    texts: Annotated[
        str | None,
        typer.Option(
            "--texts",
            help="Take the texts with these names, separated by commas.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(
            "--tokenizer",
            help="Tokenize texts: auto, penn, words, none... (default: auto).",
            rich_help_panel=INPUT,
        ),
    ] = None,
    case: Annotated[
        bool, typer.Option("--case", help="Keep case (default: fold).", rich_help_panel=INPUT)
    ] = False,
    paraphrases: Annotated[
        list[str] | None,
        typer.Option(
            "--paraphrases",
            metavar="NAME=FILE",
            help="Score JSONL made with a grammar by BLEU, PRECIS and PINC; repeatable.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            "--folds",
            help="K-fold: extract each grammar from the other folds.",
            min=2,
            max=1000,
            rich_help_panel=FOLDS,
        ),
    ] = None,
    kinds: Annotated[
        list[Kind] | None,
        typer.Option(
            "--kind",
            help="Kind of the grammars of --folds; repeatable (default: hiero).",
            rich_help_panel=FOLDS,
        ),
    ] = None,
    possible: Annotated[
        bool,
        typer.Option(
            "--possible",
            help="Extract rules by sure and possible links (default: sure).",
            rich_help_panel=FOLDS,
        ),
    ] = False,
    identity: Annotated[
        bool,
        typer.Option(
            "--identity",
            help="Add X -> w | w for every word of both sentences.",
            rich_help_panel=PARSER,
        ),
    ] = False,
    pass_through: Annotated[
        bool,
        typer.Option(
            "--pass-through",
            help="Add X -> w | w for words that the grammar does not have.",
            rich_help_panel=PARSER,
        ),
    ] = False,
    glue: Annotated[
        bool,
        typer.Option(
            "--glue/--no-glue",
            help="Accept a sequence of constituents as a sentence.",
            rich_help_panel=PARSER,
        ),
    ] = True,
    goal: Annotated[
        str | None,
        typer.Option(
            "--goal",
            help="Label of a sentence with --no-glue (default: S).",
            rich_help_panel=PARSER,
        ),
    ] = None,
    max_steps: Annotated[
        int,
        typer.Option(
            "--max-steps", help="Stop a pair after this many steps.", min=1, rich_help_panel=PARSER
        ),
    ] = 10_000_000,
    max_seconds: Annotated[
        float,
        typer.Option(
            "--max-seconds",
            help="Stop a pair after this many seconds; 0: no limit.",
            min=0,
            rich_help_panel=PARSER,
        ),
    ] = 0.0,
    ci: Intervals = False,
    confidence: Confidence = None,
    resamples: Resamples = None,
    seed: Seed = None,
    human: Human = None,
    derivations: Annotated[
        str | None,
        typer.Option(
            "--derivations",
            help="Write the derivations of pairs: JSONL, or a page if it ends with .html.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    form: Form = None,
    output: Output = None,
    resume: Resume = None,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Count the sentence pairs that grammars derive, and those of each group (PARADIGM §4.1)."""
    from otherwords.diagnostics import paradigm_coverage
    from otherwords.diagnostics.paradigm_stages import Parsing, Resources
    from otherwords.report.derivation import write_derivations

    refuse_idle(folds is not None, "--folds", kind=kinds, possible=possible)
    refuse_idle(not glue, "--no-glue", goal=goal)
    refuse_idle(ci, "--ci", confidence=confidence, resamples=resamples, seed=seed)
    files, made = named_files(grammars or []), named_files(paraphrases or [])
    check_output(output, pairs, *files.values(), *made.values(), human)
    check_output(derivations, pairs, *files.values(), *made.values(), human, output)
    with counting("pairs parsed") as progress:
        result = paradigm_coverage(
            pairs,
            files,
            folds=folds,
            kinds=[kind.value for kind in kinds or []],
            parsing=Parsing(glue, given(goal, "S"), identity, pass_through, max_steps, max_seconds),
            tokenizer=tokenizer,
            case=case,
            possible=possible,
            texts=[name.strip() for name in texts.split(",")] if texts else [],
            derivations=partial(write_derivations, derivations) if derivations else None,
            paraphrases=made,
            human=human,
            interval=ci,
            confidence=given(confidence, 0.95),
            resamples=given(resamples, 1000),
            seed=given(seed, 0),
            resume=resume,
            resources=Resources(threads, memory, temporary),
            progress=progress,
        )
    show(result, form, output)
    return 0
