"""`otherwords score`: system outputs and references in, a table of scores out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from otherwords.cli.options import (
    BASELINES,
    Against,
    AnyLanguage,
    Case,
    Confidence,
    Documents,
    MetricNames,
    Output,
    Paired,
    ReferenceFiles,
    Resamples,
    Seed,
    Settings,
    SourceFile,
    Threads,
    Tokenizer,
    build_metrics,
    common_options,
    files_of,
    given,
)
from otherwords.cli.output import Format, emit
from otherwords.cli.progress import counting
from otherwords.cli.tables import Cell, Report, render, render_explanations
from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.parallel import read_parallel
from otherwords.corpus.rows import Row
from otherwords.corpus.wmt import looks_wmt, read_wmt
from otherwords.corpus.wmt import rows as wmt_rows
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Explanation, Metric
from otherwords.scoring.agreement import pearson_over
from otherwords.scoring.scores import GIVEN
from otherwords.scoring.stream import (
    SystemScores,
    evaluate,
    explain_row,
    shared_segments,
    with_parts,
)
from otherwords.stats.intervals import interval
from otherwords.stats.paired import Test, compare

__all__ = ["rows_of", "score_command"]


@dataclass(frozen=True)
class Certainty:
    """What was asked for beside the bare scores."""

    ci: bool
    confidence: float
    test: Test | None
    resamples: int
    seed: int

    def signature(self, by_document: bool) -> str:
        """What intervals and tests depend on beside the scores."""
        parts = [f"|bs:{self.resamples}|conf:{self.confidence:g}"] if self.ci else []
        if self.test:
            name = "ar" if self.test == "randomization" else "paired-bs"
            parts.append(f"|{name}:{self.resamples}")
        parts += [f"|seed:{self.seed}"] if parts else []
        return "".join(parts) + ("|by:doc" if parts and by_document else "")

    def cell(
        self, label: str, metric: Metric, system: SystemScores, baseline: SystemScores
    ) -> Cell:
        """A system's score by a metric, with its interval and its test against the baseline."""
        statistics = system.statistics[label]
        around = compared = None
        if self.ci:
            around = interval(
                metric.from_sums,
                statistics,
                confidence=self.confidence,
                resamples=self.resamples,
                seed=self.seed,
                docs=system.docs,
            )
        if self.test and baseline is not system:
            mine, theirs = shared_segments(system, baseline)
            compared = compare(
                metric.from_sums,
                statistics[mine],
                baseline.statistics[label][theirs],
                test=self.test,
                trials=self.resamples,
                seed=self.seed,
                docs=None if system.docs is None else [system.docs[row] for row in mine],
            )
        return Cell(metric.aggregate(statistics), around, compared)


def score_command(
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            help="System outputs, a segment a line; - is standard input.", metavar="SYSTEM..."
        ),
    ] = None,
    metrics: MetricNames = None,
    references: ReferenceFiles = None,
    source: SourceFile = None,
    jsonl: Annotated[
        list[str] | None,
        typer.Option("--jsonl", help="Rows with hypothesis, references, source, system, human."),
    ] = None,
    docs: Documents = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help=f"Show {', '.join(BASELINES)} as well.")
    ] = False,
    against: Annotated[
        Against | None, typer.Option(help="Compare with these, whatever the metric's habit.")
    ] = None,
    case: Case = None,
    tokenizer: Tokenizer = None,
    annotator: Annotated[str | None, typer.Option(help="embedded, or spacy[:MODEL].")] = None,
    settings: Settings = None,
    sweep: Annotated[
        str | None,
        typer.Option(help="option=first:last:step, as in alpha=0:1:0.05, or option=value,..."),
    ] = None,
    segments: Annotated[bool, typer.Option("--segments", help="A line for every segment.")] = False,
    ci: Annotated[bool, typer.Option("--ci", help="Bootstrap intervals.")] = False,
    confidence: Confidence = None,
    paired: Annotated[
        Paired | None, typer.Option(help="Test each system against the baseline.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Name of the baseline system (default: the first).")
    ] = None,
    resamples: Resamples = None,
    seed: Seed = None,
    explain: Annotated[
        int | None, typer.Option(help="Explain the scores of segment N (from 1).", metavar="N")
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Score system outputs, one or many, with one or many metrics."""
    common = common_options(
        against=against.value if against else None,
        case=case,
        tokenizer=tokenizer,
        annotator=annotator,
    )
    scorers = build_metrics(
        [*(metrics or ["maxsim"]), *(BASELINES if baselines else ())],
        common,
        settings or [],
        sweep,
    )
    rows = rows_of(systems or [], references or [], source, docs, jsonl or [])
    texts = [*(systems or []), *(references or []), *(jsonl or []), source, docs]
    _check_request(output, [*texts, *files_of(settings or [])])
    if baseline is not None and paired is None:
        raise UsageError("--baseline goes with --paired")
    if explain is not None:
        if form in (Format.tsv, Format.latex):
            raise UsageError("--explain goes with text, json or jsonl")
        explained = _explain(rows, explain, scorers, any_language)
        emit(render_explanations(explained, form), output)
        return 0
    if segments and form is Format.latex:
        raise UsageError("--segments goes with text, tsv, json or jsonl, not with latex")
    if segments and form is not Format.json and (ci or paired):
        raise UsageError("--segments with --ci or --paired needs --format json")
    with counting("segments scored") as progress:
        scored = evaluate(
            rows, scorers, threads=threads, any_language=any_language, progress=progress
        )
    scorers, scored = with_parts(scorers, scored)
    certainty = Certainty(
        ci,
        given(confidence, 0.95),
        paired.value if paired else None,
        given(resamples, 1000),
        given(seed, 0),
    )
    first = _baseline(scored, baseline)
    report = Report(
        scorers,
        scored,
        {
            (system.system, label): certainty.cell(label, metric, system, first)
            for system in scored
            for label, metric in scorers.items()
        },
        pearson_over(scored, scorers),
        first.system if paired else None,
        (GIVEN if any(system.annotated for system in scored) else "")
        + certainty.signature(any(system.docs for system in scored)),
    )
    emit(render(report, form, segments=segments, by_metric=sweep is not None), output)
    return 0


def rows_of(
    systems: list[str],
    references: list[str],
    source: str | None,
    docs: str | None,
    jsonl: list[str],
) -> Iterator[Row]:
    """The rows that files have, side by side or as JSONL."""
    if jsonl:
        if systems or references or source or docs:
            raise UsageError("--jsonl rows carry everything; give no other files beside them")
        return chain.from_iterable(read_jsonl(path) for path in jsonl)
    if not systems:
        raise UsageError("no system output is given (files, - for standard input, or --jsonl)")
    others = [path for path in (*systems, *references, source) if path is not None]
    wmt = [path for path in others if looks_wmt(path)]
    if wmt and len(wmt) != len(others):
        plain = next(path for path in others if path not in wmt)
        raise UsageError(f"{wmt[0]} is a WMT file but {plain} is not; they cannot be paired")
    if wmt:
        if docs:
            raise UsageError("WMT files know their documents; --docs is for plain text")
        return _wmt(systems, references, source)
    return read_parallel(systems, references, source, docs)


def _check_request(output: str | None, inputs: list[str | None]) -> None:
    """Results must not go over what they are computed from."""
    if output is None or not Path(output).is_file():
        return
    for path in inputs:
        if path is not None and Path(path).is_file() and Path(path).samefile(output):
            raise UsageError(f"the output would overwrite the input {path}")


def _wmt(systems: list[str], references: list[str], source: str | None) -> Iterator[Row]:
    if len(references) > 1:
        raise UsageError("give one WMT file of references; it may hold several of them")
    reference = read_wmt(references[0]) if references else None
    origin = read_wmt(source) if source else None
    for path in systems:
        yield from wmt_rows(read_wmt(path), reference, origin)


def _explain(
    rows: Iterator[Row], number: int, scorers: dict[str, Metric], any_language: bool
) -> list[tuple[str, Explanation]]:
    seen: dict[str, int] = {}
    explained = []
    for row in rows:
        seen[row.system] = seen.get(row.system, 0) + 1
        if seen[row.system] == number:
            explained += [
                (row.system, explain_row(metric, row, any_language=any_language))
                for metric in scorers.values()
            ]
    if not explained:
        most = max(seen.values(), default=0)
        raise UsageError(f"there is no segment {number}; they run from 1 to {most}")
    return explained


def _baseline(scored: list[SystemScores], name: str | None) -> SystemScores:
    by_name = {system.system: system for system in scored}
    if name is None:
        return scored[0]
    if name not in by_name:
        raise UsageError(f"there is no system '{name}' to be the baseline; {near(name, by_name)}")
    return by_name[name]
