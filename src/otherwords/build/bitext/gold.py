"""Gold alignments, and the agreement of other links with them.

Annotators mark sure and possible links. With A the links proposed, S the sure and P the sure or
possible ones (Och & Ney 2003): precision |A&P|/|A|, recall |A&S|/|S|, and the alignment error
rate AER = 1 - (|A&S| + |A&P|) / (|A| + |S|).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, islice
from typing import Any

from otherwords.build.bitext.links import AlignedFiles, parse_link
from otherwords.build.bitext.pairs import HARMLESS
from otherwords.corpus.problems import Finding
from otherwords.errors import InputError
from otherwords.io.files import read_lines
from otherwords.io.values import load_json

Link = tuple[int, int]
_GIZA = re.compile(r"(\S+) \(\{([ 0-9]*)\}\)")


@dataclass(frozen=True)
class Gold:
    """A sentence pair with the links that annotators made."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]  # includes the sure ones
    group: str | None = None  # names sentences of the same meaning
    domain: str | None = None

    def swapped(self) -> Gold:
        sure, possible = (frozenset((j, i) for i, j in x) for x in (self.sure, self.possible))
        return replace(self, source=self.target, target=self.source, sure=sure, possible=possible)


@dataclass(frozen=True)
class GoldFile:
    """A file of gold alignments, and how it is read.

    Parameters
    ----------
    path
        JSONL of rows, an A3 file of GIZA++, or text of two columns that has `links`.
    base
        The number of the first word of a sentence in JSONL and in `links`, which do not record it.
    links
        A file of links `i-j`, one line per line of the text.
    """

    path: str
    base: int = 0
    links: str | None = None

    def read(self) -> list[Gold]:
        return read_gold(self.path, self.base, self.links)


def read_gold(path: str, base: int = 0, links: str | None = None) -> list[Gold]:
    """Read a file as `GoldFile` describes it; its first line says which kind it is.

    A row of JSONL has `source` and `target` words, `sure` and `possible` links `i-j`, and may have
    `group` and `domain`. In text and in A3 files all links are sure, the first sentence is the left
    column or GIZA++'s source (the line with NULL), and pairs with the same first sentence form a
    group (ParaMetric §4).
    """
    if links is not None:
        return _with_groups(_read_text(path, links, base))
    rest = ((number, line) for number, line in enumerate(read_lines(path), 1) if line.strip())
    number, first = next(rest, (0, ""))
    lines = chain([(number, first)], rest)
    if first.startswith("# Sentence pair"):
        return _with_groups(_read_giza(path, lines))
    if not first.lstrip().startswith("{") and ("\t" in first or "|||" in first):
        message = "is text without links: name the file of its links too (--gold-links)"
        raise InputError(message, path=path)
    if not first:
        raise InputError("there are no rows here", path=path, code="E105")
    return [parse_gold(line, path, number, base) for number, line in lines]


def _with_groups(rows: Iterable[Gold]) -> list[Gold]:
    groups: dict[tuple[str, ...], str] = {}
    return [
        replace(row, group=groups.setdefault(row.source, str(number)))
        for number, row in enumerate(rows, 1)
    ]


def _read_text(path: str, links: str, base: int) -> Iterator[Gold]:
    """Read the words of two columns, split at spaces, and their links."""
    text, alignment = AlignedFiles(path, links, "none", True, base).read(_refuse)
    for number in range(text.size):
        source, target = (tuple(side.sentence(number)) for side in text)
        sure = frozenset(alignment.sentence(number))
        yield Gold(source, target, sure, sure)


def _refuse(finding: Finding) -> None:
    """Refuse lines that cannot be used: rows must stay parallel to other files of links."""
    if finding.code not in HARMLESS:
        message = f"{finding.message}; correct this line, so that links stay beside their pairs"
        raise InputError(message, path=finding.path, line=finding.line, code=finding.code)


def _read_giza(path: str, lines: Iterator[tuple[int, str]]) -> Iterator[Gold]:
    """Read GIZA++'s A3 format, three lines per pair.

    These are a comment, the target, and the source, each word of which is followed by the numbers,
    from 1, of the target words that are aligned to it: `NULL ({ 2 }) they ({ 1 }) quit ({ 3 })`.
    """
    for block in iter(lambda: list(islice(lines, 3)), []):
        number, words = block[-1][0], _GIZA.findall(block[-1][1])
        if len(block) < 3 or not words or words[0][0] != "NULL":
            message = (
                "no third line of a sentence pair in GIZA's A3 format, NULL ({ ... }) word ..."
            )
            raise InputError(message, path=path, line=number)
        target = tuple(block[1][1].split())
        sure = frozenset(
            (i, int(place) - 1)
            for i, (_, places) in enumerate(words[1:])
            for place in places.split()
        )
        if any(not 0 <= j < len(target) for _, j in sure):
            message = f"a link points past the end of the {len(target)} words of the target"
            raise InputError(message, path=path, line=number)
        yield Gold(tuple(word for word, _ in words[1:]), target, sure, sure)


def parse_gold(line: str, path: str, number: int, base: int = 0, *, aligned: bool = True) -> Gold:
    """Parse one row; unless it must be `aligned`, `sure` is optional."""
    try:
        row: Any = load_json(line)
        if not isinstance(row, dict):
            raise TypeError("it is not a JSON object")
        source, target = (_words(row[side]) for side in ("source", "target"))
        sure = row["sure"] if aligned else row.get("sure", [])
        possible = row.get("possible", [])
        texts = [[str(text) for text in links] for links in (sure, possible)]
        group, domain = (_name(row.get(name)) for name in ("group", "domain"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        message = f"no row of gold alignments (source, target, sure, possible): {what}"
        raise InputError(message, path=path, line=number, code="E203") from error
    links = []
    for text in texts:
        pairs = [parse_link(link, path, number) for link in text]
        links.append(frozenset((i - base, j - base) for i, j in pairs))
    for i, j in links[0] | links[1]:
        if not (0 <= i < len(source) and 0 <= j < len(target)):
            message = (
                f"link {i + base}-{j + base} is outside of {len(source)} and {len(target)} words "
                f"that are numbered from {base}; are they numbered from {1 - base}?"
            )
            raise InputError(message, path=path, line=number)
    return Gold(source, target, links[0], links[0] | links[1], group, domain)


def _name(value: Any) -> str | None:
    """Return a name or number as text; a lone surrogate raises ValueError."""
    if value is None:
        return None
    if isinstance(value, (list, dict, bool)):
        raise TypeError(f"a name is needed, not {value!r:.40}")
    str(value).encode()
    return str(value)


def _words(value: Any) -> tuple[str, ...]:
    """Return the words of a side; a lone surrogate raises ValueError."""
    if not isinstance(value, list):
        raise TypeError("words are needed as a list")
    words = tuple(map(str, value))
    " ".join(words).encode()
    return words


@dataclass(frozen=True)
class LinkAgreement:
    """Counts over a corpus, and the rates computed from them."""

    proposed: int
    sure: int
    right_sure: int
    right_possible: int

    @property
    def precision(self) -> float:
        """Share of the proposed links that are sure or possible; 1 if none are proposed."""
        return self.right_possible / self.proposed if self.proposed else 1.0

    @property
    def recall(self) -> float:
        """Share of the sure links that are proposed; 1 if there are none."""
        return self.right_sure / self.sure if self.sure else 1.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def aer(self) -> float:
        """Alignment error rate, 0 is best.

        >>> LinkAgreement(proposed=4, sure=3, right_sure=2, right_possible=3).aer
        0.2857142857142857
        """
        total = self.proposed + self.sure
        return 1 - (self.right_sure + self.right_possible) / total if total else 0.0


def agreement(proposed: Iterable[Iterable[Link]], gold: Sequence[Gold]) -> LinkAgreement:
    """Count how the links of each sentence pair agree with the gold ones.

    >>> line = '{"source": ["a", "b"], "target": ["x"], "sure": ["0-0"], "possible": []}'
    >>> row = parse_gold(line, "gold.jsonl", 1)
    >>> agreement([[(0, 0), (1, 0)]], [row]).precision
    0.5
    """
    counts = Counter[str]()
    for links, row in zip(map(set, proposed), gold, strict=True):
        counts["proposed"] += len(links)
        counts["sure"] += len(row.sure)
        counts["right_sure"] += len(links & row.sure)
        counts["right_possible"] += len(links & row.possible)
    return LinkAgreement(*(counts[field.name] for field in fields(LinkAgreement)))


def between_different_words(
    proposed: Iterable[Iterable[Link]], gold: Sequence[Gold]
) -> LinkAgreement:
    """Count agreement over links of different words, the hard part within one language."""
    different, rows = [], []
    for links, row in zip(proposed, gold, strict=True):
        left, right = ([word.lower() for word in side] for side in (row.source, row.target))
        different.append([(i, j) for i, j in links if left[i] != right[j]])
        sure, possible = (
            frozenset((i, j) for i, j in part if left[i] != right[j])
            for part in (row.sure, row.possible)
        )
        rows.append(replace(row, sure=sure, possible=possible))
    return agreement(different, rows)
