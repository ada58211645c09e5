"""How good is a reference? Each one is scored against all the others (ParaEval §5.3, Table 4)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from otherwords.corpus.formats import Chosen
from otherwords.corpus.inputs import all_wmt, read_records
from otherwords.corpus.jsonl import row_of
from otherwords.corpus.parallel import named_files, read_parallel, split_name
from otherwords.corpus.rows import Row
from otherwords.corpus.wmt import read_wmt
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Metric
from otherwords.scoring.results import Results
from otherwords.scoring.sampling import Sampling
from otherwords.scoring.stream import evaluate
from otherwords.text.sentence import Text

DEFAULT_METRIC = "paraeval-p"


@dataclass(frozen=True)
class Translated:
    """A segment with its references by the name of their set, without missing ones."""

    references: Mapping[str, Text]
    item: str
    doc: str | None = None
    source: Text | None = None
    path: str | None = field(default=None, compare=False)
    line: int | None = field(default=None, compare=False)


def leave_one_out(
    segments: Iterable[Translated], single: Callable[[Translated], None] = lambda segment: None
) -> Iterator[Row]:
    """Yield each reference as a hypothesis with the others as its references.

    Segments with fewer than two references are skipped and passed to `single`.

    >>> segment = Translated({"A": "x", "B": "y", "C": "z"}, item="1")
    >>> [(row.system, row.hypothesis, row.references) for row in leave_one_out([segment])][1]
    ('B', 'y', ('x', 'z'))
    """
    segment, compared = None, False
    for segment in segments:
        if len(segment.references) < 2:
            single(segment)
            continue
        compared = True
        for name, text in segment.references.items():
            others = tuple(other for key, other in segment.references.items() if key != name)
            yield Row(
                text,
                others,
                segment.source,
                name,
                segment.item,
                segment.doc,
                path=segment.path,
                line=segment.line,
            )
    if segment is not None and not compared:
        raise InputError("no segment has two references to compare", path=segment.path)


def read_text_references(paths: Sequence[str], docs: str | None = None) -> Iterator[Translated]:
    """Read the segments of parallel files; each file is a set of references."""
    names = named_files(paths)
    files = list(names.values())
    for row in read_parallel(files[:1], files[1:], docs=docs):
        texts = (row.hypothesis, *row.references)
        by_name = dict(zip(names, texts, strict=True))
        yield Translated(by_name, row.item or "", row.doc, path=row.path, line=row.line)


def read_row_references(
    paths: Iterable[str], columns: Chosen | None = None
) -> Iterator[Translated]:
    """Read the segments of rows, each once however many systems translated it.

    Rows belong to one segment if they have the same references, source and `item` (or `id`).
    Without items, a system that has the same texts twice has two segments. Set k holds the k-th
    reference of each row; `null` stands for a missing one.
    """
    seen: set[tuple[str | int, str]] = set()
    times: Counter[tuple[str, str]] = Counter()
    items: set[str] = set()
    for row, references in chain.from_iterable(_rows(path, columns) for path in paths):
        texts = json.dumps([references, row.source])
        times[row.system, texts] += 1
        key = (row.item or times[row.system, texts], texts)
        if key in seen:
            continue
        seen.add(key)
        # An item with other references is another segment and needs its own name.
        item = row.item if row.item and row.item not in items else f"{row.path}:{row.line}"
        items.add(item)
        yield Translated(references, item, row.doc, row.source, row.path, row.line)


def _rows(path: str, columns: Chosen | None) -> Iterator[tuple[Row, dict[str, Text]]]:
    """Read rows with their references by name, from the record because a row drops nulls."""
    for number, record in read_records(path, columns=columns):
        row, many = row_of(record, path, number), record.get("references")
        yield row, _named(many if isinstance(many, list) else row.references)


def read_wmt_references(paths: Iterable[str]) -> Iterator[Translated]:
    """Read the segments of WMT XML or mteval SGML; each translator of a file is a set."""
    segments: dict[tuple[str, str], dict[str, str]] = {}
    taken: set[str] = set()
    for file in map(read_wmt, paths):
        if not file.references:
            raise InputError("there are no references here", path=file.path)
        for translator, stream in file.references.items():
            name = f"{file.path}:{translator}" if translator in taken else translator
            if name in taken:
                raise UsageError(f"the same references are given twice: {name}")
            taken.add(name)
            for segment in stream:
                segments.setdefault(segment.key, {})[name] = segment.text
    for (doc, number), references in segments.items():
        yield Translated(references, f"{doc}:{number}", doc)


def read_references(
    files: Sequence[str] = (),
    rows: Sequence[str] = (),
    docs: str | None = None,
    columns: Chosen | None = None,
) -> Iterator[Translated]:
    """Read the segments of text files, of WMT files, or of rows."""
    if rows:
        if files or docs:
            raise UsageError("`rows` has everything; give no other files with it")
        return read_row_references(rows, columns)
    if columns:
        raise UsageError("`columns` does nothing without `rows`")
    if all_wmt([split_name(file)[1] for file in files], docs):
        return read_wmt_references(files)
    if len(files) < 2:
        raise UsageError("give two or more files of references, or `rows` with several")
    return read_text_references(files, docs)


def score_references(
    segments: Iterable[Translated],
    metrics: Mapping[str, Metric],
    *,
    sampling: Sampling | None = None,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Results:
    """Score each set of references against the others.

    Parameters
    ----------
    segments
        Segments with their references by name.
    metrics
        Metrics by label.
    sampling
        Adds intervals, and tests each set against the one that the first metric scores best.
    threads, any_language, progress
        As in `otherwords.score`.

    >>> from otherwords.metrics.bleu import Mup
    >>> segment = Translated({"A": "a cat sat", "B": "a cat lay", "C": "cats"}, item="1")
    >>> results = score_references([segment], {"mup": Mup()})
    >>> [round(cell.value, 3) for cell in results.cells.values()]
    [0.667, 0.667, 0.0]
    """
    single: list[str] = []
    rows = leave_one_out(segments, lambda segment: single.append(segment.item))
    scored = [  # each reference is compared with the others, so contents differ on purpose
        replace(system, hashes=[0] * len(system.items))
        for system in evaluate(
            rows, metrics, threads=threads, any_language=any_language, progress=progress
        )
    ]
    compared = len({item for system in scored for item in system.items})
    counts = f"{len(single)} of {len(single) + compared}"
    remark = f"segments with fewer than two references are left out: {counts}"
    label, metric = next(iter(metrics.items()))
    sign = 1 if metric.traits.higher_is_better else -1
    best = max(scored, key=lambda system: sign * metric.aggregate(system.statistics[label]))
    remarks = [remark] if single else []
    return Results(metrics, scored, sampling, best.system, unit="reference", remarks=remarks)


def _named(texts: Iterable[Text | None]) -> dict[str, Text]:
    return {f"reference {k}": text for k, text in enumerate(texts, 1) if text is not None}
