"""Split a text into sentences.

Lines, Markdown and HTML are read first: they cut the text into blocks, and a block is cut at marks
that end sentences. Every step reads the text once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

Span = tuple[int, int]

_NARROW = 50  # lines of a paragraph that are all shorter are not wrapped: each stands alone
_WIDE = 130  # nor are they if one is longer than this
_RAGGED = 15  # how much shorter than the longest a wrapped line can be
_LONGEST_WORD = 40  # before a mark
_LONGEST_BRACKET = 400  # brackets with more text than this can hold sentences of their own

# Code, and comments, which are no text.
_OPENING = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^`\n]*$|(?P<comment><!--)|<(?P<tag>pre|script|style)\b[^<>]*>",
    re.M | re.I,
)
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|blockquote|body|br|button|caption|center|dd|div|dl|dt|fieldset|"
    r"figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|meta|nav|ol|"
    r"option|p|section|select|table|tbody|td|tfoot|th|thead|title|tr|ul)\b[^<>]*>",
    re.I,
)
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*")
_MARKER = re.compile(
    r"(?:(?P<heading>\#{1,6})|[-*+•·‣▪◦–]|\(?\d{1,3}[.)]|\(?[A-Za-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?"
)
_RULE = re.compile(r"[-*_=~#+|:•.><\s]*\Z")
_TAGS = re.compile(r"(?:</?[A-Za-z][^<>]*>|&nbsp;|\s)*")

_END = re.compile(r"[.!?…。！？।؟]+|[:;]-?[)(DP](?!\w)|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?")
_CLOSING = re.compile(
    r"(?:[\"'”’»)\]}*_`~]|''|</[A-Za-z][^<>]{0,100}>|[ ]?\[\d{1,3}\])*+"
    r"(?:[ ](?:[:;=]['-]?[)(DPp]+|<3)(?!\w))*+"
)
_NEXT = re.compile(r"\s*(?:[\"'“‘«(\[{*_`¿¡]|<[A-Za-z][^<>]{0,200}>)*+(\w+(?:'\w+)?|\S)?")
_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]\Z")
_BRACKET = re.compile(r"(?<![:;=-])[()\[\]]")
_NO_SPACE = "。！？।"


class _Words(NamedTuple):
    title: frozenset[str]
    inside: frozenset[str]
    number: frozenset[str]
    any: frozenset[str]
    starter: frozenset[str]
    speech: frozenset[str]
    greeting: frozenset[str]
    closing: frozenset[str]


@cache
def _words() -> _Words:
    lists: dict[str, set[str]] = {name: set() for name in _Words._fields}
    table = Path(__file__).with_name("sentences.tsv").read_text("utf-8")
    for line in table.splitlines():
        if not line.startswith("#"):
            kind, listed = line.split("\t")
            lists[kind].update(listed.split())
    return _Words(**{name: frozenset(listed) for name, listed in lists.items()})


def split_sentences(text: str) -> list[Span]:
    r"""Split a text into sentences; each is a span of characters.

    Between spans there are only white space and markup: signs of headings, lists and quotations,
    rules, tags of HTML blocks. A block of code, a heading, a table cell, and a line of a letter or
    of a chat are one span each, or several if they hold several sentences.

    >>> text = "# Trip\n\nDr. Lee paid $3.50. \"Too much!\" she said.\n\n- tea\n- milk"
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Trip', 'Dr. Lee paid $3.50.', '"Too much!" she said.', 'tea', 'milk']
    """
    spans = []
    for start, end, is_whole in _regions(text):
        if is_whole:
            spans.append(_trim(text, start, end))
        else:
            for block in _blocks(text, start, end):
                spans += _split_block(text, *block)
    return [span for span in spans if span[0] < span[1]]


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence only opens or ends a letter.

    >>> is_courtesy("Dear Ms Lee,"), is_courtesy("Kind regards,"), is_courtesy("Dear, is it?")
    (True, True, False)
    """
    return any(_letter(sentence.strip()))


def is_closing(sentence: str) -> bool:
    """Whether a sentence only ends a letter.

    >>> is_closing("Kind regards,"), is_closing("Dear Ms Lee,")
    (True, False)
    """
    return _letter(sentence.strip())[1]


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    """Blocks of code (whole), and the text between them, cut at comments and tags of blocks."""
    position, search = 0, 0
    unclosed: set[str] = set()
    while opening := _OPENING.search(text, search):
        search = opening.end()
        if fence := opening["fence"]:
            closing = re.compile(rf"^[ \t>]*{re.escape(fence)}+[ \t]*$", re.M)
            closed = closing.search(text, opening.end())
            end = closed.end() if closed else len(text)
        else:
            mark = "-->" if opening["comment"] else f"</{opening['tag'].lower()}>"
            closed = None if mark in unclosed else re.compile(mark, re.I).search(text, search)
            if not closed:
                unclosed.add(mark)
                continue
            end = closed.end()
        yield from _between_tags(text, position, opening.start())
        if not opening["comment"]:
            yield opening.start(), end, True
        position = search = end
    yield from _between_tags(text, position, len(text))


def _between_tags(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    for tag in _BLOCK_TAG.finditer(text, start, end):
        yield start, tag.start(), False
        start = tag.end()
    yield start, end, False


class _Line(NamedTuple):
    start: int
    end: int
    length: int  # with its marker
    is_first: bool  # whether it starts a block
    is_last: bool  # whether it ends one


def _blocks(text: str, start: int, end: int) -> Iterator[Span]:
    """The spans that no sentence crosses."""
    paragraph: list[_Line] = []
    position = start
    is_signature = False
    for line in text[start:end].splitlines(keepends=True):
        begin, position = position, position + len(line)
        content = _QUOTED.match(text, begin, position).end()  # type: ignore[union-attr]
        if _RULE.match(text, content, position) and not _is_text(line):
            yield from _join(text, paragraph)
            paragraph = []
            is_signature = line.rstrip("\r\n") in ("--", "-- ")
            continue
        if text[content] == "|" and line.rstrip().endswith("|"):
            yield from _join(text, paragraph)
            paragraph = []
            yield from _cells(text, content, position)
            continue
        marker = _MARKER.match(text, content, position)
        is_heading = bool(marker and marker["heading"])
        opens, closes = _letter(text[content:position].strip())
        paragraph.append(
            _Line(
                marker.end() if marker else content,
                position,
                len(line.rstrip()),
                bool(marker) or closes,
                is_heading or opens or closes or is_signature,
            )
        )
    yield from _join(text, paragraph)


def _is_text(line: str) -> bool:
    """Whether a line of signs alone is text: `...`, as an answer."""
    return line.strip() in ("...", "..")


def _letter(line: str) -> tuple[bool, bool]:
    """Whether a line opens a letter or ends it."""
    if len(line) > 80:
        return False, False
    lists = _words()
    said = re.findall(r"\w+", line.lower())
    opens = line.endswith((",", ":", "!")) and bool(said) and said[0] in lists.greeting
    closes = 0 < len(said) <= 4 and all(word in lists.closing for word in said)
    return opens and len(said) <= 6, closes


def _join(text: str, lines: list[_Line]) -> Iterator[Span]:
    """Lines that were wrapped become one block."""
    width = max((line.length for line in lines), default=0)
    full = sum(line.length > width - _RAGGED for line in lines)
    block: Span | None = None
    for number, line in enumerate(lines):
        if block is None:
            block = line.start, line.end
        else:
            before = lines[number - 1]
            word = "".join(text[line.start : line.start + _LONGEST_WORD].split(None, 1)[:1])
            would_fit = before.length + 1 + len(word) <= width
            is_wrapped = _NARROW <= width <= _WIDE and not would_fit
            is_joined = is_wrapped and (full > 1 or word[:1].islower())
            if line.is_first or before.is_last or not is_joined:
                yield block
                block = line.start, line.end
            else:
                block = block[0], line.end
    if block is not None:
        yield block


def _cells(text: str, start: int, end: int) -> Iterator[Span]:
    for cell in re.finditer(r"[^|\n]+", text[start:end]):
        if not _RULE.match(cell[0]):
            yield start + cell.start(), start + cell.end()


def _trim(text: str, start: int, end: int) -> Span:
    """The span without white space around it."""
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


def _split_block(text: str, start: int, end: int) -> Iterator[Span]:
    start, end = _trim(text, start, end)
    tags = _TAGS.match(text, start, end)
    if tags and tags.end() == end:
        return
    brackets = iter(_brackets(text, start, end))
    bracket = next(brackets, None)
    position = start
    for mark in _END.finditer(text, start, end):
        if mark.start() < position:
            continue
        while bracket and bracket[1] < mark.start():
            bracket = next(brackets, None)
        after = _CLOSING.match(text, mark.end(), end).end()  # type: ignore[union-attr]
        if bracket and position < bracket[0] < mark.start() and after <= bracket[1]:
            continue
        if after == end:
            break
        if _ends_sentence(text, position, mark, after, end):
            yield _trim(text, position, after)
            position = _trim(text, after, end)[0] if text[after].isspace() else after
    if position < end:
        yield position, end


def _brackets(text: str, start: int, end: int) -> list[Span]:
    """Outer pairs of brackets that are short enough to be part of a sentence."""
    pairs: list[Span] = []
    opened: list[int] = []
    for sign in _BRACKET.finditer(text, start, end):
        if sign[0] in "([":
            opened.append(sign.start())
        elif opened and text[opened[-1]] + sign[0] in ("()", "[]"):
            span = opened.pop(), sign.start()
            while pairs and pairs[-1][0] > span[0]:
                pairs.pop()
            if span[1] - span[0] <= _LONGEST_BRACKET:
                pairs.append(span)
    return pairs


def _ends_sentence(text: str, start: int, mark: re.Match[str], after: int, end: int) -> bool:
    """Whether the mark ends the sentence that begins at `start`."""
    sign = mark[0]
    if not text[after].isspace():
        return sign[-1] in _NO_SPACE
    follows = _NEXT.match(text, after, end)
    following = (follows[1] if follows else None) or ""
    is_lower = following[:1].islower()
    if is_lower and after > mark.end():
        return False
    lists = _words()
    if sign[0] != "." and text[mark.end()] in "\"'”’»" and _is_speech(text, after, end):
        return False
    if sign[0] in "!?。！？।؟":
        return True
    if len(sign) > 1 or sign == "…":  # "I" has its capital anywhere
        return following[:1].isupper() and following.split("'")[0] != "I"
    if sign != ".":  # a smiley
        return following[:1].isupper() or following[:1].isdigit()
    before = text[max(start, mark.start() - _LONGEST_WORD) : mark.start()].split()
    word = before[-1].lstrip("\"'“‘([{*_") if before else ""
    low = word.lower()
    is_starter = following.lower() in lists.starter and not is_lower
    if low in lists.title or low in lists.inside:
        return False
    if is_lower:  # careless writing, or an abbreviation that is not listed
        return len(word) > 2 and "." not in word and not (low in lists.any or low in lists.number)
    if low in lists.number and (following[:1].isdigit() or len(low) == 1):
        return False
    if word.isdigit() and len(before) == 1 and mark.start() - start == len(word):
        return False  # "1. Open the door"
    if low in lists.any or _DOTTED.match(word):
        return is_starter
    if len(word) == 1 and word.isalpha() and word != "I":
        return is_starter
    return True


def _is_speech(text: str, start: int, end: int) -> bool:
    """Whether words such as "Mr. Lee said" follow a quotation."""
    words = re.findall(r"\w+", text[start : min(end, start + 60)])[1:4]
    return any(word in _words().speech for word in words)
