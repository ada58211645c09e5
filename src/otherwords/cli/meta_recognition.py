"""`otherwords meta recognition`: which metric separates paraphrases from other pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting

__all__ = ["recognition_command"]


def recognition_command(
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: Annotated[
        str | None,
        options.read(help="Read the labels 0 and 1 from this human score (default: the only one)."),
    ] = None,
    positive: Annotated[
        float | None,
        options.read(
            help="Count human scores of at least this value as 1 (default: all are 0 or 1)."
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        options.tested(
            help="Count pairs with at least this score as paraphrases (default: the best "
            "threshold of the other items)."
        ),
    ] = None,
    ci: options.Intervals = False,
) -> int:
    """Print how well metrics recognise paraphrases: AUC, and F1 at a threshold.

    Default metrics: pem-adequacy, maxsim, bleu, chrf. Rows without references are compared with
    their source.
    """
    from otherwords.study.agreement.recognizing import DEFAULT, recognition

    to.check(*(judged.jsonl or []), *choice.files)
    options.refuse_idle(ci, "--ci", **sampling.given)
    rows = judged.read()
    if choice.against is None and not any(row.references for row in rows):
        choice = replace(choice, against=options.Against.source)
    scorers = choice.build([",".join(DEFAULT)])
    with counting("segments scored") as progress:
        found = recognition(
            rows,
            scorers,
            human,
            threshold=threshold,
            positive=positive,
            resampling=sampling.resampling() if ci else None,
            progress=progress,
            **judged.how(controls=False),
        )
    to.show(found)
    return 0
