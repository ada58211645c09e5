"""The page on which an annotator corrects alignments, and where its rows come from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from otherwords.build.bitext.gold import Gold, Link, parse_gold
from otherwords.errors import InputError, UsageError
from otherwords.io.files import follow_links, read_lines
from otherwords.io.values import load_json
from otherwords.study.studio.alignment import (
    ALIGNMENT,
    WRITES,
    AlignmentLog,
    AlignmentRow,
    Marks,
    links_of,
    marks_of,
)
from otherwords.study.studio.annotators import find_two, rows_done, rows_to_adjudicate, split_log
from otherwords.study.studio.log import Log, check_name
from otherwords.study.studio.page import Page, asked

LONGEST = 300  # words per side; a larger matrix does not fit a page
Start = Literal["given", "aligner", "nothing"]
_SHOWN = ("id", "domain", "group")  # keys of a row that the annotator sees


@dataclass(frozen=True)
class AlignmentSource:
    """Where a new log gets its rows, and the links that they start from.

    Parameters
    ----------
    jsonl, bitext : str, optional
        The file of the rows; at most one of them.
    adjudicate : tuple of str, optional
        Two logs to settle, each given as [NAME=]LOG, instead of a file.
    alignment : str, optional
        A file of links to start from, one line per row.
    start : {"given", "aligner", "nothing"}, optional
        Start from the links of the rows, from our aligner's, or from none.
    tokenizer : str
        How a bitext is tokenized.
    gold_base : int
        The number of the first word in the links of `jsonl`.
    """

    jsonl: str | None = None
    bitext: str | None = None
    adjudicate: tuple[str, str] | None = None
    alignment: str | None = None
    start: Start | None = None
    tokenizer: str = "auto"
    gold_base: int = 0

    def __post_init__(self) -> None:
        if sum(given is not None for given in (self.jsonl, self.bitext, self.adjudicate)) > 1:
            raise UsageError("give only one of --jsonl, --bitext and --adjudicate")
        has_rows = self.jsonl is not None or self.bitext is not None
        if self.alignment is not None and (self.start is not None or not has_rows):
            raise UsageError("--alignment needs --jsonl or --bitext, and no --start")
        if self.start is not None and not has_rows:
            raise UsageError("--start needs --jsonl or --bitext")

    def rows(
        self, warn: Callable[[str], None], progress: Callable[[int], None]
    ) -> list[AlignmentRow] | None:
        """The rows with the links that they start from; None if no source is named."""
        if self.adjudicate is not None:
            left, right = find_two(*self.adjudicate)
            unfinished = len(left.log.rows) - len(rows_done(left, right))
            if unfinished:
                why = "the links that both started from may look like agreement"
                warn(f"{unfinished} rows are not finished by both annotators: {why}")
            return rows_to_adjudicate(left, right)
        if self.jsonl is not None:
            rows, has_links = read_gold_rows(self.jsonl, self.gold_base)
            return self._add_links(rows, has_links, self.jsonl, progress)
        if self.bitext is not None:
            rows = _read_bitext(self.bitext, self.tokenizer, warn)
            rows = self._add_links(rows, False, self.bitext, progress)
            # Both sides of an unreadable line are empty.
            return [row for row in rows if all(row.sides)]
        return None

    def _add_links(
        self,
        rows: list[AlignmentRow],
        has_links: bool,
        name: str,
        progress: Callable[[int], None],
    ) -> list[AlignmentRow]:
        if self.start == "given" and not has_links:
            raise UsageError("--start given: the rows have no links")
        if self.alignment is not None:
            from otherwords.study.parametric.result import read_alignments

            pairs = [_unlinked(*row.sides) for row in rows]
            return _link_rows(rows, read_alignments(self.alignment, pairs, name))
        if self.start == "nothing":
            return _link_rows(rows, [[]] * len(rows))
        if self.start == "aligner" or not has_links:
            return align_rows(rows, tick=lambda: progress(1))
        return rows


@contextmanager
def open_alignment_page(
    log: str,
    annotator: str,
    source: AlignmentSource = AlignmentSource(),
    *,
    warn: Callable[[str], None] = lambda message: None,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Page]:
    """Open the page on which an annotator aligns the rows of a log; leaving it closes the log.

    Parameters
    ----------
    log, annotator : str
        The file that every change is appended to, and who makes them.
    source : AlignmentSource
        Where a new log gets its rows.
    warn, progress : callable
        Called with each warning, and after each iteration of the aligner.
    """
    name = check_name(annotator, "an annotator")
    for other in source.adjudicate or ():  # else decisions would become an annotator's work
        if follow_links(split_log(other)[1]) == follow_links(log):
            message = f"{log} is one of the logs to adjudicate; give the decisions their own"
            raise UsageError(message)
    rows = source.rows(warn, progress)
    if rows is None and not Path(log).exists():
        raise UsageError(f"{log} is a new log: give it rows with --rows or --bitext")
    with Log(log, ALIGNMENT) as opened:
        alignments = AlignmentLog(opened.events, opened.path)
        if rows is not None:
            both = zip(alignments.rows, rows, strict=False)
            if changed := sum(old.others != new.others for old, new in both):
                since = "were changed by their annotators since this log was begun"
                warn(f"{changed} rows {since}; the log keeps the links that it was begun with")
            alignments.add_rows(rows, opened)
        if not alignments.rows:
            raise UsageError(f"{log} has no rows yet: give them with --rows or --bitext")
        yield align_page(opened, name, alignments)


def align_page(log: Log, annotator: str, alignments: AlignmentLog | None = None) -> Page:
    """The page at /align, on which one annotator works on the rows of a log."""
    work = alignments or AlignmentLog(log.events, log.path)

    def state(query: Mapping[str, Any]) -> dict[str, Any]:
        """The annotator, the names of two annotators to adjudicate, and which rows are done."""
        return {
            "annotator": annotator,
            "names": list(work.rows[0].others) if work.rows else [],
            "done": [work.work(annotator, number).done for number in range(len(work.rows))],
        }

    def row(query: Mapping[str, Any]) -> dict[str, Any]:
        """One row with the annotator's work on it."""
        number = asked(query, "row", len(work.rows))
        pair, done = work.rows[number], work.work(annotator, number)
        source, target = pair.sides
        known = {key: pair.value.get(key) for key in _SHOWN}
        return {
            "row": number,
            "about": {key: str(value) for key, value in known.items() if value is not None},
            "source": source,
            "target": target,
            "marks": _list_marks(done.marks),
            "history": done.history,
            "position": done.position,
            "step": done.step,
            "done": done.done,
            "others": [_list_marks(marks_of(links)) for links in pair.others.values()],
        }

    def write(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return {"step": work.write(log, kind, annotator, body).step}

    writes = {kind: partial(write, kind) for kind in WRITES}
    return Page("align", "align.html", {"state": state, "row": row}, writes, log.path)


def _list_marks(marks: Marks) -> list[list[Any]]:
    return [[i, j, mark] for (i, j), mark in sorted(marks.items())]


def read_gold_rows(path: str, base: int = 0) -> tuple[list[AlignmentRow], bool]:
    """The rows of a JSONL file with all of their keys, and whether they have links."""
    rows, has_links = [], False
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        gold = parse_gold(line, path, number, base, aligned=False)
        try:
            value: dict[str, Any] = load_json(line)
            json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8")
        except ValueError as error:
            message = f"the row cannot be written again: {error}"
            raise InputError(message, path=path, line=number) from error
        has_links = has_links or "sure" in value
        rows.append(_make_row(gold, value, path, number))
    if not rows:
        raise InputError("there are no rows here", path=path, code="E105")
    return rows, has_links


def _make_row(gold: Gold, value: dict[str, Any], path: str, number: int) -> AlignmentRow:
    longest = max(len(gold.source), len(gold.target))
    if longest > LONGEST:
        message = f"a side has {longest} words; the page shows up to {LONGEST}"
        raise InputError(message, path=path, line=number)
    words = {"source": list(gold.source), "target": list(gold.target)}
    marks: Marks = dict.fromkeys(gold.possible, "possible") | dict.fromkeys(gold.sure, "sure")
    links = links_of(marks)
    return AlignmentRow({**value, **words, **links}, links)


def _read_bitext(path: str, tokenizer: str, warn: Callable[[str], None]) -> list[AlignmentRow]:
    from otherwords.build.bitext.pairs import read_bitext

    text, report = read_bitext(
        [path], tokenizer, case=True, warn=lambda finding: warn(str(finding))
    )
    if not report.kept:
        raise InputError("no line holds a sentence pair that can be aligned", path=path)
    pairs = ((text.left.sentence(n), text.right.sentence(n)) for n in range(text.size))
    return [_make_row(_unlinked(*pair), {}, path, number) for number, pair in enumerate(pairs, 1)]


def _unlinked(source: Sequence[str], target: Sequence[str]) -> Gold:
    return Gold(tuple(source), tuple(target), frozenset(), frozenset())


def _link_rows(rows: Sequence[AlignmentRow], links: Iterable[Iterable[Link]]) -> list[AlignmentRow]:
    """The rows with these links to start from, all of them sure."""
    return [
        replace(row, links=links_of(dict.fromkeys(some, "sure")))
        for row, some in zip(rows, links, strict=True)
    ]


def align_rows(
    rows: Sequence[AlignmentRow], tick: Callable[[], None] = lambda: None
) -> list[AlignmentRow]:
    """Align the rows with our aligner, trained on them alone.

    If both sides are English, it uses similar words, synonyms and paraphrases too.
    """
    from otherwords.build.bitext.aligner import Aligner, Training, looks_monolingual
    from otherwords.build.bitext.alignment import GoldText

    pairs = [_unlinked(*row.sides) for row in rows]
    text = GoldText.of(pairs, ("none", "none"), case=False)
    training = Training(monolingual=looks_monolingual(text.bitext))
    links, _ = Aligner.train(text.bitext, training, tick=tick).align(text.bitext)
    return _link_rows(rows, text.links(links))
