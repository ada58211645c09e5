"""Checks files before they are scored, and reports every problem with a code."""

from __future__ import annotations

import gzip
import hashlib
import io
import stat
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from otherwords.corpus import wmt
from otherwords.corpus.formats import Chosen, Columns, Format, check_kind, detect
from otherwords.corpus.inputs import fields_of
from otherwords.corpus.jsonl import jsonl_records, row_of
from otherwords.corpus.problems import OUTPUTS, Finding, Ledger, SeenRows, Severity, Tally, look_at
from otherwords.corpus.records import Record, cell_records, json_records, parquet_records
from otherwords.corpus.rows import Row
from otherwords.corpus.wmt import encoding_of
from otherwords.errors import InputError
from otherwords.io.files import (
    BOM,
    DAMAGED,
    STDIN,
    damaged,
    decode,
    no_such_file,
    open_bytes,
    paths_of,
)
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.outputs import find_faults

_HEAD = 4096


@dataclass(frozen=True, slots=True)
class _Line:
    """A numbered line; one that is not `sound` has already been reported."""

    number: int
    text: str
    sound: bool


@dataclass
class _File:
    """The format of one file, and the content that must agree with other files."""

    path: str
    format: Format = "text"
    lines: int | None = None
    digest: bytes = b""
    wmt: wmt.WmtFile | None = None
    columns: Chosen | None = None
    seen: SeenRows = field(default_factory=SeenRows)


@dataclass(frozen=True)
class ValidationResult(Tabular):
    """The findings in a number of files; `errors` and `doubts` (warnings) count them."""

    findings: tuple[Finding, ...]
    files: int

    @property
    def errors(self) -> int:
        return self._count("error")

    @property
    def doubts(self) -> int:
        return self._count("warning")

    def _count(self, severity: Severity) -> int:
        return sum(finding.count for finding in self.findings if finding.severity == severity)

    def tables(self) -> list[Table]:
        columns = [Column("place", left=True), Column("code", left=True)]
        columns.append(Column("message", left=True))
        rows: list[list[Cell]] = [
            [finding.place, finding.code, finding.message] for finding in self.findings
        ]
        return [Table("findings", columns, rows)] if rows else []

    def render(self, form: str = "text", **how: Any) -> Iterator[str]:
        """Render the result; as text one line per finding, as compilers do."""
        if form == "text":
            return iter([*map(str, self.findings), *([""] if self.findings else []), *self.notes()])
        return super().render(form, **how)

    def notes(self) -> list[str]:
        counts = {"error": self.errors, "warning": self.doubts}
        summary = ", ".join(_plural(count, what) for what, count in counts.items())
        total = summary if any(counts.values()) else "nothing found"
        return [f"{total} in {_plural(self.files, 'file')}"]

    def records(self) -> list[Table]:
        names = ("code", "severity", "path", "line", "column", "message", "count")
        rows = [[getattr(finding, name) for name in names] for finding in self.findings]
        return [Table("findings", [Column(name) for name in names], rows)]

    def to_dict(self) -> dict[str, Any]:
        shown = [asdict(finding) for finding in self.findings]
        return {"findings": shown, "errors": self.errors, "warnings": self.doubts}


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def validate_files(
    paths: Iterable[str | Path], *, cap: int | None = 3, columns: Chosen | None = None
) -> ValidationResult:
    """Run `validate` and collect its findings.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "text.txt")
    ...     _ = path.write_text('one\\n\\n')
    ...     [(one.code, one.line) for one in validate_files([path]).findings]
    [('W504', 2)]
    """
    names = paths_of(paths)
    return ValidationResult(tuple(validate(names, cap=cap, columns=columns)), len(names))


def validate(
    paths: Iterable[str | Path], *, cap: int | None = 3, columns: Chosen | None = None
) -> Iterator[Finding]:
    """Find errors and suspicious places in files that belong together, file by file.

    A file is JSONL, JSON, CSV, TSV, Parquet or WMT by its name or content, else text with
    one segment per line; `columns` is for rows, as in `read_rows`. Of each code, the
    first `cap` findings in a file are listed (`None`: all), then the number of others. A file that
    cannot be opened raises `InputError` at once.
    """
    names = paths_of(paths)
    for name in names:
        _must_exist(name)
    return _validate(names, cap, columns)


def _must_exist(name: str) -> None:
    # The file is not opened, because a pipe can be opened only once.
    if name == STDIN:
        return
    try:
        directory = stat.S_ISDIR(Path(name).stat().st_mode)
    except FileNotFoundError as error:
        raise no_such_file(name) from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be opened: {error}", path=repr(name)) from error
    if directory:
        raise InputError("this is a directory; a file is needed", path=name)


def _validate(names: list[str], cap: int | None, columns: Chosen | None) -> Iterator[Finding]:
    files = []
    seen = SeenRows()
    for name in names:
        ledger = Ledger(name, cap)
        files.append(_check(_File(name, columns=columns, seen=seen), ledger))
        yield from ledger.findings()
    ledgers = {name: Ledger(name, cap) for name in names}
    _compare_texts([file for file in files if file.lines is not None], ledgers)
    seen.report(ledgers)
    _compare_wmt([file.wmt for file in files if file.wmt is not None], ledgers)
    for ledger in ledgers.values():
        yield from ledger.findings()


def _check(file: _File, ledger: Ledger) -> _File:
    name = file.path
    try:
        with open_bytes(name, parquet=True) as stream:
            head = stream.peek(_HEAD)
            file.format = detect(name, head, file.columns)
            check_kind(name, file.format, head)
            if file.format == "parquet":
                _check_records(file, parquet_records(stream, name), ledger)
                return file
            encoding = (
                encoding_of(head.removeprefix(BOM), name) if file.format == "wmt" else "utf-8"
            )
            _CHECKS[file.format](file, _lines(stream, name, encoding, ledger), ledger)
    except InputError as error:
        ledger.error(error)
    return file


def _lines(
    stream: io.BufferedReader | gzip.GzipFile, name: str, encoding: str, ledger: Ledger
) -> Iterator[_Line]:
    """The lines of a file; problems with its bytes are reported."""
    number = crlf = 0
    try:
        for number, raw in enumerate(stream, 1):
            crlf += raw.endswith(b"\r\n")
            if number == 1 and raw.startswith(BOM):
                ledger.note("W501", "the file starts with a byte order mark", 1, 1)
                raw = raw.removeprefix(BOM)
            yield _line(raw.removesuffix(b"\n").removesuffix(b"\r"), name, number, encoding, ledger)
    except DAMAGED:
        ledger.error(damaged(name, number))
        number = number or -1  # the content is lost, but the file is not empty
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=name) from error
    if not number:
        ledger.note("E105", "the file is empty")
    if crlf:
        ledger.note("W502", f"{crlf:,} of {number:,} lines end in CRLF")


def _line(raw: bytes, name: str, number: int, encoding: str, ledger: Ledger) -> _Line:
    try:
        text = decode(raw, name, number, encoding)
    except InputError as error:
        ledger.error(error)
        return _Line(number, raw.decode(encoding, "replace"), False)
    return _Line(number, text, True)


def _check_text(file: _File, lines: Iterable[_Line], ledger: Ledger) -> None:
    tally = Tally()
    digest = hashlib.blake2b()
    count = 0
    for line in lines:
        count = line.number
        digest.update(line.text.encode() + b"\n")
        if line.sound:
            tally.add(line.text, line.number)
            look_at(line.text, ledger, line.number)
            if "\t" in line.text:
                message = "tab; is this a table rather than one segment per line?"
                ledger.note("W511", message, line.number, line.text.index("\t") + 1)
    tally.report(ledger)
    file.lines, file.digest = count, digest.digest()


def _check_rows(file: _File, lines: Iterable[_Line], ledger: Ledger) -> None:
    unsound: set[int] = set()
    blank = 0

    def numbered() -> Iterator[tuple[int, str]]:
        nonlocal blank
        for line in lines:
            if not line.sound:
                unsound.add(line.number)
            blank += not line.text or line.text.isspace()
            yield line.number, line.text

    if file.format == "json":
        records = json_records("\n".join(text for _, text in numbered()), file.path)
    elif file.format == "jsonl":
        records = jsonl_records(numbered(), file.path)
    else:
        records = cell_records(numbered(), file.path, file.format)
    rows = _check_records(file, records, ledger, unsound)
    if blank and not rows:
        ledger.note("E105", "the file has only blank lines")


def _check_records(
    file: _File, records: Iterable[Record], ledger: Ledger, unsound: Container[int] = ()
) -> int:
    """Check each record and their number; records of unsound lines were already reported."""
    tallies = {"hypothesis": Tally(), "references": Tally(False), "source": Tally(False)}
    names = Columns(file.columns or {})
    count = 0
    for number, record in records:
        count += 1
        if number in unsound:
            continue
        try:
            if isinstance(record, InputError):
                raise record
            fields = fields_of(record, names, file.path, number, file.format, first=count == 1)
            row = row_of(fields, file.path, number)
        except InputError as error:
            ledger.error(error)
            if count == 1 and file.format in ("csv", "tsv", "parquet") and error.code == "E203":
                break  # no row has the column
        else:
            _check_row(row, number, tallies, ledger)
            file.seen.add(row, file.path, number, ledger)
    for name, tally in tallies.items():
        tally.report(ledger, name)
    return count


def _check_row(row: Row, line: int, tallies: dict[str, Tally], ledger: Ledger) -> None:
    texts = [("hypothesis", row.hypothesis), *(("references", text) for text in row.references)]
    if row.source is not None:
        texts.append(("source", row.source))
    for name, text in texts:
        look_at(str(text), ledger, line, name)
        tallies[name].add(str(text), line, row.system)
    if not row.references and row.source is None:
        ledger.note("W518", "neither references nor a source", line)
    else:
        original = str(row.references[0] if row.references else row.source)
        translated = not row.references and "-" in (row.langs or "")
        for fault in find_faults(str(row.hypothesis), original, language=not translated):
            if fault.code in OUTPUTS:
                ledger.note(OUTPUTS[fault.code], f"hypothesis: {fault.reason}", line)
    _check_copy(row, line, ledger)


def _check_copy(row: Row, line: int, ledger: Ledger) -> None:
    if row.source and row.hypothesis == row.source:
        ledger.note("W512", f"the hypothesis of {row.system!r} is the source, unchanged", line)


def _check_wmt(file: _File, lines: Iterable[_Line], ledger: Ledger) -> None:
    text = "\n".join(line.text for line in lines)
    if not text:
        return
    content, problems = wmt.parse_wmt(text, file.path)
    for problem in problems:
        ledger.error(problem)
    file.wmt = None if problems else content
    streams = {"source": content.sources or []}
    streams |= {f"reference {name!r}": stream for name, stream in content.references.items()}
    streams |= {f"system {name!r}": stream for name, stream in content.systems.items()}
    for title, stream in streams.items():
        tally = Tally()
        for segment in stream:
            look_at(segment.text, ledger, segment.line, title)
            tally.add(segment.text, segment.line)
        tally.report(ledger, title)
    _check_wmt_copies(content, ledger)


def _check_wmt_copies(file: wmt.WmtFile, ledger: Ledger) -> None:
    sources = {segment.key: segment.text for segment in file.sources or ()}
    for system, stream in file.systems.items():
        for segment in stream:
            row = Row(segment.text, source=sources.get(segment.key), system=system)
            _check_copy(row, segment.line, ledger)


_CHECKS: dict[Format, Callable[[_File, Iterable[_Line], Ledger], None]] = {
    "text": _check_text,
    **dict.fromkeys(("jsonl", "json", "csv", "tsv"), _check_rows),
    "wmt": _check_wmt,
}


def _compare_texts(files: list[_File], ledgers: dict[str, Ledger]) -> None:
    """Check that text files are parallel, and not copies of each other."""
    same: dict[bytes, str] = {}
    for file in files:
        if file.lines != files[0].lines:
            other = f"that of {files[0].path} is {files[0].lines:,}"
            ledgers[file.path].note("E104", f"the line count is {file.lines:,}, but {other}")
        first = same.setdefault(file.digest, file.path)
        if file.lines and first != file.path:
            ledgers[file.path].note("W515", f"the same text as in {first}")


def _compare_wmt(files: list[wmt.WmtFile], ledgers: dict[str, Ledger]) -> None:
    """Check that each system has the segments of the references and sources of all files."""
    references = [file for file in files if file.references]
    sources = [file for file in files if file.sources is not None]
    for file in files:
        for problem in _mismatches(file, references, sources):
            ledgers[problem.path or file.path].error(problem)


def _mismatches(
    file: wmt.WmtFile, references: list[wmt.WmtFile], sources: list[wmt.WmtFile]
) -> Iterator[InputError]:
    alone = wmt.WmtFile(file.path, None, {}, file.systems)
    yield from wmt.mismatches(file)
    if not file.references:
        yield from wmt.mismatches(alone, references)
    if file.sources is None:
        for other in sources:
            yield from wmt.mismatches(alone, sources=other)
