"""The door: hypotheses, references and sources are checked here, once, for every metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from otherwords.errors import InputError, UsageError
from otherwords.text.sentence import Sentence, Text

__all__ = ["Against", "Segments"]

Against = Literal["references", "source"]


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
        _check_lengths(hypotheses, references, sources)
        checked = [_text(text, i, "hypothesis") for i, text in enumerate(hypotheses, 1)]
        given: list[Text | None] = list(sources) if sources is not None else [None] * len(checked)
        for i, source in enumerate(given, 1):
            if source is not None:
                _text(source, i, "source")
            elif needs_source or against == "source":
                raise UsageError(f"{metric} needs sources; segment {i} has none")
        targets: list[tuple[Text, ...]]
        if against == "source":
            targets = [(source,) for source in given if source is not None]
        elif references is None:
            raise UsageError(f"{metric} needs references (or against='source')")
        else:
            targets = [_references(one, i, metric) for i, one in enumerate(references, 1)]
        return cls(checked, targets, given)


def _check_lengths(
    hypotheses: Sequence[Text], references: Sequence[Any] | None, sources: Sequence[Any] | None
) -> None:
    for name, given in (
        ("hypotheses", hypotheses),
        ("references", references),
        ("sources", sources),
    ):
        if isinstance(given, (str, bytes, Sentence)):
            raise UsageError(f"{name} must be a list with an entry a segment, not a single text")
        if given is not None and len(given) != len(hypotheses):
            raise InputError(
                f"{len(hypotheses)} hypotheses but {len(given)} {name}: "
                f"{name}[i] must belong to hypothesis i"
            )
    if not len(hypotheses):
        raise InputError("there is nothing to score: the list of hypotheses is empty")


def _text(text: Any, number: int, role: str) -> Text:
    if isinstance(text, (str, Sentence)):
        return text
    raise UsageError(f"the {role} of segment {number} must be text, not {type(text).__name__}")


def _references(given: Any, number: int, metric: str) -> tuple[Text, ...]:
    """`None` means missing, `""` an empty reference."""
    several = [given] if given is None or isinstance(given, (str, Sentence)) else list(given)
    references = tuple(_text(text, number, "reference") for text in several if text is not None)
    if not references:
        raise InputError(f"segment {number} has no reference, and {metric} needs one")
    return references
