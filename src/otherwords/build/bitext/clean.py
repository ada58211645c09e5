"""Pairs that are fit to train on, and a report on the lines that are not.

A build must not die after an hour for one bad line: such lines are dropped, counted by the
codes of `otherwords validate` (docs/validate.md), and the first of each are named. A file that
cannot be read to its end, or two files that differ in length, are errors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from otherwords import _native
from otherwords.corpus.findings import CODES, Code, Finding
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.io.files import BOM, DAMAGED, damaged, open_bytes

__all__ = [
    "BITEXT_CODES",
    "FORMS",
    "Cleaned",
    "LineReport",
    "PairLimits",
    "Source",
    "clean",
    "pairs_of",
]

BITEXT_CODES: Mapping[str, Code] = {
    **{code: CODES[code] for code in ("E101", "E103", "W501", "W502", "W503", "W504")},
    "E601": Code("error", "not two columns"),
    "W601": Code("warning", "pair with a very long side"),
    "W602": Code("warning", "pair with sides of very different length"),
    "W603": Code("warning", "the same pair again"),
    "W604": Code("warning", "pair with identical sides"),
}
HARMLESS = frozenset({"W501", "W502"})  # noted, not dropped
FORMS = {"tsv": "\t", "bars": "|||"}
_NAMED = 5  # lines of each code
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")

Source = str | tuple[str, str]


@dataclass(frozen=True)
class PairLimits:
    """Limits of usable pairs: words of the longer side, and its ratio to the shorter one."""

    longest: int = 150
    ratio: float = 9.0
    keep_duplicates: bool = False
    keep_identical: bool = False

    def __post_init__(self) -> None:
        check_whole("longest", self.longest, 1, 100_000)
        check_number("ratio", self.ratio, 1, 100_000)
        check_flag("keep_duplicates", self.keep_duplicates)
        check_flag("keep_identical", self.keep_identical)


@dataclass
class LineReport:
    """Pairs read and kept, lines by code, and the first places of each code."""

    read: int = 0
    kept: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))

    def note(self, code: str, path: str, line: int) -> None:
        """Counts a line."""
        self.counts[code] += 1
        if len(self.places[code]) < _NAMED:
            self.places[code].append((path, line))

    @property
    def dropped(self) -> dict[str, int]:
        """Lines dropped, by code."""
        return {code: n for code, n in sorted(self.counts.items()) if code not in HARMLESS}

    def findings(self) -> Iterator[Finding]:
        """The first lines of each code, and how many more there are."""
        for code, count in sorted(self.counts.items()):
            severity, title = BITEXT_CODES[code]
            places = self.places[code]
            for path, line in places:
                yield Finding(code, severity, path, line, None, title)
            if more := count - len(places):
                message = f"and {more:,} more: {title}"
                yield Finding(code, severity, places[-1][0], None, None, message, more)


class Cleaned:
    """The pairs of some files that are fit, to be read once; `report` is complete at the end."""

    def __init__(self, sources: Sequence[Source], limits: PairLimits, form: str | None) -> None:
        self.report = LineReport()
        self._sources = sources
        self._limits = limits
        self._form = form

    def __iter__(self) -> Iterator[tuple[str, str]]:
        pairs = pairs_of(self._sources, self._limits, self._form, self.report)
        return (pair for pair in pairs if pair != UNFIT)


def clean(
    sources: Sequence[Source], limits: PairLimits | None = None, *, form: str | None = None
) -> Cleaned:
    """The fit pairs of all sources: files of two columns (TAB or `|||`), or pairs of files.

    White space is made single spaces. `form` says what separates columns (`tsv`, `bars`); else
    the first line that has a separator decides.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"unknown form of bitext '{form}'; {near(form, FORMS)}")
    return Cleaned(sources, limits or PairLimits(), form)


UNFIT = ("", "")  # stands for a line that was reported
# Where a line is, and its columns; none if it could not be read.
_Line = tuple[str, int, list[str]]


def pairs_of(
    sources: Sequence[Source], limits: PairLimits, form: str | None, report: LineReport
) -> Iterator[tuple[str, str]]:
    """A pair for every line; `UNFIT` for those that are reported."""
    seen: set[int] = set()
    for source in sources:
        lines = (
            _columns(source, form, report)
            if isinstance(source, str)
            else _side_by_side(*source, report)
        )
        yield from _fit(lines, limits, report, seen)


def _fit(
    lines: Iterator[_Line], limits: PairLimits, report: LineReport, seen: set[int]
) -> Iterator[tuple[str, str]]:
    for path, number, columns in lines:
        if len(columns) != 2:
            if columns:
                report.note("E601" if any(columns) else "W504", path, number)
            yield UNFIT
            continue
        left, right = (" ".join(column.split()) for column in columns)
        code = _unfit(left, right, limits)
        if code is None and not limits.keep_duplicates:
            known = hash((left, right))
            code = "W603" if known in seen else None
            seen.add(known)
        if code is not None:
            report.note(code, path, number)
            yield UNFIT
            continue
        report.kept += 1
        yield left, right


def _unfit(left: str, right: str, limits: PairLimits) -> str | None:
    """Why the pair should not be trained on, if there is a reason."""
    if not left or not right:
        return "W504"
    if _has_control(left) or _has_control(right):
        return "W503"
    words, others = _length(left), _length(right)
    longer = max(words, others)
    if longer > limits.longest:
        return "W601"
    if longer > limits.ratio * min(words, others):
        return "W602"
    if left == right and not limits.keep_identical:
        return "W604"
    return None


def _length(text: str) -> int:
    """Words, or characters where words have no spaces between them.

    >>> _length("in other words"), _length("換句話說 (IOW)")
    (3, 5)
    """
    return text.count(" ") + 1 if text.isascii() else _native.length_in_words(text)


def _has_control(text: str) -> bool:
    # Most text is printable, and that is found out much faster.
    return not text.isprintable() and _CONTROL.search(text) is not None


def _columns(path: str, form: str | None, report: LineReport) -> Iterator[_Line]:
    separator = None if form is None else FORMS[form]
    for number, raw in enumerate(_raw_lines(path, report), 1):
        report.read += 1
        text = _decoded(raw, path, number, report)
        if text is None:
            yield path, number, []
            continue
        if separator is None:
            separator = next((mark for mark in FORMS.values() if mark in text), None)
        yield path, number, text.split(separator) if separator else [text]


def _side_by_side(left: str, right: str, report: LineReport) -> Iterator[_Line]:
    pairs = zip_longest(_raw_lines(left, report), _raw_lines(right, report))
    for number, (one, other) in enumerate(pairs, 1):
        if one is None or other is None:
            short, long = (left, right) if one is None else (right, left)
            message = f"the file ends before line {number}, which {long} has"
            raise InputError(message, path=short, line=number, code="E104")
        report.read += 1
        first = _decoded(one, left, number, report)
        second = None if first is None else _decoded(other, right, number, report)
        fine = first is not None and second is not None
        yield left, number, [first or "", second or ""] if fine else []


def _raw_lines(path: str, report: LineReport) -> Iterator[bytes]:
    """The lines of a file without their ends; CRLF and a BOM are noted once per file."""
    number = 0
    crlf = False
    with open_bytes(path) as file:
        try:
            for number, raw in enumerate(file, 1):
                line = raw.removesuffix(b"\n")
                if number == 1 and line.startswith(BOM):
                    report.note("W501", path, 1)
                    line = line.removeprefix(BOM)
                if line.endswith(b"\r"):
                    line = line[:-1]
                    if not crlf:
                        report.note("W502", path, number)
                        crlf = True
                yield line
        except DAMAGED as error:
            raise damaged(path, number) from error
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error


def _decoded(raw: bytes, path: str, number: int, report: LineReport) -> str | None:
    """The text of a line, or nothing if it has none."""
    if b"\0" in raw:
        report.note("E103", path, number)
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError:
        report.note("E101", path, number)
        return None
