"""Syntactic alignment: parse trees of equivalent sentences merged (Pang, Knight & Marcu 2003).

Trees are merged top-down: constituents with the same label that expand into the same labels are
merged, and so are their children; other expansions become alternatives. The forest becomes a
lattice of words, in which different paths between the same nodes are paraphrases of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from otherwords.build.trees.tree import ROOTS, Tree, clean, parse_tree
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.io.files import read_lines

Link = tuple[int, int]
Phrase = tuple[str, ...]

BEGIN, END = 0, 1
_KEYWORD_TAGS = ("NN", "VB", "JJ", "CD")
_AUXILIARIES = frozenset(
    "be am is are was were been being have has had having do does did 's 're 've".split()
)
_MOST_PATHS = 2000  # from a node; further paths are ignored


class LatticeEdge(NamedTuple):
    """A word between two nodes of a lattice."""

    source: int
    word: str
    target: int


class _Part(NamedTuple):
    """A constituent and the words it covers."""

    label: str
    children: tuple[_Part, ...]
    begin: int
    end: int


class _Parsed(NamedTuple):
    """A sentence with its words, its keywords, and its tree below the root."""

    words: Phrase
    keywords: tuple[str | None, ...]
    top: _Part

    @classmethod
    def of(cls, tree: Tree, case: bool) -> _Parsed | None:
        """Read a tree; an empty sentence gives None."""
        top = clean(tree)
        while top.label in ROOTS and len(top.children) == 1:
            top = top.children[0]
        words = tuple(word if case else word.lower() for word in top.words)
        if not words:
            return None
        keywords = (
            word if tag.startswith(_KEYWORD_TAGS) and word.lower() not in _AUXILIARIES else None
            for word, tag in zip(words, top.tags, strict=True)
        )
        return cls(words, tuple(keywords), _parts(top, len(words)))

    def keywords_of(self, part: _Part) -> set[str]:
        """Return the content words of a constituent."""
        return {word for word in self.keywords[part.begin : part.end] if word is not None}


def _parts(tree: Tree, size: int) -> _Part:
    """Build the constituents of a tree bottom-up, with the words they cover."""
    done: list[_Part] = []
    for node in reversed(list(tree.nodes())):
        if node.word is not None:
            size -= 1
            done.append(_Part(node.label, (), size, size + 1))
        else:
            children = tuple(done.pop() for _ in node.children)
            done.append(_Part(node.label, children, children[0].begin, children[-1].end))
    return done[0]


class _LatticeNode:
    """Merged constituents: their words and their expansions."""

    __slots__ = ("expansions", "keywords", "label", "words")

    def __init__(self, label: str) -> None:
        self.label = label
        self.words: dict[str, None] = {}
        self.expansions: list[tuple[_LatticeNode, ...]] = []
        self.keywords: set[str] = set()


class Lattice:
    """A lattice of words from node 0 to node 1, stored as edges.

    >>> from otherwords.build.trees.tree import parse_tree
    >>> trees = ["(S (NP (CD 12) (NN persons)) (VP (AUX were) (VP (VB killed))))",
    ...          "(S (NP (CD twelve) (NN people)) (VP (VB died)))"]
    >>> lattice = Lattice.of(map(parse_tree, trees))
    >>> (("people", "died"), ("persons", "were", "killed")) in lattice.paraphrases(5)
    True
    """

    def __init__(self, edges: Iterable[LatticeEdge]) -> None:
        self.edges: tuple[LatticeEdge, ...] = tuple(sorted(set(edges)))

    @classmethod
    def of(cls, trees: Iterable[Tree], *, case: bool = False) -> Lattice:
        """Merge the trees of equivalent sentences, in lower case unless `case`."""
        root = _LatticeNode("")
        for tree in trees:
            if sentence := _Parsed.of(tree, case):
                _merge(root, sentence)
        return cls(_squeeze(_edges(root)))

    def paraphrases(self, max_length: int = 5) -> set[tuple[Phrase, Phrase]]:
        """Return pairs of different phrases that lead from the same node to the same node."""
        return {
            pair for phrases in self.alternatives(max_length) for pair in permutations(phrases, 2)
        }

    def alternatives(self, max_length: int = 5) -> Iterator[set[Phrase]]:
        """Yield, for every two nodes, the phrases that lead from one to the other."""
        check_whole("max_length", max_length, 1, 100)
        outgoing: dict[int, list[LatticeEdge]] = {}
        for edge in self.edges:
            outgoing.setdefault(edge.source, []).append(edge)
        for source in outgoing:
            ends: dict[int, set[Phrase]] = {}
            for target, phrase in _paths(outgoing, source, max_length):
                ends.setdefault(target, set()).add(phrase)
            yield from ends.values()


def syntactic_table(
    groups: Iterable[Iterable[Tree]], *, max_length: int = 5, case: bool = False
) -> Iterator[tuple[str, str, float]]:
    """Yield the paraphrases of groups of equivalent sentences, sorted.

    The paper has no probabilities. Ours is the share of the lattices with the phrase that also
    have the paraphrase as an alternative.

    Parameters
    ----------
    groups
        The trees of each group.
    max_length
        The most words in a phrase.
    case
        Keep case instead of folding it.

    >>> from otherwords.build.trees.tree import parse_tree
    >>> groups = [["(NP (DT the) (NN car))", "(NP (DT the) (NN auto))"], ["(NP (NN car))"]]
    >>> list(syntactic_table([map(parse_tree, group) for group in groups], max_length=1))
    [('auto', 'car', 1.0), ('car', 'auto', 0.5)]
    """
    together: Counter[tuple[Phrase, Phrase]] = Counter()
    alone: Counter[Phrase] = Counter()
    for trees in groups:
        lattice = Lattice.of(trees, case=case)
        together.update(lattice.paraphrases(max_length))
        alone.update(set().union(*lattice.alternatives(max_length)))
    for (phrase, paraphrase), count in sorted(together.items()):
        yield " ".join(phrase), " ".join(paraphrase), count / alone[phrase]


def syntactic_links(first: Tree, second: Tree, *, case: bool = False) -> list[Link]:
    """Link the words of two sentences by merging their trees.

    Words whose tags are merged are linked. Where constituents expand differently, all words of
    one are linked to all of the other, but for equal words at their edges, which pair up.
    """
    sentence, other = (_Parsed.of(tree, case) for tree in (first, second))
    if sentence is None or other is None:
        return []
    links: set[Link] = set()
    stack = [(sentence.top, other.top)]
    while stack:
        left, right = stack.pop()
        if _same_expansion(sentence, left, other, right):
            stack.extend(zip(left.children, right.children, strict=True))
            continue
        words = sentence.words[left.begin : left.end], other.words[right.begin : right.end]
        links.update((left.begin + i, right.begin + j) for i, j in _link_block(*words))
    return sorted(links)


def _same_expansion(sentence: _Parsed, left: _Part, other: _Parsed, right: _Part) -> bool:
    labels = [[child.label for child in part.children] for part in (left, right)]
    if left.label != right.label or labels[0] != labels[1] or not labels[0]:
        return False
    return not _is_blocked(
        [sentence.keywords_of(child) for child in left.children],
        [other.keywords_of(child) for child in right.children],
    )


def _link_block(left: Phrase, right: Phrase) -> Iterator[Link]:
    """Link equal words from both ends one by one, then all remaining words with each other."""
    begin, end = 0, 0
    shortest = min(len(left), len(right))
    while begin < shortest and left[begin] == right[begin]:
        yield begin, begin
        begin += 1
    while end < shortest - begin and left[-1 - end] == right[-1 - end]:
        end += 1
        yield len(left) - end, len(right) - end
    for i in range(begin, len(left) - end):
        yield from ((i, j) for j in range(begin, len(right) - end))


def _is_blocked(left: Sequence[set[str]], right: Sequence[set[str]]) -> bool:
    """Whether a keyword of a constituent is in a different constituent of the other tree."""

    def strays(here: Sequence[set[str]], there: Sequence[set[str]]) -> bool:
        return any(
            (words - there[place]) & others
            for place, words in enumerate(here)
            for number, others in enumerate(there)
            if number != place
        )

    return strays(left, right) or strays(right, left)


def _merge(root: _LatticeNode, sentence: _Parsed) -> None:
    """Add a sentence to a forest."""
    top = sentence.top
    stack = [(root, _Part("", (top,), top.begin, top.end))]
    while stack:
        node, part = stack.pop()
        node.keywords |= sentence.keywords_of(part)
        if not part.children:
            node.words[sentence.words[part.begin]] = None
            continue
        children = _matching_expansion(node, part, sentence)
        if children is None:
            children = tuple(_LatticeNode(child.label) for child in part.children)
            node.expansions.append(children)
        stack.extend(zip(children, part.children, strict=True))


def _matching_expansion(
    node: _LatticeNode, part: _Part, sentence: _Parsed
) -> tuple[_LatticeNode, ...] | None:
    """Return the expansion of the node that fits the constituent's children."""
    labels = [child.label for child in part.children]
    keywords = [sentence.keywords_of(child) for child in part.children]
    for children in node.expansions:
        if [child.label for child in children] == labels and not _is_blocked(
            [child.keywords for child in children], keywords
        ):
            return children
    return None


def _edges(root: _LatticeNode) -> Iterator[LatticeEdge]:
    """Turn the forest into a lattice: alternatives in parallel, children in sequence."""
    nodes = END + 1
    stack = [(root, BEGIN, END)]
    while stack:
        node, source, target = stack.pop()
        yield from (LatticeEdge(source, word, target) for word in node.words)
        for children in node.expansions:
            inner = range(nodes, nodes + len(children) - 1)
            nodes += len(inner)
            stack.extend(zip(children, [source, *inner], [*inner, target], strict=True))


def _squeeze(edges: Iterable[LatticeEdge]) -> set[LatticeEdge]:
    """Merge equal words that start or end alternatives.

    Nodes are joined only if no other edge leads to them (or from them, at the end), so that the
    paths of the lattice stay the same.
    """
    before = set(edges)
    while True:
        after = _reverse(_join_nodes(_reverse(_join_nodes(before))))
        if len(after) == len(before):
            return after
        before = after


def _reverse(edges: set[LatticeEdge]) -> set[LatticeEdge]:
    return {LatticeEdge(target, word, source) for source, word, target in edges}


def _join_nodes(edges: set[LatticeEdge]) -> set[LatticeEdge]:
    """Join nodes whose only edges come from the same node with the same word."""
    ways = Counter(edge.target for edge in edges)
    first: dict[tuple[int, str], int] = {}
    same: dict[int, int] = {}
    for source, word, target in sorted(edges):
        if ways[target] == 1 and target > END:
            same[target] = first.setdefault((source, word), target)
    return {LatticeEdge(same.get(s, s), word, same.get(t, t)) for s, word, t in edges}


def _paths(
    outgoing: dict[int, list[LatticeEdge]], source: int, max_length: int
) -> Iterator[tuple[int, Phrase]]:
    """Yield the nodes within a number of words and the path to each, short paths first."""
    reached: list[tuple[int, Phrase]] = [(source, ())]
    shown = 0
    for _ in range(max_length):
        reached = [
            (edge.target, (*phrase, edge.word))
            for node, phrase in reached
            for edge in outgoing.get(node, ())
        ][: _MOST_PATHS - shown]
        shown += len(reached)
        yield from reached


def lattice_lines(
    path: str,
    *,
    parse: bool = False,
    links: bool = False,
    max_length: int = 5,
    case: bool = False,
) -> Iterator[str]:
    """Yield lines of paraphrases of the groups in a file: phrase, paraphrase, probability.

    A line of the file has a group, a tab and a tree in brackets, or with `parse` an English
    sentence. With `links`, the links `i-j` of the first sentence of each group to each of the
    others are yielded instead.
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
    """Read the trees of each group, in the order of the file; `parse` as in `lattice_lines`."""
    names: list[str] = []
    trees: list[Tree] = []
    texts: list[str] = []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        name, tab, text = line.partition("\t")
        try:
            if not tab:
                what = "a sentence" if parse else "a tree"
                raise InputError(f"a line is the name of a group, a tab, and {what}")
            names.append(name)
            if parse:
                texts.append(text)
            else:
                trees.append(parse_tree(text))
        except InputError as error:
            raise InputError(error.message, path=path, line=number) from error
    if not names:
        raise InputError("there are no trees here", path=path)
    if parse:
        from otherwords.build.trees.parser import Parser

        trees = Parser.load().parse(texts)
    groups: dict[str, list[Tree]] = {}
    for name, tree in zip(names, trees, strict=True):
        groups.setdefault(name, []).append(tree)
    return list(groups.values())
