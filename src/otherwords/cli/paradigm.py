"""`otherwords paradigm`: paraphrase grammars against a gold grammar and sentence pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Literal

from otherwords.cli import options
from otherwords.cli.bitexts import Case, Machine, Machines, PassThrough
from otherwords.cli.extract import Kind
from otherwords.cli.options import read, running, tested, written
from otherwords.cli.output import Destination, check_output, emit_bytes
from otherwords.cli.parameters import argument, option
from otherwords.cli.parametric import group_resampling
from otherwords.cli.progress import counting

if TYPE_CHECKING:
    from otherwords.study.paradigm.stages import Resources


SystemHuman = Annotated[
    str | None,
    tested(
        "Read human scores of systems, TSV: system, score..., or a JSON object; print Spearman's "
        "rho with them.",
        "--system-human",
    ),
]
Resume = Annotated[
    str | None,
    running(
        "Keep finished work in this folder, and continue from it after an interruption.", "--resume"
    ),
]


matched = partial(option, panel="Matching")


def resources_of(
    machine: Machine | Machines, resume: str | None, progress: Callable[[int], None]
) -> Resources:
    """Return the resources that a command may use."""
    from otherwords.study.paradigm.stages import Resources

    engine = getattr(machine, "engine", None)
    limits = machine.threads, machine.memory, machine.temporary
    return Resources(*limits, engine, resume, progress)


Grammars = Annotated[
    list[str],
    argument("Grammars: Joshua, Thrax or PPDB text, .gz, or Parquet.", "[NAME=]FILE..."),
]
Gold = Annotated[str, read("Read the gold grammar, with counts.", "--gold")]
CountFeature = Annotated[
    str | None,
    matched(
        "Read counts from this feature of the gold grammar (default: count).", "--count-feature"
    ),
]


LexicalSide = Literal["source", "both"]  # The sides of a lexical rule that have one word.


def overlap_command(
    *,
    to: Destination,
    machine: Machines,
    grammars: Grammars,
    gold: Gold,
    count_feature: CountFeature = None,
    lexical: LexicalSide = matched(
        "Count a rule as lexical if its source, or both sides, are one word.",
        default="source",
    ),
    identity: bool = matched("Count rules with equal sides too."),
    system_human: SystemHuman = None,
    by_type: bool = written("Show lexical, phrasal and syntactic rules separately."),
) -> int:
    """Compare the rules of grammars with those of a gold grammar (PARADIGM §4.2)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.study.paradigm.overlap import OverlapRules, paradigm_overlap

    files = named_files(grammars)
    to.check(gold, *files.values(), system_human)
    with counting("grammars compared") as progress:
        result = paradigm_overlap(
            gold,
            files,
            rules=OverlapRules(count_feature, lexical, identity),
            by_type=by_type,
            human=system_human,
            resources=resources_of(machine, None, progress),
        )
    to.show(result)
    return 0


folded = partial(option, panel="Grammars of the pairs themselves")
parsed = partial(option, panel="Parser")


Texts = Annotated[
    str | None, read("Use the texts with these names, separated by commas.", "--texts")
]
Tokenizer = Annotated[
    str | None,
    read("Tokenize texts: auto, penn, words, none... (default: auto).", "--tokenizer"),
]
Paraphrases = Annotated[
    list[str] | None,
    read(
        "Score JSONL made with a grammar by BLEU, PRECIS and PINC; repeatable.",
        "--paraphrases",
        metavar="NAME=FILE",
    ),
]


def coverage_command(
    *,
    sampling: options.Sampling,
    to: Destination,
    machine: Machines,
    pairs: str = read("Read sentence pairs: JSONL of gold alignments or of texts, or two columns."),
    grammars: list[str] | None = argument(
        "Grammars: Joshua, Thrax or PPDB text, .gz, or Parquet.", "[NAME=]FILE..."
    ),
    texts: Texts = None,
    tokenizer: Tokenizer = None,
    case: Case = False,
    paraphrases: Paraphrases = None,
    folds: int | None = folded(
        "Split the pairs into K folds; extract each fold's grammar from the other folds "
        "(default: 10 if there are no grammars).",
        min=2,
        max=1000,
    ),
    kinds: list[Kind] | None = folded(
        "Extract this kind of grammar with --folds; repeatable (default: hiero, syntax).", "--kind"
    ),
    sure_only: bool = folded("Extract rules from sure links (default: sure and possible)."),
    pass_through: PassThrough = parsed(
        "Allow these words to pass through unchanged, by X -> w | w.", default="all"
    ),
    glue: bool = parsed(
        "Accept a sequence of constituents as a sentence.", "--glue/--no-glue", default=True
    ),
    goal: str | None = parsed(
        "Require this label for a whole sentence with --no-glue (default: S)."
    ),
    max_steps: int = parsed("Stop a pair after this many steps.", min=1, default=10_000_000),
    max_seconds: float = parsed(
        "Stop a pair after this many seconds; 0: no limit.", min=0, default=0.0
    ),
    ci: options.Intervals = False,
    system_human: SystemHuman = None,
    derivations: str | None = written("Write the derivations of pairs as JSONL."),
    resume: Resume = None,
) -> int:
    """Count the sentence pairs that grammars derive, of all pairs and by group (PARADIGM §4.1)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.study.paradigm.coverage import Folds, paradigm_coverage
    from otherwords.study.paradigm.pairs import PairsFile
    from otherwords.study.paradigm.stages import Parsing

    extracted = folds is not None or not grammars
    options.refuse_idle(extracted, "--folds", kind=kinds, sure_only=sure_only)
    options.refuse_idle(not glue, "--no-glue", goal=goal)
    options.refuse_idle(ci, "--ci", **sampling.given)
    files, phrase_files = named_files(grammars or []), named_files(paraphrases or [])
    inputs = (pairs, *files.values(), *phrase_files.values(), system_human)
    to.check(*inputs)
    check_output(derivations, *inputs, to.output)
    split = Folds(
        possible=not sure_only,
        **options.those_given(number=folds, kinds=kinds),
    )

    def write(grammars: Mapping[str, Iterable[bytes]]) -> None:
        emit_bytes(chain.from_iterable(grammars.values()), derivations)

    with counting("pairs parsed") as progress:
        result = paradigm_coverage(
            PairsFile(pairs, tokenizer, case, options.names_of(texts) or []),
            files,
            folds=split if extracted else None,
            parsing=Parsing(
                glue, options.or_default(goal, "S"), pass_through, max_steps, max_seconds
            ),
            derivations=None if derivations is None else write,
            paraphrases=phrase_files,
            human=system_human,
            resampling=group_resampling(sampling) if ci else None,
            resources=resources_of(machine, resume, progress),
        )
    to.show(result)
    return 0
