"""Parallel files, one segment per line: systems, references, sources, documents.

A test set of mt-metrics-eval (its README, "File organization") consists of such files:

    sources/SRC-TGT.txt                     one segment per line
    documents/SRC-TGT.docs                  DOMAIN DOCUMENT of each segment
    references/SRC-TGT.NAME.txt
    system-outputs/SRC-TGT/NAME.txt         systems, and references that are scored like them
    human-scores/SRC-TGT.NAME.seg.score     SYSTEM SCORE, or None, system by system
    metric-scores/SRC-TGT/NAME-REF.{seg,sys}.score
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from otherwords.corpus.formats import Chosen
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN, paths_of, read_lines
from otherwords.io.values import parse_float

_SUFFIXES = (
    *(".gz", ".txt", ".xml", ".sgm", ".sgml"),
    *(".tsv", ".csv", ".json", ".jsonl", ".parquet", ".owm", ".arpa"),
    *(".pharaoh", ".align", ".links"),
)
_OUTPUTS, _SOURCES = "system-outputs", "sources"


def read_parallel(
    systems: Sequence[str],
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
) -> Iterator[Row]:
    """Rows of all systems, segment by segment, read in parallel and never all at once.

    A system is FILE or NAME=FILE.
    """
    systems, references = paths_of(systems), paths_of(references)
    named = named_files(systems)
    files = list(named.values())
    paths = [*files, *references, *(path for path in (source, docs) if path is not None)]
    if paths.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    readers = [read_lines(path) for path in paths]
    positions = slice(len(files), len(files) + len(references))
    number = 0
    for segments in zip_longest(*readers):
        if None in segments:
            break
        number += 1
        item = str(number)
        compared = segments[positions]
        origin = segments[positions.stop] if source is not None else None
        doc = segments[-1] if docs is not None else None
        for (name, path), hypothesis in zip(named.items(), segments, strict=False):
            yield Row(hypothesis, compared, origin, name, item, doc, path=path, line=number)
    else:
        return
    _check_ends(paths, readers, segments, number)


def _check_ends(
    paths: Sequence[str],
    readers: Sequence[Iterator[str]],
    segments: Sequence[str | None],
    read: int,
) -> None:
    """Check that all files ended together; the error names two of them and their counts."""
    counts = [
        read + (segment is not None) + sum(1 for _ in reader)
        for segment, reader in zip(segments, readers, strict=True)
    ]
    if len(set(counts)) > 1:
        raise _different_counts(dict(zip(paths, counts, strict=True)))


def _different_counts(counts: dict[str, int]) -> InputError:
    """The error for files that differ in length; names the one that differs from all others.

    >>> print(_different_counts({"ref.txt": 3, "a.txt": 2, "b.txt": 2}))
    ref.txt:3: this file has 3 segments, but a.txt and b.txt have 2: line 3 is one too many
    """
    by_count: dict[int, list[str]] = {}
    for path, count in counts.items():
        by_count.setdefault(count, []).append(path)
    short = min(by_count)
    if short == 0:
        path, other = by_count[0][0], by_count[max(by_count)][0]
        message = f"this file is empty, but {other} has {count_segments(counts[other])}"
        return InputError(message, path=path)
    odd = [count for count, sharing in by_count.items() if len(sharing) == 1]
    if len(by_count) == 2 and len(odd) == 1:
        [path], [count] = by_count.pop(odd[0]), odd
        [(usual, others)] = by_count.items()
        have = f"{', '.join(others[:-1])} and {others[-1]} have {usual}"
        if count > usual:
            end = f"line {usual + 1} is one too many"
        else:
            end = f"line {count + 1} is missing (an empty segment is an empty line)"
    else:
        path, count, long = by_count[short][0], short, max(by_count)
        have = f"{by_count[long][0]} has {long}"
        end = f"line {short + 1} is missing here or one too many there"
    message = f"this file has {count_segments(count)}, but {have}: {end}"
    return InputError(message, path=path, line=min(count, min(counts.values())) + 1)


def count_segments(count: int) -> str:
    """A number of segments in words: 1 segment, 2 segments."""
    return "1 segment" if count == 1 else f"{count:,} segments"


def named_files(files: Sequence[str]) -> dict[str, str]:
    """Files by the name of their system: NAME of NAME=FILE, else the file's own name.

    If two files would have the same name, the path is the name.

    >>> named_files(["out/a.tsv.gz", "mine=b.txt", "-"])
    {'a': 'out/a.tsv.gz', 'mine': 'b.txt', 'stdin': '-'}
    >>> list(named_files(["x/out.txt", "y/out.txt"]))
    ['x/out.txt', 'y/out.txt']
    """
    pairs = [split_name(text) for text in files]
    stems = Counter(_stem(file) for name, file in pairs if name is None)
    files_by_name: dict[str, str] = {}
    for name, file in pairs:
        if name is None:
            name = _stem(file) if stems[_stem(file)] == 1 else file
        if name in files_by_name:
            raise UsageError(
                f"two files are given for the system '{name}'; name them NAME=FILE: "
                f"{files_by_name[name]} and {file}"
            )
        files_by_name[name] = file
    return files_by_name


def split_name(text: str) -> tuple[str | None, str]:
    """Split NAME=FILE into name and file, unless a file has that whole name.

    >>> split_name("mine=out.txt"), split_name("out.txt"), split_name("a/b=c.txt")
    (('mine', 'out.txt'), (None, 'out.txt'), (None, 'a/b=c.txt'))
    """
    name, equals, file = text.partition("=")
    if not equals or "/" in name or Path(text).is_file():
        return None, text
    if not name or not file:
        raise UsageError(f"a system is FILE or NAME=FILE, not '{text}'")
    return name, file


def _stem(path: str) -> str:
    if path == STDIN:
        return "stdin"
    name = Path(path).name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix) or name
    return name


@dataclass(frozen=True)
class EvalSet:
    """One language pair of a test set, and the names of the references to use."""

    folder: Path
    langs: str
    references: tuple[str, ...]
    uses_all: bool = True

    @property
    def reference_name(self) -> str:
        """The name of the references in files of metric scores."""
        if self.uses_all and len(self.references) > 1:
            return "all"
        return ".".join(self.references) or "src"

    def rows(self) -> Iterator[Row]:
        """The outputs of each system, except those used as references."""
        sources = list(read_lines(self.folder / _SOURCES / f"{self.langs}.txt"))
        texts = [
            self._read_parallel(sources, f"references/{self.langs}.{name}.txt")
            for name in self.references
        ]
        references = list(zip(*texts, strict=True)) or [()] * len(sources)
        docs: list[str] | list[None] = [None] * len(sources)
        if (self.folder / f"documents/{self.langs}.docs").is_file():
            docs = self._documents(sources)
        files = sorted((self.folder / _OUTPUTS / self.langs).glob("*.txt"))
        human = self._human([file.stem for file in files], len(sources))
        for file in files:
            if file.stem in self.references:
                continue
            outputs = self._read_parallel(sources, f"{_OUTPUTS}/{self.langs}/{file.name}")
            for place, text in enumerate(outputs):
                judged = {
                    name: scores[file.stem][place]
                    for name, scores in human.items()
                    if file.stem in scores and not math.isnan(scores[file.stem][place])
                }
                yield Row(
                    *(text, references[place], sources[place], file.stem, str(place + 1)),
                    docs[place],
                    judged,
                    langs=self.langs,
                    path=str(file),
                    line=place + 1,
                )

    def _read_parallel(self, sources: Sequence[str], name: str) -> list[str]:
        """The lines of a file, which must have one line per source."""
        lines = list(read_lines(self.folder / name))
        if len(lines) != len(sources):
            message = f"there are {len(lines)} lines here but {len(sources)} in {_SOURCES}/"
            raise InputError(f"{message}{self.langs}.txt", path=str(self.folder / name))
        return lines

    def _documents(self, sources: Sequence[str]) -> list[str]:
        name = f"documents/{self.langs}.docs"
        lines = enumerate(self._read_parallel(sources, name), 1)
        return [_document(str(self.folder / name), number, line) for number, line in lines]

    def _human(self, systems: Sequence[str], segments: int) -> dict[str, dict[str, list[float]]]:
        """Segment scores by score name and system."""
        by_name = {}
        start, end = f"{self.langs}.", ".seg.score"
        for path in sorted((self.folder / "human-scores").glob(f"{start}*{end}")):
            scores = read_blocks(str(path))
            for system, values in scores.items():
                if system not in systems:
                    message = f"there is no system '{system}'; {near(system, systems)}"
                    raise InputError(message, path=str(path))
                if len(values) != segments:
                    message = f"'{system}' has {len(values)} scores for {segments} segments"
                    raise InputError(message, path=str(path))
            by_name[path.name.removeprefix(start).removesuffix(end)] = scores
        return by_name


def find_eval_sets(path: str | Path, columns: Chosen | None = None) -> list[EvalSet]:
    """The language pairs of a test set (`wmt22`), or one of them (`wmt22/en-de`); empty if the
    folder is not a test set. `columns` may choose references (`{"references": ["refA"]}`).
    """
    folder, langs = Path(path), "*"
    if not _has_layout(folder):
        folder, langs = folder.parent, folder.name
    if not _has_layout(folder):
        return []
    known = sorted(file.stem for file in (folder / _SOURCES).glob("*.txt"))
    if langs != "*" and langs not in known:
        raise InputError(f"there is no language pair '{langs}'; {near(langs, known)}", path=folder)
    wanted = known if langs == "*" else [langs]
    return [_with_references(folder, langs, columns or {}) for langs in wanted]


def _has_layout(folder: Path) -> bool:
    return (folder / _SOURCES).is_dir() and (folder / _OUTPUTS).is_dir()


def _with_references(folder: Path, langs: str, columns: Chosen) -> EvalSet:
    files = (folder / "references").glob(f"{langs}.*.txt")
    known = tuple(sorted(file.stem.removeprefix(f"{langs}.") for file in files))
    chosen: tuple[str, ...] = ()
    for field, names in columns.items():
        if field not in ("reference", "references"):
            raise UsageError(f"`columns` {field}: of a test set only the references can be chosen")
        chosen = (names,) if isinstance(names, str) else tuple(names)
    for name in chosen:
        if name not in known:
            raise UsageError(f"{folder}: {langs} has no reference '{name}'; {near(name, known)}")
    return EvalSet(folder, langs, chosen or known, uses_all=not chosen or set(chosen) == set(known))


def _document(path: str, number: int, line: str) -> str:
    cells = line.split()
    if len(cells) != 2:
        message = f"a line is DOMAIN DOCUMENT, not {len(cells)} columns"
        raise InputError(message, path=path, line=number)
    return cells[1]


def read_blocks(path: str) -> dict[str, list[float]]:
    """The scores of each system in a file of `SYSTEM SCORE` lines, NaN where there is none."""
    scores: dict[str, list[float]] = {}
    for number, line in enumerate(read_lines(path), 1):
        system, score = score_pair(line, path, number)
        scores.setdefault(system, []).append(score)
    return scores


def score_pair(line: str, path: str, number: int) -> tuple[str, float]:
    """Parse a line `SYSTEM SCORE`.

    >>> score_pair("Online-A\\t0.25", "comet.seg.score", 1)
    ('Online-A', 0.25)
    """
    cells = line.split()
    if len(cells) != 2:
        message = f"a line is SYSTEM SCORE, not {len(cells)} columns"
        raise InputError(message, path=path, line=number)
    return cells[0], number_of("score", cells[1], path, number)


def number_of(name: str, value: Any, path: str, line: int | None) -> float:
    """A score as a number; NaN if it is missing (`None`, `null` or empty).

    >>> number_of("comet", "0.5", "comet.tsv", 1), number_of("comet", "None", "comet.tsv", 2)
    (0.5, nan)
    """
    if value is None or value in ("", "None"):
        return math.nan
    try:
        text = isinstance(value, str | bool)  # a bool is no number
        number = parse_float(str(value)) if text else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        shown = json.dumps(value, ensure_ascii=False, default=str)[:60]
        raise InputError(f"the score '{name}' is {shown}, not a number", path=path, line=line)
    return number
