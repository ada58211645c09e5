"""`otherwords compare`: systems side by side, without human scores."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.parameters import Argument
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["compare_command"]


def compare_command(
    texts: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    sampling: options.Sampling,
    to: Destination,
    systems: Annotated[
        list[str] | None,
        Argument(
            help="System outputs, one segment per line: FILE or NAME=FILE; with --rows the names "
            "of systems. Two are compared with each other, more with the baseline.",
            metavar="A B...",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        options.tested(
            help="Compare with this system (default: the first, if there are more than two)."
        ),
    ] = None,
    examples_by: Annotated[
        str | None,
        options.written(help="Choose examples by this metric (default: the first of -m)."),
    ] = None,
    examples: Annotated[
        int,
        options.written(
            help="Show this many examples in each direction, and twice as many n-grams.",
            min=0,
            max=1000,
        ),
    ] = 5,
    html: Annotated[
        str | None, options.written("--html", help="Write a page with drawn explanations.")
    ] = None,
    threads: options.Threads = 1,
) -> int:
    """Compare systems: scores, lengths, words, n-grams and examples, with significance.

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.corpus.parallel import split_name
    from otherwords.scoring.comparison.pairs import pair_with_baseline
    from otherwords.scoring.comparison.systems import compare_with_baseline

    names, files = (systems or [], []) if texts.jsonl else ([], systems or [])
    inputs = [*(split_name(file)[1] for file in files), *texts.files, *choice.files, *others.files]
    to.check(*inputs)
    check_output(html, *inputs)
    if html is not None and html == to.output:
        raise UsageError(f"{html} is both --html and --output; give one of them another name")
    if not texts.jsonl and len(files) < 2:
        raise UsageError(
            f"compare needs at least two systems, not {len(files)}; `otherwords score` takes one"
        )
    resampling = sampling.resampling()
    first, rows = texts.rows(files)
    scorers, rows = others.add(choice.build(first, defaults=not others.scores), rows)
    if examples_by is None and not choice.metrics and "maxsim" in scorers:
        examples_by = "maxsim"  # of the default metrics the one whose explanations show matches
    pairs = pair_with_baseline(rows, names, baseline)
    with counting("segments scored") as progress:
        several = compare_with_baseline(
            pairs,
            scorers,
            resampling=resampling,
            by=examples_by,
            shown=examples,
            tokenizer=choice.tokenizer or "penn",
            threads=threads,
            any_language=texts.any_language,
            progress=progress,
        )
    if html is not None:
        from otherwords.study.report.comparison import page

        emit([page(several)], html)
    to.show(several if len(pairs) > 1 else several.comparisons[0])
    return 0
