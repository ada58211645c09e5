"""Immutable constituency trees, read from and written as Penn Treebank brackets.

Nothing here recurses, so trees can be as deep as long sentences make them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class TreeSpan:
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

    label: str
    children: tuple[Tree, ...]
    word: str | None

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
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "children", nodes)
        object.__setattr__(self, "word", word)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tree cannot be changed; '{name}' stays as it is")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a tree cannot be changed; '{name}' stays as it is")

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

    def __reduce__(self) -> tuple[Callable[[list[_Flat]], Tree], tuple[list[_Flat]]]:
        nodes = [(node.label, len(node.children), node.word) for node in self.nodes()]
        return _from_flat, (nodes,)

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

    def spans(self) -> list[TreeSpan]:
        """Return the span of each phrase, parents before children, without tags.

        >>> parse_tree("(NP (NP (NN tea)) (PP (IN for) (NP (CD two))))").spans()[2]
        TreeSpan(label='PP', begin=1, end=3)
        """
        begins: list[int] = []
        ends: list[int] = []
        phrases: list[Tree] = []
        at = 0
        stack: list[Tree | int] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, int):
                ends[node] = at
            elif node.word is not None:
                at += 1
            else:
                stack.append(len(phrases))
                phrases.append(node)
                begins.append(at)
                ends.append(at)
                stack.extend(reversed(node.children))
        places = zip(phrases, begins, ends, strict=True)
        return [TreeSpan(phrase.label, begin, end) for phrase, begin, end in places]

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


_Flat = tuple[str, int, str | None]  # label, number of children, word


def _from_flat(nodes: list[_Flat]) -> Tree:
    """Build a tree from its nodes, parents before children."""
    stack: list[Tree] = []
    for label, size, word in reversed(nodes):
        children = [stack.pop() for _ in range(size)]
        stack.append(Tree(label, children, word))
    return stack[0]


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


def without_empty(tree: Tree) -> Tree:
    """Remove empty elements and the phrases they leave empty; labels stay.

    >>> print(without_empty(parse_tree("(S (NP-SBJ (-NONE- *)) (VP-X (VB Go)))")))
    (S (VP-X (VB Go)))
    """
    if EMPTY not in tree.tags:
        return tree
    return tree.rebuild(_keep_filled) or Tree(tree.label)


def _keep_filled(node: Tree, children: tuple[Tree, ...]) -> Tree | None:
    if node.word is not None:
        return None if node.label == EMPTY else node
    return Tree(node.label, children) if children else None


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
    return (tree for tree, _ in numbered_trees(lines, path))


def numbered_trees(lines: Iterable[str], path: str | None = None) -> Iterator[tuple[Tree, int]]:
    """Read trees from lines, each with the number of the line where it starts."""
    reader = _Reader(path)
    for number, line in enumerate(lines, 1):
        for token in _TOKEN.findall(line):
            finished = reader.take(token, number)
            if finished is not None:
                yield finished
    reader.finish()


class _Node:
    """A node that is being read."""

    __slots__ = ("children", "label", "line", "word")

    def __init__(self, line: int) -> None:
        self.line = line
        self.label: str | None = None
        self.word: str | None = None
        self.children: list[Tree] = []


class _Reader:
    """Reads tokens of brackets one by one; errors say what is wrong and where."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.open: list[_Node] = []

    def take(self, token: str, line: int) -> tuple[Tree, int] | None:
        """Take a token; return the tree that it completes, if any, and that tree's first line."""
        if token == "(":
            if self.open and self.open[-1].word is not None:
                raise self._error(f"'{self.open[-1].word}' has both a word and children", line)
            self.open.append(_Node(line))
            return None
        if not self.open:
            raise self._error(f"'{token[:40]}' stands outside of the brackets of a tree", line)
        if token == ")":
            return self._close(line)
        self._name(self.open[-1], token, line)
        return None

    def finish(self) -> None:
        if self.open:
            raise self._error("this tree is not closed at the end of the text", self.open[0].line)

    def _name(self, node: _Node, token: str, line: int) -> None:
        if node.children:
            raise self._error(f"'{token[:40]}' follows a child; a word needs a tag", line)
        if node.label is None:
            node.label = token
        elif node.word is None:
            node.word = _unescape(token)
        else:
            raise self._error(f"'{token[:40]}' is a second word of the tag {node.label}", line)

    def _close(self, line: int) -> tuple[Tree, int] | None:
        node = self.open.pop()
        is_empty = node.word is None and not node.children
        if is_empty and self.open and (self.open[-1].label is not None or node.label is not None):
            raise self._error(f"({node.label or ''}) has neither a word nor children", line)
        if is_empty and self.open:  # (()), the tree of an empty sentence
            return None
        tree = Tree(node.label or "", node.children, node.word)
        if not self.open:
            return tree, node.line
        self.open[-1].children.append(tree)
        return None

    def _error(self, message: str, line: int) -> InputError:
        return InputError(message, path=self.path, line=line, code=None)
