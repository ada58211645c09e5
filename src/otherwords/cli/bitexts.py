"""What commands that read a bitext share: its files, its tokenizers, the report on its lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from otherwords.bitext.clean import Report, Source
    from otherwords.bitext.corpus import Bitext

__all__ = [
    "BitextTokenizer",
    "Case",
    "Memory",
    "Temporary",
    "Threads",
    "read_bitext",
    "source_of",
    "tell",
]

BitextTokenizer = Annotated[
    str,
    typer.Option(
        "--tokenizer",
        help="auto, penn, words, characters, jieba, none; one for both sides, or left,right.",
    ),
]
Case = Annotated[bool, typer.Option("--case", help="Tell upper from lower case.")]
Threads = Annotated[int, typer.Option("--threads", help="Threads to use.", min=1, max=1024)]
Memory = Annotated[
    float, typer.Option("--memory", help="Gigabytes for tables before they spill.", min=0.05)
]
Temporary = Annotated[
    str | None, typer.Option("--temporary", help="Directory for what spills; your system's.")
]


def source_of(path: str) -> Source:
    """A file of two columns, or two files with a comma between their names.

    >>> source_of("a.tsv"), source_of("a.en,a.fr")
    ('a.tsv', ('a.en', 'a.fr'))
    """
    left, comma, right = path.partition(",")
    return (left, right) if comma else path


def read_bitext(paths: list[str], tokenizer: str, case: bool) -> tuple[Bitext, Report]:
    """The words of the files, and what was off about their lines."""
    from otherwords.bitext.corpus import Bitext, check_tokenizers, encode
    from otherwords.bitext.reading import read_pairs

    names = check_tokenizers(tokenizer)
    pairs = read_pairs([source_of(path) for path in paths])
    sides = zip((pairs.left, pairs.right), names, strict=True)
    bitext = Bitext(*(encode(texts, name, case=case) for texts, name in sides))
    pairs.note_long(bitext)
    return bitext, pairs.report


def tell(report: Report) -> None:
    """What was off, on standard error."""
    for finding in report.findings():
        print(finding, file=sys.stderr)
