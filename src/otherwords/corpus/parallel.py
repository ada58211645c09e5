"""Files that run side by side, a segment a line: systems, references, sources, documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from otherwords.corpus.conllu import read_conllu
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, read_lines
from otherwords.text.sentence import Text

__all__ = ["read_parallel", "read_segments", "system_names"]

_SUFFIXES = (".gz", ".txt", ".conllu", ".xml", ".sgm", ".sgml")


def read_segments(path: str) -> Iterator[Text]:
    """The segments of a file: CoNLL-U sentences by its name, else lines."""
    if path.removesuffix(".gz").endswith(".conllu"):
        return read_conllu(path)
    return read_lines(path)


def read_parallel(
    systems: Sequence[str],
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
) -> Iterator[Row]:
    """Rows of all systems, segment by segment, read side by side and never all at once."""
    paths = [*systems, *references, *(path for path in (source, docs) if path is not None)]
    if paths.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    names = system_names(systems)
    readers = [read_segments(path) for path in paths]
    number = 0
    while True:
        segments = [next(reader, None) for reader in readers]
        if None in segments:
            break
        number += 1
        texts = (segment for segment in segments if segment is not None)
        hypotheses = [next(texts) for _ in systems]
        several = tuple(next(texts) for _ in references)
        origin = next(texts) if source is not None else None
        doc = str(next(texts)) if docs is not None else None
        for path, name, hypothesis in zip(systems, names, hypotheses, strict=True):
            yield Row(hypothesis, several, origin, name, str(number), doc, path=path, line=number)
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
    short = min(range(len(counts)), key=counts.__getitem__)
    long = max(range(len(counts)), key=counts.__getitem__)
    if counts[short] != counts[long]:
        raise InputError(
            f"there are {counts[short]} segments here but {counts[long]} in {paths[long]}; "
            f"line {counts[short] + 1} is the first missing",
            path=paths[short],
            line=counts[short] + 1,
        )


def system_names(paths: Sequence[str]) -> list[str]:
    """Names to show for system files: the file's own, or its path where two would be alike.

    >>> system_names(["out/a.txt", "out/b.txt.gz", "-"])
    ['a', 'b', 'stdin']
    >>> system_names(["x/out.txt", "y/out.txt"])
    ['x/out.txt', 'y/out.txt']
    """
    names = ["stdin" if path == STDIN else _stem(Path(path).name) for path in paths]
    times = Counter(names)
    names = [name if times[name] == 1 else path for name, path in zip(names, paths, strict=True)]
    if len(set(names)) != len(names):
        twice = next(name for name, count in Counter(names).items() if count > 1)
        raise UsageError(f"the same system is given twice: {twice}")
    return names


def _stem(name: str) -> str:
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix) or name
    return name
