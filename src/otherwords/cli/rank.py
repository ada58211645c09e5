"""`otherwords rank`: sources with candidates in, the candidates best first out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.parameters import Argument
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["rank_command"]


def rank_command(
    file: Annotated[
        str,
        Argument(
            metavar="FILE",
            help="Rows, or sources with candidates: JSONL, JSON, CSV, TSV or Parquet; - is "
            "standard input.",
        ),
    ],
    choice: options.MetricChoice,
    to: Destination,
    columns: options.ColumnNames = None,
    top: Annotated[
        int | None, options.written(help="Keep the best K of each source.", metavar="K")
    ] = None,
    findings: Annotated[
        bool,
        options.written(
            "--findings",
            help="Show the contradicted, missing and added shares of content.",
        ),
    ] = False,
    no_contradictions: Annotated[
        bool,
        options.written("--no-contradictions", help="Drop candidates that contradict the source."),
    ] = False,
    detector: Annotated[
        options.Detector | None,
        options.written(
            help="Find contradictions by facts, by the pair model, or by either (default: facts)."
        ),
    ] = None,
    detector_encoder: Annotated[
        str | None,
        options.written(
            "--detector-encoder", help="Use these weights for the pair model: auto, or a folder."
        ),
    ] = None,
    any_language: options.AnyLanguage = False,
    threads: options.Threads = 1,
) -> int:
    """Rank the candidate paraphrases of each source by a metric (default: pem), best first."""
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.inputs import read_candidates
    from otherwords.scoring.ranking import RankingResult, rankings

    to.check(file, *choice.files)
    options.refuse_idle(no_contradictions, "--no-contradictions", detector=detector)
    scorers = choice.build(["otherwords-rewrite"])
    if len(scorers) > 1:
        raise UsageError(f"rank takes one metric; -m names {len(scorers)}")
    [scorer] = scorers.values()
    with counting("candidates scored", streamed=to.output is None) as progress:
        found = rankings(
            read_candidates(file, columns=parse_columns(columns)),
            scorer,
            top=top,
            findings=findings,
            no_contradictions=no_contradictions,
            detector=options.given(detector, "facts"),
            detector_encoder=detector_encoder,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
        to.show(RankingResult(found, scorer, findings))
    return 0
