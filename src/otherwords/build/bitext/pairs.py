"""Sentence pairs from files, and a report on unusable lines.

One bad line must not end a long build. Such lines are dropped and counted by the codes of
`otherwords validate` (docs/validate.md), and the first lines of each code are listed. A file that
cannot be read to its end is an error, and so are two files of different lengths.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from otherwords import _native
from otherwords.build.bitext.corpus import Bitext, check_tokenizers, encode
from otherwords.corpus.problems import CODES, Code, Finding
from otherwords.errors import InputError
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.io.files import BOM, DAMAGED, damaged, open_bytes

BITEXT_CODES: Mapping[str, Code] = {
    **{code: CODES[code] for code in ("E101", "E103", "W501", "W502", "W503", "W504")},
    "E601": Code("error", "not two columns"),
    "W601": Code("warning", "pair with a very long side"),
    "W602": Code("warning", "pair with sides of very different length"),
    "W603": Code("warning", "the same pair again"),
    "W604": Code("warning", "pair with identical sides"),
}
HARMLESS = frozenset({"W501", "W502"})  # reported, not dropped
SEPARATORS = ("\t", "|||")  # of columns: the file has the one that its first line has
_DAMAGED_LINE = frozenset({"", "E601", "W503", "W601"})  # "": the bytes are reported
UNFIT = ("", "")  # replaces a line that was reported
LONGEST = 1000  # words per side that can be aligned
_PLACES_NAMED = 5
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")

Source = str | tuple[str, str]  # a file of two columns, or two parallel files
_Line = tuple[str, int, list[str]]  # path, line number, columns (none if unreadable)


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
    """Counts of pairs read and kept, counts of lines by code, and the first lines of each code."""

    read: int = 0
    kept: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))
    unusable: set[int] = field(default_factory=set)  # pairs, from 0, whose lines are damaged
    files: list[tuple[int, str]] = field(default_factory=list)  # their first pairs and names

    def note(self, code: str, path: str, line: int) -> None:
        self.counts[code] += 1
        if len(self.places[code]) < _PLACES_NAMED:
            self.places[code].append((path, line))

    def place(self, pair: int) -> tuple[str, int]:
        """Return the file and the line of a pair, from 0."""
        first, path = self.files[bisect_right(self.files, pair, key=itemgetter(0)) - 1]
        return path, pair - first + 1

    @property
    def dropped(self) -> dict[str, int]:
        return {code: n for code, n in sorted(self.counts.items()) if code not in HARMLESS}

    def findings(self) -> Iterator[Finding]:
        """List the first lines of each code, and the number of further ones."""
        for code, count in sorted(self.counts.items()):
            severity, title = BITEXT_CODES[code]
            places = self.places[code]
            for path, line in places:
                yield Finding(code, severity, path, line, None, title)
            if more := count - len(places):
                message = f"and {more:,} more: {title}"
                yield Finding(code, severity, places[-1][0], None, None, message, more)


def clean(
    sources: Sequence[Source],
    limits: PairLimits | None = None,
    *,
    report: LineReport | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the usable pairs of all sources, with single spaces between words.

    Parameters
    ----------
    sources
        Files of two columns (TAB or `|||`), or pairs of parallel files.
    limits
        Which pairs are usable.
    report
        Filled in while pairs are read; complete at the end.
    """
    pairs = _fit_pairs(sources, limits or PairLimits(), report or LineReport())
    return (pair for pair in pairs if pair != UNFIT)


def _fit_pairs(
    sources: Sequence[Source], limits: PairLimits, report: LineReport
) -> Iterator[tuple[str, str]]:
    """Yield a pair for every line, `UNFIT` for reported ones."""
    seen: set[int] = set()
    for source in sources:
        if isinstance(source, str):
            lines = _read_columns(source, report)
        else:
            lines = _read_side_by_side(*source, report)
        report.files.append((report.read, source if isinstance(source, str) else source[0]))
        for path, number, columns in lines:
            left, right = (" ".join(c.split()) for c in columns) if len(columns) == 2 else UNFIT
            code = _fault(columns, left, right, limits)
            if code is None and not limits.keep_duplicates:
                key = hash((left, right))
                code = "W603" if key in seen else None
                seen.add(key)
            if code is None:
                report.kept += 1
                yield left, right
            else:
                if code:
                    report.note(code, path, number)
                if code in _DAMAGED_LINE:
                    report.unusable.add(report.read - 1)
                yield UNFIT


def _fault(columns: list[str], left: str, right: str, limits: PairLimits) -> str | None:
    """Return why the pair is unfit for training; `""` if its line is already reported."""
    if not columns:
        return ""
    if len(columns) != 2:
        return "E601" if any(columns) else "W504"
    if not left or not right:
        return "W504"
    if _has_control(left) or _has_control(right):
        return "W503"
    shorter, longer = sorted((_length(left), _length(right)))
    if longer > limits.longest:
        return "W601"
    if longer > limits.ratio * shorter:
        return "W602"
    if left == right and not limits.keep_identical:
        return "W604"
    return None


def _length(text: str) -> int:
    """Count words, or characters in scripts without spaces.

    >>> _length("in other words"), _length("換句話說 (IOW)")
    (3, 5)
    """
    return text.count(" ") + 1 if text.isascii() else _native.length_in_words(text)


def _has_control(text: str) -> bool:
    # Most text is printable, and isprintable() is much faster than the search.
    return not text.isprintable() and _CONTROL.search(text) is not None


def _read_columns(path: str, report: LineReport) -> Iterator[_Line]:
    separator = None
    for number, raw in enumerate(_raw_lines(path, report), 1):
        report.read += 1
        text = _decode(raw, path, number, report)
        if text is None:
            yield path, number, []
            continue
        if separator is None:
            separator = next((mark for mark in SEPARATORS if mark in text), None)
        yield path, number, text.split(separator) if separator else [text]


def _read_side_by_side(left: str, right: str, report: LineReport) -> Iterator[_Line]:
    pairs = zip_longest(_raw_lines(left, report), _raw_lines(right, report))
    for number, (left_line, right_line) in enumerate(pairs, 1):
        if left_line is None or right_line is None:
            short, long = (left, right) if left_line is None else (right, left)
            message = f"the file ends before line {number}, which {long} has"
            raise InputError(message, path=short, line=number, code="E104")
        report.read += 1
        left_text = _decode(left_line, left, number, report)
        right_text = None if left_text is None else _decode(right_line, right, number, report)
        readable = left_text is not None and right_text is not None
        yield left, number, [left_text or "", right_text or ""] if readable else []


def _raw_lines(path: str, report: LineReport) -> Iterator[bytes]:
    """Yield lines without their ends; report CRLF and a BOM once per file."""
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


def _decode(raw: bytes, path: str, number: int, report: LineReport) -> str | None:
    try:
        if b"\0" not in raw:
            return raw.decode()
        report.note("E103", path, number)
    except UnicodeDecodeError:
        report.note("E101", path, number)
    return None


class TextPairs(NamedTuple):
    """The texts of both sides, one pair per line; unusable lines are two empty texts."""

    left: list[str]
    right: list[str]
    report: LineReport


def read_text_pairs(sources: Sequence[Source], *, longest: int = LONGEST) -> TextPairs:
    """Read all pairs of files: `left TAB right`, `left ||| right`, or two parallel files.

    Nothing is dropped, so that results stay parallel to the lines. A line without exactly two
    columns, with invalid UTF-8, a NUL or more than `longest` words on a side becomes a pair of
    empty texts and is reported by its code.
    """
    limits = PairLimits(longest, ratio=100_000, keep_duplicates=True, keep_identical=True)
    pairs = TextPairs([], [], LineReport())
    for left, right in _fit_pairs(sources, limits, pairs.report):
        pairs.left.append(left)
        pairs.right.append(right)
    return pairs


def source_of(path: str) -> Source:
    """Split the names of two parallel files at the comma.

    >>> source_of("a.tsv"), source_of("a.en,a.fr")
    ('a.tsv', ('a.en', 'a.fr'))
    """
    left, comma, right = path.partition(",")
    return (left, right) if comma else path


def read_bitext(
    paths: Sequence[str],
    tokenizer: str = "auto",
    *,
    case: bool = False,
    warn: Callable[[Finding], None] = lambda finding: None,
) -> tuple[Bitext, LineReport]:
    """Read the words of files, concatenated, and report on their lines.

    Parameters
    ----------
    paths
        Files of two columns, or two files separated by a comma.
    tokenizer
        The tokenizer of both sides, or two separated by a comma.
    case
        Keep case instead of folding it.
    warn
        Called with each finding about a line.
    """
    names = check_tokenizers(tokenizer)
    left, right, report = read_text_pairs([source_of(path) for path in paths])
    sides = []
    for texts, name in zip((left, right), names, strict=True):
        sides.append(encode(texts, name, case=case))
        texts.clear()  # the texts of a side take more memory than its words
    bitext = Bitext(*sides)
    # Few words may be too many tokens.
    tokens = np.maximum(*(np.diff(side.bounds) for side in bitext))
    for number in np.flatnonzero(tokens > LONGEST).tolist():
        report.note("W601", *report.place(number))
    for finding in report.findings():
        warn(finding)
    return bitext, report
