"""What `otherwords validate` can find: one table of codes, and the findings themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from otherwords.errors import InputError, one_line

__all__ = ["CODES", "Code", "Finding", "Ledger", "Severity"]

Severity = Literal["error", "warning"]


class Code(NamedTuple):
    """How bad a kind of finding is, and what it is called."""

    severity: Severity
    title: str


_ERRORS = {
    "E101": "not in the encoding it should be (UTF-8)",
    "E102": "truncated or damaged gzip file",
    "E103": "NUL byte",
    "E104": "line counts differ between text files",
    "E105": "empty file",
    "E106": "not a text file",
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
    "E214": "two rows of one system for one segment",
    "E301": "wrong number of columns",
    "E302": "malformed ID",
    "E303": "IDs out of order",
    "E304": "malformed or missing HEAD",
    "E305": "HEAD out of range",
    "E306": "heads form a cycle",
    "E307": "sentence without words",
    "E308": "empty FORM",
    "E401": "not well-formed XML",
    "E402": "segment outside of its document or set",
    "E403": "document or segment without an id",
    "E404": "segment twice",
    "E405": "segment not closed",
    "E406": "no segments",
    "E407": "segment missing",
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
    "W517": "words not found in the text of the sentence",
    "W518": "nothing to compare the hypothesis with",
    "W519": "systems with different segments",
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
    """The findings about one file: the first `cap` of each code, and how many more."""

    def __init__(self, path: str, cap: int | None) -> None:
        self._path = path
        self._cap = cap
        self._counts: Counter[str] = Counter()
        self._kept: list[Finding] = []

    def note(
        self, code: str, message: str, line: int | None = None, column: int | None = None
    ) -> None:
        """Adds a finding."""
        self._counts[code] += 1
        if self._cap is None or self._counts[code] <= self._cap:
            severity = CODES[code].severity
            found = one_line(message)  # it may name systems and columns, whatever they are called
            self._kept.append(Finding(code, severity, self._path, line, column, found))

    def error(self, error: InputError) -> None:
        """Adds what a reader refused; an error without a code is none of the file's making."""
        if error.code is None:
            raise error
        self.note(error.code, error.message, error.line, error.column)

    def findings(self) -> Iterator[Finding]:
        """All that was kept, by line, then the counts of what was not."""
        yield from sorted(self._kept, key=lambda found: (found.line or 0, found.column or 0))
        kept = Counter(found.code for found in self._kept)
        for code, count in sorted(self._counts.items()):
            more = count - kept[code]
            if more:
                severity, title = CODES[code]
                message = f"and {more:,} more: {title}"
                yield Finding(code, severity, self._path, None, None, message, more)
