"""Groups of sentential paraphrases, and grammars extracted from nine tenths (PARADIGM §5.2).

Three kinds of files have sentence pairs: rows of gold alignments (`source`, `target`, `group`),
rows with several equivalent `texts`, and two columns of text, where each line is its own group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from otherwords import _native
from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.corpus import TOKENIZERS, Bitext, Side, encode
from otherwords.build.bitext.gold import Gold, Link, read_gold
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.build.grammar.extraction import RuleLimits, build_grammar
from otherwords.build.grammar.table import Grammar
from otherwords.build.grammar.trees import tree_nodes
from otherwords.build.trees.tree import Tree
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN, read_lines
from otherwords.io.values import load_json

Words = tuple[str, ...]
_NO_WORD = re.compile(r"^$|[ \t\r\n]")


@dataclass(frozen=True)
class SentencePair:
    """Two equivalent sentences, with their links if known.

    `written` is the source with its case, for the parser.
    """

    source: Words
    target: Words
    written: Words
    links: tuple[Link, ...] | None = None


@dataclass(frozen=True)
class PairGroup:
    """Pairs of sentences that are all equivalent."""

    name: str
    pairs: tuple[SentencePair, ...]


@dataclass(frozen=True)
class PairsFile:
    """A file of sentence pairs, and how it is read.

    Parameters
    ----------
    path
        The file; its first line determines its kind.
    tokenizer
        How texts are tokenized (default: `auto`).
    case
        Keep case.
    texts
        Names of the texts to use, in this order.
    """

    path: str
    tokenizer: str | None = None
    case: bool = False
    texts: Sequence[str] = ()


def read_pair_groups(file: str | PairsFile, *, possible: bool = False) -> list[PairGroup]:
    """Read the groups of a file.

    Links are the sure ones, or also the `possible` ones. Every two different texts of a row are a
    pair, in the order of the file, or of its `texts`. Groups without two different sentences are
    left out. Options without effect on this kind of file are refused: `texts` and `tokenizer` need
    texts, `possible` needs links.
    """
    file = PairsFile(file) if isinstance(file, str) else file
    path, tokenizer, case, texts = file.path, file.tokenizer, file.case, file.texts
    if path == STDIN:
        raise UsageError("the sentence pairs are read more than once: give a file, not '-'")
    if tokenizer is not None and tokenizer not in TOKENIZERS:
        raise UsageError(f"unknown tokenizer '{tokenizer}'; {near(tokenizer, TOKENIZERS)}")
    first = next((line for line in read_lines(path) if line.strip()), "").strip()
    has_texts = first.startswith("{") and _has_texts(first)
    if texts and not has_texts:
        what = "sources and targets" if first.startswith("{") else "two columns"
        raise UsageError(f"{path} has {what}: there are no texts to choose from by name")
    if possible and (has_texts or not first.startswith("{")):
        raise UsageError(f"{path} has no links: possible links do nothing")
    if has_texts:
        groups = _text_groups(path, tokenizer or "auto", case, texts)
    elif not first.startswith("{"):
        groups = _column_groups(path, tokenizer or "auto", case)
    elif tokenizer is not None:
        raise UsageError(f"{path} has words, not texts: a tokenizer does nothing")
    else:
        groups = _gold_groups(path, case, possible)
    if not groups:
        raise InputError("there are no sentence pairs here", path=path, code="E105")
    return groups


def has_links(path: str) -> bool:
    """Whether a file has rows of gold alignments rather than texts."""
    first = next((line for line in read_lines(path) if line.strip()), "").strip()
    return first.startswith("{") and not _has_texts(first)


def pairs_of(groups: Iterable[PairGroup]) -> list[SentencePair]:
    """Return all pairs, group by group."""
    return [pair for group in groups for pair in group.pairs]


def _fold(words: Iterable[str], case: bool) -> Words:
    return tuple(words) if case else tuple(_native.lower(word) for word in words)


def _pair(source: Words, target: Words, case: bool) -> SentencePair:
    return SentencePair(_fold(source, case), _fold(target, case), source)


def _gold_groups(path: str, case: bool, possible: bool) -> list[PairGroup]:
    groups: dict[str, list[SentencePair]] = {}
    for number, row in enumerate(read_gold(path), 1):
        _check_words(row, path, number)
        links = tuple(sorted(row.possible if possible else row.sure))
        source, target = (_fold(side, case) for side in (row.source, row.target))
        name = f"row {number}" if row.group is None else row.group
        groups.setdefault(name, []).append(SentencePair(source, target, row.source, links))
    return [PairGroup(name, tuple(pairs)) for name, pairs in groups.items()]


def _check_words(row: Gold, path: str, number: int) -> None:
    for word in row.source + row.target:
        if _NO_WORD.search(word):
            message = f"row {number} has the word {word!r:.40}; words have no spaces in them"
            raise InputError(message, path=path)


def _column_groups(path: str, tokenizer: str, case: bool) -> list[PairGroup]:
    names, columns = [], []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            message = f"two texts with a tab between them are needed; here are {len(cells)} columns"
            message = "a column is empty" if len(cells) == 2 else message
            raise InputError(message, path=path, line=number)
        names.append(f"line {number}")
        columns.append(cells)
    sides = [_tokenize(side, tokenizer) for side in zip(*columns, strict=True)]
    pairs = zip(names, *sides, strict=True) if columns else ()
    return [PairGroup(name, (_pair(source, target, case),)) for name, source, target in pairs]


def _tokenize(texts: Iterable[str], tokenizer: str) -> list[Words]:
    side = encode(texts, tokenizer, case=True)
    return [tuple(side.sentence(number)) for number in range(len(side.bounds) - 1)]


def _has_texts(line: str) -> bool:
    try:
        row: Any = load_json(line)
    except (ValueError, RecursionError):
        return False  # the reader of gold rows reports the error
    return isinstance(row, dict) and "texts" in row


def _text_groups(path: str, tokenizer: str, case: bool, chosen: Sequence[str]) -> list[PairGroup]:
    rows = list(_text_rows(path))
    known = dict.fromkeys(name for _, texts in rows for name in texts)
    for name in chosen:
        if name not in known:
            raise UsageError(f"{path} has no text '{name}'; {near(name, known)}")
    chosen_texts = [
        (group, [texts[name] for name in chosen or texts if name in texts]) for group, texts in rows
    ]
    words = iter(_tokenize((text for _, texts in chosen_texts for text in texts), tokenizer))
    groups = []
    for group, texts in chosen_texts:
        different = {_fold(text, case): text for text in (next(words) for _ in texts) if text}
        pairs = [_pair(*two, case) for two in combinations(different.values(), 2)]
        if pairs:
            groups.append(PairGroup(group, tuple(pairs)))
    return groups


def _text_rows(path: str) -> Iterator[tuple[str, dict[str, str]]]:
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            row: Any = load_json(line)
            texts = {str(name): _check_text(text) for name, text in row["texts"].items()}
            yield str(row.get("id", f"line {number}")), texts
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = f"no row of texts that say the same (id, texts by name): {error!r:.200}"
            raise InputError(message, path=path, line=number, code="E203") from error


def _check_text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a text is needed, not {text!r:.40}")
    text.encode()
    return text


def as_bitext(pairs: Sequence[SentencePair]) -> Bitext:
    """Turn pairs into arrays, without changing words."""
    return Bitext(_side([pair.source for pair in pairs]), _side([pair.target for pair in pairs]))


def _side(sentences: Sequence[Words]) -> Side:
    ids: dict[str, int] = {}
    tokens = [ids.setdefault(word, len(ids)) for words in sentences for word in words]
    bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    return Side(np.array(tokens, np.uint32), bounds, list(ids))


def links_of(pairs: Sequence[SentencePair]) -> Links | None:
    """Return the links of the pairs, or `None` if any pair has no known links."""
    known = [pair.links for pair in pairs if pair.links is not None]
    if len(known) < len(pairs):
        return None
    flat = np.array([link for links in known for link in sorted(set(links))], np.uint32)
    bounds = np.cumsum([0, *(len(set(links)) for links in known)], dtype=np.int64)
    left, right = np.ascontiguousarray(flat.reshape(-1, 2).T)
    return Links(left, right, bounds)


Trees = dict[tuple[str, ...], Tree]


def split_groups(
    groups: Sequence[PairGroup], folds: int
) -> list[tuple[list[PairGroup], list[PairGroup]]]:
    """Split groups into training and test groups for each fold; group n is in fold n % `folds`.

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
    """Parse all different sources, with their case, with the embedded parser."""
    from otherwords.build.trees.parser import Parser

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
    """Extract a grammar from the pairs' links, or from those of an aligner trained on the pairs.

    Trees are those of the sources: the paper, too, parsed one sentence of each pair.
    """
    text = as_bitext(pairs)
    nodes = None
    if trees is not None:
        nodes = tree_nodes(trees[pair.written] if pair.written else None for pair in pairs)
    return build_grammar(
        *text,
        links_of(pairs) or _align(pairs, engine.threads),
        path,
        engine=engine,
        kind=kind,
        trees=nodes,
        tree_side="left",
        limits=limits,
    )


def _align(pairs: Sequence[SentencePair], threads: int) -> Links:
    text = as_bitext(pairs)
    aligner = Aligner.train(text, Training(monolingual=True), threads=threads)
    return aligner.align(text, threads=threads)[0]
