"""`otherwords paradigm overlap`: how much of a gold grammar other grammars have."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.bitexts import Machines, Preset
from otherwords.cli.options import read, written
from otherwords.cli.output import Destination
from otherwords.cli.paradigm import Resume, SystemHuman
from otherwords.cli.parameters import Argument, Option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["Above", "CountFeature", "Gold", "Grammars", "Points", "overlap_command", "swept"]

matched = partial(Option, panel="Matching")
swept = partial(Option, panel="Sweep")


Grammars = Annotated[
    list[str],
    Argument(
        metavar="[NAME=]FILE...", help="Grammars: Joshua, Thrax or PPDB text, .gz, or Parquet."
    ),
]
Gold = Annotated[str, read("--gold", help="Read the gold grammar, with counts.")]
CountFeature = Annotated[
    str | None,
    matched(
        "--count-feature",
        help="Read counts from this feature of the gold grammar (default: count).",
    ),
]
Points = Annotated[
    int | None,
    swept(
        "--points",
        help="Take this many steps in a sweep without values (default: 10).",
        min=1,
        max=1000,
    ),
]
Above = Annotated[
    bool, swept("--above", help="Add rules with the largest values first (default: the smallest).")
]


class RulesMatch(StrEnum):
    """How rules are matched: with their labels, without them, or both ways."""

    strict = "strict"
    non_strict = "non-strict"
    both = "both"


class LexicalSide(StrEnum):
    """The sides of a lexical rule that have one word."""

    source = "source"
    both = "both"


def overlap_command(
    to: Destination,
    machine: Machines,
    grammars: Grammars,
    gold: Gold,
    preset: Preset = None,
    matching: Annotated[
        RulesMatch,
        matched(
            "--matching",
            help="Match rules with labels (strict), without them (non-strict), or both ways.",
        ),
    ] = RulesMatch.both,
    min_counts: Annotated[
        list[int] | None,
        matched(
            "--min-count",
            help="Keep gold rules that occur at least this often; repeatable (default: 1 and 2).",
            min=1,
        ),
    ] = None,
    count_feature: CountFeature = None,
    lexical: Annotated[
        LexicalSide,
        matched(
            "--lexical", help="Count a rule as lexical if its source, or both sides, are one word."
        ),
    ] = LexicalSide.source,
    identity: Annotated[
        bool,
        matched("--identity/--no-identity", help="Count rules with equal sides."),
    ] = True,
    sweep: Annotated[
        str | None,
        swept(
            "--sweep",
            help="Add rules in steps by a feature: FEATURE, FEATURE=VALUE,... or "
            "FEATURE=FIRST:LAST:STEP.",
        ),
    ] = None,
    points: Points = None,
    above: Above = False,
    system_human: SystemHuman = None,
    by_type: Annotated[
        bool,
        written("--by-type", help="Show lexical, phrasal and syntactic rules separately."),
    ] = False,
    resume: Resume = None,
) -> int:
    """Compare the rules of grammars with those of a gold grammar (PARADIGM §4.2)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.study.diagnostics.overlap_result import paradigm_overlap
    from otherwords.study.diagnostics.paradigm_stages import Resources

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
            preset=preset,
            matching=matching.value,
            min_counts=min_counts,
            count_feature=count_feature,
            lexical=lexical.value,
            identity=identity,
            by_type=by_type,
            sweep=feature,
            thresholds=thresholds,
            points=options.given(points, 10),
            above=above,
            human=system_human,
            resume=resume,
            resources=Resources(machine.threads, machine.memory, machine.temporary, machine.engine),
            progress=progress,
        )
    to.show(result)
    return 0


def _sweep(text: str | None) -> tuple[str | None, list[float]]:
    """The feature of the option, and its thresholds if it has any."""
    if text is None or "=" not in text:
        return text, []
    from otherwords.scoring.choice import parse_sweep

    feature, values = parse_sweep(text)
    if not all(isinstance(value, (int, float)) for value in values):
        raise UsageError(f"the values of a sweep must be numbers: '{text}'")
    return feature, [float(value) for value in values]
