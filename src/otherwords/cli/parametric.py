"""`otherwords parametric`: paraphrasers scored against alignments by hand."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.options import Output, Paired, named_files
from otherwords.cli.output import Format, check_output, emit
from otherwords.cli.progress import counting
from otherwords.errors import UsageError, near
from otherwords.io.files import STDIN

if TYPE_CHECKING:
    from otherwords.cli.parametric_tables import Part
    from otherwords.diagnostics import ParaMetric, Resampling, Scored, System

__all__ = ["parametric_command"]


class By(StrEnum):
    """What the scores are shown for one by one."""

    domain = "domain"
    length = "length"


def parametric_command(
    gold: Annotated[
        str, typer.Option("--gold", help="JSONL: source, target, sure, possible, group, domain.")
    ],
    alignments: Annotated[
        list[str] | None,
        typer.Option(
            "--alignments",
            metavar="[NAME=]FILE",
            help="A system's links i-j, a line a row of the gold file; may be repeated.",
        ),
    ] = None,
    tables: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="[NAME=]FILE",
            help="A system's paraphrases: TSV, Moses, PPDB, METEOR or Parquet; may be repeated.",
        ),
    ] = None,
    max_length: Annotated[
        int, typer.Option("--max-length", help="Words of a phrase.", min=1, max=20)
    ] = 5,
    by: Annotated[
        list[By] | None, typer.Option("--by", help="Show each domain, or each length, as well.")
    ] = None,
    possible: Annotated[
        bool, typer.Option("--possible", help="Phrase pairs of sure and possible gold links.")
    ] = False,
    own_lists: Annotated[
        bool,
        typer.Option("--own-lists", help="Systems without a table: list what they align."),
    ] = False,
    min_probability: Annotated[
        float, typer.Option("--min-probability", help="Of a table's paraphrase.", min=0, max=1)
    ] = 0.01,
    case: Annotated[bool, typer.Option("--case", help="Keep case; else it is folded.")] = False,
    gold_base: Annotated[
        int, typer.Option("--gold-base", help="Gold positions count from 0 or 1.", min=0, max=1)
    ] = 0,
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    paired: Annotated[
        Paired | None, typer.Option(help="Test each system against the baseline.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Name of the baseline system (default: the first).")
    ] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples, or trials.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resampling.")] = 0,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
) -> int:
    """Score paraphrasers against alignments by hand (ParaMetric)."""
    from otherwords.bitext.gold import read_gold
    from otherwords.cli.parametric_tables import Findings, render
    from otherwords.diagnostics import ParaMetric, Resampling

    if baseline is not None and paired is None:
        raise UsageError("--baseline goes with --paired")
    aligned, listed = named_files(alignments or []), named_files(tables or [])
    names = list(dict.fromkeys([*aligned, *listed]))
    if not names:
        raise UsageError("no system is given: --alignments or --table, or both")
    if baseline is not None and baseline not in names:
        raise UsageError(f"there is no system '{baseline}'; {near(baseline, names)}")
    files = [gold, *aligned.values(), *listed.values()]
    if files.count(STDIN) > 1:
        raise UsageError("standard input can be read only once")
    check_output(output, *files)
    how = Resampling(resamples, confidence, seed, paired.value if paired else None)
    rows = read_gold(gold, gold_base)
    scorer = ParaMetric(rows, max_length=max_length, possible=possible, case=case)
    domains = _domains(scorer, by or [])
    with counting("systems scored") as progress:
        scored = []
        for name in names:
            system = _system(
                name, aligned.get(name), listed.get(name), scorer, gold, min_probability
            )
            scored.append(scorer.score(system, own_lists=own_lists))
            progress(1)
    first = scored[names.index(baseline)] if baseline is not None else scored[0]
    parts = [
        _part(one, scorer, domain, places, how, first)
        for domain, places in domains.items()
        for one in scored
    ]
    settings = [f"minp:{min_probability:g}"] if listed else []
    settings += ["lists:own"] if own_lists else []
    found = Findings(
        parts,
        "|".join([scorer.signature, *settings, how.signature]),
        confidence,
        first.name if paired else None,
        By.length in (by or []),
        len(rows),
    )
    emit(render(found, form), output)
    return 0


def _system(
    name: str,
    links: str | None,
    table: str | None,
    scorer: ParaMetric,
    gold: str,
    min_probability: float,
) -> System:
    from otherwords.diagnostics import System, read_alignments, read_paraphrases

    return System(
        name,
        None if links is None else read_alignments(links, scorer.gold, gold),
        None
        if table is None
        else read_paraphrases(
            table, scorer.phrases, min_probability=min_probability, case=scorer.case
        ),
    )


def _domains(scorer: ParaMetric, by: Sequence[By]) -> dict[str, list[int]]:
    """The groups of all domains together and, if asked for, of each."""
    found = {"all": list(range(len(scorer.groups)))}
    if By.domain not in by:
        return found
    if all(group.domain is None for group in scorer.groups):
        raise UsageError("--by domain: no row of the gold file has a domain")
    for number, group in enumerate(scorer.groups):
        found.setdefault(f"domain {group.domain or '(none)'}", []).append(number)
    return found


def _part(
    scored: Scored,
    scorer: ParaMetric,
    domain: str,
    places: list[int],
    how: Resampling,
    baseline: Scored,
) -> Part:
    from otherwords.cli.parametric_tables import Part
    from otherwords.diagnostics import estimates

    against = baseline if how.test is not None and baseline is not scored else None
    made = estimates(scored, scorer.groups, how, baseline=against, chosen=places)
    name = domain.removeprefix("domain ")
    return Part(scored.name, name, len(places), made, scored.counted(places))
