"""The pages of the studio, opened on their logs and rows; `serve` serves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from otherwords.corpus.formats import Chosen
from otherwords.corpus.inputs import read_rows
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.metrics.base import Metric
from otherwords.study.studio import alignment_rows as sources
from otherwords.study.studio.align_page import align_page
from otherwords.study.studio.alignments import PURPOSE as ALIGNMENT
from otherwords.study.studio.alignments import AlignmentLog, AlignmentRow
from otherwords.study.studio.criteria import DEFAULT, check_criteria
from otherwords.study.studio.judgements import PURPOSE as JUDGEMENT
from otherwords.study.studio.judgements import Session, Task, begin, judge_page
from otherwords.study.studio.log import Log, check_name
from otherwords.study.studio.page import Page
from otherwords.study.studio.pairs import CONTROLS, Against, pairs_to_judge, texts_together
from otherwords.study.studio.reliability import too_few_controls
from otherwords.study.studio.show import ShownRows, show_page
from otherwords.study.studio.together import TogetherSession, together_page

__all__ = ["Start", "alignment_page", "judgement_page", "scores_page"]

Start = Literal["given", "aligner", "nothing"]


@contextmanager
def alignment_page(
    log: str,
    annotator: str,
    *,
    jsonl: str | None = None,
    bitext: str | None = None,
    adjudicate: tuple[str, str] | None = None,
    alignment: str | None = None,
    start: Start | None = None,
    tokenizer: str = "auto",
    gold_base: int = 0,
    warn: Callable[[str], None] = lambda message: None,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Page]:
    """The page on which an annotator aligns the rows of a log; the log is open until it is left.

    A new log gets its rows from `jsonl`, from a `bitext`, or from two logs to `adjudicate`, each
    given as [NAME=]LOG. They start from the links of another file (`alignment`), from those they
    have, from our aligner's, or from nothing (`start`).
    """
    if sum(one is not None for one in (jsonl, bitext, adjudicate)) > 1:
        raise UsageError("give only one of --jsonl, --bitext and --adjudicate")
    name = check_name(annotator, "an annotator")
    _check_apart(log, adjudicate or ())
    has_rows = jsonl is not None or bitext is not None
    if alignment is not None and (start is not None or not has_rows):
        raise UsageError("--alignment needs --jsonl or --bitext, and no --start")
    if start is not None and not has_rows:
        raise UsageError("--start needs --jsonl or --bitext")
    rows: list[AlignmentRow] | None = None
    if adjudicate is not None:
        rows = _to_adjudicate(adjudicate, warn)
    elif jsonl is not None:
        rows, linked = sources.gold_rows(jsonl, gold_base)
        rows = _linked(rows, linked, alignment, start, jsonl, progress)
    elif bitext is not None:
        rows = _linked(_pairs(bitext, tokenizer, warn), False, alignment, start, bitext, progress)
        # A line of a bitext that could not be read is two empty sides.
        rows = [row for row in rows if all(row.sides)]
    elif not Path(log).exists():
        raise UsageError(f"{log} is a new log: give it rows with --rows or --bitext")
    with Log(log, ALIGNMENT) as opened:
        found = AlignmentLog(opened.events, opened.path)
        if rows is not None:
            _warn_changed(found.rows, rows, warn)
            found.add_rows(rows, opened)
        if not found.rows:
            raise UsageError(f"{log} has no rows yet: give them with --rows or --bitext")
        yield align_page(opened, name, found)


def _check_apart(log: str, adjudicated: Sequence[str]) -> None:
    """Decisions in the log of an annotator would be that annotator's."""
    if any(Path(sources.named_log(one)[1]).resolve() == Path(log).resolve() for one in adjudicated):
        raise UsageError(f"{log} is one of the logs to adjudicate; give the decisions their own")


def _to_adjudicate(logs: tuple[str, str], warn: Callable[[str], None]) -> list[AlignmentRow]:
    one, other = sources.find_two(*logs)
    unfinished = len(one.log.rows) - len(sources.done_by_both(one, other))
    if unfinished:
        why = "the links that both started from may look like agreement"
        warn(f"{unfinished} rows are not finished by both annotators: {why}")
    return sources.adjudicated(one, other)


def _linked(
    rows: list[AlignmentRow],
    linked: bool,
    alignment: str | None,
    start: Start | None,
    name: str,
    progress: Callable[[int], None],
) -> list[AlignmentRow]:
    """The rows with the links that they start from."""
    if start == "given" and not linked:
        raise UsageError("--start given: the rows have no links")
    if alignment is not None:
        return sources.read_linked(rows, alignment, name)
    if start == "nothing":
        return sources.link_rows(rows, [[]] * len(rows))
    if start == "aligner" or not linked:
        return sources.align_rows(rows, tick=lambda: progress(1))
    return rows


def _pairs(bitext: str, tokenizer: str, warn: Callable[[str], None]) -> list[AlignmentRow]:
    from otherwords.build.bitext.pairs import read_bitext

    text, report = read_bitext(
        [bitext], tokenizer, case=True, warn=lambda finding: warn(str(finding))
    )
    if not report.kept:
        raise InputError("no line holds a sentence pair that can be aligned", path=bitext)
    return sources.bitext_rows(text, bitext)


def _warn_changed(
    old: Sequence[AlignmentRow], new: Sequence[AlignmentRow], warn: Callable[[str], None]
) -> None:
    changed = sum(a.others != b.others for a, b in zip(old, new, strict=False))
    if changed:
        kept = "the log keeps the links that it was begun with"
        warn(f"{changed} rows were changed by their annotators since this log was begun; {kept}")


@contextmanager
def judgement_page(
    log: str,
    judge: str,
    *,
    jsonl: Sequence[str] = (),
    columns: Chosen | None = None,
    systems: Sequence[str] = (),
    criteria: Sequence[str] = DEFAULT,
    controls: Sequence[str] = CONTROLS,
    share: float = 0.1,
    sample: int | None = None,
    seed: int = 0,
    scale: tuple[int, int] = (1, 5),
    against: Against = "source",
    together: bool = False,
    instructions: str | None = None,
    warn: Callable[[str], None] = lambda message: None,
) -> Iterator[Page]:
    """The page on which a judge scores pairs; the log is open until it is left.

    A new log gets the pairs of `jsonl` rows: of these `systems` (all), `sample` of them at most,
    with a `share` of `controls`. With `together` all texts of an original are shown at once, each
    original with a positive and a negative control; `sample` counts originals, and `controls` and
    `share` do nothing. A log that was begun needs no rows. `instructions` is a file of text that
    judges read instead of ours. `warn` is called if controls are too few to check a judge.
    """
    name = check_name(judge, "a judge")
    wanted = check_criteria(criteria)
    if not jsonl and not Path(log).exists():
        raise UsageError(f"{log} is a new log; give the rows to judge with --rows")
    task = None
    if jsonl:
        rows = chain.from_iterable(read_rows(path, columns=columns) for path in jsonl)
        how: dict[str, Any] = {"systems": systems, "sample": sample, "seed": seed}
        if together:
            pairs = texts_together(rows, **how, against=against)
        else:
            pairs = pairs_to_judge(rows, **how, against=against, kinds=controls, share=share)
        task = Task(tuple(pairs), wanted, *scale, seed, together, _text(instructions))
        if (few := too_few_controls(task.pairs, wanted, task.scale)) is not None:
            warn(few)
    with Log(log, JUDGEMENT) as opened:
        if begin(opened, task).together:
            yield together_page(TogetherSession(opened, name))
        else:
            yield judge_page(Session(opened, name))


def _text(path: str | None) -> str:
    """What is in a file of text, if one is named."""
    if path is None:
        return ""
    return "\n".join(read_lines(path))


def scores_page(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Page:
    """The page that shows rows scored by metrics, and explains any of them."""
    if not rows:
        raise InputError("there is nothing to show: the files have no segments")
    scored = ShownRows.of(
        rows, metrics, threads=threads, any_language=any_language, progress=progress
    )
    return show_page(scored)
