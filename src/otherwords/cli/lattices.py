"""`otherwords extract lattices`: trees of equivalent sentences in, paraphrases or links out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit_bytes

if TYPE_CHECKING:
    from otherwords.text.trees import Tree

__all__ = ["lattices_command"]


def lattices_command(
    trees: Annotated[
        str,
        typer.Option(
            "--trees", help="A tree a line, PTB brackets, behind the name of its group and a tab."
        ),
    ],
    parse: Annotated[
        bool, typer.Option("--parse", help="The lines hold English sentences; we parse them.")
    ] = False,
    links: Annotated[
        bool,
        typer.Option("--links", help="Links i-j of the first sentence of a group to each other."),
    ] = False,
    max_length: Annotated[
        int, typer.Option("--max-length", help="Words of a phrase.", min=1, max=20)
    ] = 5,
    case: Annotated[bool, typer.Option("--case", help="Keep case; else it is folded.")] = False,
    output: Output = None,
) -> int:
    """Merge the trees of equivalent sentences, and read paraphrases off the lattices (Pang)."""
    from otherwords.phrases.syntactic import syntactic_links, syntactic_table

    check_output(output, trees)
    groups = _groups(trees, parse)
    if links:
        lines = (
            " ".join(f"{i}-{j}" for i, j in syntactic_links(group[0], other, case=case))
            for group in groups
            for other in group[1:]
        )
    else:
        found = syntactic_table(groups, max_length=max_length, case=case)
        lines = (f"{one}\t{other}\t{probability!r}" for one, other, probability in found)
    emit_bytes(_encoded(lines), output)
    return 0


def _encoded(lines: Iterator[str]) -> Iterator[bytes]:
    return (f"{line}\n".encode() for line in lines)


def _groups(path: str, parse: bool) -> list[list[Tree]]:
    """The trees of each group, in the order of the file."""
    from otherwords.errors import InputError
    from otherwords.io.files import read_lines

    named: list[tuple[str, str, int]] = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        name, tab, text = line.partition("\t")
        if not tab:
            what = "a sentence" if parse else "a tree"
            message = f"a line is the name of a group, a tab, and {what}"
            raise InputError(message, path=path, line=number)
        named.append((name, text, number))
    if not named:
        raise InputError("there are no trees here", path=path)
    found: dict[str, list[Tree]] = {}
    trees = _parsed(named) if parse else _read(named, path)
    for (name, _, _), tree in zip(named, trees, strict=True):
        found.setdefault(name, []).append(tree)
    return list(found.values())


def _parsed(named: list[tuple[str, str, int]]) -> list[Tree]:
    from otherwords.text.parser import Parser

    return Parser.load().parse([text for _, text, _ in named])


def _read(named: list[tuple[str, str, int]], path: str) -> Iterator[Tree]:
    from otherwords.errors import InputError
    from otherwords.text.trees import parse_tree

    for _, brackets, number in named:
        try:
            yield parse_tree(brackets)
        except InputError as error:
            raise InputError(error.message, path=path, line=number) from error
