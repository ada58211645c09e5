"""`otherwords.score`: texts or rows in, the scores of systems by metrics out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from otherwords.corpus.records import is_frame
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Metric
from otherwords.metrics.inputs import kept
from otherwords.scoring.choice import Metrics, make_metrics
from otherwords.scoring.results import Result, Results
from otherwords.scoring.stream import evaluate, number_repeats
from otherwords.text.sentence import Text

if TYPE_CHECKING:
    from otherwords.scoring.sampling import Sampling


Progress = Callable[[int], None]  # takes the number of rows done since the last call


@overload
def score(
    metric: str | Metric,
    hypotheses: Any,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    sampling: Sampling | None = None,
    baseline: str | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Result: ...
@overload
def score(
    metric: Metrics,
    hypotheses: Any,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    sampling: Sampling | None = None,
    baseline: str | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Results: ...
def score(
    metric: Metrics,
    hypotheses: Any,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    *,
    sampling: Sampling | None = None,
    baseline: str | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Result | Results:
    """Score hypotheses with a metric, or with each of several metrics.

    All rows are scored. `result.problems` lists those whose output is no rewrite, or that have a
    text that a metric cannot read.

    Parameters
    ----------
    metric
        A name or a `Metric`; or several, as a list or as a mapping of your own labels.
    hypotheses
        A list of texts. Or rows, which have their references and sources: an iterable of `Row`, a
        DataFrame (pandas, Polars, DuckDB, Arrow), a mapping of columns. A stream of rows is scored
        in bounded memory; rows of a list are kept for explanations.
    references
        `references[i]` is the reference of hypothesis i, or a list of several.
    sources
        `sources[i]` is the source of hypothesis i.
    sampling
        Adds bootstrap intervals and paired tests.
    baseline
        The system that paired tests compare with (default: the first).
    threads
        Threads to run.
    any_language
        Do not check that the text is English for metrics that need English.
    progress
        Called with the number of segments that were scored since the last call.
    **options
        Options of the metrics; each goes to the metrics that have it.

    >>> result = score("maxsim", ["A boy bought a car."], references=["A boy bought the car."])
    >>> round(result.corpus, 3), result.segments.shape
    (0.888, (1,))
    >>> both = score(["maxsim", "chrf"], ["A boy left."], references=[["A boy left.", "He left."]])
    >>> {name: round(result.corpus, 2) for name, result in both.items()}
    {'maxsim': 0.58, 'chrf': 100.0}
    >>> rows = [Row("a cat sat", ("the cat sat",)), Row("a dog ran", ("a dog ran",))]
    >>> round(score("mup", rows).corpus, 3)  # 5 of 6 words
    0.833
    """
    if "source" in options:
        raise UsageError("the sources are given as sources=[...], one per segment, not as source=")
    threads = check_whole("threads", threads, 1, 1024)
    if sampling is not None:
        from otherwords.scoring.sampling import check_sampling

        check_sampling(sampling)
    metrics = make_metrics(metric, options)
    references, sources = kept(references), kept(sources)
    if isinstance(hypotheses, Iterator) and not is_frame(hypotheses):
        first = list(islice(hypotheses, 1))
        rest = chain(first, hypotheses)
        hypotheses = rest if first and isinstance(first[0], Row) else list(rest)
    rows = _find_rows(hypotheses, references, sources)
    if rows is None:
        rows = text_rows(metrics, hypotheses, references, sources)
    systems = evaluate(
        number_repeats(rows),
        metrics,
        threads=threads,
        any_language=any_language,
        find_problems=True,
        keep=isinstance(rows, Sequence),
        progress=progress or (lambda done: None),
    )
    names = [system.system for system in systems]
    if baseline is not None and baseline not in names:
        hint = near(baseline, names)
        raise UsageError(f"there is no system '{baseline}' to be the baseline; {hint}")
    if sampling is not None and sampling.test is not None and len(systems) == 1:
        raise UsageError(f"a paired test needs two systems; there is only {names[0]}")
    index = getattr(hypotheses, "index", None)
    index = None if callable(index) else index  # that of pandas, not the method of a list
    results = Results(metrics, systems, sampling, baseline, index=index)
    return Result(next(iter(metrics)), results) if isinstance(metric, (str, Metric)) else results


def _find_rows(hypotheses: Any, references: Any, sources: Any) -> Iterable[Row] | None:
    """The rows, if the input is rows or a table; `None` if it is texts."""
    alone = references is None and sources is None
    if alone and (isinstance(hypotheses, (Mapping, Path)) or is_frame(hypotheses)):
        from otherwords.corpus.inputs import read_rows

        return read_rows(hypotheses)
    if isinstance(hypotheses, Iterator) or (
        isinstance(hypotheses, (list, tuple)) and hypotheses and isinstance(hypotheses[0], Row)
    ):
        if alone:
            return hypotheses
        raise UsageError("rows have their own references and sources; give no others with them")
    return None


def text_rows(
    metrics: Mapping[str, Metric],
    hypotheses: Any,
    references: Any,
    sources: Any,
    system: str = "hypotheses",
) -> list[Row]:
    """Texts as rows, after every metric has checked that it has what it compares with."""
    compared: Sequence[tuple[Text, ...]] | None = None
    for metric in metrics.values():
        checked = metric.check(hypotheses, references, sources)
        if metric.against == "references":
            compared = checked.targets
    targets = compared or [()] * len(checked.hypotheses)
    texts = zip(checked.hypotheses, targets, checked.sources, strict=True)
    return [Row(*text, system, str(place)) for place, text in enumerate(texts)]
