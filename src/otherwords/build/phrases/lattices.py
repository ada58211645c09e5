"""Lattices of equivalent sentences in files: `otherwords extract lattices`."""

from __future__ import annotations

from collections.abc import Iterator

from otherwords.build.phrases.syntactic import syntactic_links, syntactic_table
from otherwords.errors import InputError
from otherwords.io.files import read_lines
from otherwords.text.trees import Tree, parse_tree

__all__ = ["lattice_lines", "read_groups"]


def lattice_lines(
    path: str,
    *,
    parse: bool = False,
    links: bool = False,
    max_length: int = 5,
    case: bool = False,
) -> Iterator[str]:
    """Paraphrases of the groups of trees in a file: phrase, paraphrase, probability.

    With `links`, the links `i-j` of the first sentence of each group to each of the others.
    """
    groups = read_groups(path, parse=parse)
    if links:
        for first, *others in groups:
            for other in others:
                pairs = syntactic_links(first, other, case=case)
                yield " ".join(f"{i}-{j}" for i, j in pairs)
        return
    table = syntactic_table(groups, max_length=max_length, case=case)
    for phrase, paraphrase, probability in table:
        yield f"{phrase}\t{paraphrase}\t{probability!r}"


def read_groups(path: str, *, parse: bool = False) -> list[list[Tree]]:
    """The trees of each group, in the order of the file: lines of group, tab, brackets.

    With `parse` the lines have English sentences, which the embedded parser gives trees.
    """
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
    for _, brackets, number in named:
        try:
            yield parse_tree(brackets)
        except InputError as error:
            raise InputError(error.message, path=path, line=number) from error
