"""The files of the WMT shared tasks: WMT XML, and the SGML of mteval before it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from xml.parsers import expat

from otherwords.corpus.formats import HEAD
from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.io.files import BOM, decode, read_bytes

_SETS = {"srcset": "src", "refset": "ref", "tstset": "hyp"}
_NAMES = {
    "src": ("lang",),
    "ref": ("translator", "sysid", "refid"),
    "hyp": ("system", "sysid"),
}
_UNNAMED = {"src": "source", "ref": "reference", "hyp": "system"}
_BREAK = re.compile(r"(?<![ \t])[ \t]*[\r\n]\s*")
_DECLARED = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']""")
_XML = re.compile(r"\s*<(\?xml|dataset)\b")
_TAG = re.compile(
    r"<(/?)(srcset|refset|tstset|src|ref|hyp|doc|seg)\b((?:[^<>\"']|\"[^\"<\n]*\"|'[^'<\n]*')*)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);")
# Encodings in which the declaration is readable as ASCII, by the names of Python's codecs.
_ENCODINGS = {
    *("ascii", "utf-8", "utf-8-sig", "koi8-r", "koi8-u", "big5", "gb18030", "gb2312", "gbk"),
    *("euc_jp", "euc_kr", "shift_jis", "tis-620"),
    *(f"iso8859-{part}" for part in range(1, 17)),
    *(f"cp{number}" for number in range(1250, 1259)),
}
_UNCLOSED = "this <seg> is not closed by </seg>"


@dataclass(frozen=True, slots=True)
class WmtSegment:
    """A segment, identified by its document and its number in it."""

    text: str
    doc: str
    seg: str
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """The key of the segment, the same in sources, references and systems."""
        return self.doc, self.seg


@dataclass(frozen=True)
class WmtFile:
    """The content of a file: sources, references by translator, outputs by system."""

    path: str
    sources: list[WmtSegment] | None = None
    references: dict[str, list[WmtSegment]] = field(default_factory=dict)
    systems: dict[str, list[WmtSegment]] = field(default_factory=dict)


def read_wmt(path: str | Path) -> WmtFile:
    """Read WMT XML (`<dataset>`) or mteval SGML (`<srcset>`, `<refset>`, `<tstset>`).

    A line break inside a segment becomes a space; white space around a segment is removed. A file
    must be UTF-8 unless its XML declaration says otherwise.
    """
    return wmt_of(read_bytes(path), str(path))


def wmt_of(content: bytes, name: str) -> WmtFile:
    """Parse the bytes of a WMT file."""

    content = content.removeprefix(BOM)
    encoding = encoding_of(content[:HEAD], name)
    lines = enumerate(content.split(b"\n"), 1)
    text = "\n".join(
        decode(raw.removesuffix(b"\n").removesuffix(b"\r"), name, number, encoding)
        for number, raw in lines
    )
    file, problems = parse_wmt(text, name)
    for problem in problems:
        raise problem
    return file


def parse_wmt(text: str, path: str) -> tuple[WmtFile, list[InputError]]:
    """Parse a file's text; returns the content and all problems."""

    collector = _Collector(path)
    scan = scan_xml if is_xml(text) else scan_sgml
    try:
        scan(text, path, collector)
    except InputError as error:
        collector.problems.append(error)
    else:
        collector.finish()
    return collector.file, collector.problems


class _Collector:
    """Collects segments from the tags of a file, in either format."""

    def __init__(self, path: str) -> None:
        self.file = WmtFile(path)
        self.problems: list[InputError] = []
        self._path = path
        self._side: str | None = None
        self._name: str | None = None
        self._doc_name: str | None = None
        self._doc: str | None = None
        self._seen: set[tuple[str, str, str, str]] = set()
        self._segments: dict[tuple[str, str], list[WmtSegment]] = {}

    def open(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        if tag in _SETS or tag in _NAMES:
            self._side = _SETS.get(tag, tag)
            self._name = self._find_name(attributes)
        elif tag == "doc":
            self._doc = attributes.get("docid") or attributes.get("id")
            self._doc_name = self._find_name(attributes) if self._side else None
            if not self._doc:
                self.problem("E403", "a <doc> without an id", line)

    def close(self, tag: str) -> None:
        if tag in _SETS or tag in _NAMES:
            self._side = self._name = None
        elif tag == "doc":
            self._doc = self._doc_name = None

    def segment(self, text: str, attributes: Mapping[str, str], line: int) -> None:
        number = attributes.get("id")
        if not number:
            self.problem("E403", f"a <seg> without an id, in document {self._doc!r}", line)
        elif not self._doc or self._side is None:
            where = "a <doc> with an id" if not self._doc else "<src>, <ref>, <hyp> or a set"
            self.problem("E402", f"segment {number!r} is outside of {where}", line)
        else:
            self._add(WmtSegment(_tidy(text), self._doc, number, line), self._side)

    def finish(self) -> None:
        """At the end of the file."""
        if not self._segments and not self.problems:
            wanted = "<dataset>, <srcset>, <refset> or <tstset> with segments"
            self.problem("E406", f"no {wanted} in this file", None)

    def _add(self, segment: WmtSegment, side: str) -> None:
        name = self._doc_name or self._name or _UNNAMED[side]
        kind = "source" if side == "src" else name
        if (side, kind, *segment.key) in self._seen:
            message = f"segment {segment.seg!r} of document {segment.doc!r} comes twice"
            self.problem("E404", f"{message} for {_UNNAMED[side]} {name!r}", segment.line)
            return
        self._seen.add((side, kind, *segment.key))
        if (side, kind) not in self._segments:
            self._segments[side, kind] = self._stream(side, kind)
        self._segments[side, kind].append(segment)

    def _stream(self, side: str, name: str) -> list[WmtSegment]:
        if side == "src":
            sources: list[WmtSegment] = []
            self.file = WmtFile(self._path, sources, self.file.references, self.file.systems)
            return sources
        streams = self.file.references if side == "ref" else self.file.systems
        return streams.setdefault(name, [])

    def _find_name(self, attributes: Mapping[str, str]) -> str | None:
        keys = _NAMES[self._side or "src"]
        return next((attributes[key] for key in keys if attributes.get(key)), None)

    def problem(self, code: str, message: str, line: int | None) -> None:
        """Record a problem; reading continues."""
        self.problems.append(InputError(message, path=self._path, line=line, code=code))


def _tidy(text: str) -> str:
    return _BREAK.sub(" ", text.strip())


def rows(
    file: WmtFile, references: Sequence[WmtFile] = (), sources: WmtFile | None = None
) -> Iterator[Row]:
    """The outputs of all systems in `file`, with the references and source of each segment.

    References, of one or more files, and sources come from `file` itself unless given. Segments
    are matched by document and number, whatever their order. In one file a document may lack a
    system, a translator or the source altogether; files given separately must have the same
    segments. A segment that is missing where it should be is an error.
    """
    if not file.systems:
        message = "no system output here; it must be in <hyp> or <tstset>"
        raise InputError(message, path=file.path, code="E406")
    for problem in mismatches(file, references, sources):
        raise problem
    translations = [
        _by_key(stream) for other in references or [file] for stream in other.references.values()
    ]
    originals = _by_key((sources or file).sources or ())
    for system, stream in file.systems.items():
        for segment in stream:
            yield Row(
                hypothesis=segment.text,
                references=tuple(t[segment.key] for t in translations if segment.key in t),
                source=originals.get(segment.key),
                system=system,
                item=f"{segment.doc}:{segment.seg}",
                doc=segment.doc,
            )


def mismatches(
    file: WmtFile, references: Sequence[WmtFile] = (), sources: WmtFile | None = None
) -> Iterator[InputError]:
    """The segments that a system, a reference or the source has and another lacks."""
    others = [
        (other, bool(references), f"reference {name!r}", stream)
        for other in references or [file]
        for name, stream in other.references.items()
    ]
    if (sources or file).sources is not None:
        stream = (sources or file).sources or []
        others.append((sources or file, sources is not None, "the source", stream))
    for system, outputs in file.systems.items():
        for other, apart, title, stream in others:
            yield from _find_missing(outputs, stream, title, other.path, apart)
            yield from _find_missing(stream, outputs, f"system {system!r}", file.path, apart)


def _find_missing(
    there: Iterable[WmtSegment],
    here: Iterable[WmtSegment],
    title: str,
    path: str,
    whole: bool,
) -> Iterator[InputError]:
    """The segments that are `there` but not `here`; if not `whole`, only in documents of `here`."""
    keys = {segment.key for segment in here}
    documents = {doc for doc, _ in keys}
    for segment in there:
        if segment.key not in keys and (whole or segment.doc in documents):
            message = f"{title} lacks segment {segment.seg!r} of document {segment.doc!r}"
            yield InputError(message, path=path, code="E407")


def _by_key(stream: Iterable[WmtSegment]) -> dict[tuple[str, str], str]:
    return {segment.key: segment.text for segment in stream}


def encoding_of(head: bytes, path: str) -> str:
    """The encoding in the XML declaration, or UTF-8."""
    match = _DECLARED.match(head.lstrip())
    name = match[1].decode() if match else "utf-8"
    try:
        if codecs.lookup(name).name in _ENCODINGS:
            return name
    except LookupError:
        pass
    message = f"the XML declaration names an encoding that this file cannot have: {name!r}"
    advice = "convert it to UTF-8 with iconv -f ENCODING -t utf-8"
    raise InputError(f"{message}; {advice}", path=path, line=1, code="E101")


def is_xml(text: str) -> bool:
    """Whether a file claims to be XML, and so must be well-formed."""
    return bool(_XML.match(text))


def scan_xml(text: str, path: str, collector: _Collector) -> None:
    """Scan XML with expat rather than ElementTree, because expat knows the line of each tag."""
    parser = expat.ParserCreate()
    parser.EntityDeclHandler = _refuse_entity  # no file needs entities; some would expand endlessly
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
    def __init__(self, parser: expat.XMLParserType, collector: _Collector) -> None:
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
        """Decode common entities that a DTD, which is not fetched, may define."""
        if not is_parameter:
            self.characters(html5.get(f"{name};", f"&{name};"))


def _lower(attributes: Mapping[str, str]) -> dict[str, str]:
    return {key.lower(): value for key, value in attributes.items()}


def scan_sgml(text: str, path: str, collector: _Collector) -> None:
    """Scan SGML tolerantly: any case, bare `&`, attributes with or without quotes.

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


def _report(tag: str, match: re.Match[str], line: int, collector: _Collector) -> None:
    if tag == "/seg":
        collector.problem("E405", "a </seg> without its <seg>", line)
    elif tag.startswith("/"):
        collector.close(tag[1:])
    elif tag != "seg":
        collector.open(tag, _attributes(match[3]), line)


def _attributes(text: str) -> dict[str, str]:
    matches = _ATTRIBUTE.finditer(text)
    return {m[1].lower(): decode_entities(m[2] or m[3] or m[4] or "") for m in matches}


def decode_entities(text: str) -> str:
    """Decode entities once; other text is not changed.

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
