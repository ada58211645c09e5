"""`otherwords meta paper pem`: PEM's Tables 1-3 on a judged set."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["pem_command"]


def pem_command(
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: Annotated[
        str,
        options.read(
            help="Read the overall human score from this field (default: overall).",
            show_default=False,
        ),
    ] = "overall",
    criteria: Annotated[
        str | None,
        options.read(
            help="Show these criteria in Table 2, separated by commas (default: adequacy, "
            "fluency, dissimilarity, then all others of the rows)."
        ),
    ] = None,
    restrict: Annotated[
        str,
        options.read(
            help="Add a last line to Table 2 for rows where other criteria are high, on the "
            "scale 1-5; or none (default: dissimilarity:adequacy>=4,fluency>=4).",
            show_default=False,
        ),
    ] = "dissimilarity:adequacy>=4,fluency>=4",
    scale: Annotated[
        list[str] | None,
        options.read(
            metavar="[CRITERION=]LOW:HIGH",
            help="Read the human scores on this scale (default: 1:5); repeatable.",
        ),
    ] = None,
    control_scale: Annotated[
        str,
        options.read(
            metavar="LOW:HIGH",
            help="Read the scores of controls on this scale (default: 1:5).",
            show_default=False,
        ),
    ] = "1:5",
    protocol: Annotated[
        bool,
        options.read(
            "--protocol",
            help="Repeat the paper's experiment: add controls, train PEM on the first two thirds "
            "of the originals, test it on the rest; --set is for its features.",
        ),
    ] = False,
    ci: options.Intervals = False,
    plots: Annotated[
        str | None, options.written(help="Write Figures 3, 4 and 5 as SVG into this folder.")
    ] = None,
) -> int:
    """Make PEM's tables: Pearson between judges, of criteria, of metrics.

    Without metrics (the default) there is no Table 3, unless --protocol makes it.
    """
    from otherwords.metrics.pem_paper import PaperFeatures
    from otherwords.scoring.choice import parse_settings
    from otherwords.study.agreement.judged import parse_scale
    from otherwords.study.papers.pem import parse_restriction, pem_tables
    from otherwords.study.report.paper_plots import pem_plots
    from otherwords.study.report.report_page import check_folders, write_plots
    from otherwords.study.training.protocol import pem_protocol

    to.check(*(judged.jsonl or []), *choice.files)
    options.refuse_idle(ci, "--ci", confidence=sampling.confidence, resamples=sampling.resamples)
    options.refuse_idle(ci or protocol, "--ci or --protocol", seed=sampling.seed)
    if protocol and (judged.controls is not None or control_scale != "1:5"):
        raise UsageError("--protocol makes the controls itself, on the scale of 1:5")
    check_folders(plots, "svg", None)
    resampling = sampling.resampling()
    features = choice.settings or []
    scorers = (replace(choice, settings=None) if protocol else choice).build([])
    scales = dict(parse_scale(one) for one in scale or [])
    every = scales.pop("", None)
    shared: dict[str, Any] = {
        "criteria": options.names_of(criteria),
        "restriction": parse_restriction(restrict),
        "scales": scales,
        "scale": every,
        "resampling": resampling if ci else None,
        "threads": judged.threads,
        "any_language": judged.any_language,
    }
    rows = judged.read()
    with counting("segments scored") as progress:
        if protocol:
            found = pem_protocol(
                rows,
                scorers,
                human,
                settings=parse_settings(features, (*PaperFeatures.OPTIONS, "model")),
                seed=resampling.seed,
                progress=progress,
                **shared,
            )
        else:
            found = pem_tables(
                rows,
                scorers,
                human,
                control_scale=parse_scale(control_scale)[1],
                controls=options.given(judged.controls, True),
                progress=progress,
                **shared,
            )
    if plots is not None:
        write_plots(pem_plots(found), plots)
    to.show(found)
    return 0
