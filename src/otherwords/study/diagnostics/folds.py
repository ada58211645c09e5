"""Grammars of sentence pairs that are to parse the others: nine tenths and the tenth (§5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.build.grammar.extraction import RuleLimits, build_grammar
from otherwords.build.grammar.table import Grammar
from otherwords.build.grammar.trees import tree_nodes
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.study.diagnostics.pair_groups import (
    PairGroup,
    SentencePair,
    as_bitext,
    links_of,
    pairs_of,
)
from otherwords.text.trees import Tree

__all__ = ["Trees", "own_grammar", "source_trees", "split_groups"]

Trees = dict[tuple[str, ...], Tree]


def split_groups(
    groups: Sequence[PairGroup], folds: int
) -> list[tuple[list[PairGroup], list[PairGroup]]]:
    """For each fold the groups to learn from and those to test: every so-many-th of them.

    >>> groups = [PairGroup(name, ()) for name in "abc"]
    >>> [[group.name for group in tested] for _, tested in split_groups(groups, 2)]
    [['a', 'c'], ['b']]
    """
    check_whole("folds", folds, 2, 1000)
    if len(groups) < folds:
        raise InputError(f"{len(groups)} groups of sentences cannot be split into {folds} folds")
    return [
        (
            [group for number, group in enumerate(groups) if number % folds != fold],
            list(groups[fold::folds]),
        )
        for fold in range(folds)
    ]


def source_trees(groups: Sequence[PairGroup], threads: int = 1) -> Trees:
    """The trees of all different sources, with their case, by the embedded parser."""
    from otherwords.text.parser import Parser

    sources = list(dict.fromkeys(pair.written for pair in pairs_of(groups)))
    trees = Parser.load().parse([list(words) for words in sources], threads=threads)
    return dict(zip(sources, trees, strict=True))


def own_grammar(
    pairs: Sequence[SentencePair],
    path: str | Path,
    *,
    engine: Engine,
    kind: str = "hiero",
    trees: Trees | None = None,
    limits: RuleLimits | None = None,
) -> Grammar:
    """The grammar of the pairs by their own links, or by those of an aligner trained on them.

    The tree is that of the source, as the paper parsed one sentence of each pair.
    """
    text = as_bitext(pairs)
    nodes = None
    if trees is not None:
        nodes = tree_nodes(trees[pair.written] if pair.written else None for pair in pairs)
    return build_grammar(
        *text,
        links_of(pairs) or _aligned(pairs, engine.threads),
        path,
        engine=engine,
        kind=kind,
        trees=nodes,
        tree_side="left",
        limits=limits,
    )


def _aligned(pairs: Sequence[SentencePair], threads: int) -> Links:
    text = as_bitext(pairs)
    aligner = Aligner.train(text, Training(monolingual=True), threads=threads)
    return aligner.align(text, threads=threads)[0]
