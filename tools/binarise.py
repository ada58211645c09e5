"""Trees as the parser's chart has them: binary, from the head outwards, unary chains in one label.

The parts of a phrase of more than two children are intermediate phrases, `@` and its label, that
all hold its head. A chain of phrases over the same words is one label, `S+VP`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from otherwords.build.trees.tree import Tree

__all__ = ["BinaryNode", "Labels", "binary_nodes", "chains"]

# Where the head of a phrase is looked for (after Collins 1999, appendix A): the side to start
# from, and labels or tags in the order in which they are wanted.
_HEADS: dict[str, tuple[str, list[str]]] = {
    "ADJP": ("last", "JJ JJR JJS VBN VBG ADJP NN RB QP".split()),
    "ADVP": ("last", "RB RBR RBS ADVP IN NP".split()),
    "CONJP": ("last", "CC RB IN".split()),
    "INTJ": ("first", ["UH"]),
    "PP": ("first", "IN TO VBG VBN RP PP".split()),
    "PRT": ("last", ["RP"]),
    "QP": ("last", "CD $ NN QP".split()),
    "S": ("first", "VP S SBAR ADJP UCP NP".split()),
    "SBAR": ("first", "S SQ SINV SBAR VP WHNP".split()),
    "SBARQ": ("first", "SQ S SINV SBARQ".split()),
    "SINV": ("first", "VP VBZ VBD VBP VB MD S SINV".split()),
    "SQ": ("first", "VBZ VBD VBP VB MD VP SQ".split()),
    "VP": ("first", "VBD VBN MD VBZ VB VBG VBP TO VP ADJP NN NP".split()),
    "WHNP": ("last", "NN NNS NNP WDT WP WHNP".split()),
    "WHPP": ("first", "IN TO".split()),
}
_NOUNS = "NN NNS NNP NNPS NX POS JJR".split()


@dataclass(frozen=True)
class BinaryNode:
    """A span with its label; `split` is 0 for a single word."""

    begin: int
    end: int
    split: int
    label: str


@dataclass(frozen=True)
class _Phrase:
    """A phrase with all that is above it over the same words."""

    chain: list[str]
    children: tuple[Tree, ...]


def _phrase(tree: Tree) -> _Phrase:
    """The chain of labels from a node down to a word or to a node of several children."""
    chain = []
    while tree.word is None and len(tree.children) == 1:
        chain.append(tree.label)
        tree = tree.children[0]
    if tree.word is None:
        chain.append(tree.label)
    return _Phrase(chain, tree.children)


def chains(tree: Tree) -> Iterator[str]:
    """The labels of all spans of a tree, `""` for a word that is no phrase of its own.

    >>> from otherwords.build.trees.tree import parse_tree
    >>> list(chains(parse_tree("(S (NP (PRP I)) (VP (VBP eat) (NP (NN rice))))")))
    ['S', 'NP', 'VP', '', 'NP']
    """
    stack = [tree]
    while stack:
        phrase = _phrase(stack.pop())
        yield "+".join(phrase.chain)
        stack.extend(reversed(phrase.children))


class Labels:
    """The labels of a parser: chains that are frequent enough, and intermediate ones."""

    def __init__(self, trees: Iterable[Tree], least: int) -> None:
        counts = Counter(label for tree in trees for label in chains(tree))
        known = sorted(label for label, count in counts.items() if label and count >= least)
        phrases = sorted({label.split("+")[-1] for label in known})
        self.names = ["", *known, *(f"@{phrase}" for phrase in phrases)]
        self.numbers = {name: number for number, name in enumerate(self.names)}

    def number(self, label: str) -> int:
        """The number of a label; of a rare chain that of its end, of a rare phrase NP's."""
        if label in self.numbers:
            return self.numbers[label]
        if "+" in label:
            return self.number(label.partition("+")[2])
        return self.numbers["@NP" if label.startswith("@") else "NP"]


def binary_nodes(tree: Tree) -> list[BinaryNode]:
    """The nodes of the binary tree.

    >>> from otherwords.build.trees.tree import parse_tree
    >>> for node in binary_nodes(parse_tree("(VP (VB eat) (NP (NN rice)) (ADVP (RB now)))")):
    ...     print(node.begin, node.end, node.split, repr(node.label))
    0 1 0 ''
    1 2 0 'NP'
    2 3 0 'ADVP'
    0 2 1 '@VP'
    0 3 2 'VP'
    """
    nodes: list[BinaryNode] = []
    _add_nodes(tree, 0, nodes)
    return nodes


def _add_nodes(tree: Tree, begin: int, nodes: list[BinaryNode]) -> int:
    """Adds the nodes below and at a tree that starts at word `begin`; where it ends."""
    phrase = _phrase(tree)
    label = "+".join(phrase.chain)
    if not phrase.children:
        nodes.append(BinaryNode(begin, begin + 1, 0, label))
        return begin + 1
    places = [begin]
    for child in phrase.children:
        places.append(_add_nodes(child, places[-1], nodes))
    bottom = phrase.chain[-1]
    for first, last, split in _merges(bottom, phrase.children):
        is_whole = last - first == len(phrase.children)
        name = label if is_whole else f"@{bottom}"
        nodes.append(BinaryNode(places[first], places[last], places[split], name))
    return places[-1]


def _merges(label: str, children: tuple[Tree, ...]) -> Iterator[tuple[int, int, int]]:
    """First child, last child (not included) and split of each phrase that is built."""
    head = _head(label, children)
    first, last = head, head + 1
    while last < len(children):
        last += 1
        yield first, last, last - 1
    while first > 0:
        first -= 1
        yield first, last, first + 1


def _head(label: str, children: tuple[Tree, ...]) -> int:
    labels = [child.label for child in children]
    if label in ("NP", "NX", "NAC"):
        return _noun_head(labels)
    side, wanted = _HEADS.get(label, ("first", []))
    order = list(range(len(labels)))
    if side == "last":
        order.reverse()
    for name in wanted:
        for at in order:
            if labels[at] == name:
                return at
    return order[0]


def _noun_head(labels: list[str]) -> int:
    if "NP" in labels and labels[0] == "NP":
        return 0
    for wanted in (_NOUNS, ["NP"], ["$", "CD", "QP"], ["JJ", "JJS", "RB", "PRP", "DT"]):
        for at in reversed(range(len(labels))):
            if labels[at] in wanted:
                return at
    return len(labels) - 1
