"""Small changes that bring two texts together or apart: what a pair model's verdict rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from otherwords.metrics.facts import findings

__all__ = ["Edit", "edits"]

MOST = 48  # edits that are tried for one pair
WORDS = 400  # of each text whose differences are looked for: about what a pair model reads
LONGEST = 8  # words of a span that is replaced as a whole
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]+")

Place = tuple[int, int]


@dataclass(frozen=True)
class Edit:
    """A span of the hypothesis gives way to a span of the reference, either of which may be empty;
    or, with `shortens`, a span of the reference is left out of the reference.
    """

    hypothesis: Place
    reference: Place
    shortens: bool = False

    @property
    def kind(self) -> str:
        """What is done.

        >>> Edit((0, 3), (0, 4)).kind, Edit((0, 3), (4, 4)).kind, Edit((3, 3), (0, 4)).kind
        ('replaced', 'removed', 'inserted')
        """
        if self.shortens:
            return "removed from the reference"
        if self.hypothesis[0] == self.hypothesis[1]:
            return "inserted"
        return "removed" if self.reference[0] == self.reference[1] else "replaced"

    def apply(self, hypothesis: str, reference: str) -> tuple[str, str]:
        """Both texts after it.

        >>> Edit((3, 8), (3, 8)).apply("He hired her.", "He fired her.")
        ('He fired her.', 'He fired her.')
        """
        begin, end = self.reference
        if self.shortens:
            return hypothesis, _spliced(reference, self.reference, "")
        return _spliced(hypothesis, self.hypothesis, reference[begin:end]), reference


def edits(hypothesis: str, reference: str) -> list[Edit]:
    """At most `MOST` edits that are worth a try, the most likely first: what `facts` finds, spans
    that differ, single words of these, then the other words.

    >>> one, other = "He hired her in May.", "He fired her in May."
    >>> [(one[slice(*e.hypothesis)], other[slice(*e.reference)]) for e in edits(one, other)][:2]
    [('hired', 'fired'), ('hired', '')]
    """
    found = dict.fromkeys(_found(hypothesis, reference))
    found |= dict.fromkeys(_differences(hypothesis, reference))
    return list(found)[:MOST]


def _found(hypothesis: str, reference: str) -> Iterator[Edit]:
    """Where `facts` sees a difference."""
    ends = (places[-1][1] if places else 0 for places in map(_places, (hypothesis, reference)))
    for one in findings(hypothesis[: next(ends)], reference[: next(ends)]):
        if one.verdict != "equivalent" and any(
            begin < end for begin, end in (one.hypothesis, one.reference)
        ):
            yield Edit(one.hypothesis, one.reference)


def _differences(hypothesis: str, reference: str) -> Iterator[Edit]:
    """Spans of words that differ, their words, all words."""
    mine, theirs = _places(hypothesis), _places(reference)
    one, other = (
        [text[slice(*place)].lower() for place in places]
        for text, places in ((hypothesis, mine), (reference, theirs))
    )
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    changed = [found for found in matcher.get_opcodes() if found[0] != "equal"]
    for _, a, b, c, d in changed:
        if max(b - a, d - c) <= LONGEST:
            yield Edit(_span(mine, a, b), _span(theirs, c, d))
    left = [place for _, a, b, _, _ in changed for place in mine[a:b]]
    right = [place for *_, c, d in changed for place in theirs[c:d]]
    for some, others in ((left, right), (mine, theirs)):
        yield from (Edit(place, (0, 0)) for place in some)
        yield from (Edit((0, 0), place, shortens=True) for place in others)


def _places(text: str) -> list[Place]:
    return [word.span() for word in islice(_WORD.finditer(text), WORDS)]


def _span(places: list[Place], begin: int, end: int) -> Place:
    """From the first word to the last; the place between two words if there is none."""
    if begin < end:
        return places[begin][0], places[end - 1][1]
    here = places[begin][0] if begin < len(places) else places[-1][1] if places else 0
    return here, here


def _spliced(text: str, place: Place, new: str) -> str:
    before, after = text[: place[0]].rstrip(), text[place[1] :].lstrip()
    tight = after[:1] in ("", ".", ",", ";", ":", "!", "?")
    inside = f"{before} {new}".strip() if new else before
    return inside + after if tight else f"{inside} {after}".strip()
