"""Merged trees as sets of strings, by recursion on nested tuples, without any lattice."""

from __future__ import annotations

from itertools import product

KEYWORDS = ("NN", "VB", "JJ", "CD")


def keywords(tree):
    """Trees are (label, word) or (label, [children])."""
    label, below = tree
    if isinstance(below, str):
        return {below} if label.startswith(KEYWORDS) else set()
    return set().union(*map(keywords, below))


def blocked(one, other):
    """A word of a constituent is in another constituent of the other side, and not in its own."""
    for here, there in ((one, other), (other, one)):
        for place, words in enumerate(here):
            elsewhere = set().union(*(w for n, w in enumerate(there) if n != place))
            if (words - there[place]) & elsewhere:
                return True
    return False


def alternatives(trees):
    """All strings of the trees of one constituent: those with the same expansion share parts."""
    found = {(tree[1],) for tree in trees if isinstance(tree[1], str)}
    classes: list[list] = []
    for tree in trees:
        if isinstance(tree[1], str):
            continue
        for others in classes:
            labels = [child[0] for child in others[0][1]]
            columns = [
                set().union(*(keywords(other[1][place]) for other in others))
                for place in range(len(labels))
            ]
            if labels == [child[0] for child in tree[1]] and not blocked(
                columns, [keywords(child) for child in tree[1]]
            ):
                others.append(tree)
                break
        else:
            classes.append([tree])
    for others in classes:
        parts = [alternatives([other[1][n] for other in others]) for n in range(len(others[0][1]))]
        found |= {sum(words, ()) for words in product(*parts)}
    return found


def sentences(edges, node=0, end=1):
    """All strings of a lattice."""
    if node == end:
        return {()}
    return {
        (word, *rest)
        for source, word, target in edges
        if source == node
        for rest in sentences(edges, target, end)
    }


def paraphrases(edges, longest):
    """Different strings between two nodes, for all pairs of nodes."""
    nodes = {edge[0] for edge in edges} | {edge[2] for edge in edges}
    found = set()
    for a, b in product(nodes, nodes):
        between = {s for s in sentences(edges, a, b) if 0 < len(s) <= longest}
        found |= {(s, t) for s in between for t in between if s != t}
    return found
