"""Edits that change a score: which words of two texts make a metric say what it says.

An edit replaces a span of the rewrite by a span of the original, or removes one. The edits that
raise the score most point at the words that lowered it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from otherwords.metrics.base import Span, Verdict
from otherwords.stats.arrays import Array

Place = tuple[int, int]

WORDS = 120  # words of each text that are tried
LONGEST = 12  # words of the longest span that is replaced as a whole
WORK = 20_000  # characters of all texts that are scored for one explanation
_WORD = re.compile(r"[\w'’-]+|[^\w\s]")


@dataclass(frozen=True)
class Edit:
    """Replaces a span of the hypothesis by a span of the reference; either may be empty."""

    hypothesis: Place
    reference: Place

    def apply(self, hypothesis: str, reference: str) -> str:
        """The hypothesis after the edit.

        >>> Edit((3, 8), (3, 8)).apply("He hired her.", "He fired her.")
        'He fired her.'
        """
        new = reference[slice(*self.reference)]
        before, after = hypothesis[: self.hypothesis[0]].rstrip(), hypothesis[self.hypothesis[1] :]
        after = after.lstrip()
        inside = f"{before} {new}".strip() if new else before
        tight = after[:1] in ("", ".", ",", ";", ":", "!", "?")
        return inside + after if tight else f"{inside} {after}".strip()


@dataclass(frozen=True)
class Turn:
    """An edit, the score after it, and the change in it."""

    edit: Edit
    score: float
    change: float


def try_edits(
    score: Callable[[Sequence[str], Sequence[str]], Array],
    hypothesis: str,
    reference: str,
    most: int,
    spans: Iterable[tuple[Place, Place]] = (),
) -> list[Turn]:
    """The edits that raise the score, the largest change first.

    Parameters
    ----------
    score
        Scores of pairs (hypotheses, references).
    hypothesis, reference
        The two texts.
    most
        How many edits are tried; fewer for long texts.
    spans
        Spans of both texts to try first.
    """
    most = min(most, max(8, WORK // (len(hypothesis) + len(reference) + 1)))
    by_text: dict[str, Edit] = {}  # different edits may give the same text
    wanted = (*(Edit(*places) for places in spans), *edits_of(hypothesis, reference))
    for edit in islice(dict.fromkeys(wanted), most):
        by_text.setdefault(edit.apply(hypothesis, reference), edit)
    scores = score([hypothesis, *by_text], [reference] * (len(by_text) + 1))
    before, after = float(scores[0]), scores[1:].tolist()
    turns = [
        Turn(edit, value, value - before)
        for edit, value in zip(by_text.values(), after, strict=True)
        if value > before
    ]
    return sorted(turns, key=lambda turn: -turn.change)


def edits_of(hypothesis: str, reference: str) -> list[Edit]:
    """The edits to try, the most promising first: spans that differ, then single words in them.

    >>> new, old = "He hired her in May.", "He fired her in May."
    >>> [(new[slice(*e.hypothesis)], old[slice(*e.reference)]) for e in edits_of(new, old)][:2]
    [('hired', 'fired'), ('hired', '')]
    """
    return list(dict.fromkeys(_edit_words(hypothesis, reference)))


def word_spans(hypothesis: str, reference: str, differing: Verdict = "unknown") -> Iterator[Span]:
    """Spans of words that both texts have in the same order, and spans that stand for each other.

    Words of one text alone are a span if it is unknown what they say.

    >>> [span.hypothesis_text for span in word_spans("He hired her.", "He fired her.")]
    ['He', 'hired', 'her.']
    """
    mine, theirs = _places(hypothesis, None), _places(reference, None)
    for name, a, b, c, d in _opcodes(hypothesis, mine, reference, theirs):
        left, right = _span(mine, a, b), _span(theirs, c, d)
        texts = hypothesis[slice(*left)], reference[slice(*right)]
        verdict: Verdict = "same" if name == "equal" else differing
        alone = verdict == "unknown" and any(map(str.isalnum, "".join(texts)))
        if (a < b and c < d) or alone:
            yield Span("words", verdict, 1.0, left, right, *texts)


def _opcodes(
    hypothesis: str, mine: list[Place], reference: str, theirs: list[Place]
) -> Sequence[tuple[str, int, int, int, int]]:
    left, right = (
        [text[slice(*place)].lower() for place in places]
        for text, places in ((hypothesis, mine), (reference, theirs))
    )
    return SequenceMatcher(None, left, right, autojunk=False).get_opcodes()


def _edit_words(hypothesis: str, reference: str) -> Iterator[Edit]:
    mine, theirs = _places(hypothesis), _places(reference)
    opcodes = _opcodes(hypothesis, mine, reference, theirs)
    changed = [opcode for opcode in opcodes if opcode[0] != "equal"]
    for _, a, b, c, d in changed:
        if max(b - a, d - c) <= LONGEST:
            yield Edit(_span(mine, a, b), _span(theirs, c, d))
    for _, a, b, c, d in changed:
        yield from (Edit(place, (0, 0)) for place in mine[a:b])
        here = _span(mine, a, a)
        yield from (Edit(here, place) for place in theirs[c:d])


def _places(text: str, most: int | None = WORDS) -> list[Place]:
    return [word.span() for word in islice(_WORD.finditer(text), most)]


def _span(places: list[Place], begin: int, end: int) -> Place:
    """The span of some words; without words, the empty span before the next one."""
    if begin < end:
        return places[begin][0], places[end - 1][1]
    here = places[begin][0] if begin < len(places) else places[-1][1] if places else 0
    return here, here
