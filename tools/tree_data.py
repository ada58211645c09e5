"""Trees to train the parser on, split by document, with tags from taggers that never saw them.

A parser that is trained with the embedded tagger's own tags would trust them too much: that
tagger was trained on the very same sentences. So the documents are dealt into folds, and the
tags of each come from a tagger trained on all the others (jackknifing).
"""

from __future__ import annotations

import gzip
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _build, _native
from otherwords.build.trees.tree import Tree, clean, parse_tree
from otherwords.models.container import embedded, read
from treebank import Tagged, read_treebank, with_other_styles

__all__ = [
    "Parsed",
    "genre_of",
    "jackknifed",
    "read_parsed",
    "split",
    "trained_tagger",
    "with_penn_style",
]

FOLDS = 5
DEV_SHARE = 8  # one document in so many is for development
LEXICON = "word_keys word_buckets word_clusters coarser_clusters word_capitals word_senses".split()


@dataclass(frozen=True)
class Parsed:
    """A tree of a document."""

    document: str
    tree: Tree


def read_parsed(path: Path) -> list[Parsed]:
    """The cleaned trees of a gzipped file of document TAB tree."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t") for line in file)
        return [Parsed(document, clean(parse_tree(tree))) for document, tree in rows]


def genre_of(document: str) -> str:
    """What a document's name says of its genre.

    >>> genre_of("GUM_bio_galois")
    'bio'
    """
    return document.split("_")[1]


def split(trees: Sequence[Parsed]) -> tuple[list[Parsed], list[Parsed]]:
    """Trees to train on and to measure on, by document, the same share of every genre."""
    genres: dict[str, set[str]] = defaultdict(set)
    for parsed in trees:
        genres[genre_of(parsed.document)].add(parsed.document)
    held = set()
    for documents in genres.values():
        count = max(1, round(len(documents) / DEV_SHARE))
        held.update(sorted(documents, key=_shuffled)[:count])
    return (
        [parsed for parsed in trees if parsed.document not in held],
        [parsed for parsed in trees if parsed.document in held],
    )


def _shuffled(name: str) -> str:
    """A key that sorts names in an order that means nothing and never changes."""
    return hashlib.sha256(name.encode()).hexdigest()


def with_penn_style(trees: Sequence[Parsed]) -> list[Parsed]:
    """The trees, and copies with hyphenated words whole where there are any."""
    copies = [Parsed(parsed.document, penn_style(parsed.tree)) for parsed in trees]
    changed = [new for new, old in zip(copies, trees, strict=True) if new.tree != old.tree]
    return [*trees, *changed]


def penn_style(tree: Tree) -> Tree:
    """The tree as Penn tokenisation has it: the parts of a hyphenated word are one word.

    >>> print(penn_style(parse_tree(
    ...     "(NP (DT a) (ADJP (RB well) (HYPH -) (VBN known)) (NN man))")))
    (NP (DT a) (JJ well-known) (NN man))
    """
    return tree.rebuild(_without_hyphens) or tree


def _without_hyphens(node: Tree, kept: tuple[Tree, ...]) -> Tree:
    if node.word is not None:
        return node
    joined: list[Tree] = []
    at = 0
    while at < len(kept):
        end = at + 1
        while end + 1 < len(kept) and _is_hyphenated(kept[end - 1 : end + 2]):
            end += 2
        tag = kept[end - 1].label
        if end - at > 1:
            word = "".join(part.word or "" for part in kept[at:end])
            joined.append(Tree(tag if tag.startswith("NN") else "JJ", (), word))
        else:
            joined.append(kept[at])
        at = end
    if node.label == "ADJP" and len(joined) == 1 < len(kept):
        return Tree("JJ", (), joined[0].word)
    return Tree(node.label, joined)


def _is_hyphenated(parts: Sequence[Tree]) -> bool:
    return all(part.word is not None for part in parts) and parts[1].label == "HYPH"


def jackknifed(
    train: Sequence[Parsed], dev: Sequence[Parsed], tagged: Path
) -> tuple[list[list[str]], list[list[str]]]:
    """The tags of the words of each tree, by a tagger that was trained without its document."""
    held_out = {parsed.document for parsed in dev}
    documents = sorted({parsed.document for parsed in train}, key=_shuffled)
    folds = [set(documents[k::FOLDS]) for k in range(FOLDS)]
    treebank = read_treebank(tagged)
    both = [*train, *dev]
    result: list[list[str]] = [[] for _ in both]
    for fold in [*folds, held_out]:
        unseen = {p.tree.words for p in both if p.document in fold or p.document in held_out}
        tagger = trained_tagger(s for s in treebank if tuple(s.forms) not in unseen)
        inside = [at for at, parsed in enumerate(both) if parsed.document in fold]
        guesses = tagger.tag([list(both[at].tree.words) for at in inside], 1)
        for at, tags in zip(inside, guesses, strict=True):
            result[at] = tags
        print(f"{len(fold)} documents tagged, {_agreement(both, result, inside):.4f} right")
    return result[: len(train)], result[len(train) :]


def _agreement(trees: Sequence[Parsed], tags: Sequence[Sequence[str]], inside: list[int]) -> float:
    right = [
        one == other
        for at in inside
        for one, other in zip(trees[at].tree.tags, tags[at], strict=True)
    ]
    return sum(right) / len(right)


def trained_tagger(sentences: Iterable[Tagged]) -> _native.Tagger:
    """A tagger like the embedded one, with its lexicon (which no treebank was used for)."""
    model = read(embedded("tagger"), "tagger")
    options: dict[str, Any] = dict(model.provenance["training"])
    options["runs"] = 1
    copies = model.provenance["copies"]
    styled = list(with_other_styles(list(sentences), copies["every_lower"], copies["every_upper"]))
    names = sorted({tag for sentence in styled for tag in sentence.tags})
    code = {name: number for number, name in enumerate(names)}
    tags = np.array([code[t] for sentence in styled for t in sentence.tags], dtype=np.uint8)
    lexicon: dict[str, NDArray[Any]] = {name: model.arrays[name] for name in LEXICON}
    forms = [sentence.forms for sentence in styled]
    trained = _build.train_tagger(forms, tags, len(names), lexicon, **options)
    return _native.Tagger(
        {
            "tag_names": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
            "margin": model.arrays["margin"],
            **lexicon,
            **trained,
        }
    )
