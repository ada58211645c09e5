"""Error spans of metrics against those of people, character by character.

As in WMT's task on quality estimation (Blain et al. 2023), F1 is over the characters of all
segments, and a character that is marked with another severity counts half.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.inputs import read_plain_records
from otherwords.corpus.parallel import split_name
from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.stats.arrays import Array, numbered
from otherwords.stats.intervals import Estimate, Resampling
from otherwords.stats.resampling import Counts
from otherwords.study.agreement.arrays import estimate_over
from otherwords.study.agreement.result import LineTables, coefficient_column, number_of
from otherwords.tables.table import Cell, Column, Table

Key = tuple[str, str]  # system and text
_SPANS = ("error_spans", "esa_spans", "errors", "spans")
_TEXTS = ("hypothesis", "tgt", "mt", "target", "text")
_SEVERITIES = {"minor": 1, "undecided": 1, "major": 2, "critical": 2}
_NONE = ("no-error", "no error", "neutral", "none", "hotw-test", "")
_MARK = re.compile(r"</?v>")
MEASURES = ("f1", "severity-f1", "precision", "recall")


@dataclass(frozen=True)
class Marked:
    """The severity of each character of a text, as one rater or metric marked it: 0 is no error,
    1 minor, 2 major or critical.
    """

    key: Key
    rater: str
    severities: NDArray[np.int8]


@dataclass(frozen=True)
class SpanAgreement:
    """The agreement of a metric's spans with people's, by the names of `MEASURES`."""

    metric: str
    measures: Mapping[str, Estimate]
    marked: float  # share of the characters that the metric marks


def measure_spans(
    human: Sequence[str], predicted: Sequence[str], *, resampling: Resampling | None = None
) -> LineTables[SpanAgreement]:
    """Compare the error spans of metrics with those of people.

    Segments are matched by system and text. Every rater of a segment is compared with each metric;
    where a segment has several raters, the line `people` compares each with the others.

    Parameters
    ----------
    human
        MQM files (TSV with <v>...</v>) or ESA files (JSONL with `esa_spans`) of WMT, or records in
        the form of `score --explain spans`.
    predicted
        FILE or NAME=FILE of each metric, in the form of xCOMET or of `score --explain spans`.
    resampling
        How segments are resampled for intervals (default: no intervals).
    """
    gold = [marked for path in human for marked in read_spans(path)]
    if not gold:
        raise UsageError("there are no segments with spans of people")
    by_segment: dict[Key, list[Marked]] = {}
    for marked in gold:
        by_segment.setdefault(marked.key, []).append(marked)
    pairs: dict[str, list[tuple[Marked, Marked]]] = {}
    remarks = []
    for file in predicted:
        name, path = split_name(file)
        for metric, segments in _by_metric(path, name).items():
            if metric in pairs:
                message = f"another file has spans of {metric}; give one a name: NAME=FILE"
                raise InputError(message, path=path)
            mine = [(segments.get(m.key) or segments.get(("", m.key[1])), m) for m in gold]
            pairs[metric] = [(found, m) for found, m in mine if found is not None]
            if not pairs[metric]:
                message = "no segment is one of people's; they are matched by system and text"
                raise InputError(message, path=path)
            if lacking := len(gold) - len(pairs[metric]):
                remarks.append(
                    f"{metric} has no spans for {lacking:,} of {len(gold):,} annotations"
                )
    among = [pair for raters in by_segment.values() for pair in permutations(raters, 2)]
    if among:
        pairs["people"] = among
    lines = [_agreement(metric, found, resampling) for metric, found in pairs.items()]
    notes = ["severity-f1: a character with another severity counts half (WMT 2023)", *remarks]
    if resampling is not None:
        notes.append(f"intervals: {resampling.signature('segments')}")
    caption = (
        f"Error spans against people's: {len(gold):,} annotations, {len(by_segment):,} segments"
    )
    return LineTables(lines, [_table(lines, caption, resampling)], notes)


def _table(lines: Sequence[SpanAgreement], caption: str, resampling: Resampling | None) -> Table:
    columns = [Column("metric", "", left=True), *map(coefficient_column, MEASURES)]
    rows: list[list[Cell]] = [
        [line.metric, *(number_of(x, resampling) for x in line.measures.values()), line.marked]
        for line in lines
    ]
    return Table("spans", [*columns, Column("marked", decimals=4)], rows, caption)


def _agreement(
    metric: str, pairs: Sequence[tuple[Marked, Marked]], resampling: Resampling | None
) -> SpanAgreement:
    """The measures of pairs of predicted and human annotations; a unit is a segment."""
    units = numbered(gold.key for _, gold in pairs)
    sums = np.zeros((int(units.max()) + 1, 5))
    for unit, (found, gold) in zip(units, pairs, strict=True):
        mine, theirs = found.severities, gold.severities
        both = (mine > 0) & (theirs > 0)
        halves = (both & (mine != theirs)).sum() / 2
        marked = (mine > 0).sum(), (theirs > 0).sum()
        sums[unit] += both.sum(), both.sum() - halves, *marked, len(mine)
    measures = {
        name: estimate_over(partial(_measure, sums, name), len(sums), resampling, len(pairs))
        for name in MEASURES
    }
    return SpanAgreement(metric, measures, float(sums[:, 2].sum() / max(sums[:, 4].sum(), 1)))


def _measure(sums: Array, name: str, times: Counts) -> Array:
    """A measure in each resample; NaN where no character is marked."""
    both, credit, mine, theirs, _ = (times.astype(np.float64) @ sums).T
    hits, marked = {
        "f1": (2 * both, mine + theirs),
        "severity-f1": (2 * credit, mine + theirs),
        "precision": (both, mine),
        "recall": (both, theirs),
    }[name]
    return np.asarray(np.where(marked > 0, hits / np.maximum(marked, 1), np.nan))


def _by_metric(path: str, name: str | None) -> dict[str, dict[Key, Marked]]:
    """The segments of a file of predicted spans by metric, then by key."""
    by_metric: dict[str, dict[Key, Marked]] = {}
    for marked in read_spans(path):
        by_metric.setdefault(marked.rater, {})[marked.key] = marked
    if not by_metric:
        raise InputError("there are no segments here", path=path, code="E105")
    if name is None:
        return {metric or Path(path).stem: found for metric, found in by_metric.items()}
    if len(by_metric) > 1 and name not in by_metric:
        raise InputError(f"there are several metrics: {', '.join(by_metric)}", path=path)
    return {name: by_metric.get(name) or next(iter(by_metric.values()))}


def read_spans(path: str) -> Iterator[Marked]:
    """Read the error spans of people or of a metric, by the form of the file.

    MQM is TSV with one error per line, marked by <v>...</v> in `target`. Other files are JSON or
    JSONL with a list `error_spans` (xCOMET), `esa_spans` (ESA), `errors` or `spans`; each has
    `start` and `end` (ESA: `start_i`, `end_i`) and a `severity`. Critical counts as major,
    undecided as minor; what is missing has no characters. Rows of `studio export` have the errors
    of each judge.
    """
    if path.endswith((".tsv", ".tsv.gz")):
        yield from _read_mqm(path)
        return
    for number, record in _segments(path):
        judges = [str(entry.get("judge")) for entry in record.get("judges") or ()]
        none: list[Any] | None = [] if judges else None  # a judged row without errors
        listed = next((record[name] for name in _SPANS if name in record), none)
        text = next((record[name] for name in _TEXTS if name in record), None)
        if not isinstance(text, str) or not isinstance(listed, list):
            message = "a text (hypothesis, tgt, mt) and a list of error_spans are needed"
            raise InputError(message, path=path, line=number)
        key, first = text.strip(), len(text) - len(text.lstrip())
        for rater in judges or [str(record.get("annotator") or record.get("metric") or "")]:
            severities = np.zeros(len(text), np.int8)
            for span in listed:
                if not isinstance(span, dict) or span.get("judge", rater) == rater:
                    _mark(severities, span, path, number)
                    _check_text(text, span, path, number)
            severities = severities[first : first + len(key)]
            yield Marked((str(record.get("system") or ""), key), rater, severities)


def _segments(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file; `comet-score --to_json` writes an object of lists by system file."""
    for number, record in read_plain_records(path):
        if not all(isinstance(value, list) for value in record.values()):
            yield number, record
            continue
        for file, segments in record.items():
            yield from ((number, {"system": Path(file).stem, **segment}) for segment in segments)


def _mark(severities: NDArray[np.int8], span: Any, path: str, line: int) -> None:
    if not isinstance(span, dict) or "severity" not in span:
        raise InputError("a span needs start, end and severity", path=path, line=line)
    start: Any = span.get("start", span.get("start_i"))
    end: Any = span.get("end", span.get("end_i"))
    if start == "missing":  # ESA's mark of an omission
        return
    whole = type(start) is int and type(end) is int  # true and false are no places
    if not whole or not 0 <= start <= end <= len(severities):
        message = f"a span from {start} to {end} is not in a text of {len(severities)} characters"
        raise InputError(message, path=path, line=line)
    code = _severity(span["severity"], path, line)
    severities[start:end] = np.maximum(severities[start:end], code)


def _check_text(text: str, span: Mapping[str, Any], path: str, line: int) -> None:
    """Refuse a span whose own text is not there: its places may count bytes or tokens.

    xCOMET decodes the text from tokens: spaces, widths of characters and unknown ones may differ.
    """
    said, start = span.get("text"), span.get("start", span.get("start_i"))
    if not isinstance(said, str) or start == "missing" or "<unk>" in said:
        return
    there = text[start : span.get("end", span.get("end_i"))]
    if _squeeze(said) not in ("", _squeeze(there)):
        message = f"a span says '{said}', but characters {start} to {start + len(there)} are"
        raise InputError(f"{message} '{there}'; places count characters", path=path, line=line)


def _squeeze(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _severity(name: Any, path: str, line: int) -> int:
    severity = str(name).strip().lower()
    if severity not in _SEVERITIES and severity not in _NONE:
        known = ", ".join(_SEVERITIES)
        raise InputError(f"the severity '{name}' is not one of: {known}", path=path, line=line)
    return _SEVERITIES.get(severity, 0)


def _read_mqm(path: str) -> Iterator[Marked]:
    """Read WMT's MQM: the errors of each rater in each segment, joined."""
    header: list[str] = []
    marked: dict[tuple[Key, str], Marked] = {}
    for number, line in enumerate(read_lines(path), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not header:
            header = cells
            if missing := {"system", "rater", "target", "severity"} - set(header):
                message = f"not MQM: there is no column {', '.join(sorted(missing))}"
                raise InputError(message, path=path, line=number)
            continue
        record = dict(zip(header, cells, strict=False))
        target = record.get("target", "")
        text = _MARK.sub("", target)
        key, rater = (record["system"], text), record.get("rater", "")
        mine = marked.setdefault((key, rater), Marked(key, rater, np.zeros(len(text), np.int8)))
        if [tag.group() for tag in _MARK.finditer(target)] != ["<v>", "</v>"] * target.count("<v>"):
            raise InputError("<v> and </v> do not alternate in target", path=path, line=number)
        places = [len(_MARK.sub("", target[: tag.start()])) for tag in _MARK.finditer(target)]
        for start, end in zip(places[::2], places[1::2], strict=True):
            span = {"start": start, "end": end, "severity": record.get("severity", "")}
            _mark(mine.severities, span, path, number)
    yield from marked.values()
