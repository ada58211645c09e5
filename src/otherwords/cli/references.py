"""`otherwords references`: each set of references scored against the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from otherwords.cli.options import (
    AnyLanguage,
    Case,
    Confidence,
    Documents,
    MetricNames,
    Output,
    Paired,
    Resamples,
    Seed,
    Settings,
    Threads,
    Tokenizer,
    build_metrics,
    files_of,
    given,
)
from otherwords.cli.output import Format, check_output, emit
from otherwords.cli.progress import counting
from otherwords.cli.score import Certainty
from otherwords.cli.tables import Report, render
from otherwords.corpus.wmt import looks_wmt
from otherwords.errors import UsageError
from otherwords.metrics.base import Metric
from otherwords.scoring.references import (
    DEFAULT_METRIC,
    Translated,
    leave_one_out,
    read_jsonl_references,
    read_text_references,
    read_wmt_references,
)
from otherwords.scoring.scores import GIVEN
from otherwords.scoring.stream import SystemScores, evaluate, with_parts

__all__ = ["references_command"]


def references_command(
    references: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two or more files of references, a segment a line, or WMT files.",
            metavar="REF...",
        ),
    ] = None,
    metrics: MetricNames = None,
    jsonl: Annotated[
        list[str] | None, typer.Option("--jsonl", help="Rows whose references are the sets.")
    ] = None,
    docs: Documents = None,
    case: Case = None,
    tokenizer: Tokenizer = None,
    settings: Settings = None,
    segments: Annotated[
        bool, typer.Option("--segments", help="A line for every segment, without intervals.")
    ] = False,
    confidence: Confidence = None,
    paired: Annotated[
        Paired | None, typer.Option(help="Test each set against the best by the first metric.")
    ] = None,
    resamples: Resamples = None,
    seed: Seed = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Score each set of references against all the others (ParaEval's Table 4)."""
    options = {"against": "references", "case": case, "tokenizer": tokenizer}
    scorers = build_metrics(
        metrics or [DEFAULT_METRIC],
        {key: value for key, value in options.items() if value is not None},
        settings or [],
        None,
    )
    if segments and (paired or form is Format.latex):
        raise UsageError("--segments goes with text, tsv, json or jsonl, and not with --paired")
    check_output(output, *(references or []), *(jsonl or []), docs, *files_of(settings or []))
    single: list[str] = []
    rows = leave_one_out(
        _segments(references or [], jsonl or [], docs), lambda segment: single.append(segment.item)
    )
    with counting("references scored") as progress:
        scored = evaluate(
            rows, scorers, threads=threads, any_language=any_language, progress=progress
        )
    scorers, scored = with_parts(scorers, scored)
    certainty = Certainty(
        not segments,
        given(confidence, 0.95),
        paired.value if paired else None,
        given(resamples, 1000),
        given(seed, 0),
    )
    report = _report(scorers, scored, certainty)
    emit(render(report, form, segments=segments, by_metric=False), output)
    if single:
        compared = len({item for one in scored for item in one.items})
        counts = f"{len(single)} of {len(single) + compared}"
        print(f"segments with fewer than two references are left out: {counts}", file=sys.stderr)
    return 0


def _segments(references: list[str], jsonl: list[str], docs: str | None) -> Iterator[Translated]:
    if jsonl:
        if references or docs:
            raise UsageError("--jsonl rows carry everything; give no other files beside them")
        return read_jsonl_references(jsonl)
    wmt = [path for path in references if looks_wmt(path)]
    if wmt:
        if plain := [path for path in references if path not in wmt]:
            raise UsageError(f"{wmt[0]} is a WMT file but {plain[0]} is not; they cannot be paired")
        if docs:
            raise UsageError("WMT files know their documents; --docs is for plain text")
        return read_wmt_references(wmt)
    if len(references) < 2:
        raise UsageError("give two or more files of references, or --jsonl rows with several")
    return read_text_references(references, docs)


def _report(scorers: dict[str, Metric], scored: list[SystemScores], certainty: Certainty) -> Report:
    best = _best(scored, *next(iter(scorers.items())))
    return Report(
        scorers,
        scored,
        {
            (one.system, label): certainty.cell(label, metric, one, best)
            for one in scored
            for label, metric in scorers.items()
        },
        {},
        best.system if certainty.test else None,
        (GIVEN if any(one.annotated for one in scored) else "")
        + certainty.signature(any(one.docs for one in scored)),
        unit="reference",
    )


def _best(scored: list[SystemScores], label: str, metric: Metric) -> SystemScores:
    sign = 1 if metric.traits.higher_is_better else -1
    return max(scored, key=lambda one: sign * metric.aggregate(one.statistics[label]))
