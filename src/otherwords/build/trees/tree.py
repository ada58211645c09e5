"""Constituency trees, read from and written as Penn Treebank brackets.

Nothing here recurses, so trees can be as deep as long sentences make them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from otherwords.errors import InputError

EMPTY = "-NONE-"  # the tag of traces and other elements without a word in the text
ROOTS = frozenset({"", "ROOT", "TOP", "S1"})  # labels of the node above a sentence
_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_TOKEN = re.compile(r"[()]|[^\s()]+")
_BAD = re.compile(r"[\s()]")


class TreeSpan(NamedTuple):
    """A labelled span of words, `begin` counted from 0 and `end` not included."""

    label: str
    begin: int
    end: int


class Tree:
    """A node with its label: a phrase with children, or a tag with its word.

    Words are as in the text; round brackets in them are escaped only in writing. A root
    without children is the tree of an empty sentence.

    >>> tree = parse_tree("(S (NP-SBJ (PRP It)) (VP (VBZ works)) (. .))")
    >>> tree.words, tree.tags
    (('It', 'works', '.'), ('PRP', 'VBZ', '.'))
    >>> tree.spans()[1]
    TreeSpan(label='NP-SBJ', begin=0, end=1)
    """

    __slots__ = ("children", "label", "word")

    def __init__(self, label: str, children: Iterable[Tree] = (), word: str | None = None) -> None:
        nodes = () if isinstance(children, str) else tuple(children)
        if isinstance(children, str) or not all(isinstance(child, Tree) for child in nodes):
            raise InputError(f"the children of '{label}' must be trees")
        if word is not None and (nodes or not word or any(c.isspace() for c in word)):
            raise InputError(f"a word of a tree is empty, has white space or children: {word!r}")
        if word is not None and not label:
            raise InputError(f"the word {word!r} of a tree has no tag")
        if _BAD.search(label):
            raise InputError(f"a label of a tree has brackets or white space: {label!r}")
        self.label, self.children, self.word = label, nodes, word

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return list(_signature(self)) == list(_signature(other))

    def __hash__(self) -> int:
        return hash(tuple(_signature(self)))

    def __str__(self) -> str:
        return "".join(_pieces(self, lambda depth: " "))

    def __repr__(self) -> str:
        return f"parse_tree({str(self)!r})"

    def pretty(self) -> str:
        """Write each phrase on its own line, indented by depth; tags stay on the line.

        >>> print(parse_tree("(S (NP (DT a) (NN dog)) (VP (VBZ barks)))").pretty())
        (S
          (NP (DT a) (NN dog))
          (VP (VBZ barks)))
        """
        return "".join(_pieces(self, lambda depth: "\n" + "  " * depth))

    def nodes(self) -> Iterator[Tree]:
        """Yield all nodes from left to right, parents before children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def leaves(self) -> Iterator[Tree]:
        return (node for node in self.nodes() if node.word is not None)

    @property
    def words(self) -> tuple[str, ...]:
        """The words from left to right."""
        return tuple(leaf.word for leaf in self.leaves() if leaf.word is not None)

    @property
    def tags(self) -> tuple[str, ...]:
        """The labels of the nodes above the words."""
        return tuple(leaf.label for leaf in self.leaves())

    def spans(self, *, tags: bool = False) -> list[TreeSpan]:
        """Return the span of each phrase, parents before children, also those of tags if asked.

        >>> parse_tree("(NP (NP (NN tea)) (PP (IN for) (NP (CD two))))").spans()[2]
        TreeSpan(label='PP', begin=1, end=3)
        """
        spans: list[TreeSpan] = []
        at = 0
        stack: list[Tree | int] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, int):
                spans[node] = spans[node]._replace(end=at)
                continue
            if tags or node.word is None:
                stack.append(len(spans))
                spans.append(TreeSpan(node.label, at, at))
            at += node.word is not None
            stack.extend(reversed(node.children))
        return spans

    def rebuild(self, change: Callable[[Tree, tuple[Tree, ...]], Tree | None]) -> Tree | None:
        """Rebuild the tree bottom-up with `change(node, new children)`.

        A node for which `change` returns `None` is left out.

        >>> tree = parse_tree("(S (NP (NN tea)) (VP (VBZ cools)))")
        >>> print(tree.rebuild(lambda node, kept: Tree(node.label.lower(), kept, node.word)))
        (s (np (nn tea)) (vp (vbz cools)))
        """
        rebuilt: list[list[Tree]] = [[]]
        stack: list[tuple[Tree, bool]] = [(self, False)]
        while stack:
            node, is_done = stack.pop()
            if not is_done and node.children:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))
                rebuilt.append([])
                continue
            inner = tuple(rebuilt.pop()) if is_done else ()
            new = change(node, inner)
            if new is not None:
                rebuilt[-1].append(new)
        return rebuilt[0][0] if rebuilt[0] else None


def _signature(tree: Tree) -> Iterator[tuple[str, str | None, int]]:
    return ((node.label, node.word, len(node.children)) for node in tree.nodes())


def _pieces(tree: Tree, before_phrase: Callable[[int], str]) -> Iterator[str]:
    """Yield the text of a tree; `before_phrase(depth)` is the space before a phrase."""
    stack: list[tuple[Tree | None, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if node is None:
            yield ")"
            continue
        if depth:
            yield " " if node.word is not None else before_phrase(depth)
        if node.word is not None:
            yield f"({node.label} {_escape(node.word)})"
            continue
        yield f"({node.label}"
        stack.append((None, depth))
        stack.extend((child, depth + 1) for child in reversed(node.children))


def _escape(word: str) -> str:
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def _unescape(word: str) -> str:
    if word in _BRACKETS:
        return _BRACKETS[word]
    return word.replace("-LRB-", "(").replace("-RRB-", ")")


def unescape(word: str) -> str:
    """Undo either of the Penn Treebank's escapes.

    >>> [unescape(word) for word in ("-LRB-", "``", "1\\\\/2", "dog")]
    ['(', '"', '1/2', 'dog']
    """
    if word in ("``", "''"):
        return '"'
    return _unescape(word).replace("\\/", "/").replace("\\*", "*")


def clean_label(label: str) -> str:
    """Strip functions and indices from a label; labels that start with a hyphen stay.

    >>> [clean_label(label) for label in ("NP-SBJ-1", "PP=2", "-LRB-", "ADVP|PRT")]
    ['NP', 'PP', '-LRB-', 'ADVP']
    """
    if label.startswith("-"):
        return label
    return re.split(r"[-=|]", label, maxsplit=1)[0] or label


def clean(tree: Tree) -> Tree:
    """Clean labels, and remove empty elements and the phrases they leave empty.

    >>> print(clean(parse_tree("(S (NP-SBJ (-NONE- *)) (VP (VB Go) (NP-TMP (NN now))))")))
    (S (VP (VB Go) (NP (NN now))))
    """
    cleaned = tree.rebuild(_clean_node)
    return Tree(clean_label(tree.label)) if cleaned is None else cleaned


def _clean_node(node: Tree, children: tuple[Tree, ...]) -> Tree | None:
    if node.word is not None:
        return None if node.label == EMPTY else Tree(clean_label(node.label), (), node.word)
    return Tree(clean_label(node.label), children) if children else None


def parse_tree(text: str) -> Tree:
    """Read the only tree of a text.

    >>> parse_tree("( (S (VP (VB Go))) )").children[0].label
    'S'
    """
    trees = list(parse_trees(text.split("\n")))
    if len(trees) != 1:
        raise InputError(f"one tree is needed; {len(trees)} were found in {text[:60]!r}")
    return trees[0]


def parse_trees(lines: Iterable[str], path: str | None = None) -> Iterator[Tree]:
    """Read trees from lines; a tree may span lines, and a line may hold several trees.

    >>> [tree.label for tree in parse_trees(["(NP (NN tea)) (S", "  (VP (VB Go)))"])]
    ['NP', 'S']
    """
    reader = _Reader()
    number = 1
    try:
        for number, line in enumerate(lines, 1):
            for token in _TOKEN.findall(line):
                finished = reader.take(token, number)
                if finished is not None:
                    yield finished
        if reader.open:
            number = reader.open[0].line
            raise InputError("this tree is not closed at the end of the text")
    except InputError as error:
        if error.line is not None:  # it names the line of the file already
            raise
        raise InputError(error.message, path=path, line=number) from error


@dataclass
class _Node:
    """A node that is being read, which begins on this line."""

    line: int
    label: str | None = None
    word: str | None = None
    children: list[Tree] = field(default_factory=list)


class _Reader:
    """Reads tokens of brackets one by one."""

    def __init__(self) -> None:
        self.open: list[_Node] = []

    def take(self, token: str, line: int) -> Tree | None:
        """Take a token; return the tree that it completes, if any."""
        if token != "(" and not self.open:
            raise InputError(f"'{token[:40]}' stands outside of the brackets of a tree")
        if token == ")":
            return self._close(self.open.pop())
        if token != "(":
            self._name(self.open[-1], token)
            return None
        if self.open and self.open[-1].word is not None:
            raise InputError(f"'{self.open[-1].word}' has both a word and children")
        self.open.append(_Node(line))
        return None

    @staticmethod
    def _name(node: _Node, token: str) -> None:
        if node.children:
            raise InputError(f"'{token[:40]}' follows a child; a word needs a tag")
        if node.word is not None:
            raise InputError(f"'{token[:40]}' is a second word of the tag {node.label}")
        if node.label is None:
            node.label = token
        else:
            node.word = _unescape(token)

    def _close(self, node: _Node) -> Tree | None:
        is_empty = node.word is None and not node.children
        if is_empty and self.open and (self.open[-1].label is not None or node.label is not None):
            raise InputError(f"({node.label or ''}) has neither a word nor children")
        if is_empty and self.open:  # (()), the tree of an empty sentence
            return None
        tree = Tree(node.label or "", node.children, node.word)
        if not self.open:
            return tree
        self.open[-1].children.append(tree)
        return None
