"""Scanners of XML and of SGML that give a collector the tags and segments, with their lines."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from html.entities import html5
from typing import Protocol
from xml.parsers import expat

from otherwords.errors import InputError

__all__ = ["Collector", "encoding_of", "is_xml", "scan_sgml", "scan_xml"]

_DECLARED = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']""")
_XML = re.compile(r"\s*<(\?xml|dataset)\b")
_TAG = re.compile(
    r"<(/?)(srcset|refset|tstset|src|ref|hyp|doc|seg)\b((?:[^<>\"']|\"[^\"<\n]*\"|'[^'<\n]*')*)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
# Encodings of text in which the declaration reads as ASCII, by the names of Python's codecs.
_ENCODINGS = {
    *("ascii", "utf-8", "utf-8-sig", "koi8-r", "koi8-u", "big5", "gb18030", "gb2312", "gbk"),
    *("euc_jp", "euc_kr", "shift_jis", "tis-620"),
    *(f"iso8859-{part}" for part in range(1, 17)),
    *(f"cp{number}" for number in range(1250, 1259)),
}
_UNCLOSED = "this <seg> is not closed by </seg>"


class Collector(Protocol):
    """Collects the tags and segments of a file, in order."""

    def open(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """A start tag."""

    def close(self, tag: str) -> None:
        """An end tag."""

    def segment(self, text: str, attributes: Mapping[str, str], line: int) -> None:
        """A whole <seg>."""

    def problem(self, code: str, message: str, line: int | None) -> None:
        """Something is wrong, but the rest can be read."""


def encoding_of(head: bytes, path: str) -> str:
    """The encoding that an XML declaration names, UTF-8 without one."""
    match = _DECLARED.match(head.lstrip())
    name = match[1].decode() if match else "utf-8"
    try:
        if codecs.lookup(name).name in _ENCODINGS:
            return name
    except LookupError:
        pass
    message = f"the XML declaration names an encoding that this file cannot have: {name!r}"
    advice = "convert it to UTF-8, for example with iconv -t utf-8"
    raise InputError(f"{message}; {advice}", path=path, line=1, code="E101")


def is_xml(text: str) -> bool:
    """Whether a file claims to be XML, and so must be well-formed."""
    return bool(_XML.match(text))


def scan_xml(text: str, path: str, collector: Collector) -> None:
    """Expat itself rather than ElementTree on top of it: it knows the line of each tag."""
    parser = expat.ParserCreate()
    parser.EntityDeclHandler = _refuse_entity  # no file needs one; some would never end
    scanner = _XmlScanner(parser, collector)
    parser.buffer_text = True
    parser.StartElementHandler = scanner.start
    parser.EndElementHandler = scanner.end
    parser.CharacterDataHandler = scanner.characters
    parser.SkippedEntityHandler = scanner.skipped
    try:
        parser.Parse(text, True)
    except _EntityDeclaredError as error:
        message = "this XML declares an entity; only files without such declarations are read"
        raise InputError(message, path=path, line=parser.CurrentLineNumber, code="E401") from error
    except expat.ExpatError as error:
        message = f"not well-formed XML: {expat.ErrorString(error.code)}{_hint(text, error)}"
        raise InputError(
            message, path=path, line=error.lineno, column=error.offset + 1, code="E401"
        ) from error


class _EntityDeclaredError(Exception):
    pass


def _refuse_entity(*_: object) -> None:
    raise _EntityDeclaredError


def _hint(text: str, error: expat.ExpatError) -> str:
    if expat.ErrorString(error.code) != expat.errors.XML_ERROR_INVALID_TOKEN:
        return ""
    line = text.split("\n")[error.lineno - 1] if error.lineno <= text.count("\n") + 1 else ""
    before = line[: error.offset + 1]
    if "&" in before and ";" not in before[before.rindex("&") :]:
        return "; a bare & must be written &amp;"
    return ""


class _XmlScanner:
    def __init__(self, parser: expat.XMLParserType, collector: Collector) -> None:
        self._parser = parser
        self._collector = collector
        self._text: list[str] | None = None
        self._attributes: dict[str, str] = {}
        self._line = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag.lower() == "seg":
            self._text = []
            self._attributes = _lower(attributes)
            self._line = self._parser.CurrentLineNumber
        elif self._text is None:
            line = self._parser.CurrentLineNumber
            self._collector.open(tag.lower(), _lower(attributes), line)

    def end(self, tag: str) -> None:
        if tag.lower() == "seg" and self._text is not None:
            self._collector.segment("".join(self._text), self._attributes, self._line)
            self._text = None
        elif self._text is None:
            self._collector.close(tag.lower())

    def characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def skipped(self, name: str, is_parameter: bool) -> None:
        """An entity that a DTD we do not fetch may define: the common ones we know."""
        if not is_parameter:
            self.characters(html5.get(f"{name};", f"&{name};"))


def _lower(attributes: Mapping[str, str]) -> dict[str, str]:
    return {key.lower(): value for key, value in attributes.items()}


def scan_sgml(text: str, path: str, collector: Collector) -> None:
    """A tolerant scan: any case, bare `&`, attributes with or without quotes.

    Only the tags of the format count as tags, so that an `<unk>` in a translation is text.
    """
    segment: tuple[re.Match[str], int] | None = None
    line, counted = 1, 0
    for match in _TAG.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        tag = match[1] + match[2].lower()
        if segment and tag == "/seg":
            start, started = segment
            content = decode_entities(text[start.end() : match.start()])
            collector.segment(content, _attributes(start[3]), started)
            segment = None
            continue
        if segment:
            collector.problem("E405", _UNCLOSED, segment[1])
        segment = (match, line) if tag == "seg" else None
        _report(tag, match, line, collector)
    if segment:
        collector.problem("E405", _UNCLOSED, segment[1])


def _report(tag: str, match: re.Match[str], line: int, collector: Collector) -> None:
    if tag == "/seg":
        collector.problem("E405", "a </seg> without its <seg>", line)
    elif tag.startswith("/"):
        collector.close(tag[1:])
    elif tag != "seg":
        collector.open(tag, _attributes(match[3]), line)


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.finditer(text)
    return {m[1].lower(): decode_entities(m[2] or m[3] or m[4] or "") for m in found}


def decode_entities(text: str) -> str:
    """Decodes entities once; other text is not changed.

    >>> decode_entities("R&D &amp; &quot;x&quot; &#39;y&#x27; &amp;lt; &nonsense;")
    'R&D & "x" \\'y\\' &lt; &nonsense;'
    """
    return _ENTITY.sub(_entity, text) if "&" in text else text


def _entity(match: re.Match[str]) -> str:
    name = match[1]
    if not name.startswith("#"):
        return html5.get(f"{name};", match[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    usable = 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if usable else match[0]
