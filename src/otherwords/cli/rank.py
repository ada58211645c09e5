"""`otherwords rank`: sources with candidates in, the candidates best first out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from otherwords import __version__
from otherwords.cli.options import (
    Against,
    AnyLanguage,
    Output,
    Settings,
    Threads,
    build_metrics,
    files_of,
)
from otherwords.cli.output import align, check_output, emit_bytes, tsv_line
from otherwords.cli.progress import counting
from otherwords.cli.tables import number
from otherwords.corpus.jsonl import read_candidates
from otherwords.errors import UsageError
from otherwords.metrics.base import Metric, text_of
from otherwords.scoring.ranking import Ranked, Ranking, rankings

__all__ = ["rank_command"]


class RankFormat(StrEnum):
    """Output formats."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    tsv = "tsv"


def rank_command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="JSONL: source and candidates, or rows; - is standard input."
        ),
    ],
    metric: Annotated[
        str, typer.Option("-m", "--metric", help="The metric to order candidates by.")
    ] = "pem",
    top: Annotated[
        int | None, typer.Option("--top", help="Keep the best K of each source.", metavar="K")
    ] = None,
    against: Annotated[
        Against | None, typer.Option(help="Compare with these, whatever the metric's habit.")
    ] = None,
    settings: Settings = None,
    form: Annotated[
        RankFormat | None,
        typer.Option("--format", "-f", help="Output format (default: by -o's name, else text)."),
    ] = None,
    output: Output = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Order the candidate paraphrases of each source by a metric, best first."""
    check_output(output, file, *files_of(settings or []))
    scorers = build_metrics(
        metric, {"against": against.value} if against else {}, settings or [], None
    )
    if len(scorers) > 1:
        raise UsageError(f"one metric makes the order; -m names {len(scorers)}")
    [scorer] = scorers.values()
    with counting("candidates scored") as progress:
        found = rankings(
            read_candidates(file),
            scorer,
            top=top,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
        lines = _render(found, scorer, form or _form_of(output))
        emit_bytes((f"{line}\n".encode() for line in lines), output)
    return 0


def _form_of(output: str | None) -> RankFormat:
    """The format that a file's name asks for."""
    name = (output or "").removesuffix(".gz")
    return next((form for form in RankFormat if name.endswith(f".{form}")), RankFormat.text)


def _render(found: Iterable[Ranking], metric: Metric, form: RankFormat) -> Iterator[str]:
    if form is RankFormat.text:
        return _text(found, metric)
    if form is RankFormat.tsv:
        return _tsv(found, metric)
    documents = (_document(ranking, place) for place, ranking in enumerate(found, 1))
    if form is RankFormat.jsonl:
        return (json.dumps(one, ensure_ascii=False) for one in documents)
    return _json(documents)


def _name(ranking: Ranking, place: int) -> str:
    """The item of a source, else its number."""
    return ranking.item or str(place)


def _document(ranking: Ranking, place: int) -> dict[str, Any]:
    return {
        "item": _name(ranking, place),
        "source": text_of(ranking.source),
        "ranked": [_candidate(one) for one in ranking.ranked],
        "signature": ranking.signature,
    }


def _candidate(one: Ranked) -> dict[str, Any]:
    names = {"system": one.system, "item": one.item}
    return {
        "rank": one.rank,
        "hypothesis": text_of(one.hypothesis),
        "score": one.score,
        **one.parts,
        "place": one.place,
        **{key: name for key, name in names.items() if name is not None},
    }


def _json(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    whole = {"otherwords": __version__, "rankings": list(documents)}
    yield json.dumps(whole, indent=2, ensure_ascii=False)


def _tsv(found: Iterable[Ranking], metric: Metric) -> Iterator[str]:
    header = ["item", "rank", "score", *metric.parts, "place", "system", "hypothesis", "source"]
    yield tsv_line([*header, "signature"])
    for place, ranking in enumerate(found, 1):
        for one in ranking.ranked:
            yield tsv_line(
                [
                    _name(ranking, place),
                    one.rank,
                    *map(repr, (one.score, *one.parts.values())),
                    one.place,
                    one.system or "",
                    text_of(one.hypothesis),
                    text_of(ranking.source),
                    ranking.signature,
                ]
            )


def _text(found: Iterable[Ranking], metric: Metric) -> Iterator[str]:
    """A block for each source, then the signature."""
    signatures: dict[str, None] = {}
    for place, ranking in enumerate(found, 1):
        yield tsv_line([f"{_name(ranking, place)}: {text_of(ranking.source)}"])
        yield from _table(ranking, metric)
        yield ""
        signatures[ranking.signature] = None
    yield from signatures


def _table(ranking: Ranking, metric: Metric) -> Iterator[str]:
    named = any(one.system for one in ranking.ranked)
    table = [["rank", "score", *metric.parts, "place", *(["system"] if named else [])]]
    for one in ranking.ranked:
        scores = [number(one.score, metric), *(f"{part:.4f}" for part in one.parts.values())]
        table.append([str(one.rank), *scores, str(one.place), *([one.system or "-"] * named)])
    texts = ["candidate", *(text_of(one.hypothesis) for one in ranking.ranked)]
    for cells, text in zip(align(table, left=0), texts, strict=True):
        yield f"  {cells}  {tsv_line([text])}".rstrip()
