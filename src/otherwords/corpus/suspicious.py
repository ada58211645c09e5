"""Signs that a text is not what its owner thinks: damage, leftovers, another tokenisation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from otherwords.corpus.findings import Ledger

__all__ = ["Tally", "look_at"]

_LONG_TOKENS = 500
_LONG_CHARACTERS = 5000
_MANY = 10  # no shares are taken of fewer segments than this
_DUPLICATES = 0.2
_TOKENISED = 0.3

_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_LINE_END = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_HTML = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
# Two or three bytes of UTF-8 as Latin-1 or Windows-1252 shows them.
_MOJIBAKE = re.compile("Ã[\u0080-\u00bf]|Â[\u0080-\u00bf]|â€[\u0080-\u009f™œžš˜“”¢¦¡]|ï»¿")
_TOKENISED_MARK = re.compile(r" [.,](?: |$)| n't\b|@-@| '(?:s|re|ve|ll) ")


def look_at(text: str, ledger: Ledger, line: int, field: str | None = None) -> None:
    """Reports suspicious places of one segment; `field` names the text of the row."""
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
    if len(text) > _LONG_TOKENS and (found := _long(text)):
        yield "W507", f"the segment has {found}", None
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
        """Counts a segment; the same text of another owner is no duplicate."""
        if not text or text.isspace():
            return
        self._segments += 1
        if self._duplicates:
            self._seen.add(hash((owner, text)))
        if _TOKENISED_MARK.search(text):
            self._tokenised += 1
            self._first = self._first or line

    def report(self, ledger: Ledger, field: str | None = None) -> None:
        """Notes the shares that are too large."""
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
