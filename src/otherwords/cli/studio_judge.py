"""`otherwords studio judge` and `judges`: pairs in, people's judgements out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from otherwords.cli.options import Against, Output
from otherwords.cli.output import (
    Format,
    align,
    check_output,
    emit,
    latex_table,
    rendered,
    tsv_line,
)
from otherwords.cli.studio_server import OpenBrowser, Port, WorkLog, check_installed, run
from otherwords.corpus.jsonl import read_jsonl
from otherwords.errors import UsageError
from otherwords.meta.judged import parse_scale
from otherwords.studio.criteria import DEFAULT, check_criteria
from otherwords.studio.judged import read_judgements
from otherwords.studio.judgements import PURPOSE, Session, Task, judge_page
from otherwords.studio.log import Log, check_name
from otherwords.studio.pairs import CONTROLS, pairs_to_judge

if TYPE_CHECKING:
    from otherwords.studio.reliability import Check, Reliability

__all__ = ["judge_command", "judges_command"]


def judge_command(
    judge: Annotated[str, typer.Option("--judge", help="Who judges.")],
    log: WorkLog,
    jsonl: Annotated[
        list[str] | None,
        typer.Option("--jsonl", help="Rows to judge; a log that was begun knows them."),
    ] = None,
    systems: Annotated[
        str | None, typer.Option("--systems", help="These alone, with commas (default: all).")
    ] = None,
    criteria: Annotated[
        str,
        typer.Option(help="Of adequacy, fluency, dissimilarity, overall, meaning, grammaticality."),
    ] = ",".join(DEFAULT),
    controls: Annotated[
        str, typer.Option(help="Kinds of controls to slip in, with commas, or none.")
    ] = ",".join(CONTROLS),
    share: Annotated[float, typer.Option(help="Controls among all that is judged.")] = 0.1,
    sample: Annotated[int | None, typer.Option(help="Judge N pairs, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of sample, controls and order.", min=0)] = 0,
    scale: Annotated[str, typer.Option(metavar="LOW:HIGH", help="Points to give.")] = "1:5",
    against: Annotated[
        Against, typer.Option(help="Judge by the source, or by the first reference.")
    ] = Against.source,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Judge paraphrases in a local page: blind, in random order, with controls slipped in."""
    check_installed()
    name = check_name(judge, "a judge")
    low, high = _points(scale)
    wanted = check_criteria(_names(criteria))
    if not jsonl and not Path(log).exists():
        raise UsageError(f"{log} is a new log; --jsonl tells what to judge")
    task = None
    if jsonl:
        pairs = pairs_to_judge(
            chain.from_iterable(read_jsonl(path) for path in jsonl),
            systems=_names(systems or ""),
            kinds=[] if controls == "none" else _names(controls),
            share=share,
            sample=sample,
            seed=seed,
            against=against.value,
        )
        task = Task(tuple(pairs), wanted, low, high, seed)
    with Log(log, PURPOSE) as opened:
        return run([judge_page(Session(opened, name, task))], port, open_browser)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _points(text: str) -> tuple[int, int]:
    name, scale = parse_scale(text)
    if name or scale.low % 1 or scale.high % 1:
        raise UsageError(f"a scale of points is LOW:HIGH in whole numbers, not '{text}'")
    return int(scale.low), int(scale.high)


def judges_command(
    logs: Annotated[list[str], typer.Argument(metavar="LOG...", help="Logs of judgements.")],
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
) -> int:
    """Tell how each judge did on the controls, and who is flagged."""
    check_output(output, *logs)
    found = read_judgements(logs).reliability()
    lines = rendered(
        form, found, document=_document, records=_document, tsv=_tsv, latex=_latex, text=_text
    )
    emit(lines, output)
    return 0


def _document(found: Sequence[Reliability]) -> list[dict[str, Any]]:
    return [
        {
            "judge": one.judge,
            "pairs": one.pairs,
            "controls": one.controls,
            "flagged": one.flagged,
            "checks": [_check(check) for check in one.checks],
        }
        for one in found
    ]


def _check(check: Check) -> dict[str, Any]:
    return {**vars(check), "passed": check.passed}


def _table(found: Sequence[Reliability]) -> list[list[str]]:
    rows = [
        [
            one.judge,
            str(one.pairs),
            str(one.controls),
            str(len(one.checks)),
            str(len(one.failed)),
            ("yes" if one.flagged else "no") if one.checks else "n/a",
        ]
        for one in found
    ]
    return [["judge", "pairs", "controls", "checks", "failed", "flagged"], *rows]


def _tsv(found: Sequence[Reliability]) -> Iterator[str]:
    return map(tsv_line, _table(found))


def _latex(found: Sequence[Reliability]) -> Iterator[str]:
    return iter(latex_table(_table(found)))


def _text(found: Sequence[Reliability]) -> Iterator[str]:
    yield from align(_table(found))
    for one in found:
        yield from (f"{one.judge}: {check}" for check in one.failed)
        if not one.checks:
            yield f"{one.judge}: too few controls were judged to tell"
