"""`otherwords references`: each set of references scored against the others."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.errors import UsageError


def references_command(
    *,
    choice: options.MetricNames,
    sampling: options.Sampling,
    to: Destination,
    references: list[str] | None = argument(
        "Two or more files of references, one segment per line: FILE or NAME=FILE; or WMT files.",
        "REF...",
    ),
    jsonl: options.Rows = None,
    columns: options.ColumnNames = None,
    docs: options.Documents = None,
    any_language: options.AnyLanguage = False,
    paired: options.Paired | None = options.tested(
        "Test each set against the best by the first metric."
    ),
    segments: bool = options.written("Print the score of each segment."),
    threads: options.Threads = 1,
) -> int:
    """Score each set of references against all the others (ParaEval's Table 4).

    Default metric: paraeval-p.
    """
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.parallel import split_name
    from otherwords.study.agreement.references import (
        DEFAULT_METRIC,
        read_references,
        score_references,
    )

    files = [split_name(reference)[1] for reference in references or []]
    to.check(*files, *(jsonl or []), docs, *choice.files)
    if segments and paired:
        raise UsageError("--paired does nothing with --segments")
    idle = "intervals, which --segments leaves out"
    options.refuse_idle(not segments, idle, **sampling.given, docs=docs)
    scorers = choice.build([DEFAULT_METRIC], against="references")
    rows = read_references(references or [], jsonl or [], docs, parse_columns(columns))
    with counting("references scored") as progress:
        result = score_references(
            rows,
            scorers,
            sampling=None if segments else sampling.sampling(paired),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    to.show(result.by_segment() if segments else result)
    return 0
