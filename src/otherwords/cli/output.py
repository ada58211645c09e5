"""Output of results: to standard output, or to a file that appears only when complete."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from otherwords.cli.options import Output, written
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, packed_write
from otherwords.tables.tabular import Format, Tabular, format_of, refuse_checks


@dataclass(frozen=True)
class Destination:
    """The file or standard output for a result, and its format."""

    form: Format | None = written(
        "Write text, markdown, latex, tsv, csv, json, jsonl or html; a gate also junit or sarif "
        "(default: by the name of -o, else text).",
        "--format",
        "-f",
        metavar="FORMAT",
    )
    output: Output = None
    signatures: bool = written(
        "Print the signatures of metrics below text; other formats and files always have them."
    )

    def check(self, *inputs: str | None, gate: bool = False) -> None:
        """Refuse, before any work, an output that is one of the inputs or cannot be written.

        Formats of checks are for a `gate`.
        """
        if self.format() in (Format.junit, Format.sarif) and not gate:
            raise refuse_checks(self.format())
        check_output(self.output, *inputs)

    def format(self, default: Format = Format.text) -> Format:
        """Return the requested format, else that of the output's name."""
        return format_of(self.output, default) if self.form is None else self.form

    def show(self, result: Tabular, default: Format = Format.text) -> None:
        """Print a result, or write it to the file; then print its warnings."""
        form, is_file = self.format(default), self.output not in (None, STDIN)
        if is_file or form is not Format.text:
            emit(result.render(form), self.output)
        else:
            is_terminal = sys.stdout.isatty()  # a pipe has no width and no colours
            width = shutil.get_terminal_size().columns if is_terminal else None
            lines = result.render(form, width=width, signatures=self.signatures)
            is_dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
            emit([paint("\n".join(lines))] if is_terminal and not is_dull else lines, None)
        for warning in result.warnings():
            print(warning, file=sys.stderr)


def paint(text: str) -> str:
    r"""Text in colours: marked words as in `metrics.drawing`, and verdicts at the start of a line.

    >>> paint("a ~[b]")
    'a \x1b[32m~[b]\x1b[0m'
    """
    colours = {"~": 32, "!": 31, "-": 33, "+": 33, "?": 90}
    colours |= {"Passes": 32, "Blocked": 31, "Gate passed": 32, "Gate failed": 31}
    marks = re.compile(
        r"([~!+?-])\[[^\]]*\]|^(Passes|Blocked|Gate passed|Gate failed)\b", re.MULTILINE
    )
    return marks.sub(lambda m: f"\x1b[{colours[m[1] or m[2]]}m{m[0]}\x1b[0m", text)


def emit(lines: Iterable[str], output: str | None) -> None:
    """Write lines of text; see `emit_bytes`."""
    emit_bytes(map(_encode, lines), output)


def append(lines: Iterable[str], path: str) -> None:
    """Append the lines to a file in a single write."""
    content = b"".join(map(_encode, lines))
    try:
        with open(path, "ab") as file:
            file.write(content)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from error


def check_output(output: str | None, *inputs: str | None) -> None:
    """Refuse, before any work, an output that is one of the inputs or cannot be written."""
    if output is None or output == STDIN:
        return
    target = Path(output)
    if target.is_dir():
        raise UsageError(f"{output}: this is a directory; the output must be a file")
    if output.endswith("/") and target.exists():
        raise UsageError(f"{output}: this is a file, not a directory")
    if output.endswith("/"):
        raise UsageError(f"{output}: this names a directory; the output must be a file")
    if not target.parent.is_dir():
        raise UsageError(f"{output}: there is no directory {target.parent}; make it first")
    for path in inputs:
        if path and path != STDIN and target.exists() and _same(target, path):
            raise UsageError(f"{output} is both read and written; give the output another name")


def check_model_output(output: str, report: str | None, *inputs: str) -> None:
    """Refuse to write a trained model or its report over an input or to standard output."""
    for path in (output, report):
        check_output(path, *inputs)
    format_of(report)
    if output == STDIN:
        raise UsageError("a model cannot go to standard output; name a file")
    if report == output:
        raise UsageError("--report and --output name the same file")


def _same(target: Path, path: str) -> bool:
    with suppress(OSError, ValueError):
        return target.is_file() and target.samefile(path)
    return False


def emit_bytes(chunks: Iterable[bytes], output: str | None) -> None:
    """Write UTF-8 text to a file, all or nothing (gzip if named .gz), or to standard output."""
    if output is not None and output != "-":
        with packed_write(output) as file:
            file.writelines(chunks)
        return
    for chunk in chunks:
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


def _encode(line: str) -> bytes:
    # A file name need not be valid Unicode.
    return (line + "\n").encode("utf-8", "backslashreplace")
