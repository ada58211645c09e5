"""`otherwords extract lattices`: trees of equivalent sentences in, paraphrases or links out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.bitexts import Case
from otherwords.cli.options import Output, limit, read, written
from otherwords.cli.output import check_output, emit_bytes

__all__ = ["lattices_command"]


def lattices_command(
    trees: Annotated[
        str, read("--trees", help="Trees in PTB brackets, one per line after its group and a tab.")
    ],
    parse: Annotated[
        bool, read("--parse", help="Parse English sentences that the lines have instead of trees.")
    ] = False,
    case: Case = False,
    max_length: Annotated[
        int, limit("--max-length", help="Most words of a phrase.", min=1, max=20)
    ] = 5,
    links: Annotated[
        bool,
        written("--links", help="Print links i-j of a group's first sentence to each other one."),
    ] = False,
    output: Output = None,
) -> int:
    """Merge the trees of equivalent sentences, and read paraphrases off the lattices (Pang)."""
    from otherwords.phrases import lattice_lines

    check_output(output, trees)
    lines = lattice_lines(trees, parse=parse, links=links, max_length=max_length, case=case)
    emit_bytes((f"{line}\n".encode() for line in lines), output)
    return 0
