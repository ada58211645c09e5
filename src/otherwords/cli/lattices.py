"""`otherwords extract lattices`: trees of equivalent sentences in, paraphrases or links out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.bitexts import Case
from otherwords.cli.options import Output, limit, read, written
from otherwords.cli.output import check_output, emit_bytes

__all__ = ["lattices_command"]


def lattices_command(
    trees: Annotated[
        str, read("--trees", help="Read lines of a group, a tab and a tree in PTB brackets.")
    ],
    parse: Annotated[
        bool, read("--parse", help="Parse the lines: they hold English sentences instead of trees.")
    ] = False,
    case: Case = False,
    max_length: Annotated[
        int, limit("--max-length", help="Limit phrases to this many words.", min=1, max=20)
    ] = 5,
    links: Annotated[
        bool,
        written(
            "--links",
            help="Print links i-j from the first sentence of a group to each of the others.",
        ),
    ] = False,
    output: Output = None,
) -> int:
    """Merge the trees of equivalent sentences into lattices, and extract paraphrases (Pang)."""
    from otherwords.build.phrases.lattices import lattice_lines

    check_output(output, trees)
    lines = lattice_lines(trees, parse=parse, links=links, max_length=max_length, case=case)
    emit_bytes((f"{line}\n".encode() for line in lines), output)
    return 0
