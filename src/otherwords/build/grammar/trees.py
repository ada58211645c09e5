"""Trees of one side of a bitext as arrays of labelled spans, for extracting rules."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.build.bitext.corpus import Side
from otherwords.build.engine.base import Engine
from otherwords.build.trees.tree import Tree, clean, parse_trees, unescape
from otherwords.errors import InputError
from otherwords.io.files import read_lines

_PARSED_AT_ONCE = 1000
_SENTENCES = pa.schema({"place": pa.int64(), "text": pa.string()})
_PARSED = pa.schema(
    {
        "place": pa.int64(),
        **dict.fromkeys(("begins", "ends"), pa.list_(pa.int32())),
        "labels": pa.string(),
    }
)


class TreeNodes(NamedTuple):
    """The nodes of the trees of a text, including tags, parents before children."""

    begin: NDArray[np.int32]
    end: NDArray[np.int32]
    label: NDArray[np.int32]
    bounds: NDArray[np.int64]
    names: list[str]


def rule_label(label: str) -> str:
    """Write a tree label for rules, where commas and brackets have a meaning.

    >>> rule_label(","), rule_label("NP")
    ('COMMA', 'NP')
    """
    return label.replace(",", "COMMA").replace("[", "-LSB-").replace("]", "-RSB-")


def tree_nodes(trees: Iterable[Tree | None]) -> TreeNodes:
    """Collect the nodes of trees, without functions, traces and nodes without a label.

    >>> nodes = tree_nodes([Tree("NP", [Tree("DT", (), "a"), Tree("NN", (), "dog")]), None])
    >>> nodes.begin.tolist(), nodes.end.tolist(), nodes.bounds.tolist()
    ([0, 0, 1], [2, 1, 2], [0, 3, 3])
    """
    return _pack_nodes(
        (
            (rule_label(label), begin, end)
            for label, begin, end in (clean(tree).spans(tags=True) if tree is not None else ())
            if label and begin < end
        )
        for tree in trees
    )


def _pack_nodes(trees: Iterable[Iterable[tuple[str, int, int]]]) -> TreeNodes:
    begins, ends, labels = array("i"), array("i"), array("i")
    bounds = array("q", [0])
    names: dict[str, int] = {}
    for spans in trees:
        for label, begin, end in spans:
            begins.append(begin)
            ends.append(end)
            labels.append(names.setdefault(label, len(names)))
        bounds.append(len(begins))
    columns = [np.array(column, np.int32) for column in (begins, ends, labels)]
    return TreeNodes(columns[0], columns[1], columns[2], np.array(bounds, np.int64), list(names))


def read_tree_nodes(path: str | Path, side: Side, name: str) -> TreeNodes:
    """Read the trees of a side of the bitext `name`, one per line; an empty line has no tree."""
    return tree_nodes(_read_trees(str(path), side, name))


def parse_nodes(side: Side, engine: Engine) -> TreeNodes:
    """Parse an English side, in its original case, with the embedded parser."""
    sentences = (side.sentence(number) for number in range(len(side.bounds) - 1))
    texts = enumerate("\n".join(words) for words in sentences)
    blocks = iter(lambda: list(islice(texts, _PARSED_AT_ONCE)), [])
    rows = (
        pa.RecordBatch.from_arrays(
            [pa.array(column) for column in zip(*block, strict=True)], schema=_SENTENCES
        )
        for block in blocks
    )
    source = pa.RecordBatchReader.from_batches(_SENTENCES, rows)
    engine.map("parsed", source, partial(_parse, threads=engine.threads), _PARSED)
    return _pack_nodes(
        zip(row["labels"].split(), row["begins"], row["ends"], strict=True)
        for batch in engine.run("SELECT * FROM parsed ORDER BY place")
        for row in batch.to_pylist()
    )


def _parse(batches: Iterable[pa.RecordBatch], threads: int) -> Iterator[pa.RecordBatch]:
    """Yield the nodes of sentences with one word per line."""
    from otherwords.build.trees.parser import Parser

    parser = Parser.load()
    for batch in batches:
        sentences = [text.split("\n") if text else [] for text in batch["text"].to_pylist()]
        trees = parser.parse(sentences, threads=threads)
        pairs = zip(trees, sentences, strict=True)
        nodes = tree_nodes(tree if words else None for tree, words in pairs)
        rows = list(zip(nodes.bounds[:-1], nodes.bounds[1:], strict=True))
        columns = {
            "place": batch["place"],
            "begins": [nodes.begin[begin:end] for begin, end in rows],
            "ends": [nodes.end[begin:end] for begin, end in rows],
            "labels": [" ".join(nodes.names[k] for k in nodes.label[a:b]) for a, b in rows],
        }
        yield pa.RecordBatch.from_pydict(columns, schema=_PARSED)


def _read_trees(path: str, side: Side, name: str) -> Iterator[Tree | None]:
    sentences = len(side.bounds) - 1
    lines = 0
    for lines, line in enumerate(read_lines(path), 1):
        if lines > sentences:
            message = f"there are more lines here than the {sentences} of {name}"
            raise InputError(message, path=path, line=lines)
        try:
            trees = list(parse_trees([line]))
        except InputError as error:
            raise InputError(error.message, path=path, line=lines) from error
        if len(trees) > 1:
            message = f"there are {len(trees)} trees on this line; one is needed"
            raise InputError(message, path=path, line=lines)
        if trees:
            _check_words(clean(trees[0]), side.sentence(lines - 1), path, lines)
        yield trees[0] if trees else None
    if lines < sentences:
        message = f"there are {lines} lines here but {sentences} in {name}"
        raise InputError(message, path=path, line=lines + 1)


def _check_words(tree: Tree, words: list[str], path: str, line: int) -> None:
    leaves = tree.words
    advice = "the bitext must be split as the tree is; see `tokenizer` none"
    if leaves and len(leaves) != len(words):
        message = f"the tree has {len(leaves)} words, its sentence {len(words)}; {advice}"
        raise InputError(message, path=path, line=line)
    for leaf, word in zip(leaves, words, strict=False):
        if unescape(leaf).casefold() != unescape(word).casefold():
            message = f"the tree has '{leaf}' where the sentence has '{word}'; {advice}"
            raise InputError(message, path=path, line=line)
