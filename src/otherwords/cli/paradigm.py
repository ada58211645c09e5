"""`otherwords paradigm`: paraphrase grammars against a gold grammar and sentence pairs."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from otherwords.cli import options
from otherwords.cli.bitexts import Case, Machine, Machines
from otherwords.cli.extract import Kind
from otherwords.cli.options import read, running, tested, written
from otherwords.cli.output import Destination, check_output
from otherwords.cli.parameters import argument, option
from otherwords.cli.parametric import group_resampling
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.study.paradigm.stages import Resources


SystemHuman = Annotated[
    str | None,
    tested(
        "Read human scores of systems, TSV: system, score...; print Spearman's rho with them.",
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
swept = partial(option, panel="Sweep")


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
Points = Annotated[
    int | None,
    swept(
        "Take this many steps in a sweep without values (default: 10).", "--points", min=1, max=1000
    ),
]
Above = Annotated[
    bool, swept("Add rules with the largest values first (default: the smallest).", "--above")
]


class RulesMatch(StrEnum):
    """Ways to match rules: with their labels, without them, or both."""

    strict = "strict"
    non_strict = "non-strict"
    both = "both"


class LexicalSide(StrEnum):
    """The sides of a lexical rule that have one word."""

    source = "source"
    both = "both"


def overlap_command(
    *,
    to: Destination,
    machine: Machines,
    grammars: Grammars,
    gold: Gold,
    matching: RulesMatch = matched(
        "Match rules with labels (strict), without them (non-strict), or both ways.",
        default=RulesMatch.both,
    ),
    min_counts: list[int] | None = matched(
        "Keep gold rules that occur at least this often; repeatable (default: 1 and 2).",
        "--min-count",
        min=1,
    ),
    count_feature: CountFeature = None,
    lexical: LexicalSide = matched(
        "Count a rule as lexical if its source, or both sides, are one word.",
        default=LexicalSide.source,
    ),
    identity: bool = matched("Count rules with equal sides too."),
    sweep: str | None = swept(
        "Add rules in steps by a feature: FEATURE, FEATURE=VALUE,... or FEATURE=FIRST:LAST:STEP."
    ),
    points: Points = None,
    above: Above = False,
    system_human: SystemHuman = None,
    by_type: bool = written("Show lexical, phrasal and syntactic rules separately."),
    resume: Resume = None,
) -> int:
    """Compare the rules of grammars with those of a gold grammar (PARADIGM §4.2)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.study.paradigm.overlap import paradigm_overlap
    from otherwords.study.paradigm.stages import OverlapRules, Sweep

    feature, thresholds = _sweep(sweep)
    options.refuse_idle(sweep is not None, "--sweep", points=points, above=above)
    options.refuse_idle(not thresholds, "a --sweep that has no values", points=points)
    counted = not min_counts or max(min_counts) > 1
    options.refuse_idle(counted, "a --min-count above 1", count_feature=count_feature)
    files = named_files(grammars)
    to.check(gold, *files.values(), system_human)
    with counting("grammars compared") as progress:
        result = paradigm_overlap(
            gold,
            files,
            rules=OverlapRules(
                matching.value, min_counts or (), count_feature, lexical.value, identity
            ),
            sweep=None
            if feature is None
            else Sweep(feature, thresholds, options.or_default(points, 10), above),
            by_type=by_type,
            human=system_human,
            resources=resources_of(machine, resume, progress),
        )
    to.show(result)
    return 0


def _sweep(text: str | None) -> tuple[str | None, list[float]]:
    """Split the option into the feature and its thresholds, if any."""
    if text is None or "=" not in text:
        return text, []
    from otherwords.scoring.choice import parse_sweep

    feature, values = parse_sweep(text)
    if not all(isinstance(value, (int, float)) for value in values):
        raise UsageError(f"the values of a sweep must be numbers: '{text}'")
    return feature, [float(value) for value in values]


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
        "Grammars: Joshua, Thrax or PPDB text, .gz, Parquet or an index.", "[NAME=]FILE..."
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
    labels: str | None = folded(
        "Allow these labels in syntax grammars, such as constituent,slash."
    ),
    sure_only: bool = folded("Extract rules from sure links (default: sure and possible)."),
    identity: bool = parsed("Add X -> w | w for every word of both sentences."),
    pass_through: bool = parsed(
        "Add X -> w | w for words that the grammar does not have.",
        "--pass-through/--no-pass-through",
        default=True,
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
    derivations: str | None = written(
        "Write the derivations of pairs: JSONL, or a page if it ends with .html."
    ),
    resume: Resume = None,
) -> int:
    """Count the sentence pairs that grammars derive, of all pairs and by group (PARADIGM §4.1)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.study.paradigm.coverage import Folds, paradigm_coverage
    from otherwords.study.paradigm.pairs import PairsFile
    from otherwords.study.paradigm.stages import Parsing
    from otherwords.study.report.derivation import write_derivations

    extracted = folds is not None or not grammars
    options.refuse_idle(extracted, "--folds", kind=kinds, sure_only=sure_only, labels=labels)
    options.refuse_idle(not glue, "--no-glue", goal=goal)
    options.refuse_idle(ci, "--ci", **sampling.given)
    files, phrase_files = named_files(grammars or []), named_files(paraphrases or [])
    inputs = (pairs, *files.values(), *phrase_files.values(), system_human)
    to.check(*inputs)
    check_output(derivations, *inputs, to.output)
    split = Folds(
        labels=options.names_of(labels),
        possible=not sure_only,
        **options.those_given(number=folds, kinds=kinds and [kind.value for kind in kinds]),
    )
    with counting("pairs parsed") as progress:
        result = paradigm_coverage(
            PairsFile(pairs, tokenizer, case, options.names_of(texts) or []),
            files,
            folds=split if extracted else None,
            parsing=Parsing(
                glue, options.or_default(goal, "S"), identity, pass_through, max_steps, max_seconds
            ),
            derivations=partial(write_derivations, derivations) if derivations else None,
            paraphrases=phrase_files,
            human=system_human,
            resampling=group_resampling(sampling) if ci else None,
            resources=resources_of(machine, resume, progress),
        )
    to.show(result)
    return 0
