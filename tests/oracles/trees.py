"""Brackets and their scores, slow and plain: nested lists, recursion, sets of tuples."""

from __future__ import annotations

import re


def read(text):
    """Trees as nested lists: [label, child, ...] or [tag, word]."""
    tokens = re.findall(r"[()]|[^\s()]+", text)
    trees = []
    while tokens:
        trees.append(_node(tokens))
    return trees


def _node(tokens):
    assert tokens.pop(0) == "("
    node = [tokens.pop(0) if tokens[0] not in "()" else ""]
    while tokens[0] != ")":
        node.append(_node(tokens) if tokens[0] == "(" else tokens.pop(0))
    tokens.pop(0)
    return node


def is_leaf(node):
    return len(node) == 2 and isinstance(node[1], str)


def leaves(node):
    """(tag, word) from left to right."""
    if is_leaf(node):
        return [(node[0], node[1])]
    return [leaf for child in node[1:] for leaf in leaves(child)]


def spans(node, begin=0):
    """(label, begin, end) of each phrase, in the order of the text."""
    if is_leaf(node):
        return []
    found = [(node[0], begin, begin + len(leaves(node)))]
    for child in node[1:]:
        found += spans(child, begin)
        begin += len(leaves(child))
    return found


def without(node, places, begin=0):
    """The tree without the words at some places; None if nothing is left."""
    if is_leaf(node):
        return None if begin in places else node
    kept = []
    for child in node[1:]:
        rest = without(child, places, begin)
        begin += len(leaves(child))
        if rest is not None:
            kept.append(rest)
    return [node[0], *kept] if kept else None


def score(gold, guess, punctuation, roots, equal):
    """(matched, gold, guessed) brackets of one sentence."""
    places = {i for i, (tag, _) in enumerate(leaves(gold)) if tag in punctuation}
    counted = []
    for tree in (gold, guess):
        rest = without(tree, places)
        rows = [] if rest is None else spans(rest)
        labelled = [(equal.get(label, label), b, e) for label, b, e in rows]
        counted.append([row for row in labelled if row[0] not in roots])
    left = list(counted[1])
    matched = 0
    for row in counted[0]:
        if row in left:
            left.remove(row)
            matched += 1
    return matched, len(counted[0]), len(counted[1])
