"""Parallel files, one segment per line: systems, references, sources, documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, paths_of, read_lines
from otherwords.text.sentence import Text

__all__ = ["named_files", "read_parallel", "read_segments", "split_name"]

_SUFFIXES = (
    *(".gz", ".txt", ".conllu", ".xml", ".sgm", ".sgml"),
    *(".tsv", ".csv", ".json", ".jsonl", ".parquet", ".owm", ".arpa"),
    *(".pharaoh", ".align", ".links"),
)


def read_segments(path: str) -> Iterator[Text]:
    """The segments of a file: CoNLL-U sentences by its name, else lines."""
    if path.removesuffix(".gz").endswith(".conllu"):
        from otherwords.corpus.conllu import read_conllu

        return read_conllu(path)
    return read_lines(path)


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
    readers = [read_segments(path) for path in paths]
    several = slice(len(files), len(files) + len(references))
    number = 0
    for segments in zip_longest(*readers):
        if None in segments:
            break
        number += 1
        item = str(number)
        compared = segments[several]
        origin = segments[several.stop] if source is not None else None
        doc = str(segments[-1]) if docs is not None else None
        for (name, path), hypothesis in zip(named.items(), segments, strict=False):
            yield Row(hypothesis, compared, origin, name, item, doc, path=path, line=number)
    else:
        return
    _check_ends(paths, readers, segments, number)


def _check_ends(
    paths: Sequence[str],
    readers: Sequence[Iterator[Text]],
    segments: Sequence[Text | None],
    read: int,
) -> None:
    """All files have ended together, or an error that names two of them and their counts."""
    counts = [
        read + (segment is not None) + sum(1 for _ in reader)
        for segment, reader in zip(segments, readers, strict=True)
    ]
    if len(set(counts)) > 1:
        raise _different_counts(dict(zip(paths, counts, strict=True)))


def _different_counts(counts: dict[str, int]) -> InputError:
    """The error for files that differ in length: the one that differs from all others, if any.

    >>> print(_different_counts({"ref.txt": 3, "a.txt": 2, "b.txt": 2}))
    ref.txt:3: this file has 3 segments, but a.txt and b.txt have 2: line 3 is one too many
    """
    by_count: dict[int, list[str]] = {}
    for path, count in counts.items():
        by_count.setdefault(count, []).append(path)
    short = min(by_count)
    if short == 0:
        path, other = by_count[0][0], by_count[max(by_count)][0]
        message = f"this file is empty, but {other} has {_segments(counts[other])}"
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
    message = f"this file has {_segments(count)}, but {have}: {end}"
    return InputError(message, path=path, line=min(count, min(counts.values())) + 1)


def _segments(count: int) -> str:
    return "1 segment" if count == 1 else f"{count:,} segments"


def named_files(files: Sequence[str]) -> dict[str, str]:
    """Files by the name of their system: that of NAME=FILE, else the file's own.

    If two files would have the same name, the path is the name.

    >>> named_files(["out/a.tsv.gz", "mine=b.txt", "-"])
    {'a': 'out/a.tsv.gz', 'mine': 'b.txt', 'stdin': '-'}
    >>> list(named_files(["x/out.txt", "y/out.txt"]))
    ['x/out.txt', 'y/out.txt']
    """
    given = [split_name(text) for text in files]
    stems = Counter(_stem(file) for name, file in given if name is None)
    found: dict[str, str] = {}
    for name, file in given:
        if name is None:
            name = _stem(file) if stems[_stem(file)] == 1 else file
        if name in found:
            raise UsageError(
                f"two files are given for the system '{name}'; name them NAME=FILE: "
                f"{found[name]} and {file}"
            )
        found[name] = file
    return found


def split_name(text: str) -> tuple[str | None, str]:
    """The name and the file of NAME=FILE; a file that has such a name itself is not split.

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
