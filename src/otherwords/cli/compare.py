"""`otherwords compare`: systems side by side, without human scores."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.errors import UsageError, near


def compare_command(
    *,
    texts: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    sampling: options.Sampling,
    to: Destination,
    systems: list[str] | None = argument(
        "System outputs, one segment per line: FILE or NAME=FILE; with --rows the names "
        "of systems. Two are compared with each other, more with the baseline.",
        "A B...",
    ),
    baseline: str | None = options.tested(
        "Compare with this system (default: the first, if there are more than two)."
    ),
    correction: options.CorrectionName = None,
    examples_by: str | None = options.written(
        "Choose examples by this metric (default: the first of -m)."
    ),
    examples: int = options.written(
        "Show this many examples in each direction, and twice as many n-grams.",
        min=0,
        max=1000,
        default=5,
    ),
    html: str | None = options.written("Write a page with drawn explanations."),
    everything: bool = options.written(
        "Print lengths, words, n-grams and explanations of examples too; data formats have all.",
        "--all",
    ),
    threads: options.Threads = 1,
) -> int:
    """Compare systems: scores, lengths, words, n-grams and examples, with significance.

    Example: otherwords compare -r reference.txt old.txt new.txt

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.scoring.compare import compare, select_systems

    names, files = (systems or [], []) if texts.jsonl else ([], systems or [])
    inputs = [*options.paths_of(files), *texts.files, *choice.files, *others.files]
    to.check(*inputs)
    check_output(html, *inputs)
    if html is not None and html == to.output:
        raise UsageError(f"{html} is both --html and --output; give one of them another name")
    if not texts.jsonl and len(files) < 2:
        one = f"; {files[0]} is one: give another, or rows with --rows {files[0]}" if files else ""
        raise UsageError(f"compare needs at least two systems{one}")
    first, rows = texts.rows(files)
    metrics, rows = others.add(choice.build(first, defaults=not others.scores), rows)
    if examples_by is not None and examples_by not in metrics:
        raise UsageError(f"--examples-by is one of the metrics; {near(examples_by, metrics)}")
    chosen = select_systems(rows, [*names, *([baseline] if names and baseline else [])])
    with counting("segments scored", total=sum(map(len, chosen.values()))) as progress:
        result = compare(
            metrics,
            chosen,
            baseline=baseline,
            sampling=sampling.sampling(correction=correction),
            threads=threads,
            any_language=texts.any_language,
            progress=progress,
        ).with_examples(
            by=examples_by,
            shown=examples,
            tokenizer=choice.tokenizer or "penn",
            detailed=everything,
        )
    if html is not None:
        from otherwords.study.report.comparison import page

        emit([page(result)], html)
    to.show(result)
    return 0
