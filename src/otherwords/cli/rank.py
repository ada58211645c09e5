"""`otherwords rank`: order the candidates of each source, best first."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting


def rank_command(
    *,
    file: str = argument(
        "Rows, or sources with candidates: JSONL, JSON, CSV, TSV or Parquet; - is standard input.",
        "FILE",
    ),
    choice: options.MetricChoice,
    to: Destination,
    columns: options.ColumnNames = None,
    top: int | None = options.written("Keep the best K of each source.", metavar="K"),
    no_contradictions: bool = options.written(
        "Drop candidates that say something else than the source."
    ),
    strictness: options.Strictness | None = options.written(options.STRICTNESS_HELP),
    any_language: options.AnyLanguage = False,
    threads: options.Threads = 1,
) -> int:
    """Rank the candidate paraphrases of each source by a metric, best first.

    Example: otherwords rank candidates.jsonl --top 1

    Default metric: otherwords-rewrite.
    """
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.inputs import read_candidates
    from otherwords.scoring.rank import rank

    to.check(file, *choice.files)
    contradictions = strictness or no_contradictions
    metric = choice.build_one("otherwords-rewrite", "rank")
    with counting("candidates scored", streamed=to.output is None) as progress:
        result = rank(
            read_candidates(file, columns=parse_columns(columns)),
            metric,
            top=top,
            no_contradictions=contradictions,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
        to.show(result)
    return 0
