"""Hypotheses, references and sources are checked here, once, for every metric."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import is_normalized

from otherwords.errors import InputError, NormalFormWarning, UsageError
from otherwords.text.sentence import Sentence, Text

if TYPE_CHECKING:
    from otherwords.corpus.rows import Row


Against = Literal["references", "source"]
_NOT_NORMAL = (
    "some texts are not in Unicode normal form C, so letters that look the same may differ; "
    "convert all texts, for example with uconv -x any-nfc"
)


@dataclass(frozen=True)
class Segments:
    """Hypotheses, each with the texts it is compared with (`targets`) and its source.

    `sources[i]` is `None` where a segment has none and the metric does not need it.
    """

    hypotheses: list[Text]
    targets: list[tuple[Text, ...]]
    sources: list[Text | None]

    @classmethod
    def check(
        cls,
        hypotheses: Sequence[Text],
        references: Sequence[Any] | None,
        sources: Sequence[Text | None] | None,
        *,
        metric: str,
        against: Against,
        needs_source: bool,
    ) -> Segments:
        """The segments, or an error that says which of them lacks what."""
        checked = _listed(hypotheses, "hypotheses")
        if not _are_strings(checked):
            checked = [_text(text, i, "hypothesis") for i, text in enumerate(checked, 1)]
        if not checked:
            raise InputError("there is nothing to score: the list of hypotheses is empty")
        source_list = _aligned(sources, "sources", len(checked)) or [None] * len(checked)
        needed = needs_source or against == "source"
        if needed or any(source is not None for source in source_list):
            _check_sources(source_list, metric if needed else None)
        reference_list = _aligned(references, "references", len(checked))
        targets: list[tuple[Text, ...]]
        if against == "source":
            targets = [(source,) for source in source_list if source is not None]
        elif reference_list is None:
            raise UsageError(f"{metric} needs references (or against='source')")
        elif reference_list and _are_strings(reference_list):
            targets = [(reference,) for reference in reference_list]
        elif (
            set(map(type, reference_list)) <= {tuple}
            and all(reference_list)
            and _are_strings(chain.from_iterable(reference_list))
        ):
            targets = reference_list
        else:
            targets = [_references(entry, i, metric) for i, entry in enumerate(reference_list, 1)]
        # "é" as one character and as two differ.
        texts = chain(checked, chain.from_iterable(targets), source_list)
        raw = (text.text if isinstance(text, Sentence) else text for text in texts if text)
        if not all(text.isascii() or is_normalized("NFC", text) for text in raw):
            warnings.warn(_NOT_NORMAL, NormalFormWarning, stacklevel=2)
        return cls(checked, targets, source_list)

    @property
    def is_annotated(self) -> bool:
        """Whether any text came with its own tokens."""
        texts = chain(self.hypotheses, chain.from_iterable(self.targets), self.sources)
        return Sentence in set(map(type, texts))

    def pick(self, i: int) -> Segments:
        return Segments([self.hypotheses[i]], [self.targets[i]], [self.sources[i]])


def kept(values: Any) -> Any:
    """The same, as a list if it can be read only once: every metric and system needs all of it."""
    values = list(values) if isinstance(values, Iterator) else values
    if isinstance(values, (list, tuple)) and any(isinstance(entry, Iterator) for entry in values):
        return [list(entry) if isinstance(entry, Iterator) else entry for entry in values]
    return values


def check_needs(row: Row, name: str, against: str, *, needs_source: bool) -> None:
    """Refuse a row that lacks what the metric of that name compares with."""
    if against == "references" and not row.references:
        message = (
            f"{name} needs a reference, and this segment has none; give references "
            '(on the command line: -r FILE), or "references" in rows'
        )
        message += "; against=source compares with the source" if row.source is not None else ""
    elif row.source is None and (against == "source" or needs_source):
        message = (
            f"{name} needs a source, and this segment has none; give sources "
            '(on the command line: -s FILE), or "source" in rows'
        )
    else:
        return
    raise InputError(message, path=row.path, line=row.line)


def _listed(values: Any, name: str) -> list[Any]:
    """The values as a list; a column of Arrow or pandas gives its rows, as does a table."""
    if hasattr(values, "to_pylist"):
        values = values.to_pylist()
    elif hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, (str, bytes, Sentence)):
        raise UsageError(f"{name} must be a list with one entry per segment, not a single text")
    if not isinstance(values, Iterable) or isinstance(values, (Mapping, Set)):
        kind = type(values).__name__
        raise UsageError(f"{name} must be a list with one entry per segment, not a {kind}")
    return list(values)


def _aligned(values: Any, name: str, hypotheses: int) -> list[Any] | None:
    if values is None:
        return None
    listed = _listed(values, name)
    if len(listed) != hypotheses:
        if name == "references" and _are_streams(listed, hypotheses):
            raise InputError(
                f"references are given stream by stream ({len(listed)} lists of {hypotheses} "
                "texts); give the references of each segment together: "
                "references=[[first, second], ...], which is list(zip(*streams))"
            )
        raise InputError(
            f"{hypotheses} hypotheses but {len(listed)} {name}: "
            f"{name}[i] must belong to hypothesis i"
        )
    return listed


def _are_streams(listed: list[Any], hypotheses: int) -> bool:
    """Whether these are lists with one text for each hypothesis, as sacreBLEU takes them."""
    return bool(listed) and all(
        isinstance(stream, (list, tuple)) and len(stream) == hypotheses for stream in listed
    )


def _are_strings(texts: Iterable[Any]) -> bool:
    """Whether all are strings without half of a surrogate pair; most lists need no other check."""
    listed = texts if isinstance(texts, list) else list(texts)
    if not set(map(type, listed)) <= {str}:
        return False
    joined = "".join(listed)
    if joined.isascii():
        return True
    try:
        joined.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_sources(sources: list[Any], needed_by: str | None) -> None:
    if _are_strings(sources):
        return
    for i, source in enumerate(sources, 1):
        if source is not None:
            _text(source, i, "source")
        elif needed_by is not None:
            raise UsageError(f"{needed_by} needs sources; segment {i} has none")


def _text(text: Any, number: int, role: str) -> Text:
    if not isinstance(text, (str, Sentence)):
        found = text if isinstance(text, float) else type(text).__name__
        raise UsageError(f"the {role} of segment {number} must be text, not {found}")
    raw = text if isinstance(text, str) else text.text
    if not raw.isascii():
        try:
            raw.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"the {role} of segment {number} has half of a surrogate pair "
                f"at character {error.start + 1}"
            ) from error
    return text


def _references(entry: Any, number: int, metric: str) -> tuple[Text, ...]:
    """`None` means missing, `""` an empty reference."""
    single = entry is None or isinstance(entry, (str, Sentence))
    if not single and not isinstance(entry, Iterable):
        _text(entry, number, "reference")
    several = [entry] if single else _listed(entry, f"the references of segment {number}")
    references = tuple(_text(text, number, "reference") for text in several if text is not None)
    if not references:
        raise InputError(f"segment {number} has no reference, and {metric} needs one")
    return references
