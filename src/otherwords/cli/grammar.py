"""`otherwords grammar`: look into grammars, convert, prune and pivot them."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from otherwords.cli.bitexts import (
    GrammarOutput,
    Machine,
    Machines,
    MinProbability,
    MinStep,
    PivotMachines,
    numbers_by_name,
    target,
)
from otherwords.cli.options import limit, read, refuse_idle
from otherwords.cli.output import Destination, check_output
from otherwords.cli.parameters import argument
from otherwords.errors import UsageError

File = Annotated[
    str,
    argument("Joshua, Thrax or PPDB text, plain or .gz, or Parquet.", "FILE"),
]


RuleSide = Literal["source", "target"]  # A side of a rule.


def info_command(*, to: Destination, file: File) -> int:
    """Count the rules of a grammar, by type, and show the range of each feature."""
    from otherwords.build.grammar.table import describe_file

    to.check(file)
    to.show(describe_file(file))
    return 0


def convert_command(*, file: File, to: GrammarOutput) -> int:
    """Write a grammar in another format."""
    from otherwords.build.grammar.table import convert_grammar

    check_output(to.output, file)
    with Machine().engine() as engine:
        convert_grammar(file, target(to.output), engine=engine, form=to.form)
    return 0


def prune_command(
    *,
    file: File,
    to: GrammarOutput,
    machine: Machines,
    at_least: list[str] | None = limit("Drop rules below this value: FEATURE=NUMBER; repeatable."),
    at_most: list[str] | None = limit("Drop rules above this value: FEATURE=NUMBER; repeatable."),
    labels: int | None = limit(
        "Keep at most this many rules that differ only in labels (default: all).", min=1
    ),
    top: int | None = limit(
        "Keep at most this many rules of each source side (default: all).", min=1
    ),
    rank_by: str | None = limit("Rank rules by this feature, smallest values first."),
    descending: bool = limit("Rank the largest values of --rank-by first."),
) -> int:
    """Prune rules by features, then by labels, then to the best rules of each source."""
    from otherwords.build.grammar.pruning import prune_grammar
    from otherwords.build.grammar.table import convert_grammar

    check_output(to.output, file)
    refuse_idle(top is not None or labels is not None, "--top or --labels", rank_by=rank_by)
    refuse_idle(rank_by is not None, "--rank-by", top=top, labels=labels, descending=descending)
    prune = partial(
        prune_grammar,
        at_least=numbers_by_name(at_least, "a bound"),
        at_most=numbers_by_name(at_most, "a bound"),
        labels=labels,
        top=top,
        rank_by=rank_by,
        descending=descending,
    )
    with machine.engine() as engine:
        convert_grammar(file, target(to.output), engine=engine, form=to.form, change=prune)
    return 0


def names_by_role(text: str | None) -> dict[str, str]:
    """Read ROLE=NAME,...

    >>> names_by_role("e_given_f=3,f_given_e=0")
    {'e_given_f': '3', 'f_given_e': '0'}
    """
    pairs = [part.partition("=") for part in text.split(",")] if text else []
    if not all(role and name for role, _, name in pairs):
        raise UsageError(f"features are named e_given_f=NAME,f_given_e=NAME, not '{text}'")
    return {role.strip(): name.strip() for role, _, name in pairs}


def pivot_command(
    *,
    file: File,
    to: GrammarOutput,
    machine: PivotMachines,
    foreign: RuleSide = read("Name the foreign side of the rules.", default="source"),
    min_step: MinStep = 0.0,
    min_probability: MinProbability = 0.0,
    identity: bool = limit(
        "Keep rules whose sides are the same.", "--identity/--no-identity", default=True
    ),
    features: str | None = read(
        "Name the features of p(e|f) and p(f|e), e being the target (default: e_given_f_phrase, "
        "f_given_e_phrase); those without names are 0, 1, 2...",
        metavar="e_given_f=NAME,f_given_e=NAME",
    ),
) -> int:
    """Make a paraphrase grammar from a bilingual one."""
    from otherwords.build.grammar.pivoting import pivot_grammar
    from otherwords.build.grammar.table import convert_grammar

    check_output(to.output, file)
    pivot = partial(
        pivot_grammar,
        foreign=foreign,
        min_step=min_step,
        min_probability=min_probability,
        identity=identity,
        features=names_by_role(features),
    )
    with machine.engine() as engine:
        convert_grammar(file, target(to.output), engine=engine, form=to.form, change=pivot)
    return 0
