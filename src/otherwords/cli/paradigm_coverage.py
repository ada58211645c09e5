"""`otherwords paradigm coverage`: which sentence pairs grammars derive."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.bitexts import Case, Machines, Preset
from otherwords.cli.extract_grammar import Kind
from otherwords.cli.options import read, written
from otherwords.cli.output import Destination, check_output
from otherwords.cli.paradigm import Resume, SystemHuman
from otherwords.cli.parameters import Argument, Option
from otherwords.cli.progress import counting

__all__ = ["Paraphrases", "Texts", "Tokenizer", "coverage_command"]

folded = partial(Option, panel="Grammars of the pairs themselves")
parsed = partial(Option, panel="Parser")


Texts = Annotated[
    str | None, read("--texts", help="Use the texts with these names, separated by commas.")
]
Tokenizer = Annotated[
    str | None,
    read("--tokenizer", help="Tokenize texts: auto, penn, words, none... (default: auto)."),
]
Paraphrases = Annotated[
    list[str] | None,
    read(
        "--paraphrases",
        metavar="NAME=FILE",
        help="Score JSONL made with a grammar by BLEU, PRECIS and PINC; repeatable.",
    ),
]


def coverage_command(
    sampling: options.Sampling,
    to: Destination,
    machine: Machines,
    pairs: Annotated[
        str,
        read(
            "--pairs",
            help="Read sentence pairs: JSONL of gold alignments or of texts, or two columns.",
        ),
    ],
    grammars: Annotated[
        list[str] | None,
        Argument(
            metavar="[NAME=]FILE...",
            help="Grammars: Joshua, Thrax or PPDB text, .gz, Parquet or an index.",
        ),
    ] = None,
    texts: Texts = None,
    tokenizer: Tokenizer = None,
    case: Case = False,
    paraphrases: Paraphrases = None,
    preset: Preset = None,
    folds: Annotated[
        int | None,
        folded(
            "--folds",
            help="Split the pairs into K folds; extract each fold's grammar from the other folds.",
            min=2,
            max=1000,
        ),
    ] = None,
    kinds: Annotated[
        list[Kind] | None,
        folded(
            "--kind", help="Extract this kind of grammar with --folds; repeatable (default: hiero)."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        folded(
            "--labels", help="Allow these labels in syntax grammars, such as constituent,slash."
        ),
    ] = None,
    possible: Annotated[
        bool,
        folded("--possible", help="Extract rules from sure and possible links (default: sure)."),
    ] = False,
    identity: Annotated[
        bool,
        parsed("--identity", help="Add X -> w | w for every word of both sentences."),
    ] = False,
    pass_through: Annotated[
        bool,
        parsed("--pass-through", help="Add X -> w | w for words that the grammar does not have."),
    ] = False,
    glue: Annotated[
        bool,
        parsed("--glue/--no-glue", help="Accept a sequence of constituents as a sentence."),
    ] = True,
    goal: Annotated[
        str | None,
        parsed(
            "--goal", help="Require this label for a whole sentence with --no-glue (default: S)."
        ),
    ] = None,
    max_steps: Annotated[
        int,
        parsed("--max-steps", help="Stop a pair after this many steps.", min=1),
    ] = 10_000_000,
    max_seconds: Annotated[
        float,
        parsed("--max-seconds", help="Stop a pair after this many seconds; 0: no limit.", min=0),
    ] = 0.0,
    ci: options.Intervals = False,
    system_human: SystemHuman = None,
    derivations: Annotated[
        str | None,
        written(
            "--derivations",
            help="Write the derivations of pairs: JSONL, or a page if it ends with .html.",
        ),
    ] = None,
    resume: Resume = None,
) -> int:
    """Count the sentence pairs that grammars derive, of all pairs and by group (PARADIGM §4.1)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.study.diagnostics.coverage_result import paradigm_coverage
    from otherwords.study.diagnostics.paradigm_stages import Parsing, Resources
    from otherwords.study.report.derivation import write_derivations

    options.refuse_idle(
        folds is not None or preset is not None,
        "--folds",
        kind=kinds,
        possible=possible,
        labels=labels,
    )
    options.refuse_idle(not glue, "--no-glue", goal=goal)
    options.refuse_idle(ci, "--ci", **sampling.given)
    files, made = named_files(grammars or []), named_files(paraphrases or [])
    to.check(pairs, *files.values(), *made.values(), system_human)
    check_output(derivations, pairs, *files.values(), *made.values(), system_human, to.output)
    with counting("pairs parsed") as progress:
        result = paradigm_coverage(
            pairs,
            files,
            preset=preset,
            folds=folds,
            kinds=[kind.value for kind in kinds or []],
            labels=options.names_of(labels),
            parsing=Parsing(
                glue, options.given(goal, "S"), identity, pass_through, max_steps, max_seconds
            ),
            tokenizer=tokenizer,
            case=case,
            possible=possible,
            texts=options.names_of(texts) or [],
            derivations=partial(write_derivations, derivations) if derivations else None,
            paraphrases=made,
            human=system_human,
            interval=ci,
            resume=resume,
            resources=Resources(machine.threads, machine.memory, machine.temporary, machine.engine),
            progress=progress,
            **sampling.given,
        )
    to.show(result)
    return 0
