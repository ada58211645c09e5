"""Raw English as numbers: the distinct lines of a folder of bitexts, roughly tokenised."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["BOUNDARY", "RawText", "english_lines", "rough_tokens"]

BOUNDARY = -1
# Good enough for counting neighbours: words with their inner points, hyphens apart as in the
# treebank, clitics off, every other sign alone.
_TOKEN = re.compile(
    r"\w+?(?=[nN]['’][tT]\b)|[nN]['’][tT]\b|['’](?:s|re|ve|ll|d|m|S|RE|VE|LL|D|M)\b"
    r"|(?:[A-Z]\.)+|\w(?:\w|[.,@](?=\w))*|\S"
)


def rough_tokens(text: str) -> list[str]:
    """Tokens much like the treebank's.

    >>> rough_tokens("I can't see Ann's well-known U.S. dog.")
    ['I', 'ca', "n't", 'see', 'Ann', "'s", 'well', '-', 'known', 'U.S.', 'dog', '.']
    """
    return _TOKEN.findall(text)


@dataclass(frozen=True)
class RawText:
    """Tokens by number; `BOUNDARY` stands before, between and after the sentences."""

    forms: list[str]
    tokens: NDArray[np.int32]

    @classmethod
    def from_sentences(cls, sentences: Iterable[list[str]]) -> RawText:
        """Number the tokens in the order of their first occurrence."""
        number: dict[str, int] = {}
        tokens = [BOUNDARY]
        for sentence in sentences:
            tokens.extend([number.setdefault(token, len(number)) for token in sentence])
            tokens.append(BOUNDARY)
        return cls(list(number), np.array(tokens, dtype=np.int32))


def english_lines(bitext: Path) -> Iterator[str]:
    """The distinct English lines, files in the order of their names."""
    seen: set[str] = set()
    for path in sorted(bitext.glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for row in file:
                line = row.split("\t", 1)[0]
                if line not in seen:
                    seen.add(line)
                    yield line
