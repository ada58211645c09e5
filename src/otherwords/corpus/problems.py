"""The problems that `otherwords validate` reports: their codes, and signs of damage in a text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from otherwords.corpus.rows import UNNAMED, Row, find_coverage
from otherwords.errors import InputError, one_line
from otherwords.text.outputs import CODES as FAULTS

Severity = Literal["error", "warning"]
_LONG_TOKENS = 500
_LONG_CHARACTERS = 5000
_MANY = 10  # with fewer segments, shares are not computed
_DUPLICATES = 0.2
_TOKENISED = 0.3
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_LINE_END = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_HTML = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
# Two or three bytes of UTF-8 decoded as Latin-1 or Windows-1252.
_MOJIBAKE = re.compile("Ã[\u0080-\u00bf]|Â[\u0080-\u00bf]|â€[\u0080-\u009f™œžš˜“”¢¦¡]|ï»¿")
_TOKENISED_MARK = re.compile(r" [.,](?: |$)| n't\b|@-@| '(?:s|re|ve|ll) ")


class Code(NamedTuple):
    """The severity and title of a kind of finding."""

    severity: Severity
    title: str


_ERRORS = {
    "E101": "not in the encoding it should be (UTF-8)",
    "E102": "truncated or damaged gzip file",
    "E103": "NUL byte",
    "E104": "line counts differ between text files",
    "E105": "empty file",
    "E106": "not a text file",
    "E107": "line longer than the limit",
    "E108": "gzip file that unpacks to far more than its size",
    "E201": "not JSON",
    "E202": "not a JSON object",
    "E203": "missing key",
    "E204": "value of the wrong type",
    "E205": "human score that is not finite",
    "E206": "half of a surrogate pair",
    "E207": "key that looks like a misnamed one",
    "E208": "both reference and references",
    "E209": "two columns for one field",
    "E210": "wrong number of cells",
    "E211": "quoted cell that is not closed",
    "E212": "file of another kind than its name",
    "E213": "damaged Parquet file",
    "E215": "key twice in a JSON object",
    "E216": "cell of TSV that is quoted over several lines",
    "E401": "not well-formed XML",
    "E402": "segment outside of its document or set",
    "E403": "document or segment without an id",
    "E404": "segment twice",
    "E405": "segment not closed",
    "E406": "no segments",
    "E407": "segment missing",
}
# Codes of outputs that are no rewrites (`text.outputs`); W504 reports empty ones.
OUTPUTS = {
    "markup-only": "W521",
    "language": "W522",
    "refusal": "W523",
    "preface": "W524",
    "remark": "W525",
    "template": "W526",
    "loop": "W527",
    "cut-off": "W528",
}
_WARNINGS = {
    "W501": "byte order mark",
    "W502": "CRLF line ends",
    "W503": "control character",
    "W504": "empty segment",
    "W505": "character that other tools take for a line end",
    "W506": "HTML entity left in the text",
    "W507": "very long segment",
    "W508": "many duplicate segments",
    "W509": "text looks tokenised",
    "W510": "white space at the start or end",
    "W511": "tab in a plain text file",
    "W512": "hypothesis identical to the source",
    "W513": "replacement character U+FFFD",
    "W514": "UTF-8 that was read as another encoding",
    "W515": "two files with the same text",
    "W516": "text not in Unicode normal form C",
    "W518": "nothing to compare the hypothesis with",
    "W519": "systems with different segments",
    "W520": "segment with other references or another source in another system",
    **{code: FAULTS[fault] for fault, code in OUTPUTS.items()},
    "W529": "several rows of one system for one segment",
}
CODES: Mapping[str, Code] = {
    **{code: Code("error", title) for code, title in _ERRORS.items()},
    **{code: Code("warning", title) for code, title in _WARNINGS.items()},
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem or suspicious place; `count` is the number of occurrences that it represents.

    >>> print(Finding("W504", "warning", "sys.txt", 3, None, "the segment is empty"))
    sys.txt:3: W504 the segment is empty
    """

    code: str
    severity: Severity
    path: str
    line: int | None
    column: int | None
    message: str
    count: int = 1

    @property
    def place(self) -> str:
        """File, line and column, as far as they are known."""
        parts = (self.path, self.line, self.column)
        return one_line(":".join(str(part) for part in parts if part is not None))

    def __str__(self) -> str:
        return f"{self.place}: {self.code} {self.message}"


class Ledger:
    """The findings about one file: the first `cap` of each code, and the number of others."""

    def __init__(self, path: str, cap: int | None) -> None:
        self._path = path
        self._cap = cap
        self._counts: Counter[str] = Counter()
        self._findings: list[Finding] = []

    def note(
        self, code: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        self._counts[code] += 1
        if self._cap is None or self._counts[code] <= self._cap:
            severity = CODES[code].severity
            text = one_line(message)  # names of systems and columns may have control characters
            self._findings.append(Finding(code, severity, self._path, line, column, text))

    def error(self, error: InputError) -> None:
        """Add a reader's error; an error without a code is not about the file's content."""
        if error.code is None:
            raise error
        self.note(error.code, error.message, error.line, error.column)

    def findings(self) -> Iterator[Finding]:
        """The findings of each code: those that are stored by line, then the count of the rest."""
        for code, count in sorted(self._counts.items()):
            listed = [finding for finding in self._findings if finding.code == code]
            yield from sorted(listed, key=lambda finding: (finding.line or 0, finding.column or 0))
            more = count - len(listed)
            if more:
                severity, title = CODES[code]
                message = f"and {more:,} more: {title}"
                yield Finding(code, severity, self._path, None, None, message, more)


def look_at(text: str, ledger: Ledger, line: int, field: str | None = None) -> None:
    """Report suspicious places in one segment; `field` names the text of the row."""
    prefix = f"{field}: " if field else ""
    for code, message, column in _oddities(text):
        ledger.note(code, prefix + message, line, None if field else column)


def _oddities(text: str) -> Iterator[tuple[str, str, int | None]]:
    if not text or text.isspace():
        yield "W504", "the segment is empty", None
        return
    if text[0].isspace() or text[-1].isspace():
        column = 1 if text[0].isspace() else len(text)
        yield "W510", "white space at the start or end", column
    if match := _CONTROL.search(text):
        yield "W503", f"control character {_name(match[0])}", match.start() + 1
    if match := _LINE_END.search(text):
        message = f"{_name(match[0])} inside the segment; other tools take it for a line end"
        yield "W505", message, match.start() + 1
    if match := _HTML.search(text):
        yield "W506", f"{match[0]} was not decoded", match.start() + 1
    if len(text) > _LONG_TOKENS and (excess := _long(text)):
        yield "W507", f"the segment has {excess}", None
    if text.isascii():
        return
    if "\ufffd" in text:
        message = "U+FFFD stands for a character lost in a conversion"
        yield "W513", message, text.index("\ufffd") + 1
    if match := _MOJIBAKE.search(text):
        message = f"{match[0]!r} looks like UTF-8 read as Latin-1"
        yield "W514", message, match.start() + 1
    if not unicodedata.is_normalized("NFC", text):
        yield "W516", "the text is not in Unicode normal form C", None


def _name(character: str) -> str:
    return f"U+{ord(character):04X}"


def _long(text: str) -> str | None:
    tokens = len(text.split())
    if tokens > _LONG_TOKENS:
        return f"{tokens:,} tokens"
    return f"{len(text):,} characters" if len(text) > _LONG_CHARACTERS else None


class Tally:
    """Counts over all segments of one kind in a file, for findings that depend on their share."""

    def __init__(self, duplicates: bool = True) -> None:
        self._duplicates = duplicates
        self._segments = 0
        self._tokenised = 0
        self._first = 0
        self._seen: set[int] = set()

    def add(self, text: str, line: int, owner: str = "") -> None:
        """Count a segment; the same text of another owner is not a duplicate."""
        if not text or text.isspace():
            return
        self._segments += 1
        if self._duplicates:
            self._seen.add(hash((owner, text)))
        if _TOKENISED_MARK.search(text):
            self._tokenised += 1
            self._first = self._first or line

    def report(self, ledger: Ledger, field: str | None = None) -> None:
        """Report shares that are too large."""
        if self._segments < _MANY:
            return
        prefix = f"{field}: " if field else ""
        repeated = self._segments - len(self._seen)
        if self._duplicates and repeated > _DUPLICATES * self._segments:
            message = f"{repeated:,} of {self._segments:,} segments repeat another one"
            ledger.note("W508", prefix + message)
        if self._tokenised > _TOKENISED * self._segments:
            message = f"{self._tokenised:,} of {self._segments:,} segments look tokenised"
            ledger.note("W509", prefix + message, self._first)


@dataclass
class SeenRows:
    """The named segments of systems in files that belong together."""

    places: dict[str, dict[str, tuple[str, str, int]]] = field(default_factory=dict)
    contents: dict[str, tuple[int, str, int]] = field(default_factory=dict)

    def add(self, row: Row, path: str, line: int, ledger: Ledger) -> None:
        """Add a row; report a second row of a system for a segment (W529), and a segment that two
        systems have with different references or sources (W520).

        Rows without a system may be several texts for one segment.
        """
        if row.item is None or row.system == UNNAMED:
            return
        mine = self.places.setdefault(row.system, {})
        here = row.item, path, line
        key = f"{row.langs or ''}\t{row.item}"
        first = mine.setdefault(key, here)
        if first is not here:
            message = f"{row.system!r} has a second row for the segment {row.item!r}"
            ledger.note("W529", f"{message}; the first is in {_where(*first[1:], path)}", line)
            return  # scoring matches repeats in their order, which is not checked here
        content, file, number = self.contents.setdefault(key, (row.content, path, line))
        if content != row.content:
            message = f"the segment {row.item!r} has other references or another source in"
            ledger.note("W520", f"{message} {_where(file, number, path)}", line)

    def report(self, ledgers: Mapping[str, Ledger]) -> None:
        """Report systems with different segments (W519)."""
        coverage = find_coverage(
            {system: list(mine) for system, mine in self.places.items()},
            lambda system, place: repr(list(self.places[system].values())[place][0]),
        )
        if coverage is not None:
            lacking = self.places[next(iter(coverage.lacking))]
            _, path, _ = next(iter(lacking.values()))
            ledgers[path].note("W519", coverage.warning())


def _where(path: str, line: int, here: str) -> str:
    return f"line {line}" + ("" if path == here else f" of {path}")
