"""The files of the WMT shared tasks: WMT XML, and the SGML of mteval before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.corpus.kinds import HEAD
from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.io.files import BOM, decode, read_bytes, without_end

__all__ = ["WmtFile", "WmtSegment", "read_wmt", "rows"]

_SETS = {"srcset": "src", "refset": "ref", "tstset": "hyp"}
_NAMES = {
    "src": ("lang",),
    "ref": ("translator", "sysid", "refid"),
    "hyp": ("system", "sysid"),
}
_UNNAMED = {"src": "source", "ref": "reference", "hyp": "system"}
_BREAK = re.compile(r"(?<![ \t])[ \t]*[\r\n]\s*")


@dataclass(frozen=True, slots=True)
class WmtSegment:
    """A segment, known by its document and its number in there."""

    text: str
    doc: str
    seg: str
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What the same segment has in common in sources, references and systems."""
        return self.doc, self.seg


@dataclass(frozen=True)
class WmtFile:
    """What a file holds: sources, references by translator, outputs by system."""

    path: str
    sources: list[WmtSegment] | None = None
    references: dict[str, list[WmtSegment]] = field(default_factory=dict)
    systems: dict[str, list[WmtSegment]] = field(default_factory=dict)


def read_wmt(path: str | Path) -> WmtFile:
    """Reads WMT XML (`<dataset>`) or mteval SGML (`<srcset>`, `<refset>`, `<tstset>`).

    A line break inside a segment becomes a space, and white space around it goes. A file
    must be UTF-8 unless its XML declaration says otherwise.
    """
    return wmt_of(read_bytes(path), str(path))


def wmt_of(content: bytes, name: str) -> WmtFile:
    """What the bytes of such a file hold."""
    from otherwords.corpus._markup import encoding_of

    content = content.removeprefix(BOM)
    encoding = encoding_of(content[:HEAD], name)
    lines = enumerate(content.split(b"\n"), 1)
    text = "\n".join(decode(without_end(raw), name, number, encoding) for number, raw in lines)
    file, problems = parse_wmt(text, name)
    for problem in problems:
        raise problem
    return file


def parse_wmt(text: str, path: str) -> tuple[WmtFile, list[InputError]]:
    """What a file's text holds, and all that is wrong with it."""
    from otherwords.corpus._markup import is_xml, scan_sgml, scan_xml

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
    """Gathers segments from the tags of a file; both formats differ in little but names."""

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
        """A start tag."""
        if tag in _SETS or tag in _NAMES:
            self._side = _SETS.get(tag, tag)
            self._name = self._named(attributes)
        elif tag == "doc":
            self._doc = attributes.get("docid") or attributes.get("id")
            self._doc_name = self._named(attributes) if self._side else None
            if not self._doc:
                self.problem("E403", "a <doc> without an id", line)

    def close(self, tag: str) -> None:
        """An end tag."""
        if tag in _SETS or tag in _NAMES:
            self._side = self._name = None
        elif tag == "doc":
            self._doc = self._doc_name = None

    def segment(self, text: str, attributes: Mapping[str, str], line: int) -> None:
        """A whole <seg>."""
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

    def _named(self, attributes: Mapping[str, str]) -> str | None:
        keys = _NAMES[self._side or "src"]
        return next((attributes[key] for key in keys if attributes.get(key)), None)

    def problem(self, code: str, message: str, line: int | None) -> None:
        """Notes what is wrong; reading continues."""
        self.problems.append(InputError(message, path=self._path, line=line, code=code))


def _tidy(text: str) -> str:
    return _BREAK.sub(" ", text.strip())


def rows(
    file: WmtFile, references: WmtFile | None = None, sources: WmtFile | None = None
) -> Iterator[Row]:
    """The outputs of all systems in `file`, with the references and source of each segment.

    References and sources come from `file` itself unless given. Segments are matched by
    document and number, whatever their order. In one file a document may lack a system, a
    translator or the source altogether; files given separately must have the same segments. A
    segment that is missing where it should be is an error.
    """
    if not file.systems:
        message = "no system output here; it must be in <hyp> or <tstset>"
        raise InputError(message, path=file.path, code="E406")
    for problem in mismatches(file, references, sources):
        raise problem
    translations = [_by_key(stream) for stream in (references or file).references.values()]
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
    file: WmtFile, references: WmtFile | None = None, sources: WmtFile | None = None
) -> Iterator[InputError]:
    """Each segment that a system, a reference or the source has and another lacks."""
    others = [
        (references or file, references is not None, f"reference {name!r}", stream)
        for name, stream in (references or file).references.items()
    ]
    if (sources or file).sources is not None:
        stream = (sources or file).sources or []
        others.append((sources or file, sources is not None, "the source", stream))
    for system, outputs in file.systems.items():
        for other, apart, title, stream in others:
            yield from _missing(outputs, stream, title, other.path, apart)
            yield from _missing(stream, outputs, f"system {system!r}", file.path, apart)


def _missing(
    there: Iterable[WmtSegment],
    here: Iterable[WmtSegment],
    title: str,
    path: str,
    whole: bool,
) -> Iterator[InputError]:
    """What is `there` but not `here`; if not `whole`, only in documents that are here."""
    keys = {segment.key for segment in here}
    documents = {doc for doc, _ in keys}
    for segment in there:
        if segment.key not in keys and (whole or segment.doc in documents):
            message = f"{title} lacks segment {segment.seg!r} of document {segment.doc!r}"
            yield InputError(message, path=path, code="E407")


def _by_key(stream: Iterable[WmtSegment]) -> dict[tuple[str, str], str]:
    return {segment.key: segment.text for segment in stream}
