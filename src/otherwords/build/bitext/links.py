"""Links between the words of sentence pairs, and their Pharaoh notation `i-j`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.bitext.corpus import Bitext
from otherwords.build.bitext.pairs import read_bitext
from otherwords.corpus.problems import Finding
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN, read_lines

_LONGEST_SENTENCE = 10_000_000

SYMMETRISATIONS = (
    "intersection",
    "union",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
)
_LINES_AT_ONCE = 10_000
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::[0-9.]+)?")


class Links(NamedTuple):
    """The links of a bitext: positions in the sentence from 0, sorted, without duplicates."""

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    bounds: NDArray[np.int64]

    @classmethod
    def of(cls, sentences: Iterable[Iterable[tuple[int, int]]]) -> Links:
        """Pack the links of each sentence pair.

        >>> Links.of([[(1, 2), (0, 0)], []]).sentence(0)
        [(0, 0), (1, 2)]
        """
        lefts, rights, bounds = array("I"), array("I"), array("q", [0])
        for links in sentences:
            for i, j in sorted(set(links)):
                lefts.append(i)
                rights.append(j)
            bounds.append(len(lefts))
        return cls(
            np.array(lefts, np.uint32), np.array(rights, np.uint32), np.array(bounds, np.int64)
        )

    def sentence(self, number: int) -> list[tuple[int, int]]:
        part = slice(self.bounds[number], self.bounds[number + 1])
        return list(zip(self.left[part].tolist(), self.right[part].tolist(), strict=True))

    def part(self, begin: int, end: int) -> Links:
        bounds = self.bounds[begin : end + 1]
        part = slice(bounds[0], bounds[-1])
        return Links(self.left[part], self.right[part], bounds - bounds[0])


def pharaoh(links: Links, posteriors: NDArray[np.float32] | None = None) -> Iterator[str]:
    """Yield one line per sentence pair: `0-0 1-2`, or `0-0:0.993 1-2:0.547` with posteriors.

    >>> list(pharaoh(Links.of([[(0, 0), (1, 2)], []])))
    ['0-0 1-2', '']
    """
    size = len(links.bounds) - 1
    for begin in range(0, size, _LINES_AT_ONCE):
        end = min(begin + _LINES_AT_ONCE, size)
        yield from _build.pharaoh(links, posteriors, begin, end).splitlines()


def symmetrise(forward: Links, backward: Links, heuristic: str = "grow-diag-final-and") -> Links:
    """Combine the links of two directions into one alignment (Koehn, Axelrod et al. 2005).

    Parameters
    ----------
    forward, backward
        Links with the left position first. The final steps add `forward` links before `backward`
        ones.
    heuristic
        One of `SYMMETRISATIONS`.

    >>> there, back = Links.of([[(0, 0), (1, 1), (1, 2)]]), Links.of([[(0, 0), (1, 1)]])
    >>> symmetrise(there, back, "intersection").sentence(0), symmetrise(there, back).sentence(0)
    ([(0, 0), (1, 1)], [(0, 0), (1, 1), (1, 2)])
    """
    if heuristic not in SYMMETRISATIONS:
        raise UsageError(f"unknown heuristic '{heuristic}'; {near(heuristic, SYMMETRISATIONS)}")
    try:
        return Links(*_build.symmetrise(forward, backward, heuristic))
    except ValueError as error:
        raise InputError(str(error)) from error


def compose(first: Links, second: Links) -> Links:
    """Align two translations of one text by their links to it (ParaMetric §7.1).

    Both have that text as their right side. Words of the two left sides are linked if they are
    linked to the same word of the text.

    >>> first, second = Links.of([[(0, 0), (1, 2), (2, 2)]]), Links.of([[(0, 2), (1, 0), (2, 1)]])
    >>> compose(first, second).sentence(0)
    [(0, 1), (1, 0), (2, 0)]
    """
    size = len(first.bounds) - 1
    if len(second.bounds) - 1 != size:
        raise InputError(f"links of {size} and of {len(second.bounds) - 1} sentence pairs")

    def compose_sentence(number: int) -> Iterator[tuple[int, int]]:
        by_foreign: dict[int, list[int]] = {}
        for i, f in first.sentence(number):
            by_foreign.setdefault(f, []).append(i)
        return ((i, j) for j, f in second.sentence(number) for i in by_foreign.get(f, ()))

    return Links.of(map(compose_sentence, range(size)))


def phrase_spans(
    links: Iterable[tuple[int, int]],
    left_length: int,
    right_length: int,
    max_length: int | None = None,
    *,
    minimal: bool = False,
) -> NDArray[np.int32]:
    """Find the boxes (i1, i2, j1, j2), ends included, of the phrase pairs of one sentence pair.

    A box has a link inside, and no link of its words leaves it (Och & Ney 2004).

    Parameters
    ----------
    links
        Pairs of positions from 0.
    left_length, right_length
        Words of both sentences.
    max_length
        Words of a phrase (default: any number).
    minimal
        Only boxes without a smaller one inside: the phrase pairs that all others consist of.

    >>> phrase_spans([(0, 0), (1, 2)], 2, 3).tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 2], [1, 1, 2, 2], [1, 1, 1, 2]]
    >>> phrase_spans([(0, 0), (1, 2)], 2, 3, minimal=True).tolist()
    [[0, 0, 0, 0], [1, 1, 2, 2]]
    """
    most = _LONGEST_SENTENCE
    left = check_whole("left_length", left_length, 0, most)
    right = check_whole("right_length", right_length, 0, most)
    longest = most if max_length is None else check_whole("max_length", max_length, 1, most)
    pairs = sorted({(int(i), int(j)) for i, j in links})
    for i, j in pairs:
        if not (0 <= i < left and 0 <= j < right):
            raise InputError(f"link {i}-{j} is outside of {left} and {right} words")
    ends = np.array(pairs, np.uint32).reshape(-1, 2)
    lefts, rights = (np.ascontiguousarray(ends[:, side]) for side in (0, 1))
    return _build.phrase_spans(lefts, rights, left, right, longest, minimal).reshape(-1, 4)


def parse_link(text: str, path: str, line: int) -> tuple[int, int]:
    """Parse the two positions of `i-j`, or of `i-j:p` with a posterior.

    >>> parse_link("3-12", "links.txt", 1), parse_link("0-1:0.993", "links.txt", 2)
    ((3, 12), (0, 1))
    """
    match = _LINK.fullmatch(text)
    if match is None:
        message = f"'{text}' is not a link; write i-j, two positions from 0, left first"
        raise InputError(message, path=path, line=line)
    return int(match[1]), int(match[2])


def read_links(
    path: str, bitext: Bitext, name: str, *, skip: Container[int] = (), base: int = 0
) -> Links:
    """Read the links that a tool wrote for the bitext `name`, one line per sentence pair.

    The links of sentence pairs in `skip` are ignored. Positions count from `base`.
    """
    return Links.of(_read_sentences(path, bitext, name, skip, base))


def _read_sentences(
    path: str, bitext: Bitext, name: str, skip: Container[int], base: int
) -> Iterator[list[tuple[int, int]]]:
    sizes = zip(*(np.diff(side.bounds).tolist() for side in bitext), strict=True)
    number = 0
    for number, line in enumerate(read_lines(path), 1):
        if number > bitext.size:
            message = f"there are more lines here than the {bitext.size} of {name}"
            raise InputError(message, path=path, line=number)
        left, right = next(sizes)
        links = []
        for text in () if number - 1 in skip else line.split():
            i, j = (place - base for place in parse_link(text, path, number))
            if left == right == 0:
                message = "has links, but this line of the bitext is empty"
                raise InputError(message, path=path, line=number)
            if not (0 <= i < left and 0 <= j < right):
                message = f"link {text} points past the end: {left} words left, {right} right"
                message += f", numbered from {base}; align the same words (`tokenizer` none: those "
                message += "between blanks)"
                raise InputError(message, path=path, line=number)
            links.append((i, j))
        yield links
    if number < bitext.size:
        message = f"there are {number} lines here but {bitext.size} in {name}"
        raise InputError(message, path=path, line=number + 1)


@dataclass(frozen=True)
class AlignedFiles:
    """A bitext and its word alignment in files.

    Parameters
    ----------
    bitext
        A file of two columns, or two files separated by a comma.
    alignment
        Its links `i-j`, one line per sentence pair.
    tokenizer, case
        How the bitext is read, as in `read_bitext`.
    base
        The number of the first word of a sentence in links.
    """

    bitext: str
    alignment: str
    tokenizer: str = "auto"
    case: bool = False
    base: int = 0

    def read(self, warn: Callable[[Finding], None]) -> tuple[Bitext, Links]:
        """Read both files; `warn` is called with each finding about a line of the bitext.

        A damaged line of the bitext is such a finding, and its links are skipped.
        """
        if self.bitext == self.alignment == STDIN:
            raise UsageError("standard input can be read only once: name a file for the bitext")
        text, report = read_bitext([self.bitext], self.tokenizer, case=self.case, warn=warn)
        left, right = (np.diff(side.bounds) for side in text)
        if not np.minimum(left, right).any():
            raise InputError("no line holds a sentence pair", path=self.bitext)
        skip, base = report.unusable, self.base
        return text, read_links(self.alignment, text, self.bitext, skip=skip, base=base)
