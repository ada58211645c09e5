"""`otherwords meta paper paradigm`: PARADIGM's Tables 2 to 7 and Figure 4."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.bitexts import Machine
from otherwords.cli.options import read, written
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.paradigm import Resume, SystemHuman
from otherwords.cli.paradigm_coverage import Paraphrases, Texts, Tokenizer
from otherwords.cli.paradigm_overlap import Above, CountFeature, Gold, Grammars, Points, swept
from otherwords.cli.parameters import Option
from otherwords.cli.progress import counting

__all__ = ["paradigm_paper_command"]


def paradigm_paper_command(
    to: Destination,
    machine: Machine,
    grammars: Grammars,
    gold: Gold,
    pairs: Annotated[
        str | None, read("--pairs", help="Read sentence pairs to parse (Table 6).")
    ] = None,
    texts: Texts = None,
    tokenizer: Tokenizer = None,
    paraphrases: Paraphrases = None,
    system_human: SystemHuman = None,
    count_feature: CountFeature = None,
    sweep: Annotated[
        str | None, swept("--sweep", help="Add rules in steps by this feature (Figure 4).")
    ] = None,
    figure: Annotated[
        list[str] | None,
        swept("--figure", help="Draw this grammar in Figure 4; repeatable (default: all)."),
    ] = None,
    points: Points = None,
    above: Above = False,
    max_seconds: Annotated[
        float | None,
        Option(help="Stop a pair after this many seconds (default: no limit).", min=0),
    ] = None,
    ci: options.Intervals = False,
    plot: Annotated[
        str | None, written("--plot", help="Write Figure 4 as SVG to this file.")
    ] = None,
    resume: Resume = None,
) -> int:
    """Make PARADIGM's Tables 2 to 7 and Figure 4, next to the paper's figures.

    A grammar named like a row of the paper ("MSR Hiero=FILE") is shown with that row.
    """
    from otherwords.corpus.parallel import named_files
    from otherwords.study.diagnostics.paradigm_paper import paradigm_tables
    from otherwords.study.diagnostics.paradigm_stages import Resources
    from otherwords.study.report.paper_plots import figure4_svg

    options.refuse_idle(
        sweep is not None, "--sweep", points=points, above=above, figure=figure, plot=plot
    )
    options.refuse_idle(
        pairs is not None,
        "--pairs",
        texts=texts,
        tokenizer=tokenizer,
        paraphrases=paraphrases,
        max_seconds=max_seconds,
        ci=ci,
    )
    files, made = named_files(grammars), named_files(paraphrases or [])
    read_files = (gold, *files.values(), *made.values(), pairs, system_human)
    to.check(*read_files)
    check_output(plot, *read_files, to.output)
    with counting("grammars and pairs") as progress:
        result = paradigm_tables(
            gold,
            files,
            pairs=pairs,
            texts=options.names_of(texts) or [],
            tokenizer=tokenizer,
            sweep=sweep,
            swept=figure or [],
            points=options.given(points, 10),
            above=above,
            paraphrases=made,
            human=system_human,
            max_seconds=options.given(max_seconds, 0.0),
            count_feature=count_feature,
            interval=ci,
            resume=resume,
            resources=Resources(machine.threads, machine.memory, machine.temporary),
            progress=progress,
        )
    to.show(result)
    if plot is not None:
        emit([figure4_svg(result.figure4)], plot)
    return 0
