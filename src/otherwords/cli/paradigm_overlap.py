"""`otherwords paradigm overlap`: how much of a gold grammar other grammars have."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.bitexts import Memory, Temporary, Threads
from otherwords.cli.options import Output, named_files, parse_sweep
from otherwords.cli.output import Format, check_output, emit
from otherwords.cli.paradigm import Grammars, Human, Resume, grammar_files, work_folder
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["overlap_command"]


class Equal(StrEnum):
    """When two rules are the same."""

    strict = "strict"
    non_strict = "non-strict"
    both = "both"


class Lexical(StrEnum):
    """What a lexical rule has one word on."""

    source = "source"
    both = "both"


def overlap_command(
    grammars: Grammars,
    gold: Annotated[str, typer.Option("--gold", help="The gold grammar, with counts.")],
    equal: Annotated[
        Equal, typer.Option("--matching", help="With labels, without them, or both ways.")
    ] = Equal.both,
    min_counts: Annotated[
        list[int] | None,
        typer.Option(
            "--min-count", help="Gold rules seen so often; may be repeated; 1 and 2.", min=1
        ),
    ] = None,
    count_feature: Annotated[
        str, typer.Option("--count-feature", help="The feature of the gold grammar that counts.")
    ] = "count",
    lexical: Annotated[
        Lexical, typer.Option("--lexical", help="One word on the source, or on both sides.")
    ] = Lexical.source,
    identity: Annotated[
        bool,
        typer.Option("--identity/--no-identity", help="Count rules whose sides are the same."),
    ] = True,
    by_type: Annotated[
        bool, typer.Option("--by-type", help="Show lexical, phrasal and syntactic rules too.")
    ] = False,
    sweep: Annotated[
        str | None,
        typer.Option(
            "--sweep",
            help="FEATURE, FEATURE=value,... or FEATURE=first:last:step: ever more rules.",
        ),
    ] = None,
    points: Annotated[
        int, typer.Option("--points", help="Steps of a sweep without values.", min=1, max=1000)
    ] = 10,
    above: Annotated[
        bool, typer.Option("--above", help="The best rules have the largest values.")
    ] = False,
    human: Human = None,
    resume: Resume = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Compare the rules of grammars with those of a gold grammar (PARADIGM §4.2)."""
    from otherwords.cli.paradigm_overlap_tables import OverlapFindings, render
    from otherwords.diagnostics.paradigm_stages import OverlapWork, Resources
    from otherwords.diagnostics.table7 import read_human
    from otherwords.grammar import grammar_of

    files = named_files(grammars)
    grammar_files({"": gold, **files})
    check_output(output, gold, *files.values(), human)
    feature, thresholds = _sweep(sweep)
    people = read_human(human, list(files)) if human is not None else {}
    strict = {Equal.both: (True, False), Equal.strict: (True,), Equal.non_strict: (False,)}[equal]
    resources = Resources(threads, memory, temporary)
    with (
        work_folder(resume) as cache,
        resources.engine() as engine,
        counting("grammars compared") as progress,
    ):
        known = grammar_of(gold, engine.folder)
        has_counts = count_feature in known.features
        work = OverlapWork(
            cache,
            str(known.path),
            strict,
            sorted(set(min_counts or ([1, 2] if has_counts else [1]))),
            count_feature,
            lexical.value,
            identity,
            feature,
            thresholds,
            points,
            above,
            resources,
        )
        found = {name: work.grammar(file, progress) for name, file in files.items()}
    settings = f"lexical:{lexical.value}|identity:{'yes' if identity else 'no'}"
    settings += f"|count:{count_feature}"
    settings += "" if feature is None else f"|sweep:{feature}|best:{'most' if above else 'least'}"
    emit(render(OverlapFindings(found, settings, by_type, feature, people), form), output)
    return 0


def _sweep(text: str | None) -> tuple[str | None, list[float]]:
    """The feature, and the thresholds if there are any."""
    if text is None:
        return None, []
    if "=" not in text:
        return text, []
    feature, values = parse_sweep(text)
    if not all(isinstance(value, (int, float)) for value in values):
        raise UsageError(f"a sweep goes over numbers: '{text}'")
    return feature, [float(value) for value in values]
