"""Whether a paraphrase table was made from the sentences that it is tested on.

ParaMetric §5 wants lists from other text. Two checks: by the table alone, whose long paraphrases
of one sentence are hardly ever those that annotators aligned there unless the sentence was in its
text; and by the text that it was built from, where that is known.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from otherwords.build.bitext.gold import Gold
from otherwords.io.files import read_lines
from otherwords.study.diagnostics.groups import PhrasePair

__all__ = ["Seen", "seen_by_table", "seen_in_text"]

# Of the 205 held-out sentences of edinburgh-train, a table built from the other 509 sentence pairs
# reaches these limits for none, and one built from the held-out pairs themselves for 178.
LONG = 3  # words of both sides
RIGHT = 3  # such paraphrases that are gold, at least
SHARE = 0.2  # of the gold ones of the sentence


@dataclass(frozen=True)
class Seen:
    """Tested sentences that a table has seen: groups by its lists, rows by its text."""

    system: str
    groups: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()

    def warnings(self, groups: int, rows: int) -> Iterator[str]:
        """What a user must know, of so many groups and rows that are tested."""
        if self.groups:
            yield (
                f"{self.system}: this table seems to be built from {len(self.groups):,} of the "
                f"{groups:,} groups that it is tested on (the first is group "
                f"{self.groups[0] + 1}): it has {100 * SHARE:g} % and more of their gold "
                f"paraphrases of {LONG} words. ParaMetric needs held-out text (§5)"
            )
        if self.rows:
            yield (
                f"{self.system}: the text of this table has {len(self.rows):,} of the {rows:,} "
                f"rows that it is tested on (the first is row {self.rows[0] + 1}). ParaMetric "
                "wants held-out text (§5)"
            )


def seen_by_table(
    lists: Sequence[set[PhrasePair]], references: Sequence[set[PhrasePair]]
) -> tuple[int, ...]:
    """The groups whose long gold paraphrases are in the lists too often.

    >>> gold = {(("a", "b", c), ("d", "e", c)) for c in "xyz"}
    >>> seen_by_table([gold, set(), {(("a",), ("d",))}], [gold, gold, gold])
    (0,)
    """
    found = []
    for number, (listed, gold) in enumerate(zip(lists, references, strict=True)):
        long = {pair for pair in gold if min(map(len, pair)) >= LONG}
        right = len(long & listed)
        if right >= RIGHT and right >= SHARE * len(long):
            found.append(number)
    return tuple(found)


def seen_in_text(gold: Sequence[Gold], paths: Iterable[str]) -> tuple[int, ...]:
    """The rows with a sentence that the files have: in a line, a column, or a value of JSONL.

    Case, spaces and punctuation do not matter.
    """
    places: dict[str, list[int]] = {}
    for number, row in enumerate(gold):
        for side in (row.source, row.target):
            places.setdefault(_letters(" ".join(side)), []).append(number)
    places.pop("", None)
    found: set[int] = set()
    for path in paths:
        for line in read_lines(path):
            for text in _texts(line):
                found.update(places.get(_letters(text), ()))
    return tuple(sorted(found))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _texts(line: str) -> Iterator[str]:
    """The texts of a line: its columns, or the strings and lists of words in its JSON."""
    try:
        value = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        value = None
    if value is None:
        yield from line.replace("|||", "\t").split("\t")
    else:
        yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield " ".join(value)
        yield from value
    elif isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)
